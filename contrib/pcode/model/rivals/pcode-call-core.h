/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_CALL_CORE_H
#define PCODE_CALL_CORE_H

#include "ns3/messaging-core.h"
#include "ns3/messaging-forwarded-actions.h"
#include "ns3/pcode-config.h"
#include "ns3/pcode-program.h"

#include <concepts>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup pcode
 * Calls of a global program over a broadcast layer.
 */

namespace ns3
{
namespace pcode
{

/**
 * Calls of a global program over a broadcast layer that delivers messages as they arrive (section
 * 6.4.2). A multicast returns when the layer has accepted its message, and a request when a message
 * of its source is available.
 *
 * A multicast to several nodes is broadcast, and the other nodes drop it. A message to a single
 * node is sent to it alone, if the layer supports that. The layer's completions, which report
 * stable messages, are not used.
 *
 * @tparam Core the broadcast layer, a protocol core
 */
template <std::derived_from<PassiveCore> Core>
class CallCore : public PassiveCore
{
  public:
    /**
     * Constructor.
     * @param core the broadcast layer
     * @param groups the program's target sets, which must outlive the core
     * @param self the node
     */
    CallCore(Core core, const TargetGroups& groups, messaging::Peer self)
        : m_core(std::move(core)),
          m_arrived(groups.GetNNodes()),
          m_groups(&groups),
          m_self(self)
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
        if (!CanAccept())
        {
            return messaging::Acceptance::STALLED;
        }
        if (call.flags == REQUEST_CALL)
        {
            if (call.to >= m_arrived.size())
            {
                return messaging::Acceptance::REFUSED;
            }
            m_source = call.to;
            m_request = call.id;
            Serve(out);
            return messaging::Acceptance::ACCEPTED;
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

    /** Handle a frame. @param from its sender @param frame the frame @param out actions */
    template <class Out>
    void OnFrame(messaging::Peer from, const messaging::Frame& frame, Out& out)
    {
        Pass(out, [&](auto& inner) { m_core.OnFrame(from, frame, inner); });
    }

    /** Handle a timer. @param timer the timer @param out actions */
    template <class Out>
    void OnTimer(messaging::TimerId timer, Out& out)
    {
        Pass(out, [&](auto& inner) { m_core.OnTimer(timer, inner); });
    }

    /** @return true if a call would be accepted. */
    bool CanAccept() const
    {
        return !m_waiting && m_source == messaging::NO_PEER;
    }

    /** Encode the canonical form of the state. @param e the encoder */
    void Encode(messaging::Encoder& e) const
    {
        e.Put(m_waiting ? m_waiting->id + 1 : 0);
        e.Put(m_source);
        e.Put(m_request);
        for (const auto& queue : m_arrived)
        {
            e.Put(queue.size());
            for (const auto& delivery : queue)
            {
                e.Put(delivery.contents);
            }
        }
        m_core.Encode(e);
    }

    /** @return the broadcast layer. */
    const Core& GetCore() const
    {
        return m_core;
    }

  private:
    /** Actions of the broadcast layer, which forward all but deliveries and completions. */
    template <class Out>
    struct Inner : messaging::ForwardedActions<Out>
    {
        CallCore& core; ///< Receives deliveries.

        /**
         * Keep a message for its request, if it is for this node.
         * @param delivery the message
         */
        void Deliver(const messaging::Delivery& delivery)
        {
            if (core.m_groups->IsKnown(delivery.tag) &&
                core.m_groups->Contains(delivery.tag, delivery.from, core.m_self))
            {
                core.m_arrived[delivery.from].push_back(delivery);
                core.Serve(this->out);
            }
        }

        /** Unused: a message is stable. */
        void Complete(messaging::RequestId, messaging::Completion)
        {
        }
    };

    /** Return from the open request if a message of its source is available. @param out actions */
    template <class Out>
    void Serve(Out& out)
    {
        if (m_source == messaging::NO_PEER || m_arrived[m_source].empty())
        {
            return;
        }
        auto& queue = m_arrived[std::exchange(m_source, messaging::NO_PEER)];
        const messaging::Delivery delivery = queue.front();
        queue.pop_front();
        out.Deliver(delivery);
        out.Complete(m_request, messaging::Completion::DELIVERED);
    }

    /**
     * Post the waiting multicast to the broadcast layer, and return from it if it is accepted.
     * @param out actions
     * @return the answer of the layer
     */
    template <class Out>
    messaging::Acceptance Post(Out& out)
    {
        const messaging::Request call = *m_waiting;
        Inner<Out> inner{{out}, *this};
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
     * Pass an event to the broadcast layer, and post the waiting multicast.
     * @param out actions
     * @param event function that passes the event
     */
    template <class Out, class Event>
    void Pass(Out& out, Event&& event)
    {
        Inner<Out> inner{{out}, *this};
        event(inner);
        if (m_waiting && m_core.CanAccept())
        {
            Post(out);
        }
    }

    Core m_core;                                            ///< The broadcast layer.
    std::vector<std::deque<messaging::Delivery>> m_arrived; ///< Unread messages, by source.
    messaging::Peer m_source{messaging::NO_PEER};           ///< Source of the open request.
    messaging::RequestId m_request{0};                      ///< The open request.
    std::optional<messaging::Request> m_waiting;            ///< Multicast that waits for the layer.
    const TargetGroups* m_groups;                           ///< The program's target sets.
    messaging::Peer m_self;                                 ///< The node.
};

} // namespace pcode
} // namespace ns3

#endif // PCODE_CALL_CORE_H
