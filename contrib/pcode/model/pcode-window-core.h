/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_WINDOW_CORE_H
#define PCODE_WINDOW_CORE_H

#include "pcode-list-store.h"
#include "pcode-stability.h"

#include "ns3/messaging-core.h"

#include <algorithm>
#include <bit>
#include <deque>
#include <ostream>
#include <span>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup pcode
 * Broadcast in the order of each source, with a window and several short messages in one datagram,
 * as Horus (paper 3, section 6.4.2).
 */

namespace ns3
{
namespace pcode
{

/** What all processors of a window-based broadcast have in common. */
struct WindowConfig
{
    uint32_t nPeers{2};      ///< Processors.
    uint32_t mtu{1472};      ///< Largest header plus payload of a frame [bytes].
    uint32_t window{16};     ///< Datagrams of one source that may not be everywhere; at most 64.
    uint32_t queue{64};      ///< Messages that wait for the window, beyond which a post is stalled.
    uint32_t statusEvery{8}; ///< Datagrams of one source after which all others are told.
    messaging::Ticks packDelay{0}; ///< How long a message waits for others to share its datagram
                                   ///< even while the window is open [ticks].
    messaging::Ticks nackDelay{10000000};    ///< From noticing a gap to asking for it [ticks].
    messaging::Ticks nackInterval{20000000}; ///< When it is asked for again [ticks].
    messaging::Ticks idleDelay{50000000};    ///< Silence after which what was received is told
                                             ///< [ticks].

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const WindowConfig&) const = default;
};

/** Frames of the window-based broadcast; the values of Frame::kind. */
enum class WindowKind : uint8_t
{
    DATAGRAM = 1, ///< One message or several, broadcast; unicast when it is sent again.
    NACK = 2,     ///< Unicast to a source: datagrams that are missing.
    STATUS = 3    ///< All that its sender has, broadcast.
};

/** What the window-based broadcast counts; the values of its notes. */
enum class WindowEvent : uint8_t
{
    DATAGRAM_SENT,       ///< A datagram was broadcast for the first time.
    DATAGRAM_REPEATED,   ///< A datagram was sent again, to one that lacks it.
    DATAGRAM_KEPT,       ///< A datagram has arrived for the first time.
    DATAGRAM_DUPLICATE,  ///< A datagram has arrived again.
    DATAGRAM_UNREADABLE, ///< A datagram has arrived whose list does not belong to it.
    MESSAGE_PACKED,      ///< A message went with another before it in one datagram.
    NACK_SENT,           ///< A source was asked for what is missing.
    STATUS_SENT,         ///< All were told what is here, in a frame of its own.
    STATUS_ATTACHED,     ///< All were told what is here, along with a datagram.
    POST_STALLED,        ///< A message was not taken since too many wait.
    POST_REFUSED         ///< A message is too large, or for nobody there is.
};

/**
 * Print an event by name.
 * @param os the stream
 * @param event the event
 * @return the stream
 */
std::ostream& operator<<(std::ostream& os, WindowEvent event);

/**
 * One processor of a window-based broadcast.
 *
 * @verbatim
     posted:      a b c d e f                 window of two datagrams
     on the wire: 1[a] 2[b]  3[c d e f]
                             ^ the first STATUS that opens the window
   @endverbatim
 *
 * - Messages are broadcast in datagrams that each source numbers; a source may have so many that
 *   are not everywhere. While the window is closed or the port busy (or for a given time, if that
 *   is wanted), messages gather, and as many as fit go into the next datagram.
 * - Datagrams are taken in the order of their source. A gap is asked for at the source, which sends
 *   the missing ones again, to the one that asks.
 * - Each tells all others up to where it has everything of each source: after some datagrams of one
 *   source, or along with a datagram of its own after half as many, and after some silence.
 *
 * Built from the layers that van Renesse, Birman and others describe for Horus [17 in paper 3]:
 * negative acknowledgements, stability, flow by a window, packing. The end of a program is treated
 * as in GraphCore: who knows of something that may not be everywhere says so after some silence,
 * and is answered.
 *
 * The list of a DATAGRAM: the number of messages; the two halves of the contents, target, size,
 * tag and flags of each; a number for each source, if it tells what its sender has. The list of a
 * STATUS: a number for each source.
 */
class WindowCore
{
  public:
    static constexpr uint16_t DATAGRAM_HEADER = 12; ///< Sender, number, counts [bytes].
    static constexpr uint16_t MESSAGE_BYTES = 12;   ///< Size, target and tag of a message [bytes].
    static constexpr uint16_t NACK_HEADER = 16;     ///< Sender and first number [bytes].
    static constexpr uint16_t STATUS_HEADER = 8;    ///< Sender [bytes].
    static constexpr uint16_t NUMBER_BYTES = 4;     ///< A number that tells or asks [bytes].
    static constexpr uint8_t WAITING = 1; ///< Flag of a STATUS: its sender waits for others'.
    static constexpr messaging::TimerId NACK_TIMER = 0; ///< Asks for what is missing.
    static constexpr messaging::TimerId IDLE_TIMER = 1; ///< Tells what is here.
    static constexpr messaging::TimerId PACK_TIMER = 2; ///< Sends what has gathered.

