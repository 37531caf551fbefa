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
 * Names and numbers that the parts of a wormhole network share.
 */

namespace ns3
{
namespace wormhole
{

using messaging::Frame;
using messaging::Peer;
using messaging::Ticks;

/** A time within the window that a kernel keeps [cycles]; half the memory of a Ticks. */
using Cycle = uint32_t;

/** Number of a link: one channel, or a bundle of parallel channels, from a router to a router. */
using Link = uint32_t;

/** No link. */
inline constexpr Link NO_LINK = std::numeric_limits<Link>::max();

/** A time that does not come: what is busy until then has failed. */
inline constexpr Cycle FOREVER = std::numeric_limits<Cycle>::max();

/** Longest packet that a head can describe [flits]. */
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

/** Order in which a lossy or hybrid network serves heads that contend in a cycle. */
enum class ServiceOrder : uint8_t
{
    ROTATING, ///< From another head in each cycle, in changing direction, which is fair.
    RANDOM,   ///< In random order.
    OLDEST,   ///< In the order of injection.
    YOUNGEST  ///< Against the order of injection.
};

/** Choice among the packets that wait for a channel of a buffered network. */
enum class Arbitration : uint8_t
{
    FIRST_COME,  ///< The one that has waited longest at this router.
    ROUND_ROBIN, ///< The next input after the one served last.
    OLDEST,      ///< The one sent first.
    RANDOM,      ///< Any.
    FIXED        ///< The input of the lowest number.
};

/** Which productive channels a head may take. */
enum class Routing : uint8_t
{
    PRODUCTIVE, ///< The first free one in dimension order (section 4.2).
    STRICT,     ///< The first one in dimension order, or none (section 4.5).
    RANDOM      ///< A free one at random.
};

/** Treatment of a frame in a lossy network while its port or all productive channels are busy. */
enum class SourceBusy : uint8_t
{
    DROP, ///< Taken and dropped: a failed attempt.
    WAIT  ///< Refused; OnReady follows.
};

/** Reason of a drop. */
enum class DropReason : uint8_t
{
    SOURCE_PORT,    ///< The injection port was busy.
    SOURCE_CHANNEL, ///< No productive channel was free at the source.
    BLOCKED,        ///< No productive channel was free on the way.
    EJECTION,       ///< No ejection port was free at the destination.
    HELD_TOO_LONG,  ///< A hybrid router has stored it for as long as it may.
    EXPIRED,        ///< Its time to live has passed.
    LOST,           ///< The given probability of loss.
    CORRUPTED,      ///< The checksum flit did not match.
    CUT,            ///< A link or router failed while the packet was on it.
    NO_ROUTE        ///< No working channel leads on.
};

/** Number of reasons for a drop. */
inline constexpr std::size_t N_DROP_REASONS = static_cast<std::size_t>(DropReason::NO_ROUTE) + 1;

/** Counters of a network since its start. */
struct Counters
{
    uint64_t offered{0};   ///< Packets that Send has taken.
    uint64_t refused{0};   ///< Packets that Send has refused.
    uint64_t injected{0};  ///< Packets that have gone into the network; those in a queue included.
    uint64_t delivered{0}; ///< Packets whose tail has arrived intact.
    uint64_t hops{0};      ///< Channels taken by heads.
    uint64_t misroutes{0}; ///< Those of them that led away from the destination.
    uint64_t flitsInjected{0};  ///< Flits of injected packets.
    uint64_t flitsDelivered{0}; ///< Flits of delivered packets.
    uint64_t flitsDrained{0};   ///< Flits of packets that were injected and dropped.
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
 * Print a router by the name it has on a command line.
 * @param os the stream
 * @param kind the value
 * @return the stream
 */
std::ostream& operator<<(std::ostream& os, RouterKind kind);

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
