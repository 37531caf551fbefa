/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARASTATION_RIVALS_H
#define PARASTATION_RIVALS_H

#include "parastation-nic.h"

#include <algorithm>
#include <vector>

/**
 * @file
 * @ingroup parastation
 * What paper 2 compares ParaStation2 with, in table 2 and section 4. The paper does not describe
 * these protocols; they are built from what is generally known of them.
 */

namespace ns3
{
namespace parastation
{

/**
 * @ingroup parastation
 * Active Messages II as it is generally known: several logical channels for each pair, stop and
 * wait on each with a sequence bit, a NACK where there is no buffer, and a randomised exponential
 * backoff before the packet is sent again.
 *
 * Packets on different channels may pass each other.
 */
class StopAndWait
{
  public:
    static constexpr bool HOLDS_NETWORK = true; ///< Without a free slot, no packet is taken.
    static constexpr bool KEEPS_ORDER = false;  ///< Channels do not wait for each other.

    /**
     * Construct.
     * @param config what can be chosen
     * @param peers how many peers there are
     * @param seed where the backoff's random numbers begin
     */
    StopAndWait(const Config& config, uint32_t peers, uint64_t seed)
        : m_channels(uint64_t{peers} * config.channels),
          m_random(seed | 1),
          m_perPeer(config.channels)
    {
    }

    /**
     * @param nic the network interface
     * @param slot its slot
     * @return whether a packet can go: it has a channel, or is the first without one and a channel
     * is free; and it does not back off
     */
    template <class Nic>
    bool MaySend(const Nic& nic, uint32_t slot) const
    {
        const SendSlot& place = nic.GetSendSlot(slot);
        if (FindOf(place.to, slot) != NONE)
        {
            return !place.waits;
        }
        uint32_t first = nic.GetHead(place.to);
        while (first != slot && FindOf(place.to, first) != NONE)
        {
            first = nic.GetSendSlot(first).next;
        }
        return first == slot && FindOf(place.to, NONE) != NONE;
    }

    /** A packet gets its channel when it is sent first. */
    template <class Nic>
    void OnStore(Nic&, uint32_t)
    {
    }

    /** Give a packet a channel. @param nic the network interface @param slot its slot */
    template <class Nic>
    void OnPick(Nic& nic, uint32_t slot)
    {
        SendSlot& place = nic.GetSendSlot(slot);
        if (FindOf(place.to, slot) == NONE)
        {
            const uint32_t number = FindOf(place.to, NONE);
            Channel& channel = Get(place.to, number);
            channel.slot = slot;
            place.frame.id |= number << 1 | (channel.sends ? 1 : 0);
        }
    }

    /**
     * Set a packet's timer.
     * @param nic the network interface
     * @param slot its slot
     * @param out what is to be done
     */
    template <class Nic, class Out>
    void OnSent(Nic& nic, uint32_t slot, Out& out)
    {
        out.Arm(Nic::GetSlotTimer(slot), nic.GetConfig().timeout);
    }

    /**
     * A packet backs off no longer, or its ACK has not come.
     * @param nic the network interface
     * @param slot its slot
     * @param out what is to be done
     */
    template <class Nic, class Out>
    void OnSlotTimer(Nic& nic, uint32_t slot, Out& out)
    {
        SendSlot& place = nic.GetSendSlot(slot);
        if (place.state == SendState::INTRANSIT)
        {
            Nic::Note(Event::TIMED_OUT, out);
            nic.Change(slot, SendEvent::TIMEOUT, out);
        }
        place.waits = false;
    }

    /** There are no such timers. */
    template <class Nic, class Out>
    void OnPeerTimer(Nic&, messaging::Peer, Out&)
    {
    }

    /**
     * Look at the sequence bit of a packet's channel.
     * @param nic the network interface
     * @param from the sender
     * @param frame the packet
     * @param out what is to be done
     * @return whether it is kept
     */
    template <class Nic, class Out>
    bool OnData(Nic& nic, messaging::Peer from, const messaging::Frame& frame, Out& out)
    {
        const uint32_t number = PacketId::Unpack(frame.id).sequence;
        Channel& channel = Get(from, number >> 1);
        if (channel.receives != static_cast<bool>(number & 1))
        {
            Nic::Note(Event::LOST_ACK, out);
            nic.Control(from, PacketKind::ACK, number);
            return false;
        }
        if (!nic.HasFreeSlot())
        {
            Nic::Note(Event::SHORT_OF_SLOTS, out);
            nic.Control(from, PacketKind::NACK, number, SHORTAGE);
            return false;
        }
        channel.receives = !channel.receives;
        nic.Control(from, PacketKind::ACK, number);
        return true;
    }

