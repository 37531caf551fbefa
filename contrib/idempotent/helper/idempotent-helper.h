/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef IDEMPOTENT_HELPER_H
#define IDEMPOTENT_HELPER_H

#include "ns3/idempotent-protocol.h"
#include "ns3/messaging-endpoint.h"
#include "ns3/net-device-container.h"
#include "ns3/wormhole-network.h"

#include <string>

/**
 * @file
 * @ingroup idempotent
 * Puts the idempotent messaging protocol on networks.
 */

namespace ns3
{
namespace idempotent
{

/**
 * @ingroup idempotent
 * Puts the idempotent messaging protocol on a network.
 *
 * @code
 *   IdempotentHelper idempotent;
 *   idempotent.SetAttribute("SendTable", UintegerValue(8));
 *   idempotent.SetAttribute("Backoff", StringValue("linear"));
 *   Ptr<IdempotentGroup> group = idempotent.Install(network, clock);
 * @endcode
 */
class IdempotentHelper
{
  public:
    /**
     * Set an attribute of the protocol.
     * @param name name of an attribute of IdempotentProtocol
     * @param value its value
     */
    void SetAttribute(const std::string& name, const AttributeValue& value);

    /**
     * Put the protocol on a wormhole network, for all its nodes.
     * @param network the network, which gets the clock
     * @param clock counts the cycles
     * @return the group
     */
    Ptr<IdempotentGroup> Install(Ptr<wormhole::WormholeNetwork> network,
                                 Ptr<messaging::TickClock> clock) const;

    /**
     * Put the protocol on ns-3 devices of one channel, and an endpoint on each of their nodes.
     * @param devices the devices, one a peer
     * @return the endpoints, which are aggregated to the nodes
     */
    Ptr<messaging::GroupEndpoints> Install(const NetDeviceContainer& devices) const;

  private:
    Ptr<IdempotentProtocol> m_protocol{CreateObject<IdempotentProtocol>()}; ///< Parameters.
};

} // namespace idempotent
} // namespace ns3

#endif // IDEMPOTENT_HELPER_H
