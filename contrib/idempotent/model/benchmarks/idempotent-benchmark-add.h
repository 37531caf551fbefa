/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef IDEMPOTENT_BENCHMARK_ADD_H
#define IDEMPOTENT_BENCHMARK_ADD_H

/**
 * @file
 * @ingroup idempotent
 * The micro-benchmark `add` (section 4.1 of the paper).
 */

#include "ns3/idempotent-benchmark.h"

namespace ns3
{
namespace idempotent
{

/**
 * Records `add` and checks its sums, which are modulo 2^32.
 *
 * The paper calls it parallel prefix addition. The published cycles of the 2D and the 3D grid
 * differ by two traversals of the grids' diameters, not three, so the default is the two passes
 * that Figure 6 programs; AddVariant::PREFIX is the complete scan.
 *
 * @param parameters complete and checked parameters
 * @return the trace, or the first error of the result
 */
TraceOrError RecordAdd(const BenchmarkParameters& parameters);

} // namespace idempotent
} // namespace ns3

#endif // IDEMPOTENT_BENCHMARK_ADD_H
