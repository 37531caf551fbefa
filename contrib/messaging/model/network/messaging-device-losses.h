/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_DEVICE_LOSSES_H
#define MESSAGING_DEVICE_LOSSES_H

#include "ns3/net-device-container.h"
#include "ns3/packet.h"
#include "ns3/simple-ref-count.h"

#include <functional>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Losses of net devices, by their trace sources.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * Observer of the packets that the net devices of one network lose: in their transmit queues, and
 * at the begin and the end of their transmission.
 *
 * It connects to the trace sources that ns-3's devices have: Drop of the transmit queue, MacTxDrop,
 * PhyTxDrop and PhyRxDrop. A packet to a group is lost for all other nodes by its sender, and for
 * one by a receiver. A receiver loses no packet for another node. A device with the trace source
 * RxLoss reports there what it loses of its own packets.
 */
class DeviceLosses : public SimpleRefCount<DeviceLosses>
{
  public:
    /** Receiver of losses: the place, and the number of copies. */
    using Sink = std::function<void(const std::string& place, uint64_t copies)>;

    /**
     * Connect to devices.
     * @param devices all devices of the network, in the order of the nodes
     * @param sink called at each loss
     */
    DeviceLosses(const NetDeviceContainer& devices, Sink sink);

    /** Ignore all later losses. */
    void Stop()
    {
        m_sink = nullptr;
    }

    /** Connect the trace sources, once. */
    void Start();

    /**
     * Get the number of receivers of a packet.
     * @param packet the packet with its Ethernet header
     * @param devices number of devices
     * @return the number
     */
    static uint64_t GetNReceivers(const Packet& packet, uint32_t devices);

  private:
    /** A node of the network. */
    struct Station
    {
        const Packet* refused{nullptr}; ///< Last packet that its transmit queue has dropped.
        std::string queue;              ///< Place: its transmit queue.
        std::string transmission;       ///< Place: transmission of a packet from the queue.
        std::string reception;          ///< Place: reception.
        std::string link;               ///< Place: its link, which is down.
        std::string refusal;            ///< Place: the device, which refuses a packet.
    };

    /** @return the number of devices. */
    uint32_t GetN() const
    {
        return static_cast<uint32_t>(m_devices.size());
    }

    /**
     * A transmit queue has dropped a packet.
     * @param node its node
     * @param packet the packet
     */
    void OnQueueDrop(uint32_t node, Ptr<const Packet> packet);

    /**
     * A device has refused a packet.
     * @param node its node
     * @param packet the packet
     */
    void OnRefusal(uint32_t node, Ptr<const Packet> packet);

    /**
     * A device has not sent a packet from its queue.
     * @param node its node
     * @param packet the packet
     */
    void OnTransmitDrop(uint32_t node, Ptr<const Packet> packet);

    /**
     * A device has dropped a packet that has arrived, for itself or another node.
     * @param node its node
     * @param packet the packet
     */
    void OnReceiveDrop(uint32_t node, Ptr<const Packet> packet);

    /**
     * A device has dropped a packet for itself that has arrived.
     * @param node its node
     * @param packet the packet
     */
    void OnReceiveLoss(uint32_t node, Ptr<const Packet> packet);

    /**
     * Report a loss.
     * @param place the place
     * @param copies number of copies
     */
    void Report(const std::string& place, uint64_t copies) const
    {
        if (m_sink)
        {
            m_sink(place, copies);
        }
    }

    std::vector<NetDevice*> m_devices; ///< The devices, whose trace sources own this observer.
    std::vector<Station> m_stations;   ///< State of each node.
    Sink m_sink;                       ///< Receiver of losses; empty after Stop.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_DEVICE_LOSSES_H
