/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "eqa-memory-scenario.h"

#include "eqa-memory.h"

#include "ns3/messaging-attributes.h"
#include "ns3/messaging-scenario-results.h"

#include <array>
#include <sstream>

namespace ns3
{
namespace eqa
{

NS_OBJECT_ENSURE_REGISTERED(EqaMemoryScenario);

using messaging::Table;

namespace
{

/** Largest group. */
constexpr int64_t LARGEST = 4096;

/** Coefficient of the printed law, though the printed sizes give 0.391 (D-28). */
constexpr double PRINTED_COEFFICIENT = 0.386;

} // namespace

TypeId
EqaMemoryScenario::GetTypeId()
{
    static TypeId tid = [] {
        using S = EqaMemoryScenario;
        TypeId type = SetSummary(TypeId("ns3::eqa::EqaMemoryScenario"),
                                 "Memory of broadcasts with and without hardware broadcast, by "
                                 "size of the group.")
                          .SetParent<Scenario>()
                          .SetGroupName("Eqa")
                          .AddConstructor<S>();
        messaging::Attributes<S>(type).AddAttribute(
            "Nodes",
            "Numbers of nodes, the root included, separated by blanks [nodes; section 4.2].",
            &S::m_nodes,
            "2 4 8 16 32 64 128");
        messaging::ScenarioResults results(type);
        results.AddReal("Saved",
                        "Share of the memory that hardware broadcast saves, for the last number of "
                        "nodes [fraction; result].",
                        &S::m_saved);
        results.AddTable("Memory",
                         "Figure 6: DPs of this model, the formulas of section 4.2 with the "
                         "printed sizes, and the law that is printed there [table; result].",
                         &S::m_memory);
        return type;
    }();
    return tid;
}

std::vector<uint32_t>
EqaMemoryScenario::GetSizes() const
{
    std::istringstream text(m_nodes);
    std::vector<uint32_t> sizes;
    for (int64_t size = 0; text >> size;)
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
    return "";
}

void
EqaMemoryScenario::DoRun()
{
    const PointSizes published;
    const PointSizes ours = GetPointSizes(EqaConfig());
    std::vector<int64_t> nodes;
    std::array<std::vector<double>, 8> columns;
    for (const uint32_t n : GetSizes())
    {
        nodes.push_back(n);
        m_saved = ours.GetSaved(n);
        // The root has no use for a pair with itself, nor for a receive-only DP of its own.
        const double own = 1 - (ours.GetHardware(n) - ours.receive) / ours.GetPairs(n - 1);
        const std::array row{ours.GetPairs(n),
                             published.GetPairs(n),
                             ours.GetHardware(n),
                             published.GetHardware(n),
                             m_saved,
                             published.GetSaved(n),
                             PRINTED_COEFFICIENT * (1 - 1.0 / n),
                             own};
        for (std::size_t i = 0; i < row.size(); ++i)
        {
            columns[i].push_back(row[i]);
        }
    }
    constexpr std::array NAMES{"Pairs",
                               "PairsFormula",
                               "Hardware",
                               "HardwareFormula",
                               "Saved",
                               "SavedFormula",
                               "PrintedLaw",
                               "SavedWithoutOwn"};
    m_memory = CreateObject<Table>();
    m_memory->AddColumn("Nodes", "nodes", std::move(nodes));
    for (std::size_t i = 0; i < columns.size(); ++i)
    {
        m_memory->AddColumn(NAMES[i], i < 4 ? "Kbytes" : "fraction", std::move(columns[i]));
    }
}

} // namespace eqa
} // namespace ns3
