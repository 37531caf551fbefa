/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INFINIBAND_SUBNET_MANAGER_H
#define INFINIBAND_SUBNET_MANAGER_H

#include "infiniband-topology.h"

#include <string>
#include <vector>

/**
 * @file
 * @ingroup infiniband
 * Gives ports their LIDs and switches their forwarding tables.
 */

namespace ns3
{
namespace infiniband
{

/** Routing, named as the routing engines of OpenSM. */
enum class Routing : uint8_t
{
    MIN_HOP, ///< Shortest ways, balanced; credit loops are possible where the graph has cycles.
    UP_DOWN, ///< Up towards the roots and then down, never up again; no credit loops.
    FAT_TREE ///< Destination modulo the number of ways up; for fat trees only, no credit loops.
};

/** Configuration of the subnet manager. */
struct SubnetConfig
{
    Routing routing{Routing::FAT_TREE}; ///< Routing.
    uint8_t lmc{0};                     ///< Each host has 2^LMC LIDs, each with ways of its own.
};

/**
 * LIDs and linear forwarding tables of a subnet.
 *
 * Each host and router has 2^LMC consecutive LIDs, each switch one. LIDs of a file are kept where
 * they fit. A table says for each LID by which port of the switch a packet leaves. A sweep computes
 * all tables anew from the links that are up, and keeps the LIDs.
 */
class SubnetManager
{
  public:
    /** Largest LMC; a field of three bits. */
    static constexpr uint8_t MAX_LMC = 7;

    /** In a forwarding table: there is no way. */
    static constexpr uint8_t NO_WAY = 0;

    /**
     * Give LIDs.
     * @param topology the topology, not owned
     * @param config what to do
     * @param error set to one sentence if it cannot be
     */
    SubnetManager(const Topology& topology, const SubnetConfig& config, std::string& error);

    /**
     * Compute all tables.
     * @return an empty text, or one sentence with the reason
     */
    std::string Sweep();

    /**
     * Record that a link has failed or recovered; tables change at the next sweep.
     * @param port one of its ends
     * @param up whether it is up
     */
    void SetLinkUp(PortId port, bool up);

    /**
     * @param port a port
     * @return whether it has a cable and its link is up
     */
    bool IsUp(PortId port) const
    {
        return m_up[port];
    }

    /**
     * Get the LID of a host.
     * @param host the host
     * @param path which of its 2^LMC paths, from zero
     * @return the LID
     */
    Lid GetLid(HostId host, uint8_t path = 0) const
    {
        return m_lids[host] + path;
    }

    /**
     * Get the vertex that has a LID.
     * @param lid a LID
     * @return the vertex, or the number of vertices if none has it
     */
    uint32_t GetVertex(Lid lid) const
    {
        return lid < m_span ? m_owners[lid] : static_cast<uint32_t>(m_lids.size());
    }

    /** @return the number of paths to each host, 2^LMC. */
    uint8_t GetNPaths() const
    {
        return static_cast<uint8_t>(1U << m_config.lmc);
    }

    /** @return the largest LID and one: the length of a table. */
    Lid GetSpan() const
    {
        return m_span;
    }

    /**
     * Get the port by which a packet leaves a switch.
     * @param vertex the switch
     * @param lid where it goes
     * @return the number of the port, from 1, or NO_WAY
     */
    uint8_t GetOut(uint32_t vertex, Lid lid) const
    {
        return m_tables[GetTable(vertex) + lid];
    }

    /**
     * @param vertex a switch
     * @return where its table begins in the array of all tables
     */
    std::size_t GetTable(uint32_t vertex) const
    {
        return std::size_t{vertex - m_topology->GetNHosts()} * m_span;
    }

    /** @return all tables, one behind the other. */
    const std::vector<uint8_t>& GetTables() const
    {
        return m_tables;
    }

    /**
     * Get the multicast table of a switch for the group of all hosts.
     * @param vertex the switch
     * @return its ports on the tree, bit 0 for port 1
     */
    uint64_t GetMulticastPorts(uint32_t vertex) const
    {
        return m_multicast[vertex];
    }

    /**
     * Follow a way.
     * @param from a host
     * @param lid where to
     * @return the ports by which a packet leaves, the host's first; empty if there is no way
     */
    std::vector<PortId> GetRoute(HostId from, Lid lid) const;

    /**
     * Check that there is a route from each host to each LID of each other one.
     * @return an empty text, or one sentence that states how many pairs have none and names one
     */
    std::string CheckRoutes() const;

  private:
    /** A set of numbers of ports of a switch, bit 0 for port 1. */
    using PortSet = uint64_t;

    /** A destination, as the routing engines see it. */
    struct End
    {
        uint32_t vertex;   ///< Host or router.
        uint32_t leaf;     ///< Switch that it is joined to.
        uint32_t port;     ///< Number of that switch's port.
        uint32_t position; ///< Its place in a fat tree: leaf by leaf, as if all were full.
    };

