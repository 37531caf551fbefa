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

/** Base of cases on a long link: 400 Gb/s, packets of 4096 bytes, one a chunk. */
class LongLinkCase : public ScenarioTestCase
{
  public:
    using ScenarioTestCase::ScenarioTestCase;

  protected:
    /**
     * Make the model of a link.
     * @param scheme the scheme
     * @param loss probability that a chunk is lost
     * @param delay delay of each of two links, a quarter of the round trip [us]
     * @return the model; times in us
     */
    static LinkModel MakeModel(Scheme scheme, double loss, double delay)
    {
        const double roundTrip = 4 * delay + 2 * SWITCH;
        return {.chunkTime = WIRE / RATE,
                .roundTrip = roundTrip,
                .timeout = 3 * roundTrip,
                .slack = roundTrip,
                .loss = loss,
                .scheme = scheme};
    }

    /**
     * Simulate messages one after the other. Only packets are lost, as in the closed forms.
     * @param model the model of the link
     * @param chunks size of a message [chunks]
     * @param messages number of messages
     * @return the mean time of a message, as its sender sees it [us]
     */
    double Measure(const LinkModel& model, uint32_t chunks, uint64_t messages)
    {
        const double delay = (model.roundTrip - 2 * SWITCH) / 4;
        const Parameters parameters{
            {"Protocol", "sdr"},
            {"Network", "fabric"},
            {"Nodes", "2"},
            {"Host", "free"},
            {"Pattern", "stream"},
            {"Messages", std::to_string(messages)},
            {"Size", std::to_string(static_cast<uint64_t>(chunks * PACKET))},
            {"Loss", std::to_string(model.loss)},
            {"LossFrom", "0"},
            {"TimeLimit", "1000s"},
            {"network.Delay", std::to_string(delay) + "us"},
            {"pattern.Closed", "completion"},
            {"pattern.Window", "1"},
            {"protocol.Scheme", SCHEMES[static_cast<std::size_t>(model.scheme)]},
            {"protocol.Gaps", "false"},
            {"protocol.Rto", std::to_string(model.timeout) + "us"},
            {"protocol.FallbackSlack", std::to_string(model.slack) + "us"}};
        const auto run = Run("reliability", parameters);
        NS_TEST_EXPECT_MSG_EQ(Text(run, "Delivered"), std::to_string(messages), Print(parameters));
        // The acknowledgement of the last message is not part of the time.
        const double total = Number(run, "Time") + model.roundTrip / 2;
        return total / static_cast<double>(messages);
    }

  private:
    static constexpr double PACKET = 4096;              ///< Payload of a packet [bytes].
    static constexpr double WIRE = 4096 + 36 + 46 + 20; ///< The packet on the link [bytes].
    static constexpr double RATE = 400e3 / 8;           ///< Rate of the link [bytes/us].
    static constexpr double SWITCH = 0.5;               ///< Latency of the switch [us].
};

/** Completion times. */
class CompletionCase : public LongLinkCase
{
  public:
    /**
     * Constructor.
     * @param sizes sizes of messages [chunks]
     */
    explicit CompletionCase(std::vector<uint32_t> sizes)
        : LongLinkCase("SD-40: mean completion times are those of the closed forms"),
          m_sizes(std::move(sizes))
    {
    }

  private:
    static constexpr double DELAY = 6250;         ///< Delay of each of two links [us].
    static constexpr double TOLERANCE = 0.05;     ///< Permitted relative difference.
    static constexpr double ERROR = 0.0125;       ///< Wanted standard error.
    static constexpr double MOST_MESSAGES = 1000; ///< Most messages of a cell.
    static constexpr double LEAST_MESSAGES = 5;   ///< Least messages of a cell.

    void DoRun() override
    {
        for (const Scheme scheme : {Scheme::SELECTIVE_REPEAT, Scheme::XOR, Scheme::MDS})
        {
            for (const uint32_t chunks : m_sizes)
            {
                for (const double loss : {0.0, 1e-5, 1e-3, 1e-2, 5e-2})
                {
                    Compare(MakeModel(scheme, loss, DELAY), chunks);
                }
            }
        }
    }

    /** Compare a mean with its closed form. @param model the link @param chunks size of a message
     */
    void Compare(const LinkModel& model, uint32_t chunks)
    {
        const TimeMoments expected = GetCompletionTime(model, chunks);
        const double wanted = std::pow(expected.deviation / expected.mean / ERROR, 2);
        const double messages = std::clamp(wanted, LEAST_MESSAGES, MOST_MESSAGES);
        const double mean = Measure(model, chunks, static_cast<uint64_t>(messages));
        NS_TEST_EXPECT_MSG_EQ_TOL(mean / expected.mean,
                                  1,
                                  TOLERANCE,
                                  SCHEMES[static_cast<std::size_t>(model.scheme)]
                                      << ", " << chunks << " chunks, loss " << model.loss);
    }

    std::vector<uint32_t> m_sizes; ///< Sizes of messages [chunks].
};

/** A link and a message. */
struct CrossoverRow
{
    uint32_t chunks;     ///< Size of the message [chunks].
    double loss;         ///< Probability that a chunk is lost.
    double delay;        ///< Quarter of the round trip [us].
    bool parityIsFaster; ///< MDS is faster than selective repeat.
};

/** Where parity is faster than selective repeat. */
class CrossoverCase : public LongLinkCase
{
  public:
    CrossoverCase()
        : LongLinkCase("SD-41: parity wins from a loss on, and up to a size; selective repeat else")
    {
    }

  private:
    static constexpr uint64_t MESSAGES = 10; ///< Messages of a run.

    void DoRun() override
    {
        const std::vector<CrossoverRow> rows{{2048, 0, 6250, false},
                                             {2048, 1e-3, 6250, true},
                                             {512, 1e-2, 6250, true},
                                             {512, 1e-2, 12.5, true},
                                             {16384, 1e-3, 12.5, false}};
        for (const auto& [chunks, loss, delay, parityIsFaster] : rows)
        {
            const LinkModel repeat = MakeModel(Scheme::SELECTIVE_REPEAT, loss, delay);
            const LinkModel parity = MakeModel(Scheme::MDS, loss, delay);
            NS_TEST_EXPECT_MSG_EQ(
                (GetCompletionTime(parity, chunks).mean < GetCompletionTime(repeat, chunks).mean),
                parityIsFaster,
                "closed forms: " << chunks << " chunks, loss " << loss);
            NS_TEST_EXPECT_MSG_EQ(
                (Measure(parity, chunks, MESSAGES) < Measure(repeat, chunks, MESSAGES)),
                parityIsFaster,
                chunks << " chunks, loss " << loss);
        }
    }
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
        AddTestCase(new CrossoverCase, TestCase::Duration::QUICK);
        AddTestCase(new CompletionCase({256, 2048}), TestCase::Duration::EXTENSIVE);
    }
};

SdrScenarioTestSuite g_sdrScenarioTestSuite; ///< The suite.

} // namespace
} // namespace tests
} // namespace sdr
} // namespace ns3
