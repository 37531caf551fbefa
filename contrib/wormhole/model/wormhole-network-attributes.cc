/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wormhole-network.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3
{
namespace wormhole
{

NS_OBJECT_ENSURE_REGISTERED(WormholeNetwork);

TypeId
WormholeNetwork::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::wormhole::WormholeNetwork")
            .SetParent<Object>()
            .SetGroupName("Wormhole")
            .AddConstructor<WormholeNetwork>()
            .AddAttribute("Topology",
                          "Shape of the network [name; section 4.2].",
                          EnumValue(TopologyKind::GRID2D),
                          MakeEnumAccessor<TopologyKind>(&WormholeNetwork::m_topology),
                          MakeEnumChecker(TopologyKind::GRID2D,
                                          "grid2d",
                                          TopologyKind::GRID3D,
                                          "grid3d",
                                          TopologyKind::FATTREE,
                                          "fattree",
                                          TopologyKind::GRAPH,
                                          "graph"))
            .AddAttribute("Nodes",
                          "Number of nodes; 0 for as many as Shape or TopologyFile say, or 1024 "
                          "[nodes; section 4.1].",
                          UintegerValue(0),
                          MakeUintegerAccessor(&WormholeNetwork::m_nodes),
                          MakeUintegerChecker<uint32_t>(0, 1U << 24))
            .AddAttribute(
                "Shape",
                "Sides of a grid, as in 8x8x16; empty for the most even sides [nodes; default].",
                StringValue(""),
                MakeStringAccessor(&WormholeNetwork::m_sides),
                MakeStringChecker())
            .AddAttribute("Torus",
                          "Whether the ends of each dimension of a grid are joined [default].",
                          BooleanValue(false),
                          MakeBooleanAccessor(&WormholeNetwork::m_torus),
                          MakeBooleanChecker())
            .AddAttribute("Arity",
                          "Children of each router of a fat tree [routers; section 4.2].",
                          UintegerValue(4),
                          MakeUintegerAccessor(&WormholeNetwork::m_arity),
                          MakeUintegerChecker<uint32_t>(2, 1024))
            .AddAttribute("Growth",
                          "Factor by which the bandwidth of a fat tree's links grows with each "
                          "step up [number; section 4.2].",
                          UintegerValue(2),
                          MakeUintegerAccessor(&WormholeNetwork::m_growth),
                          MakeUintegerChecker<uint32_t>(1, 1024))
            .AddAttribute("ChannelsPerLeaf",
                          "Bandwidth of a leaf of a fat tree [flits a cycle; calibrated to the "
                          "buffered column of Table 2a].",
                          UintegerValue(8),
                          MakeUintegerAccessor(&WormholeNetwork::m_channelsPerLeaf),
                          MakeUintegerChecker<uint32_t>(1, 1024))
            .AddAttribute("LinkStyle",
                          "How the bandwidth of a fat tree is built: parallel channels, or one "
                          "wide one [name; default].",
                          EnumValue(LinkStyle::PARALLEL),
                          MakeEnumAccessor<LinkStyle>(&WormholeNetwork::m_linkStyle),
                          MakeEnumChecker(LinkStyle::PARALLEL, "parallel", LinkStyle::WIDE, "wide"))
            .AddAttribute(
                "TopologyFile",
                "File of a graph; see the module's documentation for its format [file; default].",
                StringValue(""),
                MakeStringAccessor(&WormholeNetwork::m_file),
                MakeStringChecker())
            .AddAttribute("Router",
                          "What a router does with a packet that cannot advance: drop it, store "
                          "it, or store it for HoldLimit cycles [name; sections 4.2, 4.5 and 6].",
                          EnumValue(RouterKind::LOSSY),
                          MakeEnumAccessor<RouterKind>(&WormholeNetwork::m_router),
                          MakeEnumChecker(RouterKind::LOSSY,
                                          "lossy",
                                          RouterKind::BUFFERED,
                                          "buffered",
                                          RouterKind::HYBRID,
                                          "hybrid"))
            .AddAttribute(
                "FlitBits",
                "Width of a flit [bits; section 4.2].",
                UintegerValue(32),
                MakeUintegerAccessor(&WormholeNetwork::SetFlitBits, &WormholeNetwork::GetFlitBits),
                MakeUintegerChecker<uint32_t>(1, 65536))
            .AddAttribute("ChecksumFlit",
                          "Whether packets end in a checksum flit; auto: if the routers drop "
                          "packets [name; sections 4.2 and 4.5].",
                          EnumValue(ChecksumFlit::AUTO),
                          MakeEnumAccessor<ChecksumFlit>(&WormholeNetwork::m_checksumFlit),
                          MakeEnumChecker(ChecksumFlit::AUTO,
                                          "auto",
                                          ChecksumFlit::ON,
                                          "on",
                                          ChecksumFlit::OFF,
                                          "off"))
            .AddAttribute("Mtu",
                          "Largest frame, its protocol header included [bytes; default].",
                          UintegerValue(4096),
                          MakeUintegerAccessor(&WormholeNetwork::m_mtu),
                          MakeUintegerChecker<uint32_t>(1, 1U << 26))
            .AddAttribute("InjectionPorts",
                          "Packets that a node can inject at the same time, 0 for any number "
                          "[ports; calibrated to the buffered column of Table 2a].",
                          UintegerValue(1),
                          MakeUintegerAccessor(&WormholeNetwork::m_injectionPorts),
                          MakeUintegerChecker<uint32_t>(0, 64))
            .AddAttribute("EjectionPorts",
                          "Packets that a node can receive at the same time, 0 for any number "
                          "[ports; calibrated to the buffered column of Table 2a].",
                          UintegerValue(1),
                          MakeUintegerAccessor(&WormholeNetwork::m_ejectionPorts),
                          MakeUintegerChecker<uint32_t>(0, 64))
            .AddAttribute(
                "ServiceOrder",
                "Order in which heads that contend in a cycle are served where packets "
                "are dropped; the oldest first, as a list of packets in flight serves them "
                "[name; default].",
                EnumValue(ServiceOrder::OLDEST),
                MakeEnumAccessor<ServiceOrder>(&WormholeNetwork::m_serviceOrder),
                MakeEnumChecker(ServiceOrder::ROTATING,
                                "rotating",
                                ServiceOrder::RANDOM,
                                "random",
                                ServiceOrder::OLDEST,
                                "oldest",
                                ServiceOrder::YOUNGEST,
                                "youngest"))
            .AddAttribute("Arbitration",
                          "Which of the packets that wait for a channel gets it where packets are "
                          "stored [name; default].",
                          EnumValue(Arbitration::FIRST_COME),
                          MakeEnumAccessor<Arbitration>(&WormholeNetwork::m_arbitration),
                          MakeEnumChecker(Arbitration::FIRST_COME,
                                          "first-come",
                                          Arbitration::ROUND_ROBIN,
                                          "round-robin",
                                          Arbitration::OLDEST,
                                          "oldest",
                                          Arbitration::RANDOM,
                                          "random",
                                          Arbitration::FIXED,
                                          "fixed"))
            .AddAttribute("ThroughFirst",
                          "Whether packets to be injected wait for all through traffic in a "
                          "buffered network [default].",
                          BooleanValue(true),
                          MakeBooleanAccessor(&WormholeNetwork::m_throughFirst),
                          MakeBooleanChecker())
            .AddAttribute("Routing",
                          "Productive channels that a head may take in a network that drops: the "
                          "first free one in dimension order, only the first one, or a free one at "
                          "random [name; section 4.2].",
                          EnumValue(Routing::PRODUCTIVE),
                          MakeEnumAccessor<Routing>(&WormholeNetwork::m_routing),
                          MakeEnumChecker(Routing::PRODUCTIVE,
                                          "productive",
                                          Routing::STRICT,
                                          "strict",
                                          Routing::RANDOM,
                                          "random"))
            .AddAttribute("SourceBusy",
                          "What becomes of a frame sent while the injection port or all productive "
                          "channels are busy in a lossy network: dropped as a failed attempt, or "
                          "refused until OnReady [name; default].",
                          EnumValue(SourceBusy::WAIT),
                          MakeEnumAccessor<SourceBusy>(&WormholeNetwork::m_sourceBusy),
                          MakeEnumChecker(SourceBusy::DROP, "drop", SourceBusy::WAIT, "wait"))
            .AddAttribute("QueueLimit",
                          "Packets that wait for an injection port of a buffered network before "
                          "Send refuses, 0 for any number [packets; default].",
                          UintegerValue(0),
                          MakeUintegerAccessor(&WormholeNetwork::m_queue),
                          MakeUintegerChecker<uint32_t>(0))
            .AddAttribute("CreditDelay",
                          "Time until a freed buffer is known upstream in a buffered network "
                          "[cycles; calibrated to the buffered column of Table 2a].",
                          UintegerValue(1),
                          MakeUintegerAccessor(&WormholeNetwork::m_creditDelay),
                          MakeUintegerChecker<uint32_t>(0, 1U << 20))
            .AddAttribute(
                "HoldLimit",
                "How long a hybrid router stores a packet before it drops it [cycles; default].",
                UintegerValue(8),
                MakeUintegerAccessor(&WormholeNetwork::m_holdLimit),
                MakeUintegerChecker<uint32_t>(0, 1U << 20))
            .AddAttribute("TimeToLive",
                          "How long a packet's head may be in a lossy or hybrid network, 0 for "
                          "ever [cycles; section 2.3].",
                          UintegerValue(0),
                          MakeUintegerAccessor(&WormholeNetwork::m_timeToLive),
                          MakeUintegerChecker<uint32_t>(0, 1U << 30))
            .AddAttribute("MisrouteLimit",
                          "Hops that do not lead towards the destination which a packet may take "
                          "around faults in a network that drops [hops; default].",
                          UintegerValue(0),
                          MakeUintegerAccessor(&WormholeNetwork::m_misrouteLimit),
                          MakeUintegerChecker<uint32_t>(0, 200))
            .AddAttribute("MisrouteBlocked",
                          "Whether such hops may also lead around busy channels [default].",
                          BooleanValue(false),
                          MakeBooleanAccessor(&WormholeNetwork::m_misrouteBlocked),
                          MakeBooleanChecker())
            .AddAttribute("Loss",
                          "Probability that a packet is lost [probability; default].",
                          DoubleValue(0),
                          MakeDoubleAccessor(&WormholeNetwork::m_loss),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("Corruption",
                          "Probability that a hop corrupts a packet, which the checksum flit tells "
                          "[probability; default].",
                          DoubleValue(0),
                          MakeDoubleAccessor(&WormholeNetwork::m_corruption),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("FreeOnDrop",
                          "Whether the channels and the injection port that a dropped packet "
                          "occupies are free in the next cycle in a lossy network, rather than "
                          "when its flits have drained [bool; default].",
                          BooleanValue(false),
                          MakeBooleanAccessor(&WormholeNetwork::m_freeOnDrop),
                          MakeBooleanChecker())
            .AddAttribute("Faults",
                          "Whether links and routers may fail while the network runs [default].",
                          BooleanValue(false),
                          MakeBooleanAccessor(&WormholeNetwork::m_faults),
                          MakeBooleanChecker())
            .AddAttribute("Observe",
                          "Whether the use of channels is counted, at some cost, although nobody "
                          "traces hops [default].",
                          BooleanValue(false),
                          MakeBooleanAccessor(&WormholeNetwork::m_observe),
                          MakeBooleanChecker())
            .AddTraceSource("Hop",
                            "A head has taken a channel.",
                            MakeTraceSourceAccessor(&WormholeNetwork::m_hopTrace),
                            "ns3::wormhole::WormholeNetwork::HopTracedCallback")
            .AddTraceSource("Drop",
                            "A packet has been dropped.",
                            MakeTraceSourceAccessor(&WormholeNetwork::m_dropTrace),
                            "ns3::wormhole::WormholeNetwork::DropTracedCallback")
            .AddTraceSource("Delivery",
                            "The tail of a packet has arrived.",
                            MakeTraceSourceAccessor(&WormholeNetwork::m_deliveryTrace),
                            "ns3::wormhole::WormholeNetwork::DeliveryTracedCallback");
    return tid;
}

ShapeConfig
WormholeNetwork::GetShapeConfig() const
{
    return ShapeConfig{m_topology,
                       m_nodes,
                       m_sides,
                       m_torus,
                       m_arity,
                       m_growth,
                       m_channelsPerLeaf,
                       m_linkStyle,
                       m_file,
                       m_router == RouterKind::BUFFERED};
}

KernelConfig
WormholeNetwork::GetKernelConfig() const
{
    return KernelConfig{m_injectionPorts,
                        m_ejectionPorts,
                        m_serviceOrder,
                        m_arbitration,
                        m_throughFirst,
                        m_routing,
                        m_sourceBusy,
                        m_queue,
                        m_creditDelay,
                        m_router == RouterKind::HYBRID ? m_holdLimit : 0,
                        m_timeToLive,
                        m_misrouteLimit,
                        m_misrouteBlocked,
                        m_loss,
                        m_corruption,
                        m_freeOnDrop};
}

std::string
WormholeNetwork::Check() const
{
    std::string error;
    const auto shape = Shape::Make(GetShapeConfig(), error);
    if (!shape)
    {
        return error;
    }
    if (m_router == RouterKind::BUFFERED && m_routing == Routing::RANDOM)
    {
        return "Router buffered knows no Routing random; productive and strict are allowed and "
               "mean the same.";
    }
    if (m_router != RouterKind::LOSSY && m_freeOnDrop)
    {
        return "FreeOnDrop is allowed with Router lossy only; a hybrid router stores flits of what "
               "it drops.";
    }
    if (m_router == RouterKind::BUFFERED && m_corruption > 0)
    {
        return "Corruption is allowed with Router lossy and hybrid only, whose packets have a "
               "checksum flit.";
    }
    if (m_corruption > 0 && m_checksumFlit == ChecksumFlit::OFF)
    {
        return "Corruption goes unnoticed without a checksum flit; ChecksumFlit has to be auto or "
               "on.";
    }
    const uint64_t flits = (static_cast<uint64_t>(m_mtu) * 8 + m_flitBits - 1) / m_flitBits + 1;
    if (flits > MAX_FLITS)
    {
        return "Mtu " + std::to_string(m_mtu) + " makes packets of " + std::to_string(flits) +
               " flits; they may have up to " + std::to_string(MAX_FLITS) + ".";
    }
    return "";
}

} // namespace wormhole
} // namespace ns3
