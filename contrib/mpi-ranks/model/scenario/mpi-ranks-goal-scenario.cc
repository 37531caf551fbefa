/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mpi-ranks-goal-scenario.h"

#include "ns3/log.h"
#include "ns3/messaging-attributes.h"
#include "ns3/messaging-scenario-results.h"
#include "ns3/mpi-ranks-goal.h"

#include <utility>

namespace ns3
{
namespace ranks
{

NS_LOG_COMPONENT_DEFINE("MpiRanksGoalScenario");
NS_OBJECT_ENSURE_REGISTERED(MpiGoalScenario);

using messaging::GoalOrError;

namespace
{

/** Unit of time of GOAL schedules [ns; LogGOPSim]. */
constexpr Ticks UNIT = 1;

} // namespace

TypeId
MpiGoalScenario::GetTypeId()
{
    static TypeId tid = [] {
        using S = MpiGoalScenario;
        TypeId type =
            messaging::SetSummary(
                TypeId("ns3::ranks::MpiGoalScenario"),
                "Run time of a GOAL schedule with one of six MPI designs over InfiniBand.")
                .SetParent<RankScenario>()
                .SetGroupName("MpiRanks")
                .AddConstructor<MpiGoalScenario>();
        messaging::Attributes<S>(type).AddAttribute("File",
                                                    "GOAL schedule [path; user].",
                                                    &S::m_file,
                                                    "");
        messaging::ScenarioResults results(type);
        results.AddReal("Time", "End of the last operation [s; result].", &S::m_time);
        results.AddCount("Messages", "Messages between nodes [messages; result].", &S::m_messages);
        results.AddCount("LocalMessages", "Messages inside nodes [messages; result].", &S::m_local);
        results.AddCount("Ranks", "Ranks of the schedule [ranks; result].", &S::m_ranks);
        ForwardCluster(type);
        return type;
    }();
    return tid;
}

GoalOrError
MpiGoalScenario::Read() const
{
    GoalOrError read = messaging::ReadGoalFile(m_file);
    if (read.error.empty())
    {
        const std::string error = GoalProgram(&read.schedule, UNIT).Check();
        const uint32_t fits = m_cluster->GetNodes() * m_cluster->GetRanksPerNode();
        if (!error.empty())
        {
            read.error = m_file + ": " + error;
        }
        else if (read.schedule.GetRanks() > fits)
        {
            read.error = m_file + " is for " + std::to_string(read.schedule.GetRanks()) +
                         " ranks, but Nodes and RanksPerNode give room for " + std::to_string(fits);
        }
    }
    read.error += read.error.empty() ? "" : ".";
    return read;
}

std::string
MpiGoalScenario::Check() const
{
    if (m_file.empty())
    {
        return "File must name a GOAL schedule.";
    }
    m_read = Read();
    return m_read.error.empty() ? m_cluster->Check() : m_read.error;
}

void
MpiGoalScenario::DoRun()
{
    const GoalOrError read = std::exchange(m_read, {});
    GoalProgram program(&read.schedule, UNIT);
    const auto main = [&program](Rank rank) { return program.Main(rank); };
    RunRanks(*m_cluster, read.schedule.GetRanks(), main, [this](const RankCluster::System& system) {
        m_ranks = system.group->GetNRanks();
        m_time = static_cast<double>(system.group->GetEnd()) / 1e9;
        m_messages = system.group->GetCounts().messages;
        m_local = system.group->GetCounts().localMessages;
        AddAdapters(*system.engine, system.group->GetEnd());
        TakeAdapterResults();
        TakeCommon(system, m_local);
    });
}

} // namespace ranks
} // namespace ns3
