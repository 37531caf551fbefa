/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "broadcast-ethernet-link.h"
#include "broadcast-ethernet-switch-core.h"

#include <algorithm>

/**
 * @file
 * @ingroup broadcast-ethernet
 * Flow control of a switch (IEEE 802.3, annex 31B).
 */

namespace ns3
{
namespace ethernet
{

void
SwitchCore::Retime(int64_t now, uint32_t number)
{
    Port& port = m_ports[number];
    const int64_t gap = GAP_BITS * port.bitTime;
    const int64_t blocked = std::max(port.pausedUntil, port.controlUntil);
    int64_t free = port.sentEnd + gap;
    for (uint32_t i = port.head; i != port.tail; ++i)
    {
        Entry& entry = port.ring[i & port.mask];
        const int64_t wire = GetWireTime(port, entry.bytes);
        if (entry.end - wire > now)
        {
            const int64_t end = std::max({entry.ready, free, blocked}) + wire;
            if (end != entry.end)
            {
                entry.end = end;
                Open(end + port.delay, entry.slot, number);
            }
        }
        free = entry.end + gap;
    }
    port.freeAt = std::max(free, blocked);
}

void
SwitchCore::OnPause(int64_t now, uint32_t port, uint16_t quanta)
{
    ++m_ports[port].counters.pausesReceived;
    m_ports[port].pausedUntil = now + quanta * PAUSE_QUANTUM_BITS * m_ports[port].bitTime;
    Retime(now, port);
}

SwitchCore::Congestion&
SwitchCore::GetCongestion(uint32_t port)
{
    return m_congestions[m_config.sharing == BufferSharing::PRIVATE ? port : 0];
}

void
SwitchCore::UpdateSender(int64_t now, uint32_t in, uint32_t out)
{
    Congestion& congestion = GetCongestion(out);
    const uint64_t used = m_config.sharing == BufferSharing::PRIVATE ? m_ports[out].used : m_used;
    congestion.on |=
        static_cast<double>(used) > m_config.pauseHigh * static_cast<double>(m_config.buffer);
    auto& waiters = congestion.waiters;
    if (congestion.on && std::find(waiters.begin(), waiters.end(), in) == waiters.end())
    {
        waiters.push_back(in);
        if (++m_ports[in].waits == 1)
        {
            SendPause(now, in, m_config.pauseQuanta);
        }
    }
}

void
SwitchCore::UpdateWaiters(int64_t now, uint32_t out)
{
    Congestion& congestion = GetCongestion(out);
    if (!congestion.on)
    {
        return;
    }
    const uint64_t used = m_config.sharing == BufferSharing::PRIVATE ? m_ports[out].used : m_used;
    if (static_cast<double>(used) <= m_config.pauseLow * static_cast<double>(m_config.buffer))
    {
        congestion.on = false;
        for (const uint32_t in : std::exchange(congestion.waiters, {}))
        {
            if (--m_ports[in].waits == 0)
            {
                SendPause(now, in, 0);
            }
        }
    }
}

void
SwitchCore::SendPause(int64_t now, uint32_t number, uint16_t quanta)
{
    Port& port = m_ports[number];
    if (!port.up)
    {
        return;
    }
    const int64_t gap = GAP_BITS * port.bitTime;
    int64_t begin = std::max({now, port.sentEnd + gap, port.controlUntil});
    for (uint32_t i = port.head; i != port.tail; ++i)
    {
        const Entry& entry = port.ring[i & port.mask];
        if (entry.end - GetWireTime(port, entry.bytes) > now)
        {
            break;
        }
        begin = std::max(begin, entry.end + gap);
    }
    const int64_t end = begin + GetWireTime(port, MIN_FRAME_BYTES);
    port.controlUntil = end + gap;
    port.refreshAt = quanta > 0 ? now + quanta * PAUSE_QUANTUM_BITS * port.bitTime / 2 : 0;
    ++port.counters.pausesSent;
    m_output.pauses.push_back({end + port.delay, port.refreshAt, number, quanta});
    Retime(now, number);
}

void
SwitchCore::Refresh(int64_t now, uint32_t port)
{
    if (m_ports[port].waits > 0 && m_ports[port].refreshAt == now)
    {
        SendPause(now, port, m_config.pauseQuanta);
    }
}

} // namespace ethernet
} // namespace ns3
