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
#include "ns3/messaging-host-table.h"
#include "ns3/messaging-neighbours.h"
#include "ns3/messaging-scenario-host-settings.h"
#include "ns3/messaging-scenario-recorder.h"
#include "ns3/messaging-segmented-protocol.h"
#include "ns3/messaging-text.h"
#include "ns3/messaging-traffic-application.h"
#include "ns3/messaging-traffic-helper.h"
#include "ns3/messaging-transport.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <sstream>
#include <utility>
#include <variant>

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

/** Largest value of Size [bytes]. */
constexpr uint32_t MAX_SIZE = 1U << 26;

/** Peers of the network on which the sizes of messages are found, if it can be built so small. */
constexpr uint32_t FEW_PEERS = 2;

/** Header of the frame that defines Load [bytes]. */
constexpr uint16_t LOAD_HEADER = 16;

/** Time that a quiet period adds to the round trip of a full frame. */
const Time QUIET_TRIP = MilliSeconds(1);

/** The same if messages are undelivered, and the round trip is not known. */
const Time UNKNOWN_TRIP = Seconds(1);

/** Microseconds in a second. */
constexpr double MICROSECONDS = 1e6;

/** Longest mean time between two messages of a node, of which a Time can hold the random multiples
 * [s]. */
constexpr double LONGEST_INTERVAL = 1e8;

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

/**
 * Find the attributes of an object that do not have their initial values.
 * @param object the object
 * @return their values by name
 */
