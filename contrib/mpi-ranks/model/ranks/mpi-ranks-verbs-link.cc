/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mpi-ranks-verbs-link.h"

#include "ns3/callback.h"
#include "ns3/log.h"

#include <algorithm>
#include <sstream>

namespace ns3
{
namespace ranks
{

NS_LOG_COMPONENT_DEFINE("MpiRanksVerbsLink");

using infiniband::NO_QP;
using infiniband::Qpn;
using infiniband::SendWr;
using infiniband::Transport;
using infiniband::WcStatus;
using infiniband::WorkCompletion;
using infiniband::WrOpcode;

namespace
{

/** Receives that a rank posts on its datagram queue pair [MVAPICH]. */
constexpr uint32_t DATAGRAM_RECEIVES = 8192;

/** Length of the send queue of a datagram queue pair [MVAPICH]. */
constexpr uint32_t DATAGRAM_SENDS = 2000;

/** Length of the send queue of a connection; above all credit limits. */
constexpr uint32_t CONNECTION_SENDS = 1024;

/** Maximum length of a message, and registered memory of a rank [bytes]. */
constexpr uint64_t MEMORY = uint64_t{1} << 31;

/** @return the length of a receive [bytes]. @param transport the transport @param config the
 * protocol's parameters */
uint32_t
GetReceiveBytes(Transport transport, const RankConfig& config)
{
    if (transport == Transport::UD)
    {
        return config.traits.mtu + infiniband::GRH_BYTES;
    }
    return std::max(config.eagerLimit + EAGER_HEADER, uint32_t{RTS_HEADER});
}

} // namespace

VerbsRankLink::VerbsRankLink(Ptr<infiniband::Verbs> verbs,
                             Transport transport,
                             const RankConfig& config,
                             uint32_t ranks,
                             uint32_t ranksPerNode,
                             uint32_t paths)
    : m_verbs(verbs),
      m_ports(ranks),
      m_transport(transport),
      m_receives(config.GetReceives()),
      m_ranksPerNode(ranksPerNode),
      m_paths(paths)
{
    if (transport == Transport::RC)
    {
        m_paths = 1;
    }
    m_receive.bytes = GetReceiveBytes(transport, config);
    m_verbs->TraceConnectWithoutContext("RdmaWrite", MakeCallback(&VerbsRankLink::OnWrite, this));
    for (Peer self = 0; self < ranks; ++self)
    {
        Port& port = m_ports[self];
        const infiniband::HostId host = self / ranksPerNode;
        port.cq = m_verbs->CreateCq(host, this, self);
        port.key = m_verbs->RegMr(host, MEMORY, infiniband::REMOTE_WRITE);
        port.to.assign(ranks, NO_QP);
        if (m_paths > 1)
        {
            port.turns.assign(ranks, 0);
        }
        if (transport == Transport::UD)
        {
            port.datagram = CreateQp(self, DATAGRAM_RECEIVES, self);
        }
    }
}

void
VerbsRankLink::DoDispose()
{
    m_verbs->Dispose();
    m_verbs = nullptr;
    RankLink::DoDispose();
}

Qpn
VerbsRankLink::CreateQp(Peer self, uint32_t receives, Peer peer)
{
    infiniband::QpInitAttr attr;
    attr.sendCq = m_ports[self].cq;
    attr.recvCq = m_ports[self].cq;
    attr.maxSendWr = CONNECTION_SENDS;
    if (m_transport == Transport::UD)
    {
        attr.maxSendWr = DATAGRAM_SENDS;
    }
    attr.maxRecvWr = receives;
    attr.transport = m_transport;
    attr.context = peer;
    const Qpn qp = m_verbs->CreateQp(self / m_ranksPerNode, attr);
    m_verbs->ModifyQp(qp, {.state = infiniband::QpState::INIT});
    m_verbs->PostRecv(qp, m_receive, receives);
    if (m_transport == Transport::UD)
    {
        m_verbs->ModifyQp(qp, {.state = infiniband::QpState::RTR});
        m_verbs->ModifyQp(qp, {.state = infiniband::QpState::RTS});
    }
    return qp;
}

Qpn
VerbsRankLink::Connect(Peer self, Peer to)
{
    NS_LOG_INFO("Rank " << self << " connects to rank " << to << " over " << m_transport << ", by "
                        << m_paths << " paths");
    ++m_connections;
    if (m_transport == Transport::UD)
    {
        m_ports[self].to[to] = m_ports[self].datagram;
        m_ports[to].to[self] = m_ports[to].datagram;
        return m_ports[self].datagram;
    }
    // Connections to a host begin with different paths; each queue pair stays on its path.
    for (uint32_t turn = 0; turn < m_paths; ++turn)
    {
        const Qpn own = CreateQp(self, m_receives, to);
        const Qpn other = CreateQp(to, m_receives, self);
        const uint64_t path = m_connections + (turn + m_paths - 1) % m_paths;
        m_verbs->ConnectQps(own, other, static_cast<uint8_t>(path));
        if (turn == 0)
        {
            m_ports[self].to[to] = own;
            m_ports[to].to[self] = other;
        }
    }
    return m_ports[self].to[to];
}

bool
VerbsRankLink::Send(Peer self, Peer to, const Frame& frame)
{
    Port& port = m_ports[self];
    Qpn qp = port.to[to];
    if (qp == NO_QP)
    {
        qp = Connect(self, to);
    }
    const uint8_t turn = m_paths > 1 ? port.turns[to] : 0;
    SendWr wr;
    wr.data = frame;
    wr.bytes = frame.header + frame.payload;
    if (static_cast<FrameKind>(frame.kind) == FrameKind::RDMA_DATA)
    {
        wr.bytes = frame.payload;
        wr.opcode = WrOpcode::RDMA_WRITE;
        if (frame.flags & IMMEDIATE)
        {
            wr.opcode = WrOpcode::RDMA_WRITE_WITH_IMM;
        }
        wr.immediate = static_cast<uint32_t>(frame.id);
        wr.remoteKey = m_ports[to].key;
        wr.wrId = to; // For OnWrite: a successful write has no completion at the sender.
    }
    else if (wr.bytes <= PeekPointer(m_verbs)->GetEngine()->GetHcaConfig().inlineLimit)
    {
        wr.flags |= infiniband::INLINE;
    }
    wr.localKey = port.key;
    if (m_transport == Transport::UD)
    {
        wr.to.host = to / m_ranksPerNode;
        wr.to.qp = m_ports[to].datagram;
        wr.to.path = static_cast<uint8_t>(self + to + turn);
    }
    else
    {
        // Both ends have created the queue pairs of their connection by turns.
        qp += 2 * turn;
    }
    const bool signaled = frame.flags & SIGNALED;
    if (signaled)
    {
        wr.wrId = m_signaled.Put(frame);
        wr.flags |= infiniband::SIGNALED;
    }
    if (!PeekPointer(m_verbs)->PostSend(qp, wr))
    {
        NS_LOG_LOGIC("The send queue of queue pair " << qp << " of rank " << self << " is full");
        if (signaled)
        {
            m_signaled.Free(wr.wrId);
        }
        return false;
    }
    if (m_paths > 1)
    {
        port.turns[to] = static_cast<uint8_t>((turn + 1) % m_paths);
    }
    return true;
}

uint32_t
VerbsRankLink::Poll(Peer self, RankArrival* arrivals, uint32_t max)
{
    auto& completions = m_polled;
    uint32_t kept = 0;
    while (kept == 0)
    {
        const uint32_t n = PeekPointer(m_verbs)->PollCq(m_ports[self].cq,
                                                        std::min<uint32_t>(max, completions.size()),
                                                        completions.data());
        if (n == 0)
        {
            break;
        }
        ExpectTakes(n);
        for (uint32_t i = 0; i < n; ++i)
        {
            kept += Take(self, completions[i], arrivals[kept]);
        }
    }
    return kept;
}

void
VerbsRankLink::ExpectTakes(uint32_t n) const
{
    if (n < 2)
    {
        return;
    }
    for (uint32_t i = 0; i < n; ++i)
    {
        PeekPointer(m_verbs)->ExpectEnd(m_polled[i].qp);
    }
    for (uint32_t i = 0; i < n; ++i)
    {
        PeekPointer(m_verbs)->ExpectPostRecv(m_polled[i].qp);
    }
}

bool
VerbsRankLink::Take(Peer self, const WorkCompletion& wc, RankArrival& arrival)
{
    if (wc.status != WcStatus::SUCCESS)
    {
        if (m_failure.empty())
        {
            std::ostringstream text;
            text << "A work request of rank " << self << " to rank "
                 << PeekPointer(m_verbs)->GetContext(wc.qp) << " has ended with " << wc.status
                 << ".";
            m_failure = text.str();
            NS_LOG_WARN(m_failure);
        }
        return false;
    }
    if (!wc.received)
    {
        arrival = {.frame = m_signaled.Take(wc.wrId),
                   .peer = PeekPointer(m_verbs)->GetContext(wc.qp),
                   .sent = true};
        return true;
    }
    PeekPointer(m_verbs)->PostRecv(wc.qp, m_receive);
    Qpn sender = wc.qp;
    if (m_transport == Transport::UD)
    {
        sender = wc.source;
    }
    arrival = {.frame = wc.data, .peer = PeekPointer(m_verbs)->GetContext(sender)};
    return true;
}

void
VerbsRankLink::OnWrite(Qpn qp, const SendWr& wr)
{
    if (m_user && wr.opcode == WrOpcode::RDMA_WRITE)
    {
        m_user->OnWrite(static_cast<Peer>(wr.wrId), PeekPointer(m_verbs)->GetContext(qp), wr.data);
    }
}

void
VerbsRankLink::Notify(Peer self)
{
    PeekPointer(m_verbs)->ReqNotifyCq(m_ports[self].cq);
}

void
VerbsRankLink::Expect(Peer self, Peer to, bool soon)
{
    const Qpn* qp = m_ports[self].to.data() + to;
    if (soon)
    {
        PeekPointer(m_verbs)->ExpectPost(*qp);
    }
    else
    {
        __builtin_prefetch(qp);
    }
}

void
VerbsRankLink::OnCompletion(infiniband::CqNumber /* cq */, uint64_t cookie)
{
    if (m_user)
    {
        m_user->OnArrival(static_cast<Peer>(cookie));
    }
}

void
VerbsRankLink::OnExpected(uint64_t cookie, Qpn qp, infiniband::Nearness nearness, Qpn source)
{
    if (!m_user)
    {
        return;
    }
    const auto self = static_cast<Peer>(cookie);
    auto stage = static_cast<uint32_t>(nearness);
    if (nearness == infiniband::Nearness::LINK)
    {
        m_user->OnExpected(self);
    }
    if (m_transport == Transport::UD)
    {
        if (source == NO_QP)
        {
            return;
        }
        qp = source;
        --stage;
    }
    m_user->OnFrameExpected(self, PeekPointer(m_verbs)->GetContext(qp), stage);
}

} // namespace ranks
} // namespace ns3
