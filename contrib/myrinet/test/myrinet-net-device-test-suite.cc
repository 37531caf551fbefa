/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/messaging-net-device-conformance.h"
#include "ns3/myrinet-helper.h"
#include "ns3/myrinet-net-device.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

namespace ns3
{
namespace myrinet
{
namespace tests
{

/** The checks that every NetDevice has to pass, UDP and TCP over IPv4 and IPv6 among them. */
class ConformanceTestCase : public TestCase
{
  public:
    /**
     * Construct.
     * @param topology shape of the network
     */
    explicit ConformanceTestCase(const std::string& topology)
        : TestCase("the device conforms: " + topology),
          m_topology(topology)
    {
    }

  private:
    void DoRun() override
    {
        messaging::NetDeviceConformance conformance([this] {
            messaging::NetDeviceConformance::Network network;
            network.nodes.Create(9);
            MyrinetHelper helper;
            helper.SetPortAttribute("Topology", StringValue(m_topology));
            helper.SetPortAttribute("SwitchPorts", UintegerValue(16));
            network.devices = helper.Install(network.nodes);
            return network;
        });
        // Nothing is left to be done: the device answers requests for addresses itself.
        conformance.SetInternetHook([](const auto&) {});
        conformance.SetPcapHook([](const std::string& prefix, const auto& network) {
            MyrinetHelper().EnablePcap(prefix, network.devices);
        });
        conformance.SetStreamsHook([](const auto& network, int64_t stream) {
            return MyrinetHelper::AssignStreams(network.devices, stream);
        });
        conformance.SetLinkHook([](Ptr<NetDevice> device, bool up) {
            DynamicCast<MyrinetNetDevice>(device)->SetLinkUp(up);
        });
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
        : TestSuite("myrinet-net-device", Type::SYSTEM)
    {
        for (const std::string topology : {"switch", "clos", "ring"})
        {
            AddTestCase(new ConformanceTestCase(topology), TestCase::Duration::QUICK);
        }
    }
};

static NetDeviceTestSuite g_netDeviceTestSuite; ///< The test suite.

} // namespace tests
} // namespace myrinet
} // namespace ns3
