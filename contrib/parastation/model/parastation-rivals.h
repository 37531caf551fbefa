/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARASTATION_RIVALS_H
#define PARASTATION_RIVALS_H

#include "parastation-protocol.h"

#include <algorithm>
#include <vector>

/**
 * @file
 * @ingroup parastation
 * Rivals of ParaStation2 in paper 2's table 2 and section 4, and the protocols on the left of its
 * figure 1, which trust Myrinet and do not keep a packet for retransmission. The paper does not
 * describe these protocols; they are built from general knowledge.
 */

namespace ns3
{
namespace parastation
{

/**
 * @ingroup parastation
 * Active Messages II (general knowledge): several logical channels for each pair, stop and wait
 * with a sequence bit on each, a NACK for lack of a buffer, and a randomised exponential backoff
 * before a retransmission.
 *
 * Packets on different channels can overtake each other.
 */
class StopAndWait : public NicProtocol
{
  public:
    static constexpr bool KEEPS_ORDER = false; ///< Channels do not wait for each other.

    /**
     * Construct.
     * @param config parameters
     * @param peers number of peers
     */
    StopAndWait(const Config& config, uint32_t peers)
        : m_channels(uint64_t{peers} * config.channels),
          m_perPeer(config.channels)
    {
    }

    /**
     * @param nic the network interface
     * @param slot its slot
     * @return whether a packet can be sent: it has a channel and does not back off, or it is the
     * first without a channel and one is free
     */
    template <class Nic>
    bool MaySend(const Nic& nic, uint32_t slot) const
    {
        const SendSlot& place = nic.GetSendSlot(slot);
        if (FindChannel(place.to, slot) != NONE)
        {
            return !place.waits;
        }
        uint32_t first = nic.GetHead(place.to);
        while (first != slot && FindChannel(place.to, first) != NONE)
        {
            first = nic.GetSendSlot(first).next;
        }
        return first == slot && FindChannel(place.to, NONE) != NONE;
    }

    /** Assign a channel to a new packet. @param nic the network interface @param slot its slot */
    template <class Nic>
    void OnPick(Nic& nic, uint32_t slot)
    {
        SendSlot& place = nic.GetSendSlot(slot);
        if (FindChannel(place.to, slot) == NONE)
        {
            const uint32_t free = FindChannel(place.to, NONE);
            Channel& channel = GetChannel(place.to, free);
            channel.slot = slot;
            place.frame.id |= Number{free, channel.sends}.Pack();
        }
    }

    /**
     * Retransmit a packet whose backoff has ended or whose ACK is overdue.
     * @param nic the network interface
     * @param slot its slot
     * @param out actions
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

    /**
     * Check the sequence bit of a packet's channel.
     * @param nic the network interface
     * @param from the sender
     * @param frame the packet
     * @param out actions
     * @return whether it is kept
     */
    template <class Nic, class Out>
    bool OnData(Nic& nic, messaging::Peer from, const messaging::Frame& frame, Out& out)
    {
        const uint32_t number = PacketId::Unpack(frame.id).sequence;
        const auto [index, bit] = Number::Unpack(number);
        if (index >= m_perPeer)
        {
            Nic::Note(Event::ILLEGAL, out);
            return false;
        }
        Channel& channel = GetChannel(from, index);
        if (channel.receives != bit)
        {
            Nic::Note(Event::LOST_ACK, out);
            nic.QueueControl(from, PacketKind::ACK, number);
            return false;
        }
        if (!nic.HasFreeSlot())
        {
            Nic::Note(Event::SHORT_OF_SLOTS, out);
            nic.QueueControl(from, PacketKind::NACK, number, SHORTAGE);
            return false;
        }
        channel.receives = !channel.receives;
        nic.QueueControl(from, PacketKind::ACK, number);
        return true;
    }

    /**
     * Handle the ACK or NACK of a channel's packet.
     * @param nic the network interface
     * @param from the sender
     * @param frame the answer
     * @param out actions
     */
    template <class Nic, class Out>
    void OnControl(Nic& nic, messaging::Peer from, const messaging::Frame& frame, Out& out)
    {
        const auto [index, bit] = Number::Unpack(static_cast<uint32_t>(frame.id));
        if (index >= m_perPeer)
        {
            Nic::Note(Event::ILLEGAL, out);
            return;
        }
        Channel& channel = GetChannel(from, index);
        const uint32_t slot = channel.slot;
        if (slot == NONE || nic.GetSendSlot(slot).state == SendState::READY || channel.sends != bit)
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
            out.Arm(Nic::GetSlotTimer(slot),
                    DrawBackoff(nic.GetConfig().backoff, place.attempts, out));
        }
    }

    /** Append the state; random numbers affect only times. @param encoder where */
    void Encode(messaging::Encoder& encoder) const
    {
        for (const auto& channel : m_channels)
        {
            encoder.Put(uint64_t{channel.slot} << 2 | uint64_t{channel.sends} << 1 |
                        uint64_t{channel.receives});
        }
    }

