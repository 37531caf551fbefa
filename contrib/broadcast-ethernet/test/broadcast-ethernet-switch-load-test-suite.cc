/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "broadcast-ethernet-switch-load.h"

#include "ns3/broadcast-ethernet-networks.h"
#include "ns3/test.h"

#include <cmath>
#include <utility>

namespace ns3
{
namespace ethernet
{
namespace tests
{

/** Switches under load against closed forms, and refused configurations. */
class SwitchLoadTestCase : public TestCase
{
  public:
    SwitchLoadTestCase()
        : TestCase("Switches under load, closed forms; the network refuses bad attributes")
    {
    }

  private:
    void DoRun() override
    {
        // A single station broadcasts: no copy waits, and all take the same time.
        const double wire = 123.04 - 0.96;
        const auto one =
            MeasureSwitches({.pattern = LoadPattern::BROADCAST, .senders = 1, .frames = 100});
        NS_TEST_EXPECT_MSG_EQ(one.latencies.size(), 700, "arrivals of 100 frames at 7 other ports");
        NS_TEST_EXPECT_MSG_EQ_TOL(one.GetMean(), 2 * (wire + 0.1) + 10, 1e-6, "mean latency [us]");
        NS_TEST_EXPECT_MSG_EQ_TOL(
            static_cast<double>(*std::max_element(one.latencies.begin(), one.latencies.end())) /
                1e3,
            2 * (wire + 0.1) + 10,
            1e-6,
            "largest latency [us]");

        // All send to one port with a buffer of 10: of each round that finds it empty, 10 are
        // stored.
        const auto incast = MeasureSwitches({.frames = 100, .attributes = {{"BufferSize", "10"}}});
        NS_TEST_EXPECT_MSG_EQ(incast.latencies.size() + incast.overflow,
                              700,
                              "7 senders: each copy arrives or is dropped");
        // 7 of the first round, 3 of the second; from the third on, one leaves per frame time.
        NS_TEST_EXPECT_MSG_EQ(incast.latencies.size(),
                              10 + 98,
                              "arrivals: those that fit, and one in each frame time");
        NS_TEST_EXPECT_MSG_EQ(incast.peak, 10, "highest level of the buffer [frames]");

        const SwitchLoad uniform{.pattern = LoadPattern::UNIFORM,
                                 .ports = 12,
                                 .switches = 3,
                                 .bytes = 400,
                                 .frames = 500,
                                 .load = 0.6,
                                 .burst = 8,
                                 .attributes = {{"BufferSize", "24"}, {"Loss", "0.01"}}};
        const auto first = MeasureSwitches(uniform);
        const auto second = MeasureSwitches(uniform);
        NS_TEST_EXPECT_MSG_EQ(first.accounted, true, "each copy is accounted for");
        NS_TEST_EXPECT_MSG_GT(first.lost, 60, "copies lost at random: one of 100 at each switch");
        NS_TEST_EXPECT_MSG_GT(first.overflow, 0, "trunks overflow");
        NS_TEST_EXPECT_MSG_EQ(first.GetMean(), second.GetMean(), "mean latency of the same run");
        auto lossless = uniform;
        lossless.attributes = {{"BufferSize", "100"}, {"Pause", "true"}};
        const auto paused = MeasureSwitches(lossless);
        NS_TEST_EXPECT_MSG_EQ(paused.latencies.size(), 6000, "arrivals with PAUSE");
        NS_TEST_EXPECT_MSG_GT(paused.pauses, 0, "PAUSE frames");

        const auto complaint = [](const std::string& name, const std::string& value) {
            const auto network = CreateObject<SwitchNetwork>();
            network->SetAttribute(name, StringValue(value));
            return network->Check(8);
        };
        NS_TEST_EXPECT_MSG_EQ(complaint("Loss", "0"), "", "the defaults are consistent");
        NS_TEST_EXPECT_MSG_EQ(complaint("DataRate", "54Mbps").empty(),
                              false,
                              "an unknown rate is refused");
        NS_TEST_EXPECT_MSG_EQ(complaint("TrunkRate", "0bps").empty(),
                              false,
                              "a trunk without rate is refused");
        NS_TEST_EXPECT_MSG_EQ(complaint("Switches", "9").empty(),
                              false,
                              "more switches than stations are refused");
        NS_TEST_EXPECT_MSG_EQ(complaint("BufferUnit", "bytes").empty(),
                              false,
                              "a buffer of 64 bytes is refused");
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
     * Compute the loss of an M/D/1/K queue, from the Markov chain at its departures.
     * @param load arrivals in a service time
     * @param places capacity of the system
     * @return the share of lost arrivals
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
            return MeasureSwitches({.ports = 50,
                                    .receiverRate = "100Mbps",
                                    .frames = 2000,
                                    .load = load * 0.1 / 49,
                                    .attributes = {{"DataRate", "1000Mbps"},
                                                   {"BufferSize", buffer},
                                                   {"ForwardingLatency", "0ns"}}});
        };
        const double service = 123.04;
        for (const double load : {0.3, 0.6})
        {
            const double wait = run(load, "100000").GetMean() - (12.208 + 122.08 + 0.2);
            NS_TEST_EXPECT_MSG_EQ_TOL(wait / (load / (2 * (1 - load)) * service),
                                      1,
                                      0.04,
                                      "mean wait at load " << load);
        }
        for (const auto& [load, places] : {std::pair(0.8, 2), std::pair(0.8, 4), std::pair(1.2, 8)})
        {
            const auto arrived = run(load, std::to_string(places)).latencies.size();
            const double lost = 1 - static_cast<double>(arrived) / (49 * 2000.0);
            NS_TEST_EXPECT_MSG_EQ_TOL(lost / ComputeLoss(load, places),
                                      1,
                                      0.05,
                                      "loss at load " << load << " with " << places << " places");
        }
    }
};

/** Suite of switches under load. */
class SwitchLoadTestSuite : public TestSuite
{
  public:
    SwitchLoadTestSuite()
        : TestSuite("broadcast-ethernet-switch-load", Type::SYSTEM)
    {
        AddTestCase(new SwitchLoadTestCase, Duration::QUICK);
        AddTestCase(new SwitchQueueTestCase, Duration::QUICK);
    }
};

static SwitchLoadTestSuite g_switchLoadTestSuite; ///< Registers the suite.

} // namespace tests
} // namespace ethernet
} // namespace ns3
