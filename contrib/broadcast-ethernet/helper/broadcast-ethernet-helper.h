/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BROADCAST_ETHERNET_HELPER_H
#define BROADCAST_ETHERNET_HELPER_H

#include "ns3/broadcast-ethernet-segment.h"
#include "ns3/messaging-plain-net-device-helper.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/object-factory.h"

#include <string>

/**
 * @file
 * @ingroup broadcast-ethernet
 * Installation of network cards on nodes and a segment.
 */

namespace ns3
{
namespace ethernet
{

/**
 * @ingroup broadcast-ethernet
 * Installs a network card on each node and attaches it to a shared segment, or to any medium.
 * Transmit rings are drop-tail queues of 16 frames, as Linux 2.2 has for a 21140.
 *
 * @code
 *   EthernetHelper ethernet;
 *   ethernet.SetSegmentAttribute("Spacing", DoubleValue(20));
 *   NetDeviceContainer devices = ethernet.Install(nodes);
 *   EthernetHelper::AssignStreams(devices, 1);
 * @endcode
 */
class EthernetHelper : public messaging::PlainNetDeviceHelper
{
  public:
    EthernetHelper();

    /**
     * Set an attribute of new segments.
     * @param name name of an attribute of EthernetSegment
     * @param value its value
     */
    void SetSegmentAttribute(const std::string& name, const AttributeValue& value)
    {
        m_segmentFactory.Set(name, value);
    }

    /**
     * Build a segment with a device on each node.
     * @param nodes the nodes, in the order of the stations
     * @return their devices, in the same order
     */
    NetDeviceContainer Install(const NodeContainer& nodes) const;

    /**
     * Build a device on each node and attach it to an existing medium.
     * @param nodes the nodes
     * @param medium the medium
     * @return their devices, in the same order
     */
    NetDeviceContainer Install(const NodeContainer& nodes, Ptr<EthernetMedium> medium) const;

    /**
     * Get the segment of devices.
     * @param devices devices that Install has returned
     * @return the segment, or null if they are on another medium
     */
    static Ptr<EthernetSegment> GetSegment(const NetDeviceContainer& devices)
    {
        return DynamicCast<EthernetSegment>(devices.Get(0)->GetChannel());
    }

    /**
     * Assign random streams.
     * @param devices devices that Install has returned
     * @param stream first stream
     * @return number of streams assigned
     */
    static int64_t AssignStreams(const NetDeviceContainer& devices, int64_t stream);

  private:
    ObjectFactory m_segmentFactory; ///< Factory of segments.
};

} // namespace ethernet
} // namespace ns3

#endif // BROADCAST_ETHERNET_HELPER_H
