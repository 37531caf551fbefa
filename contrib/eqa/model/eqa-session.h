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
    BROADCAST, ///< Message of the root to all.
    BARRIER,   ///< Empty messages up a tree to the root; then an empty broadcast.
    ALLREDUCE, ///< Messages are combined up the tree; then the result is broadcast.
    ALLGATHER  ///< Messages are collected up the tree; then all of them are broadcast.
};

/** Parameters of a session. */
struct SessionOptions
{
    Operation operation{Operation::BROADCAST}; ///< The operation.
    bool hardware{true};                       ///< Broadcast by the group, not by a tree.
    uint32_t bytes{256};                       ///< Size of a message [bytes].
    uint32_t rounds{500};                      ///< Number of repetitions.
    uint32_t burst{1};                         ///< Consecutive broadcasts of a repetition.
    bool echo{false};                          ///< The answer contains the message.
    uint32_t senders{1};                       ///< Processes of the root that broadcast.
    bool sharePoint{true};                     ///< They share one DP (section 3.1).
    uint32_t members{0};                       ///< Nodes of the group, the first ones; 0 for all.
    Time late;                                 ///< Mean delay of a leaf's receive (exponential).
    Time resolution{NanoSeconds(100)};         ///< Resolution of the timer (section 4).
};

/** Times of one operation, from its start [us]; negative if not reached. */
struct OperationTimes
{
    double lastLeaf{-1};     ///< Receipt by the last leaf.
    double meanLeaf{-1};     ///< Receipt by a leaf, mean.
    double rootReturn{-1};   ///< Return of the root's call.
    double reply{-1};        ///< Receipt of the last direct child's answer by the root.
    double acknowledged{-1}; ///< Receipt of the last acknowledgement by the transport.
};

/** The node that broadcasts. */
inline constexpr messaging::Peer ROOT = 0;

/**
 * Find the parent of a node in MPICH's broadcast: the node with the lowest set bit cleared.
 * @param self the node
 * @return its parent; NO_PEER for the root
 */
messaging::Peer GetParent(messaging::Peer self);

/**
 * Find the children of a node, in the order of MPICH: the largest subtree first.
 * @param self the node
 * @param peers number of nodes
 * @return its children
 */
std::vector<messaging::Peer> GetChildren(messaging::Peer self, uint32_t peers);

/**
 * Count the nodes of a subtree.
 * @param self its topmost node
 * @param peers number of nodes
 * @return the number, including the node
 */
uint32_t GetSubtree(messaging::Peer self, uint32_t peers);

/**
 * Compute the mean of the middle 80 % of values (section 4).
 * @param values the values
 * @return their mean; zero if there are none
 */
double GetMiddleMean(std::vector<double> values);

/**
 * @ingroup eqa
 * Repeats a collective operation on a group and measures its latency, by every definition that the
 * paper leaves open (D-amb-3).
 *
 * Every node is one process with blocking calls: it sends a message when the previous call has
 * returned. The root may have several (SessionOptions::senders), which broadcast at the same time.
 * Receives of DP-SMP are posted before the operation starts or, if Late is set, by that delay after
 * the start; a process on sockets reads no message before that time.
 */
class CollectiveSession : private messaging::GroupUser
{
  public:
    /**
     * Constructor.
     * @param group the group that carries messages
     * @param eqa the group for posting receives; null if receives are not posted
     * @param options parameters of the session
     */
    CollectiveSession(Ptr<messaging::MessageGroup> group,
                      Ptr<EqaGroup> eqa,
                      const SessionOptions& options);

    ~CollectiveSession() override;

    CollectiveSession(const CollectiveSession&) = delete;
    CollectiveSession& operator=(const CollectiveSession&) = delete;

    /**
     * Assign a random stream to the delays of late receives.
     * @param stream the first stream
     * @return the number of streams assigned
     */
    int64_t AssignStreams(int64_t stream);

    /** Schedule the first operation. */
    void Start();

    /**
     * Handle the return of a peer's send call.
     * @param peer the peer
     * @param tag tag of the message; used if the root has several processes
     */
    void OnReturned(messaging::Peer peer, uint32_t tag = 0);

    /**
     * Set the progress callback.
     * @param progress called after each operation with the number of completed ones
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

    /** @return the number of messages of broadcasts that leaves received. */
    uint64_t GetNReceived() const
    {
        return m_received;
    }

    /** @return true if a node received a broadcast that it should not have. */
    bool IsWrong() const
    {
        return m_wrong;
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
        UP,    ///< A message up the tree to the root.
        REPLY, ///< The last direct child's answer.
        PURPOSES
    };

