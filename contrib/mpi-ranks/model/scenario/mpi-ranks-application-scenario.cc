/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mpi-ranks-application-scenario.h"

#include "ns3/log.h"
#include "ns3/messaging-attributes.h"
#include "ns3/messaging-forwarded-attributes.h"
#include "ns3/messaging-row-table.h"
#include "ns3/mpi-ranks-workload-lammps.h"
#include "ns3/mpi-ranks-workload-namd.h"

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
using messaging::Verdict;

namespace
{

/** Random stream of the generator. */
constexpr int64_t STREAM = 1;

/** Maximum number of calibration runs. */
constexpr uint32_t ATTEMPTS = 8;

/** Tolerance of the calibrated rate: the length of NAMD's steps varies by more than 1 % with the
 * order in which messages arrive. */
constexpr double TOLERANCE = 0.02;

/** Time steps of a calibration run. */
constexpr uint32_t CALIBRATION_STEPS = 20;

/** Bytes of a MB (C-amb-5). */
constexpr double MB = 1e6;

/** Share of a step that the first calibration run computes. */
constexpr double FIRST_SHARE = 0.8;

/** Bounds of the increase of a step's time with its computation, for the next calibration run. */
constexpr double LEAST_SLOPE = 0.25;
constexpr double MOST_SLOPE = 4;

/**
 * Get the change of an event's rate from the first half of the time steps to the second.
 * @param all events of the run
 * @param start events of the start-up
 * @param untilHalf events until half of the time steps
 * @param steps number of time steps, whose halves may differ by one
 * @return the change [%]; 0 without events in the first half
 */
double
GetDrift(double all, double start, double untilHalf, double steps)
{
    if (untilHalf <= start)
    {
        return 0;
    }
    const double before = std::floor(steps / 2);
    return 100 * ((all - untilHalf) * before / ((steps - before) * (untilHalf - start)) - 1);
}

} // namespace

