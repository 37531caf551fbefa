/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wormhole-test-traffic.h"

#include "ns3/messaging-list-text.h"
#include "ns3/test.h"
#include "ns3/wormhole-calendar.h"
#include "ns3/wormhole-divisor.h"
#include "ns3/wormhole-graph.h"
#include "ns3/wormhole-ports.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <random>
#include <sstream>

namespace ns3
{
namespace wormhole
{
namespace tests
{

using messaging::tests::FirstDifference;
using messaging::tests::ListText;

/** Sides of the published grids, and of others. */
class FactorTestCase : public TestCase
{
  public:
    FactorTestCase()
        : TestCase("E-20: a number of nodes has the most equal sides")
    {
    }

  private:
    void DoRun() override
    {
        /** A number of nodes and its sides. */
        struct Row
        {
            uint32_t nodes;      ///< Number of nodes.
            unsigned dimensions; ///< Number of sides.
            const char* sides;   ///< Expected sides.
        };

        constexpr Row ROWS[]{{4096, 2, "64, 64"},
                             {1024, 2, "32, 32"},
                             {256, 2, "16, 16"},
                             {4096, 3, "16, 16, 16"},
                             {1024, 3, "8, 8, 16"},
                             {256, 3, "8, 8, 4"},
                             {360, 3, "5, 8, 9"}, // Of equal sums, that with the shortest side.
                             {7, 3, "1, 1, 7"}};
        for (const Row& row : ROWS)
        {
            NS_TEST_EXPECT_MSG_EQ(ListText(Shape::Factor(row.nodes, row.dimensions)),
                                  row.sides,
                                  row.nodes << " nodes in " << row.dimensions << " dimensions");
        }
    }
};

/** Diameters and distances of grids. */
class GridTestCase : public TestCase
{
  public:
    GridTestCase()
        : TestCase("E-20: diameter and distances of 2D and 3D grids and a torus")
    {
    }

  private:
    /** @param settings attributes of a network @return its diameter [hops]. */
    static uint32_t GetDiameter(const Settings& settings)
    {
        return MakeNetwork(settings)->GetNativePort()->GetShape().GetDiameter();
    }

    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(GetDiameter({{"Nodes", "4096"}}), 63 + 63, "64x64");
        NS_TEST_EXPECT_MSG_EQ(GetDiameter({{"Nodes", "4096"}, {"Topology", "grid3d"}}),
                              15 + 15 + 15,
                              "16x16x16");
        NS_TEST_EXPECT_MSG_EQ(GetDiameter({{"Shape", "6x4"}, {"Torus", "true"}}),
                              3 + 2,
                              "6x4 torus");
        const auto mesh = MakeNetwork({{"Shape", "5x7"}});
        NS_TEST_EXPECT_MSG_EQ(mesh->GetNativePort()->GetNPeers(),
                              35,
                              "sides alone give the number of nodes");
        NS_TEST_EXPECT_MSG_EQ(mesh->GetNativePort()->Distance(0, 34), 10, "corner to corner");
        NS_TEST_EXPECT_MSG_EQ(mesh->GetNativePort()->Distance(0, 4),
                              4,
                              "the first dimension is the fastest");
    }
};

/** Distances and bandwidths of fat trees. */
class FatTreeTestCase : public TestCase
{
  public:
    FatTreeTestCase()
        : TestCase("E-20: a 4-ary fat tree whose bandwidth doubles with each level")
    {
    }

