/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_CONFIG_H
#define PCODE_CONFIG_H

#include "pcode-list-store.h"
#include "pcode-target-groups.h"

#include "ns3/messaging-core.h"

#include <cstdint>
#include <ostream>
#include <string>

/**
 * @file
 * @ingroup pcode
 * What all processors of a group that runs P0, P1 or PCODE have in common.
 */

namespace ns3
{
namespace pcode
{

/** Types of messages on the network; the values of Frame::kind. */
enum class FrameKind : uint8_t
{
    REGULAR = 1, ///< A multicast message, first sent or resent (Figure 4).
    NACK,        ///< Asks one source for messages, by its PersonalCounts (Figure 5).
    GLOBAL_NACK, ///< Asks everybody for messages, by their GlobalCounters (section 5.3).
    POLL,        ///< Asks everybody for a STATUS (sections 4 and 5.2).
    STATUS,      ///< pcv and GlobalCounter of its sender (sections 4 and 5.5).
    DIRECT,      ///< A point-to-point message (section 5.6).
    DIRECT_ACK   ///< How many point-to-point messages have been accepted (section 5.6).
};

/** What the protocols count; the values of their notes. */
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
    POLL_SENT,        ///< STATUS was asked for.
    STATUS_ANSWERED,  ///< STATUS that was asked for.
    STATUS_PERIODIC,  ///< STATUS after STATUS_WINDOW counters (section 5.5).
    STATUS_SPREAD,    ///< STATUS because the GlobalCounters lie too far apart (section 5.2).
    ACCEPTED,         ///< A message went into its source's input slot.
    PASSED_OVER,      ///< A message in order was for others.
    SKIPPED,          ///< Messages that were for others have been discarded; they are not missed.
    DELIVERED,        ///< A message was delivered to its request.
    DROP_LATE,        ///< A message was dropped: it had come before.
    DROP_EARLY,       ///< A message was dropped: one before it is missing.
    DROP_SLOT,        ///< A message was dropped: the input slot is not free.
    DROP_EARLY_FULL,  ///< A message was dropped: the buffer of early messages is full.
    KEPT_EARLY,       ///< A message went into the buffer of early messages (section 5.4).
    TAKEN_EARLY,      ///< A message in that buffer could be accepted.
    NACK_OF_OTHERS,   ///< A NACK was for another source.
    NACK_AHEAD,       ///< A NACK asked for nothing that has been sent; it does no harm.
    NACK_FORGOTTEN,   ///< A NACK asked for a message that has been discarded.
    HELD_BACK,        ///< A message was not resent: it was sent a moment ago.
    DISCARDED,        ///< A message left the buffer of sent messages.
    WAIT_BUFFER,      ///< A multicast has to wait: the buffer of sent messages is full.
    WAIT_FLOW,        ///< A multicast has to wait: FLOW_WINDOW (section 5.2).
    FLOW_OVERSTEPPED, ///< It has waited for long enough and goes.
    COUNTER_HELD,     ///< A GlobalCounter was put on the list: a gap lies below it.
    COUNTER_FREED,    ///< A GlobalCounter left the list.
    PORT_BUSY,        ///< A frame was lost since the port was busy.
    ILLEGAL           ///< A frame or timer that no processor of the protocol sends or sets.
};

/** Number of events that are counted. */
inline constexpr std::size_t EVENTS = static_cast<std::size_t>(Event::ILLEGAL) + 1;

/**
 * When a sent message is discarded (section 4).
 *
 * A processor outside of a message's target set counts it too. With the last two rules every
 * message tells how many before it are still kept, so that whoever has missed older ones knows that
 * they were for others, and goes on.
 */
enum class DiscardRule : uint8_t
{
    ALL,        ///< When all processors have it. Sound.
    TARGET_SET, ///< When its target set has it, as section 4 says. It deadlocks.
    FRESH_MARK, ///< The same, and a message tells what is kept when it is sent or resent. Sound.
    STALE_MARK  ///< The same, but it is resent exactly as it was first sent, with what was kept
                ///< then. It deadlocks.
};

/**
 * Tell whether messages say how many before them are kept.
 * @param rule when messages are discarded
 * @return true if they do
 */
constexpr bool
HasMark(DiscardRule rule)
{
    return rule == DiscardRule::FRESH_MARK || rule == DiscardRule::STALE_MARK;
}

/** Largest buffer of sent messages that a mark can tell of [messages]. */
inline constexpr uint32_t MAX_MARK = 256;

/** Frame::flags of a STATUS that answers a POLL. */
inline constexpr uint8_t STATUS_SOLICITED = 1;
/** Frame::flags of a STATUS or POLL: the program of its sender has ended. */
inline constexpr uint8_t STATUS_ENDED = 2;

/**
 * Parameters of P1 and PCODE, shared by all processors of a group.
 *
 * P1 is PCODE with every addition of section 5 switched off, which is how this begins; Full()
 * switches all of them on.
 */
struct PcodeConfig
{
    const TargetGroups* groups{nullptr}; ///< Target sets; must be set.
    ListStore* lists{nullptr};           ///< The counter vectors of STATUS; must be set.

