/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_SEGMENTING_CORE_H
#define MESSAGING_SEGMENTING_CORE_H

#include "ns3/messaging-core.h"
#include "ns3/messaging-forwarded-actions.h"
#include "ns3/messaging-index-ranges.h"
#include "ns3/messaging-spread-bits.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * A layer above any protocol core that sends messages of any size as segments.
 */

namespace ns3
{
namespace messaging
{

/** Header of a segment: marks, number and index, and the message's size or tag [bytes]. */
inline constexpr uint32_t SEGMENT_HEADER = 8;

/** Bit of a tag that marks a segment. Messages with such a tag are sent as segments. */
inline constexpr uint32_t SEGMENT_TAG = uint32_t{1} << 31;

/** Bit of a request's ID that marks a segment. Messages with such an ID are sent as segments. */
inline constexpr RequestId SEGMENT_REQUEST = RequestId{1} << 63;

/** Sizes of the fields of a segment's tag, which together have 29 bits. */
struct SegmentFormat
{
    static constexpr uint32_t NUMBER_BITS = 8; ///< Bits of a message's number.
    static constexpr uint32_t INDEX_BITS = 21; ///< Bits of a segment's index.
    /** Maximum difference between the numbers of two incomplete messages of a channel, plus one; at
     * most half of all numbers. */
    static constexpr uint32_t OPEN = 64;
};

/**
 * The tag of a segment.
 *
 * @verbatim
      31     30          29     28 ... 21   20 ... 0
     | 1 | broadcast | last |   number   |   index  |
   @endverbatim
 *
 * @tparam Format sizes of the fields
 */
template <class Format>
struct SegmentTag
{
    static constexpr uint32_t NUMBERS = uint32_t{1} << Format::NUMBER_BITS; ///< Message numbers.
    static constexpr uint32_t INDICES = uint32_t{1} << Format::INDEX_BITS;  ///< Segment indices.
    static_assert(Format::NUMBER_BITS + Format::INDEX_BITS <= 29);
    static_assert(2 * Format::OPEN <= NUMBERS);

    uint32_t number{0};    ///< Number of the message in its channel.
    uint32_t index{0};     ///< Index of the segment in the message.
    bool last{false};      ///< It is the last segment.
    bool broadcast{false}; ///< The message has been sent to all others.

    /** @return the fields in one word. */
    constexpr uint32_t Pack() const
    {
        return SEGMENT_TAG | uint32_t{broadcast} << 30 | uint32_t{last} << 29 |
               number << Format::INDEX_BITS | index;
    }

    /** Unpack a tag. @param tag the tag @return its fields */
    static constexpr SegmentTag Unpack(uint32_t tag)
    {
        return SegmentTag{tag >> Format::INDEX_BITS & (NUMBERS - 1),
                          tag & (INDICES - 1),
                          (tag >> 29 & 1) != 0,
                          (tag >> 30 & 1) != 0};
    }
};

/**
 * Get the contents of the last segment of a message. Together with those of the other segments,
 * which are the contents of the message, they give its size and tag.
 * @param request the message
 * @return the contents
 */
constexpr uint64_t
GetLastContents(const Request& request)
{
    return request.contents ^ SpreadBits(uint64_t{request.bytes} << 32 | request.tag);
}

/**
 * Encoder of an inner core, whose messages are segments, among others.
 * @tparam E the outer encoder
 */
template <class E>
struct SegmentEncoder
{
    E& outer; ///< The outer encoder.

    /** Put a word. @param word the value @param name its name */
    void Put(uint64_t word, const char* name = nullptr)
    {
        outer.Put(word, name);
    }

    /** Put a peer. @param peer the peer, or NO_PEER @param name its name */
    void PutPeer(Peer peer, const char* name = nullptr)
    {
        outer.PutPeer(peer, name);
    }

    /** Put the contents of a message or segment. @param contents the contents */
    void PutContents(uint64_t contents)
    {
        outer.PutContents(contents, GetLastContents);
    }

    /** Put a request. @param from the peer that has posted it @param id its ID */
    void PutRequest(Peer from, RequestId id)
    {
        (id & SEGMENT_REQUEST) ? outer.Put(id) : outer.PutRequest(from, id);
    }

