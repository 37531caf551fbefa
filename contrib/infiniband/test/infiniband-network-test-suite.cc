/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "infiniband-test-fabric.h"

#include "ns3/infiniband-helper.h"
#include "ns3/infiniband-network.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"

#include <fstream>
#include <map>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup infiniband-tests
 * InfiniBand as a network of frames, and its devices over a topology from a file.
 */

namespace ns3
{
namespace infiniband
{
namespace tests
{

namespace
{

using messaging::Peer;

/** Peers that send frames to each other as fast as their port accepts them. */
class FrameUser : public messaging::PortUser
{
  public:
    /**
     * Construct.
     * @param port the port
     * @param frames frames from each peer to each other one
     * @param payload their payload [bytes]
     */
    FrameUser(Ptr<messaging::AnyPort> port, uint32_t frames, uint32_t payload)
        : m_port(port),
          m_frames(frames),
          m_payload(payload),
          m_sent(port->GetNPeers(), 0)
    {
        port->SetUser(this);
        for (Peer self = 0; self < m_sent.size(); ++self)
        {
            OnReady(self);
        }
    }

    void OnReady(Peer self) override
    {
        const auto others = static_cast<uint32_t>(m_sent.size() - 1);
        while (m_sent[self] < m_frames * others)
        {
            Frame frame;
            frame.id = m_sent[self] / others;
            frame.contents = self;
            frame.payload = m_payload;
            const Peer to = (self + 1 + m_sent[self] % others) % m_sent.size();
            if (!m_port->Send(self, to, frame))
            {
                ++busy;
                return;
            }
            ++m_sent[self];
        }
    }

    void OnFrame(Peer self, Peer from, const Frame& frame) override
    {
        ++arrived;
        wrong += frame.contents != from || frame.payload != m_payload;
        uint64_t& next = m_next[{from, self}];
        disordered += frame.id < next;
        next = frame.id + 1;
    }

    uint32_t arrived{0};    ///< Arrived frames.
    uint32_t wrong{0};      ///< Frames with wrong fields.
    uint32_t disordered{0}; ///< Frames that arrived after a later one of their pair.
    uint32_t busy{0};       ///< Frames refused by the port.

  private:
    Ptr<messaging::AnyPort> m_port;                   ///< The port.
    uint32_t m_frames;                                ///< Frames of each pair.
    uint32_t m_payload;                               ///< Payload of a frame [bytes].
    std::vector<uint32_t> m_sent;                     ///< Sent frames by peer.
    std::map<std::pair<Peer, Peer>, uint64_t> m_next; ///< Next frame by pair.
};

/** Frames over the three transports. */
class NetworkTransportsTestCase : public TestCase
{
  public:
    NetworkTransportsTestCase()
        : TestCase("frames over RC, UC and UD, with losses and without")
    {
    }

  private:
    /**
     * Send frames from all to all.
     * @param transport transport of the port
     * @param loss probability that a packet is lost
     */
    void Run(const std::string& transport, const std::string& loss)
    {
        constexpr uint32_t PEERS = 6;
        constexpr uint32_t FRAMES = 40;
        constexpr uint32_t ALL = PEERS * (PEERS - 1) * FRAMES;
        const std::string what = transport + ", loss " + loss;
        const auto network = CreateObject<InfinibandNetwork>();
        network->SetAttribute("Transport", StringValue(transport));
        network->SetAttribute("PacketLoss", StringValue(loss));
        network->SetAttribute("AckTimeout", StringValue("100000"));
        NS_TEST_ASSERT_MSG_EQ(network->Check(PEERS), "", what << ": the network is valid");
        const messaging::PortInfo info = network->GetInfo();
        network->Build(PEERS);
        network->AssignStreams(1);
        const bool lossless = loss == "0";
        NS_TEST_EXPECT_MSG_EQ(info.lossless, lossless, what << ": RC may exhaust its retries");
        NS_TEST_EXPECT_MSG_EQ(info.broadcast,
                              (transport == "UD"),
                              what << ": only UD has multicast");
        NS_TEST_EXPECT_MSG_EQ(info.rdma, (transport != "UD"), what << ": RC and UC have RDMA");
        const Ptr<messaging::AnyPort> port = network->GetPort();
        NS_TEST_EXPECT_MSG_EQ(port->GetInfo().mtu, info.mtu, what << ": MTU of network and port");
        NS_TEST_EXPECT_MSG_EQ(port->GetNPeers(), PEERS, what << ": peers");
        FrameUser user(port, FRAMES, 1000);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(user.wrong, 0, what << ": frames with wrong fields");
        NS_TEST_EXPECT_MSG_EQ(user.disordered, 0, what << ": frames out of order");
        NS_TEST_EXPECT_MSG_GT(user.busy, 0, what << ": full send queues");
        if (lossless || transport == "RC")
        {
            NS_TEST_EXPECT_MSG_EQ(user.arrived, ALL, what << ": all frames arrive");
        }
        else
        {
            NS_TEST_EXPECT_MSG_GT(user.arrived, ALL * 8 / 10, what << ": most frames arrive");
            NS_TEST_EXPECT_MSG_LT(user.arrived, ALL, what << ": some frames are lost");
        }
        const auto tables = network->GetTables();
        NS_TEST_ASSERT_MSG_EQ(tables.size(), 2, what << ": tables");
        NS_TEST_EXPECT_MSG_EQ(tables[0].second->GetColumns().size(),
                              9,
                              "columns of the table of ports");
        NS_TEST_EXPECT_MSG_EQ(tables[1].second->GetColumns().size(),
                              2,
                              "columns of the table of drops");
        network->Dispose();
        Simulator::Destroy();
    }

