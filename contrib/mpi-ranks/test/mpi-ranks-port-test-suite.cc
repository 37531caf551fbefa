/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mpi-ranks-notebook.h"

#include "ns3/csma-helper.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/infiniband-helper.h"
#include "ns3/messaging-audit.h"
#include "ns3/messaging-faulty-port.h"
#include "ns3/messaging-loopback-port.h"
#include "ns3/messaging-net-device-port.h"
#include "ns3/messaging-traffic-helper.h"
#include "ns3/mpi-ranks-core-group.h"
#include "ns3/mpi-ranks-protocol.h"
#include "ns3/node-container.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

/**
 * @file
 * @ingroup mpi-ranks
 * The protocol over ports that lose, repeat and reorder frames, and over network devices, under the
 * delivery audit.
 */

namespace ns3
{
namespace ranks
{
namespace tests
{
namespace
{

using infiniband::Transport;

/** Faults of a port. */
struct Trouble
{
    double loss;       ///< Loss probability of a frame.
    double repetition; ///< Duplication probability.
    double reordering; ///< Reordering probability.
    double corruption; ///< Corruption probability; corrupted frames are dropped.
};

/** Random traffic over a port with faults. */
class TroubleTest : public TestCase
{
  public:
    /**
     * Constructor.
     * @param transport the transport that determines the protocol's traits
     * @param reliability reliability in software
     * @param trouble the faults
     * @param largest longest message [bytes]
     */
    TroubleTest(Transport transport, bool reliability, const Trouble& trouble, uint32_t largest)
        : TestCase(std::string(reliability ? "reliable" : "native") + ", transport " +
                   std::to_string(static_cast<unsigned>(transport)) + ", messages up to " +
                   std::to_string(largest) + " bytes, losses of " + std::to_string(trouble.loss)),
          m_transport(transport),
          m_reliability(reliability),
          m_trouble(trouble),
          m_largest(largest)
    {
    }

  private:
    using Port = messaging::FaultyPort<messaging::LoopbackPort>; ///< The network.

