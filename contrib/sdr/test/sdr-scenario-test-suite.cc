/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/messaging-scenario-runs.h"
#include "ns3/sdr-closed-forms.h"
#include "ns3/test.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup sdr
 * SDR over a network of ns-3, with faults and without, and beside the closed forms of its paper.
 */

namespace ns3
{
namespace sdr
{
namespace tests
{
namespace
{

using messaging::tests::ScenarioTestCase;
using Parameters = ScenarioTestCase::Parameters;

/** Names of the schemes, in the order of Scheme. */
const std::vector<std::string> SCHEMES{"selective-repeat", "xor", "mds"};

/** Every message arrives once. */
class FaultsCase : public ScenarioTestCase
{
  public:
    FaultsCase()
        : ScenarioTestCase("Messages arrive once and intact under each fault")
    {
    }

  private:
    void DoRun() override
    {
        const std::vector<Parameters> faults{
            {{"Loss", "0.01"}},
            {{"Loss", "0.1"}, {"StaleTimers", "true"}},
            {{"Duplication", "0.2"}},
            {{"Reordering", "0.2"}},
            {{"Corruption", "0.02"}},
            {{"Loss", "0.02"}, {"Duplication", "0.1"}, {"Reordering", "0.1"}}};
        for (const auto& scheme : SCHEMES)
        {
            for (const std::string fallback : {"whole", "missing"})
            {
                for (Parameters parameters : faults)
                {
                    parameters.merge(Parameters{{"Protocol", "sdr"},
                                                {"Network", "csma"},
                                                {"Nodes", "3"},
                                                {"Size", "7000"},
                                                {"Messages", "20"},
                                                {"protocol.Scheme", scheme},
                                                {"protocol.Fallback", fallback},
                                                {"protocol.Data", "4"},
                                                {"protocol.Parity", "2"}});
                    const auto run = Run("reliability", parameters);
                    // No order is promised.
                    const std::string outcome = Text(run, "Outcome");
                    const bool isSound = outcome == "exact" || outcome == "reorders";
                    NS_TEST_EXPECT_MSG_EQ(isSound, true, outcome << Print(parameters));
                    NS_TEST_EXPECT_MSG_EQ(Text(run, "Delivered"), "60", Print(parameters));
                }
            }
        }
    }
};

/** Nothing is repeated without faults. */
class CalmCase : public ScenarioTestCase
{
  public:
    CalmCase()
        : ScenarioTestCase("Without faults, nothing is repeated and nothing waits for a timer, "
                           "whatever the size")
    {
    }

  private:
    void DoRun() override
    {
        for (const auto& scheme : SCHEMES)
        {
            for (const std::string size : {"0", "1", "1024", "100000", "4194304"})
            {
                const std::string messages = size == "4194304" ? "1" : "10";
                const Parameters parameters{{"Protocol", "sdr"},
                                            {"Network", "csma"},
                                            {"Nodes", "2"},
                                            {"Size", size},
                                            {"Messages", messages},
                                            {"protocol.Scheme", scheme}};
                const auto run = Run("reliability", parameters);
                NS_TEST_EXPECT_MSG_EQ(Text(run, "Outcome"), "exact", Print(parameters));
                NS_TEST_EXPECT_MSG_EQ(Text(run, "FramesRepeated"), "0", Print(parameters));
                NS_TEST_EXPECT_MSG_EQ(Text(run, "TimerWait"), "0", Print(parameters));
            }
        }
    }
};

/** A cell of the comparison with the closed forms. */
struct Cell
{
    uint32_t chunks; ///< Data chunks of a message.
    double loss;     ///< Probability that a chunk is lost.
};

/** Completion times. */
class CompletionCase : public ScenarioTestCase
{
  public:
    /**
     * Constructor.
     * @param sizes sizes of messages [chunks]
     */
    explicit CompletionCase(std::vector<uint32_t> sizes)
        : ScenarioTestCase("SD-40: mean completion times are those of the closed forms"),
          m_sizes(std::move(sizes))
    {
    }

