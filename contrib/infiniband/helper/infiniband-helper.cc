/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "infiniband-helper.h"

#include "ns3/abort.h"
#include "ns3/infiniband-net-device.h"
#include "ns3/messaging-forwarded-attributes.h"

namespace ns3
{
namespace infiniband
{

InfinibandHelper::InfinibandHelper()
    : PlainNetDeviceHelper(InfinibandNetDevice::GetTypeId()),
      m_subnet(CreateObject<Subnet>()),
      m_fabric(CreateObject<Fabric>())
{
}

void
InfinibandHelper::SetSubnetAttribute(const std::string& name, const AttributeValue& value)
{
    m_subnet->SetAttribute(name, value);
}

void
InfinibandHelper::SetFabricAttribute(const std::string& name, const AttributeValue& value)
{
    m_fabric->SetAttribute(name, value);
}

void
InfinibandHelper::CopyAttributes(Ptr<const Subnet> subnet, Ptr<const Fabric> fabric)
{
    messaging::CopyAttributes(subnet, m_subnet);
    messaging::CopyAttributes(fabric, m_fabric);
}

NetDeviceContainer
InfinibandHelper::Install(const NodeContainer& nodes) const
{
    const auto subnet = CreateObject<Subnet>();
    const auto fabric = CreateObject<Fabric>();
    messaging::CopyAttributes(m_subnet, subnet);
    messaging::CopyAttributes(m_fabric, fabric);
    const std::string error = fabric->Build(*subnet, nodes.GetN());
    NS_ABORT_MSG_UNLESS(error.empty(), error);
    NS_ABORT_MSG_UNLESS(subnet->GetNHosts() == nodes.GetN(),
                        "The subnet has " << subnet->GetNHosts() << " hosts, not " << nodes.GetN()
                                          << ".");
    const auto channel = CreateObject<InfinibandChannel>();
    channel->SetFabric(fabric, subnet);
    NetDeviceContainer devices;
    for (auto node = nodes.Begin(); node != nodes.End(); ++node)
    {
        const auto device = MakeDevice<InfinibandNetDevice>(*node);
        device->Attach(channel);
        NS_ABORT_MSG_UNLESS(device->SetMtu(device->GetMtu()),
                            "A device's Mtu is at most four bytes less than the fabric's, not "
                                << device->GetMtu() << ".");
        devices.Add(device);
    }
    return devices;
}

Ptr<Fabric>
InfinibandHelper::GetFabric(const NetDeviceContainer& devices)
{
    return DynamicCast<InfinibandChannel>(devices.Get(0)->GetChannel())->GetFabric();
}

int64_t
InfinibandHelper::AssignStreams(const NetDeviceContainer& devices, int64_t stream)
{
    return GetFabric(devices)->AssignStreams(stream);
}

} // namespace infiniband
} // namespace ns3
