/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_DATAGRAM_PROTOCOL_H
#define MESSAGING_DATAGRAM_PROTOCOL_H

#include "ns3/messaging-loss-counts.h"
#include "ns3/messaging-protocol.h"
#include "ns3/messaging-segmented-protocol.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * No protocol at all, over frames or over UDP: a message is a packet, or as many as it fills.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * No protocol: a message is a frame, or several segments in frames of their own, which arrive as
 * the network delivers them.
 */
class NoneProtocol : public Protocol, public SegmentedProtocol
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    Promise GetPromise(const PortInfo& info) const override;
    uint32_t GetLargestWhole(Ptr<AnyPort> port) const override;

  protected:
    Ptr<MessageGroup> DoConnect(const Site& site) override;
};

/**
 * @ingroup messaging
 * UDP of ns-3: a message is a datagram, which IP fragments if it exceeds the MTU. A message that
 * exceeds the largest datagram is sent in segments. As in Linux, a sender waits while its packets
 * fill its send buffer, and datagrams without room in the receive buffer are dropped.
 */
class UdpProtocol : public Protocol, public SegmentedProtocol
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

    std::string Check(const PortInfo& info, uint32_t peers) const override;
    Promise GetPromise(const PortInfo& info) const override;
    uint32_t GetLargestWhole(Ptr<AnyPort> port) const override;

    std::vector<NamedCount> GetLosses() const override
    {
        return m_losses->GetRows();
    }

  protected:
    Ptr<MessageGroup> DoConnect(const Site& site) override;

  private:
    /** Datagrams refused by a socket, or damaged; shared with the port. */
    std::shared_ptr<LossCounts> m_losses{std::make_shared<LossCounts>()};
    std::string m_queueDisc;     ///< Queue disc of each node.
    uint32_t m_sendBuffer{0};    ///< Send buffer [bytes].
    uint32_t m_receiveBuffer{0}; ///< Receive buffer [bytes].
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_DATAGRAM_PROTOCOL_H
