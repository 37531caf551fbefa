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
 * An end or switch. Its ports have consecutive numbers: first those downwards, then those upwards.
 *
 * A switch leads down to `children` nodes with `span` ends each, from end `low` on, by `parallel`
 * links each. All ports upwards are equally near to all other ends of its plane.
 */
struct NodeShape
{
    PortId base{0};        ///< First port.
    uint32_t ups{0};       ///< Ports upwards.
    uint32_t children{0};  ///< Nodes below.
    uint32_t span{1};      ///< Ends of each of them.
    uint32_t low{0};       ///< First end below.
    uint32_t parallel{1};  ///< Links to each of them.
    Tier tier{Tier::HOST}; ///< Tier.
    uint8_t plane{0};      ///< Plane.
    uint32_t number{0};    ///< Number in its tier and plane.

    /** @return the number of ports. */
    uint32_t GetNPorts() const
    {
        return children * parallel + ups;
    }

    /**
     * Find the ports that lead to an end.
     * @param end an end of the same plane
     * @return the ports
     */
    PortRange Find(NodeId end) const
    {
        const uint32_t below = end - low;
        if (end >= low && below < children * span)
        {
            return {base + below / span * parallel, parallel};
        }
        return {base + children * parallel, ups};
    }
};

/**
 * @ingroup ethernet-fabric
 * A switch, leaf-spine network or fat tree, from the tiers of GetTiers, in each plane.
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

    /** @return the number of ends: a port of each host in each plane. */
    uint32_t GetNEnds() const
    {
        return m_hosts * m_planes;
    }

    /** @return all nodes: the ends, then the leaves of all planes, spines, and cores. */
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
        return port < GetNEnds() || m_peers[port] < GetNEnds();
    }

    /** @return the largest number of switches between two hosts. */
    uint32_t GetDiameter() const
    {
        return m_diameter;
    }

    /** @return name of a node, such as leaf3, or leaf3@1 in the second of several planes. @param
     * node the node */
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
     * @param name a link, as for FindLink; a switch, as in spine1, for all of its links; or a
     * plane, as in plane1, for all links of hosts in it
     * @return one port of each link; none if there is no such link or switch
     */
    std::vector<PortId> FindLinks(const std::string& name) const;

  private:
    /**
     * Add a tier of switches, in each plane.
     * @param tier the tier
     * @param count number of switches in a plane
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

    /** First node of each tier of a plane, and their numbers. */
    struct PlaneShape
    {
        NodeId end;       ///< First end.
        NodeId leaf;      ///< First leaf.
        NodeId spine;     ///< First spine.
        NodeId core;      ///< First core.
        uint32_t perLeaf; ///< Hosts of a leaf.
        uint32_t perPod;  ///< Leaves of a pod.
        uint32_t leaves;  ///< Number of leaves.
        uint32_t pods;    ///< Number of pods.
        uint32_t spines;  ///< Spines of a pod.
        uint32_t cores;   ///< Cores above each spine.
    };

    /** Set the nodes below each switch of a plane. @param plane the plane */
    void PlaceChildren(const PlaneShape& plane);

    /** Link the nodes of a plane. @param plane the plane */
    void LinkPlane(const PlaneShape& plane);

    uint32_t m_hosts;               ///< Number of hosts.
    uint32_t m_planes;              ///< Number of planes.
    uint32_t m_diameter{1};         ///< Switches between the most distant hosts.
    std::vector<NodeShape> m_nodes; ///< Ends, then switches.
    std::vector<PortId> m_peers;    ///< Other end by port.
    std::vector<NodeId> m_owners;   ///< Node by port.
};

} // namespace fabric
} // namespace ns3

#endif // ETHERNET_FABRIC_TOPOLOGY_H
