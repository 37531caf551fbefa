/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-live-bytes.h"

#include <algorithm>

namespace ns3
{
namespace messaging
{

bool
LiveNumbers::Add(uint64_t number)
{
    if (number < m_next || !m_above.insert(number).second)
    {
        return false;
    }
    if (m_above.size() >= LIVE_WINDOW)
    {
        m_next = *m_above.begin();
    }
    while (!m_above.empty() && *m_above.begin() == m_next)
    {
        m_above.erase(m_above.begin());
        ++m_next;
    }
    return true;
}

void
LiveBytes::Keep(uint64_t contents, std::vector<uint8_t> bytes)
{
    const auto name = LiveName::Unpack(contents);
    Channel& channel = m_channels[{name.from, name.to}];
    const uint64_t newest =
        channel.empty() ? name.number : std::max(name.number, channel.rbegin()->first);
    const uint64_t oldest = newest < LIVE_WINDOW ? 0 : newest - LIVE_WINDOW + 1;
    channel.erase(channel.begin(), channel.lower_bound(oldest));
    if (name.number >= oldest)
    {
        channel.try_emplace(name.number, std::move(bytes));
    }
}

const std::vector<uint8_t>*
LiveBytes::Find(uint64_t contents) const
{
    const auto name = LiveName::Unpack(contents);
    const auto channel = m_channels.find({name.from, name.to});
    if (channel == m_channels.end())
    {
        return nullptr;
    }
    const auto found = channel->second.find(name.number);
    return found == channel->second.end() ? nullptr : &found->second;
}

void
LiveBytes::Drop(uint64_t contents)
{
    const auto name = LiveName::Unpack(contents);
    if (const auto channel = m_channels.find({name.from, name.to}); channel != m_channels.end())
    {
        channel->second.erase(name.number);
    }
}

std::size_t
LiveBytes::GetN() const
{
    std::size_t count = 0;
    for (const auto& [peers, channel] : m_channels)
    {
        count += channel.size();
    }
    return count;
}

} // namespace messaging
} // namespace ns3
