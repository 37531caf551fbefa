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
#include <map>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup uet
 * All delivery modes over the networks of relnet, with faults and without.
 */

namespace ns3
{
namespace uet
{
namespace tests
{
namespace
{

using messaging::tests::ScenarioTestCase;
using Parameters = ScenarioTestCase::Parameters;

/** The networks; those whose modules are absent from a tree are left out. */
const std::vector<std::string> NETWORKS{"fabric", "csma", "wormhole", "myrinet", "infiniband"};

/** Modes in which each message arrives once. */
const std::vector<std::string> EXACT_MODES{"rud", "rod"};

/** Base of the cases. */
class UetCase : public ScenarioTestCase
{
  public:
    using ScenarioTestCase::ScenarioTestCase;

  protected:
    /**
     * Check that a run has delivered each message once.
     * @param parameters parameters of the run
     * @return the run
     */
    Ptr<messaging::Scenario> ExpectExact(const Parameters& parameters)
    {
        const auto run = Run("reliability", parameters);
        const std::string text = Print(parameters);
        NS_TEST_EXPECT_MSG_EQ(run->GetVerdict(), messaging::Verdict::COMPLETED, text);
        NS_TEST_EXPECT_MSG_EQ(Text(run, "Delivered"), Text(run, "Posted"), text);
        NS_TEST_EXPECT_MSG_EQ(Text(run, "Duplicates"), "0", text);
        NS_TEST_EXPECT_MSG_EQ(Text(run, "Corrupted"), "0", text);
        if (parameters.at("protocol.Mode") == "rod")
        {
            NS_TEST_EXPECT_MSG_EQ(Text(run, "Outcome"), "exact", text);
        }
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

/** Every message arrives once. */
class FaultsCase : public UetCase
{
  public:
    FaultsCase()
        : UetCase("Messages arrive once and intact, in ROD also in order, under each fault")
    {
    }

  private:
    void DoRun() override
    {
        const std::vector<Parameters> faults{
            {{"Loss", "0.01"}},
            {{"Loss", "0.05"}, {"StaleTimers", "true"}, {"protocol.Retries", "10"}},
            {{"Duplication", "0.2"}},
            {{"Loss", "0.01"}, {"protocol.Responses", "64"}},
            {{"Reordering", "0.2"}},
            {{"Loss", "0.02"}, {"Duplication", "0.1"}, {"Reordering", "0.1"}}};
        for (const auto& network : NETWORKS)
        {
            TypeId type;
            if (!messaging::FindByName(messaging::Network::GetTypeId(), network, type))
            {
                continue;
            }
            for (const auto& mode : EXACT_MODES)
            {
                for (Parameters parameters : faults)
                {
                    parameters.merge(Parameters{{"Protocol", "uet"},
                                                {"Network", network},
                                                {"Nodes", "4"},
                                                {"Size", "3000"},
                                                {"Messages", "20"},
                                                {"protocol.Mode", mode}});
                    ExpectExact(parameters);
                }
            }
        }
    }
};

/** PDCs are closed and opened again under faults. */
class LifeCycleCase : public UetCase
{
  public:
    LifeCycleCase()
        : UetCase("U-04, U-06, U-07: PDCs that close at once, with few numbers and contexts")
    {
    }

  private:
    void DoRun() override
    {
        for (const auto& mode : EXACT_MODES)
        {
            const auto run = ExpectExact({{"Protocol", "uet"},
                                          {"Network", "fabric"},
                                          {"Nodes", "4"},
                                          {"Size", "3000"},
                                          {"Messages", "50"},
                                          {"Pattern", "all-to-all"},
                                          {"Loss", "0.01"},
                                          {"Duplication", "0.05"},
                                          {"Reordering", "0.05"},
                                          {"protocol.Mode", mode},
                                          {"protocol.Idle", "1us"},
                                          {"protocol.PdcNumbers", "2"},
                                          {"protocol.Contexts", "1"},
                                          {"protocol.RefusalDelay", "10us"},
                                          {"protocol.Refusals", "20"}});
            NS_TEST_EXPECT_MSG_GT(Count(run, "close"), 100, mode);
            NS_TEST_EXPECT_MSG_GT(Count(run, "exhausted"), 100, mode);
        }
    }
};

/** Guaranteed responses with less room than a window. */
class ResponsesCase : public UetCase
{
  public:
    ResponsesCase()
        : UetCase("U-22: any room for responses suffices, with losses and without")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string responses : {"1", "2", "3"})
        {
            for (const std::string loss : {"0", "0.01"})
            {
                const auto run = ExpectExact({{"Protocol", "uet"},
                                              {"Network", "fabric"},
                                              {"Nodes", "2"},
                                              {"Size", "100000"},
                                              {"Messages", "5"},
                                              {"Loss", loss},
                                              {"protocol.Mode", "rud"},
                                              {"protocol.Responses", responses}});
                if (loss == "0")
                {
                    NS_TEST_EXPECT_MSG_EQ(Text(run, "FramesRepeated"), "0", responses);
                }
            }
        }
    }
};

/** Nothing is repeated without faults. */
class CalmCase : public UetCase
{
  public:
    CalmCase()
        : UetCase("Without faults, nothing is repeated and nothing waits for a timer")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string mode : {"rud", "rod", "rudi"})
        {
            for (const std::string control : {"none", "window", "dcqcn", "swift", "nscc", "rccc"})
            {
                for (const std::string size : {"0", "1", "1024", "100000", "4194304"})
                {
                    const std::string messages = size == "4194304" ? "1" : "10";
                    const Parameters parameters{{"Protocol", "uet"},
                                                {"Network", "csma"},
                                                {"Nodes", "2"},
                                                {"Size", size},
                                                {"Messages", messages},
                                                {"protocol.Mode", mode},
                                                {"protocol.CongestionControl", control}};
                    const auto run = ExpectExact(parameters);
                    NS_TEST_EXPECT_MSG_EQ(Text(run, "FramesRepeated"), "0", Print(parameters));
                    // Swift paces a window below one frame, and the target paces grants.
                    if (control != "swift" && control != "rccc")
                    {
                        NS_TEST_EXPECT_MSG_EQ(Text(run, "TimerWait"), "0", Print(parameters));
                    }
                }
            }
        }
    }
};

/** Idle latency. */
class LatencyCase : public ScenarioTestCase
{
  public:
    LatencyCase()
        : ScenarioTestCase(
              "U-01: a message takes a one-way latency, and a round trip for each further window")
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
            const Parameters parameters{{"Protocol", "uet"},
                                        {"Network", "loopback"},
                                        {"Nodes", "2"},
                                        {"Messages", "1"},
                                        {"Size", std::to_string(packets * MTU)},
                                        {"protocol.Mtu", std::to_string(MTU)},
                                        {"protocol.Mpr", std::to_string(WINDOW)}};
            const auto run = Run("reliability", parameters);
            const uint32_t windows = (packets + WINDOW - 1) / WINDOW;
            NS_TEST_EXPECT_MSG_EQ_TOL(Number(run, "Latency"),
                                      (2 * windows - 1) * ONE_WAY,
                                      0.1,
                                      Print(parameters));
        }
    }
};

