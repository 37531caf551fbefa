/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_BENCH_COLLECTIVES_H
#define MESSAGING_BENCH_COLLECTIVES_H

#include "ns3/messaging-bench-application.h"

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
 * All-to-all: in each round every peer sends a message to every other, first to the one after it,
 * and begins its next round when it has a message of this one from every other. The time of a round
 * is measured by peer 0.
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

    std::vector<uint32_t>
        m_received;      ///< Messages received of each round; faster peers are a round ahead.
    Time m_roundBegin;   ///< When the round began.
    uint32_t m_round{0}; ///< Number of the round.
    bool m_begun{false}; ///< Whether the first round has begun.
};

/**
 * @ingroup messaging
 * Broadcast by messages: peer 0's message goes to all others, each of which answers peer 0 with a
 * byte; then the next round begins. The latency is the time until the last peer has the message.
 */
class BroadcastApplication : public BenchmarkApplication
{
  public:
    /** Sender and receivers of each copy. */
    enum Tree
    {
        LINEAR,   ///< Peer 0 sends it to every other.
        BINOMIAL, ///< Peers that have it forward it, to the most distant first.
        HARDWARE  ///< Peer 0 posts it once, to all others; the protocol has to be able to.
    };

    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Get the peers to which a peer sends the message.
     * @param tree the kind of tree
     * @param self the peer
     * @param peers number of peers
     * @return the peers, in the order in which they are sent to
     */
    static std::vector<Peer> GetChildren(Tree tree, Peer self, uint32_t peers);

  protected:
    void DoBegin() override;
    void DoReceive(const Delivery& delivery) override;

  private:
    /** Begin a round, as peer 0. */
    void BeginRound();

    /** Send the message to this peer's children. */
    void SendOn();

    Tree m_tree{LINEAR};   ///< Sender and receivers of each copy.
    uint32_t m_answers{0}; ///< Answers to the round's message.
    uint32_t m_round{0};   ///< Number of the round.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_BENCH_COLLECTIVES_H
