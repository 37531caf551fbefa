/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ethernet-fabric-network.h"

#include "ethernet-fabric-tiers.h"

#include "ns3/abort.h"
#include "ns3/ethernet-fabric-channel.h"
#include "ns3/messaging-attributes.h"
#include "ns3/messaging-named-counts.h"
#include "ns3/messaging-network-device-helper.h"
#include "ns3/messaging-part-trace.h"
#include "ns3/messaging-row-table.h"

#include <array>
#include <utility>

namespace ns3
{
namespace fabric
{

NS_OBJECT_ENSURE_REGISTERED(FabricNetwork);

namespace
{

constexpr uint32_t MOST_BYTES = 1U << 30; ///< Limit of buffers and thresholds [bytes].
constexpr uint32_t MOST_PORTS = 4096;     ///< Limit of ports and nodes of a kind.

/**
 * Add the attributes of topology and links.
 * @param config binder of the parameters
 */
template <class Config>
void
AddShape(Config config)
{
    using messaging::Range;
    config
        .AddAttribute(
            "Topology",
            "Shape of the network: that of Preset, and two tiers without one; one switch, two "
            "tiers, three, or those of TopologyFile [name; default].",
            &FabricConfig::topology,
            {{TopologyKind::OF_PRESET, "preset"},
             {TopologyKind::SWITCH, "switch"},
             {TopologyKind::LEAF_SPINE, "leaf-spine"},
             {TopologyKind::FAT_TREE, "fat-tree"},
             {TopologyKind::FROM_FILE, "file"}})
        .AddAttribute("TopologyFile",
                      "Topology of htsim (.topo) for Topology file. Rates, delays, latencies and "
                      "limits of queues in it have precedence [path; default].",
                      &FabricConfig::topologyFile)
        .AddAttribute("HostsPerLeaf",
                      "Hosts of each leaf of topology leaf-spine; 0: the square root of their "
                      "number, rounded up [hosts; default].",
                      &FabricConfig::hostsPerLeaf,
                      Range{0U, MOST_PORTS})
        .AddAttribute("Spines",
                      "Spines of topology leaf-spine; 0: as many as a leaf has hosts [switches; "
                      "default].",
                      &FabricConfig::spines,
                      Range{0U, MOST_PORTS})
        .AddAttribute("Parallel",
                      "Links between a switch and each one above it [links; default].",
                      &FabricConfig::parallel,
                      Range{1U, 64U})
        .AddAttribute("Planes",
                      "Copies of the topology, each with a port of every host; the path value "
                      "of a frame selects one, so Paths is a multiple [planes; default].",
                      &FabricConfig::planes,
                      Range{1U, MAX_PLANES})
        .AddAttribute("Radix",
                      "Ports of a switch of topology fat-tree, without oversubscription and "
                      "parallel links; 0: the least that suffices [ports; default].",
                      &FabricConfig::radix,
                      Range{0U, 256U})
        .AddAttribute("Oversubscription",
                      "Hosts of a leaf for each switch above it, in topology fat-tree [ratio; "
                      "default].",
                      &FabricConfig::oversubscription,
                      Range{1U, 64U})
        .AddAttribute("HostRate",
                      "Rate of the hosts' links [bit/s; default].",
                      &FabricConfig::hostRate)
        .AddAttribute("TrunkRate",
                      "Rate of the links between switches; 0bps: HostRate [bit/s; default].",
                      &FabricConfig::trunkRate)
        .AddAttribute("Delay",
                      "Delay of a link [Time; default].",
                      &FabricConfig::delay,
                      Range{Time(0), Seconds(10)})
        .AddAttribute("Mtu",
                      "Largest frame of a protocol, with its header [bytes; default].",
                      &FabricConfig::mtu,
                      Range{64U, 9216U})
        .AddAttribute("Overhead",
                      "Headers and checksum around a protocol's frame: Ethernet, IP and UDP "
                      "[bytes; IEEE 802.3, RFC 791, RFC 768].",
                      &FabricConfig::overhead,
                      Range{0U, 256U})
        .AddAttribute("Gaps",
                      "A frame has a preamble of 8 bytes and a gap of 12 [bool; IEEE 802.3].",
                      &FabricConfig::gaps)
        .AddAttribute("SendQueue",
                      "Frames that a host's port holds, with the one on the link [frames; "
                      "default].",
                      &FabricConfig::sendQueue,
                      Range{1U, 1U << 20})
        .AddAttribute("Convergence",
                      "Time from a change of a link until routes take account of it [Time; "
                      "default].",
                      &FabricConfig::convergence,
                      Range{Time(0), Seconds(1000)})
        .AddAttribute("Faults",
                      "Faults of links and switches, such as \"10us leaf0-spine1 down; 60us "
                      "leaf0-spine1 up\"; the module's documentation has the format [text; "
                      "default].",
                      &FabricConfig::faults)
        .AddAttribute("FaultsFile",
                      "File with further faults, one a line [path; default].",
                      &FabricConfig::faultsFile)
        .AddAttribute("BitErrors",
                      "Bit error rate of each link [1/bit; default].",
                      &FabricConfig::bitErrors,
                      Range{0.0, 0.01});
}

/**
 * Add the attributes of switches.
 * @param config binder of the parameters
 */
template <class Config>
void
AddSwitches(Config config)
{
    using messaging::Range;
    config
        .AddAttribute("Switching",
                      "Time at which a frame can leave a switch: after its last byte, or after "
                      "CutThrough bytes [name; default].",
                      &FabricConfig::switching,
                      {{Switching::STORE_AND_FORWARD, "store-and-forward"},
                       {Switching::CUT_THROUGH, "cut-through"}})
        .AddAttribute("CutThrough",
                      "Bytes of a frame that a switch reads before it forwards the frame [bytes; "
                      "default].",
                      &FabricConfig::cutThrough,
                      Range{14U, 9216U})
        .AddAttribute("Latency",
                      "Latency of a switch [Time; default].",
                      &FabricConfig::latency,
                      Range{Time(0), Seconds(1)})
        .AddAttribute("Classes",
                      "Classes of traffic, each with a queue at each port; the highest precedes "
                      "all others [classes; IEEE 802.1Q].",
                      &FabricConfig::classes,
                      Range{1U, MAX_CLASSES})
        .AddAttribute("Weights",
                      "Weights of the classes, such as \"3 1\", by which they share a link; if "
                      "empty, the highest precedes all others [numbers; default].",
                      &FabricConfig::weights)
        .AddAttribute("Sharing",
                      "Limit of a queue: Buffer, or Alpha times the free part of Buffer, which the "
                      "ports of a switch share [name; default].",
                      &FabricConfig::sharing,
                      {{Sharing::FIXED, "fixed"}, {Sharing::DYNAMIC, "dynamic"}})
        .AddAttribute("Buffer",
                      "Limit of a queue, or size of a switch's buffer if Sharing is dynamic "
                      "[bytes; default].",
                      &FabricConfig::buffer,
                      Range{64U, MOST_BYTES})
        .AddAttribute("Alpha",
                      "Largest ratio of a queue to the free buffer, if Sharing is dynamic [ratio; "
                      "default].",
                      &FabricConfig::alpha,
                      Range{0.001, 1024.0})
        .AddAttribute(
            "Admission",
            "Fate of a frame that finds a long queue: it is dropped, loses its payload, "
            "or is queued because its sender has been paused [name; default].",
            &FabricConfig::admission,
            {{Admission::DROP, "drop"}, {Admission::TRIM, "trim"}, {Admission::PFC, "pfc"}})
        .AddAttribute("TrimThreshold",
                      "Length of a queue beyond which frames are trimmed [bytes; default].",
                      &FabricConfig::trimThreshold,
                      Range{64U, MOST_BYTES})
        .AddAttribute("TrimSize",
                      "Length of a trimmed frame [bytes; default].",
                      &FabricConfig::trimSize,
                      Range{24U, 9216U})
        .AddAttribute("HeaderQueue",
                      "Limit of a queue of trimmed frames [bytes; default].",
                      &FabricConfig::headerQueue,
                      Range{64U, MOST_BYTES})
        .AddAttribute("PfcXoff",
                      "Bytes of a class from one input in a switch beyond which it pauses the "
                      "sender [bytes; default].",
                      &FabricConfig::pfcXoff,
                      Range{0U, MOST_BYTES})
        .AddAttribute("PfcAlpha",
                      "The same as a ratio to the free buffer, in place of PfcXoff, or 0 [ratio; "
                      "default].",
                      &FabricConfig::pfcAlpha,
                      Range{0.0, 1024.0})
        .AddAttribute("PfcResume",
                      "Bytes below that threshold at which the sender resumes [bytes; default].",
                      &FabricConfig::pfcResume,
                      Range{0U, MOST_BYTES})
        .AddAttribute("PfcHeadroom",
                      "Bytes beyond that threshold that an input can take; 0: what the largest "
                      "frame and the delay need [bytes; default].",
                      &FabricConfig::pfcHeadroom,
                      Range{0U, MOST_BYTES})
        .AddAttribute("PfcPause",
                      "Time for which a pause frame pauses; the switch repeats it after half of "
                      "it, and it can be lost by a bit error; 0: until another frame ends it, and "
                      "none is lost [Time; default].",
                      &FabricConfig::pfcPause,
                      Range{Time(0), Seconds(1000)})
        .AddAttribute("PfcWatchdog",
                      "Time for which a class of a port can be paused; then its frames are dropped "
                      "and the pause is ignored; 0 for no limit [Time; default].",
                      &FabricConfig::pfcWatchdog,
                      Range{Time(0), Seconds(1000)})
        .AddAttribute("Lossless",
                      "Classes with PFC, if Admission is pfc: a bit for each [bits; default].",
                      &FabricConfig::lossless,
                      Range{0U, (1U << MAX_CLASSES) - 1})
        .AddAttribute("Ecn",
                      "Congestion marks: none, all from EcnLow on, or a share that rises from "
                      "EcnLow to EcnHigh [name; default].",
                      &FabricConfig::ecn,
                      {{Ecn::OFF, "off"}, {Ecn::STEP, "step"}, {Ecn::RED, "red"}})
        .AddAttribute("EcnLow",
                      "Length of a queue from which frames are marked [bytes; default].",
                      &FabricConfig::ecnLow,
                      Range{0U, MOST_BYTES})
        .AddAttribute("EcnHigh",
                      "Length of a queue from which all frames are marked [bytes; default].",
                      &FabricConfig::ecnHigh,
                      Range{0U, MOST_BYTES})
        .AddAttribute("EcnShare",
                      "Share of marked frames just below EcnHigh [probability; default].",
                      &FabricConfig::ecnShare,
                      Range{0.0, 1.0})
        .AddAttribute("EcnPoint",
                      "Time at which the queue is measured: arrival or departure of the frame "
                      "[name; default].",
                      &FabricConfig::ecnPoint,
                      {{EcnPoint::ENQUEUE, "enqueue"}, {EcnPoint::DEQUEUE, "dequeue"}})
        .AddAttribute("EcnLastHop",
                      "Ports to hosts mark frames, too [bool; default].",
                      &FabricConfig::ecnLastHop)
        .AddAttribute("Routing",
                      "Choice among ports that are equally near: hash of sender, receiver and "
                      "path; random; shortest queue; or digits of the path [name; default].",
                      &FabricConfig::routing,
                      {{Routing::ECMP, "ecmp"},
                       {Routing::SPRAY, "spray"},
                       {Routing::LEAST_QUEUE, "least-queue"},
                       {Routing::SOURCE, "source"}})
        .AddAttribute("Paths",
                      "Path values that senders can use; with more than one, frames overtake each "
                      "other. A packet of a net device has a hash of its flow [paths; default].",
                      &FabricConfig::paths,
                      Range{1U, 65535U});
}

} // namespace

TypeId
FabricNetwork::GetTypeId()
{
    static TypeId tid = [] {
        TypeId type = messaging::SetSummary(
                          TypeId("ns3::fabric::FabricNetwork"),
                          "Lossy Ethernet of today: leaves and spines or a fat tree, shared "
                          "buffers, ECN, PFC, trimming, several paths.")
                          .SetParent<Network>()
                          .SetGroupName("EthernetFabric")
                          .AddConstructor<FabricNetwork>();
        messaging::Attributes<FabricNetwork> attributes(type);
        attributes.AddAttribute(
            "Preset",
            "Published configuration. Attributes that differ from their defaults have precedence "
            "[name; default].",
            &FabricNetwork::m_preset,
            Preset::NONE,
            {{Preset::NONE, "none"},
             {Preset::IRN2018, "irn2018"},
             {Preset::HPCC, "hpcc"},
             {Preset::CONWEAVE, "conweave"},
             {Preset::HTSIM, "htsim"},
             {Preset::UET, "uet"}});
        AddShape(attributes.In(&FabricNetwork::m_config));
        AddSwitches(attributes.In(&FabricNetwork::m_config));
        attributes.AddTraceSource(
            "Drop",
            "A frame is lost.",
            messaging::MakePartTraceAccessor(&FabricNetwork::m_traces, &FabricTraces::drop),
            "ns3::fabric::FabricNetwork::DropTracedCallback");
        attributes.AddTraceSource(
            "Pause",
            "A switch pauses the sender at the other end of a link, or ends the pause.",
            messaging::MakePartTraceAccessor(&FabricNetwork::m_traces, &FabricTraces::pause),
            "ns3::fabric::FabricNetwork::PauseTracedCallback");
        attributes.AddTraceSource(
            "Hop",
            "A frame has crossed a link: the times at which its last byte has left a port and "
            "arrived at the other one.",
            messaging::MakePartTraceAccessor(&FabricNetwork::m_traces, &FabricTraces::hop),
            "ns3::fabric::FabricNetwork::HopTracedCallback");
        return type;
    }();
    return tid;
}

FabricNetwork::FabricNetwork()
    : m_random(CreateObject<UniformRandomVariable>()),
      m_traces(Create<FabricTraces>())
{
}

void
FabricNetwork::DoDispose()
{
    if (m_nativePort)
    {
        m_nativePort->SetUser(nullptr);
    }
    m_nativePort = nullptr;
    Network::DoDispose();
}

std::string
FabricNetwork::Check(uint32_t hosts) const
{
    return GetConfig().Check(hosts);
}

messaging::PortInfo
FabricNetwork::GetInfo() const
{
    return GetConfig().GetInfo(m_nativePort ? m_nativePort->GetNPeers() : 0);
}

Ptr<FabricPort>
FabricNetwork::GetNativePort() const
{
    if (!m_nativePort)
    {
        const std::string error = Check(m_hosts);
        NS_ABORT_MSG_UNLESS(error.empty(), error);
        m_nativePort = Create<FabricPort>(GetConfig(), m_hosts, m_traces);
        m_nativePort->GetEngine().SetSeed(m_random->GetInteger(1, NONE));
    }
    return m_nativePort;
}

void
FabricNetwork::SetClock(Ptr<messaging::TickClock> clock)
{
    const auto port = GetNativePort();
    port->SetClock(clock);
    SetPort(clock, Ptr<messaging::AnyPort>(new AnyFabricPort(port), false));
    m_traces->drop.ConnectWithoutContext(MakeCallback(&FabricNetwork::CountDrop, this));
}

void
FabricNetwork::CountDrop(const LossEvent& loss, const Frame&)
{
    static const auto PLACES = [] {
        std::array<std::array<std::string, N_LOSS_REASONS>, N_TIERS> places;
        for (std::size_t tier = 0; tier < N_TIERS; ++tier)
        {
            places[tier] = messaging::NameAll<LossReason, N_LOSS_REASONS>(
                messaging::ToText(static_cast<Tier>(tier), ": "));
        }
        return places;
    }();
    const auto& topology = m_nativePort->GetEngine().GetTopology();
    const Tier tier = topology.GetNodes()[topology.GetOwner(loss.port)].tier;
    Lose(PLACES[static_cast<std::size_t>(tier)][static_cast<std::size_t>(loss.reason)], 1);
}

void
FabricNetwork::DoBuild(uint32_t peers)
{
    SetNodes(peers);
    SetClock(MakeClock());
}

NetDeviceContainer
FabricNetwork::DoInstall(const NodeContainer& nodes)
{
    return messaging::NetworkDeviceHelper<FabricNetwork, FabricChannel>().Install(nodes, this);
}

std::vector<messaging::NamedTable>
FabricNetwork::GetTables() const
{
    const FabricConfig config = GetConfig();
    const std::vector<FabricTier> tiers = GetTiers(config, GetNativePort()->GetNPeers()).tiers;
    using Row = std::pair<std::string, double>;
    const std::vector<Row> thresholds{
        {"Buffer", config.buffer},
        {"Alpha", config.alpha},
        {"TrimThreshold", config.trimThreshold},
        {"PfcXoff", config.pfcXoff},
        {"PfcAlpha", config.pfcAlpha},
        {"PfcHeadroom", config.GetHeadroom()},
        {"EcnLow", config.ecnLow},
        {"EcnHigh", config.ecnHigh},
        {"EcnShare", config.ecnShare},
        {"HostRate", static_cast<double>(tiers.front().rate.GetBitRate())},
        {"TrunkRate", static_cast<double>(tiers.back().rate.GetBitRate())}};
    return {{"Ports", GetNativePort()->MakePortTable()},
            {"Thresholds",
             messaging::RowTable(thresholds)
                 .Add("parameter", "", &Row::first)
                 .Add("value", "", &Row::second)
                 .Get()}};
}

int64_t
FabricNetwork::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    if (m_nativePort)
    {
        m_nativePort->GetEngine().SetSeed(m_random->GetInteger(1, NONE));
    }
    return 1;
}

} // namespace fabric
} // namespace ns3
