/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * Fat trees with credit flow control, compared with ns-3's point-to-point chain without it.
 */

#include "../contrib/infiniband/test/infiniband-test-traffic.h"
#include "bench-chain.h"

#include "ns3/double.h"
#include "ns3/uinteger.h"

using namespace ns3;
using namespace ns3::bench;

namespace
{

/** Load of a measurement. */
struct Load
{
    const char* name;                   ///< Name in the results.
    infiniband::tests::Pattern pattern; ///< Destinations.
    uint32_t hosts;                     ///< Hosts.
    uint32_t payload;                   ///< Payload of each packet [bytes].
    double load;                        ///< Offered load, as a share of a link's rate.
    bool faults;                        ///< Links corrupt packets.
};

/**
 * Run traffic.
 * @param load the load
 * @return packet-hops per second
 */
double
MeasureTree(const Load& load)
{
    constexpr uint32_t PACKETS = 150000; // Number of packets at any length, load and number of
                                         // hosts.
    auto clock = CreateObject<messaging::TickClock>();
    auto subnet = CreateObject<infiniband::Subnet>();
    auto fabric = CreateObject<infiniband::Fabric>();
    subnet->SetAttribute("Nodes", UintegerValue(load.hosts));
    if (load.faults)
    {
        fabric->SetAttribute("Corruption", DoubleValue(1e-4));
    }
    fabric->AssignStreams(1);
    if (const std::string error = subnet->Build(infiniband::LinkRate::SDR); !error.empty())
    {
        std::fprintf(stderr, "%s\n", error.c_str());
        std::exit(1);
    }
    infiniband::tests::TrafficConfig config;
    config.pattern = load.pattern;
    config.payload = load.payload;
    config.load = load.load;
    config.duration =
        static_cast<messaging::Ticks>(PACKETS / load.hosts * (load.payload + 26) / load.load);
    double start;
    {
        infiniband::tests::Traffic traffic(clock, fabric, subnet->GetNHosts(), config);
        traffic.AssignStreams(10);
        fabric->Start(subnet, clock, &traffic);
        traffic.Start();
        start = GetCpuTime();
        Simulator::Run();
    }
    const double rate = static_cast<double>(fabric->GetCounters().hops) / (GetCpuTime() - start);
    fabric->Dispose();
    clock->Dispose();
    Simulator::Destroy();
    return rate;
}

} // namespace

int
main()
{
    using infiniband::tests::Pattern;
    for (const uint32_t hosts : {70U, 512U, 3456U})
    {
        const Load load{"", Pattern::UNIFORM, hosts, 2048, 0.5, false};
        Report("fat tree, uniform, 2048 bytes, load 0.5",
               MeasureTree(load) / 1e6,
               "M packet-hops/s",
               "",
               0,
               0,
               hosts);
    }
    for (const Load& load :
         {Load{"70 hosts, all to all, 2048 bytes, load 0.5",
               Pattern::ALL_TO_ALL,
               70,
               2048,
               0.5,
               false},
          Load{"70 hosts, uniform, 2048 bytes, load 1", Pattern::UNIFORM, 70, 2048, 1, false},
          Load{"70 hosts, uniform, 64 bytes, load 0.5", Pattern::UNIFORM, 70, 64, 0.5, false},
          Load{"70 hosts, all to 1, 2048 bytes, load 0.5", Pattern::INCAST, 70, 2048, 0.5, false},
          Load{"512 hosts, uniform, 2048 bytes, load 0.5", Pattern::UNIFORM, 512, 2048, 0.5, false},
          Load{"512 hosts, uniform, 2048 bytes, load 0.5, corruption",
               Pattern::UNIFORM,
               512,
               2048,
               0.5,
               true}})
    {
        const Pair pair(
            5,
            [&load] { return MeasureTree(load); },
            [] { return MeasureChain("8Gb/s"); });
        Report(load.name,
               pair.value / 1e6,
               "M packet-hops/s",
               "ns-3's point-to-point chain",
               pair.beside / 1e6,
               pair.ratio);
    }
    return 0;
}