  private:
    void DoRun() override
    {
        const auto tree =
            MakeNetwork({{"Nodes", "256"}, {"Topology", "fattree"}, {"ChannelsPerLeaf", "4"}});
        NS_TEST_EXPECT_MSG_EQ(tree->GetNativePort()->GetShape().GetDiameter(),
                              8,
                              "four levels up and down");
        NS_TEST_EXPECT_MSG_EQ(tree->GetNativePort()->Distance(0, 3), 2, "leaves of one router");
        NS_TEST_EXPECT_MSG_EQ(tree->GetNativePort()->Distance(0, 4), 4, "leaves of neighbours");
        const Shape& shape = tree->GetNativePort()->GetShape();
        uint32_t router = 0;
        for (uint32_t channels = 4; shape.GetTarget(2 * router) != messaging::NO_PEER;
             channels *= 2)
        {
            NS_TEST_EXPECT_MSG_EQ(shape.GetChannels(2 * router),
                                  channels,
                                  "up from router " << router);
            NS_TEST_EXPECT_MSG_EQ(shape.GetChannels(2 * router + 1),
                                  channels,
                                  "down to " << router);
            router = shape.GetTarget(2 * router);
        }
        NS_TEST_EXPECT_MSG_EQ(router, 256 + 64 + 16 + 4, "the root follows all other levels");
        NS_TEST_EXPECT_MSG_EQ(shape.GetOrigin(2 * router),
                              messaging::NO_PEER,
                              "no link leads up from the root");
        const auto ternary =
            MakeNetwork({{"Nodes", "20"}, {"Topology", "fattree"}, {"Arity", "3"}});
        NS_TEST_EXPECT_MSG_EQ(ternary->GetNativePort()->Distance(0, 19),
                              6,
                              "arity that is no power of two");
        NS_TEST_EXPECT_MSG_EQ(ternary->GetNativePort()->Distance(18, 19),
                              2,
                              "leaves of a router that has only two");
    }
};

/** Every node reaches every other one over the links of the shape. */
class LinkTestCase : public TestCase
{
  public:
    LinkTestCase()
        : TestCase("heads pass the links that lead from router to router")
    {
    }

  private:
    void DoRun() override
    {
        const std::vector<Settings> shapes{
            {{"Shape", "5x3"}},
            {{"Shape", "5x4"}, {"Torus", "true"}},
            {{"Shape", "3x4x2"}, {"Topology", "grid3d"}},
            {{"Shape", "3x4x2"}, {"Topology", "grid3d"}, {"Torus", "true"}},
            {{"Nodes", "30"}, {"Topology", "fattree"}},
            {{"Nodes", "27"}, {"Topology", "fattree"}, {"Arity", "3"}},
        };
        for (auto settings : shapes)
        {
            settings["Observe"] = "true";
            for (const std::string router : {"lossy", "buffered", "hybrid"})
            {
                settings["Router"] = router;
                const auto network = MakeNetwork(settings);
                const auto port = network->GetNativePort();
                ChannelWatch watch(network);
                Traffic traffic(network);
                const Shape& shape = port->GetShape();
                for (Peer from = 0; from < port->GetNPeers(); ++from)
                {
                    for (Peer to = 0; to < port->GetNPeers(); ++to)
                    {
                        watch.path.clear();
                        traffic.Send(from, to, 8);
                        traffic.Drain();
                        uint32_t at = from;
                        for (const auto& [when, link] : watch.path)
                        {
                            NS_TEST_ASSERT_MSG_EQ(shape.GetOrigin(link), at, "a link from there");
                            at = shape.GetTarget(link);
                        }
                        NS_TEST_ASSERT_MSG_EQ(at, to, "the last link leads to the destination");
                        NS_TEST_ASSERT_MSG_EQ(watch.path.size(), port->Distance(from, to), "hops");
                    }
                }
                NS_TEST_EXPECT_MSG_EQ(port->GetCounters().delivered,
                                      port->GetNPeers() * port->GetNPeers(),
                                      "all have arrived");
            }
        }
    }
};

/** Where the links of a grid lead, at its rim and along sides of one router, too. */
class GridLinksTestCase : public TestCase
{
  public:
    GridLinksTestCase()
        : TestCase("the links of a grid lead one step along a side; those of a torus wrap")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string torus : {"false", "true"})
        {
            for (const std::string text : {"4x1", "3x2", "1x3x2"})
            {
                const std::string kind = text.size() > 3 ? "grid3d" : "grid2d";
                const auto network =
                    MakeNetwork({{"Shape", text}, {"Topology", kind}, {"Torus", torus}});
                const auto port = network->GetNativePort();
                const Shape& shape = port->GetShape();
                const auto sides = shape.GetSides();
                uint32_t stride = 1;
                for (std::size_t d = 0; d < sides.size(); ++d)
                {
                    for (Peer node = 0; node < port->GetNPeers(); ++node)
                    {
                        const uint32_t at = node / stride % sides[d];
                        const bool wraps = torus == "true" && sides[d] > 1;
                        const Peer rim = wraps ? node - at * stride : messaging::NO_PEER;
                        const Peer top = wraps ? rim + (sides[d] - 1) * stride : rim;
                        const auto link = static_cast<Link>(2 * (node * sides.size() + d));
                        NS_TEST_EXPECT_MSG_EQ(shape.GetTarget(link),
                                              (at + 1 < sides[d] ? node + stride : rim),
                                              text << ": up from " << node);
                        NS_TEST_EXPECT_MSG_EQ(shape.GetTarget(link + 1),
                                              (at > 0 ? node - stride : top),
                                              text << ": down from " << node);
                    }
                    stride *= sides[d];
                }
            }
        }
    }
};

