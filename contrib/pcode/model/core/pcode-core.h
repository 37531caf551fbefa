/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_CORE_H
#define PCODE_CORE_H

#include "ns3/messaging-core.h"
#include "ns3/pcode-config.h"
#include "ns3/pcode-counters.h"
#include "ns3/pcode-direct.h"

#include <algorithm>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup pcode
 * P0, P1 and PCODE (paper 3, sections 3 to 5).
 */

namespace ns3
{
namespace pcode
{

/**
 * One node of P0, P1 or PCODE, which PcodeConfig selects.
 *
 * P0, section 3:
 * @verbatim
   do forever {                                                                   Figure 2
     if there is a multicast (m, T) issued from the layer above then
       communicate (m, T);                                               OnRequest
     if there is a request (q, T) for a message to be delivered then     OnRequest
       if there is a ready message m from source q then
         deliver (m);
       else {
         IssueNack (q);
         denote there is a pending request (q, T); }
     if there is an incoming receive (m) then {                                   OnFrame
       handle (m);
       if there is a pending request (m.sender, m.target) then
         if m is in the ready slot from source m.sender then {
           deliver (m);
           inactivate the nack timer (if it was set);
           denote that there is no pending request; } }
     if the nack timer has expired then                                           OnTimer
       if there is a pending request (q, T) then
         IssueNack (q); }

   handle (m) {                                                                   Figure 3
     q = m.sender;
     T = m.target;
     if (q == myid) then return;
     case (m.type) of
     REGULAR msg:                                                               OnRegular
       if the ready slot for q is not free then return;
       if (m.PersonalCount != pcv[q] + 1) then return;
       pcv[q] = m.PersonalCount;
       if (myid is a member of T) then put m into ready slot for q;
     NACK msg:                                                                  OnNack
       if (T == myid) then
         resend m' from buffer of sent messages for which m'.PersonalCount > m.LastRcvd;
     return; }

   communicate (m, T) {                                                           Figure 4
     increment pcv[myid];
     m.PersonalCount = pcv[myid];
     m.sender = myid;
     m.type = REGULAR msg;
     m.target = T;
     broadcast m;
     Keep m in buffer of sent messages; }

   IssueNack (q) {                                                                Figure 5
     m.sender = myid;
     m.type = NACK msg;
     m.target = q;
     m.LastRcvd = pcv[q];
     broadcast m;
     set the nack timer; }
   @endverbatim
 * A multicast returns when its message is in the buffer, so at most one call is open. "A pending
 * request (m.sender, m.target)" is one for the source of m; in a correct program its target set is
 * that of m, which a driver checks.
 *
 * In P1 (section 4), a sender discards messages after it has verified with a STATUS mechanism that
 * their targets have handled them. The pseudocode is in a report that is not available. An
 * exhaustive search verified this one:
 * @verbatim
   multicast (m, T):   while the buffer of sent messages is full
                         broadcast POLL; set the poll timer;
                       communicate (m, T);
   POLL from p:        broadcast STATUS, which has pcv;
   STATUS from q:      acked[q] = max (acked[q], STATUS.pcv[myid]);
                       discard the messages that all others have acknowledged;
                       resend those above STATUS.pcv[myid];
   poll timer:         as long as the multicast waits, as above;
   NACK from q:        acked[q] = max (acked[q], NACK.LastRcvd);
                       resend those above LastRcvd;
   everything else as in P0, whose buffer is never full and of which nothing is discarded.
   @endverbatim
 * "All others" replaces "all the processors in the target set" of section 4: a node outside of the
 * target set also counts messages, and would request a missed message forever.
 *
 * A node answers even after the end of its program: another one may still need a message or a
 * STATUS of it.
 *
 * The members and PcodeConfig refer to the additions of section 5.
 */
class PcodeCore : public PassiveCore
{
  public:
    /**
     * Constructor.
     * @param config parameters, which must outlive the core
     * @param self the node
     */
    PcodeCore(const PcodeConfig& config, messaging::Peer self)
        : m_config(&config),
          m_pcv(config.groups->GetNNodes()),
          m_known(m_pcv.size()),
          m_acked(m_pcv.size()),
          m_ready(m_pcv.size()),
          m_gapTimer(m_pcv.size()),
          m_counters(config.groups->GetNNodes(), self),
          m_direct(config),
          m_self(self),
          m_sequence(config.dither ? self + 1 : 0)
    {
    }

