/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/core-module.h"
#include "ns3/idempotent-module.h"
#include "ns3/messaging-module.h"
#include "ns3/wormhole-module.h"

#include <iostream>
#include <set>
#include <string>

/**
 * @file
 * @ingroup idempotent
 * Two ways to use the idempotent messaging protocol: a scenario with named results, and a user's
 * program, recorded with Load, Store, Wait, Fork and Join and replayed on a lossy grid.
 */

using namespace ns3;
using namespace ns3::idempotent;

namespace
{

/**
 * Run one of the paper's micro-benchmarks.
 * @param benchmark its name
 * @param nodes number of nodes
 * @param loss loss probability of a packet, in addition to drops by congestion
 * @return an empty text, or the error
 */
std::string
RunScenario(const std::string& benchmark, uint32_t nodes, double loss)
{
    for (const char* router : {"buffered", "lossy"})
    {
        auto scenario = CreateObject<IdempotentScenario>();
        scenario->SetAttribute("Benchmark", StringValue(benchmark));
        scenario->SetAttribute("Nodes", UintegerValue(nodes));
        scenario->SetAttribute("Router", StringValue(router));
        scenario->SetAttribute("Loss", DoubleValue(std::string(router) == "lossy" ? loss : 0));
        if (const auto refused = scenario->Check(); !refused.empty())
        {
            return refused;
        }
        scenario->Run();
        UintegerValue cycles;
        DoubleValue packets;
        scenario->GetAttribute("Cycles", cycles);
        scenario->GetAttribute("PacketsPerMessage", packets);
        std::cout << benchmark << " on a " << router << " network of " << nodes
                  << " nodes: " << scenario->GetVerdictName() << " after " << cycles.Get()
                  << " cycles, " << packets.Get() << " packets for each message\n";
    }
    return "";
}

/**
 * Record a user's program and replay it on a lossy grid.
 * @param nodes number of nodes
 * @return false if the delivery audit has found a violation
 */
bool
RunProgram(uint32_t nodes)
{
    // Each node reads a word of node 0 and stores it at its neighbour.
    Recorder recorder(nodes);
    const uint32_t offset = recorder.Allocate(2);
    for (uint32_t node = 0; node < nodes; ++node)
    {
        recorder.Start(node);
        const Word word = recorder.Load(Pointer{0, offset});
        recorder.Store(Pointer{(node + 1) % nodes, offset + 1}, word + node);
        recorder.Wait();
    }
    const Trace trace = recorder.Finish();

    auto network = CreateObject<wormhole::WormholeNetwork>();
    network->SetAttribute("Nodes", UintegerValue(nodes));
    auto clock = CreateObject<messaging::TickClock>();
    network->SetClock(clock);
    IdempotentSettings settings;
    settings.config.messageHeader = 0;
    settings.config.sendTable = 8;
    settings.backoff = {BackoffKind::LINEAR, 24};
    auto group = CreateObject<IdempotentPortGroup<wormhole::WormholePort>>();
    group->Connect(clock, network->GetNativePort(), settings);
    auto audit = CreateObject<messaging::DeliveryAudit>();
    audit->SetGroup(group);
    auto replayer = CreateObject<TraceReplayer>();
    replayer->Start(trace, audit, clock);
    Simulator::Run();
    const bool clean = audit->Finish();
    std::cout << "A program of " << trace.blocks.size() << " blocks and "
              << replayer->GetNMessages() << " messages took " << replayer->GetRunTime()
              << " cycles; " << group->GetEventCount(Event::MSG_REPEATED)
              << " messages were repeated; the audit is " << (clean ? "clean" : "not clean")
              << "\n";
    Simulator::Destroy();
    return clean;
}

} // namespace

int
main(int argc, char* argv[])
{
    std::string benchmark = "reverse";
    uint32_t nodes = 64;
    double loss = 0;
    CommandLine cmd(__FILE__);
    cmd.AddValue("benchmark", "Micro-benchmark: add, reverse, quicksort or nbody", benchmark);
    cmd.AddValue("nodes", "Number of nodes", nodes);
    cmd.AddValue("loss", "Probability that a packet is lost", loss);
    cmd.Parse(argc, argv);
    const std::set<std::string> known{"add", "reverse", "quicksort", "nbody"};
    if (!known.contains(benchmark) || nodes == 0 || !(loss >= 0 && loss <= 1))
    {
        std::cerr << "The arguments must be benchmark add, reverse, quicksort or nbody, at least "
                     "one node, and a loss from 0 to 1."
                  << std::endl;
        return 2;
    }
    if (const auto refused = RunScenario(benchmark, nodes, loss); !refused.empty())
    {
        std::cerr << refused << std::endl;
        return 2;
    }
    return RunProgram(nodes) ? 0 : 1;
}
