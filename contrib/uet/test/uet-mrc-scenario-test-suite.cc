/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/messaging-network.h"
#include "ns3/messaging-protocol.h"
#include "ns3/messaging-registry.h"
#include "ns3/messaging-scenario-runs.h"
#include "ns3/ptr.h"
#include "ns3/test.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup uet
 * MRC over the networks of relnet, with faults and without.
 */

namespace ns3
{
namespace uet
{
namespace mrc
{
namespace tests
{
namespace
{

using messaging::tests::ScenarioTestCase;
using Parameters = ScenarioTestCase::Parameters;

/** The networks; those whose modules are absent from a tree are left out. */
const std::vector<std::string> NETWORKS{"fabric", "csma", "wormhole", "myrinet", "infiniband"};

/** A fabric of leaves with four hosts, four planes and 16 paths in each. */
const Parameters PLANES{{"network.HostsPerLeaf", "4"},
                        {"network.Spines", "4"},
                        {"network.Planes", "4"},
                        {"network.Paths", "64"}};

/** Base of the cases. */
class MrcCase : public ScenarioTestCase
{
  public:
    using ScenarioTestCase::ScenarioTestCase;

  protected:
    /**
     * Check that a run has delivered each message once and in order.
     * @param parameters parameters of the run, without the protocol
     * @return the run
     */
    Ptr<messaging::Scenario> ExpectExact(Parameters parameters)
    {
        parameters["Protocol"] = "mrc";
        const auto run = Run("reliability", parameters);
        const std::string text = Print(parameters);
        NS_TEST_EXPECT_MSG_EQ(run->GetVerdict(), messaging::Verdict::COMPLETED, text);
        NS_TEST_EXPECT_MSG_EQ(Text(run, "Outcome"), "exact", text);
        NS_TEST_EXPECT_MSG_EQ(Text(run, "Delivered"), Text(run, "Posted"), text);
        return run;
    }

    /**
     * Get the count of an event.
     * @param run a run
     * @param name the event
     * @return its count
     */
    static uint64_t Count(Ptr<messaging::Scenario> run, const std::string& name)
    {
        for (const auto& [event, count] :
             DynamicCast<messaging::Protocol>(run->GetPart("protocol"))->GetCounts())
        {
            if (event == name)
            {
                return count;
            }
        }
        return 0;
    }
};

/** Every message arrives once and in order. */
class FaultsCase : public MrcCase
{
  public:
    FaultsCase()
        : MrcCase("M-09: messages complete once, intact and in order, under each fault")
    {
    }

  private:
    void DoRun() override
    {
        const std::vector<Parameters> faults{
            {{"Loss", "0.01"}},
            {{"Loss", "0.05"}, {"StaleTimers", "true"}, {"protocol.Retries", "10"}},
            {{"Duplication", "0.2"}},
            {{"Reordering", "0.2"}},
            {{"Loss", "0.01"}, {"protocol.MaxWimmInFlight", "2"}},
            {{"Loss", "0.02"}, {"Duplication", "0.1"}, {"Reordering", "0.1"}}};
        for (const auto& network : NETWORKS)
        {
            TypeId type;
            if (!messaging::FindByName(messaging::Network::GetTypeId(), network, type))
            {
                continue;
            }
            for (Parameters parameters : faults)
            {
                parameters.merge(Parameters{{"Network", network},
                                            {"Nodes", "4"},
                                            {"Size", "3000"},
                                            {"Messages", "20"}});
                ExpectExact(parameters);
            }
        }
    }
};

/** Nothing is repeated without faults. */
class CalmCase : public MrcCase
{
  public:
    CalmCase()
        : MrcCase("Without faults, nothing is repeated and nothing waits for a timer")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string control : {"none", "window", "dcqcn", "nscc"})
        {
            for (const std::string size : {"0", "1", "1024", "100000", "4194304"})
            {
                const std::string messages = size == "4194304" ? "1" : "10";
                const Parameters parameters{{"Network", "csma"},
                                            {"Nodes", "2"},
                                            {"Size", size},
                                            {"Messages", messages},
                                            {"protocol.CongestionControl", control}};
                const auto run = ExpectExact(parameters);
                NS_TEST_EXPECT_MSG_EQ(Text(run, "FramesRepeated"), "0", Print(parameters));
                NS_TEST_EXPECT_MSG_EQ(Text(run, "TimerWait"), "0", Print(parameters));
            }
        }
    }
};

/** An incast over switches that trim. */
class TrimmingCase : public MrcCase
{
  public:
    TrimmingCase()
        : MrcCase("M-07: trimmed packets are sent again, and nothing waits for a timeout")
    {
    }

  private:
    void DoRun() override
    {
        const auto run = ExpectExact({{"Network", "fabric"},
                                      {"Nodes", "8"},
                                      {"Pattern", "hot-spot"},
                                      {"Size", "100000"},
                                      {"Messages", "5"},
                                      {"network.Admission", "trim"},
                                      {"network.Buffer", "60000"},
                                      {"network.TrimThreshold", "20000"}});
        NS_TEST_EXPECT_MSG_GT(Count(run, "trimmed"), 0, "trimmed packets");
        NS_TEST_EXPECT_MSG_EQ(Text(run, "TimerWait"), "0", "timers");
    }
};

/** Paths in four planes. */
class PlanesCase : public MrcCase
{
  public:
    PlanesCase()
        : MrcCase("M-10, M-13: over planes of which some are slower, nothing is repeated without a "
                  "loss")
    {
    }