  private:
    /** A logical channel, both directions. */
    struct Channel
    {
        uint32_t slot{NONE};  ///< Slot of the packet without ACK.
        bool sends{false};    ///< Sequence bit of the next packet sent.
        bool receives{false}; ///< Sequence bit of the next packet received.
    };

    /** Number of a packet: its channel, and the channel's sequence bit. */
    struct Number
    {
        uint32_t channel{0}; ///< Index of the channel.
        bool bit{false};     ///< Sequence bit.

        /** @return both in one word. */
        uint32_t Pack() const
        {
            return channel << 1 | uint32_t{bit};
        }

        /** @param number a word @return its parts */
        static Number Unpack(uint32_t number)
        {
            return {number >> 1, (number & 1) != 0};
        }
    };

    /** @param peer a peer @param index index of a channel to it @return the channel */
    Channel& GetChannel(messaging::Peer peer, uint32_t index)
    {
        return m_channels[uint64_t{peer} * m_perPeer + index];
    }

    /**
     * @param peer a peer
     * @param slot a slot, or NONE for a free channel
     * @return the index of the channel to the peer that has the slot's packet, or NONE
     */
    uint32_t FindChannel(messaging::Peer peer, uint32_t slot) const
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
     * @param attempts number of transmissions of the packet
     * @param out actions
     * @return up to twice the mean, doubled for each further attempt, MOST_DOUBLINGS times at most
     * [ticks]
     */
    template <class Out>
    static messaging::Ticks DrawBackoff(messaging::Ticks mean, uint32_t attempts, Out& out)
    {
        // At least 1, since a random number needs a range.
        const messaging::Ticks bound = mean << std::min(attempts, 1 + MOST_DOUBLINGS) | 1;
        return 1 + out.Random(static_cast<uint32_t>(std::min<messaging::Ticks>(bound, UINT32_MAX)));
    }

    static constexpr uint32_t MOST_DOUBLINGS = 6; ///< Doublings of the backoff, at most.

    std::vector<Channel> m_channels; ///< All channels of the first peer, the second, and so on.
    uint32_t m_perPeer;              ///< Channels of a pair.
};

/**
 * @ingroup parastation
 * VMMC-2 (general knowledge): sequence numbers between network interfaces, a retransmission
 * queue at the sender, and cumulative ACKs. There is no NACK: a packet that is out of sequence or
 * finds no buffer is dropped, and the timer of the oldest packet retransmits all.
 */
class CumulativeAck : public SequencedProtocol
{
  public:
    /** Construct. @param config parameters @param peers number of peers */
    CumulativeAck(const Config& config, uint32_t peers)
        : SequencedProtocol(config, peers)
    {
    }

    /**
     * @param nic the network interface
     * @param slot its slot
     * @return whether a packet can be sent: it is the first of its pair that is not in transit, and
     * within the window
     */
    template <class Nic>
    bool MaySend(const Nic& nic, uint32_t slot) const
    {
        // The expected number has one value more than the window.
        return IsNext(nic, slot, std::min(nic.GetConfig().window, m_mask / 2));
    }

    /**
     * Start the pair's timer unless it runs.
     * @param nic the network interface
     * @param slot its slot
     * @param out actions
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

    /**
     * Retransmit all packets of a pair, as the ACK of the oldest is overdue.
     * @param nic the network interface
     * @param peer the receiver
     * @param out actions
     */
    template <class Nic, class Out>
    void OnPeerTimer(Nic& nic, messaging::Peer peer, Out& out)
    {
        m_pairs[peer].timed = false;
        Nic::Note(Event::TIMED_OUT, out);
        MarkFrom(nic, nic.GetHead(peer), SendEvent::TIMEOUT, out);
    }

    /**
     * Keep a packet that is in sequence, and acknowledge with the expected number.
     * @param nic the network interface
     * @param from the sender
     * @param frame the packet
     * @param out actions
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
        else
        {
            pair.expected = (pair.expected + 1) & m_mask;
        }
        nic.QueueControl(from, PacketKind::ACK, pair.expected);
        return check == 0;
    }

    /**
     * Release all packets before the number in an ACK.
     * @param nic the network interface
     * @param from the sender
     * @param frame the ACK
     * @param out actions
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
        const uint32_t last = Find(nic, from, (number - 1) & m_mask);
        if (last == NONE || !WasSent(nic, last))
        {
            Nic::Note(Event::HIGH_ACK, out);
            return;
        }
        for (int32_t i = 0; i < check; ++i)
        {
            ReleaseFirst(nic, from, out);
        }
        out.Cancel(Nic::GetPeerTimer(from));
        const uint32_t head = nic.GetHead(from);
        pair.timed = head != NONE && nic.GetSendSlot(head).state == SendState::INTRANSIT;
        if (pair.timed)
        {
            out.Arm(Nic::GetPeerTimer(from), nic.GetConfig().timeout);
        }
    }
};

/**
 * @ingroup parastation
 * Strict back-blocking, the first protocol of ParaStation2 (section 1). A network interface without
 * a free slot accepts no packet, and the network stops the sender. The network is trusted: there
 * are no sequence numbers, timers or ACKs.
 */
class BackBlocking : public NicProtocol
{
  public:
    /** Construct. */
    BackBlocking(const Config&, uint32_t)
    {
    }

