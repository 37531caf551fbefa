/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "infiniband-fabric-audit.h"

#include "ns3/infiniband-helper.h"
#include "ns3/infiniband-net-device.h"
#include "ns3/infiniband-network.h"
#include "ns3/messaging-latency-conformance.h"
#include "ns3/messaging-loss-conformance.h"
#include "ns3/messaging-net-device-conformance.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"

#include <cmath>
#include <vector>

namespace ns3
{
namespace infiniband
{
namespace tests
{

/** Conformance checks of a NetDevice, including UDP and TCP over IPv4 and IPv6. */
class InfinibandConformanceTestCase : public TestCase
{
  public:
    /**
     * Construct.
     * @param routing the routing engine
     * @param rate rate of the links
     */
    InfinibandConformanceTestCase(const std::string& routing, const std::string& rate)
        : TestCase("the device conforms: " + routing + ", " + rate),
          m_routing(routing),
          m_rate(rate)
    {
    }

  private:
    void DoRun() override
    {
        messaging::NetDeviceConformance conformance{[this] {
            messaging::NetDeviceConformance::Network network;
            network.nodes.Create(9);
            InfinibandHelper helper;
            helper.SetAttribute("SwitchPorts", StringValue("8"));
            helper.SetAttribute("Routing", StringValue(m_routing));
            helper.SetAttribute("LinkRate", StringValue(m_rate));
            network.devices = helper.Install(network.nodes);
            return network;
        }};
        // ARP and neighbour discovery use multicast and need no set-up.
        conformance.SetPcapHelper<InfinibandHelper>();
        conformance.assignStreams = [](const auto& network, int64_t stream) {
            return InfinibandHelper::AssignStreams(network.devices, stream);
        };
        conformance.setLink = [](Ptr<NetDevice> device, bool up) {
            DynamicCast<InfinibandNetDevice>(device)->SetLinkUp(up);
        };
        for (const auto& finding : conformance.Run())
        {
            NS_TEST_EXPECT_MSG_EQ(finding.check + ": " + finding.sentence,
                                  "",
                                  "the device conforms");
        }
    }

    std::string m_routing; ///< Routing.
    std::string m_rate;    ///< Rate of the links.
};

/** Lengths on the wire, the MTU, and multicast by the switches. */
class InfinibandIpoibTestCase : public TestCase
{
  public:
    InfinibandIpoibTestCase()
        : TestCase("encapsulation of RFC 4391, MTU, multicast")
    {
    }