  private:
    static constexpr double PACKET = 4096;              ///< Payload of a packet [bytes].
    static constexpr double WIRE = 4096 + 36 + 46 + 20; ///< The packet on the link [bytes].
    static constexpr double RATE = 400e3 / 8;           ///< Rate of the link [bytes/us].
    static constexpr double DELAY = 6250;               ///< Delay of each of two links [us].
    static constexpr double SWITCH = 0.5;               ///< Latency of the switch [us].
    static constexpr double ROUND_TRIP = 4 * DELAY + 2 * SWITCH; ///< Round trip [us].
    static constexpr double TIMEOUT = 3 * ROUND_TRIP;            ///< RTO [us].
    static constexpr double SLACK = ROUND_TRIP;                  ///< FTO beyond the injection [us].
    static constexpr double TOLERANCE = 0.05;                    ///< Permitted relative difference.
    static constexpr double ERROR = 0.0125;                      ///< Wanted standard error.
    static constexpr double MOST_MESSAGES = 1000;                ///< Most messages of a cell.
    static constexpr double LEAST_MESSAGES = 5;                  ///< Least messages of a cell.

    void DoRun() override
    {
        for (std::size_t scheme = 0; scheme < SCHEMES.size(); ++scheme)
        {
            for (const uint32_t chunks : m_sizes)
            {
                for (const double loss : {0.0, 1e-5, 1e-3, 1e-2, 5e-2})
                {
                    Compare(static_cast<Scheme>(scheme), {chunks, loss});
                }
            }
        }
    }

    /** Compare a mean with its closed form. @param scheme the scheme @param cell size and loss */
    void Compare(Scheme scheme, const Cell& cell)
    {
        const LinkModel model{.chunkTime = WIRE / RATE,
                              .roundTrip = ROUND_TRIP,
                              .timeout = TIMEOUT,
                              .slack = SLACK,
                              .loss = cell.loss,
                              .scheme = scheme};
        const TimeMoments expected = GetCompletionTime(model, cell.chunks);
        const double wanted = std::pow(expected.deviation / expected.mean / ERROR, 2);
        const auto messages =
            static_cast<uint64_t>(std::clamp(wanted, LEAST_MESSAGES, MOST_MESSAGES));
        const Parameters parameters{
            {"Protocol", "sdr"},
            {"Network", "fabric"},
            {"Nodes", "2"},
            {"Pattern", "stream"},
            {"Messages", std::to_string(messages)},
            {"Size", std::to_string(static_cast<uint64_t>(cell.chunks * PACKET))},
            {"Loss", std::to_string(cell.loss)},
            {"LossFrom", "0"},
            {"TimeLimit", "1000s"},
            {"network.Delay", std::to_string(DELAY) + "us"},
            {"pattern.Closed", "completion"},
            {"pattern.Window", "1"},
            {"protocol.Scheme", SCHEMES[static_cast<std::size_t>(scheme)]},
            {"protocol.Gaps", "false"},
            {"protocol.Rto", std::to_string(TIMEOUT) + "us"},
            {"protocol.FallbackSlack", std::to_string(SLACK) + "us"}};
        const auto run = Run("reliability", parameters);
        NS_TEST_EXPECT_MSG_EQ(Text(run, "Delivered"), std::to_string(messages), Print(parameters));
        // The acknowledgement of the last message is not part of the time.
        const double total = Number(run, "Time") + ROUND_TRIP / 2;
        const double mean = total / static_cast<double>(messages);
        NS_TEST_EXPECT_MSG_EQ_TOL(mean / expected.mean, 1, TOLERANCE, Print(parameters));
    }

    std::vector<uint32_t> m_sizes; ///< Sizes of messages [chunks].
};

/** The suite. */
class SdrScenarioTestSuite : public TestSuite
{
  public:
    SdrScenarioTestSuite()
        : TestSuite("sdr-scenario", Type::UNIT)
    {
        AddTestCase(new FaultsCase, TestCase::Duration::QUICK);
        AddTestCase(new CalmCase, TestCase::Duration::QUICK);
        AddTestCase(new CompletionCase({1, 32, 100}), TestCase::Duration::QUICK);
        AddTestCase(new CompletionCase({256, 2048, 16384}), TestCase::Duration::EXTENSIVE);
    }
};

SdrScenarioTestSuite g_sdrScenarioTestSuite; ///< The suite.

} // namespace
} // namespace tests
} // namespace sdr
} // namespace ns3
