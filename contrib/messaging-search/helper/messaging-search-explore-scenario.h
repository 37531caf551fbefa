/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_SEARCH_EXPLORE_SCENARIO_H
#define MESSAGING_SEARCH_EXPLORE_SCENARIO_H

#include "ns3/messaging-protocol.h"
#include "ns3/messaging-scenario.h"
#include "ns3/messaging-search-explorer.h"

#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Exhaustive search of the cores of any protocol.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * All states that a few cores of a protocol and an unreliable network can reach.
 */
class ExploreScenario : public Scenario
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::vector<Part> GetParts() const override;
    std::string Check() const override;

  protected:
    void DoRun() override;

  private:
    /** A search, according to the parameters. */
    struct Plan
    {
        ExplorerOptions options;                        ///< Limits.
        std::vector<std::pair<Peer, Request>> requests; ///< Messages with their senders.
        std::string wrong;                              ///< Error in the parameters, or empty.
    };

    /** @return the search. */
    Plan MakePlan() const;

    /**
     * Read the faults.
     * @param plan receives them, or the error
     */
    void ReadFaults(Plan& plan) const;

    /**
     * Read the messages.
     * @param plan receives them, or the error
     */
    void ReadMessages(Plan& plan) const;

    /**
     * Make the tables of a counterexample.
     * @param result the outcome
     */
    void MakeTables(const ExplorerResult& result);

    std::string m_protocolName;    ///< Name of the protocol.
    std::string m_messages;        ///< Messages.
    std::string m_faults;          ///< Faults.
    uint32_t m_peers{0};           ///< Number of peers.
    uint32_t m_size{0};            ///< Size of a message [bytes].
    uint32_t m_memoryLimit{0};     ///< Maximum memory [GiB].
    ExplorerOptions m_options;     ///< Other limits, without faults and memory.
    std::string m_outcome{"none"}; ///< Outcome.
    std::string m_asked;           ///< Properties that were checked.
    uint64_t m_states{0};          ///< Distinct states.
    uint64_t m_transitions{0};     ///< Steps between them.
    uint64_t m_depth{0};           ///< Steps to the farthest state.
    uint64_t m_cores{0};           ///< Distinct states of cores.
    uint64_t m_memory{0};          ///< Memory [bytes].
    double m_seconds{0};           ///< Processor time [s].
    double m_omission{0};          ///< Probability that a state was taken for another.
    bool m_reused{false};          ///< A number was used for several messages.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_SEARCH_EXPLORE_SCENARIO_H
