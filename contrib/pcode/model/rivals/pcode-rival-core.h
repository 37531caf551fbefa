/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_RIVAL_CORE_H
#define PCODE_RIVAL_CORE_H

#include "ns3/messaging-core.h"
#include "ns3/pcode-list-store.h"

#include <algorithm>
#include <array>
#include <bit>
#include <deque>
#include <ostream>
#include <span>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup pcode
 * Common parts of the broadcast protocols that paper 3, section 6.4.2, compares PCODE with.
 */

namespace ns3
{
namespace pcode
{

/** Parameters that all rivals have. */
struct RivalConfig
{
    uint32_t nPeers{2}; ///< Nodes.
    uint32_t mtu{1472}; ///< Largest header plus payload of a frame [bytes].

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const RivalConfig&) const = default;
};

/** Parameters of the rivals that number the messages of each source. */
struct StableConfig : RivalConfig
{
    uint32_t window{16}; ///< Messages of one source that may not be everywhere [B-amb-8].
    messaging::Ticks nackDelay{10000000};    ///< From noticing a gap to its NACK [ticks; a step of
                                             ///< a timer, B-amb-8].
    messaging::Ticks nackInterval{20000000}; ///< Between NACKs [ticks; two steps, B-amb-8].
    messaging::Ticks idleDelay{50000000};    ///< Silence before a STATUS [ticks; five steps,
                                             ///< B-amb-8].

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const StableConfig&) const = default;
};

/** Events that the rivals count; the values of their notes. Data are messages or datagrams. */
enum class RivalEvent : uint8_t
{
    DATA_SENT,       ///< Data were broadcast for the first time.
    DATA_REPEATED,   ///< Data were sent again.
    DATA_REPLACED,   ///< Data were broadcast again by a node that is not their source.
    DATA_KEPT,       ///< Data have arrived for the first time.
    DATA_DUPLICATE,  ///< Data have arrived again.
    DATA_UNREADABLE, ///< Data have arrived whose list does not belong to them.
    MESSAGE_PACKED,  ///< A message went with another before it in one datagram.
    NACK_SENT,       ///< Missing data were requested.
    NACK_SPARED,     ///< Another node has requested the same missing data.
    NACK_HELD_OFF,   ///< Data were requested that have just been repeated.
    STATUS_SENT,     ///< A STATUS was sent in a frame of its own.
    STATUS_ATTACHED, ///< A STATUS was sent with a datagram.
    TOKEN_TAKEN,     ///< The token has arrived.
    TOKEN_DUPLICATE, ///< A token has arrived that had arrived before.
    TOKEN_PASSED,    ///< The token was sent on.
    TOKEN_REPEATED,  ///< The token was sent again: there was no sign of its arrival.
    TOKEN_PARKED,    ///< The token stays, since no node needs it.
    TOKEN_WANTED,    ///< A parked token was requested.
    POST_STALLED,    ///< A message was not taken: window or queue is full.
    POST_REFUSED     ///< A message is too large, or has no receiver.
};

/** Number of events that are counted. */
inline constexpr std::size_t RIVAL_EVENTS = static_cast<std::size_t>(RivalEvent::POST_REFUSED) + 1;

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
        "data-sent",       "data-repeated",   "data-replaced", "data-kept",       "data-duplicate",
        "data-unreadable", "message-packed",  "nack-sent",     "nack-spared",     "nack-held-off",
        "status-sent",     "status-attached", "token-taken",   "token-duplicate", "token-passed",
        "token-repeated",  "token-parked",    "token-wanted",  "post-stalled",    "post-refused",
    };
    return os << NAMES[static_cast<std::size_t>(event)];
}

/**
 * Knowledge of one node about the messages of all: for each pair of a witness and a source,
 * the number up to which the witness has all messages of the source.
 *
 * A message is stable once all have it. Numbers count from one, and only ever grow.
 */
class Stability
{
  public:
    /**
     * Constructor; nobody has anything.
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
     * A witness has messages.
     * @param witness the witness
     * @param source their source
     * @param upTo up to this number
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
     * A message is known to exist.
     * @param source its source
     * @param number its number
     */
    void Know(messaging::Peer source, uint32_t number)
    {
        m_known[source] = std::max(m_known[source], number);
    }

    /** @return number up to which a witness has all. @param witness it @param source the source */
    uint32_t Get(messaging::Peer witness, messaging::Peer source) const
    {
        return m_has[std::size_t{witness} * m_nPeers + source];
    }

