/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "eqa-point.h"

#include "ns3/assert.h"

namespace ns3
{
namespace eqa
{

using messaging::NO_PEER;
using messaging::Peer;

LightPoint::LightPoint(uint32_t queueBytes, uint32_t overhead)
    : m_pointers(queueBytes),
      m_overhead(overhead)
{
}

void
LightPoint::Push(uint64_t number)
{
    NS_ASSERT_MSG(m_last - m_first < m_pointers.GetNSlots(),
                  "A send queue of pointers holds a whole window.");
    m_pointers.Put(m_last++, number);
}

void
LightPoint::Encode(messaging::Encoder& encoder) const
{
    encoder.Put((m_last - m_first) * 4 + (recovering ? 2 : 0) + (resending ? 1 : 0));
    for (uint64_t i = m_first; i < m_last; ++i)
    {
        encoder.Put(m_pointers.Get(i));
    }
}

SendPoint::SendPoint(const EqaConfig& config, Peer self, Peer destination, uint32_t peers)
    : entries(config.sizes.sendQueue, QUEUE_ENTRY),
      queue(config.sizes.retransmission, config.GetSlot()),
      pushed(config.sizes.sendPushed),
      overhead(config.sizes.sendOverhead),
      to(destination)
{
    if (to != NO_PEER)
    {
        queue.Link(to);
        // A DP is its own consumer; its pointers lie in what it has besides queues and buffers.
        lights.emplace_back(config.window * sizeof(uint64_t), 0);
        overhead.resize(config.sizes.sendOverhead > lights[0].GetBytes()
                            ? config.sizes.sendOverhead - lights[0].GetBytes()
                            : 0);
        return;
    }
    for (Peer peer = 0; peer < peers; ++peer)
    {
        if (peer != self)
        {
            queue.Link(peer);
            lights.emplace_back(config.sizes.sendQueue, config.sizes.lightOverhead);
        }
    }
}

uint64_t
SendPoint::GetBytes() const
{
    return entries.GetBytes() + queue.GetBytes() + pushed.size() + overhead.size() +
           (IsBroadcast() ? 0 : lights[0].GetBytes());
}

uint64_t
SendPoint::GetLightBytes() const
{
    uint64_t bytes = 0;
    for (const auto& light : lights)
    {
        bytes += IsBroadcast() ? light.GetBytes() : 0;
    }
    return bytes;
}

uint64_t
SendPoint::GetStructureBytes() const
{
    constexpr uint64_t REGISTERS = 4 * sizeof(uint64_t) + 3 * sizeof(uint32_t);
    return queue.GetStructureBytes() + REGISTERS;
}

void
SendPoint::Encode(messaging::Encoder& encoder) const
{
    encoder.Put(to);
    queue.Encode(encoder);
    for (const auto& light : lights)
    {
        light.Encode(encoder);
    }
    for (const auto word : {first, current, entered, last})
    {
        encoder.Put(word);
    }
    encoder.Put((emitting ? 2 : 0) + (armed ? 1 : 0));
    for (uint64_t i = first; i < last; ++i)
    {
        const SendEntry entry = entries.Get(i);
        encoder.Put(entry.id);
        encoder.Put(entry.contents);
        encoder.Put(i < current ? entry.last : 0);
        encoder.Put((uint64_t{entry.sent} << 3) + (entry.started ? 4 : 0) +
                    (entry.translated ? 2 : 0) + (entry.pulled ? 1 : 0));
    }
}

ReceivePoint::ReceivePoint(const EqaConfig& config, Peer sender, bool ofBroadcast)
    : receives(config.sizes.receiveQueue, QUEUE_ENTRY),
      pushed(config.sizes.receivePushed),
      retransmission(config.sizes.retransmission),
      overhead(config.sizes.receiveOverhead),
      from(sender),
      broadcast(ofBroadcast)
{
}

uint64_t
ReceivePoint::GetBytes() const
{
    return receives.GetBytes() + pushed.GetBytes() + retransmission.size() + overhead.size();
}

void
ReceivePoint::Encode(messaging::Encoder& encoder) const
{
    encoder.Put((uint64_t{from} << 1) + (broadcast ? 1 : 0));
    for (const auto word : {expected, arriving, posted, requested, placed})
    {
        encoder.Put(word);
    }
    encoder.Put(placing ? contents : 0);
    encoder.Put((uint64_t{arrivedBytes} << 32) + placedBytes);
    encoder.Put(started ? arrivingBytes : 0);
    encoder.Put((started ? 64 : 0) + (placing ? 32 : 0) + (draining ? 16 : 0) + (asked ? 8 : 0) +
                (dropped ? 4 : 0) + (pullDue ? 2 : 0) + (pulled ? 1 : 0));
    encoder.Put(pushed.GetUsed());
    encoder.Put(done.size());
}

} // namespace eqa
} // namespace ns3
