/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "myrinet-network.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/messaging-attributes.h"
#include "ns3/messaging-log-component.h"
#include "ns3/messaging-named-counts.h"
#include "ns3/messaging-network-device-helper.h"
#include "ns3/messaging-part-trace.h"
#include "ns3/myrinet-channel.h"

namespace ns3
{
namespace myrinet
{

[[maybe_unused]] static const LogComponent& g_log =
    messaging::GetLogComponent("MyrinetNetwork", __FILE__);

NS_OBJECT_ENSURE_REGISTERED(MyrinetNetwork);

namespace
{

constexpr uint32_t MOST_BUFFERS = 1U << 20; ///< Limit of buffers and other sizes.

} // namespace

TypeId
MyrinetNetwork::GetTypeId()
{
    using messaging::Range;
    static TypeId tid = [] {
        TypeId type = messaging::SetSummary(
                          TypeId("ns3::myrinet::MyrinetNetwork"),
                          "Myrinet: source-routed switches, links with STOP/GO flow control.")
                          .SetParent<Network>()
                          .SetGroupName("Myrinet")
                          .AddConstructor<MyrinetNetwork>();
        auto config = messaging::Attributes<MyrinetNetwork>(type).In(&MyrinetNetwork::m_config);
        config.In(&MyrinetConfig::topology)
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
                          Range{0, 10000});
        config
            .AddAttribute("Routes",
                          "Routes of the mapper: up and then down, or the shortest, which can "
                          "deadlock [name; default].",
                          &MyrinetConfig::routes,
                          {{RouteKind::UPDOWN, "updown"}, {RouteKind::SHORTEST, "shortest"}})
            .AddAttribute("Mtu",
                          "Largest frame, its protocol header included: a buffer of 4096 bytes and "
                          "room for a header [bytes; section 3.3].",
                          &MyrinetConfig::mtu,
                          Range(8U, MOST_BUFFERS))
            .AddAttribute("SendQueue",
                          "Capacity of a send engine, including the packet in transmission "
                          "[packets; LANai 4].",
                          &MyrinetConfig::sendQueue,
                          Range(1U, MOST_BUFFERS))
            .AddAttribute("SendBuffers",
                          "Buffers of an interface's send ring, of Mtu bytes each; with Lanai, the "
                          "frames that it takes from the host [buffers; default].",
                          &MyrinetConfig::sendBuffers,
                          Range(1U, MOST_BUFFERS))
            .AddAttribute("Sram",
                          "SRAM of an interface; boards have 256 KiB to 1 MiB [bytes; LANai 4].",
                          &MyrinetConfig::sram,
                          Range(1U, 1U << 30))
            .AddAttribute("Lanai",
                          "Frames and packets of devices pass the host side of the interfaces: "
                          "firmware of a LANai 4 and a DMA over the host's bus at either end. "
                          "Without, they are in the SRAM when they are sent [flag; default].",
                          &MyrinetConfig::lanai)
            .AddAttribute("BusRate",
                          "Rate of the host DMA engine with Lanai; 120 to 130 MB/s on 32-bit PCI "
                          "[bit/s; general knowledge].",
                          &MyrinetConfig::busRate)
            .AddAttribute("PacketInstructions",
                          "Firmware's cost of a frame at either end with Lanai; 100 to 150 for "
                          "lean firmware [instructions; general knowledge].",
                          &MyrinetConfig::instructions,
                          Range(0U, MOST_BUFFERS));
        config.In(&MyrinetConfig::fabric)
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
            .AddAttribute("StopWhilePending",
                          "A receiver sends STOP for a packet that it leaves pending; if false, "
                          "only for one that it receives, so that the characters that arrive in a "
                          "stall overwrite the oldest in its slack buffer [bool; section 2, item "
                          "4].",
                          &FabricConfig::stopWhilePending)
            .AddAttribute("StallRate",
                          "Rate of stalls of each receiver, at random times [1/s; section 2, item "
                          "4].",
                          &FabricConfig::stallRate,
                          Range{0.0, 1e9})
            .AddAttribute("StallLength",
                          "Length of a stall of a receiver [Time; default].",
                          &FabricConfig::stallLength,
                          Range{NanoSeconds(1), Seconds(100)})
            .AddTraceSource(
                "Sent",
                "The last character of a packet has left its host.",
                messaging::MakePartTraceAccessor(&MyrinetNetwork::m_traces, &MyrinetTraces::sent),
                "ns3::myrinet::MyrinetNetwork::PacketTracedCallback")
            .AddTraceSource("Delivery",
                            "A packet is in its receiver's buffer and its CRC is good.",
                            messaging::MakePartTraceAccessor(&MyrinetNetwork::m_traces,
                                                             &MyrinetTraces::delivery),
                            "ns3::myrinet::MyrinetNetwork::PacketTracedCallback")
            .AddTraceSource(
                "Drop",
                "A packet was lost, for one of the reasons of section 2.",
                messaging::MakePartTraceAccessor(&MyrinetNetwork::m_traces, &MyrinetTraces::drop),
                "ns3::myrinet::MyrinetNetwork::DropTracedCallback");
        return type;
    }();
    return tid;
}

MyrinetNetwork::MyrinetNetwork()
    : m_traces(Create<MyrinetTraces>())
{
}

void
MyrinetNetwork::DoDispose()
{
    if (m_nativePort)
    {
        m_nativePort->SetUser(nullptr);
        m_nativePort->Stop();
    }
    m_nativePort = nullptr;
    Network::DoDispose();
}

std::string
MyrinetNetwork::Check() const
{
    const TopologyConfig& topology = m_config.topology;
    return Check(topology.kind == TopologyKind::GRAPH ? 0 : topology.nodes);
}

std::string
MyrinetNetwork::Check(uint32_t nodes) const
{
    return m_config.Check(nodes);
}

messaging::PortInfo
MyrinetNetwork::GetInfo() const
{
    return m_config.GetInfo();
}

Ptr<MyrinetPort>
MyrinetNetwork::GetNativePort() const
{
    if (!m_nativePort)
    {
        const std::string error = Check();
        NS_ABORT_MSG_UNLESS(error.empty(), error);
        m_nativePort = Create<MyrinetPort>(m_config, m_traces);
        const Topology& topology = m_nativePort->GetTopology();
        NS_LOG_INFO("A Myrinet of " << topology.GetNHosts() << " hosts, "
                                    << topology.GetChannels().size() << " channels"
                                    << (m_config.lanai ? ", with LANais" : ""));
        if (m_stream >= 0)
        {
            m_nativePort->AssignStreams(m_stream);
        }
    }
    return m_nativePort;
}

void
MyrinetNetwork::SetClock(Ptr<messaging::TickClock> clock)
{
    const auto port = GetNativePort();
    port->SetClock(clock);
    SetPort(clock, ns3::Create<MyrinetAnyPort>(port));
    m_traces->drop.ConnectWithoutContext(MakeCallback(&MyrinetNetwork::CountDrop, this));
}

void
MyrinetNetwork::CountDrop(const Packet&, DropReason reason, ChannelId, Instant)
{
    static const auto PLACES = messaging::NameAll<DropReason, N_DROP_REASONS>("Myrinet: ");
    Lose(PLACES[static_cast<std::size_t>(reason)], 1);
}

void
MyrinetNetwork::DoBuild(uint32_t peers)
{
    SetNodes(peers);
    SetClock(MakeClock());
}

NetDeviceContainer
MyrinetNetwork::DoInstall(const NodeContainer& nodes)
{
    return messaging::NetworkDeviceHelper<MyrinetNetwork, MyrinetChannel>().Install(nodes, this);
}

std::vector<messaging::NamedTable>
MyrinetNetwork::GetTables() const
{
    const auto port = GetNativePort();
    std::vector<messaging::NamedTable> tables{{"Links", port->MakeLinkTable()},
                                              {"Counters", port->MakeCounterTable()}};
    if (m_config.lanai)
    {
        tables.emplace_back("Lanais", port->MakeLanaiTable());
    }
    return tables;
}

int64_t
MyrinetNetwork::AssignStreams(int64_t stream)
{
    m_stream = stream;
    if (m_nativePort)
    {
        m_nativePort->AssignStreams(stream);
    }
    return MyrinetPort::N_STREAMS;
}

} // namespace myrinet
} // namespace ns3
