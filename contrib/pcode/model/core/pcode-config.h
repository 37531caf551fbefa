/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_CONFIG_H
#define PCODE_CONFIG_H

#include "ns3/messaging-core.h"
#include "ns3/messaging-named-counts.h"
#include "ns3/pcode-program.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup pcode
 * Common parameters of a group that runs P0, P1 or PCODE, and its frames.
 *
 * Layout of the protocols' messages in frames:
 *
 * | frame       | to            | id                     | aux           | words      | flags     |
 * |-------------|---------------|------------------------|---------------|------------|-----------|
 * | REGULAR     | all           | group, PersonalCount   | GlobalCounter | label of m |           |
 * | NACK        | all or source | LastRcvd               | source        | last count |           |
 * | GLOBAL_NACK | all           | first GlobalCounter    | last          |            |           |
 * | POLL        | all           |                        | GlobalCounter |            |           |
 * | STATUS      | all           |                        | GlobalCounter | pcv        | SOLICITED |
 * | DIRECT      | one           | group, PersonalCount   |               | label of m | MORE      |
 * | DIRECT_ACK  | one           | PersonalCount accepted | room up to    |            | AGAIN     |
 *
 * Flags are STATUS_SOLICITED, DIRECT_MORE and DIRECT_AGAIN. A NACK without a last count requests
 * all messages; one with it implies that its sender has seen a later message. The PersonalCounts of
 * DIRECT messages are those of one pair. A message has its label in words (tag and flags) only if
 * that differs from the label of a program's message.
 */

namespace ns3
{
namespace pcode
{

/** Types of messages on the network; the values of Frame::kind. */
enum class FrameKind : uint8_t
{
    REGULAR = 1, ///< A multicast message, also when resent (Figure 4).
    NACK,        ///< Requests messages of one source by PersonalCount (Figure 5).
    GLOBAL_NACK, ///< Requests messages of all sources by GlobalCounter (section 5.3).
    POLL,        ///< Requests a STATUS of all (sections 4 and 5.2).
    STATUS,      ///< pcv and GlobalCounter of its sender (sections 4 and 5.5).
    DIRECT,      ///< A point-to-point message (section 5.6).
    DIRECT_ACK   ///< Acknowledges point-to-point messages (section 5.6).
};

/** Events that the protocols count; the values of their notes. */
enum class Event : uint8_t
{
    REGULAR_FIRST,    ///< A message was broadcast for the first time.
    REGULAR_RESENT,   ///< A message was rebroadcast.
    DIRECT_FIRST,     ///< A point-to-point message was sent for the first time.
    DIRECT_RESENT,    ///< A point-to-point message was resent.
    DIRECT_ACK_SENT,  ///< A point-to-point message was acknowledged.
    REQUEST_NACK,     ///< NACK for a request that cannot be satisfied.
    PERSONAL_NACK,    ///< NACK for a gap in a source's PersonalCounts (section 5.3).
    GLOBAL_NACK_SENT, ///< NACK for a gap in the GlobalCounters (section 5.3).
    POLL_SENT,        ///< A STATUS was requested.
    STATUS_ANSWERED,  ///< STATUS that was requested.
    STATUS_PERIODIC,  ///< STATUS after STATUS_WINDOW counters (section 5.5).
    STATUS_SPREAD,    ///< STATUS for too large a spread of GlobalCounters (section 5.2).
    ACCEPTED,         ///< A message was put into the input slot of its source.
    PASSED_OVER,      ///< A message in order was for other nodes.
    DELIVERED,        ///< A message was delivered to its request.
    DROP_LATE,        ///< A message was dropped: it is a duplicate.
    DROP_EARLY,       ///< A message was dropped: an earlier one is missing.
    DROP_SLOT,        ///< A message was dropped: the input slot is not free.
    DROP_EARLY_FULL,  ///< A message was dropped: the buffer of early messages is full.
    KEPT_EARLY,       ///< A message was put into the buffer of early messages (section 5.4).
    TAKEN_EARLY,      ///< A message was accepted from that buffer.
    NACK_OF_OTHERS,   ///< A NACK was for another source.
    NACK_AHEAD,       ///< A NACK requested only messages not yet sent (harmless).
    NACK_FORGOTTEN,   ///< A NACK requested a message that has been discarded.
    HELD_BACK,        ///< A message was not resent: it was sent within HoldOff.
    DISCARDED,        ///< A message was removed from the buffer of sent messages.
    WAIT_BUFFER,      ///< A multicast waits: the buffer of sent messages is full.
    WAIT_FLOW,        ///< A multicast waits for FLOW_WINDOW (section 5.2).
    FLOW_OVERSTEPPED, ///< A multicast was sent despite FLOW_WINDOW after its waits.
    COUNTER_HELD,     ///< A GlobalCounter was kept until the gap below it closes.
    PORT_BUSY,        ///< A frame was lost: the port was busy.
    ILLEGAL           ///< A frame or timer that no node of the protocol sends or sets.
};

/** Number of values of Event. */
inline constexpr std::size_t EVENTS = static_cast<std::size_t>(Event::ILLEGAL) + 1;

/** Words of the label of a message. */
inline constexpr uint32_t LABEL_WORDS = 2;

/** Frame::flags of a STATUS that answers a POLL. */
inline constexpr uint8_t STATUS_SOLICITED = 1;

/**
 * Parameters of P0, P1 and PCODE, shared by all nodes of a group. The defaults are PCODE's.
 *
 * The values of the authors are in a report that is not available (B-amb-4). The sizes follow from
 * a socket's receive buffer, which holds about 60 messages of 1 KB: half of that leaves room, and a
 * window must contain two STATUS messages to be of use.
 */
struct PcodeConfig
{
    /** Header of every frame: type, sender, target set, two counters [bytes; B-amb-4]. */
    static constexpr uint16_t HEADER = 16;
    /** A counter in the vector of a STATUS [bytes; B-amb-4]. */
    static constexpr uint16_t COUNTER_BYTES = 4;
    /** Size of a send buffer that discards nothing: P0. */
    static constexpr uint32_t UNBOUNDED = ~uint32_t{0};

