/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_WINDOW_CORE_H
#define PCODE_WINDOW_CORE_H

#include "ns3/pcode-rival-core.h"

/**
 * @file
 * @ingroup pcode
 * Broadcast in the order of each source, with a window and packed messages, as in Horus (paper 3,
 * section 6.4.2).
 */

namespace ns3
{
namespace pcode
{

/** Common parameters of a window-based broadcast. */
struct WindowConfig : StableConfig
{
    uint32_t queue{64};      ///< Capacity of the send queue [messages].
    uint32_t statusEvery{8}; ///< Datagrams of a source per STATUS [half of window, B-amb-8].
};

/** Frames of the window-based broadcast; the values of Frame::kind. */
enum class WindowKind : uint8_t
{
    DATAGRAM = 1, ///< One message or several, broadcast; resent by unicast.
    NACK = 2,     ///< Requests missing datagrams, unicast to their source.
    STATUS = 3    ///< Acknowledges all datagrams of its sender, broadcast.
};

/**
 * One node of a window-based broadcast.
 *
 * @verbatim
     posted:      a b c d e f                 window of two datagrams
     on the wire: 1[a] 2[b]  3[c d e f]
                             ^ the first STATUS that opens the window
   @endverbatim
 *
 * - Messages are broadcast in datagrams that each source numbers. A window limits the number of
 *   unstable datagrams of a source. While it is closed, messages wait, and the next datagram
 *   contains as many as fit.
 * - Datagrams are accepted in the order of their source. A receiver requests missing ones from the
 *   source, which resends them by unicast.
 * - Each node broadcasts the numbers up to which it has all of each source: after a number of
 *   datagrams of one source, in a datagram of its own after half that number, and after some
 *   silence.
 *
 * Built from the layers of Horus by van Renesse, Birman and others [17 in paper 3]: negative
 * acknowledgements, stability, flow control by a window, packing. The end of a program is detected
 * as in GraphCore: a node with unstable data requests the numbers of others after some silence.
 *
 * The words of a DATAGRAM: the number of messages; the two halves of the contents, target, size,
 * tag and flags of each; a number for each source, if it has a STATUS. The words of a STATUS: a
 * number for each source. The words of a NACK: the missing numbers. The contents of a DATAGRAM are
 * those of its messages, combined by exclusive or: a difference damages the first message.
 */
class WindowCore : public StableCore<WindowConfig>
{
  public:
    static constexpr uint16_t DATAGRAM_HEADER = 12; ///< Sender, number, counts [bytes].
    static constexpr uint16_t MESSAGE_BYTES = 12;   ///< Size, target and tag of a message [bytes].
    static constexpr uint16_t NACK_HEADER = 16;     ///< Sender and first number [bytes].
    static constexpr uint16_t STATUS_HEADER = 8;    ///< Sender [bytes].
    static constexpr uint16_t NUMBER_BYTES = 4;     ///< A number of a STATUS or NACK [bytes].

    /**
     * Constructor.
     * @param self the node
     * @param config common parameters
     */
    WindowCore(messaging::Peer self, const WindowConfig& config)
        : StableCore(self, config)
    {
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
        if (acceptance == messaging::Acceptance::ACCEPTED)
        {
            m_queue.push_back(request);
            Flush(out);
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
        switch (static_cast<WindowKind>(frame.kind))
        {
        case WindowKind::DATAGRAM:
            OnDatagram(from, frame, out);
            return;
        case WindowKind::NACK:
            if (frame.words.size() <= m_config.window)
            {
                OnNack(from, frame.words.Get(), out);
                return;
            }
            break;
        case WindowKind::STATUS:
            if (frame.words.size() == m_config.nPeers)
            {
                OnStatus(from, frame.words.Get(), out);
                m_answer |= (frame.flags & WAITING) != 0;
                ArmIdle(out);
                return;
            }
            break;
        }
        Note(RivalEvent::DATA_UNREADABLE, out);
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
            SendNacks(out);
        }
        else if (timer == IDLE_TIMER)
        {
            m_idleArmed = false;
            if (NeedsStatus())
            {
                SendStatus(out);
            }
        }
    }

    /** @return the size of the largest message [bytes]. */
    uint32_t GetLargestMessage() const
    {
        return GetRoom(DATAGRAM_HEADER + MESSAGE_BYTES);
    }

    /**
     * Get the messages of a frame.
     * @param frame the frame
     * @return contents of each message of a DATAGRAM
     */
    static std::vector<uint64_t> GetMessageContents(const messaging::Frame& frame)
    {
        std::vector<uint64_t> all;
        const List words = frame.words.Get();
        if (frame.kind == static_cast<uint8_t>(WindowKind::DATAGRAM) && !words.empty() &&
            (words.size() - 1) / PART_WORDS >= words[0])
        {
            for (uint32_t i = 0; i < words[0]; ++i)
            {
                all.push_back(ReadContents(words.subspan(1 + PART_WORDS * i)));
            }
        }
        return all;
    }