    void DoRun() override
    {
        for (const std::string transport : {"RC", "UC", "UD"})
        {
            Run(transport, "0");
            Run(transport, "0.05");
        }
    }
};

/** Time and multicast of the port. */
class NetworkTimeTestCase : public TestCase
{
  public:
    NetworkTimeTestCase()
        : TestCase("distance, length and multicast of frames")
    {
    }

  private:
    /** Records the arrival of frames. */
    class Watch : public messaging::PortUser
    {
      public:
        void OnFrame(Peer self, Peer, const Frame&) override
        {
            times[self] = Simulator::Now().GetNanoSeconds();
        }

        void OnReady(Peer) override
        {
        }

        std::map<Peer, int64_t> times; ///< Arrival by peer.
    };

    void DoRun() override
    {
        const auto network = CreateObject<InfinibandNetwork>();
        network->Build(5);
        const Ptr<messaging::AnyPort> port = network->GetPort();
        Watch watch;
        port->SetUser(&watch);
        Frame frame;
        frame.payload = 1;
        port->Send(0, 3, frame);
        Simulator::Run();
        // Contexts, and translations of queues and buffer, are fetched once; a packet of UD has a
        // DETH, and its receive a GRH.
        const HcaConfig hca;
        const auto cold =
            static_cast<int64_t>(2 * (hca.contextMiss + 192) + 3 * (2 * hca.contextMiss + 86));
        const auto distance = static_cast<int64_t>(port->Distance(0, 3));
        NS_TEST_ASSERT_MSG_EQ(watch.times.size(), 1, "receivers of a frame");
        NS_TEST_EXPECT_MSG_EQ_TOL(watch.times[3],
                                  distance + cold,
                                  50,
                                  "the frame takes its distance, and the misses of cold caches");
        frame.payload = 2000;
        NS_TEST_EXPECT_MSG_EQ(port->WireTicks(frame),
                              2000 + 26 + 8,
                              "bytes of a frame, of 1 ns each");
        watch.times.clear();
        port->Send(0, messaging::NO_PEER, frame);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(watch.times.size(), 4, "receivers of the frame and of the multicast");
        NS_TEST_EXPECT_MSG_EQ(watch.times.count(0), 0, "arrivals of the multicast at its sender");
        network->Dispose();
        Simulator::Destroy();
    }
};

/** A topology file, for the network and for the helper. */
class NetworkFileTestCase : public TestCase
{
  public:
    NetworkFileTestCase()
        : TestCase("topologies from a file have their own number of nodes")
    {
    }

  private:
    void DoRun() override
    {
        const std::string name = CreateTempDirFilename("two.topo");
        {
            const auto subnet = CreateObject<Subnet>();
            subnet->SetAttribute("Nodes", StringValue("3"));
            subnet->SetAttribute("Topology", StringValue("switch"));
            NS_TEST_ASSERT_MSG_EQ(subnet->Build(LinkRate::SDR),
                                  "",
                                  "the file with one switch has no error");
            std::ofstream file(name);
            WriteTopology(subnet->GetTopology(), file);
        }
        InfinibandHelper helper;
        helper.SetAttribute("Topology", StringValue("file"));
        helper.SetAttribute("TopologyFile", StringValue(name));
        const NetDeviceContainer devices = helper.Install(NodeContainer(3));
        NS_TEST_EXPECT_MSG_EQ(devices.GetN(), 3, "devices");
        NS_TEST_EXPECT_MSG_EQ(InfinibandHelper::GetFabric(devices)->GetSubnet()->GetNHosts(),
                              3,
                              "hosts of the file");
        const auto network = CreateObject<InfinibandNetwork>();
        network->SetAttribute("Topology", StringValue("file"));
        network->SetAttribute("TopologyFile", StringValue(name));
        NS_TEST_EXPECT_MSG_EQ(network->Check(3), "", "as many peers as the file has hosts");
        NS_TEST_EXPECT_MSG_EQ(network->Check(4),
                              "The topology has 3 hosts, but 4 are needed.",
                              "more peers than hosts");
        network->BuildDevices(3);
        NS_TEST_EXPECT_MSG_EQ(network->GetDevices().GetN(), 3, "devices for IPoIB");
        NS_TEST_EXPECT_MSG_EQ(network->GetTables().size(), 2, "tables of the fabric");
        network->Dispose();
        Simulator::Destroy();
    }
};

/** The suite. */
class InfinibandNetworkTestSuite : public TestSuite
{
  public:
    InfinibandNetworkTestSuite()
        : TestSuite("infiniband-network", Type::UNIT)
    {
        AddTestCase(new NetworkTransportsTestCase, Duration::QUICK);
        AddTestCase(new NetworkTimeTestCase, Duration::QUICK);
        AddTestCase(new NetworkFileTestCase, Duration::QUICK);
    }
};

static InfinibandNetworkTestSuite g_infinibandNetworkTestSuite; ///< The suite.

} // namespace
} // namespace tests
} // namespace infiniband
} // namespace ns3
