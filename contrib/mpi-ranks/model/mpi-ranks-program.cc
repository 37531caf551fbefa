/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mpi-ranks-program.h"

#include "mpi-ranks-group.h"

namespace ns3
{
namespace ranks
{

void
Rank::Call::await_suspend(std::coroutine_handle<> program) const
{
    m_group->Suspend(m_self, program);
}

RankStatus
Rank::EndCall::await_resume() const
{
    return m_group->Release(m_self, m_request);
}

RankEnded
Rank::AnyCall::await_resume() const
{
    return m_group->ReleaseAny(m_self);
}

void
Rank::AllCall::await_resume() const
{
    m_group->ReleaseAll(m_self);
}

bool
Rank::TestCall::await_resume() const
{
    return m_group->IsEnded(m_self, m_request);
}

uint32_t
Rank::GetSize() const
{
    return m_group->GetNRanks();
}

Ticks
Rank::GetTime() const
{
    return m_group->GetTime(m_index);
}

Rank::BeginCall
Rank::Isend(Peer to, uint32_t bytes, uint32_t tag, uint64_t contents) const
{
    const RankRequest request = m_group->Isend(m_index, to, bytes, tag, contents);
    return {Call(m_group, m_index, m_group->Prepare(m_index, RankUntil::NOTHING)), request};
}

Rank::BeginCall
Rank::Irecv(Peer from, uint32_t tag) const
{
    const RankRequest request = m_group->Irecv(m_index, from, tag);
    return {Call(m_group, m_index, m_group->Prepare(m_index, RankUntil::NOTHING)), request};
}

Rank::EndCall
Rank::Wait(RankRequest request) const
{
    const bool ready = m_group->Prepare(m_index, RankUntil::REQUEST, request);
    return {Call(m_group, m_index, ready), request};
}

Rank::AllCall
Rank::WaitAll() const
{
    return AllCall(Call(m_group, m_index, m_group->Prepare(m_index, RankUntil::ALL)));
}

Rank::AnyCall
Rank::WaitAny() const
{
    return AnyCall(Call(m_group, m_index, m_group->Prepare(m_index, RankUntil::ANY)));
}

void
Rank::Free(RankRequest request) const
{
    m_group->Free(m_index, request);
}

Rank::TestCall
Rank::Test(RankRequest request) const
{
    return {Call(m_group, m_index, m_group->Prepare(m_index, RankUntil::ONCE)), request};
}

Rank::EndCall
Rank::Send(Peer to, uint32_t bytes, uint32_t tag, uint64_t contents) const
{
    return Wait(m_group->Isend(m_index, to, bytes, tag, contents));
}

Rank::EndCall
Rank::Recv(Peer from, uint32_t tag) const
{
    return Wait(m_group->Irecv(m_index, from, tag));
}

Rank::Call
Rank::Compute(Ticks time) const
{
    m_group->Compute(m_index, time);
    return {m_group, m_index, false};
}

} // namespace ranks
} // namespace ns3
