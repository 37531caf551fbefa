/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_TRAFFIC_BROADCAST_H
#define MESSAGING_TRAFFIC_BROADCAST_H

#include "ns3/messaging-traffic-application.h"

#include <vector>

/**
 * @file
 * @ingroup messaging
 * Benchmarks of broadcasts by messages.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * Base of broadcasts: each round, all peers receive a message of peer 0. The next round follows
 * when all have it, as the benchmark sees it, or with Answers when each has answered peer 0 with a
 * byte, which costs what a program pays that has no other way to know. The latency is the time
 * until the last peer has received the message.
 */
class RootedBroadcastApplication : public BenchmarkApplication
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

    /**
     * Send the messages of this peer in a round, which it has begun as peer 0 or received.
     * @param round number of the round, the tag of its messages
     */
    virtual void SendRound(uint32_t round) = 0;

  private:
    /** Begin a round, as peer 0. */
    void BeginRound();

    /** End a round, as peer 0, and begin the next. */
    void EndRound();

    /** Count the message of a round at a receiver, forward and answer it. @param delivery it */
    void ReceiveMessage(const Delivery& delivery);

    uint32_t m_answers{0};   ///< Answers to the round's message.
    uint32_t m_round{0};     ///< At peer 0 the present round, elsewhere that of the last message.
    bool m_answering{false}; ///< Receivers answer.
};

/**
 * @ingroup messaging
 * Broadcast by peer 0, which sends the message to one peer after the other, or posts it once, to
 * all.
 */
class BroadcastApplication : public RootedBroadcastApplication
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

  protected:
    void SendRound(uint32_t round) override;

  private:
    bool m_hardware{false}; ///< A message is posted once, to all.
};

/**
 * @ingroup messaging
 * Broadcast down a binomial tree of messages, that of MPI_Bcast: each peer that has the message
 * sends it to its children, to the one with the most peers below it first. With 2^k peers, k
 * messages follow each other. A message that is lost for ever leaves the peers below without, and
 * no round follows.
 */
class BinomialBroadcastApplication : public RootedBroadcastApplication
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * List the peers to which a peer sends.
     * @param self the peer
     * @param peers number of peers
     * @return the peers, in the order of the sends
     */
    static std::vector<Peer> GetChildren(Peer self, uint32_t peers);

  protected:
    void DoBegin() override;
    void SendRound(uint32_t round) override;

  private:
    std::vector<Peer> m_children; ///< Destinations of this peer.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_TRAFFIC_BROADCAST_H
