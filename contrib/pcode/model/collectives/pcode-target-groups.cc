/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pcode-target-groups.h"

namespace ns3
{
namespace pcode
{

std::ostream&
operator<<(std::ostream& os, const TargetSet& set)
{
    os << "{";
    const char* separator = "";
    for (const auto peer : set.GetMembers())
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
    if (const auto members = set.GetMembers(); members.size() == 1 && members[0] < m_nProcessors)
    {
        return Single(members[0]);
    }
    const auto next = static_cast<uint32_t>(m_nProcessors + m_sets.size() + 1);
    const auto [place, isNew] = m_number.try_emplace(set, next);
    if (isNew)
    {
        m_sets.push_back(set);
    }
    return place->second;
}

TargetSet
TargetGroups::Get(uint32_t group, messaging::Peer sender) const
{
    if (group > m_nProcessors)
    {
        return m_sets[group - m_nProcessors - 1];
    }
    TargetSet set;
    for (messaging::Peer peer = 0; peer < m_nProcessors; ++peer)
    {
        if (Contains(group, sender, peer))
        {
            set.Add(peer);
        }
    }
    return set;
}

uint32_t
TargetGroups::GetSize(uint32_t group) const
{
    if (group == EVERYBODY)
    {
        return m_nProcessors - 1;
    }
    return group <= m_nProcessors ? 1 : m_sets[group - m_nProcessors - 1].GetSize();
}

} // namespace pcode
} // namespace ns3
