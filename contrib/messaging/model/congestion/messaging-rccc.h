/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_RCCC_H
#define MESSAGING_RCCC_H

#include "ns3/messaging-congestion-control.h"
#include "ns3/messaging-sequence-space.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>

/**
 * @file
 * @ingroup messaging
 * RCCC, credits of Ultra Ethernet's receivers.
 */

namespace ns3
{
namespace messaging
{

/** Unit of a credit in a frame [bytes; UET 1.0.3, 3.6]. */
inline constexpr uint64_t CREDIT_QUANTUM = 256;

/**
 * Round bytes up to units of credit.
 * @param bytes the bytes
 * @return the number of units, as a frame carries it
 */
constexpr uint32_t
CountCredits(uint64_t bytes)
{
    return static_cast<uint32_t>((bytes + CREDIT_QUANTUM - 1) / CREDIT_QUANTUM);
}

/**
 * Recover a count of credits.
 * @param credits the count in a frame, modulo 2^32
 * @param known the last known one [bytes]
 * @return the count near it [bytes]
 */
inline uint64_t
ExtendCredits(uint32_t credits, uint64_t known)
{
    constexpr uint64_t HALF = uint64_t{1} << 31;
    const SequenceSpace counts(2 * HALF);
    const uint64_t units = known / CREDIT_QUANTUM + 2 * HALF;
    return (counts.Unwrap(credits, units - HALF) - 2 * HALF) * CREDIT_QUANTUM;
}

/**
 * @ingroup messaging
 * Receiver-credit congestion control (RCCC) of Ultra Ethernet Transport, at the sender of a flow
 * [UET 1.0.3, 3.6; htsim]: bytes are sent as far as the receiver has granted them.
 *
 * @verbatim
      granted     first window, then what the receiver has granted in total
      sent        all that was sent, repeats, too
      may send    while sent < granted
      demand      sent + what waits: in each frame to the receiver, which grants no more
   @endverbatim
 *
 * Each frame counts as a full one.
 * Both numbers count from the beginning, so that a frame with them may be lost or overtaken.
 */
class Rccc
{
  public:
    /**
     * Construct.
     * @param segment credit that each frame uses: a full frame [bytes]
     * @param first bytes that may be sent without a grant [bytes]
     */
    Rccc(uint32_t segment, uint64_t first)
        : m_granted(first),
          m_segment(segment)
    {
    }

    /** A frame has left: use credit. */
    void OnSend(Ticks, uint32_t)
    {
        m_sent += m_segment;
    }

    /** Does nothing: only the receiver knows the load of its link. */
    void OnAck(const AckNews&)
    {
    }

    /** Does nothing: what is sent again needs credit, too. */
    void OnLoss(Ticks)
    {
    }

    /** Does nothing. */
    void OnTimeout(Ticks)
    {
    }

    /** @return no limit: credit is no window [bytes]. */
    uint64_t GetWindow() const
    {
        return std::numeric_limits<uint64_t>::max();
    }

    /** @return 0: the receiver sets the pace [bytes a tick]. */
    double GetRate() const
    {
        return 0;
    }

    /** @param frames a number of frames, at least one @return true if so many may leave. */
    bool HasCredit(uint32_t frames = 1) const
    {
        return m_sent + uint64_t{frames - 1} * m_segment < m_granted;
    }

    /** Receive a grant. @param credits all grants so far, as a frame carries it */
    void OnCredit(uint32_t credits)
    {
        m_granted = std::max(m_granted, ExtendCredits(credits, m_granted));
    }

    /** @param backlog frames that wait to be sent @return the demand, as a frame carries it. */
    uint32_t GetDemand(uint64_t backlog) const
    {
        return CountCredits(m_sent + backlog * m_segment);
    }

    /** Append the state. @param encoder where */
    void Encode(Encoder& encoder) const
    {
        encoder.Put(m_sent, "sent");
        encoder.Put(m_granted, "granted");
    }

