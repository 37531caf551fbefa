/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/messaging-latency-conformance.h"
#include "ns3/messaging-loss-conformance.h"
#include "ns3/messaging-net-device-conformance.h"
#include "ns3/messaging-unicast-net-device.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"
#include "ns3/wormhole-helper.h"

#include <utility>

namespace ns3
{
namespace wormhole
{
namespace tests
{

/** Conformance checks of a NetDevice, including UDP and TCP over IPv4 and IPv6. */
class ConformanceTestCase : public TestCase
{
  public:
    /**
     * Construct.
     * @param router kind of the routers
     * @param topology shape of the network
     */
    ConformanceTestCase(const std::string& router, const std::string& topology)
        : TestCase("the device conforms: " + router + " " + topology),
          m_router(router),
          m_topology(topology)
    {
    }

  private:
    void DoRun() override
    {
        messaging::NetDeviceConformance conformance{[this] {
            messaging::NetDeviceConformance::Network network;
            network.nodes.Create(9);
            WormholeHelper helper;
            helper.SetNetworkAttribute("Router", StringValue(m_router));
            helper.SetNetworkAttribute("Topology", StringValue(m_topology));
            network.devices = helper.Install(network.nodes);
            return network;
        }};
        // The device answers address requests itself.
        conformance.SetPcapHelper<WormholeHelper>();
        conformance.assignStreams = [](const auto& network, int64_t stream) {
            return WormholeHelper::AssignStreams(network.devices, stream);
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

    std::string m_router;   ///< Kind of the routers.
    std::string m_topology; ///< Shape of the network.
};

/** Largest packets. */
class MtuTestCase : public TestCase
{
  public:
    MtuTestCase()
        : TestCase("a device's packet, with its Ethernet header, fits into a frame of the network")
    {
    }

  private:
    void DoRun() override
    {
        for (const auto& [frame, packet] : {std::pair(4096, 1500), std::pair(300, 286)})
        {
            WormholeHelper helper;
            helper.SetNetworkAttribute("Mtu", UintegerValue(frame));
            const auto devices = helper.Install(NodeContainer(2));
            NS_TEST_EXPECT_MSG_EQ(devices.Get(0)->GetMtu(), packet, "Mtu " << frame);
        }
        Simulator::Destroy();
    }
};

/** The test suite of the device. */
class NetDeviceTestSuite : public TestSuite
{
  public:
    NetDeviceTestSuite()
        : TestSuite("wormhole-net-device", Type::SYSTEM)
    {
        for (const std::string router : {"lossy", "buffered", "hybrid"})
        {
            AddTestCase(new ConformanceTestCase(router, "grid2d"), TestCase::Duration::QUICK);
        }
        AddTestCase(new ConformanceTestCase("buffered", "grid3d"), TestCase::Duration::QUICK);
        AddTestCase(new ConformanceTestCase("lossy", "fattree"), TestCase::Duration::QUICK);
        AddTestCase(new MtuTestCase, TestCase::Duration::QUICK);
        using messaging::tests::CalmLatencyTestCase;
        using messaging::tests::LossTestCase;
        // One hop; flits of 4 bytes, and the checksum flit. A device adds an Ethernet header.
        AddTestCase(new CalmLatencyTestCase<WormholeNetwork>(
                        {{.name = "lossy",
                          .attributes = {{"Router", "lossy"}, {"Mtu", "2048"}},
                          .frame = 1 + 250 + 1,
                          .packet = 1 + 254 + 1},
                         {.name = "buffered",
                          .attributes = {{"Router", "buffered"}, {"Mtu", "2048"}},
                          .frame = 1 + 250,
                          .packet = 1 + 254}}),
                    TestCase::Duration::QUICK);
        AddTestCase(
            new LossTestCase<WormholeNetwork>(
                {{.name = "lossy",
                  .attributes = {{"Router", "lossy"}, {"Mtu", "2048"}},
                  .place = "wormhole router: ",
                  .peers = 16},
                 {.name = "dropping sources",
                  .attributes = {{"Router", "lossy"}, {"SourceBusy", "drop"}, {"Mtu", "2048"}},
                  .place = "wormhole router: ",
                  .peers = 16},
                 {.name = "hybrid, corruption",
                  .attributes = {{"Router", "hybrid"}, {"Corruption", "0.01"}, {"Mtu", "2048"}},
                  .place = "wormhole router: corrupted",
                  .peers = 16},
                 {.name = "buffered, loss",
                  .attributes = {{"Router", "buffered"}, {"Loss", "0.1"}, {"Mtu", "2048"}},
                  .place = "wormhole router: lost",
                  .peers = 16},
                 {.name = "failures",
                  .attributes = {{"Router", "lossy"},
                                 {"Failures", "1000 down 5; 9000 up 5"},
                                 {"Mtu", "2048"}},
                  .place = "wormhole router: ",
                  .peers = 16}}),
            TestCase::Duration::QUICK);
    }
};

static NetDeviceTestSuite g_netDeviceTestSuite; ///< The test suite.

} // namespace tests
} // namespace wormhole
} // namespace ns3
