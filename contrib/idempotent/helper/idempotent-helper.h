/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef IDEMPOTENT_HELPER_H
#define IDEMPOTENT_HELPER_H

#include "ns3/idempotent-group.h"
#include "ns3/messaging-endpoint.h"
#include "ns3/net-device-container.h"
#include "ns3/object-factory.h"
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
 *   idempotent.SetGroupAttribute("SendTableSize", UintegerValue(8));
 *   idempotent.SetBackoff("ns3::idempotent::LinearBackoff", "C", DoubleValue(24));
 *   Ptr<IdempotentGroup> group = idempotent.Install(network, clock);
 * @endcode
 */
class IdempotentHelper
{
  public:
    IdempotentHelper();

    /**
     * Set an attribute of the groups to be created.
     * @param name name of an attribute of IdempotentGroup
     * @param value its value
     */
    void SetGroupAttribute(const std::string& name, const AttributeValue& value);

    /**
     * Set the backoff policy.
     * @tparam Args pairs of attribute names and values
     * @param type name of a type derived from BackoffPolicy
     * @param args attributes of the policy
     */
    template <class... Args>
    void SetBackoff(const std::string& type, Args&&... args)
    {
        m_backoff = ObjectFactory();
        m_backoff.SetTypeId(type);
        m_backoff.Set(std::forward<Args>(args)...);
    }

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

    /**
     * Put the protocol on any port.
     * @tparam Port a DatagramPort
     * @param port the port
     * @param clock counts its ticks
     * @return the group
     */
    template <messaging::DatagramPort Port>
    Ptr<IdempotentGroup> InstallOnPort(Ptr<Port> port, Ptr<messaging::TickClock> clock) const
    {
        auto group = CreateObject<IdempotentPortGroup<Port>>();
        Configure(group);
        group->Connect(clock, port);
        return group;
    }

  private:
    /**
     * Set a group's attributes.
     * @param group the group
     */
    void Configure(Ptr<IdempotentGroup> group) const;

    /** An attribute to be set. */
    struct Setting
    {
        std::string name;          ///< Its name.
        Ptr<AttributeValue> value; ///< Its value.
    };

    std::vector<Setting> m_settings; ///< Attributes of groups.
    ObjectFactory m_backoff;         ///< Creates backoff policies.
};

} // namespace idempotent
} // namespace ns3

#endif // IDEMPOTENT_HELPER_H
