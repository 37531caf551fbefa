/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_FRAMES_H
#define PCODE_FRAMES_H

#include "ns3/messaging-core.h"
#include "ns3/pcode-config.h"
#include "ns3/pcode-program.h"

/**
 * @file
 * @ingroup pcode
 * Layout of the protocols' messages in frames.
 *
 * | frame       | to            | id                     | aux           | contents   | flags     |
 * |-------------|---------------|------------------------|---------------|------------|-----------|
 * | REGULAR     | all           | group, PersonalCount   | GlobalCounter | of m       |           |
 * | NACK        | all or source | LastRcvd               | source        | last count |           |
 * | GLOBAL_NACK | all           | first GlobalCounter    | last          |            |           |
 * | POLL        | all           |                        | GlobalCounter |            |           |
 * | STATUS      | all           |                        | GlobalCounter | pcv        | SOLICITED |
 * | DIRECT      | one           | group, PersonalCount   |               | of m       | MORE      |
 * | DIRECT_ACK  | one           | PersonalCount accepted | room up to    |            | AGAIN     |
 *
 * Flags are STATUS_SOLICITED, DIRECT_MORE and DIRECT_AGAIN. The last count of a NACK
 * is 0 for all; otherwise its sender has seen a later message. The PersonalCounts of DIRECT
 * messages are those of one pair. The pcv of a STATUS is a list in the group's ListStore.
 */

namespace ns3
{
namespace pcode
{

/** A message as its sender keeps it. */
struct Message
{
    uint64_t contents{0}; ///< Stands for m.
    uint32_t personal{0}; ///< PersonalCount.
    uint32_t global{0};   ///< GlobalCounter.
    uint32_t group{0};    ///< Number of its target set.
    uint32_t bytes{0};    ///< Size of m [bytes].

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const Message&) const = default;
};

/** Kinds of timers; a timer's name is its kind and a number. */
enum class PcodeTimer : uint8_t
{
    REQUEST = 1, ///< NACK for the open request.
    PERSONAL,    ///< NACK for a gap in a source's PersonalCounts; by source.
    GLOBAL,      ///< NACK for a gap in the GlobalCounters.
    POLL,        ///< POLL for the multicast that waits.
    HOLD,        ///< End of a message's HoldOff; by PersonalCount, 0 for STATUS.
    DIRECT       ///< Resends point-to-point messages; by target.
};

/**
 * Name a timer.
 * @param kind its kind
 * @param number its number
 * @return its name
 */
constexpr messaging::TimerId
MakeTimer(PcodeTimer kind, uint32_t number = 0)
{
    return static_cast<uint64_t>(kind) << 32 | number;
}

/**
 * Count an event.
 * @param event the event
 * @param out actions
 */
template <class Out>
void
Note(Event event, Out& out)
{
    out.Note(static_cast<messaging::Reason>(event));
}

/**
 * Send a frame.
 * @param to the receiver, or NO_PEER
 * @param frame the frame
 * @param event the event if the port takes it
 * @param out actions
 */
template <class Out>
void
SendFrame(messaging::Peer to, const messaging::Frame& frame, Event event, Out& out)
{
    Note(out.Send(to, frame) ? event : Event::PORT_BUSY, out);
}

/**
 * Begin a frame.
 * @param kind its type
 * @param self its sender
 * @return the frame, without payload
 */
inline messaging::Frame
MakeFrame(FrameKind kind, messaging::Peer self)
{
    messaging::Frame frame;
    frame.kind = static_cast<uint8_t>(kind);
    frame.source = self;
    frame.header = PcodeConfig::HEADER;
    return frame;
}

/**
 * Put a message into a frame.
 * @param m the message
 * @param self its sender
 * @param kind REGULAR or DIRECT
 * @return the frame
 */
inline messaging::Frame
MakeRegular(const Message& m, messaging::Peer self, FrameKind kind = FrameKind::REGULAR)
{
    messaging::Frame frame = MakeFrame(kind, self);
    frame.id = uint64_t{m.group} << 32 | m.personal;
    frame.contents = m.contents;
    frame.aux = m.global;
    frame.payload = m.bytes;
    return frame;
}

/**
 * Get the target set of a REGULAR or DIRECT frame.
 * @param frame the frame
 * @return its number
 */
inline uint32_t
GetGroup(const messaging::Frame& frame)
{
    return static_cast<uint32_t>(frame.id >> 32);
}

/**
 * Read a REGULAR or DIRECT frame.
 * @param frame the frame
 * @return the message in it
 */
inline Message
ReadRegular(const messaging::Frame& frame)
{
    return Message{frame.contents,
                   static_cast<uint32_t>(frame.id),
                   frame.aux,
                   GetGroup(frame),
                   frame.payload};
}

/**
 * Make the delivery of a message.
 * @param m the message
 * @param source its sender
 * @return the delivery
 */
inline messaging::Delivery
MakeDelivery(const Message& m, messaging::Peer source)
{
    return messaging::Delivery{m.personal, m.contents, source, m.bytes, m.group, 0};
}

/**
 * Check whether a call is sound.
 * @param call the call
 * @param config parameters
 * @param self the node
 * @return false for an unknown target set or node, for a target set with the sender in it or
 * without the requester, and for a message over the maximum
 */
inline bool
IsSound(const messaging::Request& call, const PcodeConfig& config, messaging::Peer self)
{
    const TargetGroups& groups = *config.groups;
    if (!groups.IsKnown(call.tag))
    {
        return false;
    }
    if (call.flags & REQUEST_CALL)
    {
        return call.to < groups.GetNNodes() && call.to != self &&
               groups.Contains(call.tag, call.to, self);
    }
    return !groups.Contains(call.tag, self, self) && call.bytes <= config.maxMessage;
}

} // namespace pcode
} // namespace ns3

#endif // PCODE_FRAMES_H