  private:
    void DoRun() override
    {
        NodeContainer nodes(4);
        InfinibandHelper helper;
        const auto devices = helper.Install(nodes);
        const auto fabric = InfinibandHelper::GetFabric(devices);
        NS_TEST_EXPECT_MSG_EQ(devices.Get(0)->GetMtu(), 2044, "four bytes below the link's");
        NS_TEST_EXPECT_MSG_EQ(devices.Get(0)->SetMtu(2045),
                              false,
                              "an MTU above the largest is refused");
        NS_TEST_EXPECT_MSG_EQ(devices.Get(0)->GetMtu(), 2044, "the MTU is unchanged");
        std::vector<int64_t> arrivals;
        uint32_t receivers = 0;
        for (uint32_t n = 0; n < 4; ++n)
        {
            devices.Get(n)->SetReceiveCallback([&arrivals, &receivers, n](Ptr<NetDevice>,
                                                                          Ptr<const ns3::Packet>,
                                                                          uint16_t,
                                                                          const ns3::Address&) {
                arrivals.push_back(Simulator::Now().GetNanoSeconds());
                receivers |= 1U << n;
                return true;
            });
        }
        devices.Get(0)->Send(Create<ns3::Packet>(2044), devices.Get(1)->GetAddress(), 0x800);
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(arrivals.size(), 1, "receivers of a unicast");
        // LRH 8, BTH 12, DETH 8, header of RFC 4391 4, ICRC 4, VCRC 2.
        NS_TEST_EXPECT_MSG_EQ(fabric->GetPortCounters(0).xmitData,
                              2082,
                              "data that host 0 has sent, in words of 4 bytes");
        devices.Get(0)->Send(Create<ns3::Packet>(1000), devices.Get(0)->GetBroadcast(), 0x800);
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(arrivals.size(), 4, "receivers of the unicast and the multicast");
        NS_TEST_EXPECT_MSG_EQ(receivers, 0xe, "hosts that have received it: all but host 0");
        // A packet to a group has a global route header of 40 bytes; switches copy it.
        NS_TEST_EXPECT_MSG_EQ(arrivals[3],
                              arrivals[2],
                              "both caches miss, and both copies arrive at once");
        NS_TEST_EXPECT_MSG_EQ(fabric->GetPortCounters(0).xmitData,
                              2082 + 1078,
                              "data with the multicast");
        NS_TEST_EXPECT_MSG_EQ(fabric->GetPortCounters(0).xmitPackets,
                              2,
                              "packets: the multicast is sent once");
        NS_TEST_EXPECT_MSG_EQ(CheckConservation(*fabric), "", "packets and credits are conserved");
        Simulator::Destroy();
    }
};

/**
 * Get the latency of a datagram on one switch with warm caches, by the path in HcaConfig.
 * @param bytes its payload [bytes]
 * @return from Send to the receiver's completion [ns]
 */
double
GetCalmLatency(uint32_t bytes)
{
    const HcaConfig hca;
    const LinkConfig link;
    const auto dma = [&hca](uint32_t length) { return std::ceil(length * 1000.0 / hca.dmaRate); };
    double time = hca.doorbell + hca.wqeFetch + hca.sendProcessing + hca.packetProcessing;
    if (bytes > hca.inlineLimit)
    {
        time += hca.wqeFetch + dma(bytes);
    }
    time += 2 * link.cableDelay + link.switchDelay + MIN_PACKET_BYTES + DETH_BYTES + bytes;
    time += hca.packetProcessing + hca.receiveProcessing + hca.wqeFetch + dma(bytes + GRH_BYTES);
    return time + hca.completion;
}

/** The test suite of the device. */
class InfinibandNetDeviceTestSuite : public TestSuite
{
  public:
    InfinibandNetDeviceTestSuite()
        : TestSuite("infiniband-net-device", Type::SYSTEM)
    {
        AddTestCase(new InfinibandConformanceTestCase("fat-tree", "SDR"), Duration::QUICK);
        AddTestCase(new InfinibandConformanceTestCase("up-down", "DDR"), Duration::QUICK);
        AddTestCase(new InfinibandIpoibTestCase, Duration::QUICK);
        using messaging::tests::CalmLatencyTestCase;
        using messaging::tests::LossTestCase;
        std::vector<messaging::tests::CalmLatency> calm;
        for (const uint32_t bytes : {100, 1000, 2000})
        {
            // A packet of IP is a datagram of four bytes more.
            calm.push_back({.name = "UD",
                            .bytes = bytes,
                            .frame = GetCalmLatency(bytes),
                            .packet = GetCalmLatency(bytes + 4),
                            .tolerance = 2});
        }
        AddTestCase(new CalmLatencyTestCase<InfinibandNetwork>(calm), Duration::QUICK);
        AddTestCase(new LossTestCase<InfinibandNetwork>(
                        {{.name = "overload", .broadcast = true},
                         {.name = "corruption of links",
                          .attributes = {{"Corruption", "0.02"}},
                          .place = "fabric: VCRC",
                          .broadcast = true},
                         {.name = "corruption of switches",
                          .attributes = {{"SwitchCorruption", "0.02"}, {"SwitchPorts", "4"}},
                          .place = "fabric: ICRC",
                          .peers = 7,
                          .broadcast = true},
                         {.name = "loss",
                          .attributes = {{"PacketLoss", "0.05"}},
                          .place = "packet loss",
                          .broadcast = true},
                         {.name = "UC",
                          .attributes = {{"Transport", "UC"}, {"PacketLoss", "0.05"}},
                          .place = "packet loss",
                          .bytes = 10000,
                          .devices = false},
                         {.name = "RC",
                          .attributes = {{"Transport", "RC"}, {"PacketLoss", "0.02"}},
                          .bytes = 10000,
                          .devices = false},
                         {.name = "RC that gives up",
                          .attributes = {{"Transport", "RC"},
                                         {"PacketLoss", "0.3"},
                                         {"RetryCount", "1"},
                                         {"AckTimeout", "100000"}},
                          .place = "packet loss",
                          .bytes = 10000,
                          .devices = false}}),
                    Duration::QUICK);
    }
};

static InfinibandNetDeviceTestSuite g_infinibandNetDeviceTestSuite; ///< The test suite.

} // namespace tests
} // namespace infiniband
} // namespace ns3
