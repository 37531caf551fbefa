/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_SCENARIO_RESULTS_H
#define MESSAGING_SCENARIO_RESULTS_H

#include "ns3/double.h"
#include "ns3/messaging-scenario.h"
#include "ns3/pointer.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <string>

/**
 * @file
 * @ingroup messaging
 * Declaration of the results of a scenario.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * Adds results to the TypeId of a scenario, as read-only attributes.
 *
 * The source of a result is a member of the scenario, or a getter.
 */
class ScenarioResults
{
  public:
    /**
     * Constructor.
     * @param type TypeId of the scenario, which must outlive this object
     */
    explicit ScenarioResults(TypeId& type)
        : m_type(type)
    {
    }

    /**
     * Add a real number.
     * @tparam Source type of its source
     * @param name name of the result
     * @param help description, ending in `[unit; source]`
     * @param source member or getter
     */
    template <class Source>
    void AddReal(const std::string& name, const std::string& help, Source source)
    {
        Add(name, help, DoubleValue(0), MakeDoubleAccessor(source), MakeDoubleChecker<double>());
    }

    /**
     * Add a count.
     * @tparam Source type of its source
     * @param name name of the result
     * @param help description, ending in `[unit; source]`
     * @param source member or getter
     */
    template <class Source>
    void AddCount(const std::string& name, const std::string& help, Source source)
    {
        Add(name,
            help,
            UintegerValue(0),
            MakeUintegerAccessor(source),
            MakeUintegerChecker<uint64_t>());
    }

    /**
     * Add a text.
     * @tparam Source type of its source
     * @param name name of the result
     * @param help description, ending in `[-; source]`
     * @param source member or getter
     */
    template <class Source>
    void AddText(const std::string& name, const std::string& help, Source source)
    {
        Add(name, help, StringValue(""), MakeStringAccessor(source), MakeStringChecker());
    }

    /**
     * Add a table.
     * @tparam Source type of its source
     * @param name name of the result
     * @param help description, ending in `[table; source]`
     * @param source member or getter
     */
    template <class Source>
    void AddTable(const std::string& name, const std::string& help, Source source)
    {
        Add(name, help, PointerValue(), MakePointerAccessor(source), MakePointerChecker<Table>());
    }

  private:
    /**
     * Add a result.
     * @param name its name
     * @param help description
     * @param initial its value before the run
     * @param accessor returns it
     * @param checker checks its type
     */
    void Add(const std::string& name,
             const std::string& help,
             const AttributeValue& initial,
             Ptr<const AttributeAccessor> accessor,
             Ptr<const AttributeChecker> checker)
    {
        m_type.AddAttribute(name, help, TypeId::ATTR_GET, initial, accessor, checker);
    }

    TypeId& m_type; ///< TypeId of the scenario.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_SCENARIO_RESULTS_H
