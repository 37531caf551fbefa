/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mpi-ranks-cluster.h"

#include "ns3/infiniband-transport-attribute.h"
#include "ns3/log.h"
#include "ns3/messaging-attributes.h"
#include "ns3/messaging-forwarded-attributes.h"

#include <bit>

namespace ns3
{
namespace ranks
{

NS_LOG_COMPONENT_DEFINE("MpiRanksCluster");
NS_OBJECT_ENSURE_REGISTERED(RankCluster);

using infiniband::Engine;
using infiniband::SubnetManager;
using infiniband::Transport;
using messaging::CopyAttributes;

namespace
{

/** Lead of the clock over the simulator; all events of a cluster use the clock [ns]. */
constexpr Ticks AHEAD = 10'000;

/** Random stream of the engine. */
constexpr int64_t ENGINE_STREAM = 10;

} // namespace

TypeId
RankCluster::GetTypeId()
{
    static TypeId tid = [] {
        using S = RankCluster;
        TypeId type = TypeId("ns3::ranks::RankCluster")
                          .SetParent<Object>()
                          .SetGroupName("MpiRanks")
                          .AddConstructor<RankCluster>();
        infiniband::AddTransportAttribute(type, &S::m_transport, Transport::RC);
        messaging::Attributes<S>(type)
            .AddAttribute("Reliability",
                          "Reliability in software [name; section 8].",
                          &S::m_reliability,
                          Reliability::NATIVE,
                          {{Reliability::NATIVE, "Native"}, {Reliability::RELIABLE, "Reliable"}})
            .AddAttribute("Nodes",
                          "Number of nodes, each with an adapter [nodes; section 8.3: 512 ranks, "
                          "8 a node].",
                          &S::m_nodes,
                          64,
                          1,
                          4096)
            .AddAttribute("Paths",
                          "Paths of the frames between two ranks, used in turn, at most 2^Lmc; "
                          "over UC each path has a queue pair, over UD an address handle; RC "
                          "uses one path only [paths; section 6.3, MVAPICH].",
                          &S::m_paths,
                          1,
                          1,
                          1 << SubnetManager::MAX_LMC);
        AddRankAttributes(type, &S::m_config);
        messaging::Attributes<S>(type)
            .In(&S::m_config)
            .AddAttribute("Timeout",
                          "Retransmission timeout of an unacknowledged segment (t_timeout); its "
                          "ACK is delayed by at most half of it [ns; MVAPICH2].",
                          &RankConfig::timeout,
                          messaging::Range<Ticks>{1000, 3'600'000'000'000})
            .AddAttribute("SweepMessages",
                          "Messages above which the end of a progress call sends all owed ACKs "
                          "[messages; MVAPICH].",
                          &RankConfig::sweepMessages)
            .AddAttribute("SweepCount",
                          "Unit of SweepMessages: all frames since the last sweep, or the messages "
                          "of one call [name; MVAPICH's source: Running].",
                          &RankConfig::sweepCount,
                          {{SweepCount::RUNNING, "Running"}, {SweepCount::CALL, "Call"}})
            .Forward<&RankCluster::m_group>()
            .Forward<&RankCluster::m_engine>();
        return type;
    }();
    return tid;
}

RankCluster::RankCluster()
    : m_engine(CreateObject<Engine>()),
      m_group(CreateObject<RankGroup>())
{
}

uint32_t
RankCluster::GetRanksPerNode() const
{
    return m_group->GetRanksPerNode();
}

RankConfig
RankCluster::MakeConfig() const
{
    RankConfig config = m_config;
    config.Choose(m_transport,
                  m_reliability == Reliability::RELIABLE,
                  GetTraits(m_transport, m_engine->GetLinkConfig().mtu, m_paths));
    return config;
}

std::string
RankCluster::Check() const
{
    // Parameters that depend on transport and mode are not checked, since all six configurations
    // run with the same parameters.
    std::string error = MakeConfig().Check();
    if (!error.empty())
    {
        return error;
    }
    const auto subnet = m_engine->MakeSubnet(GetHosts(), error);
    const uint32_t paths = error.empty() ? subnet->GetManager().GetNPaths() : m_paths;
    if (m_paths > paths)
    {
        error = "Paths is " + std::to_string(m_paths) + ", but with Lmc " +
                std::to_string(std::countr_zero(paths)) + " a host has " + std::to_string(paths) +
                "; Paths must be at most 2^Lmc.";
    }
    return error;
}

RankCluster::System
RankCluster::Build(uint32_t ranks, bool isRecorded) const
{
    NS_LOG_FUNCTION(this << ranks);
    System system;
    system.clock = CreateObject<messaging::TickClock>();
    if (!isRecorded)
    {
        // A recorder reads the simulator's time, so the clock must not run ahead.
        system.clock->SetAhead(AHEAD);
    }
    system.engine = CreateObject<Engine>();
    CopyAttributes(m_engine, system.engine);
    system.engine->AssignStreams(ENGINE_STREAM);
    const auto verbs = CreateObject<infiniband::Verbs>();
    system.error = verbs->Open(system.clock, system.engine, GetHosts());
    if (!system.error.empty())
    {
        return system;
    }
    const uint32_t fits = verbs->GetNHosts() * GetRanksPerNode();
    if (ranks > fits)
    {
        system.error = "The nodes have room for " + std::to_string(fits) + " ranks, but " +
                       std::to_string(ranks) + " are needed.";
        return system;
    }
    const RankConfig config = MakeConfig();
    system.link =
        CreateObject<VerbsRankLink>(verbs, m_transport, config, ranks, GetRanksPerNode(), m_paths);
    system.group = CreateObject<RankGroup>();
    CopyAttributes(m_group, system.group);
    NS_LOG_INFO(verbs->GetNHosts()
                << " nodes, " << ranks << " ranks over " << m_transport
                << (config.reliability ? ", with" : ", without") << " reliability in software");
    system.group->Connect(system.clock, system.link, config);
    return system;
}

} // namespace ranks
} // namespace ns3
