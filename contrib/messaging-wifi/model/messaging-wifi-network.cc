/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-wifi-network.h"

#include "ns3/messaging-attributes.h"
#include "ns3/messaging-frame-header.h"
#include "ns3/messaging-net-device-port.h"
#include "ns3/messaging-tick-clock.h"
#include "ns3/mobility-helper.h"
#include "ns3/position-allocator.h"
#include "ns3/wifi-helper.h"
#include "ns3/yans-wifi-helper.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string_view>

namespace ns3
{
namespace messaging_wifi
{

NS_OBJECT_ENSURE_REGISTERED(WifiNetwork);

namespace
{

/** Largest packet above the LLC header, as on Ethernet, so that bridges need no fragments [bytes].
 */
constexpr uint32_t WIFI_MTU = 1500;

/** Overhead time of a unicast frame: DIFS, mean backoff, preamble, SIFS and ACK
 * [802.11g].
 */
constexpr int64_t OVERHEAD_US = 28 + 68 + 20 + 10 + 28;

/** Names of the modes of data frames [802.11g]. */
constexpr std::array<std::string_view, 8> DATA_MODES{"ErpOfdmRate6Mbps",
                                                     "ErpOfdmRate9Mbps",
                                                     "ErpOfdmRate12Mbps",
                                                     "ErpOfdmRate18Mbps",
                                                     "ErpOfdmRate24Mbps",
                                                     "ErpOfdmRate36Mbps",
                                                     "ErpOfdmRate48Mbps",
                                                     "ErpOfdmRate54Mbps"};

} // namespace

TypeId
WifiNetwork::GetTypeId()
{
    static TypeId tid =
        messaging::Attributes<WifiNetwork>(
            messaging::SetSummary(TypeId("ns3::messaging_wifi::WifiNetwork"),
                                  "802.11g ad hoc network of ns-3's wifi module.")
                .SetParent<messaging::Network>()
                .SetGroupName("MessagingWifi")
                .AddConstructor<WifiNetwork>())
            .AddAttribute("Radius",
                          "Radius of the circle of nodes [m; default].",
                          &WifiNetwork::m_radius,
                          5,
                          0,
                          1000)
            .AddAttribute("DataMode",
                          "Rate of data frames, as the name of a WifiMode [name; default].",
                          &WifiNetwork::m_dataMode,
                          "ErpOfdmRate54Mbps");
    return tid;
}

messaging::PortInfo
WifiNetwork::GetInfo() const
{
    return messaging::PortInfo{
        .mtu = WIFI_MTU - messaging::FrameHeader::SIZE,
        .broadcast = true,
        .ordered = true,
        .rate = messaging::TickClock::GetBytesPerTick(GetDataRate().GetBitRate())};
}

DataRate
WifiNetwork::GetDataRate() const
{
    if (!Check(0).empty())
    {
        return DataRate(0);
    }
    // Such as ErpOfdmRate54Mbps.
    const std::string before = "Rate";
    return DataRate(m_dataMode.substr(m_dataMode.find(before) + before.size()));
}

std::string
WifiNetwork::Check([[maybe_unused]] uint32_t peers) const
{
    if (std::ranges::find(DATA_MODES, m_dataMode) != DATA_MODES.end())
    {
        return "";
    }
    std::string modes;
    for (const std::string_view mode : DATA_MODES)
    {
        modes.append(modes.empty() ? "" : ", ").append(mode);
    }
    return "DataMode is \"" + m_dataMode + "\"; it has to be one of " + modes + '.';
}

void
WifiNetwork::DoBuild(uint32_t peers)
{
    BuildDevices(peers);
    auto clock = CreateObject<messaging::TickClock>();
    auto port = CreateObject<messaging::NetDevicePort>();
    // Neither the device nor its channel has a rate; it is part of the mode's name.
    port->Connect(clock, GetDevices());
    ObserveFrames(port);
    port->SetTiming(GetDataRate(), MicroSeconds(OVERHEAD_US));
    SetPort(clock, messaging::MakeAnyPort(port));
}

NetDeviceContainer
WifiNetwork::DoInstall(const NodeContainer& nodes)
{
    YansWifiChannelHelper channel = YansWifiChannelHelper::Default();
    YansWifiPhyHelper phy;
    phy.SetChannel(channel.Create());
    WifiMacHelper mac;
    mac.SetType("ns3::AdhocWifiMac");
    mac.SetMacQueueScheduler(ReportingScheduler::GetTypeId().GetName());
    WifiHelper wifi;
    wifi.SetStandard(WIFI_STANDARD_80211g);
    wifi.SetRemoteStationManager("ns3::ConstantRateWifiManager",
                                 "DataMode",
                                 StringValue(m_dataMode));
    NetDeviceContainer devices = wifi.Install(phy, mac, nodes);
    for (uint32_t i = 0; i < devices.GetN(); ++i)
    {
        devices.Get(i)->SetMtu(WIFI_MTU);
    }
    MobilityHelper mobility;
    auto places = CreateObject<ListPositionAllocator>();
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        const double angle = 2 * std::numbers::pi * i / nodes.GetN();
        places->Add(Vector(m_radius * std::cos(angle), m_radius * std::sin(angle), 0));
    }
    mobility.SetPositionAllocator(places);
    mobility.SetMobilityModel("ns3::ConstantPositionMobilityModel");
    mobility.Install(nodes);
    return devices;
}

WifiNetwork::~WifiNetwork()
{
    if (m_observer)
    {
        m_observer->Stop();
    }
}

void
WifiNetwork::DoDispose()
{
    if (m_observer)
    {
        m_observer->Stop();
    }
    m_observer = nullptr;
    Network::DoDispose();
}

void
WifiNetwork::ObserveDevices()
{
    m_observer =
        ns3::Create<WifiLosses>(GetDevices(), [this](const std::string& place, uint64_t copies) {
            Lose(place, copies);
        });
    m_observer->Start();
}

int64_t
WifiNetwork::AssignStreams(int64_t stream)
{
    return WifiHelper::AssignStreams(GetDevices(), stream);
}

} // namespace messaging_wifi
} // namespace ns3
