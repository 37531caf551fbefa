/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_RIVAL_CORE_H
#define PCODE_RIVAL_CORE_H

#include "ns3/messaging-core.h"
#include "ns3/pcode-config.h"

#include <algorithm>
#include <array>
#include <deque>
#include <ostream>
#include <span>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup pcode
 * Common parts of the broadcast protocols in the comparison of paper 3, section 6.4.2.
 */

namespace ns3
{
namespace pcode
{

/** Common parameters of all rivals. */
struct RivalConfig
{
    uint32_t nPeers{2}; ///< Number of nodes.
    uint32_t mtu{1472}; ///< Largest header plus payload of a frame [bytes].
};

/** Parameters of rivals with message numbers of each source. */
struct StableConfig : RivalConfig
{
    uint32_t window{16};                     ///< Maximum unstable messages of a source [B-amb-8].
    messaging::Ticks nackDelay{10000000};    ///< Delay of a NACK [ticks; one step, B-amb-8].
    messaging::Ticks nackInterval{20000000}; ///< Interval of NACKs [ticks; two steps, B-amb-8].
    messaging::Ticks idleDelay{50000000};    ///< Delay of a STATUS [ticks; five steps, B-amb-8].
};

/** Events that the rivals count; the values of their notes. Data are messages or datagrams. */
enum class RivalEvent : uint8_t
{
    DATA_SENT,       ///< Data were broadcast for the first time.
    DATA_REPEATED,   ///< Data were resent.
    DATA_REPLACED,   ///< Data were rebroadcast by a node other than the source.
    DATA_KEPT,       ///< New data have arrived.
    DATA_DUPLICATE,  ///< Duplicate data have arrived.
    DATA_UNREADABLE, ///< Data with invalid words have arrived.
    MESSAGE_PACKED,  ///< A message was packed behind another one in a datagram.
    NACK_SENT,       ///< A NACK requested missing data.
    NACK_SPARED,     ///< A NACK was suppressed by that of another node.
    NACK_HELD_OFF,   ///< A NACK requested data that were repeated within the hold-off.
    STATUS_SENT,     ///< A STATUS was sent in a separate frame.
    STATUS_ATTACHED, ///< A STATUS was sent with a datagram.
    TOKEN_TAKEN,     ///< The token has arrived.
    TOKEN_DUPLICATE, ///< A duplicate of the token has arrived.
    TOKEN_PASSED,    ///< The token was passed to the next node.
    TOKEN_REPEATED,  ///< The token was resent: its arrival was not confirmed.
    TOKEN_PARKED,    ///< The token was parked: no node needs it.
    TOKEN_WANTED     ///< A parked token was requested.
};

/** Number of values of RivalEvent. */
inline constexpr std::size_t RIVAL_EVENTS = static_cast<std::size_t>(RivalEvent::TOKEN_WANTED) + 1;

/**
 * Print an event by name.
 * @param os the stream
 * @param event the event
 * @return the stream
 */
inline std::ostream&
operator<<(std::ostream& os, RivalEvent event)
{
    static constexpr std::array<const char*, RIVAL_EVENTS> NAMES{
        "data-sent",
        "data-repeated",
        "data-replaced",
        "data-kept",
        "data-duplicate",
        "data-unreadable",
        "message-packed",
        "nack-sent",
        "nack-spared",
        "nack-held-off",
        "status-sent",
        "status-attached",
        "token-taken",
        "token-duplicate",
        "token-passed",
        "token-repeated",
        "token-parked",
        "token-wanted",
    };
    return os << NAMES[static_cast<std::size_t>(event)];
}

/**
 * Knowledge of one node about messages: for each pair of a witness and a source, the number up to
 * which the witness has all messages of the source.
 *
 * A message is stable once all nodes have it. Numbers start at one, and only increase.
 */
class Stability
{
  public:
    /**
     * Constructor; no node has a message.
     * @param nPeers the number of nodes
     */
    explicit Stability(uint32_t nPeers)
        : m_has(std::size_t{nPeers} * nPeers),
          m_known(nPeers),
          m_stable(nPeers),
          m_nPeers(nPeers)
    {
    }

    /**
     * Record the messages of a witness.
     * @param witness the witness
     * @param source their source
     * @param upTo the number up to which it has all
     */
    void Raise(messaging::Peer witness, messaging::Peer source, uint32_t upTo)
    {
        auto& has = m_has[std::size_t{witness} * m_nPeers + source];
        if (upTo <= has)
        {
            return;
        }
        const bool wasLowest = has == m_stable[source];
        has = upTo;
        m_known[source] = std::max(m_known[source], upTo);
        if (wasLowest)
        {
            uint32_t lowest = m_known[source];
            for (messaging::Peer peer = 0; peer < m_nPeers; ++peer)
            {
                lowest = std::min(lowest, m_has[std::size_t{peer} * m_nPeers + source]);
            }
            m_stable[source] = lowest;
        }
    }

