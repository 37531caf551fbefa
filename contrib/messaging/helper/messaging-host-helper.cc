/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-host-helper.h"

#include "ns3/abort.h"
#include "ns3/net-device-queue-interface.h"
#include "ns3/node.h"

namespace ns3
{
namespace messaging
{

Ptr<HostModel>
HostHelper::InstallHost(Ptr<Node> node) const
{
    if (const auto present = node->GetObject<HostModel>())
    {
        return present;
    }
    const auto host = m_hostFactory.Create<HostModel>();
    host->GetCpus()->SetNServers(m_cpus);
    node->AggregateObject(host);
    return host;
}

NetDeviceContainer
HostHelper::Install(const NetDeviceContainer& devices) const
{
    NetDeviceContainer wrapped;
    for (uint32_t i = 0; i < devices.GetN(); ++i)
    {
        const Ptr<NetDevice> device = devices.Get(i);
        const Ptr<Node> node = device->GetNode();
        NS_ABORT_MSG_IF(!node, "A device must be installed on a node before HostHelper::Install.");
        const auto front = m_deviceFactory.Create<HostNetDevice>();
        front->SetHost(InstallHost(node));
        front->SetDevice(device);
        node->AddDevice(front);
        front->AggregateObject(CreateObject<NetDeviceQueueInterface>());
        wrapped.Add(front);
    }
    return wrapped;
}

} // namespace messaging
} // namespace ns3
