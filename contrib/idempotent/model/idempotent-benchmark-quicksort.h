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

#include "idempotent-benchmark.h"

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
 * belongs to it, moved by one store: three words make the calibrated store of eight flits.
 */
struct QuicksortParameters
{
    uint32_t nodes{1024};      //!< number of nodes [nodes; section 4.1]
    uint32_t entries{32768};   //!< length of the vector [entries; section 4.1]
    uint32_t recordWords{3};   //!< length of an entry, 2 or more [words; calibrated]
    uint32_t arity{4};         //!< of the trees of the phases [threads; calibrated]
    uint32_t storesPerWait{4}; //!< entries moved between waits; 0: one Wait [-; calibrated]
    uint32_t countTime{53};    //!< comparing an entry after its load [cycles; calibrated]
    uint32_t moveTime{2};      //!< moving an entry after its loads [cycles; calibrated]
    uint32_t localSortTime{8}; //!< sequential sort, per entry and halving [cycles; calibrated]
    uint64_t seed{1};          //!< where the data start [-; default]
    RecorderConfig machine;    //!< lengths and times

    /// @return empty if the values can be used, else one sentence
    std::string Check() const;
};

/**
 * Records `quicksort`. A range of the vector that spans several nodes is partitioned by the threads
 * of a tree over them: they count the entries before the pivot, the middle one of the range, and
 * join the counts up; get the places of their entries joined down; move them; and meet at a
 * barrier up the tree. Both parts are then sorted in parallel. A range on one node is sorted there.
 *
 * @param parameters its parameters
 * @return the trace and the check
 */
RecordedBenchmark RecordQuicksort(const QuicksortParameters& parameters);

} // namespace idempotent
} // namespace ns3

#endif // IDEMPOTENT_BENCHMARK_QUICKSORT_H
