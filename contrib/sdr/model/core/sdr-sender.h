/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SDR_SENDER_H
#define SDR_SENDER_H

#include "sdr-erasure-code.h"
#include "sdr-layout.h"
#include "sdr-packet.h"

#include "ns3/messaging-core.h"
#include "ns3/messaging-fifo.h"
#include "ns3/messaging-flow-core.h"
#include "ns3/messaging-sequence-space.h"
#include "ns3/messaging-word-bits.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup sdr
 * The sending end of a flow: packets, parity, repeats and timeouts.
 */

namespace ns3
{
namespace sdr
{

/**
 * @ingroup sdr
 * The sending end of a flow.
 *
 * @verbatim
      a chunk, by selective repeat                    a submessage with parity
                  sent            bit                             sent         all bits
      +--------+ -----> +------+ -----> +------+      +--------+ -----> +------+ -----> +------+
      | posted |        | sent |        | here |      | posted |        | sent |        | here |
      +--------+        +------+        +------+      +--------+        +------+        +------+
                  again ^  |  RTO, or a later                          NACK |              ^
                        |  v  chunk is here                                 v              |
                        +------+                               each data chunk, by selective repeat
                        | lost |
                        +------+
   @endverbatim
 *
 * Timers are armed once, and never restarted or cancelled: a timer that fires before its time is
 * armed for the rest. One that fires again without an event in between counts as expired.
 */
class Sender
{
  public:
    /** Timers. */
    enum Timer : uint32_t
    {
        CHUNK, ///< Timeout of the oldest chunk that is sent by selective repeat.
        GUARD  ///< Submessages are sent, and no answer comes.
    };

    /** @param config parameters */
    explicit Sender(std::shared_ptr<const Config> config)
        : m_config(std::move(config)),
          m_numbers(m_config->modulus),
          m_first(m_config->modulus),
          m_current(m_config->modulus)
    {
    }

    /** @return packets in flight. */
    uint32_t GetInFlight() const
    {
        return m_inFlight;
    }

    /** @return true if no further message can be posted. */
    bool IsFull() const
    {
        return m_messages.size() >= m_config->requests;
    }

    /** Append a message. @param request the message */
    void Post(const messaging::Request& request)
    {
        m_messages.emplace_back(request, *m_config);
    }

    /**
     * Receive an answer. One for messages that were never sent is ignored.
     * @param frame the answer
     * @param out actions
     */
    template <class Out>
    void OnAnswer(const Frame& frame, Out& out)
    {
        const Address address = Address::Unpack(frame.id);
        const uint64_t number = m_numbers.Unwrap(address.number, m_first - m_config->GetPast());
        const uint64_t first = m_numbers.Unwrap(frame.aux, m_first - m_config->GetPast());
        const uint64_t end = m_current + (m_position > 0 ? 1 : 0);
        if (first > end || number >= end)
        {
            return;
        }
        for (uint64_t before = m_first; before < first; ++before)
        {
            MarkBelow(before, GetMessage(before).layout.GetChunks(), out.Now());
        }
        if (number >= m_first && !frame.words.empty())
        {
            OnBits(number, address.index, frame, out);
        }
        FindGaps(out);
        Finish(out);
    }

    /**
     * Handle a timer.
     * @param timer the timer
     * @param out actions
     */
    template <class Out>
    void OnTimer(Timer timer, Out& out)
    {
        if (timer == CHUNK && m_isArmed)
        {
            m_isArmed = false;
            OnTimeout(out);
        }
        else if (timer == GUARD && m_isGuarded)
        {
            m_isGuarded = false;
            if (!m_hasProgress && m_unconfirmed > 0)
            {
                out.Note(PROBED);
                m_probe = FindUnconfirmed();
            }
        }
    }

    /**
     * Send a probe, repeats and new packets, as far as port and window permit, and arm timers.
     * @param to their receiver
     * @param paths chooses a path
     * @param out actions
     */
    template <class Paths, class Out>
    void SendPackets(Peer to, Paths& paths, Out& out)
    {
        if (SendProbe(to, paths, out) && SendRepeats(to, paths, out))
        {
            SendNew(to, paths, out);
        }
        ArmTimers(to, out);
    }

