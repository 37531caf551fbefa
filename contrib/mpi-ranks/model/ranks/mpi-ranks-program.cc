/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mpi-ranks-program.h"

#include "ns3/mpi-ranks-group.h"

namespace ns3
{
namespace ranks
{

template <class T>
void
RankCall<T>::await_suspend(std::coroutine_handle<> program) const
{
    m_group->Suspend(m_self, program);
}

template <class T>
T
RankCall<T>::await_resume() const
{
    if constexpr (std::is_same_v<T, RankRequest>)
    {
        return m_request;
    }
    else if constexpr (std::is_same_v<T, RankStatus>)
    {
        return RankGroup::Release(m_group->m_ranks[m_self], m_request);
    }
    else if constexpr (std::is_same_v<T, RankEnded>)
    {
        return m_group->ReleaseAny(m_self);
    }
    else if constexpr (std::is_same_v<T, bool>)
    {
        return m_group->IsEnded(m_self, m_request);
    }
    else
    {
        m_group->ReleaseAll(m_self);
    }
}

template class RankCall<>;
template class RankCall<RankRequest>;
template class RankCall<RankStatus>;
template class RankCall<RankEnded>;
template class RankCall<bool>;

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

const RankCounters&
Rank::GetCounters() const
{
    return m_group->GetCore(m_index).GetCounters();
}

RankCall<RankRequest>
Rank::Isend(Peer to, uint32_t bytes, uint32_t tag, uint64_t contents) const
{
    const RankRequest request = m_group->Isend(m_index, to, bytes, tag, contents);
    return {m_group, m_index, m_group->Prepare(m_index, RankUntil::NOTHING), request};
}

RankCall<RankRequest>
Rank::Irecv(Peer from, uint32_t tag) const
{
    const RankRequest request = m_group->Irecv(m_index, from, tag);
    return {m_group, m_index, m_group->Prepare(m_index, RankUntil::NOTHING), request};
}

RankCall<RankStatus>
Rank::Wait(RankRequest request) const
{
    return {m_group, m_index, m_group->Prepare(m_index, RankUntil::REQUEST, request), request};
}

RankCall<>
Rank::WaitAll() const
{
    return {m_group, m_index, m_group->Prepare(m_index, RankUntil::ALL)};
}

RankCall<RankEnded>
Rank::WaitAny() const
{
    return {m_group, m_index, m_group->Prepare(m_index, RankUntil::ANY)};
}

void
Rank::Free(RankRequest request) const
{
    m_group->Free(m_index, request);
}

RankCall<bool>
Rank::Test(RankRequest request) const
{
    return {m_group, m_index, m_group->Prepare(m_index, RankUntil::ONCE), request};
}

RankCall<RankStatus>
Rank::Send(Peer to, uint32_t bytes, uint32_t tag, uint64_t contents) const
{
    return Wait(m_group->Isend(m_index, to, bytes, tag, contents));
}

RankCall<RankStatus>
Rank::Recv(Peer from, uint32_t tag) const
{
    return Wait(m_group->Irecv(m_index, from, tag));
}

RankCall<>
Rank::Compute(Ticks time) const
{
    m_group->Compute(m_index, time);
    return {m_group, m_index, false};
}

void
Rank::BeginCollective(messaging::CollectiveKind kind, uint64_t bytes) const
{
    m_group->BeginCollective(m_index, kind, bytes);
}

void
Rank::EndCollective(messaging::CollectiveKind kind) const
{
    m_group->EndCollective(m_index, kind);
}

uint64_t
Rank::Store(std::vector<uint64_t> words) const
{
    return m_group->Store(std::move(words));
}

std::vector<uint64_t>
Rank::Take(uint64_t contents) const
{
    return m_group->Take(contents);
}

} // namespace ranks
} // namespace ns3