    /**
     * Issue a call of the layer above (see GlobalProgram).
     * @param call the call
     * @param out actions
     * @return accepted, stalled while another call is open, or refused
     */
    template <class Out>
    messaging::Acceptance OnRequest(const messaging::Request& call, Out& out)
    {
        return OnCall(call, Label{call.tag, 0}, out);
    }

    /**
     * Issue a call of the layer above, whose message has a tag and flags of its own.
     * @param call the call
     * @param label tag and flags with which the message of a multicast is delivered
     * @param out actions
     * @return accepted, stalled while another call is open, or refused
     */
    template <class Out>
    messaging::Acceptance OnCall(const messaging::Request& call, const Label& label, Out& out)
    {
        if (!IsSound(call, *m_config, m_self))
        {
            return messaging::Acceptance::REFUSED;
        }
        if (m_open != CallKind::SKIP)
        {
            return messaging::Acceptance::STALLED;
        }
        m_call = call;
        m_label = label;
        if (!(call.flags & REQUEST_CALL))
        {
            m_open = CallKind::MULTICAST;
            m_waits = 0;
            m_repeated = false;
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
        m_repeated = false;
        const messaging::Peer q = call.to;
        if (IsDirect(call.tag))
        {
            if (TryDeliver(out) && m_direct.IsAwaited(q))
            {
                m_direct.Answer(q, false, out);
            }
        }
        else if (!TryDeliver(out))
        {
            // Section 5.7: wait for the message before the first NACK. P0 and P1 send it at once.
            if (m_config->requestDelay > 0)
            {
                out.Arm(MakeTimer(PcodeTimer::REQUEST), m_config->requestDelay);
            }
            else
            {
                OnTimer(MakeTimer(PcodeTimer::REQUEST), out);
            }
        }
        return messaging::Acceptance::ACCEPTED;
    }

    /**
     * Handle a frame.
     * @param from its sender
     * @param frame the frame
     * @param out actions
     */
    template <class Out>
    void OnFrame(messaging::Peer from, const messaging::Frame& frame, Out& out)
    {
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
            const auto m = ReadRegular(frame);
            if (!m || !m_config->groups->IsKnown(m->group))
            {
                Note(Event::ILLEGAL, out);
            }
            else if (kind == FrameKind::REGULAR)
            {
                OnRegular(from, *m, out);
            }
            else
            {
                OnDirect(from, *m, frame.flags & DIRECT_MORE, out);
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
            SendStatus(Event::STATUS_ANSWERED, out);
            return;
        case FrameKind::STATUS:
            OnStatus(from, frame, out);
            return;
        case FrameKind::DIRECT_ACK:
            m_direct.OnAck(from, frame.id, frame.aux, frame.flags & DIRECT_AGAIN, out);
            TryMulticast(false, out);
            return;
        }
        Note(Event::ILLEGAL, out);
    }

    /**
     * Handle a timer.
     * @param timer the timer
     * @param out actions
     */
    template <class Out>
    void OnTimer(messaging::TimerId timer, Out& out)
    {
        const auto number = static_cast<uint32_t>(timer);
        switch (static_cast<PcodeTimer>(timer >> 32))
        {
        case PcodeTimer::REQUEST:
            if (m_open == CallKind::REQUEST)
            {
                Repeat([&] { SendNack(m_call.to, Event::REQUEST_NACK, out); });
                out.Arm(timer, m_config->GetNackPeriod(m_self));
            }
            return;
        case PcodeTimer::PERSONAL:
            if (number < m_gapTimer.size() && m_gapTimer[number])
            {
                m_gapTimer[number] = HasPersonalGap(number);
                if (m_gapTimer[number])
                {
                    Repeat([&] { SendNack(number, Event::PERSONAL_NACK, out); });
                    out.Arm(timer, m_config->GetNackPeriod(m_self));
                }
            }
            return;
        case PcodeTimer::GLOBAL:
            m_globalTimer = m_globalTimer && GetGlobalGap() > m_counters.Get();
            if (m_globalTimer)
            {
                messaging::Frame frame = MakeFrame(FrameKind::GLOBAL_NACK);
                frame.id = m_counters.Get() + 1;
                frame.aux = GetGlobalGap();
                Repeat([&] { SendFrame(messaging::NO_PEER, frame, Event::GLOBAL_NACK_SENT, out); });
                out.Arm(timer, m_config->GetNackPeriod(m_self));
            }
            return;
        case PcodeTimer::POLL:
            m_polling = false;
            TryMulticast(false, out);
            return;
        case PcodeTimer::HOLD:
            m_statusFresh = m_statusFresh && number != 0;
            for (auto& sent : m_sent)
            {
                if (sent.m.personal == number)
                {
                    sent.moment = Moment::PAST;
                }
            }
            return;
        case PcodeTimer::DIRECT:
            if (number < m_pcv.size())
            {
                m_direct.OnTimer(number, Draw(), out);
            }
            return;
        }
        Note(Event::ILLEGAL, out);
    }

    /** @return the size of the largest message [bytes]. */
    uint32_t GetLargestMessage() const
    {
        return m_config->maxMessage;
    }

    /** @return true if a call would be accepted. */
    bool CanAccept() const
    {
        return m_open == CallKind::SKIP;
    }

    /**
     * Encode the canonical form of the state: all that determines the future behaviour of the node.
     * Contents follow from the program, and PersonalCounts of sent messages from the node's own.
     * @param e the encoder
     */
    void Encode(messaging::Encoder& e) const
    {
        e.Put(static_cast<uint64_t>(m_open) | uint64_t{m_polling} << 2 |
              uint64_t{m_globalTimer} << 3 | uint64_t{m_wide} << 4 | uint64_t{m_statusFresh} << 5 |
              uint64_t{m_repeated && m_config->dither} << 6 | uint64_t{m_waits} << 8);
        e.Put(m_sequence);
        e.Put(uint64_t{m_lastStatus} << 32 | m_topGlobal);
        if (m_statusFresh || m_config->dither)
        {
            e.Put(m_lastVector.size());
            for (const auto count : m_lastVector)
            {
                e.Put(count);
            }
        }
        const bool tracksGaps = m_config->personalGapNack || m_config->earlyMessages;
        for (std::size_t q = 0; q < m_pcv.size(); ++q)
        {
            e.Put(uint64_t{m_pcv[q]} << 32 | (tracksGaps ? m_known[q] : 0));
            e.Put(uint64_t{m_acked[q]} << 32 | m_ready[q].size() << 1 | m_gapTimer[q]);
        }
        std::vector<std::pair<uint64_t, uint32_t>> early;
        for (const auto& entry : m_early)
        {
            early.emplace_back(uint64_t{entry.source} << 32 | entry.m.personal, entry.m.global);
        }
        std::sort(early.begin(), early.end());
        e.Put(early.size());
        for (const auto& [name, global] : early)
        {
            e.Put(name);
            e.Put(global);
        }
        e.Put(m_sent.size());
        for (const auto& sent : m_sent)
        {
            e.Put(uint64_t{sent.m.global} << 3 | static_cast<uint64_t>(sent.moment) << 1 |
                  sent.resent);
        }
        if (m_config->globalCounter)
        {
            m_counters.Encode(e);
        }
        m_direct.Encode(e);
    }

    /**
     * Get an entry of the personal counter vector.
     * @param q a node
     * @return pcv[q]
     */
    uint32_t GetPcv(messaging::Peer q) const
    {
        return m_pcv[q];
    }

    /** @return true if a message is ready. @param q its source */
    bool IsReady(messaging::Peer q) const
    {
        return !m_ready[q].empty();
    }

    /** @return the GlobalCounter and the vector gcv. */
    const GlobalCounters& GetCounters() const
    {
        return m_counters;
    }

    /** @return the number of messages in the buffer of sent messages. */
    std::size_t GetNSent() const
    {
        return m_sent.size();
    }

    /** @return the number of messages in the buffer of early messages. */
    std::size_t GetNEarly() const
    {
        return m_early.size();
    }

  protected:
    // The linear congruential generator of ISO C's example of rand(), of which Draw uses one bit.
    static constexpr uint32_t SEQUENCE_FACTOR = 1103515245; ///< Its multiplier.
    static constexpr uint32_t SEQUENCE_STEP = 12345;        ///< Its increment.
    static constexpr unsigned SEQUENCE_BIT = 30; ///< The bit used; lower ones have short periods.

    /** Last transmission of a message within holdOff. */
    enum class Moment : uint8_t
    {
        PAST,  ///< None; it is resent on request.
        FIRST, ///< The first; it is resent if the requester has a later one.
        AGAIN  ///< A resend; it is not resent.
    };

    /** A message in the buffer of sent messages. */
    struct Sent
    {
        Message m;                   ///< The message.
        Moment moment{Moment::PAST}; ///< Last transmission.
        bool resent{false};          ///< It was resent; dither applies.
    };

    /** A message in the buffer of early messages (section 5.4). */
    struct Early
    {
        messaging::Peer source{0}; ///< Its sender.
        Message m;                 ///< The message.
    };

    /**
     * Check whether a target set's messages are sent point to point (section 5.6).
     * @param group its number
     * @return true if so
     */
    bool IsDirect(uint32_t group) const
    {
        return m_config->directMessages && m_config->groups->GetSize(group) == 1;
    }

    /** @return the node in a target set of one. @param group its number */
    messaging::Peer GetTarget(uint32_t group) const
    {
        const messaging::Peer single = m_config->groups->GetSingle(group);
        if (single != messaging::NO_PEER)
        {
            return single;
        }
        // All others, which is one node, or a registered set.
        return *m_config->groups->Get(group, m_self).begin();
    }

    // Calls.

    /** Send the open multicast, if possible. @param first it is new @param out actions */
    template <class Out>
    void TryMulticast(bool first, Out& out)
    {
        if (m_open != CallKind::MULTICAST)
        {
            return;
        }
        if (IsDirect(m_call.tag))
        {
            const messaging::Peer target = GetTarget(m_call.tag);
            if (m_direct.GetNUnanswered(target) < m_config->sendBuffer)
            {
                const Message m{m_call.contents, 0, 0, m_call.tag, m_call.bytes, m_label};
                m_direct.Send(target, m, out);
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

    /** Broadcast the open multicast (Figure 4). @param out actions */
    template <class Out>
    void Communicate(Out& out)
    {
        Message m{m_call.contents, ++m_pcv[m_self], 0, m_call.tag, m_call.bytes, m_label};
        if (m_config->globalCounter)
        {
            m.global = m_counters.Originate();
            m_topGlobal = std::max(m_topGlobal, m.global);
        }
        m_sent.push_back(Sent{m});
        SendFrame(messaging::NO_PEER, MakeRegular(m), Event::REGULAR_FIRST, out);
        if (m_config->holdOff > 0)
        {
            m_sent.back().moment = Moment::FIRST;
            out.Arm(MakeTimer(PcodeTimer::HOLD, m.personal), m_config->holdOff);
        }
        AfterCounter(out);
        Return(messaging::Completion::SENT, out);
    }

    /** Deliver the message of the open request, if ready. @param out actions @return true if so */
    template <class Out>
    bool TryDeliver(Out& out)
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
        out.Cancel(MakeTimer(PcodeTimer::REQUEST));
        out.Deliver(
            messaging::Delivery{m.personal, m.contents, q, m.bytes, m.label.tag, m.label.flags});
        Return(messaging::Completion::DELIVERED, out);
        return true;
    }

    /** Return from the open call. @param completion its outcome @param out actions */
    template <class Out>
    void Return(messaging::Completion completion, Out& out)
    {
        if (m_polling)
        {
            m_polling = false;
            out.Cancel(MakeTimer(PcodeTimer::POLL));
        }
        m_open = CallKind::SKIP;
        out.Complete(m_call.id, completion);
    }

    // Messages.

    /** Handle a REGULAR message. @param q its sender @param m the message @param out actions */
    template <class Out>
    void OnRegular(messaging::Peer q, const Message& m, Out& out)
    {
        m_known[q] = std::max(m_known[q], m.personal);
        m_topGlobal = std::max(m_topGlobal, m.global);
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
        else if (hasRoom)
        {
            Note(Event::DROP_EARLY, out);
        }
        else
        {
            Note(Event::DROP_SLOT, out);
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

    /**
     * Handle a point-to-point message.
     * @param q its sender
     * @param m the message
     * @param more whether others wait for room
     * @param out actions
     */
    template <class Out>
    void OnDirect(messaging::Peer q, const Message& m, bool more, Out& out)
    {
        const Event event = m_direct.OnMessage(q, m, more);
        Note(event, out);
        const bool taken = m_open == CallKind::REQUEST && m_call.to == q && IsDirect(m_call.tag);
        m_direct.Answer(q, taken, out);
        if (event == Event::DROP_LATE && Draw())
        {
            m_direct.Answer(q, taken, out);
        }
        if (taken)
        {
            TryDeliver(out);
        }
    }

    /**
     * Accept the next message of a source.
     * @param q the source
     * @param m the message
     * @param out actions
     */
    template <class Out>
    void Accept(messaging::Peer q, const Message& m, Out& out)
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

    /** Keep an early message (5.4). @param q source @param m the message @param out actions */
    template <class Out>
    void KeepEarly(messaging::Peer q, const Message& m, Out& out)
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

    /** Accept early messages that are now in order. @param q their source @param out actions */
    template <class Out>
    void TakeEarly(messaging::Peer q, Out& out)
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

    /**
     * Find an early message.
     * @param q its source
     * @param personal its PersonalCount
     * @return its iterator, or the end
     */
    std::vector<Early>::iterator FindEarly(messaging::Peer q, uint32_t personal)
    {
        return std::find_if(m_early.begin(), m_early.end(), [&](const Early& early) {
            return early.source == q && early.m.personal == personal;
        });
    }

    // Counters.

    /**
     * Process a received GlobalCounter (5.2, 5.5).
     * @param q its sender
     * @param counter its value
     * @param original whether it came with a message of its originator
     * @param out actions
     */
    template <class Out>
    void TakeCounter(messaging::Peer q, uint32_t counter, bool original, Out& out)
    {
        if (m_config->globalCounter && m_counters.Take(q, counter, original))
        {
            AfterCounter(out);
        }
        else if (m_config->globalCounter)
        {
            Note(Event::COUNTER_HELD, out);
        }
    }

    /** Send a STATUS if changed counters require it (5.2, 5.5). @param out actions */
    template <class Out>
    void AfterCounter(Out& out)
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

    // Loss detection.

    /**
     * Check for a gap in a source's PersonalCounts (section 5.3).
     * @param q the source
     * @return true if a later message has arrived, and the next one is missing and has room
     */
    bool HasPersonalGap(messaging::Peer q) const
    {
        // Early messages in order have been accepted if there is room (TakeEarly).
        return m_known[q] > m_pcv[q] && m_ready[q].size() < m_config->slots;
    }

    /**
     * Find a gap in the GlobalCounters (section 5.3).
     * @return the last counter of the gap above the node's own counter; that counter if there is
     * none
     */
    uint32_t GetGlobalGap() const
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
        if (next == 0)
        {
            next = m_topGlobal;
        }
        if (next <= own + 1)
        {
            return own;
        }
        return next - 1;
    }

    /** Arm or cancel the timers of gaps. @param q source of the last message @param out actions */
    template <class Out>
    void CheckGaps(messaging::Peer q, Out& out)
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
                  MakeTimer(PcodeTimer::PERSONAL, q),
                  m_config->personalDelay);
        }
        if (m_config->globalGapNack)
        {
            watch(GetGlobalGap() > m_counters.Get(),
                  m_globalTimer,
                  MakeTimer(PcodeTimer::GLOBAL),
                  m_config->globalDelay);
        }
    }

    /**
     * Find the first gap in a source's PersonalCounts, if gaps are tracked.
     * @param q the source
     * @return the last count of the gap; 0 if none is known
     */
    uint32_t GetPersonalGap(messaging::Peer q) const
    {
        const bool tracksGaps = m_config->earlyMessages || m_config->personalGapNack;
        if (!tracksGaps || m_known[q] <= m_pcv[q])
        {
            return 0;
        }
        uint32_t last = m_known[q];
        for (const auto& early : m_early)
        {
            if (early.source == q)
            {
                last = std::min(last, early.m.personal - 1);
            }
        }
        return last;
    }

    /**
     * Request missing messages: those of the first gap, or all later ones (Figure 3).
     * @param q their source
     * @param event the reason
     * @param out actions
     */
    template <class Out>
    void SendNack(messaging::Peer q, Event event, Out& out)
    {
        messaging::Frame frame = MakeFrame(FrameKind::NACK);
        frame.aux = q;
        frame.id = m_pcv[q];
        if (const uint32_t last = GetPersonalGap(q); last > 0)
        {
            frame.words = {last};
        }
        messaging::Peer to = messaging::NO_PEER;
        if (m_config->directNacks)
        {
            to = q;
        }
        SendFrame(to, frame, event, out);
    }

    /** Handle a NACK. @param from its sender @param frame the NACK @param out actions */
    template <class Out>
    void OnNack(messaging::Peer from, const messaging::Frame& frame, Out& out)
    {
        if (frame.aux != m_self)
        {
            Note(Event::NACK_OF_OTHERS, out);
            return;
        }
        uint32_t last = 0;
        if (!frame.words.empty())
        {
            last = frame.words[0];
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
                return m.personal > frame.id && (last == 0 || m.personal <= last);
            },
            last != 0,
            out);
        TakeAck(from, static_cast<uint32_t>(frame.id), out);
    }

