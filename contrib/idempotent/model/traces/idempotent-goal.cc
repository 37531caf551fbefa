/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "idempotent-goal.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>
#include <unordered_map>

namespace ns3
{
namespace idempotent
{

namespace
{

/// Longest message and computation, so that sums fit 32 bits [bytes, cycles].
constexpr uint32_t LONGEST = uint32_t{1} << 30;

/// Most messages of a trace.
constexpr uint64_t MOST_MESSAGES = uint64_t{1} << 31;

/// Translates one schedule.
class GoalCompiler
{
  public:
    /// @param schedule the schedule
    explicit GoalCompiler(const GoalSchedule& schedule)
        : m_schedule(schedule),
          m_operations(schedule.GetOperations()),
          m_builder(schedule.GetRanks())
    {
    }

    /// @return the trace, or an error
    TraceOrError Run()
    {
        TraceOrError result;
        if (CheckOperations() && Match() && Link())
        {
            Place();
        }
        result.error = m_error;
        if (result.error.empty())
        {
            result.trace = m_builder.Finish();
        }
        return result;
    }

  private:
    /// A moment of the run: some time after the activation of a block.
    struct Moment
    {
        uint32_t block{NO_INDEX}; ///< the block
        uint32_t offset{0};       ///< time after its activation [cycles]
    };

    /**
     * Remembers the first error.
     *
     * @param operation the operation it is about
     * @param sentence what is wrong with it
     * @return false
     */
    bool Fail(uint32_t operation, const std::string& sentence)
    {
        if (m_error.empty())
        {
            const GoalOperation& it = m_operations[operation];
            m_error = it.line != 0 ? "line " + std::to_string(it.line)
                                   : "operation " + std::to_string(operation) + " of rank " +
                                         std::to_string(it.rank);
            m_error += ": " + sentence;
        }
        return false;
    }

    /// @return whether ranks are in range and lengths can be represented
    bool CheckOperations()
    {
        uint64_t messages = 0;
        for (uint32_t i = 0; i < m_operations.size(); ++i)
        {
            const GoalOperation& it = m_operations[i];
            const bool calc = it.kind == GoalKind::CALC;
            if (it.kind == GoalKind::RECV &&
                (it.peer == messaging::GOAL_ANY_SOURCE || it.tag == messaging::GOAL_ANY_TAG))
            {
                return Fail(i,
                            "a receive from any source or with any tag depends on timing, which a "
                            "block-structured trace cannot express");
            }
            if (it.rank >= m_schedule.GetRanks() || (!calc && it.peer >= m_schedule.GetRanks()))
            {
                return Fail(i,
                            "there is no rank " +
                                std::to_string(std::max(it.rank, calc ? 0 : it.peer)) + " among " +
                                std::to_string(m_schedule.GetRanks()) + " ranks");
            }
            if (calc && it.amount > LONGEST)
            {
                return Fail(i, "a computation takes more than 1073741824 cycles");
            }
            if (it.kind == GoalKind::SEND)
            {
                if (it.amount > LONGEST)
                {
                    return Fail(i, "a message has more than 1073741824 bytes");
                }
                if (++messages > MOST_MESSAGES)
                {
                    return Fail(i, "the schedule has more than 2147483648 messages");
                }
            }
        }
        for (const GoalDependency& it : m_schedule.GetDependencies())
        {
            if (it.operation >= m_operations.size() || it.required >= m_operations.size())
            {
                m_error = "a dependency names an operation that does not exist";
                return false;
            }
            if (m_operations[it.operation].rank != m_operations[it.required].rank)
            {
                return Fail(it.operation, "an operation cannot require one of another rank");
            }
        }
        return true;
    }

