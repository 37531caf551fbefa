/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-scenario-packet-key.h"

#include "ns3/ipv4-header.h"
#include "ns3/messaging-spread-bits.h"

namespace ns3
{
namespace messaging
{

namespace
{

/** Bits of Frame::id that number the packets of a message. */
constexpr uint64_t PACKET_BITS = 0xffffffffffff;
/** Bits of Frame::kind that distinguish packets of a message. */
constexpr uint8_t KIND_BITS = 0x0f;

/**
 * Get the key of a packet.
 * @param header its IPv4 header
 * @return the key
 */
uint64_t
MakeKey(const Ipv4Header& header)
{
    const uint64_t ends = uint64_t{header.GetSource().Get()} << 32 | header.GetDestination().Get();
    const uint64_t place = uint64_t{header.GetFragmentOffset()} << 16 | header.GetIdentification();
    return SpreadBits(ends) ^ SpreadBits(place << 8 | header.GetProtocol());
}

} // namespace

uint64_t
GetPacketKey(Ptr<const Packet> packet)
{
    constexpr uint8_t IP_VERSION = 4;
    uint8_t first = 0;
    Ipv4Header header;
    packet->CopyData(&first, 1);
    const bool known = first >> 4 == IP_VERSION && packet->PeekHeader(header) > 0;
    return known ? MakeKey(header) : SpreadBits(packet->GetUid());
}

uint64_t
FindPacketKey(Ptr<const Packet> packet)
{
    for (auto items = packet->BeginItem(); items.HasNext();)
    {
        const auto item = items.Next();
        if (item.type == PacketMetadata::Item::HEADER && !item.isFragment &&
            item.tid == Ipv4Header::GetTypeId())
        {
            Ipv4Header header;
            header.Deserialize(item.current);
            return MakeKey(header);
        }
    }
    return SpreadBits(packet->GetUid());
}

uint64_t
GetFrameKey(const Frame& frame)
{
    uint64_t id = frame.id;
    uint8_t kind = frame.kind;
    if (frame.payload > 0)
    {
        id &= PACKET_BITS;
        kind &= KIND_BITS;
    }
    return SpreadBits(SpreadBits(id) ^ (uint64_t{frame.aux} << 8 | kind));
}

} // namespace messaging
} // namespace ns3
