/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/messaging-latency-conformance.h"
#include "ns3/messaging-loss-conformance.h"
#include "ns3/messaging-scenario-reliability.h"
#include "ns3/messaging-wifi-network.h"
#include "ns3/string.h"
#include "ns3/test.h"

#include <cmath>

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

/** Modes of the data frames. */
class DataModeTestCase : public TestCase
{
  public:
    DataModeTestCase()
        : TestCase("every mode of 802.11g is accepted, and no other")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string rate : {"6", "9", "12", "18", "24", "36", "48", "54"})
        {
            auto network = CreateObject<WifiNetwork>();
            network->SetAttribute("DataMode", StringValue("ErpOfdmRate" + rate + "Mbps"));
            NS_TEST_EXPECT_MSG_EQ(network->Check(2), "", rate);
            NS_TEST_EXPECT_MSG_GT(network->GetInfo().rate, 0, rate);
        }
        for (const std::string mode : {"ErpOfdmRate55Mbps",
                                       "ErpOfdmRateXMbps",
                                       "ErpOfdmRateMbps",
                                       "ErpOfdmRate54Mbps ",
                                       "DsssRate11Mbps",
                                       ""})
        {
            auto network = CreateObject<WifiNetwork>();
            network->SetAttribute("DataMode", StringValue(mode));
            NS_TEST_EXPECT_MSG_NE(network->Check(2), "", "mode " << mode);
            NS_TEST_EXPECT_MSG_EQ(network->GetInfo().rate, 0, "mode \"" << mode << '"');
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
        using messaging::tests::LossTestCase;
        // DIFS with long slots, preamble, symbols of 4 us with 216 bits each for service and tail
        // bits, MAC header, LLC, packet and FCS, signal extension, and 7.07 m of propagation.
        const double symbols = std::ceil((16 + 6 + 8 * (24 + 8 + 1000 + 4)) / 216.0);
        const double air = 50000 + 20000 + 4000 * symbols + 6000 + 24;
        AddTestCase(
            new messaging::tests::CalmLatencyTestCase<WifiNetwork>(
                {{.name = "wifi", .frame = air, .packet = air, .tolerance = 2, .header = 16}}),
            Duration::QUICK);
        AddTestCase(new LossTestCase<WifiNetwork>(
                        {{.name = "near", .frames = 100, .broadcast = true},
                         {.name = "overload", .place = "transmit queue", .frames = 1500},
                         {.name = "far",
                          .attributes = {{"Radius", "45"}},
                          .place = "ra",
                          .peers = 8,
                          .frames = 50,
                          .broadcast = true},
                         {.name = "out of range",
                          .attributes = {{"Radius", "500"}},
                          .place = "retry limit",
                          .frames = 50}}),
                    Duration::QUICK);
        AddTestCase(new WifiNetworkTestCase, Duration::QUICK);
        AddTestCase(new DataModeTestCase, Duration::QUICK);
    }
};

/** The one instance. */
static WifiNetworkTestSuite g_wifiNetworkTestSuite;

} // namespace tests
} // namespace messaging_wifi
} // namespace ns3
