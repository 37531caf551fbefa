/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_TRAFFIC_SESSION_H
#define MESSAGING_TRAFFIC_SESSION_H

#include "ns3/messaging-endpoint.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/simulator.h"
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
 * Run of a benchmark on a group, with the measurements of all applications.
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
     * Set the endpoints of the applications, and own them.
     * @param endpoints the endpoints of a group
     */
    void SetEndpoints(Ptr<GroupEndpoints> endpoints)
    {
        m_endpoints = endpoints;
    }

    /** @return the endpoints of the applications, which trace messages. */
    Ptr<GroupEndpoints> GetEndpoints() const
    {
        return m_endpoints;
    }

    /** Add an application. */
    void Join()
    {
        ++m_joined;
    }

    /** Begin the measurement, unless it has begun. */
    void Begin();

    /**
     * Count a received message.
     * @param bytes its size [bytes]
     */
    void Count(uint32_t bytes);

    /** Extend the measurement to now, since work of an application has ended. */
    void Extend()
    {
        m_end = Simulator::Now();
    }

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

    /** @return the delays of all messages, in the order of delivery. */
    const std::vector<Time>& GetDelays() const
    {
        return m_delays;
    }

    /** Begin a round of a broadcast. Its latency is the time until all others have the message.
     */
    void BeginRound();

    /** Count a peer that has received the message of the current round, which is measured. */
    void ReachPeer();

    /** Count an application that has received all expected messages. */
    void EndApplication();

    /**
     * Abort the benchmark.
     * @param sentence the reason
     */
    void Fail(const std::string& sentence);

    /** @return whether all applications have received all expected messages. */
    bool IsFinished() const
    {
        return m_joined > 0 && m_ended == m_joined;
    }

    /** @return the reason of a failure, or empty. */
    const std::string& GetFailure() const
    {
        return m_failure;
    }

    /** @return the number of counted messages. */
    uint64_t GetNMessages() const
    {
        return m_messages;
    }

    /** @return the total size of counted messages [bytes]. */
    uint64_t GetNBytes() const
    {
        return m_bytes;
    }

    /** @return the time from the begin of the measurement to the last counted message or work. */
    Time GetElapsed() const
    {
        return m_end - m_begin;
    }

    /** @return the rate of counted bytes, 0 if no time has passed [bytes/s]. */
    double GetBandwidth() const;

    /** @return all measured latencies. */
    const std::vector<Time>& GetLatencies() const
    {
        return m_latencies;
    }

    /** @return the mean latency, 0 if there are none. */
    Time GetMeanLatency() const;

    /** @return the largest latency, 0 if there are none. */
    Time GetMaxLatency() const;

  protected:
    void DoDispose() override;

  private:
    Ptr<GroupEndpoints> m_endpoints;  ///< The endpoints.
    std::vector<Time> m_latencies;    ///< Measured latencies.
    std::vector<Time> m_delays;       ///< Delays of all messages.
    std::string m_failure;            ///< Reason of a failure.
    TracedCallback<> m_finishedTrace; ///< Fired at the end.
    Time m_begin;                     ///< Begin of the measurement.
    Time m_end;                       ///< Time of the last counted message or work.
    Time m_roundBegin;                ///< Begin of the round.
    uint64_t m_messages{0};           ///< Messages counted.
    uint64_t m_bytes{0};              ///< Bytes counted.
    uint32_t m_reached{0};            ///< Peers that have received the round's message.
    uint32_t m_joined{0};             ///< Number of applications.
    uint32_t m_ended{0};              ///< Number of applications that have ended.
    bool m_begun{false};              ///< The measurement has begun.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_TRAFFIC_SESSION_H
