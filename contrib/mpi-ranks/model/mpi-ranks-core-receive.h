/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MPI_RANKS_CORE_RECEIVE_H
#define MPI_RANKS_CORE_RECEIVE_H

#include "mpi-ranks-core.h"

/**
 * @file
 * @ingroup mpi-ranks
 * RankCore: frames that arrive, their order, and matching. Included by mpi-ranks-core.h.
 */

namespace ns3
{
namespace ranks
{

template <class S>
void
RankCore::OnFrame(Peer from, const Frame& frame, S& out)
{
    if (from >= m_slots.size() || frame.kind >= N_FRAME_KINDS)
    {
        return;
    }
    const auto kind = static_cast<FrameKind>(frame.kind);
    if (kind == FrameKind::RDMA_DATA)
    {
        TakeWrite(from, frame, out);
        return;
    }
    const uint32_t slot = Open(from);
    if (m_connections[slot].flags & LOST)
    {
        return;
    }
    m_sinceSweep += m_config->sweepCount == SweepCount::RUNNING;
    TakeAck(slot, static_cast<uint16_t>(frame.id >> 16), out);
    if (kind < FrameKind::RDMA_DATA)
    {
        Arrange(slot, frame, out);
        ReturnCredits(slot, out);
    }
    Pump(slot, out);
}

template <class S>
void
RankCore::Arrange(uint32_t slot, const Frame& frame, S& out)
{
    const auto sequence = static_cast<uint16_t>(frame.id);
    const auto ahead = static_cast<uint16_t>(sequence - m_connections[slot].receiveNext);
    if (ahead == 0)
    {
        Take(slot, frame, out);
        Drain(slot, out);
    }
    else if (static_cast<int16_t>(ahead) < 0)
    {
        Note(Event::DUPLICATE, out);
        if (m_config->reliability)
        {
            SendAck(slot, FrameKind::ACK, out);
        }
    }
    else if (!m_config->Reorders())
    {
        SkipTo(slot, sequence, out);
        Take(slot, frame, out);
    }
    else if (ahead >= m_config->reorderWindow)
    {
        Note(Event::OVERRUN, out);
    }
    else
    {
        Hold(slot, frame, out);
    }
}

template <class S>
void
RankCore::Hold(uint32_t slot, const Frame& frame, S& out)
{
    const auto sequence = static_cast<uint16_t>(frame.id);
    const auto ahead = [&](uint32_t place) {
        return static_cast<int16_t>(sequence - static_cast<uint16_t>(m_entries[place].frame.id));
    };
    uint32_t before = NONE;
    uint32_t after = m_connections[slot].held;
    while (after != NONE && ahead(after) > 0)
    {
        before = after;
        after = m_entries[after].next;
    }
    if (after != NONE && ahead(after) == 0)
    {
        Note(Event::DUPLICATE, out);
        if (m_config->reliability)
        {
            SendAck(slot, FrameKind::ACK, out);
        }
        return;
    }
    const uint32_t place = Allocate();
    m_entries[place].frame = frame;
    m_entries[place].stamp = m_period;
    m_entries[place].next = after;
    (before == NONE ? m_connections[slot].held : m_entries[before].next) = place;
    ++m_held;
    Note(Event::HELD, out);
    if (!m_config->reliability)
    {
        ArmTimer(out);
    }
}

template <class S>
void
RankCore::Drain(uint32_t slot, S& out)
{
    for (uint32_t place = m_connections[slot].held;
         place != NONE &&
         static_cast<uint16_t>(m_entries[place].frame.id) == m_connections[slot].receiveNext;
         place = m_connections[slot].held)
    {
        const Frame frame = m_entries[place].frame;
        m_connections[slot].held = m_entries[place].next;
        Release(place);
        --m_held;
        Take(slot, frame, out);
    }
}

template <class S>
void
RankCore::SkipTo(uint32_t slot, uint16_t sequence, S& out)
{
    Connection& connection = m_connections[slot];
    connection.receiveNext = sequence;
    Note(Event::HOLE, out);
    if (connection.flags & ASSEMBLING)
    {
        connection.flags &= static_cast<uint8_t>(~ASSEMBLING);
        Note(Event::BROKEN, out);
    }
}

template <class S>
void
RankCore::Take(uint32_t slot, const Frame& frame, S& out)
{
    Connection& connection = m_connections[slot];
    ++connection.receiveNext;
    if (m_config->reliability && !(connection.flags & LISTED))
    {
        connection.flags |= LISTED;
        m_owed.push_back(slot);
    }
    if (m_config->reliability)
    {
        ArmTimer(out);
    }
    m_inCall += frame.flags & LAST ? 1 : 0;
    switch (static_cast<FrameKind>(frame.kind))
    {
    case FrameKind::EAGER:
        TakeEager(slot, frame, out);
        break;
    case FrameKind::RTS:
        Match({.delivery = {.id = connection.delivered++,
                            .from = connection.peer,
                            .bytes = static_cast<uint32_t>(frame.contents),
                            .tag = frame.aux},
               .departure = static_cast<uint32_t>(frame.contents >> 32)},
              out);
        break;
    case FrameKind::CTS:
        TakeCts(slot, frame, out);
        break;
    case FrameKind::DATA:
        TakeData(slot, frame, out);
        break;
    case FrameKind::FIN:
        TakeFin(slot, frame, out);
        break;
    case FrameKind::DONE:
    case FrameKind::NACK:
        TakeAnswer(slot, frame, out);
        break;
    case FrameKind::RDMA_DATA:
    case FrameKind::ACK:
    case FrameKind::CREDIT:
        break;
    }
}

template <class S>
void
RankCore::TakeEager(uint32_t slot, const Frame& frame, S& out)
{
    Connection& connection = m_connections[slot];
    if (frame.flags & FIRST)
    {
        connection.flags |= ASSEMBLING;
        connection.contents = frame.contents;
        connection.bytes = 0;
        connection.tag = frame.aux;
    }
    else if (!(connection.flags & ASSEMBLING))
    {
        return;
    }
    else if (connection.contents != frame.contents)
    {
        // A damaged segment damages the message.
        connection.contents += frame.contents | 1;
    }
    connection.bytes += frame.payload;
    if (frame.flags & LAST)
    {
        connection.flags &= static_cast<uint8_t>(~ASSEMBLING);
        Match({.delivery = {.id = connection.delivered++,
                            .contents = connection.contents,
                            .from = connection.peer,
                            .bytes = connection.bytes,
                            .tag = connection.tag}},
              out);
    }
}

template <class S>
void
RankCore::OnMessage(const Delivery& message, S& out)
{
    Match({.delivery = message}, out);
}

template <class S>
void
RankCore::Match(const Envelope& envelope, S& out)
{
    Envelope receive;
    if (!m_config->matching)
    {
        Meet(envelope, 0, out);
    }
    else if (m_posted.Take(envelope.delivery.from, envelope.delivery.tag, receive))
    {
        Meet(envelope, receive.delivery.id, out);
    }
    else
    {
        m_unexpected.Add(envelope);
        m_counters.unexpectedMax = std::max(m_counters.unexpectedMax, m_unexpected.GetSize());
        Note(Event::UNEXPECTED, out);
    }
}

template <class S>
void
RankCore::Meet(const Envelope& envelope, RequestId receive, S& out)
{
    if (envelope.departure != NONE)
    {
        Clear(envelope, receive, out);
        return;
    }
    ++m_counters.received;
    out.Deliver(envelope.delivery);
    if (m_config->matching)
    {
        out.Complete(receive, Completion::DELIVERED);
    }
}

} // namespace ranks
} // namespace ns3

#endif // MPI_RANKS_CORE_RECEIVE_H
