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
 * TCP of ns-3 as a protocol of the seam.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * TCP of ns-3: messages are parts of a stream between each pair of peers. Segments have the size of
 * the MTU less the headers of IP and TCP. A connection is given up after 15 repetitions of a
 * segment, as Linux does, and its messages fail: a network that loses so many frames in a row,
 * however far apart they are, breaks what TCP promises.
 */
class TcpProtocol : public Protocol
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    Carrier GetCarrier() const override;
    Promise GetPromise(const PortInfo& info) const override;
    Ptr<MessageGroup> Connect(const Site& site) override;

  private:
    AttributeDefaults m_defaults; ///< Defaults of TCP's sockets while the protocol lives.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_TCP_PROTOCOL_H