    /** Put a tag. @param contents contents of the message or segment @param tag the tag */
    void PutTag(uint64_t contents, uint32_t tag)
    {
        (tag & SEGMENT_TAG) ? outer.Put(tag) : outer.PutTag(contents, tag);
    }

    /** Put an ID that a core has chosen. @param from its peer @param id the ID */
    void PutId(Peer from, uint64_t id)
    {
        outer.PutId(from, id);
    }

    /** Put the next ID. @param next the next ID @param left number of IDs that are left */
    void PutNextId(uint64_t next, uint64_t left)
    {
        outer.PutNextId(next, left);
    }

    /** Begin a set. @param name its name */
    void BeginSet(const char* name = nullptr)
    {
        outer.BeginSet(name);
    }

    /** Begin a member of the set. */
    void BeginItem()
    {
        outer.BeginItem();
    }

    /** End the set. */
    void EndSet()
    {
        outer.EndSet();
    }
};

/**
 * @ingroup messaging
 * A core around a core that accepts only messages up to a limit. Messages within the limit pass
 * unchanged. Longer ones are posted to the inner core as segments, and reassembled at the receiver.
 *
 * @verbatim
     message      contents c, tag t, flags f, n bytes
     segment 0    contents c, tag (number, 0), no flags, header + part of the limit
     segment 1    contents c, tag (number, 1), no flags, header + part of the limit
     ...
     last         contents c ^ mix(n, t), tag (last, number, index), flags f, header + rest
   @endverbatim
 *
 * - All fields travel by value in messages of the inner core. A segment with damaged contents
 *   damages the message.
 * - A message has two segments at least. The flags are options of the inner protocol, and belong to
 *   the last segment: an answer that it awaits can follow the whole message.
 * - Segments may arrive in any order, and more than once. A message is delivered with its last
 *   missing segment. So it is delivered completely, once and in order if the inner core delivers
 *   its messages so; if that does not keep their order, neither does the layer.
 * - Messages of a channel, to one peer or to all others, are numbered modulo 2^NUMBER_BITS. The
 *   sender stalls a message whose number differs from that of an incomplete one by OPEN or more;
 *   the receiver forgets an incomplete message when one of its channel begins whose number does.
 *   So it holds fewer than 2 OPEN incomplete messages of a channel.
 * - One message at a time is posted to the inner core, segment by segment. Until its last segment
 *   is accepted, further requests are stalled. When the inner core stalls, the rest waits for the
 *   next event after which it accepts again.
 * - A message is SENT when all segments are, and DELIVERED when all are. After a segment has
 failed,
 *   no more are posted, and the message ends with the worst completion when the others have ended.
 *
 * The inner core must deliver messages without a posted receive, carry all 32 bits of a tag, and
 * neither deliver nor complete anything within an OnRequest that it does not accept.
 *
 * @tparam Core the inner core, a ProtocolCore
 * @tparam Format sizes of the fields of a segment's tag
 */
template <class Core, class Format = SegmentFormat>
class SegmentingCore
{
    /** The tag of a segment. */
    using Tag = SegmentTag<Format>;

    /** The inner core reports whether it accepts messages. */
    static constexpr bool REPORTS_ROOM = requires(const Core& core) { core.CanAccept(); };

  public:
    /** Stale timers are ignored if the inner core does so. */
    static constexpr bool IGNORES_STALE_TIMERS = requires { requires Core::IGNORES_STALE_TIMERS; };

    /** Trimmed frames are taken if the inner core takes them. */
    static constexpr bool TAKES_TRIMMED = messaging::TakesTrimmed<Core>();

    /**
     * Construct.
     * @param core the inner core
     * @param limit largest message that it accepts [bytes]
     */
    SegmentingCore(Core core, uint32_t limit)
        : m_core(std::move(core)),
          m_limit(limit)
    {
    }

    /** @return the inner core. */
    const Core& GetCore() const
    {
        return m_core;
    }

    /** @return the inner core. */
    Core& GetCore()
    {
        return m_core;
    }

    /** @return whether DELIVERED follows SENT, as for messages of the inner core. */
    bool ConfirmsDelivery() const
    {
        if constexpr (requires { m_core.ConfirmsDelivery(); })
        {
            return m_core.ConfirmsDelivery();
        }
        return false;
    }

