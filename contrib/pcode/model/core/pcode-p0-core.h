/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_P0_CORE_H
#define PCODE_P0_CORE_H

#include "ns3/messaging-core.h"
#include "ns3/pcode-config.h"
#include "ns3/pcode-frames.h"
#include "ns3/pcode-program.h"

#include <optional>
#include <vector>

/**
 * @file
 * @ingroup pcode
 * P0, the simple protocol of section 3, as its Figures 2 to 5 have it.
 */

namespace ns3
{
namespace pcode
{

/**
 * One processor of P0.
 *
 * Figures 2 to 5, line by line:
 * @verbatim
   do forever {                                                                   Figure 2
     if there is a multicast (m, T) issued from the layer above then
       communicate (m, T);                                               OnRequest, multicast
     if there is a request (q, T) for a message to be delivered then     OnRequest, request
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
     REGULAR msg:                                                                 Regular
       if the ready slot for q is not free then return;
       if (m.PersonalCount != pcv[q] + 1) then return;
       pcv[q] = m.PersonalCount;
       if (myid is a member of T) then put m into ready slot for q;
     NACK msg:                                                                    Nack
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
 *
 * A multicast returns at once, so at most one call is open, and it is a request. "A pending request
 * (m.sender, m.target)" is one for the source of m; that its target set is m's follows from the
 * program's being correct, and is what a driver checks.
 */
class P0Core
{
  public:
    /** The nack timer. */
    static constexpr messaging::TimerId NACK_TIMER = 0;

    /**
     * Constructor.
     * @param config parameters, which must outlive the core; of the timers, nackPeriod is used
     * @param self the processor
     */
    P0Core(const PcodeConfig& config, messaging::Peer self)
        : m_config(&config),
          m_pcv(config.groups->GetNProcessors()),
          m_ready(config.groups->GetNProcessors()),
          m_self(self)
    {
    }

    /**
     * The layer above issues a call (see GlobalProgram).
     * @param call the call
     * @param out actions
     * @return accepted, stalled while a request is open, or refused
     */
    template <class Out>
    messaging::Acceptance OnRequest(const messaging::Request& call, Out& out)
    {
        if (call.flags & END_CALL)
        {
            // P0 discards nothing, so it cannot know when it is not needed any more.
            out.Complete(call.id, messaging::Completion::SENT);
            return messaging::Acceptance::ACCEPTED;
        }
        if (!IsSound(call, *m_config, m_self))
        {
            return messaging::Acceptance::REFUSED;
        }
        if (m_pending != messaging::NO_PEER)
        {
            return messaging::Acceptance::STALLED;
        }
        if (!(call.flags & REQUEST_CALL))
        {
            if (m_config->groups->GetSize(call.tag) > 0)
            {
                Communicate(call, out);
            }
            out.Complete(call.id, messaging::Completion::SENT);
            return messaging::Acceptance::ACCEPTED;
        }
        m_pending = call.to;
        m_call = call.id;
        if (m_ready[m_pending])
        {
            Deliver(out);
        }
        else
        {
            IssueNack(out);
        }
        return messaging::Acceptance::ACCEPTED;
    }

    /**
     * A frame has arrived.
     * @param from its sender
     * @param frame the frame
     * @param out actions
     */
    template <class Out>
    void OnFrame(messaging::Peer from, const messaging::Frame& frame, Out& out)
    {
        const auto kind = static_cast<FrameKind>(frame.kind);
        const bool another = from != m_self && from < m_pcv.size();
        if (another && kind == FrameKind::REGULAR && m_config->groups->IsKnown(GetGroup(frame)))
        {
            Regular(from, frame, out);
        }
        else if (another && kind == FrameKind::NACK)
        {
            Nack(frame, out);
        }
        else
        {
            Note(Event::ILLEGAL, out);
        }
    }

    /**
     * The nack timer has expired.
     * @param timer which
     * @param out actions
     */
    template <class Out>
    void OnTimer(messaging::TimerId timer, Out& out)
    {
        if (timer != NACK_TIMER)
        {
            Note(Event::ILLEGAL, out);
        }
        else if (m_pending != messaging::NO_PEER)
        {
            IssueNack(out);
        }
    }

    /** The protocol requests no work. @param out actions */
    template <class Out>
    void OnDone(messaging::WorkId, Out& out)
    {
        Note(Event::ILLEGAL, out);
    }

    /** A frame that found the port busy is lost. */
    template <class Out>
    void OnReady(Out&)
    {
    }

    /** @return true if a call would be accepted. */
    bool CanAccept() const
    {
        return m_pending == messaging::NO_PEER;
    }

