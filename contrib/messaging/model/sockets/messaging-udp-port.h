/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_UDP_PORT_H
#define MESSAGING_UDP_PORT_H

#include "ns3/address.h"
#include "ns3/messaging-host.h"
#include "ns3/messaging-packet-port.h"
#include "ns3/messaging-send-backlog.h"
#include "ns3/node-container.h"
#include "ns3/socket.h"

#include <functional>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Frames as UDP datagrams of ns-3's stack.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * A port over UDP sockets, one for each peer. Packets that the stack refuses are lost.
 *
 * Without SetBuffers and SetChargesCalls, it is never busy, and reads at once. With them, a sender
 * is busy while its system call lasts and while its send buffer is full, and datagrams wait in the
 * receive buffer until the host has executed the system call that reads them.
 *
 * Frames to NO_PEER go to the broadcast address, if one is given; the sender does not receive them.
 * The sockets then bind to any address, since a socket bound to a specific address receives no
 * broadcasts.
 */
class UdpPort : public PacketPort
{
  public:
    /**
     * Connect the peers.
     * @param clock counts the ticks
     * @param nodes the nodes, in the order of the peers, with an Internet stack
     * @param addresses addresses of the peers (InetSocketAddress or
     * Inet6SocketAddress)
     * @param broadcast destination of frames to all others, for instance the subnet's broadcast
     * address with the peers' common port; invalid if the network has none
     * @param datagram largest datagram, the frame's header included; by default, one Ethernet frame
     * [bytes]
     */
    void Connect(Ptr<TickClock> clock,
                 const NodeContainer& nodes,
                 const std::vector<Address>& addresses,
                 const Address& broadcast = Address(),
                 uint32_t datagram = 1472);

    /**
     * Set the buffers of the sockets, before Connect.
     * @param send memory of packets in the queue discs of the node, from which on a sender waits
     * [bytes]
     * @param receive receive buffer; further datagrams are dropped [bytes]
     */
    void SetBuffers(uint32_t send, uint32_t receive)
    {
        m_sendBuffer = send;
        m_receiveBuffer = receive;
    }

    /** Charge system calls to the hosts of the nodes, before Connect. */
    void SetChargesCalls()
    {
        m_chargesCalls = true;
    }

  protected:
    void DoDispose() override;
    bool IsReady(Peer self) override;
    void Transmit(Peer self, Peer to, Ptr<Packet> packet) override;

  private:
    /**
     * Pass a packet to the socket of its sender; it is lost if that refuses it.
     * @param self the sender
     * @param to the receiver, or NO_PEER for all others
     * @param packet the packet
     */
    void Write(Peer self, Peer to, Ptr<Packet> packet);

    /**
     * A socket has received datagrams.
     * @param self the peer
     * @param socket its socket
     */
    void OnReceive(Peer self, Ptr<Socket> socket);

    /**
     * Take a datagram from a socket.
     * @param self the peer
     */
    void Read(Peer self);

    /** A peer's socket. */
    struct Station
    {
        Ptr<Node> node{};           ///< The peer's node.
        Ptr<HostModel> host{};      ///< Host that calls are charged to, or null.
        Ptr<Socket> socket{};       ///< The socket.
        Ptr<SendBacklog> backlog{}; ///< Packets in the queue discs; null without a send buffer.
        bool writing{false};        ///< The host works on a system call that sends.
        bool reading{false};        ///< The host works on a system call that reads.
    };

    /**
     * Let the host of a peer do the work of a call.
     * @param station the peer, with a host
     * @param steps the work
     * @param done called at its end
     */
    void Charge(const Station& station, std::vector<Work> steps, std::function<void()> done);

    std::vector<Station> m_stations;   ///< Socket of each peer.
    std::vector<Address> m_addresses;  ///< Address of each peer.
    Address m_all;                     ///< Destination of frames to all others.
    uint32_t m_sendBuffer{UINT32_MAX}; ///< Memory of packets until a sender waits [bytes].
    uint32_t m_receiveBuffer{0};       ///< Receive buffer; 0 for ns-3's [bytes].
    bool m_chargesCalls{false};        ///< Charge system calls to the hosts.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_UDP_PORT_H
