/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/broadcast-ethernet-helper.h"
#include "ns3/broadcast-ethernet-switch.h"
#include "ns3/messaging-net-device-conformance.h"
#include "ns3/output-stream-wrapper.h"
#include "ns3/packet.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"

#include <sstream>
#include <string>

/**
 * @file
 * @ingroup broadcast-ethernet
 * Tests of ascii traces. They are a suite of their own, since the metadata of packets have to be
 * enabled before the first packet of the process.
 */

namespace ns3
{
namespace ethernet
{
namespace tests
{

namespace
{

/**
 * Make two nodes on a switch.
 * @return the network
 */
messaging::NetDeviceConformance::Network
BuildSwitch()
{
    messaging::NetDeviceConformance::Network network;
    network.nodes.Create(2);
    network.devices = EthernetHelper().Install(network.nodes, CreateObject<EthernetSwitch>());
    return network;
}

} // namespace

/** A file for each device, written by the base of all helpers. */
class AsciiFilesTestCase : public TestCase
{
  public:
    AsciiFilesTestCase()
        : TestCase("a file for each device has each queued, dequeued and received frame")
    {
    }

  private:
    void DoRun() override
    {
        Packet::EnablePrinting();
        messaging::NetDeviceConformance conformance{BuildSwitch};
        conformance.SetPcapHelper<EthernetHelper>();
        conformance.SetAsciiHelper<EthernetHelper>();
        conformance.assignStreams = [](const auto& network, int64_t stream) {
            return EthernetHelper::AssignStreams(network.devices, stream);
        };
        for (const auto& finding : conformance.Run())
        {
            NS_TEST_EXPECT_MSG_EQ(finding.check + ": " + finding.sentence,
                                  "",
                                  "The device does not conform");
        }
    }
};

/** A stream of all devices, whose lines name the trace source by its path. */
class AsciiStreamTestCase : public TestCase
{
  public:
    AsciiStreamTestCase()
        : TestCase("the lines of a shared stream have paths, and drops")
    {
    }

  private:
    void DoRun() override
    {
        Packet::EnablePrinting();
        const auto network = BuildSwitch();
        std::ostringstream text;
        EthernetHelper().EnableAscii(Create<OutputStreamWrapper>(&text), network.devices);
        network.devices.Get(1)->SetReceiveCallback(
            [](auto, auto, auto, const auto&) { return true; });
        // One frame in the card, 16 in its ring, and one without a descriptor.
        for (uint32_t i = 0; i < 18; ++i)
        {
            network.devices.Get(0)->Send(Create<Packet>(100),
                                         network.devices.Get(1)->GetAddress(),
                                         0x0800);
        }
        const std::string sender = std::to_string(network.nodes.Get(0)->GetId());
        Simulator::Run();
        const std::string path =
            " /NodeList/" + sender + "/DeviceList/0/$ns3::ethernet::EthernetNetDevice/";
        NS_TEST_EXPECT_MSG_NE(text.str().find("+ 0" + path + "TxQueue/Enqueue ns3::EthernetHeader"),
                              std::string::npos,
                              "a frame is queued");
        NS_TEST_EXPECT_MSG_NE(text.str().find("d 0" + path + "TxQueue/Drop"),
                              std::string::npos,
                              "a frame is dropped");
        NS_TEST_EXPECT_MSG_NE(text.str().find("EthernetNetDevice/MacRx"),
                              std::string::npos,
                              "a frame is received");
        Simulator::Destroy();
    }
};

/** Suite of ascii traces. */
class AsciiTestSuite : public TestSuite
{
  public:
    AsciiTestSuite()
        : TestSuite("broadcast-ethernet-ascii", Type::UNIT)
    {
        AddTestCase(new AsciiFilesTestCase, Duration::QUICK);
        AddTestCase(new AsciiStreamTestCase, Duration::QUICK);
    }
};

static AsciiTestSuite g_asciiTestSuite; ///< Registers the suite.

} // namespace tests
} // namespace ethernet
} // namespace ns3
