/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/boolean.h"
#include "ns3/broadcast-ethernet-segment.h"
#include "ns3/double.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <compare>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <vector>

/**
 * @file
 * @ingroup broadcast-ethernet
 * Tests of CSMA/CD: a collision by hand, bit for bit against the processes of IEEE 802.3, closed
 * forms, backoff, late collisions, conservation.
 */

namespace ns3
{
namespace ethernet
{
namespace tests
{
namespace
{

/** Speed of signals with which a metre takes a nanosecond. */
constexpr double NANOSECOND_METRE = 1e9;

/** Bits of a jam. */
constexpr int64_t JAM_BITS = 32;

/** Bits of a slot. */
constexpr int64_t SLOT_BITS = 512;

/** Bits of the part of the gap in which a carrier is heeded. */
constexpr int64_t FIRST_PART_BITS = 64;

/** An attempt in bit times, as segment and oracle both tell it; -1 for none. */
struct BitAttempt
{
    uint32_t station{0};   ///< Who has sent.
    uint32_t number{0};    ///< Number of the attempt.
    int64_t begin{0};      ///< First bit.
    int64_t collision{-1}; ///< When the collision was noticed.
    int64_t end{0};        ///< Last bit.

    /** Compare. @return whether all is equal */
    auto operator<=>(const BitAttempt&) const = default;
};

/** A station that sends frames which arrive at given times, and counts what it receives. */
class TestStation : public MediumUser
{
  public:
    /**
     * Construct.
     * @param medium what to attach to
     */
    explicit TestStation(Ptr<EthernetMedium> medium)
        : m_medium(medium),
          m_number(medium->Attach(this, nullptr))
    {
    }

    TestStation(const TestStation&) = delete;
    TestStation& operator=(const TestStation&) = delete;

    /**
     * Send a frame.
     * @param when when it arrives at the station
     * @param bytes its length
     */
    void SendAt(Time when, uint32_t bytes)
    {
        const Ptr<WireFrame> frame =
            Create<WireFrame>(Mac48Address::GetBroadcast(), Mac48Address(), 0, bytes);
        Simulator::Schedule(when, [this, frame] {
            m_queue.push_back(frame);
            if (m_queue.size() == 1)
            {
                m_medium->Transmit(m_number, frame);
            }
        });
    }

    void OnTransmitBegin(uint32_t attempt) override
    {
        begins.emplace_back(attempt, Simulator::Now());
    }

    void OnCollision(uint32_t /* attempt */) override
    {
        ++collisions;
    }

    void OnTransmitEnd(TxOutcome outcome) override
    {
        outcomes.push_back(outcome);
        m_queue.pop_front();
        if (!m_queue.empty())
        {
            m_medium->Transmit(m_number, m_queue.front());
        }
    }

    bool Wants(const WireFrame& /* frame */) const override
    {
        return true;
    }

    void OnReceive(Ptr<const WireFrame> /* frame */, bool bad) override
    {
        received.push_back(Simulator::Now());
        damaged += bad;
    }

    /** @return the frames that it still has. */
    std::size_t GetNWaiting() const
    {
        return m_queue.size();
    }

    std::vector<std::pair<uint32_t, Time>> begins; ///< Attempts that began: number, time.
    std::vector<TxOutcome> outcomes;               ///< How frames have ended.
    std::vector<Time> received;                    ///< When frames have arrived.
    uint32_t collisions{0};                        ///< Attempts that have collided.
    uint32_t damaged{0};                           ///< Frames that arrived damaged.

  private:
    Ptr<EthernetMedium> m_medium;             ///< The medium.
    uint32_t m_number;                        ///< Number on it.
    std::deque<Ptr<const WireFrame>> m_queue; ///< Frames; the medium has the first.
};

/** A segment of 10 Mbit/s with stations in given places. */
struct TestSegment
{
    /**
     * Construct.
     * @param delays delay of each place from the origin of the cable
     * @param stream random stream
     */
    explicit TestSegment(const std::vector<Time>& delays, int64_t stream = 1)
    {
        segment->SetAttribute("Delay", TimeValue(Time(0)));
        segment->SetAttribute("PropagationSpeed", DoubleValue(NANOSECOND_METRE));
        segment->AssignStreams(stream);
        segment->TraceConnectWithoutContext(
            "Attempt",
            Callback<void, const EthernetSegment::Attempt&>(
                [this](const EthernetSegment::Attempt& attempt) { attempts.push_back(attempt); }));
        for (const Time& delay : delays)
        {
            stations.push_back(std::make_unique<TestStation>(segment));
            segment->SetPosition(static_cast<uint32_t>(stations.size() - 1),
                                 delay.ToDouble(Time::NS));
        }
    }

