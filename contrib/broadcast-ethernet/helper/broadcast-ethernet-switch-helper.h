/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BROADCAST_ETHERNET_SWITCH_HELPER_H
#define BROADCAST_ETHERNET_SWITCH_HELPER_H

#include "broadcast-ethernet-helper.h"

#include "ns3/broadcast-ethernet-switch.h"

#include <string>

/**
 * @file
 * @ingroup broadcast-ethernet
 * Builds switched LANs.
 */

namespace ns3
{
namespace ethernet
{

/**
 * @ingroup broadcast-ethernet
 * Puts a network card on each node and plugs it into a switch.
 *
 * @code
 *   EthernetSwitchHelper lan;
 *   lan.SetSwitchAttribute("BufferSize", UintegerValue(32));
 *   NetDeviceContainer devices = lan.Install(nodes);                     // one switch, or
 *
 *   Ptr<EthernetSwitch> root = lan.CreateSwitch();                       // a tree of them
 *   Ptr<EthernetSwitch> leaf = lan.CreateSwitch();
 *   EthernetSwitchHelper::Connect(root, leaf);
 *   NetDeviceContainer devices = lan.Install(nodes, leaf);
 * @endcode
 */
class EthernetSwitchHelper : public EthernetHelper
{
  public:
    EthernetSwitchHelper();
    ~EthernetSwitchHelper() override = default;

    using EthernetHelper::Install;

    /**
     * Set an attribute of the switches to be built.
     * @param name name of an attribute of EthernetSwitch
     * @param value its value
     */
    void SetSwitchAttribute(const std::string& name, const AttributeValue& value);

    /** @return a new switch without stations. */
    Ptr<EthernetSwitch> CreateSwitch() const;

    /**
     * Build a switch with a device on each node.
     * @param nodes the nodes, in the order of the ports
     * @return their devices, in the same order
     */
    NetDeviceContainer Install(const NodeContainer& nodes) const;

    /**
     * Join two switches; stops the program with one sentence if that would close a loop.
     * @param a one, whose DataRate and Delay the link has
     * @param b the other
     */
    static void Connect(Ptr<EthernetSwitch> a, Ptr<EthernetSwitch> b);

    /**
     * @param device a device
     * @return the switch that it is plugged into, null if it is on another medium
     */
    static Ptr<EthernetSwitch> GetSwitch(Ptr<NetDevice> device);

    /**
     * Register a device for a multicast group at all switches of its LAN.
     * @param device the device
     * @param group the group's address
     */
    static void Join(Ptr<NetDevice> device, Mac48Address group);

    /**
     * Cut or repair the cable of a device.
     * @param device the device
     * @param up whether it is up
     */
    static void SetLinkUp(Ptr<NetDevice> device, bool up);

    /**
     * Assign random streams to all switches of the LANs of devices.
     * @param devices devices on switches
     * @param stream first stream
     * @return number of streams assigned
     */
    static int64_t AssignStreams(const NetDeviceContainer& devices, int64_t stream);

  private:
    ObjectFactory m_switchFactory; ///< Makes switches.
};

} // namespace ethernet
} // namespace ns3

#endif // BROADCAST_ETHERNET_SWITCH_HELPER_H
