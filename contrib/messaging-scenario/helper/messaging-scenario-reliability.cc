/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-scenario-reliability.h"

#include "ns3/boolean.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/log.h"
#include "ns3/messaging-attributes.h"
#include "ns3/messaging-broadcast-emulation.h"
#include "ns3/messaging-faulty-port.h"
#include "ns3/messaging-forwarded-attributes.h"
#include "ns3/messaging-host-helper.h"
#include "ns3/messaging-neighbours.h"
#include "ns3/messaging-scenario-recorder.h"
#include "ns3/messaging-traffic-application.h"
#include "ns3/messaging-traffic-helper.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <numeric>
#include <sstream>

namespace ns3
{
namespace messaging
{

NS_LOG_COMPONENT_DEFINE("MessagingScenarioReliability");
NS_OBJECT_ENSURE_REGISTERED(ReliabilityScenario);

namespace
{

/** Port number of every node. */
constexpr uint16_t PORT = 4000;

/** First random streams of faults, network, pattern and protocol. */
constexpr int64_t FAULT_STREAM = 1;
constexpr int64_t NETWORK_STREAM = 1000;
constexpr int64_t PATTERN_STREAM = 1'000'000;
constexpr int64_t PROTOCOL_STREAM = 100'000'000;

/** Header of the frame that defines Load [bytes]. */
constexpr uint16_t LOAD_HEADER = 16;

/**
 * List the names of a kind.
 * @param kind the base class
 * @return the names, separated by commas
 */
std::string
WriteNames(TypeId kind)
{
    std::string names;
    for (const TypeId& type : ListTypes(kind))
    {
        names += (names.empty() ? "" : ", ") + GetName(type, kind);
    }
    return names;
}

} // namespace

TypeId
ReliabilityScenario::GetTypeId()
{
    using S = ReliabilityScenario;
    static TypeId tid =
        Attributes<S>(
            messaging::SetSummary(TypeId("ns3::messaging::ReliabilityScenario"),
                                  "Any protocol over any network, with faults and an audit.")
                .SetParent<Scenario>()
                .SetGroupName("MessagingScenario")
                .AddConstructor<ReliabilityScenario>())
            .AddAttribute("Network", "Network, by name [name; default].", &S::m_networkName, "csma")
            .AddAttribute("Protocol",
                          "Protocol, by name [name; default].",
                          &S::m_protocolName,
                          "none")
            .AddAttribute("Pattern",
                          "Traffic pattern, by name [name; default].",
                          &S::m_patternName,
                          "uniform")
            .AddAttribute("Nodes", "Number of nodes [nodes; default].", &S::m_nodes, 8, 2, 1U << 20)
            .AddAttribute("Size",
                          "Size of a message [bytes; default].",
                          &S::m_size,
                          256,
                          0,
                          1U << 26)
            .AddAttribute("Messages",
                          "Messages sent by each node, or rounds of a pattern with rounds "
                          "[messages; default].",
                          &S::m_messages,
                          100,
                          1)
            .AddAttribute("Load",
                          "Offered load of each node as a share of a channel; 0 to send as fast as "
                          "the pattern's Window allows [fraction; default].",
                          &S::m_load,
                          0,
                          0,
                          1)
            .AddAttribute("EmulateBroadcast",
                          "Emulate broadcasts by unicasts on networks that cannot broadcast "
                          "[bool; default].",
                          &S::m_emulate,
                          false)
            .AddAttribute("StaleTimers",
                          "Firing of timers that the protocol has cancelled or restarted, which it "
                          "has to tolerate; false to suppress them [bool; default].",
                          &S::m_staleTimers,
                          false)
            .AddAttribute("Host",
                          "Host whose processor does the work of frames and packets; network for "
                          "that of the network's paper or years, free for none [name; table of "
                          "hosts in messaging].",
                          &S::m_hostChoice,
                          HostChoice::NETWORK,
                          {{HostChoice::NETWORK, "network"},
                           {HostChoice::FREE, "free"},
                           {HostChoice::SPARC10_1995, "sparc10-1995"},
                           {HostChoice::PENTIUM2_1999, "pentium2-1999"},
                           {HostChoice::XEON_2008, "xeon-2008"},
                           {HostChoice::SERVER_2025, "server-2025"}})
            .AddAttribute("FrameTime",
                          "Processor time for each frame or packet sent or received, instead of "
                          "the host's, interrupts and system calls included; 0 for the host's "
                          "[s; default].",
                          &S::m_frameTime,
                          Time(0))
            .AddAttribute("CopyRate",
                          "Bandwidth at which a host copies each payload; 0 for the host's [bit/s; "
                          "default].",
                          &S::m_copyRate,
                          DataRate(0))
            .AddAttribute("TimeLimit",
                          "Simulated time after which the run ends [s; default].",
                          &S::m_limit,
                          Seconds(100),
                          NanoSeconds(1))
            .Forward<&S::m_faults>()
            .AddResult("Outcome",
                       "Observed outcome: exact, or a list of loses, duplicates, reorders, "
                       "corrupts and hangs [-; result].",
                       &S::m_outcome)
            .AddResult("Promise",
                       "Guarantees of the protocol over this network [-; result].",
                       &S::m_promise)
            .AddResult("HostUsed",
                       "Host of each node, after the choice for the network [name; result].",
                       &S::m_host)
            .AddResult("Time", "Time until the last delivery [us; result].", &S::m_time)
            .AddResult("Goodput", "Payload delivered [MB/s; result].", &S::m_goodput)
            .AddResult("Latency",
                       "Mean time from the application's post to the delivery [us; result].",
                       &S::m_delay)
            .AddResult("LatencyMedian", "Median of the same time [us; result].", &S::m_delayMedian)
            .AddResult("Latency99", "99th percentile of the same time [us; result].", &S::m_delay99)
            .AddResult("LatencyWorst", "Maximum of the same time [us; result].", &S::m_delayWorst)
            .AddResult("FramesPerMessage",
                       "Frames, or packets of sockets, per message delivered [frames; result].",
                       &S::m_framesPerMessage)
            .AddResult("BytesPerMessage",
                       "Headers and payload of these frames per message delivered [bytes; result].",
                       &S::m_bytesPerMessage)
            .AddResult("CpuPerMessage",
                       "Processor time of all hosts per message delivered [us; result].",
                       &S::m_cpuPerMessage)
            .AddResult("Memory",
                       "Largest protocol state of a node; 0 if the protocol does not report it "
                       "[bytes; result].",
                       &S::m_memory)
            .AddResult("Posted", "Messages accepted [messages; result].", &S::m_posted)
            .AddResult("Delivered", "Messages delivered [messages; result].", &S::m_delivered)
            .AddResult("Lost",
                       "Messages reported as sent, but not delivered [messages; result].",
                       &S::m_lost)
            .AddResult("Stuck",
                       "Messages neither delivered nor ended [messages; result].",
                       &S::m_stuck)
            .AddResult("Duplicates", "Repeated deliveries [messages; result].", &S::m_duplicates)
            .AddResult("Misordered",
                       "Deliveries after a later message of the same pair [messages; result].",
                       &S::m_misordered)
            .AddResult("Corrupted",
                       "Deliveries of altered messages [messages; result].",
                       &S::m_corrupted)
            .AddResult("Frames", "Frames, or packets of sockets [frames; result].", &S::m_frames)
            .AddResult("Tick",
                       "Length of a tick, the unit of ReorderBound [us; result].",
                       &S::m_tick);
    return tid;
}

std::vector<Scenario::Part>
ReliabilityScenario::GetParts() const
{
    return {{"network", "Network", Network::GetTypeId()},
            {"protocol", "Protocol", Protocol::GetTypeId()},
            {"pattern", "Pattern", BenchmarkApplication::GetTypeId()}};
}

std::string
ReliabilityScenario::CheckPattern() const
{
    TypeId::AttributeInformation interval;
    if (m_load > 0 &&
        !GetPart("pattern")->GetInstanceTypeId().LookupAttributeByName("Interval", &interval))
    {
        return "Load has no effect with the pattern " + m_patternName +
               ", which sends as fast as possible; set it to 0.";
    }
    if (m_load > 0 && GetPart<Protocol>("protocol")->UsesSockets())
    {
        return "Load is a share of a channel for protocols over frames; for " + m_protocolName +
               " set pattern.Interval.";
    }
    return GetPart<BenchmarkApplication>("pattern")->Check(m_nodes);
}

std::string
ReliabilityScenario::CheckPair() const
{
    const auto network = GetPart<Network>("network");
    const auto protocol = GetPart<Protocol>("protocol");
    if (auto sentence = network->Check(m_nodes); !sentence.empty())
    {
        return sentence;
    }
    if (protocol->UsesSockets() && !network->HasDevices())
    {
        return "A protocol over sockets needs net devices, which this network does not have.";
    }
    PortInfo info = network->GetInfo();
    const auto sentence = protocol->Check(info, m_nodes);
    if (sentence.empty() || info.broadcast || !m_emulate)
    {
        return sentence;
    }
    StringValue sourceBusy;
    if (network->GetAttributeFailSafe("SourceBusy", sourceBusy) && sourceBusy.Get() == "drop")
    {
        return "The copies of an emulated broadcast leave one after the other, and with SourceBusy "
               "drop all but the first are dropped at their source; set network.SourceBusy to "
               "wait.";
    }
    info.broadcast = true;
    return protocol->Check(info, m_nodes);
}

std::string
ReliabilityScenario::Check() const
{
    for (const auto& part : GetParts())
    {
        if (!GetPart(part.prefix))
        {
            StringValue name;
            GetAttribute(part.selector, name);
            return "There is no " + part.prefix + " " + name.Get() + "; there are " +
                   WriteNames(part.kind) + ".";
        }
    }
    if (auto sentence = CheckPair(); !sentence.empty())
    {
        return sentence;
    }
    if (auto sentence = CheckPattern(); !sentence.empty())
    {
        return sentence;
    }
    return m_faults->Check(GetPart<Network>("network")->GetInfo());
}

HostKind
ReliabilityScenario::GetHostKind() const
{
    switch (m_hostChoice)
    {
    case HostChoice::FREE:
        return HostKind::FREE;
    case HostChoice::SPARC10_1995:
        return HostKind::SPARC10_1995;
    case HostChoice::PENTIUM2_1999:
        return HostKind::PENTIUM2_1999;
    case HostChoice::XEON_2008:
        return HostKind::XEON_2008;
    case HostChoice::SERVER_2025:
        return HostKind::SERVER_2025;
    case HostChoice::NETWORK:
        break;
    }
    return GetPart<Network>("network")->GetHostKind();
}

HostProfile
ReliabilityScenario::GetProfile() const
{
    HostProfile profile = GetHostProfile(GetHostKind());
    if (m_copyRate.GetBitRate() > 0)
    {
        profile.copyRate = m_copyRate;
    }
    if (m_frameTime.IsStrictlyPositive())
    {
        profile = HostProfile{.send = m_frameTime,
                              .receive = m_frameTime,
                              .directSend = m_frameTime,
                              .directReceive = m_frameTime,
                              .copyRate = profile.copyRate};
    }
    return profile;
}

std::vector<Ptr<HostModel>>
ReliabilityScenario::MakeHosts() const
{
    const HostProfile profile = GetProfile();
    const bool isFree = profile.send.IsZero() && profile.copyRate.GetBitRate() == 0;
    std::vector<Ptr<HostModel>> hosts;
    for (uint32_t i = 0; i < m_nodes && !isFree; ++i)
    {
        auto host = CreateObject<HostModel>();
        host->SetAttribute("Interrupt", TimeValue(profile.interrupt));
        host->SetAttribute("SystemCall", TimeValue(profile.systemCall));
        host->SetAttribute("ContextSwitch", TimeValue(profile.contextSwitch));
        host->SetAttribute("CopyRate", DataRateValue(profile.copyRate));
        hosts.push_back(host);
    }
    return hosts;
}

Site
ReliabilityScenario::BuildPort()
{
    const auto network = GetPart<Network>("network");
    network->Build(m_nodes);
    Ptr<AnyPort> port = Recorder::ObservePort(network->GetPort());
    Recorder::ObserveFaults(m_faults);
    if (m_emulate && !port->GetInfo().broadcast)
    {
        port = ns3::Create<BroadcastEmulation>(port);
    }
    if (m_faults->IsActive())
    {
        port = ns3::Create<FaultyPort<AnyPort>>(network->GetClock(), port, m_faults);
    }
    m_hosts = MakeHosts();
    std::for_each(m_hosts.begin(), m_hosts.end(), Recorder::ObserveHost);
    const auto costs = GetFrameCosts(GetProfile(), network->BypassesKernel());
    m_port = ns3::Create<HostPort>(network->GetClock(), port, m_hosts, costs);
    return Site{.clock = network->GetClock(), .port = m_port, .hosts = m_hosts};
}

Site
ReliabilityScenario::BuildSockets()
{
    const auto network = GetPart<Network>("network");
    network->BuildDevices(m_nodes);
    const NodeContainer& nodes = network->GetNodes();
    m_devices = FaultyNetDevice::Install(network->GetDevices(), m_faults);
    Recorder::ObserveFaults(m_faults);
    NetDeviceContainer devices;
    for (const auto& device : m_devices)
    {
        devices.Add(device);
    }
    m_hosts = MakeHosts();
    if (!m_hosts.empty())
    {
        for (uint32_t i = 0; i < m_nodes; ++i)
        {
            nodes.Get(i)->AggregateObject(m_hosts[i]);
        }
        const HostProfile profile = GetProfile();
        HostHelper helper;
        helper.SetDeviceAttribute("SendInstructions", TimeValue(profile.send));
        helper.SetDeviceAttribute("SendCopies", UintegerValue(1));
        helper.SetDeviceAttribute("ReceiveInstructions", TimeValue(profile.receive));
        helper.SetDeviceAttribute("ReceiveInterrupts", UintegerValue(1));
        helper.SetDeviceAttribute("ReceiveCopies", UintegerValue(1));
        helper.SetDeviceAttribute("ChecksumRate", DataRateValue(profile.checksumRate));
        devices = helper.Install(devices);
    }
    InternetStackHelper internet;
    internet.Install(nodes);
    internet.AssignStreams(nodes, NETWORK_STREAM + m_nodes);
    const auto interfaces = Ipv4AddressHelper("10.0.0.0", "255.0.0.0").Assign(devices);
    Site site{.nodes = nodes};
    for (uint32_t i = 0; i < m_nodes; ++i)
    {
        site.addresses.emplace_back(InetSocketAddress(interfaces.GetAddress(i), PORT));
    }
    FillNeighbourCaches(interfaces);
    return site;
}

Time
ReliabilityScenario::GetInterval() const
{
    Frame frame;
    frame.payload = std::min(m_size, m_port->GetInfo().mtu);
    frame.header = LOAD_HEADER;
    const auto network = GetPart<Network>("network");
    const double frames = m_size > 0 ? static_cast<double>(m_size) / frame.payload : 1;
    const double ticks = frames * static_cast<double>(m_port->WireTicks(frame)) / m_load;
    return Seconds(ticks * network->GetClock()->GetTickLength().GetSeconds());
}

void
ReliabilityScenario::DoRun()
{
    NS_LOG_FUNCTION(this);
    const auto network = GetPart<Network>("network");
    const auto protocol = GetPart<Protocol>("protocol");
    const auto pattern = GetPart<BenchmarkApplication>("pattern");
    m_faults->AssignStreams(FAULT_STREAM);
    m_host = GetHostName(GetHostKind());
    const Site site = protocol->UsesSockets() ? BuildSockets() : BuildPort();
    network->AssignStreams(NETWORK_STREAM);
    const auto group = protocol->Connect(site);
    group->AssignStreams(PROTOCOL_STREAM);
    group->SetFiresStaleTimers(m_staleTimers);
    Recorder::ObserveGroup(group);
    m_audit = CreateObject<DeliveryAudit>();
    m_audit->SetAttribute("Ordered", BooleanValue(true));
    m_audit->SetAttribute("Reliable", BooleanValue(true));
    m_audit->SetGroup(group);
    Recorder::ObserveMessages(m_audit);

    pattern->SetAttribute("Size", UintegerValue(m_size));
    pattern->SetAttribute("Rounds", UintegerValue(m_messages));
    if (m_load > 0)
    {
        pattern->SetAttribute("Interval", TimeValue(GetInterval()));
    }
    BenchmarkHelper helper(m_patternName);
    m_session = helper.Install(m_audit);
    int64_t stream = PATTERN_STREAM;
    const auto applications = helper.GetApplications();
    for (auto it = applications.Begin(); it != applications.End(); ++it)
    {
        CopyAttributes(pattern, *it);
        stream += DynamicCast<BenchmarkApplication>(*it)->AssignStreams(stream);
    }
    // No protocol has a checksum, so a frame with a corrupted id counts as another message.
    m_promised = m_faults->CorruptsUnnoticed()
                     ? Promise{false, false, false, false}
                     : protocol->GetPromise(m_faults->Weaken(network->GetInfo()));
    m_promise = m_promised.GetWords();
    m_session->TraceConnectWithoutContext("Finished",
                                          MakeCallback(&ReliabilityScenario::Linger, this));
    Simulator::Stop(m_limit);
    ShowProgress();
    Simulator::Run();
    const bool done = m_session->IsFinished() && m_audit->GetNInFlight() == 0;
    const bool dry = done || Simulator::Now() < m_limit || m_busy < m_limit * 3 / 4;
    if (!m_session->GetFailure().empty())
    {
        SetVerdict(Verdict::FAILED, m_session->GetFailure());
    }
    else
    {
        Judge(dry);
        Measure();
    }
    group->Dispose();
    m_audit->Dispose();
    network->Dispose();
}

void
ReliabilityScenario::ShowProgress()
{
    const Time now = Simulator::Now();
    const uint64_t events = Simulator::GetEventCount();
    m_busy = events > m_events + 1 ? now : m_busy;
    m_events = events;
    ReportProgress(now.GetSeconds(), m_limit.GetSeconds(), "s until TimeLimit");
    Simulator::Schedule(now / 16 + MicroSeconds(1), &ReliabilityScenario::ShowProgress, this);
}

void
ReliabilityScenario::Linger()
{
    const uint64_t progress = GetProgress();
    // The last frames may still be in flight. How long they take is not known without a port.
    bool waits = false;
    m_audit->ForUndelivered([&waits](Peer, Peer, RequestId) { waits = true; });
    Time trip = waits && !m_port ? Seconds(1) : MilliSeconds(1);
    if (m_port)
    {
        const Frame full{.payload = std::min(m_size, m_port->GetInfo().mtu)};
        const auto network = GetPart<Network>("network");
        const auto ticks = m_port->GetRoundTrip(full, full);
        trip += network->GetClock()->GetTickLength() * static_cast<int64_t>(ticks);
    }
    Simulator::Schedule(Simulator::Now() + trip, [this, progress] {
        if (GetProgress() == progress)
        {
            Simulator::Stop();
        }
        else
        {
            Linger();
        }
    });
}

uint64_t
ReliabilityScenario::GetProgress() const
{
    const uint64_t progress = m_audit->GetCounts().delivered;
    // A protocol that guarantees completeness may retry for ever to a peer that is down.
    return m_promised.complete ? progress : progress + m_faults->GetTotal();
}

void
ReliabilityScenario::Judge(bool dry)
{
    m_audit->Finish(true);
    const AuditCounts& counts = m_audit->GetCounts();
    m_posted = counts.posted;
    m_delivered = counts.delivered;
    m_stuck = counts.stuck;
    m_lost = counts.missing - counts.stuck + counts.abandoned;
    m_duplicates = counts.duplicates;
    m_misordered = counts.misordered;
    m_corrupted = counts.corrupted;
    const bool damaged = m_lost + m_corrupted > 0;
    const Outcome outcome{.loses = m_lost > 0,
                          .duplicates = m_duplicates > 0,
                          .reorders = m_misordered > 0,
                          .corrupts = m_corrupted > 0,
                          .hangs = m_stuck > 0 || (!m_session->IsFinished() && !damaged)};
    m_outcome = outcome.GetWords();
    if (!dry)
    {
        std::ostringstream reason;
        reason << "The run reached TimeLimit, " << m_limit.As(Time::S) << ", with "
               << m_audit->GetNInFlight() << " messages in flight.";
        SetVerdict(Verdict::LIVELOCK, reason.str());
    }
    else if (outcome.Breaks(m_promised))
    {
        SetVerdict(Verdict::VIOLATED, m_audit->GetFirstViolation());
    }
    else if (m_promised.complete && outcome.hangs)
    {
        std::ostringstream reason;
        reason << "There was no event since " << m_busy.As(Time::S) << ", and " << m_stuck
               << " messages have not ended.";
        SetVerdict(Verdict::DEADLOCK, reason.str());
    }
}

void
ReliabilityScenario::Measure()
{
    const auto network = GetPart<Network>("network");
    const auto protocol = GetPart<Protocol>("protocol");
    std::vector<double> delays;
    delays.reserve(m_session->GetDelays().size());
    for (const Time& delay : m_session->GetDelays())
    {
        delays.push_back(delay.GetSeconds() * 1e6);
    }
    std::sort(delays.begin(), delays.end());
    if (!delays.empty())
    {
        const std::size_t last = delays.size() - 1;
        m_delay =
            std::accumulate(delays.begin(), delays.end(), 0.0) / static_cast<double>(delays.size());
        m_delayMedian = delays[last / 2];
        m_delay99 = delays[last * 99 / 100];
        m_delayWorst = delays[last];
    }
    m_time = m_session->GetElapsed().GetSeconds() * 1e6;
    m_goodput = m_time > 0 ? static_cast<double>(m_session->GetNBytes()) / m_time : 0;
    uint64_t bytes = 0;
    m_frames = 0;
    if (m_port)
    {
        m_frames = m_port->GetNFrames();
        bytes = m_port->GetNBytes();
    }
    for (const auto& device : m_devices)
    {
        m_frames += device->GetNPackets();
        bytes += device->GetNBytes();
    }
    double cpu = 0;
    for (const auto& host : m_hosts)
    {
        cpu += host->GetCpus()->GetBusyTime().GetSeconds() * 1e6;
    }
    if (m_delivered > 0)
    {
        const auto messages = static_cast<double>(m_delivered);
        m_framesPerMessage = static_cast<double>(m_frames) / messages;
        m_bytesPerMessage = static_cast<double>(bytes) / messages;
        m_cpuPerMessage = cpu / messages;
    }
    m_memory = protocol->GetMemory();
    const Time tick = m_port ? network->GetClock()->GetTickLength() : NanoSeconds(1);
    m_tick = tick.GetSeconds() * 1e6;
    m_tables = network->GetTables();
    m_tables.emplace_back("Faults", MakeCountTable(m_faults->GetCounts()));
    if (const auto counts = protocol->GetCounts(); !counts.empty())
    {
        m_tables.emplace_back("ProtocolEvents", MakeCountTable(counts));
    }
}

} // namespace messaging
} // namespace ns3
