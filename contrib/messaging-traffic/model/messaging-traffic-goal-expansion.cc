/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-traffic-goal-expansion.h"

#include <algorithm>
#include <bit>
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

namespace
{

/// @return true if a message is sent in pieces. @param operation the operation
bool
IsLong(const GoalOperation& operation)
{
    return operation.kind != GoalKind::CALC && operation.amount > GOAL_WHOLE_BYTES;
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
 * Writes the messages of a rank in a collective. A step begins when the step before it has ended.
 *
 * The members have indices from 0 to n - 1. The data consists of n blocks, of which block i is that
 * of member i.
 */
class CollectiveWriter
{
  public:
    /**
     * Construct. The collective begins with a computation of no time.
     *
     * @param schedule the schedule, extended
     * @param what the operation to replace
     * @param instance its collective
     */
    CollectiveWriter(GoalSchedule& schedule, const GoalOperation& what, const Instance& instance)
        : m_schedule(schedule),
          m_instance(instance),
          m_what(what),
          m_members(static_cast<uint32_t>(instance.ranks.size())),
          m_self(GetIndex(what.rank)),
          m_root(what.peer == GOAL_ANY_SOURCE ? 0 : GetIndex(what.peer))
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

    /// Writes the steps of the collective. @param ring whether it uses a ring
    void Write(bool ring)
    {
        if (m_members == 1)
        {
            return;
        }
        if (ring)
        {
            WriteLarge();
        }
        else
        {
            WriteSmall();
        }
    }

  private:
    /// Writes the algorithm with the fewest steps.
    void WriteSmall()
    {
        switch (m_what.kind)
        {
        case GoalKind::BCAST:
            SendDown();
            break;
        case GoalKind::REDUCE:
            SendUp(false);
            break;
        case GoalKind::ALLREDUCE:
            Double();
            break;
        case GoalKind::REDUCE_SCATTER:
            Halve();
            break;
        case GoalKind::ALLGATHER:
            Disseminate();
            break;
        default:
            break;
        }
    }

    /// Writes the algorithm with the fewest bytes.
    void WriteLarge()
    {
        switch (m_what.kind)
        {
        case GoalKind::BCAST:
            Scatter();
            RingGather(GetVirtual(m_self));
            break;
        case GoalKind::REDUCE:
            RingReduce(GetVirtual(m_self));
            SendUp(true);
            break;
        case GoalKind::ALLREDUCE:
            RingReduce(m_self);
            RingGather(m_self);
            break;
        case GoalKind::REDUCE_SCATTER:
            RingReduce(m_self);
            break;
        case GoalKind::ALLGATHER:
            RingGather(m_self);
            break;
        default:
            break;
        }
    }

    /// @return the index of a member. @param rank its rank
    uint32_t GetIndex(uint32_t rank) const
    {
        const auto& ranks = m_instance.ranks;
        return static_cast<uint32_t>(std::ranges::lower_bound(ranks, rank) - ranks.begin());
    }

    /// @return the number of a member in a tree, of which the root has 0. @param index its index
    uint32_t GetVirtual(uint32_t index) const
    {
        return (index + m_members - m_root) % m_members;
    }

    /// @return the index of a member by its number in a tree. @param number the number
    uint32_t FromVirtual(uint32_t number) const
    {
        return (number + m_root) % m_members;
    }

    /// @return the index of a member further on, in a circle. @param steps how far
    uint32_t After(uint32_t steps) const
    {
        return (m_self + steps) % m_members;
    }

    /// @return the bytes of the blocks before a block. @param block its index
    uint64_t GetOffset(uint32_t block) const
    {
        const uint64_t rest = m_what.amount % m_members;
        return m_what.amount / m_members * block + std::min<uint64_t>(block, rest);
    }

    /**
     * @param first a block
     * @param count number of blocks from there on, in a circle
     * @return their bytes
     */
    uint64_t GetBytes(uint32_t first, uint32_t count) const
    {
        const uint32_t end = first + count;
        if (end <= m_members)
        {
            return GetOffset(end) - GetOffset(first);
        }
        return m_what.amount - GetOffset(first) + GetOffset(end - m_members);
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

    /**
     * Adds a message to the current step.
     *
     * @param kind SEND or RECV
     * @param member index of the other member
     * @param bytes its length [bytes]
     */
    void Add(GoalKind kind, uint32_t member, uint64_t bytes)
    {
        const auto [first, count] = AddPieces(m_schedule,
                                              {.kind = kind,
                                               .rank = m_what.rank,
                                               .peer = m_instance.ranks[member],
                                               .tag = m_instance.tag,
                                               .amount = bytes,
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

    /**
     * Adds a step of one message.
     *
     * @param kind SEND or RECV
     * @param member index of the other member
     * @param bytes its length [bytes]
     */
    void Step(GoalKind kind, uint32_t member, uint64_t bytes)
    {
        Add(kind, member, bytes);
        EndStep();
    }

    /**
     * Adds a step of two messages.
     *
     * @param to destination of the one
     * @param sent its length [bytes]
     * @param from source of the other
     * @param received its length [bytes]
     */
    void Exchange(uint32_t to, uint64_t sent, uint32_t from, uint64_t received)
    {
        Add(GoalKind::RECV, from, received);
        Add(GoalKind::SEND, to, sent);
        EndStep();
    }

    /// Sends the whole data down a binomial tree.
    void SendDown()
    {
        const uint32_t number = GetVirtual(m_self);
        uint32_t bit = std::bit_ceil(m_members);
        if (number > 0)
        {
            bit = number & (~number + 1);
            Step(GoalKind::RECV, FromVirtual(number - bit), m_what.amount);
        }
        for (bit /= 2; bit > 0; bit /= 2)
        {
            if (number + bit < m_members)
            {
                Step(GoalKind::SEND, FromVirtual(number + bit), m_what.amount);
            }
        }
    }

    /// Sends each member of a binomial tree the blocks of those below it.
    void Scatter()
    {
        const uint32_t number = GetVirtual(m_self);
        uint32_t bit = std::bit_ceil(m_members);
        if (number > 0)
        {
            bit = number & (~number + 1);
            Step(GoalKind::RECV, FromVirtual(number - bit), GetBelow(number, bit));
        }
        for (bit /= 2; bit > 0; bit /= 2)
        {
            if (number + bit < m_members)
            {
                Step(GoalKind::SEND, FromVirtual(number + bit), GetBelow(number + bit, bit));
            }
        }
    }

    /**
     * Sends the whole data up a binomial tree, or the blocks that the members below have.
     *
     * @param blocks whether the members have a block each
     */
    void SendUp(bool blocks)
    {
        const uint32_t number = GetVirtual(m_self);
        uint32_t bit = 1;
        for (; bit < m_members && (number & bit) == 0; bit *= 2)
        {
            if (number + bit < m_members)
            {
                Step(GoalKind::RECV,
                     FromVirtual(number + bit),
                     blocks ? GetBelow(number + bit, bit) : m_what.amount);
            }
        }
        if (number > 0)
        {
            Step(GoalKind::SEND,
                 FromVirtual(number - bit),
                 blocks ? GetBelow(number, bit) : m_what.amount);
        }
    }

    /**
     * @param number a member of a binomial tree, by its number
     * @param bit lowest bit of the number
     * @return bytes of the blocks of the member and those below it
     */
    uint64_t GetBelow(uint32_t number, uint32_t bit) const
    {
        return GetBytes(number, std::min(bit, m_members - number));
    }

    /// Reduces by a ring: each member ends with its block. @param self index of the own block
    void RingReduce(uint32_t self)
    {
        for (uint32_t step = 1; step < m_members; ++step)
        {
            const uint32_t sent = (self + m_members - step) % m_members;
            const uint32_t received = (sent + m_members - 1) % m_members;
            Exchange(After(1), GetBytes(sent, 1), After(m_members - 1), GetBytes(received, 1));
        }
    }

    /// Gathers by a ring: each member begins with its block. @param self index of the own block
    void RingGather(uint32_t self)
    {
        for (uint32_t step = 1; step < m_members; ++step)
        {
            const uint32_t sent = (self + m_members + 1 - step) % m_members;
            const uint32_t received = (sent + m_members - 1) % m_members;
            Exchange(After(1), GetBytes(sent, 1), After(m_members - 1), GetBytes(received, 1));
        }
    }

    /// Gathers by doubling: a step brings as many blocks as the member has, from further and
    /// further on.
    void Disseminate()
    {
        for (uint32_t step = 1; step < m_members; step *= 2)
        {
            const uint32_t blocks = std::min(step, m_members - step);
            Exchange(After(m_members - step),
                     GetBytes(m_self, blocks),
                     After(step),
                     GetBytes(After(step), blocks));
        }
    }

    /// Reduces by halving: the steps of Disseminate in reverse.
    void Halve()
    {
        for (uint32_t step = std::bit_ceil(m_members) / 2; step > 0; step /= 2)
        {
            const uint32_t blocks = std::min(step, m_members - step);
            Exchange(After(step),
                     GetBytes(After(step), blocks),
                     After(m_members - step),
                     GetBytes(m_self, blocks));
        }
    }

    /// Exchanges the whole data with members at doubled distances. Members beyond a power of two
    /// have another one act for them.
    void Double()
    {
        const uint32_t power = std::bit_floor(m_members);
        const uint32_t extra = m_members - power;
        const uint64_t bytes = m_what.amount;
        const bool paired = m_self < 2 * extra;
        if (paired && m_self % 2 == 0)
        {
            Step(GoalKind::SEND, m_self + 1, bytes);
            Step(GoalKind::RECV, m_self + 1, bytes);
            return;
        }
        if (paired)
        {
            Step(GoalKind::RECV, m_self - 1, bytes);
        }
        const uint32_t number = paired ? m_self / 2 : m_self - extra;
        for (uint32_t bit = 1; bit < power; bit *= 2)
        {
            const uint32_t other = number ^ bit;
            const uint32_t member = other < extra ? 2 * other + 1 : other + extra;
            Exchange(member, bytes, member, bytes);
        }
        if (paired)
        {
            Step(GoalKind::SEND, m_self - 1, bytes);
        }
    }

    GoalSchedule& m_schedule;       ///< The schedule.
    const Instance& m_instance;     ///< The collective.
    GoalOperation m_what;           ///< The operation.
    uint32_t m_members;             ///< Number of members.
    uint32_t m_self;                ///< Index of the rank.
    uint32_t m_root;                ///< Index of the root; 0 without one.
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
            if (!IsCollective(operations[i].kind))
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
        if (one.kind != other.kind || one.amount != other.amount || one.peer != other.peer)
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
        const bool rooted = it.kind == GoalKind::BCAST || it.kind == GoalKind::REDUCE;
        if (rooted && !std::ranges::binary_search(instance.ranks, it.peer))
        {
            Fail(instance.operation,
                 std::string(GetGoalWord(it.kind)) + " needs one of its ranks as root");
        }
    }

    /// Replaces an operation, or copies it. @param operation its index
    void Replace(uint32_t operation)
    {
        const GoalOperation& it = m_from.operations[operation];
        const auto first = static_cast<uint32_t>(m_to.operations.size());
        if (IsCollective(it.kind))
        {
            const Instance& instance = m_instances[m_instanceOf[m_collectives++]];
            GoalOperation what = it;
            const bool rooted = it.kind == GoalKind::BCAST || it.kind == GoalKind::REDUCE;
            what.peer = rooted ? it.peer : GOAL_ANY_SOURCE;
            CollectiveWriter writer(m_to, what, instance);
            writer.Write(it.amount >= m_ringBytes);
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
        return IsCollective(it.kind) || IsLong(it);
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
