/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef EQA_MEMORY_SCENARIO_H
#define EQA_MEMORY_SCENARIO_H

#include "ns3/messaging-scenario.h"

/**
 * @file
 * @ingroup eqa
 * The experiment of section 4.2 of paper 5.
 */

namespace ns3
{
namespace eqa
{

/**
 * @ingroup eqa
 * Figure 6: memory of the DPs of a group whose root sends a message to each other node, and of a
 * group whose root sends one hardware broadcast.
 */
class EqaMemoryScenario : public messaging::Scenario
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

  protected:
    void DoRun() override;

  private:
    /**
     * Run a group, and sum up the memory of its DPs.
     * @param hardware whether its root broadcasts in hardware
     * @return the memory of all nodes [Kbytes]
     */
    double Measure(bool hardware);

    uint32_t m_nodes{0};  ///< Number of nodes, including the root.
    double m_pairs{0};    ///< Result: memory of pairs of DPs [Kbytes].
    double m_hardware{0}; ///< Result: memory with hardware broadcast [Kbytes].
    double m_saved{0};    ///< Result: share of the memory that is saved.
};

} // namespace eqa
} // namespace ns3

#endif // EQA_MEMORY_SCENARIO_H