    /// @return whether each send has its receive; fills m_match
    bool Match()
    {
        std::vector<uint32_t> sends;
        std::vector<uint32_t> receives;
        for (uint32_t i = 0; i < m_operations.size(); ++i)
        {
            if (m_operations[i].kind != GoalKind::CALC)
            {
                (m_operations[i].kind == GoalKind::SEND ? sends : receives).push_back(i);
            }
        }
        const auto key = [this](uint32_t i) {
            const GoalOperation& it = m_operations[i];
            const bool send = it.kind == GoalKind::SEND;
            return std::tuple(send ? it.rank : it.peer, send ? it.peer : it.rank, it.tag);
        };
        const auto before = [&key](uint32_t a, uint32_t b) { return key(a) < key(b); };
        std::stable_sort(sends.begin(), sends.end(), before);
        std::stable_sort(receives.begin(), receives.end(), before);
        m_match.assign(m_operations.size(), NO_INDEX);
        const std::size_t common = std::min(sends.size(), receives.size());
        std::size_t i = 0;
        while (i < common && key(sends[i]) == key(receives[i]))
        {
            m_match[sends[i]] = receives[i];
            m_match[receives[i]] = sends[i];
            ++i;
        }
        if (i == sends.size() && i == receives.size())
        {
            return true;
        }
        const bool send =
            i == receives.size() || (i < sends.size() && key(sends[i]) < key(receives[i]));
        const uint32_t lone = send ? sends[i] : receives[i];
        const auto [source, destination, tag] = key(lone);
        return Fail(lone,
                    std::string(send ? "a send" : "a recv") + " from rank " +
                        std::to_string(source) + " to rank " + std::to_string(destination) +
                        " with tag " + std::to_string(tag) + " has no matching " +
                        (send ? "recv" : "send"));
    }

    /// @return whether no operations wait for one another; fills the dependency lists and m_order
    bool Link()
    {
        const auto count = static_cast<uint32_t>(m_operations.size());
        const std::vector<GoalDependency>& all = m_schedule.GetDependencies();
        m_first.assign(std::size_t{count} + 1, 0);
        m_awaited.assign(count, false);
        std::vector<uint32_t> firstNext(std::size_t{count} + 1, 0);
        std::vector<uint32_t> pending(count, 0);
        for (const GoalDependency& it : all)
        {
            ++m_first[it.operation + 1];
            ++firstNext[it.required + 1];
            ++pending[it.operation];
            m_awaited[it.required] = m_awaited[it.required] || !it.start;
        }
        std::partial_sum(m_first.begin(), m_first.end(), m_first.begin());
        std::partial_sum(firstNext.begin(), firstNext.end(), firstNext.begin());
        m_required.resize(all.size());
        std::vector<uint32_t> next(all.size());
        std::vector<uint32_t> fill(m_first.begin(), m_first.end() - 1);
        std::vector<uint32_t> fillNext(firstNext.begin(), firstNext.end() - 1);
        for (uint32_t i = 0; i < all.size(); ++i)
        {
            m_required[fill[all[i].operation]++] = i;
            next[fillNext[all[i].required]++] = all[i].operation;
        }
        for (uint32_t i = 0; i < count; ++i)
        {
            pending[i] += m_operations[i].kind == GoalKind::RECV ? 1 : 0;
        }
        m_order.reserve(count);
        for (uint32_t i = 0; i < count; ++i)
        {
            if (pending[i] == 0)
            {
                m_order.push_back(i);
            }
        }
        for (std::size_t done = 0; done < m_order.size(); ++done)
        {
            const uint32_t it = m_order[done];
            for (uint32_t i = firstNext[it]; i < firstNext[it + 1]; ++i)
            {
                if (--pending[next[i]] == 0)
                {
                    m_order.push_back(next[i]);
                }
            }
            if (m_operations[it].kind == GoalKind::SEND && --pending[m_match[it]] == 0)
            {
                m_order.push_back(m_match[it]);
            }
        }
        if (m_order.size() == count)
        {
            return true;
        }
        return FailCycle(pending);
    }

