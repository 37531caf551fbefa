/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_RING_CORE_H
#define PCODE_RING_CORE_H

#include "ns3/messaging-core.h"

#include <algorithm>
#include <bit>
#include <deque>
#include <ostream>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup pcode
 * Totally ordered broadcast by a token ring, as Totem's single ring, over which Transis/Ring of
 * paper 3, section 6.4.2, recovers and orders its messages.
 */

namespace ns3
{
namespace pcode
{

/** What all processors of a token ring have in common. */
struct RingConfig
{
    uint32_t nPeers{2};    ///< Processors, in the order of the ring; at most 64.
    uint32_t mtu{1472};    ///< Largest header plus payload of a frame [bytes].
    uint32_t window{50};   ///< Most messages that all broadcast in one rotation; at most 64.
    uint32_t perVisit{17}; ///< Most messages that one broadcasts while it has the token.
    uint32_t span{64};     ///< Most messages that are not known to be everywhere; at most 64.
    uint32_t queue{32};    ///< Messages that wait for the token, beyond which a post is stalled.
    uint32_t idleRotations{8}; ///< Rotations with nothing to do after which the token is parked.
    messaging::Ticks tokenTimeout{20000000}; ///< When the token is sent again [ticks].
    messaging::Ticks wantTimeout{20000000};  ///< When a parked token is asked for again [ticks].

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const RingConfig&) const = default;
};

/** Frames of the token ring; the values of Frame::kind. */
enum class RingKind : uint8_t
{
    MESSAGE = 1, ///< A message, broadcast; its id's lower half is its number in the ring's order.
    TOKEN = 2,   ///< The token, unicast to the next processor.
    HELD = 3,    ///< The token with this number, or a later one, has arrived.
    WANT = 4     ///< A processor has a message, and believes the token to be parked.
};

/** What the token ring counts; the values of its notes. */
enum class RingEvent : uint8_t
{
    MESSAGE_SENT,      ///< A message was broadcast for the first time.
    MESSAGE_REPEATED,  ///< A message was broadcast again since the token asks for it.
    MESSAGE_KEPT,      ///< A message has arrived for the first time.
    MESSAGE_DUPLICATE, ///< A message has arrived again.
    TOKEN_TAKEN,       ///< The token has arrived.
    TOKEN_DUPLICATE,   ///< A token has arrived that had arrived before.
    TOKEN_PASSED,      ///< The token was sent on.
    TOKEN_REPEATED,    ///< The token was sent again since there was no sign of its arrival.
    TOKEN_PARKED,      ///< The token stays, since nobody needs it.
    TOKEN_WANTED,      ///< A parked token was asked for.
    POST_STALLED,      ///< A message was not taken since too many wait.
    POST_REFUSED       ///< A message is too large, or for nobody there is.
};

/**
 * Print an event by name.
 * @param os the stream
 * @param event the event
 * @return the stream
 */
std::ostream& operator<<(std::ostream& os, RingEvent event);

/**
 * One processor of a token ring.
 *
 * @verbatim
          token             token             token
     P0 --------> P1 ----------------> P2 --------------> P0 ...
     broadcasts   lacks 2: asks        repeats 2
     1, 2, 3      for it on the token
   @endverbatim
 *
 * Whoever has the token repeats what it asks for, broadcasts messages under the next numbers, and
 * adds what it lacks itself. The token carries the highest number; a number up to which all
 * processors have received all (aru), lowered by each processor that has less and raised only by
 * the one that lowered it; and the number of messages broadcast in the last rotation, for flow
 * control. Messages are delivered in the order of their numbers, which is the same everywhere.
 * What is not above the aru of two successive visits is everywhere, and is forgotten.
 *
 * After Amir, Moser, Melliar-Smith, Agarwal and Ciarfella [2 in paper 3]. Left out is what only
 * failures of processors need: there is no membership, and a token is lost on its way only. Where
 * the published protocol has the token go round for ever, it is parked here once nobody needs it,
 * and is asked for by a broadcast, as implementations do.
 *
 * What the token asks for is a bitmap relative to the highest number, so the messages that are not
 * everywhere have to lie within 64 numbers; each entry is counted as four bytes on the wire.
 */
class RingCore
{
  public:
    static constexpr uint32_t MAX_PEERS = 64;      ///< Most processors.
    static constexpr uint16_t MESSAGE_HEADER = 20; ///< Ring, sender, number, target, tag [bytes].
    static constexpr uint16_t TOKEN_HEADER = 28;   ///< Token without what it asks for [bytes].
    static constexpr uint16_t CONTROL_HEADER = 12; ///< HELD and WANT [bytes].
    static constexpr uint16_t ENTRY_BYTES = 4;     ///< A number that the token asks for [bytes].
    static constexpr messaging::TimerId TOKEN_TIMER = 0; ///< Sends the token again.
    static constexpr messaging::TimerId WANT_TIMER = 1;  ///< Asks for a parked token again.

