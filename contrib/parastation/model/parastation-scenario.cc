/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parastation-scenario.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/messaging-benchmark-helper.h"
#include "ns3/messaging-faulty-port.h"
#include "ns3/messaging-forwarded-attributes.h"
#include "ns3/parastation-helper.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <sstream>

namespace ns3
{
namespace parastation
{

NS_LOG_COMPONENT_DEFINE("ParastationScenario");
NS_OBJECT_ENSURE_REGISTERED(Parastation2Scenario);

using messaging::Table;
using messaging::Verdict;
using myrinet::DropReason;

namespace
{

/** First of the random streams that a run uses. */
constexpr int64_t FIRST_STREAM = 2000;

/** Process of a host that is not the application. */
constexpr messaging::ProcessId OTHER_PROCESS = 0xfffffff0;

/** Quiet time, in retransmission timeouts, after which nothing more is to come. */
constexpr int64_t QUIET_TIMEOUTS = 50;

} // namespace

TypeId
Parastation2Scenario::GetTypeId()
{
    static TypeId tid = [] {
        using S = Parastation2Scenario;
        TypeId type =
            SetSummary(
                TypeId("ns3::parastation::Parastation2Scenario"),
                "ParaStation2 or a rival on a Myrinet: latency, throughput, and what failures do.")
                .SetParent<Scenario>()
                .SetGroupName("Parastation")
                .AddConstructor<S>()
                .AddAttribute("Protocol",
                              "What the network interfaces say to each other: ParaStation2, AM-II, "
                              "VMMC-2, strict back-blocking, credits as FM, LFC and PM, or nothing "
                              "as BIP [-; sections 1, 3, 4].",
                              EnumValue(ProtocolKind::PARASTATION2),
                              MakeEnumAccessor<ProtocolKind>(&S::m_protocol),
                              MakeEnumChecker(ProtocolKind::PARASTATION2,
                                              "parastation2",
                                              ProtocolKind::AM2,
                                              "am2",
                                              ProtocolKind::VMMC2,
                                              "vmmc2",
                                              ProtocolKind::BACKBLOCKING,
                                              "backblocking",
                                              ProtocolKind::CREDIT,
                                              "credit",
                                              ProtocolKind::NONE,
                                              "none"))
                .AddAttribute("Pattern",
                              "Who sends what to whom: pairs of hosts play ping-pong, exchange "
                              "messages or send a stream; or every host sends to every other "
                              "[-; section 4].",
                              EnumValue(Pattern::PING_PONG),
                              MakeEnumAccessor<Pattern>(&S::m_pattern),
                              MakeEnumChecker(Pattern::PING_PONG,
                                              "pingpong",
                                              Pattern::EXCHANGE,
                                              "exchange",
                                              Pattern::STREAM,
                                              "stream",
                                              Pattern::ALL_TO_ALL,
                                              "alltoall"))
                .AddAttribute("Nodes",
                              "Number of nodes; more than 8 need another Topology [nodes; section "
                              "4].",
                              UintegerValue(2),
                              MakeUintegerAccessor(&S::m_nodes),
                              MakeUintegerChecker<uint32_t>(2, 1024))
                .AddAttribute("Size",
                              "Size of a message: 4 for the latency, up to 32 KB for the "
                              "throughput [bytes; section 4].",
                              UintegerValue(4),
                              MakeUintegerAccessor(&S::m_size),
                              MakeUintegerChecker<uint32_t>(1, 1 << 23))
                .AddAttribute("Rounds",
                              "Rounds, or messages of a stream, that are measured [rounds; "
                              "default].",
                              UintegerValue(100),
                              MakeUintegerAccessor(&S::m_rounds),
                              MakeUintegerChecker<uint32_t>(1, 10000000))
                .AddAttribute("Warmup",
                              "Rounds before them [rounds; default].",
                              UintegerValue(0),
                              MakeUintegerAccessor(&S::m_warmup),
                              MakeUintegerChecker<uint32_t>(0, 10000000))
                .AddAttribute("StreamWindow",
                              "Messages of a stream that may be under way at once [messages; "
                              "default].",
                              UintegerValue(16),
                              MakeUintegerAccessor(&S::m_streamWindow),
                              MakeUintegerChecker<uint32_t>(1, 1000000))
                .AddAttribute("ExchangeWindow",
                              "Messages that each side of an exchange may send before one has "
                              "come; 1 waits for the partner's in each round [messages; default].",
                              UintegerValue(1),
                              MakeUintegerAccessor(&S::m_exchangeWindow),
                              MakeUintegerChecker<uint32_t>(1, 1000000))
                .AddAttribute("LossOf",
                              "Which packets Loss hits [-; section 2].",
                              EnumValue(LossOf::ALL),
                              MakeEnumAccessor<LossOf>(&S::m_lossOf),
                              MakeEnumChecker(LossOf::ALL,
                                              "all",
                                              LossOf::DATA,
                                              "data",
                                              LossOf::CONTROL,
                                              "control"))
                .AddAttribute("HostStallRate",
                              "How often each host's processor is busy with something else, at "
                              "random times [1/s; section 2, item 2].",
                              DoubleValue(0),
                              MakeDoubleAccessor(&S::m_hostStallRate),
                              MakeDoubleChecker<double>(0, 1e6))
                .AddAttribute("HostStallLength",
                              "For how long each time [s; default].",
                              TimeValue(MilliSeconds(1)),
                              MakeTimeAccessor(&S::m_hostStallLength),
                              MakeTimeChecker(NanoSeconds(1)))
                .AddAttribute("OutageBegin",
                              "When the network begins to lose every packet [s; default].",
                              TimeValue(MilliSeconds(5)),
                              MakeTimeAccessor(&S::m_outageBegin),
                              MakeTimeChecker(Time(0)))
                .AddAttribute("OutageLength",
                              "For how long it does [s; default].",
                              TimeValue(Time(0)),
                              MakeTimeAccessor(&S::m_outageLength),
                              MakeTimeChecker(Time(0)))
                .AddAttribute("TimeLimit",
                              "Simulated time after which a run is cut off [s; default].",
                              TimeValue(Seconds(20)),
                              MakeTimeAccessor(&S::m_limit),
                              MakeTimeChecker(NanoSeconds(1)));
        AddResults(type);
        messaging::ForwardAttributes(type,
                                     ParastationSettings::GetTypeId(),
                                     [](const ObjectBase* owner) -> Ptr<Object> {
                                         return static_cast<const S*>(owner)->m_settings;
                                     });
        messaging::ForwardAttributes(type,
                                     ParastationMachine::GetTypeId(),
                                     [](const ObjectBase* owner) -> Ptr<Object> {
                                         return static_cast<const S*>(owner)->m_machine;
                                     });
        messaging::ForwardAttributes(type,
                                     myrinet::MyrinetNetwork::GetTypeId(),
                                     [](const ObjectBase* owner) -> Ptr<Object> {
                                         return static_cast<const S*>(owner)->m_port;
                                     },
                                     {"Mtu", "SendBuffers", "ReceiveBuffers"});
        messaging::ForwardAttributes(type,
                                     messaging::PortFaults::GetTypeId(),
                                     [](const ObjectBase* owner) -> Ptr<Object> {
                                         return static_cast<const S*>(owner)->m_faults;
                                     },
                                     {"LossKinds", "Uncaught"});
        return type;
    }();
    return tid;
}

Parastation2Scenario::Parastation2Scenario()
    : m_port(CreateObject<myrinet::MyrinetNetwork>()),
      m_settings(CreateObject<ParastationSettings>()),
      m_machine(CreateObject<ParastationMachine>()),
      m_faults(CreateObject<messaging::PortFaults>())
{
}

Parastation2Scenario::~Parastation2Scenario() = default;

void
Parastation2Scenario::DoDispose()
{
    m_port = nullptr;
    m_settings = nullptr;
    m_machine = nullptr;
    m_faults = nullptr;
    Scenario::DoDispose();
}

Ptr<myrinet::MyrinetNetwork>
Parastation2Scenario::MakePort() const
{
    auto port = CreateObject<myrinet::MyrinetNetwork>();
    messaging::CopyAttributes(m_port, port);
    const Config config = m_settings->GetConfig(NanoSeconds(1));
    port->SetNodes(m_nodes);
    port->SetAttribute("Mtu", UintegerValue(std::max(config.packetBytes + config.header, 8U)));
    port->SetAttribute("SendBuffers", UintegerValue(config.sendRing));
    port->SetAttribute("ReceiveBuffers", UintegerValue(config.receiveRing));
    return port;
}

Config
Parastation2Scenario::MakeConfig() const
{
    Config config = m_settings->GetConfig(NanoSeconds(1));
    config.costs = m_machine->GetCosts(m_protocol);
    if (config.credits == 0)
    {
        config.credits = config.receiveRing / (m_nodes - 1);
    }
    return config;
}

std::string
Parastation2Scenario::Check() const
{
    const Config config = MakeConfig();
    if (const std::string wrong = config.Check(); !wrong.empty())
    {
        return wrong;
    }
    std::ostringstream sentence;
    if (uint64_t{m_size} > uint64_t{config.packetBytes} * MAX_PACKETS)
    {
        sentence << "Size is " << m_size << " bytes, but a message takes " << MAX_PACKETS
                 << " packets of " << config.packetBytes << " bytes at most.";
    }
    else if (m_protocol == ProtocolKind::CREDIT &&
             (config.credits == 0 || uint64_t{config.credits} * (m_nodes - 1) > config.receiveRing))
    {
        sentence << "ReceiveRing is " << config.receiveRing << " slots, but " << m_nodes - 1
                 << " peers with " << std::max(config.credits, 1U) << " credits each need "
                 << uint64_t{std::max(config.credits, 1U)} * (m_nodes - 1) << ".";
    }
    if (const std::string wrong = sentence.str(); !wrong.empty())
    {
        return wrong;
    }
    return MakePort()->Check();
}

void
Parastation2Scenario::StallHost(Machinery& run, uint32_t host)
{
    // Whatever still happens keeps hosts stalling; a run that has come to rest is not kept awake.
    const Time since = Simulator::Now() - run.recorder->GetLastActivity();
    if (run.session->IsFinished() || since > run.quiet)
    {
        return;
    }
    messaging::Work stall;
    stall.id = ~uint64_t{0};
    stall.amount = static_cast<uint64_t>(m_hostStallLength.GetNanoSeconds());
    run.hosts[host]->Execute(OTHER_PROCESS, {stall}, [this, &run, host] {
        Simulator::Schedule(Seconds(run.stalls->GetValue()),
                            [this, &run, host] { StallHost(run, host); });
    });
}

void
Parastation2Scenario::BeginFaults(Machinery& run)
{
    TimeValue timeout;
    m_settings->GetAttribute("RetransmitTimeout", timeout);
    TimeValue stall;
    m_port->GetAttribute("StallLength", stall);
    TimeValue discard;
    m_port->GetAttribute("Timeout", discard);
    run.quiet = QUIET_TIMEOUTS * timeout.Get() + m_hostStallLength + stall.Get() + discard.Get();
    if (m_hostStallRate > 0)
    {
        run.stalls->SetAttribute("Mean", DoubleValue(1 / m_hostStallRate));
        for (uint32_t host = 0; host < m_nodes; ++host)
        {
            Simulator::Schedule(Seconds(run.stalls->GetValue()),
                                [this, &run, host] { StallHost(run, host); });
        }
    }
    run.outageEnd = m_outageBegin + m_outageLength;
    run.recovered = m_outageLength.IsZero();
    if (!run.recovered)
    {
        DoubleValue loss;
        m_faults->GetAttribute("Loss", loss);
        Simulator::Schedule(m_outageBegin,
                            [&run] { run.faults->SetAttribute("Loss", DoubleValue(1)); });
        Simulator::Schedule(run.outageEnd,
                            [&run, loss] { run.faults->SetAttribute("Loss", loss); });
    }
}

void
Parastation2Scenario::OnReceived(Machinery& run)
{
    run.recorder->EndMessage();
    run.last = Simulator::Now();
    if (!run.recovered && run.last >= run.outageEnd)
    {
        run.recovered = true;
        run.recovery = run.last - run.outageEnd;
    }
    if (run.received++ % 1024 == 0)
    {
        ReportProgress(run.last.GetSeconds(), m_limit.GetSeconds(), "simulated seconds");
    }
}

void
Parastation2Scenario::DoRun()
{
    using messaging::BenchmarkHelper;
    Machinery run;
    const auto clock = CreateObject<messaging::TickClock>();
    run.network = MakePort();
    run.network->SetClock(clock);
    int64_t stream = FIRST_STREAM;
    stream += run.network->AssignStreams(stream);
    run.faults = CreateObject<messaging::PortFaults>();
    messaging::CopyAttributes(m_faults, run.faults);
    constexpr uint64_t DATA_ONLY = uint64_t{1} << static_cast<unsigned>(PacketKind::DATA);
    run.faults->SetAttribute("LossKinds",
                             UintegerValue(m_lossOf == LossOf::ALL    ? ~uint64_t{0}
                                           : m_lossOf == LossOf::DATA ? DATA_ONLY
                                                                      : ~DATA_ONLY));
    stream += run.faults->AssignStreams(stream);
    const auto seeds = CreateObject<UniformRandomVariable>();
    seeds->SetStream(stream++);
    run.stalls = CreateObject<ExponentialRandomVariable>();
    run.stalls->SetStream(stream++);
    ParastationHelper parastation(m_protocol, m_machine);
    run.group = parastation.Install(clock,
                                    Create<Port>(clock, run.network, run.faults),
                                    MakeConfig(),
                                    seeds->GetInteger(1, 1 << 30));
    run.hosts = parastation.GetHosts();
    run.interfaces = parastation.GetInterfaces();
    run.recorder = CreateObject<PipelineRecorder>();
    run.recorder->Connect(run.group, run.hosts, run.interfaces);
    run.audit = CreateObject<messaging::DeliveryAudit>();
    run.audit->SetAttribute("Ordered", BooleanValue(IsOrdered(m_protocol)));
    run.audit->SetAttribute("Reliable", BooleanValue(true));
    run.audit->SetGroup(run.group);

    BenchmarkHelper helper(m_pattern == Pattern::PING_PONG  ? BenchmarkHelper::PING_PONG
                           : m_pattern == Pattern::EXCHANGE ? BenchmarkHelper::EXCHANGE
                           : m_pattern == Pattern::STREAM   ? BenchmarkHelper::STREAM
                                                            : BenchmarkHelper::ALL_TO_ALL);
    helper.SetAttribute("Size", UintegerValue(m_size));
    helper.SetAttribute("Rounds", UintegerValue(m_rounds));
    helper.SetAttribute("Warmup", UintegerValue(m_warmup));
    if (m_pattern == Pattern::STREAM)
    {
        helper.SetAttribute("Window", UintegerValue(m_streamWindow));
    }
    else if (m_pattern == Pattern::EXCHANGE)
    {
        helper.SetAttribute("Window", UintegerValue(m_exchangeWindow));
    }
    run.session = helper.Install(run.audit);
    const auto applications = helper.GetApplications();
    for (uint32_t i = 0; i < applications.GetN(); ++i)
    {
        applications.Get(i)->TraceConnectWithoutContext(
            "Received",
            Callback<void, const messaging::Delivery&>(
                [this, &run](const messaging::Delivery&) { OnReceived(run); }));
    }
    BeginFaults(run);
    Simulator::Stop(m_limit);
    Simulator::Run();
    run.quietAtEnd = m_limit - run.recorder->GetLastActivity() > run.quiet;
    run.audit->Finish(run.quietAtEnd);
    SetResults(run);
    Conclude(run);
    Simulator::Destroy();
}

} // namespace parastation
} // namespace ns3
