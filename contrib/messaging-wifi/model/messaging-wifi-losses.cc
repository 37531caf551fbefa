/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-wifi-losses.h"

#include "ns3/log.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"
#include "ns3/wifi-net-device.h"
#include "ns3/wifi-phy-state-helper.h"
#include "ns3/wifi-phy.h"

#include <utility>

namespace ns3
{
namespace messaging_wifi
{

NS_LOG_COMPONENT_DEFINE("MessagingWifiLosses");
NS_OBJECT_ENSURE_REGISTERED(ReportingScheduler);

namespace
{

/** Longer than the propagation over the largest cell, and shorter than a DIFS [us]. */
constexpr int64_t PROPAGATION_US = 20;

} // namespace

TypeId
ReportingScheduler::GetTypeId()
{
    static TypeId tid = TypeId("ns3::messaging_wifi::ReportingScheduler")
                            .SetParent<FcfsWifiQueueScheduler>()
                            .SetGroupName("MessagingWifi")
                            .AddConstructor<ReportingScheduler>();
    return tid;
}

WifiLosses::WifiLosses(const NetDeviceContainer& devices, Sink sink)
    : m_devices(devices),
      m_sink(std::move(sink))
{
}

void
WifiLosses::Start()
{
    const Ptr<WifiLosses> self(this);
    for (auto at = m_devices.Begin(); at != m_devices.End(); ++at)
    {
        const auto device = DynamicCast<WifiNetDevice>(*at);
        const Mac48Address station = Mac48Address::ConvertFrom(device->GetAddress());
        device->GetMac()->TraceConnectWithoutContext("DroppedMpdu",
                                                     MakeCallback(&WifiLosses::OnDrop, self));
        device->GetPhy()->TraceConnectWithoutContext("PhyTxEnd",
                                                     MakeCallback(&WifiLosses::OnSent, self));
        device->GetPhy()->GetState()->TraceConnectWithoutContext(
            "RxOk",
            MakeCallback(&WifiLosses::OnReceived, self, station));
    }
}

void
WifiLosses::Report(const std::string& place, uint64_t copies) const
{
    if (m_sink && copies > 0)
    {
        m_sink(place, copies);
    }
}

void
WifiLosses::OnDrop(WifiMacDropReason reason, Ptr<const WifiMpdu> frame)
{
    const WifiMacHeader& header = frame->GetHeader();
    if (!header.IsData() || !m_sink)
    {
        return;
    }
    NS_LOG_INFO("Station " << header.GetAddr2() << " gives up frame " << header.GetSequenceNumber()
                           << " to " << header.GetAddr1());
    if (header.GetAddr1().IsGroup())
    {
        // It has not left: a frame to the group is sent once.
        Report("transmit queue of a wifi station", m_devices.GetN() - 1);
        return;
    }
    const auto last = m_last.find({header.GetAddr2(), header.GetAddr1()});
    const bool arrived = frame->HasSeqNoAssigned() && last != m_last.end() &&
                         last->second == header.GetSequenceNumber();
    if (!arrived)
    {
        const bool sent = reason == WIFI_MAC_DROP_REACHED_RETRY_LIMIT;
        Report(sent ? "retry limit of a wifi station" : "transmit queue of a wifi station", 1);
    }
}

void
WifiLosses::OnSent(Ptr<const Packet> packet)
{
    WifiMacHeader header;
    packet->PeekHeader(header);
    if (header.IsData() && header.GetAddr1().IsGroup())
    {
        Simulator::Schedule(MicroSeconds(PROPAGATION_US),
                            &WifiLosses::CheckGroup,
                            Ptr<WifiLosses>(this),
                            FrameKey{header.GetAddr2(), header.GetSequenceNumber()});
    }
}

void
WifiLosses::OnReceived(Mac48Address station,
                       Ptr<const Packet> packet,
                       double,
                       WifiMode,
                       WifiPreamble)
{
    WifiMacHeader header;
    packet->PeekHeader(header);
    if (!header.IsData())
    {
        return;
    }
    if (header.GetAddr1().IsGroup())
    {
        ++m_arrived[{header.GetAddr2(), header.GetSequenceNumber()}];
    }
    else if (header.GetAddr1() == station)
    {
        m_last[{header.GetAddr2(), station}] = header.GetSequenceNumber();
    }
}

void
WifiLosses::CheckGroup(FrameKey frame)
{
    if (!m_sink)
    {
        return;
    }
    const uint64_t receivers = m_devices.GetN() - 1;
    const auto node = m_arrived.extract(frame);
    const uint64_t arrived = node.empty() ? 0 : node.mapped();
    NS_LOG_INFO("Frame " << frame.second << " of station " << frame.first << " to all has reached "
                         << arrived << " of " << receivers << " stations");
    Report("radio channel", receivers - arrived);
}

} // namespace messaging_wifi
} // namespace ns3
