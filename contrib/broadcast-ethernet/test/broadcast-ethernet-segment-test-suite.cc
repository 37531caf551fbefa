/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "broadcast-ethernet-load.h"
#include "broadcast-ethernet-test-stations.h"

#include "ns3/boolean.h"
#include "ns3/random-variable-stream.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <sstream>
#include <string>

/**
 * @file
 * @ingroup broadcast-ethernet
 * Tests of the shared segment: closed forms, backoff, capture, late collisions, conservation, and
 * segments under load.
 */

namespace ns3
{
namespace ethernet
{
namespace tests
{
namespace
{

/**
 * On an idle wire a frame arrives after its bits and the delay; queued frames follow each other
 * after a gap.
 */
class IdleTestCase : public TestCase
{
  public:
    IdleTestCase()
        : TestCase("closed form of latency and rate on an idle segment of 10 and 100 Mbps")
    {
    }

  private:
    void DoRun() override
    {
        for (const int64_t megabits : {10, 100})
        {
            for (const uint32_t bytes : {64U, 65U, 512U, 1518U})
            {
                for (const int64_t delay : {0, 100, 1280, 2500})
                {
                    Check(1000 / megabits, bytes, delay);
                }
            }
        }
    }

    /**
     * Send three frames at once.
     * @param bit length of a bit [ns]
     * @param bytes length of the frames
     * @param delay between the stations [ns]
     */
    void Check(int64_t bit, uint32_t bytes, int64_t delay)
    {
        TestSegment net({Time(0), NanoSeconds(delay)});
        net.segment->SetAttribute("DataRate", DataRateValue(DataRate(1000000000 / bit)));
        net.segment->SetPosition(0, 0);
        for (uint32_t n = 0; n < 3; ++n)
        {
            net.stations[0]->SendAt(MicroSeconds(10), bytes);
        }
        Simulator::Run();
        const int64_t wire = (64 + 8 * bytes) * bit;
        NS_TEST_ASSERT_MSG_EQ(net.stations[1]->received.size(), 3, "frames that arrive");
        for (uint32_t n = 0; n < 3; ++n)
        {
            NS_TEST_EXPECT_MSG_EQ(net.stations[1]->received[n].GetNanoSeconds(),
                                  10000 + n * (wire + 96 * bit) + wire + delay,
                                  "arrival of frame " << n
                                                      << " after preamble, frame, delay, and gaps");
        }
        NS_TEST_EXPECT_MSG_EQ(net.stations[0]->received.empty(),
                              true,
                              "a station does not receive its own frames");
        NS_TEST_EXPECT_MSG_EQ(net.segment->GetCounters().collided, 0, "no collision");
        Simulator::Destroy();
    }
};

/** Rates with which a segment can be built. */
class RateTestCase : public TestCase
{
  public:
    RateTestCase()
        : TestCase("a segment without a rate is refused in a sentence")
    {
    }

  private:
    void DoRun() override
    {
        const auto segment = CreateObject<EthernetSegment>();
        NS_TEST_EXPECT_MSG_EQ(segment->Check(), "", "the default");
        segment->SetAttribute("DataRate", StringValue("0bps"));
        NS_TEST_EXPECT_MSG_EQ(segment->Check(),
                              "A shared Ethernet segment cannot run at a DataRate of 0; it is "
                              "10Mbps or 100Mbps in IEEE 802.3.",
                              "no rate, with which the helper aborts");
    }
};

/** Backoffs are whole slots, uniform over the range of the attempt; at most 16 attempts. */
class BackoffTestCase : public TestCase
{
  public:
    BackoffTestCase()
        : TestCase("truncated binary exponential backoff and the attempt limit")
    {
    }

