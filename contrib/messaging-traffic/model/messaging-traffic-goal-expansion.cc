/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-traffic-goal-expansion.h"

#include "ns3/log.h"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{
namespace messaging
{

NS_LOG_COMPONENT_DEFINE("MessagingTrafficExpansion");

namespace
{

/// @return true if a message is sent in pieces. @param operation the operation
bool
IsLong(const GoalOperation& operation)
{
    const bool message = operation.kind == GoalKind::SEND || operation.kind == GoalKind::RECV;
    return message && operation.amount > GOAL_WHOLE_BYTES;
}

/// Consecutive operations.
struct Section
{
    uint32_t first; ///< The first one.
    uint32_t count; ///< Their number.
};

/**
 * Adds an operation, or the pieces of its message.
 *
 * @param schedule the schedule, extended
 * @param operation the operation
 * @return what was added
 */
Section
AddPieces(GoalSchedule& schedule, GoalOperation operation)
{
    const auto first = static_cast<uint32_t>(schedule.operations.size());
    if (IsLong(operation))
    {
        uint64_t left = operation.amount;
        operation.amount = GOAL_PIECE_BYTES;
        for (; left > GOAL_PIECE_BYTES; left -= GOAL_PIECE_BYTES)
        {
            schedule.Add(operation);
        }
        operation.amount = left;
    }
    schedule.Add(operation);
    return {first, static_cast<uint32_t>(schedule.operations.size()) - first};
}

/// A collective of several ranks.
struct Instance
{
    uint32_t operation{0};         ///< Its operation at the first rank.
    uint32_t tag{0};               ///< Tag of its messages.
    std::vector<uint32_t> ranks{}; ///< Its ranks in order.
};

/**
 * Writes the messages of a rank in a collective. The messages of a step begin when those of the
 * step before have ended, the first ones after a computation of no time.
 */
class StepWriter
{
  public:
    /**
     * Construct.
     *
     * @param schedule the schedule, extended
     * @param what the operation to replace
     * @param instance its collective
     */
    StepWriter(GoalSchedule& schedule, const GoalOperation& what, const Instance& instance)
        : m_schedule(schedule),
          m_instance(instance),
          m_what(what)
    {
        m_before.push_back(AddMark());
    }

    /// Ends with a computation of no time. @return its index
    uint32_t End()
    {
        const uint32_t end = AddMark();
        Require(end);
        return end;
    }

    /// Writes all messages. @param ring whether the collective uses a ring
    void Write(bool ring)
    {
        const CollectiveKind kind = m_what.collective;
        const Collective collective{.kind = kind,
                                    .members = static_cast<uint32_t>(m_instance.ranks.size()),
                                    .root = HasRoot(kind) ? GetMember(m_what.peer) : 0,
                                    .bytes = m_what.amount,
                                    .ring = ring};
        uint32_t step = 0;
        for (const CollectiveMessage& it : MakeCollective(collective, GetMember(m_what.rank)))
        {
            if (it.step != step)
            {
                EndStep();
                step = it.step;
            }
            Add(it);
        }
        EndStep();
    }

  private:
    /// @return the number of a member. @param rank its rank
    uint32_t GetMember(uint32_t rank) const
    {
        const auto& ranks = m_instance.ranks;
        return static_cast<uint32_t>(std::ranges::lower_bound(ranks, rank) - ranks.begin());
    }

    /// Adds a computation of no time. @return its index
    uint32_t AddMark()
    {
        return m_schedule.Add({.rank = m_what.rank, .line = m_what.line});
    }

    /// Lets an operation wait for the step before. @param operation the operation
    void Require(uint32_t operation)
    {
        for (const uint32_t before : m_before)
        {
            m_schedule.dependencies.push_back({.operation = operation, .required = before});
        }
    }

