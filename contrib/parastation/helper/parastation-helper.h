/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARASTATION_HELPER_H
#define PARASTATION_HELPER_H

#include "ns3/messaging-any-port.h"
#include "ns3/messaging-host.h"
#include "ns3/messaging-tick-clock.h"
#include "ns3/parastation-group.h"
#include "ns3/parastation-platform.h"

#include <vector>

/**
 * @file
 * @ingroup parastation
 * Installation of ParaStation2 or a rival on a network.
 */

namespace ns3
{
namespace parastation
{

/**
 * @ingroup parastation
 * Installs ParaStation2 or one of the rivals of Table 2 on a network, with a host and a network
 * interface for each peer:
 *
 * @code
 *   ParastationHelper helper(ProtocolKind::PARASTATION2, machine);
 *   Ptr<ParastationGroup> group = helper.Install(clock, port, config);
 * @endcode
 */
class ParastationHelper
{
  public:
    /**
     * Construct.
     * @param protocol the protocol
     * @param machine factory of hosts and interfaces; nullptr for hosts without costs
     */
    ParastationHelper(ProtocolKind protocol, Ptr<const ParastationMachine> machine = nullptr);

    /**
     * Make a group of all peers of a network.
     * @param clock the clock of the network's ticks
     * @param port the network
     * @param config parameters common to all hosts; a machine sets its costs
     * @return the group
     */
    Ptr<ParastationGroup> Install(Ptr<messaging::TickClock> clock,
                                  Ptr<messaging::AnyPort> port,
                                  Config config);

    /**
     * Install software layers on the group of the last Install.
     * @param clock the clock of the network's ticks
     * @param group the group, the HAL
     * @param layers frame formats and costs of each layer, the lowest first
     * @param processes processes of each node that share its network interface; process p is on
     * node p modulo the number of nodes
     * @return the group of the uppermost layer
     */
    Ptr<messaging::MessageGroup> InstallLayers(Ptr<messaging::TickClock> clock,
                                               Ptr<messaging::MessageGroup> group,
                                               const std::vector<LayerConfig>& layers,
                                               uint32_t processes = 1) const;

    /** @return the hosts of the last Install, one for each peer; none without a machine. */
    const std::vector<Ptr<messaging::HostModel>>& GetHosts() const
    {
        return m_hosts;
    }

    /** @return the network interfaces of the last Install, in the order of GetHosts. */
    const std::vector<Ptr<messaging::HostModel>>& GetInterfaces() const
    {
        return m_interfaces;
    }

  private:
    ProtocolKind m_protocol;                             ///< The protocol.
    Ptr<const ParastationMachine> m_machine;             ///< Factory of hosts and interfaces.
    std::vector<Ptr<messaging::HostModel>> m_hosts;      ///< The hosts.
    std::vector<Ptr<messaging::HostModel>> m_interfaces; ///< The network interfaces.
};

} // namespace parastation
} // namespace ns3

#endif // PARASTATION_HELPER_H
