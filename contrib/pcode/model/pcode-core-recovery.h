/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_CORE_RECOVERY_H
#define PCODE_CORE_RECOVERY_H

#include "pcode-core.h"

#include <algorithm>

/**
 * @file
 * @ingroup pcode
 * P1 and PCODE: gaps, NACKs, STATUS. Included by pcode-core.h.
 */

namespace ns3
{
namespace pcode
{

inline bool
PcodeCore::HasPersonalGap(messaging::Peer q) const
{
    return m_known[q] > m_pcv[q] && m_ready[q].size() < m_config->slots &&
           std::none_of(
               m_early.begin(),
               m_early.end(),
               [&](const Early& early) {
                   return early.source == q && early.m.personal == m_pcv[q] + 1;
               });
}

inline uint32_t
PcodeCore::GetGlobalGap() const
{
    const uint32_t own = m_counters.Get();
    uint32_t next = m_counters.GetLowestHeld();
    for (const auto& early : m_early)
    {
        if (early.m.global > own && (next == 0 || early.m.global < next))
        {
            next = early.m.global;
        }
    }
    next = next == 0 ? m_topGlobal : next;
    return next > own + 1 ? next - 1 : own;
}

template <class Out>
void
PcodeCore::CheckGaps(messaging::Peer q, Out& out)
{
    const auto watch = [&out](bool gap, auto& set, messaging::TimerId timer, auto delay) {
        if (gap && !set)
        {
            set = true;
            out.Arm(timer, delay);
        }
        else if (!gap && set)
        {
            set = false;
            out.Cancel(timer);
        }
    };
    if (m_config->personalGapNack)
    {
        watch(HasPersonalGap(q),
              m_gapTimer[q],
              MakeTimer(Timer::PERSONAL, q),
              m_config->personalDelay);
    }
    if (m_config->globalGapNack)
    {
        watch(GetGlobalGap() > m_counters.Get(),
              m_globalTimer,
              MakeTimer(Timer::GLOBAL),
              m_config->globalDelay);
    }
}

template <class Out>
void
PcodeCore::SendNack(messaging::Peer q, Event event, Out& out)
{
    // What is known to be missing, if that is kept track of; else all that Figure 3 resends.
    uint32_t last = 0;
    if ((m_config->earlyMessages || m_config->personalGapNack) && m_known[q] > m_pcv[q])
    {
        last = m_known[q];
        for (const auto& early : m_early)
        {
            last = early.source == q ? std::min(last, early.m.personal - 1) : last;
        }
    }
    messaging::Frame frame = MakeFrame(FrameKind::NACK, m_self, *m_config);
    frame.aux = q;
    frame.id = m_pcv[q];
    frame.contents = last;
    Send(m_config->directNacks ? q : messaging::NO_PEER, frame, event, out);
}

template <class Out>
void
PcodeCore::OnNack(messaging::Peer from, const messaging::Frame& frame, Out& out)
{
    if (frame.aux != m_self)
    {
        Note(Event::NACK_OF_OTHERS, out);
        return;
    }
    if (frame.id >= m_pcv[m_self])
    {
        Note(Event::NACK_AHEAD, out);
    }
    else if (m_sent.empty() || m_sent.front().m.personal > frame.id + 1)
    {
        Note(Event::NACK_FORGOTTEN, out);
    }
    Resend(
        [&](const Message& m) {
            return m.personal > frame.id && (frame.contents == 0 || m.personal <= frame.contents);
        },
        frame.contents != 0,
        out);
    TakeAck(from, static_cast<uint32_t>(frame.id), out);
}

template <class Wanted, class Out>
void
PcodeCore::Resend(Wanted&& wanted, bool isLost, Out& out)
{
    for (std::size_t i = 0; i < m_sent.size(); ++i)
    {
        Sent& sent = m_sent[i];
        if (!wanted(sent.m))
        {
            continue;
        }
        if (sent.moment == Moment::AGAIN || (sent.moment == Moment::FIRST && !isLost))
        {
            Note(Event::HELD_BACK, out);
            continue;
        }
        if (m_config->discard == DiscardRule::FRESH_MARK)
        {
            sent.m.before = static_cast<uint8_t>(i);
        }
        Send(messaging::NO_PEER,
             MakeRegular(sent.m, m_self, *m_config),
             Event::REGULAR_RESENT,
             out);
        if (m_config->holdOff > 0)
        {
            sent.moment = Moment::AGAIN;
            out.Arm(MakeTimer(Timer::HOLD, sent.m.personal), m_config->holdOff);
        }
    }
}

template <class Out>
void
PcodeCore::Poll(bool ask, Out& out)
{
    if (m_polling)
    {
        return;
    }
    m_polling = true;
    m_waits += m_waits < m_config->flowPatience;
    out.Arm(MakeTimer(Timer::POLL), m_config->pollPeriod);
    if (ask)
    {
        messaging::Frame frame = MakeFrame(FrameKind::POLL, m_self, *m_config);
        frame.aux = m_counters.Get();
        frame.flags = m_ended[m_self] ? STATUS_ENDED : 0;
        Send(messaging::NO_PEER, frame, Event::POLL_SENT, out);
    }
}

template <class Out>
void
PcodeCore::SendStatus(Event event, Out& out)
{
    const uint64_t vector = m_config->lists->Put(m_pcv);
    const bool solicited = event == Event::STATUS_ANSWERED;
    if (solicited && m_statusFresh && vector == m_lastVector && m_lastStatus == m_counters.Get())
    {
        // Everybody has been sent the very same a moment ago.
        Note(Event::HELD_BACK, out);
        return;
    }
    m_lastVector = vector;
    m_lastStatus = m_counters.Get();
    messaging::Frame frame = MakeFrame(FrameKind::STATUS, m_self, *m_config);
    frame.contents = vector;
    frame.aux = m_counters.Get();
    frame.payload = static_cast<uint32_t>(m_pcv.size()) * m_config->counterBytes;
    frame.flags = static_cast<uint8_t>((solicited ? STATUS_SOLICITED : 0) |
                                       (m_ended[m_self] ? STATUS_ENDED : 0));
    Send(messaging::NO_PEER, frame, event, out);
    if (solicited && m_config->holdOff > 0)
    {
        m_statusFresh = true;
        out.Arm(MakeTimer(Timer::HOLD), m_config->holdOff);
    }
}

template <class Out>
void
PcodeCore::OnStatus(messaging::Peer from, const messaging::Frame& frame, Out& out)
{
    const auto vector = m_config->lists->Get(frame.contents);
    if (vector.size() != m_pcv.size())
    {
        Note(Event::ILLEGAL, out);
        return;
    }
    const uint32_t count = vector[m_self];
    TakeCounter(from, frame.aux, false, out);
    if (m_config->resendOnStatus && (frame.flags & STATUS_SOLICITED))
    {
        Resend([count](const Message& m) { return m.personal > count; }, false, out);
    }
    TakeAck(from, count, out);
    TakeEnded(from, frame, out);
    TryMulticast(false, out);
}

template <class Out>
void
PcodeCore::TakeEnded(messaging::Peer from, const messaging::Frame& frame, Out& out)
{
    if ((frame.flags & STATUS_ENDED) && !m_ended[from])
    {
        m_ended[from] = 1;
        TryEnd(out);
    }
}

template <class Out>
void
PcodeCore::TakeAck(messaging::Peer q, uint32_t count, Out& out)
{
    if (count <= m_acked[q] || count > m_pcv[m_self])
    {
        return;
    }
    m_acked[q] = count;
    std::size_t discarded = 0;
    while (discarded < m_sent.size() && IsAcknowledged(m_sent[discarded].m))
    {
        Note(Event::DISCARDED, out);
        if (m_sent[discarded].moment != Moment::PAST)
        {
            out.Cancel(MakeTimer(Timer::HOLD, m_sent[discarded].m.personal));
        }
        ++discarded;
    }
    m_sent.erase(m_sent.begin(), m_sent.begin() + static_cast<int64_t>(discarded));
    if (discarded > 0)
    {
        TryMulticast(false, out);
    }
}

inline uint32_t
PcodeCore::GetLowestAck() const
{
    uint32_t lowest = m_pcv[m_self];
    for (messaging::Peer q = 0; q < m_acked.size(); ++q)
    {
        lowest = q == m_self ? lowest : std::min(lowest, m_acked[q]);
    }
    return lowest;
}

inline bool
PcodeCore::IsAcknowledged(const Message& m) const
{
    for (messaging::Peer q = 0; q < m_acked.size(); ++q)
    {
        const bool counts =
            m_config->discard == DiscardRule::ALL || m_config->groups->Contains(m.group, m_self, q);
        if (q != m_self && counts && m_acked[q] < m.personal)
        {
            return false;
        }
    }
    return true;
}

inline void
PcodeCore::Encode(messaging::Encoder& e) const
{
    e.Put(static_cast<uint64_t>(m_open) | uint64_t{m_polling} << 2 | uint64_t{m_globalTimer} << 3 |
          uint64_t{m_wide} << 4 | uint64_t{m_statusFresh} << 5 | uint64_t{m_ending} << 6 |
          uint64_t{m_gone} << 7 | uint64_t{m_waits} << 8);
    e.Put(uint64_t{m_lastStatus} << 32 | m_topGlobal);
    e.Put(m_statusFresh ? m_lastVector : 0);
    for (std::size_t q = 0; q < m_pcv.size(); ++q)
    {
        e.Put(uint64_t{m_pcv[q]} << 32 | (m_config->personalGapNack ? m_known[q] : 0));
        e.Put(uint64_t{m_acked[q]} << 32 | m_ready[q].size() << 2 | uint64_t{m_ended[q]} << 1 |
              m_gapTimer[q]);
    }
    std::vector<uint64_t> early;
    early.reserve(m_early.size());
    for (const auto& entry : m_early)
    {
        early.push_back(uint64_t{entry.source} << 32 | entry.m.personal);
    }
    std::sort(early.begin(), early.end());
    e.Put(early.size());
    for (const auto entry : early)
    {
        e.Put(entry);
    }
    e.Put(m_sent.size());
    for (const auto& sent : m_sent)
    {
        const bool isStale = m_config->discard == DiscardRule::STALE_MARK;
        e.Put(static_cast<uint64_t>(sent.moment) | uint64_t{isStale ? sent.m.before : 0U} << 2);
    }
    if (m_config->globalCounter)
    {
        m_counters.Encode(e);
    }
    m_direct.Encode(e);
}

} // namespace pcode
} // namespace ns3

#endif // PCODE_CORE_RECOVERY_H
