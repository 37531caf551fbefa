/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_TRAFFIC_PAIRS_H
#define MESSAGING_TRAFFIC_PAIRS_H

#include "ns3/messaging-traffic-loop.h"

/**
 * @file
 * @ingroup messaging
 * Benchmarks of pairs of peers: ping-pong, stream, pairwise exchange and bisection.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * Base of the benchmarks between two peers, by default 0 and 1, 2 and 3 and so on. The one with the
 * smaller number is the leader.
 *
 * @tparam Base the other base
 */
template <class Base>
class PairApplication : public Base
{
  public:
    bool TakesPart(Peer self, uint32_t peers) const override
    {
        return peers % 2 == 0 || self + 1 < peers;
    }

  protected:
    /** @return the other peer. */
    virtual Peer GetPartner() const
    {
        return this->GetSelf() ^ 1U;
    }

    /** @return whether this peer is the leader of its pair. */
    bool IsLeader() const
    {
        return this->GetSelf() < GetPartner();
    }
};

/**
 * @ingroup messaging
 * Ping-pong: the leader sends a message, and its partner returns it. The latency is half of a round
 * trip.
 */
class PingPongApplication : public PairApplication<BenchmarkApplication>
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

    Time m_sent;         ///< Begin of the round.
    uint32_t m_round{0}; ///< Number of the round.
};

/**
 * @ingroup messaging
 * Stream: the leader sends messages to its partner, with at most Window of them in flight. Times of
 * rounds are not measured. Many pairs with small messages measure the message rate.
 */
class StreamApplication : public PairApplication<LoopApplication>
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
    void SendMessage(uint32_t number) override;

  private:
    uint32_t m_received{0}; ///< Messages received.
};

/**
 * @ingroup messaging
 * Pairwise exchange, message by message: both peers send at the same time, and each sends its next
 * message when it has received its partner's. The leader measures the time of a round. The
 * bandwidth is that of both directions.
 */
class ExchangeApplication : public PairApplication<BenchmarkApplication>
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
    Time m_roundBegin;    ///< Begin of the round.
    uint32_t m_round{0};  ///< Number of the round.
    uint32_t m_window{1}; ///< Largest lead of sent over received rounds.
};

/**
 * @ingroup messaging
 * Bisection: an exchange between the halves of the group. Peer i of N is the partner of peer
 * i + N / 2, so every message crosses the middle of the network.
 */
class BisectionApplication : public ExchangeApplication
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

  protected:
    Peer GetPartner() const override;
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_TRAFFIC_PAIRS_H
