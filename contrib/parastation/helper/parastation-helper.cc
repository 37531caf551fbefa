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
                           const Config& config,
                           uint64_t seed)
{
    const auto make = [&]<class P>(P*) -> Ptr<ParastationGroup> {
        auto group = CreateObject<NicGroup<NicCore<P>, messaging::AnyPort>>();
        group->Connect(clock, port, config, seed);
        return group;
    };
    Ptr<ParastationGroup> group;
    switch (m_protocol)
    {
    case ProtocolKind::PARASTATION2:
        group = make(static_cast<Protocol*>(nullptr));
        break;
    case ProtocolKind::AM2:
        group = make(static_cast<StopAndWait*>(nullptr));
        break;
    case ProtocolKind::VMMC2:
        group = make(static_cast<CumulativeAck*>(nullptr));
        break;
    case ProtocolKind::BACKBLOCKING:
        group = make(static_cast<BackBlocking*>(nullptr));
        break;
    case ProtocolKind::FM:
    case ProtocolKind::LFC:
        group = make(static_cast<Credits*>(nullptr));
        break;
    case ProtocolKind::NONE:
        group = make(static_cast<NoProtocol*>(nullptr));
        break;
    }
    m_hosts.clear();
    m_interfaces.clear();
    if (m_machine)
    {
        for (uint32_t i = 0; i < group->GetNPeers(); ++i)
        {
            m_hosts.push_back(m_machine->MakeHost());
            m_interfaces.push_back(m_machine->MakeInterface(m_hosts.back(), m_protocol));
        }
        group->SetMachines(m_hosts, m_interfaces);
    }
    return group;
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

const std::vector<Ptr<messaging::HostModel>>&
ParastationHelper::GetHosts() const
{
    return m_hosts;
}

const std::vector<Ptr<messaging::HostModel>>&
ParastationHelper::GetInterfaces() const
{
    return m_interfaces;
}

} // namespace parastation
} // namespace ns3
