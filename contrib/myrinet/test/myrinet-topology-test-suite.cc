/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/myrinet-mapper.h"
#include "ns3/test.h"

#include <algorithm>
#include <set>
#include <sstream>

namespace ns3
{
namespace myrinet
{
namespace tests
{

/**
 * The route between any two hosts follows connected links, and a Clos network uses all its links
 * up.
 */
class RoutesTestCase : public TestCase
{
  public:
    RoutesTestCase()
        : TestCase("routes of Clos networks go up and then down, over all links")
    {
    }

  private:
    /**
     * Check a network.
     * @param hosts number of hosts
     * @param ports ports of each switch
     * @param switches expected number of switches
     * @param longest expected channels on the longest route
     */
    void CheckClos(uint32_t hosts, uint32_t ports, uint32_t switches, uint32_t longest)
    {
        std::string error;
        TopologyConfig config;
        config.kind = TopologyKind::CLOS;
        config.nodes = hosts;
        config.switchPorts = ports;
        const Topology topology = Topology::Make(config, error);
        NS_TEST_ASSERT_MSG_EQ(error, "", "the parameters are valid");
        NS_TEST_EXPECT_MSG_EQ(topology.GetNHosts(), hosts, "hosts");
        NS_TEST_EXPECT_MSG_EQ(topology.GetNSwitches(), switches, "switches");
        for (uint32_t vertex = hosts; vertex < hosts + switches; ++vertex)
        {
            NS_TEST_EXPECT_MSG_LT_OR_EQ(topology.GetOutgoing(vertex).size(),
                                        ports,
                                        "links of " << topology.GetName(vertex));
        }
        const Routes routes(topology, RouteKind::UPDOWN);
        const auto& channels = topology.GetChannels();
        std::vector<uint32_t> use(channels.size(), 0);
        std::size_t most = 0;
        for (Peer from = 0; from < hosts; ++from)
        {
            for (Peer to = 0; to < hosts; ++to)
            {
                const auto route = routes.Get(from, to);
                most = std::max(most, route.size());
                NS_TEST_EXPECT_MSG_EQ(channels[route.front()].from, from, "begin of the route");
                NS_TEST_EXPECT_MSG_EQ(channels[route.back()].to, to, "end of the route");
                bool down = false;
                for (std::size_t n = 0; n < route.size(); ++n)
                {
                    ++use[route[n]];
                    if (n == 0)
                    {
                        continue;
                    }
                    NS_TEST_EXPECT_MSG_EQ(channels[route[n - 1]].to,
                                          channels[route[n]].from,
                                          "a channel begins where the previous one ends");
                    const auto& end = channels[route[n]];
                    const bool up =
                        end.to >= hosts && topology.GetRank(end.to) < topology.GetRank(end.from);
                    NS_TEST_EXPECT_MSG_EQ((up && down), false, "no channel leads up again");
                    down |= !up;
                }
            }
        }
        NS_TEST_EXPECT_MSG_EQ(most, longest, "longest route");
        const bool isComplete = hosts == ports * ports * ports / 4 || hosts == ports * ports / 2;
        if (isComplete)
        {
            CheckLoads(topology, use);
        }
    }

    /**
     * Check that traffic of all pairs uses all links between switches, and those to hosts equally.
     * @param topology the network
     * @param use routes by channel
     */
    void CheckLoads(const Topology& topology, const std::vector<uint32_t>& use)
    {
        const uint32_t hosts = topology.GetNHosts();
        std::set<uint32_t> loads;
        for (ChannelId channel = 0; channel < use.size(); ++channel)
        {
            const auto& end = topology.GetChannels()[channel];
            if (end.from >= hosts && end.to >= hosts)
            {
                NS_TEST_EXPECT_MSG_GT(use[channel], 0, "routes over a link between switches");
            }
            if (end.to < hosts)
            {
                loads.insert(use[channel]);
            }
        }
        NS_TEST_EXPECT_MSG_EQ(loads.size(), 1, "each link to a host is on as many routes");
    }

    void DoRun() override
    {
        CheckClos(8, 8, 1, 2);
        CheckClos(32, 8, 12, 4);
        CheckClos(128, 8, 80, 6);
        CheckClos(128, 16, 24, 4);
        CheckClos(13, 8, 8, 4);
        CheckClos(50, 8, 45, 6);
    }
};

/** Topology files, and one sentence for each faulty line. */
class FileTestCase : public TestCase
{
  public:
    FileTestCase()
        : TestCase("files of graphs, and lines that are wrong")
    {
    }

