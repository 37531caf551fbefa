/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/messaging-traffic-flows.h"
#include "ns3/test.h"

#include <cmath>
#include <fstream>
#include <numeric>
#include <set>
#include <string>
#include <vector>

namespace ns3
{
namespace messaging
{
namespace tests
{
namespace
{

/** @return a source of random numbers. */
Ptr<UniformRandomVariable>
MakeRandom()
{
    auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(1);
    return random;
}

/** @param flows flows @return the sum of their sizes [bytes] */
uint64_t
CountBytes(const std::vector<TrafficFlow>& flows)
{
    return std::accumulate(flows.begin(),
                           flows.end(),
                           uint64_t{0},
                           [](uint64_t sum, const TrafficFlow& flow) { return sum + flow.bytes; });
}

/** A distribution has its mean and its quantiles. */
class FlowSizesTestCase : public TestCase
{
  public:
    FlowSizesTestCase()
        : TestCase("distributions of sizes: mean, quantiles, sampled mean, files")
    {
    }

  private:
    /** What is known of a distribution. */
    struct Known
    {
        FlowDistribution distribution; ///< The distribution.
        double mean;                   ///< Its mean, the sum of trapezoids [bytes].
        uint32_t median;               ///< Its median, linear between points [bytes].
        uint32_t largest;              ///< Its largest size [bytes].
    };

