/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "broadcast-ethernet-helper.h"

#include "ns3/broadcast-ethernet-net-device.h"
#include "ns3/log.h"
#include "ns3/mac48-address.h"
#include "ns3/net-device-queue-interface.h"
#include "ns3/node.h"
#include "ns3/string.h"

#include <set>

namespace ns3
{
namespace ethernet
{

NS_LOG_COMPONENT_DEFINE("BroadcastEthernetHelper");

EthernetHelper::EthernetHelper()
    : m_segmentFactory("ns3::ethernet::EthernetSegment"),
      m_deviceFactory("ns3::ethernet::EthernetNetDevice")
{
    SetQueue("ns3::DropTailQueue", "MaxSize", StringValue("16p"));
}

void
EthernetHelper::SetSegmentAttribute(const std::string& name, const AttributeValue& value)
{
    m_segmentFactory.Set(name, value);
}

void
EthernetHelper::SetDeviceAttribute(const std::string& name, const AttributeValue& value)
{
    m_deviceFactory.Set(name, value);
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
        const auto device = m_deviceFactory.Create<EthernetNetDevice>();
        device->SetAddress(Mac48Address::Allocate());
        (*node)->AddDevice(device);
        device->SetQueue(m_queueFactory.Create<Queue<Packet>>());
        device->Attach(medium);
        device->AggregateObject(CreateObject<NetDeviceQueueInterface>());
        devices.Add(device);
    }
    return devices;
}

Ptr<EthernetSegment>
EthernetHelper::GetSegment(const NetDeviceContainer& devices)
{
    return DynamicCast<EthernetSegment>(devices.Get(0)->GetChannel());
}

int64_t
EthernetHelper::AssignStreams(const NetDeviceContainer& devices, int64_t stream)
{
    std::set<uint32_t> done;
    int64_t next = stream;
    for (auto device = devices.Begin(); device != devices.End(); ++device)
    {
        const auto segment = DynamicCast<EthernetSegment>((*device)->GetChannel());
        if (segment && done.insert(segment->GetId()).second)
        {
            next += segment->AssignStreams(next);
        }
    }
    return next - stream;
}

void
EthernetHelper::EnablePcapInternal(std::string prefix,
                                   Ptr<NetDevice> device,
                                   bool promiscuous,
                                   bool explicitFilename)
{
    const auto ethernet = DynamicCast<EthernetNetDevice>(device);
    if (!ethernet)
    {
        NS_LOG_INFO("Device " << device << " is not of type EthernetNetDevice.");
        return;
    }
    PcapHelper helper;
    const std::string name =
        explicitFilename ? prefix : helper.GetFilenameFromDevice(prefix, device);
    const auto file = helper.CreateFile(name, std::ios::out, PcapHelper::DLT_EN10MB);
    helper.HookDefaultSink<EthernetNetDevice>(ethernet,
                                              promiscuous ? "PromiscSniffer" : "Sniffer",
                                              file);
}

} // namespace ethernet
} // namespace ns3
