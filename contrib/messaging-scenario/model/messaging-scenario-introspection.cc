/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-scenario-introspection.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/integer.h"
#include "ns3/messaging-forwarded-attributes.h"
#include "ns3/messaging-registry.h"
#include "ns3/messaging-scenario-recorder.h"
#include "ns3/messaging-scenario-sizes.h"
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
#include <variant>
#include <vector>

/** A scenario, and the data returned to a caller. */
struct MessagingRun
{
    ns3::Ptr<ns3::messaging::Scenario> scenario; ///< The scenario.
    std::vector<ns3::Ptr<const ns3::messaging::Table>>
        tables;       ///< Its tables, in the order of the results.
    std::string text; ///< The last text returned.
};

namespace ns3
{
namespace messaging
{
namespace
{

/** Roles of the attributes of a scenario: set before a run, or read after it, a value or a Table.
 */
constexpr std::string_view PARAMETER{"parameter"};
constexpr std::string_view RESULT{"result"};
constexpr std::string_view TABLE{"table"};

/** An attribute of a scenario. */
using Attribute = TypeId::AttributeInformation;

/** Writes JSON with commas. */
class JsonWriter
{
  public:
    /** Write a string. @param text its text */
    void Write(std::string_view text)
    {
        constexpr std::string_view DIGITS{"0123456789abcdef"};
        Separate();
        m_text += '"';
        for (const char c : text)
        {
            const auto byte = static_cast<unsigned char>(c);
            if (c == '"' || c == '\\')
            {
                m_text += '\\';
                m_text += c;
            }
            else if (byte < 0x20)
            {
                m_text += "\\u00";
                m_text += DIGITS[byte >> 4];
                m_text += DIGITS[byte & 0xf];
            }
            else
            {
                m_text += c;
            }
        }
        m_text += '"';
    }

    /** Write a whole number or a boolean. @param text its text */
    void WriteLiteral(std::string_view text)
    {
        Separate();
        m_text += text;
    }

    /** Write a real number with round-trip precision. @param number its value */
    void WriteReal(double number)
    {
        if (std::isnan(number))
        {
            WriteLiteral("NaN");
            return;
        }
        if (std::isinf(number))
        {
            WriteLiteral(number > 0 ? "Infinity" : "-Infinity");
            return;
        }
        char digits[32];
        const auto end = std::to_chars(digits, digits + sizeof(digits), number).ptr;
        const std::string_view text(digits, end - digits);
        WriteLiteral(text);
        if (text.find_first_of(".e") == std::string_view::npos)
        {
            m_text += ".0";
        }
    }

    /**
     * Write the value of an attribute: a number, a boolean or a string. A Time is in seconds.
     * @param value the value
     * @param checker its checker
     */
    void WriteValue(AttributeValue& value, Ptr<const AttributeChecker> checker)
    {
        if (const auto real = dynamic_cast<const DoubleValue*>(&value))
        {
            WriteReal(real->Get());
        }
        else if (dynamic_cast<const UintegerValue*>(&value) ||
                 dynamic_cast<const IntegerValue*>(&value) ||
                 dynamic_cast<const BooleanValue*>(&value))
        {
            WriteLiteral(value.SerializeToString(checker));
        }
        else if (const auto time = dynamic_cast<const TimeValue*>(&value))
        {
            // A quotient of integers, since Time::GetSeconds is inexact in the last digits.
            WriteReal(static_cast<double>(time->Get().GetTimeStep()) /
                      static_cast<double>(Seconds(1).GetTimeStep()));
        }
        else
        {
            Write(value.SerializeToString(checker));
        }
    }

    /** Write the name of a member; its value must follow. @param name its name */
    void Name(std::string_view name)
    {
        Write(name);
        m_text += ": ";
    }

    /** Write a member that is a string. @param name its name @param text its text */
    void Member(std::string_view name, std::string_view text)
    {
        Name(name);
        Write(text);
    }

    /** Write an object. @param members writes its members */
    template <class Members>
    void Object(Members members)
    {
        Separate();
        m_text += '{';
        members();
        m_text += '}';
    }

    /**
     * Write a member that is an array.
     * @param name its name
     * @param items a container
     * @param write writes an item
     */
    template <class Items, class Cell>
    void Array(std::string_view name, const Items& items, Cell write)
    {
        Name(name);
        m_text += '[';
        for (const auto& item : items)
        {
            write(item);
        }
        m_text += ']';
    }

