/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INFINIBAND_FABRIC_USER_H
#define INFINIBAND_FABRIC_USER_H

#include "infiniband-packet.h"

#include <array>

/**
 * @file
 * @ingroup infiniband
 * Receiver of a fabric's packets, and its counters.
 */

namespace ns3
{
namespace infiniband
{

/** Receiver of the packets of a fabric: the adapters. */
class FabricUser
{
  public:
    virtual ~FabricUser() = default;

    /**
     * A packet is in the receive buffer of a host, whole and intact. It is forgotten after the
     * call.
     * @param host the host
     * @param index the packet
     * @return when the adapter will have emptied the buffer: now or later, never earlier than for
     * the packet before; NEVER if a call of Fabric::Release follows [ticks]
     */
    virtual Ticks OnPacket(HostId host, PacketIndex index) = 0;

    /**
     * A host's output has room again, after Fabric::HasRoom has answered false.
     * @param host the host
     * @param lane the virtual lane
     */
    virtual void OnReady(HostId host, uint8_t lane) = 0;

    /**
     * A packet has begun to leave its host; called late as OnDrop is, but before the end.
     * @param index the packet
     * @param end when its tail will have left [ticks]
     */
    virtual void OnLeaving([[maybe_unused]] PacketIndex index, [[maybe_unused]] Ticks end)
    {
    }

    /**
     * A packet has entered the link to its host: bring what OnPacket needs into the processor's
     * caches. Nothing has to be done.
     * @param host the host
     * @param index the packet
     */
    virtual void OnLastLink([[maybe_unused]] HostId host, [[maybe_unused]] PacketIndex index)
    {
    }

    /**
     * A packet is lost. Called some nanoseconds late: for accounting, not to react upon. It is
     * forgotten after the call.
     * @param index the packet
     * @param reason why
     */
    virtual void OnDrop([[maybe_unused]] PacketIndex index, [[maybe_unused]] DropReason reason)
    {
    }

    /**
     * A switch has made a copy of a multicast packet; called late as OnDrop is.
     * @param from the packet
     * @param to its copy
     */
    virtual void OnCopy([[maybe_unused]] PacketIndex from, [[maybe_unused]] PacketIndex to)
    {
    }
};

/** Counters of a port, named as InfiniBand's PortCounters. */
struct PortCounters
{
    uint64_t xmitData{0};     ///< Sent, from LRH to VCRC [bytes].
    uint64_t xmitPackets{0};  ///< Sent.
    Ticks xmitWait{0};        ///< Time with something to send and too few credits [ticks].
    uint64_t xmitDiscards{0}; ///< Not sent since the link was down or a switch knew no way.
    uint64_t symbolErrors{0}; ///< Packets corrupted on the link that ends here.
    uint64_t rcvErrors{0};    ///< Dropped here by a bad VCRC, or cut by a link that went down.
};

/** Counters of a fabric. */
struct FabricCounters
{
    uint64_t injected{0};                         ///< Packets taken from hosts.
    uint64_t copies{0};                           ///< Copies of multicast packets.
    uint64_t delivered{0};                        ///< Packets handed to their receivers.
    uint64_t hops{0};                             ///< Links that packets have entered.
    std::array<uint64_t, N_DROP_REASONS> drops{}; ///< Packets lost, by reason.

    /** @return packets lost for any reason. */
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
    bool operator==(const FabricCounters&) const = default;
};

} // namespace infiniband
} // namespace ns3

#endif // INFINIBAND_FABRIC_USER_H
