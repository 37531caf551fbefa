/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup myrinet
 * The four sources of unreliability (section 2), receivers, and deadlock.
 */

#include "myrinet-fabric.h"

namespace ns3
{
namespace myrinet
{

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
        worm.packet.corrupt = true;
        ++m_counters.corrupted;
        ++m_use[c].errors;
        m_notices.push_back(Notice{Notice::Kind::CORRUPTED, {}, c, m_now, worm.packet});
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
        h.stallBegin = h.stallEnd + static_cast<Instant>(m_stalls->GetValue());
        h.stallEnd = h.stallBegin + m_config.stallLength;
    }
    return m_now >= h.stallBegin;
}

void
Fabric::AskReceiver(ChannelId c)
{
    Buffer& b = m_buffers[c];
    Host& host = m_hosts[b.host];
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
            Worm& worm = GetFirst(b);
            worm.doomed = true;
            worm.doom = DropReason::BUFFER;
            worm.doomedAt = m_now;
            ++m_use[c].drops;
        }
        Connect(c, SINK);
        return;
    }
    if (stalled && !host.waking)
    {
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
        AskReceiver(c);
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
        AskReceiver(down);
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
        AskReceiver(down);
    }
}

void
Fabric::Discard(ChannelId c, DropReason reason)
{
    Buffer& b = m_buffers[c];
    Worm& worm = GetFirst(b);
    worm.doomed = true;
    worm.doom = reason;
    worm.doomedAt = m_now;
    ++m_use[c].drops;
    if (reason == DropReason::NRES)
    {
        // The interface whose packet it is notices: the receiver if it has left the packet pending,
        // or else the sender, whose transmission is cut short.
        m_hosts[b.host != messaging::NO_PEER ? b.host : worm.packet.from].nres = true;
        ++m_counters.nresBits;
    }
    if (b.out != SINK)
    {
        LeaveLine(c);
    }
    Connect(c, SINK);
}

void
Fabric::Follow(ChannelId c)
{
    ++m_counters.pending;
    if (m_config.overwrite <= 0 || m_overwrites->GetValue() >= m_config.overwrite)
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
    uint32_t followers = m_pieces[b.first].next != NONE ? 1 : 0;
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
        Follow(c);
    }
}

void
Fabric::EndWorm(ChannelId c, uint32_t worm)
{
    Worm& w = m_worms[worm];
    Notice notice{Notice::Kind::DELIVERED, {}, c, m_now, w.packet};
    if (w.doomed)
    {
        notice.kind = Notice::Kind::DROPPED;
        notice.reason = w.doom;
        notice.when = w.doomedAt;
    }
    else if (w.packet.corrupt)
    {
        if (m_config.crcMiss > 0 && m_crc->GetValue() < m_config.crcMiss)
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
    const uint64_t bytes = w.packet.frame.payload + w.packet.frame.header;
    if (notice.kind == Notice::Kind::DROPPED)
    {
        ++m_counters.drops[static_cast<std::size_t>(notice.reason)];
    }
    else
    {
        ++m_counters.delivered;
        m_counters.charsDelivered += bytes;
    }
    m_freeWorms.push_back(worm);
    m_notices.push_back(notice);
}

ChannelId
Fabric::GetObstacle(ChannelId c) const
{
    const Buffer& b = m_buffers[c];
    if (b.out == SINK || b.out == NO_CHANNEL || b.outgoing || b.in)
    {
        return NO_CHANNEL;
    }
    // The output is held by a packet that cannot go on either: the buffer behind it has sent STOP,
    // and no GO is under way.
    const Buffer& output = m_buffers[b.out];
    const bool held = output.feeder != NO_CHANNEL && output.stopped && output.stopSent;
    return (b.front == Front::WAITING || b.front == Front::CONNECTED) && held ? b.out : NO_CHANNEL;
}

std::vector<ChannelId>
Fabric::FindDeadlock() const
{
    // Each channel waits for one other at most: follow them until one comes again.
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

} // namespace myrinet
} // namespace ns3
