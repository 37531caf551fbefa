/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MYRINET_NET_DEVICE_H
#define MYRINET_NET_DEVICE_H

#include "myrinet-channel.h"
#include "myrinet-lanai.h"

#include "ns3/error-model.h"
#include "ns3/mac48-address.h"
#include "ns3/net-device-queue-interface.h"
#include "ns3/net-device.h"
#include "ns3/node.h"
#include "ns3/queue.h"
#include "ns3/traced-callback.h"

#include <deque>

/**
 * @file
 * @ingroup myrinet
 * A Myrinet interface as an ns-3 NetDevice.
 */

namespace ns3
{
namespace myrinet
{

/**
 * @ingroup myrinet
 * A Myrinet interface as a NetDevice, on which ns-3's IP stack and applications run.
 *
 * Packets carry an Ethernet header, as under Myricom's driver. The switches have no broadcast, but
 * ns-3's ARP accepts only devices that have; so the device sends a frame to a group address as a
 * copy to each other node in turn. Requests of ARP and of IPv6 neighbour discovery are spared that:
 * nodes are taken to know each other's addresses, the device answers such a request itself from
 * what the channel knows, and the answer stays in the neighbour cache for good. So caches fill as
 * they are used.
 */
class MyrinetNetDevice : public NetDevice
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    MyrinetNetDevice();
    ~MyrinetNetDevice() override;

    /**
     * Attach the device to the next host of a network.
     * @param channel the network
     */
    void Attach(Ptr<MyrinetChannel> channel);

    /**
     * Set the transmit queue.
     * @param queue the queue
     */
    void SetQueue(Ptr<Queue<ns3::Packet>> queue);

    /** @return the transmit queue. */
    Ptr<Queue<ns3::Packet>> GetQueue() const;

    /**
     * Set what decides which received packets are corrupted.
     * @param model the error model
     */
    void SetReceiveErrorModel(Ptr<ErrorModel> model);

    /**
     * Take the device's link up or down, as a cable that is pulled does.
     * @param up whether it is up
     */
    void SetLinkUp(bool up);

    /** @return the number of this host in the network. */
    Peer GetPeer() const;

    /**
     * A packet is in a receive buffer of the network interface.
     * @param packet the packet with its Ethernet header
     */
    void Arrive(Ptr<ns3::Packet> packet);

    /**
     * A packet for this device was lost because its CRC was bad.
     * @param packet the packet
     */
    void Reject(Ptr<const ns3::Packet> packet);

    /** The send engine has sent a packet, or takes packets again. */
    void Resume();

    void SetIfIndex(const uint32_t index) override;
    uint32_t GetIfIndex() const override;
    Ptr<Channel> GetChannel() const override;
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
    bool Send(Ptr<ns3::Packet> packet, const Address& dest, uint16_t protocol) override;
    bool SendFrom(Ptr<ns3::Packet> packet,
                  const Address& source,
                  const Address& dest,
                  uint16_t protocol) override;
    Ptr<Node> GetNode() const override;
    void SetNode(Ptr<Node> node) override;
    bool NeedsArp() const override;
    void SetReceiveCallback(ReceiveCallback callback) override;
    void SetPromiscReceiveCallback(PromiscReceiveCallback callback) override;
    bool SupportsSendFrom() const override;

  protected:
    void DoDispose() override;
    void NotifyNewAggregate() override;

  private:
    /** Have the network interface fetch packets, as many as its send ring takes. */
    void Fetch();

    /**
     * Hand a packet to the node.
     * @param packet the packet with its Ethernet header
     */
    void Receive(Ptr<ns3::Packet> packet);

    /** Hand the next packet of the queue to the network, if the port is free. */
    void Transmit();

    /**
     * Look who is to receive the packet at the port, or its next copy.
     * @return the node, or NO_PEER if nobody is left
     */
    Peer GetNextReceiver();

    /** The packet at the port, and all its copies, have left. */
    void EndTransmission();

    Ptr<MyrinetChannel> m_channel;            ///< The network.
    Ptr<Node> m_node;                         ///< The node.
    Ptr<Queue<ns3::Packet>> m_queue;          ///< Packets to be sent.
    Ptr<NetDeviceQueueInterface> m_interface; ///< Tells the traffic control layer of the queue.
    Ptr<MyrinetLanai> m_lanai;                ///< Its costs, or null for none.
    std::deque<Ptr<ns3::Packet>> m_fetched;   ///< Packets in the send ring, to be sent.
    uint32_t m_fetching{0};                   ///< Packets on their way into the send ring.
    Ptr<ErrorModel> m_errorModel;             ///< Corrupts received packets.
    Ptr<ns3::Packet> m_current;               ///< The packet at the port.
    uint32_t m_copies{0};            ///< Nodes that have had their turn, if it goes to a group.
    bool m_sending{false};           ///< The send engine has it, or a copy of it.
    bool m_begun{false};             ///< It, or a copy of it, has been sent.
    Mac48Address m_address;          ///< Address.
    Peer m_peer{messaging::NO_PEER}; ///< Number in the network.
    uint32_t m_ifIndex{0};           ///< Index at the node.
    uint16_t m_mtu{0};               ///< Largest packet without the Ethernet header [bytes].
    bool m_linkUp{false};            ///< Attached, and not taken down.
    ReceiveCallback m_receive;       ///< Hears of packets to this node.
    PromiscReceiveCallback m_promiscReceive; ///< Hears of all packets.

    TracedCallback<> m_linkChanges;                          ///< The link has gone up or down.
    TracedCallback<Ptr<const ns3::Packet>> m_macTx;          ///< Accepted to be sent.
    TracedCallback<Ptr<const ns3::Packet>> m_macTxDrop;      ///< Not accepted.
    TracedCallback<Ptr<const ns3::Packet>> m_macPromiscRx;   ///< Received.
    TracedCallback<Ptr<const ns3::Packet>> m_macRx;          ///< Received for this node.
    TracedCallback<Ptr<const ns3::Packet>> m_macRxDrop;      ///< Received and not wanted.
    TracedCallback<Ptr<const ns3::Packet>> m_phyTxBegin;     ///< Begins to leave.
    TracedCallback<Ptr<const ns3::Packet>> m_phyTxEnd;       ///< Has left.
    TracedCallback<Ptr<const ns3::Packet>> m_phyTxDrop;      ///< Taken from the queue but not sent.
    TracedCallback<Ptr<const ns3::Packet>> m_phyRxEnd;       ///< Has arrived.
    TracedCallback<Ptr<const ns3::Packet>> m_phyRxDrop;      ///< Corrupted on arrival.
    TracedCallback<Ptr<const ns3::Packet>> m_sniffer;        ///< Like tcpdump.
    TracedCallback<Ptr<const ns3::Packet>> m_promiscSniffer; ///< Like tcpdump, promiscuous.
};

} // namespace myrinet
} // namespace ns3

#endif // MYRINET_NET_DEVICE_H
