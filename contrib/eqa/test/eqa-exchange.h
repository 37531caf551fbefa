/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef EQA_EXCHANGE_H
#define EQA_EXCHANGE_H

#include "ns3/eqa-core.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup eqa
 * Fixture of the core's tests: a few nodes on a network without time, driven by hand.
 */

namespace ns3
{
namespace eqa
{
namespace tests
{

using messaging::Acceptance;
using messaging::Delivery;
using messaging::Frame;
using messaging::NO_PEER;
using messaging::Peer;
using messaging::Request;

/** @return parameters with a few slots and small packets. */
inline EqaConfig
SmallConfig()
{
    EqaConfig config;
    config.window = 4;
    config.maxPayload = 4;
    config.btp1 = 2;
    config.btp2 = 4;
    config.queue = 4;
    config.pushedBuffer = 4 * (sizeof(PushedPacket) + 4);
    return config;
}

/**
 * A network of a few nodes. All frames in flight are in one queue, in the order sent; the test
 * decides the fate of each. Everything is logged.
 */
class Exchange
{
  public:
    /** A frame in flight. */
    struct Flight
    {
        Peer from;   ///< Sender.
        Peer to;     ///< Receiver; in the log, NO_PEER for a broadcast.
        Frame frame; ///< The frame.
    };

    /**
     * Constructor.
     * @param peers number of nodes
     * @param settings parameters
     */
    explicit Exchange(uint32_t peers, const EqaConfig& settings = EqaConfig())
        : config(settings)
    {
        for (Peer peer = 0; peer < peers; ++peer)
        {
            cores.emplace_back(peer, peers, &config);
        }
    }

    Exchange(const Exchange&) = delete;
    Exchange& operator=(const Exchange&) = delete;

    /**
     * Post a message.
     * @param self the sender
     * @param to the receiver, or NO_PEER
     * @param bytes its size [bytes]
     * @param contents represents its contents
     * @return the acceptance
     */
    Acceptance Post(Peer self, Peer to, uint32_t bytes, uint64_t contents = 7)
    {
        Request request;
        request.id = contents;
        request.contents = contents;
        request.to = to;
        request.bytes = bytes;
        request.tag = static_cast<uint32_t>(contents) + 1;
        Out out{*this, self};
        return cores[self].OnRequest(request, out);
    }

    /**
     * Post a receive.
     * @param self the receiver
     * @param from the sender
     * @param broadcast whether to use its broadcast channel
     * @param tag selects the DP
     * @return the acceptance
     */
    Acceptance Receive(Peer self, Peer from, bool broadcast, uint32_t tag = 0)
    {
        Request request;
        request.id = NO_ID;
        request.to = from;
        request.tag = tag;
        request.flags = RECEIVE | (broadcast ? BROADCAST_CHANNEL : 0);
        Out out{*this, self};
        return cores[self].OnRequest(request, out);
    }

    /** Deliver the first frame in flight. */
    void Deliver()
    {
        const Flight flight = flights.front();
        flights.pop_front();
        Inject(flight.from, flight.to, flight.frame);
    }

    /**
     * Deliver a forged frame.
     * @param from its sender
     * @param to its receiver
     * @param frame the frame
     */
    void Inject(Peer from, Peer to, const Frame& frame)
    {
        Out out{*this, to};
        cores[to].OnFrame(from, frame, out);
    }

    /** Deliver all frames until none is in flight, except those lost by `lose`. */
    void Run()
    {
        while (!flights.empty())
        {
            const Flight flight = flights.front();
            if (lose && lose(flight))
            {
                flights.pop_front();
                continue;
            }
            Deliver();
        }
    }

    /**
     * Fire a timer.
     * @param self its node
     * @param timer the timer
     */
    void Fire(Peer self, messaging::TimerId timer)
    {
        armed.erase({self, timer});
        Out out{*this, self};
        cores[self].OnTimer(timer, out);
    }

    /** End work of a node. @param self the node @param work the work */
    void Done(Peer self, messaging::WorkId work)
    {
        Out out{*this, self};
        cores[self].OnDone(work, out);
    }

    /** Notify a node that its port is ready. @param self the node */
    void Ready(Peer self)
    {
        Out out{*this, self};
        cores[self].OnReady(out);
    }

    /**
     * Count an event.
     * @param event the event
     * @return its count on all nodes
     */
    uint64_t Count(Event event) const
    {
        const auto found = counts.find(event);
        return found == counts.end() ? 0 : found->second;
    }

