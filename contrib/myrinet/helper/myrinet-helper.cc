/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "myrinet-helper.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/mac48-address.h"
#include "ns3/myrinet-net-device.h"
#include "ns3/net-device-queue-interface.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/pointer.h"
#include "ns3/queue.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3
{
namespace myrinet
{

NS_LOG_COMPONENT_DEFINE("MyrinetHelper");

MyrinetHelper::MyrinetHelper()
{
    m_portFactory.SetTypeId(MyrinetPort::GetTypeId());
    m_deviceFactory.SetTypeId(MyrinetNetDevice::GetTypeId());
    m_queueFactory.SetTypeId("ns3::DropTailQueue<Packet>");
}

void
MyrinetHelper::SetPortAttribute(const std::string& name, const AttributeValue& value)
{
    m_portFactory.Set(name, value);
}

void
MyrinetHelper::SetDeviceAttribute(const std::string& name, const AttributeValue& value)
{
    m_deviceFactory.Set(name, value);
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
        const auto device = m_deviceFactory.Create<MyrinetNetDevice>();
        device->SetAddress(Mac48Address::Allocate());
        (*node)->AddDevice(device);
        device->SetQueue(m_queueFactory.Create<Queue<ns3::Packet>>());
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
        device->AggregateObject(CreateObject<NetDeviceQueueInterface>());
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

void
MyrinetHelper::EnablePcapInternal(std::string prefix,
                                  Ptr<NetDevice> device,
                                  bool promiscuous,
                                  bool explicitFilename)
{
    const auto myrinet = DynamicCast<MyrinetNetDevice>(device);
    if (!myrinet)
    {
        NS_LOG_INFO("Device " << device << " is not of type MyrinetNetDevice.");
        return;
    }
    PcapHelper helper;
    const std::string name =
        explicitFilename ? prefix : helper.GetFilenameFromDevice(prefix, device);
    const auto file = helper.CreateFile(name, std::ios::out, PcapHelper::DLT_EN10MB);
    helper.HookDefaultSink<MyrinetNetDevice>(myrinet,
                                             promiscuous ? "PromiscSniffer" : "Sniffer",
                                             file);
}

} // namespace myrinet
} // namespace ns3
