/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ETHERNET_FABRIC_SCENARIO_H
#define ETHERNET_FABRIC_SCENARIO_H

#include "ethernet-fabric-flow-results.h"

#include "ns3/ethernet-fabric-network.h"
#include "ns3/ethernet-fabric-queue-pair-port.h"
#include "ns3/event-id.h"
#include "ns3/messaging-audit.h"
#include "ns3/messaging-fault-plan.h"
#include "ns3/messaging-faulty-net-device.h"
#include "ns3/messaging-protocol.h"
#include "ns3/messaging-scenario-stall-detector.h"
#include "ns3/messaging-scenario.h"
#include "ns3/messaging-traffic-flows.h"
#include "ns3/nstime.h"

#include <limits>
#include <optional>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup ethernet-fabric
 * Flow completion times of any protocol over a fabric.
 */

namespace ns3
{
namespace fabric
{

/**
 * @ingroup ethernet-fabric
 * Completion times of flows over an Ethernet fabric, with any protocol.
 *
 * Each flow is a message that its sender posts at its start. Its completion time ends with the
 * delivery; its slowdown is that time relative to that of the same packets on an idle fabric. The
 * delivery audit observes every message.
 */
class FabricScenario : public messaging::Scenario, private messaging::GroupUser
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::vector<Part> GetParts() const override;

    std::string Check() const override;

  protected:
    void DoRun() override;

  private:
    /** Result of what has not taken place. */
    static constexpr double UNKNOWN = std::numeric_limits<double>::quiet_NaN();

    /** Workloads. */
    enum class Workload : uint8_t
    {
        WEB_SEARCH,  ///< Poisson flows, FlowDistribution::WEB_SEARCH.
        HADOOP,      ///< Poisson flows, FlowDistribution::HADOOP.
        ALI_STORAGE, ///< Poisson flows, FlowDistribution::ALI_STORAGE.
        GOOGLE_RPC,  ///< Poisson flows, FlowDistribution::GOOGLE_RPC.
        SOLAR,       ///< Poisson flows, FlowDistribution::SOLAR.
        SIZES_FILE,  ///< Poisson flows with sizes of a file.
        FIXED,       ///< Poisson flows of one size.
        INCAST,      ///< Many hosts send to one.
        PERMUTATION, ///< Each host sends to one other.
        ALL_TO_ALL,  ///< Each host sends to each other one.
        FROM_FILE    ///< Flows of a file.
    };

    /** A flow in its run. */
    struct State
    {
        Peer self{0};                  ///< Peer that posts it.
        Time end;                      ///< Time of its delivery.
        std::optional<Time> confirmed; ///< Time of its last completion.
        bool isDone{false};            ///< It is delivered.
        bool isGivenUp{false};         ///< It was reported as failed, and is not delivered.
    };

    /** Length of a queue at a time. */
    struct Sample
    {
        double time;    ///< The time [us].
        PortId port;    ///< The port.
        uint32_t bytes; ///< Length of its queues [bytes].
    };

    void OnDeliver(Peer self, const messaging::Delivery& delivery) override;
    void OnComplete(Peer self, messaging::RequestId id, messaging::Completion completion) override;
    void OnReady(Peer self) override;

    /** @return the network. */
    Ptr<FabricNetwork> GetNetwork() const
    {
        return GetPart<FabricNetwork>("network");
    }

    /** @return time from the first start to the last delivery [us]. */
    double GetSpan() const
    {
        return m_results.GetSpan();
    }

    /** @return a number on the completion times [us]. @tparam NUMBER the number */
    template <auto NUMBER>
    double GetTime() const
    {
        return m_results.GetTimes().*NUMBER;
    }

    /** @return a number on the slowdowns. @tparam NUMBER the number */
    template <auto NUMBER>
    double GetSlowdown() const
    {
        return m_results.GetSlowdowns().*NUMBER;
    }

    /** @return Jain's index of the flows' rates. */
    double GetFairness() const
    {
        return m_results.GetFairness();
    }

    /** @return the number of paused ports that wait for each other. */
    uint64_t GetDeadlock() const
    {
        return m_deadlock.size();
    }

    /** @return the rate of a host's link [bytes/s]. */
    double GetHostRate() const;

    /** @return whether the starts of flows are a Poisson process. */
    bool IsPoisson() const
    {
        return m_workload <= Workload::FIXED;
    }

    /** @return the sizes of Poisson flows; none if SizesFile cannot be read. @param error set to
     * one sentence with the error */
    messaging::FlowSizes GetSizes(std::string& error) const;

    /** @return one sentence if the workload is not possible, else an empty text. */
    std::string CheckWorkload() const;

    /** @return the flows of the workload, in the order of their starts. */
    std::vector<messaging::TrafficFlow> MakeFlows() const;

    /** @return network and queue pairs for a protocol over frames. */
    messaging::Site BuildPort();

    /** @return network and IP stacks for a protocol over sockets. */
    messaging::Site BuildSockets();

    /** Post the flows that start now, and schedule the next ones. */
    void StartFlows();

    /** Post a flow, or keep it until its peer is ready. @param number the flow */
    void PostFlow(uint32_t number);

