/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/ethernet-fabric-engine.h"
#include "ns3/ethernet-fabric-faults.h"
#include "ns3/ethernet-fabric-presets.h"
#include "ns3/ethernet-fabric-tiers.h"
#include "ns3/ethernet-fabric-topology.h"
#include "ns3/messaging-list-text.h"
#include "ns3/test.h"

#include <fstream>
#include <set>
#include <string>
#include <vector>

namespace ns3
{
namespace fabric
{
namespace tests
{

/** A topology and what is known of it. */
struct Shape
{
    std::string name;    ///< Name of the case.
    FabricConfig config; ///< Parameters.
    uint32_t hosts;      ///< Hosts.
    uint32_t switches;   ///< Switches.
    uint32_t trunks;     ///< Links between switches.
    uint32_t diameter;   ///< Switches between the most distant hosts.
};

/** Topologies have the published numbers of nodes and links, and shortest routes. */
class TopologyTestCase : public TestCase
{
  public:
    TopologyTestCase()
        : TestCase("numbers of nodes and links; ports of NodeShape are those of a search")
    {
    }

  private:
    /** @return parameters of two tiers. @param perLeaf hosts of a leaf @param spines spines @param
     * parallel links */
    static FabricConfig LeafSpine(uint32_t perLeaf, uint32_t spines, uint32_t parallel)
    {
        FabricConfig config;
        config.hostsPerLeaf = perLeaf;
        config.spines = spines;
        config.parallel = parallel;
        return config;
    }

    /** @return a topology in several planes. @param config its parameters in one @param planes
     * their number */
    static FabricConfig InPlanes(FabricConfig config, uint32_t planes)
    {
        config.planes = planes;
        config.paths = planes;
        return config;
    }

    /** @return parameters of three tiers. @param radix ports @param over hosts for each link
     * upwards @param parallel links */
    static FabricConfig FatTree(uint32_t radix, uint32_t over, uint32_t parallel)
    {
        FabricConfig config;
        config.topology = TopologyKind::FAT_TREE;
        config.radix = radix;
        config.oversubscription = over;
        config.parallel = parallel;
        return config;
    }

    void DoRun() override
    {
        const std::vector<Shape> shapes{
            {"ConWeave: 8 leaves, 8 spines", GetPreset(Preset::CONWEAVE), 128, 16, 64, 3},
            {"IRN: 45 switches of 6 ports", GetPreset(Preset::IRN2018), 54, 45, 108, 5},
            {"parallel links", LeafSpine(4, 3, 2), 12, 6, 18, 3},
            {"an incomplete leaf", LeafSpine(4, 2, 1), 10, 5, 6, 3},
            {"one leaf", LeafSpine(16, 4, 1), 10, 1, 0, 1},
            {"oversubscription 3", FatTree(4, 3, 1), 48, 20, 32, 5},
            {"three tiers, parallel links", FatTree(4, 1, 2), 16, 20, 64, 5},
            {"an incomplete pod", FatTree(4, 1, 1), 7, 12, 16, 5},
            {"one pod", FatTree(8, 1, 1), 16, 24, 32, 3},
            {"two planes of two tiers", InPlanes(LeafSpine(4, 3, 2), 2), 10, 12, 36, 3},
            {"three planes of three tiers", InPlanes(FatTree(4, 1, 1), 3), 7, 36, 48, 5}};
        for (const Shape& shape : shapes)
        {
            const FabricTopology topology(shape.config, shape.hosts);
            const uint32_t nodes = static_cast<uint32_t>(topology.GetNodes().size());
            NS_TEST_EXPECT_MSG_EQ(shape.config.Check(shape.hosts), "", shape.name);
            const uint32_t ends = topology.GetNEnds();
            NS_TEST_EXPECT_MSG_EQ(nodes - ends, shape.switches, shape.name << ": switches");
            NS_TEST_EXPECT_MSG_EQ(topology.GetNPorts() / 2 - ends,
                                  shape.trunks,
                                  shape.name << ": links between switches");
            NS_TEST_EXPECT_MSG_EQ(topology.GetDiameter(), shape.diameter, shape.name);
            CheckLinks(topology, shape.name);
            for (NodeId end = 0; end < ends; ++end)
            {
                CheckRoutes(topology, end, shape.name);
            }
        }
        CheckNames();
    }

