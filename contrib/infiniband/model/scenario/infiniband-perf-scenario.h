/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INFINIBAND_PERF_SCENARIO_H
#define INFINIBAND_PERF_SCENARIO_H

#include "infiniband-adapter-scenario.h"

#include "ns3/infiniband-engine.h"

#include <vector>

/**
 * @file
 * @ingroup infiniband
 * Latency, bandwidth and message rate of the verbs between two hosts.
 */

namespace ns3
{
namespace infiniband
{

/**
 * @ingroup infiniband
 * The measurements of perftest: one process on each of two hosts, above the verbs alone.
 *
 * Latency is half the time of a ping-pong, from before the post to after the poll. Bandwidth and
 * message rate are of messages that the one side posts as fast as its processor and a window let
 * it. A process either posts or polls, a message at a time; that and nothing else takes processor
 * time.
 */
class InfinibandPerfScenario : public AdapterScenario
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    InfinibandPerfScenario();

    std::string Check() const override;

  protected:
    void DoRun() override;

  private:
    /** Operations of the messages. */
    enum class Operation : uint8_t
    {
        SEND,  ///< Sends.
        WRITE, ///< RDMA writes; in the ping-pong with immediate data, which the other side sees.
        READ   ///< RDMA reads; latency is that of the read.
    };

    /** Measures at one size. */
    class Measurement;

    Transport m_transport{Transport::RC};   ///< Type of the queue pairs.
    Operation m_operation{Operation::SEND}; ///< Operation of the messages.
    HostId m_from{0};                       ///< The one host.
    HostId m_to{1};                         ///< The other.
    uint32_t m_minBytes{1};                 ///< Smallest message [bytes].
    uint32_t m_maxBytes{1U << 20};          ///< Largest message [bytes].
    uint32_t m_iterations{1000};            ///< Messages of each measurement.
    Ptr<Engine> m_engine;                   ///< Holds the attributes of the network.
    double m_latency{0};                    ///< At the smallest size [us].
    double m_bandwidth{0};                  ///< Largest at any size [MB/s].
    double m_messageRate{0};                ///< At the smallest size [1/s].
    Ptr<messaging::Table> m_curve;          ///< By size.
};

} // namespace infiniband
} // namespace ns3

#endif // INFINIBAND_PERF_SCENARIO_H
