/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef IDEMPOTENT_REPLAYER_H
#define IDEMPOTENT_REPLAYER_H

#include "ns3/idempotent-trace.h"
#include "ns3/messaging-group.h"
#include "ns3/messaging-tick-clock.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <functional>
#include <ostream>
#include <vector>

/**
 * @file
 * @ingroup idempotent
 * Drives a block-structured trace over a group.
 */

namespace ns3
{
namespace idempotent
{

/** How a replay stands. */
enum class ReplayState : uint8_t
{
    RUNNING,  ///< Blocks or messages are left.
    FINISHED, ///< All blocks have ended and all messages have been delivered.
    LIVELOCK, ///< A limit was reached.
    REFUSED   ///< The group has refused a message, or could not reach its destination.
};

/**
 * Print a state by name.
 * @param os the stream
 * @param state the value
 * @return the stream
 */
std::ostream& operator<<(std::ostream& os, ReplayState state);

/**
 * @ingroup idempotent
 * Drives a block-structured trace over any group (section 3.2).
 *
 * A block is activated when all messages that target it have been delivered; its messages are
 * posted at their offsets. A message that is stalled is posted as soon as the group is ready, in
 * the order in which a node's messages were stalled; what follows in its block moves by as much,
 * and the node's other threads go on (section 2.4: "the processor must stall").
 * Messages with IS_REPLY answer the ones with AWAITS_REPLY, for groups that let replies ride in
 * acknowledgements. The time of a run is its last delivery or block end; the network may be busy
 * longer.
 */
class TraceReplayer : public Object, private messaging::GroupUser, private messaging::TickUser
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Start a replay: place the initial blocks. Call once, before the simulation.
     * @param trace the trace, valid, which has to outlive the replay
     * @param group the group, of at least as many peers as the trace has nodes
     * @param clock the group's clock
     */
    void Start(const Trace& trace,
               Ptr<messaging::MessageGroup> group,
               Ptr<messaging::TickClock> clock);

    /**
     * Signature of the trace sources.
     * @param index of a block or message of the trace
     */
    typedef void (*IndexTracedCallback)(uint32_t index);

    /** @return how the replay stands. */
    ReplayState GetState() const
    {
        return m_state;
    }

    /** @return the last delivery or block end so far [ticks]. */
    messaging::Ticks GetRunTime() const
    {
        return m_runTime;
    }

    /** @return messages of the network that have been delivered. */
    uint64_t GetNDelivered() const
    {
        return m_delivered;
    }

    /** @return messages that were to enter the network. */
    uint64_t GetNMessages() const
    {
        return m_messages;
    }

    /** @return times that a message could not be posted at once. */
    uint64_t GetNStalls() const
    {
        return m_stalls;
    }

    /** @return the request for which the state is REFUSED: index of the message. */
    uint32_t GetRefused() const
    {
        return m_refused;
    }

    /** @return cycles of the network in a cycle of the processors. */
    double GetClockRatio() const
    {
        return m_clockRatio;
    }

    /** @return memory of the replay itself, without the trace [bytes]. */
    std::size_t GetMemory() const;

    /**
     * Set the progress callback.
     * @param progress called with the messages delivered, every few thousand
     */
    void SetProgress(std::function<void(uint64_t)> progress)
    {
        m_progress = std::move(progress);
    }

    /**
     * Set the callback for the end of the replay.
     * @param ended called once, when the state is no longer RUNNING
     */
    void SetEnded(std::function<void()> ended)
    {
        m_ended = std::move(ended);
    }

  protected:
    void DoDispose() override;

  private:
    /** A message that waits for the group, in a list by node. */
    struct Stalled
    {
        uint32_t message; ///< Index of the message; in a free element unused.
        uint32_t block;   ///< Block it is of.
        uint32_t next;    ///< Next one of its node, or next free element.
    };

