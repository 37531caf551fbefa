/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "infiniband-verbs.h"

#include "ns3/assert.h"
#include "ns3/log.h"
#include "ns3/messaging-attributes.h"
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
   RESET -> INIT -> RTR -> RTS <-> SQD
              |      |      |       |
              +------+------+-------+---> ERR
   RTS, SQD -> SQE (a send of UC or UD has failed) -> RTS or ERR
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
    case QpState::SQE:
        return to == QpState::RTS;
    case QpState::RTS:
    case QpState::SQD:
        return to == QpState::RTS || to == QpState::SQD;
    case QpState::ERR:
        break;
    }
    return false;
}

/** Longest message of a connection: 2^31 bytes (InfiniBand architecture, volume 1, 9.7.7). */
constexpr uint32_t LONGEST_MESSAGE = 1U << 31;

/** Size of a page of memory [bytes]. */
constexpr uint64_t PAGE_BYTES = 4096;

/** Maximum of RegisterBase: a second [ns]. */
constexpr Ticks LONGEST_REGISTRATION = 1'000'000'000;

/** Maximum of RegisterPage: a millisecond [ns]. */
constexpr Ticks LONGEST_PAGE = 1'000'000;

/** @return the access right that an operation needs at the other side. @param opcode it */
constexpr Access
GetNeededAccess(WrOpcode opcode)
{
    if (IsAtomic(opcode))
    {
        return REMOTE_ATOMIC;
    }
    return IsFetching(opcode) ? REMOTE_READ : REMOTE_WRITE;
}

} // namespace