    TestSegment(const TestSegment&) = delete;
    TestSegment& operator=(const TestSegment&) = delete;

    /** @return all attempts in bit times, in order. */
    std::vector<BitAttempt> GetBitAttempts() const
    {
        const auto bits = [](const Time& time) {
            return time.IsStrictlyNegative() ? -1 : time.GetNanoSeconds() / 100;
        };
        std::vector<BitAttempt> found;
        for (const auto& attempt : attempts)
        {
            found.push_back(BitAttempt{attempt.station,
                                       attempt.number,
                                       bits(attempt.begin),
                                       bits(attempt.collision),
                                       bits(attempt.end)});
        }
        return found;
    }

    Ptr<EthernetSegment> segment = CreateObject<EthernetSegment>(); ///< The segment.
    std::vector<std::unique_ptr<TestStation>> stations;             ///< Its stations.
    std::vector<EthernetSegment::Attempt> attempts;                 ///< Attempts that are over.
};

/** On an idle wire a frame arrives after its bits and the delay; a queue of them a gap apart. */
class IdleTestCase : public TestCase
{
  public:
    IdleTestCase()
        : TestCase("closed form of latency and rate on an idle segment")
    {
    }

  private:
    void DoRun() override
    {
        for (const uint32_t bytes : {64U, 65U, 512U, 1518U})
        {
            for (const int64_t delay : {int64_t{0}, int64_t{100}, int64_t{4567}, int64_t{25600}})
            {
                TestSegment net({Time(0), NanoSeconds(delay)});
                for (uint32_t n = 0; n < 3; ++n)
                {
                    net.stations[0]->SendAt(MicroSeconds(10), bytes);
                }
                Simulator::Run();
                const int64_t wire = (64 + 8 * bytes) * 100;
                for (uint32_t n = 0; n < 3; ++n)
                {
                    NS_TEST_EXPECT_MSG_EQ(net.stations[1]->received[n].GetNanoSeconds(),
                                          10000 + n * (wire + 9600) + wire + delay,
                                          "preamble, frame, delay; and a gap between frames");
                }
                NS_TEST_EXPECT_MSG_EQ(net.stations[0]->received.empty(),
                                      true,
                                      "nobody hears himself");
                NS_TEST_EXPECT_MSG_EQ(net.segment->GetCounters().collided, 0, "no collision");
                Simulator::Destroy();
            }
        }
    }
};

/**
 * Two stations 50 bit times apart; the second starts 20 bits before it hears the first. By hand:
 *
 * @verbatim
   bit    A                                   B
     0    begins
    30                                        begins, since it hears nothing
    50                                        hears A: collision; its preamble lasts until 94
    80    hears B: collision; jam until 112
   112    silent; draws a from {0, 1}
   126                                        jam from 94 is over; draws b from {0, 1}
   162                                        A is silent here: gap until 258
   176    B is silent here: gap until 272
   a b
   0 0    272                                 258: again a collision, B's signal is at A at 308
   0 1    272                                 126 + 512 = 638, A is here from 322 on: B waits
   1 0    112 + 512 = 624, B is here: waits   258
   1 1    624                                 638: again a collision, A's signal is here at 674
   @endverbatim
 */
class HandTestCase : public TestCase
{
  public:
    HandTestCase()
        : TestCase("a collision of two stations, bit by bit")
    {
    }

