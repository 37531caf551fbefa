/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mpi-ranks-osu-scenario.h"

#include "ns3/log.h"
#include "ns3/messaging-attributes.h"
#include "ns3/messaging-row-table.h"
#include "ns3/messaging-text-file.h"

#include <algorithm>

namespace ns3
{
namespace ranks
{

NS_LOG_COMPONENT_DEFINE("MpiRanksOsuScenario");
NS_OBJECT_ENSURE_REGISTERED(MpiOsuScenario);

namespace
{

/** Rounds before the measurement. */
constexpr uint32_t WARM_UP = 2;

/** Round trips, and blocking sends, for each message length. */
constexpr uint32_t ITERATIONS = 20;

/** Sends of a window [messages; osu_bw]. */
constexpr uint32_t WINDOW = 64;

/** Length of the answer to a window [bytes; osu_bw]. */
constexpr uint32_t ANSWER = 4;

/** Maximum message length [bytes]. */
constexpr uint32_t LONGEST = 64 << 20;

/** Maximum number of receivers, which bounds the memory of a run [ranks]. */
constexpr uint32_t MOST_RECEIVERS = 32768;

/** @return a time for each of some events [us]. @param time all [ns] @param events their number */
double
GetMicroseconds(Ticks time, uint32_t events)
{
    return static_cast<double>(time) / 1e3 / events;
}

} // namespace

TypeId
MpiOsuScenario::GetTypeId()
{
    using S = MpiOsuScenario;
    constexpr uint32_t MANY = 1'000'000;
    static TypeId tid =
        messaging::Attributes<S>(
            messaging::SetSummary(TypeId("ns3::ranks::MpiOsuScenario"),
                                  "MPI latency, bandwidth and message rate over InfiniBand, as "
                                  "osu_latency and osu_bw do.")
                .SetParent<RankScenario>()
                .SetGroupName("MpiRanks")
                .AddConstructor<MpiOsuScenario>())
            .AddAttribute("Sizes",
                          "Message lengths, separated by blanks [bytes; section 8.2].",
                          &S::m_sizes,
                          "1 2 4 8 16 32 64 128 256 512 1024 2048 4096 8192 16384 32768 65536 "
                          "131072 262144 524288 1048576")
            .AddAttribute("Windows",
                          "Windows of 64 messages of each length [windows; default].",
                          &S::m_windows,
                          10,
                          1,
                          MANY)
            .AddAttribute("Pairs",
                          "Senders, all on the first node, each with its own receivers [ranks; "
                          "section 8.2: one].",
                          &S::m_pairs,
                          1,
                          1,
                          MANY)
            .AddAttribute(
                "Peers",
                "Receivers of each sender, which distributes its window among them in turn "
                "[ranks; section 8.2: one].",
                &S::m_peers,
                1,
                1,
                MANY)
            .AddResult("Latency",
                       "Latency of the first message length [us; result].",
                       &S::m_latency)
            .AddResult("Bandwidth",
                       "Bandwidth of the last message length [MB/s; result].",
                       &S::m_bandwidth)
            .AddResult("MessageRate",
                       "Message rate of the first message length [M messages/s; result].",
                       &S::m_rate)
            .AddResult("Retransmissions",
                       "Segments retransmitted by MPI [segments; result].",
                       &S::m_retransmissions)
            .AddResult("Reordered",
                       "Frames that arrived out of order: before one that was sent earlier "
                       "[frames; result].",
                       &S::m_reordered)
            .AddResult("EarlyFins",
                       "FINs that arrived before the data of their write [frames; result].",
                       &S::m_earlyFins)
            .AddResult("Messages", "Messages sent [messages; result].", &S::m_messages)
            .AddResult("Points",
                       "Figure 4: latency, bandwidth and message rate for each length, and the "
                       "time of a blocking send with a posted receive [table; result].",
                       &S::m_table)
            .Forward<&S::m_cluster>({"Nodes"});
    return tid;
}

std::vector<uint32_t>
MpiOsuScenario::GetSizes() const
{
    return messaging::ReadNumbers<uint32_t>(m_sizes, 0, LONGEST);
}

uint32_t
MpiOsuScenario::GetNeededNodes() const
{
    const uint32_t perNode = m_cluster->GetRanksPerNode();
    return 1 + (GetReceivers() + perNode - 1) / perNode;
}

std::string
MpiOsuScenario::Check() const
{
    if (GetSizes().empty())
    {
        return "Sizes is \"" + m_sizes + "\"; it must be a list of numbers from 0 to " +
               std::to_string(LONGEST) + ", separated by blanks.";
    }
    if (m_pairs > m_cluster->GetRanksPerNode())
    {
        return "Pairs is " + std::to_string(m_pairs) + ", but a node has room for " +
               std::to_string(m_cluster->GetRanksPerNode()) + " ranks.";
    }
    if (GetReceivers() > MOST_RECEIVERS)
    {
        return "Pairs times Peers is " + std::to_string(GetReceivers()) + "; it must be at most " +
               std::to_string(MOST_RECEIVERS) + ".";
    }
    // The check of failing links needs the subnet of the run.
    m_cluster->SetNodes(GetNeededNodes());
    return m_cluster->Check();
}

RankTask<>
MpiOsuScenario::SendSize(Rank rank, uint32_t bytes, Point& point)
{
    const Peer first = m_cluster->GetRanksPerNode() + rank.GetIndex() * m_peers;
    NS_LOG_INFO("Rank " << rank.GetIndex() << " measures messages of " << bytes << " bytes to "
                        << m_peers << " ranks from " << first << " on");
    co_await MeasureLatency(rank, first, bytes, point);
    co_await MeasureBandwidth(rank, first, bytes, point);
    co_await MeasureBlockingSend(rank, first, bytes, point);
}

RankTask<>
MpiOsuScenario::MeasureLatency(Rank rank, Peer receiver, uint32_t bytes, Point& point)
{
    Ticks begin = 0;
    for (uint32_t i = 0; i < WARM_UP + ITERATIONS; ++i)
    {
        if (i == WARM_UP)
        {
            begin = rank.GetTime();
        }
        co_await rank.Send(receiver, bytes);
        co_await rank.Recv(receiver);
    }
    point.latency = GetMicroseconds(rank.GetTime() - begin, 2 * ITERATIONS);
}

RankTask<>
MpiOsuScenario::MeasureBandwidth(Rank rank, Peer first, uint32_t bytes, Point& point)
{
    Ticks begin = 0;
    for (uint32_t i = 0; i < WARM_UP + m_windows; ++i)
    {
        if (i == WARM_UP)
        {
            begin = rank.GetTime();
        }
        for (uint32_t k = 0; k < WINDOW; ++k)
        {
            co_await rank.Isend(first + k % m_peers, bytes);
        }
        co_await rank.WaitAll();
        for (uint32_t k = 0; k < std::min(m_peers, WINDOW); ++k)
        {
            co_await rank.Recv(first + k);
        }
    }
    const double seconds = static_cast<double>(rank.GetTime() - begin) / NS_PER_S;
    const double messages = static_cast<double>(m_windows) * WINDOW;
    point.rate += messages / seconds / 1e6;
    point.bandwidth += messages * bytes / seconds / 1e6;
}

RankTask<>
MpiOsuScenario::MeasureBlockingSend(Rank rank, Peer receiver, uint32_t bytes, Point& point)
{
    Ticks blocked = 0;
    for (uint32_t i = 0; i < ITERATIONS; ++i)
    {
        co_await rank.Recv(receiver);
        const Ticks begin = rank.GetTime();
        co_await rank.Send(receiver, bytes);
        blocked += rank.GetTime() - begin;
    }
    point.blocking = GetMicroseconds(blocked, ITERATIONS);
}

RankTask<>
MpiOsuScenario::ReceiveSize(Rank rank, Peer sender, uint32_t bytes)
{
    const uint32_t place = (rank.GetIndex() - m_cluster->GetRanksPerNode()) % m_peers;
    uint32_t share = WINDOW / m_peers;
    if (place < WINDOW % m_peers)
    {
        ++share;
    }
    for (uint32_t i = 0; place == 0 && i < WARM_UP + ITERATIONS; ++i)
    {
        co_await rank.Recv(sender);
        co_await rank.Send(sender, bytes);
    }
    for (uint32_t i = 0; share > 0 && i < WARM_UP + m_windows; ++i)
    {
        for (uint32_t k = 0; k < share; ++k)
        {
            co_await rank.Irecv(sender);
        }
        co_await rank.WaitAll();
        co_await rank.Send(sender, ANSWER);
    }
    for (uint32_t i = 0; place == 0 && i < ITERATIONS; ++i)
    {
        const RankRequest receive = co_await rank.Irecv(sender);
        co_await rank.Send(sender, 0);
        co_await rank.Wait(receive);
    }
}

RankTask<>
MpiOsuScenario::Main(Rank rank)
{
    const uint32_t perNode = m_cluster->GetRanksPerNode();
    const Peer self = rank.GetIndex();
    for (std::size_t i = 0; i < m_list.size(); ++i)
    {
        if (self < m_pairs)
        {
            co_await SendSize(rank, m_list[i], m_points[i]);
        }
        else if (self >= perNode && self < perNode + GetReceivers())
        {
            co_await ReceiveSize(rank, (self - perNode) / m_peers, m_list[i]);
        }
    }
}

void
MpiOsuScenario::DoRun()
{
    m_list = GetSizes();
    m_points.assign(m_list.size(), {});
    const uint32_t nodes = GetNeededNodes();
    m_cluster->SetNodes(nodes);
    RunRanks(
        *m_cluster,
        nodes * m_cluster->GetRanksPerNode(),
        [this](Rank rank) { return Main(rank); },
        [this](const RankCluster::System& system) { TakePoints(system); });
}

void
MpiOsuScenario::TakePoints(const RankCluster::System& system)
{
    const uint32_t ranks = system.group->GetNRanks();
    for (Peer self = 0; self < ranks; ++self)
    {
        const RankCounters counters = system.group->GetCore(self).GetCounters();
        m_retransmissions += counters.Get(Event::RETRANSMITTED);
        m_reordered += counters.Get(Event::HELD);
        m_earlyFins += counters.Get(Event::EARLY_FIN);
    }
    m_messages = system.group->GetCounts().messages;
    TakeCommon(system);
    AddAdapters(*system.engine, system.group->GetEnd());
    TakeAdapterResults();
    m_latency = m_points.front().latency;
    m_rate = m_points.front().rate;
    m_bandwidth = m_points.back().bandwidth;
    m_table =
        messaging::RowTable(m_points.size())
            .Add("Size", "bytes", [this](std::size_t i) { return m_list[i]; })
            .Add("Latency", "us", [this](std::size_t i) { return m_points[i].latency; })
            .Add("Bandwidth", "MB/s", [this](std::size_t i) { return m_points[i].bandwidth; })
            .Add("MessageRate", "M messages/s", [this](std::size_t i) { return m_points[i].rate; })
            .Add("BlockingSend", "us", [this](std::size_t i) { return m_points[i].blocking; })
            .Get();
}

} // namespace ranks
} // namespace ns3
