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

#include <cmath>
#include <cstdint>

namespace ns3
{
namespace idempotent
{

/// Words of a body's position and mass.
inline constexpr uint32_t BODY_WORDS = 8;

/// Words of a force.
inline constexpr uint32_t FORCE_WORDS = 6;

/// @param nodes number of nodes @return nodes along a side of the square that they form, rounded
inline uint32_t
GetSide(uint32_t nodes)
{
    return static_cast<uint32_t>(std::lround(std::sqrt(nodes)));
}

/**
 * Records `nbody` and compares the bodies with a direct O(N^2) computation.
 *
 * The paper gives the number of nodes, one body each, and the broadcast to row and column. The node
 * in row r and column c then has the bodies of both, and computes the force of each body of its
 * column on each of its row, so that all N^2 pairs occur once. A second exchange along the rows
 * returns the partial forces. Number and length of the stores, iterations and computation are
 * calibrated on the buffered column of Table 2a. There the fat tree is slower than the 3D grid,
 * which requires that all nodes of a row send to its k-th node at the same time, with several
 * stores to each.
 *
 * @param parameters complete and checked parameters
 * @return the trace, or the first error of the result
 */
TraceOrError RecordNbody(const BenchmarkParameters& parameters);

} // namespace idempotent
} // namespace ns3

#endif // IDEMPOTENT_BENCHMARK_NBODY_H
