/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_PACKET_PORT_H
#define MESSAGING_PACKET_PORT_H

#include "ns3/data-rate.h"
#include "ns3/messaging-core.h"
#include "ns3/messaging-tick-clock.h"
#include "ns3/object.h"
#include "ns3/packet.h"

#include <vector>

/**
 * @file
 * @ingroup messaging
 * What ports have in common that carry frames as ns-3 packets.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * A port whose frames travel as ns3::Packet, headers and payload in real bytes.
 *
 * What it promises of the network is given by attributes, since a device cannot be asked for it. A
 * frame to the sender itself does not touch the network and arrives in the next tick.
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

    /** @return what the port promises. */
    PortInfo Info() const;

    /** @return the number of peers. */
    uint32_t GetNPeers() const;

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
     * @return how long it takes at the attribute DataRate [ticks]
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
     * Set who hears of frames.
     * @param user the user, not owned
     */
    void SetUser(PortUser* user);

    /** @return the number of frames dropped on arrival because they were damaged. */
    uint64_t GetNDamaged() const;

    /** @return the number of frames that the layer below refused; the protocol takes them for lost.
     */
    uint64_t GetNRefused() const;

  protected:
    void DoDispose() override;

    /**
     * Set what is known once the network is.
     * @param clock counts the ticks
     * @param nPeers the number of peers
     * @param mtu largest packet that the layer below takes [bytes]
     * @param broadcast whether it can broadcast
     */
    void Begin(Ptr<TickClock> clock, uint32_t nPeers, uint32_t mtu, bool broadcast);

    /**
     * Set the rate and the latency, where the user has given none.
     * @param rate of the network
     * @param latency of the network
     */
    void SuggestTiming(DataRate rate, Time latency);

    /**
     * Look whether the layer below can take a packet.
     * @param self the sender
     * @return false if it is busy; Retry follows
     */
    virtual bool IsReady(Peer self) = 0;

    /**
     * Hand a packet to the layer below.
     * @param self the sender
     * @param to the receiver, or NO_PEER for all others
     * @param packet the packet
     * @return false if it refuses the packet
     */
    virtual bool Transmit(Peer self, Peer to, Ptr<Packet> packet) = 0;

    /**
     * Tell that a sender which was busy may not be so any more.
     * @param self the sender
     */
    void Retry(Peer self);

    /**
     * Tell that a packet has arrived.
     * @param self the receiver
     * @param from the sender
     * @param packet the packet
     */
    void Arrive(Peer self, Peer from, Ptr<const Packet> packet);

  private:
    void OnTick(Peer peer, uint64_t datum) override;

    static constexpr uint64_t READY = ~uint64_t{0}; ///< Event of a sender that may try again.

    Ptr<TickClock> m_clock;         ///< The clock.
    PortUser* m_user{nullptr};      ///< Who hears of frames, not owned.
    Ticks m_maxSlip{0};             ///< Promised bound of reordering [ticks].
    std::vector<Frame> m_own;       ///< Frames of peers to themselves, and free places.
    std::vector<uint64_t> m_free;   ///< Free places.
    std::vector<uint8_t> m_waiting; ///< Senders that were told that the port is busy.
    DataRate m_rate{0};             ///< Rate of the network; zero for unknown.
    Time m_latency;                 ///< Time from sender to receiver.
    uint64_t m_damaged{0};          ///< Frames dropped on arrival.
    uint64_t m_refused{0};          ///< Frames that the layer below refused.
    uint32_t m_number{0};           ///< The clock's number for this.
    uint32_t m_mtu{0};              ///< Largest frame [bytes].
    bool m_broadcast{false};        ///< The network can broadcast.
    bool m_ordered{true};           ///< Order is promised.
    bool m_lossless{false};         ///< Arrival is promised.
    bool m_checksum{true};          ///< Drop damaged frames.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_PACKET_PORT_H
