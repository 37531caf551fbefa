/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-idle-attributes.h"

#include "ns3/abort.h"

namespace ns3
{
namespace messaging
{

std::string
FindIdleAttribute(const ObjectBase& owner,
                  std::initializer_list<const char*> names,
                  const std::string& where)
{
    for (const char* name : names)
    {
        TypeId::AttributeInformation attribute;
        NS_ABORT_MSG_UNLESS(owner.GetInstanceTypeId().LookupAttributeByName(name, &attribute),
                            "There is no attribute " << name << ".");
        const auto value = attribute.checker->Create();
        owner.GetAttribute(name, *value);
        if (value->SerializeToString(attribute.checker) !=
            attribute.initialValue->SerializeToString(attribute.checker))
        {
            return std::string(name) + " has no effect " + where + ".";
        }
    }
    return "";
}

} // namespace messaging
} // namespace ns3
