/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "myrinet-test-oracle.h"

#include "ns3/messaging-list-text.h"
#include "ns3/test.h"

#include <sstream>

namespace ns3
{
namespace myrinet
{
namespace tests
{

using messaging::tests::ListText;

namespace
{

/**
 * Configure receivers with a buffer for every packet, and switches with the oracle's arbitration.
 * @param settings settings of a fabric
 * @return the same with these changes
 */
FabricConfig
AddBuffers(FabricConfig settings)
{
    settings.buffers = 1000000;
    settings.arbitration = Arbitration::FIRST_COME;
    return settings;
}

/** A fabric that is stepped manually, with buffers for all arrivals. */
struct Bare
{
    /**
     * Construct.
     * @param given the topology
     * @param kind kind of the routes
     * @param settings settings of the fabric
     */
    Bare(const Topology& given, RouteKind kind, const FabricConfig& settings)
        : topology(given),
          routes(topology, kind),
          fabric(topology, routes, AddBuffers(settings))
    {
        fabric.AssignStreams(50);
    }

    /**
     * Run until the fabric is idle.
     * @param watch whether to search for deadlocks continuously
     */
    void Run(bool watch = false)
    {
        for (Instant next = fabric.GetNextWake(); next != NEVER; next = fabric.GetNextWake())
        {
            fabric.Advance(next);
            for (const Notice& notice : fabric.GetNotices())
            {
                if (notice.when != next)
                {
                    ++late;
                }
                if (notice.kind == Notice::Kind::DELIVERED)
                {
                    delivered[notice.packet.frame.id] = notice.when;
                }
            }
            fabric.GetNotices().clear();
            if (watch)
            {
                const bool stuck = !fabric.FindDeadlock().empty();
                if (deadlocked && !stuck)
                {
                    ++resolved;
                }
                deadlocked |= stuck;
            }
        }
    }

    /**
     * Send packets at their times.
     * @param packets the packets
     */
    void Send(const std::vector<Packet>& packets)
    {
        for (const Packet& packet : packets)
        {
            for (Instant next = fabric.GetNextWake(); next <= packet.sent;
                 next = fabric.GetNextWake())
            {
                fabric.Advance(next);
            }
            fabric.Advance(packet.sent);
            fabric.Inject(packet, packet.sent);
        }
        for (const Notice& notice : fabric.GetNotices())
        {
            if (notice.kind == Notice::Kind::DELIVERED)
            {
                delivered[notice.packet.frame.id] = notice.when;
            }
        }
        fabric.GetNotices().clear();
    }

    /** @return the maximum level of any slack buffer [characters]. */
    uint32_t GetFullest() const
    {
        uint32_t fullest = 0;
        for (ChannelId c = 0; c < topology.GetChannels().size(); ++c)
        {
            fullest = std::max(fullest, fabric.GetUse(c).fullest);
        }
        return fullest;
    }

