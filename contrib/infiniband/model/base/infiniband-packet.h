/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INFINIBAND_PACKET_H
#define INFINIBAND_PACKET_H

#include "infiniband-config.h"

#include <array>
#include <limits>
#include <ostream>

/**
 * @file
 * @ingroup infiniband
 * A packet as the fabric sees it.
 */

namespace ns3
{
namespace infiniband
{

/** Index of a packet in the pool of its fabric. */
using PacketIndex = uint32_t;

/** No packet. */
inline constexpr PacketIndex NO_PACKET = std::numeric_limits<PacketIndex>::max();

/** Fewest bytes of a packet on the wire: LRH, BTH and both CRCs. */
inline constexpr uint32_t MIN_PACKET_BYTES = LRH_BYTES + BTH_BYTES + ICRC_BYTES + VCRC_BYTES;

/** Most bytes of a packet on the wire: the largest MTU with all headers. */
inline constexpr uint32_t MAX_PACKET_BYTES =
    MIN_PACKET_BYTES + MTUS.back() + GRH_BYTES + DETH_BYTES + RETH_BYTES + IMMEDIATE_BYTES;

/** First LID of multicast groups. */
inline constexpr Lid MULTICAST_LID = 0xc000;

/** Reasons of packet loss. */
enum class DropReason : uint8_t
{
    NONE,      ///< It was not dropped.
    VCRC,      ///< A link has corrupted it; the next complete receiver drops it.
    ICRC,      ///< A switch has corrupted it; only its destination detects this.
    LINK_DOWN, ///< It was on a link that went down.
    PORT_DOWN, ///< Its route uses a link that is down.
    NO_ROUTE   ///< No forwarding table has its LID.
};

/** Number of reasons. */
inline constexpr std::size_t N_DROP_REASONS = static_cast<std::size_t>(DropReason::NO_ROUTE) + 1;

/**
 * Print a reason by name.
 * @param os the stream
 * @param reason the value
 * @return the stream
 */
std::ostream& operator<<(std::ostream& os, DropReason reason);

/** A packet. Its user sets the fields of the first part, which are copied for multicast. */
struct alignas(64) Packet
{
    std::array<uint64_t, 2> user{}; ///< Data of the transport.
    Lid destination{0};             ///< LID of the receiver and its path, or a multicast LID.
    uint16_t bytes{0};              ///< Length on the wire, from LRH to VCRC [bytes].
    uint8_t serviceLevel{0};        ///< Service level, below N_SERVICE_LEVELS.

    DropReason bad{DropReason::NONE}; ///< Reason for which it will be dropped.
    uint8_t lane{0};                  ///< Virtual lane.
    uint16_t blocks{0};               ///< Credits that it needs.
    HostId from{0};                   ///< Host that has injected it.
    uint32_t serial{0};               ///< Number in its fabric, in order of New.
    PacketIndex next{NO_PACKET};      ///< Next packet of the queue.
    Ticks ready{0};                   ///< Time from which its head can leave [ticks].
    Ticks whole{0};                   ///< Time at which its tail has arrived [ticks].
};

} // namespace infiniband
} // namespace ns3

#endif // INFINIBAND_PACKET_H
