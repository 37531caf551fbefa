/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "myrinet-traffic-scenario.h"

#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/messaging-forwarded-attributes.h"
#include "ns3/messaging-scenario-results.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <utility>

namespace ns3
{
namespace myrinet
{

NS_OBJECT_ENSURE_REGISTERED(MyrinetTrafficScenario);

namespace
{

constexpr int64_t NETWORK_STREAM = 10; ///< First random stream of the network.
constexpr int64_t TRAFFIC_STREAM = 20; ///< First random stream of the traffic.

} // namespace

TypeId
MyrinetTrafficScenario::GetTypeId()
{
    static TypeId tid = [] {
        using S = MyrinetTrafficScenario;
        TypeId type =
            SetSummary(
                TypeId("ns3::myrinet::MyrinetTrafficScenario"),
                "Throughput, latency and losses of a Myrinet under a load, while parts of it fail.")
                .SetParent<TrafficScenario>()
                .SetGroupName("Myrinet")
                .AddConstructor<MyrinetTrafficScenario>()
                .AddAttribute(
                    "Pattern",
                    "Whom hosts send to: any other at random, all others in turn, the one "
                    "Shift further on, or host 0 with probability HotShare [name; "
                    "default].",
                    EnumValue(Pattern::UNIFORM),
                    MakeEnumAccessor<Pattern>(&S::m_pattern),
                    MakeEnumChecker(Pattern::UNIFORM,
                                    "uniform",
                                    Pattern::ALL_TO_ALL,
                                    "all-to-all",
                                    Pattern::SHIFT,
                                    "shift",
                                    Pattern::HOT_SPOT,
                                    "hot-spot"))
                .AddAttribute("Nodes",
                              "Number of hosts; a graph has those of its file [nodes; default].",
                              UintegerValue(8),
                              MakeUintegerAccessor(&S::m_nodes),
                              MakeUintegerChecker<uint32_t>(1, Topology::MAX_HOSTS))
                .AddAttribute("Shift",
                              "How much further on the receiver is in pattern shift [hosts; "
                              "default].",
                              UintegerValue(1),
                              MakeUintegerAccessor(&S::m_shift),
                              MakeUintegerChecker<uint32_t>(0, Topology::MAX_HOSTS))
                .AddAttribute("HotShare",
                              "Probability that a packet goes to host 0 in pattern hot-spot "
                              "[probability; default].",
                              DoubleValue(0.2),
                              MakeDoubleAccessor(&S::m_hotShare),
                              MakeDoubleChecker<double>(0, 1))
                .AddAttribute("Payload",
                              "Payload of each packet [bytes; default].",
                              UintegerValue(1024),
                              MakeUintegerAccessor(&S::m_payload),
                              MakeUintegerChecker<uint32_t>(0, 1U << 20))
                .AddAttribute("Load",
                              "Share of a link's rate that each host offers [fraction; default].",
                              DoubleValue(0.3),
                              MakeDoubleAccessor(&S::m_load),
                              MakeDoubleChecker<double>(1e-6, 10))
                .AddAttribute("Duration",
                              "For how long packets are offered; what is under way then still "
                              "arrives [Time; default].",
                              TimeValue(MilliSeconds(5)),
                              MakeTimeAccessor(&S::m_duration),
                              MakeTimeChecker(NanoSeconds(1), Seconds(1000)));
        messaging::ScenarioResults results(type);
        results.AddCount("LostCrc",
                         "Packets lost because a link has corrupted them [packets; result].",
                         &S::m_lostCrc);
        results.AddCount("LostBuffer",
                         "Packets lost because there was no receive buffer [packets; result].",
                         &S::m_lostBuffer);
        results.AddCount("LostNres",
                         "Packets discarded after the timeout, with NRES set [packets; result].",
                         &S::m_lostNres);
        results.AddCount("LostOverwrite",
                         "Packets lost behind a stalled receiver without a sign [packets; result].",
                         &S::m_lostOverwrite);
        results.AddCount("Undetected",
                         "Corrupted packets that the CRC has let pass [packets; result].",
                         &S::m_undetected);
        results.AddCount("Stops", "STOP characters sent [characters; result].", &S::m_stops);
        results.AddTable("Links",
                         "Use of each link, a row a direction [table; result].",
                         &S::m_links);
        results.AddTable("Counters",
                         "All counters of the network [table; result].",
                         &S::m_counters);
        messaging::ForwardAttributes(
            type,
            MyrinetNetwork::GetTypeId(),
            [](const ObjectBase* owner) -> Ptr<Object> {
                return static_cast<const MyrinetTrafficScenario*>(owner)->m_port;
            },
            {});
        return type;
    }();
    return tid;
}

MyrinetTrafficScenario::MyrinetTrafficScenario()
    : m_port(CreateObject<MyrinetNetwork>())
{
}

MyrinetTrafficScenario::~MyrinetTrafficScenario() = default;

void
MyrinetTrafficScenario::DoDispose()
{
    m_port = nullptr;
    m_links = nullptr;
    m_counters = nullptr;
    TrafficScenario::DoDispose();
}

std::string
MyrinetTrafficScenario::Check() const
{
    if (const uint32_t mtu = m_port->Info().mtu; m_payload > mtu)
    {
        return "Payload is " + std::to_string(m_payload) + " bytes; a packet has at most Mtu, " +
               std::to_string(mtu) + " bytes.";
    }
    m_port->SetNodes(m_nodes);
    return m_port->Check();
}

void
MyrinetTrafficScenario::DoRun()
{
    auto clock = CreateObject<messaging::TickClock>();
    auto port = CreateObject<MyrinetNetwork>();
    messaging::CopyAttributes(m_port, port);
    port->SetNodes(m_nodes);
    port->AssignStreams(NETWORK_STREAM);
    port->SetClock(clock);
    const auto duration = static_cast<Ticks>(m_duration.GetNanoSeconds());
    Traffic traffic(clock,
                    port,
                    TrafficConfig{m_pattern, m_payload, m_load, duration, m_shift, m_hotShare});
    traffic.AssignStreams(TRAFFIC_STREAM);
    traffic.Start([this](Ticks done) {
        ReportProgress(static_cast<double>(done) * 1e-6, m_duration.GetSeconds() * 1e3, "ms");
    });
    Simulator::Run();
    const uint64_t rest = traffic.GetNWaiting() + port->GetNInFlight();
    TakeResults(*port, traffic, rest);
    if (const std::string ring = port->FindDeadlock(); !ring.empty())
    {
        SetVerdict(messaging::Verdict::DEADLOCK,
                   "Packets hold links that wait for one another: " + ring +
                       ", and that for the first.");
    }
    else if (rest > 0)
    {
        SetVerdict(messaging::Verdict::DEADLOCK,
                   std::to_string(rest) + " packets wait and nothing moves.");
    }
    port->Dispose();
    clock->Dispose();
}

void
MyrinetTrafficScenario::TakeResults(const MyrinetNetwork& port,
                                    const Traffic& traffic,
                                    uint64_t rest)
{
    const Counters& counters = port.GetCounters();
    messaging::TrafficOutcome outcome;
    outcome.hosts = port.GetNPeers();
    outcome.payload = m_payload;
    outcome.duration = m_duration;
    outcome.offered = traffic.GetNOffered();
    outcome.delivered = counters.delivered;
    outcome.left = rest;
    outcome.hops = counters.hops;
    outcome.bytes = traffic.GetBytes();
    outcome.latencies = traffic.GetLatencies();
    TakeOutcome(std::move(outcome));
    m_lostCrc = counters.GetDrops(DropReason::CRC);
    m_lostBuffer = counters.GetDrops(DropReason::BUFFER);
    m_lostNres = counters.GetDrops(DropReason::NRES);
    m_lostOverwrite = counters.GetDrops(DropReason::OVERWRITE);
    m_undetected = counters.undetected;
    m_stops = counters.stops;
    m_links = port.MakeLinkTable();
    m_counters = port.MakeCounterTable();
}

} // namespace myrinet
} // namespace ns3
