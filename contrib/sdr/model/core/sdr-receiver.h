/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SDR_RECEIVER_H
#define SDR_RECEIVER_H

#include "sdr-erasure-code.h"
#include "sdr-layout.h"
#include "sdr-packet.h"

#include "ns3/messaging-core.h"
#include "ns3/messaging-fifo.h"
#include "ns3/messaging-flow-core.h"
#include "ns3/messaging-index-ranges.h"
#include "ns3/messaging-sequence-space.h"
#include "ns3/messaging-spread-bits.h"
#include "ns3/messaging-word-bits.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup sdr
 * The receiving end of a flow: bitmaps of packets and chunks, decoder, and answers.
 */

namespace ns3
{
namespace sdr
{

/**
 * @ingroup sdr
 * The receiving end of a flow.
 *
 * @verbatim
      a submessage with parity                      FTO: all first packets are overdue
                         recoverable
      +-----------+ ------------------> +------+    +----------+
      | receiving |                     | here |    |  failed  |
      +-----------+ ---- FTO, NACK ---> +------+    +----------+
            |                              ^             |
            +------------------------------|-------------^
                                           +-- all data chunks are here (or recoverable,
                                               unless it is sent from scratch)
   @endverbatim
 *
 * A bit of a chunk is reported when its submessage is here, or has failed and the chunk is here.
 * With selective repeat, each chunk is a submessage without parity.
 */
class Receiver
{
  public:
    /** Index of the first timer: each message in flight has its own. */
    static constexpr uint32_t FIRST_TIMER = 2;

    /** @param config parameters */
    explicit Receiver(std::shared_ptr<const Config> config)
        : m_config(std::move(config)),
          m_numbers(m_config->modulus),
          m_first(m_config->modulus)
    {
    }

    /** @return number of the first message that is not here. */
    uint64_t GetFirst() const
    {
        return m_first;
    }

    /**
     * Receive a packet or a probe. One that no sender makes is ignored.
     * @param from its sender
     * @param frame the packet
     * @param out actions
     */
    template <class Out>
    void OnPacket(Peer from, const Frame& frame, Out& out)
    {
        if (frame.aux > m_config->GetLargestMessage() || (frame.kind == PARITY && !HasParity()))
        {
            return;
        }
        const Address address = Address::Unpack(frame.id);
        const uint64_t number = m_numbers.Unwrap(address.number, m_first - m_config->GetPast());
        const Layout layout(frame.aux, *m_config);
        const Place place = frame.kind == PARITY ? layout.GetParityPlace(address.index)
                                                 : layout.GetDataPlace(address.index);
        if (number >= m_first + m_config->requests || !layout.Has(place))
        {
            return;
        }
        if (number < m_first)
        {
            OnOldPacket(frame, layout, place, out);
            return;
        }
        const auto at = m_messages.try_emplace(number, layout, frame).first;
        Incoming& message = at->second;
        if (message.bytes != frame.aux)
        {
            return;
        }
        if (frame.kind == PROBE)
        {
            OnProbe(number, message, frame);
            return;
        }
        if (HasParity() && frame.kind != REPEAT && !message.isDone)
        {
            AwaitRest(from, number, message, place, out);
        }
        AddPacket(number, message, frame, place, out);
        if (message.isDone || message.complete < layout.GetSubmessages())
        {
            return;
        }
        message.isDone = true;
        const messaging::Delivery delivery = GetDelivery(number, from, message);
        Advance();
        out.Deliver(delivery);
    }

    /**
     * Handle the fallback timeout of a message.
     * @param from its sender
     * @param slot the message's number modulo the messages in flight
     * @param out actions
     */
    template <class Out>
    void OnTimer(Peer from, uint32_t slot, Out& out)
    {
        const uint64_t count = m_config->requests;
        const uint64_t number = m_first + (slot + count - m_first % count) % count;
        const auto at = m_messages.find(number);
        if (slot >= count || at == m_messages.end() || !at->second.isArmed || at->second.isDone)
        {
            return;
        }
        Incoming& message = at->second;
        message.isArmed = false;
        if (message.hasNews && message.deadline > out.Now())
        {
            Arm(from, number, message, out);
            return;
        }
        out.Note(FALLBACK);
        const uint32_t all = message.layout.GetSubmessages();
        const bool mayStall = message.layout.GetEnd() > m_config->window;
        const uint32_t last = message.layout.GetPlace(message.position - 1).submessage;
        Fail(number, message, mayStall ? last + 1 : all);
    }

