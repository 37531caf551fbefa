/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_SCENARIO_RUNS_H
#define MESSAGING_SCENARIO_RUNS_H

#include "ns3/messaging-scenario-reliability.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/string.h"
#include "ns3/test.h"

#include <map>
#include <string>

/**
 * @file
 * @ingroup messaging-tests
 * Runs of the scenario `reliability` in tests.
 */

namespace ns3
{
namespace messaging
{
namespace tests
{

/** Base of cases that run the scenario `reliability` with parameters in user syntax. */
class ReliabilityTestCase : public TestCase
{
  public:
    using TestCase::TestCase;

  protected:
    /** Parameters by name; those of a part carry its prefix, as in `protocol.Stack`. */
    using Parameters = std::map<std::string, std::string>;

    /**
     * Create the scenario and set parameters, selectors of parts first.
     * @param parameters the parameters
     * @return the scenario
     */
    Ptr<ReliabilityScenario> Make(const Parameters& parameters)
    {
        RngSeedManager::SetRun(1);
        auto scenario = CreateObject<ReliabilityScenario>();
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
        return scenario;
    }

    /**
     * Run the scenario.
     * @param parameters the parameters
     * @return the scenario after its run
     */
    Ptr<ReliabilityScenario> Run(const Parameters& parameters)
    {
        auto scenario = Make(parameters);
        NS_TEST_EXPECT_MSG_EQ(scenario->Check(), "", "parameters agree");
        scenario->Run();
        return scenario;
    }

    /**
     * Get a result as text.
     * @param scenario the scenario
     * @param name name of the result
     * @return its value
     */
    static std::string Text(Ptr<ReliabilityScenario> scenario, const std::string& name)
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
    static double Number(Ptr<ReliabilityScenario> scenario, const std::string& name)
    {
        return std::stod(Text(scenario, name));
    }
};

} // namespace tests
} // namespace messaging
} // namespace ns3

#endif // MESSAGING_SCENARIO_RUNS_H
