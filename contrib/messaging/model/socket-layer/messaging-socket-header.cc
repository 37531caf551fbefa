/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-socket-header.h"

#include <array>

namespace ns3
{
namespace messaging
{

NS_OBJECT_ENSURE_REGISTERED(MessageSocketHeader);

std::ostream&
operator<<(std::ostream& os, SocketMessage kind)
{
    constexpr std::array NAMES{"DATAGRAM", "CONNECT", "ACCEPT", "DATA", "CLOSE", "RESET"};
    return os << NAMES[static_cast<std::size_t>(kind)];
}

MessageSocketHeader::MessageSocketHeader(SocketMessage kind,
                                         uint16_t sourcePort,
                                         uint16_t destinationPort)
    : m_kind(kind),
      m_sourcePort(sourcePort),
      m_destinationPort(destinationPort)
{
}

TypeId
MessageSocketHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::messaging::MessageSocketHeader")
                            .SetParent<Header>()
                            .SetGroupName("Messaging")
                            .AddConstructor<MessageSocketHeader>();
    return tid;
}

TypeId
MessageSocketHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

void
MessageSocketHeader::Print(std::ostream& os) const
{
    if (!m_intact)
    {
        os << "damaged header";
        return;
    }
    os << m_kind << " " << m_sourcePort << " > " << m_destinationPort;
}

uint32_t
MessageSocketHeader::GetSerializedSize() const
{
    return SIZE;
}

void
MessageSocketHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteU8(static_cast<uint8_t>(m_kind));
    start.WriteHtonU16(m_sourcePort);
    start.WriteHtonU16(m_destinationPort);
}

uint32_t
MessageSocketHeader::Deserialize(Buffer::Iterator start)
{
    const uint32_t present = start.GetRemainingSize();
    m_intact = present >= SIZE;
    if (!m_intact)
    {
        return present;
    }
    const uint8_t kind = start.ReadU8();
    m_intact = kind <= static_cast<uint8_t>(SocketMessage::RESET);
    m_kind = m_intact ? static_cast<SocketMessage>(kind) : SocketMessage::DATAGRAM;
    m_sourcePort = start.ReadNtohU16();
    m_destinationPort = start.ReadNtohU16();
    return SIZE;
}

} // namespace messaging
} // namespace ns3