  private:
    void DoRun() override
    {
        constexpr int64_t frame = 64 + 8 * 1518;
        const std::map<std::pair<uint32_t, uint32_t>, std::vector<BitAttempt>> expected{
            // The second attempts that are over, in the order of their ends.
            {{0, 0}, {{0, 2, 272, 308, 272 + 64 + 32}, {1, 2, 258, 322, 322 + 32}}},
            {{0, 1}, {{0, 2, 272, -1, 272 + frame}}},
            {{1, 0}, {{1, 2, 258, -1, 258 + frame}}},
            {{1, 1}, {{0, 2, 624, 688, 688 + 32}, {1, 2, 638, 674, 638 + 64 + 32}}},
        };
        std::set<std::pair<uint32_t, uint32_t>> seen;
        for (int64_t stream = 1; stream < 100 && seen.size() < 4; ++stream)
        {
            const auto random = CreateObject<UniformRandomVariable>();
            random->SetStream(stream);
            const uint32_t a = random->GetInteger(0, 1);
            const uint32_t b = random->GetInteger(0, 1);
            if (!seen.insert({a, b}).second)
            {
                continue;
            }
            TestSegment net({Time(0), NanoSeconds(5000)}, stream);
            net.stations[0]->SendAt(Time(0), 1518);
            net.stations[1]->SendAt(NanoSeconds(3000), 1518);
            Simulator::Run();
            auto attempts = net.GetBitAttempts();
            const BitAttempt firstA{0, 1, 0, 80, 112};
            const BitAttempt firstB{1, 1, 30, 50, 126};
            NS_TEST_ASSERT_MSG_EQ((attempts[0] == firstA), true, "A's first attempt");
            NS_TEST_ASSERT_MSG_EQ((attempts[1] == firstB), true, "B's first attempt");
            for (const BitAttempt& attempt : expected.at({a, b}))
            {
                NS_TEST_EXPECT_MSG_EQ(
                    (std::find(attempts.begin(), attempts.end(), attempt) != attempts.end()),
                    true,
                    "second attempt of station " << attempt.station << " after " << a << " and "
                                                 << b << " slots");
            }
            if (a != b)
            {
                // The one that waited sends a gap after it has heard the last of the other.
                const auto other = a == 0 ? 1U : 0U;
                const int64_t quiet = expected.at({a, b})[0].end + 50;
                const BitAttempt last{other, 2, quiet + 96, -1, quiet + 96 + frame};
                NS_TEST_EXPECT_MSG_EQ((attempts.back() == last), true, "the one that waited");
            }
            Simulator::Destroy();
        }
        NS_TEST_EXPECT_MSG_EQ(seen.size(), 4, "all draws have been seen");
    }
};

/**
 * The processes of IEEE 802.3, 4.2.8 (Deference, BitTransmitter, BackOff, CollisionDetect), stepped
 * bit by bit for all stations. Nothing of it is shared with EthernetSegment but the order in which
 * random numbers are drawn.
 */
class BitOracle
{
  public:
    /** A station. */
    struct Station
    {
        int64_t place{0};                                  ///< Delay from the origin [bits].
        std::deque<std::pair<int64_t, uint32_t>> arrivals; ///< Frames: when, bytes.
        int64_t ready{0};                                  ///< End of backoff.
        uint32_t attempts{0};                              ///< Attempts with the first frame.
        bool transmitting{false};                          ///< Frame or jam.
        BitAttempt current;                                ///< What it transmits.
        uint64_t begun{0};                                 ///< How many began before.
        std::vector<std::pair<int64_t, int64_t>> past;     ///< What it has: begin, end.

        /** Process Deference. */
        enum
        {
            FREE,
            BUSY,
            GAP
        } deference{FREE};

        bool wasTransmitting{false}; ///< Its variable of that name.
        int64_t gapBegin{0};         ///< When the gap began.
    };

    /**
     * Run.
     * @param stations the stations
     * @param stream random stream
     * @param limit bits
     * @return all attempts that have ended
     */
    static std::vector<BitAttempt> Run(std::vector<Station> stations, int64_t stream, int64_t limit)
    {
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(stream);
        std::vector<BitAttempt> over;
        uint64_t begun = 0;
        for (int64_t now = 0; now < limit; ++now)
        {
            std::vector<uint32_t> ended;
            for (uint32_t k = 0; k < stations.size(); ++k)
            {
                if (stations[k].transmitting && stations[k].current.end == now)
                {
                    ended.push_back(k);
                }
            }
            std::stable_sort(ended.begin(), ended.end(), [&](uint32_t a, uint32_t b) {
                return stations[a].begun < stations[b].begun;
            });
            for (const uint32_t k : ended)
            {
                End(stations[k], *random, over);
            }
            for (Station& self : stations)
            {
                if (self.deference == Station::GAP && now >= self.gapBegin + GAP_BITS)
                {
                    self.deference = Station::FREE;
                }
            }
            // Of those that begin in one bit, frames that have just arrived are first: the order
            // in which backoffs are drawn.
            for (const bool arriving : {true, false})
            {
                for (uint32_t k = 0; k < stations.size(); ++k)
                {
                    Begin(stations[k], k, arriving, now, begun);
                }
            }
            for (Station& self : stations)
            {
                Observe(self, Hears(stations, self, now), now);
            }
        }
        return over;
    }