std::map<std::string, Ptr<AttributeValue>>
GetChanged(const Object& object)
{
    std::map<std::string, Ptr<AttributeValue>> changed;
    ForEachSettable(object.GetInstanceTypeId(),
                    [&](const TypeId::AttributeInformation& attribute, TypeId) {
                        const auto value = attribute.checker->Create();
                        object.GetAttribute(attribute.name, *value);
                        if (value->SerializeToString(attribute.checker) !=
                            attribute.initialValue->SerializeToString(attribute.checker))
                        {
                            changed.emplace(attribute.name, value);
                        }
                    });
    return changed;
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
            .AddAttribute("Nodes", "Number of nodes [nodes; default].", &S::m_nodes, 8, 1, 1U << 20)
            .AddAttribute("Size",
                          "Size of a message [bytes; default].",
                          &S::m_size,
                          256,
                          0,
                          MAX_SIZE)
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
            .AddAttribute("StallFrames", STALL_FRAMES_HELP, &S::m_stallFrames, STALL_FRAMES)
            .Forward<&S::m_faults>()
            .AddResult("Outcome",
                       "Observed outcome: exact, or a list of loses, duplicates, reorders, "
                       "corrupts, miscompletes, gives up, hangs and undecided [-; result].",
                       &S::m_outcome)
            .AddResult("Promise",
                       "Guarantees of the protocol over this network [-; result].",
                       &S::m_promise)
            .AddResult("WhenCalm",
                       "What the protocol may do although nothing is lost: waits (messages wait "
                       "for timers), repeats (frames of messages are sent again) [-; result].",
                       &S::m_whenCalm)
            .AddResult("CalmWaste",
                       "What a run without faults and losses did of the same, but its protocol "
                       "does not declare [-; result].",
                       &S::m_calmWaste)
            .AddResult("HostUsed",
                       "Host of each node, after the choice for the network [name; result].",
                       &S::m_host)
            .AddResult("Time",
                       "Time until the last delivery or computation [us; result].",
                       &S::m_time)
            .AddResult("Goodput",
                       "Payload delivered over Time, to all nodes together, so that it can exceed "
                       "the rate of a link; 1 MB is 10^6 bytes [MB/s; result].",
                       &S::m_goodput)
            .AddResult("Latency",
                       "Mean time from the application's post to the delivery [us; result].",
                       &S::m_delay)
            .AddResult("LatencyMedian", "Median of the same time [us; result].", &S::m_delayMedian)
            .AddResult("Latency99", "99th percentile of the same time [us; result].", &S::m_delay99)
            .AddResult("LatencyWorst", "Maximum of the same time [us; result].", &S::m_delayWorst)
            .AddResult("LatencySender",
                       "Part of the mean latency in which messages waited at the sender: for the "
                       "protocol's window, table, credit or handshake [us; result].",
                       &S::GetMeanPart<LatencyPart::SENDER>)
            .AddResult("LatencyRepeat",
                       "Part in which they waited until a frame was sent again [us; result].",
                       &S::GetMeanPart<LatencyPart::REPEAT>)
            .AddResult("LatencyProcessors",
                       "Part in which the hosts computed [us; result].",
                       &S::GetMeanPart<LatencyPart::PROCESSORS>)
            .AddResult("LatencyNetwork",
                       "Part that an idle network takes [us; result].",
                       &S::GetMeanPart<LatencyPart::NETWORK>)
            .AddResult("LatencyQueueing",
                       "Part in which frames waited in the network [us; result].",
                       &S::GetMeanPart<LatencyPart::QUEUEING>)
            .AddResult("LatencyReceiver",
                       "Part in which messages were held at the receiver, for missing frames or "
                       "earlier messages [us; result].",
                       &S::GetMeanPart<LatencyPart::RECEIVER>)
            .AddResult("TimerWait",
                       "Time in which messages waited while no frame was in flight and no host "
                       "computed, so that only a timer could go on [us; result].",
                       &S::m_timerWait)
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
                       "Largest protocol state of a node, without a value if the protocol does not "
                       "report it [bytes; result].",
                       &S::m_memory)
            .AddResult("Posted", "Messages accepted [messages; result].", &S::m_posted)
            .AddResult("Delivered", "Messages delivered [messages; result].", &S::m_delivered)
            .AddResult("Lost",
                       "Messages reported as sent, but not delivered [messages; result].",
                       &S::m_lost)
            .AddResult("GivenUp",
                       "Messages reported as failed, and not delivered [messages; result].",
                       &S::m_givenUp)
            .AddResult("Stuck",
                       "Messages neither delivered nor ended, when nothing more could happen "
                       "[messages; result].",
                       &S::m_stuck)
            .AddResult("Pending",
                       "Messages in flight when a limit ended the run [messages; result].",
                       &S::m_pending)
            .AddResult("Miscompletions",
                       "Completions that are repeated, of another peer's message, or DELIVERED "
                       "before the delivery [completions; result].",
                       &S::m_miscompletions)
            .AddResult("Uncompleted",
                       "Messages delivered, but never completed [messages; result].",
                       &S::m_uncompleted)
            .AddResult("Duplicates", "Repeated deliveries [messages; result].", &S::m_duplicates)
            .AddResult("Misordered",
                       "Deliveries after a later message of the same pair [messages; result].",
                       &S::m_misordered)
            .AddResult("Corrupted",
                       "Deliveries of altered messages [messages; result].",
                       &S::m_corrupted)
            .AddResult("Frames", "Frames, or packets of sockets [frames; result].", &S::m_frames)
            .AddResult("FramesRepeated",
                       "Frames of messages, or packets of sockets, sent again [frames; result].",
                       &S::m_repeated)
            .AddResult("FrameCopies",
                       "Receivers of these frames: one to all others counts for each, and a frame "
                       "that a fault repeats counts twice [frames; result].",
                       &S::m_framesCopies)
            .AddResult("FramesArrived",
                       "Frames that have arrived at their receivers, or packets at the IP stack "
                       "[frames; result].",
                       &S::m_framesArrived)
            .AddResult("FramesLost",
                       "Frames that were lost in the network or by faults, for each receiver; "
                       "table Losses names the places [frames; result].",
                       &S::m_framesLost)
            .AddResult("FramesInFlight",
                       "Frames that have neither arrived nor been lost at the end [frames; "
                       "result].",
                       &S::m_framesInFlight)
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
            {"pattern", "Pattern", BenchmarkApplication::GetTypeId()},
            {"host", "", HostSettings::GetTypeId()}};
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
    if (m_load > 0 && GetPart<Protocol>("protocol")->UsesSockets() && GetDeviceRate() == 0)
    {
        return "The rate of the network " + m_networkName +
               " is not known, so that Load has no meaning for " + m_protocolName +
               "; set it to 0, and pattern.Interval instead.";
    }
    return GetPart<BenchmarkApplication>("pattern")->Check(m_nodes);
}

