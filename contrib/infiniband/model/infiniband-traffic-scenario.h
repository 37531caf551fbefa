/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INFINIBAND_TRAFFIC_SCENARIO_H
#define INFINIBAND_TRAFFIC_SCENARIO_H

#include "infiniband-traffic.h"

#include "ns3/messaging-traffic-scenario.h"

/**
 * @file
 * @ingroup infiniband
 * What a fabric does with an offered load, and while parts of it fail.
 */

namespace ns3
{
namespace infiniband
{

/**
 * @ingroup infiniband
 * Scenario infiniband-traffic: hosts offer packets at random times, without adapters or transports;
 * throughput, latency, waits for credits, and what was lost, by cause.
 */
class InfinibandTrafficScenario : public messaging::TrafficScenario
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    InfinibandTrafficScenario();
    ~InfinibandTrafficScenario() override;

    std::string Check() const override;

  protected:
    void DoDispose() override;
    void DoRun() override;

  private:
    /**
     * Count what neither arrived nor was lost.
     * @param fabric the fabric
     * @param traffic the traffic
     * @return packets
     */
    static uint64_t CountLeft(Ptr<const Fabric> fabric, const Traffic& traffic);

    /**
     * Take the results of a run.
     * @param fabric the fabric
     * @param traffic the traffic
     */
    void TakeResults(Ptr<Fabric> fabric, const Traffic& traffic);

    /**
     * Make the table of ports.
     * @param fabric the fabric
     * @return a row for each port with a cable
     */
    static Ptr<messaging::Table> MakePortTable(Ptr<Fabric> fabric);

    Ptr<Subnet> m_subnet;    ///< Holds the parameters of the subnet.
    Ptr<Fabric> m_fabric;    ///< Holds the parameters of the fabric.
    Pattern m_pattern{};     ///< Whom hosts send to.
    uint32_t m_payload{0};   ///< Payload of each packet [bytes].
    double m_load{0};        ///< Share of a link's rate that each host offers.
    Time m_duration;         ///< For how long.
    uint32_t m_services{0};  ///< Service levels, used in turn.
    double m_failureRate{0}; ///< Failures of each link between switches [1/s].
    Time m_repairTime;       ///< How long each lasts.

    uint64_t m_hosts{0};           ///< Hosts.
    uint64_t m_overtaken{0};       ///< Packets.
    uint64_t m_lostVcrc{0};        ///< Packets.
    uint64_t m_lostIcrc{0};        ///< Packets.
    uint64_t m_lostLink{0};        ///< Packets.
    uint64_t m_lostPort{0};        ///< Packets.
    uint64_t m_lostRoute{0};       ///< Packets.
    double m_eventsPerHop{0};      ///< Events inside the fabric.
    double m_xmitWait{0};          ///< Mean share of time that a port waits for credits.
    uint64_t m_sweeps{0};          ///< Of the subnet manager.
    Ptr<messaging::Table> m_ports; ///< Counters of each port.
};

} // namespace infiniband
} // namespace ns3

#endif // INFINIBAND_TRAFFIC_SCENARIO_H
