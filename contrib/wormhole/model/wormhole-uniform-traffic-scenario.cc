/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wormhole-uniform-traffic-scenario.h"

#include "wormhole-tables.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/messaging-forwarded-attributes.h"
#include "ns3/pointer.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <numeric>
#include <sstream>

namespace ns3
{
namespace wormhole
{

NS_OBJECT_ENSURE_REGISTERED(UniformTrafficScenario);

namespace
{

/** Random streams of each network: its own, and behind them those of its traffic. */
constexpr int64_t NETWORK_STREAM = 10;

/** Random stream of the traffic. */
constexpr int64_t TRAFFIC_STREAM = 20;

/** Random stream of what fails. */
constexpr int64_t FAULT_STREAM = 30;

} // namespace

TypeId
UniformTrafficScenario::GetTypeId()
{
    static TypeId tid = [] {
        using S = UniformTrafficScenario;
        TypeId type =
            SetSummary(TypeId("ns3::wormhole::UniformTrafficScenario"),
                       "Latency and throughput of wormhole routers against load, past saturation.")
                .SetParent<Scenario>()
                .SetGroupName("Wormhole")
                .AddConstructor<UniformTrafficScenario>()
                .AddAttribute("Beside",
                              "Routers of which kind are measured beside those of parameter Router "
                              "[name; default].",
                              EnumValue(Beside::BUFFERED),
                              MakeEnumAccessor<Beside>(&S::m_beside),
                              MakeEnumChecker(Beside::NONE,
                                              "none",
                                              Beside::LOSSY,
                                              "lossy",
                                              Beside::BUFFERED,
                                              "buffered",
                                              Beside::HYBRID,
                                              "hybrid"))
                .AddAttribute("Flits",
                              "Length of each packet, checksum flit included [flits; default].",
                              UintegerValue(8),
                              MakeUintegerAccessor(&S::m_flits),
                              MakeUintegerChecker<uint32_t>(2, 4096))
                .AddAttribute("MinLoad",
                              "Lowest offered load [flits/node/cycle; default].",
                              DoubleValue(0.01),
                              MakeDoubleAccessor(&S::m_minLoad),
                              MakeDoubleChecker<double>(1e-6, 1))
                .AddAttribute("MaxLoad",
                              "Highest offered load [flits/node/cycle; default].",
                              DoubleValue(0.25),
                              MakeDoubleAccessor(&S::m_maxLoad),
                              MakeDoubleChecker<double>(1e-6, 1))
                .AddAttribute("Points",
                              "Number of offered loads, evenly spread [loads; default].",
                              UintegerValue(13),
                              MakeUintegerAccessor(&S::m_points),
                              MakeUintegerChecker<uint32_t>(1, 1000))
                .AddAttribute("WarmUp",
                              "Time before each measurement [cycles; default].",
                              UintegerValue(2000),
                              MakeUintegerAccessor(&S::m_warmUp),
                              MakeUintegerChecker<uint32_t>(0, 1000000000))
                .AddAttribute("Cycles",
                              "Time of each measurement [cycles; default].",
                              UintegerValue(10000),
                              MakeUintegerAccessor(&S::m_cycles),
                              MakeUintegerChecker<uint32_t>(1, 1000000000))
                .AddAttribute(
                    "MapLoad",
                    "Offered load of tables HeatMap and Timeline [flits/node/cycle; default].",
                    DoubleValue(0.05),
                    MakeDoubleAccessor(&S::m_mapLoad),
                    MakeDoubleChecker<double>(1e-6, 1))
                .AddAttribute("TimelineLength",
                              "Packets in table Timeline [packets; default].",
                              UintegerValue(1000),
                              MakeUintegerAccessor(&S::m_timelineLength),
                              MakeUintegerChecker<uint32_t>(0, 100000000))
                .AddAttribute("ZeroLoadLatency",
                              "Mean latency at the lowest load [cycles; result].",
                              TypeId::ATTR_GET,
                              DoubleValue(0),
                              MakeDoubleAccessor(&S::m_zeroLoadLatency),
                              MakeDoubleChecker<double>())
                .AddAttribute("Throughput",
                              "Largest throughput at any load [flits/node/cycle; result].",
                              TypeId::ATTR_GET,
                              DoubleValue(0),
                              MakeDoubleAccessor(&S::m_throughput),
                              MakeDoubleChecker<double>())
                .AddAttribute(
                    "ThroughputBeside",
                    "The same with the routers of parameter Beside [flits/node/cycle; result].",
                    TypeId::ATTR_GET,
                    DoubleValue(0),
                    MakeDoubleAccessor(&S::m_throughputBeside),
                    MakeDoubleChecker<double>())
                .AddAttribute("MeanUtilization",
                              "Mean use of all links at MapLoad [fraction; result].",
                              TypeId::ATTR_GET,
                              DoubleValue(0),
                              MakeDoubleAccessor(&S::m_meanUtilization),
                              MakeDoubleChecker<double>())
                .AddAttribute("MaxUtilization",
                              "Use of the busiest link at MapLoad [fraction; result].",
                              TypeId::ATTR_GET,
                              DoubleValue(0),
                              MakeDoubleAccessor(&S::m_maxUtilization),
                              MakeDoubleChecker<double>())
                .AddAttribute("Hops",
                              "Channels taken by heads in all runs [hops; result].",
                              TypeId::ATTR_GET,
                              UintegerValue(0),
                              MakeUintegerAccessor(&S::m_hops),
                              MakeUintegerChecker<uint64_t>())
                .AddAttribute("Failed",
                              "Links, counted in each direction, and routers that have failed in "
                              "the runs of table Curve [failures; result].",
                              TypeId::ATTR_GET,
                              UintegerValue(0),
                              MakeUintegerAccessor(&S::m_failed),
                              MakeUintegerChecker<uint64_t>())
                .AddAttribute(
                    "Curve",
                    "Latency, throughput and drops, a row a router and load [table; result].",
                    TypeId::ATTR_GET,
                    PointerValue(),
                    MakePointerAccessor(&S::m_curve),
                    MakePointerChecker<messaging::Table>())
                .AddAttribute("Drops",
                              "Dropped packets, a row a router, load and reason [table; result].",
                              TypeId::ATTR_GET,
                              PointerValue(),
                              MakePointerAccessor(&S::m_drops),
                              MakePointerChecker<messaging::Table>())
                .AddAttribute("HeatMap",
                              "Use of the channels at MapLoad, a row a link [table; result].",
                              TypeId::ATTR_GET,
                              PointerValue(),
                              MakePointerAccessor(&S::m_map),
                              MakePointerChecker<messaging::Table>())
                .AddAttribute(
                    "Timeline",
                    "What became of the first packets at MapLoad, a row a packet [table; result].",
                    TypeId::ATTR_GET,
                    PointerValue(),
                    MakePointerAccessor(&S::m_timeline),
                    MakePointerChecker<messaging::Table>());
        messaging::ForwardAttributes(
            type,
            WormholeNetwork::GetTypeId(),
            [](const ObjectBase* owner) -> Ptr<Object> {
                return static_cast<const UniformTrafficScenario*>(owner)->m_network;
            },
            {"Observe", "Faults"});
        messaging::ForwardAttributes(type,
                                     WormholeFaults::GetTypeId(),
                                     [](const ObjectBase* owner) -> Ptr<Object> {
                                         return static_cast<const S*>(owner)->m_faults;
                                     });
        return type;
    }();
    return tid;
}

UniformTrafficScenario::UniformTrafficScenario()
    : m_network(CreateObject<WormholeNetwork>()),
      m_faults(CreateObject<WormholeFaults>())
{
}

UniformTrafficScenario::~UniformTrafficScenario() = default;

void
UniformTrafficScenario::DoDispose()
{
    m_network = nullptr;
    m_faults = nullptr;
    m_curve = nullptr;
    m_drops = nullptr;
    m_map = nullptr;
    m_timeline = nullptr;
    Scenario::DoDispose();
}

std::string
UniformTrafficScenario::Check() const
{
    if (m_maxLoad < m_minLoad)
    {
        return "MaxLoad has to be at least MinLoad.";
    }
    for (const RouterKind router : GetRouters())
    {
        const auto network = MakeNetwork(router, false);
        std::string error = network->Check();
        if (error.empty())
        {
            error = m_faults->Check(network);
        }
        if (!error.empty())
        {
            return error;
        }
    }
    return "";
}

Ptr<WormholeNetwork>
UniformTrafficScenario::MakeNetwork(RouterKind router, bool observe) const
{
    auto network = CreateObject<WormholeNetwork>();
    messaging::CopyAttributes(m_network, network);
    network->SetAttribute("Router", EnumValue(router));
    network->SetAttribute("Observe", BooleanValue(observe));
    network->SetAttribute("Faults", BooleanValue(m_faults->IsAny()));
    network->AssignStreams(NETWORK_STREAM);
    return network;
}

Ptr<WormholeFaults>
UniformTrafficScenario::MakeFaults(Ptr<WormholeNetwork> network) const
{
    auto faults = CreateObject<WormholeFaults>();
    messaging::CopyAttributes(m_faults, faults);
    faults->AssignStreams(FAULT_STREAM);
    if (faults->IsAny())
    {
        faults->Start(network);
    }
    return faults;
}

std::vector<RouterKind>
UniformTrafficScenario::GetRouters() const
{
    std::vector<RouterKind> routers{m_network->GetRouter()};
    if (m_beside != Beside::NONE)
    {
        const auto other = static_cast<RouterKind>(static_cast<unsigned>(m_beside) - 1);
        if (other != routers[0])
        {
            routers.push_back(other);
        }
    }
    return routers;
}

std::vector<double>
UniformTrafficScenario::GetLoads() const
{
    std::vector<double> loads{m_minLoad};
    for (uint32_t n = 1; n < m_points; ++n)
    {
        loads.push_back(m_minLoad + (m_maxLoad - m_minLoad) * n / (m_points - 1));
    }
    return loads;
}

void
UniformTrafficScenario::DoRun()
{
    const auto routers = GetRouters();
    const auto loads = GetLoads();
    std::vector<std::string> router;
    std::vector<double> offered;
    std::vector<double> accepted;
    std::vector<double> latency;
    std::vector<int64_t> worst;
    std::vector<double> dropped;
    std::vector<std::string> dropRouter;
    std::vector<double> dropLoad;
    std::vector<std::string> dropReason;
    std::vector<int64_t> drops;
    const auto total = static_cast<double>(routers.size() * loads.size() + 1);
    for (const RouterKind kind : routers)
    {
        std::ostringstream name;
        name << kind;
        for (const double load : loads)
        {
            const auto network = MakeNetwork(kind, false);
            const auto faults = MakeFaults(network);
            UniformTraffic traffic(network, m_flits);
            traffic.AssignStreams(TRAFFIC_STREAM);
            traffic.SetFaults(faults);
            traffic.Run(load, m_warmUp);
            traffic.BeginMeasurement();
            traffic.Run(load, m_cycles);
            const auto result = traffic.EndMeasurement();
            router.push_back(name.str());
            offered.push_back(load);
            accepted.push_back(result.accepted);
            latency.push_back(result.latency);
            worst.push_back(static_cast<int64_t>(result.worst));
            dropped.push_back(result.dropped);
            m_hops += result.hops;
            m_failed += faults->GetNFailures();
            for (std::size_t reason = 0; reason < N_DROP_REASONS; ++reason)
            {
                std::ostringstream why;
                why << static_cast<DropReason>(reason);
                dropRouter.push_back(name.str());
                dropLoad.push_back(load);
                dropReason.push_back(why.str());
                drops.push_back(static_cast<int64_t>(result.drops[reason]));
            }
            double& most = kind == routers[0] ? m_throughput : m_throughputBeside;
            most = std::max(most, result.accepted);
            ReportProgress(static_cast<double>(offered.size()), total, "loads");
        }
    }
    m_zeroLoadLatency = latency[0];
    m_curve = CreateObject<messaging::Table>();
    m_curve->AddColumn("router", "", std::move(router));
    m_curve->AddColumn("offered", "flits/node/cycle", std::move(offered));
    m_curve->AddColumn("accepted", "flits/node/cycle", std::move(accepted));
    m_curve->AddColumn("latency", "cycles", std::move(latency));
    m_curve->AddColumn("worst", "cycles", std::move(worst));
    m_curve->AddColumn("dropped", "fraction", std::move(dropped));
    m_drops = CreateObject<messaging::Table>();
    m_drops->AddColumn("router", "", std::move(dropRouter));
    m_drops->AddColumn("offered", "flits/node/cycle", std::move(dropLoad));
    m_drops->AddColumn("reason", "", std::move(dropReason));
    m_drops->AddColumn("drops", "packets", std::move(drops));
    Observe();
}

void
UniformTrafficScenario::Observe()
{
    const auto network = MakeNetwork(m_network->GetRouter(), true);
    const auto faults = MakeFaults(network);
    UniformTraffic traffic(network, m_flits);
    traffic.AssignStreams(TRAFFIC_STREAM);
    traffic.SetFaults(faults);
    Timeline timeline(network, m_timelineLength);
    traffic.Run(m_mapLoad, m_warmUp);
    const auto before = network->GetLinkBusy();
    traffic.Run(m_mapLoad, m_cycles);
    m_hops += network->GetCounters().hops;
    m_map = MakeLinkTable(*network, m_cycles, before);
    m_timeline = timeline.MakeTable();
    for (const auto& column : m_map->GetColumns())
    {
        if (column.name == "utilization")
        {
            const auto& cells = std::get<std::vector<double>>(column.cells);
            if (!cells.empty())
            {
                m_maxUtilization = *std::max_element(cells.begin(), cells.end());
                m_meanUtilization = std::accumulate(cells.begin(), cells.end(), 0.0) /
                                    static_cast<double>(cells.size());
            }
        }
    }
}

} // namespace wormhole
} // namespace ns3
