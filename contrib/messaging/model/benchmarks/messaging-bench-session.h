/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_BENCH_SESSION_H
#define MESSAGING_BENCH_SESSION_H

#include "ns3/messaging-endpoint.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Results of one run of a benchmark.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * One run of a benchmark on a group: collects the measurements of all applications.
 */
class BenchmarkSession : public Object
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Set the endpoints that the applications use, and keep them.
     * @param endpoints the endpoints of a group
     */
    void SetEndpoints(Ptr<GroupEndpoints> endpoints)
    {
        m_endpoints = endpoints;
    }

    /** @return the endpoints that the applications use; they trace messages. */
    Ptr<GroupEndpoints> GetEndpoints() const
    {
        return m_endpoints;
    }

    /** Add an application. */
    void Join()
    {
        ++m_joined;
    }

    /** Begin to measure, unless that has been done. */
    void Begin();

    /**
     * Count a message that has arrived.
     * @param bytes its size [bytes]
     */
    void Count(uint32_t bytes);

    /**
     * Add a measured latency, or time of a round.
     * @param latency the time
     */
    void AddLatency(Time latency)
    {
        m_latencies.push_back(latency);
    }

    /**
     * Add the delay of a message, from the application's post to the delivery.
     * @param delay the time
     */
    void AddDelay(Time delay)
    {
        m_delays.push_back(delay);
    }

    /** @return the delays of all messages in the order of their deliveries. */
    const std::vector<Time>& GetDelays() const
    {
        return m_delays;
    }

    /** Begin a round of a broadcast, whose latency is the time until all others have the message.
     */
    void BeginRound();

    /** A peer has the message of the broadcast that was begun last, and it is measured. */
    void ReachPeer();

    /** An application has received all that it expects. */
    void EndApplication();

    /**
     * The benchmark cannot go on.
     * @param sentence the reason
     */
    void Fail(const std::string& sentence);

    /** @return whether all applications have received all that they expect. */
    bool IsFinished() const
    {
        return m_joined > 0 && m_ended == m_joined;
    }

    /** @return the reason of a failure, empty if there was none. */
    const std::string& GetFailure() const
    {
        return m_failure;
    }

    /** @return the messages that were counted. */
    uint64_t GetNMessages() const
    {
        return m_messages;
    }

    /** @return the bytes of those messages. */
    uint64_t GetNBytes() const
    {
        return m_bytes;
    }

    /** @return the time from the begin of the measurement to the last message that was counted. */
    Time GetElapsed() const
    {
        return m_end - m_begin;
    }

    /** @return bytes counted a second, 0 if no time has passed [bytes/s]. */
    double GetBandwidth() const;

    /** @return all measured latencies. */
    const std::vector<Time>& GetLatencies() const
    {
        return m_latencies;
    }

    /** @return their mean, 0 if there are none. */
    Time GetMeanLatency() const;

    /** @return the smallest of them, 0 if there are none. */
    Time GetMinLatency() const;

    /** @return the largest of them, 0 if there are none. */
    Time GetMaxLatency() const;

  protected:
    void DoDispose() override;

  private:
    Ptr<GroupEndpoints> m_endpoints;  ///< The endpoints.
    std::vector<Time> m_latencies;    ///< Measured latencies.
    std::vector<Time> m_delays;       ///< Delays of all messages.
    std::string m_failure;            ///< Reason of a failure.
    TracedCallback<> m_finishedTrace; ///< Fired at the end.
    Time m_begin;                     ///< When measuring began.
    Time m_end;                       ///< When the last message was counted.
    Time m_roundBegin;                ///< When the round began.
    uint64_t m_messages{0};           ///< Messages counted.
    uint64_t m_bytes{0};              ///< Bytes counted.
    uint32_t m_reached{0};            ///< Peers that have the round's message.
    uint32_t m_joined{0};             ///< Applications.
    uint32_t m_ended{0};              ///< Applications that have ended.
    bool m_begun{false};              ///< Whether measuring has begun.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_BENCH_SESSION_H
