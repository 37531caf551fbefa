/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-traffic-goal.h"

#include <array>
#include <concepts>
#include <optional>
#include <stdexcept>
#include <utility>

/**
 * @file
 * @ingroup messaging
 * The binary form of GOAL schedules, which txt2bin of LogGOPSim writes.
 *
 * All numbers are little-endian, without padding.
 *
 * @verbatim
 * file      cookie: 8    ranks: 4    processors - 1: 1    interfaces - 1: 1
 *           for each rank: its begin and end, counted from behind the cookie: 8, 8
 * rank      operations: 4    operations without requirements: 4, and the index of each: 4
 *           operations, 39 bytes each
 *           indices of the operations that require others: 4 each
 * operation requirements: 4    kind: 1    peer: 4    amount: 8    tag: 4    cpu: 1    nic: 1
 *           number of operations that require its end: 4    the first of their indices: 4
 *           number of operations that require its start: 4    the first of their indices: 4
 * @endverbatim
 *
 * ATLAHS adds kinds of collectives: their peer is group and root, 16 bits each, their tag the
 * instance.
 */

namespace ns3
{
namespace messaging
{

namespace
{

/// Cookie of a schedule.
constexpr uint64_t COOKIE = 4223;

/// Cookie of a schedule that LogGOPSim has used up.
constexpr uint64_t SPENT_COOKIE = 2342;

/// Length of an operation [bytes].
constexpr std::size_t OPERATION_BYTES = 39;

/// Length of an index [bytes].
constexpr std::size_t INDEX_BYTES = 4;

/// Root in a collective without one.
constexpr uint32_t NO_ROOT = 0xffff;

/// Bits of a collective's group.
constexpr unsigned GROUP_BITS = 16;

/// Kinds that are no collectives, by their numbers in the file, from FIRST_KIND on.
constexpr std::array KINDS{GoalKind::SEND, GoalKind::RECV, GoalKind::CALC};

/// Collectives by their numbers in the file, from FIRST_COLLECTIVE on.
constexpr std::array COLLECTIVES{CollectiveKind::BCAST,
                                 CollectiveKind::REDUCE,
                                 CollectiveKind::ALLREDUCE,
                                 CollectiveKind::REDUCE_SCATTER,
                                 CollectiveKind::ALLGATHER};

/// Number of the first kind in the file.
constexpr unsigned FIRST_KIND = 1;

/// Number of the first collective in the file.
constexpr unsigned FIRST_COLLECTIVE = 10;

/**
 * Sets the kind of an operation.
 *
 * @param number its number in the file
 * @param operation the operation
 * @return whether there is such a kind
 */
bool
SetKind(unsigned number, GoalOperation& operation)
{
    // A number below the first one becomes a large index.
    const unsigned collective = number - FIRST_COLLECTIVE;
    if (collective < COLLECTIVES.size())
    {
        operation.kind = GoalKind::COLL;
        operation.collective = COLLECTIVES[collective];
        return true;
    }
    const unsigned kind = number - FIRST_KIND;
    if (kind < KINDS.size())
    {
        operation.kind = KINDS[kind];
        return true;
    }
    return false;
}

/// Position in the file, from which numbers are read. An error is a std::runtime_error.
class BinaryCursor
{
  public:
    /**
     * Construct.
     *
     * @param bytes the file, or its rest
     * @param at the position
     */
    BinaryCursor(std::string_view bytes, uint64_t at)
        : m_rest(bytes)
    {
        Skip(at);
    }

    /// Skips bytes. @param count how many
    void Skip(uint64_t count)
    {
        if (count > m_rest.size())
        {
            throw std::runtime_error("the file ends too early");
        }
        m_rest.remove_prefix(count);
    }

    /// Reads a number. @return the number
    template <std::unsigned_integral T>
    T Read()
    {
        const std::string_view field = m_rest.substr(0, sizeof(T));
        Skip(sizeof(T));
        T number = 0;
        for (std::size_t i = sizeof(T); i-- > 0;)
        {
            number = static_cast<T>(uint64_t{number} << 8 | static_cast<uint8_t>(field[i]));
        }
        return number;
    }

    /// @return the number of bytes left.
    std::size_t GetLeft() const
    {
        return m_rest.size();
    }

  private:
    std::string_view m_rest; ///< What is not read yet.
};

/// Reader of a binary schedule. Its functions throw std::runtime_error at the first error.
class BinaryGoalReader
{
  public:
    /// @param bytes the file, behind its cookie
    explicit BinaryGoalReader(std::string_view bytes)
        : m_bytes(bytes)
    {
    }

    /// @return the schedule
    GoalSchedule Read()
    {
        BinaryCursor head(m_bytes, 0);
        m_schedule.ranks = head.Read<uint32_t>();
        head.Skip(2);
        if (m_schedule.ranks == 0)
        {
            throw std::runtime_error("a schedule has one rank at least");
        }
        for (uint32_t rank = 0; rank < m_schedule.ranks; ++rank)
        {
            const auto begin = head.Read<uint64_t>();
            head.Skip(sizeof(uint64_t));
            ReadRank(rank, begin);
        }
        return std::move(m_schedule);
    }

