/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_SCENARIO_RUNS_H
#define MESSAGING_SCENARIO_RUNS_H

#include "ns3/messaging-registry.h"
#include "ns3/messaging-scenario-reliability.h"
#include "ns3/messaging-scenario.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/string.h"
#include "ns3/test.h"

#include <map>
#include <string>

/**
 * @file
 * @ingroup messaging-tests
 * Runs of scenarios in tests.
 */

namespace ns3
{
namespace messaging
{
namespace tests
{

/** Base of cases that run scenarios with parameters in user syntax. */
class ScenarioTestCase : public TestCase
{
  public:
    using TestCase::TestCase;

    /** Parameters by name; those of a part carry its prefix, as in `protocol.Stack`. */
    using Parameters = std::map<std::string, std::string>;

  protected:
    /**
     * Run a scenario.
     * @param name its name
     * @param parameters its parameters
     * @return the scenario after its run
     */
    Ptr<Scenario> Run(const std::string& name, const Parameters& parameters)
    {
        const auto scenario = DynamicCast<Scenario>(CreateByName(Scenario::GetTypeId(), name));
        Set(scenario, parameters);
        RunValid(scenario);
        return scenario;
    }

    /**
     * Set parameters, selectors of parts first.
     * @param scenario the scenario
     * @param parameters the parameters
     */
    void Set(Ptr<Scenario> scenario, const Parameters& parameters)
    {
        RngSeedManager::SetRun(1);
        for (const bool ofParts : {false, true})
        {
            for (const auto& [name, value] : parameters)
            {
                const auto dot = name.find('.');
                if ((dot != std::string::npos) == ofParts)
                {
                    const Ptr<Object> owner =
                        ofParts ? scenario->GetPart(name.substr(0, dot)) : Ptr<Object>(scenario);
                    const std::string attribute = ofParts ? name.substr(dot + 1) : name;
                    NS_TEST_EXPECT_MSG_EQ(
                        owner->SetAttributeFailSafe(attribute, StringValue(value)),
                        true,
                        name << " accepts " << value);
                }
            }
        }
    }

    /** Run a scenario whose parameters have to be valid. @param scenario the scenario */
    void RunValid(Ptr<Scenario> scenario)
    {
        NS_TEST_EXPECT_MSG_EQ(scenario->Check(), "", "the parameters are valid");
        scenario->Run();
    }

    /**
     * Get a result as text.
     * @param scenario the scenario
     * @param name name of the result
     * @return its value
     */
    static std::string Text(Ptr<Scenario> scenario, const std::string& name)
    {
        StringValue value;
        scenario->GetAttribute(name, value);
        return value.Get();
    }

    /**
     * Get a result as a number.
     * @param scenario the scenario
     * @param name name of the result
     * @return its value
     */
    static double Number(Ptr<Scenario> scenario, const std::string& name)
    {
        return std::stod(Text(scenario, name));
    }

    /** @param parameters parameters @return them as text, each after a space. */
    static std::string Print(const Parameters& parameters)
    {
        std::string text;
        for (const auto& [name, value] : parameters)
        {
            text.append(" ").append(name).append("=").append(value);
        }
        return text;
    }
};

/** Base of cases that run the scenario `reliability`. */
class ReliabilityTestCase : public ScenarioTestCase
{
  public:
    using ScenarioTestCase::ScenarioTestCase;

  protected:
    /**
     * Create the scenario and set parameters.
     * @param parameters the parameters
     * @return the scenario
     */
    Ptr<ReliabilityScenario> Make(const Parameters& parameters)
    {
        const auto scenario = CreateObject<ReliabilityScenario>();
        Set(scenario, parameters);
        return scenario;
    }

    /**
     * Run the scenario.
     * @param parameters the parameters
     * @return the scenario after its run
     */
    Ptr<ReliabilityScenario> Run(const Parameters& parameters)
    {
        const auto scenario = Make(parameters);
        RunValid(scenario);
        return scenario;
    }
};

} // namespace tests
} // namespace messaging
} // namespace ns3

#endif // MESSAGING_SCENARIO_RUNS_H
