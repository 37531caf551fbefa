/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-traffic-collective.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace ns3
{
namespace messaging
{

namespace
{

/// Keywords by kind.
constexpr std::array<std::string_view, 10> WORDS{"barrier",
                                                 "bcast",
                                                 "reduce",
                                                 "allreduce",
                                                 "reduce_scatter",
                                                 "allgather",
                                                 "gather",
                                                 "scatter",
                                                 "alltoall",
                                                 "scan"};

/// Check for a single block. @param kind a kind @return whether its operand is one vector
constexpr bool
HasOneVector(CollectiveKind kind)
{
    return kind <= CollectiveKind::ALLREDUCE || kind == CollectiveKind::SCAN;
}

/// Consecutive blocks in a circle.
struct Blocks
{
    uint32_t first; ///< The first one.
    uint32_t count; ///< Their number.
};

/// Writes the messages of one member, step by step.
class CollectiveWriter
{
  public:
    /// Construct. @param collective the operation @param self the member
    CollectiveWriter(const Collective& collective, uint32_t self)
        : m_collective(collective),
          m_members(collective.members),
          m_self(self),
          m_blocks(collective.GetNBlocks())
    {
    }

    /// @return the messages of the operation.
    std::vector<CollectiveMessage> Write()
    {
        if (m_members == 1)
        {
            return {};
        }
        switch (m_collective.kind)
        {
        case CollectiveKind::BCAST:
            SendDown();
            if (m_collective.ring)
            {
                GatherByRing();
            }
            break;
        case CollectiveKind::REDUCE:
            if (m_collective.ring)
            {
                ReduceByRing();
            }
            SendUp();
            break;
        case CollectiveKind::ALLREDUCE:
            WriteAllreduce();
            break;
        case CollectiveKind::REDUCE_SCATTER:
            WriteReduceScatter();
            break;
        case CollectiveKind::ALLGATHER:
            WriteAllgather();
            break;
        case CollectiveKind::GATHER:
            SendUp();
            break;
        case CollectiveKind::SCATTER:
            SendDown();
            break;
        case CollectiveKind::ALLTOALL:
            ExchangePairwise();
            break;
        case CollectiveKind::SCAN:
            Scan();
            break;
        case CollectiveKind::BARRIER:
            Synchronise();
            break;
        }
        return std::move(m_messages);
    }

  private:
    /// Allreduce by one of its two algorithms.
    void WriteAllreduce()
    {
        if (m_collective.ring)
        {
            ReduceByRing();
            GatherByRing();
        }
        else
        {
            ReduceByDoubling();
        }
    }

    /// Reduce-scatter by one of its two algorithms.
    void WriteReduceScatter()
    {
        if (m_collective.ring)
        {
            ReduceByRing();
        }
        else
        {
            ReduceByHalving();
        }
    }

    /// Allgather by one of its two algorithms.
    void WriteAllgather()
    {
        if (m_collective.ring)
        {
            GatherByRing();
        }
        else
        {
            GatherByDoubling();
        }
    }

    /// @return the number of this member in a tree, in which the root has 0.
    uint32_t GetTreeNumber() const
    {
        return (m_self + m_members - m_collective.root) % m_members;
    }

    /// @return a member by its number in a tree. @param number the number
    uint32_t FromTreeNumber(uint32_t number) const
    {
        return (number + m_collective.root) % m_members;
    }

    /// @return the member at a distance, in a circle. @param distance the distance
    uint32_t GetAfter(uint32_t distance) const
    {
        return (m_self + distance) % m_members;
    }

    /// @return the member at a distance in the other direction. @param distance the distance
    uint32_t GetBefore(uint32_t distance) const
    {
        return (m_self + m_members - distance) % m_members;
    }

    /// @return all blocks.
    Blocks GetAll() const
    {
        return {0, m_blocks};
    }

    /**
     * @param number a member of a tree, by its number
     * @param bit lowest bit of the number, or any above for the root
     * @return blocks of the member and those below it; all if there is only one
     */
    Blocks GetBelow(uint32_t number, uint32_t bit) const
    {
        if (m_blocks == 1)
        {
            return GetAll();
        }
        return {FromTreeNumber(number), std::min(bit, m_members - number)};
    }

    /// @return the bytes of the blocks before a block. @param block its number
    uint64_t GetOffset(uint32_t block) const
    {
        const uint64_t rest = m_collective.bytes % m_blocks;
        return m_collective.bytes / m_blocks * block + std::min<uint64_t>(block, rest);
    }

    /// @return the length of blocks [bytes]. @param blocks the blocks
    uint64_t GetBytes(Blocks blocks) const
    {
        const uint32_t end = blocks.first + blocks.count;
        if (end <= m_blocks)
        {
            return GetOffset(end) - GetOffset(blocks.first);
        }
        return m_collective.bytes - GetOffset(blocks.first) + GetOffset(end - m_blocks);
    }

    /// Send in the current step. @param to destination @param blocks the data
    void Send(uint32_t to, Blocks blocks)
    {
        m_messages.push_back({.step = m_step,
                              .member = to,
                              .block = blocks.first,
                              .blocks = blocks.count,
                              .bytes = GetBytes(blocks),
                              .sends = true});
    }

    /**
     * Receive in the current step.
     *
     * @param from source
     * @param blocks the data
     * @param adds whether they are added
     */
    void Receive(uint32_t from, Blocks blocks, bool adds)
    {
        m_messages.push_back({.step = m_step,
                              .member = from,
                              .block = blocks.first,
                              .blocks = blocks.count,
                              .bytes = GetBytes(blocks),
                              .adds = adds});
    }

    /// End the current step.
    void EndStep()
    {
        ++m_step;
    }

    /// All blocks down a binomial tree, or to each member those of the members below it.
    void SendDown()
    {
        const uint32_t number = GetTreeNumber();
        uint32_t bit = std::bit_ceil(m_members);
        if (number > 0)
        {
            bit = uint32_t{1} << std::countr_zero(number);
            Receive(FromTreeNumber(number - bit), GetBelow(number, bit), false);
            EndStep();
        }
        for (bit /= 2; bit > 0; bit /= 2)
        {
            if (number + bit < m_members)
            {
                Send(FromTreeNumber(number + bit), GetBelow(number + bit, bit));
                EndStep();
            }
        }
    }

    /// The only block up a binomial tree, reduced; or the blocks of the members below.
    void SendUp()
    {
        const bool adds = m_blocks == 1;
        const uint32_t number = GetTreeNumber();
        uint32_t bit = 1;
        for (; bit < m_members && (number & bit) == 0; bit *= 2)
        {
            if (number + bit < m_members)
            {
                Receive(FromTreeNumber(number + bit), GetBelow(number + bit, bit), adds);
                EndStep();
            }
        }
        if (number > 0)
        {
            Send(FromTreeNumber(number - bit), GetBelow(number, bit));
            EndStep();
        }
    }

    /// Circulate blocks. @param own first block to send @param adds whether they are reduced
    void Circulate(uint32_t own, bool adds)
    {
        for (uint32_t step = 1; step < m_members; ++step)
        {
            const uint32_t before = (own + m_members - 1) % m_members;
            Receive(GetBefore(1), {before, 1}, adds);
            Send(GetAfter(1), {own, 1});
            EndStep();
            own = before;
        }
    }

    /// Reduce by a ring: each member ends with its block.
    void ReduceByRing()
    {
        Circulate(GetBefore(1), true);
    }

    /// Gather by a ring: each member begins with its block.
    void GatherByRing()
    {
        Circulate(m_self, false);
    }

    /// Gather by doubling (Bruck): a step brings as many blocks as the member has.
    void GatherByDoubling()
    {
        for (uint32_t distance = 1; distance < m_members; distance *= 2)
        {
            const uint32_t count = std::min(distance, m_members - distance);
            Receive(GetAfter(distance), {GetAfter(distance), count}, false);
            Send(GetBefore(distance), {m_self, count});
            EndStep();
        }
    }

    /// Reduce by halving: the steps of GatherByDoubling in reverse.
    void ReduceByHalving()
    {
        for (uint32_t distance = std::bit_ceil(m_members) / 2; distance > 0; distance /= 2)
        {
            const uint32_t count = std::min(distance, m_members - distance);
            Receive(GetBefore(distance), {m_self, count}, true);
            Send(GetAfter(distance), {GetAfter(distance), count});
            EndStep();
        }
    }

    /// Exchange all data with members at doubled distances. The members beyond a power of two have
    /// another one act for them: the even member of a pair passes its data to the odd one.
    void ReduceByDoubling()
    {
        const uint32_t power = std::bit_floor(m_members);
        const uint32_t pairs = m_members - power;
        const bool paired = m_self < 2 * pairs;
        if (paired && m_self % 2 == 0)
        {
            Send(m_self + 1, GetAll());
            EndStep();
            Receive(m_self + 1, GetAll(), false);
            return;
        }
        if (paired)
        {
            Receive(m_self - 1, GetAll(), true);
            EndStep();
        }
        const uint32_t number = paired ? m_self / 2 : m_self - pairs;
        for (uint32_t bit = 1; bit < power; bit *= 2)
        {
            const uint32_t other = number ^ bit;
            const uint32_t member = other < pairs ? 2 * other + 1 : other + pairs;
            Receive(member, GetAll(), true);
            Send(member, GetAll());
            EndStep();
        }
        if (paired)
        {
            Send(m_self - 1, GetAll());
        }
    }

    /// Exchange with one member a step: number XOR step, or a circle if no power of two.
    void ExchangePairwise()
    {
        const bool mirror = std::has_single_bit(m_members);
        for (uint32_t step = 1; step < m_members; ++step)
        {
            const uint32_t from = mirror ? m_self ^ step : GetBefore(step);
            const uint32_t to = mirror ? m_self ^ step : GetAfter(step);
            Receive(from, {from, 1}, false);
            // The sender's block for this member.
            m_messages.back().bytes = GetBytes({m_self, 1});
            Send(to, {to, 1});
            EndStep();
        }
    }

    /// Prefix sums: each step adds those of twice as many members before (Hillis and Steele).
    void Scan()
    {
        for (uint32_t distance = 1; distance < m_members; distance *= 2)
        {
            if (m_self >= distance)
            {
                Receive(m_self - distance, GetAll(), true);
            }
            if (m_self + distance < m_members)
            {
                Send(m_self + distance, GetAll());
            }
            EndStep();
        }
    }

    /// Dissemination: a step later, twice as many members have begun for certain.
    void Synchronise()
    {
        for (uint32_t distance = 1; distance < m_members; distance *= 2)
        {
            Receive(GetBefore(distance), GetAll(), false);
            Send(GetAfter(distance), GetAll());
            EndStep();
        }
    }

    const Collective& m_collective;            ///< The operation.
    uint32_t m_members;                        ///< Number of members.
    uint32_t m_self;                           ///< The member.
    uint32_t m_blocks;                         ///< Number of blocks.
    uint32_t m_step{0};                        ///< Current step.
    std::vector<CollectiveMessage> m_messages; ///< Messages so far.
};

} // namespace

std::string_view
GetCollectiveWord(CollectiveKind kind)
{
    return WORDS[static_cast<uint8_t>(kind)];
}

bool
FindCollectiveKind(std::string_view word, CollectiveKind& kind)
{
    const auto* const found = std::ranges::find(WORDS, word);
    if (found == WORDS.end())
    {
        return false;
    }
    kind = static_cast<CollectiveKind>(found - WORDS.begin());
    return true;
}

uint32_t
Collective::GetNBlocks() const
{
    const bool whole = HasOneVector(kind) && !ring;
    const bool unsplit = kind == CollectiveKind::BARRIER || kind == CollectiveKind::SCAN;
    return whole || unsplit ? 1 : members;
}

std::vector<CollectiveMessage>
MakeCollective(const Collective& collective, uint32_t self)
{
    return CollectiveWriter(collective, self).Write();
}

std::vector<CollectiveMessage>
MakeAlltoallv(uint32_t self, std::span<const uint64_t> sent, std::span<const uint64_t> received)
{
    const auto members = static_cast<uint32_t>(sent.size());
    std::vector<CollectiveMessage> messages;
    for (uint32_t distance = 1; distance < members; ++distance)
    {
        const uint32_t from = (self + distance) % members;
        messages.push_back({.member = from, .block = from, .bytes = received[from]});
    }
    for (uint32_t distance = 1; distance < members; ++distance)
    {
        const uint32_t to = (self + distance) % members;
        messages.push_back({.member = to, .block = to, .bytes = sent[to], .sends = true});
    }
    return messages;
}

} // namespace messaging
} // namespace ns3
