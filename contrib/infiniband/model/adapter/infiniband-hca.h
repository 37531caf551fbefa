/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INFINIBAND_HCA_H
#define INFINIBAND_HCA_H

#include "infiniband-context-cache.h"
#include "infiniband-hca-counters.h"
#include "infiniband-list-pool.h"
#include "infiniband-transport-header.h"

#include "ns3/infiniband-config.h"

#include <algorithm>
#include <array>

/**
 * @file
 * @ingroup infiniband
 * The parts of a host channel adapter that queue.
 */

namespace ns3
{
namespace infiniband
{

/** A packet that has been prepared and waits for its data or for the link. */
struct OutPacket
{
    Ticks ready{0};         ///< When its data is in the adapter [ns].
    TransportHeader header; ///< Its headers.
    Qpn from{NO_QP};        ///< Whose it is.
    HostId to{0};           ///< Destination.
    uint32_t bytes{0};      ///< On the wire [bytes].
    uint8_t path{0};        ///< Path.
};

/**
 * @ingroup infiniband
 * One adapter: its two serial engines, PCI Express in both directions, its cache of contexts and
 * translations, and what waits for it.
 *
 * Each part is a time until which it is taken; who comes takes it from then on.
 */
struct Hca
{
    /** Lists of packets that wait for the link. */
    enum Lane : uint8_t
    {
        ANSWERS, ///< ACKs, which need no data and pass by.
        DATA,    ///< Everything else, in the order prepared.
        N_LANES  ///< Number of lanes.
    };

    /** Queue pairs that want the attention of one engine. */
    struct Work
    {
        PooledList pairs;     ///< In turn.
        bool stepping{false}; ///< An event for the next step is placed.
    };

    std::array<Ticks, HcaCounters::N_ENGINES> engineFree{}; ///< When each engine is free [ns].
    Ticks readFree{0};                                      ///< PCI Express from memory [ns].
    Ticks writeFree{0};                                     ///< PCI Express to memory [ns].
    Ticks linkFree{0};     ///< When the link takes the next packet [ns].
    Ticks emptied{0};      ///< When the receive buffer is empty of what has arrived [ns].
    Ticks injectAt{NEVER}; ///< When the next packet is to leave [ns].
    std::array<PooledList, N_LANES> out; ///< OutPacket, prepared.
    uint32_t nData{0};                   ///< Packets in the second list.
    Work sends;                          ///< Queue pairs with something to be sent.
    Work answers;                        ///< Queue pairs that owe an ACK.
    ContextCache contexts;               ///< On-chip cache.
    HcaCounters counters;                ///< Use of the parts.
    bool blocked{false};                 ///< The fabric has no room.

    /**
     * Read data over PCI Express.
     * @param hca the constants
     * @param from not before [ns]
     * @param bytes how much [bytes]
     * @return when it is in the adapter [ns]
     */
    Ticks Read(const HcaConfig& hca, Ticks from, uint32_t bytes)
    {
        return Transfer(hca, HcaCounters::READ, readFree, from, bytes);
    }

    /**
     * Write data over PCI Express.
     * @param hca the constants
     * @param from not before [ns]
     * @param bytes how much [bytes]
     * @return when it is in memory [ns]
     */
    Ticks Write(const HcaConfig& hca, Ticks from, uint32_t bytes)
    {
        return Transfer(hca, HcaCounters::WRITE, writeFree, from, bytes);
    }

    /**
     * Move something short over PCI Express, which passes between data and takes its share.
     * @param hca the constants
     * @param part READ or WRITE
     * @param now the present [ns]
     * @param bytes how much [bytes]
     */
    void Occupy(const HcaConfig& hca, HcaCounters::Part part, Ticks now, uint32_t bytes)
    {
        Ticks& free = part == HcaCounters::READ ? readFree : writeFree;
        const Ticks time = GetDmaTime(hca, bytes);
        free = std::max(free, now) + time;
        counters.parts[part].busy += time;
    }

    /**
     * Move data over PCI Express.
     * @param hca the constants
     * @param part in which direction
     * @param free when that is free, changed [ns]
     * @param from not before [ns]
     * @param bytes how much [bytes]
     * @return when all of it has passed [ns]
     */
    Ticks Transfer(const HcaConfig& hca,
                   HcaCounters::Part part,
                   Ticks& free,
                   Ticks from,
                   uint32_t bytes)
    {
        const Ticks begin = std::max(free, from);
        const Ticks time = GetDmaTime(hca, bytes);
        free = begin + time;
        counters.Wait(part, from, begin);
        counters.parts[part].busy += time;
        return free;
    }

    /**
     * Get the time of data on PCI Express.
     * @param hca the constants
     * @param bytes how much [bytes]
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
