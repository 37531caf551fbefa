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
 * Assigns LIDs to ports and forwarding tables to switches.
 */

namespace ns3
{
namespace infiniband
{

/** Routing engines, named as in OpenSM. */
enum class Routing : uint8_t
{
    MIN_HOP, ///< Shortest routes, balanced; credit loops are possible if the graph has cycles.
    UP_DOWN, ///< Up towards the roots, then down, never up again; no credit loops.
    FAT_TREE ///< Port up: destination modulo number of ports up; for fat trees only, no credit
             ///< loops.
};

/** Configuration of the subnet manager. */
struct SubnetConfig
{
    Routing routing{Routing::FAT_TREE}; ///< Routing.
    uint8_t lmc{0};                     ///< Each host has 2^LMC LIDs with own routes.
};

/**
 * LIDs and linear forwarding tables of a subnet.
 *
 * Each host and router has 2^LMC consecutive LIDs, a multiple of their number and those after it,
 * each switch one. LIDs of a file are kept where they are free and fit the LMC; the others count
 * up from 1. A forwarding table maps each LID to the output port of the switch. A sweep
 * computes all tables anew from the links that are up, and keeps the LIDs.
 */
class SubnetManager
{
  public:
    /** Largest LMC; a field of three bits. */
    static constexpr uint8_t MAX_LMC = 7;

    /** Forwarding table entry without a route. */
    static constexpr uint8_t NO_WAY = 0;

    /**
     * Assign the LIDs.
     * @param topology the topology, not owned
     * @param config the configuration
     * @param error set to one sentence on failure
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
     * @return the vertex; the number of vertices if there is none
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

    /** @return the largest LID plus one: the length of a table. */
    Lid GetSpan() const
    {
        return m_span;
    }

    /**
     * Get the output port of a packet at a switch.
     * @param vertex the switch
     * @param lid destination
     * @return the number of the port, from 1, or NO_WAY
     */
    uint8_t GetOut(uint32_t vertex, Lid lid) const
    {
        return m_tables[GetTable(vertex) + lid];
    }

    /**
     * @param vertex a switch
     * @return offset of its table in the array of all tables
     */
    std::size_t GetTable(uint32_t vertex) const
    {
        return std::size_t{vertex - m_topology->GetNHosts()} * m_span;
    }

    /** @return the tables of all switches, concatenated. */
    const std::vector<uint8_t>& GetTables() const
    {
        return m_tables;
    }

    /**
     * Get the multicast table of a switch for the group of all hosts.
     * @param vertex the switch
     * @return its ports on the tree, of which port 1 is 0
     */
    const PortSet& GetMulticastPorts(uint32_t vertex) const
    {
        return m_multicast[vertex];
    }

    /**
     * Follow a route.
     * @param from a host
     * @param lid destination
     * @return the output ports, beginning with the host's; empty if there is no route
     */
    std::vector<PortId> GetRoute(HostId from, Lid lid) const;

    /**
     * Check that there is a route from each host to each LID of each other host.
     * @return an empty text, or one sentence with the number of pairs without a route, and an
     * example
     */
    std::string CheckRoutes() const;

  private:
    /** A link of a switch to another switch. */
    struct Link
    {
        uint32_t number; ///< Port number.
        uint32_t peer;   ///< Switch at the other end.
    };

    /** Links of a switch. */
    using Links = std::vector<Link>;

    /** A destination, as seen by the routing engines. */
    struct End
    {
        uint32_t vertex;   ///< Host or router.
        uint32_t leaf;     ///< Switch that it is connected to.
        uint32_t port;     ///< Port number of that switch.
        uint32_t position; ///< Position in a fat tree, counted leaf by leaf with all leaves full.
    };

    /** Distances of all switches from one switch. */
    struct Ways
    {
        std::vector<uint32_t> down;  ///< Length of the shortest route that only goes down, or FAR.
        std::vector<uint32_t> total; ///< Length of the selected route, or FAR.
    };

    static constexpr uint32_t FAR = 0x7fffffff; ///< Distance without a route, more than any other.

    /** Assign LIDs to all vertices. @return an empty text, or the error. */
    std::string AssignLids();

    /**
     * Assign the LIDs of a vertex, if they are free and fit.
     * @param vertex the vertex
     * @param lid its first LID
     * @return whether they are assigned
     */
    bool AssignLid(uint32_t vertex, Lid lid);