    /** @return the size of the largest message [bytes]. */
    uint32_t GetLargestMessage() const
    {
        const uint64_t longest = uint64_t{Tag::INDICES} * GetPart();
        return static_cast<uint32_t>(
            std::max<uint64_t>(m_limit,
                               std::min<uint64_t>(longest, std::numeric_limits<uint32_t>::max())));
    }

    /**
     * Post a message.
     * @param request the message
     * @param out actions
     * @return the acceptance by the inner core; stalled while another message is posted in segments
     */
    template <class Out>
    Acceptance OnRequest(const Request& request, Out& out)
    {
        if (m_posting != NONE)
        {
            return Acceptance::STALLED;
        }
        const bool marked = (request.tag & SEGMENT_TAG) || (request.id & SEGMENT_REQUEST);
        if (request.bytes > m_limit || marked) [[unlikely]]
        {
            return PostSegments(request, out);
        }
        InnerActions<Out> inner{{out}, *this};
        const Acceptance acceptance = m_core.OnRequest(request, inner);
        if constexpr (!REPORTS_ROOM)
        {
            m_stalled = acceptance == Acceptance::STALLED;
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
    void OnFrame(Peer from, const Frame& frame, Out& out)
    {
        Handle(out, [&](auto& inner) { m_core.OnFrame(from, frame, inner); });
    }

    /**
     * Handle a timer.
     * @param timer the timer
     * @param out actions
     */
    template <class Out>
    void OnTimer(TimerId timer, Out& out)
    {
        Handle(out, [&](auto& inner) { m_core.OnTimer(timer, inner); });
    }

    /**
     * Handle the end of work.
     * @param work the work
     * @param out actions
     */
    template <class Out>
    void OnDone(WorkId work, Out& out)
    {
        Handle(out, [&](auto& inner) { m_core.OnDone(work, inner); });
    }

    /**
     * Continue: the port accepts frames again.
     * @param out actions
     */
    template <class Out>
    void OnReady(Out& out)
    {
        Handle(out, [&](auto& inner) { m_core.OnReady(inner); });
    }

    /** @return whether a message can be posted. */
    bool CanAccept() const
    {
        return m_posting == NONE && HasRoom();
    }

    /** @return whether nothing is pending. */
    bool IsIdle() const
        requires requires(const Core& core) { core.IsIdle(); }
    {
        return std::ranges::none_of(m_outgoing, &Outgoing::used) && m_core.IsIdle();
    }

    /** @return the size of the state, with that of messages in segments [bytes]. */
    std::size_t GetMemory() const
        requires requires(const Core& core) { core.GetMemory(); }
    {
        std::size_t bytes = m_core.GetMemory() + m_outgoing.capacity() * sizeof(Outgoing) +
                            m_channels.capacity() * sizeof(Channel) +
                            m_incoming.capacity() * sizeof(Incoming);
        for (const Incoming& message : m_incoming)
        {
            bytes += message.arrived.Get().capacity() * sizeof(IndexRanges::Range);
        }
        return bytes;
    }

    /**
     * Declare the state. Messages in segments are named as the others are; their numbers and
     * indices are words.
     * @param e the encoder
     */
    template <class E>
    void Encode(E& e) const
    {
        if constexpr (std::is_same_v<E, Encoder>)
        {
            m_core.Encode(e);
        }
        else
        {
            SegmentEncoder<E> inner{e};
            m_core.Encode(inner);
        }
        e.Put(uint64_t{m_posting} << 1 | uint64_t{m_stalled}, "posting");
        e.BeginSet("channels");
        for (const Channel& channel : m_channels)
        {
            if (channel.next > 0)
            {
                e.BeginItem();
                e.PutPeer(channel.to, "to");
                e.Put(channel.next, "next number");
            }
        }
        e.EndSet();
        for (uint32_t slot = 0; slot < m_outgoing.size(); ++slot)
        {
            if (const Outgoing& message = m_outgoing[slot]; message.used)
            {
                e.Put(slot, "slot");
                e.PutPeer(message.request.to, "to");
                if constexpr (std::is_same_v<E, Encoder>)
                {
                    e.Put(message.request.id, "request");
                }
                e.PutContents(message.request.contents);
                e.PutTag(message.request.contents, message.request.tag);
                message.PutProgress(e);
            }
        }
        e.BeginSet("incomplete messages");
        for (const Incoming& message : m_incoming)
        {
            e.BeginItem();
            e.PutPeer(message.from, "from");
            if constexpr (std::is_same_v<E, Encoder>)
            {
                e.Put(message.id, "id");
            }
            e.PutContents(message.contents, GetLastContents);
            e.PutContents(message.lastContents, GetLastContents);
            message.PutProgress(e);
        }
        e.EndSet();
    }

    /** Peers, messages and IDs may be exchanged in a search, if the inner core permits it. */
    static constexpr bool IS_SYMMETRIC = requires { requires Core::IS_SYMMETRIC; };

    /**
     * Declare a timer, which is one of the inner core.
     * @param timer the timer
     * @param e the encoder
     */
    template <class E>
    void EncodeTimer(TimerId timer, E& e) const
    {
        SegmentEncoder<E> inner{e};
        m_core.EncodeTimer(timer, inner);
    }

    /**
     * Declare a frame, which is one of the inner core.
     * @param from its sender
     * @param to its receiver
     * @param frame the frame
     * @param e the encoder
     */
    template <class E>
    void EncodeFrame(Peer from, Peer to, const Frame& frame, E& e) const
    {
        SegmentEncoder<E> inner{e};
        m_core.EncodeFrame(from, to, frame, inner);
    }

    /**
     * Declare work, which is of the inner core.
     * @param work the work
     * @param e the encoder
     */
    template <class E>
    void EncodeWork(WorkId work, E& e) const
        requires requires(const Core& core, SegmentEncoder<E>& inner) {
            core.EncodeWork(work, inner);
        }
    {
        SegmentEncoder<E> inner{e};
        m_core.EncodeWork(work, inner);
    }

    /** Check whether a timer outlasts the slip of the network. @param timer the timer @return true
     * if the inner core declares it */
    static bool OutlastsSlip(TimerId timer)
        requires requires { Core::OutlastsSlip(timer); }
    {
        return Core::OutlastsSlip(timer);
    }

  private:
    static constexpr uint32_t NONE = 0xffffffff; ///< No message.

    /** Messages to one peer, or to all others. */
    struct Channel
    {
        Peer to{0};       ///< The peer, or NO_PEER.
        uint32_t next{0}; ///< Number of the next message in segments.
    };

    /** A message that is sent in segments and has not ended. */
    struct Outgoing
    {
        Request request;                         ///< The message.
        uint32_t number{0};                      ///< Its number in its channel.
        uint32_t count{0};                       ///< Its segments; after a failure, those posted.
        uint32_t posted{0};                      ///< Segments posted.
        uint32_t sent{0};                        ///< Segments reported as sent.
        uint32_t ended{0};                       ///< Segments that have ended.
        Completion worst{Completion::DELIVERED}; ///< The worst end of a segment.
        bool used{false};                        ///< The slot is in use.

        /** @return whether a segment has failed. */
        bool HasFailed() const
        {
            return worst == Completion::UNREACHABLE || worst == Completion::FAILED;
        }

        /** Put the fields other than names of messages and peers. @param words receives them */
        template <class Words>
        void PutProgress(Words& words) const
        {
            words.Put(uint64_t{request.bytes} << 32 | number << 16 | uint32_t{request.flags} << 8 |
                      static_cast<uint32_t>(worst));
            words.Put(uint64_t{count} << 32 | posted);
            words.Put(uint64_t{sent} << 32 | ended);
        }
    };

    /** A message that arrives in segments and is not complete. */
    struct Incoming
    {
        uint64_t contents{0};     ///< Its contents, from a segment that is not the last.
        uint64_t lastContents{0}; ///< Contents of the last segment.
        uint64_t id{0};           ///< ID of the delivery of the last segment.
        uint64_t bytes{0};        ///< Bytes of the message that have arrived.
        IndexRanges arrived;      ///< Indices of segments that have arrived.
        Peer from{0};             ///< Its sender.
        uint32_t number{0};       ///< Its number in its channel.
        uint32_t count{0};        ///< Its segments; 0 before the last one has arrived.
        uint8_t flags{0};         ///< Its flags.
        bool broadcast{false};    ///< It has been sent to all others.
        bool known{false};        ///< Its contents are known.
        bool damaged{false};      ///< Contents of its segments differ.

        /** @return channel and number of a sender, in one word. */
        uint32_t GetKey() const
        {
            return (broadcast ? Tag::NUMBERS : 0) + number;
        }

        /** Put the fields other than names of messages and peers. @param words receives them */
        template <class Words>
        void PutProgress(Words& words) const
        {
            words.Put(bytes);
            words.Put(uint64_t{GetKey()} << 32 | count);
            words.Put(arrived.Get().size() << 16 | uint64_t{flags} << 8 | (known ? 2 : 0) |
                      (damaged ? 1 : 0));
            for (const auto& range : arrived.Get())
            {
                words.Put(uint64_t{range.first} << 32 | range.end);
            }
        }
    };

    /** Actions of the inner core. */
    template <class Out>
    struct InnerActions : ForwardedActions<Out>
    {
        SegmentingCore& layer; ///< The layer.

        /** Deliver a message, or take a segment. @param delivery the message or segment */
        void Deliver(const Delivery& delivery)
        {
            if (delivery.tag & SEGMENT_TAG) [[unlikely]]
            {
                layer.TakeSegment(delivery, this->out);
                return;
            }
            this->out.Deliver(delivery);
        }

        /** Complete a request, or a segment. @param id its ID @param completion its outcome */
        void Complete(RequestId id, Completion completion)
        {
            if constexpr (!REPORTS_ROOM)
            {
                layer.m_stalled = false;
            }
            if (id & SEGMENT_REQUEST) [[unlikely]]
            {
                layer.CompleteSegment(id, completion, this->out);
                return;
            }
            this->out.Complete(id, completion);
        }
    };

    /** @return the part of a message in a segment, except the last one [bytes]. */
    uint32_t GetPart() const
    {
        return m_limit > SEGMENT_HEADER ? m_limit - SEGMENT_HEADER : 0;
    }

    /** @return whether the inner core accepts a message. */
    bool HasRoom() const
    {
        if constexpr (REPORTS_ROOM)
        {
            return m_core.CanAccept();
        }
        return !m_stalled;
    }

    /**
     * Let the inner core handle an event, then post further segments.
     * @param out actions
     * @param event calls the inner core
     */
    template <class Out, class Event>
    void Handle(Out& out, Event&& event)
    {
        InnerActions<Out> inner{{out}, *this};
        event(inner);
        if (m_posting != NONE) [[unlikely]]
        {
            Continue(inner);
        }
    }

    /**
     * Begin to post a message in segments.
     * @param request the message
     * @param out actions
     * @return the acceptance of its first segment; refused if there would be too many
     */
    template <class Out>
    Acceptance PostSegments(const Request& request, Out& out)
    {
        if (request.bytes > GetLargestMessage() || GetPart() == 0)
        {
            return Acceptance::REFUSED;
        }
        const uint32_t number = FindChannel(request.to)->next;
        const bool closed = std::ranges::any_of(m_outgoing, [&](const Outgoing& message) {
            return message.used && message.request.to == request.to &&
                   (number - message.number) % Tag::NUMBERS >= Format::OPEN;
        });
        if (closed)
        {
            return Acceptance::STALLED;
        }
        auto slot = std::ranges::find(m_outgoing, false, &Outgoing::used);
        if (slot == m_outgoing.end())
        {
            slot = m_outgoing.insert(slot, Outgoing{});
        }
        const uint32_t needed = (uint64_t{request.bytes} + GetPart() - 1) / GetPart();
        *slot = Outgoing{.request = request,
                         .number = number,
                         .count = std::max<uint32_t>(needed, 2),
                         .used = true};
        m_posting = static_cast<uint32_t>(slot - m_outgoing.begin());
        FindChannel(request.to)->next = (number + 1) % Tag::NUMBERS;
        InnerActions<Out> inner{{out}, *this};
        const Acceptance acceptance = PostNext(inner);
        if (acceptance == Acceptance::ACCEPTED)
        {
            Continue(inner);
            return acceptance;
        }
        FindChannel(request.to)->next = number;
        m_outgoing[m_posting].used = false;
        m_posting = NONE;
        if constexpr (REPORTS_ROOM)
        {
            m_stalled = false;
        }
        return acceptance;
    }

    /** @return the channel to a peer, which is added if there is none. @param to the peer, or
     * NO_PEER */
    auto FindChannel(Peer to)
    {
        const auto channel = std::ranges::lower_bound(m_channels, to, {}, &Channel::to);
        const bool known = channel != m_channels.end() && channel->to == to;
        return known ? channel : m_channels.insert(channel, Channel{to});
    }

    /** Post further segments, as far as the inner core accepts them. @param inner its actions */
    template <class Out>
    void Continue(InnerActions<Out>& inner)
    {
        while (m_posting != NONE && !(REPORTS_ROOM && m_stalled && !HasRoom()))
        {
            const uint32_t slot = m_posting;
            const Acceptance acceptance = PostNext(inner);
            if (acceptance == Acceptance::STALLED)
            {
                return;
            }
            if (acceptance == Acceptance::REFUSED)
            {
                m_outgoing[slot].worst = Completion::FAILED;
                Abandon(slot);
                FinishIfEnded(slot, inner.out);
            }
        }
    }

    /**
     * Post the next segment.
     * @param inner actions of the inner core
     * @return its acceptance
     */
    template <class Out>
    Acceptance PostNext(InnerActions<Out>& inner)
    {
        const uint32_t slot = m_posting;
        Outgoing& message = m_outgoing[slot];
        const uint32_t index = message.posted++;
        const bool last = message.posted == message.count;
        const uint64_t offset = uint64_t{index} * GetPart();
        const uint64_t left =
            message.request.bytes - std::min<uint64_t>(offset, message.request.bytes);
        const Tag tag{message.number, index, last, message.request.to == NO_PEER};
        Request segment = message.request;
        segment.id = SEGMENT_REQUEST | uint64_t{slot} << Format::INDEX_BITS | index;
        segment.bytes = SEGMENT_HEADER + static_cast<uint32_t>(std::min<uint64_t>(left, GetPart()));
        segment.tag = tag.Pack();
        segment.contents = last ? GetLastContents(message.request) : message.request.contents;
        segment.flags = last ? message.request.flags : 0;
        // The user may post the next message from within the completion of the last segment.
        m_posting = last ? NONE : slot;
        const Acceptance acceptance = m_core.OnRequest(segment, inner);
        if (acceptance != Acceptance::ACCEPTED)
        {
            --m_outgoing[slot].posted;
            m_posting = slot;
        }
        m_stalled = acceptance == Acceptance::STALLED;
        return acceptance;
    }

    /**
     * Handle the completion of a segment.
     * @param id its request
     * @param completion its outcome
     * @param out actions
     */
    template <class Out>
    void CompleteSegment(RequestId id, Completion completion, Out& out)
    {
        const auto slot = static_cast<uint32_t>((id & ~SEGMENT_REQUEST) >> Format::INDEX_BITS);
        Outgoing& message = m_outgoing[slot];
        const bool sent = completion == Completion::SENT;
        if (sent)
        {
            ++message.sent;
        }
        if (sent && ConfirmsDelivery())
        {
            if (message.sent == message.count && !message.HasFailed())
            {
                out.Complete(message.request.id, Completion::SENT);
            }
            return;
        }
        ++message.ended;
        message.worst = std::max(message.worst, completion);
        if (message.HasFailed())
        {
            Abandon(slot);
        }
        FinishIfEnded(slot, out);
    }

    /**
     * Post no more segments of a message, since one has failed.
     * @param slot slot of the message
     */
    void Abandon(uint32_t slot)
    {
        m_outgoing[slot].count = m_outgoing[slot].posted;
        if (m_posting == slot)
        {
            m_posting = NONE;
        }
    }

    /** Complete a message if all of its segments have ended. @param slot its slot @param out
     * actions */
    template <class Out>
    void FinishIfEnded(uint32_t slot, Out& out)
    {
        Outgoing& message = m_outgoing[slot];
        if (message.ended == message.count)
        {
            message.used = false;
            out.Complete(message.request.id, message.worst);
        }
    }

    /**
     * Take a segment. One that no sender makes is ignored.
     * @param segment the segment
     * @param out actions
     */
    template <class Out>
    void TakeSegment(const Delivery& segment, Out& out)
    {
        const Tag tag = Tag::Unpack(segment.tag);
        if (segment.bytes < SEGMENT_HEADER || (tag.last && tag.index == 0))
        {
            return;
        }
        const auto place = FindIncoming(segment.from, tag);
        Incoming& message = *place;
        if (!message.arrived.Add(tag.index))
        {
            return;
        }
        message.bytes += segment.bytes - SEGMENT_HEADER;
        if (tag.last)
        {
            message.count = tag.index + 1;
            message.lastContents = segment.contents;
            message.flags = segment.flags;
            message.id = segment.id;
        }
        else if (!message.known)
        {
            message.known = true;
            message.contents = segment.contents;
        }
        else
        {
            message.damaged |= message.contents != segment.contents;
        }
        if (!message.arrived.IsWhole(message.count))
        {
            return;
        }
        const uint64_t sizeAndTag = GatherBits(message.lastContents ^ message.contents);
        const bool damaged = message.damaged || sizeAndTag >> 32 != message.bytes;
        // Mixed, since the contents may have been inverted.
        const Delivery delivery{message.id,
                                damaged ? SpreadBits(~message.contents) : message.contents,
                                message.from,
                                static_cast<uint32_t>(message.bytes),
                                static_cast<uint32_t>(sizeAndTag),
                                message.flags};
        m_incoming.erase(place);
        out.Deliver(delivery);
    }

    /**
     * Find the message of a segment, or begin one, and forget those of its channel whose numbers
     * are too different.
     * @param from its sender
     * @param tag its tag
     * @return the message
     */
    auto FindIncoming(Peer from, const Tag& tag)
    {
        Incoming wanted;
        wanted.from = from;
        wanted.number = tag.number;
        wanted.broadcast = tag.broadcast;
        const auto isBefore = [](const Incoming& a, const Incoming& b) {
            return std::tuple(a.from, a.GetKey()) < std::tuple(b.from, b.GetKey());
        };
        auto place = std::lower_bound(m_incoming.begin(), m_incoming.end(), wanted, isBefore);
        if (place != m_incoming.end() && !isBefore(wanted, *place))
        {
            return place;
        }
        std::erase_if(m_incoming, [&](const Incoming& message) {
            const uint32_t ahead = (message.number - tag.number) % Tag::NUMBERS;
            const uint32_t distance = std::min(ahead, Tag::NUMBERS - ahead);
            return message.from == from && message.broadcast == tag.broadcast &&
                   distance >= Format::OPEN;
        });
        place = std::lower_bound(m_incoming.begin(), m_incoming.end(), wanted, isBefore);
        return m_incoming.insert(place, std::move(wanted));
    }

    Core m_core;                      ///< The inner core.
    std::vector<Channel> m_channels;  ///< Channels with messages in segments, by destination.
    std::vector<Outgoing> m_outgoing; ///< Own messages in segments, by slot.
    std::vector<Incoming> m_incoming; ///< Incomplete messages, by sender, channel and number.
    uint32_t m_limit;                 ///< Largest message of the inner core [bytes].
    uint32_t m_posting{NONE};         ///< Slot of the message whose segments are being posted.
    bool m_stalled{false};            ///< The inner core has stalled the last request.
};

/**
 * Get a core without the layer.
 * @param core a core
 * @return the core
 */
template <class Core>
Core&
GetInnerCore(Core& core)
{
    return core;
}

/** @copydoc GetInnerCore */
template <class Core, class Format>
Core&
GetInnerCore(SegmentingCore<Core, Format>& core)
{
    return core.GetCore();
}

/** @copydoc GetInnerCore */
template <class Core, class Format>
const Core&
GetInnerCore(const SegmentingCore<Core, Format>& core)
{
    return core.GetCore();
}

/**
 * Make the core of a group that is compiled with the layer or without it.
 * @tparam Wanted type of the group's cores: Core, or a SegmentingCore of it
 * @param core the core, which declares GetLargestMessage
 * @return the core, in the layer if the group has one
 */
template <class Wanted, class Core>
Wanted
MakeLayered(Core core)
{
    if constexpr (std::is_same_v<Wanted, Core>)
    {
        return core;
    }
    else
    {
        const uint32_t limit = core.GetLargestMessage();
        return Wanted(std::move(core), limit);
    }
}

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_SEGMENTING_CORE_H
