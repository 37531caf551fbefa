/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ethernet-fabric-scenario.h"

#include "ns3/boolean.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/log.h"
#include "ns3/messaging-attributes.h"
#include "ns3/messaging-faulty-net-device.h"
#include "ns3/messaging-faulty-port.h"
#include "ns3/messaging-forwarded-attributes.h"
#include "ns3/messaging-neighbours.h"
#include "ns3/messaging-registry.h"
#include "ns3/messaging-row-table.h"
#include "ns3/messaging-scenario-recorder.h"
#include "ns3/messaging-spread-bits.h"
#include "ns3/messaging-text.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ns3
{
namespace fabric
{

using messaging::ToText;

NS_LOG_COMPONENT_DEFINE("EthernetFabricScenario");
NS_OBJECT_ENSURE_REGISTERED(FabricScenario);

namespace
{

/** Port number of every node. */
constexpr uint16_t PORT = 4000;

/** First random streams of faults, network, flows and protocol. */
constexpr int64_t FAULT_STREAM = 1;
constexpr int64_t NETWORK_STREAM = 1000;
constexpr int64_t FLOW_STREAM = 1'000'000;
constexpr int64_t PROTOCOL_STREAM = 100'000'000;

/** Headers of a packet of a protocol over sockets: IPv4 and TCP [bytes; RFC 791, RFC 9293]. */
constexpr uint32_t SOCKET_HEADER = 40;

/** Ethernet's header of such a packet [bytes; IEEE 802.3]. */
constexpr uint32_t ETHERNET_HEADER = 14;

/** Ethernet's header and checksum around such a packet [bytes; IEEE 802.3]. */
constexpr uint32_t ETHERNET = ETHERNET_HEADER + 4;

/** Largest size of a flow [bytes]. */
constexpr uint32_t LARGEST_SIZE = 1U << 31;

/** Largest number of queue pairs of a host. */
constexpr uint32_t MOST_PAIRS = 1024;

/** Time after the end of the last flow for answers and late copies. */
const Time LINGER = MilliSeconds(1);

/**
 * Find a count of a protocol.
 * @param counts its counts
 * @param name the name
 * @return the count; not a number if the protocol has none of this name
 */
double
FindCount(const std::vector<messaging::Protocol::NamedCount>& counts, const std::string& name)
{
    for (const auto& [event, count] : counts)
    {
        if (event == name)
        {
            return static_cast<double>(count);
        }
    }
    return std::numeric_limits<double>::quiet_NaN();
}

} // namespace

TypeId
FabricScenario::GetTypeId()
{
    using S = FabricScenario;
    static TypeId tid =
        messaging::Attributes<S>(
            messaging::SetSummary(TypeId("ns3::fabric::FabricScenario"),
                                  "Completion times of flows over an Ethernet fabric, with any "
                                  "protocol.")
                .SetParent<Scenario>()
                .SetGroupName("EthernetFabric")
                .AddConstructor<FabricScenario>())
            .AddAttribute("Network",
                          "Network, by name; it has to be a fabric [name; default].",
                          &S::m_networkName,
                          "fabric")
            .AddAttribute("Protocol",
                          "Protocol, by name [name; default].",
                          &S::m_protocolName,
                          "irn")
            .AddAttribute(
                "Workload",
                "Flows: Poisson flows between random hosts, with sizes of a published distribution "
                "(websearch, hadoop, alistorage, googlerpc, solar), of SizesFile, or all of Size; "
                "one incast, a permutation or an all-to-all of flows of Size; or those of FlowFile "
                "[name; traffic generators of HPCC's and ConWeave's simulators].",
                &S::m_workload,
                Workload::WEB_SEARCH,
                {{Workload::WEB_SEARCH, "websearch"},
                 {Workload::HADOOP, "hadoop"},
                 {Workload::ALI_STORAGE, "alistorage"},
                 {Workload::GOOGLE_RPC, "googlerpc"},
                 {Workload::SOLAR, "solar"},
                 {Workload::SIZES_FILE, "sizes-file"},
                 {Workload::FIXED, "fixed"},
                 {Workload::INCAST, "incast"},
                 {Workload::PERMUTATION, "permutation"},
                 {Workload::ALL_TO_ALL, "all-to-all"},
                 {Workload::FROM_FILE, "file"}})
            .AddAttribute("Nodes",
                          "Number of hosts [nodes; default].",
                          &S::m_nodes,
                          16,
                          2,
                          1U << 16)
            .AddAttribute("Flows",
                          "Number of flows of a workload with Poisson flows [flows; default].",
                          &S::m_count,
                          1000,
                          1,
                          1U << 24)
            .AddAttribute("Load",
                          "Payload of Poisson flows as a share of the hosts' links [fraction; "
                          "default].",
                          &S::m_load,
                          0.5,
                          0.001,
                          2)
            .AddAttribute("Size",
                          "Size of a flow of the workloads fixed, permutation and all-to-all, and "
                          "of all parts of an incast together [bytes; default].",
                          &S::m_size,
                          1'000'000,
                          0,
                          LARGEST_SIZE)
            .AddAttribute("Senders",
                          "Senders of an incast [nodes; default].",
                          &S::m_senders,
                          8,
                          1,
                          1U << 16)
            .AddAttribute("SizesFile",
                          "File with sizes in bytes and the percentage of the flows that are not "
                          "longer [file; default].",
                          &S::m_sizesFile,
                          "")
            .AddAttribute("FlowFile",
                          "File with flows, of HPCC's simulator or a connection matrix (.cm) of "
                          "htsim [file; default].",
                          &S::m_flowFile,
                          "")
            .AddAttribute("QueuePairs",
                          "Queue pairs of a host; flows that share one wait for each other. It is "
                          "1 for protocols over sockets [queue pairs; default].",
                          &S::m_pairs,
                          16,
                          1,
                          MOST_PAIRS)
            .AddAttribute("Details",
                          "Make the table Flows, with a row for each flow [bool; default].",
                          &S::m_details,
                          false)
            .AddAttribute("QueueInterval",
                          "Time between the rows of the table QueueLengths, in which each queue "
                          "that is not empty has one; 0 for no table [s; default].",
                          &S::m_queueInterval,
                          Seconds(0))
            .AddAttribute("TimeLimit",
                          "Simulated time after which the run ends [s; default].",
                          &S::m_limit,
                          Seconds(100),
                          NanoSeconds(1))
            .AddAttribute("StallFrames",
                          messaging::STALL_FRAMES_HELP,
                          &S::m_stallFrames,
                          messaging::STALL_FRAMES)
            .Forward<&S::m_faults>()
            .AddResult("Delivered", "Flows delivered [flows; result].", &S::m_delivered)
            .AddResult(
                "GivenUp",
                "Flows that the protocol has reported as failed, and that were not delivered "
                "[flows; result].",
                &S::m_givenUp)
            .AddResult("Pending",
                       "Flows neither delivered nor given up at the end [flows; result].",
                       &S::m_pending)
            .AddResult("OfferedLoad",
                       "Payload of Poisson flows until the start of the last one, as a share of "
                       "the hosts' links [fraction; result].",
                       &S::m_offered)
            .AddResult("Time",
                       "Time from the first start to the last delivery [us; result].",
                       &S::GetSpan)
            .AddResult("Goodput",
                       "Payload delivered in this time, to all hosts together; 1 MB is 10^6 bytes "
                       "[MB/s; result].",
                       &S::m_goodput)
            .AddResult("Fct",
                       "Mean flow completion time, from start to delivery [us; result].",
                       &S::GetTime<&Distribution::mean>)
            .AddResult("FctMedian",
                       "Median of the same [us; result].",
                       &S::GetTime<&Distribution::median>)
            .AddResult("Fct99",
                       "99th percentile of the same [us; result].",
                       &S::GetTime<&Distribution::p99>)
            .AddResult("Fct999",
                       "99.9th percentile of the same [us; result].",
                       &S::GetTime<&Distribution::p999>)
            .AddResult("Slowdown",
                       "Mean slowdown: completion time relative to that of the same packets on an "
                       "idle fabric [ratio; result].",
                       &S::GetSlowdown<&Distribution::mean>)
            .AddResult("SlowdownMedian",
                       "Median of the same [ratio; result].",
                       &S::GetSlowdown<&Distribution::median>)
            .AddResult("Slowdown99",
                       "99th percentile of the same [ratio; result].",
                       &S::GetSlowdown<&Distribution::p99>)
            .AddResult("Slowdown999",
                       "99.9th percentile of the same [ratio; result].",
                       &S::GetSlowdown<&Distribution::p999>)
            .AddResult("SlowdownLeast",
                       "Minimum of the same [ratio; result].",
                       &S::GetSlowdown<&Distribution::least>)
            .AddResult("SlowdownWorst",
                       "Maximum of the same [ratio; result].",
                       &S::GetSlowdown<&Distribution::most>)
            .AddResult("Fairness",
                       "Jain's index of the rates of delivered flows, each relative to that on an "
                       "idle fabric; 1 if all are equal [fraction; result].",
                       &S::GetFairness)
            .AddResult("Packets",
                       "Frames with payload that hosts have sent; 0 for sockets [frames; result].",
                       &S::m_packets)
            .AddResult("Answers",
                       "Frames without payload that hosts have sent, such as acknowledgements; 0 "
                       "for sockets [frames; result].",
                       &S::m_answers)
            .AddResult("Repeats",
                       "Packets sent again, without a value if the protocol does not count them "
                       "[frames; result].",
                       &S::m_repeats)
            .AddResult("Spurious",
                       "Packets that arrived although they had arrived before, likewise [frames; "
                       "result].",
                       &S::m_spurious)
            .AddResult("Drops",
                       "Frames lost in the network and by faults; table Losses names the places "
                       "[frames; result].",
                       &S::m_drops)
            .AddResult("Pauses", "Pauses that switches have sent [pauses; result].", &S::m_pauses)
            .AddResult("Deadlock",
                       "Paused ports that wait for each other in a circle at the end [ports; "
                       "result].",
                       &S::GetDeadlock)
            .AddResult("Marks",
                       "Congestion marks of frames, at each switch that sets one [marks; result].",
                       &S::m_marks)
            .AddResult("Trims", "Frames trimmed [frames; result].", &S::m_trims)
            .AddResult("Hops",
                       "Frames that hosts and switches have sent, at each hop [frames; result].",
                       &S::m_hops);
    return tid;
}

std::vector<messaging::Scenario::Part>
FabricScenario::GetParts() const
{
    return {{"network", "Network", messaging::Network::GetTypeId()},
            {"protocol", "Protocol", messaging::Protocol::GetTypeId()}};
}

double
FabricScenario::GetHostRate() const
{
    return GetNetwork()->GetInfo().rate / NanoSeconds(1).GetSeconds();
}

messaging::FlowSizes
FabricScenario::GetSizes(std::string& error) const
{
    using messaging::FlowDistribution;
    switch (m_workload)
    {
    case Workload::WEB_SEARCH:
        return GetFlowSizes(FlowDistribution::WEB_SEARCH);
    case Workload::HADOOP:
        return GetFlowSizes(FlowDistribution::HADOOP);
    case Workload::ALI_STORAGE:
        return GetFlowSizes(FlowDistribution::ALI_STORAGE);
    case Workload::GOOGLE_RPC:
        return GetFlowSizes(FlowDistribution::GOOGLE_RPC);
    case Workload::SOLAR:
        return GetFlowSizes(FlowDistribution::SOLAR);
    case Workload::SIZES_FILE: {
        messaging::FlowSizes sizes;
        error = messaging::ReadFlowSizes(m_sizesFile, sizes);
        return sizes;
    }
    default:
        return messaging::FlowSizes(m_size);
    }
}

std::string
FabricScenario::CheckWorkload() const
{
    std::string error;
    if (IsPoisson())
    {
        const messaging::FlowSizes sizes = GetSizes(error);
        if (error.empty() && sizes.GetMean() == 0)
        {
            error = "Size has to be at least 1 with Workload fixed: flows without bytes have no "
                    "load.";
        }
        return error;
    }
    if (m_workload == Workload::INCAST && m_senders >= m_nodes)
    {
        return "Senders has to be below Nodes: one host receives.";
    }
    if (m_workload == Workload::FROM_FILE)
    {
        std::vector<messaging::TrafficFlow> flows;
        error = messaging::ReadFlows(m_flowFile, m_nodes, flows);
        if (error.empty() && flows.empty())
        {
            error = m_flowFile + " has no flows.";
        }
    }
    return error;
}

std::string
FabricScenario::Check() const
{
    if (!GetPart("network") || !GetNetwork())
    {
        return "Network has to be fabric, or another Ethernet fabric.";
    }
    const auto protocol = GetPart<messaging::Protocol>("protocol");
    if (!protocol)
    {
        return "There is no protocol " + m_protocolName + "; relnet protocols lists them.";
    }
    const auto network = GetNetwork();
    if (auto sentence = network->Check(m_nodes); !sentence.empty())
    {
        return sentence;
    }
    const messaging::PortInfo info = network->GetInfo();
    const uint32_t pairs = protocol->UsesSockets() ? 1 : m_pairs;
    const messaging::PortInfo ofPair = QueuePairPort::GetInfoOfPair(info, pairs);
    if (auto sentence = protocol->Check(ofPair, m_nodes * pairs); !sentence.empty())
    {
        return sentence;
    }
    if (pairs * uint64_t{info.paths} > std::numeric_limits<uint16_t>::max() + uint64_t{1})
    {
        return "QueuePairs times the Paths of the network has to be at most 65536.";
    }
    if (auto sentence = CheckWorkload(); !sentence.empty())
    {
        return sentence;
    }
    return m_faults->Check(info, m_nodes);
}

std::vector<messaging::TrafficFlow>
FabricScenario::MakeFlows() const
{
    const auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(FLOW_STREAM);
    switch (m_workload)
    {
    case Workload::INCAST:
        return messaging::MakeIncast(random, m_nodes, m_senders, m_size);
    case Workload::PERMUTATION:
        return messaging::MakePermutation(random, m_nodes, m_size);
    case Workload::ALL_TO_ALL:
        return messaging::MakeAllToAll(m_nodes, m_size);
    case Workload::FROM_FILE: {
        std::vector<messaging::TrafficFlow> flows;
        messaging::ReadFlows(m_flowFile, m_nodes, flows);
        return flows;
    }
    default:
        break;
    }
    std::string error;
    return messaging::MakePoissonFlows(random,
                                       m_nodes,
                                       m_count,
                                       GetSizes(error),
                                       {.load = m_load, .rate = GetHostRate()});
}

messaging::Site
FabricScenario::BuildPort()
{
    const auto network = GetNetwork();
    network->Build(m_nodes);
    Ptr<messaging::AnyPort> port = GetRecorder().ObservePort(network->GetPort());
    GetRecorder().ObserveFaults(m_faults);
    if (m_faults->IsActive())
    {
        port = ns3::Create<messaging::FaultyPort<messaging::AnyPort>>(network->GetClock(),
                                                                      port,
                                                                      m_faults);
    }
    m_usedPairs = m_pairs;
    m_port = ns3::Create<QueuePairPort>(port, network->GetPort(), m_usedPairs);
    return {.clock = network->GetClock(), .port = m_port};
}

messaging::Site
FabricScenario::BuildSockets()
{
    const auto network = GetNetwork();
    network->BuildDevices(m_nodes);
    const NodeContainer& nodes = network->GetNodes();
    // As long as the frames of protocols that need no sockets.
    const auto largest = static_cast<uint16_t>(network->GetInfo().mtu - ETHERNET_HEADER);
    NetDeviceContainer devices;
    m_devices = messaging::FaultyNetDevice::Install(network->GetDevices(), m_faults);
    for (const auto& device : m_devices)
    {
        device->SetMtu(largest);
        devices.Add(device);
    }
    GetRecorder().ObserveFaults(m_faults);
    InternetStackHelper internet;
    internet.Install(nodes);
    internet.AssignStreams(nodes, NETWORK_STREAM + m_nodes);
    const auto interfaces = Ipv4AddressHelper("10.0.0.0", "255.0.0.0").Assign(devices);
    messaging::Site site{.nodes = nodes};
    for (uint32_t host = 0; host < m_nodes; ++host)
    {
        site.addresses.emplace_back(InetSocketAddress(interfaces.GetAddress(host), PORT));
    }
    messaging::FillNeighbourCaches(interfaces);
    m_usedPairs = 1;
    return site;
}

void
FabricScenario::DoRun()
{
    NS_LOG_FUNCTION(this);
    const auto network = GetNetwork();
    const auto protocol = GetPart<messaging::Protocol>("protocol");
    m_faults->AssignStreams(FAULT_STREAM);
    m_flows = MakeFlows();
    m_states.resize(m_flows.size());
    const auto site = protocol->UsesSockets() ? BuildSockets() : BuildPort();
    network->AssignStreams(NETWORK_STREAM);
    const auto group = protocol->Connect(site);
    group->AssignStreams(PROTOCOL_STREAM);
    GetRecorder().ObserveGroup(group);
    m_audit = CreateObject<messaging::DeliveryAudit>();
    m_audit->SetAttribute("Reliable", BooleanValue(true));
    m_audit->SetGroup(group);
    m_audit->SetUser(this);
    GetRecorder().ObserveMessages(m_audit);
    m_waiting.resize(std::size_t{m_nodes} * m_usedPairs);
    m_active.resize(m_waiting.size());
    m_nextPair.resize(m_nodes);
    Simulator::Schedule(m_flows.front().start, &FabricScenario::StartFlows, this);
    Simulator::Schedule(m_limit, &FabricScenario::Finish, this);
    Watch();
    if (m_queueInterval.IsStrictlyPositive())
    {
        SampleQueues();
    }
    Simulator::Run();
    Measure();
    Judge();
    m_audit->SetUser(nullptr);
    group->Dispose();
    m_audit->Dispose();
    network->Dispose();
}

void
FabricScenario::StartFlows()
{
    const Time now = Simulator::Now();
    while (m_next < m_flows.size() && m_flows[m_next].start <= now && m_refusal.empty())
    {
        const uint32_t number = m_next++;
        const messaging::TrafficFlow& flow = m_flows[number];
        State& state = m_states[number];
        state.self = flow.from * m_usedPairs + ChoosePair(flow.from);
        ++m_active[state.self];
        if (m_waiting[state.self].empty())
        {
            PostFlow(number);
        }
        else
        {
            m_waiting[state.self].push_back(number);
        }
    }
    if (m_next < m_flows.size() && m_refusal.empty())
    {
        Simulator::Schedule(m_flows[m_next].start - now, &FabricScenario::StartFlows, this);
    }
}

uint32_t
FabricScenario::ChoosePair(Peer host)
{
    const uint32_t begin = m_nextPair[host];
    m_nextPair[host] = (begin + 1) % m_usedPairs;
    uint32_t best = begin;
    for (uint32_t step = 1; step < m_usedPairs; ++step)
    {
        const uint32_t pair = (begin + step) % m_usedPairs;
        if (m_active[host * m_usedPairs + pair] < m_active[host * m_usedPairs + best])
        {
            best = pair;
        }
    }
    return best;
}

void
FabricScenario::PostFlow(uint32_t number)
{
    const messaging::TrafficFlow& flow = m_flows[number];
    const State& state = m_states[number];
    const messaging::Request request{.id = number,
                                     .contents = messaging::SpreadBits(number),
                                     .to = flow.to * m_usedPairs + state.self % m_usedPairs,
                                     .bytes = flow.bytes,
                                     .tag = number};
    NS_LOG_LOGIC("host " << flow.from << " posts flow " << number << " of " << flow.bytes
                         << " bytes to host " << flow.to);
    switch (m_audit->Post(state.self, request))
    {
    case messaging::Acceptance::ACCEPTED:
        break;
    case messaging::Acceptance::STALLED:
        m_waiting[state.self].push_back(number);
        break;
    case messaging::Acceptance::REFUSED:
        // A connection that has failed refuses further flows.
        if (flow.bytes > m_audit->GetLargestMessage() || !m_hasFailed)
        {
            m_refusal = m_audit->DescribeRefusal(state.self, request);
            Simulator::Stop();
            return;
        }
        OnComplete(state.self, number, messaging::Completion::FAILED);
        break;
    }
}

void
FabricScenario::OnReady(Peer self)
{
    const std::vector<uint32_t> waiting = std::exchange(m_waiting[self], {});
    for (const uint32_t number : waiting)
    {
        PostFlow(number);
    }
}

void
FabricScenario::OnDeliver(Peer, const messaging::Delivery& delivery)
{
    State& state = m_states[delivery.tag];
    state.isDone = true;
    state.end = Simulator::Now();
    ++m_delivered;
    if (state.isGivenUp)
    {
        // Its packets were still on their way when the protocol gave it up.
        state.isGivenUp = false;
        --m_givenUp;
    }
    ReportProgress(static_cast<double>(m_delivered), static_cast<double>(m_flows.size()), "flows");
    FinishIfDone();
}

void
FabricScenario::OnComplete(Peer self, messaging::RequestId id, messaging::Completion completion)
{
    if (!m_audit->IsFinal(completion))
    {
        return;
    }
    ++m_ended;
    --m_active[self];
    m_states[id].confirmed = Simulator::Now();
    const bool isFailed = completion == messaging::Completion::FAILED ||
                          completion == messaging::Completion::UNREACHABLE;
    m_hasFailed |= isFailed;
    if (isFailed && !m_states[id].isDone)
    {
        m_states[id].isGivenUp = true;
        ++m_givenUp;
    }
    FinishIfDone();
}

void
FabricScenario::FinishIfDone()
{
    if (m_ended == m_flows.size() && m_delivered + m_givenUp >= m_flows.size())
    {
        Simulator::Schedule(LINGER, &FabricScenario::Finish, this);
    }
}

void
FabricScenario::SampleQueues()
{
    FabricEngine& engine = GetNetwork()->GetNativePort()->GetEngine();
    for (PortId port = 0; port < engine.GetTopology().GetNPorts(); ++port)
    {
        if (const uint32_t bytes = engine.GetQueueLength(port); bytes > 0)
        {
            m_samples.push_back({Simulator::Now().ToDouble(Time::US), port, bytes});
        }
    }
    m_sampling = Simulator::Schedule(m_queueInterval, &FabricScenario::SampleQueues, this);
}

uint64_t
FabricScenario::CountFrames() const
{
    uint64_t frames = m_port ? m_port->GetNPackets() + m_port->GetNAnswers() : 0;
    for (const auto& device : m_devices)
    {
        frames += device->GetNPackets();
    }
    return frames;
}

uint64_t
FabricScenario::CountFramesInFlight() const
{
    using messaging::StallDetector;
    const uint32_t payload = m_port ? m_port->GetLargestPayload() : StallDetector::PACKET_PAYLOAD;
    uint64_t frames = 0;
    for (uint32_t flow = 0; flow < m_next; ++flow)
    {
        const State& state = m_states[flow];
        if (!state.isDone && !state.isGivenUp)
        {
            frames += messaging::GetFramesOfMessage(m_flows[flow].bytes, payload);
        }
    }
    return frames;
}

void
FabricScenario::Watch()
{
    m_stall.Observe(m_audit->GetCounts(), CountFrames());
    // Flows are counted only if the frames are many enough without any.
    if (m_stall.IsStalled(m_stallFrames, 0) &&
        m_stall.IsStalled(m_stallFrames, CountFramesInFlight()))
    {
        m_isStalled = true;
        Finish();
        return;
    }
    const Time now = Simulator::Now();
    const Time step = std::min(messaging::GetWatchStep(now, m_limit), m_limit - now);
    m_watch = Simulator::Schedule(step, &FabricScenario::Watch, this);
}

void
FabricScenario::Finish()
{
    Simulator::Remove(m_sampling);
    Simulator::Remove(m_watch);
    m_isIdle = Simulator::IsFinished();
    Simulator::Stop();
}

Time
FabricScenario::GetIdealTime(const messaging::TrafficFlow& flow) const
{
    const FabricConfig config = GetNetwork()->GetConfig();
    const uint64_t all =
        std::max<uint64_t>(1, (uint64_t{flow.bytes} + m_wholePayload - 1) / m_wholePayload);
    // Of several planes, each has its share.
    const uint64_t frames = (all + config.planes - 1) / config.planes;
    const auto last = static_cast<uint32_t>(flow.bytes - (all - 1) * m_wholePayload);
    const auto wire = [&](uint32_t payload) {
        const uint32_t bytes = payload + m_wholeHeader;
        return m_port ? config.GetWireBytes(bytes) : std::max(bytes + ETHERNET, LEAST_FRAME);
    };
    const auto& engine = GetNetwork()->GetNativePort()->GetEngine();
    const Instant time = engine.GetIdleTime(
        flow.from,
        flow.to,
        {.count = frames - 1, .whole = wire(m_wholePayload), .bytes = wire(last)});
    return PicoSeconds(static_cast<int64_t>(time));
}

double
FabricScenario::GetConfirmationTime(std::size_t flow) const
{
    if (!m_states[flow].confirmed)
    {
        return UNKNOWN;
    }
    return (*m_states[flow].confirmed - m_flows[flow].start).ToDouble(Time::US);
}

void
FabricScenario::Measure()
{
    const auto network = GetNetwork();
    const auto protocol = GetPart<messaging::Protocol>("protocol");
    auto& engine = network->GetNativePort()->GetEngine();
    if (m_port)
    {
        m_wholePayload = std::max(m_port->GetLargestPayload(), 1U);
        m_wholeHeader = m_port->GetNPackets() > 0 ? m_port->GetLeastHeader() : 0;
        m_packets = m_port->GetNPackets();
        m_answers = m_port->GetNAnswers();
    }
    else
    {
        m_wholePayload = network->GetDevices().Get(0)->GetMtu() - SOCKET_HEADER;
        m_wholeHeader = SOCKET_HEADER;
    }
    double payload = 0;
    double bytes = 0;
    for (std::size_t i = 0; i < m_flows.size(); ++i)
    {
        bytes += m_flows[i].bytes;
        if (m_states[i].isDone)
        {
            payload += m_flows[i].bytes;
            const Time time = m_states[i].end - m_flows[i].start;
            const Time ideal = GetIdealTime(m_flows[i]);
            m_results.Add({.flow = m_flows[i],
                           .time = time.ToDouble(Time::US),
                           .confirmed = GetConfirmationTime(i),
                           .ideal = ideal.ToDouble(Time::US)});
        }
    }
    m_results.Finish();
    m_pending = m_flows.size() - m_delivered - m_givenUp;
    m_goodput = m_results.GetSpan() > 0 ? payload / m_results.GetSpan() : 0;
    if (IsPoisson() && m_flows.back().start.IsStrictlyPositive())
    {
        m_offered = bytes / m_flows.back().start.GetSeconds() / GetHostRate() / m_nodes;
    }
    const auto counts = protocol->GetCounts();
    m_repeats = FindCount(counts, "repeat");
    m_spurious = FindCount(counts, "duplicate");
    for (PortId port = 0; port < engine.GetTopology().GetNPorts(); ++port)
    {
        const PortCounters counters = engine.GetPortCounters(port);
        m_pauses += counters.pausesSent;
        m_marks += counters.marks;
        m_trims += counters.trims;
    }
    m_hops = engine.GetNHops();
    m_deadlock = engine.FindDeadlock();
    m_drops = network->GetLosses().GetTotal() + m_faults->GetLosses().GetTotal();
    m_tables.emplace_back("SlowdownBySize", m_results.MakeSizeTable());
    m_tables.emplace_back("Unfinished", MakeUnfinishedTable());
    if (m_details)
    {
        m_tables.emplace_back("Flows", m_results.MakeFlowTable());
    }
    if (m_queueInterval.IsStrictlyPositive())
    {
        const FabricTopology& topology = engine.GetTopology();
        m_tables.emplace_back(
            "QueueLengths",
            messaging::RowTable(m_samples)
                .Add("time", "us", &Sample::time)
                .Add("port",
                     "",
                     [&](const Sample& sample) { return topology.GetPortName(sample.port); })
                .Add("bytes", "bytes", &Sample::bytes)
                .Get());
    }
    m_tables.emplace_back("Losses", MakeLossTable());
    if (!counts.empty())
    {
        m_tables.emplace_back("ProtocolEvents", messaging::MakeCountTable(counts));
    }
    for (const auto& table : network->GetTables())
    {
        m_tables.push_back(table);
    }
}

Ptr<messaging::Table>
FabricScenario::MakeUnfinishedTable() const
{
    std::vector<messaging::TrafficFlow> flows;
    for (std::size_t i = 0; i < m_flows.size(); ++i)
    {
        if (!m_states[i].isDone)
        {
            flows.push_back(m_flows[i]);
        }
    }
    using Flow = messaging::TrafficFlow;
    return messaging::RowTable(flows)
        .Add("from", "", &Flow::from)
        .Add("to", "", &Flow::to)
        .Add("bytes", "bytes", &Flow::bytes)
        .Add("start", "us", [](const Flow& flow) { return flow.start.ToDouble(Time::US); })
        .Get();
}

Ptr<messaging::Table>
FabricScenario::MakeLossTable() const
{
    /** Losses at a place. */
    struct Row
    {
        std::string layer; ///< Network, faults or protocol.
        std::string place; ///< The place.
        uint64_t count;    ///< Their number.
    };

    std::vector<Row> rows;
    const auto append = [&](const char* layer, const auto& losses) {
        for (const auto& [place, count] : losses)
        {
            if (count > 0)
            {
                rows.push_back({layer, place, count});
            }
        }
    };
    append("network", GetNetwork()->GetLosses().GetRows());
    append("faults", m_faults->GetLosses().GetRows());
    append("protocol", GetPart<messaging::Protocol>("protocol")->GetLosses());
    return messaging::RowTable(rows)
        .Add("layer", "", &Row::layer)
        .Add("place", "", &Row::place)
        .Add("count", "frames", &Row::count)
        .Get();
}

void
FabricScenario::Judge()
{
    const auto network = GetNetwork();
    const auto promise =
        GetPart<messaging::Protocol>("protocol")
            ->GetPromise(m_port ? m_port->GetInfo() : m_faults->Weaken(network->GetInfo()));
    const bool isOver = m_isIdle || m_pending == 0;
    m_audit->Finish(isOver);
    const messaging::AuditCounts& counts = m_audit->GetCounts();
    const std::string unbalanced = network->GetNativePort()->GetEngine().CheckConservation();
    std::string circle;
    for (const PortId port : m_deadlock)
    {
        circle += circle.empty() ? "" : ", ";
        circle += network->GetNativePort()->GetEngine().GetTopology().GetPortName(port);
    }
    const std::string progress =
        ToText(m_delivered, " of ", m_flows.size(), " flows were delivered");
    if (!m_refusal.empty())
    {
        SetVerdict(messaging::Verdict::ERROR, m_refusal);
    }
    else if (!unbalanced.empty())
    {
        SetVerdict(messaging::Verdict::VIOLATED, unbalanced);
    }
    else if ((promise.once && counts.duplicates > 0) || (promise.intact && counts.corrupted > 0) ||
             (promise.accurate && counts.falsehoods > 0))
    {
        SetVerdict(messaging::Verdict::VIOLATED, m_audit->GetFirstViolation());
    }
    else if (m_pending > 0 && !circle.empty())
    {
        SetVerdict(messaging::Verdict::DEADLOCK,
                   ToText("Paused ports wait for each other: ", circle, "; ", progress, '.'));
    }
    else if (m_pending > 0 && !isOver)
    {
        SetVerdict(
            messaging::Verdict::UNDECIDED,
            ToText(m_isStalled
                       ? m_stall.Describe()
                       : ToText("The run reached TimeLimit, ", m_limit.GetSeconds(), " s, when "),
                   progress,
                   '.'));
    }
    else if (m_pending > 0 && promise.IsReliable())
    {
        SetVerdict(messaging::Verdict::DEADLOCK,
                   ToText("Nothing can happen any more, and ", progress, '.'));
    }
    else if (m_givenUp > 0)
    {
        SetVerdict(messaging::Verdict::FAILED,
                   ToText("The protocol has given up ", m_givenUp, " flows; ", progress, '.'));
    }
}

} // namespace fabric
} // namespace ns3