    /** Find the destinations and the neighbours of switches. */
    void Survey();

    /**
     * Find the distances of all switches from some, breadth first.
     * @param queue these switches; those reached are added in order
     * @param leads given a switch and a link to one not yet reached, returns whether to follow it
     * @return the distances, or FAR, by vertex
     */
    template <class Leads>
    std::vector<uint32_t> Spread(std::vector<uint32_t>& queue, Leads leads) const;

    /**
     * Rank switches by their distance from the roots, 0 for a root.
     * @param single use one root instead of all equally central ones
     */
    void RankFromRoots(bool single);

    /**
     * Rank switches from the leaves up, largest at the leaves.
     * @return an empty text, or the error
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
     * Find the distances of all switches from one.
     * @param leaf that switch
     * @param ways set to the distances
     */
    void Measure(uint32_t leaf, Ways& ways) const;

    /**
     * Get the possible links of a switch towards a leaf.
     * @param vertex the switch
     * @param ways distances from the leaf
     * @return the links
     */
    Links GetCandidates(uint32_t vertex, const Ways& ways) const;

    /**
     * Choose the link with the least load.
     * @param vertex a switch
     * @param candidates links to choose from
     * @param taken links of other paths to the same end; the choice is added
     * @return the number of its port
     */
    uint32_t ChooseLeast(uint32_t vertex, const Links& candidates, Links& taken);

    /**
     * Choose a link by the destination's position.
     * @param vertex a switch
     * @param candidates links to choose from
     * @param ways distances from the leaf
     * @param end the destination
     * @param path number of its path
     * @return the number of its port
     */
    uint32_t ChooseByPlace(uint32_t vertex,
                           const Links& candidates,
                           const Ways& ways,
                           const End& end,
                           uint32_t path) const;

    /**
     * Order the links up of each switch independent of the cabling: first over the switches above,
     * then over parallel cables.
     */
    void OrderWaysUp();

    /**
     * Get the port up for a position at a switch.
     * @param vertex the switch
     * @param ways links that lead up, in order
     * @param end the destination
     * @param path number of its path
     * @return the number of the port, or 0 if none leads up
     */
    uint32_t GetWayUp(uint32_t vertex, const Links& ways, const End& end, uint32_t path) const;

    /** Fill all tables with the routes of an engine whose ranks are known. */
    void FillTables();

    /** Build the tree of the multicast group. */
    void GrowMulticastTree();

    /**
     * @param vertex a vertex
     * @param number port number, from 1
     * @return the vertex at the other end
     */
    uint32_t GetPeer(uint32_t vertex, uint32_t number) const
    {
        return m_topology->GetPorts()[m_topology->GetPorts()[GetPort(vertex, number)].peer].vertex;
    }

    /**
     * @param vertex a vertex
     * @param number port number, from 1
     * @return the port
     */
    PortId GetPort(uint32_t vertex, uint32_t number) const
    {
        return m_topology->GetVertices()[vertex].firstPort + number - 1;
    }

    const Topology* m_topology;       ///< The topology.
    SubnetConfig m_config;            ///< The configuration.
    Lid m_span{0};                    ///< Length of a table.
    std::vector<Lid> m_lids;          ///< Base LID by vertex.
    std::vector<uint32_t> m_owners;   ///< Vertex by LID.
    std::vector<bool> m_up;           ///< Link state by port.
    std::vector<uint8_t> m_tables;    ///< Forwarding tables of all switches, concatenated.
    std::vector<PortSet> m_multicast; ///< Multicast ports by vertex.
    std::vector<uint32_t> m_switches; ///< All switches.
    std::vector<Links> m_links;       ///< Links to switches that are up, by vertex.
    std::vector<End> m_ends;          ///< Destinations with a link that is up.
    std::vector<uint32_t> m_leaves;   ///< Switches with hosts or routers.
    std::vector<uint32_t> m_rank;     ///< Rank by vertex; a smaller one is further up.
    std::vector<uint32_t> m_order;    ///< Switches from the top down.
    std::vector<uint32_t> m_divisor;  ///< Divisor of positions, by rank.
    std::vector<uint32_t> m_loads;    ///< Number of destinations, by output port.
    std::vector<Links> m_waysUp;      ///< Links that lead up, in order, by vertex.
};

} // namespace infiniband
} // namespace ns3

#endif // INFINIBAND_SUBNET_MANAGER_H