  private:
    /**
     * Begin a transmission, if the station has a frame and may.
     * @param self the station
     * @param number its number
     * @param arriving only if the frame arrives now, or only if it has arrived before
     * @param now the time
     * @param begun transmissions that have begun; updated
     */
    static void Begin(Station& self, uint32_t number, bool arriving, int64_t now, uint64_t& begun)
    {
        if (self.transmitting || self.arrivals.empty() || now < self.arrivals.front().first ||
            now < self.ready || self.deference != Station::FREE ||
            arriving != (now == self.arrivals.front().first))
        {
            return;
        }
        self.transmitting = true;
        self.begun = begun++;
        ++self.attempts;
        self.current = {number,
                        self.attempts,
                        now,
                        -1,
                        now + PREAMBLE_BITS + 8 * self.arrivals.front().second};
    }

    /**
     * A transmission has ended.
     * @param self the station
     * @param random draws
     * @param over attempts that are over; added to
     */
    static void End(Station& self, UniformRandomVariable& random, std::vector<BitAttempt>& over)
    {
        self.transmitting = false;
        self.past.emplace_back(self.current.begin, self.current.end);
        over.push_back(self.current);
        if (self.current.collision >= 0 && self.attempts < 16)
        {
            const uint32_t range = 1U << std::min(self.attempts, 10U);
            self.ready = self.current.end + SLOT_BITS * random.GetInteger(0, range - 1);
            return;
        }
        self.arrivals.pop_front();
        self.attempts = 0;
        self.ready = 0;
    }

