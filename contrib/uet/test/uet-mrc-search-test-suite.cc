/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/messaging-scenario-runs.h"
#include "ns3/messaging-search-runs.h"
#include "ns3/test.h"

#include <vector>

/**
 * @file
 * @ingroup uet
 * Everything that two ends of a queue pair of MRC with few numbers can get into.
 */

namespace ns3
{
namespace uet
{
namespace mrc
{
namespace tests
{
namespace
{

using messaging::tests::ScenarioTestCase;
using messaging::tests::SearchRow;
using messaging::tests::SearchTestCase;

/** @return the parameters of all searches. */
ScenarioTestCase::Parameters
GetCommon()
{
    return {{"Protocol", "mrc"},
            {"Capacity", "2"},
            {"Threads", "1"},
            {"protocol.Modulus", "5"},
            {"protocol.Mpr", "2"},
            {"protocol.Retries", "1"}};
}

/** @return the searches. */
std::vector<SearchRow>
MakeRows()
{
    return {
        {"M-02: PSNs repeat while packets and answers are lost",
         {{"Messages", "6"}, {"Faults", "loss=1"}},
         "sound"},
        {"M-02: three PSNs, which repeat",
         {{"Messages", "4"}, {"Faults", "loss"}, {"protocol.Modulus", "3"}, {"protocol.Mpr", "1"}},
         "sound"},
        {"M-04: late copies of packets and answers, while PSNs repeat",
         {{"Messages", "6"}, {"Faults", "loss=1,duplicate=1"}},
         "sound"},
        {"messages both ways", {{"Messages", "0>1,1>0"}, {"Faults", "loss=1"}}, "sound"},
        {"M-09: two messages of two packets, which complete in order",
         {{"Messages", "2"}, {"Size", "4"}, {"Faults", "loss=2"}, {"protocol.Mtu", "2"}},
         "sound"},
        {"M-09: one message in flight",
         {{"Messages", "3"}, {"Faults", "loss"}, {"protocol.MaxWimmInFlight", "1"}},
         "sound"},
        {"M-14: the last packet or its SACK is lost, and nothing else is in flight",
         {{"Messages", "2"}, {"Faults", "loss,patient"}, {"Fair", "true"}},
         "sound"},
        {"M-11: marks halve the window in any order with losses",
         {{"Messages", "2"}, {"Faults", "loss=1,mark"}, {"protocol.CongestionControl", "window"}},
         "sound"},
        {"M-07: packets are trimmed in any order with losses and late copies",
         {{"Messages", "2"}, {"Faults", "loss=1,duplicate=1,trim"}},
         "sound"},
        {"M-08, M-12: two paths, on which a packet and probes are late, lost or trimmed",
         {{"Messages", "1"}, {"Faults", "loss=1,trim,paths=2"}, {"protocol.Modulus", "16777216"}},
         "sound"},
        {"M-11: marks of two paths",
         {{"Messages", "2"}, {"Faults", "loss=1,mark,paths=2"}, {"protocol.Modulus", "16777216"}},
         "sound"},
        {"M-17: two paths, and EV probes, which are late or lost",
         {{"Messages", "1"},
          {"Faults", "loss=1,paths=2"},
          {"protocol.Modulus", "16777216"},
          {"protocol.ReverseProbe", "1us"}},
         "sound"},
        {"M-13: packets overtake each other",
         {{"Messages", "2"},
          {"Faults", "loss=1,duplicate=1,reorder"},
          {"protocol.Modulus", "16777216"}},
         "sound"},
        {"M-02: packets overtake each other, and PSNs repeat",
         {{"Messages", "4"},
          {"Faults", "duplicate=1,reorder"},
          {"protocol.Modulus", "3"},
          {"protocol.Mpr", "1"}},
         "violated"}};
}

/** The suite. */
class MrcSearchTestSuite : public TestSuite
{
  public:
    MrcSearchTestSuite()
        : TestSuite("uet-mrc-search", Type::UNIT)
    {
        AddTestCase(new SearchTestCase("mrc", GetCommon(), MakeRows()), TestCase::Duration::QUICK);
    }
};

MrcSearchTestSuite g_mrcSearchTestSuite; ///< The suite.

} // namespace
} // namespace tests
} // namespace mrc
} // namespace uet
} // namespace ns3
