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
 * Base of scenarios with adapters. For each adapter it reports the load and waiting times of
 * engines, PCI Express and link, and the hits of the context cache.
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
     * Add the adapters' counters of a run.
     * @param engine the engine
     * @param duration duration of the run [ns]
     */
    void AddAdapters(const Engine& engine, Ticks duration);

    /** Compute the results from all added counters. */
    void TakeAdapterResults();

  private:
    std::vector<HcaCounters> m_counters; ///< Counters by adapter.
    std::vector<Ticks> m_engineTime;     ///< Work of the busiest engine, by adapter [ns].
    Ticks m_duration{0};                 ///< Duration of all runs [ns].
    double m_linkLoad{0};                ///< Busy share of links.
    double m_busiest{0};                 ///< Largest busy share of an engine.
    Ptr<messaging::Table> m_adapters;    ///< A row for each used adapter.
};

} // namespace infiniband
} // namespace ns3

#endif // INFINIBAND_ADAPTER_SCENARIO_H
