/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef IDEMPOTENT_BENCHMARK_QUICKSORT_H
#define IDEMPOTENT_BENCHMARK_QUICKSORT_H

/**
 * @file
 * @ingroup idempotent
 * The micro-benchmark `quicksort` (section 4.1 of the paper).
 */

#include "ns3/idempotent-benchmark.h"

#include <cstdint>
#include <string>

namespace ns3
{
namespace idempotent
{

/**
 * Parameters of `quicksort`.
 *
 * The paper states only the vector and the number of nodes. An entry is a record with a key, moved
 * by one store. The data determine the depth of the recursion, and change the cycles by up to a
 * quarter. The default seed is the one of 1 to 8 closest to their mean on the buffered networks.
 */
struct QuicksortParameters
{
    uint32_t nodes{1024};      ///< Number of nodes [nodes; section 4.1].
    uint32_t entries{32768};   ///< Length of the vector [entries; section 4.1].
    uint32_t recordWords{4};   ///< Length of an entry, 2 or more [words; calibrated].
    uint32_t arity{4};         ///< Arity of the trees of the phases [threads; calibrated].
    uint32_t storesPerWait{4}; ///< Entries moved between waits; 0: a single Wait [-; fixed].
    uint32_t countTime{58};    ///< Comparison of an entry after its load [cycles; calibrated].
    uint32_t moveTime{2};      ///< Move of an entry after its loads [cycles; fixed].
    uint32_t localSortTime{8}; ///< Sequential sort, per entry and halving [cycles; fixed].
    uint64_t seed{8};          ///< Seed of the data [-; calibrated].
    RecorderConfig machine;    ///< Lengths and times.

    /// @return empty if the values are valid, else one sentence
    std::string Check() const;
};

/**
 * Records `quicksort`. A range of the vector on several nodes is divided in three phases. Each
 * forks threads down a tree over the nodes and joins them: they count the entries before the pivot,
 * the middle entry of the range; move the entries to the indices given by the counts; and wait at a
 * barrier. Both parts are then sorted in parallel. A range on one node is sorted there.
 *
 * @param parameters its parameters
 * @return the trace and the check
 */
RecordedBenchmark Record(const QuicksortParameters& parameters);

} // namespace idempotent
} // namespace ns3

#endif // IDEMPOTENT_BENCHMARK_QUICKSORT_H
