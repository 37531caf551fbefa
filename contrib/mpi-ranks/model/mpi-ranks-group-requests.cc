/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mpi-ranks-group.h"

namespace ns3
{
namespace ranks
{

RankRequest
RankGroup::Allocate(State& state)
{
    ++state.open;
    if (state.freeSlots.empty())
    {
        state.slots.emplace_back();
        return static_cast<RankRequest>(state.slots.size() - 1);
    }
    const RankRequest request = state.freeSlots.back();
    state.freeSlots.pop_back();
    state.slots[request] = Slot();
    return request;
}

void
RankGroup::End(State& state, RankRequest request)
{
    state.slots[request].ended = true;
    --state.open;
    if (state.slots[request].freed)
    {
        state.freeSlots.push_back(request);
    }
    else if (state.collects)
    {
        state.ended.push_back(request);
    }
}

RankStatus
RankGroup::Release(Peer self, RankRequest request)
{
    State& state = m_ranks[self];
    state.freeSlots.push_back(request);
    return state.slots[request].status;
}

RankEnded
RankGroup::ReleaseAny(Peer self)
{
    State& state = m_ranks[self];
    const RankRequest request = state.ended.front();
    state.ended.pop_front();
    return {request, Release(self, request)};
}

void
RankGroup::ReleaseAll(Peer self)
{
    State& state = m_ranks[self];
    state.slots.clear();
    state.freeSlots.clear();
}

void
RankGroup::Free(Peer self, RankRequest request)
{
    State& state = m_ranks[self];
    state.slots[request].freed = true;
    if (state.slots[request].ended)
    {
        state.freeSlots.push_back(request);
    }
}

bool
RankGroup::IsSatisfied(const State& state)
{
    switch (state.until)
    {
    case RankUntil::REQUEST:
        return state.slots[state.request].ended;
    case RankUntil::ALL:
        return state.open == 0;
    case RankUntil::ANY:
        return !state.ended.empty();
    case RankUntil::NOTHING:
    case RankUntil::ONCE:
        break;
    }
    return true;
}

bool
RankGroup::Prepare(Peer self, RankUntil until, RankRequest request)
{
    State& state = m_ranks[self];
    state.until = until;
    state.request = request;
    if (until == RankUntil::ANY && !state.collects)
    {
        state.collects = true;
        std::vector<uint8_t> free(state.slots.size(), 0);
        for (const RankRequest it : state.freeSlots)
        {
            free[it] = 1;
        }
        for (RankRequest it = 0; it < state.slots.size(); ++it)
        {
            if (state.slots[it].ended && !free[it])
            {
                state.ended.push_back(it);
            }
        }
    }
    return until != RankUntil::ONCE && state.posted == state.postings.size() && IsSatisfied(state);
}

} // namespace ranks
} // namespace ns3