    /** @return the text, which is moved out. */
    std::string Take()
    {
        return std::move(m_text);
    }

  private:
    /** Write a comma, except before a first member or item, or the value of a member. */
    void Separate()
    {
        if (!m_text.empty() && m_text.find_last_of("[{ ") + 1 != m_text.size())
        {
            m_text += ", ";
        }
    }

    std::string m_text; ///< The text so far.
};

/**
 * Get the role of an attribute of a scenario.
 * @param attribute the attribute
 * @return its role
 */
std::string_view
GetRole(const Attribute& attribute)
{
    if ((attribute.flags & (TypeId::ATTR_SET | TypeId::ATTR_CONSTRUCT)) != 0 &&
        attribute.accessor->HasSetter())
    {
        return PARAMETER;
    }
    const auto pointer = dynamic_cast<const PointerChecker*>(PeekPointer(attribute.checker));
    return pointer && pointer->GetPointeeTypeId() == Table::GetTypeId() ? TABLE : RESULT;
}

/**
 * List the attributes of a class, those of its base classes first.
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
 * Write the catalog entry of an attribute.
 * @param json the writer
 * @param attribute the attribute
 * @param tid a class that has it
 */
void
WriteAttribute(JsonWriter& json, const Attribute& attribute, TypeId tid)
{
    const auto role = GetRole(attribute);
    const auto& checker = attribute.checker;
    json.Object([&] {
        json.Member("name", attribute.name);
        json.Member("help", attribute.help);
        json.Member("origin", GetOrigin(attribute, tid).GetName());
        json.Member("role", role);
        json.Member("value", checker->GetValueTypeName());
        json.Member(
            "checker",
            checker->HasUnderlyingTypeInformation() ? checker->GetUnderlyingTypeInformation() : "");
        if (role == PARAMETER)
        {
            json.Name("default");
            const auto value = attribute.initialValue->Copy();
            if (dynamic_cast<const TimeValue*>(PeekPointer(value)))
            {
                json.Write(value->SerializeToString(checker));
            }
            else
            {
                json.WriteValue(*value, checker);
            }
        }
    });
}

/**
 * Write the catalog members of a class: type, group, summary and attributes.
 * @param json the writer
 * @param tid the class
 */
void
WriteClass(JsonWriter& json, TypeId tid)
{
    json.Member("type", tid.GetName());
    json.Member("group", tid.GetGroupName());
    json.Member("summary", GetSummary(tid));
    json.Array("attributes", GetAttributes(tid), [&](const Attribute& attribute) {
        WriteAttribute(json, attribute, tid);
    });
}

/**
 * Write the results entry of a table.
 * @param json the writer
 * @param name the table's name
 * @param table the table
 */
void
WriteTable(JsonWriter& json, const std::string& name, const Table& table)
{
    json.Object([&] {
        json.Member("name", name);
        json.Name("rows");
        json.WriteLiteral(std::to_string(table.GetNRows()));
        json.Array("columns", table.GetColumns(), [&](const Table::Column& column) {
            json.Object([&] {
                json.Member("name", column.name);
                json.Member("unit", column.unit);
                if (const auto texts = std::get_if<std::vector<std::string>>(&column.cells))
                {
                    json.Member("type", "string");
                    json.Array("cells", *texts, [&](const std::string& text) { json.Write(text); });
                }
                else if (std::holds_alternative<std::vector<int64_t>>(column.cells))
                {
                    json.Member("type", "int64");
                }
                else
                {
                    json.Member("type", "double");
                }
            });
        });
    });
}

/**
 * Store a text for the caller.
 * @param run the run
 * @param text the text
 * @return the stored text
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
    JsonWriter json;
    const auto writePart = [&](const Scenario::Part& part) {
        json.Object([&] {
            json.Member("prefix", part.prefix);
            json.Member("selector", part.selector);
            json.Member("kind", part.kind.GetName());
            if (part.selector.empty())
            {
                WriteClass(json, part.kind);
            }
            else
            {
                kinds.insert(part.kind);
            }
        });
    };
    const auto writeScenario = [&](ns3::TypeId tid) {
        // A scenario with a fault plan has the attributes of all loaded faults once it is created.
        const auto scenario = ns3::ObjectFactory(tid.GetName()).Create<Scenario>();
        json.Object([&] {
            WriteClass(json, tid);
            json.Array("parts", scenario->GetParts(), writePart);
        });
    };
    const auto writeKind = [&](ns3::TypeId kind) {
        json.Object([&] {
            json.Member("kind", kind.GetName());
            json.Array("types", ListTypes(kind), [&](ns3::TypeId tid) {
                json.Object([&] {
                    json.Member("name", GetName(tid, kind));
                    WriteClass(json, tid);
                });
            });
        });
    };
    json.Object([&] {
        json.Array("scenarios", ListTypes(Scenario::GetTypeId()), writeScenario);
        json.Array("kinds", kinds, writeKind);
    });
    catalog = json.Take();
    // Free the automatic streams that the scenarios made above may have used.
    ns3::RngSeedManager::ResetNextStreamIndex();
    return catalog.c_str();
}

void
MessagingWarmUp()
{
    // The first jump computes the generator's jump matrices, which takes milliseconds. A bare
    // stream does not change the count of automatic streams.
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
    std::string attribute(name);
    ns3::Ptr<ns3::Object> target = run->scenario;
    if (const auto dot = attribute.find('.'); dot != std::string::npos)
    {
        target = run->scenario->GetPart(attribute.substr(0, dot));
        attribute.erase(0, dot + 1);
    }
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
MessagingRunSizes(MessagingRun* run)
{
    const auto sized = dynamic_cast<SizedScenario*>(ns3::PeekPointer(run->scenario));
    if (!sized)
    {
        return Keep(run, "");
    }
    const auto sizes = sized->FindSizes();
    JsonWriter json;
    const auto write = [&](std::string_view name, const std::string& literal) {
        json.Name(name);
        json.WriteLiteral(literal);
    };
    json.Object([&] {
        write("mtu", std::to_string(sizes.mtu));
        write("whole", std::to_string(sizes.whole));
        write("largest", std::to_string(sizes.largest));
        write("layered", sizes.layered ? "true" : "false");
    });
    return Keep(run, json.Take());
}

void
MessagingRunRecord(MessagingRun* run,
                   uint64_t limit,
                   int64_t begin,
                   int64_t end,
                   const char* pcap,
                   const char* ascii)
{
    run->scenario->GetRecorder().Start({.limit = limit,
                                        .begin = ns3::NanoSeconds(begin),
                                        .end = ns3::NanoSeconds(end),
                                        .pcap = pcap,
                                        .ascii = ascii});
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
    if (run->scenario->GetVerdict() != Verdict::ERROR)
    {
        return Keep(run, "");
    }
    const auto reason = run->scenario->GetFailure();
    return Keep(run, reason.empty() ? "The scenario gives no reason." : reason);
}

const char*
MessagingRunResults(MessagingRun* run)
{
    JsonWriter json;
    std::vector<NamedTable> tables;
    const auto writeValues = [&] {
        for (const auto& attribute : GetAttributes(run->scenario->GetInstanceTypeId()))
        {
            const auto value = attribute.checker->Create();
            const auto role = GetRole(attribute);
            if (role == PARAMETER || !attribute.accessor->Get(PeekPointer(run->scenario), *value))
            {
                continue;
            }
            if (role == RESULT)
            {
                json.Name(attribute.name);
                json.WriteValue(*value, attribute.checker);
            }
            else if (auto table = ns3::DynamicCast<ns3::PointerValue>(value)->Get<Table>())
            {
                tables.emplace_back(attribute.name, table);
            }
        }
        const auto others = run->scenario->GetPartTables();
        tables.insert(tables.end(), others.begin(), others.end());
        if (const Recorder& recorder = run->scenario->GetRecorder(); recorder.IsRecording())
        {
            tables.emplace_back("RecordedEvents", recorder.MakeTable());
            tables.emplace_back("RecordedParts", recorder.MakePartsTable());
        }
    };
    run->tables.clear();
    json.Object([&] {
        json.Name("results");
        json.Object(writeValues);
        json.Array("tables", tables, [&](const NamedTable& table) {
            WriteTable(json, table.first, *table.second);
            run->tables.emplace_back(table.second);
        });
    });
    return Keep(run, json.Take());
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
