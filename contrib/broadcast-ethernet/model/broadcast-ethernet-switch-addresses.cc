/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "broadcast-ethernet-switch-addresses.h"

namespace ns3
{
namespace ethernet
{

SwitchAddresses::SwitchAddresses(uint32_t limit, int64_t ageing)
    : m_ageing(ageing),
      m_limit(limit)
{
}

void
SwitchAddresses::Learn(int64_t now, uint64_t address, uint32_t port)
{
    if (const auto found = m_entries.find(address); found != m_entries.end())
    {
        found->second = {now, port};
        return;
    }
    if (m_entries.size() >= m_limit)
    {
        std::erase_if(m_entries, [&](const auto& entry) { return HasAged(now, entry.second); });
        if (m_entries.size() >= m_limit)
        {
            return;
        }
    }
    m_entries.emplace(address, Entry{now, port});
}

uint32_t
SwitchAddresses::Find(int64_t now, uint64_t address) const
{
    const auto found = m_entries.find(address);
    return found == m_entries.end() || HasAged(now, found->second) ? NO_PORT : found->second.port;
}

void
SwitchAddresses::Forget(uint32_t port)
{
    std::erase_if(m_entries, [port](const auto& entry) { return entry.second.port == port; });
}

} // namespace ethernet
} // namespace ns3
