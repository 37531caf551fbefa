/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_NET_DEVICE_DECORATOR_H
#define MESSAGING_NET_DEVICE_DECORATOR_H

#include "ns3/abort.h"
#include "ns3/channel.h"
#include "ns3/messaging-plain-net-device.h"

/**
 * @file
 * @ingroup messaging
 * Device in front of another.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * Base of devices in front of another on the same node, which forward the properties of that
 * device.
 */
class NetDeviceDecorator : public PlainNetDevice
{
  public:
    /**
     * Set the underlying device, once.
     * @param device the device
     */
    virtual void SetDevice(Ptr<NetDevice> device)
    {
        NS_ABORT_MSG_IF(m_device, "The underlying device can be set only once.");
        m_device = device;
    }

    /** @return the underlying device. */
    Ptr<NetDevice> GetDevice() const
    {
        return m_device;
    }

    Ptr<Channel> GetChannel() const override
    {
        return m_device->GetChannel();
    }

    void SetAddress(Address address) override
    {
        m_device->SetAddress(address);
    }

    Address GetAddress() const override
    {
        return m_device->GetAddress();
    }

    bool SetMtu(const uint16_t mtu) override
    {
        return m_device->SetMtu(mtu);
    }

    uint16_t GetMtu() const override
    {
        return m_device->GetMtu();
    }

    bool IsLinkUp() const override
    {
        return m_device->IsLinkUp();
    }

    void AddLinkChangeCallback(Callback<void> callback) override
    {
        m_device->AddLinkChangeCallback(callback);
    }

    bool IsBroadcast() const override
    {
        return m_device->IsBroadcast();
    }

    Address GetBroadcast() const override
    {
        return m_device->GetBroadcast();
    }

    bool IsMulticast() const override
    {
        return m_device->IsMulticast();
    }

    Address GetMulticast(Ipv4Address group) const override
    {
        return m_device->GetMulticast(group);
    }

    Address GetMulticast(Ipv6Address group) const override
    {
        return m_device->GetMulticast(group);
    }

    bool IsPointToPoint() const override
    {
        return m_device->IsPointToPoint();
    }

    bool NeedsArp() const override
    {
        return m_device->NeedsArp();
    }

    bool SupportsSendFrom() const override
    {
        return m_device->SupportsSendFrom();
    }

  protected:
    void DoDispose() override
    {
        m_device = nullptr;
        PlainNetDevice::DoDispose();
    }

    void Transmit() override
    {
    }

    Ptr<NetDevice> m_device; ///< The underlying device.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_NET_DEVICE_DECORATOR_H
