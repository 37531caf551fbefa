/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-net-device-conformance-listener.h"
#include "messaging-net-device-conformance.h"

#include "ns3/flow-monitor-helper.h"
#include "ns3/inet-socket-address.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4.h"
#include "ns3/ipv6-address-helper.h"
#include "ns3/ipv6.h"
#include "ns3/socket.h"
#include "ns3/tcp-socket-factory.h"
#include "ns3/udp-socket-factory.h"

/**
 * @file
 * @ingroup messaging
 * The checks of NetDeviceConformance that run IP over the device.
 */

namespace ns3
{
namespace messaging
{

using namespace conformance;

namespace
{

/** Port of the server. */
constexpr uint16_t PORT = 9;

/** When the first datagram is sent: IPv6 needs a second to find that its addresses are unique. */
const Time INTERNET_START = Seconds(3);

/** Bytes sent over TCP. */
constexpr uint32_t STREAM_SIZE = 300000;

/**
 * Get the address of a node's device.
 * @param network the network
 * @param index index of the node
 * @param ipv6 the IPv6 address rather than the IPv4 one
 * @return the address with the server's port
 */
Address
GetServerAddress(const NetDeviceConformance::Network& network, uint32_t index, bool ipv6)
{
    const Ptr<Node> node = network.nodes.Get(index);
    const Ptr<NetDevice> device = network.devices.Get(index);
    if (ipv6)
    {
        const auto stack = node->GetObject<Ipv6>();
        return Inet6SocketAddress(
            stack->GetAddress(stack->GetInterfaceForDevice(device), 1).GetAddress(),
            PORT);
    }
    const auto stack = node->GetObject<Ipv4>();
    return InetSocketAddress(stack->GetAddress(stack->GetInterfaceForDevice(device), 0).GetLocal(),
                             PORT);
}

/**
 * Get the address on which a server listens.
 * @param ipv6 over IPv6 rather than IPv4
 * @return any address, with the server's port
 */
Address
GetAnyAddress(bool ipv6)
{
    return ipv6 ? Address(Inet6SocketAddress(Ipv6Address::GetAny(), PORT))
                : Address(InetSocketAddress(Ipv4Address::GetAny(), PORT));
}

/**
 * Get the bytes of a packet.
 * @param packet the packet
 * @return its bytes
 */
std::vector<uint8_t>
GetBytes(Ptr<const Packet> packet)
{
    std::vector<uint8_t> bytes(packet->GetSize());
    packet->CopyData(bytes.data(), bytes.size());
    return bytes;
}

/** Sends datagrams of several sizes to a server that echoes them, each after the echo of the one
 * before. */
class UdpEcho
{
  public:
    /**
     * Construct, to start at INTERNET_START.
     * @param network the network
     * @param ipv6 over IPv6 rather than IPv4
     * @param sizes sizes of the datagrams [bytes]
     */
    UdpEcho(const NetDeviceConformance::Network& network, bool ipv6, std::vector<uint32_t> sizes)
        : m_sizes(std::move(sizes))
    {
        const uint32_t last = network.nodes.GetN() - 1;
        m_server = Socket::CreateSocket(network.nodes.Get(last), UdpSocketFactory::GetTypeId());
        m_server->Bind(GetAnyAddress(ipv6));
        m_server->SetRecvCallback([](Ptr<Socket> socket) {
            Address from;
            while (Ptr<Packet> packet = socket->RecvFrom(from))
            {
                const auto bytes = GetBytes(packet);
                socket->SendTo(Create<Packet>(bytes.data(), bytes.size()), 0, from);
            }
        });
        m_client = Socket::CreateSocket(network.nodes.Get(0), UdpSocketFactory::GetTypeId());
        ipv6 ? m_client->Bind6() : m_client->Bind();
        m_client->SetRecvCallback([this](Ptr<Socket> socket) {
            while (Ptr<Packet> packet = socket->Recv())
            {
                m_intact = m_intact && GetBytes(packet) == Contents(m_sizes.at(m_echoed), m_echoed);
                ++m_echoed;
                SendNext();
            }
        });
        const Address to = GetServerAddress(network, last, ipv6);
        Simulator::ScheduleWithContext(network.nodes.Get(0)->GetId(), INTERNET_START, [this, to] {
            m_client->Connect(to);
            SendNext();
        });
    }

    UdpEcho(const UdpEcho&) = delete;
    UdpEcho& operator=(const UdpEcho&) = delete;

    /** @return what went wrong, empty if all datagrams have come back intact. */
    std::string GetFinding() const
    {
        if (m_echoed != m_sizes.size())
        {
            return Say("The echo of datagram ",
                       m_echoed,
                       ", of ",
                       m_sizes[m_echoed],
                       " bytes, did not come back.");
        }
        return m_intact ? "" : "A datagram came back with other bytes than it was sent with.";
    }

  private:
    /** Send the next datagram, if there is one. */
    void SendNext()
    {
        if (m_echoed < m_sizes.size())
        {
            const auto bytes = Contents(m_sizes[m_echoed], m_echoed);
            m_client->Send(Create<Packet>(bytes.data(), bytes.size()));
        }
    }

