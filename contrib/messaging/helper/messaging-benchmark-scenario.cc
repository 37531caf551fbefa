/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-benchmark-scenario.h"

#include "ns3/arp-cache.h"
#include "ns3/boolean.h"
#include "ns3/csma-helper.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-interface.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/log.h"
#include "ns3/messaging-audit.h"
#include "ns3/messaging-bench-datagram.h"
#include "ns3/messaging-core-group.h"
#include "ns3/messaging-frame-header.h"
#include "ns3/messaging-socket-group.h"
#include "ns3/messaging-udp-port.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/tcp-socket.h"
#include "ns3/uinteger.h"

#include <sstream>

namespace ns3
{
namespace messaging
{

NS_LOG_COMPONENT_DEFINE("MessagingBenchmarkScenario");
NS_OBJECT_ENSURE_REGISTERED(MessagingBenchmarkScenario);

namespace
{

/** Port on which every node listens. */
constexpr uint16_t PORT = 4000;

/** Largest UDP payload of an Ethernet frame [bytes; 1500 less the headers of IPv4 and UDP]. */
constexpr uint32_t LARGEST_DATAGRAM = 1472;

/** First of the random streams that a run uses. */
constexpr int64_t FIRST_STREAM = 1000;

/** Sets the default of TCP's segment size for a while: nothing else reaches a socket before it
 * connects. */
class SegmentSizeDefault
{
  public:
    /**
     * Construct.
     * @param bytes the size [bytes]
     */
    explicit SegmentSizeDefault(uint32_t bytes)
    {
        const TypeId type = TcpSocket::GetTypeId();
        for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
        {
            if (type.GetAttribute(i).name == "SegmentSize")
            {
                m_index = i;
                m_previous = type.GetAttribute(i).initialValue;
            }
        }
        TypeId(type).SetAttributeInitialValue(m_index, Create<UintegerValue>(bytes));
    }

    ~SegmentSizeDefault()
    {
        TcpSocket::GetTypeId().SetAttributeInitialValue(m_index, m_previous);
    }

    SegmentSizeDefault(const SegmentSizeDefault&) = delete;
    SegmentSizeDefault& operator=(const SegmentSizeDefault&) = delete;

