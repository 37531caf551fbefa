/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_GRAPH_CORE_H
#define PCODE_GRAPH_CORE_H

#include "ns3/pcode-rival-core.h"

/**
 * @file
 * @ingroup pcode
 * Causally ordered broadcast by a graph of acknowledgements: the Trans protocol, on which the
 * Lansis layer of Transis is based (paper 3, section 6.4.2).
 */

namespace ns3
{
namespace pcode
{

/** Common parameters of an acknowledgement graph. */
struct GraphConfig : StableConfig
{
    uint32_t nackLimit{16};             ///< Maximum requests of a frame [B-amb-8].
    messaging::Ticks holdOff{20000000}; ///< Repeat hold-off [ticks; two steps, B-amb-8].
};

/** Frames of the acknowledgement graph; the values of Frame::kind. */
enum class GraphKind : uint8_t
{
    MESSAGE = 1, ///< A message with its acknowledgements, broadcast.
    STATUS = 2   ///< An empty message: acknowledgements of both signs, broadcast.
};

/**
 * One node of an acknowledgement graph.
 *
 * @verbatim
     A1 <---- B1 <---- C1          B1 acknowledges A1; C1 acknowledges B1, and so A1 too.
       ^------------- A2           A2 acknowledges C1 (not B1, which C1 has done).
                                   A node with C1 but not B1 requests B1; any holder may answer.
   @endverbatim
 *
 * - A message acknowledges those messages that its sender has received, unless another message that
 *   it has received acknowledges them already. So few nodes acknowledge a message explicitly, and
 *   all others through the graph: a node that acknowledges a message has all that it acknowledges.
 * - A message is delivered after all messages that it acknowledges. So the order is causal, and
 *   that of each source.
 * - A node requests missing messages by negative acknowledgements in its next message, or in an
 *   empty one after a delay.
 * - A message is stable once all nodes have acknowledged it in this way; then it is discarded. The
 *   number of unstable messages of a source is limited by a window.
 *
 * After Melliar-Smith, Moser and Agrawala [13 in paper 3]. Where the publications are silent: the
 * source answers the first request for a message, and the nodes after it the next ones in turn, if
 * they have it; a repeated message is held off for a time. An empty message is not part of the
 * graph. It has for each source the number up to which its sender has all, and a flag if the sender
 * waits for the numbers of others. Those answer, even if they need nothing themselves, so that all
 * nodes detect the end of a program.
 *
 * The words of a MESSAGE: the number of acknowledgements, two for each of them (source and number),
 * then two for each negative one (source with attempt, number). The words of a STATUS: a number for
 * each source, then the negative ones. The source of a MESSAGE is in its id, since other nodes may
 * repeat it.
 */
class GraphCore : public StableCore<GraphConfig>
{
  public:
    static constexpr uint16_t MESSAGE_HEADER = 20; ///< Source, number, target, tag, sizes [bytes].
    static constexpr uint16_t STATUS_HEADER = 12;  ///< Sender, sizes [bytes].
    static constexpr uint16_t ENTRY_BYTES = 8;     ///< An acknowledgement of either sign [bytes].
    static constexpr uint16_t NUMBER_BYTES = 4;    ///< A number of a STATUS [bytes].
    /** Ends the hold-off of a message; plus its index of the store. */
    static constexpr messaging::TimerId HOLD_OFF_TIMER = 2;

    /**
     * Constructor.
     * @param self the node
     * @param config common parameters
     */
    GraphCore(messaging::Peer self, const GraphConfig& config)
        : StableCore(self, config),
          m_heldOff(std::size_t{config.nPeers} * config.window),
          m_pasts(std::size_t{config.nPeers} * config.window * config.nPeers),
          m_due(config.nPeers),
          m_attempts(config.nPeers)
    {
    }

    /**
     * Post a message.
     * @param request the message, to one node or to NO_PEER for all others
     * @param out actions
     * @return stalled if the window is full, refused if it is too large or has no receiver
     */
    template <class Out>
    messaging::Acceptance OnRequest(const messaging::Request& request, Out& out)
    {
        const auto acceptance = Check(request, GetLargestMessage(), CanAccept());
        if (acceptance == messaging::Acceptance::ACCEPTED)
        {
            Broadcast(request, out);
        }
        return acceptance;
    }