    /**
     * Resend messages, except those sent within holdOff.
     * @param wanted predicate of a Message, true if it is requested
     * @param isLost whether the requester has seen a later message of this node
     * @param out actions
     */
    template <class Wanted, class Out>
    void Resend(Wanted&& wanted, bool isLost, Out& out)
    {
        for (auto& sent : m_sent)
        {
            if (!wanted(sent.m))
            {
                continue;
            }
            if (sent.moment == Moment::AGAIN || (sent.moment == Moment::FIRST && !isLost))
            {
                Note(Event::HELD_BACK, out);
                continue;
            }
            const auto frame = MakeRegular(sent.m);
            SendFrame(messaging::NO_PEER, frame, Event::REGULAR_RESENT, out);
            if (sent.resent && Draw())
            {
                SendFrame(messaging::NO_PEER, frame, Event::REGULAR_RESENT, out);
            }
            sent.resent = m_config->dither;
            if (m_config->holdOff > 0)
            {
                sent.moment = Moment::AGAIN;
                out.Arm(MakeTimer(PcodeTimer::HOLD, sent.m.personal), m_config->holdOff);
            }
        }
    }

    /**
     * Draw the next bit of the node's fixed sequence, which decides whether a repetition is sent
     * twice (PcodeConfig::dither). The sequence is independent of the random seed, and its position
     * is part of the encoded state.
     * @return the bit; false without dither
     */
    bool Draw()
    {
        if (!m_config->dither)
        {
            return false;
        }
        m_sequence = m_sequence * SEQUENCE_FACTOR + SEQUENCE_STEP;
        return m_sequence >> SEQUENCE_BIT & 1;
    }

