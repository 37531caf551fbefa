/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROCE_PACKET_H
#define ROCE_PACKET_H

#include "ns3/messaging-congestion-choice.h"
#include "ns3/messaging-types.h"

#include <cstdint>
#include <limits>
#include <string>

/**
 * @file
 * @ingroup roce
 * Packets of RoCE and IRN, and what both protocols are configured by.
 */

namespace ns3
{
namespace roce
{

using messaging::Frame;
using messaging::Peer;
using messaging::Ticks;

/** Base transport header with its invariant checksum, 12 + 4 [bytes; IBTA 9.2, RoCEv2]. */
inline constexpr uint16_t TRANSPORT_HEADER = 16;

/** Immediate data of the last packet of a message, which is the message's tag [bytes; IBTA 9.3]. */
inline constexpr uint16_t IMMEDIATE_HEADER = 4;

/** Header of an acknowledgement beside the transport header [bytes; IBTA 9.3]. */
inline constexpr uint16_t ACK_HEADER = 4;

/** Header by which any packet of IRN can be placed, that of an RDMA write [bytes; IRN 5.3]. */
inline constexpr uint16_t PLACEMENT_HEADER = 16;

/** Number of the packet that an acknowledgement of IRN selects, padded [bytes; IRN 5.2]. */
inline constexpr uint16_t SACK_HEADER = 4;

/** Retries without a limit. */
inline constexpr uint32_t UNLIMITED = std::numeric_limits<uint32_t>::max();

/** Kinds of frames. */
enum Kind : uint8_t
{
    FIRST,  ///< First packet of a message of several.
    MIDDLE, ///< A packet between first and last.
    LAST,   ///< Last packet of a message of several.
    ONLY,   ///< The packet of a message of one.
    ACK,    ///< `id` is the number of the next packet in order, `aux` that of the packet answered.
    NAK     ///< The same, for a packet that has arrived after a gap.
};

/** Flag of an answer: a packet since the last answer bore MARK_CONGESTION. */
inline constexpr uint8_t ECHO_FLAG = 1;

/** Events that are counted. */
enum Event : messaging::Reason
{
    REPEAT,      ///< A packet is sent again.
    LOSS,        ///< An answer shows a loss.
    TIMEOUT,     ///< The timer expires, and packets are repeated.
    EXTENSION,   ///< The short timeout expires while many packets are in flight, and is extended.
    EARLY,       ///< A packet arrives after a gap.
    DUPLICATE,   ///< A packet arrives again.
    MARKED,      ///< An answer returns a mark of congestion.
    ANSWER_DROP, ///< An answer that a busy port has kept from leaving is dropped for a newer one.
    ERROR        ///< The retries are used up: the queue pair fails.
};

/** A packet of a message. */
struct Packet
{
    uint64_t contents{0}; ///< Contents of the message.
    uint32_t payload{0};  ///< Size of its payload [bytes].
    uint32_t tag{0};      ///< Tag of the message, in its first and last packet.
    uint32_t index{0};    ///< Position among the packets of the message.
    uint32_t message{0};  ///< Position of the message in the queue.
    uint8_t flags{0};     ///< Flags of the message, in its last packet.
    Kind kind{ONLY};      ///< Position in the message.

    /** @return true for the last packet of a message. */
    bool IsLast() const
    {
        return kind == LAST || kind == ONLY;
    }
};

/** Reaction of a receiver to a packet. */
struct Answer
{
    uint64_t next{0};      ///< Number of the next packet in order.
    uint64_t trigger{0};   ///< Number of the packet.
    uint32_t messages{0};  ///< Messages completed since the beginning (MSN).
    uint32_t completed{0}; ///< Messages that the packet completes at the receiver (CQEs).
    bool isEarly{false};   ///< The packet came after a gap (syndrome).
    bool isPlaced{false};  ///< The packet is new, and is kept.
    bool isSent{false};    ///< An answer is sent.
};

/** Effect of an answer on a sender. */
struct AckEffect
{
    uint64_t acknowledged{0}; ///< Packets that are newly acknowledged in order.
    bool isProgress{false};   ///< A packet is newly acknowledged, in order or not.
    bool isLoss{false};       ///< It shows a loss that was not known.
    bool isRetry{false};      ///< Packets are repeated without progress since the last time.
};

/** Parameters of a flow. */
struct Config
{
    uint32_t modulus{1 << 24};   ///< Count of different packet numbers in frames.
    uint32_t window{128};        ///< Largest number of packets without a cumulative ACK.
    uint32_t requests{128};      ///< Messages that a send queue holds.
    uint32_t mtu{0};             ///< Payload of a packet [bytes].
    uint32_t retries{UNLIMITED}; ///< Retries in a row before the queue pair fails.
    uint32_t quickPackets{0};    ///< Packets in flight up to which the short timeout holds.
    uint16_t dataHeader{0};      ///< Header of a packet, without that of its last one [bytes].
    uint16_t ackHeader{0};       ///< Header of an answer [bytes].
    uint16_t paths{1};           ///< Paths of the network.
    bool spray{false};           ///< Choose a path for each packet instead of each flow.
    Ticks lowTimeout{1};         ///< Short timeout [ticks].
    Ticks highTimeout{1};        ///< Long timeout [ticks].
    double rate{0};              ///< Rate of a peer; 0 if unknown [bytes a tick].
    messaging::CongestionSettings control{}; ///< Congestion control.
    messaging::CongestionSite site{};        ///< What congestion control knows of the network.

    /** @return size of a full frame [bytes]. */
    uint32_t GetFullFrame() const
    {
        return mtu + dataHeader;
    }
};

} // namespace roce
} // namespace ns3

#endif // ROCE_PACKET_H
