/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/application-container.h"
#include "ns3/csma-helper.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/idempotent-protocol.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/messaging-audit.h"
#include "ns3/messaging-net-device-port.h"
#include "ns3/messaging-socket-group.h"
#include "ns3/messaging-traffic-helper.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/pointer.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"
#include "ns3/wormhole-helper.h"
#include "ns3/wormhole-network.h"

#include <string>
#include <vector>

/**
 * @file
 * @ingroup idempotent
 * Two protocols over two networks, with the same applications and the same audit: idempotent
 * messaging and ns-3's TCP, over wormhole routers and over csma.
 */

namespace ns3
{
namespace idempotent
{
namespace tests
{
namespace
{

using messaging::BenchmarkHelper;

constexpr uint32_t PEERS = 16; ///< Peers of a group.
constexpr uint32_t SIZE = 64;  ///< Size of a message [bytes].
constexpr uint32_t ROUNDS = 5; ///< Rounds of a benchmark.

/** A cell of the matrix: runs the benchmarks on one protocol over one network. */
class MatrixCase : public TestCase
{
  public:
    /**
     * Constructor.
     * @param name the protocol and the network
     */
    explicit MatrixCase(const std::string& name)
        : TestCase(name)
    {
    }

  protected:
    /**
     * Build network and protocol.
     * @return the group
     */
    virtual Ptr<messaging::MessageGroup> Build() = 0;

    /** @return the time span in which the peers start, each at its own time. */
    virtual Time GetSpread() const
    {
        return Time();
    }

    NodeContainer m_nodes;             ///< Nodes, if the network has any.
    Ptr<messaging::TickClock> m_clock; ///< Clock, if there is one.
    std::vector<Ptr<Object>> m_parts;  ///< Objects to be disposed of at the end.

  private:
    /**
     * Run a benchmark.
     * @param name its name
     * @param messages its number of messages
     */
    void RunOnce(const std::string& name, uint64_t messages)
    {
        auto group = Build();
        auto audit = CreateObject<messaging::DeliveryAudit>();
        audit->SetGroup(group);
        BenchmarkHelper helper(name);
        helper.SetAttribute("Size", UintegerValue(SIZE));
        helper.SetAttribute("Rounds", UintegerValue(ROUNDS));
        helper.SetAttribute("Warmup", UintegerValue(0));
        const auto session = helper.Install(audit, m_nodes);
        if (GetSpread() > Time())
        {
            auto start = CreateObject<UniformRandomVariable>();
            start->SetStream(7);
            start->SetAttribute("Max", DoubleValue(GetSpread().GetSeconds()));
            helper.GetApplications().StartWithJitter(Time(), start);
        }
        Simulator::Stop(Seconds(1000));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(session->IsFinished(), true, name << ": " << session->GetFailure());
        NS_TEST_EXPECT_MSG_EQ(audit->Finish(), true, name << ": " << audit->GetFirstViolation());
        NS_TEST_EXPECT_MSG_EQ(audit->GetCounts().delivered, messages, name << ": messages");
        NS_TEST_EXPECT_MSG_EQ(audit->GetCounts().completed, messages, name << ": ends of messages");
        NS_TEST_EXPECT_MSG_GT(session->GetElapsed(), Time(0), name << ": takes time");
        Simulator::Destroy();
        audit->Dispose();
        group->Dispose();
        for (auto& part : m_parts)
        {
            part->Dispose();
        }
        m_parts.clear();
        m_clock = nullptr;
        m_nodes = NodeContainer();
    }