/** An incast over switches that trim. */
class TrimmingCase : public UetCase
{
  public:
    TrimmingCase()
        : UetCase("U-13: trimmed packets are sent again, and nothing waits for a timeout")
    {
    }

  private:
    void DoRun() override
    {
        for (const auto& mode : EXACT_MODES)
        {
            const Parameters parameters{{"Protocol", "uet"},
                                        {"Network", "fabric"},
                                        {"Nodes", "8"},
                                        {"Pattern", "hot-spot"},
                                        {"Size", "100000"},
                                        {"Messages", "5"},
                                        {"network.Admission", "trim"},
                                        {"network.Buffer", "60000"},
                                        {"network.TrimThreshold", "20000"},
                                        {"protocol.Mode", mode}};
            const auto run = ExpectExact(parameters);
            NS_TEST_EXPECT_MSG_GT(Count(run, "trimmed"), 0, mode);
            NS_TEST_EXPECT_MSG_EQ(Text(run, "TimerWait"), "0", mode);
        }
    }
};

/** An incast with credit of the receiver, over switches that trim. */
class CreditCase : public UetCase
{
  public:
    CreditCase()
        : UetCase("C-01, C-02: with credit of its receiver, an incast has fewer packets trimmed")
    {
    }

  private:
    void DoRun() override
    {
        // The work of hosts is no part of the first credit.
        for (const std::string host : {"network", "free"})
        {
            Compare(host);
        }
    }

    /** Compare no control with credit. @param host the hosts */
    void Compare(const std::string& host)
    {
        std::map<std::string, uint64_t> trimmed;
        for (const std::string control : {"none", "rccc"})
        {
            const Parameters parameters{{"Protocol", "uet"},
                                        {"Network", "fabric"},
                                        {"Host", host},
                                        {"Nodes", "16"},
                                        {"Pattern", "hot-spot"},
                                        {"Size", "200000"},
                                        {"Messages", "5"},
                                        {"Loss", "0.001"},
                                        {"network.Admission", "trim"},
                                        {"network.TrimThreshold", "60000"},
                                        {"protocol.Mode", "rud"},
                                        {"protocol.CongestionControl", control}};
            const auto run = ExpectExact(parameters);
            trimmed[control] = Count(run, "trimmed");
            NS_TEST_EXPECT_MSG_EQ((Count(run, "granted") > 0), (control == "rccc"), control);
        }
        NS_TEST_EXPECT_MSG_LT(trimmed["rccc"], trimmed["none"], "trimmed packets, host " << host);
    }
};