    /** Append the state, without times. @param encoder where */
    void Encode(messaging::Encoder& encoder) const
    {
        encoder.Put(m_first, "first message");
        encoder.Put(m_messages.size(), "messages");
        for (const Outgoing& message : m_messages)
        {
            message.Encode(encoder);
        }
        encoder.Put(m_current, "current message");
        encoder.Put(m_position, "position");
        encoder.Put(m_repeats.GetN(), "lost chunks");
        for (const Chunk& chunk : m_repeats)
        {
            encoder.Put(chunk.GetKey(), "chunk");
        }
        encoder.Put(m_repeatPacket, "packet of the first one");
        encoder.Put(m_expiries.GetN(), "timeouts");
        for (const Expiry& expiry : m_expiries)
        {
            encoder.Put(expiry.chunk.GetKey(), "chunk");
            encoder.Put(expiry.after, "after");
            encoder.Put(expiry.serial == m_armedSerial, "timer");
            encoder.Put(expiry.doublings, "doublings");
        }
        encoder.Put(m_doublings, "doublings");
        encoder.Put(m_last, "last new chunk");
        encoder.Put(m_probe.value_or(0), "probe");
        encoder.Put(m_isArmed, "timer is armed");
        encoder.Put(m_isGuarded, "guard is armed");
        encoder.Put(m_hasProgress, "progress");
    }

  private:
    /** A submessage. */
    struct Part
    {
        uint32_t sent{0};       ///< Packets sent for the first time, until it is here.
        uint32_t open{0};       ///< Data chunks without a bit.
        bool isRepeated{false}; ///< It has failed: its data chunks are sent by selective repeat.
    };

    /** A message. */
    struct Outgoing
    {
        /** @param message the message @param config parameters */
        Outgoing(const messaging::Request& message, const Config& config)
            : request(message),
              layout(message.bytes, config),
              here(layout.GetChunks()),
              parts(layout.GetSubmessages()),
              open(layout.GetChunks())
        {
            for (uint32_t index = 0; index < parts.size(); ++index)
            {
                parts[index].open = layout.GetData(index);
            }
        }

        /** Append the state. @param encoder where */
        void Encode(messaging::Encoder& encoder) const
        {
            encoder.PutContents(request.contents);
            for (const bool bit : here)
            {
                encoder.Put(bit, "bit");
            }
            for (const Part& part : parts)
            {
                encoder.Put(part.sent, "sent");
                encoder.Put(part.isRepeated, "failed");
            }
        }

        messaging::Request request; ///< The message.
        Layout layout;              ///< Its layout.
        std::vector<bool> here;     ///< Bits of its data chunks.
        std::vector<Part> parts;    ///< Its submessages.
        uint32_t open;              ///< Data chunks without a bit.
        uint32_t low{0};            ///< Chunks before this one have their bits.
        bool isFinished{false};     ///< Its completion has been reported.
    };

    /** A data chunk of any message. */
    struct Chunk
    {
        uint64_t number{0}; ///< Number of the message.
        uint32_t index{0};  ///< Index of the chunk.

        /** @return the order of first transmissions. */
        uint64_t GetKey() const
        {
            return number << INDEX_BITS | index;
        }
    };

    /** Timeout of a chunk. */
    struct Expiry
    {
        Chunk chunk;           ///< The chunk.
        uint64_t after{0};     ///< Key of the last new chunk that was sent by then.
        uint64_t serial{0};    ///< Number of the transmission.
        Ticks deadline{0};     ///< Time of the timeout [ticks].
        uint32_t doublings{0}; ///< Doublings of the timeout.
    };

    /** @return true if submessages have parity. */
    bool HasParity() const
    {
        return m_config->parity > 0;
    }

    /** @param number number of a message that is not forgotten @return the message. */
    Outgoing& GetMessage(uint64_t number)
    {
        return m_messages[number - m_first];
    }

    /** @param chunk a chunk @return true if its bit is set. */
    bool IsHere(const Chunk& chunk)
    {
        return chunk.number < m_first || GetMessage(chunk.number).here[chunk.index];
    }

    /** Record progress. @param now the time [ticks] */
    void Progress(Ticks now)
    {
        m_hasProgress = true;
        m_since = now;
    }

    /** Set the bit of a chunk. @param number number of its message @param index its index @param
     * now the time [ticks] */
    void Mark(uint64_t number, uint32_t index, Ticks now)
    {
        Outgoing& message = GetMessage(number);
        if (message.here[index])
        {
            return;
        }
        message.here[index] = true;
        m_doublings = 0;
        Progress(now);
        --message.open;
        Part& part = message.parts[index / m_config->data];
        if (m_config->gaps)
        {
            m_gap = std::max(m_gap, Chunk{number, index}.GetKey());
        }
        if (--part.open == 0)
        {
            m_inFlight -= part.sent;
            m_unconfirmed -= IsUnconfirmed(part) ? 1 : 0;
            part.sent = 0;
        }
    }