    /** A plane has names of its own, and paths of its own. */
    void CheckNames()
    {
        FabricConfig config = InPlanes(LeafSpine(2, 2, 1), 2);
        const FabricTopology topology(config, 4);
        NS_TEST_EXPECT_MSG_EQ(topology.FindLink("host1@1"), 4 + 1, "port of host 1 in plane 1");
        NS_TEST_EXPECT_MSG_EQ(topology.FindLink("leaf1@1-spine0@0"), NONE, "planes have no link");
        NS_TEST_EXPECT_MSG_EQ(messaging::tests::ListText(topology.FindLinks("plane1")),
                              "4, 5, 6, 7",
                              "ports of hosts in plane 1");
        config.paths = 8;
        NS_TEST_EXPECT_MSG_EQ(config.GetPlane(3), 0, "path values 0 to 3");
        NS_TEST_EXPECT_MSG_EQ(config.GetPlane(4), 1, "path values 4 to 7");
        NS_TEST_EXPECT_MSG_EQ(config.Check(4), "", "four path values a plane");
        config.paths = 7;
        NS_TEST_EXPECT_MSG_NE(config.Check(4), "", "not a multiple");
    }

    /** Check that links have two ends, and distinct names. @param topology the topology @param
     * name name of the case */
    void CheckLinks(const FabricTopology& topology, const std::string& name)
    {
        std::set<std::string> names;
        for (PortId port = 0; port < topology.GetNPorts(); ++port)
        {
            NS_TEST_ASSERT_MSG_NE(topology.GetPeer(port), NONE, name << ": a port without a link");
            NS_TEST_EXPECT_MSG_EQ(topology.GetPeer(topology.GetPeer(port)), port, name);
            NS_TEST_EXPECT_MSG_EQ(topology.FindLink(topology.GetPortName(port)), port, name);
            names.insert(topology.GetPortName(port));
        }
        NS_TEST_EXPECT_MSG_EQ(names.size(), topology.GetNPorts(), name << ": names differ");
        NS_TEST_EXPECT_MSG_EQ(topology.FindLink(topology.GetName(0)), 0, name << ": a short name");
    }

    /**
     * Compare the ports towards an end with those of a breadth-first search.
     * @param topology the topology
     * @param end the end
     * @param name name of the case
     */
    void CheckRoutes(const FabricTopology& topology, NodeId end, const std::string& name)
    {
        const auto& nodes = topology.GetNodes();
        std::vector<uint32_t> distance(nodes.size(), NONE);
        std::vector<NodeId> reached{end};
        distance[end] = 0;
        for (std::size_t index = 0; index < reached.size(); ++index)
        {
            const NodeShape& shape = nodes[reached[index]];
            for (uint32_t port = 0; port < shape.GetNPorts(); ++port)
            {
                const NodeId other = topology.GetOwner(topology.GetPeer(shape.base + port));
                if (distance[other] == NONE)
                {
                    distance[other] = distance[reached[index]] + 1;
                    reached.push_back(other);
                }
            }
        }
        for (NodeId node = topology.GetNEnds(); node < nodes.size(); ++node)
        {
            const bool isOfPlane = nodes[node].plane == nodes[end].plane;
            NS_TEST_EXPECT_MSG_EQ((distance[node] != NONE), isOfPlane, name << ": planes");
            if (!isOfPlane)
            {
                continue;
            }
            std::set<PortId> shortest;
            for (uint32_t port = 0; port < nodes[node].GetNPorts(); ++port)
            {
                const NodeId other = topology.GetOwner(topology.GetPeer(nodes[node].base + port));
                if (distance[other] + 1 == distance[node])
                {
                    shortest.insert(nodes[node].base + port);
                }
            }
            const PortRange range = nodes[node].Find(end);
            std::set<PortId> found;
            for (uint32_t index = 0; index < range.count; ++index)
            {
                found.insert(range.first + index);
            }
            NS_TEST_EXPECT_MSG_EQ(messaging::tests::ListText(found),
                                  messaging::tests::ListText(shortest),
                                  name << ": from " << topology.GetName(node) << " to " << end);
        }
    }
};

/** A preset gives way to what the user has set. */
class PresetTestCase : public TestCase
{
  public:
    PresetTestCase()
        : TestCase("presets are valid; a parameter that the user has set has precedence")
    {
    }

