/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/messaging-scenario-runs.h"
#include "ns3/messaging-search-runs.h"
#include "ns3/test.h"

#include <string>
#include <vector>

/**
 * @file
 * @ingroup roce
 * Everything that two peers with small windows and few packet numbers can get into.
 */

namespace ns3
{
namespace roce
{
namespace tests
{
namespace
{

using messaging::tests::ScenarioTestCase;
using messaging::tests::SearchRow;
using messaging::tests::SearchTestCase;

/**
 * Get the parameters of all searches.
 * @param protocol the protocol
 * @return the parameters
 */
ScenarioTestCase::Parameters
GetCommon(const std::string& protocol)
{
    return {{"Protocol", protocol},
            {"Capacity", "2"},
            {"Threads", "1"},
            {"protocol.Modulus", "5"},
            {"protocol.Window", "2"}};
}

/** @return the rows that both protocols have. */
std::vector<SearchRow>
MakeRows()
{
    return {
        {"R-01: numbers repeat while packets and answers are lost",
         {{"Messages", "6"}, {"Faults", "loss"}},
         "sound"},
        {"R-03: late copies of packets and answers",
         {{"Messages", "6"}, {"Faults", "loss,duplicate=2"}},
         "sound"},
        {"messages both ways", {{"Messages", "0>1,0>1,1>0,1>0"}, {"Faults", "loss=2"}}, "sound"},
        {"Q-01: messages of three packets",
         {{"Messages", "2"}, {"Size", "5"}, {"Faults", "loss"}, {"protocol.Mtu", "2"}},
         "sound"},
        {"R-05: the last packet or the last answer is lost, and nothing else is in flight",
         {{"Messages", "1"}, {"Faults", "loss,patient"}},
         "sound"},
        {"Q-02: marks halve the window in any order with losses",
         {{"Messages", "4"}, {"Faults", "loss=2,mark"}, {"protocol.CongestionControl", "window"}},
         "sound"},
        {"Q-03: a rate below that of the link paces",
         {{"Messages", "3"}, {"Faults", "loss=1,mark"}, {"protocol.CongestionControl", "dcqcn"}},
         "sound"},
        {"Swift's window without round trips",
         {{"Messages", "3"}, {"Faults", "loss=1"}, {"protocol.CongestionControl", "swift"}},
         "sound"},
        {"a full channel without losses", {{"Messages", "6"}, {"Faults", "none"}}, "sound"},
        {"packets overtake each other, with all 24 bits of a number",
         {{"Messages", "4"},
          {"Faults", "loss=1,duplicate=1,reorder"},
          {"protocol.Modulus", "16777216"}},
         "sound"},
        {"packets overtake each other, and numbers repeat",
         {{"Messages", "6"}, {"Faults", "loss,duplicate=1,reorder"}},
         "violated"}};
}

/** @return the rows of RoCE: a small number of retries, so that errors are reached, too. */
std::vector<SearchRow>
MakeRoceRows()
{
    std::vector<SearchRow> rows = MakeRows();
    for (auto& [what, parameters, outcome] : rows)
    {
        parameters["protocol.Retries"] = "1";
    }
    rows.push_back({"R-02: every NAK is lost",
                    {{"Messages", "4"}, {"Faults", "loss"}, {"protocol.Retries", "7"}},
                    "sound"});
    return rows;
}

/** The suite. */
class RoceSearchTestSuite : public TestSuite
{
  public:
    RoceSearchTestSuite()
        : TestSuite("roce-search", Type::UNIT)
    {
        AddTestCase(new SearchTestCase("roce", GetCommon("roce"), MakeRoceRows()),
                    TestCase::Duration::QUICK);
        AddTestCase(new SearchTestCase("irn", GetCommon("irn"), MakeRows()),
                    TestCase::Duration::QUICK);
    }
};

RoceSearchTestSuite g_roceSearchTestSuite; ///< The suite.

} // namespace
} // namespace tests
} // namespace roce
} // namespace ns3