    void DoRun() override
    {
        RunOnce("all-to-all", PEERS * (PEERS - 1) * ROUNDS);
        RunOnce("ping-pong", PEERS * ROUNDS);
    }
};

/**
 * Make csma devices.
 * @param nodes the nodes
 * @return their devices
 */
NetDeviceContainer
InstallCsma(const NodeContainer& nodes)
{
    CsmaHelper csma;
    csma.SetChannelAttribute("DataRate", DataRateValue(DataRate("100Mbps")));
    csma.SetChannelAttribute("Delay", TimeValue(MicroSeconds(1)));
    auto devices = csma.Install(nodes);
    csma.AssignStreams(devices, 1);
    return devices;
}

/**
 * Make a group over TCP.
 * @param nodes the nodes
 * @param devices their devices
 * @return the group
 */
Ptr<messaging::MessageGroup>
MakeTcp(const NodeContainer& nodes, const NetDeviceContainer& devices)
{
    InternetStackHelper internet;
    internet.Install(nodes);
    internet.AssignStreams(nodes, 1000);
    const auto interfaces = Ipv4AddressHelper("10.0.0.0", "255.255.255.0").Assign(devices);
    std::vector<Address> addresses;
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        addresses.emplace_back(InetSocketAddress(interfaces.GetAddress(i), 4000));
    }
    auto group = CreateObject<messaging::SocketGroup>();
    group->Connect(nodes, addresses);
    return group;
}

/** Idempotent messaging over wormhole routers. */
class IdempotentWormholeCase : public MatrixCase
{
  public:
    /**
     * Constructor.
     * @param router the kind of the routers
     */
    explicit IdempotentWormholeCase(const std::string& router)
        : MatrixCase("idempotent messaging over " + router + " wormhole routers"),
          m_router(router)
    {
    }

  private:
    Ptr<messaging::MessageGroup> Build() override
    {
        m_clock = CreateObject<messaging::TickClock>();
        auto network = CreateObject<wormhole::WormholeNetwork>();
        network->SetAttribute("Nodes", UintegerValue(PEERS));
        network->SetAttribute("Router", StringValue(m_router));
        network->SetClock(m_clock);
        auto group = CreateObject<IdempotentPortGroup<wormhole::WormholePort>>();
        group->Connect(m_clock, network->GetNativePort());
        m_parts = {network, m_clock};
        return group;
    }

    std::string m_router; ///< Kind of the routers.
};

/** Idempotent messaging over csma devices. */
class IdempotentCsmaCase : public MatrixCase
{
  public:
    IdempotentCsmaCase()
        : MatrixCase("idempotent messaging over csma")
    {
    }

  private:
    Ptr<messaging::MessageGroup> Build() override
    {
        m_clock = CreateObject<messaging::TickClock>();
        m_nodes.Create(PEERS);
        auto port = CreateObject<messaging::NetDevicePort>();
        port->Connect(m_clock, InstallCsma(m_nodes));
        m_parts = {port, m_clock};
        const auto group = CreateObject<IdempotentProtocol>()->ConnectPort(m_clock, port);
        messaging::Frame longest;
        longest.payload = port->GetInfo().mtu;
        const auto cycle = port->WireTicks(longest);
        NS_TEST_EXPECT_MSG_EQ(port->GetInfo().cycle, 0, "csma has no cycle");
        NS_TEST_EXPECT_MSG_GT(cycle, 100000, "1500 bytes take more than 0.1 ms");
        NS_TEST_EXPECT_MSG_EQ(group->GetConfig().backoff.Get(2, 0),
                              12 * cycle,
                              "C n^2 counts times of the longest frame");
        return group;
    }
};

/** TCP over csma devices. */
class TcpCsmaCase : public MatrixCase
{
  public:
    TcpCsmaCase()
        : MatrixCase("TCP over csma")
    {
    }

  private:
    Ptr<messaging::MessageGroup> Build() override
    {
        m_nodes.Create(PEERS);
        return MakeTcp(m_nodes, InstallCsma(m_nodes));
    }
};

/**
 * TCP over wormhole devices.
 *
 * Over lossy routers the peers must not all begin at once. ns-3's TCP repeats a SYN after exactly
 * 3, 6, 12 s and so on. Since the network is deterministic, collided SYNs would collide again each
 * time, until some connection gives up. Start times that differ by some microseconds suffice.
 */
class TcpWormholeCase : public MatrixCase
{
  public:
    /**
     * Constructor.
     * @param router the kind of the routers
     */
    explicit TcpWormholeCase(const std::string& router)
        : MatrixCase("TCP over " + router + " wormhole routers"),
          m_router(router)
    {
    }