    /** Messages of a node that wait. */
    struct NodeState
    {
        uint32_t first{NO_INDEX}; ///< First message that waits.
        uint32_t last{NO_INDEX};  ///< Last message that waits.
    };

    void OnDeliver(messaging::Peer self, const messaging::Delivery& delivery) override;
    void OnComplete(messaging::Peer self,
                    messaging::RequestId id,
                    messaging::Completion completion) override;
    void OnReady(messaging::Peer self) override;
    void OnTick(messaging::Peer peer, uint64_t datum) override;

    /**
     * Convert a time of the trace.
     * @param cycles of the processors
     * @return it in cycles of the network [ticks]
     */
    messaging::Ticks Scale(uint32_t cycles) const;

    /**
     * Activate a block.
     * @param block its index
     */
    void Activate(uint32_t block);

    /**
     * Signal a block.
     * @param block its index, or NO_INDEX
     */
    void Signal(uint32_t block);

    /**
     * Place the posting of messages of a block.
     * @param block its index
     * @param message first message
     * @param delay from now [ticks]
     */
    void Place(uint32_t block, uint32_t message, messaging::Ticks delay);

    /**
     * Post messages of a block until one is due later or is stalled.
     * @param block its index
     * @param message first message, which is due
     * @return false if a message was stalled
     */
    bool PostFrom(uint32_t block, uint32_t& message);

    /**
     * Put a message at the end of its node's list.
     * @param node the node
     * @param block block it is of
     * @param message its index
     */
    void Enqueue(uint32_t node, uint32_t block, uint32_t message);

    /** End if nothing is left. */
    void CheckEnd();

    /**
     * End.
     * @param state how
     */
    void End(ReplayState state);

    /** Check the limits. */
    void Watch();

    const Trace* m_trace{nullptr};             ///< The trace.
    Ptr<messaging::MessageGroup> m_group;      ///< The group.
    Ptr<messaging::TickClock> m_clock;         ///< Its clock.
    std::vector<uint32_t> m_signals;           ///< Deliveries that each block still waits for.
    std::vector<NodeState> m_nodes;            ///< By node.
    std::vector<Stalled> m_stalled;            ///< Messages that wait, and free elements.
    std::function<void(uint64_t)> m_progress;  ///< Progress callback.
    std::function<void()> m_ended;             ///< Callback for the end.
    TracedCallback<uint32_t> m_activatedTrace; ///< A block was activated.
    TracedCallback<uint32_t> m_postedTrace;    ///< A message was posted.
    TracedCallback<uint32_t> m_deliveredTrace; ///< A message was delivered.
    TracedCallback<uint32_t> m_completedTrace; ///< A message has ended at its sender.
    double m_clockRatio{1};                    ///< Cycles of the network in one of the trace.
    messaging::Ticks m_maxCycles{0};           ///< Longest run, 0 for no limit [ticks].
    messaging::Ticks m_maxIdle{0};             ///< Longest time without delivery, 0 for no limit.
    messaging::Ticks m_runTime{0};             ///< Last delivery or block end [ticks].
    messaging::Ticks m_lastDelivery{0};        ///< Last delivery [ticks].
    uint64_t m_delivered{0};                   ///< Messages of the network delivered.
    uint64_t m_messages{0};                    ///< Messages that were to enter the network.
    uint64_t m_posted{0};                      ///< Messages that have entered the network.
    uint64_t m_blocksLeft{0};                  ///< Blocks whose last message is not yet posted.
    uint64_t m_stalls{0};                      ///< Messages that had to wait.
    uint32_t m_free{NO_INDEX};                 ///< First free element of m_stalled.
    uint32_t m_refused{NO_INDEX};              ///< Message for which the state is REFUSED.
    uint32_t m_user{0};                        ///< The clock's number for this.
    ReplayState m_state{ReplayState::RUNNING}; ///< How the replay stands.
};

} // namespace idempotent
} // namespace ns3

#endif // IDEMPOTENT_REPLAYER_H