  private:
    std::size_t m_index{0};               ///< Index of the attribute.
    Ptr<const AttributeValue> m_previous; ///< Default before.
};

} // namespace

TypeId
MessagingBenchmarkScenario::GetTypeId()
{
    static TypeId tid =
        SetSummary(TypeId("ns3::messaging::MessagingBenchmarkScenario"),
                   "Latency, bandwidth and message rate of TCP or datagrams, with what hosts cost.")
            .SetParent<Scenario>()
            .SetGroupName("Messaging")
            .AddConstructor<MessagingBenchmarkScenario>()
            .AddAttribute("Benchmark",
                          "Which benchmark is run. [-; default]",
                          EnumValue(BenchmarkHelper::PING_PONG),
                          MakeEnumAccessor<BenchmarkHelper::Benchmark>(
                              &MessagingBenchmarkScenario::m_benchmark),
                          MakeEnumChecker(BenchmarkHelper::PING_PONG,
                                          "ping-pong",
                                          BenchmarkHelper::STREAM,
                                          "stream",
                                          BenchmarkHelper::EXCHANGE,
                                          "exchange",
                                          BenchmarkHelper::MESSAGE_RATE,
                                          "message-rate",
                                          BenchmarkHelper::ALL_TO_ALL,
                                          "all-to-all",
                                          BenchmarkHelper::BROADCAST,
                                          "broadcast"))
            .AddAttribute(
                "Tree",
                "Who sends the messages of a broadcast. [-; default]",
                EnumValue(BroadcastApplication::LINEAR),
                MakeEnumAccessor<BroadcastApplication::Tree>(&MessagingBenchmarkScenario::m_tree),
                MakeEnumChecker(BroadcastApplication::LINEAR,
                                "linear",
                                BroadcastApplication::BINOMIAL,
                                "binomial"))
            .AddAttribute("Protocol",
                          "What carries the messages: TCP, or one UDP datagram each. [-; default]",
                          EnumValue(TCP),
                          MakeEnumAccessor<Protocol>(&MessagingBenchmarkScenario::m_protocol),
                          MakeEnumChecker(TCP, "tcp", DATAGRAM, "datagram"))
            .AddAttribute(
                "Network",
                "What carries the packets; a point-to-point link joins two nodes. [-; default]",
                EnumValue(CSMA),
                MakeEnumAccessor<Network>(&MessagingBenchmarkScenario::m_network),
                MakeEnumChecker(CSMA, "csma", POINT_TO_POINT, "point-to-point"))
            .AddAttribute("Nodes",
                          "Number of nodes. [nodes; default]",
                          UintegerValue(2),
                          MakeUintegerAccessor(&MessagingBenchmarkScenario::m_nodes),
                          MakeUintegerChecker<uint32_t>(2, 1000))
            .AddAttribute("MinSize",
                          "Smallest message. [bytes; default]",
                          UintegerValue(1),
                          MakeUintegerAccessor(&MessagingBenchmarkScenario::m_minSize),
                          MakeUintegerChecker<uint32_t>(1, 1 << 24))
            .AddAttribute("MaxSize",
                          "Largest message. [bytes; default]",
                          UintegerValue(65536),
                          MakeUintegerAccessor(&MessagingBenchmarkScenario::m_maxSize),
                          MakeUintegerChecker<uint32_t>(1, 1 << 24))
            .AddAttribute("SizeFactor",
                          "From one message size to the next. [ratio; default]",
                          UintegerValue(4),
                          MakeUintegerAccessor(&MessagingBenchmarkScenario::m_factor),
                          MakeUintegerChecker<uint32_t>(2, 1024))
            .AddAttribute("Rounds",
                          "Rounds, or messages of a stream, that are measured with each size. "
                          "[rounds; default]",
                          UintegerValue(100),
                          MakeUintegerAccessor(&MessagingBenchmarkScenario::m_rounds),
                          MakeUintegerChecker<uint32_t>(1, 1000000))
            .AddAttribute(
                "Warmup",
                "Rounds before them, in which TCP makes its connections. [rounds; default]",
                UintegerValue(10),
                MakeUintegerAccessor(&MessagingBenchmarkScenario::m_warmup),
                MakeUintegerChecker<uint32_t>(0, 1000000))
            .AddAttribute("Window",
                          "Messages of a stream that may be under way at once. [messages; default]",
                          UintegerValue(16),
                          MakeUintegerAccessor(&MessagingBenchmarkScenario::m_window),
                          MakeUintegerChecker<uint32_t>(1, 1000000))
            .AddAttribute("DataRate",
                          "Rate of the network. [bit/s; 10 Mb/s Ethernet]",
                          DataRateValue(DataRate("10Mbps")),
                          MakeDataRateAccessor(&MessagingBenchmarkScenario::m_dataRate),
                          MakeDataRateChecker())
            .AddAttribute("Delay",
                          "Propagation delay of the network. [s; 100 m of cable]",
                          TimeValue(NanoSeconds(500)),
                          MakeTimeAccessor(&MessagingBenchmarkScenario::m_delay),
                          MakeTimeChecker(Time()))
            .AddAttribute(
                "SegmentSize",
                "TCP's largest segment. [bytes; Ethernet's 1500 less headers with timestamps]",
                UintegerValue(1448),
                MakeUintegerAccessor(&MessagingBenchmarkScenario::m_segmentSize),
                MakeUintegerChecker<uint32_t>(64, 1448))
            .AddAttribute("Cpus",
                          "CPUs of a host. [CPUs; default]",
                          UintegerValue(1),
                          MakeUintegerAccessor(&MessagingBenchmarkScenario::m_cpus),
                          MakeUintegerChecker<uint32_t>(1, 1024))
            .AddAttribute("SystemCall",
                          "What a system call costs, one for each packet. [s; lmbench, SGI IP22]",
                          TimeValue(NanoSeconds(10500)),
                          MakeTimeAccessor(&MessagingBenchmarkScenario::m_systemCall),
                          MakeTimeChecker(Time()))
            .AddAttribute("Interrupt",
                          "What an interrupt costs, one for each packet received. [s; assumed]",
                          TimeValue(MicroSeconds(10)),
                          MakeTimeAccessor(&MessagingBenchmarkScenario::m_interrupt),
                          MakeTimeChecker(Time()))
            .AddAttribute("Instructions",
                          "CPU time of the IP stack for each packet sent or received. [s; assumed]",
                          TimeValue(MicroSeconds(50)),
                          MakeTimeAccessor(&MessagingBenchmarkScenario::m_instructions),
                          MakeTimeChecker(Time()))
            .AddAttribute(
                "CopyRate",
                "Bandwidth of a copy, one for each packet sent or received; 0 costs nothing. "
                "[bit/s; lmbench, SGI IP22, 32 MB/s]",
                DataRateValue(DataRate("256Mbps")),
                MakeDataRateAccessor(&MessagingBenchmarkScenario::m_copyRate),
                MakeDataRateChecker())
            .AddAttribute("Transfer",
                          "How packets cross the bus between memory and device. [-; default]",
                          EnumValue(HostNetDevice::NONE),
                          MakeEnumAccessor<HostNetDevice::TransferMode>(
                              &MessagingBenchmarkScenario::m_transfer),
                          MakeEnumChecker(HostNetDevice::NONE,
                                          "none",
                                          HostNetDevice::PIO,
                                          "pio",
                                          HostNetDevice::DMA,
                                          "dma"))
            .AddAttribute("BusRate",
                          "Bandwidth of the bus, for PIO and DMA; 0 costs nothing. [bit/s; PCI, 32 "
                          "bit, 33 MHz]",
                          DataRateValue(DataRate("1056Mbps")),
                          MakeDataRateAccessor(&MessagingBenchmarkScenario::m_busRate),
                          MakeDataRateChecker())
            .AddAttribute("BusBurst",
                          "After how much of a transfer another gets the bus; 0 for all of it. "
                          "[bytes; assumed]",
                          UintegerValue(256),
                          MakeUintegerAccessor(&MessagingBenchmarkScenario::m_busBurst),
                          MakeUintegerChecker<uint32_t>(0, 65536))
            .AddAttribute("TimeLimit",
                          "Simulated time after which a size is given up. [s; default]",
                          TimeValue(Seconds(1000)),
                          MakeTimeAccessor(&MessagingBenchmarkScenario::m_limit),
                          MakeTimeChecker(MilliSeconds(1)))
            .AddAttribute("Latency",
                          "Mean latency, or time of a round, of the smallest message; 0 for "
                          "streams. [us; result]",
                          TypeId::ATTR_GET,
                          DoubleValue(0),
                          MakeDoubleAccessor(&MessagingBenchmarkScenario::m_latency),
                          MakeDoubleChecker<double>())
            .AddAttribute("Bandwidth",
                          "Payload of the largest message a second, over all pairs and directions. "
                          "[MB/s; result]",
                          TypeId::ATTR_GET,
                          DoubleValue(0),
                          MakeDoubleAccessor(&MessagingBenchmarkScenario::m_bandwidth),
                          MakeDoubleChecker<double>())
            .AddAttribute("MessageRate",
                          "Messages of the smallest size a second, over all pairs and directions. "
                          "[1/s; result]",
                          TypeId::ATTR_GET,
                          DoubleValue(0),
                          MakeDoubleAccessor(&MessagingBenchmarkScenario::m_messageRate),
                          MakeDoubleChecker<double>())
            .AddAttribute("CpuShare",
                          "Share of the time that CPUs were busy with the largest message, over "
                          "all nodes [fraction; result].",
                          TypeId::ATTR_GET,
                          DoubleValue(0),
                          MakeDoubleAccessor(&MessagingBenchmarkScenario::m_cpuShare),
                          MakeDoubleChecker<double>())
            .AddAttribute("Messages",
                          "Messages that were measured, of all sizes. [messages; result]",
                          TypeId::ATTR_GET,
                          UintegerValue(0),
                          MakeUintegerAccessor(&MessagingBenchmarkScenario::m_messages),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("Lost",
                          "Messages that never arrived, of all sizes. [messages; result]",
                          TypeId::ATTR_GET,
                          UintegerValue(0),
                          MakeUintegerAccessor(&MessagingBenchmarkScenario::m_lost),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("BySize",
                          "Latency, bandwidth, message rate and CPU share of each message size. "
                          "[table; result]",
                          TypeId::ATTR_GET,
                          PointerValue(),
                          MakePointerAccessor(&MessagingBenchmarkScenario::m_bySize),
                          MakePointerChecker<Table>())
            .AddAttribute(
                "HostUtilisation",
                "What each resource of node 0 did with the largest message. [table; result]",
                TypeId::ATTR_GET,
                PointerValue(),
                MakePointerAccessor(&MessagingBenchmarkScenario::m_utilisation),
                MakePointerChecker<Table>())
            .AddAttribute(
                "HostCosts",
                "What each kind of work of node 0 cost with the largest message. [table; result]",
                TypeId::ATTR_GET,
                PointerValue(),
                MakePointerAccessor(&MessagingBenchmarkScenario::m_costs),
                MakePointerChecker<Table>());
    return tid;
}

MessagingBenchmarkScenario::MessagingBenchmarkScenario() = default;

MessagingBenchmarkScenario::~MessagingBenchmarkScenario() = default;

std::string
MessagingBenchmarkScenario::Check() const
{
    std::ostringstream sentence;
    if (m_minSize > m_maxSize)
    {
        sentence << "MinSize is " << m_minSize << ", but may not be larger than MaxSize, which is "
                 << m_maxSize << ".";
    }
    else if (m_network == POINT_TO_POINT && m_nodes != 2)
    {
        sentence << "Nodes is " << m_nodes << ", but a point-to-point link joins 2 nodes.";
    }
    else if (m_protocol == DATAGRAM && m_maxSize > LARGEST_DATAGRAM - FrameHeader::SIZE)
    {
        sentence << "MaxSize is " << m_maxSize << ", but a datagram carries at most "
                 << LARGEST_DATAGRAM - FrameHeader::SIZE << " bytes.";
    }
    else if (m_dataRate.GetBitRate() == 0)
    {
        sentence << "DataRate is 0, but a network needs a rate above 0 bit/s.";
    }
    return sentence.str();
}

std::vector<uint32_t>
MessagingBenchmarkScenario::GetSizes() const
{
    std::vector<uint32_t> sizes;
    for (uint64_t size = m_minSize; size < m_maxSize; size *= m_factor)
    {
        sizes.push_back(size);
    }
    sizes.push_back(m_maxSize);
    return sizes;
}

HostHelper
MessagingBenchmarkScenario::MakeHostHelper() const
{
    HostHelper helper;
    helper.SetServers(m_cpus, 1);
    helper.SetBursts(m_busBurst, 0);
    helper.SetHostAttribute("SystemCall", TimeValue(m_systemCall));
    helper.SetHostAttribute("Interrupt", TimeValue(m_interrupt));
    helper.SetHostAttribute("CopyRate", DataRateValue(m_copyRate));
    helper.SetHostAttribute("PioRate", DataRateValue(m_busRate));
    helper.SetHostAttribute("DmaRate", DataRateValue(m_busRate));
    for (const std::string path : {"Send", "Receive"})
    {
        helper.SetDeviceAttribute(path + "SystemCalls", UintegerValue(1));
        helper.SetDeviceAttribute(path + "Instructions", TimeValue(m_instructions));
        helper.SetDeviceAttribute(path + "Copies", UintegerValue(1));
        helper.SetDeviceAttribute(path + "Transfer", EnumValue(m_transfer));
    }
    helper.SetDeviceAttribute("ReceiveInterrupts", UintegerValue(1));
    return helper;
}

Ipv4InterfaceContainer
MessagingBenchmarkScenario::BuildNetwork(const NodeContainer& nodes) const
{
    NetDeviceContainer devices;
    if (m_network == CSMA)
    {
        CsmaHelper csma;
        csma.SetChannelAttribute("DataRate", DataRateValue(m_dataRate));
        csma.SetChannelAttribute("Delay", TimeValue(m_delay));
        devices = csma.Install(nodes);
        csma.AssignStreams(devices, FIRST_STREAM);
    }
    else
    {
        PointToPointHelper pointToPoint;
        pointToPoint.SetDeviceAttribute("DataRate", DataRateValue(m_dataRate));
        pointToPoint.SetChannelAttribute("Delay", TimeValue(m_delay));
        devices = pointToPoint.Install(nodes);
    }
    devices = MakeHostHelper().Install(devices);
    InternetStackHelper internet;
    internet.Install(nodes);
    internet.AssignStreams(nodes, FIRST_STREAM + nodes.GetN());
    const auto interfaces = Ipv4AddressHelper("10.0.0.0", "255.255.0.0").Assign(devices);
    if (m_network == CSMA)
    {
        // ARP keeps three packets of those that wait for an answer; with full caches none is asked
        // for.
        for (uint32_t i = 0; i < nodes.GetN(); ++i)
        {
            const auto ip = nodes.Get(i)->GetObject<Ipv4L3Protocol>();
            const auto cache = ip->GetInterface(interfaces.Get(i).second)->GetArpCache();
            for (uint32_t k = 0; k < nodes.GetN(); ++k)
            {
                if (k != i)
                {
                    ArpCache::Entry* entry = cache->Add(interfaces.GetAddress(k));
                    entry->SetMacAddress(devices.Get(k)->GetAddress());
                    entry->MarkPermanent();
                }
            }
        }
    }
    return interfaces;
}

Ptr<MessageGroup>
MessagingBenchmarkScenario::BuildGroup(const NodeContainer& nodes,
                                       const Ipv4InterfaceContainer& interfaces) const
{
    std::vector<Address> addresses;
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        addresses.emplace_back(InetSocketAddress(interfaces.GetAddress(i), PORT));
    }
    if (m_protocol == TCP)
    {
        const auto group = CreateObject<SocketGroup>();
        group->Connect(nodes, addresses);
        return group;
    }
    const auto clock = CreateObject<TickClock>();
    const auto port =
        CreateObjectWithAttributes<UdpPort>("DatagramSize", UintegerValue(LARGEST_DATAGRAM));
    port->Connect(clock, nodes, addresses);
    const auto group = CreateObject<CoreGroup<DatagramCore, UdpPort>>();
    const uint32_t largest = port->Info().mtu;
    group->Connect(clock, port, [largest](Peer self) { return DatagramCore(self, largest); });
    return group;
}

MessagingBenchmarkScenario::Measured
MessagingBenchmarkScenario::RunSize(uint32_t size)
{
    NS_LOG_FUNCTION(this << size);
    NodeContainer nodes;
    nodes.Create(m_nodes);
    const auto interfaces = BuildNetwork(nodes);
    const auto audit = CreateObject<DeliveryAudit>();
    audit->SetAttribute("Ordered", BooleanValue(m_protocol == TCP));
    audit->SetGroup(BuildGroup(nodes, interfaces));

    BenchmarkHelper helper(m_benchmark);
    helper.SetAttribute("Size", UintegerValue(size));
    helper.SetAttribute("Rounds", UintegerValue(m_rounds));
    helper.SetAttribute("Warmup", UintegerValue(m_warmup));
    if (m_benchmark == BenchmarkHelper::STREAM || m_benchmark == BenchmarkHelper::MESSAGE_RATE)
    {
        helper.SetAttribute("Window", UintegerValue(m_window));
    }
    if (m_benchmark == BenchmarkHelper::BROADCAST)
    {
        helper.SetAttribute("Tree", EnumValue(m_tree));
    }
    const auto session = helper.Install(audit, nodes);
    session->TraceConnectWithoutContext("Finished", Callback<void>([] { Simulator::Stop(); }));
    Simulator::Stop(m_limit);
    Simulator::Run();

    Measured measured;
    measured.latency = session->GetMeanLatency();
    measured.minLatency = session->GetMinLatency();
    measured.maxLatency = session->GetMaxLatency();
    measured.bandwidth = session->GetBandwidth();
    measured.rate = session->GetRate();
    measured.messages = session->GetNMessages();
    measured.completed = session->IsFinished();
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        measured.cpuShare += nodes.Get(i)->GetObject<HostModel>()->GetCpuShare() / nodes.GetN();
    }
    m_utilisation = nodes.Get(0)->GetObject<HostModel>()->GetUtilisation();
    m_costs = nodes.Get(0)->GetObject<HostModel>()->GetCosts();
    const bool atLimit = Simulator::Now() >= m_limit;
    const bool clean = audit->Finish(!measured.completed && !atLimit);
    measured.lost =
        measured.completed ? 0 : audit->GetCounts().posted - audit->GetCounts().delivered;

    std::ostringstream reason;
    if (!clean)
    {
        SetVerdict(Verdict::VIOLATED, audit->GetFirstViolation());
    }
    else if (!session->GetFailure().empty())
    {
        SetVerdict(Verdict::FAILED, session->GetFailure());
    }
    else if (!measured.completed)
    {
        reason << "With messages of " << size << " bytes, the benchmark was not at its end ";
        if (atLimit)
        {
            reason << "at the TimeLimit of " << m_limit.GetSeconds() << " s.";
        }
        else
        {
            reason << "when nothing more could happen; " << measured.lost << " messages were lost.";
        }
        SetVerdict(atLimit ? Verdict::LIVELOCK : Verdict::DEADLOCK, reason.str());
    }
    Simulator::Destroy();
    return measured;
}

void
MessagingBenchmarkScenario::DoRun()
{
    const SegmentSizeDefault segmentSize(m_segmentSize);
    const std::vector<uint32_t> sizes = GetSizes();
    std::vector<Measured> measured;
    for (const uint32_t size : sizes)
    {
        ReportProgress(measured.size(), sizes.size(), "sizes");
        measured.push_back(RunSize(size));
        if (!measured.back().completed)
        {
            break;
        }
    }
    SetResults(sizes, measured);
}

void
MessagingBenchmarkScenario::SetResults(const std::vector<uint32_t>& sizes,
                                       const std::vector<Measured>& measured)
{
    std::vector<int64_t> bytes(sizes.begin(), sizes.begin() + measured.size());
    std::vector<int64_t> messages;
    std::vector<int64_t> lost;
    std::vector<double> latency;
    std::vector<double> minLatency;
    std::vector<double> maxLatency;
    std::vector<double> bandwidth;
    std::vector<double> rate;
    std::vector<double> cpuShare;
    m_messages = 0;
    m_lost = 0;
    for (const Measured& each : measured)
    {
        latency.push_back(each.latency.GetSeconds() * 1e6);
        minLatency.push_back(each.minLatency.GetSeconds() * 1e6);
        maxLatency.push_back(each.maxLatency.GetSeconds() * 1e6);
        bandwidth.push_back(each.bandwidth / 1e6);
        rate.push_back(each.rate);
        cpuShare.push_back(each.cpuShare);
        messages.push_back(each.messages);
        lost.push_back(each.lost);
        m_messages += each.messages;
        m_lost += each.lost;
    }
    m_latency = latency.front();
    m_messageRate = rate.front();
    m_bandwidth = bandwidth.back();
    m_cpuShare = cpuShare.back();
    m_bySize = CreateObject<Table>();
    m_bySize->AddColumn("Size", "bytes", std::move(bytes));
    m_bySize->AddColumn("Latency", "us", std::move(latency));
    m_bySize->AddColumn("MinLatency", "us", std::move(minLatency));
    m_bySize->AddColumn("MaxLatency", "us", std::move(maxLatency));
    m_bySize->AddColumn("Bandwidth", "MB/s", std::move(bandwidth));
    m_bySize->AddColumn("MessageRate", "1/s", std::move(rate));
    m_bySize->AddColumn("CpuShare", "fraction", std::move(cpuShare));
    m_bySize->AddColumn("Messages", "messages", std::move(messages));
    m_bySize->AddColumn("Lost", "messages", std::move(lost));
}

} // namespace messaging
} // namespace ns3
