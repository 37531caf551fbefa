/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef IDEMPOTENT_BENCHMARK_H
#define IDEMPOTENT_BENCHMARK_H

/**
 * @file
 * @ingroup idempotent
 * Common parts of the micro-benchmarks of section 4.1 of the paper.
 */

#include "ns3/idempotent-recorder.h"
#include "ns3/idempotent-trace.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3
{
namespace idempotent
{

/// Maximum number of nodes of a micro-benchmark: sixteen times a million.
inline constexpr uint32_t MOST_NODES = uint32_t{1} << 24;

/// Maximum number of messages, and of words of data, of a micro-benchmark; they have to fit in
/// memory.
inline constexpr uint64_t MOST_WORDS = uint64_t{1} << 29;

/**
 * Checks the size and the machine of a micro-benchmark.
 *
 * @param name its name
 * @param nodes number of nodes
 * @param words number of messages or of words of data, whichever is larger
 * @param machine lengths and times
 * @return empty if it can be recorded, else one sentence
 */
std::string CheckSize(const std::string& name,
                      uint32_t nodes,
                      uint64_t words,
                      const RecorderConfig& machine);

/// Trace of a micro-benchmark and the check of its result.
struct RecordedBenchmark
{
    Trace trace;          ///< Trace; empty on an error.
    std::string error;    ///< Empty, or the reason of a failed recording, in one sentence.
    bool verified{false}; ///< The program's result is right.
    std::string finding;  ///< The comparison, or the first difference, in one sentence.
};

/**
 * Makes the result of a benchmark from a recording.
 *
 * @param recorder the recorder, after the program has run
 * @param wrong empty if the result is right, else the first difference
 * @param right description of the comparison, for a right result
 * @return the result
 */
RecordedBenchmark FinishBenchmark(Recorder& recorder,
                                  const std::string& wrong,
                                  const std::string& right);

/**
 * A tree over consecutive nodes with one thread per node, for phases and barriers. Its root is the
 * first node; the rest is divided into at most `arity` runs, each of which is again a subtree.
 */
class NodeTree
{
  public:
    /// A run of consecutive nodes; the first one is the root of a subtree.
    struct Range
    {
        uint32_t first{0}; ///< Root of the subtree.
        uint32_t count{0}; ///< Number of nodes in the subtree, root included.
    };

    /**
     * Divides a range into runs of nearly equal length, as in Figure 6 with two. The first run
     * includes the range's first node.
     *
     * @param range the range
     * @param arity largest number of runs
     * @return the runs, in order of nodes
     */
    static std::vector<Range> Cut(Range range, uint32_t arity);

    /**
     * Divides a subtree, except its first node, into the subtrees of its children.
     *
     * @param range the subtree
     * @param arity largest number of children
     * @return the subtrees of its children, in order of nodes
     */
    static std::vector<Range> Split(Range range, uint32_t arity);

    /**
     * @param nodes number of nodes
     * @param arity largest number of children
     */
    NodeTree(uint32_t nodes, uint32_t arity);

    /// @param node a node
    /// @return its children in ascending order, all greater than itself
    const std::vector<uint32_t>& GetChildren(uint32_t node) const
    {
        return m_children[node];
    }

  private:
    std::vector<std::vector<uint32_t>> m_children; ///< Per node: its children.
};

/**
 * Forks a thread for each part of a job, executes the caller's share, then waits for the parts.
 *
 * @param recorder the recorder
 * @param parts the parts, in the order in which they are forked and awaited
 * @param node node of a part's thread: a member of the part, or a function of it
 * @param run runs a part in its thread and returns the word that it joins
 * @param own the work of the forking thread meanwhile
 * @return the words joined by the parts
 */
template <class Parts, class Node, class Run, class Own>
std::vector<Word>
ForkParts(Recorder& recorder, Parts&& parts, Node node, Run run, Own own)
{
    std::vector<JoinCapability> joins;
    for (auto& part : parts)
    {
        const JoinCapability join = recorder.NewJoinCapability();
        joins.push_back(join);
        recorder.Fork(std::invoke(node, part), [&] { recorder.Join(join, run(part)); });
    }
    own();
    std::vector<Word> words;
    for (const JoinCapability& join : joins)
    {
        words.push_back(recorder.Sync(join));
    }
    return words;
}

/**
 * Small generator of test data (splitmix64), so that a benchmark's data depend only on its seed,
 * not on the simulator.
 */
class DataGenerator
{
  public:
    /// @param seed start of the sequence
    explicit DataGenerator(uint64_t seed)
        : m_state(seed)
    {
    }

    /// @return the next 64 bits
    uint64_t Next();

    /// @return the next number in [0, 1)
    double NextReal();

  private:
    uint64_t m_state; ///< Position in the sequence.
};

} // namespace idempotent
} // namespace ns3

#endif // IDEMPOTENT_BENCHMARK_H
