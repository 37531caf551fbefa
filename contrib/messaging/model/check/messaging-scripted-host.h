/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_SCRIPTED_HOST_H
#define MESSAGING_SCRIPTED_HOST_H

#include "ns3/messaging-core.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Hosts without time, on which tests and searches drive protocol cores event by event.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * Actions that record what one core requests. A test hands it to the core with each event and then
 * reads the records; whatever needs another reaction derives from it and hides the function.
 *
 * With `printFrame` set, `log` collects all requests in order as text: ` >2:F` a frame F to peer 2
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
    std::vector<std::pair<TimerId, Ticks>> armed; ///< Every timer armed and its delay, in order.
    std::map<TimerId, Ticks> timers;              ///< Pending timers and their delays.
    std::vector<Work> work;                       ///< Work requested, in order.
    std::vector<Delivery> delivered;              ///< Messages, in order.
    std::vector<Ended> completed;                 ///< Completed requests, in order.
    std::vector<Reason> notes;                    ///< Reasons, in order.
    std::string log;                              ///< All of these as text, if printFrame is set.
    bool busy{false};                             ///< The port is busy: Send returns false.
    Ticks distance{1};                            ///< Distance of all peers [ticks].
    std::function<Ticks(const Frame&)> wireTicks; ///< Length of a frame; empty for 1 [ticks].
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

    /** @param frame a frame @return its length [ticks] */
    Ticks WireTicks(const Frame& frame) const
    {
        return wireTicks ? wireTicks(frame) : 1;
    }

    /** Record a timer. @param timer which @param delay from now [ticks] */
    void Arm(TimerId timer, Ticks delay)
    {
        Write(" +t", timer, "");
        armed.emplace_back(timer, delay);
        timers[timer] = delay;
    }

    /** Remove a pending timer. @param timer which */
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

    /** Record a reason. @param reason which */
    void Note(Reason reason)
    {
        if (printReason)
        {
            log.append(" ").append(printReason(reason));
        }
        notes.push_back(reason);
    }

    /** @return how often a reason was noted. @param reason a number or an enumerator */
    template <class R>
    uint64_t Count(R reason) const
    {
        return std::count(notes.begin(), notes.end(), static_cast<Reason>(reason));
    }

    /** @return the requests completed so far, in order. */
    std::vector<RequestId> GetCompleted() const
    {
        std::vector<RequestId> ids;
        for (const auto& ended : completed)
        {
            ids.push_back(ended.id);
        }
        return ids;
    }

    /** @return the log since the last call. */
    std::string TakeLog()
    {
        return std::exchange(log, "");
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
    /** Add to the log, if it is kept. @param before text @param number a number @param after text
     */
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
 * A group of cores on a network without time: frames in flight lie in one line in the order sent,
 * and the test delivers, loses or repeats each.
 *
 * @tparam Core a ProtocolCore
 * @tparam Host its Actions, a ScriptedHost
 */
template <class Core, class Host = ScriptedHost>
class ScriptedGroup
{
  public:
    /** A frame in flight. */
    struct Flight
    {
        Peer from;   ///< Sender.
        Peer to;     ///< Receiver; in the log, NO_PEER for all others.
        Frame frame; ///< The frame.
    };

    /**
     * Constructor.
     * @param peers the number of peers
     * @param make given a Peer, returns its Core
     */
    template <class Make>
    ScriptedGroup(uint32_t peers, Make&& make)
        : hosts(peers)
    {
        static_assert(ProtocolCore<Core, Host>);
        for (Peer peer = 0; peer < peers; ++peer)
        {
            cores.push_back(make(peer));
        }
    }

    /**
     * Post a request.
     * @param self the peer that posts
     * @param request the request
     * @return the acceptance
     */
    Acceptance Post(Peer self, const Request& request)
    {
        Acceptance acceptance{};
        Act(self, [&](Core& core, Host& host) { acceptance = core.OnRequest(request, host); });
        return acceptance;
    }

    /**
     * Take a frame off the network.
     * @param index its place in the line
     * @return the frame
     */
    Flight Take(std::size_t index = 0)
    {
        const Flight flight = flights.at(index);
        flights.erase(flights.begin() + static_cast<std::ptrdiff_t>(index));
        return flight;
    }

    /**
     * Take a frame of one sender off the network.
     * @param from the sender
     * @param index its place among the sender's frames
     * @return the frame
     */
    Flight TakeFrom(Peer from, std::size_t index = 0)
    {
        std::size_t place = 0;
        while (flights.at(place).from != from || index-- > 0)
        {
            ++place;
        }
        return Take(place);
    }

    /** Deliver a frame that is not in flight. @param flight the frame */
    void Inject(const Flight& flight)
    {
        Act(flight.to,
            [&](Core& core, Host& host) { core.OnFrame(flight.from, flight.frame, host); });
    }

    /** Deliver a frame in flight. @param index its place in the line */
    void Deliver(std::size_t index = 0)
    {
        Inject(Take(index));
    }

    /**
     * Deliver frames in order until none is in flight.
     * @param lose returns whether a frame is lost; empty to lose none
     */
    void Run(const std::function<bool(const Flight&)>& lose = {})
    {
        while (!flights.empty())
        {
            const Flight flight = Take();
            if (!lose || !lose(flight))
            {
                Inject(flight);
            }
        }
    }

    /** Let a timer expire, pending or not. @param self whose @param timer which */
    void Fire(Peer self, TimerId timer)
    {
        hosts[self].timers.erase(timer);
        Act(self, [&](Core& core, Host& host) { core.OnTimer(timer, host); });
    }

    /** Complete work. @param self whose @param work which */
    void Done(Peer self, WorkId work)
    {
        Act(self, [&](Core& core, Host& host) { core.OnDone(work, host); });
    }

    /** Notify a core that its port can send again. @param self the peer */
    void Ready(Peer self)
    {
        Act(self, [](Core& core, Host& host) { core.OnReady(host); });
    }

    /** Set whether all ports are busy. @param busy true if Send returns false */
    void SetBusy(bool busy)
    {
        for (auto& host : hosts)
        {
            host.busy = busy;
        }
    }

    /** @return how often the cores have noted a reason. @param reason a number or an enumerator */
    template <class R>
    uint64_t Count(R reason) const
    {
        uint64_t count = 0;
        for (const auto& host : hosts)
        {
            count += host.Count(reason);
        }
        return count;
    }

    /**
     * Run a function on a core and put the frames that it sends in flight.
     * @param self the peer
     * @param act called with the core and its host
     */
    template <class F>
    void Act(Peer self, F&& act)
    {
        Host& host = hosts[self];
        act(cores[self], host);
        for (const auto& [to, frame] : std::exchange(host.sent, {}))
        {
            log.push_back(Flight{self, to, frame});
            for (Peer peer = 0; peer < cores.size(); ++peer)
            {
                if (to == NO_PEER ? peer != self : peer == to)
                {
                    flights.push_back(Flight{self, peer, frame});
                }
            }
        }
    }

    std::vector<Core> cores;    ///< The cores, one a peer.
    std::vector<Host> hosts;    ///< Their hosts; `sent` moves on to `flights` and `log`.
    std::deque<Flight> flights; ///< Frames in flight, in the order sent, one for each receiver.
    std::vector<Flight> log;    ///< All frames sent.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_SCRIPTED_HOST_H