    /** @return the highest number known to exist. @param source the source */
    uint32_t GetKnown(messaging::Peer source) const
    {
        return m_known[source];
    }

    /** @return number up to which all have all. @param source the source */
    uint32_t GetStable(messaging::Peer source) const
    {
        return m_stable[source];
    }

    /** @return true if all that is known to exist is everywhere. */
    bool IsAllStable() const
    {
        return m_known == m_stable;
    }

    /**
     * Append the state.
     * @param encoder where
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

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const Stability&) const = default;

  private:
    std::vector<uint32_t> m_has;    ///< By witness and source.
    std::vector<uint32_t> m_known;  ///< Highest number known to exist, by source.
    std::vector<uint32_t> m_stable; ///< Lowest number of all witnesses, by source.
    uint32_t m_nPeers;              ///< Nodes.
};

/** Data frames that a node keeps: the last of each source, by number modulo a window. */
class FrameStore
{
  public:
    /**
     * Constructor.
     * @param sources number of sources
     * @param window frames of each
     */
    FrameStore(std::size_t sources, uint32_t window)
        : m_frames(sources * window),
          m_window(window)
    {
    }

    /** @return index of a frame. @param source its source @param number its number */
    std::size_t Place(messaging::Peer source, uint32_t number) const
    {
        return std::size_t{source} * m_window + number % m_window;
    }

    /** @return slot of a frame. @param source its source @param number its number */
    messaging::Frame& At(messaging::Peer source, uint32_t number)
    {
        return m_frames[Place(source, number)];
    }

    /** @return true if a frame is kept. @param source its source @param number its number */
    bool Holds(messaging::Peer source, uint32_t number) const
    {
        const auto& frame = m_frames[Place(source, number)];
        return frame.kind && static_cast<uint32_t>(frame.id) == number;
    }

    /**
     * Append the state.
     * @param encoder where
     * @param contents whether contents do not follow from the numbers
     */
    void Encode(messaging::Encoder& encoder, bool contents) const
    {
        for (const auto& frame : m_frames)
        {
            encoder.Put(frame.kind ? frame.id + 1 : 0);
            if (contents)
            {
                encoder.Put(frame.kind ? frame.contents : 0);
            }
        }
    }

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const FrameStore&) const = default;

  private:
    std::vector<messaging::Frame> m_frames; ///< Frames; of kind zero where there is none.
    uint32_t m_window;                      ///< Frames of a source.
};

/**
 * A node of a broadcast protocol: posts, and own messages until they are everywhere.
 *
 * @tparam Config parameters of the protocol, a RivalConfig
 */
template <class Config>
class RivalCore
{
  public:
    /** The rivals do no work. */
    template <class Out>
    void OnDone(messaging::WorkId, Out&)
    {
    }

