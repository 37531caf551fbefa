/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROCE_RUNS_H
#define ROCE_RUNS_H

#include "ns3/messaging-registry.h"
#include "ns3/messaging-scenario.h"
#include "ns3/messaging-table.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/string.h"
#include "ns3/test.h"

#include <map>
#include <string>
#include <utility>

/**
 * @file
 * @ingroup roce
 * Runs of scenarios by tests.
 */

namespace ns3
{
namespace roce
{
namespace tests
{

/** Parameters of a scenario by name; those of a part carry its prefix and a point. */
using Parameters = std::map<std::string, std::string>;

/** A test that runs scenarios. */
class ScenarioCase : public TestCase
{
  public:
    using TestCase::TestCase;

  protected:
    /**
     * Run a scenario.
     * @param name its name
     * @param parameters its parameters
     * @return the scenario after its run
     */
    Ptr<messaging::Scenario> Run(const std::string& name, const Parameters& parameters)
    {
        RngSeedManager::SetRun(1);
        const auto scenario = DynamicCast<messaging::Scenario>(
            messaging::CreateByName(messaging::Scenario::GetTypeId(), name));
        // Selectors of parts begin with a capital letter, so they come before parameters of parts.
        for (const auto& [parameter, value] : parameters)
        {
            const auto dot = parameter.find('.');
            Ptr<Object> object = scenario;
            std::string attribute = parameter;
            if (dot != std::string::npos)
            {
                object = scenario->GetPart(parameter.substr(0, dot));
                attribute = parameter.substr(dot + 1);
            }
            const bool isSet = object->SetAttributeFailSafe(attribute, StringValue(value));
            NS_TEST_EXPECT_MSG_EQ(isSet, true, parameter << "=" << value);
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
    static std::string GetResult(Ptr<messaging::Scenario> scenario, const std::string& name)
    {
        StringValue value;
        scenario->GetAttribute(name, value);
        return value.Get();
    }

    /** @param parameters parameters @return them as text. */
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

} // namespace tests
} // namespace roce
} // namespace ns3

#endif // ROCE_RUNS_H