  private:
    void DoRun() override
    {
        for (const Preset preset : {Preset::NONE,
                                    Preset::IRN2018,
                                    Preset::HPCC,
                                    Preset::CONWEAVE,
                                    Preset::HTSIM,
                                    Preset::UET})
        {
            FabricConfig config = GetPreset(preset);
            NS_TEST_EXPECT_MSG_EQ(config.Check(16), "", "the preset is valid");
            config.admission = Admission::PFC;
            NS_TEST_EXPECT_MSG_EQ(config.GetInfo(16).lossless, true, "with PFC it loses nothing");
        }
        FabricConfig set;
        set.ecnLow = 123;
        const FabricConfig config = ApplyPreset(Preset::HPCC, set);
        NS_TEST_EXPECT_MSG_EQ(config.ecnLow, 123, "set by the user");
        NS_TEST_EXPECT_MSG_EQ(config.ecnHigh, 1600000, "of the preset");
        // The shape of a preset gives way to leaf-spine, too.
        const FabricConfig plain;
        NS_TEST_EXPECT_MSG_EQ(
            (ApplyPreset(Preset::HTSIM, plain).topology == TopologyKind::FAT_TREE),
            true,
            "three tiers, of the preset");
        FabricConfig flat;
        flat.topology = TopologyKind::LEAF_SPINE;
        const FabricTopology two(ApplyPreset(Preset::HTSIM, flat), 16);
        NS_TEST_EXPECT_MSG_EQ(two.GetDiameter(), 3, "two tiers, set by the user");
        NS_TEST_EXPECT_MSG_EQ(FabricTopology(plain, 16).GetDiameter(), 3, "two tiers by default");
        // Two simulators of one family, at 100 Gb/s.
        NS_TEST_EXPECT_MSG_EQ(GetPreset(Preset::HPCC).ecnLow,
                              4 * GetPreset(Preset::CONWEAVE).ecnLow,
                              "fourfold");
    }
};

/** The time by which a frame may arrive after a later one. */
class SlipTestCase : public TestCase
{
  public:
    SlipTestCase()
        : TestCase("the bound of reordering has the longest queue of each class")
    {
    }

