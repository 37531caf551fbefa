/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-packet-store.h"

#include "ns3/hash.h"
#include "ns3/log.h"
#include "ns3/messaging-attributes.h"

#include <cstring>

namespace ns3
{
namespace messaging
{

NS_LOG_COMPONENT_DEFINE("MessagingPacketStore");
NS_OBJECT_ENSURE_REGISTERED(MessagePacketStore);

TypeId
MessagePacketStore::GetTypeId()
{
    static TypeId tid =
        Attributes<MessagePacketStore>(TypeId("ns3::messaging::MessagePacketStore")
                                           .SetParent<Object>()
                                           .SetGroupName("Messaging")
                                           .AddConstructor<MessagePacketStore>())
            .AddAttribute("Retained",
                          "Packets retained after the end of messages that were not confirmed, and "
                          "that may still arrive [packets; default].",
                          &MessagePacketStore::m_retained,
                          4096);
    return tid;
}

uint64_t
MessagePacketStore::Put(Ptr<const Packet> packet, Peer from, uint32_t receivers)
{
    m_bytes.resize(sizeof(m_serial) + packet->GetSize());
    packet->CopyData(m_bytes.data() + sizeof(m_serial), packet->GetSize());
    while (true)
    {
        std::memcpy(m_bytes.data(), &m_serial, sizeof(m_serial));
        ++m_serial;
        const uint64_t key = Hash64(reinterpret_cast<const char*>(m_bytes.data()), m_bytes.size());
        if (m_packets.emplace(key, Flight{packet, from, receivers}).second)
        {
            NS_LOG_LOGIC("packet " << packet->GetUid() << " of peer " << from << " has key "
                                   << key);
            return key;
        }
    }
}

void
MessagePacketStore::Discard(uint64_t key)
{
    m_packets.erase(key);
}

Ptr<const Packet>
MessagePacketStore::Peek(uint64_t key) const
{
    const auto flight = m_packets.find(key);
    return flight == m_packets.end() ? nullptr : flight->second.packet;
}

Ptr<Packet>
MessagePacketStore::Receive(uint64_t key, Peer from, uint32_t bytes)
{
    const auto found = m_packets.find(key);
    if (found == m_packets.end())
    {
        return nullptr;
    }
    Flight& flight = found->second;
    if (flight.from != from || flight.packet->GetSize() != bytes)
    {
        return nullptr;
    }
    if (flight.missing > 0)
    {
        --flight.missing;
    }
    return flight.packet->Copy();
}

void
MessagePacketStore::End(uint64_t key, Completion completion)
{
    const auto flight = m_packets.find(key);
    if (flight == m_packets.end())
    {
        return;
    }
    if (completion == Completion::DELIVERED && flight->second.missing == 0)
    {
        m_packets.erase(flight);
        return;
    }
    m_ended.push_back(key);
    while (m_ended.size() > m_retained)
    {
        NS_LOG_LOGIC("packet with key " << m_ended.front() << " is not retained any more");
        m_packets.erase(m_ended.front());
        m_ended.pop_front();
    }
}

} // namespace messaging
} // namespace ns3
