/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_PLAIN_NET_DEVICE_H
#define MESSAGING_PLAIN_NET_DEVICE_H

#include "ns3/error-model.h"
#include "ns3/mac48-address.h"
#include "ns3/net-device-queue-interface.h"
#include "ns3/net-device.h"
#include "ns3/node.h"
#include "ns3/queue.h"
#include "ns3/traced-callback.h"

/**
 * @file
 * @ingroup messaging
 * What devices have in common.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * A device with a Mac48 address, a transmit queue, an error model and ns-3's usual trace sources.
 *
 * A derived device has the attribute Mtu, since its range is the network's, and says how packets
 * leave the queue and how they arrive. Frames carry an Ethernet header.
 */
class PlainNetDevice : public NetDevice
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    PlainNetDevice();
    ~PlainNetDevice() override;

    /**
     * Set the transmit queue.
     * @param queue the queue
     */
    void SetQueue(Ptr<Queue<Packet>> queue);

    /** @return the transmit queue. */
    Ptr<Queue<Packet>> GetQueue() const;

    /**
     * Set what decides which received packets are corrupted.
     * @param model the error model
     */
    void SetReceiveErrorModel(Ptr<ErrorModel> model);

    /**
     * Take the device's link up or down, as a failing neighbour does. A device whose link is down
     * neither takes packets nor receives any.
     * @param up whether it is up
     */
    void SetLinkUp(bool up);

    void SetIfIndex(const uint32_t index) override;
    uint32_t GetIfIndex() const override;
    void SetAddress(Address address) override;
    Address GetAddress() const override;
    bool SetMtu(const uint16_t mtu) override;
    uint16_t GetMtu() const override;
    bool IsLinkUp() const override;
    void AddLinkChangeCallback(Callback<void> callback) override;
    bool IsBroadcast() const override;
    Address GetBroadcast() const override;
    bool IsMulticast() const override;
    Address GetMulticast(Ipv4Address group) const override;
    Address GetMulticast(Ipv6Address group) const override;
    bool IsPointToPoint() const override;
    bool IsBridge() const override;
    bool Send(Ptr<Packet> packet, const Address& dest, uint16_t protocol) override;
    Ptr<Node> GetNode() const override;
    void SetNode(Ptr<Node> node) override;
    bool NeedsArp() const override;
    void SetReceiveCallback(ReceiveCallback callback) override;
    void SetPromiscReceiveCallback(PromiscReceiveCallback callback) override;
    bool SupportsSendFrom() const override;

  protected:
    void DoDispose() override;
    void NotifyNewAggregate() override;

    /** Send what waits, as far as the network takes it. */
    virtual void Transmit() = 0;

    /**
     * Take a packet to be sent into the queue, with an Ethernet header.
     * @param packet the packet
     * @param source source address
     * @param dest destination address
     * @param protocol EtherType
     * @return false if the queue is full
     */
    bool Enqueue(Ptr<Packet> packet, Mac48Address source, Mac48Address dest, uint16_t protocol);

    /** @return the next packet of the queue, null if there is none. */
    Ptr<Packet> Dequeue();

    /**
     * Get the type of a received packet.
     * @param to its destination
     * @return how it concerns this device
     */
    PacketType Classify(Mac48Address to) const;

    /**
     * Hand a packet that has arrived to the node, unless it is damaged or the link is down.
     * @param packet the packet with its Ethernet header
     */
    void Receive(Ptr<Packet> packet);

    Mac48Address m_address;                  ///< Address.
    Ptr<ErrorModel> m_errorModel;            ///< Corrupts received packets.
    ReceiveCallback m_receive;               ///< Hears of packets to this node.
    PromiscReceiveCallback m_promiscReceive; ///< Hears of all packets.

    TracedCallback<Ptr<const Packet>> m_macTx;          ///< Accepted to be sent.
    TracedCallback<Ptr<const Packet>> m_macTxDrop;      ///< Not accepted.
    TracedCallback<Ptr<const Packet>> m_macPromiscRx;   ///< Received.
    TracedCallback<Ptr<const Packet>> m_macRx;          ///< Received for this node.
    TracedCallback<Ptr<const Packet>> m_macRxDrop;      ///< Received and not kept.
    TracedCallback<Ptr<const Packet>> m_phyTxBegin;     ///< Begins to leave.
    TracedCallback<Ptr<const Packet>> m_phyTxEnd;       ///< Has left.
    TracedCallback<Ptr<const Packet>> m_phyTxDrop;      ///< Taken from the queue but not sent.
    TracedCallback<Ptr<const Packet>> m_phyRxEnd;       ///< Has arrived.
    TracedCallback<Ptr<const Packet>> m_phyRxDrop;      ///< Damaged on arrival.
    TracedCallback<Ptr<const Packet>> m_sniffer;        ///< Like tcpdump.
    TracedCallback<Ptr<const Packet>> m_promiscSniffer; ///< Like tcpdump, promiscuous.

  private:
    Ptr<Node> m_node;                         ///< The node.
    Ptr<Queue<Packet>> m_queue;               ///< Packets to be sent.
    Ptr<NetDeviceQueueInterface> m_interface; ///< Tells the traffic control layer of the queue.
    TracedCallback<> m_linkChanges;           ///< The link has gone up or down.
    uint32_t m_ifIndex{0};                    ///< Index at the node.
    uint16_t m_mtu{0};    ///< Largest packet without the Ethernet header [bytes].
    bool m_linkUp{false}; ///< Attached, and not taken down.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_PLAIN_NET_DEVICE_H
