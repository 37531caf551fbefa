/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INFINIBAND_PACKET_H
#define INFINIBAND_PACKET_H

#include "infiniband-config.h"

#include <array>
#include <limits>
#include <vector>

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

/** Most bytes of a packet on the wire: the largest MTU with every header that there is. */
inline constexpr uint32_t MAX_PACKET_BYTES =
    MIN_PACKET_BYTES + MTUS.back() + GRH_BYTES + DETH_BYTES + RETH_BYTES + IMMEDIATE_BYTES;

/** First LID of multicast groups. */
inline constexpr Lid MULTICAST_LID = 0xc000;

/** Why a packet did not arrive. */
enum class DropReason : uint8_t
{
    NONE,      ///< It was not dropped.
    VCRC,      ///< A link has corrupted it: dropped where it is whole next.
    ICRC,      ///< A switch has corrupted it, which only its receiver sees.
    LINK_DOWN, ///< It was on a link that went down.
    PORT_DOWN, ///< Its way leads over a link that is down.
    NO_ROUTE   ///< No forwarding table knows its LID.
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

/** A packet. Its user sets the fields of the first part; a copy of a multicast has them too. */
struct alignas(64) Packet
{
    std::array<uint64_t, 2> user{}; ///< For the transport above.
    Lid destination{0};             ///< LID of the receiver, with its path, or a multicast LID.
    uint16_t bytes{0};              ///< On the wire, from LRH to VCRC [bytes].
    uint8_t serviceLevel{0};        ///< Service level, from 0 to 15.

    DropReason bad{DropReason::NONE}; ///< It will be dropped for this reason.
    uint8_t lane{0};                  ///< Virtual lane.
    uint16_t blocks{0};               ///< Credits it takes.
    HostId from{0};                   ///< Host that has injected it.
    uint32_t serial{0};               ///< Grows with each use of this place in the pool.
    PacketIndex next{NO_PACKET};      ///< Behind it in a queue, or in the list of free places.
    Ticks ready{0};                   ///< From when its head can leave [ticks].
    Ticks whole{0};                   ///< From when its tail is here [ticks].
};

/** All packets of a fabric. */
class PacketPool
{
  public:
    /** @return a packet as new. */
    PacketIndex New()
    {
        ++m_used;
        if (m_free == NO_PACKET)
        {
            m_packets.emplace_back();
            return static_cast<PacketIndex>(m_packets.size() - 1);
        }
        const PacketIndex index = m_free;
        Packet& packet = m_packets[index];
        m_free = packet.next;
        const uint32_t serial = packet.serial;
        packet = Packet();
        packet.serial = serial + 1;
        return index;
    }

    /**
     * Forget a packet.
     * @param index the packet
     */
    void Free(PacketIndex index)
    {
        --m_used;
        m_packets[index].next = m_free;
        m_free = index;
    }

    /**
     * @param index a packet
     * @return the packet, until the next call of New
     */
    Packet& operator[](PacketIndex index)
    {
        return m_packets[index];
    }

    /** @copydoc operator[] */
    const Packet& operator[](PacketIndex index) const
    {
        return m_packets[index];
    }

    /** @return packets that are not forgotten. */
    uint32_t GetNUsed() const
    {
        return m_used;
    }

  private:
    std::vector<Packet> m_packets; ///< By index.
    PacketIndex m_free{NO_PACKET}; ///< First free place.
    uint32_t m_used{0};            ///< Places in use.
};

} // namespace infiniband
} // namespace ns3

#endif // INFINIBAND_PACKET_H