  private:
    void DoRun() override
    {
        TestSegment net(std::vector<Time>(24, Time(0)));
        net.segment->SetAttribute("Delay", TimeValue(MicroSeconds(1)));
        net.segment->SetPosition(0, 0);
        for (uint32_t n = 0; n < 2000; ++n)
        {
            for (const auto& station : net.stations)
            {
                station->SendAt(Time(0), 1518);
            }
        }
        Simulator::Stop(Seconds(40));
        Simulator::Run();
        std::map<uint32_t, std::pair<double, double>> sums;
        std::map<uint32_t, int64_t> greatest;
        uint64_t given = 0;
        for (const auto& attempt : net.attempts)
        {
            if (attempt.collision.IsStrictlyNegative())
            {
                continue;
            }
            if (attempt.retry.IsStrictlyNegative())
            {
                ++given;
                NS_TEST_EXPECT_MSG_EQ(attempt.number, 16, "a frame is given up after 16 attempts");
                continue;
            }
            const int64_t backoff = (attempt.retry - attempt.end).GetNanoSeconds();
            NS_TEST_ASSERT_MSG_EQ(backoff % 51200, 0, "a backoff is a number of whole slots");
            greatest[attempt.number] = std::max(greatest[attempt.number], backoff / 51200);
            sums[attempt.number].first += static_cast<double>(backoff) / 51200;
            sums[attempt.number].second += 1;
        }
        NS_TEST_EXPECT_MSG_EQ(sums.rbegin()->first, 15, "there is no backoff after the last");
        for (const auto& [number, sum] : sums)
        {
            const double range = 1U << std::min(number, 10U);
            NS_TEST_EXPECT_MSG_LT(static_cast<double>(greatest[number]),
                                  range,
                                  "largest backoff after attempt " << number << " [slots]");
            // Five standard errors of the mean of a uniform distribution.
            NS_TEST_EXPECT_MSG_EQ_TOL(sum.first / sum.second,
                                      (range - 1) / 2,
                                      5 * range / std::sqrt(12 * sum.second),
                                      "mean after attempt " << number);
        }
        NS_TEST_EXPECT_MSG_EQ(net.segment->GetCounters().excessiveCollisions,
                              given,
                              "counted frames that are given up");
        NS_TEST_EXPECT_MSG_GT(given, 0, "frames are given up under such a load");
        Simulator::Destroy();
    }
};

/** On a too long cable, collisions are late, and receivers get damaged frames. */
class LateTestCase : public TestCase
{
  public:
    LateTestCase()
        : TestCase("collisions past the collision window")
    {
    }

