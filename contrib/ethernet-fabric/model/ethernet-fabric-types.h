/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ETHERNET_FABRIC_TYPES_H
#define ETHERNET_FABRIC_TYPES_H

#include "ns3/messaging-types.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <ostream>

/**
 * @file
 * @ingroup ethernet-fabric
 * Units and names of an Ethernet fabric.
 */

/**
 * @defgroup ethernet-fabric Ethernet fabric
 * Lossy Ethernet of today: leaf-spine networks and fat trees of switches with shared buffers, ECN,
 * PFC, trimming and several paths.
 */

namespace ns3
{
namespace fabric
{

using messaging::Frame;
using messaging::NEVER;
using messaging::Peer;
using messaging::Ticks;

/** Time inside a fabric [ps]. */
using Instant = uint64_t;

/** Index of an end or switch; the ends come first. An end is the port of a host in a plane: that of
 * host h in plane p is p times the number of hosts, plus h. */
using NodeId = uint32_t;

/** Index of a port; port e is the one of end e. */
using PortId = uint32_t;

/** No node, port, or other index. */
inline constexpr uint32_t NONE = std::numeric_limits<uint32_t>::max();

/** Picoseconds of a nanosecond. */
inline constexpr Instant PS_PER_NS = 1000;

/** Largest number of planes. */
inline constexpr uint32_t MAX_PLANES = 64;

/** Largest number of classes of traffic. */
inline constexpr uint32_t MAX_CLASSES = 8;

/** Shortest Ethernet frame, which is also the length of a pause frame [bytes; IEEE 802.3]. */
inline constexpr uint32_t LEAST_FRAME = 64;

/** Preamble and start of frame, before a frame [bytes; IEEE 802.3]. */
inline constexpr uint32_t PREAMBLE = 8;

/** Gap after a frame [bytes; IEEE 802.3]. */
inline constexpr uint32_t GAP = 12;

/** Shape of a fabric. */
enum class TopologyKind : uint8_t
{
    SWITCH,     ///< One switch.
    LEAF_SPINE, ///< Two tiers.
    FAT_TREE,   ///< Three tiers.
    FROM_FILE,  ///< Tiers of a file.
    OF_PRESET   ///< That of the preset; two tiers without one.
};

/** Time at which a switch can begin to send a frame. */
enum class Switching : uint8_t
{
    STORE_AND_FORWARD, ///< After its last byte.
    CUT_THROUGH        ///< After its header.
};

/** Limit of an output queue. */
enum class Sharing : uint8_t
{
    FIXED,  ///< A number of bytes.
    DYNAMIC ///< A multiple of the free part of the switch's buffer.
};

/** Fate of a frame that finds a long queue. */
enum class Admission : uint8_t
{
    DROP, ///< It is dropped.
    TRIM, ///< It loses its payload.
    PFC   ///< It is queued: its sender has been paused.
};

/** Function from the length of a queue to the probability of a congestion mark. */
enum class Ecn : uint8_t
{
    OFF,  ///< No marks.
    STEP, ///< Certain from a threshold on.
    RED   ///< Linear between two thresholds, and certain above.
};

/** Time at which the queue is measured for a congestion mark. */
enum class EcnPoint : uint8_t
{
    ENQUEUE, ///< Arrival of the frame.
    DEQUEUE  ///< Begin of its transmission.
};

/** Choice among ports that are equally near to the destination. */
enum class Routing : uint8_t
{
    ECMP,        ///< A hash of source, destination and path value.
    SPRAY,       ///< Random, for each frame.
    LEAST_QUEUE, ///< The shortest queue, for each frame.
    SOURCE       ///< Digits of the path value.
};

/** Tier of a node. */
enum class Tier : uint8_t
{
    HOST,   ///< A host.
    LEAF,   ///< A switch with hosts.
    SPINE,  ///< A switch above leaves.
    CORE,   ///< A switch above spines.
    N_TIERS ///< Number of tiers.
};

/** Reason of a loss. */
enum class LossReason : uint8_t
{
    FULL_QUEUE,        ///< The output queue, or the buffer, is full.
    FULL_HEADER_QUEUE, ///< The queue of trimmed frames is full.
    HEADROOM,          ///< A paused sender has sent more than the headroom.
    DAMAGE,            ///< A bit error.
    LINK_DOWN,         ///< Its link is down.
    NO_ROUTE,          ///< No link leads to the destination.
    TRIMMED,           ///< Its payload was cut off, and its host does not take such frames.
    WATCHDOG,          ///< Its class was paused for longer than the watchdog allows.
    N_REASONS          ///< Number of reasons.
};

/** Number of tiers. */
inline constexpr std::size_t N_TIERS = static_cast<std::size_t>(Tier::N_TIERS);

/** Number of reasons. */
inline constexpr std::size_t N_LOSS_REASONS = static_cast<std::size_t>(LossReason::N_REASONS);

/**
 * Print a tier by name.
 * @param os the stream
 * @param tier the value
 * @return the stream
 */
std::ostream& operator<<(std::ostream& os, Tier tier);

/**
 * Print a reason by name.
 * @param os the stream
 * @param reason the value
 * @return the stream
 */
std::ostream& operator<<(std::ostream& os, LossReason reason);

} // namespace fabric
} // namespace ns3

#endif // ETHERNET_FABRIC_TYPES_H
