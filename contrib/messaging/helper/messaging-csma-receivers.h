/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_CSMA_RECEIVERS_H
#define MESSAGING_CSMA_RECEIVERS_H

#include "ns3/csma-channel.h"
#include "ns3/csma-net-device.h"
#include "ns3/mac48-address.h"
#include "ns3/net-device-container.h"
#include "ns3/packet.h"
#include "ns3/simple-ref-count.h"

#include <functional>
#include <map>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Receivers of the frames on a csma channel of ns-3.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * Filter of a csma channel: each frame reaches its receivers only.
 *
 * The channel passes a frame to every attached device, which copies it, reads its headers and
 * discards it if it is for another station. So a frame costs an event of each station. Between
 * frames, the filter keeps all devices detached. When a frame begins, it attaches its sender and
 * its receivers, until the frame has left its sender; the channel has then scheduled the arrivals.
 * The receivers receive the same frames at the same times as without it.
 */
class CsmaReceivers : public SimpleRefCount<CsmaReceivers>
{
  public:
    /**
     * Construct.
     * @param devices all CsmaNetDevices of a channel
     * @param onUnknown called for each frame to an address that no other device has
     */
    CsmaReceivers(const NetDeviceContainer& devices, std::function<void()> onUnknown)
        : m_devices(devices),
          m_onUnknown(std::move(onUnknown))
    {
    }

    /** Begin to filter, once. */
    void Start();

    /** End, and release the devices, whose trace sources refer to this. */
    void Stop();

  private:
    /**
     * A device begins to send.
     * @param sender its number
     * @param frame the frame with its Ethernet header
     */
    void OnBegin(uint32_t sender, Ptr<const Packet> frame);

    /**
     * A frame has left its sender.
     * @param sender number of the sender
     * @param frame the frame
     */
    void OnEnd(uint32_t sender, Ptr<const Packet> frame);

    /**
     * Attach a device to the channel, until the end of the frame.
     * @param number its number
     */
    void Attach(uint32_t number);

    /** @return the channel. */
    Ptr<CsmaChannel> GetChannel() const;

    NetDeviceContainer m_devices;              ///< The devices; none after Stop.
    std::function<void()> m_onUnknown;         ///< Called for a frame without a receiver.
    std::map<Mac48Address, uint32_t> m_places; ///< Numbers of the devices, by address.
    std::vector<uint32_t> m_ids;               ///< Their numbers on the channel.
    std::vector<uint32_t> m_attached;          ///< Devices that are attached.
    bool m_unknown{false};                     ///< The frame on the channel has no receiver.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_CSMA_RECEIVERS_H
