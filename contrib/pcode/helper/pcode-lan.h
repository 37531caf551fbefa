/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_LAN_H
#define PCODE_LAN_H

#include "ns3/address.h"
#include "ns3/ipv4-interface-container.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/object.h"
#include "ns3/packet.h"
#include "ns3/pcode-workstation.h"
#include "ns3/traced-callback.h"

#include <vector>

/**
 * @file
 * @ingroup pcode
 * Workstations of section 6.1 on an Ethernet.
 */

namespace ns3
{
namespace pcode
{

/** Network of the workstations. */
enum class LanKind : uint8_t
{
    SEGMENT, ///< A shared segment with CSMA/CD.
    CSMA     ///< ns-3's csma channel: no collisions.
};

/** Counts of a workstation's interface. */
struct InterfaceCounts
{
    uint64_t sent{0};     ///< Packets handed to the interface.
    uint64_t received{0}; ///< Packets received from the interface.
    uint64_t dropped{0};  ///< Packets dropped at a full queue, in both directions.
};

/**
 * @ingroup pcode
 * Workstations with an Internet stack on one Ethernet segment. Each packet costs CPU time on its
 * node.
 */
class Lan : public Object
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Build the LAN.
     * @param machines the workstations
     * @param tcp whether they use TCP, not UDP
     */
    void Build(const std::vector<HostCosts>& machines, bool tcp);

    /** @return the nodes. */
    const NodeContainer& GetNodes() const
    {
        return m_nodes;
    }

    /** @return the devices that charge the workstations for packets. */
    const NetDeviceContainer& GetDevices() const
    {
        return m_devices;
    }

    /** @return the workstations, in the order of the nodes. */
    const std::vector<Ptr<Workstation>>& GetStations() const
    {
        return m_stations;
    }

    /**
     * Get the workstations' socket addresses.
     * @param port a port number
     * @return the addresses, in the order of the nodes
     */
    std::vector<Address> GetAddresses(uint16_t port) const;

    /**
     * Get the socket address of a broadcast.
     * @param port a port number
     * @return the subnet's broadcast address with this port
     */
    Address GetBroadcast(uint16_t port) const;

    /**
     * Get the counts of an interface.
     * @param node the node
     * @return the counts so far
     */
    const InterfaceCounts& GetCounts(uint32_t node) const
    {
        return m_counts[node];
    }

    /**
     * Signature of the PacketLoss trace source.
     * @param node number of the workstation
     * @param packet the lost packet
     */
    typedef void (*LossTracedCallback)(uint32_t node, Ptr<const Packet> packet);

    /** @return the number of transmission attempts that ended in a collision; 0 on csma. */
    uint64_t GetNCollisions() const;

    /**
     * Assign fixed random streams.
     * @param stream the first number
     * @return the number of streams used
     */
    int64_t AssignStreams(int64_t stream);

  protected:
    void DoDispose() override;

  private:
    /**
     * Install the devices of the medium.
     * @return the devices
     */
    NetDeviceContainer InstallDevices() const;

    NodeContainer m_nodes;                    ///< The nodes.
    NetDeviceContainer m_medium;              ///< Devices of the medium.
    NetDeviceContainer m_devices;             ///< Devices above them that charge the CPU.
    Ipv4InterfaceContainer m_interfaces;      ///< IPv4 interfaces.
    std::vector<Ptr<Workstation>> m_stations; ///< Workstations, in the order of the nodes.
    std::vector<InterfaceCounts> m_counts;    ///< Counts of the interfaces.
    LanKind m_kind{};                         ///< Network of the workstations.
    double m_loss{0};                         ///< Loss probability at a receiver.
    TracedCallback<uint32_t, Ptr<const Packet>> m_lossTrace; ///< An interface has lost a packet.
};

} // namespace pcode
} // namespace ns3

#endif // PCODE_LAN_H