std::string
ReliabilityScenario::CheckFaults() const
{
    return m_faults->Check(GetPart<Network>("network")->GetInfo(), m_nodes);
}

std::string
ReliabilityScenario::CheckPair() const
{
    const auto network = GetPart<Network>("network");
    const auto protocol = GetPart<Protocol>("protocol");
    if (auto* adapters = dynamic_cast<TransportNetwork*>(PeekPointer(network)))
    {
        const auto* user = dynamic_cast<const TransportProtocol*>(PeekPointer(protocol));
        const std::string sentence = adapters->UseTransport(user ? user->GetTransport() : "");
        if (!sentence.empty())
        {
            return sentence;
        }
    }
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
    return CheckFaults();
}

MessageSizes
ReliabilityScenario::FindSizes()
{
    const auto network = GetPart<Network>("network");
    const auto protocol = GetPart<Protocol>("protocol");
    if (network->Check(FEW_PEERS).empty())
    {
        m_nodes = FEW_PEERS;
    }
    m_account = std::make_unique<RunAccount>();
    const Site site = protocol->UsesSockets() ? BuildSockets() : BuildPort();
    const auto group = protocol->Connect(site);
    MessageSizes sizes{.largest = std::min(MAX_SIZE, group->GetLargestMessage())};
    sizes.mtu = site.port ? site.port->GetInfo().mtu : network->GetDevices().Get(0)->GetMtu();
    sizes.whole = sizes.largest;
    if (const auto segmented = dynamic_cast<const SegmentedProtocol*>(PeekPointer(protocol)))
    {
        const uint32_t whole = segmented->GetLargestWhole(site.port);
        sizes.layered = whole < sizes.largest;
        sizes.whole = std::min(whole, sizes.largest);
    }
    group->Dispose();
    network->Dispose();
    m_account.reset();
    Simulator::Destroy();
    return sizes;
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
    const auto given = GetPart<HostSettings>("host");
    const bool isFree =
        profile.send.IsZero() && profile.copyRate.GetBitRate() == 0 && GetChanged(*given).empty();
    std::vector<Ptr<HostModel>> hosts;
    for (uint32_t i = 0; i < m_nodes && !isFree; ++i)
    {
        auto host = CreateObject<HostModel>();
        host->SetAttribute("Interrupt", TimeValue(profile.interrupt));
        host->SetAttribute("SystemCall", TimeValue(profile.systemCall));
        host->SetAttribute("ContextSwitch", TimeValue(profile.contextSwitch));
        host->SetAttribute("CopyRate", DataRateValue(profile.copyRate));
        for (const auto& [name, value] : GetChanged(*given))
        {
            host->SetAttribute(name, *value);
        }
        hosts.push_back(host);
    }
    return hosts;
}

Site
ReliabilityScenario::BuildPort()
{
    const auto network = GetPart<Network>("network");
    network->Build(m_nodes);
    Ptr<AnyPort> port = GetRecorder().ObservePort(network->GetPort());
    GetRecorder().ObserveFaults(m_faults);
    if (m_emulate && !port->GetInfo().broadcast)
    {
        port = ns3::Create<BroadcastEmulation>(port);
    }
    if (m_faults->IsActive())
    {
        port = ns3::Create<FaultyPort<AnyPort>>(network->GetClock(), port, m_faults);
    }
    const Time tick = network->GetClock()->GetTickLength();
    m_account->ObserveFaults(m_faults);
    port = m_account->ObserveWire(port, tick);
    m_hosts = MakeHosts();
    for (const auto& host : m_hosts)
    {
        GetRecorder().ObserveHost(host);
    }
    const auto costs = GetFrameCosts(GetProfile(), network->BypassesKernel());
    m_port = ns3::Create<HostPort>(network->GetClock(), port, m_hosts, costs);
    return Site{.clock = network->GetClock(), .port = MakeAnyPort(m_port), .hosts = m_hosts};
}

