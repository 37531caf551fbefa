/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARASTATION_NOTEBOOK_H
#define PARASTATION_NOTEBOOK_H

#include "ns3/messaging-scripted-host.h"
#include "ns3/parastation-protocol.h"

#include <array>
#include <ostream>
#include <string>

/**
 * @file
 * @ingroup parastation
 * Record of the requests of a core, for tests.
 */

namespace ns3
{
namespace parastation
{

/** Print a state by name. @param os the stream @param state the value @return the stream */
inline std::ostream&
operator<<(std::ostream& os, SendState state)
{
    constexpr std::array NAMES{"IDLE", "READY", "INTRANSIT", "RETRANSMIT"};
    return os << NAMES.at(static_cast<std::size_t>(state));
}

/** Print an event by name. @param os the stream @param event the value @return the stream */
inline std::ostream&
operator<<(std::ostream& os, SendEvent event)
{
    constexpr std::array NAMES{"store", "send", "ack", "nack", "timeout"};
    return os << NAMES.at(static_cast<std::size_t>(event));
}

/** Print a state by name. @param os the stream @param state the value @return the stream */
inline std::ostream&
operator<<(std::ostream& os, ReceiveState state)
{
    constexpr std::array NAMES{"IDLE", "INTRANSIT", "READY"};
    return os << NAMES.at(static_cast<std::size_t>(state));
}

/** Print an event by name. @param os the stream @param event the value @return the stream */
inline std::ostream&
operator<<(std::ostream& os, ReceiveEvent event)
{
    constexpr std::array NAMES{"arrive", "accept", "discard", "take"};
    return os << NAMES.at(static_cast<std::size_t>(event));
}

namespace tests
{

/** Record of the requests of one core. */
struct Notebook : messaging::ScriptedHost
{
    /** @return the frames sent since the last call, each as its kind and number, as in "DATA 0, ACK
     * 0". */
    std::string TakeSent()
    {
        return ScriptedHost::TakeSent([](std::ostream& os, const Sent& each) {
            os << static_cast<PacketKind>(each.frame.kind) << " "
               << static_cast<unsigned>(PacketId::Unpack(each.frame.id).sequence);
        });
    }
};

/** @param id its ID @param to its receiver @param bytes its size @return a message */
inline messaging::Request
MakeRequest(uint64_t id, messaging::Peer to = 1, uint32_t bytes = 8)
{
    return messaging::Request{id, 100 + id, to, bytes, static_cast<uint32_t>(id), 0};
}

/**
 * @param kind its kind
 * @param number its number
 * @param flags its flags
 * @return a packet of a separate message
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

/**
 * Post messages of 8 bytes. @param core the core @param out its notebook @param count number of
 * messages
 */
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
