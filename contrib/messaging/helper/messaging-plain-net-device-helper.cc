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

void
PlainNetDeviceHelper::EnablePcapInternal(std::string prefix,
                                         Ptr<NetDevice> device,
                                         bool promiscuous,
                                         bool explicitFilename)
{
    const TypeId type = device->GetInstanceTypeId();
    const TypeId expected = m_deviceFactory.GetTypeId();
    if (type != expected && !type.IsChildOf(expected))
    {
        NS_LOG_INFO("Device " << device << " is not of type " << expected.GetName() << ".");
        return;
    }
    PcapHelper helper;
    const std::string name =
        explicitFilename ? prefix : helper.GetFilenameFromDevice(prefix, device);
    const auto file = helper.CreateFile(name, std::ios::out, PcapHelper::DLT_EN10MB);
    helper.HookDefaultSink<NetDevice>(device, promiscuous ? "PromiscSniffer" : "Sniffer", file);
}

} // namespace messaging
} // namespace ns3
