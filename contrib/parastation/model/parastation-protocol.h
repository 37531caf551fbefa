/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARASTATION_PROTOCOL_H
#define PARASTATION_PROTOCOL_H

#include "parastation-nic.h"

#include <vector>

/**
 * @file
 * @ingroup parastation
 * ParaStation2's flow control protocol: paper 2, section 3.4, table 1.
 *
 *     packet type | sequence check | explanation        | resulting action
 *     ------------+----------------+--------------------+-----------------------------------
 *     DATA        | <              | lost ACK           | resend ACK
 *                 | =              | ok                 | check buffer space (see figure 3)
 *                 | >              | lost data          | ignore & send NACK
 *     ACK         | <              | duplicate ACK      | ignore packet
 *                 | =              | ok                 | release buffer
 *                 | >              | previous ACK lost  | ignore packet
 *     NACK        | none           |                    | mark buffer for retransmission
 *     CRC         | none           | error detected     | ignore packet
 */

namespace ns3
{
namespace parastation
{

/**
 * @ingroup parastation
 * Base of protocols with a sequence number for each packet of a pair and a window.
 */
class SequencedProtocol : public NicProtocol
{
  public:
    /**
     * Construct.
     * @param config parameters
     * @param peers number of peers
     */
    SequencedProtocol(const Config& config, uint32_t peers)
        : m_pairs(peers),
          m_mask((uint32_t{1} << config.sequenceBits) - 1)
    {
    }

    /** Number a packet. @param nic the network interface @param slot its slot */
    template <class Nic>
    void OnStore(Nic& nic, uint32_t slot)
    {
        SendSlot& place = nic.GetSendSlot(slot);
        Pair& pair = m_pairs[place.to];
        place.frame.id |= pair.next;
        pair.next = (pair.next + 1) & m_mask;
    }

    /** Append the state. @param encoder where */
    void Encode(messaging::Encoder& encoder) const
    {
        for (const auto& pair : m_pairs)
        {
            encoder.Put(uint64_t{pair.next} << 40 | uint64_t{pair.first} << 24 |
                        uint64_t{pair.expected} << 8 | uint64_t{pair.timed});
        }
    }

  protected:
    /** State of the packets to and from one peer. */
    struct Pair
    {
        uint16_t next{0};     ///< Number of the next packet to it.
        uint16_t first{0};    ///< Number of the first packet to it without ACK.
        uint16_t expected{0}; ///< Number of the next packet from it.
        bool timed{false};    ///< Its timer runs: a pause or a retransmission timeout.
    };

    /**
     * Check whether a packet is the first of its pair that is not in transit, within a window.
     * @param nic the network interface
     * @param slot its slot
     * @param window largest number of packets in transit
     * @return whether it is
     */
    template <class Nic>
    bool IsNext(const Nic& nic, uint32_t slot, uint32_t window) const
    {
        uint32_t before = 0;
        uint32_t each = nic.GetHead(nic.GetSendSlot(slot).to);
        while (each != slot && nic.GetSendSlot(each).state == SendState::INTRANSIT)
        {
            each = nic.GetSendSlot(each).next;
            ++before;
        }
        return each == slot && before < window;
    }

    /**
     * @param nic the network interface
     * @param to a peer
     * @param number a number
     * @return the slot of that packet, or NONE
     */
    template <class Nic>
    uint32_t Find(const Nic& nic, messaging::Peer to, uint32_t number) const
    {
        uint32_t slot = nic.GetHead(to);
        for (uint32_t behind = (number - m_pairs[to].first) & m_mask; behind > 0 && slot != NONE;
             --behind)
        {
            slot = nic.GetSendSlot(slot).next;
        }
        return slot;
    }

    /** @param nic the network interface @param slot a slot @return whether its packet was sent. */
    template <class Nic>
    static bool WasSent(const Nic& nic, uint32_t slot)
    {
        const SendState state = nic.GetSendSlot(slot).state;
        return state == SendState::INTRANSIT || state == SendState::RETRANSMIT;
    }

