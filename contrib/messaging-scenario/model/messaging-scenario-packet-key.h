/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_SCENARIO_PACKET_KEY_H
#define MESSAGING_SCENARIO_PACKET_KEY_H

#include "ns3/messaging-types.h"
#include "ns3/packet.h"

#include <cstdint>

/**
 * @file
 * @ingroup messaging
 * Recognises a packet where it arrives, and a frame that is sent again.
 */

namespace ns3
{
namespace messaging
{

/**
 * Get the key of a packet. The uid alone does not do: a socket sends several segments with the uid
 * of one buffer, and fragments have that of their packet.
 * @param packet the packet, which begins with the header of the network layer
 * @return by its IPv4 header: addresses, protocol, identification and offset; by its uid if it has
 * none
 */
uint64_t GetPacketKey(Ptr<const Packet> packet);

/**
 * Get the key of a packet with any headers before that of the network layer; it needs the metadata
 * of packets (PacketMetadata::Enable).
 * @param packet the packet
 * @return the same key as without those headers
 */
uint64_t FindPacketKey(Ptr<const Packet> packet);

/**
 * Get the key of a frame, among those of the same message. Of frames with payload, the upper bits
 * of kind and id do not count: some protocols mark in the kind that a packet is sent again, or
 * requests an acknowledgement, and a number of the receiver in the id is not known at first.
 * @param frame the frame
 * @return the same for all copies of the frame
 */
uint64_t GetFrameKey(const Frame& frame);

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_SCENARIO_PACKET_KEY_H
