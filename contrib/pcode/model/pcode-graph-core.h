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
 by
 *   everybody else through the graph: who acknowledges a message has all that it acknowledges.
 * - Messages are delivered when all that they acknowledge has been. So the order is causal, and
 that
 *   of each source.
 * - What is acknowledged and was not received is asked for, by negative acknowledgements on the
 next
 *   message, or on an empty one after a delay.
 * - A message is everywhere once all have broadcast something that acknowledges it; then it is
 *   forgotten. A source may have so many messages that are not everywhere.
 *
 * After Melliar-Smith, Moser and Agrawala [13 in paper 3]. What the publications leave open is done
 * like this: the source answers the first request for a message, and the processors after it the
 * next ones in turn, if they have it; a message just repeated is not repeated at once. An empty
 * message is not part of the graph; it tells for each source up to where its sender has all, and
 * whether it waits for others to say so: those answer, even if they need nothing themselves, so
 that
 * the end of a program is noticed by all.
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
    messaging::Acceptance OnRequest(const messaging::Request& request, Out& out)
    {
        const bool known = request.to == messaging::NO_PEER ||
                           (request.to < m_config.nPeers && request.to != m_self);
        if (!known || request.bytes > GetLargest(m_config))
        {
            Note(GraphEvent::POST_REFUSED, out);
            return messaging::Acceptance::REFUSED;
        }
        if (m_config.nPeers == 1)
        {
            out.Complete(request.id, messaging::Completion::DELIVERED);
            return messaging::Acceptance::ACCEPTED;
        }
        if (!CanAccept() || !Broadcast(request, out))
        {
            Note(GraphEvent::POST_STALLED, out);
            return messaging::Acceptance::STALLED;
        }
        return messaging::Acceptance::ACCEPTED;
    }

    /**
     * A frame has arrived.
     * @param from who sends it
     * @param frame the frame
     * @param out what the core may ask for
     */
    template <class Out>
    void OnFrame(messaging::Peer from, const messaging::Frame& frame, Out& out)
    {
        const auto list = m_lists->Get(frame.contents);
        if (frame.kind == static_cast<uint8_t>(GraphKind::STATUS))
        {
            if (list.size() >= m_config.nPeers)
            {
                OnStatus(from, frame.flags & WAITING, list, out);
            }
            return;
        }
        if (frame.source >= m_config.nPeers || frame.source == m_self || list.size() < FIXED ||
            list.size() < FIXED + 2 * std::size_t{list[2]})
        {
            Note(GraphEvent::MESSAGE_UNREADABLE, out);
            return;
        }
        OnMessage(frame, list, out);
        if (from == frame.source)
        {
            OnNacks(from, list.subspan(FIXED + 2 * std::size_t{list[2]}), out);
        }
        Notice(out);
    }

    /**
     * A timer has fired.
     * @param timer which
     * @param out what the core may ask for
     */
    template <class Out>
    void OnTimer(messaging::TimerId timer, Out& out)
    {
        if (timer == NACK_TIMER)
        {
            m_nackArmed = false;
            if (FindMissing().first != messaging::NO_PEER)
            {
                SendStatus(out);
            }
        }
        else if (timer == IDLE_TIMER)
        {
            m_idleArmed = false;
            if (m_answer || !m_has.IsAllStable())
            {
                SendStatus(out);
            }
        }
        else if (timer == HOLD_OFF_TIMER)
        {
            for (auto& slot : m_slots)
            {
                slot.heldOff = false;
            }
        }
    }

    /** This protocol asks for no work. */
    template <class Out>
    void OnDone(messaging::WorkId, Out&)
    {
    }

    /** The port takes frames again. */
    template <class Out>
    void OnReady(Out&)
    {
        m_blocked = false;
    }

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
    static void Note(GraphEvent event, Out& out)
    {
        out.Note(static_cast<messaging::Reason>(event));
    }

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
    bool Broadcast(const messaging::Request& request, Out& out)
    {
        const uint32_t number = m_has.Get(m_self, m_self) + 1;
        std::vector<uint32_t> list{static_cast<uint32_t>(request.contents),
                                   static_cast<uint32_t>(request.contents >> 32),
                                   0};
        for (messaging::Peer source = 0; source < m_config.nPeers; ++source)
        {
            if (m_due[source])
            {
                list.insert(list.end(), {source, m_due[source]});
                ++list[2];
            }
        }
        messaging::Frame frame;
        frame.kind = static_cast<uint8_t>(GraphKind::MESSAGE);
        frame.id = (uint64_t{request.to} << 32) | number;
        frame.contents = m_lists->Put(list);
        frame.source = m_self;
        frame.payload = request.bytes;
        frame.aux = request.tag;
        frame.flags = request.flags;
        frame.header = static_cast<uint16_t>(MESSAGE_HEADER + ENTRY_BYTES * list[2]);
        messaging::Frame first = frame;
        const uint32_t room = m_config.mtu - frame.header - frame.payload;
        const uint32_t nacks = AppendNacks(list, room / ENTRY_BYTES);
        first.contents = m_lists->Put(list);
        first.header = static_cast<uint16_t>(frame.header + ENTRY_BYTES * nacks);
        if (!out.Send(messaging::NO_PEER, first))
        {
            m_blocked = true;
            return false;
        }
        Note(GraphEvent::MESSAGE_SENT, out);
        m_own.emplace_back(number, request.id);
        m_slots[Place(m_self, number)] = Slot{frame, false};
        std::fill(m_due.begin(), m_due.end(), 0);
        m_has.Raise(m_self, m_self, number);
        const auto past = Place(m_self, number) * m_config.nPeers;
        for (messaging::Peer peer = 0; peer < m_config.nPeers; ++peer)
        {
            m_pasts[past + peer] = m_has.Get(m_self, peer);
        }
        HasTold(nacks, out);
        return true;
    }

    /**
     * All that is here was told to all others.
     * @param nacks how many messages were asked for with it
     * @param out what the core may ask for
     */
    template <class Out>
    void HasTold(uint32_t nacks, Out& out)
    {
        for (messaging::Peer source = 0; source < m_config.nPeers; ++source)
        {
            m_told[source] = m_has.Get(m_self, source);
        }
        if (nacks)
        {
            for (uint32_t i = 0; i < nacks; ++i)
            {
                Note(GraphEvent::NACK_SENT, out);
            }
            for (messaging::Peer source = 0; source < m_config.nPeers; ++source)
            {
                const bool lacks = m_has.GetKnown(source) > m_has.Get(m_self, source);
                m_attempts[source] = lacks ? (m_attempts[source] + 1) % m_config.nPeers : 0;
            }
            m_nackArmed = true;
            out.Arm(NACK_TIMER, m_config.nackInterval);
        }
        m_answer = false;
        m_idleArmed = !m_has.IsAllStable();
        if (m_idleArmed)
        {
            out.Arm(IDLE_TIMER, m_config.idleDelay);
        }
        else
        {
            out.Cancel(IDLE_TIMER);
        }
    }

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
    void SendStatus(Out& out)
    {
        std::vector<uint32_t> list;
        for (messaging::Peer source = 0; source < m_config.nPeers; ++source)
        {
            list.push_back(m_has.Get(m_self, source));
        }
        const uint32_t nacks = AppendNacks(list, m_config.nackLimit);
        messaging::Frame frame;
        frame.kind = static_cast<uint8_t>(GraphKind::STATUS);
        frame.contents = m_lists->Put(list);
        frame.source = m_self;
        frame.flags = m_has.IsAllStable() ? 0 : WAITING;
        frame.header = static_cast<uint16_t>(STATUS_HEADER + NUMBER_BYTES * m_config.nPeers +
                                             ENTRY_BYTES * nacks);
        Note(GraphEvent::STATUS_SENT, out);
        out.Send(messaging::NO_PEER, frame);
        HasTold(nacks, out);
    }

    /**
     * A message has arrived.
     * @param frame the message
     * @param list its list
     * @param out what the core may ask for
     */
    template <class Out>
    void OnMessage(const messaging::Frame& frame, List list, Out& out)
    {
        const auto number = static_cast<uint32_t>(frame.id);
        if (!Lacks(frame.source, number))
        {
            Note(GraphEvent::MESSAGE_DUPLICATE, out);
            return;
        }
        Note(GraphEvent::MESSAGE_KEPT, out);
        m_slots[Place(frame.source, number)] = Slot{frame, false};
        m_has.Know(frame.source, number);
        for (std::size_t i = 0; i < list[2]; ++i)
        {
            if (list[FIXED + 2 * i] < m_config.nPeers)
            {
                m_has.Know(list[FIXED + 2 * i], list[FIXED + 2 * i + 1]);
            }
        }
        ++m_pending;
        bool again = DeliverFrom(frame.source, out);
        while (again && m_pending > 0)
        {
            again = false;
            for (messaging::Peer source = 0; source < m_config.nPeers; ++source)
            {
                again |= DeliverFrom(source, out);
            }
        }
        Settle(out);
    }

    /**
     * Deliver the next message of a source, if it is here and all that it acknowledges has been.
     * @param source the source
     * @param out what the core may ask for
     * @return whether it was
     */
    template <class Out>
    bool DeliverFrom(messaging::Peer source, Out& out)
    {
        const uint32_t number = m_has.Get(m_self, source) + 1;
        if (source == m_self || !Holds(source, number))
        {
            return false;
        }
        const messaging::Frame frame = m_slots[Place(source, number)].frame;
        const List list = m_lists->Get(frame.contents);
        const List acks = list.subspan(FIXED, 2 * std::size_t{list[2]});
        for (std::size_t i = 0; i < acks.size(); i += 2)
        {
            if (acks[i] < m_config.nPeers && acks[i + 1] > m_has.Get(m_self, acks[i]))
            {
                return false;
            }
        }
        // Who has sent a message has all that it acknowledges, and the past of all that. What its
        // sender is known to have from elsewhere does not belong to the message's past.
        const auto past = Place(source, number) * m_config.nPeers;
        const auto before = Place(source, number - 1) * m_config.nPeers;
        for (messaging::Peer peer = 0; peer < m_config.nPeers; ++peer)
        {
            m_pasts[past + peer] = number == 1 ? 0 : m_pasts[before + peer];
        }
        m_pasts[past + source] = number;
        for (std::size_t i = 0; i < acks.size(); i += 2)
        {
            const auto [acked, upTo] = std::pair(acks[i], acks[i + 1]);
            if (acked >= m_config.nPeers)
            {
                continue;
            }
            m_due[acked] = m_due[acked] <= upTo ? 0 : m_due[acked];
            m_pasts[past + acked] = std::max(m_pasts[past + acked], upTo);
            const auto other = Place(acked, upTo) * m_config.nPeers;
            for (messaging::Peer peer = 0; Holds(acked, upTo) && peer < m_config.nPeers; ++peer)
            {
                m_pasts[past + peer] = std::max(m_pasts[past + peer], m_pasts[other + peer]);
            }
        }
        for (messaging::Peer peer = 0; peer < m_config.nPeers; ++peer)
        {
            m_has.Raise(source, peer, m_pasts[past + peer]);
        }
        m_due[source] = number;
        m_attempts[source] = 0;
        --m_pending;
        m_has.Raise(m_self, source, number);
        const auto to = static_cast<messaging::Peer>(frame.id >> 32);
        if (to == messaging::NO_PEER || to == m_self)
        {
            const uint64_t contents = (uint64_t{list[1]} << 32) | list[0];
            out.Deliver(messaging::Delivery{number,
                                            contents,
                                            source,
                                            frame.payload,
                                            frame.aux,
                                            frame.flags});
        }
        return true;
    }

    /**
     * An empty message has arrived.
     * @param from who sends it
     * @param waiting whether it waits for others
     * @param list its list
     * @param out what the core may ask for
     */
    template <class Out>
    void OnStatus(messaging::Peer from, bool waiting, List list, Out& out)
    {
        for (messaging::Peer source = 0; source < m_config.nPeers; ++source)
        {
            m_has.Raise(from, source, list[source]);
        }
        m_answer |= waiting;
        OnNacks(from, list.subspan(m_config.nPeers), out);
        Settle(out);
        Notice(out);
        ArmIdle(out);
    }

    /**
     * Somebody asks for messages.
     * @param from who
     * @param nacks (source, number, attempt) of each
     * @param out what the core may ask for
     */
    template <class Out>
    void OnNacks(messaging::Peer from, List nacks, Out& out)
    {
        bool spared = false;
        for (; nacks.size() >= 3; nacks = nacks.subspan(3))
        {
            const auto source = nacks[0];
            const auto number = nacks[1];
            if (source >= m_config.nPeers)
            {
                continue;
            }
            if (source != m_self)
            {
                m_has.Know(source, number);
            }
            spared |= Lacks(source, number);
            auto answers = (source + nacks[2]) % m_config.nPeers;
            answers = answers == from ? (answers + 1) % m_config.nPeers : answers;
            if (answers == m_self && Holds(source, number))
            {
                Repeat(source, number, out);
            }
        }
        if (spared && m_nackArmed)
        {
            Note(GraphEvent::NACK_SPARED, out);
            out.Arm(NACK_TIMER, m_config.nackInterval);
        }
    }

    /**
     * Broadcast a message again.
     * @param source its source
     * @param number its number
     * @param out what the core may ask for
     */
    template <class Out>
    void Repeat(messaging::Peer source, uint32_t number, Out& out)
    {
        auto& slot = m_slots[Place(source, number)];
        if (slot.heldOff)
        {
            Note(GraphEvent::NACK_HELD_OFF, out);
            return;
        }
        if (out.Send(messaging::NO_PEER, slot.frame))
        {
            Note(source == m_self ? GraphEvent::MESSAGE_REPEATED : GraphEvent::MESSAGE_REPLACED,
                 out);
            slot.heldOff = true;
            out.Arm(HOLD_OFF_TIMER, m_config.holdOff);
        }
    }

    /** Tell of one's own messages that are everywhere now. @param out what the core may ask for */
    template <class Out>
    void Settle(Out& out)
    {
        while (!m_own.empty() && m_own.front().first <= m_has.GetStable(m_self))
        {
            const auto id = m_own.front().second;
            m_own.pop_front();
            out.Complete(id, messaging::Completion::DELIVERED);
        }
    }

    /**
     * See to it that what is missing is asked for, and what was received is told before the window
     * of its source closes.
     * @param out what the core may ask for
     */
    template <class Out>
    void Notice(Out& out)
    {
        if (!m_nackArmed && FindMissing().first != messaging::NO_PEER)
        {
            m_nackArmed = true;
            out.Arm(NACK_TIMER, m_config.nackDelay);
        }
        for (messaging::Peer source = 0; source < m_config.nPeers; ++source)
        {
            if (source != m_self &&
                2 * (m_has.Get(m_self, source) - m_told[source]) >= m_config.window)
            {
                SendStatus(out);
                return;
            }
        }
        ArmIdle(out);
    }

    /** Tell of oneself after some silence, if anybody needs it. @param out what may be asked for */
    template <class Out>
    void ArmIdle(Out& out)
    {
        if (!m_idleArmed && (m_answer || !m_has.IsAllStable()))
        {
            m_idleArmed = true;
            out.Arm(IDLE_TIMER, m_config.idleDelay);
        }
    }

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

#endif // PCODE_GRAPH_CORE_H