    /**
     * Names a cycle of operations.
     *
     * @param pending per operation the events it still waits for
     * @return false
     */
    bool FailCycle(const std::vector<uint32_t>& pending)
    {
        // Each operation left over waits for another one left over: walking backwards must close.
        std::vector<uint32_t> cause(m_operations.size(), NO_INDEX);
        for (const GoalDependency& it : m_schedule.GetDependencies())
        {
            cause[it.operation] = pending[it.required] > 0 ? it.required : cause[it.operation];
        }
        uint32_t walk = 0;
        for (uint32_t i = 0; i < m_operations.size(); ++i)
        {
            if (pending[i] > 0)
            {
                walk = i;
                if (m_operations[i].kind == GoalKind::SEND)
                {
                    cause[m_match[i]] = i;
                }
            }
        }
        std::vector<bool> seen(m_operations.size(), false);
        while (!seen[walk])
        {
            seen[walk] = true;
            walk = cause[walk];
        }
        return Fail(walk, "the operation waits for itself, through others or directly");
    }

    /**
     * A later moment.
     *
     * @param moment a moment
     * @param cycles how much later [cycles]
     * @return that moment, in a new block if the old one would become too long
     */
    Moment Later(Moment moment, uint32_t cycles)
    {
        if (cycles > std::numeric_limits<uint32_t>::max() - moment.offset)
        {
            moment = Begin({moment});
        }
        moment.offset += cycles;
        m_builder.SetDuration(moment.block,
                              std::max(m_builder.GetDuration(moment.block), moment.offset));
        return moment;
    }

    /**
     * A new block that begins once some moments have come.
     *
     * @param moments moments in blocks of one node
     * @return its beginning
     */
    Moment Begin(const std::vector<Moment>& moments)
    {
        const uint32_t rank = m_builder.GetNode(moments.front().block);
        const uint32_t block = m_builder.AddBlock(rank, rank);
        for (const Moment& moment : moments)
        {
            Signal(moment, block);
        }
        return {.block = block, .offset = 0};
    }

    /**
     * Lets a moment signal a block of the same node.
     *
     * @param moment the moment
     * @param block the block
     */
    void Signal(Moment moment, uint32_t block)
    {
        m_builder.AddMessage(moment.block,
                             {.destination = m_builder.GetNode(moment.block),
                              .bytes = 0,
                              .offset = moment.offset,
                              .target = block,
                              .kind = MessageKind::SIGNAL});
    }

    /**
     * When an operation may start.
     *
     * @param operation the operation
     * @return the moment at which all it requires has happened
     */
    Moment Start(uint32_t operation)
    {
        std::vector<Moment> moments;
        for (uint32_t i = m_first[operation]; i < m_first[operation + 1]; ++i)
        {
            const GoalDependency& it = m_schedule.GetDependencies()[m_required[i]];
            const Moment moment = it.start ? m_start[it.required] : m_end[it.required];
            if (!IsBeginning(moment))
            {
                moments.push_back(moment);
            }
        }
        if (moments.empty())
        {
            return {.block = m_operations[operation].rank, .offset = 0};
        }
        // Of several moments in one block the last decides.
        std::sort(moments.begin(), moments.end(), [](const Moment& a, const Moment& b) {
            return std::tie(a.block, b.offset) < std::tie(b.block, a.offset);
        });
        moments.erase(
            std::unique(moments.begin(),
                        moments.end(),
                        [](const Moment& a, const Moment& b) { return a.block == b.block; }),
            moments.end());
        DropImplied(moments);
        return moments.size() == 1 ? moments.front() : Begin(moments);
    }

    /**
     * Drops the moments that others come after anyway: a receive's end implies its start.
     *
     * @param moments moments of different blocks, in order of these
     */
    void DropImplied(std::vector<Moment>& moments) const
    {
        std::vector<bool> implied(moments.size(), false);
        for (const Moment& moment : moments)
        {
            const auto cause = m_cause.find(moment.block);
            if (cause == m_cause.end())
            {
                continue;
            }
            const auto earlier =
                std::lower_bound(moments.begin(),
                                 moments.end(),
                                 cause->second.block,
                                 [](const Moment& it, uint32_t block) { return it.block < block; });
            if (earlier != moments.end() && earlier->block == cause->second.block &&
                earlier->offset <= cause->second.offset)
            {
                implied[earlier - moments.begin()] = true;
            }
        }
        std::size_t kept = 0;
        for (std::size_t i = 0; i < moments.size(); ++i)
        {
            if (!implied[i])
            {
                moments[kept++] = moments[i];
            }
        }
        moments.resize(kept);
    }

