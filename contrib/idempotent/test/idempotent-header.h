/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef IDEMPOTENT_HEADER_H
#define IDEMPOTENT_HEADER_H

#include "ns3/header.h"
#include "ns3/idempotent-config.h"
#include "ns3/messaging-types.h"

/**
 * @file
 * @ingroup idempotent
 * The bits of ACK and CONF (paper 1, Figure 2).
 */

namespace ns3
{
namespace idempotent
{

/**
 * @ingroup idempotent
 * An ACK, a CONF, or the header of a MSG: 96 bits, with the layout of Figure 2:
 * @verbatim
    0                   1                   2                   3
    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
   +---+---------------------------------------+-------------------+
   |typ|            destination node           | source node, high |
   +-------------------+-------------------------------------------+
   |  source node, low |              message ID, high             |
   +---------------------------------------------------------------+
   |                        message ID, low                        |
   +---------------------------------------------------------------+
   @endverbatim
 * Packet type, 2 bits, and destination, 20 bits, are the header field "that contains the packet
 * type and routing information"; source node ID, 20 bits; message ID, 54 bits.
 */
class IdempotentHeader : public Header
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    IdempotentHeader();

    /**
     * @param kind packet type
     * @param source sender of the packet
     * @param destination receiver of the packet
     * @param id message ID
     */
    IdempotentHeader(PacketKind kind,
                     messaging::Peer source,
                     messaging::Peer destination,
                     uint64_t id);

    ~IdempotentHeader() override;

    /** @return the packet type. */
    PacketKind GetKind() const
    {
        return m_kind;
    }

    /** @return the sender of the packet. */
    messaging::Peer GetSource() const
    {
        return m_source;
    }

    /** @return the receiver of the packet. */
    messaging::Peer GetDestination() const
    {
        return m_destination;
    }

    /** @return the message ID. */
    uint64_t GetMessageId() const
    {
        return m_id;
    }

    /** @return whether the packet type is valid. */
    bool IsValid() const;

    TypeId GetInstanceTypeId() const override;
    void Print(std::ostream& os) const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;

  private:
    PacketKind m_kind{PacketKind::MSG}; ///< Packet type.
    messaging::Peer m_source{0};        ///< Sender.
    messaging::Peer m_destination{0};   ///< Receiver.
    uint64_t m_id{0};                   ///< Message ID.
};

} // namespace idempotent
} // namespace ns3

#endif // IDEMPOTENT_HEADER_H
