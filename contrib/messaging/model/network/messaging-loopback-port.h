/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_LOOPBACK_PORT_H
#define MESSAGING_LOOPBACK_PORT_H

#include "ns3/messaging-core.h"
#include "ns3/messaging-slot-pool.h"
#include "ns3/messaging-tick-clock.h"
#include "ns3/simple-ref-count.h"

#include <algorithm>
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

/** Properties of a LoopbackPort. */
struct LoopbackOptions
{
    Ticks latency{10};    ///< Latency of a frame [ticks].
    uint32_t mtu{65536};  ///< Largest header plus payload of a frame [bytes].
    uint32_t capacity{0}; ///< Maximum frames of one sender in flight, 0 for any number.
    bool keepLog{false};  ///< Record all frames sent.
    bool halved{false};   ///< Half of the latency is transmission time, as with LivePort.
};

/**
 * @ingroup messaging
 * A port whose frames arrive after a fixed time, in order.
 *
 * With a FaultyPort around it and a log of all frames, a test can replay the losses and delays in
 * the figures of a paper.
 */
class LoopbackPort : public SimpleRefCount<LoopbackPort>, private TickUser
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
     * Construct.
     * @param clock counts the ticks
     * @param nPeers the number of peers
     * @param options its properties
     */
    LoopbackPort(Ptr<TickClock> clock, uint32_t nPeers, const LoopbackOptions& options = {});

    /** @return the properties of the port. */
    PortInfo GetInfo() const
    {
        return PortInfo{.mtu = m_options.mtu, .broadcast = true, .ordered = true, .lossless = true};
    }

    /** @return the number of peers. */
    uint32_t GetNPeers() const
    {
        return static_cast<uint32_t>(m_inFlight.size());
    }

    /** @return the distance of any two peers [ticks]. */
    Ticks Distance(Peer, Peer) const
    {
        return m_options.halved ? std::max<Ticks>(m_options.latency / 2, 1) : m_options.latency;
    }

    /** @return the transmission time of any frame [ticks]. */
    Ticks WireTicks(const Frame&) const
    {
        return m_options.halved ? Distance(0, 1) : 0;
    }

    /**
     * Send a frame.
     * @param self the sender
     * @param to the receiver, or NO_PEER for all others
     * @param frame the frame, at most as large as the MTU
     * @return false if the sender's frames in flight have reached the capacity
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

    /** @return all frames sent, in order, if a log is kept. */
    const std::vector<Sent>& GetLog() const
    {
        return m_log;
    }

  private:
    void OnTick(Peer peer, uint64_t datum) override;

    LoopbackOptions m_options;        ///< Properties.
    Ptr<TickClock> m_clock;           ///< The clock.
    PortUser* m_user{nullptr};        ///< Frame observer, not owned.
    SlotPool<Sent> m_flights;         ///< Frames in flight.
    std::vector<uint32_t> m_inFlight; ///< Frames in flight of each sender.
    std::vector<uint8_t> m_waiting;   ///< Senders to which Send has returned false.
    std::vector<Sent> m_log;          ///< All frames sent.
    uint32_t m_number;                ///< The clock's number for this port.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_LOOPBACK_PORT_H
