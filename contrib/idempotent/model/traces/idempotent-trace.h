/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef IDEMPOTENT_TRACE_H
#define IDEMPOTENT_TRACE_H

/**
 * @file
 * @ingroup idempotent
 * Block-structured traces (section 3.2 of "A Lightweight Idempotent Messaging Protocol for Faulty
 * Networks", SPAA 2002), without any simulator type.
 */

#include <array>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace ns3
{
namespace idempotent
{

/// Stands for "no block", "no thread" or "no message" wherever an index may be absent.
inline constexpr uint32_t NO_INDEX = UINT32_MAX;

/// Bytes of one word, the unit in which the paper's machine addresses memory (section 4.2: flits
/// are 32 bits wide).
inline constexpr uint32_t WORD_BYTES = 4;

/// Purpose of a message. It does not change the way of the message; statistics and the
/// piggybacked reply of section 6 need it.
enum class MessageKind : uint8_t
{
    LOAD = 0,        ///< request of a remote load (Figure 7)
    LOAD_REPLY = 1,  ///< value of a remote load on its way home (Figure 7)
    STORE = 2,       ///< split-phase remote store (section 3.1)
    STORE_REPLY = 3, ///< completion of a remote store, which Wait collects
    FORK = 4,        ///< creation of a thread (section 3.1)
    JOIN = 5,        ///< write to another thread's register (section 3.1)
    SIGNAL = 6,      ///< order of two blocks of one node; never enters the network
    DATA = 7,        ///< message of an imported schedule
};

/// Number of message kinds.
inline constexpr std::size_t MESSAGE_KINDS = 8;

/**
 * Name of a message kind as the text form of a trace spells it.
 *
 * @param kind the kind
 * @return its name in lower case
 */
const char* MessageKindName(MessageKind kind);

/**
 * Prints a message kind.
 *
 * @param os the stream
 * @param kind the kind
 * @return the stream
 */
std::ostream& operator<<(std::ostream& os, MessageKind kind);

/**
 * Whether a message answers the message that activated its block, so that it can ride in that
 * message's acknowledgement (section 6).
 *
 * @param kind the kind of the message
 * @return true for the reply of a load or a store
 */
constexpr bool
IsReply(MessageKind kind)
{
    return kind == MessageKind::LOAD_REPLY || kind == MessageKind::STORE_REPLY;
}

/// One message of a trace, unpacked.
struct TraceMessage
{
    uint32_t destination{0};             ///< node the message goes to
    uint32_t bytes{0};                   ///< length without checksum [bytes, a multiple of 4]
    uint32_t offset{0};                  ///< departure after its block's activation [cycles]
    uint32_t target{NO_INDEX};           ///< block signalled on delivery, or NO_INDEX
    MessageKind kind{MessageKind::DATA}; ///< its purpose

    /// @param other another message
    /// @return whether all fields are equal
    bool operator==(const TraceMessage& other) const = default;
};

/**
 * A block-structured trace (section 3.2).
 *
 * A block is a stretch of one thread that runs without waiting for any message. When a block is
 * activated each of its messages departs at its offset. A delivered message signals its target
 * block, if it has one; a block is activated when every message that targets it has been
 * delivered. Blocks that no message targets are activated at time zero. A block ends `duration`
 * cycles after its activation; the time of a run is its last delivery or block end.
 *
 * A message whose destination is its own block's node is local: it never enters the network and is
 * delivered at its offset. Local messages of kind SIGNAL keep two blocks of one thread in order
 * when the second waits for messages that may arrive before the first has ended.
 *
 * Fields lie in arrays of their own with 32-bit indices: 20 bytes a block and 17 a message. The
 * messages of a block are contiguous and ordered by offset.
 */
class Trace
{
  public:
    /// @return number of nodes
    uint32_t GetNodes() const
    {
        return m_nodes;
    }

    /// @return number of blocks
    uint32_t GetBlocks() const
    {
        return static_cast<uint32_t>(m_node.size());
    }

    /// @return number of messages, local ones included
    uint32_t GetMessages() const
    {
        return static_cast<uint32_t>(m_destination.size());
    }

    /// @param block index of a block
    /// @return node the block runs on
    uint32_t GetNode(uint32_t block) const
    {
        return m_node[block];
    }

    /// @param block index of a block
    /// @return thread the block belongs to; NO_INDEX if the memory system runs it (Figure 7's ref)
    uint32_t GetThread(uint32_t block) const
    {
        return m_thread[block];
    }

    /// @param block index of a block
    /// @return time from the block's activation to its end [cycles]
    uint32_t GetDuration(uint32_t block) const
    {
        return m_duration[block];
    }

    /// @param block index of a block
    /// @return number of deliveries that activate the block; 0 for an initial block
    uint32_t GetSignals(uint32_t block) const
    {
        return m_signals[block];
    }

    /// @param block index of a block
    /// @return index of the block's first message
    uint32_t GetFirst(uint32_t block) const
    {
        return m_first[block];
    }

    /// @param block index of a block
    /// @return index after the block's last message
    uint32_t GetEnd(uint32_t block) const
    {
        return m_first[block + 1];
    }

    /// @param message index of a message
    /// @return node the message goes to
    uint32_t GetDestination(uint32_t message) const
    {
        return m_destination[message];
    }

    /// @param message index of a message
    /// @return length without checksum [bytes]
    uint32_t GetBytes(uint32_t message) const
    {
        return m_bytes[message];
    }

    /// @param message index of a message
    /// @return departure after the activation of its block [cycles]
    uint32_t GetOffset(uint32_t message) const
    {
        return m_offset[message];
    }

    /// @param message index of a message
    /// @return block it signals on delivery, or NO_INDEX
    uint32_t GetTarget(uint32_t message) const
    {
        return m_target[message];
    }

    /// @param message index of a message
    /// @return its purpose
    MessageKind GetKind(uint32_t message) const
    {
        return m_kind[message];
    }

    /// @param message index of a message
    /// @return all its fields
    TraceMessage GetMessage(uint32_t message) const;

    /// @return number of messages that enter the network (destination differs from their node)
    uint32_t GetNetworkMessages() const;

    /// @return number of messages that enter the network, by kind
    std::array<uint32_t, MESSAGE_KINDS> GetNetworkMessagesByKind() const;

    /// @return memory held by the trace's arrays [bytes]
    std::size_t GetMemory() const;

    /**
     * Checks that the trace can be replayed to its end: nodes and targets in range, lengths a
     * positive number of words, offsets within the duration, signal counts equal to the messages
     * that target each block, replies alone in a block with one signal, and no cycle of blocks.
     *
     * @return empty if so, else one sentence that names the block or message
     */
    std::string Validate() const;

    /// @param other another trace
    /// @return whether both describe the same blocks and messages in the same order
    bool operator==(const Trace& other) const = default;

  private:
    /// Fills a trace.
    friend class TraceBuilder;

    /// @return empty if all fields are in range, else a sentence
    std::string ValidateFields() const;
    /// @return empty if no blocks wait for one another, else a sentence that names a cycle
    std::string ValidateOrder() const;

    uint32_t m_nodes{0};                 ///< number of nodes
    std::vector<uint32_t> m_node;        ///< per block: its node
    std::vector<uint32_t> m_thread;      ///< per block: its thread or NO_INDEX
    std::vector<uint32_t> m_duration;    ///< per block: time to its end [cycles]
    std::vector<uint32_t> m_signals;     ///< per block: deliveries that activate it
    std::vector<uint32_t> m_first{0};    ///< per block: first message; one entry more than blocks
    std::vector<uint32_t> m_destination; ///< per message: destination node
    std::vector<uint32_t> m_bytes;       ///< per message: length [bytes]
    std::vector<uint32_t> m_offset;      ///< per message: departure in its block [cycles]
    std::vector<uint32_t> m_target;      ///< per message: block signalled or NO_INDEX
    std::vector<MessageKind> m_kind;     ///< per message: kind
};

/// A trace, or the sentence why there is none.
struct TraceOrError
{
    Trace trace;       ///< the trace; empty if there is an error
    std::string error; ///< empty, or what is wrong and where
};

/**
 * Collects blocks and messages in any order and packs them into a Trace.
 *
 * Recording a program depth first (section 3.3) adds to many open blocks in turn, and learns the
 * target of a message only when another thread waits for it.
 */
class TraceBuilder
{
  public:
    /// @param nodes number of nodes
    explicit TraceBuilder(uint32_t nodes);

    /**
     * Adds a block without messages.
     *
     * @param node node the block runs on
     * @param thread thread it belongs to, or NO_INDEX
     * @return the block's index
     */
    uint32_t AddBlock(uint32_t node, uint32_t thread);

    /**
     * Adds a message to a block.
     *
     * @param block index of the block that sends it
     * @param message its fields
     * @return a handle for SetTarget
     */
    uint32_t AddMessage(uint32_t block, const TraceMessage& message);

    /// @param message handle of a message
    /// @param target block it shall signal
    void SetTarget(uint32_t message, uint32_t target)
    {
        m_trace.m_target[message] = target;
    }

    /// @param block index of a block
    /// @param duration time to the block's end [cycles]
    void SetDuration(uint32_t block, uint32_t duration)
    {
        m_trace.m_duration[block] = duration;
    }

    /// @param block index of a block
    /// @return time to the block's end so far [cycles]
    uint32_t GetDuration(uint32_t block) const
    {
        return m_trace.m_duration[block];
    }

    /// @param block index of a block
    /// @return node the block runs on
    uint32_t GetNode(uint32_t block) const
    {
        return m_trace.m_node[block];
    }

    /// @return number of blocks so far
    uint32_t GetBlocks() const
    {
        return m_trace.GetBlocks();
    }

    /// @return number of messages so far
    uint32_t GetMessages() const
    {
        return m_trace.GetMessages();
    }

    /// @param blocks number of blocks expected
    /// @param messages number of messages expected
    void Reserve(std::size_t blocks, std::size_t messages);

    /**
     * Packs blocks and messages: messages grouped by block and ordered by offset, signal counts
     * from the targets. The builder is empty afterwards.
     *
     * @return the trace, not yet validated
     */
    Trace Finish();

    /**
     * Packs blocks and messages with the signal counts of a file.
     *
     * @param signals per block the number of deliveries that activate it
     * @return the trace, not yet validated
     */
    Trace Finish(std::vector<uint32_t> signals);

  private:
    /// Groups the messages by block, each block's by offset.
    void Pack();

    Trace m_trace;                 ///< the arrays; messages in the order they were added
    std::vector<uint32_t> m_block; ///< per message: its block
};

} // namespace idempotent
} // namespace ns3

#endif // IDEMPOTENT_TRACE_H