    /**
     * Handle a frame.
     * @param from its sender
     * @param frame the frame
     * @param out actions
     */
    template <class Out>
    void OnFrame(messaging::Peer from, const messaging::Frame& frame, Out& out)
    {
        if (from >= m_config.nPeers || from == m_self)
        {
            Note(RivalEvent::DATA_UNREADABLE, out);
            return;
        }
        const List words = frame.words.Get();
        if (frame.kind == static_cast<uint8_t>(GraphKind::STATUS) &&
            words.size() >= m_config.nPeers && AreNacks(words.subspan(m_config.nPeers)))
        {
            OnStatus(from, frame.flags & WAITING, words, out);
            return;
        }
        const messaging::Peer source = GetSource(frame);
        if (frame.kind != static_cast<uint8_t>(GraphKind::MESSAGE) || source >= m_config.nPeers ||
            source == m_self || !HasAcks(words) || !AreNacks(GetNacks(words)) ||
            IsTooFar(source, GetNumber(frame)))
        {
            Note(RivalEvent::DATA_UNREADABLE, out);
            return;
        }
        OnMessage(frame, out);
        if (from == source)
        {
            OnNacks(from, GetNacks(words), out);
        }
        UpdateTimers(out);
    }

    /**
     * Handle a timer.
     * @param timer the timer
     * @param out actions
     */
    template <class Out>
    void OnTimer(messaging::TimerId timer, Out& out)
    {
        if (timer == NACK_TIMER)
        {
            m_nackArmed = false;
            if (IsMissing())
            {
                SendStatus(out);
            }
        }
        else if (timer == IDLE_TIMER)
        {
            m_idleArmed = false;
            if (NeedsStatus())
            {
                SendStatus(out);
            }
        }
        else if (timer - HOLD_OFF_TIMER < m_heldOff.size())
        {
            m_heldOff[timer - HOLD_OFF_TIMER] = 0;
        }
    }

    /** @return the size of the largest message [bytes]. */
    uint32_t GetLargestMessage() const
    {
        return GetRoom(MESSAGE_HEADER + ENTRY_BYTES * (m_config.nPeers - 1));
    }

    /** @return true if a message can be posted. */
    bool CanAccept() const
    {
        return IsOpen();
    }

    /** @return true if all known data are stable. */
    bool IsIdle() const
    {
        return m_own.empty() && m_has.IsAllStable();
    }

    /**
     * Encode the state.
     * @param encoder the encoder
     */
    void Encode(messaging::Encoder& encoder) const
    {
        EncodeStable(encoder);
        for (const auto heldOff : m_heldOff)
        {
            encoder.Put(heldOff);
        }
        for (const auto past : m_pasts)
        {
            encoder.Put(past);
        }
        for (messaging::Peer peer = 0; peer < m_config.nPeers; ++peer)
        {
            encoder.Put((uint64_t{m_due[peer]} << 32) | m_attempts[peer]);
        }
    }

  private:
    /** Words of an acknowledgement of either sign. */
    static constexpr std::size_t ENTRY_WORDS = 2;
    /** Bits of the source in the first word of a negative one; the attempt is above them. */
    static constexpr uint32_t SOURCE_BITS = 16;

    /** An acknowledgement. */
    struct Ack
    {
        messaging::Peer source{0}; ///< Source of the message.
        uint32_t number{0};        ///< Its number.
    };

    /** A request of a missing message. */
    struct Nack
    {
        messaging::Peer source{0}; ///< Its source.
        uint32_t number{0};        ///< Its number.
        uint32_t attempt{0};       ///< Earlier requests, modulo the number of nodes.
    };

    /** @return the first acknowledgement. @param acks words of acknowledgements */
    static Ack ReadAck(List acks)
    {
        return {acks[0], acks[1]};
    }

    /** @return the first request. @param nacks words of requests */
    static Nack ReadNack(List nacks)
    {
        return {nacks[0] & ((1U << SOURCE_BITS) - 1), nacks[1], nacks[0] >> SOURCE_BITS};
    }

    /** @return the acknowledgements. @param words words of a MESSAGE, for which HasAcks is true */
    static List GetAcks(List words)
    {
        return words.subspan(1, ENTRY_WORDS * words[0]);
    }

    /** @return the requests. @param words words of a MESSAGE, for which HasAcks is true */
    static List GetNacks(List words)
    {
        return words.subspan(1 + ENTRY_WORDS * words[0]);
    }

