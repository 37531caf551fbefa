/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_WINDOW_CORE_IMPL_H
#define PCODE_WINDOW_CORE_IMPL_H

#include "pcode-window-core.h"

/**
 * @file
 * @ingroup pcode
 * What WindowCore does. Included by pcode-window-core.h.
 */

namespace ns3
{
namespace pcode
{

template <class Out>
messaging::Acceptance
WindowCore::OnRequest(const messaging::Request& request, Out& out)
{
    const bool known =
        request.to == messaging::NO_PEER || (request.to < m_config.nPeers && request.to != m_self);
    if (!known || request.bytes > GetLargest(m_config))
    {
        Note(WindowEvent::POST_REFUSED, out);
        return messaging::Acceptance::REFUSED;
    }
    if (m_config.nPeers == 1)
    {
        out.Complete(request.id, messaging::Completion::DELIVERED);
        return messaging::Acceptance::ACCEPTED;
    }
    if (!CanAccept())
    {
        Note(WindowEvent::POST_STALLED, out);
        return messaging::Acceptance::STALLED;
    }
    m_queue.push_back(request);
    m_queued += MESSAGE_BYTES + request.bytes;
    if (m_config.packDelay == 0 || DATAGRAM_HEADER + m_queued > m_config.mtu)
    {
        m_flush = true;
        Flush(out);
    }
    else if (m_queue.size() == 1)
    {
        out.Arm(PACK_TIMER, m_config.packDelay);
    }
    return messaging::Acceptance::ACCEPTED;
}

template <class Out>
void
WindowCore::OnFrame(messaging::Peer from, const messaging::Frame& frame, Out& out)
{
    switch (static_cast<WindowKind>(frame.kind))
    {
    case WindowKind::DATAGRAM:
        OnDatagram(from, frame, out);
        return;
    case WindowKind::NACK:
        OnNack(from, static_cast<uint32_t>(frame.id), frame.contents, out);
        return;
    case WindowKind::STATUS:
        OnTold(from, m_lists->Get(frame.contents), out);
        m_answer |= (frame.flags & WAITING) != 0;
        ArmIdle(out);
        return;
    }
}

template <class Out>
void
WindowCore::OnTimer(messaging::TimerId timer, Out& out)
{
    if (timer == NACK_TIMER)
    {
        m_nackArmed = false;
        SendNacks(out);
    }
    else if (timer == IDLE_TIMER)
    {
        m_idleArmed = false;
        if (m_answer || !m_has.IsAllStable())
        {
            SendStatus(out);
        }
    }
    else if (timer == PACK_TIMER)
    {
        m_flush = !m_queue.empty();
        Flush(out);
    }
}

template <class Out>
void
WindowCore::OnDone(messaging::WorkId, Out&)
{
}

template <class Out>
void
WindowCore::OnReady(Out& out)
{
    Flush(out);
}

template <class Out>
void
WindowCore::Note(WindowEvent event, Out& out)
{
    out.Note(static_cast<messaging::Reason>(event));
}

template <class Out>
void
WindowCore::Flush(Out& out)
{
    while (m_flush && !m_queue.empty() &&
           m_has.Get(m_self, m_self) - m_has.GetStable(m_self) < m_config.window)
    {
        if (!SendDatagram(out))
        {
            return;
        }
    }
    m_flush &= !m_queue.empty();
}

template <class Out>
bool
WindowCore::SendDatagram(Out& out)
{
    const uint32_t number = m_has.Get(m_self, m_self) + 1;
    std::vector<uint32_t> list{0};
    uint32_t size = DATAGRAM_HEADER;
    uint32_t payload = 0;
    for (const auto& request : m_queue)
    {
        if (size + MESSAGE_BYTES + request.bytes > m_config.mtu)
        {
            break;
        }
        size += MESSAGE_BYTES + request.bytes;
        payload += request.bytes;
        ++list[0];
        list.insert(list.end(),
                    {static_cast<uint32_t>(request.contents),
                     static_cast<uint32_t>(request.contents >> 32),
                     request.to,
                     request.bytes,
                     request.tag,
                     request.flags});
    }
    const bool tells = (m_answer || 2 * m_untold >= m_config.statusEvery) &&
                       size + NUMBER_BYTES * m_config.nPeers <= m_config.mtu;
    if (tells)
    {
        size += NUMBER_BYTES * m_config.nPeers;
        AppendNumbers(list);
    }
    messaging::Frame frame;
    frame.kind = static_cast<uint8_t>(WindowKind::DATAGRAM);
    frame.id = number;
    frame.contents = m_lists->Put(list);
    frame.source = m_self;
    frame.payload = payload;
    frame.header = static_cast<uint16_t>(size - payload);
    if (!out.Send(messaging::NO_PEER, frame))
    {
        return false;
    }
    Note(WindowEvent::DATAGRAM_SENT, out);
    Slot(m_self, number) = frame;
    m_has.Raise(m_self, m_self, number);
    for (uint32_t i = 0; i < list[0]; ++i)
    {
        if (i > 0)
        {
            Note(WindowEvent::MESSAGE_PACKED, out);
        }
        m_own.emplace_back(number, m_queue.front().id);
        m_queued -= MESSAGE_BYTES + m_queue.front().bytes;
        m_queue.pop_front();
    }
    if (tells)
    {
        Note(WindowEvent::STATUS_ATTACHED, out);
        HasTold(out);
    }
    else
    {
        RearmIdle(out);
    }
    return true;
}

template <class Out>
void
WindowCore::SendStatus(Out& out)
{
    std::vector<uint32_t> list;
    AppendNumbers(list);
    messaging::Frame frame;
    frame.kind = static_cast<uint8_t>(WindowKind::STATUS);
    frame.contents = m_lists->Put(list);
    frame.source = m_self;
    frame.flags = m_has.IsAllStable() ? 0 : WAITING;
    frame.header = static_cast<uint16_t>(STATUS_HEADER + NUMBER_BYTES * m_config.nPeers);
    Note(WindowEvent::STATUS_SENT, out);
    out.Send(messaging::NO_PEER, frame);
    HasTold(out);
}

template <class Out>
void
WindowCore::HasTold(Out& out)
{
    for (messaging::Peer source = 0; source < m_config.nPeers; ++source)
    {
        m_told[source] = m_has.Get(m_self, source);
    }
    m_untold = 0;
    m_answer = false;
    RearmIdle(out);
}

template <class Out>
void
WindowCore::RearmIdle(Out& out)
{
    m_idleArmed = m_answer || !m_has.IsAllStable();
    if (m_idleArmed)
    {
        out.Arm(IDLE_TIMER, m_config.idleDelay);
    }
    else
    {
        out.Cancel(IDLE_TIMER);
    }
}

template <class Out>
void
WindowCore::ArmIdle(Out& out)
{
    if (!m_idleArmed && (m_answer || !m_has.IsAllStable()))
    {
        m_idleArmed = true;
        out.Arm(IDLE_TIMER, m_config.idleDelay);
    }
}

template <class Out>
void
WindowCore::Notice(Out& out)
{
    for (messaging::Peer source = 0; source < m_config.nPeers && !m_nackArmed; ++source)
    {
        if (m_has.GetKnown(source) > m_has.Get(m_self, source))
        {
            m_nackArmed = true;
            out.Arm(NACK_TIMER, m_config.nackDelay);
        }
    }
}

template <class Out>
void
WindowCore::SendNacks(Out& out)
{
    bool missing = false;
    for (messaging::Peer source = 0; source < m_config.nPeers; ++source)
    {
        const uint32_t first = m_has.Get(m_self, source) + 1;
        const uint32_t last = std::min(m_has.GetKnown(source), first + m_config.window - 1);
        messaging::Frame frame;
        for (uint32_t number = first; number <= last; ++number)
        {
            frame.contents |= Holds(source, number) ? 0 : uint64_t{1} << (number - first);
        }
        if (frame.contents == 0)
        {
            continue;
        }
        frame.kind = static_cast<uint8_t>(WindowKind::NACK);
        frame.id = first;
        frame.source = m_self;
        frame.header =
            static_cast<uint16_t>(NACK_HEADER + NUMBER_BYTES * std::popcount(frame.contents));
        Note(WindowEvent::NACK_SENT, out);
        out.Send(source, frame);
        missing = true;
    }
    if (missing)
    {
        m_nackArmed = true;
        out.Arm(NACK_TIMER, m_config.nackInterval);
    }
}

template <class Out>
void
WindowCore::OnNack(messaging::Peer from, uint32_t first, uint64_t missing, Out& out)
{
    for (; missing; missing &= missing - 1)
    {
        const uint32_t number = first + static_cast<uint32_t>(std::countr_zero(missing));
        if (Holds(m_self, number) && out.Send(from, Slot(m_self, number)))
        {
            Note(WindowEvent::DATAGRAM_REPEATED, out);
        }
    }
}

template <class Out>
void
WindowCore::OnDatagram(messaging::Peer from, const messaging::Frame& frame, Out& out)
{
    const List list = m_lists->Get(frame.contents);
    const auto number = static_cast<uint32_t>(frame.id);
    if (list.empty() || list.size() < 1 + PART_WORDS * std::size_t{list[0]})
    {
        Note(WindowEvent::DATAGRAM_UNREADABLE, out);
        return;
    }
    m_has.Know(from, number);
    if (number <= m_has.Get(m_self, from) || Holds(from, number))
    {
        Note(WindowEvent::DATAGRAM_DUPLICATE, out);
    }
    else
    {
        Note(WindowEvent::DATAGRAM_KEPT, out);
        m_has.Raise(from, from, number);
        Slot(from, number) = frame;
        for (uint32_t next = m_has.Get(m_self, from) + 1; Holds(from, next); ++next)
        {
            m_has.Raise(m_self, from, next);
            m_untold = std::max(m_untold, next - m_told[from]);
            Deliver(from, Slot(from, next), out);
        }
    }
    OnTold(from, list.subspan(1 + PART_WORDS * std::size_t{list[0]}), out);
    if (m_untold >= m_config.statusEvery)
    {
        SendStatus(out);
    }
    ArmIdle(out);
}

template <class Out>
void
WindowCore::Deliver(messaging::Peer from, const messaging::Frame& frame, Out& out)
{
    const uint64_t id = frame.id << 16;
    const List list = m_lists->Get(frame.contents);
    for (uint32_t i = 0; i < list[0]; ++i)
    {
        const List part = list.subspan(1 + PART_WORDS * i, PART_WORDS);
        if (part[2] == messaging::NO_PEER || part[2] == m_self)
        {
            out.Deliver(messaging::Delivery{id + i,
                                            (uint64_t{part[1]} << 32) | part[0],
                                            from,
                                            part[3],
                                            part[4],
                                            static_cast<uint8_t>(part[5])});
        }
    }
}

template <class Out>
void
WindowCore::OnTold(messaging::Peer from, List numbers, Out& out)
{
    if (numbers.size() == m_config.nPeers)
    {
        for (messaging::Peer source = 0; source < m_config.nPeers; ++source)
        {
            m_has.Raise(from, source, numbers[source]);
        }
        while (!m_own.empty() && m_own.front().first <= m_has.GetStable(m_self))
        {
            const auto id = m_own.front().second;
            m_own.pop_front();
            out.Complete(id, messaging::Completion::DELIVERED);
        }
        Flush(out);
    }
    Notice(out);
}

} // namespace pcode
} // namespace ns3

#endif // PCODE_WINDOW_CORE_IMPL_H
