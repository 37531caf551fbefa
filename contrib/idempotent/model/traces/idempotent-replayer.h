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
 * Replays a block-structured trace over a group.
 */

namespace ns3
{
namespace idempotent
{

/** States of a replay. */
enum class ReplayState : uint8_t
{
    RUNNING,  ///< Blocks or messages remain.
    FINISHED, ///< All blocks have ended and all messages have been delivered.
    LIVELOCK, ///< A limit was reached.
    REFUSED   ///< The group has refused a message or could not reach its destination.
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
 * Replays a block-structured trace over any group (section 3.2).
 *
 * A block is activated when all messages that target it have been delivered; its messages are
 * posted at their offsets. A stalled message is posted when the group is ready, in the order in
 * which a node's messages were stalled. It delays the rest of its block by the same time, while the
 * node's other threads continue (section 2.4: "the processor must stall"). Messages with IS_REPLY
 * answer those with AWAITS_REPLY, for groups that send replies in acknowledgements. The time of a
 * run is its last delivery or block end; the network may be busy longer.
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
     * Start a replay: activate the initial blocks. Call it once, before the simulation.
     * @param trace the trace, valid, which has to outlive the replay
     * @param group the group, with at least as many peers as nodes of the trace
     * @param clock the group's clock
     */
    void Start(const Trace& trace,
               Ptr<messaging::MessageGroup> group,
               Ptr<messaging::TickClock> clock);

    /**
     * Signature of the trace sources.
     * @param index index of a block or message of the trace
     */
    typedef void (*IndexTracedCallback)(uint32_t index);

    /** @return the state of the replay. */
    ReplayState GetState() const
    {
        return m_state;
    }

    /** @return the last delivery or block end so far [ticks]. */
    messaging::Ticks GetRunTime() const
    {
        return m_runTime;
    }

    /** @return delivered messages of the network. */
    uint64_t GetNDelivered() const
    {
        return m_delivered;
    }

    /** @return messages of the trace that use the network. */
    uint64_t GetNMessages() const
    {
        return m_messages;
    }

    /** @return number of stalled messages. */
    uint64_t GetNStalls() const
    {
        return m_stalls;
    }

    /** @return index of the refused message in state REFUSED. */
    uint32_t GetRefused() const
    {
        return m_refused;
    }

    /** @return clock rate of the network relative to that of the processors. */
    double GetClockRatio() const
    {
        return m_clockRatio;
    }

    /** @return memory of the replay itself, without the trace [bytes]. */
    std::size_t GetMemory() const;

    /**
     * Set the progress callback.
     * @param progress called with the number of delivered messages, every few thousand
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
    /** A message that waits for the group, in a list for each node. */
    struct Stalled
    {
        uint32_t message; ///< Index of the message; unused in a free element.
        uint32_t block;   ///< Block of the message.
        uint32_t next;    ///< Next message of its node, or next free element.
    };

    /** Waiting messages of a node. */
    struct NodeState
    {
        uint32_t first{NO_INDEX}; ///< First waiting message.
        uint32_t last{NO_INDEX};  ///< Last waiting message.
    };

    void OnDeliver(messaging::Peer self, const messaging::Delivery& delivery) override;
    void OnComplete(messaging::Peer self,
                    messaging::RequestId id,
                    messaging::Completion completion) override;
    void OnReady(messaging::Peer self) override;
    void OnTick(messaging::Peer peer, uint64_t datum) override;

    /**
     * Convert a time of the trace.
     * @param cycles cycles of the processors
     * @return cycles of the network [ticks]
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
     * Schedule the posting of messages of a block.
     * @param block its index
     * @param message first message
     * @param delay delay from now [ticks]
     */
    void Place(uint32_t block, uint32_t message, messaging::Ticks delay);

    /**
     * Post messages of a block until one has a later offset or is stalled.
     * @param block its index
     * @param message first message, which is due
     * @return false if a message was stalled
     */
    bool PostFrom(uint32_t block, uint32_t& message);

    /**
     * Append a message to its node's list.
     * @param node the node
     * @param block its block
     * @param message its index
     */
    void Enqueue(uint32_t node, uint32_t block, uint32_t message);

    /** End the replay if no block or message remains. */
    void CheckEnd();

    /**
     * End the replay.
     * @param state final state
     */
    void End(ReplayState state);

    /** Check the limits. */
    void Watch();

    const Trace* m_trace{nullptr};             ///< The trace.
    Ptr<messaging::MessageGroup> m_group;      ///< The group.
    Ptr<messaging::TickClock> m_clock;         ///< Its clock.
    std::vector<uint32_t> m_signals;           ///< Missing signals by block.
    std::vector<NodeState> m_nodes;            ///< States by node.
    std::vector<Stalled> m_stalled;            ///< Waiting messages and free elements.
    std::function<void(uint64_t)> m_progress;  ///< Progress callback.
    std::function<void()> m_ended;             ///< Callback for the end.
    TracedCallback<uint32_t> m_activatedTrace; ///< A block was activated.
    TracedCallback<uint32_t> m_postedTrace;    ///< A message was posted.
    TracedCallback<uint32_t> m_deliveredTrace; ///< A message was delivered.
    TracedCallback<uint32_t> m_completedTrace; ///< A message has ended at its sender.
    double m_clockRatio{1};                    ///< Clock rate relative to the processors'.
    messaging::Ticks m_maxCycles{0};           ///< Maximum duration of a run; 0: no limit [ticks].
    messaging::Ticks m_maxIdle{0};             ///< Maximum idle time; 0: no limit [ticks].
    messaging::Ticks m_runTime{0};             ///< Last delivery or block end [ticks].
    messaging::Ticks m_lastDelivery{0};        ///< Last delivery [ticks].
    uint64_t m_delivered{0};                   ///< Delivered messages of the network.
    uint64_t m_messages{0};                    ///< Messages of the trace that use the network.
    uint64_t m_posted{0};                      ///< Posted messages of the network.
    uint64_t m_blocksLeft{0};                  ///< Blocks whose last message is not yet posted.
    uint64_t m_stalls{0};                      ///< Number of stalled messages.
    uint32_t m_free{NO_INDEX};                 ///< First free element of m_stalled.
    uint32_t m_refused{NO_INDEX};              ///< Refused message in state REFUSED.
    uint32_t m_user{0};                        ///< User number at the clock.
    ReplayState m_state{ReplayState::RUNNING}; ///< State of the replay.
};

} // namespace idempotent
} // namespace ns3

#endif // IDEMPOTENT_REPLAYER_H
