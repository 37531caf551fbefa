/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "infiniband-test-fabric.h"

#include "ns3/infiniband-subnet-manager.h"
#include "ns3/test.h"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <vector>

namespace ns3
{
namespace infiniband
{
namespace tests
{

namespace
{

/**
 * Build a fat tree.
 * @param hosts number of hosts
 * @param ports ports of each switch
 * @return the tree
 */
Topology
MakeTree(HostId hosts, uint32_t ports)
{
    std::string error;
    TopologyConfig config;
    config.hosts = hosts;
    config.switchPorts = ports;
    return Topology::Make(config, LinkRate::SDR, error);
}

/**
 * Read a well-formed topology.
 * @param text text in the format of ibnetdiscover
 * @return the topology
 */
Topology
ReadText(const std::string& text)
{
    std::istringstream in(text);
    std::string error;
    return Topology::Read(in, "f", LinkRate::SDR, error);
}

/**
 * Make a random connected graph of switches with a host each.
 * @param switches number of switches
 * @param seed seed of the graph
 * @return its text in the format of ibnetdiscover
 */
std::string
MakeRandomFile(uint32_t switches, uint32_t seed)
{
    uint64_t state = seed * 2654435761U + 1;
    const auto below = [&state](uint32_t limit) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        return static_cast<uint32_t>((state >> 33) % limit);
    };
    std::vector<std::map<uint32_t, std::pair<uint32_t, uint32_t>>> cables(switches);
    const auto join = [&cables](uint32_t a, uint32_t b) {
        const auto portA = static_cast<uint32_t>(cables[a].size()) + 2;
        cables[a][portA] = {b, static_cast<uint32_t>(cables[b].size()) + 2};
        cables[b][static_cast<uint32_t>(cables[b].size()) + 2] = {a, portA};
    };
    for (uint32_t n = 1; n < switches; ++n)
    {
        join(n, below(n));
    }
    for (uint32_t n = 0; n < switches; ++n)
    {
        const uint32_t a = below(switches);
        const uint32_t b = below(switches);
        if (a != b)
        {
            join(a, b);
        }
    }
    std::ostringstream out;
    for (uint32_t s = 0; s < switches; ++s)
    {
        out << "Switch 64 \"S-" << s << "\"\n[1] \"H-" << s << "\"[1]\n";
        for (const auto& [port, end] : cables[s])
        {
            out << "[" << port << "] \"S-" << end.first << "\"[" << end.second << "]\n";
        }
    }
    for (uint32_t s = 0; s < switches; ++s)
    {
        out << "Ca 1 \"H-" << s << "\"\n[1] \"S-" << s << "\"[1]\n";
    }
    return out.str();
}

} // namespace

/** LIDs: aligned to 2^LMC, unique, and those of a file if they fit. */
class InfinibandLidTestCase : public TestCase
{
  public:
    InfinibandLidTestCase()
        : TestCase("LIDs and LMC")
    {
    }