    /**
     * The answer to the packet of a channel.
     * @param nic the network interface
     * @param from the sender
     * @param frame the answer
     * @param out what is to be done
     */
    template <class Nic, class Out>
    void OnControl(Nic& nic, messaging::Peer from, const messaging::Frame& frame, Out& out)
    {
        const auto number = static_cast<uint32_t>(frame.id) & 0xff;
        Channel& channel = Get(from, number >> 1);
        const uint32_t slot = channel.slot;
        if (slot == NONE || channel.sends != static_cast<bool>(number & 1))
        {
            Nic::Note(Event::DUPLICATE_ACK, out);
            return;
        }
        if (frame.kind == static_cast<uint8_t>(PacketKind::ACK))
        {
            channel.sends = !channel.sends;
            channel.slot = NONE;
            nic.Release(slot, out);
        }
        else if (nic.GetSendSlot(slot).state == SendState::INTRANSIT)
        {
            nic.Change(slot, SendEvent::NACK, out);
            SendSlot& place = nic.GetSendSlot(slot);
            place.waits = true;
            out.Arm(Nic::GetSlotTimer(slot), DrawBackoff(nic.GetConfig().backoff, place.attempts));
        }
    }

    /** A slot that is free again is of no interest to the sender. */
    template <class Nic, class Out>
    void OnTaken(Nic&, messaging::Peer, Out&)
    {
    }

    /** Append the state; the random numbers decide on times alone. @param encoder where */
    void Encode(messaging::Encoder& encoder) const
    {
        for (const auto& channel : m_channels)
        {
            encoder.Put(uint64_t{channel.slot} << 2 | (channel.sends ? 2 : 0) |
                        (channel.receives ? 1 : 0));
        }
    }

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const StopAndWait&) const = default;

  private:
    /** A logical channel, both directions. */
    struct Channel
    {
        uint32_t slot{NONE};  ///< Slot of the packet that lacks its ACK.
        bool sends{false};    ///< Sequence bit of the next packet sent.
        bool receives{false}; ///< Sequence bit of the next packet received.

        /** Equality of every field. @return True if all fields are equal. */
        bool operator==(const Channel&) const = default;
    };

    /** @param peer a peer @param number a channel's number @return the channel */
    Channel& Get(messaging::Peer peer, uint32_t number)
    {
        return m_channels[uint64_t{peer} * m_perPeer + number % m_perPeer];
    }

    /**
     * @param peer a peer
     * @param slot a slot, or NONE for a free channel
     * @return the number of the channel to the peer that has the slot's packet, or NONE
     */
    uint32_t FindOf(messaging::Peer peer, uint32_t slot) const
    {
        for (uint32_t i = 0; i < m_perPeer; ++i)
        {
            if (m_channels[uint64_t{peer} * m_perPeer + i].slot == slot)
            {
                return i;
            }
        }
        return NONE;
    }

    /**
     * Draw a backoff.
     * @param mean mean of the first
     * @param attempts how often the packet was sent
     * @return up to twice the mean, doubled for each further attempt up to six times [ticks]
     */
    messaging::Ticks DrawBackoff(messaging::Ticks mean, uint32_t attempts)
    {
        m_random ^= m_random << 13;
        m_random ^= m_random >> 7;
        m_random ^= m_random << 17;
        const uint32_t doubled = attempts < 7 ? attempts : 7;
        return 1 + (m_random >> 11) % (mean << doubled | 1);
    }

    std::vector<Channel> m_channels; ///< All channels of the first peer, the second, and so on.
    uint64_t m_random;               ///< State of the generator.
    uint32_t m_perPeer;              ///< Channels of a pair.
};

/**
 * @ingroup parastation
 * VMMC-2 as it is generally known: sequence numbers between network interfaces, a retransmission
 * queue at the sender, and cumulative ACKs. There is no NACK: what is out of sequence or finds no
 * buffer is dropped, and the timer of the oldest packet repeats all.
 */
class CumulativeAck
{
  public:
    static constexpr bool HOLDS_NETWORK = true; ///< Without a free slot, no packet is taken.
    static constexpr bool KEEPS_ORDER = true;   ///< Packets of a pair are accepted in order.

    /**
     * Construct.
     * @param config what can be chosen
     * @param peers how many peers there are
     * @param seed not used
     */
    CumulativeAck(const Config& config, uint32_t peers, [[maybe_unused]] uint64_t seed)
        : m_pairs(peers),
          m_mask((uint32_t{1} << config.sequenceBits) - 1)
    {
    }

