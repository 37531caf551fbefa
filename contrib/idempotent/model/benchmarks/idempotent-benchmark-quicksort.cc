/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "idempotent-benchmark-quicksort.h"

#include "ns3/nstime.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <utility>
#include <vector>

namespace ns3
{
namespace idempotent
{

namespace
{

/// Key of an entry and its original index, which makes all entries different.
using Key = std::pair<Word, Word>;

/// The program.
class QuicksortProgram
{
  public:
    /// @param parameters checked parameters
    explicit QuicksortProgram(const BenchmarkParameters& parameters)
        : m_parameters(parameters),
          m_recorder(parameters.nodes, parameters.machine),
          m_share((parameters.entries - 1) / parameters.nodes + 1),
          m_record(parameters.recordWords)
    {
        for (uint32_t& vector : m_vectors)
        {
            vector = m_recorder.Allocate(m_share * m_record);
        }
        DataGenerator generator(parameters.seed);
        for (uint32_t entry = 0; entry < parameters.entries; ++entry)
        {
            const auto key = static_cast<Word>(generator.Next());
            m_input.emplace_back(key, entry);
            for (uint32_t word = 0; word < m_record; ++word)
            {
                m_recorder.Poke(At(0, entry, word), Content(m_input.back(), word));
            }
        }
    }

    /// @return the trace, or the first error of the result
    TraceOrError Run()
    {
        m_recorder.Start(0);
        Sort({.low = 0, .high = m_parameters.entries, .source = 0});
        return {.trace = m_recorder.Finish(), .error = Compare()};
    }

  private:
    static constexpr uint32_t RESULT = 2; ///< Vector of the sorted entries.

    /// A part of the vector.
    struct Part
    {
        uint32_t low{0};    ///< First entry.
        uint32_t high{0};   ///< Entry after the last one.
        uint32_t source{0}; ///< Vector that holds it, 0 or 1; the phases move it to the other one.
        Key pivot{};        ///< Pivot entry.
    };

    /// State of a node between the phases.
    struct Share
    {
        NodeTree::Range range;       ///< The node and its subtree.
        uint32_t less{0};            ///< The node's entries before the pivot.
        uint32_t sum{0};             ///< The subtree's entries before the pivot.
        std::vector<Share> children; ///< Shares of the children.
    };

    /**
     * Computes a word of a record.
     *
     * @param key the record's key and original index
     * @param word index of the word
     * @return its value
     */
    static Word Content(const Key& key, uint32_t word)
    {
        switch (word)
        {
        case 0:
            return key.first;
        case 1:
            return key.second;
        default:
            return key.first ^ (key.second * word);
        }
    }

    /**
     * Gets the address of an entry; consecutive entries are on one node.
     *
     * @param vector 0, 1 or RESULT
     * @param entry index of an entry
     * @param word index of a word of its record
     * @return the word's address
     */
    Pointer At(uint32_t vector, uint32_t entry, uint32_t word = 0) const
    {
        return {entry / m_share, m_vectors[vector] + (entry % m_share) * m_record + word};
    }

    /**
     * Gets the key of an entry without time; the caller charges its load.
     *
     * @param vector 0, 1 or RESULT
     * @param entry index of an entry
     * @return its key and original index
     */
    Key PeekKey(uint32_t vector, uint32_t entry)
    {
        return {m_recorder.Peek(At(vector, entry, 0)), m_recorder.Peek(At(vector, entry, 1))};
    }

    /**
     * Gets a node's entries of a part.
     *
     * @param part the part
     * @param node the node
     * @return first entry and the entry after the last
     */
    std::pair<uint32_t, uint32_t> Entries(const Part& part, uint32_t node) const
    {
        const uint64_t end = (uint64_t{node} + 1) * m_share;
        return {std::max(part.low, node * m_share),
                static_cast<uint32_t>(std::min<uint64_t>(part.high, end))};
    }

    /// @param part part to be sorted by the current thread, on its first node
    void Sort(Part part)
    {
        if (part.low == part.high)
        {
            return;
        }
        const uint32_t first = part.low / m_share;
        const uint32_t last = (part.high - 1) / m_share;
        if (first == last)
        {
            SortLocally(part);
            return;
        }
        std::array<Word, 2> pivot{};
        m_recorder.Load(At(part.source, part.low + (part.high - part.low) / 2), pivot);
        part.pivot = {pivot[0], pivot[1]};

        Share root;
        root.range = {.first = first, .count = last - first + 1};
        Count(root, part);
        Move(root, part, 0, root.sum);
        Synchronise(root);

        const uint32_t middle = part.low + root.sum;
        const Part left{.low = part.low, .high = middle, .source = 1 - part.source};
        const Part right{.low = middle + 1, .high = part.high, .source = 1 - part.source};
        if (right.low == right.high)
        {
            Sort(left);
            return;
        }
        const JoinCapability end = m_recorder.NewJoinCapability();
        m_recorder.Fork(right.low / m_share, [&] {
            Sort(right);
            m_recorder.Join(end, 0);
        });
        Sort(left);
        m_recorder.Sync(end);
    }

    /// @param part part that is entirely on the current node
    void SortLocally(const Part& part)
    {
        std::vector<Key> keys;
        std::vector<Word> record(m_record);
        for (uint32_t entry = part.low; entry < part.high; ++entry)
        {
            m_recorder.Load(At(part.source, entry), record);
            keys.emplace_back(record[0], record[1]);
        }
        std::sort(keys.begin(), keys.end());
        const auto count = static_cast<uint32_t>(keys.size());
        const auto halvings = static_cast<uint32_t>(std::bit_width(count - 1));
        m_recorder.Time(uint64_t{m_parameters.localSortTime} * count * halvings);
        for (uint32_t i = 0; i < count; ++i)
        {
            for (uint32_t word = 0; word < m_record; ++word)
            {
                record[word] = Content(keys[i], word);
            }
            m_recorder.Store(At(RESULT, part.low + i), record);
        }
    }

