/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INFINIBAND_CHANNEL_H
#define INFINIBAND_CHANNEL_H

#include "ns3/channel.h"
#include "ns3/infiniband-fabric.h"
#include "ns3/mac48-address.h"
#include "ns3/messaging-slot-pool.h"
#include "ns3/packet.h"

#include <map>
#include <vector>

/**
 * @file
 * @ingroup infiniband
 * A fabric as an ns-3 channel.
 */

namespace ns3
{
namespace infiniband
{

class InfinibandNetDevice;

/**
 * @ingroup infiniband
 * Channel of IP over InfiniBand: a fabric that carries ns-3 packets between devices, one for each
 * host.
 *
 * The fabric moves packets of the right length; the channel stores the ns-3 packets until the last
 * copy has arrived or is lost. Packets to a group use the multicast LID; switches copy them along
 * the subnet manager's tree.
 */
class InfinibandChannel : public Channel, private FabricUser
{
  public:
    /** No host; as a destination, all others. */
    static constexpr HostId NO_HOST = messaging::NO_PEER;

    /**
     * Bytes on the wire in addition to the payload of IP: RFC 4391's header, and those of a
     * datagram.
     */
    static constexpr uint32_t UNICAST_BYTES = 4 + MIN_PACKET_BYTES + DETH_BYTES;

    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    InfinibandChannel();
    ~InfinibandChannel() override;

    /**
     * Set and start the fabric. Call it once, before any device is attached.
     * @param fabric the fabric
     * @param subnet its subnet, which has been built
     */
    void SetFabric(Ptr<Fabric> fabric, Ptr<Subnet> subnet);

    /** @return the fabric. */
    Ptr<Fabric> GetFabric() const
    {
        return m_fabric;
    }

    /**
     * Attach the device of the next host.
     * @param device the device
     * @return index of the host
     */
    HostId Attach(Ptr<InfinibandNetDevice> device);

    /**
     * Find a host.
     * @param address an address
     * @return the host whose device has it, or NO_HOST
     */
    HostId Find(Mac48Address address) const;

    /**
     * Update the address of a device.
     * @param host the device's host
     * @param address its new address
     */
    void UpdateAddress(HostId host, Mac48Address address);

    /**
     * Check whether a host can send. If not, the channel calls its device's Transmit later.
     * @param host the host
     * @return whether its output has room
     */
    bool HasRoom(HostId host)
    {
        return m_fabric->HasRoom(host);
    }

    /**
     * Send a packet, after HasRoom has returned true. When it has left, the channel calls the
     * device's EndSend.
     * @param from the host that sends
     * @param to the host that is to receive it, or NO_HOST for all others
     * @param packet the packet with its Ethernet header, which represents the addresses of
     * InfiniBand's headers and the type of RFC 4391's header
     */
    void Send(HostId from, HostId to, Ptr<const ns3::Packet> packet);

    std::size_t GetNDevices() const override
    {
        return m_devices.size();
    }

    Ptr<NetDevice> GetDevice(std::size_t i) const override;

  protected:
    void DoDispose() override;

  private:
    /** A packet in flight. */
    struct Carried
    {
        Ptr<const ns3::Packet> packet; ///< The packet.
        uint32_t copies{0};            ///< Copies in flight.
    };

    Ticks OnPacket(HostId host, PacketIndex index) override;
    void OnReady(HostId host) override;
    void OnLeaving(PacketIndex index, Ticks end) override;
    void OnDrop(PacketIndex index, DropReason reason) override;
    void OnCopy(PacketIndex index) override;

    /**
     * A copy of a packet was delivered or lost.
     * @param number the packet's number, released after the last copy
     */
    void Forget(uint64_t number);

    Ptr<Fabric> m_fabric;                            ///< The fabric.
    Ptr<messaging::TickClock> m_clock;               ///< Its clock.
    std::vector<Ptr<InfinibandNetDevice>> m_devices; ///< Devices by host.
    std::map<Mac48Address, HostId> m_hosts;          ///< Hosts by address.
    messaging::SlotPool<Carried> m_carried;          ///< Packets in flight, by number.
};

} // namespace infiniband
} // namespace ns3

#endif // INFINIBAND_CHANNEL_H
