/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/messaging-congestion-choice.h"
#include "ns3/messaging-dcqcn.h"
#include "ns3/messaging-encoder.h"
#include "ns3/messaging-nscc.h"
#include "ns3/messaging-rccc.h"
#include "ns3/messaging-swift.h"
#include "ns3/test.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Congestion control: DCQCN, Swift, and the choice of one.
 */

namespace ns3
{
namespace messaging
{
namespace tests
{
namespace
{

/** @return constants of DCQCN in round numbers. */
DcqcnConstants
MakeConstants()
{
    return {.line = 100,
            .least = 1,
            .additive = 10,
            .hyper = 40,
            .gain = 0.5,
            .alphaInterval = 50,
            .cutInterval = 20,
            .increaseInterval = 100,
            .bytes = 1'000'000,
            .rounds = 2};
}

/** Cuts of DCQCN. */
class DcqcnCutCase : public TestCase
{
  public:
    DcqcnCutCase()
        : TestCase("DCQCN cuts its rate by half of its estimate, once an interval")
    {
    }

  private:
    void DoRun() override
    {
        Dcqcn control(MakeConstants());
        NS_TEST_EXPECT_MSG_EQ(control.GetRate(), 0, "no limit before a mark");
        control.OnAck({.now = 1000});
        NS_TEST_EXPECT_MSG_EQ(control.GetRate(), 0, "no limit after an answer without a mark");
        control.OnAck({.now = 1000, .marked = true});
        NS_TEST_EXPECT_MSG_EQ(control.GetRate(), 50, "the first estimate is 1");
        NS_TEST_EXPECT_MSG_EQ(control.GetAlpha(), 1, "(1 - 1/2) 1 + 1/2");
        control.OnAck({.now = 1019, .marked = true});
        NS_TEST_EXPECT_MSG_EQ(control.GetRate(), 50, "no second cut within the interval");
        control.OnAck({.now = 1020, .marked = true});
        NS_TEST_EXPECT_MSG_EQ(control.GetRate(), 25, "a second cut in the next interval");
        control.OnAck({.now = 1070});
        NS_TEST_EXPECT_MSG_EQ(control.GetAlpha(), 0.5, "alpha halves after 50 ticks without a cut");
        control.OnAck({.now = 1070, .marked = true});
        NS_TEST_EXPECT_MSG_EQ(control.GetRate(), 18.75, "a cut by half of alpha, a quarter");
        NS_TEST_EXPECT_MSG_EQ(control.GetAlpha(), 0.75, "(1 - 1/2) 1/2 + 1/2");
        control.OnLoss(1080);
        control.OnTimeout(1090);
        NS_TEST_EXPECT_MSG_EQ(control.GetRate(), 18.75, "losses do not change the rate");
        for (Ticks now = 1100; now < 2000; now += 20)
        {
            control.OnAck({.now = now, .marked = true});
        }
        NS_TEST_EXPECT_MSG_EQ(control.GetRate(), 1, "the rate does not fall below the least rate");
        NS_TEST_EXPECT_MSG_EQ(control.GetWindow(),
                              std::numeric_limits<uint64_t>::max(),
                              "DCQCN has no window");
    }
};

/** Recovery of DCQCN. */
class DcqcnIncreaseCase : public TestCase
{
  public:
    DcqcnIncreaseCase()
        : TestCase("DCQCN recovers to its target, then adds to it, by time and by bytes")
    {
    }