  private:
    void DoRun() override
    {
        const Topology tree = MakeTree(70, 24);
        std::string error;
        for (const uint8_t lmc : {0, 2, 7})
        {
            const SubnetManager manager(tree, SubnetConfig{Routing::FAT_TREE, lmc}, error);
            NS_TEST_ASSERT_MSG_EQ(error, "", "the LIDs can be assigned");
            std::set<Lid> seen;
            for (uint32_t vertex = 0; vertex < tree.GetVertices().size(); ++vertex)
            {
                const bool host = vertex < tree.GetNHosts();
                const Lid base = manager.GetLid(vertex);
                NS_TEST_EXPECT_MSG_EQ((base % (host ? 1U << lmc : 1U)),
                                      0,
                                      "LIDs of a host begin at a multiple of 2^LMC");
                for (uint32_t path = 0; path < (host ? 1U << lmc : 1U); ++path)
                {
                    NS_TEST_EXPECT_MSG_EQ(seen.insert(base + path).second,
                                          true,
                                          "each LID is assigned once");
                    NS_TEST_EXPECT_MSG_EQ(manager.GetVertex(base + path),
                                          vertex,
                                          "owner of the LID");
                }
            }
        }
        const Topology file =
            ReadText("Switch 4 \"S-1\" # \"s\" base port 0 lid 8 lmc 0\n"
                     "[1] \"H-1\"[1] # \"a\" lid 6 4xSDR\n[2] \"H-2\"[1] # \"b\" lid 7 4xSDR\n"
                     "Ca 1 \"H-1\"\n[1] \"S-1\"[1] # lid 6 lmc 1 \"s\" lid 8 4xSDR\n"
                     "Ca 1 \"H-2\"\n[1] \"S-1\"[2] # lid 7 lmc 1 \"s\" lid 8 4xSDR\n");
        const SubnetManager kept(file, SubnetConfig{Routing::MIN_HOP, 1}, error);
        NS_TEST_EXPECT_MSG_EQ(kept.GetLid(0), 6, "LID of the file");
        NS_TEST_EXPECT_MSG_EQ(kept.GetLid(1), 2, "no multiple of 2: the next free one");
        NS_TEST_EXPECT_MSG_EQ(kept.GetLid(2), 8, "LID of the switch in the file");
        const SubnetManager other(file, SubnetConfig{Routing::MIN_HOP, 0}, error);
        NS_TEST_EXPECT_MSG_EQ(other.GetLid(0), 1, "a LID of another LMC is not kept");
        const Topology top = ReadText(
            "Switch 4 \"S-1\" # \"s\" base port 0 lid 49152 lmc 0\n"
            "[1] \"H-1\"[1] # \"a\" lid 49150 4xSDR\n[2] \"H-2\"[1] # \"b\" lid 49152 4xSDR\n"
            "Ca 1 \"H-1\"\n[1] \"S-1\"[1] # lid 49150 lmc 1 \"s\" lid 49152 4xSDR\n"
            "Ca 1 \"H-2\"\n[1] \"S-1\"[2] # lid 49152 lmc 1 \"s\" lid 49152 4xSDR\n");
        const SubnetManager last(top, SubnetConfig{Routing::MIN_HOP, 1}, error);
        NS_TEST_EXPECT_MSG_EQ(last.GetLid(0), 49150, "the last two unicast LIDs");
        NS_TEST_EXPECT_MSG_EQ(last.GetLid(1), 2, "49152 is multicast");
        NS_TEST_EXPECT_MSG_EQ(last.GetLid(2), 4, "for a switch, too");
        SubnetManager(MakeTree(400, 24), SubnetConfig{Routing::MIN_HOP, 7}, error);
        NS_TEST_EXPECT_MSG_EQ(error,
                              "A subnet has 49151 unicast LIDs; with Lmc 7, 400 hosts and " +
                                  std::to_string(MakeTree(400, 24).GetVertices().size() - 400) +
                                  " switches need more.",
                              "a topology with too many LIDs");
    }
};

/**
 * Each engine finds a shortest route for each pair and path of a fat tree, without credit loops.
 */
class InfinibandRoutesTestCase : public TestCase
{
  public:
    InfinibandRoutesTestCase()
        : TestCase("ways in fat trees: complete, shortest, no credit loops, even")
    {
    }

  private:
    void DoRun() override
    {
        for (const auto& [hosts, ports] :
             {std::pair(8U, 8U), std::pair(32U, 8U), std::pair(70U, 24U), std::pair(128U, 8U)})
        {
            const Topology tree = MakeTree(hosts, ports);
            for (const Routing routing : {Routing::MIN_HOP, Routing::UP_DOWN, Routing::FAT_TREE})
            {
                for (const uint8_t lmc : {0, 2})
                {
                    CheckTree(tree, SubnetConfig{routing, lmc});
                }
            }
        }
    }

