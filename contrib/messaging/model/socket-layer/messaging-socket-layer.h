/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_SOCKET_LAYER_H
#define MESSAGING_SOCKET_LAYER_H

#include "ns3/messaging-addresses.h"
#include "ns3/messaging-endpoint.h"
#include "ns3/messaging-packet-store.h"
#include "ns3/messaging-protocol.h"
#include "ns3/messaging-socket-header.h"
#include "ns3/node.h"
#include "ns3/object.h"
#include "ns3/socket.h"
#include "ns3/traced-callback.h"

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <ostream>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * The sockets of a peer over its endpoint.
 */

namespace ns3
{
namespace messaging
{

class MessageSocket;

/** Reason why the layer of sockets drops a message. */
enum class SocketDrop : uint8_t
{
    UNKNOWN,     ///< Received contents of no packet in flight: corrupted, or a duplicate.
    NO_SOCKET,   ///< No socket at the destination port, or no such connection.
    SHUT_DOWN,   ///< The socket does not receive any more.
    BUFFER_FULL, ///< The receive buffer is full.
    REFUSED,     ///< The protocol has refused a message from the send buffer.
    BROKEN,      ///< The connection has broken before the message left the send buffer.
    UNREACHABLE, ///< No route to the peer exists.
    FAILED       ///< The protocol has given up.
};

/** Number of reasons. */
inline constexpr uint32_t SOCKET_DROPS = static_cast<uint32_t>(SocketDrop::FAILED) + 1;

/**
 * Print a reason by name.
 * @param os the stream
 * @param drop the reason
 * @return the stream
 */
std::ostream& operator<<(std::ostream& os, SocketDrop drop);

/**
 * @ingroup messaging
 * The sockets of a peer: passes packets between its MessageEndpoint and its sockets by their ports.
 * Aggregated to the peer's node, as UdpL4Protocol is. MessageSocketHelper makes it.
 *
 * The packets of its trace sources are those of applications, without the MessageSocketHeader.
 */
class MessageSocketLayer : public Object
{
  public:
    /** A message that waits for the protocol. */
    struct Outgoing
    {
        uint64_t key{0};                             ///< Key of its packet in the store.
        Peer to{0};                                  ///< Destination.
        uint32_t bytes{0};                           ///< Size without its header [bytes].
        SocketMessage kind{SocketMessage::DATAGRAM}; ///< Its kind.
    };

    /** The ports and the peer of a connection: local port, peer, port of the peer. */
    using Connection = std::tuple<uint16_t, Peer, uint16_t>;

    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    MessageSocketLayer();
    ~MessageSocketLayer() override;

    /**
     * Connect the layer to an endpoint.
     * @param endpoint the endpoint of the peer, whose callbacks the layer sets
     * @param store the packets of the group
     * @param addresses the addresses of all peers
     * @param promise the guarantees of the protocol; connections need that each message arrives,
     * once and in order
     */
    void Connect(Ptr<MessageEndpoint> endpoint,
                 Ptr<MessagePacketStore> store,
                 const MessageAddresses& addresses,
                 const Promise& promise);

    /**
     * Create a socket on the node.
     * @param type NS3_SOCK_DGRAM or NS3_SOCK_SEQPACKET
     * @return the socket
     */
    Ptr<MessageSocket> CreateSocket(Socket::SocketType type);

    /** @return the node. */
    Ptr<Node> GetNode() const
    {
        return GetObject<Node>();
    }

    /** @return the address of the node in the group. */
    Ipv4Address GetAddress() const
    {
        return m_addresses.Get(m_endpoint->GetPeer());
    }

    /** @return the addresses of all peers. */
    const MessageAddresses& GetAddresses() const
    {
        return m_addresses;
    }

    /** @return the size of the largest packet that the protocol accepts [bytes]. */
    uint32_t GetLargestPacket() const;

    /**
     * Get the number of dropped messages.
     * @param drop the reason
     * @return the number
     */
    uint64_t GetNDropped(SocketDrop drop) const
    {
        return m_dropped[static_cast<std::size_t>(drop)];
    }

    /** @return the number of messages dropped for any reason. */
    uint64_t GetNDropped() const;

    /**
     * Bind a socket to a port.
     * @param socket the socket
     * @param port the port; 0 for any free one
     * @return the port; 0 if it is in use, or none is free
     */
    uint16_t Bind(Ptr<MessageSocket> socket, uint16_t port);

    /**
     * Add a connection, to which messages of its peer are passed.
     * @param socket its socket
     */
    void AddConnection(Ptr<MessageSocket> socket);

