/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_RING_CORE_H
#define PCODE_RING_CORE_H

#include "ns3/pcode-rival-core.h"

#include <bit>
#include <optional>

/**
 * @file
 * @ingroup pcode
 * Totally ordered broadcast by a token ring: the single-ring protocol of Totem, by which
 * Transis/Ring (paper 3, section 6.4.2) recovers and orders its messages.
 */

namespace ns3
{
namespace pcode
{

/** Common parameters of a token ring of at most 64 nodes. */
struct RingConfig : RivalConfig
{
    uint32_t window{50};       ///< Messages per rotation, <= 64 [Totem implementations, B-amb-8].
    uint32_t perVisit{17};     ///< Messages of a node per visit [B-amb-8].
    uint32_t span{64};         ///< Maximum number of unstable messages; at most 64.
    uint32_t queue{32};        ///< Capacity of the send queue [messages].
    uint32_t idleRotations{8}; ///< Idle rotations before the token is parked.
    messaging::Ticks tokenTimeout{20000000}; ///< Resend delay [ticks; two steps, B-amb-8].
    messaging::Ticks wantTimeout{20000000};  ///< Interval of requests of the token [ticks].
};

/** Frames of the token ring; the values of Frame::kind. */
enum class RingKind : uint8_t
{
    MESSAGE = 1, ///< A message, broadcast; the lower half of its id is its number.
    TOKEN = 2,   ///< The token, unicast to the next node.
    HELD = 3,    ///< Confirms the token with this number, or a later one.
    WANT = 4     ///< Requests the token, which is presumably parked.
};

/**
 * One node of a token ring.
 *
 * @verbatim
          token             token             token
     P0 --------> P1 ----------------> P2 --------------> P0 ...
     broadcasts   lacks 2: asks        repeats 2
     1, 2, 3      for it on the token
   @endverbatim
 *
 * The node with the token repeats the messages that the token requests, broadcasts new messages
 * with the next numbers, and adds requests of its own missing messages. The token carries the
 * highest number; a number up to which all nodes have received all (aru), lowered by each node that
 * has less and raised only by the one that lowered it; and the number of messages broadcast in the
 * last rotation, for flow control. Messages are delivered in the order of their numbers, which is
 * the same at all nodes. Messages up to the aru of two successive visits are stable, and are
 * discarded.
 *
 * After Amir, Moser, Melliar-Smith, Agarwal and Ciarfella [2 in paper 3]. Failures of nodes are not
 * modelled: there is no membership, and a token is lost only in the network. In the published
 * protocol the token rotates forever. Here it is parked when no node needs it, and requested by a
 * broadcast, as in implementations.
 *
 * Within a node, the requests of the token are a bitmap relative to the highest number, so unstable
 * messages must lie within 64 numbers. In the words of a frame, they are a list of numbers, behind
 * the other fields of the token.
 */
class RingCore : public RivalCore<RingConfig>
{
  public:
    static constexpr uint32_t MAX_PEERS = 64;      ///< Maximum number of nodes.
    static constexpr uint16_t MESSAGE_HEADER = 20; ///< Ring, source, number, target, tag [bytes].
    static constexpr uint16_t TOKEN_HEADER = 28;   ///< Token without its requests [bytes].
    static constexpr uint16_t CONTROL_HEADER = 12; ///< HELD and WANT [bytes].
    static constexpr uint16_t ENTRY_BYTES = 4;     ///< A number that the token requests [bytes].
    static constexpr messaging::TimerId TOKEN_TIMER = 0; ///< Resends the token.
    static constexpr messaging::TimerId WANT_TIMER = 1;  ///< Repeats the request of a parked token.

    /** The token. */
    struct Token
    {
        uint64_t wanted{0};          ///< Bit i: a node lacks message seq - i.
        uint32_t number{0};          ///< Number of passes; the latest token is valid.
        uint32_t seq{0};             ///< Highest number of a message.
        uint32_t aru{0};             ///< Presumably all nodes have all up to here.
        uint32_t aruPeer{MAX_PEERS}; ///< Node that lowered aru; MAX_PEERS if aru is seq.
        uint32_t recent{0};          ///< Messages broadcast in the last rotation.
        uint32_t idle{0};            ///< Visits since a node needed the token.
    };

    /**
     * Constructor. The token is parked at the first node.
     * @param self the node
     * @param config common parameters
     */
    RingCore(messaging::Peer self, const RingConfig& config)
        : RivalCore(self, config),
          m_frames(1, config.span),
          m_parked(self == 0 && config.nPeers > 1)
    {
        m_token.idle = config.idleRotations * config.nPeers;
    }

