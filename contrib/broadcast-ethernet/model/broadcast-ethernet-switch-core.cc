/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "broadcast-ethernet-switch-core.h"

#include "broadcast-ethernet-link.h"

#include "ns3/log.h"

#include <algorithm>

namespace ns3
{
namespace ethernet
{

NS_LOG_COMPONENT_DEFINE("BroadcastEthernetSwitchCore");

namespace
{

/** Bit that marks group addresses (IEEE 802.3, 3.2.3). */
constexpr uint64_t GROUP_BIT = 1ULL << 40;

/** The first of 16 addresses that no bridge forwards (IEEE 802.1D, table 7-10). */
constexpr uint64_t RESERVED = 0x0180c2000000ULL;

/** Departures of one frame that are searched for one at the same time. */
constexpr std::size_t SEARCHED_DEPARTURES = 8;

} // namespace

std::ostream&
operator<<(std::ostream& os, SwitchDrop reason)
{
    static constexpr std::array NAMES{"overflow", "pool", "threshold", "loss", "link-down", "none"};
    return os << NAMES[static_cast<std::size_t>(reason)];
}

SwitchCore::SwitchCore(const SwitchConfig& config)
    : m_config(config),
      m_latency(config.latency.GetNanoSeconds())
{
}

uint32_t
SwitchCore::AddPort(int64_t bitTime, int64_t delay)
{
    Port& port = m_ports.emplace_back();
    port.bitTime = bitTime;
    port.delay = delay;
    port.sentEnd = -static_cast<int64_t>(GAP_BITS) * bitTime;
    m_congestions.resize(m_config.sharing == BufferSharing::PRIVATE ? m_ports.size() : 1);
    return static_cast<uint32_t>(m_ports.size() - 1);
}

int64_t
SwitchCore::GetWireTime(const Port& port, uint32_t bytes)
{
    return (PREAMBLE_BITS + 8LL * bytes) * port.bitTime;
}

bool
SwitchCore::Learn(int64_t now, uint64_t address, uint32_t port)
{
    const uint32_t capacity = m_config.addressTable;
    if (capacity > 0 && m_addresses.size() >= capacity && !m_addresses.contains(address))
    {
        std::erase_if(m_addresses, [&](const auto& entry) { return HasAged(now, entry.second); });
        if (m_addresses.size() >= capacity)
        {
            return false;
        }
    }
    m_addresses[address] = {now, port};
    return true;
}

void
SwitchCore::Unreference(uint32_t slot)
{
    if (--m_references[slot] == 0)
    {
        m_output.freed.push_back(slot);
        m_references.Free(slot);
    }
}

uint32_t
SwitchCore::Forward(int64_t now, uint32_t in, const SwitchFrame& frame)
{
    Port& from = m_ports[in];
    ++from.counters.framesIn;
    from.counters.bytesIn += frame.bytes;
    if (!(frame.from & GROUP_BIT) && !Learn(now, frame.from, in))
    {
        NS_LOG_INFO("The table of addresses is full: a source at port " << in << " is not learned");
        ++from.counters.unlearned;
    }
    if (m_config.sharing != BufferSharing::PRIVATE)
    {
        for (Port& port : m_ports)
        {
            Release(now, port);
        }
    }
    const uint32_t slot = m_references.Put();
    const int64_t ready = now + m_latency;
    uint32_t copies = 0;
    uint32_t meant = 0;
    const auto offer = [&](uint32_t out) {
        if (out != in)
        {
            ++meant;
            copies += Admit(now, ready, out, slot, frame.bytes);
            if (m_config.pause)
            {
                UpdateSender(now, in, out);
            }
        }
    };
    m_open.clear();
    const auto known = m_addresses.find(frame.to);
    if (known != m_addresses.end() && !HasAged(now, known->second))
    {
        offer(known->second.port);
    }
    else if ((frame.to & ~0xfULL) != RESERVED)
    {
        if (!(frame.to & GROUP_BIT))
        {
            NS_LOG_LOGIC("A frame from port " << in << " to an unknown address is flooded");
            ++from.counters.flooded;
        }
        for (uint32_t out = 0; out < GetNPorts(); ++out)
        {
            offer(out);
        }
    }
    if (meant == 0)
    {
        ++from.counters.filtered;
    }
    m_references[slot] = copies;
    if (copies == 0)
    {
        m_output.freed.push_back(slot);
        m_references.Free(slot);
    }
    return slot;
}

SwitchDrop
SwitchCore::FindObstacle(const Port& port, uint64_t cost) const
{
    if (!port.up)
    {
        return SwitchDrop::LINK_DOWN;
    }
    if (m_chance && m_chance())
    {
        return SwitchDrop::LOSS;
    }
    return FindShortage(port, cost);
}

SwitchDrop
SwitchCore::FindShortage(const Port& port, uint64_t cost) const
{
    if (m_config.sharing == BufferSharing::PRIVATE)
    {
        return port.used + cost > m_config.buffer ? SwitchDrop::OVERFLOW : SwitchDrop::N_REASONS;
    }
    if (m_used + cost > m_config.buffer)
    {
        return SwitchDrop::POOL;
    }
    if (m_config.sharing == BufferSharing::DYNAMIC &&
        static_cast<double>(port.used) >=
            m_config.alpha * static_cast<double>(m_config.buffer - m_used))
    {
        return SwitchDrop::THRESHOLD;
    }
    return SwitchDrop::N_REASONS;
}

bool
SwitchCore::Admit(int64_t now, int64_t ready, uint32_t out, uint32_t slot, uint32_t bytes)
{
    Port& port = m_ports[out];
    ++port.counters.offered;
    Release(now, port);
    const uint64_t cost = m_config.unit == BufferUnit::FRAMES ? 1 : bytes;
    const SwitchDrop obstacle = FindObstacle(port, cost);
    if (obstacle != SwitchDrop::N_REASONS)
    {
        ++port.counters.drops[static_cast<std::size_t>(obstacle)];
        m_output.drops.push_back({out, slot, obstacle});
        return false;
    }
    port.used += cost;
    m_used += cost;
    port.counters.peak = std::max(port.counters.peak, port.used);
    if (m_config.replication == Replication::SERIAL)
    {
        const uint64_t bits = 8ULL * bytes;
        m_busFreeAt =
            std::max(m_busFreeAt, ready) +
            static_cast<int64_t>((bits * 1000000000ULL + m_config.busRate - 1) / m_config.busRate);
        ready = m_busFreeAt;
    }
    const int64_t end = std::max(ready, port.freeAt) + GetWireTime(port, bytes);
    port.freeAt = end + GAP_BITS * port.bitTime;
    port.queue.Push({end, ready, slot, bytes});
    Place(end + port.delay, slot, out);
    return true;
}

void
SwitchCore::Place(int64_t at, uint32_t slot, uint32_t port)
{
    const std::size_t searched = std::min(m_open.size(), SEARCHED_DEPARTURES);
    for (std::size_t i = 0; i < searched; ++i)
    {
        Batch& batch = m_batches[m_open[i]];
        if (batch.at == at)
        {
            batch.ports.push_back(port);
            return;
        }
    }
    m_open.push_back(Open(at, slot, port));
}

uint32_t
SwitchCore::Open(int64_t at, uint32_t slot, uint32_t port)
{
    auto number = static_cast<uint32_t>(m_batches.size());
    if (m_freeBatches.empty())
    {
        m_batches.emplace_back();
    }
    else
    {
        number = m_freeBatches.back();
        m_freeBatches.pop_back();
    }
    Batch& batch = m_batches[number];
    batch.at = at;
    batch.slot = slot;
    batch.next = 0;
    batch.ports.clear();
    batch.ports.push_back(port);
    m_output.departures.push_back({at, number});
    return number;
}

void
SwitchCore::ReleaseOne(Port& port)
{
    const uint32_t bytes = port.queue[port.released++].bytes;
    const uint64_t cost = m_config.unit == BufferUnit::FRAMES ? 1 : bytes;
    port.used -= cost;
    m_used -= cost;
}

void
SwitchCore::Release(int64_t now, Port& port)
{
    while (port.released < port.queue.GetN() && port.queue[port.released].end <= now)
    {
        ReleaseOne(port);
    }
}

bool
SwitchCore::Deliver(uint32_t departure)
{
    const int64_t at = m_batches[departure].at;
    const uint32_t slot = m_batches[departure].slot;
    const uint32_t number = GetPort(departure);
    Port& port = m_ports[number];
    if (port.queue.IsEmpty() || port.queue.Front().slot != slot ||
        port.queue.Front().end + port.delay != at)
    {
        return false;
    }
    if (port.released == 0)
    {
        ReleaseOne(port);
    }
    --port.released;
    const Entry entry = port.queue.Pop();
    port.sentEnd = entry.end;
    ++port.counters.framesOut;
    port.counters.bytesOut += entry.bytes;
    if (m_config.pause)
    {
        UpdateWaiters(at, number);
    }
    Unreference(slot);
    return true;
}

void
SwitchCore::SetLinkUp(int64_t now, uint32_t number, bool up)
{
    Port& port = m_ports[number];
    const bool cut = port.up && !up;
    port.up = up;
    if (!cut)
    {
        return;
    }
    while (port.released < port.queue.GetN())
    {
        ReleaseOne(port);
    }
    port.released = 0;
    while (!port.queue.IsEmpty())
    {
        const uint32_t slot = port.queue.Pop().slot;
        ++port.counters.drops[static_cast<std::size_t>(SwitchDrop::LINK_DOWN)];
        m_output.drops.push_back({number, slot, SwitchDrop::LINK_DOWN});
        Unreference(slot);
    }
    // Neither a pause nor a gap outlasts the cut.
    port.freeAt = port.pausedUntil = port.controlUntil = now;
    port.sentEnd = now - GAP_BITS * port.bitTime;
    std::erase_if(m_addresses, [number](const auto& entry) { return entry.second.port == number; });
    for (Congestion& congestion : m_congestions)
    {
        port.waits -= static_cast<uint32_t>(std::erase(congestion.waiters, number));
    }
    if (m_config.pause)
    {
        UpdateWaiters(now, number);
    }
}

void
SwitchCore::Retime(int64_t now, uint32_t number)
{
    Port& port = m_ports[number];
    const int64_t gap = GAP_BITS * port.bitTime;
    const int64_t blocked = std::max(port.pausedUntil, port.controlUntil);
    int64_t free = port.sentEnd + gap;
    for (std::size_t i = 0; i < port.queue.GetN(); ++i)
    {
        Entry& entry = port.queue[i];
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
    for (const Entry& entry : port.queue)
    {
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
