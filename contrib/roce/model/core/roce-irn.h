/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROCE_IRN_H
#define ROCE_IRN_H

#include "roce-packet-bitmap.h"
#include "roce-packet.h"

#include "ns3/messaging-encoder.h"

#include <cstdint>
#include <optional>

/**
 * @file
 * @ingroup roce
 * Sender and receiver of IRN, an improved RoCE network card [Mittal et al., SIGCOMM 2018].
 *
 * The rules are those of the hardware logic that the paper's first author has published
 * (NetSys/irn-vivado-hls, commit 7947b4b), written anew. Numbers have 64 bits here; the hardware
 * compares 24 bits without a wrap.
 */

namespace ns3
{
namespace roce
{

/** Packets in flight up to which the short timeout holds [irn_sender/timeout.cpp]. */
inline constexpr uint32_t QUICK_PACKETS = 3;

/** Ratio of the link's rate to the sender's above which the short timeout does not hold
 * [irn_sender/timeout.cpp]. */
inline constexpr double RATE_FACTOR_LIMIT = 4;

/** Cap of the packets in flight, the bandwidth-delay product of the paper's network
 * [irn_sender/bitmapSize-128.hpp]. */
inline constexpr uint32_t BDP_CAP = 111;

/**
 * @ingroup roce
 * Sender of IRN: selective retransmission of the holes in a bitmap.
 *
 * @verbatim
                 first ACK without progress that selects a packet: repeat begin
     +----------+              or timeout: repeat begin               +----------+
     |          | --------------------------------------------------> |          |
     |  normal  |                                                     | recovery |
     |          | <-------------------------------------------------- |          |
     +----------+      cumulative ACK beyond what was sent when       +----------+
                       the last repeat was (recover)

     In recovery, each hole below a selected packet is repeated once, upwards from the last repeat.
     A repeat goes before a new packet. Without a hole, new packets follow, up to the cap.

     begin     retransmit                 recover     next
       |  holes    |  1 0 1 1 0 1 ...        |          |
   @endverbatim
 *
 * @tparam Bitmap the bitmap, as long as the largest cap
 */
template <class Bitmap>
class BasicIrnSender
{
  public:
    /** @param first number of the first packet */
    explicit BasicIrnSender(uint64_t first)
        : m_begin(first),
          m_next(first),
          m_retransmit(first)
    {
    }

    /** @return number of the first packet that is not acknowledged in order. */
    uint64_t GetBegin() const
    {
        return m_begin;
    }

    /** @return number after the last packet that was ever sent. */
    uint64_t GetEnd() const
    {
        return m_next;
    }

    /** @return number of packets since the first one without a cumulative ACK; those that are
     * selected count, too [irn_sender/txFree.cpp]. */
    uint64_t GetInFlight() const
    {
        return m_next - m_begin;
    }

    /** @return true if the timer has nothing to protect: no packet is in flight, or the repeat of
     * one has yet to leave. */
    bool IsWaiting() const
    {
        return m_next == m_begin || m_doRetransmit;
    }

    /** @return true in recovery. */
    bool IsInRecovery() const
    {
        return m_inRecovery;
    }

    /**
     * Take the next packet to be sent [irn_sender/txFree.cpp].
     * @param posted number after the last packet of the posted messages
     * @param window largest number of packets in flight (BDP-FC)
     * @return its number; none if there is none
     */
    std::optional<uint64_t> TakeNext(uint64_t posted, uint64_t window)
    {
        std::optional<uint64_t> number;
        do
        {
            if (m_doRetransmit && m_retransmit >= m_begin)
            {
                m_inRecovery |= m_retransmit == m_begin;
                number = m_retransmit;
                m_recover = m_next - 1;
                m_findHole = true;
            }
            else
            {
                m_findHole &= !m_doRetransmit;
                if (m_next < posted && m_next - m_begin < window)
                {
                    number = m_next++;
                }
            }
            m_doRetransmit = false;
            if (m_findHole)
            {
                FindHole();
            }
        } while (!number && m_doRetransmit);
        return number;
    }

