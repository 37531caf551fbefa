/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-loopback-network.h"

#include "ns3/messaging-attributes.h"
#include "ns3/messaging-loopback-port.h"

namespace ns3
{
namespace messaging
{

NS_OBJECT_ENSURE_REGISTERED(LoopbackNetwork);

TypeId
LoopbackNetwork::GetTypeId()
{
    static TypeId tid =
        Attributes<LoopbackNetwork>(
            SetSummary(TypeId("ns3::messaging::LoopbackNetwork"),
                       "A fixed latency between all peers, as between processes of one machine.")
                .SetParent<Network>()
                .SetGroupName("Messaging")
                .AddConstructor<LoopbackNetwork>())
            .AddAttribute("Latency",
                          "Latency of a frame from peer to peer [s; measured between two processes "
                          "over UDP].",
                          &LoopbackNetwork::m_latency,
                          MicroSeconds(30),
                          NanoSeconds(1));
    return tid;
}

PortInfo
LoopbackNetwork::GetInfo() const
{
    return PortInfo{.mtu = MTU, .broadcast = true, .ordered = true, .lossless = true};
}

void
LoopbackNetwork::DoBuild(uint32_t peers)
{
    const auto clock = CreateObject<TickClock>();
    const LoopbackOptions options{.latency = static_cast<Ticks>(m_latency.GetNanoSeconds()),
                                  .mtu = MTU,
                                  .halved = true};
    SetPort(clock, MakeAnyPort(ns3::Create<LoopbackPort>(clock, peers, options)));
}

} // namespace messaging
} // namespace ns3