TypeId
MpiApplicationScenario::GetTypeId()
{
    using S = MpiApplicationScenario;
    using W = WorkloadConfig;
    const messaging::Range<double> SHARE{0, 1};
    static TypeId tid =
        messaging::Attributes<S>(
            messaging::SetSummary(TypeId("ns3::ranks::MpiApplicationScenario"),
                                  "Run time of LAMMPS- or NAMD-like traffic with one of six MPI "
                                  "designs over InfiniBand.")
                .SetParent<RankScenario>()
                .SetGroupName("MpiRanks")
                .AddConstructor<MpiApplicationScenario>())
            .AddAttribute("DataSet",
                          "Data set, for NAMD or LAMMPS [name; tables 2 and 3].",
                          &S::m_dataSet,
                          DataSetName::JAC2000,
                          {{DataSetName::APOA1, "apoa1"},
                           {DataSetName::ER_GRE, "er-gre"},
                           {DataSetName::FLATPASE, "flatpase"},
                           {DataSetName::JAC2000, "jac2000"},
                           {DataSetName::CHAIN, "chain"},
                           {DataSetName::EAM, "eam"},
                           {DataSetName::RHODO, "rhodo"}})
            .AddAttribute("Duration",
                          "NAMD: duration of RC-Native at the published rate; it determines the "
                          "number of time steps [s; default, the paper's runs are of unknown "
                          "length, C-amb-4].",
                          &S::m_duration,
                          1,
                          0.001,
                          1000)
            .AddAttribute("RunSteps",
                          "LAMMPS: time steps of the loop [steps; run 100 of the decks].",
                          &S::m_runSteps,
                          100,
                          1,
                          1'000'000)
            .AddAttribute("RateScale",
                          "NAMD: message rate that the calibration of RC-Native aims at, as a "
                          "multiple of the published one [ratio; table 2].",
                          &S::m_rateScale,
                          1,
                          0.01,
                          100)
            .AddAttribute("Compute",
                          "Computation of a rank in a time step; 0 uses LAMMPS's published time "
                          "of an atom, or calibrates NAMD's [ns; LAMMPS: log of 15 Jan 2010; "
                          "NAMD calibrated: message rate of RC-Native, table 2].",
                          &S::m_compute,
                          0,
                          0,
                          3'600'000'000'000)
            .In(&S::m_workload)
            .AddAttribute("Imbalance",
                          "Maximum deviation of a computation from the mean [fraction; swept].",
                          &W::imbalance,
                          SHARE)
            .AddAttribute("StartUp",
                          "The messages of the application's start-up come before the time steps "
                          "[bool; sources of NAMD and LAMMPS].",
                          &W::startUp)
            .AddResult("Time",
                       "Duration of all time steps without the start-up, figures 5a and 6a "
                       "[s; result].",
                       &S::m_time)
            .AddResult("MessageRate",
                       "MPI message rate between nodes; for NAMD with StartUp the mean over a run "
                       "as long as the published one [messages/s/process; result].",
                       &S::m_messageRate)
            .AddResult("VolumeRate",
                       "MPI volume rate, as MessageRate [MB/s/process; result].",
                       &S::m_volumeRate)
            .AddResult("StartTime", "Duration of the start-up [s; result].", &S::m_startTime)
            .AddResult("StartMessages",
                       "Messages to other nodes in the start-up [messages/process; result].",
                       &S::m_startMessages)
            .AddResult("StartFlowAcks",
                       "FlowAcks of the start-up [frames/process; result].",
                       &S::m_startFlowAcks)
            .AddResult("StartReliabilityAcks",
                       "ReliabilityAcks of the start-up [frames/process; result].",
                       &S::m_startReliabilityAcks)
            .AddResult("FlowAcks",
                       "Explicit ACKs of the flow control [frames/process; result].",
                       &S::m_flowAcks)
            .AddResult("ReliabilityAcks",
                       "Explicit ACKs of the reliability layer [frames/process; result].",
                       &S::m_reliabilityAcks)
            .AddResult("FlowAcksDrift",
                       "Change of the flow-control ACKs of a time step from the first half of the "
                       "run to the second, for NAMD; 0 if there are none [%; result].",
                       &S::m_flowDrift)
            .AddResult("ReliabilityAcksDrift",
                       "Change of the reliability ACKs, as in FlowAcksDrift [%; result].",
                       &S::m_reliabilityDrift)
            .AddResult("Memory",
                       "Peak memory of unacknowledged messages, mean of the processes [MB/process; "
                       "result].",
                       &S::m_memory)
            .AddResult(
                "QueueLength",
                "Peak length of the unacknowledged queue, mean of the processes [entries/process; "
                "result].",
                &S::m_queue)
            .AddResult("Messages",
                       "Messages to other nodes [messages/process; result].",
                       &S::m_messages)
            .AddResult("Retransmissions",
                       "Segments retransmitted by MPI [segments/process; result].",
                       &S::m_retransmissions)
            .AddResult("Reordered",
                       "Frames that arrived out of order: before one that was sent earlier "
                       "[frames/process; result].",
                       &S::m_reordered)
            .AddResult("EarlyFins",
                       "FINs that arrived before the data of their write [frames/process; result].",
                       &S::m_earlyFins)
            .AddResult("Peers", "Peers on other nodes [peers/process; result].", &S::m_peers)
            .AddResult("LargeShare",
                       "Share of messages above 8 KB [fraction; result].",
                       &S::m_large)
            .AddResult("Computing",
                       "Share of the time that ranks compute [fraction; result].",
                       &S::m_computing)
            .AddResult("StepCompute",
                       "Computation of a rank in a time step [ns; result].",
                       &S::m_calibrated)
            .AddResult(
                "Deviation",
                "Deviation of RC-Native's message rate from the published one after calibration; 0 "
                "if Compute is given [%; result].",
                &S::m_deviation)
            .AddResult("Steps", "Time steps [steps; result].", &S::m_steps)
            .AddResult("Histogram",
                       "Figures 5b and 6b: messages by length [table; result].",
                       &S::m_histogram)
            .Forward<&S::m_cluster>();
    return tid;
}

std::string
MpiApplicationScenario::Check() const
{
    if (m_cluster->GetNodes() < 2)
    {
        return "Nodes is " + std::to_string(m_cluster->GetNodes()) +
               "; an application needs at least 2 to use the network.";
    }
    std::string idle;
    if (IsLammps(m_dataSet))
    {
        idle = messaging::FindIdleAttribute(*this,
                                            {"Duration", "RateScale"},
                                            "where DataSet belongs to LAMMPS");
    }
    else
    {
        idle = messaging::FindIdleAttribute(*this, {"RunSteps"}, "where DataSet belongs to NAMD");
    }
    if (!idle.empty())
    {
        return idle;
    }
    return m_cluster->Check();
}

