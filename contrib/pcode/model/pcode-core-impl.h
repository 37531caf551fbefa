/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_CORE_IMPL_H
#define PCODE_CORE_IMPL_H

#include "pcode-core.h"

#include <algorithm>

/**
 * @file
 * @ingroup pcode
 * P1 and PCODE: calls, messages, counters. Included by pcode-core.h.
 */

namespace ns3
{
namespace pcode
{

inline PcodeCore::PcodeCore(const PcodeConfig& config, messaging::Peer self)
    : m_config(&config),
      m_pcv(config.groups->GetNProcessors()),
      m_known(m_pcv.size()),
      m_acked(m_pcv.size()),
      m_ready(m_pcv.size()),
      m_ended(m_pcv.size()),
      m_gapTimer(m_pcv.size()),
      m_counters(config.groups->GetNProcessors(), self),
      m_direct(config),
      m_self(self)
{
}

template <class Out>
messaging::Acceptance
PcodeCore::OnRequest(const messaging::Request& call, Out& out)
{
    if (m_ended[m_self] || (!(call.flags & END_CALL) && !IsSound(call, *m_config, m_self)))
    {
        return messaging::Acceptance::REFUSED;
    }
    if (m_open != CallKind::SKIP)
    {
        return messaging::Acceptance::STALLED;
    }
    m_call = call;
    if (call.flags & END_CALL)
    {
        m_ended[m_self] = 1;
        m_statusFresh = false;
        m_ending = true;
        m_gone = !m_config->linger;
        TryEnd(out);
        return messaging::Acceptance::ACCEPTED;
    }
    if (!(call.flags & REQUEST_CALL))
    {
        m_open = CallKind::MULTICAST;
        m_waits = 0;
        if (m_config->groups->GetSize(call.tag) == 0)
        {
            Return(messaging::Completion::SENT, out);
        }
        else
        {
            TryMulticast(true, out);
        }
        return messaging::Acceptance::ACCEPTED;
    }
    m_open = CallKind::REQUEST;
    const messaging::Peer q = call.to;
    if (IsDirect(call.tag))
    {
        if (TryDeliver(out) && m_direct.IsAwaited(q))
        {
            m_direct.Answer(q, false, m_self, *m_config, out);
        }
    }
    else if (!TryDeliver(out))
    {
        // Section 5.7: the message is given a chance to arrive. P0 and P1 ask at once.
        if (m_config->requestDelay > 0)
        {
            out.Arm(MakeTimer(Timer::REQUEST), m_config->requestDelay);
        }
        else
        {
            OnTimer(MakeTimer(Timer::REQUEST), out);
        }
    }
    return messaging::Acceptance::ACCEPTED;
}

template <class Out>
void
PcodeCore::OnFrame(messaging::Peer from, const messaging::Frame& frame, Out& out)
{
    if (m_gone)
    {
        return;
    }
    if (from == m_self || from >= m_pcv.size())
    {
        Note(Event::ILLEGAL, out);
        return;
    }
    const auto kind = static_cast<FrameKind>(frame.kind);
    switch (kind)
    {
    case FrameKind::REGULAR:
    case FrameKind::DIRECT: {
        const Message m = ReadRegular(frame);
        if (!m_config->groups->IsKnown(m.group))
        {
            Note(Event::ILLEGAL, out);
        }
        else if (kind == FrameKind::REGULAR)
        {
            OnRegular(from, m, out);
        }
        else
        {
            OnDirect(from, m, frame.flags & DIRECT_MORE, out);
        }
        return;
    }
    case FrameKind::NACK:
        OnNack(from, frame, out);
        return;
    case FrameKind::GLOBAL_NACK:
        Resend([&](const Message& m) { return m.global >= frame.id && m.global <= frame.aux; },
               false,
               out);
        return;
    case FrameKind::POLL:
        TakeCounter(from, frame.aux, false, out);
        TakeEnded(from, frame, out);
        SendStatus(Event::STATUS_ANSWERED, out);
        return;
    case FrameKind::STATUS:
        OnStatus(from, frame, out);
        return;
    case FrameKind::DIRECT_ACK:
        m_direct.OnAck(from,
                       frame.id,
                       frame.aux,
                       frame.flags & DIRECT_AGAIN,
                       MakeTimer(Timer::DIRECT, from),
                       m_self,
                       *m_config,
                       out);
        TryMulticast(false, out);
        return;
    }
    Note(Event::ILLEGAL, out);
}

template <class Out>
void
PcodeCore::OnTimer(messaging::TimerId timer, Out& out)
{
    const auto number = static_cast<uint32_t>(timer);
    if (m_gone)
    {
        return;
    }
    switch (static_cast<Timer>(timer >> 32))
    {
    case Timer::REQUEST:
        if (m_open == CallKind::REQUEST)
        {
            SendNack(m_call.to, Event::REQUEST_NACK, out);
            out.Arm(timer, m_config->GetNackPeriod(m_self));
        }
        return;
    case Timer::PERSONAL:
        if (number < m_gapTimer.size() && m_gapTimer[number])
        {
            m_gapTimer[number] = HasPersonalGap(number);
            if (m_gapTimer[number])
            {
                SendNack(number, Event::PERSONAL_NACK, out);
                out.Arm(timer, m_config->GetNackPeriod(m_self));
            }
        }
        return;
    case Timer::GLOBAL:
        m_globalTimer = m_globalTimer && GetGlobalGap() > m_counters.Get();
        if (m_globalTimer)
        {
            messaging::Frame frame = MakeFrame(FrameKind::GLOBAL_NACK, m_self, *m_config);
            frame.id = m_counters.Get() + 1;
            frame.aux = GetGlobalGap();
            Send(messaging::NO_PEER, frame, Event::GLOBAL_NACK_SENT, out);
            out.Arm(timer, m_config->GetNackPeriod(m_self));
        }
        return;
    case Timer::POLL:
        m_polling = false;
        if (m_config->pollAgain)
        {
            TryMulticast(false, out);
            TryEnd(out);
        }
        return;
    case Timer::HOLD:
        m_statusFresh = m_statusFresh && number != 0;
        for (auto& sent : m_sent)
        {
            sent.moment = sent.m.personal == number ? Moment::PAST : sent.moment;
        }
        return;
    case Timer::DIRECT:
        if (number < m_pcv.size())
        {
            m_direct.OnTimer(number, timer, m_self, *m_config, out);
        }
        return;
    }
    Note(Event::ILLEGAL, out);
}

template <class Out>
void
PcodeCore::TryMulticast(bool first, Out& out)
{
    if (m_open != CallKind::MULTICAST)
    {
        return;
    }
    if (IsDirect(m_call.tag))
    {
        const auto target = m_config->groups->Get(m_call.tag, m_self).GetMembers().front();
        if (m_direct.GetNUnanswered(target) < m_config->sendBuffer)
        {
            const Message m{m_call.contents, 0, 0, m_call.tag, m_call.bytes};
            const auto timer = MakeTimer(Timer::DIRECT, target);
            m_direct.Send(target, m, timer, m_self, *m_config, out);
            Return(messaging::Completion::SENT, out);
        }
        else if (first)
        {
            Note(Event::WAIT_BUFFER, out);
        }
        return;
    }
    if (m_sent.size() >= m_config->sendBuffer)
    {
        if (first)
        {
            Note(Event::WAIT_BUFFER, out);
        }
        Poll(true, out);
        return;
    }
    if (m_config->flowControl && m_counters.GetSpread() > m_config->flowWindow)
    {
        const bool patient = m_config->flowPatience == 0 || m_waits < m_config->flowPatience;
        if (first)
        {
            Note(Event::WAIT_FLOW, out);
        }
        if (patient || m_polling)
        {
            Poll(m_config->progressOnDemand, out);
            return;
        }
        Note(Event::FLOW_OVERSTEPPED, out);
    }
    Communicate(out);
}

template <class Out>
void
PcodeCore::Communicate(Out& out)
{
    Message m{m_call.contents, ++m_pcv[m_self], 0, m_call.tag, m_call.bytes};
    m.before = HasMark(m_config->discard) ? static_cast<uint8_t>(m_sent.size()) : 0;
    if (m_config->globalCounter)
    {
        m.global = m_counters.Originate();
        m_topGlobal = std::max(m_topGlobal, m.global);
    }
    m_sent.push_back(Sent{m, m_config->holdOff > 0 ? Moment::FIRST : Moment::PAST});
    Send(messaging::NO_PEER, MakeRegular(m, m_self, *m_config), Event::REGULAR_FIRST, out);
    if (m_config->holdOff > 0)
    {
        out.Arm(MakeTimer(Timer::HOLD, m.personal), m_config->holdOff);
    }
    AfterCounter(out);
    Return(messaging::Completion::SENT, out);
}

template <class Out>
bool
PcodeCore::TryDeliver(Out& out)
{
    const auto q = m_call.to;
    if (m_open != CallKind::REQUEST)
    {
        return false;
    }
    Message m;
    if (IsDirect(m_call.tag))
    {
        const auto taken = m_direct.Take(q);
        if (!taken)
        {
            return false;
        }
        m = *taken;
    }
    else
    {
        if (m_ready[q].empty())
        {
            return false;
        }
        m = m_ready[q].front();
        m_ready[q].erase(m_ready[q].begin());
        TakeEarly(q, out);
        CheckGaps(q, out);
    }
    Note(Event::DELIVERED, out);
    out.Cancel(MakeTimer(Timer::REQUEST));
    out.Deliver(MakeDelivery(m, q));
    Return(messaging::Completion::DELIVERED, out);
    return true;
}

template <class Out>
void
PcodeCore::TryEnd(Out& out)
{
    if (!m_ending)
    {
        return;
    }
    if (!m_gone && std::count(m_ended.begin(), m_ended.end(), 0) > 0)
    {
        Poll(true, out);
        return;
    }
    m_ending = false;
    Return(messaging::Completion::SENT, out);
}

template <class Out>
void
PcodeCore::Return(messaging::Completion completion, Out& out)
{
    if (m_polling)
    {
        m_polling = false;
        out.Cancel(MakeTimer(Timer::POLL));
    }
    m_open = CallKind::SKIP;
    out.Complete(m_call.id, completion);
}

template <class Out>
void
PcodeCore::OnRegular(messaging::Peer q, const Message& m, Out& out)
{
    m_known[q] = std::max(m_known[q], m.personal);
    m_topGlobal = std::max(m_topGlobal, m.global);
    if (HasMark(m_config->discard))
    {
        Skip(q, m, out);
    }
    const bool hasRoom = m_ready[q].size() < m_config->slots;
    if (m.personal <= m_pcv[q])
    {
        Note(Event::DROP_LATE, out);
    }
    else if (m.personal == m_pcv[q] + 1 && hasRoom)
    {
        std::erase_if(m_early, [&](const Early& early) {
            return early.source == q && early.m.personal == m.personal;
        });
        Accept(q, m, out);
        TakeEarly(q, out);
    }
    else if (m_config->earlyMessages)
    {
        KeepEarly(q, m, out);
    }
    else
    {
        Note(hasRoom ? Event::DROP_EARLY : Event::DROP_SLOT, out);
    }
    CheckGaps(q, out);
    if (m_open == CallKind::REQUEST && m_call.to == q)
    {
        TryDeliver(out);
    }
    else
    {
        TryMulticast(false, out);
    }
}

template <class Out>
void
PcodeCore::OnDirect(messaging::Peer q, const Message& m, bool more, Out& out)
{
    Note(m_direct.OnMessage(q, m, more, *m_config), out);
    const bool taken = m_open == CallKind::REQUEST && m_call.to == q && IsDirect(m_call.tag);
    m_direct.Answer(q, taken, m_self, *m_config, out);
    if (taken)
    {
        TryDeliver(out);
    }
}

template <class Out>
void
PcodeCore::Accept(messaging::Peer q, const Message& m, Out& out)
{
    m_pcv[q] = m.personal;
    if (m_config->groups->Contains(m.group, q, m_self))
    {
        m_ready[q].push_back(m);
        Note(Event::ACCEPTED, out);
    }
    else
    {
        Note(Event::PASSED_OVER, out);
    }
    TakeCounter(q, m.global, true, out);
}

template <class Out>
void
PcodeCore::Skip(messaging::Peer q, const Message& m, Out& out)
{
    const uint32_t gone = m.personal - std::min(m.personal, 1U + m.before);
    if (m_pcv[q] >= gone)
    {
        return;
    }
    m_pcv[q] = gone;
    std::erase_if(m_early, [&](const Early& early) {
        return early.source == q && early.m.personal <= gone;
    });
    Note(Event::SKIPPED, out);
    TakeEarly(q, out);
}

template <class Out>
void
PcodeCore::KeepEarly(messaging::Peer q, const Message& m, Out& out)
{
    if (FindEarly(q, m.personal) != m_early.end())
    {
        Note(Event::DROP_LATE, out);
    }
    else if (m_early.size() >= m_config->earlyBuffer)
    {
        Note(Event::DROP_EARLY_FULL, out);
    }
    else
    {
        m_early.push_back(Early{q, m});
        Note(Event::KEPT_EARLY, out);
    }
}

template <class Out>
void
PcodeCore::TakeEarly(messaging::Peer q, Out& out)
{
    for (auto next = FindEarly(q, m_pcv[q] + 1);
         next != m_early.end() && m_ready[q].size() < m_config->slots;
         next = FindEarly(q, m_pcv[q] + 1))
    {
        const Message m = next->m;
        m_early.erase(next);
        Note(Event::TAKEN_EARLY, out);
        Accept(q, m, out);
    }
}

inline std::vector<PcodeCore::Early>::iterator
PcodeCore::FindEarly(messaging::Peer q, uint32_t personal)
{
    return std::find_if(m_early.begin(), m_early.end(), [&](const Early& early) {
        return early.source == q && early.m.personal == personal;
    });
}

template <class Out>
void
PcodeCore::TakeCounter(messaging::Peer q, uint32_t counter, bool original, Out& out)
{
    if (!m_config->globalCounter)
    {
        return;
    }
    const auto held = m_counters.GetNHeld();
    if (!m_counters.Take(q, counter, original))
    {
        Note(Event::COUNTER_HELD, out);
        return;
    }
    for (auto freed = m_counters.GetNHeld(); freed < held; ++freed)
    {
        Note(Event::COUNTER_FREED, out);
    }
    AfterCounter(out);
}

template <class Out>
void
PcodeCore::AfterCounter(Out& out)
{
    if (m_config->periodicStatus && m_counters.Get() - m_lastStatus > m_config->statusWindow)
    {
        SendStatus(Event::STATUS_PERIODIC, out);
    }
    if (m_config->flowControl && m_config->progressOnDemand)
    {
        const bool wide = m_counters.GetSpread() > m_config->flowWindow;
        if (wide && !m_wide)
        {
            SendStatus(Event::STATUS_SPREAD, out);
        }
        m_wide = wide;
    }
}

} // namespace pcode
} // namespace ns3

#include "pcode-core-recovery.h"

#endif // PCODE_CORE_IMPL_H
