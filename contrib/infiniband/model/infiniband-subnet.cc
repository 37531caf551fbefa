/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "infiniband-subnet.h"

#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/messaging-idle-attributes.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3
{
namespace infiniband
{

NS_OBJECT_ENSURE_REGISTERED(Subnet);

TypeId
Subnet::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::infiniband::Subnet")
            .SetParent<Object>()
            .SetGroupName("Infiniband")
            .AddConstructor<Subnet>()
            .AddAttribute("Topology",
                          "Shape: one switch, a fat tree of as many levels as the nodes need, or "
                          "what TopologyFile says [name; 70 nodes need two levels].",
                          EnumValue(TopologyKind::FAT_TREE),
                          MakeEnumAccessor<TopologyKind>(&Subnet::m_kind),
                          MakeEnumChecker(TopologyKind::SWITCH,
                                          "switch",
                                          TopologyKind::FAT_TREE,
                                          "fat-tree",
                                          TopologyKind::FILE,
                                          "file"))
            .AddAttribute("Nodes",
                          "Number of hosts; not for a file [hosts; section 8.1].",
                          UintegerValue(70),
                          MakeUintegerAccessor(&Subnet::m_nodes),
                          MakeUintegerChecker<uint32_t>(1, Topology::MAX_HOSTS))
            .AddAttribute("SwitchPorts",
                          "Ports of each switch; not for a file [ports; InfiniScale "
                          "III].",
                          UintegerValue(24),
                          MakeUintegerAccessor(&Subnet::m_switchPorts),
                          MakeUintegerChecker<uint32_t>(2, Topology::MAX_SWITCH_PORTS))
            .AddAttribute("Oversubscription",
                          "Ports of a leaf switch that lead to hosts, divided by those that lead "
                          "up; for fat trees of more than one level [ratio; default].",
                          DoubleValue(1),
                          MakeDoubleAccessor(&Subnet::m_oversubscription),
                          MakeDoubleChecker<double>(0.01, 64))
            .AddAttribute("TopologyFile",
                          "File in the format of ibnetdiscover, for Topology file [path; default].",
                          StringValue(""),
                          MakeStringAccessor(&Subnet::m_file),
                          MakeStringChecker())
            .AddAttribute("Routing",
                          "How the subnet manager chooses ways: shortest and balanced, up and then "
                          "down, or destination modulo ways up as in a fat tree [name; default].",
                          EnumValue(Routing::FAT_TREE),
                          MakeEnumAccessor<Routing>(&Subnet::m_routing),
                          MakeEnumChecker(Routing::MIN_HOP,
                                          "min-hop",
                                          Routing::UP_DOWN,
                                          "up-down",
                                          Routing::FAT_TREE,
                                          "fat-tree"))
            .AddAttribute("Lmc",
                          "Each host has 2^Lmc LIDs, each with ways of its own [bits; default].",
                          UintegerValue(0),
                          MakeUintegerAccessor(&Subnet::m_lmc),
                          MakeUintegerChecker<uint8_t>(0, SubnetManager::MAX_LMC));
    return tid;
}

Subnet::Subnet() = default;

Subnet::~Subnet() = default;

std::string
Subnet::Check() const
{
    std::string error = FindIdle();
    if (error.empty())
    {
        MakeTopology(LinkRate::SDR, error);
    }
    return error;
}

std::string
Subnet::FindIdle() const
{
    switch (m_kind)
    {
    case TopologyKind::SWITCH:
        return messaging::FindIdleAttribute(*this,
                                            {"TopologyFile", "Oversubscription"},
                                            "where Topology is switch");
    case TopologyKind::FAT_TREE:
        return messaging::FindIdleAttribute(*this,
                                            {"TopologyFile"},
                                            "where Topology is fat-tree; it is read if that is "
                                            "file");
    case TopologyKind::FILE:
        break;
    }
    if (m_file.empty())
    {
        // What is missing is told before what is idle, where the file is read.
        return "";
    }
    return messaging::FindIdleAttribute(*this,
                                        {"Nodes", "SwitchPorts", "Oversubscription"},
                                        "where Topology is file");
}

std::string
Subnet::Build(LinkRate rate)
{
    std::string error = FindIdle();
    if (!error.empty())
    {
        return error;
    }
    m_manager.reset();
    m_topology = MakeTopology(rate, error);
    if (error.empty())
    {
        m_manager =
            std::make_unique<SubnetManager>(m_topology, SubnetConfig{m_routing, m_lmc}, error);
    }
    if (error.empty())
    {
        error = Sweep();
    }
    return error.empty() ? m_manager->CheckRoutes() : error;
}

Topology
Subnet::MakeTopology(LinkRate rate, std::string& error) const
{
    return Topology::Make(
        TopologyConfig{m_kind, m_nodes, m_switchPorts, m_oversubscription, m_file},
        rate,
        error);
}

std::string
Subnet::Sweep()
{
    ++m_sweeps;
    return m_manager->Sweep();
}

} // namespace infiniband
} // namespace ns3
