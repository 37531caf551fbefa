/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef EQA_SESSION_H
#define EQA_SESSION_H

#include "eqa-group.h"

#include "ns3/messaging-group.h"
#include "ns3/random-variable-stream.h"

#include <deque>
#include <functional>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup eqa
 * Collective operations, repeated and timed.
 */

namespace ns3
{
namespace eqa
{

/** Collective operations; all end in a broadcast. */
enum class Operation : uint8_t
{
    BROADCAST, ///< The root's message to all.
    BARRIER,   ///< An empty message from everyone to the root, up a tree; then an empty broadcast.
    ALLREDUCE, ///< Messages are combined on their way up the tree; then the result is broadcast.
    ALLGATHER  ///< Messages are collected on their way up; then all of them are broadcast.
};

/** Parameters of a session. */
struct SessionOptions
{
    Operation operation{Operation::BROADCAST}; ///< The operation.
    bool hardware{true};                       ///< Broadcast by the group; otherwise by a tree.
    uint32_t bytes{256};                       ///< Size of a message [bytes].
    uint32_t rounds{500};                      ///< Number of repetitions.
    uint32_t burst{1};                         ///< Broadcasts one behind the other each time.
    bool echo{false};                          ///< The answer is the message, not empty.
    messaging::Peer root{0};                   ///< The broadcaster.
    Time late;                                 ///< Mean delay of a leaf's receive (exponential).
    Time resolution{NanoSeconds(100)};         ///< Times are cut to multiples of it (section 4).
};

/** Times of one operation, from its start [us]; negative if not reached. */
struct OperationTimes
{
    double lastLeaf{-1};     ///< The last leaf has its message.
    double meanLeaf{-1};     ///< A leaf has its message, mean.
    double rootReturn{-1};   ///< The root's call returns.
    double reply{-1};        ///< The root has an answer from its last direct child.
    double acknowledged{-1}; ///< The transport has the acknowledgements of all receivers.
};

/**
 * Find the parent of a node in MPICH's broadcast: the one whose rank relative to the root has the
 * lowest set bit cleared.
 * @param self the node
 * @param root the broadcaster
 * @param peers number of nodes
 * @return its parent; NO_PEER for the root
 */
messaging::Peer GetParent(messaging::Peer self, messaging::Peer root, uint32_t peers);

/**
 * Find the children of a node, in the order of MPICH: the largest subtree first.
 * @param self the node
 * @param root the broadcaster
 * @param peers number of nodes
 * @return its children
 */
std::vector<messaging::Peer> GetChildren(messaging::Peer self,
                                         messaging::Peer root,
                                         uint32_t peers);

/**
 * Count the nodes of a subtree.
 * @param self its topmost node
 * @param root the broadcaster
 * @param peers number of nodes
 * @return the number, the node included
 */
uint32_t GetSubtree(messaging::Peer self, messaging::Peer root, uint32_t peers);

/**
 * Compute the mean of the middle 80 % (section 4).
 * @param values the values
 * @return their mean; zero if there are none
 */
double GetMiddleMean(std::vector<double> values);

/**
 * @ingroup eqa
 * Repeats a collective operation on a group and takes the time, by every definition of latency that
 * the paper leaves open (D-amb-3).
 *
 * Every node is one process with blocking calls: it sends one message after the other, each when
 * the call before has returned. Receives of DP-SMP are posted before the operation starts or, if
 * Late is set, that much after; a process on sockets reads no message before that.
 */
class CollectiveSession : private messaging::GroupUser
{
  public:
    /**
     * Constructor.
     * @param group the group that carries messages
     * @param eqa the group for posting receives; null if the group needs none
     * @param options parameters of the session
     */
    CollectiveSession(Ptr<messaging::MessageGroup> group,
                      Ptr<EqaGroup> eqa,
                      const SessionOptions& options);

    ~CollectiveSession() override;

    CollectiveSession(const CollectiveSession&) = delete;
    CollectiveSession& operator=(const CollectiveSession&) = delete;

    /**
     * Assign a random stream to the lateness of receivers.
     * @param stream the first stream
     * @return the number of streams assigned
     */
    int64_t AssignStreams(int64_t stream);

    /** Begin; the rest follows in the simulation. */
    void Start();

    /**
     * A peer's send call returns.
     * @param peer the peer
     */
    void OnReturned(messaging::Peer peer);

    /**
     * Set the progress callback.
     * @param progress called after each operation with the number of those done
     */
    void SetProgress(std::function<void(uint32_t)> progress)
    {
        m_progress = std::move(progress);
    }

