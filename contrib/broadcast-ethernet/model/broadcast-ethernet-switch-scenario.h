/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BROADCAST_ETHERNET_SWITCH_SCENARIO_H
#define BROADCAST_ETHERNET_SWITCH_SCENARIO_H

#include "broadcast-ethernet-switch.h"

#include "ns3/messaging-scenario.h"

#include <string>
#include <vector>

/**
 * @file
 * @ingroup broadcast-ethernet
 * What switches do with traffic, as an experiment.
 */

namespace ns3
{
namespace ethernet
{

/**
 * @ingroup broadcast-ethernet
 * Traffic over one switch, or a tree of them: many to one, broadcasts of many, or uniform; what is
 * delivered, what is dropped and why, and how long it takes.
 *
 * It has all parameters of EthernetSwitch beside its own. Stations are plugged into the switches
 * without nodes and packets. Before the traffic begins, each announces itself by a broadcast.
 */
class EthernetSwitchScenario : public messaging::Scenario
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    EthernetSwitchScenario();
    ~EthernetSwitchScenario() override;

    std::string Check() const override;

  protected:
    void DoDispose() override;
    void DoRun() override;

  private:
    /** Who sends to whom. */
    enum class Pattern : uint8_t
    {
        INCAST,    ///< All to station 0.
        BROADCAST, ///< To all.
        UNIFORM    ///< Each frame to another station, at random.
    };

    /** @return the number of stations that send. */
    uint32_t GetNSenders() const;

    /** @return the copies of all frames that their receivers are to get. */
    uint64_t GetNCopies() const;

    /**
     * Make the switches.
     * @return those that stations are plugged into, in turn
     */
    std::vector<Ptr<EthernetSwitch>> MakeSwitches() const;

    /**
     * Compute results from latencies.
     * @param latencies of all copies delivered [ns]
     */
    void Summarize(std::vector<int64_t>& latencies);

    Ptr<EthernetSwitch> m_switch; ///< Holds the parameters of the switches.
    Pattern m_pattern{};          ///< Who sends to whom.
    uint32_t m_ports{0};          ///< Stations.
    uint32_t m_senders{0};        ///< Stations that send; 0 for all that can.
    uint32_t m_switches{0};       ///< Switches with stations.
    DataRate m_trunkRate;         ///< Rate of links between switches.
    DataRate m_receiverRate;      ///< Rate of the link of station 0; zero for that of the others.
    uint32_t m_bytes{0};          ///< Length of frames.
    uint32_t m_frames{0};         ///< Frames that each sender sends.
    uint32_t m_burst{0};          ///< Frames that a sender has at the same time.
    double m_load{0};             ///< Load that a sender offers to its link [fraction].

    uint64_t m_offered{0};         ///< Copies to be delivered.
    uint64_t m_delivered{0};       ///< Copies delivered.
    uint64_t m_overflow{0};        ///< Copies dropped at full buffers.
    uint64_t m_pool{0};            ///< Copies dropped at a full pool.
    uint64_t m_threshold{0};       ///< Copies dropped at a queue's share of the pool.
    uint64_t m_lost{0};            ///< Copies lost by chance.
    double m_loss{0};              ///< Share of copies not delivered.
    double m_throughput{0};        ///< Bits of frames delivered [Mbit/s].
    double m_duration{0};          ///< From the first bit sent to the last one received [ms].
    double m_latencyMean{0};       ///< Mean latency [us].
    double m_latencyMedian{0};     ///< Median [us].
    double m_latency95{0};         ///< 95th percentile [us].
    double m_latency99{0};         ///< 99th percentile [us].
    double m_latencyMax{0};        ///< Longest [us].
    uint64_t m_peak{0};            ///< Longest queue of any port [buffer unit].
    uint64_t m_pauses{0};          ///< PAUSE frames sent by switches.
    Ptr<messaging::Table> m_table; ///< A row a port.
};

} // namespace ethernet
} // namespace ns3

#endif // BROADCAST_ETHERNET_SWITCH_SCENARIO_H
