/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARASTATION_SCENARIO_H
#define PARASTATION_SCENARIO_H

#include "parastation-group.h"
#include "parastation-pipeline.h"
#include "parastation-platform.h"
#include "parastation-settings.h"

#include "ns3/messaging-audit.h"
#include "ns3/messaging-bench-session.h"
#include "ns3/messaging-faulty-port.h"
#include "ns3/messaging-port-faults.h"
#include "ns3/messaging-scenario.h"
#include "ns3/myrinet-network.h"
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

/** Who sends what to whom. */
enum class Pattern : uint8_t
{
    PING_PONG, ///< Hosts 0 and 1, 2 and 3, ..., one message at a time; latency is half a round
               ///< trip.
    EXCHANGE,  ///< The same pairs, both at the same time; throughput is that of both directions.
    STREAM,    ///< From 0 to 1, from 2 to 3, ..., several messages at a time.
    ALL_TO_ALL ///< Every host to every other.
};

/** Which packets Loss and the bursts hit. */
enum class LossOf : uint8_t
{
    ALL,    ///< All.
    DATA,   ///< Data packets.
    CONTROL ///< ACKs, NACKs and credits.
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
    ~Parastation2Scenario() override;

    std::string Check() const override;

  protected:
    void DoDispose() override;
    void DoRun() override;

  private:
    /** Network with the faults that act on any packet. */
    using Port = messaging::FaultyPort<myrinet::MyrinetNetwork>;

    /** What a run is made of. */
    struct Machinery
    {
        Ptr<myrinet::MyrinetNetwork> network;                 ///< The network.
        Ptr<messaging::PortFaults> faults;                 ///< What else happens to packets.
        Ptr<ParastationGroup> group;                       ///< The protocol.
        Ptr<messaging::DeliveryAudit> audit;               ///< Looks at deliveries.
        Ptr<messaging::BenchmarkSession> session;          ///< The pattern.
        Ptr<PipelineRecorder> recorder;                    ///< Looks at steps.
        std::vector<Ptr<messaging::HostModel>> hosts;      ///< The hosts.
        std::vector<Ptr<messaging::HostModel>> interfaces; ///< The network interfaces.
        Ptr<ExponentialRandomVariable> stalls;             ///< When hosts stall.
        Time quiet;                                        ///< Quiet time that ends the stalls.
        Time outageEnd;                                    ///< When the outage is over.
        Time last;                                         ///< When a message arrived last.
        uint64_t received{0};                              ///< Messages that have arrived.
        Time recovery;                                     ///< From the end of the outage on.
        bool recovered{false};                             ///< A message has arrived after it.
        bool quietAtEnd{false};                            ///< Nothing was left to happen.
    };

    /** @return the network, its rings as the protocol's. */
    Ptr<myrinet::MyrinetNetwork> MakePort() const;

    /** @return what is the same for all hosts. */
    Config MakeConfig() const;

    /** Set what goes wrong with hosts, and when the network fails. @param run the run */
    void BeginFaults(Machinery& run);

    /** Have a host's processor be busy with something else. @param run the run @param host which */
    void StallHost(Machinery& run, uint32_t host);

    /** A message has arrived. @param run the run */
    void OnReceived(Machinery& run);

    /** Keep what has been measured. @param run the run */
    void SetResults(const Machinery& run);

    /** Say how the run has ended. @param run the run */
    void Conclude(const Machinery& run);

    /** Declare the results. @param type the type */
    static void AddResults(TypeId& type);

    /** @param event an event @return how often it has happened */
    uint64_t GetEvents(Event event) const
    {
        return m_events[static_cast<std::size_t>(event)];
    }

    /** @return messages taken. */
    uint64_t GetPosted() const
    {
        return m_audit.posted;
    }

    /** @return messages that have arrived. */
    uint64_t GetDelivered() const
    {
        return m_audit.delivered;
    }

    /** @return messages that arrived again. */
    uint64_t GetDuplicates() const
    {
        return m_audit.duplicates;
    }

    /** @return messages that arrived altered. */
    uint64_t GetCorrupted() const
    {
        return m_audit.corrupted;
    }

    /** @return messages that arrived late. */
    uint64_t GetMisordered() const
    {
        return m_audit.misordered;
    }

    /** @return packets lost by corruption. */
    uint64_t GetCrcDrops() const
    {
        return m_network.GetDrops(myrinet::DropReason::CRC);
    }