    /**
     * Send the answers that are owed.
     * @param to their receiver
     * @param paths chooses a path
     * @param out actions
     * @return false if the port is busy
     */
    template <class Paths, class Out>
    bool SendAnswers(Peer to, Paths& paths, Out& out)
    {
        while (!m_owed.IsEmpty())
        {
            Owed& owed = m_owed[0];
            auto answer = owed.isNack ? MakeNack(owed) : MakeAck(owed);
            if (answer)
            {
                answer->path = paths.Choose(out);
                if (!out.Send(to, *answer))
                {
                    return false;
                }
            }
            if (answer && owed.isNack)
            {
                owed.chunk = Address::Unpack(answer->id).index + GetSpan();
            }
            else
            {
                m_owed.Pop();
            }
        }
        return true;
    }

    /** Append the state, without times. @param encoder where */
    void Encode(messaging::Encoder& encoder) const
    {
        encoder.Put(m_first, "first open message");
        encoder.Put(m_messages.size(), "incoming messages");
        for (const auto& [number, message] : m_messages)
        {
            encoder.Put(number, "message");
            message.Encode(encoder);
        }
        encoder.Put(m_owed.GetN(), "answers");
        for (const Owed& owed : m_owed)
        {
            encoder.Put(owed.number, "of message");
            encoder.Put(owed.chunk, "chunk");
            encoder.Put(owed.isNack, "NACK");
        }
    }

  private:
    /** A submessage that is not here. */
    struct Submessage
    {
        /** Append the state: packets and words that are not zero. @param encoder where */
        void Encode(messaging::Encoder& encoder) const
        {
            encoder.Put(data, "data chunks");
            encoder.Put(parity, "parity chunks");
            for (std::size_t chunk = 0; chunk < packets.size(); ++chunk)
            {
                if (packets[chunk] != 0)
                {
                    encoder.Put(chunk, "chunk");
                    encoder.Put(packets[chunk], "packets");
                }
            }
            for (const uint64_t word : words)
            {
                if (word != 0)
                {
                    encoder.Put(word, "word");
                }
            }
        }

        std::vector<uint64_t> packets; ///< Masks of packets, by chunk.
        std::vector<uint64_t> words;   ///< Words of packets, by chunk, if there is parity.
        uint64_t data{0};              ///< Mask of data chunks that are here.
        uint64_t parity{0};            ///< Mask of parity chunks that are here.
    };

    /** A message that arrives. */
    struct Incoming
    {
        /** @param division its layout @param frame a frame of it */
        Incoming(const Layout& division, const Frame& frame)
            : layout(division),
              bytes(frame.aux),
              flags(frame.flags)
        {
            const uint32_t tagAt = frame.kind == PROBE ? 1 : 0;
            tag = frame.words.size() > tagAt ? frame.words[tagAt] : 0;
        }

        /** Append the state. @param encoder where */
        void Encode(messaging::Encoder& encoder) const
        {
            encoder.Put(bytes, "bytes");
            encoder.Put(tag, "tag");
            encoder.Put(flags, "flags");
            for (const auto& [first, end] : here.Get())
            {
                encoder.Put(first, "here from");
                encoder.Put(end, "to");
            }
            encoder.Put(open.size(), "open submessages");
            for (const auto& [index, submessage] : open)
            {
                encoder.Put(index, "submessage");
                submessage.Encode(encoder);
            }
            if (isKnown)
            {
                encoder.PutContents(contents);
            }
            encoder.Put(failedBelow, "failed below");
            encoder.Put(position, "position");
            encoder.Put(isDamaged, "damaged");
            encoder.Put(isDone, "done");
            encoder.Put(isArmed, "FTO");
            encoder.Put(hasNews, "FTO is restarted");
        }

