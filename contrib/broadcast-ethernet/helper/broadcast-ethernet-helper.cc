/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "broadcast-ethernet-helper.h"

#include "ns3/broadcast-ethernet-net-device.h"
#include "ns3/string.h"

#include <set>

namespace ns3
{
namespace ethernet
{

EthernetHelper::EthernetHelper()
    : PlainNetDeviceHelper(EthernetNetDevice::GetTypeId()),
      m_segmentFactory("ns3::ethernet::EthernetSegment")
{
    SetQueue("ns3::DropTailQueue", "MaxSize", StringValue("16p"));
}

NetDeviceContainer
EthernetHelper::Install(const NodeContainer& nodes) const
{
    return Install(nodes, m_segmentFactory.Create<EthernetSegment>());
}

NetDeviceContainer
EthernetHelper::Install(const NodeContainer& nodes, Ptr<EthernetMedium> medium) const
{
    NetDeviceContainer devices;
    for (auto node = nodes.Begin(); node != nodes.End(); ++node)
    {
        const auto device = MakeDevice<EthernetNetDevice>(*node);
        device->Attach(medium);
        devices.Add(device);
    }
    return devices;
}

int64_t
EthernetHelper::AssignStreams(const NetDeviceContainer& devices, int64_t stream)
{
    // Joined media have the same devices.
    std::set<Ptr<NetDevice>> done;
    int64_t next = stream;
    for (auto device = devices.Begin(); device != devices.End(); ++device)
    {
        const auto medium = DynamicCast<EthernetMedium>((*device)->GetChannel());
        if (medium && done.insert(medium->GetDevice(0)).second)
        {
            next += medium->AssignStreams(next);
        }
    }
    return next - stream;
}

} // namespace ethernet
} // namespace ns3