    /** @return packets lost for want of a buffer. */
    uint64_t GetBufferDrops() const
    {
        return m_network.GetDrops(myrinet::DropReason::BUFFER) + GetEvents(Event::OVERRUN);
    }

    /** @return packets lost by the timeout. */
    uint64_t GetNresDrops() const
    {
        return m_network.GetDrops(myrinet::DropReason::NRES);
    }

    /** @return packets lost while the receiver stalled. */
    uint64_t GetOverwriteDrops() const
    {
        return m_network.GetDrops(myrinet::DropReason::OVERWRITE);
    }

    /** @return packets sent again. */
    uint64_t GetRetransmissions() const
    {
        return GetEvents(Event::RETRANSMITTED);
    }

    /** @return ACKs that were late. */
    uint64_t GetTimeOuts() const
    {
        return GetEvents(Event::TIMED_OUT);
    }

    /** @return packets rejected. */
    uint64_t GetShortages() const
    {
        return GetEvents(Event::SHORT_OF_SLOTS);
    }

    /** @return data with high numbers. */
    uint64_t GetLostData() const
    {
        return GetEvents(Event::LOST_DATA);
    }

    /** @return data with low numbers. */
    uint64_t GetLostAcks() const
    {
        return GetEvents(Event::LOST_ACK);
    }

    /** @return ACKs with low numbers. */
    uint64_t GetDuplicateAcks() const
    {
        return GetEvents(Event::DUPLICATE_ACK);
    }

    /** @return ACKs with high numbers. */
    uint64_t GetHighAcks() const
    {
        return GetEvents(Event::HIGH_ACK);
    }

    Ptr<myrinet::MyrinetNetwork> m_port;    ///< Holds the network's parameters.
    Ptr<ParastationSettings> m_settings; ///< Holds the protocol's parameters.
    Ptr<ParastationMachine> m_machine;   ///< Holds the machines' parameters.
    Ptr<messaging::PortFaults> m_faults; ///< Holds the faults' parameters.
    ProtocolKind m_protocol{};           ///< What the network interfaces say.
    Pattern m_pattern{};                 ///< Who sends what to whom.
    LossOf m_lossOf{};                   ///< Which packets losses hit.
    uint32_t m_nodes{2};                 ///< Number of nodes.
    uint32_t m_size{4};                  ///< Size of a message [bytes].
    uint32_t m_rounds{1};                ///< Measured rounds.
    uint32_t m_warmup{0};                ///< Rounds before them.
    uint32_t m_streamWindow{1};          ///< Messages of a stream under way.
    uint32_t m_exchangeWindow{1};        ///< By how many messages an exchange may be ahead.
    double m_hostStallRate{0};           ///< Stalls of each host [1/s].
    Time m_hostStallLength;              ///< Length of each.
    Time m_outageBegin;                  ///< When all packets begin to be lost.
    Time m_outageLength;                 ///< For how long.
    Time m_limit;                        ///< Simulated time that a run may take.

    std::string m_outcome;                     ///< What has gone wrong, in a word.
    double m_latency{0};                       ///< Mean [us].
    double m_minLatency{0};                    ///< Smallest [us].
    double m_maxLatency{0};                    ///< Largest [us].
    double m_throughput{0};                    ///< All that is counted [MB/s].
    double m_oneWay{0};                        ///< Of one direction [MB/s].
    double m_elapsed{0};                       ///< Simulated time [s].
    double m_recovery{0};                      ///< From the end of an outage to a delivery [us].
    uint64_t m_lost{0};                        ///< Messages sent that never arrived.
    uint64_t m_stuck{0};                       ///< Messages never sent to their end.
    uint64_t m_injected{0};                    ///< Packets lost by Loss, bursts or an outage.
    messaging::AuditCounts m_audit;            ///< What the audit has counted.
    myrinet::Counters m_network;               ///< What the network has counted.
    std::array<uint64_t, N_EVENTS> m_events{}; ///< What the protocol has counted.
    Ptr<messaging::Table> m_pipeline;          ///< Figure 2's steps.
    Ptr<messaging::Table> m_eventTable;        ///< All events.
    Ptr<messaging::Table> m_hostUse;           ///< What host 0's resources did.
    Ptr<messaging::Table> m_interfaceUse;      ///< What network interface 0's resources did.
};

} // namespace parastation
} // namespace ns3

#endif // PARASTATION_SCENARIO_H
