/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wormhole-network.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/messaging-attributes.h"
#include "ns3/messaging-named-counts.h"
#include "ns3/messaging-row-table.h"
#include "ns3/wormhole-faults.h"
#include "ns3/wormhole-helper.h"

#include <algorithm>

namespace ns3
{
namespace wormhole
{

NS_LOG_COMPONENT_DEFINE("WormholeNetwork");
NS_OBJECT_ENSURE_REGISTERED(WormholeNetwork);

TypeId
WormholeNetwork::GetTypeId()
{
    using messaging::Range;
    using Net = WormholeNetwork;
    static TypeId tid =
        messaging::Attributes<Net>(
            messaging::SetSummary(TypeId("ns3::wormhole::WormholeNetwork")
                                      .SetParent<messaging::Network>()
                                      .SetGroupName("Wormhole")
                                      .AddConstructor<WormholeNetwork>(),
                                  "Grid, torus, fat tree or graph of lossy, buffered or hybrid "
                                  "wormhole routers."))
            .In(&Net::m_shapeConfig)
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
                          "Topology file of a graph; the module's documentation describes its "
                          "format [file; default].",
                          &ShapeConfig::file)
            .In(&Net::m_kernelConfig)
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
                          &KernelConfig::freeOnDrop)
            .AddAttribute("Router",
                          "Treatment of a blocked packet: drop it, store it, or store it for "
                          "HoldLimit cycles [name; sections 4.2, 4.5 and 6].",
                          &Net::m_router,
                          RouterKind::LOSSY,
                          {{RouterKind::LOSSY, "lossy"},
                           {RouterKind::BUFFERED, "buffered"},
                           {RouterKind::HYBRID, "hybrid"}})
            .AddAttribute("FlitBits",
                          "Width of a flit [bits; section 4.2].",
                          &Net::m_flitBits,
                          32,
                          1,
                          65536)
            .AddAttribute("Mtu",
                          "Largest frame, its protocol header included [bytes; default].",
                          &Net::m_mtu,
                          4096,
                          1,
                          1 << 26)
            .AddAttribute("Cycle",
                          "Length of a router cycle [time; default].",
                          &Net::m_cycle,
                          NanoSeconds(1),
                          NanoSeconds(1))
            .AddAttribute("Observe",
                          "Collect channel utilisation without tracing hops (slower) [bool; "
                          "default].",
                          &Net::m_observe,
                          false)
            .Forward<&Net::m_faults>()
            .AddTraceSource("Hop",
                            "A head has taken a channel.",
                            MakeTraceSourceAccessor(&Net::m_hopTrace),
                            "ns3::wormhole::WormholeNetwork::HopTracedCallback")
            .AddTraceSource("Drop",
                            "A packet has been dropped.",
                            MakeTraceSourceAccessor(&Net::m_dropTrace),
                            "ns3::wormhole::WormholeNetwork::DropTracedCallback")
            .AddTraceSource("Delivery",
                            "The tail of a packet has arrived.",
                            MakeTraceSourceAccessor(&Net::m_deliveryTrace),
                            "ns3::wormhole::WormholeNetwork::DeliveryTracedCallback");
    return tid;
}

WormholeNetwork::WormholeNetwork()
    : m_faults(CreateObject<WormholeFaults>())
{
}

WormholeNetwork::~WormholeNetwork() = default;

void
WormholeNetwork::DoDispose()
{
    m_faults->Dispose();
    m_user = nullptr;
    m_clock = nullptr;
    m_kernel.reset();
    Network::DoDispose();
}

Ptr<messaging::TickClock>
WormholeNetwork::MakeClock() const
{
    const auto clock = CreateObject<messaging::TickClock>();
    clock->SetAttribute("TickLength", TimeValue(m_cycle));
    return clock;
}

void
WormholeNetwork::DoBuild(uint32_t peers)
{
    SetNodes(peers);
    const auto clock = MakeClock();
    SetClock(clock);
    m_dropTrace.ConnectWithoutContext(MakeCallback(&WormholeNetwork::CountDrop, this));
    SetPort(clock, messaging::MakeAnyPort(Ptr<WormholeNetwork>(this)));
}