std::unique_ptr<RankWorkload>
MpiApplicationScenario::MakeWorkload() const
{
    WorkloadConfig config = m_workload;
    config.ranksPerNode = m_cluster->GetRanksPerNode();
    config.ranks = m_cluster->GetNodes() * config.ranksPerNode;
    const auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(STREAM);
    if (IsLammps(m_dataSet))
    {
        return std::make_unique<LammpsWorkload>(m_dataSet, config, random);
    }
    return std::make_unique<NamdWorkload>(m_dataSet, config, random);
}

MpiApplicationScenario::Outcome
MpiApplicationScenario::RunSteps(const RankCluster& cluster, RankWorkload& workload, bool report)
{
    Outcome outcome;
    const uint32_t ranks = workload.GetConfig().ranks;
    const auto main = [&workload](Rank rank) { return workload.Main(rank); };
    RunRanks(cluster, ranks, main, [&](const RankCluster::System& system) {
        if (GetVerdict() != Verdict::FAILED && system.group->GetNDone() == ranks)
        {
            const RankWorkload::Start& start = workload.GetStart();
            const RankGroupCounts& counts = system.group->GetCounts();
            outcome.seconds = static_cast<double>(system.group->GetEnd() - start.time) / NS_PER_S;
            outcome.messages = static_cast<double>(counts.messages - start.messages) / ranks;
            outcome.bytes = static_cast<double>(counts.bytes - start.bytes) / ranks;
            outcome.start = {.seconds = static_cast<double>(start.time) / NS_PER_S,
                             .messages = static_cast<double>(start.messages) / ranks,
                             .bytes = static_cast<double>(start.bytes) / ranks};
        }
        if (report)
        {
            TakeOutcome(system, outcome);
            const double steps = workload.GetConfig().steps;
            const RankWorkload::Acks& first = workload.GetStartAcks();
            m_startFlowAcks = static_cast<double>(first.flow) / ranks;
            m_startReliabilityAcks = static_cast<double>(first.reliability) / ranks;
            const RankWorkload::Acks& early = workload.GetEarlyAcks();
            m_flowDrift = GetDrift(m_flowAcks,
                                   m_startFlowAcks,
                                   static_cast<double>(early.flow) / ranks,
                                   steps);
            m_reliabilityDrift = GetDrift(m_reliabilityAcks,
                                          m_startReliabilityAcks,
                                          static_cast<double>(early.reliability) / ranks,
                                          steps);
        }
    });
    return outcome;
}

Ticks
MpiApplicationScenario::Calibrate(RankWorkload& workload)
{
    const auto cluster = CreateObject<RankCluster>();
    messaging::CopyAttributes(m_cluster, cluster);
    cluster->Choose(Transport::RC, Reliability::NATIVE);
    const NamdDeck& deck = GetNamdDeck(m_dataSet);
    const double rate = deck.rate * m_rateScale;
    // The published rate is a mean over a run of known length with its start-up, which is the same
    // in all runs of the calibration.
    Amount start;
    double step = workload.GetMessagesPerStep() / rate * NS_PER_S;
    double compute = FIRST_SHARE * step;
    double computeBefore = 0;
    double takenBefore = 0;
    double slope = 1;
    for (uint32_t i = 0; i < ATTEMPTS; ++i)
    {
        ReportProgress(i, ATTEMPTS, "calibration runs");
        workload.SetRun(static_cast<Ticks>(compute),
                        CALIBRATION_STEPS,
                        m_workload.startUp && i == 0);
        const Outcome outcome = RunSteps(*cluster, workload, false);
        if (outcome.seconds <= 0)
        {
            return 0;
        }
        if (i == 0)
        {
            start = outcome.start;
        }
        const double taken = outcome.seconds * NS_PER_S / CALIBRATION_STEPS;
        const double messages = start.messages + outcome.messages / CALIBRATION_STEPS * deck.steps;
        const double seconds = start.seconds + taken / NS_PER_S * deck.steps;
        step = (messages / rate - start.seconds) * NS_PER_S / deck.steps;
        m_deviation = 100 * (messages / seconds / rate - 1);
        NS_LOG_INFO("Calibration run " << i << ": with " << compute << " ns of computation a step "
                                       << "takes " << taken << " ns, and should take " << step
                                       << " ns");
        if (std::abs(m_deviation) <= 100 * TOLERANCE)
        {
            return static_cast<Ticks>(compute);
        }
        if (i > 0 && compute != computeBefore)
        {
            slope = std::clamp((taken - takenBefore) / (compute - computeBefore),
                               LEAST_SLOPE,
                               MOST_SLOPE);
        }
        computeBefore = compute;
        takenBefore = taken;
        compute = std::max(1.0, compute + (step - taken) / slope);
    }
    std::ostringstream text;
    text << "Calibration has failed: RC-Native reaches " << 100 + m_deviation << " % of the "
         << rate << " messages/s that it should, with " << compute / 1e3
         << " us of computation in a time step.";
    SetVerdict(Verdict::ERROR, text.str());
    return 0;
}

