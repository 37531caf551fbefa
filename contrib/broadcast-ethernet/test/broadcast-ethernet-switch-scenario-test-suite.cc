/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/broadcast-ethernet-switch-scenario.h"
#include "ns3/double.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace ethernet
{
namespace tests
{

namespace
{

/** Parameters by name. */
using Parameters = std::map<std::string, std::string>;

/**
 * Make the scenario.
 * @param parameters its parameters
 * @return the scenario
 */
Ptr<EthernetSwitchScenario>
Make(const Parameters& parameters)
{
    auto scenario = CreateObject<EthernetSwitchScenario>();
    for (const auto& [name, text] : parameters)
    {
        const StringValue value(text);
        scenario->SetAttribute(name, value);
    }
    return scenario;
}

/**
 * Run the scenario.
 * @param parameters its parameters
 * @return the scenario, with results
 */
Ptr<EthernetSwitchScenario>
RunWith(const Parameters& parameters)
{
    auto scenario = Make(parameters);
    scenario->Run();
    return scenario;
}

/**
 * Get a result that is a count.
 * @param scenario the scenario
 * @param name name of the result
 * @return its value
 */
uint64_t
Count(Ptr<EthernetSwitchScenario> scenario, const std::string& name)
{
    UintegerValue value;
    scenario->GetAttribute(name, value);
    return value.Get();
}

/**
 * Get a result that is a number.
 * @param scenario the scenario
 * @param name name of the result
 * @return its value
 */
double
Number(Ptr<EthernetSwitchScenario> scenario, const std::string& name)
{
    DoubleValue value;
    scenario->GetAttribute(name, value);
    return value.Get();
}

} // namespace

/** The scenario against closed forms, and its complaints. */
class SwitchScenarioTestCase : public TestCase
{
  public:
    SwitchScenarioTestCase()
        : TestCase("scenario ethernet-switch")
    {
    }

  private:
    void DoRun() override
    {
        // One station alone broadcasts: nobody waits, all copies take the same time.
        const double wire = 123.04 - 0.96;
        const auto one = RunWith({{"Pattern", "broadcast"}, {"Senders", "1"}, {"Frames", "100"}});
        NS_TEST_EXPECT_MSG_EQ(Count(one, "Delivered"), 700, "100 frames to 7 others");
        NS_TEST_EXPECT_MSG_EQ_TOL(Number(one, "LatencyMean"), 2 * (wire + 0.1) + 10, 1e-6, "mean");
        NS_TEST_EXPECT_MSG_EQ_TOL(Number(one, "LatencyMax"),
                                  2 * (wire + 0.1) + 10,
                                  1e-6,
                                  "and max");

        // All send to one, whose buffer holds 10: 10 are kept of each round that finds it empty.
        const auto incast = RunWith({{"Frames", "100"}, {"BufferSize", "10"}});
        NS_TEST_EXPECT_MSG_EQ(Count(incast, "Offered"), 700, "7 senders");
        NS_TEST_EXPECT_MSG_EQ(Count(incast, "Delivered") + Count(incast, "DropOverflow"),
                              700,
                              "each copy arrives or is dropped");
        // 7 of the first round, 3 of the second; from the third on one leaves a frame time.
        NS_TEST_EXPECT_MSG_EQ(Count(incast, "Delivered"), 10 + 98, "exact count");
        NS_TEST_EXPECT_MSG_EQ(Count(incast, "PeakQueue"), 10, "the buffer is full");

        const Parameters uniform{{"Pattern", "uniform"},
                                 {"Switches", "3"},
                                 {"Ports", "12"},
                                 {"Load", "0.6"},
                                 {"Burst", "8"},
                                 {"Frames", "500"},
                                 {"FrameSize", "400"},
                                 {"BufferSize", "24"},
                                 {"TrunkRate", "100Mbps"},
                                 {"Loss", "0.01"}};
        const auto first = RunWith(uniform);
        const auto second = RunWith(uniform);
        NS_TEST_EXPECT_MSG_EQ(first->GetVerdictName(), "completed", "each copy is accounted for");
        NS_TEST_EXPECT_MSG_GT(Count(first, "DropLoss"), 60, "one of 100 at each switch");
        NS_TEST_EXPECT_MSG_GT(Count(first, "DropOverflow"), 0, "trunks overflow");
        NS_TEST_EXPECT_MSG_EQ(Number(first, "LatencyMean"),
                              Number(second, "LatencyMean"),
                              "the same run twice");
        auto lossless = uniform;
        lossless["Loss"] = "0";
        lossless["Pause"] = "true";
        lossless["BufferSize"] = "100";
        const auto paused = RunWith(lossless);
        NS_TEST_EXPECT_MSG_EQ(Count(paused, "Delivered"), 6000, "with PAUSE, all arrives");
        NS_TEST_EXPECT_MSG_GT(Count(paused, "Pauses"), 0, "and it was needed");

        const auto complaint = [](const Parameters& parameters) {
            return Make(parameters)->Check();
        };
        NS_TEST_EXPECT_MSG_EQ(complaint({}), "", "the defaults go together");
        NS_TEST_EXPECT_MSG_EQ(complaint({{"DataRate", "54Mbps"}}).empty(), false, "rate");
        NS_TEST_EXPECT_MSG_EQ(complaint({{"TrunkRate", "0bps"}}).empty(), false, "trunk");
        NS_TEST_EXPECT_MSG_EQ(complaint({{"Senders", "8"}}).empty(), false, "station 0 cannot");
        NS_TEST_EXPECT_MSG_EQ(complaint({{"Switches", "9"}}).empty(), false, "empty switches");
        NS_TEST_EXPECT_MSG_EQ(complaint({{"BufferUnit", "bytes"}}).empty(), false, "64 bytes");
        NS_TEST_EXPECT_MSG_EQ(complaint({{"PauseLow", "0.9"}}).empty(), false, "thresholds");
        NS_TEST_EXPECT_MSG_EQ(complaint({{"Frames", "100000000"}}).empty(), false, "too many");
    }
};

/**
 * A slow port behind many fast ones is an M/D/1 queue, and with a finite buffer M/D/1/K: the mean
 * wait and the losses agree with theory.
 */
class SwitchQueueTestCase : public TestCase
{
  public:
    SwitchQueueTestCase()
        : TestCase("an output port is the queue of theory, with and without limit")
    {
    }

  private:
    /**
     * Compute the share of arrivals that an M/D/1/K queue turns away, from the Markov chain at its
     * departures.
     * @param load arrivals in a service time
     * @param places places in the system
     * @return the share
     */
    static double ComputeLoss(double load, uint32_t places)
    {
        std::vector<double> arrivals{std::exp(-load)};
        while (arrivals.size() <= places)
        {
            arrivals.push_back(arrivals.back() * load / static_cast<double>(arrivals.size()));
        }
        std::vector<double> states{1};
        double sum = 1;
        for (uint32_t j = 0; j + 1 < places; ++j)
        {
            double next = states[j] - arrivals[j];
            for (uint32_t i = 1; i <= j; ++i)
            {
                next -= states[i] * arrivals[j - i + 1];
            }
            states.push_back(next / arrivals[0]);
            sum += states.back();
        }
        return 1 - 1 / (1 / sum + load);
    }

    void DoRun() override
    {
        const auto run = [](double load, const std::string& buffer) {
            return RunWith({{"Ports", "50"},
                            {"DataRate", "1000Mbps"},
                            {"ReceiverRate", "100Mbps"},
                            {"Load", std::to_string(load * 0.1 / 49)},
                            {"Frames", "2000"},
                            {"BufferSize", buffer},
                            {"ForwardingLatency", "0ns"}});
        };
        const double service = 123.04;
        for (const double load : {0.3, 0.6})
        {
            const double wait =
                Number(run(load, "100000"), "LatencyMean") - (12.208 + 122.08 + 0.2);
            NS_TEST_EXPECT_MSG_EQ_TOL(wait / (load / (2 * (1 - load)) * service),
                                      1,
                                      0.04,
                                      "mean wait at load " << load);
        }
        for (const auto& [load, places] : {std::pair(0.8, 2), std::pair(0.8, 4), std::pair(1.2, 8)})
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(Number(run(load, std::to_string(places)), "LossShare") /
                                          ComputeLoss(load, places),
                                      1,
                                      0.05,
                                      "loss at load " << load << " with " << places << " places");
        }
    }
};

/** Suite of the scenario. */
class SwitchScenarioTestSuite : public TestSuite
{
  public:
    SwitchScenarioTestSuite()
        : TestSuite("broadcast-ethernet-switch-scenario", Type::SYSTEM)
    {
        AddTestCase(new SwitchScenarioTestCase, Duration::QUICK);
        AddTestCase(new SwitchQueueTestCase, Duration::QUICK);
    }
};

static SwitchScenarioTestSuite g_switchScenarioTestSuite; ///< Registers the suite.

} // namespace tests
} // namespace ethernet
} // namespace ns3
