/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-traffic-session.h"

#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/trace-source-accessor.h"

#include <algorithm>

namespace ns3
{
namespace messaging
{

NS_LOG_COMPONENT_DEFINE("MessagingTrafficSession");
NS_OBJECT_ENSURE_REGISTERED(BenchmarkSession);

TypeId
BenchmarkSession::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::messaging::BenchmarkSession")
            .SetParent<Object>()
            .SetGroupName("MessagingTraffic")
            .AddConstructor<BenchmarkSession>()
            .AddTraceSource("Finished",
                            "All applications have ended, with all messages that they expect or "
                            "by StopTime, or the benchmark has failed.",
                            MakeTraceSourceAccessor(&BenchmarkSession::m_finishedTrace),
                            "ns3::TracedCallback::Empty")
            .AddTraceSource("Post",
                            "An application has a message to send: its peer. Messages of a peer "
                            "are passed to its endpoint in this order, when it accepts them.",
                            MakeTraceSourceAccessor(&BenchmarkSession::m_postTrace),
                            "ns3::messaging::BenchmarkSession::PostTracedCallback")
            .AddTraceSource("Count",
                            "A message of the workload has arrived: the time since its "
                            "application has posted it.",
                            MakeTraceSourceAccessor(&BenchmarkSession::m_countTrace),
                            "ns3::messaging::BenchmarkSession::CountTracedCallback");
    return tid;
}

void
BenchmarkSession::DoDispose()
{
    m_endpoints = nullptr;
    m_watchers.clear();
    Object::DoDispose();
}

void
BenchmarkSession::Begin()
{
    if (!m_begun)
    {
        NS_LOG_INFO("The measurement begins");
        m_begun = true;
        m_begin = Simulator::Now();
        m_end = m_begin;
    }
}

void
BenchmarkSession::Count(uint32_t bytes)
{
    ++m_messages;
    m_bytes += bytes;
    m_end = Simulator::Now();
    m_delays.push_back(m_delay);
    m_countTrace(m_delay);
}

void
BenchmarkSession::Watch(Peer sender, Settled settled)
{
    m_watchers.resize(std::max<std::size_t>(m_watchers.size(), sender + std::size_t{1}));
    m_watchers[sender] = settled;
}

void
BenchmarkSession::Settle(Peer from, uint32_t count)
{
    if (from < m_watchers.size() && !m_watchers[from].IsNull())
    {
        m_watchers[from](count);
    }
}

void
BenchmarkSession::BeginRound()
{
    m_roundBegin = Simulator::Now();
    m_reached = 0;
}

void
BenchmarkSession::ReachPeer()
{
    if (++m_reached + 1 == m_endpoints->GetN())
    {
        AddLatency(Simulator::Now() - m_roundBegin);
    }
}

void
BenchmarkSession::EndApplication()
{
    if (++m_ended == m_joined)
    {
        NS_LOG_INFO("All " << m_joined << " applications have ended, with " << m_messages
                           << " messages of " << m_bytes << " bytes in " << GetElapsed().As());
        m_finishedTrace();
    }
}

void
BenchmarkSession::Fail(const std::string& sentence)
{
    NS_LOG_WARN("The benchmark fails: " << sentence);
    if (m_failure.empty())
    {
        m_failure = sentence;
        m_finishedTrace();
    }
}

double
BenchmarkSession::GetBandwidth() const
{
    const double elapsed = GetElapsed().GetSeconds();
    return elapsed > 0 ? m_bytes / elapsed : 0;
}

Time
BenchmarkSession::GetMeanLatency() const
{
    Time sum;
    for (const Time& latency : m_latencies)
    {
        sum += latency;
    }
    return m_latencies.empty() ? sum : sum / static_cast<int64_t>(m_latencies.size());
}

Time
BenchmarkSession::GetMaxLatency() const
{
    return m_latencies.empty() ? Time() : *std::max_element(m_latencies.begin(), m_latencies.end());
}

} // namespace messaging
} // namespace ns3
