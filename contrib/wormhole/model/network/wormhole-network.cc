/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wormhole-network.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/messaging-attributes.h"
#include "ns3/messaging-log-component.h"
#include "ns3/messaging-named-counts.h"
#include "ns3/messaging-network-device-helper.h"
#include "ns3/messaging-part-trace.h"
#include "ns3/wormhole-channel.h"
#include "ns3/wormhole-faults.h"

namespace ns3
{
namespace wormhole
{

[[maybe_unused]] static const LogComponent& g_log =
    messaging::GetLogComponent("WormholeNetwork", __FILE__);

NS_OBJECT_ENSURE_REGISTERED(WormholeNetwork);

TypeId
WormholeNetwork::GetTypeId()
{
    using messaging::Range;
    using Net = WormholeNetwork;
    static TypeId tid = [] {
        TypeId type =
            messaging::SetSummary(TypeId("ns3::wormhole::WormholeNetwork")
                                      .SetParent<messaging::Network>()
                                      .SetGroupName("Wormhole")
                                      .AddConstructor<WormholeNetwork>(),
                                  "Grid, torus, fat tree or graph of lossy, buffered or hybrid "
                                  "wormhole routers.");
        auto config = messaging::Attributes<Net>(type).In(&Net::m_config);
        config.In(&WormholeConfig::shape)
            .AddAttribute("Topology",
                          "Shape of the network [name; section 4.2].",
                          &ShapeConfig::kind,
                          {{TopologyKind::GRID2D, "grid2d"},
                           {TopologyKind::GRID3D, "grid3d"},
                           {TopologyKind::FATTREE, "fattree"},
                           {TopologyKind::GRAPH, "graph"}})
            .AddAttribute("Nodes",
                          "Number of nodes; 0 to derive it from Shape or TopologyFile, or else "
                          "1024 [nodes; section 4.1].",
                          &ShapeConfig::nodes,
                          Range(0, 1 << 24))
            .AddAttribute("Shape",
                          "Sides of a grid, as in 8x8x16; if empty, the most equal sides [nodes; "
                          "default].",
                          &ShapeConfig::sides)
            .AddAttribute("Torus",
                          "Connect the ends of each dimension of a grid [bool; default].",
                          &ShapeConfig::torus)
            .AddAttribute("Arity",
                          "Children of each router of a fat tree [routers; section 4.2].",
                          &ShapeConfig::arity,
                          Range(2, 1024))
            .AddAttribute("ChannelsPerLeaf",
                          "Bandwidth of a leaf of a fat tree [flits a cycle; calibrated to the "
                          "buffered column of Table 2a].",
                          &ShapeConfig::channelsPerLeaf,
                          Range(1, 1024))
            .AddAttribute("TopologyFile",
                          "Topology file of a graph, also one of BookSim's anynet; the module's "
                          "documentation describes the format [file; default].",
                          &ShapeConfig::file);
        config.In(&WormholeConfig::kernel)
            .AddAttribute("InjectionPorts",
                          "Packets that a node can inject at the same time, 0 for any number "
                          "[ports; calibrated to the buffered column of Table 2a].",
                          &KernelConfig::injectionPorts,
                          Range(0, 64))
            .AddAttribute("EjectionPorts",
                          "Packets that a node can receive at the same time, 0 for any number "
                          "[ports; calibrated to the buffered column of Table 2a].",
                          &KernelConfig::ejectionPorts,
                          Range(0, 64))
            .AddAttribute("ServiceOrder",
                          "Service order of contending heads in a lossy or hybrid network [name; "
                          "default].",
                          &KernelConfig::serviceOrder,
                          {{ServiceOrder::OLDEST, "oldest"},
                           {ServiceOrder::ROTATING, "rotating"},
                           {ServiceOrder::RANDOM, "random"},
                           {ServiceOrder::YOUNGEST, "youngest"}})
            .AddAttribute("Arbitration",
                          "Arbitration among packets that wait for a channel in a buffered "
                          "network [name; default].",
                          &KernelConfig::arbitration,
                          {{Arbitration::FIRST_COME, "first-come"},
                           {Arbitration::ROUND_ROBIN, "round-robin"},
                           {Arbitration::OLDEST, "oldest"},
                           {Arbitration::RANDOM, "random"},
                           {Arbitration::FIXED, "fixed"}})
            .AddAttribute("ThroughFirst",
                          "Give through traffic priority over injection in a buffered network "
                          "[bool; default].",
                          &KernelConfig::throughFirst)
            .AddAttribute("Routing",
                          "Productive channels that a head may take in a lossy or hybrid "
                          "network: the first free one in dimension order, only the first one, "
                          "or a free one at random [name; section 4.2].",
                          &KernelConfig::routing,
                          {{Routing::PRODUCTIVE, "productive"},
                           {Routing::STRICT, "strict"},
                           {Routing::RANDOM, "random"}})
            .AddAttribute("SourceBusy",
                          "Frame sent while the injection port or all productive channels are busy "
                          "in a lossy network: dropped as a failed attempt, or refused until "
                          "OnReady [name; default].",
                          &KernelConfig::sourceBusy,
                          {{SourceBusy::DROP, "drop"}, {SourceBusy::WAIT, "wait"}})
            .AddAttribute("QueueLimit",
                          "Packets that wait for an injection port of a buffered network before "
                          "Send refuses, 0 for any number [packets; default].",
                          &KernelConfig::queue)
            .AddAttribute("CreditDelay",
                          "Delay until a freed buffer is known upstream in a buffered network "
                          "[cycles; calibrated to the buffered column of Table 2a].",
                          &KernelConfig::creditDelay,
                          Range(0, 1 << 20))
            .AddAttribute("HoldLimit",
                          "Maximum storage time of a packet at a hybrid router, which then drops "
                          "it [cycles; default].",
                          &KernelConfig::holdLimit,
                          Range(0, 1 << 20))
            .AddAttribute("TimeToLive",
                          "Maximum lifetime of a packet's head in a lossy or hybrid network, 0 "
                          "for no limit [cycles; section 2.3].",
                          &KernelConfig::timeToLive,
                          Range(0, 1 << 30))
            .AddAttribute("MisrouteLimit",
                          "Maximum unproductive hops around faults in a lossy or hybrid network "
                          "[hops; default].",
                          &KernelConfig::misrouteLimit,
                          Range(0, 200))
            .AddAttribute("Loss",
                          "Loss probability of a packet [probability; fault].",
                          &KernelConfig::loss,
                          Range(0, 1))
            .AddAttribute("Corruption",
                          "Corruption probability of a packet on a hop, detected by the checksum "
                          "flit [probability; fault].",
                          &KernelConfig::corruption,
                          Range(0, 1))
            .AddAttribute("FreeOnDrop",
                          "Free channels and injection port of a dropped packet in the next "
                          "cycle, instead of after its flits have drained; for lossy networks "
                          "[bool; default].",
                          &KernelConfig::freeOnDrop);
        config
            .AddAttribute("Router",
                          "Treatment of a blocked packet: drop it, store it, or store it for "
                          "HoldLimit cycles [name; sections 4.2, 4.5 and 6].",
                          &WormholeConfig::router,
                          {{RouterKind::LOSSY, "lossy"},
                           {RouterKind::BUFFERED, "buffered"},
                           {RouterKind::HYBRID, "hybrid"}})
            .AddAttribute("FlitBits",
                          "Width of a flit [bits; section 4.2].",
                          &WormholeConfig::flitBits,
                          Range(1, 65536))
            .AddAttribute("Mtu",
                          "Largest frame, its protocol header included [bytes; default].",
                          &WormholeConfig::mtu,
                          Range(1, 1 << 26))
            .AddAttribute("Cycle",
                          "Length of a router cycle [time; default].",
                          &Net::m_cycle,
                          NanoSeconds(1),
                          NanoSeconds(1))
            .AddAttribute("Observe",
                          "Collect channel utilisation without tracing hops (slower) [bool; "
                          "default].",
                          &WormholeConfig::observe)
            .Forward<&Net::m_faults>()
            .AddTraceSource("Hop",
                            "A head has taken a channel.",
                            messaging::MakePartTraceAccessor(&Net::m_traces, &WormholeTraces::hop),
                            "ns3::wormhole::WormholeNetwork::HopTracedCallback")
            .AddTraceSource("Drop",
                            "A packet has been dropped.",
                            messaging::MakePartTraceAccessor(&Net::m_traces, &WormholeTraces::drop),
                            "ns3::wormhole::WormholeNetwork::DropTracedCallback")
            .AddTraceSource(
                "Delivery",
                "The tail of a packet has arrived.",
                messaging::MakePartTraceAccessor(&Net::m_traces, &WormholeTraces::delivery),
                "ns3::wormhole::WormholeNetwork::DeliveryTracedCallback");
        return type;
    }();
    return tid;
}

WormholeNetwork::WormholeNetwork()
    : m_faults(CreateObject<WormholeFaults>()),
      m_traces(Create<WormholeTraces>())
{
}

WormholeNetwork::~WormholeNetwork() = default;

void
WormholeNetwork::DoDispose()
{
    m_faults->Dispose();
    if (m_nativePort)
    {
        m_nativePort->SetUser(nullptr);
    }
    m_nativePort = nullptr;
    Network::DoDispose();
}

messaging::PortInfo
WormholeNetwork::GetInfo() const
{
    return m_config.GetInfo();
}

std::string
WormholeNetwork::Check(uint32_t peers) const
{
    std::string error = m_config.Check(peers);
    if (!error.empty())
    {
        return error;
    }
    const auto shape = m_config.MakeShape(peers, error);
    return m_faults->Check(*shape);
}

Ptr<messaging::TickClock>
WormholeNetwork::MakeClock() const
{
    const auto clock = CreateObject<messaging::TickClock>();
    clock->SetAttribute("TickLength", TimeValue(m_cycle));
    return clock;
}

Ptr<WormholePort>
WormholeNetwork::GetNativePort() const
{
    if (!m_nativePort)
    {
        const std::string error = Check();
        NS_ABORT_MSG_UNLESS(error.empty(), error);
        m_nativePort = Create<WormholePort>(m_config, m_traces);
        NS_LOG_INFO("A wormhole network of " << m_nativePort->GetNPeers() << " nodes, "
                                             << m_nativePort->GetShape().GetNRouters()
                                             << " routers, " << m_nativePort->GetShape().GetNLinks()
                                             << " links"
                                             << (m_faults->IsAny() ? ", with failures" : ""));
        if (m_stream >= 0)
        {
            m_nativePort->AssignStreams(m_stream);
        }
        if (m_faults->IsAny())
        {
            m_nativePort->EnableFaults();
        }
    }
    return m_nativePort;
}

void
WormholeNetwork::SetClock(Ptr<messaging::TickClock> clock)
{
    const auto port = GetNativePort();
    port->SetClock(clock);
    SetPort(clock, messaging::MakeAnyPort(port));
    m_traces->drop.ConnectWithoutContext(MakeCallback(&WormholeNetwork::CountDrop, this));
    if (m_faults->IsAny())
    {
        m_faults->Start(port, clock);
    }
}

void
WormholeNetwork::DoBuild(uint32_t peers)
{
    SetNodes(peers);
    SetClock(MakeClock());
}

NetDeviceContainer
WormholeNetwork::DoInstall(const NodeContainer& nodes)
{
    return messaging::NetworkDeviceHelper<WormholeNetwork, WormholeChannel>().Install(nodes, this);
}

void
WormholeNetwork::CountDrop(const Packet&, DropReason reason, uint32_t, Ticks)
{
    static const auto PLACES = messaging::NameAll<DropReason, N_DROP_REASONS>("wormhole router: ");
    Lose(PLACES[static_cast<std::size_t>(reason)], 1);
}

std::vector<messaging::NamedTable>
WormholeNetwork::GetTables() const
{
    const auto port = GetNativePort();
    std::vector<messaging::NamedTable> tables;
    if (m_config.observe)
    {
        tables.emplace_back("HeatMap", port->MakeLinkTable(port->Now()));
    }
    return tables;
}

Ptr<WormholeFaults>
WormholeNetwork::GetFaults() const
{
    return m_faults;
}

int64_t
WormholeNetwork::AssignStreams(int64_t stream)
{
    m_stream = stream;
    int64_t used = WormholePort::N_STREAMS;
    if (m_nativePort)
    {
        used = m_nativePort->AssignStreams(stream);
    }
    return used + m_faults->AssignStreams(stream + used);
}

} // namespace wormhole
} // namespace ns3
