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
 * Load and waits of the parts of an adapter.
 */

namespace ns3
{
namespace infiniband
{

/**
 * @ingroup infiniband
 * Counters of an adapter: for each part that serves one thing at a time, the time it was taken and
 * the time that was waited for it; and the use of its cache of contexts.
 */
struct HcaCounters
{
    /** Parts; each of the two engines has two, for what it sends and what it receives. */
    enum Part : uint8_t
    {
        SEND,    ///< Requester: messages and packets to be sent.
        ACK_IN,  ///< Requester: answers that arrive: ACKs of RC, and responses.
        RECEIVE, ///< Responder: messages and packets that arrive.
        ACK_OUT, ///< Responder: answers to be sent.
        READ,    ///< PCI Express, from memory.
        WRITE,   ///< PCI Express, to memory.
        LINK,    ///< The host's link, outwards.
        N_PARTS  ///< Number of parts.
    };

    /** Engines. */
    enum Engine : uint8_t
    {
        REQUESTER, ///< Serves send queues.
        RESPONDER, ///< Serves what arrives for receive queues and memory.
        N_ENGINES  ///< Number of engines.
    };

    /** @return the engine of a part. @param part SEND, ACK_IN, RECEIVE or ACK_OUT */
    static constexpr Engine GetEngine(Part part)
    {
        return part <= ACK_IN ? REQUESTER : RESPONDER;
    }

    /** One part. */
    struct Use
    {
        Ticks busy{0};     ///< Time that it was taken [ns].
        Ticks waited{0};   ///< Time that was waited for it [ns].
        uint64_t waits{0}; ///< Messages to be sent, packets, or ACKs that have come to it.
    };

    std::array<Use, N_PARTS> parts{}; ///< By part.
    uint64_t touches{0};              ///< Contexts and translations looked for.
    uint64_t misses{0};               ///< Those fetched over PCI Express.
    uint64_t writeBacks{0};           ///< Contexts written back to make room.

    /** @return the time that an engine has worked [ns]. @param engine which */
    Ticks GetEngineTime(Engine engine) const
    {
        const Part first = engine == REQUESTER ? SEND : RECEIVE;
        return parts[first].busy + parts[first + 1].busy;
    }

    /**
     * Something has got a part.
     * @param part which
     * @param asked when it was ready for it [ns]
     * @param begun when it got it [ns]
     */
    void Wait(Part part, Ticks asked, Ticks begun)
    {
        parts[part].waited += begun - asked;
        ++parts[part].waits;
    }

    /**
     * Add what was counted in another run.
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
