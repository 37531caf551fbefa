/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ethernet-fabric-port.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/messaging-row-table.h"

#include <algorithm>
#include <vector>

namespace ns3
{
namespace fabric
{

NS_LOG_COMPONENT_DEFINE("EthernetFabricPort");

namespace
{

constexpr uint32_t CHECKSUM = 4; ///< Checksum of an Ethernet frame [bytes; IEEE 802.3].

} // namespace

FabricPort::FabricPort(const FabricConfig& config, uint32_t hosts, Ptr<FabricTraces> traces)
    : m_engine(config, hosts),
      m_traces(traces),
      m_info(config.GetInfo(hosts)),
      m_overhead(config.overhead)
{
}

void
FabricPort::SetClock(Ptr<messaging::TickClock> clock)
{
    m_perTick = static_cast<Instant>(clock->GetTickLength().GetPicoSeconds());
    m_engine.Start(clock, this);
}

Ticks
FabricPort::Distance(Peer self, Peer to) const
{
    if (self == to)
    {
        return 1;
    }
    const Instant whole = m_engine.GetIdleLatency(self, to, LEAST_FRAME);
    return ToTicks(whole - std::min(whole, m_engine.GetWireTime(LEAST_FRAME)));
}

Ticks
FabricPort::WireTicks(const Frame& frame) const
{
    return ToTicks(m_engine.GetWireTime(GetBytes(frame)));
}

Ticks
FabricPort::GetRoundTrip(const Frame& request, const Frame& answer) const
{
    const Peer last = GetNPeers() - 1;
    if (last == 0)
    {
        return 1;
    }
    return ToTicks(m_engine.GetIdleLatency(0, last, GetBytes(request)) +
                   m_engine.GetIdleLatency(last, 0, GetBytes(answer)));
}

void
FabricPort::CarryPackets()
{
    m_overhead = CHECKSUM;
}

bool
FabricPort::Send(Peer self, Peer to, const Frame& frame)
{
    NS_ABORT_MSG_IF(frame.header + frame.payload > m_info.mtu,
                    "A frame of " << frame.header + frame.payload << " bytes is longer than "
                                  << m_info.mtu << ".");
    const Peer end = GetEnd(self, frame);
    if (!m_engine.HasRoom(end))
    {
        return false;
    }
    NS_LOG_LOGIC("host " << self << " sends " << frame.payload << " bytes to " << to);
    m_engine.FollowHops(!m_traces->hop.IsEmpty());
    m_engine.Send(end, GetEnd(to, frame), frame, GetBytes(frame));
    return true;
}

void
FabricPort::OnArrival(Peer to, Peer from, const Frame& frame)
{
    if (m_user)
    {
        m_user->OnFrame(to % GetNPeers(), from % GetNPeers(), frame);
    }
}

void
FabricPort::OnRoom(Peer host)
{
    if (m_user)
    {
        m_user->OnReady(host % GetNPeers());
    }
}

void
FabricPort::OnLoss(const LossEvent& loss, const Frame& frame)
{
    LossEvent lost = loss;
    lost.from %= GetNPeers();
    lost.to %= GetNPeers();
    m_traces->drop(lost, frame);
}

void
FabricPort::OnPause(const PauseEvent& pause)
{
    m_traces->pause(pause);
}

void
FabricPort::OnHop(const HopEvent& hop, const Frame& frame)
{
    HopEvent crossed = hop;
    crossed.sender %= GetNPeers();
    crossed.receiver %= GetNPeers();
    m_traces->hop(crossed, frame);
}

Ptr<messaging::Table>
FabricPort::MakePortTable()
{
    std::vector<PortCounters> rows;
    for (PortId port = 0; port < m_engine.GetTopology().GetNPorts(); ++port)
    {
        rows.push_back(m_engine.GetPortCounters(port));
    }
    PortId number = 0;
    messaging::RowTable table(rows);
    table
        .Add("port",
             "",
             [&](const PortCounters&) { return m_engine.GetTopology().GetPortName(number++); })
        .Add("frames", "frames", &PortCounters::frames)
        .Add("bytes", "bytes", &PortCounters::bytes)
        .Add("drops", "frames", &PortCounters::drops)
        .Add("marks", "frames", &PortCounters::marks)
        .Add("trims", "frames", &PortCounters::trims)
        .Add("longestQueue", "bytes", &PortCounters::peak)
        .Add("pausesSent", "", &PortCounters::pausesSent)
        .Add("pausesReceived", "", &PortCounters::pausesReceived)
        .Add("pausesLost", "", &PortCounters::pausesLost)
        .Add("longestInput", "bytes", &PortCounters::inputPeak);
    return table.Get();
}

} // namespace fabric
} // namespace ns3
