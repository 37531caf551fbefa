/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_BENCH_TRAFFIC_H
#define WORMHOLE_BENCH_TRAFFIC_H

#include "wormhole-bare-loop.h"

#include "ns3/wormhole-network.h"

#include <chrono>

/**
 * @file
 * Uniform traffic that costs next to nothing to make, so that what is measured is the network.
 */

/** Sends packets of 8 flits between random nodes at a constant rate, as the bare loop draws them.
 */
class BenchTraffic
{
  public:
    /**
     * Construct.
     * @param network the network, without a clock and at rest
     * @param load offered load [flits a node and cycle]
     */
    BenchTraffic(ns3::wormhole::WormholeNetwork& network, double load)
        : m_network(network),
          m_nNodes(network.GetNPeers()),
          m_rate(load * network.GetNPeers() / FLITS)
    {
        while (network.GetFlits(m_frame) < FLITS)
        {
            ++m_frame.payload;
        }
    }

    /**
     * Serve some cycles.
     * @param cycles how many
     */
    void Run(uint64_t cycles)
    {
        for (uint64_t n = 0; n < cycles; ++n)
        {
            for (m_due += m_rate; m_due >= 1; --m_due)
            {
                m_frame.source = m_random(m_nNodes);
                m_network.Send(m_frame.source, m_random(m_nNodes), m_frame);
            }
            m_network.Step(m_now++);
        }
    }

    /**
     * Serve cycles for some time.
     * @param seconds the time of a clock on the wall
     * @param cycles how many between two looks at that clock
     * @return how long it was
     */
    double RunFor(double seconds, uint64_t cycles)
    {
        const auto begin = std::chrono::steady_clock::now();
        for (;;)
        {
            Run(cycles);
            const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
            if (elapsed.count() >= seconds)
            {
                return elapsed.count();
            }
        }
    }

    /** @return the cycle that is served next. */
    ns3::messaging::Ticks GetNow() const
    {
        return m_now;
    }

  private:
    static constexpr uint32_t FLITS = 8; ///< Length of each packet.

    ns3::wormhole::WormholeNetwork& m_network; ///< The network.
    uint32_t m_nNodes;                         ///< Its nodes.
    double m_rate;                             ///< Packets a cycle.
    double m_due{0};                           ///< Packets that are due.
    CheapRandom m_random;                      ///< For nodes.
    ns3::wormhole::Frame m_frame;              ///< What each packet carries.
    ns3::messaging::Ticks m_now{0};            ///< The cycle that is served next.
};

#endif // WORMHOLE_BENCH_TRAFFIC_H
