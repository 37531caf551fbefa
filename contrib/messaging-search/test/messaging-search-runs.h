/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_SEARCH_RUNS_H
#define MESSAGING_SEARCH_RUNS_H

#include "ns3/messaging-scenario-runs.h"
#include "ns3/test.h"

#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup messaging-tests
 * Exhaustive searches in tests.
 */

namespace ns3
{
namespace messaging
{
namespace tests
{

/** A search. */
struct SearchRow
{
    std::string what;                        ///< What it is about.
    ScenarioTestCase::Parameters parameters; ///< Its parameters, beside those of all.
    std::string outcome;                     ///< Its outcome.
};

/** Searches of a protocol. */
class SearchTestCase : public ScenarioTestCase
{
  public:
    /**
     * Constructor.
     * @param name what is searched
     * @param common parameters of all searches that do not set them
     * @param rows the searches
     */
    SearchTestCase(const std::string& name, Parameters common, std::vector<SearchRow> rows)
        : ScenarioTestCase("All states of " + name),
          m_common(std::move(common)),
          m_rows(std::move(rows))
    {
    }

  private:
    void DoRun() override
    {
        for (auto& [what, parameters, outcome] : m_rows)
        {
            parameters.merge(Parameters(m_common));
            const auto search = Run("explore", parameters);
            NS_TEST_EXPECT_MSG_EQ(Text(search, "Outcome"),
                                  outcome,
                                  what << ":" << Print(parameters) << ": "
                                       << Text(search, "VerdictReason"));
        }
    }

    Parameters m_common;           ///< Parameters of all searches.
    std::vector<SearchRow> m_rows; ///< The searches.
};

} // namespace tests
} // namespace messaging
} // namespace ns3

#endif // MESSAGING_SEARCH_RUNS_H
