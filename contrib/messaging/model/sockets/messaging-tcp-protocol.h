/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_TCP_PROTOCOL_H
#define MESSAGING_TCP_PROTOCOL_H

#include "ns3/messaging-attribute-defaults.h"
#include "ns3/messaging-protocol.h"

/**
 * @file
 * @ingroup messaging
 * TCP of ns-3 as a Protocol.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * TCP of ns-3: a stream between each pair of peers carries the messages. The segment size is the
 * MTU less the headers of IP and TCP. As in Linux, a connection is closed after 15 retransmissions
 * of a segment, and its messages fail. A network that loses so many frames in a row, at whatever
 * intervals, breaks TCP's guarantees.
 */
class TcpProtocol : public Protocol
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    bool UsesSockets() const override
    {
        return true;
    }

    Promise GetPromise(const PortInfo& info) const override;
    Ptr<MessageGroup> Connect(const Site& site) override;

  private:
    AttributeDefaults m_defaults; ///< Defaults of TCP sockets during the protocol's lifetime.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_TCP_PROTOCOL_H