    Topology topology;                     ///< The topology.
    Routes routes;                         ///< Its routes.
    Fabric fabric;                         ///< Fabric under test.
    std::map<uint64_t, Instant> delivered; ///< Arrival of each packet [ps].
    uint64_t late{0};                      ///< Number of events reported late.
    uint64_t resolved{0};                  ///< Number of false deadlocks.
    bool deadlocked{false};                ///< A deadlock was found.
};

/**
 * Make a topology.
 * @param config a valid configuration
 * @return the topology
 */
Topology
MakeTopology(const TopologyConfig& config)
{
    std::string error;
    return Topology::Make(config, error);
}

/**
 * Make random packets, with some hosts as preferred destinations.
 * @param stream random stream
 * @param hosts number of hosts
 * @param count number of packets
 * @param longest length of the longest [characters]
 * @param span time span of their sends [ps]
 * @return the packets, ordered by time
 */
std::vector<Packet>
MakePackets(int64_t stream, uint32_t hosts, uint32_t count, uint32_t longest, Instant span)
{
    const auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(stream);
    std::vector<Packet> packets;
    for (uint32_t n = 0; n < count; ++n)
    {
        Packet packet;
        packet.from = random->GetInteger(0, hosts - 1);
        const bool anywhere = random->GetInteger(0, 2) > 0;
        packet.to = random->GetInteger(0, anywhere ? hosts - 1 : 1);
        const bool isShort = random->GetInteger(0, 1) > 0;
        packet.chars = random->GetInteger(8, isShort ? 60 : longest);
        packet.sent = static_cast<Instant>(random->GetValue(0, static_cast<double>(span)));
        packets.push_back(packet);
    }
    std::sort(packets.begin(), packets.end(), [](const Packet& a, const Packet& b) {
        return a.sent < b.sent;
    });
    for (uint32_t n = 0; n < count; ++n)
    {
        packets[n].frame.id = n;
    }
    return packets;
}

/**
 * Make the text of a random graph of switches in a ring with additional links.
 * @param random source of random numbers
 * @param switches number of switches, with one host each
 * @param links number of additional links
 * @return the text
 */
std::string
MakeGraph(Ptr<UniformRandomVariable> random, uint32_t switches, uint32_t links)
{
    std::ostringstream text;
    for (uint32_t n = 0; n < switches; ++n)
    {
        text << "host h" << n << "\nswitch s" << n << " 64\nlink h" << n << " s" << n << "\n";
        if (n > 0)
        {
            text << "link s" << n << " s" << n - 1 << "\n";
        }
    }
    text << "link s0 s" << switches - 1 << "\n";
    for (uint32_t n = 0; n < links; ++n)
    {
        const uint32_t a = random->GetInteger(0, switches - 1);
        const uint32_t b = random->GetInteger(0, switches - 2);
        text << "link s" << a << " s" << (b < a ? b : b + 1) << "\n";
    }
    return text.str();
}

} // namespace

/**
 * Each packet arrives at the same picosecond as in the oracle, which moves every character
 * separately.
 */
class OracleTestCase : public TestCase
{
  public:
    /**
     * Construct.
     * @param name name of the network
     * @param config the network
     * @param settings settings of the fabric
     * @param longest length of the longest packet [characters]
     */
    OracleTestCase(const std::string& name,
                   const TopologyConfig& config,
                   const FabricConfig& settings,
                   uint32_t longest)
        : TestCase("as character by character: " + name),
          m_config(config),
          m_settings(settings),
          m_longest(longest)
    {
        // Not a whole number of characters, so that no two steps of a buffer coincide, whose order
        // would have to be defined.
        m_settings.fallThrough = NanoSeconds(127);
    }

  private:
    void DoRun() override
    {
        for (int64_t seed = 1; seed <= 5; ++seed)
        {
            Bare bare(MakeTopology(m_config), RouteKind::UPDOWN, m_settings);
            Oracle oracle(bare.topology, bare.routes, m_settings);
            const auto packets =
                MakePackets(seed, bare.topology.GetNHosts(), 150, m_longest, 60'000'000);
            for (const Packet& packet : packets)
            {
                oracle.Send(packet.sent, packet);
            }
            bare.Send(packets);
            bare.Run();
            oracle.Run();
            NS_TEST_EXPECT_MSG_EQ(bare.delivered.size(), packets.size(), "all packets arrive");
            NS_TEST_EXPECT_MSG_EQ(oracle.delivered.size(), packets.size(), "in the oracle, too");
            NS_TEST_EXPECT_MSG_GT(bare.fabric.GetCounters().stops, 20, "STOPs in the fabric");
            NS_TEST_EXPECT_MSG_EQ(bare.fabric.GetCounters().stops,
                                  oracle.stops,
                                  "as many STOPs as in the oracle");
            for (const auto& [id, when] : oracle.delivered)
            {
                NS_TEST_EXPECT_MSG_EQ(bare.delivered[id],
                                      when,
                                      "packet " << id << ", seed " << seed);
            }
            NS_TEST_EXPECT_MSG_LT_OR_EQ(oracle.fullest,
                                        m_settings.slack,
                                        "slack buffers of the oracle do not overflow");
        }
    }