void
MpiApplicationScenario::DoRun()
{
    const auto workload = MakeWorkload();
    const Ticks published = workload->GetStepCompute();
    Ticks compute = m_compute;
    if (compute == 0)
    {
        compute = published;
    }
    if (compute == 0)
    {
        compute = Calibrate(*workload);
    }
    if (compute == 0)
    {
        return;
    }
    m_calibrated = static_cast<double>(compute);
    m_steps = m_runSteps;
    if (published == 0)
    {
        const double messages = m_duration * GetNamdDeck(m_dataSet).rate * m_rateScale;
        m_steps = std::max<int64_t>(1, std::llround(messages / workload->GetMessagesPerStep()));
    }
    NS_LOG_INFO("Runs " << m_steps << " steps with " << compute << " ns of computation each");
    workload->SetRun(compute, static_cast<uint32_t>(m_steps), m_workload.startUp);
    RunSteps(*m_cluster, *workload, true);
}

void
MpiApplicationScenario::TakeOutcome(const RankCluster::System& system, const Outcome& outcome)
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
        m_memory += static_cast<double>(counters.queueBytesMax) / MB / ranks;
        m_queue += static_cast<double>(counters.queueEntriesMax) / ranks;
        computed += system.group->GetComputed(self);
    }
    m_messages = static_cast<double>(counts.messages) / ranks;
    m_peers = 2.0 * static_cast<double>(system.link->GetNConnections()) / ranks;
    TakeCommon(system);
    MakeHistogram(*system.group);
    if (outcome.seconds > 0)
    {
        m_time = outcome.seconds;
        m_startTime = outcome.start.seconds;
        m_startMessages = outcome.start.messages;
        // LAMMPS's rates are those of its loop. The steps of NAMD are some of a longer run's.
        double share = 0;
        if (!IsLammps(m_dataSet))
        {
            share = static_cast<double>(m_steps) / GetNamdDeck(m_dataSet).steps;
        }
        const double seconds = m_time + share * m_startTime;
        m_messageRate = (outcome.messages + share * m_startMessages) / seconds;
        m_volumeRate = (outcome.bytes + share * outcome.start.bytes) / MB / seconds;
        m_computing = static_cast<double>(computed) / NS_PER_S / ranks / m_time;
        AddAdapters(*system.engine, system.group->GetEnd());
        TakeAdapterResults();
    }
}

void
MpiApplicationScenario::MakeHistogram(const RankGroup& group)
{
    const auto& bins = group.GetHistogram();
    const auto all = static_cast<double>(std::max<uint64_t>(1, group.GetCounts().messages));
    std::size_t used = 0;
    uint64_t sum = 0;
    for (; used < bins.size() && sum < group.GetCounts().messages; ++used)
    {
        sum += bins[used];
        if (uint64_t{1} << used <= LARGE_MESSAGE)
        {
            m_large = 1 - static_cast<double>(sum) / all;
        }
    }
    m_histogram = messaging::RowTable(used)
                      .Add("Below", "bytes", [](std::size_t i) { return int64_t{1} << i; })
                      .Add("Messages", "messages", [&](std::size_t i) { return bins[i]; })
                      .Add("Share",
                           "fraction",
                           [&](std::size_t i) { return static_cast<double>(bins[i]) / all; })
                      .Get();
}

} // namespace ranks
} // namespace ns3