/** No channel of a torus is preferred. */
class TorusTestCase : public TestCase
{
  public:
    TorusTestCase()
        : TestCase("on a torus traffic between all pairs loads all channels of a dimension alike")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string sides : {"4x4", "5x5", "6x6"})
        {
            const auto network =
                MakeNetwork({{"Shape", sides}, {"Torus", "true"}, {"Observe", "true"}});
            ChannelWatch watch(network);
            Traffic traffic(network);
            const uint32_t n = network->GetNativePort()->GetNPeers();
            for (Peer pair = 0; pair < n * n; ++pair)
            {
                traffic.Send(pair / n, pair % n, 8);
                traffic.Drain();
            }
            uint64_t least = n * n * n;
            uint64_t most = 0;
            for (const auto& [link, hops] : watch.hopsOfLink)
            {
                least = std::min(least, hops);
                most = std::max(most, hops);
            }
            NS_TEST_EXPECT_MSG_EQ(watch.hopsOfLink.size(),
                                  4 * n,
                                  sides << ": all channels are used");
            NS_TEST_EXPECT_MSG_EQ(least, most, sides << ": each by as many hops");
        }
    }
};

/** @return the error of a topology file, or empty. @param text the file */
static std::string
GetGraphError(const std::string& text)
{
    std::istringstream in(text);
    std::string error;
    Graph::Read(in, "net", false, error);
    return error;
}

/** Topology files that are refused. */
class GraphErrorTestCase : public TestCase
{
  public:
    GraphErrorTestCase()
        : TestCase("errors of a topology file name the line")
    {
    }

  private:
    void DoRun() override
    {
        const std::vector<std::pair<std::string, std::string>> errors{
            {"node a\nrouter a\n", "net, line 2: the name a is taken already."},
            {"node a\n\nwire a a\n",
             "net, line 3: \"wire\" is not one of node, router, link and channel."},
            {"node a\nlink a b # b comes later\nnode b\n",
             "net, line 2: there is no router b above this line."},
            {"node a\nnode b\nlink a b 0\n",
             "net, line 3: \"0\" is not a number of channels from 1 to 65536."},
            {"node a\nlink a a\n", "net, line 2: link leads from a to itself."},
            {"router a\n", "net has no line \"node NAME\"; a network needs at least one."},
            {"node a\nnode b\nchannel a b\n",
             "net: node a cannot be reached from node b; every node has to be reachable from every "
             "other."}};
        for (const auto& [text, error] : errors)
        {
            NS_TEST_EXPECT_MSG_EQ(GetGraphError(text), error, text);
        }
    }
};

/** A graph of a topology file: a ring of six routers with a chord, one of them without a node. */
class GraphTestCase : public TestCase
{
  public:
    GraphTestCase()
        : TestCase("a graph carries traffic over the links of its topology file")
    {
    }

  private:
    void DoRun() override
    {
        const std::string name = CreateTempDirFilename("ring.txt");
        std::ofstream(name) << "# a ring\n"
                            << "node a\nnode b\nrouter x\nnode c\nnode d\nnode e\n"
                            << "link a b\nlink b x 2\nlink x c 2\nlink c d\nlink d e\nlink e a\n"
                            << "link b d\n";
        CheckTraffic(name);
        CheckObservation(name);
        CheckAttributes(name);
    }