    void DoRun() override
    {
        const std::vector<Known> all{{FlowDistribution::WEB_SEARCH, 1711250, 73077, 30'000'000},
                                     {FlowDistribution::HADOOP, 120420.75, 700, 10'000'000},
                                     {FlowDistribution::ALI_STORAGE, 40869.8, 6340, 2'000'000},
                                     {FlowDistribution::GOOGLE_RPC, 2967.89, 246, 15'158'197},
                                     {FlowDistribution::SOLAR, 39423.5, 16384, 262'144}};
        const auto random = MakeRandom();
        for (const Known& known : all)
        {
            const FlowSizes& sizes = GetFlowSizes(known.distribution);
            NS_TEST_EXPECT_MSG_EQ_TOL(sizes.GetMean(), known.mean, 1, "mean");
            NS_TEST_EXPECT_MSG_EQ(sizes.Get(0.5), known.median, "median");
            NS_TEST_EXPECT_MSG_EQ(sizes.Get(1), known.largest, "largest");
            double sum = 0;
            double squares = 0;
            constexpr uint32_t COUNT = 100'000;
            for (uint32_t i = 0; i < COUNT; ++i)
            {
                const double bytes = sizes.Get(random->GetValue(0, 1));
                sum += bytes;
                squares += bytes * bytes;
            }
            const double mean = sum / COUNT;
            const double error = std::sqrt((squares / COUNT - mean * mean) / COUNT);
            NS_TEST_EXPECT_MSG_EQ_TOL(mean, known.mean, 4 * error, "mean of a sample");
        }
        NS_TEST_EXPECT_MSG_EQ(FlowSizes(700).Get(0.3), 700, "one size");
        NS_TEST_EXPECT_MSG_EQ_TOL(FlowSizes(700).GetMean(), 700, 0, "one size");

        const std::string path = CreateTempDirFilename("sizes.txt");
        std::ofstream(path) << "# bytes, percent\n100 0\n300 50\n1000 100\n";
        FlowSizes sizes;
        NS_TEST_EXPECT_MSG_EQ(ReadFlowSizes(path, sizes), "", "a good file");
        NS_TEST_EXPECT_MSG_EQ_TOL(sizes.GetMean(), 425, 1e-9, "mean of the file");
        // Half of the flows have the first size, which also counts in the mean.
        std::ofstream(path) << "1000 50\n2000 100\n";
        NS_TEST_EXPECT_MSG_EQ(ReadFlowSizes(path, sizes), "", "a first size with a share");
        double sum = 0;
        constexpr uint32_t COUNT = 1000;
        for (uint32_t i = 0; i < COUNT; ++i)
        {
            sum += sizes.Get((i + 0.5) / COUNT);
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(sum / COUNT, 1250, 1, "mean of its quantiles");
        NS_TEST_EXPECT_MSG_EQ_TOL(sizes.GetMean(), 1250, 1e-9, "its mean");
        std::ofstream(path) << "0 50\n2000 100\n";
        NS_TEST_EXPECT_MSG_EQ(ReadFlowSizes(path, sizes), "", "a first size of 0");
        NS_TEST_EXPECT_MSG_EQ(sizes.Get(0.2), 1, "no flow without bytes beside others");
        for (const char* wrong : {"", "100 0\n300 50\n", "100 0\n50 100\n", "100 0 1\n", "1 200\n"})
        {
            std::ofstream(path) << wrong;
            NS_TEST_EXPECT_MSG_NE(ReadFlowSizes(path, sizes), "", wrong);
        }
    }
};

/** Workloads have the flows that their names say. */
class WorkloadTestCase : public TestCase
{
  public:
    WorkloadTestCase()
        : TestCase("Poisson flows have the load; incast, permutation and all-to-all")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t HOSTS = 10;
        const auto random = MakeRandom();
        const FlowLoad load{.load = 0.5, .rate = 1e9};
        const auto flows = MakePoissonFlows(random, HOSTS, 20'000, FlowSizes(1000), load);
        double squares = 0;
        std::vector<uint32_t> pairs(HOSTS * HOSTS);
        Time last;
        const double gap = 1000 / (0.5 * 1e9 * HOSTS);
        for (const TrafficFlow& flow : flows)
        {
            const double wait = (flow.start - last).GetSeconds();
            squares += wait * wait;
            last = flow.start;
            ++pairs[flow.from * HOSTS + flow.to];
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(last.GetSeconds() / (gap * 20'000), 1, 0.03, "rate");
        // An exponential gap has the second moment 2 gap^2.
        NS_TEST_EXPECT_MSG_EQ_TOL(squares / 20'000 / (2 * gap * gap), 1, 0.1, "exponential gaps");
        for (Peer host = 0; host < HOSTS; ++host)
        {
            NS_TEST_EXPECT_MSG_EQ(pairs[host * HOSTS + host], 0, "no flow to its sender");
        }
        NS_TEST_EXPECT_MSG_GT(pairs[1], 150, "each pair has its share of 222 flows");

        const auto incast = MakeIncast(random, HOSTS, 7, 1001);
        std::set<Peer> senders;
        for (const TrafficFlow& flow : incast)
        {
            senders.insert(flow.from);
            NS_TEST_EXPECT_MSG_EQ(flow.to, incast[0].to, "one receiver");
            NS_TEST_EXPECT_MSG_EQ(flow.bytes, 1001 / 7, "equal parts");
        }
        NS_TEST_EXPECT_MSG_EQ(senders.size(), 7, "different senders");
        NS_TEST_EXPECT_MSG_EQ(senders.count(incast[0].to), 0, "the receiver does not send");
        NS_TEST_EXPECT_MSG_EQ(CountBytes(MakeIncast(random, HOSTS, 9, 1000)),
                              1000,
                              "all bytes are sent");

        std::set<Peer> receivers;
        for (const TrafficFlow& flow : MakePermutation(random, HOSTS, 5))
        {
            NS_TEST_EXPECT_MSG_NE(flow.from, flow.to, "no flow to its sender");
            receivers.insert(flow.to);
        }
        NS_TEST_EXPECT_MSG_EQ(receivers.size(), HOSTS, "each host receives once");
        NS_TEST_EXPECT_MSG_EQ(MakeAllToAll(HOSTS, 5).size(), HOSTS * (HOSTS - 1), "all pairs");
    }
};

/** Files of other simulators are read, and wrong ones are refused. */
class FlowFileTestCase : public TestCase
{
  public:
    FlowFileTestCase()
        : TestCase("flow files of HPCC's simulator and connection matrices of htsim")
    {
    }

  private:
    void DoRun() override
    {
        const std::string path = CreateTempDirFilename("flows.txt");
        const std::vector<TrafficFlow> expected{
            {.start = Seconds(1.5), .from = 2, .to = 3, .bytes = 10},
            {.start = Seconds(2), .from = 0, .to = 1, .bytes = 200000}};
        std::vector<TrafficFlow> flows;
        std::ofstream(path) << "2\n0 1 3 100 200000 2.000000000\n2 3 3 100 10 1.5\n";
        NS_TEST_EXPECT_MSG_EQ(ReadFlows(path, 4, flows), "", "a flow file");
        NS_TEST_EXPECT_MSG_EQ((flows == expected), true, "in the order of their starts");
        std::ofstream(path) << "Nodes 4\nConnections 2\n2->3 id 1 start 1500000 size 10\n"
                            << "0->1 id 2 start 2000000 size 200000\n";
        NS_TEST_EXPECT_MSG_EQ(ReadFlows(path, 4, flows), "", "a connection matrix");
        NS_TEST_EXPECT_MSG_EQ((flows == expected), true, "starts are in microseconds");
        for (const char* wrong : {"1\n",
                                  "2\n0 1 3 100 5 1\n",
                                  "1\n0 4 3 100 5 1\n",
                                  "1\n0 0 3 100 5 1\n",
                                  "1\n0 1 3 100 5\n",
                                  "0 1 3 100 5 1\n",
                                  "Nodes 4\nConnections 1\n2->3 id 1 trigger 1 size 10\n",
                                  "Nodes 4\nConnections 1\n2-3 id 1 start 0 size 10\n"})
        {
            std::ofstream(path) << wrong;
            const std::string error = ReadFlows(path, 4, flows);
            NS_TEST_EXPECT_MSG_NE(error, "", wrong);
            NS_TEST_EXPECT_MSG_EQ(error.find('\n'), std::string::npos, "one sentence: " << error);
        }
    }
};

/** The test suite of workloads of flows. */
class TrafficFlowsTestSuite : public TestSuite
{
  public:
    TrafficFlowsTestSuite()
        : TestSuite("messaging-traffic-flows", Type::UNIT)
    {
        AddTestCase(new FlowSizesTestCase, TestCase::Duration::QUICK);
        AddTestCase(new WorkloadTestCase, TestCase::Duration::QUICK);
        AddTestCase(new FlowFileTestCase, TestCase::Duration::QUICK);
    }
};

TrafficFlowsTestSuite g_trafficFlowsTestSuite; ///< Registers itself.

} // namespace
} // namespace tests
} // namespace messaging
} // namespace ns3
