/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mpi-ranks-goal.h"

#include "ns3/log.h"
#include "ns3/messaging-traffic-goal-expansion.h"
#include "ns3/mpi-ranks-collectives.h"

#include <algorithm>

namespace ns3
{
namespace ranks
{

NS_LOG_COMPONENT_DEFINE("MpiRanksGoal");

using messaging::GoalDependency;
using messaging::GoalKind;
using messaging::GoalOperation;

GoalProgram::GoalProgram(const messaging::GoalSchedule* schedule)
    : m_schedule(schedule),
      m_dependants(schedule->operations.size()),
      m_missing(schedule->operations.size(), 0),
      m_left(schedule->ranks, 0),
      m_initial(schedule->ranks)
{
    for (const GoalDependency& it : schedule->dependencies)
    {
        m_dependants[it.required].push_back(it);
        ++m_missing[it.operation];
    }
    for (uint32_t i = 0; i < m_missing.size(); ++i)
    {
        ++m_left[schedule->operations[i].rank];
        if (m_missing[i] == 0)
        {
            m_initial[schedule->operations[i].rank].push_back(i);
        }
    }
}

void
GoalProgram::FitTags(messaging::GoalSchedule& schedule)
{
    const bool high = std::ranges::any_of(schedule.operations, [](const GoalOperation& it) {
        return it.kind != GoalKind::CALC && it.tag >= COLLECTIVE_TAGS &&
               it.tag != messaging::GOAL_ANY_TAG;
    });
    if (high)
    {
        messaging::RenumberGoalTags(schedule);
    }
}

void
GoalProgram::ReleaseDependants(uint32_t operation, bool start, std::vector<uint32_t>& ready)
{
    for (const GoalDependency& it : m_dependants[operation])
    {
        if (it.start == start && --m_missing[it.operation] == 0)
        {
            ready.push_back(it.operation);
        }
    }
}

RankTask<>
GoalProgram::Main(Rank rank)
{
    const auto& operations = m_schedule->operations;
    std::vector<uint32_t> ready = std::move(m_initial[rank.GetIndex()]);
    std::vector<uint32_t> operationOf;
    std::size_t next = 0;
    for (uint32_t left = m_left[rank.GetIndex()]; left > 0;)
    {
        if (next == ready.size())
        {
            ready.clear();
            next = 0;
            const RankEnded ended = co_await rank.WaitAny();
            --left;
            ReleaseDependants(operationOf[ended.request], false, ready);
            continue;
        }
        const uint32_t index = ready[next++];
        const GoalOperation& it = operations[index];
        NS_LOG_INFO("Rank " << rank.GetIndex() << " begins " << messaging::DescribeGoalOperation(it)
                            << ", " << messaging::GetGoalPlace(*m_schedule, index));
        ReleaseDependants(index, true, ready);
        if (it.kind == GoalKind::CALC)
        {
            co_await rank.Compute(it.amount);
            --left;
            ReleaseDependants(index, false, ready);
            continue;
        }
        RankRequest request = 0;
        if (it.kind == GoalKind::SEND)
        {
            request = co_await rank.Isend(it.peer, static_cast<uint32_t>(it.amount), it.tag, index);
        }
        else
        {
            request = co_await rank.Irecv(it.peer, it.tag);
        }
        operationOf.resize(std::max<std::size_t>(operationOf.size(), request + std::size_t{1}));
        operationOf[request] = index;
    }
}

} // namespace ranks
} // namespace ns3