    /**
     * Record the existence of a message.
     * @param source its source
     * @param number its number
     */
    void RaiseKnown(messaging::Peer source, uint32_t number)
    {
        m_known[source] = std::max(m_known[source], number);
    }

    /** @return the number up to which a witness has all. @param witness the witness
     * @param source the source */
    uint32_t Get(messaging::Peer witness, messaging::Peer source) const
    {
        return m_has[std::size_t{witness} * m_nPeers + source];
    }

    /** @return the highest number known to exist. @param source the source */
    uint32_t GetKnown(messaging::Peer source) const
    {
        return m_known[source];
    }

    /** @return the number of the last stable message. @param source the source */
    uint32_t GetStable(messaging::Peer source) const
    {
        return m_stable[source];
    }

    /** @return true if all known messages are stable. */
    bool IsAllStable() const
    {
        return m_known == m_stable;
    }

    /**
     * Encode the state.
     * @param encoder the encoder
     */
    void Encode(messaging::Encoder& encoder) const
    {
        for (const auto has : m_has)
        {
            encoder.Put(has);
        }
        for (const auto known : m_known)
        {
            encoder.Put(known);
        }
    }

  private:
    std::vector<uint32_t> m_has;    ///< Number of the last message, by witness and source.
    std::vector<uint32_t> m_known;  ///< Highest number known to exist, by source.
    std::vector<uint32_t> m_stable; ///< Minimum of all witnesses, by source.
    uint32_t m_nPeers;              ///< Number of nodes.
};

/**
 * Make the id of a message that other nodes than its source may repeat.
 *
 * @verbatim
     63      48        32         0
     | source | receiver | number |
   @endverbatim
 *
 * @param source its source
 * @param to its receiver, or NO_PEER
 * @param number its number
 * @return the id
 */
constexpr uint64_t
MakeMessageId(messaging::Peer source, messaging::Peer to, uint32_t number)
{
    return uint64_t{static_cast<uint16_t>(source)} << 48 |
           uint64_t{static_cast<uint16_t>(to)} << 32 | number;
}

/** @return the source of a message. @param frame its frame, with the id of MakeMessageId */
inline messaging::Peer
GetSource(const messaging::Frame& frame)
{
    return static_cast<uint16_t>(frame.id >> 48);
}

/** @return the receiver of a message, or NO_PEER. @param frame its frame */
inline messaging::Peer
GetReceiver(const messaging::Frame& frame)
{
    const auto to = static_cast<uint16_t>(frame.id >> 32);
    if (to == static_cast<uint16_t>(messaging::NO_PEER))
    {
        return messaging::NO_PEER;
    }
    return to;
}

/** @return the number of a message. @param frame its frame */
inline uint32_t
GetNumber(const messaging::Frame& frame)
{
    return static_cast<uint32_t>(frame.id);
}

/** Store of data frames: the last ones of each source, by number modulo a window. */
class FrameStore
{
  public:
    /**
     * Constructor.
     * @param sources number of sources
     * @param window capacity of each source [frames]
     */
    FrameStore(std::size_t sources, uint32_t window)
        : m_frames(sources * window),
          m_window(window)
    {
    }

    /** @return the index of a frame. @param source its source @param number its number */
    std::size_t Place(messaging::Peer source, uint32_t number) const
    {
        return std::size_t{source} * m_window + number % m_window;
    }

    /** @return the slot of a frame. @param source its source @param number its number */
    messaging::Frame& At(messaging::Peer source, uint32_t number)
    {
        return m_frames[Place(source, number)];
    }

    /** @return true if a frame is stored. @param source its source @param number its number */
    bool Holds(messaging::Peer source, uint32_t number) const
    {
        const auto& frame = m_frames[Place(source, number)];
        return frame.kind && static_cast<uint32_t>(frame.id) == number;
    }

    /** Encode the state. @param encoder the encoder */
    void Encode(messaging::Encoder& encoder) const
    {
        for (const auto& frame : m_frames)
        {
            if (!frame.kind)
            {
                encoder.Put(0);
                continue;
            }
            encoder.Put(frame.id + 1);
            encoder.Put(frame.contents);
            encoder.Put(frame.words.size());
            for (const auto word : frame.words)
            {
                encoder.Put(word);
            }
        }
    }

