/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_WIFI_NETWORK_H
#define MESSAGING_WIFI_NETWORK_H

#include "ns3/data-rate.h"
#include "ns3/messaging-network.h"
#include "ns3/messaging-wifi-losses.h"

/**
 * @file
 * @ingroup messaging-wifi
 * The wifi module of ns-3 as a network for any protocol.
 */

namespace ns3
{
namespace messaging_wifi
{

/**
 * @ingroup messaging-wifi
 * Network of all peers in one 802.11g ad hoc cell, evenly spaced on a circle.
 *
 * The MAC acknowledges and retransmits unicast frames, but not broadcast frames.
 */
class WifiNetwork : public messaging::Network
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    messaging::PortInfo GetInfo() const override;
    std::string Check(uint32_t peers) const override;
    int64_t AssignStreams(int64_t stream) override;

    ~WifiNetwork() override;

    /** @return the host of the years of 802.11g. */
    messaging::HostKind GetHostKind() const override
    {
        return messaging::HostKind::PENTIUM2_1999;
    }

  protected:
    void DoDispose() override;
    void ObserveDevices() override;
    void DoBuild(uint32_t peers) override;
    NetDeviceContainer DoInstall(const NodeContainer& nodes) override;

  private:
    /** @return the rate of the mode; 0 if the mode is unknown. */
    DataRate GetDataRate() const;

    double m_radius{0};         ///< Radius of the circle [m].
    std::string m_dataMode;     ///< Rate of all data frames.
    Ptr<WifiLosses> m_observer; ///< Observes the devices.
};

} // namespace messaging_wifi
} // namespace ns3

#endif // MESSAGING_WIFI_NETWORK_H
