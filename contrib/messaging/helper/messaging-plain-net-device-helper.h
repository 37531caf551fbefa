/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_PLAIN_NET_DEVICE_HELPER_H
#define MESSAGING_PLAIN_NET_DEVICE_HELPER_H

#include "ns3/messaging-plain-net-device.h"
#include "ns3/object-factory.h"
#include "ns3/output-stream-wrapper.h"
#include "ns3/queue.h"
#include "ns3/trace-helper.h"

#include <string>
#include <utility>

/**
 * @file
 * @ingroup messaging
 * Base of the helpers that install devices.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * Makes devices with their transmit queues, and enables packet capture and ascii traces. A derived
 * helper provides Install, which also makes the network.
 */
class PlainNetDeviceHelper : public PcapHelperForDevice, public AsciiTraceHelperForDevice
{
  public:
    /**
     * Set an attribute of the devices to build.
     * @param name name of the attribute
     * @param value its value
     */
    void SetDeviceAttribute(const std::string& name, const AttributeValue& value)
    {
        m_deviceFactory.Set(name, value);
    }

    /**
     * Set the type and attributes of the transmit queues to build.
     * @param type name of the TypeId, with or without the item type
     * @param args names and values of attributes
     */
    template <typename... Args>
    void SetQueue(std::string type, Args&&... args)
    {
        QueueBase::AppendItemTypeIfNotPresent(type, "Packet");
        m_queueFactory = ObjectFactory(type, std::forward<Args>(args)...);
    }

  protected:
    /**
     * Construct.
     * @param device type of the devices, derived from PlainNetDevice
     */
    explicit PlainNetDeviceHelper(TypeId device);

    /**
     * Make a device with an address and a queue on a node, ready to attach to a network.
     * @tparam Device class of the devices
     * @param node the node
     * @return the device
     */
    template <class Device>
    Ptr<Device> MakeDevice(Ptr<Node> node) const
    {
        const auto device = m_deviceFactory.Create<Device>();
        device->SetAddress(Mac48Address::Allocate());
        node->AddDevice(device);
        device->SetQueue(m_queueFactory.Create<Queue<Packet>>());
        device->AggregateObject(CreateObject<NetDeviceQueueInterface>());
        return device;
    }

  private:
    void EnablePcapInternal(std::string prefix,
                            Ptr<NetDevice> device,
                            bool promiscuous,
                            bool explicitFilename) override;
    void EnableAsciiInternal(Ptr<OutputStreamWrapper> stream,
                             std::string prefix,
                             Ptr<NetDevice> device,
                             bool explicitFilename) override;

    /** @param device a device @return whether it is of the helper's type */
    bool IsOwn(Ptr<const NetDevice> device) const;

    ObjectFactory m_deviceFactory;                              ///< Makes devices.
    ObjectFactory m_queueFactory{"ns3::DropTailQueue<Packet>"}; ///< Makes transmit queues.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_PLAIN_NET_DEVICE_HELPER_H
