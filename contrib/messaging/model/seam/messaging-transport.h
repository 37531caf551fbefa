/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_TRANSPORT_H
#define MESSAGING_TRANSPORT_H

#include "ns3/messaging-types.h"

#include <string>

/**
 * @file
 * @ingroup messaging
 * Transport services of adapters, for protocols that are made for one of them.
 */

namespace ns3
{
namespace messaging
{

/** Receives that a connection has posted in advance. */
struct TransportReceives
{
    uint32_t bytes{0}; ///< Length of each: of the longest frame that is no write [bytes].
    uint32_t count{0}; ///< Number.
};

/** User of a transport service, notified of the end of sends. */
class TransportUser
{
  public:
    virtual ~TransportUser() = default;

    /**
     * The send of a frame has ended without an error: its buffer is free. A reliable service then
     * has placed the frame at its receiver; with another one it has left the adapter.
     * @param self the sender
     * @param to the receiver
     * @param frame the frame
     */
    virtual void OnSent(Peer self, Peer to, const Frame& frame) = 0;

    /**
     * A connection has failed, for ever: the service has given up a frame after its retries. Frames
     * to the peer that OnSent has not reported may be lost.
     * @param self one end of the connection; the other end is notified, too
     * @param peer its other end
     */
    virtual void OnDisconnected(Peer self, Peer peer) = 0;
};

/**
 * Transport services of a network whose adapters have several. A Network that has them also derives
 * from this class.
 */
class TransportNetwork
{
  public:
    virtual ~TransportNetwork() = default;

    /**
     * Use a service, before all other calls of the network.
     * @param name its name; empty for the network's own choice
     * @return empty if it is used, else one sentence with the reason
     */
    virtual std::string UseTransport(const std::string& name) = 0;

    /**
     * Set the user of the service, after Build.
     * @param user the user, not owned
     * @param receives receives of each connection; a service without connections has its own
     */
    virtual void SetTransportUser(TransportUser* user, const TransportReceives& receives) = 0;
};

/**
 * Transport service of a protocol that is made for one. A Protocol that needs one also derives from
 * this class.
 */
class TransportProtocol
{
  public:
    virtual ~TransportProtocol() = default;

    /** @return the name of the service. */
    virtual std::string GetTransport() const = 0;

    /**
     * Set the network that provides the service, after its Build and before Connect.
     * @param network the network, not owned
     */
    virtual void SetTransportNetwork(TransportNetwork* network) = 0;
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_TRANSPORT_H