    /** Set bits of a message. @param number its number @param end chunk after the last one @param
     * now the time [ticks] */
    void MarkBelow(uint64_t number, uint32_t end, Ticks now)
    {
        Outgoing& message = GetMessage(number);
        for (; message.low < end; ++message.low)
        {
            Mark(number, message.low, now);
        }
    }

    /** @param part a submessage @return true if it may still be decoded, and has no answer. */
    bool IsUnconfirmed(const Part& part) const
    {
        return HasParity() && part.sent > 0 && !part.isRepeated;
    }

    /**
     * Take the bits of an answer.
     * @param number number of the message
     * @param base chunk of the first bit
     * @param frame the answer
     * @param out actions
     */
    template <class Out>
    void OnBits(uint64_t number, uint32_t base, const Frame& frame, Out& out)
    {
        Outgoing& message = GetMessage(number);
        const uint32_t chunks = message.layout.GetChunks();
        const uint32_t below = std::min(frame.words[0], chunks);
        if (frame.kind == ACK)
        {
            MarkBelow(number, below, out.Now());
        }
        const uint32_t bits = (frame.words.size() - 1) * messaging::WORD_BITS;
        const uint32_t end = std::min(chunks, base + bits);
        for (uint32_t chunk = base; chunk < end; ++chunk)
        {
            if (messaging::GetWordBit(frame.words, messaging::WORD_BITS + chunk - base))
            {
                Mark(number, chunk, out.Now());
            }
        }
        if (frame.kind == NACK && HasParity())
        {
            const uint32_t span = m_config->ackWords * messaging::WORD_BITS;
            const uint32_t unit = m_config->data;
            for (uint32_t chunk = base; chunk < std::min(below, base + span / unit * unit); ++chunk)
            {
                if (!message.here[chunk])
                {
                    OnFailure(number, chunk / unit, out);
                }
            }
        }
    }

    /**
     * Send a submessage by selective repeat, unless it is, or its first transmission has not ended.
     * @param number number of the message
     * @param index index of the submessage
     * @param out actions
     */
    template <class Out>
    void OnFailure(uint64_t number, uint32_t index, Out& out)
    {
        Outgoing& message = GetMessage(number);
        Part& part = message.parts[index];
        if (part.isRepeated || part.sent < message.layout.GetAllPackets(index))
        {
            return;
        }
        out.Note(FAILED);
        part.isRepeated = true;
        Progress(out.Now());
        --m_unconfirmed;
        const uint32_t first = index * m_config->data;
        for (uint32_t chunk = first; chunk < first + message.layout.GetData(index); ++chunk)
        {
            if (!message.here[chunk])
            {
                m_repeats.Push({number, chunk});
            }
        }
    }

    /** Repeat the chunks that were sent before one that is here. @param out actions */
    template <class Out>
    void FindGaps(Out& out)
    {
        while (!m_expiries.IsEmpty())
        {
            const Expiry& expiry = m_expiries.Front();
            const bool isHere = IsHere(expiry.chunk);
            if (!isHere && expiry.after >= m_gap)
            {
                return;
            }
            if (!isHere)
            {
                out.Note(GAP);
                m_repeats.Push(expiry.chunk);
            }
            m_expiries.Pop();
        }
    }

    /** Complete messages whose chunks are all here. @param out actions */
    template <class Out>
    void Finish(Out& out)
    {
        std::vector<messaging::RequestId> finished;
        for (Outgoing& message : m_messages)
        {
            if (message.open == 0 && !message.isFinished)
            {
                message.isFinished = true;
                finished.push_back(message.request.id);
            }
        }
        while (!m_messages.empty() && m_messages.front().isFinished)
        {
            m_messages.pop_front();
            ++m_first;
        }
        if (m_current < m_first)
        {
            m_current = m_first;
            m_position = 0;
        }
        for (const messaging::RequestId id : finished)
        {
            out.Complete(id, messaging::Completion::DELIVERED);
        }
    }

    /** Handle the timeout of chunks. @param out actions */
    template <class Out>
    void OnTimeout(Out& out)
    {
        while (!m_expiries.IsEmpty())
        {
            const Expiry& expiry = m_expiries.Front();
            const bool isHere = IsHere(expiry.chunk);
            if (!isHere && expiry.serial != m_armedSerial && expiry.deadline > out.Now())
            {
                return;
            }
            if (!isHere)
            {
                out.Note(TIMEOUT);
                m_repeats.Push(expiry.chunk);
                // Chunks that were sent with one timeout double it once.
                const bool isFirst = expiry.doublings == m_doublings;
                m_doublings += isFirst && m_doublings < m_config->doublings ? 1 : 0;
            }
            m_expiries.Pop();
        }
    }