  private:
    void DoRun() override
    {
        struct Case
        {
            std::string text;     ///< Text of the file.
            std::string sentence; ///< Expected error.
        };

        const std::string two = "host a\nhost b\nswitch s 3\nlink a s\n";
        const std::vector<Case> cases{
            {two + "link b s 7.5 # a cable\n\n", ""},
            {"hots a\n", "f, line 1: \"hots\" is not one of host, switch and link."},
            {"host\n", "f, line 1: host takes one name."},
            {"host a b\n", "f, line 1: host takes one name."},
            {"switch s 3 4\n", "f, line 1: switch takes a name and perhaps a number of ports."},
            {"switch s many\n", "f, line 1: \"many\" is not a number of ports from 1 to 128."},
            {"switch s 0\n", "f, line 1: \"0\" is not a number of ports from 1 to 128."},
            {"host a\nswitch a\n", "f, line 2: the name a is taken already."},
            {two + "link b\n", "f, line 5: link takes two names and perhaps a length in metres."},
            {two + "link b t\n", "f, line 5: there is no host or switch t above this line."},
            {two + "link s s\n", "f, line 5: link leads from s to itself."},
            {two + "link b a\n",
             "f, line 5: a link joins a host to a switch or two switches, not the hosts b and a."},
            {two + "link b s -1\n", "f, line 5: \"-1\" is not a length from 0 to 10000 metres."},
            {two + "link b s 3m\n", "f, line 5: \"3m\" is not a length from 0 to 10000 metres."},
            {two + "link a s\n", "f, line 5: a has 1 port, which has its link already."},
            {"switch t\nswitch s 1\nlink s t\nlink s t\n",
             "f, line 4: s has 1 port, which has its link already."},
            {"switch t\nswitch s 2\nlink s t\nlink s t\nlink s t\n",
             "f, line 5: s has 2 ports, which have their links already."},
            {two, "f: host b has no link; every host has one, to a switch."},
            {two + "switch t\nlink b t\n",
             "f: host b cannot be reached from host a; every host has to be reachable from every "
             "other."},
            {"switch s\n", "f has no line host NAME; a network needs at least one host."}};
        for (const Case& one : cases)
        {
            std::istringstream in(one.text);
            std::string error;
            const Topology topology = Topology::Read(in, "f", TopologyConfig(), error);
            NS_TEST_EXPECT_MSG_EQ(error, one.sentence, one.text);
            if (one.sentence.empty())
            {
                NS_TEST_EXPECT_MSG_EQ(topology.GetNHosts(), 2, "hosts");
                NS_TEST_EXPECT_MSG_EQ(topology.GetNSwitches(), 1, "switches");
                NS_TEST_EXPECT_MSG_EQ(topology.GetLongestCable(), 7.5, "its cable");
                NS_TEST_EXPECT_MSG_EQ(topology.GetChannelName(2), "b->s", "its name");
            }
        }
    }
};

/** Number of links and switches of each kind of network up to its largest size. */
class LimitsTestCase : public TestCase
{
  public:
    LimitsTestCase()
        : TestCase("links and switches of each kind of network, and sizes that are too large")
    {
    }

