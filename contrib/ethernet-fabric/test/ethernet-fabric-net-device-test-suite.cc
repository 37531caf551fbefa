/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/ethernet-fabric-helper.h"
#include "ns3/messaging-latency-conformance.h"
#include "ns3/messaging-loss-conformance.h"
#include "ns3/messaging-net-device-conformance.h"
#include "ns3/messaging-unicast-net-device.h"
#include "ns3/string.h"
#include "ns3/test.h"

#include <string>

namespace ns3
{
namespace fabric
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
            FabricHelper helper;
            helper.SetNetworkAttribute("Topology", StringValue(m_topology));
            network.devices = helper.Install(network.nodes);
            return network;
        }};
        // The device answers address requests itself.
        conformance.SetPcapHelper<FabricHelper>();
        conformance.assignStreams = [](const auto& network, int64_t stream) {
            return FabricHelper::AssignStreams(network.devices, stream);
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

/** The test suite of the device. */
class NetDeviceTestSuite : public TestSuite
{
  public:
    NetDeviceTestSuite()
        : TestSuite("ethernet-fabric-net-device", Type::SYSTEM)
    {
        for (const std::string topology : {"switch", "leaf-spine", "fat-tree"})
        {
            AddTestCase(new ConformanceTestCase(topology), TestCase::Duration::QUICK);
        }
        using messaging::tests::CalmLatencyTestCase;
        using messaging::tests::LossTestCase;
        // At 100 Gb/s a byte takes 80 ps. Each store-and-forward link takes the preamble and the
        // frame, 1000 bytes with 46 of overhead; a packet has an Ethernet header and a checksum.
        constexpr double FRAME = 0.08 * (8 + 1000 + 46);
        constexpr double PACKET = 0.08 * (8 + 1000 + 14 + 4);
        // A head: preamble and 64 bytes.
        constexpr double HEAD = 0.08 * (8 + 64);
        const std::vector<std::pair<std::string, std::string>> slow{{"HostRate", "100Gbps"},
                                                                    {"Delay", "300ns"},
                                                                    {"Latency", "200ns"}};
        const auto with = [&](std::vector<std::pair<std::string, std::string>> more) {
            more.insert(more.end(), slow.begin(), slow.end());
            return more;
        };
        AddTestCase(new CalmLatencyTestCase<FabricNetwork>(
                        {{.name = "one switch",
                          .attributes = with({{"Topology", "switch"}}),
                          .frame = 2 * (300 + FRAME) + 200,
                          .packet = 2 * (300 + PACKET) + 200,
                          .tolerance = 1},
                         {.name = "leaf and spine",
                          .attributes = with({{"HostsPerLeaf", "1"}}),
                          .frame = 4 * (300 + FRAME) + 3 * 200,
                          .packet = 4 * (300 + PACKET) + 3 * 200,
                          .tolerance = 1},
                         {.name = "leaf and spine, cut-through",
                          .attributes = with({{"HostsPerLeaf", "1"}, {"Switching", "cut-through"}}),
                          .frame = 4 * 300 + 3 * (HEAD + 200) + FRAME,
                          .packet = 4 * 300 + 3 * (HEAD + 200) + PACKET,
                          .tolerance = 1},
                         {.name = "fat tree, one host for each leaf and pod",
                          .attributes = with({{"Topology", "fat-tree"}, {"Radix", "2"}}),
                          .frame = 6 * (300 + FRAME) + 5 * 200,
                          .packet = 6 * (300 + PACKET) + 5 * 200,
                          .tolerance = 1,
                          .peers = 2},
                         {.name = "faster trunks",
                          .attributes = with({{"HostsPerLeaf", "1"}, {"TrunkRate", "400Gbps"}}),
                          .frame = 4 * 300 + 2.5 * FRAME + 3 * 200,
                          .packet = 4 * 300 + 2.5 * PACKET + 3 * 200,
                          .tolerance = 1}}),
                    TestCase::Duration::QUICK);
        AddTestCase(
            new LossTestCase<FabricNetwork>(
                {{.name = "overload"},
                 {.name = "small buffers",
                  .attributes = {{"Buffer", "6000"}},
                  .place = "leaf: full queue"},
                 {.name = "shared buffer",
                  .attributes = {{"Buffer", "30000"}, {"Sharing", "dynamic"}},
                  .place = "leaf: full queue"},
                 {.name = "trimming",
                  .attributes = {{"Admission", "trim"},
                                 {"TrimThreshold", "6000"},
                                 {"HeaderQueue", "640"}},
                  .place = "leaf: full queue of headers"},
                 {.name = "trimmed frames",
                  .attributes = {{"Admission", "trim"}, {"TrimThreshold", "6000"}},
                  .place = "host: trimmed frame"},
                 {.name = "PFC",
                  .attributes = {{"Admission", "pfc"}, {"PfcXoff", "5000"}, {"PfcResume", "3000"}}},
                 {.name = "PFC with too little headroom",
                  .attributes = {{"Admission", "pfc"},
                                 {"PfcXoff", "12000"},
                                 {"PfcResume", "3000"},
                                 {"PfcHeadroom", "3000"}},
                  .place = "leaf: headroom exceeded"},
                 {.name = "bit errors",
                  .attributes = {{"BitErrors", "1e-5"}},
                  .place = "leaf: bit error"},
                 {.name = "bit errors, cut-through",
                  .attributes = {{"BitErrors", "1e-5"}, {"Switching", "cut-through"}},
                  .place = "host: bit error"},
                 {.name = "a flapping link",
                  .attributes = {{"Faults", "1us host0 flap 2us 1us 20"}, {"Convergence", "1us"}},
                  .place = "leaf: link down"}}),
            TestCase::Duration::QUICK);
    }
};

static NetDeviceTestSuite g_netDeviceTestSuite; ///< The test suite.

} // namespace tests
} // namespace fabric
} // namespace ns3
