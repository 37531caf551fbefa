/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef IDEMPOTENT_BENCHMARK_REVERSE_H
#define IDEMPOTENT_BENCHMARK_REVERSE_H

/**
 * @file
 * @ingroup idempotent
 * The micro-benchmark `reverse` (section 4.1 of the paper).
 */

#include "ns3/idempotent-benchmark.h"

namespace ns3
{
namespace idempotent
{

/**
 * Records `reverse`: each node stores each of its entries at the mirrored index of a second vector,
 * word by word, then waits.
 *
 * @param parameters complete and checked parameters
 * @return the trace, or the first error of the result
 */
TraceOrError RecordReverse(const BenchmarkParameters& parameters);

} // namespace idempotent
} // namespace ns3

#endif // IDEMPOTENT_BENCHMARK_REVERSE_H
