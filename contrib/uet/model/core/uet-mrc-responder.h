/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef UET_MRC_RESPONDER_H
#define UET_MRC_RESPONDER_H

#include "uet-arrivals.h"
#include "uet-mrc-packet.h"

#include "ns3/messaging-encoder.h"
#include "ns3/messaging-sequence-space.h"
#include "ns3/roce-packet-bitmap.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

/**
 * @file
 * @ingroup uet
 * Responder of MRC: the end of a queue pair that receives.
 */

namespace ns3
{
namespace uet
{
namespace mrc
{

/**
 * @ingroup uet
 * Responder of MRC: places packets as they come, and completes messages in order.
 *
 * @verbatim
     packet                            reaction, in this order
     earlier, or arrived               SACK again
     beyond the window (MPR)           NACK PSN_OOR_WINDOW
     of a message beyond those that    NACK UNEXP_EVENT
       may be in flight
     otherwise                         placed; SACK by the rules of coalescing

     PSN       next                                      next + MPR
      arrived .. |  0 1 1 0 1 ...  (bits of the SACK)        |  beyond

     MSN       next
      completed  | 1 of 3 packets | 2 of 2 | ...    a message completes when it is the next one, and
                                                    all its packets are here
   @endverbatim
 */
class Responder
{
  public:
    /** Reaction to a packet. */
    struct Reaction
    {
        NackCode code{NO_NACK};     ///< Code of a NACK.
        bool isAcknowledged{false}; ///< A SACK is sent.
        bool isAccepted{false};     ///< The packet is new, and is placed.
        bool isEarly{false};        ///< It came after a gap.
    };

    /** @param modulus count of different numbers in frames: the first PSN of a queue pair */
    explicit Responder(uint32_t modulus)
        : m_arrivals(modulus),
          m_message(modulus)
    {
    }

    /** @return PSN of the next packet in order. */
    uint64_t GetNext() const
    {
        return m_arrivals.GetNext();
    }

    /**
     * Receive a packet.
     * @param config parameters
     * @param frame the packet
     * @return the reaction
     */
    Reaction OnPacket(const Config& config, const Frame& frame)
    {
        Reaction reaction;
        const uint64_t psn = Unwrap(config, GetLowNumber(frame), GetNext());
        if (m_arrivals.Has(psn))
        {
            reaction.isAcknowledged = true;
            return reaction;
        }
        const uint64_t msn = Unwrap(config, GetHighNumber(frame), m_message);
        const uint64_t slots = GetSlots(config);
        if (psn - GetNext() >= config.pair.window)
        {
            reaction.code = PSN_OOR_WINDOW;
            return reaction;
        }
        if (msn < m_message || msn - m_message >= slots)
        {
            reaction.code = UNEXP_EVENT;
            return reaction;
        }
        reaction.isAccepted = true;
        reaction.isEarly = psn > GetNext();
        reaction.isAcknowledged =
            m_arrivals.CountTowardsAck(psn, frame, HasFlag(frame, AR_FLAG), config.ackBytes);
        m_arrivals.Add(psn);
        m_messages.resize(slots);
        Place(m_messages[msn % slots], frame);
        return reaction;
    }

    /** @return the next message if it is complete: it leaves. */
    std::optional<messaging::Delivery> TakeMessage()
    {
        if (m_messages.empty())
        {
            return std::nullopt;
        }
        Message& message = m_messages[m_message % m_messages.size()];
        if (message.packets == 0 || message.packets != message.total)
        {
            return std::nullopt;
        }
        const messaging::Delivery delivery{.id = m_message,
                                           .contents = message.isDamaged ? ~message.contents
                                                                         : message.contents,
                                           .bytes = message.bytes,
                                           .tag = message.tag,
                                           .flags = message.flags};
        message = {};
        ++m_message;
        return delivery;
    }

    /**
     * Make a SACK.
     * @param config parameters
     * @param answered the packet that is answered; none for a probe
     * @return the SACK, with a bitmap if a packet has arrived after a gap
     */
    Frame MakeSack(const Config& config, const Frame* answered)
    {
        const messaging::SequenceSpace numbers(config.pair.modulus);
        const uint32_t psn = answered ? GetLowNumber(*answered) : 0;
        const uint64_t trigger = answered ? Unwrap(config, psn, GetNext()) : GetNext();
        return {.id = PackNumbers(numbers.Wrap(GetNext()), psn),
                .words = m_arrivals.Acknowledge(trigger),
                .header = config.pair.ackHeader,
                .kind = SACK,
                .trafficClass = CONTROL_CLASS};
    }

    /** Append the state. @param encoder where */
    void Encode(messaging::Encoder& encoder) const
    {
        m_arrivals.Encode(encoder);
        encoder.Put(m_message, "next message");
        for (std::size_t i = 0; i < m_messages.size(); ++i)
        {
            const Message& message = m_messages[(m_message + i) % m_messages.size()];
            encoder.Put(message.packets, "packets");
            if (message.packets > 0)
            {
                encoder.PutContents(message.contents);
                encoder.Put(message.total, "packets of the message");
                encoder.Put(message.bytes, "bytes");
                encoder.Put(message.tag, "tag");
                encoder.Put(message.flags, "flags");
                encoder.Put(message.isDamaged, "damaged");
            }
        }
    }

  private:
    /** A message that is not complete. */
    struct Message
    {
        uint64_t contents{0};  ///< Contents of the packet that came first.
        uint32_t packets{0};   ///< Packets that have arrived.
        uint32_t total{0};     ///< Packets of the message; 0 if unknown.
        uint32_t bytes{0};     ///< Bytes that have arrived [bytes].
        uint32_t tag{0};       ///< Immediate data.
        uint8_t flags{0};      ///< Flags of the message.
        bool isDamaged{false}; ///< Contents of its packets differ.
    };

    /** @param config parameters @param wrapped a number in a frame @param middle a number at most
     * half of all numbers away @return the number. */
    static uint64_t Unwrap(const Config& config, uint64_t wrapped, uint64_t middle)
    {
        const messaging::SequenceSpace numbers(config.pair.modulus);
        return numbers.Unwrap(wrapped, middle - config.pair.modulus / 2);
    }

    /** @param config parameters @return most messages that can be incomplete: each has a packet in
     * the window. */
    static uint64_t GetSlots(const Config& config)
    {
        return std::min(config.immediates, config.pair.window);
    }

    /** Place a packet. @param message its message @param frame the packet */
    static void Place(Message& message, const Frame& frame)
    {
        const uint8_t kind = GetKind(frame);
        const bool isFirst = kind == roce::FIRST || kind == roce::ONLY;
        if (message.packets == 0)
        {
            message.contents = frame.contents;
        }
        message.isDamaged |= frame.contents != message.contents;
        message.bytes += frame.payload;
        ++message.packets;
        if (isFirst)
        {
            message.tag = frame.aux;
        }
        if (kind == roce::LAST || kind == roce::ONLY)
        {
            message.total = isFirst ? 1 : frame.aux + 1;
            message.flags = frame.flags;
        }
    }

    /** Arrivals of MRC. */
    using Arrivals = BasicArrivals<roce::BasicPacketBitmap<MOST_RANGE>>;

    Arrivals m_arrivals;             ///< Packets that have arrived.
    std::vector<Message> m_messages; ///< Incomplete messages, by MSN.
    uint64_t m_message;              ///< MSN of the next message.
};

} // namespace mrc
} // namespace uet
} // namespace ns3

#endif // UET_MRC_RESPONDER_H
