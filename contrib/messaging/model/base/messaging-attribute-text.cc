/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-attribute-text.h"

#include "ns3/string.h"
#include "ns3/type-id.h"

#include <map>
#include <regex>
#include <sstream>

namespace ns3
{
namespace messaging
{

namespace
{

/**
 * Check whether a text sets an attribute.
 * @param type the class
 * @param text name, equals sign and value
 * @return true if the class has the attribute, and its checker allows the value
 */
bool
IsAssignment(TypeId type, const std::string& text)
{
    const auto equals = text.find('=');
    TypeId::AttributeInformation attribute;
    if (equals == std::string::npos ||
        !type.LookupAttributeByName(text.substr(0, equals), &attribute) ||
        (attribute.flags & TypeId::ATTR_CONSTRUCT) == 0)
    {
        return false;
    }
    const std::string value = text.substr(equals + 1);
    return IsWellFormed(value, *attribute.checker) &&
           attribute.checker->CreateValidValue(StringValue(value));
}

/**
 * Check whether ns-3 can create an object from a text.
 * @param text the text
 * @param base base class of the object
 * @return true if it can
 */
bool
IsObject(const std::string& text, TypeId base)
{
    const auto bracket = text.find('[');
    TypeId type;
    if (text.find_first_of(" \t\n") != std::string::npos ||
        !TypeId::LookupByNameFailSafe(text.substr(0, bracket), &type) || !type.HasConstructor() ||
        !(type == base || type.IsChildOf(base)))
    {
        return false;
    }
    if (bracket == std::string::npos)
    {
        return true;
    }
    const std::string inside = text.substr(bracket + 1);
    if (inside.empty() || inside.find_first_of("[]") != inside.size() - 1 || inside.back() != ']')
    {
        return false;
    }
    std::istringstream list(inside.substr(0, inside.size() - 1));
    for (std::string item; std::getline(list, item, '|');)
    {
        if (!IsAssignment(type, item))
        {
            return false;
        }
    }
    return true;
}

} // namespace

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
    if (const auto pointer = dynamic_cast<const PointerChecker*>(&checker))
    {
        const bool optional = DynamicCast<ObjectValue>(checker.Create()) != nullptr;
        return value.empty() ? optional : IsObject(value, pointer->GetPointeeTypeId());
    }
    const auto form = forms.find(checker.GetValueTypeName());
    return form == forms.end() || std::regex_match(value, std::regex(form->second));
}

Ptr<AttributeValue>
ObjectValue::Copy() const
{
    return Create<ObjectValue>(*this);
}

std::string
ObjectValue::SerializeToString(Ptr<const AttributeChecker>) const
{
    return GetObject() ? GetObject()->GetInstanceTypeId().GetName() : "";
}

bool
ObjectValue::DeserializeFromString(std::string value, Ptr<const AttributeChecker> checker)
{
    SetObject(nullptr);
    return IsWellFormed(value, *checker) &&
           (value.empty() || PointerValue::DeserializeFromString(value, checker));
}

} // namespace messaging
} // namespace ns3
