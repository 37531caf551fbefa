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
 * Source of the traces that an experiment replays.
 */

namespace ns3
{
namespace idempotent
{

/** Sources of a trace. */
enum class BenchmarkKind : uint8_t
{
    ADD,       ///< Section 4.1.
    REVERSE,   ///< Section 4.1.
    QUICKSORT, ///< Section 4.1.
    NBODY,     ///< Section 4.1.
    FILE       ///< A trace in a file.
};

/**
 * @ingroup idempotent
 * Base of the experiments that replay a block-structured trace: the parameters of the
 * micro-benchmarks. The machine that they are recorded for is RecorderConfig with its calibrated
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
     * @return the trace, or the reason why there is none
     */
    RecordedBenchmark MakeTrace() const;

    /** @return the number of nodes of the benchmark or of the trace in the file; 0 if it holds
     * none. */
    uint32_t GetNNodes() const;

  private:
    /**
     * Read the file, unless it has been read.
     * @return the trace that it holds, or the reason why it holds none
     */
    const RecordedBenchmark& ReadFile() const;

    /**
     * Set the constants that differ.
     * @tparam Parameters of a benchmark
     * @param parameters receives those that it has
     * @return empty, or the part of the text that is no constant
     */
    template <class Parameters>
    std::string SetConstants(Parameters& parameters) const;

    /**
     * Set the common parameters of a benchmark.
     * @tparam Parameters of the benchmark
     * @param parameters those that are its own
     * @return all of them
     */
    template <class Parameters>
    Parameters Complete(Parameters parameters) const;

    /**
     * Call a function with the parameters of the benchmark, which is not a file.
     * @param f the function
     * @return its result
     */
    template <class F>
    auto Visit(F&& f) const;

    BenchmarkKind m_benchmark{};      ///< Source of the trace.
    std::string m_traceFile;          ///< Name of a file.
    uint32_t m_nodes{0};              ///< Nodes; 0 for the published number.
    uint32_t m_entries{0};            ///< Entries of a vector; 0 for the published density.
    uint64_t m_dataSeed{0};           ///< Seed of the data.
    uint32_t m_arity{0};              ///< Of trees of threads.
    std::string m_constants;          ///< Constants that differ.
    AddParameters m_add;              ///< Parameters of add.
    ReverseParameters m_reverse;      ///< Parameters of reverse.
    NbodyParameters m_nbody;          ///< Parameters of nbody.
    mutable RecordedBenchmark m_file; ///< The trace read last.
    mutable std::string m_fileRead;   ///< Its file.
};

} // namespace idempotent
} // namespace ns3

#endif // IDEMPOTENT_TRACE_SCENARIO_H
