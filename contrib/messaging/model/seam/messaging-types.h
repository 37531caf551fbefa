/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_TYPES_H
#define MESSAGING_TYPES_H

#include "ns3/messaging-frame-words.h"

#include <cstdint>
#include <limits>
#include <ostream>
#include <string>

/**
 * @file
 * @ingroup messaging
 * Values exchanged between protocols and networks.
 */

namespace ns3
{
namespace messaging
{

/** Index of a process in its group, from zero; peers need no Node. */
using Peer = uint32_t;

/** Time in the unit of the port that counts it: router cycles on a wormhole network, ns on a
 * device. */
using Ticks = uint64_t;

/** Identifier of a posted message, chosen by the posting peer. */
using RequestId = uint64_t;

/** No peer; as a destination, all peers but the sender. */
inline constexpr Peer NO_PEER = std::numeric_limits<Peer>::max();

/** Time of an event that is not pending. */
inline constexpr Ticks NEVER = std::numeric_limits<Ticks>::max();

/** Mark of a frame that has met congestion, as ECN does. */
inline constexpr uint8_t MARK_CONGESTION = 1;

/** Mark of a frame whose payload a switch has cut off. */
inline constexpr uint8_t MARK_TRIMMED = 2;

/** Mark of a trimmed frame that was trimmed at the last hop: by a queue of the receiver alone. */
inline constexpr uint8_t MARK_LAST_HOP = 4;

/**
 * Mark of a frame that the sender's adapter writes into the memory of the receiver
 * (PortInfo::rdma): no copy, and no limit of its length. Set by the sender.
 */
inline constexpr uint8_t MARK_WRITE = 8;

/** Mark of such a write that notifies the receiver's process; others take none of its time. Set by
 * the sender. */
inline constexpr uint8_t MARK_NOTIFY = 16;

/**
 * A frame from one peer to another through a port: a protocol's packet without its bytes.
 *
 * A size and a word represent the payload; the delivery audit compares both. A port that carries
 * real bytes converts between them and these fields. The sender is not in the frame: the port
 * states it on arrival.
 *
 * The sender sets path and class, which networks without either ignore, and the marks MARK_WRITE
 * and MARK_NOTIFY. The network sets the other marks. A trimmed frame arrives with all fields of its
 * header but without its payload: `payload` is the size that was sent, and `contents` is zero.
 */
struct Frame
{
    uint64_t id{0};          ///< Message ID or sequence number, as the protocol defines it.
    uint64_t contents{0};    ///< Represents the payload; a difference means corruption.
    FrameWords words{};      ///< List of the protocol's header, four bytes a word.
    uint32_t payload{0};     ///< Size of the payload [bytes].
    uint32_t aux{0};         ///< Additional field of the protocol's header.
    uint16_t header{0};      ///< Size of the protocol's own header, with its words [bytes].
    uint16_t path{0};        ///< Selects one of the network's paths.
    uint8_t kind{0};         ///< Packet type, as the protocol defines it.
    uint8_t flags{0};        ///< Flags, as the protocol defines them.
    uint8_t trafficClass{0}; ///< Class of traffic; 0 for the default.
    uint8_t marks{0};        ///< Bits of MARK_CONGESTION, ....

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const Frame&) const = default;
};

/** Properties of a network, and of a port to it. */
struct PortInfo
{
    uint32_t mtu{0};       ///< Largest header plus payload of one frame [bytes].
    bool broadcast{false}; ///< One Send can reach all peers.
    bool ordered{false};   ///< Frames between two peers arrive in the order sent.
    bool lossless{false};  ///< No frame is lost unless a component fails.
    bool rdma{false};      ///< A frame can be placed in the peer's memory without its processor.
    uint16_t paths{1};     ///< Number of paths between two peers that Frame::path can select.
    uint16_t planes{1};    ///< Networks in parallel, each with as many of the paths; the first has
                           ///< the lowest ones.
    bool reports{false};   ///< TransportUser::OnDisconnected reports each loss of a frame.
    Ticks maxSlip{0}; ///< Bound of the time by which a frame may arrive after a later one [ticks];
                      ///< NEVER if unbounded.
    Ticks cycle{0};   ///< Cycle of the routers [ticks]; 0 for a network without cycles.
    double rate{0};   ///< Rate at which one peer can send [bytes a tick]; 0 if unknown.

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const PortInfo&) const = default;
};

/** Outcome of posting a message. */
enum class Acceptance : uint8_t
{
    ACCEPTED, ///< The protocol has taken the message.
    STALLED,  ///< A table or window is full; post it again after GroupUser::OnReady, which follows.
    REFUSED   ///< Permanently impossible: too large, or no such peer.
};

/**
 * Stage of a posted message, as known to its sender.
 *
 * A message has at most one SENT, and then, if the protocol confirms deliveries
 * (Promise::confirms), exactly one of the others, which ends it. Without confirmation, SENT ends
 * it, unless one of UNREACHABLE and FAILED comes instead.
 */
enum class Completion : uint8_t
{
    DELIVERED,   ///< The peer, or all peers of a broadcast, have it; audit and search verify this.
    SENT,        ///< It has left: the caller may reuse its buffer.
    UNREACHABLE, ///< No route to the peer exists.
    FAILED       ///< The protocol has given up.
};

/** A message to send. */
struct Request
{
    RequestId id{0}; ///< Returned in completions; unique among the unfinished requests of a peer.
    uint64_t contents{0}; ///< Represents the payload.
    Peer to{0};           ///< Destination; NO_PEER for all others, if the protocol supports it.
    uint32_t bytes{0};    ///< Size of the payload [bytes].
    uint32_t tag{0};      ///< Application tag, delivered with the message.
    uint8_t flags{0};     ///< Options of the protocol, zero for none.

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const Request&) const = default;
};

/** A message that has arrived. */
struct Delivery
{
    uint64_t id{0};       ///< Protocol's message ID; unique per sender if the protocol is sound.
    uint64_t contents{0}; ///< Represents the payload.
    Peer from{0};         ///< Sender.
    uint32_t bytes{0};    ///< Size of the payload [bytes].
    uint32_t tag{0};      ///< Application tag.
    uint8_t flags{0};     ///< Options of the protocol, zero for none.

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const Delivery&) const = default;
};

/**
 * Print an acceptance by name.
 * @param os the stream
 * @param a the value
 * @return the stream
 */
std::ostream& operator<<(std::ostream& os, Acceptance a);

/**
 * Print a completion by name.
 * @param os the stream
 * @param c the value
 * @return the stream
 */
std::ostream& operator<<(std::ostream& os, Completion c);

/**
 * Label a frame of an unknown protocol.
 * @param frame the frame
 * @return "data" or "control", and its id
 */
std::string DescribeFrame(const Frame& frame);

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_TYPES_H
