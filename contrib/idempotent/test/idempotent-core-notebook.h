/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef IDEMPOTENT_CORE_NOTEBOOK_H
#define IDEMPOTENT_CORE_NOTEBOOK_H

#include "ns3/idempotent-core.h"

#include <sstream>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup idempotent
 * What tests of the protocol core share: a host that writes down what the core wants done.
 */

namespace ns3
{
namespace idempotent
{
namespace tests
{

using messaging::Acceptance;
using messaging::Frame;
using messaging::Peer;
using messaging::Request;
using messaging::Ticks;
using messaging::TimerId;

inline constexpr Peer SELF = 3;        ///< The node under test.
inline constexpr Peer OTHER = 7;       ///< Another node.
inline constexpr Ticks DISTANCE = 10;  ///< Distance of any two nodes.
inline constexpr uint32_t PAYLOAD = 8; ///< Payload of a message [bytes].

/** Writes down what a core wants done; an Actions. */
struct Notebook
{
    std::vector<std::pair<Peer, Frame>> sent;     ///< Frames.
    std::vector<std::pair<TimerId, Ticks>> armed; ///< Timers.
    std::vector<messaging::Delivery> delivered;   ///< Messages.
    std::vector<messaging::RequestId> completed;  ///< Ended requests.
    std::string events;                           ///< Names of events, each after a blank.
    bool busy{false};                             ///< The port is busy.

    /** @param to receiver @param frame frame @return false if busy */
    bool Send(Peer to, const Frame& frame)
    {
        if (!busy)
        {
            sent.emplace_back(to, frame);
        }
        return !busy;
    }

    /** @return distance of any two nodes. */
    Ticks Distance(Peer) const
    {
        return DISTANCE;
    }

    /** @param frame a frame @return flits of 32 bits, with a checksum flit. */
    Ticks WireTicks(const Frame& frame) const
    {
        return (frame.header + frame.payload) / 4 + 1;
    }

    /** @param timer which @param delay from now */
    void Arm(TimerId timer, Ticks delay)
    {
        armed.emplace_back(timer, delay);
    }

    /** Nothing to do. */
    void Cancel(TimerId)
    {
    }

    /** No work is asked for. */
    void Do(const messaging::Work&)
    {
    }

    /** @param delivery the message */
    void Deliver(const messaging::Delivery& delivery)
    {
        delivered.push_back(delivery);
    }

    /** @param id the request */
    void Complete(messaging::RequestId id, messaging::Completion)
    {
        completed.push_back(id);
    }

    /** @param reason the event */
    void Note(messaging::Reason reason)
    {
        std::ostringstream name;
        name << " " << static_cast<Event>(reason);
        events += name.str();
    }
};

static_assert(messaging::Actions<Notebook>);
static_assert(messaging::ProtocolCore<IdempotentCore, Notebook>);

/**
 * Make a packet.
 * @param kind its type
 * @param id its message ID
 * @param source who sends it
 * @param flags its flags
 * @return the packet
 */
inline Frame
MakeFrame(PacketKind kind, uint64_t id, Peer source = OTHER, uint8_t flags = 0)
{
    Frame frame;
    frame.kind = static_cast<uint8_t>(kind);
    frame.id = id;
    frame.source = source;
    frame.payload = kind == PacketKind::MSG ? PAYLOAD : 0;
    frame.header = ACK_BYTES;
    frame.flags = flags;
    return frame;
}

/**
 * Make a request.
 * @param id its name
 * @param flags its flags
 * @return the request
 */
inline Request
MakeRequest(messaging::RequestId id, uint8_t flags = 0)
{
    Request request;
    request.id = id;
    request.contents = id;
    request.to = OTHER;
    request.bytes = PAYLOAD;
    request.flags = flags;
    return request;
}

} // namespace tests
} // namespace idempotent
} // namespace ns3

#endif // IDEMPOTENT_CORE_NOTEBOOK_H
