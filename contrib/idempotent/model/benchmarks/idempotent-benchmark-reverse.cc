/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "idempotent-benchmark-reverse.h"

#include <algorithm>

namespace ns3
{
namespace idempotent
{

namespace
{

/// The program: every node moves its own entries.
class ReverseProgram
{
  public:
    /// @param parameters checked parameters
    explicit ReverseProgram(const BenchmarkParameters& parameters)
        : m_parameters(parameters),
          m_recorder(parameters.nodes, parameters.machine),
          m_share((parameters.entries - 1) / parameters.nodes + 1),
          m_source(m_recorder.Allocate(m_share)),
          m_result(m_recorder.Allocate(m_share))
    {
        DataGenerator generator(parameters.seed);
        for (uint32_t entry = 0; entry < parameters.entries; ++entry)
        {
            m_recorder.Poke(At(m_source, entry), static_cast<Word>(generator.Next()));
        }
    }

    /// @return the trace, or the first error of the result
    TraceOrError Run()
    {
        if (m_parameters.threads == ThreadCreation::FORKED)
        {
            m_recorder.Start(0);
            Spread({.first = 0, .count = m_parameters.nodes});
        }
        else
        {
            for (uint32_t node = 0; node < m_parameters.nodes; ++node)
            {
                m_recorder.Start(node);
                Move(node);
            }
        }
        return {.trace = m_recorder.Finish(), .error = Compare()};
    }

  private:
    /**
     * Gets the address of an entry; consecutive entries are on one node.
     *
     * @param vector offset of a vector
     * @param entry index of an entry
     * @return its address
     */
    Pointer At(uint32_t vector, uint32_t entry) const
    {
        return {entry / m_share, vector + entry % m_share};
    }

    /// @param range subtree whose entries the current thread and those it forks move
    void Spread(NodeTree::Range range)
    {
        const auto run = [this](const NodeTree::Range& child) {
            Spread(child);
            return Word{0};
        };
        ForkParts(m_recorder,
                  NodeTree::Split(range, m_parameters.arity),
                  &NodeTree::Range::first,
                  run,
                  [&] { Move(range.first); });
    }

    /// @param node node whose entries the current thread moves
    void Move(uint32_t node)
    {
        const uint64_t begin = uint64_t{node} * m_share;
        const uint64_t end = std::min<uint64_t>(begin + m_share, m_parameters.entries);
        uint32_t stores = 0;
        for (uint64_t entry = begin; entry < end; ++entry)
        {
            const auto index = static_cast<uint32_t>(entry);
            const Word word = m_recorder.Load(At(m_source, index));
            m_recorder.Store(At(m_result, m_parameters.entries - 1 - index), word);
            if (m_parameters.reverseStoresPerWait != 0 &&
                ++stores % m_parameters.reverseStoresPerWait == 0)
            {
                m_recorder.Wait();
            }
        }
        m_recorder.Wait();
    }

    /// @return empty if the vector is reversed, else the first difference
    std::string Compare()
    {
        for (uint32_t entry = 0; entry < m_parameters.entries; ++entry)
        {
            if (m_recorder.Peek(At(m_result, entry)) !=
                m_recorder.Peek(At(m_source, m_parameters.entries - 1 - entry)))
            {
                return "Entry " + std::to_string(entry) + " of the reversed vector is wrong.";
            }
        }
        return {};
    }

    const BenchmarkParameters& m_parameters; ///< Parameters.
    Recorder m_recorder;                     ///< The machine.
    uint32_t m_share;                        ///< Entries on each node but the last.
    uint32_t m_source;                       ///< Offset of the vector.
    uint32_t m_result;                       ///< Offset of the reversed vector.
};

} // namespace

TraceOrError
RecordReverse(const BenchmarkParameters& parameters)
{
    return ReverseProgram(parameters).Run();
}

} // namespace idempotent
} // namespace ns3
