/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INFINIBAND_ADAPTER_SCENARIO_H
#define INFINIBAND_ADAPTER_SCENARIO_H

#include "ns3/infiniband-hca-counters.h"
#include "ns3/messaging-scenario.h"

#include <vector>

/**
 * @file
 * @ingroup infiniband
 * Results about adapters.
 */

namespace ns3
{
namespace infiniband
{

class Engine;

/**
 * @ingroup infiniband
 * Base of scenarios with adapters: how busy engines, PCI Express and links are, how long is waited
 * for them, and what the caches of contexts find, in the mean and for each adapter.
 */
class AdapterScenario : public messaging::Scenario
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    AdapterScenario();
    ~AdapterScenario() override;

  protected:
    void DoDispose() override;

    /**
     * Add what the adapters have done in a run.
     * @param engine the engine
     * @param duration how long the run was [ns]
     */
    void AddAdapters(const Engine& engine, Ticks duration);

    /** Compute the results from what was added. */
    void TakeAdapterResults();

  private:
    /** Results about a part of the adapters. */
    struct PartResults
    {
        double load{0}; ///< Share of the time that it is taken, mean over adapters in use.
        double wait{0}; ///< Mean wait for it [us].
    };

    /**
     * Declare the results about a part.
     * @tparam PART the part
     * @param type the TypeId
     * @param name begin of their names
     * @param what the part, in the help
     * @param thing what waits for it, in the help
     */
    template <HcaCounters::Part PART>
    static void AddPart(TypeId& type, const char* name, const char* what, const char* thing);

    /** @return the share of the time that a part is taken. @tparam PART the part */
    template <HcaCounters::Part PART>
    double GetLoad() const
    {
        return m_parts[PART].load;
    }

    /** @return the mean wait for a part [us]. @tparam PART the part */
    template <HcaCounters::Part PART>
    double GetWait() const
    {
        return m_parts[PART].wait;
    }

    /** Make the table of adapters. */
    void MakeTable();

    std::vector<HcaCounters> m_counters;                     ///< By adapter.
    std::vector<Ticks> m_engineTime;                         ///< Work of its busiest engine [ns].
    Ticks m_duration{0};                                     ///< Of all runs [ns].
    std::array<PartResults, HcaCounters::N_PARTS> m_parts{}; ///< By part.
    double m_busiest{0};                                     ///< Largest share of one engine.
    uint64_t m_touches{0};                                   ///< Lines looked for.
    double m_hitRate{0};                                     ///< Share of them found.
    Ptr<messaging::Table> m_adapters;                        ///< A row an adapter in use.
};

} // namespace infiniband
} // namespace ns3

#endif // INFINIBAND_ADAPTER_SCENARIO_H
