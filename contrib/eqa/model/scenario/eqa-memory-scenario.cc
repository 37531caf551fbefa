/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "eqa-memory-scenario.h"

#include "ns3/eqa-group.h"
#include "ns3/log.h"
#include "ns3/messaging-attributes.h"
#include "ns3/messaging-log-component.h"
#include "ns3/messaging-loopback-port.h"
#include "ns3/simulator.h"

namespace ns3
{
namespace eqa
{

[[maybe_unused]] static const LogComponent& g_log =
    messaging::GetLogComponent("EqaMemoryScenario", __FILE__);

NS_OBJECT_ENSURE_REGISTERED(EqaMemoryScenario);

using messaging::LoopbackOptions;
using messaging::LoopbackPort;
using messaging::Peer;
using messaging::TickClock;

TypeId
EqaMemoryScenario::GetTypeId()
{
    using S = EqaMemoryScenario;
    static TypeId tid =
        messaging::Attributes<S>(
            messaging::SetSummary(TypeId("ns3::eqa::EqaMemoryScenario"),
                                  "Memory of broadcasts with and without hardware broadcast, by "
                                  "size of the group.")
                .SetParent<Scenario>()
                .SetGroupName("Eqa")
                .AddConstructor<S>())
            .AddAttribute("Nodes",
                          "Number of nodes, the root included [nodes; section 4.2].",
                          &S::m_nodes,
                          128,
                          2,
                          4096)
            .AddResult("Pairs",
                       "Memory of the DPs of a broadcast by messages to one peer each [Kbytes; "
                       "result].",
                       &S::m_pairs)
            .AddResult("Hardware",
                       "Memory of the DPs of a hardware broadcast [Kbytes; result].",
                       &S::m_hardware)
            .AddResult("Saved",
                       "Share of the memory that hardware broadcast saves [fraction; result].",
                       &S::m_saved);
    return tid;
}

double
EqaMemoryScenario::Measure(bool hardware)
{
    constexpr uint32_t BYTES = 64;
    const auto clock = CreateObject<TickClock>();
    const auto port = Create<LoopbackPort>(clock, m_nodes, LoopbackOptions{.latency = 1});
    const auto group = CreateObject<EqaGroup>();
    group->Connect(clock, messaging::MakeAnyPort(port), {});
    if (hardware)
    {
        group->Post(0, {.to = messaging::NO_PEER, .bytes = BYTES});
    }
    for (Peer to = 1; to < m_nodes && !hardware; ++to)
    {
        group->Post(0, {.to = to, .bytes = BYTES});
    }
    Simulator::Run();
    double memory = 0;
    for (Peer peer = 0; peer < m_nodes; ++peer)
    {
        memory += static_cast<double>(group->GetMemory(peer)) / 1024;
    }
    group->Dispose();
    return memory;
}

void
EqaMemoryScenario::DoRun()
{
    m_pairs = Measure(false);
    m_hardware = Measure(true);
    m_saved = (m_pairs - m_hardware) / m_pairs;
    NS_LOG_INFO("A broadcast to " << m_nodes - 1 << " nodes needs " << m_pairs
                                  << " Kbytes as one message for each, and " << m_hardware
                                  << " as one message");
    Simulator::Destroy();
}

} // namespace eqa
} // namespace ns3