    TopologyConfig m_config; ///< The network.
    FabricConfig m_settings; ///< Settings of the fabric.
    uint32_t m_longest;      ///< Length of the longest packet [characters].
};

/**
 * A waiting packet is granted its output when its slack buffer is about to fill up to STOP, has
 * just done so, or is about to empty down to GO, at every phase of arriving and leaving characters.
 */
class LevelsTestCase : public TestCase
{
  public:
    LevelsTestCase()
        : TestCase("as character by character: STOP and GO while characters come and go")
    {
    }

  private:
    void DoRun() override
    {
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(600);
        uint64_t stops = 0;
        for (const uint32_t go : {3U, 20U, 28U})
        {
            for (const uint32_t level : {go, 30U})
            {
                FabricConfig settings;
                settings.stop = 30;
                settings.go = go;
                settings.fallThrough = NanoSeconds(127);
                const Instant character = settings.GetCharacter();
                for (int n = 0; n < 40; ++n)
                {
                    const TopologyConfig config{TopologyKind::SWITCH,
                                                3,
                                                8,
                                                3,
                                                random->GetValue(1, 14),
                                                ""};
                    Bare bare(MakeTopology(config), RouteKind::UPDOWN, settings);
                    Oracle oracle(bare.topology, bare.routes, settings);
                    std::vector<Packet> packets(2);
                    for (Peer from = 0; from < 2; ++from)
                    {
                        packets[from].from = from;
                        packets[from].to = 2;
                        packets[from].chars = 120;
                        packets[from].frame.id = from;
                    }
                    // Number of characters that arrive before the first packet has passed.
                    const double wait = level + random->GetValue(-4, 4);
                    packets[1].sent =
                        static_cast<Instant>(static_cast<double>(character) * (120 - wait));
                    for (const Packet& packet : packets)
                    {
                        oracle.Send(packet.sent, packet);
                    }
                    bare.Send(packets);
                    bare.Run();
                    oracle.Run();
                    NS_TEST_EXPECT_MSG_EQ(ListText(bare.delivered),
                                          ListText(oracle.delivered),
                                          "arrivals with GO at " << go << ", " << wait
                                                                 << " characters");
                    NS_TEST_EXPECT_MSG_EQ(bare.fabric.GetCounters().stops,
                                          oracle.stops,
                                          "STOPs with GO at " << go << ", " << wait
                                                              << " characters");
                    stops += oracle.stops;
                }
            }
        }
        NS_TEST_EXPECT_MSG_GT(stops, 50, "links were stopped");
    }
};

/**
 * A slack buffer never overflows with any thresholds and cable accepted by Check, and would
 * overflow with one character less.
 */
class SlackTestCase : public TestCase
{
  public:
    SlackTestCase()
        : TestCase("slack buffers hold the characters in flight when STOP is sent")
    {
    }

  private:
    void DoRun() override
    {
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(200);
        unsigned tight = 0;
        for (unsigned round = 0; round < 60; ++round)
        {
            TopologyConfig config{TopologyKind::CLOS, 16, 8, 3, random->GetValue(0, 60), ""};
            FabricConfig settings;
            settings.go = random->GetInteger(0, 60);
            settings.stop = settings.go + random->GetInteger(2, 30);
            settings.slack = settings.stop;
            while (!Fabric::Check(settings, config.cable).empty())
            {
                ++settings.slack;
            }
            Bare bare(MakeTopology(config), RouteKind::UPDOWN, settings);
            bare.Send(MakePackets(300 + round, 16, 100, 600, 30'000'000));
            bare.Run();
            NS_TEST_EXPECT_MSG_EQ(bare.delivered.size(), 100, "all packets arrive");
            NS_TEST_EXPECT_MSG_GT(bare.fabric.GetCounters().stops, 10, "STOPs");
            NS_TEST_EXPECT_MSG_LT_OR_EQ(bare.GetFullest(),
                                        settings.slack,
                                        "cable " << config.cable << " m, STOP at "
                                                 << settings.stop);
            if (bare.GetFullest() == settings.slack)
            {
                ++tight;
            }
        }
        NS_TEST_EXPECT_MSG_GT(tight, 20, "buffers are filled to the last character");
    }
};

/**
 * Up*-down* routes never deadlock, on random graphs with all hosts sending at once. Shortest routes
 * deadlock on some of them; only then is a ring of links reported.
 */
class DeadlockTestCase : public TestCase
{
  public:
    DeadlockTestCase()
        : TestCase("shortest routes deadlock on some random graphs, up*-down* routes on none")
    {
    }

