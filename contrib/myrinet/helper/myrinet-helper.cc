/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "myrinet-helper.h"

#include "ns3/abort.h"
#include "ns3/myrinet-net-device.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/pointer.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3
{
namespace myrinet
{

MyrinetHelper::MyrinetHelper()
    : PlainNetDeviceHelper(MyrinetNetDevice::GetTypeId())
{
    m_portFactory.SetTypeId(MyrinetPort::GetTypeId());
}

void
MyrinetHelper::SetPortAttribute(const std::string& name, const AttributeValue& value)
{
    m_portFactory.Set(name, value);
}

NetDeviceContainer
MyrinetHelper::Install(const NodeContainer& nodes) const
{
    const auto port = m_portFactory.Create<MyrinetPort>();
    port->SetAttribute("Hosts", UintegerValue(nodes.GetN()));
    const std::string error = port->Check();
    NS_ABORT_MSG_UNLESS(error.empty(), error);
    NS_ABORT_MSG_UNLESS(port->GetNPeers() == nodes.GetN(),
                        "The network has " << port->GetNPeers() << " hosts, not " << nodes.GetN()
                                           << ".");
    const auto channel = CreateObject<MyrinetChannel>();
    channel->SetPort(port, CreateObject<messaging::TickClock>());
    NetDeviceContainer devices;
    for (auto node = nodes.Begin(); node != nodes.End(); ++node)
    {
        const auto device = MakeDevice<MyrinetNetDevice>(*node);
        if (m_lanaiFactory.IsTypeIdSet())
        {
            const auto lanai = m_lanaiFactory.Create<MyrinetLanai>();
            if (const auto host = (*node)->GetObject<messaging::HostModel>())
            {
                lanai->SetHost(host);
            }
            device->SetAttribute("Lanai", PointerValue(lanai));
        }
        device->Attach(channel);
        devices.Add(device);
    }
    return devices;
}

Ptr<MyrinetPort>
MyrinetHelper::GetPort(const NetDeviceContainer& devices)
{
    return DynamicCast<MyrinetChannel>(devices.Get(0)->GetChannel())->GetPort();
}

int64_t
MyrinetHelper::AssignStreams(const NetDeviceContainer& devices, int64_t stream)
{
    return GetPort(devices)->AssignStreams(stream);
}

} // namespace myrinet
} // namespace ns3