/** Trimmed frames of a protocol that does not know them. */
class UnknownTrimmingCase : public ScenarioTestCase
{
  public:
    UnknownTrimmingCase()
        : ScenarioTestCase("trimmed frames are lost at hosts whose protocol does not take them")
    {
    }

  private:
    void DoRun() override
    {
        const auto run = Run("reliability",
                             {{"Protocol", "roce"},
                              {"Network", "fabric"},
                              {"Nodes", "8"},
                              {"Pattern", "hot-spot"},
                              {"Size", "100000"},
                              {"Messages", "5"},
                              {"network.Admission", "trim"},
                              {"network.Buffer", "60000"},
                              {"network.TrimThreshold", "20000"}});
        NS_TEST_EXPECT_MSG_EQ(run->GetVerdict(),
                              messaging::Verdict::COMPLETED,
                              Text(run, "VerdictReason"));
        const auto& losses = DynamicCast<messaging::Network>(run->GetPart("network"))->GetLosses();
        NS_TEST_EXPECT_MSG_GT(losses.Get("host: trimmed frame"), 0, "losses at hosts");
    }
};

/** Spraying. */
class SprayingCase : public UetCase
{
  public:
    SprayingCase()
        : UetCase("U-19: RUD over several paths repeats nothing without a loss")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string spraying : {"single", "oblivious", "bitmap", "reps"})
        {
            const Parameters parameters{{"Protocol", "uet"},
                                        {"Network", "fabric"},
                                        {"Nodes", "16"},
                                        {"Pattern", "permutation"},
                                        {"Size", "1000000"},
                                        {"Messages", "2"},
                                        {"network.HostsPerLeaf", "4"},
                                        {"network.Spines", "4"},
                                        {"network.Paths", "64"},
                                        {"network.Buffer", "100000000"},
                                        {"protocol.Mode", "rud"},
                                        {"protocol.Spraying", spraying}};
            const auto run = ExpectExact(parameters);
            NS_TEST_EXPECT_MSG_EQ(Text(run, "FramesRepeated"), "0", spraying);
        }
    }
};

/** The error of a PDC. */
class ErrorCase : public ScenarioTestCase
{
  public:
    ErrorCase()
        : ScenarioTestCase("U-14: a dead link ends a run with error completions")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string mode : {"rud", "rod", "rudi"})
        {
            const auto run = Run("reliability",
                                 {{"Protocol", "uet"},
                                  {"Network", "csma"},
                                  {"Nodes", "2"},
                                  {"Messages", "10"},
                                  {"Loss", "1"},
                                  {"protocol.Mode", mode}});
            NS_TEST_EXPECT_MSG_EQ(run->GetVerdict(),
                                  messaging::Verdict::FAILED,
                                  Text(run, "VerdictReason"));
        }
    }
};

/** Modes that promise less. */
class WeakModesCase : public ScenarioTestCase
{
  public:
    WeakModesCase()
        : ScenarioTestCase("U-17, U-18: RUDI loses nothing, UUD loses what the network loses")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string mode : {"rudi", "uud"})
        {
            const auto run = Run("reliability",
                                 {{"Protocol", "uet"},
                                  {"Network", "fabric"},
                                  {"Nodes", "4"},
                                  {"Size", "20000"},
                                  {"Messages", "50"},
                                  {"Loss", "0.02"},
                                  {"protocol.Mode", mode}});
            NS_TEST_EXPECT_MSG_EQ(run->GetVerdict(),
                                  messaging::Verdict::COMPLETED,
                                  Text(run, "VerdictReason"));
            NS_TEST_EXPECT_MSG_EQ((Text(run, "Lost") == "0"), (mode == "rudi"), mode);
        }
    }
};

/** The suite. */
class UetScenarioTestSuite : public TestSuite
{
  public:
    UetScenarioTestSuite()
        : TestSuite("uet-scenario", Type::UNIT)
    {
        AddTestCase(new FaultsCase, TestCase::Duration::QUICK);
        AddTestCase(new LifeCycleCase, TestCase::Duration::QUICK);
        AddTestCase(new ResponsesCase, TestCase::Duration::QUICK);
        AddTestCase(new CalmCase, TestCase::Duration::QUICK);
        AddTestCase(new LatencyCase, TestCase::Duration::QUICK);
        AddTestCase(new TrimmingCase, TestCase::Duration::QUICK);
        AddTestCase(new CreditCase, TestCase::Duration::QUICK);
        AddTestCase(new UnknownTrimmingCase, TestCase::Duration::QUICK);
        AddTestCase(new SprayingCase, TestCase::Duration::QUICK);
        AddTestCase(new ErrorCase, TestCase::Duration::QUICK);
        AddTestCase(new WeakModesCase, TestCase::Duration::QUICK);
    }
};

UetScenarioTestSuite g_uetScenarioTestSuite; ///< The suite.

} // namespace
} // namespace tests
} // namespace uet
} // namespace ns3