    /**
     * Put the canonical form of the state. The sent messages follow from pcv[myid] and the program.
     * @param e where to
     */
    void Encode(messaging::Encoder& e) const
    {
        e.Put(m_pending);
        for (std::size_t q = 0; q < m_pcv.size(); ++q)
        {
            e.Put(uint64_t{m_pcv[q]} << 1 | uint64_t{m_ready[q].has_value()});
        }
    }

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const P0Core&) const = default;

    /**
     * Get an entry of the personal counter vector.
     * @param q a processor
     * @return pcv[q]
     */
    uint32_t GetPcv(messaging::Peer q) const
    {
        return m_pcv[q];
    }

    /**
     * Check a ready slot.
     * @param q a processor
     * @return true if it holds a message
     */
    bool IsReady(messaging::Peer q) const
    {
        return m_ready[q].has_value();
    }

    /** @return messages in the buffer of sent messages. */
    std::size_t GetNSent() const
    {
        return m_sent.size();
    }

  private:
    /** Figure 4. @param call multicast(m, T) @param out actions */
    template <class Out>
    void Communicate(const messaging::Request& call, Out& out)
    {
        const Message m{call.contents, ++m_pcv[m_self], 0, call.tag, call.bytes};
        SendFrame(messaging::NO_PEER, MakeRegular(m, m_self), Event::REGULAR_FIRST, out);
        m_sent.push_back(m);
    }

    /** Figure 5, for the pending request. @param out actions */
    template <class Out>
    void IssueNack(Out& out)
    {
        messaging::Frame m = MakeFrame(FrameKind::NACK, m_self);
        m.aux = m_pending;
        m.id = m_pcv[m_pending];
        SendFrame(messaging::NO_PEER, m, Event::REQUEST_NACK, out);
        out.Arm(NACK_TIMER, m_config->GetNackPeriod(m_self));
    }

    /**
     * Figure 3, a REGULAR msg, and what Figure 2 does after it.
     * @param q its sender
     * @param m the message
     * @param out actions
     */
    template <class Out>
    void Regular(messaging::Peer q, const messaging::Frame& m, Out& out)
    {
        const Message message = ReadRegular(m);
        if (m_ready[q])
        {
            Note(Event::DROP_SLOT, out);
            return;
        }
        if (message.personal != m_pcv[q] + 1)
        {
            Note(message.personal <= m_pcv[q] ? Event::DROP_LATE : Event::DROP_EARLY, out);
            return;
        }
        m_pcv[q] = message.personal;
        if (!m_config->groups->Contains(message.group, q, m_self))
        {
            Note(Event::PASSED_OVER, out);
            return;
        }
        Note(Event::ACCEPTED, out);
        m_ready[q] = message;
        if (m_pending == q)
        {
            Deliver(out);
        }
    }

    /** Figure 3, a NACK msg. @param m the message @param out actions */
    template <class Out>
    void Nack(const messaging::Frame& m, Out& out)
    {
        if (m.aux != m_self)
        {
            Note(Event::NACK_OF_OTHERS, out);
            return;
        }
        if (m.id >= m_pcv[m_self])
        {
            Note(Event::NACK_AHEAD, out);
        }
        for (const auto& message : m_sent)
        {
            if (message.personal > m.id)
            {
                SendFrame(messaging::NO_PEER,
                          MakeRegular(message, m_self),
                          Event::REGULAR_RESENT,
                          out);
            }
        }
    }

    /** Deliver what the pending request asks for, which is ready. @param out actions */
    template <class Out>
    void Deliver(Out& out)
    {
        const auto q = m_pending;
        const Message m = *m_ready[q];
        m_ready[q].reset();
        m_pending = messaging::NO_PEER;
        out.Cancel(NACK_TIMER);
        Note(Event::DELIVERED, out);
        out.Deliver(MakeDelivery(m, q));
        out.Complete(m_call, messaging::Completion::DELIVERED);
    }

    const PcodeConfig* m_config;                   ///< Shared by all processors.
    std::vector<uint32_t> m_pcv;                   ///< pcv of section 3.
    std::vector<std::optional<Message>> m_ready;   ///< The ready slots.
    std::vector<Message> m_sent;                   ///< The buffer of sent messages.
    messaging::RequestId m_call{0};                ///< The pending request's id.
    messaging::Peer m_pending{messaging::NO_PEER}; ///< The q of the pending request.
    messaging::Peer m_self;                        ///< myid.
};

} // namespace pcode
} // namespace ns3

#endif // PCODE_P0_CORE_H
