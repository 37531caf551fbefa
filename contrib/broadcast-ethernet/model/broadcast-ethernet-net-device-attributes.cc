/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "broadcast-ethernet-net-device.h"

#include "ns3/boolean.h"
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
            .SetParent<messaging::PlainNetDevice>()
            .SetGroupName("BroadcastEthernet")
            .AddConstructor<EthernetNetDevice>()
            .AddAttribute(
                "Mtu",
                "Largest packet without its Ethernet header [bytes; IEEE 802.3, 3.2.7].",
                UintegerValue(MAX_FRAME_BYTES - HEADER_BYTES - FCS_BYTES),
                MakeUintegerAccessor(&PlainNetDevice::SetMtu, &PlainNetDevice::GetMtu),
                MakeUintegerChecker<uint16_t>(68, MAX_FRAME_BYTES - HEADER_BYTES - FCS_BYTES))
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
            .AddTraceSource("Collision",
                            "An attempt to send a frame has ended in a collision.",
                            MakeTraceSourceAccessor(&D::m_collisionTrace),
                            "ns3::ethernet::EthernetNetDevice::CollisionTracedCallback");
    return tid;
}

} // namespace ethernet
} // namespace ns3
