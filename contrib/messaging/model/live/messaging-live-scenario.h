/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_LIVE_SCENARIO_H
#define MESSAGING_LIVE_SCENARIO_H

#include "ns3/messaging-group.h"
#include "ns3/messaging-live-port.h"
#include "ns3/messaging-port-faults.h"
#include "ns3/messaging-protocol.h"
#include "ns3/messaging-scenario.h"

#include <deque>
#include <set>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * One peer of a protocol over a UDP socket of the machine.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * One peer of a group that runs a protocol over UDP, in real time; each peer is a process of its
 * own.
 *
 * The peer sends Messages messages to the others in turn, one at a time, and checks what it
 * receives: which messages there are to be is known to all. Or it sends what an application writes
 * to a Unix socket, and writes there what it receives. Faults act on frames as they arrive, as in
 * simulations.
 */
class LiveScenario : public Scenario, private GroupUser
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    LiveScenario();

    std::vector<Part> GetParts() const override;

    std::string Check() const override;

  protected:
    void DoRun() override;

  private:
    void OnDeliver(Peer self, const Delivery& delivery) override;
    void OnComplete(Peer self, RequestId id, Completion completion) override;
    void OnReady(Peer self) override;

    /** Open the port and the application's socket. @return empty, or one sentence on what is wrong
     */
    std::string Open();

    /** Make the group of the protocol over the port with its faults. */
    void Connect();

    /** Greet the other peers, and end the run when nothing is left to do. */
    void Beat();

    /**
     * Check whether the run cannot go on, or has taken too long, and end it then.
     * @return true if it has ended
     */
    bool GiveUp();

    /** Post messages, as far as the protocol takes them. */
    void PostNext();

    /** Take requests of the application. */
    void TakeRequests();

    /** Pass packets on to the application. */
    void GiveAnswers();

    /**
     * Queue a packet for the application.
     * @param kind D for a delivery, C for a completion, R for a refusal, O when the group is open
     * @param peer sender of a delivery
     * @param number tag of a delivery, or number of a request
     * @param bytes of a delivery
     */
    void Answer(char kind, Peer peer, uint32_t number, const std::vector<uint8_t>& bytes = {});

    /** @return whether nothing is left to do for the messages of this peer. */
    bool IsFinished() const;

    /** @return number that names protocol, size and traffic of the group. */
    uint32_t GetGroup() const;

    /**
     * Get the receiver of a message.
     * @param from its sender
     * @param number its number at its sender, from 0
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

    std::string m_protocolName; ///< Name of the protocol.
    std::string m_peersText;    ///< Addresses of the peers.
    std::string m_application;  ///< Path of the application's socket.
    Ptr<PortFaults> m_faults;   ///< The fault plan.
    Time m_limit;               ///< Time after which the run ends.
    uint32_t m_self{0};         ///< The peer.
    uint32_t m_size{0};         ///< Size of a message [bytes].
    uint32_t m_messages{0};     ///< Messages of a peer.

    Ptr<TickClock> m_clock;                     ///< Counts ns.
    Ptr<LivePort> m_port;                       ///< The UDP socket.
    Ptr<MessageGroup> m_group;                  ///< The cores.
    LiveScheduler* m_scheduler{nullptr};        ///< Waits for sockets.
    std::deque<Request> m_waiting;              ///< Requests that the protocol has not taken.
    std::deque<std::vector<uint8_t>> m_answers; ///< Packets for the application.
    std::vector<std::set<uint32_t>> m_seen;     ///< Numbers delivered, by sender.
    std::vector<Time> m_postTimes;              ///< When each message was posted.
    int m_socket{-1};                           ///< Of the application.
    bool m_ended{false};                        ///< The application posts nothing more.
    bool m_stalled{false};                      ///< The protocol takes nothing at present.
    Time m_begin;                               ///< The group was open.
    Time m_last;                                ///< Last delivery or completion.
    Time m_quiet;                               ///< Since when all have finished.
    std::string m_outcome{"none"};              ///< Observed outcome.
    double m_roundTrip{0};                      ///< Median [us].
    double m_time{0};                           ///< From the start to the last event [us].
    double m_latency{0};                        ///< Mean from a post to its completion [us].
    double m_framesPerMessage{0};               ///< Frames sent a message posted.
    double m_bytesPerMessage{0};                ///< Bytes sent a message posted.
    uint64_t m_posted{0};                       ///< Messages accepted.
    uint64_t m_completed{0};                    ///< Messages ended.
    uint64_t m_delivered{0};                    ///< Messages that have arrived here.
    uint64_t m_missing{0};                      ///< Messages that have not.
    uint64_t m_duplicates{0};                   ///< Second deliveries.
    uint64_t m_misordered{0};                   ///< Deliveries after a later one.
    uint64_t m_corrupted{0};                    ///< Deliveries that nobody has posted.
    uint64_t m_frames{0};                       ///< Frames sent.
    uint64_t m_foreign{0};                      ///< Foreign datagrams.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_LIVE_SCENARIO_H
