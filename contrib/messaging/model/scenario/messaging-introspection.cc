/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-introspection.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/integer.h"
#include "ns3/messaging-registry.h"
#include "ns3/messaging-scenario.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/pointer.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/rng-stream.h"
#include "ns3/string.h"
#include "ns3/type-id.h"
#include "ns3/uinteger.h"

#include <charconv>
#include <cmath>
#include <exception>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

/** A scenario, and the texts that a caller has been given. */
struct MessagingRun
{
    ns3::Ptr<ns3::messaging::Scenario> scenario; ///< The scenario.
    std::vector<ns3::Ptr<const ns3::messaging::Table>>
        tables;       ///< Its tables, as the results list them.
    std::string text; ///< The last text given out.
};

namespace ns3
{
namespace messaging
{
namespace
{

/** Role of an attribute of a scenario. */
enum class Role : uint8_t
{
    PARAMETER, ///< Can be set.
    RESULT,    ///< Can only be got.
    TABLE      ///< Can only be got, and points to a Table.
};

/** An attribute of a scenario. */
using Attribute = TypeId::AttributeInformation;

/**
 * Append a JSON string.
 * @param out where to
 * @param text its text
 */
void
AppendString(std::string& out, std::string_view text)
{
    constexpr std::string_view DIGITS{"0123456789abcdef"};
    out += '"';
    for (const char c : text)
    {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\')
        {
            out += '\\';
            out += c;
        }
        else if (byte < 0x20)
        {
            out += "\\u00";
            out += DIGITS[byte >> 4];
            out += DIGITS[byte & 0xf];
        }
        else
        {
            out += c;
        }
    }
    out += '"';
}

/**
 * Append a member of a JSON object.
 * @param out where to
 * @param name its name
 * @param text its value, a string
 */
void
AppendMember(std::string& out, std::string_view name, std::string_view text)
{
    AppendString(out, name);
    out += ": ";
    AppendString(out, text);
}

/**
 * Append a number such that it is read back exactly.
 * @tparam T its type
 * @param out where to
 * @param number its value
 */
template <class T>
void
AppendNumber(std::string& out, T number)
{
    if constexpr (std::is_floating_point_v<T>)
    {
        if (!std::isfinite(number))
        {
            out += std::isnan(number) ? "NaN" : number > 0 ? "Infinity" : "-Infinity";
            return;
        }
    }
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof(digits), number).ptr;
    const std::string_view text(digits, end - digits);
    out += text;
    if (std::is_floating_point_v<T> && text.find_first_of(".e") == std::string_view::npos)
    {
        out += ".0";
    }
}

/**
 * Append the value of an attribute: a number, a truth value or a string. A Time counts in seconds.
 * @param out where to
 * @param value the value
 * @param checker its checker
 */
void
AppendValue(std::string& out, AttributeValue& value, Ptr<const AttributeChecker> checker)
{
    if (const auto real = dynamic_cast<const DoubleValue*>(&value))
    {
        AppendNumber(out, real->Get());
    }
    else if (const auto natural = dynamic_cast<const UintegerValue*>(&value))
    {
        AppendNumber(out, natural->Get());
    }
    else if (const auto integer = dynamic_cast<const IntegerValue*>(&value))
    {
        AppendNumber(out, integer->Get());
    }
    else if (const auto truth = dynamic_cast<const BooleanValue*>(&value))
    {
        out += truth->Get() ? "true" : "false";
    }
    else if (const auto time = dynamic_cast<const TimeValue*>(&value))
    {
        // Whole steps over whole steps: Time::GetSeconds is off in the last digits.
        AppendNumber(out,
                     static_cast<double>(time->Get().GetTimeStep()) /
                         static_cast<double>(Seconds(1).GetTimeStep()));
    }
    else
    {
        AppendString(out, value.SerializeToString(checker));
    }
}

/**
 * Get the role of an attribute of a scenario.
 * @param attribute the attribute
 * @return its role
 */
Role
GetRole(const Attribute& attribute)
{
    if ((attribute.flags & (TypeId::ATTR_SET | TypeId::ATTR_CONSTRUCT)) != 0 &&
        attribute.accessor->HasSetter())
    {
        return Role::PARAMETER;
    }
    const auto pointer = dynamic_cast<const PointerChecker*>(PeekPointer(attribute.checker));
    return pointer && pointer->GetPointeeTypeId() == Table::GetTypeId() ? Role::TABLE
                                                                        : Role::RESULT;
}

/**
 * List the attributes of a scenario, those of its bases first.
 * @param tid its TypeId
 * @return the attributes
 */
std::vector<Attribute>
GetAttributes(TypeId tid)
{
    std::vector<TypeId> line;
    for (; tid != Object::GetTypeId(); tid = tid.GetParent())
    {
        line.push_back(tid);
    }
    std::vector<Attribute> found;
    for (auto type = line.rbegin(); type != line.rend(); ++type)
    {
        for (std::size_t i = 0; i < type->GetAttributeN(); ++i)
        {
            found.push_back(type->GetAttribute(i));
        }
    }
    return found;
}

/**
 * Append the catalog's entry on an attribute.
 * @param out where to
 * @param attribute the attribute
 */
void
AppendAttribute(std::string& out, const Attribute& attribute)
{
    const auto role = GetRole(attribute);
    out += '{';
    AppendMember(out, "name", attribute.name);
    out += ", ";
    AppendMember(out, "help", attribute.help);
    out += ", ";
    AppendMember(out,
                 "role",
                 role == Role::PARAMETER ? "parameter"
                 : role == Role::RESULT  ? "result"
                                         : "table");
    out += ", ";
    AppendMember(out, "value", attribute.checker->GetValueTypeName());
    out += ", ";
    AppendMember(out,
                 "checker",
                 attribute.checker->HasUnderlyingTypeInformation()
                     ? attribute.checker->GetUnderlyingTypeInformation()
                     : "");
    if (role == Role::PARAMETER)
    {
        out += ", \"default\": ";
        const auto value = attribute.initialValue->Copy();
        if (dynamic_cast<const TimeValue*>(PeekPointer(value)))
        {
            AppendString(out, value->SerializeToString(attribute.checker));
        }
        else
        {
            AppendValue(out, *value, attribute.checker);
        }
    }
    out += '}';
}

/**
 * Append the catalog's members on a class: its type, its summary and its attributes.
 * @param out where to
 * @param tid the class
 */
void
AppendClass(std::string& out, TypeId tid)
{
    AppendMember(out, "type", tid.GetName());
    out += ", ";
    AppendMember(out, "group", tid.GetGroupName());
    out += ", ";
    AppendMember(out, "summary", GetSummary(tid));
    out += ", \"attributes\": [";
    bool first = true;
    for (const auto& attribute : GetAttributes(tid))
    {
        out += first ? "" : ", ";
        first = false;
        AppendAttribute(out, attribute);
    }
    out += ']';
}

/**
 * Append a table's entry in the results.
 * @param out where to
 * @param name the table's name
 * @param table the table
 */
void
AppendTable(std::string& out, const std::string& name, const Table& table)
{
    out += '{';
    AppendMember(out, "name", name);
    out += ", \"rows\": ";
    AppendNumber(out, table.GetNRows());
    out += ", \"columns\": [";
    bool first = true;
    for (const auto& column : table.GetColumns())
    {
        out += first ? "{" : ", {";
        first = false;
        AppendMember(out, "name", column.name);
        out += ", ";
        AppendMember(out, "unit", column.unit);
        out += ", ";
        const auto texts = std::get_if<std::vector<std::string>>(&column.cells);
        const bool whole = std::holds_alternative<std::vector<int64_t>>(column.cells);
        AppendMember(out, "type", texts ? "string" : whole ? "int64" : "double");
        if (texts)
        {
            out += ", \"cells\": [";
            for (std::size_t i = 0; i < texts->size(); ++i)
            {
                out += i > 0 ? ", " : "";
                AppendString(out, (*texts)[i]);
            }
            out += ']';
        }
        out += '}';
    }
    out += "]}";
}

/**
 * Keep a text for the caller.
 * @param run the run
 * @param text the text
 * @return the text as the caller sees it
 */
const char*
Keep(MessagingRun* run, std::string text)
{
    run->text = std::move(text);
    return run->text.c_str();
}

} // namespace
} // namespace messaging
} // namespace ns3

