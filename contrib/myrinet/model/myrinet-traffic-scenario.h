/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MYRINET_TRAFFIC_SCENARIO_H
#define MYRINET_TRAFFIC_SCENARIO_H

#include "myrinet-traffic.h"

#include "ns3/messaging-traffic-scenario.h"

/**
 * @file
 * @ingroup myrinet
 * What a Myrinet does with an offered load while parts of it fail.
 */

namespace ns3
{
namespace myrinet
{

/**
 * @ingroup myrinet
 * Scenario myrinet-traffic: hosts offer packets at random times, without any protocol; throughput,
 * latency and what was lost, by cause.
 */
class MyrinetTrafficScenario : public messaging::TrafficScenario
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    MyrinetTrafficScenario();
    ~MyrinetTrafficScenario() override;

    std::string Check() const override;

  protected:
    void DoDispose() override;
    void DoRun() override;

  private:
    /**
     * Take the results of a run.
     * @param port the network
     * @param traffic the traffic
     * @param rest what is still under way or waits [packets]
     */
    void TakeResults(const MyrinetNetwork& port, const Traffic& traffic, uint64_t rest);

    Ptr<MyrinetNetwork> m_port; ///< Holds the parameters of the network.
    uint32_t m_nodes{8};        ///< Number of hosts.
    Pattern m_pattern{};        ///< Whom hosts send to.
    uint32_t m_shift{0};        ///< How much further on, for shift.
    double m_hotShare{0};       ///< Probability, for hot-spot.
    uint32_t m_payload{0};      ///< Payload of each packet [bytes].
    double m_load{0};           ///< Share of a link's rate that each host offers.
    Time m_duration;            ///< For how long.

    uint64_t m_lostCrc{0};            ///< Packets (item 1).
    uint64_t m_lostBuffer{0};         ///< Packets (item 2).
    uint64_t m_lostNres{0};           ///< Packets (item 3).
    uint64_t m_lostOverwrite{0};      ///< Packets (item 4).
    uint64_t m_undetected{0};         ///< Packets (item 1).
    uint64_t m_stops{0};              ///< STOP characters.
    Ptr<messaging::Table> m_links;    ///< Use of each link.
    Ptr<messaging::Table> m_counters; ///< All counters.
};

} // namespace myrinet
} // namespace ns3

#endif // MYRINET_TRAFFIC_SCENARIO_H
