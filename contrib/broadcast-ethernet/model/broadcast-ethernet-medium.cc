/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "broadcast-ethernet-medium.h"

#include "ns3/ethernet-header.h"

namespace ns3
{
namespace ethernet
{

NS_OBJECT_ENSURE_REGISTERED(EthernetMedium);

WireFrame::WireFrame(Ptr<const Packet> packet)
    : m_packet(packet),
      m_bytes(packet->GetSize() + FCS_BYTES)
{
    EthernetHeader header(false);
    packet->PeekHeader(header);
    m_to = header.GetDestination();
    m_from = header.GetSource();
    m_type = header.GetLengthType();
    m_group = m_to.IsGroup();
}

WireFrame::WireFrame(Mac48Address to, Mac48Address from, uint16_t type, uint32_t bytes)
    : m_to(to),
      m_from(from),
      m_bytes(bytes),
      m_type(type),
      m_group(to.IsGroup())
{
}

Ptr<const Packet>
WireFrame::GetPayload() const
{
    if (!m_payload && m_packet)
    {
        const Ptr<Packet> payload = m_packet->Copy();
        EthernetHeader header(false);
        payload->RemoveHeader(header);
        m_payload = payload;
    }
    return m_payload;
}

TypeId
EthernetMedium::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ethernet::EthernetMedium")
                            .SetParent<Channel>()
                            .SetGroupName("BroadcastEthernet");
    return tid;
}

} // namespace ethernet
} // namespace ns3