  private:
    /**
     * Run one network.
     * @param text its topology
     * @param kind its routes
     * @param seed random stream
     * @return whether it has deadlocked
     */
    bool Deadlocks(const std::string& text, RouteKind kind, int64_t seed)
    {
        std::istringstream in(text);
        std::string error;
        const Topology topology = Topology::Read(in, "graph", TopologyConfig(), error);
        NS_TEST_EXPECT_MSG_EQ(error, "", "the graph is valid");
        Bare bare(topology, kind, FabricConfig());
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(seed);
        const uint32_t hosts = topology.GetNHosts();
        for (uint32_t n = 0; n < 20 * hosts; ++n)
        {
            Packet packet;
            packet.from = n % hosts;
            packet.to = (packet.from + random->GetInteger(1, hosts - 1)) % hosts;
            packet.chars = random->GetInteger(32, 4000);
            bare.fabric.Inject(packet, 0);
        }
        bare.Run(true);
        NS_TEST_EXPECT_MSG_EQ(bare.late, 0, "notices with another time than the event");
        NS_TEST_EXPECT_MSG_EQ(bare.resolved, 0, "deadlocks that have disappeared");
        const auto ring = bare.fabric.FindDeadlock();
        NS_TEST_EXPECT_MSG_EQ(ring.empty(),
                              (bare.fabric.GetNInFlight() == 0),
                              "a ring is found if and only if packets are stuck");
        for (std::size_t n = 0; n < ring.size(); ++n)
        {
            const auto& channels = topology.GetChannels();
            NS_TEST_EXPECT_MSG_EQ(channels[ring[n]].to,
                                  channels[ring[(n + 1) % ring.size()]].from,
                                  "each link leads to the next");
        }
        NS_TEST_EXPECT_MSG_EQ(bare.deadlocked, !ring.empty(), "found during the run and after it");
        return !ring.empty();
    }

    void DoRun() override
    {
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(400);
        unsigned deadlocks = 0;
        for (int64_t seed = 500; seed < 530; ++seed)
        {
            const uint32_t switches = random->GetInteger(5, 16);
            const std::string text = MakeGraph(random, switches, random->GetInteger(0, 5));
            NS_TEST_EXPECT_MSG_EQ(Deadlocks(text, RouteKind::UPDOWN, seed), false, text);
            if (Deadlocks(text, RouteKind::SHORTEST, seed))
            {
                ++deadlocks;
            }
        }
        NS_TEST_EXPECT_MSG_GT(deadlocks, 3, "the shortest routes deadlock on some");
    }
};

/** The test suite of moving packets. */
class WormTestSuite : public TestSuite
{
  public:
    WormTestSuite()
        : TestSuite("myrinet-worm", Type::UNIT)
    {
        const auto quick = TestCase::Duration::QUICK;
        const TopologyConfig ring{TopologyKind::RING, 5, 8, 5, 3, ""};
        const TopologyConfig clos{TopologyKind::CLOS, 16, 8, 3, 3, ""};
        const TopologyConfig far{TopologyKind::CLOS, 12, 8, 3, 13.7, ""};
        const FabricConfig usual;
        FabricConfig narrow;
        narrow.stop = 30;
        narrow.go = 3;
        AddTestCase(new OracleTestCase("ring", ring, usual, 1000), quick);
        AddTestCase(new OracleTestCase("Clos", clos, usual, 600), quick);
        AddTestCase(new OracleTestCase("Clos with long cables", far, usual, 400), quick);
        AddTestCase(new OracleTestCase("ring with gaps", ring, narrow, 600), quick);
        AddTestCase(new OracleTestCase("long cables with gaps", far, narrow, 600), quick);
        AddTestCase(new LevelsTestCase, quick);
        AddTestCase(new SlackTestCase, quick);
        AddTestCase(new DeadlockTestCase, quick);
    }
};

static WormTestSuite g_wormTestSuite; ///< The test suite.

} // namespace tests
} // namespace myrinet
} // namespace ns3
