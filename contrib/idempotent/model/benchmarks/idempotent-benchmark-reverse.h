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

/// Where the threads of `reverse` come from.
enum class ThreadCreation : uint8_t
{
    PRELOADED, ///< one thread a node exists at time zero
    FORKED,    ///< forked along a tree from node 0, joined when done
};

/// Parameters of `reverse`.
struct ReverseParameters
{
    uint32_t nodes{1024};    ///< number of nodes [nodes; section 4.1]
    uint32_t entries{16384}; ///< length of the vector, a word an entry [entries; section 4.1]
    ThreadCreation threads{ThreadCreation::FORKED}; ///< origin of the threads [-; section 3.1]
    uint32_t arity{4};                              ///< of the fork tree, if any [threads; default]
    uint32_t storesPerWait{0}; ///< stores between waits; 0: one Wait at the end [-; calibrated]
    uint64_t seed{1};          ///< where the data start [-; default]
    RecorderConfig machine;    ///< lengths and times

    /// @return empty if the values can be used, else one sentence
    std::string Check() const;
};

/**
 * Records `reverse`: each node stores each of its entries at the mirrored place of a second
 * vector, word by word, then waits.
 *
 * @param parameters its parameters
 * @return the trace and the check
 */
RecordedBenchmark Record(const ReverseParameters& parameters);

} // namespace idempotent
} // namespace ns3

#endif // IDEMPOTENT_BENCHMARK_REVERSE_H
