/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/messaging-search-explorer.h"
#include "ns3/parastation-protocol.h"
#include "ns3/parastation-rivals.h"
#include "ns3/test.h"

#include <iostream>
#include <sstream>
#include <string>

/**
 * @file
 * @ingroup parastation
 * Everything that two hosts with small rings and windows can get into.
 */

namespace ns3
{
namespace parastation
{
namespace tests
{
namespace
{

using messaging::Explorer;
using messaging::ExplorerOptions;
using messaging::ExplorerResult;
using messaging::ExplorerVerdict;

/** @return small rings, numbers of two bits, and steps without cost. */
Config
MakeSmall()
{
    Config config;
    config.sendRing = 3;
    config.receiveRing = 2;
    config.hostBuffers = 1;
    config.sequenceBits = 2;
    config.window = 2;
    config.channels = 2;
    config.credits = 1;
    return config;
}

/** @return options: any losses, one duplicate, ordered and complete delivery. */
ExplorerOptions
MakeOptions()
{
    ExplorerOptions options;
    options.duplicates = 1;
    options.delivered = true;
    options.ordered = true;
    return options;
}

/**
 * Search with two hosts.
 * @param config the configuration
 * @param options options of the search
 * @param messages number of messages from host 0 to host 1
 * @return the result
 */
template <class Protocol>
ExplorerResult
Search(const Config& config, const ExplorerOptions& options, uint32_t messages)
{
    Explorer<NicCore<Protocol>> explorer(
        {NicCore<Protocol>(config, 0, 2), NicCore<Protocol>(config, 1, 2)},
        options);
    for (uint32_t i = 0; i < messages; ++i)
    {
        explorer.AddRequest(0, messaging::Request{i, 100 + i, 1, 8, i, 0});
    }
    return explorer.Run();
}

/** Base of the searches. */
class SearchTest : public TestCase
{
  public:
    using TestCase::TestCase;

  protected:
    /**
     * Expect a sound result.
     * @param result result of the search
     * @param name name of the search
     */
    void ExpectSound(const ExplorerResult& result, const std::string& name)
    {
        Expect(result, ExplorerVerdict::SOUND, name);
        NS_TEST_EXPECT_MSG_EQ(result.reasons[static_cast<std::size_t>(Event::ILLEGAL)],
                              0,
                              name << ": nothing impossible happens to a slot");
    }

    /**
     * Expect a verdict.
     * @param result result of the search
     * @param verdict expected verdict
     * @param name name of the search
     */
    void Expect(const ExplorerResult& result, ExplorerVerdict verdict, const std::string& name)
    {
        std::ostringstream report;
        report << name << ", " << result.states << " states: " << result.sentence;
        for (const auto& step : result.steps)
        {
            report << "\n  " << step.text;
        }
        NS_TEST_EXPECT_MSG_EQ(result.verdict, verdict, report.str());
    }
};

/** A-26 in all readings of A-amb-2, A-amb-3 and A-amb-4. */
class ReadingsTest : public SearchTest
{
  public:
    ReadingsTest()
        : SearchTest("A-26: any losses and a duplicate, in all readings of the paper")
    {
    }

  private:
    void DoRun() override
    {
        for (const auto high : {HighAck::PROSE, HighAck::TABLE})
        {
            for (const auto low : {LowSequence::ACK, LowSequence::NACK})
            {
                for (const auto number : {NackNumber::EXPECTED, NackNumber::REJECTED})
                {
                    Config config = MakeSmall();
                    config.highAck = high;
                    config.lowSequence = low;
                    config.nackNumber = number;
                    std::ostringstream name;
                    name << "reading " << static_cast<int>(high) << static_cast<int>(low)
                         << static_cast<int>(number);
                    const auto result = Search<Protocol>(config, MakeOptions(), 3);
                    if (config.Check().empty())
                    {
                        ExpectSound(result, name.str());
                    }
                    else
                    {
                        Expect(result, ExplorerVerdict::STUCK, name.str() + ", which is refused");
                    }
                }
            }
        }
    }
};

/**
 * Steps with a duration: packets wait in each stage, with a shortage of slots and of host buffers.
 */
class StagesTest : public SearchTest
{
  public:
    StagesTest()
        : SearchTest("A-17: slots in transit, shortage, a slow host")
    {
    }

  private:
    void DoRun() override
    {
        Config config = MakeSmall();
        config.costs.bus = true;
        ExplorerOptions options = MakeOptions();
        options.duplicates = 0;
        const auto shortage = Search<Protocol>(config, options, 2);
        ExpectSound(shortage, "bus");
        NS_TEST_EXPECT_MSG_GT(shortage.reasons[static_cast<std::size_t>(Event::SHORT_OF_SLOTS)],
                              0,
                              "the ring was full at times");
        config.costs.bus = false;
        config.costs.firmwareReceive = 1;
        ExpectSound(Search<Protocol>(config, options, 2), "receiving firmware");
        config.costs.firmwareReceive = 0;
        config.costs.firmwareSend = 1;
        ExpectSound(Search<Protocol>(config, options, 2), "sending firmware");
        config.costs.firmwareSend = 0;
        config.costs.hostReceive = 1;
        ExpectSound(Search<Protocol>(config, options, 3), "a slow host");
    }
};

/** The rivals with and without recovery of losses. */
class RivalSearchTest : public SearchTest
{
  public:
    RivalSearchTest()
        : SearchTest("Rivals that survive a loss or a duplicate, and rivals that do not")
    {
    }

  private:
    void DoRun() override
    {
        const Config config = MakeSmall();
        ExplorerOptions options = MakeOptions();
        ExpectSound(Search<CumulativeAck>(config, options, 3), "VMMC-2");
        Expect(Search<StopAndWait>(config, options, 3),
               ExplorerVerdict::VIOLATED,
               "AM-II, whose channels pass each other");
        options.ordered = false;
        ExpectSound(Search<StopAndWait>(config, options, 3), "AM-II, out of order");

        options = MakeOptions();
        Expect(Search<BackBlocking>(config, options, 2),
               ExplorerVerdict::VIOLATED,
               "back-blocking: a duplicate is delivered twice");
        options.duplicates = 0;
        options.losses = 1;
        Expect(Search<BackBlocking>(config, options, 2),
               ExplorerVerdict::STUCK,
               "back-blocking: a lost packet is lost");
        Expect(Search<NoProtocol>(config, options, 2), ExplorerVerdict::STUCK, "none");
        Expect(Search<Credits>(config, options, 2), ExplorerVerdict::STUCK, "credits");
        options.losses = 0;
        ExpectSound(Search<BackBlocking>(config, options, 3), "back-blocking, nothing lost");
        ExpectSound(Search<Credits>(config, options, 3), "credits, nothing lost");
    }
};

/** The suite. */
class ParastationExplorerTestSuite : public TestSuite
{
  public:
    ParastationExplorerTestSuite()
        : TestSuite("parastation-explorer", Type::UNIT)
    {
        AddTestCase(new ReadingsTest, Duration::QUICK);
        AddTestCase(new StagesTest, Duration::QUICK);
        AddTestCase(new RivalSearchTest, Duration::QUICK);
    }
};

ParastationExplorerTestSuite g_parastationExplorerTestSuite; ///< The suite.

} // namespace
} // namespace tests
} // namespace parastation
} // namespace ns3