NetDeviceContainer
WormholeNetwork::DoInstall(const NodeContainer& nodes)
{
    m_dropTrace.ConnectWithoutContext(MakeCallback(&WormholeNetwork::CountDrop, this));
    return WormholeHelper().Install(nodes, this);
}

std::vector<messaging::NamedTable>
WormholeNetwork::GetTables() const
{
    std::vector<messaging::NamedTable> tables;
    if (m_observe)
    {
        tables.emplace_back("HeatMap", MakeLinkTable(Now()));
    }
    return tables;
}

Ptr<messaging::Table>
WormholeNetwork::MakeLinkTable(Ticks cycles) const
{
    const Shape& shape = GetShape();
    const auto busy = GetLinkBusy();
    const auto sides = shape.GetSides();
    std::vector<Link> links;
    for (Link link = 0; link < busy.size(); ++link)
    {
        if (shape.GetOrigin(link) != messaging::NO_PEER)
        {
            links.push_back(link);
        }
    }
    messaging::RowTable table(links);
    table.Add("from", "", [&](Link link) { return shape.GetOrigin(link); });
    table.Add("to", "", [&](Link link) { return shape.GetTarget(link); });
    uint32_t stride = 1;
    for (std::size_t d = 0; d < sides.size(); stride *= sides[d++])
    {
        table.Add(std::string(1, "xyz"[d]), "nodes", [&](Link link) {
            return shape.GetOrigin(link) / stride % sides[d];
        });
    }
    if (!sides.empty())
    {
        table.Add("direction", "", [&](Link link) {
            const std::size_t way = link % (2 * sides.size());
            return std::string(way % 2 ? "-" : "+") + "xyz"[way / 2];
        });
    }
    table.Add("channels", "channels", [&](Link link) { return shape.GetChannels(link); });
    table.Add("utilization", "fraction", [&](Link link) {
        const double available = static_cast<double>(cycles) * shape.GetChannels(link);
        return available > 0 ? static_cast<double>(busy[link]) / available : 0;
    });
    return table.Get();
}

Ptr<messaging::Table>
WormholeNetwork::MakeDropTable() const
{
    const auto reason = [](std::size_t i) { return static_cast<DropReason>(i); };
    return messaging::RowTable(N_DROP_REASONS)
        .Add("reason", "", reason)
        .Add("drops", "packets", [&](std::size_t i) { return GetCounters().GetDrops(reason(i)); })
        .Get();
}

std::string
WormholeNetwork::Check(uint32_t peers) const
{
    std::string error;
    const auto shape = MakeShape(peers, error);
    if (!shape)
    {
        return error;
    }
    if (peers && shape->GetNNodes() != peers)
    {
        return "The network has " + std::to_string(shape->GetNNodes()) + " nodes; it needs " +
               std::to_string(peers) + ", one for each peer.";
    }
    if (m_router == RouterKind::BUFFERED && m_kernelConfig.routing == Routing::RANDOM)
    {
        return "Router buffered has no Routing random; productive and strict are allowed and mean "
               "the same.";
    }
    if (m_router != RouterKind::LOSSY && m_kernelConfig.freeOnDrop)
    {
        return "FreeOnDrop is allowed with Router lossy only; a hybrid router stores flits of "
               "dropped packets.";
    }
    if (m_router == RouterKind::BUFFERED && m_kernelConfig.corruption > 0)
    {
        return "Corruption is allowed with Router lossy and hybrid only, whose packets have a "
               "checksum flit.";
    }
    if (const Ticks flits = GetLongest(); flits > MAX_FLITS)
    {
        return "Mtu " + std::to_string(m_mtu) + " makes packets of " + std::to_string(flits) +
               " flits; they may have up to " + std::to_string(MAX_FLITS) + ".";
    }
    return m_faults->Check(*shape);
}

std::unique_ptr<Shape>
WormholeNetwork::MakeShape(uint32_t peers, std::string& error) const
{
    ShapeConfig config = m_shapeConfig;
    const bool given = config.nodes || !config.sides.empty() || !config.file.empty();
    config.nodes = given ? config.nodes : peers;
    return Shape::Make(config, m_router == RouterKind::BUFFERED, error);
}