    /**
     * Send a request that is repeated until it is answered.
     * @param send function that sends it
     */
    template <class Send>
    void Repeat(Send&& send)
    {
        send();
        if (m_repeated && Draw())
        {
            send();
        }
        m_repeated = true;
    }

    // STATUS.

    /** Arm the POLL timer. @param ask whether to broadcast a POLL, too @param out actions */
    template <class Out>
    void Poll(bool ask, Out& out)
    {
        if (m_polling)
        {
            return;
        }
        m_polling = true;
        if (m_waits < m_config->flowPatience)
        {
            ++m_waits;
        }
        out.Arm(MakeTimer(PcodeTimer::POLL), m_config->nackPeriod);
        if (ask)
        {
            messaging::Frame frame = MakeFrame(FrameKind::POLL);
            frame.aux = m_counters.Get();
            Repeat([&] { SendFrame(messaging::NO_PEER, frame, Event::POLL_SENT, out); });
        }
    }

    /** Broadcast a STATUS. @param event the reason @param out actions */
    template <class Out>
    void SendStatus(Event event, Out& out)
    {
        const bool solicited = event == Event::STATUS_ANSWERED;
        const bool same = solicited && std::ranges::equal(m_pcv, m_lastVector);
        if (same && m_statusFresh && m_lastStatus == m_counters.Get())
        {
            // An identical one was broadcast within holdOff.
            Note(Event::HELD_BACK, out);
            return;
        }
        m_lastVector.assign(m_pcv);
        m_lastStatus = m_counters.Get();
        messaging::Frame frame = MakeFrame(FrameKind::STATUS);
        frame.words = m_lastVector;
        frame.aux = m_counters.Get();
        frame.header += static_cast<uint16_t>(m_pcv.size() * PcodeConfig::COUNTER_BYTES);
        if (solicited)
        {
            frame.flags = STATUS_SOLICITED;
        }
        SendFrame(messaging::NO_PEER, frame, event, out);
        if (same && Draw())
        {
            SendFrame(messaging::NO_PEER, frame, event, out);
        }
        if (solicited && m_config->holdOff > 0)
        {
            m_statusFresh = true;
            out.Arm(MakeTimer(PcodeTimer::HOLD), m_config->holdOff);
        }
    }

