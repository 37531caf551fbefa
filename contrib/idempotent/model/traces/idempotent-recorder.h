/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef IDEMPOTENT_RECORDER_H
#define IDEMPOTENT_RECORDER_H

/**
 * @file
 * @ingroup idempotent
 * Recording library of Table 1 of the paper (section 3.3). Its programs run as a single thread,
 * compute real results, and record a block-structured trace.
 */

#include "ns3/idempotent-trace.h"
#include "ns3/messaging-slot-pool.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace idempotent
{

/// One 32-bit word of the modelled machine's memory and registers.
using Word = uint32_t;

/// Address in the distributed memory: section 3.1, "pointers contain node and offset fields".
struct Pointer
{
    uint32_t node{0};   ///< Node of the memory.
    uint32_t offset{0}; ///< Index of a word in it [words].

    /// @param other another pointer
    /// @return whether both point to the same word
    bool operator==(const Pointer& other) const = default;
};

/// Handle of a join capability (section 3.1): the right to write one register of one thread.
struct JoinCapability
{
    uint32_t index{NO_INDEX}; ///< Register of the recorder.
};

/**
 * Message lengths and instruction times of the modelled machine.
 *
 * The paper states neither. The defaults are calibrated only on the buffered columns of Table 2a,
 * on a network with a credit delay of a cycle. Those marked as fixed do not affect the table, since
 * the programs have hardly any remote loads. Lengths exclude the checksum flit of a lossy network.
 */
struct RecorderConfig
{
    uint32_t loadWords{4};          ///< Request of a load [words; fixed].
    uint32_t loadReplyWords{5};     ///< Reply with one word of data [words; fixed].
    uint32_t storeWords{6};         ///< Store of one word of data [words; calibrated].
    uint32_t storeReplyWords{3};    ///< Completion of a store [words; calibrated].
    uint32_t forkWords{12};         ///< Entry point, node and copied registers [words; calibrated].
    uint32_t joinWords{6};          ///< Join with one word of data [words; calibrated].
    uint32_t furtherWord{1};        ///< Each further word of data [words; calibrated].
    uint32_t localReferenceTime{2}; ///< Figure 7's LOCAL_REF_TIME, per word [cycles; calibrated]
    uint32_t forkTime{14};          ///< Parent's time for a fork [cycles; calibrated].
    uint32_t threadStartTime{8};    ///< Arrival of a fork to first instruction [cycles;
                                    ///< calibrated].

    /// @return empty if the values are valid, else one sentence
    std::string Check() const;
};

/**
 * Records the calling program.
 *
 * The recorder stores Figure 7's globals, the current block and node, and the distributed memory.
 * Fork is a function call, so threads run to completion depth first (section 3.3), and a Sync whose
 * Join is in a child always has its data. A parent that releases its children uses Sync with a
 * continuation (section 3.4, Figure 8), or several preloaded threads and Switch.
 *
 * Program order holds: a block that continues a thread starts after the end of the previous block,
 * even if the message that it waits for arrives earlier.
 *
 * A misuse (a node or offset that does not exist, a join or sync of a capability twice, a sync
 * before its join without a continuation) aborts the program.
 */
class Recorder
{
  public:
    /// Rest of a thread after a Sync; called with the data of the Join.
    using Continuation = std::function<void(std::span<const Word>)>;

    /**
     * @param nodes number of nodes
     * @param config lengths and times
     */
    explicit Recorder(uint32_t nodes, const RecorderConfig& config = RecorderConfig());

    /// @name Memory
    /// @{

    /**
     * Allocates the same range of offsets on each node (section 3.1).
     *
     * @param words length of the range on each node [words]
     * @return its first offset
     */
    uint32_t Allocate(uint32_t words);

    /// @param pointer an address
    /// @return the word there, without any message or time
    Word Peek(Pointer pointer);

    /**
     * Writes a word without any message or time.
     *
     * @param pointer an address
     * @param value the word
     */
    void Poke(Pointer pointer, Word value);
    /// @}

    /// @name Threads that exist at time zero
    /// @{

    /**
     * Creates a thread whose first block is activated at time zero, and switches to it.
     *
     * @param node node it runs on
     * @return its number for Switch()
     */
    uint32_t Start(uint32_t node);

    /**
     * Suspends the current thread and resumes another one created by Start(). Not allowed inside
     * Fork's function.
     *
     * @param thread its number
     */
    void Switch(uint32_t thread);
    /// @}

    /// @name Table 1
    /// @{

    /**
     * Loads words. A remote load sends a request that activates a block with the reply at the
     * word's home, which in turn activates the continuation of this thread (Figure 7). It first
     * waits for this thread's outstanding stores to the same words.
     *
     * @param from address of the first word
     * @param to destination
     */
    void Load(Pointer from, std::span<Word> to);

    /// @param from address of a word
    /// @return the word
    Word Load(Pointer from);

    /**
     * Stores words. A remote store is split-phase: the thread continues, and a reply signals
     * completion to the next Wait.
     *
     * @param to address of the first word
     * @param from the words
     */
    void Store(Pointer to, std::span<const Word> from);

    /// @param to address of a word
    /// @param value the word
    void Store(Pointer to, Word value);

    /// Waits for all outstanding stores of this thread.
    void Wait();

    /**
     * Starts a new thread. Its function runs immediately, as a call.
     *
     * @param node node the new thread runs on
     * @param body the thread's function
     */
    template <class Body>
    void Fork(uint32_t node, Body&& body)
    {
        Context parent = EnterFork(node);
        std::forward<Body>(body)();
        LeaveFork(std::move(parent));
    }

    /// @return a capability to write a register of the current thread
    JoinCapability NewJoinCapability();

    /**
     * Writes to the register behind a capability. If the owner already waits with a continuation,
     * that runs now (Figure 8b).
     *
     * @param capability the capability
     * @param data the words, at least one
     */
    void Join(JoinCapability capability, std::span<const Word> data);

    /// @param capability the capability
    /// @param value the word
    void Join(JoinCapability capability, Word value);

    /**
     * Waits for the join of a capability, which must precede this call.
     *
     * @param capability the capability
     * @return the first word of its data
     */
    Word Sync(JoinCapability capability);

    /**
     * Waits for the join of a capability, which may follow this call. If the data is available the
     * continuation runs now (Figure 8a), else in Join (Figure 8b). In both cases the thread must
     * not do anything after this call outside the continuation.
     *
     * @param capability the capability
     * @param continuation the rest of the thread
     */
    void SyncThen(JoinCapability capability, Continuation continuation);

    /// @param cycles local computation of the current thread [cycles]
    void Time(uint64_t cycles);

    /// @}

    /// @return node the current thread runs on (the paper's global `node`)
    uint32_t GetNode() const
    {
        return m_current.node;
    }

    /// @return number of nodes (the paper's global `numNodes`)
    uint32_t GetNodes() const
    {
        return m_nodes;
    }

    /// @return the trace
    Trace Finish();

  private:
    /// A remote store not yet completed by a Wait.
    struct OutstandingStore
    {
        Pointer to;      ///< First word.
        uint32_t words;  ///< Number of words.
        uint32_t reply;  ///< Handle of the reply message.
        uint32_t block;  ///< Block that sent the store.
        uint32_t offset; ///< Departure in that block [cycles].
    };

    /// State of one thread.
    struct Context
    {
        uint32_t block{NO_INDEX};             ///< Current block; NO_INDEX after the thread's end.
        uint32_t node{NO_INDEX};              ///< Node it runs on.
        uint32_t thread{NO_INDEX};            ///< Its index in the trace.
        bool fresh{false};                    ///< The block has neither time nor messages yet.
        std::vector<OutstandingStore> stores; ///< Stores not yet completed by a Wait.
    };

    /// Register of a join capability.
    struct Register
    {
        uint32_t node{NO_INDEX};     ///< Node of the thread that owns it.
        uint32_t message{NO_INDEX};  ///< Handle of the join message, after the join.
        bool taken{false};           ///< In use: created and not synchronised yet.
        std::vector<Word> data{};    ///< Data joined.
        Continuation continuation{}; ///< Rest of the owner, if it already waits.
        Context owner{};             ///< The owner, if it already waits.
    };

    /**
     * Records a fork and makes the new thread current.
     *
     * @param node the new thread's node
     * @return the forking thread
     */
    Context EnterFork(uint32_t node);

    /// @param parent the forking thread, made current again
    void LeaveFork(Context parent);

    /// Aborts outside a thread. @param what name of the operation
    void CheckThread(const char* what) const;

    /**
     * Aborts if a node does not exist.
     *
     * @param node the node
     * @param what name of the operation
     */
    void CheckNode(uint32_t node, const char* what) const;

    /**
     * Aborts if an address does not exist.
     *
     * @param pointer first word
     * @param words number of words
     * @param what name of the operation
     */
    void CheckRange(Pointer pointer, std::size_t words, const char* what) const;

    /**
     * Finds the register of a capability that has not been synchronised.
     *
     * @param capability the capability
     * @param what name of the operation
     * @return the register
     */
    Register& Find(JoinCapability capability, const char* what);

    /// @param cycles time to add to the current block [cycles]
    void Advance(uint64_t cycles);

    /**
     * Adds a message to the current end of the current block.
     *
     * @param destination its destination
     * @param words its length [words]
     * @param target block to signal, or NO_INDEX
     * @param kind its purpose
     * @return its handle
     */
    uint32_t Send(uint32_t destination, uint32_t words, uint32_t target, MessageKind kind);

    /**
     * Ends the current block and begins the next one of the thread.
     *
     * @param ordered whether the message that the next block waits for arrives after this block's
     * end
     */
    void Continue(bool ordered);

    /**
     * Waits for the outstanding stores that touch some words, or for all.
     *
     * @param pointer first word
     * @param words number of words; 0 for all stores
     */
    void WaitFor(Pointer pointer, uint32_t words);

    /**
     * Resumes the current thread after a join, and frees the register.
     *
     * @param index the register, joined
     * @return its data
     */
    std::vector<Word> Receive(uint32_t index);

    /**
     * Runs the rest of the current thread after a join.
     *
     * @param index the register, joined
     * @param continuation the rest
     */
    void Resume(uint32_t index, const Continuation& continuation);

    /// @param pointer an address in range
    /// @return index into the memory
    std::size_t At(Pointer pointer) const
    {
        return std::size_t{pointer.node} * m_stride + pointer.offset;
    }

    RecorderConfig m_config;        ///< Lengths and times.
    uint32_t m_nodes;               ///< Number of nodes.
    TraceBuilder m_builder;         ///< Trace under construction.
    uint32_t m_stride{0};           ///< Words allocated on each node.
    std::vector<Word> m_memory;     ///< Distributed memory, concatenated by node.
    Context m_current;              ///< The current thread.
    uint32_t m_slot{NO_INDEX};      ///< Number of the current thread in m_started.
    std::vector<Context> m_started; ///< Suspended threads created by Start().
    uint32_t m_threads{0};          ///< Number of created threads.
    uint32_t m_depth{0};            ///< Depth of nested calls of Fork or of a continuation.
    messaging::SlotPool<Register> m_registers; ///< Registers.
};

} // namespace idempotent
} // namespace ns3

#endif // IDEMPOTENT_RECORDER_H
