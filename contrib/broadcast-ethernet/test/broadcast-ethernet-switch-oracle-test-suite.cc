/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "broadcast-ethernet-switch-driver.h"

#include "ns3/test.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3
{
namespace ethernet
{
namespace tests
{
namespace switchcore
{

/** Random traffic against a naive queue, and conservation under faults. */
class SwitchRandomTestCase : public TestCase
{
  public:
    SwitchRandomTestCase()
        : TestCase("random traffic against a naive model; conservation")
    {
    }

  private:
    static constexpr uint32_t PORTS = 6;      ///< Ports of the switch.
    static constexpr uint64_t BUFFER = 5;     ///< Capacity of the buffer [frames].
    static constexpr int64_t LATENCY = 10000; ///< Latency of the switch [ns].

    /** An arriving frame. */
    struct Input
    {
        int64_t at;     ///< Time [ns].
        uint32_t in;    ///< Input port.
        uint64_t to;    ///< Destination.
        uint32_t bytes; ///< Length [bytes].
    };

    /**
     * Make random traffic with a load close to the capacity of the ports.
     * @param random source of random numbers
     * @return the traffic, ordered by time
     */
    static std::vector<Input> MakeTraffic(std::mt19937& random)
    {
        std::vector<Input> inputs;
        int64_t at = 1000000;
        for (uint32_t i = 0; i < 2000; ++i)
        {
            at += random() % 60000;
            const uint32_t to = random() % (PORTS + 2);
            inputs.push_back({at,
                              static_cast<uint32_t>(random() % PORTS),
                              to < PORTS ? AddressOf(to) : BROADCAST,
                              static_cast<uint32_t>(64 + random() % 1455)});
        }
        return inputs;
    }

    /**
     * Compute the arrivals, with a queue per port that is traversed for each frame.
     * @param inputs the traffic
     * @param bitTimes bit times of the ports [ns]
     * @param shared whether all ports share the buffer
     * @return the arrivals, sorted
     */
    static std::vector<std::tuple<int64_t, uint32_t, uint32_t>> ComputeArrivals(
        const std::vector<Input>& inputs,
        const std::vector<int64_t>& bitTimes,
        bool shared)
    {
        std::vector<std::vector<int64_t>> ends(PORTS);
        std::vector<std::tuple<int64_t, uint32_t, uint32_t>> arrivals;
        const auto queued = [&](uint32_t port, int64_t now) {
            return static_cast<uint64_t>(std::count_if(ends[port].begin(),
                                                       ends[port].end(),
                                                       [now](int64_t end) { return end > now; }));
        };
        for (uint32_t frame = 0; frame < inputs.size(); ++frame)
        {
            const Input& input = inputs[frame];
            for (uint32_t out = 0; out < PORTS; ++out)
            {
                if (out == input.in || (input.to != BROADCAST && input.to != AddressOf(out)))
                {
                    continue;
                }
                uint64_t used = queued(out, input.at);
                for (uint32_t other = 0; shared && other < PORTS; ++other)
                {
                    used += other == out ? 0 : queued(other, input.at);
                }
                if (used < BUFFER)
                {
                    int64_t begin = input.at + LATENCY;
                    if (!ends[out].empty())
                    {
                        begin = std::max(begin, ends[out].back() + 96 * bitTimes[out]);
                    }
                    ends[out].push_back(begin + Wire(input.bytes, bitTimes[out]));
                    arrivals.emplace_back(ends[out].back() + DELAY, out, frame);
                }
            }
        }
        std::sort(arrivals.begin(), arrivals.end());
        return arrivals;
    }

    void DoRun() override
    {
        const std::vector<int64_t> bitTimes{10, 10, 1, 10, 100, 10};
        std::mt19937 random(1);
        for (const bool shared : {false, true})
        {
            const auto inputs = MakeTraffic(random);
            const SwitchConfig config{.latency = NanoSeconds(LATENCY),
                                      .buffer = BUFFER,
                                      .sharing = shared ? BufferSharing::COMPLETE
                                                        : BufferSharing::PRIVATE};
            SwitchDriver driver(config, bitTimes);
            Teach(driver);
            Feed(driver, inputs);
            driver.arrivals.clear();
            driver.Run();
            std::vector<std::tuple<int64_t, uint32_t, uint32_t>> arrivals;
            arrivals.reserve(driver.arrivals.size());
            for (const auto& arrival : driver.arrivals)
            {
                arrivals.emplace_back(arrival.at, arrival.port, arrival.frame);
            }
            std::sort(arrivals.begin(), arrivals.end());
            const bool isEqual = arrivals == ComputeArrivals(inputs, bitTimes, shared);
            NS_TEST_EXPECT_MSG_EQ(isEqual,
                                  true,
                                  "arrivals of the naive model, pool shared: " << shared);
            NS_TEST_EXPECT_MSG_GT(driver.drops.size(), 100, "frames that the buffers drop");
        }

        SwitchDriver driver({.latency = NanoSeconds(LATENCY),
                             .buffer = BUFFER,
                             .replication = Replication::SERIAL,
                             .pause = true,
                             .pauseQuanta = 300},
                            bitTimes);
        driver.core.SetLoss([&] { return random() % 50 == 0; });
        Teach(driver);
        const auto inputs = MakeTraffic(random);
        Feed(driver, inputs);
        for (int64_t at = 1000000; at < inputs.back().at; at += random() % 500000)
        {
            const auto port = static_cast<uint32_t>(random() % PORTS);
            const auto quanta = static_cast<uint16_t>(random() % 3 * 150);
            driver.At(at,
                      [&driver, port, quanta] { driver.core.OnPause(driver.now, port, quanta); });
            const auto other = static_cast<uint32_t>(random() % PORTS);
            const bool up = random() % 3 > 0;
            driver.At(at + 1,
                      [&driver, other, up] { driver.core.SetLinkUp(driver.now, other, up); });
        }
        driver.Run();
        uint64_t offered = 0;
        uint64_t accounted = 0;
        for (uint32_t port = 0; port < PORTS; ++port)
        {
            const auto& counters = driver.core.GetCounters(port);
            offered += counters.offered;
            accounted += counters.framesOut +
                         std::accumulate(counters.drops.begin(), counters.drops.end(), uint64_t{0});
            NS_TEST_EXPECT_MSG_LT_OR_EQ(counters.peak,
                                        BUFFER,
                                        "highest level of a buffer [frames]");
            std::vector<uint32_t> order;
            for (const auto& arrival : driver.arrivals)
            {
                if (arrival.port == port && arrival.at > 1000000)
                {
                    order.push_back(arrival.frame);
                }
            }
            NS_TEST_EXPECT_MSG_EQ(std::is_sorted(order.begin(), order.end()),
                                  true,
                                  "each port keeps the order");
        }
        NS_TEST_EXPECT_MSG_EQ(offered, accounted, "each copy arrives or is dropped");
        NS_TEST_EXPECT_MSG_EQ(driver.freed, inputs.size() + PORTS, "frames that are freed");
    }

    /**
     * Let the switch learn each station.
     * @param driver the driver
     */
    static void Teach(SwitchDriver& driver)
    {
        for (uint32_t port = 0; port < PORTS; ++port)
        {
            driver.FrameAt(0, port, PAUSE_ADDRESS, 0, 64);
        }
        driver.Run();
    }

    /**
     * Add traffic.
     * @param driver the driver
     * @param inputs the traffic
     */
    static void Feed(SwitchDriver& driver, const std::vector<Input>& inputs)
    {
        for (uint32_t i = 0; i < inputs.size(); ++i)
        {
            driver.FrameAt(inputs[i].at, inputs[i].in, inputs[i].to, i, inputs[i].bytes);
        }
    }
};

/** Suite of the switch against a naive model. */
class SwitchOracleTestSuite : public TestSuite
{
  public:
    SwitchOracleTestSuite()
        : TestSuite("broadcast-ethernet-switch-oracle", Type::UNIT)
    {
        AddTestCase(new SwitchRandomTestCase, Duration::QUICK);
    }
};

static SwitchOracleTestSuite g_switchOracleTestSuite; ///< Registers the suite.

} // namespace switchcore
} // namespace tests
} // namespace ethernet
} // namespace ns3
