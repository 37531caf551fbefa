/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/double.h"
#include "ns3/messaging-benchmark-scenario.h"
#include "ns3/messaging-frame-header.h"
#include "ns3/pointer.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <map>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Tests of the scenario messaging-benchmark: all combinations run, and datagrams take their closed
 * form.
 */

namespace ns3
{
namespace messaging
{
namespace tests
{
namespace
{

/** Parameters by name, as text. */
using Parameters = std::map<std::string, std::string>;

/** Parameters that make hosts cost nothing. */
const Parameters FREE_HOSTS{{"SystemCall", "0s"},
                            {"Interrupt", "0s"},
                            {"Instructions", "0s"},
                            {"CopyRate", "0bps"}};

/**
 * Make a scenario.
 * @param parameters its parameters
 * @param more further ones, which take precedence
 * @return the scenario
 */
Ptr<MessagingBenchmarkScenario>
Make(Parameters parameters, const Parameters& more = {})
{
    const auto scenario = CreateObject<MessagingBenchmarkScenario>();
    for (const auto& [name, value] : more)
    {
        parameters[name] = value;
    }
    for (const auto& [name, value] : parameters)
    {
        scenario->SetAttribute(name, StringValue(value));
    }
    return scenario;
}

/**
 * Get a result.
 * @param scenario the scenario, after its run
 * @param name name of the result
 * @return its value
 */
double
Get(Ptr<MessagingBenchmarkScenario> scenario, const std::string& name)
{
    DoubleValue value;
    scenario->GetAttribute(name, value);
    return value.Get();
}

/**
 * Get a column of the table of sizes.
 * @param scenario the scenario, after its run
 * @param name name of the column
 * @return its cells
 */
std::vector<double>
GetColumn(Ptr<MessagingBenchmarkScenario> scenario, const std::string& name)
{
    PointerValue table;
    scenario->GetAttribute("BySize", table);
    for (const auto& column : table.Get<Table>()->GetColumns())
    {
        if (column.name == name)
        {
            return std::get<std::vector<double>>(column.cells);
        }
    }
    return {};
}

} // namespace

/** Every benchmark runs over every protocol and network. */
class CombinationsTestCase : public TestCase
{
  public:
    CombinationsTestCase()
        : TestCase("Every benchmark runs over every protocol and network")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string benchmark :
             {"ping-pong", "stream", "exchange", "message-rate", "all-to-all", "broadcast"})
        {
            for (const std::string protocol : {"tcp", "datagram"})
            {
                for (const std::string network : {"csma", "point-to-point"})
                {
                    const auto scenario = Make({{"Benchmark", benchmark},
                                                {"Protocol", protocol},
                                                {"Network", network},
                                                {"Nodes", network == "csma" ? "4" : "2"},
                                                {"Rounds", "5"},
                                                {"Warmup", "2"},
                                                {"MaxSize", protocol == "tcp" ? "5000" : "1000"}});
                    scenario->Run();
                    const std::string name = benchmark + " over " + protocol + " over " + network;
                    NS_TEST_EXPECT_MSG_EQ(scenario->GetVerdictName(),
                                          "completed",
                                          name << scenario->GetFailure());
                    NS_TEST_EXPECT_MSG_GT(Get(scenario, "Bandwidth"), 0, name);
                    NS_TEST_EXPECT_MSG_GT(Get(scenario, "CpuShare"), 0, name);
                    NS_TEST_EXPECT_MSG_LT(Get(scenario, "CpuShare"), 1, name);
                }
            }
        }
    }
};

/** A datagram takes the time of its bytes on the wire, and the work of both hosts. */
class DatagramLatencyTestCase : public TestCase
{
  public:
    DatagramLatencyTestCase()
        : TestCase("A datagram takes its time on the wire and its hosts' work")
    {
    }

  private:
    void DoRun() override
    {
        const Parameters common{{"Protocol", "datagram"},
                                {"Network", "point-to-point"},
                                {"DataRate", "100Mbps"},
                                {"Delay", "2us"},
                                {"MinSize", "100"},
                                {"MaxSize", "1400"},
                                {"SizeFactor", "14"},
                                {"Rounds", "10"}};
        const auto free = Make(common, FREE_HOSTS);
        free->Run();
        const auto costly = Make(common,
                                 {{"SystemCall", "1us"},
                                  {"Interrupt", "4us"},
                                  {"Instructions", "20us"},
                                  {"CopyRate", "400Mbps"},
                                  {"Transfer", "pio"},
                                  {"BusRate", "800Mbps"}});
        costly->Run();
        const std::vector<double> sizes{100, 1400};
        for (std::size_t i = 0; i < sizes.size(); ++i)
        {
            const double packet = sizes[i] + FrameHeader::SIZE + 8 + 20;
            const double wire = (packet + 2) * 0.08 + 2;
            NS_TEST_EXPECT_MSG_EQ_TOL(GetColumn(free, "Latency").at(i),
                                      wire,
                                      1e-9,
                                      "Headers of UDP, IP and PPP");
            // A copy takes 20 ns a byte and the bus 10, at both ends.
            const double hosts = 2 * (1 + 20) + 4 + 2 * packet * 0.03;
            NS_TEST_EXPECT_MSG_EQ_TOL(GetColumn(costly, "Latency").at(i),
                                      wire + hosts,
                                      1e-9,
                                      "With the hosts' work");
        }
        NS_TEST_EXPECT_MSG_EQ(Get(free, "CpuShare"), 0, "Free hosts do nothing");
    }
};

/** Host costs slow TCP down, and a faster network then helps little. */
class TcpCostTestCase : public TestCase
{
  public:
    TcpCostTestCase()
        : TestCase("On a fast network, TCP is as fast as its hosts")
    {
    }