    void DoRun() override
    {
        constexpr uint32_t RANKS = 6;
        constexpr uint32_t MESSAGES = 2000;
        const auto clock = CreateObject<messaging::TickClock>();
        const auto loopback =
            Create<messaging::LoopbackPort>(clock,
                                            RANKS,
                                            messaging::LoopbackOptions{.latency = 5000});
        const auto faults = CreateObject<messaging::FaultPlan>();
        faults->SetAttribute("Loss", DoubleValue(m_trouble.loss));
        faults->SetAttribute("Duplication", DoubleValue(m_trouble.repetition));
        faults->SetAttribute("Reordering", DoubleValue(m_trouble.reordering));
        faults->SetAttribute("Corruption", DoubleValue(m_trouble.corruption));
        faults->SetAttribute("ReorderBound", UintegerValue(50000));
        faults->AssignStreams(5);
        RankConfig config =
            MakeConfig(m_transport, m_reliability, 2048, m_trouble.reordering > 0 ? 2 : 1);
        config.timeout = 200000;
        const auto group = CreateObject<RankCoreGroup<Port>>();
        NS_TEST_ASSERT_MSG_EQ(group->Connect(clock, Create<Port>(clock, loopback, faults), config),
                              "",
                              "sound constants");
        const auto audit = CreateObject<messaging::DeliveryAudit>();
        // Large messages end later than small ones sent after them, as MPI permits.
        audit->SetAttribute("Ordered", BooleanValue(m_largest < config.eagerLimit));
        audit->SetAttribute("Reliable", BooleanValue(m_reliability || m_trouble.loss == 0));
        audit->SetGroup(group);
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(9);
        uint64_t posted = 0;
        for (uint32_t i = 0; i < MESSAGES; ++i)
        {
            const Peer from = random->GetInteger(0, RANKS - 1);
            const Peer to = (from + random->GetInteger(1, RANKS - 1)) % RANKS;
            const Request request{.id = i,
                                  .to = to,
                                  .bytes = random->GetInteger(0, m_largest),
                                  .tag = i};
            Simulator::Schedule(NanoSeconds(random->GetInteger(0, 20000000)), [&, from, request] {
                posted += audit->Post(from, request) == Acceptance::ACCEPTED;
            });
        }
        Simulator::Stop(Seconds(10));
        Simulator::Run();
        const bool clean = audit->Finish();
        const auto& counts = audit->GetCounts();
        NS_TEST_EXPECT_MSG_EQ(posted, MESSAGES, "nothing is refused");
        NS_TEST_EXPECT_MSG_EQ(counts.duplicates + counts.misordered + counts.falsehoods,
                              0U,
                              audit->GetFirstViolation());
        if (m_reliability || m_trouble.loss == 0)
        {
            NS_TEST_EXPECT_MSG_EQ(clean, true, audit->GetFirstViolation());
            NS_TEST_EXPECT_MSG_EQ(counts.delivered, MESSAGES, "all arrive");
            NS_TEST_EXPECT_MSG_EQ(counts.completed, MESSAGES, "all senders know");
            for (Peer rank = 0; rank < RANKS; ++rank)
            {
                NS_TEST_EXPECT_MSG_EQ(group->GetRank(rank).GetNUnacknowledged(), 0U, "no rest");
                NS_TEST_EXPECT_MSG_EQ(group->GetRank(rank).GetBacklog(), 0U, "no rest");
            }
            NS_TEST_EXPECT_MSG_EQ(clock->GetNPending(), 0U, "timers rest");
        }
        else
        {
            NS_TEST_EXPECT_MSG_LT(counts.delivered, MESSAGES, "the audit reports the holes");
            NS_TEST_EXPECT_MSG_GT(group->GetEventCount(Event::HOLE), 0U, "so does the protocol");
        }
        const bool retransmits = m_reliability && m_trouble.loss > 0;
        NS_TEST_EXPECT_MSG_EQ((group->GetEventCount(Event::RETRANSMITTED) > 0),
                              retransmits,
                              "C-09: only lost frames are sent again");
        if (m_reliability && m_trouble.repetition > 0)
        {
            NS_TEST_EXPECT_MSG_GT(group->GetEventCount(Event::DUPLICATE), 0U, "C-10: discarded");
        }
        if (retransmits && m_transport == Transport::UC && m_largest >= config.eagerLimit)
        {
            NS_TEST_EXPECT_MSG_GT(group->GetEventCount(Event::DATA_RESENT), 0U, "C-13");
        }
        audit->Dispose();
        group->Dispose();
        Simulator::Destroy();
    }

    Transport m_transport; ///< Transport.
    bool m_reliability;    ///< Reliability in software.
    Trouble m_trouble;     ///< The faults.
    uint32_t m_largest;    ///< Longest message [bytes].
};

/** A port with other properties than the network has. */
class DescribedPort : public messaging::ForwardingPort<messaging::AnyPort>
{
  public:
    /** Constructor. @param port the port @param info its properties */
    DescribedPort(Ptr<messaging::AnyPort> port, const messaging::PortInfo& info)
        : ForwardingPort(port),
          m_info(info)
    {
    }

    messaging::PortInfo GetInfo() const override
    {
        return m_info;
    }

