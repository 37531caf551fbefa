/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_HOST_HELPER_H
#define MESSAGING_HOST_HELPER_H

#include "ns3/attribute.h"
#include "ns3/messaging-host-net-device.h"
#include "ns3/messaging-host.h"
#include "ns3/net-device-container.h"
#include "ns3/object-factory.h"

#include <string>

/**
 * @file
 * @ingroup messaging
 * Helper that installs host models on nodes, and devices that charge them.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * Installs a HostModel on nodes, and a HostNetDevice in front of devices.
 *
 * @code
 *   NetDeviceContainer devices = CsmaHelper().Install(nodes);
 *   HostHelper host;
 *   host.SetHostAttribute("SystemCall", TimeValue(MicroSeconds(10)));
 *   host.SetDeviceAttribute("SendSystemCalls", UintegerValue(1));
 *   devices = host.Install(devices);
 *   InternetStackHelper().Install(nodes);
 *   Ipv4AddressHelper("10.0.0.0", "255.255.255.0").Assign(devices);
 * @endcode
 */
class HostHelper
{
  public:
    /**
     * Set an attribute of the host models to create.
     * @param name name of an attribute of HostModel
     * @param value its value
     */
    void SetHostAttribute(const std::string& name, const AttributeValue& value)
    {
        m_hostFactory.Set(name, value);
    }

    /**
     * Set the number of CPUs of the host models to create.
     * @param cpus the number
     */
    void SetCpus(uint32_t cpus)
    {
        m_cpus = cpus;
    }

    /**
     * Set an attribute of the devices to create.
     * @param name name of an attribute of HostNetDevice
     * @param value its value
     */
    void SetDeviceAttribute(const std::string& name, const AttributeValue& value)
    {
        m_deviceFactory.Set(name, value);
    }

    /**
     * Install a host model on a node, if it has none.
     * @param node the node
     * @return its host model
     */
    Ptr<HostModel> InstallHost(Ptr<Node> node) const;

    /**
     * Put a device that charges the host in front of each given device. Call this before addresses
     * are assigned. The given devices remain those to use for packet capture and random streams.
     * @param devices devices installed on nodes
     * @return the devices to use instead, in the same order
     */
    NetDeviceContainer Install(const NetDeviceContainer& devices) const;

  private:
    ObjectFactory m_hostFactory{"ns3::messaging::HostModel"};       ///< Makes host models.
    ObjectFactory m_deviceFactory{"ns3::messaging::HostNetDevice"}; ///< Makes devices.
    uint32_t m_cpus{1};                                             ///< CPUs of a host.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_HOST_HELPER_H
