/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "infiniband-traffic-scenario.h"

#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/messaging-forwarded-attributes.h"
#include "ns3/messaging-idle-attributes.h"
#include "ns3/messaging-scenario-results.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace infiniband
{

NS_OBJECT_ENSURE_REGISTERED(InfinibandTrafficScenario);

namespace
{

constexpr int64_t FABRIC_STREAM = 10;  ///< First random stream of the fabric.
constexpr int64_t TRAFFIC_STREAM = 20; ///< First random stream of the traffic.

} // namespace

TypeId
InfinibandTrafficScenario::GetTypeId()
{
    static TypeId tid = [] {
        using S = InfinibandTrafficScenario;
        TypeId type =
            SetSummary(TypeId("ns3::infiniband::InfinibandTrafficScenario"),
                       "Throughput, latency and losses of an InfiniBand fabric under a load, while "
                       "links fail.")
                .SetParent<TrafficScenario>()
                .SetGroupName("Infiniband")
                .AddConstructor<InfinibandTrafficScenario>()
                .AddAttribute("Pattern",
                              "Whom hosts send to: any other at random, all others in turn, all to "
                              "host 0, or one fixed partner each [name; default].",
                              EnumValue(Pattern::UNIFORM),
                              MakeEnumAccessor<Pattern>(&S::m_pattern),
                              MakeEnumChecker(Pattern::UNIFORM,
                                              "uniform",
                                              Pattern::ALL_TO_ALL,
                                              "all-to-all",
                                              Pattern::INCAST,
                                              "incast",
                                              Pattern::PERMUTATION,
                                              "permutation"))
                .AddAttribute("Payload",
                              "Payload of each packet, at most Mtu; 26 bytes of headers come to it "
                              "[bytes; default].",
                              UintegerValue(2048),
                              MakeUintegerAccessor(&S::m_payload),
                              MakeUintegerChecker<uint32_t>(0, MTUS.back()))
                .AddAttribute("Load",
                              "Share of its link's rate that each host offers [fraction; default].",
                              DoubleValue(0.5),
                              MakeDoubleAccessor(&S::m_load),
                              MakeDoubleChecker<double>(1e-6, 10))
                .AddAttribute("Duration",
                              "For how long packets are offered; what is under way then still "
                              "arrives [Time; default].",
                              TimeValue(MilliSeconds(1)),
                              MakeTimeAccessor(&S::m_duration),
                              MakeTimeChecker(NanoSeconds(1), Seconds(1000)))
                .AddAttribute("ServiceLevels",
                              "Service levels that packets take in turn; the fabric maps them to "
                              "Lanes [levels; default].",
                              UintegerValue(1),
                              MakeUintegerAccessor(&S::m_services),
                              MakeUintegerChecker<uint32_t>(1, 16))
                .AddAttribute("FailureRate",
                              "Failures of each link between switches, at random times [1/s; "
                              "fault].",
                              DoubleValue(0),
                              MakeDoubleAccessor(&S::m_failureRate),
                              MakeDoubleChecker<double>(0, 1e9))
                .AddAttribute("RepairTime",
                              "How long each failure lasts [Time; fault].",
                              TimeValue(MicroSeconds(100)),
                              MakeTimeAccessor(&S::m_repairTime),
                              MakeTimeChecker(NanoSeconds(1), Seconds(1000)));
        messaging::ScenarioResults results(type);
        results.AddCount("Hosts", "Hosts of the subnet [hosts; result].", &S::m_hosts);
        results.AddCount(
            "Overtaken",
            "Packets that have arrived behind a later one of their pair [packets; result].",
            &S::m_overtaken);
        results.AddCount("LostVcrc",
                         "Packets lost because a link has corrupted them [packets; result].",
                         &S::m_lostVcrc);
        results.AddCount("LostIcrc",
                         "Packets lost because a switch has corrupted them [packets; result].",
                         &S::m_lostIcrc);
        results.AddCount("LostLinkDown",
                         "Packets lost on a link that went down [packets; result].",
                         &S::m_lostLink);
        results.AddCount(
            "LostPortDown",
            "Packets lost because their way led over a link that was down [packets; result].",
            &S::m_lostPort);
        results.AddCount("LostNoRoute",
                         "Packets lost because a forwarding table had no way [packets; result].",
                         &S::m_lostRoute);
        results.AddReal("EventsPerHop",
                        "Events inside the fabric for each hop [events; result].",
                        &S::m_eventsPerHop);
        results.AddReal(
            "XmitWait",
            "Mean share of the time that a port with a cable waits for credits [fraction; "
            "result].",
            &S::m_xmitWait);
        results.AddCount("Sweeps", "Sweeps of the subnet manager [sweeps; result].", &S::m_sweeps);
        type.AddAttribute("Ports",
                          "Counters of each port with a cable [table; result].",
                          TypeId::ATTR_GET,
                          PointerValue(),
                          MakePointerAccessor(&S::m_ports),
                          MakePointerChecker<messaging::Table>());
        messaging::ForwardAttributes(
            type,
            Subnet::GetTypeId(),
            [](const ObjectBase* owner) -> Ptr<Object> {
                return static_cast<const InfinibandTrafficScenario*>(owner)->m_subnet;
            });
        messaging::ForwardAttributes(
            type,
            Fabric::GetTypeId(),
            [](const ObjectBase* owner) -> Ptr<Object> {
                return static_cast<const InfinibandTrafficScenario*>(owner)->m_fabric;
            });
        return type;
    }();
    return tid;
}

InfinibandTrafficScenario::InfinibandTrafficScenario()
    : m_subnet(CreateObject<Subnet>()),
      m_fabric(CreateObject<Fabric>())
{
}

InfinibandTrafficScenario::~InfinibandTrafficScenario() = default;

void
InfinibandTrafficScenario::DoDispose()
{
    m_subnet = nullptr;
    m_fabric = nullptr;
    m_ports = nullptr;
    TrafficScenario::DoDispose();
}

std::string
InfinibandTrafficScenario::Check() const
{
    if (const std::string error = m_fabric->Check(); !error.empty())
    {
        return error;
    }
    if (const uint32_t mtu = m_fabric->GetLinkConfig().mtu; m_payload > mtu)
    {
        return "Payload is " + std::to_string(m_payload) + " bytes; a packet has at most Mtu, " +
               std::to_string(mtu) + " bytes.";
    }
    std::string idle;
    if (m_failureRate == 0)
    {
        idle = messaging::FindIdleAttribute(*this,
                                            {"RepairTime", "SweepDelay"},
                                            "where FailureRate is 0");
    }
    DoubleValue corruption;
    m_fabric->GetAttribute("Corruption", corruption);
    if (idle.empty() && corruption.Get() == 0)
    {
        idle =
            messaging::FindIdleAttribute(*m_fabric, {"CorruptionBurst"}, "where Corruption is 0");
    }
    if (!idle.empty())
    {
        return idle;
    }
    const auto subnet = CreateObject<Subnet>();
    messaging::CopyAttributes(m_subnet, subnet);
    return subnet->Build(m_fabric->GetLinkConfig().rate);
}

void
InfinibandTrafficScenario::DoRun()
{
    const auto clock = CreateObject<messaging::TickClock>();
    const auto subnet = CreateObject<Subnet>();
    const auto fabric = CreateObject<Fabric>();
    messaging::CopyAttributes(m_subnet, subnet);
    messaging::CopyAttributes(m_fabric, fabric);
    subnet->Build(fabric->GetLinkConfig().rate);
    fabric->AssignStreams(FABRIC_STREAM);
    const auto duration = static_cast<Ticks>(m_duration.GetNanoSeconds());
    Traffic traffic(clock,
                    fabric,
                    subnet->GetNHosts(),
                    TrafficConfig{m_pattern, m_payload, m_load, duration, m_services});
    traffic.AssignStreams(TRAFFIC_STREAM);
    fabric->Start(subnet, clock, &traffic);
    fabric->PlanFailures(m_failureRate,
                         static_cast<Ticks>(m_repairTime.GetNanoSeconds()),
                         duration);
    traffic.Start([this](Ticks done) {
        ReportProgress(static_cast<double>(done) * 1e-6, m_duration.GetSeconds() * 1e3, "ms");
    });
    Simulator::Run();
    TakeResults(fabric, traffic);
    std::string broken = fabric->CheckConservation();
    broken = broken.empty() ? traffic.Audit() : broken;
    if (!broken.empty())
    {
        SetVerdict(messaging::Verdict::VIOLATED, broken);
    }
    else if (const uint64_t left = CountLeft(fabric, traffic); left > 0)
    {
        const std::string loop = subnet->GetManager().FindCreditLoop();
        SetVerdict(messaging::Verdict::DEADLOCK,
                   std::to_string(left) + " packets wait and nothing moves. " + loop);
    }
    fabric->Dispose();
    clock->Dispose();
}

uint64_t
InfinibandTrafficScenario::CountLeft(Ptr<const Fabric> fabric, const Traffic& traffic)
{
    return traffic.GetNWaiting() + fabric->GetNInFlight();
}

void
InfinibandTrafficScenario::TakeResults(Ptr<Fabric> fabric, const Traffic& traffic)
{
    const FabricCounters& counters = fabric->GetCounters();
    const auto drops = [&counters](DropReason reason) {
        return counters.drops[static_cast<std::size_t>(reason)];
    };
    m_hosts = fabric->GetSubnet()->GetNHosts();
    messaging::TrafficOutcome outcome;
    outcome.hosts = static_cast<uint32_t>(m_hosts);
    outcome.payload = m_payload;
    outcome.duration = m_duration;
    outcome.offered = traffic.GetNOffered();
    outcome.delivered = counters.delivered;
    outcome.left = CountLeft(fabric, traffic);
    outcome.hops = counters.hops;
    outcome.bytes = traffic.GetBytes();
    outcome.latencies = traffic.GetLatencies();
    TakeOutcome(std::move(outcome));
    m_overtaken = traffic.GetNOvertaken();
    m_lostVcrc = drops(DropReason::VCRC);
    m_lostIcrc = drops(DropReason::ICRC);
    m_lostLink = drops(DropReason::LINK_DOWN);
    m_lostPort = drops(DropReason::PORT_DOWN);
    m_lostRoute = drops(DropReason::NO_ROUTE);
    m_eventsPerHop = static_cast<double>(counters.events) /
                     static_cast<double>(std::max<uint64_t>(counters.hops, 1));
    m_sweeps = fabric->GetSubnet()->GetNSweeps();
    m_ports = MakePortTable(fabric);
    const auto& ports = fabric->GetSubnet()->GetTopology().GetPorts();
    double wait = 0;
    uint32_t cabled = 0;
    for (PortId port = 0; port < ports.size(); ++port)
    {
        cabled += ports[port].peer != NO_PORT;
        wait += static_cast<double>(fabric->GetPortCounters(port).xmitWait);
    }
    const auto end = static_cast<double>(Simulator::Now().GetNanoSeconds());
    m_xmitWait = wait / std::max(end * cabled, 1.0);
}

Ptr<messaging::Table>
InfinibandTrafficScenario::MakePortTable(Ptr<Fabric> fabric)
{
    const Topology& topology = fabric->GetSubnet()->GetTopology();
    std::vector<std::string> names;
    std::vector<std::string> peers;
    std::vector<int64_t> bytes;
    std::vector<int64_t> packets;
    std::vector<double> wait;
    std::vector<int64_t> discards;
    std::vector<int64_t> symbols;
    std::vector<int64_t> errors;
    for (PortId port = 0; port < topology.GetPorts().size(); ++port)
    {
        if (topology.GetPorts()[port].peer == NO_PORT)
        {
            continue;
        }
        const PortCounters counters = fabric->GetPortCounters(port);
        names.push_back(topology.GetPortName(port));
        peers.push_back(topology.GetPortName(topology.GetPorts()[port].peer));
        bytes.push_back(static_cast<int64_t>(counters.xmitData));
        packets.push_back(static_cast<int64_t>(counters.xmitPackets));
        wait.push_back(static_cast<double>(counters.xmitWait) / 1e3);
        discards.push_back(static_cast<int64_t>(counters.xmitDiscards));
        symbols.push_back(static_cast<int64_t>(counters.symbolErrors));
        errors.push_back(static_cast<int64_t>(counters.rcvErrors));
    }
    const auto table = CreateObject<messaging::Table>();
    table->AddColumn("port", "", names);
    table->AddColumn("peer", "", peers);
    table->AddColumn("xmit_data", "bytes", bytes);
    table->AddColumn("xmit_packets", "packets", packets);
    table->AddColumn("xmit_wait", "us", wait);
    table->AddColumn("xmit_discards", "packets", discards);
    table->AddColumn("symbol_errors", "packets", symbols);
    table->AddColumn("rcv_errors", "packets", errors);
    return table;
}

} // namespace infiniband
} // namespace ns3
