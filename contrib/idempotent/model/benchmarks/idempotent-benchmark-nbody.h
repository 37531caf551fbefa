/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef IDEMPOTENT_BENCHMARK_NBODY_H
#define IDEMPOTENT_BENCHMARK_NBODY_H

/**
 * @file
 * @ingroup idempotent
 * The micro-benchmark `nbody` (section 4.1 of the paper).
 */

#include "ns3/idempotent-benchmark.h"

#include <cstdint>
#include <string>

namespace ns3
{
namespace idempotent
{

/// Order of a node's broadcasts along its row and along its column.
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
 * Parameters of `nbody`.
 *
 * The paper gives the number of nodes, one body each, and the broadcast to row and column. The node
 * in row r and column c then has the bodies of both, and computes the force of each body of its
 * column on each of its row, so that all N^2 pairs occur once. A second exchange along the rows
 * returns the partial forces. Number and length of the stores, iterations and computation are
 * calibrated on the buffered column of Table 2a. There the fat tree is slower than the 3D grid,
 * which requires that all nodes of a row send to its k-th node at the same time, with several
 * stores to each.
 */
struct NbodyParameters
{
    uint32_t nodes{256};        ///< Number of nodes, a square [nodes; section 4.1].
    uint32_t iterations{6};     ///< Time steps [-; calibrated].
    uint32_t storesPerPeer{8};  ///< Stores per body and peer [-; calibrated].
    uint32_t wordsPerStore{1};  ///< Data of each store [words; calibrated].
    uint32_t storeInterval{4};  ///< Time between the stores of a broadcast [cycles; fixed].
    uint32_t computeTime{3000}; ///< Forces per iteration and node [cycles; calibrated].
    uint32_t arity{4};          ///< Arity of the trees of threads [threads; calibrated].
    BroadcastOrder broadcast{BroadcastOrder::INTERLEAVED}; ///< Broadcast [-; calibrated].
    PhaseControl control{PhaseControl::FORKED};            ///< Synchronisation [-; section 3.1].
    double timeStep{1e-3};                                 ///< Length of a time step [-; default].
    uint64_t seed{1};                                      ///< Seed of the data [-; default].
    RecorderConfig machine;                                ///< Lengths and times.

    /// @return empty if the values are valid, else one sentence
    std::string Check() const;
};

/**
 * Records `nbody` and compares the bodies with a direct O(N^2) computation.
 *
 * @param parameters its parameters
 * @return the trace and the check
 */
RecordedBenchmark Record(const NbodyParameters& parameters);

} // namespace idempotent
} // namespace ns3

#endif // IDEMPOTENT_BENCHMARK_NBODY_H