    // Additions.
    bool globalCounter{false};    ///< GlobalCounter on every message (section 5.1).
    bool flowControl{false};      ///< FLOW_WINDOW (section 5.2); needs globalCounter.
    bool progressOnDemand{false}; ///< PROGRESS is asked for and volunteered (section 5.2).
    bool personalGapNack{false};  ///< NACK of a gap in PersonalCounts (section 5.3).
    bool globalGapNack{false};    ///< NACK of a gap in GlobalCounters (5.3); needs globalCounter.
    bool earlyMessages{false};    ///< Early messages are kept (section 5.4).
    bool periodicStatus{false};   ///< STATUS by STATUS_WINDOW (section 5.5); needs globalCounter.
    bool directMessages{false};   ///< Point-to-point messages are not broadcast (section 5.6).
    bool directFlow{false};       ///< They wait for room at their target; not in the paper.
    bool directNacks{false};      ///< NACKs of known sources are not broadcast (section 5.6).

    // Sizes.
    uint32_t maxMessage{1024}; ///< Largest message (Assumption 3) [bytes].
    uint32_t sendBuffer{1};    ///< Buffer of sent messages [messages].
    uint32_t slots{1};         ///< Input buffer for each source [messages].
    uint32_t earlyBuffer{32};  ///< Buffer of early messages [messages].
    uint32_t flowWindow{32};   ///< FLOW_WINDOW [counters].
    uint32_t flowPatience{3};  ///< Waits after which one message oversteps FLOW_WINDOW;
                               ///< 0 for never, as in section 5.2, which can deadlock.
    uint32_t statusWindow{16}; ///< STATUS_WINDOW [counters].
    uint16_t header{16};       ///< Header of every frame [bytes].
    uint16_t counterBytes{4};  ///< A counter in the vector of a STATUS [bytes].

    // Timers (section 5.7).
    messaging::Ticks requestDelay{0};  ///< From a request to its first NACK; 0 for at once.
    messaging::Ticks personalDelay{0}; ///< From a gap in PersonalCounts to its NACK.
    messaging::Ticks globalDelay{1};   ///< From a gap in GlobalCounters to its NACK.
    messaging::Ticks nackPeriod{1};    ///< Between the NACKs for the same message.
    messaging::Ticks nackStagger{0};   ///< By how much each processor's period is longer than
                                       ///< that of the one before.
    messaging::Ticks pollPeriod{1};    ///< Between the POLLs of a multicast that waits.
    messaging::Ticks directPeriod{1};  ///< Between the sendings of a point-to-point message.
    messaging::Ticks holdOff{0};       ///< For how long a message that was sent is not resent.

    // Variants that do not work, for tests and for study.
    DiscardRule discard{DiscardRule::ALL}; ///< When a sent message is discarded.
    bool linger{true};         ///< The transport layer outlives its program; false deadlocks.
    bool pollAgain{true};      ///< POLLs are repeated; false deadlocks.
    bool resendOnStatus{true}; ///< A STATUS below what was sent makes its reader resend; false
                               ///< deadlocks.

    /** Switch all additions of section 5 on. @return this */
    PcodeConfig& Full()
    {
        globalCounter = flowControl = progressOnDemand = personalGapNack = globalGapNack =
            earlyMessages = periodicStatus = directMessages = directFlow = directNacks = true;
        return *this;
    }

    /** @param self a processor @return the time between its NACKs for the same message. */
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
 * Name an event.
 * @param reason its number, as in a core's Note
 * @return its name
 */
std::string ToString(messaging::Reason reason);

/**
 * Print a rule by name.
 * @param os the stream
 * @param rule the value
 * @return the stream
 */
std::ostream& operator<<(std::ostream& os, DiscardRule rule);

} // namespace pcode
} // namespace ns3

#endif // PCODE_CONFIG_H
