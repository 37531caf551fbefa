/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "infiniband-verbs-port.h"

#include "ns3/abort.h"
#include "ns3/callback.h"
#include "ns3/infiniband-packet.h"
#include "ns3/log.h"

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace infiniband
{

NS_LOG_COMPONENT_DEFINE("InfinibandVerbsPort");

namespace
{

/** Maximum packets of a message of RC or UC: enough for any frame of the protocols. */
constexpr uint32_t MESSAGE_PACKETS = 32;

/** Minimum length of a message: an empty frame is still a packet with data [bytes]. */
constexpr uint32_t LEAST_BYTES = 1;

/** Datum of a tick at which a peer learns that a connection has failed; its other bits are the
 * other end. Other data are slots of frames of a peer to itself. */
constexpr uint64_t DISCONNECTED = uint64_t{1} << 63;

/** @return whether a frame is an RDMA write. @param frame the frame */
bool
IsWrite(const Frame& frame)
{
    return frame.marks & messaging::MARK_WRITE;
}

/** @return the message length of a frame [bytes]. @param frame the frame */
uint32_t
GetLength(const Frame& frame)
{
    return std::max(LEAST_BYTES, frame.header + frame.payload);
}

} // namespace

void
VerbsPort::Dispose()
{
    m_user = nullptr;
    m_ended = nullptr;
    m_refused = nullptr;
    m_transportUser = nullptr;
    if (m_verbs)
    {
        m_verbs->TraceDisconnectWithoutContext("RdmaWrite",
                                               MakeCallback(&VerbsPort::OnWrite, this));
        // The verbs keep the clock until they are disposed of.
        m_clock->Unregister(m_number);
        m_verbs->Dispose();
    }
    m_verbs = nullptr;
}

messaging::PortInfo
VerbsPort::MakeInfo(Transport transport, const LinkConfig& link, LinkSpeed speed, bool intact)
{
    messaging::PortInfo info;
    info.mtu = transport == Transport::UD ? link.mtu : link.mtu * MESSAGE_PACKETS;
    info.broadcast = transport == Transport::UD;
    info.ordered = true;
    // With faults even RC may exhaust its retries. The queue pair then fails, and its frames are
    // lost.
    info.lossless = intact;
    info.rdma = transport != Transport::UD;
    info.reports = transport == Transport::RC;
    info.rate = speed.GetBytesPerNs();
    return info;
}

VerbsPort::VerbsPort(Ptr<messaging::TickClock> clock,
                     Ptr<Verbs> verbs,
                     Transport transport,
                     const messaging::PortInfo& info)
    : m_clock(PeekPointer(clock)),
      m_number(clock->Register(this)),
      m_verbs(verbs),
      m_transport(transport),
      m_info(info),
      m_lanes(verbs->GetEngine()->GetLinkConfig().lanes),
      m_receives{.bytes = info.mtu, .count = RECEIVES},
      m_adapters(verbs->GetNHosts())
{
    verbs->TraceConnectWithoutContext("RdmaWrite", MakeCallback(&VerbsPort::OnWrite, this));
    const HostId hosts = verbs->GetNHosts();
    for (HostId host = 0; host < hosts; ++host)
    {
        m_adapters[host].cq = verbs->CreateCq(host, this, host);
        m_adapters[host].key = verbs->RegMr(host, MEMORY, m_info.rdma ? REMOTE_WRITE : 0);
        verbs->ReqNotifyCq(m_adapters[host].cq);
    }
    if (transport != Transport::UD)
    {
        m_qps.assign(std::size_t{hosts} * hosts * m_lanes, NO_QP);
        return;
    }
    for (HostId host = 0; host < hosts; ++host)
    {
        const Qpn qp = Create(host);
        for (const QpState state : {QpState::INIT, QpState::RTR, QpState::RTS})
        {
            verbs->ModifyQp(qp, {state, NO_QP, 0});
        }
        verbs->PostRecv(qp, {0, m_receives.bytes + GRH_BYTES}, m_receives.count);
        verbs->AttachMcast(qp);
        m_qps.push_back(qp);
    }
}

Qpn
VerbsPort::Create(HostId host)
{
    QpInitAttr attr;
    attr.transport = m_transport;
    attr.sendCq = attr.recvCq = m_adapters[host].cq;
    attr.maxSendWr = SEND_QUEUE;
    attr.maxRecvWr = m_receives.count;
    return m_verbs->CreateQp(host, attr);
}

Qpn
VerbsPort::GetQp(messaging::Peer self, messaging::Peer to, uint8_t serviceLevel)
{
    if (m_transport == Transport::UD)
    {
        return m_qps[self];
    }
    const std::size_t hosts = m_adapters.size();
    const uint8_t lane = serviceLevel % m_lanes;
    Qpn& qp = m_qps[(self * hosts + to) * m_lanes + lane];
    if (qp == NO_QP)
    {
        Qpn& other = m_qps[(to * hosts + self) * m_lanes + lane];
        qp = Create(self);
        other = Create(to);
        NS_LOG_INFO("Peers " << self << " and " << to << " connect queue pairs " << qp << " and "
                             << other << " of " << m_transport);
        m_verbs->ConnectQps(qp, other, 0, lane);
        m_verbs->PostRecv(qp, {0, m_receives.bytes}, m_receives.count);
        m_verbs->PostRecv(other, {0, m_receives.bytes}, m_receives.count);
    }
    return qp;
}

Ticks
VerbsPort::Distance(messaging::Peer self, messaging::Peer to) const
{
    return self == to ? 1 : m_verbs->GetEngine()->GetIdleLatency(self, to, LEAST_BYTES);
}

Ticks
VerbsPort::WireTicks(const Frame& frame) const
{
    const LinkConfig& link = m_verbs->GetEngine()->GetLinkConfig();
    const uint32_t bytes = GetLength(frame);
    const uint32_t packets = (bytes + link.mtu - 1) / link.mtu;
    const uint32_t headers = MIN_PACKET_BYTES + (m_transport == Transport::UD ? DETH_BYTES : 0);
    const Ticks sent = Ticks{bytes} + Ticks{packets} * headers;
    return static_cast<Ticks>(std::ceil(static_cast<double>(sent) / m_info.rate));
}

SendWr
VerbsPort::MakeRequest(messaging::Peer self, const Frame& frame) const
{
    SendWr wr;
    wr.data = frame;
    wr.bytes = GetLength(frame);
    wr.localKey = m_adapters[self].key;
    wr.flags = SIGNALED;
    if (IsWrite(frame))
    {
        const bool notifies = frame.marks & messaging::MARK_NOTIFY;
        wr.opcode = notifies ? WrOpcode::RDMA_WRITE_WITH_IMM : WrOpcode::RDMA_WRITE;
    }
    if (wr.bytes <= m_verbs->GetEngine()->GetHcaConfig().inlineLimit)
    {
        wr.flags |= INLINE;
    }
    return wr;
}

bool
VerbsPort::Send(messaging::Peer self, messaging::Peer to, const Frame& frame)
{
    if (!HasRoom(self))
    {
        NS_LOG_LOGIC("Peer " << self << " has " << SEND_QUEUE << " sends outstanding");
        return false;
    }
    const bool writes = IsWrite(frame);
    const uint64_t limit = writes ? MEMORY : m_receives.bytes;
    NS_ABORT_MSG_IF(uint64_t{frame.header} + frame.payload > limit,
                    "A frame of " << GetLength(frame) << " bytes is longer than " << limit << ".");
    NS_ABORT_MSG_IF(writes && !m_info.rdma, "The transport UD has no RDMA.");
    if (self == to)
    {
        m_clock->At(m_clock->Now() + 1, m_number, self, m_own.Put(frame));
        return true;
    }
    NS_ABORT_MSG_IF(to == messaging::NO_PEER && !m_info.broadcast,
                    "Only the transport UD has multicast.");
    SendWr wr = MakeRequest(self, frame);
    if (writes)
    {
        wr.remoteKey = m_adapters[to].key;
    }
    if (m_transportUser)
    {
        wr.wrId = m_sent.Put({frame, to});
    }
    const auto serviceLevel = static_cast<uint8_t>(frame.trafficClass % N_SERVICE_LEVELS);
    wr.to.serviceLevel = serviceLevel;
    if (m_transport == Transport::UD && to != messaging::NO_PEER)
    {
        wr.to = {to, m_qps[to], 0, serviceLevel};
    }
    const Qpn qp = GetQp(self, to, serviceLevel);
    NS_LOG_LOGIC("Peer " << self << " sends a frame of " << wr.bytes << " bytes by queue pair "
                         << qp);
    // A failed queue pair flushes the send; the frame is lost, as on a broken link.
    if (m_verbs->GetState(qp) != QpState::RTS && m_refused)
    {
        NS_LOG_INFO("Queue pair " << qp << " of peer " << self << " has failed: a frame is lost");
        m_refused();
    }
    m_adapters[self].sending += m_verbs->PostSend(qp, wr);
    return true;
}

void
VerbsPort::OnTick(messaging::Peer peer, uint64_t datum)
{
    if (datum & DISCONNECTED)
    {
        if (m_transportUser)
        {
            m_transportUser->OnDisconnected(peer, static_cast<messaging::Peer>(datum));
        }
        return;
    }
    const Frame frame = m_own.Take(datum);
    if (m_user)
    {
        m_user->OnFrame(peer, peer, frame);
    }
    if (m_transportUser)
    {
        m_transportUser->OnSent(peer, peer, frame);
    }
}

void
VerbsPort::OnWrite(Qpn qp, const SendWr& wr)
{
    if (m_user && wr.opcode == WrOpcode::RDMA_WRITE)
    {
        m_user->OnFrame(m_verbs->GetHost(qp), m_verbs->GetHost(m_verbs->GetRemote(qp)), wr.data);
    }
}

void
VerbsPort::EndSend(messaging::Peer self, const WorkCompletion& wc)
{
    --m_adapters[self].sending;
    if (m_ended)
    {
        m_ended(self);
    }
    if (!m_transportUser)
    {
        return;
    }
    const Sent sent = m_sent.Take(wc.wrId);
    if (wc.status == WcStatus::SUCCESS)
    {
        m_transportUser->OnSent(self, sent.to, sent.frame);
    }
    else if (wc.status == WcStatus::RETRY_EXC_ERR || wc.status == WcStatus::RNR_RETRY_EXC_ERR)
    {
        NS_LOG_INFO("The connection of peers " << self << " and " << sent.to
                                               << " is lost: " << wc.status);
        m_clock->At(m_clock->Now() + Distance(self, sent.to),
                    m_number,
                    sent.to,
                    DISCONNECTED | self);
        m_transportUser->OnDisconnected(self, sent.to);
    }
}

void
VerbsPort::OnCompletion(CqNumber cq, uint64_t host)
{
    Adapter& adapter = m_adapters[host];
    const auto self = static_cast<messaging::Peer>(host);
    for (WorkCompletion wc; m_verbs && m_verbs->PollCq(cq, 1, &wc) == 1;)
    {
        if (!wc.received)
        {
            EndSend(self, wc);
            if (adapter.waits && m_user)
            {
                adapter.waits = false;
                m_user->OnReady(self);
            }
            continue;
        }
        if (wc.status != WcStatus::SUCCESS)
        {
            continue;
        }
        const bool datagram = m_transport == Transport::UD;
        m_verbs->PostRecv(wc.qp, {0, m_receives.bytes + (datagram ? GRH_BYTES : 0)});
        const HostId from = m_verbs->GetHost(datagram ? wc.source : m_verbs->GetRemote(wc.qp));
        if (m_user)
        {
            m_user->OnFrame(self, from, wc.data);
        }
    }
    if (m_verbs)
    {
        m_verbs->ReqNotifyCq(cq);
    }
}

} // namespace infiniband
} // namespace ns3
