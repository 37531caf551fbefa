/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_HOST_H
#define MESSAGING_HOST_H

#include "ns3/data-rate.h"
#include "ns3/event-id.h"
#include "ns3/messaging-host-resource.h"
#include "ns3/messaging-work.h"
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

/** Process on a host. A change from one process to another is a context switch. */
using ProcessId = uint32_t;

/** Process number of the kernel's work, which runs in the context of the current process and costs
 * no context switch. */
inline constexpr ProcessId KERNEL = 0xffffffff;

/**
 * @ingroup messaging
 * Processors, memory, bus and DMA engines of a host, aggregated to its Node.
 *
 * Shared resources, each with a first-come-first-served queue, do the work:
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
 * Consecutive steps that need a CPU hold the same one throughout. A CPU that changes from
 * one process to another is held for ContextSwitch first; the kernel's work causes none. There is
 * no preemption.
 *
 * With CoalescingDelay and CoalescingCount, an interrupt waits for others, and one interrupt is
 * taken for all that wait, as by the adapters of fast networks.
 *
 * By default, all costs are zero.
 */
class HostModel : public Object
{
  public:
    /** Completion callback. */
    using Done = std::function<void()>;

    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Execute steps in sequence. The callback comes after the return, even if no step takes time.
     * @param process the process
     * @param steps the work
     * @param done completion callback
     */
    void Execute(ProcessId process, std::vector<Work> steps, Done done);

    /**
     * Check whether work can be skipped: it takes no time and occupies no resource.
     * @param steps the work
     * @return True if neither the work nor a context switch or coalescing takes time
     */
    bool IsFree(const std::vector<Work>& steps) const;

    /**
     * Get the work of a process that reads what has arrived in the kernel.
     * @return a context switch if the process sleeps, as it does while all CPUs are idle, and a
     * system call
     */
    std::vector<Work> GetReadWork() const;

    /**
     * Get the time of work on an idle host.
     * @param steps the work
     * @return the time, with the wait of an interrupt for others, without context switches
     */
    Time GetIdleDuration(const std::vector<Work>& steps) const;

    /**
     * Share another host's bus. A network interface, with its own processor and DMA engines,
     * competes with its host for the bus.
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
     * Get the total time of a kind of work, including waits inside a step.
     * @param kind the kind
     * @return the time, of a CPU or of a DMA engine
     */
    Time GetTime(WorkKind kind) const;

    /** @return the number of context switches. */
    uint64_t GetNContextSwitches() const
    {
        return m_contextSwitches;
    }

    /** @return the share of busy time since the start of the simulation, averaged over the CPUs. */
    double GetCpuShare() const;

    /**
     * Signature of the Work trace source.
     * @param process the process
     * @param work the step
     * @param begin its begin, after the wait for a CPU or DMA engine
     * @param end its end
     */
    typedef void (*WorkTracedCallback)(ProcessId process, const Work& work, Time begin, Time end);

  protected:
    void DoDispose() override;

  private:
    /** The attributes. */
    struct Costs
    {
        Time contextSwitch;          ///< Cost of a context switch.
        Time systemCall;             ///< Cost of a system call.
        Time interrupt;              ///< Cost of an interrupt.
        Time coalescingDelay;        ///< Longest wait of an interrupt for others.
        uint32_t coalescingCount{1}; ///< Number of waiting interrupts that ends the wait.
        DataRate copyRate;           ///< Bandwidth of a copy.
        DataRate pioRate;            ///< Bandwidth of programmed input and output.
        DataRate dmaRate;            ///< Bandwidth of DMA.
        Time dmaSetup;               ///< Start-up time of a DMA engine.
    };

    /** Work in progress. */
    struct Job
    {
        std::vector<Work> steps;   ///< All steps.
        std::size_t next{0};       ///< Index of the current step.
        ProcessId process{KERNEL}; ///< Process of the work.
        Done done;                 ///< Completion callback.
        uint32_t server{0};        ///< The CPU or DMA engine that it holds.
        bool holdsCpu{false};      ///< It holds a CPU.
        Time begin;                ///< Start of the current step.
    };

    /** Shared ownership of a job by its pending callbacks. */
    using JobPointer = std::shared_ptr<Job>;

    static constexpr std::size_t N_KINDS =
        static_cast<std::size_t>(WorkKind::INTERRUPT) + 1; ///< Kinds of work.

    /**
     * Begin the next step of a job, or end the job.
     * @param job the job
     */
    void Continue(const JobPointer& job);

    /**
     * Begin a step on the CPU that the job holds.
     * @param job the job
     */
    void RunOnCpu(const JobPointer& job);

    /**
     * Switch the granted CPU to the job's process if necessary, then run.
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
     * Raise an interrupt for which a job waits.
     * @param job the job
     */
    void RaiseInterrupt(const JobPointer& job);

    /** Take one interrupt for all raised ones. */
    void TakeRaised();

    /**
     * Take an interrupt, as soon as a CPU is free.
     * @param jobs the jobs that wait for it
     */
    void TakeInterrupt(std::vector<JobPointer> jobs);

    /** @return whether an interrupt waits for others. */
    bool Coalesces() const
    {
        return m_costs.coalescingCount > 1 && m_costs.coalescingDelay.IsStrictlyPositive();
    }

    /**
     * Count a finished step, and continue with the next.
     * @param job the job
     */
    void EndStep(const JobPointer& job);

    /**
     * Compute the time of a step on an idle host.
     * @param work the step
     * @return the time
     */
    Time GetStepDuration(const Work& work) const;

    Ptr<HostServers> m_cpus{CreateObject<HostServers>()};       ///< The CPUs.
    Ptr<HostServers> m_dmaEngines{CreateObject<HostServers>()}; ///< The DMA engines.
    Ptr<HostBus> m_bus{CreateObject<HostBus>()};                ///< The bus.
    Ptr<HostBus> m_memory{CreateObject<HostBus>()};             ///< The memory.
    Costs m_costs;                                              ///< The attributes.
    std::vector<ProcessId> m_processes;                         ///< Last process of each CPU.
    std::vector<JobPointer> m_raised;  ///< Jobs that wait for an interrupt.
    EventId m_coalescing;              ///< End of the wait for others.
    std::array<Time, N_KINDS> m_times; ///< Times by kind of work.
    uint64_t m_contextSwitches{0};     ///< Number of context switches.
    TracedCallback<ProcessId, const Work&, Time, Time>
        m_workTrace; ///< Fired at the end of each step.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_HOST_H
