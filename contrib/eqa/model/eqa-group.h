/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef EQA_GROUP_H
#define EQA_GROUP_H

#include "eqa-core.h"

#include "ns3/messaging-core-group.h"
#include "ns3/nstime.h"
#include "ns3/traced-callback.h"

#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup eqa
 * A group of nodes with DP-SMP, whatever network they are on.
 */

namespace ns3
{
namespace eqa
{

/**
 * @ingroup eqa
 * A group of nodes with DP-SMP: attributes, counters and trace source, without the network.
 * EqaPortGroup adds the network.
 */
class EqaGroup : public messaging::MessageGroup
{
  public:
    /** Told that all packets of a peer's message have left: its send call returns. */
    using Returned = std::function<void(messaging::Peer)>;

    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    EqaGroup();
    ~EqaGroup() override;

    /**
     * Post a receive; the delivery tells of its end.
     * @param self the receiver
     * @param from the sender
     * @param broadcast whether from its broadcast channel
     * @return stalled if the receive queue is full
     */
    messaging::Acceptance PostReceive(messaging::Peer self, messaging::Peer from, bool broadcast);

    /**
     * Allocate what a broadcast needs before the first one: at the root a DP and a light DP for
     * each leaf, at every node, the root included, a receive-only DP (section 3.1).
     * @param root who broadcasts
     */
    void OpenBroadcast(messaging::Peer root);

    /**
     * Allocate what a broadcast by messages to one peer each needs: a pair of DPs for every node,
     * the root included (section 4.2).
     * @param root who sends
     */
    void OpenPairs(messaging::Peer root);

    /** @return what all DPs have allocated. */
    PointMemory GetMemory() const;

    /**
     * @param peer a node
     * @return its protocol state
     */
    virtual const EqaCore& GetNode(messaging::Peer peer) const = 0;

    /**
     * @param event an event
     * @return how often it has happened on all nodes
     */
    virtual uint64_t GetEventCount(Event event) const = 0;

    /** @return the parameters in effect; complete once the group is connected to a network. */
    const EqaConfig& GetConfig() const
    {
        return m_config;
    }

    /**
     * Look whether the attributes go together.
     * @param mtu largest frame of the network [bytes]
     * @return empty, or one sentence
     */
    std::string Check(uint32_t mtu) const;

    /**
     * Set who is told that send calls return.
     * @param returned told of it
     */
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

    /**
     * Signature of the Event trace source.
     * @param peer the node
     * @param event what has happened
     */
    typedef void (*EventTracedCallback)(messaging::Peer peer, Event event);

  protected:
    void DoDispose() override;

    /**
     * Complete the parameters with what the network promises.
     * @param mtu largest frame [bytes]
     * @param tick length of a tick
     * @param hosts whether the group has hosts
     */
    void Configure(uint32_t mtu, Time tick, bool hosts);

    /**
     * @param peer a node
     * @return its protocol state, to be changed
     */
    virtual EqaCore& GetMutableNode(messaging::Peer peer) = 0;

  private:
    /** Type of a member of C. */
    template <class C, auto Member>
    using TypeOf = std::remove_reference_t<decltype(std::declval<C&>().*Member)>;

    /** Set a member of the parameters. @param value its value */
    template <auto Member>
    void Set(TypeOf<EqaConfig, Member> value)
    {
        m_config.*Member = value;
    }

    /** @return a member of the parameters. */
    template <auto Member>
    TypeOf<EqaConfig, Member> Get() const
    {
        return m_config.*Member;
    }

    /** Set a member of the sizes. @param value its value */
    template <auto Member>
    void SetSize(TypeOf<PointSizes, Member> value)
    {
        m_config.sizes.*Member = value;
    }

    /** @return a member of the sizes. */
    template <auto Member>
    TypeOf<PointSizes, Member> GetSize() const
    {
        return m_config.sizes.*Member;
    }

    /**
     * Compute the parameters.
     * @param mtu largest frame of the network [bytes]
     * @return them, without those of the clock and the hosts
     */
    EqaConfig MakeConfig(uint32_t mtu) const;

    EqaConfig m_config;                                  ///< Shared by all nodes.
    Time m_timeout;                                      ///< Silence after which a sender acts.
    Time m_transmitTime;                                 ///< To hand a frame to the card.
    Time m_handleTime;                                   ///< Of the handler for a frame.
    Time m_wakeTime;                                     ///< Until a waiting process goes on.
    Time m_lightTime;                                    ///< For each light DP of a packet.
    Time m_translateTime;                                ///< To translate the address of a page.
    double m_cpuRatio{1};                                ///< Scales all times of the CPU.
    Returned m_returned;                                 ///< Told that send calls return.
    TracedCallback<messaging::Peer, Event> m_eventTrace; ///< Fired for each event.
};

/**
 * @ingroup eqa
 * DP-SMP on a network.
 * @tparam Port the network, a DatagramPort
 */
template <messaging::DatagramPort Port>
class EqaPortGroup : public messaging::CoreGroup<EqaCore, Port, EqaGroup>
{
    /** The generic part. */
    using Parent = messaging::CoreGroup<EqaCore, Port, EqaGroup>;

  public:
    /**
     * Connect to a network; attributes are fixed from now on.
     * @param clock the clock that the network's ticks are counted by
     * @param port the network
     * @param hosts who does the work, one a peer; none for work that takes no time
     */
    void Connect(Ptr<messaging::TickClock> clock,
                 Ptr<Port> port,
                 std::vector<Ptr<messaging::HostModel>> hosts = {})
    {
        this->Configure(port->Info().mtu, clock->GetTickLength(), !hosts.empty());
        const uint32_t peers = port->GetNPeers();
        Parent::Connect(clock, port, [this, peers](messaging::Peer peer) {
            return EqaCore(peer, peers, &this->GetConfig());
        });
        if (!hosts.empty())
        {
            this->SetHosts(std::move(hosts));
        }
    }

    const EqaCore& GetNode(messaging::Peer peer) const override
    {
        return this->GetCore(peer);
    }

    uint64_t GetEventCount(Event event) const override
    {
        return this->GetCount(static_cast<messaging::Reason>(event));
    }

  protected:
    EqaCore& GetMutableNode(messaging::Peer peer) override
    {
        return Parent::GetCore(peer);
    }
};

} // namespace eqa
} // namespace ns3

#endif // EQA_GROUP_H
