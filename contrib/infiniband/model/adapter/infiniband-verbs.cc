/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "infiniband-verbs.h"

#include "ns3/assert.h"
#include "ns3/log.h"
#include "ns3/trace-source-accessor.h"

#include <algorithm>

namespace ns3
{
namespace infiniband
{

NS_LOG_COMPONENT_DEFINE("InfinibandVerbs");
NS_OBJECT_ENSURE_REGISTERED(Verbs);

namespace
{

/**
 * Check whether ModifyQp permits a transition of the verbs' state diagram.
 *
 * @verbatim
   RESET -> INIT -> RTR -> RTS <-> SQE (a send of UC or UD has failed)
              |      |      |
              +------+------+---> ERR
   any state -> RESET
   @endverbatim
 *
 * @param from the state
 * @param to the next
 * @return true if it is permitted
 */
bool
IsTransition(QpState from, QpState to)
{
    if (to == QpState::RESET)
    {
        return true;
    }
    if (to == QpState::ERR)
    {
        return from != QpState::RESET;
    }
    switch (from)
    {
    case QpState::RESET:
        return to == QpState::INIT;
    case QpState::INIT:
        return to == QpState::INIT || to == QpState::RTR;
    case QpState::RTR:
    case QpState::RTS:
    case QpState::SQE:
        return to == QpState::RTS;
    case QpState::ERR:
        break;
    }
    return false;
}

/** Longest message of a connection: 2^31 bytes (InfiniBand architecture, volume 1, 9.7.7). */
constexpr uint32_t LONGEST_MESSAGE = 1U << 31;

} // namespace

TypeId
Verbs::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::infiniband::Verbs")
            .SetParent<Object>()
            .SetGroupName("Infiniband")
            .AddConstructor<Verbs>()
            .AddTraceSource("QpState",
                            "A queue pair has changed its state: number, before, after.",
                            MakeTraceSourceAccessor(&Verbs::m_stateTrace),
                            "ns3::infiniband::Verbs::QpStateTracedCallback")
            .AddTraceSource("RdmaWrite",
                            "All data of an RDMA write has arrived; without immediate data no "
                            "program notices this: queue pair, request.",
                            MakeTraceSourceAccessor(&Verbs::m_writeTrace),
                            "ns3::infiniband::Verbs::RdmaWriteTracedCallback");
    return tid;
}

void
Verbs::DoDispose()
{
    if (m_engine)
    {
        m_engine->Dispose();
    }
    m_engine = nullptr;
    m_clock = nullptr;
    Object::DoDispose();
}

std::string
Verbs::Open(Ptr<messaging::TickClock> clock, Ptr<Engine> engine, HostId nHosts)
{
    NS_LOG_FUNCTION(this << nHosts);
    m_clock = clock;
    m_engine = engine;
    m_user = clock->Register(this);
    const std::string error = engine->Start(this, clock, nHosts);
    m_hosts = nHosts > 0 ? nHosts : engine->GetNHosts();
    return error;
}

CqNumber
Verbs::CreateCq(HostId host, CqUser* user, uint64_t cookie)
{
    CompletionQueue cq;
    cq.user = user;
    cq.cookie = cookie;
    cq.host = host;
    m_cqs.push_back(std::move(cq));
    return static_cast<CqNumber>(m_cqs.size() - 1);
}

uint32_t
Verbs::PollCq(CqNumber cq, uint32_t max, WorkCompletion* wc)
{
    auto& queue = m_cqs[cq];
    const auto n = static_cast<uint32_t>(std::min<std::size_t>(max, queue.completions.GetN()));
    for (uint32_t i = 0; i < n; ++i)
    {
        wc[i] = queue.completions.Pop();
    }
    return n;
}

void
Verbs::ReqNotifyCq(CqNumber cq)
{
    auto& queue = m_cqs[cq];
    queue.armed = true;
    if (!queue.completions.IsEmpty())
    {
        m_clock->At(m_clock->Now(), m_user, 0, cq);
    }
}

void
Verbs::OnTick(messaging::Peer /* peer */, uint64_t datum)
{
    const auto cq = static_cast<CqNumber>(datum);
    auto& queue = m_cqs[cq];
    if (queue.armed && queue.user)
    {
        queue.armed = false;
        queue.user->OnCompletion(cq, queue.cookie);
    }
}

void
Verbs::Complete(CqNumber cq, const WorkCompletion& wc)
{
    NS_LOG_INFO("Request " << wc.wrId << " of queue pair " << wc.qp << " completes: " << wc.status);
    auto& queue = m_cqs[cq];
    queue.completions.Push(wc);
    if (!queue.armed || !queue.user)
    {
        return;
    }
    if (m_depth > 0)
    {
        // A caller has to return before its OnCompletion is called.
        m_clock->At(m_clock->Now(), m_user, 0, cq);
        return;
    }
    queue.armed = false;
    queue.user->OnCompletion(cq, queue.cookie);
}

Qpn
Verbs::CreateQp(HostId host, const QpInitAttr& attr)
{
    const auto isOurs = [this, host](CqNumber cq) {
        return cq < m_cqs.size() && m_cqs[cq].host == host;
    };
    if (host >= m_hosts || !isOurs(attr.sendCq) || !isOurs(attr.recvCq))
    {
        return NO_QP;
    }
    QueuePair pair;
    pair.host = host;
    pair.sendCq = attr.sendCq;
    pair.recvCq = attr.recvCq;
    pair.maxSends = attr.maxSendWr;
    pair.receives.capacity = attr.maxRecvWr;
    pair.transport = attr.transport;
    m_qps.push_back(pair);
    return static_cast<Qpn>(m_qps.size() - 1);
}

void
Verbs::SetState(Qpn qp, const QpAttr& attr)
{
    auto& pair = m_qps[qp];
    const QpState before = pair.state;
    NS_LOG_INFO("Queue pair " << qp << " goes from " << before << " to " << attr.state);
    pair.state = attr.state;
    m_stateTrace(qp, before, attr.state);
    m_engine->OnState(qp, attr);
}

bool
Verbs::ModifyQp(Qpn qp, const QpAttr& attr)
{
    const CallScope scope(m_depth);
    auto& pair = m_qps[qp];
    if (!IsTransition(pair.state, attr.state))
    {
        return false;
    }
    if (attr.state == QpState::RTR && pair.transport != Transport::UD)
    {
        if (attr.remote >= m_qps.size() || m_qps[attr.remote].transport != pair.transport)
        {
            return false;
        }
        pair.remote = attr.remote;
    }
    else if (attr.state == QpState::INIT)
    {
        pair.access = attr.access;
    }
    SetState(qp, attr);
    switch (attr.state)
    {
    case QpState::RESET:
        m_sends.Clear(pair.sends);
        m_receives.Clear(pair.receives.runs);
        pair.nSends = 0;
        pair.receives.length = 0;
        pair.remote = NO_QP;
        pair.doomed = false;
        break;
    case QpState::ERR:
        FlushSends(qp);
        FlushReceives(qp);
        break;
    default:
        break;
    }
    return true;
}

bool
Verbs::ConnectQps(Qpn one, Qpn other, uint8_t path)
{
    for (const QpState state : {QpState::INIT, QpState::RTR, QpState::RTS})
    {
        if (!ModifyQp(one, {state, other, path}) || !ModifyQp(other, {state, one, path}))
        {
            return false;
        }
    }
    return true;
}

bool
Verbs::AttachMcast(Qpn qp)
{
    if (m_qps[qp].transport != Transport::UD)
    {
        return false;
    }
    m_multicast.emplace(m_qps[qp].host, qp);
    return true;
}

uint64_t
Verbs::GetMemory() const
{
    return m_qps.capacity() * sizeof(QueuePair) + m_receives.GetMemory() + m_sends.GetMemory();
}

MemoryKey
Verbs::RegMr(HostId host, uint64_t bytes, uint8_t access)
{
    m_regions.push_back({.bytes = bytes, .host = host, .access = access});
    return static_cast<MemoryKey>(m_regions.size());
}

const Verbs::Region*
Verbs::FindRegion(MemoryKey key, HostId host) const
{
    const std::size_t index = key - std::size_t{1};
    return index < m_regions.size() && m_regions[index].host == host ? &m_regions[index] : nullptr;
}

bool
Verbs::Holds(MemoryKey key, HostId host, uint64_t bytes) const
{
    const Region* region = FindRegion(key, host);
    return region && region->bytes >= bytes;
}

WcStatus
Verbs::CheckAccess(Qpn qp, const SendWr& wr) const
{
    if (IsSend(wr.opcode))
    {
        return WcStatus::SUCCESS;
    }
    const Access needed = IsFetching(wr.opcode) ? REMOTE_READ : REMOTE_WRITE;
    // InfiniBand architecture, volume 1, table 56: the queue pair does not permit such requests.
    if (!(m_qps[qp].access & needed))
    {
        return WcStatus::REM_INV_REQ_ERR;
    }
    if (wr.bytes == 0)
    {
        return WcStatus::SUCCESS;
    }
    const Region* region = FindRegion(wr.remoteKey, m_qps[qp].host);
    const bool allowed = region && (region->access & needed) && wr.remoteAddress <= region->bytes &&
                         wr.bytes <= region->bytes - wr.remoteAddress;
    return allowed ? WcStatus::SUCCESS : WcStatus::REM_ACCESS_ERR;
}

WcStatus
Verbs::CheckLocally(const QueuePair& pair, const SendWr& wr) const
{
    // Table 1 of paper 4; InfiniBand architecture, volume 1, table 35.
    if ((pair.transport == Transport::UD && !IsSend(wr.opcode)) ||
        (pair.transport != Transport::RC && IsFetching(wr.opcode)))
    {
        return WcStatus::LOC_QP_OP_ERR;
    }
    if (pair.transport == Transport::UD)
    {
        if (wr.to.host >= m_hosts)
        {
            return WcStatus::LOC_QP_OP_ERR;
        }
        if (wr.bytes > PeekPointer(m_engine)->GetLinkConfig().mtu)
        {
            return WcStatus::LOC_LEN_ERR;
        }
    }
    if (wr.bytes > LONGEST_MESSAGE)
    {
        return WcStatus::LOC_LEN_ERR;
    }
    const bool registered =
        wr.bytes == 0 || (wr.flags & INLINE) || Holds(wr.localKey, pair.host, wr.bytes);
    return registered ? WcStatus::SUCCESS : WcStatus::LOC_PROT_ERR;
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
    if ((wr.flags & INLINE) && (wr.bytes > PeekPointer(m_engine)->GetHcaConfig().inlineLimit ||
                                wr.opcode > WrOpcode::RDMA_WRITE_WITH_IMM))
    {
        return false;
    }
    WcStatus fate = WcStatus::WR_FLUSH_ERR;
    if (!pair.doomed && pair.state == QpState::RTS)
    {
        fate = CheckLocally(pair, wr);
    }
    NS_LOG_INFO("Queue pair " << qp << " sends request " << wr.wrId << " of " << wr.bytes
                              << " bytes");
    ++pair.nSends;
    m_sends.PushBack(pair.sends, {wr.wrId, wr.flags, fate});
    if (fate != WcStatus::SUCCESS)
    {
        pair.doomed = true;
        EndDoomed(qp);
    }
    else
    {
        PeekPointer(m_engine)->Post(qp, wr);
    }
    return true;
}

void
Verbs::EndSend(Qpn qp, WcStatus status)
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
    wc.qp = qp;
    wc.status = status;
    const bool connected = pair.transport == Transport::RC;
    Complete(pair.sendCq, wc);
    if (status != WcStatus::SUCCESS && status != WcStatus::WR_FLUSH_ERR)
    {
        Fail(qp, connected ? QpState::ERR : QpState::SQE);
    }
}