    /**
     * Check all routes.
     * @param tree the topology
     * @param config configuration of the manager
     */
    void CheckTree(const Topology& tree, const SubnetConfig& config)
    {
        std::string error;
        SubnetManager manager(tree, config, error);
        NS_TEST_ASSERT_MSG_EQ(manager.Sweep(), "", "the sweep has no error");
        NS_TEST_EXPECT_MSG_EQ(manager.CheckRoutes(), "", "all pairs of hosts have a route");
        NS_TEST_EXPECT_MSG_EQ(FindCreditLoop(tree, manager), "", "no credit loop");
        // Between leaves, shortest routes have twice as many links as climbed levels.
        const uint32_t longest = GetDiameter(tree) + 1;
        std::vector<uint32_t> use(tree.GetPorts().size(), 0);
        for (HostId from = 0; from < tree.GetNHosts(); ++from)
        {
            for (HostId to = 0; to < tree.GetNHosts(); ++to)
            {
                if (from == to)
                {
                    continue;
                }
                std::set<PortId> second;
                for (uint8_t path = 0; path < manager.GetNPaths(); ++path)
                {
                    const auto route = manager.GetRoute(from, manager.GetLid(to, path));
                    NS_TEST_ASSERT_MSG_GT(route.size(), 1, "channels of a route");
                    NS_TEST_EXPECT_MSG_LT(route.size(),
                                          longest + 1,
                                          "no route is longer than the diameter");
                    const bool near = tree.GetPorts()[tree.GetPorts()[from].peer].vertex ==
                                      tree.GetPorts()[tree.GetPorts()[to].peer].vertex;
                    NS_TEST_EXPECT_MSG_EQ((route.size() == 2),
                                          near,
                                          "routes over one switch where one connects both hosts");
                    second.insert(route[1]);
                    for (const PortId port : route)
                    {
                        ++use[port];
                    }
                    if (!near && path == 3)
                    {
                        NS_TEST_EXPECT_MSG_EQ(second.size(), 4, "four paths use four ways up");
                    }
                }
            }
        }
        // In full trees, traffic of all pairs loads all links of a level equally.
        if (config.routing == Routing::FAT_TREE && tree.GetNHosts() != 70)
        {
            std::map<std::pair<uint32_t, uint32_t>, std::set<uint32_t>> loads;
            const auto kind = [&tree](uint32_t vertex) {
                return vertex < tree.GetNHosts()
                           ? 0U
                           : static_cast<uint32_t>(tree.GetVertices()[vertex].name[0]);
            };
            for (PortId port = 0; port < tree.GetPorts().size(); ++port)
            {
                if (const PortId peer = tree.GetPorts()[port].peer; peer != NO_PORT)
                {
                    loads[{kind(tree.GetPorts()[port].vertex), kind(tree.GetPorts()[peer].vertex)}]
                        .insert(use[port]);
                }
            }
            for (const auto& [ends, counts] : loads)
            {
                NS_TEST_EXPECT_MSG_EQ(counts.size(),
                                      1,
                                      "each link to a spine is on as many routes");
            }
        }
    }
};

/** Destination modulo ports up: a shift of all hosts by any number uses no link twice. */
class InfinibandShiftTestCase : public TestCase
{
  public:
    InfinibandShiftTestCase()
        : TestCase("fat-tree routing has no contention in shifts")
    {
    }

  private:
    void DoRun() override
    {
        for (const HostId hosts : {32U, 128U})
        {
            const Topology tree = MakeTree(hosts, 8);
            std::string error;
            SubnetManager manager(tree, SubnetConfig{Routing::FAT_TREE, 0}, error);
            manager.Sweep();
            for (HostId shift = 1; shift < hosts; ++shift)
            {
                std::vector<bool> used(tree.GetPorts().size(), false);
                for (HostId from = 0; from < hosts; ++from)
                {
                    for (const PortId port :
                         manager.GetRoute(from, manager.GetLid((from + shift) % hosts)))
                    {
                        NS_TEST_EXPECT_MSG_EQ(used[port],
                                              false,
                                              "links used twice in a shift by " << shift);
                        used[port] = true;
                    }
                }
            }
        }
    }
};

/** Two cables from each leaf to each spine: consecutive destinations take different spines. */
class InfinibandParallelCablesTestCase : public TestCase
{
  public:
    InfinibandParallelCablesTestCase()
        : TestCase("fat-tree routing takes one cable to each spine before a second to any")
    {
    }

