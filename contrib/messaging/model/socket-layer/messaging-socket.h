/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_SOCKET_H
#define MESSAGING_SOCKET_H

#include "ns3/inet-socket-address.h"
#include "ns3/messaging-socket-layer.h"
#include "ns3/packet.h"
#include "ns3/socket.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <deque>
#include <ostream>
#include <utility>

/**
 * @file
 * @ingroup messaging
 * Socket of ns-3 over any protocol.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * A socket whose packets are messages of a protocol.
 *
 * A datagram socket (NS3_SOCK_DGRAM) behaves as a UDP socket of ns-3, except that packets arrive as
 * the protocol promises. A sequenced packet socket (NS3_SOCK_SEQPACKET) behaves as a TCP socket of
 * ns-3 that keeps the bounds of packets:
 *
 * @verbatim
     client                        server
     Bind, Connect                 Bind, Listen
     CONNECTING  --- CONNECT --->  a new socket, CONNECTED
     CONNECTED   <--- ACCEPT ----  callback of new connections
                 ---- DATA ----->
                 <---- DATA -----
     Close       ---- CLOSE ---->  callback of normal closes
     CLOSED      <--- CLOSE -----  Close
   @endverbatim
 *
 * RESET answers a CONNECT to a port at which no socket listens, and DATA of a connection that does
 * not exist.
 *
 * A packet that the protocol does not accept at once waits in the send buffer, of SndBufSize bytes.
 * If that has no room, Send returns -1 with ERROR_AGAIN, and the send callback follows. Errors are
 * those of UdpSocketImpl; besides, a packet that exceeds what the protocol or the send buffer
 * accepts has ERROR_MSGSIZE.
 */
class MessageSocket : public Socket
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    MessageSocket();

    SocketErrno GetErrno() const override;
    SocketType GetSocketType() const override;
    Ptr<Node> GetNode() const override;
    int Bind(const Address& address) override;
    int Bind() override;
    int Bind6() override;
    int Close() override;
    int ShutdownSend() override;
    int ShutdownRecv() override;
    int Connect(const Address& address) override;
    int Listen() override;
    uint32_t GetTxAvailable() const override;
    int Send(Ptr<Packet> packet, uint32_t flags) override;
    int SendTo(Ptr<Packet> packet, uint32_t flags, const Address& address) override;
    uint32_t GetRxAvailable() const override;
    Ptr<Packet> Recv(uint32_t maxSize, uint32_t flags) override;
    Ptr<Packet> RecvFrom(uint32_t maxSize, uint32_t flags, Address& from) override;
    int GetSockName(Address& address) const override;
    int GetPeerName(Address& address) const override;
    bool SetAllowBroadcast(bool allow) override;
    bool GetAllowBroadcast() const override;

    // The base has more overloads of these.
    using Socket::Recv;
    using Socket::RecvFrom;
    using Socket::Send;
    using Socket::SendTo;

  protected:
    void DoDispose() override;

  private:
    /// Creates sockets, and passes events to them.
    friend class MessageSocketLayer;

    /** State of a socket. */
    enum class State : uint8_t
    {
        IDLE,       ///< Neither connected nor listening.
        LISTENING,  ///< Waits for connections.
        CONNECTING, ///< CONNECT has been sent.
        CONNECTED,  ///< A connection exists, or the peer of a datagram socket is set.
        CLOSED      ///< The socket is closed, or its connection is broken.
    };

    /**
     * Print a state by name.
     * @param os the stream
     * @param state the state
     * @return the stream
     */
    friend std::ostream& operator<<(std::ostream& os, State state);

    /**
     * Fail a call.
     * @param error the error
     * @return -1
     */
    int Fail(SocketErrno error);

    /**
     * Change the state.
     * @param state the new state
     */
    void SetState(State state);

    /** @return the ports and the peer of the connection. */
    MessageSocketLayer::Connection GetConnection() const
    {
        return {m_port, m_peer, m_remote.GetPort()};
    }

    /** @return whether packets of a connection can arrive. */
    bool IsConnected() const
    {
        return m_state == State::CONNECTED;
    }

    /**
     * Send an application's packet.
     * @param packet the packet
     * @param to destination
     * @param port port of the destination
     * @return its size, or -1
     */
    int SendPacket(Ptr<Packet> packet, Peer to, uint16_t port);

    /**
     * Post a message, or queue it behind those that wait.
     * @param packet the packet, without its header
     * @param header its header
     * @param to destination
     * @return false if the protocol refuses it
     */
    bool Submit(Ptr<const Packet> packet, const MessageSocketHeader& header, Peer to);

    /**
     * Submit a message without a packet to the peer of the connection.
     * @param kind its kind
     * @return false if the protocol refuses it
     */
    bool SubmitControl(SocketMessage kind);

    /**
     * Post the first waiting message; the layer calls this when the protocol accepts messages
     * again.
     * @return false if the protocol stalls it
     */
    bool PostNext();

    /**
     * The protocol has accepted a message.
     * @param message the message
     */
    void OnSent(const MessageSocketLayer::Outgoing& message);

    /**
     * A packet for this socket has arrived.
     * @param packet the packet
     * @param from its sender's address
     */
    void OnPacket(Ptr<Packet> packet, const InetSocketAddress& from);

    /**
     * A peer asks for a connection.
     * @param from the peer
     * @param address address of its socket
     * @return false if the socket does not accept it
     */
    bool OnConnect(Peer from, const InetSocketAddress& address);

    /** The peer has accepted the connection. */
    void OnAccept();

    /** The peer sends no more packets on this connection. */
    void OnClose();

    /** The peer does not have this connection. */
    void OnReset();

    /** A message of this socket could not be delivered. */
    void OnFailure();

    /**
     * End the connection without notice to the peer.
     * @param error the reason
     */
    void Break(SocketErrno error);

    /** Send CLOSE on a connection, unless it has been sent. */
    void SendClose();

    Ptr<MessageSocketLayer> m_layer; ///< The sockets of the node.
    SocketType m_type;               ///< Type of the socket.
    State m_state;                   ///< State of the socket.
    mutable SocketErrno m_errno;     ///< Error of the last call that failed.
    Address m_local;                 ///< Address to which the socket is bound.
    InetSocketAddress m_remote;      ///< Address of the connection's other side.
    Peer m_peer{NO_PEER};            ///< Peer of the connection.
    uint16_t m_port{0};              ///< Port of the socket; 0 if it is not bound.

    std::deque<MessageSocketLayer::Outgoing> m_queue;       ///< Messages that wait.
    std::deque<std::pair<Ptr<Packet>, Address>> m_received; ///< Packets to receive.
    uint32_t m_queuedBytes{0};                              ///< Their size [bytes].
    uint32_t m_receivedBytes{0};                            ///< Size of packets to receive [bytes].
    uint32_t m_sendBuffer;                                  ///< Size of the send buffer [bytes].
    uint32_t m_receiveBuffer;                               ///< Size of the receive buffer [bytes].
    bool m_allowBroadcast{false};                           ///< Broadcasts may be sent.
    bool m_shutdownSend{false};                             ///< Nothing more is sent.
    bool m_shutdownReceive{false};                          ///< Nothing more is received.
    bool m_needsRoom{false};                                ///< Send has failed for lack of room.
    bool m_closeSent{false};                                ///< CLOSE has been submitted.
    bool m_released{false};                                 ///< The application has called Close.

    TracedCallback<Ptr<const Packet>> m_dropTrace; ///< Fired when the receive buffer is full.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_SOCKET_H
