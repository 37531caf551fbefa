/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INFINIBAND_VERBS_PORT_H
#define INFINIBAND_VERBS_PORT_H

#include "ns3/infiniband-verbs.h"
#include "ns3/messaging-core.h"
#include "ns3/messaging-slot-pool.h"
#include "ns3/messaging-tick-clock.h"
#include "ns3/messaging-transport.h"
#include "ns3/simple-ref-count.h"

#include <functional>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup infiniband
 * Queue pairs as a port of frames.
 */

namespace ns3
{
namespace infiniband
{

/**
 * @ingroup infiniband
 * The datagram port (messaging::DatagramPort) of all adapters of a subnet: a frame is a send, or an
 * RDMA write if it is marked messaging::MARK_WRITE.
 *
 * The class of a frame is its service level. Over RC and UC, the first frame between two peers on a
 * virtual lane connects a pair of queue pairs. Over UD, a peer
 * has one queue pair, and a broadcast is a datagram to the multicast group. Receives are posted in
 * advance and replaced with each arriving frame. A peer has at most SEND_QUEUE outstanding sends;
 * beyond that Send returns false, and OnReady follows. A frame of a peer to itself does not reach
 * the adapter; it arrives after a tick.
 *
 * A connection of RC whose retries are exhausted is lost. The other end is notified after the
 * latency of an idle network, as by a connection manager; its datagrams are not simulated.
 */
class VerbsPort : public SimpleRefCount<VerbsPort>, private CqUser, private messaging::TickUser
{
  public:
    /** Maximum outstanding sends of a peer. */
    static constexpr uint32_t SEND_QUEUE = 16;

    /** Receives posted in advance to each queue pair, unless SetTransportUser sets their number. */
    static constexpr uint32_t RECEIVES = 1024;

    /** Registered memory of a peer, and the longest write [bytes]. */
    static constexpr uint64_t MEMORY = uint64_t{1} << 31;

    /**
     * Construct with all adapters open.
     * @param clock the clock of the verbs
     * @param verbs the verbs, opened
     * @param transport type of the queue pairs
     * @param info properties of the network
     */
    VerbsPort(Ptr<messaging::TickClock> clock,
              Ptr<Verbs> verbs,
              Transport transport,
              const messaging::PortInfo& info);

    /** End the traffic, and dispose of the verbs. */
    void Dispose();

    /**
     * Get the properties of a transport service.
     * @param transport the transport service
     * @param link constants of the links
     * @param speed speed of the slowest link of a host
     * @param intact whether adapters, links and switches are without faults
     * @return the properties
     */
    static messaging::PortInfo MakeInfo(Transport transport,
                                        const LinkConfig& link,
                                        LinkSpeed speed,
                                        bool intact);

    /** @return the properties of the network. */
    messaging::PortInfo GetInfo() const
    {
        return m_info;
    }

    /** @return the number of adapters. */
    uint32_t GetNPeers() const
    {
        return static_cast<uint32_t>(m_adapters.size());
    }

    /**
     * Get the latency of an empty frame on an idle network, adapters included.
     * @param self the sender
     * @param to the receiver
     * @return the time; a tick to itself [ticks]
     */
    Ticks Distance(messaging::Peer self, messaging::Peer to) const;

    /**
     * Get the time of a frame on a link.
     * @param frame the frame
     * @return time for which its packets occupy a link [ticks]
     */
    Ticks WireTicks(const Frame& frame) const;

    /**
     * Send a frame.
     * @param self the sender
     * @param to the receiver; over UD also NO_PEER for all others
     * @param frame the frame
     * @return false if SEND_QUEUE sends are outstanding; OnReady follows
     */
    bool Send(messaging::Peer self, messaging::Peer to, const Frame& frame);

    /**
     * Check whether a peer can send, without sending. If not, OnReady follows.
     * @param self the peer
     * @return whether Send would return true
     */
    bool HasRoom(messaging::Peer self)
    {
        Adapter& adapter = m_adapters[self];
        adapter.waits = adapter.waits || adapter.sending == SEND_QUEUE;
        return adapter.sending < SEND_QUEUE;
    }

