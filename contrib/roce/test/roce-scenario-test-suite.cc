/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/messaging-scenario-runs.h"
#include "ns3/test.h"

#include <cstdint>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup roce
 * Both protocols over a network of ns-3, with faults and without.
 */

namespace ns3
{
namespace roce
{
namespace tests
{
namespace
{

using messaging::tests::ScenarioTestCase;
using Parameters = ScenarioTestCase::Parameters;

/** The protocols. */
const std::vector<std::string> PROTOCOLS{"roce", "irn"};

/** Every message arrives once and in order. */
class FaultsCase : public ScenarioTestCase
{
  public:
    FaultsCase()
        : ScenarioTestCase("Messages arrive once, in order and intact under each fault")
    {
    }

  private:
    void DoRun() override
    {
        const std::vector<Parameters> faults{
            {{"Loss", "0.01"}},
            {{"Loss", "0.05"}, {"StaleTimers", "true"}},
            {{"Duplication", "0.2"}},
            {{"Reordering", "0.2"}},
            {{"Loss", "0.02"}, {"Duplication", "0.1"}, {"Reordering", "0.1"}}};
        for (const auto& protocol : PROTOCOLS)
        {
            for (Parameters parameters : faults)
            {
                parameters.merge(Parameters{{"Protocol", protocol},
                                            {"Network", "csma"},
                                            {"Nodes", "4"},
                                            {"Size", "3000"},
                                            {"Messages", "50"}});
                const auto run = Run("reliability", parameters);
                NS_TEST_EXPECT_MSG_EQ(Text(run, "Outcome"), "exact", Print(parameters));
                NS_TEST_EXPECT_MSG_EQ(Text(run, "Delivered"), "200", Print(parameters));
            }
        }
    }
};

/** Nothing is repeated without faults. */
class CalmCase : public ScenarioTestCase
{
  public:
    CalmCase()
        : ScenarioTestCase("Without faults, nothing is repeated and nothing waits for a timer")
    {
    }

  private:
    void DoRun() override
    {
        for (const auto& protocol : PROTOCOLS)
        {
            for (const std::string control : {"none", "window", "dcqcn", "swift"})
            {
                for (const std::string size : {"0", "1", "1024", "100000", "4194304"})
                {
                    const std::string messages = size == "4194304" ? "1" : "10";
                    const Parameters parameters{{"Protocol", protocol},
                                                {"Network", "csma"},
                                                {"Nodes", "2"},
                                                {"Size", size},
                                                {"Messages", messages},
                                                {"protocol.CongestionControl", control}};
                    const auto run = Run("reliability", parameters);
                    NS_TEST_EXPECT_MSG_EQ(Text(run, "Outcome"), "exact", Print(parameters));
                    NS_TEST_EXPECT_MSG_EQ(Text(run, "FramesRepeated"), "0", Print(parameters));
                    // Swift paces a window below one frame, and waits for that timer.
                    if (control != "swift")
                    {
                        NS_TEST_EXPECT_MSG_EQ(Text(run, "TimerWait"), "0", Print(parameters));
                    }
                }
            }
        }
    }
};

/** IRN without one of its two parts. */
class AblationCase : public ScenarioTestCase
{
  public:
    AblationCase()
        : ScenarioTestCase("IRN without BDP-FC and with go-back-N is exact, too, at a cost")
    {
    }

