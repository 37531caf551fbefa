/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wormhole-kernel.h"

#include "ns3/log.h"

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace wormhole
{

NS_LOG_COMPONENT_DEFINE("WormholeKernel");

namespace
{

/** Whether packets are logged. It is read when a kernel is made, since the call that reads it would
 * be measurable for every packet. */
bool g_logsPackets = false;

/** Arrivals by which a packet is prefetched ahead: about the time of an access to memory. */
constexpr std::size_t PREFETCH_AHEAD = 4;

/** Longest gap between two losses, which a 64-bit number holds [trials]. */
constexpr double LONGEST_GAP = 9e18;

} // namespace

Kernel::Kernel(const KernelConfig& config, const KernelTraces& traces, uint32_t nNodes)
    : m_config(config),
      m_traces(traces),
      m_random(CreateObject<UniformRandomVariable>()),
      m_waiting(nNodes),
      m_readyAt(config.freeOnDrop ? nNodes : 0),
      m_lossRandom(CreateObject<UniformRandomVariable>())
{
    g_logsPackets = g_log.IsEnabled(LOG_INFO) || g_log.IsEnabled(LOG_LOGIC);
}

Kernel::~Kernel() = default;

int64_t
Kernel::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    m_lossRandom->SetStream(stream + 1);
    return 2;
}

bool
Kernel::IsBusy(Peer, Ticks)
{
    return false;
}

uint64_t
Kernel::DrawGap(double probability)
{
    if (probability >= 1)
    {
        return 1;
    }
    // The inverse of the geometric distribution function, at a uniform number in (0, 1].
    const double uniform = 1 - m_lossRandom->GetValue(0, 1);
    const double failures = std::log(uniform) / std::log1p(-probability);
    return 1 + static_cast<uint64_t>(std::min(failures, LONGEST_GAP));
}

uint32_t
Kernel::Store(Peer from, Peer to, const Frame& frame, uint32_t flits, Ticks now)
{
    const uint32_t number = m_packets.Claim();
    Packet& packet = m_packets[number];
    packet.frame = frame;
    packet.sent = now;
    packet.from = from;
    packet.to = to;
    packet.flits = flits;
    packet.hops = 0;
    packet.misroutes = 0;
    packet.fate = NO_DROP;
    if (g_logsPackets) [[unlikely]]
    {
        NS_LOG_LOGIC("Cycle " << now << ": a packet of " << flits << " flits enters at node "
                              << from << " for " << to);
    }
    ++m_counters.offered;
    ++m_counters.injected;
    m_counters.flitsInjected += flits;
    if (m_config.loss > 0)
    {
        if (m_untilLoss == 0)
        {
            m_untilLoss = DrawGap(m_config.loss);
        }
        if (--m_untilLoss == 0)
        {
            packet.fate = DropReason::LOST;
        }
    }
    return number;
}

void
Kernel::Drop(uint32_t number, DropReason reason, uint32_t router, Ticks now, bool injected)
{
    if (g_logsPackets) [[unlikely]]
    {
        NS_LOG_INFO("Cycle " << now << ": router " << router << " drops a packet from node "
                             << m_packets[number].from << " to " << m_packets[number].to << ": "
                             << reason);
    }
    m_packets.Free(number);
    ++m_counters.drops[static_cast<std::size_t>(reason)];
    if (injected)
    {
        m_counters.flitsDrained += m_packets[number].flits;
    }
    else
    {
        --m_counters.injected;
        m_counters.flitsInjected -= m_packets[number].flits;
    }
    if (!m_traces.drop->IsEmpty())
    {
        const Packet packet = m_packets[number];
        (*m_traces.drop)(packet, reason, router, now);
    }
}

void
Kernel::DropAtSource(Peer from,
                     Peer to,
                     const Frame& frame,
                     uint32_t flits,
                     DropReason reason,
                     Ticks now)
{
    if (g_logsPackets) [[unlikely]]
    {
        NS_LOG_INFO("Cycle " << now << ": node " << from << " drops its packet to " << to << ": "
                             << reason);
    }
    ++m_counters.offered;
    ++m_counters.drops[static_cast<std::size_t>(reason)];
    if (!m_traces.drop->IsEmpty())
    {
        (*m_traces.drop)(Packet{frame, now, from, to, flits}, reason, from, now);
    }
}

void
Kernel::AdvanceReady(uint32_t router, Ticks now)
{
    if (router < m_waiting.size() && m_waiting[router] && m_readyAt[router] > now + 1)
    {
        m_readyAt[router] = now + 1;
        m_ready.Put(now, now + 1, router);
    }
}

void
Kernel::ServeDue(Ticks now)
{
    const auto& arrivals = m_arrivals.Take(now);
    for (std::size_t i = 0; i < arrivals.size(); ++i)
    {
        if (i + PREFETCH_AHEAD < arrivals.size())
        {
            __builtin_prefetch(&m_packets[arrivals[i + PREFETCH_AHEAD]]);
        }
        const uint32_t number = arrivals[i];
        const Packet& packet = m_packets[number];
        if (packet.fate != NO_DROP)
        {
            Drop(number, packet.fate, packet.to, now, true);
            continue;
        }
        if (g_logsPackets) [[unlikely]]
        {
            NS_LOG_INFO("Cycle " << now << ": a packet from node " << packet.from << " of "
                                 << packet.flits << " flits has arrived at " << packet.to);
        }
        m_packets.Free(number);
        ++m_counters.delivered;
        m_counters.flitsDelivered += packet.flits;
        // Copies, since a listener may send a packet that reuses its slot.
        const Frame frame = packet.frame;
        const Peer from = packet.from;
        const Peer to = packet.to;
        if (!m_traces.delivery->IsEmpty())
        {
            const Packet copy = packet;
            (*m_traces.delivery)(copy, now);
        }
        if (m_user)
        {
            m_user->OnFrame(to, from, frame);
        }
    }
    if (!m_ready.IsEmpty())
    {
        ServeReady(now);
    }
}

void
Kernel::ServeReady(Ticks now)
{
    for (const Peer node : m_ready.Take(now))
    {
        const bool advanced = !m_readyAt.empty() && (!m_waiting[node] || m_readyAt[node] != now);
        if (advanced)
        {
            continue;
        }
        m_waiting[node] = 0;
        if (m_user)
        {
            m_user->OnReady(node);
        }
    }
}

} // namespace wormhole
} // namespace ns3
