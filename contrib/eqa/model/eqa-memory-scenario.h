/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef EQA_MEMORY_SCENARIO_H
#define EQA_MEMORY_SCENARIO_H

#include "ns3/messaging-scenario.h"

#include <string>
#include <vector>

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

    std::string Check() const override;

  protected:
    void DoRun() override;

  private:
    /** @return the group sizes; empty if the list cannot be read */
    std::vector<uint32_t> GetSizes() const;

    std::string m_nodes;            ///< Numbers of nodes.
    double m_saved{0};              ///< Result: share saved by the largest group.
    Ptr<messaging::Table> m_memory; ///< Result.
};

} // namespace eqa
} // namespace ns3

#endif // EQA_MEMORY_SCENARIO_H