    /** A frame that found the port busy is lost. */
    template <class Out>
    void OnReady(Out&)
    {
    }

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const RivalCore&) const = default;

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

    /**
     * Check whether a post can be taken.
     * @param request the post
     * @param largest largest message [bytes]
     * @param hasRoom whether there is room for a message
     * @param out actions
     * @return the answer to the post
     */
    template <class Out>
    messaging::Acceptance Check(const messaging::Request& request,
                                uint32_t largest,
                                bool hasRoom,
                                Out& out) const
    {
        const bool known = request.to == messaging::NO_PEER ||
                           (request.to < m_config.nPeers && request.to != m_self);
        if (!known || request.bytes > largest)
        {
            Note(RivalEvent::POST_REFUSED, out);
            return messaging::Acceptance::REFUSED;
        }
        if (!hasRoom)
        {
            Note(RivalEvent::POST_STALLED, out);
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
    messaging::Frame MakeFrame(Kind kind, std::size_t header) const
    {
        messaging::Frame frame;
        frame.kind = static_cast<uint8_t>(kind);
        frame.source = m_self;
        frame.header = static_cast<uint16_t>(header);
        return frame;
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
        frame.id = (uint64_t{request.to} << 32) | number;
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
     * @param contents contents of the message
     * @param out actions
     */
    template <class Out>
    void DeliverMessage(const messaging::Frame& frame, uint64_t contents, Out& out) const
    {
        if (IsForSelf(static_cast<messaging::Peer>(frame.id >> 32)))
        {
            out.Deliver(messaging::Delivery{static_cast<uint32_t>(frame.id),
                                            contents,
                                            frame.source,
                                            frame.payload,
                                            frame.aux,
                                            frame.flags});
        }
    }

    /**
     * Complete own messages that are everywhere.
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

    /** Append the own messages. @param encoder where */
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
        m_own;              ///< Own messages that may not be everywhere, by number.
    messaging::Peer m_self; ///< The node.
};

/**
 * A node of a protocol that numbers the data of each source: knows which node has what
 * (Stability), and sends it to all others by a STATUS after some silence. A node that waits for the
 * STATUS of others says so, and is answered: so all notice the end of a program.
 *
 * @tparam Config parameters of the protocol, a StableConfig
 */
template <class Config>
class StableCore : public RivalCore<Config>
{
  public:
    static constexpr uint8_t WAITING = 1; ///< Flag of a STATUS: its sender waits for others'.
    static constexpr messaging::TimerId NACK_TIMER = 0; ///< Requests missing data.
    static constexpr messaging::TimerId IDLE_TIMER = 1; ///< Sends a STATUS.

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const StableCore&) const = default;

  protected:
    /** Words of a list. */
    using List = std::span<const uint32_t>;

    /**
     * Constructor.
     * @param self the node
     * @param config common parameters
     * @param lists lists that frames carry; shared by all, outlives the core
     */
    StableCore(messaging::Peer self, const Config& config, ListStore* lists)
        : RivalCore<Config>(self, config),
          m_lists(lists),
          m_frames(config.nPeers, config.window),
          m_told(config.nPeers),
          m_has(config.nPeers)
    {
    }

    /** @return number up to which this node has all. @param source source of the data */
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
     * Check whether data are farther ahead than their source may be: whatever is not everywhere is
     * within its window.
     * @param source source of the data
     * @param number their number
     * @return true if they are
     */
    bool IsTooFar(messaging::Peer source, uint32_t number) const
    {
        return number > Has(source) && number - Has(source) > this->m_config.window;
    }

    /** @return true if a node needs a STATUS of this one, or this one of another. */
    bool NeedsStatus() const
    {
        return m_answer || !m_has.IsAllStable();
    }

    /** Append the numbers up to which this node has all. @param list where */
    void AppendNumbers(std::vector<uint32_t>& list) const
    {
        for (messaging::Peer source = 0; source < this->m_config.nPeers; ++source)
        {
            list.push_back(Has(source));
        }
    }

    /**
     * Make a STATUS.
     * @param kind its kind
     * @param header its header [bytes]
     * @param list its list
     * @return the frame
     */
    template <class Kind>
    messaging::Frame MakeStatus(Kind kind, std::size_t header, const std::vector<uint32_t>& list)
    {
        messaging::Frame frame = this->MakeFrame(kind, header);
        frame.contents = m_lists->Put(list);
        frame.flags = m_has.IsAllStable() ? 0 : WAITING;
        return frame;
    }

    /** All others were sent what is here. @param out actions */
    template <class Out>
    void HasTold(Out& out)
    {
        m_told.clear();
        AppendNumbers(m_told);
        m_answer = false;
        RestartIdle(out);
    }

    /** Restart or stop the timer of a STATUS. @param out actions */
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

    /** Start the timer of a NACK. @param delay from now [ticks] @param out actions */
    template <class Out>
    void ArmNack(messaging::Ticks delay, Out& out)
    {
        m_nackArmed = true;
        out.Arm(NACK_TIMER, delay);
    }

    /** Append the state. @param encoder where */
    void EncodeStable(messaging::Encoder& encoder) const
    {
        m_frames.Encode(encoder, true);
        m_has.Encode(encoder);
        this->EncodeOwn(encoder);
        for (const auto told : m_told)
        {
            encoder.Put(told);
        }
        encoder.Put((m_nackArmed ? 1 : 0) + (m_idleArmed ? 2 : 0) + (m_answer ? 4 : 0));
    }

    ListStore* m_lists;           ///< Lists that frames carry.
    FrameStore m_frames;          ///< Data, by source and number.
    std::vector<uint32_t> m_told; ///< By source, number up to which all others were sent a STATUS.
    Stability m_has;              ///< Which node has what.
    bool m_nackArmed{false};      ///< The NACK timer runs.
    bool m_idleArmed{false};      ///< The STATUS timer runs.
    bool m_answer{false};         ///< Another node waits for a STATUS.
};

} // namespace pcode
} // namespace ns3

#endif // PCODE_RIVAL_CORE_H