using namespace ns3::messaging;

const char*
MessagingCatalog()
{
    static std::string catalog;
    std::set<ns3::TypeId> kinds;
    catalog = "{\"scenarios\": [";
    const auto separate = [](const char* separator) {
        catalog += catalog.back() == '[' ? "" : separator;
    };
    for (const auto& tid : ListTypes(Scenario::GetTypeId()))
    {
        separate(",\n");
        catalog += '{';
        AppendClass(catalog, tid);
        catalog += ", \"parts\": [";
        ns3::ObjectFactory factory;
        factory.SetTypeId(tid);
        for (const auto& part : factory.Create<Scenario>()->GetParts())
        {
            separate(", ");
            catalog += '{';
            AppendMember(catalog, "prefix", part.prefix);
            catalog += ", ";
            AppendMember(catalog, "selector", part.selector);
            catalog += ", ";
            AppendMember(catalog, "kind", part.kind.GetName());
            catalog += '}';
            kinds.insert(part.kind);
        }
        catalog += "]}";
    }
    catalog += "],\n\"kinds\": [";
    for (const auto& kind : kinds)
    {
        separate(",\n");
        catalog += '{';
        AppendMember(catalog, "kind", kind.GetName());
        catalog += ", \"types\": [";
        for (const auto& tid : ListTypes(kind))
        {
            separate(",\n");
            catalog += '{';
            AppendMember(catalog, "name", GetName(tid, kind));
            catalog += ", ";
            AppendClass(catalog, tid);
            catalog += '}';
        }
        catalog += "]}";
    }
    catalog += "]}";
    // The scenarios made above may have drawn automatic streams, which runs are to find unused.
    ns3::RngSeedManager::ResetNextStreamIndex();
    return catalog.c_str();
}

