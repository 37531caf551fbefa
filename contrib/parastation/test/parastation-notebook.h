/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARASTATION_NOTEBOOK_H
#define PARASTATION_NOTEBOOK_H

#include "ns3/parastation-protocol.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup parastation
 * Writes down what a core wants done, for tests.
 */

namespace ns3
{
namespace parastation
{
namespace tests
{

/** What one core has asked for, and the answer to its sends. */
struct Notebook
{
    /** A frame that was sent. */
    struct Sent
    {
        messaging::Peer to;     ///< To whom.
        messaging::Frame frame; ///< What.
    };

    std::vector<Sent> sent;                      ///< Frames, in order.
    std::vector<messaging::TimerId> armed;       ///< Timers that run.
    std::vector<messaging::Work> work;           ///< Work that is not done.
    std::vector<messaging::Delivery> delivered;  ///< Messages delivered.
    std::vector<messaging::RequestId> completed; ///< Requests that have ended.
    std::array<uint32_t, N_EVENTS> count{};      ///< How often each event was noted.
    std::vector<Event> notes;                    ///< Events in order.
    bool busy{false};                            ///< Send is answered with false.

    /** Write down a frame. @param to to whom @param frame what @return false if busy */
    bool Send(messaging::Peer to, const messaging::Frame& frame)
    {
        if (!busy)
        {
            sent.push_back(Sent{to, frame});
        }
        return !busy;
    }

    /** @return 1. */
    messaging::Ticks Distance(messaging::Peer) const
    {
        return 1;
    }

    /** @return 1. */
    messaging::Ticks WireTicks(const messaging::Frame&) const
    {
        return 1;
    }

    /** Write down a timer. @param timer which */
    void Arm(messaging::TimerId timer, messaging::Ticks)
    {
        Cancel(timer);
        armed.push_back(timer);
    }

    /** Forget a timer. @param timer which */
    void Cancel(messaging::TimerId timer)
    {
        std::erase(armed, timer);
    }

    /** Write down work. @param each what */
    void Do(const messaging::Work& each)
    {
        work.push_back(each);
    }

    /** Write down a message. @param delivery which */
    void Deliver(const messaging::Delivery& delivery)
    {
        delivered.push_back(delivery);
    }

    /** Write down the end of a request. @param id which */
    void Complete(messaging::RequestId id, messaging::Completion)
    {
        completed.push_back(id);
    }

    /** Count an event. @param reason which */
    void Note(messaging::Reason reason)
    {
        ++count[reason];
        notes.push_back(static_cast<Event>(reason));
    }

    /** @param event an event @return how often it was noted */
    uint32_t Count(Event event) const
    {
        return count[static_cast<std::size_t>(event)];
    }

    /** @return the frames sent, each as its kind and number, as in "DATA 0, DATA 1, ACK 0"; forget
     * them. */
    std::string TakeSent()
    {
        std::ostringstream text;
        for (const auto& each : sent)
        {
            text << (text.str().empty() ? "" : ", ") << static_cast<PacketKind>(each.frame.kind)
                 << " " << static_cast<unsigned>(PacketId::Unpack(each.frame.id).sequence);
        }
        sent.clear();
        return text.str();
    }
};

/** @param id names the message @param to to whom @param bytes its size @return a message */
inline messaging::Request
MakeRequest(uint64_t id, messaging::Peer to = 1, uint32_t bytes = 8)
{
    return messaging::Request{id, 100 + id, to, bytes, static_cast<uint32_t>(id), 0};
}

/**
 * @param kind what it is
 * @param number its number
 * @param flags its flags
 * @return a packet of a message of its own
 */
inline messaging::Frame
MakeFrame(PacketKind kind, uint8_t number, uint8_t flags = 0)
{
    messaging::Frame frame;
    PacketId id;
    id.sequence = number;
    if (kind == PacketKind::DATA)
    {
        id.bytes = 8;
        id.count = 1;
        id.message = number;
        frame.payload = 8;
        frame.contents = 100 + uint64_t{number};
    }
    frame.id = id.Pack();
    frame.kind = static_cast<uint8_t>(kind);
    frame.flags = flags;
    frame.header = 24;
    return frame;
}

/** Post messages of 8 bytes. @param core the core @param out its notebook @param count how many */
template <class AnyCore>
void
PostMany(AnyCore& core, Notebook& out, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        core.OnRequest(MakeRequest(i), out);
    }
}

} // namespace tests
} // namespace parastation
} // namespace ns3

#endif // PARASTATION_NOTEBOOK_H
