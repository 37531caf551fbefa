/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "idempotent-benchmark-add.h"

#include <array>
#include <utility>
#include <vector>

namespace ns3
{
namespace idempotent
{

namespace
{

/// The program: every node runs one thread.
class AddProgram
{
  public:
    /// @param parameters checked parameters
    explicit AddProgram(const AddParameters& parameters)
        : m_parameters(parameters),
          m_recorder(parameters.nodes, parameters.machine),
          m_data(m_recorder.Allocate(1)),
          m_prefix(m_recorder.Allocate(1))
    {
        const std::size_t nodes = parameters.nodes;
        m_recorder.Reserve(nodes * 3 / 2, nodes * 5 / 2);
        DataGenerator generator(parameters.seed);
        for (uint32_t node = 0; node < parameters.nodes; ++node)
        {
            m_recorder.Poke({node, m_data}, static_cast<Word>(generator.Next()));
        }
    }

    /// @return the trace and the check
    RecordedBenchmark Run()
    {
        m_recorder.Start(0);
        if (m_parameters.variant == AddVariant::SUM)
        {
            m_total = Sum({.first = 0, .count = m_parameters.nodes});
        }
        else
        {
            Scan({.first = 0, .count = m_parameters.nodes}, nullptr, nullptr);
        }
        const std::string wrong = Compare();
        return FinishBenchmark(m_recorder,
                               wrong,
                               m_parameters.variant == AddVariant::SUM
                                   ? "the sum equals a sequential sum"
                                   : "all prefix sums equal sequential ones");
    }

  private:
    /**
     * Sums a subtree's words on its root's thread.
     *
     * @param range the subtree
     * @return the sum
     */
    Word Sum(NodeTree::Range range)
    {
        std::vector<JoinCapability> joins;
        for (const NodeTree::Range& child : NodeTree::Split(range, m_parameters.arity))
        {
            const JoinCapability join = m_recorder.NewJoinCapability();
            joins.push_back(join);
            m_recorder.Fork(child.first, [&] { m_recorder.Join(join, Sum(child)); });
        }
        Word sum = m_recorder.Load({range.first, m_data});
        for (const JoinCapability& join : joins)
        {
            sum += m_recorder.Sync(join);
        }
        m_recorder.Time(m_parameters.additionTime * static_cast<uint32_t>(joins.size()));
        return sum;
    }

    /**
     * Sums a subtree's words, then hands each child the sum of all words before it.
     *
     * @param range the subtree
     * @param up where to join the subtree's sum; null at the root
     * @param down where the sum of all words before the subtree arrives; null at the root
     */
    void Scan(NodeTree::Range range, const JoinCapability* up, const JoinCapability* down)
    {
        const auto children = NodeTree::Split(range, m_parameters.arity);
        std::vector<JoinCapability> sums;
        std::vector<JoinCapability> releases(children.size());
        for (std::size_t i = 0; i < children.size(); ++i)
        {
            sums.push_back(m_recorder.NewJoinCapability());
            m_recorder.Fork(children[i].first, [&] {
                releases[i] = m_recorder.NewJoinCapability();
                Scan(children[i], &sums[i], &releases[i]);
            });
        }
        const Word own = m_recorder.Load({range.first, m_data});
        Word sum = own;
        std::vector<Word> before;
        for (const JoinCapability& join : sums)
        {
            before.push_back(sum);
            sum += m_recorder.Sync(join);
        }
        m_recorder.Time(m_parameters.additionTime * static_cast<uint32_t>(sums.size()));
        auto release = [this, node = range.first, own, before, releases](Word offset) {
            for (std::size_t i = 0; i < releases.size(); ++i)
            {
                m_recorder.Time(m_parameters.additionTime);
                m_recorder.Join(releases[i], offset + before[i]);
            }
            m_recorder.Time(m_parameters.additionTime);
            m_recorder.Store({node, m_prefix}, offset + own);
        };
        if (!up)
        {
            release(0);
            return;
        }
        // The parent needs the capability, too, to hand the offset down.
        m_recorder.Join(*up, std::array<Word, 2>{sum, down->index});
        m_recorder.SyncThen(*down, [release = std::move(release)](std::span<const Word> data) {
            release(data.front());
        });
    }

    /// @return empty if the sums are right, else the first difference
    std::string Compare()
    {
        Word sum = 0;
        for (uint32_t node = 0; node < m_parameters.nodes; ++node)
        {
            sum += m_recorder.Peek({node, m_data});
            if (m_parameters.variant == AddVariant::PREFIX &&
                m_recorder.Peek({node, m_prefix}) != sum)
            {
                return "the prefix sum on node " + std::to_string(node) + " is wrong";
            }
        }
        return m_parameters.variant == AddVariant::SUM && m_total != sum ? "the sum is wrong" : "";
    }

    const AddParameters& m_parameters; //!< parameters
    Recorder m_recorder;               //!< the machine
    uint32_t m_data;                   //!< offset of each node's word
    uint32_t m_prefix;                 //!< offset of each node's prefix sum
    Word m_total{0};                   //!< result of SUM
};

} // namespace

std::string
AddParameters::Check() const
{
    if (nodes == 0)
    {
        return "add needs at least one node";
    }
    if (arity == 0)
    {
        return "add needs a fork tree of arity 1 or more";
    }
    // A thread of the modelled program is a call of the recording one: a chain of them is deep.
    if (arity == 1 && nodes > 4096)
    {
        return "add with a fork tree of arity 1 is limited to 4096 nodes";
    }
    return machine.Check();
}

RecordedBenchmark
RecordAdd(const AddParameters& parameters)
{
    RecordedBenchmark refused;
    refused.error = parameters.Check();
    return refused.error.empty() ? AddProgram(parameters).Run() : refused;
}

} // namespace idempotent
} // namespace ns3
