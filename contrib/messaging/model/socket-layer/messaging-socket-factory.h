/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_SOCKET_FACTORY_H
#define MESSAGING_SOCKET_FACTORY_H

#include "ns3/socket-factory.h"
#include "ns3/udp-socket-factory.h"

/**
 * @file
 * @ingroup messaging
 * Factories by whose TypeId applications of ns-3 create sockets over a protocol.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * Makes datagram sockets on a node with a MessageSocketLayer.
 */
class MessageSocketFactory : public SocketFactory
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    Ptr<Socket> CreateSocket() override;
};

/**
 * @ingroup messaging
 * Makes sequenced packet sockets on a node with a MessageSocketLayer.
 */
class MessageSeqPacketSocketFactory : public SocketFactory
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    Ptr<Socket> CreateSocket() override;
};

/**
 * @ingroup messaging
 * Makes datagram sockets for applications that ask for UDP, such as UdpEchoClient, on a node with a
 * MessageSocketLayer and without an Internet stack.
 */
class MessageUdpSocketFactory : public UdpSocketFactory
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    Ptr<Socket> CreateSocket() override;
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_SOCKET_FACTORY_H