Site
ReliabilityScenario::BuildSockets()
{
    const auto network = GetPart<Network>("network");
    network->BuildDevices(m_nodes);
    const NodeContainer& nodes = network->GetNodes();
    m_devices = FaultyNetDevice::Install(network->GetDevices(), m_faults);
    GetRecorder().ObserveFaults(m_faults);
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
    m_account->ObserveDevices(m_devices,
                              m_hosts.empty() ? NetDeviceContainer() : devices,
                              GetDeviceRate());
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

double
ReliabilityScenario::GetDeviceRate() const
{
    // A network states its rate by ticks of its clock, which are nanoseconds without one.
    const auto network = GetPart<Network>("network");
    const auto clock = network->GetClock();
    const Time tick = clock ? clock->GetTickLength() : NanoSeconds(1);
    return network->GetInfo().rate / tick.GetSeconds();
}

double
ReliabilityScenario::GetInterval() const
{
    if (!m_port)
    {
        return (m_size + LOAD_HEADER) / GetDeviceRate() / m_load;
    }
    Frame frame;
    frame.payload = std::min(m_size, m_port->GetInfo().mtu);
    frame.header = LOAD_HEADER;
    const auto network = GetPart<Network>("network");
    const double frames = m_size > 0 ? static_cast<double>(m_size) / frame.payload : 1;
    const double ticks = frames * static_cast<double>(m_port->WireTicks(frame)) / m_load;
    return ticks * network->GetClock()->GetTickLength().GetSeconds();
}

void
ReliabilityScenario::DoRun()
{
    NS_LOG_FUNCTION(this);
    const auto network = GetPart<Network>("network");
    const auto protocol = GetPart<Protocol>("protocol");
    const auto pattern = GetPart<BenchmarkApplication>("pattern");
    m_faults->AssignStreams(FAULT_STREAM);
    m_account = std::make_unique<RunAccount>();
    m_host = GetHostName(GetHostKind());
    m_account->ObserveNetwork(network);
    const Site site = protocol->UsesSockets() ? BuildSockets() : BuildPort();
    if (m_load > 0 && GetInterval() > LONGEST_INTERVAL)
    {
        SetVerdict(Verdict::ERROR,
                   ToText("Load is ",
                          m_load,
                          ", and a node would send a message every ",
                          GetInterval(),
                          " s; the longest interval is ",
                          LONGEST_INTERVAL,
                          " s."));
        network->Dispose();
        m_account.reset();
        return;
    }
    network->AssignStreams(NETWORK_STREAM);
    if (auto* user = dynamic_cast<TransportProtocol*>(PeekPointer(protocol)))
    {
        user->SetTransportNetwork(dynamic_cast<TransportNetwork*>(PeekPointer(network)));
    }
    const auto group = protocol->Connect(site);
    if (m_port && !m_hosts.empty())
    {
        m_account->ObserveCore(group, m_port, network->GetClock()->GetTickLength());
    }
    m_stackLosses.Observe(site.nodes);
    group->AssignStreams(PROTOCOL_STREAM);
    group->SetFiresStaleTimers(m_staleTimers);
    GetRecorder().ObserveGroup(group);
    m_audit = CreateObject<DeliveryAudit>();
    m_audit->SetAttribute("Ordered", BooleanValue(true));
    m_audit->SetAttribute("Reliable", BooleanValue(true));
    m_audit->SetGroup(group);
    GetRecorder().ObserveMessages(m_audit);

    InstallPattern(pattern);
    m_account->ObserveMessages(group, m_audit, m_session, m_hosts);
    GetRecorder().ObserveParts(m_session, m_account->GetTimeline());
    m_promised = FindPromise(network, protocol);
    m_promise = m_promised.GetWords();
    const CalmWaste permitted{.waits = m_promised.waitsWhenCalm,
                              .repeats = m_promised.repeatsWhenCalm};
    m_whenCalm = permitted.GetWords();
    m_session->TraceConnectWithoutContext("Finished",
                                          MakeCallback(&ReliabilityScenario::Linger, this));
    ScheduleWatch();
    Simulator::Run();
    if (!m_session->GetFailure().empty() && m_audit->GetCounts().failed == 0)
    {
        SetVerdict(Verdict::ERROR, m_session->GetFailure());
    }
    else
    {
        Judge();
        Measure();
    }
    group->Dispose();
    m_audit->Dispose();
    network->Dispose();
    m_account.reset();
}

void
ReliabilityScenario::InstallPattern(Ptr<BenchmarkApplication> pattern)
{
    pattern->SetAttribute("Size", UintegerValue(m_size));
    pattern->SetAttribute("Rounds", UintegerValue(m_messages));
    if (m_load > 0)
    {
        pattern->SetAttribute("Interval", TimeValue(Seconds(GetInterval())));
    }
    BenchmarkHelper helper(m_patternName);
    helper.CopyAttributes(pattern);
    m_session = helper.Install(m_audit);
    int64_t stream = PATTERN_STREAM;
    const auto applications = helper.GetApplications();
    for (auto it = applications.Begin(); it != applications.End(); ++it)
    {
        stream += DynamicCast<BenchmarkApplication>(*it)->AssignStreams(stream);
    }
}

Promise
ReliabilityScenario::FindPromise(Ptr<Network> network, Ptr<Protocol> protocol) const
{
    // No protocol has a checksum, so a frame with a corrupted id counts as another message.
    if (m_faults->CorruptsUnnoticed())
    {
        return Promise{.complete = false,
                       .once = false,
                       .ordered = false,
                       .intact = false,
                       .confirms = false,
                       .ended = false,
                       .accurate = false};
    }
    if (m_port)
    {
        return protocol->GetPromise(m_port->GetInfo());
    }
    return protocol->GetPromise(m_faults->Weaken(network->GetInfo()));
}

void
ReliabilityScenario::ScheduleWatch()
{
    const Time now = Simulator::Now();
    const Time next = std::min({now + GetWatchStep(now, m_limit), m_quietEnd, m_limit});
    m_watch = Simulator::Schedule(next - now, &ReliabilityScenario::Watch, this);
}

void
ReliabilityScenario::Watch()
{
    const Time now = Simulator::Now();
    ReportProgress(now.GetSeconds(), m_limit.GetSeconds(), "s until TimeLimit");
    if (Simulator::IsFinished())
    {
        m_ending = Ending::IDLE;
        return;
    }
    if (now >= m_quietEnd && GetProgress() == m_quietProgress && !IsWaiting())
    {
        m_ending = Ending::QUIET;
        Simulator::Stop();
        return;
    }
    if (now >= m_limit)
    {
        m_ending = Ending::LIMIT;
        Simulator::Stop();
        return;
    }
    m_stall.Observe(m_audit->GetCounts(), CountFrames());
    if (m_stall.IsStalled(m_stallFrames, CountFramesInFlight()))
    {
        m_ending = Ending::STALL;
        Simulator::Stop();
        return;
    }
    if (now >= m_quietEnd)
    {
        Linger();
        return;
    }
    ScheduleWatch();
}

void
ReliabilityScenario::Linger()
{
    m_quietProgress = GetProgress();
    // The last frames may still be in flight. How long they take is not known without a port.
    bool waits = false;
    m_audit->ForUndelivered([&waits](Peer, Peer, RequestId) { waits = true; });
    Time trip = QUIET_TRIP;
    if (waits && !m_port)
    {
        trip = UNKNOWN_TRIP;
    }
    if (m_port)
    {
        const Frame full{.payload = std::min(m_size, m_port->GetInfo().mtu)};
        const auto network = GetPart<Network>("network");
        const auto ticks = m_port->GetRoundTrip(full, full);
        trip += network->GetClock()->GetTickLength() * static_cast<int64_t>(ticks);
    }
    m_quietEnd = 2 * Simulator::Now() + trip;
    Simulator::Remove(m_watch);
    ScheduleWatch();
}

uint64_t
ReliabilityScenario::CountFrames() const
{
    uint64_t frames = m_port ? m_port->GetNFrames() : 0;
    for (const auto& device : m_devices)
    {
        frames += device->GetNPackets();
    }
    return frames;
}

uint64_t
ReliabilityScenario::CountFramesInFlight() const
{
    // A protocol may divide messages into packets that are shorter than the frames of its network.
    const uint32_t payload = m_port ? m_port->GetLargestPayload() : StallDetector::PACKET_PAYLOAD;
    return m_audit->GetNInFlight() * GetFramesOfMessage(m_size, payload);
}

bool
ReliabilityScenario::IsWaiting() const
{
    if (!m_session->GetFailure().empty())
    {
        return false;
    }
    return m_promised.IsReliable() ? m_audit->GetNInFlight() > 0 : m_audit->CountUncompleted() > 0;
}

uint64_t
ReliabilityScenario::GetProgress() const
{
    const uint64_t progress = m_audit->GetCounts().delivered;
    // A protocol that guarantees completeness may retry for ever to a peer that is down.
    return m_promised.IsReliable() ? progress : progress + m_faults->GetTotal();
}

std::string
ReliabilityScenario::FindViolation(const Outcome& outcome) const
{
    /** A guarantee. */
    struct Guarantee
    {
        bool isBroken;       ///< It is promised, and does not hold.
        AuditViolation kind; ///< Kind of the violation.
    };

    const std::array guarantees{
        Guarantee{m_promised.once && outcome.duplicates, AuditViolation::DUPLICATE},
        Guarantee{m_promised.ordered && outcome.reorders, AuditViolation::MISORDERED},
        Guarantee{m_promised.intact && outcome.corrupts, AuditViolation::CORRUPTED},
        Guarantee{m_promised.accurate && outcome.miscompletes, AuditViolation::FALSEHOOD},
        Guarantee{m_promised.IsReliable() && outcome.loses, AuditViolation::MISSING}};
    for (const auto& [isBroken, kind] : guarantees)
    {
        if (isBroken)
        {
            return m_audit->GetFirstViolation(kind);
        }
    }
    return m_promised.complete && outcome.givesUp ? m_session->GetFailure() : "";
}

std::string
ReliabilityScenario::DescribeProgress() const
{
    std::ostringstream text;
    text << m_delivered << " of " << m_posted << " messages posted were delivered";
    if (m_delivered > 0)
    {
        text << ", the last after " << m_session->GetElapsed().GetSeconds() << " s";
    }
    return text.str();
}

std::string
ReliabilityScenario::DescribeLosses() const
{
    if (m_lost == 0 || m_promised.IsReliable())
    {
        return "";
    }
    std::ostringstream text;
    text << " The protocol " << m_protocolName << " promises no delivery, and has lost " << m_lost
         << " messages";
    const auto table = MakeLossTable();
    const auto& columns = table->GetColumns();
    const auto& counts = std::get<std::vector<int64_t>>(columns[2].cells);
    if (const auto most = std::max_element(counts.begin(), counts.end()); most != counts.end())
    {
        const auto row = static_cast<std::size_t>(most - counts.begin());
        text << "; most frames were lost at the place \""
             << std::get<std::vector<std::string>>(columns[1].cells)[row] << "\", " << *most;
    }
    text << '.';
    return text.str();
}

void
ReliabilityScenario::Judge()
{
    const bool hasFailed = !m_session->GetFailure().empty();
    const bool isDone = m_session->IsFinished() && m_audit->GetNInFlight() == 0;
    // Whether a message that has not arrived will not arrive.
    const bool isDecided =
        isDone || m_ending == Ending::IDLE || (m_ending == Ending::QUIET && !hasFailed);
    m_audit->Finish(isDecided);
    const AuditCounts& counts = m_audit->GetCounts();
    m_posted = counts.posted;
    m_delivered = counts.delivered;
    m_stuck = counts.stuck;
    m_lost = counts.missing - counts.stuck;
    m_givenUp = counts.abandoned;
    m_pending = m_posted - m_delivered - m_lost - m_givenUp - m_stuck;
    m_duplicates = counts.duplicates;
    m_misordered = counts.misordered;
    m_corrupted = counts.corrupted;
    m_miscompletions = counts.falsehoods;
    m_uncompleted = counts.uncompleted;
    const bool waitsForNothing = isDecided && !m_session->IsFinished() && !hasFailed;
    const bool isDamaged = m_lost + m_corrupted > 0;
    const Outcome outcome{.loses = m_lost > 0,
                          .duplicates = m_duplicates > 0,
                          .reorders = m_misordered > 0,
                          .corrupts = m_corrupted > 0,
                          .hangs = m_stuck + m_uncompleted > 0 || (waitsForNothing && !isDamaged),
                          .givesUp = counts.failed > 0,
                          .miscompletes = m_miscompletions > 0};
    const bool isUndecided = !isDecided && !hasFailed;
    m_outcome = outcome.GetWords();
    if (isUndecided)
    {
        m_outcome = m_outcome == "exact" ? "undecided" : m_outcome + ", undecided";
    }
    std::ostringstream reason;
    if (const std::string violation = FindViolation(outcome); !violation.empty())
    {
        SetVerdict(Verdict::VIOLATED, violation);
    }
    else if (const std::string cycle = FindDeadlock(); !cycle.empty())
    {
        SetVerdict(Verdict::DEADLOCK, cycle);
    }
    else if (outcome.hangs || waitsForNothing)
    {
        const bool isMissing = m_stuck > 0 || m_uncompleted == 0;
        const std::string& first = m_audit->GetFirstViolation(
            isMissing ? AuditViolation::MISSING : AuditViolation::UNCOMPLETED);
        reason << "Nothing can happen any more: no event is pending, and " << DescribeProgress()
               << '.' << (first.empty() ? "" : " ") << first << DescribeLosses();
        SetVerdict(Verdict::DEADLOCK, reason.str());
    }
    else if (hasFailed)
    {
        SetVerdict(Verdict::FAILED, m_session->GetFailure());
    }
    else if (isUndecided)
    {
        if (m_ending == Ending::STALL)
        {
            reason << m_stall.Describe();
        }
        else
        {
            reason << "The run reached TimeLimit, " << m_limit.GetSeconds() << " s, when ";
        }
        reason << DescribeProgress() << "; " << m_audit->GetNInFlight() << " had not ended.";
        SetVerdict(Verdict::UNDECIDED, reason.str());
    }
}

std::string
ReliabilityScenario::FindDeadlock() const
{
    const bool done = m_session->IsFinished();
    return done ? "" : GetPart<BenchmarkApplication>("pattern")->FindDeadlock();
}

void
ReliabilityScenario::MeasureLatency()
{
    std::vector<double> delays;
    delays.reserve(m_session->GetDelays().size());
    for (const Time& delay : m_session->GetDelays())
    {
        delays.push_back(delay.GetSeconds() * MICROSECONDS);
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
        m_time = m_session->GetElapsed().GetSeconds() * MICROSECONDS;
    }
    for (std::size_t i = 0; i < N_LATENCY_PARTS; ++i)
    {
        m_parts[i] = m_account->GetMean(static_cast<LatencyPart>(i));
    }
    const auto timeline = m_account->GetTimeline();
    m_timerWait = timeline->GetTimerWait().GetSeconds() * MICROSECONDS;
    m_repeated = m_account->GetNRepeated();
    m_tables.emplace_back("LatencyParts", m_account->MakeTable());
}

void
ReliabilityScenario::Measure()
{
    const auto network = GetPart<Network>("network");
    const auto protocol = GetPart<Protocol>("protocol");
    MeasureLatency();
    m_goodput = m_time > 0 ? static_cast<double>(m_session->GetNBytes()) / m_time : 0;
    uint64_t bytes = 0;
    m_frames = CountFrames();
    if (m_port)
    {
        bytes = m_port->GetNBytes();
    }
    for (const auto& device : m_devices)
    {
        bytes += device->GetNBytes();
    }
    double cpu = 0;
    for (const auto& host : m_hosts)
    {
        cpu += host->GetCpus()->GetBusyTime().GetSeconds() * MICROSECONDS;
    }
    if (m_delivered > 0)
    {
        const auto messages = static_cast<double>(m_delivered);
        m_framesPerMessage = static_cast<double>(m_frames) / messages;
        m_bytesPerMessage = static_cast<double>(bytes) / messages;
        m_cpuPerMessage = cpu / messages;
    }
    if (const auto memory = protocol->GetMemory())
    {
        m_memory = static_cast<double>(*memory);
    }
    const Time tick = m_port ? network->GetClock()->GetTickLength() : NanoSeconds(1);
    // A quotient of whole numbers: seconds as a double would turn 0.001 us into 0.00099999...
    m_tick = tick.GetDouble() / MicroSeconds(1).GetDouble();
    for (const auto& table : network->GetTables())
    {
        m_tables.push_back(table);
    }
    if (!m_hosts.empty())
    {
        m_tables.emplace_back("Hosts", MakeHostTable(m_hosts));
    }
    MeasureLosses();
    m_tables.emplace_back("Faults", MakeCountTable(m_faults->GetCounts()));
    if (const auto counts = protocol->GetCounts(); !counts.empty())
    {
        m_tables.emplace_back("ProtocolEvents", MakeCountTable(counts));
    }
}

void
ReliabilityScenario::MeasureLosses()
{
    const LossCounts& network = GetPart<Network>("network")->GetLosses();
    const LossCounts& faults = m_faults->GetLosses();
    m_framesCopies = m_faults->GetNDuplicated();
    m_framesArrived = 0;
    if (m_port)
    {
        m_framesCopies += m_port->GetNCopies();
        m_framesArrived += m_port->GetNArrived();
    }
    for (const auto& device : m_devices)
    {
        m_framesCopies += device->GetNCopies();
        m_framesArrived += device->GetNArrived();
    }
    m_framesLost = network.GetTotal() + faults.GetTotal();
    m_framesInFlight = m_framesCopies - m_framesArrived - m_framesLost;
    const Ptr<Table> losses = MakeLossTable();
    m_tables.emplace_back("Losses", losses);
    const bool isCalm = losses->GetNRows() == 0 && !m_faults->IsActive();
    const CalmWaste waste{.waits = isCalm && m_timerWait > 0, .repeats = isCalm && m_repeated > 0};
    m_calmWaste = waste.GetExcess(m_promised).GetWords();
}

Ptr<Table>
ReliabilityScenario::MakeLossTable() const
{
    std::vector<std::string> layers;
    std::vector<std::string> places;
    std::vector<int64_t> counts;
    const auto append = [&](const char* layer, const std::vector<LossCounts::Row>& rows) {
        for (const auto& [place, count] : rows)
        {
            if (count > 0)
            {
                layers.emplace_back(layer);
                places.push_back(place);
                counts.push_back(static_cast<int64_t>(count));
            }
        }
    };
    append("network", GetPart<Network>("network")->GetLosses().GetRows());
    append("faults", m_faults->GetLosses().GetRows());
    append("ip", m_stackLosses.GetCounts().GetRows());
    append("protocol", GetPart<Protocol>("protocol")->GetLosses());
    const auto table = CreateObject<Table>();
    table->AddColumn("layer", "", std::move(layers));
    table->AddColumn("place", "", std::move(places));
    table->AddColumn("count", "frames", std::move(counts));
    return table;
}

} // namespace messaging
} // namespace ns3