    /** Distances of all switches from one. */
    struct Ways
    {
        std::vector<uint32_t> down;  ///< On the shortest way that only goes down, or FAR.
        std::vector<uint32_t> total; ///< On the way that is taken, or FAR.
    };

    static constexpr uint32_t FAR = 0xffffffff; ///< There is no way.

    /** Give LIDs to all vertices.  @return an empty text, or what is wrong. */
    std::string GiveLids();

    /** Find the ends and the switches' neighbours. */
    void Survey();

    /**
     * Rank switches by their distance from the roots, 0 for a root.
     * @param single take one root, rather than all that are equally central
     */
    void RankFromRoots(bool single);

    /**
     * Rank switches from the leaves up, largest at the leaves.
     * @return what is wrong, or nothing.
     */
    std::string RankFromLeaves();

    /**
     * @param a a switch
     * @param b a neighbour
     * @return whether b is above a
     */
    bool IsAbove(uint32_t a, uint32_t b) const
    {
        return m_rank[b] != m_rank[a] ? m_rank[b] < m_rank[a] : b < a;
    }

    /**
     * Find distances from all switches to one.
     * @param leaf that one
     * @param ways set to them
     */
    void Measure(uint32_t leaf, Ways& ways) const;

    /**
     * Get the ports by which a switch can send towards a leaf.
     * @param vertex the switch
     * @param ways distances from the leaf
     * @return the ports
     */
    PortSet GetCandidates(uint32_t vertex, const Ways& ways) const;

    /**
     * Choose the port that has been chosen least.
     * @param vertex a switch
     * @param candidates ports to choose from
     * @param taken ports chosen for other paths to the same end; added to
     * @return the number of the port
     */
    uint32_t ChooseLeast(uint32_t vertex, PortSet candidates, PortSet& taken);

    /**
     * Choose by the destination's place.
     * @param vertex a switch
     * @param candidates ports to choose from
     * @param ways distances from the leaf
     * @param end the destination
     * @param path which of its paths
     * @return the number of the port
     */
    uint32_t ChooseByPlace(uint32_t vertex,
                           PortSet candidates,
                           const Ways& ways,
                           const End& end,
                           uint32_t path) const;

    /** Put the ways up of each switch in an order that does not depend on how it is cabled: in turn
     * over the switches above, then over parallel cables. */
    void OrderWaysUp();

    /**
     * Get the way up that a place has at a switch.
     * @param vertex the switch
     * @param candidates ports that lead up
     * @param end the destination
     * @param path which of its paths
     * @return the number of the port, or 0 if none leads up
     */
    uint32_t GetWayUp(uint32_t vertex, PortSet candidates, const End& end, uint32_t path) const;

    /** Fill all tables with the ways of an engine whose ranks are known. */
    void FillTables();

    /** Make the tree of the multicast group. */
    void GrowMulticastTree();

    /**
     * @param vertex a vertex
     * @param number of its port, from 1
     * @return the vertex at the other end
     */
    uint32_t GetPeer(uint32_t vertex, uint32_t number) const
    {
        return m_topology->GetPorts()[m_topology->GetPorts()[GetPort(vertex, number)].peer].vertex;
    }

    /**
     * @param vertex a vertex
     * @param number of its port, from 1
     * @return the port
     */
    PortId GetPort(uint32_t vertex, uint32_t number) const
    {
        return m_topology->GetVertices()[vertex].firstPort + number - 1;
    }

    const Topology* m_topology;       ///< The topology.
    SubnetConfig m_config;            ///< What to do.
    Lid m_span{0};                    ///< Length of a table.
    std::vector<Lid> m_lids;          ///< Base LID by vertex.
    std::vector<uint32_t> m_owners;   ///< Vertex by LID.
    std::vector<bool> m_up;           ///< By port.
    std::vector<uint8_t> m_tables;    ///< Of all switches, one behind the other.
    std::vector<PortSet> m_multicast; ///< By vertex.
    std::vector<PortSet> m_links;     ///< By vertex: ports that lead to switches and are up.
    std::vector<End> m_ends;          ///< Destinations whose links are up.
    std::vector<uint32_t> m_leaves;   ///< Switches with hosts or routers.
    std::vector<uint32_t> m_rank;     ///< By vertex; a smaller one is further up.
    std::vector<uint32_t> m_order;    ///< Switches from the top down.
    std::vector<uint32_t> m_divisor;  ///< By rank: what a place is divided by.
    std::vector<uint32_t> m_loads;    ///< By port: destinations that leave by it.
    std::vector<std::vector<uint8_t>> m_waysUp; ///< By vertex: numbers of ports that lead up.
};

} // namespace infiniband
} // namespace ns3

#endif // INFINIBAND_SUBNET_MANAGER_H
