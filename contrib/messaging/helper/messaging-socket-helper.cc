/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-socket-helper.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/inet-socket-address.h"
#include "ns3/ipv4.h"
#include "ns3/messaging-endpoint.h"
#include "ns3/messaging-net-device-port.h"
#include "ns3/messaging-registry.h"
#include "ns3/messaging-socket-factory.h"
#include "ns3/simulator.h"
#include "ns3/udp-socket-factory.h"

#include <algorithm>

namespace ns3
{
namespace messaging
{

namespace
{

/** Port at which a protocol over TCP or UDP listens. */
constexpr uint16_t PROTOCOL_PORT = 4000;

/**
 * Get the IPv4 address of a device, for a protocol over TCP or UDP.
 * @param device the device
 * @return the address, with the port of the protocol
 */
Address
GetStackAddress(Ptr<NetDevice> device)
{
    const auto ipv4 = device->GetNode()->GetObject<Ipv4>();
    const int32_t interface = ipv4 ? ipv4->GetInterfaceForDevice(device) : -1;
    NS_ABORT_MSG_IF(interface < 0 || ipv4->GetNAddresses(interface) == 0,
                    "A protocol over TCP or UDP needs devices with IPv4 addresses.");
    return InetSocketAddress(ipv4->GetAddress(interface, 0).GetLocal(), PROTOCOL_PORT);
}

} // namespace

MessageSocketHelper::MessageSocketHelper(const std::string& protocol)
    : MessageSocketHelper(DynamicCast<Protocol>(CreateByName(Protocol::GetTypeId(), protocol)))
{
}

MessageSocketHelper::MessageSocketHelper(Ptr<Protocol> protocol)
    : m_protocol(protocol)
{
    NS_ABORT_MSG_UNLESS(m_protocol, "Sockets need a protocol, and there is none of this name.");
}

void
MessageSocketHelper::SetProtocolAttribute(const std::string& name, const AttributeValue& value)
{
    m_protocol->SetAttribute(name, value);
}

void
MessageSocketHelper::SetBase(Ipv4Address network, Ipv4Mask mask)
{
    m_network = network;
    m_mask = mask;
}

void
MessageSocketHelper::EnableAudit()
{
    m_audits = true;
}

MessageInterfaceContainer
MessageSocketHelper::Install(const NetDeviceContainer& devices) const
{
    NodeContainer nodes;
    for (auto device = devices.Begin(); device != devices.End(); ++device)
    {
        nodes.Add((*device)->GetNode());
    }
    Site site;
    if (m_protocol->UsesSockets())
    {
        site.nodes = nodes;
        for (auto device = devices.Begin(); device != devices.End(); ++device)
        {
            site.addresses.push_back(GetStackAddress(*device));
        }
        return Connect(site, PortInfo{}, nodes);
    }
    site.clock = CreateObject<TickClock>();
    auto port = CreateObject<NetDevicePort>();
    port->Connect(site.clock, devices);
    site.port = MakeAnyPort(port);
    return Connect(site, port->GetInfo(), nodes);
}

MessageInterfaceContainer
MessageSocketHelper::Install(Ptr<Network> network, const NodeContainer& nodes) const
{
    Build(network, nodes.GetN());
    NS_ABORT_MSG_IF(network->GetNodes().GetN() > 0,
                    network->GetInstanceTypeId().GetName()
                        << " makes nodes of its own; give their number instead.");
    return Connect({.clock = network->GetClock(), .port = network->GetPort()},
                   network->GetPort()->GetInfo(),
                   nodes);
}

MessageInterfaceContainer
MessageSocketHelper::Install(Ptr<Network> network, uint32_t nodes) const
{
    Build(network, nodes);
    NodeContainer made = network->GetNodes();
    if (made.GetN() == 0)
    {
        made.Create(nodes);
    }
    return Connect({.clock = network->GetClock(), .port = network->GetPort()},
                   network->GetPort()->GetInfo(),
                   made);
}

MessageInterfaceContainer
MessageSocketHelper::Install(const std::string& network, uint32_t nodes) const
{
    const auto built = DynamicCast<Network>(CreateByName(Network::GetTypeId(), network));
    NS_ABORT_MSG_UNLESS(built, "There is no network " << network << ".");
    return Install(built, nodes);
}

void
MessageSocketHelper::Build(Ptr<Network> network, uint32_t peers) const
{
    NS_ABORT_MSG_IF(m_protocol->UsesSockets(),
                    "A protocol over TCP or UDP needs devices with IPv4 addresses.");
    const auto reason = network->Check(peers);
    NS_ABORT_MSG_UNLESS(reason.empty(), reason);
    network->Build(peers);
    // It lives, and its port with it, as long as the simulation.
    Simulator::ScheduleDestroy(&Network::Dispose, network);
}

MessageInterfaceContainer
MessageSocketHelper::Connect(const Site& site,
                             const PortInfo& info,
                             const NodeContainer& nodes) const
{
    const auto reason = m_protocol->Check(info, nodes.GetN());
    NS_ABORT_MSG_UNLESS(reason.empty(), reason);
    return Install(m_protocol->Connect(site), m_protocol->GetPromise(info), nodes);
}

MessageInterfaceContainer
MessageSocketHelper::Install(Ptr<MessageGroup> group,
                             const Promise& promise,
                             const NodeContainer& nodes) const
{
    const uint32_t peers = group->GetNPeers();
    NS_ABORT_MSG_IF(nodes.GetN() != peers,
                    "There are " << nodes.GetN() << " nodes for " << peers << " peers.");
    NS_ABORT_MSG_IF(peers >= m_mask.GetInverse(),
                    "The network of the addresses has too few for " << peers << " nodes.");
    MessageInterfaceContainer interfaces;
    interfaces.m_nodes = nodes;
    interfaces.m_addresses = MessageAddresses(m_network, m_mask, peers);
    interfaces.m_store = CreateObject<MessagePacketStore>();
    interfaces.m_group = group;
    if (m_audits)
    {
        interfaces.m_audit = CreateObject<DeliveryAudit>();
        interfaces.m_audit->SetAttribute("Ordered", BooleanValue(promise.ordered));
        interfaces.m_audit->SetAttribute("Reliable", BooleanValue(promise.IsReliable()));
        interfaces.m_audit->SetGroup(group);
        group = interfaces.m_audit;
    }
    const auto endpoints = CreateObject<GroupEndpoints>();
    endpoints->Connect(group);
    Simulator::ScheduleDestroy(&GroupEndpoints::Dispose, endpoints);
    for (Peer peer = 0; peer < peers; ++peer)
    {
        const auto node = nodes.Get(peer);
        NS_ABORT_MSG_IF(node->GetObject<MessageSocketLayer>(),
                        "Node " << node->GetId() << " has sockets over a protocol already.");
        const auto layer = CreateObject<MessageSocketLayer>();
        layer->Connect(endpoints->Get(peer), interfaces.m_store, interfaces.m_addresses, promise);
        node->AggregateObject(layer);
        node->AggregateObject(CreateObject<MessageSocketFactory>());
        node->AggregateObject(CreateObject<MessageSeqPacketSocketFactory>());
        if (!node->GetObject<UdpSocketFactory>())
        {
            node->AggregateObject(CreateObject<MessageUdpSocketFactory>());
        }
    }
    const bool free = std::none_of(nodes.Begin(), nodes.End(), [](const Ptr<Node>& node) {
        return node->GetObject<MessageEndpoint>();
    });
    if (free)
    {
        endpoints->Aggregate(nodes);
    }
    return interfaces;
}

} // namespace messaging
} // namespace ns3