    /** @return number of the first message with a submessage without an answer. */
    std::optional<uint64_t> FindUnconfirmed() const
    {
        for (std::size_t i = 0; i < m_messages.size(); ++i)
        {
            const auto& parts = m_messages[i].parts;
            if (std::ranges::any_of(parts, [&](const Part& part) { return IsUnconfirmed(part); }))
            {
                return m_first + i;
            }
        }
        return std::nullopt;
    }

    /**
     * Make a frame of a message.
     * @param number number of the message
     * @param kind kind
     * @param index index of the packet
     * @return the frame, without payload and contents
     */
    Frame MakeFrame(uint64_t number, Kind kind, uint32_t index)
    {
        const messaging::Request& request = GetMessage(number).request;
        Frame frame{.id = Address{m_numbers.Wrap(number), index}.Pack(),
                    .aux = request.bytes,
                    .header = DATA_HEADER,
                    .kind = kind,
                    .flags = request.flags};
        if (kind == PROBE)
        {
            frame.words.push_back(number < m_current ? GetMessage(number).layout.GetEnd()
                                                     : m_position);
        }
        if (request.tag != 0)
        {
            frame.words.push_back(request.tag);
        }
        frame.header += static_cast<uint16_t>(WORD_BYTES * frame.words.size());
        return frame;
    }

    /** @param number number of a message @param kind DATA or REPEAT @param index index of a data
     * packet @return the packet. */
    Frame MakeData(uint64_t number, Kind kind, uint32_t index)
    {
        const Outgoing& message = GetMessage(number);
        Frame frame = MakeFrame(number, kind, index);
        frame.contents = message.request.contents;
        frame.payload = message.layout.GetPayload(index);
        return frame;
    }

    /** @param number number of a message @param place place of a parity packet @return the packet.
     */
    Frame MakeParity(uint64_t number, const Place& place)
    {
        const Outgoing& message = GetMessage(number);
        const Layout& layout = message.layout;
        const uint32_t data = layout.GetData(place.submessage);
        Frame frame = MakeFrame(number, PARITY, place.index);
        frame.payload = layout.GetPayload(layout.GetIndex(place.submessage, 0, place.packet));
        if (data == 1)
        {
            frame.contents = message.request.contents;
            return frame;
        }
        const ErasureCode code(m_config->scheme, data, layout.GetParity(place.submessage));
        for (uint32_t chunk = 0; chunk < data; ++chunk)
        {
            const uint8_t factor = code.GetFactor(place.chunk - data, chunk);
            if (factor == 0 || place.packet >= layout.GetChunkPackets(place.submessage, chunk))
            {
                continue;
            }
            const uint32_t index = layout.GetIndex(place.submessage, chunk, place.packet);
            const uint64_t word = GetWord(message.request.contents, index);
            frame.contents ^= Galois::MultiplyWord(factor, word);
        }
        return frame;
    }

    /**
     * Send the probe, if there is one.
     * @param to its receiver
     * @param paths chooses a path
     * @param out actions
     * @return false if the port is busy
     */
    template <class Paths, class Out>
    bool SendProbe(Peer to, Paths& paths, Out& out)
    {
        if (m_probe && *m_probe >= m_first)
        {
            Frame frame = MakeFrame(*m_probe, PROBE, 0);
            frame.path = paths.Choose(out);
            if (!out.Send(to, frame))
            {
                return false;
            }
            Progress(out.Now());
        }
        m_probe.reset();
        return true;
    }

    /**
     * Send lost chunks again.
     * @param to their receiver
     * @param paths chooses a path
     * @param out actions
     * @return false if the port is busy
     */
    template <class Paths, class Out>
    bool SendRepeats(Peer to, Paths& paths, Out& out)
    {
        while (!m_repeats.IsEmpty())
        {
            const Chunk chunk = m_repeats.Front();
            if (!IsHere(chunk))
            {
                const uint32_t index = chunk.index * m_config->chunkPackets + m_repeatPacket;
                Frame frame = MakeData(chunk.number, REPEAT, index);
                frame.path = paths.Choose(out);
                if (!out.Send(to, frame))
                {
                    return false;
                }
                out.Note(REPEATED);
                ++m_repeatPacket;
                const Layout& layout = GetMessage(chunk.number).layout;
                const Place place = layout.GetDataPlace(index);
                if (m_repeatPacket < layout.GetChunkPackets(place.submessage, place.chunk))
                {
                    continue;
                }
                Await(chunk, out);
            }
            m_repeats.Pop();
            m_repeatPacket = 0;
        }
        return true;
    }

