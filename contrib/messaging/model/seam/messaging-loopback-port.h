/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_LOOPBACK_PORT_H
#define MESSAGING_LOOPBACK_PORT_H

#include "ns3/messaging-core.h"
#include "ns3/messaging-tick-clock.h"
#include "ns3/object.h"

#include <vector>

/**
 * @file
 * @ingroup messaging
 * A network that is nothing but a delay, for tests and first steps.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * A port whose frames arrive after a fixed time, in order, and which keeps a log of what was sent.
 *
 * With a FaultyPort around it, a test can play the figures of a paper: which frame is lost, which
 * one is late.
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

    /** @return what the port promises. */
    PortInfo Info() const;

    /** @return the number of peers. */
    uint32_t GetNPeers() const;

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
     * @return how long a sender needs for it [ticks]
     */
    Ticks WireTicks(const Frame& frame) const;

    /**
     * Send a frame.
     * @param self the sender
     * @param to the receiver, or NO_PEER for all others
     * @param frame the frame, at most as large as the MTU
     * @return false if as many frames of the sender are under way as the port can hold
     */
    bool Send(Peer self, Peer to, const Frame& frame);

    /**
     * Set who hears of frames.
     * @param user the user, not owned
     */
    void SetUser(PortUser* user);

    /** @return all that was sent, in order; kept if the attribute KeepLog is true. */
    const std::vector<Sent>& GetLog() const;

  protected:
    void DoDispose() override;

  private:
    void OnTick(Peer peer, uint64_t datum) override;

    Ptr<TickClock> m_clock;           ///< The clock.
    PortUser* m_user{nullptr};        ///< Who hears of frames, not owned.
    std::vector<Sent> m_flights;      ///< Frames under way, and free places.
    std::vector<uint64_t> m_free;     ///< Free places.
    std::vector<uint32_t> m_underWay; ///< Frames under way of each sender.
    std::vector<uint8_t> m_waiting;   ///< Senders that were told that the port is busy.
    std::vector<Sent> m_log;          ///< All that was sent.
    Ticks m_latency{0};               ///< How long a frame is under way [ticks].
    uint32_t m_number{0};             ///< The clock's number for this.
    uint32_t m_mtu{0};                ///< Largest frame [bytes].
    uint32_t m_capacity{0};           ///< Most frames of one sender under way; 0 for any.
    bool m_keepLog{false};            ///< Keep a log.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_LOOPBACK_PORT_H
