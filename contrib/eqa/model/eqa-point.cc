/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "eqa-point.h"

#include "ns3/assert.h"

#include <limits>

namespace ns3
{
namespace eqa
{

using messaging::NO_PEER;
using messaging::Peer;

uint32_t
EnhancedQueue::Link(messaging::Peer to)
{
    const auto consumer = static_cast<uint32_t>(m_consumers.size());
    m_consumers.push_back(LocalStructure{m_home.head, to, m_home.first, true});
    m_home.first = consumer;
    return consumer;
}

void
EnhancedQueue::Unlink(uint32_t consumer)
{
    NS_ASSERT_MSG(m_consumers[consumer].linked, "The consumer is not linked.");
    Consume(consumer, m_home.head);
    uint32_t* link = &m_home.first;
    while (*link != consumer)
    {
        link = &m_consumers[*link].follower;
    }
    *link = m_consumers[consumer].follower;
    m_consumers[consumer].linked = false;
}

uint64_t
EnhancedQueue::Produce(StoredPacket packet)
{
    NS_ASSERT_MSG(HasRoom(), "There is no free slot.");
    packet.references = 0;
    for (uint32_t i = m_home.first; i != NO_CONSUMER; i = m_consumers[i].follower)
    {
        ++packet.references;
    }
    m_buffer.Push(packet);
    const uint64_t number = m_home.head++;
    Update();
    return number;
}

void
EnhancedQueue::Consume(uint32_t consumer, uint64_t upTo)
{
    LocalStructure& local = m_consumers[consumer];
    NS_ASSERT_MSG(upTo <= m_home.head, "Nothing can be consumed that was not produced.");
    if (!local.linked)
    {
        return;
    }
    for (; local.next < upTo; ++local.next)
    {
        StoredPacket& packet = m_buffer[local.next - m_home.tail];
        NS_ASSERT_MSG(packet.references > 0, "A reference was given back twice.");
        --packet.references;
    }
    Update();
}

void
EnhancedQueue::Update()
{
    while (!m_buffer.IsEmpty() && m_buffer.Front().references == 0)
    {
        m_buffer.Pop();
        ++m_home.tail;
    }
}

void
EnhancedQueue::Encode(messaging::Encoder& encoder) const
{
    encoder.Put(m_home.head);
    encoder.Put(m_home.tail);
    for (const auto& local : m_consumers)
    {
        encoder.Put(local.next);
        encoder.Put(local.to);
    }
    for (const StoredPacket& packet : m_buffer)
    {
        encoder.Put(packet.contents);
        encoder.Put((uint64_t{packet.payload} << 32) | packet.references);
        encoder.Put((uint64_t{packet.tag} << 8) | packet.flags);
    }
}

SendPoint::SendPoint(const EqaConfig& config,
                     Peer self,
                     Peer destination,
                     uint32_t peers,
                     uint32_t point)
    : queue(config.window),
      to(destination),
      number(point)
{
    for (Peer peer = 0; peer < peers; ++peer)
    {
        bool receives = peer == to;
        if (IsBroadcast())
        {
            receives = peer != self && config.IsMember(number, peer);
        }
        if (receives)
        {
            queue.Link(peer);
            lights.emplace_back();
        }
    }
}

void
SendPoint::Encode(messaging::Encoder& encoder) const
{
    encoder.Put(uint64_t{number} << 32 | to);
    queue.Encode(encoder);
    for (const auto& light : lights)
    {
        encoder.Put((light.end - light.first) << 2 | uint64_t{light.recovering} << 1 |
                    uint64_t{light.resending});
        if (light.IsIdle())
        {
            encoder.Put(0);
        }
        else
        {
            encoder.Put(light.first);
        }
    }
    for (const auto word : {first, current, entered, first + entries.GetN()})
    {
        encoder.Put(word);
    }
    encoder.Put(uint64_t{locked} << 2 | uint64_t{emitting} << 1 | uint64_t{armed});
    for (uint64_t i = 0; i < entries.GetN(); ++i)
    {
        const SendEntry& entry = entries[i];
        encoder.Put(entry.id);
        encoder.Put(entry.contents);
        if (first + i < current)
        {
            encoder.Put(entry.last);
        }
        else
        {
            encoder.Put(entry.granted);
        }
        encoder.Put(uint64_t{entry.sent} << 4 | uint64_t{entry.entered} << 3 |
                    uint64_t{entry.started} << 2 | uint64_t{entry.translated} << 1 |
                    uint64_t{entry.pulled});
    }
}

ReceivePoint::ReceivePoint(const EqaConfig& config, Peer sender, bool ofBroadcast, uint32_t point)
    : pushed(config.pushedBuffer),
      from(sender),
      number(point),
      broadcast(ofBroadcast)
{
    if (config.standing)
    {
        posted = std::numeric_limits<uint64_t>::max();
    }
}

void
ReceivePoint::Encode(messaging::Encoder& encoder) const
{
    encoder.Put(uint64_t{number} << 33 | uint64_t{from} << 1 | uint64_t{broadcast});
    for (const auto word : {expected, arriving, posted, requested, placed})
    {
        encoder.Put(word);
    }
    // The fields of a message count only while it arrives, or is placed.
    const auto putIf = [&encoder](bool valid, uint64_t value) {
        if (!valid)
        {
            value = 0;
        }
        encoder.Put(value);
    };
    putIf(placing, contents);
    encoder.Put((uint64_t{arrivedBytes} << 32) + placedBytes);
    putIf(started, arrivingBytes);
    uint64_t flags = 0;
    for (const bool flag : {started, placing, draining, asked, dropped, pullDue, pulled})
    {
        flags = flags << 1 | uint64_t{flag};
    }
    encoder.Put(flags);
    encoder.Put(pushed.GetUsed());
    encoder.Put(done.GetN());
}

} // namespace eqa
} // namespace ns3
