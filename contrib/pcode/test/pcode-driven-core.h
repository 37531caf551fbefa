/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_DRIVEN_CORE_H
#define PCODE_DRIVEN_CORE_H

#include "ns3/messaging-core.h"
#include "ns3/messaging-forwarded-actions.h"
#include "ns3/pcode-runner.h"

#include <limits>
#include <type_traits>

/**
 * @file
 * @ingroup pcode
 * A protocol core together with the program that drives it, as one core.
 */

namespace ns3
{
namespace pcode
{

/** Request::flags of the request after the last call: the program has ended. */
inline constexpr uint8_t END_CALL = 2;

/**
 * A transport layer and the user-communication layer above it as one protocol core, for exhaustive
 * searches and for runs without host costs.
 *
 * It takes one request, which starts the program. The request completes with SENT when the program
 * has ended and, if the transport layer is notified of the end (END_CALL), when that call has
 * returned. Work of zero length separates the return of a call from the next call, so that a search
 * tries every delay between them.
 *
 * @tparam Core the transport layer, a protocol core that takes calls as specified by GlobalProgram
 */
template <class Core>
class DrivenCore
{
  public:
    /**
     * Constructor.
     * @param program the program, which has to outlive the core
     * @param self the node
     * @param core the transport layer
     * @param closes whether to notify the transport layer of the program's end
     */
    DrivenCore(const GlobalProgram& program, messaging::Peer self, Core core, bool closes = false)
        : m_core(std::move(core)),
          m_runner(program, self),
          m_closes(closes)
    {
    }

    /**
     * Start the program.
     * @param request its id is completed when the program has ended
     * @param out actions
     * @return accepted, or refused if the program has already started
     */
    template <class Out>
    messaging::Acceptance OnRequest(const messaging::Request& request, Out& out)
    {
        if (m_started)
        {
            return messaging::Acceptance::REFUSED;
        }
        m_started = true;
        m_id = request.id;
        Continue(out);
        return messaging::Acceptance::ACCEPTED;
    }

    /** Handle a frame. @param from its sender @param frame the frame @param out actions */
    template <class Out>
    void OnFrame(messaging::Peer from, const messaging::Frame& frame, Out& out)
    {
        Drive(out, [&](auto& inner) { m_core.OnFrame(from, frame, inner); });
    }

    /** Handle a timer. @param timer the timer @param out actions */
    template <class Out>
    void OnTimer(messaging::TimerId timer, Out& out)
    {
        Drive(out, [&](auto& inner) { m_core.OnTimer(timer, inner); });
    }

    /** Handle a ready port. @param out actions */
    template <class Out>
    void OnReady(Out& out)
    {
        Drive(out, [&](auto& inner) { m_core.OnReady(inner); });
    }

    /** Handle the end of work. @param work the work @param out actions */
    template <class Out>
    void OnDone(messaging::WorkId work, Out& out)
    {
        if (work != NEXT_CALL)
        {
            Drive(out, [&](auto& inner) { m_core.OnDone(work, inner); });
            return;
        }
        messaging::Request request;
        if (m_runner.IsFinished())
        {
            request.flags = END_CALL;
        }
        else
        {
            request = m_runner.GetRequest();
            m_runner.OnIssue();
        }
        Drive(out, [&](auto& inner) {
            m_refused = m_core.OnRequest(request, inner) != messaging::Acceptance::ACCEPTED;
        });
    }

    /** Encode the canonical form. @param e the encoder */
    void Encode(messaging::Encoder& e) const
    {
        m_runner.Encode(e);
        e.Put(uint64_t{m_started} << 1 | uint64_t{m_refused});
        m_core.Encode(e);
    }

    /** @return the transport layer. */
    const Core& GetCore() const
    {
        return m_core;
    }

    /** @return the state of the program, and the check of the transport layer. */
    const ProgramRunner& GetRunner() const
    {
        return m_runner;
    }

    /** @return the first violation, in one sentence; empty if there is none. */
    std::string GetViolation() const
    {
        return m_refused ? "A call of a sound program was not accepted." : m_runner.GetViolation();
    }

  private:
    /** Work between two calls; no core uses this number. */
    static constexpr messaging::WorkId NEXT_CALL = std::numeric_limits<messaging::WorkId>::max();

    /** Actions for the transport layer: those of the host, except for the upcalls to its user. */
    template <class Out>
    struct Inner : messaging::ForwardedActions<Out>
    {
        ProgramRunner& runner; ///< The user.
        bool returned{false};  ///< A call has returned.
        bool ended{false};     ///< It was the END_CALL.

        /** Deliver a message. @param delivery the message */
        void Deliver(const messaging::Delivery& delivery)
        {
            runner.OnDeliver(delivery);
        }

        /** Record the return of a call. @param id the call */
        void Complete(messaging::RequestId id, messaging::Completion)
        {
            ended = runner.IsFinished();
            if (!ended)
            {
                runner.OnReturn(id);
            }
            returned = true;
        }
    };

    /**
     * Pass an event to the transport layer, and continue if a call returns.
     * @param out actions
     * @param event passes it
     */
    template <class Out, class Event>
    void Drive(Out& out, Event&& event)
    {
        Inner<Out> inner{{out}, m_runner};
        event(inner);
        if (inner.ended)
        {
            out.Complete(m_id, messaging::Completion::SENT);
        }
        else if (inner.returned)
        {
            Continue(out);
        }
    }

    /** Continue with the next call, or end. @param out actions */
    template <class Out>
    void Continue(Out& out)
    {
        if (m_runner.CanIssue() || m_closes)
        {
            messaging::Work work;
            work.id = NEXT_CALL;
            out.Do(work);
        }
        else
        {
            out.Complete(m_id, messaging::Completion::SENT);
        }
    }

    Core m_core;                  ///< The transport layer.
    ProgramRunner m_runner;       ///< The user-communication layer.
    messaging::RequestId m_id{0}; ///< The request that started the program.
    bool m_started{false};        ///< The program has started.
    bool m_refused{false};        ///< A call was not accepted.
    bool m_closes;                ///< It is notified of the program's end.
};

} // namespace pcode
} // namespace ns3

#endif // PCODE_DRIVEN_CORE_H