    /**
     * Set the function called when a send has ended; the sends of a peer end in order.
     * @param sent the function
     */
    void SetSent(std::function<void(messaging::Peer self)> sent)
    {
        m_ended = std::move(sent);
    }

    /**
     * Set the function called when a failed queue pair flushes a frame at once, which is lost.
     * @param refused the function
     */
    void SetRefused(std::function<void()> refused)
    {
        m_refused = std::move(refused);
    }

    /**
     * Set the user that is notified of the end of sends, before the first one.
     * @param user the user, not owned
     * @param receives receives of each connection; unused over UD
     */
    void SetTransportUser(messaging::TransportUser* user,
                          const messaging::TransportReceives& receives)
    {
        m_transportUser = user;
        if (m_transport != Transport::UD)
        {
            m_receives = receives;
        }
    }

    /** @return the verbs. */
    Ptr<Verbs> GetVerbs() const
    {
        return m_verbs;
    }

    /**
     * Set the receiver of frames.
     * @param user the user, not owned, or nullptr
     */
    void SetUser(messaging::PortUser* user)
    {
        m_user = user;
    }

  private:
    /** A peer. */
    struct Adapter
    {
        CqNumber cq{0};        ///< Completion queue.
        MemoryKey key{NO_KEY}; ///< Key of the registered memory.
        uint32_t sending{0};   ///< Outstanding sends.
        bool waits{false};     ///< Send has returned false, so OnReady has to follow.
    };

    /** A frame whose end is to be reported. */
    struct Sent
    {
        Frame frame;           ///< The frame.
        messaging::Peer to{0}; ///< Its receiver.
    };

    void OnCompletion(CqNumber cq, uint64_t host) override;
    void OnTick(messaging::Peer peer, uint64_t datum) override;

    /**
     * The data of a write are in memory. Without immediate data, it has no completion.
     * @param qp the queue pair of its arrival
     * @param wr the request
     */
    void OnWrite(Qpn qp, const SendWr& wr);

    /**
     * A send has ended.
     * @param self its sender
     * @param wc its completion
     */
    void EndSend(messaging::Peer self, const WorkCompletion& wc);

    /**
     * Get the work request of a frame, without its destination.
     * @param self the sender
     * @param frame the frame
     * @return the request
     */
    SendWr MakeRequest(messaging::Peer self, const Frame& frame) const;

    /**
     * Create a queue pair with its receives.
     * @param host its host
     * @return the queue pair
     */
    Qpn Create(HostId host);

    /**
     * Get the queue pair for a frame.
     * @param self the sender
     * @param to the receiver
     * @param serviceLevel its service level
     * @return the queue pair, connected where its transport has connections
     */
    Qpn GetQp(messaging::Peer self, messaging::Peer to, uint8_t serviceLevel);

    messaging::TickClock* m_clock;           ///< The clock, not owned.
    uint32_t m_number;                       ///< User number at the clock.
    messaging::SlotPool<Frame> m_own;        ///< Frames of peers to themselves, in flight.
    Ptr<Verbs> m_verbs;                      ///< The verbs.
    Transport m_transport;                   ///< Type of the queue pairs.
    messaging::PortInfo m_info;              ///< Properties.
    uint8_t m_lanes;                         ///< Virtual lanes.
    messaging::TransportReceives m_receives; ///< Receives of a queue pair, without room for a GRH.
    std::vector<Adapter> m_adapters;         ///< Adapters by peer.
    std::vector<Qpn> m_qps; ///< Queue pairs by peer; over RC and UC by pair of peers and lane.
    messaging::PortUser* m_user{nullptr}; ///< Receiver of frames, not owned.
    messaging::SlotPool<Sent> m_sent;     ///< Frames in flight whose end is to be reported.
    messaging::TransportUser* m_transportUser{nullptr}; ///< Notified of their end, not owned.

    std::function<void(messaging::Peer)> m_ended; ///< Called when a send has ended.
    std::function<void()> m_refused;              ///< Called when a frame is flushed.
};

} // namespace infiniband
} // namespace ns3

#endif // INFINIBAND_VERBS_PORT_H
