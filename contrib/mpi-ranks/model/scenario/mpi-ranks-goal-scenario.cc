/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mpi-ranks-goal-scenario.h"

#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/messaging-forwarded-attributes.h"
#include "ns3/messaging-scenario-results.h"
#include "ns3/mpi-ranks-goal.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace ranks
{

NS_LOG_COMPONENT_DEFINE("MpiRanksGoalScenario");
NS_OBJECT_ENSURE_REGISTERED(MpiGoalScenario);

using messaging::GoalOrError;
using messaging::Verdict;

namespace
{

/** Simulated time after which a run has failed [s]. */
constexpr int64_t LIMIT = 3600;

} // namespace

TypeId
MpiGoalScenario::GetTypeId()
{
    static TypeId tid = [] {
        using S = MpiGoalScenario;
        TypeId type =
            SetSummary(TypeId("ns3::ranks::MpiGoalScenario"),
                       "Run time of a GOAL schedule with one of six MPI designs over InfiniBand.")
                .SetParent<AdapterScenario>()
                .SetGroupName("MpiRanks")
                .AddConstructor<MpiGoalScenario>();
        type.AddAttribute("File",
                          "GOAL schedule [path; user].",
                          StringValue(""),
                          MakeStringAccessor(&S::m_file),
                          MakeStringChecker());
        type.AddAttribute("TimeUnit",
                          "Length of a computation of 1 [ns; LogGOPSim].",
                          UintegerValue(1),
                          MakeUintegerAccessor(&S::m_unit),
                          MakeUintegerChecker<Ticks>(1, 1'000'000'000));
        messaging::ScenarioResults results(type);
        results.AddReal("Time", "When the last operation has ended [s; result].", &S::m_time);
        results.AddReal("EventsPerMessage",
                        "Events of ranks and engine for each message [1/message; result].",
                        &S::m_events);
        results.AddReal(
            "ContextMisses",
            "Contexts of queue pairs fetched over PCI Express, for each message between nodes "
            "[1/message; result].",
            &S::m_misses);
        results.AddCount("Messages", "Messages between nodes [messages; result].", &S::m_messages);
        results.AddCount("LocalMessages", "Messages inside nodes [messages; result].", &S::m_local);
        results.AddCount("Ranks", "Ranks of the schedule [ranks; result].", &S::m_ranks);
        messaging::ForwardAttributes(
            type,
            RankCluster::GetTypeId(),
            [](const ObjectBase* owner) -> Ptr<Object> {
                return static_cast<const MpiGoalScenario*>(owner)->m_cluster;
            });
        return type;
    }();
    return tid;
}

MpiGoalScenario::MpiGoalScenario()
    : m_cluster(CreateObject<RankCluster>())
{
}

MpiGoalScenario::~MpiGoalScenario() = default;

void
MpiGoalScenario::DoDispose()
{
    m_cluster = nullptr;
    AdapterScenario::DoDispose();
}

GoalOrError
MpiGoalScenario::Read() const
{
    GoalOrError read = messaging::ReadGoalFile(m_file);
    if (read.error.empty())
    {
        const std::string error = GoalProgram(&read.schedule, m_unit).Check();
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
    const auto system = m_cluster->Build(read.schedule.GetRanks());
    if (!system.error.empty())
    {
        SetVerdict(Verdict::FAILED, system.error);
        return;
    }
    GoalProgram program(&read.schedule, m_unit);
    system.group->Start([&program](Rank rank) { return program.Main(rank); });
    Simulator::Stop(Seconds(LIMIT));
    Simulator::Run();
    m_ranks = system.group->GetNRanks();
    const RankGroupCounts& counts = system.group->GetCounts();
    const auto [verdict, reason] = system.group->Audit();
    SetVerdict(verdict, reason);
    m_time = static_cast<double>(system.group->GetEnd()) / 1e9;
    AddAdapters(*system.engine, system.group->GetEnd());
    TakeAdapterResults();
    m_messages = counts.messages;
    m_local = counts.localMessages;
    const auto all = static_cast<double>(std::max<uint64_t>(1, m_messages + m_local));
    m_events = static_cast<double>(counts.events + system.engine->GetNEvents()) / all;
    m_misses = static_cast<double>(system.engine->GetNContextMisses()) /
               static_cast<double>(std::max<uint64_t>(1, m_messages));
    system.group->Dispose();
    Simulator::Destroy();
}

} // namespace ranks
} // namespace ns3
