/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "broadcast-ethernet-switch-helper.h"

#include "ns3/abort.h"

#include <set>

namespace ns3
{
namespace ethernet
{

EthernetSwitchHelper::EthernetSwitchHelper()
    : m_switchFactory("ns3::ethernet::EthernetSwitch")
{
}

void
EthernetSwitchHelper::SetSwitchAttribute(const std::string& name, const AttributeValue& value)
{
    m_switchFactory.Set(name, value);
}

Ptr<EthernetSwitch>
EthernetSwitchHelper::CreateSwitch() const
{
    return m_switchFactory.Create<EthernetSwitch>();
}

NetDeviceContainer
EthernetSwitchHelper::Install(const NodeContainer& nodes) const
{
    return Install(nodes, CreateSwitch());
}

void
EthernetSwitchHelper::Connect(Ptr<EthernetSwitch> a, Ptr<EthernetSwitch> b)
{
    const std::string error = a->Connect(b);
    NS_ABORT_MSG_UNLESS(error.empty(), error);
}

Ptr<EthernetSwitch>
EthernetSwitchHelper::GetSwitch(Ptr<NetDevice> device)
{
    return DynamicCast<EthernetSwitch>(device->GetChannel());
}

void
EthernetSwitchHelper::Join(Ptr<NetDevice> device, Mac48Address group)
{
    const auto lan = GetSwitch(device);
    NS_ABORT_MSG_UNLESS(lan, "The device that is to join group " << group << " is on no switch.");
    lan->JoinLan(group, device);
}

void
EthernetSwitchHelper::SetLinkUp(Ptr<NetDevice> device, bool up)
{
    const auto lan = GetSwitch(device);
    NS_ABORT_MSG_UNLESS(lan, "The device whose cable is to be cut or repaired is on no switch.");
    lan->SetLinkUp(lan->FindPort(device), up);
}

int64_t
EthernetSwitchHelper::AssignStreams(const NetDeviceContainer& devices, int64_t stream)
{
    std::set<EthernetSwitch*> done;
    int64_t next = stream;
    for (auto device = devices.Begin(); device != devices.End(); ++device)
    {
        if (const auto lan = GetSwitch(*device))
        {
            for (EthernetSwitch* member : lan->GetLan())
            {
                if (done.insert(member).second)
                {
                    next += member->AssignStreams(next);
                }
            }
        }
    }
    return next - stream;
}

} // namespace ethernet
} // namespace ns3
