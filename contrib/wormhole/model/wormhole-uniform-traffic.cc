/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wormhole-uniform-traffic.h"

#include "ns3/abort.h"

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace wormhole
{

UniformTraffic::UniformTraffic(Ptr<WormholeNetwork> network, uint32_t flits)
    : m_network(network),
      m_random(CreateObject<UniformRandomVariable>()),
      m_flits(flits)
{
    // The shortest frame of that many flits.
    while (network->GetFlits(m_frame) < flits)
    {
        ++m_frame.payload;
    }
    NS_ABORT_MSG_UNLESS(network->GetFlits(m_frame) == flits,
                        "No frame makes a packet of " << flits << " flits.");
    network->SetUser(this);
}

UniformTraffic::~UniformTraffic()
{
    m_network->SetUser(nullptr);
}

int64_t
UniformTraffic::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

Ticks
UniformTraffic::GetNow() const
{
    return m_now;
}

void
UniformTraffic::SetFaults(Ptr<WormholeFaults> faults)
{
    m_faults = faults;
}

void
UniformTraffic::Run(double load, Ticks cycles)
{
    NS_ABORT_MSG_UNLESS(load >= 0, "A load of " << load << " is offered; it has to be 0 or more.");
    const uint32_t nNodes = m_network->GetNPeers();
    const double probability = std::min(load / m_flits, 1.0);
    const auto draw = [this, probability] {
        // Trials until the next success of a Bernoulli process, without drawing for each.
        const double u = 1 - m_random->GetValue(0, 1);
        return probability >= 1 ? 0.0 : std::floor(std::log(u) / std::log1p(-probability));
    };
    if (m_untilNext < 0)
    {
        m_untilNext = draw();
    }
    for (const Ticks end = m_now + cycles; m_now < end; ++m_now)
    {
        if (m_faults)
        {
            m_faults->Advance(m_now);
        }
        for (; m_untilNext < nNodes; m_untilNext += 1 + draw())
        {
            m_frame.contents = m_now;
            m_frame.source = static_cast<Peer>(m_untilNext);
            m_network->Send(m_frame.source, m_random->GetInteger(0, nNodes - 1), m_frame);
        }
        m_untilNext -= nNodes;
        m_network->Step(m_now);
    }
}

void
UniformTraffic::BeginMeasurement()
{
    m_begin = m_now;
    m_latency = 0;
    m_worst = 0;
    m_packets = 0;
    m_before = m_network->GetCounters();
}

UniformTraffic::Result
UniformTraffic::EndMeasurement() const
{
    const Counters& counters = m_network->GetCounters();
    Result result;
    const double nodeCycles = static_cast<double>(m_now - m_begin) * m_network->GetNPeers();
    result.accepted =
        static_cast<double>(counters.flitsDelivered - m_before.flitsDelivered) / nodeCycles;
    result.packets = m_packets;
    result.latency =
        m_packets ? static_cast<double>(m_latency) / static_cast<double>(m_packets) : 0;
    result.worst = m_worst;
    const uint64_t lost =
        counters.GetAllDrops() + counters.refused - m_before.GetAllDrops() - m_before.refused;
    const uint64_t offered =
        counters.offered + counters.refused - m_before.offered - m_before.refused;
    result.dropped = offered ? static_cast<double>(lost) / static_cast<double>(offered) : 0;
    result.hops = counters.hops;
    for (std::size_t reason = 0; reason < N_DROP_REASONS; ++reason)
    {
        result.drops[reason] = counters.drops[reason] - m_before.drops[reason];
    }
    return result;
}

void
UniformTraffic::OnFrame(Peer, Peer, const Frame& frame)
{
    if (frame.contents >= m_begin)
    {
        const Ticks latency = m_now - frame.contents;
        m_latency += latency;
        m_worst = std::max(m_worst, latency);
        ++m_packets;
    }
}

void
UniformTraffic::OnReady(Peer)
{
    // Traffic does not wait: what was refused is lost.
}

} // namespace wormhole
} // namespace ns3
