/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-linux-tcp-socket.h"

#include "ns3/ipv4-end-point.h"
#include "ns3/ipv6-end-point.h"
#include "ns3/object-factory.h"
#include "ns3/rtt-estimator.h"
#include "ns3/tcp-congestion-ops.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/tcp-recovery-ops.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace messaging
{

NS_OBJECT_ENSURE_REGISTERED(LinuxTcpSocket);

namespace
{

/** Time whose data the queue disc may hold [Linux, sk_pacing_shift]. */
const Time QUEUE_TIME = MilliSeconds(1);

/** Segments that the queue disc may always hold. */
constexpr uint32_t LEAST_SEGMENTS = 2;

/** Congestion windows that a connection sends in a round trip while it grows [Linux,
 * tcp_pacing_ss_ratio]. */
constexpr uint32_t WINDOWS_PER_ROUND_TRIP = 2;

} // namespace

TypeId
LinuxTcpSocket::GetTypeId()
{
    static TypeId tid = TypeId("ns3::messaging::LinuxTcpSocket")
                            .SetParent<TcpSocketBase>()
                            .SetGroupName("Messaging")
                            .AddConstructor<LinuxTcpSocket>();
    return tid;
}

Ptr<LinuxTcpSocket>
LinuxTcpSocket::Make(Ptr<Node> node, TypeId congestion, TypeId recovery)
{
    ObjectFactory congestions;
    congestions.SetTypeId(congestion);
    ObjectFactory recoveries;
    recoveries.SetTypeId(recovery);
    const auto tcp = node->GetObject<TcpL4Protocol>();
    auto socket = CreateObject<LinuxTcpSocket>();
    socket->m_backlog = SendBacklog::Install(node);
    socket->SetNode(node);
    socket->SetTcp(tcp);
    socket->SetRtt(CreateObject<RttMeanDeviation>());
    socket->SetCongestionControlAlgorithm(congestions.Create<TcpCongestionOps>());
    socket->SetRecoveryAlgorithm(recoveries.Create<TcpRecoveryOps>());
    tcp->AddSocket(socket);
    return socket;
}

Ptr<TcpSocketBase>
LinuxTcpSocket::Fork()
{
    return CopyObject<LinuxTcpSocket>(this);
}

void
LinuxTcpSocket::ReceivedData(Ptr<Packet> packet, const TcpHeader& header)
{
    const Ptr<LinuxTcpSocket> self(this); // The stack may let go of a connection that ends.
    m_receiving = true;
    TcpSocketBase::ReceivedData(packet, header);
    m_receiving = false;
    if (std::exchange(m_read, false))
    {
        SendDelayedAck();
    }
}

void
LinuxTcpSocket::ReTxTimeout()
{
    // Nagle's algorithm is for new data; TcpSocketBase holds back a short segment's repetition,
    // too, and no timer would be left to send it. A connection may end here, as in ReceivedData.
    const Ptr<LinuxTcpSocket> self(this);
    const bool noDelay = std::exchange(m_noDelay, true);
    TcpSocketBase::ReTxTimeout();
    m_noDelay = noDelay;
}

void
LinuxTcpSocket::AcknowledgeRead()
{
    // Before the return of ReceivedData, the stack has not yet decided on an acknowledgement.
    if (m_receiving)
    {
        m_read = true;
    }
    else
    {
        SendDelayedAck();
    }
}

void
LinuxTcpSocket::SendDelayedAck()
{
    if (!m_quickAcks || !m_delAckEvent.IsPending())
    {
        return;
    }
    m_delAckEvent.Cancel();
    m_delAckCount = 0;
    m_congestionControl->CwndEvent(m_tcb, TcpSocketState::CA_EVENT_NON_DELAYED_ACK);
    if (m_tcb->m_ecnState == TcpSocketState::ECN_CE_RCVD ||
        m_tcb->m_ecnState == TcpSocketState::ECN_SENDING_ECE)
    {
        SendEmptyPacket(TcpHeader::ACK | TcpHeader::ECE);
        m_tcb->m_ecnState = TcpSocketState::ECN_SENDING_ECE;
    }
    else
    {
        SendEmptyPacket(TcpHeader::ACK);
    }
}

uint32_t
LinuxTcpSocket::AvailableWindow() const
{
    const uint32_t window = TcpSocketBase::AvailableWindow();
    if (!m_smallQueues || (!m_endPoint && !m_endPoint6))
    {
        return window;
    }
    const uint16_t port = m_endPoint ? m_endPoint->GetLocalPort() : m_endPoint6->GetLocalPort();
    const uint32_t queued = m_backlog->GetSegmentBytes(port);
    // Without a measurement, Linux assumes the shortest round trip.
    const Time measured = m_rtt->GetNSamples() > 0 ? m_rtt->GetEstimate() : QUEUE_TIME;
    const Time roundTrip = std::max(measured, QUEUE_TIME);
    const double share = QUEUE_TIME.GetSeconds() / roundTrip.GetSeconds();
    const double sent = share * WINDOWS_PER_ROUND_TRIP * m_tcb->m_cWnd.Get();
    const uint32_t limit = std::max(LEAST_SEGMENTS * m_tcb->m_segmentSize,
                                    static_cast<uint32_t>(std::min<double>(sent, window)));
    return queued < limit ? window : 0;
}

} // namespace messaging
} // namespace ns3
