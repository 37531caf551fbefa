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
 * @ingroup uet
 * Everything that a few endpoints with small windows, few PSNs and few PDCs can get into.
 */

namespace ns3
{
namespace uet
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
 * @param mode the delivery mode
 * @return the parameters
 */
ScenarioTestCase::Parameters
GetCommon(const std::string& mode)
{
    return {{"Protocol", "uet"},
            {"Capacity", "2"},
            {"Threads", "1"},
            {"protocol.Mode", mode},
            {"protocol.Modulus", "5"},
            {"protocol.Mpr", "2"},
            {"protocol.Retries", "1"}};
}

/** @return the rows of the modes with PDCs. */
std::vector<SearchRow>
MakeRows()
{
    return {
        {"U-11: PSNs repeat while packets and answers are lost, and PDCs are closed and opened",
         {{"Messages", "3"}, {"Faults", "loss"}},
         "sound"},
        {"U-09: late copies of packets and answers",
         {{"Messages", "3"}, {"Faults", "loss=1,duplicate=1"}},
         "sound"},
        {"messages both ways", {{"Messages", "0>1,1>0"}, {"Faults", "loss=1"}}, "sound"},
        {"U-16: a message of three packets",
         {{"Messages", "1"}, {"Size", "5"}, {"Faults", "loss"}, {"protocol.Mtu", "2"}},
         "sound"},
        {"U-14: the last packet, its ACK, or CLOSE is lost, and nothing else is in flight",
         {{"Messages", "2"}, {"Faults", "loss,patient"}, {"Fair", "true"}},
         "sound"},
        {"U-22: responses that are stored until they are cleared",
         {{"Messages", "3"}, {"Faults", "loss=2,duplicate=1"}, {"protocol.Responses", "2"}},
         "sound"},
        {"U-12: marks halve the window in any order with losses",
         {{"Messages", "2"}, {"Faults", "loss=1,mark"}, {"protocol.CongestionControl", "window"}},
         "sound"},
        {"U-13: packets are trimmed in any order with losses and late copies",
         {{"Messages", "2"}, {"Faults", "loss=1,duplicate=1,trim"}},
         "sound"},
        {"P-01, P-04: two paths, on which packets are late, lost or trimmed",
         {{"Messages", "2"}, {"Faults", "loss=1,trim,paths=2"}, {"protocol.Modulus", "4294967296"}},
         "sound"},
        {"C-01, C-03: demands and grants of credit are lost or late, and no packet waits for ever",
         {{"Messages", "1"},
          {"Size", "6"},
          {"Faults", "loss=2"},
          {"protocol.Mtu", "2"},
          {"protocol.CongestionControl", "rccc"},
          {"protocol.RcccFirst", "0.01"}},
         "sound"},
        {"U-07: one PDC number, which is used again",
         {{"Messages", "2"}, {"Faults", "loss=1,duplicate=1"}, {"protocol.PdcNumbers", "1"}},
         "sound"},
        {"U-07: a late SYN, while Syn_Retx_Safety_Time outlasts it",
         {{"Messages", "2"},
          {"Faults", "loss=1,duplicate=1,reorder,patient"},
          {"protocol.CheckStart", "false"},
          {"protocol.Modulus", "4294967296"},
          {"protocol.PdcNumbers", "1"}},
         "sound"},
        {"U-07: a late SYN after Syn_Retx_Safety_Time opens a PDC again",
         {{"Messages", "2"},
          {"Faults", "duplicate=1,reorder"},
          {"protocol.CheckStart", "false"},
          {"protocol.Modulus", "4294967296"},
          {"protocol.PdcNumbers", "1"}},
         "violated"},
        {"U-21: a late SYN at any time is known by its start",
         {{"Messages", "2"},
          {"Faults", "loss=1,duplicate=1,reorder"},
          {"protocol.Modulus", "4294967296"},
          {"protocol.PdcNumbers", "1"}},
         "sound"},
        {"packets overtake each other, and PSNs repeat",
         {{"Messages", "3"}, {"Faults", "loss=1,duplicate=1,reorder"}},
         "violated"},
        {"U-06: two initiators, and room for one",
         {{"Messages", "0>2,1>2"},
          {"Peers", "3"},
          {"Faults", "loss=1"},
          {"protocol.Contexts", "1"},
          {"protocol.Refusals", "1"}},
         "sound"}};
}

/** The suite. */
class UetSearchTestSuite : public TestSuite
{
  public:
    UetSearchTestSuite()
        : TestSuite("uet-search", Type::UNIT)
    {
        AddTestCase(new SearchTestCase("rud", GetCommon("rud"), MakeRows()),
                    TestCase::Duration::QUICK);
        AddTestCase(new SearchTestCase("rod", GetCommon("rod"), MakeRows()),
                    TestCase::Duration::QUICK);
        AddTestCase(
            new SearchTestCase("rudi",
                               GetCommon("rudi"),
                               {{"U-17: a timer that fires early repeats a message",
                                 {{"Messages", "1"}, {"Faults", "none"}},
                                 "violated"},
                                {"U-17: nothing is repeated without a loss, if timers are long",
                                 {{"Messages", "3"}, {"Faults", "none,patient"}, {"Fair", "true"}},
                                 "sound"}}),
            TestCase::Duration::QUICK);
        AddTestCase(new SearchTestCase("uud",
                                       GetCommon("uud"),
                                       {{"U-18: nothing follows a message that has left",
                                         {{"Messages", "3"}, {"Faults", "loss,reorder"}},
                                         "sound"}}),
                    TestCase::Duration::QUICK);
    }
};

UetSearchTestSuite g_uetSearchTestSuite; ///< The suite.

} // namespace
} // namespace tests
} // namespace uet
} // namespace ns3
