/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "infiniband-verbs.h"

#include "ns3/assert.h"

#include <algorithm>

/**
 * @file
 * @ingroup infiniband
 * Verbs: what is posted, and how it ends.
 */

namespace ns3
{
namespace infiniband
{

namespace
{

/** Longest message of a connection: 2^31 bytes (InfiniBand architecture, volume 1, 9.7.7). */
constexpr uint32_t LONGEST_MESSAGE = 1U << 31;

/** Operand of an atomic operation [bytes]. */
constexpr uint32_t ATOMIC_BYTES = 8;

/**
 * Get what completes.
 * @param opcode of the work request
 * @return opcode of its completion
 */
WcOpcode
GetWcOpcode(WrOpcode opcode)
{
    switch (opcode)
    {
    case WrOpcode::SEND:
    case WrOpcode::SEND_WITH_IMM:
        return WcOpcode::SEND;
    case WrOpcode::RDMA_WRITE:
    case WrOpcode::RDMA_WRITE_WITH_IMM:
        return WcOpcode::RDMA_WRITE;
    case WrOpcode::RDMA_READ:
        return WcOpcode::RDMA_READ;
    case WrOpcode::ATOMIC_COMPARE_AND_SWAP:
    case WrOpcode::ATOMIC_FETCH_AND_ADD:
        break;
    }
    return WcOpcode::ATOMIC;
}

/**
 * Look whether a type of queue pair has an operation (Table 1 of paper 4; InfiniBand architecture,
 * volume 1, table 35).
 * @param transport the type
 * @param opcode the operation
 * @return true if it has
 */
bool
IsSupported(Transport transport, WrOpcode opcode)
{
    switch (transport)
    {
    case Transport::RC:
        return true;
    case Transport::UC:
        return opcode <= WrOpcode::RDMA_WRITE_WITH_IMM;
    case Transport::UD:
        break;
    }
    return opcode <= WrOpcode::SEND_WITH_IMM;
}

} // namespace

WcStatus
Verbs::CheckLocally(const QueuePair& pair, const SendWr& wr) const
{
    if (!IsSupported(pair.transport, wr.opcode))
    {
        return WcStatus::LOC_QP_OP_ERR;
    }
    if (pair.transport == Transport::UD)
    {
        if (wr.to.host >= m_hosts)
        {
            return WcStatus::LOC_QP_OP_ERR;
        }
        if (wr.bytes > m_engine->GetLinkConfig().mtu)
        {
            return WcStatus::LOC_LEN_ERR;
        }
    }
    if (wr.bytes > LONGEST_MESSAGE ||
        (GetWcOpcode(wr.opcode) == WcOpcode::ATOMIC && wr.bytes != ATOMIC_BYTES))
    {
        return WcStatus::LOC_LEN_ERR;
    }
    if (wr.bytes > 0 && !(wr.flags & INLINE))
    {
        const Region* region = FindRegion(wr.localKey, pair.host);
        if (!region || region->bytes < wr.bytes)
        {
            return WcStatus::LOC_PROT_ERR;
        }
    }
    return WcStatus::SUCCESS;
}

bool
Verbs::PostSend(Qpn qp, const SendWr& wr)
{
    const CallScope scope(m_depth);
    auto& pair = m_qps[qp];
    if (pair.state < QpState::RTS || pair.nSends >= pair.maxSends)
    {
        return false;
    }
    if ((wr.flags & INLINE) && (wr.bytes > m_engine->GetHcaConfig().inlineLimit ||
                                wr.opcode > WrOpcode::RDMA_WRITE_WITH_IMM))
    {
        return false;
    }
    WcStatus fate = WcStatus::WR_FLUSH_ERR;
    if (!pair.doomed && (pair.state == QpState::RTS || pair.state == QpState::SQD))
    {
        fate = CheckLocally(pair, wr);
    }
    ++pair.nSends;
    m_sends.PushBack(pair.sends, {wr.wrId, GetWcOpcode(wr.opcode), wr.flags, fate});
    if (fate != WcStatus::SUCCESS)
    {
        pair.doomed = true;
        if (pair.state != QpState::SQD)
        {
            EndDoomed(qp);
        }
    }
    else if (pair.state == QpState::SQD)
    {
        m_held.emplace(qp, wr);
    }
    else
    {
        m_engine->Post(qp, wr);
    }
    return true;
}

void
Verbs::EndSend(Qpn qp, WcStatus status, uint32_t bytes, uint64_t atomic)
{
    auto& pair = m_qps[qp];
    const PostedSend send = m_sends[pair.sends.head];
    m_sends.PopFront(pair.sends);
    --pair.nSends;
    if (status == WcStatus::SUCCESS && !(send.flags & SIGNALED))
    {
        return;
    }
    WorkCompletion wc;
    wc.wrId = send.wrId;
    wc.atomic = atomic;
    wc.bytes = bytes;
    wc.qp = qp;
    wc.status = status;
    wc.opcode = send.opcode;
    Complete(pair.sendCq, wc, false);
}

void
Verbs::EndDoomed(Qpn qp)
{
    auto& pair = m_qps[qp];
    while (!pair.sends.IsEmpty())
    {
        const WcStatus fate = m_sends[pair.sends.head].fate;
        if (fate == WcStatus::SUCCESS)
        {
            return;
        }
        EndSend(qp, fate);
        if (fate != WcStatus::WR_FLUSH_ERR)
        {
            FailSends(qp);
            return;
        }
    }
    pair.doomed = false;
}

void
Verbs::FailSends(Qpn qp)
{
    const bool connected = m_qps[qp].transport == Transport::RC;
    SetState(qp, connected ? QpState::ERR : QpState::SQE);
    FlushSends(qp);
    if (connected)
    {
        FlushReceives(qp);
    }
}

void
Verbs::FlushSends(Qpn qp)
{
    auto& pair = m_qps[qp];
    m_held.erase(qp);
    while (!pair.sends.IsEmpty())
    {
        EndSend(qp, WcStatus::WR_FLUSH_ERR);
    }
    pair.doomed = false;
}

void
Verbs::FlushReceives(Qpn qp)
{
    auto& pair = m_qps[qp];
    pair.nReceives = 0;
    while (!pair.receives.IsEmpty())
    {
        const RecvRun run = m_receives[pair.receives.head];
        m_receives.PopFront(pair.receives);
        for (uint32_t n = 0; n < run.count; ++n)
        {
            CompleteReceive(qp, run.wr, {}, NO_QP, WcStatus::WR_FLUSH_ERR);
        }
    }
}

void
Verbs::AppendReceives(PooledList& list, const RecvWr& wr, uint32_t count)
{
    if (!list.IsEmpty())
    {
        auto& last = m_receives[list.tail];
        if (last.wr.wrId == wr.wrId && last.wr.bytes == wr.bytes && last.wr.localKey == wr.localKey)
        {
            last.count += count;
            return;
        }
    }
    m_receives.PushBack(list, {wr, count});
}

bool
Verbs::PostRecv(Qpn qp, const RecvWr& wr, uint32_t count)
{
    const CallScope scope(m_depth);
    auto& pair = m_qps[qp];
    if (pair.state == QpState::RESET || pair.srq != NO_SRQ ||
        count > pair.maxReceives - pair.nReceives)
    {
        return false;
    }
    if (count > 0)
    {
        pair.nReceives += count;
        AppendReceives(pair.receives, wr, count);
    }
    if (pair.state == QpState::ERR)
    {
        FlushReceives(qp);
    }
    return true;
}

bool
Verbs::PostSrqRecv(SrqNumber srq, const RecvWr& wr, uint32_t count)
{
    auto& queue = m_srqs[srq];
    if (count > queue.maxReceives - queue.nReceives)
    {
        return false;
    }
    if (count > 0)
    {
        queue.nReceives += count;
        AppendReceives(queue.receives, wr, count);
    }
    return true;
}

void
Verbs::CompleteSend(Qpn qp, const SendWr& wr, WcStatus status, uint64_t atomic)
{
    if (m_qps[qp].sends.IsEmpty())
    {
        return;
    }
    NS_ASSERT_MSG(m_sends[m_qps[qp].sends.head].wrId == wr.wrId,
                  "Requests of a send queue end in the order posted.");
    EndSend(qp, status, wr.bytes, atomic);
    if (status != WcStatus::SUCCESS)
    {
        FailSends(qp);
    }
    else if (m_qps[qp].doomed)
    {
        EndDoomed(qp);
    }
}

bool
Verbs::TakeReceive(Qpn qp, RecvWr& wr)
{
    auto& pair = m_qps[qp];
    auto& list = pair.srq == NO_SRQ ? pair.receives : m_srqs[pair.srq].receives;
    if (list.IsEmpty())
    {
        ++m_receiverNotReady;
        return false;
    }
    auto& run = m_receives[list.head];
    wr = run.wr;
    --(pair.srq == NO_SRQ ? pair.nReceives : m_srqs[pair.srq].nReceives);
    if (--run.count == 0)
    {
        m_receives.PopFront(list);
    }
    return true;
}

void
Verbs::CompleteReceive(Qpn qp, const RecvWr& wr, const SendWr& sent, Qpn source, WcStatus status)
{
    const auto& pair = m_qps[qp];
    if (pair.state == QpState::RESET)
    {
        return;
    }
    WorkCompletion wc;
    wc.wrId = wr.wrId;
    wc.qp = qp;
    wc.status = status;
    wc.opcode = WcOpcode::RECV;
    if (status == WcStatus::SUCCESS)
    {
        wc.data = sent.data;
        wc.bytes = sent.bytes;
        wc.immediate = sent.immediate;
        wc.hasImmediate =
            sent.opcode == WrOpcode::SEND_WITH_IMM || sent.opcode == WrOpcode::RDMA_WRITE_WITH_IMM;
        if (sent.opcode == WrOpcode::RDMA_WRITE_WITH_IMM)
        {
            wc.opcode = WcOpcode::RECV_RDMA_WITH_IMM;
        }
        if (pair.transport == Transport::UD)
        {
            wc.bytes += GRH_BYTES;
            wc.source = source;
        }
    }
    Complete(pair.recvCq, wc, sent.flags & SOLICITED);
    if (status != WcStatus::SUCCESS && status != WcStatus::WR_FLUSH_ERR)
    {
        SetState(qp, QpState::ERR);
        FlushSends(qp);
        FlushReceives(qp);
    }
}

} // namespace infiniband
} // namespace ns3
