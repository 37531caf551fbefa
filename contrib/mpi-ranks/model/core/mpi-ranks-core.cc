/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mpi-ranks-core.h"

#include <algorithm>

namespace ns3
{
namespace ranks
{

RankCore::RankCore(const RankConfig* config, uint32_t nPeers)
    : m_config(config),
      m_slots(nPeers, NONE)
{
}

uint32_t
RankCore::Open(Peer peer)
{
    uint32_t slot = m_slots[peer];
    if (slot == NONE)
    {
        slot = static_cast<uint32_t>(m_connections.size());
        m_slots[peer] = slot;
        m_connections.emplace_back();
        m_connections.back().peer = peer;
    }
    return slot;
}

uint32_t
RankCore::Allocate()
{
    const uint32_t place = m_freeEntry;
    if (place == NONE)
    {
        m_entries.emplace_back();
        return static_cast<uint32_t>(m_entries.size() - 1);
    }
    m_freeEntry = m_entries[place].next;
    m_entries[place].next = NONE;
    return place;
}

void
RankCore::Release(uint32_t place)
{
    m_entries[place] = QueueEntry{};
    m_entries[place].next = m_freeEntry;
    m_freeEntry = place;
}

QueueEntry&
RankCore::Queue(uint32_t slot, FrameKind kind, const Frame& frame)
{
    const uint32_t place = Allocate();
    QueueEntry& entry = m_entries[place];
    entry.frame = frame;
    entry.frame.kind = static_cast<uint8_t>(kind);
    entry.frame.flags |= FIRST;
    Connection& connection = m_connections[slot];
    if (connection.backlogHead == NONE)
    {
        connection.backlogHead = place;
    }
    else
    {
        m_entries[connection.backlogTail].next = place;
    }
    connection.backlogTail = place;
    ++connection.backlog;
    ++m_backlog;
    return entry;
}

void
RankCore::QueueEager(uint32_t slot, const Request& request)
{
    QueueEntry& entry = Queue(slot,
                              FrameKind::EAGER,
                              {.contents = request.contents,
                               .payload = request.bytes,
                               .aux = request.tag,
                               .header = EAGER_HEADER});
    if (m_config->matching)
    {
        return;
    }
    entry.request = request.id;
    entry.report = Report::LEFT;
    if (m_config->reliability)
    {
        entry.report = Report::ACKED;
    }
}

void
RankCore::QueueRts(uint32_t slot, const Request& request)
{
    const uint32_t place = m_departures.Allocate();
    m_departures[place].request = request;
    NoteLength(request.bytes);
    Queue(slot,
          FrameKind::RTS,
          {.contents = JoinWords(request.bytes, m_departures.GetNumber(place)),
           .aux = request.tag,
           .header = RTS_HEADER});
}

void
RankCore::QueueWrite(Departure& departure)
{
    Frame write{.contents = departure.request.contents,
                .payload = departure.request.bytes,
                .aux = departure.landing,
                .flags = LAST,
                .marks = messaging::MARK_WRITE};
    if (m_config->Reorders())
    {
        write.flags |= IMMEDIATE;
        write.marks |= messaging::MARK_NOTIFY;
    }
    departure.writing = m_config->reportsSends;
    Queue(m_slots[departure.request.to], FrameKind::RDMA_DATA, write);
}

void
RankCore::QueueFin(uint32_t slot, const Departure& departure)
{
    Frame fin{.contents = departure.request.contents,
              .aux = departure.landing,
              .header = FIN_HEADER};
    if (!m_config->reliability)
    {
        // Its local completion ends the message (C-12).
        fin.flags = SIGNALED;
    }
    Queue(slot, FrameKind::FIN, fin);
}

void
RankCore::QueueData(uint32_t slot, const Request& request, uint32_t landing)
{
    QueueEntry& entry = Queue(slot,
                              FrameKind::DATA,
                              {.contents = request.contents,
                               .payload = request.bytes,
                               .aux = landing,
                               .header = FIN_HEADER});
    entry.request = request.id;
    entry.report = Report::LEFT;
    if (ConfirmsDelivery())
    {
        entry.report = Report::ACKED;
    }
}

void
RankCore::CutFirstSegment(Frame& rest, uint32_t left)
{
    rest.payload = left;
    rest.flags &= static_cast<uint8_t>(~FIRST);
    if (static_cast<FrameKind>(rest.kind) == FrameKind::EAGER)
    {
        // Only the first segment has the envelope.
        rest.header = SEGMENT_HEADER;
        rest.aux = 0;
    }
}

void
RankCore::KeepSegment(uint32_t slot, uint32_t place, const Frame& segment, uint32_t left)
{
    uint32_t kept = place;
    if (left > 0)
    {
        // The entry keeps the rest of the message and its report.
        kept = Allocate();
        m_entries[kept].request = m_entries[place].request;
    }
    m_entries[kept].frame = segment;
    m_entries[kept].charge = m_config->GetCharge(segment, left);
    AppendUnacked(slot, kept);
}

void
RankCore::ReleaseQueues(uint32_t slot, std::vector<RequestId>& failed)
{
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
    while (m_connections[slot].held != NONE)
    {
        const uint32_t place = m_connections[slot].held;
        m_connections[slot].held = m_entries[place].next;
        Release(place);
    }
}

void
RankCore::ReleaseLargeMessages(Peer peer, std::vector<RequestId>& failed)
{
    for (uint32_t place = 0; place < m_departures.GetSize(); ++place)
    {
        if (m_departures[place].used && m_departures[place].GetPeer() == peer)
        {
            failed.push_back(m_departures[place].request.id);
            m_departures.Release(place);
        }
    }
    for (uint32_t place = 0; place < m_landings.GetSize(); ++place)
    {
        const Landing& landing = m_landings[place];
        if (!landing.used || landing.GetPeer() != peer)
        {
            continue;
        }
        if (m_config->matching)
        {
            failed.push_back(landing.request);
        }
        if (landing.finished)
        {
            --m_waiting;
        }
        m_landings.Release(place);
    }
}

uint32_t
RankCore::FindDeparture(Peer peer, uint32_t landing) const
{
    for (uint32_t place = 0; place < m_departures.GetSize(); ++place)
    {
        const Departure& departure = m_departures[place];
        if (departure.used && departure.GetPeer() == peer && departure.landing == landing)
        {
            return place;
        }
    }
    return NONE;
}

void
RankCore::StartAge(uint32_t slot, uint16_t sequence)
{
    for (uint32_t place = m_connections[slot].unackedHead; place != NONE;
         place = m_entries[place].next)
    {
        QueueEntry& entry = m_entries[place];
        if (GetSequence(entry.frame) == sequence)
        {
            entry.left = true;
            entry.stamp = m_period;
            return;
        }
    }
}

uint32_t
RankCore::PopBacklog(uint32_t slot)
{
    Connection& connection = m_connections[slot];
    const uint32_t place = connection.backlogHead;
    connection.backlogHead = m_entries[place].next;
    m_entries[place].next = NONE;
    --connection.backlog;
    --m_backlog;
    return place;
}

void
RankCore::AppendUnacked(uint32_t slot, uint32_t place)
{
    Connection& connection = m_connections[slot];
    QueueEntry& entry = m_entries[place];
    entry.next = NONE;
    entry.stamp = m_period;
    entry.retries = 0;
    entry.left = !m_config->reportsSends;
    if (connection.unackedHead == NONE)
    {
        connection.unackedHead = place;
    }
    else
    {
        m_entries[connection.unackedTail].next = place;
    }
    connection.unackedTail = place;
    ++m_unacknowledged;
    m_counters.queueBytes += entry.charge;
    if ((entry.frame.flags & FIRST) && (entry.frame.flags & LAST))
    {
        ++m_counters.queueEntries;
    }
    m_counters.queueBytesMax = std::max(m_counters.queueBytesMax, m_counters.queueBytes);
    m_counters.queueEntriesMax = std::max(m_counters.queueEntriesMax, m_counters.queueEntries);
}

uint32_t
RankCore::PopUnacked(uint32_t slot)
{
    Connection& connection = m_connections[slot];
    const uint32_t place = connection.unackedHead;
    QueueEntry& entry = m_entries[place];
    connection.unackedHead = entry.next;
    entry.next = NONE;
    --m_unacknowledged;
    m_counters.queueBytes -= entry.charge;
    --m_counters.queueEntries;
    return place;
}

bool
RankCore::IsQueued(uint32_t slot, FrameKind kind, uint32_t number) const
{
    const Connection& connection = m_connections[slot];
    for (uint32_t place : {connection.unackedHead, connection.backlogHead})
    {
        for (; place != NONE; place = m_entries[place].next)
        {
            const Frame& frame = m_entries[place].frame;
            if (static_cast<FrameKind>(frame.kind) == kind && frame.aux == number)
            {
                return true;
            }
        }
    }
    return false;
}

uint64_t
RankCore::GetMemory() const
{
    return sizeof(*this) + m_slots.capacity() * sizeof(uint32_t) +
           m_connections.capacity() * sizeof(Connection) +
           m_entries.capacity() * sizeof(QueueEntry) + m_departures.GetMemory() +
           m_landings.GetMemory() + m_owed.capacity() * sizeof(uint32_t);
}

uint16_t
RankCore::GetExpected(Peer peer) const
{
    if (m_slots[peer] == NONE)
    {
        return 0;
    }
    return m_connections[m_slots[peer]].receiveNext;
}

uint16_t
RankCore::GetAcknowledged(Peer peer) const
{
    if (m_slots[peer] == NONE)
    {
        return 0;
    }
    return m_connections[m_slots[peer]].sendAcked;
}

bool
RankCore::IsLost(Peer peer) const
{
    return m_slots[peer] != NONE && (m_connections[m_slots[peer]].flags & LOST);
}

bool
RankCore::IsConnected(Peer peer) const
{
    return m_slots[peer] != NONE && !(m_connections[m_slots[peer]].flags & LOST);
}

void
RankCore::Renumber(Peer peer, uint16_t sent, uint16_t received)
{
    if (m_slots[peer] == NONE)
    {
        return;
    }
    Connection& connection = m_connections[m_slots[peer]];
    connection.sendNext -= sent;
    connection.sendAcked -= sent;
    connection.receiveNext -= received;
    connection.receiveAcked -= received;
    const auto shift = [this](uint32_t place, uint16_t by) {
        for (; place != NONE; place = m_entries[place].next)
        {
            uint64_t& id = m_entries[place].frame.id;
            // The piggybacked ACK of a stored frame is replaced later or already used.
            id = static_cast<uint16_t>(id - by);
        }
    };
    shift(connection.unackedHead, sent);
    shift(connection.held, received);
}

void
RankCore::Encode(messaging::Encoder& encoder) const
{
    const auto putAge = [&](uint32_t stamp) {
        encoder.Put(std::min(m_period - stamp, m_config->periods + 1));
    };
    const auto putQueue = [&](uint32_t place, bool aged) {
        for (; place != NONE; place = m_entries[place].next)
        {
            const QueueEntry& entry = m_entries[place];
            encoder.Put(GetSequence(entry.frame));
            encoder.Put(entry.frame.contents);
            encoder.Put(uint64_t{entry.frame.payload} << 32 | entry.frame.aux);
            encoder.Put(entry.frame.kind | uint64_t{entry.frame.flags} << 8 |
                        uint64_t{entry.retries} << 16 | static_cast<uint64_t>(entry.report) << 24);
            encoder.Put(entry.request);
            if (aged)
            {
                putAge(entry.stamp);
            }
        }
        encoder.Put(NONE);
    };
    for (const uint32_t slot : m_slots)
    {
        if (slot == NONE)
        {
            encoder.Put(NONE);
            continue;
        }
        const Connection& connection = m_connections[slot];
        encoder.Put(connection.sendNext | uint64_t{connection.sendAcked} << 16 |
                    uint64_t{connection.receiveNext} << 32 |
                    uint64_t{connection.receiveAcked} << 48);
        encoder.Put(connection.flags);
        encoder.Put(std::min<uint32_t>(connection.owed, m_config->creditThreshold + 1));
        if (connection.flags & ASSEMBLING)
        {
            encoder.Put(connection.contents);
            encoder.Put(uint64_t{connection.bytes} << 32 | connection.tag);
        }
        putQueue(connection.backlogHead, false);
        putQueue(connection.unackedHead, true);
        putQueue(connection.held, !m_config->reliability);
    }
    for (uint32_t place = 0; place < m_departures.GetSize(); ++place)
    {
        const Departure& departure = m_departures[place];
        encoder.Put(departure.used | uint64_t{departure.generation} << 1 |
                    uint64_t{departure.rewrites} << 32);
        encoder.Put(uint64_t{departure.landing} << 32 | departure.next);
        encoder.Put(departure.request.id);
    }
    encoder.Put(m_departures.GetFree());
    for (uint32_t place = 0; place < m_landings.GetSize(); ++place)
    {
        const Landing& landing = m_landings[place];
        encoder.Put(landing.used | landing.written << 1 | landing.finished << 2 |
                    uint64_t{landing.generation} << 3);
        encoder.Put(uint64_t{landing.departure} << 32 | landing.next);
        encoder.Put(landing.request);
        encoder.Put(landing.contents);
        encoder.Put(uint64_t{landing.bytes} << 32 | landing.delivery.bytes);
        if (landing.used && landing.finished)
        {
            putAge(landing.stamp);
        }
        else
        {
            putAge(m_period);
        }
    }
    encoder.Put(m_landings.GetFree());
    m_posted.Encode(encoder);
    m_unexpected.Encode(encoder);
    encoder.Put(std::min(m_inCall, m_config->sweepMessages + 1));
    encoder.Put(
        std::min(m_sinceSweep, std::max(m_config->sweepPolled, m_config->sweepMessages) + 1));
    encoder.Put(m_armed);
}

} // namespace ranks
} // namespace ns3
