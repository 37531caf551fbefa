/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pcode-workstation.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace pcode
{

NS_LOG_COMPONENT_DEFINE("PcodeWorkstation");
NS_OBJECT_ENSURE_REGISTERED(Workstation);

using messaging::HostModel;
using messaging::ProcessId;
using messaging::Work;
using messaging::WorkKind;

namespace
{

// lmbench on IRIX, IP22.
/** A system call: 10 to 11 us. */
const Time SYSTEM_CALL = NanoSeconds(10500);
/** A context switch, also after idling: 38 to 40 us. */
const Time CONTEXT_SWITCH = MicroSeconds(39);
/** Bandwidth of a copy between user and kernel: bcopy, 32 MB/s [bit/s]. */
constexpr double COPY_RATE = 256e6;
/** Round trip of a tiny message over UDP and 10 Mbit/s Ethernet. */
const Time UDP_ROUND_TRIP = MicroSeconds(602);
/** Round trip of a tiny message over TCP and 10 Mbit/s Ethernet. */
const Time TCP_ROUND_TRIP = MicroSeconds(543);
/** Round trip of a tiny message over TCP between two processes of a host. */
const Time LOCAL_TCP_ROUND_TRIP = MicroSeconds(278);
/** Round trip of a remote procedure call over TCP between two processes of a host: 580 to 641 us.
 */
const Time LOCAL_RPC_ROUND_TRIP = MicroSeconds(610);
/** Round trip of a tiny message over UDP between two processes of a host: 261 to 313 us. */
const Time LOCAL_UDP_ROUND_TRIP = MicroSeconds(287);

/** Contents of an mbuf, and of a page, which is used if at least half of it is filled [bytes;
 * Hutchinson and Peterson 1991, Figure 5]. */
constexpr uint64_t MBUF_BYTES = 118;
constexpr uint64_t PAGE_BYTES = 1024; ///< See MBUF_BYTES.

/** Longest gap between two bursts of load, which a Time can hold and no run reaches [s]. */
constexpr double LONGEST_GAP = 1e9;

/** Wire time of a tiny packet: a frame of 64 bytes, with preamble and gap. */
const Time TINY_PACKET = NanoSeconds(67200);

/** @param roundTrip round trip of a tiny message, without wire time @return the CPU time of the
 * stack at one end of a message */
Time
GetStackCost(Time roundTrip)
{
    return (roundTrip / 2 - 2 * SYSTEM_CALL - CONTEXT_SWITCH) / 2;
}

const Time TICK = MilliSeconds(10); ///< Tick of a machine's clock (100 Hz).
const Time BURST = MilliSeconds(1); ///< Mean burst of other programs [default].

/** System calls before the first read of an input: gettimeofday() and select() (section 6.1). */
constexpr uint64_t SELECT_CALLS = 2;

/** Process identifier of other programs. */
constexpr ProcessId OTHERS = 2;

} // namespace

Time
HostCosts::GetSystemCall() const
{
    return SYSTEM_CALL * scale;
}

Time
HostCosts::GetContextSwitch() const
{
    return CONTEXT_SWITCH * scale;
}

DataRate
HostCosts::GetCopyRate() const
{
    if (scale == 0)
    {
        // A rate of zero means copies without cost.
        return DataRate(0);
    }
    return DataRate(static_cast<uint64_t>(COPY_RATE / scale));
}

Time
HostCosts::GetPacketCost(bool tcp) const
{
    Time roundTrip = UDP_ROUND_TRIP;
    if (tcp)
    {
        roundTrip = TCP_ROUND_TRIP;
    }
    return GetStackCost(roundTrip - 2 * TINY_PACKET) * scale;
}

Time
HostCosts::GetIpcCost() const
{
    Time roundTrip = LOCAL_TCP_ROUND_TRIP;
    if (rpc)
    {
        roundTrip = LOCAL_RPC_ROUND_TRIP;
    }
    return GetStackCost(roundTrip) * scale;
}

Time
HostCosts::GetBufferTime(uint64_t bytes) const
{
    if (mbuf.IsZero())
    {
        return mbuf;
    }
    uint64_t buffers = bytes / PAGE_BYTES;
    const uint64_t rest = bytes % PAGE_BYTES;
    if (rest >= PAGE_BYTES / 2)
    {
        ++buffers;
    }
    else
    {
        buffers += (rest + MBUF_BYTES - 1) / MBUF_BYTES;
    }
    return mbuf * scale * static_cast<double>(buffers);
}

Time
HostCosts::GetOwnCost() const
{
    return GetStackCost(LOCAL_UDP_ROUND_TRIP) * scale;
}

void
HostCosts::Apply(messaging::HostHelper& helper, bool tcp) const
{
    // The Workstation charges context switches, since it tracks when a process sleeps.
    helper.SetHostAttribute("SystemCall", TimeValue(GetSystemCall()));
    helper.SetHostAttribute("CopyRate", DataRateValue(GetCopyRate()));
    helper.SetHostAttribute("Interrupt", TimeValue(GetPacketCost(tcp)));
    helper.SetDeviceAttribute("SendInstructions", TimeValue(GetPacketCost(tcp)));
    helper.SetDeviceAttribute("ReceiveInterrupts", UintegerValue(1));
}

std::vector<Work>
MakeCallWork(uint32_t calls, uint64_t bytes, Time instructions)
{
    std::vector<Work> steps;
    steps.reserve(4);
    if (calls > 0)
    {
        steps.push_back(Work{0, calls, WorkKind::SYSTEM_CALL});
    }
    if (instructions.IsStrictlyPositive())
    {
        steps.push_back(
            Work{0, static_cast<uint64_t>(instructions.GetNanoSeconds()), WorkKind::INSTRUCTIONS});
    }
    if (bytes > 0)
    {
        steps.push_back(Work{0, bytes, WorkKind::COPY});
    }
    return steps;
}

TypeId
Workstation::GetTypeId()
{
    static TypeId tid = TypeId("ns3::pcode::Workstation").SetParent<Object>().SetGroupName("Pcode");
    return tid;
}

void
Workstation::DoDispose()
{
    m_host = nullptr;
    Object::DoDispose();
}

Workstation::Workstation(Ptr<HostModel> host, const HostCosts& costs)
    : m_host(host),
      m_costs(costs),
      m_contextSwitch(costs.GetContextSwitch()),
      m_ipcCost(costs.GetIpcCost()),
      m_ownCost(costs.GetOwnCost())
{
    NS_ABORT_MSG_IF(host->GetCpus()->GetNServers() != 1, "A workstation has one CPU.");
    m_context = Simulator::NO_CONTEXT;
    if (const auto node = host->GetObject<Node>())
    {
        m_context = node->GetId();
    }
}

int64_t
Workstation::AssignStreams(int64_t stream)
{
    const auto phase = CreateObject<UniformRandomVariable>();
    phase->SetStream(stream);
    m_phase = NanoSeconds(static_cast<int64_t>(phase->GetValue(0, TICK.GetNanoSeconds())));
    m_random = CreateObject<ExponentialRandomVariable>();
    m_random->SetStream(stream + 1);
    if (m_costs.load > 0)
    {
        Simulator::ScheduleWithContext(m_context, m_phase, [this] { RunLoad(); });
    }
    return 2;
}

Time
Workstation::GetTick(Time from) const
{
    const int64_t past = (from - m_phase).GetTimeStep();
    const int64_t tick = TICK.GetTimeStep();
    int64_t ticks = past / tick;
    if (past > 0 && past % tick > 0)
    {
        ++ticks;
    }
    return m_phase + TimeStep(ticks * tick);
}

void
Workstation::RunLoad()
{
    if (!m_host)
    {
        return;
    }
    const auto burst =
        static_cast<int64_t>(m_random->GetValue(static_cast<double>(BURST.GetNanoSeconds()), 0));
    const double gap = BURST.GetSeconds() * (1 - m_costs.load) / m_costs.load;
    m_last = OTHERS;
    m_host->Execute(OTHERS, MakeCallWork(0, 0, NanoSeconds(burst)), [] {});
    Simulator::Schedule(NanoSeconds(burst) +
                            Seconds(std::min(LONGEST_GAP, m_random->GetValue(gap, 0))),
                        &Workstation::RunLoad,
                        this);
}

void
Workstation::Continue(Process process, std::vector<Work> steps, Done done)
{
    Call(process, std::move(steps), nullptr, std::move(done));
}

void
Workstation::Call(Process process, std::vector<Work> steps, Begin begin, Done done)
{
    const auto index = static_cast<std::size_t>(process);
    m_processes[index].work.push_back(Task{std::move(steps), std::move(done), std::move(begin)});
    Start(index);
}

void
Workstation::Wake(Process process, std::vector<Work> steps, Done done, Source source)
{
    const auto index = static_cast<std::size_t>(process);
    m_processes[index].inputs.push_back(Task{std::move(steps), std::move(done), nullptr, source});
    Start(index);
}

uint32_t
Workstation::GetBit(Source source)
{
    return 1U << static_cast<uint32_t>(source);
}

bool
Workstation::IsReady(const State& state, const Task& task)
{
    return task.source != Source::TIMERS || &task == &state.inputs.front();
}

Workstation::Task
Workstation::TakeInput(State& state)
{
    auto& inputs = state.inputs;
    auto next = inputs.begin();
    bool selects = false;
    if (next->source != Source::BLOCKING)
    {
        next = std::find_if(inputs.begin(), inputs.end(), [&state](const Task& task) {
            return (state.reported & GetBit(task.source)) && IsReady(state, task);
        });
        if (next == inputs.end())
        {
            selects = true;
            state.reported = 0;
            for (const Task& task : inputs)
            {
                if (IsReady(state, task))
                {
                    state.reported |= GetBit(task.source);
                }
            }
            next = inputs.begin();
        }
        state.reported &= ~GetBit(next->source);
    }
    Task task = std::move(*next);
    inputs.erase(next);
    if (selects)
    {
        task.steps.insert(task.steps.begin(), Work{0, SELECT_CALLS, WorkKind::SYSTEM_CALL});
    }
    return task;
}

void
Workstation::Start(std::size_t process)
{
    if (m_context == Simulator::GetContext())
    {
        Run(process);
        return;
    }
    Simulator::ScheduleWithContext(m_context, Time(0), [this, process] { Run(process); });
}

void
Workstation::Run(std::size_t process)
{
    State& state = m_processes[process];
    if (state.running)
    {
        return;
    }
    if (state.work.empty() && state.inputs.empty())
    {
        // The caller may add work before the time advances.
        state.idleSince = Simulator::Now();
        return;
    }
    Task task;
    if (state.work.empty())
    {
        task = TakeInput(state);
    }
    else
    {
        task = std::move(state.work.front());
        state.work.pop_front();
    }
    const bool asleep = state.idleSince < Simulator::Now();
    // The CPU serves requests in order, so the last requester is its last user.
    if ((asleep || m_last != process) && m_contextSwitch.IsStrictlyPositive())
    {
        ++m_contextSwitches;
        NS_LOG_LOGIC("Node " << m_context << " switches to process " << process
                             << (asleep ? ", which has slept" : ""));
        task.steps.insert(task.steps.begin(),
                          Work{0,
                               static_cast<uint64_t>(m_contextSwitch.GetNanoSeconds()),
                               WorkKind::INSTRUCTIONS});
    }
    m_last = process;
    state.idleSince = Time::Max();
    state.running = true;
    Done end = [this, process, done = std::move(task.done)] {
        done();
        m_processes[process].running = false;
        Run(process);
    };
    if (task.begin)
    {
        end = [begin = std::move(task.begin), end = std::move(end)] { begin(end); };
    }
    m_host->Execute(static_cast<ProcessId>(process), std::move(task.steps), std::move(end));
}

} // namespace pcode
} // namespace ns3
