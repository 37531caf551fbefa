/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "infiniband-verbs-port.h"

#include "ns3/abort.h"
#include "ns3/infiniband-packet.h"

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace infiniband
{

namespace
{

/** Maximum packets of a message of RC or UC: enough for any frame of the protocols. */
constexpr uint32_t MESSAGE_PACKETS = 32;

/** Minimum length of a message: an empty frame is still a packet with data [bytes]. */
constexpr uint32_t LEAST_BYTES = 1;

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
    m_sent = nullptr;
    m_refused = nullptr;
    if (m_verbs)
    {
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
      m_adapters(verbs->GetNHosts())
{
    const HostId hosts = verbs->GetNHosts();
    for (HostId host = 0; host < hosts; ++host)
    {
        m_adapters[host].cq = verbs->CreateCq(host, this, host);
        m_adapters[host].key = verbs->RegMr(host, m_info.mtu, 0);
        verbs->ReqNotifyCq(m_adapters[host].cq);
    }
    if (transport != Transport::UD)
    {
        m_qps.assign(std::size_t{hosts} * hosts, NO_QP);
        return;
    }
    for (HostId host = 0; host < hosts; ++host)
    {
        const Qpn qp = Create(host);
        for (const QpState state : {QpState::INIT, QpState::RTR, QpState::RTS})
        {
            verbs->ModifyQp(qp, {state, NO_QP, 0});
        }
        verbs->PostRecv(qp, {0, m_info.mtu + GRH_BYTES}, RECEIVES);
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
    attr.maxRecvWr = RECEIVES;
    return m_verbs->CreateQp(host, attr);
}

Qpn
VerbsPort::GetQp(messaging::Peer self, messaging::Peer to)
{
    if (m_transport == Transport::UD)
    {
        return m_qps[self];
    }
    const std::size_t hosts = m_adapters.size();
    Qpn& qp = m_qps[self * hosts + to];
    if (qp == NO_QP)
    {
        Qpn& other = m_qps[to * hosts + self];
        qp = Create(self);
        other = Create(to);
        m_verbs->ConnectQps(qp, other);
        m_verbs->PostRecv(qp, {0, m_info.mtu}, RECEIVES);
        m_verbs->PostRecv(other, {0, m_info.mtu}, RECEIVES);
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

bool
VerbsPort::Send(messaging::Peer self, messaging::Peer to, const Frame& frame)
{
    if (!HasRoom(self))
    {
        return false;
    }
    Adapter& adapter = m_adapters[self];
    const uint32_t bytes = GetLength(frame);
    NS_ABORT_MSG_IF(bytes > m_info.mtu,
                    "A frame of " << bytes << " bytes is longer than " << m_info.mtu << ".");
    if (self == to)
    {
        m_clock->At(m_clock->Now() + 1, m_number, self, m_own.Put(frame));
        return true;
    }
    NS_ABORT_MSG_IF(to == messaging::NO_PEER && !m_info.broadcast,
                    "Only the transport UD has multicast.");
    SendWr wr;
    wr.data = frame;
    wr.bytes = bytes;
    wr.localKey = adapter.key;
    wr.flags = SIGNALED;
    if (bytes <= m_verbs->GetEngine()->GetHcaConfig().inlineLimit)
    {
        wr.flags |= INLINE;
    }
    if (m_transport == Transport::UD && to != messaging::NO_PEER)
    {
        wr.to = {to, m_qps[to], 0};
    }
    const Qpn qp = GetQp(self, to);
    // A failed queue pair flushes the send; the frame is lost, as on a broken link.
    if (m_verbs->GetState(qp) != QpState::RTS && m_refused)
    {
        m_refused();
    }
    adapter.sending += m_verbs->PostSend(qp, wr);
    return true;
}

void
VerbsPort::OnTick(messaging::Peer peer, uint64_t datum)
{
    const Frame frame = m_own.Take(datum);
    if (m_user)
    {
        m_user->OnFrame(peer, peer, frame);
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
            --adapter.sending;
            if (m_sent)
            {
                m_sent(self);
            }
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
        m_verbs->PostRecv(wc.qp, {0, m_info.mtu + (datagram ? GRH_BYTES : 0)});
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
