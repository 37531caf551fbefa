/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MPI_RANKS_CORE_RENDEZVOUS_H
#define MPI_RANKS_CORE_RENDEZVOUS_H

#include "mpi-ranks-core.h"

/**
 * @file
 * @ingroup mpi-ranks
 * RankCore: large messages (paper 4, section 6.3). Included by mpi-ranks-core.h.
 *
 * @verbatim
   figure 2, RC           figure 3 (a), UC reliable    figure 3 (b)

   S --- RTS ---> R       S --- RTS ------> R          S --- RTS ------> R
   S <-- CTS ---- R       S <-- CTS ------- R          S <-- CTS ------- R
   S === data ==> R       S === data+imm => R          S === data+imm  X
   S --- FIN ---> R       S --- FIN ------> R          S --- FIN ------> R   timeout
   done at FIN's          S <-- DONE ------ R          S <-- NACK ------ R
   local completion       done at DONE                 S === data+imm => R
                                                       S <-- DONE ------ R
   @endverbatim
 *
 * FIN before the data or after them: the message is complete when both are there. Without RDMA the
 * data come as numbered segments, the last of which stands for FIN.
 */

namespace ns3
{
namespace ranks
{

template <class S>
void
RankCore::Clear(const Envelope& envelope, RequestId receive, S& out)
{
    const uint32_t place = m_landings.Allocate();
    Landing& landing = m_landings[place];
    landing.delivery = envelope.delivery;
    landing.request = receive;
    landing.departure = envelope.departure;
    const uint32_t slot = Open(envelope.delivery.from);
    Queue(slot,
          {.contents = envelope.departure | uint64_t{m_landings.GetNumber(place)} << 32,
           .header = CTS_HEADER,
           .kind = static_cast<uint8_t>(FrameKind::CTS)});
    Pump(slot, out);
}

template <class S>
void
RankCore::TakeCts(uint32_t slot, const Frame& frame, S& out)
{
    const uint32_t place =
        m_departures.Find(static_cast<uint32_t>(frame.contents), m_connections[slot].peer);
    if (place == NONE || m_departures[place].landing != NONE)
    {
        Note(Event::LATE_CONTROL, out);
        return;
    }
    Departure& departure = m_departures[place];
    departure.landing = static_cast<uint32_t>(frame.contents >> 32);
    if (m_config->traits.rdma)
    {
        QueueWrite(departure);
        Queue(slot,
              {.contents = frame.contents,
               .header = FIN_HEADER,
               .kind = static_cast<uint8_t>(FrameKind::FIN),
               .flags = static_cast<uint8_t>(WaitsForDone() ? 0 : SIGNALED)});
    }
    else
    {
        const uint32_t entry = Allocate();
        m_entries[entry].frame = {.contents = departure.request.contents,
                                  .source = m_self,
                                  .payload = departure.request.bytes,
                                  .aux = departure.landing,
                                  .header = FIN_HEADER,
                                  .kind = static_cast<uint8_t>(FrameKind::DATA),
                                  .flags = FIRST};
        m_entries[entry].request = departure.request.id;
        m_entries[entry].report =
            m_config->reliability && !m_config->matching ? Report::ACKED : Report::LEFT;
        m_departures.Release(place);
        Append(slot, entry);
    }
    Pump(slot, out);
}

template <class S>
void
RankCore::TakeData(uint32_t slot, const Frame& frame, S& out)
{
    const uint32_t place = m_landings.Find(frame.aux, m_connections[slot].peer);
    if (place == NONE)
    {
        Note(Event::LATE_CONTROL, out);
        return;
    }
    Landing& landing = m_landings[place];
    if (frame.flags & FIRST)
    {
        landing.contents = frame.contents;
    }
    else if (landing.contents != frame.contents)
    {
        landing.contents += frame.contents | 1;
    }
    landing.bytes += frame.payload;
    if (frame.flags & LAST)
    {
        Land(place, out);
    }
}

template <class S>
void
RankCore::TakeFin(uint32_t slot, const Frame& frame, S& out)
{
    const uint32_t place =
        m_landings.Find(static_cast<uint32_t>(frame.contents >> 32), m_connections[slot].peer);
    if (place == NONE || m_landings[place].finished)
    {
        Note(Event::LATE_CONTROL, out);
        return;
    }
    Landing& landing = m_landings[place];
    landing.finished = true;
    if (landing.written || !m_config->NeedsImmediate())
    {
        Land(place, out);
        return;
    }
    Note(Event::EARLY_FIN, out);
    landing.stamp = m_period;
    ++m_waiting;
    ArmTimer(out);
}

template <class S>
void
RankCore::TakeWrite(Peer from, const Frame& frame, S& out)
{
    const uint32_t place = m_landings.Find(frame.aux, from);
    if (place == NONE)
    {
        Note(Event::LATE_WRITE, out);
        return;
    }
    Landing& landing = m_landings[place];
    landing.contents = frame.contents;
    landing.bytes = frame.payload;
    landing.written = true;
    if (landing.finished)
    {
        --m_waiting;
        Land(place, out);
    }
}

template <class S>
void
RankCore::Land(uint32_t place, S& out)
{
    const Landing landing = m_landings[place];
    const uint32_t slot = Open(landing.delivery.from);
    if (WaitsForDone() && m_config->traits.rdma)
    {
        Queue(slot,
              {.aux = landing.departure,
               .header = FIN_HEADER,
               .kind = static_cast<uint8_t>(FrameKind::DONE)});
        Note(Event::RELIABILITY_ACK, out);
    }
    if (m_config->traits.rdma && !landing.written)
    {
        Note(Event::UNWRITTEN, out);
    }
    m_landings.Release(place);
    ++m_counters.received;
    Delivery delivery = landing.delivery;
    delivery.contents = landing.contents;
    delivery.bytes = landing.bytes;
    out.Deliver(delivery);
    if (m_config->matching)
    {
        out.Complete(landing.request, Completion::DELIVERED);
    }
    Pump(slot, out);
}

template <class S>
void
RankCore::AgeLandings(S& out)
{
    for (uint32_t place = 0; m_waiting > 0 && place < m_landings.GetSize(); ++place)
    {
        Landing& landing = m_landings[place];
        if (!landing.used || !landing.finished || !IsOld(landing.stamp))
        {
            continue;
        }
        if (!m_config->reliability)
        {
            Note(Event::HOLE, out);
            --m_waiting;
            Land(place, out);
            continue;
        }
        const uint32_t slot = Open(landing.delivery.from);
        if (IsQueued(slot, FrameKind::NACK, landing.departure))
        {
            continue;
        }
        landing.stamp = m_period;
        Queue(slot,
              {.aux = landing.departure,
               .header = FIN_HEADER,
               .kind = static_cast<uint8_t>(FrameKind::NACK)});
        Note(Event::DATA_NACK, out);
        Pump(slot, out);
    }
}

template <class S>
void
RankCore::TakeAnswer(uint32_t slot, const Frame& frame, S& out)
{
    const uint32_t place = m_departures.Find(frame.aux, m_connections[slot].peer);
    if (place == NONE || m_departures[place].landing == NONE)
    {
        Note(Event::LATE_CONTROL, out);
        return;
    }
    if (static_cast<FrameKind>(frame.kind) == FrameKind::NACK)
    {
        if (!IsQueued(slot, FrameKind::RDMA_DATA, m_departures[place].landing))
        {
            QueueWrite(m_departures[place]);
            Note(Event::DATA_RESENT, out);
        }
        return;
    }
    const RequestId request = m_departures[place].request.id;
    m_departures.Release(place);
    out.Complete(request, Completion::DELIVERED);
}

template <class S>
void
RankCore::OnSent(const Frame& frame, S& out)
{
    const uint32_t place = m_departures.Find(static_cast<uint32_t>(frame.contents));
    if (static_cast<FrameKind>(frame.kind) != FrameKind::FIN || WaitsForDone() || place == NONE)
    {
        return;
    }
    const RequestId request = m_departures[place].request.id;
    m_departures.Release(place);
    out.Complete(request, Completion::SENT);
}

} // namespace ranks
} // namespace ns3

#endif // MPI_RANKS_CORE_RENDEZVOUS_H
