/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/messaging-log-component.h"

#include <map>
#include <memory>

namespace ns3
{
namespace messaging
{

const LogComponent&
GetLogComponent(const std::string& name, const std::string& file)
{
    static std::map<std::string, std::unique_ptr<LogComponent>> made;
    const auto* all = LogComponent::GetComponentList();
    if (const auto found = all->find(name); found != all->end())
    {
        return *found->second;
    }
    return *made.emplace(name, std::make_unique<LogComponent>(name, file)).first->second;
}

} // namespace messaging
} // namespace ns3