        Layout layout;                       ///< Its layout.
        messaging::IndexRanges here;         ///< Submessages that are here.
        std::map<uint32_t, Submessage> open; ///< Those of which a part is here.
        uint64_t contents{0};                ///< Contents of its first packet.
        Ticks deadline{0};                   ///< Time of the FTO [ticks].
        uint32_t bytes;                      ///< Its size [bytes].
        uint32_t tag{0};                     ///< Its tag.
        uint32_t complete{0};                ///< Number of submessages that are here.
        uint32_t failedBelow{0};             ///< Those before that are not here have failed.
        uint32_t position{0};                ///< Position after the last one that has arrived.
        uint8_t flags;                       ///< Its flags.
        bool isKnown{false};                 ///< The contents are known.
        bool isDamaged{false};               ///< Contents of packets differ.
        bool isDone{false};                  ///< It is here.
        bool isArmed{false};                 ///< Its FTO is armed.
        bool hasNews{false};                 ///< The FTO is later than it was armed for.
    };

    /** An answer that is owed. */
    struct Owed
    {
        uint64_t number{0}; ///< Number of the message.
        uint32_t chunk{0};  ///< Chunk to acknowledge, or from which on to look for failed ones.
        bool isNack{false}; ///< It is a NACK.
    };

    /** @return true if submessages have parity. */
    bool HasParity() const
    {
        return m_config->parity > 0;
    }

    /** @return chunks whose bits an answer has; for a NACK, whole submessages. */
    uint32_t GetSpan() const
    {
        const uint32_t bits = m_config->ackWords * messaging::WORD_BITS;
        return bits / m_config->data * m_config->data;
    }

    /** @param message a message @param submessage its index @return true if it is sent by selective
     * repeat. */
    bool IsRepeated(const Incoming& message, uint32_t submessage) const
    {
        return !HasParity() || submessage < message.failedBelow;
    }

    /** @param message a message @param submessage its index @return true if parity counts for it.
     */
    bool Decodes(const Incoming& message, uint32_t submessage) const
    {
        return HasParity() && !(m_config->whole && submessage < message.failedBelow);
    }

    /** @param layout a layout @param frame a packet @param place its place @return true if it is
     * the last packet of a chunk that is sent again. */
    static bool EndsRepeat(const Layout& layout, const Frame& frame, const Place& place)
    {
        return frame.kind == REPEAT &&
               place.packet + 1 == layout.GetChunkPackets(place.submessage, place.chunk);
    }

    /** @param frame a packet of a submessage that is here @return true if its payload was here
     * before. A first transmission may be late, if the submessage was recovered without it. */
    bool IsCopy(const Frame& frame) const
    {
        return frame.kind == REPEAT || (frame.kind == DATA && !HasParity());
    }

    /**
     * Receive a packet of a message that is here.
     * @param frame the packet
     * @param layout the layout of its message
     * @param place its place
     * @param out actions
     */
    template <class Out>
    void OnOldPacket(const Frame& frame, const Layout& layout, const Place& place, Out& out)
    {
        if (IsCopy(frame))
        {
            out.Note(DUPLICATE);
        }
        if (frame.kind == PROBE || EndsRepeat(layout, frame, place))
        {
            Owe({.number = m_first - 1});
        }
    }

    /** Answer a probe. @param number number of the message @param message the message @param frame
     * the probe */
    void OnProbe(uint64_t number, Incoming& message, const Frame& frame)
    {
        if (message.isDone)
        {
            Owe({.number = number});
            return;
        }
        if (frame.words.empty() || !HasParity())
        {
            return;
        }
        uint32_t below = message.layout.GetSubmessages();
        if (frame.words[0] < message.layout.GetEnd())
        {
            below = frame.words[0] / m_config->GetSubmessagePackets();
        }
        Fail(number, message, below);
    }

    /**
     * Wait for the packets after a first transmission.
     * @param from its sender
     * @param number number of the message
     * @param message the message
     * @param place the packet
     * @param out actions
     */
    template <class Out>
    void AwaitRest(Peer from, uint64_t number, Incoming& message, const Place& place, Out& out)
    {
        const uint32_t position = message.layout.GetPosition(place) + 1;
        if (position <= message.position)
        {
            return;
        }
        message.position = position;
        const Ticks rest = (message.layout.GetEnd() - position) * m_config->packetTime;
        message.deadline = out.Now() + rest + m_config->slack;
        message.hasNews = true;
        if (!message.isArmed)
        {
            Arm(from, number, message, out);
        }
    }

    /** Arm the FTO of a message. @param from its sender @param number its number @param message the
     * message @param out actions */
    template <class Out>
    void Arm(Peer from, uint64_t number, Incoming& message, Out& out)
    {
        message.isArmed = true;
        message.hasNews = false;
        const auto slot = static_cast<uint32_t>(number % m_config->requests);
        out.Arm(messaging::GetFlowTimer(from, FIRST_TIMER + slot), message.deadline - out.Now());
    }