    /**
     * Post a message.
     * @param request the message, to one node or to NO_PEER for all others
     * @param out actions
     * @return stalled if the queue is full, refused if it is too large or has no receiver
     */
    template <class Out>
    messaging::Acceptance OnRequest(const messaging::Request& request, Out& out)
    {
        const auto acceptance = Check(request, GetLargestMessage(), CanAccept());
        if (acceptance != messaging::Acceptance::ACCEPTED)
        {
            return acceptance;
        }
        m_queue.push_back(request);
        if (m_parked)
        {
            Unpark(out);
        }
        else if (!m_wanting && MayBeParked())
        {
            Want(out);
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
        switch (static_cast<RingKind>(frame.kind))
        {
        case RingKind::MESSAGE:
            OnMessage(frame, out);
            return;
        case RingKind::TOKEN:
            OnToken(from, frame, out);
            return;
        case RingKind::HELD:
            if (frame.id >= m_token.number)
            {
                ConfirmToken(out);
            }
            return;
        case RingKind::WANT:
            if (m_parked)
            {
                Unpark(out);
            }
            else
            {
                m_wanted = true;
            }
            return;
        }
    }

    /**
     * Handle a timer.
     * @param timer the timer
     * @param out actions
     */
    template <class Out>
    void OnTimer(messaging::TimerId timer, Out& out)
    {
        if (timer == TOKEN_TIMER && m_unconfirmed)
        {
            Note(RivalEvent::TOKEN_REPEATED, out);
            SendToken(out);
        }
        else if (timer == WANT_TIMER && m_wanting)
        {
            Want(out);
        }
    }

    /** @return the size of the largest message [bytes]. */
    uint32_t GetLargestMessage() const
    {
        return GetRoom(MESSAGE_HEADER);
    }

    /** @return true if a message can be posted. */
    bool CanAccept() const
    {
        return m_queue.size() < m_config.queue;
    }

    /** @return true if all posts of this node are stable, and no token is unconfirmed. */
    bool IsIdle() const
    {
        return m_queue.empty() && m_own.empty() && !m_unconfirmed;
    }

    /** @return true if the token is parked here. */
    bool IsParked() const
    {
        return m_parked;
    }

    /** @return the last or current token at this node. */
    Token& GetToken()
    {
        return m_token;
    }

    /**
     * Encode the state.
     * @param encoder the encoder
     */
    void Encode(messaging::Encoder& encoder) const
    {
        encoder.Put((uint64_t{m_token.number} << 32) | m_token.seq);
        encoder.Put((uint64_t{m_token.aru} << 32) | m_token.aruPeer);
        encoder.Put((uint64_t{m_token.recent} << 32) | m_token.idle);
        encoder.Put(m_token.wanted);
        m_frames.Encode(encoder);
        EncodeQueue(m_queue, encoder);
        EncodeOwn(encoder);
        encoder.Put((uint64_t{m_aru} << 32) | m_safe);
        encoder.Put((uint64_t{m_lastAru} << 32) | m_lastSent);
        encoder.Put(m_received);
        encoder.Put(uint64_t{m_parked} | uint64_t{m_unconfirmed} << 1 | uint64_t{m_wanting} << 2 |
                    uint64_t{m_wanted} << 3);
    }

    /**
     * Write the token into a frame.
     * @param token the token
     * @return the frame
     */
    static messaging::Frame Pack(const Token& token)
    {
        const auto requests = static_cast<std::size_t>(std::popcount(token.wanted));
        auto frame = MakeFrame(RingKind::TOKEN, TOKEN_HEADER + ENTRY_BYTES * requests);
        frame.id = (uint64_t{token.number} << 32) | token.seq;
        frame.words = {token.aru, token.aruPeer, token.recent, token.idle};
        for (uint64_t rest = token.wanted; rest; rest &= rest - 1)
        {
            frame.words.push_back(GetLastWanted(token.seq, rest));
        }
        return frame;
    }

    /**
     * Read the token from a frame.
     * @param frame the frame
     * @return the token; nothing if it is invalid
     */
    static std::optional<Token> Unpack(const messaging::Frame& frame)
    {
        const auto& words = frame.words;
        const auto seq = static_cast<uint32_t>(frame.id);
        if (words.size() < TOKEN_WORDS || words[0] > seq || words[1] > MAX_PEERS)
        {
            return std::nullopt;
        }
        Token token{.number = static_cast<uint32_t>(frame.id >> 32),
                    .seq = seq,
                    .aru = words[0],
                    .aruPeer = words[1],
                    .recent = words[2],
                    .idle = words[3]};
        for (const uint32_t number : words.Get().subspan(TOKEN_WORDS))
        {
            if (number > seq || seq - number >= MAX_SPAN)
            {
                return std::nullopt;
            }
            token.wanted |= uint64_t{1} << (seq - number);
        }
        return token;
    }

  private:
    /** Words of a TOKEN before its requests: aru, aruPeer, recent and idle. */
    static constexpr uint32_t TOKEN_WORDS = 4;
    /** Largest distance of a requested number from the highest one, plus one. */
    static constexpr uint32_t MAX_SPAN = 64;

    /**
     * Get the highest number that the token requests.
     * @param seq highest number of a message
     * @param wanted bitmap of the requests, not 0; its lowest bit is the highest number
     * @return the number
     */
    static uint32_t GetLastWanted(uint32_t seq, uint64_t wanted)
    {
        return seq - static_cast<uint32_t>(std::countr_zero(wanted));
    }

    /** @return the bit of a number in the token's requests. @param seq the number */
    uint64_t GetWantedBit(uint32_t seq) const
    {
        return uint64_t{1} << (m_token.seq - seq);
    }

    /** Note that the token has arrived at the next node. @param out actions */
    template <class Out>
    void ConfirmToken(Out& out)
    {
        m_unconfirmed = false;
        out.Cancel(TOKEN_TIMER);
    }

    /** @return true if the token may be parked: it had less than a rotation left. */
    bool MayBeParked() const
    {
        return m_token.idle + m_config.nPeers > m_config.idleRotations * m_config.nPeers;
    }

    /** Handle a message. @param frame the message @param out actions */
    template <class Out>
    void OnMessage(const messaging::Frame& frame, Out& out)
    {
        const uint32_t seq = GetNumber(frame);
        if (GetSource(frame) >= m_config.nPeers)
        {
            Note(RivalEvent::DATA_UNREADABLE, out);
            return;
        }
        if (m_unconfirmed && seq > m_token.seq)
        {
            // Another node has broadcast it, so the token has moved on.
            ConfirmToken(out);
        }
        if (seq <= m_aru || m_frames.Holds(0, seq))
        {
            Note(RivalEvent::DATA_DUPLICATE, out);
            return;
        }
        if (seq - m_aru > m_config.span)
        {
            Note(RivalEvent::DATA_UNREADABLE, out);
            return;
        }
        Note(RivalEvent::DATA_KEPT, out);
        m_frames.At(0, seq) = frame;
        m_received = std::max(m_received, seq);
        Advance(out);
    }

    /** Deliver the messages that are in order. @param out actions */
    template <class Out>
    void Advance(Out& out)
    {
        while (m_aru < m_received && m_frames.Holds(0, m_aru + 1))
        {
            ++m_aru;
            const messaging::Frame& frame = m_frames.At(0, m_aru);
            if (GetSource(frame) != m_self)
            {
                DeliverMessage(frame, out);
            }
        }
    }

    /**
     * Handle a token.
     * @param from its sender
     * @param frame the token
     * @param out actions
     */
    template <class Out>
    void OnToken(messaging::Peer from, const messaging::Frame& frame, Out& out)
    {
        const auto token = Unpack(frame);
        if (!token)
        {
            Note(RivalEvent::DATA_UNREADABLE, out);
            return;
        }
        if (token->number <= m_token.number)
        {
            Note(RivalEvent::TOKEN_DUPLICATE, out);
            SendHeld(from, out);
            return;
        }
        // No node broadcasts further ahead of the slowest one than the span: the token is invalid.
        if (token->seq - m_aru > m_config.span)
        {
            return;
        }
        Note(RivalEvent::TOKEN_TAKEN, out);
        m_token = *token;
        ConfirmToken(out);
        if (m_wanting)
        {
            m_wanting = false;
            out.Cancel(WANT_TIMER);
        }
        Visit(out);
    }

    /**
     * Execute a visit of the token: repeat the messages that it requests, broadcast waiting ones,
     * and pass the token.
     * @param out actions
     */
    template <class Out>
    void Visit(Out& out)
    {
        m_token.recent -= std::min(m_token.recent, m_lastSent);
        SettleSafe(out);
        const bool repeated = RepeatWanted(out);
        for (uint32_t seq = m_aru + 1; seq <= m_token.seq; ++seq)
        {
            if (!m_frames.Holds(0, seq))
            {
                m_token.wanted |= GetWantedBit(seq);
            }
        }
        BroadcastQueued(out);
        Advance(out);
        Pass(repeated || m_lastSent > 0, out);
    }

    /**
     * Repeat the messages that the token requests and this node has.
     * @param out actions
     * @return whether there was one
     */
    template <class Out>
    bool RepeatWanted(Out& out)
    {
        bool repeated = false;
        for (uint64_t rest = m_token.wanted; rest; rest &= rest - 1)
        {
            const uint32_t seq = GetLastWanted(m_token.seq, rest);
            if (m_frames.Holds(0, seq))
            {
                out.Send(messaging::NO_PEER, m_frames.At(0, seq));
                Note(RivalEvent::DATA_REPEATED, out);
                m_token.wanted &= ~GetWantedBit(seq);
                repeated = true;
            }
        }
        return repeated;
    }

    /** Broadcast waiting messages, as far as the flow control permits. @param out actions */
    template <class Out>
    void BroadcastQueued(Out& out)
    {
        const uint32_t room = m_config.window - std::min(m_config.window, m_token.recent);
        const uint32_t budget = std::min(m_config.perVisit, room);
        m_lastSent = 0;
        while (!m_queue.empty() && m_lastSent < budget && m_token.seq - m_safe < m_config.span)
        {
            const messaging::Request request = m_queue.front();
            m_queue.pop_front();
            const auto frame =
                MakeMessage(RingKind::MESSAGE, MESSAGE_HEADER, ++m_token.seq, request);
            out.Send(messaging::NO_PEER, frame);
            Note(RivalEvent::DATA_SENT, out);
            m_token.wanted <<= 1;
            ++m_lastSent;
            m_own.emplace_back(m_token.seq, request.id);
            m_frames.At(0, m_token.seq) = frame;
            m_received = std::max(m_received, m_token.seq);
        }
    }

    /**
     * End the visit: pass or park the token.
     * @param worked whether a message was sent
     * @param out actions
     */
    template <class Out>
    void Pass(bool worked, Out& out)
    {
        if (m_aru < m_token.aru || m_token.aruPeer == m_self || m_token.aruPeer == MAX_PEERS)
        {
            m_token.aru = m_aru;
            m_token.aruPeer = m_self;
            if (m_aru == m_token.seq)
            {
                m_token.aruPeer = MAX_PEERS;
            }
        }
        SettleSafe(out);
        m_lastAru = m_token.aru;
        m_token.recent += m_lastSent;
        const bool needed =
            worked || m_wanted || m_token.wanted || !m_queue.empty() || m_safe != m_token.seq;
        m_wanted = false;
        ++m_token.idle;
        if (needed)
        {
            m_token.idle = 0;
        }
        if (m_token.idle >= m_config.idleRotations * m_config.nPeers)
        {
            Note(RivalEvent::TOKEN_PARKED, out);
            m_parked = true;
            SendHeld(messaging::NO_PEER, out);
            return;
        }
        ++m_token.number;
        m_unconfirmed = true;
        Note(RivalEvent::TOKEN_PASSED, out);
        SendToken(out);
    }

    /** Restart a parked token. @param out actions */
    template <class Out>
    void Unpark(Out& out)
    {
        m_parked = false;
        m_wanted = true;
        Visit(out);
    }

    /**
     * Update the number of stable messages, and complete own ones.
     * @param out actions
     */
    template <class Out>
    void SettleSafe(Out& out)
    {
        m_safe = std::max(m_safe, std::min(m_lastAru, m_token.aru));
        RivalCore::Settle(m_safe, out);
    }

    /** Send the token to the next node. @param out actions */
    template <class Out>
    void SendToken(Out& out)
    {
        out.Send((m_self + 1) % m_config.nPeers, Pack(m_token));
        out.Arm(TOKEN_TIMER, m_config.tokenTimeout);
    }

    /** Acknowledge the token. @param to the receiver @param out actions */
    template <class Out>
    void SendHeld(messaging::Peer to, Out& out)
    {
        auto frame = MakeFrame(RingKind::HELD, CONTROL_HEADER);
        frame.id = m_token.number;
        out.Send(to, frame);
    }

    /** Request a parked token. @param out actions */
    template <class Out>
    void Want(Out& out)
    {
        Note(RivalEvent::TOKEN_WANTED, out);
        out.Send(messaging::NO_PEER, MakeFrame(RingKind::WANT, CONTROL_HEADER));
        m_wanting = true;
        out.Arm(WANT_TIMER, m_config.wantTimeout);
    }

    FrameStore m_frames;                    ///< Messages, by number.
    std::deque<messaging::Request> m_queue; ///< Messages that wait for the token.
    Token m_token;                          ///< The token, as at its last visit.
    uint32_t m_aru{0};                      ///< Number of the last message delivered.
    uint32_t m_received{0};                 ///< Highest number received.
    uint32_t m_safe{0};                     ///< Number of the last stable message.
    uint32_t m_lastAru{0};                  ///< The token's aru at its last departure.
    uint32_t m_lastSent{0};                 ///< Messages broadcast at the last visit.
    bool m_parked{false};                   ///< The token is parked here.
    bool m_unconfirmed{false};              ///< The arrival of the token is not confirmed.
    bool m_wanting{false};                  ///< This node has requested the token.
    bool m_wanted{false};                   ///< Another node has requested the token.
};

} // namespace pcode
} // namespace ns3

#endif // PCODE_RING_CORE_H
