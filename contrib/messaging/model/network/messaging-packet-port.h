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
#include "ns3/traced-callback.h"

#include <map>
#include <string>
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
 * A port that sends frames as ns3::Packet, with headers and payload in real bytes, over a network
 * that keeps their order.
 *
 * A frame to the sender itself bypasses the network and arrives in the next tick. Like all ports,
 * it is not found by a TypeId of its own.
 */
class PacketPort : public Object, private TickUser
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /** @return the properties of the port. */
    PortInfo GetInfo() const
    {
        const Time tick = m_clock ? m_clock->GetTickLength() : Time::FromInteger(1, Time::NS);
        return PortInfo{.mtu = m_mtu,
                        .broadcast = m_broadcast,
                        .ordered = true,
                        .rate = TickClock::GetBytesPerTick(m_rate.GetBitRate(), tick)};
    }

    /** @return the number of peers. */
    uint32_t GetNPeers() const
    {
        return static_cast<uint32_t>(m_waiting.size());
    }

    /**
     * Get a distance.
     * @param self a peer
     * @param to another
     * @return the latency of the network [ticks]
     */
    Ticks Distance(Peer self, Peer to) const;

    /**
     * Get the length of a frame.
     * @param frame the frame
     * @return its transmission time at the rate of the network; 0 if the rate is unknown [ticks]
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

    /** @return the number of frames that the layer below has refused, which are lost. */
    uint64_t GetNRefused() const
    {
        return m_refused;
    }

    /**
     * Signature of the trace source Refuse.
     * @param self the sender
     * @param to the receiver, or NO_PEER for all others
     * @param packet the packet of the frame
     */
    typedef void (*RefuseTracedCallback)(Peer self, Peer to, Ptr<const Packet> packet);

    /**
     * Signature of the trace source Loss.
     * @param place name of the place
     * @param copies lost frames
     */
    typedef void (*LossTracedCallback)(const std::string& place, uint64_t copies);

    /**
     * Set rate and latency of the network, if the devices do not state them.
     * @param rate the rate; 0 for unknown
     * @param latency the latency
     */
    void SetTiming(DataRate rate, Time latency)
    {
        m_rate = rate;
        m_latency = latency;
    }

  protected:
    void DoDispose() override;

    /**
     * Set the properties of the network.
     * @param clock counts the ticks
     * @param nPeers the number of peers
     * @param mtu largest packet that the layer below accepts [bytes]
     * @param broadcast whether it can broadcast
     */
    void Begin(Ptr<TickClock> clock, uint32_t nPeers, uint32_t mtu, bool broadcast);

    /**
     * Check whether the layer below can accept a packet.
     * @param self the sender
     * @return false if it is busy, and Retry follows; true unless overridden
     */
    virtual bool IsReady([[maybe_unused]] Peer self)
    {
        return true;
    }

    /**
     * Pass a packet to the layer below. Call NotifyRefusal if that refuses it.
     * @param self the sender
     * @param to the receiver, or NO_PEER for all others
     * @param packet the packet
     */
    virtual void Transmit(Peer self, Peer to, Ptr<Packet> packet) = 0;

    /**
     * Count a packet that the layer below has refused, and report it.
     * @param self the sender
     * @param to the receiver, or NO_PEER for all others
     * @param packet the packet
     */
    void NotifyRefusal(Peer self, Peer to, Ptr<const Packet> packet);

    /**
     * Report a loss in the port.
     * @param place name of the place
     * @param copies number of lost frames
     */
    void NotifyLoss(const std::string& place, uint64_t copies)
    {
        m_lossTrace(place, copies);
    }

    /**
     * Notify a busy sender that it may try again.
     * @param self the sender
     */
    void Retry(Peer self);

    /**
     * Receive a packet.
     * @param self the receiver
     * @param from address of the sender; a packet of any other than the peers is ignored
     * @param packet the packet
     */
    void Arrive(Peer self, const Address& from, Ptr<const Packet> packet);

    std::map<Address, Peer> m_peers; ///< Peers by address; set by the derived port.

  private:
    void OnTick(Peer peer, uint64_t datum) override;

    static constexpr uint64_t READY = ~uint64_t{0}; ///< Event of a sender that may try again.

    Ptr<TickClock> m_clock;         ///< The clock.
    PortUser* m_user{nullptr};      ///< Frame observer, not owned.
    SlotPool<Frame> m_own;          ///< Frames of peers to themselves.
    std::vector<uint8_t> m_waiting; ///< Senders to which Send has returned false.
    DataRate m_rate{0};             ///< Rate of the network; zero for unknown.
    Time m_latency;                 ///< Time from sender to receiver.
    uint64_t m_refused{0};          ///< Frames that the layer below has refused.
    uint32_t m_number{0};           ///< The clock's number for this port.
    uint32_t m_mtu{0};              ///< Largest frame [bytes].
    bool m_broadcast{false};        ///< The network can broadcast.

    TracedCallback<const std::string&, uint64_t> m_lossTrace; ///< Fired for each loss in the port.
    TracedCallback<Peer, Peer, Ptr<const Packet>> m_refuseTrace; ///< Fired for each refused frame.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_PACKET_PORT_H