  private:
    messaging::PortInfo m_info; ///< Its properties.
};

/** The protocol found by name keeps its promise, with and without losses. */
class ProtocolTest : public TestCase
{
  public:
    /**
     * Constructor.
     * @param design the design
     * @param loss loss probability of a frame
     */
    ProtocolTest(const std::string& design, double loss)
        : TestCase("mpi, " + design + ", losses of " + std::to_string(loss)),
          m_design(design),
          m_loss(loss)
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t RANKS = 6;
        constexpr uint32_t MESSAGES = 2000;
        const bool reliable = m_design.ends_with("-reliable");
        const bool datagrams = m_design.starts_with("ud");
        const auto created = messaging::CreateByName(messaging::Protocol::GetTypeId(), "mpi");
        const auto protocol = DynamicCast<messaging::Protocol>(created);
        NS_TEST_ASSERT_MSG_NE(protocol, nullptr, "found by name");
        protocol->SetAttribute("Design", StringValue(m_design));
        const auto clock = CreateObject<messaging::TickClock>();
        const auto loopback = Create<messaging::LoopbackPort>(
            clock,
            RANKS,
            messaging::LoopbackOptions{.latency = 5000, .mtu = 1 << 30});
        const auto faults = CreateObject<messaging::FaultPlan>();
        faults->SetAttribute("Loss", DoubleValue(m_loss));
        faults->AssignStreams(5);
        using Faulty = messaging::FaultyPort<messaging::LoopbackPort>;
        messaging::PortInfo info = loopback->GetInfo();
        info.lossless = m_loss == 0;
        info.rdma = false;
        NS_TEST_EXPECT_MSG_EQ(protocol->Check(info, RANKS).empty(),
                              datagrams,
                              "RC and UC need RDMA");
        info.rdma = !datagrams;
        const std::string wrong = protocol->Check(info, RANKS);
        if (m_design == "rc-native")
        {
            messaging::PortInfo reordering = info;
            reordering.ordered = false;
            NS_TEST_EXPECT_MSG_NE(protocol->Check(reordering, RANKS).find("rc-reliable"),
                                  std::string::npos,
                                  "the transport has to keep order");
        }
        NS_TEST_ASSERT_MSG_EQ(wrong, "", "makes sense");
        messaging::Site site;
        site.clock = clock;
        const auto faulty = Create<Faulty>(clock, loopback, faults);
        site.port = Create<DescribedPort>(faulty, info);
        const auto group = protocol->Connect(site);
        const messaging::Promise promise = protocol->GetPromise(info);
        NS_TEST_EXPECT_MSG_EQ(promise.complete, (m_loss == 0), "delivery");
        NS_TEST_EXPECT_MSG_EQ(promise.IsReliable(), (reliable || m_loss == 0), "or a report");
        const auto audit = CreateObject<messaging::DeliveryAudit>();
        audit->SetAttribute("Ordered", BooleanValue(promise.ordered));
        audit->SetAttribute("Reliable", BooleanValue(promise.IsReliable()));
        audit->SetGroup(group);
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(9);
        uint64_t posted = 0;
        for (uint32_t i = 0; i < MESSAGES; ++i)
        {
            const Peer from = random->GetInteger(0, RANKS - 1);
            const Peer to = (from + random->GetInteger(1, RANKS - 1)) % RANKS;
            const Request request{.id = i, .to = to, .bytes = random->GetInteger(0, 30000)};
            Simulator::Schedule(NanoSeconds(random->GetInteger(0, 20000000)), [&, from, request] {
                posted += audit->Post(from, request) == Acceptance::ACCEPTED;
            });
        }
        Simulator::Stop(Seconds(100));
        Simulator::Run();
        const bool clean = audit->Finish();
        const auto& counts = audit->GetCounts();
        NS_TEST_EXPECT_MSG_EQ(posted, MESSAGES, "nothing is refused");
        NS_TEST_EXPECT_MSG_EQ(counts.duplicates, 0U, audit->GetFirstViolation());
        uint64_t resent = 0;
        for (const auto& [name, count] : protocol->GetCounts())
        {
            if (name == "retransmitted")
            {
                resent += count;
            }
        }
        NS_TEST_EXPECT_MSG_EQ((resent > 0), (reliable && m_loss > 0), "C-09, and nothing else");
        NS_TEST_EXPECT_MSG_GT(protocol->GetMemory().value(), sizeof(RankCore), "memory of a rank");
        if (promise.IsReliable())
        {
            NS_TEST_EXPECT_MSG_EQ(clean, true, audit->GetFirstViolation());
            NS_TEST_EXPECT_MSG_EQ(counts.delivered, MESSAGES, "all arrive");
        }
        else
        {
            NS_TEST_EXPECT_MSG_LT(counts.delivered, MESSAGES, "the audit reports the holes");
        }
        audit->Dispose();
        protocol->Dispose();
        group->Dispose();
        Simulator::Destroy();
    }

    std::string m_design; ///< Design.
    double m_loss;        ///< Loss probability of a frame.
};

/** A port that loses all frames from rank 1 but its ACKs. */
class AcksOnlyPort : public messaging::ForwardingPort<messaging::LoopbackPort>
{
  public:
    using ForwardingPort::ForwardingPort;