    /// Adds a message to the current step. @param message the message
    void Add(const CollectiveMessage& message)
    {
        const auto [first, count] =
            AddPieces(m_schedule,
                      {.kind = message.sends ? GoalKind::SEND : GoalKind::RECV,
                       .rank = m_what.rank,
                       .peer = m_instance.ranks[message.member],
                       .tag = m_instance.tag,
                       .amount = message.bytes,
                       .line = m_what.line});
        for (uint32_t i = first; i < first + count; ++i)
        {
            m_step.push_back(i);
            Require(i);
        }
    }

    /// Ends a step.
    void EndStep()
    {
        if (!m_step.empty())
        {
            m_before = std::exchange(m_step, {});
        }
    }

    GoalSchedule& m_schedule;       ///< The schedule.
    const Instance& m_instance;     ///< The collective.
    GoalOperation m_what;           ///< The operation.
    std::vector<uint32_t> m_before; ///< Operations of the step before.
    std::vector<uint32_t> m_step;   ///< Operations of the current step.
};

/// Replaces operations of a schedule. Its functions throw std::runtime_error at the first error.
class Expansion
{
  public:
    /**
     * Construct.
     *
     * @param schedule the schedule
     * @param ringBytes size from which a collective uses a ring [bytes]
     */
    Expansion(GoalSchedule schedule, uint64_t ringBytes)
        : m_from(std::move(schedule)),
          m_ringBytes(ringBytes)
    {
    }

    /// @return the schedule
    GoalSchedule Run()
    {
        FindInstances();
        m_to.ranks = m_from.ranks;
        m_begins.reserve(m_from.operations.size());
        m_ends.reserve(m_from.operations.size());
        for (uint32_t i = 0; i < m_from.operations.size(); ++i)
        {
            Replace(i);
        }
        for (const GoalDependency& it : m_from.dependencies)
        {
            const Section& required = it.start ? m_begins[it.required] : m_ends[it.required];
            const Section& waiting = m_begins[it.operation];
            for (uint32_t i = 0; i < waiting.count; ++i)
            {
                for (uint32_t j = 0; j < required.count; ++j)
                {
                    m_to.dependencies.push_back({.operation = waiting.first + i,
                                                 .required = required.first + j,
                                                 .start = it.start});
                }
            }
        }
        return std::move(m_to);
    }

  private:
    /// Group, instance, and which of the equal ones of a rank.
    using Key = std::tuple<uint32_t, uint32_t, uint32_t>;

    /**
     * Stops at an error.
     *
     * @param operation the operation
     * @param what its error
     */
    [[noreturn]] void Fail(uint32_t operation, const std::string& what) const
    {
        throw std::runtime_error(GetGoalPlace(m_from, operation) + ": " + what);
    }

    /// Finds the members of all collectives, and gives them tags.
    void FindInstances()
    {
        const auto& operations = m_from.operations;
        std::map<Key, uint32_t> numbers;
        std::map<std::pair<uint32_t, uint32_t>, uint32_t> repeats;
        for (uint32_t i = 0; i < operations.size(); ++i)
        {
            if (i > 0 && operations[i].rank != operations[i - 1].rank)
            {
                repeats.clear();
            }
            if (operations[i].kind != GoalKind::COLL)
            {
                continue;
            }
            const GoalOperation& it = operations[i];
            const Key key{it.group, it.tag, repeats[{it.group, it.tag}]++};
            const auto number = static_cast<uint32_t>(m_instances.size());
            const auto found = numbers.emplace(key, number).first;
            if (found->second == number)
            {
                m_instances.push_back({.operation = i});
            }
            m_instanceOf.push_back(found->second);
            Instance& instance = m_instances[found->second];
            instance.ranks.push_back(it.rank);
            CheckMember(instance.operation, i);
        }
        if (m_instances.empty())
        {
            return;
        }
        const uint32_t tags = RenumberGoalTags(m_from);
        for (uint32_t i = 0; i < m_instances.size(); ++i)
        {
            m_instances[i].tag = tags + i;
            std::ranges::sort(m_instances[i].ranks);
            CheckRoot(m_instances[i]);
        }
        for (uint32_t i = 0; i < operations.size(); ++i)
        {
            if (operations[i].kind == GoalKind::RECV && operations[i].tag == GOAL_ANY_TAG)
            {
                Fail(i, "a receive with tag -1 could take a message of a collective");
            }
        }
    }