  private:
    std::vector<messaging::Frame> m_frames; ///< Frames; of kind zero in free slots.
    uint32_t m_window;                      ///< Capacity of each source [frames].
};

/**
 * Node of a broadcast protocol: posts, and own messages until they are stable.
 *
 * @tparam Config parameters of the protocol, a RivalConfig
 */
template <class Config>
class RivalCore : public PassiveCore
{
  protected:
    /**
     * Constructor.
     * @param self the node
     * @param config common parameters
     */
    RivalCore(messaging::Peer self, const Config& config)
        : m_config(config),
          m_self(self)
    {
    }

    /**
     * Count an event.
     * @param event the event
     * @param out actions
     */
    template <class Out>
    static void Note(RivalEvent event, Out& out)
    {
        out.Note(static_cast<messaging::Reason>(event));
    }

    /** @return the room for a message in a frame [bytes]. @param header largest header of a message
     * [bytes] */
    uint32_t GetRoom(uint32_t header) const
    {
        return m_config.mtu - std::min(m_config.mtu, header);
    }

    /**
     * Check whether a post is accepted.
     * @param request the post
     * @param largest size of the largest message [bytes]
     * @param hasRoom whether there is room for a message
     * @return the answer to the post
     */
    messaging::Acceptance Check(const messaging::Request& request,
                                uint32_t largest,
                                bool hasRoom) const
    {
        const bool known = request.to == messaging::NO_PEER ||
                           (request.to < m_config.nPeers && request.to != m_self);
        if (!known || request.bytes > largest)
        {
            return messaging::Acceptance::REFUSED;
        }
        if (!hasRoom)
        {
            return messaging::Acceptance::STALLED;
        }
        return messaging::Acceptance::ACCEPTED;
    }

    /**
     * Begin a frame.
     * @param kind its kind
     * @param header its header [bytes]
     * @return the frame
     */
    template <class Kind>
    static messaging::Frame MakeFrame(Kind kind, std::size_t header)
    {
        return {.header = static_cast<uint16_t>(header), .kind = static_cast<uint8_t>(kind)};
    }

    /**
     * Begin the frame of one message.
     * @param kind its kind
     * @param header its header [bytes]
     * @param number its number
     * @param request the message
     * @return the frame
     */
    template <class Kind>
    messaging::Frame MakeMessage(Kind kind,
                                 std::size_t header,
                                 uint32_t number,
                                 const messaging::Request& request) const
    {
        messaging::Frame frame = MakeFrame(kind, header);
        frame.id = MakeMessageId(m_self, request.to, number);
        frame.contents = request.contents;
        frame.payload = request.bytes;
        frame.aux = request.tag;
        frame.flags = request.flags;
        return frame;
    }

    /** @return true if a message is for this node. @param to its receiver, or NO_PEER */
    bool IsForSelf(messaging::Peer to) const
    {
        return to == messaging::NO_PEER || to == m_self;
    }

    /**
     * Deliver the message of a frame, if it is for this node.
     * @param frame the frame, of MakeMessage
     * @param out actions
     */
    template <class Out>
    void DeliverMessage(const messaging::Frame& frame, Out& out) const
    {
        if (IsForSelf(GetReceiver(frame)))
        {
            out.Deliver(messaging::Delivery{GetNumber(frame),
                                            frame.contents,
                                            GetSource(frame),
                                            frame.payload,
                                            frame.aux,
                                            frame.flags});
        }
    }

    /**
     * Complete stable messages of this node.
     * @param upTo number of the last one
     * @param out actions
     */
    template <class Out>
    void Settle(uint32_t upTo, Out& out)
    {
        while (!m_own.empty() && m_own.front().first <= upTo)
        {
            const auto id = m_own.front().second;
            m_own.pop_front();
            out.Complete(id, messaging::Completion::DELIVERED);
        }
    }

    /** Encode messages that wait. @param queue the messages @param encoder the encoder */
    static void EncodeQueue(const std::deque<messaging::Request>& queue,
                            messaging::Encoder& encoder)
    {
        encoder.Put(queue.size());
        for (const auto& request : queue)
        {
            encoder.Put(request.id);
        }
    }

    /** Encode the node's own messages. @param encoder the encoder */
    void EncodeOwn(messaging::Encoder& encoder) const
    {
        for (const auto& own : m_own)
        {
            encoder.Put((uint64_t{own.first} << 32) | own.second);
        }
        encoder.Put(m_own.size());
    }