void
Verbs::EndDoomed(Qpn qp)
{
    while (!m_qps[qp].sends.IsEmpty())
    {
        const WcStatus fate = m_sends[m_qps[qp].sends.head].fate;
        if (fate == WcStatus::SUCCESS)
        {
            return;
        }
        EndSend(qp, fate);
    }
    m_qps[qp].doomed = false;
}

void
Verbs::Fail(Qpn qp, QpState state)
{
    SetState(qp, {state});
    FlushSends(qp);
    if (state == QpState::ERR)
    {
        FlushReceives(qp);
    }
}

void
Verbs::FlushSends(Qpn qp)
{
    // The user of a completion may create queue pairs, and so move this one.
    while (!m_qps[qp].sends.IsEmpty())
    {
        EndSend(qp, WcStatus::WR_FLUSH_ERR);
    }
    m_qps[qp].doomed = false;
}

void
Verbs::FlushReceives(Qpn qp)
{
    m_qps[qp].receives.length = 0;
    while (!m_qps[qp].receives.runs.IsEmpty())
    {
        auto& runs = m_qps[qp].receives.runs;
        const RecvRun run = m_receives[runs.head];
        m_receives.PopFront(runs);
        for (uint32_t n = 0; n < run.count; ++n)
        {
            CompleteReceive(qp, run.wr, {}, NO_QP, WcStatus::WR_FLUSH_ERR);
        }
    }
}