  private:
    void DoRun() override
    {
        struct Case
        {
            TopologyKind kind; ///< Kind.
            uint32_t nodes;    ///< Hosts.
            uint32_t ports;    ///< Ports of a switch.
            uint32_t switches; ///< Switches of a ring.
            uint32_t links;    ///< Expected number of links; 0 if impossible.
            uint32_t count;    ///< Expected number of switches.
        };

        // A ring's switches have two ports for it and at least a host each. Folded Clos networks
        // of k ports serve k hosts, k*k/2 and k*k*k/4.
        for (const Case& one : {Case{TopologyKind::SWITCH, 8, 8, 1, 8, 1},
                                Case{TopologyKind::SWITCH, 9, 8, 1, 0, 0},
                                Case{TopologyKind::RING, 3, 3, 3, 6, 3},
                                Case{TopologyKind::RING, 3, 2, 3, 0, 0},
                                Case{TopologyKind::RING, 2, 8, 2, 0, 0},
                                Case{TopologyKind::RING, 4, 8, 5, 0, 0},
                                Case{TopologyKind::RING, 9, 5, 3, 12, 3},
                                Case{TopologyKind::RING, 10, 5, 3, 0, 0},
                                Case{TopologyKind::CLOS, 4, 4, 1, 4, 1},
                                Case{TopologyKind::CLOS, 5, 4, 1, 11, 5},
                                Case{TopologyKind::CLOS, 8, 4, 1, 16, 6},
                                Case{TopologyKind::CLOS, 16, 4, 1, 48, 20},
                                Case{TopologyKind::CLOS, 17, 4, 1, 0, 0},
                                Case{TopologyKind::CLOS, 4, 5, 1, 0, 0}})
        {
            std::string error;
            const auto topology =
                Topology::Make({one.kind, one.nodes, one.ports, one.switches, 3, ""}, error);
            NS_TEST_EXPECT_MSG_EQ(error.empty(), (one.links > 0), error);
            const auto& channels = topology.GetChannels();
            NS_TEST_EXPECT_MSG_EQ(channels.size(), 2 * one.links, "two channels for each link");
            NS_TEST_EXPECT_MSG_EQ(topology.GetNSwitches(), one.count, "switches");
            for (const auto& channel : channels)
            {
                NS_TEST_EXPECT_MSG_NE(channel.from, channel.to, "no channel is a loop");
            }
            for (uint32_t host = 0; one.links > 0 && host < one.nodes; ++host)
            {
                NS_TEST_EXPECT_MSG_EQ(topology.GetOutgoing(host).size(),
                                      1,
                                      "links of host " << host);
            }
        }
    }
};

/** Ranks of a ring. */
class RingRankTestCase : public TestCase
{
  public:
    RingRankTestCase()
        : TestCase("ranks of a ring are distances from its first switch")
    {
    }

  private:
    void DoRun() override
    {
        // All switches have the same distance to their farthest host, so the first is the root.
        constexpr uint32_t SIZE = 5;
        std::string error;
        const auto ring = Topology::Make({TopologyKind::RING, SIZE, 8, SIZE, 3, ""}, error);
        NS_TEST_ASSERT_MSG_EQ(error, "", "the parameters are valid");
        for (uint32_t n = 0; n < SIZE; ++n)
        {
            NS_TEST_EXPECT_MSG_EQ(ring.GetRank(SIZE + n),
                                  std::min(n, SIZE - n),
                                  "links from switch " << n << " to the root");
        }
    }
};

/** Largest files. */
class FileLimitsTestCase : public TestCase
{
  public:
    FileLimitsTestCase()
        : TestCase("a file has up to MAX_HOSTS hosts and up to MAX_SWITCHES switches")
    {
    }

  private:
    void DoRun() override
    {
        for (const uint32_t more : {0, 1})
        {
            std::ostringstream hosts("switch s0 128\n", std::ios::ate);
            for (uint32_t n = 0; n < Topology::MAX_HOSTS + more; ++n)
            {
                if (n % 100 == 99)
                {
                    const uint32_t at = n / 100;
                    hosts << "switch s" << at + 1 << " 128\nlink s" << at << " s" << at + 1 << "\n";
                }
                hosts << "host h" << n << "\nlink h" << n << " s" << (n + 1) / 100 << "\n";
            }
            std::ostringstream switches("host h\n", std::ios::ate);
            for (uint32_t n = 0; n < Topology::MAX_SWITCHES + more; ++n)
            {
                switches << "switch s" << n << "\n" << (n == 0 ? "link h s0\n" : "");
            }
            for (const auto& text : {hosts.str(), switches.str()})
            {
                std::istringstream in(text);
                std::string error;
                Topology::Read(in, "f", TopologyConfig(), error);
                NS_TEST_EXPECT_MSG_EQ(error.empty(), (more == 0), error);
            }
        }
    }
};

/** The test suite of topologies and routes. */
class TopologyTestSuite : public TestSuite
{
  public:
    TopologyTestSuite()
        : TestSuite("myrinet-topology", Type::UNIT)
    {
        AddTestCase(new RoutesTestCase, TestCase::Duration::QUICK);
        AddTestCase(new FileTestCase, TestCase::Duration::QUICK);
        AddTestCase(new LimitsTestCase, TestCase::Duration::QUICK);
        AddTestCase(new RingRankTestCase, TestCase::Duration::QUICK);
        AddTestCase(new FileLimitsTestCase, TestCase::Duration::QUICK);
    }
};

static TopologyTestSuite g_topologyTestSuite; ///< The test suite.

} // namespace tests
} // namespace myrinet
} // namespace ns3
