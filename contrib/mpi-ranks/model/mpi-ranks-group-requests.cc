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

} // namespace ranks
} // namespace ns3
