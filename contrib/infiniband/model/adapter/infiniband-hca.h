/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INFINIBAND_HCA_H
#define INFINIBAND_HCA_H

#include "infiniband-context-cache.h"
#include "infiniband-hca-counters.h"
#include "infiniband-transport-header.h"

#include "ns3/infiniband-config.h"
#include "ns3/infiniband-list-pool.h"

#include <algorithm>
#include <array>

/**
 * @file
 * @ingroup infiniband
 * Serial parts and queues of a host channel adapter.
 */

namespace ns3
{
namespace infiniband
{

/** A prepared packet that waits for its data or for the link. */
struct OutPacket
{
    Ticks ready{0};         ///< When its data is in the adapter [ns].
    TransportHeader header; ///< Transport header.
    Qpn from{NO_QP};        ///< Queue pair that sends it.
    HostId to{0};           ///< Destination.
    uint32_t bytes{0};      ///< Length on the wire [bytes].
    uint8_t path{0};        ///< Path.
};

/**
 * @ingroup infiniband
 * One adapter: two serial engines, PCI Express in both directions, the context cache, and the
 * queues.
 *
 * Each serial part is represented by the time until which it is busy; the next job starts then.
 */
struct Hca
{
    /** Lists of packets that wait for the link. */
    enum Lane : uint8_t
    {
        ANSWERS, ///< ACKs, which need no data and overtake it.
        DATA,    ///< All other packets, in the order prepared.
        N_LANES  ///< Number of lanes.
    };

    /** Queue pairs that wait for one engine. */
    struct Work
    {
        PooledList pairs;     ///< Queue pairs in round-robin order.
        bool stepping{false}; ///< The event of the next step is scheduled.
    };

    std::array<Ticks, HcaCounters::N_ENGINES> engineFree{}; ///< When each engine is free [ns].
    std::array<Ticks, 2> dmaFree{};                         ///< When reads and writes over PCI
                                                            ///< Express are free [ns].
    Ticks linkFree{0};                   ///< Earliest time of the next packet on the link [ns].
    Ticks emptied{0};                    ///< When the receive buffer will be empty [ns].
    Ticks injectAt{NEVER};               ///< Time of the next injection [ns].
    std::array<PooledList, N_LANES> out; ///< Prepared packets by lane.
    uint32_t nData{0};                   ///< Packets in lane DATA.
    std::array<Work, HcaCounters::N_ENGINES> work; ///< Queue pairs with data to send, and those
                                                   ///< that owe an ACK.
    ContextCache contexts;                         ///< On-chip cache.
    HcaCounters counters;                          ///< Use of the parts.
    bool blocked{false};                           ///< The fabric had no room for the last packet.

    /**
     * Move a short item over PCI Express: it does not queue behind data, but uses bandwidth.
     * @param hca the constants
     * @param part READ or WRITE
     * @param from earliest start [ns]
     * @param bytes length [bytes]
     * @return time at which that direction is free [ns]
     */
    Ticks Occupy(const HcaConfig& hca, HcaCounters::Part part, Ticks from, uint32_t bytes)
    {
        Ticks& free = dmaFree[part - HcaCounters::READ];
        const Ticks time = GetDmaTime(hca, bytes);
        free = std::max(free, from) + time;
        counters.parts[part].busy += time;
        return free;
    }

    /**
     * Move data over PCI Express.
     * @param hca the constants
     * @param part READ or WRITE
     * @param from earliest start [ns]
     * @param bytes length [bytes]
     * @return end of the transfer [ns]
     */
    Ticks Transfer(const HcaConfig& hca, HcaCounters::Part part, Ticks from, uint32_t bytes)
    {
        counters.Wait(part, from, std::max(dmaFree[part - HcaCounters::READ], from));
        return Occupy(hca, part, from, bytes);
    }

    /**
     * Get the transfer time of data over PCI Express.
     * @param hca the constants
     * @param bytes length [bytes]
     * @return the time, rounded up [ns]
     */
    static Ticks GetDmaTime(const HcaConfig& hca, uint32_t bytes)
    {
        return (Ticks{bytes} * 1000 + hca.dmaRate - 1) / hca.dmaRate;
    }
};

} // namespace infiniband
} // namespace ns3

#endif // INFINIBAND_HCA_H
