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
 * Builds a fabric and an IPoIB device on each of its hosts.
 *
 * @code
 *   InfinibandHelper infiniband;
 *   infiniband.SetSubnetAttribute("Topology", StringValue("fat-tree"));
 *   infiniband.SetFabricAttribute("LinkRate", StringValue("DDR"));
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
     * Set an attribute of the subnets to be built.
     * @param name name of an attribute of Subnet
     * @param value its value
     */
    void SetSubnetAttribute(const std::string& name, const AttributeValue& value);

    /**
     * Set an attribute of the fabrics to be built.
     * @param name name of an attribute of Fabric
     * @param value its value
     */
    void SetFabricAttribute(const std::string& name, const AttributeValue& value);

    /**
     * Copy the attributes of other objects to the subnets and fabrics to be built.
     * @param subnet a subnet
     * @param fabric a fabric
     */
    void CopyAttributes(Ptr<const Subnet> subnet, Ptr<const Fabric> fabric);

    /**
     * Build a fabric.
     * @param nodes the nodes, in the order of the subnet's hosts
     * @return their devices, in the same order
     */
    NetDeviceContainer Install(const NodeContainer& nodes) const;

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
    Ptr<Subnet> m_subnet; ///< Attributes of the subnets to be built.
    Ptr<Fabric> m_fabric; ///< Attributes of the fabrics to be built.
};

} // namespace infiniband
} // namespace ns3

#endif // INFINIBAND_HELPER_H
