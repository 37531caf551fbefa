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

namespace ns3
{
namespace idempotent
{

/**
 * Records `quicksort`. A range of the vector on several nodes is divided in three phases. Each
 * forks threads down a tree over the nodes and joins them: they count the entries before the pivot,
 * the middle entry of the range; move the entries to the indices given by the counts; and wait at a
 * barrier. Both parts are then sorted in parallel. A range on one node is sorted there.
 *
 * The paper states only the vector and the number of nodes. An entry is a record with a key, moved
 * by one store. The data determine the depth of the recursion, and change the cycles by up to a
 * quarter.
 *
 * @param parameters complete and checked parameters
 * @return the trace, or the first error of the result
 */
TraceOrError RecordQuicksort(const BenchmarkParameters& parameters);

} // namespace idempotent
} // namespace ns3

#endif // IDEMPOTENT_BENCHMARK_QUICKSORT_H