  private:
    void DoRun() override
    {
        Dcqcn control(MakeConstants());
        control.OnAck({.now = 1000, .marked = true});
        control.OnAck({.now = 1020, .marked = true});
        NS_TEST_ASSERT_MSG_EQ(control.GetRate(), 25, "target 50");
        control.OnAck({.now = 1119});
        NS_TEST_EXPECT_MSG_EQ(control.GetRate(), 25, "no increase yet");
        control.OnAck({.now = 1120});
        NS_TEST_EXPECT_MSG_EQ(control.GetRate(), 37.5, "fast recovery");
        control.OnSend(1130, 1'000'000);
        NS_TEST_EXPECT_MSG_EQ(control.GetRate(), 43.75, "by bytes, max(1, 1) < 2");
        control.OnAck({.now = 1220});
        NS_TEST_EXPECT_MSG_EQ(control.GetRate(), 51.875, "additive: target 60");
        control.OnSend(1230, 1'000'000);
        NS_TEST_EXPECT_MSG_EQ(control.GetRate(), 60.9375, "additive: target 70, min(2, 2) = 2");
        control.OnAck({.now = 1320});
        NS_TEST_EXPECT_MSG_EQ(control.GetRate(), 70.46875, "additive: target 80, min(3, 2) = 2");
        control.OnSend(1330, 1'000'000);
        NS_TEST_EXPECT_MSG_EQ(control.GetRate(), 85.234375, "hyper: target at the link's rate");
        control.OnSend(5000, 1);
        NS_TEST_EXPECT_MSG_EQ(control.GetRate(), 0, "the link's rate again");
    }
};

/** Steps of Swift. */
class SwiftCase : public TestCase
{
  public:
    SwiftCase()
        : TestCase("Swift compares the round trip with its target")
    {
    }

