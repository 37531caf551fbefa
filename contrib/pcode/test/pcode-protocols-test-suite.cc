/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pcode-rival-crowd.h"

#include "ns3/boolean.h"
#include "ns3/pcode-protocols.h"
#include "ns3/pcode-rival-protocols.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <utility>

/**
 * @file
 * @ingroup pcode
 * P0, P1 and PCODE for applications that post as they like (paper 3, sections 3 to 5).
 */

namespace ns3
{
namespace pcode
{
namespace tests
{
namespace
{

using messaging::DeliveryAudit;
using messaging::FaultPlan;
using messaging::LoopbackPort;
using messaging::TickClock;

/** Exactly one delivery of each message, in order, under random faults. */
class ProtocolsCase : public TestCase
{
  public:
    ProtocolsCase()
        : TestCase("P0, P1 and PCODE deliver what applications post, exactly once, in order")
    {
    }

  private:
    void DoRun() override
    {
        for (const double loss : {0.0, 0.2})
        {
            for (const uint32_t peers : {2, 5})
            {
                Play<P0Protocol>(peers, loss, "P0");
                Play<P1Protocol>(peers, loss, "P1");
                Play<PcodeProtocol>(peers, loss, "PCODE");
            }
        }
        const auto pcode = CreateObject<PcodeProtocol>();
        messaging::PortInfo info{.mtu = 1500};
        NS_TEST_EXPECT_MSG_EQ(pcode->Check(info, 4),
                              "The protocols of paper 3 need a network that broadcasts.",
                              "unicasts alone");
        info.broadcast = true;
        NS_TEST_EXPECT_MSG_EQ(pcode->Check(info, 4), "", "a LAN");
        NS_TEST_EXPECT_MSG_NE(pcode->Check(info, 65), "", "too many nodes");
        info.mtu = 20;
        NS_TEST_EXPECT_MSG_NE(pcode->Check(info, 4), "", "no room for a STATUS");
        for (const uint32_t peers : {2, 64})
        {
            // A rival's frame contains two 32-bit numbers for each node, and 256 bytes.
            info.mtu = 256 + 8 * peers;
            NS_TEST_EXPECT_MSG_EQ(CreateObject<RingProtocol>()->Check(info, peers), "", "fits");
            --info.mtu;
            NS_TEST_EXPECT_MSG_NE(CreateObject<RingProtocol>()->Check(info, peers), "", "short");
        }
        NS_TEST_EXPECT_MSG_EQ(pcode->GetPromise(info).complete, true, "all arrive");
        NS_TEST_EXPECT_MSG_EQ(pcode->GetPromise(info).intact, false, "there is no checksum");
    }

    /**
     * Let all nodes post broadcasts and messages to single nodes.
     * @tparam P the protocol
     * @param peers number of nodes
     * @param loss probability of a loss
     * @param name name of the protocol
     */
    template <class P>
    void Play(uint32_t peers, double loss, const std::string& name)
    {
        using Port = messaging::FaultyPort<LoopbackPort>;
        const auto clock = CreateObject<TickClock>();
        const auto loopback =
            Create<LoopbackPort>(clock,
                                 peers,
                                 messaging::LoopbackOptions{.latency = 300000, .mtu = 1436});
        const auto faults = CreateObject<FaultPlan>();
        faults->SetAttribute("Loss", StringValue(std::to_string(loss)));
        faults->AssignStreams(peers);
        const auto protocol = CreateObject<P>();
        messaging::Site site;
        site.clock = clock;
        site.port = messaging::MakeAnyPort(Create<Port>(clock, loopback, faults));
        const auto group = protocol->Connect(site);
        const auto audit = CreateObject<DeliveryAudit>();
        audit->SetAttribute("Ordered", BooleanValue(true));
        audit->SetGroup(group);
        constexpr uint32_t MESSAGES = 40;
        constexpr uint32_t SINGLES = MESSAGES / 3;
        Crowd crowd(audit, MESSAGES, true);
        crowd.Begin();
        Simulator::Stop(Seconds(60));
        Simulator::Run();
        audit->Finish();
        const std::string run = name + " on " + std::to_string(peers);
        NS_TEST_EXPECT_MSG_EQ(audit->GetFirstViolation(), "", run);
        NS_TEST_EXPECT_MSG_EQ(audit->GetCounts().delivered,
                              peers * ((MESSAGES - SINGLES) * (peers - 1) + SINGLES),
                              run << ": all arrive");
        NS_TEST_EXPECT_MSG_EQ(audit->GetNInFlight(), 0, run << ": all are acknowledged");
        uint64_t resent = 0;
        for (const auto& [event, count] : protocol->GetCounts())
        {
            if (event == "regular-resent")
            {
                resent += count;
            }
        }
        NS_TEST_EXPECT_MSG_EQ((resent > 0), (loss > 0), run << ": resends repair losses alone");
        NS_TEST_EXPECT_MSG_GT(protocol->GetMemory().value(), 0, run << ": memory");
        Simulator::Destroy();
    }
};

/** The suite. */
class ProtocolsTestSuite : public TestSuite
{
  public:
    ProtocolsTestSuite()
        : TestSuite("pcode-protocols", Type::UNIT)
    {
        AddTestCase(new ProtocolsCase, TestCase::Duration::QUICK);
    }
};

ProtocolsTestSuite g_protocolsTestSuite; ///< Registers itself.

} // namespace
} // namespace tests
} // namespace pcode
} // namespace ns3
