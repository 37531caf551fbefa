/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INFINIBAND_HCA_COUNTERS_H
#define INFINIBAND_HCA_COUNTERS_H

#include "ns3/infiniband-types.h"

#include <array>

/**
 * @file
 * @ingroup infiniband
 * Load and waiting times of the parts of an adapter.
 */

namespace ns3
{
namespace infiniband
{

/**
 * @ingroup infiniband
 * Counters of an adapter: busy time and waiting time of each serial part, and the use of its
 * context cache.
 */
struct HcaCounters
{
    /** Serial parts. Each of the two engines counts as two parts: sending and receiving. */
    enum Part : uint8_t
    {
        SEND,    ///< Requester: messages and packets to be sent.
        ACK_IN,  ///< Requester: answers that arrive: ACKs of RC, and responses.
        RECEIVE, ///< Responder: messages and packets that arrive.
        ACK_OUT, ///< Responder: answers to be sent.
        READ,    ///< PCI Express, reads from memory.
        WRITE,   ///< PCI Express, writes to memory.
        LINK,    ///< Outgoing link of the host.
        N_PARTS  ///< Number of parts.
    };

    /** Engines. */
    enum Engine : uint8_t
    {
        REQUESTER, ///< Serves send queues.
        RESPONDER, ///< Serves arrivals for receive queues and memory.
        N_ENGINES  ///< Number of engines.
    };

    /** @return the engine of a part. @param part SEND, ACK_IN, RECEIVE or ACK_OUT */
    static constexpr Engine GetEngine(Part part)
    {
        return part <= ACK_IN ? REQUESTER : RESPONDER;
    }

    /** Use of one part. */
    struct Use
    {
        Ticks busy{0};     ///< Busy time [ns].
        Ticks waited{0};   ///< Waiting time of all jobs [ns].
        uint64_t waits{0}; ///< Jobs: messages to be sent, packets, or ACKs.
    };

    std::array<Use, N_PARTS> parts{}; ///< Use by part.
    uint64_t touches{0};              ///< Lookups in the context cache.
    uint64_t misses{0};               ///< Lookups that missed, and were fetched over PCI Express.
    uint64_t writeBacks{0};           ///< Contexts written back after an eviction.

    /** @return the busy time of an engine [ns]. @param engine the engine */
    Ticks GetEngineTime(Engine engine) const
    {
        const Part first = engine == REQUESTER ? SEND : RECEIVE;
        return parts[first].busy + parts[first + 1].busy;
    }

    /**
     * A job starts on a part.
     * @param part the part
     * @param asked when the job was ready [ns]
     * @param begun when it started [ns]
     */
    void Wait(Part part, Ticks asked, Ticks begun)
    {
        parts[part].waited += begun - asked;
        ++parts[part].waits;
    }

    /**
     * Add the counters of another run.
     * @param other the counters
     * @return the sum
     */
    HcaCounters& operator+=(const HcaCounters& other)
    {
        for (std::size_t n = 0; n < N_PARTS; ++n)
        {
            parts[n].busy += other.parts[n].busy;
            parts[n].waited += other.parts[n].waited;
            parts[n].waits += other.parts[n].waits;
        }
        touches += other.touches;
        misses += other.misses;
        writeBacks += other.writeBacks;
        return *this;
    }
};

} // namespace infiniband
} // namespace ns3

#endif // INFINIBAND_HCA_COUNTERS_H
