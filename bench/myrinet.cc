/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * A Clos of 128 hosts with flow control, all to all, beside ns-3's point-to-point chain without.
 */

#include "bench-common.h"

#include "ns3/double.h"
#include "ns3/mac48-address.h"
#include "ns3/myrinet-traffic.h"
#include "ns3/node-container.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <map>

using namespace ns3;
using namespace ns3::bench;

namespace
{

constexpr uint32_t HOSTS = 128; ///< Hosts of the Clos.

/**
 * Get how much memory the process has had at most.
 * @return the resident pages [bytes]
 */
double
GetMostMemory()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

/** What the hosts of a measurement do. */
struct Load
{
    const char* name; ///< In the results.
    uint32_t bytes;   ///< Payload of each packet.
    double load;      ///< Share of a link's rate.
    bool failures;    ///< All four sources of unreliability are on.
};

/**
 * Run all-to-all traffic.
 * @param load what the hosts do
 * @param hosts how many hosts
 * @param ports of each switch
 * @return packet-hops a second
 */
double
MeasureClos(const Load& load, uint32_t hosts, uint32_t ports)
{
    auto clock = CreateObject<messaging::TickClock>();
    auto port = CreateObject<myrinet::MyrinetPort>();
    port->SetAttribute("Topology", StringValue("clos"));
    port->SetAttribute("Hosts", UintegerValue(hosts));
    port->SetAttribute("SwitchPorts", UintegerValue(ports));
    if (load.failures)
    {
        port->SetAttribute("Corruption", DoubleValue(1e-7));
        port->SetAttribute("ReceiveFull", StringValue("drop"));
        port->SetAttribute("Timeout", StringValue("62.5ms"));
        port->SetAttribute("Overwrite", DoubleValue(0.5));
        port->SetAttribute("StallRate", DoubleValue(100));
    }
    port->SetClock(clock);
    port->AssignStreams(1);
    myrinet::TrafficConfig config;
    config.pattern = myrinet::Pattern::ALL_TO_ALL;
    config.bytes = load.bytes;
    config.load = load.load;
    // About as many packets at any length, load and number of hosts.
    config.duration =
        static_cast<messaging::Ticks>((load.bytes + 20) * 1000 / load.load * HOSTS / hosts);
    double start;
    {
        myrinet::Traffic traffic(clock, port, config);
        traffic.AssignStreams(10);
        traffic.Start();
        start = GetCpuTime();
        Simulator::Run();
    }
    const double rate = static_cast<double>(port->GetCounters().hops) / (GetCpuTime() - start);
    port->Dispose();
    clock->Dispose();
    Simulator::Destroy();
    return rate;
}

/**
 * Send packets along a chain of ns-3's point-to-point devices, which hand them on without IP.
 * @return packet-hops a second
 */
double
MeasureChain()
{
    constexpr uint32_t LINKS = 6;
    constexpr uint32_t PACKETS = 20000;
    NodeContainer nodes(LINKS + 1);
    PointToPointHelper helper;
    helper.SetDeviceAttribute("DataRate", StringValue("1.28Gb/s"));
    helper.SetChannelAttribute("Delay", StringValue("15ns"));
    helper.SetQueue("ns3::DropTailQueue<Packet>", "MaxSize", StringValue("100000p"));
    uint64_t hops = 0;
    std::map<Ptr<NetDevice>, Ptr<NetDevice>> next;
    Ptr<NetDevice> first;
    Ptr<NetDevice> last;
    for (uint32_t link = 0; link < LINKS; ++link)
    {
        const auto ends = helper.Install(nodes.Get(link), nodes.Get(link + 1));
        first = first ? first : ends.Get(0);
        if (last)
        {
            next[last] = ends.Get(0);
        }
        last = ends.Get(1);
        last->SetReceiveCallback(
            [&hops, &next](Ptr<NetDevice> at, Ptr<const Packet> packet, uint16_t, const Address&) {
                ++hops;
                if (const auto onward = next.find(at); onward != next.end())
                {
                    onward->second->Send(packet->Copy(), Mac48Address("ff:ff:ff:ff:ff:ff"), 0x800);
                }
                return true;
            });
    }
    for (uint32_t n = 0; n < PACKETS; ++n)
    {
        Simulator::Schedule(MicroSeconds(7) * n, [first] {
            first->Send(Create<Packet>(1024), Mac48Address("ff:ff:ff:ff:ff:ff"), 0x800);
        });
    }
    const double start = GetCpuTime();
    Simulator::Run();
    const double rate = static_cast<double>(hops) / (GetCpuTime() - start);
    Simulator::Destroy();
    return rate;
}

} // namespace

int
main()
{
    // From one level of switches to three; the sizes rise, so that the most memory is the last
    // one's.
    for (const uint32_t hosts : {8U, 32U, 128U, 512U, 1024U})
    {
        const std::string name = "Clos, 1024 bytes, load 0.5, failures on";
        const double rate = MeasureClos(Load{"", 1024, 0.5, true}, hosts, 16);
        Report(name, rate / 1e6, "M packet-hops/s", "", 0, 0, hosts);
        Report(name + ", memory", GetMostMemory() / hosts / 1024, "KiB/host", "", 0, 0, hosts);
    }
    for (const Load& load : {Load{"1024 bytes, load 0.3", 1024, 0.3, false},
                             Load{"1024 bytes, load 0.6", 1024, 0.6, false},
                             Load{"4096 bytes, load 0.6", 4096, 0.6, false},
                             Load{"16 bytes, load 0.3", 16, 0.3, false},
                             Load{"1024 bytes, load 0.6, failures on", 1024, 0.6, true}})
    {
        const Pair pair(5, [&load] { return MeasureClos(load, HOSTS, 8); }, MeasureChain);
        Report(std::string("Clos of 128 hosts, all to all, ") + load.name,
               pair.value / 1e6,
               "M packet-hops/s",
               "ns-3's point-to-point chain",
               pair.beside / 1e6,
               pair.ratio);
    }
    return 0;
}
