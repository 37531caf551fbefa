/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_HOST_H
#define MESSAGING_HOST_H

#include "ns3/data-rate.h"
#include "ns3/event-id.h"
#include "ns3/messaging-core.h"
#include "ns3/messaging-host-resource.h"
#include "ns3/messaging-scenario.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <array>
#include <functional>
#include <memory>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * What a host's processors, memory, bus and DMA engines cost.
 */

namespace ns3
{
namespace messaging
{

/** A process on a host, for what a change from one to another costs. */
using ProcessId = uint32_t;

/** Work of the kernel, in the context of whatever process a processor is in: it costs no context
 * switch. */
inline constexpr ProcessId KERNEL = 0xffffffff;

/**
 * Print a kind of work by name.
 * @param os the stream
 * @param kind the value
 * @return the stream
 */
std::ostream& operator<<(std::ostream& os, WorkKind kind);

/**
 * @ingroup messaging
 * The processors, memory, bus and DMA engines of a host, aggregated to its Node.
 *
 * Work is done by shared resources that all queue first come, first served:
 *
 * | work         | holds a CPU | and occupies              | for                                |
 * |--------------|-------------|---------------------------|------------------------------------|
 * | INSTRUCTIONS | yes         |                           | its amount                         |
 * | SYSTEM_CALL  | yes         |                           | SystemCall each                    |
 * | COPY         | yes         | the memory, by bursts     | its bytes at CopyRate              |
 * | PIO          | yes         | the bus, by bursts        | its bytes at PioRate               |
 * | DMA          | no          | a DMA engine and the bus  | DmaSetup and its bytes at DmaRate  |
 * | INTERRUPT    | yes         |                           | Interrupt each, after coalescing   |
 *
 * Steps that follow each other and need a CPU hold the same one throughout. A CPU that goes from
 * one process to another is held for ContextSwitch first; the kernel's work causes none. There is
 * no preemption.
 *
 * As built, nothing costs anything.
 */
class HostModel : public Object
{
  public:
    /** Called when work is done. */
    using Done = std::function<void()>;

    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    HostModel();
    ~HostModel() override;

    /**
     * Do work, one step after the other; called back later, even if nothing costs anything.
     * @param process whose work it is
     * @param steps the work
     * @param done called at the end
     */
    void Execute(ProcessId process, std::vector<Work> steps, Done done);

    /**
     * Tell how long work takes on an idle host, context switches and the wait for coalescing not
     * counted.
     * @param steps the work
     * @return the time
     */
    Time GetDuration(const std::vector<Work>& steps) const;

    /**
     * Tell whether work can be left out: it takes no time and moves no bytes that others would have
     * to wait for.
     * @param steps the work
     * @return True if neither the work nor a context switch or coalescing takes time
     */
    bool IsFree(const std::vector<Work>& steps) const;

    /**
     * Use another host's bus instead of one's own: so a network interface, which has a processor
     * and DMA engines, competes with its host for the bus that both are on.
     * @param other the host
     */
    void ShareBus(const HostModel& other);

    /** @return the CPUs. */
    Ptr<HostServers> GetCpus() const;

    /** @return the DMA engines. */
    Ptr<HostServers> GetDmaEngines() const;

    /** @return the bus. */
    Ptr<HostBus> GetBus() const;

    /** @return the memory. */
    Ptr<HostBus> GetMemory() const;

    /**
     * Get the time that a kind of work has taken, waiting inside a step included.
     * @param kind the kind
     * @return the time, of a CPU or of a DMA engine
     */
    Time GetTime(WorkKind kind) const;

    /** @return the number of context switches. */
    uint64_t GetNContextSwitches() const;

    /** @return the number of interrupts taken; with coalescing, fewer than were raised. */
    uint64_t GetNInterrupts() const;

    /** @return the share of its time since the start of the simulation that a CPU was busy, on
     * average over all. */
    double GetCpuShare() const;

    /** @return a row for each resource: servers, jobs, busy time, share, mean wait and longest
     * line. */
    Ptr<Table> GetUtilisation() const;