    /**
     * Give up the decoding of submessages, and owe a NACK of all that have failed, or an ACK if
     * none has.
     * @param number number of the message
     * @param message the message
     * @param below submessages before this one have failed, unless they are here
     */
    void Fail(uint64_t number, Incoming& message, uint32_t below)
    {
        if (m_config->whole && below > message.failedBelow)
        {
            message.open.erase(message.open.lower_bound(message.failedBelow),
                               message.open.lower_bound(below));
        }
        message.failedBelow = std::max(message.failedBelow, below);
        Owe({.number = number, .isNack = FindEnd(message, 0) < message.failedBelow});
    }

    /**
     * Place a packet.
     * @param number number of the message
     * @param message the message
     * @param frame the packet
     * @param place its place
     * @param out actions
     */
    template <class Out>
    void AddPacket(uint64_t number,
                   Incoming& message,
                   const Frame& frame,
                   const Place& place,
                   Out& out)
    {
        const Layout& layout = message.layout;
        const uint32_t chunk = place.submessage * m_config->data + place.chunk;
        const bool endsRepeat = EndsRepeat(layout, frame, place);
        if (IsHere(message, place.submessage))
        {
            if (IsCopy(frame))
            {
                out.Note(DUPLICATE);
            }
            if (endsRepeat)
            {
                Owe({number, chunk});
            }
            return;
        }
        if (place.isParity && !Decodes(message, place.submessage))
        {
            return;
        }
        Submessage& submessage = GetOpen(message, place.submessage);
        uint64_t& packets = submessage.packets[place.chunk];
        const uint64_t bit = uint64_t{1} << place.packet;
        if (packets & bit)
        {
            out.Note(DUPLICATE);
        }
        else
        {
            packets |= bit;
            KeepWord(message, submessage, frame, place);
        }
        const bool isWhole = static_cast<uint32_t>(std::popcount(packets)) ==
                             layout.GetChunkPackets(place.submessage, place.chunk);
        if (!isWhole)
        {
            return;
        }
        const uint32_t data = layout.GetData(place.submessage);
        uint64_t& mask = place.isParity ? submessage.parity : submessage.data;
        const uint64_t chunkBit = uint64_t{1}
                                  << (place.isParity ? place.chunk - data : place.chunk);
        const bool isNew = (mask & chunkBit) == 0;
        mask |= chunkBit;
        if (isNew && Complete(message, place.submessage, submessage, out))
        {
            Owe({number, chunk});
        }
        else if (IsRepeated(message, place.submessage) && !place.isParity && (isNew || endsRepeat))
        {
            Owe({number, chunk});
        }
    }

    /** @param message a message @param submessage its index @return the submessage, which is not
     * here. */
    Submessage& GetOpen(Incoming& message, uint32_t submessage)
    {
        Submessage& open = message.open[submessage];
        if (open.packets.empty())
        {
            const Layout& layout = message.layout;
            open.packets.resize(layout.GetData(submessage) + layout.GetParity(submessage));
            open.words.resize(HasParity() ? open.packets.size() * m_config->chunkPackets : 0);
        }
        return open;
    }

    /**
     * Keep the word of a packet, and compare the contents of a data packet.
     * @param message the message
     * @param submessage the submessage
     * @param frame the packet
     * @param place its place
     */
    void KeepWord(Incoming& message,
                  Submessage& submessage,
                  const Frame& frame,
                  const Place& place) const
    {
        uint64_t word = frame.contents;
        if (!place.isParity)
        {
            AddContents(message, frame.contents);
            word = GetWord(frame.contents, place.index);
        }
        else if (message.layout.GetData(place.submessage) == 1)
        {
            word =
                GetWord(frame.contents, message.layout.GetIndex(place.submessage, 0, place.packet));
        }
        if (HasParity())
        {
            submessage.words[place.chunk * m_config->chunkPackets + place.packet] = word;
        }
    }

    /** Compare contents with those of other packets. @param message the message @param contents
     * contents of a packet */
    static void AddContents(Incoming& message, uint64_t contents)
    {
        if (!message.isKnown)
        {
            message.isKnown = true;
            message.contents = contents;
        }
        message.isDamaged |= message.contents != contents;
    }

