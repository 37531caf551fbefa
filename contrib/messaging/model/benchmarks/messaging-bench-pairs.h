/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_BENCH_PAIRS_H
#define MESSAGING_BENCH_PAIRS_H

#include "ns3/messaging-bench-application.h"

/**
 * @file
 * @ingroup messaging
 * Benchmarks of pairs of peers: ping-pong, stream and pairwise exchange.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * Base of the benchmarks between two peers; of the two, the one with the smaller number leads.
 */
class PairApplication : public BenchmarkApplication
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    bool TakesPart(Peer self, uint32_t peers) const override
    {
        return peers % 2 == 0 || self + 1 < peers;
    }

  protected:
    /** @return the other peer. */
    Peer GetPartner() const;

    /** @return whether this peer leads its pair. */
    bool IsLeader() const
    {
        return GetSelf() < GetPartner();
    }

  private:
    bool m_halves{false}; ///< Pairs join the halves of the group.
};

/**
 * @ingroup messaging
 * Ping-pong: the leader sends a message, its partner sends it back. The latency is half of a round
 * trip.
 */
class PingPongApplication : public PairApplication
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

  protected:
    void DoBegin() override;
    void DoReceive(const Delivery& delivery) override;

  private:
    /** Begin the next round. */
    void Ping();

    Time m_sent;         ///< When the round began.
    uint32_t m_round{0}; ///< Number of the round.
};

/**
 * @ingroup messaging
 * Stream: the leader sends messages to its partner, with at most Window of them in flight.
 * Latencies are not measured. Many pairs with small messages measure the message rate.
 */
class StreamApplication : public PairApplication
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

  protected:
    void DoBegin() override;
    void DoReceive(const Delivery& delivery) override;
    void DoComplete() override;

  private:
    /** Send as much as the window allows. */
    void Fill();

    uint32_t m_window{1};   ///< Most messages in flight.
    uint32_t m_sent{0};     ///< Messages sent.
    uint32_t m_received{0}; ///< Messages received.
};

/**
 * @ingroup messaging
 * Pairwise exchange, message by message: both send at the same time, and each sends its next
 * message when it has its partner's. The time of a round is measured by the leader, and the
 * bandwidth is that of both directions.
 */
class ExchangeApplication : public PairApplication
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

  protected:
    void DoBegin() override;
    void DoReceive(const Delivery& delivery) override;

  private:
    Time m_roundBegin;    ///< When the round began.
    uint32_t m_round{0};  ///< Number of the round.
    uint32_t m_window{1}; ///< Most rounds sent ahead of those received.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_BENCH_PAIRS_H