    /** A message that a process sends. */
    struct Sending
    {
        messaging::Peer to; ///< Receiver, or NO_PEER.
        uint32_t bytes;     ///< Size [bytes].
        Purpose purpose;    ///< Purpose.
    };

    /** A sequence of send calls. */
    struct Caller
    {
        std::deque<Sending> sends; ///< Messages to send; the first is being sent.
        bool calling{false};       ///< A send call is in progress.
    };

    /** A process, or the processes of the root. */
    struct Process
    {
        std::vector<Caller> callers;             ///< One, or the senders of the root.
        std::vector<messaging::Delivery> unread; ///< Messages not yet read.
        uint32_t got{0};                         ///< Number of broadcasts received.
        uint32_t gathered{0};                    ///< Number of messages received from children.
        bool late{false};                        ///< Its receive is delayed.
    };

    void OnDeliver(messaging::Peer self, const messaging::Delivery& delivery) override;
    void OnComplete(messaging::Peer self,
                    messaging::RequestId id,
                    messaging::Completion completion) override;
    void OnReady(messaging::Peer self) override;

    /** Prepare an operation. */
    void Prepare();

    /** Start an operation. */
    void Enter();

    /**
     * Call receive at a leaf.
     * @param peer the leaf
     */
    void Receive(messaging::Peer peer);

    /**
     * Process a message.
     * @param self the process
     * @param delivery the message
     */
    void Act(messaging::Peer self, const messaging::Delivery& delivery);

    /**
     * Send a message to the parent, after those of all children; at the root, broadcast.
     * @param peer the process
     */
    void PassUp(messaging::Peer peer);

    /**
     * Forward the broadcast.
     * @param peer the node
     * @param caller its process
     */
    void PassDown(messaging::Peer peer, uint32_t caller = 0);

    /**
     * Queue a message of a process.
     * @param peer the node
     * @param sending the message
     * @param caller its process
     */
    void Send(messaging::Peer peer, const Sending& sending, uint32_t caller = 0);

    /**
     * Call send for the first message in the queue of a process.
     * @param peer the node
     * @param caller its process
     */
    void Call(messaging::Peer peer, uint32_t caller);

    /** @return true if no process of the root has a message to send. */
    bool HasSentAll() const;

    /**
     * Count a broadcast's message at a leaf, and check it.
     * @param self the leaf
     * @param delivery the message
     */
    void Count(messaging::Peer self, const messaging::Delivery& delivery);

    /** End the operation, if it is complete. */
    void EndIfDone();

    /** Call the callback for the end, if all operations have ended. */
    void NotifyIfEnded();

    /** @return the time since the start, in steps of the timer [us]. */
    double GetElapsed() const;

    /** @param nodes number of nodes whose messages are sent @return their size [bytes] */
    uint32_t GetBytes(uint32_t nodes) const;

    Ptr<messaging::MessageGroup> m_group;            ///< Carries messages.
    Ptr<EqaGroup> m_eqa;                             ///< Group for posting receives; may be null.
    SessionOptions m_options;                        ///< Parameters.
    Ptr<ExponentialRandomVariable> m_random;         ///< Delay of late receives.
    std::vector<Process> m_processes;                ///< All processes.
    std::vector<OperationTimes> m_times;             ///< Times of all operations.
    std::vector<Time> m_starts;                      ///< Start of each operation.
    std::vector<uint32_t> m_unacknowledged;          ///< Unacknowledged messages by operation.
    std::function<void(uint32_t)> m_progress;        ///< Called after each operation.
    std::function<void()> m_ended;                   ///< Called at the end.
    uint64_t m_missing{0};                           ///< Number of unacknowledged messages.
    uint32_t m_peers;                                ///< Number of nodes.
    uint32_t m_members;                              ///< Number of nodes that take part.
    uint32_t m_round{0};                             ///< Number of completed operations.
    messaging::Peer m_lastChild{messaging::NO_PEER}; ///< Process that replies.
    uint32_t m_leaves{0};                            ///< Number of leaves with their message.
    double m_sum{0};                                 ///< Sum of their times [us].
    bool m_running{false};                           ///< An operation is in progress.
    uint64_t m_received{0};                          ///< Messages of broadcasts at leaves.
    bool m_refused{false};                           ///< A message was refused.
    bool m_wrong{false};                             ///< A node received something wrong.
};

} // namespace eqa
} // namespace ns3

#endif // EQA_SESSION_H
