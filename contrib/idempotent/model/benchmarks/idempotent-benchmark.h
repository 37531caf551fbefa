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

/// Sources of a trace: the micro-benchmarks of section 4.1, or a file.
enum class BenchmarkKind : uint8_t
{
    ADD,       ///< Parallel addition.
    REVERSE,   ///< Reversal of a vector.
    QUICKSORT, ///< Sorting of a vector.
    NBODY,     ///< Motion of bodies.
    FILE       ///< Trace file.
};

/// Variants of `add`.
enum class AddVariant : uint8_t
{
    SUM,    ///< Threads are forked down a tree, sums joined up it: two passes.
    PREFIX, ///< As SUM, then each thread gets the sum of all words before it: three passes.
};

/// Creation of the threads of `reverse`.
enum class ThreadCreation : uint8_t
{
    PRELOADED, ///< One thread on each node exists at time zero.
    FORKED,    ///< Forked along a tree from node 0, joined at the end.
};

/// Order of the broadcasts of a node of `nbody` along its row and along its column.
enum class BroadcastOrder : uint8_t
{
    INTERLEAVED, ///< The k-th node of the row, then the k-th of the column, then k + 1.
    ROW_FIRST,   ///< The whole row, then the whole column.
};

/// Synchronisation of the threads of `nbody`.
enum class PhaseControl : uint8_t
{
    BARRIERS, ///< A thread on each node from time zero; joins up and down a tree.
    FORKED,   ///< Each phase is forked down a tree and joined up it.
};

/**
 * Parameters of a micro-benchmark; those of the others have no effect.
 *
 * The default seed is the one of 1 to 8 for which the cycles of `quicksort` on the buffered
 * networks are closest to their mean.
 */
struct BenchmarkParameters
{
    BenchmarkKind kind{BenchmarkKind::REVERSE}; ///< The micro-benchmark; not FILE.
    uint32_t nodes{0};   ///< Number of nodes; 0 for the published one [nodes; section 4.1].
    uint32_t entries{0}; ///< Length of a vector; 0 for the published number per node [entries].
    uint32_t arity{4};   ///< Children of a thread in trees of threads [threads; calibrated].
    uint64_t seed{8};    ///< Seed of the data [-; calibrated].
    AddVariant addVariant{AddVariant::SUM};                ///< Passes [-; calibrated].
    ThreadCreation threads{ThreadCreation::FORKED};        ///< Of `reverse` [-; section 3.1].
    BroadcastOrder broadcast{BroadcastOrder::INTERLEAVED}; ///< Of `nbody` [-; calibrated].
    PhaseControl control{PhaseControl::FORKED};            ///< Of `nbody` [-; section 3.1].

    uint32_t reverseStoresPerWait{0};   ///< Stores between waits; 0: one Wait [-; calibrated].
    uint32_t quicksortStoresPerWait{4}; ///< Entries moved between waits; 0: one Wait [-; fixed].
    uint32_t recordWords{4}; ///< Length of an entry of `quicksort`, 2 or more [words; calibrated].
    uint32_t countTime{58};  ///< Comparison of an entry after its load [cycles; calibrated].
    uint32_t moveTime{2};    ///< Move of an entry after its loads [cycles; fixed].
    uint32_t localSortTime{8};  ///< Sequential sort, per entry and halving [cycles; fixed].
    uint32_t iterations{6};     ///< Time steps [-; calibrated].
    uint32_t storesPerPeer{8};  ///< Stores per body and peer [-; calibrated].
    uint32_t wordsPerStore{1};  ///< Data of each store [words; calibrated].
    uint32_t storeInterval{4};  ///< Time between the stores of a broadcast [cycles; fixed].
    uint32_t computeTime{3000}; ///< Forces per iteration and node [cycles; calibrated].
    RecorderConfig machine{};   ///< Lengths and times.
    std::string constants{};    ///< Overridden constants, as "CountTime=40 ForkTime=9".

    /// @return the parameters with the overrides, and with published numbers in place of 0
    BenchmarkParameters Complete() const;

    /// @return empty if the parameters are valid, else one sentence
    std::string Check() const;
};

/**
 * Records a micro-benchmark.
 *
 * @param parameters its parameters
 * @return the trace, or an error: wrong parameters, or a wrong result of the program
 */
TraceOrError Record(const BenchmarkParameters& parameters);

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