    /** Begin the timeout of a chunk. @param chunk the chunk @param out actions */
    template <class Out>
    void Await(const Chunk& chunk, Out& out)
    {
        ++m_serial;
        const Ticks deadline = out.Now() + (m_config->timeout << m_doublings);
        m_expiries.Push({chunk, m_last, m_serial, deadline, m_doublings});
    }

    /**
     * Send new packets.
     * @param to their receiver
     * @param paths chooses a path
     * @param out actions
     */
    template <class Paths, class Out>
    void SendNew(Peer to, Paths& paths, Out& out)
    {
        while (m_current < m_first + m_messages.size())
        {
            Outgoing& message = GetMessage(m_current);
            const Layout& layout = message.layout;
            if (message.open == 0 || m_position == layout.GetEnd())
            {
                ++m_current;
                m_position = 0;
                continue;
            }
            const Place place = layout.GetPlace(m_position);
            Part& part = message.parts[place.submessage];
            if (part.open == 0)
            {
                m_position =
                    layout.GetPosition(place.submessage) + layout.GetAllPackets(place.submessage);
                continue;
            }
            if (m_inFlight >= m_config->window)
            {
                return;
            }
            Frame frame = place.isParity ? MakeParity(m_current, place)
                                         : MakeData(m_current, DATA, place.index);
            frame.path = paths.Choose(out);
            if (!out.Send(to, frame))
            {
                return;
            }
            m_unconfirmed += HasParity() && part.sent == 0 ? 1 : 0;
            ++part.sent;
            ++m_inFlight;
            ++m_position;
            Progress(out.Now());
            const bool endsChunk =
                place.packet + 1 == layout.GetChunkPackets(place.submessage, place.chunk);
            if (endsChunk && !HasParity())
            {
                const Chunk chunk{m_current, place.submessage};
                m_last = chunk.GetKey();
                Await(chunk, out);
            }
        }
    }

    /** Arm the timers that are needed. @param to the peer @param out actions */
    template <class Out>
    void ArmTimers(Peer to, Out& out)
    {
        const Ticks now = out.Now();
        while (!m_expiries.IsEmpty() && IsHere(m_expiries.Front().chunk))
        {
            m_expiries.Pop();
        }
        if (!m_isArmed && !m_expiries.IsEmpty())
        {
            const Expiry& expiry = m_expiries.Front();
            m_isArmed = true;
            m_armedSerial = expiry.serial;
            out.Arm(messaging::GetFlowTimer(to, CHUNK), std::max(expiry.deadline, now + 1) - now);
        }
        // A probe that the port has not taken yet is sent before the guard counts again.
        if (!m_isGuarded && !m_probe && m_unconfirmed > 0)
        {
            const Ticks deadline = m_since + m_config->timeout + m_config->slack;
            m_isGuarded = true;
            m_hasProgress = false;
            out.Arm(messaging::GetFlowTimer(to, GUARD), std::max(deadline, now + 1) - now);
        }
    }

    std::shared_ptr<const Config> m_config; ///< Parameters.
    messaging::SequenceSpace m_numbers;     ///< Numbers in frames.
    std::deque<Outgoing> m_messages;        ///< Messages from the first open one on.
    messaging::Fifo<Chunk> m_repeats;       ///< Lost chunks, to be sent again.
    messaging::Fifo<Expiry> m_expiries;     ///< Timeouts of chunks, in the order of transmission.
    std::optional<uint64_t> m_probe;        ///< Message for which a probe is owed.
    uint64_t m_first;                       ///< Number of the first message.
    uint64_t m_current;                     ///< Number of the message that is being sent.
    uint64_t m_last{0};                     ///< Key of the last new chunk.
    uint64_t m_gap{0};                      ///< Key of the last new chunk that is here.
    uint64_t m_serial{0};                   ///< Number of the last transmission of a chunk.
    uint64_t m_armedSerial{0};              ///< Transmission for which the timer is armed.
    Ticks m_since{0};                       ///< Time from which the guard counts [ticks].
    uint32_t m_position{0};                 ///< Next position of the current message.
    uint32_t m_repeatPacket{0};             ///< Next packet of the first lost chunk.
    uint32_t m_inFlight{0};                 ///< Packets of submessages that are not here.
    uint32_t m_unconfirmed{0};              ///< Submessages with parity without an answer.
    uint32_t m_doublings{0};                ///< Doublings of the timeout since a chunk was new.
    bool m_isArmed{false};                  ///< The timer of chunks is armed.
    bool m_isGuarded{false};                ///< The guard is armed.
    bool m_hasProgress{false};              ///< Progress since the guard was armed.
};

} // namespace sdr
} // namespace ns3

#endif // SDR_SENDER_H
