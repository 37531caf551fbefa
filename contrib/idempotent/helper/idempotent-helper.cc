/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "idempotent-helper.h"

#include "ns3/messaging-net-device-port.h"
#include "ns3/net-device.h"
#include "ns3/node-container.h"
#include "ns3/pointer.h"

namespace ns3
{
namespace idempotent
{

IdempotentHelper::IdempotentHelper()
{
    m_backoff.SetTypeId(QuadraticBackoff::GetTypeId());
}

void
IdempotentHelper::SetGroupAttribute(const std::string& name, const AttributeValue& value)
{
    m_settings.push_back(Setting{name, value.Copy()});
}

void
IdempotentHelper::Configure(Ptr<IdempotentGroup> group) const
{
    group->SetAttribute("Backoff", PointerValue(m_backoff.Create<BackoffPolicy>()));
    for (const auto& setting : m_settings)
    {
        group->SetAttribute(setting.name, *setting.value);
    }
}

Ptr<IdempotentGroup>
IdempotentHelper::Install(Ptr<wormhole::WormholeNetwork> network,
                          Ptr<messaging::TickClock> clock) const
{
    network->SetClock(clock);
    return InstallOnPort(network, clock);
}

Ptr<messaging::GroupEndpoints>
IdempotentHelper::Install(const NetDeviceContainer& devices) const
{
    const auto clock = CreateObject<messaging::TickClock>();
    const auto port = CreateObject<messaging::NetDevicePort>();
    port->Connect(clock, devices);
    const auto endpoints = CreateObject<messaging::GroupEndpoints>();
    endpoints->Connect(InstallOnPort(port, clock));
    NodeContainer nodes;
    for (uint32_t i = 0; i < devices.GetN(); ++i)
    {
        nodes.Add(devices.Get(i)->GetNode());
    }
    endpoints->Aggregate(nodes);
    return endpoints;
}

} // namespace idempotent
} // namespace ns3
