/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/double.h"
#include "ns3/messaging-latency-conformance.h"
#include "ns3/messaging-loss-conformance.h"
#include "ns3/messaging-net-device-conformance.h"
#include "ns3/messaging-unicast-net-device.h"
#include "ns3/myrinet-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

namespace ns3
{
namespace myrinet
{
namespace tests
{

/** Conformance checks of a NetDevice, including UDP and TCP over IPv4 and IPv6. */
class ConformanceTestCase : public TestCase
{
  public:
    /** Construct. @param topology shape of the network */
    ConformanceTestCase(const std::string& topology)
        : TestCase("the device conforms: " + topology),
          m_topology(topology)
    {
    }

  private:
    void DoRun() override
    {
        messaging::NetDeviceConformance conformance{[this] {
            messaging::NetDeviceConformance::Network network;
            network.nodes.Create(9);
            MyrinetHelper helper;
            helper.SetNetworkAttribute("Topology", StringValue(m_topology));
            helper.SetNetworkAttribute("SwitchPorts", UintegerValue(16));
            network.devices = helper.Install(network.nodes);
            return network;
        }};
        // The device answers address requests itself.
        conformance.enablePcap = [](const std::string& prefix, const auto& network) {
            MyrinetHelper().EnablePcap(prefix, network.devices);
        };
        conformance.assignStreams = [](const auto& network, int64_t stream) {
            return MyrinetHelper::AssignStreams(network.devices, stream);
        };
        conformance.setLink = [](Ptr<NetDevice> device, bool up) {
            DynamicCast<messaging::UnicastNetDevice>(device)->SetLinkUp(up);
        };
        for (const auto& finding : conformance.Run())
        {
            NS_TEST_EXPECT_MSG_EQ(finding.check + ": " + finding.sentence,
                                  "",
                                  "the device conforms");
        }
    }

    std::string m_topology; ///< Shape of the network.
};

/** A corrupted packet that passes the CRC is delivered in full, with a wrong last byte. */
class CorruptionTestCase : public TestCase
{
  public:
    CorruptionTestCase()
        : TestCase("what the CRC lets pass is wrong in one byte")
    {
    }

  private:
    void DoRun() override
    {
        MyrinetHelper helper;
        helper.SetNetworkAttribute("Corruption", DoubleValue(0.1));
        helper.SetNetworkAttribute("CrcMiss", DoubleValue(1));
        const auto devices = helper.Install(NodeContainer(2));
        std::vector<uint8_t> arrived;
        devices.Get(1)->SetReceiveCallback(
            [&](Ptr<NetDevice>, Ptr<const ns3::Packet> packet, uint16_t, const Address&) {
                arrived.resize(packet->GetSize());
                packet->CopyData(arrived.data(), packet->GetSize());
                return true;
            });
        std::vector<uint8_t> bytes(100, 7);
        devices.Get(0)->Send(Create<ns3::Packet>(bytes.data(), 100),
                             devices.Get(1)->GetAddress(),
                             0x800);
        Simulator::Run();
        bytes.back() = 0xff - 7;
        NS_TEST_EXPECT_MSG_EQ((arrived == bytes), true, "as long as before");
        Simulator::Destroy();

        // A packet that fails the CRC is a drop of the receiver.
        MyrinetHelper strict;
        strict.SetNetworkAttribute("Corruption", DoubleValue(0.1));
        const auto pair = strict.Install(NodeContainer(2));
        uint32_t drops = 0;
        pair.Get(1)->TraceConnectWithoutContext(
            "PhyRxDrop",
            Callback<void, Ptr<const ns3::Packet>>([&drops](Ptr<const ns3::Packet>) { ++drops; }));
        pair.Get(0)->Send(Create<ns3::Packet>(100), pair.Get(1)->GetAddress(), 0x800);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(drops, 1, "traced");
        Simulator::Destroy();
    }
};

/** The test suite of the device. */
class NetDeviceTestSuite : public TestSuite
{
  public:
    NetDeviceTestSuite()
        : TestSuite("myrinet-net-device", Type::SYSTEM)
    {
        for (const std::string topology : {"switch", "clos", "ring"})
        {
            AddTestCase(new ConformanceTestCase(topology), TestCase::Duration::QUICK);
        }
        AddTestCase(new CorruptionTestCase, TestCase::Duration::QUICK);
        using messaging::tests::CalmLatencyTestCase;
        using messaging::tests::LossTestCase;
        // Two cables of 10 m, one switch, and the characters at the receiver: type and data, padded
        // to 8, and CRC; one more for the head.
        constexpr double WAY = 2 * 10 * 4.9 + 125;
        constexpr double CHARACTER = 6.25;
        constexpr double FRAME = 1 + 1008 + 1;
        // A device adds an Ethernet header of 14 bytes.
        constexpr double PACKET = 1 + 1016 + 1;
        AddTestCase(new CalmLatencyTestCase<MyrinetNetwork>({{.name = "one switch",
                                                              .attributes = {{"Cable", "10"}},
                                                              .frame = WAY + FRAME * CHARACTER,
                                                              .packet = WAY + PACKET * CHARACTER,
                                                              .tolerance = 1}}),
                    TestCase::Duration::QUICK);
        AddTestCase(new LossTestCase<MyrinetNetwork>(
                        {{.name = "overload"},
                         {.name = "corruption",
                          .attributes = {{"Corruption", "0.0001"}, {"CrcMiss", "0.1"}},
                          .place = "Myrinet: crc"},
                         {.name = "no buffer",
                          .attributes = {{"ReceiveBuffers", "1"}, {"ReceiveFull", "drop"}},
                          .devices = false,
                          .slow = true},
                         {.name = "timeout",
                          .attributes = {{"Timeout", "62.5ms"}},
                          .place = "Myrinet: nres",
                          .devices = false,
                          .slow = true},
                         {.name = "overwriting",
                          .attributes = {{"StallRate", "10000"},
                                         {"StallLength", "100us"},
                                         {"Overwrite", "0.9"}},
                          .place = "Myrinet: overwrite",
                          .peers = 8,
                          .limit = Seconds(1)}}),
                    TestCase::Duration::QUICK);
    }
};

static NetDeviceTestSuite g_netDeviceTestSuite; ///< The test suite.

} // namespace tests
} // namespace myrinet
} // namespace ns3
