/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mpi-ranks-goal-scenario.h"

#include "ns3/messaging-attributes.h"
#include "ns3/messaging-forwarded-attributes.h"
#include "ns3/messaging-scenario-results.h"
#include "ns3/mpi-ranks-goal.h"

#include <sstream>
#include <utility>

namespace ns3
{
namespace ranks
{

NS_OBJECT_ENSURE_REGISTERED(MpiGoalScenario);

using messaging::GoalOrError;

namespace
{

/** Unit of time of GOAL schedules [ns; LogGOPSim]. */
constexpr Ticks UNIT = 1;

/**
 * @return a schedule in which 16 ranks exchange 4 KiB four times, with the first ranks of the other
 * half and with neighbours in turn.
 */
std::string
MakeExchange()
{
    constexpr uint32_t RANKS = 16;
    constexpr uint32_t ROUNDS = 4;
    std::ostringstream goal;
    goal << "num_ranks " << RANKS << "\n";
    for (uint32_t rank = 0; rank < RANKS; ++rank)
    {
        goal << "rank " << rank << " {\n";
        for (uint32_t round = 0; round < ROUNDS; ++round)
        {
            const uint32_t peer = round % 2 == 0 ? (rank + RANKS / 2) % RANKS : rank ^ 1;
            goal << "c" << round << ": calc 10000\n"
                 << "s" << round << ": send 4096b to " << peer << " tag " << round << "\n"
                 << "r" << round << ": recv 4096b from " << peer << " tag " << round << "\n"
                 << "s" << round << " requires c" << round << "\n";
            if (round > 0)
            {
                goal << "c" << round << " requires r" << round - 1 << "\n";
            }
        }
        goal << "}\n";
    }
    return goal.str();
}

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
                                                    "GOAL schedule; empty for 16 ranks that "
                                                    "exchange 4 KiB four times [path; user].",
                                                    &S::m_file,
                                                    "");
        messaging::ScenarioResults results(type);
        results.AddReal("Time", "End of the last operation [s; result].", &S::m_time);
        results.AddCount("Messages", "Messages between nodes [messages; result].", &S::m_messages);
        results.AddCount("LocalMessages", "Messages inside nodes [messages; result].", &S::m_local);
        results.AddCount("Ranks", "Ranks of the schedule [ranks; result].", &S::m_ranks);
        messaging::ForwardAttributes<&S::m_cluster>(type);
        return type;
    }();
    return tid;
}

GoalOrError
MpiGoalScenario::Read() const
{
    GoalOrError read =
        m_file.empty() ? messaging::ParseGoal(MakeExchange()) : messaging::ReadGoalFile(m_file);
    const std::string name = m_file.empty() ? "The schedule" : m_file;
    if (read.error.empty())
    {
        const std::string error = GoalProgram(&read.schedule, UNIT).Check();
        const uint32_t fits = m_cluster->GetNodes() * m_cluster->GetRanksPerNode();
        if (!error.empty())
        {
            read.error = name + ": " + error;
        }
        else if (read.schedule.GetRanks() > fits)
        {
            read.error = name + " is for " + std::to_string(read.schedule.GetRanks()) +
                         " ranks, but Nodes and RanksPerNode allow only " + std::to_string(fits);
        }
    }
    read.error += read.error.empty() ? "" : ".";
    return read;
}

std::string
MpiGoalScenario::Check() const
{
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
