/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_LOOPBACK_PORT_H
#define MESSAGING_LOOPBACK_PORT_H

#include "ns3/messaging-core.h"
#include "ns3/messaging-slot-pool.h"
#include "ns3/messaging-tick-clock.h"
#include "ns3/object.h"

#include <vector>

/**
 * @file
 * @ingroup messaging
 * A network of constant delay, for tests and first steps.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * A port whose frames arrive after a fixed time, in order, with a log of all frames sent.
 *
 * With a FaultyPort around it, a test can replay the figures of a paper: which frame is lost or
 * late.
 */
class LoopbackPort : public Object, private TickUser
{
  public:
    /** A line of the log. */
    struct Sent
    {
        Ticks when;  ///< When it was sent [ticks].
        Peer from;   ///< Sender.
        Peer to;     ///< Receiver.
        Frame frame; ///< The frame.
    };

    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    LoopbackPort();
    ~LoopbackPort() override;

    /**
     * Build the network.
     * @param clock counts the ticks
     * @param nPeers the number of peers
     */
    void Connect(Ptr<TickClock> clock, uint32_t nPeers);

    /** @return the properties of the port. */
    PortInfo Info() const;

    /** @return the number of peers. */
    uint32_t GetNPeers() const
    {
        return static_cast<uint32_t>(m_inFlight.size());
    }

    /**
     * Get a distance.
     * @param self a peer
     * @param to another
     * @return the latency [ticks]
     */
    Ticks Distance(Peer self, Peer to) const;

    /**
     * Get the length of a frame.
     * @param frame the frame
     * @return its transmission time, 0 [ticks]
     */
    Ticks WireTicks(const Frame& frame) const;

    /**
     * Send a frame.
     * @param self the sender
     * @param to the receiver, or NO_PEER for all others
     * @param frame the frame, at most as large as the MTU
     * @return false if the sender has as many frames in flight as Capacity allows
     */
    bool Send(Peer self, Peer to, const Frame& frame);

    /**
     * Set the frame observer.
     * @param user the observer, not owned
     */
    void SetUser(PortUser* user)
    {
        m_user = user;
    }

    /** @return all frames sent, in order, if KeepLog is set. */
    const std::vector<Sent>& GetLog() const;

  protected:
    void DoDispose() override;

  private:
    void OnTick(Peer peer, uint64_t datum) override;

    Ptr<TickClock> m_clock;           ///< The clock.
    PortUser* m_user{nullptr};        ///< Frame observer, not owned.
    SlotPool<Sent> m_flights;         ///< Frames in flight.
    std::vector<uint32_t> m_inFlight; ///< Frames in flight of each sender.
    std::vector<uint8_t> m_waiting;   ///< Senders to which Send has returned false.
    std::vector<Sent> m_log;          ///< All frames sent.
    Ticks m_latency{0};               ///< Latency of a frame [ticks].
    uint32_t m_number{0};             ///< The clock's number for this.
    uint32_t m_mtu{0};                ///< Largest frame [bytes].
    uint32_t m_capacity{0};           ///< Most frames of one sender in flight; 0 for any.
    bool m_keepLog{false};            ///< Keep a log.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_LOOPBACK_PORT_H
