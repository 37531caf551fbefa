/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_TRAFFIC_COLLECTIVES_H
#define MESSAGING_TRAFFIC_COLLECTIVES_H

#include "ns3/messaging-traffic-application.h"

#include <vector>

/**
 * @file
 * @ingroup messaging
 * Benchmarks of whole groups: all-to-all and broadcast.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * All-to-all: in each round every peer sends a message to every other, in order from its successor.
 * It begins its next round when it has received a message of this round from every other. Peer 0
 * measures the time of a round.
 */
class AllToAllApplication : public BenchmarkApplication
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
    /** Begin a round. */
    void BeginRound();

    std::vector<uint32_t> m_received; ///< Messages received by round; fast peers are one ahead.
    Time m_roundBegin;                ///< Begin of the round.
    uint32_t m_round{0};              ///< Number of the round.
    bool m_begun{false};              ///< The first round has begun.
};

/**
 * @ingroup messaging
 * Broadcast by messages: each round, peer 0 sends a message to all others. The next round follows
 * when all have it, as the benchmark sees it, or with Answers when each has answered peer 0 with a
 * byte, which costs what a program pays that has no other way to know. The latency is the time
 * until the last peer has received the message.
 */
class BroadcastApplication : public BenchmarkApplication
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
    void DoSettle() override;

  private:
    /** Begin a round, as peer 0. */
    void BeginRound();

    /** End a round, as peer 0, and begin the next. */
    void EndRound();

    uint32_t m_answers{0};   ///< Answers to the round's message.
    uint32_t m_round{0};     ///< Number of the round.
    bool m_hardware{false};  ///< A message is posted once, to all.
    bool m_answering{false}; ///< Receivers answer.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_TRAFFIC_COLLECTIVES_H