  private:
    void DoRun() override
    {
        {
            // 30 us apart: A hears B's signal, begun at 29 us, at 59 us, 590 bits into its frame.
            TestSegment net({Time(0), MicroSeconds(30), MicroSeconds(15)});
            net.stations[0]->SendAt(Time(0), 1518);
            net.stations[1]->SendAt(MicroSeconds(29), 1518);
            Simulator::Run();
            const auto& counters = net.segment->GetCounters();
            NS_TEST_EXPECT_MSG_EQ(counters.lateCollisions, 1, "A's collision is late, B's is not");
            NS_TEST_EXPECT_MSG_EQ(static_cast<int>(net.stations[0]->outcomes[0]),
                                  static_cast<int>(TxOutcome::LATE_COLLISION),
                                  "A reports a late collision, and does not repeat its frame");
            NS_TEST_EXPECT_MSG_EQ(static_cast<int>(net.stations[1]->outcomes[0]),
                                  static_cast<int>(TxOutcome::SENT),
                                  "B repeats its frame");
            NS_TEST_EXPECT_MSG_EQ(net.stations[2]->received.size(), 1, "frames that C receives");
            Simulator::Destroy();
        }
        {
            // B sends for 57.6 us, its whole frame, before A's signal arrives: no collision.
            TestSegment net({Time(0), MicroSeconds(100)});
            net.stations[0]->SendAt(Time(0), 64);
            net.stations[1]->SendAt(NanoSeconds(42400), 64);
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(net.segment->GetCounters().collided,
                                  0,
                                  "collisions: B has sent its whole frame");
            Simulator::Destroy();
        }
        // B has a frame while A's ends beside it, at 157.6 us. C's arrives when the first part of
        // the gap ends, 6.4 us later, and does not restart the gap; a nanosecond earlier, it does.
        for (const int64_t early : {0, 1})
        {
            TestSegment net({Time(0), Time(0), MicroSeconds(100)});
            net.stations[0]->SendAt(MicroSeconds(100), 64);
            net.stations[1]->SendAt(MicroSeconds(150), 64);
            net.stations[2]->SendAt(NanoSeconds(64000 - early), 64);
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(net.stations[1]->begins[0].second,
                                  NanoSeconds(early ? 64000 - 1 + 100000 + 57600 + 9600 : 167200),
                                  "begin of the frame; the carrier came "
                                      << early << " ns before the end of the first part");
            Simulator::Destroy();
        }
        // The cable is so long that frames end before they meet, 57.6 and 190.4 us against 200: no
        // station detects this, and C in the middle receives both at once. D, beside B, begins at
        // 267.2 us, when A's signal has passed all stations; its effect on B's frame at C appears
        // later.
        TestSegment net({Time(0), MicroSeconds(200), MicroSeconds(100), MicroSeconds(200)});
        net.stations[0]->SendAt(Time(0), 64);
        net.stations[1]->SendAt(Time(0), 230);
        net.stations[3]->SendAt(MicroSeconds(210), 64);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(net.segment->GetCounters().collided,
                              0,
                              "collisions that senders detect");
        NS_TEST_EXPECT_MSG_EQ(net.stations[3]->begins[0].second,
                              NanoSeconds(267200),
                              "begin of D's frame, after those of the others");
        NS_TEST_EXPECT_MSG_EQ(net.stations[2]->received.size(), 3, "frames that C receives");
        NS_TEST_EXPECT_MSG_EQ(net.stations[2]->damaged,
                              2,
                              "frames that are damaged at C, in the middle of the cable");
        NS_TEST_EXPECT_MSG_EQ(net.stations[0]->damaged + net.stations[1]->damaged,
                              0,
                              "frames that are damaged at the ends of the cable");
        Simulator::Destroy();
    }
};

/**
 * Each frame is sent, given up or waiting; each sent frame arrives at all stations, once and
 * intact.
 */
class ConservationTestCase : public TestCase
{
  public:
    /**
     * Construct.
     * @param spacing delay between neighbours
     * @param interval mean time between frames of a station
     */
    ConservationTestCase(Time spacing, Time interval)
        : TestCase("conservation of frames: stations " + std::to_string(spacing.GetNanoSeconds()) +
                   " ns apart, a frame each " + std::to_string(interval.GetMicroSeconds()) + " us"),
          m_spacing(spacing),
          m_interval(interval)
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t n = 12;
        std::vector<Time> delays;
        for (uint32_t k = 0; k < n; ++k)
        {
            delays.push_back(k * m_spacing);
        }
        TestSegment net(delays);
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(3);
        std::size_t offered = 0;
        for (const auto& station : net.stations)
        {
            for (Time when; when < Seconds(1); when += 2 * m_interval * random->GetValue())
            {
                station->SendAt(when, random->GetInteger(64, 1518));
                ++offered;
            }
        }
        Simulator::Stop(Seconds(1));
        Simulator::Run();
        // Frames in flight at the end of the simulation count as waiting.
        std::size_t waiting = 0;
        std::size_t sent = 0;
        std::size_t given = 0;
        for (const auto& station : net.stations)
        {
            waiting += station->GetNWaiting();
            for (const TxOutcome outcome : station->outcomes)
            {
                ++(outcome == TxOutcome::SENT ? sent : given);
            }
        }
        const auto& counters = net.segment->GetCounters();
        NS_TEST_EXPECT_MSG_EQ(sent + given + waiting,
                              offered,
                              "each frame is sent, given up or waiting");
        NS_TEST_EXPECT_MSG_EQ(counters.sent, sent, "sent");
        NS_TEST_EXPECT_MSG_EQ(counters.excessiveCollisions + counters.lateCollisions,
                              given,
                              "frames that are given up");
        NS_TEST_EXPECT_MSG_EQ(counters.lateCollisions + counters.damaged,
                              0,
                              "late collisions and damaged frames on a cable of allowed length");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(counters.attempts,
                                    counters.sent + counters.collided,
                                    "attempts that have ended");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(counters.attempts - counters.sent - counters.collided,
                                    n,
                                    "the others are in flight, one of each station at most");
        for (const auto& station : net.stations)
        {
            std::size_t own = 0;
            for (const TxOutcome outcome : station->outcomes)
            {
                own += outcome == TxOutcome::SENT;
            }
            const std::size_t missing = sent - own - station->received.size();
            NS_TEST_EXPECT_MSG_LT_OR_EQ(missing,
                                        1,
                                        "frames sent that have not arrived: one may be in flight");
            NS_TEST_EXPECT_MSG_EQ(station->damaged, 0, "damaged frames");
        }
        Simulator::Destroy();
    }

