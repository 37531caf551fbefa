/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "broadcast-ethernet-switch-scenario.h"

#include "broadcast-ethernet-switch-table.h"
#include "broadcast-ethernet-switch-traffic.h"

#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/messaging-forwarded-attributes.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <deque>
#include <numeric>

namespace ns3
{
namespace ethernet
{

NS_OBJECT_ENSURE_REGISTERED(EthernetSwitchScenario);

namespace
{

/** Random stream of the first switch. */
constexpr int64_t SWITCH_STREAM = 10;

/** Random stream of the first station. */
constexpr int64_t STATION_STREAM = 100000;

/** Time between the announcements of two stations; no queue lasts as long. */
const Time ANNOUNCEMENT = MilliSeconds(1);

/** Copies whose latencies are kept, at most. */
constexpr uint64_t MAX_COPIES = 50000000;

} // namespace

TypeId
EthernetSwitchScenario::GetTypeId()
{
    static TypeId tid = [] {
        using S = EthernetSwitchScenario;
        TypeId type =
            SetSummary(
                TypeId("ns3::ethernet::EthernetSwitchScenario"),
                "Traffic over Ethernet switches: what arrives, what is dropped and why, and when.")
                .SetParent<Scenario>()
                .SetGroupName("BroadcastEthernet")
                .AddConstructor<EthernetSwitchScenario>()
                .AddAttribute("Pattern",
                              "Who sends to whom: all to station 0, to all, or each frame to "
                              "another station at random [name; default].",
                              EnumValue(Pattern::INCAST),
                              MakeEnumAccessor<Pattern>(&S::m_pattern),
                              MakeEnumChecker(Pattern::INCAST,
                                              "incast",
                                              Pattern::BROADCAST,
                                              "broadcast",
                                              Pattern::UNIFORM,
                                              "uniform"))
                .AddAttribute("Ports",
                              "Number of stations [stations; EQA section 4].",
                              UintegerValue(8),
                              MakeUintegerAccessor(&S::m_ports),
                              MakeUintegerChecker<uint32_t>(2, 4096))
                .AddAttribute("Senders",
                              "Stations that send; 0 for all that can [stations; default].",
                              UintegerValue(0),
                              MakeUintegerAccessor(&S::m_senders),
                              MakeUintegerChecker<uint32_t>(0, 4096))
                .AddAttribute("Switches",
                              "Switches that stations are plugged into in turn; if there are more "
                              "than one, they are the leaves of a tree under one more [switches; "
                              "default].",
                              UintegerValue(1),
                              MakeUintegerAccessor(&S::m_switches),
                              MakeUintegerChecker<uint32_t>(1, 256))
                .AddAttribute("TrunkRate",
                              "Rate of the links between switches: 10Mbps, 100Mbps or 1000Mbps "
                              "[bit/s; default].",
                              DataRateValue(DataRate("1000Mbps")),
                              MakeDataRateAccessor(&S::m_trunkRate),
                              MakeDataRateChecker())
                .AddAttribute("ReceiverRate",
                              "Rate of the link of station 0, 0bps for that of the others [bit/s; "
                              "default].",
                              DataRateValue(DataRate(0)),
                              MakeDataRateAccessor(&S::m_receiverRate),
                              MakeDataRateChecker())
                .AddAttribute("FrameSize",
                              "Length of frames, from the header to the check sequence [bytes; "
                              "IEEE 802.3].",
                              UintegerValue(MAX_FRAME_BYTES),
                              MakeUintegerAccessor(&S::m_bytes),
                              MakeUintegerChecker<uint32_t>(MIN_FRAME_BYTES, MAX_FRAME_BYTES))
                .AddAttribute("Frames",
                              "Frames that each sender sends [frames; default].",
                              UintegerValue(1000),
                              MakeUintegerAccessor(&S::m_frames),
                              MakeUintegerChecker<uint32_t>(1, 100000000))
                .AddAttribute("Load",
                              "Load that a sender offers to its link; 1 for one frame after the "
                              "other [fraction; default].",
                              DoubleValue(1),
                              MakeDoubleAccessor(&S::m_load),
                              MakeDoubleChecker<double>(1e-6, 1))
                .AddAttribute("Burst",
                              "Frames that a sender has at the same time, if Load is below 1; the "
                              "times between are exponential [frames; default].",
                              UintegerValue(1),
                              MakeUintegerAccessor(&S::m_burst),
                              MakeUintegerChecker<uint32_t>(1, 1000000))
                .AddAttribute("Offered",
                              "Copies of frames that their receivers were to get [copies; result].",
                              TypeId::ATTR_GET,
                              UintegerValue(0),
                              MakeUintegerAccessor(&S::m_offered),
                              MakeUintegerChecker<uint64_t>())
                .AddAttribute("Delivered",
                              "Copies that they got [copies; result].",
                              TypeId::ATTR_GET,
                              UintegerValue(0),
                              MakeUintegerAccessor(&S::m_delivered),
                              MakeUintegerChecker<uint64_t>())
                .AddAttribute("DropOverflow",
                              "Copies that found the buffer of their output port full, at all "
                              "switches [copies; result].",
                              TypeId::ATTR_GET,
                              UintegerValue(0),
                              MakeUintegerAccessor(&S::m_overflow),
                              MakeUintegerChecker<uint64_t>())
                .AddAttribute(
                    "DropPool",
                    "Copies that found the shared pool full, at all switches [copies; result].",
                    TypeId::ATTR_GET,
                    UintegerValue(0),
                    MakeUintegerAccessor(&S::m_pool),
                    MakeUintegerChecker<uint64_t>())
                .AddAttribute("DropThreshold",
                              "Copies that found their queue at its share of the pool, at all "
                              "switches [copies; result].",
                              TypeId::ATTR_GET,
                              UintegerValue(0),
                              MakeUintegerAccessor(&S::m_threshold),
                              MakeUintegerChecker<uint64_t>())
                .AddAttribute("DropLoss",
                              "Copies that were lost by chance, at all switches [copies; result].",
                              TypeId::ATTR_GET,
                              UintegerValue(0),
                              MakeUintegerAccessor(&S::m_lost),
                              MakeUintegerChecker<uint64_t>())
                .AddAttribute("LossShare",
                              "Share of copies that they did not get [fraction; result].",
                              TypeId::ATTR_GET,
                              DoubleValue(0),
                              MakeDoubleAccessor(&S::m_loss),
                              MakeDoubleChecker<double>())
                .AddAttribute("Throughput",
                              "Bits of frames delivered, header and check sequence included, at "
                              "all receivers together [Mbit/s; result].",
                              TypeId::ATTR_GET,
                              DoubleValue(0),
                              MakeDoubleAccessor(&S::m_throughput),
                              MakeDoubleChecker<double>())
                .AddAttribute("Duration",
                              "From the first bit sent to the last one received [ms; result].",
                              TypeId::ATTR_GET,
                              DoubleValue(0),
                              MakeDoubleAccessor(&S::m_duration),
                              MakeDoubleChecker<double>())
                .AddAttribute("LatencyMean",
                              "Mean time from a frame's first bit sent to its last one received "
                              "[us; result].",
                              TypeId::ATTR_GET,
                              DoubleValue(0),
                              MakeDoubleAccessor(&S::m_latencyMean),
                              MakeDoubleChecker<double>())
                .AddAttribute("LatencyMedian",
                              "Median of that time [us; result].",
                              TypeId::ATTR_GET,
                              DoubleValue(0),
                              MakeDoubleAccessor(&S::m_latencyMedian),
                              MakeDoubleChecker<double>())
                .AddAttribute("Latency95",
                              "95th percentile of that time [us; result].",
                              TypeId::ATTR_GET,
                              DoubleValue(0),
                              MakeDoubleAccessor(&S::m_latency95),
                              MakeDoubleChecker<double>())
                .AddAttribute("Latency99",
                              "99th percentile of that time [us; result].",
                              TypeId::ATTR_GET,
                              DoubleValue(0),
                              MakeDoubleAccessor(&S::m_latency99),
                              MakeDoubleChecker<double>())
                .AddAttribute("LatencyMax",
                              "Longest such time [us; result].",
                              TypeId::ATTR_GET,
                              DoubleValue(0),
                              MakeDoubleAccessor(&S::m_latencyMax),
                              MakeDoubleChecker<double>())
                .AddAttribute("PeakQueue",
                              "Longest queue of any port, the frame on the wire included "
                              "[BufferUnit; result].",
                              TypeId::ATTR_GET,
                              UintegerValue(0),
                              MakeUintegerAccessor(&S::m_peak),
                              MakeUintegerChecker<uint64_t>())
                .AddAttribute("Pauses",
                              "PAUSE frames sent by switches, those that end a pause included "
                              "[frames; result].",
                              TypeId::ATTR_GET,
                              UintegerValue(0),
                              MakeUintegerAccessor(&S::m_pauses),
                              MakeUintegerChecker<uint64_t>())
                .AddAttribute("PortTable",
                              "What has happened at each port, announcements included, a row a "
                              "port [table; result].",
                              TypeId::ATTR_GET,
                              PointerValue(),
                              MakePointerAccessor(&S::m_table),
                              MakePointerChecker<messaging::Table>());
        messaging::ForwardAttributes(
            type,
            EthernetSwitch::GetTypeId(),
            [](const ObjectBase* owner) -> Ptr<Object> {
                return static_cast<const EthernetSwitchScenario*>(owner)->m_switch;
            },
            {});
        return type;
    }();
    return tid;
}

EthernetSwitchScenario::EthernetSwitchScenario()
    : m_switch(CreateObject<EthernetSwitch>())
{
}

EthernetSwitchScenario::~EthernetSwitchScenario() = default;

void
EthernetSwitchScenario::DoDispose()
{
    m_switch = nullptr;
    m_table = nullptr;
    Scenario::DoDispose();
}

uint32_t
EthernetSwitchScenario::GetNSenders() const
{
    const uint32_t most = m_pattern == Pattern::INCAST ? m_ports - 1 : m_ports;
    return m_senders == 0 ? most : m_senders;
}

uint64_t
EthernetSwitchScenario::GetNCopies() const
{
    const uint64_t frames = static_cast<uint64_t>(m_frames) * GetNSenders();
    return m_pattern == Pattern::BROADCAST ? frames * (m_ports - 1) : frames;
}

std::string
EthernetSwitchScenario::Check() const
{
    if (const std::string error = m_switch->Check(); !error.empty())
    {
        return error;
    }
    for (const DataRate rate : {m_trunkRate, m_receiverRate})
    {
        const std::string error = CheckLinkRate(rate);
        if (!error.empty() && (rate == m_trunkRate || rate.GetBitRate() > 0))
        {
            return error;
        }
    }
    if (m_pattern == Pattern::INCAST && m_senders >= m_ports)
    {
        return "Senders has to be below Ports for pattern incast, since station 0 only receives.";
    }
    if (m_senders > m_ports)
    {
        return "Senders has to be at most Ports.";
    }
    if (m_switches > m_ports)
    {
        return "Switches has to be at most Ports.";
    }
    if (GetNCopies() > MAX_COPIES)
    {
        return "Frames times senders, and times receivers for pattern broadcast, has to be at most "
               "50 million, since the latency of each copy is kept.";
    }
    return "";
}

std::vector<Ptr<EthernetSwitch>>
EthernetSwitchScenario::MakeSwitches() const
{
    const auto make = [this](int64_t number) {
        auto made = CreateObject<EthernetSwitch>();
        messaging::CopyAttributes(m_switch, made);
        made->AssignStreams(SWITCH_STREAM + number);
        return made;
    };
    std::vector<Ptr<EthernetSwitch>> leaves;
    while (leaves.size() < m_switches)
    {
        leaves.push_back(make(static_cast<int64_t>(leaves.size())));
    }
    if (m_switches > 1)
    {
        const auto root = make(m_switches);
        root->SetAttribute("DataRate", DataRateValue(m_trunkRate));
        for (const auto& leaf : leaves)
        {
            root->Connect(leaf);
        }
    }
    return leaves;
}

void
EthernetSwitchScenario::DoRun()
{
    const auto leaves = MakeSwitches();
    DataRateValue rate;
    leaves[0]->GetAttribute("DataRate", rate);
    if (m_receiverRate.GetBitRate() > 0)
    {
        leaves[0]->SetAttribute("DataRate", DataRateValue(m_receiverRate));
    }
    SwitchMeasurement measurement;
    measurement.latencies.reserve(GetNCopies());
    std::deque<SwitchStation> stations;
    int64_t stream = STATION_STREAM;
    for (uint32_t n = 0; n < m_ports; ++n)
    {
        stations.emplace_back(leaves[n % leaves.size()], n, measurement);
        stream += stations.back().AssignStreams(stream);
        leaves[0]->SetAttribute("DataRate", rate);
        Simulator::Schedule(ANNOUNCEMENT * static_cast<int64_t>(n),
                            &SwitchStation::Announce,
                            &stations.back());
    }
    const double bits = PREAMBLE_BITS + GAP_BITS + 8.0 * m_bytes;
    const Time interval =
        m_load < 1 ? Seconds(bits * m_burst / (m_load * rate.Get().GetBitRate())) : Time(0);
    const SwitchStation::Traffic traffic{.bytes = m_bytes,
                                         .frames = m_frames,
                                         .burst = m_burst,
                                         .receivers = m_pattern == Pattern::UNIFORM ? m_ports : 0,
                                         .to = m_pattern == Pattern::INCAST
                                                   ? SwitchStation::GetAddress(0)
                                                   : Mac48Address::GetBroadcast(),
                                         .interval = interval};
    const uint32_t first = m_pattern == Pattern::INCAST ? 1 : 0;
    const Time start = ANNOUNCEMENT * static_cast<int64_t>(m_ports + 10);
    for (uint32_t n = 0; n < GetNSenders(); ++n)
    {
        Simulator::Schedule(start, [&stations, &traffic, n, first] {
            stations[first + n].Start(traffic);
        });
    }
    const auto frames = static_cast<double>(GetNSenders()) * m_frames;
    measurement.progress = [this, frames](uint64_t sent) {
        ReportProgress(static_cast<double>(sent), frames, "frames");
    };
    Simulator::Run();

    m_offered = GetNCopies();
    m_delivered = measurement.latencies.size();
    m_loss = 1 - static_cast<double>(m_delivered) / static_cast<double>(m_offered);
    const auto nanoseconds = static_cast<double>(measurement.last - measurement.first);
    m_duration = nanoseconds / 1e6;
    m_throughput = 8e3 * m_bytes * static_cast<double>(m_delivered) / nanoseconds;
    Summarize(measurement.latencies);
    uint64_t meant = 0;
    uint64_t accounted = 0;
    for (const EthernetSwitch* member : leaves[0]->GetLan())
    {
        for (uint32_t port = 0; port < member->GetNPorts(); ++port)
        {
            const SwitchPortCounters& counters = member->GetCounters(port);
            const auto drops = [&](SwitchDrop reason) {
                return counters.drops[static_cast<std::size_t>(reason)];
            };
            meant += counters.offered;
            accounted += counters.framesOut + counters.GetDropped();
            m_overflow += drops(SwitchDrop::OVERFLOW);
            m_pool += drops(SwitchDrop::POOL);
            m_threshold += drops(SwitchDrop::THRESHOLD);
            m_lost += drops(SwitchDrop::LOSS);
            m_peak = std::max(m_peak, counters.peak);
            m_pauses += counters.pausesSent;
        }
    }
    m_table = MakePortTable(leaves[0]);
    Simulator::Destroy();
    if (meant != accounted)
    {
        SetVerdict(messaging::Verdict::VIOLATED,
                   "Of " + std::to_string(meant) + " copies at all ports, " +
                       std::to_string(accounted) + " have arrived or been dropped.");
    }
}

void
EthernetSwitchScenario::Summarize(std::vector<int64_t>& latencies)
{
    if (latencies.empty())
    {
        return;
    }
    std::sort(latencies.begin(), latencies.end());
    const auto quantile = [&](double share) {
        const auto last = static_cast<double>(latencies.size() - 1);
        return static_cast<double>(latencies[static_cast<std::size_t>(share * last + 0.5)]) / 1e3;
    };
    const double sum = std::accumulate(latencies.begin(), latencies.end(), 0.0);
    m_latencyMean = sum / 1e3 / static_cast<double>(latencies.size());
    m_latencyMedian = quantile(0.5);
    m_latency95 = quantile(0.95);
    m_latency99 = quantile(0.99);
    m_latencyMax = quantile(1);
}

} // namespace ethernet
} // namespace ns3
