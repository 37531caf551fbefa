/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_SCENARIO_RELIABILITY_H
#define MESSAGING_SCENARIO_RELIABILITY_H

#include "ns3/data-rate.h"
#include "ns3/event-id.h"
#include "ns3/messaging-audit.h"
#include "ns3/messaging-fault-plan.h"
#include "ns3/messaging-faulty-net-device.h"
#include "ns3/messaging-host-port.h"
#include "ns3/messaging-host-profile.h"
#include "ns3/messaging-host.h"
#include "ns3/messaging-network.h"
#include "ns3/messaging-protocol.h"
#include "ns3/messaging-scenario-account.h"
#include "ns3/messaging-scenario-sizes.h"
#include "ns3/messaging-scenario-stack-losses.h"
#include "ns3/messaging-scenario-stall-detector.h"
#include "ns3/messaging-scenario.h"
#include "ns3/messaging-traffic-application.h"
#include "ns3/messaging-traffic-session.h"
#include "ns3/nstime.h"

#include <limits>
#include <memory>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Any protocol over any network, under a traffic pattern and a fault plan.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * Deliveries and costs of any protocol over any network.
 *
 * Network, protocol and pattern are selected by name; each has its parameters under its prefix. The
 * prefix `host` sets attributes of HostModel, in place of the costs of the selected host.
 * Faults act where frames, or packets of sockets, leave the network. The delivery audit observes
 * every message, and the scenario compares its outcome with the guarantees of the protocol.
 */
