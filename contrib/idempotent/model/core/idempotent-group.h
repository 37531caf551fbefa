/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef IDEMPOTENT_GROUP_H
#define IDEMPOTENT_GROUP_H

#include "ns3/idempotent-core.h"
#include "ns3/messaging-core-group.h"
#include "ns3/messaging-segmenting-core.h"
#include "ns3/traced-callback.h"

/**
 * @file
 * @ingroup idempotent
 * Group of nodes with the idempotent messaging protocol, on any network.
 */

namespace ns3
{
namespace idempotent
{

/**
 * @ingroup idempotent
 * Group of nodes with the idempotent messaging protocol: counters and trace source.
 * IdempotentPortGroup adds the network.
 */
class IdempotentGroup : public messaging::NamedEvents<Event, messaging::LabelledGroup<PacketKind>>
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @param event an event
     * @return the number of its occurrences on all nodes
     */
    virtual uint64_t GetEventCount(Event event) const = 0;

    /**
     * @param peer a node
     * @return its protocol state
     */
    virtual const IdempotentCore& GetNode(messaging::Peer peer) const = 0;

    /**
     * @param peer a node
     * @return the size of its state [bytes]
     */
    virtual std::size_t GetMemory(messaging::Peer peer) const = 0;

    /** @return the number of drains of the network after exhausted IDs. */
    uint64_t GetNDrains() const
    {
        return m_drains;
    }

    /** @return the effective parameters; complete once the group is connected to a network. */
    const IdempotentConfig& GetConfig() const
    {
        return m_config;
    }

    /**
     * Handle a stalled message, and pass an event to the trace source Event.
     * @param peer the node
     * @param reason the event
     */
    void OnNote(messaging::Peer peer, messaging::Reason reason)
    {
        if (static_cast<Event>(reason) == Event::POST_STALLED) [[unlikely]]
        {
            OnStalled(peer);
        }
        if (!m_eventTrace.IsEmpty()) [[unlikely]]
        {
            m_eventTrace(peer, static_cast<Event>(reason));
        }
    }

    /**
     * Signature of the Event trace source.
     * @param peer the node
     * @param event the event
     */
    typedef void (*EventTracedCallback)(messaging::Peer peer, Event event);

  protected:
    IdempotentConfig m_config; ///< Shared by all nodes.
    uint64_t m_drains{0};      ///< Number of drains.

  private:
    /** A message was stalled. @param peer the node */
    virtual void OnStalled(messaging::Peer peer) = 0;

    TracedCallback<messaging::Peer, Event> m_eventTrace; ///< Fired for each event.
};

/**
 * @ingroup idempotent
 * The idempotent messaging protocol on a network.
 *
 * When a node has exhausted its message IDs, the whole network is drained, as suggested in section
 * 2.2: no node may post until all tables have been empty for the drain time; then all nodes restart
 * with the first ID. In a machine this is a barrier among all nodes.
 *
 * Across a drain:
 * - Packets. One that is older than the last ACK and CONF would end a message or record that has
 *   the same ID after the drain. On a network that reorders it may arrive T later, so the quiet
 *   time is longer by T (section 2.3).
 * - Replies. A processor cannot post during a drain, so ACKs do not wait for replies
 *   (IdempotentConfig::piggybackReply), which follow the drain as messages.
 * - Segments. A message in segments that was posted before a drain continues until its node has
 *   exhausted its IDs, and then after the drain.
 *
 * If the network has no cycle, a cycle of the parameters is the time of its longest frame, since a
 * frame may have to wait for one at every device.
 *
 * @tparam Port the network, a DatagramPort
 * @tparam Core IdempotentCore, or a messaging::SegmentingCore of it for messages longer than a
 * frame
 */
template <messaging::DatagramPort Port, class Core = IdempotentCore>
class IdempotentPortGroup : public messaging::CoreGroup<Core, Port, IdempotentGroup>
{
    /** Base class. */
    using Parent = messaging::CoreGroup<Core, Port, IdempotentGroup>;

