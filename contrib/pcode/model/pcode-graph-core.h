/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_GRAPH_CORE_H
#define PCODE_GRAPH_CORE_H

#include "pcode-list-store.h"
#include "pcode-stability.h"

#include "ns3/messaging-core.h"

#include <algorithm>
#include <deque>
#include <ostream>
#include <span>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup pcode
 * Causally ordered broadcast by a graph of acknowledgements, as Trans, which the Lansis layer of
 * Transis follows (paper 3, section 6.4.2).
 */

namespace ns3
{
namespace pcode
{

/** What all processors of an acknowledgement graph have in common. */
struct GraphConfig
{
    uint32_t nPeers{2};                      ///< Processors.
    uint32_t mtu{1472};                      ///< Largest header plus payload of a frame [bytes].
    uint32_t window{16};                     ///< Messages of one source that may not be everywhere.
    uint32_t nackLimit{16};                  ///< Most messages that one frame asks for.
    messaging::Ticks nackDelay{10000000};    ///< From noticing a gap to asking for it [ticks].
    messaging::Ticks nackInterval{20000000}; ///< When it is asked for again [ticks].
    messaging::Ticks idleDelay{
        50000000};                      ///< Silence after which what was received is told [ticks].
    messaging::Ticks holdOff{20000000}; ///< How long a message that was repeated is not repeated
                                        ///< again [ticks].

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const GraphConfig&) const = default;
};

/** Frames of the acknowledgement graph; the values of Frame::kind. */
enum class GraphKind : uint8_t
{
    MESSAGE = 1, ///< A message with its acknowledgements, broadcast.
    STATUS = 2   ///< An empty message: all that its sender has, and what it lacks, broadcast.
};

/** What the acknowledgement graph counts; the values of its notes. */
enum class GraphEvent : uint8_t
{
    MESSAGE_SENT,       ///< A message was broadcast for the first time.
    MESSAGE_REPEATED,   ///< A message was broadcast again by its source.
    MESSAGE_REPLACED,   ///< A message was broadcast again by somebody else.
    MESSAGE_KEPT,       ///< A message has arrived for the first time.
    MESSAGE_DUPLICATE,  ///< A message has arrived again.
    MESSAGE_UNREADABLE, ///< A message has arrived whose list does not belong to it.
    NACK_SENT,          ///< A message was asked for.
    NACK_SPARED,        ///< Somebody else has asked for what is missing here too.
    NACK_HELD_OFF,      ///< A message was asked for that has just been repeated.
    STATUS_SENT,        ///< An empty message was broadcast.
    POST_STALLED,       ///< A message was not taken since the window is full or the port is busy.
    POST_REFUSED        ///< A message is too large, or for nobody there is.
};

/**
 * Print an event by name.
 * @param os the stream
 * @param event the event
 * @return the stream
 */
std::ostream& operator<<(std::ostream& os, GraphEvent event);

/**
 * One processor of an acknowledgement graph.
 *
 * @verbatim
     A1 <---- B1 <---- C1          B1 acknowledges A1; C1 acknowledges B1, and so A1 too.
       ^------------- A2           A2 acknowledges C1 (not B1, which C1 has done).
                                   Who has C1 and not B1 asks for B1; anybody who has it may answer.
   @endverbatim
 *
 * - A message carries acknowledgements of those messages that its sender has received and that no
 *   message which it has received acknowledges yet. So each is acknowledged explicitly by few, and
 *   by everybody else through the graph: who acknowledges a message has all that it acknowledges.
 * - Messages are delivered when all that they acknowledge has been. So the order is causal, and
 *   that of each source.
 * - What is acknowledged and was not received is asked for, by negative acknowledgements on the
 *   next message, or on an empty one after a delay.
 * - A message is everywhere once all have broadcast something that acknowledges it; then it is
 *   forgotten. A source may have so many messages that are not everywhere.
 *
 * After Melliar-Smith, Moser and Agrawala [13 in paper 3]. What the publications leave open is
 * done like this: the source answers the first request for a message, and the processors after it
 * the next ones in turn, if they have it; a message just repeated is not repeated at once. An
 * empty message is not part of the graph; it tells for each source up to where its sender has all,
 * and whether it waits for others to say so: those answer, even if they need nothing themselves,
 * so that the end of a program is noticed by all.
 *
 * The list of a MESSAGE: the two halves of the payload's contents, the number of acknowledgements,
 * (source, number) for each, (source, number, attempt) for each negative one. The list of a STATUS:
 * a number for each source, then the negative ones.
 */
class GraphCore
{
  public:
    static constexpr uint16_t MESSAGE_HEADER = 20; ///< Sender, number, target, tag, sizes [bytes].
    static constexpr uint16_t STATUS_HEADER = 12;  ///< Sender, sizes [bytes].
    static constexpr uint16_t ENTRY_BYTES = 8;     ///< An acknowledgement of either sign [bytes].
    static constexpr uint16_t NUMBER_BYTES = 4;    ///< A number of a STATUS [bytes].
    static constexpr uint8_t WAITING = 1; ///< Flag of a STATUS: its sender waits for others'.
    static constexpr messaging::TimerId NACK_TIMER = 0;     ///< Asks for what is missing.
    static constexpr messaging::TimerId IDLE_TIMER = 1;     ///< Sends an empty message.
    static constexpr messaging::TimerId HOLD_OFF_TIMER = 2; ///< Ends the rest of the repeated.

