/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MYRINET_TYPES_H
#define MYRINET_TYPES_H

#include "ns3/messaging-types.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <ostream>

/**
 * @file
 * @ingroup myrinet
 * Types and constants that the parts of a Myrinet share.
 */

namespace ns3
{
namespace myrinet
{

using messaging::Frame;
using messaging::Peer;
using messaging::Ticks;

/** Time or duration inside the network [ps], as a character can take 6.25 ns. */
using Instant = uint64_t;

/** Picoseconds in a default tick of the port. */
inline constexpr Instant PS_PER_NS = 1000;

/** Picoseconds in a second. */
inline constexpr double PS_PER_S = 1e12;

/** Time of an event that never occurs. */
inline constexpr Instant NEVER = std::numeric_limits<Instant>::max();

/** Index of a channel, one direction of a link. Channels 2k and 2k + 1 are those of link k. */
using ChannelId = uint32_t;

/** No channel. */
inline constexpr ChannelId NO_CHANNEL = std::numeric_limits<ChannelId>::max();

/** Clock of a LANai 4, that of the PCI bus; an instruction takes a cycle [MHz]. */
inline constexpr double LANAI_CLOCK = 33.33;

/** @param instructions a number of instructions of a LANai @return their time [ns] */
inline uint32_t
GetInstructionTime(uint32_t instructions)
{
    return static_cast<uint32_t>(std::llround(instructions * 1000.0 / LANAI_CLOCK));
}

/** Shapes of a network. */
enum class TopologyKind : uint8_t
{
    SWITCH, ///< One crossbar switch.
    CLOS,   ///< Levels of switches with half of the ports up.
    RING,   ///< Ring of switches, on which shortest routes can deadlock.
    GRAPH   ///< Any graph, from a file.
};

/** Routes of the mapper. */
enum class RouteKind : uint8_t
{
    UPDOWN,  ///< Up and then down with respect to a spanning tree; cannot deadlock.
    SHORTEST ///< Shortest routes; can deadlock if the graph has cycles.
};

/** Arbitration of an output for which several packets wait. */
enum class Arbitration : uint8_t
{
    FIRST_COME, ///< The packet that has waited longest.
    ROUND_ROBIN ///< The packet at the next input after the last one served.
};

/** Policy of a network interface for a packet without a free receive buffer. */
enum class ReceiveFull : uint8_t
{
    BLOCK, ///< Leave it in the network, which back-blocks.
    DROP   ///< Accept and drop it (section 2, item 2).
};

/** Reason for the loss of a packet: the four sources of unreliability (section 2). */
enum class DropReason : uint8_t
{
    CRC,      ///< Corrupted on a link and detected by the CRC (item 1).
    BUFFER,   ///< No receive buffer (item 2).
    NRES,     ///< Not consumed within the timeout (item 3).
    OVERWRITE ///< Lost between consecutive packets while the receiver stalled (item 4).
};

/** Number of reasons for a drop. */
inline constexpr std::size_t N_DROP_REASONS = static_cast<std::size_t>(DropReason::OVERWRITE) + 1;

/** Packet in the network. */
struct Packet
{
    Frame frame;         ///< Frame in the packet.
    Peer from{0};        ///< Source.
    Peer to{0};          ///< Destination.
    uint32_t chars{0};   ///< Length as injected, route and CRC included [characters].
    uint32_t hops{0};    ///< Number of channels that its head has entered.
    Instant sent{0};     ///< Time at which the interface accepted it [ps].
    bool corrupt{false}; ///< Corrupted by a link, or overwritten in part.
};

/** Event counts of a network since its start. */
struct Counters
{
    uint64_t offered{0};    ///< Packets accepted by Send.
    uint64_t refused{0};    ///< Calls of Send that found the engine busy.
    uint64_t delivered{0};  ///< Packets delivered to their receivers.
    uint64_t hops{0};       ///< Channels entered by heads.
    uint64_t corrupted{0};  ///< Packets corrupted by a link, once for each link (item 1).
    uint64_t undetected{0}; ///< Corrupted packets that passed the CRC (item 1).
    uint64_t nresBits{0};   ///< NRES bits set by network interfaces (item 3).
    uint64_t pending{0};    ///< Packets that reached a pending one (item 4).
    uint64_t damaged{0};    ///< Pending packets corrupted but not lost (item 4).
    uint64_t stops{0};      ///< STOP characters sent.
    uint64_t gos{0};        ///< GO characters sent.
    uint64_t blocks{0};     ///< Heads that had to wait for an output or a receiver.
    std::array<uint64_t, N_DROP_REASONS> drops{}; ///< Lost packets by reason.

    /**
     * Get the number of packets lost for a reason.
     * @param reason the reason
     * @return the number
     */
    uint64_t GetDrops(DropReason reason) const
    {
        return drops[static_cast<std::size_t>(reason)];
    }

    /** @return the number of packets lost for any reason. */
    uint64_t GetAllDrops() const
    {
        return std::accumulate(drops.begin(), drops.end(), uint64_t{0});
    }

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const Counters&) const = default;
};

/** Use of one channel since the start. */
struct ChannelUse
{
    uint64_t packets{0}; ///< Packets that have entered it.
    uint64_t chars{0};   ///< Characters that have left its sender.
    uint64_t stops{0};   ///< STOP characters sent by its receiver.
    uint64_t errors{0};  ///< Packets corrupted.
    uint64_t drops{0};   ///< Packets lost at its end.
    Instant blocked{0};  ///< Waiting time of heads at its end [ps].
    uint32_t fullest{0}; ///< Highest level of its slack buffer [characters].
};

/**
 * Print the name of a reason.
 * @param os the stream
 * @param reason the reason
 * @return the stream
 */
inline std::ostream&
operator<<(std::ostream& os, DropReason reason)
{
    constexpr std::array NAMES{"crc", "buffer", "nres", "overwrite"};
    return os << NAMES.at(static_cast<std::size_t>(reason));
}

} // namespace myrinet
} // namespace ns3

#endif // MYRINET_TYPES_H
