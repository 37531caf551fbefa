/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef IDEMPOTENT_TRACE_SCENARIO_H
#define IDEMPOTENT_TRACE_SCENARIO_H

#include "idempotent-benchmark-add.h"
#include "idempotent-benchmark-nbody.h"
#include "idempotent-benchmark-quicksort.h"
#include "idempotent-benchmark-reverse.h"

#include "ns3/messaging-scenario.h"

#include <string>
#include <tuple>

/**
 * @file
 * @ingroup idempotent
 * What the experiments on block-structured traces have in common: where the trace comes from.
 */

namespace ns3
{
namespace idempotent
{

/** Where a trace comes from. */
enum class BenchmarkKind : uint8_t
{
    ADD,       ///< Section 4.1.
    REVERSE,   ///< Section 4.1.
    QUICKSORT, ///< Section 4.1.
    NBODY,     ///< Section 4.1.
    FILE,      ///< A trace in a file.
    GOAL       ///< A GOAL schedule in a file.
};

/**
 * @ingroup idempotent
 * Base of the experiments that replay a block-structured trace: the parameters of the
 * micro-benchmarks and of the machine that they are recorded for.
 */
class TraceScenario : public messaging::Scenario
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    TraceScenario();
    ~TraceScenario() override;

    std::string Check() const override;

  protected:
    /**
     * Record or read the trace.
     * @return the trace, or why there is none
     */
    RecordedBenchmark MakeTrace() const;

    /** @return the number of nodes of the benchmark or of the trace in the file; 0 if it holds
     * none. */
    uint32_t GetNNodes() const;

  private:
    /** What a trace in a file depends on: its name, whether it is GOAL, cycles a unit, bytes of
     * header. */
    using FileKey = std::tuple<std::string, bool, uint32_t, uint32_t>;

    /**
     * Read the file, unless it has been read: Check looks at it before Run does.
     * @return the trace that it holds, or why it holds none
     */
    const RecordedBenchmark& ReadFile() const;

    /** @return the parameters of add. */
    AddParameters MakeAdd() const;

    /** @return the parameters of reverse. */
    ReverseParameters MakeReverse() const;

    /** @return the parameters of quicksort. */
    QuicksortParameters MakeQuicksort() const;

    /** @return the parameters of nbody. */
    NbodyParameters MakeNbody() const;

    /** @return what of a machine the attributes tell. */
    RecorderConfig MakeMachine() const;

    BenchmarkKind m_benchmark{};          ///< Which trace.
    std::string m_traceFile;              ///< Name of a file.
    uint32_t m_nodes{0};                  ///< Nodes; 0 for the published number.
    uint32_t m_entries{0};                ///< Entries of a vector; 0 for the published density.
    uint64_t m_dataSeed{1};               ///< Where the data start.
    uint32_t m_arity{0};                  ///< Of trees of threads.
    AddVariant m_addVariant{};            ///< How far add goes.
    uint32_t m_additionTime{0};           ///< One addition [cycles].
    ThreadCreation m_reverseThreads{};    ///< Where the threads of reverse come from.
    uint32_t m_reverseStoresPerWait{0};   ///< Stores between waits.
    uint32_t m_recordWords{0};            ///< Length of an entry of quicksort [words].
    uint32_t m_quicksortStoresPerWait{0}; ///< Stores between waits.
    uint32_t m_countTime{0};              ///< Comparing an entry [cycles].
    uint32_t m_moveTime{0};               ///< Moving an entry [cycles].
    uint32_t m_localSortTime{0};          ///< Sorting locally [cycles].
    uint32_t m_iterations{0};             ///< Time steps of nbody.
    uint32_t m_storesPerPeer{0};          ///< Stores that carry a body.
    uint32_t m_wordsPerStore{0};          ///< Data of each [words].
    uint32_t m_storeInterval{0};          ///< Between stores [cycles].
    uint32_t m_computeTime{0};            ///< Forces of an iteration [cycles].
    PeerOrder m_peerOrder{};              ///< In what order peers are sent to.
    BroadcastOrder m_broadcastOrder{};    ///< How row and column follow each other.
    PhaseControl m_phaseControl{};        ///< How threads keep in step.
    uint32_t m_loadWords{0};              ///< Request of a load [words].
    uint32_t m_loadReplyWords{0};         ///< Reply of a load [words].
    uint32_t m_storeWords{0};             ///< Store [words].
    uint32_t m_storeReplyWords{0};        ///< Completion of a store [words].
    uint32_t m_forkWords{0};              ///< Fork [words].
    uint32_t m_joinWords{0};              ///< Join [words].
    uint32_t m_furtherWord{0};            ///< Each further word [words].
    uint32_t m_localReferenceTime{0};     ///< Local reference [cycles].
    uint32_t m_forkTime{0};               ///< Fork in the parent [cycles].
    uint32_t m_threadStartTime{0};        ///< Start of a thread [cycles].
    uint32_t m_issueTime{0};              ///< Issue of a reference [cycles].
    uint32_t m_serviceTime{0};            ///< Remote reference at its home [cycles].
    uint32_t m_goalCyclesPerUnit{1};      ///< GOAL's unit of time [cycles].
    uint32_t m_goalHeaderBytes{12};       ///< Added to a GOAL message [bytes].
    mutable RecordedBenchmark m_file;     ///< What was read last.
    mutable FileKey m_fileKey{};          ///< From where.
};

} // namespace idempotent
} // namespace ns3

#endif // IDEMPOTENT_TRACE_SCENARIO_H