class ReliabilityScenario : public Scenario, public SizedScenario
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::vector<Part> GetParts() const override;

    std::string Check() const override;

    MessageSizes FindSizes() override;

  protected:
    void DoRun() override;

  private:
    /** Result of what has not taken place. */
    static constexpr double NONE = std::numeric_limits<double>::quiet_NaN();

    /** Value of Host: a host, or that of the network. */
    enum class HostChoice : uint8_t
    {
        NETWORK,       ///< The host of the network.
        FREE,          ///< HostKind::FREE.
        SPARC10_1995,  ///< HostKind::SPARC10_1995.
        PENTIUM2_1999, ///< HostKind::PENTIUM2_1999.
        XEON_2008,     ///< HostKind::XEON_2008.
        SERVER_2025    ///< HostKind::SERVER_2025.
    };

    /** @return the host of each peer. */
    HostKind GetHostKind() const;

    /** @return the costs of that host, with those that FrameTime and CopyRate set. */
    HostProfile GetProfile() const;

    /** @return one sentence if the protocol cannot run over the network, else an empty string. */
    std::string CheckPair() const;

    /** @return one sentence if Load or the pattern is not possible, else an empty string. */
    std::string CheckPattern() const;

    /** @return one sentence if a fault is not possible, else an empty string. */
    std::string CheckFaults() const;

    /** @return the hosts of all peers; none if work takes no time. */
    std::vector<Ptr<HostModel>> MakeHosts() const;

    /**
     * Build the network under a protocol over frames.
     * @return the site
     */
    Site BuildPort();

    /**
     * Build the network under a protocol over sockets: faults, hosts and IP stacks.
     * @return the site
     */
    Site BuildSockets();

    /**
     * Install the applications of the pattern, which post through the audit.
     * @param pattern their attributes
     */
    void InstallPattern(Ptr<BenchmarkApplication> pattern);

    /**
     * Find what the protocol promises over the network with its faults.
     * @param network the network
     * @param protocol the protocol
     * @return the promise
     */
    Promise FindPromise(Ptr<Network> network, Ptr<Protocol> protocol) const;

    /** @return rate at which a net device sends; 0 if unknown [bytes/s]. */
    double GetDeviceRate() const;

    /** @return mean time between the messages of a peer, from Load [s]. */
    double GetInterval() const;

    /** How a run has ended. */
    enum class Ending : uint8_t
    {
        IDLE,  ///< No event is pending, so nothing can happen any more.
        QUIET, ///< The pattern has ended, and nothing more is expected.
        LIMIT, ///< Events are pending at TimeLimit.
        STALL  ///< Frames are sent, but for StallFrames of them nothing has come of it.
    };

    /** @return frames or packets sent so far. */
    uint64_t CountFrames() const;

    /** @return frames of the messages in flight, each sent once. */
    uint64_t CountFramesInFlight() const;

    /** Begin a period without a delivery or a fault, as long as the run until now plus a round
     * trip. Late copies and last acknowledgements belong to the run. */
    void Linger();

    /** Report the simulated time, and end the run if no other event is pending, after a quiet
     * period, or at TimeLimit. It is the only event of the scenario, so that the queue of the
     * simulator is empty if nothing else can happen. */
    void Watch();

    /** Schedule Watch: when the time has grown by a sixteenth or a share of TimeLimit, at the
     * latest at the end of the quiet period or at TimeLimit. */
    void ScheduleWatch();

    /** @return whether messages are in flight that end, or arrive, according to the promise. */
    bool IsWaiting() const;

    /** @return number of deliveries, plus faults unless the protocol guarantees completeness. */
    uint64_t GetProgress() const;

    /** Set outcome and verdict according to the audit. */
    void Judge();

    /**
     * Find the violation that breaks the promise.
     * @param outcome the outcome
     * @return one sentence; empty if no delivery or completion breaks the promise
     */
    std::string FindViolation(const Outcome& outcome) const;

    /** @return how far the run has come, as the end of a sentence. */
    std::string DescribeProgress() const;

    /** @return a further sentence if the protocol has lost messages, as it may; else an empty text.
     */
    std::string DescribeLosses() const;

    /** @return why the pattern cannot end, or an empty text. */
    std::string FindDeadlock() const;

    /** Compute delays, costs and tables. */
    void Measure();

    /** Compute the latencies of messages and their parts. */
    void MeasureLatency();

    /**
     * Get the mean of a part of the latency.
     * @tparam PART the part
     * @return the mean [us]
     */
    template <LatencyPart PART>
    double GetMeanPart() const
    {
        return m_parts[static_cast<std::size_t>(PART)];
    }

    /** Count the frames that have arrived and those lost. */
    void MeasureLosses();

    /** @return the lost frames by layer and place. */
    Ptr<Table> MakeLossTable() const;

    std::string m_networkName;                          ///< Name of the network.
    std::string m_protocolName;                         ///< Name of the protocol.
    std::string m_patternName;                          ///< Name of the pattern.
    Ptr<FaultPlan> m_faults{CreateObject<FaultPlan>()}; ///< The fault plan.
    uint32_t m_nodes{0};                                ///< Number of peers.
    uint32_t m_size{0};                                 ///< Size of a message [bytes].
    uint32_t m_messages{0};                             ///< Messages or rounds of a peer.
    double m_load{0};                                   ///< Offered load.
    bool m_emulate{false};                              ///< Emulate broadcasts by unicasts.
    bool m_staleTimers{false};                          ///< Fire cancelled timers.
    HostChoice m_hostChoice{HostChoice::NETWORK};       ///< Host of a peer.
    Time m_frameTime;          ///< Processor time of a frame at either end.
    DataRate m_copyRate;       ///< Bandwidth of a copy.
    Time m_limit;              ///< Simulated time after which the run ends.
    uint64_t m_stallFrames{0}; ///< Frames without progress after which the run ends.

    std::unique_ptr<RunAccount> m_account;       ///< Where the time went.
    Ptr<HostPort> m_port;                        ///< Counts frames.
    std::vector<Ptr<FaultyNetDevice>> m_devices; ///< Count packets of sockets.
    std::vector<Ptr<HostModel>> m_hosts;         ///< Hosts of the peers.
    Ptr<DeliveryAudit> m_audit;                  ///< Observes all messages.
    Ptr<BenchmarkSession> m_session;             ///< The pattern.
    std::string m_outcome{"none"};               ///< Observed outcome.
    Promise m_promised;                          ///< Guarantees of the protocol.
    std::string m_promise;                       ///< The same in words.
    std::string m_whenCalm;                      ///< What it permits without losses, in words.
    std::string m_calmWaste;                     ///< What it does not permit, but happened.
    std::string m_host;                          ///< Name of the host.
    double m_time{NONE};                         ///< Time until the last delivery [us].
    double m_goodput{0};                         ///< Payload delivered [MB/s].
    double m_delay{NONE};                        ///< Mean latency [us].
    double m_delayMedian{NONE};                  ///< Median latency [us].
    double m_delay99{NONE};                      ///< 99th percentile of the latency [us].
    double m_delayWorst{NONE};                   ///< Maximum latency [us].
    std::vector<double> m_parts = std::vector<double>(N_LATENCY_PARTS, NONE); ///< Means of parts.
    double m_timerWait{0};           ///< Waits for timers alone [us].
    double m_framesPerMessage{NONE}; ///< Frames per message delivered.
    double m_bytesPerMessage{NONE};  ///< Bytes per message delivered.
    double m_cpuPerMessage{NONE};    ///< Processor time per message delivered [us].
    double m_memory{NONE};           ///< Largest state of a peer [bytes].
    uint64_t m_posted{0};            ///< Messages accepted.
    uint64_t m_delivered{0};         ///< Messages delivered.
    uint64_t m_lost{0};              ///< Messages lost.
    uint64_t m_givenUp{0};           ///< Messages given up.
    uint64_t m_stuck{0};             ///< Messages neither delivered nor ended.
    uint64_t m_pending{0};           ///< Messages in flight at the end.
    uint64_t m_miscompletions{0};    ///< False, repeated or late completions.
    uint64_t m_uncompleted{0};       ///< Delivered messages without a completion.
    uint64_t m_duplicates{0};        ///< Repeated deliveries.
    uint64_t m_misordered{0};        ///< Deliveries out of order.
    uint64_t m_corrupted{0};         ///< Deliveries of altered messages.
    uint64_t m_frames{0};            ///< Frames or packets sent.
    uint64_t m_repeated{0};          ///< Frames sent again.
    StackLosses m_stackLosses;       ///< Losses of the IP stacks.
    uint64_t m_framesCopies{0};      ///< Receivers of frames or packets.
    uint64_t m_framesArrived{0};     ///< Frames or packets that have arrived.
    uint64_t m_framesLost{0};        ///< Frames or packets lost.
    uint64_t m_framesInFlight{0};    ///< Frames or packets in flight.
    double m_tick{0};                ///< Length of a tick [us].
    Ending m_ending{Ending::IDLE};   ///< How the run has ended.
    EventId m_watch;                 ///< The next Watch.
    Time m_quietEnd{Time::Max()};    ///< End of the quiet period.
    uint64_t m_quietProgress{0};     ///< Progress at its beginning.
    StallDetector m_stall;           ///< Detects frames that bring nothing.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_SCENARIO_RELIABILITY_H