    const TargetGroups* groups{nullptr}; ///< Target sets; must be set.

    // Additions of section 5; all are off in P0 and P1.
    bool globalCounter{true};    ///< GlobalCounter on every message (section 5.1).
    bool flowControl{true};      ///< FLOW_WINDOW (section 5.2); needs globalCounter.
    bool progressOnDemand{true}; ///< PROGRESS on request or large spread (section 5.2).
    bool personalGapNack{true};  ///< NACK of a gap in PersonalCounts (section 5.3).
    bool globalGapNack{true};    ///< NACK of a gap in GlobalCounters (5.3); needs globalCounter.
    bool earlyMessages{true};    ///< Early messages are kept (section 5.4).
    bool periodicStatus{true};   ///< STATUS by STATUS_WINDOW (section 5.5); needs globalCounter.
    bool directMessages{true};   ///< Messages to one node are unicast (section 5.6).
    bool directFlow{true};       ///< Unicasts wait for room; not in the paper.
    bool directNacks{true};      ///< NACKs to one source are unicast (section 5.6).

    bool literalDiscard{false}; ///< Discard by target set (section 4); can deadlock.

    // Sizes.
    uint32_t maxMessage{1024}; ///< Largest message (Assumption 3) [bytes].
    uint32_t sendBuffer{32};   ///< Buffer of sent messages, or UNBOUNDED [messages].
    uint32_t slots{1};         ///< Input buffer for each source [messages].
    uint32_t earlyBuffer{32};  ///< Buffer of early messages [messages].
    uint32_t flowWindow{0};    ///< FLOW_WINDOW [counters].
    uint32_t flowPatience{3};  ///< Waits for FLOW_WINDOW; 0: no limit (5.2, can deadlock).
    uint32_t statusWindow{16}; ///< STATUS_WINDOW [counters].

    // Timers (section 5.7).
    messaging::Ticks requestDelay{0};  ///< From a request to its first NACK; 0: no delay.
    messaging::Ticks personalDelay{0}; ///< From a gap in PersonalCounts to its NACK.
    messaging::Ticks globalDelay{1};   ///< From a gap in GlobalCounters to its NACK.
    messaging::Ticks nackPeriod{1};    ///< Interval of NACKs, POLLs and resent unicasts.
    messaging::Ticks nackStagger{0};   ///< Difference between the NACK periods of neighbours.
    bool dither{true};                 ///< Send half of the repetitions twice.
    messaging::Ticks holdOff{0};       ///< Time after sending without a resend.

    /** Switch off all additions of section 5 and the delay of section 5.7: P1. */
    void RemoveAdditions()
    {
        globalCounter = flowControl = progressOnDemand = personalGapNack = globalGapNack =
            earlyMessages = periodicStatus = directMessages = directFlow = directNacks = false;
        requestDelay = 0;
    }

