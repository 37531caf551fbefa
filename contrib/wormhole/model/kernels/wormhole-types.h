/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_TYPES_H
#define WORMHOLE_TYPES_H

#include "ns3/messaging-types.h"

#include <array>
#include <cstdint>
#include <limits>
#include <ostream>

/**
 * @file
 * @ingroup wormhole
 * Types shared by the parts of a wormhole network.
 */

namespace ns3
{
namespace wormhole
{

using messaging::Frame;
using messaging::Peer;
using messaging::Ticks;

/** A time within a kernel's window [cycles]; half the size of a Ticks. */
using Cycle = uint32_t;

/** Number of a link: one channel, or a bundle of parallel channels, between two routers. */
using Link = uint32_t;

/** No link. */
inline constexpr Link NO_LINK = std::numeric_limits<Link>::max();

/** A time that is never reached. */
inline constexpr Cycle FOREVER = std::numeric_limits<Cycle>::max();

/** Longest packet [flits], as limited by the size of a head. */
inline constexpr uint32_t MAX_FLITS = std::numeric_limits<uint16_t>::max();

/** Shapes of a network (paper 1, section 4.2). */
enum class TopologyKind : uint8_t
{
    GRID2D,  ///< Two-dimensional mesh or torus.
    GRID3D,  ///< Three-dimensional mesh or torus.
    FATTREE, ///< Tree whose bandwidth grows towards the root.
    GRAPH    ///< Any graph, from a file.
};

/** Treatment of a packet that cannot advance. */
enum class RouterKind : uint8_t
{
    LOSSY,    ///< Drops it at once (section 4.2).
    BUFFERED, ///< Stores it until it can advance (section 4.5).
    HYBRID    ///< Stores it for a number of cycles, then drops it (sections 2.3 and 6).
};

/** Service order of contending heads in a lossy or hybrid network. */
enum class ServiceOrder : uint8_t
{
    ROTATING, ///< Begins with another head in each cycle, in alternating direction, which is fair.
    RANDOM,   ///< In random order.
    OLDEST,   ///< In the order of injection.
    YOUNGEST  ///< In the reverse order of injection.
};

/** Arbitration among packets that wait for a channel of a buffered network. */
enum class Arbitration : uint8_t
{
    FIRST_COME,  ///< The packet with the longest wait at this router.
    ROUND_ROBIN, ///< The next input after the last one served.
    OLDEST,      ///< The packet sent first.
    RANDOM,      ///< A random packet.
    FIXED        ///< The input with the lowest number.
};

/** Productive channels that a head may take. */
enum class Routing : uint8_t
{
    PRODUCTIVE, ///< The first free one in dimension order (section 4.2).
    STRICT,     ///< Only the first one in dimension order (section 4.5).
    RANDOM      ///< A random free one.
};

/**
 * Treatment of a frame in a lossy network while its injection port or all productive channels are
 * busy.
 */
enum class SourceBusy : uint8_t
{
    DROP, ///< Accepted and dropped: a failed attempt.
    WAIT  ///< Refused; OnReady follows.
};

/** Reason of a drop. */
enum class DropReason : uint8_t
{
    SOURCE_PORT,    ///< The injection port was busy.
    SOURCE_CHANNEL, ///< No productive channel was free at the source.
    BLOCKED,        ///< No productive channel was free after the source.
    EJECTION,       ///< No ejection port was free at the destination.
    HELD_TOO_LONG,  ///< A hybrid router has stored it for HoldLimit cycles.
    EXPIRED,        ///< Its time to live has expired.
    LOST,           ///< Random loss.
    CORRUPTED,      ///< The checksum flit did not match.
    CUT,            ///< A link or router failed while the packet was on it.
    NO_ROUTE        ///< No working channel leads towards the destination.
};

/** Number of reasons for a drop. */
inline constexpr std::size_t N_DROP_REASONS = static_cast<std::size_t>(DropReason::NO_ROUTE) + 1;

/** No reason. */
inline constexpr DropReason NO_DROP{N_DROP_REASONS};

/** Counters of a network since its start. */
struct Counters
{
    uint64_t offered{0};   ///< Packets accepted by Send.
    uint64_t refused{0};   ///< Packets refused by Send.
    uint64_t injected{0};  ///< Packets that have entered the network, including those in a queue.
    uint64_t delivered{0}; ///< Packets whose tail has arrived intact.
    uint64_t hops{0};      ///< Channels taken by heads.
    uint64_t misroutes{0}; ///< Hops away from the destination.
    uint64_t flitsInjected{0};                    ///< Flits of injected packets.
    uint64_t flitsDelivered{0};                   ///< Flits of delivered packets.
    uint64_t flitsDrained{0};                     ///< Flits of dropped packets after injection.
    std::array<uint64_t, N_DROP_REASONS> drops{}; ///< Dropped packets by reason.

    /**
     * Get the number of packets dropped for a reason.
     * @param reason the reason
     * @return the number
     */
    uint64_t GetDrops(DropReason reason) const
    {
        return drops[static_cast<std::size_t>(reason)];
    }

    /** @return the number of packets dropped for any reason. */
    uint64_t GetAllDrops() const;

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const Counters&) const = default;
};

/**
 * Print a reason by name.
 * @param os the stream
 * @param reason the value
 * @return the stream
 */
std::ostream& operator<<(std::ostream& os, DropReason reason);

} // namespace wormhole
} // namespace ns3

#endif // WORMHOLE_TYPES_H
