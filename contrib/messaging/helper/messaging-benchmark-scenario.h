/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_BENCHMARK_SCENARIO_H
#define MESSAGING_BENCHMARK_SCENARIO_H

#include "messaging-benchmark-helper.h"
#include "messaging-host-helper.h"

#include "ns3/data-rate.h"
#include "ns3/ipv4-interface-container.h"
#include "ns3/messaging-bench-collectives.h"
#include "ns3/messaging-scenario.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Benchmarks of TCP and of bare datagrams over networks of ns-3, with what they cost the hosts.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * Latency, bandwidth and message rate against message size, of TCP or bare datagrams over csma or a
 * point-to-point link, on hosts that charge the IP stack's work or not.
 *
 * Each size is a simulation of its own.
 */
class MessagingBenchmarkScenario : public Scenario
{
  public:
    /** What carries the messages. */
    enum Protocol
    {
        TCP,     ///< ns-3's TCP.
        DATAGRAM ///< UDP datagrams, one a message.
    };

    /** What carries the packets. */
    enum Network
    {
        CSMA,          ///< One csma channel.
        POINT_TO_POINT ///< One link.
    };

    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    MessagingBenchmarkScenario();
    ~MessagingBenchmarkScenario() override;

    std::string Check() const override;

  protected:
    void DoRun() override;

  private:
    /** What is measured with one size. */
    struct Measured
    {
        Time latency;          ///< Mean latency.
        Time minLatency;       ///< Smallest.
        Time maxLatency;       ///< Largest.
        double bandwidth{0};   ///< [bytes/s]
        double rate{0};        ///< [1/s]
        double cpuShare{0};    ///< Mean over all nodes.
        uint64_t messages{0};  ///< Messages measured.
        uint64_t lost{0};      ///< Messages that never arrived.
        bool completed{false}; ///< Whether the benchmark came to its end.
    };

    /** @return the message sizes, in rising order. [bytes] */
    std::vector<uint32_t> GetSizes() const;

    /**
     * Run the benchmark with one size; sets a verdict if it does not come to its end.
     * @param size size of a message [bytes]
     * @return what was measured
     */
    Measured RunSize(uint32_t size);

    /**
     * Build the network and its hosts.
     * @param nodes the nodes
     * @return the interfaces of all nodes
     */
    Ipv4InterfaceContainer BuildNetwork(const NodeContainer& nodes) const;

    /**
     * Make the group of all nodes.
     * @param nodes the nodes
     * @param interfaces their interfaces
     * @return the group
     */
    Ptr<MessageGroup> BuildGroup(const NodeContainer& nodes,
                                 const Ipv4InterfaceContainer& interfaces) const;

    /** @return a helper with the host costs of this scenario. */
    HostHelper MakeHostHelper() const;

    /**
     * Keep what was measured as results.
     * @param sizes the sizes [bytes]
     * @param measured what was measured with each
     */
    void SetResults(const std::vector<uint32_t>& sizes, const std::vector<Measured>& measured);

    BenchmarkHelper::Benchmark m_benchmark{BenchmarkHelper::PING_PONG}; ///< Which benchmark.
    BroadcastApplication::Tree m_tree{BroadcastApplication::LINEAR};    ///< Tree of a broadcast.
    Protocol m_protocol{TCP};                                    ///< What carries the messages.
    Network m_network{CSMA};                                     ///< What carries the packets.
    HostNetDevice::TransferMode m_transfer{HostNetDevice::NONE}; ///< How packets cross the bus.
    uint32_t m_nodes{2};                                         ///< Number of nodes.
    uint32_t m_minSize{1};                                       ///< Smallest message [bytes].
    uint32_t m_maxSize{1};                                       ///< Largest message [bytes].
    uint32_t m_factor{4};                                        ///< From one size to the next.
    uint32_t m_rounds{1};                                        ///< Measured rounds.
    uint32_t m_warmup{0};                                        ///< Rounds before them.
    uint32_t m_window{1};        ///< Messages of a stream under way.
    uint32_t m_segmentSize{536}; ///< TCP's segments [bytes].
    uint32_t m_cpus{1};          ///< CPUs of a host.
    uint32_t m_busBurst{0};      ///< Burst on the bus [bytes].
    DataRate m_dataRate;         ///< Rate of the network.
    DataRate m_copyRate;         ///< Bandwidth of a copy.
    DataRate m_busRate;          ///< Bandwidth of PIO and DMA.
    Time m_delay;                ///< Propagation delay.
    Time m_systemCall;           ///< Cost of a system call.
    Time m_interrupt;            ///< Cost of an interrupt.
    Time m_instructions;         ///< CPU time of a packet.
    Time m_limit;                ///< Simulated time that one size may take.
    Ptr<Table> m_bySize;         ///< Everything by size.
    Ptr<Table> m_utilisation;    ///< What node 0's resources did.
    Ptr<Table> m_costs;          ///< What node 0's work cost.
    double m_latency{0};         ///< Of the smallest size [us].
    double m_bandwidth{0};       ///< Of the largest size [MB/s].
    double m_messageRate{0};     ///< Of the smallest size [1/s].
    double m_cpuShare{0};        ///< Of the largest size.
    uint64_t m_messages{0};      ///< Messages measured.
    uint64_t m_lost{0};          ///< Messages lost.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_BENCHMARK_SCENARIO_H