    /**
     * Handle an answer [irn_sender/receiveAck.cpp].
     * @param answer the answer; its `next` is at most GetEnd()
     * @return its effect
     */
    AckEffect OnAnswer(const Answer& answer)
    {
        AckEffect effect;
        if (answer.next > m_begin)
        {
            effect.acknowledged = answer.next - m_begin;
            m_selected.Shift(effect.acknowledged);
            m_begin = answer.next;
        }
        effect.isProgress = effect.acknowledged > 0;
        if (answer.isEarly && answer.trigger > m_begin && answer.trigger < m_next)
        {
            const uint64_t bit = answer.trigger - m_begin;
            effect.isProgress |= !m_selected.Get(bit);
            m_selected.Set(bit);
            if (m_inRecovery)
            {
                OnSelected(answer.trigger);
            }
        }
        if (answer.next > m_recover)
        {
            m_inRecovery = false;
            m_findHole = false;
            m_doRetransmit = false;
        }
        if (effect.acknowledged > 0)
        {
            OnPartial();
        }
        else if (!m_inRecovery && m_begin < m_next && answer.isEarly)
        {
            effect.isLoss = !m_doRetransmit;
            RepeatFirst();
        }
        return effect;
    }

    /** Repeat the first packet that is not acknowledged [irn_sender/timeout.cpp]. */
    void OnTimeout()
    {
        RepeatFirst();
    }

    /**
     * Check whether the short timeout has to be extended [irn_sender/timeout.cpp].
     * @param quickPackets packets in flight up to which it holds
     * @param rateFactor ratio of the link's rate to the sender's
     * @return true if it has
     */
    bool ExtendsTimeout(uint32_t quickPackets, double rateFactor) const
    {
        return GetInFlight() > quickPackets || rateFactor > RATE_FACTOR_LIMIT;
    }

    /** Append the state. @param encoder where */
    void Encode(messaging::Encoder& encoder) const
    {
        encoder.Put(m_begin, "not acknowledged");
        encoder.Put(m_next, "next to send");
        encoder.Put(m_retransmit, "repeat");
        encoder.Put(m_recover, "end of recovery");
        m_selected.Encode(encoder, "selected");
        encoder.Put(m_doRetransmit, "has to repeat");
        encoder.Put(m_inRecovery, "in recovery");
        encoder.Put(m_findHole, "has to find a hole");
    }

  private:
    /** Repeat the first packet that is not acknowledged. */
    void RepeatFirst()
    {
        m_retransmit = m_begin;
        m_doRetransmit = true;
        m_findHole = false;
    }

    /** Look for another hole after a packet was selected in recovery. @param number the packet */
    void OnSelected(uint64_t number)
    {
        if (m_doRetransmit && m_retransmit == number)
        {
            m_findHole = true;
            m_doRetransmit = false;
        }
        else if (!m_doRetransmit)
        {
            Bitmap above = m_selected;
            m_findHole |= above.Shift(number - m_begin + 1).IsEmpty();
        }
    }

    /** Repeat the first packet after a partial ACK in recovery, unless it was repeated before. */
    void OnPartial()
    {
        const bool isRepeated =
            m_retransmit > m_begin || (m_retransmit == m_begin && !m_doRetransmit);
        if (m_inRecovery && !isRepeated)
        {
            RepeatFirst();
        }
    }

    /** Look for the next hole that a selected packet follows. */
    void FindHole()
    {
        const uint64_t start = m_retransmit >= m_begin ? m_retransmit + 1 : m_begin;
        Bitmap above = m_selected;
        above.Shift(start - m_begin);
        const uint32_t selected = above.CountLeading();
        if (!above.Shift(selected).IsEmpty())
        {
            m_retransmit = start + selected;
            m_doRetransmit = true;
        }
        m_findHole = false;
    }

