/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * MPI ranks over InfiniBand: jac2000 on 512 ranks for a second, on 4096 ranks, and GOAL schedules
 * compared with LogGOPSim, which has no network.
 */

#include "bench-scenario.h"

#include "ns3/messaging-traffic-goal-patterns.h"
#include "ns3/messaging-traffic-goal.h"
#include "ns3/mpi-ranks-application-scenario.h"
#include "ns3/mpi-ranks-goal-scenario.h"

using namespace ns3::bench;

/** Computation of a time step of jac2000 that leads to about the published rate [ns]. */
static const std::string COMPUTE = "685882";

/**
 * Run jac2000 with a given time step, so that only the run is measured.
 * @param name name of the result
 * @param settings further parameters
 * @param ranks number of ranks
 * @param target target processor time, 0 for none [s]
 */
static void
RunApplication(const std::string& name,
               std::map<std::string, std::string> settings,
               double ranks,
               double target)
{
    settings["Compute"] = COMPUTE;
    const auto run =
        RunScenario<ns3::ranks::MpiApplicationScenario>(settings, {"Messages", "EventsPerMessage"});
    run.Require(name);
    Report(name, run.seconds, "s", target > 0 ? "target" : "", target);
    Report(name + ", messages", run.results.at("Messages") * ranks / run.seconds, "messages/s");
    Report(name + ", events", run.results.at("EventsPerMessage"), "events/message");
    Report(name + ", memory", run.peakBytes / ranks, "bytes/rank");
}

int
main()
{
    RunApplication("512 ranks", {}, 512, 15);
    RunApplication("4096 ranks", {{"Nodes", "512"}, {"Duration", "0.05"}}, 4096, 0);

    struct Case
    {
        std::string name;
        ns3::messaging::GoalSchedule schedule;
        double recorded; ///< Messages per second of LogGOPSim on another machine.
    };

    const Case cases[] = {
        {"linear all-to-all", ns3::messaging::MakeLinearAlltoall(512, 8), 6e3},
        {"pairwise all-to-all", ns3::messaging::MakePairwiseAlltoall(512, 8), 1.9e6},
    };
    for (const auto& [name, schedule, recorded] : cases)
    {
        const TemporaryFile file(ns3::messaging::FormatGoal(schedule));
        const auto run = RunScenario<ns3::ranks::MpiGoalScenario>(
            {{"File", file.GetName()}},
            {"Messages", "LocalMessages", "EventsPerMessage"});
        run.Require(name);
        const double messages = run.results.at("Messages") + run.results.at("LocalMessages");
        Report(name, messages / run.seconds, "messages/s", "LogGOPSim, recorded", recorded);
        Report(name + ", events", run.results.at("EventsPerMessage"), "events/message");
    }
    return 0;
}