Ticks
WormholeNetwork::GetLongest() const
{
    return (static_cast<Ticks>(m_mtu) * 8 + m_flitBits - 1) / m_flitBits + 1;
}

const Shape&
WormholeNetwork::GetShape() const
{
    if (!m_shape)
    {
        std::string error;
        m_shape = MakeShape(0, error);
        NS_ABORT_MSG_UNLESS(m_shape, error);
        m_flitDivisor = Divisor(m_flitBits);
    }
    return *m_shape;
}

void
WormholeNetwork::MakeKernel() const
{
    const std::string error = Check();
    NS_ABORT_MSG_UNLESS(error.empty(), error);
    KernelConfig config = m_kernelConfig;
    config.holdLimit = m_router == RouterKind::HYBRID ? config.holdLimit : 0;
    m_full = m_observe || m_mayFail || m_faults->IsAny() || config.freeOnDrop ||
             !m_hopTrace.IsEmpty() || config.misrouteLimit > 0 || config.timeToLive > 0 ||
             config.corruption > 0 || config.routing == Routing::RANDOM;
    m_kernel = GetShape().MakeKernel(m_router,
                                     m_full,
                                     config,
                                     {&m_hopTrace, &m_dropTrace, &m_deliveryTrace});
    if (m_stream >= 0)
    {
        m_kernel->AssignStreams(m_stream);
    }
    m_kernel->SetUser(m_user);
}

messaging::PortInfo
WormholeNetwork::GetInfo() const
{
    const KernelConfig& config = m_kernelConfig;
    // Heads keep their order on routes of equal length if all of them move in every cycle, or queue
    // in order. Tails keep it if a node injects and ejects one packet at a time.
    const bool inLine = config.injectionPorts == 1 && config.ejectionPorts == 1;
    messaging::PortInfo info;
    info.mtu = m_mtu;
    info.cycle = 1;
    info.rate = m_flitBits / 8.0;
    info.lossless = m_router == RouterKind::BUFFERED && config.loss == 0 && config.corruption == 0;
    const Ticks apart = config.injectionPorts == 1 ? 0 : GetLongest();
    const Ticks around = Ticks{2} * config.misrouteLimit;
    switch (m_router)
    {
    case RouterKind::LOSSY:
        info.ordered = config.injectionPorts == 1 && around == 0;
        info.maxSlip = info.ordered ? 0 : apart + around;
        break;
    case RouterKind::BUFFERED:
        info.ordered = inLine && (m_shapeConfig.kind == TopologyKind::GRID2D ||
                                  m_shapeConfig.kind == TopologyKind::GRID3D ||
                                  config.arbitration == Arbitration::FIRST_COME);
        info.maxSlip = info.ordered ? 0 : messaging::NEVER;
        break;
    case RouterKind::HYBRID: {
        std::string error;
        const auto made = m_shape ? nullptr : MakeShape(0, error);
        const Shape* const shape = m_shape ? m_shape.get() : made.get();
        const uint32_t diameter = shape ? shape->GetDiameter() : 0;
        info.maxSlip = apart + around + (diameter + around + 1) * config.holdLimit;
        break;
    }
    }
    if (m_router != RouterKind::BUFFERED && config.timeToLive)
    {
        info.maxSlip = std::min(info.maxSlip, config.timeToLive + apart);
    }
    return info;
}

void
WormholeNetwork::SetClock(Ptr<messaging::TickClock> clock)
{
    m_clock = clock;
    clock->SetStepper(this);
    if (m_faults->IsAny())
    {
        m_faults->Start(this, clock);
    }
}

void
WormholeNetwork::CountDrop(const Packet&, DropReason reason, uint32_t, Ticks)
{
    static const auto PLACES = messaging::NameAll<DropReason, N_DROP_REASONS>("wormhole router: ");
    Lose(PLACES[static_cast<std::size_t>(reason)], 1);
}

bool
WormholeNetwork::IsLinkUp(Link link) const
{
    const uint32_t origin = GetShape().GetOrigin(link);
    const uint32_t target = GetShape().GetTarget(link);
    if (origin == messaging::NO_PEER || target == messaging::NO_PEER)
    {
        return false;
    }
    return m_linkDown.empty() ||
           !(m_linkDown[link] || m_routerDown[origin] || m_routerDown[target]);
}

