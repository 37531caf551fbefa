/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_TRAFFIC_SCENARIO_H
#define MESSAGING_TRAFFIC_SCENARIO_H

#include "ns3/messaging-scenario.h"
#include "ns3/messaging-types.h"
#include "ns3/nstime.h"

#include <vector>

/**
 * @file
 * @ingroup messaging
 * Base of scenarios in which many hosts offer packets to a network.
 */

namespace ns3
{
namespace messaging
{

/** Outcome of the packets that hosts have offered. */
struct TrafficOutcome
{
    uint32_t hosts{0};            ///< Hosts.
    uint32_t payload{0};          ///< Payload of each packet [bytes].
    Time duration;                ///< Time for which packets were offered.
    uint64_t offered{0};          ///< Packets offered.
    uint64_t delivered{0};        ///< Packets that have arrived.
    uint64_t left{0};             ///< Packets that neither arrived nor were lost.
    uint64_t hops{0};             ///< Links entered.
    uint64_t bytes{0};            ///< Payload that has arrived within the duration.
    std::vector<Ticks> latencies; ///< Of the packets that have arrived [ns].
};

/**
 * @ingroup messaging
 * Base of scenarios in which hosts offer packets at random times to a network, without any
 * protocol: throughput and latency, however the network loses packets.
 */
class TrafficScenario : public Scenario
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    TrafficScenario();
    ~TrafficScenario() override;

  protected:
    /**
     * Compute the results after the run.
     * @param outcome of the packets
     */
    void TakeOutcome(TrafficOutcome outcome);

  private:
    double m_offeredRate{0}; ///< Offered payload [MB/s a host].
    double m_throughput{0};  ///< Payload that has arrived [MB/s a host].
    double m_latency{0};     ///< Mean latency [us].
    double m_latency99{0};   ///< Latency that 99 % do not exceed [us].
    double m_worst{0};       ///< Largest latency [us].
    double m_end{0};         ///< When the last packet had ended [us].
    uint64_t m_offered{0};   ///< Packets.
    uint64_t m_delivered{0}; ///< Packets.
    uint64_t m_left{0};      ///< Packets.
    uint64_t m_hops{0};      ///< Links entered.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_TRAFFIC_SCENARIO_H
