/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_UNIFORM_TRAFFIC_SCENARIO_H
#define WORMHOLE_UNIFORM_TRAFFIC_SCENARIO_H

#include "wormhole-uniform-traffic.h"

#include "ns3/messaging-scenario.h"

#include <string>
#include <vector>

/**
 * @file
 * @ingroup wormhole
 * Scenario uniform-traffic.
 */

namespace ns3
{
namespace wormhole
{

/**
 * @ingroup wormhole
 * Latency and throughput of a network under uniform random traffic against offered load, past
 * saturation too, beside those of the same network with routers of another kind.
 *
 * It has all parameters of WormholeNetwork and WormholeFaults beside its own. No protocol repeats
 * what is dropped.
 */
class UniformTrafficScenario : public messaging::Scenario
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    UniformTrafficScenario();
    ~UniformTrafficScenario() override;

    std::string Check() const override;

  protected:
    void DoDispose() override;
    void DoRun() override;

  private:
    /** Routers of which kind are measured beside the ones given. */
    enum class Beside : uint8_t
    {
        NONE,     ///< Nothing else is measured.
        LOSSY,    ///< Lossy ones.
        BUFFERED, ///< Buffered ones.
        HYBRID    ///< Hybrid ones.
    };

    /**
     * Make a network.
     * @param router kind of its routers
     * @param observe whether the use of its links is counted
     * @return the network
     */
    Ptr<WormholeNetwork> MakeNetwork(RouterKind router, bool observe) const;

    /**
     * Have parts of a network fail, if the parameters say so.
     * @param network the network
     * @return what fails
     */
    Ptr<WormholeFaults> MakeFaults(Ptr<WormholeNetwork> network) const;

    /** @return the kinds of routers that are measured. */
    std::vector<RouterKind> GetRouters() const;

    /** @return the offered loads [flits a node and cycle]. */
    std::vector<double> GetLoads() const;

    /** Run one network at one load with everything recorded. */
    void Observe();

    Ptr<WormholeNetwork> m_network; ///< Holds the parameters of the network.
    Ptr<WormholeFaults> m_faults;   ///< Holds the parameters of what fails.
    Beside m_beside{};              ///< Measured beside it.
    uint32_t m_flits{0};            ///< Length of each packet [flits].
    double m_minLoad{0};            ///< Lowest load [flits a node and cycle].
    double m_maxLoad{0};            ///< Highest load [flits a node and cycle].
    uint32_t m_points{0};           ///< Number of loads.
    uint32_t m_warmUp{0};           ///< Cycles before a measurement.
    uint32_t m_cycles{0};           ///< Cycles of a measurement.
    double m_mapLoad{0};            ///< Load of the heat map [flits a node and cycle].
    uint32_t m_timelineLength{0};   ///< Packets in the timeline.

    double m_zeroLoadLatency{0};      ///< Latency at the lowest load [cycles].
    double m_throughput{0};           ///< Largest throughput [flits a node and cycle].
    double m_throughputBeside{0};     ///< The same of the other network.
    double m_meanUtilization{0};      ///< Of all links at the heat map's load.
    double m_maxUtilization{0};       ///< Of the busiest link.
    uint64_t m_hops{0};               ///< Hops simulated.
    uint64_t m_failed{0};             ///< Failures of links and routers.
    Ptr<messaging::Table> m_curve;    ///< Latency and throughput.
    Ptr<messaging::Table> m_drops;    ///< Dropped packets.
    Ptr<messaging::Table> m_map;      ///< Use of each link.
    Ptr<messaging::Table> m_timeline; ///< What became of packets.
};

} // namespace wormhole
} // namespace ns3

#endif // WORMHOLE_UNIFORM_TRAFFIC_SCENARIO_H