  private:
    void DoRun() override
    {
        SwiftConstants constants;
        constants.segment = 1000;
        constants.most = 10;
        constants.least = 0.1;
        constants.base = 100;
        Swift control(constants);
        NS_TEST_EXPECT_MSG_EQ(control.GetWindow(), 10'000, "the window starts at its largest size");
        control.OnAck({.now = 1000, .roundTrip = 200, .bytes = 1000});
        // 0.8 (200 - 100) / 200 = 0.4
        NS_TEST_EXPECT_MSG_EQ(control.GetWindow(),
                              6000,
                              "a cut in proportion to the delay above the target");
        control.OnAck({.now = 1199, .roundTrip = 200, .bytes = 1000});
        NS_TEST_EXPECT_MSG_EQ(control.GetWindow(), 6000, "one cut at most within a round trip");
        control.OnAck({.now = 1200, .roundTrip = 99, .bytes = 6000});
        NS_TEST_EXPECT_MSG_EQ(control.GetWindow(),
                              7000,
                              "one frame more after a window of acknowledgements");
        control.OnLoss(2000);
        NS_TEST_EXPECT_MSG_EQ(control.GetWindow(), 3500, "a loss halves the window");
        control.OnAck({.now = 12'000, .roundTrip = 10'000, .bytes = 1000});
        NS_TEST_EXPECT_MSG_EQ(control.GetWindow(), 1750, "a cut by half at most");
        control.OnTimeout(30'000);
        NS_TEST_EXPECT_MSG_EQ(control.GetWindow(), 1000, "a timeout leaves a window of one frame");
        NS_TEST_EXPECT_MSG_EQ_TOL(control.GetRate(),
                                  0.0875,
                                  1e-9,
                                  "the rate of 0.875 frames within a round trip");
        for (Ticks now = 50'000; now < 130'000; now += 20'000)
        {
            control.OnTimeout(now);
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(
            control.GetRate(),
            0.01,
            1e-9,
            "the rate of 0.1 frames within a round trip, after five timeouts");
        control.OnAck({.now = 140'000, .roundTrip = 50, .bytes = 1000});
        NS_TEST_EXPECT_MSG_EQ(control.GetWindow(),
                              1100,
                              "a window of about one frame grows with each acknowledgement");
        NS_TEST_EXPECT_MSG_EQ(control.GetRate(), 0, "no pacing while the window holds one frame");
    }
};

/** The target of Swift. */
class SwiftTargetCase : public TestCase
{
  public:
    SwiftTargetCase()
        : TestCase("Swift's target grows for small windows")
    {
    }

  private:
    void DoRun() override
    {
        SwiftConstants constants;
        constants.base = 100;
        constants.range = 500;

        /** A window and its target. */
        struct Row
        {
            double window; ///< Window [frames].
            double target; ///< Target [ticks].
        };

        // The factor a is 500 / (1 / sqrt(0.1) - 1 / sqrt(100)).
        const double factor = 500 / (3.16227766 - 0.1);
        const std::vector<Row> rows{{1000, 100},
                                    {100, 100},
                                    {4, 100 + factor * (0.5 - 0.1)},
                                    {1, 100 + factor * (1 - 0.1)},
                                    {0.1, 600},
                                    {0.01, 600}};
        for (const auto& [window, target] : rows)
        {
            constants.most = window;
            constants.least = 0.001;
            NS_TEST_EXPECT_MSG_EQ_TOL(Swift(constants).GetTarget(), target, 1e-5, window);
        }
    }
};

/** NSCC. */
class NsccCase : public TestCase
{
  public:
    NsccCase()
        : TestCase("NSCC: the four cases of mark and delay, losses, quick and fast changes")
    {
    }

  private:
    void DoRun() override
    {
        // A link of 12.5 bytes a tick and a base of 12000 ticks of 1 ns: all scales are 1, except
        // that of the target, 0.75.
        constexpr double PRODUCT = 150'000;
        const NsccConstants constants{.segment = 1000,
                                      .rate = 12.5,
                                      .roundTrip = 12'000,
                                      .tick = 1,
                                      .average = 1};

        /** Acknowledgements of 8 frames, and the window after them. */
        struct Row
        {
            std::string what; ///< What it is about.
            bool isMarked;    ///< They return a mark.
            Ticks delay;      ///< Their queueing delay [ticks].
            double window;    ///< The window [bytes].
        };

        constexpr double STEP = 150;
        constexpr double WINDOW = PRODUCT / 2 + STEP;
        constexpr double ALPHA = 4 * 0.75 * 1000 / 9000;
        const std::vector<Row> rows{
            {"proportional increase", false, 0, WINDOW + ALPHA * 9000 * 8000 / WINDOW + STEP},
            {"less of it", false, 4500, WINDOW + ALPHA * 4500 * 8000 / WINDOW + STEP},
            {"fair increase", false, 9000, WINDOW + 5000.0 * 8000 / WINDOW + STEP},
            {"another path", true, 4500, WINDOW + STEP},
            {"decrease", true, 12'000, WINDOW * (1 - 0.8 / 4) + STEP},
            {"by half at most", true, 30'000, WINDOW / 2 + STEP},
            {"quick adaptation by delay", true, 36'001, 8000}};
        for (const auto& [what, isMarked, delay, expected] : rows)
        {
            // The work of hosts is in the measured round trips, and changes nothing.
            for (const Ticks hosts : {0, 20'000})
            {
                NsccConstants placed = constants;
                placed.hosts = hosts;
                Nscc control = MakeHalf(placed);
                control.OnAck({.now = 200'000,
                               .roundTrip = 12'000 + hosts + delay,
                               .bytes = 8000,
                               .marked = isMarked});
                NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(control.GetWindow()),
                                          expected,
                                          1,
                                          what << ", hosts " << hosts);
            }
        }

        Nscc control(constants);
        NS_TEST_EXPECT_MSG_EQ(control.GetWindow(), 225'000, "1.5 products at first");
        control.OnLoss(1);
        NS_TEST_EXPECT_MSG_EQ(control.GetWindow(), 224'000, "a frame less after a loss");
        control.OnAck({.now = 2, .roundTrip = 12'000, .bytes = 20'000, .marked = true});
        control.OnLoss(21'002);
        NS_TEST_EXPECT_MSG_EQ(control.GetWindow(), 20'000, "what was acknowledged in a period");
        control.OnLoss(22'000);
        control.OnAck({.now = 22'001, .roundTrip = 30'000, .bytes = 1000, .marked = true});
        NS_TEST_EXPECT_MSG_EQ(control.GetWindow(),
                              20'000,
                              "signals of the time before change nothing");
        for (uint32_t timeout = 0; timeout < 30; ++timeout)
        {
            control.OnTimeout(50'000);
        }
        NS_TEST_EXPECT_MSG_EQ(control.GetWindow(), 1000, "at least a frame");
        CheckFast(constants);
    }

    /** Check the fast increase. @param constants constants */
    void CheckFast(const NsccConstants& constants)
    {
        Nscc control(constants);
        for (uint32_t timeout = 0; timeout < 100; ++timeout)
        {
            control.OnTimeout(1);
        }
        const AckNews idle{.now = 1, .roundTrip = 12'000, .bytes = 8001};
        const AckNews late{.now = 1, .roundTrip = 13'001, .bytes = 8001};
        std::vector<uint64_t> gains;
        for (const AckNews& news : std::vector<AckNews>{idle, idle, late, idle})
        {
            const uint32_t repeats = gains.size() == 1 ? 20 : 1;
            uint64_t before = 0;
            for (uint32_t repeat = 0; repeat < repeats; ++repeat)
            {
                before = control.GetWindow();
                control.OnAck(news);
            }
            gains.push_back(control.GetWindow() - before);
        }
        NS_TEST_EXPECT_MSG_LT(gains[0], 200, "proportional at first");
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(gains[1]),
                                  2000,
                                  1,
                                  "fast after a window without delay");
        NS_TEST_EXPECT_MSG_LT(gains[2], 200, "a delay of more than 1 us ends it");
        NS_TEST_EXPECT_MSG_LT(gains[3], 200, "and a window has to pass again");
    }

    /** @param constants constants @return a control with half of the product as its window. */
    static Nscc MakeHalf(const NsccConstants& constants)
    {
        Nscc control(constants);
        control.OnAck(
            {.now = 1, .roundTrip = constants.roundTrip + constants.hosts, .marked = true});
        for (uint32_t timeout = 0; timeout < 150; ++timeout)
        {
            control.OnTimeout(2);
        }
        // The end of a period in which much was acknowledged, and of a round trip.
        control.OnAck({.now = 100'000,
                       .roundTrip = constants.roundTrip + constants.hosts,
                       .bytes = 100'000,
                       .marked = true});
        return control;
    }
};

/** RCCC. */
class RcccCase : public TestCase
{
  public:
    RcccCase()
        : TestCase("C-01, C-02, C-03: credit of a sender, and grants of a receiver in turn")
    {
    }

  private:
    void DoRun() override
    {
        CheckSender();
        CheckReceiver();
        for (const uint64_t known : {uint64_t{0}, uint64_t{1} << 39, uint64_t{1} << 50})
        {
            for (const uint64_t ahead : {0, 255, 256, 1'000'000})
            {
                const uint64_t bytes = known + ahead;
                const uint64_t extended = ExtendCredits(CountCredits(bytes), known);
                const bool isNear = extended >= bytes && extended < bytes + CREDIT_QUANTUM;
                NS_TEST_EXPECT_MSG_EQ(isNear, true, ahead << " beyond " << known);
            }
        }
    }

    /** Check the sender's side. */
    void CheckSender()
    {
        Rccc sender(1024, 2048);
        NS_TEST_EXPECT_MSG_EQ(sender.GetDemand(4), 16, "four frames, in units of 256 bytes");
        sender.OnSend(0, 100);
        NS_TEST_EXPECT_MSG_EQ(sender.HasCredit(), true, "one frame of the first credit is left");
        sender.OnSend(0, 100);
        NS_TEST_EXPECT_MSG_EQ(sender.HasCredit(), false, "the first credit is used up");
        NS_TEST_EXPECT_MSG_EQ(sender.GetDemand(2), 16, "the demand counts what was sent");
        sender.OnCredit(8);
        NS_TEST_EXPECT_MSG_EQ(sender.HasCredit(), false, "a late grant is not added again");
        sender.OnCredit(12);
        NS_TEST_EXPECT_MSG_EQ(sender.HasCredit(), true, "a grant");
        sender.OnCredit(8);
        NS_TEST_EXPECT_MSG_EQ(sender.HasCredit(), true, "an overtaken grant takes nothing back");
        sender.OnLoss(1);
        sender.OnTimeout(2);
        NS_TEST_EXPECT_MSG_EQ(sender.HasCredit(), true, "losses change nothing");
    }

    /** Check the receiver's side. */
    void CheckReceiver()
    {
        CreditGrants receiver(2048, 1024);
        NS_TEST_EXPECT_MSG_EQ(receiver.HasDemand(), false, "no sender");
        receiver.OnDemand(3, 8, 0);
        NS_TEST_EXPECT_MSG_EQ(receiver.HasDemand(), false, "the first credit is enough");
        receiver.OnDemand(3, 14, 0);
        receiver.OnDemand(5, 12, 0);
        receiver.OnDemand(3, 9, 0);
        const std::vector<std::pair<Peer, uint32_t>> expected{{3, 12}, {5, 12}, {3, 16}};
        for (const auto& [to, credits] : expected)
        {
            NS_TEST_EXPECT_MSG_EQ(receiver.HasDemand(), true, "before a grant to " << to);
            const auto grant = receiver.Next(0).value_or(CreditGrants::Grant{});
            NS_TEST_EXPECT_MSG_EQ(grant.to, to, "whose turn it is");
            NS_TEST_EXPECT_MSG_EQ(grant.credits, credits, "all grants to " << to);
        }
        NS_TEST_EXPECT_MSG_EQ(receiver.HasDemand(), false, "no more than is demanded");
        NS_TEST_EXPECT_MSG_EQ(receiver.Next(0).has_value(), false, "no grant without demand");
        NS_TEST_EXPECT_MSG_EQ(receiver.GetGranted(5).value_or(0), 12, "grants to 5");
        NS_TEST_EXPECT_MSG_EQ(receiver.GetGranted(4).has_value(), false, "no demand of 4");
        CheckOldDemand();
    }

    /** The demand of a sender that no longer repeats it ends. */
    void CheckOldDemand()
    {
        CreditGrants receiver(2048, 1024);
        receiver.OnDemand(3, 40, 10);
        receiver.OnDemand(5, 16, 20);
        NS_TEST_EXPECT_MSG_EQ(receiver.Next(10).value_or(CreditGrants::Grant{}).to, 3, "in time");
        for (const uint32_t credits : {12, 16})
        {
            const auto grant = receiver.Next(11).value_or(CreditGrants::Grant{});
            NS_TEST_EXPECT_MSG_EQ(grant.to, 5, "the demand of 3 is too old");
            NS_TEST_EXPECT_MSG_EQ(grant.credits, credits, "all grants to 5");
        }
        NS_TEST_EXPECT_MSG_EQ(receiver.HasDemand(), false, "none is left");
        receiver.OnDemand(3, 20, 30);
        const auto grant = receiver.Next(11).value_or(CreditGrants::Grant{});
        NS_TEST_EXPECT_MSG_EQ(grant.to, 3, "a new demand");
        NS_TEST_EXPECT_MSG_EQ(grant.credits, 16, "beyond what it was granted before");
        receiver.Next(0);
        NS_TEST_EXPECT_MSG_EQ(receiver.HasDemand(), false, "the old demand is forgotten");
    }
};

/** The choice of congestion control. */
class ChoiceCase : public TestCase
{
  public:
    ChoiceCase()
        : TestCase("A choice behaves as the chosen control")
    {
    }

  private:
    void DoRun() override
    {
        const CongestionSite site{.segment = 1000,
                                  .window = 8000,
                                  .rate = 10,
                                  .roundTrip = 100,
                                  .tick = NanoSeconds(2)};

        /** A kind, and its window and rate after a mark, a long round trip and a loss. */
        struct Row
        {
            CongestionKind kind; ///< Kind.
            uint64_t window;     ///< Window [bytes].
            double rate;         ///< Rate [bytes a tick].
        };

        const uint64_t unlimited = std::numeric_limits<uint64_t>::max();
        const std::vector<Row> rows{{CongestionKind::NONE, unlimited, 0},
                                    {CongestionKind::WINDOW, 4000, 0},
                                    {CongestionKind::DCQCN, unlimited, 5},
                                    {CongestionKind::SWIFT, 4000, 0},
                                    {CongestionKind::NSCC, 1000, 0},
                                    {CongestionKind::RCCC, unlimited, 0}};
        for (const auto& [kind, window, rate] : rows)
        {
            CongestionChoice control({.kind = kind}, site);
            const std::string name = std::to_string(static_cast<int>(kind));
            control.OnSend(1, 1000);
            control.OnAck({.now = 100'000, .roundTrip = 100'000, .bytes = 1000, .marked = true});
            control.OnLoss(100'001);
            NS_TEST_EXPECT_MSG_EQ(control.GetWindow(), window, name);
            NS_TEST_EXPECT_MSG_EQ(control.GetRate(), rate, name);
            Encoder before;
            control.Encode(before);
            control.OnTimeout(1'000'000);
            const bool hasWindow = window != unlimited;
            if (hasWindow)
            {
                control.OnAck({.now = 1'000'001, .bytes = 1000});
            }
            Encoder after;
            control.Encode(after);
            NS_TEST_EXPECT_MSG_EQ((before.GetWords() != after.GetWords()), hasWindow, name);
        }
        // The work of hosts is in the measured round trips, and is no queue.
        CongestionSite hosted = site;
        hosted.hosts = 1000;
        CongestionChoice swift({.kind = CongestionKind::SWIFT}, hosted);
        swift.OnAck({.now = 100'000, .roundTrip = site.roundTrip + hosted.hosts, .bytes = 1000});
        NS_TEST_EXPECT_MSG_EQ(swift.GetWindow(), site.window, "an idle round trip with hosts");
        CongestionSettings settings{.kind = CongestionKind::DCQCN};
        NS_TEST_EXPECT_MSG_EQ(CheckCongestionControl(settings, 1),
                              "",
                              "DCQCN with a known rate of the link");
        NS_TEST_EXPECT_MSG_NE(CheckCongestionControl(settings, 0),
                              "",
                              "DCQCN without a known rate of the link");
        settings.kind = CongestionKind::NSCC;
        NS_TEST_EXPECT_MSG_NE(CheckCongestionControl(settings, 0),
                              "",
                              "NSCC without a known rate of the link");
        settings.kind = CongestionKind::RCCC;
        NS_TEST_EXPECT_MSG_EQ(CheckCongestionControl(settings, 1, true),
                              "",
                              "RCCC with receivers that grant credit");
        NS_TEST_EXPECT_MSG_NE(CheckCongestionControl(settings, 1),
                              "",
                              "RCCC without receivers that grant credit");
        NS_TEST_EXPECT_MSG_NE(CheckCongestionControl(settings, 0, true),
                              "",
                              "RCCC without a known rate of the link");
        settings.kind = CongestionKind::SWIFT;
        NS_TEST_EXPECT_MSG_EQ(CheckCongestionControl(settings, 0),
                              "",
                              "Swift without a known rate of the link");
    }
};

/** The suite. */
class CongestionTestSuite : public TestSuite
{
  public:
    CongestionTestSuite()
        : TestSuite("messaging-congestion", Type::UNIT)
    {
        AddTestCase(new DcqcnCutCase, TestCase::Duration::QUICK);
        AddTestCase(new DcqcnIncreaseCase, TestCase::Duration::QUICK);
        AddTestCase(new SwiftCase, TestCase::Duration::QUICK);
        AddTestCase(new SwiftTargetCase, TestCase::Duration::QUICK);
        AddTestCase(new NsccCase, TestCase::Duration::QUICK);
        AddTestCase(new RcccCase, TestCase::Duration::QUICK);
        AddTestCase(new ChoiceCase, TestCase::Duration::QUICK);
    }
};

CongestionTestSuite g_congestionTestSuite; ///< The suite.

} // namespace
} // namespace tests
} // namespace messaging
} // namespace ns3
