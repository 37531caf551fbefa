/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-traffic-goal-builder.h"

#include <fstream>
#include <numeric>
#include <utility>

namespace ns3
{
namespace messaging
{

GoalBuilder::GoalBuilder(uint32_t ranks)
    : m_ranks(ranks),
      m_group(ranks)
{
    std::iota(m_group.begin(), m_group.end(), 0);
}

void
GoalBuilder::Add(uint32_t rank, std::vector<GoalOperation> operations)
{
    Rank& state = m_ranks.at(rank);
    std::vector<uint32_t> begun;
    for (GoalOperation& operation : operations)
    {
        operation.rank = rank;
        const auto index = static_cast<uint32_t>(state.operations.size());
        state.operations.push_back(operation);
        for (const uint32_t before : state.before)
        {
            state.dependencies.push_back({.operation = index, .required = before});
        }
        begun.push_back(index);
    }
    if (!begun.empty())
    {
        state.before = std::move(begun);
    }
}

void
GoalBuilder::Compute(uint32_t rank, uint64_t time)
{
    Add(rank, {{.kind = GoalKind::CALC, .amount = time}});
}

void
GoalBuilder::Send(uint32_t rank, uint32_t to, uint64_t bytes, uint32_t tag)
{
    m_ranks.at(to);
    Add(rank, {{.kind = GoalKind::SEND, .peer = to, .tag = tag, .amount = bytes}});
}

void
GoalBuilder::Receive(uint32_t rank, uint32_t from, uint64_t bytes, uint32_t tag)
{
    if (from != GOAL_ANY_SOURCE)
    {
        m_ranks.at(from);
    }
    Add(rank, {{.kind = GoalKind::RECV, .peer = from, .tag = tag, .amount = bytes}});
}

void
GoalBuilder::Exchange(uint32_t rank,
                      uint32_t to,
                      uint64_t sent,
                      uint32_t from,
                      uint64_t received,
                      uint32_t tag)
{
    m_ranks.at(to);
    m_ranks.at(from);
    Add(rank,
        {{.kind = GoalKind::RECV, .peer = from, .tag = tag, .amount = received},
         {.kind = GoalKind::SEND, .peer = to, .tag = tag, .amount = sent}});
}

void
GoalBuilder::SetGroup(const std::vector<uint32_t>& ranks)
{
    for (const uint32_t rank : ranks)
    {
        m_ranks.at(rank);
    }
    m_group = ranks;
}

void
GoalBuilder::AddCollective(CollectiveKind kind, uint64_t bytes, uint32_t root)
{
    const uint32_t instance = m_collectives++;
    for (const uint32_t rank : m_group)
    {
        Add(rank,
            {{.kind = GoalKind::COLL,
              .collective = kind,
              .peer = root,
              .tag = instance,
              .amount = bytes}});
    }
}

void
GoalBuilder::Barrier()
{
    AddCollective(CollectiveKind::BARRIER, 0);
}

void
GoalBuilder::Broadcast(uint32_t root, uint64_t bytes)
{
    AddCollective(CollectiveKind::BCAST, bytes, root);
}

void
GoalBuilder::Reduce(uint32_t root, uint64_t bytes)
{
    AddCollective(CollectiveKind::REDUCE, bytes, root);
}

void
GoalBuilder::Allreduce(uint64_t bytes)
{
    AddCollective(CollectiveKind::ALLREDUCE, bytes);
}

void
GoalBuilder::ReduceScatter(uint64_t bytes)
{
    AddCollective(CollectiveKind::REDUCE_SCATTER, bytes * m_group.size());
}

void
GoalBuilder::Gather(uint32_t root, uint64_t bytes)
{
    AddCollective(CollectiveKind::GATHER, bytes * m_group.size(), root);
}

void
GoalBuilder::Scatter(uint32_t root, uint64_t bytes)
{
    AddCollective(CollectiveKind::SCATTER, bytes * m_group.size(), root);
}

void
GoalBuilder::Allgather(uint64_t bytes)
{
    AddCollective(CollectiveKind::ALLGATHER, bytes * m_group.size());
}

void
GoalBuilder::Alltoall(uint64_t bytes)
{
    AddCollective(CollectiveKind::ALLTOALL, bytes * m_group.size());
}

void
GoalBuilder::Alltoallv(const std::vector<std::vector<uint64_t>>& bytes, uint32_t tag)
{
    const auto members = static_cast<uint32_t>(m_group.size());
    for (uint32_t self = 0; self < members; ++self)
    {
        std::vector<uint64_t> received(members);
        for (uint32_t from = 0; from < members; ++from)
        {
            received[from] = bytes.at(from).at(self);
        }
        std::vector<GoalOperation> operations;
        for (const CollectiveMessage& it : MakeAlltoallv(self, bytes[self], received))
        {
            operations.push_back({.kind = it.sends ? GoalKind::SEND : GoalKind::RECV,
                                  .peer = m_group[it.member],
                                  .tag = tag,
                                  .amount = it.bytes});
        }
        Add(m_group[self], std::move(operations));
    }
}

void
GoalBuilder::Scan(uint64_t bytes)
{
    AddCollective(CollectiveKind::SCAN, bytes);
}

GoalSchedule
GoalBuilder::GetSchedule() const
{
    GoalSchedule schedule{.ranks = static_cast<uint32_t>(m_ranks.size())};
    for (const Rank& rank : m_ranks)
    {
        const auto first = static_cast<uint32_t>(schedule.operations.size());
        schedule.operations.insert(schedule.operations.end(),
                                   rank.operations.begin(),
                                   rank.operations.end());
        for (const GoalDependency& it : rank.dependencies)
        {
            schedule.dependencies.push_back(
                {.operation = first + it.operation, .required = first + it.required});
        }
    }
    return schedule;
}

std::string
GoalBuilder::Write(const std::string& path) const
{
    std::ofstream file(path);
    file << FormatGoal(GetSchedule());
    file.close();
    return file ? "" : path + " cannot be written.";
}

} // namespace messaging
} // namespace ns3
