/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_GRAPH_CORE_IMPL_H
#define PCODE_GRAPH_CORE_IMPL_H

#include "pcode-graph-core.h"

/**
 * @file
 * @ingroup pcode
 * What GraphCore does. Included by pcode-graph-core.h.
 */

namespace ns3
{
namespace pcode
{

template <class Out>
messaging::Acceptance
GraphCore::OnRequest(const messaging::Request& request, Out& out)
{
    const bool known =
        request.to == messaging::NO_PEER || (request.to < m_config.nPeers && request.to != m_self);
    if (!known || request.bytes > GetLargest(m_config))
    {
        Note(GraphEvent::POST_REFUSED, out);
        return messaging::Acceptance::REFUSED;
    }
    if (m_config.nPeers == 1)
    {
        out.Complete(request.id, messaging::Completion::DELIVERED);
        return messaging::Acceptance::ACCEPTED;
    }
    if (!CanAccept() || !Broadcast(request, out))
    {
        Note(GraphEvent::POST_STALLED, out);
        return messaging::Acceptance::STALLED;
    }
    return messaging::Acceptance::ACCEPTED;
}

template <class Out>
void
GraphCore::OnFrame(messaging::Peer from, const messaging::Frame& frame, Out& out)
{
    const auto list = m_lists->Get(frame.contents);
    if (frame.kind == static_cast<uint8_t>(GraphKind::STATUS))
    {
        if (list.size() >= m_config.nPeers)
        {
            OnStatus(from, frame.flags & WAITING, list, out);
        }
        return;
    }
    if (frame.source >= m_config.nPeers || frame.source == m_self || list.size() < FIXED ||
        list.size() < FIXED + 2 * std::size_t{list[2]})
    {
        Note(GraphEvent::MESSAGE_UNREADABLE, out);
        return;
    }
    OnMessage(frame, list, out);
    if (from == frame.source)
    {
        OnNacks(from, list.subspan(FIXED + 2 * std::size_t{list[2]}), out);
    }
    Notice(out);
}

template <class Out>
void
GraphCore::OnTimer(messaging::TimerId timer, Out& out)
{
    if (timer == NACK_TIMER)
    {
        m_nackArmed = false;
        if (FindMissing().first != messaging::NO_PEER)
        {
            SendStatus(out);
        }
    }
    else if (timer == IDLE_TIMER)
    {
        m_idleArmed = false;
        if (m_answer || !m_has.IsAllStable())
        {
            SendStatus(out);
        }
    }
    else if (timer == HOLD_OFF_TIMER)
    {
        for (auto& slot : m_slots)
        {
            slot.heldOff = false;
        }
    }
}

template <class Out>
void
GraphCore::OnDone(messaging::WorkId, Out&)
{
}

template <class Out>
void
GraphCore::OnReady(Out&)
{
    m_blocked = false;
}

template <class Out>
void
GraphCore::Note(GraphEvent event, Out& out)
{
    out.Note(static_cast<messaging::Reason>(event));
}

template <class Out>
bool
GraphCore::Broadcast(const messaging::Request& request, Out& out)
{
    const uint32_t number = m_has.Get(m_self, m_self) + 1;
    std::vector<uint32_t> list{static_cast<uint32_t>(request.contents),
                               static_cast<uint32_t>(request.contents >> 32),
                               0};
    for (messaging::Peer source = 0; source < m_config.nPeers; ++source)
    {
        if (m_due[source])
        {
            list.insert(list.end(), {source, m_due[source]});
            ++list[2];
        }
    }
    messaging::Frame frame;
    frame.kind = static_cast<uint8_t>(GraphKind::MESSAGE);
    frame.id = (uint64_t{request.to} << 32) | number;
    frame.contents = m_lists->Put(list);
    frame.source = m_self;
    frame.payload = request.bytes;
    frame.aux = request.tag;
    frame.flags = request.flags;
    frame.header = static_cast<uint16_t>(MESSAGE_HEADER + ENTRY_BYTES * list[2]);
    messaging::Frame first = frame;
    const uint32_t room = m_config.mtu - frame.header - frame.payload;
    const uint32_t nacks = AppendNacks(list, room / ENTRY_BYTES);
    first.contents = m_lists->Put(list);
    first.header = static_cast<uint16_t>(frame.header + ENTRY_BYTES * nacks);
    if (!out.Send(messaging::NO_PEER, first))
    {
        m_blocked = true;
        return false;
    }
    Note(GraphEvent::MESSAGE_SENT, out);
    m_own.emplace_back(number, request.id);
    m_slots[Place(m_self, number)] = Slot{frame, false};
    std::fill(m_due.begin(), m_due.end(), 0);
    m_has.Raise(m_self, m_self, number);
    const auto past = Place(m_self, number) * m_config.nPeers;
    for (messaging::Peer peer = 0; peer < m_config.nPeers; ++peer)
    {
        m_pasts[past + peer] = m_has.Get(m_self, peer);
    }
    HasTold(nacks, out);
    return true;
}

template <class Out>
void
GraphCore::HasTold(uint32_t nacks, Out& out)
{
    for (messaging::Peer source = 0; source < m_config.nPeers; ++source)
    {
        m_told[source] = m_has.Get(m_self, source);
    }
    if (nacks)
    {
        for (uint32_t i = 0; i < nacks; ++i)
        {
            Note(GraphEvent::NACK_SENT, out);
        }
        for (messaging::Peer source = 0; source < m_config.nPeers; ++source)
        {
            const bool lacks = m_has.GetKnown(source) > m_has.Get(m_self, source);
            m_attempts[source] = lacks ? (m_attempts[source] + 1) % m_config.nPeers : 0;
        }
        m_nackArmed = true;
        out.Arm(NACK_TIMER, m_config.nackInterval);
    }
    m_answer = false;
    m_idleArmed = !m_has.IsAllStable();
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
GraphCore::SendStatus(Out& out)
{
    std::vector<uint32_t> list;
    for (messaging::Peer source = 0; source < m_config.nPeers; ++source)
    {
        list.push_back(m_has.Get(m_self, source));
    }
    const uint32_t nacks = AppendNacks(list, m_config.nackLimit);
    messaging::Frame frame;
    frame.kind = static_cast<uint8_t>(GraphKind::STATUS);
    frame.contents = m_lists->Put(list);
    frame.source = m_self;
    frame.flags = m_has.IsAllStable() ? 0 : WAITING;
    frame.header =
        static_cast<uint16_t>(STATUS_HEADER + NUMBER_BYTES * m_config.nPeers + ENTRY_BYTES * nacks);
    Note(GraphEvent::STATUS_SENT, out);
    out.Send(messaging::NO_PEER, frame);
    HasTold(nacks, out);
}

template <class Out>
void
GraphCore::OnMessage(const messaging::Frame& frame, List list, Out& out)
{
    const auto number = static_cast<uint32_t>(frame.id);
    if (!Lacks(frame.source, number))
    {
        Note(GraphEvent::MESSAGE_DUPLICATE, out);
        return;
    }
    Note(GraphEvent::MESSAGE_KEPT, out);
    m_slots[Place(frame.source, number)] = Slot{frame, false};
    m_has.Know(frame.source, number);
    for (std::size_t i = 0; i < list[2]; ++i)
    {
        if (list[FIXED + 2 * i] < m_config.nPeers)
        {
            m_has.Know(list[FIXED + 2 * i], list[FIXED + 2 * i + 1]);
        }
    }
    ++m_pending;
    bool again = DeliverFrom(frame.source, out);
    while (again && m_pending > 0)
    {
        again = false;
        for (messaging::Peer source = 0; source < m_config.nPeers; ++source)
        {
            again |= DeliverFrom(source, out);
        }
    }
    Settle(out);
}

template <class Out>
bool
GraphCore::DeliverFrom(messaging::Peer source, Out& out)
{
    const uint32_t number = m_has.Get(m_self, source) + 1;
    if (source == m_self || !Holds(source, number))
    {
        return false;
    }
    const messaging::Frame frame = m_slots[Place(source, number)].frame;
    const List list = m_lists->Get(frame.contents);
    const List acks = list.subspan(FIXED, 2 * std::size_t{list[2]});
    for (std::size_t i = 0; i < acks.size(); i += 2)
    {
        if (acks[i] < m_config.nPeers && acks[i + 1] > m_has.Get(m_self, acks[i]))
        {
            return false;
        }
    }
    // Who has sent a message has all that it acknowledges, and the past of all that. What its
    // sender is known to have from elsewhere does not belong to the message's past.
    const auto past = Place(source, number) * m_config.nPeers;
    const auto before = Place(source, number - 1) * m_config.nPeers;
    for (messaging::Peer peer = 0; peer < m_config.nPeers; ++peer)
    {
        m_pasts[past + peer] = number == 1 ? 0 : m_pasts[before + peer];
    }
    m_pasts[past + source] = number;
    for (std::size_t i = 0; i < acks.size(); i += 2)
    {
        const auto [acked, upTo] = std::pair(acks[i], acks[i + 1]);
        if (acked >= m_config.nPeers)
        {
            continue;
        }
        m_due[acked] = m_due[acked] <= upTo ? 0 : m_due[acked];
        m_pasts[past + acked] = std::max(m_pasts[past + acked], upTo);
        const auto other = Place(acked, upTo) * m_config.nPeers;
        for (messaging::Peer peer = 0; Holds(acked, upTo) && peer < m_config.nPeers; ++peer)
        {
            m_pasts[past + peer] = std::max(m_pasts[past + peer], m_pasts[other + peer]);
        }
    }
    for (messaging::Peer peer = 0; peer < m_config.nPeers; ++peer)
    {
        m_has.Raise(source, peer, m_pasts[past + peer]);
    }
    m_due[source] = number;
    m_attempts[source] = 0;
    --m_pending;
    m_has.Raise(m_self, source, number);
    const auto to = static_cast<messaging::Peer>(frame.id >> 32);
    if (to == messaging::NO_PEER || to == m_self)
    {
        const uint64_t contents = (uint64_t{list[1]} << 32) | list[0];
        out.Deliver(
            messaging::Delivery{number, contents, source, frame.payload, frame.aux, frame.flags});
    }
    return true;
}

template <class Out>
void
GraphCore::OnStatus(messaging::Peer from, bool waiting, List list, Out& out)
{
    for (messaging::Peer source = 0; source < m_config.nPeers; ++source)
    {
        m_has.Raise(from, source, list[source]);
    }
    m_answer |= waiting;
    OnNacks(from, list.subspan(m_config.nPeers), out);
    Settle(out);
    Notice(out);
    ArmIdle(out);
}

template <class Out>
void
GraphCore::OnNacks(messaging::Peer from, List nacks, Out& out)
{
    bool spared = false;
    for (; nacks.size() >= 3; nacks = nacks.subspan(3))
    {
        const auto source = nacks[0];
        const auto number = nacks[1];
        if (source >= m_config.nPeers)
        {
            continue;
        }
        if (source != m_self)
        {
            m_has.Know(source, number);
        }
        spared |= Lacks(source, number);
        auto answers = (source + nacks[2]) % m_config.nPeers;
        answers = answers == from ? (answers + 1) % m_config.nPeers : answers;
        if (answers == m_self && Holds(source, number))
        {
            Repeat(source, number, out);
        }
    }
    if (spared && m_nackArmed)
    {
        Note(GraphEvent::NACK_SPARED, out);
        out.Arm(NACK_TIMER, m_config.nackInterval);
    }
}

template <class Out>
void
GraphCore::Repeat(messaging::Peer source, uint32_t number, Out& out)
{
    auto& slot = m_slots[Place(source, number)];
    if (slot.heldOff)
    {
        Note(GraphEvent::NACK_HELD_OFF, out);
        return;
    }
    if (out.Send(messaging::NO_PEER, slot.frame))
    {
        Note(source == m_self ? GraphEvent::MESSAGE_REPEATED : GraphEvent::MESSAGE_REPLACED, out);
        slot.heldOff = true;
        out.Arm(HOLD_OFF_TIMER, m_config.holdOff);
    }
}

template <class Out>
void
GraphCore::Settle(Out& out)
{
    while (!m_own.empty() && m_own.front().first <= m_has.GetStable(m_self))
    {
        const auto id = m_own.front().second;
        m_own.pop_front();
        out.Complete(id, messaging::Completion::DELIVERED);
    }
}

template <class Out>
void
GraphCore::Notice(Out& out)
{
    if (!m_nackArmed && FindMissing().first != messaging::NO_PEER)
    {
        m_nackArmed = true;
        out.Arm(NACK_TIMER, m_config.nackDelay);
    }
    for (messaging::Peer source = 0; source < m_config.nPeers; ++source)
    {
        if (source != m_self && 2 * (m_has.Get(m_self, source) - m_told[source]) >= m_config.window)
        {
            SendStatus(out);
            return;
        }
    }
    ArmIdle(out);
}

template <class Out>
void
GraphCore::ArmIdle(Out& out)
{
    if (!m_idleArmed && (m_answer || !m_has.IsAllStable()))
    {
        m_idleArmed = true;
        out.Arm(IDLE_TIMER, m_config.idleDelay);
    }
}

} // namespace pcode
} // namespace ns3

#endif // PCODE_GRAPH_CORE_IMPL_H