  private:
    void DoRun() override
    {
        Parameters parameters{
            {"Network", "fabric"},
            {"Nodes", "16"},
            {"Pattern", "permutation"},
            {"Size", "1000000"},
            {"Messages", "2"},
            {"network.HostRate", "100Gbps"},
            {"network.Buffer", "100000000"},
            {"network.Faults", "1us host0@1 rate 20Gbps; 1us host5@2 rate 50Gbps"},
            {"protocol.Rto", "10ms"}};
        parameters.merge(Parameters(PLANES));
        const auto run = ExpectExact(parameters);
        NS_TEST_EXPECT_MSG_EQ(Text(run, "FramesRepeated"), "0", "repeats");
        NS_TEST_EXPECT_MSG_GT(Count(run, "early"), 0, "packets overtake each other");
    }
};

/** A window in which each path has several packets. */
class WindowCase : public MrcCase
{
  public:
    WindowCase()
        : MrcCase("M-13: with several packets of a window on each path, losses are found without "
                  "timers")
    {
    }

  private:
    void DoRun() override
    {
        const auto run = ExpectExact({{"Network", "fabric"},
                                      {"Nodes", "2"},
                                      {"Pattern", "stream"},
                                      {"Size", "10000000"},
                                      {"Messages", "1"},
                                      {"Loss", "0.01"},
                                      {"network.Paths", "128"},
                                      {"protocol.Mpr", "1024"}});
        NS_TEST_EXPECT_MSG_GT(Count(run, "loss"), 3 * Count(run, "timeout"), "losses, timeouts");
    }
};

/** A plane that fails and is repaired. */
class FailureCase : public MrcCase
{
  public:
    FailureCase()
        : MrcCase("M-12, M-15: a link of one plane fails: its paths are left, and probed until it "
                  "is repaired")
    {
    }

  private:
    void DoRun() override
    {
        Parameters parameters{{"Network", "fabric"},
                              {"Nodes", "8"},
                              {"Pattern", "stream"},
                              {"Size", "1000000"},
                              {"Messages", "20"},
                              {"network.HostRate", "25Gbps"},
                              {"network.Convergence", "1s"},
                              {"protocol.Rto", "100us"},
                              {"protocol.ProbeInterval", "50us"},
                              {"network.Faults", "50us host0@1 down; 1ms host0@1 up"}};
        parameters.merge(Parameters(PLANES));
        const auto run = ExpectExact(parameters);
        NS_TEST_EXPECT_MSG_GT(Count(run, "timeout"), 0, "timeouts");
        NS_TEST_EXPECT_MSG_GT(Count(run, "probe"), 0, "probes");
    }
};

/** Idle latency. */
class LatencyCase : public MrcCase
{
  public:
    LatencyCase()
        : MrcCase("M-02: a message takes a one-way latency, and a round trip for each further "
                  "window")
    {
    }

  private:
    void DoRun() override
    {
        constexpr double ONE_WAY = 30; // [us]
        constexpr uint32_t MTU = 1024;
        constexpr uint32_t WINDOW = 8;
        for (const uint32_t packets : {1, 8, 9, 16, 17, 100})
        {
            const Parameters parameters{{"Network", "loopback"},
                                        {"Nodes", "2"},
                                        {"Messages", "1"},
                                        {"Size", std::to_string(packets * MTU)},
                                        {"protocol.Mtu", std::to_string(MTU)},
                                        {"protocol.Mpr", std::to_string(WINDOW)}};
            const auto run = ExpectExact(parameters);
            const uint32_t windows = (packets + WINDOW - 1) / WINDOW;
            NS_TEST_EXPECT_MSG_EQ_TOL(Number(run, "Latency"),
                                      (2 * windows - 1) * ONE_WAY,
                                      0.1,
                                      Print(parameters));
        }
    }
};

/** The error of a queue pair. */
class ErrorCase : public MrcCase
{
  public:
    ErrorCase()
        : MrcCase("M-14: a dead link ends a run with error completions")
    {
    }

  private:
    void DoRun() override
    {
        const auto run = Run("reliability",
                             {{"Protocol", "mrc"},
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
class MrcScenarioTestSuite : public TestSuite
{
  public:
    MrcScenarioTestSuite()
        : TestSuite("uet-mrc-scenario", Type::UNIT)
    {
        AddTestCase(new FaultsCase, TestCase::Duration::QUICK);
        AddTestCase(new CalmCase, TestCase::Duration::QUICK);
        AddTestCase(new TrimmingCase, TestCase::Duration::QUICK);
        AddTestCase(new PlanesCase, TestCase::Duration::QUICK);
        AddTestCase(new WindowCase, TestCase::Duration::QUICK);
        AddTestCase(new FailureCase, TestCase::Duration::QUICK);
        AddTestCase(new LatencyCase, TestCase::Duration::QUICK);
        AddTestCase(new ErrorCase, TestCase::Duration::QUICK);
    }
};

MrcScenarioTestSuite g_mrcScenarioTestSuite; ///< The suite.

} // namespace
} // namespace tests
} // namespace mrc
} // namespace uet
} // namespace ns3
