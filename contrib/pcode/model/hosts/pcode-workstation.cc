/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pcode-workstation.h"

#include "ns3/abort.h"
#include "ns3/node.h"
#include "ns3/simulator.h"

#include <utility>

namespace ns3
{
namespace pcode
{

using messaging::HostModel;
using messaging::ProcessId;
using messaging::Work;
using messaging::WorkKind;

NS_OBJECT_ENSURE_REGISTERED(Workstation);

TypeId
Workstation::GetTypeId()
{
    static TypeId tid = TypeId("ns3::pcode::Workstation")
                            .SetParent<Object>()
                            .SetGroupName("Pcode")
                            .AddConstructor<Workstation>();
    return tid;
}

void
Workstation::DoDispose()
{
    m_host = nullptr;
    m_processes = {};
    Object::DoDispose();
}

void
Workstation::Connect(Ptr<HostModel> host, Time contextSwitch)
{
    NS_ABORT_MSG_IF(host->GetCpus()->GetNServers() != 1, "A workstation has one CPU.");
    m_host = host;
    const auto node = host->GetObject<Node>();
    m_context = node ? node->GetId() : Simulator::NO_CONTEXT;
    m_contextSwitch = contextSwitch;
}

void
Workstation::Continue(Process process, std::vector<Work> steps, Done done)
{
    const auto index = static_cast<std::size_t>(process);
    m_processes[index].work.push_back(Task{std::move(steps), std::move(done)});
    Start(index);
}

void
Workstation::Wake(Process process, std::vector<Work> steps, Done done)
{
    const auto index = static_cast<std::size_t>(process);
    m_processes[index].inputs.push_back(Task{std::move(steps), std::move(done)});
    Start(index);
}

void
Workstation::Start(std::size_t process)
{
    if (m_context == Simulator::NO_CONTEXT || m_context == Simulator::GetContext())
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
    auto& line = state.work.empty() ? state.inputs : state.work;
    if (line.empty())
    {
        // The caller may add work before the clock moves on.
        state.idleSince = Simulator::Now();
        return;
    }
    Task task = std::move(line.front());
    line.pop_front();
    const bool asleep = state.idleSince < Simulator::Now();
    // The CPU serves in the order of requests, so the last requester will have had it last.
    if ((asleep || m_last != process) && m_contextSwitch.IsStrictlyPositive())
    {
        ++m_contextSwitches;
        task.steps.insert(task.steps.begin(),
                          Work{0,
                               static_cast<uint64_t>(m_contextSwitch.GetNanoSeconds()),
                               WorkKind::INSTRUCTIONS});
    }
    m_last = process;
    state.idleSince = Time::Max();
    state.running = true;
    m_host->Execute(static_cast<ProcessId>(process),
                    std::move(task.steps),
                    [this, process, done = std::move(task.done)] {
                        done();
                        m_processes[process].running = false;
                        Run(process);
                    });
}

} // namespace pcode
} // namespace ns3