    /**
     * Complete a submessage, if all of its data is here or can be recovered.
     * @param message the message
     * @param index its index
     * @param submessage the submessage, invalid afterwards if it is here
     * @param out actions
     * @return true if it is here
     */
    template <class Out>
    bool Complete(Incoming& message, uint32_t index, Submessage& submessage, Out& out)
    {
        const uint32_t data = message.layout.GetData(index);
        const bool isWhole = static_cast<uint32_t>(std::popcount(submessage.data)) == data;
        if (!isWhole)
        {
            if (!Decodes(message, index))
            {
                return false;
            }
            const ErasureCode code(m_config->scheme, data, message.layout.GetParity(index));
            if (!code.IsRecoverable(submessage.data, submessage.parity))
            {
                return false;
            }
            Recover(message, index, submessage, code, out);
        }
        message.open.erase(index);
        message.here.Add(index);
        ++message.complete;
        return true;
    }

    /**
     * Recover the missing chunks of a submessage.
     * @param message the message
     * @param index index of the submessage
     * @param submessage the submessage
     * @param code its code
     * @param out actions
     */
    template <class Out>
    void Recover(Incoming& message,
                 uint32_t index,
                 const Submessage& submessage,
                 const ErasureCode& code,
                 Out& out) const
    {
        const Layout& layout = message.layout;
        const uint32_t data = layout.GetData(index);
        const std::size_t chunks = submessage.packets.size();
        for (uint32_t packet = 0; packet < layout.GetChunkPackets(index, 0); ++packet)
        {
            uint64_t present = submessage.data;
            std::vector<uint64_t> words(chunks);
            for (uint32_t chunk = 0; chunk < chunks; ++chunk)
            {
                words[chunk] = submessage.words[chunk * m_config->chunkPackets + packet];
                if (packet >= layout.GetChunkPackets(index, chunk))
                {
                    words[chunk] = 0; // The last chunk is shorter: zeros take its place.
                    present |= uint64_t{1} << chunk;
                }
            }
            code.Recover(present, submessage.parity, words);
            for (uint32_t chunk = 0; chunk < data; ++chunk)
            {
                if ((present >> chunk & 1) == 0)
                {
                    const uint32_t place = layout.GetIndex(index, chunk, packet);
                    AddContents(message, GetContents(words[chunk], place));
                }
            }
        }
        const auto missing = data - static_cast<uint32_t>(std::popcount(submessage.data));
        for (uint32_t chunk = 0; chunk < missing; ++chunk)
        {
            out.Note(RECOVERED);
        }
    }

    /** @param message a message @param submessage an index @return true if the submessage is here.
     */
    static bool IsHere(const Incoming& message, uint32_t submessage)
    {
        return FindEnd(message, submessage) > submessage;
    }

    /** @param message a message @param submessage an index @return the first submessage from it on
     * that is not here. */
    static uint32_t FindEnd(const Incoming& message, uint32_t submessage)
    {
        const auto& ranges = message.here.Get();
        const auto range =
            std::ranges::upper_bound(ranges, submessage, {}, &messaging::IndexRanges::Range::end);
        const bool isHere = range != ranges.end() && range->first <= submessage;
        return isHere ? range->end : submessage;
    }

    /** @param number number of a message @param from its sender @param message the message @return
     * its delivery. Packets with different contents make a message with damaged contents. */
    static messaging::Delivery GetDelivery(uint64_t number, Peer from, const Incoming& message)
    {
        return {.id = number,
                .contents =
                    message.isDamaged ? messaging::SpreadBits(~message.contents) : message.contents,
                .from = from,
                .bytes = message.bytes,
                .tag = message.tag,
                .flags = message.flags};
    }

    /** Forget the messages that are here, up to the first that is not. */
    void Advance()
    {
        for (auto at = m_messages.begin();
             at != m_messages.end() && at->first == m_first && at->second.isDone;
             at = m_messages.erase(at))
        {
            ++m_first;
        }
    }

    /** Owe an answer; it replaces one of the same kind for the message. @param owed the answer */
    void Owe(const Owed& owed)
    {
        for (std::size_t i = 0; i < m_owed.GetN(); ++i)
        {
            if (m_owed[i].number == owed.number && m_owed[i].isNack == owed.isNack)
            {
                m_owed[i].chunk = owed.isNack ? 0 : std::max(m_owed[i].chunk, owed.chunk);
                return;
            }
        }
        m_owed.Push(owed);
    }

