/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * A Clos of 128 hosts with flow control, all to all, compared with ns-3's point-to-point chain
 * without it; time, memory and cost of 8 to 1024 hosts.
 */

#include "bench-chain.h"
#include "bench-myrinet-traffic.h"

#include "ns3/double.h"
#include "ns3/myrinet-network.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <string>

using namespace ns3;
using namespace ns3::bench;

namespace
{

constexpr uint32_t HOSTS = 128; ///< Hosts of the Clos.

/**
 * Get the peak memory of the process.
 * @return the resident pages [bytes]
 */
double
GetMostMemory()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

/** Cost of a run. */
struct Cost
{
    double time{0};      ///< Processor time [s].
    double simulated{0}; ///< Simulated time [s].
    double hops{0};      ///< Packet-hops.
};

/** Load of a measurement. */
struct Load
{
    const char* name; ///< Name in the results.
    uint32_t bytes;   ///< Payload of each packet [bytes].
    double load;      ///< Offered load, as a share of a link's rate.
    bool failures;    ///< All four sources of unreliability are enabled.
};

/**
 * Run all-to-all traffic.
 * @param load the load
 * @param hosts number of hosts
 * @param ports ports of each switch
 * @return its cost
 */
Cost
MeasureClos(const Load& load, uint32_t hosts, uint32_t ports)
{
    auto clock = CreateObject<messaging::TickClock>();
    auto network = CreateObject<myrinet::MyrinetNetwork>();
    network->SetAttribute("Topology", StringValue("clos"));
    network->SetNodes(hosts);
    network->SetAttribute("SwitchPorts", UintegerValue(ports));
    if (load.failures)
    {
        network->SetAttribute("Corruption", DoubleValue(1e-7));
        network->SetAttribute("ReceiveFull", StringValue("drop"));
        network->SetAttribute("Timeout", StringValue("62.5ms"));
        network->SetAttribute("Overwrite", DoubleValue(0.5));
        network->SetAttribute("StallRate", DoubleValue(100));
    }
    network->SetClock(clock);
    network->AssignStreams(1);
    const auto port = network->GetNativePort();
    // Keeps the number of packets roughly constant over length, load and number of hosts.
    const auto duration =
        static_cast<messaging::Ticks>((load.bytes + 20) * 1000 / load.load * HOSTS / hosts);
    Cost cost;
    {
        const MyrinetTraffic traffic(clock, port, load.bytes, load.load, duration);
        const double start = GetCpuTime();
        Simulator::Run();
        cost.time = GetCpuTime() - start;
    }
    cost.hops = static_cast<double>(port->GetCounters().hops);
    cost.simulated = 1e-9 * static_cast<double>(duration);
    network->Dispose();
    clock->Dispose();
    Simulator::Destroy();
    return cost;
}

} // namespace

int
main()
{
    // From one to three levels of switches, in ascending size, so that the peak memory is that of
    // the last one.
    for (const uint32_t hosts : {8U, 16U, 32U, 64U, 128U, 256U, 512U, 1024U})
    {
        const std::string at = " at " + std::to_string(hosts) + " hosts";
        const Cost cost = MeasureClos(Load{"", 1024, 0.5, true}, hosts, 16);
        Report("Clos, all failures on, time" + at,
               cost.time / cost.simulated,
               "s/simulated s",
               "",
               0,
               0,
               hosts);
        Report("Clos, all failures on, memory" + at,
               GetMostMemory() / 1048576,
               "MiB",
               "",
               0,
               0,
               hosts);
        Report("Clos, all failures on, cost" + at,
               1e9 * cost.time / cost.hops,
               "ns/packet-hop",
               "",
               0,
               0,
               hosts);
    }
    for (const Load& load : {Load{"1024 bytes, load 0.3", 1024, 0.3, false},
                             Load{"1024 bytes, load 0.6", 1024, 0.6, false},
                             Load{"4096 bytes, load 0.6", 4096, 0.6, false},
                             Load{"16 bytes, load 0.3", 16, 0.3, false},
                             Load{"1024 bytes, load 0.6, failures on", 1024, 0.6, true}})
    {
        const auto rate = [&load] {
            const Cost cost = MeasureClos(load, HOSTS, 8);
            return cost.hops / cost.time;
        };
        const Pair pair(5, rate, [] { return MeasureChain("1.28Gb/s"); });
        Report(std::string("Clos of 128 hosts, all to all, ") + load.name,
               pair.value / 1e6,
               "M packet-hops/s",
               "ns-3's point-to-point chain",
               pair.beside / 1e6,
               pair.ratio);
    }
    return 0;
}
