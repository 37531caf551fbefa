/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MYRINET_TOPOLOGY_H
#define MYRINET_TOPOLOGY_H

#include "myrinet-types.h"

#include <istream>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup myrinet
 * Hosts, switches and links.
 */

namespace ns3
{
namespace myrinet
{

/** Parameters of a topology. */
struct TopologyConfig
{
    TopologyKind kind{TopologyKind::SWITCH}; ///< Shape.
    uint32_t nodes{8};                       ///< Number of hosts; not for graphs.
    uint32_t switchPorts{8};                 ///< Ports of each switch.
    uint32_t switches{6};                    ///< Switches of a ring.
    double cable{3};                         ///< Length of each cable [m].
    std::string file;                        ///< File of a graph.
};

/**
 * Hosts, switches and the links between them.
 *
 * Vertices are numbered from 0, the hosts first, then the switches. A host has one link, to a
 * switch.
 */
class Topology
{
  public:
    /** Largest number of hosts, as the routes of all pairs are stored. */
    static constexpr uint32_t MAX_HOSTS = 1024;

    /** Largest number of switches. */
    static constexpr uint32_t MAX_SWITCHES = 4096;

    /** A channel. */
    struct End
    {
        uint32_t from; ///< Sending vertex.
        uint32_t to;   ///< Receiving vertex.
        double cable;  ///< Length [m].
    };

    /**
     * Build a topology.
     * @param config its parameters
     * @param error set to one sentence if it cannot be built
     * @return the topology; empty if there is an error
     */
    static Topology Make(const TopologyConfig& config, std::string& error);

    /**
     * Read a graph.
     *
     * Each line is empty, a comment from #, or one of
     * - host NAME: a host; hosts are numbered in the order of their lines
     * - switch NAME [PORTS]: a switch; PORTS is config.switchPorts by default
     * - link NAME NAME [METRES]: a cable; its length is config.cable by default
     *
     * Each host has one link, to a switch, and every host is reachable from every other.
     *
     * @param in the text
     * @param name name of the text in errors
     * @param config defaults of ports and cables
     * @param error set to one sentence that names the line, if the text is malformed
     * @return the topology; empty if there is an error
     */
    static Topology Read(std::istream& in,
                         const std::string& name,
                         const TopologyConfig& config,
                         std::string& error);

    /** @return the number of hosts. */
    uint32_t GetNHosts() const
    {
        return m_nHosts;
    }

    /** @return the number of switches. */
    uint32_t GetNSwitches() const
    {
        return static_cast<uint32_t>(m_names.size()) - m_nHosts;
    }

    /** @return the channels, two for each link. */
    const std::vector<End>& GetChannels() const
    {
        return m_channels;
    }

    /**
     * @param vertex a host or switch
     * @return its outgoing channels, in the order of its ports
     */
    const std::vector<ChannelId>& GetOutgoing(uint32_t vertex) const
    {
        return m_outgoing[vertex];
    }

    /**
     * Get the rank of a switch. Routes go up to smaller ranks and then down.
     * @param vertex a switch
     * @return its level, 0 at the top
     */
    uint32_t GetRank(uint32_t vertex) const
    {
        return m_rank[vertex];
    }

    /**
     * @param vertex a host or switch
     * @return its name
     */
    const std::string& GetName(uint32_t vertex) const
    {
        return m_names[vertex];
    }

    /**
     * @param channel a channel
     * @return its name: sender, arrow, receiver
     */
    std::string GetChannelName(ChannelId channel) const;

    /** @return length of the longest cable [m]. */
    double GetLongestCable() const;

  private:
    /**
     * Add a vertex.
     * @param name its name
     * @param rank its level, 0 at the top
     * @return its number
     */
    uint32_t AddVertex(const std::string& name, uint32_t rank);

    /**
     * Add a link.
     * @param a a vertex
     * @param b another
     * @param cable length of the cable [m]
     */
    void AddLink(uint32_t a, uint32_t b, double cable);

    /**
     * Add the hosts, before any switch.
     * @param hosts the number
     */
    void AddHosts(uint32_t hosts);

    /**
     * Build a Clos network.
     * @param config its parameters
     * @param error set to one sentence if it cannot be built
     */
    void MakeClos(const TopologyConfig& config, std::string& error);

    /**
     * Build a ring of switches.
     * @param config its parameters
     * @param error set to one sentence if it cannot be built
     */
    void MakeRing(const TopologyConfig& config, std::string& error);

    /** Rank switches by their distance from the most central one. */
    void RankByDistance();

    /**
     * Get the distances from a switch to all vertices.
     * @param from the switch
     * @return distance by vertex; the number of vertices if unreachable
     */
    std::vector<uint32_t> GetDistances(uint32_t from) const;

    uint32_t m_nHosts{0};                           ///< Hosts.
    std::vector<std::string> m_names;               ///< Names by vertex.
    std::vector<uint32_t> m_rank;                   ///< Ranks by vertex.
    std::vector<End> m_channels;                    ///< Ends by channel.
    std::vector<std::vector<ChannelId>> m_outgoing; ///< Outgoing channels by vertex.
};

} // namespace myrinet
} // namespace ns3

#endif // MYRINET_TOPOLOGY_H
