/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "infiniband-verbs.h"

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

/** Places of a completion queue at first. */
constexpr std::size_t FIRST_RING = 16;

/**
 * Look whether ModifyQp has a transition: the state diagram of the verbs.
 *
 * @verbatim
   RESET -> INIT -> RTR -> RTS <-> SQD
              |      |      |       |
              +------+------+-------+---> ERR      RTS -> SQE (a send of UC or UD has failed)
   any state -> RESET                              SQE -> RTS
   @endverbatim
 *
 * @param from the state
 * @param to the next
 * @return true if it has
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
                            "All data of an RDMA write has arrived, which without immediate data "
                            "no program hears of: queue pair, request.",
                            MakeTraceSourceAccessor(&Verbs::m_writeTrace),
                            "ns3::infiniband::Verbs::RdmaWriteTracedCallback");
    return tid;
}

Verbs::Verbs() = default;

Verbs::~Verbs() = default;

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
    if (nHosts == 0)
    {
        return "A subnet has at least one host.";
    }
    m_clock = clock;
    m_engine = engine;
    m_hosts = nHosts;
    m_user = clock->Register(this);
    return engine->Start(this, clock, nHosts);
}

CqNumber
Verbs::CreateCq(HostId host, CqUser* user, uint64_t cookie)
{
    CompletionQueue cq;
    cq.ring.resize(FIRST_RING);
    cq.user = user;
    cq.cookie = cookie;
    cq.host = host;
    m_cqs.push_back(std::move(cq));
    return static_cast<CqNumber>(m_cqs.size() - 1);
}

bool
Verbs::DestroyCq(CqNumber cq)
{
    if (cq >= m_cqs.size() || m_cqs[cq].destroyed || m_cqs[cq].users > 0)
    {
        return false;
    }
    auto& queue = m_cqs[cq];
    queue.destroyed = true;
    queue.user = nullptr;
    queue.ring = {};
    queue.first = queue.end;
    return true;
}

uint32_t
Verbs::PollCq(CqNumber cq, uint32_t max, WorkCompletion* wc)
{
    auto& queue = m_cqs[cq];
    const uint32_t n = std::min(max, queue.end - queue.first);
    for (uint32_t i = 0; i < n; ++i)
    {
        wc[i] = queue.ring[queue.first++ & (queue.ring.size() - 1)];
    }
    if (queue.first == queue.end)
    {
        // From the front again, which is still in the processor's caches.
        queue.first = queue.end = 0;
    }
    return n;
}

void
Verbs::ReqNotifyCq(CqNumber cq, bool solicitedOnly)
{
    auto& queue = m_cqs[cq];
    queue.armed = true;
    queue.solicitedOnly = solicitedOnly;
    if (queue.first != queue.end)
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
Verbs::Complete(CqNumber cq, const WorkCompletion& wc, bool solicited)
{
    auto& queue = m_cqs[cq];
    const auto size = static_cast<uint32_t>(queue.ring.size());
    if (queue.end - queue.first == size)
    {
        std::vector<WorkCompletion> larger(std::size_t{2} * size);
        for (uint32_t n = queue.first; n != queue.end; ++n)
        {
            larger[n & (2 * size - 1)] = queue.ring[n & (size - 1)];
        }
        queue.ring.swap(larger);
    }
    queue.ring[queue.end++ & (queue.ring.size() - 1)] = wc;
    if (!queue.armed || !queue.user ||
        (queue.solicitedOnly && !solicited && wc.status == WcStatus::SUCCESS))
    {
        return;
    }
    if (m_depth > 0)
    {
        // Whoever has called shall not be called before it returns.
        m_clock->At(m_clock->Now(), m_user, 0, cq);
        return;
    }
    queue.armed = false;
    queue.user->OnCompletion(cq, queue.cookie);
}

SrqNumber
Verbs::CreateSrq(HostId host, uint32_t maxWr)
{
    m_srqs.push_back({{}, host, maxWr});
    return static_cast<SrqNumber>(m_srqs.size() - 1);
}

bool
Verbs::DestroySrq(SrqNumber srq)
{
    if (srq >= m_srqs.size() || m_srqs[srq].destroyed || m_srqs[srq].users > 0)
    {
        return false;
    }
    auto& queue = m_srqs[srq];
    m_receives.Clear(queue.receives);
    queue.destroyed = true;
    queue.maxReceives = 0;
    queue.nReceives = 0;
    return true;
}

Qpn
Verbs::CreateQp(HostId host, const QpInitAttr& attr)
{
    const auto isOurs = [this, host](CqNumber cq) {
        return cq < m_cqs.size() && !m_cqs[cq].destroyed && m_cqs[cq].host == host;
    };
    if (host >= m_hosts || !isOurs(attr.sendCq) || !isOurs(attr.recvCq))
    {
        return NO_QP;
    }
    if (attr.srq != NO_SRQ && (attr.transport != Transport::RC || attr.srq >= m_srqs.size() ||
                               m_srqs[attr.srq].destroyed || m_srqs[attr.srq].host != host))
    {
        return NO_QP;
    }
    QueuePair pair;
    pair.host = host;
    pair.sendCq = attr.sendCq;
    pair.recvCq = attr.recvCq;
    pair.srq = attr.srq;
    pair.maxSends = attr.maxSendWr;
    pair.maxReceives = attr.maxRecvWr;
    pair.transport = attr.transport;
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
    if (qp >= m_qps.size() || m_qps[qp].destroyed ||
        std::binary_search(m_multicast.begin(), m_multicast.end(), qp))
    {
        return false;
    }
    ModifyQp(qp, {QpState::RESET});
    auto& pair = m_qps[qp];
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
Verbs::SetState(Qpn qp, QpState state)
{
    auto& pair = m_qps[qp];
    const QpState before = pair.state;
    NS_LOG_FUNCTION(this << qp << before << state);
    pair.state = state;
    m_stateTrace(qp, before, state);
    m_engine->OnState(qp, state);
}

bool
Verbs::ModifyQp(Qpn qp, const QpAttr& attr)
{
    const CallScope scope(m_depth);
    auto& pair = m_qps[qp];
    const QpState before = pair.state;
    if (pair.destroyed || !IsTransition(before, attr.state))
    {
        return false;
    }
    if (attr.state == QpState::RTR && pair.transport != Transport::UD)
    {
        if (attr.remote >= m_qps.size() || m_qps[attr.remote].destroyed ||
            m_qps[attr.remote].transport != pair.transport)
        {
            return false;
        }
        pair.remote = attr.remote;
        pair.path = attr.path;
        pair.rqPsn = attr.rqPsn;
    }
    else if (attr.state == QpState::INIT)
    {
        pair.access = attr.access;
    }
    else if (before == QpState::RTR && attr.state == QpState::RTS)
    {
        pair.sqPsn = attr.sqPsn;
    }
    SetState(qp, attr.state);
    switch (attr.state)
    {
    case QpState::RESET:
        m_sends.Clear(pair.sends);
        m_receives.Clear(pair.receives);
        m_held.erase(qp);
        pair.nSends = 0;
        pair.nReceives = 0;
        pair.remote = NO_QP;
        pair.path = 0;
        pair.doomed = false;
        break;
    case QpState::RTS:
        if (before == QpState::SQD)
        {
            const auto [begin, end] = m_held.equal_range(qp);
            for (auto held = begin; held != end; ++held)
            {
                m_engine->Post(qp, held->second);
            }
            m_held.erase(begin, end);
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
    if (m_qps[qp].transport != Transport::UD || m_qps[qp].destroyed)
    {
        return false;
    }
    const auto place = std::lower_bound(m_multicast.begin(), m_multicast.end(), qp);
    if (place == m_multicast.end() || *place != qp)
    {
        m_multicast.insert(place, qp);
        ++m_multicastChanges;
    }
    return true;
}

bool
Verbs::DetachMcast(Qpn qp)
{
    const auto place = std::lower_bound(m_multicast.begin(), m_multicast.end(), qp);
    if (place == m_multicast.end() || *place != qp)
    {
        return false;
    }
    m_multicast.erase(place);
    ++m_multicastChanges;
    return true;
}

QpState
Verbs::GetState(Qpn qp) const
{
    return m_qps[qp].state;
}

Transport
Verbs::GetTransport(Qpn qp) const
{
    return m_qps[qp].transport;
}

HostId
Verbs::GetHost(Qpn qp) const
{
    return m_qps[qp].host;
}

Qpn
Verbs::GetRemote(Qpn qp) const
{
    return m_qps[qp].remote;
}

uint8_t
Verbs::GetPath(Qpn qp) const
{
    return m_qps[qp].path;
}

uint32_t
Verbs::GetRqPsn(Qpn qp) const
{
    return m_qps[qp].rqPsn;
}

uint32_t
Verbs::GetSqPsn(Qpn qp) const
{
    return m_qps[qp].sqPsn;
}

uint32_t
Verbs::GetNPostedReceives(Qpn qp) const
{
    const auto& pair = m_qps[qp];
    return pair.srq == NO_SRQ ? pair.nReceives : m_srqs[pair.srq].nReceives;
}

uint32_t
Verbs::GetNPostedSends(Qpn qp) const
{
    return m_qps[qp].nSends;
}

const std::vector<Qpn>&
Verbs::GetMulticastGroup() const
{
    return m_multicast;
}

uint64_t
Verbs::GetMemory() const
{
    return m_qps.capacity() * sizeof(QueuePair) + m_receives.GetMemory() + m_sends.GetMemory();
}

uint32_t
Verbs::GetNQps() const
{
    return static_cast<uint32_t>(m_qps.size());
}

Ptr<messaging::TickClock>
Verbs::GetClock() const
{
    return m_clock;
}

Ptr<Engine>
Verbs::GetEngine() const
{
    return m_engine;
}

uint64_t
Verbs::GetNReceiverNotReady() const
{
    return m_receiverNotReady;
}

} // namespace infiniband
} // namespace ns3