    /** Handle a STATUS. @param from its sender @param frame the STATUS @param out actions */
    template <class Out>
    void OnStatus(messaging::Peer from, const messaging::Frame& frame, Out& out)
    {
        if (frame.words.size() != m_pcv.size())
        {
            Note(Event::ILLEGAL, out);
            return;
        }
        const uint32_t count = frame.words[m_self];
        TakeCounter(from, frame.aux, false, out);
        if (frame.flags & STATUS_SOLICITED)
        {
            Resend([count](const Message& m) { return m.personal > count; }, false, out);
        }
        TakeAck(from, count, out);
        TryMulticast(false, out);
    }

    /** Process an acknowledgement. @param q its sender @param count its count @param out actions */
    template <class Out>
    void TakeAck(messaging::Peer q, uint32_t count, Out& out)
    {
        // P0 discards nothing.
        if (m_config->sendBuffer == PcodeConfig::UNBOUNDED || count <= m_acked[q] ||
            count > m_pcv[m_self])
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
                out.Cancel(MakeTimer(PcodeTimer::HOLD, m_sent[discarded].m.personal));
            }
            ++discarded;
        }
        m_sent.erase(m_sent.begin(), m_sent.begin() + static_cast<int64_t>(discarded));
        if (discarded > 0)
        {
            TryMulticast(false, out);
        }
    }

