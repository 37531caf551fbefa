/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_FAULTY_NET_DEVICE_H
#define MESSAGING_FAULTY_NET_DEVICE_H

#include "ns3/messaging-fault-plan.h"
#include "ns3/messaging-net-device-decorator.h"
#include "ns3/net-device-container.h"
#include "ns3/net-device-queue-interface.h"

#include <map>
#include <memory>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Device that applies a fault plan to packets.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * Device in front of another that applies a fault plan to received packets and counts sent ones:
 * the counterpart of FaultyPort for protocols over sockets.
 *
 * Its transmit queue is stopped while that of the other device is, so that a queue disc or a
 * HostNetDevice in front of it waits instead of losing packets.
 *
 * A change of the frame that the checksum does not detect flips one bit of the packet's last byte.
 * Ticks of the fault plan are nanoseconds.
 */
class FaultyNetDevice : public NetDeviceDecorator
{
  public:
    /** Peers by the addresses of their devices. */
    using Peers = std::map<Address, Peer>;

    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Install devices in front of others.
     * @param devices devices on nodes, in the order of the peers
     * @param faults the fault plan
     * @return the devices to use instead, in the same order
     */
    static std::vector<Ptr<FaultyNetDevice>> Install(const NetDeviceContainer& devices,
                                                     Ptr<FaultPlan> faults);

    /** @return number of packets sent. */
    uint64_t GetNPackets() const
    {
        return m_packets;
    }

    /** @return receivers of the packets sent. */
    uint64_t GetNCopies() const
    {
        return m_copies;
    }

    /** @return packets that have arrived. */
    uint64_t GetNArrived() const
    {
        return m_arrived;
    }

    /** @return total size of packets sent, without link headers [bytes]. */
    uint64_t GetNBytes() const
    {
        return m_bytes;
    }

    /**
     * Signature of the Send trace source.
     * @param packet the packet
     * @param copies number of devices that it is sent to
     */
    typedef void (*SendTracedCallback)(Ptr<const Packet> packet, uint32_t copies);

    void SetDevice(Ptr<NetDevice> device) override;
    bool Send(Ptr<Packet> packet, const Address& dest, uint16_t protocolNumber) override;
    bool SendFrom(Ptr<Packet> packet,
                  const Address& source,
                  const Address& dest,
                  uint16_t protocolNumber) override;

  protected:
    void DoDispose() override;

  private:
    /** Stop the transmit queue if that of the underlying device is stopped. */
    void FollowQueue();

    /** The underlying device accepts packets again. */
    void Wake();

    /**
     * Count a packet.
     * @param packet the packet
     * @param destination its destination
     */
    void Count(Ptr<const Packet> packet, const Address& destination);

    /**
     * Apply the fault plan to a received packet.
     * @param device the underlying device
     * @param packet the packet
     * @param protocol its EtherType
     * @param from its sender
     * @return true
     */
    bool Receive(Ptr<NetDevice> device,
                 Ptr<const Packet> packet,
                 uint16_t protocol,
                 const Address& from);

    /**
     * Pass a packet to the node.
     * @param packet the packet
     * @param protocol its EtherType
     * @param from its sender
     * @param damaged whether a fault has changed it
     */
    void HandUp(Ptr<const Packet> packet, uint16_t protocol, const Address& from, bool damaged);

    Ptr<NetDeviceQueue> m_ownQueue;   ///< Transmit queue of this device.
    Ptr<NetDeviceQueue> m_underlying; ///< Transmit queue of the underlying device, or null.
    std::shared_ptr<Peers> m_peers;   ///< Peers by address, shared by all devices.
    Ptr<FaultPlan> m_faults;          ///< The fault plan.
    Peer m_self{NO_PEER};             ///< The peer of this device.
    uint64_t m_packets{0};            ///< Packets sent.
    uint64_t m_copies{0};             ///< Receivers of these.
    uint64_t m_arrived{0};            ///< Packets that have arrived.
    uint64_t m_bytes{0};              ///< Total size of these [bytes].
    TracedCallback<Ptr<const Packet>, uint32_t> m_sendTrace; ///< Fired for each packet sent.
    TracedCallback<Ptr<const Packet>> m_arriveTrace; ///< Fired for each packet that arrives.
    TracedCallback<Ptr<const Packet>> m_loseTrace;   ///< Fired for each packet lost or damaged.
    TracedCallback<Ptr<const Packet>> m_repeatTrace; ///< Fired for each duplicated packet.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_FAULTY_NET_DEVICE_H
