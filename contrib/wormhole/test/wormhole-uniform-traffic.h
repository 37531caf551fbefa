/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_UNIFORM_TRAFFIC_H
#define WORMHOLE_UNIFORM_TRAFFIC_H

#include "ns3/abort.h"
#include "ns3/messaging-tick-clock.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/wormhole-faults.h"
#include "ns3/wormhole-network.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

/**
 * @file
 * @ingroup wormhole
 * The process that BookSim2 generates, cycle by cycle: uniform traffic, measured after a time of
 * warm-up. test/test_booksim.py compiles this file, too.
 */

namespace ns3
{
namespace wormhole
{
namespace tests
{

/**
 * Uniform random traffic on a network without a clock. In each cycle each node sends a packet with
 * a given probability, to a uniformly chosen node, possibly itself. A packet that the network
 * refuses is lost.
 */
class UniformTraffic : public messaging::PortUser
{
  public:
    /** Attributes by name, as text. */
    using Settings = std::map<std::string, std::string>;

    /** Measured values. */
    struct Result
    {
        double accepted{0}; ///< Flits delivered [flits/node/cycle].
        double latency{0};  ///< Mean time from the sending of a packet to its arrival [cycles].
        double dropped{0};  ///< Packets dropped or refused, as a fraction of offered ones.
        std::array<uint64_t, N_DROP_REASONS> drops{}; ///< Dropped packets by reason.
    };

    /**
     * Create an empty network.
     * @param settings its attributes
     * @param flits length of each packet, checksum flit included
     */
    UniformTraffic(const Settings& settings, uint32_t flits)
        : m_network(CreateObject<WormholeNetwork>()),
          m_random(CreateObject<UniformRandomVariable>()),
          m_flits(flits)
    {
        for (const auto& [name, value] : settings)
        {
            m_network->SetAttribute(name, StringValue(value));
        }
        m_network->AssignStreams(10);
        m_random->SetStream(20);
        // Find the shortest frame with that many flits.
        while (m_network->GetNativePort()->WireTicks(m_frame) < flits)
        {
            ++m_frame.payload;
        }
        NS_ABORT_MSG_UNLESS(m_network->GetNativePort()->WireTicks(m_frame) == flits,
                            "No frame makes a packet of " << flits << " flits.");
        m_network->GetNativePort()->SetUser(this);
        if (m_network->GetFaults()->IsAny())
        {
            m_clock = CreateObject<messaging::TickClock>();
            m_network->GetFaults()->Start(m_network->GetNativePort(), m_clock);
        }
    }

    ~UniformTraffic() override
    {
        m_network->GetNativePort()->SetUser(nullptr);
        m_network->Dispose();
        Simulator::Destroy();
    }

    /** @return the network. */
    Ptr<WormholeNetwork> GetNetwork() const
    {
        return m_network;
    }

    /**
     * Warm up, then measure the packets sent afterwards.
     * @param load offered load [flits/node/cycle]
     * @param warmUp time before the measurement [cycles]
     * @param cycles time of the measurement [cycles]
     * @return the measured values
     */
    Result Measure(double load, Ticks warmUp, Ticks cycles)
    {
        Run(load, warmUp);
        m_begin = m_now;
        const Counters before = m_network->GetNativePort()->GetCounters();
        Run(load, cycles);
        const Counters& counters = m_network->GetNativePort()->GetCounters();
        Result result;
        result.accepted = static_cast<double>(counters.flitsDelivered - before.flitsDelivered) /
                          (static_cast<double>(cycles) * m_network->GetNativePort()->GetNPeers());
        result.latency =
            m_packets ? static_cast<double>(m_latency) / static_cast<double>(m_packets) : 0;
        const uint64_t lost =
            counters.GetAllDrops() + counters.refused - before.GetAllDrops() - before.refused;
        const uint64_t offered =
            counters.offered + counters.refused - before.offered - before.refused;
        result.dropped = offered ? static_cast<double>(lost) / static_cast<double>(offered) : 0;
        for (std::size_t reason = 0; reason < N_DROP_REASONS; ++reason)
        {
            result.drops[reason] = counters.drops[reason] - before.drops[reason];
        }
        return result;
    }

    void OnFrame(Peer, Peer, const Frame& frame) override
    {
        if (frame.contents >= m_begin)
        {
            m_latency += m_now - frame.contents;
            ++m_packets;
        }
    }

    void OnReady(Peer) override
    {
    }

  private:
    /**
     * Draw the number of failures before the next success of a Bernoulli process.
     * @param probability success probability
     * @return the number of failures
     */
    double Draw(double probability)
    {
        const double uniform = 1 - m_random->GetValue(0, 1);
        return probability >= 1 ? 0.0 : std::floor(std::log(uniform) / std::log1p(-probability));
    }

    /**
     * Send for a number of cycles.
     * @param load offered load [flits/node/cycle]
     * @param cycles the number
     */
    void Run(double load, Ticks cycles)
    {
        const uint32_t nNodes = m_network->GetNativePort()->GetNPeers();
        const double probability = std::min(load / m_flits, 1.0);
        if (m_untilNext < 0)
        {
            m_untilNext = Draw(probability);
        }
        for (const Ticks end = m_now + cycles; m_now < end; ++m_now)
        {
            if (m_clock)
            {
                // Apply the faults of this cycle.
                Simulator::Stop(m_clock->GetTickLength() * static_cast<int64_t>(m_now) -
                                Simulator::Now());
                Simulator::Run();
            }
            for (; m_untilNext < nNodes; m_untilNext += 1 + Draw(probability))
            {
                m_frame.contents = m_now;
                const auto from = static_cast<Peer>(m_untilNext);
                m_network->GetNativePort()->Send(from,
                                                 m_random->GetInteger(0, nNodes - 1),
                                                 m_frame);
            }
            m_untilNext -= nNodes;
            m_network->GetNativePort()->Step(m_now);
        }
    }

    Ptr<WormholeNetwork> m_network;      ///< The network.
    Ptr<messaging::TickClock> m_clock;   ///< Clock of the faults, or null.
    Ptr<UniformRandomVariable> m_random; ///< Draws times and destinations.
    uint32_t m_flits;                    ///< Length of each packet.
    Frame m_frame;                       ///< Frame of each packet.
    Ticks m_now{0};                      ///< Next cycle.
    Ticks m_begin{0};                    ///< Start of the measurement.
    double m_untilNext{-1}; ///< Node cycles until the next packet; negative if not drawn yet.
    uint64_t m_latency{0};  ///< Sum of measured latencies.
    uint64_t m_packets{0};  ///< Number of measured latencies.
};

} // namespace tests
} // namespace wormhole
} // namespace ns3

#endif // WORMHOLE_UNIFORM_TRAFFIC_H
