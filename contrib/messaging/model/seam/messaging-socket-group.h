/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_SOCKET_GROUP_H
#define MESSAGING_SOCKET_GROUP_H

#include "ns3/messaging-group.h"
#include "ns3/messaging-socket-endpoint.h"
#include "ns3/node-container.h"

#include <vector>

/**
 * @file
 * @ingroup messaging
 * A group whose messages travel over ns-3's TCP.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * A group of peers that send each other messages over TCP sockets.
 *
 * Connections are made with the first message between two peers, one for each direction.
 */
class SocketGroup : public MessageGroup, private GroupUser
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    SocketGroup();
    ~SocketGroup() override;

    /**
     * Open all peers.
     * @param nodes the nodes, in the order of the peers, with an Internet stack
     * @param addresses addresses at which the peers listen (InetSocketAddress or
     * Inet6SocketAddress)
     */
    void Connect(const NodeContainer& nodes, const std::vector<Address>& addresses);

    uint32_t GetNPeers() const override
    {
        return static_cast<uint32_t>(m_endpoints.size());
    }

    Acceptance Post(Peer self, const Request& request) override
    {
        return m_endpoints[self]->Post(request);
    }

    /**
     * Get a peer.
     * @param peer which
     * @return its sockets
     */
    Ptr<SocketEndpoint> GetEndpoint(Peer peer) const
    {
        return m_endpoints.at(peer);
    }

  protected:
    void DoDispose() override;

  private:
    void OnDeliver(Peer self, const Delivery& delivery) override;
    void OnComplete(Peer self, RequestId id, Completion completion) override;
    void OnReady(Peer self) override;

    std::vector<Address> m_addresses;             ///< Addresses of all peers.
    std::vector<Ptr<SocketEndpoint>> m_endpoints; ///< All peers.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_SOCKET_GROUP_H
