/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-attribute-defaults.h"

#include "ns3/abort.h"
#include "ns3/config.h"
#include "ns3/type-id.h"

namespace ns3
{
namespace messaging
{

void
AttributeDefaults::Set(const std::string& type,
                       const std::string& name,
                       const AttributeValue& value)
{
    TypeId::AttributeInformation found;
    NS_ABORT_MSG_UNLESS(TypeId::LookupByName(type).LookupAttributeByName(name, &found),
                        type << " has no attribute " << name << ".");
    m_previous.emplace_back(type + "::" + name, found.initialValue);
    Config::SetDefault(m_previous.back().first, value);
}

AttributeDefaults::~AttributeDefaults()
{
    while (!m_previous.empty())
    {
        Config::SetDefault(m_previous.back().first, *m_previous.back().second);
        m_previous.pop_back();
    }
}

} // namespace messaging
} // namespace ns3
