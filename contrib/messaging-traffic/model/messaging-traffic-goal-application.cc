/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-traffic-goal-application.h"

#include "ns3/messaging-attributes.h"
#include "ns3/messaging-registry.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <tuple>

namespace ns3
{
namespace messaging
{

NS_OBJECT_ENSURE_REGISTERED(GoalApplication);

/** Schedule, with its operations by rank and dependencies by required operation. */
struct GoalApplication::Plan
{
    GoalSchedule schedule; ///< The schedule, its dependencies sorted by the required operation.
    /// First operation of each rank; a rank's operations follow each other, as in the file.
    std::vector<uint32_t> first;
    std::vector<uint32_t> count;    ///< Number of operations of each rank.
    std::vector<uint32_t> required; ///< Number of requirements of each operation.
    std::vector<uint32_t> offset; ///< First dependency on each operation, and the end of the last.
};

TypeId
GoalApplication::GetTypeId()
{
    static TypeId tid =
        Attributes<GoalApplication>(
            SetSummary(TypeId("ns3::messaging::GoalApplication"),
                       "The sends, receives and computations of a GOAL file.")
                .SetParent<BenchmarkApplication>()
                .SetGroupName("MessagingTraffic")
                .AddConstructor<GoalApplication>())
            .AddAttribute("File",
                          "GOAL schedule with a rank for each peer; its computations count in ns "
                          "[file; LogGOPSim].",
                          &GoalApplication::m_file,
                          "");
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
    const auto& operations = plan->schedule.operations;
    plan->first.resize(plan->schedule.ranks);
    plan->count.resize(plan->schedule.ranks);
    plan->required.resize(operations.size());
    plan->offset.resize(operations.size() + 1);
    for (uint32_t i = 0; i < operations.size(); ++i)
    {
        const uint32_t rank = operations[i].rank;
        if (plan->count[rank]++ == 0)
        {
            plan->first[rank] = i;
        }
    }
    std::ranges::stable_sort(plan->schedule.dependencies, {}, &GoalDependency::required);
    for (const auto& dependency : plan->schedule.dependencies)
    {
        ++plan->offset[dependency.required + 1];
        ++plan->required[dependency.operation];
    }
    std::partial_sum(plan->offset.begin(), plan->offset.end(), plan->offset.begin());
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
    if (error.empty() && m_plan->schedule.ranks != peers)
    {
        error = "The schedule " + m_file + " has " + std::to_string(m_plan->schedule.ranks) +
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
    m_first = m_plan->first[GetSelf()];
    m_left = m_plan->count[GetSelf()];
    const auto begin = m_plan->required.begin() + m_first;
    m_required.assign(begin, begin + m_left);
    m_receiving.assign(std::bit_ceil(std::clamp<uint32_t>(m_left, 1, GetNPeers())), List());
    if (m_left == 0)
    {
        End();
    }
    for (uint32_t i = 0; i < m_required.size(); ++i)
    {
        if (m_plan->required[m_first + i] == 0)
        {
            Start(m_first + i);
        }
    }
}

void
GoalApplication::Start(uint32_t operation)
{
    const auto& what = m_plan->schedule.operations[operation];
    const bool required = m_plan->offset[operation] < m_plan->offset[operation + 1];
    const uint32_t end = required ? operation : NONE;
    if (what.kind == GoalKind::SEND)
    {
        m_sending.Push(end); // Before those that Release may start.
    }
    Release(operation, true);
    switch (what.kind)
    {
    case GoalKind::SEND:
        Post(what.peer, what.amount, what.tag);
        break;
    case GoalKind::CALC:
        Simulator::Schedule(NanoSeconds(what.amount), &GoalApplication::Finish, this, end);
        break;
    case GoalKind::RECV:
        const Receive receive{end, what.peer, what.tag, NONE};
        const auto early = std::ranges::find_if(m_early, [&receive](const Delivery& message) {
            return Takes(receive, message);
        });
        if (early == m_early.end())
        {
            Append(receive);
        }
        else
        {
            m_early.erase(early);
            Finish(end);
        }
        break;
    }
}

void
GoalApplication::Finish(uint32_t operation)
{
    if (operation != NONE)
    {
        Release(operation, false);
    }
    if (--m_left == 0)
    {
        End();
    }
}

void
GoalApplication::Append(Receive receive)
{
    List& list = receive.from == GOAL_ANY_SOURCE ? m_anySource : GetList(receive.from);
    const auto number = static_cast<uint32_t>(m_posted.size());
    const bool alone = list.last == NONE;
    receive.next = alone ? number : std::exchange(m_posted[list.last].next, number);
    // Lists as many as peers have one source each.
    const bool plain = receive.operation == NONE && m_receiving.size() >= GetNPeers();
    list = {number, alone && plain ? receive.tag : GOAL_ANY_TAG};
    m_posted.push_back(receive);
}

std::pair<uint32_t, uint32_t>
GoalApplication::Find(const List& list, const Delivery& message) const
{
    for (uint32_t before = list.last, receive; before != NONE; before = receive)
    {
        receive = m_posted[before].next;
        if (Takes(m_posted[receive], message))
        {
            return {receive, before};
        }
        if (receive == list.last)
        {
            break;
        }
    }
    return {NONE, NONE};
}

void
GoalApplication::Release(uint32_t operation, bool start)
{
    for (uint32_t i = m_plan->offset[operation]; i < m_plan->offset[operation + 1]; ++i)
    {
        const auto& dependent = m_plan->schedule.dependencies[i];
        if (dependent.start == start && --m_required[dependent.operation - m_first] == 0)
        {
            Start(dependent.operation);
        }
    }
}

void
GoalApplication::DoReceive(const Delivery& delivery)
{
    m_session->Count(delivery.bytes);
    List* list = &GetList(delivery.from);
    if (list->alone == delivery.tag && m_anySource.last == NONE)
    {
        *list = {};
        Finish(NONE);
        return;
    }
    auto [receive, before] = Find(*list, delivery);
    // NONE is larger than all indices.
    if (const auto any = Find(m_anySource, delivery); any.first < receive)
    {
        list = &m_anySource;
        std::tie(receive, before) = any;
    }
    if (receive == NONE)
    {
        m_early.push_back(delivery);
        return;
    }
    m_posted[before].next = m_posted[receive].next;
    if (receive == list->last)
    {
        *list = {receive == before ? NONE : before};
    }
    Finish(m_posted[receive].operation);
}

void
GoalApplication::DoComplete()
{
    if (!m_sending.IsEmpty())
    {
        Finish(m_sending.Pop());
    }
}

} // namespace messaging
} // namespace ns3
