/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wormhole-test-traffic.h"

#include "ns3/test.h"
#include "ns3/wormhole-calendar.h"
#include "ns3/wormhole-divisor.h"
#include "ns3/wormhole-graph.h"
#include "ns3/wormhole-ports.h"

#include <cstdio>
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

/** Sides, distances and bandwidths of the published shapes. */
class ShapeTestCase : public TestCase
{
  public:
    ShapeTestCase()
        : TestCase("E-20: 2D grid, 3D grid, 4-ary fat tree whose bandwidth doubles with each level")
    {
    }

  private:
    void DoRun() override
    {
        using Sides = std::vector<uint32_t>;
        NS_TEST_EXPECT_MSG_EQ((Shape::Factor(4096, 2) == Sides{64, 64}), true, "4096 in 2D");
        NS_TEST_EXPECT_MSG_EQ((Shape::Factor(1024, 2) == Sides{32, 32}), true, "1024 in 2D");
        NS_TEST_EXPECT_MSG_EQ((Shape::Factor(256, 2) == Sides{16, 16}), true, "256 in 2D");
        NS_TEST_EXPECT_MSG_EQ((Shape::Factor(4096, 3) == Sides{16, 16, 16}), true, "4096 in 3D");
        NS_TEST_EXPECT_MSG_EQ((Shape::Factor(1024, 3) == Sides{8, 8, 16}), true, "1024 in 3D");
        NS_TEST_EXPECT_MSG_EQ((Shape::Factor(256, 3) == Sides{8, 8, 4}), true, "256 in 3D");
        NS_TEST_EXPECT_MSG_EQ((Shape::Factor(360, 3) == Sides{5, 8, 9}),
                              true,
                              "of equal sums, the one with the shortest side");
        NS_TEST_EXPECT_MSG_EQ((Shape::Factor(7, 3) == Sides{1, 1, 7}), true, "a prime");

        NS_TEST_EXPECT_MSG_EQ(
            MakeNetwork({{"Nodes", "4096"}})->GetNativePort()->GetShape().GetDiameter(),
            126,
            "64x64");
        NS_TEST_EXPECT_MSG_EQ(MakeNetwork({{"Nodes", "4096"}, {"Topology", "grid3d"}})
                                  ->GetNativePort()
                                  ->GetShape()
                                  .GetDiameter(),
                              45,
                              "16x16x16");
        NS_TEST_EXPECT_MSG_EQ(MakeNetwork({{"Shape", "6x4"}, {"Torus", "true"}})
                                  ->GetNativePort()
                                  ->GetShape()
                                  .GetDiameter(),
                              5,
                              "torus");
        const auto mesh = MakeNetwork({{"Shape", "5x7"}});
        NS_TEST_EXPECT_MSG_EQ(mesh->GetNativePort()->GetNPeers(),
                              35,
                              "sides alone give the number of nodes");
        NS_TEST_EXPECT_MSG_EQ(mesh->GetNativePort()->Distance(0, 34), 10, "corner to corner");
        NS_TEST_EXPECT_MSG_EQ(mesh->GetNativePort()->Distance(0, 4),
                              4,
                              "the first dimension is the fastest");

        const auto tree =
            MakeNetwork({{"Nodes", "256"}, {"Topology", "fattree"}, {"ChannelsPerLeaf", "4"}});
        NS_TEST_EXPECT_MSG_EQ(tree->GetNativePort()->GetShape().GetDiameter(),
                              8,
                              "four levels up and down");
        NS_TEST_EXPECT_MSG_EQ(tree->GetNativePort()->Distance(0, 3), 2, "siblings");
        NS_TEST_EXPECT_MSG_EQ(tree->GetNativePort()->Distance(0, 4), 4, "cousins");
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
        NS_TEST_EXPECT_MSG_EQ(router, 256 + 64 + 16 + 4, "the root");
        NS_TEST_EXPECT_MSG_EQ(shape.GetOrigin(2 * router), messaging::NO_PEER, "none above it");
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
            NS_TEST_EXPECT_MSG_EQ(least, most, sides << ": and all alike");
        }
    }
};

/** Graphs from files, and errors of invalid ones. */
class GraphTestCase : public TestCase
{
  public:
    GraphTestCase()
        : TestCase("graphs from a topology file; errors name the line")
    {
    }

