/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * Lossy Ethernet fabrics, compared with ns-3's point-to-point chain, and with InfiniBand's links
 * and switches under the same traffic; and Ultra Ethernet over them beside uet-htsim, if
 * RELNET_HTSIM is the path of its program htsim_uec, which is not part of the tree.
 */

#include "../contrib/infiniband/test/infiniband-test-traffic.h"
#include "bench-chain.h"
#include "bench-htsim.h"

#include "ns3/ethernet-fabric-engine.h"
#include "ns3/uinteger.h"

#include <cstdlib>
#include <iostream>
#include <vector>

using namespace ns3;
using namespace ns3::bench;

namespace
{

constexpr uint32_t BYTES = 2048 + 26; ///< Length of a frame, that of InfiniBand's packet.
constexpr uint32_t PACKETS = 600000;  ///< Frames of a measurement.

/** Load of a measurement. */
struct Load
{
    const char* name;            ///< Name in the results.
    uint32_t hosts;              ///< Hosts.
    bool incast;                 ///< All send to host 0, otherwise to random hosts.
    fabric::Admission admission; ///< Fate of a frame that finds a long queue.
};

/** Hosts that send at half the rate of their links, at regular intervals from random offsets. */
class Traffic : public fabric::FabricUser, public messaging::TickUser
{
  public:
    /** Construct. @param engine the fabric @param clock its clock @param load the load */
    Traffic(fabric::FabricEngine& engine, Ptr<messaging::TickClock> clock, const Load& load)
        : m_engine(engine),
          m_clock(clock),
          m_load(load),
          m_left(load.hosts, PACKETS / load.hosts),
          m_number(clock->Register(this))
    {
        for (uint32_t host = 0; host < load.hosts; ++host)
        {
            clock->At(m_random.Below(INTERVAL), m_number, host, 0);
        }
    }

    void OnTick(messaging::Peer host, uint64_t) override
    {
        if (m_engine.HasRoom(host))
        {
            uint32_t to = m_load.incast ? 0 : m_random.Below(m_load.hosts);
            to = to == host ? (host + 1) % m_load.hosts : to;
            m_engine.Send(host, to, messaging::Frame{}, BYTES);
        }
        if (--m_left[host] > 0)
        {
            m_clock->At(m_clock->Now() + INTERVAL, m_number, host, 0);
        }
    }

    void OnArrival(messaging::Peer, messaging::Peer, const messaging::Frame&) override
    {
    }

    void OnRoom(messaging::Peer) override
    {
    }

    void OnLoss(const fabric::LossEvent&, const messaging::Frame&) override
    {
    }

    void OnPause(const fabric::PauseEvent&) override
    {
    }

  private:
    static constexpr uint32_t INTERVAL = 2 * BYTES; ///< At 8 Gb/s, half the rate [ns].

    fabric::FabricEngine& m_engine;    ///< The fabric.
    Ptr<messaging::TickClock> m_clock; ///< Its clock.
    Load m_load;                       ///< The load.
    Random m_random;                   ///< Destinations and offsets.
    std::vector<uint32_t> m_left;      ///< Frames to send by host.
    uint32_t m_number;                 ///< The clock's number of this user.
};

/**
 * Run traffic over a fabric.
 * @param load the load
 * @return packet-hops per second
 */
double
MeasureFabric(const Load& load)
{
    fabric::FabricConfig config;
    config.topology = fabric::TopologyKind::FAT_TREE;
    config.hostRate = DataRate("8Gbps");
    config.delay = NanoSeconds(25);
    config.latency = NanoSeconds(200);
    config.switching = fabric::Switching::CUT_THROUGH;
    config.admission = load.admission;
    const auto clock = CreateObject<messaging::TickClock>();
    fabric::FabricEngine engine(config, load.hosts);
    Traffic traffic(engine, clock, load);
    engine.Start(clock, &traffic);
    const double start = GetCpuTime();
    Simulator::Run();
    const double rate = static_cast<double>(engine.GetNHops()) / (GetCpuTime() - start);
    clock->Dispose();
    Simulator::Destroy();
    return rate;
}

/**
 * Run traffic over InfiniBand's links and switches.
 * @param hosts number of hosts
 * @return packet-hops per second
 */
double
MeasureInfiniband(uint32_t hosts)
{
    const auto clock = CreateObject<messaging::TickClock>();
    const auto subnet = CreateObject<infiniband::Subnet>();
    const auto tree = CreateObject<infiniband::Fabric>();
    subnet->SetAttribute("Nodes", UintegerValue(hosts));
    tree->AssignStreams(1);
    if (const std::string error = subnet->Build(infiniband::LinkRate::SDR); !error.empty())
    {
        std::fprintf(stderr, "%s\n", error.c_str());
        std::exit(1);
    }
    infiniband::tests::TrafficConfig config;
    config.pattern = infiniband::tests::Pattern::UNIFORM;
    config.payload = BYTES - 26;
    config.load = 0.5;
    config.duration = static_cast<messaging::Ticks>(PACKETS / hosts * BYTES / config.load);
    double start;
    {
        infiniband::tests::Traffic traffic(clock, tree, subnet->GetNHosts(), config);
        traffic.AssignStreams(10);
        tree->Start(subnet, clock, &traffic);
        traffic.Start();
        start = GetCpuTime();
        Simulator::Run();
    }
    const double rate = static_cast<double>(tree->GetCounters().hops) / (GetCpuTime() - start);
    tree->Dispose();
    clock->Dispose();
    Simulator::Destroy();
    return rate;
}

} // namespace

int
main()
{
    using fabric::Admission;
    for (const uint32_t hosts : {128U, 1024U, 8192U})
    {
        const Load load{"", hosts, false, Admission::DROP};
        const Pair pair(
            3,
            [&load] { return MeasureFabric(load); },
            [] { return MeasureFabric({"", 128, false, Admission::DROP}); });
        Report("uniform, 2074 bytes, load 0.5",
               pair.value / 1e6,
               "M packet-hops/s",
               "128 hosts",
               pair.beside / 1e6,
               pair.ratio,
               hosts);
    }
    for (const Load& load :
         {Load{"128 hosts, uniform, load 0.5", 128, false, Admission::DROP},
          Load{"128 hosts, uniform, load 0.5, PFC", 128, false, Admission::PFC},
          Load{"128 hosts, all to 1, load 0.5", 128, true, Admission::DROP},
          Load{"128 hosts, all to 1, load 0.5, trimming", 128, true, Admission::TRIM},
          Load{"128 hosts, all to 1, load 0.5, PFC", 128, true, Admission::PFC}})
    {
        const Pair pair(
            3,
            [&load] { return MeasureFabric(load); },
            [] { return MeasureChain("8Gb/s"); });
        Report(load.name,
               pair.value / 1e6,
               "M packet-hops/s",
               "ns-3's point-to-point chain",
               pair.beside / 1e6,
               pair.ratio);
    }
    for (const uint32_t hosts : {70U, 3456U})
    {
        const Pair pair(
            3,
            [hosts] { return MeasureFabric({"", hosts, false, Admission::DROP}); },
            [hosts] { return MeasureInfiniband(hosts); });
        Report("uniform, 2074 bytes, load 0.5",
               pair.value / 1e6,
               "M packet-hops/s",
               "InfiniBand's links and switches",
               pair.beside / 1e6,
               pair.ratio,
               hosts);
    }
    const char* program = std::getenv("RELNET_HTSIM");
    if (!program)
    {
        std::cerr << "RELNET_HTSIM is not the path of htsim_uec, so htsim is skipped." << std::endl;
        return 0;
    }
    CompareWithHtsim(program);
    return 0;
}