    /**
     * Forget a socket and its connection, and its port unless messages of the socket wait. They are
     * still sent.
     * @param socket the socket
     */
    void Remove(Ptr<MessageSocket> socket);

    /**
     * Store the packet of a message.
     * @param packet the packet
     * @param header its header
     * @param to destination
     * @return the message
     */
    Outgoing Store(Ptr<const Packet> packet, const MessageSocketHeader& header, Peer to);

    /**
     * Post a message, which stays in the store.
     * @param socket its sender
     * @param message the message
     * @return accepted, stalled, or refused
     */
    Acceptance Post(Ptr<MessageSocket> socket, const Outgoing& message);

    /**
     * Remove a message that is not posted from the store; the application knows of it.
     * @param message the message
     */
    void Forget(const Outgoing& message);

    /**
     * Drop a message that has waited and is not posted.
     * @param message the message
     * @param drop the reason
     */
    void Discard(const Outgoing& message, SocketDrop drop);

    /**
     * Let a socket post its waiting messages when the protocol accepts messages again.
     * @param socket the socket
     */
    void Wait(Ptr<MessageSocket> socket);

    /**
     * Count a dropped message.
     * @param packet its packet; nullptr if unknown
     * @param drop the reason
     */
    void Drop(Ptr<const Packet> packet, SocketDrop drop);

    /**
     * Signature of the Drop trace source.
     * @param packet the packet; nullptr if unknown
     * @param drop the reason
     */
    typedef void (*DropTracedCallback)(Ptr<const Packet> packet, SocketDrop drop);

  protected:
    void DoDispose() override;

  private:
    /** Sockets by type and port. */
    using Ports = std::map<std::pair<Socket::SocketType, uint16_t>, Ptr<MessageSocket>>;

    /**
     * A message has arrived at the endpoint.
     * @param delivery the message
     */
    void OnDeliver(const Delivery& delivery);

    /**
     * A message has ended.
     * @param id its key
     * @param completion its outcome
     */
    void OnComplete(RequestId id, Completion completion);

    /** The protocol accepts messages again. */
    void OnReady();

    /**
     * A message of the node to itself arrives.
     * @param key its key
     */
    void OnLoopback(uint64_t key);

    /**
     * Receive a packet.
     * @param packet the packet, with its header
     * @param from its sender
     */
    void Receive(Ptr<Packet> packet, Peer from);

    /**
     * Receive a message of a connection.
     * @param packet the packet
     * @param header its header
     * @param from its sender
     */
    void ReceiveSequenced(Ptr<Packet> packet, const MessageSocketHeader& header, Peer from);

    /**
     * Answer a message of a connection that does not exist.
     * @param header its header
     * @param from its sender
     */
    void SendReset(const MessageSocketHeader& header, Peer from);

    /**
     * Find a socket by its port.
     * @param type its type
     * @param port its port
     * @return the socket; nullptr if there is none
     */
    Ptr<MessageSocket> Find(Socket::SocketType type, uint16_t port) const;

    Ptr<MessageEndpoint> m_endpoint;                           ///< Endpoint of the peer.
    Ptr<MessagePacketStore> m_store;                           ///< Packets of the group.
    MessageAddresses m_addresses;                              ///< Addresses of all peers.
    Promise m_promise;                                         ///< Guarantees of the protocol.
    std::vector<Ptr<MessageSocket>> m_sockets;                 ///< Open sockets.
    Ports m_ports;                                             ///< Bound sockets.
    std::map<Connection, Ptr<MessageSocket>> m_connections;    ///< Sockets of connections.
    std::deque<Ptr<MessageSocket>> m_waiting;                  ///< Sockets with messages to post.
    std::unordered_map<uint64_t, Ptr<MessageSocket>> m_posted; ///< Senders of messages by key.
    std::array<uint64_t, SOCKET_DROPS> m_dropped{};            ///< Dropped messages by reason.
    TracedCallback<Ptr<const Packet>, const Address&, const Address&>
        m_txTrace; ///< Fired when the protocol has accepted a message.
    TracedCallback<Ptr<const Packet>, const Address&, const Address&>
        m_rxTrace; ///< Fired when a message has arrived.
    TracedCallback<Ptr<const Packet>, SocketDrop> m_dropTrace; ///< Fired when a message is dropped.
    uint16_t m_nextPort{0};                                    ///< Next port to try.
    bool m_posting{false};                                     ///< OnReady is running.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_SOCKET_LAYER_H
