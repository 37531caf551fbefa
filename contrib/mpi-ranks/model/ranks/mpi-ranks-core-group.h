/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MPI_RANKS_CORE_GROUP_H
#define MPI_RANKS_CORE_GROUP_H

#include "ns3/messaging-core-group.h"
#include "ns3/messaging-transport.h"
#include "ns3/mpi-ranks-core.h"

/**
 * @file
 * @ingroup mpi-ranks
 * MPI's protocol without programs, over any port.
 */

namespace ns3
{
namespace ranks
{

/** Bits of a frame's id that its label shows: the sequence number. */
inline constexpr uint64_t SEQUENCE_MASK = 0xffff;

/** Base of a group of ranks: names of its frames and events. */
using RankEvents =
    messaging::NamedEvents<Event, messaging::LabelledGroup<FrameKind, SEQUENCE_MASK>>;

/**
 * @ingroup mpi-ranks
 * Base of RankCoreGroup: calls OnPeerLost when a rank gives a peer up.
 */
class LostPeerEvents : public RankEvents
{
  public:
    /**
     * An event of a core.
     * @param self the core's rank
     * @param reason the event
     */
    void OnNote(Peer self, messaging::Reason reason)
    {
        if (static_cast<Event>(reason) == Event::PEER_LOST)
        {
            OnPeerLost(self);
        }
    }

  protected:
    /** A rank has declared a peer lost. @param self the rank */
    virtual void OnPeerLost(Peer self) = 0;
};

/**
 * @ingroup mpi-ranks
 * Ranks that post no receives: a MessageGroup, for the benchmark applications, the delivery audit
 * and other programs.
 *
 * Each message is delivered on arrival. Requests complete with DELIVERED in the reliable designs,
 * and with SENT in the native ones: when the network's transport has reported the end of the send,
 * or, on a network without transports, when the port has taken it. Ranks make progress in every
 * event, so only credits and the timer cause explicit ACKs.
 *
 * A rank that gives a peer up fails the peer's connection, too, after the latency of an idle
 * network. Otherwise the peer could wait for ever for the answer to an RTS that was acknowledged:
 * no timer covers it. MVAPICH's process manager ends the whole job instead.
 *
 * @tparam Port the network, a DatagramPort
 */
template <messaging::DatagramPort Port>
class RankCoreGroup : public messaging::CoreGroup<RankCore, Port, LostPeerEvents>,
                      public messaging::TransportUser
{
    /** The generic part. */
    using Parent = messaging::CoreGroup<RankCore, Port, LostPeerEvents>;

  public:
    /** Waiting messages of a rank beyond which requests stall. */
    static constexpr uint32_t MAX_BACKLOG = 64;

    /**
     * Create the ranks.
     * @param clock clock of the port's ticks
     * @param port the network
     * @param config the parameters, with the timeout in ticks of the clock
     * @return an empty text, or one sentence on a contradiction
     */
    std::string Connect(Ptr<messaging::TickClock> clock, Ptr<Port> port, const RankConfig& config)
    {
        m_config = config;
        m_config.matching = false;
        m_config.localCompletions = m_config.reportsSends;
        m_config.maxBacklog = MAX_BACKLOG;
        const std::string wrong = m_config.Check();
        if (wrong.empty())
        {
            Parent::Connect(clock, port, [&](Peer) {
                return RankCore(&m_config, port->GetNPeers());
            });
            m_notices.group = this;
            m_number = clock->Register(&m_notices);
        }
        return wrong;
    }

    /** @return a rank. @param rank its number */
    const RankCore& GetRank(Peer rank) const
    {
        return this->GetCore(rank);
    }

    /** @return number of an event on all ranks. @param event the event */
    uint64_t GetEventCount(Event event) const
    {
        return this->GetCount(static_cast<messaging::Reason>(event));
    }

    void OnSent(Peer self, Peer to, const Frame& frame) override
    {
        this->Dispatch(self, [&](RankCore& core, auto& out) { core.OnLeft(to, frame, out); });
    }

    void OnDisconnected(Peer self, Peer peer) override
    {
        this->Dispatch(self, [&](RankCore& core, auto& out) { core.OnDisconnected(peer, out); });
    }

  protected:
    void DoDispose() override
    {
        if (const auto clock = this->GetClock())
        {
            clock->Unregister(m_number);
        }
        Parent::DoDispose();
    }

  private:
    /** Fails connections that the other end has given up. */
    struct Notices : messaging::TickUser
    {
        void OnTick(Peer peer, uint64_t datum) override
        {
            group->OnDisconnected(peer, static_cast<Peer>(datum));
        }

        RankCoreGroup* group{nullptr}; ///< The group.
    };

    void OnPeerLost(Peer self) override
    {
        for (Peer peer = 0; peer < this->GetNPeers(); ++peer)
        {
            if (GetRank(self).IsLost(peer) && GetRank(peer).IsConnected(self))
            {
                const auto clock = this->GetClock();
                const messaging::Ticks when = clock->Now() + this->GetPort()->Distance(self, peer);
                clock->At(when, m_number, peer, self);
            }
        }
    }

    RankConfig m_config;  ///< The parameters.
    Notices m_notices;    ///< Fails connections at the due time.
    uint32_t m_number{0}; ///< Its number on the clock.
};

} // namespace ranks
} // namespace ns3

#endif // MPI_RANKS_CORE_GROUP_H
