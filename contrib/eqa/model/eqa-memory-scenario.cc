/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "eqa-memory-scenario.h"

#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/messaging-audit.h"
#include "ns3/messaging-forwarded-attributes.h"
#include "ns3/messaging-loopback-port.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <array>
#include <sstream>

namespace ns3
{
namespace eqa
{

NS_LOG_COMPONENT_DEFINE("EqaMemoryScenario");
NS_OBJECT_ENSURE_REGISTERED(EqaMemoryScenario);

using messaging::DeliveryAudit;
using messaging::LoopbackPort;
using messaging::Table;
using messaging::TickClock;
using messaging::Verdict;

namespace
{

/** Largest group: both kinds together allocate 20 Mbytes then. */
constexpr uint32_t LARGEST = 256;

/** Largest frame of the network [bytes]. */
constexpr uint32_t FRAME_ROOM = 1464;

/** Simulated time after which a broadcast has failed. */
constexpr int64_t LIMIT = 60;

/** Bytes of a Kbyte. */
constexpr double KBYTE = 1024;

} // namespace

TypeId
EqaMemoryScenario::GetTypeId()
{
    static TypeId tid = [] {
        using S = EqaMemoryScenario;
        TypeId type =
            SetSummary(TypeId("ns3::eqa::EqaMemoryScenario"),
                       "Memory that broadcasts take, with and without hardware broadcast, by size "
                       "of the group.")
                .SetParent<Scenario>()
                .SetGroupName("Eqa")
                .AddConstructor<EqaMemoryScenario>()
                .AddAttribute("Nodes",
                              "Numbers of nodes, the root included, separated by blanks "
                              "[nodes; section 4.2].",
                              StringValue("2 4 8 16 32 64 128"),
                              MakeStringAccessor(&S::m_nodes),
                              MakeStringChecker())
                .AddAttribute("Size",
                              "Size of the message that is broadcast [bytes; section 4.1].",
                              UintegerValue(4096),
                              MakeUintegerAccessor(&S::m_size),
                              MakeUintegerChecker<uint32_t>(0, 1 << 20))
                .AddAttribute("Saved",
                              "Share of the memory that hardware broadcast saves, for the last "
                              "number of nodes [fraction; result].",
                              TypeId::ATTR_GET,
                              DoubleValue(0),
                              MakeDoubleAccessor(&S::m_saved),
                              MakeDoubleChecker<double>())
                .AddAttribute("SendStructures",
                              "Of what a send-only DP to one peer has besides queues and buffers, "
                              "what this model needs for its own HMS, LMS and registers "
                              "[bytes; result].",
                              TypeId::ATTR_GET,
                              UintegerValue(0),
                              MakeUintegerAccessor(&S::m_overhead),
                              MakeUintegerChecker<uint64_t>())
                .AddAttribute("Memory",
                              "Figure 6: what was allocated, the formulas of section 4.2 with the "
                              "printed sizes, and the law that is printed there [table; result].",
                              TypeId::ATTR_GET,
                              PointerValue(),
                              MakePointerAccessor(&S::m_memory),
                              MakePointerChecker<Table>());
        messaging::ForwardAttributes(
            type,
            EqaGroup::GetTypeId(),
            [](const ObjectBase* owner) -> Ptr<Object> {
                return static_cast<const EqaMemoryScenario*>(owner)->m_protocol;
            },
            {"Broadcast"});
        return type;
    }();
    return tid;
}

EqaMemoryScenario::EqaMemoryScenario()
    : m_protocol(CreateObject<ParameterGroup>())
{
}

EqaMemoryScenario::~EqaMemoryScenario() = default;

void
EqaMemoryScenario::DoDispose()
{
    m_protocol = nullptr;
    Scenario::DoDispose();
}

std::vector<uint32_t>
EqaMemoryScenario::GetSizes() const
{
    std::istringstream text(m_nodes);
    std::vector<uint32_t> sizes;
    int64_t size = 0;
    while (text >> size)
    {
        if (size < 2 || size > LARGEST)
        {
            return {};
        }
        sizes.push_back(static_cast<uint32_t>(size));
    }
    return text.eof() ? sizes : std::vector<uint32_t>{};
}

std::string
EqaMemoryScenario::Check() const
{
    if (GetSizes().empty())
    {
        return "Nodes is \"" + m_nodes + "\"; it must be a list of numbers from 2 to " +
               std::to_string(LARGEST) + ", separated by blanks.";
    }
    return m_protocol->Check(FRAME_ROOM);
}

PointMemory
EqaMemoryScenario::RunGroup(uint32_t nodes, bool hardware)
{
    NS_LOG_FUNCTION(this << nodes << hardware);
    const auto clock = CreateObject<TickClock>();
    const auto port = CreateObject<LoopbackPort>();
    port->SetAttribute("Mtu", UintegerValue(FRAME_ROOM));
    port->Connect(clock, nodes);
    const auto group = CreateObject<EqaPortGroup<LoopbackPort>>();
    m_protocol->CopyTo(group);
    group->Connect(clock, port);
    hardware ? group->OpenBroadcast(0) : group->OpenPairs(0);
    const auto audit = CreateObject<DeliveryAudit>();
    audit->SetGroup(group);
    uint32_t refused = 0;
    for (messaging::Peer peer = 1; peer < nodes; ++peer)
    {
        group->PostReceive(peer, 0, hardware);
        messaging::Request request;
        request.to = hardware ? messaging::NO_PEER : peer;
        request.bytes = m_size;
        refused +=
            !hardware || peer == 1 ? audit->Post(0, request) != messaging::Acceptance::ACCEPTED : 0;
    }
    Simulator::Stop(Seconds(LIMIT));
    Simulator::Run();
    const PointMemory memory = group->GetMemory();
    audit->Finish();
    if (refused > 0 || audit->GetCounts().delivered != nodes - 1 || !audit->IsClean())
    {
        SetVerdict(Verdict::FAILED,
                   "A broadcast to " + std::to_string(nodes) +
                       " nodes has not reached all of them.");
    }
    audit->Dispose();
    group->Dispose();
    Simulator::Destroy();
    return memory;
}

void
EqaMemoryScenario::DoRun()
{
    const std::vector<uint32_t> sizes = GetSizes();
    const PublishedSizes published;
    std::vector<int64_t> nodes;
    std::array<std::vector<double>, 8> columns;
    for (const uint32_t size : sizes)
    {
        ReportProgress(static_cast<double>(nodes.size()),
                       static_cast<double>(sizes.size()),
                       "groups");
        const PointMemory pairs = RunGroup(size, false);
        const PointMemory hardware = RunGroup(size, true);
        const auto pairBytes = static_cast<double>(pairs.sendBytes + pairs.receiveBytes);
        const auto hardwareBytes =
            static_cast<double>(hardware.sendBytes + hardware.lightBytes + hardware.receiveBytes);
        m_saved = (pairBytes - hardwareBytes) / pairBytes;
        m_overhead = pairs.structureBytes / pairs.sends;
        nodes.push_back(size);
        columns[0].push_back(pairBytes / KBYTE);
        columns[1].push_back(published.GetPairs(size));
        columns[2].push_back(hardwareBytes / KBYTE);
        columns[3].push_back(published.GetHardware(size));
        columns[4].push_back(m_saved);
        columns[5].push_back(published.GetSaved(size));
        columns[6].push_back(GetPrintedLaw(size));
        // The root has no use for a pair with itself, nor for a receive-only DP of its own.
        const double pair = pairBytes / size;
        const double ownReceive = static_cast<double>(hardware.receiveBytes) / size;
        columns[7].push_back(1 - (hardwareBytes - ownReceive) / (pairBytes - pair));
    }
    m_memory = CreateObject<Table>();
    m_memory->AddColumn("Nodes", "nodes", std::move(nodes));
    m_memory->AddColumn("Pairs", "Kbytes", std::move(columns[0]));
    m_memory->AddColumn("PairsFormula", "Kbytes", std::move(columns[1]));
    m_memory->AddColumn("Hardware", "Kbytes", std::move(columns[2]));
    m_memory->AddColumn("HardwareFormula", "Kbytes", std::move(columns[3]));
    m_memory->AddColumn("Saved", "fraction", std::move(columns[4]));
    m_memory->AddColumn("SavedFormula", "fraction", std::move(columns[5]));
    m_memory->AddColumn("PrintedLaw", "fraction", std::move(columns[6]));
    m_memory->AddColumn("SavedWithoutOwn", "fraction", std::move(columns[7]));
}

} // namespace eqa
} // namespace ns3
