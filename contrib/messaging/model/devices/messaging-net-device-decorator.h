/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_NET_DEVICE_DECORATOR_H
#define MESSAGING_NET_DEVICE_DECORATOR_H

#include "ns3/channel.h"
#include "ns3/net-device.h"
#include "ns3/node.h"

/**
 * @file
 * @ingroup messaging
 * A device that stands in front of another.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * Base of devices that stand in front of another one on the same node: what a derived class does
 * not change is passed on to the device behind.
 */
class NetDeviceDecorator : public NetDevice
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    NetDeviceDecorator();
    ~NetDeviceDecorator() override;

    /**
     * Set the device behind, once.
     * @param device the device
     */
    virtual void SetDevice(Ptr<NetDevice> device);

    /** @return the device behind. */
    Ptr<NetDevice> GetDevice() const;

    void SetIfIndex(const uint32_t index) override;
    uint32_t GetIfIndex() const override;
    Ptr<Channel> GetChannel() const override;
    void SetAddress(Address address) override;
    Address GetAddress() const override;
    bool SetMtu(const uint16_t mtu) override;
    uint16_t GetMtu() const override;
    bool IsLinkUp() const override;
    void AddLinkChangeCallback(Callback<void> callback) override;
    bool IsBroadcast() const override;
    Address GetBroadcast() const override;
    bool IsMulticast() const override;
    Address GetMulticast(Ipv4Address multicastGroup) const override;
    Address GetMulticast(Ipv6Address addr) const override;
    bool IsBridge() const override;
    bool IsPointToPoint() const override;
    Ptr<Node> GetNode() const override;
    void SetNode(Ptr<Node> node) override;
    bool NeedsArp() const override;
    bool SupportsSendFrom() const override;

  protected:
    void DoDispose() override;

  private:
    Ptr<NetDevice> m_device; ///< The device behind.
    Ptr<Node> m_node;        ///< The node.
    uint32_t m_ifIndex{0};   ///< Interface index.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_NET_DEVICE_DECORATOR_H
