/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup myrinet
 * Runs of characters, and STOP and GO.
 */

#include "myrinet-fabric.h"

#include <algorithm>

namespace ns3
{
namespace myrinet
{

void
Fabric::OnArrive(ChannelId c, uint32_t worm)
{
    Buffer& b = m_buffers[c];
    b.in = true;
    b.inStart = m_now;
    if (b.last == NONE || m_pieces[b.last].worm != worm)
    {
        Worm& w = m_worms[worm];
        const uint32_t hop = w.packet.hops++;
        // A switch has taken a route byte on each hop before this one.
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
            Follow(c);
        }
    }
    else if (b.first == b.last && b.front == Front::CONNECTED)
    {
        if (!b.outgoing)
        {
            TryStart(c);
        }
        else if (b.planned > 0 && !(b.out != SINK && m_buffers[b.out].stopped) &&
                 b.inStart + m_config.character <=
                     b.outStart + b.planned * static_cast<Instant>(m_config.character))
        {
            // What comes now arrives before the buffer has run empty: the run goes on.
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
    m_pieces[b.last].come -= static_cast<int32_t>(chars);
    if (b.outgoing && b.first == b.last)
    {
        PlanOutEnd(c);
    }
    PlanCrossing(c);
}

void
Fabric::OnOutEnd(ChannelId c)
{
    Buffer& b = m_buffers[c];
    b.outgoing = false;
    // A send engine has no level.
    b.level -= IsSource(c) ? 0 : b.planned;
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
    const auto chars = static_cast<int32_t>(
        std::max<Instant>(1, (elapsed + m_config.character - 1) / m_config.character));
    if (feeder.planned == 0 || chars < feeder.planned)
    {
        feeder.planned = chars;
        Place(feeder.outStart + static_cast<Instant>(chars) * m_config.character,
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
    int32_t there = piece.left - piece.come;
    if (entering)
    {
        there += static_cast<int32_t>((m_now - b.inStart) / m_config.character);
    }
    if (there <= 0)
    {
        if (entering)
        {
            Place(m_now + m_config.character - (m_now - b.inStart) % m_config.character,
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
    b.planned = piece.left - piece.come;
    Place(b.outStart + static_cast<Instant>(b.planned) * m_config.character,
          EventKind::OUT_END,
          c,
          ++b.outCount);
}

void
Fabric::PlanCrossing(ChannelId c)
{
    if (IsSource(c))
    {
        return;
    }
    Buffer& b = m_buffers[c];
    const Instant character = m_config.character;
    ++b.crossCount;
    const auto came = b.in ? static_cast<int32_t>((m_now - b.inStart) / character) : 0;
    int32_t went = 0;
    if (b.outgoing)
    {
        // A character that has begun to leave is gone.
        went = static_cast<int32_t>((m_now - b.outStart) / character) + 1;
        went = b.planned > 0 ? std::min(went, b.planned) : went;
    }
    const int32_t level = b.level + came - went;
    if (level > static_cast<int32_t>(m_use[c].fullest))
    {
        m_use[c].fullest = static_cast<uint32_t>(level);
    }
    if (!b.stopSent && level >= static_cast<int32_t>(m_config.stop))
    {
        b.stopSent = true;
        ++m_counters.stops;
        ++m_use[c].stops;
        Place(m_now + b.delay, EventKind::STOP, c, 0);
    }
    else if (b.stopSent && level <= static_cast<int32_t>(m_config.go))
    {
        b.stopSent = false;
        ++m_counters.gos;
        Place(m_now + b.delay, EventKind::GO, c, 0);
    }
    // While characters come and go at once the level moves by one at most, and only until the next
    // step of the other kind.
    const Instant nextIn = b.in ? b.inStart + static_cast<Instant>(came + 1) * character : NEVER;
    const Instant nextOut =
        b.outgoing ? b.outStart + static_cast<Instant>(went) * character : NEVER;
    Instant when = NEVER;
    if (!b.stopSent)
    {
        const int32_t need = static_cast<int32_t>(m_config.stop) - level;
        if (b.in && (!b.outgoing || (need == 1 && nextIn < nextOut)))
        {
            when = nextIn + static_cast<Instant>(need - 1) * character;
            // What happens when the route is known decides.
            when = b.front == Front::ROUTING && when >= b.routeAt ? NEVER : when;
        }
    }
    else
    {
        const int32_t need = level - static_cast<int32_t>(m_config.go);
        const bool lasts = b.planned == 0 || went + need <= b.planned;
        if (b.outgoing && lasts && (!b.in || (need == 1 && nextOut < nextIn)))
        {
            when = nextOut + static_cast<Instant>(need - 1) * character;
        }
    }
    if (when != NEVER)
    {
        Place(when, EventKind::CROSS, c, b.crossCount);
    }
}

} // namespace myrinet
} // namespace ns3