    /** @return a row for each kind of work, and for context switches: steps and time. */
    Ptr<Table> GetCosts() const;

    /**
     * Signature of the Work trace source.
     * @param process whose work it was
     * @param work the step
     * @param begin when it began, waiting for its CPU or DMA engine not included
     * @param end when it ended
     */
    typedef void (*WorkTracedCallback)(ProcessId process, const Work& work, Time begin, Time end);

  protected:
    void DoDispose() override;

  private:
    /** Work under way. */
    struct Job
    {
        std::vector<Work> steps;   ///< All steps.
        std::size_t next{0};       ///< Index of the step under way.
        ProcessId process{KERNEL}; ///< Whose work it is.
        Done done;                 ///< Called at the end.
        uint32_t server{0};        ///< The CPU or DMA engine that it holds.
        bool holdsCpu{false};      ///< Whether it holds a CPU.
        Time begin;                ///< When the step under way began.
    };

    /** Jobs are handed from callback to callback. */
    using JobPointer = std::shared_ptr<Job>;

    /** A number of steps and what they have taken. */
    struct Cost
    {
        uint64_t count{0}; ///< How many steps.
        Time time;         ///< How long.
    };

    static constexpr std::size_t N_KINDS =
        static_cast<std::size_t>(WorkKind::INTERRUPT) + 1; ///< Kinds of work.

    /**
     * Begin the next step of a job, or end the job.
     * @param job the job
     */
    void Continue(const JobPointer& job);

    /**
     * Begin a step that needs a CPU, which the job holds.
     * @param job the job
     */
    void RunOnCpu(const JobPointer& job);

    /**
     * A CPU has been granted: switch to the job's process if need be, then run.
     * @param job the job
     * @param cpu the CPU
     */
    void EnterCpu(const JobPointer& job, uint32_t cpu);

    /**
     * Begin a transfer by a DMA engine.
     * @param job the job
     */
    void RunDma(const JobPointer& job);

    /**
     * Raise an interrupt, on which the job waits.
     * @param job the job
     */
    void RaiseInterrupt(const JobPointer& job);

    /** Take one interrupt for all jobs that wait for one. */
    void TakeInterrupt();

    /**
     * A step has ended: count it and go on.
     * @param job the job
     */
    void EndStep(const JobPointer& job);

    /**
     * Tell whether a kind of work holds a CPU.
     * @param kind the kind
     * @return True if it does
     */
    static bool NeedsCpu(WorkKind kind);

    /**
     * Compute how long a step takes by itself.
     * @param work the step
     * @return the time
     */
    Time GetStepDuration(const Work& work) const;

    Ptr<HostServers> m_cpus;            ///< The CPUs.
    Ptr<HostServers> m_dmaEngines;      ///< The DMA engines.
    Ptr<HostBus> m_bus;                 ///< The bus.
    Ptr<HostBus> m_memory;              ///< The memory.
    Time m_contextSwitch;               ///< Cost of a context switch.
    Time m_systemCall;                  ///< Cost of a system call.
    Time m_interrupt;                   ///< Cost of an interrupt.
    Time m_coalescingDelay;             ///< Longest wait for further interrupts.
    uint32_t m_coalescingCount{1};      ///< Interrupts that are not delayed any further.
    Time m_dmaSetup;                    ///< Cost of starting a DMA engine.
    DataRate m_copyRate;                ///< Bandwidth of a copy.
    DataRate m_pioRate;                 ///< Bandwidth of programmed input and output.
    DataRate m_dmaRate;                 ///< Bandwidth of DMA.
    std::vector<ProcessId> m_processes; ///< Process that each CPU has run last.
    std::vector<JobPointer> m_raised;   ///< Jobs that wait for an interrupt.
    EventId m_coalescing;               ///< End of the wait for further interrupts.
    std::array<Cost, N_KINDS> m_costs;  ///< What each kind of work has taken.
    Cost m_contextSwitches;             ///< What context switches have taken.
    uint64_t m_interrupts{0};           ///< Interrupts taken.
    TracedCallback<ProcessId, const Work&, Time, Time>
        m_workTrace; ///< Fired at the end of each step.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_HOST_H
