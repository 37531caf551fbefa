/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/messaging-registry.h"
#include "ns3/messaging-scenario.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/string.h"
#include "ns3/test.h"

#include <map>
#include <string>
#include <vector>

/**
 * @file
 * The examples of protocols, networks and a scenario, some of which `relnet new` copies.
 */

namespace ns3
{
namespace messaging
{
namespace tests
{
namespace
{

/** Parameters of a scenario by name. */
using Parameters = std::map<std::string, std::string>;

/** The protocols of the examples. */
const std::vector<std::string> PROTOCOLS{"repeat", "example", "selective-repeat"};

/** A test that runs scenarios. */
class ScenarioCase : public TestCase
{
  public:
    using TestCase::TestCase;

  protected:
    /**
     * Run a scenario.
     * @param name its name
     * @param parameters its parameters; those of a part carry the prefix of the part
     * @return the scenario after its run
     */
    Ptr<Scenario> Run(const std::string& name, const Parameters& parameters)
    {
        RngSeedManager::SetRun(1);
        const auto scenario = DynamicCast<Scenario>(CreateByName(Scenario::GetTypeId(), name));
        for (const auto& [parameter, value] : parameters)
        {
            // Selectors of parts are before parameters of parts, which begin with a small letter.
            const auto dot = parameter.find('.');
            const bool isOfPart = dot != std::string::npos;
            const Ptr<Object> object =
                isOfPart ? scenario->GetPart(parameter.substr(0, dot)) : Ptr<Object>(scenario);
            const std::string attribute = isOfPart ? parameter.substr(dot + 1) : parameter;
            NS_TEST_EXPECT_MSG_EQ(object->SetAttributeFailSafe(attribute, StringValue(value)),
                                  true,
                                  parameter);
        }
        NS_TEST_EXPECT_MSG_EQ(scenario->Check(), "", "the parameters make sense");
        scenario->Run();
        return scenario;
    }

    /**
     * Get a result.
     * @param scenario the scenario
     * @param name name of the result
     * @return its value as text
     */
    static std::string GetResult(Ptr<Scenario> scenario, const std::string& name)
    {
        StringValue value;
        scenario->GetAttribute(name, value);
        return value.Get();
    }
};

/** Every message arrives once, whatever the network does to frames. */
class FaultsCase : public ScenarioCase
{
  public:
    FaultsCase()
        : ScenarioCase("examples of protocols deliver each message once under faults")
    {
    }

  private:
    void DoRun() override
    {
        const std::vector<Parameters> faults{{},
                                             {{"Loss", "0.2"}, {"StaleTimers", "true"}},
                                             {{"Duplication", "0.2"}},
                                             {{"Reordering", "0.2"}}};
        for (const auto& protocol : PROTOCOLS)
        {
            for (const std::string network : {"csma", "cloud", "two-paths"})
            {
                for (Parameters parameters : faults)
                {
                    const std::string fault = parameters.empty() ? "" : parameters.begin()->first;
                    parameters.merge(Parameters{{"Protocol", protocol},
                                                {"Network", network},
                                                {"Nodes", "4"},
                                                {"Messages", "50"}});
                    const auto run = Run("reliability", parameters);
                    const std::string title = protocol + " over " + network + " " + fault;
                    const std::string outcome = GetResult(run, "Outcome");
                    const bool ordered =
                        GetResult(run, "Promise").find("ordered") != std::string::npos;
                    NS_TEST_EXPECT_MSG_EQ(
                        (outcome == "exact" || (!ordered && outcome == "reorders")),
                        true,
                        title + ": " + outcome);
                    NS_TEST_EXPECT_MSG_EQ(GetResult(run, "Delivered"), "200", title);
                }
            }
        }
    }
};

/** Protocols of others run over the networks. */
class NetworkCase : public ScenarioCase
{
  public:
    NetworkCase()
        : ScenarioCase("the examples of networks carry the frames of any protocol")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string network : {"cloud", "two-paths"})
        {
            for (const std::string protocol : {"none", "idempotent", "parastation2", "mpi"})
            {
                const Parameters parameters{{"Protocol", protocol},
                                            {"Network", network},
                                            {"Nodes", "4"},
                                            {"Messages", "50"}};
                const auto run = Run("reliability", parameters);
                const std::string title = protocol + " over " + network;
                NS_TEST_EXPECT_MSG_EQ(GetResult(run, "Delivered"), "200", title);
                NS_TEST_EXPECT_MSG_EQ(GetResult(run, "Lost"), "0", title);
            }
        }
    }
};

/** The exhaustive search over all orders of events. */
class SearchCase : public ScenarioCase
{
  public:
    SearchCase()
        : ScenarioCase("the exhaustive search finds the examples of protocols sound")
    {
    }

