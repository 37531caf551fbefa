/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INFINIBAND_TRANSPORT_HEADER_H
#define INFINIBAND_TRANSPORT_HEADER_H

#include "ns3/infiniband-types.h"

#include <limits>
#include <ostream>

/**
 * @file
 * @ingroup infiniband
 * Headers of the packets that adapters exchange.
 */

namespace ns3
{
namespace infiniband
{

/** Destination: every host of the multicast group. */
inline constexpr HostId ALL_HOSTS = std::numeric_limits<HostId>::max();

/** Kinds of packets, as the opcode of the base transport header distinguishes them. */
enum class PacketKind : uint8_t
{
    REQUEST,         ///< Part of a message, or a request for a read or an atomic operation.
    READ_RESPONSE,   ///< Response to a read.
    ATOMIC_RESPONSE, ///< Response to an atomic operation: the original value.
    ACK,             ///< ACK or NAK; the syndrome distinguishes them.
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
    static constexpr uint8_t FIRST = 1;       ///< Flag: the first packet of a message.
    static constexpr uint8_t LAST = 2;        ///< Flag: the last one.
    static constexpr uint8_t LOST = 4;        ///< Flag: lost on its way to the receiver.
    static constexpr uint8_t ACK_REQUEST = 8; ///< Flag: requests an ACK (RC).

    Qpn to{NO_QP};                        ///< Destination; NO_QP for the group.
    uint32_t message{0};                  ///< Contents: number of the sender's message.
    uint32_t psn{0};                      ///< Packet sequence number, 24 bits.
    PacketKind kind{PacketKind::REQUEST}; ///< Kind.
    uint8_t flags{0};                     ///< Bit mask of FIRST, LAST, LOST, ACK_REQUEST.
    Syndrome syndrome{Syndrome::ACK};     ///< Syndrome of an ACK.
    uint8_t unused{0};                    ///< Padding.
};

/**
 * Print a header: kind, PSN, flags and destination.
 * @param os the stream
 * @param header the header
 * @return the stream
 */
std::ostream& operator<<(std::ostream& os, const TransportHeader& header);

/**
 * Print a kind of packet by name.
 * @param os the stream
 * @param kind the value
 * @return the stream
 */
std::ostream& operator<<(std::ostream& os, PacketKind kind);

/**
 * Print a syndrome by name.
 * @param os the stream
 * @param syndrome the value
 * @return the stream
 */
std::ostream& operator<<(std::ostream& os, Syndrome syndrome);

} // namespace infiniband
} // namespace ns3

#endif // INFINIBAND_TRANSPORT_HEADER_H
