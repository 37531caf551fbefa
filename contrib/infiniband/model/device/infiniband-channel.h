/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INFINIBAND_CHANNEL_H
#define INFINIBAND_CHANNEL_H

#include "ns3/channel.h"
#include "ns3/infiniband-verbs-port.h"
#include "ns3/mac48-address.h"
#include "ns3/messaging-slot-pool.h"
#include "ns3/packet.h"

#include <deque>
#include <map>
#include <string>
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
 * Channel of IP over InfiniBand: adapters and a fabric that carry ns-3 packets between devices, one
 * for each host.
 *
 * A packet is a datagram of the port that protocols use (VerbsPort over UD), and costs the same.
 * The channel stores the ns-3 packets until the last copy has arrived or is lost. Packets to a
 * group are datagrams to the multicast group; switches copy them along the subnet manager's tree.
 */
class InfinibandChannel : public Channel, private messaging::PortUser
{
  public:
    /** No host; as a destination, all others. */
    static constexpr HostId NO_HOST = messaging::NO_PEER;

    /** Bytes of RFC 4391's header. */
    static constexpr uint32_t ENCAPSULATION_BYTES = 4;

    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    InfinibandChannel();
    ~InfinibandChannel() override;

    /**
     * Open the adapters. Call it once, before any device is attached.
     * @param engine adapters, links and switches, with their attributes
     * @param hosts number of hosts
     */
    void Open(Ptr<Engine> engine, HostId hosts);

    /** @return the adapters. */
    Ptr<Engine> GetEngine() const
    {
        return m_engine;
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
     * @return whether its send queue has room
     */
    bool HasRoom(HostId host)
    {
        return m_port->HasRoom(host);
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
        uint64_t copies{0};            ///< Copies in flight.
    };

    void OnFrame(messaging::Peer self, messaging::Peer from, const Frame& frame) override;
    void OnReady(messaging::Peer self) override;

    /**
     * The send of a packet has ended.
     * @param self its host
     */
    void OnSent(messaging::Peer self);

    /**
     * Copies of a packet are lost.
     * @param wr its send request
     * @param place place of the loss
     * @param copies number of copies
     */
    void OnLoss(const SendWr& wr, const std::string& place, uint64_t copies);

    /**
     * Copies of a packet were delivered or lost.
     * @param number the packet's number, released after the last copy
     * @param copies number of copies
     */
    void Forget(uint64_t number, uint64_t copies);

    Ptr<Engine> m_engine;                                      ///< Adapters, links and switches.
    Ptr<VerbsPort> m_port;                                     ///< Their queue pairs.
    Ptr<messaging::TickClock> m_clock;                         ///< Their clock.
    std::vector<Ptr<InfinibandNetDevice>> m_devices;           ///< Devices by host.
    std::map<Mac48Address, HostId> m_hosts;                    ///< Hosts by address.
    messaging::SlotPool<Carried> m_carried;                    ///< Packets in flight, by number.
    std::vector<std::deque<Ptr<const ns3::Packet>>> m_sending; ///< Outstanding sends, by host.
};

} // namespace infiniband
} // namespace ns3

#endif // INFINIBAND_CHANNEL_H
