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
 * The paper gives the vector and the number of nodes only. An entry is a record of a key and what
 * belongs to it, moved by one store. The data decide how deep the recursion goes and move the
 * cycles by a quarter either way; the default seed is the one of 1 to 8 that is nearest to their
 * mean on the buffered networks.
 */
struct QuicksortParameters
{
    uint32_t nodes{1024};      ///< number of nodes [nodes; section 4.1]
    uint32_t entries{32768};   ///< length of the vector [entries; section 4.1]
    uint32_t recordWords{4};   ///< length of an entry, 2 or more [words; calibrated]
    uint32_t arity{4};         ///< of the trees of the phases [threads; calibrated]
    uint32_t storesPerWait{4}; ///< entries moved between waits; 0: one Wait [-; fixed]
    uint32_t countTime{58};    ///< comparing an entry after its load [cycles; calibrated]
    uint32_t moveTime{2};      ///< moving an entry after its loads [cycles; fixed]
    uint32_t localSortTime{8}; ///< sequential sort, per entry and halving [cycles; fixed]
    uint64_t seed{8};          ///< where the data start [-; calibrated]
    RecorderConfig machine;    ///< lengths and times

    /// @return empty if the values can be used, else one sentence
    std::string Check() const;
};

/**
 * Records `quicksort`. A range of the vector that spans several nodes is divided in three phases,
 * each of which forks threads down a tree over the nodes and joins them: they count the entries
 * before the pivot, the middle one of the range; move the entries to the places that the counts
 * give; and meet at a barrier. Both parts are then sorted in parallel. A range on one node is
 * sorted there.
 *
 * @param parameters its parameters
 * @return the trace and the check
 */
RecordedBenchmark Record(const QuicksortParameters& parameters);

} // namespace idempotent
} // namespace ns3

#endif // IDEMPOTENT_BENCHMARK_QUICKSORT_H
