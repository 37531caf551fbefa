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
 * for them, and what the caches of contexts find, for each adapter.
 */
class AdapterScenario : public messaging::Scenario
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

  protected:
    /**
     * Add what the adapters have done in a run.
     * @param engine the engine
     * @param duration how long the run was [ns]
     */
    void AddAdapters(const Engine& engine, Ticks duration);

    /** Compute the results from what was added. */
    void TakeAdapterResults();

  private:
    /** Make the table of adapters. */
    void MakeTable();

    std::vector<HcaCounters> m_counters; ///< By adapter.
    std::vector<Ticks> m_engineTime;     ///< Work of its busiest engine [ns].
    Ticks m_duration{0};                 ///< Of all runs [ns].
    double m_linkLoad{0};                ///< Share of the time that links are taken.
    double m_busiest{0};                 ///< Largest share of one engine.
    Ptr<messaging::Table> m_adapters;    ///< A row an adapter in use.
};

} // namespace infiniband
} // namespace ns3

#endif // INFINIBAND_ADAPTER_SCENARIO_H
