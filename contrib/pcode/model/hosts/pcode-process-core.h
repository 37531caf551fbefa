/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_PROCESS_CORE_H
#define PCODE_PROCESS_CORE_H

#include "ns3/messaging-core.h"
#include "ns3/messaging-forwarded-actions.h"
#include "ns3/pcode-workstation.h"
#include "ns3/simulator.h"

#include <set>
#include <utility>

/**
 * @file
 * @ingroup pcode
 * Protocols whose timers are those of a process.
 */

namespace ns3
{
namespace pcode
{

/**
 * @ingroup pcode
 * A core inside a process of a Workstation: a timer expires at a tick of the machine's clock, and
 * the process acts on it when it gets to it, after all that it has been sent before. By then the
 * core may have cancelled it.
 *
 * A timer that has expired goes through the port as a frame of the peer to itself (ProcessPort).
 * The clock's tick has to be a nanosecond.
 *
 * @tparam Core the protocol
 */
template <class Core>
class ProcessCore
{
  public:
    /**
     * Constructor.
     * @param core the protocol
     * @param self its peer
     * @param station its workstation
     */
    ProcessCore(Core core, messaging::Peer self, Ptr<const Workstation> station)
        : m_core(std::move(core)),
          m_station(station),
          m_self(self)
    {
    }

    /** Post. @param request the request @param out actions @return the core's answer */
    template <class Out>
    messaging::Acceptance OnRequest(const messaging::Request& request, Out& out)
    {
        Inner<Out> inner{{out}, *this};
        return m_core.OnRequest(request, inner);
    }

    /** A frame or an expired timer. @param from sender @param frame the frame @param out actions */
    template <class Out>
    void OnFrame(messaging::Peer from, const messaging::Frame& frame, Out& out)
    {
        Inner<Out> inner{{out}, *this};
        if (from != m_self)
        {
            m_core.OnFrame(from, frame, inner);
        }
        else if (m_expired.erase(frame.id) > 0)
        {
            m_core.OnTimer(frame.id, inner);
        }
    }

    /** A timer expires. @param timer which @param out actions */
    template <class Out>
    void OnTimer(messaging::TimerId timer, Out& out)
    {
        m_expired.insert(timer);
        out.Send(m_self, messaging::Frame{.id = timer, .source = m_self});
    }

    /** The end of work. @param work which @param out actions */
    template <class Out>
    void OnDone(messaging::WorkId work, Out& out)
    {
        Inner<Out> inner{{out}, *this};
        m_core.OnDone(work, inner);
    }

    /** The port is ready. @param out actions */
    template <class Out>
    void OnReady(Out& out)
    {
        Inner<Out> inner{{out}, *this};
        m_core.OnReady(inner);
    }

    /** @return true if the core accepts a request. */
    bool CanAccept() const
    {
        return m_core.CanAccept();
    }

    /** @param e collects the canonical form of the core's state */
    void Encode(messaging::Encoder& e) const
    {
        m_core.Encode(e);
    }

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const ProcessCore&) const = default;

  private:
    /** Actions of the core, whose timers are the process's. */
    template <class Out>
    struct Inner : messaging::ForwardedActions<Out>
    {
        ProcessCore& process; ///< The process.

        /** Arm a timer. @param timer which @param delay from now, at least [ticks] */
        void Arm(messaging::TimerId timer, messaging::Ticks delay)
        {
            const Time now = Simulator::Now();
            const Time then = now + NanoSeconds(static_cast<int64_t>(delay));
            const Time tick = delay > 0 ? process.m_station->GetTick(then) : then;
            process.m_expired.erase(timer);
            this->out.Arm(timer, static_cast<messaging::Ticks>((tick - now).GetNanoSeconds()));
        }

        /** Cancel a timer. @param timer which */
        void Cancel(messaging::TimerId timer)
        {
            process.m_expired.erase(timer);
            this->out.Cancel(timer);
        }
    };

    Core m_core;                            ///< The protocol.
    std::set<messaging::TimerId> m_expired; ///< Timers that the process has not got to.
    Ptr<const Workstation> m_station;       ///< The workstation.
    messaging::Peer m_self;                 ///< The peer.
};

} // namespace pcode
} // namespace ns3

#endif // PCODE_PROCESS_CORE_H
