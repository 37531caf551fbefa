/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_LIVE_SCENARIO_H
#define MESSAGING_LIVE_SCENARIO_H

#include "ns3/messaging-fault-plan.h"
#include "ns3/messaging-group.h"
#include "ns3/messaging-live-port.h"
#include "ns3/messaging-protocol.h"
#include "ns3/messaging-scenario.h"

#include <deque>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Scenario of one peer of a protocol over a UDP socket of the machine.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * Scenario of one peer of a group that runs a protocol over UDP in real time, with a process for
 * each peer.
 *
 * The peer sends Messages messages to the others in turn, one at a time, and checks received
 * messages, as each peer knows those of all others. Alternatively, it sends messages that an
 * application writes to a Unix socket, and writes received ones there. Faults act on frames on
 * arrival, as in simulations.
 */
class LiveScenario : public Scenario, private GroupUser
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
    void OnDeliver(Peer self, const Delivery& delivery) override;
    void OnComplete(Peer self, RequestId id, Completion completion) override;
    void OnReady(Peer self) override;

    /** Open the port and the application's socket. @return empty, or one sentence with the error
     */
    std::string Open();

    /** Make the protocol's group over the port with its faults. */
    void Connect();

    /** Greet the other peers, and end the run when all have finished. */
    void Beat();

    /**
     * End the run if a peer has failed or the time limit is reached.
     * @return true if the run has ended
     */
    bool GiveUp();

    /** Post messages until the protocol stalls. */
    void PostNext();

    /** Read requests from the application. */
    void TakeRequests();

    /** Write queued packets to the application. */
    void GiveAnswers();

    /**
     * Queue a packet for the application.
     * @param kind D for a delivery, C for a completion, R for a refusal, O when the group is open
     * @param peer sender of a delivery
     * @param number tag of a delivery, or number of a request
     * @param bytes bytes of a delivery
     */
    void Answer(char kind, Peer peer, uint32_t number, const std::vector<uint8_t>& bytes = {});

    /** @return whether the messages of this peer are complete. */
    bool IsFinished() const;

    /** @return checksum of the group's protocol, peers and traffic. */
    uint32_t GetGroup() const;

    /**
     * Get the receiver of a message.
     * @param from its sender
     * @param number its number at the sender, from 0
     * @return the receiver
     */
    Peer GetReceiver(Peer from, uint32_t number) const;

    /**
     * Get the contents of a message.
     * @param from its sender
     * @param number its number at its sender
     * @return the contents
     */
    uint64_t GetContents(Peer from, uint32_t number) const;

    /** Compute results and tables. */
    void Measure();

    std::string m_protocolName;                         ///< Name of the protocol.
    std::string m_peersText;                            ///< Addresses of the peers.
    std::string m_application;                          ///< Path of the application's socket.
    Ptr<FaultPlan> m_faults{CreateObject<FaultPlan>()}; ///< The fault plan.
    Time m_limit;                                       ///< Time limit of the run.
    uint32_t m_self{0};                                 ///< The peer.
    uint32_t m_size{0};                                 ///< Size of a message [bytes].
    uint32_t m_messages{0};                             ///< Messages of a peer.

    Ptr<TickClock> m_clock;                          ///< Clock with ticks of 1 ns.
    Ptr<LivePort> m_port;                            ///< The UDP socket.
    Ptr<MessageGroup> m_group;                       ///< The protocol's group.
    LiveScheduler* m_scheduler{nullptr};             ///< Scheduler, not owned.
    std::deque<Request> m_waiting;                   ///< Requests to post.
    std::deque<std::vector<uint8_t>> m_answers;      ///< Packets for the application.
    std::vector<std::set<uint32_t>> m_seen;          ///< Delivered numbers by sender.
    std::unordered_map<RequestId, Time> m_postTimes; ///< Time of each post.
    int m_socket{-1};                                ///< Socket of the application, or -1.
    bool m_ended{false};           ///< No more requests come from the application.
    bool m_stalled{false};         ///< The protocol has stalled a post.
    Time m_begin;                  ///< Begin of the messages.
    Time m_last;                   ///< Time of the last delivery or completion.
    Time m_quiet;                  ///< Time since which all have finished.
    std::string m_outcome{"none"}; ///< Observed outcome.
    double m_roundTrip{0};         ///< Median round trip [us].
    double m_time{0};              ///< From the start to the last event [us].
    double m_latency{0};           ///< Mean time from a post to its completion [us].
    uint64_t m_posted{0};          ///< Messages accepted.
    uint64_t m_completed{0};       ///< Messages completed.
    uint64_t m_delivered{0};       ///< Messages delivered to this peer.
    uint64_t m_missing{0};         ///< Messages for this peer that were not delivered.
    uint64_t m_duplicates{0};      ///< Second deliveries.
    uint64_t m_misordered{0};      ///< Deliveries after a later one.
    uint64_t m_miscompletions{0};  ///< False completions.
    uint64_t m_corrupted{0};       ///< Deliveries that differ from the posted message.
    uint64_t m_frames{0};          ///< Frames sent.
    uint64_t m_foreign{0};         ///< Foreign datagrams.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_LIVE_SCENARIO_H
