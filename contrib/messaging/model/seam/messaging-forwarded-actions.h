/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_FORWARDED_ACTIONS_H
#define MESSAGING_FORWARDED_ACTIONS_H

#include "ns3/messaging-core.h"

/**
 * @file
 * @ingroup messaging
 * Actions of a core inside another core.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * Actions that forward every request of an inner core to the host of the outer one.
 *
 * A core that is a layer above another derives from it and hides the actions that the layer handles
 * itself, usually Deliver and Complete.
 *
 * @tparam Out the host of the outer core
 */
template <Actions Out>
struct ForwardedActions
{
    Out& out; ///< The host.

    /** Send a frame. @param to receiver @param frame the frame @return false if busy */
    bool Send(Peer to, const Frame& frame)
    {
        return out.Send(to, frame);
    }

    /** @return true if Send would return false; OnReady follows. */
    bool IsBusy()
        requires requires(Out& host) { host.IsBusy(); }
    {
        return out.IsBusy();
    }

    /** Let the port accept frames, or leave them in the network. @param accepting true to accept
     * them */
    void SetAccepting(bool accepting)
        requires requires(Out& host) { host.SetAccepting(true); }
    {
        out.SetAccepting(accepting);
    }

    /** @param to a peer @return its distance [ticks] */
    Ticks Distance(Peer to) const
    {
        return out.Distance(to);
    }

    /** @param frame a frame @return its transmission time [ticks] */
    Ticks WireTicks(const Frame& frame) const
    {
        return out.WireTicks(frame);
    }

    /** @return the time [ticks]. */
    Ticks Now()
    {
        return out.Now();
    }

    /** @param bound exclusive @return a random number below it */
    uint32_t Random(uint32_t bound)
    {
        return out.Random(bound);
    }

    /** Arm a timer. @param timer the timer @param delay from now [ticks] */
    void Arm(TimerId timer, Ticks delay)
    {
        out.Arm(timer, delay);
    }

    /** Cancel a timer. @param timer the timer */
    void Cancel(TimerId timer)
    {
        out.Cancel(timer);
    }

    /** Request work. @param work the work */
    void Do(const Work& work)
    {
        out.Do(work);
    }

    /** Deliver a message. @param delivery the message */
    void Deliver(const Delivery& delivery)
    {
        out.Deliver(delivery);
    }

    /** Complete a request. @param id the request @param completion its outcome */
    void Complete(RequestId id, Completion completion)
    {
        out.Complete(id, completion);
    }

    /** Report the state of a path. @param to the peer @param path the path @param state its name */
    void TracePath(Peer to, uint16_t path, const char* state)
        requires requires(Out& host) { host.TracePath(to, path, state); }
    {
        out.TracePath(to, path, state);
    }

    /** Count a reason. @param reason the reason */
    void Note(Reason reason)
    {
        out.Note(reason);
    }
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_FORWARDED_ACTIONS_H
