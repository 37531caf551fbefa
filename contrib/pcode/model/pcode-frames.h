/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_FRAMES_H
#define PCODE_FRAMES_H

#include "pcode-config.h"
#include "pcode-program.h"

#include "ns3/messaging-core.h"

/**
 * @file
 * @ingroup pcode
 * How the protocols' messages lie in frames.
 *
 * | frame       | to            | id                     | aux           | contents   | flags     |
 * |-------------|---------------|------------------------|---------------|------------|-----------|
 * | REGULAR     | all           | group, PersonalCount   | GlobalCounter | of m       |           |
 * | NACK        | all or source | LastRcvd               | source        | last count |           |
 * | GLOBAL_NACK | all           | first GlobalCounter    | last          |            |           |
 * | POLL        | all           |                        | GlobalCounter |            | ENDED     |
 * | STATUS      | all           |                        | GlobalCounter | pcv        | both      |
 * | DIRECT      | one           | group, PersonalCount   |               | of m       | MORE      |
 * | DIRECT_ACK  | one           | PersonalCount accepted | room up to    |            | AGAIN     |
 *
 * Flags are STATUS_SOLICITED, STATUS_ENDED, DIRECT_MORE and DIRECT_AGAIN. The last count of a NACK
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
    uint8_t before{0};    ///< Messages directly before it that are kept, if there is a mark.

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const Message&) const = default;
};

/**
 * Begin a frame.
 * @param kind its type
 * @param self its sender
 * @param config parameters
 * @return the frame, without payload
 */
inline messaging::Frame
MakeFrame(FrameKind kind, messaging::Peer self, const PcodeConfig& config)
{
    messaging::Frame frame;
    frame.kind = static_cast<uint8_t>(kind);
    frame.source = self;
    frame.header = config.header;
    return frame;
}

/**
 * Put a message into a frame.
 * @param m the message
 * @param self its sender
 * @param config parameters
 * @param kind REGULAR or DIRECT
 * @return the frame
 */
inline messaging::Frame
MakeRegular(const Message& m,
            messaging::Peer self,
            const PcodeConfig& config,
            FrameKind kind = FrameKind::REGULAR)
{
    messaging::Frame frame = MakeFrame(kind, self, config);
    frame.id = uint64_t{m.group} << 32 | m.personal;
    frame.contents = m.contents;
    frame.aux = m.global;
    frame.payload = m.bytes;
    frame.flags = m.before;
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
                   frame.payload,
                   frame.kind == static_cast<uint8_t>(FrameKind::REGULAR) ? frame.flags
                                                                          : uint8_t{0}};
}

/**
 * Make what the layer above is given.
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
 * Look whether a call can be made at all.
 * @param call the call
 * @param config parameters
 * @param self the processor
 * @return false for an unknown target set or processor, for a target set with the sender in it or
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
        return call.to < groups.GetNProcessors() && call.to != self &&
               groups.Contains(call.tag, call.to, self);
    }
    return !groups.Contains(call.tag, self, self) && call.bytes <= config.maxMessage;
}

} // namespace pcode
} // namespace ns3

#endif // PCODE_FRAMES_H
