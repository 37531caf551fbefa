/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "idempotent-recorder.h"

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
            return "a message length is " + std::to_string(words) +
                   " words, but must be from 1 to 65535";
        }
    }
    return {};
}

Recorder::Recorder(uint32_t nodes, const RecorderConfig& config)
    : m_config(config),
      m_nodes(nodes),
      m_builder(nodes),
      m_error(config.Check())
{
    if (nodes == 0)
    {
        Fail("a recorder needs at least one node");
    }
}

bool
Recorder::Fail(const std::string& sentence)
{
    if (m_error.empty())
    {
        m_error = sentence;
    }
    return false;
}

bool
Recorder::Runs(const char* what)
{
    return m_current.block != NO_INDEX || Fail(std::string(what) + " is called outside a thread");
}

bool
Recorder::FailRange(Pointer pointer, std::size_t words, const char* what)
{
    if (pointer.node >= m_nodes)
    {
        return Fail(std::string(what) + " names node " + std::to_string(pointer.node) +
                    ", but there are only " + std::to_string(m_nodes) + " nodes");
    }
    return Fail(std::string(what) + " names " + std::to_string(words) + " words from offset " +
                std::to_string(pointer.offset) + ", but " + std::to_string(m_stride) +
                " words are allocated on each node");
}

uint32_t
Recorder::Allocate(uint32_t words)
{
    const uint32_t offset = m_stride;
    if (words > std::numeric_limits<uint32_t>::max() - m_stride)
    {
        Fail("more than 4294967295 words are allocated on each node");
        return offset;
    }
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
    return InRange(pointer, 1, "Peek") ? m_memory[At(pointer)] : 0;
}

void
Recorder::Poke(Pointer pointer, Word value)
{
    if (InRange(pointer, 1, "Poke"))
    {
        m_memory[At(pointer)] = value;
    }
}

uint32_t
Recorder::Start(uint32_t node)
{
    if (node >= m_nodes)
    {
        Fail("Start names node " + std::to_string(node) + ", but there are only " +
             std::to_string(m_nodes) + " nodes");
        node = 0;
    }
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
    if (m_depth > 0 || thread >= m_started.size())
    {
        Fail(m_depth > 0 ? "Start and Switch are not allowed inside the function of a Fork or Sync"
                         : "Switch names a thread that does not exist");
        return;
    }
    if (m_slot != NO_INDEX)
    {
        m_started[m_slot] = std::move(m_current);
    }
    m_slot = thread;
    m_current = std::move(m_started[thread]);
}

void
Recorder::Advance(uint32_t cycles)
{
    if (cycles == 0)
    {
        return;
    }
    const uint32_t now = m_builder.GetBlock(m_current.block).duration;
    if (cycles > std::numeric_limits<uint32_t>::max() - now)
    {
        Fail("a block is longer than 4294967295 cycles");
        return;
    }
    m_builder.GetBlock(m_current.block).duration = now + cycles;
    m_current.fresh = false;
}