    bool Send(Peer self, Peer to, const Frame& frame) override
    {
        const bool isAck = static_cast<FrameKind>(frame.kind) == FrameKind::ACK;
        return (self == 1 && !isAck) || ForwardingPort::Send(self, to, frame);
    }
};

/**
 * The receiver of a large message gives its sender up between RTS and CTS. The sender's own timer
 * does not notice, since the RTS was acknowledged, so the group fails its connection.
 */
class GivenUpTest : public TestCase
{
  public:
    GivenUpTest()
        : TestCase("a rank that is given up, between RTS and CTS")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t LARGE = 20'000;
        const auto clock = CreateObject<messaging::TickClock>();
        const auto loopback =
            Create<messaging::LoopbackPort>(clock, 2, messaging::LoopbackOptions{.latency = 5000});
        RankConfig config = MakeConfig(Transport::UD, true, 2048, 1);
        config.timeout = 200'000;
        config.maxRetries = 3;
        const auto group = CreateObject<RankCoreGroup<messaging::AnyPort>>();
        NS_TEST_ASSERT_MSG_EQ(group->Connect(clock, Create<AcksOnlyPort>(loopback), config),
                              "",
                              "sound constants");
        const auto audit = CreateObject<messaging::DeliveryAudit>();
        audit->SetGroup(group);
        audit->Post(0, {.id = 0, .to = 1, .bytes = LARGE});
        Simulator::Stop(Seconds(1));
        Simulator::Run();
        audit->Finish();
        NS_TEST_EXPECT_MSG_EQ(group->GetEventCount(Event::PEER_LOST), 2U, "both ends know");
        NS_TEST_EXPECT_MSG_EQ(audit->GetCounts().failed, 1U, "the message is reported");
        NS_TEST_EXPECT_MSG_EQ(clock->GetNPending(), 0U, "timers rest");
        audit->Dispose();
        group->Dispose();
        Simulator::Destroy();
    }
};

constexpr uint32_t PEERS = 16; ///< Peers of a group.
constexpr uint32_t ROUNDS = 5; ///< Rounds of a benchmark.

/** Benchmark applications over network devices. */
class NetworkTest : public TestCase
{
  public:
    /** Networks. */
    enum class Network : uint8_t
    {
        CSMA,       ///< csma devices of ns-3.
        INFINIBAND, ///< IP over InfiniBand.
        CORRUPTING  ///< IP over InfiniBand with corrupting links.
    };

    /**
     * Constructor.
     * @param name name of the network
     * @param network the network
     * @param reliability reliability in software
     * @param timeout t_timeout [ticks]
     */
    NetworkTest(const std::string& name, Network network, bool reliability, Ticks timeout)
        : TestCase(std::string(reliability ? "reliable" : "native") + " over " + name),
          m_network(network),
          m_reliability(reliability),
          m_timeout(timeout)
    {
    }

  private:
    /** @return the network. @param clock counts its ticks */
    Ptr<messaging::NetDevicePort> Build(Ptr<messaging::TickClock> clock)
    {
        m_nodes.Create(PEERS);
        NetDeviceContainer devices;
        if (m_network == Network::CSMA)
        {
            CsmaHelper csma;
            csma.SetChannelAttribute("DataRate", DataRateValue(DataRate("1Gbps")));
            csma.SetChannelAttribute("Delay", TimeValue(MicroSeconds(1)));
            devices = csma.Install(m_nodes);
            csma.AssignStreams(devices, 1);
        }
        else
        {
            infiniband::InfinibandHelper helper;
            const bool corrupts = m_network == Network::CORRUPTING;
            helper.SetAttribute("Corruption", DoubleValue(corrupts ? 0.01 : 0));
            devices = helper.Install(m_nodes);
            infiniband::InfinibandHelper::AssignStreams(devices, 1);
        }
        auto port = CreateObject<messaging::NetDevicePort>();
        port->Connect(clock, devices);
        return port;
    }

