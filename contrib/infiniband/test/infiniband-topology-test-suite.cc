/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "infiniband-test-fabric.h"

#include "ns3/infiniband-topology.h"
#include "ns3/test.h"

#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3
{
namespace infiniband
{
namespace tests
{

namespace
{

/** The example of ibnetdiscover's manual page, shortened: two switches, an adapter with two cables.
 */
const std::string EXAMPLE = R"(#
# Topology file: generated on Tue Jun  5 14:15:10 2007
#
# Max of 3 hops discovered
# Initiated from node 0008f10403960558 port 0008f10403960559

Non-Chassis Nodes

vendid=0x8f1
devid=0x5a06
sysimgguid=0x5442ba00003000
switchguid=0x5442ba00003080(5442ba00003080)
Switch  24 "S-005442ba00003080"         # "ISR9024 Voltaire" base port 0 lid 6 lmc 0
[22]    "H-0008f10403961354"[1](8f10403961355)         # "MT23108 InfiniHost Mellanox" lid 4 4xSDR
[10]    "S-0008f10400410015"[1]         # "SW-6IB4 Voltaire" lid 3 4xSDR
[8]     "H-0008f10403960558"[2](8f1040396055a)         # "MT23108 InfiniHost Mellanox" lid 14 4xSDR
[6]     "S-0008f10400410015"[3]         # "SW-6IB4 Voltaire" lid 3 4xDDR
[12]    "H-0008f10403960558"[1](8f10403960559)         # "MT23108 InfiniHost Mellanox" lid 10 4xSDR

vendid=0x8f1
devid=0x5a05
switchguid=0x8f10400410015(8f10400410015)
Switch  8 "S-0008f10400410015"          # "SW-6IB4 Voltaire" base port 0 lid 3 lmc 0
[6]     "R-0008f10403960984"[1](8f10403960985)         # "router" lid 16 4xSDR
[1]     "S-005442ba00003080"[10]                # "ISR9024 Voltaire" lid 6 1xSDR
[3]     "S-005442ba00003080"[6]         # "ISR9024 Voltaire" lid 6 4xDDR

vendid=0x8f1
devid=0x5a04
rtguid=0x8f10403960984
Rt      2 "R-0008f10403960984"          # "router"
[1](8f10403960985)      "S-0008f10400410015"[6]         # lid 16 lmc 0 "SW-6IB4 Voltaire" lid 3 4xSDR

vendid=0x2c9
devid=0x5a44
caguid=0x8f10403960558
Ca      2 "H-0008f10403960558"          # "MT23108 InfiniHost Mellanox"
[2](8f1040396055a)      "S-005442ba00003080"[8]         # lid 14 lmc 1 "ISR9024 Voltaire" lid 6 4xSDR
[1](8f10403960559)      "S-005442ba00003080"[12]                # lid 10 lmc 0 "ISR9024 Voltaire" lid 6 4xSDR

vendid=0x2c9
devid=0x5a44
caguid=0x8f10403961354
Ca      2 "H-0008f10403961354"          # "MT23108 InfiniHost Mellanox"
[1](8f10403961355)      "S-005442ba00003080"[22]                # lid 4 lmc 1 "ISR9024 Voltaire" lid 6 4xSDR
)";

} // namespace

/**
 * Fat trees have the minimum of levels, switches and cables for their hosts, and no more ports.
 */
class InfinibandFatTreeTestCase : public TestCase
{
  public:
    InfinibandFatTreeTestCase()
        : TestCase("fat trees of one, two and three levels")
    {
    }

  private:
    /** Expected properties of a tree. */
    struct Case
    {
        HostId hosts;            ///< Hosts.
        uint32_t ports;          ///< Ports of a switch.
        double oversubscription; ///< Ratio of ports down to ports up.
        uint32_t switches;       ///< Expected number of switches.
        uint32_t diameter;       ///< Switches on the longest route.
    };

    void DoRun() override
    {
        // 70 nodes, as in section 8.1: six leaves with twelve hosts, three spines; 1 or 3 hops.
        for (const Case& one : {Case{24, 24, 1, 1, 1},
                                Case{70, 24, 1, 9, 3},
                                Case{70, 24, 2, 7, 3},
                                Case{288, 24, 1, 36, 3},
                                Case{512, 24, 1, 43 + 48 + 24, 5},
                                Case{3456, 24, 1, 720, 5},
                                Case{32, 8, 1, 12, 3},
                                Case{128, 8, 1, 80, 5},
                                Case{2, 24, 1, 1, 1},
                                Case{1, 24, 1, 1, 1}})
        {
            std::string error;
            TopologyConfig config;
            config.hosts = one.hosts;
            config.switchPorts = one.ports;
            config.oversubscription = one.oversubscription;
            const auto topology = Topology::Make(config, LinkRate::DDR, error);
            NS_TEST_ASSERT_MSG_EQ(error, "", one.hosts << " hosts");
            NS_TEST_EXPECT_MSG_EQ(topology.GetNHosts(), one.hosts, "hosts");
            NS_TEST_EXPECT_MSG_EQ(topology.GetVertices().size() - one.hosts,
                                  one.switches,
                                  one.hosts << " hosts: switches");
            if (one.hosts <= 512)
            {
                NS_TEST_EXPECT_MSG_EQ(GetDiameter(topology),
                                      one.diameter,
                                      one.hosts << " hosts: diameter");
            }
            const auto& ports = topology.GetPorts();
            for (PortId port = 0; port < ports.size(); ++port)
            {
                if (ports[port].peer != NO_PORT)
                {
                    NS_TEST_EXPECT_MSG_EQ(ports[ports[port].peer].peer,
                                          port,
                                          "both ends of a cable name each other");
                    NS_TEST_EXPECT_MSG_EQ(ports[port].speed.GetBytesPerNs(),
                                          2,
                                          "rate of 4x DDR [bytes/ns]");
                }
            }
            for (HostId host = 0; host < one.hosts; ++host)
            {
                NS_TEST_EXPECT_MSG_NE(ports[host].peer, NO_PORT, "cable of host " << host);
            }
        }
        Refuse(TopologyKind::SWITCH,
               25,
               24,
               1,
               "One switch of 24 ports takes at most as many hosts, not 25; use a larger "
               "SwitchPorts or Topology fat-tree.");
        Refuse(TopologyKind::FAT_TREE,
               129,
               8,
               1,
               "A fat tree of three levels of switches with 8 ports, 4 down from a leaf, takes at "
               "most 128 hosts, not 129; use a larger SwitchPorts or Oversubscription.");
        Refuse(TopologyKind::FAT_TREE,
               9,
               8,
               0.1,
               "A switch of 8 ports cannot have Oversubscription 0.100000 times as many ports down "
               "as up; at least one port has to lead up, and one down.");
        Refuse(TopologyKind::FILE,
               9,
               8,
               1,
               "Topology file needs TopologyFile, a file as ibnetdiscover prints it.");
    }

    /**
     * Check the error of an impossible topology.
     * @param kind shape
     * @param hosts number of hosts
     * @param ports ports of a switch
     * @param oversubscription ratio of ports down to ports up
     * @param sentence expected error
     */
    void Refuse(TopologyKind kind,
                HostId hosts,
                uint32_t ports,
                double oversubscription,
                const std::string& sentence)
    {
        std::string error;
        Topology::Make(TopologyConfig{kind, hosts, ports, oversubscription, ""},
                       LinkRate::SDR,
                       error);
        NS_TEST_EXPECT_MSG_EQ(error, sentence, "parameters that contradict each other");
    }
};

/** The format of ibnetdiscover: read, written, read again. */
class InfinibandTopologyFileTestCase : public TestCase
{
  public:
    InfinibandTopologyFileTestCase()
        : TestCase("files in the format of ibnetdiscover")
    {
    }

  private:
    void DoRun() override
    {
        std::string error;
        std::istringstream in(EXAMPLE);
        const auto topology = Topology::Read(in, "f", LinkRate::SDR, error);
        NS_TEST_ASSERT_MSG_EQ(error, "", "the manual's example has no error");
        // An adapter with two cables is two hosts, ordered by port number.
        NS_TEST_EXPECT_MSG_EQ(topology.GetNHosts(), 3, "hosts");
        NS_TEST_EXPECT_MSG_EQ(topology.GetVertices().size(),
                              6,
                              "vertices: three hosts, two switches and a router");
        const auto& vertices = topology.GetVertices();
        NS_TEST_EXPECT_MSG_EQ(topology.GetPortName(topology.GetPorts()[0].peer),
                              "ISR9024 Voltaire/12",
                              "far end of host 0");
        NS_TEST_EXPECT_MSG_EQ(topology.GetPortName(topology.GetPorts()[1].peer),
                              "ISR9024 Voltaire/8",
                              "far end of host 1");
        NS_TEST_EXPECT_MSG_EQ(vertices[3].name, "ISR9024 Voltaire", "name of the switch");
        NS_TEST_EXPECT_MSG_EQ(vertices[3].nPorts, 24, "ports of the switch");
        const auto& ports = topology.GetPorts();
        const auto& trunk = ports[vertices[3].firstPort + 5];
        NS_TEST_EXPECT_MSG_EQ(GetSpeedName(trunk.speed), "4xDDR", "rate of the trunk");
        NS_TEST_EXPECT_MSG_EQ(trunk.peer, vertices[4].firstPort + 2, "far end of the trunk");
        NS_TEST_EXPECT_MSG_EQ(topology.GetPortName(trunk.peer),
                              "SW-6IB4 Voltaire/3",
                              "name of that port");

        std::ostringstream first;
        WriteTopology(topology, first);
        std::istringstream again(first.str());
        const auto copy = Topology::Read(again, "f", LinkRate::SDR, error);
        NS_TEST_ASSERT_MSG_EQ(error, "", "what was written has no error");
        std::ostringstream second;
        WriteTopology(copy, second);
        NS_TEST_EXPECT_MSG_EQ(second.str(),
                              first.str(),
                              "what is read and written again is unchanged");

        TopologyConfig config;
        config.hosts = 100;
        const auto tree = Topology::Make(config, LinkRate::DDR, error);
        std::stringstream file;
        WriteTopology(tree, file);
        const auto read = Topology::Read(file, "f", LinkRate::SDR, error);
        NS_TEST_ASSERT_MSG_EQ(error, "", "a fat tree that was written has no error");
        NS_TEST_ASSERT_MSG_EQ(read.GetPorts().size(), tree.GetPorts().size(), "its ports");
        for (PortId port = 0; port < tree.GetPorts().size(); ++port)
        {
            NS_TEST_EXPECT_MSG_EQ(read.GetPorts()[port].peer,
                                  tree.GetPorts()[port].peer,
                                  "far end of port " << port);
            if (tree.GetPorts()[port].peer != NO_PORT)
            {
                NS_TEST_EXPECT_MSG_EQ(GetSpeedName(read.GetPorts()[port].speed),
                                      "4xDDR",
                                      "rate of port " << port);
            }
        }
    }
};

/** One sentence for each faulty line. */
class InfinibandTopologyErrorTestCase : public TestCase
{
  public:
    InfinibandTopologyErrorTestCase()
        : TestCase("malformed topology files")
    {
    }

  private:
    void DoRun() override
    {
        const std::string good = "Switch 4 \"S-1\" # \"s\" base port 0 lid 1 lmc 0\n"
                                 "[1] \"H-2\"[1](3) # \"h\" lid 2 4xSDR\n";
        const std::string ca = "Ca 1 \"H-2\" # \"h\"\n";
        const std::string port = "[1](3) \"S-1\"[1] # lid 2 lmc 0 \"s\" lid 1 4xSDR\n";
        const std::string form = "a port has the form [PORT](GUID) \"ID\"[PORT] # ...";
        const std::vector<std::pair<std::string, std::string>> cases{
            {good + ca + port, ""},
            {good + ca + "[1](3) \"S-1\"[1][ext 4] # lid 2 lmc 0 \"s\" lid 1 4xSDR\n", ""},
            {good + ca + "[1] \"S-1\"[1]\n", ""},
            {"Swich 4 \"S-1\"\n",
             "f, line 1: \"Swich\" begins no record of Switch, Ca or Rt and no port in []."},
            {"Switch four \"S-1\"\n",
             "f, line 1: a record has the form Switch|Ca|Rt PORTS \"ID\" # \"NAME\" ...."},
            {"Switch 193 \"S-1\"\n", "f, line 1: S-1 has 193 ports; 1 to 192 are allowed."},
            {"Switch 0 \"S-1\"\n", "f, line 1: S-1 has 0 ports; 1 to 192 are allowed."},
            {"Switch 4 \"S-1\" # \"s\" lid x\n", "f, line 1: a number has to follow lid."},
            {good + ca + "[1] \"S-1\"[1] # lid lmc 0\n", "f, line 4: a number has to follow lid."},
            {good + "Ca 1 \"S-1\"\n", "f, line 3: there is a record of S-1 already."},
            {"[1] \"S-1\"[1]\n",
             "f, line 1: a port comes before the first record of Switch, Ca or Rt."},
            {good + ca + "[x] \"S-1\"[1]\n", "f, line 4: " + form + "."},
            {good + ca + "[1] S-1[1]\n", "f, line 4: " + form + "."},
            {good + ca + "[1] \"S-1\"[1] 4xSDR\n", "f, line 4: " + form + "."},
            {good + ca + "[2] \"S-1\"[1]\n", "f, line 4: H-2 has no port 2, only 1 to 1."},
            {good + ca + port + port, "f, line 5: port 1 of H-2 has a cable already."},
            {good + ca + "[1] \"S-1\"[1] # lid 2 lmc 0 \"s\" lid 1 3xSDR\n",
             "f, line 4: \"3xSDR\" is no width and rate of a link: 1x, 2x, 4x, 8x or 12x, and SDR, "
             "DDR, QDR, FDR10, FDR, EDR, HDR, NDR or XDR."},
            {"Switch 4 \"S-1\"\n" + ca + "[1] \"S-9\"[1]\n",
             "f, line 3: there is no record of S-9."},
            {good + ca + "[1] \"S-1\"[2]\n",
             "f, line 2: port 1 of H-2 does not lead back to port 1 of S-1."},
            {good, "f: no channel adapter (a record that begins with Ca) has a cable."},
            {"", "f: no channel adapter (a record that begins with Ca) has a cable."},
            {"Ca 1 \"H-1\"\n[1] \"H-2\"[1]\nCa 1 \"H-2\"\n[1] \"H-1\"[1]\n",
             "f, line 2: a cable joins H-1 and H-2; one of its ends has to be a switch."},
            {good + "[2] \"S-1\"[3]\n[3] \"S-1\"[2]\n" + ca + port,
             "f, line 3: a cable leads from S-1 to itself."}};
        for (const auto& [text, sentence] : cases)
        {
            std::istringstream in(text);
            std::string error;
            Topology::Read(in, "f", LinkRate::SDR, error);
            NS_TEST_EXPECT_MSG_EQ(error, sentence, text);
        }
    }
};

/** Speeds of links. */
class InfinibandLinkSpeedTestCase : public TestCase
{
  public:
    InfinibandLinkSpeedTestCase()
        : TestCase("widths and rates of links, from either end of a cable")
    {
    }

  private:
    void DoRun() override
    {
        // What both ends of a cable state, its speed where the default is SDR, and Gb/s of data.
        const std::vector<std::tuple<std::string, std::string, std::string, double>> rows{
            {"1xSDR", "1xSDR", "1xSDR", 2},
            {"4xDDR", "4xDDR", "4xDDR", 16},
            {"4xQDR", "4xQDR", "4xQDR", 32},
            {"4xFDR10", "4xFDR10", "4xFDR10", 40},
            {"4xFDR", "4xFDR", "4xFDR", 4 * 14.0625 * 64 / 66},
            {"8xEDR", "8xEDR", "8xEDR", 200},
            {"2xHDR", "2xHDR", "2xHDR", 100},
            {"4xNDR", "4xNDR", "4xNDR", 400},
            {"12xXDR", "12xXDR", "12xXDR", 2400},
            {"", "", "4xSDR", 8},
            {"", "2xNDR", "2xNDR", 200},
            {"4x???", "4xQDR", "4xQDR", 32},
            {"??EDR", "2x???", "2xEDR", 50},
            {"?????", "?????", "4xSDR", 8},
            {"12x???", "", "12xSDR", 24},
            // widths_disagree: whichever end comes first.
            {"4xSDR", "1xSDR", "1xSDR", 2},
            {"1xSDR", "4xSDR", "1xSDR", 2},
            {"2xNDR", "4xEDR", "2xEDR", 50}};
        for (const auto& [here, there, name, rate] : rows)
        {
            std::istringstream in("Hca 1 \"H-2\" # \"h\"\n[1](3) \"S-1\"[129] # lid 2 " + here +
                                  "\nSwitch 129 \"S-1\" # \"s\"\n[129] \"H-2\"[1](3) # " + there +
                                  "\n");
            std::string error;
            const auto topology = Topology::Read(in, "f", LinkRate::SDR, error);
            NS_TEST_ASSERT_MSG_EQ(error, "", here << " and " << there << ": no error");
            const LinkSpeed speed = topology.GetPorts()[0].speed;
            NS_TEST_EXPECT_MSG_EQ(GetSpeedName(speed),
                                  name,
                                  here << " and " << there << ": rate of the link");
            NS_TEST_EXPECT_MSG_EQ_TOL(8 * speed.GetBytesPerNs(), rate, 1e-9, name << " [Gb/s]");
        }
    }
};

/** Aggregation nodes. */
class InfinibandAggregationTestCase : public TestCase
{
  public:
    InfinibandAggregationTestCase()
        : TestCase("the aggregation node of a switch is no host")
    {
    }

  private:
    void DoRun() override
    {
        std::istringstream in(
            "Switch 41 \"S-1\" # \"sw\" enhanced port 0 lid 13 lmc 0\n"
            "[23] \"H-1\"[1](a1) # \"node1 HCA-1\" lid 9 4xHDR\n"
            "[24] \"H-2\"[1](a2) # \"node2 HCA-1\" lid 28 4xHDR\n"
            "[41] \"H-9\"[1](a9) # \"Mellanox Technologies Aggregation Node\" lid 14 4xHDR\n"
            "Ca 1 \"H-9\" # \"Mellanox Technologies Aggregation Node\"\n"
            "[1](a9) \"S-1\"[41] # lid 14 lmc 0 \"sw\" lid 13 4xHDR\n"
            "Ca 1 \"H-1\" # \"node1 HCA-1\"\n"
            "[1](a1) \"S-1\"[23] # lid 9 lmc 0 \"sw\" lid 13 4xHDR\n"
            "Ca 1 \"H-2\" # \"node2 HCA-1\"\n"
            "[1](a2) \"S-1\"[24] # lid 28 lmc 0 \"sw\" lid 13 4xHDR\n");
        std::string error;
        const auto topology = Topology::Read(in, "f", LinkRate::SDR, error);
        NS_TEST_ASSERT_MSG_EQ(error, "", "the file has no error");
        NS_TEST_EXPECT_MSG_EQ(topology.GetNHosts(), 2, "hosts: only the adapters");
        NS_TEST_EXPECT_MSG_EQ(topology.GetVertices()[0].name, "node1 HCA-1", "name of host 0");
        NS_TEST_EXPECT_MSG_EQ(topology.GetVertices().size(),
                              4,
                              "vertices: two adapters, a switch and its aggregation node");
    }
};

/** Sets of ports. */
class InfinibandPortSetTestCase : public TestCase
{
  public:
    InfinibandPortSetTestCase()
        : TestCase("sets of ports of any word")
    {
    }

  private:
    void DoRun() override
    {
        const std::vector<uint32_t> members{0, 1, 63, 64, 127, 128, 190, 191};
        PortSet set;
        NS_TEST_EXPECT_MSG_EQ(set.IsEmpty(), true, "a new set is empty");
        for (const uint32_t port : members)
        {
            set.Add(port);
        }
        std::vector<uint32_t> found;
        for (uint32_t port = set.Find(0); port < PortSet::SIZE; port = set.Find(port + 1))
        {
            found.push_back(port);
        }
        NS_TEST_ASSERT_MSG_EQ(found.size(), members.size(), "members");
        for (std::size_t n = 0; n < found.size(); ++n)
        {
            NS_TEST_EXPECT_MSG_EQ(found[n], members[n], "member " << n);
        }
        for (const uint32_t port : members)
        {
            NS_TEST_EXPECT_MSG_EQ(set.Contains(port), true, "the set has port " << port);
            NS_TEST_EXPECT_MSG_EQ(set.IsEmpty(),
                                  false,
                                  "the set with port " << port << " is empty");
            set.Remove(port);
            NS_TEST_EXPECT_MSG_EQ(set.Contains(port),
                                  false,
                                  "the set has the removed port " << port);
        }
        NS_TEST_EXPECT_MSG_EQ(set.IsEmpty(), true, "the set without its last port is empty");
        NS_TEST_EXPECT_MSG_EQ(set.Find(0),
                              uint32_t{PortSet::SIZE},
                              "the first port of an empty set");
        NS_TEST_EXPECT_MSG_EQ(set.Find(PortSet::SIZE),
                              uint32_t{PortSet::SIZE},
                              "a search beyond the last port");
    }
};

/** The test suite of topologies. */
class InfinibandTopologyTestSuite : public TestSuite
{
  public:
    InfinibandTopologyTestSuite()
        : TestSuite("infiniband-topology", Type::UNIT)
    {
        AddTestCase(new InfinibandFatTreeTestCase, Duration::QUICK);
        AddTestCase(new InfinibandTopologyFileTestCase, Duration::QUICK);
        AddTestCase(new InfinibandTopologyErrorTestCase, Duration::QUICK);
        AddTestCase(new InfinibandLinkSpeedTestCase, Duration::QUICK);
        AddTestCase(new InfinibandAggregationTestCase, Duration::QUICK);
        AddTestCase(new InfinibandPortSetTestCase, Duration::QUICK);
    }
};

static InfinibandTopologyTestSuite g_infinibandTopologyTestSuite; ///< The test suite.

} // namespace tests
} // namespace infiniband
} // namespace ns3
