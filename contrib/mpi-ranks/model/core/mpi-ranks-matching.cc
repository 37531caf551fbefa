/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mpi-ranks-matching.h"

#include <algorithm>

namespace ns3
{
namespace ranks
{

void
MatchQueue::Add(const Envelope& envelope)
{
    m_entries.push_back(envelope);
}

bool
MatchQueue::Take(Peer source, uint32_t tag, Envelope& envelope)
{
    const auto found = std::find_if(m_entries.begin(), m_entries.end(), [&](const auto& entry) {
        const Delivery& own = entry.delivery;
        return (own.from == source || own.from == ANY_SOURCE || source == ANY_SOURCE) &&
               (own.tag == tag || own.tag == ANY_TAG || tag == ANY_TAG);
    });
    if (found == m_entries.end())
    {
        return false;
    }
    envelope = *found;
    m_entries.erase(found);
    return true;
}

void
MatchQueue::Encode(messaging::Encoder& encoder) const
{
    encoder.Put(m_entries.size());
    for (const auto& [delivery, departure] : m_entries)
    {
        encoder.Put(delivery.id);
        encoder.Put(delivery.contents);
        encoder.Put(uint64_t{delivery.from} << 32 | delivery.tag);
        encoder.Put(uint64_t{delivery.bytes} << 32 | departure);
    }
}

} // namespace ranks
} // namespace ns3
