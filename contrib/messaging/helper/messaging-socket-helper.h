/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_SOCKET_HELPER_H
#define MESSAGING_SOCKET_HELPER_H

#include "ns3/attribute.h"
#include "ns3/ipv4-address.h"
#include "ns3/messaging-addresses.h"
#include "ns3/messaging-audit.h"
#include "ns3/messaging-group.h"
#include "ns3/messaging-network.h"
#include "ns3/messaging-protocol.h"
#include "ns3/messaging-socket-layer.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"

#include <cstdint>
#include <string>

/**
 * @file
 * @ingroup messaging
 * Gives nodes sockets over a protocol.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * The nodes that MessageSocketHelper has given sockets, with their addresses.
 */
class MessageInterfaceContainer
{
  public:
    /** @return the number of nodes. */
    uint32_t GetN() const
    {
        return m_nodes.GetN();
    }

    /**
     * Get the address of a node.
     * @param index index of the node
     * @return its address
     */
    Ipv4Address GetAddress(uint32_t index) const
    {
        return m_addresses.Get(index);
    }

    /** @return the address of all nodes but the sender. */
    Ipv4Address GetBroadcast() const
    {
        return m_addresses.Get(NO_PEER);
    }

    /** @return the nodes, in the order of the peers. */
    const NodeContainer& GetNodes() const
    {
        return m_nodes;
    }

    /**
     * Get the layer of sockets of a node.
     * @param index index of the node
     * @return the layer, which counts dropped messages
     */
    Ptr<MessageSocketLayer> GetLayer(uint32_t index) const
    {
        return m_nodes.Get(index)->GetObject<MessageSocketLayer>();
    }

    /** @return the group, without the audit. */
    Ptr<MessageGroup> GetGroup() const
    {
        return m_group;
    }

    /** @return the packets in flight. */
    Ptr<MessagePacketStore> GetStore() const
    {
        return m_store;
    }

    /** @return the audit of all deliveries; nullptr if it was not enabled. */
    Ptr<DeliveryAudit> GetAudit() const
    {
        return m_audit;
    }

    /**
     * Assign random streams to the protocol, before the simulation.
     * @param stream first stream
     * @return number of streams assigned
     */
    int64_t AssignStreams(int64_t stream) const
    {
        return m_group->AssignStreams(stream);
    }

  private:
    /// Makes the container.
    friend class MessageSocketHelper;

    NodeContainer m_nodes;           ///< The nodes.
    MessageAddresses m_addresses;    ///< Their addresses.
    Ptr<MessageGroup> m_group;       ///< The group.
    Ptr<MessagePacketStore> m_store; ///< Packets in flight.
    Ptr<DeliveryAudit> m_audit;      ///< The audit, if enabled.
};

/**
 * @ingroup messaging
 * Gives nodes sockets over a protocol: connects a group of them, and aggregates to each its
 * endpoint, a MessageSocketLayer and its factories.
 *
 * @code
 *   NetDeviceContainer devices = csma.Install(nodes);
 *   MessageSocketHelper sockets("idempotent");
 *   sockets.SetBase("10.1.1.0", "255.255.255.0");
 *   MessageInterfaceContainer interfaces = sockets.Install(devices);
 *   UdpEchoServerHelper(9).Install(nodes.Get(0));
 *   UdpEchoClientHelper(interfaces.GetAddress(0), 9).Install(nodes.Get(1));
 *   OnOffHelper("ns3::messaging::MessageSocketFactory",
 *               InetSocketAddress(interfaces.GetAddress(0), 5000)).Install(nodes.Get(2));
 * @endcode
 *
 * Applications that ask for UDP, such as UdpEchoClient, use these sockets on a node without an
 * Internet stack; on others they use UDP.
 */
class MessageSocketHelper
{
  public:
    /**
     * Constructor.
     * @param protocol name of the protocol, as `relnet protocols` lists it
     */
    explicit MessageSocketHelper(const std::string& protocol);

    /** @param protocol the protocol */
    explicit MessageSocketHelper(Ptr<Protocol> protocol);

    /**
     * Set an attribute of the protocol.
     * @param name its name
     * @param value its value
     */
    void SetProtocolAttribute(const std::string& name, const AttributeValue& value);

    /**
     * Set the addresses of the nodes; by default those of 10.0.0.0/8.
     * @param network the network, whose first host is the first node
     * @param mask its mask
     */
    void SetBase(Ipv4Address network, Ipv4Mask mask);

    /** Let a DeliveryAudit check each delivery. */
    void EnableAudit();

    /**
     * Install sockets over net devices. A protocol over TCP or UDP uses the IPv4 addresses of the
     * devices.
     * @param devices devices of any kind, one on each node, on one channel
     * @return the nodes with their addresses
     */
    MessageInterfaceContainer Install(const NetDeviceContainer& devices) const;

    /**
     * Build a network, and install sockets over it.
     * @param network the network
     * @param nodes the node of each peer, for a network that makes no nodes of its own
     * @return the nodes with their addresses
     */
    MessageInterfaceContainer Install(Ptr<Network> network, const NodeContainer& nodes) const;

    /**
     * Build a network, and install sockets on its nodes, or on new ones if it makes none.
     * @param network the network
     * @param nodes number of nodes
     * @return the nodes with their addresses
     */
    MessageInterfaceContainer Install(Ptr<Network> network, uint32_t nodes) const;

    /**
     * Build a network by its name, and install sockets on its nodes, or on new ones if it makes
     * none.
     * @param network name of the network, as `relnet networks` lists it
     * @param nodes number of nodes
     * @return the nodes with their addresses
     */
    MessageInterfaceContainer Install(const std::string& network, uint32_t nodes) const;

    /**
     * Install sockets over a group.
     * @param group the group, which has no user yet
     * @param promise the guarantees of its protocol
     * @param nodes the node of each peer
     * @return the nodes with their addresses
     */
    MessageInterfaceContainer Install(Ptr<MessageGroup> group,
                                      const Promise& promise,
                                      const NodeContainer& nodes) const;

  private:
    /**
     * Build a network.
     * @param network the network
     * @param peers number of peers
     */
    void Build(Ptr<Network> network, uint32_t peers) const;

    /**
     * Connect the protocol over a network, and install sockets.
     * @param site the network
     * @param info its properties
     * @param nodes the node of each peer
     * @return the nodes with their addresses
     */
    MessageInterfaceContainer Connect(const Site& site,
                                      const PortInfo& info,
                                      const NodeContainer& nodes) const;

    Ptr<Protocol> m_protocol;          ///< The protocol.
    Ipv4Address m_network{"10.0.0.0"}; ///< Network of the addresses.
    Ipv4Mask m_mask{"255.0.0.0"};      ///< Its mask.
    bool m_audits{false};              ///< Deliveries are audited.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_SOCKET_HELPER_H
