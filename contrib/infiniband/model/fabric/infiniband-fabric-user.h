/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INFINIBAND_FABRIC_USER_H
#define INFINIBAND_FABRIC_USER_H

#include "ns3/infiniband-packet.h"

#include <array>
#include <numeric>

/**
 * @file
 * @ingroup infiniband
 * Receiver of a fabric's packets, and its counters.
 */

namespace ns3
{
namespace infiniband
{

/** Receiver of a fabric's packets: the adapters. */
class FabricUser
{
  public:
    virtual ~FabricUser() = default;

    /**
     * A packet is complete and intact in the receive buffer of a host. It is invalid after the
     * call.
     * @param host the host
     * @param index the packet
     * @return time at which the adapter empties the buffer: not in the past, and not earlier than
     * for the previous packet [ticks]
     */
    virtual Ticks OnPacket(HostId host, PacketIndex index) = 0;

    /**
     * A virtual lane of a host's output has room again, after Fabric::HasRoom has returned false.
     * @param host the host
     * @param lane the virtual lane
     */
    virtual void OnReady(HostId host, uint8_t lane) = 0;

    /**
     * A packet has begun to leave its host. The call is late, as that of OnDrop, but precedes the
     * end.
     * @param index the packet
     * @param end departure time of its tail [ticks]
     */
    virtual void OnLeaving([[maybe_unused]] PacketIndex index, [[maybe_unused]] Ticks end)
    {
    }

    /**
     * A packet has entered the link to its host. A user may prefetch what OnPacket needs.
     * @param host the host
     * @param index the packet
     */
    virtual void OnLastLink([[maybe_unused]] HostId host, [[maybe_unused]] PacketIndex index)
    {
    }

    /**
     * A packet is lost. The call is some nanoseconds late, so use it for accounting only. The
     * packet is invalid after the call.
     * @param index the packet
     * @param reason reason of the loss
     */
    virtual void OnDrop([[maybe_unused]] PacketIndex index, [[maybe_unused]] DropReason reason)
    {
    }

    /**
     * A switch has copied a multicast packet. The call is late, as that of OnDrop.
     * @param index the packet
     */
    virtual void OnCopy([[maybe_unused]] PacketIndex index)
    {
    }
};

/** Counters of a port, named as InfiniBand's PortCounters. */
struct PortCounters
{
    uint64_t xmitData{0};     ///< Sent data, from LRH to VCRC [bytes].
    uint64_t xmitPackets{0};  ///< Sent packets.
    Ticks xmitWait{0};        ///< Time with packets to send and too few credits [ticks].
    uint64_t xmitDiscards{0}; ///< Discarded by a link that is down, or without a route.
    uint64_t symbolErrors{0}; ///< Packets corrupted on the link that ends here.
    uint64_t rcvErrors{0};    ///< Packets dropped here by a bad VCRC, or cut by a link failure.
};

/** State of a virtual lane of a port. */
struct LaneState
{
    uint32_t credits{0};       ///< Credits of its output [blocks].
    uint32_t granted{0};       ///< Credits that are on their way to its output [blocks].
    uint32_t queuedPackets{0}; ///< Packets in the queue of its input, or of a host.
    uint32_t queuedBlocks{0};  ///< Length of that queue [blocks].
};

/** Counters of a fabric. */
struct FabricCounters
{
    uint64_t injected{0};                         ///< Packets injected by hosts.
    uint64_t copies{0};                           ///< Copies of multicast packets.
    uint64_t delivered{0};                        ///< Packets delivered to their receivers.
    uint64_t hops{0};                             ///< Link traversals.
    std::array<uint64_t, N_DROP_REASONS> drops{}; ///< Packets lost, by reason.

    /** @return packets lost for any reason. */
    uint64_t GetAllDrops() const
    {
        return std::accumulate(drops.begin(), drops.end(), uint64_t{0});
    }

    /** @return injected packets and copies that are neither delivered nor lost. */
    uint64_t GetNInFlight() const
    {
        return injected + copies - delivered - GetAllDrops();
    }

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const FabricCounters&) const = default;
};

} // namespace infiniband
} // namespace ns3

#endif // INFINIBAND_FABRIC_USER_H