    /**
     * Set the callback for the end.
     * @param ended called when all operations have ended and all receivers have acknowledged
     */
    void SetEnded(std::function<void()> ended)
    {
        m_ended = std::move(ended);
    }

    /** @return true if all operations have ended. */
    bool IsFinished() const
    {
        return m_round == m_options.rounds;
    }

    /** @return the number of operations that have ended. */
    uint32_t GetNDone() const
    {
        return m_round;
    }

    /** @return true if a message was refused. */
    bool IsRefused() const
    {
        return m_refused;
    }

    /** @return the times of all operations. */
    const std::vector<OperationTimes>& GetTimes() const
    {
        return m_times;
    }

    /**
     * Get the mean of the middle 80 % (section 4).
     * @param member the time
     * @return the mean [us]; zero if there is none
     */
    double GetMean(double OperationTimes::* member) const;

  private:
    /** Purpose of a message; the lower bits of its tag. */
    enum Purpose : uint32_t
    {
        DOWN,  ///< The broadcast.
        UP,    ///< On its way to the root.
        REPLY, ///< The last direct child's answer.
        PURPOSES
    };

    /** A message to be sent by a process. */
    struct Sending
    {
        messaging::Peer to; ///< Receiver, or NO_PEER.
        uint32_t bytes;     ///< Size [bytes].
        Purpose purpose;    ///< Purpose.
    };

    /** A process. */
    struct Process
    {
        std::deque<Sending> sends;               ///< Messages to send; the first is being sent.
        std::vector<messaging::Delivery> unread; ///< Messages it has not read yet.
        uint32_t got{0};                         ///< Broadcasts that it has.
        uint32_t gathered{0};                    ///< Messages that it has from below.
        bool calling{false};                     ///< A send call is in progress.
        bool late{false};                        ///< It does not receive yet.
    };

    void OnDeliver(messaging::Peer self, const messaging::Delivery& delivery) override;
    void OnComplete(messaging::Peer self,
                    messaging::RequestId id,
                    messaging::Completion completion) override;
    void OnReady(messaging::Peer self) override;

    /** Prepare an operation. */
    void Prepare();

    /** Start it. */
    void Enter();

    /**
     * A leaf calls receive.
     * @param peer the leaf
     */
    void Receive(messaging::Peer peer);

    /**
     * A process acts on a message.
     * @param self the process
     * @param delivery the message
     */
    void Act(messaging::Peer self, const messaging::Delivery& delivery);

    /**
     * A process has all messages from below.
     * @param peer the process
     */
    void PassUp(messaging::Peer peer);

    /**
     * A process hands the broadcast on.
     * @param peer the process
     */
    void PassDown(messaging::Peer peer);

    /**
     * Queue a message of a process.
     * @param peer the process
     * @param sending the message
     */
    void Send(messaging::Peer peer, const Sending& sending);

    /**
     * Call send for the first message in the queue of a process.
     * @param peer the process
     */
    void Call(messaging::Peer peer);

    /** End the operation, if it has ended. */
    void EndIfDone();

    /** Call the callback for the end, if all operations have ended. */
    void NotifyIfEnded();

    /** @return the time since the start, as the timer shows it [us]. */
    double GetElapsed() const;

    /** @return the size of the broadcast [bytes]. */
    uint32_t GetDownBytes() const;

    Ptr<messaging::MessageGroup> m_group;            ///< Carries messages.
    Ptr<EqaGroup> m_eqa;                             ///< Takes receives; may be null.
    SessionOptions m_options;                        ///< Parameters.
    Ptr<ExponentialRandomVariable> m_random;         ///< Late receivers.
    std::vector<Process> m_processes;                ///< All processes.
    std::vector<OperationTimes> m_times;             ///< Times of all operations.
    std::vector<Time> m_starts;                      ///< When they started.
    std::vector<uint32_t> m_unacknowledged;          ///< Messages of each without acknowledgement.
    std::function<void(uint32_t)> m_progress;        ///< Called after each operation.
    std::function<void()> m_ended;                   ///< Called at the end.
    uint64_t m_missing{0};                           ///< Messages without acknowledgement.
    uint32_t m_peers;                                ///< Number of processes.
    uint32_t m_round{0};                             ///< Operations that have ended.
    messaging::Peer m_lastChild{messaging::NO_PEER}; ///< The process that replies.
    uint32_t m_leaves{0};                            ///< Leaves that have their message.
    double m_sum{0};                                 ///< Sum of their times [us].
    bool m_running{false};                           ///< An operation is in progress.
    bool m_refused{false};                           ///< A message was refused.
};

} // namespace eqa
} // namespace ns3

#endif // EQA_SESSION_H