    /** @param number number of a message @param base first chunk of the bitmap @param kind ACK or
     * NACK @param below first word @return an answer without bits. */
    Frame MakeAnswer(uint64_t number, uint32_t base, Kind kind, uint32_t below) const
    {
        return {.id = Address{m_numbers.Wrap(number), base}.Pack(),
                .words = {below},
                .aux = static_cast<uint32_t>(m_numbers.Wrap(m_first)),
                .kind = kind};
    }

    /** @param owed an answer @return the acknowledgement. */
    std::optional<Frame> MakeAck(const Owed& owed) const
    {
        const auto at = m_messages.find(owed.number);
        if (at == m_messages.end())
        {
            Frame frame = MakeAnswer(owed.number, 0, ACK, 0);
            frame.header = ANSWER_HEADER + WORD_BYTES;
            return frame;
        }
        const Incoming& message = at->second;
        const uint32_t chunks = message.layout.GetChunks();
        const uint32_t below = std::min(FindEnd(message, 0) * m_config->data, chunks);
        uint32_t base = below;
        if (owed.chunk >= base + GetSpan())
        {
            base = owed.chunk + 1 - GetSpan();
        }
        Frame frame = MakeAnswer(owed.number, base, ACK, below);
        PutBits(frame, message, base, chunks);
        return frame;
    }

    /** @param owed an answer @return the NACK of failed submessages from its chunk on; none if
     * there are none. */
    std::optional<Frame> MakeNack(const Owed& owed) const
    {
        const auto at = m_messages.find(owed.number);
        if (at == m_messages.end())
        {
            return std::nullopt;
        }
        const Incoming& message = at->second;
        const uint32_t first = FindEnd(message, owed.chunk / m_config->data);
        if (first >= message.failedBelow)
        {
            return std::nullopt;
        }
        const uint32_t chunks = message.layout.GetChunks();
        const uint32_t end = std::min(message.failedBelow * m_config->data, chunks);
        const uint32_t base = first * m_config->data;
        Frame frame = MakeAnswer(owed.number, base, NACK, end);
        PutBits(frame, message, base, end);
        return frame;
    }

    /**
     * Put the bits of chunks into an answer, and set its header.
     * @param frame the answer
     * @param message the message
     * @param base chunk of the first bit
     * @param end chunk after the last one
     */
    void PutBits(Frame& frame, const Incoming& message, uint32_t base, uint32_t end) const
    {
        const uint32_t limit = std::min(end, base + GetSpan());
        const auto put = [&](uint32_t first, uint32_t last) {
            for (uint32_t chunk = std::max(first, base); chunk < std::min(last, limit); ++chunk)
            {
                messaging::SetWordBit(frame.words, messaging::WORD_BITS + chunk - base);
            }
        };
        const uint32_t data = m_config->data;
        const auto& ranges = message.here.Get();
        for (auto range = std::ranges::upper_bound(ranges,
                                                   base / data,
                                                   {},
                                                   &messaging::IndexRanges::Range::end);
             range != ranges.end() && range->first * data < limit;
             ++range)
        {
            put(range->first * data, range->end * data);
        }
        for (auto open = message.open.lower_bound(base / data);
             open != message.open.end() && open->first * data < limit;
             ++open)
        {
            for (uint32_t chunk = 0; chunk < data && IsRepeated(message, open->first); ++chunk)
            {
                if ((open->second.data >> chunk & 1) != 0)
                {
                    put(open->first * data + chunk, open->first * data + chunk + 1);
                }
            }
        }
        frame.header = static_cast<uint16_t>(ANSWER_HEADER + WORD_BYTES * frame.words.size());
    }

    std::shared_ptr<const Config> m_config;  ///< Parameters.
    messaging::SequenceSpace m_numbers;      ///< Numbers in frames.
    std::map<uint64_t, Incoming> m_messages; ///< Messages from the first open one on, by number.
    messaging::Fifo<Owed> m_owed;            ///< Answers that are owed.
    uint64_t m_first;                        ///< Number of the first message that is not here.
};

} // namespace sdr
} // namespace ns3

#endif // SDR_RECEIVER_H