    /** @param self a node @return the time between its NACKs for the same message. */
    messaging::Ticks GetNackPeriod(messaging::Peer self) const
    {
        return nackPeriod + self * nackStagger;
    }

    /** @return an empty string if the parameters are consistent, else an error message. */
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

/** Base of cores without work, which lose a frame if the port is busy. */
struct PassiveCore
{
    /** Unused: there is no work. */
    template <class Out>
    void OnDone(messaging::WorkId, Out&)
    {
    }

    /** Unused: no frame waits for the port. */
    template <class Out>
    void OnReady(Out&)
    {
    }
};

/** Step of the timers in the parameters, as in the authors' system [ns]. */
inline constexpr messaging::Ticks STEP_NS = 10000000;
/** Step of the timers on a network without workstations, as on the paper's LAN [round trips]. */
inline constexpr messaging::Ticks STEP_TRIPS = 10;

/**
 * Check whether the protocols of paper 3, or their rivals, can run on a network.
 * @param info the network
 * @param peers number of nodes
 * @param header largest header [bytes]
 * @return an empty string, or an error message
 */
std::string CheckNetwork(const messaging::PortInfo& info, uint32_t peers, uint32_t header);

/**
 * Get the counts of reasons of a group's cores.
 * @tparam Name enumeration of the reasons
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

/** Application's tag and flags of a message. In a program, these are the target set and zero. */
struct Label
{
    uint32_t tag{0};  ///< Tag.
    uint8_t flags{0}; ///< Flags.

    /** Equality of both. @return True if both are equal. */
    bool operator==(const Label&) const = default;
};

/** A message in the buffer of its sender. */
struct Message
{
    uint64_t contents{0}; ///< Contents of m.
    uint32_t personal{0}; ///< PersonalCount.
    uint32_t global{0};   ///< GlobalCounter.
    uint32_t group{0};    ///< Number of its target set.
    uint32_t bytes{0};    ///< Size of m [bytes].
    Label label;          ///< Tag and flags of m.
};

/** Kinds of timers; a timer is identified by kind and number. */
enum class PcodeTimer : uint8_t
{
    REQUEST = 1, ///< NACK for the open request.
    PERSONAL,    ///< NACK for a gap in a source's PersonalCounts; by source.
    GLOBAL,      ///< NACK for a gap in the GlobalCounters.
    POLL,        ///< POLL for the waiting multicast.
    HOLD,        ///< End of a message's HoldOff; by PersonalCount, 0 for STATUS.
    DIRECT       ///< Resends point-to-point messages; by target.
};

/**
 * Make the identifier of a timer.
 * @param kind its kind
 * @param number its number
 * @return its identifier
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
 * @param event the event if the port accepts the frame
 * @param out actions
 */
template <class Out>
void
SendFrame(messaging::Peer to, const messaging::Frame& frame, Event event, Out& out)
{
    if (out.Send(to, frame))
    {
        Note(event, out);
    }
    else
    {
        Note(Event::PORT_BUSY, out);
    }
}

/**
 * Begin a frame.
 * @param kind its type
 * @return the frame, without payload
 */
inline messaging::Frame
MakeFrame(FrameKind kind)
{
    return {.header = PcodeConfig::HEADER, .kind = static_cast<uint8_t>(kind)};
}

/**
 * Put a message into a frame.
 * @param m the message
 * @param kind REGULAR or DIRECT
 * @return the frame
 */
inline messaging::Frame
MakeRegular(const Message& m, FrameKind kind = FrameKind::REGULAR)
{
    messaging::Frame frame = MakeFrame(kind);
    frame.id = uint64_t{m.group} << 32 | m.personal;
    frame.contents = m.contents;
    frame.aux = m.global;
    frame.payload = m.bytes;
    if (m.label != Label{m.group, 0})
    {
        frame.words = {m.label.tag, m.label.flags};
    }
    return frame;
}

/**
 * Read a REGULAR or DIRECT frame.
 * @param frame the frame
 * @return the message in it; nothing if its words are no label
 */
inline std::optional<Message>
ReadRegular(const messaging::Frame& frame)
{
    const auto group = static_cast<uint32_t>(frame.id >> 32);
    Message m{frame.contents,
              static_cast<uint32_t>(frame.id),
              frame.aux,
              group,
              frame.payload,
              Label{group, 0}};
    if (frame.words.empty())
    {
        return m;
    }
    if (frame.words.size() != LABEL_WORDS)
    {
        return std::nullopt;
    }
    m.label = Label{frame.words[0], static_cast<uint8_t>(frame.words[1])};
    return m;
}

/**
 * Check whether a call is valid.
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