  private:
    /**
     * Reads a rank.
     *
     * @param rank the rank
     * @param begin where its part begins, behind the part of the rank before it
     */
    void ReadRank(uint32_t rank, uint64_t begin)
    {
        if (begin < m_end)
        {
            throw std::runtime_error("the part of rank " + std::to_string(rank) +
                                     " begins before the one before it ends");
        }
        BinaryCursor at(m_bytes, begin);
        const auto count = at.Read<uint32_t>();
        const auto roots = at.Read<uint32_t>();
        at.Skip(uint64_t{roots} * INDEX_BYTES);
        BinaryCursor indices = at;
        indices.Skip(uint64_t{count} * OPERATION_BYTES);
        const auto first = static_cast<uint32_t>(m_schedule.operations.size());
        if (count > UINT32_MAX - first)
        {
            throw std::runtime_error("a schedule has less than 4294967296 operations");
        }
        for (uint32_t number = 0, taken = 0; number < count; ++number)
        {
            ReadOperation(rank, number, at);
            for (const bool start : {false, true})
            {
                const auto dependants = at.Read<uint32_t>();
                const auto place = at.Read<uint32_t>();
                if (dependants > 0 && place != taken)
                {
                    Fail(rank, number, "has its dependants in the wrong place");
                }
                taken += dependants;
                for (uint32_t i = 0; i < dependants; ++i)
                {
                    const auto dependant = indices.Read<uint32_t>();
                    if (dependant >= count)
                    {
                        Fail(rank, number, "is required by an operation that does not exist");
                    }
                    m_schedule.dependencies.push_back({.operation = first + dependant,
                                                       .required = first + number,
                                                       .start = start});
                }
            }
        }
        m_end = m_bytes.size() - indices.GetLeft();
    }

    /**
     * Reads an operation, up to its dependants.
     *
     * @param rank its rank
     * @param number its number at the rank
     * @param at its position, advanced
     */
    void ReadOperation(uint32_t rank, uint32_t number, BinaryCursor& at)
    {
        at.Skip(sizeof(uint32_t));
        GoalOperation operation{.rank = rank};
        if (!SetKind(at.Read<uint8_t>(), operation))
        {
            Fail(rank, number, "has an unknown kind");
        }
        operation.peer = at.Read<uint32_t>();
        operation.amount = at.Read<uint64_t>();
        operation.tag = at.Read<uint32_t>();
        at.Skip(2);
        const bool collective = operation.kind == GoalKind::COLL;
        if (collective)
        {
            operation.group = operation.peer & ((uint32_t{1} << GROUP_BITS) - 1);
            operation.peer >>= GROUP_BITS;
            if (operation.peer == NO_ROOT)
            {
                operation.peer = GOAL_ANY_SOURCE;
            }
        }
        const bool calc = operation.kind == GoalKind::CALC;
        const bool any = operation.kind == GoalKind::RECV || collective;
        if (!calc && operation.peer >= m_schedule.ranks &&
            (!any || operation.peer != GOAL_ANY_SOURCE))
        {
            Fail(rank,
                 number,
                 "names rank " + std::to_string(operation.peer) + ", which does not exist");
        }
        if (operation.kind == GoalKind::SEND && operation.tag == GOAL_ANY_TAG)
        {
            Fail(rank, number, "sends a message without a tag");
        }
        if (const uint64_t most = calc ? GOAL_MAX_CALC : GOAL_MAX_BYTES; operation.amount > most)
        {
            Fail(rank, number, "has an amount above " + std::to_string(most));
        }
        m_schedule.operations.push_back(operation);
    }

    /**
     * Stops at an error.
     *
     * @param rank rank of the operation
     * @param number its number at the rank
     * @param what its error
     */
    [[noreturn]] static void Fail(uint32_t rank, uint32_t number, const std::string& what)
    {
        throw std::runtime_error("operation " + std::to_string(number) + " of rank " +
                                 std::to_string(rank) + " " + what);
    }

    std::string_view m_bytes; ///< The file, behind its cookie.
    GoalSchedule m_schedule;  ///< Schedule so far.
    uint64_t m_end{0};        ///< End of the parts read so far.
};

/// Reads the cookie. @param bytes the file @return the cookie, if there is one
std::optional<uint64_t>
ReadCookie(std::string_view bytes)
{
    if (bytes.size() < sizeof(uint64_t))
    {
        return {};
    }
    return BinaryCursor(bytes, 0).Read<uint64_t>();
}

} // namespace

bool
IsBinaryGoal(std::string_view bytes)
{
    const auto cookie = ReadCookie(bytes);
    return cookie == COOKIE || cookie == SPENT_COOKIE;
}

GoalOrError
ParseBinaryGoal(std::string_view bytes)
{
    const auto cookie = ReadCookie(bytes);
    if (cookie == SPENT_COOKIE)
    {
        return {{}, "the schedule was used up by a run of LogGOPSim with --save-mem"};
    }
    if (cookie != COOKIE)
    {
        return {{}, "the cookie of a binary schedule is missing"};
    }
    try
    {
        return {BinaryGoalReader(bytes.substr(sizeof(uint64_t))).Read(), ""};
    }
    catch (const std::runtime_error& error)
    {
        return {{}, error.what()};
    }
}

} // namespace messaging
} // namespace ns3