  private:
    uint64_t m_sent{0}; ///< Bytes sent in total [bytes].
    uint64_t m_granted; ///< Bytes granted in total [bytes].
    uint32_t m_segment; ///< Credit of a frame [bytes].
};

static_assert(CongestionControl<Rccc>);

/**
 * @ingroup messaging
 * Grants of a receiver to all that send to it, for Rccc: one quantum at a time, in turn, to those
 * whose demand exceeds what they were granted. The user calls Next as often as the receiver's link
 * can take a quantum.
 *
 * A sender that waits for credit repeats its demand. The demand of one that has not done so for a
 * time ends, since the sender has given up its messages, or cannot be reached: what it were granted
 * would be lost to the others.
 */
class CreditGrants
{
  public:
    /** A grant. */
    struct Grant
    {
        Peer to{0};          ///< The sender.
        uint32_t credits{0}; ///< All grants to it, as a frame carries it.
    };

    /**
     * Construct.
     * @param first bytes that a sender may send without a grant [bytes]
     * @param quantum bytes of a grant [bytes]
     */
    CreditGrants(uint64_t first, uint64_t quantum)
        : m_first(first),
          m_quantum(quantum)
    {
    }

    /** Receive a demand. @param from the sender @param credits its demand, as a frame carries it
     * @param now the time [ticks] */
    void OnDemand(Peer from, uint32_t credits, Ticks now)
    {
        Sender& sender = m_senders.try_emplace(from, Sender{m_first, m_first}).first->second;
        m_waiting -= sender.IsWaiting() ? 1 : 0;
        sender.demand = std::max(sender.demand, ExtendCredits(credits, sender.demand));
        sender.last = now;
        m_waiting += sender.IsWaiting() ? 1 : 0;
    }

    /** @return true if a sender demands more than it was granted. */
    bool HasDemand() const
    {
        return m_waiting > 0;
    }

    /** @param to a sender @return all grants to it, as a frame carries it; none if it has demanded
     * nothing. */
    std::optional<uint32_t> GetGranted(Peer to) const
    {
        const auto sender = m_senders.find(to);
        if (sender == m_senders.end())
        {
            return std::nullopt;
        }
        return CountCredits(sender->second.granted);
    }

    /** @param oldest time before which demands have ended [ticks] @return a grant to the next
     * sender in turn; none if there is no demand. */
    std::optional<Grant> Next(Ticks oldest)
    {
        auto sender = m_senders.upper_bound(m_last);
        for (std::size_t i = 0; i < m_senders.size(); ++i)
        {
            if (sender == m_senders.end())
            {
                sender = m_senders.begin();
            }
            if (sender->second.IsWaiting() && sender->second.last < oldest)
            {
                sender->second.demand = sender->second.granted;
                --m_waiting;
            }
            if (sender->second.IsWaiting())
            {
                m_last = sender->first;
                sender->second.granted += m_quantum;
                m_waiting -= sender->second.IsWaiting() ? 0 : 1;
                return Grant{m_last, CountCredits(sender->second.granted)};
            }
            ++sender;
        }
        return std::nullopt;
    }

    /** Append the state. @param encoder where */
    void Encode(Encoder& encoder) const
    {
        encoder.Put(m_senders.size(), "senders");
        for (const auto& [peer, sender] : m_senders)
        {
            encoder.PutPeer(peer);
            encoder.Put(sender.demand, "demand");
            encoder.Put(sender.granted, "granted");
        }
        encoder.Put(m_last, "last sender that was granted");
    }

  private:
    /** A sender. */
    struct Sender
    {
        uint64_t demand{0};  ///< Bytes demanded in total [bytes].
        uint64_t granted{0}; ///< Bytes granted in total [bytes].
        Ticks last{0};       ///< Time of the last demand [ticks].

        /** @return true if it waits for a grant. */
        bool IsWaiting() const
        {
            return demand > granted;
        }
    };

    std::map<Peer, Sender> m_senders; ///< The senders.
    uint64_t m_first;                 ///< Bytes without a grant [bytes].
    uint64_t m_quantum;               ///< Bytes of a grant [bytes].
    uint32_t m_waiting{0};            ///< Senders that wait for a grant.
    Peer m_last{NO_PEER};             ///< Sender of the last grant.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_RCCC_H
