/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_NET_DEVICE_PORT_H
#define MESSAGING_NET_DEVICE_PORT_H

#include "ns3/messaging-packet-port.h"
#include "ns3/net-device-container.h"
#include "ns3/net-device-queue-interface.h"
#include "ns3/net-device.h"
#include "ns3/node.h"
#include "ns3/queue.h"

#include <vector>

/**
 * @file
 * @ingroup messaging
 * Frames straight over ns-3 devices, without IP.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * A port over ns-3 NetDevices of any kind, one for each peer. Frames have a dedicated EtherType,
 * except on point-to-point devices, where it is that of IPv4: PPP of ns-3 carries only IPv4 and
 * IPv6.
 *
 * A peer's port is busy while its device's transmit queue is full, according to the device's
 * NetDeviceQueueInterface or else the queue in its attribute TxQueue. A device that has neither
 * accepts every frame and may drop it. A traffic control layer on the same device shares the queue;
 * neither starves the other.
 */
class NetDevicePort : public PacketPort
{
  public:
    /**
     * Connect the peers.
     * @param clock counts the ticks
     * @param devices the devices, in the order of the peers, aggregated to nodes
     */
    void Connect(Ptr<TickClock> clock, const NetDeviceContainer& devices);

  protected:
    void DoDispose() override;
    bool IsReady(Peer self) override;
    void Transmit(Peer self, Peer to, Ptr<Packet> packet) override;

  private:
    /** A peer's device. */
    struct Station
    {
        Ptr<NetDevice> device;                       ///< The device.
        Ptr<NetDeviceQueue> flow;                    ///< State of its transmit queue; may be null.
        Ptr<QueueBase> queue;                        ///< Its transmit queue; may be null.
        Node::ProtocolHandler handler;               ///< Registered at its node.
        Callback<void, Ptr<const Packet>> onDequeue; ///< Callback connected to its queue.
    };

    /**
     * A device has received a packet.
     * @param self the peer
     * @param device its device
     * @param packet the packet
     * @param protocol its EtherType
     * @param from its sender's address
     * @param to its destination address
     * @param type kind of destination
     */
    void OnReceive(Peer self,
                   Ptr<NetDevice> device,
                   Ptr<const Packet> packet,
                   uint16_t protocol,
                   const Address& from,
                   const Address& to,
                   NetDevice::PacketType type);

    /**
     * A packet has left a device's queue.
     * @param self the peer of the device
     * @param packet the packet
     */
    void OnDequeue(Peer self, Ptr<const Packet> packet);

    std::vector<Station> m_stations; ///< Device of each peer.
    uint16_t m_protocol{0};          ///< EtherType of the frames.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_NET_DEVICE_PORT_H