    /**
     * Checks that an operation belongs to a collective.
     *
     * @param first an operation of the collective
     * @param operation another one
     */
    void CheckMember(uint32_t first, uint32_t operation) const
    {
        const GoalOperation& one = m_from.operations[first];
        const GoalOperation& other = m_from.operations[operation];
        if (one.collective != other.collective || one.amount != other.amount ||
            one.peer != other.peer)
        {
            Fail(operation,
                 "kind, bytes or root of the collective of group " + std::to_string(one.group) +
                     ", instance " + std::to_string(one.tag) + " differ from those of " +
                     GetGoalPlace(m_from, first));
        }
    }

    /// Checks that the root takes part, where there has to be one. @param instance a collective
    void CheckRoot(const Instance& instance) const
    {
        const GoalOperation& it = m_from.operations[instance.operation];
        if (HasRoot(it.collective) && !std::ranges::binary_search(instance.ranks, it.peer))
        {
            Fail(instance.operation,
                 std::string(GetCollectiveWord(it.collective)) + " needs one of its ranks as root");
        }
    }

    /// Replaces an operation, or copies it. @param operation its index
    void Replace(uint32_t operation)
    {
        const GoalOperation& it = m_from.operations[operation];
        const auto first = static_cast<uint32_t>(m_to.operations.size());
        if (it.kind == GoalKind::COLL)
        {
            StepWriter writer(m_to, it, m_instances[m_instanceOf[m_collectives++]]);
            const bool ring = it.amount >= m_ringBytes;
            NS_LOG_INFO("Rank " << it.rank << " gets the messages of "
                                << GetCollectiveWord(it.collective) << " of " << it.amount
                                << " bytes, by " << (ring ? "rings" : "trees"));
            writer.Write(ring);
            m_begins.push_back({first, 1});
            m_ends.push_back({writer.End(), 1});
        }
        else
        {
            m_begins.push_back(AddPieces(m_to, it));
            m_ends.push_back(m_begins.back());
        }
    }

    GoalSchedule m_from;                ///< The schedule.
    uint64_t m_ringBytes;               ///< Size from which a collective uses a ring [bytes].
    GoalSchedule m_to;                  ///< The new schedule.
    std::vector<Instance> m_instances;  ///< All collectives.
    std::vector<uint32_t> m_instanceOf; ///< Collective of each operation of one, in order.
    std::size_t m_collectives{0};       ///< Operations of collectives replaced.
    std::vector<Section> m_begins;      ///< What replaces an operation that waits.
    std::vector<Section> m_ends;        ///< What replaces an operation that has to end.
};

} // namespace

uint32_t
RenumberGoalTags(GoalSchedule& schedule)
{
    std::unordered_map<uint32_t, uint32_t> numbers;
    for (GoalOperation& it : schedule.operations)
    {
        const bool message = it.kind == GoalKind::SEND || it.kind == GoalKind::RECV;
        if (message && it.tag != GOAL_ANY_TAG)
        {
            it.tag = numbers.emplace(it.tag, numbers.size()).first->second;
        }
    }
    return static_cast<uint32_t>(numbers.size());
}

GoalOrError
ExpandGoal(GoalSchedule schedule, uint64_t ringBytes)
{
    const bool changes = std::ranges::any_of(schedule.operations, [](const GoalOperation& it) {
        return it.kind == GoalKind::COLL || IsLong(it);
    });
    if (!changes)
    {
        return {std::move(schedule), ""};
    }
    try
    {
        return {Expansion(std::move(schedule), ringBytes).Run(), ""};
    }
    catch (const std::runtime_error& error)
    {
        return {{}, error.what()};
    }
}

} // namespace messaging
} // namespace ns3
