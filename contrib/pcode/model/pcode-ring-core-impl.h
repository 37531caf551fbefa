/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_RING_CORE_IMPL_H
#define PCODE_RING_CORE_IMPL_H

#include "pcode-ring-core.h"

/**
 * @file
 * @ingroup pcode
 * What RingCore does. Included by pcode-ring-core.h.
 */

namespace ns3
{
namespace pcode
{

template <class Out>
messaging::Acceptance
RingCore::OnRequest(const messaging::Request& request, Out& out)
{
    const bool known =
        request.to == messaging::NO_PEER || (request.to < m_config.nPeers && request.to != m_self);
    if (!known || request.bytes + uint64_t{MESSAGE_HEADER} > m_config.mtu)
    {
        Note(RingEvent::POST_REFUSED, out);
        return messaging::Acceptance::REFUSED;
    }
    if (m_config.nPeers == 1)
    {
        out.Complete(request.id, messaging::Completion::DELIVERED);
        return messaging::Acceptance::ACCEPTED;
    }
    if (!CanAccept())
    {
        Note(RingEvent::POST_STALLED, out);
        return messaging::Acceptance::STALLED;
    }
    m_queue.push_back(request);
    if (m_parked)
    {
        Unpark(out);
    }
    else if (!m_visiting && !m_wanting && MayBeParked())
    {
        Want(out);
    }
    return messaging::Acceptance::ACCEPTED;
}

template <class Out>
void
RingCore::OnFrame(messaging::Peer from, const messaging::Frame& frame, Out& out)
{
    switch (static_cast<RingKind>(frame.kind))
    {
    case RingKind::MESSAGE:
        OnMessage(frame, out);
        return;
    case RingKind::TOKEN:
        OnToken(from, frame, out);
        return;
    case RingKind::HELD:
        if (frame.id >= m_token.number)
        {
            m_unconfirmed = false;
            out.Cancel(TOKEN_TIMER);
        }
        return;
    case RingKind::WANT:
        if (m_parked)
        {
            Unpark(out);
        }
        else
        {
            m_wanted = true;
        }
        return;
    }
}

template <class Out>
void
RingCore::OnTimer(messaging::TimerId timer, Out& out)
{
    if (timer == TOKEN_TIMER && m_unconfirmed)
    {
        Note(RingEvent::TOKEN_REPEATED, out);
        SendToken(out);
    }
    else if (timer == WANT_TIMER && m_wanting)
    {
        Want(out);
    }
}

template <class Out>
void
RingCore::OnDone(messaging::WorkId, Out&)
{
}

template <class Out>
void
RingCore::OnReady(Out& out)
{
    if (m_visiting)
    {
        Serve(out);
    }
    else if (m_unsent)
    {
        SendToken(out);
    }
}

template <class Out>
void
RingCore::Note(RingEvent event, Out& out)
{
    out.Note(static_cast<messaging::Reason>(event));
}

template <class Out>
void
RingCore::OnMessage(const messaging::Frame& frame, Out& out)
{
    const auto seq = static_cast<uint32_t>(frame.id);
    if (m_unconfirmed && seq > m_token.seq)
    {
        m_unconfirmed = false;
        out.Cancel(TOKEN_TIMER);
    }
    if (seq <= m_aru || Holds(seq))
    {
        Note(RingEvent::MESSAGE_DUPLICATE, out);
        return;
    }
    Note(RingEvent::MESSAGE_KEPT, out);
    Slot(seq) = frame;
    m_received = std::max(m_received, seq);
    Advance(out);
}

template <class Out>
void
RingCore::Advance(Out& out)
{
    while (m_aru < m_received && Holds(m_aru + 1))
    {
        ++m_aru;
        const messaging::Frame frame = Slot(m_aru);
        const auto to = static_cast<messaging::Peer>(frame.id >> 32);
        if (frame.source != m_self && (to == messaging::NO_PEER || to == m_self))
        {
            out.Deliver(messaging::Delivery{m_aru,
                                            frame.contents,
                                            frame.source,
                                            frame.payload,
                                            frame.aux,
                                            frame.flags});
        }
    }
}

template <class Out>
void
RingCore::OnToken(messaging::Peer from, const messaging::Frame& frame, Out& out)
{
    const Token token = Unpack(frame);
    if (token.number <= m_token.number)
    {
        Note(RingEvent::TOKEN_DUPLICATE, out);
        SendHeld(from, out);
        return;
    }
    Note(RingEvent::TOKEN_TAKEN, out);
    m_token = token;
    m_unconfirmed = false;
    m_unsent = false;
    out.Cancel(TOKEN_TIMER);
    if (m_wanting)
    {
        m_wanting = false;
        out.Cancel(WANT_TIMER);
    }
    Visit(out);
}

template <class Out>
void
RingCore::Visit(Out& out)
{
    m_visiting = true;
    m_worked = false;
    m_token.recent -= std::min(m_token.recent, m_lastSent);
    m_lastSent = 0;
    Settle(out);
    m_budget =
        std::min(m_config.perVisit, m_config.window - std::min(m_config.window, m_token.recent));
    m_answers = 0;
    for (uint64_t rest = m_token.wanted; rest; rest &= rest - 1)
    {
        const auto bit = static_cast<uint32_t>(std::countr_zero(rest));
        m_answers |= Holds(m_token.seq - bit) ? uint64_t{1} << bit : 0;
    }
    for (uint32_t seq = m_aru + 1; seq <= m_token.seq; ++seq)
    {
        m_token.wanted |= Holds(seq) ? 0 : uint64_t{1} << (m_token.seq - seq);
    }
    Serve(out);
}

template <class Out>
void
RingCore::Serve(Out& out)
{
    while (m_answers)
    {
        const auto bit = static_cast<uint32_t>(std::countr_zero(m_answers));
        if (!out.Send(messaging::NO_PEER, Slot(m_token.seq - bit)))
        {
            return;
        }
        Note(RingEvent::MESSAGE_REPEATED, out);
        m_answers &= m_answers - 1;
        m_token.wanted &= ~(uint64_t{1} << bit);
        m_worked = true;
    }
    while (!m_queue.empty() && m_budget && m_token.seq - m_safe < m_config.span)
    {
        const messaging::Request request = m_queue.front();
        messaging::Frame frame;
        frame.kind = static_cast<uint8_t>(RingKind::MESSAGE);
        frame.id = (uint64_t{request.to} << 32) | (m_token.seq + 1);
        frame.contents = request.contents;
        frame.source = m_self;
        frame.payload = request.bytes;
        frame.aux = request.tag;
        frame.flags = request.flags;
        frame.header = MESSAGE_HEADER;
        if (!out.Send(messaging::NO_PEER, frame))
        {
            return;
        }
        Note(RingEvent::MESSAGE_SENT, out);
        m_queue.pop_front();
        --m_budget;
        ++m_token.seq;
        m_token.wanted <<= 1;
        ++m_lastSent;
        m_own.emplace_back(m_token.seq, request.id);
        Slot(m_token.seq) = frame;
        m_received = std::max(m_received, m_token.seq);
        m_worked = true;
    }
    Advance(out);
    Pass(out);
}

template <class Out>
void
RingCore::Pass(Out& out)
{
    if (m_aru < m_token.aru || m_token.aruPeer == m_self || m_token.aruPeer == MAX_PEERS)
    {
        m_token.aru = m_aru;
        m_token.aruPeer = m_aru == m_token.seq ? MAX_PEERS : m_self;
    }
    Settle(out);
    m_lastAru = m_token.aru;
    m_token.recent += m_lastSent;
    const bool needed =
        m_worked || m_wanted || m_token.wanted || !m_queue.empty() || m_safe != m_token.seq;
    m_wanted = false;
    m_visiting = false;
    m_token.idle = needed ? 0 : m_token.idle + 1;
    if (m_token.idle >= m_config.idleRotations * m_config.nPeers)
    {
        Note(RingEvent::TOKEN_PARKED, out);
        m_parked = true;
        SendHeld(messaging::NO_PEER, out);
        return;
    }
    ++m_token.number;
    m_unconfirmed = true;
    Note(RingEvent::TOKEN_PASSED, out);
    SendToken(out);
}

template <class Out>
void
RingCore::Unpark(Out& out)
{
    m_parked = false;
    m_wanted = true;
    Visit(out);
}

template <class Out>
void
RingCore::Settle(Out& out)
{
    m_safe = std::max(m_safe, std::min(m_lastAru, m_token.aru));
    while (!m_own.empty() && m_own.front().first <= m_safe)
    {
        const auto id = m_own.front().second;
        m_own.pop_front();
        out.Complete(id, messaging::Completion::DELIVERED);
    }
}

template <class Out>
void
RingCore::SendToken(Out& out)
{
    m_unsent = !out.Send((m_self + 1) % m_config.nPeers, Pack(m_token, m_self));
    out.Arm(TOKEN_TIMER, m_config.tokenTimeout);
}

template <class Out>
void
RingCore::SendHeld(messaging::Peer to, Out& out)
{
    messaging::Frame frame;
    frame.kind = static_cast<uint8_t>(RingKind::HELD);
    frame.id = m_token.number;
    frame.source = m_self;
    frame.header = CONTROL_HEADER;
    out.Send(to, frame);
}

template <class Out>
void
RingCore::Want(Out& out)
{
    Note(RingEvent::TOKEN_WANTED, out);
    messaging::Frame frame;
    frame.kind = static_cast<uint8_t>(RingKind::WANT);
    frame.source = m_self;
    frame.header = CONTROL_HEADER;
    out.Send(messaging::NO_PEER, frame);
    m_wanting = true;
    out.Arm(WANT_TIMER, m_config.wantTimeout);
}

} // namespace pcode
} // namespace ns3

#endif // PCODE_RING_CORE_IMPL_H