    /** Send random traffic over each kind of routers. @param name the topology file */
    void CheckTraffic(const std::string& name)
    {
        for (const std::string router : {"lossy", "buffered", "hybrid"})
        {
            const auto network =
                MakeNetwork({{"Topology", "graph"}, {"TopologyFile", name}, {"Router", router}});
            const auto port = network->GetNativePort();
            NS_TEST_EXPECT_MSG_EQ(network->Check(), "", "the file has no error");
            NS_TEST_EXPECT_MSG_EQ(port->GetNPeers(), 5, "nodes");
            NS_TEST_EXPECT_MSG_EQ(port->Distance(0, 1), 1, "neighbours");
            NS_TEST_EXPECT_MSG_EQ(port->Distance(1, 2), 2, "through the router without a node");
            Traffic traffic(network);
            traffic.SendUniform(3000, 0.02, 4, 60);
            const Counters& counters = port->GetCounters();
            NS_TEST_EXPECT_MSG_GT(counters.delivered, 200, "packets are delivered");
            NS_TEST_EXPECT_MSG_EQ(counters.delivered + counters.GetAllDrops(),
                                  counters.offered,
                                  "each packet is delivered or dropped");
            NS_TEST_EXPECT_MSG_EQ(port->GetNInFlight(), 0, "no packet is left in a deadlock");
        }
    }

    /**
     * Compare the kernel that observes with the one that does not, as heads have a choice of links.
     * @param name the topology file
     */
    void CheckObservation(const std::string& name)
    {
        for (const std::string routing : {"productive", "strict"})
        {
            std::vector<std::vector<Traffic::Arrival>> arrivals;
            for (const std::string observe : {"false", "true"})
            {
                Traffic traffic(MakeNetwork({{"Topology", "graph"},
                                             {"TopologyFile", name},
                                             {"Routing", routing},
                                             {"Observe", observe}}));
                traffic.SendUniform(1000, 0.02, 4, 60);
                arrivals.push_back(traffic.arrivals);
            }
            NS_TEST_EXPECT_MSG_EQ(FirstDifference(arrivals[1], arrivals[0]),
                                  "",
                                  routing << ": observation changes no arrival");
        }
    }

    /** Check the attributes of a graph. @param name the topology file */
    void CheckAttributes(const std::string& name)
    {
        NS_TEST_EXPECT_MSG_EQ(
            MakeNetwork({{"Topology", "graph"}, {"TopologyFile", name}, {"Nodes", "6"}})->Check(),
            "TopologyFile " + name + " has 5 nodes, but Nodes is 6; they have to agree.",
            "a wrong number of nodes");
        NS_TEST_EXPECT_MSG_EQ(
            MakeNetwork({{"Topology", "graph"}, {"TopologyFile", "no-such-file"}})->Check(),
            "TopologyFile no-such-file cannot be read.",
            "a missing file");
    }
};

/** Routes of a ring. */
class UpDownTestCase : public TestCase
{
  public:
    UpDownTestCase()
        : TestCase("stored packets go up towards the first router and then down")
    {
    }

  private:
    void DoRun() override
    {
        // From c to e, the link from d leads up again.
        const std::string name = CreateTempDirFilename("plain-ring.txt");
        std::ofstream(name) << "node a\nnode b\nnode c\nnode d\nnode e\nnode f\n"
                            << "link a b\nlink b c\nlink c d\nlink d e\nlink e f\nlink f a\n";
        const std::vector<std::pair<std::string, Ticks>> distances{{"lossy", 2}, {"buffered", 4}};
        for (const auto& [router, distance] : distances)
        {
            const auto network =
                MakeNetwork({{"Topology", "graph"}, {"TopologyFile", name}, {"Router", router}});
            NS_TEST_EXPECT_MSG_EQ(network->GetNativePort()->Distance(2, 4), distance, router);
        }
    }
};