  private:
    void DoRun() override
    {
        for (const auto& protocol : PROTOCOLS)
        {
            for (const std::string faults : {"loss", "loss,duplicate=1,reorder", "none"})
            {
                const Parameters parameters{{"Protocol", protocol},
                                            {"Messages", "0>1,0>1,1>0"},
                                            {"Faults", faults},
                                            {"Capacity", "2"}};
                const auto search = Run("explore", parameters);
                NS_TEST_EXPECT_MSG_EQ(GetResult(search, "Outcome"),
                                      "sound",
                                      protocol + " with " + faults + ": "
                                          << GetResult(search, "VerdictReason"));
            }
        }
    }
};

/** Numbers of a window protocol repeat. */
class WrapCase : public ScenarioCase
{
  public:
    WrapCase()
        : ScenarioCase("selective repeat is sound while its numbers repeat, and not without order")
    {
    }

  private:
    void DoRun() override
    {
        /** A search. */
        struct Row
        {
            std::string faults;  ///< Faults.
            std::string outcome; ///< Outcome.
        };

        const std::vector<Row> rows{{"loss", "sound"},
                                    {"loss,duplicate=2", "sound"},
                                    {"none", "sound"},
                                    {"loss,duplicate=1,reorder", "violated"}};
        for (const auto& [faults, outcome] : rows)
        {
            const Parameters parameters{{"Protocol", "selective-repeat"},
                                        {"Messages", "6"},
                                        {"Faults", faults},
                                        {"Capacity", "2"},
                                        {"protocol.Modulus", "4"},
                                        {"protocol.Window", "2"}};
            const auto search = Run("explore", parameters);
            NS_TEST_EXPECT_MSG_EQ(GetResult(search, "Outcome"),
                                  outcome,
                                  faults + ": " << GetResult(search, "VerdictReason"));
        }
    }
};

/** The scenario. */
class StopAndWaitCase : public ScenarioCase
{
  public:
    StopAndWaitCase()
        : ScenarioCase("the example of a scenario counts the transmissions of theory")
    {
    }

  private:
    void DoRun() override
    {
        const auto run = Run("stop-and-wait", {{"Loss", "0.3"}, {"Messages", "100000"}});
        NS_TEST_EXPECT_MSG_EQ_TOL(std::stod(GetResult(run, "TransmissionsPerMessage")),
                                  1 / (0.7 * 0.7),
                                  0.05,
                                  "a message and its acknowledgement both have to arrive");
    }
};

/** The suite of the examples. */
class ExamplesTestSuite : public TestSuite
{
  public:
    ExamplesTestSuite()
        : TestSuite("examples", Type::UNIT)
    {
        AddTestCase(new FaultsCase, TestCase::Duration::QUICK);
        AddTestCase(new NetworkCase, TestCase::Duration::QUICK);
        AddTestCase(new SearchCase, TestCase::Duration::QUICK);
        AddTestCase(new WrapCase, TestCase::Duration::QUICK);
        AddTestCase(new StopAndWaitCase, TestCase::Duration::QUICK);
    }
};

ExamplesTestSuite g_examplesTestSuite; ///< The suite.

} // namespace
} // namespace tests
} // namespace messaging
} // namespace ns3
