/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_SOCKET_HEADER_H
#define MESSAGING_SOCKET_HEADER_H

#include "ns3/header.h"

#include <cstdint>
#include <ostream>

/**
 * @file
 * @ingroup messaging
 * Header of a message between two sockets.
 */

namespace ns3
{
namespace messaging
{

/** Kind of a message between two sockets. */
enum class SocketMessage : uint8_t
{
    DATAGRAM, ///< A packet between datagram sockets.
    CONNECT,  ///< Asks a listening socket for a connection.
    ACCEPT,   ///< The connection is established.
    DATA,     ///< A packet of a connection.
    CLOSE,    ///< The sender sends no more packets on this connection.
    RESET     ///< The sender has no such connection.
};

/**
 * Print a kind of message by name.
 * @param os the stream
 * @param kind the kind
 * @return the stream
 */
std::ostream& operator<<(std::ostream& os, SocketMessage kind);

/**
 * @ingroup messaging
 * Header of a message between two sockets: kind and ports, in network byte order.
 *
 * @verbatim
     0      1             3             5
     | kind | source port | destination |
   @endverbatim
 */
class MessageSocketHeader : public Header
{
  public:
    static constexpr uint32_t SIZE = 5; ///< Size of the header [bytes].

    /**
     * Constructor.
     * @param kind kind of the message
     * @param sourcePort port of the sending socket
     * @param destinationPort port of the receiving socket
     */
    explicit MessageSocketHeader(SocketMessage kind = SocketMessage::DATAGRAM,
                                 uint16_t sourcePort = 0,
                                 uint16_t destinationPort = 0);

    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    TypeId GetInstanceTypeId() const override;
    void Print(std::ostream& os) const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;

    /** @return false after Deserialize of too few bytes or of an unknown kind. */
    bool IsIntact() const
    {
        return m_intact;
    }

    /** @return the kind of the message. */
    SocketMessage GetKind() const
    {
        return m_kind;
    }

    /** @return the port of the sending socket. */
    uint16_t GetSourcePort() const
    {
        return m_sourcePort;
    }

    /** @return the port of the receiving socket. */
    uint16_t GetDestinationPort() const
    {
        return m_destinationPort;
    }

  private:
    SocketMessage m_kind;       ///< Kind of the message.
    uint16_t m_sourcePort;      ///< Port of the sending socket.
    uint16_t m_destinationPort; ///< Port of the receiving socket.
    bool m_intact{true};        ///< All bytes were there, and the kind is known.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_SOCKET_HEADER_H
