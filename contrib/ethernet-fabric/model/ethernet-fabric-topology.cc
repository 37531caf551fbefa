/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ethernet-fabric-topology.h"

#include "ethernet-fabric-tiers.h"

#include "ns3/messaging-text.h"

#include <algorithm>
#include <numeric>

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

/** Tiers of switches of the largest topologies. */
constexpr std::size_t N_SWITCH_TIERS = 3;

} // namespace

FabricTopology::FabricTopology(const FabricConfig& config, uint32_t hosts)
    : m_hosts(hosts),
      m_planes(config.planes)
{
    AddTier(Tier::HOST, hosts, {.ups = 1});
    Build(GetTiers(config, hosts).tiers);
}

NodeId
FabricTopology::AddTier(Tier tier, uint32_t count, const NodeShape& shape)
{
    const auto first = static_cast<NodeId>(m_nodes.size());
    for (uint32_t index = 0; index < count * m_planes; ++index)
    {
        m_nodes.push_back(shape);
        m_nodes.back().tier = tier;
        m_nodes.back().plane = static_cast<uint8_t>(index / count);
        m_nodes.back().number = index % count;
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
FabricTopology::Build(const std::vector<FabricTier>& tiers)
{
    const uint32_t perLeaf = std::max(1U, tiers[0].down);
    const uint32_t leaves = DivideUp(m_hosts, perLeaf);
    // Two tiers have one pod, and no spine if they have one leaf.
    const bool three = tiers.size() == N_SWITCH_TIERS;
    const uint32_t perPod = three ? tiers[1].down / tiers[1].bundle : std::max(1U, leaves);
    const uint32_t pods = DivideUp(leaves, perPod);
    const bool tall = three || (tiers.size() > 1 && leaves > 1);
    const uint32_t spines = tall ? tiers[0].up / tiers[1].bundle : 0;
    const uint32_t cores = three ? tiers[1].up / tiers[2].bundle : 0;

    const NodeId leaf = AddTier(Tier::LEAF, leaves, {.ups = tall ? tiers[0].up : 0});
    NodeShape above{.span = perLeaf};
    if (tall)
    {
        above.ups = three ? tiers[1].up : 0;
        above.parallel = tiers[1].bundle;
    }
    const NodeId spine = AddTier(Tier::SPINE, pods * spines, above);
    NodeShape top{.children = pods, .span = perPod * perLeaf};
    if (three)
    {
        top.parallel = tiers[2].bundle;
    }
    const NodeId core = AddTier(Tier::CORE, spines * cores, top);
    std::vector<PlaneShape> planes;
    for (uint32_t plane = 0; plane < m_planes; ++plane)
    {
        planes.push_back({.end = plane * m_hosts,
                          .leaf = leaf + plane * leaves,
                          .spine = spine + plane * pods * spines,
                          .core = core + plane * spines * cores,
                          .perLeaf = perLeaf,
                          .perPod = perPod,
                          .leaves = leaves,
                          .pods = pods,
                          .spines = spines,
                          .cores = cores});
        PlaceChildren(planes.back());
    }
    NumberPorts();
    for (const PlaneShape& plane : planes)
    {
        LinkPlane(plane);
    }
    m_diameter = leaves > 1 ? 3 : 1;
    if (pods > 1)
    {
        m_diameter = 5;
    }
}

void
FabricTopology::PlaceChildren(const PlaneShape& plane)
{
    for (uint32_t number = 0; number < plane.leaves; ++number)
    {
        NodeShape& shape = m_nodes[plane.leaf + number];
        shape.low = plane.end + number * plane.perLeaf;
        shape.children = std::min(plane.perLeaf, m_hosts - number * plane.perLeaf);
    }
    for (uint32_t number = 0; number < plane.pods * plane.spines; ++number)
    {
        const uint32_t pod = number / plane.spines;
        NodeShape& shape = m_nodes[plane.spine + number];
        shape.low = plane.end + pod * plane.perPod * plane.perLeaf;
        shape.children = std::min(plane.perPod, plane.leaves - pod * plane.perPod);
    }
    for (uint32_t number = 0; number < plane.spines * plane.cores; ++number)
    {
        m_nodes[plane.core + number].low = plane.end;
    }
}

void
FabricTopology::LinkPlane(const PlaneShape& plane)
{
    for (NodeId host = 0; host < m_hosts; ++host)
    {
        Link(plane.end + host, 0, plane.leaf + host / plane.perLeaf, host % plane.perLeaf);
    }
    for (uint32_t below = 0; below < plane.leaves; ++below)
    {
        for (uint32_t number = 0; number < plane.spines; ++number)
        {
            const NodeId upper = plane.spine + below / plane.perPod * plane.spines + number;
            const uint32_t up = number * m_nodes[upper].parallel;
            Link(plane.leaf + below, up, upper, below % plane.perPod);
        }
    }
    for (uint32_t below = 0; below < plane.pods * plane.spines; ++below)
    {
        for (uint32_t number = 0; number < plane.cores; ++number)
        {
            // Spine s of each pod reaches the s-th group of cores.
            const NodeId upper = plane.core + below % plane.spines * plane.cores + number;
            const uint32_t up = number * m_nodes[upper].parallel;
            Link(plane.spine + below, up, upper, below / plane.spines);
        }
    }
}

std::string
FabricTopology::GetName(NodeId node) const
{
    const NodeShape& shape = m_nodes[node];
    std::string name = messaging::ToText(shape.tier, shape.number);
    if (m_planes > 1)
    {
        name += messaging::ToText('@', +shape.plane);
    }
    return name;
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
        const bool host = port < GetNEnds() && GetName(port) == name;
        if (host || GetPortName(port) == name)
        {
            return port;
        }
    }
    return NONE;
}

std::vector<PortId>
FabricTopology::FindLinks(const std::string& name) const
{
    std::vector<PortId> ports;
    for (uint32_t plane = 0; plane < m_planes && m_planes > 1; ++plane)
    {
        if (name == messaging::ToText("plane", plane))
        {
            ports.resize(m_hosts);
            std::iota(ports.begin(), ports.end(), plane * m_hosts);
            return ports;
        }
    }
    for (NodeId node = GetNEnds(); node < m_nodes.size(); ++node)
    {
        if (GetName(node) != name)
        {
            continue;
        }
        const NodeShape& shape = m_nodes[node];
        for (PortId port = shape.base; port < shape.base + shape.GetNPorts(); ++port)
        {
            ports.push_back(port);
        }
        return ports;
    }
    const PortId port = FindLink(name);
    if (port != NONE)
    {
        ports.push_back(port);
    }
    return ports;
}

} // namespace fabric
} // namespace ns3
