/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef IDEMPOTENT_TRACE_SCENARIO_H
#define IDEMPOTENT_TRACE_SCENARIO_H

#include "ns3/idempotent-benchmark-add.h"
#include "ns3/idempotent-benchmark-nbody.h"
#include "ns3/idempotent-benchmark-quicksort.h"
#include "ns3/idempotent-benchmark-reverse.h"
#include "ns3/messaging-scenario.h"

#include <string>

/**
 * @file
 * @ingroup idempotent
 * Source of the traces of an experiment.
 */

namespace ns3
{
namespace idempotent
{

/** Sources of a trace. */
enum class BenchmarkKind : uint8_t
{
    ADD,       ///< Micro-benchmark `add` (section 4.1).
    REVERSE,   ///< Micro-benchmark `reverse` (section 4.1).
    QUICKSORT, ///< Micro-benchmark `quicksort` (section 4.1).
    NBODY,     ///< Micro-benchmark `nbody` (section 4.1).
    FILE       ///< Trace file.
};

/**
 * @ingroup idempotent
 * Base of the experiments that replay a block-structured trace: the parameters of the
 * micro-benchmarks. They are recorded for the machine of RecorderConfig with its calibrated
 * defaults.
 */
class TraceScenario : public messaging::Scenario
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::string Check() const override;

  protected:
    /**
     * Record or read the trace.
     * @return the trace, or the error
     */
    RecordedBenchmark MakeTrace() const;

    /**
     * @return the number of nodes of the benchmark or of the trace in the file; 0 without a trace.
     */
    uint32_t GetNNodes() const;

  private:
    /**
     * Read the file once.
     * @return its trace, or the error
     */
    const RecordedBenchmark& ReadFile() const;

    /**
     * Apply the overridden constants.
     * @tparam Parameters parameters of a benchmark
     * @param parameters the parameters, changed
     * @return empty, or the invalid part of the text
     */
    template <class Parameters>
    std::string SetConstants(Parameters& parameters) const;

    /**
     * Set the common parameters of a benchmark.
     * @tparam Parameters parameters of the benchmark
     * @param parameters its specific parameters
     * @return all of them
     */
    template <class Parameters>
    Parameters Complete(Parameters parameters) const;

    /**
     * Call a function with the parameters of the benchmark; not for a file.
     * @param f the function
     * @return its result
     */
    template <class F>
    auto Visit(F&& f) const;

    BenchmarkKind m_benchmark{};      ///< Source of the trace.
    std::string m_traceFile;          ///< Path of the trace file.
    uint32_t m_nodes{0};              ///< Number of nodes; 0 for the published one.
    uint32_t m_entries{0};            ///< Entries of a vector; 0 for the published density.
    uint64_t m_dataSeed{0};           ///< Seed of the data.
    uint32_t m_arity{0};              ///< Arity of trees of threads.
    std::string m_constants;          ///< Overridden constants.
    AddParameters m_add;              ///< Parameters of add.
    ReverseParameters m_reverse;      ///< Parameters of reverse.
    NbodyParameters m_nbody;          ///< Parameters of nbody.
    mutable RecordedBenchmark m_file; ///< Result of the last read.
    mutable std::string m_fileRead;   ///< Path of the last read.
};

} // namespace idempotent
} // namespace ns3

#endif // IDEMPOTENT_TRACE_SCENARIO_H
