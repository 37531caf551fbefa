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

/// Most nodes of a micro-benchmark: sixteen times a million.
inline constexpr uint32_t MOST_NODES = uint32_t{1} << 24;

/// Most messages and most words of data of a micro-benchmark, which have to fit in memory.
inline constexpr uint64_t MOST_WORDS = uint64_t{1} << 29;

/**
 * Checks the size of a micro-benchmark.
 *
 * @param name its name
 * @param nodes number of nodes
 * @param words messages or words of data it takes, whichever are more
 * @return empty if it can be recorded, else one sentence
 */
std::string CheckSize(const std::string& name, uint32_t nodes, uint64_t words);

/// Trace of a micro-benchmark and the check of its result.
struct RecordedBenchmark
{
    Trace trace;          ///< the trace; empty if there is an error
    std::string error;    ///< empty, or why nothing could be recorded, in one sentence
    bool verified{false}; ///< whether the program's result is right
    std::string finding;  ///< the comparison, or the first difference, in one sentence
};

/**
 * Makes a benchmark's result of a recording.
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
 * A tree over consecutive nodes with one thread a node, for phases and barriers: its root is the
 * first node; the rest is cut into at most `arity` runs, each of which is a subtree again.
 */
class NodeTree
{
  public:
    /// A run of consecutive nodes, the first of which is a subtree's root.
    struct Range
    {
        uint32_t first{0}; ///< root of the subtree
        uint32_t count{0}; ///< number of nodes in the subtree, root included
    };

    /**
     * Cuts a range into runs of nearly equal length, as Figure 6 does with two. The first run
     * begins at the range's own first node.
     *
     * @param range the range
     * @param arity largest number of runs
     * @return the runs, in order of nodes
     */
    static std::vector<Range> Cut(Range range, uint32_t arity);

    /**
     * Cuts a subtree into its children's: all of it but its first node.
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
    std::vector<std::vector<uint32_t>> m_children; ///< per node: its children
};

/**
 * Forks a thread for each part of a job, does the own share of it, then waits for the parts.
 *
 * @param recorder the recorder
 * @param parts the parts, in the order in which they are forked and awaited
 * @param node node of a part's thread: a member of the part, or a function of it
 * @param run runs a part in its thread and returns the word that it joins
 * @param own the work of the forking thread meanwhile
 * @return the words that the parts have joined
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
 * Small generator of test data (splitmix64), so that a benchmark's data depend on its seed alone
 * and not on a simulator.
 */
class DataGenerator
{
  public:
    /// @param seed where the sequence starts
    explicit DataGenerator(uint64_t seed)
        : m_state(seed)
    {
    }

    /// @return the next 64 bits
    uint64_t Next();

    /// @return the next number in [0, 1)
    double NextReal();

  private:
    uint64_t m_state; ///< position in the sequence
};

} // namespace idempotent
} // namespace ns3

#endif // IDEMPOTENT_BENCHMARK_H
