/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-point-to-point-network.h"

#include "ns3/messaging-attributes.h"
#include "ns3/messaging-frame-header.h"
#include "ns3/messaging-net-device-port.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/queue-size.h"

namespace ns3
{
namespace messaging
{

NS_OBJECT_ENSURE_REGISTERED(PointToPointNetwork);

namespace
{

/** Largest packet of a device [bytes; default of PointToPointNetDevice]. */
constexpr uint32_t LINK_MTU = 1500;

/** EtherType of the frames: PPP of ns-3 has numbers for IPv4 and IPv6 alone. */
constexpr uint16_t PPP_PROTOCOL = 0x0800;

} // namespace

TypeId
PointToPointNetwork::GetTypeId()
{
    static TypeId tid = [] {
        TypeId type = SetSummary(TypeId("ns3::messaging::PointToPointNetwork"),
                                 "One point-to-point link of ns-3 between two peers.")
                          .SetParent<Network>()
                          .SetGroupName("Messaging")
                          .AddConstructor<PointToPointNetwork>();
        Attributes<PointToPointNetwork>(type)
            .AddAttribute("DataRate",
                          "Rate of the link [bit/s; IEEE 802.3, Fast Ethernet].",
                          &PointToPointNetwork::m_dataRate,
                          DataRate("100Mbps"))
            .AddAttribute("Delay",
                          "Propagation delay of the link [s; 100 m of cable].",
                          &PointToPointNetwork::m_delay,
                          NanoSeconds(500),
                          Time(0),
                          Seconds(10))
            .AddAttribute("QueueLength",
                          "Packets that wait in a device [packets; ns-3's default].",
                          &PointToPointNetwork::m_queue,
                          100,
                          1);
        return type;
    }();
    return tid;
}

PointToPointNetwork::PointToPointNetwork() = default;

PointToPointNetwork::~PointToPointNetwork() = default;

PortInfo
PointToPointNetwork::Describe() const
{
    PortInfo info;
    info.mtu = LINK_MTU - FrameHeader::SIZE;
    info.broadcast = true;
    info.ordered = true;
    return info;
}

std::string
PointToPointNetwork::Check(uint32_t peers) const
{
    if (peers != 2)
    {
        return "A point-to-point link joins 2 nodes, and Nodes is " + std::to_string(peers) + ".";
    }
    return m_dataRate.GetBitRate() > 0 ? ""
                                       : "DataRate is 0, but a link needs a rate above 0 bit/s.";
}

void
PointToPointNetwork::DoBuild(uint32_t peers)
{
    BuildDevices(peers);
    auto clock = CreateObject<TickClock>();
    auto port = CreateObject<NetDevicePort>();
    port->SetAttribute("Protocol", UintegerValue(PPP_PROTOCOL));
    port->Connect(clock, GetDevices());
    SetPort(clock, MakeAnyPort(port));
}

NetDeviceContainer
PointToPointNetwork::DoInstall(const NodeContainer& nodes)
{
    PointToPointHelper link;
    link.SetDeviceAttribute("DataRate", DataRateValue(m_dataRate));
    link.SetChannelAttribute("Delay", TimeValue(m_delay));
    link.SetQueue("ns3::DropTailQueue",
                  "MaxSize",
                  QueueSizeValue(QueueSize(QueueSizeUnit::PACKETS, m_queue)));
    return link.Install(nodes);
}

} // namespace messaging
} // namespace ns3
