/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INFINIBAND_HELPER_H
#define INFINIBAND_HELPER_H

#include "ns3/infiniband-channel.h"
#include "ns3/messaging-plain-net-device-helper.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"

#include <string>

/**
 * @file
 * @ingroup infiniband
 * Builds fabrics on nodes.
 */

namespace ns3
{
namespace infiniband
{

/**
 * @ingroup infiniband
 * Builds adapters and a fabric, and an IPoIB device on each host.
 *
 * @code
 *   InfinibandHelper infiniband;
 *   infiniband.SetAttribute("Topology", StringValue("fat-tree"));
 *   infiniband.SetAttribute("LinkRate", StringValue("DDR"));
 *   NetDeviceContainer devices = infiniband.Install(nodes);
 * @endcode
 *
 * The subnet gets one host for each node of the container; a topology file must describe as many.
 */
class InfinibandHelper : public messaging::PlainNetDeviceHelper
{
  public:
    InfinibandHelper();

    /**
     * Set an attribute of the adapters, links, switches or subnets to be built.
     * @param name name of an attribute of Engine, Fabric or Subnet
     * @param value its value
     */
    void SetAttribute(const std::string& name, const AttributeValue& value);

    /**
     * Build adapters and a fabric.
     * @param nodes the nodes, in the order of the subnet's hosts
     * @return their devices, in the same order
     */
    NetDeviceContainer Install(const NodeContainer& nodes) const;

    /**
     * Attach devices to adapters.
     * @param nodes the nodes, in the order of the subnet's hosts
     * @param engine the adapters, links and switches, not started
     * @return their devices, in the same order
     */
    NetDeviceContainer Install(const NodeContainer& nodes, Ptr<Engine> engine) const;

    /**
     * Get the adapters that devices belong to.
     * @param devices devices returned by Install
     * @return the adapters
     */
    static Ptr<Engine> GetEngine(const NetDeviceContainer& devices);

    /**
     * Get the fabric that devices belong to.
     * @param devices devices returned by Install
     * @return the fabric
     */
    static Ptr<Fabric> GetFabric(const NetDeviceContainer& devices);

    /**
     * Assign random streams.
     * @param devices devices returned by Install
     * @param stream first stream
     * @return number of streams assigned
     */
    static int64_t AssignStreams(const NetDeviceContainer& devices, int64_t stream);

  private:
    Ptr<Engine> m_engine; ///< Attributes of the adapters and fabrics to be built.
};

} // namespace infiniband
} // namespace ns3

#endif // INFINIBAND_HELPER_H
