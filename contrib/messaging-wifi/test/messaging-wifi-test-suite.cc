/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/messaging-scenario-reliability.h"
#include "ns3/string.h"
#include "ns3/test.h"

/**
 * @file
 * @ingroup messaging-wifi-tests
 * Protocols over wifi.
 */

namespace ns3
{
namespace messaging_wifi
{
namespace tests
{

/** Bare frames, UDP and TCP over an ad hoc network. */
class WifiNetworkTestCase : public TestCase
{
  public:
    WifiNetworkTestCase()
        : TestCase("frames and sockets cross an ad hoc network")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string protocol : {"none", "udp", "tcp"})
        {
            auto scenario = CreateObject<messaging::ReliabilityScenario>();
            scenario->SetAttribute("Network", StringValue("wifi"));
            scenario->SetAttribute("Protocol", StringValue(protocol));
            scenario->SetAttribute("Nodes", StringValue("3"));
            scenario->SetAttribute("Messages", StringValue("20"));
            NS_TEST_EXPECT_MSG_EQ(scenario->Check(), "", protocol);
            scenario->Run();
            StringValue outcome;
            scenario->GetAttribute("Outcome", outcome);
            NS_TEST_EXPECT_MSG_EQ(outcome.Get(), "exact", protocol);
        }
    }
};

/** The suite. */
class WifiNetworkTestSuite : public TestSuite
{
  public:
    WifiNetworkTestSuite()
        : TestSuite("messaging-wifi", Type::UNIT)
    {
        AddTestCase(new WifiNetworkTestCase, Duration::QUICK);
    }
};

/** The one instance. */
static WifiNetworkTestSuite g_wifiNetworkTestSuite;

} // namespace tests
} // namespace messaging_wifi
} // namespace ns3
