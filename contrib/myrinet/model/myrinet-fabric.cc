/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "myrinet-fabric.h"

#include "ns3/double.h"

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace myrinet
{

Fabric::Fabric(const Topology& topology, const Routes& routes, const FabricConfig& config)
    : m_routes(routes),
      m_config(config),
      m_nChannels(static_cast<uint32_t>(topology.GetChannels().size())),
      m_errors(CreateObject<ExponentialRandomVariable>()),
      m_crc(CreateObject<UniformRandomVariable>()),
      m_overwrites(CreateObject<UniformRandomVariable>()),
      m_stalls(CreateObject<ExponentialRandomVariable>())
{
    const uint32_t nHosts = topology.GetNHosts();
    m_buffers.resize(m_nChannels + nHosts);
    m_use.resize(m_nChannels + nHosts);
    m_hosts.resize(nHosts);
    for (ChannelId c = 0; c < m_nChannels; ++c)
    {
        const auto& end = topology.GetChannels()[c];
        m_buffers[c].delay =
            static_cast<Instant>(std::llround(end.cable * static_cast<double>(config.perMetre)));
        if (end.from < nHosts)
        {
            m_hosts[end.from].up = c;
            m_buffers[c].fromHost = true;
        }
        if (end.to < nHosts)
        {
            m_hosts[end.to].down = c;
            m_buffers[c].host = end.to;
        }
    }
    Instant shortest = NEVER;
    for (Host& host : m_hosts)
    {
        host.buffers = config.buffers;
        shortest = std::min(shortest, m_buffers[host.down].delay);
    }
    m_late[static_cast<std::size_t>(Reach::CHARACTER)] = config.character;
    m_late[static_cast<std::size_t>(Reach::CABLE)] = config.character + shortest;
    if (config.corruption > 0)
    {
        m_errors->SetAttribute("Mean", DoubleValue(1 / config.corruption));
    }
    if (config.stallRate > 0)
    {
        m_stalls->SetAttribute("Mean", DoubleValue(1e12 / config.stallRate));
    }
}

std::string
Fabric::Check(const FabricConfig& config, double cable)
{
    if (config.go + 2 > config.stop)
    {
        return "GO has to be sent at least two characters below STOP: " +
               std::to_string(config.go) + " and " + std::to_string(config.stop) + " are not.";
    }
    // After STOP is sent, what is on the cable still comes, and what leaves until STOP has crossed
    // it, the character that begins just then included.
    const auto delay = std::llround(cable * static_cast<double>(config.perMetre));
    const int64_t way = 2 * delay / static_cast<int64_t>(config.character) + 1;
    if (config.stop + way > config.slack)
    {
        return "With a cable of " + std::to_string(std::llround(cable)) + " m, " +
               std::to_string(way) + " characters arrive after STOP is sent at a level of " +
               std::to_string(config.stop) + "; a slack buffer of " + std::to_string(config.slack) +
               " would overflow.";
    }
    if (config.fallThrough < config.character)
    {
        return "A switch cannot forward a head before its first character is there: FallThrough "
               "has to be at least the time of a character.";
    }
    return "";
}

void
Fabric::Inject(const Packet& packet, Instant now)
{
    m_now = now;
    uint32_t worm;
    if (m_freeWorms.empty())
    {
        worm = static_cast<uint32_t>(m_worms.size());
        m_worms.emplace_back();
    }
    else
    {
        worm = m_freeWorms.back();
        m_freeWorms.pop_back();
    }
    Worm& w = m_worms[worm];
    w = Worm();
    w.packet = packet;
    w.route = m_routes.Get(packet.from, packet.to).data();
    const ChannelId c = m_nChannels + packet.from;
    AddPiece(c, worm, packet.chars, 0, 0);
    Buffer& b = m_buffers[c];
    if (b.first == b.last)
    {
        BecomeFront(c);
        return;
    }
    const ChannelId down = m_hosts[packet.to].down;
    const Buffer& receiver = m_buffers[down];
    if (m_pieces[b.first].next == b.last && receiver.front == Front::WAITING &&
        m_pieces[receiver.first].worm == m_pieces[b.first].worm)
    {
        Follow(down);
    }
}

void
Fabric::Advance(Instant until)
{
    for (;;)
    {
        while (!m_waits.empty() &&
               (m_buffers[m_waits.front().buffer].front != Front::WAITING ||
                m_buffers[m_waits.front().buffer].blockCount != m_waits.front().count))
        {
            m_waits.pop_front();
        }
        const Instant wait = m_waits.empty() ? NEVER : m_waits.front().end;
        const Instant next = m_queue.GetNext();
        if (std::min(wait, next) > until)
        {
            break;
        }
        if (wait < next)
        {
            m_now = wait;
            const ChannelId c = m_waits.front().buffer;
            m_waits.pop_front();
            Discard(c, DropReason::NRES);
            continue;
        }
        m_now = next;
        ++m_events;
        Serve(m_queue.Pop());
    }
    m_now = std::max(m_now, until);
}

Instant
Fabric::GetNextWake() const
{
    return std::min(m_queue.GetDeadline(m_late), m_waits.empty() ? NEVER : m_waits.front().end);
}

void
Fabric::Serve(const Event& event)
{
    switch (event.GetKind())
    {
    case EventKind::ARRIVE:
        OnArrive(event.channel, event.datum);
        break;
    case EventKind::ARRIVE_END:
        OnArriveEnd(event.channel, event.datum);
        break;
    case EventKind::ROUTE:
        OnRoute(event.channel);
        break;
    case EventKind::OUT_START:
        if (m_buffers[event.channel].outCount == event.datum)
        {
            TryStart(event.channel);
            PlanCrossing(event.channel);
        }
        break;
    case EventKind::OUT_END:
        if (m_buffers[event.channel].outCount == event.datum)
        {
            OnOutEnd(event.channel);
        }
        break;
    case EventKind::CROSS:
        if (m_buffers[event.channel].crossCount == event.datum)
        {
            PlanCrossing(event.channel);
        }
        break;
    case EventKind::STOP:
        OnStop(event.channel);
        break;
    case EventKind::GO:
        OnGo(event.channel);
        break;
    case EventKind::FREE:
        OnFree(event.channel);
        break;
    case EventKind::AWAKE:
        OnAwake(event.channel);
        break;
    }
}

void
Fabric::OnFree(ChannelId c)
{
    Buffer& b = m_buffers[c];
    b.freeing = false;
    if (b.feeder != NO_CHANNEL || b.waiting == NO_CHANNEL)
    {
        return;
    }
    ChannelId chosen = b.waiting;
    if (m_config.arbitration == Arbitration::ROUND_ROBIN)
    {
        // The distance behind the one served last; unsigned numbers wrap round.
        const auto distance = [&b](ChannelId other) { return other - b.served - 1; };
        for (ChannelId other = b.waiting; other != NO_CHANNEL; other = m_buffers[other].waitNext)
        {
            chosen = distance(other) < distance(chosen) ? other : chosen;
        }
    }
    LeaveLine(chosen);
    Connect(chosen, c);
}

void
Fabric::OnRoute(ChannelId c)
{
    const Buffer& b = m_buffers[c];
    if (b.host != messaging::NO_PEER)
    {
        AskReceiver(c);
    }
    else
    {
        Ask(c, GetFirst(b).route[m_pieces[b.first].hop + 1]);
    }
}

void
Fabric::BecomeFront(ChannelId c)
{
    Buffer& b = m_buffers[c];
    b.front = Front::ROUTING;
    if (IsSource(c))
    {
        Ask(c, GetFirst(b).route[0]);
        return;
    }
    b.routeAt = m_now + (b.host != messaging::NO_PEER ? m_config.character : m_config.fallThrough);
    Place(b.routeAt, EventKind::ROUTE, c, 0);
}

void
Fabric::Ask(ChannelId c, ChannelId out)
{
    Buffer& b = m_buffers[c];
    Buffer& output = m_buffers[out];
    if (output.feeder == NO_CHANNEL && output.waiting == NO_CHANNEL && m_now >= output.freeAt)
    {
        Connect(c, out);
        return;
    }
    b.out = out;
    ChannelId* line = &output.waiting;
    while (*line != NO_CHANNEL)
    {
        line = &m_buffers[*line].waitNext;
    }
    *line = c;
    b.waitNext = NO_CHANNEL;
    Block(c);
    if (output.feeder == NO_CHANNEL && !output.freeing)
    {
        output.freeing = true;
        Place(output.freeAt, EventKind::FREE, out, 0);
    }
    if (output.host != messaging::NO_PEER && output.feeder != NO_CHANNEL &&
        output.front == Front::WAITING)
    {
        Follow(out);
    }
}

void
Fabric::Block(ChannelId c)
{
    Buffer& b = m_buffers[c];
    b.front = Front::WAITING;
    b.blockedSince = m_now;
    ++b.blockCount;
    if (IsSource(c))
    {
        return;
    }
    ++m_counters.blocks;
    if (m_config.timeout != NEVER)
    {
        m_waits.push_back(Wait{m_now + m_config.timeout, c, b.blockCount});
    }
    PlanCrossing(c);
}

void
Fabric::LeaveLine(ChannelId c)
{
    ChannelId* line = &m_buffers[m_buffers[c].out].waiting;
    while (*line != c)
    {
        line = &m_buffers[*line].waitNext;
    }
    *line = m_buffers[c].waitNext;
}

void
Fabric::Connect(ChannelId c, ChannelId out)
{
    Buffer& b = m_buffers[c];
    if (b.front == Front::WAITING)
    {
        m_use[c].blocked += m_now - b.blockedSince;
    }
    b.front = Front::CONNECTED;
    b.out = out;
    if (out != SINK)
    {
        m_buffers[out].feeder = c;
        m_buffers[out].served = c;
        if (!IsSource(c))
        {
            --b.level;
            --m_pieces[b.first].left;
        }
    }
    TryStart(c);
    PlanCrossing(c);
}

void
Fabric::EndPacket(ChannelId c)
{
    Buffer& b = m_buffers[c];
    const uint32_t worm = m_pieces[b.first].worm;
    if (IsSource(c))
    {
        m_notices.push_back(
            Notice{Notice::Kind::SENT, {}, NO_CHANNEL, m_now, m_worms[worm].packet});
    }
    RemovePiece(b);
    b.front = Front::EMPTY;
    if (b.out == SINK)
    {
        EndWorm(c, worm);
    }
    else
    {
        Buffer& output = m_buffers[b.out];
        output.feeder = NO_CHANNEL;
        // A GAP character parts it from the next packet.
        output.freeAt = m_now + m_config.character;
        if (output.waiting != NO_CHANNEL && !output.freeing)
        {
            output.freeing = true;
            Place(output.freeAt, EventKind::FREE, b.out, 0);
        }
    }
    b.out = NO_CHANNEL;
    if (b.first != NONE)
    {
        BecomeFront(c);
    }
}

void
Fabric::AddPiece(ChannelId c, uint32_t worm, uint32_t chars, uint32_t come, uint32_t hop)
{
    uint32_t piece;
    if (m_freePieces.empty())
    {
        piece = static_cast<uint32_t>(m_pieces.size());
        m_pieces.emplace_back();
    }
    else
    {
        piece = m_freePieces.back();
        m_freePieces.pop_back();
    }
    m_pieces[piece] =
        Piece{worm, NONE, static_cast<int32_t>(chars), static_cast<int32_t>(come), hop};
    Buffer& b = m_buffers[c];
    if (b.first == NONE)
    {
        b.first = piece;
    }
    else
    {
        m_pieces[b.last].next = piece;
    }
    b.last = piece;
}

void
Fabric::RemovePiece(Buffer& b)
{
    m_freePieces.push_back(b.first);
    b.first = m_pieces[b.first].next;
    if (b.first == NONE)
    {
        b.last = NONE;
    }
}

Instant
Fabric::GetIdleLatency(Peer from, Peer to, uint32_t chars) const
{
    const auto route = m_routes.Get(from, to);
    const auto switches = static_cast<Instant>(route.size() - 1);
    Instant latency = switches * m_config.fallThrough + m_config.character * (1 + chars - switches);
    for (const ChannelId c : route)
    {
        latency += m_buffers[c].delay;
    }
    return latency;
}

int64_t
Fabric::AssignStreams(int64_t stream)
{
    m_errors->SetStream(stream);
    m_crc->SetStream(stream + 1);
    m_overwrites->SetStream(stream + 2);
    m_stalls->SetStream(stream + 3);
    return 4;
}

} // namespace myrinet
} // namespace ns3
