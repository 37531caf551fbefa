/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INFINIBAND_PERF_SCENARIO_H
#define INFINIBAND_PERF_SCENARIO_H

#include "infiniband-adapter-scenario.h"

#include "ns3/infiniband-engine.h"

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
 * Latency is half the time of a ping-pong, from before the post to after the poll. For bandwidth
 * and message rate, one side posts messages as fast as its processor and a window permit. A process
 * posts or polls one message at a time; nothing else takes processor time.
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
        WRITE, ///< RDMA writes; the ping-pong uses immediate data, which the receiver sees.
        READ   ///< RDMA reads; the latency is that of the read.
    };

    /** Measurement of one message size. */
    class Measurement;

    Transport m_transport{Transport::RC};   ///< Type of the queue pairs.
    Operation m_operation{Operation::SEND}; ///< Operation of the messages.
    HostId m_from{0};                       ///< Measuring host.
    HostId m_to{1};                         ///< Peer host.
    uint32_t m_minBytes{1};                 ///< Smallest message [bytes].
    uint32_t m_maxBytes{1U << 20};          ///< Largest message [bytes].
    uint32_t m_iterations{1000};            ///< Messages of each measurement.
    Ptr<Engine> m_engine;                   ///< Holds the attributes of the network.
    double m_latency{0};                    ///< Latency of the smallest message [us].
    double m_bandwidth{0};                  ///< Largest bandwidth over all sizes [MB/s].
    double m_messageRate{0};                ///< Message rate of the smallest message [1/s].
    Ptr<messaging::Table> m_curve;          ///< A row for each message size.
};

} // namespace infiniband
} // namespace ns3

#endif // INFINIBAND_PERF_SCENARIO_H