  public:
    /**
     * Connect to a network.
     * @param clock clock of the network's ticks
     * @param port the network
     * @param settings parameters of the protocol
     */
    void Connect(Ptr<messaging::TickClock> clock,
                 Ptr<Port> port,
                 const IdempotentSettings& settings = IdempotentSettings())
    {
        const messaging::PortInfo info = port->GetInfo();
        messaging::Frame longest;
        longest.payload = info.mtu;
        messaging::Ticks cycle = info.cycle;
        if (cycle == 0)
        {
            cycle = port->WireTicks(longest);
        }
        this->m_config = settings.Complete(info, port->GetNPeers(), cycle);
        m_drainTime = settings.drainTime * cycle + this->m_config.retention;
        m_drainUser.group = this;
        m_drainNumber = clock->Register(&m_drainUser);
        Parent::Connect(clock, port, [this](messaging::Peer peer) {
            return messaging::MakeLayered<Core>(IdempotentCore(this->GetConfig(), peer));
        });
    }

    messaging::Acceptance Post(messaging::Peer self, const messaging::Request& request) override
    {
        if (m_draining) [[unlikely]]
        {
            this->MarkStalled(self);
            return messaging::Acceptance::STALLED;
        }
        return Parent::Post(self, request);
    }

    uint64_t GetEventCount(Event event) const override
    {
        return this->GetCount(static_cast<messaging::Reason>(event));
    }

    const IdempotentCore& GetNode(messaging::Peer peer) const override
    {
        return messaging::GetInnerCore(Parent::GetCore(peer));
    }

    std::size_t GetMemory(messaging::Peer peer) const override
    {
        return Parent::GetCore(peer).GetMemory();
    }

  protected:
    void DoDispose() override
    {
        if (const auto clock = this->GetClock())
        {
            clock->Unregister(m_drainNumber);
        }
        Parent::DoDispose();
    }

  private:
    /** Calls Drain. */
    struct DrainUser : messaging::TickUser
    {
        void OnTick(messaging::Peer, uint64_t) override
        {
            group->Drain();
        }

        IdempotentPortGroup* group{nullptr}; ///< The group.
    };

    bool MayWake() const override
    {
        return !m_draining;
    }

    void OnStalled(messaging::Peer peer) override
    {
        if (!m_drainWanted && GetNode(peer).NeedsDrain())
        {
            // The drain begins at the end of this tick, so that all nodes woken by the previous
            // drain can post.
            m_drainWanted = true;
            m_quietSince = messaging::NEVER;
            PlaceDrain(0);
        }
    }

    /** Schedule a call of Drain. @param delay delay from now [ticks] */
    void PlaceDrain(messaging::Ticks delay)
    {
        const auto clock = this->GetClock();
        clock->At(clock->Now() + delay, m_drainNumber, 0, 0);
    }

    /** Restart with the first ID if the network has been quiet for the drain time. */
    void Drain()
    {
        m_draining = true;
        const auto now = this->GetClock()->Now();
        bool idle = true;
        for (messaging::Peer peer = 0; peer < this->GetNPeers(); ++peer)
        {
            if (this->m_config.piggybackReply)
            {
                this->Dispatch(peer, [](Core& core, auto& out) {
                    messaging::GetInnerCore(core).StopAwaitingReplies(out);
                });
            }
            idle &= GetNode(peer).IsIdle();
        }
        if (idle)
        {
            m_quietSince = std::min(m_quietSince, now);
        }
        else
        {
            m_quietSince = messaging::NEVER;
        }
        if (!idle || now - m_quietSince < m_drainTime)
        {
            PlaceDrain(std::max<messaging::Ticks>(m_drainTime / 4, 1));
            return;
        }
        for (messaging::Peer peer = 0; peer < this->GetNPeers(); ++peer)
        {
            messaging::GetInnerCore(Parent::GetCore(peer)).Renew();
        }
        m_draining = false;
        m_drainWanted = false;
        ++this->m_drains;
        this->WakeAll();
    }

    DrainUser m_drainUser;            ///< User of the clock.
    uint32_t m_drainNumber{0};        ///< User number at the clock.
    messaging::Ticks m_drainTime{0};  ///< Quiet time that ends a drain [ticks].
    messaging::Ticks m_quietSince{0}; ///< Time since which all tables are empty [ticks].
    bool m_drainWanted{false};        ///< A node has exhausted its IDs.
    bool m_draining{false};           ///< New messages are stalled.
};

} // namespace idempotent
} // namespace ns3

#endif // IDEMPOTENT_GROUP_H
