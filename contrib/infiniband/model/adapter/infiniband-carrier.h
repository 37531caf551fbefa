/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INFINIBAND_CARRIER_H
#define INFINIBAND_CARRIER_H

#include "ns3/infiniband-types.h"

#include <limits>

/**
 * @file
 * @ingroup infiniband
 * Interface of adapters to the fabric.
 */

namespace ns3
{
namespace infiniband
{

/** As a destination: every host of the multicast group. */
inline constexpr HostId ALL_HOSTS = std::numeric_limits<HostId>::max();

/** Kinds of packets, as the opcode of the base transport header tells them apart. */
enum class PacketKind : uint8_t
{
    REQUEST,       ///< Part of a message, or a request for a read or an atomic operation.
    READ_RESPONSE, ///< Part of what a read asked for.
    ATOMIC_ANSWER, ///< The value before an atomic operation.
    ACK,           ///< ACK or NAK, as its syndrome says.
};

/** Syndromes of an ACK extended header. */
enum class Syndrome : uint8_t
{
    ACK,          ///< Everything up to this PSN has arrived.
    RNR_NAK,      ///< No receive is posted for this PSN; everything before has arrived.
    NAK_SEQUENCE, ///< This PSN is expected; everything before has arrived.
    NAK_INVALID,  ///< The request of this PSN cannot be taken.
    NAK_ACCESS,   ///< The request of this PSN may not touch that memory.
    NAK_OPERATION ///< The receiver could not carry out the request of this PSN.
};

/** Base and extended transport headers of a packet in 16 bytes. */
struct TransportHeader
{
    static constexpr uint8_t FIRST = 1; ///< Flag: the first packet of a message.
    static constexpr uint8_t LAST = 2;  ///< Flag: the last one.
    static constexpr uint8_t LOST = 4;  ///< Flag: it will not arrive.
    static constexpr uint8_t ASKS = 8;  ///< Flag: it asks for an ACK (RC).

    Qpn to{NO_QP};                        ///< Queue pair; NO_QP for the multicast group.
    uint32_t message{0};                  ///< Stands for the contents: message of the sender.
    uint32_t psn{0};                      ///< Packet sequence number, 24 bits.
    PacketKind kind{PacketKind::REQUEST}; ///< Kind.
    uint8_t flags{0};                     ///< FIRST, LAST, LOST, ASKS.
    Syndrome syndrome{Syndrome::ACK};     ///< Of an ACK.
    uint8_t unused{0};                    ///< Fills the last word.
};

/** Receiver of packets: the adapters. */
class CarrierUser
{
  public:
    virtual ~CarrierUser() = default;

    /**
     * A packet has arrived whole and intact.
     * @param host where
     * @param header what it carries
     * @return when its buffer will be empty: now or later, never earlier than for the packet before
     */
    virtual Ticks OnArrival(HostId host, const TransportHeader& header) = 0;

    /**
     * A packet has entered its last link: bring what OnArrival needs into the
     * processor's caches. Called at any time before the arrival; nothing has to be done.
     * @param host where it will arrive
     * @param header what it carries
     */
    virtual void OnLastLink([[maybe_unused]] HostId host,
                            [[maybe_unused]] const TransportHeader& header)
    {
    }

    /**
     * A host can send again, after Carrier::Send has answered false.
     * @param host the host
     */
    virtual void OnRoom(HostId host) = 0;

    /**
     * A packet will not arrive; called at any time, for accounting.
     * @param header what it carried
     */
    virtual void OnLost(const TransportHeader& header) = 0;

    /**
     * A multicast packet has been copied.
     * @param header what both carry
     */
    virtual void OnCopied(const TransportHeader& header) = 0;
};

/** Carries packets between adapters. */
class Carrier
{
  public:
    virtual ~Carrier() = default;

    /**
     * Send a packet now.
     * @param from host
     * @param to host, or ALL_HOSTS
     * @param path which of the 2^LMC paths
     * @param bytes length on the wire [bytes]
     * @param header what it carries
     * @return false if there is no room; CarrierUser::OnRoom follows
     */
    virtual bool Send(HostId from,
                      HostId to,
                      uint8_t path,
                      uint32_t bytes,
                      const TransportHeader& header) = 0;

    /**
     * Get the time of a packet's bytes on a host's link.
     * @param host the host
     * @param bytes length on the wire [bytes]
     * @return the time [ns]
     */
    virtual Ticks GetWireTime(HostId host, uint32_t bytes) const = 0;

    /**
     * Get the latency of a packet on an idle fabric.
     * @param from host
     * @param to host
     * @param bytes length on the wire [bytes]
     * @return from Send to OnArrival [ns]
     */
    virtual Ticks GetIdleLatency(HostId from, HostId to, uint32_t bytes) const = 0;
};

} // namespace infiniband
} // namespace ns3

#endif // INFINIBAND_CARRIER_H
