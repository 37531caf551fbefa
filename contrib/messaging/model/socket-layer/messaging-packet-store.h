/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_PACKET_STORE_H
#define MESSAGING_PACKET_STORE_H

#include "ns3/messaging-types.h"
#include "ns3/object.h"
#include "ns3/packet.h"

#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Packets of messages in flight.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * The packets that the messages of a group represent, from the sender's post to the delivery.
 *
 * A message carries one word in place of its bytes. The store makes this word, the packet's key,
 * from a hash of the bytes and of a serial number. So two packets with the same bytes have
 * different keys, and a key with any bit altered finds no packet.
 *
 * A packet leaves the store when its message has been delivered to every receiver and is completed
 * as DELIVERED. Otherwise, nothing says that it will not arrive (again). Of the messages that ended
 * in another way, the store retains the latest.
 */
class MessagePacketStore : public Object
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Store a packet.
     * @param packet the packet, which must not change any more
     * @param from its sender
     * @param receivers number of receivers
     * @return its key, never of another packet in the store
     */
    uint64_t Put(Ptr<const Packet> packet, Peer from, uint32_t receivers);

    /**
     * Remove a packet whose message was never posted.
     * @param key its key
     */
    void Discard(uint64_t key);

    /**
     * Get a packet.
     * @param key its key
     * @return the packet; nullptr if there is none
     */
    Ptr<const Packet> Peek(uint64_t key) const;

    /**
     * Get the packet of a message that is delivered.
     * @param key the contents of the message
     * @param from its sender
     * @param bytes its size [bytes]
     * @return a copy of the packet; nullptr if no packet has this key, sender and size
     */
    Ptr<Packet> Receive(uint64_t key, Peer from, uint32_t bytes);

    /**
     * End a message.
     * @param key its key
     * @param completion its outcome
     */
    void End(uint64_t key, Completion completion);

    /** @return the number of packets in the store. */
    uint64_t GetN() const
    {
        return m_packets.size();
    }

  private:
    /** A packet in flight. */
    struct Flight
    {
        Ptr<const Packet> packet; ///< The packet.
        Peer from{0};             ///< Its sender.
        uint32_t missing{0};      ///< Number of receivers to which it has not been delivered.
    };

    std::unordered_map<uint64_t, Flight> m_packets; ///< Packets by key.
    std::deque<uint64_t> m_ended;                   ///< Keys of retained packets, oldest first.
    std::vector<uint8_t> m_bytes;                   ///< Serial number and bytes to be hashed.
    uint64_t m_serial{0};                           ///< Number of the next packet.
    uint32_t m_retained{0};                         ///< Maximum number of retained packets.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_PACKET_STORE_H
