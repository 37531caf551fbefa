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
 * Figure 6: memory of groups that broadcast by messages to one peer each, and of groups that
 * broadcast in hardware, computed from the parts of their DPs.
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
    uint32_t m_nodes{0};         ///< Number of nodes, the root included.
    double m_pairs{0};           ///< Result: memory of pairs of DPs [Kbytes].
    double m_hardware{0};        ///< Result: memory with hardware broadcast [Kbytes].
    double m_saved{0};           ///< Result: share of the memory that is saved.
    double m_savedWithoutOwn{0}; ///< Result: the same without the root's DPs to itself.
};

} // namespace eqa
} // namespace ns3

#endif // EQA_MEMORY_SCENARIO_H