    /**
     * @param nic the network interface
     * @param slot its slot
     * @return whether a packet is the first for its peer
     */
    template <class Nic>
    bool MaySend(const Nic& nic, uint32_t slot) const
    {
        return nic.GetHead(nic.GetSendSlot(slot).to) == slot;
    }

    /**
     * Release a packet once it is sent.
     * @param nic the network interface
     * @param slot its slot
     * @param out actions
     */
    template <class Nic, class Out>
    void OnSent(Nic& nic, uint32_t slot, Out& out)
    {
        nic.Release(slot, out);
    }

    /** Keep every packet. @return true */
    template <class Nic, class Out>
    bool OnData(Nic&, messaging::Peer, const messaging::Frame&, Out&)
    {
        return true;
    }
};

/**
 * @ingroup parastation
 * No protocol, as BIP: a packet that finds no free slot is lost.
 */
class NoProtocol : public BackBlocking
{
  public:
    static constexpr bool HOLDS_NETWORK = false; ///< Packets are accepted without a free slot.

    using BackBlocking::BackBlocking;
};

/**
 * @ingroup parastation
 * Credits: each pair has its own share of the slots of the receive ring, as in LFC (link level flow
 * control, between network interfaces), or of the host's buffers, as in FM (flow control by the
 * receiving host). Credits are returned when half of the share is free again. Buffers cannot
 * overflow unless packets or credits are lost.
 */
class Credits : public BackBlocking
{
  public:
    /** Construct. @param config parameters @param peers number of peers */
    Credits(const Config& config, uint32_t peers)
        : BackBlocking(config, peers),
          m_pairs(peers)
    {
        for (auto& pair : m_pairs)
        {
            pair.credits = static_cast<uint16_t>(config.credits);
        }
    }

    /**
     * @param nic the network interface
     * @param slot its slot
     * @return whether a packet can be sent: it is the first for its peer, and there is a credit
     */
    template <class Nic>
    bool MaySend(const Nic& nic, uint32_t slot) const
    {
        return BackBlocking::MaySend(nic, slot) && m_pairs[nic.GetSendSlot(slot).to].credits > 0;
    }

    /**
     * Use a credit, and release a packet once it is sent.
     * @param nic the network interface
     * @param slot its slot
     * @param out actions
     */
    template <class Nic, class Out>
    void OnSent(Nic& nic, uint32_t slot, Out& out)
    {
        --m_pairs[nic.GetSendSlot(slot).to].credits;
        nic.Release(slot, out);
    }

    /**
     * Receive returned credits, at most as many as were used.
     * @param nic the network interface
     * @param from the receiver that returns them
     * @param frame the packet with their number
     * @param out actions
     */
    template <class Nic, class Out>
    void OnControl(Nic& nic, messaging::Peer from, const messaging::Frame& frame, Out& out)
    {
        uint16_t& credits = m_pairs[from].credits;
        if (frame.id > nic.GetConfig().credits - credits)
        {
            Nic::Note(Event::ILLEGAL, out);
            return;
        }
        credits += static_cast<uint16_t>(frame.id);
    }

    /**
     * Return credits when half of a pair's buffers are free again.
     * @param nic the network interface
     * @param from the peer whose packet has left its buffer
     * @param host whether that is a host buffer
     */
    template <class Nic>
    void OnTaken(Nic& nic, messaging::Peer from, bool host)
    {
        if (host != nic.GetConfig().hostCredits)
        {
            return;
        }
        Pair& pair = m_pairs[from];
        if (2 * ++pair.owed >= nic.GetConfig().credits)
        {
            nic.QueueControl(from, PacketKind::CREDIT, pair.owed);
            pair.owed = 0;
        }
    }

    /** Append the state. @param encoder where */
    void Encode(messaging::Encoder& encoder) const
    {
        for (const auto& pair : m_pairs)
        {
            encoder.Put(uint64_t{pair.credits} << 16 | pair.owed);
        }
    }

  private:
    /** Credits of one peer. */
    struct Pair
    {
        uint16_t credits{0}; ///< Packets that can be sent to it.
        uint16_t owed{0};    ///< Free slots whose credits are not returned yet.
    };

    std::vector<Pair> m_pairs; ///< One a peer.
};

} // namespace parastation
} // namespace ns3

#endif // PARASTATION_RIVALS_H