/** Errors of contradictory attributes. */
class CheckTestCase : public TestCase
{
  public:
    CheckTestCase()
        : TestCase("attributes that contradict each other are refused by one sentence")
    {
    }

  private:
    void DoRun() override
    {
        const std::vector<Settings> wrong{
            {{"Shape", "0x4"}},
            {{"Shape", "4"}},
            {{"Shape", "4x4x"}},
            {{"Shape", "4x-4"}},
            {{"Shape", "4x4.0"}},
            {{"Shape", "4x4"}, {"Topology", "grid3d"}},
            {{"Shape", "4x4"}, {"Nodes", "15"}},
            {{"Shape", "40000x1"}},
            {{"Shape", "4x4"}, {"Topology", "fattree"}},
            {{"Topology", "graph"}},
            {{"Mtu", "1000000"}},
            {{"Router", "buffered"}, {"Corruption", "0.1"}},
            {{"Router", "buffered"}, {"Routing", "random"}},
        };
        for (const auto& settings : wrong)
        {
            const std::string error = MakeNetwork(settings)->Check();
            NS_TEST_ASSERT_MSG_NE(error, "", ListText(settings) << " is refused");
            NS_TEST_EXPECT_MSG_EQ(error.back(), '.', error << " is a sentence");
        }
        NS_TEST_EXPECT_MSG_EQ(MakeNetwork({})->Check(), "", "the defaults are accepted");
    }
};

/** The largest grids. */
class LargestGridTestCase : public TestCase
{
  public:
    LargestGridTestCase()
        : TestCase("a grid has sides of up to 32767, and up to 2^24 nodes")
    {
    }

  private:
    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(MakeNetwork({{"Shape", "32767x1"}})->Check(), "", "longest side");
        NS_TEST_EXPECT_MSG_EQ(MakeNetwork({{"Shape", "32768x1"}})->Check(),
                              "Shape is \"32768x1\"; it has to be 2 sides from 1 to 32767 joined "
                              "by x, as in 32x32.",
                              "longer by one");
        NS_TEST_EXPECT_MSG_EQ(MakeNetwork({{"Shape", "4096x4096"}})->Check(), "", "2^24 nodes");
        NS_TEST_EXPECT_MSG_EQ(MakeNetwork({{"Shape", "4097x4096"}})->Check(),
                              "The grid is too large; it may have up to 16777216 nodes, and up to "
                              "32767 along a side.",
                              "more than 2^24 nodes");
    }
};

/** Links that exist. */
class ExistingLinksTestCase : public TestCase
{
  public:
    ExistingLinksTestCase()
        : TestCase("links at the rim of a mesh and above the root of a tree do not exist")
    {
    }

  private:
    /** @param settings attributes of a network @return its links that are up. */
    static uint32_t CountLinks(const Settings& settings)
    {
        const auto port = MakeNetwork(settings)->GetNativePort();
        uint32_t up = 0;
        for (Link link = 0; link < port->GetShape().GetNLinks(); ++link)
        {
            if (port->IsLinkUp(link))
            {
                ++up;
            }
        }
        return up;
    }

    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(CountLinks({{"Shape", "4x4"}}),
                              2 * 2 * 4 * 3,
                              "both directions of 3 links in each of 4 rows and 4 columns");
        NS_TEST_EXPECT_MSG_EQ(CountLinks({{"Nodes", "16"}, {"Topology", "fattree"}}),
                              2 * (16 + 4),
                              "up and down from 16 leaves and 4 routers");
    }
};

/** Division by multiplication is exact. */
class DivisorTestCase : public TestCase
{
  public:
    DivisorTestCase()
        : TestCase("a product with the inverse is the quotient, also before and after a multiple")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t largest = std::numeric_limits<uint32_t>::max();
        std::mt19937 random(1);
        std::vector<uint32_t> divisors{1, 2, 3, 7, 10, 40, 64, 1000, 65537, largest - 1, largest};
        for (uint32_t i = 0; i < 1000; ++i)
        {
            divisors.push_back(1 + (random() >> (random() % 31)) % largest);
        }
        for (const uint32_t value : divisors)
        {
            const Divisor divisor(value);
            std::vector<uint32_t> numbers{0, 1, value - 1, value, largest - 1, largest};
            for (uint32_t i = 0; i < 100; ++i)
            {
                const uint32_t multiple = random() / value * value;
                numbers.insert(numbers.end(), {multiple, multiple + value - 1});
            }
            for (const uint32_t n : numbers)
            {
                NS_TEST_ASSERT_MSG_EQ(divisor.Divide(n), n / value, n << " / " << value);
            }
        }
    }
};

