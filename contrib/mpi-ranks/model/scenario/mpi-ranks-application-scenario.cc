/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mpi-ranks-application-scenario.h"

#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/messaging-forwarded-attributes.h"
#include "ns3/messaging-idle-attributes.h"
#include "ns3/messaging-scenario-results.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace ns3
{
namespace ranks
{

NS_LOG_COMPONENT_DEFINE("MpiRanksApplicationScenario");
NS_OBJECT_ENSURE_REGISTERED(MpiApplicationScenario);

using infiniband::Transport;
using messaging::Table;
using messaging::Verdict;

namespace
{

/** Random stream of the generator. */
constexpr int64_t STREAM = 1;

/** Runs that calibration may take. */
constexpr uint32_t ATTEMPTS = 8;

/** By how much the calibrated rate may miss: NAMD's steps differ by more than 1 % in length with
 * the order in which messages happen to arrive. */
constexpr double TOLERANCE = 0.02;

/** Time steps of a calibration run: two periods of what LAMMPS does every tenth step. */
constexpr uint32_t CALIBRATION_STEPS = 20;

/** Simulated time after which a run has failed [s]. */
constexpr int64_t LIMIT = 3600;

/** Bytes of a MB (C-amb-5). */
constexpr double MB = 1e6;

} // namespace

TypeId
MpiApplicationScenario::GetTypeId()
{
    static TypeId tid = [] {
        using S = MpiApplicationScenario;
        TypeId type = SetSummary(TypeId("ns3::ranks::MpiApplicationScenario"),
                                 "Run time of LAMMPS- or NAMD-like traffic with one of six MPI "
                                 "designs over InfiniBand.")
                          .SetParent<AdapterScenario>()
                          .SetGroupName("MpiRanks")
                          .AddConstructor<MpiApplicationScenario>();
        type.AddAttribute("DataSet",
                          "Data set, for NAMD or LAMMPS [name; tables 2 and 3].",
                          EnumValue(DataSetName::JAC2000),
                          MakeEnumAccessor<DataSetName>(&S::m_dataSet),
                          MakeEnumChecker(DataSetName::APOA1,
                                          "apoa1",
                                          DataSetName::ER_GRE,
                                          "er-gre",
                                          DataSetName::FLATPASE,
                                          "flatpase",
                                          DataSetName::JAC2000,
                                          "jac2000",
                                          DataSetName::CHAIN,
                                          "chain",
                                          DataSetName::EAM,
                                          "eam",
                                          DataSetName::RHODO,
                                          "rhodo"));
        type.AddAttribute("Duration",
                          "How long RC-Native takes at the published rate, which sets the number "
                          "of time steps [s; default, the paper's runs are of unknown length, "
                          "C-amb-4].",
                          DoubleValue(1),
                          MakeDoubleAccessor(&S::m_duration),
                          MakeDoubleChecker<double>(0.001, 1000));
        type.AddAttribute("RateScale",
                          "Message rate that RC-Native is calibrated to, as a multiple of the "
                          "published one [ratio; tables 2 and 3].",
                          DoubleValue(1),
                          MakeDoubleAccessor(&S::m_rateScale),
                          MakeDoubleChecker<double>(0.01, 100));
        type.AddAttribute(
            "Compute",
            "Computation of a rank in a time step; 0 to calibrate it [ns; calibrated: "
            "message rate of RC-Native, tables 2 and 3].",
            UintegerValue(0),
            MakeUintegerAccessor(&S::m_compute),
            MakeUintegerChecker<Ticks>(0, 3'600'000'000'000));
        type.AddAttribute(
            "Burst",
            "NAMD: messages of a rank in a time step, an even number [messages; swept].",
            UintegerValue(40),
            MakeUintegerAccessor(&S::SetWorkload<&WorkloadConfig::burst>,
                                 &S::GetWorkload<&WorkloadConfig::burst>),
            MakeUintegerChecker<uint32_t>(2, 1008));
        type.AddAttribute(
            "Together",
            "NAMD: messages with coordinates of a step that a computation needs before it begins; "
            "1 for a program that is driven by messages [messages; swept].",
            UintegerValue(1),
            MakeUintegerAccessor(&S::SetWorkload<&WorkloadConfig::together>,
                                 &S::GetWorkload<&WorkloadConfig::together>),
            MakeUintegerChecker<uint32_t>(1, 504));
        type.AddAttribute("Bunch",
                          "NAMD: messages of a time step that a partner gets, one after the other "
                          "[messages; swept].",
                          UintegerValue(1),
                          MakeUintegerAccessor(&S::SetWorkload<&WorkloadConfig::bunch>,
                                               &S::GetWorkload<&WorkloadConfig::bunch>),
                          MakeUintegerChecker<uint32_t>(1, 504));
        type.AddAttribute("ReduceEvery",
                          "LAMMPS: time steps between reductions; 0 for none [steps; default].",
                          UintegerValue(10),
                          MakeUintegerAccessor(&S::SetWorkload<&WorkloadConfig::reduceEvery>,
                                               &S::GetWorkload<&WorkloadConfig::reduceEvery>),
                          MakeUintegerChecker<uint32_t>());
        const auto share =
            [&type](const char* name, const char* help, double initial, auto accessor) {
                type.AddAttribute(name,
                                  help,
                                  DoubleValue(initial),
                                  accessor,
                                  MakeDoubleChecker<double>(0, 1));
            };
        share(
            "OneSided",
            "NAMD: share of the messages that are not answered to their sender [fraction; swept].",
            0.5,
            MakeDoubleAccessor(&S::SetWorkload<&WorkloadConfig::oneSided>,
                               &S::GetWorkload<&WorkloadConfig::oneSided>));
        share("OneWay",
              "LAMMPS: share of the further peers of chain and rhodo that a rank only sends to or "
              "only gets from [fraction; swept].",
              0,
              MakeDoubleAccessor(&S::SetWorkload<&WorkloadConfig::oneWay>,
                                 &S::GetWorkload<&WorkloadConfig::oneWay>));
        share("Persistent",
              "NAMD: share of a rank's partners that stay the same, as its patch's neighbours do; "
              "the others are all ranks of other nodes in turn [fraction; swept].",
              0.5,
              MakeDoubleAccessor(&S::SetWorkload<&WorkloadConfig::persistent>,
                                 &S::GetWorkload<&WorkloadConfig::persistent>));
        type.AddAttribute("LongShare",
                          "NAMD: share of the messages that have 128 KB, the others being so much "
                          "shorter that the mean stays [fraction; swept].",
                          DoubleValue(0),
                          MakeDoubleAccessor(&S::SetWorkload<&WorkloadConfig::longShare>,
                                             &S::GetWorkload<&WorkloadConfig::longShare>),
                          MakeDoubleChecker<double>(0, 0.01));
        share("Overlap",
              "NAMD: share of the computation that needs no messages [fraction; swept].",
              0.15,
              MakeDoubleAccessor(&S::SetWorkload<&WorkloadConfig::overlap>,
                                 &S::GetWorkload<&WorkloadConfig::overlap>));
        share("Imbalance",
              "By how much computations are at most longer or shorter than their mean [fraction; "
              "swept].",
              0.05,
              MakeDoubleAccessor(&S::SetWorkload<&WorkloadConfig::imbalance>,
                                 &S::GetWorkload<&WorkloadConfig::imbalance>));
        messaging::ScenarioResults results(type);
        results.AddReal("Time",
                        "Time of all time steps, figures 5a and 6a [s; result].",
                        &S::m_time);
        results.AddReal("MessageRate",
                        "MPI message rate between nodes [messages/s/process; result].",
                        &S::m_messageRate);
        results.AddReal("VolumeRate", "MPI volume rate [MB/s/process; result].", &S::m_volumeRate);
        results.AddReal("FlowAcks",
                        "Explicit ACKs of the flow control [frames/process; result].",
                        &S::m_flowAcks);
        results.AddReal("ReliabilityAcks",
                        "Explicit ACKs of the reliability layer [frames/process; result].",
                        &S::m_reliabilityAcks);
        results.AddReal("Memory",
                        "Most memory of unacknowledged messages, averaged [MB/process; result].",
                        &S::m_memory);
        results.AddReal(
            "QueueLength",
            "Most entries of the unacknowledged queue, averaged [entries/process; result].",
            &S::m_queue);
        results.AddReal("Messages",
                        "Messages to other nodes [messages/process; result].",
                        &S::m_messages);
        results.AddReal("Retransmissions",
                        "Segments sent again by MPI [segments/process; result].",
                        &S::m_retransmissions);
        results.AddReal("Reordered",
                        "Frames that arrived before one that was sent ahead of them "
                        "[frames/process; result].",
                        &S::m_reordered);
        results.AddReal("EarlyFins",
                        "FINs that arrived before the data of their write [frames/process; "
                        "result].",
                        &S::m_earlyFins);
        results.AddReal(
            "OutOfCredits",
            "Messages that had to wait for credits or window [messages/process; result].",
            &S::m_outOfCredits);
        results.AddReal("Peers", "Peers on other nodes [peers/process; result].", &S::m_peers);
        results.AddReal("ContextMisses",
                        "Contexts of queue pairs fetched over PCI Express, for each message "
                        "[1/message; result].",
                        &S::m_misses);
        results.AddReal("LargeShare",
                        "Share of messages above 8 KB [fraction; result].",
                        &S::m_large);
        results.AddReal("Computing",
                        "Share of the time that ranks compute [fraction; result].",
                        &S::m_computing);
        results.AddReal("StepCompute",
                        "Computation of a rank in a time step [ns; result].",
                        &S::m_calibrated);
        results.AddReal(
            "Deviation",
            "By how much RC-Native's message rate misses the published one after calibration; 0 "
            "where Compute is given [%; result].",
            &S::m_deviation);
        results.AddReal("EventsPerMessage",
                        "Events of ranks and engine for each message [1/message; result].",
                        &S::m_events);
        type.AddAttribute("Steps",
                          "Time steps [steps; result].",
                          TypeId::ATTR_GET,
                          UintegerValue(0),
                          MakeUintegerAccessor(&S::m_steps),
                          MakeUintegerChecker<uint64_t>());
        type.AddAttribute("Histogram",
                          "Figures 5b and 6b: messages by length [table; result].",
                          TypeId::ATTR_GET,
                          PointerValue(),
                          MakePointerAccessor(&S::m_histogram),
                          MakePointerChecker<Table>());
        messaging::ForwardAttributes(
            type,
            RankCluster::GetTypeId(),
            [](const ObjectBase* owner) -> Ptr<Object> {
                return static_cast<const MpiApplicationScenario*>(owner)->m_cluster;
            });
        return type;
    }();
    return tid;
}

MpiApplicationScenario::MpiApplicationScenario()
    : m_cluster(CreateObject<RankCluster>())
{
}

MpiApplicationScenario::~MpiApplicationScenario() = default;

void
MpiApplicationScenario::DoDispose()
{
    m_cluster = nullptr;
    AdapterScenario::DoDispose();
}

std::string
MpiApplicationScenario::Check() const
{
    if (m_cluster->GetNodes() < 2)
    {
        return "Nodes is " + std::to_string(m_cluster->GetNodes()) +
               "; an application needs at least 2, since it is the network that is looked at.";
    }
    if (m_workload.burst % 2 != 0)
    {
        return "Burst is " + std::to_string(m_workload.burst) +
               "; it must be even, since each message with coordinates is followed by one with "
               "forces.";
    }
    if (m_workload.bunch > m_workload.burst / 2)
    {
        return "Bunch is " + std::to_string(m_workload.bunch) + "; it must be at most " +
               std::to_string(m_workload.burst / 2) +
               ", half of Burst, which a rank sends with coordinates in a time step.";
    }
    const bool lammps = m_dataSet >= DataSetName::CHAIN;
    std::string idle =
        lammps
            ? messaging::FindIdleAttribute(
                  *this,
                  {"Burst", "OneSided", "Persistent", "Overlap", "Together", "Bunch", "LongShare"},
                  "where DataSet is of LAMMPS")
            : messaging::FindIdleAttribute(*this,
                                           {"ReduceEvery", "OneWay"},
                                           "where DataSet is of NAMD");
    if (idle.empty() && m_dataSet == DataSetName::EAM)
    {
        idle = messaging::FindIdleAttribute(*this, {"OneWay"}, "where DataSet is eam");
    }
    return idle.empty() ? m_cluster->Check() : idle;
}

std::unique_ptr<RankWorkload>
MpiApplicationScenario::MakeWorkload() const
{
    WorkloadConfig config = m_workload;
    config.ranksPerNode = m_cluster->GetRanksPerNode();
    config.ranks = m_cluster->GetNodes() * config.ranksPerNode;
    const auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(STREAM);
    return RankWorkload::Make(GetDataSet(m_dataSet), config, random);
}

MpiApplicationScenario::Outcome
MpiApplicationScenario::RunSteps(const RankCluster& cluster, RankWorkload& workload, bool report)
{
    const auto system = cluster.Build(workload.GetConfig().ranks);
    if (!system.error.empty())
    {
        SetVerdict(Verdict::FAILED, system.error);
        return {};
    }
    system.group->Start([&workload](Rank rank) { return workload.Main(rank); });
    Simulator::Stop(Seconds(LIMIT));
    Simulator::Run();
    Outcome outcome;
    const uint32_t ranks = system.group->GetNRanks();
    const auto [verdict, reason] = system.group->Audit();
    SetVerdict(verdict, reason);
    if (verdict != Verdict::FAILED && system.group->GetNDone() == ranks)
    {
        outcome.seconds = static_cast<double>(system.group->GetEnd()) / 1e9;
        outcome.messages = static_cast<double>(system.group->GetCounts().messages) / ranks;
    }
    if (report)
    {
        TakeResults(system, outcome);
    }
    system.group->Dispose();
    Simulator::Destroy();
    return outcome;
}

Ticks
MpiApplicationScenario::Calibrate(RankWorkload& workload)
{
    const auto cluster = CreateObject<RankCluster>();
    messaging::CopyAttributes(m_cluster, cluster);
    cluster->Choose(Transport::RC, Reliability::NATIVE);
    const double rate = GetDataSet(m_dataSet).rate * m_rateScale;
    double step = workload.GetMessagesPerStep() / rate * 1e9;
    double compute = 0.8 * step;
    double computeBefore = 0;
    double takenBefore = 0;
    double slope = 1;
    for (uint32_t i = 0; i < ATTEMPTS; ++i)
    {
        ReportProgress(i, ATTEMPTS, "calibration runs");
        workload.SetRun(static_cast<Ticks>(compute), CALIBRATION_STEPS);
        const Outcome outcome = RunSteps(*cluster, workload, false);
        if (outcome.seconds <= 0)
        {
            return 0;
        }
        step = outcome.messages / rate * 1e9 / CALIBRATION_STEPS;
        const double taken = outcome.seconds * 1e9 / CALIBRATION_STEPS;
        m_deviation = 100 * (step / taken - 1);
        if (std::abs(m_deviation) <= 100 * TOLERANCE)
        {
            return static_cast<Ticks>(compute);
        }
        if (i > 0 && compute != computeBefore)
        {
            slope = std::clamp((taken - takenBefore) / (compute - computeBefore), 0.25, 4.0);
        }
        computeBefore = compute;
        takenBefore = taken;
        compute = std::max(1.0, compute + (step - taken) / slope);
    }
    std::ostringstream text;
    text << "Calibration has failed: RC-Native reaches " << 100 + m_deviation << " % of the "
         << rate << " messages/s that it should, with " << compute / 1e3
         << " us of computation in a time step.";
    SetVerdict(Verdict::FAILED, text.str());
    return 0;
}

void
MpiApplicationScenario::DoRun()
{
    const auto workload = MakeWorkload();
    const Ticks compute = m_compute > 0 ? m_compute : Calibrate(*workload);
    if (compute == 0)
    {
        return;
    }
    m_calibrated = static_cast<double>(compute);
    const double rate = GetDataSet(m_dataSet).rate * m_rateScale;
    m_steps = std::max<uint64_t>(
        1,
        static_cast<uint64_t>(std::llround(m_duration * rate / workload->GetMessagesPerStep())));
    workload->SetRun(compute, static_cast<uint32_t>(m_steps));
    RunSteps(*m_cluster, *workload, true);
}

void
MpiApplicationScenario::TakeResults(const RankCluster::System& system, const Outcome& outcome)
{
    const uint32_t ranks = system.group->GetNRanks();
    const RankGroupCounts& counts = system.group->GetCounts();
    Ticks computed = 0;
    for (Peer self = 0; self < ranks; ++self)
    {
        const RankCounters counters = system.group->GetCore(self).GetCounters();
        m_flowAcks += static_cast<double>(counters.Get(Event::FLOW_ACK)) / ranks;
        m_reliabilityAcks += static_cast<double>(counters.Get(Event::RELIABILITY_ACK)) / ranks;
        m_retransmissions += static_cast<double>(counters.Get(Event::RETRANSMITTED)) / ranks;
        m_reordered += static_cast<double>(counters.Get(Event::HELD)) / ranks;
        m_earlyFins += static_cast<double>(counters.Get(Event::EARLY_FIN)) / ranks;
        m_outOfCredits += static_cast<double>(counters.Get(Event::OUT_OF_CREDITS)) / ranks;
        m_memory += static_cast<double>(counters.queueBytesMax) / MB / ranks;
        m_queue += static_cast<double>(counters.queueEntriesMax) / ranks;
        computed += system.group->GetComputed(self);
    }
    m_messages = static_cast<double>(counts.messages) / ranks;
    m_peers = 2.0 * static_cast<double>(system.link->GetNConnections()) / ranks;
    const auto each = static_cast<double>(std::max<uint64_t>(1, counts.messages));
    m_misses = static_cast<double>(system.engine->GetNContextMisses()) / each;
    m_events = static_cast<double>(counts.events + system.engine->GetNEvents()) / each;
    MakeHistogram(*system.group);
    if (outcome.seconds > 0)
    {
        m_time = outcome.seconds;
        m_messageRate = outcome.messages / m_time;
        m_volumeRate = static_cast<double>(counts.bytes) / MB / ranks / m_time;
        m_computing = static_cast<double>(computed) / 1e9 / ranks / m_time;
        AddAdapters(*system.engine, system.group->GetEnd());
        TakeAdapterResults();
    }
}

void
MpiApplicationScenario::MakeHistogram(const RankGroup& group)
{
    const auto& bins = group.GetHistogram();
    const auto all = static_cast<double>(std::max<uint64_t>(1, group.GetCounts().messages));
    std::vector<int64_t> below;
    std::vector<int64_t> counts;
    std::vector<double> shares;
    uint64_t sum = 0;
    for (std::size_t i = 0; i < bins.size() && sum < group.GetCounts().messages; ++i)
    {
        sum += bins[i];
        below.push_back(int64_t{1} << i);
        counts.push_back(static_cast<int64_t>(bins[i]));
        shares.push_back(static_cast<double>(bins[i]) / all);
        if (below.back() <= static_cast<int64_t>(MessageSizes::BOUNDARY))
        {
            m_large = 1 - static_cast<double>(sum) / all;
        }
    }
    m_histogram = CreateObject<Table>();
    m_histogram->AddColumn("Below", "bytes", std::move(below));
    m_histogram->AddColumn("Messages", "messages", std::move(counts));
    m_histogram->AddColumn("Share", "fraction", std::move(shares));
}

} // namespace ranks
} // namespace ns3
