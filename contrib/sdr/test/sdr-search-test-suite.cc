/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/messaging-scenario-runs.h"
#include "ns3/test.h"

#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup sdr
 * All states that two peers with few message numbers and small submessages can reach.
 */

namespace ns3
{
namespace sdr
{
namespace tests
{
namespace
{

using messaging::tests::ScenarioTestCase;
using Parameters = ScenarioTestCase::Parameters;

/** A search. */
struct SearchRow
{
    std::string what;      ///< What it is about.
    Parameters parameters; ///< Its parameters, beside those of all.
    std::string outcome;   ///< Its outcome.
};

/** Searches of a scheme. */
class SearchCase : public ScenarioTestCase
{
  public:
    /**
     * Constructor.
     * @param scheme the scheme
     * @param rows the searches
     */
    SearchCase(std::string scheme, std::vector<SearchRow> rows)
        : ScenarioTestCase("All states of " + scheme),
          m_scheme(std::move(scheme)),
          m_rows(std::move(rows))
    {
    }

  private:
    void DoRun() override
    {
        for (auto& [what, parameters, outcome] : m_rows)
        {
            parameters.merge(Parameters{{"Protocol", "sdr"},
                                        {"Capacity", "2"},
                                        {"Threads", "1"},
                                        {"protocol.Scheme", m_scheme},
                                        {"protocol.Data", "2"},
                                        {"protocol.Parity", "1"},
                                        {"protocol.Modulus", "5"},
                                        {"protocol.Requests", "2"}});
            const auto search = Run("explore", parameters);
            NS_TEST_EXPECT_MSG_EQ(Text(search, "Outcome"),
                                  outcome,
                                  what << ":" << Print(parameters) << ": "
                                       << Text(search, "VerdictReason"));
        }
    }

    std::string m_scheme;          ///< The scheme.
    std::vector<SearchRow> m_rows; ///< The searches.
};

/** @return the searches of selective repeat. */
std::vector<SearchRow>
MakeRepeatRows()
{
    return {{"SD-01: numbers repeat while packets and answers are lost",
             {{"Messages", "6"}, {"Faults", "loss"}},
             "sound"},
            {"SD-10: late copies of packets and answers",
             {{"Messages", "4"}, {"Faults", "loss,duplicate=1"}},
             "sound"},
            {"SD-33: messages both ways", {{"Messages", "0>1,1>0"}, {"Faults", "loss=2"}}, "sound"},
            {"SD-02: two chunks, the first of two packets",
             {{"Messages", "1"},
              {"Size", "5"},
              {"Faults", "loss"},
              {"protocol.Mtu", "2"},
              {"protocol.ChunkPackets", "2"}},
             "sound"},
            {"SD-11: the last chunk or the last answer is lost, and nothing else is in flight",
             {{"Messages", "1"}, {"Faults", "loss,patient"}},
             "sound"},
            {"a full channel without losses", {{"Messages", "5"}, {"Faults", "none"}}, "sound"},
            {"packets overtake each other, with all 24 bits of a number",
             {{"Messages", "3"},
              {"Faults", "loss=1,duplicate=1,reorder"},
              {"protocol.Modulus", "16777216"}},
             "sound"},
            {"packets overtake each other, and numbers repeat",
             {{"Messages", "6"}, {"Faults", "loss=1,duplicate=1,reorder"}},
             "violated"}};
}

/** @return the searches of an erasure code. */
std::vector<SearchRow>
MakeCodedRows()
{
    return {{"SD-23, SD-30: numbers repeat while packets, parity, answers and probes are lost",
             {{"Messages", "4"},
              {"Faults", "loss=2"},
              {"protocol.Modulus", "3"},
              {"protocol.Requests", "1"}},
             "sound"},
            {"SD-23: a message of three packets in two submessages",
             {{"Messages", "1"}, {"Size", "5"}, {"Faults", "loss=2"}, {"protocol.Mtu", "2"}},
             "sound"},
            {"SD-27: the same, and only missing chunks are sent again",
             {{"Messages", "1"},
              {"Size", "5"},
              {"Faults", "loss=2"},
              {"protocol.Mtu", "2"},
              {"protocol.Fallback", "missing"}},
             "sound"},
            {"SD-31: a window of one submessage, whose answers are lost",
             {{"Messages", "1"},
              {"Size", "8"},
              {"Faults", "loss=2"},
              {"protocol.Mtu", "2"},
              {"protocol.Window", "3"}},
             "sound"},
            {"SD-30: all packets or the last answer are lost, and nothing else is in flight",
             {{"Messages", "1"}, {"Faults", "loss,patient"}},
             "sound"},
            {"SD-30: bursts whose second frame is always lost",
             {{"Messages", "2"}, {"Faults", "loss=1"}, {"Capacity", "1"}},
             "sound"},
            {"late copies", {{"Messages", "2"}, {"Faults", "loss=1,duplicate=1"}}, "sound"},
            {"packets overtake each other, with all 24 bits of a number",
             {{"Messages", "2"},
              {"Faults", "loss=1,duplicate=1,reorder"},
              {"protocol.Modulus", "16777216"}},
             "sound"}};
}

/** The suite. */
class SdrSearchTestSuite : public TestSuite
{
  public:
    SdrSearchTestSuite()
        : TestSuite("sdr-search", Type::UNIT)
    {
        AddTestCase(new SearchCase("selective-repeat", MakeRepeatRows()),
                    TestCase::Duration::QUICK);
        AddTestCase(new SearchCase("xor", MakeCodedRows()), TestCase::Duration::QUICK);
        AddTestCase(new SearchCase("mds", MakeCodedRows()), TestCase::Duration::QUICK);
    }
};

SdrSearchTestSuite g_sdrSearchTestSuite; ///< The suite.

} // namespace
} // namespace tests
} // namespace sdr
} // namespace ns3