/** Ports of several nodes against a list of their free times. */
class PortsTestCase : public TestCase
{
  public:
    PortsTestCase()
        : TestCase("a port is taken while one of its node is free, and freed before its time")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t NODES = 3;
        std::mt19937 random(2);
        for (const uint32_t each : {0, 1, 2, 3})
        {
            Ports<uint32_t> ports(NODES, each);
            std::vector<std::vector<uint32_t>> busy(NODES, std::vector<uint32_t>(each));
            for (uint32_t now = 0; now < 2000; ++now)
            {
                const uint32_t node = random() % NODES;
                auto& list = busy[node];
                const auto least = std::min_element(list.begin(), list.end());
                const uint32_t freeAt = each == 0 ? 0 : *least;
                NS_TEST_ASSERT_MSG_EQ(std::max(ports.FreeAt(node), now),
                                      std::max(freeAt, now),
                                      each << " ports: first free cycle");
                const uint32_t cycles = 1 + random() % 8;
                NS_TEST_ASSERT_MSG_EQ(ports.Take(node, now, cycles),
                                      (freeAt <= now),
                                      each << " ports, free at " << freeAt);
                if (each > 0 && freeAt <= now)
                {
                    *least = now + cycles;
                }
                // Some are freed early; one that was not taken until then is not.
                const auto last = std::max_element(list.begin(), list.end());
                if (each > 0 && random() % 2 == 0 && *last > now)
                {
                    ports.Release(node, *last + 100, now);
                    ports.Release(node, *last, now);
                    *last = now;
                }
            }
        }
    }
};

/** A calendar against a map. */
class CalendarTestCase : public TestCase
{
  public:
    CalendarTestCase()
        : TestCase("a calendar gives each item in its cycle, however far ahead it was put")
    {
    }

  private:
    void DoRun() override
    {
        std::mt19937 random(3);
        Calendar<uint32_t> calendar;
        std::map<Ticks, std::vector<uint32_t>> due;
        uint32_t item = 0;
        const auto put = [&](Ticks now, Ticks ahead) {
            calendar.Put(now, now + ahead, item);
            due[now + ahead].push_back(item++);
        };
        // Its initial capacity is 64 cycles, and doubles when needed.
        for (const Ticks ahead : {0, 63, 64, 127, 128, 255})
        {
            put(0, ahead);
        }
        for (Ticks now = 0; now < 3000; ++now)
        {
            for (Ticks n = 0; n < 3 && now < 1000 && random() % 4 == 0; ++n)
            {
                put(now, random() % (64 + now));
            }
            NS_TEST_ASSERT_MSG_EQ(calendar.IsEmpty(), due.empty(), "in cycle " << now);
            NS_TEST_ASSERT_MSG_EQ(FirstDifference(calendar.Take(now), due[now]),
                                  "",
                                  "items of cycle " << now);
            due.erase(now);
        }
    }
};

/** Networks in the format of BookSim's anynet. */
class AnynetTestCase : public TestCase
{
  public:
    AnynetTestCase()
        : TestCase("latencies of anynet become distances")
    {
    }

