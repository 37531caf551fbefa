/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/broadcast-ethernet-helper.h"
#include "ns3/broadcast-ethernet-net-device.h"
#include "ns3/double.h"
#include "ns3/messaging-net-device-conformance.h"
#include "ns3/test.h"

namespace ns3
{
namespace ethernet
{
namespace tests
{

/** The checks that every NetDevice has to pass, UDP and TCP over IPv4 and IPv6 among them. */
class ConformanceTestCase : public TestCase
{
  public:
    /**
     * Construct.
     * @param spacing length of the cable between neighbours [m]
     */
    explicit ConformanceTestCase(double spacing)
        : TestCase("the device conforms on a segment, stations " + std::to_string(spacing) +
                   " m apart"),
          m_spacing(spacing)
    {
    }

  private:
    void DoRun() override
    {
        messaging::NetDeviceConformance conformance([this] {
            messaging::NetDeviceConformance::Network network;
            network.nodes.Create(4);
            EthernetHelper helper;
            helper.SetSegmentAttribute("Spacing", DoubleValue(m_spacing));
            network.devices = helper.Install(network.nodes);
            return network;
        });
        conformance.SetPcapHook([](const std::string& prefix, const auto& network) {
            EthernetHelper().EnablePcap(prefix, network.devices);
        });
        conformance.SetStreamsHook([](const auto& network, int64_t stream) {
            return EthernetHelper::AssignStreams(network.devices, stream);
        });
        conformance.SetLinkHook([](Ptr<NetDevice> device, bool up) {
            DynamicCast<EthernetNetDevice>(device)->SetLinkUp(up);
        });
        for (const auto& finding : conformance.Run())
        {
            NS_TEST_EXPECT_MSG_EQ(finding.check + ": " + finding.sentence,
                                  "",
                                  "the device conforms");
        }
    }

    double m_spacing; ///< Length of the cable between neighbours [m].
};

/** The test suite of the device. */
class NetDeviceTestSuite : public TestSuite
{
  public:
    NetDeviceTestSuite()
        : TestSuite("broadcast-ethernet-net-device", Type::SYSTEM)
    {
        AddTestCase(new ConformanceTestCase(0), TestCase::Duration::QUICK);
        AddTestCase(new ConformanceTestCase(100), TestCase::Duration::QUICK);
    }
};

static NetDeviceTestSuite g_netDeviceTestSuite; ///< The test suite.

} // namespace tests
} // namespace ethernet
} // namespace ns3
