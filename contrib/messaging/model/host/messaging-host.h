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
 * Model of a host's processors, memory, bus and DMA engines.
 */

namespace ns3
{
namespace messaging
{

/** A process on a host; a change from one to another is a context switch. */
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
 * By default, all costs are zero.
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

    /**
     * Do work, one step after the other; calls back later, even if no step takes time.
     * @param process the process
     * @param steps the work
     * @param done called at the end
     */
    void Execute(ProcessId process, std::vector<Work> steps, Done done);

    /**
     * Compute the time of work on an idle host, without context switches and coalescing.
     * @param steps the work
     * @return the time
     */
    Time GetDuration(const std::vector<Work>& steps) const;

    /**
     * Check whether work can be left out: it takes no time and moves no bytes for which others
     * would have to wait.
     * @param steps the work
     * @return True if neither the work nor a context switch or coalescing takes time
     */
    bool IsFree(const std::vector<Work>& steps) const;

    /**
     * Share another host's bus: a network interface, which has a processor and DMA engines,
     * competes with its host for the bus of both.
     * @param other the host
     */
    void ShareBus(const HostModel& other)
    {
        m_bus = other.m_bus;
    }

    /** @return the CPUs. */
    Ptr<HostServers> GetCpus() const
    {
        return m_cpus;
    }

    /** @return the DMA engines. */
    Ptr<HostServers> GetDmaEngines() const
    {
        return m_dmaEngines;
    }

    /** @return the bus. */
    Ptr<HostBus> GetBus() const
    {
        return m_bus;
    }

    /** @return the memory. */
    Ptr<HostBus> GetMemory() const
    {
        return m_memory;
    }

    /**
     * Get the time that a kind of work has taken, waiting inside a step included.
     * @param kind the kind
     * @return the time, of a CPU or of a DMA engine
     */
    Time GetTime(WorkKind kind) const;

    /** @return the number of context switches. */
    uint64_t GetNContextSwitches() const
    {
        return m_contextSwitches;
    }

    /** @return the share of its time since the start of the simulation that a CPU was busy, on
     * average over all. */
    double GetCpuShare() const;

    /**
     * Signature of the Work trace source.
     * @param process the process
     * @param work the step
     * @param begin when it began, waiting for its CPU or DMA engine not included
     * @param end when it ended
     */
    typedef void (*WorkTracedCallback)(ProcessId process, const Work& work, Time begin, Time end);

  protected:
    void DoDispose() override;

  private:
    /** Work in progress. */
    struct Job
    {
        std::vector<Work> steps;   ///< All steps.
        std::size_t next{0};       ///< Index of the current step.
        ProcessId process{KERNEL}; ///< Process of the work.
        Done done;                 ///< Called at the end.
        uint32_t server{0};        ///< The CPU or DMA engine that it holds.
        bool holdsCpu{false};      ///< Whether it holds a CPU.
        Time begin;                ///< Start of the current step.
    };

    /** Jobs are handed from callback to callback. */
    using JobPointer = std::shared_ptr<Job>;

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
     * Check whether a kind of work holds a CPU.
     * @param kind the kind
     * @return True if it does
     */
    static bool NeedsCpu(WorkKind kind);

    /**
     * Compute the time of a step by itself.
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
    std::array<Time, N_KINDS> m_times;  ///< Times by kind of work.
    uint64_t m_contextSwitches{0};      ///< Number of context switches.
    TracedCallback<ProcessId, const Work&, Time, Time>
        m_workTrace; ///< Fired at the end of each step.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_HOST_H
