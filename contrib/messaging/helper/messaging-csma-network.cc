/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-csma-network.h"

#include "ns3/csma-helper.h"
#include "ns3/messaging-attributes.h"
#include "ns3/messaging-frame-header.h"
#include "ns3/queue-size.h"

namespace ns3
{
namespace messaging
{

NS_OBJECT_ENSURE_REGISTERED(CsmaNetwork);

namespace
{

/** Payload of an Ethernet frame [bytes; IEEE 802.3]. */
constexpr uint32_t ETHERNET_MTU = 1500;

} // namespace

TypeId
CsmaNetwork::GetTypeId()
{
    static TypeId tid = [] {
        TypeId type = SetSummary(TypeId("ns3::messaging::CsmaNetwork"),
                                 "One csma channel of ns-3: Ethernet without collisions.")
                          .SetParent<Network>()
                          .SetGroupName("Messaging")
                          .AddConstructor<CsmaNetwork>();
        Attributes<CsmaNetwork>(type)
            .AddAttribute("DataRate",
                          "Rate of the channel [bit/s; IEEE 802.3, Fast Ethernet].",
                          &CsmaNetwork::m_dataRate,
                          DataRate("100Mbps"))
            .AddAttribute("Delay",
                          "Propagation delay of the channel [s; 100 m of cable].",
                          &CsmaNetwork::m_delay,
                          NanoSeconds(500),
                          Time(0),
                          Seconds(10))
            .AddAttribute("QueueLength",
                          "Packets that wait in a device [packets; ns-3's default].",
                          &CsmaNetwork::m_queue,
                          100,
                          1);
        return type;
    }();
    return tid;
}

CsmaNetwork::CsmaNetwork() = default;

CsmaNetwork::~CsmaNetwork() = default;

PortInfo
CsmaNetwork::Describe() const
{
    PortInfo info;
    info.mtu = ETHERNET_MTU - FrameHeader::SIZE;
    info.broadcast = true;
    info.ordered = true;
    return info;
}

std::string
CsmaNetwork::Check([[maybe_unused]] uint32_t peers) const
{
    return m_dataRate.GetBitRate() > 0 ? ""
                                       : "DataRate is 0, but a channel needs a rate above 0 bit/s.";
}

NetDeviceContainer
CsmaNetwork::DoInstall(const NodeContainer& nodes)
{
    CsmaHelper csma;
    csma.SetChannelAttribute("DataRate", DataRateValue(m_dataRate));
    csma.SetChannelAttribute("Delay", TimeValue(m_delay));
    csma.SetQueue("ns3::DropTailQueue",
                  "MaxSize",
                  QueueSizeValue(QueueSize(QueueSizeUnit::PACKETS, m_queue)));
    return csma.Install(nodes);
}

int64_t
CsmaNetwork::AssignStreams(int64_t stream)
{
    return CsmaHelper().AssignStreams(GetDevices(), stream);
}

} // namespace messaging
} // namespace ns3
