/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-link-network.h"

#include "ns3/csma-helper.h"
#include "ns3/messaging-attributes.h"
#include "ns3/messaging-frame-header.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/queue-size.h"

namespace ns3
{
namespace messaging
{

NS_OBJECT_ENSURE_REGISTERED(LinkNetwork);
NS_OBJECT_ENSURE_REGISTERED(CsmaNetwork);
NS_OBJECT_ENSURE_REGISTERED(PointToPointNetwork);

namespace
{

/** Payload of an Ethernet frame, and default MTU of PointToPointNetDevice [bytes; IEEE 802.3]. */
constexpr uint32_t LINK_MTU = 1500;

} // namespace

TypeId
LinkNetwork::GetTypeId()
{
    static TypeId tid =
        Attributes<LinkNetwork>(
            TypeId("ns3::messaging::LinkNetwork").SetParent<Network>().SetGroupName("Messaging"))
            .AddAttribute("DataRate",
                          "Rate of the channel [bit/s; IEEE 802.3, Fast Ethernet].",
                          &LinkNetwork::m_dataRate,
                          DataRate("100Mbps"))
            .AddAttribute("Delay",
                          "Propagation delay of the channel [s; 100 m of cable].",
                          &LinkNetwork::m_delay,
                          NanoSeconds(500),
                          Time(0),
                          Seconds(10))
            .AddAttribute("QueueLength",
                          "Capacity of a device's transmit queue [packets; ns-3's default].",
                          &LinkNetwork::m_queue,
                          100,
                          1);
    return tid;
}

PortInfo
LinkNetwork::GetInfo() const
{
    return PortInfo{.mtu = LINK_MTU - FrameHeader::SIZE,
                    .broadcast = true,
                    .ordered = true,
                    .rate = TickClock::GetBytesPerTick(m_dataRate.GetBitRate())};
}

std::string
LinkNetwork::Check([[maybe_unused]] uint32_t peers) const
{
    return m_dataRate.GetBitRate() > 0 ? ""
                                       : "DataRate is 0, but a channel needs a rate above 0 bit/s.";
}

template <class Helper>
NetDeviceContainer
LinkNetwork::Install(Helper& helper, const NodeContainer& nodes) const
{
    helper.SetChannelAttribute("Delay", TimeValue(m_delay));
    helper.SetQueue("ns3::DropTailQueue",
                    "MaxSize",
                    QueueSizeValue(QueueSize(QueueSizeUnit::PACKETS, m_queue)));
    return helper.Install(nodes);
}

TypeId
CsmaNetwork::GetTypeId()
{
    static TypeId tid =
        Attributes<CsmaNetwork>(SetSummary(TypeId("ns3::messaging::CsmaNetwork"),
                                           "One csma channel of ns-3: Ethernet without collisions.")
                                    .SetParent<LinkNetwork>()
                                    .SetGroupName("Messaging")
                                    .AddConstructor<CsmaNetwork>())
            .AddAttribute("Promiscuous",
                          "Pass each frame to all stations, for traces of frames to others; this "
                          "costs an event for each station and frame [bool; default].",
                          &CsmaNetwork::m_promiscuous,
                          false);
    return tid;
}

CsmaNetwork::~CsmaNetwork()
{
    if (m_receivers)
    {
        m_receivers->Stop();
    }
}

void
CsmaNetwork::DoDispose()
{
    if (m_receivers)
    {
        m_receivers->Stop();
    }
    m_receivers = nullptr;
    LinkNetwork::DoDispose();
}

NetDeviceContainer
CsmaNetwork::DoInstall(const NodeContainer& nodes)
{
    CsmaHelper csma;
    csma.SetChannelAttribute("DataRate", DataRateValue(m_dataRate));
    const NetDeviceContainer devices = Install(csma, nodes);
    if (!m_promiscuous)
    {
        m_receivers = ns3::Create<CsmaReceivers>(devices, [this] {
            static const std::string UNKNOWN = "channel: no station has the address";
            Lose(UNKNOWN, 1);
        });
        m_receivers->Start();
    }
    return devices;
}

int64_t
CsmaNetwork::AssignStreams(int64_t stream)
{
    return CsmaHelper().AssignStreams(GetDevices(), stream);
}

TypeId
PointToPointNetwork::GetTypeId()
{
    static TypeId tid = SetSummary(TypeId("ns3::messaging::PointToPointNetwork"),
                                   "One point-to-point link of ns-3 between two peers.")
                            .SetParent<LinkNetwork>()
                            .SetGroupName("Messaging")
                            .AddConstructor<PointToPointNetwork>();
    return tid;
}

std::string
PointToPointNetwork::Check(uint32_t peers) const
{
    return peers == 2
               ? LinkNetwork::Check(peers)
               : "A point-to-point link joins 2 nodes, and Nodes is " + std::to_string(peers) + ".";
}

NetDeviceContainer
PointToPointNetwork::DoInstall(const NodeContainer& nodes)
{
    PointToPointHelper link;
    link.SetDeviceAttribute("DataRate", DataRateValue(m_dataRate));
    return Install(link, nodes);
}

} // namespace messaging
} // namespace ns3
