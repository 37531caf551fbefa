/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROCE_MESSAGE_QUEUE_H
#define ROCE_MESSAGE_QUEUE_H

#include "roce-packet.h"

#include "ns3/messaging-encoder.h"
#include "ns3/messaging-fifo.h"

#include <algorithm>
#include <cstdint>
#include <optional>

/**
 * @file
 * @ingroup roce
 * Messages of a sender as packets, and packets of a receiver as messages.
 */

namespace ns3
{
namespace roce
{

/**
 * @ingroup roce
 * Send queue: posted messages in order, whose packets are numbered consecutively.
 */
class MessageQueue
{
  public:
    /**
     * Construct.
     * @param limit maximum number of messages
     * @param mtu payload of a packet [bytes]
     * @param first number of the first packet
     */
    MessageQueue(uint32_t limit, uint32_t mtu, uint64_t first)
        : m_end(first),
          m_limit(limit),
          m_mtu(mtu)
    {
    }

    /** @return true if no further message can be posted. */
    bool IsFull() const
    {
        return m_messages.GetN() >= m_limit;
    }

    /** @return number after the last packet of all messages. */
    uint64_t GetEnd() const
    {
        return m_end;
    }

    /** @param count number of messages, the oldest first @return number after their last packet. */
    uint64_t GetEndOf(uint32_t count) const
    {
        return count < m_messages.GetN() ? m_messages[count].first : m_end;
    }

    /** Append a message; one without bytes has one packet. @param request the message */
    void Post(const messaging::Request& request)
    {
        const uint64_t packets = (uint64_t{request.bytes} + m_mtu - 1) / m_mtu;
        m_messages.Push(Posted{request, m_end});
        m_end += std::max<uint64_t>(packets, 1);
    }

    /** @param number number of a packet of the messages @return the packet. */
    Packet GetPacket(uint64_t number) const
    {
        std::size_t low = 0;
        std::size_t high = m_messages.GetN();
        while (high - low > 1)
        {
            const std::size_t middle = (low + high) / 2;
            if (m_messages[middle].first <= number)
            {
                low = middle;
            }
            else
            {
                high = middle;
            }
        }
        const Posted& message = m_messages[low];
        const bool isFirst = number == message.first;
        const bool isLast = number + 1 == GetMessageEnd(low);
        const auto index = static_cast<uint32_t>(number - message.first);
        Packet packet{.contents = message.request.contents,
                      .payload = std::min(m_mtu, message.request.bytes - index * m_mtu),
                      .index = index,
                      .message = static_cast<uint32_t>(low),
                      .kind = GetKind(isFirst, isLast)};
        if (isFirst || isLast)
        {
            packet.tag = message.request.tag;
        }
        if (isLast)
        {
            packet.flags = message.request.flags;
        }
        return packet;
    }

    /**
     * Remove the oldest message if all of its packets are before a number.
     * @param number the number
     * @return the message, or none
     */
    std::optional<messaging::Request> TakeBefore(uint64_t number)
    {
        if (m_messages.IsEmpty() || GetMessageEnd(0) > number)
        {
            return std::nullopt;
        }
        return m_messages.Pop().request;
    }

    /** Append the state. @param encoder where */
    void Encode(messaging::Encoder& encoder) const
    {
        encoder.Put(m_end, "posted");
        encoder.Put(m_messages.GetN(), "messages");
        for (const Posted& message : m_messages)
        {
            encoder.PutContents(message.request.contents);
            encoder.Put(message.first, "first packet");
        }
    }

  private:
    /** A posted message. */
    struct Posted
    {
        messaging::Request request; ///< The message.
        uint64_t first;             ///< Number of its first packet.
    };

    /** @param index index of a message @return number after its last packet. */
    uint64_t GetMessageEnd(std::size_t index) const
    {
        return index + 1 < m_messages.GetN() ? m_messages[index + 1].first : m_end;
    }

    /** @param isFirst it is the first packet @param isLast it is the last packet @return its kind.
     */
    static Kind GetKind(bool isFirst, bool isLast)
    {
        if (isFirst)
        {
            return isLast ? ONLY : FIRST;
        }
        return isLast ? LAST : MIDDLE;
    }

    messaging::Fifo<Posted> m_messages; ///< The messages.
    uint64_t m_end;                     ///< Number after the last packet.
    uint32_t m_limit;                   ///< Maximum number of messages.
    uint32_t m_mtu;                     ///< Payload of a packet [bytes].
};

/**
 * @ingroup roce
 * Reassembly of packets in order.
 */
class Reassembly
{
  public:
    /**
     * Add the next packet in order.
     * @param packet the packet
     * @param from its sender
     * @return the message that it completes, or none. Packets with different contents make a
     * message with damaged contents.
     */
    std::optional<messaging::Delivery> Add(const Packet& packet, Peer from)
    {
        if (!m_hasBegun)
        {
            m_hasBegun = true;
            m_contents = packet.contents;
        }
        else if (packet.contents != m_contents)
        {
            m_isDamaged = true;
        }
        m_bytes += packet.payload;
        if (!packet.IsLast())
        {
            return std::nullopt;
        }
        const messaging::Delivery message{.id = m_number,
                                          .contents = m_isDamaged ? ~m_contents : m_contents,
                                          .from = from,
                                          .bytes = m_bytes,
                                          .tag = packet.tag,
                                          .flags = packet.flags};
        ++m_number;
        m_bytes = 0;
        m_hasBegun = false;
        m_isDamaged = false;
        return message;
    }

    /** Append the state. @param encoder where */
    void Encode(messaging::Encoder& encoder) const
    {
        encoder.Put(m_number, "message");
        encoder.Put(m_bytes, "bytes");
        if (m_hasBegun)
        {
            encoder.PutContents(m_contents);
        }
        encoder.Put(m_isDamaged, "damaged");
    }

  private:
    uint64_t m_number{0};    ///< Number of the message.
    uint64_t m_contents{0};  ///< Contents of its first packet.
    uint32_t m_bytes{0};     ///< Its bytes so far [bytes].
    bool m_hasBegun{false};  ///< Its first packet is here.
    bool m_isDamaged{false}; ///< Contents of its packets differ.
};

} // namespace roce
} // namespace ns3

#endif // ROCE_MESSAGE_QUEUE_H
