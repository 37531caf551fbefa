/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "idempotent-recorder.h"

#include "ns3/abort.h"
#include "ns3/nstime.h"

#include <algorithm>
#include <limits>

namespace ns3
{
namespace idempotent
{

std::string
RecorderConfig::Check() const
{
    for (const uint32_t words :
         {loadWords, loadReplyWords, storeWords, storeReplyWords, forkWords, joinWords})
    {
        if (words == 0 || words > UINT16_MAX)
        {
            return "A message length is " + std::to_string(words) +
                   " words, but must be from 1 to 65535.";
        }
    }
    return {};
}

Recorder::Recorder(uint32_t nodes, const RecorderConfig& config)
    : m_config(config),
      m_nodes(nodes),
      m_builder(nodes)
{
    NS_ABORT_MSG_IF(nodes == 0, "A recorder needs at least one node.");
    const std::string error = config.Check();
    NS_ABORT_MSG_UNLESS(error.empty(), error);
}

void
Recorder::CheckThread(const char* what) const
{
    NS_ABORT_MSG_IF(m_current.block == NO_INDEX, what << " is called outside a thread.");
}

void
Recorder::CheckNode(uint32_t node, const char* what) const
{
    NS_ABORT_MSG_IF(node >= m_nodes,
                    what << " names node " << node << ", but there are only " << m_nodes
                         << " nodes.");
}

void
Recorder::CheckRange(Pointer pointer, std::size_t words, const char* what) const
{
    CheckNode(pointer.node, what);
    NS_ABORT_MSG_IF(words == 0 || words > UINT16_MAX || pointer.offset + words > m_stride,
                    what << " names " << words << " words from offset " << pointer.offset
                         << ", but " << m_stride << " words are allocated on each node.");
}

uint32_t
Recorder::Allocate(uint32_t words)
{
    const uint32_t offset = m_stride;
    NS_ABORT_MSG_IF(words > std::numeric_limits<uint32_t>::max() - m_stride,
                    "More than 4294967295 words are allocated on each node.");
    const uint32_t stride = m_stride + words;
    std::vector<Word> memory(std::size_t{m_nodes} * stride, 0);
    for (uint32_t node = 0; node < m_nodes && m_stride > 0; ++node)
    {
        const auto from = m_memory.begin() + static_cast<std::ptrdiff_t>(At({node, 0}));
        std::copy_n(from, m_stride, memory.begin() + std::ptrdiff_t{node} * stride);
    }
    m_memory = std::move(memory);
    m_stride = stride;
    return offset;
}

Word
Recorder::Peek(Pointer pointer)
{
    CheckRange(pointer, 1, "Peek");
    return m_memory[At(pointer)];
}

void
Recorder::Poke(Pointer pointer, Word value)
{
    CheckRange(pointer, 1, "Poke");
    m_memory[At(pointer)] = value;
}

uint32_t
Recorder::Start(uint32_t node)
{
    CheckNode(node, "Start");
    const auto number = static_cast<uint32_t>(m_started.size());
    m_started.emplace_back();
    m_started.back().node = node;
    m_started.back().thread = m_threads++;
    m_started.back().block = m_builder.AddBlock(node, m_started.back().thread);
    m_started.back().fresh = true;
    Switch(number);
    return number;
}

void
Recorder::Switch(uint32_t thread)
{
    NS_ABORT_MSG_IF(m_depth > 0,
                    "Start and Switch are not allowed inside the function of a Fork or Sync.");
    NS_ABORT_MSG_IF(thread >= m_started.size(), "Switch names a thread that does not exist.");
    if (m_slot != NO_INDEX)
    {
        m_started[m_slot] = std::move(m_current);
    }
    m_slot = thread;
    m_current = std::move(m_started[thread]);
}

void
Recorder::Advance(uint64_t cycles)
{
    if (cycles == 0)
    {
        return;
    }
    uint32_t& duration = m_builder.GetBlock(m_current.block).duration;
    NS_ABORT_MSG_IF(cycles > std::numeric_limits<uint32_t>::max() - duration,
                    "A block is longer than 4294967295 cycles.");
    duration += static_cast<uint32_t>(cycles);
    m_current.fresh = false;
}

void
Recorder::Time(uint64_t cycles)
{
    CheckThread("Time");
    Advance(cycles);
}

uint32_t
Recorder::Send(uint32_t destination, uint32_t words, uint32_t target, MessageKind kind)
{
    m_current.fresh = false;
    return m_builder.AddMessage(m_current.block,
                                {.destination = destination,
                                 .bytes = words * WORD_BYTES,
                                 .offset = m_builder.GetBlock(m_current.block).duration,
                                 .target = target,
                                 .kind = kind});
}

void
Recorder::Continue(bool ordered)
{
    if (m_current.fresh)
    {
        return;
    }
    const uint32_t next = m_builder.AddBlock(m_current.node, m_current.thread);
    if (!ordered)
    {
        Send(m_current.node, 0, next, MessageKind::SIGNAL);
    }
    m_current.block = next;
    m_current.fresh = true;
}

void
Recorder::Load(Pointer from, std::span<Word> to)
{
    CheckThread("Load");
    CheckRange(from, to.size(), "Load");
    const auto words = static_cast<uint32_t>(to.size());
    if (from.node == m_current.node)
    {
        Advance(uint64_t{m_config.localReferenceTime} * words);
    }
    else
    {
        WaitFor(from, words);
        const uint32_t home = m_builder.AddBlock(from.node, NO_INDEX);
        Send(from.node, m_config.loadWords, home, MessageKind::LOAD);
        Continue(true);
        m_builder.AddMessage(
            home,
            {.destination = m_current.node,
             .bytes = (m_config.loadReplyWords + (words - 1) * m_config.furtherWord) * WORD_BYTES,
             .target = m_current.block,
             .kind = MessageKind::LOAD_REPLY});
    }
    std::copy_n(m_memory.begin() + static_cast<std::ptrdiff_t>(At(from)), words, to.begin());
}

Word
Recorder::Load(Pointer from)
{
    Word word = 0;
    Load(from, std::span(&word, 1));
    return word;
}

void
Recorder::Store(Pointer to, std::span<const Word> from)
{
    CheckThread("Store");
    CheckRange(to, from.size(), "Store");
    const auto words = static_cast<uint32_t>(from.size());
    if (to.node == m_current.node)
    {
        Advance(uint64_t{m_config.localReferenceTime} * words);
    }
    else
    {
        const uint32_t home = m_builder.AddBlock(to.node, NO_INDEX);
        Send(to.node,
             m_config.storeWords + (words - 1) * m_config.furtherWord,
             home,
             MessageKind::STORE);
        const uint32_t reply = m_builder.AddMessage(home,
                                                    {.destination = m_current.node,
                                                     .bytes = m_config.storeReplyWords * WORD_BYTES,
                                                     .kind = MessageKind::STORE_REPLY});
        m_current.stores.push_back({.to = to,
                                    .words = words,
                                    .reply = reply,
                                    .block = m_current.block,
                                    .offset = m_builder.GetBlock(m_current.block).duration});
    }
    std::copy_n(from.begin(), words, m_memory.begin() + static_cast<std::ptrdiff_t>(At(to)));
}

void
Recorder::Store(Pointer to, Word value)
{
    Store(to, std::span<const Word>(&value, 1));
}

void
Recorder::WaitFor(Pointer pointer, uint32_t words)
{
    const auto conflicts = [pointer, words](const OutstandingStore& store) {
        return words == 0 ||
               (store.to.node == pointer.node && store.to.offset < pointer.offset + words &&
                pointer.offset < store.to.offset + store.words);
    };
    const auto awaited =
        std::stable_partition(m_current.stores.begin(),
                              m_current.stores.end(),
                              [&](const auto& store) { return !conflicts(store); });
    if (awaited == m_current.stores.end())
    {
        return;
    }
    // The reply to a store sent at the very end of this block cannot arrive before that end.
    const uint32_t now = m_builder.GetBlock(m_current.block).duration;
    const bool ordered =
        std::any_of(awaited, m_current.stores.end(), [this, now](const auto& store) {
            return store.block == m_current.block && store.offset == now;
        });
    Continue(ordered);
    for (auto store = awaited; store != m_current.stores.end(); ++store)
    {
        m_builder.GetMessage(store->reply).target = m_current.block;
    }
    m_current.stores.erase(awaited, m_current.stores.end());
}

void
Recorder::Wait()
{
    CheckThread("Wait");
    WaitFor({}, 0);
}

Recorder::Context
Recorder::EnterFork(uint32_t node)
{
    ++m_depth;
    CheckNode(node, "Fork");
    CheckThread("Fork");
    Advance(m_config.forkTime);
    Context child;
    child.node = node;
    child.thread = m_threads++;
    child.block = m_builder.AddBlock(node, child.thread);
    child.fresh = m_config.threadStartTime == 0;
    m_builder.GetBlock(child.block).duration = m_config.threadStartTime;
    Send(node, m_config.forkWords, child.block, MessageKind::FORK);
    return std::exchange(m_current, std::move(child));
}

void
Recorder::LeaveFork(Context parent)
{
    --m_depth;
    m_current = std::move(parent);
}

JoinCapability
Recorder::NewJoinCapability()
{
    CheckThread("NewJoinCapability");
    return {.index = m_registers.Put(Register{.node = m_current.node, .taken = true})};
}

Recorder::Register&
Recorder::Find(JoinCapability capability, const char* what)
{
    CheckThread(what);
    NS_ABORT_MSG_IF(capability.index >= m_registers.GetNSlots() ||
                        !m_registers[capability.index].taken,
                    what << " names a join capability that does not exist or is used up.");
    return m_registers[capability.index];
}

void
Recorder::Join(JoinCapability capability, std::span<const Word> data)
{
    Register& slot = Find(capability, "Join");
    NS_ABORT_MSG_IF(data.empty() || data.size() > UINT16_MAX, "Join needs 1 to 65535 words.");
    NS_ABORT_MSG_IF(slot.message != NO_INDEX, "Join is called twice with one capability.");
    const auto further = static_cast<uint32_t>(data.size() - 1);
    slot.message = Send(slot.node,
                        m_config.joinWords + further * m_config.furtherWord,
                        NO_INDEX,
                        MessageKind::JOIN);
    slot.data.assign(data.begin(), data.end());
    if (slot.continuation)
    {
        const Continuation continuation = std::exchange(slot.continuation, nullptr);
        Context joiner = std::exchange(m_current, std::move(slot.owner));
        Resume(capability.index, continuation);
        m_current = std::move(joiner);
    }
}

void
Recorder::Join(JoinCapability capability, Word value)
{
    Join(capability, std::span<const Word>(&value, 1));
}

std::vector<Word>
Recorder::Receive(uint32_t index)
{
    // The message that the next block waits for may arrive before the end of this block.
    Continue(false);
    Register& slot = m_registers[index];
    m_builder.GetMessage(slot.message).target = m_current.block;
    slot.taken = false;
    m_registers.Free(index);
    return std::move(slot.data);
}

void
Recorder::Resume(uint32_t index, const Continuation& continuation)
{
    ++m_depth;
    const std::vector<Word> received = Receive(index);
    continuation(received);
    --m_depth;
}

Word
Recorder::Sync(JoinCapability capability)
{
    Register& slot = Find(capability, "Sync");
    NS_ABORT_MSG_IF(slot.node != m_current.node,
                    "Sync is called on another node than the one that made the capability.");
    NS_ABORT_MSG_IF(slot.message == NO_INDEX,
                    "Sync is called before its Join; give it a continuation.");
    return Receive(capability.index).front();
}

void
Recorder::SyncThen(JoinCapability capability, Continuation continuation)
{
    Register& slot = Find(capability, "Sync");
    NS_ABORT_MSG_IF(slot.node != m_current.node || slot.continuation || !continuation,
                    "Sync needs a continuation, on the node that made the capability, and only "
                    "once.");
    if (slot.message == NO_INDEX)
    {
        slot.continuation = std::move(continuation);
        slot.owner = std::exchange(m_current, Context());
        return;
    }
    Resume(capability.index, continuation);
    m_current = Context();
}

Trace
Recorder::Finish()
{
    for (uint32_t index = 0; index < m_registers.GetNSlots(); ++index)
    {
        NS_ABORT_MSG_IF(m_registers[index].continuation,
                        "A thread waits for a Join that is never called.");
    }
    return m_builder.Finish();
}

} // namespace idempotent
} // namespace ns3
