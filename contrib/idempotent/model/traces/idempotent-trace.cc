/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "idempotent-trace.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <ostream>
#include <utility>

namespace ns3
{
namespace idempotent
{

namespace
{

/**
 * Describes a message in a sentence.
 *
 * @param block the block that sends it
 * @param message its index
 * @return for instance "message 7 of block 3"
 */
std::string
Name(uint32_t block, uint32_t message)
{
    return "message " + std::to_string(message) + " of block " + std::to_string(block);
}

/**
 * Reorders a vector.
 *
 * @param values the vector
 * @param order old position by new position
 */
template <class T>
void
Permute(std::vector<T>& values, const std::vector<uint32_t>& order)
{
    std::vector<T> result(values.size());
    for (std::size_t i = 0; i < order.size(); ++i)
    {
        result[i] = values[order[i]];
    }
    values = std::move(result);
}

} // namespace

const char*
MessageKindName(MessageKind kind)
{
    static constexpr std::array<const char*, MESSAGE_KINDS> NAMES{
        "load",
        "load-reply",
        "store",
        "store-reply",
        "fork",
        "join",
        "signal",
        "data",
    };
    const auto index = static_cast<std::size_t>(kind);
    return index < NAMES.size() ? NAMES[index] : "unknown";
}

std::ostream&
operator<<(std::ostream& os, MessageKind kind)
{
    return os << MessageKindName(kind);
}

TraceMessage
Trace::GetMessage(uint32_t message) const
{
    return {.destination = m_destination[message],
            .bytes = m_bytes[message],
            .offset = m_offset[message],
            .target = m_target[message],
            .kind = m_kind[message]};
}

uint32_t
Trace::GetNetworkMessages() const
{
    uint32_t count = 0;
    for (uint32_t block = 0; block < GetBlocks(); ++block)
    {
        for (uint32_t message = GetFirst(block); message < GetEnd(block); ++message)
        {
            count += m_destination[message] != m_node[block] ? 1 : 0;
        }
    }
    return count;
}

std::size_t
Trace::GetMemory() const
{
    const std::size_t words = m_node.capacity() + m_thread.capacity() + m_duration.capacity() +
                              m_signals.capacity() + m_first.capacity() + m_destination.capacity() +
                              m_bytes.capacity() + m_offset.capacity() + m_target.capacity();
    return words * sizeof(uint32_t) + m_kind.capacity() * sizeof(MessageKind);
}

std::string
Trace::Validate() const
{
    std::string error = ValidateFields();
    return error.empty() ? ValidateOrder() : error;
}

std::string
Trace::ValidateFields() const
{
    if (m_nodes == 0)
    {
        return "a trace needs at least one node";
    }
    std::vector<uint32_t> signals(GetBlocks(), 0);
    for (uint32_t block = 0; block < GetBlocks(); ++block)
    {
        if (m_node[block] >= m_nodes)
        {
            return "block " + std::to_string(block) + " runs on node " +
                   std::to_string(m_node[block]) + ", but there are only " +
                   std::to_string(m_nodes) + " nodes";
        }
        uint32_t before = 0;
        for (uint32_t message = GetFirst(block); message < GetEnd(block); ++message)
        {
            if (m_destination[message] >= m_nodes)
            {
                return Name(block, message) + " goes to node " +
                       std::to_string(m_destination[message]) + ", but there are only " +
                       std::to_string(m_nodes) + " nodes";
            }
            if (m_target[message] != NO_INDEX && m_target[message] >= GetBlocks())
            {
                return Name(block, message) + " signals block " +
                       std::to_string(m_target[message]) + ", but there are only " +
                       std::to_string(GetBlocks()) + " blocks";
            }
            if (static_cast<std::size_t>(m_kind[message]) >= MESSAGE_KINDS)
            {
                return Name(block, message) + " has an unknown kind";
            }
            const bool local = m_destination[message] == m_node[block];
            if (m_bytes[message] % WORD_BYTES != 0 || (m_bytes[message] == 0 && !local))
            {
                return Name(block, message) + " has " + std::to_string(m_bytes[message]) +
                       " bytes, which is not a positive multiple of 4";
            }
            if (m_kind[message] == MessageKind::SIGNAL && !local)
            {
                return Name(block, message) + " is a signal and must stay on node " +
                       std::to_string(m_node[block]);
            }
            if (m_offset[message] < before || m_offset[message] > m_duration[block])
            {
                return Name(block, message) + " departs at " + std::to_string(m_offset[message]) +
                       ", which is before an earlier message or after the end of its block";
            }
            if (IsReply(m_kind[message]) &&
                (m_signals[block] != 1 || GetEnd(block) - GetFirst(block) != 1))
            {
                return Name(block, message) +
                       " is a reply, so it must be alone in a block that one request activates";
            }
            before = m_offset[message];
            if (m_target[message] != NO_INDEX)
            {
                ++signals[m_target[message]];
                if (m_node[m_target[message]] != m_destination[message])
                {
                    return Name(block, message) + " goes to node " +
                           std::to_string(m_destination[message]) + " but signals block " +
                           std::to_string(m_target[message]) + " on node " +
                           std::to_string(m_node[m_target[message]]);
                }
            }
        }
    }
    for (uint32_t block = 0; block < GetBlocks(); ++block)
    {
        if (signals[block] != m_signals[block])
        {
            return "block " + std::to_string(block) + " needs " + std::to_string(m_signals[block]) +
                   " signals, but " + std::to_string(signals[block]) + " messages target it";
        }
    }
    return {};
}

std::string
Trace::ValidateOrder() const
{
    std::vector<uint32_t> pending = m_signals;
    std::vector<uint32_t> ready;
    for (uint32_t block = 0; block < GetBlocks(); ++block)
    {
        if (pending[block] == 0)
        {
            ready.push_back(block);
        }
    }
    uint32_t done = 0;
    while (!ready.empty())
    {
        const uint32_t block = ready.back();
        ready.pop_back();
        ++done;
        for (uint32_t message = GetFirst(block); message < GetEnd(block); ++message)
        {
            const uint32_t target = m_target[message];
            if (target != NO_INDEX && --pending[target] == 0)
            {
                ready.push_back(target);
            }
        }
    }
    if (done == GetBlocks())
    {
        return {};
    }

    // Each remaining block is the target of another one; a backward walk must reach a cycle.
    std::vector<uint32_t> cause(GetBlocks(), NO_INDEX);
    uint32_t walk = NO_INDEX;
    for (uint32_t block = 0; block < GetBlocks(); ++block)
    {
        for (uint32_t message = GetFirst(block); pending[block] > 0 && message < GetEnd(block);
             ++message)
        {
            if (m_target[message] != NO_INDEX)
            {
                cause[m_target[message]] = block;
            }
        }
        walk = pending[block] > 0 ? block : walk;
    }
    std::vector<bool> seen(GetBlocks(), false);
    while (!seen[walk])
    {
        seen[walk] = true;
        walk = cause[walk];
    }
    static constexpr std::size_t NAMED = 6;
    std::string path = std::to_string(walk);
    std::size_t length = 1;
    for (uint32_t block = cause[walk]; block != walk; block = cause[block], ++length)
    {
        if (length < NAMED)
        {
            path += ", " + std::to_string(block);
        }
    }
    return "blocks wait for one another in a cycle of " + std::to_string(length) + ": " + path +
           (length > NAMED ? ", ..." : "");
}

TraceBuilder::TraceBuilder(uint32_t nodes)
{
    m_trace.m_nodes = nodes;
}

uint32_t
TraceBuilder::AddBlock(uint32_t node, uint32_t thread)
{
    m_trace.m_node.push_back(node);
    m_trace.m_thread.push_back(thread);
    m_trace.m_duration.push_back(0);
    return m_trace.GetBlocks() - 1;
}

uint32_t
TraceBuilder::AddMessage(uint32_t block, const TraceMessage& message)
{
    m_block.push_back(block);
    m_trace.m_destination.push_back(message.destination);
    m_trace.m_bytes.push_back(message.bytes);
    m_trace.m_offset.push_back(message.offset);
    m_trace.m_target.push_back(message.target);
    m_trace.m_kind.push_back(message.kind);
    return m_trace.GetMessages() - 1;
}

void
TraceBuilder::Reserve(std::size_t blocks, std::size_t messages)
{
    m_trace.m_node.reserve(blocks);
    m_trace.m_thread.reserve(blocks);
    m_trace.m_duration.reserve(blocks);
    m_block.reserve(messages);
    m_trace.m_destination.reserve(messages);
    m_trace.m_bytes.reserve(messages);
    m_trace.m_offset.reserve(messages);
    m_trace.m_target.reserve(messages);
    m_trace.m_kind.reserve(messages);
}

Trace
TraceBuilder::Finish()
{
    std::vector<uint32_t> signals(m_trace.GetBlocks(), 0);
    for (const uint32_t target : m_trace.m_target)
    {
        if (target < signals.size())
        {
            ++signals[target];
        }
    }
    return Finish(std::move(signals));
}

Trace
TraceBuilder::Finish(std::vector<uint32_t> signals)
{
    Pack();
    m_trace.m_signals = std::move(signals);
    m_trace.m_signals.resize(m_trace.GetBlocks(), 0);
    m_trace.m_node.shrink_to_fit();
    m_trace.m_thread.shrink_to_fit();
    m_trace.m_duration.shrink_to_fit();
    const uint32_t nodes = m_trace.m_nodes;
    Trace result = std::exchange(m_trace, Trace());
    m_trace.m_nodes = nodes;
    return result;
}

void
TraceBuilder::Pack()
{
    const uint32_t blocks = m_trace.GetBlocks();
    const uint32_t messages = m_trace.GetMessages();
    std::vector<uint32_t>& first = m_trace.m_first;
    first.assign(std::size_t{blocks} + 1, 0);
    for (const uint32_t block : m_block)
    {
        ++first[block + 1];
    }
    std::partial_sum(first.begin(), first.end(), first.begin());

    std::vector<uint32_t> order(messages);
    std::vector<uint32_t> next(first.begin(), first.end() - 1);
    for (uint32_t message = 0; message < messages; ++message)
    {
        order[next[m_block[message]]++] = message;
    }
    m_block = {};
    next = {};
    const auto earlier = [this](uint32_t a, uint32_t b) {
        return m_trace.m_offset[a] < m_trace.m_offset[b];
    };
    for (uint32_t block = 0; block < blocks; ++block)
    {
        const auto begin = order.begin() + first[block];
        const auto end = order.begin() + first[block + 1];
        if (!std::is_sorted(begin, end, earlier))
        {
            std::stable_sort(begin, end, earlier);
        }
    }
    Permute(m_trace.m_destination, order);
    Permute(m_trace.m_bytes, order);
    Permute(m_trace.m_offset, order);
    Permute(m_trace.m_target, order);
    Permute(m_trace.m_kind, order);
}

} // namespace idempotent
} // namespace ns3
