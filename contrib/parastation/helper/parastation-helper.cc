/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parastation-helper.h"

#include "ns3/log.h"
#include "ns3/parastation-layer-port.h"
#include "ns3/parastation-rivals.h"

namespace ns3
{
namespace parastation
{

NS_LOG_COMPONENT_DEFINE("ParastationHelper");

ParastationHelper::ParastationHelper(ProtocolKind protocol, Ptr<const ParastationMachine> machine)
    : m_protocol(protocol),
      m_machine(machine)
{
}

Ptr<ParastationGroup>
ParastationHelper::Install(Ptr<messaging::TickClock> clock,
                           Ptr<messaging::AnyPort> port,
                           Config config,
                           bool segments)
{
    NS_LOG_INFO("Installs the network interfaces of "
                << port->GetNPeers() << " hosts" << (m_machine ? ", with costs" : ", without costs")
                << (segments ? ", in segments" : ""));
    m_hosts.clear();
    m_interfaces.clear();
    if (m_machine)
    {
        config.costs = m_machine->GetCosts(m_protocol);
        for (uint32_t i = 0; i < port->GetNPeers(); ++i)
        {
            m_hosts.push_back(m_machine->MakeHost());
            m_interfaces.push_back(m_machine->MakeInterface(m_hosts.back(), m_protocol));
        }
    }
    const auto makeOf = [&]<class C>(C*) -> Ptr<ParastationGroup> {
        auto group = CreateObject<NicGroup<C, messaging::AnyPort>>();
        group->Connect(clock, port, config);
        if (m_machine)
        {
            group->SetHosts(m_hosts, messaging::WorkUnit::HOST);
            group->SetHosts(m_interfaces, messaging::WorkUnit::INTERFACE);
        }
        return group;
    };
    const auto make = [&]<class P>(P*) -> Ptr<ParastationGroup> {
        using HostCore = NicCore<P>;
        if (segments)
        {
            return makeOf(static_cast<messaging::SegmentingCore<HostCore>*>(nullptr));
        }
        return makeOf(static_cast<HostCore*>(nullptr));
    };
    switch (m_protocol)
    {
    case ProtocolKind::PARASTATION2:
        return make(static_cast<Protocol*>(nullptr));
    case ProtocolKind::AM2:
        return make(static_cast<StopAndWait*>(nullptr));
    case ProtocolKind::VMMC2:
        return make(static_cast<CumulativeAck*>(nullptr));
    case ProtocolKind::BACKBLOCKING:
        return make(static_cast<BackBlocking*>(nullptr));
    case ProtocolKind::FM:
    case ProtocolKind::LFC:
        return make(static_cast<Credits*>(nullptr));
    case ProtocolKind::NONE:
        return make(static_cast<NoProtocol*>(nullptr));
    }
    return nullptr;
}

Ptr<messaging::MessageGroup>
ParastationHelper::InstallLayers(Ptr<messaging::TickClock> clock,
                                 Ptr<messaging::MessageGroup> group,
                                 const std::vector<LayerConfig>& layers,
                                 uint32_t processes) const
{
    for (const LayerConfig& layer : layers)
    {
        NS_LOG_INFO("A layer with headers of " << layer.header << " bytes above the hosts");
        const auto port = Create<LayerPort>(clock, group, processes);
        const auto above = CreateObject<LayerGroup>();
        const uint32_t peers = port->GetNPeers();
        above->Connect(clock, port, [&layer, peers](messaging::Peer peer) {
            return LayerCore(layer, peer, peers);
        });
        if (!m_hosts.empty())
        {
            std::vector<Ptr<messaging::HostModel>> hosts;
            for (messaging::Peer peer = 0; peer < peers; ++peer)
            {
                hosts.push_back(m_hosts[peer % m_hosts.size()]);
            }
            above->SetHosts(hosts);
        }
        group = above;
        processes = 1;
    }
    return group;
}

} // namespace parastation
} // namespace ns3
