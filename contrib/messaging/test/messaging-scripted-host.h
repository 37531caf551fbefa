/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_SCRIPTED_HOST_H
#define MESSAGING_SCRIPTED_HOST_H

#include "ns3/messaging-core.h"

#include <algorithm>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Host without time, with which tests drive protocol cores event by event.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * Actions that record the requests of one core. A test passes it to the core with each event and
 * then reads the records. A derived host hides a function to react differently.
 *
 * If `printFrame` is set, `log` collects all requests in order as text: ` >2:F` a frame F to peer 2
 * (`>all:F` a broadcast, `busy>2:F` one that a busy port refused), ` +t1` and ` -t1` a timer armed
 * and cancelled, ` deliver(7)` a delivery of contents 7, ` done(3)` the completion of request 3,
 * and a reason by its name.
 */
struct ScriptedHost
{
    /** A frame that was sent. */
    struct Sent
    {
        Peer to;     ///< Receiver, or NO_PEER for all others.
        Frame frame; ///< The frame.
    };

    /** A request that was completed. */
    struct Ended
    {
        RequestId id;          ///< The request.
        Completion completion; ///< Its outcome.
    };

    std::vector<Sent> sent;                       ///< Frames, in order.
    std::vector<std::pair<TimerId, Ticks>> armed; ///< Armed timers and their delays, in order.
    std::map<TimerId, Ticks> timers;              ///< Pending timers and their delays.
    std::vector<Work> work;                       ///< Requested work, in order.
    std::vector<Delivery> delivered;              ///< Messages, in order.
    std::vector<Ended> completed;                 ///< Completed requests, in order.
    std::vector<Reason> notes;                    ///< Reasons, in order.
    std::string log;                              ///< All of these as text, if printFrame is set.
    bool busy{false};                             ///< The port is busy: Send returns false.
    Ticks distance{1};                            ///< Distance of all peers [ticks].
    Ticks now{0};                                 ///< The time [ticks].
    uint32_t random{0};                           ///< The next random numbers.
    std::function<Ticks(const Frame&)> wireTicks; ///< Transmission time [ticks]; empty for 1.
    std::function<std::string(const Frame&)> printFrame; ///< Text of a frame for the log.
    std::function<std::string(Reason)> printReason;      ///< Name of a reason for the log.

    /** Record a frame. @param to receiver @param frame the frame @return false if busy */
    bool Send(Peer to, const Frame& frame)
    {
        if (printFrame)
        {
            log += busy ? " busy>" : " >";
            log += to == NO_PEER ? "all" : std::to_string(to);
            log.append(":").append(printFrame(frame));
        }
        if (!busy)
        {
            sent.push_back(Sent{to, frame});
        }
        return !busy;
    }

    /** @return the distance of any peer [ticks]. */
    Ticks Distance(Peer) const
    {
        return distance;
    }

    /** @param frame a frame @return its transmission time [ticks] */
    Ticks WireTicks(const Frame& frame) const
    {
        return wireTicks ? wireTicks(frame) : 1;
    }

    /** @return the time [ticks]. */
    Ticks Now() const
    {
        return now;
    }

    /** @param bound exclusive @return the given random number, or the largest below the bound */
    uint32_t Random(uint32_t bound) const
    {
        return std::min(random, bound - 1);
    }

    /** Record a timer. @param timer the timer @param delay from now [ticks] */
    void Arm(TimerId timer, Ticks delay)
    {
        Write(" +t", timer, "");
        armed.emplace_back(timer, delay);
        timers[timer] = delay;
    }

    /** Remove a pending timer. @param timer the timer */
    void Cancel(TimerId timer)
    {
        Write(" -t", timer, "");
        timers.erase(timer);
    }

    /** Record work. @param each the work */
    void Do(const Work& each)
    {
        work.push_back(each);
    }

    /** Record a delivery. @param delivery the message */
    void Deliver(const Delivery& delivery)
    {
        Write(" deliver(", delivery.contents, ")");
        delivered.push_back(delivery);
    }

    /** Record a completion. @param id the request @param completion its outcome */
    void Complete(RequestId id, Completion completion)
    {
        Write(" done(", id, ")");
        completed.push_back(Ended{id, completion});
    }

    /** Record a reason. @param reason the reason */
    void Note(Reason reason)
    {
        if (printReason)
        {
            log.append(" ").append(printReason(reason));
        }
        notes.push_back(reason);
    }

    /** @return the count of a reason. @param reason a number or an enumerator */
    template <class R>
    uint64_t Count(R reason) const
    {
        return std::count(notes.begin(), notes.end(), static_cast<Reason>(reason));
    }

    /**
     * Print the frames sent since the last call.
     * @param print given a stream and a Sent, prints it
     * @param separator between two frames
     * @return the text
     */
    template <class Print>
    std::string TakeSent(Print print, const char* separator = ", ")
    {
        std::ostringstream os;
        for (const auto& each : std::exchange(sent, {}))
        {
            os << (os.tellp() > 0 ? separator : "");
            print(os, each);
        }
        return os.str();
    }

  private:
    /** Append to the log, if it is kept. @param before prefix @param number number @param after
     * suffix */
    void Write(const char* before, uint64_t number, const char* after)
    {
        if (printFrame)
        {
            log.append(before).append(std::to_string(number)).append(after);
        }
    }
};

static_assert(Actions<ScriptedHost>);

/**
 * @ingroup messaging
 * Get the state of a core.
 * @tparam Core a ProtocolCore
 * @param core the core
 * @return its canonical form
 */
template <class Core>
std::vector<uint64_t>
GetState(const Core& core)
{
    Encoder encoder;
    core.Encode(encoder);
    return encoder.GetWords();
}

/**
 * @ingroup messaging
 * Check whether a core refuses a frame that no peer of its group has sent: its canonical state does
 * not change, and it requests no action.
 * @tparam Core a ProtocolCore
 * @tparam Host its Actions, a ScriptedHost
 * @param core the core
 * @param from the sender
 * @param frame the frame
 * @return true if it does
 */
template <class Host = ScriptedHost, class Core>
bool
Refuses(Core core, Peer from, const Frame& frame)
{
    const auto before = GetState(core);
    Host out;
    core.OnFrame(from, frame, out);
    return before == GetState(core) && out.sent.empty() && out.delivered.empty() &&
           out.completed.empty() && out.armed.empty() && out.work.empty();
}

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_SCRIPTED_HOST_H
