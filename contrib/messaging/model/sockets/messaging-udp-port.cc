/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-udp-port.h"

#include "ns3/abort.h"
#include "ns3/inet-socket-address.h"
#include "ns3/messaging-contents-tag.h"
#include "ns3/messaging-frame-header.h"
#include "ns3/udp-socket-factory.h"

namespace ns3
{
namespace messaging
{

void
UdpPort::DoDispose()
{
    for (auto& socket : m_sockets)
    {
        socket->SetRecvCallback(MakeNullCallback<void, Ptr<Socket>>());
        socket->Close();
    }
    m_sockets.clear();
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
        m_sockets.push_back(socket);
    }
    Begin(clock, nodes.GetN(), datagram, !m_all.IsInvalid());
}

void
UdpPort::Transmit(Peer self, Peer to, Ptr<Packet> packet)
{
    packet->AddByteTag(ContentsTag(ReadPacket(packet)->frame.contents));
    if (m_sockets[self]->SendTo(packet, 0, to == NO_PEER ? m_all : m_addresses[to]) < 0)
    {
        static const std::string REFUSAL = "socket that refuses to send";
        NotifyLoss(REFUSAL, to == NO_PEER ? GetNPeers() - 1 : 1);
    }
}

void
UdpPort::OnReceive(Peer self, Ptr<Socket> socket)
{
    Address from;
    while (auto packet = socket->RecvFrom(from))
    {
        Arrive(self, from, packet);
    }
}

} // namespace messaging
} // namespace ns3
