/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef UET_WINDOW_H
#define UET_WINDOW_H

#include "ns3/messaging-encoder.h"
#include "ns3/messaging-frame-words.h"
#include "ns3/messaging-types.h"
#include "ns3/messaging-word-bits.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

/**
 * @file
 * @ingroup uet
 * Packets of an initiator that are not acknowledged.
 */

namespace ns3
{
namespace uet
{

/**
 * @ingroup uet
 * Window of an initiator: the packets from the first one without a cumulative acknowledgement on,
 * by PSN, at most MP_RANGE of them.
 *
 * @verbatim
              SetSent            Acknowledge
     (new) ----------> FLYING ----------------> ARRIVED, until it is the first one
                       |   ^                      ^
                  Lose v   | SetSent              |
                       LOST ----------------------+
   @endverbatim
 */
class Window
{
  public:
    /** Bits of a bitmap in an acknowledgement [bits; UET 1.0.3, MRC 1.0]. */
    static constexpr uint64_t SACK_BITS = 64;

    /** Words of a bitmap in an acknowledgement: the offset, and the bits. */
    static constexpr uint32_t SACK_WORDS = 1 + SACK_BITS / messaging::WORD_BITS;

    /** States of a packet. */
    enum State : uint8_t
    {
        FLYING, ///< In flight.
        LOST,   ///< To be sent again.
        ARRIVED ///< Acknowledged.
    };

    /** A packet. */
    struct Packet
    {
        messaging::Ticks sent{0}; ///< Time of the last transmission [ticks].
        uint16_t path{0};         ///< Path of the last transmission.
        uint8_t timeouts{0};      ///< Timeouts so far.
        State state{FLYING};      ///< State.
        bool isRepeated{false};   ///< Sent more than once.
    };

    /**
     * Construct.
     * @param range largest number of packets in the window
     * @param first PSN of the first packet
     */
    Window(uint32_t range, uint64_t first)
        : m_begin(first),
          m_next(first),
          m_range(range)
    {
    }

    /** Begin again, without packets. @param first PSN of the first packet */
    void Restart(uint64_t first)
    {
        m_begin = first;
        m_next = first;
        m_flying = 0;
        m_lost = 0;
    }

    /** @return PSN of the first packet without a cumulative acknowledgement. */
    uint64_t GetBegin() const
    {
        return m_begin;
    }

    /** @return PSN after the last packet sent. */
    uint64_t GetNext() const
    {
        return m_next;
    }

    /** @return true if all packets sent are acknowledged. */
    bool IsEmpty() const
    {
        return m_begin == m_next;
    }

    /** @return the packets to be sent again. */
    uint32_t GetNLost() const
    {
        return m_lost;
    }

    /** @param psn a PSN @return true if the packet is in the window. */
    bool Has(uint64_t psn) const
    {
        return psn >= m_begin && psn < m_next;
    }

    /** @param psn PSN of a packet in the window @return the packet. */
    const Packet& Get(uint64_t psn) const
    {
        return m_packets[psn % m_range];
    }

    /**
     * Get the packet to send next: the first one that is lost, or a new one.
     * @param end PSN after the last packet of all messages
     * @param limit largest number of packets in flight
     * @return its PSN; none if none may be sent
     */
    std::optional<uint64_t> GetNextToSend(uint64_t end, uint64_t limit) const
    {
        if (m_flying >= limit)
        {
            return std::nullopt;
        }
        for (uint64_t psn = m_begin; m_lost > 0 && psn < m_next; ++psn)
        {
            if (Get(psn).state == LOST)
            {
                return psn;
            }
        }
        if (m_next < end && m_next - m_begin < m_range)
        {
            return m_next;
        }
        return std::nullopt;
    }

    /**
     * Check whether another packet may follow one.
     * @param psn the packet, of GetNextToSend
     * @param end PSN after the last packet of all messages
     * @param limit largest number of packets in flight
     * @return true if GetNextToSend will return another one
     */
    bool HasNextAfter(uint64_t psn, uint64_t end, uint64_t limit) const
    {
        if (uint64_t{m_flying} + 1 >= limit)
        {
            return false;
        }
        const bool isNew = psn == m_next;
        if (m_lost > (isNew ? 0U : 1U))
        {
            return true;
        }
        const uint64_t next = m_next + (isNew ? 1 : 0);
        return next < end && next - m_begin < m_range;
    }

    /**
     * Record a transmission.
     * @param psn the packet, of GetNextToSend
     * @param now the time [ticks]
     * @param path its path
     */
    void SetSent(uint64_t psn, messaging::Ticks now, uint16_t path)
    {
        m_packets.resize(m_range);
        Packet& packet = m_packets[psn % m_range];
        if (psn == m_next)
        {
            packet = Packet{.sent = now, .path = path};
            ++m_next;
        }
        else
        {
            packet.sent = now;
            packet.path = path;
            packet.isRepeated = true;
            packet.state = FLYING;
            --m_lost;
        }
        ++m_flying;
    }

