/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARASTATION_TRUSTING_H
#define PARASTATION_TRUSTING_H

#include "parastation-nic.h"

#include <vector>

/**
 * @file
 * @ingroup parastation
 * The protocols on the left of paper 2's figure 1, which trust Myrinet: what has left is forgotten.
 * Built from what is generally known of them.
 */

namespace ns3
{
namespace parastation
{

/**
 * @ingroup parastation
 * What protocols that trust the network have in common: no sequence number, no timer, no ACK.
 */
class Trusting
{
  public:
    static constexpr bool HOLDS_NETWORK = true; ///< Without a free slot, no packet is taken.
    static constexpr bool KEEPS_ORDER = true;   ///< As long as the network does.

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

    /** Nothing is added to a packet. */
    template <class Nic>
    void OnStore(Nic&, uint32_t)
    {
    }

    /**
     * Forget a packet.
     * @param nic the network interface
     * @param slot its slot
     * @param out what is to be done
     */
    template <class Nic, class Out>
    void OnSent(Nic& nic, uint32_t slot, Out& out)
    {
        nic.Release(slot, out);
    }

    /** There are no timers. */
    template <class Nic, class Out>
    void OnSlotTimer(Nic&, uint32_t, Out&)
    {
    }

    /** There are no timers. */
    template <class Nic, class Out>
    void OnPeerTimer(Nic&, messaging::Peer, Out&)
    {
    }

    /** Keep every packet. @return true */
    template <class Nic, class Out>
    bool OnData(Nic&, messaging::Peer, const messaging::Frame&, Out&)
    {
        return true;
    }

    /** There are no control packets. */
    template <class Nic, class Out>
    void OnControl(Nic&, messaging::Peer, const messaging::Frame&, Out&)
    {
    }

    /** Nobody is told of a free slot. */
    template <class Nic, class Out>
    void OnTaken(Nic&, messaging::Peer, Out&)
    {
    }

    /** There is no state. */
    void Encode(messaging::Encoder&) const
    {
    }

    /** There is no state. @return true */
    bool operator==(const Trusting&) const = default;
};

/**
 * @ingroup parastation
 * Strict back-blocking, with which ParaStation2 began (section 1): a network interface without a
 * free slot takes nothing from the network, which holds the sender by STOP.
 */
class BackBlocking : public Trusting
{
  public:
    /** Construct. */
    BackBlocking(const Config&, uint32_t, uint64_t)
    {
    }

    /** There is no state. @return true */
    bool operator==(const BackBlocking&) const = default;
};

/**
 * @ingroup parastation
 * No protocol at all, as BIP: a packet that finds no free slot is lost.
 */
class NoProtocol : public Trusting
{
  public:
    static constexpr bool HOLDS_NETWORK = false; ///< Packets are taken in any case.

    /** Construct. */
    NoProtocol(const Config&, uint32_t, uint64_t)
    {
    }

    /** There is no state. @return true */
    bool operator==(const NoProtocol&) const = default;
};

/**
 * @ingroup parastation
 * Credits, as FM, LFC and PM: each pair has a number of slots of the receive ring to itself, and
 * the sender is told when half of them are free again. Buffers cannot overflow, as long as neither
 * packets nor credits are lost.
 */
class Credits : public Trusting
{
  public:
    /** Construct. @param config what can be chosen @param peers how many peers there are */
    Credits(const Config& config, uint32_t peers, uint64_t)
        : m_pairs(peers)
    {
        for (auto& pair : m_pairs)
        {
            pair.credits = static_cast<uint16_t>(config.credits);
        }
    }

    /**
     * @param nic the network interface
     * @param slot its slot
     * @return whether a packet can go: it is the first for its peer, and there is a credit
     */
    template <class Nic>
    bool MaySend(const Nic& nic, uint32_t slot) const
    {
        return Trusting::MaySend(nic, slot) && m_pairs[nic.GetSendSlot(slot).to].credits > 0;
    }

    /**
     * Use a credit, and forget a packet.
     * @param nic the network interface
     * @param slot its slot
     * @param out what is to be done
     */
    template <class Nic, class Out>
    void OnSent(Nic& nic, uint32_t slot, Out& out)
    {
        --m_pairs[nic.GetSendSlot(slot).to].credits;
        nic.Release(slot, out);
    }

    /** Credits come back. @param from of whom @param frame how many */
    template <class Nic, class Out>
    void OnControl(Nic&, messaging::Peer from, const messaging::Frame& frame, Out&)
    {
        m_pairs[from].credits += static_cast<uint16_t>(frame.id);
    }

    /**
     * Return credits when half of a pair's slots are free again.
     * @param nic the network interface
     * @param from whose packet has left its slot
     */
    template <class Nic, class Out>
    void OnTaken(Nic& nic, messaging::Peer from, Out&)
    {
        Pair& pair = m_pairs[from];
        if (2 * ++pair.owed >= nic.GetConfig().credits)
        {
            nic.Control(from, PacketKind::CREDIT, pair.owed);
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

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const Credits&) const = default;

  private:
    /** What is known of one peer. */
    struct Pair
    {
        uint16_t credits{0}; ///< Packets that can be sent to it.
        uint16_t owed{0};    ///< Slots that are free again, and that it was not told of.

        /** Equality of every field. @return True if all fields are equal. */
        bool operator==(const Pair&) const = default;
    };

    std::vector<Pair> m_pairs; ///< One a peer.
};

} // namespace parastation
} // namespace ns3

#endif // PARASTATION_TRUSTING_H
