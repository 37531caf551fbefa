/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_CONFIG_H
#define PCODE_CONFIG_H

#include "ns3/messaging-core.h"
#include "ns3/messaging-named-counts.h"
#include "ns3/pcode-list-store.h"
#include "ns3/pcode-program.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup pcode
 * Common parameters of a group that runs P0, P1 or PCODE, and its frames.
 *
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

/** Types of messages on the network; the values of Frame::kind. */
enum class FrameKind : uint8_t
{
    REGULAR = 1, ///< A multicast message, first sent or resent (Figure 4).
    NACK,        ///< Requests messages of one source, by its PersonalCounts (Figure 5).
    GLOBAL_NACK, ///< Requests messages of all, by their GlobalCounters (section 5.3).
    POLL,        ///< Requests a STATUS of all (sections 4 and 5.2).
    STATUS,      ///< pcv and GlobalCounter of its sender (sections 4 and 5.5).
    DIRECT,      ///< A point-to-point message (section 5.6).
    DIRECT_ACK   ///< How many point-to-point messages have been accepted (section 5.6).
};

/** Events that the protocols count; the values of their notes. */
enum class Event : uint8_t
{
    REGULAR_FIRST,    ///< A message was broadcast for the first time.
    REGULAR_RESENT,   ///< A message was broadcast again.
    DIRECT_FIRST,     ///< A point-to-point message was sent for the first time.
    DIRECT_RESENT,    ///< A point-to-point message was sent again.
    DIRECT_ACK_SENT,  ///< A point-to-point message was answered.
    REQUEST_NACK,     ///< NACK for a request that cannot be satisfied.
    PERSONAL_NACK,    ///< NACK for a gap in a source's PersonalCounts (section 5.3).
    GLOBAL_NACK_SENT, ///< NACK for a gap in the GlobalCounters (section 5.3).
    POLL_SENT,        ///< A STATUS was requested.
    STATUS_ANSWERED,  ///< STATUS that was requested.
    STATUS_PERIODIC,  ///< STATUS after STATUS_WINDOW counters (section 5.5).
    STATUS_SPREAD,    ///< STATUS because the GlobalCounters lie too far apart (section 5.2).
    ACCEPTED,         ///< A message went into its source's input slot.
    PASSED_OVER,      ///< A message in order was for others.
    DELIVERED,        ///< A message was delivered to its request.
    DROP_LATE,        ///< A message was dropped: it had come before.
    DROP_EARLY,       ///< A message was dropped: one before it is missing.
    DROP_SLOT,        ///< A message was dropped: the input slot is not free.
    DROP_EARLY_FULL,  ///< A message was dropped: the buffer of early messages is full.
    KEPT_EARLY,       ///< A message went into the buffer of early messages (section 5.4).
    TAKEN_EARLY,      ///< A message in that buffer could be accepted.
    NACK_OF_OTHERS,   ///< A NACK was for another source.
    NACK_AHEAD,       ///< A NACK requested nothing that has been sent; it does no harm.
    NACK_FORGOTTEN,   ///< A NACK requested a message that has been discarded.
    HELD_BACK,        ///< A message was not resent: it was sent a moment ago.
    DISCARDED,        ///< A message left the buffer of sent messages.
    WAIT_BUFFER,      ///< A multicast has to wait: the buffer of sent messages is full.
    WAIT_FLOW,        ///< A multicast has to wait: FLOW_WINDOW (section 5.2).
    FLOW_OVERSTEPPED, ///< It has waited for long enough and goes.
    COUNTER_HELD,     ///< A GlobalCounter is kept until those before it have come.
    PORT_BUSY,        ///< A frame was lost since the port was busy.
    ILLEGAL           ///< A frame or timer that no node of the protocol sends or sets.
};

/** Number of events that are counted. */
inline constexpr std::size_t EVENTS = static_cast<std::size_t>(Event::ILLEGAL) + 1;

/** Frame::flags of a STATUS that answers a POLL. */
inline constexpr uint8_t STATUS_SOLICITED = 1;

/**
 * Parameters of P0, P1 and PCODE, shared by all nodes of a group. They begin as PCODE's.
 *
 * The values that the authors used are in a report that is not at hand (B-amb-4). The sizes follow
 * from a socket's receive buffer, which holds about 60 messages of 1 KB: half of that leaves room,
 * and a window is of use only if STATUS comes twice in it.
 */
struct PcodeConfig
{
    /** Header of every frame: type, sender, target set, two counters [bytes; B-amb-4]. */
    static constexpr uint16_t HEADER = 16;
    /** A counter in the vector of a STATUS [bytes; B-amb-4]. */
    static constexpr uint16_t COUNTER_BYTES = 4;
    /** Size of a send buffer from which nothing is ever discarded: P0. */
    static constexpr uint32_t UNBOUNDED = ~uint32_t{0};

