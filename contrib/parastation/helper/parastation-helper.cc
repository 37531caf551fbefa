/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parastation-helper.h"

#include "ns3/parastation-layer-port.h"
#include "ns3/parastation-rivals.h"

namespace ns3
{
namespace parastation
{

ParastationHelper::ParastationHelper(ProtocolKind protocol, Ptr<const ParastationMachine> machine)
    : m_protocol(protocol),
      m_machine(machine)
{
}

Ptr<ParastationGroup>
ParastationHelper::Install(Ptr<messaging::TickClock> clock,
                           Ptr<messaging::AnyPort> port,
                           Config config)
{
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
    const auto make = [&]<class P>(P*) -> Ptr<ParastationGroup> {
        auto group = CreateObject<NicGroup<NicCore<P>, messaging::AnyPort>>();
        group->Connect(clock, port, config);
        if (m_machine)
        {
            group->SetHosts(m_hosts, 0);
            group->SetHosts(m_interfaces, 1);
        }
        return group;
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