  private:
    void DoRun() override
    {
        // Without the cap, all packets of a message are in flight at once.
        Parameters calm{{"Protocol", "irn"},
                        {"Network", "loopback"},
                        {"Nodes", "2"},
                        {"Messages", "1"},
                        {"Size", "102400"},
                        {"protocol.Mtu", "1024"},
                        {"protocol.Window", "8"}};
        NS_TEST_EXPECT_MSG_EQ_TOL(Number(Run("reliability", calm), "Latency"), 750, 1, "capped");
        calm["protocol.BdpFlowControl"] = "false";
        NS_TEST_EXPECT_MSG_EQ_TOL(Number(Run("reliability", calm), "Latency"), 30, 1, "not capped");

        const Parameters lossy{{"Protocol", "irn"},
                               {"Network", "loopback"},
                               {"Nodes", "4"},
                               {"Size", "200000"},
                               {"Messages", "20"},
                               {"Loss", "0.01"},
                               {"Duplication", "0.01"},
                               {"protocol.Mtu", "1024"},
                               {"protocol.Window", "64"}};
        const auto repeat = [&](const std::string& control, const std::string& recovery) {
            Parameters parameters = lossy;
            parameters["protocol.BdpFlowControl"] = control;
            parameters["protocol.Recovery"] = recovery;
            const auto run = Run("reliability", parameters);
            NS_TEST_EXPECT_MSG_EQ(Text(run, "Outcome"), "exact", Print(parameters));
            NS_TEST_EXPECT_MSG_EQ(Text(run, "Delivered"), "80", Print(parameters));
            return Number(run, "FramesRepeated");
        };
        const double selective = repeat("true", "selective");
        const double goBackN = repeat("true", "go-back-n");
        NS_TEST_EXPECT_MSG_GT(selective, 0, "losses are repaired");
        NS_TEST_EXPECT_MSG_GT(goBackN, 5 * selective, "all from a loss on is repeated");
        NS_TEST_EXPECT_MSG_GT(repeat("false", "go-back-n"), goBackN, "more is in flight");
        NS_TEST_EXPECT_MSG_GT(repeat("false", "selective"), 0, "losses are repaired");

        // Messages of a packet, fewer than a window: the cap has no effect, and timeouts are equal.
        Parameters few = lossy;
        few["Size"] = "100";
        few["Loss"] = "0.3";
        const double with = Number(Run("reliability", few), "Time");
        few["protocol.BdpFlowControl"] = "false";
        NS_TEST_EXPECT_MSG_EQ(Number(Run("reliability", few), "Time"), with, "the same timeouts");
    }
};

/** Idle latency. */
class LatencyCase : public ScenarioTestCase
{
  public:
    LatencyCase()
        : ScenarioTestCase(
              "A message takes a one-way latency, and a round trip for each further window")
    {
    }

  private:
    void DoRun() override
    {
        constexpr double ONE_WAY = 30; // [us]
        constexpr uint32_t MTU = 1024;
        constexpr uint32_t WINDOW = 8;
        for (const auto& protocol : PROTOCOLS)
        {
            for (const uint32_t packets : {1, 8, 9, 16, 17, 100})
            {
                const Parameters parameters{{"Protocol", protocol},
                                            {"Network", "loopback"},
                                            {"Nodes", "2"},
                                            {"Messages", "1"},
                                            {"Size", std::to_string(packets * MTU)},
                                            {"protocol.Mtu", std::to_string(MTU)},
                                            {"protocol.Window", std::to_string(WINDOW)}};
                const auto run = Run("reliability", parameters);
                const uint32_t windows = (packets + WINDOW - 1) / WINDOW;
                NS_TEST_EXPECT_MSG_EQ_TOL(Number(run, "Latency"),
                                          (2 * windows - 1) * ONE_WAY,
                                          0.1,
                                          Print(parameters));
            }
        }
    }
};

/** The error of a queue pair. */
class ErrorCase : public ScenarioTestCase
{
  public:
    ErrorCase()
        : ScenarioTestCase("R-06: a dead link ends a run of RoCE with an error completion")
    {
    }

  private:
    void DoRun() override
    {
        const auto run = Run("reliability",
                             {{"Protocol", "roce"},
                              {"Network", "csma"},
                              {"Nodes", "2"},
                              {"Messages", "10"},
                              {"Loss", "1"}});
        NS_TEST_EXPECT_MSG_EQ(run->GetVerdict(),
                              messaging::Verdict::FAILED,
                              Text(run, "VerdictReason"));
    }
};

/** The suite. */
class RoceScenarioTestSuite : public TestSuite
{
  public:
    RoceScenarioTestSuite()
        : TestSuite("roce-scenario", Type::UNIT)
    {
        AddTestCase(new FaultsCase, TestCase::Duration::QUICK);
        AddTestCase(new CalmCase, TestCase::Duration::QUICK);
        AddTestCase(new AblationCase, TestCase::Duration::QUICK);
        AddTestCase(new LatencyCase, TestCase::Duration::QUICK);
        AddTestCase(new ErrorCase, TestCase::Duration::QUICK);
    }
};

RoceScenarioTestSuite g_roceScenarioTestSuite; ///< The suite.

} // namespace
} // namespace tests
} // namespace roce
} // namespace ns3
