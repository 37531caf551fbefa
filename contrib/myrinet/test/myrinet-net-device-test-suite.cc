/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/messaging-net-device-conformance.h"
#include "ns3/myrinet-helper.h"
#include "ns3/myrinet-net-device.h"
#include "ns3/pointer.h"
#include "ns3/queue.h"
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
    /**
     * Construct.
     * @param topology shape of the network
     * @param lanai whether the path to the host takes time
     */
    ConformanceTestCase(const std::string& topology, bool lanai)
        : TestCase("the device conforms: " + topology + (lanai ? ", LANai" : "")),
          m_topology(topology),
          m_lanai(lanai)
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
            if (m_lanai)
            {
                helper.SetLanai();
            }
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
            DynamicCast<MyrinetNetDevice>(device)->SetLinkUp(up);
        };
        for (const auto& finding : conformance.Run())
        {
            NS_TEST_EXPECT_MSG_EQ(finding.check + ": " + finding.sentence,
                                  "",
                                  "the device conforms");
        }
    }

    std::string m_topology; ///< Shape of the network.
    bool m_lanai;           ///< The path to the host takes time.
};

/**
 * A packet passes the host's bus, the firmware, the network, the firmware and the bus, one after
 * the other. Several packets overlap, so that each takes only the time of the slowest stage, the
 * bus.
 */
class LanaiTestCase : public TestCase
{
  public:
    LanaiTestCase()
        : TestCase("the engines of a LANai run side by side")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t BYTES = 1000;
        constexpr uint32_t PACKETS = 20;
        NodeContainer nodes(2);
        for (uint32_t n = 0; n < 2; ++n)
        {
            const auto host = CreateObject<messaging::HostModel>();
            nodes.Get(n)->AggregateObject(host);
        }
        MyrinetHelper helper;
        helper.SetLanai();
        helper.SetDeviceAttribute("PacketInstructions", UintegerValue(200));
        const auto devices = helper.Install(nodes);
        std::vector<int64_t> arrivals;
        devices.Get(1)->SetReceiveCallback(
            [&arrivals](Ptr<NetDevice>, Ptr<const ns3::Packet>, uint16_t, const Address&) {
                arrivals.push_back(Simulator::Now().GetNanoSeconds());
                return true;
            });
        for (uint32_t n = 0; n < PACKETS; ++n)
        {
            devices.Get(0)->Send(Create<ns3::Packet>(BYTES), devices.Get(1)->GetAddress(), 0x800);
        }
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(arrivals.size(), PACKETS, "all arrive");
        // With its Ethernet header, by DMA at 1 Gb/s; 200 instructions take 6001 ns at 33.33 MHz.
        const int64_t dma = (BYTES + 14) * 8;
        Frame frame;
        frame.payload = BYTES + 14;
        const auto wire =
            static_cast<int64_t>(MyrinetHelper::GetNetwork(devices)->GetIdleLatency(0, 1, frame));
        NS_TEST_EXPECT_MSG_EQ(arrivals[0], dma + 6001 + wire + 6001 + dma, "the first");
        NS_TEST_EXPECT_MSG_EQ(arrivals.back() - arrivals.front(),
                              (PACKETS - 1) * dma,
                              "each as long as the bus takes");
        Simulator::Destroy();
        HoldRing();
    }

    /** Behind a slow link, a LANai fetches what its send ring holds, and leaves the rest queued. */
    void HoldRing()
    {
        NodeContainer nodes(2);
        for (uint32_t n = 0; n < 2; ++n)
        {
            nodes.Get(n)->AggregateObject(CreateObject<messaging::HostModel>());
        }
        MyrinetHelper helper;
        helper.SetLanai();
        helper.SetNetworkAttribute("LinkRate", DataRateValue(DataRate("1Mbps")));
        helper.SetNetworkAttribute("FallThrough", TimeValue(MicroSeconds(8)));
        helper.SetNetworkAttribute("SendBuffers", UintegerValue(3));
        const auto devices = helper.Install(nodes);
        PointerValue queue;
        devices.Get(0)->GetAttribute("TxQueue", queue);
        for (uint32_t n = 0; n < 10; ++n)
        {
            devices.Get(0)->Send(Create<ns3::Packet>(1000), devices.Get(1)->GetAddress(), 0x800);
        }
        uint32_t left = 0;
        Simulator::Schedule(MilliSeconds(1), [&left, &queue] {
            left = queue.Get<Queue<ns3::Packet>>()->GetNPackets();
        });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(left, 7, "one on the link, two fetched");
        Simulator::Destroy();
    }
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
            AddTestCase(new ConformanceTestCase(topology, false), TestCase::Duration::QUICK);
        }
        AddTestCase(new ConformanceTestCase("clos", true), TestCase::Duration::QUICK);
        AddTestCase(new LanaiTestCase, TestCase::Duration::QUICK);
        AddTestCase(new CorruptionTestCase, TestCase::Duration::QUICK);
    }
};

static NetDeviceTestSuite g_netDeviceTestSuite; ///< The test suite.

} // namespace tests
} // namespace myrinet
} // namespace ns3
