/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "idempotent-benchmark-add.h"

#include "ns3/nstime.h"

#include <array>
#include <numeric>
#include <utility>
#include <vector>

namespace ns3
{
namespace idempotent
{

namespace
{

/**
 * The program of Figure 6, with any arity. A thread forks one thread for each run of its nodes, the
 * first on its own node, until a run is a single node.
 */
class AddProgram
{
  public:
    /// @param parameters checked parameters
    explicit AddProgram(const BenchmarkParameters& parameters)
        : m_parameters(parameters),
          m_recorder(parameters.nodes, parameters.machine),
          m_data(m_recorder.Allocate(1)),
          m_prefix(m_recorder.Allocate(1))
    {
        DataGenerator generator(parameters.seed);
        for (uint32_t node = 0; node < parameters.nodes; ++node)
        {
            m_recorder.Poke({node, m_data}, static_cast<Word>(generator.Next()));
        }
    }

    /// @return the trace, or the first error of the result
    TraceOrError Run()
    {
        m_recorder.Start(0);
        if (m_parameters.addVariant == AddVariant::SUM)
        {
            m_total = Sum({.first = 0, .count = m_parameters.nodes});
        }
        else
        {
            Scan({.first = 0, .count = m_parameters.nodes}, nullptr, nullptr);
        }
        return {.trace = m_recorder.Finish(), .error = Compare()};
    }

  private:
    /**
     * Adds up the words of some nodes on a thread of the first of them.
     *
     * @param range the nodes
     * @return the sum
     */
    Word Sum(NodeTree::Range range)
    {
        if (range.count == 1)
        {
            return m_recorder.Load({range.first, m_data});
        }
        const auto sums = ForkParts(
            m_recorder,
            NodeTree::Cut(range, m_parameters.arity),
            &NodeTree::Range::first,
            [this](const NodeTree::Range& part) { return Sum(part); },
            [] {});
        Add(sums.size() - 1);
        return std::accumulate(sums.begin(), sums.end(), Word{0});
    }

    /**
     * Adds up the words of some nodes, then hands each part the sum of all words before it.
     *
     * @param range the nodes
     * @param up where to join their sum; null at the root
     * @param down where the sum of all words before them arrives; null at the root
     */
    void Scan(NodeTree::Range range, const JoinCapability* up, const JoinCapability* down)
    {
        if (range.count == 1)
        {
            const Word own = m_recorder.Load({range.first, m_data});
            AwaitSumBefore(own, up, down, [this, node = range.first, own](Word before) {
                Add(1);
                m_recorder.Store({node, m_prefix}, before + own);
            });
            return;
        }
        const auto parts = NodeTree::Cut(range, m_parameters.arity);
        std::vector<JoinCapability> joins;
        std::vector<JoinCapability> releases(parts.size());
        for (std::size_t i = 0; i < parts.size(); ++i)
        {
            joins.push_back(m_recorder.NewJoinCapability());
            m_recorder.Fork(parts[i].first, [&] {
                releases[i] = m_recorder.NewJoinCapability();
                Scan(parts[i], &joins[i], &releases[i]);
            });
        }
        std::vector<Word> sums;
        sums.reserve(joins.size());
        for (const JoinCapability& join : joins)
        {
            sums.push_back(m_recorder.Sync(join));
        }
        Add(sums.size() - 1);
        const Word sum = std::accumulate(sums.begin(), sums.end(), Word{0});
        AwaitSumBefore(sum, up, down, [this, sums, releases](Word before) {
            for (std::size_t i = 0; i < releases.size(); ++i)
            {
                m_recorder.Join(releases[i], before);
                Add(1);
                before += sums[i];
            }
        });
    }

    /**
     * Joins a sum to the parent, and waits for the sum of all words before.
     *
     * @param sum the sum
     * @param up where to join it; null at the root
     * @param down where the sum of all words before arrives; null at the root
     * @param release called with that sum
     */
    template <class Release>
    void AwaitSumBefore(Word sum,
                        const JoinCapability* up,
                        const JoinCapability* down,
                        Release release)
    {
        if (!up)
        {
            release(0);
            return;
        }
        // The parent needs the capability, too, to return the sum of all words before.
        m_recorder.Join(*up, std::array<Word, 2>{sum, down->index});
        m_recorder.SyncThen(*down, [release = std::move(release)](std::span<const Word> data) {
            release(data.front());
        });
    }

    /// @param additions number of additions the current thread makes
    void Add(std::size_t additions)
    {
        // An addition in a register takes a cycle [default].
        m_recorder.Time(additions);
    }

    /// @return empty if the sums are right, else the first difference
    std::string Compare()
    {
        Word sum = 0;
        for (uint32_t node = 0; node < m_parameters.nodes; ++node)
        {
            sum += m_recorder.Peek({node, m_data});
            if (m_parameters.addVariant == AddVariant::PREFIX &&
                m_recorder.Peek({node, m_prefix}) != sum)
            {
                return "The prefix sum on node " + std::to_string(node) + " is wrong.";
            }
        }
        if (m_parameters.addVariant == AddVariant::SUM && m_total != sum)
        {
            return "The sum is wrong.";
        }
        return "";
    }

    const BenchmarkParameters& m_parameters; ///< Parameters.
    Recorder m_recorder;                     ///< The machine.
    uint32_t m_data;                         ///< Offset of each node's word.
    uint32_t m_prefix;                       ///< Offset of each node's prefix sum.
    Word m_total{0};                         ///< Result of SUM.
};

} // namespace

TraceOrError
RecordAdd(const BenchmarkParameters& parameters)
{
    return AddProgram(parameters).Run();
}

} // namespace idempotent
} // namespace ns3