    /** @return true if a message can be posted. */
    bool CanAccept() const
    {
        return m_queue.size() < m_config.queue;
    }

    /** @return true if all known data are stable. */
    bool IsIdle() const
    {
        return m_queue.empty() && m_own.empty() && m_has.IsAllStable();
    }

    /**
     * Encode the state.
     * @param encoder the encoder
     */
    void Encode(messaging::Encoder& encoder) const
    {
        EncodeStable(encoder);
        EncodeQueue(m_queue, encoder);
        encoder.Put(m_unreported);
    }

  private:
    static constexpr std::size_t PART_WORDS = 6; ///< Words of a message in a datagram.
    /** Bits of a message's index in the id of its delivery; the datagram's number is above them. */
    static constexpr unsigned INDEX_BITS = 16;

    /** @return the contents of the first message. @param parts words of messages */
    static uint64_t ReadContents(List parts)
    {
        return uint64_t{parts[1]} << 32 | parts[0];
    }

    /**
     * Read the first message.
     * @param parts words of messages
     * @return the message, without its id
     */
    static messaging::Request ReadPart(List parts)
    {
        return {.contents = ReadContents(parts),
                .to = parts[2],
                .bytes = parts[3],
                .tag = parts[4],
                .flags = static_cast<uint8_t>(parts[5])};
    }

    /** Append the words of a message. @param frame the datagram @param request the message */
    static void AppendPart(messaging::Frame& frame, const messaging::Request& request)
    {
        for (const uint32_t word : {static_cast<uint32_t>(request.contents),
                                    static_cast<uint32_t>(request.contents >> 32),
                                    request.to,
                                    request.bytes,
                                    request.tag,
                                    uint32_t{request.flags}})
        {
            frame.words.push_back(word);
        }
    }

    /**
     * Pack as many waiting messages as fit into a datagram.
     * @param frame the datagram
     * @return their number
     */
    uint32_t Pack(messaging::Frame& frame) const
    {
        uint32_t messages = 0;
        frame.words.push_back(messages);
        for (const auto& request : m_queue)
        {
            if (frame.header + frame.payload + MESSAGE_BYTES + request.bytes > m_config.mtu)
            {
                break;
            }
            ++messages;
            frame.header += MESSAGE_BYTES;
            frame.payload += request.bytes;
            frame.contents ^= request.contents;
            AppendPart(frame, request);
        }
        frame.words[0] = messages;
        return messages;
    }

    /** Send waiting messages until the window closes. @param out actions */
    template <class Out>
    void Flush(Out& out)
    {
        while (!m_queue.empty() && IsOpen())
        {
            SendDatagram(out);
        }
    }

    /** Broadcast as many messages as fit into a datagram. @param out actions */
    template <class Out>
    void SendDatagram(Out& out)
    {
        const uint32_t number = Has(m_self) + 1;
        auto frame = MakeFrame(WindowKind::DATAGRAM, DATAGRAM_HEADER);
        frame.id = number;
        const uint32_t messages = Pack(frame);
        // A datagram carries a STATUS after half the datagrams that cause a separate one.
        const uint32_t numbers = NUMBER_BYTES * m_config.nPeers;
        const bool attaches = (m_answer || 2 * m_unreported >= m_config.statusEvery) &&
                              frame.header + frame.payload + numbers <= m_config.mtu;
        if (attaches)
        {
            frame.header += static_cast<uint16_t>(numbers);
            AppendNumbers(frame.words);
        }
        out.Send(messaging::NO_PEER, frame);
        Note(RivalEvent::DATA_SENT, out);
        m_frames.At(m_self, number) = std::move(frame);
        m_has.Raise(m_self, m_self, number);
        for (uint32_t i = 0; i < messages; ++i)
        {
            if (i > 0)
            {
                Note(RivalEvent::MESSAGE_PACKED, out);
            }
            m_own.emplace_back(number, m_queue.front().id);
            m_queue.pop_front();
        }
        if (attaches)
        {
            Note(RivalEvent::STATUS_ATTACHED, out);
            m_unreported = 0;
            RecordStatus(out);
        }
        else
        {
            RestartIdle(out);
        }
    }

    /** Broadcast a STATUS. @param out actions */
    template <class Out>
    void SendStatus(Out& out)
    {
        auto frame = MakeFrame(WindowKind::STATUS, STATUS_HEADER + NUMBER_BYTES * m_config.nPeers);
        AppendNumbers(frame.words);
        BroadcastStatus(frame, out);
        m_unreported = 0;
        RecordStatus(out);
    }

    /** Arm the NACK of a gap. @param out actions */
    template <class Out>
    void ArmNackOfGap(Out& out)
    {
        for (messaging::Peer source = 0; source < m_config.nPeers && !m_nackArmed; ++source)
        {
            if (m_has.GetKnown(source) > Has(source))
            {
                ArmNack(m_config.nackDelay, out);
            }
        }
    }

