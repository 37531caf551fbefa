/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef UET_TARGET_H
#define UET_TARGET_H

#include "uet-arrivals.h"
#include "uet-packet.h"

#include "ns3/messaging-encoder.h"
#include "ns3/messaging-sequence-space.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

/**
 * @file
 * @ingroup uet
 * Target of a packet delivery context.
 */

namespace ns3
{
namespace uet
{

/**
 * @ingroup uet
 * Target of a packet delivery context (PDC): packets that have arrived, and messages that they
 * complete.
 *
 * @verbatim
     packet                                  reaction, in this order
     earlier, or arrived   retx flag         ACK again
                           no retx flag      none: the network has delayed it
     beyond the window                       NACK PSN_OOR_WINDOW; CLOSING after a CLOSE
     ROD, after a gap      the first one     NACK ROD_OOO with the expected PSN
                           further ones      none
     otherwise                               accepted; ACK by the rules of coalescing

     PSN       expected                                  expected + MP_RANGE
      arrived ... |  0 1 1 0 1 ...  (bits of the SACK)        |  beyond
   @endverbatim
 *
 * A guaranteed response is stored from the arrival of its packet until a CLEAR_PSN passes it, and
 * is in each ACK that answers the packet.
 *
 * A message is complete with its last missing packet. Its packets name its first PSN, by their
 * index, so that messages need neither a number nor an order.
 */
class Target
{
  public:
    /** Reaction to a packet. */
    struct Reaction
    {
        std::optional<messaging::Delivery> message{}; ///< Message that it completes.
        NackCode code{NO_NACK};                       ///< Code of a NACK.
        bool isAcknowledged{false};                   ///< An ACK is sent.
        bool isAccepted{false};                       ///< The packet is new, and is kept.
        bool isEarly{false};                          ///< It came after a gap.
    };

    /**
     * Construct.
     * @param start PSN of the first packet
     * @param pdc PDC number of the target
     */
    Target(uint64_t start, uint16_t pdc)
        : m_arrivals(start),
          m_start(start),
          m_pdc(pdc)
    {
    }

    /** @return the PDC number of the target. */
    uint16_t GetPdc() const
    {
        return m_pdc;
    }

    /** @return PSN of the first packet. */
    uint64_t GetStart() const
    {
        return m_start;
    }

    /** @return PSN of the next packet in order. */
    uint64_t GetExpected() const
    {
        return m_arrivals.GetNext();
    }

    /** @return true after a CLOSE. */
    bool IsClosed() const
    {
        return m_isClosed;
    }

    /**
     * Receive a packet.
     * @param config parameters
     * @param psn its PSN
     * @param frame the packet
     * @return the reaction
     */
    Reaction OnPacket(const Config& config, uint64_t psn, const Frame& frame)
    {
        Reaction reaction;
        Clear(config, frame);
        const bool isEarly = psn > GetExpected();
        if (m_arrivals.Has(psn))
        {
            reaction.isAcknowledged = HasFlag(frame, RETX_FLAG);
            return reaction;
        }
        if (m_isClosed || psn - GetExpected() >= config.pair.window)
        {
            reaction.code = m_isClosed ? CLOSING : PSN_OOR_WINDOW;
            return reaction;
        }
        reaction.isEarly = isEarly;
        if (isEarly && config.mode == Mode::ROD)
        {
            reaction.code = m_hasRefused ? NO_NACK : ROD_OUT_OF_ORDER;
            m_hasRefused = true;
            return reaction;
        }
        const bool isStored = config.IsGuaranteed() && GetKind(frame) != CLOSE;
        if (isStored && m_responses.size() >= config.responses)
        {
            reaction.code = NO_GTD_DEL;
            return reaction;
        }
        reaction.isAccepted = true;
        m_isMarked |= (frame.marks & messaging::MARK_CONGESTION) != 0;
        reaction.isAcknowledged =
            m_arrivals.CountTowardsAck(psn, frame, HasFlag(frame, AR_FLAG), config.ackBytes);
        if (isStored)
        {
            m_responses.push_back(psn);
            reaction.isAcknowledged = true;
        }
        m_hasRefused = false;
        m_arrivals.Add(psn);
        if (GetKind(frame) == CLOSE)
        {
            m_isClosed = true;
        }
        else
        {
            reaction.message = AddToMessage(config, psn, frame);
        }
        return reaction;
    }

    /**
     * Receive a trimmed packet of ROD: it is refused if it is the next one in order, or else counts
     * as any packet after a gap.
     * @param psn its PSN
     * @return code of a NACK; NO_NACK for none
     */
    NackCode OnTrimmedInOrder(uint64_t psn)
    {
        if (psn < GetExpected() || (psn > GetExpected() && m_hasRefused))
        {
            return NO_NACK;
        }
        m_hasRefused = true;
        return psn == GetExpected() ? TRIMMED : ROD_OUT_OF_ORDER;
    }

