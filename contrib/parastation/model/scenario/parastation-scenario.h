/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARASTATION_SCENARIO_H
#define PARASTATION_SCENARIO_H

#include "ns3/messaging-audit.h"
#include "ns3/messaging-fault-plan.h"
#include "ns3/messaging-scenario.h"
#include "ns3/messaging-traffic-session.h"
#include "ns3/myrinet-network.h"
#include "ns3/parastation-group.h"
#include "ns3/parastation-pipeline.h"
#include "ns3/parastation-platform.h"
#include "ns3/parastation-settings.h"
#include "ns3/random-variable-stream.h"

#include <array>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup parastation
 * Paper 2's experiments: ParaStation2 and its rivals on Myrinet.
 */

namespace ns3
{
namespace parastation
{

/** Patterns of messages. */
enum class Pattern : uint8_t
{
    PING_PONG, ///< Nodes 0 and 1, 2 and 3, ..., one message at a time.
    EXCHANGE,  ///< The same pairs, both directions at the same time.
    STREAM,    ///< From node 0 to 1, from 2 to 3, ..., several messages at a time.
    ALL_TO_ALL ///< Every node to every other.
};

/** Packets that are subject to Loss and bursts: a bit for each PacketKind. */
enum class LossOf : uint64_t
{
    ALL = ~uint64_t{0},                                            ///< All packets.
    DATA = uint64_t{1} << static_cast<unsigned>(PacketKind::DATA), ///< Data packets.
    CONTROL = ~DATA                                                ///< ACKs, NACKs and credits.
};

/**
 * @ingroup parastation
 * ParaStation2 or a rival on Myrinet, on the hosts and software layers of paper 2's table 3, under
 * any of the failures of its section 2.
 */
class Parastation2Scenario : public messaging::Scenario
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    Parastation2Scenario();

    std::string Check() const override;

  protected:
    void DoRun() override;

  private:
    /** Objects and state of a run. */
    struct Machinery
    {
        Ptr<myrinet::MyrinetNetwork> network;         ///< The network.
        Ptr<messaging::FaultPlan> faults;             ///< Faults of any packet.
        Ptr<ParastationGroup> group;                  ///< The protocol.
        Ptr<messaging::DeliveryAudit> audit;          ///< Audit of deliveries.
        Ptr<messaging::BenchmarkSession> session;     ///< The pattern.
        PipelineRecorder recorder;                    ///< Recorder of steps.
        std::vector<Ptr<messaging::HostModel>> hosts; ///< The hosts.
        Ptr<ExponentialRandomVariable> stalls;        ///< Times between stalls of a host.
        Time quiet;                                   ///< Quiet time that ends the stalls.
        Time outageEnd;                               ///< End of the outage.
        Time last;                                    ///< Time of the last delivery.
        uint64_t received{0};                         ///< Messages delivered.
        Time recovery;          ///< From the end of the outage to the next delivery.
        bool recovered{false};  ///< A message was delivered after the outage.
        bool quietAtEnd{false}; ///< No event was left at the end.
    };

    /** @return the network, with the rings of the protocol. */
    Ptr<myrinet::MyrinetNetwork> MakePort() const;

    /**
     * Install network, protocol, layers and audit.
     * @param run the run
     * @param clock counts nanoseconds
     */
    void Install(Machinery& run, Ptr<messaging::TickClock> clock);

    /** Install the pattern of messages. @param run the run */
    void InstallPattern(Machinery& run);

    /** Schedule the stalls of hosts and the outage. @param run the run */
    void BeginFaults(Machinery& run);

    /** Draw the time until the next stall of a host. @param run the run @return the time */
    static Time DrawStall(const Machinery& run);

    /** Occupy a host's processor with other work. @param run the run @param host the host */
    void StallHost(Machinery& run, uint32_t host);

    /** Record the delivery of a message. @param run the run */
    void OnReceived(Machinery& run);

    /** Set the results. @param run the run */
    void SetResults(const Machinery& run);

    /** Set outcome and verdict. @param run the run */
    void Conclude(const Machinery& run);

    /** @return a count of the audit. @tparam MEMBER the count */
    template <uint64_t messaging::AuditCounts::* MEMBER>
    uint64_t GetAudited() const
    {
        return m_audit.*MEMBER;
    }

    /** @return number of packets that the network lost. @tparam REASON the cause */
    template <myrinet::DropReason REASON>
    uint64_t GetDropped() const
    {
        return m_network.GetDrops(REASON);
    }

    /** @return number of pending packets that were damaged but not lost. */
    uint64_t GetDamaged() const
    {
        return m_network.damaged;
    }

    /** @return a count of the protocol. @tparam EVENT the event */
    template <Event EVENT>
    uint64_t GetNoted() const
    {
        return m_events[static_cast<std::size_t>(EVENT)];
    }

    Ptr<myrinet::MyrinetNetwork> m_port; ///< Parameters of the network.
    Ptr<ParastationSettings> m_settings; ///< Parameters of the protocol.
    Ptr<ParastationMachine> m_machine;   ///< Parameters of the machines.
    Ptr<messaging::FaultPlan> m_faults;  ///< Parameters of the faults.
    ProtocolKind m_protocol{};           ///< Protocol of the network interfaces.
    Pattern m_pattern{};                 ///< Pattern of messages.
    LossOf m_lossOf{};                   ///< Packets that are subject to losses.
    uint32_t m_nodes{2};                 ///< Number of nodes.
    uint32_t m_processes{1};             ///< Processes of each.
    uint32_t m_size{4};                  ///< Size of a message [bytes].
    uint32_t m_rounds{1};                ///< Measured rounds.
    uint32_t m_messageWindow{0};         ///< Messages in flight; 0 for the pattern's default.
    double m_hostStallRate{0};           ///< Stalls of each host [1/s].
    Time m_hostStallLength;              ///< Length of each.
    Time m_outageLength;                 ///< Length of the outage.

    std::string m_outcome;                     ///< Failures, by name.
    double m_latency{0};                       ///< Mean latency [us].
    double m_maxLatency{0};                    ///< Largest latency [us].
    double m_throughput{0};                    ///< Throughput of all directions [MB/s].
    double m_elapsed{0};                       ///< Simulated time [s].
    double m_recovery{0};                      ///< From the end of an outage to a delivery [us].
    uint64_t m_lost{0};                        ///< Messages sent that never arrived.
    uint64_t m_stuck{0};                       ///< Messages that their sender never completed.
    uint64_t m_injected{0};                    ///< Packets lost by Loss, bursts or an outage.
    uint64_t m_bufferDrops{0};                 ///< Packets without a receive buffer.
    messaging::AuditCounts m_audit;            ///< Counts of the audit.
    myrinet::Counters m_network;               ///< Counts of the network.
    std::array<uint64_t, N_EVENTS> m_events{}; ///< Counts of the protocol.
    Ptr<messaging::Table> m_pipeline;          ///< Figure 2's steps.
    Ptr<messaging::Table> m_eventTable;        ///< All events.
};

} // namespace parastation
} // namespace ns3

#endif // PARASTATION_SCENARIO_H
