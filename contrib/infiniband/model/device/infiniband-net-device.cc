/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "infiniband-net-device.h"

#include "ns3/ethernet-header.h"
#include "ns3/log.h"
#include "ns3/uinteger.h"

namespace ns3
{
namespace infiniband
{

NS_LOG_COMPONENT_DEFINE("InfinibandNetDevice");
NS_OBJECT_ENSURE_REGISTERED(InfinibandNetDevice);

TypeId
InfinibandNetDevice::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::infiniband::InfinibandNetDevice")
            .SetParent<messaging::PlainNetDevice>()
            .SetGroupName("Infiniband")
            .AddConstructor<InfinibandNetDevice>()
            .AddAttribute(
                "Mtu",
                "Largest IP packet, at most four bytes less than the fabric's Mtu [bytes; RFC "
                "4391].",
                UintegerValue(2044),
                MakeUintegerAccessor(&InfinibandNetDevice::SetMtu,
                                     static_cast<uint16_t (InfinibandNetDevice::*)() const>(
                                         &InfinibandNetDevice::GetMtu)),
                MakeUintegerChecker<uint16_t>(68,
                                              MTUS.back() -
                                                  InfinibandChannel::ENCAPSULATION_BYTES));
    return tid;
}

void
InfinibandNetDevice::DoDispose()
{
    m_channel = nullptr;
    PlainNetDevice::DoDispose();
}

void
InfinibandNetDevice::Attach(Ptr<InfinibandChannel> channel)
{
    m_channel = channel;
    m_host = channel->Attach(this);
    channel->UpdateAddress(m_host, m_address);
    SetLinkUp(true);
}

Ptr<Channel>
InfinibandNetDevice::GetChannel() const
{
    return m_channel;
}

void
InfinibandNetDevice::SetAddress(ns3::Address address)
{
    PlainNetDevice::SetAddress(address);
    if (m_channel)
    {
        m_channel->UpdateAddress(m_host, m_address);
    }
}

bool
InfinibandNetDevice::SetMtu(const uint16_t mtu)
{
    const uint32_t most = (m_channel ? m_channel->GetEngine()->GetLinkConfig().mtu : MTUS.back()) -
                          InfinibandChannel::ENCAPSULATION_BYTES;
    return mtu <= most && PlainNetDevice::SetMtu(mtu);
}

bool
InfinibandNetDevice::SendFrom(Ptr<ns3::Packet> packet,
                              const ns3::Address& source,
                              const ns3::Address& dest,
                              uint16_t protocol)
{
    NS_LOG_FUNCTION(this << packet << source << dest << protocol);
    const Mac48Address to = Mac48Address::ConvertFrom(dest);
    const Mac48Address from = Mac48Address::ConvertFrom(source);
    if (!IsLinkUp() || from != m_address || packet->GetSize() > GetMtu() ||
        (!to.IsGroup() && m_channel->Find(to) == InfinibandChannel::NO_HOST))
    {
        NS_LOG_INFO("A packet of " << packet->GetSize() << " bytes from " << from << " to " << to
                                   << " is refused");
        return Refuse(packet, from, to, protocol);
    }
    if (!Enqueue(packet, from, to, protocol))
    {
        return false;
    }
    Transmit();
    return true;
}

void
InfinibandNetDevice::Transmit()
{
    while (IsLinkUp() && GetQueue() && !GetQueue()->IsEmpty() && m_channel->HasRoom(m_host))
    {
        const Ptr<ns3::Packet> packet = Dequeue();
        if (!packet)
        {
            return;
        }
        EthernetHeader header(false);
        packet->PeekHeader(header);
        const bool group = header.GetDestination().IsGroup();
        const HostId to =
            group ? InfinibandChannel::NO_HOST : m_channel->Find(header.GetDestination());
        if (!group && to == InfinibandChannel::NO_HOST)
        {
            NS_LOG_INFO("A packet to " << header.GetDestination()
                                       << ", which has another address now, is dropped");
            m_phyTxDrop(packet);
            continue;
        }
        m_sniffer(packet);
        m_promiscSniffer(packet);
        m_phyTxBegin(packet);
        m_channel->Send(m_host, to, packet);
    }
}

void
InfinibandNetDevice::Arrive(Ptr<ns3::Packet> packet)
{
    NS_LOG_FUNCTION(this << packet);
    Receive(packet);
}

} // namespace infiniband
} // namespace ns3