    /**
     * Constructor.
     * @param self the processor
     * @param config what all have in common
     * @param lists what frames carry besides their fields; shared by all, outlives the core
     */
    GraphCore(messaging::Peer self, const GraphConfig& config, ListStore* lists)
        : m_config(config),
          m_lists(lists),
          m_slots(std::size_t{config.nPeers} * config.window),
          m_pasts(std::size_t{config.nPeers} * config.window * config.nPeers),
          m_due(config.nPeers),
          m_told(config.nPeers),
          m_attempts(config.nPeers),
          m_has(config.nPeers),
          m_self(self)
    {
    }

    /**
     * Post a message.
     * @param request the message, to one processor or to NO_PEER for all others
     * @param out what the core may ask for
     * @return stalled if the window is full or the port is busy, refused if it is too large or for
     * nobody there is
     */
    template <class Out>
    messaging::Acceptance OnRequest(const messaging::Request& request, Out& out);

    /**
     * A frame has arrived.
     * @param from who sends it
     * @param frame the frame
     * @param out what the core may ask for
     */
    template <class Out>
    void OnFrame(messaging::Peer from, const messaging::Frame& frame, Out& out);

    /**
     * A timer has fired.
     * @param timer which
     * @param out what the core may ask for
     */
    template <class Out>
    void OnTimer(messaging::TimerId timer, Out& out);

    /** This protocol asks for no work. */
    template <class Out>
    void OnDone(messaging::WorkId, Out&);

    /** The port takes frames again. */
    template <class Out>
    void OnReady(Out&);

    /** @return whether a message can be posted. */
    bool CanAccept() const
    {
        return !m_blocked && m_has.Get(m_self, m_self) - m_has.GetStable(m_self) < m_config.window;
    }

    /** @return whether this processor has all that it knows of, and knows that all others do. */
    bool IsIdle() const
    {
        return m_own.empty() && m_has.IsAllStable();
    }

    /** @return up to which number this processor has delivered. @param source whose messages */
    uint32_t GetDelivered(messaging::Peer source) const
    {
        return m_has.Get(m_self, source);
    }

    /** @return what is known of what all have. */
    const Stability& GetStability() const
    {
        return m_has;
    }

    /** @return largest message. @param config what all have in common */
    static uint32_t GetLargest(const GraphConfig& config)
    {
        const uint32_t header = MESSAGE_HEADER + ENTRY_BYTES * (config.nPeers - 1);
        return config.mtu - std::min(config.mtu, header);
    }

    /**
     * Append the state.
     * @param encoder where
     */
    void Encode(messaging::Encoder& encoder) const
    {
        for (const auto& slot : m_slots)
        {
            encoder.Put(slot.frame.kind ? (slot.frame.id << 1) + (slot.heldOff ? 1 : 0) : 0);
            encoder.Put(slot.frame.kind ? slot.frame.contents : 0);
        }
        for (const auto past : m_pasts)
        {
            encoder.Put(past);
        }
        for (messaging::Peer peer = 0; peer < m_config.nPeers; ++peer)
        {
            encoder.Put((uint64_t{m_due[peer]} << 32) | m_attempts[peer]);
            encoder.Put(m_told[peer]);
        }
        m_has.Encode(encoder);
        for (const auto& own : m_own)
        {
            encoder.Put(own.first);
        }
        encoder.Put(m_own.size());
        encoder.Put((m_blocked ? 1 : 0) + (m_nackArmed ? 2 : 0) + (m_idleArmed ? 4 : 0) +
                    (m_answer ? 8 : 0));
    }

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const GraphCore&) const = default;

  private:
    /** Words of the list of a MESSAGE before its acknowledgements. */
    static constexpr std::size_t FIXED = 3;

    /** Words of a list. */
    using List = std::span<const uint32_t>;

    /** A message that is kept until it is everywhere. */
    struct Slot
    {
        messaging::Frame frame; ///< The message; of kind zero if there is none.
        bool heldOff{false};    ///< It was repeated a short time ago.

        /** Equality of every field. @return True if all fields are equal. */
        bool operator==(const Slot&) const = default;
    };

    /** Count an event. @param event which @param out what the core may ask for */
    template <class Out>
    static void Note(GraphEvent event, Out& out);

    /** @return the place of a message. @param source its source @param number its number */
    std::size_t Place(messaging::Peer source, uint32_t number) const
    {
        return std::size_t{source} * m_config.window + number % m_config.window;
    }

    /** @return whether a message is here. @param source its source @param number its number */
    bool Holds(messaging::Peer source, uint32_t number) const
    {
        const auto& frame = m_slots[Place(source, number)].frame;
        return frame.kind && static_cast<uint32_t>(frame.id) == number;
    }

