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

#include <cstdint>
#include <string>

namespace ns3
{
namespace idempotent
{

/// Creation of the threads of `reverse`.
enum class ThreadCreation : uint8_t
{
    PRELOADED, ///< One thread on each node exists at time zero.
    FORKED,    ///< Forked along a tree from node 0, joined at the end.
};

/// Parameters of `reverse`.
struct ReverseParameters
{
    uint32_t nodes{1024};    ///< Number of nodes [nodes; section 4.1].
    uint32_t entries{16384}; ///< Length of the vector, one word per entry [entries; section 4.1].
    ThreadCreation threads{ThreadCreation::FORKED}; ///< Creation of the threads [-; section 3.1].
    uint32_t arity{4};                              ///< Arity of the fork tree [threads; default].
    uint32_t storesPerWait{0}; ///< Stores between waits; 0: one Wait [-; calibrated].
    uint64_t seed{1};          ///< Seed of the data [-; default].
    RecorderConfig machine;    ///< Lengths and times.

    /// @return empty if the values are valid, else one sentence
    std::string Check() const;
};

/**
 * Records `reverse`: each node stores each of its entries at the mirrored index of a second vector,
 * word by word, then waits.
 *
 * @param parameters its parameters
 * @return the trace and the check
 */
RecordedBenchmark Record(const ReverseParameters& parameters);

} // namespace idempotent
} // namespace ns3

#endif // IDEMPOTENT_BENCHMARK_REVERSE_H