    /**
     * Check whether a sent message can be discarded.
     * @param m the message
     * @return true if it can
     */
    bool IsAcknowledged(const Message& m) const
    {
        for (messaging::Peer q = 0; q < m_acked.size(); ++q)
        {
            const bool has = q == m_self || m_acked[q] >= m.personal;
            if (!has &&
                (!m_config->literalDiscard || m_config->groups->Contains(m.group, m_self, q)))
            {
                return false;
            }
        }
        return true;
    }

    const PcodeConfig* m_config;               ///< Parameters of the group, not owned.
    std::vector<uint32_t> m_pcv;               ///< Personal counter vector (section 3).
    std::vector<uint32_t> m_known;             ///< Highest PersonalCount seen of each source.
    std::vector<uint32_t> m_acked;             ///< Own messages acknowledged, by node.
    std::vector<std::vector<Message>> m_ready; ///< Input slots, by source.
    std::vector<uint8_t> m_gapTimer;           ///< The PERSONAL timer is set, by source.
    std::vector<Sent> m_sent;                  ///< Buffer of sent messages, in order.
    std::vector<Early> m_early;                ///< Buffer of early messages.
    messaging::FrameWords m_lastVector;        ///< pcv of the last STATUS; empty before it.
    GlobalCounters m_counters;                 ///< GlobalCounter and gcv (5.1, 5.2).
    DirectMessages m_direct;                   ///< Point-to-point messages (5.6).
    messaging::Request m_call;                 ///< The open call.
    Label m_label;                             ///< Tag and flags of its message.
    messaging::Peer m_self;                    ///< Identifier of the node (myid).
    uint32_t m_topGlobal{0};                   ///< Highest original GlobalCounter seen.
    uint32_t m_lastStatus{0};                  ///< GlobalCounter of the last STATUS.
    uint32_t m_waits{0};                       ///< Waits of the open multicast.
    CallKind m_open{CallKind::SKIP};           ///< Form of the open call; SKIP if none.
    bool m_polling{false};                     ///< The POLL timer is set.
    bool m_globalTimer{false};                 ///< The GLOBAL timer is set.
    bool m_wide{false};                        ///< The spread of gcv exceeds FLOW_WINDOW.
    bool m_statusFresh{false};                 ///< A STATUS was sent within holdOff.
    bool m_repeated{false};                    ///< The open call has sent a request.
    uint32_t m_sequence;                       ///< State of the sequence of Draw.
};

} // namespace pcode
} // namespace ns3

#endif // PCODE_CORE_H