    Config m_config; ///< Common parameters.
    std::deque<std::pair<uint32_t, messaging::RequestId>>
        m_own;              ///< Own messages that may not be stable.
    messaging::Peer m_self; ///< The node.
};

/**
 * Node of a protocol that numbers the data of each source. It tracks the data of all nodes
 * (Stability), and broadcasts a STATUS after some silence. A node that waits for the STATUS of
 * others sets a flag in its own, and they answer: so all nodes detect the end of a program.
 *
 * @tparam Config parameters of the protocol, a StableConfig
 */
template <class Config>
class StableCore : public RivalCore<Config>
{
  public:
    static constexpr uint8_t WAITING = 1; ///< Flag of a STATUS: its sender waits for others.
    static constexpr messaging::TimerId NACK_TIMER = 0; ///< Requests missing data.
    static constexpr messaging::TimerId IDLE_TIMER = 1; ///< Sends a STATUS.

  protected:
    /** Words of a frame, or some of them. */
    using List = std::span<const uint32_t>;

    /**
     * Constructor.
     * @param self the node
     * @param config common parameters
     */
    StableCore(messaging::Peer self, const Config& config)
        : RivalCore<Config>(self, config),
          m_frames(config.nPeers, config.window),
          m_reported(config.nPeers),
          m_has(config.nPeers)
    {
    }

    /** @return the number up to which this node has all. @param source source of the data */
    uint32_t Has(messaging::Peer source) const
    {
        return m_has.Get(this->m_self, source);
    }

    /** @return true if the window has room for more data of this node. */
    bool IsOpen() const
    {
        return Has(this->m_self) - m_has.GetStable(this->m_self) < this->m_config.window;
    }

    /**
     * Check whether data are beyond the window of their source, which contains all unstable data.
     * @param source source of the data
     * @param number their number
     * @return true if so
     */
    bool IsTooFar(messaging::Peer source, uint32_t number) const
    {
        return number > Has(source) && number - Has(source) > this->m_config.window;
    }

    /** @return true if this node needs a STATUS of another one, or owes one. */
    bool NeedsStatus() const
    {
        return m_answer || !m_has.IsAllStable();
    }

    /** Append the numbers up to which this node has all. @param list the list */
    template <class Numbers>
    void AppendNumbers(Numbers& list) const
    {
        for (messaging::Peer source = 0; source < this->m_config.nPeers; ++source)
        {
            list.push_back(Has(source));
        }
    }

    /**
     * Broadcast a STATUS.
     * @param frame the frame, without its flags
     * @param out actions
     */
    template <class Out>
    void BroadcastStatus(messaging::Frame& frame, Out& out)
    {
        if (!m_has.IsAllStable())
        {
            frame.flags = WAITING;
        }
        this->Note(RivalEvent::STATUS_SENT, out);
        out.Send(messaging::NO_PEER, frame);
    }

    /** Record that a STATUS was sent to all others. @param out actions */
    template <class Out>
    void RecordStatus(Out& out)
    {
        m_reported.clear();
        AppendNumbers(m_reported);
        m_answer = false;
        RestartIdle(out);
    }

    /** Restart or cancel the timer of a STATUS. @param out actions */
    template <class Out>
    void RestartIdle(Out& out)
    {
        m_idleArmed = NeedsStatus();
        if (m_idleArmed)
        {
            out.Arm(IDLE_TIMER, this->m_config.idleDelay);
        }
        else
        {
            out.Cancel(IDLE_TIMER);
        }
    }

    /** Start the timer of a STATUS, unless it runs. @param out actions */
    template <class Out>
    void ArmIdle(Out& out)
    {
        if (!m_idleArmed && NeedsStatus())
        {
            m_idleArmed = true;
            out.Arm(IDLE_TIMER, this->m_config.idleDelay);
        }
    }

    /** Start the timer of a NACK. @param delay its delay [ticks] @param out actions */
    template <class Out>
    void ArmNack(messaging::Ticks delay, Out& out)
    {
        m_nackArmed = true;
        out.Arm(NACK_TIMER, delay);
    }

    /** Encode the state. @param encoder the encoder */
    void EncodeStable(messaging::Encoder& encoder) const
    {
        m_frames.Encode(encoder);
        m_has.Encode(encoder);
        this->EncodeOwn(encoder);
        for (const auto number : m_reported)
        {
            encoder.Put(number);
        }
        encoder.Put(uint64_t{m_nackArmed} | uint64_t{m_idleArmed} << 1 | uint64_t{m_answer} << 2);
    }

    FrameStore m_frames;              ///< Data, by source and number.
    std::vector<uint32_t> m_reported; ///< Numbers of the last STATUS, by source.
    Stability m_has;                  ///< Messages of all nodes.
    bool m_nackArmed{false};          ///< The NACK timer runs.
    bool m_idleArmed{false};          ///< The STATUS timer runs.
    bool m_answer{false};             ///< Another node waits for a STATUS.
};

} // namespace pcode
} // namespace ns3

#endif // PCODE_RIVAL_CORE_H
