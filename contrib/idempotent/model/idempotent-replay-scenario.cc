/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "idempotent-replay-scenario.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/pointer.h"
#include "ns3/uinteger.h"

#include <sstream>

namespace ns3
{
namespace idempotent
{

NS_LOG_COMPONENT_DEFINE("IdempotentReplayScenario");
NS_OBJECT_ENSURE_REGISTERED(ReplayScenario);

using messaging::Table;
using wormhole::DropReason;

namespace
{

/** Bits of the sequence number that the alternative of section 2.1 keeps for each pair. */
constexpr double SEQUENCE_BITS = 32;

/** Bits of the message index in a line of the send table (section 2.4). */
constexpr double INDEX_BITS = 16;

/**
 * Divide, with 0 for what does not exist.
 * @param a dividend
 * @param b divisor
 * @return the ratio
 */
double
Ratio(double a, double b)
{
    return b > 0 ? a / b : 0;
}

/**
 * Print a value by name.
 * @param value the value
 * @return the name
 */
template <class T>
std::string
NameOf(const T& value)
{
    std::ostringstream name;
    name << value;
    return name.str();
}

} // namespace

TypeId
ReplayScenario::GetTypeId()
{
    static TypeId tid = [] {
        TypeId type = TypeId("ns3::idempotent::ReplayScenario")
                          .SetParent<TraceScenario>()
                          .SetGroupName("Idempotent");
        using S = ReplayScenario;
        const auto count = [&type](const char* name, const char* help, auto accessor) {
            type.AddAttribute(name,
                              help,
                              TypeId::ATTR_GET,
                              UintegerValue(0),
                              accessor,
                              MakeUintegerChecker<uint64_t>());
        };
        const auto real = [&type](const char* name, const char* help, auto getter) {
            type.AddAttribute(name,
                              help,
                              TypeId::ATTR_GET,
                              DoubleValue(0),
                              MakeDoubleAccessor(getter),
                              MakeDoubleChecker<double>());
        };
        const auto table = [&type](const char* name, const char* help, auto member) {
            type.AddAttribute(name,
                              help,
                              TypeId::ATTR_GET,
                              PointerValue(),
                              MakePointerAccessor(member),
                              MakePointerChecker<Table>());
        };
        const auto event = [&](const char* name, const char* help, auto getter) {
            count(name, help, MakeUintegerAccessor(getter));
        };
        event("Cycles",
              "Execution time: last delivery or end of a block [cycles; Table 2a].",
              &S::GetCycles);
        real("SlowCycles",
             "Execution time in cycles of the slower clock [cycles; Table 2b].",
             &S::GetSlowCycles);
        event("NetworkNodes", "Nodes of the trace [nodes].", &S::GetNodesOfTrace);
        event("Blocks", "Blocks of the trace [blocks; section 3.2].", &S::GetBlocks);
        event("Messages", "Messages that were to enter the network [messages].", &S::GetMessages);
        event("Delivered", "Messages delivered [messages].", &S::GetDelivered);
        event("Stalls",
              "Messages that had to wait for a place in a send table [messages; section 2.4].",
              &S::GetStalls);
        event("Packets",
              "Attempts of nodes to send a MSG, ACK or CONF [packets; section 6].",
              &S::GetPackets);
        real("PacketsPerMessage",
             "Packets for each message [packets per message; section 6].",
             &S::GetPacketsPerMessage);
        real("TransmissionsPerMessage",
             "Attempts to send the MSG for each message [packets per message; Figure 10].",
             &S::GetTransmissionsPerMessage);
        real("AcksPerMessage",
             "Attempts to send the ACK for each message [packets per message].",
             &S::GetAcksPerMessage);
        event("Confirmations", "Attempts to send a CONF [packets; section 2.1].", &S::GetConfs);
        event("Injected", "Packets that got into the network [packets].", &S::GetInjected);
        event("Hops", "Channels taken by packet heads [hops].", &S::GetHops);
        real("HopsPerMessage",
             "Channels taken for each message [hops per message].",
             &S::GetHopsPerMessage);
        event("SourceFailures",
              "Packets that found the port or all productive channels busy [packets].",
              &S::GetSourceFailures);
        event("NetworkDrops",
              "Packets dropped on the way or at the destination [packets].",
              &S::GetNetworkDrops);
        event("CutDrops",
              "Packets of NetworkDrops that were on a link or router when it failed [packets; "
              "result].",
              &S::GetCutDrops);
        event("NoRouteDrops",
              "Packets of NetworkDrops that no working channel led on [packets; result].",
              &S::GetNoRouteDrops);
        event("Failed",
              "Links, counted in each direction, and routers that have failed [failures; result].",
              &S::GetFailed);
        event("Misroutes",
              "Hops that led away from the destination, around what had failed [hops; result].",
              &S::GetMisroutes);
        event("TableDrops",
              "Messages dropped because a receive table was full [packets; section 2.4].",
              &S::GetTableDrops);
        event("Duplicates",
              "Copies of a message that were ignored [packets; section 2.1].",
              &S::GetDuplicates);
        event("PeakSendTable",
              "Most entries of any send table in use [entries; Figure 11].",
              &S::GetPeakSendTable);
        event("PeakReceiveTable",
              "Most entries of any receive table in use [entries; Figure 11].",
              &S::GetPeakReceiveTable);
        event("Drains",
              "Times that the network was drained to use message IDs again [drains; section 2.2].",
              &S::GetDrains);
        real("TableBytesPerNode",
             "Memory of a node's send and receive table in a machine, with message indices of 16 "
             "bits [bytes; section 2.4].",
             &S::GetTableBytesPerNode);
        real("SequenceBytesPerNode",
             "Memory of a node that keeps a 32-bit sequence number for each other node, in both "
             "directions [bytes; section 2.1].",
             &S::GetSequenceBytesPerNode);
        real("SimulationBytesPerNode",
             "Memory of the simulation for protocol state, trace and replay [bytes per node].",
             &S::GetSimulationBytesPerNode);
        event("AuditViolations",
              "Promises that the delivery audit found broken [messages; section 1].",
              &S::GetAuditViolations);
        type.AddAttribute("Verified",
                          "Whether the benchmark has computed the right result [bool].",
                          TypeId::ATTR_GET,
                          BooleanValue(false),
                          MakeBooleanAccessor(&S::GetVerified),
                          MakeBooleanChecker());
        table("Drops", "Packets that did not arrive, by reason.", &S::m_drops);
        table("Events", "What the protocol has done, by event.", &S::m_events);
        table("Occupancy",
              "Number of nodes by the most entries of their tables that were in use.",
              &S::m_occupancy);
        table("HeatMap", "Use of each link; none unless Observe is set.", &S::m_heatMap);
        table("Timeline",
              "When each message was posted, delivered and acknowledged; none unless "
              "RecordTimeline is set.",
              &S::m_timeline);
        return type;
    }();
    return tid;
}

ReplayScenario::ReplayScenario() = default;

ReplayScenario::~ReplayScenario() = default;

uint64_t
ReplayScenario::GetCycles() const
{
    return m_results.cycles;
}

double
ReplayScenario::GetSlowCycles() const
{
    return static_cast<double>(m_results.cycles) / m_results.clockRatio;
}

uint64_t
ReplayScenario::GetNodesOfTrace() const
{
    return m_results.nodes;
}

uint64_t
ReplayScenario::GetBlocks() const
{
    return m_results.blocks;
}

uint64_t
ReplayScenario::GetMessages() const
{
    return m_results.messages;
}

uint64_t
ReplayScenario::GetDelivered() const
{
    return m_results.delivered;
}

uint64_t
ReplayScenario::GetStalls() const
{
    return m_results.stalls;
}

uint64_t
ReplayScenario::GetPackets() const
{
    const uint64_t protocol = m_results.Get(Event::MSG_FIRST) + m_results.Get(Event::MSG_REPEATED) +
                              m_results.Get(Event::ACK_FIRST) + m_results.Get(Event::ACK_REPEATED) +
                              GetConfs();
    return protocol > 0 ? protocol : m_results.network.offered;
}

double
ReplayScenario::GetPacketsPerMessage() const
{
    return Ratio(GetPackets(), m_results.messages);
}

double
ReplayScenario::GetTransmissionsPerMessage() const
{
    return Ratio(m_results.Get(Event::MSG_FIRST) + m_results.Get(Event::MSG_REPEATED),
                 m_results.messages);
}

double
ReplayScenario::GetAcksPerMessage() const
{
    return Ratio(m_results.Get(Event::ACK_FIRST) + m_results.Get(Event::ACK_REPEATED),
                 m_results.messages);
}

uint64_t
ReplayScenario::GetConfs() const
{
    return m_results.Get(Event::CONF_SENT);
}

uint64_t
ReplayScenario::GetInjected() const
{
    return m_results.network.injected;
}

uint64_t
ReplayScenario::GetHops() const
{
    return m_results.network.hops;
}

double
ReplayScenario::GetHopsPerMessage() const
{
    return Ratio(m_results.network.hops, m_results.messages);
}

uint64_t
ReplayScenario::GetSourceFailures() const
{
    return m_results.network.refused + m_results.network.GetDrops(DropReason::SOURCE_PORT) +
           m_results.network.GetDrops(DropReason::SOURCE_CHANNEL);
}

uint64_t
ReplayScenario::GetNetworkDrops() const
{
    return m_results.network.GetAllDrops() - m_results.network.GetDrops(DropReason::SOURCE_PORT) -
           m_results.network.GetDrops(DropReason::SOURCE_CHANNEL);
}

uint64_t
ReplayScenario::GetCutDrops() const
{
    return m_results.network.GetDrops(DropReason::CUT);
}

uint64_t
ReplayScenario::GetNoRouteDrops() const
{
    return m_results.network.GetDrops(DropReason::NO_ROUTE);
}

uint64_t
ReplayScenario::GetFailed() const
{
    return m_results.failures;
}

uint64_t
ReplayScenario::GetMisroutes() const
{
    return m_results.network.misroutes;
}

uint64_t
ReplayScenario::GetTableDrops() const
{
    return m_results.Get(Event::MSG_TABLE_FULL);
}

uint64_t
ReplayScenario::GetDuplicates() const
{
    return m_results.Get(Event::MSG_DUPLICATE);
}

uint64_t
ReplayScenario::GetPeakSendTable() const
{
    return m_results.peakSendTable;
}

uint64_t
ReplayScenario::GetPeakReceiveTable() const
{
    return m_results.peakReceiveTable;
}

uint64_t
ReplayScenario::GetDrains() const
{
    return m_results.drains;
}

double
ReplayScenario::GetTableBytesPerNode() const
{
    const double send = static_cast<double>(m_results.sendTable) * (MESSAGE_ID_BITS + INDEX_BITS);
    const double receive =
        static_cast<double>(m_results.receiveTable) * (NODE_BITS + MESSAGE_ID_BITS);
    return (send + receive) / 8;
}

double
ReplayScenario::GetSequenceBytesPerNode() const
{
    return m_results.nodes > 0 ? 2 * SEQUENCE_BITS / 8 * static_cast<double>(m_results.nodes - 1)
                               : 0;
}

double
ReplayScenario::GetSimulationBytesPerNode() const
{
    return Ratio(m_results.protocolMemory + m_results.traceMemory, m_results.nodes);
}

uint64_t
ReplayScenario::GetAuditViolations() const
{
    const auto& audit = m_results.audit;
    return audit.duplicates + audit.corrupted + audit.misordered + audit.missing +
           audit.falsehoods + audit.uncompleted;
}

bool
ReplayScenario::GetVerified() const
{
    return m_results.verified;
}

void
ReplayScenario::MakeTables()
{
    std::vector<std::string> names;
    std::vector<int64_t> counts;
    for (std::size_t i = 0; i < wormhole::N_DROP_REASONS; ++i)
    {
        names.push_back(NameOf(static_cast<DropReason>(i)));
        counts.push_back(static_cast<int64_t>(m_results.network.drops[i]));
    }
    names.push_back(NameOf(Event::MSG_TABLE_FULL));
    counts.push_back(static_cast<int64_t>(m_results.Get(Event::MSG_TABLE_FULL)));
    m_drops = CreateObject<Table>();
    m_drops->AddColumn("reason", "", std::move(names));
    m_drops->AddColumn("drops", "packets", std::move(counts));

    names.clear();
    counts.clear();
    for (std::size_t i = 0; i < EVENTS; ++i)
    {
        names.push_back(NameOf(static_cast<Event>(i)));
        counts.push_back(static_cast<int64_t>(m_results.events[i]));
    }
    m_events = CreateObject<Table>();
    m_events->AddColumn("event", "", std::move(names));
    m_events->AddColumn("count", "events", std::move(counts));
}

} // namespace idempotent
} // namespace ns3
