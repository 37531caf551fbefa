/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ETHERNET_FABRIC_TOPOLOGY_H
#define ETHERNET_FABRIC_TOPOLOGY_H

#include "ethernet-fabric-config.h"

#include <string>
#include <vector>

/**
 * @file
 * @ingroup ethernet-fabric
 * Hosts, switches and links of a fabric, and the ports that lead to a host.
 */

namespace ns3
{
namespace fabric
{

struct FabricTier;

/** Ports of equal distance to a destination; their numbers are consecutive. */
struct PortRange
{
    PortId first{NONE}; ///< First port.
    uint32_t count{0};  ///< Number of ports.
};

/**
 * A host or switch. Its ports have consecutive numbers: first those downwards, then those upwards.
 *
 * A switch leads down to `children` nodes with `span` hosts each, from host `low` on, by `parallel`
 * links each. All ports upwards are equally near to all other hosts.
 */
struct NodeShape
{
    PortId base{0};        ///< First port.
    uint32_t ups{0};       ///< Ports upwards.
    uint32_t children{0};  ///< Nodes below.
    uint32_t span{1};      ///< Hosts of each of them.
    uint32_t low{0};       ///< First host.
    uint32_t parallel{1};  ///< Links to each of them.
    Tier tier{Tier::HOST}; ///< Tier.
    uint32_t number{0};    ///< Number in its tier.

    /** @return the number of ports. */
    uint32_t GetNPorts() const
    {
        return children * parallel + ups;
    }

    /**
     * Find the ports that lead to a host.
     * @param host the host
     * @return the ports
     */
    PortRange Find(NodeId host) const
    {
        const uint32_t below = host - low;
        if (host >= low && below < children * span)
        {
            return {base + below / span * parallel, parallel};
        }
        return {base + children * parallel, ups};
    }
};

/**
 * @ingroup ethernet-fabric
 * A switch, leaf-spine network or fat tree, from the tiers of GetTiers.
 */
class FabricTopology
{
  public:
    /**
     * Construct.
     * @param config the parameters, which have been checked
     * @param hosts number of hosts
     */
    FabricTopology(const FabricConfig& config, uint32_t hosts);

    /** @return the number of hosts. */
    uint32_t GetNHosts() const
    {
        return m_hosts;
    }

    /** @return all nodes, the hosts first. */
    const std::vector<NodeShape>& GetNodes() const
    {
        return m_nodes;
    }

    /** @return the number of ports. */
    uint32_t GetNPorts() const
    {
        return static_cast<uint32_t>(m_peers.size());
    }

    /** @return the port at the other end of a link. @param port a port */
    PortId GetPeer(PortId port) const
    {
        return m_peers[port];
    }

    /** @return the node that a port belongs to. @param port a port */
    NodeId GetOwner(PortId port) const
    {
        return m_owners[port];
    }

    /** @return whether a link leads to a host. @param port one of its ends */
    bool IsHostLink(PortId port) const
    {
        return port < m_hosts || m_peers[port] < m_hosts;
    }

    /** @return the largest number of switches between two hosts. */
    uint32_t GetDiameter() const
    {
        return m_diameter;
    }

    /** @return name of a node, such as leaf3. @param node the node */
    std::string GetName(NodeId node) const;

    /** @return name of a port: its node and the node at the other end. @param port the port */
    std::string GetPortName(PortId port) const;

    /**
     * Find a link by the names of its ends.
     * @param name a host, as in host3, or two switches, as in leaf0-spine1 or leaf0-spine1.2 for
     * the third of parallel links
     * @return one of its ports, or NONE
     */
    PortId FindLink(const std::string& name) const;

    /**
     * Find links by a name.
     * @param name a link, as for FindLink, or a switch, as in spine1, for all of its links
     * @return one port of each link; none if there is no such link or switch
     */
    std::vector<PortId> FindLinks(const std::string& name) const;

  private:
    /**
     * Add a tier of switches.
     * @param tier the tier
     * @param count number of switches
     * @param shape what all of them have
     * @return the first of them
     */
    NodeId AddTier(Tier tier, uint32_t count, const NodeShape& shape);

    /** Number all ports, once the nodes are known. */
    void NumberPorts();

    /**
     * Link two nodes by parallel links.
     * @param lower lower node
     * @param up first of its upward ports for this link, from zero
     * @param upper upper node
     * @param child number of the lower node among the children of the upper one
     */
    void Link(NodeId lower, uint32_t up, NodeId upper, uint32_t child);

    /**
     * Build switches and links.
     * @param tiers the tiers
     */
    void Build(const std::vector<FabricTier>& tiers);

    uint32_t m_hosts;               ///< Number of hosts.
    uint32_t m_diameter{1};         ///< Switches between the most distant hosts.
    std::vector<NodeShape> m_nodes; ///< Hosts, then switches.
    std::vector<PortId> m_peers;    ///< Other end by port.
    std::vector<NodeId> m_owners;   ///< Node by port.
};

} // namespace fabric
} // namespace ns3

#endif // ETHERNET_FABRIC_TOPOLOGY_H
