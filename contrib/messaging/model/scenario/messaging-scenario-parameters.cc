/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-scenario-parameters.h"

#include "ns3/messaging-scenario.h"
#include "ns3/string.h"
#include "ns3/type-id.h"

#include <regex>

namespace ns3
{
namespace messaging
{
namespace
{

/**
 * Check whether ns-3 can parse a value; otherwise it would abort.
 * @param value the value as text
 * @param checker the attribute's checker
 * @return whether the value has the form of the attribute's type; its range is left to the checker
 */
bool
IsWellFormed(const std::string& value, const AttributeChecker& checker)
{
    const std::string real = R"([+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?)";
    const std::map<std::string, std::string> forms{
        {"ns3::BooleanValue", "true|false|t|f|1|0"},
        {"ns3::DoubleValue", real},
        {"ns3::IntegerValue", R"([+-]?\d{1,18})"},
        {"ns3::TimeValue", real + "(s|ms|us|ns|ps|fs|min|h|d|y)?"},
        {"ns3::UintegerValue", R"(\d{1,19})"},
    };
    if (checker.GetValueTypeName().starts_with("ns3::EnumValue"))
    {
        const std::string names = '|' + checker.GetUnderlyingTypeInformation() + '|';
        return value.find('|') == std::string::npos &&
               names.find('|' + value + '|') != std::string::npos;
    }
    const auto form = forms.find(checker.GetValueTypeName());
    return form == forms.end() || std::regex_match(value, std::regex(form->second));
}

} // namespace

std::string
SetParameters(Scenario& scenario, const std::map<std::string, std::string>& parameters)
{
    for (const auto& [name, value] : parameters)
    {
        TypeId::AttributeInformation found;
        if (!scenario.GetInstanceTypeId().LookupAttributeByName(name, &found) ||
            (found.flags & TypeId::ATTR_SET) == 0)
        {
            return "There is no parameter " + name + ".";
        }
        if (!IsWellFormed(value, *found.checker) ||
            !scenario.SetAttributeFailSafe(name, StringValue(value)))
        {
            return name + " is \"" + value + "\"; allowed is " +
                   found.checker->GetUnderlyingTypeInformation() + ".";
        }
    }
    return scenario.Check();
}

} // namespace messaging
} // namespace ns3
