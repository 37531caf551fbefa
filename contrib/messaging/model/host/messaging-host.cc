/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-host.h"

#include "ns3/log.h"
#include "ns3/messaging-attributes.h"
#include "ns3/messaging-rounding.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/trace-source-accessor.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace messaging
{

NS_LOG_COMPONENT_DEFINE("MessagingHost");
NS_OBJECT_ENSURE_REGISTERED(HostModel);

TypeId
HostModel::GetTypeId()
{
    static TypeId tid =
        Attributes<HostModel>(
            TypeId("ns3::messaging::HostModel")
                .SetParent<Object>()
                .SetGroupName("Messaging")
                .AddConstructor<HostModel>()
                .AddAttribute("Cpus",
                              "The CPUs [-; model].",
                              TypeId::ATTR_GET,
                              PointerValue(),
                              MakePointerAccessor(&HostModel::m_cpus),
                              MakePointerChecker<HostServers>())
                .AddAttribute("DmaEngines",
                              "The DMA engines [-; model].",
                              TypeId::ATTR_GET,
                              PointerValue(),
                              MakePointerAccessor(&HostModel::m_dmaEngines),
                              MakePointerChecker<HostServers>())
                .AddAttribute("Bus",
                              "The bus [-; model].",
                              TypeId::ATTR_GET,
                              PointerValue(),
                              MakePointerAccessor(&HostModel::m_bus),
                              MakePointerChecker<HostBus>())
                .AddAttribute("Memory",
                              "The memory [-; model].",
                              TypeId::ATTR_GET,
                              PointerValue(),
                              MakePointerAccessor(&HostModel::m_memory),
                              MakePointerChecker<HostBus>())
                .AddTraceSource("Work",
                                "End of a step of work: its process, the step, begin and end.",
                                MakeTraceSourceAccessor(&HostModel::m_workTrace),
                                "ns3::messaging::HostModel::WorkTracedCallback"))
            .In(&HostModel::m_costs)
            .AddAttribute("ContextSwitch",
                          "CPU time of a change from one process to another [s; default].",
                          &Costs::contextSwitch)
            .AddAttribute("SystemCall",
                          "CPU time of entering and leaving the kernel [s; default].",
                          &Costs::systemCall)
            .AddAttribute("Interrupt", "CPU time of an interrupt [s; default].", &Costs::interrupt)
            .AddAttribute("CoalescingDelay",
                          "Longest wait of an interrupt for others, with which it is taken as one "
                          "[s; default].",
                          &Costs::coalescingDelay)
            .AddAttribute("CoalescingCount",
                          "Number of waiting interrupts that ends the wait; 1 for no coalescing "
                          "[interrupts; default].",
                          &Costs::coalescingCount,
                          Range{1U, UINT32_MAX})
            .AddAttribute("CopyRate",
                          "Bandwidth of a copy in memory; 0 costs nothing [bit/s; default].",
                          &Costs::copyRate)
            .AddAttribute("PioRate",
                          "Bandwidth of programmed input and output; 0 costs nothing [bit/s; "
                          "default].",
                          &Costs::pioRate)
            .AddAttribute("DmaRate",
                          "Bandwidth of a DMA engine; 0 costs nothing [bit/s; default].",
                          &Costs::dmaRate)
            .AddAttribute("DmaSetup",
                          "Start-up time of a DMA engine [s; default].",
                          &Costs::dmaSetup);
    return tid;
}

void
HostModel::Execute(ProcessId process, std::vector<Work> steps, Done done)
{
    auto job = std::make_shared<Job>();
    job->steps = std::move(steps);
    job->process = process;
    job->done = std::move(done);
    if (job->steps.empty())
    {
        Simulator::ScheduleNow(&HostModel::Continue, this, job);
        return;
    }
    Continue(job);
}

void
HostModel::Continue(const JobPointer& job)
{
    const bool ended = job->next == job->steps.size();
    const WorkKind kind = ended ? WorkKind::INTERRUPT : job->steps[job->next].kind;
    const bool needsCpu = kind != WorkKind::DMA && kind != WorkKind::INTERRUPT;
    if (job->holdsCpu && !needsCpu)
    {
        job->holdsCpu = false;
        m_cpus->Release(job->server);
    }
    if (ended)
    {
        job->done();
    }
    else if (job->holdsCpu)
    {
        RunOnCpu(job);
    }
    else if (needsCpu)
    {
        const auto own = std::find(m_processes.begin(), m_processes.end(), job->process);
        m_cpus->Acquire(own - m_processes.begin(),
                        [this, job](uint32_t cpu) { EnterCpu(job, cpu); });
    }
    else if (kind == WorkKind::DMA)
    {
        RunDma(job);
    }
    else
    {
        RaiseInterrupt(job);
    }
}

void
HostModel::EnterCpu(const JobPointer& job, uint32_t cpu)
{
    job->holdsCpu = true;
    job->server = cpu;
    if (m_processes.size() <= cpu)
    {
        m_processes.resize(cpu + 1, KERNEL);
    }
    const ProcessId last =
        job->process == KERNEL ? KERNEL : std::exchange(m_processes[cpu], job->process);
    if (last == KERNEL || last == job->process)
    {
        RunOnCpu(job);
        return;
    }
    NS_LOG_INFO("CPU " << cpu << " changes from process " << last << " to " << job->process);
    ++m_contextSwitches;
    Simulator::Schedule(m_costs.contextSwitch, [this, job] { RunOnCpu(job); });
}

void
HostModel::RunOnCpu(const JobPointer& job)
{
    const Work& work = job->steps[job->next];
    job->begin = Simulator::Now();
    const bool copy = work.kind == WorkKind::COPY;
    const DataRate rate = copy ? m_costs.copyRate : m_costs.pioRate;
    if ((copy || work.kind == WorkKind::PIO) && rate.GetBitRate() > 0 && work.amount > 0)
    {
        (copy ? m_memory : m_bus)->Transfer(work.amount, rate, [this, job] { EndStep(job); });
        return;
    }
    // A bound function would cost a second allocation.
    Simulator::Schedule(GetStepDuration(work), [this, job] { EndStep(job); });
}

void
HostModel::RunDma(const JobPointer& job)
{
    m_dmaEngines->Acquire(0, [this, job](uint32_t engine) {
        job->server = engine;
        job->begin = Simulator::Now();
        const auto end = [this, job] {
            m_dmaEngines->Release(job->server);
            EndStep(job);
        };
        // Without a start-up time, too, it starts after the processors' steps of this instant.
        Simulator::Schedule(m_costs.dmaSetup, [this, job, end] {
            const uint64_t bytes = job->steps[job->next].amount;
            if (m_costs.dmaRate.GetBitRate() > 0 && bytes > 0)
            {
                m_bus->Transfer(bytes, m_costs.dmaRate, end);
                return;
            }
            end();
        });
    });
}

void
HostModel::RaiseInterrupt(const JobPointer& job)
{
    job->begin = Simulator::Now();
    if (!Coalesces() || job->steps[job->next].amount == 0)
    {
        TakeInterrupt({job});
        return;
    }
    m_raised.push_back(job);
    if (m_raised.size() >= m_costs.coalescingCount)
    {
        TakeRaised();
    }
    else if (!m_coalescing.IsPending())
    {
        m_coalescing = Simulator::Schedule(m_costs.coalescingDelay, &HostModel::TakeRaised, this);
    }
}

void
HostModel::TakeRaised()
{
    NS_LOG_LOGIC("One interrupt is taken for " << m_raised.size());
    m_coalescing.Cancel();
    TakeInterrupt(std::exchange(m_raised, {}));
}

void
HostModel::TakeInterrupt(std::vector<JobPointer> jobs)
{
    Time duration;
    for (const JobPointer& job : jobs)
    {
        duration = std::max(duration, GetStepDuration(job->steps[job->next]));
    }
    m_cpus->Acquire(0, [this, jobs = std::move(jobs), duration](uint32_t cpu) {
        Simulator::Schedule(duration, [this, jobs, cpu] {
            m_cpus->Release(cpu);
            for (const JobPointer& job : jobs)
            {
                EndStep(job);
            }
        });
    });
}

void
HostModel::EndStep(const JobPointer& job)
{
    const Work& work = job->steps[job->next];
    const Time duration = Simulator::Now() - job->begin;
    if (work.amount > 0)
    {
        NS_LOG_LOGIC("Work of kind " << work.kind << " and amount " << work.amount << " has taken "
                                     << duration.As(Time::US));
    }
    m_times[static_cast<std::size_t>(work.kind)] += duration;
    m_workTrace(job->process, work, job->begin, Simulator::Now());
    ++job->next;
    Continue(job);
}

Time
HostModel::GetStepDuration(const Work& work) const
{
    const auto transfer = [&work](const DataRate& rate) {
        return GetTransferTime(rate, work.amount);
    };
    const auto amount = static_cast<int64_t>(work.amount);
    switch (work.kind)
    {
    case WorkKind::INSTRUCTIONS:
        return NanoSeconds(work.amount);
    case WorkKind::COPY:
        return transfer(m_costs.copyRate);
    case WorkKind::PIO:
        return transfer(m_costs.pioRate);
    case WorkKind::DMA:
        return m_costs.dmaSetup + transfer(m_costs.dmaRate);
    case WorkKind::SYSTEM_CALL:
        return m_costs.systemCall * amount;
    case WorkKind::INTERRUPT:
        return m_costs.interrupt * amount;
    }
    return Time();
}

Time
HostModel::GetIdleDuration(const std::vector<Work>& steps) const
{
    Time duration;
    for (const Work& work : steps)
    {
        duration += GetStepDuration(work);
        if (work.kind == WorkKind::INTERRUPT && work.amount > 0 && Coalesces())
        {
            duration += m_costs.coalescingDelay;
        }
    }
    return duration;
}

bool
HostModel::IsFree(const std::vector<Work>& steps) const
{
    return m_costs.contextSwitch.IsZero() && GetIdleDuration(steps).IsZero();
}

std::vector<Work>
HostModel::GetReadWork() const
{
    std::vector<Work> steps;
    if (m_costs.contextSwitch.IsStrictlyPositive() && m_cpus->IsIdle())
    {
        const auto wakeUp = static_cast<uint64_t>(m_costs.contextSwitch.GetNanoSeconds());
        steps.push_back(Work{0, wakeUp, WorkKind::INSTRUCTIONS});
    }
    steps.push_back(Work{0, 1, WorkKind::SYSTEM_CALL});
    return steps;
}

Time
HostModel::GetTime(WorkKind kind) const
{
    return m_times.at(static_cast<std::size_t>(kind));
}

double
HostModel::GetCpuShare() const
{
    const double available = Simulator::Now().GetSeconds() * m_cpus->GetNServers();
    return available == 0 ? 0 : m_cpus->GetBusyTime().GetSeconds() / available;
}

void
HostModel::DoDispose()
{
    m_coalescing.Cancel();
    m_raised.clear();
    m_cpus->Clear();
    m_dmaEngines->Clear();
    m_bus->Clear();
    m_memory->Clear();
    Object::DoDispose();
}

} // namespace messaging
} // namespace ns3
