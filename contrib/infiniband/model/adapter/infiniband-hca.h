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
    Ticks ready{0};          ///< When its data is in the adapter [ns].
    TransportHeader header;  ///< Transport header.
    Qpn from{NO_QP};         ///< Queue pair that sends it.
    HostId to{0};            ///< Destination.
    uint32_t bytes{0};       ///< Length on the wire [bytes].
    uint8_t path{0};         ///< Path.
    uint8_t serviceLevel{0}; ///< Service level.
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
    enum OutList : uint8_t
    {
        ANSWERS,    ///< ACKs, which need no data and overtake it.
        DATA,       ///< All other packets, in the order prepared.
        N_OUT_LISTS ///< Number of lists.
    };

    /** A virtual lane of the outgoing link. */
    struct VirtualLane
    {
        std::array<PooledList, N_OUT_LISTS> out; ///< Prepared packets.
        PooledList senders;                      ///< Queue pairs with data to send, in turn.
        uint32_t nData{0};                       ///< Packets in list DATA.
        bool blocked{false};                     ///< The fabric had no room for the last packet.
    };

    std::array<Ticks, HcaCounters::N_ENGINES> engineFree{}; ///< When each engine is free [ns].
    std::array<Ticks, 2> dmaFree{};                         ///< When reads and writes over PCI
                                                            ///< Express are free [ns].
    Ticks linkFree{0};     ///< Earliest time of the next packet on the link [ns].
    Ticks emptied{0};      ///< When the receive buffer will be empty [ns].
    Ticks injectAt{NEVER}; ///< Time of the next injection [ns].
    std::array<VirtualLane, MAX_LANES> lanes; ///< Virtual lanes.
    PooledList responders;                    ///< Queue pairs that have to send an ACK, in turn.
    std::array<bool, HcaCounters::N_ENGINES> stepping{}; ///< An engine's next step is scheduled.
    uint8_t sendLane{0};                                 ///< Lane that the requester served last.
    uint8_t linkLane{0};                                 ///< Lane that the link served last.
    ContextCache contexts;                               ///< On-chip cache.
    HcaCounters counters;                                ///< Use of the parts.

    /**
     * Get the time from which an engine is free.
     * @param hca the constants
     * @param engine the engine; if they are shared, both are the first
     * @return the time, to be changed [ns]
     */
    Ticks& GetEngineFree(const HcaConfig& hca, HcaCounters::Engine engine)
    {
        return engineFree[hca.sharedEngine ? HcaCounters::REQUESTER : engine];
    }

    /**
     * Get the busy time of the engine, or of the busier one of two.
     * @param hca the constants
     * @return the time [ns]
     */
    Ticks GetEngineTime(const HcaConfig& hca) const
    {
        const Ticks requester = counters.GetEngineTime(HcaCounters::REQUESTER);
        const Ticks responder = counters.GetEngineTime(HcaCounters::RESPONDER);
        return hca.sharedEngine ? requester + responder : std::max(requester, responder);
    }

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
