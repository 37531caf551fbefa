/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BENCH_UNIFORM_TRAFFIC_H
#define BENCH_UNIFORM_TRAFFIC_H

#include "bench-common.h"

#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/wormhole-network.h"

#include <map>

/**
 * @file
 * Uniform traffic on a wormhole network.
 */

namespace ns3
{
namespace bench
{

/** Attributes by name, as text. */
using Settings = std::map<std::string, std::string>;

/** Flits of the packets of all benchmarks of lossy networks. */
inline constexpr uint32_t LOSSY_FLITS = 4;

/** Nodes per packet in flight in these benchmarks. */
inline constexpr uint32_t NODES_PER_HEAD = 16;

/**
 * Get the attributes of a square mesh.
 * @param side its side [nodes]
 * @return the attributes
 */
inline Settings
MakeMesh(uint32_t side)
{
    const std::string text = std::to_string(side);
    return Settings{{"Topology", "grid2d"}, {"Shape", text + "x" + text}};
}

/** A wormhole network and its clock, run for a number of cycles at a time. */
class ClockedNetwork
{
  public:
    /**
     * Create an empty network.
     * @param settings its attributes
     */
    explicit ClockedNetwork(const Settings& settings)
    {
        for (const auto& [name, value] : settings)
        {
            network->SetAttribute(name, StringValue(value));
        }
        network->AssignStreams(0);
        network->SetClock(clock);
    }

    /**
     * Run.
     * @param cycles duration [cycles]
     * @return hops per second of processor time
     */
    double Measure(uint32_t cycles)
    {
        const uint64_t before = network->GetNativePort()->GetCounters().hops;
        const double start = GetCpuTime();
        Simulator::Stop(clock->GetTickLength() * static_cast<int64_t>(cycles));
        Simulator::Run();
        const double time = GetCpuTime() - start;
        return static_cast<double>(network->GetNativePort()->GetCounters().hops - before) / time;
    }

    Ptr<messaging::TickClock> clock{CreateObject<messaging::TickClock>()};             ///< Clock.
    Ptr<wormhole::WormholeNetwork> network{CreateObject<wormhole::WormholeNetwork>()}; ///< Network.
};

/** Sends packets between random nodes, by number in flight or by rate. */
class UniformTraffic : private messaging::TickUser, private messaging::PortUser
{
  public:
    /**
     * Begin to send.
     * @param on the network
     * @param flits length of each packet, its checksum flit included
     * @param inFlight packets to be kept in flight, 0 for no limit
     * @param rate packets sent in a cycle, regardless of those in flight
     */
    UniformTraffic(ClockedNetwork& on, uint32_t flits, uint64_t inFlight, double rate)
        : m_clock(*on.clock),
          m_port(*on.network->GetNativePort()),
          m_inFlight(inFlight),
          m_rate(rate)
    {
        // A flit is four bytes by default.
        while (m_port.WireTicks(m_frame) < flits)
        {
            m_frame.payload += 4;
        }
        m_port.SetUser(this);
        m_number = m_clock.Register(this);
        m_clock.At(0, m_number, 0, 0);
    }

    ~UniformTraffic() override
    {
        m_port.SetUser(nullptr);
    }

  private:
    void OnTick(messaging::Peer, uint64_t) override
    {
        m_due += m_rate;
        if (const uint64_t present = m_port.GetNInFlight(); present < m_inFlight)
        {
            m_due += static_cast<double>(m_inFlight - present);
        }
        const uint32_t peers = m_port.GetNPeers();
        for (; m_due >= 1; --m_due)
        {
            const messaging::Peer from = m_random.Below(peers);
            m_port.Send(from, m_random.Below(peers), m_frame);
        }
        m_clock.At(m_clock.Now() + 1, m_number, 0, 0);
    }

    void OnFrame(messaging::Peer, messaging::Peer, const messaging::Frame&) override
    {
    }

    void OnReady(messaging::Peer) override
    {
    }

    messaging::TickClock& m_clock;  ///< Clock.
    wormhole::WormholePort& m_port; ///< Port of the network.
    messaging::Frame m_frame;       ///< Frame of each packet.
    uint64_t m_inFlight;            ///< Packets to be kept in flight.
    double m_rate;                  ///< Packets sent per cycle.
    double m_due{0};                ///< Packets to be sent, including fractions.
    uint32_t m_number{0};           ///< User number at the clock.
    Random m_random;                ///< Draws nodes.
};

} // namespace bench
} // namespace ns3

#endif // BENCH_UNIFORM_TRAFFIC_H
