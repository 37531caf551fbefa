/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INFINIBAND_NETWORK_H
#define INFINIBAND_NETWORK_H

#include "ns3/infiniband-engine.h"
#include "ns3/infiniband-verbs-port.h"
#include "ns3/messaging-network.h"
#include "ns3/messaging-transport.h"

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
 * It has the attributes of Engine, Fabric and Subnet; the number of peers sets the number of nodes.
 * The network includes adapters and their transports, but not the processors. Packets of IP pass
 * the same adapters as frames over UD.
 *
 * Frames use the transport service that the protocol needs, and UD if it needs none, unless the
 * attribute Transport selects another.
 */
class InfinibandNetwork : public messaging::Network, public messaging::TransportNetwork
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    InfinibandNetwork();

    messaging::PortInfo GetInfo() const override;
    std::string Check(uint32_t peers) const override;
    std::vector<messaging::NamedTable> GetTables() const override;
    int64_t AssignStreams(int64_t stream) override;
    std::string UseTransport(const std::string& name) override;
    void SetTransportUser(messaging::TransportUser* user,
                          const messaging::TransportReceives& receives) override;

    /** @return the host of paper 4. */
    messaging::HostKind GetHostKind() const override
    {
        return messaging::HostKind::XEON_2008;
    }

    bool BypassesKernel() const override
    {
        return true;
    }

    /** @return the fabric; nullptr before Build or BuildDevices. */
    Ptr<Fabric> GetFabric() const
    {
        return m_fabric;
    }

  protected:
    void DoDispose() override;
    void DoBuild(uint32_t peers) override;
    NetDeviceContainer DoInstall(const NodeContainer& nodes) override;

  private:
    /** Values of the attribute Transport. */
    enum class Choice : uint8_t
    {
        AUTO, ///< The one that the protocol needs, or UD.
        RC,   ///< Transport::RC.
        UC,   ///< Transport::UC.
        UD    ///< Transport::UD.
    };

    /** @return the transport in use. */
    Transport GetTransport() const;

    /** Count the messages that the adapters lose. */
    void CountLosses();

    /**
     * A message is lost.
     * @param wr its request
     * @param place the place
     * @param copies number of receivers that it does not reach
     */
    void OnLoss(const SendWr& wr, const std::string& place, uint64_t copies);

    Choice m_choice{Choice::AUTO};     ///< Choice of the user.
    Transport m_needed{Transport::UD}; ///< Transport that the protocol needs, or UD.
    Ptr<Engine> m_engine;              ///< Adapters, links and switches.
    Ptr<VerbsPort> m_port;             ///< Queue pairs.
    Ptr<Fabric> m_fabric;              ///< Links and switches of the port or of the devices.
};

} // namespace infiniband
} // namespace ns3

#endif // INFINIBAND_NETWORK_H