    /**
     * Look whether a station hears another.
     * @param stations all stations
     * @param self the station
     * @param now the time
     * @return whether any other's signal is there
     */
    static bool Hears(const std::vector<Station>& stations, const Station& self, int64_t now)
    {
        for (const Station& other : stations)
        {
            const int64_t then = now - std::abs(self.place - other.place);
            if (&other == &self)
            {
                continue;
            }
            if (other.transmitting && other.current.begin <= then && then < other.current.end)
            {
                return true;
            }
            for (auto past = other.past.rbegin();
                 past != other.past.rend() && past->second > then - 1;
                 ++past)
            {
                if (past->first <= then && then < past->second)
                {
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * Processes Deference and CollisionDetect of a station.
     * @param self the station
     * @param hears whether it hears another
     * @param now the time
     */
    static void Observe(Station& self, bool hears, int64_t now)
    {
        if (self.transmitting && hears && self.current.collision < 0)
        {
            self.current.collision = now;
            self.current.end =
                std::max<int64_t>(now, self.current.begin + PREAMBLE_BITS) + JAM_BITS;
        }
        const bool sense = hears || self.transmitting;
        if (self.deference == Station::GAP)
        {
            if (now < self.gapBegin + FIRST_PART_BITS && !self.wasTransmitting && sense)
            {
                self.deference = Station::BUSY;
            }
        }
        else if (sense)
        {
            self.wasTransmitting = self.deference == Station::BUSY
                                       ? self.wasTransmitting || self.transmitting
                                       : self.transmitting;
            self.deference = Station::BUSY;
        }
        else if (self.deference == Station::BUSY)
        {
            self.deference = Station::GAP;
            self.gapBegin = now;
        }
    }
};

/** Random traffic gives the very attempts that the standard's processes give, bit for bit. */
class OracleTestCase : public TestCase
{
  public:
    /**
     * Construct.
     * @param places delay of each station from the origin of the cable [bits]
     * @param meanGap mean time between the frames of a station [bits]
     * @param bits how long it runs [bits]
     */
    OracleTestCase(std::vector<int64_t> places, double meanGap, int64_t bits)
        : TestCase("the processes of IEEE 802.3, bit for bit: " + std::to_string(places.size()) +
                   " stations over " + std::to_string(places.back()) + " bits, a frame each " +
                   std::to_string(static_cast<int64_t>(meanGap))),
          m_places(std::move(places)),
          m_meanGap(meanGap),
          m_bits(bits)
    {
    }

  private:
    void DoRun() override
    {
        std::vector<Time> delays;
        for (const int64_t place : m_places)
        {
            delays.push_back(NanoSeconds(100 * place));
        }
        TestSegment net(delays, 7);
        std::vector<BitOracle::Station> stations(m_places.size());
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(8);
        std::set<int64_t> taken;
        for (uint32_t k = 0; k < stations.size(); ++k)
        {
            stations[k].place = m_places[k];
            for (int64_t when = 0; when < m_bits;
                 when += static_cast<int64_t>(2 * m_meanGap * random->GetValue()))
            {
                // Frames that arrive in the same bit would be begun in the order of the events.
                while (!taken.insert(when).second)
                {
                    ++when;
                }
                const uint32_t bytes = random->GetValue() < 0.5 ? 64 : random->GetInteger(64, 300);
                stations[k].arrivals.emplace_back(when, bytes);
                net.stations[k]->SendAt(NanoSeconds(100 * when), bytes);
            }
        }
        Simulator::Stop(NanoSeconds(100 * m_bits - 1));
        Simulator::Run();
        const auto found = net.GetBitAttempts();
        const auto expected = BitOracle::Run(stations, 7, m_bits);
        uint32_t collisions = 0;
        for (std::size_t n = 0; n < std::min(found.size(), expected.size()); ++n)
        {
            collisions += expected[n].collision >= 0;
            const auto& [station, number, begin, collision, end] = expected[n];
            NS_TEST_ASSERT_MSG_EQ(
                (found[n] == expected[n]),
                true,
                "attempt " << n << ": station " << found[n].station << ", " << found[n].begin
                           << " to " << found[n].end << ", collision " << found[n].collision
                           << " instead of station " << station << ", " << begin << " to " << end
                           << ", collision " << collision << ", number " << number);
        }
        NS_TEST_EXPECT_MSG_EQ(found.size(), expected.size(), "as many attempts");
        NS_TEST_EXPECT_MSG_GT(collisions, 25, "collisions are what is tested");
        Simulator::Destroy();
    }

    std::vector<int64_t> m_places; ///< Delays from the origin [bits].
    double m_meanGap;              ///< Mean time between frames of a station [bits].
    int64_t m_bits;                ///< How long it runs [bits].
};

/** Backoffs are whole slots, uniform over the range that the attempt allows; 16 attempts. */
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
            NS_TEST_ASSERT_MSG_EQ(backoff % 51200, 0, "whole slots");
            greatest[attempt.number] = std::max(greatest[attempt.number], backoff / 51200);
            sums[attempt.number].first += static_cast<double>(backoff) / 51200;
            sums[attempt.number].second += 1;
        }
        NS_TEST_EXPECT_MSG_EQ(sums.rbegin()->first, 15, "there is no backoff after the last");
        for (const auto& [number, sum] : sums)
        {
            const double range = 1U << std::min(number, 10U);
            NS_TEST_EXPECT_MSG_LT(static_cast<double>(greatest[number]), range, "range");
            // Five standard errors of the mean of a uniform distribution.
            NS_TEST_EXPECT_MSG_EQ_TOL(sum.first / sum.second,
                                      (range - 1) / 2,
                                      5 * range / std::sqrt(12 * sum.second),
                                      "mean after attempt " << number);
        }
        NS_TEST_EXPECT_MSG_EQ(net.segment->GetCounters().excessiveCollisions, given, "counted");
        NS_TEST_EXPECT_MSG_GT(given, 0, "frames are given up under such a load");
        Simulator::Destroy();
    }
};

/** On a cable that is too long, collisions come late and receivers get damaged frames. */
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
        for (const bool retry : {false, true})
        {
            // 30 us apart: A hears B's signal, begun at 29 us, at 59 us, 590 bits into its frame.
            TestSegment net({Time(0), MicroSeconds(30), MicroSeconds(15)});
            net.segment->SetAttribute("RetryLate", BooleanValue(retry));
            net.stations[0]->SendAt(Time(0), 1518);
            net.stations[1]->SendAt(MicroSeconds(29), 1518);
            Simulator::Run();
            const auto& counters = net.segment->GetCounters();
            NS_TEST_EXPECT_MSG_EQ(counters.lateCollisions, 1, "A's collision is late, B's is not");
            NS_TEST_EXPECT_MSG_EQ(counters.lateDrops,
                                  (retry ? 0 : 1),
                                  "repeated only if asked for");
            NS_TEST_EXPECT_MSG_EQ((net.stations[0]->outcomes[0] ==
                                   (retry ? TxOutcome::SENT : TxOutcome::LATE_COLLISION)),
                                  true,
                                  "A is told");
            NS_TEST_EXPECT_MSG_EQ((net.stations[1]->outcomes[0] == TxOutcome::SENT),
                                  true,
                                  "B repeats");
            NS_TEST_EXPECT_MSG_EQ(net.stations[2]->received.size(),
                                  (retry ? 2 : 1),
                                  "what is left");
            Simulator::Destroy();
        }
        // So long that short frames are over before they meet: nobody notices, C in the middle
        // gets both at once.
        TestSegment net({Time(0), MicroSeconds(200), MicroSeconds(100)});
        net.stations[0]->SendAt(Time(0), 64);
        net.stations[1]->SendAt(Time(0), 64);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(net.segment->GetCounters().collided, 0, "no sender notices");
        NS_TEST_EXPECT_MSG_EQ(net.stations[2]->damaged, 2, "both frames are damaged in the middle");
        NS_TEST_EXPECT_MSG_EQ(net.stations[0]->damaged + net.stations[1]->damaged,
                              0,
                              "and intact at the ends");
        Simulator::Destroy();
    }
};

/** Each frame is sent, given up or waits; each frame sent arrives everywhere, once and intact. */
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
        // What is on its way when the simulation stops is taken as waiting.
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
        NS_TEST_EXPECT_MSG_EQ(sent + given + waiting, offered, "all frames are accounted for");
        NS_TEST_EXPECT_MSG_EQ(counters.sent, sent, "sent");
        NS_TEST_EXPECT_MSG_EQ(counters.excessiveCollisions + counters.lateDrops, given, "given up");
        NS_TEST_EXPECT_MSG_EQ(counters.lateCollisions + counters.damaged,
                              0,
                              "on a cable of allowed length");
        const uint64_t under = net.segment->IsCarrierSensed(0) ? 1 : 0;
        NS_TEST_EXPECT_MSG_GT_OR_EQ(counters.attempts, counters.sent + counters.collided, "ended");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(counters.attempts - counters.sent - counters.collided,
                                    under * n,
                                    "the others are under way");
        for (const auto& station : net.stations)
        {
            std::size_t own = 0;
            for (const TxOutcome outcome : station->outcomes)
            {
                own += outcome == TxOutcome::SENT;
            }
            const std::size_t missing = sent - own - station->received.size();
            NS_TEST_EXPECT_MSG_LT_OR_EQ(missing, 1, "all arrive, but one that is on its way");
            NS_TEST_EXPECT_MSG_EQ(station->damaged, 0, "intact");
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
        NS_TEST_EXPECT_MSG_EQ(counters.sent + counters.excessiveCollisions, 200, "all are done");
        // A beginning, an end and an arrival for each frame; at most two for each collision.
        NS_TEST_EXPECT_MSG_LT(counters.events,
                              3 * counters.sent + 2 * counters.collided,
                              "events by what happens on the wire");
        Simulator::Destroy();
    }
};

/** The test suite of the segment. */
class SegmentTestSuite : public TestSuite
{
  public:
    SegmentTestSuite()
        : TestSuite("broadcast-ethernet-segment", Type::UNIT)
    {
        AddTestCase(new IdleTestCase, TestCase::Duration::QUICK);
        AddTestCase(new HandTestCase, TestCase::Duration::QUICK);
        const std::vector<int64_t> close{0, 10};
        const std::vector<int64_t> cable{0, 3, 50, 51, 120, 200};
        const std::vector<int64_t> mixed{0, 90, 15, 140, 70, 30, 110, 64, 32, 230};
        AddTestCase(new OracleTestCase(close, 800, 1000000), TestCase::Duration::QUICK);
        AddTestCase(new OracleTestCase(cable, 3000, 1000000), TestCase::Duration::QUICK);
        AddTestCase(new OracleTestCase(cable, 10000, 1000000), TestCase::Duration::QUICK);
        AddTestCase(new OracleTestCase(mixed, 3000, 500000), TestCase::Duration::QUICK);
        AddTestCase(new OracleTestCase(mixed, 20000, 20000000), TestCase::Duration::EXTENSIVE);
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
    }
};

static SegmentTestSuite g_segmentTestSuite; ///< The test suite.

} // namespace
} // namespace tests
} // namespace ethernet
} // namespace ns3