    /**
     * Make an ACK.
     * @param config parameters
     * @param psn the packet that is acknowledged
     * @param pdc PDC number of the initiator
     * @return the ACK, with a bitmap if a packet has arrived after a gap
     */
    Frame MakeAck(const Config& config, uint64_t psn, uint16_t pdc)
    {
        const messaging::SequenceSpace numbers(config.modulus);
        const Address address{static_cast<uint32_t>(numbers.Wrap(GetExpected())), m_pdc, pdc};
        Frame ack{.id = address.Pack(),
                  .words = m_arrivals.Acknowledge(psn),
                  .aux = static_cast<uint32_t>(numbers.Wrap(psn)),
                  .header = ACK_HEADER + RESPONSE_HEADER,
                  .kind = ACK};
        if (m_isMarked)
        {
            ack.kind |= ECHO_FLAG;
        }
        if (std::ranges::find(m_responses, psn) != m_responses.end())
        {
            ack.kind |= RESPONSE_FLAG;
        }
        m_isMarked = false;
        if (!ack.words.empty())
        {
            ack.header = ACK_CC_HEADER + RESPONSE_HEADER;
        }
        return ack;
    }

    /** Append the state. @param encoder where */
    void Encode(messaging::Encoder& encoder) const
    {
        encoder.Put(m_start, "first PSN");
        m_arrivals.Encode(encoder);
        encoder.Put(m_pdc, "PDC");
        encoder.Put(m_isMarked, "marked");
        encoder.Put(m_hasRefused, "gap is reported");
        encoder.Put(m_isClosed, "closed");
        encoder.Put(m_responses.size(), "responses");
        for (const uint64_t psn : m_responses)
        {
            encoder.Put(psn, "answered");
        }
        encoder.Put(m_messages.size(), "incomplete messages");
        for (const Message& message : m_messages)
        {
            encoder.Put(message.first, "first packet");
            encoder.PutContents(message.contents);
            encoder.Put(message.packets, "packets");
            encoder.Put(message.total, "packets of the message");
            encoder.Put(message.bytes, "bytes");
            encoder.Put(message.tag, "tag");
            encoder.Put(message.flags, "flags");
            encoder.Put(message.isDamaged, "damaged");
        }
    }

  private:
    /** A message of which packets are missing. */
    struct Message
    {
        uint64_t first{0};     ///< PSN of its first packet.
        uint64_t contents{0};  ///< Contents of the packet that came first.
        uint64_t packets{0};   ///< Packets that have arrived.
        uint64_t total{0};     ///< Packets of the message; 0 if unknown.
        uint32_t bytes{0};     ///< Bytes that have arrived [bytes].
        uint32_t tag{0};       ///< Tag, from the first packet.
        uint8_t flags{0};      ///< Flags, from the last packet.
        bool isDamaged{false}; ///< Contents of its packets differ.
    };

    /**
     * Remove the responses that the initiator has received: those before CLEAR_PSN.
     * @param config parameters
     * @param frame a packet, whose first word is CLEAR_PSN
     */
    void Clear(const Config& config, const Frame& frame)
    {
        if (!config.IsGuaranteed() || frame.words.empty())
        {
            return;
        }
        const messaging::SequenceSpace numbers(config.modulus);
        const uint64_t clear = numbers.Unwrap(frame.words[0], GetExpected() - config.modulus / 2);
        std::erase_if(m_responses, [&](uint64_t psn) { return psn < clear; });
    }

    /**
     * Add an accepted packet to its message.
     * @param config parameters
     * @param psn its PSN
     * @param frame the packet
     * @return the message if it is complete
     */
    std::optional<messaging::Delivery> AddToMessage(const Config& config,
                                                    uint64_t psn,
                                                    const Frame& frame)
    {
        const uint8_t kind = GetKind(frame);
        const bool isFirst = kind == roce::FIRST || kind == roce::ONLY;
        const bool isLast = kind == roce::LAST || kind == roce::ONLY;
        const uint64_t index = isFirst ? 0 : frame.aux;
        const uint64_t first = psn - index;
        auto message = std::ranges::find(m_messages, first, &Message::first);
        if (message == m_messages.end())
        {
            // Only packets that no initiator has sent can make more messages than a window has.
            if (m_messages.size() > config.pair.window)
            {
                m_messages.erase(m_messages.begin());
            }
            m_messages.push_back({.first = first, .contents = frame.contents});
            message = m_messages.end() - 1;
        }
        message->isDamaged |= frame.contents != message->contents;
        message->bytes += frame.payload;
        ++message->packets;
        if (isFirst)
        {
            message->tag = frame.aux;
        }
        if (isLast)
        {
            message->total = index + 1;
            message->flags = frame.flags;
        }
        if (message->packets != message->total)
        {
            return std::nullopt;
        }
        const uint64_t contents = message->contents;
        const messaging::Delivery delivery{.contents = message->isDamaged ? ~contents : contents,
                                           .bytes = message->bytes,
                                           .tag = message->tag,
                                           .flags = message->flags};
        m_messages.erase(message);
        return delivery;
    }

    std::vector<uint64_t> m_responses; ///< PSNs whose responses are stored.
    Arrivals m_arrivals;               ///< Packets that have arrived.
    std::vector<Message> m_messages;   ///< Messages of which packets are missing.
    uint64_t m_start;                  ///< PSN of the first packet.
    uint16_t m_pdc;                    ///< PDC number of the target.
    bool m_isMarked{false};            ///< A packet since the last ACK bore a mark.
    bool m_hasRefused{false};          ///< ROD: the gap has been reported.
    bool m_isClosed{false};            ///< A CLOSE has arrived.
};

} // namespace uet
} // namespace ns3

#endif // UET_TARGET_H
