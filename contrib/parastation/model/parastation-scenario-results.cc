/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parastation-scenario.h"

#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/messaging-scenario-results.h"
#include "ns3/pointer.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <sstream>

/**
 * @file
 * @ingroup parastation
 * What a run of ParaStation2 has come to.
 */

namespace ns3
{
namespace parastation
{

NS_LOG_COMPONENT_DEFINE("ParastationScenarioResults");

using messaging::Table;
using messaging::Verdict;

void
Parastation2Scenario::AddResults(TypeId& type)
{
    using S = Parastation2Scenario;
    messaging::ScenarioResults results(type);
    type.AddAttribute("Outcome",
                      "What has gone wrong: sound if nothing, or lost, duplicated, corrupted, "
                      "reordered, hung, deadlocked, unfinished, joined by + [-; section 2].",
                      TypeId::ATTR_GET,
                      StringValue(""),
                      MakeStringAccessor(&S::m_outcome),
                      MakeStringChecker());
    results.AddReal(
        "Latency",
        "Mean of half a round trip; of a round of an exchange or all-to-all [us; section 4].",
        &S::m_latency);
    results.AddReal("MinLatency", "Smallest of them [us; section 4].", &S::m_minLatency);
    results.AddReal("MaxLatency", "Largest of them [us; section 4].", &S::m_maxLatency);
    results.AddReal(
        "Throughput",
        "Payload delivered, all directions together; 1 MB is 10^6 bytes [MB/s; section 4, "
        "A-amb-1].",
        &S::m_throughput);
    results.AddReal(
        "ThroughputOneWay",
        "Of an exchange, that of one direction; else as Throughput [MB/s; section 4, A-amb-1].",
        &S::m_oneWay);
    results.AddReal("Elapsed", "When the last message has arrived [s].", &S::m_elapsed);
    results.AddReal(
        "Recovery",
        "From the end of an outage to the first message that arrives [us; section 3.4].",
        &S::m_recovery);
    results.AddCount("Posted", "Messages taken by the protocol [messages].", &S::GetPosted);
    results.AddCount("Delivered", "Messages that have arrived [messages].", &S::GetDelivered);
    results.AddCount(
        "Lost",
        "Messages whose sender was done with them and that never arrived [messages; section 2].",
        &S::m_lost);
    results.AddCount(
        "Stuck",
        "Messages that their sender never got rid of, though nothing was left to happen "
        "[messages; section 2].",
        &S::m_stuck);
    results.AddCount("Duplicates",
                     "Messages that arrived again [messages; section 2].",
                     &S::GetDuplicates);
    results.AddCount("Corrupted",
                     "Messages that arrived with other contents [messages; section 2].",
                     &S::GetCorrupted);
    results.AddCount(
        "Misordered",
        "Messages that arrived after a later one of the same pair [messages; section 2].",
        &S::GetMisordered);
    results.AddCount("Injected",
                     "Packets lost by Loss, by bursts or in an outage [packets; section 2].",
                     &S::m_injected);
    results.AddCount("CrcDrops",
                     "Packets lost by corruption [packets; section 2, item 1].",
                     &S::GetCrcDrops);
    results.AddCount("BufferDrops",
                     "Packets that found no receive buffer [packets; section 2, item 2].",
                     &S::GetBufferDrops);
    results.AddCount("NresDrops",
                     "Packets discarded by the timeout [packets; section 2, item 3].",
                     &S::GetNresDrops);
    results.AddCount("OverwriteDrops",
                     "Packets lost while the receiver stalled [packets; section 2, item 4].",
                     &S::GetOverwriteDrops);
    results.AddCount("Retransmissions",
                     "Packets sent again [packets; section 3.1].",
                     &S::GetRetransmissions);
    results.AddCount("TimeOuts",
                     "ACKs that did not come in time [times; section 3.4].",
                     &S::GetTimeOuts);
    results.AddCount("Shortages",
                     "Packets rejected for want of a receive slot [packets; section 3.3].",
                     &S::GetShortages);
    results.AddCount("LostData", "Data with a high number [packets; table 1].", &S::GetLostData);
    results.AddCount("LostAcks", "Data with a low number [packets; table 1].", &S::GetLostAcks);
    results.AddCount("DuplicateAcks",
                     "ACKs with a low number [packets; table 1, footnote 3].",
                     &S::GetDuplicateAcks);
    results.AddCount("HighAcks", "ACKs with a high number [packets; table 1].", &S::GetHighAcks);
    results.AddTable("Pipeline", "Figure 2's steps: where each microsecond goes.", &S::m_pipeline);
    results.AddTable("Events", "All that the protocol has noted.", &S::m_eventTable);
    results.AddTable("HostUse", "What the resources of host 0 have done.", &S::m_hostUse);
    results.AddTable("InterfaceUse",
                     "What those of network interface 0 have done.",
                     &S::m_interfaceUse);
}

void
Parastation2Scenario::SetResults(const Machinery& run)
{
    const auto microseconds = [](Time time) { return time.GetSeconds() * 1e6; };
    m_latency = microseconds(run.session->GetMeanLatency());
    m_minLatency = microseconds(run.session->GetMinLatency());
    m_maxLatency = microseconds(run.session->GetMaxLatency());
    m_throughput = run.session->GetBandwidth() / 1e6;
    m_oneWay = m_pattern == Pattern::EXCHANGE ? m_throughput / 2 : m_throughput;
    m_elapsed = run.last.GetSeconds();
    m_recovery = microseconds(run.recovery);
    m_audit = run.audit->GetCounts();
    m_network = run.network->GetCounters();
    m_injected = run.faults->GetCount(messaging::PortFault::LOST) +
                 run.faults->GetCount(messaging::PortFault::BURST);
    const uint64_t undelivered = m_audit.posted - m_audit.delivered;
    m_stuck = run.quietAtEnd ? m_audit.posted - m_audit.completed : 0;
    m_lost = run.quietAtEnd ? undelivered - std::min(undelivered, m_stuck) : 0;

    std::vector<std::string> names;
    std::vector<int64_t> counts;
    for (std::size_t i = 0; i < N_EVENTS; ++i)
    {
        std::ostringstream name;
        name << static_cast<Event>(i);
        names.push_back(name.str());
        m_events[i] = run.group->GetEventCount(static_cast<Event>(i));
        counts.push_back(static_cast<int64_t>(m_events[i]));
    }
    m_eventTable = CreateObject<Table>();
    m_eventTable->AddColumn("Event", "", std::move(names));
    m_eventTable->AddColumn("Count", "", std::move(counts));
    m_pipeline = run.recorder->MakeTable(run.last, m_pattern == Pattern::PING_PONG);
    m_hostUse = run.hosts[0]->GetUtilisation();
    m_interfaceUse = run.interfaces[0]->GetUtilisation();
}

void
Parastation2Scenario::Conclude(const Machinery& run)
{
    bool idle = true;
    for (uint32_t host = 0; host < m_nodes; ++host)
    {
        idle = idle && run.group->IsIdle(host);
    }
    const std::string ring = run.quietAtEnd ? run.network->FindDeadlock() : "";
    const bool hung = run.quietAtEnd && !idle;
    std::string outcome;
    const auto name = [&outcome](bool holds, const char* what) {
        if (holds)
        {
            outcome.append(outcome.empty() ? "" : "+").append(what);
        }
    };
    // What a deadlocked network holds is not lost.
    name(m_lost > 0 && ring.empty(), "lost");
    name(m_audit.duplicates > 0, "duplicated");
    name(m_audit.corrupted > 0, "corrupted");
    name(m_audit.misordered > 0, "reordered");
    name(!ring.empty(), "deadlocked");
    name(hung && ring.empty(), "hung");
    name(!run.quietAtEnd && !run.session->IsFinished(), "unfinished");
    m_outcome = outcome.empty() ? "sound" : outcome;

    std::ostringstream reason;
    const bool unsound = m_lost + m_audit.duplicates + m_audit.corrupted + m_audit.misordered > 0;
    if (!ring.empty())
    {
        reason << "Links wait for one another: " << ring << ".";
        SetVerdict(Verdict::DEADLOCK, reason.str());
    }
    else if (unsound)
    {
        SetVerdict(Verdict::VIOLATED, run.audit->GetFirstViolation());
    }
    else if (hung)
    {
        reason << "Nothing is left to happen, and " << m_stuck
               << " messages are stuck at their senders.";
        SetVerdict(Verdict::DEADLOCK, reason.str());
    }
    else if (!run.session->GetFailure().empty())
    {
        SetVerdict(Verdict::FAILED, run.session->GetFailure());
    }
    else if (!run.quietAtEnd && !run.session->IsFinished())
    {
        reason << "The run was not at its end at the TimeLimit of " << m_limit.GetSeconds()
               << " s.";
        SetVerdict(Verdict::LIVELOCK, reason.str());
    }
}

} // namespace parastation
} // namespace ns3
