/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef EQA_MEMORY_SCENARIO_H
#define EQA_MEMORY_SCENARIO_H

#include "eqa-group.h"
#include "eqa-parameter-group.h"

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

/** Sizes of the three kinds of DPs in Kbytes of 1024 bytes, for the formulas of section 4.2. */
struct PublishedSizes
{
    double send{33.8};    ///< s_SDP.
    double receive{41.4}; ///< s_RDP.
    double light{4.4};    ///< s_LDP.

    /**
     * Compute what a broadcast by messages to one peer each needs (D-24).
     * @param nodes number of nodes
     * @return (s_SDP + s_RDP) n [Kbytes]
     */
    double GetPairs(uint32_t nodes) const
    {
        return (send + receive) * nodes;
    }

    /**
     * Compute what a hardware broadcast needs (D-25).
     * @param nodes number of nodes
     * @return s_SDP + (n - 1) s_LDP + n s_RDP [Kbytes]
     */
    double GetHardware(uint32_t nodes) const
    {
        return send + (nodes - 1) * light + nodes * receive;
    }

    /**
     * Compute the share of memory saved.
     * @param nodes number of nodes
     * @return M_save(n)
     */
    double GetSaved(uint32_t nodes) const
    {
        return (GetPairs(nodes) - GetHardware(nodes)) / GetPairs(nodes);
    }
};

/**
 * Compute the law that is printed in section 4.2 (D-28), which does not follow from the printed
 * sizes: those give 0.391 in place of 0.386.
 * @param nodes number of nodes
 * @return 0.386 (1 - 1/n)
 */
inline double
GetPrintedLaw(uint32_t nodes)
{
    return 0.386 * (1 - 1.0 / nodes);
}

/**
 * @ingroup eqa
 * Figure 6: broadcasts a message to groups of several sizes, once by messages to one peer each and
 * once by hardware broadcast, and counts the memory that their DPs have allocated.
 *
 * Its parameters are those of DP-SMP (EqaGroup), and its own.
 */
class EqaMemoryScenario : public messaging::Scenario
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    EqaMemoryScenario();
    ~EqaMemoryScenario() override;

    std::string Check() const override;

  protected:
    void DoRun() override;
    void DoDispose() override;

  private:
    /**
     * Read the list of group sizes.
     * @return the sizes; empty if the list cannot be read
     */
    std::vector<uint32_t> GetSizes() const;

    /**
     * Broadcast once.
     * @param nodes number of nodes
     * @param hardware whether by hardware broadcast
     * @return what the DPs have allocated; the verdict is set if the broadcast has failed
     */
    PointMemory RunGroup(uint32_t nodes, bool hardware);

    Ptr<ParameterGroup> m_protocol; ///< Holds DP-SMP's parameters.
    std::string m_nodes;            ///< Numbers of nodes.
    uint32_t m_size{0};             ///< Size of the message [bytes].
    double m_saved{0};              ///< Result: share saved by the largest group.
    uint64_t m_overhead{0};         ///< Result: overhead of a send-only DP accounted for [bytes].
    Ptr<messaging::Table> m_memory; ///< Result.
};

} // namespace eqa
} // namespace ns3

#endif // EQA_MEMORY_SCENARIO_H
