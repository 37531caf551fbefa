/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_SOCKET_ENDPOINT_H
#define MESSAGING_SOCKET_ENDPOINT_H

#include "ns3/address.h"
#include "ns3/messaging-group.h"
#include "ns3/node.h"
#include "ns3/packet.h"
#include "ns3/socket.h"

#include <deque>
#include <map>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * One peer that sends messages over TCP sockets.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * One peer of a SocketGroup: it listens, and connects to another peer with the first message for
 * it.
 *
 * Each message goes over the stream as its header, with its length, and its payload. It is complete
 * when the other side's stack has acknowledged its last byte.
 */
class SocketEndpoint : public Object
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    SocketEndpoint();
    ~SocketEndpoint() override;

    /**
     * Open the listening socket.
     * @param node the peer's node
     * @param self the peer
     * @param addresses addresses of all peers, kept by the caller
     * @param user called with the peer's deliveries and completions, not owned
     */
    void Open(Ptr<Node> node, Peer self, const std::vector<Address>& addresses, GroupUser* user);

    /**
     * Post a message.
     * @param request the message
     * @return stalled if too much is queued for the same peer
     */
    Acceptance Post(const Request& request);

  protected:
    void DoDispose() override;

  private:
    /** The end of a message in a stream. */
    struct Mark
    {
        RequestId id; ///< The message.
        uint64_t end; ///< Bytes of the stream up to its end.
    };

    /** A connection to another peer. */
    struct Outgoing
    {
        Ptr<Socket> socket;             ///< The socket; null if there is no connection.
        std::deque<Ptr<Packet>> unsent; ///< Packets that the socket has no room for.
        std::deque<Mark> marks;         ///< Messages that are not acknowledged, in order.
        uint64_t queued{0};             ///< Bytes of the stream so far, unsent ones included.
        uint64_t written{0};            ///< Bytes that the socket has taken.
        uint32_t room{0};               ///< Bytes that the socket's empty buffer takes.
        bool connected{false};          ///< The connection stands.
    };

    /** A connection from another peer. */
    struct Incoming
    {
        Ptr<Socket> socket;         ///< The socket.
        std::vector<uint8_t> bytes; ///< Received bytes of the next message.
    };

    /**
     * Begin to connect to a peer.
     * @param to the peer
     */
    void Connect(Peer to);

    /**
     * A connection stands.
     * @param to the other peer
     * @param socket its socket
     */
    void OnConnected(Peer to, Ptr<Socket> socket);

    /**
     * A connection cannot be made, or has broken.
     * @param to the other peer
     * @param socket its socket
     */
    void OnFailed(Peer to, Ptr<Socket> socket);

    /**
     * A socket has room for more, since bytes were acknowledged.
     * @param to the other peer
     * @param socket the socket
     * @param room free space [bytes]
     */
    void OnRoom(Peer to, Ptr<Socket> socket, uint32_t room);

    /**
     * Another peer has connected.
     * @param socket the new socket
     * @param from the other side's address
     */
    void OnAccepted(Ptr<Socket> socket, const Address& from);

    /**
     * Bytes have arrived.
     * @param index of the connection
     * @param socket its socket
     */
    void OnReceive(std::size_t index, Ptr<Socket> socket);

    /**
     * Deliver all complete messages.
     * @param incoming the connection, changed
     */
    void Split(Incoming& incoming);

    /**
     * Write to a socket as much as it accepts.
     * @param outgoing the connection
     */
    static void Write(Outgoing& outgoing);

    Ptr<Node> m_node;                                 ///< The peer's node.
    Ptr<Socket> m_listener;                           ///< The listening socket.
    std::map<Peer, Outgoing> m_outgoing;              ///< Connections to other peers.
    std::deque<Incoming> m_incoming;                  ///< Connections from other peers.
    const std::vector<Address>* m_addresses{nullptr}; ///< Addresses of all peers, not owned.
    GroupUser* m_user{nullptr};                       ///< User of the peer's messages, not owned.
    uint64_t m_nextId{0};                             ///< Names the next message.
    uint64_t m_queueLimit{0};                         ///< Most bytes queued for a peer.
    Peer m_self{NO_PEER};                             ///< The peer.
    bool m_stalled{false};                            ///< A post was stalled.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_SOCKET_ENDPOINT_H