  private:
    void DoRun() override
    {
        std::ostringstream text;
        for (const int leaf : {0, 1})
        {
            text << "Switch 8 \"S-" << leaf << "\"\n";
            for (int port = 1; port <= 4; ++port)
            {
                text << "[" << port << "] \"H-" << 4 * leaf + port - 1 << "\"[1]\n";
            }
            for (int port = 5; port <= 8; ++port)
            {
                const int spine = port < 7 ? 2 : 3;
                text << "[" << port << "] \"S-" << spine << "\"[" << 2 * leaf + 2 - port % 2
                     << "]\n";
            }
        }
        for (const int spine : {2, 3})
        {
            text << "Switch 8 \"S-" << spine << "\"\n";
            for (int port = 1; port <= 4; ++port)
            {
                text << "[" << port << "] \"S-" << (port - 1) / 2 << "\"["
                     << 2 * spine + 2 - port % 2 << "]\n";
            }
        }
        for (int host = 0; host < 8; ++host)
        {
            text << "Ca 1 \"H-" << host << "\"\n[1] \"S-" << host / 4 << "\"[" << host % 4 + 1
                 << "]\n";
        }
        const Topology tree = ReadText(text.str());
        std::string error;
        SubnetManager manager(tree, SubnetConfig{Routing::FAT_TREE, 0}, error);
        manager.Sweep();
        std::set<PortId> cables;
        std::vector<uint32_t> spines;
        for (HostId to = 4; to < 8; ++to)
        {
            const auto route = manager.GetRoute(0, manager.GetLid(to));
            NS_TEST_ASSERT_MSG_EQ(route.size(), 4, "channels from host 0 to " << to);
            cables.insert(route[1]);
            spines.push_back(tree.GetPorts()[route[2]].vertex);
        }
        NS_TEST_EXPECT_MSG_EQ(cables.size(), 4, "cables up that are used");
        for (std::size_t i = 1; i < spines.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_NE(spines[i - 1], spines[i], "spines of two destinations");
        }
    }
};

/**
 * Rings and random graphs: up/down reaches all hosts without loops; shortest routes on a ring have
 * a loop.
 */
class InfinibandCreditLoopTestCase : public TestCase
{
  public:
    InfinibandCreditLoopTestCase()
        : TestCase("credit loops")
    {
    }

  private:
    void DoRun() override
    {
        const Topology ring = ReadText(MakeRingFile(5, 1));
        std::string error;
        SubnetManager shortest(ring, SubnetConfig{Routing::MIN_HOP, 0}, error);
        NS_TEST_EXPECT_MSG_EQ(shortest.Sweep(), "", "min-hop accepts any graph");
        NS_TEST_EXPECT_MSG_EQ(shortest.CheckRoutes(), "", "all pairs of hosts have a route");
        NS_TEST_EXPECT_MSG_EQ(FindCreditLoop(ring, shortest),
                              "Packets can wait in a ring for the credits of ring0/1, ring1/1, "
                              "ring2/1, ring3/1, ring4/1, and again the first.",
                              "the credit loop of shortest routes");
        SubnetManager updown(ring, SubnetConfig{Routing::UP_DOWN, 0}, error);
        NS_TEST_EXPECT_MSG_EQ(updown.Sweep(), "", "up/down accepts any graph");
        NS_TEST_EXPECT_MSG_EQ(updown.CheckRoutes(), "", "all pairs of hosts have a route");
        NS_TEST_EXPECT_MSG_EQ(FindCreditLoop(ring, updown), "", "credit loops of up/down");
        SubnetManager tree(ring, SubnetConfig{Routing::FAT_TREE, 0}, error);
        NS_TEST_EXPECT_MSG_EQ(tree.Sweep(),
                              "Routing fat-tree needs a fat tree: the cable at ring0/1 connects "
                              "two switches of the same level; use up-down or min-hop.",
                              "fat-tree refuses a ring");
        for (uint32_t seed = 0; seed < 40; ++seed)
        {
            const Topology graph = ReadText(MakeRandomFile(4 + seed % 9, seed));
            SubnetManager manager(graph, SubnetConfig{Routing::UP_DOWN, 1}, error);
            NS_TEST_ASSERT_MSG_EQ(manager.Sweep(), "", "the sweep has no error");
            NS_TEST_EXPECT_MSG_EQ(manager.CheckRoutes(),
                                  "",
                                  "all pairs of hosts have a route, seed " << seed);
            NS_TEST_EXPECT_MSG_EQ(FindCreditLoop(graph, manager),
                                  "",
                                  "no credit loop, seed " << seed);
        }
    }
};

/** After a failure, a sweep finds other routes, or reports the unreachable hosts. */
class InfinibandSweepTestCase : public TestCase
{
  public:
    InfinibandSweepTestCase()
        : TestCase("sweeps after failures")
    {
    }

