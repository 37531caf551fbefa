/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_TRAFFIC_PATTERNS_H
#define MESSAGING_TRAFFIC_PATTERNS_H

#include "messaging-traffic-loop.h"

#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"

/**
 * @file
 * @ingroup messaging
 * Traffic patterns: destinations and times of each peer's messages.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * Base of traffic patterns: each peer sends Rounds messages, at random times with mean Interval
 * between them, or as fast as its Window allows.
 */
class TrafficApplication : public LoopApplication
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    int64_t AssignStreams(int64_t stream) override;

  protected:
    void DoBegin() override;
    void DoReceive(const Delivery& delivery) override;
    void DoComplete() override;
    void SendMessage(uint32_t number) override;

    /**
     * Draw the destination of the next message.
     * @return another peer, a random one by default
     */
    virtual Peer PickDestination()
    {
        return PickOther();
    }

    /**
     * Draw the time from one message to the next.
     * @param mean the mean
     * @return the time; exponentially distributed by default
     */
    virtual Time PickGap(Time mean);

    /** @return a uniformly random peer other than this one. */
    Peer PickOther();

    Ptr<UniformRandomVariable> m_random{CreateObject<UniformRandomVariable>()}; ///< Random choices.

  private:
    /** Send the next message, and schedule the one after it. */
    void SendNext();

    Time m_interval;     ///< Mean time between messages; 0 to use the window.
    uint32_t m_sent{0};  ///< Messages sent at random times.
    uint32_t m_ended{0}; ///< Messages that have ended.
};

/**
 * @ingroup messaging
 * Uniform random traffic: each message goes to a random other peer.
 */
class UniformApplication : public TrafficApplication
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();
};

/**
 * @ingroup messaging
 * Hot spot: a share of all messages goes to peer 0, the others to random peers.
 */
class HotSpotApplication : public TrafficApplication
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

  protected:
    Peer PickDestination() override;

  private:
    double m_share{1}; ///< Share of the messages for the hot spot.
};

/**
 * @ingroup messaging
 * Permutation: each peer sends to one other, and receives from one.
 */
class PermutationApplication : public TrafficApplication
{
  public:
    /** The permutation. */
    enum Order
    {
        COMPLEMENT, ///< Peer i sends to N - 1 - i.
        SHIFT       ///< Peer i sends to i + N / 2, modulo N.
    };

    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    bool TakesPart(Peer self, uint32_t peers) const override;

  protected:
    Peer PickDestination() override;

  private:
    Order m_order{COMPLEMENT}; ///< The permutation.
};

/**
 * @ingroup messaging
 * Bursty traffic: each peer sends bursts of messages to one destination after the other.
 */
class BurstyApplication : public TrafficApplication
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

  protected:
    Peer PickDestination() override;
    Time PickGap(Time mean) override;

  private:
    uint32_t m_length{8};  ///< Messages of a burst.
    uint32_t m_left{0};    ///< Messages of the current burst to send.
    uint32_t m_gap{0};     ///< Gaps drawn so far.
    Peer m_destination{0}; ///< Destination of the current burst.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_TRAFFIC_PATTERNS_H