    /**
     * Write the frames sent since the last call.
     * @return each as sender, arrow, receiver or * for all, kind, number, payload and flags
     */
    std::string TakeSent()
    {
        std::ostringstream os;
        for (const auto& [from, to, frame] : log)
        {
            os << (os.tellp() > 0 ? "; " : "") << from << ">";
            if (to == NO_PEER)
            {
                os << "*";
            }
            else
            {
                os << to;
            }
            os << " " << static_cast<PacketKind>(frame.kind) << static_cast<uint32_t>(frame.id);
            if (frame.kind == static_cast<uint8_t>(PacketKind::DATA))
            {
                os << "/" << frame.payload;
            }
            for (const auto& [flag, name] : {std::pair{FIRST, " first"},
                                             {PUSH_END, " end"},
                                             {ACK_ME, " ack"},
                                             {PULL, " pull"},
                                             {NO_ROOM, " full"}})
            {
                if (frame.flags & flag)
                {
                    os << name;
                }
            }
        }
        log.clear();
        return os.str();
    }

    EqaConfig config;                                         ///< Parameters of all nodes.
    std::vector<EqaCore> cores;                               ///< The nodes.
    std::deque<Flight> flights;                               ///< Frames in flight.
    std::vector<Flight> log;                                  ///< Frames sent.
    std::vector<std::pair<Peer, Delivery>> delivered;         ///< Messages delivered.
    std::vector<std::pair<Peer, messaging::RequestId>> ended; ///< Ended requests.
    std::vector<std::pair<Peer, messaging::Work>> works;      ///< Work requested.
    std::map<Event, uint64_t> counts;                         ///< Events.
    std::map<std::pair<Peer, messaging::TimerId>, messaging::Ticks>
        armed;                               ///< Active timers and their delays.
    std::function<bool(const Flight&)> lose; ///< Selects frames to be lost.
    bool busy{false};                        ///< All ports are busy.

  private:
    /** Actions of a core. */
    struct Out
    {
        Exchange& exchange; ///< The network.
        Peer self;          ///< The node.

        /** @param to receiver @param frame frame @return false if busy */
        bool Send(Peer to, const Frame& frame)
        {
            if (exchange.busy)
            {
                return false;
            }
            exchange.log.push_back(Flight{self, to, frame});
            for (Peer peer = 0; peer < exchange.cores.size(); ++peer)
            {
                if (to == NO_PEER ? peer != self : peer == to)
                {
                    exchange.flights.push_back(Flight{self, peer, frame});
                }
            }
            return true;
        }

        /** @return distance of any two nodes. */
        messaging::Ticks Distance(Peer) const
        {
            return 1;
        }

        /** @return length of any frame. */
        messaging::Ticks WireTicks(const Frame&) const
        {
            return 1;
        }

        /** @return the time, always 0. */
        messaging::Ticks Now() const
        {
            return 0;
        }

        /** @return always 0. */
        uint32_t Random(uint32_t) const
        {
            return 0;
        }

        /** @param timer the timer @param delay its delay [ticks] */
        void Arm(messaging::TimerId timer, messaging::Ticks delay)
        {
            exchange.armed[{self, timer}] = delay;
        }

        /** @param timer the timer */
        void Cancel(messaging::TimerId timer)
        {
            exchange.armed.erase({self, timer});
        }

        /** @param work the work */
        void Do(const messaging::Work& work)
        {
            exchange.works.emplace_back(self, work);
        }

        /** @param delivery the message */
        void Deliver(const Delivery& delivery)
        {
            exchange.delivered.emplace_back(self, delivery);
        }

        /** @param id the request */
        void Complete(messaging::RequestId id, messaging::Completion)
        {
            exchange.ended.emplace_back(self, id);
        }

        /** @param reason the reason */
        void Note(messaging::Reason reason)
        {
            ++exchange.counts[static_cast<Event>(reason)];
        }
    };

    static_assert(messaging::ProtocolCore<EqaCore, Out>);
};

/**
 * Check the references and buffers of a group: an entry has a reference for each consumer that
 * needs it, the oldest one has at least one, and no receiver needs a freed entry.
 * @param cores all nodes
 * @return empty, or one sentence
 */
inline std::string
FindBrokenReference(const std::vector<EqaCore>& cores)
{
    for (Peer self = 0; self < cores.size(); ++self)
    {
        for (const auto& point : cores[self].GetSendPoints())
        {
            const auto& queue = point.queue;
            const auto home = queue.GetHome();
            for (uint64_t number = home.tail; number < home.head; ++number)
            {
                uint32_t needed = 0;
                for (const auto& local : queue.GetConsumers())
                {
                    needed += local.next <= number ? 1 : 0;
                }
                if (queue.Get(number).references != needed || (number == home.tail && needed == 0))
                {
                    return "A packet has " + std::to_string(queue.Get(number).references) +
                           " references, and is needed by " + std::to_string(needed) +
                           " consumers.";
                }
            }
            for (const auto& local : queue.GetConsumers())
            {
                for (const auto& other : cores[local.to].GetReceivePoints())
                {
                    const bool same = other.from == self && other.number == point.number &&
                                      other.broadcast == point.IsBroadcast();
                    if (same && other.expected < local.next)
                    {
                        return "A packet was freed that a receiver still needs.";
                    }
                }
            }
        }
    }
    return "";
}

} // namespace tests
} // namespace eqa
} // namespace ns3

#endif // EQA_EXCHANGE_H
