/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-host-resource.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/messaging-rounding.h"
#include "ns3/simulator.h"
#include "ns3/trace-source-accessor.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace messaging
{

NS_LOG_COMPONENT_DEFINE("MessagingHostResource");
NS_OBJECT_ENSURE_REGISTERED(HostResource);
NS_OBJECT_ENSURE_REGISTERED(HostServers);
NS_OBJECT_ENSURE_REGISTERED(HostBus);

TypeId
HostResource::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::messaging::HostResource")
            .SetParent<Object>()
            .SetGroupName("Messaging")
            .AddTraceSource("Wait",
                            "The first service of a job begins: its wait, zero for none.",
                            MakeTraceSourceAccessor(&HostResource::m_waitTrace),
                            "ns3::messaging::HostResource::WaitTracedCallback")
            .AddTraceSource("QueueLength",
                            "Number of jobs that wait.",
                            MakeTraceSourceAccessor(&HostResource::m_queueLength),
                            "ns3::TracedValueCallback::Uint32");
    return tid;
}

void
HostResource::CountWait(Time wait)
{
    m_waitTime += wait;
    m_waitTrace(wait);
}

void
HostResource::SetQueueLength(std::size_t jobs)
{
    m_queueLength = static_cast<uint32_t>(jobs);
    m_longestQueue = std::max(m_longestQueue, m_queueLength.Get());
}

TypeId
HostServers::GetTypeId()
{
    static TypeId tid = TypeId("ns3::messaging::HostServers")
                            .SetParent<HostResource>()
                            .SetGroupName("Messaging")
                            .AddConstructor<HostServers>();
    return tid;
}

void
HostServers::Acquire(uint32_t preferred, Grant grant)
{
    CountJob();
    if (preferred < m_servers.size() && !m_servers[preferred].held)
    {
        CountWait(Time(0));
        Hold(preferred, grant);
        return;
    }
    const auto idle =
        std::find_if(m_servers.begin(), m_servers.end(), [](const Server& s) { return !s.held; });
    if (idle != m_servers.end())
    {
        CountWait(Time(0));
        Hold(idle - m_servers.begin(), grant);
        return;
    }
    m_line.push_back(Waiter{std::move(grant), Simulator::Now()});
    SetQueueLength(m_line.size());
    NS_LOG_LOGIC("All " << m_servers.size()
                        << " servers are held; jobs that wait: " << m_line.size());
}

void
HostServers::Hold(uint32_t server, const Grant& grant)
{
    NS_LOG_LOGIC("A job takes server " << server);
    m_servers[server] = Server{true, Simulator::Now()};
    grant(server);
}

void
HostServers::Release(uint32_t server)
{
    NS_LOG_LOGIC("A job releases server " << server);
    NS_ABORT_MSG_IF(!m_servers.at(server).held, "The released server is not held.");
    const Time begin = m_servers[server].since;
    m_servers[server].held = false;
    m_busy += Simulator::Now() - begin;
    if (!m_line.empty())
    {
        const Waiter next = std::move(m_line.front());
        m_line.pop_front();
        SetQueueLength(m_line.size());
        CountWait(Simulator::Now() - next.since);
        Hold(server, next.grant);
    }
}

Time
HostServers::GetBusyTime() const
{
    Time busy = m_busy;
    for (const Server& server : m_servers)
    {
        if (server.held)
        {
            busy += Simulator::Now() - server.since;
        }
    }
    return busy;
}

bool
HostServers::IsIdle() const
{
    return std::none_of(m_servers.begin(), m_servers.end(), [](const Server& s) { return s.held; });
}

void
HostServers::SetNServers(uint32_t count)
{
    NS_ABORT_MSG_IF(
        std::any_of(m_servers.begin(), m_servers.end(), [](const Server& s) { return s.held; }),
        "The number of servers cannot change while one is held.");
    m_servers.assign(count, Server{});
}

void
HostServers::Clear()
{
    m_line.clear();
    SetQueueLength(0);
}

TypeId
HostBus::GetTypeId()
{
    static TypeId tid = TypeId("ns3::messaging::HostBus")
                            .SetParent<HostResource>()
                            .SetGroupName("Messaging")
                            .AddConstructor<HostBus>();
    return tid;
}

void
HostBus::Transfer(uint64_t bytes, DataRate rate, Done done)
{
    CountJob();
    m_line.push_back(
        Job{.bytes = bytes, .rate = rate, .done = std::move(done), .since = Simulator::Now()});
    if (m_event.IsPending())
    {
        SetQueueLength(m_line.size() - 1);
        NS_LOG_LOGIC("A transfer of " << bytes
                                      << " bytes waits; transfers that wait: " << GetQueueLength());
        CutShort();
    }
    else
    {
        Serve();
    }
}

Time
HostBus::GetDuration(const Job& job, uint64_t until)
{
    // The difference of two rounded times avoids the accumulation of rounding errors.
    return GetTransferTime(job.rate, until) - GetTransferTime(job.rate, job.served);
}

void
HostBus::Serve()
{
    if (m_line.empty())
    {
        return;
    }
    Job& job = m_line.front();
    SetQueueLength(m_line.size() - 1);
    if (!job.started)
    {
        job.started = true;
        CountWait(Simulator::Now() - job.since);
    }
    m_begin = Simulator::Now();
    const bool alone = m_burst == 0 || m_line.size() == 1;
    m_until = alone ? job.bytes : std::min(job.bytes, job.served + m_burst);
    m_event = Simulator::Schedule(GetDuration(job, m_until), [this] { EndService(); });
}

void
HostBus::CutShort()
{
    const Job& job = m_line.front();
    if (m_burst == 0 || m_until <= job.served + m_burst)
    {
        return;
    }
    const Time elapsed = Simulator::Now() - m_begin;
    uint64_t bursts = elapsed.GetSeconds() * job.rate.GetBitRate() / 8 / m_burst;
    while (bursts > 0 && GetDuration(job, job.served + bursts * m_burst) >= elapsed)
    {
        --bursts;
    }
    do
    {
        ++bursts;
    } while (GetDuration(job, job.served + bursts * m_burst) < elapsed);
    const uint64_t until = job.served + bursts * m_burst;
    if (until < m_until)
    {
        m_until = until;
        m_event.Cancel();
        m_event = Simulator::Schedule(GetDuration(job, until) - elapsed, [this] { EndService(); });
    }
}

void
HostBus::EndService()
{
    m_total += Simulator::Now() - m_begin;
    Job job = std::move(m_line.front());
    m_line.pop_front();
    job.served = m_until;
    if (job.served < job.bytes)
    {
        m_line.push_back(std::move(job));
        Serve();
        return;
    }
    NS_LOG_LOGIC("A transfer of " << job.bytes << " bytes at " << job.rate << " has ended");
    Serve();
    job.done();
}

Time
HostBus::GetBusyTime() const
{
    return m_event.IsPending() ? m_total + (Simulator::Now() - m_begin) : m_total;
}

void
HostBus::Clear()
{
    m_event.Cancel();
    m_line.clear();
    SetQueueLength(0);
}

} // namespace messaging
} // namespace ns3