void
WormholeNetwork::EnableFaults()
{
    NS_ABORT_MSG_IF(m_kernel && !m_full,
                    "EnableFaults must be called before the first use of the network.");
    m_mayFail = true;
}

void
WormholeNetwork::PrepareFaults()
{
    EnableFaults();
    m_linkDown.resize(GetShape().GetNLinks());
    m_routerDown.resize(GetShape().GetNRouters());
    if (m_clock)
    {
        m_clock->WakeStepper();
    }
}

void
WormholeNetwork::SetLinkUp(Link link, bool up)
{
    NS_LOG_FUNCTION(this << link << up);
    PrepareFaults();
    m_linkDown[link] = !up;
    if (GetShape().GetTarget(link) != messaging::NO_PEER)
    {
        GetKernel().SetLinkUp(link, IsLinkUp(link), Now());
    }
}

void
WormholeNetwork::SetRouterUp(uint32_t router, bool up)
{
    NS_LOG_FUNCTION(this << router << up);
    PrepareFaults();
    m_routerDown[router] = !up;
    for (Link link = 0; link < GetShape().GetNLinks(); ++link)
    {
        if (GetShape().GetOrigin(link) == router || GetShape().GetTarget(link) == router)
        {
            GetKernel().SetLinkUp(link, IsLinkUp(link), Now());
        }
    }
    if (router < GetNPeers())
    {
        GetKernel().SetNodeUp(router, up, Now());
    }
}

bool
WormholeNetwork::CanReach(Peer self, Peer to) const
{
    if (m_linkDown.empty())
    {
        return true;
    }
    // No link leads to or from a failed router, but each node reaches itself.
    if (m_routerDown[self])
    {
        return false;
    }
    std::vector<bool> down(GetShape().GetNLinks());
    for (Link link = 0; link < down.size(); ++link)
    {
        down[link] = !IsLinkUp(link);
    }
    const bool buffered = m_router == RouterKind::BUFFERED;
    const bool strict = buffered || m_kernelConfig.routing == Routing::STRICT;
    return GetShape().CanReach(self, to, down, strict, buffered ? 0 : m_kernelConfig.misrouteLimit);
}

Ticks
WormholeNetwork::WireTicks(const Frame& frame) const
{
    // Sections 4.2 and 4.5: routers that drop packets need a checksum flit at the end of each
    // packet.
    const bool checksum = m_router != RouterKind::BUFFERED;
    const uint32_t bits = (frame.payload + frame.header) * 8;
    GetShape(); // It sets the divisor.
    return std::max(1U, m_flitDivisor.Divide(bits + m_flitBits - 1) + (checksum ? 1 : 0));
}

Ptr<WormholeFaults>
WormholeNetwork::GetFaults() const
{
    return m_faults;
}

bool
WormholeNetwork::Send(Peer self, Peer to, const Frame& frame)
{
    Kernel& kernel = GetKernel();
    const auto flits = static_cast<uint32_t>(WireTicks(frame));
    NS_ABORT_MSG_IF(flits > MAX_FLITS,
                    "A frame of " << flits << " flits is longer than " << MAX_FLITS << ".");
    const bool taken = kernel.Send(self, to, frame, flits, Now());
    if (auto* const clock = PeekPointer(m_clock))
    {
        clock->WakeStepper();
    }
    return taken;
}

bool
WormholeNetwork::IsBusy(Peer self)
{
    const bool busy = GetKernel().IsBusy(self, Now());
    if (auto* const clock = PeekPointer(m_clock); busy && clock)
    {
        clock->WakeStepper();
    }
    return busy;
}

void
WormholeNetwork::SetUser(messaging::PortUser* user)
{
    m_user = user;
    if (m_kernel)
    {
        m_kernel->SetUser(user);
    }
}

bool
WormholeNetwork::Step(Ticks now)
{
    return GetKernel().Step(now);
}

int64_t
WormholeNetwork::AssignStreams(int64_t stream)
{
    m_stream = stream;
    const int64_t kernel = m_kernel ? m_kernel->AssignStreams(stream) : 2;
    return kernel + m_faults->AssignStreams(stream + kernel);
}

} // namespace wormhole
} // namespace ns3
