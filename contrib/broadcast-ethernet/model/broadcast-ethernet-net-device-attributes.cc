/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "broadcast-ethernet-net-device.h"

#include "ns3/boolean.h"
#include "ns3/pointer.h"
#include "ns3/uinteger.h"

/**
 * @file
 * @ingroup broadcast-ethernet
 * Attributes and trace sources of the network card.
 */

namespace ns3
{
namespace ethernet
{

NS_OBJECT_ENSURE_REGISTERED(EthernetNetDevice);

TypeId
EthernetNetDevice::GetTypeId()
{
    using D = EthernetNetDevice;
    static TypeId tid =
        TypeId("ns3::ethernet::EthernetNetDevice")
            .SetParent<NetDevice>()
            .SetGroupName("BroadcastEthernet")
            .AddConstructor<EthernetNetDevice>()
            .AddAttribute("Address",
                          "The MAC address of this device.",
                          Mac48AddressValue(Mac48Address("ff:ff:ff:ff:ff:ff")),
                          MakeMac48AddressAccessor(&D::m_address),
                          MakeMac48AddressChecker())
            .AddAttribute(
                "Mtu",
                "Largest packet without its Ethernet header [bytes; IEEE 802.3, 3.2.7].",
                UintegerValue(MAX_FRAME_BYTES - HEADER_BYTES - FCS_BYTES),
                MakeUintegerAccessor(&D::SetMtu, &D::GetMtu),
                MakeUintegerChecker<uint16_t>(68, MAX_FRAME_BYTES - HEADER_BYTES - FCS_BYTES))
            .AddAttribute("TxQueue",
                          "The transmit ring: frames that wait to be sent.",
                          PointerValue(),
                          MakePointerAccessor(&D::SetQueue, &D::GetQueue),
                          MakePointerChecker<Queue<Packet>>())
            .AddAttribute("RxRing",
                          "Descriptors of the receive ring [frames; default, as Linux 2.2 has them "
                          "for the 21140].",
                          UintegerValue(32),
                          MakeUintegerAccessor(&D::m_rxRing),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("ReceiveTime",
                          "How long the driver needs to take a frame from the receive ring; the "
                          "host model knows better [time; default].",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&D::m_receiveTime),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("HostReleases",
                          "Whether a frame that was handed up keeps its descriptor until the "
                          "driver calls ReleaseDescriptors [flag; default].",
                          BooleanValue(false),
                          MakeBooleanAccessor(&D::m_hostReleases),
                          MakeBooleanChecker())
            .AddAttribute(
                "PauseAbove",
                "Used descriptors of the receive ring at which the sender is asked to "
                "pause, until half of them are free again; 0 for never [frames; default].",
                UintegerValue(0),
                MakeUintegerAccessor(&D::m_pauseAbove),
                MakeUintegerChecker<uint32_t>())
            .AddAttribute("ReceiveErrorModel",
                          "Decides which received frames are damaged.",
                          PointerValue(),
                          MakePointerAccessor(&D::m_errorModel),
                          MakePointerChecker<ErrorModel>())
            .AddTraceSource("MacTx",
                            "A frame has been accepted to be sent.",
                            MakeTraceSourceAccessor(&D::m_macTx),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("MacTxDrop",
                            "A frame has been refused: link down, too long, or transmit ring full.",
                            MakeTraceSourceAccessor(&D::m_macTxDrop),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("MacPromiscRx",
                            "A frame has been received, for this station or another.",
                            MakeTraceSourceAccessor(&D::m_macPromiscRx),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("MacRx",
                            "A frame for this station is handed up.",
                            MakeTraceSourceAccessor(&D::m_macRx),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("MacRxDrop",
                            "A frame has found no free descriptor in the receive ring.",
                            MakeTraceSourceAccessor(&D::m_macRxDrop),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PhyTxBegin",
                            "A frame begins to leave, with any of its attempts.",
                            MakeTraceSourceAccessor(&D::m_phyTxBegin),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PhyTxEnd",
                            "A frame has left.",
                            MakeTraceSourceAccessor(&D::m_phyTxEnd),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PhyTxDrop",
                            "A frame has been given up after collisions.",
                            MakeTraceSourceAccessor(&D::m_phyTxDrop),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PhyRxEnd",
                            "A frame has arrived intact.",
                            MakeTraceSourceAccessor(&D::m_phyRxEnd),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PhyRxDrop",
                            "A frame has arrived damaged.",
                            MakeTraceSourceAccessor(&D::m_phyRxDrop),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("Sniffer",
                            "A frame as a non-promiscuous packet sniffer sees it.",
                            MakeTraceSourceAccessor(&D::m_sniffer),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PromiscSniffer",
                            "A frame as a promiscuous packet sniffer sees it.",
                            MakeTraceSourceAccessor(&D::m_promiscSniffer),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("Collision",
                            "An attempt to send a frame has ended in a collision.",
                            MakeTraceSourceAccessor(&D::m_collisionTrace),
                            "ns3::ethernet::EthernetNetDevice::CollisionCallback");
    return tid;
}

} // namespace ethernet
} // namespace ns3