    /**
     * Release the first packet of a pair.
     * @param nic the network interface
     * @param peer the peer
     * @param out actions
     */
    template <class Nic, class Out>
    void ReleaseFirst(Nic& nic, messaging::Peer peer, Out& out)
    {
        m_pairs[peer].first = (m_pairs[peer].first + 1) & m_mask;
        nic.Release(nic.GetHead(peer), out);
    }

    /**
     * Go back N: mark a packet and all later ones that are in transit.
     * @param nic the network interface
     * @param slot its slot
     * @param event the reason
     * @param out actions
     */
    template <class Nic, class Out>
    static void MarkFrom(Nic& nic, uint32_t slot, SendEvent event, Out& out)
    {
        for (; slot != NONE; slot = nic.GetSendSlot(slot).next)
        {
            if (nic.GetSendSlot(slot).state == SendState::INTRANSIT)
            {
                nic.Change(slot, event, out);
                out.Cancel(Nic::GetSlotTimer(slot));
            }
        }
    }

    std::vector<Pair> m_pairs; ///< One a peer.
    uint32_t m_mask;           ///< Largest sequence number.
};

/**
 * @ingroup parastation
 * ParaStation2's protocol between network interfaces.
 *
 * Sequence numbers count the packets of one pair. Up to Window packets can be unacknowledged; an
 * ACK names one packet. Every packet has a timer of its own. A timeout or a NACK marks its packet
 * and all later ones of the pair that are in transit (go back N, section 3.1). Marked packets go
 * before new ones (a NACK stops transmission). The paper does not give the number in a NACK
 * (A-amb-4); here it is the number that the receiver expects.
 *
 * A NACK for lack of buffer space carries a flag, which the paper does not state either. The packet
 * then waits for Pause: if it were sent again at once, it would be rejected until the host has
 * freed a slot.
 */
class Protocol : public SequencedProtocol
{
  public:
    static constexpr bool ANSWERS_FIRST = true; ///< An ACK precedes its packet's DMA (AckOrder).

    /** Construct. @param config parameters @param peers number of peers */
    Protocol(const Config& config, uint32_t peers)
        : SequencedProtocol(config, peers)
    {
    }

    /**
     * Check whether a packet can go: it is the first of its pair that is not in transit, within the
     * window, and the pair does not pause.
     * @param nic the network interface
     * @param slot its slot
     * @return whether it can
     */
    template <class Nic>
    bool MaySend(const Nic& nic, uint32_t slot) const
    {
        return IsNext(nic, slot, nic.GetConfig().window) &&
               !m_pairs[nic.GetSendSlot(slot).to].timed;
    }

    /**
     * Retransmit from a packet on whose ACK is overdue.
     * @param nic the network interface
     * @param slot the packet's slot
     * @param out actions
     */
    template <class Nic, class Out>
    void OnSlotTimer(Nic& nic, uint32_t slot, Out& out)
    {
        if (nic.GetSendSlot(slot).state == SendState::INTRANSIT)
        {
            Nic::Note(Event::TIMED_OUT, out);
            MarkFrom(nic, slot, SendEvent::TIMEOUT, out);
        }
    }

    /** End a pause. @param peer the receiver */
    template <class Nic, class Out>
    void OnPeerTimer(Nic&, messaging::Peer peer, Out&)
    {
        m_pairs[peer].timed = false;
    }

