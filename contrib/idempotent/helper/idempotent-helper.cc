/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "idempotent-helper.h"

#include "ns3/messaging-net-device-port.h"
#include "ns3/net-device.h"
#include "ns3/node-container.h"

namespace ns3
{
namespace idempotent
{

void
IdempotentHelper::SetAttribute(const std::string& name, const AttributeValue& value)
{
    m_protocol->SetAttribute(name, value);
}

Ptr<IdempotentGroup>
IdempotentHelper::Install(Ptr<wormhole::WormholeNetwork> network,
                          Ptr<messaging::TickClock> clock) const
{
    network->SetClock(clock);
    return m_protocol->ConnectPort(clock, network);
}

Ptr<messaging::GroupEndpoints>
IdempotentHelper::Install(const NetDeviceContainer& devices) const
{
    const auto clock = CreateObject<messaging::TickClock>();
    const auto port = CreateObject<messaging::NetDevicePort>();
    port->Connect(clock, devices);
    const auto endpoints = CreateObject<messaging::GroupEndpoints>();
    endpoints->Connect(m_protocol->ConnectPort(clock, port));
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
