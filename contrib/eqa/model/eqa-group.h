/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef EQA_GROUP_H
#define EQA_GROUP_H

#include "eqa-core.h"

#include "ns3/messaging-any-port.h"
#include "ns3/messaging-core-group.h"
#include "ns3/traced-callback.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup eqa
 * A group of nodes with DP-SMP over any network.
 */

namespace ns3
{
namespace eqa
{

/**
 * @ingroup eqa
 * Passes the events of a group's nodes on.
 */
class EqaEvents : public messaging::MessageGroup
{
  public:
    /** Callback for a send call that returns: all packets of the peer's message have left. */
    using Returned = std::function<void(messaging::Peer)>;

    /** @param returned called when a send call returns */
    void SetReturned(Returned returned)
    {
        m_returned = std::move(returned);
    }

    /**
     * Pass an event on.
     * @param peer the node
     * @param reason the event
     */
    void OnNote(messaging::Peer peer, messaging::Reason reason)
    {
        const auto event = static_cast<Event>(reason);
        if (event == Event::RETURNED && m_returned)
        {
            m_returned(peer);
        }
        m_eventTrace(peer, event);
    }

  protected:
    void DoDispose() override
    {
        m_returned = nullptr;
        messaging::MessageGroup::DoDispose();
    }

    Returned m_returned;                                 ///< Called when send calls return.
    TracedCallback<messaging::Peer, Event> m_eventTrace; ///< Fired for each event.
};

/**
 * @ingroup eqa
 * A group of nodes with DP-SMP. Its attributes are the protocol's parameters, which are fixed when
 * it is connected; a group that is never connected just holds them.
 */
class EqaGroup : public messaging::CoreGroup<EqaCore, messaging::AnyPort, EqaEvents>
{
    /** The generic part. */
    using Parent = messaging::CoreGroup<EqaCore, messaging::AnyPort, EqaEvents>;

  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Connect to a network; attributes are fixed from now on.
     * @param clock the clock that counts the network's ticks
     * @param port the network
     * @param hosts one a peer; none for work that takes no time
     * @param mtu largest packet with its header, where the network carries packets without a header
     * of its own [bytes]; 0 for that of the port
     */
    void Connect(Ptr<messaging::TickClock> clock,
                 Ptr<messaging::AnyPort> port,
                 std::vector<Ptr<messaging::HostModel>> hosts = {},
                 uint32_t mtu = 0);

    /**
     * Post a receive, which ends with its delivery.
     * @param self the receiver
     * @param from the sender
     * @param broadcast whether from its broadcast channel
     * @return stalled if the receive queue is full
     */
    messaging::Acceptance PostReceive(messaging::Peer self, messaging::Peer from, bool broadcast);

    /**
     * Set whether a receive is posted for each message in advance, as applications expect that do
     * not post receives; before Connect.
     * @param standing whether so
     */
    void SetStandingReceives(bool standing)
    {
        m_config.standing = standing;
    }

    /**
     * Set whether the peers are processes of one node; before Connect. Parts of messages are then
     * copied from space to space, whatever their size, without buffers and interrupts.
     * @param inside whether so
     */
    void SetInsideNode(bool inside);

    /** @return CPU time of a node over that of the machines of section 2. */
    double GetCpuRatio() const
    {
        return m_cpuRatio;
    }

    /** @param peer a node @return memory of its DPs [bytes] */
    uint64_t GetMemory(messaging::Peer peer) const;

    /**
     * @param peer a node
     * @return its protocol state
     */
    const EqaCore& GetNode(messaging::Peer peer) const
    {
        return GetCore(peer);
    }

    /** @return the name and the count of every event. */
    std::vector<std::pair<std::string, uint64_t>> GetCounts() const;

    /**
     * @param event an event
     * @return how often it has happened on all nodes
     */
    uint64_t GetEventCount(Event event) const
    {
        return GetCount(static_cast<messaging::Reason>(event));
    }

    /**
     * Check whether the attributes are consistent.
     * @param mtu largest frame of the network [bytes]
     * @return empty, or one sentence
     */
    std::string Check(uint32_t mtu) const
    {
        return MakeConfig(mtu).Check();
    }

    /**
     * Signature of the Event trace source.
     * @param peer the node
     * @param event the event
     */
    typedef void (*EventTracedCallback)(messaging::Peer peer, Event event);

  private:
    /** @param mtu largest frame of the network [bytes] @return the parameters in effect there */
    EqaConfig MakeConfig(uint32_t mtu) const;

    EqaConfig m_config;   ///< The parameters as set.
    EqaConfig m_effect;   ///< The parameters in effect, shared by all nodes.
    double m_cpuRatio{1}; ///< Scales all times of the CPU.
};

} // namespace eqa
} // namespace ns3

#endif // EQA_GROUP_H
