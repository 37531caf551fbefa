/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INFINIBAND_NETWORK_H
#define INFINIBAND_NETWORK_H

#include "ns3/infiniband-packet-engine.h"
#include "ns3/infiniband-verbs-port.h"
#include "ns3/messaging-network.h"

#include <string>
#include <vector>

/**
 * @file
 * @ingroup infiniband
 * InfiniBand as a network of the reliability scenario.
 */

namespace ns3
{
namespace infiniband
{

/**
 * @ingroup infiniband
 * InfiniBand as a network: frames are sends over queue pairs of RC, UC or UD, and IP runs over
 * IPoIB devices.
 *
 * It has the attributes of PacketEngine, Fabric and Subnet; the number of nodes is that of the
 * peers. Adapters and their transports are part of the network, the processors are not.
 */
class InfinibandNetwork : public messaging::Network
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    InfinibandNetwork();
    ~InfinibandNetwork() override;

    messaging::PortInfo Describe() const override;
    std::string Check(uint32_t peers) const override;
    std::vector<NamedTable> GetTables() const override;
    int64_t AssignStreams(int64_t stream) override;

    /** @return the fabric; nullptr before Build or BuildDevices. */
    Ptr<Fabric> GetFabric() const;

  protected:
    void DoDispose() override;
    void DoBuild(uint32_t peers) override;
    NetDeviceContainer DoInstall(const NodeContainer& nodes) override;

  private:
    /** @return a fabric with the attributes of the network. */
    Ptr<Fabric> MakeFabric() const;

    Transport m_transport{Transport::UD}; ///< Type of the queue pairs.
    Ptr<PacketEngine> m_engine;           ///< Attributes of adapters and links.
    Ptr<Fabric> m_attributes;             ///< Further attributes of the fabric.
    Ptr<Subnet> m_subnet;                 ///< Attributes of the subnet.
    Ptr<PacketEngine> m_running;          ///< Adapters of the port.
    Ptr<VerbsPort> m_port;                ///< Queue pairs.
    Ptr<Fabric> m_fabric;                 ///< Links and switches.
};

} // namespace infiniband
} // namespace ns3

#endif // INFINIBAND_NETWORK_H
