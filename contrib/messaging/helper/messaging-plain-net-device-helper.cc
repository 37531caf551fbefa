/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-plain-net-device-helper.h"

#include "ns3/log.h"

namespace ns3
{
namespace messaging
{

NS_LOG_COMPONENT_DEFINE("MessagingPlainNetDeviceHelper");

PlainNetDeviceHelper::PlainNetDeviceHelper(TypeId device)
{
    m_deviceFactory.SetTypeId(device);
}

bool
PlainNetDeviceHelper::IsOwn(Ptr<const NetDevice> device) const
{
    const TypeId type = device->GetInstanceTypeId();
    const TypeId expected = m_deviceFactory.GetTypeId();
    if (type == expected || type.IsChildOf(expected))
    {
        return true;
    }
    NS_LOG_INFO("Device " << device << " is not of type " << expected.GetName()
                          << ": it is not traced");
    return false;
}

void
PlainNetDeviceHelper::EnablePcapInternal(std::string prefix,
                                         Ptr<NetDevice> device,
                                         bool promiscuous,
                                         bool explicitFilename)
{
    if (!IsOwn(device))
    {
        return;
    }
    PcapHelper helper;
    const std::string name =
        explicitFilename ? prefix : helper.GetFilenameFromDevice(prefix, device);
    const auto file = helper.CreateFile(name, std::ios::out, PcapHelper::DLT_EN10MB);
    helper.HookDefaultSink<NetDevice>(device, promiscuous ? "PromiscSniffer" : "Sniffer", file);
}

void
PlainNetDeviceHelper::EnableAsciiInternal(Ptr<OutputStreamWrapper> stream,
                                          std::string prefix,
                                          Ptr<NetDevice> device,
                                          bool explicitFilename)
{
    if (!IsOwn(device))
    {
        return;
    }
    Packet::EnablePrinting();
    const auto plain = DynamicCast<PlainNetDevice>(device);
    const Ptr<Queue<Packet>> queue = plain->GetQueue();
    AsciiTraceHelper helper;
    if (!stream)
    {
        // The file is of one device, so its lines need no path.
        const std::string name =
            explicitFilename ? prefix : helper.GetFilenameFromDevice(prefix, device);
        const auto file = helper.CreateFileStream(name);
        helper.HookDefaultEnqueueSinkWithoutContext<Queue<Packet>>(queue, "Enqueue", file);
        helper.HookDefaultDequeueSinkWithoutContext<Queue<Packet>>(queue, "Dequeue", file);
        helper.HookDefaultDropSinkWithoutContext<Queue<Packet>>(queue, "Drop", file);
        helper.HookDefaultDropSinkWithoutContext<NetDevice>(device, "PhyRxDrop", file);
        helper.HookDefaultReceiveSinkWithoutContext<NetDevice>(device, "MacRx", file);
        return;
    }
    const std::string path = "/NodeList/" + std::to_string(device->GetNode()->GetId()) +
                             "/DeviceList/" + std::to_string(device->GetIfIndex()) + "/$" +
                             device->GetInstanceTypeId().GetName() + "/";
    const auto connect = [&](Ptr<Object> source, const std::string& name, auto sink) {
        const std::string trace = name.substr(name.rfind('/') + 1);
        source->TraceConnect(trace, path + name, MakeBoundCallback(sink, stream));
    };
    connect(queue, "TxQueue/Enqueue", &AsciiTraceHelper::DefaultEnqueueSinkWithContext);
    connect(queue, "TxQueue/Dequeue", &AsciiTraceHelper::DefaultDequeueSinkWithContext);
    connect(queue, "TxQueue/Drop", &AsciiTraceHelper::DefaultDropSinkWithContext);
    connect(device, "PhyRxDrop", &AsciiTraceHelper::DefaultDropSinkWithContext);
    connect(device, "MacRx", &AsciiTraceHelper::DefaultReceiveSinkWithContext);
}

} // namespace messaging
} // namespace ns3
