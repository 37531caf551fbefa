/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "infiniband-helper.h"

#include "ns3/abort.h"
#include "ns3/infiniband-net-device.h"
#include "ns3/log.h"
#include "ns3/messaging-forwarded-attributes.h"

namespace ns3
{
namespace infiniband
{

NS_LOG_COMPONENT_DEFINE("InfinibandHelper");

InfinibandHelper::InfinibandHelper()
    : PlainNetDeviceHelper(InfinibandNetDevice::GetTypeId()),
      m_engine(CreateObject<Engine>())
{
}

void
InfinibandHelper::SetAttribute(const std::string& name, const AttributeValue& value)
{
    m_engine->SetAttribute(name, value);
}

NetDeviceContainer
InfinibandHelper::Install(const NodeContainer& nodes) const
{
    const auto engine = CreateObject<Engine>();
    messaging::CopyAttributes(m_engine, engine);
    return Install(nodes, engine);
}

NetDeviceContainer
InfinibandHelper::Install(const NodeContainer& nodes, Ptr<Engine> engine) const
{
    NS_LOG_FUNCTION(this << nodes.GetN());
    const auto channel = CreateObject<InfinibandChannel>();
    channel->Open(engine, nodes.GetN());
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

Ptr<Engine>
InfinibandHelper::GetEngine(const NetDeviceContainer& devices)
{
    return DynamicCast<InfinibandChannel>(devices.Get(0)->GetChannel())->GetEngine();
}

Ptr<Fabric>
InfinibandHelper::GetFabric(const NetDeviceContainer& devices)
{
    return GetEngine(devices)->GetFabric();
}

int64_t
InfinibandHelper::AssignStreams(const NetDeviceContainer& devices, int64_t stream)
{
    return GetEngine(devices)->AssignStreams(stream);
}

} // namespace infiniband
} // namespace ns3
