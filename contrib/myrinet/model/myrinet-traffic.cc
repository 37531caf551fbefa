/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "myrinet-traffic.h"

#include "ns3/double.h"

#include <utility>

namespace ns3
{
namespace myrinet
{

namespace
{

/** Packets between two calls of Progress. */
constexpr uint64_t PROGRESS_STEP = 4096;

} // namespace

Traffic::Traffic(Ptr<messaging::TickClock> clock,
                 Ptr<MyrinetNetwork> port,
                 const TrafficConfig& config)
    : m_clock(clock),
      m_port(port),
      m_config(config),
      m_number(clock->Register(this)),
      m_gaps(CreateObject<ExponentialRandomVariable>()),
      m_choices(CreateObject<UniformRandomVariable>()),
      m_waiting(port->GetNPeers()),
      m_next(port->GetNPeers(), 0),
      m_turn(port->GetNPeers(), 0)
{
    Frame frame;
    frame.payload = config.bytes;
    m_meanGap = static_cast<double>(port->WireTicks(frame)) / config.load;
    m_gaps->SetAttribute("Mean", DoubleValue(m_meanGap));
    m_port->SetUser(this);
}

Traffic::~Traffic()
{
    m_port->SetUser(nullptr);
}

int64_t
Traffic::AssignStreams(int64_t stream)
{
    m_gaps->SetStream(stream);
    m_choices->SetStream(stream + 1);
    return 2;
}

void
Traffic::Start(Progress progress)
{
    m_progress = std::move(progress);
    for (Peer host = 0; host < m_waiting.size(); ++host)
    {
        m_next[host] = static_cast<double>(m_clock->Now());
        PlanNext(host);
    }
}

void
Traffic::PlanNext(Peer host)
{
    m_next[host] += m_gaps->GetValue();
    const auto when = static_cast<Ticks>(m_next[host]);
    if (when < m_config.duration)
    {
        m_clock->At(when, m_number, host, 0);
    }
}

Peer
Traffic::ChooseDestination(Peer host)
{
    const auto hosts = static_cast<Peer>(m_waiting.size());
    if (hosts == 1)
    {
        return host;
    }
    switch (m_config.pattern)
    {
    case Pattern::ALL_TO_ALL:
        m_turn[host] = m_turn[host] % (hosts - 1) + 1;
        return (host + m_turn[host]) % hosts;
    case Pattern::SHIFT:
        return (host + m_config.shift) % hosts;
    case Pattern::HOT_SPOT:
        if (host != 0 && m_choices->GetValue() < m_config.hotShare)
        {
            return 0;
        }
        break;
    case Pattern::UNIFORM:
        break;
    }
    return (host + m_choices->GetInteger(1, hosts - 1)) % hosts;
}

void
Traffic::OnTick(Peer peer, uint64_t)
{
    ++m_offered;
    m_waiting[peer].push_back(Waiting{ChooseDestination(peer), m_clock->Now()});
    if (m_waiting[peer].size() == 1)
    {
        OnReady(peer);
    }
    PlanNext(peer);
    if (m_progress && m_offered % PROGRESS_STEP == 0)
    {
        m_progress(m_clock->Now());
    }
}

void
Traffic::OnReady(Peer self)
{
    auto& queue = m_waiting[self];
    while (!queue.empty())
    {
        Frame frame;
        frame.id = queue.front().offered;
        frame.source = self;
        frame.payload = m_config.bytes;
        if (!m_port->Send(self, queue.front().to, frame))
        {
            return;
        }
        queue.pop_front();
    }
}

void
Traffic::OnFrame(Peer, Peer, const Frame& frame)
{
    const Ticks now = m_clock->Now();
    m_latencies.push_back(now - frame.id);
    if (now <= m_config.duration)
    {
        m_bytes += frame.payload;
    }
}

uint64_t
Traffic::GetNWaiting() const
{
    uint64_t waiting = 0;
    for (const auto& queue : m_waiting)
    {
        waiting += queue.size();
    }
    return waiting;
}

} // namespace myrinet
} // namespace ns3