    /** @return whether a message exists and is not here. @param source of @param number number */
    bool Lacks(messaging::Peer source, uint32_t number) const
    {
        return number > m_has.Get(m_self, source) && !Holds(source, number);
    }

    /** @return the first message that is missing, as (source, number); NO_PEER if there is none. */
    std::pair<messaging::Peer, uint32_t> FindMissing() const
    {
        for (messaging::Peer source = 0; source < m_config.nPeers; ++source)
        {
            for (auto number = m_has.Get(m_self, source) + 1; number <= m_has.GetKnown(source);
                 ++number)
            {
                if (!Holds(source, number))
                {
                    return {source, number};
                }
            }
        }
        return {messaging::NO_PEER, 0};
    }

    /**
     * Broadcast a message of one's own, with all acknowledgements of both signs that are due.
     * @param request the message
     * @param out what the core may ask for
     * @return false if the port is busy
     */
    template <class Out>
    bool Broadcast(const messaging::Request& request, Out& out);

    /**
     * All that is here was told to all others.
     * @param nacks how many messages were asked for with it
     * @param out what the core may ask for
     */
    template <class Out>
    void HasTold(uint32_t nacks, Out& out);

    /**
     * Append what is missing to a list.
     * @param list the list
     * @param room for how many messages there is room
     * @return the number of messages
     */
    uint32_t AppendNacks(std::vector<uint32_t>& list, uint32_t room) const
    {
        const uint32_t limit = std::min(room, m_config.nackLimit);
        uint32_t nacks = 0;
        for (messaging::Peer source = 0; source < m_config.nPeers; ++source)
        {
            for (auto number = m_has.Get(m_self, source) + 1;
                 number <= m_has.GetKnown(source) && nacks < limit;
                 ++number)
            {
                if (!Holds(source, number))
                {
                    list.insert(list.end(), {source, number, m_attempts[source]});
                    ++nacks;
                }
            }
        }
        return nacks;
    }

    /** Broadcast an empty message. @param out what the core may ask for */
    template <class Out>
    void SendStatus(Out& out);

    /**
     * A message has arrived.
     * @param frame the message
     * @param list its list
     * @param out what the core may ask for
     */
    template <class Out>
    void OnMessage(const messaging::Frame& frame, List list, Out& out);

    /**
     * Deliver the next message of a source, if it is here and all that it acknowledges has been.
     * @param source the source
     * @param out what the core may ask for
     * @return whether it was
     */
    template <class Out>
    bool DeliverFrom(messaging::Peer source, Out& out);

    /**
     * An empty message has arrived.
     * @param from who sends it
     * @param waiting whether it waits for others
     * @param list its list
     * @param out what the core may ask for
     */
    template <class Out>
    void OnStatus(messaging::Peer from, bool waiting, List list, Out& out);

    /**
     * Somebody asks for messages.
     * @param from who
     * @param nacks (source, number, attempt) of each
     * @param out what the core may ask for
     */
    template <class Out>
    void OnNacks(messaging::Peer from, List nacks, Out& out);

    /**
     * Broadcast a message again.
     * @param source its source
     * @param number its number
     * @param out what the core may ask for
     */
    template <class Out>
    void Repeat(messaging::Peer source, uint32_t number, Out& out);

    /** Tell of one's own messages that are everywhere now. @param out what the core may ask for */
    template <class Out>
    void Settle(Out& out);

    /**
     * See to it that what is missing is asked for, and what was received is told before the window
     * of its source closes.
     * @param out what the core may ask for
     */
    template <class Out>
    void Notice(Out& out);

    /** Tell of oneself after some silence, if anybody needs it. @param out what may be asked for */
    template <class Out>
    void ArmIdle(Out& out);

    GraphConfig m_config;             ///< What all have in common.
    ListStore* m_lists;               ///< What frames carry besides their fields.
    std::vector<Slot> m_slots;        ///< Messages, by source and number modulo window.
    std::vector<uint32_t> m_pasts;    ///< By slot and source, what the sender of the message had.
    std::vector<uint32_t> m_due;      ///< By source, message to be acknowledged; 0 for none.
    std::vector<uint32_t> m_told;     ///< By source, up to where all others were told of.
    std::vector<uint32_t> m_attempts; ///< By source, how often the missing were asked for.
    Stability m_has;                  ///< Who has what.
    std::deque<std::pair<uint32_t, messaging::RequestId>>
        m_own;               ///< One's own messages that may not be everywhere, by number.
    messaging::Peer m_self;  ///< The processor.
    uint32_t m_pending{0};   ///< Messages that are here and are not delivered yet.
    bool m_blocked{false};   ///< The port was busy.
    bool m_nackArmed{false}; ///< What is missing will be asked for.
    bool m_idleArmed{false}; ///< An empty message will be sent.
    bool m_answer{false};    ///< Somebody waits to be told what is here.
};

} // namespace pcode
} // namespace ns3

#include "pcode-graph-core-impl.h"

#endif // PCODE_GRAPH_CORE_H
