/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/boolean.h"
#include "ns3/infiniband-network.h"
#include "ns3/messaging-audit.h"
#include "ns3/mpi-ranks-protocol.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

/**
 * @file
 * @ingroup mpi-ranks
 * The six designs of MPI over the transports of InfiniBand.
 */

namespace ns3
{
namespace ranks
{
namespace tests
{

namespace
{

/** Lengths of messages: empty, both sides of the eager limit, above a frame of RC, and 4 MiB. */
constexpr std::array<uint32_t, 6> LENGTHS{0, 8, 8191, 8192, 70'000, 1 << 22};

/** Ranks of a job. */
constexpr uint32_t RANKS = 3;

/** A design over the transport service that it needs. */
class DesignTestCase : public TestCase
{
  public:
    /**
     * Constructor.
     * @param design the design
     * @param loss loss probability of a packet
     */
    DesignTestCase(const std::string& design, const std::string& loss)
        : TestCase(design + ", packets lost: " + loss),
          m_design(design),
          m_loss(loss)
    {
    }

  private:
    /** Build network and protocol, and connect the group. */
    void Build()
    {
        m_network = CreateObject<infiniband::InfinibandNetwork>();
        m_network->SetAttribute("PacketLoss", StringValue(m_loss));
        m_network->SetAttribute("AckTimeout", StringValue("10000000"));
        m_protocol = CreateObject<MpiProtocol>();
        m_protocol->SetAttribute("Design", StringValue(m_design));
        std::string service = m_design.substr(0, 2);
        std::transform(service.begin(), service.end(), service.begin(), ::toupper);
        NS_TEST_ASSERT_MSG_EQ(m_protocol->GetTransport(), service, "service of the design");
        NS_TEST_ASSERT_MSG_EQ(m_network->UseTransport(service), "", "InfiniBand has it");
        const messaging::PortInfo info = m_network->GetInfo();
        NS_TEST_EXPECT_MSG_EQ(info.rdma, (service != "UD"), "writes of " << service);
        NS_TEST_EXPECT_MSG_EQ(info.reports, (service == "RC"), "reports of " << service);
        NS_TEST_ASSERT_MSG_EQ(m_protocol->Check(info, RANKS), "", "the design runs over it");
        m_promise = m_protocol->GetPromise(info);
        m_network->Build(RANKS);
        m_network->AssignStreams(1);
        m_protocol->SetTransportNetwork(PeekPointer(m_network));
        const auto group = m_protocol->Connect(
            messaging::Site{.clock = m_network->GetClock(), .port = m_network->GetPort()});
        m_audit = CreateObject<messaging::DeliveryAudit>();
        m_audit->SetAttribute("Ordered", BooleanValue(false));
        m_audit->SetAttribute("Reliable", BooleanValue(m_promise.IsReliable()));
        m_audit->SetGroup(group);
        m_group = group;
    }

    void DoRun() override
    {
        Build();
        uint64_t posted = 0;
        for (Peer from = 0; from < RANKS; ++from)
        {
            for (Peer to = 0; to < RANKS; ++to)
            {
                for (const uint32_t bytes : LENGTHS)
                {
                    const Request request{.id = posted, .to = to, .bytes = bytes};
                    NS_TEST_EXPECT_MSG_EQ(m_audit->Post(from, request),
                                          Acceptance::ACCEPTED,
                                          bytes << " bytes to " << to);
                    ++posted;
                }
            }
        }
        Simulator::Stop(Seconds(100));
        Simulator::Run();
        const bool isClean = m_audit->Finish();
        const messaging::AuditCounts& counts = m_audit->GetCounts();
        NS_TEST_EXPECT_MSG_EQ(counts.duplicates, 0U, m_audit->GetFirstViolation());
        NS_TEST_EXPECT_MSG_EQ(counts.falsehoods, 0U, m_audit->GetFirstViolation());
        const bool isCalm = m_loss == "0";
        NS_TEST_EXPECT_MSG_EQ(m_promise.complete, isCalm, "complete without losses");
        const bool isNativeDatagram = m_design == "uc-native" || m_design == "ud-native";
        NS_TEST_EXPECT_MSG_EQ(m_promise.IsReliable(),
                              (isCalm || !isNativeDatagram),
                              "delivers or reports");
        if (isCalm)
        {
            NS_TEST_EXPECT_MSG_EQ(isClean, true, m_audit->GetFirstViolation());
            NS_TEST_EXPECT_MSG_EQ(counts.delivered, posted, "all arrive");
            for (const auto& [name, count] : m_protocol->GetCounts())
            {
                const bool repairs =
                    name == "retransmitted" || name == "data-resent" || name == "duplicate";
                NS_TEST_EXPECT_MSG_EQ((repairs && count > 0), false, name << ": " << count);
            }
        }
        else if (isNativeDatagram)
        {
            NS_TEST_EXPECT_MSG_LT(counts.delivered - counts.corrupted, posted, "some are lost");
        }
        else
        {
            NS_TEST_EXPECT_MSG_EQ(isClean, true, m_audit->GetFirstViolation());
            NS_TEST_EXPECT_MSG_EQ(counts.delivered + counts.abandoned, posted, "or reported");
            NS_TEST_EXPECT_MSG_EQ(counts.corrupted, 0U, m_audit->GetFirstViolation());
        }
        m_audit->Dispose();
        m_group->Dispose();
        m_protocol->Dispose();
        m_network->Dispose();
        Simulator::Destroy();
    }

    std::string m_design;                         ///< Design.
    std::string m_loss;                           ///< Loss probability of a packet.
    Ptr<infiniband::InfinibandNetwork> m_network; ///< The network.
    Ptr<MpiProtocol> m_protocol;                  ///< The protocol.
    Ptr<messaging::MessageGroup> m_group;         ///< The ranks.
    Ptr<messaging::DeliveryAudit> m_audit;        ///< Observes messages.
    messaging::Promise m_promise;                 ///< Guarantees of the design.
};

/** Transports are selected by protocol or user, not by both. */
class TransportTestCase : public TestCase
{
  public:
    TransportTestCase()
        : TestCase("a transport that the user has selected is kept or refused")
    {
    }

  private:
    void DoRun() override
    {
        const auto network = CreateObject<infiniband::InfinibandNetwork>();
        NS_TEST_EXPECT_MSG_EQ(network->UseTransport("UC"), "", "auto");
        NS_TEST_EXPECT_MSG_EQ(network->GetInfo().rdma, true, "UC writes");
        NS_TEST_EXPECT_MSG_EQ(network->UseTransport(""), "", "any");
        NS_TEST_EXPECT_MSG_EQ(network->GetInfo().broadcast, true, "UD by default");
        NS_TEST_EXPECT_MSG_NE(network->UseTransport("RD"), "", "unknown");
        network->SetAttribute("Transport", StringValue("RC"));
        NS_TEST_EXPECT_MSG_EQ(network->UseTransport("RC"), "", "the same");
        NS_TEST_EXPECT_MSG_EQ(network->UseTransport(""), "", "any");
        NS_TEST_EXPECT_MSG_EQ(network->GetInfo().reports, true, "RC reports losses");
        NS_TEST_EXPECT_MSG_NE(network->UseTransport("UD").find("network.Transport"),
                              std::string::npos,
                              "another");
        network->Dispose();
    }
};

/** The suite. */
class DesignsTestSuite : public TestSuite
{
  public:
    DesignsTestSuite()
        : TestSuite("mpi-ranks-designs", Type::SYSTEM)
    {
        AddTestCase(new TransportTestCase, TestCase::Duration::QUICK);
        for (const std::string transport : {"rc", "uc", "ud"})
        {
            for (const std::string mode : {"-native", "-reliable"})
            {
                AddTestCase(new DesignTestCase(transport + mode, "0"), TestCase::Duration::QUICK);
                AddTestCase(new DesignTestCase(transport + mode, "0.002"),
                            TestCase::Duration::QUICK);
            }
        }
        AddTestCase(new DesignTestCase("rc-native", "0.8"), TestCase::Duration::QUICK);
        AddTestCase(new DesignTestCase("rc-reliable", "0.8"), TestCase::Duration::QUICK);
    }
};

/** Registers the suite. */
const DesignsTestSuite g_designsTestSuite;

} // namespace
} // namespace tests
} // namespace ranks
} // namespace ns3
