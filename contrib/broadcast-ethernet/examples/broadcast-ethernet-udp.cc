/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup broadcast-ethernet
 * Workstations on one 10 Mbit/s segment send UDP datagrams to a server, which needs some time for
 * each. The program counts losses in queues above the card, in collisions, and in the server's
 * ring.
 */

#include "ns3/broadcast-ethernet-helper.h"
#include "ns3/command-line.h"
#include "ns3/double.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/messaging-host-helper.h"
#include "ns3/neighbor-cache-helper.h"
#include "ns3/node-container.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/uinteger.h"

#include <iomanip>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::ethernet;

namespace
{

constexpr uint16_t PORT = 9; ///< UDP port of the server.

/** Sends datagrams at random times. */
class Client
{
  public:
    /**
     * Construct.
     * @param node its node
     * @param server destination
     * @param size bytes of a datagram
     * @param interval mean time between two datagrams
     * @param stream random stream
     */
    Client(Ptr<Node> node, const Address& server, uint32_t size, Time interval, int64_t stream)
        : m_socket(Socket::CreateSocket(node, UdpSocketFactory::GetTypeId())),
          m_random(CreateObject<ExponentialRandomVariable>()),
          m_size(size)
    {
        m_random->SetStream(stream);
        m_random->SetAttribute("Mean", DoubleValue(interval.GetSeconds()));
        m_socket->Connect(server);
        Simulator::ScheduleWithContext(node->GetId(),
                                       Seconds(m_random->GetValue()),
                                       &Client::Send,
                                       this);
    }

    /** @return number of datagrams sent. */
    uint64_t GetNSent() const
    {
        return m_sent;
    }

  private:
    /** Send a datagram, and schedule the next one. */
    void Send()
    {
        ++m_sent;
        m_socket->Send(Create<Packet>(m_size));
        Simulator::Schedule(Seconds(m_random->GetValue()), &Client::Send, this);
    }

    Ptr<Socket> m_socket;                    ///< The socket.
    Ptr<ExponentialRandomVariable> m_random; ///< Draws times between datagrams.
    uint32_t m_size;                         ///< Bytes of a datagram.
    uint64_t m_sent{0};                      ///< Datagrams sent.
};

/**
 * Print a number and its share of another.
 * @param what its name
 * @param part the number
 * @param all the total
 */
void
PrintShare(const std::string& what, uint64_t part, uint64_t all)
{
    const double share = all ? 100.0 * static_cast<double>(part) / static_cast<double>(all) : 0;
    std::cout << std::left << std::setw(32) << what << std::right << std::setw(8) << part
              << std::setw(8) << std::fixed << std::setprecision(1) << share << " %\n";
}

} // namespace

int
main(int argc, char* argv[])
{
    uint32_t nStations = 8;
    uint32_t size = 1024;
    Time interval = MilliSeconds(6);
    Time service = MicroSeconds(1100);
    uint32_t ring = 16;
    double spacing = 10;
    Time duration = Seconds(2);
    bool pcap = false;
    CommandLine command(__FILE__);
    command.AddValue("stations", "Number of stations in addition to the server", nStations);
    command.AddValue("size", "UDP payload of a datagram [bytes]", size);
    command.AddValue("interval", "Mean time between two datagrams of a station", interval);
    command.AddValue("service", "Processing time of a frame by the server's driver", service);
    command.AddValue("ring", "Descriptors of the server's receive ring", ring);
    command.AddValue("spacing", "Cable between neighbours [m]", spacing);
    command.AddValue("duration", "Simulated time", duration);
    command.AddValue("pcap",
                     "Write the packets of the server to broadcast-ethernet-udp-*.pcap",
                     pcap);
    command.Parse(argc, argv);
    if (nStations == 0 || size > 1472 || interval.IsZero() || interval.IsNegative() || ring == 0)
    {
        std::cerr
            << "The arguments must be at least one station, datagrams of at most 1472 bytes (one "
               "frame), an interval above 0, and at least one descriptor."
            << std::endl;
        return 2;
    }

    NodeContainer nodes(nStations + 1);
    EthernetHelper ethernet;
    ethernet.SetSegmentAttribute("Spacing", DoubleValue(spacing));
    const NetDeviceContainer devices = ethernet.Install(nodes);
    EthernetHelper::AssignStreams(devices, 1);
    messaging::HostHelper host;
    host.SetDeviceAttribute("ReceiveRing", UintegerValue(ring));
    host.SetDeviceAttribute("ReceiveInstructions", TimeValue(service));
    const NetDeviceContainer drivers = host.Install(devices);
    uint64_t overflows = 0;
    drivers.Get(0)->TraceConnectWithoutContext(
        "MacRxDrop",
        Callback<void, Ptr<const Packet>>([&overflows](Ptr<const Packet>) { ++overflows; }));

    InternetStackHelper().Install(nodes);
    const auto interfaces = Ipv4AddressHelper("10.0.0.0", "255.255.0.0").Assign(drivers);
    // ns-3 queues only three packets that wait for ARP, and a burst of requests would collide.
    NeighborCacheHelper().PopulateNeighborCache(interfaces);

    uint64_t received = 0;
    const auto server = Socket::CreateSocket(nodes.Get(0), UdpSocketFactory::GetTypeId());
    server->Bind(InetSocketAddress(Ipv4Address::GetAny(), PORT));
    server->SetRecvCallback([&received](Ptr<Socket> socket) {
        while (socket->Recv())
        {
            ++received;
        }
    });
    std::vector<std::unique_ptr<Client>> clients;
    for (uint32_t n = 1; n <= nStations; ++n)
    {
        clients.push_back(
            std::make_unique<Client>(nodes.Get(n),
                                     InetSocketAddress(interfaces.GetAddress(0), PORT),
                                     size,
                                     interval,
                                     10 + n));
    }
    if (pcap)
    {
        ethernet.EnablePcap("broadcast-ethernet-udp", devices.Get(0));
    }
    Simulator::Stop(duration);
    Simulator::Run();

    uint64_t sent = 0;
    for (const auto& client : clients)
    {
        sent += client->GetNSent();
    }
    const auto& segment = EthernetHelper::GetSegment(devices)->GetCounters();
    std::cout << nStations << " stations, " << size << " bytes each " << interval.As(Time::MS)
              << "\n";
    PrintShare("datagrams sent", sent, sent);
    PrintShare("  delivered", received, sent);
    PrintShare("  given up after collisions", segment.excessiveCollisions, sent);
    PrintShare("  lost in the receive ring", overflows, sent);
    PrintShare("  queued, or dropped in a queue",
               sent - received - segment.excessiveCollisions - overflows,
               sent);
    PrintShare("attempts", segment.attempts, segment.attempts);
    PrintShare("  collided", segment.collided, segment.attempts);
    Simulator::Destroy();
    return 0;
}