bool
Verbs::PostRecv(Qpn qp, const RecvWr& wr, uint32_t count)
{
    const CallScope scope(m_depth);
    const QpState state = m_qps[qp].state;
    auto& queue = m_qps[qp].receives;
    if (state == QpState::RESET || count > queue.capacity - queue.length)
    {
        return false;
    }
    NS_LOG_LOGIC("Queue pair " << qp << " gets " << count << " receives of " << wr.bytes
                               << " bytes");
    queue.length += count;
    if (!queue.runs.IsEmpty() && m_receives[queue.runs.tail].wr == wr)
    {
        m_receives[queue.runs.tail].count += count;
    }
    else if (count > 0)
    {
        m_receives.PushBack(queue.runs, {wr, count});
    }
    if (state == QpState::ERR)
    {
        FlushReceives(qp);
    }
    return true;
}

void
Verbs::CompleteSend(Qpn qp, WcStatus status)
{
    if (m_qps[qp].sends.IsEmpty())
    {
        return;
    }
    EndSend(qp, status);
    if (m_qps[qp].doomed)
    {
        EndDoomed(qp);
    }
}

bool
Verbs::EndUnnoticed(Qpn qp)
{
    // More than a program posts during the write of a completion.
    constexpr uint32_t ROOM = 64;
    auto& pair = m_qps[qp];
    if (pair.doomed || pair.sends.IsEmpty() || pair.maxSends < pair.nSends + ROOM)
    {
        return false;
    }
    NS_ASSERT_MSG(!(m_sends[pair.sends.head].flags & SIGNALED),
                  "The request asks for a completion.");
    m_sends.PopFront(pair.sends);
    --pair.nSends;
    return true;
}

bool
Verbs::TakeReceive(Qpn qp, RecvWr& wr)
{
    auto& queue = m_qps[qp].receives;
    if (queue.runs.IsEmpty())
    {
        return false;
    }
    auto& run = m_receives[queue.runs.head];
    wr = run.wr;
    --queue.length;
    if (--run.count == 0)
    {
        m_receives.PopFront(queue.runs);
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
    wc.received = true;
    if (status == WcStatus::SUCCESS)
    {
        wc.data = sent.data;
        wc.bytes = sent.bytes;
        wc.immediate = sent.immediate;
        if (pair.transport == Transport::UD)
        {
            wc.bytes += GRH_BYTES;
            wc.source = source;
        }
    }
    Complete(pair.recvCq, wc);
    if (status != WcStatus::SUCCESS && status != WcStatus::WR_FLUSH_ERR)
    {
        Fail(qp, QpState::ERR);
    }
}

} // namespace infiniband
} // namespace ns3
