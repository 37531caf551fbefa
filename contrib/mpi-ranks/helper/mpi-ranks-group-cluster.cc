/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mpi-ranks-group-cluster.h"

#include "ns3/enum.h"
#include "ns3/infiniband-packet-engine.h"
#include "ns3/log.h"
#include "ns3/messaging-forwarded-attributes.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3
{
namespace ranks
{

NS_LOG_COMPONENT_DEFINE("MpiRanksGroupCluster");
NS_OBJECT_ENSURE_REGISTERED(RankCluster);

using infiniband::PacketEngine;
using infiniband::Subnet;
using infiniband::SubnetManager;
using infiniband::Transport;
using messaging::CopyAttributes;
using messaging::ForwardAttributes;

namespace
{

/** How far the clock may run ahead of the simulator, since all of a cluster is on it [ns]. */
constexpr Ticks AHEAD = 1000;

/** Random stream of the engine. */
constexpr int64_t ENGINE_STREAM = 10;

} // namespace

TypeId
RankCluster::GetTypeId()
{
    static TypeId tid = [] {
        using S = RankCluster;
        const RankConfig config;
        TypeId type =
            TypeId("ns3::ranks::RankCluster")
                .SetParent<Object>()
                .SetGroupName("MpiRanks")
                .AddConstructor<RankCluster>()
                .AddAttribute(
                    "Transport",
                    "Transport service below MPI [name; section 8].",
                    EnumValue(Transport::RC),
                    MakeEnumAccessor<Transport>(&S::m_transport),
                    MakeEnumChecker(Transport::RC, "RC", Transport::UC, "UC", Transport::UD, "UD"))
                .AddAttribute("Reliability",
                              "Whether MPI has reliability in software [name; section 8].",
                              EnumValue(Reliability::NATIVE),
                              MakeEnumAccessor<Reliability>(&S::m_reliability),
                              MakeEnumChecker(Reliability::NATIVE,
                                              "Native",
                                              Reliability::RELIABLE,
                                              "Reliable"))
                .AddAttribute("Nodes",
                              "Number of nodes with an adapter each [nodes; section 8.3: 512 "
                              "ranks, 8 a node].",
                              UintegerValue(64),
                              MakeUintegerAccessor(&S::m_nodes),
                              MakeUintegerChecker<uint32_t>(1, 4096))
                .AddAttribute("Paths",
                              "Paths that the frames between two ranks take in turn, at most "
                              "2^Lmc: over UC a queue pair each, over UD an address handle each; "
                              "RC keeps one queue pair [paths; section 6.3, MVAPICH].",
                              UintegerValue(1),
                              MakeUintegerAccessor(&S::m_paths),
                              MakeUintegerChecker<uint32_t>(1, 1 << SubnetManager::MAX_LMC))
                .AddAttribute("Timeout",
                              "t_timeout, after which an unacknowledged segment is sent again; an "
                              "ACK is owed for half of it [ns; MVAPICH2].",
                              UintegerValue(config.timeout),
                              MakeUintegerAccessor(&S::m_timeout),
                              MakeUintegerChecker<Ticks>(1000, 3'600'000'000'000))
                .AddAttribute("Window",
                              "Unacknowledged segments to a peer, with reliability in software "
                              "[segments; MVAPICH].",
                              UintegerValue(config.window),
                              MakeUintegerAccessor(&S::m_window),
                              MakeUintegerChecker<uint32_t>(1, 32767))
                .AddAttribute("EagerLimit",
                              "A message of fewer bytes is eager, others go by rendezvous "
                              "[bytes; section 6.2].",
                              UintegerValue(config.eagerLimit),
                              MakeUintegerAccessor(&S::m_eagerLimit),
                              MakeUintegerChecker<uint32_t>(1, 1 << 20))
                .AddAttribute("Credits",
                              "Buffers that a peer has for a rank over RC and UC [buffers; "
                              "MVAPICH].",
                              UintegerValue(config.credits),
                              MakeUintegerAccessor(&S::m_credits),
                              MakeUintegerChecker<uint32_t>(2, 32767))
                .AddAttribute("CreditThreshold",
                              "More unreturned credits than this over RC and UC make an explicit "
                              "ACK [buffers; MVAPICH].",
                              UintegerValue(config.creditThreshold),
                              MakeUintegerAccessor(&S::m_creditThreshold),
                              MakeUintegerChecker<uint32_t>(0, 32766))
                .AddAttribute("DatagramThreshold",
                              "The same over UD [buffers; MVAPICH].",
                              UintegerValue(50),
                              MakeUintegerAccessor(&S::m_datagramThreshold),
                              MakeUintegerChecker<uint32_t>(0, 32766))
                .AddAttribute("BacklogThreshold",
                              "More messages than this that wait for credit make an explicit ACK "
                              "[messages; MVAPICH].",
                              UintegerValue(config.backlogThreshold),
                              MakeUintegerAccessor(&S::m_backlogThreshold),
                              MakeUintegerChecker<uint32_t>())
                .AddAttribute("SweepMessages",
                              "More messages than this at the end of a call that makes progress, "
                              "and all owed ACKs are sent [messages; MVAPICH].",
                              UintegerValue(config.sweepMessages),
                              MakeUintegerAccessor(&S::m_sweepMessages),
                              MakeUintegerChecker<uint32_t>())
                .AddAttribute(
                    "SweepCount",
                    "What SweepMessages counts: all frames since the last sweep, or the "
                    "messages of one call [name; MVAPICH's source: Running].",
                    EnumValue(config.sweepCount),
                    MakeEnumAccessor<SweepCount>(&S::m_sweepCount),
                    MakeEnumChecker(SweepCount::RUNNING, "Running", SweepCount::CALL, "Call"))
                .AddAttribute("SweepPolled",
                              "More messages than this since the last sweep, and 1200 polls in "
                              "vain send all owed ACKs [messages; MVAPICH].",
                              UintegerValue(config.sweepPolled),
                              MakeUintegerAccessor(&S::m_sweepPolled),
                              MakeUintegerChecker<uint32_t>())
                .AddAttribute("MemoryCharge",
                              "What an unacknowledged segment counts as memory: the buffer that "
                              "holds it, its bytes, or the buffer as MVAPICH 1.2rc1 has them "
                              "[name; C-amb-6].",
                              EnumValue(config.memoryCharge),
                              MakeEnumAccessor<MemoryCharge>(&S::m_memoryCharge),
                              MakeEnumChecker(MemoryCharge::CAPACITY,
                                              "Capacity",
                                              MemoryCharge::BYTES,
                                              "Bytes",
                                              MemoryCharge::MVAPICH,
                                              "Mvapich"))
                .AddAttribute("QueueUnit",
                              "What the length of the unacknowledged queue counts: segments, "
                              "messages, or what MVAPICH 1.2rc1's counter does [name; C-amb-6].",
                              EnumValue(config.queueUnit),
                              MakeEnumAccessor<QueueUnit>(&S::m_queueUnit),
                              MakeEnumChecker(QueueUnit::SEGMENTS,
                                              "Segments",
                                              QueueUnit::MESSAGES,
                                              "Messages",
                                              QueueUnit::MVAPICH,
                                              "Mvapich"));
        ForwardAttributes(type, RankGroup::GetTypeId(), [](const ObjectBase* o) -> Ptr<Object> {
            return static_cast<const RankCluster*>(o)->m_group;
        });
        // What a registration costs a rank is RegistrationTime.
        ForwardAttributes(type,
                          PacketEngine::GetTypeId(),
                          [](const ObjectBase* o) -> Ptr<Object> {
                              return static_cast<const RankCluster*>(o)->m_engine;
                          },
                          {"RegisterBase", "RegisterPage"});
        ForwardAttributes(type, Subnet::GetTypeId(), [](const ObjectBase* o) -> Ptr<Object> {
            return static_cast<const RankCluster*>(o)->m_subnet;
        });
        return type;
    }();
    return tid;
}

RankCluster::RankCluster()
    : m_engine(CreateObject<PacketEngine>()),
      m_subnet(CreateObject<Subnet>()),
      m_group(CreateObject<RankGroup>())
{
}

RankCluster::~RankCluster() = default;

void
RankCluster::DoDispose()
{
    m_engine = nullptr;
    m_subnet = nullptr;
    m_group = nullptr;
    Object::DoDispose();
}

uint32_t
RankCluster::GetRanksPerNode() const
{
    return m_group->GetRanksPerNode();
}

RankConfig
RankCluster::MakeConfig() const
{
    RankConfig config = RankConfig::Make(m_transport,
                                         m_reliability == Reliability::RELIABLE,
                                         m_engine->GetLinkConfig().mtu,
                                         m_paths);
    config.timeout = m_timeout;
    config.window = m_window;
    config.eagerLimit = m_eagerLimit;
    config.backlogThreshold = m_backlogThreshold;
    config.sweepCount = m_sweepCount;
    config.sweepMessages = m_sweepMessages;
    config.sweepPolled = m_sweepPolled;
    config.memoryCharge = m_memoryCharge;
    config.queueUnit = m_queueUnit;
    const bool datagram = m_transport == Transport::UD;
    config.credits = datagram ? m_window : m_credits;
    config.creditThreshold = datagram ? m_datagramThreshold : m_creditThreshold;
    return config;
}

std::string
RankCluster::Check() const
{
    std::string error = MakeConfig().Check();
    if (error.empty())
    {
        error = m_engine->Check();
    }
    if (error.empty())
    {
        error = CheckPaths();
    }
    if (error.empty())
    {
        // What depends on transport and mode is not checked: the six configurations are run with
        // equal parameters.
        error = MakeSubnet()->Check();
    }
    StringValue file;
    m_subnet->GetAttribute("TopologyFile", file);
    if (error.empty() && (!file.Get().empty() || m_engine->GetNFailedLinks() > 0))
    {
        const auto subnet = MakeSubnet();
        error = subnet->Build(m_engine->GetLinkConfig().rate);
        error = error.empty() ? m_engine->CheckFailures(*subnet) : error;
    }
    return error;
}

std::string
RankCluster::CheckPaths() const
{
    UintegerValue lmc;
    m_subnet->GetAttribute("Lmc", lmc);
    const uint32_t paths = 1U << lmc.Get();
    return m_paths <= paths ? ""
                            : "Paths is " + std::to_string(m_paths) + ", but with Lmc " +
                                  std::to_string(lmc.Get()) + " a host has " +
                                  std::to_string(paths) + "; Paths must be at most 2^Lmc.";
}

Ptr<Subnet>
RankCluster::MakeSubnet() const
{
    const auto subnet = CreateObject<Subnet>();
    CopyAttributes(m_subnet, subnet);
    StringValue file;
    m_subnet->GetAttribute("TopologyFile", file);
    if (file.Get().empty())
    {
        subnet->SetAttribute("Nodes", UintegerValue(m_nodes));
    }
    return subnet;
}

RankCluster::System
RankCluster::Build(uint32_t ranks) const
{
    NS_LOG_FUNCTION(this << ranks);
    System system;
    const auto subnet = MakeSubnet();
    system.error = subnet->Build(m_engine->GetLinkConfig().rate);
    if (!system.error.empty())
    {
        return system;
    }
    const uint32_t fits = subnet->GetNHosts() * GetRanksPerNode();
    if (ranks > fits)
    {
        system.error = "There is room for " + std::to_string(fits) + " ranks, but " +
                       std::to_string(ranks) + " are needed.";
        return system;
    }
    system.clock = CreateObject<messaging::TickClock>();
    system.clock->SetAhead(AHEAD);
    const auto engine = CreateObject<PacketEngine>();
    CopyAttributes(m_engine, engine);
    engine->SetSubnet(subnet);
    engine->AssignStreams(ENGINE_STREAM);
    system.engine = engine;
    const auto verbs = CreateObject<infiniband::Verbs>();
    system.error = verbs->Open(system.clock, system.engine, subnet->GetNHosts());
    if (!system.error.empty())
    {
        return system;
    }
    const RankConfig config = MakeConfig();
    system.link =
        CreateObject<VerbsRankLink>(verbs, m_transport, config, ranks, GetRanksPerNode(), m_paths);
    system.group = CreateObject<RankGroup>();
    CopyAttributes(m_group, system.group);
    system.group->Connect(system.clock, system.link, config);
    return system;
}

} // namespace ranks
} // namespace ns3
