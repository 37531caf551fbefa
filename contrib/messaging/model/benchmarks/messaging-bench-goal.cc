/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-bench-goal.h"

#include "ns3/messaging-attributes.h"
#include "ns3/messaging-registry.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <map>
#include <utility>

namespace ns3
{
namespace messaging
{

NS_OBJECT_ENSURE_REGISTERED(GoalApplication);

/** Schedule, with its operations by rank. */
struct GoalApplication::Plan
{
    /** Operation that waits for another one. */
    struct Dependent
    {
        uint32_t operation; ///< The waiting operation.
        bool start;         ///< It waits for the start instead of the end.
    };

    GoalSchedule schedule{0};                       ///< The schedule.
    std::vector<std::vector<uint32_t>> byRank;      ///< Operations of each rank.
    std::vector<uint32_t> place;                    ///< Index of each operation in its rank.
    std::vector<std::vector<Dependent>> dependents; ///< Operations that wait for each one.
    std::vector<uint32_t> required;                 ///< Number of requirements of each operation.
};

TypeId
GoalApplication::GetTypeId()
{
    static TypeId tid = [] {
        TypeId type = SetSummary(TypeId("ns3::messaging::GoalApplication"),
                                 "The sends, receives and computations of a GOAL file.")
                          .SetParent<BenchmarkApplication>()
                          .SetGroupName("Messaging")
                          .AddConstructor<GoalApplication>();
        Attributes<GoalApplication>(type).AddAttribute(
            "File",
            "GOAL schedule with a rank for each peer; its computations count in ns "
            "[file; LogGOPSim].",
            &GoalApplication::m_file,
            "");
        return type;
    }();
    return tid;
}

std::shared_ptr<const GoalApplication::Plan>
GoalApplication::Load(const std::string& file, std::string& error)
{
    static std::map<std::string, std::weak_ptr<const Plan>> loaded;
    if (auto plan = loaded[file].lock())
    {
        return plan;
    }
    auto plan = std::make_shared<Plan>();
    auto [schedule, problem] = ReadGoalFile(file);
    error = problem;
    plan->schedule = std::move(schedule);
    const auto& operations = plan->schedule.GetOperations();
    plan->byRank.resize(plan->schedule.GetRanks());
    plan->place.resize(operations.size());
    plan->dependents.resize(operations.size());
    plan->required.resize(operations.size());
    for (uint32_t i = 0; i < operations.size(); ++i)
    {
        auto& own = plan->byRank[operations[i].rank];
        plan->place[i] = static_cast<uint32_t>(own.size());
        own.push_back(i);
    }
    for (const auto& dependency : plan->schedule.GetDependencies())
    {
        plan->dependents[dependency.required].push_back({dependency.operation, dependency.start});
        ++plan->required[dependency.operation];
    }
    if (error.empty())
    {
        loaded[file] = plan;
    }
    return plan;
}

std::string
GoalApplication::Check(uint32_t peers) const
{
    std::string error;
    m_plan = Load(m_file, error);
    if (error.empty() && m_plan->schedule.GetRanks() != peers)
    {
        error = "The schedule " + m_file + " has " + std::to_string(m_plan->schedule.GetRanks()) +
                " ranks, but there are " + std::to_string(peers) + " nodes.";
    }
    return error;
}

void
GoalApplication::DoBegin()
{
    if (const std::string error = Check(GetNPeers()); !error.empty())
    {
        m_session->Fail(error);
        return;
    }
    m_session->Begin();
    const auto& own = m_plan->byRank[GetSelf()];
    m_left = own.size();
    for (const uint32_t operation : own)
    {
        m_required.push_back(m_plan->required[operation]);
    }
    if (own.empty())
    {
        End();
    }
    for (const uint32_t operation : own)
    {
        if (m_plan->required[operation] == 0)
        {
            Start(operation);
        }
    }
}

void
GoalApplication::Start(uint32_t operation)
{
    const auto& what = m_plan->schedule.GetOperations()[operation];
    switch (what.kind)
    {
    case GoalKind::SEND:
        m_sending.push_back(operation);
        Release(operation, true);
        Post(what.peer, std::max<uint32_t>(what.amount, 1), what.tag);
        break;
    case GoalKind::CALC:
        Release(operation, true);
        Simulator::Schedule(NanoSeconds(what.amount), &GoalApplication::Finish, this, operation);
        break;
    case GoalKind::RECV:
        Release(operation, true);
        const Waiting receive{what.peer, what.tag, operation};
        const auto early =
            std::find_if(m_early.begin(), m_early.end(), [&](const Unexpected& message) {
                return Takes(receive, message);
            });
        if (early == m_early.end())
        {
            m_receiving.push_back(receive);
        }
        else
        {
            m_early.erase(early);
            Finish(operation);
        }
        break;
    }
}

void
GoalApplication::Finish(uint32_t operation)
{
    Release(operation, false);
    if (--m_left == 0)
    {
        End();
    }
}

void
GoalApplication::Release(uint32_t operation, bool start)
{
    for (const auto& dependent : m_plan->dependents[operation])
    {
        if (dependent.start == start && --m_required[m_plan->place[dependent.operation]] == 0)
        {
            Start(dependent.operation);
        }
    }
}

void
GoalApplication::DoReceive(const Delivery& delivery)
{
    m_session->Count(delivery.bytes);
    const Unexpected message{delivery.from, delivery.tag};
    const auto receive =
        std::find_if(m_receiving.begin(), m_receiving.end(), [&](const Waiting& waiting) {
            return Takes(waiting, message);
        });
    if (receive == m_receiving.end())
    {
        m_early.push_back(message);
        return;
    }
    const uint32_t operation = receive->operation;
    m_receiving.erase(receive);
    Finish(operation);
}

void
GoalApplication::DoComplete()
{
    if (!m_sending.empty())
    {
        const uint32_t operation = m_sending.front();
        m_sending.pop_front();
        Finish(operation);
    }
}

} // namespace messaging
} // namespace ns3