    /** @return the queue pair for a new flow: one with the fewest flows. @param host the sender */
    uint32_t ChoosePair(Peer host);

    /** End the run soon if all flows have ended. */
    void FinishIfDone();

    /** @return frames or packets sent so far. */
    uint64_t CountFrames() const;

    /** @return frames of the flows that have started and not ended, each sent once. */
    uint64_t CountFramesInFlight() const;

    /** End the run if its frames bring nothing, or schedule the next time. */
    void Watch();

    /** End the run. Nothing can happen any more if no other event is pending. */
    void Finish();

    /** @return time of a flow's packets on an idle fabric. @param flow the flow */
    Time GetIdealTime(const messaging::TrafficFlow& flow) const;

    /** @return time from its start to its last completion; not a number without one [us]. @param
     * flow the flow */
    double GetConfirmationTime(std::size_t flow) const;

    /** Compute results and tables. */
    void Measure();

    /** Set the verdict. */
    void Judge();

    /** Record the queues that are not empty, and schedule the next time. */
    void SampleQueues();

    /** @return the flows that were not delivered. */
    Ptr<messaging::Table> MakeUnfinishedTable() const;

    /** @return the lost frames by layer and place. */
    Ptr<messaging::Table> MakeLossTable() const;

    std::string m_networkName;                 ///< Name of the network.
    std::string m_protocolName;                ///< Name of the protocol.
    Workload m_workload{Workload::WEB_SEARCH}; ///< The workload.
    uint32_t m_nodes{0};                       ///< Number of hosts.
    uint32_t m_count{0};                       ///< Number of Poisson flows.
    double m_load{0};                          ///< Their load.
    uint32_t m_size{0};                        ///< Size of a flow or an incast [bytes].
    uint32_t m_senders{0};                     ///< Senders of an incast.
    std::string m_sizesFile;                   ///< File with sizes.
    std::string m_flowFile;                    ///< File with flows.
    uint32_t m_pairs{0};                       ///< Queue pairs of a host.
    bool m_details{false};                     ///< Make the table Flows.
    Time m_limit;                              ///< Time after which the run ends.
    uint64_t m_stallFrames{0};                 ///< Frames without progress that end the run.
    Time m_queueInterval;                      ///< Time between samples of queues; 0 for none.
    Ptr<messaging::FaultPlan> m_faults{CreateObject<messaging::FaultPlan>()}; ///< The fault plan.

    std::vector<messaging::TrafficFlow> m_flows;  ///< The flows.
    std::vector<State> m_states;                  ///< Their states.
    std::vector<std::vector<uint32_t>> m_waiting; ///< By peer, flows that wait to be posted.
    std::vector<Sample> m_samples;                ///< Lengths of queues.
    EventId m_sampling;                           ///< Next sample.
    EventId m_watch;                              ///< The next Watch.
    messaging::StallDetector m_stall;             ///< Detects frames that bring nothing.
    bool m_isStalled{false};                      ///< It has ended the run.
    std::vector<uint32_t> m_active;               ///< By peer, flows that have not ended.
    std::vector<uint32_t> m_nextPair;             ///< By host, queue pair that is tried first.
    Ptr<messaging::DeliveryAudit> m_audit;        ///< Observes all messages.
    Ptr<QueuePairPort> m_port;                    ///< Queue pairs; null for sockets.
    std::vector<Ptr<messaging::FaultyNetDevice>> m_devices; ///< Count packets of sockets.
    uint32_t m_usedPairs{1};                                ///< Queue pairs of a host in this run.
    uint32_t m_wholePayload{0};                             ///< Payload of a packet [bytes].
    uint32_t m_wholeHeader{0};                              ///< Header of a packet [bytes].
    uint32_t m_next{0};                                     ///< Flow that starts next.
    uint64_t m_ended{0};                                    ///< Flows that have ended.
    bool m_hasFailed{false}; ///< The protocol has reported a failure.
    bool m_isIdle{true};     ///< No event was pending at the end.
    std::string m_refusal;   ///< Why a flow was refused; empty if none was.
    FlowResults m_results;   ///< Times of the flows.

    uint64_t m_delivered{0};        ///< Flows delivered.
    uint64_t m_givenUp{0};          ///< Flows that the protocol has given up, not delivered.
    uint64_t m_pending{0};          ///< Flows neither delivered nor given up.
    double m_offered{UNKNOWN};      ///< Load of the flows.
    double m_goodput{0};            ///< Payload delivered [MB/s].
    uint64_t m_packets{0};          ///< Frames with payload.
    uint64_t m_answers{0};          ///< Frames without payload.
    double m_repeats{UNKNOWN};      ///< Packets sent again.
    double m_spurious{UNKNOWN};     ///< Packets that had arrived before.
    uint64_t m_drops{0};            ///< Frames lost.
    uint64_t m_pauses{0};           ///< Pauses.
    uint64_t m_marks{0};            ///< Marked frames.
    uint64_t m_trims{0};            ///< Trimmed frames.
    std::vector<PortId> m_deadlock; ///< Paused ports that wait for each other.
    uint64_t m_hops{0};             ///< Frames sent by hosts and switches.
};

} // namespace fabric
} // namespace ns3

#endif // ETHERNET_FABRIC_SCENARIO_H
