/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/messaging-core-group.h"
#include "ns3/messaging-datagram-core.h"
#include "ns3/messaging-frame-header.h"
#include "ns3/messaging-host-helper.h"
#include "ns3/messaging-traffic-helper.h"
#include "ns3/messaging-udp-port.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <string>

/**
 * @file
 * @ingroup messaging
 * Test of the latency that the ping-pong pattern measures over hosts and a link.
 */

namespace ns3
{
namespace messaging
{
namespace tests
{
namespace
{

/** The latency of a datagram is the time of its bytes on the wire and the work of both hosts. */
class DatagramLatencyTestCase : public TestCase
{
  public:
    DatagramLatencyTestCase()
        : TestCase("A datagram takes its time on the wire and its hosts' work")
    {
    }

  private:
    /**
     * Measure a ping-pong with datagrams over a link of 100 Mb/s and 2 us.
     * @param helper sets up the hosts
     * @param bytes size of a message
     * @return mean latency [us]
     */
    static double PingPong(const HostHelper& helper, uint32_t bytes)
    {
        const NodeContainer nodes(2);
        PointToPointHelper link;
        link.SetDeviceAttribute("DataRate", StringValue("100Mbps"));
        link.SetChannelAttribute("Delay", StringValue("2us"));
        const auto devices = helper.Install(link.Install(nodes));
        InternetStackHelper().Install(nodes);
        const auto interfaces = Ipv4AddressHelper("10.0.0.0", "255.255.255.0").Assign(devices);
        const auto clock = CreateObject<TickClock>();
        const auto port = CreateObject<UdpPort>();
        port->Connect(clock,
                      nodes,
                      {InetSocketAddress(interfaces.GetAddress(0), 4000),
                       InetSocketAddress(interfaces.GetAddress(1), 4000)});
        const auto group = CreateObject<CoreGroup<DatagramCore, UdpPort>>();
        const uint32_t largest = port->GetInfo().mtu;
        group->Connect(clock, port, [largest](Peer) { return DatagramCore(largest); });
        BenchmarkHelper benchmark("ping-pong");
        benchmark.SetAttribute("Size", UintegerValue(bytes));
        benchmark.SetAttribute("Rounds", UintegerValue(10));
        benchmark.SetAttribute("Warmup", UintegerValue(10));
        const auto session = benchmark.Install(group, nodes);
        Simulator::Run();
        const double latency = session->GetMeanLatency().GetNanoSeconds() / 1000.0;
        Simulator::Destroy();
        return latency;
    }

    void DoRun() override
    {
        HostHelper costly;
        costly.SetHostAttribute("SystemCall", TimeValue(MicroSeconds(1)));
        costly.SetHostAttribute("Interrupt", TimeValue(MicroSeconds(4)));
        costly.SetHostAttribute("CopyRate", StringValue("400Mbps"));
        costly.SetDeviceAttribute("SendSystemCalls", UintegerValue(1));
        costly.SetDeviceAttribute("ReceiveInterrupts", UintegerValue(1));
        for (const std::string path : {"Send", "Receive"})
        {
            costly.SetDeviceAttribute(path + "Instructions", TimeValue(MicroSeconds(20)));
            costly.SetDeviceAttribute(path + "Copies", UintegerValue(1));
        }
        for (const uint32_t bytes : {100, 1400})
        {
            const double packet = bytes + FrameHeader::SIZE + 8 + 20;
            const double wire = (packet + 2) * 0.08 + 2;
            NS_TEST_EXPECT_MSG_EQ_TOL(PingPong(HostHelper(), bytes),
                                      wire,
                                      1e-9,
                                      "Headers of UDP, IP and PPP");
            // A copy takes 20 ns a byte, at both ends.
            const double hosts = 1 + 2 * 20 + 4 + 2 * packet * 0.02;
            NS_TEST_EXPECT_MSG_EQ_TOL(PingPong(costly, bytes),
                                      wire + hosts,
                                      1e-9,
                                      "With the hosts' work");
        }
    }
};

/** The latency of datagrams. */
class TrafficLatencyTestSuite : public TestSuite
{
  public:
    TrafficLatencyTestSuite()
        : TestSuite("messaging-traffic-latency", Type::UNIT)
    {
        AddTestCase(new DatagramLatencyTestCase, TestCase::Duration::QUICK);
    }
};

TrafficLatencyTestSuite g_trafficLatencyTestSuite; ///< Registers itself.

} // namespace
} // namespace tests
} // namespace messaging
} // namespace ns3
