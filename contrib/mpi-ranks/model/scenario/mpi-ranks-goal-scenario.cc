/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mpi-ranks-goal-scenario.h"

#include "ns3/log.h"
#include "ns3/messaging-attributes.h"
#include "ns3/messaging-traffic-goal-expansion.h"
#include "ns3/mpi-ranks-goal.h"

#include <utility>

namespace ns3
{
namespace ranks
{

NS_LOG_COMPONENT_DEFINE("MpiRanksGoalScenario");
NS_OBJECT_ENSURE_REGISTERED(MpiGoalScenario);

using messaging::GoalKind;
using messaging::GoalOperation;
using messaging::GoalOrError;
using messaging::GoalSchedule;

namespace
{

/**
 * @return a schedule in which 16 ranks exchange 4 KiB four times, with the first ranks of the other
 * half and with neighbours in turn.
 */
GoalSchedule
MakeExchange()
{
    constexpr uint32_t RANKS = 16;
    constexpr uint32_t ROUNDS = 4;
    constexpr uint64_t COMPUTATION = 10000; // [ns]
    constexpr uint64_t BYTES = 4096;
    GoalSchedule schedule{.ranks = RANKS};
    for (uint32_t rank = 0; rank < RANKS; ++rank)
    {
        uint32_t received = 0;
        for (uint32_t round = 0; round < ROUNDS; ++round)
        {
            // Neighbours in odd rounds, the other half in even ones.
            uint32_t peer = rank ^ 1;
            if (round % 2 == 0)
            {
                peer = (rank + RANKS / 2) % RANKS;
            }
            GoalOperation operation{.rank = rank,
                                    .peer = peer,
                                    .tag = round,
                                    .amount = COMPUTATION};
            const uint32_t computed = schedule.Add(operation);
            if (round > 0)
            {
                schedule.dependencies.push_back({.operation = computed, .required = received});
            }
            operation.amount = BYTES;
            operation.kind = GoalKind::SEND;
            schedule.dependencies.push_back(
                {.operation = schedule.Add(operation), .required = computed});
            operation.kind = GoalKind::RECV;
            received = schedule.Add(operation);
        }
    }
    return schedule;
}

} // namespace

TypeId
MpiGoalScenario::GetTypeId()
{
    using S = MpiGoalScenario;
    static TypeId tid =
        messaging::Attributes<S>(
            messaging::SetSummary(
                TypeId("ns3::ranks::MpiGoalScenario"),
                "Run time of a GOAL schedule with one of six MPI designs over InfiniBand.")
                .SetParent<RankScenario>()
                .SetGroupName("MpiRanks")
                .AddConstructor<MpiGoalScenario>())
            .AddAttribute("File",
                          "GOAL schedule; empty for 16 ranks that "
                          "exchange 4 KiB four times [path; user].",
                          &S::m_file,
                          "")
            .AddAttribute("RingBytes",
                          "Size from which collectives of the schedule use rings instead of trees "
                          "[bytes; Open MPI: allreduce].",
                          &S::m_ringBytes,
                          messaging::GOAL_RING_BYTES)
            .AddResult("Time", "End of the last operation [s; result].", &S::m_time)
            .AddResult("Messages", "Messages between nodes [messages; result].", &S::m_messages)
            .AddResult("LocalMessages", "Messages inside nodes [messages; result].", &S::m_local)
            .AddResult("Ranks", "Ranks of the schedule [ranks; result].", &S::m_ranks)
            .Forward<&S::m_cluster>();
    return tid;
}

std::string
MpiGoalScenario::Check() const
{
    std::string name = "The schedule";
    m_read = {MakeExchange(), ""};
    if (!m_file.empty())
    {
        name = m_file;
        m_read = messaging::ReadGoalFile(m_file);
    }
    if (!m_read.error.empty())
    {
        return m_read.error + ".";
    }
    m_read = messaging::ExpandGoal(std::move(m_read.schedule), m_ringBytes);
    if (!m_read.error.empty())
    {
        return name + ": " + m_read.error + ".";
    }
    GoalProgram::FitTags(m_read.schedule);
    const uint32_t fits = m_cluster->GetNodes() * m_cluster->GetRanksPerNode();
    if (m_read.schedule.ranks > fits)
    {
        return name + " is for " + std::to_string(m_read.schedule.ranks) +
               " ranks, but Nodes and RanksPerNode allow only " + std::to_string(fits) + ".";
    }
    return m_cluster->Check();
}

void
MpiGoalScenario::DoRun()
{
    const GoalOrError read = std::exchange(m_read, {});
    NS_LOG_INFO("Runs a schedule of " << read.schedule.operations.size() << " operations on "
                                      << read.schedule.ranks << " ranks");
    GoalProgram program(&read.schedule);
    const auto main = [&program](Rank rank) { return program.Main(rank); };
    RunRanks(*m_cluster, read.schedule.ranks, main, [this](const RankCluster::System& system) {
        m_ranks = system.group->GetNRanks();
        m_time = static_cast<double>(system.group->GetEnd()) / NS_PER_S;
        m_messages = system.group->GetCounts().messages;
        m_local = system.group->GetCounts().localMessages;
        AddAdapters(*system.engine, system.group->GetEnd());
        TakeAdapterResults();
        TakeCommon(system, m_local);
    });
    if (GetVerdict() == messaging::Verdict::DEADLOCK)
    {
        const std::string cycle = messaging::FindGoalCycle(read.schedule);
        if (!cycle.empty())
        {
            SetVerdict(messaging::Verdict::DEADLOCK, "In " + m_file + ", " + cycle + ".");
        }
    }
}

} // namespace ranks
} // namespace ns3