    /** @return true if the acknowledgements are valid. @param words words of a MESSAGE */
    bool HasAcks(List words) const
    {
        if (words.empty() || (words.size() - 1) / ENTRY_WORDS < words[0])
        {
            return false;
        }
        for (List acks = GetAcks(words); !acks.empty(); acks = acks.subspan(ENTRY_WORDS))
        {
            if (ReadAck(acks).source >= m_config.nPeers)
            {
                return false;
            }
        }
        return true;
    }

    /** @return true if the requests are valid. @param nacks their words */
    bool AreNacks(List nacks) const
    {
        for (; nacks.size() >= ENTRY_WORDS; nacks = nacks.subspan(ENTRY_WORDS))
        {
            if (ReadNack(nacks).source >= m_config.nPeers)
            {
                return false;
            }
        }
        return nacks.empty();
    }

    /** @return true if this node lacks a message. @param source its source @param number its number
     */
    bool Lacks(messaging::Peer source, uint32_t number) const
    {
        return number > Has(source) && !m_frames.Holds(source, number);
    }

    /** @return true if a message is missing. */
    bool IsMissing() const
    {
        return VisitMissing(1, [](const Nack&) {}) > 0;
    }

    /**
     * Broadcast a message of this node, with all due acknowledgements of both signs.
     * @param request the message
     * @param out actions
     */
    template <class Out>
    void Broadcast(const messaging::Request& request, Out& out)
    {
        const uint32_t number = Has(m_self) + 1;
        auto frame = MakeMessage(GraphKind::MESSAGE, MESSAGE_HEADER, number, request);
        frame.words.push_back(0);
        for (messaging::Peer source = 0; source < m_config.nPeers; ++source)
        {
            if (m_due[source])
            {
                frame.words.push_back(source);
                frame.words.push_back(m_due[source]);
                ++frame.words[0];
                frame.header += ENTRY_BYTES;
            }
        }
        // Repetitions have no requests, which are those of the moment.
        messaging::Frame kept = frame;
        const uint32_t room = m_config.mtu - frame.header - frame.payload;
        const uint32_t nacks = AppendNacks(frame, room / ENTRY_BYTES);
        out.Send(messaging::NO_PEER, frame);
        Note(RivalEvent::DATA_SENT, out);
        m_own.emplace_back(number, request.id);
        Keep(std::move(kept), out);
        std::fill(m_due.begin(), m_due.end(), 0);
        m_has.Raise(m_self, m_self, number);
        const std::span<uint32_t> past = GetPast(m_self, number);
        for (messaging::Peer peer = 0; peer < m_config.nPeers; ++peer)
        {
            past[peer] = Has(peer);
        }
        RecordRequests(nacks, out);
        RecordStatus(out);
    }

    /**
     * Count the requests of missing messages, and start the timer of the next ones.
     * @param nacks number of requests
     * @param out actions
     */
    template <class Out>
    void RecordRequests(uint32_t nacks, Out& out)
    {
        if (nacks == 0)
        {
            return;
        }
        for (uint32_t i = 0; i < nacks; ++i)
        {
            Note(RivalEvent::NACK_SENT, out);
        }
        for (messaging::Peer source = 0; source < m_config.nPeers; ++source)
        {
            if (m_has.GetKnown(source) > Has(source))
            {
                m_attempts[source] = (m_attempts[source] + 1) % m_config.nPeers;
            }
            else
            {
                m_attempts[source] = 0;
            }
        }
        ArmNack(m_config.nackInterval, out);
    }

    /** Keep a message until it is stable. @param frame the message @param out actions */
    template <class Out>
    void Keep(messaging::Frame frame, Out& out)
    {
        const messaging::Peer source = GetSource(frame);
        const uint32_t number = GetNumber(frame);
        const auto place = m_frames.Place(source, number);
        m_frames.At(source, number) = std::move(frame);
        if (m_heldOff[place])
        {
            // It was that of an earlier message.
            m_heldOff[place] = 0;
            out.Cancel(HOLD_OFF_TIMER + place);
        }
    }

    /**
     * Visit missing messages.
     * @param limit their maximum number
     * @param visit called with the request of each
     * @return their number
     */
    template <class Visit>
    uint32_t VisitMissing(uint32_t limit, Visit&& visit) const
    {
        uint32_t visited = 0;
        for (messaging::Peer source = 0; source < m_config.nPeers; ++source)
        {
            for (auto number = Has(source) + 1; number <= m_has.GetKnown(source) && visited < limit;
                 ++number)
            {
                if (!m_frames.Holds(source, number))
                {
                    visit(Nack{source, number, m_attempts[source]});
                    ++visited;
                }
            }
        }
        return visited;
    }

