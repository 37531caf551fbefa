/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef IDEMPOTENT_TRACE_REPLAY_H
#define IDEMPOTENT_TRACE_REPLAY_H

#include "ns3/idempotent-trace.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <queue>
#include <tuple>
#include <vector>

/**
 * @file
 * @ingroup idempotent
 * A replayer of block-structured traces without a network, to check others against.
 */

namespace ns3
{
namespace idempotent
{
namespace tests
{

/// Outcome of a replay.
struct Replay
{
    uint64_t end{0};                 ///< Last delivery or block end [cycles].
    uint32_t delivered{0};           ///< Messages delivered, local ones included.
    std::vector<uint64_t> activated; ///< Activation by block; UINT64_MAX if never [cycles].
};

/**
 * Replays a trace by the rules of section 3.2 of the paper. Each message that leaves its node takes
 * the same time, independent of others; local ones take none.
 *
 * @param trace a trace
 * @param latency time of a message from its departure to its delivery [cycles]
 * @return the outcome
 */
inline Replay
ReplayTrace(const Trace& trace, uint64_t latency)
{
    using Delivery = std::tuple<uint64_t, uint32_t>; // Time and message.
    std::priority_queue<Delivery, std::vector<Delivery>, std::greater<>> deliveries;
    std::vector<uint32_t> missing(trace.blocks.size());
    Replay replay;
    replay.activated.assign(trace.blocks.size(), UINT64_MAX);

    const auto activate = [&](uint32_t block, uint64_t now) {
        replay.activated[block] = now;
        replay.end = std::max(replay.end, now + trace.blocks[block].duration);
        for (uint32_t message = trace.blocks[block].first; message < trace.blocks[block].end;
             ++message)
        {
            const bool local = trace.messages[message].destination == trace.blocks[block].node;
            deliveries.emplace(now + trace.messages[message].offset + (local ? 0 : latency),
                               message);
        }
    };
    for (uint32_t block = 0; block < trace.blocks.size(); ++block)
    {
        missing[block] = trace.blocks[block].signals;
        if (missing[block] == 0)
        {
            activate(block, 0);
        }
    }
    while (!deliveries.empty())
    {
        const auto [now, message] = deliveries.top();
        deliveries.pop();
        ++replay.delivered;
        replay.end = std::max(replay.end, now);
        const uint32_t target = trace.messages[message].target;
        if (target != NO_INDEX && --missing[target] == 0)
        {
            activate(target, now);
        }
    }
    return replay;
}

} // namespace tests
} // namespace idempotent
} // namespace ns3

#endif // IDEMPOTENT_TRACE_REPLAY_H