    /**
     * Constructor.
     * @param self the processor
     * @param config what all have in common
     * @param lists what frames carry besides their fields; shared by all, outlives the core
     */
    WindowCore(messaging::Peer self, const WindowConfig& config, ListStore* lists)
        : m_config(config),
          m_lists(lists),
          m_slots(std::size_t{config.nPeers} * config.window),
          m_told(config.nPeers),
          m_has(config.nPeers),
          m_self(self)
    {
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

    /** @return whether this processor has all that it knows of, and knows that all others do. */
    bool IsIdle() const
    {
        return m_queue.empty() && m_own.empty() && m_has.IsAllStable();
    }

    /** @return up to which datagram this processor has delivered. @param source whose datagrams */
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
    static uint32_t GetLargest(const WindowConfig& config)
    {
        const uint32_t header = DATAGRAM_HEADER + MESSAGE_BYTES;
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
            encoder.Put(slot.kind ? slot.id + 1 : 0);
            encoder.Put(slot.kind ? slot.contents : 0);
        }
        m_has.Encode(encoder);
        for (const auto& own : m_own)
        {
            encoder.Put((uint64_t{own.first} << 32) | own.second);
        }
        encoder.Put(m_own.size());
        encoder.Put(m_queue.size());
        encoder.Put(m_untold);
        for (const auto told : m_told)
        {
            encoder.Put(told);
        }
        encoder.Put((m_flush ? 1 : 0) + (m_nackArmed ? 2 : 0) + (m_idleArmed ? 4 : 0) +
                    (m_answer ? 8 : 0));
    }

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const WindowCore&) const = default;

  private:
    static constexpr std::size_t PART_WORDS = 6; ///< Words of a message in a list.

    /** Words of a list. */
    using List = std::span<const uint32_t>;

    /** Count an event. @param event which @param out what the core may ask for */
    template <class Out>
    static void Note(WindowEvent event, Out& out);

    /** @return the slot of a datagram. @param source its source @param number its number */
    messaging::Frame& Slot(messaging::Peer source, uint32_t number)
    {
        return m_slots[std::size_t{source} * m_config.window + number % m_config.window];
    }

    /** @return whether a datagram is here. @param source its source @param number its number */
    bool Holds(messaging::Peer source, uint32_t number) const
    {
        const auto& slot =
            m_slots[std::size_t{source} * m_config.window + number % m_config.window];
        return slot.kind && static_cast<uint32_t>(slot.id) == number;
    }

    /** Send what has gathered, as far as the window goes. @param out what the core may ask for */
    template <class Out>
    void Flush(Out& out);

    /**
     * Broadcast as many messages as fit into a datagram.
     * @param out what the core may ask for
     * @return false if the port is busy
     */
    template <class Out>
    bool SendDatagram(Out& out);

    /** Append up to where this processor has everything of each source. @param list where */
    void AppendNumbers(std::vector<uint32_t>& list) const
    {
        for (messaging::Peer source = 0; source < m_config.nPeers; ++source)
        {
            list.push_back(m_has.Get(m_self, source));
        }
    }

    /** Tell all others what is here. @param out what the core may ask for */
    template <class Out>
    void SendStatus(Out& out);

    /** All others were told what is here. @param out what the core may ask for */
    template <class Out>
    void HasTold(Out& out);

    /** Put off telling of oneself, if anybody needs it. @param out what the core may ask for */
    template <class Out>
    void RearmIdle(Out& out);

    /** Tell of oneself after some silence, if anybody needs it. @param out what may be asked for */
    template <class Out>
    void ArmIdle(Out& out);

    /** Look for gaps, and see to it that they are asked for. @param out what may be asked for */
    template <class Out>
    void Notice(Out& out);

    /** Ask each source for what is missing. @param out what the core may ask for */
    template <class Out>
    void SendNacks(Out& out);

    /**
     * Somebody lacks datagrams.
     * @param from who
     * @param first a number
     * @param missing bit i: first + i
     * @param out what the core may ask for
     */
    template <class Out>
    void OnNack(messaging::Peer from, uint32_t first, uint64_t missing, Out& out);

    /**
     * A datagram has arrived.
     * @param from its source
     * @param frame the datagram
     * @param out what the core may ask for
     */
    template <class Out>
    void OnDatagram(messaging::Peer from, const messaging::Frame& frame, Out& out);

    /**
     * Deliver the messages of a datagram.
     * @param from its source
     * @param frame the datagram
     * @param out what the core may ask for
     */
    template <class Out>
    void Deliver(messaging::Peer from, const messaging::Frame& frame, Out& out);

    /**
     * Somebody tells what it has.
     * @param from who
     * @param numbers a number for each source, or nothing
     * @param out what the core may ask for
     */
    template <class Out>
    void OnTold(messaging::Peer from, List numbers, Out& out);

    WindowConfig m_config;                  ///< What all have in common.
    ListStore* m_lists;                     ///< What frames carry besides their fields.
    std::vector<messaging::Frame> m_slots;  ///< Datagrams, by source and number modulo window.
    std::deque<messaging::Request> m_queue; ///< Messages that wait.
    std::deque<std::pair<uint32_t, messaging::RequestId>>
        m_own;                    ///< One's own messages that may not be everywhere, by datagram.
    std::vector<uint32_t> m_told; ///< By source, up to where all others were told of.
    Stability m_has;              ///< Who has what.
    messaging::Peer m_self;       ///< The processor.
    uint32_t m_queued{0};         ///< Size of what waits [bytes].
    uint32_t m_untold{0};         ///< Most datagrams of one source of which they were not told.
    bool m_flush{false};          ///< What waits need not wait for more.
    bool m_nackArmed{false};      ///< What is missing will be asked for.
    bool m_idleArmed{false};      ///< All others will be told what is here.
    bool m_answer{false};         ///< Somebody waits to be told what is here.
};

} // namespace pcode
} // namespace ns3

#include "pcode-window-core-impl.h"

#endif // PCODE_WINDOW_CORE_H