void
Recorder::Time(uint32_t cycles)
{
    if (Runs("Time"))
    {
        Advance(cycles);
    }
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
    if (!Runs("Load") || !InRange(from, to.size(), "Load"))
    {
        std::fill(to.begin(), to.end(), 0);
        return;
    }
    const auto words = static_cast<uint32_t>(to.size());
    if (from.node == m_current.node)
    {
        Advance(m_config.localReferenceTime * words);
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
    if (!Runs("Store") || !InRange(to, from.size(), "Store"))
    {
        return;
    }
    const auto words = static_cast<uint32_t>(from.size());
    if (to.node == m_current.node)
    {
        Advance(m_config.localReferenceTime * words);
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
    if (Runs("Wait"))
    {
        WaitFor({}, 0);
    }
}

Recorder::Context
Recorder::EnterFork(uint32_t node)
{
    ++m_depth;
    if (node >= m_nodes)
    {
        Fail("Fork names node " + std::to_string(node) + ", but there are only " +
             std::to_string(m_nodes) + " nodes");
        node = 0;
    }
    Context child;
    if (Runs("Fork"))
    {
        Advance(m_config.forkTime);
        child.node = node;
        child.thread = m_threads++;
        child.block = m_builder.AddBlock(node, child.thread);
        child.fresh = m_config.threadStartTime == 0;
        m_builder.GetBlock(child.block).duration = m_config.threadStartTime;
        Send(node, m_config.forkWords, child.block, MessageKind::FORK);
    }
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
    if (!Runs("NewJoinCapability"))
    {
        return {};
    }
    if (m_free.empty())
    {
        m_free.push_back(static_cast<uint32_t>(m_registers.size()));
        m_registers.emplace_back();
    }
    const uint32_t index = m_free.back();
    m_free.pop_back();
    Register& slot = m_registers[index];
    slot.node = m_current.node;
    slot.message = NO_INDEX;
    slot.taken = true;
    return {.index = index, .use = ++slot.use};
}

Recorder::Register*
Recorder::Find(JoinCapability capability, const char* what)
{
    if (!Runs(what))
    {
        return nullptr;
    }
    if (capability.index >= m_registers.size() || !m_registers[capability.index].taken ||
        m_registers[capability.index].use != capability.use)
    {
        Fail(std::string(what) + " names a join capability that does not exist or is used up");
        return nullptr;
    }
    return &m_registers[capability.index];
}

void
Recorder::Join(JoinCapability capability, std::span<const Word> data)
{
    Register* slot = Find(capability, "Join");
    if (!slot)
    {
        return;
    }
    if (slot->message != NO_INDEX || data.empty() || data.size() > UINT16_MAX)
    {
        Fail(data.empty() || data.size() > UINT16_MAX ? "Join needs 1 to 65535 words of data"
                                                      : "Join is called twice with one capability");
        return;
    }
    const auto further = static_cast<uint32_t>(data.size() - 1);
    slot->message = Send(slot->node,
                         m_config.joinWords + further * m_config.furtherWord,
                         NO_INDEX,
                         MessageKind::JOIN);
    slot->data.assign(data.begin(), data.end());
    if (slot->continuation)
    {
        Continuation continuation = std::exchange(slot->continuation, nullptr);
        Context joiner = std::exchange(m_current, std::move(slot->owner));
        ++m_depth;
        const std::vector<Word> received = Receive(*slot);
        continuation(received);
        --m_depth;
        m_current = std::move(joiner);
    }
}

void
Recorder::Join(JoinCapability capability, Word value)
{
    Join(capability, std::span<const Word>(&value, 1));
}

std::vector<Word>
Recorder::Receive(Register& slot)
{
    Continue(false);
    m_builder.GetMessage(slot.message).target = m_current.block;
    slot.taken = false;
    m_free.push_back(static_cast<uint32_t>(&slot - m_registers.data()));
    return std::exchange(slot.data, {});
}

void
Recorder::Sync(JoinCapability capability, std::span<Word> data)
{
    Register* slot = Find(capability, "Sync");
    if (slot && (slot->message == NO_INDEX || slot->node != m_current.node))
    {
        Fail(slot->node != m_current.node
                 ? "Sync is called on another node than the one that made the capability"
                 : "Sync is called before its Join; give it a continuation");
        slot = nullptr;
    }
    std::fill(data.begin(), data.end(), 0);
    if (slot)
    {
        const std::vector<Word> received = Receive(*slot);
        std::copy_n(received.begin(), std::min(received.size(), data.size()), data.begin());
    }
}

Word
Recorder::Sync(JoinCapability capability)
{
    Word word = 0;
    Sync(capability, std::span(&word, 1));
    return word;
}

void
Recorder::SyncThen(JoinCapability capability, Continuation continuation)
{
    Register* slot = Find(capability, "Sync");
    if (!slot || slot->node != m_current.node || slot->continuation || !continuation)
    {
        Fail("Sync needs a continuation, on the node that made the capability, and only once");
        return;
    }
    if (slot->message == NO_INDEX)
    {
        slot->continuation = std::move(continuation);
        slot->owner = std::exchange(m_current, Context());
        return;
    }
    ++m_depth;
    const std::vector<Word> received = Receive(*slot);
    continuation(received);
    --m_depth;
    m_current = Context();
}

TraceOrError
Recorder::Finish()
{
    const bool waits = std::any_of(m_registers.begin(), m_registers.end(), [](const auto& slot) {
        return slot.continuation != nullptr;
    });
    if (waits)
    {
        Fail("a thread waits for a Join that is never called");
    }
    TraceOrError result;
    result.error = m_error;
    if (result.error.empty())
    {
        m_current = Context();
        m_slot = NO_INDEX;
        m_started.clear();
        m_registers = {};
        m_free = {};
        result.trace = m_builder.Finish();
    }
    return result;
}

} // namespace idempotent
} // namespace ns3