TypeId
Verbs::GetTypeId()
{
    static TypeId tid =
        messaging::Attributes<Verbs>(TypeId("ns3::infiniband::Verbs")
                                         .SetParent<Object>()
                                         .SetGroupName("Infiniband")
                                         .AddConstructor<Verbs>())
            .AddAttribute("RegisterBase",
                          "Processor time of the registration of a memory region, without its "
                          "pages [ns; default].",
                          &Verbs::m_registerBase,
                          30'000,
                          0,
                          LONGEST_REGISTRATION)
            .AddAttribute("RegisterPage",
                          "Processor time of the registration of each page of 4096 bytes [ns; "
                          "default].",
                          &Verbs::m_registerPage,
                          300,
                          0,
                          LONGEST_PAGE)
            .AddTraceSource("QpState",
                            "A queue pair has changed its state: number, before, after.",
                            MakeTraceSourceAccessor(&Verbs::m_stateTrace),
                            "ns3::infiniband::Verbs::QpStateTracedCallback")
            .AddTraceSource("RdmaWrite",
                            "All data of an RDMA write has arrived; without immediate data no "
                            "program notices this: queue pair, request.",
                            MakeTraceSourceAccessor(&Verbs::m_writeTrace),
                            "ns3::infiniband::Verbs::RdmaWriteTracedCallback")
            .AddTraceSource("Post",
                            "A request is posted on a send queue: queue pair, request.",
                            MakeTraceSourceAccessor(&Verbs::m_postTrace),
                            "ns3::infiniband::Verbs::PostTracedCallback")
            .AddTraceSource("PostRecv",
                            "Receives are posted: queue pair, shared receive queue, receive, "
                            "number.",
                            MakeTraceSourceAccessor(&Verbs::m_postRecvTrace),
                            "ns3::infiniband::Verbs::PostRecvTracedCallback")
            .AddTraceSource("Completion",
                            "A completion is written: completion queue, completion.",
                            MakeTraceSourceAccessor(&Verbs::m_completionTrace),
                            "ns3::infiniband::Verbs::CompletionTracedCallback");
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
    if (m_clock)
    {
        m_clock->Unregister(m_user);
    }
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

bool
Verbs::DestroyCq(CqNumber cq)
{
    NS_LOG_FUNCTION(this << cq);
    if (cq >= m_cqs.size() || m_cqs[cq].destroyed || m_cqs[cq].users > 0)
    {
        return false;
    }
    CompletionQueue& queue = m_cqs[cq];
    queue.destroyed = true;
    queue.user = nullptr;
    queue.completions = {};
    return true;
}

SrqNumber
Verbs::CreateSrq(HostId host, uint32_t maxWr)
{
    NS_LOG_FUNCTION(this << host << maxWr);
    if (host >= m_hosts)
    {
        return NO_SRQ;
    }
    SharedReceiveQueue queue;
    queue.receives.capacity = maxWr;
    queue.host = host;
    m_srqs.push_back(queue);
    return static_cast<SrqNumber>(m_srqs.size() - 1);
}

bool
Verbs::DestroySrq(SrqNumber srq)
{
    NS_LOG_FUNCTION(this << srq);
    if (srq >= m_srqs.size() || m_srqs[srq].destroyed || m_srqs[srq].users > 0)
    {
        return false;
    }
    SharedReceiveQueue& queue = m_srqs[srq];
    m_receives.Clear(queue.receives.runs);
    queue.receives = {};
    queue.destroyed = true;
    return true;
}

uint32_t
Verbs::PollCq(CqNumber cq, uint32_t max, WorkCompletion* wc)
{
    if (cq >= m_cqs.size())
    {
        return 0;
    }
    auto& queue = m_cqs[cq];
    const auto n = static_cast<uint32_t>(std::min<std::size_t>(max, queue.completions.GetN()));
    for (uint32_t i = 0; i < n; ++i)
    {
        wc[i] = queue.completions.Pop();
    }
    return n;
}

void
Verbs::ReqNotifyCq(CqNumber cq, bool solicitedOnly)
{
    if (cq >= m_cqs.size() || m_cqs[cq].destroyed)
    {
        return;
    }
    auto& queue = m_cqs[cq];
    queue.notify = solicitedOnly ? Notify::SOLICITED : Notify::NEXT;
    if (!solicitedOnly && !queue.completions.IsEmpty())
    {
        m_clock->At(m_clock->Now(), m_user, 0, cq);
    }
}

void
Verbs::OnTick(messaging::Peer /* peer */, uint64_t datum)
{
    const auto cq = static_cast<CqNumber>(datum);
    auto& queue = m_cqs[cq];
    if (queue.notify != Notify::NONE && queue.user)
    {
        queue.notify = Notify::NONE;
        queue.user->OnCompletion(cq, queue.cookie);
    }
}

void
Verbs::Complete(CqNumber cq, const WorkCompletion& wc, bool solicited)
{
    NS_LOG_INFO((wc.received ? "Receive " : "Request ")
                << wc.wrId << " of queue pair " << wc.qp << " completes: " << wc.status);
    m_completionTrace(cq, wc);
    auto& queue = m_cqs[cq];
    queue.completions.Push(wc);
    const bool ignored =
        queue.notify == Notify::SOLICITED && !solicited && wc.status == WcStatus::SUCCESS;
    if (queue.notify == Notify::NONE || ignored || !queue.user)
    {
        return;
    }
    if (m_depth > 0)
    {
        // A caller has to return before its OnCompletion is called.
        m_clock->At(m_clock->Now(), m_user, 0, cq);
        return;
    }
    queue.notify = Notify::NONE;
    queue.user->OnExpected(queue.cookie, wc.qp, Nearness::COMPLETED, wc.source);
    queue.user->OnCompletion(cq, queue.cookie);
}

Qpn
Verbs::CreateQp(HostId host, const QpInitAttr& attr)
{
    if (host >= m_hosts || !IsCqOf(attr.sendCq, host) || !IsCqOf(attr.recvCq, host))
    {
        return NO_QP;
    }
    if (attr.srq != NO_SRQ && (attr.transport == Transport::UC || !IsSrqOf(attr.srq, host)))
    {
        return NO_QP;
    }
    QueuePair pair;
    pair.srq = attr.srq;
    pair.host = host;
    pair.sendCq = attr.sendCq;
    pair.recvCq = attr.recvCq;
    pair.maxSends = attr.maxSendWr;
    pair.receives.capacity = attr.maxRecvWr;
    pair.transport = attr.transport;
    pair.context = attr.context;
    m_qps.push_back(pair);
    ++m_cqs[attr.sendCq].users;
    ++m_cqs[attr.recvCq].users;
    if (attr.srq != NO_SRQ)
    {
        ++m_srqs[attr.srq].users;
    }
    return static_cast<Qpn>(m_qps.size() - 1);
}

bool
Verbs::DestroyQp(Qpn qp)
{
    NS_LOG_FUNCTION(this << qp);
    if (!Exists(qp) || m_multicast.contains({m_qps[qp].host, qp}))
    {
        return false;
    }
    ModifyQp(qp, {QpState::RESET});
    QueuePair& pair = m_qps[qp];
    pair.destroyed = true;
    --m_cqs[pair.sendCq].users;
    --m_cqs[pair.recvCq].users;
    if (pair.srq != NO_SRQ)
    {
        --m_srqs[pair.srq].users;
    }
    return true;
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
    if (!Exists(qp) || !IsTransition(m_qps[qp].state, attr.state))
    {
        return false;
    }
    auto& pair = m_qps[qp];
    const QpState before = pair.state;
    if (attr.state == QpState::RTR && pair.transport != Transport::UD)
    {
        if (!Exists(attr.remote) || m_qps[attr.remote].transport != pair.transport)
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
    case QpState::RTS:
        if (before == QpState::SQD)
        {
            EndDoomed(qp);
        }
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
Verbs::ConnectQps(Qpn one, Qpn other, uint8_t path, uint8_t serviceLevel)
{
    for (const QpState state : {QpState::INIT, QpState::RTR, QpState::RTS})
    {
        QpAttr attr{.state = state, .path = path, .serviceLevel = serviceLevel};
        attr.remote = other;
        if (!ModifyQp(one, attr))
        {
            return false;
        }
        attr.remote = one;
        if (!ModifyQp(other, attr))
        {
            return false;
        }
    }
    return true;
}

bool
Verbs::AttachMcast(Qpn qp)
{
    if (!Exists(qp) || m_qps[qp].transport != Transport::UD)
    {
        return false;
    }
    m_multicast.emplace(m_qps[qp].host, qp);
    return true;
}

bool
Verbs::DetachMcast(Qpn qp)
{
    return Exists(qp) && m_multicast.erase({m_qps[qp].host, qp}) > 0;
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
    if (index >= m_regions.size() || !m_regions[index].valid || m_regions[index].host != host)
    {
        return nullptr;
    }
    return &m_regions[index];
}

bool
Verbs::DeregMr(MemoryKey key)
{
    NS_LOG_FUNCTION(this << key);
    const std::size_t index = key - std::size_t{1};
    if (index >= m_regions.size() || !m_regions[index].valid)
    {
        return false;
    }
    m_regions[index].valid = false;
    m_words.erase(m_words.lower_bound({key, 0}), m_words.lower_bound({key + 1, 0}));
    return true;
}

Ticks
Verbs::GetRegistrationTime(uint64_t bytes) const
{
    const uint64_t pages = (bytes + PAGE_BYTES - 1) / PAGE_BYTES;
    return m_registerBase + m_registerPage * pages;
}

uint64_t
Verbs::GetWord(MemoryKey key, uint64_t address) const
{
    const auto found = m_words.find({key, address});
    return found == m_words.end() ? 0 : found->second;
}

bool
Verbs::SetWord(MemoryKey key, uint64_t address, uint64_t value)
{
    const std::size_t index = key - std::size_t{1};
    if (index >= m_regions.size() || !m_regions[index].valid)
    {
        return false;
    }
    m_words[{key, address}] = value;
    return true;
}

uint64_t
Verbs::DoAtomic(const SendWr& wr)
{
    const uint64_t original = GetWord(wr.remoteKey, wr.remoteAddress);
    const auto [compareAdd, swap] = wr.GetOperands();
    if (wr.opcode == WrOpcode::ATOMIC_FETCH_AND_ADD)
    {
        SetWord(wr.remoteKey, wr.remoteAddress, original + compareAdd);
    }
    else if (original == compareAdd)
    {
        SetWord(wr.remoteKey, wr.remoteAddress, swap);
    }
    return original;
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
    if (IsAtomic(wr.opcode) && wr.remoteAddress % SendWr::ATOMIC_BYTES != 0)
    {
        return WcStatus::REM_INV_REQ_ERR;
    }
    const Access needed = GetNeededAccess(wr.opcode);
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
    if (wr.bytes > LONGEST_MESSAGE || (IsAtomic(wr.opcode) && wr.bytes != SendWr::ATOMIC_BYTES))
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
    if (qp >= m_qps.size())
    {
        return false;
    }
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
    const bool works = pair.state == QpState::RTS || pair.state == QpState::SQD;
    if (!pair.doomed && works)
    {
        fate = CheckLocally(pair, wr);
    }
    NS_LOG_INFO("Queue pair " << qp << " gets request " << wr.wrId << ", " << wr.opcode << " of "
                              << wr.bytes << " bytes");
    m_postTrace(qp, wr);
    ++pair.nSends;
    m_sends.PushBack(pair.sends, {wr.wrId, wr.flags, fate});
    if (fate != WcStatus::SUCCESS)
    {
        pair.doomed = true;
        if (pair.state != QpState::SQD)
        {
            EndDoomed(qp);
        }
    }
    else
    {
        PeekPointer(m_engine)->Post(qp, wr);
    }
    return true;
}

void
Verbs::EndSend(Qpn qp, WcStatus status, uint64_t original)
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
    wc.data.contents = original;
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
Verbs::AppendReceives(ReceiveQueue& queue, const RecvWr& wr, uint32_t count)
{
    if (count > queue.capacity - queue.length)
    {
        return false;
    }
    queue.length += count;
    if (!queue.runs.IsEmpty() && m_receives[queue.runs.tail].wr == wr)
    {
        m_receives[queue.runs.tail].count += count;
    }
    else if (count > 0)
    {
        m_receives.PushBack(queue.runs, {wr, count});
    }
    return true;
}

bool
Verbs::PostRecv(Qpn qp, const RecvWr& wr, uint32_t count)
{
    const CallScope scope(m_depth);
    if (qp >= m_qps.size() || m_qps[qp].state == QpState::RESET || m_qps[qp].srq != NO_SRQ ||
        !AppendReceives(m_qps[qp].receives, wr, count))
    {
        return false;
    }
    NS_LOG_LOGIC("Queue pair " << qp << " gets " << count << " receives of " << wr.bytes
                               << " bytes");
    m_postRecvTrace(qp, NO_SRQ, wr, count);
    if (m_qps[qp].state == QpState::ERR)
    {
        FlushReceives(qp);
    }
    return true;
}

bool
Verbs::PostSrqRecv(SrqNumber srq, const RecvWr& wr, uint32_t count)
{
    if (srq >= m_srqs.size() || m_srqs[srq].destroyed ||
        !AppendReceives(m_srqs[srq].receives, wr, count))
    {
        return false;
    }
    NS_LOG_LOGIC("Shared receive queue " << srq << " gets " << count << " receives of " << wr.bytes
                                         << " bytes");
    m_postRecvTrace(NO_QP, srq, wr, count);
    return true;
}

void
Verbs::CompleteSend(Qpn qp, WcStatus status, uint64_t original)
{
    if (m_qps[qp].sends.IsEmpty())
    {
        return;
    }
    EndSend(qp, status, original);
    if (m_qps[qp].doomed && m_qps[qp].state != QpState::SQD)
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
    auto& queue = GetReceives(qp);
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
    Complete(pair.recvCq, wc, sent.flags & SOLICITED);
    if (status != WcStatus::SUCCESS && status != WcStatus::WR_FLUSH_ERR)
    {
        Fail(qp, QpState::ERR);
    }
}

} // namespace infiniband
} // namespace ns3
