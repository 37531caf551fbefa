/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INFINIBAND_ENGINE_COMPARISON_SCENARIO_H
#define INFINIBAND_ENGINE_COMPARISON_SCENARIO_H

#include "infiniband-engine-traffic.h"
#include "infiniband-message-engine.h"

#include "ns3/messaging-scenario.h"

#include <string>

/**
 * @file
 * @ingroup infiniband
 * Scenario infiniband-engine-comparison.
 */

namespace ns3
{
namespace infiniband
{

/**
 * @ingroup infiniband
 * The same messages over the message engine and over the packet engine: latency and bandwidth
 * between two hosts by length, and latencies of all hosts by pattern and load.
 *
 * It has all parameters of MessageEngine beside its own; those of Engine hold for both.
 */
class InfinibandEngineComparisonScenario : public messaging::Scenario
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    InfinibandEngineComparisonScenario();
    ~InfinibandEngineComparisonScenario() override;

    std::string Check() const override;

  protected:
    void DoDispose() override;
    void DoRun() override;

  private:
    /** What one engine does with some messages. */
    struct Outcome
    {
        uint64_t posted{0};  ///< Messages.
        uint64_t arrived{0}; ///< Of them.
        double mean{0};      ///< Mean latency [us].
        double most{0};      ///< Latency that 99 % do not exceed [us].
        double last{0};      ///< Latency of the message that has arrived last [us].
        double end{0};       ///< When the last one arrived [us].
        double events{0};    ///< Events of the engine a message; of the fabric's none.
        double misses{0};    ///< Contexts fetched a message.
    };

    /**
     * Send messages over one engine.
     * @param packet whether over the packet engine
     * @param load what
     * @param hosts how many hosts
     * @return what became of them
     */
    Outcome Measure(bool packet, const EngineLoad& load, HostId hosts);

    /** Measure two hosts by the length of messages. */
    void ComparePairs();

    /** Measure all hosts by pattern and load. */
    void ComparePatterns();

    Ptr<MessageEngine> m_engine; ///< Holds the parameters.
    Transport m_transport{};     ///< Over what.
    HostId m_nodes{0};           ///< Hosts.
    uint32_t m_bytes{0};         ///< Of each message, with patterns.
    uint32_t m_messages{0};      ///< Of each host.
    uint32_t m_burst{0};         ///< Messages posted at once, for bursts.
    double m_maxLoad{0};         ///< Largest load [share of a link].
    uint32_t m_points{0};        ///< Number of loads.

    double m_worstLatency{0};             ///< Largest deviation [%].
    double m_worstBandwidth{0};           ///< Largest deviation [%].
    double m_worstMean{0};                ///< Largest deviation of a mean latency [%].
    double m_worstEnd{0};                 ///< Largest deviation of the time of all messages [%].
    double m_messageEvents{0};            ///< Events a message.
    double m_packetEvents{0};             ///< Events a message.
    std::string m_failed;                 ///< Why a run was impossible, or empty.
    Ptr<messaging::Table> m_pairTable;    ///< Two hosts.
    Ptr<messaging::Table> m_patternTable; ///< All hosts.
};

} // namespace infiniband
} // namespace ns3

#endif // INFINIBAND_ENGINE_COMPARISON_SCENARIO_H
