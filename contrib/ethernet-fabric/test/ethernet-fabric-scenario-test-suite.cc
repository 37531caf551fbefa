/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/boolean.h"
#include "ns3/ethernet-fabric-scenario.h"
#include "ns3/messaging-audit.h"
#include "ns3/messaging-forwarding-port.h"
#include "ns3/messaging-protocol.h"
#include "ns3/messaging-registry.h"
#include "ns3/messaging-text.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"

#include <algorithm>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace ns3
{
namespace fabric
{
namespace tests
{
namespace
{

/** Parameters by name; those of a part carry its prefix and a point. */
using Parameters = std::map<std::string, std::string>;

/** A test that runs the scenario `fabric`. */
class FlowTestCase : public TestCase
{
  public:
    using TestCase::TestCase;

  protected:
    /**
     * Make the scenario.
     * @param parameters its parameters; selectors of parts begin with a capital letter, so that
     * they precede parameters of parts
     * @return the scenario
     */
    Ptr<FabricScenario> Make(const Parameters& parameters)
    {
        RngSeedManager::SetRun(1);
        auto scenario = CreateObject<FabricScenario>();
        for (const auto& [name, value] : parameters)
        {
            const auto dot = name.find('.');
            const bool isPart = dot != std::string::npos;
            const Ptr<Object> owner =
                isPart ? scenario->GetPart(name.substr(0, dot)) : Ptr<Object>(scenario);
            const std::string attribute = isPart ? name.substr(dot + 1) : name;
            NS_TEST_EXPECT_MSG_EQ(owner->SetAttributeFailSafe(attribute, StringValue(value)),
                                  true,
                                  name << "=" << value);
        }
        return scenario;
    }

    /** @param parameters parameters @return the scenario after its run, which is complete */
    Ptr<FabricScenario> Run(const Parameters& parameters)
    {
        const auto scenario = Make(parameters);
        NS_TEST_EXPECT_MSG_EQ(scenario->Check(), "", "the parameters make sense");
        scenario->Run();
        NS_TEST_EXPECT_MSG_EQ(scenario->GetVerdictName(), "completed", scenario->GetFailure());
        return scenario;
    }

    /** @param scenario a scenario @param name name of a result @return the result */
    static double Get(Ptr<FabricScenario> scenario, const std::string& name)
    {
        StringValue value;
        scenario->GetAttribute(name, value);
        return std::stod(value.Get());
    }

    /**
     * Get a column of a table.
     * @param scenario the scenario after its run
     * @param name name of the table
     * @param column name of the column
     * @return its cells
     */
    template <class T>
    static std::vector<T> GetColumn(Ptr<FabricScenario> scenario,
                                    const std::string& name,
                                    const std::string& column)
    {
        for (const auto& [title, table] : scenario->GetPartTables())
        {
            for (const auto& each : table->GetColumns())
            {
                if (title == name && each.name == column)
                {
                    return std::get<std::vector<T>>(each.cells);
                }
            }
        }
        return {};
    }
};

/** A lone flow takes the ideal time on each topology. */
class LoneFlowTestCase : public FlowTestCase
{
  public:
    LoneFlowTestCase()
        : FlowTestCase("completion time of a lone flow by closed form; slowdown 1")
    {
    }

  private:
    void DoRun() override
    {
        // One switch, 100 Gb/s, 1 us a link, 300 ns in the switch, packets of 1000 bytes with
        // headers of 16 and 20 bytes, 46 around them, and 20 of preamble and gap.
        const Parameters single{{"Nodes", "2"},
                                {"Workload", "fixed"},
                                {"Flows", "1"},
                                {"Protocol", "irn"},
                                {"Details", "true"},
                                {"network.Topology", "switch"},
                                {"network.HostRate", "100Gbps"},
                                {"network.Delay", "1us"},
                                {"network.Latency", "300ns"},
                                {"protocol.Mtu", "1000"}};
        constexpr double BYTE = 0.08e-3; // us
        constexpr double HEADER = 32 + 46 + 20;
        constexpr double IMMEDIATE = 4;
        constexpr double GAP = 12;
        constexpr double TICK = 2e-3; // us

        struct Row
        {
            std::string bytes; ///< Size of the flow [bytes].
            double packets;    ///< Packets before the last one.
            double last;       ///< Payload of the last one [bytes].
        };

        for (const Row& row : std::vector<Row>{{"1", 0, 1},
                                               {"1000", 0, 1000},
                                               {"2500", 2, 500},
                                               {"30000", 29, 1000}})
        {
            Parameters parameters = single;
            parameters["Size"] = row.bytes;
            const auto scenario = Run(parameters);
            // The last packet waits for those before it, and on the second link for the one before
            // it, which may be longer.
            const double before = row.packets > 0 ? (1000 + HEADER) * BYTE : 0;
            const double last = (row.last + HEADER + IMMEDIATE) * BYTE;
            const double second = std::max(before, last);
            const double time =
                row.packets * (1000 + HEADER) * BYTE + second + last - 2 * GAP * BYTE + 2 + 0.3;
            NS_TEST_EXPECT_MSG_EQ_TOL(Get(scenario, "Fct"), time, TICK, row.bytes);
            NS_TEST_EXPECT_MSG_GT_OR_EQ(Get(scenario, "Slowdown"), 1, row.bytes);
            // Only the immediate data of the last packet exceeds the ideal, once a link.
            NS_TEST_EXPECT_MSG_LT_OR_EQ(Get(scenario, "Fct") -
                                            GetColumn<double>(scenario, "Flows", "ideal").at(0),
                                        2 * IMMEDIATE * BYTE + TICK,
                                        row.bytes);
        }
        for (const std::string topology : {"leaf-spine", "fat-tree"})
        {
            for (const std::string switching : {"store-and-forward", "cut-through"})
            {
                for (const std::string trunk : {"0bps", "200Gbps", "40Gbps"})
                {
                    Parameters parameters{{"Nodes", "16"},
                                          {"Workload", "fixed"},
                                          {"Flows", "30"},
                                          {"Size", "20500"},
                                          {"Load", "0.001"},
                                          {"network.Topology", topology},
                                          {"network.Switching", switching},
                                          {"network.HostRate", "100Gbps"},
                                          {"network.TrunkRate", trunk},
                                          {"protocol.Mtu", "1024"}};
                    const auto scenario = Run(parameters);
                    const std::string name = topology + ' ' + switching + ' ' + trunk;
                    NS_TEST_EXPECT_MSG_GT_OR_EQ(Get(scenario, "SlowdownLeast"), 1, name);
                    NS_TEST_EXPECT_MSG_LT(Get(scenario, "SlowdownLeast"), 1.001, name);
                    NS_TEST_EXPECT_MSG_LT(Get(scenario, "SlowdownMedian"), 1.001, name);
                }
            }
        }
    }
};

/** Flows between two hosts do not wait for each other, if there are queue pairs. */
class QueuePairTestCase : public FlowTestCase
{
  public:
    QueuePairTestCase()
        : FlowTestCase("flows of different queue pairs share a host's link")
    {
    }

  private:
    /** @param pairs queue pairs of a host @return the completion times of the flows [us] */
    std::vector<double> RunFlows(const std::string& pairs)
    {
        const std::string path = CreateTempDirFilename("flows.txt");
        // A long flow, then a short one of the same hosts.
        std::ofstream(path) << "2\n0 1 3 100 1000000 0\n0 1 3 100 10000 0.000001\n";
        const auto scenario = Run({{"Nodes", "2"},
                                   {"Workload", "file"},
                                   {"FlowFile", path},
                                   {"Details", "true"},
                                   {"QueuePairs", pairs},
                                   {"network.Topology", "switch"},
                                   {"network.HostRate", "100Gbps"}});
        return GetColumn<double>(scenario, "Flows", "fct");
    }

    void DoRun() override
    {
        const auto one = RunFlows("1");
        const auto two = RunFlows("2");
        NS_TEST_EXPECT_MSG_GT(one.at(1), 80, "the short flow waits for the long one");
        NS_TEST_EXPECT_MSG_LT(two.at(1), 8, "both take turns");
        NS_TEST_EXPECT_MSG_EQ_TOL(two.at(0), one.at(1), 2, "the link is not idle meanwhile");

        // Senders of an incast share the receiver's link; each of two flows of a host has a half.
        const std::string path = CreateTempDirFilename("four.txt");
        std::ofstream(path) << "4\n0 1 3 100 1000000 0\n0 2 3 100 1000000 0\n"
                            << "0 3 3 100 1000000 0\n0 1 3 100 1000000 0\n";
        const auto scenario = Run({{"Nodes", "4"},
                                   {"Workload", "file"},
                                   {"FlowFile", path},
                                   {"Details", "true"},
                                   {"network.Topology", "switch"},
                                   {"network.HostRate", "100Gbps"}});
        for (const double time : GetColumn<double>(scenario, "Flows", "fct"))
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(time, 4 * 84, 12, "equal shares");
        }
    }
};

/** A host uses all of its planes if its protocol sprays. */
class PlaneRunTestCase : public FlowTestCase
{
  public:
    PlaneRunTestCase()
        : FlowTestCase("a flow that is sprayed uses all planes; one that is not uses one")
    {
    }

  private:
    void DoRun() override
    {
        Parameters parameters{{"Nodes", "8"},
                              {"Workload", "permutation"},
                              {"Size", "8000000"},
                              {"QueuePairs", "1"},
                              {"network.HostRate", "100Gbps"},
                              {"network.Paths", "64"},
                              {"network.Planes", "4"},
                              {"network.SendQueue", "16"},
                              {"network.Routing", "source"},
                              {"network.HostsPerLeaf", "8"},
                              {"protocol.Window", "128"}};
        const auto one = Run(parameters);
        // Only headers are beyond the payload of 8 MB at 100 Gb/s.
        NS_TEST_EXPECT_MSG_EQ_TOL(Get(one, "Fct"), 640 * 1.025, 12, "one plane");
        NS_TEST_EXPECT_MSG_EQ_TOL(Get(one, "Slowdown"), 4, 0.1, "the ideal has all planes");
        parameters["protocol.Spray"] = "true";
        const auto all = Run(parameters);
        NS_TEST_EXPECT_MSG_LT(Get(all, "Fct"), 0.5 * Get(one, "Fct"), "several planes");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(Get(all, "SlowdownLeast"), 1, "the ideal is the least");

        // A protocol that keeps to one plane loses a connection with it; others go on.
        parameters["network.Faults"] = "0us plane1 down";
        parameters["protocol.Spray"] = "false";
        parameters["TimeLimit"] = "20ms";
        const auto broken = Make(parameters);
        NS_TEST_EXPECT_MSG_EQ(broken->Check(), "", "a plane is a part that can fail");
        broken->Run();
        NS_TEST_EXPECT_MSG_GT(Get(broken, "Delivered"), 0, "flows of other planes");
        NS_TEST_EXPECT_MSG_GT(Get(broken, "Pending"), 0, "flows of plane 1");

        parameters["network.Paths"] = "1";
        NS_TEST_EXPECT_MSG_NE(Make(parameters)->Check(), "", "path values select planes");
    }
};

/** Any protocol delivers all flows of a workload, and frames are conserved. */
class WorkloadRunTestCase : public FlowTestCase
{
  public:
    WorkloadRunTestCase()
        : FlowTestCase("workloads, protocols, losses and limits")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string workload :
             {"alistorage", "googlerpc", "solar", "incast", "permutation", "all-to-all"})
        {
            const auto scenario = Run({{"Nodes", "8"},
                                       {"Workload", workload},
                                       {"Flows", "200"},
                                       {"Senders", "7"},
                                       {"Size", "100000"},
                                       {"Load", "0.6"}});
            NS_TEST_EXPECT_MSG_EQ(Get(scenario, "Pending"), 0, workload);
            NS_TEST_EXPECT_MSG_GT_OR_EQ(Get(scenario, "SlowdownLeast"), 1, workload);
            int64_t flows = 0;
            for (const int64_t count : GetColumn<int64_t>(scenario, "SlowdownBySize", "flows"))
            {
                flows += count;
            }
            NS_TEST_EXPECT_MSG_EQ(flows, Get(scenario, "Delivered"), "each flow has a size");
        }
        const Parameters lossy{{"Nodes", "8"},
                               {"Workload", "hadoop"},
                               {"Flows", "100"},
                               {"Loss", "0.01"}};
        const auto scenario = Run(lossy);
        NS_TEST_EXPECT_MSG_GT(Get(scenario, "Drops"), 0, "frames are lost");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(Get(scenario, "Repeats"), Get(scenario, "Spurious"), "repeats");
        NS_TEST_EXPECT_MSG_GT(Get(scenario, "Repeats"), 0, "lost packets are sent again");

        Parameters brief = lossy;
        brief["TimeLimit"] = "20us";
        const auto cut = Make(brief);
        cut->Run();
        NS_TEST_EXPECT_MSG_EQ(cut->GetVerdictName(), "undecided", "TimeLimit");
        NS_TEST_EXPECT_MSG_GT(Get(cut, "Pending"), 0, "flows are in flight");
    }
};

/** A run whose frames bring nothing ends long before TimeLimit. */
class StallTestCase : public FlowTestCase
{
  public:
    StallTestCase()
        : FlowTestCase("a run ends as undecided when StallFrames have brought nothing")
    {
    }

  private:
    void DoRun() override
    {
        /** A row of the table. */
        struct Row
        {
            const char* stall;  ///< StallFrames.
            const char* limit;  ///< TimeLimit.
            const char* reason; ///< Begin of the reason.
        };

        // IRN goes on although each frame is lost.
        for (const Row& row : {Row{"1000", "10000s", "The run was ended after "},
                               Row{"1000000", "1s", "The run reached TimeLimit"},
                               Row{"0", "1s", "The run reached TimeLimit"}})
        {
            const auto scenario = Make({{"Nodes", "2"},
                                        {"Workload", "fixed"},
                                        {"Flows", "1"},
                                        {"Size", "100000"},
                                        {"Loss", "1"},
                                        {"StallFrames", row.stall},
                                        {"TimeLimit", row.limit}});
            scenario->Run();
            const std::string reason = scenario->GetFailure();
            NS_TEST_EXPECT_MSG_EQ(scenario->GetVerdictName(), "undecided", reason);
            NS_TEST_EXPECT_MSG_EQ(reason.starts_with(row.reason), true, reason);
            NS_TEST_EXPECT_MSG_EQ(Get(scenario, "Pending"), 1, "the flow is in flight");
            NS_TEST_EXPECT_MSG_LT(Get(scenario, "Packets"), 10'000, "of a flow of 25 frames");
        }
    }
};

/** A protocol gives up what is delivered. */
class HastyTestCase : public FlowTestCase
{
  public:
    HastyTestCase()
        : FlowTestCase("flows that were given up and are delivered; flows after a failure")
    {
    }

  private:
    void DoRun() override
    {
        // A packet takes 41 us, and its answer as long.
        Parameters parameters{{"Protocol", "roce"},
                              {"Nodes", "2"},
                              {"Workload", "permutation"},
                              {"Size", "1000"},
                              {"network.Delay", "20us"},
                              {"protocol.Retries", "0"},
                              {"protocol.Timeout", "1"}};
        const auto early = Make(parameters);
        early->Run();
        NS_TEST_EXPECT_MSG_EQ(early->GetVerdictName(), "completed", early->GetFailure());
        NS_TEST_EXPECT_MSG_EQ(Get(early, "Delivered"), 2, "after the failure");
        NS_TEST_EXPECT_MSG_EQ(Get(early, "GivenUp"), 0, "none is left");
        NS_TEST_EXPECT_MSG_EQ(Get(early, "Pending"), 0, "none is left");

        // Timeouts of 65.5 us: the first flow of a connection is delivered, and then fails.
        parameters["protocol.Timeout"] = "4";
        parameters["Workload"] = "fixed";
        parameters["Size"] = "20000";
        parameters["Flows"] = "20";
        parameters["Load"] = "0.001";
        parameters["QueuePairs"] = "1";
        const auto late = Make(parameters);
        late->Run();
        NS_TEST_EXPECT_MSG_EQ(late->GetVerdictName(), "failed", late->GetFailure());
        NS_TEST_EXPECT_MSG_GT_OR_EQ(Get(late, "Delivered"), 2, "the first flow each way");
        NS_TEST_EXPECT_MSG_EQ(Get(late, "Delivered") + Get(late, "GivenUp"), 20, "all flows");
        NS_TEST_EXPECT_MSG_EQ(Get(late, "Pending"), 0, "none is left");
    }
};

/** An incast with PFC loses nothing and pauses; without, it loses. */
class PauseTestCase : public FlowTestCase
{
  public:
    PauseTestCase()
        : FlowTestCase("drops, pauses, marks and trims of an incast")
    {
    }

  private:
    void DoRun() override
    {
        const Parameters incast{{"Nodes", "16"},
                                {"Workload", "incast"},
                                {"Senders", "15"},
                                {"Size", "15000000"},
                                {"network.Buffer", "200000"},
                                {"network.TrimThreshold", "100000"},
                                {"network.PfcXoff", "100000"},
                                {"network.HostRate", "100Gbps"}};
        Parameters parameters = incast;
        parameters["network.Admission"] = "drop";
        parameters["network.Ecn"] = "step";
        const auto dropped = Run(parameters);
        NS_TEST_EXPECT_MSG_GT(Get(dropped, "Drops"), 0, "full queues");
        NS_TEST_EXPECT_MSG_GT(Get(dropped, "Marks"), 0, "marks");
        NS_TEST_EXPECT_MSG_EQ(Get(dropped, "Pauses"), 0, "no pauses");
        parameters = incast;
        parameters["network.Admission"] = "pfc";
        const auto paused = Run(parameters);
        NS_TEST_EXPECT_MSG_EQ(Get(paused, "Drops"), 0, "nothing is lost");
        NS_TEST_EXPECT_MSG_GT(Get(paused, "Pauses"), 0, "pauses");
        NS_TEST_EXPECT_MSG_EQ(Get(paused, "Marks"), 0, "no marks");
        // The receiver's link is the bottleneck: 15 MB with headers of at least 98 bytes a packet.
        NS_TEST_EXPECT_MSG_EQ_TOL(Get(paused, "Time"), 1240, 25, "the link is busy throughout");
        parameters = incast;
        parameters["network.Admission"] = "trim";
        NS_TEST_EXPECT_MSG_GT(Get(Run(parameters), "Trims"), 0, "trims");
    }
};

/** Pauses deadlock if routes go down and up again; a watchdog ends that. */
class DeadlockTestCase : public FlowTestCase
{
  public:
    DeadlockTestCase()
        : FlowTestCase("a deadlock of pauses is found, and a watchdog breaks it")
    {
    }

  private:
    void DoRun() override
    {
        // Leaf 0 and leaf 1 have lost different spines: frames between them go down to another leaf
        // and up again.
        const Parameters cyclic{{"Nodes", "16"},
                                {"Workload", "all-to-all"},
                                {"Size", "200000"},
                                {"TimeLimit", "20ms"},
                                {"network.HostsPerLeaf", "4"},
                                {"network.Spines", "2"},
                                {"network.Admission", "pfc"},
                                {"network.PfcXoff", "20000"},
                                {"network.Faults", "0us leaf0-spine0 down; 0us leaf1-spine1 down"},
                                {"network.Convergence", "0us"}};
        const auto stuck = Make(cyclic);
        stuck->Run();
        NS_TEST_EXPECT_MSG_EQ(stuck->GetVerdictName(), "deadlock", stuck->GetFailure());
        NS_TEST_EXPECT_MSG_GT_OR_EQ(Get(stuck, "Deadlock"), 2, "a circle of ports");
        NS_TEST_EXPECT_MSG_NE(stuck->GetFailure().find("spine0"),
                              std::string::npos,
                              "it is named: " << stuck->GetFailure());

        Parameters watched = cyclic;
        watched["network.PfcWatchdog"] = "100us";
        const auto freed = Run(watched);
        NS_TEST_EXPECT_MSG_EQ(Get(freed, "Deadlock"), 0, "no circle is left");
        NS_TEST_EXPECT_MSG_GT(Get(freed, "Drops"), 0, "the watchdog drops");

        Parameters whole = cyclic;
        whole.erase("network.Faults");
        const auto calm = Run(whole);
        NS_TEST_EXPECT_MSG_EQ(Get(calm, "Deadlock"), 0, "routes up and then down have no circle");
        NS_TEST_EXPECT_MSG_EQ(Get(calm, "Drops"), 0, "nothing is lost");
    }
};

/** Queues over time, and fairness. */
class QueueLengthTestCase : public FlowTestCase
{
  public:
    QueueLengthTestCase()
        : FlowTestCase("lengths of queues over time; fairness of equal flows")
    {
    }

  private:
    void DoRun() override
    {
        Parameters parameters{{"Nodes", "16"},
                              {"Workload", "incast"},
                              {"Senders", "15"},
                              {"Size", "3000000"},
                              {"network.Topology", "switch"},
                              {"network.HostRate", "100Gbps"},
                              {"network.Buffer", "400000"}};
        const auto plain = Run(parameters);
        parameters["QueueInterval"] = "5us";
        const auto sampled = Run(parameters);
        for (const std::string result : {"Time", "Fct", "Drops", "Repeats", "Hops"})
        {
            NS_TEST_EXPECT_MSG_EQ(Get(sampled, result),
                                  Get(plain, result),
                                  "samples change nothing: " << result);
        }
        const auto ports = GetColumn<std::string>(sampled, "QueueLengths", "port");
        const auto bytes = GetColumn<int64_t>(sampled, "QueueLengths", "bytes");
        const auto names = GetColumn<std::string>(sampled, "Ports", "port");
        const auto peaks = GetColumn<int64_t>(sampled, "Ports", "longestQueue");
        int64_t longest = 0;
        std::string place;
        for (std::size_t row = 0; row < ports.size(); ++row)
        {
            const auto found = std::find(names.begin(), names.end(), ports[row]);
            NS_TEST_EXPECT_MSG_LT_OR_EQ(bytes[row],
                                        peaks.at(found - names.begin()),
                                        "no sample exceeds the longest queue of " << ports[row]);
            if (bytes[row] > longest)
            {
                longest = bytes[row];
                place = ports[row];
            }
        }
        NS_TEST_EXPECT_MSG_EQ(place.starts_with("leaf0-host"), true, "the receiver's port");
        NS_TEST_EXPECT_MSG_GT(longest, 300000, "it is nearly full");

        // Two flows of one size and start, one at a link of its own: rates 1, 1/2, 1/2.
        const std::string path = CreateTempDirFilename("flows.txt");
        std::ofstream(path) << "3\n0 3 3 100 4000000 0\n1 4 3 100 4000000 0\n2 4 3 100 4000000 0\n";
        const auto shared = Run({{"Nodes", "5"},
                                 {"Workload", "file"},
                                 {"FlowFile", path},
                                 {"network.Topology", "switch"},
                                 {"network.Admission", "pfc"}});
        NS_TEST_EXPECT_MSG_EQ_TOL(Get(shared, "Fairness"), 4.0 / (3 * 1.5), 0.02, "Jain's index");
    }
};

/** The trace source Hop of a network. */
class HopTestCase : public TestCase
{
  public:
    HopTestCase()
        : TestCase("the trace source Hop reports each link that a frame crosses")
    {
    }

  private:
    void DoRun() override
    {
        const auto network = CreateObject<FabricNetwork>();
        network->SetAttribute("HostsPerLeaf", StringValue("2"));
        network->SetAttribute("Spines", StringValue("1"));
        network->SetAttribute("Delay", StringValue("100ns"));
        network->Build(4);
        std::vector<HopEvent> hops;
        const Callback<void, const HopEvent&, const Frame&> record(
            [&hops](const HopEvent& hop, const Frame&) { hops.push_back(hop); });
        const Frame frame{.id = 7, .payload = 1000};
        const auto port = network->GetPort();
        // Nobody has connected yet.
        port->Send(0, 3, frame);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(hops.size(), 0, "no report without a receiver");

        network->TraceConnectWithoutContext("Hop", record);
        const Time start = Simulator::Now();
        port->Send(0, 3, frame);
        Simulator::Run();
        const auto& topology = network->GetNativePort()->GetEngine().GetTopology();
        const std::vector<std::string> path{"host0-leaf0",
                                            "leaf0-spine0",
                                            "spine0-leaf1",
                                            "leaf1-host3"};
        NS_TEST_ASSERT_MSG_EQ(hops.size(), path.size(), "host, leaf, spine, leaf, host");
        Instant before = static_cast<Instant>(start.GetPicoSeconds());
        for (std::size_t link = 0; link < path.size(); ++link)
        {
            const HopEvent& hop = hops[link];
            NS_TEST_EXPECT_MSG_EQ(topology.GetPortName(hop.from), path[link], "link " << link);
            NS_TEST_EXPECT_MSG_EQ(hop.to, topology.GetPeer(hop.from), "the other end");
            NS_TEST_EXPECT_MSG_EQ(hop.arrived - hop.left, 100'000, "delay of the link [ps]");
            NS_TEST_EXPECT_MSG_GT(hop.left, before, "later than the link before");
            NS_TEST_EXPECT_MSG_EQ(hop.sender, 0, "sender");
            NS_TEST_EXPECT_MSG_EQ(hop.receiver, 3, "receiver");
            before = hop.arrived;
        }
        NS_TEST_EXPECT_MSG_EQ((Simulator::Now().GetPicoSeconds() + 999) / 1000,
                              static_cast<int64_t>((before + 999) / 1000),
                              "the last hop ends the run");
        network->Dispose();
        Simulator::Destroy();
    }
};

/** A port that loses frames of its choice on arrival. */
class LossyPort : public messaging::ForwardingPort<messaging::AnyPort>
{
  public:
    using ForwardingPort::ForwardingPort;

    /** Selects the frames that are lost, by the number of the arrival and the frame. */
    std::function<bool(uint32_t, const Frame&)> loses;

    /** @return frames that have arrived, with those lost. */
    const std::vector<Frame>& GetArrivals() const
    {
        return m_arrivals;
    }

  private:
    void OnFrame(Peer self, Peer from, const Frame& frame) override
    {
        const auto number = static_cast<uint32_t>(m_arrivals.size());
        m_arrivals.push_back(frame);
        if (!loses(number, frame))
        {
            ForwardingPort::OnFrame(self, from, frame);
        }
    }

    std::vector<Frame> m_arrivals; ///< Frames that have arrived.
};

/** A protocol under losses, and what it promises beside delivery. */
struct LossyProtocol
{
    std::string name;     ///< Its name.
    std::string mode;     ///< Its attribute Mode; empty if it has none.
    bool isOrdered{true}; ///< Messages arrive in order.
    bool isOnce{true};    ///< They arrive once.
};

/** Each frame of a run is lost once in turn, the last packet, the last ACK and each NAK among them;
 * every run ends, and each message is delivered, once if that is promised. */
class EachLossTestCase : public TestCase
{
  public:
    EachLossTestCase()
        : TestCase("each packet, answer and NAK lost in turn: every run ends")
    {
    }

  private:
    static constexpr uint32_t MESSAGES = 3;   ///< Messages of host 0 to host 1.
    static constexpr uint32_t BYTES = 20'000; ///< Their size: five packets.
    static constexpr uint32_t NOBODY = ~0U;   ///< No frame is lost.

    /**
     * Run with two losses.
     * @param protocol the protocol
     * @param first number of the first frame that is lost
     * @param second number of the second one
     * @return all frames that arrive
     */
    std::vector<Frame> RunLosing(const LossyProtocol& protocol, uint32_t first, uint32_t second)
    {
        const auto network = CreateObject<FabricNetwork>();
        network->SetAttribute("Topology", StringValue("switch"));
        network->Build(2);
        const auto port = ns3::Create<LossyPort>(network->GetPort());
        port->loses = [=](uint32_t number, const Frame&) {
            return number == first || number == second;
        };
        const auto parts = DynamicCast<messaging::Protocol>(
            messaging::CreateByName(messaging::Protocol::GetTypeId(), protocol.name));
        if (!protocol.mode.empty())
        {
            parts->SetAttribute("Mode", StringValue(protocol.mode));
        }
        const auto group = parts->Connect({.clock = network->GetClock(), .port = port});
        const auto audit = CreateObject<messaging::DeliveryAudit>();
        audit->SetAttribute("Reliable", BooleanValue(true));
        audit->SetGroup(group);
        for (uint32_t message = 0; message < MESSAGES; ++message)
        {
            audit->Post(0,
                        {.id = message,
                         .contents = message + 100,
                         .to = 1,
                         .bytes = BYTES,
                         .tag = message});
        }
        bool isIdle = false;
        Simulator::Schedule(Seconds(1), [&isIdle] {
            isIdle = Simulator::IsFinished();
            Simulator::Stop();
        });
        Simulator::Run();
        const std::string name =
            messaging::ToText(protocol.name, ' ', protocol.mode, ", ", first, ' ', second);
        NS_TEST_EXPECT_MSG_EQ(isIdle, true, name << ": nothing is left to do");
        audit->Finish(true);
        const messaging::AuditCounts& counts = audit->GetCounts();
        if (protocol.isOrdered && protocol.isOnce)
        {
            NS_TEST_EXPECT_MSG_EQ(audit->IsClean(), true, name << audit->GetFirstViolation());
        }
        NS_TEST_EXPECT_MSG_EQ(counts.delivered, MESSAGES, name);
        NS_TEST_EXPECT_MSG_EQ((protocol.isOnce && counts.duplicates > 0), false, name);
        NS_TEST_EXPECT_MSG_EQ(counts.corrupted, 0, name);
        const std::vector<Frame> arrivals = port->GetArrivals();
        group->Dispose();
        audit->Dispose();
        network->Dispose();
        Simulator::Destroy();
        return arrivals;
    }

    /** @return numbers of the frames without payload. @param frames the frames */
    static std::set<uint32_t> FindAnswers(const std::vector<Frame>& frames)
    {
        std::set<uint32_t> answers;
        for (uint32_t number = 0; number < frames.size(); ++number)
        {
            if (frames[number].payload == 0)
            {
                answers.insert(number);
            }
        }
        return answers;
    }

    /**
     * Lose each frame of a run alone, and then the first packet and each answer of that run.
     * @param protocol the protocol
     * @return all frames of the run that loses the first packet
     */
    std::vector<Frame> LoseEach(const LossyProtocol& protocol)
    {
        const auto calm = static_cast<uint32_t>(RunLosing(protocol, NOBODY, NOBODY).size());
        for (uint32_t number = 0; number < calm; ++number)
        {
            RunLosing(protocol, number, NOBODY);
        }
        std::vector<Frame> gap = RunLosing(protocol, 0, NOBODY);
        for (const uint32_t answer : FindAnswers(gap))
        {
            RunLosing(protocol, 0, answer);
        }
        return gap;
    }

    /** Lose frames of protocols of other modules, if they are there. */
    void LoseEachOfOthers()
    {
        for (const LossyProtocol& protocol :
             std::vector<LossyProtocol>{{"uet", "rud", false, true},
                                        {"uet", "rod", true, true},
                                        {"uet", "rudi", false, false},
                                        {"sdr", "", false, true}})
        {
            if (messaging::CreateByName(messaging::Protocol::GetTypeId(), protocol.name))
            {
                NS_TEST_EXPECT_MSG_GT(LoseEach(protocol).size(), MESSAGES * 5, protocol.name);
            }
        }
    }

    void DoRun() override
    {
        LoseEachOfOthers();
        for (const LossyProtocol& protocol : {LossyProtocol{"roce", ""}, LossyProtocol{"irn", ""}})
        {
            const std::vector<Frame> calm = RunLosing(protocol, NOBODY, NOBODY);
            constexpr uint32_t PACKETS = MESSAGES * 5;
            NS_TEST_EXPECT_MSG_GT(calm.size(), PACKETS, "packets and answers");
            const uint32_t last = static_cast<uint32_t>(calm.size()) - 1;
            NS_TEST_EXPECT_MSG_EQ(FindAnswers(calm).contains(last), true, "the last is an answer");
            // Each frame: the last packet and the last answer, too.
            for (uint32_t number = 0; number <= last; ++number)
            {
                const std::vector<Frame> frames = RunLosing(protocol, number, NOBODY);
                NS_TEST_EXPECT_MSG_GT_OR_EQ(frames.size(),
                                            calm.size(),
                                            "sent again, or not needed");
            }
            // A packet, and then each answer, such as the NAK or SACK that reports the gap.
            uint32_t reports = 0;
            const std::vector<Frame> gap = LoseEach(protocol);
            for (const uint32_t answer : FindAnswers(gap))
            {
                reports += gap[answer].kind == NAK ? 1 : 0;
            }
            NS_TEST_EXPECT_MSG_GT(reports, 0, "a gap is reported");
        }
    }

    /** Kind of a frame that reports a gap, of both protocols. */
    static constexpr uint8_t NAK = 5;
};

/** Impossible parameters are refused in one sentence. */
class RefusalTestCase : public FlowTestCase
{
  public:
    RefusalTestCase()
        : FlowTestCase("impossible parameters")
    {
    }

  private:
    void DoRun() override
    {
        for (const Parameters& wrong :
             std::vector<Parameters>{{{"Network", "loopback"}},
                                     {{"Protocol", "nothing"}},
                                     {{"Workload", "incast"}, {"Senders", "16"}},
                                     {{"Workload", "fixed"}, {"Size", "0"}},
                                     {{"LossTo", "16"}},
                                     {{"Workload", "file"}, {"FlowFile", "/none"}},
                                     {{"Workload", "sizes-file"}, {"SizesFile", "/none"}},
                                     {{"QueuePairs", "1024"}, {"network.Paths", "100"}}})
        {
            NS_TEST_EXPECT_MSG_NE(Make(wrong)->Check(), "", wrong.begin()->first);
        }
    }
};

/** The test suite of the scenario. */
class FabricScenarioTestSuite : public TestSuite
{
  public:
    FabricScenarioTestSuite()
        : TestSuite("ethernet-fabric-scenario", Type::UNIT)
    {
        AddTestCase(new LoneFlowTestCase, TestCase::Duration::QUICK);
        AddTestCase(new PlaneRunTestCase, TestCase::Duration::QUICK);
        AddTestCase(new QueuePairTestCase, TestCase::Duration::QUICK);
        AddTestCase(new WorkloadRunTestCase, TestCase::Duration::QUICK);
        AddTestCase(new StallTestCase, TestCase::Duration::QUICK);
        AddTestCase(new HastyTestCase, TestCase::Duration::QUICK);
        AddTestCase(new PauseTestCase, TestCase::Duration::QUICK);
        AddTestCase(new DeadlockTestCase, TestCase::Duration::QUICK);
        AddTestCase(new QueueLengthTestCase, TestCase::Duration::QUICK);
        AddTestCase(new HopTestCase, TestCase::Duration::QUICK);
        AddTestCase(new EachLossTestCase, TestCase::Duration::QUICK);
        AddTestCase(new RefusalTestCase, TestCase::Duration::QUICK);
    }
};

FabricScenarioTestSuite g_fabricScenarioTestSuite; ///< Registers itself.

} // namespace
} // namespace tests
} // namespace fabric
} // namespace ns3
