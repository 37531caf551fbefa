/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARASTATION_NIC_IMPL_H
#define PARASTATION_NIC_IMPL_H

#include "parastation-nic.h"

#include <algorithm>

/**
 * @file
 * @ingroup parastation
 * The stages of figure 2. Included by parastation-nic.h.
 */

namespace ns3
{
namespace parastation
{

template <class Protocol>
NicCore<Protocol>::NicCore(const Config& config,
                           messaging::Peer self,
                           uint32_t peers,
                           uint64_t seed)
    : m_config(config),
      m_protocol(config, peers, seed),
      m_send(config.sendRing),
      m_receive(config.receiveRing),
      m_links(peers),
      m_self(self),
      m_random(seed * 0x9e3779b97f4a7c15 | 1),
      m_idle(config.receiveRing),
      m_buffers(config.hostBuffers)
{
}

template <class Protocol>
template <messaging::Actions Out>
messaging::Acceptance
NicCore<Protocol>::OnRequest(const messaging::Request& request, Out& out)
{
    const uint32_t packets = CountPackets(request);
    if (request.to >= m_links.size() || request.to == m_self || packets > MAX_PACKETS)
    {
        return messaging::Acceptance::REFUSED;
    }
    if (!CanAccept())
    {
        return messaging::Acceptance::STALLED;
    }
    auto entry = std::find_if(m_outgoing.begin(), m_outgoing.end(), [](const Outgoing& outgoing) {
        return outgoing.left == 0;
    });
    if (entry == m_outgoing.end())
    {
        entry = m_outgoing.insert(entry, Outgoing{});
    }
    *entry = Outgoing{request.id, packets};
    Posted posted{request, static_cast<uint32_t>(entry - m_outgoing.begin())};
    posted.number = m_links[request.to].messages++;
    m_queue.Push(posted);
    Handle(out, [] {});
    return messaging::Acceptance::ACCEPTED;
}

template <class Protocol>
template <messaging::Actions Out>
void
NicCore<Protocol>::OnFrame(messaging::Peer from, const messaging::Frame& frame, Out& out)
{
    const auto free = std::find_if(m_receive.begin(), m_receive.end(), [](const ReceiveSlot& slot) {
        return slot.state == ReceiveState::IDLE;
    });
    if (free == m_receive.end())
    {
        Note(Event::OVERRUN, out);
        return;
    }
    free->frame = frame;
    free->from = from;
    const auto slot = static_cast<uint32_t>(free - m_receive.begin());
    Change(slot, ReceiveEvent::ARRIVE, out);
    m_arrived.Push(slot);
    const bool data = frame.kind == static_cast<uint8_t>(PacketKind::DATA);
    Note(data ? Event::RECEIVE : Event::HANDLE, out);
    Handle(out, [] {});
}

template <class Protocol>
template <messaging::Actions Out>
void
NicCore<Protocol>::OnTimer(messaging::TimerId timer, Out& out)
{
    Handle(out, [&] {
        if (timer & PEER_TIMER)
        {
            m_protocol.OnPeerTimer(*this, static_cast<messaging::Peer>(timer & ~PEER_TIMER), out);
        }
        else
        {
            m_protocol.OnSlotTimer(*this, static_cast<uint32_t>(timer), out);
        }
    });
}

template <class Protocol>
template <messaging::Actions Out>
void
NicCore<Protocol>::OnDone(messaging::WorkId work, Out& out)
{
    Handle(out, [&] { Finish(static_cast<Part>(work >> 32), static_cast<uint32_t>(work), out); });
}

template <class Protocol>
template <messaging::Actions Out>
void
NicCore<Protocol>::OnReady(Out& out)
{
    Handle(out, [this] { m_blocked = false; });
}

template <class Protocol>
template <class Out, class Action>
void
NicCore<Protocol>::Handle(Out& out, Action&& action)
{
    // Whoever hears of a delivery or completion may post before Deliver or Complete returns.
    if (m_handling)
    {
        action();
        return;
    }
    m_handling = true;
    action();
    bool again = true;
    while (again)
    {
        again = StartStore(out);
        again |= StartSend(out);
        again |= StartReceive(out);
        again |= StartTransfer(out);
        again |= StartPoll(out);
    }
    m_handling = false;
    HoldNetwork(out);
}

template <class Protocol>
template <class Out>
void
NicCore<Protocol>::HoldNetwork(Out& out)
{
    if constexpr (Protocol::HOLDS_NETWORK && requires { out.SetAccepting(true); })
    {
        const bool holds = m_idle == 0;
        if (holds != m_holds)
        {
            m_holds = holds;
            out.SetAccepting(!holds);
        }
    }
}

template <class Protocol>
template <class Out>
void
NicCore<Protocol>::Begin(Part part,
                         uint32_t index,
                         messaging::WorkKind kind,
                         uint64_t amount,
                         Out& out)
{
    if (amount == 0)
    {
        Finish(part, index, out);
        return;
    }
    messaging::Work work;
    work.id = static_cast<uint64_t>(part) << 32 | index;
    work.amount = amount;
    work.kind = kind;
    const bool host = part == Part::LOOKUP || part == Part::PACK ||
                      kind == messaging::WorkKind::PIO || part == Part::POLL || part == Part::COPY;
    work.unit = host ? 0 : 1;
    out.Do(work);
}

template <class Protocol>
uint32_t
NicCore<Protocol>::DrawHostTime(uint32_t time)
{
    const uint32_t jitter = std::min(m_config.costs.jitter, time);
    if (jitter == 0)
    {
        return time;
    }
    m_random ^= m_random << 13;
    m_random ^= m_random >> 7;
    m_random ^= m_random << 17;
    return time - jitter + static_cast<uint32_t>((m_random >> 11) % (2 * jitter + 1));
}

template <class Protocol>
template <class Out>
void
NicCore<Protocol>::Finish(Part part, uint32_t index, Out& out)
{
    using messaging::WorkKind;
    const Costs& costs = m_config.costs;
    const auto overBus = [&costs](const messaging::Frame& frame) {
        return costs.bus ? uint64_t{frame.payload} + frame.header + costs.descriptor : 0;
    };
    switch (part)
    {
    case Part::LOOKUP:
        Begin(Part::PACK,
              index,
              WorkKind::COPY,
              uint64_t{costs.sendCopies} * m_send[index].frame.payload / 100,
              out);
        return;
    case Part::PACK: {
        Note(Event::STORE, out);
        const bool dma = m_send[index].frame.payload >= costs.dmaThreshold;
        Begin(Part::STORE,
              index,
              dma ? WorkKind::DMA : WorkKind::PIO,
              overBus(m_send[index].frame),
              out);
        return;
    }
    case Part::STORE:
        EndStore(index, out);
        return;
    case Part::SEND:
    case Part::ACKNOWLEDGE:
        m_prepared = true;
        return;
    case Part::RECEIVE:
    case Part::HANDLE:
        EndReceive(index, out);
        return;
    case Part::STATUS:
        EndStatus(index, out);
        return;
    case Part::TRANSFER:
        m_host.Push(Outbound{m_receive[index].frame, m_receive[index].from});
        m_transferring = false;
        Change(index, ReceiveEvent::TAKE, out);
        m_protocol.OnTaken(*this, m_receive[index].from, out);
        return;
    case Part::POLL:
        Note(Event::COPY, out);
        Begin(Part::COPY,
              0,
              WorkKind::COPY,
              uint64_t{costs.receiveCopies} * m_host[0].frame.payload / 100,
              out);
        return;
    case Part::COPY: {
        m_polling = false;
        ++m_buffers;
        Reassemble(m_host.Pop(), out);
        return;
    }
    }
}

template <class Protocol>
template <class Out>
bool
NicCore<Protocol>::StartStore(Out& out)
{
    if (m_storing != NONE || m_queue.IsEmpty())
    {
        return false;
    }
    uint32_t slot = m_nextSlot;
    for (uint32_t i = 0; i < m_send.size() && m_send[slot].held; ++i)
    {
        slot = (slot + 1) % m_send.size();
    }
    if (m_send[slot].held)
    {
        return false;
    }
    m_nextSlot = (slot + 1) % m_send.size();
    m_storing = slot;
    Posted& posted = m_queue[0];
    const uint32_t offset = uint32_t{posted.stored} * m_config.packetBytes;
    PacketId id;
    id.bytes = posted.request.bytes;
    id.message = posted.number;
    id.index = posted.stored;
    id.count = static_cast<uint8_t>(CountPackets(posted.request));
    SendSlot& place = m_send[slot];
    place = SendSlot{};
    place.frame.id = id.Pack();
    place.frame.contents = posted.request.contents;
    place.frame.source = m_self;
    place.frame.payload = std::min(posted.request.bytes - offset, m_config.packetBytes);
    place.frame.aux = posted.request.tag;
    place.frame.header = m_config.header;
    place.frame.kind = static_cast<uint8_t>(PacketKind::DATA);
    place.frame.flags = posted.request.flags;
    place.to = posted.request.to;
    place.outgoing = posted.outgoing;
    place.held = true;
    if (++posted.stored == id.count)
    {
        m_queue.Pop();
    }
    Note(Event::LOOKUP, out);
    Begin(Part::LOOKUP,
          slot,
          messaging::WorkKind::INSTRUCTIONS,
          DrawHostTime(m_config.costs.hostSend),
          out);
    return true;
}

template <class Protocol>
template <class Out>
void
NicCore<Protocol>::EndStore(uint32_t slot, Out& out)
{
    Change(slot, SendEvent::STORE, out);
    m_storing = NONE;
    Link& link = m_links[m_send[slot].to];
    (link.tail == NONE ? link.head : m_send[link.tail].next) = slot;
    link.tail = slot;
    m_protocol.OnStore(*this, slot);
}

template <class Protocol>
uint32_t
NicCore<Protocol>::FindSendable() const
{
    for (uint32_t i = 0; i < m_send.size(); ++i)
    {
        const uint32_t slot = (m_nextSend + i) % m_send.size();
        const SendState state = m_send[slot].state;
        if ((state == SendState::READY || state == SendState::RETRANSMIT) &&
            m_protocol.MaySend(*this, slot))
        {
            return slot;
        }
    }
    return NONE;
}

template <class Protocol>
template <class Out>
bool
NicCore<Protocol>::StartSend(Out& out)
{
    if (m_inHand != InHand::NOTHING)
    {
        return m_prepared && !m_blocked && Transmit(out);
    }
    const Costs& costs = m_config.costs;
    if (!m_control.IsEmpty())
    {
        m_outbound = m_control.Pop();
        m_inHand = InHand::CONTROL;
        Note(Event::ACKNOWLEDGE, out);
        Begin(Part::ACKNOWLEDGE, 0, messaging::WorkKind::INSTRUCTIONS, costs.buildControl, out);
        return true;
    }
    const uint32_t slot = FindSendable();
    if (slot == NONE)
    {
        return false;
    }
    m_nextSend = (slot + 1) % m_send.size();
    m_sending = slot;
    m_inHand = InHand::DATA;
    Note(Event::SEND, out);
    Begin(Part::SEND, slot, messaging::WorkKind::INSTRUCTIONS, costs.firmwareSend, out);
    return true;
}

template <class Protocol>
template <class Out>
bool
NicCore<Protocol>::Transmit(Out& out)
{
    if (m_inHand == InHand::CONTROL)
    {
        m_blocked = !out.Send(m_outbound.peer, m_outbound.frame);
    }
    else if (m_sending != NONE && m_protocol.MaySend(*this, m_sending))
    {
        if constexpr (requires { m_protocol.OnPick(*this, m_sending); })
        {
            m_protocol.OnPick(*this, m_sending);
        }
        SendSlot& slot = m_send[m_sending];
        m_blocked = !out.Send(slot.to, slot.frame);
        if (!m_blocked)
        {
            if (slot.state == SendState::RETRANSMIT)
            {
                Note(Event::RETRANSMITTED, out);
            }
            slot.attempts += slot.attempts < 255 ? 1 : 0;
            Change(m_sending, SendEvent::SEND, out);
            m_protocol.OnSent(*this, m_sending, out);
        }
    }
    if (m_blocked)
    {
        return false;
    }
    m_inHand = InHand::NOTHING;
    m_sending = NONE;
    m_prepared = false;
    m_outbound = Outbound{};
    return true;
}

template <class Protocol>
template <class Out>
void
NicCore<Protocol>::Release(uint32_t slot, Out& out)
{
    SendSlot& place = m_send[slot];
    if (!Change(slot, SendEvent::ACK, out))
    {
        return;
    }
    Link& link = m_links[place.to];
    uint32_t before = NONE;
    for (uint32_t each = link.head; each != slot; each = m_send[each].next)
    {
        before = each;
    }
    (before == NONE ? link.head : m_send[before].next) = place.next;
    link.tail = link.tail == slot ? before : link.tail;
    place.next = NONE;
    if (m_sending == slot)
    {
        m_sending = NONE;
    }
    out.Cancel(GetSlotTimer(slot));
    Note(Event::STATUS, out);
    const Costs& costs = m_config.costs;
    Begin(Part::STATUS, slot, messaging::WorkKind::DMA, costs.bus ? costs.status : 0, out);
}

template <class Protocol>
template <class Out>
void
NicCore<Protocol>::EndStatus(uint32_t slot, Out& out)
{
    m_send[slot].held = false;
    Outgoing& outgoing = m_outgoing[m_send[slot].outgoing];
    if (--outgoing.left == 0)
    {
        out.Complete(outgoing.id, messaging::Completion::SENT);
    }
}

template <class Protocol>
template <class Out>
void
NicCore<Protocol>::Change(uint32_t slot, ReceiveEvent event, Out& out)
{
    ReceiveState& state = m_receive[slot].state;
    const auto next = Next(state, event);
    if (!next)
    {
        Note(Event::ILLEGAL, out);
        return;
    }
    m_idle += *next == ReceiveState::IDLE ? 1 : 0;
    m_idle -= state == ReceiveState::IDLE ? 1 : 0;
    state = *next;
}

template <class Protocol>
template <class Out>
bool
NicCore<Protocol>::StartReceive(Out& out)
{
    if (m_receiving != NONE || m_arrived.IsEmpty())
    {
        return false;
    }
    m_receiving = m_arrived.Pop();
    const bool data = m_receive[m_receiving].frame.kind == static_cast<uint8_t>(PacketKind::DATA);
    const Costs& costs = m_config.costs;
    Begin(data ? Part::RECEIVE : Part::HANDLE,
          m_receiving,
          messaging::WorkKind::INSTRUCTIONS,
          data ? costs.firmwareReceive : costs.handleControl,
          out);
    return true;
}

template <class Protocol>
template <class Out>
void
NicCore<Protocol>::EndReceive(uint32_t slot, Out& out)
{
    m_receiving = NONE;
    const ReceiveSlot& place = m_receive[slot];
    const messaging::Peer from = place.from;
    const auto kind = static_cast<PacketKind>(place.frame.kind);
    if (kind == PacketKind::DATA && m_protocol.OnData(*this, from, place.frame, out))
    {
        Change(slot, ReceiveEvent::ACCEPT, out);
        m_ready.Push(slot);
        return;
    }
    if (kind == PacketKind::DAMAGED)
    {
        Note(Event::BAD_CRC, out);
    }
    else if (kind != PacketKind::DATA)
    {
        m_protocol.OnControl(*this, from, place.frame, out);
    }
    Change(slot, ReceiveEvent::DISCARD, out);
}

template <class Protocol>
bool
NicCore<Protocol>::AnswersFirst() const
{
    if constexpr (requires { requires Protocol::ANSWERS_FIRST; })
    {
        const bool builds = m_inHand == InHand::CONTROL && !m_prepared;
        return m_config.ackOrder == AckOrder::FIRST && !m_blocked &&
               (builds || !m_control.IsEmpty());
    }
    return false;
}

template <class Protocol>
template <class Out>
bool
NicCore<Protocol>::StartTransfer(Out& out)
{
    if (m_transferring || m_ready.IsEmpty() || m_buffers == 0 || AnswersFirst())
    {
        return false;
    }
    m_transferring = true;
    --m_buffers;
    const uint32_t slot = m_ready.Pop();
    Note(Event::CHECK, out);
    Note(Event::TRANSFER, out);
    const Costs& costs = m_config.costs;
    const messaging::Frame& frame = m_receive[slot].frame;
    Begin(Part::TRANSFER,
          slot,
          messaging::WorkKind::DMA,
          costs.bus ? uint64_t{frame.payload} + frame.header + costs.descriptor : 0,
          out);
    return true;
}

template <class Protocol>
template <class Out>
bool
NicCore<Protocol>::StartPoll(Out& out)
{
    if (m_polling || m_host.IsEmpty())
    {
        return false;
    }
    m_polling = true;
    Note(Event::POLL, out);
    Begin(Part::POLL,
          0,
          messaging::WorkKind::INSTRUCTIONS,
          DrawHostTime(m_config.costs.hostReceive),
          out);
    return true;
}

} // namespace parastation
} // namespace ns3

#endif // PARASTATION_NIC_IMPL_H