    /**
     * Check a data packet (table 1, rows DATA).
     * @param nic the network interface
     * @param from the sender
     * @param frame the packet
     * @param out actions
     * @return whether the packet is kept
     */
    template <class Nic, class Out>
    bool OnData(Nic& nic, messaging::Peer from, const messaging::Frame& frame, Out& out)
    {
        Pair& pair = m_pairs[from];
        const Config& config = nic.GetConfig();
        const uint32_t number = PacketId::Unpack(frame.id).sequence;
        const int32_t check = CompareSequence(number, pair.expected, config.sequenceBits);
        if (check < 0)
        {
            Nic::Note(Event::LOST_ACK, out);
            if (config.lowSequence == LowSequence::ACK)
            {
                nic.QueueControl(from, PacketKind::ACK, number);
            }
            else
            {
                nic.QueueControl(from, PacketKind::NACK, pair.expected);
            }
            return false;
        }
        if (check > 0)
        {
            Nic::Note(Event::LOST_DATA, out);
            if (config.nackNumber == NackNumber::EXPECTED)
            {
                nic.QueueControl(from, PacketKind::NACK, pair.expected);
            }
            else
            {
                nic.QueueControl(from, PacketKind::NACK, number);
            }
            return false;
        }
        if (!nic.HasFreeSlot())
        {
            // Section 3.3: a packet that takes the last free slot is discarded.
            Nic::Note(Event::SHORT_OF_SLOTS, out);
            nic.QueueControl(from, PacketKind::NACK, number, SHORTAGE);
            return false;
        }
        pair.expected = (pair.expected + 1) & m_mask;
        nic.QueueControl(from, PacketKind::ACK, number);
        return true;
    }

    /**
     * Handle a control packet (table 1, rows ACK and NACK).
     * @param nic the network interface
     * @param from the sender
     * @param frame the packet
     * @param out actions
     */
    template <class Nic, class Out>
    void OnControl(Nic& nic, messaging::Peer from, const messaging::Frame& frame, Out& out)
    {
        const auto number = static_cast<uint32_t>(frame.id) & m_mask;
        if (frame.kind == static_cast<uint8_t>(PacketKind::ACK))
        {
            OnAck(nic, from, number, out);
        }
        else
        {
            OnNack(nic, from, number, frame.flags & SHORTAGE, out);
        }
    }

  private:
    /**
     * Handle an ACK (table 1).
     * @param nic the network interface
     * @param from the peer
     * @param number its number
     * @param out actions
     */
    template <class Nic, class Out>
    void OnAck(Nic& nic, messaging::Peer from, uint32_t number, Out& out)
    {
        const Config& config = nic.GetConfig();
        const int32_t check = CompareSequence(number, m_pairs[from].first, config.sequenceBits);
        if (check < 0)
        {
            Nic::Note(Event::DUPLICATE_ACK, out);
            return;
        }
        const uint32_t slot = Find(nic, from, number);
        if (check > 0)
        {
            Nic::Note(Event::HIGH_ACK, out);
            if (config.highAck == HighAck::PROSE && slot != NONE &&
                nic.GetSendSlot(slot).state == SendState::INTRANSIT)
            {
                nic.Change(slot, SendEvent::NACK, out);
                out.Cancel(Nic::GetSlotTimer(slot));
            }
        }
        else if (slot != NONE && WasSent(nic, slot))
        {
            ReleaseFirst(nic, from, out);
        }
    }

    /**
     * Handle a NACK (table 1).
     * @param nic the network interface
     * @param from the peer
     * @param number its number
     * @param shortage whether the receiver was short of slots
     * @param out actions
     */
    template <class Nic, class Out>
    void OnNack(Nic& nic, messaging::Peer from, uint32_t number, bool shortage, Out& out)
    {
        if (nic.GetConfig().lowSequence == LowSequence::NACK)
        {
            // By section 3.3 the receiver answers a packet whose ACK was lost with a NACK; the
            // number expected acknowledges all before it.
            while (m_pairs[from].first != number && Find(nic, from, number - 1) != NONE &&
                   WasSent(nic, nic.GetHead(from)))
            {
                ReleaseFirst(nic, from, out);
            }
        }
        const uint32_t slot = Find(nic, from, number);
        if (slot == NONE || nic.GetSendSlot(slot).state != SendState::INTRANSIT)
        {
            Nic::Note(Event::LATE_NACK, out);
            return;
        }
        MarkFrom(nic, slot, SendEvent::NACK, out);
        if (shortage)
        {
            m_pairs[from].timed = true;
            out.Arm(Nic::GetPeerTimer(from), nic.GetConfig().pause);
        }
    }
};

/** ParaStation2: a host and its network interface with the protocol of the paper. */
using Core = NicCore<Protocol>;

} // namespace parastation
} // namespace ns3

#endif // PARASTATION_PROTOCOL_H
