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
 *
 * Packets from the application consist of a kind, three zeroes, a peer, and bytes or a number:
 *
 * @verbatim
     M  message to the peer: its bytes
     T  number of messages of the peer that the program has taken since the last T
   @endverbatim
 *
 * Packets to the application have the same form:
 *
 * @verbatim
     O  the group is open, with this peer: number of peers, LIVE_WINDOW, reliable protocol or not
     D  message of the peer: its bytes
     P  progress with the peer: all messages to it below three numbers have ended, are delivered
        there, and are taken by its program
     F  no more messages to the peer, as one is given up or refused: a sentence
     B  messages of the peer are missing or damaged: a sentence
     L  the peer has left, and all of its messages are here
     G  the peer has left long ago; what is not delivered never will be
   @endverbatim
 *
 * For each message that the program takes, its sender may post one more. So the program alone
 * bounds the messages that wait for it. Without reliability, those beyond the bound are dropped.
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
    /** Kinds of packets from and to the application, by the letters of the format above. */
    enum class PacketKind : char
    {
        MESSAGE = 'M',  ///< From it: a message.
        TAKEN = 'T',    ///< From it: number of messages taken.
        OPEN = 'O',     ///< The group is open.
        DELIVERY = 'D', ///< A message.
        PROGRESS = 'P', ///< Progress with a peer.
        FAILURE = 'F',  ///< No more messages to a peer.
        BROKEN = 'B',   ///< Messages of a peer are missing or damaged.
        LEFT = 'L',     ///< A peer has left, and all of its messages are here.
        GONE = 'G'      ///< A peer has left long ago.
    };

    void OnDeliver(Peer self, const Delivery& delivery) override;
    void OnComplete(Peer self, RequestId id, Completion completion) override;
    void OnReady(Peer self) override;

    /** Open the port and the application's socket. @return empty, or one sentence with the error
     */
    std::string Open();

    /** Make the protocol's group over the port with its faults. */
    void Connect();

    /** Send progress to the other peers, and end the run when all have finished. */
    void Poll();

    /**
     * End the run if a peer has failed or the time limit is reached.
     * @return true if the run has ended
     */
    bool EndIfFailed();

    /**
     * Describe the failure of a peer.
     * @param peer the peer
     * @param isLate whether the time to join is over
     * @return the end of a sentence that begins with the peer, or empty
     */
    std::string DescribeFailure(Peer peer, bool isLate) const;

    /** End the run with an error, and inform the other peers. @param reason a sentence */
    void Fail(const std::string& reason);

    /** Post messages until the protocol stalls. */
    void PostNext();

    /** Read requests from the application. */
    void ReadRequests();

    /** Write queued packets to the application. */
    void WriteAnswers();

    /**
     * Queue a packet for the application.
     * @param kind kind of the packet
     * @param peer the peer
     * @param bytes its other bytes
     */
    void Answer(PacketKind kind, Peer peer, const std::vector<uint8_t>& bytes);

    /**
     * Queue a packet with a sentence.
     * @param kind kind of the packet
     * @param peer the peer
     * @param sentence the sentence
     */
    void AnswerText(PacketKind kind, Peer peer, const std::string& sentence);

    /** Queue a packet with the progress with a peer, if it has changed. @param peer the peer */
    void AnswerProgress(Peer peer);

    /** @return the bytes of a packet with the progress with a peer. @param peer the peer */
    std::vector<uint8_t> GetProgressBytes(Peer peer) const;

    /**
     * Handle a damaged message of a peer.
     * @param from the peer
     * @param sentence what is wrong
     */
    void OnDamage(Peer from, const std::string& sentence);

    /**
     * Take a message from the application.
     * @param to its receiver
     * @param bytes its bytes
     */
    void TakeMessage(Peer to, std::vector<uint8_t> bytes);

    /** Update the progress of this peer with another. @param peer the other peer */
    void UpdateProgress(Peer peer);

    /** Handle the progress of another peer with this one. @param peer the other peer */
    void OnProgress(Peer peer);

    /** Inform the application about peers that have left. */
    void ReportDepartures();

    /** End the protocol's messages to a peer. @param to the peer @param sentence the reason */
    void GiveUpMessage(Peer to, const std::string& sentence);

    /**
     * Deliver a message to the application.
     * @param delivery the message
     */
    void DeliverBytes(const Delivery& delivery);

    /**
     * Check a delivery of the peers' own traffic.
     * @param delivery the message
     */
    void CheckDelivery(const Delivery& delivery);

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

    /** @return the number of messages of a peer for this one. @param from the peer */
    uint64_t CountExpected(Peer from) const;

    /** @return whether all messages of peers that have finished are here, unless given up. */
    bool HasAllOfFinished() const;

    /**
     * Get the real time. The clock of the events may stay behind it: what arrives is served before
     * events that are due, at their time.
     * @return the real time since time zero, without stops
     */
    Time GetRealTime() const;

    /** @return whether the protocol reports each message that it does not deliver. */
    bool IsReliable() const;

    /** Compute results and tables. */
    void Measure();

    /** Messages to and from another peer. */
    struct Link
    {
        LiveNumbers ended;             ///< Numbers of messages to it that have ended.
        LiveNumbers delivered;         ///< Numbers of messages of it that are delivered.
        uint64_t posted{0};            ///< Messages to it.
        uint64_t distinct{0};          ///< Messages of it that are delivered, without repetitions.
        uint64_t arrived{0};           ///< Those of them that the program gets.
        uint64_t taken{0};             ///< Messages of it that the program has taken.
        uint64_t newest{0};            ///< Highest number delivered.
        Time finished;                 ///< Time at which it finished; zero before.
        std::vector<uint8_t> reported; ///< Progress in the last packet to the application.
        bool reporting{false};         ///< A packet with the progress waits for the application.
        bool warned{false};            ///< The application knows that messages are missing.
        bool left{false};              ///< The application knows that it has left.
        bool gone{false};              ///< The application knows that it has left long ago.
    };

    /** Posted message. */
    struct Posted
    {
        Time when;        ///< Time of the post.
        Peer to;          ///< Receiver.
        uint64_t number;  ///< Number at the receiver.
        bool sent{false}; ///< A SENT has preceded the end.
    };

    std::string m_protocolName;                         ///< Name of the protocol.
    std::string m_peersText;                            ///< Addresses of the peers.
    std::string m_application;                          ///< Path of the application's socket.
    Ptr<FaultPlan> m_faults{CreateObject<FaultPlan>()}; ///< The fault plan.
    Time m_limit;                                       ///< Time limit of the run.
    Time m_joinLimit;                                   ///< Time limit for all peers to join.
    Time m_silenceLimit;                                ///< Silence after which a peer has failed.
    uint32_t m_self{0};                                 ///< The peer.
    uint32_t m_size{0};                                 ///< Size of a message [bytes].
    uint32_t m_messages{0};                             ///< Messages of a peer.

    Ptr<TickClock> m_clock;                       ///< Clock with ticks of 1 ns.
    Ptr<LivePort> m_port;                         ///< The UDP socket.
    Ptr<MessageGroup> m_group;                    ///< The protocol's group.
    LiveScheduler* m_scheduler{nullptr};          ///< Scheduler, not owned.
    std::deque<Request> m_waiting;                ///< Requests to post.
    std::deque<std::vector<uint8_t>> m_answers;   ///< Packets for the application.
    std::vector<Link> m_links;                    ///< Messages of the other peers.
    std::unordered_map<RequestId, Posted> m_open; ///< Messages that have not ended.
    RequestId m_nextId{0};                        ///< Next request of the application.
    Promise m_promise;                            ///< Promise of the protocol.
    int m_socket{-1};                             ///< Socket of the application, or -1.
    bool m_ended{false};                          ///< No more requests come from the application.
    bool m_stalled{false};                        ///< The protocol has stalled a post.
    Time m_begin;                                 ///< Begin of the messages.
    Time m_last;                                  ///< Time of the last delivery or completion.
    Time m_quiet;                                 ///< Time since which all have finished.
    std::string m_outcome{"none"};                ///< Observed outcome.
    double m_roundTrip{0};                        ///< Median round trip [us].
    double m_time{0};                             ///< From the start to the last event [us].
    double m_latency{0};                          ///< Mean time from a post to its completion [us].
    uint64_t m_posted{0};                         ///< Messages accepted.
    uint64_t m_completed{0};                      ///< Messages completed.
    uint64_t m_refused{0};                        ///< Messages refused after one was given up.
    uint64_t m_failed{0};                         ///< Messages that the protocol has given up.
    uint64_t m_delivered{0};                      ///< Messages delivered to this peer.
    uint64_t m_missing{0};        ///< Messages for this peer that were not delivered.
    uint64_t m_duplicates{0};     ///< Second deliveries.
    uint64_t m_misordered{0};     ///< Deliveries after a later one.
    uint64_t m_miscompletions{0}; ///< False completions.
    uint64_t m_corrupted{0};      ///< Deliveries that differ from the posted message.
    uint64_t m_frames{0};         ///< Frames sent.
    uint64_t m_dropped{0};        ///< Messages for which the program had no room.
    uint64_t m_foreign{0};        ///< Foreign datagrams.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_LIVE_SCENARIO_H
