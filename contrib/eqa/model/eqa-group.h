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
 * Forwards the events of a group's nodes: pushes, pulls, acknowledgements, losses and so on. The
 * log component `EqaGroup` shows them.
 */
class EqaEvents
    : public messaging::NamedEvents<Event, messaging::LabelledGroup<PacketKind, 0xffffffff>>
{
  public:
    /** Callback for the return of a peer's send call, after its last packet. */
    using Returned = std::function<void(messaging::Peer)>;

    /** @param returned called when a send call returns */
    void SetReturned(Returned returned)
    {
        m_returned = std::move(returned);
    }

    /**
     * Forward an event.
     * @param peer the node
     * @param reason the event
     */
    void OnNote(messaging::Peer peer, messaging::Reason reason);

  protected:
    Returned m_returned;                                 ///< Called when send calls return.
    TracedCallback<messaging::Peer, Event> m_eventTrace; ///< Fired for each event.
};

/**
 * @ingroup eqa
 * A group of nodes with DP-SMP. Its attributes are the protocol's parameters, which Connect fixes;
 * a group that is never connected only stores them.
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
     * Connect to a network, and fix the attributes.
     * @param clock the clock that counts the network's ticks
     * @param port the network
     * @param hosts a host for each peer; none for work that takes no time
     * @param mtu largest packet with its header, for a network without headers of its own [bytes];
     * 0 for the MTU of the port
     */
    void Connect(Ptr<messaging::TickClock> clock,
                 Ptr<messaging::AnyPort> port,
                 std::vector<Ptr<messaging::HostModel>> hosts = {},
                 uint32_t mtu = 0);

    /**
     * Post a receive, which completes with its delivery.
     * @param self the receiver
     * @param from the sender
     * @param broadcast whether to receive from the sender's broadcast channel
     * @param tag selects the DP, modulo attribute Points
     * @return stalled if the receive queue is full
     */
    messaging::Acceptance PostReceive(messaging::Peer self,
                                      messaging::Peer from,
                                      bool broadcast,
                                      uint32_t tag = 0);

    /**
     * Restrict the broadcasts of a DP to a group; before Connect.
     * @param number number of the DP, which is the tag of its messages modulo attribute Points
     * @param members the nodes that may broadcast through it and receive; empty for all
     */
    void SetMembers(uint32_t number, std::vector<messaging::Peer> members);

    /**
     * Post a receive for each message in advance, for applications that do not post receives;
     * before Connect.
     * @param standing true for receives in advance
     */
    void SetStandingReceives(bool standing)
    {
        m_config.standing = standing;
    }

    /**
     * Place the peers on one node, as its processes; before Connect. Parts of messages of any size
     * are then copied between address spaces, without buffers and interrupts.
     */
    void SetInsideNode()
    {
        m_config.maxPayload = 65536;
        m_config.insideNode = true;
    }

    /** @return the ratio of the CPU time of a node to that of the machines of section 2. */
    double GetCpuRatio() const
    {
        return m_cpuRatio;
    }

    /** @param peer a node @return the memory of its DPs [bytes] */
    uint64_t GetMemory(messaging::Peer peer) const;

    /** @return the name and count of every event. */
    std::vector<std::pair<std::string, uint64_t>> GetCounts() const;

    /**
     * @param event an event
     * @return its count over all nodes
     */
    uint64_t GetEventCount(Event event) const
    {
        return GetCount(static_cast<messaging::Reason>(event));
    }

    /**
     * Check whether the attributes are consistent.
     * @param mtu largest frame of the network [bytes]
     * @return an empty string, or an error message
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
    /** @param mtu largest frame of the network [bytes] @return the parameters in effect */
    EqaConfig MakeConfig(uint32_t mtu) const;

    EqaConfig m_config;   ///< The parameters from the attributes.
    EqaConfig m_effect;   ///< The parameters in effect, shared by all nodes.
    double m_cpuRatio{1}; ///< Scale of all CPU times.
};

} // namespace eqa
} // namespace ns3

#endif // EQA_GROUP_H
