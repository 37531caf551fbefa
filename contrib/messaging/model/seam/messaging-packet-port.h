/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_PACKET_PORT_H
#define MESSAGING_PACKET_PORT_H

#include "ns3/data-rate.h"
#include "ns3/messaging-core.h"
#include "ns3/messaging-slot-pool.h"
#include "ns3/messaging-tick-clock.h"
#include "ns3/object.h"
#include "ns3/packet.h"

#include <vector>

/**
 * @file
 * @ingroup messaging
 * Base of the ports that carry frames as ns-3 packets.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * A port whose frames travel as ns3::Packet, headers and payload in real bytes.
 *
 * Attributes state its promises, which no ns-3 device has. A frame to the sender itself bypasses
 * the network and arrives in the next tick.
 */
class PacketPort : public Object, private TickUser
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    PacketPort();
    ~PacketPort() override;

    /** @return the promises of the port. */
    PortInfo Info() const;

    /** @return the number of peers. */
    uint32_t GetNPeers() const
    {
        return static_cast<uint32_t>(m_waiting.size());
    }

    /**
     * Get a distance.
     * @param self a peer
     * @param to another
     * @return the attribute Latency [ticks]
     */
    Ticks Distance(Peer self, Peer to) const;

    /**
     * Get the length of a frame.
     * @param frame the frame
     * @return its transmission time at DataRate [ticks]
     */
    Ticks WireTicks(const Frame& frame) const;

    /**
     * Send a frame.
     * @param self the sender
     * @param to the receiver, or NO_PEER for all others where the port can broadcast
     * @param frame the frame
     * @return false if the port is busy
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

    /** @return the number of frames dropped on arrival because they were damaged. */
    uint64_t GetNDamaged() const
    {
        return m_damaged;
    }

    /** @return the number of frames that the layer below refused, which count as lost. */
    uint64_t GetNRefused() const
    {
        return m_refused;
    }

  protected:
    void DoDispose() override;

    /**
     * Set the properties of the network.
     * @param clock counts the ticks
     * @param nPeers the number of peers
     * @param mtu largest packet that the layer below takes [bytes]
     * @param broadcast whether it can broadcast
     */
    void Begin(Ptr<TickClock> clock, uint32_t nPeers, uint32_t mtu, bool broadcast);

    /**
     * Set the rate and the latency, unless the user has.
     * @param rate of the network
     * @param latency of the network
     */
    void SuggestTiming(DataRate rate, Time latency);

    /**
     * Check whether the layer below can accept a packet.
     * @param self the sender
     * @return false if it is busy; Retry follows
     */
    virtual bool IsReady(Peer self) = 0;

    /**
     * Pass a packet to the layer below.
     * @param self the sender
     * @param to the receiver, or NO_PEER for all others
     * @param packet the packet
     * @return false if it refuses the packet
     */
    virtual bool Transmit(Peer self, Peer to, Ptr<Packet> packet) = 0;

    /**
     * Notify a busy sender that it may try again.
     * @param self the sender
     */
    void Retry(Peer self);

    /**
     * Receive a packet.
     * @param self the receiver
     * @param from the sender
     * @param packet the packet
     */
    void Arrive(Peer self, Peer from, Ptr<const Packet> packet);

  private:
    void OnTick(Peer peer, uint64_t datum) override;

    static constexpr uint64_t READY = ~uint64_t{0}; ///< Event of a sender that may try again.

    Ptr<TickClock> m_clock;         ///< The clock.
    PortUser* m_user{nullptr};      ///< Frame observer, not owned.
    Ticks m_maxSlip{0};             ///< Promised bound of reordering [ticks].
    SlotPool<Frame> m_own;          ///< Frames of peers to themselves.
    std::vector<uint8_t> m_waiting; ///< Senders to which Send has returned false.
    DataRate m_rate{0};             ///< Rate of the network; zero for unknown.
    Time m_latency;                 ///< Time from sender to receiver.
    uint64_t m_damaged{0};          ///< Frames dropped on arrival.
    uint64_t m_refused{0};          ///< Frames that the layer below refused.
    uint32_t m_number{0};           ///< The clock's number for this.
    uint32_t m_mtu{0};              ///< Largest frame [bytes].
    bool m_broadcast{false};        ///< The network can broadcast.
    bool m_ordered{true};           ///< Order is promised.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_PACKET_PORT_H
