/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "idempotent-scenario.h"

#include "ns3/idempotent-trace-file.h"
#include "ns3/messaging-attributes.h"
#include "ns3/messaging-datagram-core.h"
#include "ns3/messaging-forwarded-attributes.h"
#include "ns3/messaging-row-table.h"
#include "ns3/messaging-scenario-recorder.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{
namespace idempotent
{

NS_OBJECT_ENSURE_REGISTERED(IdempotentScenario);

using messaging::DeliveryAudit;
using messaging::MessageGroup;
using messaging::Table;
using messaging::TickClock;
using messaging::Ticks;
using messaging::Verdict;
using wormhole::WormholeFaults;
using wormhole::WormholeNetwork;
using wormhole::WormholePort;

namespace
{

/** Maximum time from the last delivery to the last packet of the protocol [cycles]. */
constexpr int64_t LONGEST_DRAIN = 10000000;

/** Bits of a sequence number in the alternative of section 2.1, one for each pair. */
constexpr double SEQUENCE_BITS = 32;

/** Bits of the message index in a line of the send table (section 2.4). */
constexpr double INDEX_BITS = 16;

/**
 * Create the group of all nodes.
 * @param clock clock of the network's ticks
 * @param port the network
 * @param settings parameters of the protocol; nullptr for none
 * @return the group
 */
template <class Port>
Ptr<messaging::MessageGroup>
MakeGroup(Ptr<TickClock> clock, Ptr<Port> port, const IdempotentSettings* settings)
{
    if (settings)
    {
        const auto group = CreateObject<IdempotentPortGroup<Port>>();
        group->Connect(clock, port, *settings);
        return group;
    }
    using messaging::DatagramCore;
    const auto group = CreateObject<messaging::CoreGroup<DatagramCore, Port>>();
    group->Connect(clock, port, [](messaging::Peer) {
        return DatagramCore(std::numeric_limits<uint32_t>::max());
    });
    return group;
}

} // namespace

TypeId
IdempotentScenario::GetTypeId()
{
    using S = IdempotentScenario;
    static TypeId tid =
        messaging::Attributes<S>(
            messaging::SetSummary(
                TypeId("ns3::idempotent::IdempotentScenario"),
                "Execution time of a trace on wormhole routers, with the idempotent "
                "protocol or none.")
                .SetParent<messaging::Scenario>()
                .SetGroupName("Idempotent")
                .AddConstructor<IdempotentScenario>())
            .In(&S::m_benchmark)
            .AddAttribute("Benchmark",
                          "Micro-benchmark, or file for a block-structured trace from TraceFile "
                          "[name; section 4.1].",
                          &BenchmarkParameters::kind,
                          {{BenchmarkKind::REVERSE, "reverse"},
                           {BenchmarkKind::ADD, "add"},
                           {BenchmarkKind::QUICKSORT, "quicksort"},
                           {BenchmarkKind::NBODY, "nbody"},
                           {BenchmarkKind::FILE, "file"}})
            .AddAttribute("TraceFile",
                          "Trace file of benchmark file [file; user].",
                          &S::m_traceFile,
                          "")
            .AddAttribute("Nodes",
                          "Number of nodes; 0 for the published one: add 4096, reverse and "
                          "quicksort 1024, nbody 256 [nodes; section 4.1].",
                          &BenchmarkParameters::nodes)
            .AddAttribute("Entries",
                          "Length of the vector of reverse or quicksort; 0 for the published 16 "
                          "or 32 per node [entries; section 4.1].",
                          &BenchmarkParameters::entries)
            .AddAttribute("DataSeed",
                          "Seed of the benchmark's random data [number; calibrated to the buffered "
                          "column of Table 2a].",
                          &BenchmarkParameters::seed)
            .AddAttribute("ThreadArity",
                          "Children of each thread in trees of threads [threads; calibrated to the "
                          "buffered column of Table 2a].",
                          &BenchmarkParameters::arity,
                          messaging::Range{1U, UINT32_MAX})
            .AddAttribute("Constants",
                          "Overridden constants of the programs and of their machine, as in "
                          "\"StoreWords=7 CountTime=40\" [name=number; user].",
                          &BenchmarkParameters::constants)
            .AddAttribute("AddVariant",
                          "Passes of add: sum only, or prefix sums [name; calibrated to the "
                          "buffered column of Table 2a].",
                          &BenchmarkParameters::addVariant,
                          {{AddVariant::SUM, "sum"}, {AddVariant::PREFIX, "prefix"}})
            .AddAttribute(
                "ReverseThreads",
                "Threads of reverse: forked, or at each node from time zero [name; "
                "calibrated to Table 2a].",
                &BenchmarkParameters::threads,
                {{ThreadCreation::FORKED, "forked"}, {ThreadCreation::PRELOADED, "preloaded"}})
            .AddAttribute("BroadcastOrder",
                          "Order of the stores of nbody: row and column in turn, or the whole row "
                          "first [name; calibrated to the buffered column of Table 2a].",
                          &BenchmarkParameters::broadcast,
                          {{BroadcastOrder::INTERLEAVED, "interleaved"},
                           {BroadcastOrder::ROW_FIRST, "row-first"}})
            .AddAttribute("PhaseControl",
                          "Synchronisation of nbody: forked phases, or barriers [name; section "
                          "3.1].",
                          &BenchmarkParameters::control,
                          {{PhaseControl::FORKED, "forked"}, {PhaseControl::BARRIERS, "barriers"}})
            .AddAttribute(
                "Protocol",
                "Carrier of the messages: the idempotent protocol, none, or auto, which is none if "
                "the network drops no packet [name; section 4.5].",
                &S::m_protocolKind,
                ProtocolKind::AUTO,
                {{ProtocolKind::AUTO, "auto"},
                 {ProtocolKind::IDEMPOTENT, "idempotent"},
                 {ProtocolKind::NONE, "none"}})
            .Forward<&S::m_network>({"Nodes", "Cycle"})
            .Forward<&S::m_protocol>({"Adaptive"})
            .Forward<&S::m_replay>()
            .AddResult("Cycles",
                       "Execution time: last delivery or end of a block [cycles; Table 2a].",
                       &S::cycles)
            .AddResult("SlowCycles",
                       "Execution time in cycles of the slower clock [cycles; Table 2b].",
                       &S::slowCycles)
            .AddResult("Messages",
                       "Messages of the trace that use the network [messages].",
                       &S::messages)
            .AddResult("Delivered", "Messages delivered [messages].", &S::delivered)
            .AddResult("Packets",
                       "Attempts of nodes to send a MSG, ACK or CONF [packets; section 6].",
                       &S::packets)
            .AddResult("PacketsPerMessage",
                       "Packets for each message [packets per message; section 6].",
                       &S::packetsPerMessage)
            .AddResult("TransmissionsPerMessage",
                       "Attempts to send the MSG for each message [packets per message; Figure "
                       "10].",
                       &S::transmissionsPerMessage)
            .AddResult("Injected", "Packets that entered the network [packets].", &S::injected)
            .AddResult("Hops", "Channels taken by packet heads [hops].", &S::hops)
            .AddResult("Failed",
                       "Failures of routers, and of links in each direction [failures; result].",
                       &S::failed)
            .AddResult("Misroutes",
                       "Hops away from the destination, around failures [hops; result].",
                       &S::misroutes)
            .AddResult("PeakSendTable",
                       "Peak number of entries in any send table [entries; Figure 11].",
                       &S::peakSendTable)
            .AddResult("PeakReceiveTable",
                       "Peak number of entries in any receive table [entries; Figure 11].",
                       &S::peakReceiveTable)
            .AddResult("TableBytesPerNode",
                       "Memory of a node's send and receive table in a machine, with message "
                       "indices of 16 bits [bytes; section 2.4].",
                       &S::tableBytesPerNode)
            .AddResult("SequenceBytesPerNode",
                       "Memory of a node with a 32-bit sequence number for each other node, in "
                       "both directions [bytes; section 2.1].",
                       &S::sequenceBytesPerNode)
            .AddResult("SimulationBytesPerNode",
                       "Memory of the simulation for protocol state, trace and replay [bytes per "
                       "node].",
                       &S::simulationBytesPerNode)
            .AddResult("Drops", "Dropped packets by reason.", &S::drops)
            .AddResult("Events", "Events of the protocol.", &S::events)
            .AddResult("HeatMap",
                       "Utilisation of each link; empty unless Observe is set.",
                       &S::heatMap);
    return tid;
}

IdempotentScenario::IdempotentScenario()
    : m_network(CreateObject<WormholeNetwork>()),
      m_protocol(CreateObject<IdempotentProtocol>()),
      m_replay(CreateObject<TraceReplayer>())
{
}

const TraceOrError&
IdempotentScenario::ReadFile() const
{
    if (m_fileRead != m_traceFile)
    {
        m_file = ReadTraceFile(m_traceFile);
        m_fileRead = m_traceFile;
    }
    return m_file;
}

Ptr<WormholeNetwork>
IdempotentScenario::MakeNetwork(uint32_t nodes) const
{
    auto network = CreateObject<WormholeNetwork>();
    messaging::CopyAttributes(m_network, network);
    network->SetAttribute("Nodes", UintegerValue(nodes));
    return network;
}

IdempotentSettings
IdempotentScenario::MakeSettings() const
{
    IdempotentSettings settings = m_protocol->GetSettings();
    // The message lengths of a trace include the headers.
    settings.config.messageHeader = 0;
    return settings;
}

bool
IdempotentScenario::UsesProtocol() const
{
    return m_protocolKind == ProtocolKind::IDEMPOTENT ||
           (m_protocolKind == ProtocolKind::AUTO &&
            (!m_network->GetInfo().lossless || m_network->GetFaults()->IsAny()));
}

std::string
IdempotentScenario::Check() const
{
    const bool fromFile = m_benchmark.kind == BenchmarkKind::FILE;
    if (!fromFile && !m_traceFile.empty())
    {
        return "TraceFile has no effect where Benchmark is not file.";
    }
    if (fromFile && m_traceFile.empty())
    {
        return "TraceFile has to name the trace file.";
    }
    uint32_t peers = 0;
    if (fromFile)
    {
        const TraceOrError& read = ReadFile();
        if (!read.error.empty())
        {
            return "TraceFile " + read.error;
        }
        if (m_benchmark.nodes != 0)
        {
            return "Nodes has to be 0, since the file sets the number of nodes.";
        }
        peers = read.trace.nodes;
    }
    else
    {
        if (const std::string wrong = m_benchmark.Check(); !wrong.empty())
        {
            return wrong;
        }
        peers = m_benchmark.Complete().nodes;
    }
    const auto network = MakeNetwork(peers);
    if (const std::string wrong = network->Check(); !wrong.empty())
    {
        return wrong;
    }
    if (!UsesProtocol())
    {
        return "";
    }
    return MakeSettings().Check(network->GetInfo(), peers);
}

void
IdempotentScenario::OnArrival(const wormhole::Packet&, Ticks now)
{
    m_lastArrival = now;
}

void
IdempotentScenario::OnEnded(const TickClock& clock, WormholeFaults& faults) const
{
    faults.EndRandomFailures();
    if (m_replayer->GetState() == ReplayState::FINISHED)
    {
        // Continue, so that the audit detects late duplicates.
        Simulator::Stop(clock.GetTickLength() * LONGEST_DRAIN);
    }
    else
    {
        Simulator::Stop();
    }
}

void
IdempotentScenario::CollectNetwork(const WormholePort& port)
{
    const wormhole::Counters& counters = port.GetCounters();
    packets = counters.offered;
    injected = counters.injected;
    hops = counters.hops;
    misroutes = counters.misroutes;
}

void
IdempotentScenario::CollectProtocol(Ptr<const IdempotentGroup> group)
{
    const auto count = [&group](Event event) { return group ? group->GetEventCount(event) : 0; };
    const auto event = [](std::size_t i) { return static_cast<Event>(i); };
    events = messaging::RowTable(EVENTS)
                 .Add("event", "", event)
                 .Add("count", "events", [&](std::size_t i) { return count(event(i)); })
                 .Get();
    if (!group)
    {
        return;
    }
    const uint64_t transmissions = count(Event::MSG_FIRST) + count(Event::MSG_REPEATED);
    const uint64_t acks = count(Event::ACK_FIRST) + count(Event::ACK_REPEATED);
    const uint64_t sent = transmissions + acks + count(Event::CONF_SENT);
    if (sent > 0)
    {
        packets = sent;
    }
    if (messages > 0)
    {
        transmissionsPerMessage = static_cast<double>(transmissions) / messages;
    }
    const IdempotentConfig& config = group->GetConfig();
    tableBytesPerNode = (config.sendTable * (MESSAGE_ID_BITS + INDEX_BITS) +
                         config.receiveTable * (NODE_BITS + MESSAGE_ID_BITS)) /
                        8;
    uint64_t memory = 0;
    for (messaging::Peer peer = 0; peer < group->GetNPeers(); ++peer)
    {
        const auto& node = group->GetNode(peer);
        peakSendTable = std::max<uint64_t>(peakSendTable, node.GetPeakSent());
        peakReceiveTable = std::max<uint64_t>(peakReceiveTable, node.GetPeakRecords());
        memory += node.GetMemory();
    }
    simulationBytesPerNode = static_cast<double>(memory);
}

std::string
IdempotentScenario::FindCutOff(const DeliveryAudit& audit,
                               Ptr<const IdempotentGroup> protocol,
                               const WormholePort& port)
{
    std::string found;
    const auto isNews = [&](messaging::Peer one, messaging::Peer other) {
        return found.empty() && !(port.CanReach(one, other) && port.CanReach(other, one));
    };
    audit.ForUndelivered([&](messaging::Peer from, messaging::Peer to, messaging::RequestId id) {
        if (isNews(from, to))
        {
            found = "Message " + std::to_string(id) + " from node " + std::to_string(from) +
                    " to node " + std::to_string(to) +
                    " has no route in both directions around the failures";
        }
    });
    for (messaging::Peer peer = 0; protocol && peer < protocol->GetNPeers(); ++peer)
    {
        protocol->GetNode(peer).ForOpenExchanges([&](messaging::Peer other) {
            if (isNews(peer, other))
            {
                found = "A message between nodes " + std::to_string(peer) + " and " +
                        std::to_string(other) + " cannot be confirmed because of failures";
            }
        });
    }
    return found;
}

void
IdempotentScenario::Judge(bool quiet,
                          const DeliveryAudit& audit,
                          Ptr<const IdempotentGroup> protocol,
                          const WormholePort& port)
{
    const std::string progress = std::to_string(delivered) + " of " + std::to_string(messages) +
                                 " messages were delivered in " + std::to_string(cycles) +
                                 " cycles";
    if (!audit.IsClean())
    {
        SetVerdict(Verdict::VIOLATED, audit.GetFirstViolation());
        return;
    }
    if (m_replayer->GetState() == ReplayState::REFUSED)
    {
        SetVerdict(Verdict::UNREACHABLE,
                   "Message " + std::to_string(m_replayer->GetRefused()) +
                       " cannot be sent: it is too long, or its destination cannot be reached.");
        return;
    }
    const bool finished = m_replayer->GetState() == ReplayState::FINISHED;
    if (finished && quiet)
    {
        return;
    }
    if (const std::string cutOff = FindCutOff(audit, protocol, port); !cutOff.empty())
    {
        std::string reason = cutOff + "; ";
        if (!finished)
        {
            reason += "only ";
        }
        SetVerdict(Verdict::UNREACHABLE, reason + progress + ".");
    }
    else if (finished)
    {
        SetVerdict(Verdict::LIVELOCK,
                   "All messages were delivered, but the protocol is still repeating packets.");
    }
    else if (quiet)
    {
        SetVerdict(Verdict::DEADLOCK, "Nothing is pending, and only " + progress + ".");
    }
    else
    {
        SetVerdict(Verdict::LIVELOCK, "Only " + progress + "; MaxCycles or MaxIdle was reached.");
    }
}

void
IdempotentScenario::DoRun()
{
    static_cast<ReplayResults&>(*this) = ReplayResults();
    const bool fromFile = m_benchmark.kind == BenchmarkKind::FILE;
    const TraceOrError recorded = fromFile ? ReadFile() : Record(m_benchmark);
    if (!recorded.error.empty())
    {
        SetVerdict(Verdict::ERROR, recorded.error);
        return;
    }
    const Trace& trace = recorded.trace;
    const auto network = MakeNetwork(trace.nodes);
    const auto clock = CreateObject<TickClock>();
    const int64_t streams = network->AssignStreams(0);
    network->SetClock(clock);
    const auto port = network->GetNativePort();
    BooleanValue observed;
    network->GetAttribute("Observe", observed);
    m_lastArrival = 0;
    if (observed.Get())
    {
        network->TraceConnectWithoutContext("Delivery",
                                            MakeCallback(&IdempotentScenario::OnArrival, this));
    }

    const IdempotentSettings settings = MakeSettings();
    const auto used = UsesProtocol() ? &settings : nullptr;
    Ptr<messaging::MessageGroup> group;
    if (GetRecorder().IsRecording())
    {
        const auto traced = Create<messaging::TracedPort<WormholePort>>(port);
        GetRecorder().ObservePort(traced, clock->GetTickLength());
        group = MakeGroup(clock, traced, used);
        GetRecorder().ObserveGroup(group);
    }
    else
    {
        group = MakeGroup(clock, port, used);
    }
    group->AssignStreams(streams);
    const auto protocol = DynamicCast<IdempotentGroup>(group);
    const auto audit = CreateObject<DeliveryAudit>();
    audit->SetGroup(group);
    GetRecorder().ObserveMessages(audit);
    m_replayer = CreateObject<TraceReplayer>();
    messaging::CopyAttributes(m_replay, m_replayer);
    const auto faults = network->GetFaults();
    m_replayer->SetEnded([this, &clock, &faults] { OnEnded(*clock, *faults); });
    messages = trace.GetNetworkMessages();
    m_replayer->SetProgress([this](uint64_t done) {
        ReportProgress(static_cast<double>(done), static_cast<double>(messages), "messages");
    });
    m_replayer->Start(trace, audit, clock);
    Simulator::Run();

    const bool quiet = clock->GetNPending() == faults->GetNPending() && port->GetNInFlight() == 0;
    audit->Finish(quiet && m_replayer->GetState() == ReplayState::FINISHED);
    cycles = m_replayer->GetRunTime();
    slowCycles = static_cast<double>(cycles) / m_replayer->GetClockRatio();
    delivered = m_replayer->GetNDelivered();
    CollectNetwork(*port);
    failed = faults->GetNFailures();
    CollectProtocol(protocol);
    const auto nodes = static_cast<double>(trace.nodes);
    sequenceBytesPerNode = 2 * SEQUENCE_BITS / 8 * (nodes - 1);
    simulationBytesPerNode += static_cast<double>(trace.GetMemory() + m_replayer->GetMemory());
    simulationBytesPerNode /= nodes;
    if (messages > 0)
    {
        packetsPerMessage = static_cast<double>(packets) / messages;
    }
    drops = port->MakeDropTable();
    heatMap = nullptr;
    if (observed.Get())
    {
        heatMap = port->MakeLinkTable(m_lastArrival);
    }
    Judge(quiet, *audit, protocol, *port);
    m_replayer = nullptr;
}

} // namespace idempotent
} // namespace ns3