    std::vector<uint32_t> m_sizes; ///< Sizes of the datagrams [bytes].
    Ptr<Socket> m_server;          ///< Echoes.
    Ptr<Socket> m_client;          ///< Sends and checks.
    uint32_t m_echoed{0};          ///< Datagrams that have come back.
    bool m_intact{true};           ///< Whether all were intact.
};

} // namespace

NetDeviceConformance::Network
NetDeviceConformance::BuildInternet() const
{
    Network network = m_builder();
    InternetStackHelper().Install(network.nodes);
    Ipv4AddressHelper("10.0.0.0", "255.255.0.0").Assign(network.devices);
    Ipv6AddressHelper("2001:db8::", Ipv6Prefix(64)).Assign(network.devices);
    if (m_internetHook)
    {
        m_internetHook(network);
    }
    return network;
}

std::string
NetDeviceConformance::CheckUdpEcho(bool ipv6) const
{
    const Network network = BuildInternet();
    UdpEcho echo(network, ipv6, {1, 100, 500, 1400, 8000});
    Listener::Run();
    return echo.GetFinding();
}

std::string
NetDeviceConformance::CheckTcp(bool ipv6) const
{
    const Network network = BuildInternet();
    const uint32_t last = network.nodes.GetN() - 1;
    const auto bytes = Contents(STREAM_SIZE, 1);
    uint32_t sent = 0;
    std::vector<uint8_t> received;
    const auto server =
        Socket::CreateSocket(network.nodes.Get(last), TcpSocketFactory::GetTypeId());
    server->Bind(GetAnyAddress(ipv6));
    server->Listen();
    server->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                              [&received](Ptr<Socket> connection, const Address&) {
                                  connection->SetRecvCallback([&received](Ptr<Socket> socket) {
                                      while (Ptr<Packet> packet = socket->Recv())
                                      {
                                          const auto part = GetBytes(packet);
                                          received.insert(received.end(), part.begin(), part.end());
                                      }
                                  });
                              });
    const auto client = Socket::CreateSocket(network.nodes.Get(0), TcpSocketFactory::GetTypeId());
    ipv6 ? client->Bind6() : client->Bind();
    const auto fill = [&bytes, &sent](Ptr<Socket> socket, uint32_t space) {
        while (sent < STREAM_SIZE && space > 0)
        {
            const int taken = socket->Send(&bytes[sent], std::min(space, STREAM_SIZE - sent), 0);
            if (taken <= 0)
            {
                return;
            }
            sent += taken;
            space = socket->GetTxAvailable();
        }
        if (sent == STREAM_SIZE)
        {
            socket->Close();
        }
    };
    client->SetSendCallback(fill);
    client->SetConnectCallback(
        [&fill](Ptr<Socket> socket) { fill(socket, socket->GetTxAvailable()); },
        [](Ptr<Socket>) {});
    const Address to = GetServerAddress(network, last, ipv6);
    Simulator::ScheduleWithContext(network.nodes.Get(0)->GetId(), INTERNET_START, [client, to] {
        client->Connect(to);
    });
    Listener::Run();
    if (received.size() != STREAM_SIZE)
    {
        return Say("Of ", STREAM_SIZE, " bytes sent over TCP, ", received.size(), " arrived.");
    }
    return received == bytes ? "" : "Over TCP, other bytes arrived than were sent.";
}

std::string
NetDeviceConformance::CheckUdpEchoIpv4() const
{
    return CheckUdpEcho(false);
}

std::string
NetDeviceConformance::CheckUdpEchoIpv6() const
{
    return CheckUdpEcho(true);
}

std::string
NetDeviceConformance::CheckTcpIpv4() const
{
    return CheckTcp(false);
}

std::string
NetDeviceConformance::CheckTcpIpv6() const
{
    return CheckTcp(true);
}

std::string
NetDeviceConformance::CheckFlowMonitor() const
{
    const Network network = BuildInternet();
    const std::vector<uint32_t> sizes(10, 400);
    UdpEcho echo(network, false, sizes);
    FlowMonitorHelper helper;
    const Ptr<FlowMonitor> monitor = helper.Install(network.nodes);
    Listener::Run();
    if (const std::string finding = echo.GetFinding(); !finding.empty())
    {
        return finding;
    }
    const auto& flows = monitor->GetFlowStats();
    if (flows.size() != 2)
    {
        return Say("FlowMonitor sees ", flows.size(), " flows of an echo in both directions.");
    }
    for (const auto& [id, flow] : flows)
    {
        if (flow.txPackets != sizes.size() || flow.rxPackets != sizes.size() ||
            flow.lostPackets != 0)
        {
            return Say("FlowMonitor counts ",
                       flow.txPackets,
                       " packets sent, ",
                       flow.rxPackets,
                       " received and ",
                       flow.lostPackets,
                       " lost of ",
                       sizes.size(),
                       " in one direction.");
        }
        if (!flow.delaySum.IsStrictlyPositive())
        {
            return "FlowMonitor sees no delay between sending and receiving.";
        }
    }
    return "";
}

} // namespace messaging
} // namespace ns3