void
MessagingWarmUp()
{
    // The generator's jump matrices take milliseconds, and the first jump computes them. A bare
    // stream leaves the count of automatic streams alone.
    ns3::RngStream(1, 1, 1).RandU01();
}

MessagingRun*
MessagingRunCreate(const char* type, uint64_t seed)
{
    ns3::TypeId tid;
    if (!ns3::TypeId::LookupByNameFailSafe(type, &tid) || !tid.IsChildOf(Scenario::GetTypeId()) ||
        !tid.HasConstructor())
    {
        return nullptr;
    }
    ns3::RngSeedManager::SetSeed(1);
    ns3::RngSeedManager::SetRun(seed);
    ns3::ObjectFactory factory;
    factory.SetTypeId(tid);
    return new MessagingRun{factory.Create<Scenario>(), {}, {}};
}

const char*
MessagingRunSet(MessagingRun* run, const char* name, const char* value)
{
    const std::string_view whole(name);
    const auto dot = whole.find('.');
    const auto target = dot == std::string_view::npos
                            ? ns3::Ptr<ns3::Object>(run->scenario)
                            : run->scenario->GetPart(std::string(whole.substr(0, dot)));
    const std::string attribute(whole.substr(dot == std::string_view::npos ? 0 : dot + 1));
    if (target && target->SetAttributeFailSafe(attribute, ns3::StringValue(value)))
    {
        return Keep(run, "");
    }
    return Keep(run, std::string(name) + " cannot be " + value + ".");
}

const char*
MessagingRunCheck(MessagingRun* run)
{
    return Keep(run, run->scenario->Check());
}

const char*
MessagingRunExecute(MessagingRun* run, MessagingProgress progress)
{
    if (progress)
    {
        run->scenario->SetProgress([progress](double done, double total, const std::string& unit) {
            progress(done, total, unit.c_str());
        });
    }
    try
    {
        run->scenario->Run();
    }
    catch (const std::exception& error)
    {
        return Keep(run, std::string("The run ended in an exception: ") + error.what());
    }
    if (run->scenario->GetVerdict() != Verdict::FAILED)
    {
        return Keep(run, "");
    }
    const auto reason = run->scenario->GetFailure();
    return Keep(run, reason.empty() ? "The scenario gives no reason." : reason);
}

const char*
MessagingRunResults(MessagingRun* run)
{
    std::string values;
    std::string tables;
    run->tables.clear();
    for (const auto& attribute : GetAttributes(run->scenario->GetInstanceTypeId()))
    {
        const auto role = GetRole(attribute);
        if (role == Role::PARAMETER)
        {
            continue;
        }
        const auto value = attribute.checker->Create();
        if (!attribute.accessor->Get(PeekPointer(run->scenario), *value))
        {
            continue;
        }
        if (role == Role::TABLE)
        {
            const auto pointer = ns3::DynamicCast<ns3::PointerValue>(value);
            if (const auto table = pointer->Get<Table>())
            {
                tables += run->tables.empty() ? "" : ", ";
                AppendTable(tables, attribute.name, *table);
                run->tables.emplace_back(table);
            }
            continue;
        }
        values += values.empty() ? "" : ", ";
        AppendString(values, attribute.name);
        values += ": ";
        AppendValue(values, *value, attribute.checker);
    }
    for (const auto& [name, table] : run->scenario->GetPartTables())
    {
        tables += run->tables.empty() ? "" : ", ";
        AppendTable(tables, name, *table);
        run->tables.emplace_back(table);
    }
    return Keep(run, "{\"results\": {" + values + "}, \"tables\": [" + tables + "]}");
}

const void*
MessagingRunColumn(MessagingRun* run, uint32_t table, uint32_t column)
{
    if (table >= run->tables.size() || column >= run->tables[table]->GetColumns().size())
    {
        return nullptr;
    }
    const auto& cells = run->tables[table]->GetColumns()[column].cells;
    if (const auto reals = std::get_if<std::vector<double>>(&cells))
    {
        return reals->data();
    }
    if (const auto integers = std::get_if<std::vector<int64_t>>(&cells))
    {
        return integers->data();
    }
    return nullptr;
}

void
MessagingRunDestroy(MessagingRun* run)
{
    delete run;
}