  private:
    /**
     * Read an invalid text.
     * @param text the text
     * @return the error
     */
    static std::string Error(const std::string& text)
    {
        std::istringstream in(text);
        std::string error;
        const auto graph = Graph::Read(in, "net", false, error);
        return graph ? "none" : error;
    }

    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(Error("node a\nrouter a\n"),
                              "net, line 2: the name a is taken already.",
                              "");
        NS_TEST_EXPECT_MSG_EQ(Error("node a\n\nwire a a\n"),
                              "net, line 3: \"wire\" is not one of node, router, link and channel.",
                              "");
        NS_TEST_EXPECT_MSG_EQ(Error("node a\nlink a b # b comes later\nnode b\n"),
                              "net, line 2: there is no router b above this line.",
                              "");
        NS_TEST_EXPECT_MSG_EQ(Error("node a\nnode b\nlink a b 0\n"),
                              "net, line 3: \"0\" is not a number of channels from 1 to 65536.",
                              "");
        NS_TEST_EXPECT_MSG_EQ(Error("node a\nlink a a\n"),
                              "net, line 2: link leads from a to itself.",
                              "");
        NS_TEST_EXPECT_MSG_EQ(Error("router a\n"),
                              "net has no line \"node NAME\"; a network needs at least one.",
                              "");
        NS_TEST_EXPECT_MSG_EQ(
            Error("node a\nnode b\nchannel a b\n"),
            "net: node a cannot be reached from node b; every node has to be reachable "
            "from every other.",
            "");

        // A ring of six routers with a chord, one of them without a node.
        const std::string name = CreateTempDirFilename("ring.txt");
        {
            std::ofstream out(name);
            out << "# a ring\n";
            for (const char* router :
                 {"node a", "node b", "router x", "node c", "node d", "node e"})
            {
                out << router << "\n";
            }
            out << "link a b\nlink b x 2\nlink x c 2\nlink c d\nlink d e\nlink e a\nlink b d\n";
        }
        for (const std::string router : {"lossy", "buffered", "hybrid"})
        {
            const auto network =
                MakeNetwork({{"Topology", "graph"}, {"TopologyFile", name}, {"Router", router}});
            const auto port = network->GetNativePort();
            NS_TEST_EXPECT_MSG_EQ(network->Check(), "", "the file is read");
            NS_TEST_EXPECT_MSG_EQ(port->GetNPeers(), 5, "nodes");
            NS_TEST_EXPECT_MSG_EQ(port->Distance(0, 1), 1, "neighbours");
            NS_TEST_EXPECT_MSG_EQ(port->Distance(1, 2), 2, "through the router without a node");
            Traffic traffic(network);
            traffic.SendUniform(3000, 0.02, 4, 60);
            const Counters& counters = port->GetCounters();
            NS_TEST_EXPECT_MSG_GT(counters.delivered, 200, "traffic flows");
            NS_TEST_EXPECT_MSG_EQ(counters.delivered + counters.GetAllDrops(),
                                  counters.offered,
                                  "all end");
            NS_TEST_EXPECT_MSG_EQ(port->GetNInFlight(),
                                  0,
                                  "nothing is left, so nothing was locked");
        }
        // Stored packets go up towards the first router and then down: not over the link of the two
        // that are farthest from it.
        const std::string plain = CreateTempDirFilename("plain-ring.txt");
        {
            std::ofstream out(plain);
            out << "node a\nnode b\nnode c\nnode d\nnode e\nnode f\n"
                << "link a b\nlink b c\nlink c d\nlink d e\nlink e f\nlink f a\n";
        }
        for (const std::string router : {"lossy", "buffered"})
        {
            const auto network =
                MakeNetwork({{"Topology", "graph"}, {"TopologyFile", plain}, {"Router", router}});
            NS_TEST_EXPECT_MSG_EQ(network->GetNativePort()->Distance(2, 4),
                                  (router == "lossy" ? 2 : 4),
                                  router);
        }
        // The observing kernel moves each head over one of several possible links.
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
            NS_TEST_EXPECT_MSG_EQ((arrivals[0] == arrivals[1]), true, routing << " on a graph");
        }
        NS_TEST_EXPECT_MSG_EQ(
            MakeNetwork({{"Topology", "graph"}, {"TopologyFile", name}, {"Nodes", "6"}})->Check(),
            "TopologyFile " + name + " has 5 nodes, but Nodes is 6; they have to agree.",
            "");
        NS_TEST_EXPECT_MSG_EQ(
            MakeNetwork({{"Topology", "graph"}, {"TopologyFile", "no-such-file"}})->Check(),
            "TopologyFile no-such-file cannot be read.",
            "");
    }
};

