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
 *
 * Fabric and message engine are built on the same subnet, so that they agree on every way.
 */
class Subnet : public Object
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    Subnet();
    ~Subnet() override;

    /**
     * Look whether the parameters go together; Build does the same.
     * @return an empty text, or one sentence that names what is wrong
     */
    std::string Check() const;

    /**
     * Build topology and tables.
     * @param rate of links that a file does not name
     * @return an empty text, or one sentence that tells why it is impossible
     */
    std::string Build(LinkRate rate);

    /**
     * Compute the tables anew, after links have gone down or come up.
     * @return an empty text, or one sentence that tells why there are none
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

    /**
     * Lay nodes, switches and links out.
     * @param rate signalling rate of the links
     * @param error set to one sentence if that is not possible
     * @return the topology
     */
    Topology MakeTopology(LinkRate rate, std::string& error) const;

    TopologyKind m_kind{};                    ///< Shape.
    HostId m_nodes{0};                        ///< Hosts.
    uint32_t m_switchPorts{0};                ///< Ports of each switch.
    double m_oversubscription{0};             ///< Ports of a leaf down, divided by those up.
    std::string m_file;                       ///< File to be read.
    Routing m_routing{};                      ///< How ways are chosen.
    uint8_t m_lmc{0};                         ///< Each host has 2^LMC LIDs.
    Topology m_topology;                      ///< The topology.
    std::unique_ptr<SubnetManager> m_manager; ///< LIDs and tables.
    uint32_t m_sweeps{0};                     ///< Sweeps so far.
};

} // namespace infiniband
} // namespace ns3

#endif // INFINIBAND_SUBNET_H
