/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BROADCAST_ETHERNET_MEDIUM_H
#define BROADCAST_ETHERNET_MEDIUM_H

#include "ns3/channel.h"
#include "ns3/data-rate.h"
#include "ns3/mac48-address.h"
#include "ns3/net-device.h"
#include "ns3/packet.h"
#include "ns3/simple-ref-count.h"

#include <cstdint>

/**
 * @file
 * @ingroup broadcast-ethernet
 * Interface between network cards and media: frames, and the calls in both directions.
 */

/**
 * @defgroup broadcast-ethernet Broadcast Ethernet
 * Ethernet with real CSMA/CD, switches with finite buffers, and network cards with finite rings.
 */

namespace ns3
{
/** Ethernet: shared segments, switches, network cards. */
namespace ethernet
{

constexpr uint32_t HEADER_BYTES = 14;      ///< Addresses and type (IEEE 802.3, 3.1.1).
constexpr uint32_t FCS_BYTES = 4;          ///< Frame check sequence (3.2.9).
constexpr uint32_t MIN_FRAME_BYTES = 64;   ///< Shortest frame, FCS included (4.4.2).
constexpr uint32_t MAX_FRAME_BYTES = 1518; ///< Longest frame, FCS included (4.4.2).
constexpr uint32_t PREAMBLE_BITS = 64;     ///< Preamble and start frame delimiter (4.2.5).
constexpr uint32_t GAP_BITS = 96;          ///< Interframe gap (4.4.2).

/**
 * @ingroup broadcast-ethernet
 * Immutable frame on a wire or in the buffers of a card or a switch, with its header parsed once.
 * Senders, switches and receivers share one object.
 *
 * A frame without a packet has only a length and addresses, which is enough for studies of a
 * medium.
 */
class WireFrame : public SimpleRefCount<WireFrame>
{
  public:
    /**
     * Construct from a packet.
     * @param packet the packet with its Ethernet header, padded, without the FCS
     */
    explicit WireFrame(Ptr<const Packet> packet);

    /**
     * Construct a frame without a packet.
     * @param to destination address
     * @param from source address
     * @param type EtherType
     * @param bytes length, from the header to the FCS
     */
    WireFrame(Mac48Address to, Mac48Address from, uint16_t type, uint32_t bytes);

    /** @return the packet with its Ethernet header, or null. */
    Ptr<const Packet> GetPacket() const
    {
        return m_packet;
    }

    /** @return the packet without its Ethernet header, one object for all receivers. */
    Ptr<const Packet> GetPayload() const;

    /** @return the destination address. */
    Mac48Address GetTo() const
    {
        return m_to;
    }

    /** @return the source address. */
    Mac48Address GetFrom() const
    {
        return m_from;
    }

    /** @return the EtherType. */
    uint16_t GetType() const
    {
        return m_type;
    }

    /** @return whether the destination is a group or the broadcast address. */
    bool IsGroup() const
    {
        return m_group;
    }

    /** @return the length, from the header to the FCS [bytes]. */
    uint32_t GetBytes() const
    {
        return m_bytes;
    }

    /** @return the length on the wire with the preamble, without the gap [bits]. */
    uint32_t GetWireBits() const
    {
        return PREAMBLE_BITS + 8 * m_bytes;
    }

  private:
    Ptr<const Packet> m_packet;          ///< Packet with the Ethernet header.
    mutable Ptr<const Packet> m_payload; ///< Packet without the header; made on first use.
    Mac48Address m_to;                   ///< Destination address.
    Mac48Address m_from;                 ///< Source address.
    uint32_t m_bytes{0};                 ///< Length, FCS included [bytes].
    uint16_t m_type{0};                  ///< EtherType.
    bool m_group{false};                 ///< The destination is a group.
};

/** Outcome of a transmission. */
enum class TxOutcome : uint8_t
{
    SENT,                 ///< The last bit has left.
    EXCESSIVE_COLLISIONS, ///< Given up after AttemptLimit attempts.
    LATE_COLLISION        ///< Aborted by a late collision, without a retry.
};

/**
 * @ingroup broadcast-ethernet
 * Station on a medium, called by the medium: a network card or a port of a switch.
 */
class MediumUser
{
  public:
    virtual ~MediumUser() = default;

    /**
     * Handle the begin of an attempt: the first bit of the preamble leaves.
     * @param attempt number of the attempt, from 1
     */
    virtual void OnTransmitBegin(uint32_t attempt) = 0;

    /**
     * Handle the end of an attempt in a collision, jam included. The medium retries by itself.
     * @param attempt number of the failed attempt, from 1
     */
    virtual void OnCollision(uint32_t attempt) = 0;

    /**
     * Handle the end of a frame. The medium accepts the next frame from within this call on.
     * @param outcome the outcome
     */
    virtual void OnTransmitEnd(TxOutcome outcome) = 0;

    /**
     * Filter the frames for which the medium calls OnReceive.
     * @param frame the frame
     * @return whether the station processes the frame
     */
    virtual bool Wants(const WireFrame& frame) const = 0;

    /**
     * Receive a frame whose last bit has arrived.
     * @param frame the frame
     * @param damaged whether the FCS is wrong, as another signal overlapped the frame
     */
    virtual void OnReceive(Ptr<const WireFrame> frame, bool damaged) = 0;
};

/**
 * @ingroup broadcast-ethernet
 * Medium for stations. It implements the part of the MAC that concerns the wire: access, collisions
 * and retries. The stations have the queues and rings.
 *
 * A medium holds one frame of each station at a time, from Transmit until OnTransmitEnd.
 */
class EthernetMedium : public Channel
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Attach a station.
     * @param user the station, not owned
     * @param device its device for GetDevice, or null
     * @return its number on the medium
     */
    virtual uint32_t Attach(MediumUser* user, Ptr<NetDevice> device) = 0;

    /**
     * Send a frame as soon as the medium allows. OnTransmitBegin can be called within this call.
     * @param station the sender, without another frame in progress
     * @param frame the frame
     */
    virtual void Transmit(uint32_t station, Ptr<const WireFrame> frame) = 0;

    /**
     * Assign random streams to this medium and all that are joined with it.
     * @param stream first stream
     * @return number of streams assigned
     */
    virtual int64_t AssignStreams(int64_t stream) = 0;
};

} // namespace ethernet
} // namespace ns3

#endif // BROADCAST_ETHERNET_MEDIUM_H
