/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "broadcast-ethernet-segment-network.h"

#include "broadcast-ethernet-helper.h"

#include "ns3/broadcast-ethernet-net-device.h"
#include "ns3/messaging-forwarded-attributes.h"
#include "ns3/messaging-frame-header.h"
#include "ns3/messaging-row-table.h"
#include "ns3/simulator.h"

#include <array>

namespace ns3
{
namespace ethernet
{

NS_OBJECT_ENSURE_REGISTERED(SegmentNetwork);

using messaging::Table;

TypeId
SegmentNetwork::GetTypeId()
{
    static TypeId tid = [] {
        TypeId type = messaging::SetSummary(TypeId("ns3::ethernet::SegmentNetwork")
                                                .SetParent<Network>()
                                                .SetGroupName("BroadcastEthernet")
                                                .AddConstructor<SegmentNetwork>(),
                                            "Shared Ethernet segment with CSMA/CD.");
        messaging::ForwardAttributes<&SegmentNetwork::m_parameters>(type);
        return type;
    }();
    return tid;
}

SegmentNetwork::SegmentNetwork()
    : m_parameters(CreateObject<EthernetSegment>())
{
}

messaging::PortInfo
SegmentNetwork::Describe() const
{
    constexpr uint32_t PACKET = MAX_FRAME_BYTES - HEADER_BYTES - FCS_BYTES;
    return {.mtu = PACKET - messaging::FrameHeader::SIZE, .broadcast = true, .ordered = true};
}

std::string
SegmentNetwork::Check(uint32_t peers) const
{
    const DataRate rate = m_parameters->GetDataRate();
    if (rate < DataRate("1Mbps") || rate > DataRate("100Mbps"))
    {
        return "DataRate has to be from 1Mbps to 100Mbps: faster Ethernet has no collisions here.";
    }
    return peers <= 1024 ? "" : "A segment has at most 1024 stations.";
}

NetDeviceContainer
SegmentNetwork::DoInstall(const NodeContainer& nodes)
{
    const auto segment = CreateObject<EthernetSegment>();
    messaging::CopyAttributes(m_parameters, segment);
    return EthernetHelper().Install(nodes, segment);
}

int64_t
SegmentNetwork::AssignStreams(int64_t stream)
{
    return EthernetHelper::AssignStreams(GetDevices(), stream);
}

std::vector<messaging::Network::NamedTable>
SegmentNetwork::GetTables() const
{
    using Counters = EthernetNetDevice::Counters;
    constexpr std::array<std::pair<const char*, uint64_t Counters::*>, 7> COLUMNS{
        {{"sent", &Counters::sent},
         {"received", &Counters::received},
         {"collisions", &Counters::collisions},
         {"drop excessive-collisions", &Counters::excessiveCollisions},
         {"drop late-collision", &Counters::lateCollisions},
         {"drop damaged", &Counters::damaged},
         {"drop transmit-ring", &Counters::txRingDrops}}};
    messaging::RowTable stations(GetDevices().GetN());
    stations.Add("station", "", [](uint32_t n) { return n; });
    for (const auto& [name, member] : COLUMNS)
    {
        stations.Add(name, "frames", [this, member = member](uint32_t n) {
            return DynamicCast<EthernetNetDevice>(GetDevices().Get(n))->GetCounters().*member;
        });
    }

    const auto segment = EthernetHelper::GetSegment(GetDevices());
    const auto& counters = segment->GetCounters();
    messaging::RowTable efforts(counters.sentAfter.size() - 1);
    efforts.Add("attempts", "", [](std::size_t n) { return n + 1; });
    efforts.Add("frames", "frames", [&](std::size_t n) { return counters.sentAfter[n + 1]; });

    const double seconds = Simulator::Now().GetSeconds();
    const auto rate = static_cast<double>(segment->GetDataRate().GetBitRate());
    const auto share = [=](double bits) { return seconds > 0 ? bits / (seconds * rate) : 0; };
    const double bits = 8 * static_cast<double>(counters.sentBytes);
    const double wire = bits + static_cast<double>(counters.sent) * (PREAMBLE_BITS + GAP_BITS);
    const auto use = CreateObject<Table>();
    use->AddColumn("utilisation", "fraction", std::vector<double>{share(bits)});
    use->AddColumn("occupancy", "fraction", std::vector<double>{share(wire)});
    return {{"Stations", stations.Get()}, {"Attempts", efforts.Get()}, {"Use", use}};
}

} // namespace ethernet
} // namespace ns3