    const TargetGroups* groups{nullptr}; ///< Target sets; must be set.
    ListStore* lists{nullptr};           ///< Counter vectors of STATUS; must be set.

    // Additions of section 5; P0 and P1 have none of them.
    bool globalCounter{true};    ///< GlobalCounter on every message (section 5.1).
    bool flowControl{true};      ///< FLOW_WINDOW (section 5.2); needs globalCounter.
    bool progressOnDemand{true}; ///< PROGRESS is requested and volunteered (section 5.2).
    bool personalGapNack{true};  ///< NACK of a gap in PersonalCounts (section 5.3).
    bool globalGapNack{true};    ///< NACK of a gap in GlobalCounters (5.3); needs globalCounter.
    bool earlyMessages{true};    ///< Early messages are kept (section 5.4).
    bool periodicStatus{true};   ///< STATUS by STATUS_WINDOW (section 5.5); needs globalCounter.
    bool directMessages{true};   ///< Point-to-point messages are not broadcast (section 5.6).
    bool directFlow{true};       ///< They wait for room at their target; not in the paper.
    bool directNacks{true};      ///< NACKs of known sources are not broadcast (section 5.6).

    bool literalDiscard{false}; ///< Messages are discarded when their target set has them, as
                                ///< section 4 says; otherwise when all have, without which others
                                ///< deadlock.

    // Sizes.
    uint32_t maxMessage{1024}; ///< Largest message (Assumption 3) [bytes].
    uint32_t sendBuffer{32};   ///< Buffer of sent messages, or UNBOUNDED [messages].
    uint32_t slots{1};         ///< Input buffer for each source [messages].
    uint32_t earlyBuffer{32};  ///< Buffer of early messages [messages].
    uint32_t flowWindow{0};    ///< FLOW_WINDOW [counters].
    uint32_t flowPatience{3};  ///< Waits after which one message oversteps FLOW_WINDOW;
                               ///< 0 for never, as in section 5.2, which can deadlock.
    uint32_t statusWindow{16}; ///< STATUS_WINDOW [counters].

    // Timers (section 5.7).
    messaging::Ticks requestDelay{0};  ///< From a request to its first NACK; 0 for at once.
    messaging::Ticks personalDelay{0}; ///< From a gap in PersonalCounts to its NACK; 0 for at
                                       ///< once, since a LAN keeps the order of a source.
    messaging::Ticks globalDelay{1};   ///< From a gap in GlobalCounters to its NACK.
    messaging::Ticks nackPeriod{1};    ///< Between NACKs for the same message, POLLs of a multicast
                                       ///< that waits, and sendings of a point-to-point message.
    messaging::Ticks nackStagger{0};   ///< Difference between the NACK periods of neighbours.
    bool dither{true};                 ///< Half of the repetitions are sent twice.
    messaging::Ticks holdOff{0};       ///< Time in which a message that was sent is not resent.

    /** Switch all additions of section 5 off, section 5.7's delay included: P1. @return this */
    PcodeConfig& RemoveAdditions()
    {
        globalCounter = flowControl = progressOnDemand = personalGapNack = globalGapNack =
            earlyMessages = periodicStatus = directMessages = directFlow = directNacks = false;
        requestDelay = 0;
        return *this;
    }

    /** @return true if sent messages are discarded when all have acknowledged them (section 4). */
    bool IsBounded() const
    {
        return sendBuffer != UNBOUNDED;
    }

    /** @param self a node @return the time between its NACKs for the same message. */
    messaging::Ticks GetNackPeriod(messaging::Peer self) const
    {
        return nackPeriod + self * nackStagger;
    }

    /** @return empty if the parameters can be used together, else one sentence. */
    std::string Check() const;
};

/**
 * Print a kind of frame by name.
 * @param os the stream
 * @param kind the value
 * @return the stream
 */
std::ostream& operator<<(std::ostream& os, FrameKind kind);

/**
 * Print an event by name.
 * @param os the stream
 * @param event the value
 * @return the stream
 */
std::ostream& operator<<(std::ostream& os, Event event);

/**
 * Count the reasons of a group's cores.
 * @tparam Name names a reason when it is printed
 * @param group the group, a CoreGroup
 * @param reasons number of reasons
 * @return the name and the count of each
 */
template <class Name, class Group>
std::vector<std::pair<std::string, uint64_t>>
CountReasons(const Group& group, std::size_t reasons)
{
    return messaging::NameCounts<Name>(0, reasons, [&group](Name name) {
        return group.GetCount(static_cast<messaging::Reason>(name));
    });
}

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

#endif // PCODE_CONFIG_H