    /**
     * Append requests of missing messages to a frame.
     * @param frame the frame
     * @param room maximum number of requests
     * @return the number of requests
     */
    uint32_t AppendNacks(messaging::Frame& frame, uint32_t room) const
    {
        return VisitMissing(std::min(room, m_config.nackLimit), [&frame](const Nack& nack) {
            frame.words.push_back(nack.source | nack.attempt << SOURCE_BITS);
            frame.words.push_back(nack.number);
            frame.header += ENTRY_BYTES;
        });
    }

    /** Broadcast an empty message. @param out actions */
    template <class Out>
    void SendStatus(Out& out)
    {
        auto frame = MakeFrame(GraphKind::STATUS, STATUS_HEADER + NUMBER_BYTES * m_config.nPeers);
        AppendNumbers(frame.words);
        const uint32_t nacks = AppendNacks(frame, m_config.nackLimit);
        BroadcastStatus(frame, out);
        RecordRequests(nacks, out);
        RecordStatus(out);
    }

    /** Handle a message. @param frame the message @param out actions */
    template <class Out>
    void OnMessage(const messaging::Frame& frame, Out& out)
    {
        const messaging::Peer from = GetSource(frame);
        const uint32_t number = GetNumber(frame);
        if (!Lacks(from, number))
        {
            Note(RivalEvent::DATA_DUPLICATE, out);
            return;
        }
        Note(RivalEvent::DATA_KEPT, out);
        Keep(frame, out);
        m_has.RaiseKnown(from, number);
        for (List acks = GetAcks(frame.words.Get()); !acks.empty();
             acks = acks.subspan(ENTRY_WORDS))
        {
            const Ack ack = ReadAck(acks);
            m_has.RaiseKnown(ack.source, ack.number);
        }
        bool again = DeliverFrom(from, out);
        while (again)
        {
            again = false;
            for (messaging::Peer source = 0; source < m_config.nPeers; ++source)
            {
                again |= DeliverFrom(source, out);
            }
        }
        Settle(m_has.GetStable(m_self), out);
    }

    /**
     * Deliver the next message of a source, if it has arrived and all that it acknowledges is
     * delivered.
     * @param source the source
     * @param out actions
     * @return true if so
     */
    template <class Out>
    bool DeliverFrom(messaging::Peer source, Out& out)
    {
        const uint32_t number = Has(source) + 1;
        if (source == m_self || !m_frames.Holds(source, number))
        {
            return false;
        }
        const messaging::Frame& frame = m_frames.At(source, number);
        const List acks = GetAcks(frame.words.Get());
        for (List rest = acks; !rest.empty(); rest = rest.subspan(ENTRY_WORDS))
        {
            const Ack ack = ReadAck(rest);
            if (ack.number > Has(ack.source))
            {
                return false;
            }
        }
        for (List rest = acks; !rest.empty(); rest = rest.subspan(ENTRY_WORDS))
        {
            const Ack ack = ReadAck(rest);
            if (m_due[ack.source] <= ack.number)
            {
                m_due[ack.source] = 0;
            }
        }
        const std::span<const uint32_t> past = ComputePast(source, number, acks);
        for (messaging::Peer peer = 0; peer < m_config.nPeers; ++peer)
        {
            m_has.Raise(source, peer, past[peer]);
        }
        m_due[source] = number;
        m_attempts[source] = 0;
        m_has.Raise(m_self, source, number);
        DeliverMessage(frame, out);
        return true;
    }

    /**
     * Compute the past of a message. A sender has all that its message acknowledges, and the past
     * of all that. Other messages that the sender is known to have are not part of it.
     * @param source its source
     * @param number its number
     * @param acks its acknowledgements
     * @return the number up to which the past has all, by source
     */
    std::span<const uint32_t> ComputePast(messaging::Peer source, uint32_t number, List acks)
    {
        const std::span<uint32_t> past = GetPast(source, number);
        const std::span<const uint32_t> before = GetPast(source, number - 1);
        for (messaging::Peer peer = 0; peer < m_config.nPeers; ++peer)
        {
            past[peer] = before[peer];
            if (number == 1)
            {
                // The first message of its source has none before it.
                past[peer] = 0;
            }
        }
        past[source] = number;
        for (; !acks.empty(); acks = acks.subspan(ENTRY_WORDS))
        {
            const Ack ack = ReadAck(acks);
            past[ack.source] = std::max(past[ack.source], ack.number);
            if (m_frames.Holds(ack.source, ack.number))
            {
                const std::span<const uint32_t> other = GetPast(ack.source, ack.number);
                for (messaging::Peer peer = 0; peer < m_config.nPeers; ++peer)
                {
                    past[peer] = std::max(past[peer], other[peer]);
                }
            }
        }
        return past;
    }

