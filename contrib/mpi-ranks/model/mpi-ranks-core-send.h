/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MPI_RANKS_CORE_SEND_H
#define MPI_RANKS_CORE_SEND_H

#include "mpi-ranks-core.h"

#include <algorithm>

/**
 * @file
 * @ingroup mpi-ranks
 * RankCore: requests, credits and window, acknowledgements and retransmission. Included by
 * mpi-ranks-core.h.
 */

namespace ns3
{
namespace ranks
{

template <class S>
Acceptance
RankCore::OnRequest(const Request& request, S& out)
{
    return request.flags & RECEIVE ? PostReceive(request, out) : PostSend(request, out);
}

template <class S>
Acceptance
RankCore::PostReceive(const Request& request, S& out)
{
    if (!m_config->matching || (request.to != ANY_SOURCE && request.to >= m_slots.size()))
    {
        return Acceptance::REFUSED;
    }
    Envelope envelope;
    if (m_unexpected.Take(request.to, request.tag, envelope))
    {
        Meet(envelope, request.id, out);
    }
    else
    {
        m_posted.Add({.delivery = {.id = request.id, .from = request.to, .tag = request.tag}});
    }
    return Acceptance::ACCEPTED;
}

template <class S>
Acceptance
RankCore::PostSend(const Request& request, S& out)
{
    if (request.to >= m_slots.size() || (m_config->matching && request.tag == ANY_TAG))
    {
        return Acceptance::REFUSED;
    }
    if (!CanAccept())
    {
        return Acceptance::STALLED;
    }
    const uint32_t slot = Open(request.to);
    if (m_connections[slot].flags & LOST)
    {
        return Acceptance::REFUSED;
    }
    ++m_counters.sent;
    if (request.bytes < m_config->eagerLimit)
    {
        const uint32_t place = Allocate();
        QueueEntry& entry = m_entries[place];
        entry.frame = {.contents = request.contents,
                       .source = m_self,
                       .payload = request.bytes,
                       .aux = request.tag,
                       .header = EAGER_HEADER,
                       .kind = static_cast<uint8_t>(FrameKind::EAGER),
                       .flags = FIRST};
        if (!m_config->matching)
        {
            entry.request = request.id;
            entry.report = m_config->reliability ? Report::ACKED : Report::LEFT;
        }
        Append(slot, place);
    }
    else
    {
        const uint32_t place = m_departures.Allocate();
        Departure& departure = m_departures[place];
        departure.request = request;
        // The length is a field of the header, and stands where other frames have their contents.
        Queue(slot,
              {.contents = request.bytes | uint64_t{m_departures.GetNumber(place)} << 32,
               .aux = request.tag,
               .header = RTS_HEADER,
               .kind = static_cast<uint8_t>(FrameKind::RTS)});
    }
    Pump(slot, out);
    const Connection& connection = m_connections[slot];
    if (connection.backlogHead != NONE && !HasCredit(connection))
    {
        Note(Event::OUT_OF_CREDITS, out);
    }
    if (connection.backlog > m_config->backlogThreshold &&
        connection.receiveNext != connection.receiveAcked)
    {
        SendAck(slot, FrameKind::CREDIT, out);
    }
    if (m_config->matching && request.bytes < m_config->eagerLimit)
    {
        // The message lies in the library's own buffer, whatever becomes of it.
        out.Complete(request.id, Completion::SENT);
    }
    return Acceptance::ACCEPTED;
}

template <class S>
void
RankCore::Pump(uint32_t slot, S& out)
{
    while (m_connections[slot].backlogHead != NONE)
    {
        const uint32_t place = m_connections[slot].backlogHead;
        if (static_cast<FrameKind>(m_entries[place].frame.kind) == FrameKind::RDMA_DATA)
        {
            if (!out.Send(m_connections[slot].peer, m_entries[place].frame))
            {
                return;
            }
            Release(PopBacklog(slot));
        }
        else if (!HasCredit(m_connections[slot]) || !SendSegment(slot, out))
        {
            return;
        }
    }
}

template <class S>
bool
RankCore::SendSegment(uint32_t slot, S& out)
{
    Connection& connection = m_connections[slot];
    uint32_t place = connection.backlogHead;
    Frame frame = m_entries[place].frame;
    frame.id = GetHeader(connection, connection.sendNext);
    if (m_config->traits.mtu != 0)
    {
        frame.payload = std::min(frame.payload, m_config->traits.mtu - frame.header);
    }
    const uint32_t left = m_entries[place].frame.payload - frame.payload;
    frame.flags |= left == 0 ? LAST : 0;
    if (!out.Send(connection.peer, frame))
    {
        return false;
    }
    ++connection.sendNext;
    connection.receiveAcked = connection.receiveNext;
    const Report report = m_entries[place].report;
    const RequestId request = m_entries[place].request;
    if (left == 0)
    {
        PopBacklog(slot);
    }
    else
    {
        Frame& rest = m_entries[place].frame;
        rest.payload = left;
        rest.flags &= static_cast<uint8_t>(~FIRST);
        if (static_cast<FrameKind>(rest.kind) == FrameKind::EAGER)
        {
            rest.header = SEGMENT_HEADER;
            rest.aux = 0;
        }
    }
    if (m_config->reliability)
    {
        place = left == 0 ? place : Allocate();
        QueueEntry& entry = m_entries[place];
        entry.frame = frame;
        entry.request = request;
        entry.report = left == 0 ? report : Report::NOTHING;
        entry.charge = m_config->GetCharge(frame.header + frame.payload);
        AppendUnacked(slot, place);
        ArmTimer(out);
    }
    else if (left == 0)
    {
        Release(place);
    }
    if (left == 0 && report == Report::LEFT)
    {
        out.Complete(request, Completion::SENT);
    }
    if (frame.flags & SIGNALED && !m_config->localCompletions)
    {
        OnSent(frame, out);
    }
    return true;
}

template <class S>
bool
RankCore::SendAck(uint32_t slot, FrameKind kind, S& out)
{
    Connection& connection = m_connections[slot];
    const Frame frame{.id = GetHeader(connection, 0),
                      .source = m_self,
                      .header = SEGMENT_HEADER,
                      .kind = static_cast<uint8_t>(kind)};
    if (!out.Send(connection.peer, frame))
    {
        return false;
    }
    connection.receiveAcked = connection.receiveNext;
    Note(kind == FrameKind::ACK ? Event::RELIABILITY_ACK : Event::FLOW_ACK, out);
    return true;
}

template <class S>
void
RankCore::ReturnCredits(uint32_t slot, S& out)
{
    const Connection& connection = m_connections[slot];
    if (static_cast<uint16_t>(connection.receiveNext - connection.receiveAcked) >
        m_config->creditThreshold)
    {
        SendAck(slot, FrameKind::CREDIT, out);
    }
}

template <class S>
void
RankCore::Sweep(S& out)
{
    m_sinceSweep = 0;
    std::size_t kept = 0;
    for (const uint32_t slot : m_owed)
    {
        Connection& connection = m_connections[slot];
        if (connection.receiveNext != connection.receiveAcked &&
            !SendAck(slot, FrameKind::ACK, out))
        {
            m_owed[kept++] = slot;
            continue;
        }
        connection.flags &= static_cast<uint8_t>(~LISTED);
    }
    m_owed.resize(kept);
}

template <class S>
void
RankCore::TakeAck(uint32_t slot, uint16_t ack, S& out)
{
    {
        Connection& connection = m_connections[slot];
        const auto news = static_cast<uint16_t>(ack - connection.sendAcked);
        const auto underWay = static_cast<uint16_t>(connection.sendNext - connection.sendAcked);
        if (news == 0 || news > underWay)
        {
            return;
        }
        connection.sendAcked = ack;
    }
    // Completing a request may bring the next, which changes all pools.
    for (uint32_t place = m_connections[slot].unackedHead; place != NONE;
         place = m_connections[slot].unackedHead)
    {
        const auto sequence = static_cast<uint16_t>(m_entries[place].frame.id);
        if (static_cast<int16_t>(sequence - m_connections[slot].sendAcked) >= 0)
        {
            break;
        }
        PopUnacked(slot);
        const QueueEntry entry = m_entries[place];
        Release(place);
        if (entry.report == Report::ACKED)
        {
            out.Complete(entry.request, Completion::DELIVERED);
        }
    }
}

template <class S>
void
RankCore::Retransmit(uint32_t slot, S& out)
{
    for (uint32_t place = m_connections[slot].unackedHead; place != NONE;
         place = m_entries[place].next)
    {
        QueueEntry& entry = m_entries[place];
        if (!IsOld(entry.stamp))
        {
            continue;
        }
        if (m_config->maxRetries != 0 && entry.retries == m_config->maxRetries)
        {
            LosePeer(slot, out);
            return;
        }
        Connection& connection = m_connections[slot];
        Frame frame = entry.frame;
        frame.id = GetHeader(connection, static_cast<uint16_t>(frame.id));
        frame.flags = static_cast<uint8_t>((frame.flags & ~SIGNALED) | RESENT);
        if (!out.Send(connection.peer, frame))
        {
            return;
        }
        connection.receiveAcked = connection.receiveNext;
        entry.stamp = m_period;
        entry.retries += m_config->maxRetries != 0;
        Note(Event::RETRANSMITTED, out);
    }
}

template <class S>
void
RankCore::LosePeer(uint32_t slot, S& out)
{
    Note(Event::PEER_LOST, out);
    const Peer peer = m_connections[slot].peer;
    m_connections[slot].flags |= LOST;
    std::vector<RequestId> failed;
    const auto fail = [&](uint32_t place) {
        if (m_entries[place].report != Report::NOTHING)
        {
            failed.push_back(m_entries[place].request);
        }
        Release(place);
    };
    while (m_connections[slot].unackedHead != NONE)
    {
        fail(PopUnacked(slot));
    }
    while (m_connections[slot].backlogHead != NONE)
    {
        fail(PopBacklog(slot));
    }
    for (uint32_t place = 0; place < m_departures.GetSize(); ++place)
    {
        if (m_departures[place].used && m_departures[place].request.to == peer)
        {
            failed.push_back(m_departures[place].request.id);
            m_departures.Release(place);
        }
    }
    for (uint32_t place = 0; place < m_landings.GetSize(); ++place)
    {
        if (m_landings[place].used && m_landings[place].delivery.from == peer)
        {
            if (m_config->matching)
            {
                failed.push_back(m_landings[place].request);
            }
            m_waiting -= m_landings[place].finished;
            m_landings.Release(place);
        }
    }
    while (m_connections[slot].held != NONE)
    {
        const uint32_t place = m_connections[slot].held;
        m_connections[slot].held = m_entries[place].next;
        Release(place);
        --m_held;
    }
    for (const RequestId request : failed)
    {
        out.Complete(request, Completion::FAILED);
    }
}

template <class S>
void
RankCore::OnTimer([[maybe_unused]] TimerId timer, S& out)
{
    if (!m_armed)
    {
        return;
    }
    m_armed = false;
    ++m_period;
    Sweep(out);
    for (uint32_t slot = 0; slot < m_connections.size(); ++slot)
    {
        Retransmit(slot, out);
        const uint32_t held = m_connections[slot].held;
        if (!m_config->reliability && held != NONE && IsOld(m_entries[held].stamp))
        {
            SkipTo(slot, static_cast<uint16_t>(m_entries[held].frame.id), out);
            Drain(slot, out);
        }
    }
    AgeLandings(out);
    if (m_unacknowledged > 0 || !m_owed.empty() || m_waiting > 0 ||
        (m_held > 0 && !m_config->reliability))
    {
        ArmTimer(out);
    }
}

template <class S>
void
RankCore::OnProgressEnd(S& out)
{
    const bool running = m_config->sweepCount == SweepCount::RUNNING;
    m_sinceSweep += running ? 0 : m_inCall;
    const uint32_t count = running ? m_sinceSweep : m_inCall;
    m_inCall = 0;
    if (count > m_config->sweepMessages)
    {
        Sweep(out);
    }
}

template <class S>
void
RankCore::OnIdlePolls(S& out)
{
    if (m_sinceSweep > m_config->sweepPolled)
    {
        Sweep(out);
    }
}

template <class S>
void
RankCore::OnReady(S& out)
{
    for (uint32_t slot = 0; slot < m_connections.size(); ++slot)
    {
        Pump(slot, out);
        ReturnCredits(slot, out);
    }
}

template <class S>
void
RankCore::ArmTimer(S& out)
{
    if (!m_armed)
    {
        m_armed = true;
        out.Arm(0, m_config->GetPeriod());
    }
}

template <class S>
void
RankCore::Note(Event event, S& out)
{
    ++m_counters.events[static_cast<std::size_t>(event)];
    out.Note(static_cast<messaging::Reason>(event));
}

} // namespace ranks
} // namespace ns3

#endif // MPI_RANKS_CORE_SEND_H
