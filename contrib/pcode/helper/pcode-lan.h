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
#include "ns3/pcode-workstation.h"

#include <vector>

/**
 * @file
 * @ingroup pcode
 * The workstations of section 6.1 on their Ethernet.
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
    uint64_t received{0}; ///< Packets handed up by it.
    uint64_t dropped{0};  ///< Packets that either direction had no room for.
};

/**
 * @ingroup pcode
 * Workstations with an Internet stack on one Ethernet segment, whose nodes are charged for
 * every packet.
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
     * Build it.
     * @param machines the workstations
     * @param tcp whether they talk over TCP and not over UDP
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

    /** @return the workstations' processes, in the order of the nodes. */
    const std::vector<Ptr<Workstation>>& GetStations() const
    {
        return m_stations;
    }

    /**
     * Get the workstations' socket addresses.
     * @param port a port number
     * @return one for each, in the order of the nodes
     */
    std::vector<Address> GetAddresses(uint16_t port) const;

    /**
     * Get the socket address that reaches all others.
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

    /** @return attempts to send that ended in a collision; none on csma. */
    uint64_t GetNCollisions() const;

    /**
     * Number the random streams.
     * @param stream the first number
     * @return the number of streams used
     */
    int64_t AssignStreams(int64_t stream);

  protected:
    void DoDispose() override;

  private:
    /**
     * Put the devices on their medium.
     * @return the devices
     */
    NetDeviceContainer InstallDevices() const;

    NodeContainer m_nodes;                    ///< The nodes.
    NetDeviceContainer m_medium;              ///< The devices on the medium.
    NetDeviceContainer m_devices;             ///< The devices in front of them.
    Ipv4InterfaceContainer m_interfaces;      ///< The interfaces above them.
    std::vector<Ptr<Workstation>> m_stations; ///< The workstations' processes.
    std::vector<InterfaceCounts> m_counts;    ///< Counts of the interfaces.
    LanKind m_kind{};                         ///< Network of the workstations.
    double m_loss{0};                         ///< Probability of a loss at a receiver.
};

} // namespace pcode
} // namespace ns3

#endif // PCODE_LAN_H
