/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ethernet-fabric-topology.h"

#include "ns3/messaging-text.h"

#include <algorithm>

namespace ns3
{
namespace fabric
{

namespace
{

/** @param a dividend @param b divisor @return the quotient, rounded up */
uint32_t
DivideUp(uint32_t a, uint32_t b)
{
    return (a + b - 1) / b;
}

} // namespace

FabricTopology::FabricTopology(const FabricConfig& config, uint32_t hosts)
    : m_hosts(hosts)
{
    for (NodeId host = 0; host < hosts; ++host)
    {
        m_nodes.push_back({.ups = 1, .number = host});
    }
    switch (config.topology)
    {
    case TopologyKind::SWITCH: {
        const NodeId center = AddTier(Tier::LEAF, 1, {.children = hosts});
        NumberPorts();
        for (NodeId host = 0; host < hosts; ++host)
        {
            Link(host, 0, center, host);
        }
        break;
    }
    case TopologyKind::LEAF_SPINE:
        BuildLeafSpine(config);
        break;
    case TopologyKind::FAT_TREE:
        BuildFatTree(config);
        break;
    }
}

NodeId
FabricTopology::AddTier(Tier tier, uint32_t count, const NodeShape& shape)
{
    const auto first = static_cast<NodeId>(m_nodes.size());
    for (uint32_t number = 0; number < count; ++number)
    {
        m_nodes.push_back(shape);
        m_nodes.back().tier = tier;
        m_nodes.back().number = number;
    }
    return first;
}

void
FabricTopology::NumberPorts()
{
    PortId next = 0;
    for (NodeId node = 0; node < m_nodes.size(); ++node)
    {
        m_nodes[node].base = next;
        next += m_nodes[node].GetNPorts();
        m_owners.resize(next, node);
    }
    m_peers.assign(next, NONE);
}

void
FabricTopology::Link(NodeId lower, uint32_t up, NodeId upper, uint32_t child)
{
    const NodeShape& below = m_nodes[lower];
    const NodeShape& above = m_nodes[upper];
    for (uint32_t link = 0; link < above.parallel; ++link)
    {
        const PortId a = below.base + below.children * below.parallel + up + link;
        const PortId b = above.base + child * above.parallel + link;
        m_peers[a] = b;
        m_peers[b] = a;
    }
}

void
FabricTopology::BuildLeafSpine(const FabricConfig& config)
{
    const uint32_t perLeaf = config.GetHostsPerLeaf(m_hosts);
    const uint32_t leaves = DivideUp(m_hosts, perLeaf);
    const uint32_t spines = leaves > 1 ? config.GetSpines(m_hosts) : 0;
    const NodeId leaf = AddTier(Tier::LEAF, leaves, {.ups = spines * config.parallel});
    for (uint32_t number = 0; number < leaves; ++number)
    {
        NodeShape& shape = m_nodes[leaf + number];
        shape.low = number * perLeaf;
        shape.children = std::min(perLeaf, m_hosts - shape.low);
    }
    const NodeId spine =
        AddTier(Tier::SPINE,
                spines,
                {.children = leaves, .span = perLeaf, .parallel = config.parallel});
    NumberPorts();
    for (NodeId host = 0; host < m_hosts; ++host)
    {
        Link(host, 0, leaf + host / perLeaf, host % perLeaf);
    }
    for (uint32_t below = 0; below < leaves; ++below)
    {
        for (uint32_t above = 0; above < spines; ++above)
        {
            Link(leaf + below, above * config.parallel, spine + above, below);
        }
    }
    m_diameter = leaves > 1 ? 3 : 1;
}

void
FabricTopology::BuildFatTree(const FabricConfig& config)
{
    const uint32_t half = config.GetRadix(m_hosts) / 2;
    const uint32_t perLeaf = half * config.oversubscription;
    const uint32_t leaves = DivideUp(m_hosts, perLeaf);
    const uint32_t pods = DivideUp(leaves, half);
    const uint32_t parallel = config.parallel;
    const NodeId leaf = AddTier(Tier::LEAF, leaves, {.ups = half * parallel});
    for (uint32_t number = 0; number < leaves; ++number)
    {
        NodeShape& shape = m_nodes[leaf + number];
        shape.low = number * perLeaf;
        shape.children = std::min(perLeaf, m_hosts - shape.low);
    }
    const NodeId spine = AddTier(Tier::SPINE,
                                 pods * half,
                                 {.ups = half * parallel, .span = perLeaf, .parallel = parallel});
    for (uint32_t number = 0; number < pods * half; ++number)
    {
        const uint32_t pod = number / half;
        NodeShape& shape = m_nodes[spine + number];
        shape.low = pod * half * perLeaf;
        shape.children = std::min(half, leaves - pod * half);
    }
    const NodeId core = AddTier(Tier::CORE,
                                half * half,
                                {.children = pods, .span = half * perLeaf, .parallel = parallel});
    NumberPorts();
    for (NodeId host = 0; host < m_hosts; ++host)
    {
        Link(host, 0, leaf + host / perLeaf, host % perLeaf);
    }
    for (uint32_t below = 0; below < leaves; ++below)
    {
        for (uint32_t above = 0; above < half; ++above)
        {
            const NodeId upper = spine + below / half * half + above;
            Link(leaf + below, above * parallel, upper, below % half);
        }
    }
    for (uint32_t below = 0; below < pods * half; ++below)
    {
        for (uint32_t above = 0; above < half; ++above)
        {
            // Spine s of each pod reaches the cores of plane s.
            const NodeId upper = core + below % half * half + above;
            Link(spine + below, above * parallel, upper, below / half);
        }
    }
    m_diameter = leaves > 1 ? 3 : 1;
    if (pods > 1)
    {
        m_diameter = 5;
    }
}

std::string
FabricTopology::GetName(NodeId node) const
{
    return messaging::ToText(m_nodes[node].tier, m_nodes[node].number);
}

std::string
FabricTopology::GetPortName(PortId port) const
{
    const PortId peer = m_peers[port];
    const NodeShape& lower = m_nodes[std::min(m_owners[port], m_owners[peer])];
    const NodeShape& upper = m_nodes[std::max(m_owners[port], m_owners[peer])];
    const PortId above = std::max(port, peer);
    std::string name = GetName(m_owners[port]) + '-' + GetName(m_owners[peer]);
    if (lower.tier != Tier::HOST && upper.parallel > 1)
    {
        name += messaging::ToText('.', (above - upper.base) % upper.parallel);
    }
    return name;
}

PortId
FabricTopology::FindLink(const std::string& name) const
{
    for (PortId port = 0; port < m_peers.size(); ++port)
    {
        const bool host = port < m_hosts && GetName(port) == name;
        if (host || GetPortName(port) == name)
        {
            return port;
        }
    }
    return NONE;
}

} // namespace fabric
} // namespace ns3
