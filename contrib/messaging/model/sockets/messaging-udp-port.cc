/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-udp-port.h"

#include "ns3/abort.h"
#include "ns3/inet-socket-address.h"
#include "ns3/log.h"
#include "ns3/messaging-contents-tag.h"
#include "ns3/messaging-frame-header.h"
#include "ns3/simulator.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/uinteger.h"

#include <utility>

namespace ns3
{
namespace messaging
{

NS_LOG_COMPONENT_DEFINE("MessagingUdpPort");

void
UdpPort::DoDispose()
{
    for (auto& station : m_stations)
    {
        station.socket->SetRecvCallback(MakeNullCallback<void, Ptr<Socket>>());
        station.socket->Close();
        if (station.backlog)
        {
            station.backlog->SetDrained(nullptr);
        }
    }
    m_stations.clear();
    PacketPort::DoDispose();
}

void
UdpPort::Connect(Ptr<TickClock> clock,
                 const NodeContainer& nodes,
                 const std::vector<Address>& addresses,
                 const Address& broadcast,
                 uint32_t datagram)
{
    NS_ABORT_MSG_IF(nodes.GetN() != addresses.size(), "A port needs one address for each node.");
    m_addresses = addresses;
    m_all = broadcast;
    for (Peer peer = 0; peer < nodes.GetN(); ++peer)
    {
        m_peers[addresses[peer]] = peer;
        auto socket = Socket::CreateSocket(nodes.Get(peer), UdpSocketFactory::GetTypeId());
        // A socket bound to a specific address receives no broadcasts.
        const Address local =
            broadcast.IsInvalid()
                ? addresses[peer]
                : InetSocketAddress(InetSocketAddress::ConvertFrom(addresses[peer]).GetPort());
        NS_ABORT_MSG_IF(socket->Bind(local) != 0,
                        "Peer " << peer << " cannot bind to its address.");
        socket->SetAllowBroadcast(!m_all.IsInvalid());
        socket->SetRecvCallback(MakeCallback(&UdpPort::OnReceive, this, peer));
        if (m_receiveBuffer > 0)
        {
            socket->SetAttribute("RcvBufSize", UintegerValue(m_receiveBuffer));
        }
        Station station{.node = nodes.Get(peer), .socket = socket};
        if (m_chargesCalls)
        {
            station.host = station.node->GetObject<HostModel>();
        }
        if (m_sendBuffer < UINT32_MAX)
        {
            station.backlog = SendBacklog::Install(station.node);
            station.backlog->SetDrained([this, peer] { Retry(peer); });
        }
        m_stations.push_back(station);
    }
    Begin(clock, nodes.GetN(), datagram, !m_all.IsInvalid());
}

bool
UdpPort::IsReady(Peer self)
{
    const auto& station = m_stations[self];
    return !station.writing && (!station.backlog || station.backlog->GetMemory() < m_sendBuffer);
}

void
UdpPort::Charge(const Station& station, std::vector<Work> steps, std::function<void()> done)
{
    // The end of the work may be in the context of another node, or of none.
    station.host->Execute(KERNEL,
                          std::move(steps),
                          [port = Ptr<UdpPort>(this), node = station.node, done] {
                              Simulator::ScheduleWithContext(node->GetId(), Time(0), done);
                          });
}

void
UdpPort::Transmit(Peer self, Peer to, Ptr<Packet> packet)
{
    NS_LOG_LOGIC("Peer " << self << " sends a datagram of " << packet->GetSize() << " bytes");
    packet->AddByteTag(ContentsTag(ReadPacket(packet)->frame.contents));
    auto& station = m_stations[self];
    if (!station.host)
    {
        Write(self, to, packet);
        return;
    }
    station.writing = true;
    Charge(station, {Work{0, 1, WorkKind::SYSTEM_CALL}}, [this, self, to, packet] {
        if (self < m_stations.size())
        {
            m_stations[self].writing = false;
            Write(self, to, packet);
            Retry(self);
        }
    });
}

void
UdpPort::Write(Peer self, Peer to, Ptr<Packet> packet)
{
    const Address& address = to == NO_PEER ? m_all : m_addresses[to];
    if (m_stations[self].socket->SendTo(packet, 0, address) < 0)
    {
        NotifyRefusal(self, to, packet);
        static const std::string REFUSAL = "socket that refuses to send";
        NotifyLoss(REFUSAL, to == NO_PEER ? GetNPeers() - 1 : 1);
    }
}

void
UdpPort::OnReceive(Peer self, Ptr<Socket> socket)
{
    auto& station = m_stations[self];
    if (!station.host)
    {
        Address from;
        while (auto packet = socket->RecvFrom(from))
        {
            Arrive(self, from, packet);
        }
    }
    else if (!std::exchange(station.reading, true))
    {
        Charge(station, station.host->GetReadWork(), [this, self] { Read(self); });
    }
}

void
UdpPort::Read(Peer self)
{
    if (self >= m_stations.size())
    {
        return; // The port is disposed of.
    }
    auto& station = m_stations[self];
    station.reading = false;
    Address from;
    const auto packet = station.socket->RecvFrom(from);
    if (station.socket->GetRxAvailable() > 0)
    {
        OnReceive(self, station.socket);
    }
    if (packet)
    {
        Arrive(self, from, packet);
    }
}

} // namespace messaging
} // namespace ns3