  private:
    void DoRun() override
    {
        struct Row
        {
            Admission admission; ///< Fate of frames that find a long queue.
            uint32_t headers;    ///< Limit of the queue of trimmed frames [bytes].
            uint32_t classes;    ///< Classes of traffic.
            Ticks slip;          ///< Expected [ns].
        };

        // A switch at 100 Gb/s: 125,000 bytes take 10 us.
        for (const Row& row : {Row{Admission::DROP, 1'250'000, 2, 20'000},
                               Row{Admission::TRIM, 12'500, 2, 20'000},
                               Row{Admission::TRIM, 1'250'000, 2, 110'000},
                               Row{Admission::TRIM, 1'250'000, 3, 120'000}})
        {
            FabricConfig config;
            config.topology = TopologyKind::SWITCH;
            config.hostRate = DataRate("100Gbps");
            config.paths = 2;
            config.buffer = 125'000;
            config.admission = row.admission;
            config.headerQueue = row.headers;
            config.classes = row.classes;
            NS_TEST_EXPECT_MSG_EQ(config.GetInfo(2).maxSlip,
                                  row.slip + 1,
                                  "headers of " << row.headers << " bytes, " << row.classes
                                                << " classes");
        }
    }
};

/** The reader of faults. */
class FaultTextTestCase : public TestCase
{
  public:
    FaultTextTestCase()
        : TestCase("faults are read, and errors are sentences")
    {
    }

  private:
    void DoRun() override
    {
        FabricConfig config;
        config.hostsPerLeaf = 2;
        config.spines = 2;
        const FabricTopology topology(config, 4);
        std::string error;
        config.faults = "10us leaf0-spine1 down; 60us leaf0-spine1 up # a comment\n"
                        "1ns host3 rate 100Gbps; 5us host0 flap 10us 4us 2";
        const auto faults = ReadFaults(config, topology, error);
        const PortId link = topology.FindLink("leaf0-spine1");
        const std::vector<LinkFault> expected{{10000000, link, false, 0},
                                              {60000000, link, true, 0},
                                              {1000, 3, true, 100'000'000'000},
                                              {5000000, 0, false, 0},
                                              {9000000, 0, true, 0},
                                              {15000000, 0, false, 0},
                                              {19000000, 0, true, 0}};
        NS_TEST_EXPECT_MSG_EQ(error, "", "the text is right");
        NS_TEST_EXPECT_MSG_EQ((faults == expected), true, "all faults, in order");
        CheckSwitch(config, topology);
        for (const std::string wrong : {"down",
                                        "10us leaf9 down",
                                        "10us host9 down",
                                        "10 us host0 down",
                                        "-1us host0 down",
                                        "10us host0 off",
                                        "10us host0 rate 1bps",
                                        "10us host0 errors 2",
                                        "10us host0 errors",
                                        "10us host0 flap 1us 2us 3",
                                        "10us host0 flap 2us 1us 0"})
        {
            config.faults = wrong;
            ReadFaults(config, topology, error);
            NS_TEST_EXPECT_MSG_EQ(error.empty(), false, wrong);
        }
    }

    /** A switch stands for its links, and a file has further faults. @param config the parameters
     * @param topology the links */
    void CheckSwitch(FabricConfig config, const FabricTopology& topology)
    {
        config.faults = "10us spine1 down";
        config.faultsFile = CreateTempDirFilename("faults.txt");
        std::ofstream(config.faultsFile) << "# repaired\n20us spine1 up\n";
        std::string error;
        const auto faults = ReadFaults(config, topology, error);
        NS_TEST_ASSERT_MSG_EQ(error, "", "text and file are right");
        NS_TEST_ASSERT_MSG_EQ(faults.size(), 4, "two links, down and up");
        for (std::size_t index = 0; index < faults.size(); ++index)
        {
            const NodeId owner = topology.GetOwner(faults[index].port);
            NS_TEST_EXPECT_MSG_EQ(topology.GetName(owner), "spine1", "its ports");
            const bool repaired = index >= 2;
            NS_TEST_EXPECT_MSG_EQ(faults[index].up, repaired, "down, then up");
        }
        config.faultsFile = "/no/such/file";
        ReadFaults(config, topology, error);
        NS_TEST_EXPECT_MSG_EQ(error, "FaultsFile /no/such/file cannot be read.", "one sentence");
    }
};

/** Topologies of htsim: numbers of nodes and links, idle latency, errors. */
class TopologyFileTestCase : public TestCase
{
  public:
    TopologyFileTestCase()
        : TestCase("tiers of a file, with their rates, delays and latencies")
    {
    }

  private:
    /** @return parameters with a file of tiers. @param text its text */
    FabricConfig MakeConfig(const std::string& text)
    {
        FabricConfig config;
        config.topology = TopologyKind::FROM_FILE;
        config.topologyFile = CreateTempDirFilename("shape.topo");
        std::ofstream(config.topologyFile) << text;
        return config;
    }

    /** @return three tiers with all that a file can state: 8 hosts, 2 pods. */
    static std::string GetThreeTiers()
    {
        return "# a comment\nNodes 8\nTiers 3\nPodsize 4\n"
               "Tier 0\nDownlink_speed_Gbps 200\nRadix_Down 2\nRadix_Up 2\n"
               "Downlink_Latency_ns 100\nSwitch_Latency_ns 10\nQueue_Up 50000\n"
               "Tier 1\nDownlink_speed_Gbps 200\nRadix_Down 2\nRadix_Up 4\n"
               "Downlink_Latency_ns 200\nSwitch_Latency_ns 20\n"
               "Tier 2\nDownlink_speed_Gbps 100\nRadix_Down 4\nBundle 2\n"
               "Downlink_Latency_ns 300\nSwitch_Latency_ns 30\n";
    }

    void DoRun() override
    {
        const FabricConfig config = MakeConfig(GetThreeTiers());
        NS_TEST_EXPECT_MSG_EQ(config.Check(8), "", "the file is right");
        const FabricTopology topology(config, 8);
        NS_TEST_EXPECT_MSG_EQ(topology.GetNodes().size(), 8 + 4 + 4 + 4, "leaves, spines, cores");
        NS_TEST_EXPECT_MSG_EQ(topology.GetNPorts() / 2, 8 + 8 + 16, "links");
        NS_TEST_EXPECT_MSG_EQ(topology.GetDiameter(), 5, "leaf, spine, core, spine, leaf");
        CheckLatencies(config);

        const auto tiers = GetTiers(config, 8).tiers;
        NS_TEST_EXPECT_MSG_EQ(tiers[0].bufferUp, 50000, "given");
        NS_TEST_EXPECT_MSG_EQ(tiers[0].bufferDown, config.buffer, "not given");
        NS_TEST_EXPECT_MSG_EQ_TOL(config.GetInfo(8).rate, 25, 1e-9, "200 Gb/s [bytes/ns]");
        CheckErrors();
    }

    /** Compare idle latencies with their closed form. @param config the parameters */
    void CheckLatencies(const FabricConfig& config)
    {
        constexpr uint32_t BYTES = 1000;
        constexpr uint32_t WIRE = BYTES + PREAMBLE;
        const FabricEngine engine(config, 8);
        // A byte takes 40 ps at 200 Gb/s and 80 ps at 100 Gb/s.
        const Instant near = 2 * (100000 + WIRE * 40) + 10000;
        const Instant pod = near + 2 * (200000 + WIRE * 40) + 10000 + 20000;
        const Instant far = pod + 2 * (300000 + WIRE * 80) + 20000 + 30000;
        NS_TEST_EXPECT_MSG_EQ(engine.GetIdleLatency(0, 1, BYTES), near, "one leaf [ps]");
        NS_TEST_EXPECT_MSG_EQ(engine.GetIdleLatency(0, 2, BYTES), pod, "one pod [ps]");
        NS_TEST_EXPECT_MSG_EQ(engine.GetIdleLatency(0, 4, BYTES), far, "two pods [ps]");
    }

    /** Check that a wrong file gives one sentence. */
    void CheckErrors()
    {
        const std::string right = GetThreeTiers();
        const auto change = [&right](const std::string& from, const std::string& to) {
            std::string text = right;
            return text.replace(text.find(from), from.size(), to);
        };
        for (const std::string& wrong : {std::string("Nodes 8\n"),
                                         change("Nodes 8", "Nodes 9"),
                                         change("Nodes 8", "Nodes x"),
                                         change("Podsize 4", "Podsize 8"),
                                         change("Tiers 3", "Tiers 2"),
                                         change("Tiers 3", "Tiers 4"),
                                         change("Radix_Down 4", "Radix_Down 2"),
                                         change("Bundle 2", "Bundle 3"),
                                         change("Queue_Up", "Queue_Over"),
                                         change("Radix_Up 2", "Radix_Up 2\nOversubscribed 2"),
                                         change("Radix_Up 4", "Radix_Up 4\nRadix_Up 4"),
                                         change("Queue_Up 50000", "Queue_Up 50")})
        {
            const std::string error = MakeConfig(wrong).Check(8);
            NS_TEST_EXPECT_MSG_EQ(error.empty(), false, wrong);
            NS_TEST_EXPECT_MSG_EQ(error.find('\n'), std::string::npos, "one sentence: " << error);
        }
        FabricConfig config = MakeConfig(right);
        NS_TEST_EXPECT_MSG_EQ(config.Check(9).empty(), false, "more hosts than the file has");
        config.topologyFile = "";
        NS_TEST_EXPECT_MSG_EQ(config.Check(8).empty(), false, "no file");
    }
};

/** The test suite of topologies and parameters. */
class TopologyTestSuite : public TestSuite
{
  public:
    TopologyTestSuite()
        : TestSuite("ethernet-fabric-topology", Type::UNIT)
    {
        AddTestCase(new TopologyTestCase, TestCase::Duration::QUICK);
        AddTestCase(new TopologyFileTestCase, TestCase::Duration::QUICK);
        AddTestCase(new PresetTestCase, TestCase::Duration::QUICK);
        AddTestCase(new SlipTestCase, TestCase::Duration::QUICK);
        AddTestCase(new FaultTextTestCase, TestCase::Duration::QUICK);
    }
};

static TopologyTestSuite g_topologyTestSuite; ///< The test suite.

} // namespace tests
} // namespace fabric
} // namespace ns3
