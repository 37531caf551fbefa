/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "infiniband-subnet.h"

#include "ns3/log.h"
#include "ns3/messaging-attributes.h"
#include "ns3/messaging-forwarded-attributes.h"

#include <algorithm>

namespace ns3
{
namespace infiniband
{

NS_LOG_COMPONENT_DEFINE("InfinibandSubnet");
NS_OBJECT_ENSURE_REGISTERED(Subnet);

using messaging::Range;

TypeId
Subnet::GetTypeId()
{
    static TypeId tid =
        messaging::Attributes<Subnet>(TypeId("ns3::infiniband::Subnet")
                                          .SetParent<Object>()
                                          .SetGroupName("Infiniband")
                                          .AddConstructor<Subnet>())
            .In(&Subnet::m_shape)
            .AddAttribute("Topology",
                          "Shape: one switch, a fat tree of as many levels as the nodes need, or "
                          "the topology of TopologyFile [name; 70 nodes need two levels].",
                          &TopologyConfig::kind,
                          {{TopologyKind::SWITCH, "switch"},
                           {TopologyKind::FAT_TREE, "fat-tree"},
                           {TopologyKind::FILE, "file"}})
            .AddAttribute("Nodes",
                          "Number of hosts; unused with a file [hosts; section 8.1].",
                          &TopologyConfig::hosts,
                          Range(1U, Topology::MAX_HOSTS))
            .AddAttribute("SwitchPorts",
                          "Ports of each switch; unused with a file [ports; InfiniScale III].",
                          &TopologyConfig::switchPorts,
                          Range(2U, Topology::MAX_SWITCH_PORTS))
            .AddAttribute("Oversubscription",
                          "Ports of a leaf switch to hosts, divided by those to the level above; "
                          "for fat trees of more than one level [ratio; default].",
                          &TopologyConfig::oversubscription,
                          Range(0.01, 64.0))
            .AddAttribute("TopologyFile",
                          "Topology file in the format of ibnetdiscover, for Topology file "
                          "[path; default].",
                          &TopologyConfig::file)
            .In(&Subnet::m_config)
            .AddAttribute("Routing",
                          "Routing engine: shortest and balanced, up and then down, or "
                          "destination modulo ports up as in a fat tree [name; default].",
                          &SubnetConfig::routing,
                          {{Routing::MIN_HOP, "min-hop"},
                           {Routing::UP_DOWN, "up-down"},
                           {Routing::FAT_TREE, "fat-tree"}})
            .AddAttribute("Lmc",
                          "LMC: each host has 2^Lmc LIDs, each with its own routes [bits; "
                          "default].",
                          &SubnetConfig::lmc,
                          Range(0, int{SubnetManager::MAX_LMC}));
    return tid;
}

std::string
Subnet::FindIdle() const
{
    switch (m_shape.kind)
    {
    case TopologyKind::SWITCH:
        return messaging::FindIdleAttribute(*this,
                                            {"TopologyFile", "Oversubscription"},
                                            "where Topology is switch");
    case TopologyKind::FAT_TREE:
        return messaging::FindIdleAttribute(*this,
                                            {"TopologyFile"},
                                            "where Topology is fat-tree; Topology file reads it");
    case TopologyKind::FILE:
        break;
    }
    if (m_shape.file.empty())
    {
        // A missing file is reported when it is read, before idle attributes.
        return "";
    }
    return messaging::FindIdleAttribute(*this,
                                        {"Nodes", "SwitchPorts", "Oversubscription"},
                                        "where Topology is file");
}

LinkSpeed
Subnet::GetSlowest(LinkSpeed planned) const
{
    // Host n has the port n.
    const auto& ports = m_topology.GetPorts();
    LinkSpeed slowest = GetNHosts() > 0 ? ports.front().speed : planned;
    for (HostId host = 0; host < GetNHosts(); ++host)
    {
        slowest = std::min(slowest, ports[host].speed, [](LinkSpeed one, LinkSpeed other) {
            return one.GetParts() < other.GetParts();
        });
    }
    return slowest;
}

std::string
Subnet::Build(LinkRate rate, HostId hosts)
{
    NS_LOG_FUNCTION(this << hosts);
    if (hosts > 0 && !IsFromFile())
    {
        m_shape.hosts = hosts;
    }
    std::string error = FindIdle();
    if (!error.empty())
    {
        return error;
    }
    m_manager.reset();
    m_topology = Topology::Make(m_shape, rate, error);
    if (error.empty() && GetNHosts() < hosts)
    {
        return "The topology has " + std::to_string(GetNHosts()) + " hosts, but " +
               std::to_string(hosts) + " are needed.";
    }
    if (error.empty())
    {
        NS_LOG_INFO("The subnet has " << GetNHosts() << " hosts, and "
                                      << m_topology.GetVertices().size() - GetNHosts()
                                      << " switches and routers");
        m_manager = std::make_unique<SubnetManager>(m_topology, m_config, error);
    }
    if (error.empty())
    {
        error = m_manager->Sweep();
    }
    return error.empty() ? m_manager->CheckRoutes() : error;
}

} // namespace infiniband
} // namespace ns3
