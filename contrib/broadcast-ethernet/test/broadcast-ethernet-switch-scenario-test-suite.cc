/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/broadcast-ethernet-switch-scenario.h"
#include "ns3/double.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <map>
#include <string>

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

/** Suite of the scenario. */
class SwitchScenarioTestSuite : public TestSuite
{
  public:
    SwitchScenarioTestSuite()
        : TestSuite("broadcast-ethernet-switch-scenario", Type::SYSTEM)
    {
        AddTestCase(new SwitchScenarioTestCase, Duration::QUICK);
    }
};

static SwitchScenarioTestSuite g_switchScenarioTestSuite; ///< Registers the suite.

} // namespace tests
} // namespace ethernet
} // namespace ns3
