/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/csma-helper.h"
#include "ns3/messaging-host-helper.h"
#include "ns3/messaging-net-device-conformance.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/simple-net-device-helper.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

/**
 * @file
 * @ingroup messaging
 * Runs the NetDevice conformance checks on devices of ns-3, and on devices with a known fault.
 */

namespace ns3
{
namespace messaging
{
namespace tests
{

namespace
{

/**
 * Describe the behaviour of csma.
 * @param nodes number of nodes
 * @return the checks
 */
NetDeviceConformance
DescribeCsma(uint32_t nodes)
{
    NetDeviceConformance conformance{[nodes] {
        NetDeviceConformance::Network network;
        network.nodes.Create(nodes);
        CsmaHelper csma;
        csma.SetChannelAttribute("DataRate", StringValue("100Mbps"));
        csma.SetChannelAttribute("Delay", TimeValue(MicroSeconds(1)));
        network.devices = csma.Install(network.nodes);
        return network;
    }};
    conformance.SetPcapHelper<CsmaHelper>();
    conformance.assignStreams = [](const auto& network, int64_t stream) {
        return CsmaHelper().AssignStreams(network.devices, stream);
    };
    conformance.exceptions["mtu-enforced"] = "csma sends whatever it is given";
    return conformance;
}

/**
 * Describe the behaviour of csma behind a HostNetDevice.
 * @param costly whether the host has costs
 * @return the checks
 */
NetDeviceConformance
DescribeHostNetDevice(bool costly)
{
    NetDeviceConformance conformance{[costly] {
        NetDeviceConformance::Network network;
        network.nodes.Create(3);
        CsmaHelper csma;
        csma.SetChannelAttribute("DataRate", StringValue("100Mbps"));
        csma.SetChannelAttribute("Delay", TimeValue(MicroSeconds(1)));
        csma.SetQueue("ns3::DropTailQueue<Packet>", "MaxSize", StringValue("3p"));
        HostHelper host;
        if (costly)
        {
            host.SetCpus(2);
            host.SetHostAttribute("SystemCall", TimeValue(MicroSeconds(1)));
            host.SetHostAttribute("Interrupt", TimeValue(MicroSeconds(3)));
            host.SetHostAttribute("CopyRate", StringValue("800Mbps"));
            host.SetDeviceAttribute("SendSystemCalls", UintegerValue(1));
            host.SetDeviceAttribute("SendCopies", UintegerValue(1));
            host.SetDeviceAttribute("ReceiveInterrupts", UintegerValue(1));
            host.SetDeviceAttribute("ReceiveCopies", UintegerValue(1));
        }
        network.devices = host.Install(csma.Install(network.nodes));
        for (uint32_t i = 0; costly && i < network.nodes.GetN(); ++i)
        {
            network.nodes.Get(i)->GetObject<HostModel>()->GetMemory()->SetBurst(64);
        }
        return network;
    }};
    conformance.SetPcapHelper<CsmaHelper>();
    conformance.assignStreams = [](const auto& network, int64_t stream) {
        NetDeviceContainer cards;
        for (uint32_t i = 0; i < network.nodes.GetN(); ++i)
        {
            cards.Add(network.nodes.Get(i)->GetDevice(0));
        }
        return CsmaHelper().AssignStreams(cards, stream);
    };
    return conformance;
}

} // namespace

/** Runs all checks on one kind of device. */
class ConformanceTestCase : public TestCase
{
  public:
    /**
     * Construct.
     * @param name name of the device
     * @param conformance the checks
     */
    ConformanceTestCase(const std::string& name, NetDeviceConformance conformance)
        : TestCase(name + " passes the conformance checks"),
          m_conformance(std::move(conformance))
    {
    }

  private:
    void DoRun() override
    {
        for (const auto& finding : m_conformance.Run())
        {
            NS_TEST_EXPECT_MSG_EQ(finding.check + ": " + finding.sentence,
                                  "",
                                  "The device does not conform");
        }
    }

