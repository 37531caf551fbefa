/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_TRAFFIC_SESSION_H
#define MESSAGING_TRAFFIC_SESSION_H

#include "ns3/callback.h"
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
    /** Called with a number of messages of a peer that have been delivered, or lost for ever. */
    using Settled = Callback<void, uint32_t>;

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

    /**
     * Set the callback for the deliveries of a sender's messages, which its protocol may not
     * report. A closed loop that does not depend on acknowledgements needs it.
     * @param sender the sender
     * @param settled called with each delivery
     */
    void Watch(Peer sender, Settled settled);

    /**
     * Report deliveries to the callback of Watch.
     * @param from the sender
     * @param count number of deliveries that took place or never will
     */
    void Settle(Peer from, uint32_t count);

    /**
     * Set the delay of a message that its application is about to receive.
     * @param delay the time since the sender's application has posted it
     */
    void SetDelay(Time delay)
    {
        m_delay = delay;
    }

    /** Begin the measurement, unless it has begun. */
    void Begin();

    /**
     * Count the message that has arrived last, with its delay.
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

    /** @return the delays of all counted messages, from the application's post to the delivery, in
     * the order of delivery. */
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

    /** An application has a message to send. @param self the application's peer */
    void Post(Peer self)
    {
        m_postTrace(self);
    }

    /**
     * Signature of the Post trace source.
     * @param self the sender
     */
    typedef void (*PostTracedCallback)(Peer self);

    /**
     * Signature of the Count trace source.
     * @param delay the message's delay
     */
    typedef void (*CountTracedCallback)(Time delay);

    /** @return the mean latency, 0 if there are none. */
    Time GetMeanLatency() const;

    /** @return the largest latency, 0 if there are none. */
    Time GetMaxLatency() const;

  protected:
    void DoDispose() override;

  private:
    Ptr<GroupEndpoints> m_endpoints;   ///< The endpoints.
    std::vector<Time> m_latencies;     ///< Measured latencies.
    std::vector<Time> m_delays;        ///< Delays of all counted messages.
    std::vector<Settled> m_watchers;   ///< By peer, those that Watch has set; empty without any.
    std::string m_failure;             ///< Reason of a failure.
    TracedCallback<> m_finishedTrace;  ///< Fired at the end.
    TracedCallback<Peer> m_postTrace;  ///< Fired for each message to be sent.
    TracedCallback<Time> m_countTrace; ///< Fired for each counted message.
    Time m_delay;                      ///< Delay of the message that has arrived last.
    Time m_begin;                      ///< Begin of the measurement.
    Time m_end;                        ///< Time of the last counted message or work.
    Time m_roundBegin;                 ///< Begin of the round.
    uint64_t m_messages{0};            ///< Messages counted.
    uint64_t m_bytes{0};               ///< Bytes counted.
    uint32_t m_reached{0};             ///< Peers that have received the round's message.
    uint32_t m_joined{0};              ///< Number of applications.
    uint32_t m_ended{0};               ///< Number of applications that have ended.
    bool m_begun{false};               ///< The measurement has begun.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_TRAFFIC_SESSION_H
