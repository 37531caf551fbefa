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
        m_free = m_nodes[place].all.after;
    }
    m_nodes[place] = Node{.envelope = envelope, .age = m_nextAge++, .chain = {}, .all = {}};
    Append(GetChain(envelope.delivery.from), &Node::chain, place);
    Append(m_all, &Node::all, place);
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
    envelope = m_nodes[place].envelope;
    Remove(GetChain(envelope.delivery.from), &Node::chain, place);
    Remove(m_all, &Node::all, place);
    m_nodes[place] = Node{};
    m_nodes[place].all.after = m_free;
    m_free = place;
    --m_size;
    return true;
}

void
MatchQueue::Encode(messaging::Encoder& encoder) const
{
    encoder.Put(m_size);
    for (uint32_t place = m_all.oldest; place != NONE; place = m_nodes[place].all.after)
    {
        const Envelope& envelope = m_nodes[place].envelope;
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
        return SearchList(m_all.oldest, &Node::all, source, tag);
    }
    const uint32_t own = SearchList(GetChain(source).oldest, &Node::chain, source, tag);
    const uint32_t any = SearchList(m_any.oldest, &Node::chain, source, tag);
    if (own == NONE || any == NONE)
    {
        return own == NONE ? any : own;
    }
    return m_nodes[own].age < m_nodes[any].age ? own : any;
}

uint32_t
MatchQueue::SearchList(uint32_t place, Links Node::* links, Peer source, uint32_t tag)
{
    for (; place != NONE; place = (m_nodes[place].*links).after)
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

void
MatchQueue::Append(Ends& ends, Links Node::* links, uint32_t place)
{
    (m_nodes[place].*links).before = ends.youngest;
    if (ends.youngest == NONE)
    {
        ends.oldest = place;
    }
    else
    {
        (m_nodes[ends.youngest].*links).after = place;
    }
    ends.youngest = place;
}

void
MatchQueue::Remove(Ends& ends, Links Node::* links, uint32_t place)
{
    const Links own = m_nodes[place].*links;
    (own.before == NONE ? ends.oldest : (m_nodes[own.before].*links).after) = own.after;
    (own.after == NONE ? ends.youngest : (m_nodes[own.after].*links).before) = own.before;
}

} // namespace ranks
} // namespace ns3
