/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "eqa-point.h"

#include <limits>

namespace ns3
{
namespace eqa
{

using messaging::NO_PEER;
using messaging::Peer;

SendPoint::SendPoint(const EqaConfig& config, Peer self, Peer destination, uint32_t peers)
    : entries(config.queue),
      queue(config.window),
      to(destination)
{
    for (Peer peer = 0; peer < peers; ++peer)
    {
        if (IsBroadcast() ? peer != self : peer == to)
        {
            queue.Link(peer);
            lights.emplace_back();
        }
    }
}

void
SendPoint::Encode(messaging::Encoder& encoder) const
{
    encoder.Put(to);
    queue.Encode(encoder);
    for (const auto& light : lights)
    {
        encoder.Put((light.end - light.first) * 4 + (light.recovering ? 2 : 0) +
                    (light.resending ? 1 : 0));
        encoder.Put(light.IsIdle() ? 0 : light.first);
    }
    for (const auto word : {first, current, entered, last})
    {
        encoder.Put(word);
    }
    encoder.Put((emitting ? 2 : 0) + (armed ? 1 : 0));
    for (uint64_t i = first; i < last; ++i)
    {
        const SendEntry& entry = entries[i];
        encoder.Put(entry.id);
        encoder.Put(entry.contents);
        encoder.Put(i < current ? entry.last : entry.granted);
        encoder.Put((uint64_t{entry.sent} << 3) + (entry.started ? 4 : 0) +
                    (entry.translated ? 2 : 0) + (entry.pulled ? 1 : 0));
    }
}

ReceivePoint::ReceivePoint(const EqaConfig& config, Peer sender, bool ofBroadcast)
    : receives(config.queue),
      pushed(config.pushedBuffer),
      posted(config.standing ? std::numeric_limits<uint64_t>::max() : 0),
      from(sender),
      broadcast(ofBroadcast)
{
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