    /** The token. */
    struct Token
    {
        uint64_t wanted{0}; ///< Bit i: somebody lacks message seq - i.
        uint32_t number{0}; ///< How often it was passed; the later token is the valid one.
        uint32_t seq{0};    ///< Highest number of a message.
        uint32_t aru{0};    ///< All have received all up to here, as far as the token knows.
        uint32_t aruPeer{MAX_PEERS}; ///< Who has lowered aru; MAX_PEERS if aru is seq.
        uint32_t recent{0};          ///< Messages broadcast in the last rotation.
        uint32_t idle{0};            ///< Visits since somebody needed the token.

        /** Equality of every field. @return True if all fields are equal. */
        bool operator==(const Token&) const = default;
    };

    /**
     * Constructor. The token is parked at the first processor.
     * @param self the processor
     * @param config what all have in common
     */
    RingCore(messaging::Peer self, const RingConfig& config)
        : m_config(config),
          m_slots(config.span),
          m_self(self),
          m_parked(self == 0 && config.nPeers > 1)
    {
        m_token.idle = config.idleRotations * config.nPeers;
    }

    /**
     * Post a message.
     * @param request the message, to one processor or to NO_PEER for all others
     * @param out what the core may ask for
     * @return stalled if too many wait, refused if it is too large or for nobody there is
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

    /**
     * The port takes frames again.
     * @param out what the core may ask for
     */
    template <class Out>
    void OnReady(Out& out);

    /** @return whether a message can be posted. */
    bool CanAccept() const
    {
        return m_queue.size() < m_config.queue;
    }

    /** @return whether all that this processor has posted is everywhere, and it asks for nothing.
     */
    bool IsIdle() const
    {
        return m_queue.empty() && m_own.empty() && !m_visiting && !m_unconfirmed;
    }

    /** @return whether the token is parked here. */
    bool IsParked() const
    {
        return m_parked;
    }

    /** @return the number up to which this processor has received and delivered all. */
    uint32_t GetDelivered() const
    {
        return m_aru;
    }

    /** @return the number up to which all processors are known to have received all. */
    uint32_t GetSafe() const
    {
        return m_safe;
    }

    /** @return the number of the token that was here last, or is here. */
    uint32_t GetTokenNumber() const
    {
        return m_token.number;
    }

    /**
     * Count the token's number from somewhere else, which changes nothing if all processors and
     * all frames do so.
     * @param base what to subtract
     */
    void RenumberToken(uint32_t base)
    {
        m_token.number -= base;
    }

    /**
     * Append the state.
     * @param encoder where
     */
    void Encode(messaging::Encoder& encoder) const
    {
        EncodeToken(m_token, encoder);
        for (const auto& slot : m_slots)
        {
            encoder.Put(slot.kind ? slot.id : 0);
        }
        encoder.Put(m_queue.size());
        for (const auto& own : m_own)
        {
            encoder.Put(own.first);
        }
        encoder.Put(m_own.size());
        encoder.Put(m_answers);
        encoder.Put((uint64_t{m_aru} << 32) | m_safe);
        encoder.Put((uint64_t{m_lastAru} << 32) | m_budget);
        encoder.Put((uint64_t{m_lastSent} << 32) | m_received);
        encoder.Put((m_parked ? 1 : 0) + (m_visiting ? 2 : 0) + (m_unconfirmed ? 4 : 0) +
                    (m_unsent ? 8 : 0) + (m_wanting ? 16 : 0) + (m_wanted ? 32 : 0) +
                    (m_worked ? 64 : 0));
    }

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const RingCore&) const = default;

    /**
     * Write the token into a frame.
     * @param token the token
     * @param self who sends it
     * @return the frame
     */
    static messaging::Frame Pack(const Token& token, messaging::Peer self)
    {
        messaging::Frame frame;
        frame.kind = static_cast<uint8_t>(RingKind::TOKEN);
        frame.id = (uint64_t{token.number} << 32) | token.seq;
        frame.contents = token.wanted;
        frame.aux = (token.seq - token.aru) | (token.aruPeer << 7) | (token.recent << 14) |
                    (token.idle << 21);
        frame.source = self;
        frame.header =
            static_cast<uint16_t>(TOKEN_HEADER + ENTRY_BYTES * std::popcount(token.wanted));
        return frame;
    }

