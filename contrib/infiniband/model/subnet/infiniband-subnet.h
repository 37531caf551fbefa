/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INFINIBAND_SUBNET_H
#define INFINIBAND_SUBNET_H

#include "infiniband-subnet-manager.h"

#include "ns3/object.h"

#include <memory>
#include <string>

/**
 * @file
 * @ingroup infiniband
 * A subnet: its topology and its routes, as attributes.
 */

namespace ns3
{
namespace infiniband
{

/**
 * @ingroup infiniband
 * A subnet: topology, LIDs and forwarding tables, made from attributes.
 */
class Subnet : public Object
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Build topology and tables.
     * @param rate of links that a file does not name
     * @param hosts number of hosts, which replaces the attribute Nodes, and which a file has to
     * have at least; 0: as Nodes or the file says
     * @return an empty text, or one sentence with the reason
     */
    std::string Build(LinkRate rate, HostId hosts = 0);

    /**
     * Compute the tables again, after links have failed or recovered.
     * @return an empty text, or one sentence with the reason
     */
    std::string Sweep();

    /** @return the topology; Build has to have succeeded. */
    const Topology& GetTopology() const
    {
        return m_topology;
    }

    /** @return LIDs and tables; Build has to have succeeded. */
    SubnetManager& GetManager()
    {
        return *m_manager;
    }

    /** @copydoc GetManager() */
    const SubnetManager& GetManager() const
    {
        return *m_manager;
    }

    /** @return true if the topology comes from a file, which has its number of hosts. */
    bool IsFromFile() const
    {
        return m_shape.kind == TopologyKind::FILE;
    }

    /** @return the number of hosts. */
    HostId GetNHosts() const
    {
        return m_topology.GetNHosts();
    }

    /** @return the number of sweeps so far. */
    uint32_t GetNSweeps() const
    {
        return m_sweeps;
    }

  private:
    /** @return an empty text, or one sentence on a parameter that is set and has no effect. */
    std::string FindIdle() const;

    TopologyConfig m_shape;                   ///< Shape.
    SubnetConfig m_config;                    ///< Routing and LIDs.
    Topology m_topology;                      ///< The topology.
    std::unique_ptr<SubnetManager> m_manager; ///< LIDs and tables.
    uint32_t m_sweeps{0};                     ///< Sweeps so far.
};

} // namespace infiniband
} // namespace ns3

#endif // INFINIBAND_SUBNET_H
