/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parastation-scenario.h"

#include "ns3/messaging-attributes.h"
#include "ns3/messaging-faulty-port.h"
#include "ns3/messaging-forwarded-attributes.h"
#include "ns3/messaging-named-counts.h"
#include "ns3/messaging-scenario-recorder.h"
#include "ns3/messaging-traffic-helper.h"
#include "ns3/parastation-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <string>
#include <utility>

namespace ns3
{
namespace parastation
{

NS_OBJECT_ENSURE_REGISTERED(Parastation2Scenario);

using messaging::Verdict;
using myrinet::DropReason;

namespace
{

/** First of the random streams that a run uses. */
constexpr int64_t FIRST_STREAM = 2000;

/** Process of a host that competes with the application. */
constexpr messaging::ProcessId OTHER_PROCESS = 0xfffffff0;

/** Quiet time after which no further event is expected [retransmission timeouts]. */
constexpr int64_t QUIET_TIMEOUTS = 50;

/** Simulated time after which a run is cut off. */
const Time TIME_LIMIT = Seconds(20);

/** Longest time between two stalls of a host, which a Time can hold and no run reaches [s]. */
constexpr double LONGEST_INTERVAL = 1e9;

/** Messages of a stream in flight, unless MessageWindow is set. */
constexpr uint32_t STREAM_WINDOW = 16;

/** Deliveries between two reports of the progress. */
constexpr uint64_t PROGRESS_INTERVAL = 1024;

/** Begin of an outage. */
const Time OUTAGE_BEGIN = MilliSeconds(5);

/**
 * Get the name of a benchmark of messaging-traffic.
 * @param pattern a pattern
 * @return the name
 */
std::string
GetBenchmarkName(Pattern pattern)
{
    switch (pattern)
    {
    case Pattern::PING_PONG:
        return "ping-pong";
    case Pattern::EXCHANGE:
        return "exchange";
    case Pattern::STREAM:
        return "stream";
    case Pattern::ALL_TO_ALL:
        return "all-to-all";
    }
    return "";
}

} // namespace

TypeId
Parastation2Scenario::GetTypeId()
{
    using S = Parastation2Scenario;
    using messaging::AuditCounts;
    static TypeId tid =
        messaging::Attributes<S>(
            messaging::SetSummary(TypeId("ns3::parastation::Parastation2Scenario"),
                                  "ParaStation2 or a rival on a Myrinet: latency, throughput, and "
                                  "effects of failures.")
                .SetParent<Scenario>()
                .SetGroupName("Parastation")
                .AddConstructor<S>())
            .AddAttribute("Protocol",
                          "Protocol of the network interfaces: ParaStation2, AM-II, VMMC-2, strict "
                          "back-blocking, credits for host buffers as FM or for slots as LFC, or "
                          "none as BIP [-; sections 1, 3, 4].",
                          &S::m_protocol,
                          ProtocolKind::PARASTATION2,
                          {{ProtocolKind::PARASTATION2, "parastation2"},
                           {ProtocolKind::AM2, "am2"},
                           {ProtocolKind::VMMC2, "vmmc2"},
                           {ProtocolKind::BACKBLOCKING, "backblocking"},
                           {ProtocolKind::FM, "fm"},
                           {ProtocolKind::LFC, "lfc"},
                           {ProtocolKind::NONE, "none"}})
            .AddAttribute("Pattern",
                          "Pattern of messages: pairs of nodes play ping-pong, exchange messages "
                          "or send a stream; or every node sends to every other [-; section 4].",
                          &S::m_pattern,
                          Pattern::PING_PONG,
                          {{Pattern::PING_PONG, "pingpong"},
                           {Pattern::EXCHANGE, "exchange"},
                           {Pattern::STREAM, "stream"},
                           {Pattern::ALL_TO_ALL, "alltoall"}})
            .AddAttribute("Nodes",
                          "Number of nodes; more than 8 need another Topology [nodes; section 4].",
                          &S::m_nodes,
                          2,
                          2,
                          1024)
            .AddAttribute("Processes",
                          "Processes of each node that share its network interface; the HAL serves "
                          "one [processes; section 4].",
                          &S::m_processes,
                          1,
                          1,
                          64)
            .AddAttribute("Size",
                          "Size of a message: 4 for the latency, up to 32 KB for the throughput "
                          "[bytes; section 4].",
                          &S::m_size,
                          4,
                          1,
                          1 << 23)
            .AddAttribute("Rounds",
                          "Measured rounds, or messages of a stream [rounds; default].",
                          &S::m_rounds,
                          100,
                          1,
                          10000000)
            .AddAttribute("MessageWindow",
                          "Largest number of messages of a stream in flight, or of messages that "
                          "each side of an exchange sends before one arrives; 0 for 16 in a "
                          "stream, and 1 in an exchange, whose rounds then wait for the partner's "
                          "message [messages; default].",
                          &S::m_messageWindow,
                          0,
                          0,
                          1000000)
            .AddAttribute(
                "LossOf",
                "Packets that are subject to Loss [-; section 2].",
                &S::m_lossOf,
                LossOf::ALL,
                {{LossOf::ALL, "all"}, {LossOf::DATA, "data"}, {LossOf::CONTROL, "control"}})
            .AddAttribute("HostStallRate",
                          "Rate at which each host's processor stalls for other work, at random "
                          "times [1/s; section 2, item 2].",
                          &S::m_hostStallRate,
                          0,
                          0,
                          1e6)
            .AddAttribute("HostStallLength",
                          "Length of a stall of a host [s; default].",
                          &S::m_hostStallLength,
                          MilliSeconds(1),
                          NanoSeconds(1))
            .AddAttribute("OutageLength",
                          "Length of an outage, from 5 ms on, in which every packet is lost [s; "
                          "default].",
                          &S::m_outageLength,
                          Time(0),
                          Time(0))
            .AddResult("Outcome",
                       "Failures: sound if none, or lost, duplicated, corrupted, "
                       "reordered, hung, deadlocked, unfinished, joined by + [-; section 2].",
                       &S::m_outcome)
            .AddResult(
                "Latency",
                "Mean half round trip, or mean round of an exchange or all-to-all [us; section 4].",
                &S::m_latency)
            .AddResult("MaxLatency", "Largest latency [us; section 4].", &S::m_maxLatency)
            .AddResult(
                "Throughput",
                "Payload delivered, all directions together; 1 MB is 10^6 bytes [MB/s; section 4, "
                "A-amb-1].",
                &S::m_throughput)
            .AddResult("Elapsed", "Time of the last delivery [s].", &S::m_elapsed)
            .AddResult(
                "Recovery",
                "Time from the end of an outage to the first delivery after it [us; section 3.4].",
                &S::m_recovery)
            .AddResult("Posted",
                       "Messages accepted by the protocol [messages].",
                       &S::GetAudited<&AuditCounts::posted>)
            .AddResult("Delivered",
                       "Messages delivered [messages].",
                       &S::GetAudited<&AuditCounts::delivered>)
            .AddResult("Lost",
                       "Messages that their sender has completed, but that never arrived "
                       "[messages; section 2].",
                       &S::m_lost)
            .AddResult("Stuck",
                       "Messages that their sender has not completed when no event is left "
                       "[messages; section 2].",
                       &S::m_stuck)
            .AddResult("Duplicates",
                       "Second deliveries [messages; section 2].",
                       &S::GetAudited<&AuditCounts::duplicates>)
            .AddResult("Corrupted",
                       "Messages delivered with other contents [messages; section 2].",
                       &S::GetAudited<&AuditCounts::corrupted>)
            .AddResult(
                "Misordered",
                "Messages delivered after a later one of the same pair [messages; section 2].",
                &S::GetAudited<&AuditCounts::misordered>)
            .AddResult("Injected",
                       "Packets lost by Loss, by bursts or in an outage [packets; section 2].",
                       &S::m_injected)
            .AddResult("CrcDrops",
                       "Packets lost by corruption [packets; section 2, item 1].",
                       &S::GetDropped<DropReason::CRC>)
            .AddResult("BufferDrops",
                       "Packets that found no receive buffer [packets; section 2, item 2].",
                       &S::m_bufferDrops)
            .AddResult("NresDrops",
                       "Packets discarded by the timeout [packets; section 2, item 3].",
                       &S::GetDropped<DropReason::NRES>)
            .AddResult("OverwriteDrops",
                       "Packets lost while the receiver stalled [packets; section 2, item 4].",
                       &S::GetDropped<DropReason::OVERWRITE>)
            .AddResult("OverwriteDamages",
                       "Packets damaged while the receiver stalled, whose CRC is wrong "
                       "[packets; section 2, item 4].",
                       &S::GetDamaged)
            .AddResult("Retransmissions",
                       "Packets sent again [packets; section 3.1].",
                       &S::GetNoted<Event::RETRANSMITTED>)
            .AddResult("TimeOuts",
                       "ACKs that did not arrive in time [times; section 3.4].",
                       &S::GetNoted<Event::TIMED_OUT>)
            .AddResult("Shortages",
                       "Packets rejected for lack of a receive slot [packets; section 3.3].",
                       &S::GetNoted<Event::SHORT_OF_SLOTS>)
            .AddResult("DuplicateAcks",
                       "ACKs with a low number [packets; table 1, footnote 3].",
                       &S::GetNoted<Event::DUPLICATE_ACK>)
            .AddResult("Pipeline", "Figure 2's steps and their times.", &S::m_pipeline)
            .AddResult("Events", "Counts of the protocol's events.", &S::m_eventTable)
            .Forward<&S::m_settings>({"SequenceBits"})
            .Forward<&S::m_machine>()
            .Forward<&S::m_port>({"Mtu", "SendBuffers", "ReceiveBuffers"})
            .Forward<&S::m_faults>({"LossKinds", "Uncaught"});
    return tid;
}

Parastation2Scenario::Parastation2Scenario()
    : m_port(CreateObject<myrinet::MyrinetNetwork>()),
      m_settings(CreateObject<ParastationSettings>()),
      m_machine(CreateObject<ParastationMachine>()),
      m_faults(CreateObject<messaging::FaultPlan>())
{
}

Ptr<myrinet::MyrinetNetwork>
Parastation2Scenario::MakePort() const
{
    auto port = CreateObject<myrinet::MyrinetNetwork>();
    messaging::CopyAttributes(m_port, port);
    const Config config = m_settings->GetConfig();
    port->SetNodes(m_nodes);
    port->SetAttribute("Mtu", UintegerValue(std::max(config.packetBytes + config.header, 8U)));
    port->SetAttribute("SendBuffers", UintegerValue(config.sendRing));
    port->SetAttribute("ReceiveBuffers", UintegerValue(config.receiveRing));
    return port;
}

std::string
Parastation2Scenario::Check() const
{
    const Config config = m_settings->GetConfig(m_nodes, m_protocol == ProtocolKind::FM);
    uint32_t creditors = 0;
    if (m_protocol == ProtocolKind::FM || m_protocol == ProtocolKind::LFC)
    {
        creditors = m_nodes - 1;
    }
    if (const std::string wrong = config.Check(creditors); !wrong.empty())
    {
        return wrong;
    }
    const bool layered = !m_machine->GetLayers(config.packetBytes).empty();
    if (layered && m_protocol != ProtocolKind::PARASTATION2)
    {
        return "Layer is not hal, but the layers need the HAL of Protocol parastation2, which "
               "loses nothing and keeps the order.";
    }
    if (!layered && m_processes > 1)
    {
        return "Processes is " + std::to_string(m_processes) +
               ", but Layer hal serves one; ports, tcp, mpi and pvm serve several.";
    }
    if (!layered && uint64_t{m_size} > uint64_t{config.packetBytes} * MAX_PACKETS)
    {
        return "Size is " + std::to_string(m_size) + " bytes, but a message takes " +
               std::to_string(MAX_PACKETS) + " packets of " + std::to_string(config.packetBytes) +
               " bytes at most.";
    }
    const auto port = MakePort();
    if (const std::string wrong = port->Check(); !wrong.empty())
    {
        return wrong;
    }
    return m_faults->Check(port->GetInfo(), m_nodes);
}

Time
Parastation2Scenario::DrawStall(const Machinery& run)
{
    return Seconds(std::min(run.stalls->GetValue(), LONGEST_INTERVAL));
}

void
Parastation2Scenario::StallHost(Machinery& run, uint32_t host)
{
    // Hosts stall while there is other activity; stalls alone do not keep a run alive.
    const Time since = Simulator::Now() - run.recorder.GetLastActivity();
    if (run.session->IsFinished() || since > run.quiet)
    {
        return;
    }
    const auto length = static_cast<uint64_t>(m_hostStallLength.GetNanoSeconds());
    run.hosts[host]->Execute(OTHER_PROCESS,
                             {messaging::Work{~uint64_t{0}, length}},
                             [this, &run, host] {
                                 Simulator::Schedule(DrawStall(run),
                                                     [this, &run, host] { StallHost(run, host); });
                             });
}

void
Parastation2Scenario::BeginFaults(Machinery& run)
{
    TimeValue stall;
    m_port->GetAttribute("StallLength", stall);
    TimeValue discard;
    m_port->GetAttribute("Timeout", discard);
    const Time timeout = NanoSeconds(m_settings->GetConfig().timeout);
    run.quiet = QUIET_TIMEOUTS * timeout + m_hostStallLength + stall.Get() + discard.Get();
    if (m_hostStallRate > 0)
    {
        constexpr double LARGEST = std::numeric_limits<double>::max();
        run.stalls->SetAttribute("Mean", DoubleValue(std::min(1 / m_hostStallRate, LARGEST)));
        for (uint32_t host = 0; host < m_nodes; ++host)
        {
            Simulator::Schedule(DrawStall(run), [this, &run, host] { StallHost(run, host); });
        }
    }
    run.outageEnd = OUTAGE_BEGIN + m_outageLength;
    run.recovered = m_outageLength.IsZero();
    if (!run.recovered)
    {
        DoubleValue loss;
        m_faults->GetAttribute("Loss", loss);
        Simulator::Schedule(OUTAGE_BEGIN,
                            [&run] { run.faults->SetAttribute("Loss", DoubleValue(1)); });
        Simulator::Schedule(run.outageEnd,
                            [&run, loss] { run.faults->SetAttribute("Loss", loss); });
    }
}

void
Parastation2Scenario::OnReceived(Machinery& run)
{
    run.recorder.EndMessage();
    run.last = Simulator::Now();
    if (!run.recovered && run.last >= run.outageEnd)
    {
        run.recovered = true;
        run.recovery = run.last - run.outageEnd;
    }
    if (run.received++ % PROGRESS_INTERVAL == 0)
    {
        ReportProgress(run.last.GetSeconds(), TIME_LIMIT.GetSeconds(), "simulated seconds");
    }
}

void
Parastation2Scenario::DoRun()
{
    Machinery run;
    const auto clock = CreateObject<messaging::TickClock>();
    Install(run, clock);
    InstallPattern(run);
    BeginFaults(run);
    Simulator::Stop(TIME_LIMIT);
    Simulator::Run();
    run.quietAtEnd = TIME_LIMIT - run.recorder.GetLastActivity() > run.quiet;
    run.audit->Finish(run.quietAtEnd);
    SetResults(run);
    Conclude(run);
    Simulator::Destroy();
}

void
Parastation2Scenario::Install(Machinery& run, Ptr<messaging::TickClock> clock)
{
    run.network = MakePort();
    run.network->SetClock(clock);
    int64_t stream = FIRST_STREAM;
    stream += run.network->AssignStreams(stream);
    run.faults = CreateObject<messaging::FaultPlan>();
    messaging::CopyAttributes(m_faults, run.faults);
    run.faults->SetAttribute("LossKinds", UintegerValue(static_cast<uint64_t>(m_lossOf)));
    stream += run.faults->AssignStreams(stream);
    const int64_t groupStream = stream++;
    run.stalls = CreateObject<ExponentialRandomVariable>();
    run.stalls->SetStream(stream++);
    const Config config = m_settings->GetConfig(m_nodes, m_protocol == ProtocolKind::FM);
    ParastationHelper parastation(m_protocol, m_machine);
    using messaging::AnyPort;
    messaging::Recorder& recorder = GetRecorder();
    recorder.ObserveFaults(run.faults);
    const auto port = recorder.ObservePort(run.network->GetPort());
    run.group = parastation.Install(clock,
                                    Create<messaging::FaultyPort<AnyPort>>(clock, port, run.faults),
                                    config);
    run.group->AssignStreams(groupStream);
    recorder.ObserveGroup(run.group);
    run.hosts = parastation.GetHosts();
    for (std::size_t i = 0; i < run.hosts.size(); ++i)
    {
        recorder.ObserveHost(run.hosts[i]);
        recorder.ObserveHost(parastation.GetInterfaces()[i]);
    }
    run.recorder.Connect(run.group, run.hosts, parastation.GetInterfaces());
    run.audit = CreateObject<messaging::DeliveryAudit>();
    recorder.ObserveMessages(run.audit);
    run.audit->SetAttribute("Ordered", BooleanValue(m_protocol != ProtocolKind::AM2));
    run.audit->SetAttribute("Reliable", BooleanValue(true));
    run.audit->SetGroup(parastation.InstallLayers(clock,
                                                  run.group,
                                                  m_machine->GetLayers(config.packetBytes),
                                                  m_processes));
}

void
Parastation2Scenario::InstallPattern(Machinery& run)
{
    messaging::BenchmarkHelper helper(GetBenchmarkName(m_pattern));
    helper.SetAttribute("Size", UintegerValue(m_size));
    helper.SetAttribute("Rounds", UintegerValue(m_rounds));
    if (m_pattern == Pattern::STREAM || m_pattern == Pattern::EXCHANGE)
    {
        uint32_t window = m_messageWindow;
        if (window == 0)
        {
            window = m_pattern == Pattern::STREAM ? STREAM_WINDOW : 1;
        }
        helper.SetAttribute("Window", UintegerValue(window));
    }
    if (m_pattern == Pattern::STREAM)
    {
        // As in the paper's programs, a buffer is used again after its completion.
        helper.SetAttribute("Closed", StringValue("completion"));
    }
    run.session = helper.Install(run.audit);
    const auto endpoints = run.session->GetEndpoints();
    for (uint32_t i = 0; i < endpoints->GetN(); ++i)
    {
        endpoints->Get(i)->TraceConnectWithoutContext(
            "Deliver",
            Callback<void, const messaging::Delivery&>(
                [this, &run](const messaging::Delivery&) { OnReceived(run); }));
    }
}

void
Parastation2Scenario::SetResults(const Machinery& run)
{
    const auto microseconds = [](Time time) { return time.GetSeconds() * 1e6; };
    m_latency = microseconds(run.session->GetMeanLatency());
    m_maxLatency = microseconds(run.session->GetMaxLatency());
    m_throughput = run.session->GetBandwidth() / 1e6;
    m_elapsed = run.last.GetSeconds();
    m_recovery = microseconds(run.recovery);
    m_audit = run.audit->GetCounts();
    m_network = run.network->GetNativePort()->GetCounters();
    m_bufferDrops =
        m_network.GetDrops(DropReason::BUFFER) + run.group->GetEventCount(Event::OVERRUN);
    m_injected = run.faults->GetCount("lost") + run.faults->GetCount("lost in a burst");
    if (run.quietAtEnd)
    {
        const uint64_t undelivered = m_audit.posted - m_audit.delivered;
        m_stuck = m_audit.posted - m_audit.completed;
        m_lost = undelivered - std::min(undelivered, m_stuck);
    }

    const auto count = [&](Event event) {
        return m_events[static_cast<std::size_t>(event)] = run.group->GetEventCount(event);
    };
    m_eventTable = messaging::MakeCountTable(messaging::NameCounts<Event>(0, N_EVENTS, count));
    m_pipeline = run.recorder.MakeTable(run.last, m_pattern == Pattern::PING_PONG);
}

void
Parastation2Scenario::Conclude(const Machinery& run)
{
    bool idle = true;
    for (uint32_t host = 0; host < m_nodes; ++host)
    {
        idle = idle && run.group->IsIdle(host);
    }
    std::string ring;
    if (run.quietAtEnd)
    {
        ring = run.network->GetNativePort()->FindDeadlock();
    }
    const bool hung = run.quietAtEnd && !idle;
    // Packets in a deadlocked network are not lost.
    const std::initializer_list<std::pair<bool, const char*>> failures{
        {m_lost > 0 && ring.empty(), "lost"},
        {m_audit.duplicates > 0, "duplicated"},
        {m_audit.corrupted > 0, "corrupted"},
        {m_audit.misordered > 0, "reordered"},
        {!ring.empty(), "deadlocked"},
        {hung && ring.empty(), "hung"},
        {!run.quietAtEnd && !run.session->IsFinished(), "unfinished"}};
    const char* separator = "";
    m_outcome.clear();
    for (const auto& [holds, name] : failures)
    {
        if (holds)
        {
            m_outcome.append(separator).append(name);
            separator = "+";
        }
    }
    if (m_outcome.empty())
    {
        m_outcome = "sound";
    }

    const bool unsound = m_lost + m_audit.duplicates + m_audit.corrupted + m_audit.misordered > 0;
    if (!ring.empty())
    {
        SetVerdict(Verdict::DEADLOCK, "Links wait for one another: " + ring + ".");
    }
    else if (unsound)
    {
        SetVerdict(Verdict::VIOLATED, run.audit->GetFirstViolation());
    }
    else if (hung)
    {
        SetVerdict(Verdict::DEADLOCK,
                   "No event is left, and " + std::to_string(m_stuck) +
                       " messages are stuck at their senders.");
    }
    else if (!run.session->GetFailure().empty())
    {
        SetVerdict(Verdict::ERROR, run.session->GetFailure());
    }
    else if (!run.quietAtEnd && !run.session->IsFinished())
    {
        SetVerdict(Verdict::UNDECIDED,
                   "The run was cut off after " + std::to_string(TIME_LIMIT.ToInteger(Time::S)) +
                       " simulated seconds.");
    }
}

} // namespace parastation
} // namespace ns3
