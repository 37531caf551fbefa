/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pcode-target-groups.h"

#include <bit>

namespace ns3
{
namespace pcode
{

TargetSet::TargetSet(const std::vector<messaging::Peer>& members)
{
    for (const auto peer : members)
    {
        Add(peer);
    }
}

void
TargetSet::Add(messaging::Peer peer)
{
    if (peer / WORD_BITS >= m_words.size())
    {
        m_words.resize(peer / WORD_BITS + 1);
    }
    m_words[peer / WORD_BITS] |= uint64_t{1} << (peer % WORD_BITS);
}

void
TargetSet::Remove(messaging::Peer peer)
{
    if (Contains(peer))
    {
        m_words[peer / WORD_BITS] &= ~(uint64_t{1} << (peer % WORD_BITS));
    }
    while (!m_words.empty() && m_words.back() == 0)
    {
        m_words.pop_back();
    }
}

uint32_t
TargetSet::GetSize() const
{
    uint32_t size = 0;
    for (const auto word : m_words)
    {
        size += static_cast<uint32_t>(std::popcount(word));
    }
    return size;
}

std::vector<messaging::Peer>
TargetSet::GetMembers() const
{
    std::vector<messaging::Peer> members;
    for (messaging::Peer peer = 0; peer < m_words.size() * WORD_BITS; ++peer)
    {
        if (Contains(peer))
        {
            members.push_back(peer);
        }
    }
    return members;
}

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