    /**
     * Runs a phase on all nodes of a subtree: forks a thread on each child, executes the work on
     * its own node, then waits for the children.
     *
     * @param share the subtree
     * @param phase runs the phase on a child and returns the word for its parent
     * @param work the work on the own node
     * @return the words joined by the children
     */
    template <class Phase, class Work>
    std::vector<Word> RunPhase(Share& share, Phase phase, Work work)
    {
        const auto root = [](const Share& child) { return child.range.first; };
        return ForkParts(m_recorder, share.children, root, phase, work);
    }

    /**
     * The first phase: counts the entries before the pivot.
     *
     * @param share subtree to count
     * @param part the part being divided
     */
    void Count(Share& share, const Part& part)
    {
        for (const NodeTree::Range& range : NodeTree::Split(share.range, m_parameters.arity))
        {
            share.children.emplace_back().range = range;
        }
        const auto sums = RunPhase(
            share,
            [this, &part](Share& child) {
                Count(child, part);
                return child.sum;
            },
            [this, &share, &part] {
                const auto [begin, end] = Entries(part, share.range.first);
                for (uint32_t entry = begin; entry < end; ++entry)
                {
                    m_recorder.Load(At(part.source, entry));
                    m_recorder.Time(m_parameters.countTime);
                    if (PeekKey(part.source, entry) < part.pivot)
                    {
                        ++share.less;
                    }
                }
            });
        share.sum = std::accumulate(sums.begin(), sums.end(), share.less);
    }

    /**
     * The second phase: moves the entries to the indices given by the counts.
     *
     * @param share subtree whose entries are moved
     * @param part the part being divided
     * @param before entries before the pivot on nodes before the subtree
     * @param total entries of the part before the pivot
     */
    void Move(Share& share, const Part& part, uint32_t before, uint32_t total)
    {
        uint32_t place = before + share.less;
        RunPhase(
            share,
            [this, &part, &place, total](Share& child) {
                const uint32_t from = place;
                place += child.sum;
                Move(child, part, from, total);
                return Word{0};
            },
            [this, &share, &part, before, total] {
                MoveOwn(part, share.range.first, before, total);
            });
    }

    /**
     * Moves the entries of a node.
     *
     * @param part the part being divided
     * @param node the node
     * @param before entries before the pivot on earlier nodes
     * @param total entries of the part before the pivot
     */
    void MoveOwn(const Part& part, uint32_t node, uint32_t before, uint32_t total)
    {
        const auto [begin, end] = Entries(part, node);
        uint32_t less = part.low + before;
        // Entries after the pivot follow it, those from earlier nodes first.
        uint32_t more = part.low + total + 1 + (begin - part.low - before);
        if (PivotIsBefore(part, begin))
        {
            --more;
        }
        std::vector<Word> record(m_record);
        uint32_t stores = 0;
        for (uint32_t entry = begin; entry < end; ++entry)
        {
            m_recorder.Load(At(part.source, entry), record);
            m_recorder.Time(m_parameters.moveTime);
            const Key key{record[0], record[1]};
            if (key == part.pivot)
            {
                m_recorder.Store(At(RESULT, part.low + total), record);
            }
            else if (key < part.pivot)
            {
                m_recorder.Store(At(1 - part.source, less++), record);
            }
            else
            {
                m_recorder.Store(At(1 - part.source, more++), record);
            }
            if (m_parameters.quicksortStoresPerWait != 0 &&
                ++stores % m_parameters.quicksortStoresPerWait == 0)
            {
                m_recorder.Wait();
            }
        }
        m_recorder.Wait();
    }

    /**
     * The third phase: a barrier, which ensures that all entries have been moved.
     *
     * @param share subtree of the barrier
     */
    void Synchronise(Share& share)
    {
        RunPhase(
            share,
            [this](Share& child) {
                Synchronise(child);
                return Word{0};
            },
            [] {});
    }

    /**
     * Checks whether the pivot, the middle entry of its part, precedes an entry.
     *
     * @param part the part
     * @param entry the entry
     * @return true if so
     */
    static bool PivotIsBefore(const Part& part, uint32_t entry)
    {
        return part.low + (part.high - part.low) / 2 < entry;
    }

    /// @return empty if the vector is sorted, else the first difference
    std::string Compare()
    {
        std::vector<Key> sorted = m_input;
        std::sort(sorted.begin(), sorted.end());
        for (uint32_t entry = 0; entry < m_parameters.entries; ++entry)
        {
            for (uint32_t word = 0; word < m_record; ++word)
            {
                if (m_recorder.Peek(At(RESULT, entry, word)) != Content(sorted[entry], word))
                {
                    return "Entry " + std::to_string(entry) + " of the sorted vector is wrong.";
                }
            }
        }
        return {};
    }

    const BenchmarkParameters& m_parameters; ///< Parameters.
    Recorder m_recorder;                     ///< The machine.
    uint32_t m_share;                        ///< Entries on each node but the last.
    uint32_t m_record;                       ///< Length of an entry [words].
    std::array<uint32_t, 3> m_vectors{};     ///< Offsets of two vectors to sort and the result.
    std::vector<Key> m_input;                ///< Keys before sorting.
};

} // namespace

TraceOrError
RecordQuicksort(const BenchmarkParameters& parameters)
{
    return QuicksortProgram(parameters).Run();
}

} // namespace idempotent
} // namespace ns3
