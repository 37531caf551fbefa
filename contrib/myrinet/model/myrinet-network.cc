/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "myrinet-network.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/messaging-attributes.h"
#include "ns3/messaging-named-counts.h"
#include "ns3/messaging-row-table.h"
#include "ns3/myrinet-helper.h"

#include <utility>

namespace ns3
{
namespace myrinet
{

NS_LOG_COMPONENT_DEFINE("MyrinetNetwork");
NS_OBJECT_ENSURE_REGISTERED(MyrinetNetwork);

namespace
{

constexpr uint32_t TYPE_CHARS = 2;          ///< Characters of the packet type, after the route.
constexpr uint32_t CRC_CHARS = 1;           ///< Characters of the CRC, at the end.
constexpr uint32_t ALIGNMENT = 8;           ///< Unit of the send engine [bytes; LANai 4].
constexpr uint32_t FIRMWARE = 48 * 1024;    ///< Firmware and its data in the SRAM [bytes].
constexpr uint32_t MOST_BUFFERS = 1U << 20; ///< Limit of buffers and other sizes.

/** @param frame a frame @return characters of its packet without the route */
uint32_t
GetBodyChars(const Frame& frame)
{
    const uint32_t data = TYPE_CHARS + frame.header + frame.payload;
    return (data + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT + CRC_CHARS;
}

} // namespace

TypeId
MyrinetNetwork::GetTypeId()
{
    using messaging::Range;
    static TypeId tid =
        messaging::Attributes<MyrinetNetwork>(
            messaging::SetSummary(
                TypeId("ns3::myrinet::MyrinetNetwork"),
                "Myrinet: source-routed switches, links with STOP/GO flow control.")
                .SetParent<Network>()
                .SetGroupName("Myrinet")
                .AddConstructor<MyrinetNetwork>())
            .In(&MyrinetNetwork::m_topologyConfig)
            .AddAttribute("Topology",
                          "Shape of the network [name; default].",
                          &TopologyConfig::kind,
                          {{TopologyKind::SWITCH, "switch"},
                           {TopologyKind::CLOS, "clos"},
                           {TopologyKind::RING, "ring"},
                           {TopologyKind::GRAPH, "graph"}})
            .AddAttribute("SwitchPorts",
                          "Ports of each switch [ports; M2F-SW8].",
                          &TopologyConfig::switchPorts,
                          Range{2, 128})
            .AddAttribute("Switches",
                          "Switches of topology ring [switches; default].",
                          &TopologyConfig::switches,
                          Range{3U, Topology::MAX_HOSTS})
            .AddAttribute("TopologyFile",
                          "File of topology graph; the module's documentation has its format "
                          "[file; default].",
                          &TopologyConfig::file)
            .AddAttribute("Cable",
                          "Length of each cable, unless a file gives another [m; SAN].",
                          &TopologyConfig::cable,
                          Range{0, 10000})
            .AddAttribute("Routes",
                          "Routes of the mapper: up and then down, or the shortest, which can "
                          "deadlock [name; default].",
                          &MyrinetNetwork::m_routeKind,
                          RouteKind::UPDOWN,
                          {{RouteKind::UPDOWN, "updown"}, {RouteKind::SHORTEST, "shortest"}})
            .AddAttribute("Mtu",
                          "Largest frame, its protocol header included: a buffer of 4096 bytes and "
                          "room for a header [bytes; section 3.3].",
                          &MyrinetNetwork::m_mtu,
                          4096 + 64,
                          8,
                          MOST_BUFFERS)
            .AddAttribute("SendQueue",
                          "Capacity of a send engine, including the packet in transmission "
                          "[packets; LANai 4].",
                          &MyrinetNetwork::m_sendQueue,
                          1,
                          1,
                          MOST_BUFFERS)
            .AddAttribute("SendBuffers",
                          "Buffers of an interface's send ring, of Mtu bytes each [buffers; "
                          "default].",
                          &MyrinetNetwork::m_sendBuffers,
                          16,
                          1,
                          MOST_BUFFERS)
            .AddAttribute("Sram",
                          "SRAM of an interface; boards have 256 KiB to 1 MiB [bytes; LANai 4].",
                          &MyrinetNetwork::m_sram,
                          256 * 1024,
                          1,
                          1U << 30)
            .In(&MyrinetNetwork::m_fabricConfig)
            .AddAttribute("ReceiveBuffers",
                          "Buffers of an interface's receive ring, of Mtu bytes each [buffers; "
                          "default].",
                          &FabricConfig::buffers,
                          Range{1U, MOST_BUFFERS})
            .AddAttribute("ReceiveFull",
                          "Fate of a packet without a free receive buffer: it blocks the network, "
                          "or is dropped [name; section 2, item 2].",
                          &FabricConfig::receiveFull,
                          {{ReceiveFull::BLOCK, "block"}, {ReceiveFull::DROP, "drop"}})
            .AddAttribute("LinkRate",
                          "Data rate of each direction of a link [DataRate; first generation].",
                          &FabricConfig::linkRate)
            .AddAttribute("FallThrough",
                          "Delay of a head in a switch whose output is free; 100 to 150 ns "
                          "[Time; general knowledge].",
                          &FabricConfig::fallThrough,
                          Range{NanoSeconds(1), Seconds(1)})
            .AddAttribute("Arbitration",
                          "Policy for an output of a switch that several packets wait for [name; "
                          "default].",
                          &FabricConfig::arbitration,
                          {{Arbitration::FIRST_COME, "first-come"},
                           {Arbitration::ROUND_ROBIN, "round-robin"}})
            .AddAttribute("SlackBuffer",
                          "Size of the slack buffer at the end of each link [characters; published "
                          "simulations].",
                          &FabricConfig::slack,
                          Range{1U, MOST_BUFFERS})
            .AddAttribute("StopLevel",
                          "Level of a slack buffer at which it sends STOP [characters; published "
                          "simulations].",
                          &FabricConfig::stop,
                          Range{2U, MOST_BUFFERS})
            .AddAttribute("GoLevel",
                          "Level of a slack buffer at which it sends GO after STOP [characters; "
                          "published simulations].",
                          &FabricConfig::go,
                          Range{0U, MOST_BUFFERS})
            .AddAttribute("Corruption",
                          "Probability that a link corrupts a character [probability; section 2, "
                          "item 1].",
                          &FabricConfig::corruption,
                          Range{0.0, 0.1})
            .AddAttribute("CrcMiss",
                          "Probability that a corrupted packet passes the CRC-8; 1/256 for random "
                          "errors of many bits, none for a single burst of up to 8 bits "
                          "[probability; section 2, item 1].",
                          &FabricConfig::crcMiss,
                          Range{0, 1})
            .AddAttribute("Timeout",
                          "Longest wait of a packet before it is discarded and NRES is set: "
                          "62.5 ms to 4 s, or 0 for no limit [Time; section 2, item 3].",
                          &FabricConfig::timeout,
                          Range{Time(0), Seconds(4)})
            .AddAttribute("Overwrite",
                          "Probability that a packet left pending by a receiver is lost when "
                          "another one reaches it [probability; section 2, item 4].",
                          &FabricConfig::overwrite,
                          Range{0, 1})
            .AddAttribute("OverwriteDamage",
                          "Share of such packets that are corrupted rather than lost "
                          "[fraction; section 2, item 4].",
                          &FabricConfig::overwriteDamage,
                          Range{0, 1})
            .AddAttribute("StallRate",
                          "Rate of stalls of each receiver, at random times [1/s; section 2, item "
                          "4].",
                          &FabricConfig::stallRate,
                          Range{0.0, 1e9})
            .AddAttribute("StallLength",
                          "Length of a stall of a receiver [Time; default].",
                          &FabricConfig::stallLength,
                          Range{NanoSeconds(1), Seconds(100)})
            .AddTraceSource("Sent",
                            "The last character of a packet has left its host.",
                            MakeTraceSourceAccessor(&MyrinetNetwork::m_sentTrace),
                            "ns3::myrinet::MyrinetNetwork::PacketTracedCallback")
            .AddTraceSource("Delivery",
                            "A packet is in its receiver's buffer and its CRC is good.",
                            MakeTraceSourceAccessor(&MyrinetNetwork::m_deliveryTrace),
                            "ns3::myrinet::MyrinetNetwork::PacketTracedCallback")
            .AddTraceSource("Drop",
                            "A packet was lost, for one of the reasons of section 2.",
                            MakeTraceSourceAccessor(&MyrinetNetwork::m_dropTrace),
                            "ns3::myrinet::MyrinetNetwork::DropTracedCallback");
    return tid;
}

void
MyrinetNetwork::DoDispose()
{
    m_user = nullptr;
    m_clock = nullptr;
    m_fabric.reset();
    Network::DoDispose();
}

std::string
MyrinetNetwork::Check() const
{
    return Check(m_topologyConfig.kind == TopologyKind::GRAPH ? 0 : m_topologyConfig.nodes);
}

std::string
MyrinetNetwork::Check(uint32_t nodes) const
{
    const uint32_t received = m_fabricConfig.buffers;
    const uint64_t rings = (uint64_t{m_sendBuffers} + received) * m_mtu;
    if (rings + FIRMWARE > m_sram)
    {
        return "The send ring and the receive ring, " + std::to_string(m_sendBuffers) + " and " +
               std::to_string(received) + " buffers of " + std::to_string(m_mtu) +
               " bytes, and the firmware, " + std::to_string(FIRMWARE) +
               " bytes, do not fit into an SRAM of " + std::to_string(m_sram) + " bytes.";
    }
    std::string error;
    TopologyConfig config = m_topologyConfig;
    config.nodes = nodes;
    const auto topology = Topology::Make(config, error);
    if (error.empty() && nodes > 0 && topology.GetNHosts() != nodes)
    {
        error = config.file + " has " + std::to_string(topology.GetNHosts()) + " hosts, not " +
                std::to_string(nodes) + ".";
    }
    return error.empty() ? Fabric::Check(m_fabricConfig, topology.GetLongestCable()) : error;
}

void
MyrinetNetwork::MakeFabric() const
{
    std::string error = Check();
    NS_ABORT_MSG_UNLESS(error.empty(), error);
    m_topology = std::make_unique<Topology>(Topology::Make(m_topologyConfig, error));
    m_routes = std::make_unique<Routes>(*m_topology, m_routeKind);
    m_fabric = std::make_unique<Fabric>(*m_topology, *m_routes, m_fabricConfig);
    m_queued.assign(m_topology->GetNHosts(), 0);
    m_waiting.assign(m_topology->GetNHosts(), 0);
    if (m_stream >= 0)
    {
        m_fabric->AssignStreams(m_stream);
    }
}

void
MyrinetNetwork::SetClock(Ptr<messaging::TickClock> clock)
{
    m_clock = clock;
    m_perTick = static_cast<Instant>(clock->GetTickLength().GetPicoSeconds());
    m_number = clock->Register(this);
}

void
MyrinetNetwork::DoBuild(uint32_t peers)
{
    SetNodes(peers);
    const auto clock = MakeClock();
    SetClock(clock);
    SetPort(clock, messaging::MakeAnyPort(Ptr<MyrinetNetwork>(this)));
}

NetDeviceContainer
MyrinetNetwork::DoInstall(const NodeContainer& nodes)
{
    return MyrinetHelper().Install(nodes, this);
}

std::vector<messaging::NamedTable>
MyrinetNetwork::GetTables() const
{
    return {{"Links", MakeLinkTable()}, {"Counters", MakeCounterTable()}};
}

messaging::PortInfo
MyrinetNetwork::GetInfo() const
{
    const FabricConfig& fabric = m_fabricConfig;
    return {.mtu = m_mtu,
            .ordered = true,
            .lossless = fabric.receiveFull == ReceiveFull::BLOCK && fabric.corruption == 0 &&
                        fabric.timeout.IsZero() && fabric.overwrite == 0,
            .rate = messaging::TickClock::GetBytesPerTick(fabric.linkRate.GetBitRate())};
}

const Topology&
MyrinetNetwork::GetTopology() const
{
    GetFabric();
    return *m_topology;
}

uint32_t
MyrinetNetwork::GetRouteChars(Peer self, Peer to) const
{
    GetFabric();
    return static_cast<uint32_t>(m_routes->Get(self, to).size()) - 1;
}

Ticks
MyrinetNetwork::Distance(Peer self, Peer to) const
{
    return ToTicks(GetFabric().GetIdleLatency(self, to, GetRouteChars(self, to)));
}

Ticks
MyrinetNetwork::WireTicks(const Frame& frame) const
{
    return ToTicks(GetBodyChars(frame) * m_fabricConfig.GetCharacter());
}

Instant
MyrinetNetwork::CatchUp()
{
    const Instant now = m_clock->Now() * m_perTick;
    GetFabric().Advance(now);
    return now;
}

bool
MyrinetNetwork::Send(Peer self, Peer to, const Frame& frame)
{
    NS_ABORT_MSG_IF(frame.header + frame.payload > m_mtu,
                    "A frame of " << frame.header + frame.payload << " bytes is longer than "
                                  << m_mtu << ".");
    const Instant now = CatchUp();
    if (m_queued[self] >= m_sendQueue)
    {
        m_waiting[self] = 1;
        ++m_fabric->GetCounters().refused;
        ScheduleWake();
        return false;
    }
    NS_LOG_LOGIC("host " << self << " sends " << frame.payload << " bytes to " << to);
    ++m_queued[self];
    ++m_fabric->GetCounters().offered;
    const uint32_t chars = GetRouteChars(self, to) + GetBodyChars(frame);
    m_fabric->Inject({.frame = frame, .from = self, .to = to, .chars = chars, .sent = now}, now);
    ScheduleWake();
    return true;
}

void
MyrinetNetwork::Release(Peer self)
{
    m_fabric->Release(self, CatchUp());
    ScheduleWake();
}

void
MyrinetNetwork::SetAccepting(Peer self, bool accepting)
{
    const Instant now = CatchUp();
    m_fabric->SetAccepting(self, accepting, now);
    ScheduleWake();
}

void
MyrinetNetwork::ScheduleWake()
{
    if (m_notifying)
    {
        return;
    }
    Ticks next = messaging::NEVER;
    if (!m_fabric->GetNotices().empty())
    {
        next = m_clock->Now();
    }
    else if (const Instant wake = m_fabric->GetNextWake(); wake != NEVER)
    {
        next = ToTicks(wake);
    }
    if (next < m_wakeAt)
    {
        m_wakeAt = next;
        m_clock->At(next, m_number, 0, 0);
    }
}

void
MyrinetNetwork::OnTick(Peer, uint64_t)
{
    if (m_clock->Now() >= m_wakeAt)
    {
        m_wakeAt = messaging::NEVER;
    }
    CatchUp();
    Notify();
    ScheduleWake();
}

void
MyrinetNetwork::Notify()
{
    m_notifying = true;
    while (!m_fabric->GetNotices().empty())
    {
        m_notices.clear();
        std::swap(m_notices, m_fabric->GetNotices());
        for (const Notice& notice : m_notices)
        {
            OnNotice(notice);
        }
    }
    m_notifying = false;
}

void
MyrinetNetwork::OnNotice(const Notice& notice)
{
    static const auto PLACES = messaging::NameAll<DropReason, N_DROP_REASONS>("Myrinet: ");
    switch (notice.kind)
    {
    case Notice::Kind::SENT: {
        const Peer self = notice.packet.from;
        m_sentTrace(notice.packet);
        --m_queued[self];
        if (m_waiting[self])
        {
            m_waiting[self] = 0;
            if (m_user)
            {
                m_user->OnReady(self);
            }
        }
        break;
    }
    case Notice::Kind::DELIVERED: {
        const Peer self = notice.packet.to;
        m_deliveryTrace(notice.packet);
        if (m_user)
        {
            Frame frame = notice.packet.frame;
            if (notice.packet.corrupt)
            {
                // A corrupted packet that passed the CRC has wrong contents or, without contents, a
                // wrong header.
                uint64_t& wrong = frame.payload > 0 ? frame.contents : frame.id;
                wrong = ~wrong;
            }
            m_user->OnFrame(self, notice.packet.from, frame);
        }
        if (!m_retain || !m_user)
        {
            m_fabric->Release(self, CatchUp());
        }
        break;
    }
    case Notice::Kind::DROPPED:
        NS_LOG_LOGIC("a packet of host " << notice.packet.from << " to " << notice.packet.to
                                         << " was lost: " << notice.reason);
        m_dropTrace(notice.packet, notice.reason, notice.channel, notice.when);
        Lose(PLACES[static_cast<std::size_t>(notice.reason)], 1);
        break;
    }
}

std::string
MyrinetNetwork::FindDeadlock() const
{
    std::string text;
    for (const ChannelId channel : GetFabric().FindDeadlock())
    {
        text += (text.empty() ? "" : ", ") + m_topology->GetChannelName(channel);
    }
    return text;
}

int64_t
MyrinetNetwork::AssignStreams(int64_t stream)
{
    m_stream = stream;
    return m_fabric ? m_fabric->AssignStreams(stream) : 4;
}

Ptr<messaging::Table>
MyrinetNetwork::MakeLinkTable() const
{
    const Fabric& fabric = GetFabric();
    const Instant now = m_clock ? m_clock->Now() * m_perTick : 0;
    const auto character = static_cast<double>(m_fabricConfig.GetCharacter());
    messaging::RowTable table(static_cast<ChannelId>(m_topology->GetChannels().size()));
    const auto count = [&](const char* name, const char* unit, auto ChannelUse::* member) {
        table.Add(name, unit, [&](ChannelId channel) { return fabric.GetUse(channel).*member; });
    };
    table.Add("link", "", [this](ChannelId channel) {
        return m_topology->GetChannelName(channel);
    });
    count("packets", "", &ChannelUse::packets);
    count("characters", "", &ChannelUse::chars);
    table.Add("utilization", "fraction", [&](ChannelId channel) {
        const auto chars = static_cast<double>(fabric.GetUse(channel).chars);
        return now ? chars * character / static_cast<double>(now) : 0.0;
    });
    count("stops", "", &ChannelUse::stops);
    count("errors", "", &ChannelUse::errors);
    count("lost", "packets", &ChannelUse::drops);
    table.Add("blocked", "us", [&](ChannelId channel) {
        return static_cast<double>(fabric.GetUse(channel).blocked) / 1e6;
    });
    count("fullest", "characters", &ChannelUse::fullest);
    return table.Get();
}

Ptr<messaging::Table>
MyrinetNetwork::MakeCounterTable() const
{
    const Counters& c = GetCounters();
    using Row = std::pair<std::string, uint64_t>;
    const std::vector<Row> rows{{"offered", c.offered},
                                {"refused", c.refused},
                                {"delivered", c.delivered},
                                {"in flight", GetFabric().GetNInFlight()},
                                {"corrupted on a link", c.corrupted},
                                {"corrupted and not noticed", c.undetected},
                                {"NRES bits", c.nresBits},
                                {"came up behind a pending packet", c.pending},
                                {"pending packets damaged", c.damaged},
                                {"hops", c.hops},
                                {"blocks", c.blocks},
                                {"STOPs", c.stops},
                                {"GOs", c.gos}};
    return messaging::RowTable(rows)
        .Add("counter", "", &Row::first)
        .Add("count", "", &Row::second)
        .Get();
}

} // namespace myrinet
} // namespace ns3