  private:
    Ptr<messaging::MessageGroup> Build() override
    {
        m_nodes.Create(PEERS);
        wormhole::WormholeHelper wormhole;
        wormhole.SetNetworkAttribute("Router", StringValue(m_router));
        const auto devices = wormhole.Install(m_nodes);
        wormhole::WormholeHelper::AssignStreams(devices, 1);
        return MakeTcp(m_nodes, devices);
    }

    Time GetSpread() const override
    {
        return m_router == "lossy" ? MilliSeconds(1) : Time();
    }

    std::string m_router; ///< Kind of the routers.
};

/** Limits of the network and of the protocol. */
class LimitsTestCase : public TestCase
{
  public:
    LimitsTestCase()
        : TestCase("a message longer than the network's frames is refused, and so is a network "
                   "that reorders without a bound, or has too many nodes")
    {
    }

  private:
    void DoRun() override
    {
        auto clock = CreateObject<messaging::TickClock>();
        auto network = CreateObject<wormhole::WormholeNetwork>();
        network->SetAttribute("Nodes", UintegerValue(PEERS));
        network->SetAttribute("Mtu", UintegerValue(64));
        network->SetClock(clock);
        auto group = CreateObject<IdempotentPortGroup<wormhole::WormholePort>>();
        group->Connect(clock, network->GetNativePort());
        messaging::Request request{.to = 1, .bytes = 64 - ACK_BYTES};
        NS_TEST_EXPECT_MSG_EQ(group->Post(0, request), messaging::Acceptance::ACCEPTED, "64 bytes");
        ++request.bytes;
        NS_TEST_EXPECT_MSG_EQ(group->Post(0, request), messaging::Acceptance::REFUSED, "65 bytes");

        messaging::PortInfo info{.mtu = 64, .maxSlip = messaging::NEVER};
        IdempotentSettings settings;
        NS_TEST_EXPECT_MSG_EQ(
            settings.Check(info, PEERS),
            "Retention is auto, but the network reorders without a bound; give a number of cycles.",
            "no bound");
        NS_TEST_EXPECT_MSG_EQ(settings.Check(info, (1U << 20) + 1),
                              "An ACK can name up to 1048576 nodes; there are 1048577.",
                              "too many");
        settings.retention = "100";
        NS_TEST_EXPECT_MSG_EQ(settings.Check(info, 1U << 20), "", "a bound is given");
        settings.config.variant = Variant::SHORT_IDS;
        NS_TEST_EXPECT_MSG_EQ(settings.Check(),
                              "IdBits is 54 with short IDs; short IDs have 1 to 16 bits.",
                              "short IDs");
        for (const Ptr<Object>& part : std::vector<Ptr<Object>>{group, network, clock})
        {
            part->Dispose();
        }
        Simulator::Destroy();
    }
};

/** The suite. */
class MatrixTestSuite : public TestSuite
{
  public:
    MatrixTestSuite()
        : TestSuite("idempotent-matrix", Type::SYSTEM)
    {
        AddTestCase(new LimitsTestCase, TestCase::Duration::QUICK);
        AddTestCase(new IdempotentWormholeCase("lossy"), TestCase::Duration::QUICK);
        AddTestCase(new IdempotentWormholeCase("hybrid"), TestCase::Duration::QUICK);
        AddTestCase(new IdempotentWormholeCase("buffered"), TestCase::Duration::QUICK);
        AddTestCase(new IdempotentCsmaCase, TestCase::Duration::QUICK);
        AddTestCase(new TcpWormholeCase("lossy"), TestCase::Duration::QUICK);
        AddTestCase(new TcpWormholeCase("hybrid"), TestCase::Duration::QUICK);
        AddTestCase(new TcpWormholeCase("buffered"), TestCase::Duration::QUICK);
        AddTestCase(new TcpCsmaCase, TestCase::Duration::QUICK);
    }
};

MatrixTestSuite g_matrixTestSuite; ///< Registers itself.

} // namespace
} // namespace tests
} // namespace idempotent
} // namespace ns3
