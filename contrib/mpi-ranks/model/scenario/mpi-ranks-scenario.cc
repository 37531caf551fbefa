/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mpi-ranks-scenario.h"

#include "ns3/log.h"
#include "ns3/messaging-attributes.h"
#include "ns3/messaging-scenario-recorder.h"
#include "ns3/messaging-text.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{
namespace ranks
{

NS_LOG_COMPONENT_DEFINE("MpiRanksScenario");
NS_OBJECT_ENSURE_REGISTERED(RankScenario);

namespace
{

/** Simulated time after which a run has failed [s]. */
constexpr int64_t LIMIT = 3600;

/**
 * @return a ratio; the dividend if the divisor is 0
 * @param dividend the dividend
 * @param divisor the divisor
 */
double
GetRatio(uint64_t dividend, uint64_t divisor)
{
    return static_cast<double>(dividend) / static_cast<double>(std::max<uint64_t>(1, divisor));
}

} // namespace

TypeId
RankScenario::GetTypeId()
{
    static TypeId tid =
        messaging::Attributes<RankScenario>(TypeId("ns3::ranks::RankScenario")
                                                .SetParent<AdapterScenario>()
                                                .SetGroupName("MpiRanks"))
            .AddResult("ContextMisses",
                       "Contexts of queue pairs fetched over PCI Express, for each message "
                       "between nodes [1/message; result].",
                       &RankScenario::m_misses)
            .AddResult("EventsPerMessage",
                       "Events of ranks and engine for each message [1/message; result].",
                       &RankScenario::m_events);
    return tid;
}

RankScenario::RankScenario()
    : m_cluster(CreateObject<RankCluster>())
{
}

void
RankScenario::RunRanks(const RankCluster& cluster,
                       uint32_t ranks,
                       const RankMain& main,
                       const TakeResults& take)
{
    NS_LOG_FUNCTION(this << ranks);
    const auto system = cluster.Build(ranks, GetRecorder().IsRecording());
    if (!system.error.empty())
    {
        SetVerdict(messaging::Verdict::ERROR, system.error);
        return;
    }
    GetRecorder().ObserveFrames(*system.group, [](const Frame& frame) {
        return messaging::ToText(static_cast<FrameKind>(frame.kind), ' ', GetSequence(frame));
    });
    system.group->Start(main);
    bool isCutOff = false;
    Simulator::Schedule(Seconds(LIMIT), [&isCutOff] {
        isCutOff = !Simulator::IsFinished();
        Simulator::Stop();
    });
    Simulator::Run();
    const auto [verdict, reason] = system.group->Audit();
    NS_LOG_INFO(system.group->GetNDone()
                << " of " << ranks << " programs have ended after " << system.group->GetEnd()
                << " ns, with " << system.group->GetCounts().messages
                << " messages between nodes and " << system.group->GetCounts().localMessages
                << " inside of nodes");
    if (verdict == messaging::Verdict::DEADLOCK && isCutOff)
    {
        const uint32_t ended = system.group->GetNDone();
        SetVerdict(messaging::Verdict::UNDECIDED,
                   "The run reached its limit of " + std::to_string(LIMIT) + " s, when " +
                       std::to_string(ended) + " of " + std::to_string(ranks) +
                       " programs had ended.");
    }
    else
    {
        SetVerdict(verdict, reason);
    }
    take(system);
    system.group->Dispose();
    Simulator::Destroy();
}

void
RankScenario::TakeCommon(const RankCluster::System& system, uint64_t local)
{
    const RankGroupCounts& counts = system.group->GetCounts();
    m_misses = GetRatio(system.engine->GetNContextMisses(), counts.messages);
    m_events =
        GetRatio(counts.events + system.engine->GetCounters().events, counts.messages + local);
}

} // namespace ranks
} // namespace ns3
