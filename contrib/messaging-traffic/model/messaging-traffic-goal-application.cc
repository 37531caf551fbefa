/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-traffic-goal-application.h"

#include "messaging-traffic-goal-expansion.h"

#include "ns3/log.h"
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

NS_LOG_COMPONENT_DEFINE("MessagingTrafficGoal");
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
                          "")
            .AddAttribute("RingBytes",
                          "Size from which collectives of the schedule use rings instead of trees "
                          "[bytes; Open MPI: allreduce].",
                          &GoalApplication::m_ringBytes,
                          GOAL_RING_BYTES);
    return tid;
}

std::shared_ptr<const GoalApplication::Plan>
GoalApplication::Load(const std::string& file, uint64_t ringBytes, std::string& error)
{
    static std::map<std::pair<std::string, uint64_t>, std::weak_ptr<const Plan>> loaded;
    if (auto plan = loaded[{file, ringBytes}].lock())
    {
        return plan;
    }
    auto plan = std::make_shared<Plan>();
    GoalOrError read = ReadGoalFile(file);
    error = read.error;
    if (error.empty())
    {
        read = ExpandGoal(std::move(read.schedule), ringBytes);
        error = read.error.empty() ? "" : file + ": " + read.error;
    }
    plan->schedule = std::move(read.schedule);
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
        loaded[{file, ringBytes}] = plan;
    }
    return plan;
}

std::string
GoalApplication::Check(uint32_t peers) const
{
    if (m_file.empty())
    {
        return "The pattern goal needs a schedule: set pattern.File=FILE.";
    }
    std::string error;
    m_plan = Load(m_file, m_ringBytes, error);
    if (!error.empty() && error.back() != '.')
    {
        error += '.';
    }
    if (error.empty() && m_plan->schedule.ranks != peers)
    {
        error = "The schedule " + m_file + " has " + std::to_string(m_plan->schedule.ranks) +
                " ranks, but there are " + std::to_string(peers) + " nodes.";
    }
    return error.empty() ? CheckTimes() : error;
}

std::string
GoalApplication::FindDeadlock() const
{
    const std::string cycle = m_plan ? FindGoalCycle(m_plan->schedule) : "";
    return cycle.empty() ? "" : "In " + m_file + ", " + cycle + ".";
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
    m_starting = true;
    for (uint32_t i = 0; i < m_required.size(); ++i)
    {
        if (m_plan->required[m_first + i] == 0)
        {
            Start(m_first + i);
        }
    }
    m_starting = false;
    StartReady();
}

void
GoalApplication::Start(uint32_t operation)
{
    const auto& what = m_plan->schedule.operations[operation];
    const bool required = m_plan->offset[operation] < m_plan->offset[operation + 1];
    const uint32_t end = required ? operation : NONE;
    NS_LOG_INFO("Rank " << GetSelf() << " begins " << DescribeGoalOperation(what) << ", "
                        << GetGoalPlace(m_plan->schedule, operation));
    switch (what.kind)
    {
    case GoalKind::SEND:
        m_sends.push_back(end); // Before its completion, which may come at once.
        Post(what.peer, static_cast<uint32_t>(what.amount), what.tag);
        break;
    case GoalKind::RECV: {
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
    default:
        Simulator::Schedule(NanoSeconds(what.amount), &GoalApplication::FinishCalc, this, end);
        break;
    }
    if (required)
    {
        Release(operation, true);
    }
}

void
GoalApplication::StartReady()
{
    if (m_starting)
    {
        return;
    }
    m_starting = true;
    while (!m_ready.IsEmpty())
    {
        Start(m_ready.Pop());
    }
    m_starting = false;
}

void
GoalApplication::FinishCalc(uint32_t operation)
{
    m_session->Extend();
    Finish(operation);
    StartReady();
}

void
GoalApplication::Finish(uint32_t operation)
{
    NS_LOG_LOGIC("An operation of rank " << GetSelf() << " ends, of " << m_left);
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
            m_ready.Push(dependent.operation);
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
    StartReady();
}

void
GoalApplication::DoStage(RequestId id, Completion)
{
    if (m_sends[id] != ENDED)
    {
        Finish(std::exchange(m_sends[id], ENDED));
        StartReady();
    }
}

} // namespace messaging
} // namespace ns3
