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
 * A subnet: topology and routes.
 */

namespace ns3
{
namespace infiniband
{

/**
 * @ingroup infiniband
 * A subnet: topology, LIDs and forwarding tables, built from attributes.
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
     * @param rate default rate of links
     * @param hosts number of hosts, which overrides the attribute Nodes, and is the minimum for a
     * file; 0: as in Nodes or the file
     * @return an empty text, or one sentence with the reason
     */
    std::string Build(LinkRate rate, HostId hosts = 0);

    /** @return the topology; requires a successful Build. */
    const Topology& GetTopology() const
    {
        return m_topology;
    }

    /** @return LIDs and tables; requires a successful Build. */
    SubnetManager& GetManager()
    {
        return *m_manager;
    }

    /** @copydoc GetManager() */
    const SubnetManager& GetManager() const
    {
        return *m_manager;
    }

    /** @return true if the topology, and with it the number of hosts, comes from a file. */
    bool IsFromFile() const
    {
        return m_shape.kind == TopologyKind::FILE;
    }

    /** @return the number of hosts. */
    HostId GetNHosts() const
    {
        return m_topology.GetNHosts();
    }

    /**
     * Get the speed of the slowest link of a host.
     * @param planned returned before Build
     * @return the speed
     */
    LinkSpeed GetSlowest(LinkSpeed planned) const;

  private:
    /** @return an empty text, or one sentence on a parameter that has no effect. */
    std::string FindIdle() const;

    TopologyConfig m_shape;                   ///< Shape.
    SubnetConfig m_config;                    ///< Routing and LIDs.
    Topology m_topology;                      ///< The topology.
    std::unique_ptr<SubnetManager> m_manager; ///< LIDs and tables.
};

} // namespace infiniband
} // namespace ns3

#endif // INFINIBAND_SUBNET_H
