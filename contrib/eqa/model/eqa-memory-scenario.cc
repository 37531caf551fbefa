/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "eqa-memory-scenario.h"

#include "eqa-memory.h"

#include "ns3/messaging-attributes.h"
#include "ns3/messaging-scenario-results.h"

namespace ns3
{
namespace eqa
{

NS_OBJECT_ENSURE_REGISTERED(EqaMemoryScenario);

TypeId
EqaMemoryScenario::GetTypeId()
{
    static TypeId tid = [] {
        using S = EqaMemoryScenario;
        TypeId type =
            messaging::SetSummary(TypeId("ns3::eqa::EqaMemoryScenario"),
                                  "Memory of broadcasts with and without hardware broadcast, by "
                                  "size of the group.")
                .SetParent<Scenario>()
                .SetGroupName("Eqa")
                .AddConstructor<S>();
        messaging::Attributes<S>(type).AddAttribute(
            "Nodes",
            "Number of nodes, the root included [nodes; section 4.2].",
            &S::m_nodes,
            128,
            2,
            4096);
        messaging::ScenarioResults results(type);
        results.AddReal("Pairs",
                        "Memory of a pair of DPs for each node [Kbytes; result].",
                        &S::m_pairs);
        results.AddReal("Hardware",
                        "Memory of the DPs of a hardware broadcast [Kbytes; result].",
                        &S::m_hardware);
        results.AddReal("Saved",
                        "Share of the memory that hardware broadcast saves [fraction; result].",
                        &S::m_saved);
        results.AddReal(
            "SavedWithoutOwn",
            "The same if the root has no DPs for messages to itself [fraction; result].",
            &S::m_savedWithoutOwn);
        return type;
    }();
    return tid;
}

void
EqaMemoryScenario::DoRun()
{
    const PointSizes sizes = GetPointSizes(EqaConfig());
    m_pairs = sizes.GetPairs(m_nodes);
    m_hardware = sizes.GetHardware(m_nodes);
    m_saved = sizes.GetSaved(m_nodes);
    m_savedWithoutOwn = 1 - (m_hardware - sizes.receive) / sizes.GetPairs(m_nodes - 1);
}

} // namespace eqa
} // namespace ns3
