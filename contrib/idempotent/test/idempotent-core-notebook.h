/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef IDEMPOTENT_CORE_NOTEBOOK_H
#define IDEMPOTENT_CORE_NOTEBOOK_H

#include "ns3/idempotent-core.h"
#include "ns3/messaging-scripted-host.h"

#include <sstream>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup idempotent
 * Host of the protocol core in tests.
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

/** Host of one core, with the flits of section 4.2 and the names of events. */
struct Notebook : messaging::ScriptedHost
{
    Notebook()
    {
        distance = DISTANCE;
        // Flits of 32 bits, with a checksum flit.
        wireTicks = [](const Frame& frame) { return (frame.header + frame.payload) / 4 + 1; };
        printReason = [](messaging::Reason reason) {
            std::ostringstream name;
            name << static_cast<Event>(reason);
            return name.str();
        };
    }
};

static_assert(messaging::ProtocolCore<IdempotentCore, Notebook>);

/**
 * Make a packet.
 * @param kind its type
 * @param id its message ID
 * @param flags its flags
 * @return the packet
 */
inline Frame
MakeFrame(PacketKind kind, uint64_t id, uint8_t flags = 0)
{
    Frame frame;
    frame.kind = static_cast<uint8_t>(kind);
    frame.id = id;
    frame.payload = kind == PacketKind::MSG ? PAYLOAD : 0;
    frame.header = ACK_BYTES;
    frame.flags = flags;
    return frame;
}

/**
 * Make a request.
 * @param id its ID
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
