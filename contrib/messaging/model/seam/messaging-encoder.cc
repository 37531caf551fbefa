/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-encoder.h"

#include <iterator>

namespace ns3
{
namespace messaging
{

void
Encoder::EndSet()
{
    Note(Mark::END, nullptr, 0);
    // The number of members, and each with its length, so that no two sets have the same words.
    std::vector<std::vector<uint64_t>> members;
    for (std::size_t i = 0; i < m_items.size(); ++i)
    {
        const std::size_t end = i + 1 < m_items.size() ? m_items[i + 1] : m_words.size();
        members.emplace_back(m_words.begin() + static_cast<std::ptrdiff_t>(m_items[i]),
                             m_words.begin() + static_cast<std::ptrdiff_t>(end));
    }
    if (!m_items.empty())
    {
        m_words.resize(m_items.front());
    }
    std::sort(members.begin(), members.end());
    m_words.push_back(members.size());
    for (const auto& member : members)
    {
        m_words.push_back(member.size());
        m_words.insert(m_words.end(), member.begin(), member.end());
    }
    m_items.clear();
}

void
Encoder::Print(std::ostream& os) const
{
    const char* separator = "";
    for (const auto& part : m_parts)
    {
        switch (part.mark)
        {
        case Mark::WORD:
            os << separator;
            if (part.name)
            {
                os << part.name << ' ';
            }
            os << part.word;
            separator = ", ";
            break;
        case Mark::BEGIN:
            os << separator << (part.name ? part.name : "set") << " {";
            separator = "";
            break;
        case Mark::ITEM:
            os << (separator[0] == '\0' ? "" : "; ");
            separator = "";
            break;
        case Mark::END:
            os << '}';
            separator = ", ";
            break;
        }
    }
}

} // namespace messaging
} // namespace ns3
