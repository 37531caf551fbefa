/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MYRINET_TYPES_H
#define MYRINET_TYPES_H

#include "ns3/messaging-types.h"

#include <array>
#include <cstdint>
#include <limits>
#include <ostream>

/**
 * @file
 * @ingroup myrinet
 * Names and numbers that the parts of a Myrinet share.
 */

namespace ns3
{
namespace myrinet
{

using messaging::Frame;
using messaging::Peer;
using messaging::Ticks;

/** A point in time, or a span of it, inside the network [ps]: a character of 6.25 ns is no whole
 * number of ns. */
using Instant = uint64_t;

/** Picoseconds in a tick of the port. */
inline constexpr Instant PS_PER_NS = 1000;

/** A time that does not come. */
inline constexpr Instant NEVER = std::numeric_limits<Instant>::max();

/** Number of a channel: one direction of a link. Channels 2k and 2k + 1 are those of link k. */
using ChannelId = uint32_t;

/** No channel. */
inline constexpr ChannelId NO_CHANNEL = std::numeric_limits<ChannelId>::max();

/** Shapes of a network. */
enum class TopologyKind : uint8_t
{
    SWITCH, ///< One crossbar switch.
    CLOS,   ///< Levels of switches, half of whose ports lead up.
    RING,   ///< A ring of switches: the smallest graph on which shortest routes deadlock.
    GRAPH   ///< Any graph, from a file.
};

/** How the mapper chooses routes. */
enum class RouteKind : uint8_t
{
    UPDOWN,  ///< Up and then down with respect to a spanning tree; cannot deadlock.
    SHORTEST ///< The shortest ones, which can deadlock where the graph has cycles.
};

/** Which of the packets that wait for an output of a switch gets it. */
enum class Arbitration : uint8_t
{
    FIRST_COME, ///< The one that has waited longest.
    ROUND_ROBIN ///< The one at the next input after the one served last.
};

/** What a network interface does with a packet for which it has no receive buffer. */
enum class ReceiveFull : uint8_t
{
    BLOCK, ///< Leaves it in the network, which back-blocks.
    DROP   ///< Takes it from the network and drops it (section 2, item 2).
};

/** Why a packet did not arrive: the four sources of unreliability (section 2). */
enum class DropReason : uint8_t
{
    CRC,      ///< Corrupted on a link, which the CRC shows (item 1).
    BUFFER,   ///< No receive buffer (item 2).
    NRES,     ///< Not consumed for the duration of the timeout (item 3).
    OVERWRITE ///< Lost between consecutive packets while the receiver stalled (item 4).
};

/** Number of reasons for a drop. */
inline constexpr std::size_t N_DROP_REASONS = static_cast<std::size_t>(DropReason::OVERWRITE) + 1;

/** A packet as the network sees it. */
struct Packet
{
    Frame frame;         ///< What it carries.
    Peer from{0};        ///< Source.
    Peer to{0};          ///< Destination.
    uint32_t chars{0};   ///< Length as injected, route and CRC included [characters].
    uint32_t hops{0};    ///< Channels that its head has entered.
    Instant sent{0};     ///< When the network interface took it [ps].
    bool corrupt{false}; ///< A link has corrupted it, or it was overwritten in part.
};

/** What has happened in a network since its start. */
struct Counters
{
    uint64_t offered{0};    ///< Packets that Send has taken.
    uint64_t refused{0};    ///< Times that Send has answered false.
    uint64_t delivered{0};  ///< Packets handed to their receiver.
    uint64_t hops{0};       ///< Channels entered by heads.
    uint64_t corrupted{0};  ///< Times that a link has corrupted a packet (item 1).
    uint64_t undetected{0}; ///< Corrupted packets that the CRC has let pass (item 1).
    uint64_t nresBits{0};   ///< Times that a network interface has set its NRES bit (item 3).
    uint64_t pending{0};    ///< Times that a packet came up behind one that a stalled receiver left
                            ///< pending (item 4).
    uint64_t damaged{0}; ///< Pending packets that were corrupted by it rather than lost (item 4).
    uint64_t stops{0};   ///< STOP characters sent.
    uint64_t gos{0};     ///< GO characters sent.
    uint64_t blocks{0};  ///< Times that a head had to wait for an output or a receiver.
    uint64_t charsOffered{0};   ///< Payload and protocol header of packets offered [bytes].
    uint64_t charsDelivered{0}; ///< The same of those delivered [bytes].
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
        uint64_t all = 0;
        for (const uint64_t count : drops)
        {
            all += count;
        }
        return all;
    }

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const Counters&) const = default;
};

/** What one channel has carried since the start. */
struct ChannelUse
{
    uint64_t packets{0}; ///< Packets that have entered it.
    uint64_t chars{0};   ///< Characters that have left its sender.
    uint64_t stops{0};   ///< STOP characters that its receiver has sent.
    uint64_t errors{0};  ///< Packets that it has corrupted.
    uint64_t drops{0};   ///< Packets that were lost at its end.
    Instant blocked{0};  ///< Time that heads have waited at its end [ps].
    uint32_t fullest{0}; ///< Most characters that its slack buffer has held.
};

/**
 * Print a shape by the name it has on a command line.
 * @param os the stream
 * @param kind the value
 * @return the stream
 */
std::ostream& operator<<(std::ostream& os, TopologyKind kind);

/**
 * Print a reason by name.
 * @param os the stream
 * @param reason the value
 * @return the stream
 */
std::ostream& operator<<(std::ostream& os, DropReason reason);

} // namespace myrinet
} // namespace ns3

#endif // MYRINET_TYPES_H