    /**
     * Whether a moment is the beginning of the run.
     *
     * @param moment a moment
     * @return true if so
     */
    bool IsBeginning(Moment moment) const
    {
        return moment.block < m_schedule.GetRanks() && moment.offset == 0;
    }

    /// Adds blocks and messages for all operations, each after those that it requires.
    void Place()
    {
        for (uint32_t rank = 0; rank < m_schedule.GetRanks(); ++rank)
        {
            m_builder.AddBlock(rank, rank);
        }
        m_start.resize(m_operations.size());
        m_end.resize(m_operations.size());
        m_message.assign(m_operations.size(), NO_INDEX);
        for (const uint32_t operation : m_order)
        {
            const GoalOperation& it = m_operations[operation];
            const Moment start = Start(operation);
            m_start[operation] = start;
            switch (it.kind)
            {
            case GoalKind::CALC:
                m_end[operation] = Later(start, it.amount);
                break;
            case GoalKind::SEND:
                Send(operation, start);
                m_end[operation] = start;
                break;
            case GoalKind::RECV:
                Receive(operation, start);
                break;
            }
        }
    }

    /**
     * Adds the message of a send.
     *
     * @param operation the send
     * @param start when it starts
     */
    void Send(uint32_t operation, Moment start)
    {
        const GoalOperation& it = m_operations[operation];
        const uint32_t words = (GOAL_HEADER_BYTES + it.amount + WORD_BYTES - 1) / WORD_BYTES;
        m_message[m_match[operation]] = m_builder.AddMessage(start.block,
                                                             {.destination = it.peer,
                                                              .bytes = words * WORD_BYTES,
                                                              .offset = start.offset,
                                                              .kind = MessageKind::DATA});
    }

    /**
     * Adds the block that the arrival of a message begins, if anything waits for it.
     *
     * @param operation the receive
     * @param start when it starts
     */
    void Receive(uint32_t operation, Moment start)
    {
        if (!m_awaited[operation])
        {
            return;
        }
        const GoalOperation& it = m_operations[operation];
        const uint32_t block = m_builder.AddBlock(it.rank, it.rank);
        if (!IsBeginning(start))
        {
            Signal(start, block);
            m_cause.emplace(block, start);
        }
        m_builder.SetTarget(m_message[operation], block);
        m_end[operation] = {.block = block, .offset = 0};
    }

    const GoalSchedule& m_schedule;                 ///< the schedule
    const std::vector<GoalOperation>& m_operations; ///< its operations
    TraceBuilder m_builder;                         ///< the trace so far
    std::string m_error;                            ///< the first error
    std::vector<uint32_t> m_match;                  ///< per send its receive, per receive its send
    std::vector<uint32_t> m_first;                  ///< per operation: first entry in m_required
    std::vector<uint32_t> m_required; ///< indices of dependencies, grouped by operation
    std::vector<bool> m_awaited;      ///< per operation: whether another one requires its end
    std::vector<uint32_t> m_order;    ///< operations, each after all it waits for
    std::vector<Moment> m_start;      ///< per operation: its start
    std::vector<Moment> m_end;        ///< per operation: its end
    std::vector<uint32_t> m_message;  ///< per receive: handle of its first message
    std::unordered_map<uint32_t, Moment> m_cause; ///< block of a receive: when that started
};

} // namespace

TraceOrError
CompileGoal(const GoalSchedule& schedule)
{
    return GoalCompiler(schedule).Run();
}

TraceOrError
ReadGoalTrace(const std::string& path)
{
    const GoalOrError read = messaging::ReadGoalFile(path);
    if (!read.error.empty())
    {
        return {.trace = {}, .error = read.error};
    }
    TraceOrError result = CompileGoal(read.schedule);
    if (!result.error.empty())
    {
        result.error = path + ": " + result.error;
    }
    return result;
}

} // namespace idempotent
} // namespace ns3
