/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "idempotent-benchmark-quicksort.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>
#include <vector>

namespace ns3
{
namespace idempotent
{

namespace
{

/// Key of an entry and its first place, which makes all entries different.
using Key = std::pair<Word, Word>;

/// The program.
class QuicksortProgram
{
  public:
    /// @param parameters checked parameters
    explicit QuicksortProgram(const QuicksortParameters& parameters)
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

    /// @return the trace and the check
    RecordedBenchmark Run()
    {
        m_recorder.Start(0);
        Sort({.low = 0, .high = m_parameters.entries, .source = 0});
        return FinishBenchmark(m_recorder, Compare(), "the vector is sorted, its records whole");
    }

  private:
    static constexpr uint32_t RESULT = 2; //!< vector in which the sorted entries end

    /// A part of the vector.
    struct Part
    {
        uint32_t low{0};    //!< its first entry
        uint32_t high{0};   //!< the entry after its last
        uint32_t source{0}; //!< vector it lies in, 0 or 1; it moves to the other one
        Key pivot{};        //!< entry it is divided by
    };

    /// State of one thread of a partition between its phases.
    struct Worker
    {
        NodeTree::Range range;                 //!< its subtree
        uint32_t less{0};                      //!< own entries before the pivot
        std::vector<uint32_t> counts;          //!< per child: entries before the pivot
        std::vector<NodeTree::Range> children; //!< subtrees of the children
        std::vector<JoinCapability> releases;  //!< per child: where it waits for its places
        std::vector<JoinCapability> ends;      //!< per child: where it reports the end
    };

    /**
     * What a word of a record holds.
     *
     * @param key the record's key and first place
     * @param word index of the word
     * @return its value
     */
    static Word Content(const Key& key, uint32_t word)
    {
        return word == 0 ? key.first : word == 1 ? key.second : key.first ^ (key.second * word);
    }

    /**
     * Where an entry lies: consecutive entries on one node.
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
     * Key of an entry, without time: the caller charges for its load.
     *
     * @param vector 0, 1 or RESULT
     * @param entry index of an entry
     * @return its key and first place
     */
    Key PeekKey(uint32_t vector, uint32_t entry)
    {
        return {m_recorder.Peek(At(vector, entry, 0)), m_recorder.Peek(At(vector, entry, 1))};
    }

    /**
     * A node's entries of a part.
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

    /// @param part part that the current thread, on its first node, sorts
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

        Worker root;
        const uint32_t less = Count(root, part, {.first = first, .count = last - first + 1});
        Move(root, part, 0, less);

        const uint32_t middle = part.low + less;
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

    /// @param part part that lies on the current node whole
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
        m_recorder.Time(m_parameters.localSortTime * count * halvings);
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
     * The count phase of a subtree.
     *
     * @param worker state of the current thread
     * @param part the part being divided
     * @param range the subtree
     * @return entries of the subtree before the pivot
     */
    uint32_t Count(Worker& worker, const Part& part, NodeTree::Range range)
    {
        worker.range = range;
        worker.children = NodeTree::Split(range, m_parameters.arity);
        worker.releases.resize(worker.children.size());
        std::vector<JoinCapability> sums;
        for (std::size_t i = 0; i < worker.children.size(); ++i)
        {
            sums.push_back(m_recorder.NewJoinCapability());
            worker.ends.push_back(m_recorder.NewJoinCapability());
            m_recorder.Fork(worker.children[i].first, [&] {
                RunChild(part, worker.children[i], sums[i], worker.ends[i], worker.releases[i]);
            });
        }
        const auto [begin, end] = Entries(part, range.first);
        for (uint32_t entry = begin; entry < end; ++entry)
        {
            m_recorder.Load(At(part.source, entry));
            m_recorder.Time(m_parameters.countTime);
            worker.less += PeekKey(part.source, entry) < part.pivot ? 1 : 0;
        }
        uint32_t sum = worker.less;
        for (const JoinCapability& join : sums)
        {
            worker.counts.push_back(m_recorder.Sync(join));
            sum += worker.counts.back();
        }
        return sum;
    }

    /**
     * A thread of a partition below the root.
     *
     * @param part the part being divided
     * @param range its subtree
     * @param sum where to join the count
     * @param end where to report the end
     * @param release set to where it waits for its places
     */
    void RunChild(const Part& part,
                  NodeTree::Range range,
                  JoinCapability sum,
                  JoinCapability end,
                  JoinCapability& release)
    {
        release = m_recorder.NewJoinCapability();
        const JoinCapability places = release;
        Worker worker;
        const uint32_t less = Count(worker, part, range);
        // The parent needs the capability, too, to hand the places down.
        m_recorder.Join(sum, std::array<Word, 2>{less, places.index});
        m_recorder.SyncThen(
            places,
            [this, part, end, worker = std::move(worker)](std::span<const Word> data) {
                Move(worker, part, data[0], data[1]);
                m_recorder.Join(end, 0);
            });
    }

    /**
     * The move phase of a subtree and its barrier.
     *
     * @param worker state of the current thread
     * @param part the part being divided
     * @param before entries before the pivot that lie before the subtree
     * @param total entries of the part before the pivot
     */
    void Move(const Worker& worker, const Part& part, uint32_t before, uint32_t total)
    {
        uint32_t place = before + worker.less;
        for (std::size_t i = 0; i < worker.children.size(); ++i)
        {
            m_recorder.Join(worker.releases[i], std::array<Word, 2>{place, total});
            place += worker.counts[i];
        }
        const auto [begin, end] = Entries(part, worker.range.first);
        uint32_t less = part.low + before;
        // Entries after the pivot go behind it, and those on earlier nodes stay first.
        uint32_t more = part.low + total + 1 + (begin - part.low - before);
        more -= PivotIsBefore(part, begin) ? 1 : 0;
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
            else
            {
                m_recorder.Store(At(1 - part.source, key < part.pivot ? less++ : more++), record);
            }
            if (m_parameters.storesPerWait != 0 && ++stores % m_parameters.storesPerWait == 0)
            {
                m_recorder.Wait();
            }
        }
        m_recorder.Wait();
        for (const JoinCapability& join : worker.ends)
        {
            m_recorder.Sync(join);
        }
    }

    /**
     * Whether the pivot, the middle entry of its part, lies before an entry.
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
                    return "entry " + std::to_string(entry) + " of the sorted vector is wrong";
                }
            }
        }
        return {};
    }

    const QuicksortParameters& m_parameters; //!< parameters
    Recorder m_recorder;                     //!< the machine
    uint32_t m_share;                        //!< entries on each node but the last
    uint32_t m_record;                       //!< length of an entry [words]
    std::array<uint32_t, 3> m_vectors{};     //!< offsets of two vectors to sort and the result
    std::vector<Key> m_input;                //!< keys before sorting
};

} // namespace

std::string
QuicksortParameters::Check() const
{
    if (nodes == 0 || entries == 0)
    {
        return "quicksort needs at least one node and one entry";
    }
    if (arity == 0 || (arity == 1 && nodes > 4096))
    {
        return "quicksort needs trees of arity 1 or more, and 2 or more beyond 4096 nodes";
    }
    if (recordWords < 2 || recordWords > 1024)
    {
        return "quicksort needs records of 2 to 1024 words";
    }
    return machine.Check();
}

RecordedBenchmark
RecordQuicksort(const QuicksortParameters& parameters)
{
    RecordedBenchmark refused;
    refused.error = parameters.Check();
    return refused.error.empty() ? QuicksortProgram(parameters).Run() : refused;
}

} // namespace idempotent
} // namespace ns3
