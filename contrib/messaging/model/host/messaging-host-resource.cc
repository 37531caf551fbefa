/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-host-resource.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace messaging
{

NS_LOG_COMPONENT_DEFINE("MessagingHostResource");

void
HostServers::Acquire(uint32_t preferred, Grant grant)
{
    NS_LOG_FUNCTION(this << preferred);
    if (preferred < m_servers.size() && !m_servers[preferred].held)
    {
        Hold(preferred, grant);
        return;
    }
    const auto idle =
        std::find_if(m_servers.begin(), m_servers.end(), [](const Server& s) { return !s.held; });
    if (idle != m_servers.end())
    {
        Hold(idle - m_servers.begin(), grant);
        return;
    }
    m_line.push_back(std::move(grant));
}

void
HostServers::Hold(uint32_t server, const Grant& grant)
{
    m_servers[server] = Server{true, Simulator::Now()};
    grant(server);
}

void
HostServers::Release(uint32_t server)
{
    NS_LOG_FUNCTION(this << server);
    NS_ABORT_MSG_IF(!m_servers.at(server).held, "The released server is not held.");
    const Time begin = m_servers[server].since;
    m_servers[server].held = false;
    m_busy += Simulator::Now() - begin;
    if (!m_line.empty())
    {
        const Grant next = std::move(m_line.front());
        m_line.pop_front();
        Hold(server, next);
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
HostBus::Transfer(uint64_t bytes, DataRate rate, Done done)
{
    NS_LOG_FUNCTION(this << bytes << rate);
    m_line.push_back(Job{bytes, 0, rate, std::move(done)});
    if (m_event.IsPending())
    {
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
    if (job.rate.GetBitRate() == 0)
    {
        return Time();
    }
    const Time end = job.rate.CalculateBytesTxTime(until);
    // The difference of two rounded times avoids the accumulation of rounding errors.
    return job.served == 0 ? end : end - job.rate.CalculateBytesTxTime(job.served);
}

void
HostBus::Serve()
{
    if (m_line.empty())
    {
        return;
    }
    const Job& job = m_line.front();
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
    NS_LOG_FUNCTION(this);
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
}

} // namespace messaging
} // namespace ns3
