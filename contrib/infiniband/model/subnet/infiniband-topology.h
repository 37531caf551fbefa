/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INFINIBAND_TOPOLOGY_H
#define INFINIBAND_TOPOLOGY_H

#include "ns3/infiniband-config.h"
#include "ns3/infiniband-port-set.h"

#include <cstdint>
#include <istream>
#include <limits>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup infiniband
 * Adapters, switches and cables of a subnet.
 */

namespace ns3
{
namespace infiniband
{

/** Index of a port in its subnet; the ports of a vertex have consecutive indices. */
using PortId = uint32_t;

/** No port. */
inline constexpr PortId NO_PORT = std::numeric_limits<PortId>::max();

/** Shapes of a subnet. */
enum class TopologyKind : uint8_t
{
    SWITCH,   ///< One switch.
    FAT_TREE, ///< As many levels of switches as the hosts need.
    FILE      ///< Any topology, from a file in the format of ibnetdiscover.
};

/** Configuration of a topology. */
struct TopologyConfig
{
    TopologyKind kind{TopologyKind::FAT_TREE}; ///< Shape.
    HostId hosts{70};                          ///< Number of hosts; unused with a file.
    uint32_t switchPorts{24};                  ///< Ports of each switch.
    double oversubscription{1}; ///< Ports of a leaf switch down, divided by its ports up.
    std::string file;           ///< Topology file.
};

/** Get the name of a link's speed. @param speed the speed @return as in ibnetdiscover: 4xSDR */
std::string GetSpeedName(LinkSpeed speed);

/**
 * Adapters, switches, and the cables between their ports.
 *
 * Vertices are the hosts, from 0, followed by switches and routers. A host is a port of a channel
 * adapter with a cable: an adapter with two cables is two hosts, each with its own LID, as for the
 * subnet manager. Port numbers of a vertex begin at 1, as on hardware.
 */
class Topology
{
  public:
    /** Part of the name of adapters that belong to a switch. */
    static constexpr const char* AGGREGATION = "Aggregation Node";

    /** Maximum number of hosts. */
    static constexpr HostId MAX_HOSTS = 8192;

    /** Maximum number of ports of a switch. */
    static constexpr uint32_t MAX_SWITCH_PORTS = PortSet::SIZE;

    /** Kinds of vertices. */
    enum class Kind : uint8_t
    {
        HOST,   ///< Port of a channel adapter.
        SWITCH, ///< Switch.
        ROUTER  ///< Port of a router or of a switch's aggregation node: an endpoint of the subnet
                ///< without traffic.
    };

    /** A port of an adapter, a switch, or a port of a router. */
    struct Vertex
    {
        std::string name;      ///< Node description.
        Lid lid{0};            ///< Base LID that a file states, or 0.
        PortId firstPort{0};   ///< Index of its port 1.
        uint32_t nPorts{1};    ///< Ports of this vertex: one unless it is a switch.
        uint8_t lmc{0};        ///< LMC that a file states.
        Kind kind{Kind::HOST}; ///< Kind.
    };

    /** A port. */
    struct Port
    {
        PortId peer{NO_PORT}; ///< Port at the other end of its cable, or NO_PORT.
        uint32_t vertex{0};   ///< Vertex that it belongs to.
        LinkSpeed speed;      ///< Width and rate of its link.
    };

    /**
     * Build a topology.
     * @param config the configuration
     * @param rate default rate of links
     * @param error set to one sentence on failure
     * @return the topology; empty if there is an error
     */
    static Topology Make(const TopologyConfig& config, LinkRate rate, std::string& error);

    /**
     * Read a topology in the output format of ibnetdiscover: records that begin with Switch, Ca (in
     * ibsim Hca) or Rt, followed by a line for each port with a cable. Comments contain names,
     * LIDs, LMC and link speeds. Both ends of a cable have to be listed. A width or rate
     * that is missing or unknown at one end (??, ???) is that of the other end; of two that differ,
     * the smaller one counts. An adapter with AGGREGATION in its name is part of a switch, and no
     * host.
     * @param in the text
     * @param name name of the text, for errors
     * @param rate rate of links whose ends both have none; their width is 4x
     * @param error set to one sentence with the line number on failure
     * @return the topology; empty if there is an error
     */
    static Topology Read(std::istream& in,
                         const std::string& name,
                         LinkRate rate,
                         std::string& error);

    /** @return the number of hosts. */
    HostId GetNHosts() const
    {
        return m_nHosts;
    }

    /** @return all vertices, hosts first. */
    const std::vector<Vertex>& GetVertices() const
    {
        return m_vertices;
    }

    /** @return all ports. */
    const std::vector<Port>& GetPorts() const
    {
        return m_ports;
    }

    /**
     * @param port a port
     * @return its number at its vertex, from 1
     */
    uint32_t GetNumber(PortId port) const
    {
        return port - m_vertices[m_ports[port].vertex].firstPort + 1;
    }

    /**
     * @param port a port
     * @return its name: that of its vertex, a slash, its number
     */
    std::string GetPortName(PortId port) const;

  private:
    friend class TopologyReader;

    /**
     * Add a vertex without cables.
     * @param kind its kind
     * @param name its name
     * @param ports number of ports
     * @return its number
     */
    uint32_t Add(Kind kind, const std::string& name, uint32_t ports);

    /**
     * Add equal vertices without cables.
     * @param kind their kind
     * @param name their name, to be followed by a number
     * @param count how many
     * @param ports number of ports of each
     * @return the number of the first
     */
    uint32_t AddAll(Kind kind, const std::string& name, uint32_t count, uint32_t ports);

    /**
     * Add a cable.
     * @param a a vertex
     * @param portA number of its port, from 1
     * @param b another vertex
     * @param portB number of its port, from 1
     * @param speed width and rate of the link
     */
    void Join(uint32_t a, uint32_t portA, uint32_t b, uint32_t portB, LinkSpeed speed);

    /**
     * Build a fat tree, or one switch, which is a tree of one level.
     * @param config the configuration
     * @param speed width and rate of all links
     * @param error set to one sentence on failure
     */
    void MakeFatTree(const TopologyConfig& config, LinkSpeed speed, std::string& error);

    HostId m_nHosts{0};             ///< Number of hosts.
    std::vector<Vertex> m_vertices; ///< Hosts, switches, routers.
    std::vector<Port> m_ports;      ///< Ports by PortId.
};

} // namespace infiniband
} // namespace ns3

#endif // INFINIBAND_TOPOLOGY_H
