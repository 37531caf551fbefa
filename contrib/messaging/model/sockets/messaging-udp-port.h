/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_UDP_PORT_H
#define MESSAGING_UDP_PORT_H

#include "ns3/address.h"
#include "ns3/messaging-packet-port.h"
#include "ns3/node-container.h"
#include "ns3/socket.h"

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
 * A port over UDP sockets, one for each peer. It is never busy; packets that the stack refuses are
 * lost.
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

  protected:
    void DoDispose() override;
    void Transmit(Peer self, Peer to, Ptr<Packet> packet) override;

  private:
    /**
     * A socket has received datagrams.
     * @param self the peer
     * @param socket its socket
     */
    void OnReceive(Peer self, Ptr<Socket> socket);

    std::vector<Ptr<Socket>> m_sockets; ///< Socket of each peer.
    std::vector<Address> m_addresses;   ///< Address of each peer.
    Address m_all;                      ///< Destination of frames to all others.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_UDP_PORT_H
