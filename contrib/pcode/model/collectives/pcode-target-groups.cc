/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pcode-target-groups.h"

#include <algorithm>

namespace ns3
{
namespace pcode
{

std::ostream&
operator<<(std::ostream& os, const TargetSet& set)
{
    os << "{";
    const char* separator = "";
    for (const auto peer : set)
    {
        os << separator << peer;
        separator = ",";
    }
    return os << "}";
}

uint32_t
TargetGroups::Register(messaging::Peer sender, const TargetSet& set)
{
    if (set == Get(EVERYBODY, sender))
    {
        return EVERYBODY;
    }
    if (set.size() == 1 && *set.begin() < m_nNodes)
    {
        return Single(*set.begin());
    }
    const auto place = std::ranges::find(m_sets, set) - m_sets.begin();
    if (place == std::ssize(m_sets))
    {
        m_sets.push_back(set);
    }
    return static_cast<uint32_t>(m_nNodes + place + 1);
}

TargetSet
TargetGroups::Get(uint32_t group, messaging::Peer sender) const
{
    if (group > m_nNodes)
    {
        return GetRegistered(group);
    }
    TargetSet set;
    for (messaging::Peer peer = 0; peer < m_nNodes; ++peer)
    {
        if (Contains(group, sender, peer))
        {
            set.insert(peer);
        }
    }
    return set;
}

uint32_t
TargetGroups::GetSize(uint32_t group) const
{
    if (group == EVERYBODY)
    {
        return m_nNodes - 1;
    }
    if (group <= m_nNodes)
    {
        return 1;
    }
    return static_cast<uint32_t>(GetRegistered(group).size());
}

} // namespace pcode
} // namespace ns3
