/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_CORE_H
#define MESSAGING_CORE_H

#include "ns3/messaging-encoder.h"
#include "ns3/messaging-types.h"
#include "ns3/messaging-work.h"

#include <concepts>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Concepts of the interface between protocol and host: actions and events of a core.
 *
 * A core is the protocol state of one peer: a plain value that can be copied and compared, without
 * simulator, node or packet. Its host calls it with events and an Actions object for
 * its output. The same core runs in the simulator, in an exhaustive search, and under a fuzzer.
 */

namespace ns3
{
namespace messaging
{

/**
 * Identifier of a timer, chosen by its core. Arming a pending timer restarts it. A core must accept
 * a timer that fires although it was cancelled or restarted: a host may not suppress it.
 */
using TimerId = uint64_t;

/** Reason of a core's action; each protocol numbers its reasons from zero and can print them. */
using Reason = uint8_t;

/**
 * Actions that a host offers to a core.
 *
 * Send returns false if the port is busy; OnReady follows, or the core relies on its own timer.
 * Distance and WireTicks depend on the network's geometry: the idempotent protocol's timer uses
 * both (paper 1, section 4.3).
 *
 * Now is the time of the port's clock, for measured round trips, adaptive timeouts and pacing. In
 * an exhaustive search it is constant, so what a core estimates from it stays out of its Encode.
 * Random returns a number below its argument: from an ns-3 stream of the group in the simulator,
 * and zero in a search. Cores have no generators of their own.
 */
template <class S>
concept Actions = requires(S s, const Frame& frame, const Delivery& delivery, const Work& work) {
    { s.Send(Peer{}, frame) } -> std::same_as<bool>;
    { s.Distance(Peer{}) } -> std::convertible_to<Ticks>;
    { s.WireTicks(frame) } -> std::convertible_to<Ticks>;
    { s.Now() } -> std::same_as<Ticks>;
    { s.Random(uint32_t{}) } -> std::same_as<uint32_t>;
    s.Arm(TimerId{}, Ticks{});
    s.Cancel(TimerId{});
    s.Do(work);
    s.Deliver(delivery);
    s.Complete(RequestId{}, Completion{});
    s.Note(Reason{});
};

/** Events that a protocol core handles. OnReady notifies it that Send may succeed again. */
template <class C, class S>
concept ProtocolCore = std::copyable<C> && Actions<S> &&
                       requires(C c,
                                const C constant,
                                S& out,
                                Encoder& e,
                                const Request& request,
                                const Frame& frame) {
                           { c.OnRequest(request, out) } -> std::same_as<Acceptance>;
                           c.OnFrame(Peer{}, frame, out);
                           c.OnTimer(TimerId{}, out);
                           c.OnDone(WorkId{}, out);
                           c.OnReady(out);
                           constant.Encode(e);
                       };

/**
 * Check whether a core ends messages with the knowledge of their delivery. A core that reports SENT
 * before the end declares `bool ConfirmsDelivery() const`; without it, SENT ends a message.
 * @param core the core
 * @return true if each message ends with DELIVERED, UNREACHABLE or FAILED
 */
template <class C>
bool
ConfirmsDelivery(const C& core)
{
    if constexpr (requires { core.ConfirmsDelivery(); })
    {
        return core.ConfirmsDelivery();
    }
    else
    {
        return false;
    }
}

/**
 * Check whether a core, or a flow of one, takes trimmed frames: it declares `static constexpr bool
 * TAKES_TRIMMED = true`, and never delivers what has MARK_TRIMMED.
 * @return true if it does; otherwise such frames are lost in front of it
 */
template <class C>
constexpr bool
TakesTrimmed()
{
    return requires { requires C::TAKES_TRIMMED; };
}

/**
 * Report the state of a path to the host, if it wants to know: a group of cores has a trace source
 * for it.
 * @param out actions
 * @param to the peer to which the path leads
 * @param path the path
 * @param state name of its new state
 */
template <class Out>
void
TracePath(Out& out, Peer to, uint16_t path, const char* state)
{
    if constexpr (requires { out.TracePath(to, path, state); })
    {
        out.TracePath(to, path, state);
    }
}

/** A frame in flight. */
struct FlyingFrame
{
    Peer from{0}; ///< Its sender.
    Peer to{0};   ///< Its receiver.
    Frame frame;  ///< The frame.
};

/** User of a port, called once for each frame, never for each hop. */
class PortUser
{
  public:
    virtual ~PortUser() = default;

    /**
     * A whole frame has arrived at a peer and its checksum is good.
     * @param self the peer at which it arrives
     * @param from the peer that sent it
     * @param frame the frame
     */
    virtual void OnFrame(Peer self, Peer from, const Frame& frame) = 0;

    /**
     * A peer to which Send returned false may try again.
     * @param self the peer
     */
    virtual void OnReady(Peer self) = 0;

    /**
     * Check whether the user takes trimmed frames, which have MARK_TRIMMED and no payload.
     * @return true if it does; otherwise a network that trims loses them at the receiver
     */
    virtual bool TakesTrimmed() const
    {
        return false;
    }
};

/**
 * Carrier of frames between the peers of a group.
 *
 * One port serves all peers of its group, which avoids a port object for each of a million peers.
 */
template <class P>
concept DatagramPort = requires(P& p, const P& constant, const Frame& frame, PortUser* user) {
    { constant.GetInfo() } -> std::convertible_to<PortInfo>;
    { constant.GetNPeers() } -> std::convertible_to<uint32_t>;
    { constant.Distance(Peer{}, Peer{}) } -> std::convertible_to<Ticks>;
    { constant.WireTicks(frame) } -> std::convertible_to<Ticks>;
    { p.Send(Peer{}, Peer{}, frame) } -> std::same_as<bool>;
    p.SetUser(user);
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_CORE_H