    /**
     * Get the past of a message in the store.
     * @param source its source
     * @param number its number
     * @return the number up to which the past has all, by source
     */
    std::span<uint32_t> GetPast(messaging::Peer source, uint32_t number)
    {
        const std::size_t first = m_frames.Place(source, number) * m_config.nPeers;
        return std::span(m_pasts).subspan(first, m_config.nPeers);
    }

    /**
     * Handle an empty message.
     * @param from its sender
     * @param waiting whether its sender waits for others
     * @param words its words
     * @param out actions
     */
    template <class Out>
    void OnStatus(messaging::Peer from, bool waiting, List words, Out& out)
    {
        for (messaging::Peer source = 0; source < m_config.nPeers; ++source)
        {
            m_has.Raise(from, source, words[source]);
        }
        m_answer |= waiting;
        OnNacks(from, words.subspan(m_config.nPeers), out);
        Settle(m_has.GetStable(m_self), out);
        UpdateTimers(out);
        ArmIdle(out);
    }

    /**
     * Handle the requests of a node.
     * @param from the node
     * @param nacks words of its requests, which are valid
     * @param out actions
     */
    template <class Out>
    void OnNacks(messaging::Peer from, List nacks, Out& out)
    {
        bool spared = false;
        for (; !nacks.empty(); nacks = nacks.subspan(ENTRY_WORDS))
        {
            const auto [source, number, attempt] = ReadNack(nacks);
            if (source != m_self)
            {
                m_has.RaiseKnown(source, number);
            }
            spared |= Lacks(source, number);
            // The nodes answer in turn, from the source on.
            messaging::Peer answerer = (source + attempt) % m_config.nPeers;
            if (answerer == from)
            {
                answerer = (answerer + 1) % m_config.nPeers;
            }
            if (answerer == m_self && m_frames.Holds(source, number))
            {
                Repeat(source, number, out);
            }
        }
        if (spared && m_nackArmed)
        {
            Note(RivalEvent::NACK_SPARED, out);
            out.Arm(NACK_TIMER, m_config.nackInterval);
        }
    }

    /**
     * Rebroadcast a message.
     * @param source its source
     * @param number its number
     * @param out actions
     */
    template <class Out>
    void Repeat(messaging::Peer source, uint32_t number, Out& out)
    {
        const auto place = m_frames.Place(source, number);
        if (m_heldOff[place])
        {
            Note(RivalEvent::NACK_HELD_OFF, out);
            return;
        }
        out.Send(messaging::NO_PEER, m_frames.At(source, number));
        if (source == m_self)
        {
            Note(RivalEvent::DATA_REPEATED, out);
        }
        else
        {
            Note(RivalEvent::DATA_REPLACED, out);
        }
        m_heldOff[place] = 1;
        out.Arm(HOLD_OFF_TIMER + place, m_config.holdOff);
    }

    /**
     * Arm the NACK of missing messages, and send a STATUS before the window of a source closes.
     * @param out actions
     */
    template <class Out>
    void UpdateTimers(Out& out)
    {
        if (!m_nackArmed && IsMissing())
        {
            ArmNack(m_config.nackDelay, out);
        }
        for (messaging::Peer source = 0; source < m_config.nPeers; ++source)
        {
            if (source != m_self && 2 * (Has(source) - m_reported[source]) >= m_config.window)
            {
                SendStatus(out);
                return;
            }
        }
        ArmIdle(out);
    }

    std::vector<uint8_t> m_heldOff;   ///< The message is in hold-off, by index of the store.
    std::vector<uint32_t> m_pasts;    ///< Past of each message, by index of the store and source.
    std::vector<uint32_t> m_due;      ///< Message to acknowledge, by source; 0 for none.
    std::vector<uint32_t> m_attempts; ///< Requests of missing messages, by source.
};

} // namespace pcode
} // namespace ns3

#endif // PCODE_GRAPH_CORE_H