    Time m_spacing;  ///< Delay between neighbours.
    Time m_interval; ///< Mean time between frames of a station.
};

/** Waiting stations cost no events: a busy segment has as many with 200 stations as with 2. */
class EventTestCase : public TestCase
{
  public:
    EventTestCase()
        : TestCase("simulator events do not grow with the stations that wait")
    {
    }

  private:
    void DoRun() override
    {
        TestSegment net(std::vector<Time>(200, Time(0)));
        net.segment->SetAttribute("Delay", TimeValue(MicroSeconds(1)));
        net.segment->SetPosition(0, 0);
        for (const auto& station : net.stations)
        {
            station->SendAt(MicroSeconds(1), 1518);
        }
        Simulator::Run();
        const auto& counters = net.segment->GetCounters();
        NS_TEST_EXPECT_MSG_EQ(counters.sent + counters.excessiveCollisions,
                              200,
                              "frames sent or given up");
        // One to hand over each frame, three for each sent one, at most two for each collision.
        NS_TEST_EXPECT_MSG_LT(Simulator::GetEventCount(),
                              200 + 3 * counters.sent + 2 * counters.collided,
                              "events, which depend on the frames on the wire only");
        Simulator::Destroy();
    }
};

/**
 * The capture effect, in closed form. After a collision of a station's first attempt with the n-th
 * of another, the one draws from 2 slots and the other from 2^n. The one wins if it draws less:
 * 1 - 3/2^(n+1). Both draw the same and collide again: 1/2^n. The other wins: 1/2^(n+1).
 */
class CaptureTestCase : public TestCase
{
  public:
    CaptureTestCase()
        : TestCase("the capture effect of two stations beside its closed form")
    {
    }

  private:
    void DoRun() override
    {
        // With fewer attempts, the loser starts anew more often.
        constexpr uint32_t limit = 6;
        TestSegment net({Time(0), NanoSeconds(500)});
        net.segment->SetAttribute("AttemptLimit", UintegerValue(limit));
        for (uint32_t n = 0; n < 60000; ++n)
        {
            net.stations[0]->SendAt(Time(0), 64);
            net.stations[1]->SendAt(Time(0), 64);
        }
        Simulator::Stop(Seconds(6));
        Simulator::Run();
        // By n: wins of the new station, repeated collisions, wins of the other station.
        std::map<uint32_t, std::array<double, 3>> seen;
        const auto& attempts = net.attempts;
        for (std::size_t i = 0; i + 2 < attempts.size(); ++i)
        {
            const auto& a = attempts[i];
            if (a.collision.IsStrictlyNegative())
            {
                continue;
            }
            const auto& b = attempts[++i];
            if (std::min(a.number, b.number) > 1 || std::max(a.number, b.number) >= limit)
            {
                continue;
            }
            const uint32_t fresh = a.number == 1 ? a.station : b.station;
            const auto& next = attempts[i + 1];
            const std::size_t what = next.collision.IsPositive() ? 1
                                     : next.station == fresh     ? 0
                                                                 : 2;
            ++seen[std::max(a.number, b.number)][what];
        }
        // Two first attempts never meet again once one of them has lost.
        for (uint32_t n = 2; n < limit; ++n)
        {
            const double range = 1U << n;
            const std::array<double, 3> expected{1 - 1.5 / range, 1 / range, 0.5 / range};
            const double all = seen[n][0] + seen[n][1] + seen[n][2];
            NS_TEST_ASSERT_MSG_GT(all, 100, "collisions with attempt " << n);
            for (std::size_t what = 0; what < 3; ++what)
            {
                NS_TEST_EXPECT_MSG_EQ_TOL(
                    seen[n][what] / all,
                    expected[what],
                    5 * std::sqrt(expected[what] * (1 - expected[what]) / all) + 1e-9,
                    "outcome " << what << " of a collision with attempt " << n);
            }
        }
        Simulator::Destroy();
    }
};

/** Segments under load: queueing theory, and an independent simulation. */
class LoadTestCase : public TestCase
{
  public:
    LoadTestCase()
        : TestCase("Segments under load")
    {
    }

