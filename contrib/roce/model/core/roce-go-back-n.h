/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROCE_GO_BACK_N_H
#define ROCE_GO_BACK_N_H

#include "roce-packet.h"

#include "ns3/messaging-encoder.h"

#include <algorithm>
#include <cstdint>
#include <optional>

/**
 * @file
 * @ingroup roce
 * Go-back-N of a reliable connection (RC), as RoCE takes it from InfiniBand.
 */

namespace ns3
{
namespace roce
{

/**
 * @ingroup roce
 * Sender of go-back-N: all packets from a gap on are sent again.
 *
 * @verbatim
     begin               next                  end                  posted
       | sent, or acknowledged later |  sent before  |  not sent yet  |
       +---- in flight ----+         +--- repeats ---+

                    ACK n: begin = n, next = max(next, n)
       NAK n or timeout:   begin = n, next = begin
   @endverbatim
 */
class GoBackNSender
{
  public:
    /** @param first number of the first packet */
    explicit GoBackNSender(uint64_t first)
        : m_begin(first),
          m_next(first),
          m_end(first)
    {
    }

    /** @return number of the first packet that is not acknowledged. */
    uint64_t GetBegin() const
    {
        return m_begin;
    }

    /** @return number after the last packet that was ever sent. */
    uint64_t GetEnd() const
    {
        return m_end;
    }

    /** @return number of packets in flight. */
    uint64_t GetInFlight() const
    {
        return m_next - m_begin;
    }

    /** @return true if the timer has nothing to protect: no packet is in flight. */
    bool IsWaiting() const
    {
        return m_next == m_begin;
    }

    /**
     * Take the next packet to be sent.
     * @param posted number after the last packet of the posted messages
     * @param window largest number of packets in flight
     * @return its number; none if there is none
     */
    std::optional<uint64_t> TakeNext(uint64_t posted, uint64_t window)
    {
        if (m_next >= posted || m_next - m_begin >= window)
        {
            return std::nullopt;
        }
        const uint64_t number = m_next++;
        m_end = std::max(m_end, m_next);
        return number;
    }

    /**
     * Handle an answer.
     * @param answer the answer; its `next` is at most GetEnd()
     * @return its effect
     */
    AckEffect OnAnswer(const Answer& answer)
    {
        AckEffect effect;
        if (answer.next > m_begin)
        {
            effect.acknowledged = answer.next - m_begin;
            effect.isProgress = true;
            m_begin = answer.next;
            m_next = std::max(m_next, m_begin);
        }
        if (answer.isEarly && answer.next == m_begin && m_next > m_begin)
        {
            m_next = m_begin;
            effect.isLoss = true;
            effect.isRetry = !effect.isProgress;
        }
        return effect;
    }

    /** Go back to the first packet that is not acknowledged. */
    void OnTimeout()
    {
        m_next = m_begin;
    }

    /** @return false: there is one timeout. */
    bool ExtendsTimeout(uint32_t, double) const
    {
        return false;
    }

    /** Append the state. @param encoder where */
    void Encode(messaging::Encoder& encoder) const
    {
        encoder.Put(m_begin, "not acknowledged");
        encoder.Put(m_next, "next to send");
        encoder.Put(m_end, "sent before");
    }

  private:
    uint64_t m_begin; ///< First packet that is not acknowledged.
    uint64_t m_next;  ///< Next packet to be sent.
    uint64_t m_end;   ///< Packet after the last one that was ever sent.
};

/**
 * @ingroup roce
 * Receiver of go-back-N: accepts the next packet in order only.
 *
 * @verbatim
      packet        no gap is reported             a gap is reported
      expected      accept, ACK                    accept, ACK; no gap is reported
      later         NAK; a gap is reported         nothing
      earlier       ACK again                      ACK again
   @endverbatim
 */
class GoBackNReceiver
{
  public:
    static constexpr uint32_t SLOTS = 1; ///< Packets that are kept until they are in order.

    /** @param first number of the first packet */
    explicit GoBackNReceiver(uint64_t first)
        : m_expected(first)
    {
    }

    /** @return number of the next packet in order. */
    uint64_t GetExpected() const
    {
        return m_expected;
    }

    /** @return false: no packet is kept. */
    bool Keeps(uint64_t) const
    {
        return false;
    }

    /**
     * Receive a packet.
     * @param number its number
     * @param isLast whether it ends a message
     * @return the reaction
     */
    Answer OnPacket(uint64_t number, bool isLast)
    {
        Answer answer{.trigger = number};
        if (number == m_expected)
        {
            ++m_expected;
            m_hasReported = false;
            answer.completed = isLast ? 1 : 0;
            answer.isPlaced = true;
        }
        m_messages += answer.completed;
        answer.isEarly = number >= m_expected;
        answer.isSent = !(answer.isEarly && m_hasReported);
        m_hasReported |= answer.isEarly;
        answer.next = m_expected;
        answer.messages = m_messages;
        return answer;
    }

    /** Append the state. @param encoder where */
    void Encode(messaging::Encoder& encoder) const
    {
        encoder.Put(m_expected, "expected");
        encoder.Put(m_hasReported, "gap is reported");
    }

  private:
    uint64_t m_expected;       ///< Next packet in order.
    uint32_t m_messages{0};    ///< Messages completed.
    bool m_hasReported{false}; ///< The gap at the next packet has been reported by a NAK.
};

} // namespace roce
} // namespace ns3

#endif // ROCE_GO_BACK_N_H
