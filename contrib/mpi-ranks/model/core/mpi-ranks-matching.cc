/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mpi-ranks-matching.h"

namespace ns3
{
namespace ranks
{

void
MatchQueue::Add(const Envelope& envelope)
{
    uint32_t place = m_free;
    if (place == NONE)
    {
        place = static_cast<uint32_t>(m_nodes.size());
        m_nodes.emplace_back();
    }
    else
    {
        m_free = m_nodes[place].after;
    }
    const Peer source = envelope.delivery.from;
    Ends& chain = GetChain(source);
    m_nodes[place] =
        Node{.envelope = envelope, .age = m_nextAge++, .before = chain.youngest, .after = NONE};
    (chain.oldest == NONE ? chain.oldest : m_nodes[chain.youngest].after) = place;
    chain.youngest = place;
    m_used |= source == ANY_SOURCE ? 0 : uint64_t{1} << (source % CHAINS);
    ++m_size;
}

bool
MatchQueue::Take(Peer source, uint32_t tag, Envelope& envelope)
{
    const uint32_t place = Search(source, tag);
    if (place == NONE)
    {
        return false;
    }
    Node& node = m_nodes[place];
    envelope = node.envelope;
    const Peer from = envelope.delivery.from;
    Ends& chain = GetChain(from);
    (node.before == NONE ? chain.oldest : m_nodes[node.before].after) = node.after;
    (node.after == NONE ? chain.youngest : m_nodes[node.after].before) = node.before;
    if (chain.oldest == NONE && from != ANY_SOURCE)
    {
        m_used &= ~(uint64_t{1} << (from % CHAINS));
    }
    node = Node{};
    node.after = m_free;
    m_free = place;
    --m_size;
    return true;
}

void
MatchQueue::Encode(messaging::Encoder& encoder) const
{
    encoder.Put(m_size);
    uint64_t age = 0;
    for (uint32_t n = 0; n < m_size; ++n)
    {
        const uint32_t place = FindOldest([&](const Ends& chain) {
            uint32_t at = chain.oldest;
            while (at != NONE && m_nodes[at].age < age)
            {
                at = m_nodes[at].after;
            }
            return at;
        });
        const Envelope& envelope = m_nodes[place].envelope;
        age = m_nodes[place].age + 1;
        encoder.Put(envelope.delivery.id);
        encoder.Put(envelope.delivery.contents);
        encoder.Put(uint64_t{envelope.delivery.from} << 32 | envelope.delivery.tag);
        encoder.Put(uint64_t{envelope.delivery.bytes} << 32 | envelope.departure);
    }
}

uint32_t
MatchQueue::Search(Peer source, uint32_t tag)
{
    if (m_size == 0)
    {
        return NONE;
    }
    if (source == ANY_SOURCE)
    {
        return FindOldest([&](const Ends& chain) { return SearchChain(chain, source, tag); });
    }
    return GetOlder(SearchChain(GetChain(source), source, tag), SearchChain(m_any, source, tag));
}

uint32_t
MatchQueue::SearchChain(const Ends& chain, Peer source, uint32_t tag) const
{
    uint32_t place = chain.oldest;
    for (; place != NONE; place = m_nodes[place].after)
    {
        const Delivery& entry = m_nodes[place].envelope.delivery;
        if ((entry.from == source || entry.from == ANY_SOURCE || source == ANY_SOURCE) &&
            (entry.tag == tag || entry.tag == ANY_TAG || tag == ANY_TAG))
        {
            break;
        }
    }
    return place;
}

} // namespace ranks
} // namespace ns3
