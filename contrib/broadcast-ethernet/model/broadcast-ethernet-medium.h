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
 * The interface between network cards and media: frames, and the calls in both directions.
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
 * A frame on a wire, or in the buffers of a card or a switch, with its header parsed once. It is
 * immutable; senders, switches and receivers share one object.
 *
 * A frame without a packet has a length and addresses only; that is enough for a medium, and for
 * studies of a medium alone.
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

    /** @return the packet with its Ethernet header, null if there is none. */
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

    /** @return whether it goes to a group of stations, or to all. */
    bool IsGroup() const
    {
        return m_group;
    }

    /** @return the length, from the header to the FCS [bytes]. */
    uint32_t GetBytes() const
    {
        return m_bytes;
    }

    /** @return the bits on the wire, preamble included, without the gap. */
    uint32_t GetWireBits() const
    {
        return PREAMBLE_BITS + 8 * m_bytes;
    }

  private:
    Ptr<const Packet> m_packet;          ///< With the Ethernet header.
    mutable Ptr<const Packet> m_payload; ///< Without it; made on first use.
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
    EXCESSIVE_COLLISIONS, ///< Given up after the last attempt that is allowed.
    LATE_COLLISION        ///< Cut by a collision past the collision window, and not repeated.
};

/**
 * @ingroup broadcast-ethernet
 * A station on a medium: a network card, or a port of a switch. The medium calls it.
 */
class MediumUser
{
  public:
    virtual ~MediumUser() = default;

    /**
     * An attempt begins: the first bit of the preamble leaves.
     * @param attempt number of the attempt, from 1
     */
    virtual void OnTransmitBegin(uint32_t attempt) = 0;

    /**
     * An attempt has ended in a collision, its jam included; the medium repeats the frame by
     * itself.
     * @param attempt number of the attempt that has failed, from 1
     */
    virtual void OnCollision(uint32_t attempt) = 0;

    /**
     * The medium has finished the frame, and takes the next one; from within this call, too.
     * @param outcome the outcome
     */
    virtual void OnTransmitEnd(TxOutcome outcome) = 0;

    /**
     * Check whether the station processes a frame, so that OnReceive is not called for others.
     * @param frame the frame
     * @return true if OnReceive is to be called
     */
    virtual bool Wants(const WireFrame& frame) const = 0;

    /**
     * The last bit of a frame has arrived.
     * @param frame the frame
     * @param damaged whether another signal overlapped it, so that its FCS is wrong
     */
    virtual void OnReceive(Ptr<const WireFrame> frame, bool damaged) = 0;
};

/**
 * @ingroup broadcast-ethernet
 * A medium that stations are plugged into. It is the part of the MAC that concerns the wire:
 * access, collisions and repetition. Queues and rings are the stations' own.
 *
 * A medium has one frame of each station at a time: from Transmit until OnTransmitEnd.
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
     * @param device its device, if it has one, for GetDevice
     * @return its number on the medium
     */
    virtual uint32_t Attach(MediumUser* user, Ptr<NetDevice> device) = 0;

    /**
     * Send a frame as soon as the medium allows. May call OnTransmitBegin at once.
     * @param station the sender, which has no other frame with the medium
     * @param frame the frame
     */
    virtual void Transmit(uint32_t station, Ptr<const WireFrame> frame) = 0;

    /**
     * Assign random streams, to all that is joined with this medium.
     * @param stream first stream
     * @return number of streams assigned
     */
    virtual int64_t AssignStreams(int64_t stream) = 0;
};

} // namespace ethernet
} // namespace ns3

#endif // BROADCAST_ETHERNET_MEDIUM_H