  private:
    void DoRun() override
    {
        const auto alone = MeasureSegment({.stations = 1, .bytes = 64});
        NS_TEST_EXPECT_MSG_EQ_TOL(alone.occupancy,
                                  1,
                                  1e-4,
                                  "share of time in which the segment is busy or has a gap");
        NS_TEST_EXPECT_MSG_EQ_TOL(alone.utilization,
                                  512.0 / 672,
                                  1e-4,
                                  "share of the rate: 64 of 84 bytes");
        NS_TEST_EXPECT_MSG_EQ_TOL(ComputeMean(alone.accesses),
                                  67.2,
                                  1e-6,
                                  "mean access time: gap, preamble and frame [us]");

        // One station with Poisson arrivals is an M/D/1 queue, whose service time includes the gap;
        // the waiting time is rho S / (2 (1 - rho)).
        for (const double load : {0.3, 0.7})
        {
            const auto queue = MeasureSegment({.stations = 1,
                                               .bytes = 1000,
                                               .load = load,
                                               .ring = 100000,
                                               .duration = Seconds(150)});
            const double service = 816;
            const double rho = load * service / 800;
            NS_TEST_EXPECT_MSG_EQ_TOL(ComputeMean(queue.delays),
                                      806.4 + rho * service / (2 * (1 - rho)),
                                      0.02 * 1800,
                                      "mean delay of an M/D/1 queue at load " << load);
            NS_TEST_EXPECT_MSG_EQ_TOL(queue.utilization, load, 0.01 * load, "carried load");
        }

        // Values of an independent simulation in slots and bits: 0.95 and 0.72; 6 % given up.
        const auto longer = MeasureSegment({.stations = 16, .bytes = 1042});
        const auto lost = static_cast<double>(longer.lost);
        NS_TEST_EXPECT_MSG_EQ_TOL(longer.utilization,
                                  0.95,
                                  0.01,
                                  "utilization with frames of 1042 bytes");
        NS_TEST_EXPECT_MSG_EQ_TOL(lost / (lost + static_cast<double>(longer.sent)),
                                  0.06,
                                  0.01,
                                  "frames that are given up");
        // Each station always has a frame, so the accesses of all frames fill its time.
        NS_TEST_EXPECT_MSG_EQ_TOL(ComputeMean(longer.accesses) *
                                      (lost + static_cast<double>(longer.sent)),
                                  16 * 4e6,
                                  16 * 4e4,
                                  "mean access of frames sent and given up");
        const auto shorter = MeasureSegment({.stations = 16, .bytes = 64});
        NS_TEST_EXPECT_MSG_EQ_TOL(shorter.utilization,
                                  0.72,
                                  0.01,
                                  "utilization with frames of 64 bytes");
        NS_TEST_EXPECT_MSG_LT(shorter.eventsPerFrame,
                              4,
                              "events for each frame, although many stations wait");
    }
};

/** The test suite of the segment. */
class SegmentTestSuite : public TestSuite
{
  public:
    SegmentTestSuite()
        : TestSuite("broadcast-ethernet-segment", Type::UNIT)
    {
        AddTestCase(new RateTestCase, TestCase::Duration::QUICK);
        AddTestCase(new IdleTestCase, TestCase::Duration::QUICK);
        AddTestCase(new BackoffTestCase, TestCase::Duration::QUICK);
        AddTestCase(new LateTestCase, TestCase::Duration::QUICK);
        for (const int64_t spacing : {0, 400, 2200})
        {
            for (const int64_t interval : {5, 30})
            {
                AddTestCase(new ConservationTestCase(NanoSeconds(spacing), MilliSeconds(interval)),
                            TestCase::Duration::QUICK);
            }
        }
        AddTestCase(new EventTestCase, TestCase::Duration::QUICK);
        AddTestCase(new CaptureTestCase, TestCase::Duration::QUICK);
        AddTestCase(new LoadTestCase, TestCase::Duration::QUICK);
    }
};

SegmentTestSuite g_segmentTestSuite; ///< The test suite.

} // namespace
} // namespace tests
} // namespace ethernet
} // namespace ns3
