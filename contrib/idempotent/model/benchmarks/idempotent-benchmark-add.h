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

#include <cstdint>
#include <string>

namespace ns3
{
namespace idempotent
{

/// Variants of `add`.
enum class AddVariant : uint8_t
{
    SUM,    ///< Threads are forked down a tree, sums joined up it: two passes.
    PREFIX, ///< As SUM, then each thread gets the sum of all words before it: three passes.
};

/**
 * Parameters of `add`.
 *
 * The paper calls it parallel prefix addition. The published cycles of the 2D and the 3D grid
 * differ by two traversals of the grids' diameters, not three, so the default is the two passes
 * that Figure 6 programs; PREFIX is the complete scan.
 */
struct AddParameters
{
    uint32_t nodes{4096};                ///< Number of nodes, one word each [nodes; section 4.1].
    uint32_t arity{4};                   ///< Children forked by a thread [threads; calibrated].
    AddVariant variant{AddVariant::SUM}; ///< Passes [-; calibrated].
    uint32_t additionTime{1};            ///< One addition in a register [cycles; default].
    uint64_t seed{1};                    ///< Seed of the data [-; default].
    RecorderConfig machine;              ///< Lengths and times.

    /// @return empty if the values are valid, else one sentence
    std::string Check() const;
};

/**
 * Records `add` and checks its sums, which are modulo 2^32.
 *
 * @param parameters its parameters
 * @return the trace and the check
 */
RecordedBenchmark Record(const AddParameters& parameters);

} // namespace idempotent
} // namespace ns3

#endif // IDEMPOTENT_BENCHMARK_ADD_H
