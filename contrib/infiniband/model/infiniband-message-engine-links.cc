/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "infiniband-message-engine.h"
#include "infiniband-verbs.h"

#include <algorithm>

/**
 * @file
 * @ingroup infiniband
 * MessageEngine: how trains take links.
 */

namespace ns3
{
namespace infiniband
{

uint32_t
MessageEngine::FindRoute(HostId from, HostId to, uint8_t path)
{
    const uint32_t paths = m_subnet->GetManager().GetNPaths();
    auto& routes = m_routeOf[from];
    if (routes.empty())
    {
        routes.assign(m_hosts.size() * paths, NONE);
    }
    uint32_t& found = routes[to * paths + path % paths];
    if (found == NONE)
    {
        found = static_cast<uint32_t>(m_routes.size());
        m_routes.push_back(0);
        if (from != to)
        {
            const auto& manager = m_subnet->GetManager();
            auto ports = manager.GetRoute(from, manager.GetLid(to, path % paths));
            if (ports.empty())
            {
                ports = {from, static_cast<PortId>(m_links.size() - 1)};
            }
            m_routes.back() = static_cast<uint32_t>(ports.size());
            m_routes.insert(m_routes.end(), ports.begin(), ports.end());
        }
    }
    return found;
}

void
MessageEngine::Launch(Train& train)
{
    Host& host = m_hosts[m_pairs[train.from].host];
    if (m_routes[train.route] == 0)
    {
        // To itself, as fast as over its link.
        const Ticks wire = m_links[m_pairs[train.from].host].GetTime(train.bytes);
        train.tail = std::max(train.head + wire, train.tail);
        host.left[host.prepared++ % DATA_AHEAD] = train.head;
        return;
    }
    Link& link = m_links[m_routes[train.route + 1]];
    const Ticks gap = m_hca.packetProcessing;
    const Ticks wire = link.GetTime(train.bytes);
    Ticks start = std::max(train.head, link.free);
    if (train.cargo >= Cargo::ACK)
    {
        // It passes by data that waits for the link, but not by the packet on it.
        start = train.head;
        for (uint32_t n = 0; n < DATA_AHEAD; ++n)
        {
            if (host.left[n] <= train.head && host.gone[n] > start)
            {
                start = host.gone[n];
            }
        }
        link.free = std::max(link.free, start) + wire + gap;
        train.tail = start + wire;
    }
    else
    {
        const Ticks lastWire = link.GetTime(train.lastBytes);
        train.tail = std::max(start + wire + (train.packets - 1) * gap, train.tail + lastWire);
        link.free = train.tail + gap;
        Ticks left = train.tail - lastWire;
        Ticks gone = link.free;
        host.prepared += train.packets;
        for (uint32_t n = 1; n <= std::min(train.packets, DATA_AHEAD); ++n)
        {
            host.left[(host.prepared - n) % DATA_AHEAD] = left;
            host.gone[(host.prepared - n) % DATA_AHEAD] = gone;
            gone = left;
            left -= std::min(left, link.GetTime(m_link.mtu + PACKET_BYTES) + gap);
        }
    }
    host.counters.Wait(HcaCounters::LINK, train.head, start);
    host.counters.parts[HcaCounters::LINK].busy += wire;
    train.hop = 1;
    train.lost = !link.up;
    const Ticks delay = m_link.cableDelay + (m_routes[train.route] > 1 ? m_link.switchDelay : 0);
    train.head = start + delay;
    train.tail += delay;
}

void
MessageEngine::Pass(Train& train)
{
    const uint32_t links = m_routes[train.route];
    Link& before = m_links[m_routes[train.route + train.hop]];
    Link& link = m_links[m_routes[train.route + 1 + train.hop]];
    if (!link.up)
    {
        train.lost = true;
        return;
    }
    const Ticks start = std::max(train.head, link.free);
    link.free = start + link.GetTime(train.bytes);
    before.emptied = link.free;
    ++train.hop;
    const Ticks delay = m_link.cableDelay + (train.hop < links ? m_link.switchDelay : 0);
    train.head = start + delay;
    train.tail = std::max(train.tail, link.free) + delay;
}

void
MessageEngine::Advance(uint32_t index)
{
    Train& train = m_trains[index];
    const uint32_t links = m_routes[train.route];
    while (train.hop < links && !train.lost)
    {
        const PortId port = m_routes[train.route + train.hop];
        Link& before = m_links[port];
        if (before.first != NONE)
        {
            m_trains[before.last].next = index;
            before.last = index;
            return;
        }
        train.head = std::max(train.head, before.emptied);
        if (train.head > m_clock->Now() + m_lookahead)
        {
            before.first = before.last = index;
            At(train.head, Event::HOP, port);
            return;
        }
        Pass(train);
    }
    if (train.packets > 1 && train.first == 0 && !train.lost)
    {
        const Link& last = m_links[m_routes[train.route + links]];
        At(train.head + last.GetTime(train.firstBytes), Event::BEGIN, index);
    }
    At(train.tail, Event::ARRIVE, index);
    ExpectArrival(train);
}

void
MessageEngine::SetLinkUp(PortId port, bool up)
{
    const PortId peer = m_subnet->GetTopology().GetPorts()[port].peer;
    if (peer == NO_PORT || m_links[port].up == up)
    {
        return;
    }
    m_links[port].up = up;
    m_links[peer].up = up;
    m_subnet->GetManager().SetLinkUp(port, up);
    if (!m_sweepDelay.IsStrictlyNegative())
    {
        At(m_clock->Now() + static_cast<Ticks>(m_sweepDelay.GetNanoSeconds()), Event::SWEEP, 0);
    }
}

void
MessageEngine::PlanLink(PortId port, bool up, Ticks when)
{
    At(when, Event::LINK, port, up);
}

void
MessageEngine::Sweep()
{
    m_subnet->Sweep();
    // Trains under way go on by their old ways, which stay in m_routes.
    for (auto& routes : m_routeOf)
    {
        routes.clear();
    }
    for (Pair& pair : m_pairs)
    {
        if (pair.route != NONE)
        {
            pair.route = FindRoute(pair.host, m_verbs->GetHost(pair.remote), pair.path);
        }
    }
}

void
MessageEngine::Resume(PortId port)
{
    while (m_links[port].first != NONE)
    {
        Link& before = m_links[port];
        const uint32_t index = before.first;
        Train& train = m_trains[index];
        train.head = std::max(train.head, before.emptied);
        if (train.head > m_clock->Now() + m_lookahead)
        {
            At(train.head, Event::HOP, port);
            return;
        }
        before.first = index == before.last ? NONE : train.next;
        Pass(train);
        Advance(index);
    }
}

} // namespace infiniband
} // namespace ns3
