/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "eqa-scenario.h"

#include "ns3/log.h"
#include "ns3/messaging-attributes.h"
#include "ns3/messaging-forwarded-attributes.h"
#include "ns3/messaging-log-component.h"
#include "ns3/messaging-net-device-port.h"
#include "ns3/messaging-row-table.h"
#include "ns3/messaging-scenario-recorder.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <sstream>
#include <utility>
#include <vector>

namespace ns3
{
namespace eqa
{

[[maybe_unused]] static const LogComponent& g_log =
    messaging::GetLogComponent("EqaScenario", __FILE__);

NS_OBJECT_ENSURE_REGISTERED(EqaScenario);

using messaging::DeliveryAudit;
using messaging::NetDevicePort;
using messaging::Range;
using messaging::TickClock;
using messaging::Verdict;

namespace
{

/** Random stream of late receivers. */
constexpr int64_t LATE_STREAM = 100;

/** Limit of the simulated time. */
const Time LIMIT = Seconds(600);

} // namespace

TypeId
EqaScenario::GetTypeId()
{
    using S = EqaScenario;
    static TypeId tid =
        messaging::Attributes<S>(
            messaging::SetSummary(
                TypeId("ns3::eqa::EqaScenario"),
                "Time of a broadcast, or of a collective that ends in one, with DP-SMP or MPICH.")
                .SetParent<Scenario>()
                .SetGroupName("Eqa")
                .AddConstructor<EqaScenario>())
            .AddAttribute("System",
                          "Broadcasting system: Push-Pull Broadcast, Simple Broadcast, MPICH's "
                          "tree over TCP, or the same tree over push-pull messaging [-; section "
                          "4.1].",
                          &S::m_system,
                          BroadcastSystem::PPBCAST,
                          {{BroadcastSystem::PPBCAST, "ppbcast"},
                           {BroadcastSystem::SBCAST, "sbcast"},
                           {BroadcastSystem::MPICH, "mpich"},
                           {BroadcastSystem::MPICH_PUSH_PULL, "mpich-pushpull"}})
            .AddAttribute("Nodes",
                          "Number of nodes, the root included [nodes; section 4].",
                          &S::m_nodes,
                          8,
                          1,
                          256)
            .In(&S::m_options)
            .AddAttribute("Operation",
                          "Repeated operation: a broadcast, or a collective that ends in one [-; "
                          "section 1].",
                          &SessionOptions::operation,
                          {{Operation::BROADCAST, "broadcast"},
                           {Operation::BARRIER, "barrier"},
                           {Operation::ALLREDUCE, "allreduce"},
                           {Operation::ALLGATHER, "allgather"}})
            .AddAttribute("Size", "Size of a message [bytes; section 4.1].", &SessionOptions::bytes)
            .AddAttribute("Rounds",
                          "Repetitions; the mean is taken of the middle 80 % [-; section 4].",
                          &SessionOptions::rounds,
                          Range(1, 1000000))
            .AddAttribute("Burst",
                          "Broadcasts in sequence in each repetition [-; default].",
                          &SessionOptions::burst,
                          Range(1, 1000))
            .AddAttribute("Echo",
                          "The last direct child answers with the whole message, as in a "
                          "ping-pong, not with an empty one [bool; default, D-amb-3].",
                          &SessionOptions::echo)
            .AddAttribute("TimerResolution",
                          "Resolution of the timer; times are rounded down to it [s; section 4].",
                          &SessionOptions::resolution,
                          Range<Time>{NanoSeconds(1), Time::Max()})
            .AddAttribute("Senders",
                          "Processes of the root that broadcast at the same time, each Burst "
                          "messages; only with ppbcast and sbcast [processes; section 3.1].",
                          &SessionOptions::senders,
                          Range(1, 16))
            .AddAttribute("SharePoint",
                          "They share one DP, its buffer and its light DPs; otherwise each has its "
                          "own [bool; section 3.1].",
                          &SessionOptions::sharePoint)
            .AddAttribute("Members",
                          "Nodes of the broadcast's group, the root and those behind it; the "
                          "others drop its packets; 0 for all nodes [nodes; section 3.1: a set of "
                          "LDPs is defined].",
                          &SessionOptions::members,
                          Range(0, 256))
            .AddAttribute("Late",
                          "Mean time from the root's start until a leaf posts its receives, "
                          "exponentially distributed; 0 for receives before the start [s; "
                          "default].",
                          &SessionOptions::late,
                          Range<Time>{Time(0), Time::Max()})
            .AddResult("LastLeaf",
                       "Time until the last leaf has the message, mean [us; result].",
                       &S::GetTime<&OperationTimes::lastLeaf>)
            .AddResult("MeanLeaf",
                       "Time until a leaf has the message, mean [us; result].",
                       &S::GetTime<&OperationTimes::meanLeaf>)
            .AddResult("RootReturn",
                       "Time until the root's call returns, mean [us; result].",
                       &S::GetTime<&OperationTimes::rootReturn>)
            .AddResult(
                "Reply",
                "Time until the root has an answer from its last direct child, mean [us; result].",
                &S::GetTime<&OperationTimes::reply>)
            .AddResult("Acknowledged",
                       "Time until the transport has acknowledgements of all receivers, mean [us; "
                       "result].",
                       &S::GetTime<&OperationTimes::acknowledged>)
            .AddResult(
                "Delivered",
                "Messages delivered; a broadcast counts for each receiver [messages; result].",
                &S::m_delivered)
            .AddResult("Broadcasts",
                       "Packets sent by hardware broadcast [frames; result].",
                       &S::GetEvents<Event::BROADCAST>)
            .AddResult("Resent",
                       "Packets resent, each to one peer [frames; result].",
                       &S::GetEvents<Event::RESENT>)
            .AddResult("Suspensions",
                       "Suspensions of broadcasts [-; result].",
                       &S::GetEvents<Event::SUSPENDED>)
            .AddResult("SwitchLosses",
                       "Frames lost in the switch at a full buffer of a port, counted for each "
                       "port [frames; result].",
                       &S::m_switchLosses)
            .AddResult("CardLosses",
                       "Frames lost in cards: descriptor ring full [frames; result].",
                       &S::GetEvents<Event::RING_OVERFLOW>)
            .AddResult("HostLosses",
                       "Packets lost in hosts: pushed buffer full [packets; result].",
                       &S::GetEvents<Event::BUFFER_OVERFLOW>)
            .AddResult("LockWaits",
                       "Failed attempts to get the lock of a DP [-; result].",
                       &S::GetEvents<Event::LOCK_HELD>)
            .AddResult("Memory", "Memory of all DPs and light DPs [bytes; result].", &S::m_memory)
            .AddResult("Events",
                       "Counts of the protocol's events at all nodes [table; result].",
                       &S::m_counts)
            .AddResult("Times", "A row for each repetition [table; result].", &S::m_times)
            .AddResult("Ports", "A row for each port of the switch [table; result].", &S::m_ports)
            .Forward<&EqaScenario::m_cluster>();
    return tid;
}

EqaScenario::EqaScenario()
    : m_cluster(CreateObject<EqaCluster>())
{
}

std::string
EqaScenario::Check() const
{
    uint64_t largest = m_options.bytes;
    if (m_options.operation == Operation::ALLGATHER)
    {
        largest *= m_nodes;
    }
    if (largest > MAX_MESSAGE)
    {
        return "The operation needs a message of " + std::to_string(largest) +
               " bytes by its Size, and the largest that is allowed has " +
               std::to_string(MAX_MESSAGE) + " bytes.";
    }
    const bool hardware = IsHardware() && m_options.operation == Operation::BROADCAST;
    if (!hardware && (m_options.senders > 1 || m_options.members > 0))
    {
        return "Senders and Members need the operation broadcast with the system ppbcast or "
               "sbcast.";
    }
    if (m_options.members == 1 || m_options.members > m_nodes)
    {
        return "Members is " + std::to_string(m_options.members) + ", but has to be 0, or 2 to " +
               std::to_string(m_nodes) + ", the number of nodes.";
    }
    return m_cluster->Check();
}

void
EqaScenario::DoRun()
{
    const auto cluster = CreateObject<EqaCluster>();
    messaging::CopyAttributes(m_cluster, cluster);
    // Latencies of MPICH are those of the paper's machines; only DP-SMP was measured on others.
    cluster->Build(m_nodes, !UsesTcp());

    const auto clock = CreateObject<TickClock>();
    Ptr<EqaGroup> group;
    Ptr<P4Group> p4;
    const auto audit = CreateObject<DeliveryAudit>();
    audit->SetAttribute("Ordered", BooleanValue(true));
    std::unique_ptr<CollectiveSession> session;
    if (UsesTcp())
    {
        p4 = cluster->InstallP4();
        p4->SetReturned([&session](messaging::Peer peer) { session->OnReturned(peer); });
        audit->SetGroup(p4);
    }
    else
    {
        group = cluster->MakeGroup();
        group->SetAttribute("Senders", UintegerValue(m_options.senders));
        uint32_t points = 1;
        if (!m_options.sharePoint)
        {
            points = m_options.senders;
        }
        group->SetAttribute("Points", UintegerValue(points));
        // Messages of different DPs may overtake each other.
        audit->SetAttribute("Ordered", BooleanValue(points == 1));
        for (uint32_t point = 0; m_options.members > 0 && point < points; ++point)
        {
            std::vector<messaging::Peer> members(m_options.members);
            std::iota(members.begin(), members.end(), ROOT);
            group->SetMembers(point, std::move(members));
        }
        BroadcastKind kind = BroadcastKind::PUSH_PULL;
        if (m_system == BroadcastSystem::SBCAST)
        {
            kind = BroadcastKind::SIMPLE;
        }
        group->SetAttribute("Broadcast", EnumValue(kind));
        const auto devices = CreateObject<NetDevicePort>();
        devices->Connect(clock, cluster->GetDevices());
        group->Connect(clock,
                       GetRecorder().ObservePort(messaging::MakeAnyPort(devices)),
                       cluster->GetHosts(),
                       MAX_PACKET);
        const EqaGroup* cores = PeekPointer(group);
        group->SetReturned([&session, cores](messaging::Peer peer) {
            session->OnReturned(peer, cores->GetCore(peer).GetReturnedTag());
        });
        GetRecorder().ObserveGroup(group);
        if (m_options.members == 0)
        {
            audit->SetGroup(group);
        }
    }
    SessionOptions options = m_options;
    options.hardware = IsHardware();
    Ptr<messaging::MessageGroup> carrier = audit;
    if (m_options.members > 0)
    {
        // The audit expects broadcasts at all nodes; the session checks those of a group.
        carrier = group;
    }
    else
    {
        GetRecorder().ObserveMessages(audit);
    }
    session = std::make_unique<CollectiveSession>(carrier, group, options);
    session->AssignStreams(LATE_STREAM);
    session->SetProgress(
        [this](uint32_t done) { ReportProgress(done, m_options.rounds, "repetitions"); });
    session->SetEnded([] { Simulator::Stop(); });
    session->Start();
    Simulator::Stop(LIMIT);
    Simulator::Run();

    NS_LOG_INFO(session->GetNDone()
                << " repetitions have ended after " << Simulator::Now().As(Time::MS));
    m_switchLosses = cluster->GetNOverflows();
    m_ports = cluster->GetPorts();
    m_delivered = audit->GetCounts().delivered;
    if (m_options.members > 0)
    {
        m_delivered = session->GetNReceived();
    }
    const bool atLimit = Simulator::Now() >= LIMIT;
    const bool quiet = atLimit && !UsesTcp() && clock->GetNPending() == 0;
    Judge(*session, *audit, atLimit && !quiet);
    Collect(*session);
    if (!UsesTcp())
    {
        CollectProtocol(*group);
    }
    session.reset();
    audit->Dispose();
    if (UsesTcp())
    {
        p4->Dispose();
    }
    else
    {
        group->Dispose();
    }
    Simulator::Destroy();
}

void
EqaScenario::Judge(const CollectiveSession& session, DeliveryAudit& audit, bool atLimit)
{
    std::ostringstream reason;
    const bool audited = m_options.members == 0;
    if (audited && !audit.Finish(!atLimit))
    {
        SetVerdict(Verdict::VIOLATED, audit.GetFirstViolation());
        return;
    }
    if (session.IsWrong())
    {
        SetVerdict(Verdict::VIOLATED, "A node received a broadcast that it should not have.");
        return;
    }
    reason << session.GetNDone() << " of " << m_options.rounds << " repetitions had ended ";
    if (session.IsRefused())
    {
        SetVerdict(Verdict::ERROR, "A message was refused: it is too large.");
    }
    else if (atLimit)
    {
        reason << "at the time limit of " << LIMIT.GetSeconds() << " s.";
        SetVerdict(Verdict::UNDECIDED, reason.str());
    }
    else if (!session.IsFinished() || audit.GetCounts().abandoned > 0)
    {
        reason << "when nothing more could happen; " << audit.GetCounts().abandoned
               << " messages were lost.";
        SetVerdict(Verdict::DEADLOCK, reason.str());
    }
}

void
EqaScenario::Collect(const CollectiveSession& session)
{
    constexpr std::array<std::pair<const char*, double OperationTimes::*>, 5> COLUMNS{
        {{"LastLeaf", &OperationTimes::lastLeaf},
         {"MeanLeaf", &OperationTimes::meanLeaf},
         {"RootReturn", &OperationTimes::rootReturn},
         {"Reply", &OperationTimes::reply},
         {"Acknowledged", &OperationTimes::acknowledged}}};
    messaging::RowTable times(session.GetTimes());
    for (const auto& [name, member] : COLUMNS)
    {
        m_means.*member = session.GetMean(member);
        times.Add(name, "us", member);
    }
    m_times = times.Get();
}

void
EqaScenario::CollectProtocol(const EqaGroup& group)
{
    const auto counts = group.GetCounts();
    std::transform(counts.begin(), counts.end(), m_events.begin(), [](const auto& count) {
        return count.second;
    });
    m_counts = messaging::MakeCountTable(counts);
    for (messaging::Peer peer = 0; peer < m_nodes; ++peer)
    {
        m_memory += group.GetMemory(peer);
    }
}

} // namespace eqa
} // namespace ns3
