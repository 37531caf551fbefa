/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "idempotent-scripted-network.h"

#include <algorithm>

namespace ns3
{
namespace idempotent
{

using messaging::Frame;
using messaging::NEVER;
using messaging::Peer;

void
ScriptedNetwork::Setup(Ptr<messaging::TickClock> clock,
                       uint32_t peers,
                       Script script,
                       messaging::Ticks maxSlip)
{
    m_clock = clock;
    m_peers = peers;
    m_script = std::move(script);
    m_maxSlip = maxSlip;
    m_number = clock->Register(this);
}

messaging::PortInfo
ScriptedNetwork::GetInfo() const
{
    messaging::PortInfo info;
    info.mtu = 1U << 20;
    info.cycle = 1;
    info.ordered = m_maxSlip == 0;
    info.maxSlip = m_maxSlip;
    return info;
}

bool
ScriptedNetwork::Send(Peer self, Peer to, const Frame& frame)
{
    Packet packet{m_clock->Now(), NEVER, self, to, 0, frame};
    uint64_t& count = m_counts[{self, to, frame.kind}];
    packet.nth = count;
    const Fate fate = m_script ? m_script(packet) : Fate{};
    if (fate.busy)
    {
        return false;
    }
    ++count;
    if (fate.copies > 0)
    {
        packet.arrives = m_clock->Now() + DISTANCE + WireTicks(frame) + fate.delay;
        auto& last = m_last[{self, to}];
        if (m_maxSlip == 0)
        {
            packet.arrives = std::max(packet.arrives, last);
        }
        last = packet.arrives;
    }
    m_packets.push_back(packet);
    for (uint32_t copy = 0; copy < fate.copies; ++copy)
    {
        m_clock->At(packet.arrives, m_number, to, m_packets.size() - 1);
    }
    return true;
}

void
ScriptedNetwork::WakePort(Peer peer)
{
    if (m_user)
    {
        m_user->OnReady(peer);
    }
}

void
ScriptedNetwork::OnTick(Peer peer, uint64_t datum)
{
    if (m_user)
    {
        const Packet packet = m_packets[datum];
        m_user->OnFrame(peer, packet.from, packet.frame);
    }
}

} // namespace idempotent
} // namespace ns3