  private:
    void DoRun() override
    {
        const Topology single = MakeTree(2, 8);
        std::string none;
        SubnetManager one(single, SubnetConfig{}, none);
        one.Sweep();
        NS_TEST_EXPECT_MSG_EQ(one.GetRoute(0, one.GetSpan()).empty(),
                              true,
                              "a route to a LID that nobody has");
        const Topology tree = MakeTree(32, 8);
        for (const Routing routing : {Routing::MIN_HOP, Routing::UP_DOWN, Routing::FAT_TREE})
        {
            std::string error;
            SubnetManager manager(tree, SubnetConfig{routing, 1}, error);
            manager.Sweep();
            const auto before = manager.GetTables();
            const Lid lid = manager.GetLid(31);
            const PortId up = manager.GetRoute(0, lid)[1];
            manager.SetLinkUp(up, false);
            NS_TEST_EXPECT_MSG_EQ(manager.GetRoute(0, lid).empty(),
                                  true,
                                  "a route over a failed link, before the sweep");
            NS_TEST_EXPECT_MSG_EQ(manager.Sweep(), "", "the sweep has no error");
            NS_TEST_EXPECT_MSG_EQ(manager.CheckRoutes(),
                                  "",
                                  "all pairs have a route around the failed link");
            NS_TEST_EXPECT_MSG_EQ(FindCreditLoop(tree, manager), "", "no credit loop");
            manager.SetLinkUp(up, true);
            manager.Sweep();
            NS_TEST_EXPECT_MSG_EQ((manager.GetTables() == before), true, "as before");

            manager.SetLinkUp(tree.GetPorts()[7].peer, false);
            manager.Sweep();
            NS_TEST_EXPECT_MSG_EQ(manager.CheckRoutes(),
                                  "62 of 992 pairs of hosts have no route, "
                                  "h7 to h0 for one.",
                                  "routes to host 7, which is cut off");
            NS_TEST_EXPECT_MSG_EQ(manager.GetLid(31), lid, "LIDs do not change");
        }
    }
};

/** The tree of the multicast group reaches each host once. */
class InfinibandMulticastTreeTestCase : public TestCase
{
  public:
    InfinibandMulticastTreeTestCase()
        : TestCase("the multicast tree is a tree")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string& text : {MakeRingFile(6, 2), MakeRandomFile(9, 3)})
        {
            const Topology graph = ReadText(text);
            std::string error;
            SubnetManager manager(graph, SubnetConfig{Routing::UP_DOWN, 0}, error);
            manager.Sweep();
            const auto& ports = graph.GetPorts();
            for (HostId from = 0; from < graph.GetNHosts(); ++from)
            {
                std::vector<PortId> queue{ports[from].peer};
                std::multiset<uint32_t> receivers;
                for (std::size_t at = 0; at < queue.size() && queue.size() < 1000; ++at)
                {
                    const uint32_t vertex = ports[queue[at]].vertex;
                    if (vertex < graph.GetNHosts())
                    {
                        receivers.insert(vertex);
                        continue;
                    }
                    const PortId first = graph.GetVertices()[vertex].firstPort;
                    for (uint32_t n = 0; n < graph.GetVertices()[vertex].nPorts; ++n)
                    {
                        if (manager.GetMulticastPorts(vertex).Contains(n) && first + n != queue[at])
                        {
                            queue.push_back(ports[first + n].peer);
                        }
                    }
                }
                NS_TEST_EXPECT_MSG_EQ(receivers.size(),
                                      graph.GetNHosts() - 1,
                                      "copies arrive at all other hosts");
                NS_TEST_EXPECT_MSG_EQ(receivers.count(from), 0, "copies at the sender");
                NS_TEST_EXPECT_MSG_EQ(std::set<uint32_t>(receivers.begin(), receivers.end()).size(),
                                      receivers.size(),
                                      "each host has one copy");
            }
        }
    }
};

/** The test suite of the subnet manager. */
class InfinibandSubnetTestSuite : public TestSuite
{
  public:
    InfinibandSubnetTestSuite()
        : TestSuite("infiniband-subnet", Type::UNIT)
    {
        AddTestCase(new InfinibandLidTestCase, Duration::QUICK);
        AddTestCase(new InfinibandRoutesTestCase, Duration::QUICK);
        AddTestCase(new InfinibandShiftTestCase, Duration::QUICK);
        AddTestCase(new InfinibandParallelCablesTestCase, Duration::QUICK);
        AddTestCase(new InfinibandCreditLoopTestCase, Duration::QUICK);
        AddTestCase(new InfinibandSweepTestCase, Duration::QUICK);
        AddTestCase(new InfinibandMulticastTreeTestCase, Duration::QUICK);
    }
};

static InfinibandSubnetTestSuite g_infinibandSubnetTestSuite; ///< The test suite.

} // namespace tests
} // namespace infiniband
} // namespace ns3
