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
 * Base of the devices of all networks.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * Device with a Mac48 address, a transmit queue, an error model and ns-3's usual trace sources.
 *
 * A derived device defines the attribute Mtu, whose range depends on the network, and moves packets
 * from the queue to the network and back. Frames have an Ethernet header.
 */
class PlainNetDevice : public NetDevice
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Set the transmit queue.
     * @param queue the queue
     */
    void SetQueue(Ptr<Queue<Packet>> queue)
    {
        m_queue = queue;
    }

    /** @return the transmit queue. */
    Ptr<Queue<Packet>> GetQueue() const
    {
        return m_queue;
    }

    /**
     * Set the error model of received packets.
     * @param model the error model
     */
    virtual void SetReceiveErrorModel(Ptr<ErrorModel> model)
    {
        m_errorModel = model;
    }

    /** @return the error model of received packets. */
    Ptr<ErrorModel> GetReceiveErrorModel() const
    {
        return m_errorModel;
    }

    /**
     * Set the link up or down. A device whose link is down neither accepts nor receives packets.
     * @param up true for up
     */
    void SetLinkUp(bool up);

    void SetIfIndex(const uint32_t index) override
    {
        m_ifIndex = index;
    }

    uint32_t GetIfIndex() const override
    {
        return m_ifIndex;
    }

    void SetAddress(Address address) override
    {
        m_address = Mac48Address::ConvertFrom(address);
    }

    Address GetAddress() const override
    {
        return m_address;
    }

    bool SetMtu(const uint16_t mtu) override
    {
        m_mtu = mtu;
        return true;
    }

    uint16_t GetMtu() const override
    {
        return m_mtu;
    }

    bool IsLinkUp() const override
    {
        return m_linkUp;
    }

    void AddLinkChangeCallback(Callback<void> callback) override
    {
        m_linkChanges.ConnectWithoutContext(callback);
    }

    bool IsBroadcast() const override
    {
        return true;
    }

    Address GetBroadcast() const override
    {
        return Mac48Address::GetBroadcast();
    }

    bool IsMulticast() const override
    {
        return true;
    }

    Address GetMulticast(Ipv4Address group) const override
    {
        return Mac48Address::GetMulticast(group);
    }

    Address GetMulticast(Ipv6Address group) const override
    {
        return Mac48Address::GetMulticast(group);
    }

    bool IsPointToPoint() const override
    {
        return false;
    }

    bool IsBridge() const override
    {
        return false;
    }

    bool Send(Ptr<Packet> packet, const Address& dest, uint16_t protocol) override
    {
        return SendFrom(packet, m_address, dest, protocol);
    }

    Ptr<Node> GetNode() const override
    {
        return m_node;
    }

    void SetNode(Ptr<Node> node) override
    {
        m_node = node;
    }

    bool NeedsArp() const override
    {
        return true;
    }

    void SetReceiveCallback(ReceiveCallback callback) override
    {
        m_receive = callback;
    }

    void SetPromiscReceiveCallback(PromiscReceiveCallback callback) override
    {
        m_promiscReceive = callback;
    }

    bool SupportsSendFrom() const override
    {
        return true;
    }

  protected:
    void DoDispose() override;
    void NotifyNewAggregate() override;

    /** Send queued packets while the network accepts them. */
    virtual void Transmit() = 0;

    /**
     * Add an Ethernet header to a packet and queue it.
     * @param packet the packet
     * @param source source address
     * @param dest destination address
     * @param protocol EtherType
     * @return false if the queue is full
     */
    bool Enqueue(Ptr<Packet> packet, Mac48Address source, Mac48Address dest, uint16_t protocol);

    /**
     * Refuse a packet, and report it with an Ethernet header.
     * @param packet the packet
     * @param source source address
     * @param dest destination address
     * @param protocol EtherType
     * @return false
     */
    bool Refuse(Ptr<Packet> packet, Mac48Address source, Mac48Address dest, uint16_t protocol);

    /** @return the next packet of the queue, or null. */
    Ptr<Packet> Dequeue()
    {
        return m_queue ? m_queue->Dequeue() : nullptr;
    }

    /**
     * Get the type of a received packet.
     * @param to its destination
     * @return the type
     */
    PacketType Classify(Mac48Address to) const;

    /**
     * Pass a received packet to the node, unless it is damaged or the link is down.
     * @param packet the packet with its Ethernet header
     */
    void Receive(Ptr<Packet> packet);

    Mac48Address m_address;                  ///< Address.
    Ptr<ErrorModel> m_errorModel;            ///< Error model of received packets.
    ReceiveCallback m_receive;               ///< Receiver of packets to this node.
    PromiscReceiveCallback m_promiscReceive; ///< Receiver of all packets.

    TracedCallback<Ptr<const Packet>> m_macTx;          ///< Accepted for sending.
    TracedCallback<Ptr<const Packet>> m_macTxDrop;      ///< Refused.
    TracedCallback<Ptr<const Packet>> m_macPromiscRx;   ///< Received.
    TracedCallback<Ptr<const Packet>> m_macRx;          ///< Received for this node.
    TracedCallback<Ptr<const Packet>> m_macRxDrop;      ///< Received and dropped.
    TracedCallback<Ptr<const Packet>> m_phyTxBegin;     ///< Begin of transmission.
    TracedCallback<Ptr<const Packet>> m_phyTxEnd;       ///< End of transmission.
    TracedCallback<Ptr<const Packet>> m_phyTxDrop;      ///< Dequeued but not sent.
    TracedCallback<Ptr<const Packet>> m_phyRxEnd;       ///< Arrived intact.
    TracedCallback<Ptr<const Packet>> m_phyRxDrop;      ///< Damaged on arrival.
    TracedCallback<Ptr<const Packet>> m_rxLoss;         ///< For this node, and lost on arrival.
    TracedCallback<Ptr<const Packet>> m_sniffer;        ///< Non-promiscuous sniffer.
    TracedCallback<Ptr<const Packet>> m_promiscSniffer; ///< Promiscuous sniffer.

  private:
    Ptr<Node> m_node;                         ///< The node.
    Ptr<Queue<Packet>> m_queue;               ///< Transmit queue.
    Ptr<NetDeviceQueueInterface> m_interface; ///< Queue state for the traffic control layer.
    TracedCallback<> m_linkChanges;           ///< Fired when the link goes up or down.
    uint32_t m_ifIndex{0};                    ///< Index at the node.
    uint16_t m_mtu{0};    ///< Largest packet without the Ethernet header [bytes].
    bool m_linkUp{false}; ///< The link is up.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_PLAIN_NET_DEVICE_H
