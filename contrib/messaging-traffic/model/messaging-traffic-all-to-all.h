/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_TRAFFIC_ALL_TO_ALL_H
#define MESSAGING_TRAFFIC_ALL_TO_ALL_H

#include "ns3/messaging-traffic-application.h"

#include <vector>

/**
 * @file
 * @ingroup messaging
 * Benchmark of a whole group: all-to-all.
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

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_TRAFFIC_ALL_TO_ALL_H
