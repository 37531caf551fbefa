/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_CALL_CORE_H
#define PCODE_CALL_CORE_H

#include "pcode-mailbox.h"
#include "pcode-program.h"

#include "ns3/messaging-core.h"

#include <optional>
#include <utility>

/**
 * @file
 * @ingroup pcode
 * The calls of a global program on a broadcast layer that knows of none.
 */

namespace ns3
{
namespace pcode
{

/**
 * A broadcast layer that delivers messages as they arrive, with the calls of a global program on
 * top (section 6.4.2): a multicast returns when the layer has taken its message, and a request when
 * a message of its source is there.
 *
 * A multicast to some goes to all, and those whom it does not concern drop it; one to a single
 * processor goes to that one, if the layer is asked for it. The layer's own completions, which tell
 * that a message is everywhere, interest nobody here.
 *
 * @tparam Core the broadcast layer, a protocol core
 */
template <class Core>
class CallCore
{
  public:
    /**
     * Constructor.
     * @param core the broadcast layer
     * @param groups the program's target sets; they outlive the core
     * @param self the processor
     */
    CallCore(Core core, const TargetGroups& groups, messaging::Peer self)
        : m_core(std::move(core)),
          m_mailbox(groups.GetNProcessors()),
          m_groups(&groups),
          m_self(self)
    {
    }

    /**
     * The layer above issues a call (see GlobalProgram).
     * @param call the call
     * @param out what is to be done
     * @return accepted, stalled while another call is open, or refused
     */
    template <class Out>
    messaging::Acceptance OnRequest(const messaging::Request& call, Out& out)
    {
        if (m_waiting || m_mailbox.IsOpen())
        {
            return messaging::Acceptance::STALLED;
        }
        if (call.flags == REQUEST_CALL)
        {
            return m_mailbox.OnRequest(call, out);
        }
        if (!m_groups->IsKnown(call.tag))
        {
            return messaging::Acceptance::REFUSED;
        }
        if (m_groups->GetSize(call.tag) == 0)
        {
            out.Complete(call.id, messaging::Completion::SENT);
            return messaging::Acceptance::ACCEPTED;
        }
        m_waiting = call;
        if (Post(out) == messaging::Acceptance::REFUSED)
        {
            m_waiting.reset();
            return messaging::Acceptance::REFUSED;
        }
        return messaging::Acceptance::ACCEPTED;
    }

    /** A frame has arrived. @param from its sender @param frame the frame @param out host */
    template <class Out>
    void OnFrame(messaging::Peer from, const messaging::Frame& frame, Out& out)
    {
        Tell(out, [&](auto& inner) { m_core.OnFrame(from, frame, inner); });
    }

    /** A timer has fired. @param timer which @param out host */
    template <class Out>
    void OnTimer(messaging::TimerId timer, Out& out)
    {
        Tell(out, [&](auto& inner) { m_core.OnTimer(timer, inner); });
    }

    /** Work is done. @param work which @param out host */
    template <class Out>
    void OnDone(messaging::WorkId work, Out& out)
    {
        Tell(out, [&](auto& inner) { m_core.OnDone(work, inner); });
    }

    /** The port may have room. @param out host */
    template <class Out>
    void OnReady(Out& out)
    {
        Tell(out, [&](auto& inner) { m_core.OnReady(inner); });
    }

    /** @return whether a call would be accepted. */
    bool CanAccept() const
    {
        return !m_waiting && !m_mailbox.IsOpen();
    }

    /** Put the canonical form. @param e where to */
    void Encode(messaging::Encoder& e) const
    {
        e.Put(m_waiting ? m_waiting->id + 1 : 0);
        m_mailbox.Encode(e);
        m_core.Encode(e);
    }

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const CallCore&) const = default;

    /** @return the broadcast layer. */
    const Core& GetCore() const
    {
        return m_core;
    }

  private:
    /** What the broadcast layer acts upon: the host, except for deliveries and completions. */
    template <class Out>
    struct Inner
    {
        Out& out;       ///< The host.
        CallCore& core; ///< Hears of deliveries.

        /** Send a frame. @param to receiver @param frame the frame @return false if busy */
        bool Send(messaging::Peer to, const messaging::Frame& frame)
        {
            return out.Send(to, frame);
        }

        /** @param to a peer @return how far it is [ticks] */
        messaging::Ticks Distance(messaging::Peer to) const
        {
            return out.Distance(to);
        }

        /** @param frame a frame @return how long it is [ticks] */
        messaging::Ticks WireTicks(const messaging::Frame& frame) const
        {
            return out.WireTicks(frame);
        }

        /** Arm a timer. @param timer which @param delay from now [ticks] */
        void Arm(messaging::TimerId timer, messaging::Ticks delay)
        {
            out.Arm(timer, delay);
        }

        /** Cancel a timer. @param timer which */
        void Cancel(messaging::TimerId timer)
        {
            out.Cancel(timer);
        }

        /** Do work. @param work what */
        void Do(const messaging::Work& work)
        {
            out.Do(work);
        }

        /**
         * A message has arrived: keep it for its request, if it is for this processor.
         * @param delivery the message
         */
        void Deliver(const messaging::Delivery& delivery)
        {
            if (core.m_groups->IsKnown(delivery.tag) &&
                core.m_groups->Contains(delivery.tag, delivery.from, core.m_self))
            {
                core.m_mailbox.OnArrival(delivery, out);
            }
        }

        /** A message is everywhere, which interests nobody. */
        void Complete(messaging::RequestId, messaging::Completion)
        {
        }

        /** Count a reason. @param reason which */
        void Note(messaging::Reason reason)
        {
            out.Note(reason);
        }
    };

    /**
     * Offer the multicast that waits to the broadcast layer, and return from it if it is taken.
     * @param out host
     * @return what the layer says
     */
    template <class Out>
    messaging::Acceptance Post(Out& out)
    {
        const messaging::Request call = *m_waiting;
        Inner<Out> inner{out, *this};
        const messaging::Acceptance acceptance =
            m_core.OnRequest(messaging::Request{.id = call.id,
                                                .contents = call.contents,
                                                .to = m_groups->GetSingle(call.tag),
                                                .bytes = call.bytes,
                                                .tag = call.tag},
                             inner);
        if (acceptance == messaging::Acceptance::ACCEPTED)
        {
            m_waiting.reset();
            out.Complete(call.id, messaging::Completion::SENT);
        }
        return acceptance;
    }

    /**
     * Tell the broadcast layer of an event, and offer it the multicast that waits.
     * @param out host
     * @param event tells it
     */
    template <class Out, class Event>
    void Tell(Out& out, Event&& event)
    {
        Inner<Out> inner{out, *this};
        event(inner);
        if (m_waiting && m_core.CanAccept())
        {
            Post(out);
        }
    }

    Core m_core;                                 ///< The broadcast layer.
    Mailbox m_mailbox;                           ///< Messages that wait for their request.
    std::optional<messaging::Request> m_waiting; ///< A multicast that the layer has not taken.
    const TargetGroups* m_groups;                ///< The program's target sets.
    messaging::Peer m_self;                      ///< The processor.
};

} // namespace pcode
} // namespace ns3

#endif // PCODE_CALL_CORE_H