  private:
    void DoRun() override
    {
        const Parameters stream{{"Benchmark", "stream"},
                                {"MinSize", "65536"},
                                {"Network", "point-to-point"}};
        const auto slow = Make(stream, {{"DataRate", "100Mbps"}});
        const auto fast = Make(stream, {{"DataRate", "10Gbps"}});
        const auto free =
            Make(stream, {{"DataRate", "10Gbps"}, {"SystemCall", "0s"}, {"Interrupt", "0s"}});
        free->SetAttribute("Instructions", StringValue("0s"));
        free->SetAttribute("CopyRate", StringValue("0bps"));
        for (const auto& scenario : {slow, fast, free})
        {
            scenario->Run();
            NS_TEST_EXPECT_MSG_EQ(scenario->GetVerdictName(), "completed", scenario->GetFailure());
        }
        NS_TEST_EXPECT_MSG_GT(Get(free, "Bandwidth"), 100, "Without hosts, TCP uses the network");
        NS_TEST_EXPECT_MSG_LT(Get(fast, "Bandwidth"),
                              1.1 * Get(slow, "Bandwidth"),
                              "With hosts, it does not");
        NS_TEST_EXPECT_MSG_GT(Get(fast, "CpuShare"), 0.5, "Its CPUs are busy instead");
    }
};

/** What does not go together is named, and equal runs are equal. */
class ScenarioRulesTestCase : public TestCase
{
  public:
    ScenarioRulesTestCase()
        : TestCase("Bad combinations are named, and equal runs give equal results")
    {
    }

  private:
    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(Make({})->Check(), "", "The defaults go together");
        NS_TEST_EXPECT_MSG_EQ(Make({{"MinSize", "10"}, {"MaxSize", "5"}})->Check(),
                              "MinSize is 10, but may not be larger than MaxSize, which is 5.",
                              "Sizes");
        NS_TEST_EXPECT_MSG_EQ(Make({{"Network", "point-to-point"}, {"Nodes", "3"}})->Check(),
                              "Nodes is 3, but a point-to-point link joins 2 nodes.",
                              "Nodes of a link");
        NS_TEST_EXPECT_MSG_EQ(Make({{"Protocol", "datagram"}, {"MaxSize", "1437"}})->Check(),
                              "MaxSize is 1437, but a datagram carries at most 1436 bytes.",
                              "Size of a datagram");
        NS_TEST_EXPECT_MSG_EQ(Make({{"Protocol", "datagram"}, {"MaxSize", "1436"}})->Check(),
                              "",
                              "Largest datagram");
        const auto refused = Make({{"MinSize", "10"}, {"MaxSize", "5"}});
        refused->Run();
        NS_TEST_EXPECT_MSG_EQ(refused->GetVerdictName(), "failed", "A bad combination is not run");

        const Parameters parameters{{"Benchmark", "all-to-all"},
                                    {"Nodes", "5"},
                                    {"Rounds", "10"},
                                    {"MaxSize", "64"}};
        const auto first = Make(parameters);
        const auto second = Make(parameters);
        first->Run();
        second->Run();
        const bool equal = GetColumn(first, "MaxLatency") == GetColumn(second, "MaxLatency") &&
                           GetColumn(first, "Bandwidth") == GetColumn(second, "Bandwidth");
        NS_TEST_EXPECT_MSG_EQ(equal, true, "The same parameters give the same results");
        const auto limited = Make({{"TimeLimit", "1ms"}});
        limited->Run();
        NS_TEST_EXPECT_MSG_EQ(limited->GetVerdictName(), "livelock", "The limit is kept");
    }
};

/** All tests of the scenario messaging-benchmark. */
class BenchmarkScenarioTestSuite : public TestSuite
{
  public:
    BenchmarkScenarioTestSuite()
        : TestSuite("messaging-benchmark-scenario", Type::UNIT)
    {
        AddTestCase(new CombinationsTestCase, TestCase::Duration::QUICK);
        AddTestCase(new DatagramLatencyTestCase, TestCase::Duration::QUICK);
        AddTestCase(new TcpCostTestCase, TestCase::Duration::QUICK);
        AddTestCase(new ScenarioRulesTestCase, TestCase::Duration::QUICK);
    }
};

/** The suite, which registers itself. */
static BenchmarkScenarioTestSuite g_benchmarkScenarioTestSuite;

} // namespace tests
} // namespace messaging
} // namespace ns3
