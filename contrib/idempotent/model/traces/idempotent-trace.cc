/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "idempotent-trace.h"

#include <algorithm>
#include <array>
#include <span>
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
    return NAMES.at(static_cast<std::size_t>(kind));
}

uint32_t
Trace::GetNetworkMessages() const
{
    uint32_t count = 0;
    for (const TraceBlock& block : blocks)
    {
        for (uint32_t message = block.first; message < block.end; ++message)
        {
            if (messages[message].destination != block.node)
            {
                ++count;
            }
        }
    }
    return count;
}

std::size_t
Trace::GetMemory() const
{
    return blocks.capacity() * sizeof(TraceBlock) + messages.capacity() * sizeof(TraceMessage);
}

std::string
Trace::Validate() const
{
    std::string error = ValidateFields();
    if (!error.empty())
    {
        return error;
    }
    return ValidateOrder();
}

std::string
Trace::ValidateFields() const
{
    if (nodes == 0)
    {
        return "a trace needs at least one node";
    }
    const std::string onlyNodes = ", but there are only " + std::to_string(nodes) + " nodes";
    std::vector<uint32_t> signals(blocks.size(), 0);
    for (uint32_t i = 0; i < blocks.size(); ++i)
    {
        const TraceBlock& block = blocks[i];
        if (block.node >= nodes)
        {
            return "block " + std::to_string(i) + " runs on node " + std::to_string(block.node) +
                   onlyNodes;
        }
        uint32_t before = 0;
        for (uint32_t number = block.first; number < block.end; ++number)
        {
            const TraceMessage& message = messages[number];
            if (message.destination >= nodes)
            {
                return Name(i, number) + " goes to node " + std::to_string(message.destination) +
                       onlyNodes;
            }
            if (message.target != NO_INDEX && message.target >= blocks.size())
            {
                return Name(i, number) + " signals block " + std::to_string(message.target) +
                       ", but there are only " + std::to_string(blocks.size()) + " blocks";
            }
            const bool local = message.destination == block.node;
            if (message.bytes % WORD_BYTES != 0 || (message.bytes == 0 && !local))
            {
                return Name(i, number) + " has " + std::to_string(message.bytes) +
                       " bytes, which is not a positive multiple of 4";
            }
            if (message.kind == MessageKind::SIGNAL && !local)
            {
                return Name(i, number) + " is a signal and must stay on node " +
                       std::to_string(block.node);
            }
            if (message.offset < before || message.offset > block.duration)
            {
                return Name(i, number) + " departs at " + std::to_string(message.offset) +
                       ", which is before an earlier message or after the end of its block";
            }
            if (IsReply(message.kind) && (block.signals != 1 || block.end - block.first != 1))
            {
                return Name(i, number) +
                       " is a reply, so it must be alone in a block that one request activates";
            }
            before = message.offset;
            if (message.target != NO_INDEX)
            {
                ++signals[message.target];
                if (const uint32_t node = blocks[message.target].node; node != message.destination)
                {
                    return Name(i, number) + " goes to node " +
                           std::to_string(message.destination) + " but signals block " +
                           std::to_string(message.target) + " on node " + std::to_string(node);
                }
            }
        }
    }
    for (uint32_t i = 0; i < blocks.size(); ++i)
    {
        if (signals[i] != blocks[i].signals)
        {
            return "block " + std::to_string(i) + " needs " + std::to_string(blocks[i].signals) +
                   " signals, but " + std::to_string(signals[i]) + " messages target it";
        }
    }
    return {};
}

std::string
Trace::ValidateOrder() const
{
    std::vector<uint32_t> pending;
    std::vector<uint32_t> ready;
    for (uint32_t block = 0; block < blocks.size(); ++block)
    {
        pending.push_back(blocks[block].signals);
        if (pending[block] == 0)
        {
            ready.push_back(block);
        }
    }
    uint32_t done = 0;
    while (!ready.empty())
    {
        const TraceBlock& block = blocks[ready.back()];
        ready.pop_back();
        ++done;
        for (uint32_t message = block.first; message < block.end; ++message)
        {
            const uint32_t target = messages[message].target;
            if (target != NO_INDEX && --pending[target] == 0)
            {
                ready.push_back(target);
            }
        }
    }
    if (done == blocks.size())
    {
        return {};
    }

    const auto waiting = std::ranges::find_if(pending, [](uint32_t n) { return n > 0; });
    return "block " + std::to_string(waiting - pending.begin()) + " is never activated, one of " +
           std::to_string(blocks.size() - done) + ": blocks wait for one another in a cycle";
}

TraceBuilder::TraceBuilder(uint32_t nodes)
    : m_trace{.nodes = nodes, .blocks = {}, .messages = {}}
{
}

uint32_t
TraceBuilder::AddBlock(uint32_t node, uint32_t thread)
{
    m_trace.blocks.push_back({.node = node, .thread = thread});
    return GetBlocks() - 1;
}

uint32_t
TraceBuilder::AddMessage(uint32_t block, const TraceMessage& message)
{
    m_block.push_back(block);
    m_trace.messages.push_back(message);
    return static_cast<uint32_t>(m_block.size() - 1);
}

Trace
TraceBuilder::Finish()
{
    std::vector<TraceBlock>& blocks = m_trace.blocks;
    for (std::size_t i = 0; i < m_block.size(); ++i)
    {
        ++blocks[m_block[i]].end;
        if (const uint32_t target = m_trace.messages[i].target; target < blocks.size())
        {
            ++blocks[target].signals;
        }
    }
    uint32_t first = 0;
    for (TraceBlock& block : blocks)
    {
        block.first = first;
        first += std::exchange(block.end, first);
    }
    std::vector<TraceMessage> messages(m_block.size());
    for (std::size_t i = 0; i < m_block.size(); ++i)
    {
        messages[blocks[m_block[i]].end++] = m_trace.messages[i];
    }
    for (const TraceBlock& block : blocks)
    {
        const auto own = std::span(messages).subspan(block.first, block.end - block.first);
        if (!std::ranges::is_sorted(own, {}, &TraceMessage::offset))
        {
            std::ranges::stable_sort(own, {}, &TraceMessage::offset);
        }
    }
    m_trace.messages = std::move(messages);
    blocks.shrink_to_fit();
    m_block = {};
    return std::exchange(m_trace, {.nodes = m_trace.nodes, .blocks = {}, .messages = {}});
}

} // namespace idempotent
} // namespace ns3