  private:
    void DoRun() override
    {
        // A latency is that of one direction between routers, and of both to a node.
        const std::string name = CreateTempDirFilename("anynet_file");
        std::ofstream(name) << "router 0 node 0 node 1 5 router 1 15\nrouter 1 node 2\n\n"
                            << "router 2 router 0 router 1 2 node 3\n";
        const auto network = MakeNetwork({{"Topology", "graph"}, {"TopologyFile", name}});
        NS_TEST_ASSERT_MSG_EQ(network->Check(), "", "the file has no error");
        const auto port = network->GetNativePort();
        NS_TEST_EXPECT_MSG_EQ(port->GetNPeers(), 4, "nodes");
        NS_TEST_EXPECT_MSG_EQ(port->Distance(0, 1), 1 + 5, "nodes of one router");
        NS_TEST_EXPECT_MSG_EQ(port->Distance(1, 0), 5 + 1, "the other direction");
        NS_TEST_EXPECT_MSG_EQ(port->Distance(2, 0),
                              1 + 1 + 1,
                              "router 1 to 0, which is on no line: a latency of 1");
        NS_TEST_EXPECT_MSG_EQ(port->Distance(3, 2), 1 + 2 + 1, "router 2 to 1: a latency of 2");
        NS_TEST_EXPECT_MSG_EQ(port->Distance(0, 2),
                              1 + 1 + 2 + 1,
                              "via router 2, not over the link with a latency of 15");
        Traffic traffic(network);
        traffic.SendUniform(1000, 0.02, 4, 60);
        NS_TEST_EXPECT_MSG_GT(port->GetCounters().delivered, 50, "packets are delivered");
    }
};

/** Errors in the format of BookSim's anynet. */
class AnynetErrorTestCase : public TestCase
{
  public:
    AnynetErrorTestCase()
        : TestCase("errors of anynet name the line")
    {
    }

  private:
    void DoRun() override
    {
        const std::vector<std::pair<std::string, std::string>> errors{
            {"router 0 node 0 0\n", "net, line 1: \"0\" is not a latency from 1 to 1024."},
            {"router 0 node 0 node 1 node\n",
             "net, line 1: \"node\" does not begin a node or router and its number from 0 to "
             "4095."},
            {"node 0 node 1\n", "net, line 1: node 0 is connected to a node."},
            {"router 0 node 0 router 0\n", "net, line 1: router 0 is connected to itself."},
            {"router 0 node 0\nrouter 1 node 0\n",
             "net, line 2: node 0 is connected to routers 0 and 1."},
            {"router 0 node 1\n", "net has 1 nodes, but no node 0."},
            {"router 1 node 0\n", "net has 1 routers, but no router 0."}};
        for (const auto& [text, error] : errors)
        {
            NS_TEST_EXPECT_MSG_EQ(GetGraphError(text), error, text);
        }
    }
};

/** The test suite of shapes. */
class TopologyTestSuite : public TestSuite
{
  public:
    TopologyTestSuite()
        : TestSuite("wormhole-topology", Type::UNIT)
    {
        AddTestCase(new FactorTestCase, TestCase::Duration::QUICK);
        AddTestCase(new GridTestCase, TestCase::Duration::QUICK);
        AddTestCase(new FatTreeTestCase, TestCase::Duration::QUICK);
        AddTestCase(new LinkTestCase, TestCase::Duration::QUICK);
        AddTestCase(new GridLinksTestCase, TestCase::Duration::QUICK);
        AddTestCase(new TorusTestCase, TestCase::Duration::QUICK);
        AddTestCase(new GraphErrorTestCase, TestCase::Duration::QUICK);
        AddTestCase(new GraphTestCase, TestCase::Duration::QUICK);
        AddTestCase(new UpDownTestCase, TestCase::Duration::QUICK);
        AddTestCase(new AnynetTestCase, TestCase::Duration::QUICK);
        AddTestCase(new AnynetErrorTestCase, TestCase::Duration::QUICK);
        AddTestCase(new CheckTestCase, TestCase::Duration::QUICK);
        AddTestCase(new LargestGridTestCase, TestCase::Duration::QUICK);
        AddTestCase(new ExistingLinksTestCase, TestCase::Duration::QUICK);
        AddTestCase(new DivisorTestCase, TestCase::Duration::QUICK);
        AddTestCase(new PortsTestCase, TestCase::Duration::QUICK);
        AddTestCase(new CalendarTestCase, TestCase::Duration::QUICK);
    }
};

static TopologyTestSuite g_topologyTestSuite; ///< The test suite.

} // namespace tests
} // namespace wormhole
} // namespace ns3
