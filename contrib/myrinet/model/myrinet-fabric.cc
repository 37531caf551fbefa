/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "myrinet-fabric.h"

#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/messaging-rounding.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ns3
{
namespace myrinet
{

NS_LOG_COMPONENT_DEFINE("MyrinetFabric");

namespace
{

/** Fastest link, on which a character takes 8 ps [bit/s]. */
constexpr uint64_t FASTEST_LINK = 1'000'000'000'000;

/** Shortest NRES timeout of the hardware, code 0 of its register (footnote 1) [ps]. */
constexpr Instant LEAST_TIMEOUT = 62'500'000'000;

/** @param time a time @return the time [ps] */
Instant
ToInstant(Time time)
{
    return static_cast<Instant>(time.GetPicoSeconds());
}

/** @param cable length of a cable [m] @return its delay [ps] */
Instant
GetDelay(double cable)
{
    return static_cast<Instant>(std::llround(cable * static_cast<double>(CABLE_DELAY)));
}

} // namespace

Fabric::Fabric(const Topology& topology, const Routes& routes, const FabricConfig& config)
    : m_routes(routes),
      m_config(config),
      m_character(config.GetCharacter()),
      m_fallThrough(ToInstant(config.fallThrough)),
      m_timeout(ToInstant(config.timeout)),
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
        m_buffers[c].delay = GetDelay(end.cable);
        if (end.from < nHosts)
        {
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
    m_late[static_cast<std::size_t>(Reach::CHARACTER)] = m_character;
    m_late[static_cast<std::size_t>(Reach::CABLE)] = m_character + shortest;
    constexpr double LARGEST =
        std::numeric_limits<double>::max(); // The reciprocal may be infinite.
    if (config.corruption > 0)
    {
        m_errors->SetAttribute("Mean", DoubleValue(std::min(1 / config.corruption, LARGEST)));
    }
    if (config.stallRate > 0)
    {
        m_stalls->SetAttribute("Mean", DoubleValue(std::min(PS_PER_S / config.stallRate, LARGEST)));
    }
}

std::string
Fabric::Check(const FabricConfig& config, double cable)
{
    const uint64_t rate = config.linkRate.GetBitRate();
    if (rate == 0 || rate > FASTEST_LINK)
    {
        return "LinkRate has to be larger than zero and at most 1 Tb/s.";
    }
    if (!config.timeout.IsZero() && ToInstant(config.timeout) < LEAST_TIMEOUT)
    {
        return "Timeout has to be 0 for no limit, or 62.5 ms to 4 s.";
    }
    if (config.go + 2 > config.stop)
    {
        return "GO has to be sent at least two characters below STOP: " +
               std::to_string(config.go) + " and " + std::to_string(config.stop) + " are not.";
    }
    // After STOP is sent, the buffer still receives the characters on the cable and those that
    // leave until STOP has crossed it, including one that begins at that moment.
    const Instant arriving = 2 * GetDelay(cable) / config.GetCharacter() + 1;
    if (config.stop + arriving > config.slack)
    {
        return "With a cable of " + std::to_string(std::llround(cable)) + " m, " +
               std::to_string(arriving) + " characters arrive after STOP is sent at a level of " +
               std::to_string(config.stop) + "; a slack buffer of " + std::to_string(config.slack) +
               " would overflow.";
    }
    if (ToInstant(config.fallThrough) < config.GetCharacter())
    {
        return "A switch cannot forward a head before its first character arrives: FallThrough "
               "has to be at least the time of a character.";
    }
    return "";
}

void
Fabric::Inject(const Packet& packet, Instant now)
{
    m_now = now;
    NS_LOG_LOGIC("Host " << packet.from << " begins a packet of " << packet.chars
                         << " characters to " << packet.to);
    const uint32_t worm = m_worms.Put(Worm{packet, m_routes.Get(packet.from, packet.to).data()});
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
        OnFollower(down);
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
        // Distance from the buffer served last; unsigned numbers wrap.
        const auto distance = [&b](ChannelId other) { return other - b.served - 1; };
        for (ChannelId other = b.waiting; other != NO_CHANNEL; other = m_buffers[other].waitNext)
        {
            if (distance(other) < distance(chosen))
            {
                chosen = other;
            }
        }
    }
    LeaveQueue(chosen);
    Connect(chosen, c);
}

void
Fabric::OnRoute(ChannelId c)
{
    const Buffer& b = m_buffers[c];
    if (b.host != messaging::NO_PEER)
    {
        RequestReceiver(c);
    }
    else
    {
        Request(c, GetFirst(b).route[m_pieces[b.first].hop + 1]);
    }
}

void
Fabric::BecomeFront(ChannelId c)
{
    Buffer& b = m_buffers[c];
    b.front = Front::ROUTING;
    if (IsSource(c))
    {
        Request(c, GetFirst(b).route[0]);
        return;
    }
    b.routeAt = m_now + (b.host != messaging::NO_PEER ? m_character : m_fallThrough);
    Place(b.routeAt, EventKind::ROUTE, c, 0);
}

void
Fabric::Request(ChannelId c, ChannelId out)
{
    Buffer& b = m_buffers[c];
    Buffer& output = m_buffers[out];
    if (output.feeder == NO_CHANNEL && output.waiting == NO_CHANNEL && m_now >= output.freeAt)
    {
        Connect(c, out);
        return;
    }
    b.out = out;
    ChannelId* next = &output.waiting;
    while (*next != NO_CHANNEL)
    {
        next = &m_buffers[*next].waitNext;
    }
    *next = c;
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
        OnFollower(out);
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
    NS_LOG_LOGIC("A packet to " << GetFirst(b).packet.to << " waits at the end of channel " << c);
    ++m_counters.blocks;
    if (m_timeout > 0)
    {
        m_waits.push_back(Wait{m_now + m_timeout, c, b.blockCount});
    }
    PlanCrossing(c);
}

void
Fabric::LeaveQueue(ChannelId c)
{
    ChannelId* next = &m_buffers[m_buffers[c].out].waiting;
    while (*next != c)
    {
        next = &m_buffers[*next].waitNext;
    }
    *next = m_buffers[c].waitNext;
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
        // A GAP character separates the packet from the next.
        output.freeAt = m_now + m_character;
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
Fabric::AddPiece(ChannelId c, uint32_t worm, uint32_t chars, uint32_t missing, uint32_t hop)
{
    const uint32_t piece = m_pieces.Put(
        Piece{worm, NONE, static_cast<int32_t>(chars), static_cast<int32_t>(missing), hop});
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
    b.first = m_pieces.Take(b.first).next;
    if (b.first == NONE)
    {
        b.last = NONE;
    }
}

void
Fabric::OnArrive(ChannelId c, uint32_t worm)
{
    Buffer& b = m_buffers[c];
    b.in = true;
    b.inStart = m_now;
    if (b.last == NONE || m_pieces[b.last].worm != worm)
    {
        Worm& w = m_worms[worm];
        NS_LOG_LOGIC("The head of a packet from " << w.packet.from << " to " << w.packet.to
                                                  << " enters channel " << c);
        const uint32_t hop = w.packet.hops++;
        // Each switch before this hop has removed a route byte.
        const uint32_t chars = w.packet.chars - hop;
        ++m_counters.hops;
        ++m_use[c].packets;
        if (m_config.corruption > 0)
        {
            Corrupt(c, w, chars);
        }
        AddPiece(c, worm, chars, chars, hop);
        if (b.first == b.last)
        {
            BecomeFront(c);
        }
        else if (b.host != messaging::NO_PEER && b.front == Front::WAITING)
        {
            OnFollower(c);
        }
    }
    else if (b.first == b.last && b.front == Front::CONNECTED)
    {
        if (!b.outgoing)
        {
            TryStart(c);
        }
        else if (!(b.out != SINK && m_buffers[b.out].stopped) &&
                 b.inStart + m_character <=
                     b.outStart + b.planned * static_cast<Instant>(m_character))
        {
            // This run arrives before the planned end of the run out, which therefore continues.
            b.planned = 0;
            ++b.outCount;
        }
    }
    PlanCrossing(c);
}

void
Fabric::OnArriveEnd(ChannelId c, uint32_t chars)
{
    Buffer& b = m_buffers[c];
    b.in = false;
    b.level += static_cast<int32_t>(chars);
    m_pieces[b.last].missing -= static_cast<int32_t>(chars);
    if (b.outgoing && b.first == b.last)
    {
        PlanOutEnd(c);
    }
    if (b.front == Front::WAITING && WithholdsStop(b))
    {
        OverwriteOldest(c);
    }
    PlanCrossing(c);
}

void
Fabric::OnOutEnd(ChannelId c)
{
    Buffer& b = m_buffers[c];
    b.outgoing = false;
    if (!IsSource(c))
    {
        b.level -= b.planned;
    }
    Piece& piece = m_pieces[b.first];
    piece.left -= b.planned;
    if (b.out != SINK)
    {
        m_use[b.out].chars += static_cast<uint64_t>(b.planned);
        Place(m_now + m_buffers[b.out].delay,
              EventKind::ARRIVE_END,
              b.out,
              static_cast<uint32_t>(b.planned));
    }
    b.planned = 0;
    if (piece.left == 0)
    {
        EndPacket(c);
    }
    else
    {
        TryStart(c);
    }
    PlanCrossing(c);
}

void
Fabric::OnStop(ChannelId c)
{
    Buffer& b = m_buffers[c];
    b.stopped = true;
    if (b.feeder == NO_CHANNEL || !m_buffers[b.feeder].outgoing)
    {
        return;
    }
    Buffer& feeder = m_buffers[b.feeder];
    const Instant elapsed = m_now - feeder.outStart;
    const auto chars =
        static_cast<int32_t>(std::max<Instant>(1, (elapsed + m_character - 1) / m_character));
    if (feeder.planned == 0 || chars < feeder.planned)
    {
        feeder.planned = chars;
        Place(feeder.outStart + static_cast<Instant>(chars) * m_character,
              EventKind::OUT_END,
              b.feeder,
              ++feeder.outCount);
    }
}

void
Fabric::OnGo(ChannelId c)
{
    Buffer& b = m_buffers[c];
    b.stopped = false;
    if (b.feeder != NO_CHANNEL)
    {
        TryStart(b.feeder);
        PlanCrossing(b.feeder);
    }
}

void
Fabric::TryStart(ChannelId c)
{
    Buffer& b = m_buffers[c];
    if (b.outgoing || b.front != Front::CONNECTED || (b.out != SINK && m_buffers[b.out].stopped))
    {
        return;
    }
    const Piece& piece = m_pieces[b.first];
    const bool entering = b.in && b.first == b.last;
    int32_t available = piece.left - piece.missing;
    if (entering)
    {
        available += static_cast<int32_t>((m_now - b.inStart) / m_character);
    }
    if (available <= 0)
    {
        if (entering)
        {
            Place(m_now + m_character - (m_now - b.inStart) % m_character,
                  EventKind::OUT_START,
                  c,
                  ++b.outCount);
        }
        return;
    }
    b.outgoing = true;
    b.outStart = m_now;
    b.planned = 0;
    ++b.outCount;
    if (b.out != SINK)
    {
        Place(m_now + m_buffers[b.out].delay, EventKind::ARRIVE, b.out, piece.worm);
    }
    PlanOutEnd(c);
}

void
Fabric::PlanOutEnd(ChannelId c)
{
    Buffer& b = m_buffers[c];
    if ((b.in && b.first == b.last) || (b.planned > 0 && b.out != SINK && m_buffers[b.out].stopped))
    {
        return;
    }
    const Piece& piece = m_pieces[b.first];
    b.planned = piece.left - piece.missing;
    Place(b.outStart + static_cast<Instant>(b.planned) * m_character,
          EventKind::OUT_END,
          c,
          ++b.outCount);
}

int32_t
Fabric::CountArrived(const Buffer& b) const
{
    return b.in ? static_cast<int32_t>((m_now - b.inStart) / m_character) : 0;
}

int32_t
Fabric::CountDeparted(const Buffer& b) const
{
    if (!b.outgoing)
    {
        return 0;
    }
    const auto begun = static_cast<int32_t>((m_now - b.outStart) / m_character) + 1;
    return b.planned > 0 ? std::min(begun, b.planned) : begun;
}

void
Fabric::SendFlowControl(ChannelId c, int32_t level)
{
    Buffer& b = m_buffers[c];
    if (!b.stopSent && level >= static_cast<int32_t>(m_config.stop) && !WithholdsStop(b))
    {
        NS_LOG_LOGIC("Channel " << c << " sends STOP: " << level << " characters in its buffer");
        b.stopSent = true;
        ++m_counters.stops;
        ++m_use[c].stops;
        Place(m_now + b.delay, EventKind::STOP, c, 0);
    }
    else if (b.stopSent && level <= static_cast<int32_t>(m_config.go))
    {
        NS_LOG_LOGIC("Channel " << c << " sends GO: " << level << " characters in its buffer");
        b.stopSent = false;
        ++m_counters.gos;
        Place(m_now + b.delay, EventKind::GO, c, 0);
    }
}

// While characters arrive and leave at once, the level changes by at most one until the next step
// of the other kind, and does not exceed its value before the first of them left.

Instant
Fabric::FindStop(const Buffer& b, int32_t level) const
{
    if (!b.in || b.outgoing || WithholdsStop(b))
    {
        return NEVER;
    }
    const int32_t need = static_cast<int32_t>(m_config.stop) - level;
    const Instant when = b.inStart + static_cast<Instant>(CountArrived(b) + need) * m_character;
    // The route is known before that time, and determines the next crossing.
    const bool routed = b.front == Front::ROUTING && when >= b.routeAt;
    return routed ? NEVER : when;
}

Instant
Fabric::FindGo(const Buffer& b, int32_t level) const
{
    const int32_t need = level - static_cast<int32_t>(m_config.go);
    const int32_t departed = CountDeparted(b);
    const bool lasts = b.planned == 0 || departed + need <= b.planned;
    if (!b.outgoing || !lasts)
    {
        return NEVER;
    }
    const Instant nextOut = b.outStart + static_cast<Instant>(departed) * m_character;
    if (b.in)
    {
        const Instant nextIn = b.inStart + static_cast<Instant>(CountArrived(b) + 1) * m_character;
        if (need != 1 || nextOut >= nextIn)
        {
            return NEVER;
        }
    }
    return nextOut + static_cast<Instant>(need - 1) * m_character;
}

void
Fabric::PlanCrossing(ChannelId c)
{
    if (IsSource(c))
    {
        return;
    }
    Buffer& b = m_buffers[c];
    ++b.crossCount;
    const int32_t level = b.level + CountArrived(b) - CountDeparted(b);
    // Characters beyond the slack overwrite others.
    const int32_t held = std::min(level, static_cast<int32_t>(m_config.slack));
    if (held > static_cast<int32_t>(m_use[c].fullest))
    {
        m_use[c].fullest = static_cast<uint32_t>(held);
    }
    SendFlowControl(c, level);
    const Instant when = b.stopSent ? FindGo(b, level) : FindStop(b, level);
    if (when != NEVER)
    {
        Place(when, EventKind::CROSS, c, b.crossCount);
    }
}

void
Fabric::Corrupt(ChannelId c, Worm& worm, uint32_t chars)
{
    if (m_untilError < 0)
    {
        m_untilError = m_errors->GetValue();
    }
    m_untilError -= chars;
    if (m_untilError < 0)
    {
        NS_LOG_INFO("Channel " << c << " corrupts a packet to " << worm.packet.to);
        worm.packet.corrupt = true;
        ++m_counters.corrupted;
        ++m_use[c].errors;
    }
}

bool
Fabric::IsStalled(Peer host)
{
    if (m_config.stallRate <= 0)
    {
        return false;
    }
    Host& h = m_hosts[host];
    while (h.stallEnd <= m_now)
    {
        h.stallBegin = h.stallEnd + messaging::RoundTicks(m_stalls->GetValue());
        h.stallEnd = h.stallBegin + ToInstant(m_config.stallLength);
    }
    return m_now >= h.stallBegin;
}

void
Fabric::RequestReceiver(ChannelId c)
{
    Buffer& b = m_buffers[c];
    Host& host = m_hosts[b.host];
    if (WithholdsStop(b))
    {
        OverwriteOldest(c);
        if (b.front == Front::CONNECTED)
        {
            return;
        }
    }
    const bool stalled = IsStalled(b.host);
    if (host.accepting && !stalled &&
        (host.buffers > 0 || m_config.receiveFull == ReceiveFull::DROP))
    {
        if (host.buffers > 0)
        {
            --host.buffers;
        }
        else
        {
            MarkLost(c, GetFirst(b), DropReason::BUFFER);
        }
        Connect(c, SINK);
        return;
    }
    if (stalled && !host.waking)
    {
        NS_LOG_INFO("Host " << b.host << " stalls, and leaves a packet pending");
        host.waking = true;
        Place(host.stallEnd, EventKind::AWAKE, c, 0);
    }
    if (b.front != Front::WAITING)
    {
        b.out = SINK;
        Block(c);
        FindFollowers(c);
    }
}

void
Fabric::OnAwake(ChannelId c)
{
    m_hosts[m_buffers[c].host].waking = false;
    if (m_buffers[c].front == Front::WAITING)
    {
        RequestReceiver(c);
    }
}

void
Fabric::Release(Peer host, Instant now)
{
    m_now = now;
    ++m_hosts[host].buffers;
    const ChannelId down = m_hosts[host].down;
    if (m_buffers[down].front == Front::WAITING)
    {
        RequestReceiver(down);
    }
}

void
Fabric::SetAccepting(Peer host, bool accepting, Instant now)
{
    m_now = now;
    m_hosts[host].accepting = accepting;
    const ChannelId down = m_hosts[host].down;
    if (m_buffers[down].front == Front::WAITING)
    {
        RequestReceiver(down);
    }
}

void
Fabric::MarkLost(ChannelId c, Worm& worm, DropReason reason)
{
    NS_LOG_INFO("A packet from " << worm.packet.from << " to " << worm.packet.to
                                 << " is lost at the end of channel " << c << ": " << reason);
    worm.lost = true;
    worm.reason = reason;
    worm.lostAt = m_now;
    ++m_use[c].drops;
}

void
Fabric::Discard(ChannelId c, DropReason reason)
{
    Buffer& b = m_buffers[c];
    MarkLost(c, GetFirst(b), reason);
    if (reason == DropReason::NRES)
    {
        // The bit is set at the receiver if it has left the packet pending, else at the sender,
        // whose transmission is cut short.
        const bool pending = b.host != messaging::NO_PEER;
        m_hosts[pending ? b.host : GetFirst(b).packet.from].nres = true;
        ++m_counters.nresBits;
    }
    if (b.out != SINK)
    {
        LeaveQueue(c);
    }
    Connect(c, SINK);
}

void
Fabric::OnFollower(ChannelId c)
{
    ++m_counters.pending;
    if (m_overwrites->GetValue() >= m_config.overwrite)
    {
        return;
    }
    if (m_config.overwriteDamage > 0 && m_overwrites->GetValue() < m_config.overwriteDamage)
    {
        GetFirst(m_buffers[c]).packet.corrupt = true;
        ++m_counters.damaged;
        return;
    }
    Discard(c, DropReason::OVERWRITE);
}

void
Fabric::FindFollowers(ChannelId c)
{
    const Buffer& b = m_buffers[c];
    const Peer source = GetFirst(b).packet.from;
    const Buffer& sender = m_buffers[m_nChannels + source];
    uint32_t followers = 0;
    if (m_pieces[b.first].next != NONE)
    {
        ++followers;
    }
    for (ChannelId other = b.waiting; other != NO_CHANNEL; other = m_buffers[other].waitNext)
    {
        ++followers;
    }
    if (sender.first != NONE && m_pieces[sender.first].worm == m_pieces[b.first].worm &&
        m_pieces[sender.first].next != NONE &&
        m_worms[m_pieces[m_pieces[sender.first].next].worm].packet.to == b.host)
    {
        ++followers;
    }
    for (; followers > 0 && b.front == Front::WAITING; --followers)
    {
        OnFollower(c);
    }
}

int32_t
Fabric::CountPresent(const Buffer& b, const Piece& piece) const
{
    const bool arriving = b.in && &piece == &m_pieces[b.last];
    return piece.left - piece.missing + (arriving ? CountArrived(b) : 0);
}

void
Fabric::OverwriteOldest(ChannelId c)
{
    Buffer& b = m_buffers[c];
    int32_t excess = -static_cast<int32_t>(m_config.slack);
    for (uint32_t at = b.first; at != NONE; at = m_pieces[at].next)
    {
        if (!m_worms[m_pieces[at].worm].lost)
        {
            excess += CountPresent(b, m_pieces[at]);
        }
    }
    for (uint32_t at = b.first; at != NONE && excess > 0; at = m_pieces[at].next)
    {
        Piece& piece = m_pieces[at];
        Worm& worm = m_worms[piece.worm];
        if (worm.lost)
        {
            continue;
        }
        const int32_t present = CountPresent(b, piece);
        if (present <= excess)
        {
            MarkLost(c, worm, DropReason::OVERWRITE);
            // It no longer counts as damaged.
            m_counters.damaged -= worm.shortened ? 1 : 0;
        }
        else
        {
            NS_LOG_INFO("A packet from " << worm.packet.from << " to " << worm.packet.to
                                         << " loses " << excess
                                         << " characters at the end of channel " << c);
            m_counters.damaged += worm.shortened ? 0 : 1;
            worm.shortened = true;
            worm.packet.corrupt = true;
            piece.left -= excess;
            b.level -= excess;
        }
        excess -= std::min(excess, present);
    }
    if (GetFirst(b).lost)
    {
        Connect(c, SINK);
    }
}

void
Fabric::EndWorm(ChannelId c, uint32_t worm)
{
    Worm& w = m_worms[worm];
    Notice notice{Notice::Kind::DELIVERED, {}, c, m_now, w.packet};
    if (w.lost)
    {
        notice.kind = Notice::Kind::DROPPED;
        notice.reason = w.reason;
        notice.when = w.lostAt;
    }
    else if (w.packet.corrupt)
    {
        if (m_crc->GetValue() < m_config.crcMiss)
        {
            ++m_counters.undetected;
        }
        else
        {
            notice.kind = Notice::Kind::DROPPED;
            notice.reason = DropReason::CRC;
            ++m_use[c].drops;
            ++m_hosts[w.packet.to].buffers;
        }
    }
    if (notice.kind == Notice::Kind::DROPPED)
    {
        ++m_counters.drops[static_cast<std::size_t>(notice.reason)];
    }
    else
    {
        ++m_counters.delivered;
    }
    m_worms.Free(worm);
    m_notices.push_back(notice);
}

ChannelId
Fabric::GetObstacle(ChannelId c) const
{
    const Buffer& b = m_buffers[c];
    const bool needsOutput = b.front == Front::WAITING || b.front == Front::CONNECTED;
    if (!needsOutput || b.out == SINK || b.out == NO_CHANNEL || b.outgoing || b.in)
    {
        return NO_CHANNEL;
    }
    // The packet that holds the output cannot move either: the buffer behind it has sent STOP,
    // and no GO is in flight.
    const Buffer& output = m_buffers[b.out];
    const bool held = output.feeder != NO_CHANNEL && output.stopped && output.stopSent;
    return held ? b.out : NO_CHANNEL;
}

std::vector<ChannelId>
Fabric::FindDeadlock() const
{
    // Each channel waits for at most one other: follow them until one recurs.
    std::vector<uint32_t> seen(m_nChannels, NONE);
    for (ChannelId start = 0; start < m_nChannels; ++start)
    {
        ChannelId c = start;
        while (c != NO_CHANNEL && seen[c] == NONE)
        {
            seen[c] = start;
            c = GetObstacle(c);
        }
        if (c != NO_CHANNEL && seen[c] == start)
        {
            std::vector<ChannelId> ring;
            for (ChannelId at = c; ring.empty() || at != c; at = GetObstacle(at))
            {
                ring.push_back(at);
            }
            return ring;
        }
    }
    return {};
}

Instant
Fabric::GetIdleLatency(Peer from, Peer to, uint32_t chars) const
{
    const auto route = m_routes.Get(from, to);
    const auto switches = static_cast<Instant>(route.size() - 1);
    Instant latency = switches * m_fallThrough + m_character * (1 + chars - switches);
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