    /**
     * Read the token from a frame.
     * @param frame the frame
     * @return the token
     */
    static Token Unpack(const messaging::Frame& frame)
    {
        Token token;
        token.wanted = frame.contents;
        token.number = static_cast<uint32_t>(frame.id >> 32);
        token.seq = static_cast<uint32_t>(frame.id);
        token.aru = token.seq - (frame.aux & 127);
        token.aruPeer = (frame.aux >> 7) & 127;
        token.recent = (frame.aux >> 14) & 127;
        token.idle = frame.aux >> 21;
        return token;
    }

  private:
    /**
     * Append a token.
     * @param token the token
     * @param encoder where
     */
    static void EncodeToken(const Token& token, messaging::Encoder& encoder)
    {
        const auto frame = Pack(token, 0);
        encoder.Put(frame.id);
        encoder.Put(frame.contents);
        encoder.Put(frame.aux);
    }

    /** Count an event. @param event which @param out what the core may ask for */
    template <class Out>
    static void Note(RingEvent event, Out& out);

    /** @return the slot of a message. @param seq its number */
    messaging::Frame& Slot(uint32_t seq)
    {
        return m_slots[seq % m_config.span];
    }

    /** @return whether a message is here, to be delivered or repeated. @param seq its number */
    bool Holds(uint32_t seq) const
    {
        const auto& slot = m_slots[seq % m_config.span];
        return slot.kind && static_cast<uint32_t>(slot.id) == seq;
    }

    /** @return whether the token, when it was here last, had few visits left until it is parked. */
    bool MayBeParked() const
    {
        return m_token.idle + m_config.nPeers > m_config.idleRotations * m_config.nPeers;
    }

    /** A message has arrived. @param frame the message @param out what the core may ask for */
    template <class Out>
    void OnMessage(const messaging::Frame& frame, Out& out);

    /** Deliver what is in order. @param out what the core may ask for */
    template <class Out>
    void Advance(Out& out);

    /**
     * A token has arrived.
     * @param from who sends it
     * @param frame the token
     * @param out what the core may ask for
     */
    template <class Out>
    void OnToken(messaging::Peer from, const messaging::Frame& frame, Out& out);

    /** The token is here, and may be worked with. @param out what the core may ask for */
    template <class Out>
    void Visit(Out& out);

    /**
     * Repeat what is asked for, broadcast what waits, and pass the token on; goes on in OnReady if
     * the port is busy.
     * @param out what the core may ask for
     */
    template <class Out>
    void Serve(Out& out);

    /** The visit is over. @param out what the core may ask for */
    template <class Out>
    void Pass(Out& out);

    /** A parked token is needed. @param out what the core may ask for */
    template <class Out>
    void Unpark(Out& out);

    /**
     * Forget what was everywhere on two successive visits, and tell of one's own messages.
     * @param out what the core may ask for
     */
    template <class Out>
    void Settle(Out& out);

    /** Send the token on, or again. @param out what the core may ask for */
    template <class Out>
    void SendToken(Out& out);

    /** Tell that the token has arrived. @param to whom @param out what the core may ask for */
    template <class Out>
    void SendHeld(messaging::Peer to, Out& out);

    /** Ask for a parked token. @param out what the core may ask for */
    template <class Out>
    void Want(Out& out);

    RingConfig m_config;                    ///< What all have in common.
    std::vector<messaging::Frame> m_slots;  ///< Messages, by number modulo span.
    std::deque<messaging::Request> m_queue; ///< Messages that wait for the token.
    std::deque<std::pair<uint32_t, messaging::RequestId>>
        m_own;                 ///< One's own messages that may not be everywhere, by number.
    Token m_token;             ///< The token as it is here, or as it left.
    uint64_t m_answers{0};     ///< What the token asks for and is still to be repeated here.
    messaging::Peer m_self{0}; ///< The processor.
    uint32_t m_aru{0};         ///< All up to here was received and delivered.
    uint32_t m_received{0};    ///< Highest number received.
    uint32_t m_safe{0};        ///< All up to here is everywhere.
    uint32_t m_lastAru{0};     ///< The token's aru when it left.
    uint32_t m_lastSent{0};    ///< Messages broadcast on the last visit.
    uint32_t m_budget{0};      ///< Messages that may still be broadcast on this visit.
    bool m_parked{false};      ///< The token is parked here.
    bool m_visiting{false};    ///< The token is here and is worked with.
    bool m_unconfirmed{false}; ///< There is no sign that the token has arrived.
    bool m_unsent{false};      ///< The token found the port busy.
    bool m_wanting{false};     ///< The token was asked for.
    bool m_wanted{false};      ///< Somebody else has asked for the token.
    bool m_worked{false};      ///< Something was sent on this visit.
};

} // namespace pcode
} // namespace ns3

#include "pcode-ring-core-impl.h"

#endif // PCODE_RING_CORE_H
