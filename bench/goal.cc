/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * GOAL schedules of all-to-all exchanges on 512 ranks, read from a file, simulated hop by hop, and
 * audited. LogGOPSim, the baseline, has no network.
 */

#include "bench-scenario.h"

#include "ns3/idempotent-protocol.h"
#include "ns3/messaging-registry.h"
#include "ns3/messaging-scenario-reliability.h"
#include "ns3/messaging-traffic-goal-patterns.h"
#include "ns3/messaging-traffic-goal.h"
#include "ns3/wormhole-network.h"

using namespace ns3::bench;
using namespace ns3::messaging;

/** Number of ranks. */
static constexpr uint32_t RANKS = 512;

/** Length of each message [bytes]. */
static constexpr uint32_t BYTES = 8;

int
main()
{
    struct Case
    {
        std::string name;
        GoalSchedule schedule;
        double recorded; ///< Messages per second of LogGOPSim on another machine.
    };

    const Case cases[] = {
        {"linear all-to-all", MakeLinearAlltoall(RANKS, BYTES), 6e3},
        {"pairwise all-to-all", MakePairwiseAlltoall(RANKS, BYTES), 1.9e6},
    };
    // The use of their TypeIds makes the linker keep their libraries.
    const std::string network =
        GetName(ns3::wormhole::WormholeNetwork::GetTypeId(), Network::GetTypeId());
    const std::string protocol =
        GetName(ns3::idempotent::IdempotentProtocol::GetTypeId(), Protocol::GetTypeId());
    for (const auto& [pattern, schedule, recorded] : cases)
    {
        const TemporaryFile file(FormatGoal(schedule));
        for (const std::string router : {"lossy", "buffered"})
        {
            const std::string name = pattern + ", " + router + " grid";
            const auto run = RunScenario<ReliabilityScenario>(
                {{"Network", network},
                 {"Protocol", router == "lossy" ? protocol : "none"},
                 {"Pattern", "goal"},
                 {"Nodes", std::to_string(RANKS)},
                 {"network.Router", router},
                 {"pattern.File", file.GetName()}},
                {"Delivered", "FramesPerMessage"});
            run.Require(name);
            Report(name,
                   run.results.at("Delivered") / run.seconds,
                   "messages/s",
                   "LogGOPSim, recorded",
                   recorded);
            Report(name + ", per message", run.results.at("FramesPerMessage"), "frames/message");
        }
    }
    return 0;
}
