/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "idempotent-scenario.h"

#include "idempotent-timeline.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/messaging-forwarded-attributes.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "ns3/wormhole-tables.h"

#include <algorithm>
#include <map>
#include <memory>

namespace ns3
{
namespace idempotent
{

NS_LOG_COMPONENT_DEFINE("IdempotentScenario");
NS_OBJECT_ENSURE_REGISTERED(IdempotentScenario);

using messaging::DeliveryAudit;
using messaging::Table;
using messaging::TickClock;
using messaging::Ticks;
using messaging::Verdict;
using wormhole::WormholeFaults;
using wormhole::WormholeNetwork;

namespace
{

/** How long a run may go on for the protocol to come to rest after the last delivery [cycles]. */
constexpr int64_t LONGEST_DRAIN = 10000000;

/** First random stream of the faults, behind those of the network. */
constexpr int64_t FAULT_STREAM = 10;

} // namespace

TypeId
IdempotentScenario::GetTypeId()
{
    static TypeId tid = [] {
        using S = IdempotentScenario;
        TypeId type =
            SetSummary(TypeId("ns3::idempotent::IdempotentScenario"),
                       "Execution time of a trace on wormhole routers, with the idempotent "
                       "protocol or none.")
                .SetParent<ReplayScenario>()
                .SetGroupName("Idempotent")
                .AddConstructor<IdempotentScenario>()
                .AddAttribute("Protocol",
                              "What carries the messages: the idempotent protocol, none, or auto "
                              "for none where no packet is ever dropped [-; section 4.5].",
                              EnumValue(ProtocolKind::AUTO),
                              MakeEnumAccessor<ProtocolKind>(&S::m_protocolKind),
                              MakeEnumChecker(ProtocolKind::AUTO,
                                              "auto",
                                              ProtocolKind::IDEMPOTENT,
                                              "idempotent",
                                              ProtocolKind::NONE,
                                              "none"))
                .AddAttribute("Backoff",
                              "Strategy of retransmission [-; section 4.3].",
                              EnumValue(BackoffKind::QUADRATIC),
                              MakeEnumAccessor<BackoffKind>(&S::m_backoff),
                              MakeEnumChecker(BackoffKind::CONSTANT,
                                              "constant",
                                              BackoffKind::LINEAR,
                                              "linear",
                                              BackoffKind::QUADRATIC,
                                              "quadratic",
                                              BackoffKind::EXPONENTIAL,
                                              "exponential",
                                              BackoffKind::TABLE,
                                              "table",
                                              BackoffKind::CONGESTION,
                                              "congestion"))
                .AddAttribute("C",
                              "The constant C of the backoff [cycles; section 4.3].",
                              DoubleValue(3),
                              MakeDoubleAccessor(&S::m_c),
                              MakeDoubleChecker<double>(0, 1e9))
                .AddAttribute("BackoffTable",
                              "Backoffs of strategy table after 0, 1, 2, ... attempts, separated "
                              "by blanks [cycles; section 6].",
                              StringValue("0 3 12 27 48 75 108 147 192"),
                              MakeStringAccessor(&S::m_backoffTable),
                              MakeStringChecker())
                .AddAttribute("CongestionGain",
                              "How many times C n strategy congestion adds on a node whose "
                              "packets all fail [ratio; default].",
                              DoubleValue(15),
                              MakeDoubleAccessor(&S::m_gain),
                              MakeDoubleChecker<double>(0, 1e6))
                .AddAttribute("SendTable",
                              "Entries of each node's send table [entries; section 4.5].",
                              UintegerValue(16),
                              MakeUintegerAccessor(&S::m_sendTable),
                              MakeUintegerChecker<uint32_t>(1, 16384))
                .AddAttribute("ReceiveTable",
                              "Entries of each node's receive table; 0 for twice the send table "
                              "[entries; section 4.4].",
                              UintegerValue(0),
                              MakeUintegerAccessor(&S::m_receiveTable),
                              MakeUintegerChecker<uint32_t>(0, 32768))
                .AddAttribute("ClockRatio",
                              "Speed of the network's clock relative to that of the processors "
                              "and of SlowCycles; 1.6 in Table 2b [ratio; section 4.5].",
                              DoubleValue(1),
                              MakeDoubleAccessor(&S::m_clockRatio),
                              MakeDoubleChecker<double>(0.01, 100))
                .AddAttribute("Drain",
                              "Whether to go on after the last delivery until the protocol is at "
                              "rest, so that the audit sees late duplicates [bool; default].",
                              BooleanValue(true),
                              MakeBooleanAccessor(&S::m_drain),
                              MakeBooleanChecker())
                .AddAttribute("RecordTimeline",
                              "Whether to fill the table Timeline, a row a message "
                              "[bool; default].",
                              BooleanValue(false),
                              MakeBooleanAccessor(&S::m_timelineWanted),
                              MakeBooleanChecker());
        messaging::ForwardAttributes(
            type,
            WormholeNetwork::GetTypeId(),
            [](const ObjectBase* owner) -> Ptr<Object> {
                return static_cast<const IdempotentScenario*>(owner)->m_network;
            },
            {"Nodes", "Faults"});
        messaging::ForwardAttributes(type,
                                     WormholeFaults::GetTypeId(),
                                     [](const ObjectBase* owner) -> Ptr<Object> {
                                         return static_cast<const S*>(owner)->m_faults;
                                     });
        messaging::ForwardAttributes(
            type,
            IdempotentGroup::GetTypeId(),
            [](const ObjectBase* owner) -> Ptr<Object> {
                return static_cast<const IdempotentScenario*>(owner)->m_protocol;
            },
            {"Backoff", "SendTableSize", "ReceiveTableSize", "SourceBusy", "MessageHeader"});
        messaging::ForwardAttributes(
            type,
            TraceReplayer::GetTypeId(),
            [](const ObjectBase* owner) -> Ptr<Object> {
                return static_cast<const IdempotentScenario*>(owner)->m_replay;
            },
            {"TimeScale"});
        return type;
    }();
    return tid;
}

IdempotentScenario::IdempotentScenario()
    : m_network(CreateObject<WormholeNetwork>()),
      m_faults(CreateObject<WormholeFaults>()),
      m_protocol(CreateObject<ProtocolGroup>()),
      m_replay(CreateObject<TraceReplayer>())
{
}

IdempotentScenario::~IdempotentScenario() = default;

void
IdempotentScenario::DoDispose()
{
    m_network = nullptr;
    m_faults = nullptr;
    m_protocol = nullptr;
    m_replay = nullptr;
    m_replayer = nullptr;
    ReplayScenario::DoDispose();
}

Ptr<WormholeNetwork>
IdempotentScenario::MakeNetwork(uint32_t nodes) const
{
    auto network = CreateObject<WormholeNetwork>();
    messaging::CopyAttributes(m_network, network);
    network->SetAttribute("Nodes", UintegerValue(nodes));
    network->SetAttribute("Faults", BooleanValue(m_faults->IsAny()));
    return network;
}

Ptr<BackoffPolicy>
IdempotentScenario::MakeBackoff() const
{
    Ptr<BackoffPolicy> policy;
    switch (m_backoff)
    {
    case BackoffKind::CONSTANT:
        policy = CreateObject<ConstantBackoff>();
        break;
    case BackoffKind::LINEAR:
        policy = CreateObject<LinearBackoff>();
        break;
    case BackoffKind::QUADRATIC:
        policy = CreateObject<QuadraticBackoff>();
        break;
    case BackoffKind::EXPONENTIAL:
        policy = CreateObject<ExponentialBackoff>();
        break;
    case BackoffKind::TABLE:
        policy = CreateObject<TableBackoff>();
        policy->SetAttribute("Values", StringValue(m_backoffTable));
        return policy;
    case BackoffKind::CONGESTION:
        policy = CreateObject<CongestionBackoff>();
        policy->SetAttribute("Gain", DoubleValue(m_gain));
        break;
    }
    policy->SetAttribute("C", DoubleValue(m_c));
    return policy;
}

Ptr<IdempotentScenario::ProtocolGroup>
IdempotentScenario::MakeProtocol(const WormholeNetwork& network) const
{
    auto group = CreateObject<ProtocolGroup>();
    messaging::CopyAttributes(m_protocol, group);
    EnumValue<wormhole::SourceBusy> busy;
    network.GetAttribute("SourceBusy", busy);
    group->SetAttribute("SourceBusy",
                        EnumValue(busy.Get() == wormhole::SourceBusy::WAIT
                                      ? SourceBusy::WAIT
                                      : SourceBusy::FAILED_ATTEMPT));
    // The lengths of a trace's messages include their headers.
    group->SetAttribute("MessageHeader", UintegerValue(0));
    group->SetAttribute("SendTableSize", UintegerValue(m_sendTable));
    group->SetAttribute("ReceiveTableSize",
                        UintegerValue(m_receiveTable ? m_receiveTable : 2 * m_sendTable));
    group->SetAttribute("Backoff", PointerValue(MakeBackoff()));
    return group;
}

bool
IdempotentScenario::UsesProtocol() const
{
    return m_protocolKind == ProtocolKind::IDEMPOTENT ||
           (m_protocolKind == ProtocolKind::AUTO &&
            (!m_network->Info().lossless || m_faults->IsAny()));
}

std::string
IdempotentScenario::Check() const
{
    if (const std::string wrong = ReplayScenario::Check(); !wrong.empty())
    {
        return wrong;
    }
    const uint32_t nodes = GetNNodes();
    if (nodes == 0)
    {
        return "";
    }
    const auto network = MakeNetwork(nodes);
    if (const std::string wrong = network->Check(); !wrong.empty())
    {
        return wrong;
    }
    if (const std::string wrong = m_faults->Check(network); !wrong.empty())
    {
        return wrong;
    }
    if (!UsesProtocol())
    {
        return "";
    }
    return MakeProtocol(*network)->Check(network->Info(), nodes);
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
    if (m_replayer->GetState() == ReplayState::FINISHED && m_drain)
    {
        Simulator::Stop(clock.GetTickLength() * LONGEST_DRAIN);
    }
    else
    {
        Simulator::Stop();
    }
}

void
IdempotentScenario::CollectProtocol(const ProtocolGroup& group)
{
    std::map<int64_t, std::array<int64_t, 2>> occupancy;
    for (messaging::Peer peer = 0; peer < group.GetNPeers(); ++peer)
    {
        const auto& node = group.GetNode(peer);
        ++occupancy[node.GetPeakSent()][0];
        ++occupancy[node.GetPeakRecords()][1];
        m_results.peakSendTable = std::max<uint64_t>(m_results.peakSendTable, node.GetPeakSent());
        m_results.peakReceiveTable =
            std::max<uint64_t>(m_results.peakReceiveTable, node.GetPeakRecords());
        m_results.protocolMemory += node.GetMemory();
    }
    for (std::size_t i = 0; i < EVENTS; ++i)
    {
        m_results.events[i] = group.GetEventCount(static_cast<Event>(i));
    }
    m_results.drains = group.GetNDrains();
    m_results.sendTable = group.GetConfig().sendTable;
    m_results.receiveTable = group.GetConfig().receiveTable;
    std::array<std::vector<int64_t>, 3> columns;
    for (const auto& [entries, nodes] : occupancy)
    {
        columns[0].push_back(entries);
        columns[1].push_back(nodes[0]);
        columns[2].push_back(nodes[1]);
    }
    m_occupancy = CreateObject<Table>();
    m_occupancy->AddColumn("entries", "entries", std::move(columns[0]));
    m_occupancy->AddColumn("send tables", "nodes", std::move(columns[1]));
    m_occupancy->AddColumn("receive tables", "nodes", std::move(columns[2]));
}

std::string
IdempotentScenario::FindCutOff(const DeliveryAudit& audit,
                               Ptr<const ProtocolGroup> protocol,
                               const WormholeNetwork& network)
{
    std::string found;
    const auto isNews = [&](messaging::Peer one, messaging::Peer other) {
        return found.empty() && !(network.CanReach(one, other) && network.CanReach(other, one));
    };
    audit.ForUndelivered([&](messaging::Peer from, messaging::Peer to, messaging::RequestId id) {
        if (isNews(from, to))
        {
            found = "Message " + std::to_string(id) + " from node " + std::to_string(from) +
                    " to node " + std::to_string(to) +
                    " has no way there and back past what has failed";
        }
    });
    for (messaging::Peer peer = 0; protocol && peer < protocol->GetNPeers(); ++peer)
    {
        protocol->GetNode(peer).ForOpenExchanges([&](messaging::Peer other) {
            if (isNews(peer, other))
            {
                found = "A message between nodes " + std::to_string(peer) + " and " +
                        std::to_string(other) + " cannot be confirmed past what has failed";
            }
        });
    }
    return found;
}

void
IdempotentScenario::Judge(bool quiet,
                          const DeliveryAudit& audit,
                          Ptr<const ProtocolGroup> protocol,
                          const WormholeNetwork& network)
{
    const std::string progress =
        std::to_string(m_results.delivered) + " of " + std::to_string(m_results.messages) +
        " messages were delivered in " + std::to_string(m_results.cycles) + " cycles";
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
    if (finished && (quiet || !m_drain))
    {
        return;
    }
    if (const std::string cutOff = FindCutOff(audit, protocol, network); !cutOff.empty())
    {
        SetVerdict(Verdict::UNREACHABLE,
                   cutOff + "; " + (finished ? "" : "only ") + progress + ".");
    }
    else if (finished)
    {
        SetVerdict(Verdict::LIVELOCK,
                   "All messages were delivered, but the protocol did not come to rest.");
    }
    else
    {
        SetVerdict(quiet ? Verdict::DEADLOCK : Verdict::LIVELOCK,
                   quiet ? "Nothing is pending, and only " + progress + "."
                         : "Only " + progress + "; MaxCycles or MaxIdle was reached.");
    }
}

void
IdempotentScenario::DoRun()
{
    m_results = ReplayResults();
    const RecordedBenchmark recorded = MakeTrace();
    if (!recorded.error.empty() || !recorded.verified)
    {
        SetVerdict(Verdict::FAILED, recorded.error.empty() ? recorded.finding : recorded.error);
        return;
    }
    const Trace& trace = recorded.trace;
    const auto network = MakeNetwork(trace.GetNodes());
    if (const std::string wrong = network->Check(); !wrong.empty())
    {
        SetVerdict(Verdict::FAILED, wrong);
        return;
    }
    const auto clock = CreateObject<TickClock>();
    network->AssignStreams(0);
    network->SetClock(clock);
    BooleanValue observed;
    network->GetAttribute("Observe", observed);
    m_lastArrival = 0;
    if (observed.Get())
    {
        network->TraceConnectWithoutContext("Delivery",
                                            MakeCallback(&IdempotentScenario::OnArrival, this));
    }

    Ptr<ProtocolGroup> protocol;
    Ptr<messaging::MessageGroup> group;
    if (UsesProtocol())
    {
        protocol = MakeProtocol(*network);
        if (const std::string wrong = protocol->Check(); !wrong.empty())
        {
            SetVerdict(Verdict::FAILED, wrong);
            return;
        }
        protocol->Connect(clock, network);
        group = protocol;
    }
    else
    {
        const auto datagrams = CreateObject<DatagramGroup>();
        datagrams->Connect(clock, network, [](messaging::Peer) { return DatagramCore(); });
        group = datagrams;
    }
    const auto audit = CreateObject<DeliveryAudit>();
    audit->SetGroup(group);
    m_replayer = CreateObject<TraceReplayer>();
    messaging::CopyAttributes(m_replay, m_replayer);
    m_replayer->SetAttribute("TimeScale", DoubleValue(m_clockRatio));
    const auto faults = CreateObject<WormholeFaults>();
    messaging::CopyAttributes(m_faults, faults);
    faults->AssignStreams(FAULT_STREAM);
    if (faults->IsAny())
    {
        faults->Start(network, clock);
    }
    m_replayer->SetEnded([this, &clock, &faults] { OnEnded(*clock, *faults); });
    const uint64_t messages = trace.GetNetworkMessages();
    m_replayer->SetProgress([this, messages](uint64_t delivered) {
        ReportProgress(static_cast<double>(delivered), static_cast<double>(messages), "messages");
    });
    Ptr<Timeline> timeline;
    if (m_timelineWanted)
    {
        timeline = Create<Timeline>(trace, m_replayer, clock);
    }
    m_replayer->Start(trace, audit, clock);
    Simulator::Run();

    const bool quiet =
        clock->GetNPending() == faults->GetNPending() && network->GetNInFlight() == 0;
    audit->Finish(quiet && m_replayer->GetState() == ReplayState::FINISHED);
    m_results.cycles = m_replayer->GetRunTime();
    m_results.clockRatio = m_clockRatio;
    m_results.nodes = trace.GetNodes();
    m_results.messages = messages;
    m_results.delivered = m_replayer->GetNDelivered();
    m_results.blocks = trace.GetBlocks();
    m_results.stalls = m_replayer->GetNStalls();
    m_results.network = network->GetCounters();
    m_results.failures = faults->GetNFailures();
    m_results.audit = audit->GetCounts();
    m_results.traceMemory = trace.GetMemory() + m_replayer->GetMemory();
    m_results.verified = recorded.verified;
    if (protocol)
    {
        CollectProtocol(*protocol);
    }
    MakeTables();
    m_timeline = timeline ? timeline->MakeTable() : nullptr;
    m_heatMap = observed.Get() ? wormhole::MakeLinkTable(*network, m_lastArrival) : nullptr;
    Judge(quiet, *audit, protocol, *network);
    m_replayer = nullptr;
}

} // namespace idempotent
} // namespace ns3