    NetDeviceConformance m_conformance; ///< The checks.
};

/**
 * An unnecessary exception, and one for a nonexistent check, are findings themselves.
 */
class ConformanceExceptionTestCase : public TestCase
{
  public:
    ConformanceExceptionTestCase()
        : TestCase("A needless exception is reported")
    {
    }

  private:
    void DoRun() override
    {
        NetDeviceConformance needless = DescribeCsma(2);
        needless.exceptions["receive"] = "no reason";
        needless.exceptions["recieve"] = "a typing error";
        const auto findings = needless.Run();
        NS_TEST_ASSERT_MSG_EQ(findings.size(), 2, "Both exceptions are reported");
        NS_TEST_EXPECT_MSG_EQ(findings[0].check,
                              "receive",
                              "the exception for a check that passes");
        NS_TEST_EXPECT_MSG_EQ(findings[1].check,
                              "recieve",
                              "the exception for a check that does not exist");
    }
};

/** All conformance tests of the messaging module. */
class ConformanceTestSuite : public TestSuite
{
  public:
    ConformanceTestSuite()
        : TestSuite("messaging-conformance", Type::UNIT)
    {
        AddTestCase(new ConformanceExceptionTestCase, TestCase::Duration::QUICK);
        AddTestCase(new ConformanceTestCase("csma with two nodes", DescribeCsma(2)),
                    TestCase::Duration::QUICK);
        AddTestCase(new ConformanceTestCase("csma with five nodes", DescribeCsma(5)),
                    TestCase::Duration::QUICK);

        AddTestCase(
            new ConformanceTestCase("csma behind a free host", DescribeHostNetDevice(false)),
            TestCase::Duration::QUICK);
        AddTestCase(
            new ConformanceTestCase("csma behind a host that charges", DescribeHostNetDevice(true)),
            TestCase::Duration::QUICK);

        NetDeviceConformance pointToPoint{[] {
            NetDeviceConformance::Network network;
            network.nodes.Create(2);
            PointToPointHelper helper;
            helper.SetDeviceAttribute("DataRate", StringValue("100Mbps"));
            network.devices = helper.Install(network.nodes);
            return network;
        }};
        pointToPoint.SetPcapHelper<PointToPointHelper>();
        pointToPoint.exceptions["mtu-enforced"] = "point-to-point sends whatever it is given";
        pointToPoint.exceptions["assign-streams"] =
            "point-to-point draws no random numbers and has no such method";
        AddTestCase(new ConformanceTestCase("point-to-point", pointToPoint),
                    TestCase::Duration::QUICK);

        NetDeviceConformance wrapped{[] {
            NetDeviceConformance::Network network;
            network.nodes.Create(2);
            PointToPointHelper helper;
            helper.SetDeviceAttribute("DataRate", StringValue("100Mbps"));
            helper.SetQueue("ns3::DropTailQueue<Packet>", "MaxSize", StringValue("3p"));
            network.devices = HostHelper().Install(helper.Install(network.nodes));
            return network;
        }};
        wrapped.SetPcapHelper<PointToPointHelper>();
        wrapped.exceptions["assign-streams"] = "neither device draws random numbers";
        AddTestCase(new ConformanceTestCase("point-to-point behind a free host", wrapped),
                    TestCase::Duration::QUICK);

        NetDeviceConformance simple{[] {
            NetDeviceConformance::Network network;
            network.nodes.Create(3);
            SimpleNetDeviceHelper helper;
            helper.SetDeviceAttribute("DataRate", StringValue("100Mbps"));
            network.devices = helper.Install(network.nodes);
            return network;
        }};
        simple.exceptions["queue"] = "SimpleNetDevice refuses frames without a trace";
        simple.exceptions["traces"] = "SimpleNetDevice has none but PhyRxDrop";
        simple.exceptions["assign-streams"] =
            "SimpleNetDevice draws no random numbers and has no such method";
        simple.exceptions["pcap"] = "SimpleNetDevice has no packet capture";
        AddTestCase(new ConformanceTestCase("SimpleNetDevice", simple), TestCase::Duration::QUICK);
    }
};

/** The suite, which registers itself. */
static ConformanceTestSuite g_conformanceTestSuite;

} // namespace tests
} // namespace messaging
} // namespace ns3
