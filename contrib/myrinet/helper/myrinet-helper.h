/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MYRINET_HELPER_H
#define MYRINET_HELPER_H

#include "ns3/myrinet-channel.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/object-factory.h"
#include "ns3/queue.h"
#include "ns3/trace-helper.h"

#include <string>

/**
 * @file
 * @ingroup myrinet
 * Builds Myrinets on nodes.
 */

namespace ns3
{
namespace myrinet
{

/**
 * @ingroup myrinet
 * Builds a Myrinet and a device on each of its hosts.
 *
 * @code
 *   MyrinetHelper myrinet;
 *   myrinet.SetPortAttribute("Topology", StringValue("clos"));
 *   NetDeviceContainer devices = myrinet.Install(nodes);
 * @endcode
 *
 * The network has as many hosts as the container; a graph has to have them.
 */
class MyrinetHelper : public PcapHelperForDevice
{
  public:
    MyrinetHelper();
    ~MyrinetHelper() override = default;

    /**
     * Set an attribute of the network to be built.
     * @param name name of an attribute of MyrinetPort
     * @param value its value
     */
    void SetPortAttribute(const std::string& name, const AttributeValue& value);

    /**
     * Set an attribute of the devices to be built.
     * @param name name of an attribute of MyrinetNetDevice
     * @param value its value
     */
    void SetDeviceAttribute(const std::string& name, const AttributeValue& value);

    /**
     * Set the type and attributes of the transmit queues to be built.
     * @param type name of the TypeId, without the item type or with it
     * @param args names and values of attributes
     */
    template <typename... Args>
    void SetQueue(std::string type, Args&&... args)
    {
        QueueBase::AppendItemTypeIfNotPresent(type, "Packet");
        m_queueFactory = ObjectFactory(type, std::forward<Args>(args)...);
    }

    /**
     * Give each device a LANai, on the bus of its node's HostModel if it has one.
     * @param args names and values of attributes of MyrinetLanai
     */
    template <typename... Args>
    void SetLanai(Args&&... args)
    {
        m_lanaiFactory = ObjectFactory("ns3::myrinet::MyrinetLanai", std::forward<Args>(args)...);
    }

    /**
     * Build a network.
     * @param nodes the nodes, in the order of the network's hosts
     * @return their devices, in the same order
     */
    NetDeviceContainer Install(const NodeContainer& nodes) const;

    /**
     * Get the port that devices belong to.
     * @param devices devices that Install has returned
     * @return the port
     */
    static Ptr<MyrinetPort> GetPort(const NetDeviceContainer& devices);

    /**
     * Assign random streams.
     * @param devices devices that Install has returned
     * @param stream first stream
     * @return number of streams assigned
     */
    static int64_t AssignStreams(const NetDeviceContainer& devices, int64_t stream);

  private:
    void EnablePcapInternal(std::string prefix,
                            Ptr<NetDevice> device,
                            bool promiscuous,
                            bool explicitFilename) override;

    ObjectFactory m_portFactory;   ///< Makes ports.
    ObjectFactory m_deviceFactory; ///< Makes devices.
    ObjectFactory m_lanaiFactory;  ///< Makes LANais, if it has a type.
    ObjectFactory m_queueFactory;  ///< Makes transmit queues.
};

} // namespace myrinet
} // namespace ns3

#endif // MYRINET_HELPER_H