    /**
     * Run a benchmark.
     * @param benchmark name of the benchmark
     * @param size size of a message [bytes]
     * @param messages its number of messages
     */
    void RunOnce(const std::string& benchmark, uint32_t size, uint64_t messages)
    {
        const auto clock = CreateObject<messaging::TickClock>();
        const auto port = Build(clock);
        RankConfig config;
        config.traits = port->GetInfo();
        config.reliability = m_reliability;
        config.timeout = m_timeout;
        const auto group = CreateObject<RankCoreGroup<messaging::NetDevicePort>>();
        NS_TEST_ASSERT_MSG_EQ(group->Connect(clock, port, config), "", "sound constants");
        const auto audit = CreateObject<messaging::DeliveryAudit>();
        audit->SetAttribute("Reliable", BooleanValue(true));
        audit->SetAttribute("Ordered", BooleanValue(true));
        audit->SetGroup(group);
        messaging::BenchmarkHelper helper(benchmark);
        helper.SetAttribute("Size", UintegerValue(size));
        helper.SetAttribute("Rounds", UintegerValue(ROUNDS));
        helper.SetAttribute("Warmup", UintegerValue(0));
        const auto session = helper.Install(audit, m_nodes);
        Simulator::Stop(Seconds(100));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(session->IsFinished(), true, session->GetFailure());
        NS_TEST_EXPECT_MSG_EQ(audit->Finish(), true, audit->GetFirstViolation());
        NS_TEST_EXPECT_MSG_EQ(audit->GetCounts().delivered, messages, "messages");
        NS_TEST_EXPECT_MSG_EQ(audit->GetCounts().completed, messages, "ends of messages");
        Simulator::Destroy();
        audit->Dispose();
        group->Dispose();
        port->Dispose();
        clock->Dispose();
        m_nodes = NodeContainer();
    }

    void DoRun() override
    {
        RunOnce("all-to-all", 64, PEERS * (PEERS - 1) * ROUNDS);
        RunOnce("ping-pong", 3000, PEERS * ROUNDS);
        RunOnce("ping-pong", 20000, PEERS * ROUNDS);
    }

    Network m_network;     ///< The network.
    bool m_reliability;    ///< Reliability in software.
    Ticks m_timeout;       ///< t_timeout [ticks].
    NodeContainer m_nodes; ///< Nodes.
};

/** The suite. */
class PortTestSuite : public TestSuite
{
  public:
    PortTestSuite()
        : TestSuite("mpi-ranks-port", Type::SYSTEM)
    {
        const Trouble nothing{0, 0, 0, 0};
        const Trouble losses{0.02, 0, 0, 0.01};
        const Trouble paths{0, 0, 0.2, 0};
        const Trouble all{0.05, 0.05, 0.1, 0.02};
        const Trouble repeats{0, 0.1, 0, 0};
        for (const auto transport : {Transport::RC, Transport::UC, Transport::UD})
        {
            for (const uint32_t largest : {8000, 30000})
            {
                const auto add = [&](bool reliability, const Trouble& trouble) {
                    AddTestCase(new TroubleTest(transport, reliability, trouble, largest),
                                TestCase::Duration::QUICK);
                };
                add(false, nothing);
                add(true, nothing);
                if (transport == Transport::RC)
                {
                    continue;
                }
                add(false, paths);
                add(true, paths);
                add(true, repeats);
                add(true, losses);
                add(true, all);
                if (largest < 8192)
                {
                    add(false, losses);
                }
            }
        }
        using Network = NetworkTest::Network;
        const auto add = [this](TestCase* test) { AddTestCase(test, TestCase::Duration::QUICK); };
        for (const double loss : {0.0, 0.02})
        {
            for (const char* transport : {"rc", "uc", "ud"})
            {
                add(new ProtocolTest(std::string(transport) + "-native", loss));
                add(new ProtocolTest(std::string(transport) + "-reliable", loss));
            }
        }
        add(new GivenUpTest());
        add(new NetworkTest("csma", Network::CSMA, true, 20'000'000));
        add(new NetworkTest("IP over InfiniBand", Network::INFINIBAND, false, 1'000'000));
        add(new NetworkTest("IP over InfiniBand", Network::INFINIBAND, true, 1'000'000));
        add(new NetworkTest("links that corrupt", Network::CORRUPTING, true, 1'000'000));
    }
};

/** Registers the suite. */
const PortTestSuite g_portTestSuite;

} // namespace
} // namespace tests
} // namespace ranks
} // namespace ns3
