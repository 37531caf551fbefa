/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-net-device-decorator.h"

#include "ns3/abort.h"

namespace ns3
{
namespace messaging
{

NS_OBJECT_ENSURE_REGISTERED(NetDeviceDecorator);

TypeId
NetDeviceDecorator::GetTypeId()
{
    static TypeId tid = TypeId("ns3::messaging::NetDeviceDecorator")
                            .SetParent<NetDevice>()
                            .SetGroupName("Messaging");
    return tid;
}

NetDeviceDecorator::NetDeviceDecorator() = default;

NetDeviceDecorator::~NetDeviceDecorator() = default;

void
NetDeviceDecorator::DoDispose()
{
    m_device = nullptr;
    m_node = nullptr;
    NetDevice::DoDispose();
}

void
NetDeviceDecorator::SetDevice(Ptr<NetDevice> device)
{
    NS_ABORT_MSG_IF(m_device, "The device behind can be set once only.");
    m_device = device;
}

Ptr<NetDevice>
NetDeviceDecorator::GetDevice() const
{
    return m_device;
}

void
NetDeviceDecorator::SetIfIndex(const uint32_t index)
{
    m_ifIndex = index;
}

uint32_t
NetDeviceDecorator::GetIfIndex() const
{
    return m_ifIndex;
}

Ptr<Channel>
NetDeviceDecorator::GetChannel() const
{
    return m_device->GetChannel();
}

void
NetDeviceDecorator::SetAddress(Address address)
{
    m_device->SetAddress(address);
}

Address
NetDeviceDecorator::GetAddress() const
{
    return m_device->GetAddress();
}

bool
NetDeviceDecorator::SetMtu(const uint16_t mtu)
{
    return m_device->SetMtu(mtu);
}

uint16_t
NetDeviceDecorator::GetMtu() const
{
    return m_device->GetMtu();
}

bool
NetDeviceDecorator::IsLinkUp() const
{
    return m_device->IsLinkUp();
}

void
NetDeviceDecorator::AddLinkChangeCallback(Callback<void> callback)
{
    m_device->AddLinkChangeCallback(callback);
}

bool
NetDeviceDecorator::IsBroadcast() const
{
    return m_device->IsBroadcast();
}

Address
NetDeviceDecorator::GetBroadcast() const
{
    return m_device->GetBroadcast();
}

bool
NetDeviceDecorator::IsMulticast() const
{
    return m_device->IsMulticast();
}

Address
NetDeviceDecorator::GetMulticast(Ipv4Address multicastGroup) const
{
    return m_device->GetMulticast(multicastGroup);
}

Address
NetDeviceDecorator::GetMulticast(Ipv6Address addr) const
{
    return m_device->GetMulticast(addr);
}

bool
NetDeviceDecorator::IsBridge() const
{
    return m_device->IsBridge();
}

bool
NetDeviceDecorator::IsPointToPoint() const
{
    return m_device->IsPointToPoint();
}

Ptr<Node>
NetDeviceDecorator::GetNode() const
{
    return m_node;
}

void
NetDeviceDecorator::SetNode(Ptr<Node> node)
{
    m_node = node;
}

bool
NetDeviceDecorator::NeedsArp() const
{
    return m_device->NeedsArp();
}

bool
NetDeviceDecorator::SupportsSendFrom() const
{
    return m_device->SupportsSendFrom();
}

} // namespace messaging
} // namespace ns3
