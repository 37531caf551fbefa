/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/messaging-registry.h"

#include "ns3/messaging-log-component.h"
#include "ns3/object-factory.h"

#include <cctype>
#include <map>

namespace ns3
{
namespace messaging
{

namespace
{

/** @return the summaries by TypeId number. */
std::map<uint16_t, std::string>&
GetSummaries()
{
    static std::map<uint16_t, std::string> summaries;
    return summaries;
}

/** @return the log components by TypeId number. */
std::map<uint16_t, const LogComponent*>&
GetLogs()
{
    static std::map<uint16_t, const LogComponent*> logs;
    return logs;
}

/**
 * Get the name of a class without its namespaces.
 * @param type the class
 * @return the last part of its name
 */
std::string
GetClassName(TypeId type)
{
    const std::string name = type.GetName();
    return name.substr(name.rfind(':') + 1);
}

/**
 * Get the name of the log component of a class.
 * @param type the class
 * @return its name, with the innermost namespace in front unless it begins with it
 */
std::string
GetLogName(TypeId type)
{
    const std::string separator = "::";
    const std::string path = type.GetName();
    const std::string name = GetClassName(type);
    const std::string outer = path.substr(0, path.size() - name.size());
    if (outer.empty() || outer == "ns3::")
    {
        return name;
    }
    const std::size_t end = outer.size() - separator.size();
    const std::size_t before = outer.rfind(separator, end - 1);
    std::string prefix = outer.substr(0, end);
    if (before != std::string::npos)
    {
        prefix = prefix.substr(before + separator.size());
    }
    prefix[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(prefix[0])));
    return name.starts_with(prefix) ? name : prefix + name;
}

} // namespace

TypeId
SetSummary(TypeId type, const std::string& summary)
{
    GetSummaries()[type.GetUid()] = summary;
    GetLogs()[type.GetUid()] = &GetLogComponent(GetLogName(type), __FILE__);
    return type;
}

std::string
GetSummary(TypeId type)
{
    const auto found = GetSummaries().find(type.GetUid());
    return found == GetSummaries().end() ? "" : found->second;
}

const LogComponent&
GetLog(TypeId type, const LogComponent& other)
{
    const auto found = GetLogs().find(type.GetUid());
    return found == GetLogs().end() ? other : *found->second;
}

std::string
GetName(TypeId type, TypeId kind)
{
    std::string name = GetClassName(type);
    const std::string base = GetClassName(kind);
    const std::string suffix = base.substr(base.find_last_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ"));
    if (name.size() > suffix.size() && name.ends_with(suffix))
    {
        name.resize(name.size() - suffix.size());
    }
    std::string words;
    for (std::size_t i = 0; i < name.size(); ++i)
    {
        const auto is = [&name](std::size_t at, int (*test)(int)) {
            return at < name.size() && test(static_cast<unsigned char>(name[at])) != 0;
        };
        const bool lower = i > 0 && (is(i - 1, std::islower) || is(i - 1, std::isdigit));
        const bool acronym = i > 0 && is(i - 1, std::isupper) && is(i + 1, std::islower);
        if (is(i, std::isupper) && (lower || acronym))
        {
            words += '-';
        }
        words += static_cast<char>(std::tolower(static_cast<unsigned char>(name[i])));
    }
    return words;
}

std::vector<TypeId>
ListTypes(TypeId kind)
{
    std::map<std::string, TypeId> found;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId type = TypeId::GetRegistered(i);
        if (type.IsChildOf(kind) && type.HasConstructor())
        {
            found.emplace(GetName(type, kind) + " " + type.GetName(), type);
        }
    }
    std::vector<TypeId> types;
    for (const auto& [name, type] : found)
    {
        types.push_back(type);
    }
    return types;
}

bool
FindByName(TypeId kind, const std::string& name, TypeId& type)
{
    for (const TypeId& candidate : ListTypes(kind))
    {
        if (GetName(candidate, kind) == name)
        {
            type = candidate;
            return true;
        }
    }
    return false;
}

Ptr<Object>
CreateByName(TypeId kind, const std::string& name)
{
    TypeId type;
    return FindByName(kind, name, type) ? ObjectFactory(type.GetName()).Create() : nullptr;
}

} // namespace messaging
} // namespace ns3
