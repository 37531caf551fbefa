/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "broadcast-ethernet-networks.h"

#include "broadcast-ethernet-helper.h"

#include "ns3/abort.h"
#include "ns3/broadcast-ethernet-net-device.h"
#include "ns3/log.h"
#include "ns3/messaging-attribute-text.h"
#include "ns3/messaging-attributes.h"
#include "ns3/messaging-forwarded-attributes.h"
#include "ns3/messaging-frame-header.h"
#include "ns3/messaging-row-table.h"
#include "ns3/messaging-text-file.h"
#include "ns3/messaging-text.h"
#include "ns3/messaging-tick-clock.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <tuple>
#include <utility>

namespace ns3
{
namespace ethernet
{

NS_LOG_COMPONENT_DEFINE("BroadcastEthernetNetworks");
NS_OBJECT_ENSURE_REGISTERED(SegmentNetwork);
NS_OBJECT_ENSURE_REGISTERED(SwitchNetwork);

messaging::PortInfo
EthernetNetwork::GetInfo() const
{
    constexpr uint32_t PACKET = MAX_FRAME_BYTES - HEADER_BYTES - FCS_BYTES;
    return {.mtu = PACKET - messaging::FrameHeader::SIZE,
            .broadcast = true,
            .ordered = true,
            .rate = messaging::TickClock::GetBytesPerTick(GetDataRate().GetBitRate())};
}

int64_t
EthernetNetwork::AssignStreams(int64_t stream)
{
    return EthernetHelper::AssignStreams(GetDevices(), stream);
}

TypeId
SegmentNetwork::GetTypeId()
{
    static TypeId tid = messaging::Attributes<SegmentNetwork>(
                            messaging::SetSummary(TypeId("ns3::ethernet::SegmentNetwork")
                                                      .SetParent<Network>()
                                                      .SetGroupName("BroadcastEthernet")
                                                      .AddConstructor<SegmentNetwork>(),
                                                  "Shared Ethernet segment with CSMA/CD."))
                            .Forward<&SegmentNetwork::m_parameters>();
    return tid;
}

SegmentNetwork::SegmentNetwork()
    : m_parameters(CreateObject<EthernetSegment>())
{
}

DataRate
SegmentNetwork::GetDataRate() const
{
    return m_parameters->GetDataRate();
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

std::vector<messaging::NamedTable>
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
    // There are no counts if nothing was sent.
    messaging::RowTable efforts(std::max<std::size_t>(counters.sentAfter.size(), 1) - 1);
    efforts.Add("attempts", "", [](std::size_t n) { return n + 1; });
    efforts.Add("frames", "frames", [&](std::size_t n) { return counters.sentAfter[n + 1]; });

    const double seconds = Simulator::Now().GetSeconds();
    const auto rate = static_cast<double>(segment->GetDataRate().GetBitRate());
    const auto share = [=](double bits) { return seconds > 0 ? bits / (seconds * rate) : 0; };
    const double bits = 8 * static_cast<double>(counters.sentBytes);
    const double wire = bits + static_cast<double>(counters.sent) * (PREAMBLE_BITS + GAP_BITS);
    const auto use = CreateObject<messaging::Table>();
    use->AddColumn("utilisation", "fraction", std::vector<double>{share(bits)});
    use->AddColumn("occupancy", "fraction", std::vector<double>{share(wire)});
    return {{"Stations", stations.Get()}, {"Attempts", efforts.Get()}, {"Use", use}};
}

Ptr<messaging::Table>
MakePortTable(Ptr<const EthernetSwitch> lan)
{
    using Counters = SwitchPortCounters;
    constexpr std::array<std::tuple<const char*, const char*, uint64_t Counters::*>, 11> COLUMNS{
        {{"framesIn", "frames", &Counters::framesIn},
         {"bytesIn", "bytes", &Counters::bytesIn},
         {"filtered", "frames", &Counters::filtered},
         {"flooded", "frames", &Counters::flooded},
         {"unlearned", "frames", &Counters::unlearned},
         {"offered", "frames", &Counters::offered},
         {"framesOut", "frames", &Counters::framesOut},
         {"bytesOut", "bytes", &Counters::bytesOut},
         {"pausesSent", "frames", &Counters::pausesSent},
         {"pausesReceived", "frames", &Counters::pausesReceived},
         {"peak", "buffer units", &Counters::peak}}};
    using Place = std::pair<uint32_t, uint32_t>;
    std::vector<Place> places;
    for (uint32_t number = 0; number < lan->GetLan().size(); ++number)
    {
        for (uint32_t port = 0; port < lan->GetLan()[number]->GetNPorts(); ++port)
        {
            places.emplace_back(number, port);
        }
    }
    const auto member = [&](const Place& place) { return lan->GetLan()[place.first]; };
    messaging::RowTable table(places);
    table.Add("switch", "", &Place::first);
    table.Add("port", "", &Place::second);
    table.Add("rate", "Mbit/s", [&](const Place& place) {
        return member(place)->GetDataRate(place.second).GetBitRate() / 1000000;
    });
    for (const auto& [name, unit, count] : COLUMNS)
    {
        table.Add(name, unit, [&, count = count](const Place& place) {
            return member(place)->GetCounters(place.second).*count;
        });
    }
    for (std::size_t reason = 0; reason < Counters().drops.size(); ++reason)
    {
        std::ostringstream name;
        name << "drop " << static_cast<SwitchDrop>(reason);
        table.Add(name.str(), "frames", [&](const Place& place) {
            return member(place)->GetCounters(place.second).drops[reason];
        });
    }
    table.Add("lost on cable", "frames", [&](const Place& place) {
        return member(place)->GetNCableLosses(place.second);
    });
    return table.Get();
}

TypeId
SwitchNetwork::GetTypeId()
{
    using N = SwitchNetwork;
    static TypeId tid =
        messaging::Attributes<N>(
            messaging::SetSummary(TypeId("ns3::ethernet::SwitchNetwork")
                                      .SetParent<Network>()
                                      .SetGroupName("BroadcastEthernet")
                                      .AddConstructor<N>(),
                                  "Store-and-forward Ethernet switch with hardware "
                                  "broadcast and finite port buffers."))
            .AddAttribute("Switches",
                          "Number of switches, to which nodes are attached in turn; several are "
                          "the leaves of a tree under another switch [switches; default].",
                          &N::m_switches,
                          1,
                          1,
                          256)
            .AddAttribute("TrunkRate",
                          "Rate of the links between switches: 10Mbps, 100Mbps or 1000Mbps [bit/s; "
                          "default].",
                          &N::m_trunkRate,
                          DataRate("1000Mbps"))
            .AddAttribute("Failures",
                          "Cuts and repairs of cables at given times, of a node or between a leaf "
                          "switch and the root, as in \"1ms down 3; 5ms up 3; 2ms down switch 0\" "
                          "[-; fault].",
                          &N::m_failures,
                          "")
            .Forward<&N::m_parameters>();
    return tid;
}

SwitchNetwork::SwitchNetwork()
    : m_parameters(CreateObject<EthernetSwitch>())
{
}

DataRate
SwitchNetwork::GetDataRate() const
{
    return m_parameters->GetDataRate();
}

std::string
SwitchNetwork::Check(uint32_t peers) const
{
    if (const std::string error = m_parameters->Check(); !error.empty())
    {
        return error;
    }
    if (m_switches > peers)
    {
        return "Switches has to be at most the number of nodes.";
    }
    if (const std::string error = CheckLinkRate(m_trunkRate); !error.empty())
    {
        return error;
    }
    std::vector<CableChange> changes;
    return ReadFailures(peers, changes);
}

std::string
SwitchNetwork::ReadFailures(uint32_t peers, std::vector<CableChange>& changes) const
{
    std::istringstream entries(m_failures);
    for (std::string entry; std::getline(entries, entry, ';');)
    {
        std::vector<std::string> words = messaging::SplitWords(entry);
        if (words.empty())
        {
            continue;
        }
        CableChange change;
        change.trunk = words.size() == 4 && words[2] == "switch";
        if (change.trunk)
        {
            words.erase(words.begin() + 2);
        }
        const bool timed = words.size() == 3 &&
                           messaging::IsWellFormed(words[0], *MakeTimeChecker()) &&
                           !Time(words[0]).IsStrictlyNegative();
        if (!timed || (words[1] != "up" && words[1] != "down"))
        {
            return "Failures has \"" + entry +
                   "\"; each change has to be TIME up or down, and NODE or switch NUMBER.";
        }
        const uint32_t limit = change.trunk ? m_switches : peers;
        const bool exists = messaging::ReadNumber(words[2], 0, limit - 1, change.number);
        if (!exists || (change.trunk && m_switches == 1))
        {
            return "Failures has \"" + entry + "\", but there is no such cable.";
        }
        change.when = Time(words[0]);
        change.up = words[1] == "up";
        changes.push_back(change);
    }
    return "";
}

void
SwitchNetwork::Apply(const CableChange& change)
{
    if (m_built.empty())
    {
        return; // The network is disposed of.
    }
    NS_LOG_INFO("The cable of " << (change.trunk ? "switch " : "node ") << change.number
                                << (change.up ? " is repaired" : " is cut"));
    if (change.trunk)
    {
        const Ptr<EthernetSwitch> root = m_built.back();
        root->SetLinkUp(root->FindTrunk(m_built[change.number]), change.up);
        return;
    }
    const Ptr<EthernetSwitch> leaf = m_built[change.number % m_switches];
    leaf->SetLinkUp(leaf->FindPort(GetDevices().Get(change.number)), change.up);
}

NetDeviceContainer
SwitchNetwork::DoInstall(const NodeContainer& nodes)
{
    const auto make = [this] {
        m_built.push_back(CreateObject<EthernetSwitch>());
        messaging::CopyAttributes(m_parameters, m_built.back());
        return m_built.back();
    };
    while (m_built.size() < m_switches)
    {
        make();
    }
    if (m_switches > 1)
    {
        const auto root = make();
        root->SetAttribute("DataRate", DataRateValue(m_trunkRate));
        for (uint32_t leaf = 0; leaf < m_switches; ++leaf)
        {
            const std::string error = root->Connect(m_built[leaf]);
            NS_ABORT_MSG_UNLESS(error.empty(), error);
        }
    }
    NetDeviceContainer devices;
    for (uint32_t n = 0; n < nodes.GetN(); ++n)
    {
        devices.Add(EthernetHelper().Install(nodes.Get(n), m_built[n % m_switches]));
    }
    for (uint32_t number = 0; number < m_built.size(); ++number)
    {
        m_built[number]->TraceConnectWithoutContext(
            "Drop",
            MakeCallback(&SwitchNetwork::OnDrop, this, number));
        m_built[number]->TraceConnectWithoutContext(
            "CableLoss",
            MakeCallback(&SwitchNetwork::OnCableLoss, this, number));
    }
    std::vector<CableChange> changes;
    const std::string error = ReadFailures(nodes.GetN(), changes);
    NS_ABORT_MSG_UNLESS(error.empty(), error);
    for (const CableChange& change : changes)
    {
        Simulator::Schedule(change.when, &SwitchNetwork::Apply, Ptr<SwitchNetwork>(this), change);
    }
    return devices;
}

void
SwitchNetwork::DoDispose()
{
    for (uint32_t number = 0; number < m_built.size(); ++number)
    {
        m_built[number]->TraceDisconnectWithoutContext(
            "Drop",
            MakeCallback(&SwitchNetwork::OnDrop, this, number));
        m_built[number]->TraceDisconnectWithoutContext(
            "CableLoss",
            MakeCallback(&SwitchNetwork::OnCableLoss, this, number));
    }
    m_built.clear();
    Network::DoDispose();
}

void
SwitchNetwork::OnDrop(uint32_t number, Ptr<const WireFrame> frame, uint32_t port, SwitchDrop reason)
{
    // A flooded copy that leads away from its receiver is no loss.
    const uint64_t copies = m_built[number]->CountReceivers(port, *frame);
    if (copies > 0)
    {
        NS_LOG_INFO("Switch " << number << " loses a frame to " << frame->GetTo() << " for "
                              << copies << " receivers: " << reason);
        Lose(messaging::ToText("switch ", number, " port ", port, ": ", reason), copies);
    }
}

void
SwitchNetwork::OnCableLoss(uint32_t number, Ptr<const WireFrame> frame, uint32_t port)
{
    const uint64_t receivers = frame->IsGroup() ? GetDevices().GetN() - 1 : 1;
    Lose(messaging::ToText("switch ", number, " port ", port, ": cable"), receivers);
}

std::vector<messaging::NamedTable>
SwitchNetwork::GetTables() const
{
    return {{"Ports", MakePortTable(m_built.front())}};
}

} // namespace ethernet
} // namespace ns3