    uint64_t m_begin;           ///< First packet without a cumulative ACK (lastAckedPsn).
    uint64_t m_next;            ///< Next new packet (nextSNtoSend).
    uint64_t m_retransmit;      ///< Packet to repeat, or the last one repeated (retransmitSN).
    uint64_t m_recover{0};      ///< Last packet sent when one was repeated (recoverSN).
    Bitmap m_selected;          ///< Packets that have arrived, from m_begin on (sack_bitmap).
    bool m_doRetransmit{false}; ///< A packet has to be repeated.
    bool m_inRecovery{false};   ///< In recovery.
    bool m_findHole{false};     ///< The next hole has to be found (findNewHole).
};

/**
 * @ingroup roce
 * Receiver of IRN: keeps packets that arrive after a gap, and answers each packet
 * [irn_receiver/receiveData.cpp].
 *
 * @verbatim
      packet             reaction
      expected           advance over all packets that have arrived; ACK
      later              set its bits; ACK with syndrome 1, which selects the packet
      earlier            ACK again

      bits of a packet   arrived  last
      not arrived           0       0
      first, middle         1       0
      last, completion      1       1
      last, none            0       1
   @endverbatim
 *
 * A packet beyond the bitmap has no answer: no sender with a cap of at most its length sends one.
 *
 * @tparam Bitmap the bitmap
 */
template <class Bitmap>
class BasicIrnReceiver
{
  public:
    static constexpr uint32_t SLOTS = Bitmap::BITS; ///< Packets that are kept.

    /** @param first number of the first packet */
    explicit BasicIrnReceiver(uint64_t first)
        : m_expected(first)
    {
    }

    /** @return number of the next packet in order. */
    uint64_t GetExpected() const
    {
        return m_expected;
    }

    /** @param number a packet @return true if it has arrived after a gap that still exists. */
    bool Keeps(uint64_t number) const
    {
        return number > m_expected && (m_arrived | m_last).Get(number - m_expected);
    }

    /**
     * Receive a packet.
     * @param number its number
     * @param isLast whether it ends a message
     * @param completes whether a message that it ends needs a completion at the receiver, as a
     * message of a receive queue does
     * @return the reaction
     */
    Answer OnPacket(uint64_t number, bool isLast, bool completes = true)
    {
        Answer answer{.trigger = number, .isSent = true};
        if (number == m_expected)
        {
            answer.isPlaced = true;
            answer.completed = isLast && completes ? 1 : 0;
            if (isLast)
            {
                ++m_messages;
            }
            m_arrived.Shift(1);
            m_last.Shift(1);
            const uint32_t arrived = (m_arrived | m_last).CountLeading();
            m_messages += m_last.CountBelow(arrived);
            answer.completed += (m_arrived & m_last).CountBelow(arrived);
            m_arrived.Shift(arrived);
            m_last.Shift(arrived);
            m_expected += uint64_t{arrived} + 1;
        }
        else if (number > m_expected)
        {
            answer.isEarly = true;
            answer.isSent = number - m_expected < Bitmap::BITS;
            answer.isPlaced = answer.isSent && !Keeps(number);
        }
        if (answer.isEarly && answer.isPlaced)
        {
            const uint64_t bit = number - m_expected;
            if (isLast)
            {
                m_last.Set(bit);
            }
            if (completes || !isLast)
            {
                m_arrived.Set(bit);
            }
        }
        answer.next = m_expected;
        answer.messages = m_messages;
        return answer;
    }

    /** Append the state. @param encoder where */
    void Encode(messaging::Encoder& encoder) const
    {
        encoder.Put(m_expected, "expected");
        m_arrived.Encode(encoder, "arrived");
        m_last.Encode(encoder, "last");
    }

  private:
    uint64_t m_expected;    ///< Next packet in order (expectedSeq).
    Bitmap m_arrived;       ///< Packets that have arrived (ooo_bitmap1).
    Bitmap m_last;          ///< Last packets that have arrived (ooo_bitmap2).
    uint32_t m_messages{0}; ///< Messages completed (curMSN).
};

/** Sender of IRN. */
using IrnSender = BasicIrnSender<PacketBitmap>;

/** Receiver of IRN. */
using IrnReceiver = BasicIrnReceiver<PacketBitmap>;

} // namespace roce
} // namespace ns3

#endif // ROCE_IRN_H