/** Errors of contradictory attributes. */
class CheckTestCase : public TestCase
{
  public:
    CheckTestCase()
        : TestCase("attributes that do not go together are answered by one sentence")
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
            NS_TEST_EXPECT_MSG_EQ((!error.empty() && error.back() == '.'),
                                  true,
                                  settings.begin()->second << " is refused: " << error);
        }
        NS_TEST_EXPECT_MSG_EQ(MakeNetwork({})->Check(), "", "the defaults go together");
        // The longest side, and one node more; the maximum number of nodes.
        NS_TEST_EXPECT_MSG_EQ(MakeNetwork({{"Shape", "32767x1"}})->Check(), "", "the longest");
        NS_TEST_EXPECT_MSG_NE(MakeNetwork({{"Shape", "32768x1"}})->Check(), "", "too long");
        NS_TEST_EXPECT_MSG_EQ(MakeNetwork({{"Shape", "4096x4096"}})->Check(), "", "2^24 nodes");
        NS_TEST_EXPECT_MSG_NE(MakeNetwork({{"Shape", "4097x4096"}})->Check(), "", "too many");
        // Of the four links of each node of a mesh, those at the rim lead nowhere, as do those
        // above the root of a tree.
        const auto countLinks = [](const Settings& settings) {
            const auto network = MakeNetwork(settings);
            const auto port = network->GetNativePort();
            uint32_t up = 0;
            for (Link link = 0; link < port->GetShape().GetNLinks(); ++link)
            {
                up += port->IsLinkUp(link) ? 1 : 0;
            }
            return up;
        };
        NS_TEST_EXPECT_MSG_EQ(countLinks({{"Shape", "4x4"}}), 2 * 2 * 4 * 3, "to and fro");
        NS_TEST_EXPECT_MSG_EQ(countLinks({{"Nodes", "16"}, {"Topology", "fattree"}}),
                              2 * (16 + 4),
                              "up and down");
    }
};

/** Division by multiplication is exact. */
class DivisorTestCase : public TestCase
{
  public:
    DivisorTestCase()
        : TestCase("a product with the inverse is the quotient, at both sides of each step")
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
                                      each << " ports");
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
            NS_TEST_ASSERT_MSG_EQ((calendar.Take(now) == due[now]), true, "in cycle " << now);
            due.erase(now);
        }
    }
};

/** Networks in the format of BookSim's anynet. */
class AnynetTestCase : public TestCase
{
  public:
    AnynetTestCase()
        : TestCase("latencies of anynet become distances; errors name the line")
    {
    }

  private:
    /** @return the error of a text, or empty. @param text the text */
    static std::string GetError(const std::string& text)
    {
        std::istringstream in(text);
        std::string error;
        Graph::Read(in, "net", false, error);
        return error;
    }

    void DoRun() override
    {
        // A latency is that of one direction between routers, and of both to a node.
        const std::string name = CreateTempDirFilename("anynet_file");
        std::ofstream(name) << "router 0 node 0 node 1 5 router 1 15\nrouter 1 node 2\n\n"
                            << "router 2 router 0 router 1 2 node 3\n";
        const auto network = MakeNetwork({{"Topology", "graph"}, {"TopologyFile", name}});
        NS_TEST_ASSERT_MSG_EQ(network->Check(), "", "the file is read");
        const auto port = network->GetNativePort();
        NS_TEST_EXPECT_MSG_EQ(port->GetNPeers(), 4, "nodes");
        NS_TEST_EXPECT_MSG_EQ(port->Distance(0, 1), 1 + 5, "at one router");
        NS_TEST_EXPECT_MSG_EQ(port->Distance(1, 0), 5 + 1, "the same backwards");
        NS_TEST_EXPECT_MSG_EQ(port->Distance(2, 0), 1 + 1 + 1, "1 where no line says otherwise");
        NS_TEST_EXPECT_MSG_EQ(port->Distance(3, 2), 1 + 2 + 1, "of one direction");
        NS_TEST_EXPECT_MSG_EQ(port->Distance(0, 2), 1 + 1 + 2 + 1, "the fastest way, not 15");
        Traffic traffic(network);
        traffic.SendUniform(1000, 0.02, 4, 60);
        NS_TEST_EXPECT_MSG_GT(port->GetCounters().delivered, 50, "traffic flows");

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
            NS_TEST_EXPECT_MSG_EQ(GetError(text), error, text);
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
        AddTestCase(new ShapeTestCase, TestCase::Duration::QUICK);
        AddTestCase(new LinkTestCase, TestCase::Duration::QUICK);
        AddTestCase(new GridLinksTestCase, TestCase::Duration::QUICK);
        AddTestCase(new TorusTestCase, TestCase::Duration::QUICK);
        AddTestCase(new GraphTestCase, TestCase::Duration::QUICK);
        AddTestCase(new AnynetTestCase, TestCase::Duration::QUICK);
        AddTestCase(new CheckTestCase, TestCase::Duration::QUICK);
        AddTestCase(new DivisorTestCase, TestCase::Duration::QUICK);
        AddTestCase(new PortsTestCase, TestCase::Duration::QUICK);
        AddTestCase(new CalendarTestCase, TestCase::Duration::QUICK);
    }
};

static TopologyTestSuite g_topologyTestSuite; ///< The test suite.

} // namespace tests
} // namespace wormhole
} // namespace ns3