    /** Request missing datagrams of each source. @param out actions */
    template <class Out>
    void SendNacks(Out& out)
    {
        bool missing = false;
        for (messaging::Peer source = 0; source < m_config.nPeers; ++source)
        {
            const uint32_t first = Has(source) + 1;
            const uint32_t last = std::min(m_has.GetKnown(source), first + m_config.window - 1);
            auto frame = MakeFrame(WindowKind::NACK, NACK_HEADER);
            for (uint32_t number = first; number <= last; ++number)
            {
                if (!m_frames.Holds(source, number))
                {
                    frame.words.push_back(number);
                    frame.header += NUMBER_BYTES;
                }
            }
            if (frame.words.empty())
            {
                continue;
            }
            Note(RivalEvent::NACK_SENT, out);
            out.Send(source, frame);
            missing = true;
        }
        if (missing)
        {
            ArmNack(m_config.nackInterval, out);
        }
    }

    /**
     * Resend the missing datagrams of a node.
     * @param from the node
     * @param missing numbers of the missing datagrams
     * @param out actions
     */
    template <class Out>
    void OnNack(messaging::Peer from, List missing, Out& out)
    {
        for (const uint32_t number : missing)
        {
            if (m_frames.Holds(m_self, number))
            {
                out.Send(from, m_frames.At(m_self, number));
                Note(RivalEvent::DATA_REPEATED, out);
            }
        }
    }

    /**
     * Handle a datagram.
     * @param from its source
     * @param frame the datagram
     * @param out actions
     */
    template <class Out>
    void OnDatagram(messaging::Peer from, const messaging::Frame& frame, Out& out)
    {
        const List words = frame.words.Get();
        const uint32_t number = GetNumber(frame);
        if (words.empty() || IsTooFar(from, number))
        {
            Note(RivalEvent::DATA_UNREADABLE, out);
            return;
        }
        const std::size_t parts = 1 + PART_WORDS * std::size_t{words[0]};
        if (words.size() != parts && words.size() != parts + m_config.nPeers)
        {
            Note(RivalEvent::DATA_UNREADABLE, out);
            return;
        }
        m_has.RaiseKnown(from, number);
        if (number <= Has(from) || m_frames.Holds(from, number))
        {
            Note(RivalEvent::DATA_DUPLICATE, out);
        }
        else
        {
            Note(RivalEvent::DATA_KEPT, out);
            m_has.Raise(from, from, number);
            m_frames.At(from, number) = frame;
            for (uint32_t next = Has(from) + 1; m_frames.Holds(from, next); ++next)
            {
                m_has.Raise(m_self, from, next);
                m_unreported = std::max(m_unreported, next - m_reported[from]);
                Deliver(from, m_frames.At(from, next), out);
            }
        }
        OnStatus(from, words.subspan(parts), out);
        if (m_unreported >= m_config.statusEvery)
        {
            SendStatus(out);
        }
        ArmIdle(out);
    }

    /**
     * Deliver the messages of a datagram.
     * @param from its source
     * @param frame the datagram
     * @param out actions
     */
    template <class Out>
    void Deliver(messaging::Peer from, const messaging::Frame& frame, Out& out)
    {
        const uint64_t id = frame.id << INDEX_BITS;
        const uint32_t messages = frame.words[0];
        const List parts = frame.words.Get().subspan(1, PART_WORDS * messages);
        uint64_t damage = frame.contents;
        for (uint32_t i = 0; i < messages; ++i)
        {
            damage ^= ReadContents(parts.subspan(PART_WORDS * i));
        }
        for (uint32_t i = 0; i < messages; ++i)
        {
            const messaging::Request message = ReadPart(parts.subspan(PART_WORDS * i));
            if (IsForSelf(message.to))
            {
                out.Deliver(messaging::Delivery{id + i,
                                                message.contents ^ damage,
                                                from,
                                                message.bytes,
                                                message.tag,
                                                message.flags});
            }
            damage = 0;
        }
    }

    /**
     * Handle the numbers of a node, if any.
     * @param from the node
     * @param numbers a number for each source, or nothing
     * @param out actions
     */
    template <class Out>
    void OnStatus(messaging::Peer from, List numbers, Out& out)
    {
        if (!numbers.empty())
        {
            for (messaging::Peer source = 0; source < m_config.nPeers; ++source)
            {
                m_has.Raise(from, source, numbers[source]);
            }
            Settle(m_has.GetStable(m_self), out);
            Flush(out);
        }
        ArmNackOfGap(out);
    }

    std::deque<messaging::Request> m_queue; ///< Messages that wait for the window.
    uint32_t m_unreported{0}; ///< Maximum over sources of datagrams since the last STATUS.
};

} // namespace pcode
} // namespace ns3

#endif // PCODE_WINDOW_CORE_H
