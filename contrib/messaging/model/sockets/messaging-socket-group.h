/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_SOCKET_GROUP_H
#define MESSAGING_SOCKET_GROUP_H

#include "ns3/address.h"
#include "ns3/messaging-core-events.h"
#include "ns3/messaging-host.h"
#include "ns3/node-container.h"
#include "ns3/packet.h"
#include "ns3/socket.h"

#include <deque>
#include <functional>
#include <map>
#include <utility>
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
 * The first message from one peer to another opens a connection for that direction. The stream
 * carries each message as a header, with its length, and a payload. A message is complete when the
 * other side's stack has acknowledged its last byte; one to oneself, when it has been delivered.
 */
class SocketGroup : public CoreEvents
{
  public:
    /** Called when the socket from one peer to another has accepted all posted data. */
    using Taken = std::function<void(Peer self, Peer to)>;

    /** Makes the socket of a node. */
    using Maker = std::function<Ptr<Socket>(Ptr<Node> node)>;

    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Close a socket and remove its callbacks.
     * @param socket the socket; may be null
     */
    static void Release(Ptr<Socket> socket);

    /**
     * Open the listening sockets of all peers.
     * @param nodes the nodes, in the order of the peers, with an Internet stack
     * @param addresses addresses at which the peers listen (InetSocketAddress or
     * Inet6SocketAddress)
     */
    void Connect(const NodeContainer& nodes, const std::vector<Address>& addresses);

    /**
     * Set the callback for a socket that has accepted all posted data, the point at which a
     * blocking write returns.
     * @param taken the callback; may be called from within Post
     */
    void SetTaken(Taken taken)
    {
        m_taken = std::move(taken);
    }

    /**
     * Set the function that makes sockets, before Connect. By default, they are those of ns-3's
     * TcpSocketFactory, without Nagle's algorithm.
     * @param maker the function
     */
    void SetMaker(Maker maker)
    {
        m_maker = std::move(maker);
    }

    /**
     * Close all sockets of a peer, as at the end of its process.
     * @param self the peer
     */
    void Close(Peer self);

    uint32_t GetNPeers() const override
    {
        return static_cast<uint32_t>(m_stations.size());
    }

    /**
     * Post a message, and trace the post.
     * @param self the peer that sends it
     * @param request the message
     * @return accepted, stalled until OnReady, or refused
     */
    Acceptance Post(Peer self, const Request& request) override;

    bool ConfirmsDelivery() const override
    {
        return true;
    }

  protected:
    void DoDispose() override;

  private:
    /**
     * Queue a message for its receiver.
     * @param self the peer that sends it
     * @param request the message
     * @return accepted, stalled until OnReady, or refused
     */
    Acceptance Queue(Peer self, const Request& request);

    /** Place of the sender in the ID of a message, above its number; the address of a connection
     * does not name it. */
    static constexpr uint32_t PEER_SHIFT = 32;

    /** End of a message in a stream. */
    struct Mark
    {
        RequestId id; ///< The message.
        uint64_t end; ///< Offset of its end in the stream [bytes].
    };

    /** A connection to another peer. */
    struct Outgoing
    {
        Ptr<Socket> socket;             ///< The socket; null if there is no connection.
        std::deque<Ptr<Packet>> unsent; ///< Packets that the socket has no room for.
        std::deque<Mark> marks;         ///< Unacknowledged messages, in order.
        std::size_t taken{0};           ///< Marks reported as SENT, the first ones.
        uint64_t queued{0};             ///< Bytes of the stream so far, unsent ones included.
        uint64_t written{0};            ///< Bytes that the socket has accepted.
        uint32_t room{0};               ///< Capacity of the socket's buffer [bytes].
        bool connected{false};          ///< The connection is established.
    };

    /** A connection from another peer. */
    struct Incoming
    {
        Ptr<Socket> socket;           ///< The socket.
        std::vector<uint8_t> bytes{}; ///< Received bytes of the next message.
        bool reading{false};          ///< The host works on a read.
    };

    /** The sockets of a peer. */
    struct Station
    {
        Ptr<Node> node;                    ///< The peer's node.
        Ptr<HostModel> host;               ///< Host that calls are charged to, or null.
        Address address;                   ///< The address at which it listens.
        Ptr<Socket> listener;              ///< The listening socket.
        std::map<Peer, Outgoing> outgoing; ///< Connections to other peers.
        std::deque<Incoming> incoming;     ///< Connections from other peers.
        uint32_t nextId{0};                ///< Number of the next message.
        bool stalled{false};               ///< A post was stalled.
    };

    /**
     * Let the host of a peer do the work of a call, if calls are charged.
     * @param self the peer
     * @param steps the work
     * @param done called at its end
     */
    void Charge(Peer self, const std::vector<Work>& steps, std::function<void()> done);

    /**
     * Write what is posted for a peer, or connect first.
     * @param self the sender
     * @param to the receiver
     */
    void Begin(Peer self, Peer to);

    /**
     * Read all received bytes of a connection, and deliver its messages.
     * @param self the receiver
     * @param index index of the connection
     */
    void Read(Peer self, std::size_t index);

    /**
     * Start a connection to a peer.
     * @param self the peer that connects
     * @param to the other peer
     */
    void OpenConnection(Peer self, Peer to);

    /**
     * A connection is established.
     * @param self the peer that has connected
     * @param to the other peer
     * @param socket its socket
     */
    void OnConnected(Peer self, Peer to, Ptr<Socket> socket);

    /**
     * A connection attempt has failed, or a connection has broken.
     * @param self the peer that has connected
     * @param to the other peer
     * @param socket its socket
     */
    void OnFailed(Peer self, Peer to, Ptr<Socket> socket);

    /**
     * Acknowledged bytes have freed space in a socket's buffer.
     * @param self the peer that sends
     * @param to the other peer
     * @param socket the socket
     * @param room free space [bytes]
     */
    void OnRoom(Peer self, Peer to, Ptr<Socket> socket, uint32_t room);

    /**
     * Another peer has connected.
     * @param self the peer that listens
     * @param socket the new socket
     * @param from the other side's address
     */
    void OnAccepted(Peer self, Ptr<Socket> socket, const Address& from);

    /**
     * Bytes have arrived.
     * @param self the receiver
     * @param index index of the connection
     * @param socket its socket
     */
    void OnReceive(Peer self, std::size_t index, Ptr<Socket> socket);

    /**
     * Deliver all complete messages of a connection.
     * @param self the receiver
     * @param incoming the connection, changed
     */
    void Split(Peer self, Incoming& incoming);

    /**
     * Complete the oldest message of a peer to itself, which is delivered.
     * @param self the peer
     */
    void EndOwn(Peer self);

    /**
     * Complete requests, and notify the user if a post was stalled.
     * @param self the sender
     * @param ended the requests
     * @param completion their outcome
     */
    void Complete(Peer self, const std::deque<Mark>& ended, Completion completion);

    /**
     * Write unsent packets to a socket until its buffer is full.
     * @param self the sender
     * @param to the receiver
     */
    void Write(Peer self, Peer to);

    std::vector<Station> m_stations; ///< Sockets of each peer.
    Maker m_maker;                   ///< Makes sockets.
    bool m_chargeCalls{false};       ///< Charge system calls to the hosts of the nodes.
    Taken m_taken;                   ///< Called when a socket has accepted all posted data.
    uint64_t m_queueLimit{0};        ///< Maximum queue for a peer [bytes].
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_SOCKET_GROUP_H
