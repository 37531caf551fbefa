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

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace idempotent
{

/// Absent index of a block, thread or message.
inline constexpr uint32_t NO_INDEX = UINT32_MAX;

/// Bytes of one word, the unit in which the paper's machine addresses memory (section 4.2: flits
/// are 32 bits wide).
inline constexpr uint32_t WORD_BYTES = 4;

/// Purpose of a message, for statistics and the piggybacked replies of section 6. It does not
/// affect the transmission.
enum class MessageKind : uint8_t
{
    LOAD = 0,        ///< Request of a remote load (Figure 7).
    LOAD_REPLY = 1,  ///< Value of a remote load (Figure 7).
    STORE = 2,       ///< Split-phase remote store (section 3.1).
    STORE_REPLY = 3, ///< Completion of a remote store, which Wait collects.
    FORK = 4,        ///< Creation of a thread (section 3.1).
    JOIN = 5,        ///< Write to another thread's register (section 3.1).
    SIGNAL = 6,      ///< Order of two blocks of one node; never enters the network.
    DATA = 7,        ///< Message of an imported schedule.
};

/// Number of message kinds.
inline constexpr std::size_t MESSAGE_KINDS = 8;

/**
 * Gets the name of a message kind in the text format of a trace.
 *
 * @param kind the kind
 * @return its name in lower case
 */
const char* MessageKindName(MessageKind kind);

/**
 * Checks whether a message answers the message that activated its block, so that the
 * acknowledgement of the latter can contain it (section 6).
 *
 * @param kind the kind of the message
 * @return true for the reply of a load or a store
 */
constexpr bool
IsReply(MessageKind kind)
{
    return kind == MessageKind::LOAD_REPLY || kind == MessageKind::STORE_REPLY;
}

/// One message of a trace.
struct TraceMessage
{
    uint32_t destination{0};             ///< Destination node.
    uint32_t bytes{0};                   ///< Length without checksum [bytes, a multiple of 4].
    uint32_t offset{0};                  ///< Departure after the activation of its block [cycles].
    uint32_t target{NO_INDEX};           ///< Block to signal on delivery, or NO_INDEX.
    MessageKind kind{MessageKind::DATA}; ///< Purpose.

    /// @param other another message
    /// @return whether all fields are equal
    bool operator==(const TraceMessage& other) const = default;
};

/// One block of a trace.
struct TraceBlock
{
    uint32_t node{0};          ///< Node of the block.
    uint32_t thread{NO_INDEX}; ///< Its thread; NO_INDEX if the memory system executes it (Figure
                               ///< 7's ref).
    uint32_t duration{0};      ///< Time from its activation to its end [cycles].
    uint32_t signals{0};       ///< Deliveries that activate it; 0 for an initial block.
    uint32_t first{0};         ///< Its first message.
    uint32_t end{0};           ///< The message after its last one.

    /// @param other another block
    /// @return whether all fields are equal
    bool operator==(const TraceBlock& other) const = default;
};

/**
 * A block-structured trace (section 3.2).
 *
 * A block is a section of one thread without waiting for messages. After the activation of a block,
 * each of its messages departs at its offset. A delivered message signals its target block, if it
 * has one; a block is activated when every message that targets it has been delivered. Blocks that
 * no message targets are activated at time zero. A block ends `duration` cycles after its
 * activation. The time of a run is its last delivery or block end.
 *
 * A message whose destination is its own block's node is local: it never enters the network and is
 * delivered at its offset. Local messages of kind SIGNAL keep two blocks of one thread in order
 * when the second waits for messages that may arrive before the first has ended.
 *
 * The messages of a block are contiguous and ordered by offset.
 */
struct Trace
{
    uint32_t nodes{0};                  ///< Number of nodes.
    std::vector<TraceBlock> blocks;     ///< Blocks.
    std::vector<TraceMessage> messages; ///< Messages, local ones included.

    /// @return number of messages that enter the network (destination differs from their node)
    uint32_t GetNetworkMessages() const;

    /// @return memory held by the trace [bytes]
    std::size_t GetMemory() const;

    /**
     * Checks that the trace can be replayed to its end: nodes and targets in range, lengths a
     * positive number of words, offsets within the duration, signal counts equal to the messages
     * that target each block, replies alone in a block with one signal, and no cycle of blocks.
     *
     * @return empty if valid, else one sentence with the block or message
     */
    std::string Validate() const;

    /// @param other another trace
    /// @return whether both describe the same blocks and messages in the same order
    bool operator==(const Trace& other) const = default;

  private:
    /// @return empty if all fields are in range, else a sentence
    std::string ValidateFields() const;
    /// @return empty if no blocks wait for each other, else a sentence with such a block
    std::string ValidateOrder() const;
};

/// A trace, or an error sentence.
struct TraceOrError
{
    Trace trace;       ///< Trace; of no use on an error.
    std::string error; ///< Empty, or the error and its location.
};

/**
 * Collects blocks and messages in any order and packs them into a Trace.
 *
 * Recording a program depth first (section 3.3) adds to many open blocks in turn, and determines
 * the target of a message only when another thread waits for it.
 */
class TraceBuilder
{
  public:
    /// @param nodes number of nodes
    explicit TraceBuilder(uint32_t nodes);

    /**
     * Adds a block without messages.
     *
     * @param node node of the block
     * @param thread thread of the block, or NO_INDEX
     * @return the block's index
     */
    uint32_t AddBlock(uint32_t node, uint32_t thread);

    /**
     * Adds a message to a block.
     *
     * @param block index of the block that sends it
     * @param message its fields
     * @return a handle for GetMessage
     */
    uint32_t AddMessage(uint32_t block, const TraceMessage& message);

    /// @param block index of a block
    /// @return the block so far
    TraceBlock& GetBlock(uint32_t block)
    {
        return m_trace.blocks[block];
    }

    /// @param message handle of a message
    /// @return the message so far
    TraceMessage& GetMessage(uint32_t message)
    {
        return m_trace.messages[message];
    }

    /// @return number of blocks so far
    uint32_t GetBlocks() const
    {
        return static_cast<uint32_t>(m_trace.blocks.size());
    }

    /**
     * Packs blocks and messages: messages grouped by block and ordered by offset, signal counts
     * from the targets. The builder is empty afterwards.
     *
     * @return the trace, not yet validated
     */
    Trace Finish();

  private:
    Trace m_trace;                 ///< The trace; messages in the order of addition.
    std::vector<uint32_t> m_block; ///< Block by message.
};

} // namespace idempotent
} // namespace ns3

#endif // IDEMPOTENT_TRACE_H
