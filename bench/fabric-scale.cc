/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * Ultra Ethernet on many hosts: permutations of flows of 1 MB over fat trees of three tiers, with
 * the audit of each message; time and memory of a host. Each run is a separate process.
 */

#include "bench-htsim.h"

#include <algorithm>
#include <string>

using namespace ns3;
using namespace ns3::bench;

namespace
{

constexpr double TARGET_TIME = 600;      ///< Time of the largest run [s].
constexpr double TARGET_MEMORY = 24576;  ///< Memory of the largest run [MiB].
constexpr uint32_t LARGEST = 1 << 16;    ///< Hosts of the largest run.
constexpr double MICROSECONDS = 1000000; ///< Microseconds of a second.

} // namespace

int
main()
{
    struct Case
    {
        uint32_t hosts; ///< Hosts.
        uint32_t radix; ///< Ports of a switch.
    };

    double first = 0;
    for (const Case& each : {Case{1024, 16}, Case{8192, 32}, Case{LARGEST, 64}})
    {
        auto settings = GetHtsimPhysics(each.hosts, each.radix);
        settings["Workload"] = "permutation";
        settings["Size"] = "1000000";
        const std::string title = std::to_string(each.hosts) + " hosts";
        const auto run = RunScenario<fabric::FabricScenario>(settings, {"Packets", "Hops"});
        run.Require(title);
        const double perPacket = MICROSECONDS * run.seconds / run.results.at("Packets");
        if (first == 0)
        {
            first = perPacket;
        }
        const double mebibytes = run.peakBytes / 1048576;
        Report(title + ", time a packet",
               perPacket,
               "us",
               "1024 hosts",
               first,
               perPacket / first,
               each.hosts);
        Report(title + ", rate", run.results.at("Hops") / run.seconds / 1e6, "M packet-hops/s");
        Report(title + ", memory a host", run.peakBytes / each.hosts, "bytes");
        if (each.hosts == LARGEST)
        {
            Report(title + ", time", run.seconds, "s", "target", TARGET_TIME);
            Report(title + ", memory", mebibytes, "MiB", "target", TARGET_MEMORY);
        }
    }
    return 0;
}