    /** Record that a packet has arrived. @param psn a PSN @return true if that is new */
    bool Acknowledge(uint64_t psn)
    {
        if (!Has(psn) || Get(psn).state == ARRIVED)
        {
            return false;
        }
        Leave(psn, ARRIVED);
        return true;
    }

    /**
     * Record the bitmap of an acknowledgement: the offset of its first bit, and its bits. A bit
     * that is not set says nothing.
     * @param next PSN from which the offset counts
     * @param words the bitmap; ignored unless it has SACK_WORDS words
     * @return packets that are newly acknowledged
     */
    uint32_t AcknowledgeSack(uint64_t next, const messaging::FrameWords& words)
    {
        if (words.size() != SACK_WORDS)
        {
            return 0;
        }
        uint32_t count = 0;
        for (uint64_t bit = 0; bit < SACK_BITS; ++bit)
        {
            const bool isSet = messaging::GetWordBit(words, messaging::WORD_BITS + bit);
            count += isSet && Acknowledge(next + words[0] + bit) ? 1 : 0;
        }
        return count;
    }

    /** Record that all packets before one have arrived. @param next its PSN @return those of which
     * that is new */
    uint32_t AcknowledgeBefore(uint64_t next)
    {
        uint32_t count = 0;
        for (uint64_t psn = m_begin; psn < std::min(next, m_next); ++psn)
        {
            count += Acknowledge(psn) ? 1 : 0;
        }
        return count;
    }

    /** Remove packets that have arrived, up to the first one that has not. */
    void Advance()
    {
        while (m_begin < m_next && Get(m_begin).state == ARRIVED)
        {
            ++m_begin;
        }
    }

    /** Declare a packet lost. @param psn a PSN @return true if it was in flight */
    bool Lose(uint64_t psn)
    {
        if (!Has(psn) || Get(psn).state != FLYING)
        {
            return false;
        }
        Leave(psn, LOST);
        return true;
    }

    /** Declare all packets in flight from one on lost. @param psn its PSN @return true if there are
     * any */
    bool LoseFrom(uint64_t psn)
    {
        bool isLoss = false;
        for (uint64_t each = std::max(psn, m_begin); each < m_next; ++each)
        {
            isLoss |= Lose(each);
        }
        return isLoss;
    }

    /**
     * Declare packets lost, sent once, that others have overtaken.
     * @param distance PSNs between such a packet and the last one that has arrived
     * @return true if there are any
     */
    bool LoseOvertaken(uint32_t distance)
    {
        uint64_t last = m_next;
        while (last > m_begin && Get(last - 1).state != ARRIVED)
        {
            --last;
        }
        bool isLoss = false;
        for (uint64_t psn = m_begin; psn + distance < last; ++psn)
        {
            isLoss |= !Get(psn).isRepeated && Lose(psn);
        }
        return isLoss;
    }

    /** Count a timeout of a packet. @param psn its PSN @return the timeouts so far */
    uint32_t CountTimeout(uint64_t psn)
    {
        return ++m_packets[psn % m_range].timeouts;
    }

    /** Append the state, without times and paths. @param encoder where */
    void Encode(messaging::Encoder& encoder) const
    {
        encoder.Put(m_begin, "not acknowledged");
        encoder.Put(m_next, "next to send");
        for (uint64_t psn = m_begin; psn < m_next; ++psn)
        {
            const Packet& packet = Get(psn);
            encoder.Put(packet.state, "state");
            encoder.Put(packet.timeouts, "timeouts");
            encoder.Put(packet.isRepeated, "repeated");
        }
    }

  private:
    /** Change the state of a packet to one that is not FLYING. @param psn its PSN @param state its
     * state */
    void Leave(uint64_t psn, State state)
    {
        Packet& packet = m_packets[psn % m_range];
        m_flying -= packet.state == FLYING ? 1 : 0;
        m_lost -= packet.state == LOST ? 1 : 0;
        m_lost += state == LOST ? 1 : 0;
        packet.state = state;
    }

    std::vector<Packet> m_packets; ///< The packets, by PSN modulo the range.
    uint64_t m_begin;              ///< First packet without a cumulative acknowledgement.
    uint64_t m_next;               ///< Next new packet.
    uint32_t m_range;              ///< Largest number of packets (MP_RANGE).
    uint32_t m_flying{0};          ///< Packets in flight.
    uint32_t m_lost{0};            ///< Packets to be sent again.
};

} // namespace uet
} // namespace ns3

#endif // UET_WINDOW_H