    /**
     * @param nic the network interface
     * @param slot its slot
     * @return whether a packet can go: it is the first of its pair that is not in transit, within
     * the window
     */
    template <class Nic>
    bool MaySend(const Nic& nic, uint32_t slot) const
    {
        uint32_t before = 0;
        uint32_t each = nic.GetHead(nic.GetSendSlot(slot).to);
        while (each != slot && nic.GetSendSlot(each).state == SendState::INTRANSIT)
        {
            each = nic.GetSendSlot(each).next;
            ++before;
        }
        // The number expected tells one packet more than the window apart.
        return each == slot && before < std::min(nic.GetConfig().window, m_mask / 2);
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

    /**
     * Start the pair's timer unless it runs.
     * @param nic the network interface
     * @param slot its slot
     * @param out what is to be done
     */
    template <class Nic, class Out>
    void OnSent(Nic& nic, uint32_t slot, Out& out)
    {
        const messaging::Peer to = nic.GetSendSlot(slot).to;
        if (!m_pairs[to].timed)
        {
            m_pairs[to].timed = true;
            out.Arm(Nic::GetPeerTimer(to), nic.GetConfig().timeout);
        }
    }

    /** There are no such timers. */
    template <class Nic, class Out>
    void OnSlotTimer(Nic&, uint32_t, Out&)
    {
    }

    /**
     * The oldest packet's ACK has not come: repeat all.
     * @param nic the network interface
     * @param peer with whom
     * @param out what is to be done
     */
    template <class Nic, class Out>
    void OnPeerTimer(Nic& nic, messaging::Peer peer, Out& out)
    {
        m_pairs[peer].timed = false;
        Nic::Note(Event::TIMED_OUT, out);
        for (uint32_t slot = nic.GetHead(peer); slot != NONE; slot = nic.GetSendSlot(slot).next)
        {
            if (nic.GetSendSlot(slot).state == SendState::INTRANSIT)
            {
                nic.Change(slot, SendEvent::TIMEOUT, out);
            }
        }
    }

    /**
     * Keep a packet that is in sequence; answer with the number expected.
     * @param nic the network interface
     * @param from the sender
     * @param frame the packet
     * @param out what is to be done
     * @return whether it is kept
     */
    template <class Nic, class Out>
    bool OnData(Nic& nic, messaging::Peer from, const messaging::Frame& frame, Out& out)
    {
        Pair& pair = m_pairs[from];
        const uint32_t number = PacketId::Unpack(frame.id).sequence;
        const int32_t check = CompareSequence(number, pair.expected, nic.GetConfig().sequenceBits);
        if (check == 0 && !nic.HasFreeSlot())
        {
            Nic::Note(Event::SHORT_OF_SLOTS, out);
            return false;
        }
        if (check > 0)
        {
            Nic::Note(Event::LOST_DATA, out);
            return false;
        }
        if (check < 0)
        {
            Nic::Note(Event::LOST_ACK, out);
        }
        pair.expected = (pair.expected + (check == 0 ? 1 : 0)) & m_mask;
        nic.Control(from, PacketKind::ACK, pair.expected);
        return check == 0;
    }

    /**
     * Release all packets before the number.
     * @param nic the network interface
     * @param from the sender
     * @param frame the ACK
     * @param out what is to be done
     */
    template <class Nic, class Out>
    void OnControl(Nic& nic, messaging::Peer from, const messaging::Frame& frame, Out& out)
    {
        Pair& pair = m_pairs[from];
        const auto number = static_cast<uint32_t>(frame.id) & m_mask;
        const int32_t check = CompareSequence(number, pair.first, nic.GetConfig().sequenceBits);
        if (check <= 0)
        {
            Nic::Note(Event::DUPLICATE_ACK, out);
            return;
        }
        for (int32_t i = 0; i < check && nic.GetHead(from) != NONE; ++i)
        {
            pair.first = (pair.first + 1) & m_mask;
            nic.Release(nic.GetHead(from), out);
        }
        out.Cancel(Nic::GetPeerTimer(from));
        const uint32_t head = nic.GetHead(from);
        pair.timed = head != NONE && nic.GetSendSlot(head).state == SendState::INTRANSIT;
        if (pair.timed)
        {
            out.Arm(Nic::GetPeerTimer(from), nic.GetConfig().timeout);
        }
    }

    /** A slot that is free again is of no interest to the sender. */
    template <class Nic, class Out>
    void OnTaken(Nic&, messaging::Peer, Out&)
    {
    }

    /** Append the state. @param encoder where */
    void Encode(messaging::Encoder& encoder) const
    {
        for (const auto& pair : m_pairs)
        {
            encoder.Put(uint64_t{pair.next} << 40 | uint64_t{pair.first} << 24 |
                        uint64_t{pair.expected} << 8 | (pair.timed ? 1 : 0));
        }
    }

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const CumulativeAck&) const = default;

  private:
    /** What is known of the packets to and from one peer. */
    struct Pair
    {
        uint16_t next{0};     ///< Number of the next packet to it.
        uint16_t first{0};    ///< Number of the first packet to it that lacks its ACK.
        uint16_t expected{0}; ///< Number of the next packet from it.
        bool timed{false};    ///< The timer runs.

        /** Equality of every field. @return True if all fields are equal. */
        bool operator==(const Pair&) const = default;
    };

    std::vector<Pair> m_pairs; ///< One a peer.
    uint32_t m_mask;           ///< Largest sequence number.
};

} // namespace parastation
} // namespace ns3

#endif // PARASTATION_RIVALS_H
