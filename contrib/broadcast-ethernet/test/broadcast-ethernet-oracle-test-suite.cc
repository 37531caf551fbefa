/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "broadcast-ethernet-test-stations.h"

#include "ns3/random-variable-stream.h"
#include "ns3/test.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

/**
 * @file
 * @ingroup broadcast-ethernet
 * CSMA/CD against a calculation by hand, and against the processes of IEEE 802.3, bit for bit.
 */

namespace ns3
{
namespace ethernet
{
namespace tests
{
namespace
{

/** Bits of a jam. */
constexpr int64_t JAM_BITS = 32;

/** Bits of a slot. */
constexpr int64_t SLOT_BITS = 512;

/** Bits of the first part of the gap, in which a carrier restarts it. */
constexpr int64_t FIRST_PART_BITS = 64;

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
            // Finished second attempts, in the order of their ends.
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
            NS_TEST_ASSERT_MSG_EQ(attempts[0], firstA, "A's first attempt");
            NS_TEST_ASSERT_MSG_EQ(attempts[1], firstB, "B's first attempt");
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
                // The waiting station sends a gap after the end of the other's signal.
                const auto other = a == 0 ? 1U : 0U;
                const int64_t quiet = expected.at({a, b})[0].end + 50;
                const BitAttempt last{other, 2, quiet + 96, -1, quiet + 96 + frame};
                NS_TEST_EXPECT_MSG_EQ(attempts.back(), last, "the attempt of the waiting station");
            }
            Simulator::Destroy();
        }
        NS_TEST_EXPECT_MSG_EQ(seen.size(), 4, "pairs of draws that have been seen");
    }
};

/**
 * The two parts of the gap. D, at 200 bits, begins at 0. A at 0 and E at 1 begin at b and end their
 * collision after 96 bits, so that a fourth station next to A senses them until b + 97, and D from
 * 200 on. Its frame comes at 205.
 *
 * For b = 23 it hears D 80 bits after the silence began: D is not heeded, and it begins at the end
 * of the gap, 120 + 96. For b = 63 it hears D after 40 bits: the gap begins anew at the end of D's
 * jam, which D began when it heard E at 262: 262 + 32 + 200 + 96 = 590, or later if others retry.
 */
class GapTestCase : public TestCase
{
  public:
    GapTestCase()
        : TestCase("a carrier in the first part of the gap, and in the second")
    {
    }

  private:
    /**
     * Run.
     * @param b when A and E begin
     * @return the first attempt of the fourth station
     */
    static BitAttempt Run(int64_t b)
    {
        TestSegment net({Time(0), Time(0), NanoSeconds(100), NanoSeconds(20000)});
        net.stations[3]->SendAt(Time(0), 1518);
        net.stations[1]->SendAt(NanoSeconds(100 * b), 1518);
        net.stations[2]->SendAt(NanoSeconds(100 * b), 1518);
        net.stations[0]->SendAt(NanoSeconds(20500), 64);
        Simulator::Run();
        const auto attempts = net.GetBitAttempts();
        const auto first =
            std::find_if(attempts.begin(), attempts.end(), [](const BitAttempt& attempt) {
                return attempt.station == 0;
            });
        const BitAttempt found = first == attempts.end() ? BitAttempt{} : *first;
        Simulator::Destroy();
        return found;
    }

    void DoRun() override
    {
        const BitAttempt second = Run(23);
        const BitAttempt expected{0, 1, 216, 216, 216 + 64 + 32};
        NS_TEST_EXPECT_MSG_EQ(second, expected, "a carrier in the second part is ignored");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(Run(63).begin,
                                    590,
                                    "one in the first part begins the gap anew");
    }
};

/**
 * The processes of IEEE 802.3, 4.2.8 (Deference, BitTransmitter, BackOff, CollisionDetect),
 * executed bit by bit for all stations. The oracle shares nothing with EthernetSegment except the
 * order of random draws.
 */
class BitOracle
{
  public:
    /** A station. */
    struct Station
    {
        int64_t place{0};                                  ///< Delay from the origin [bits].
        std::deque<std::pair<int64_t, uint32_t>> arrivals; ///< Frames: arrival, length [bytes].
        int64_t ready{0};                                  ///< End of backoff.
        uint32_t attempts{0};                              ///< Attempts with the first frame.
        bool transmitting{false};                          ///< It sends a frame or a jam.
        BitAttempt current;                                ///< Current attempt.
        uint64_t begun{0};                                 ///< Number of its begun attempts.
        std::vector<std::pair<int64_t, int64_t>> past;     ///< Finished transmissions: begin, end.

        /** Process Deference. */
        enum
        {
            FREE,
            BUSY,
            GAP
        } deference{FREE};

        bool wasTransmitting{false}; ///< Variable of that name in the standard.
        int64_t gapBegin{0};         ///< Start of the gap.
    };

    /**
     * Run.
     * @param stations the stations
     * @param stream random stream
     * @param limit bits
     * @return all finished attempts
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
            // In the same bit, newly arrived frames go first: the order in which backoffs are
            // drawn.
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
     * Begin a transmission, if the station has a frame and is permitted to send.
     * @param self the station
     * @param number its number
     * @param arriving whether to begin only a frame that arrives now, or only an older one
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
     * End a transmission.
     * @param self the station
     * @param random source of random numbers
     * @param over finished attempts; extended
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
     * Check whether a station senses the signal of another.
     * @param stations all stations
     * @param self the station
     * @param now the time
     * @return whether it does
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
     * @param hears whether it senses another signal
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

/** Random traffic leads to exactly the attempts of the standard's processes, bit for bit. */
class OracleTestCase : public TestCase
{
  public:
    /**
     * Construct.
     * @param places delay of each station from the origin of the cable [bits]
     * @param meanGap mean time between the frames of a station [bits]
     * @param bits duration [bits]
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
        delays.reserve(m_places.size());
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
                // Frames that arrive in the same bit would begin in the order of events.
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
            if (expected[n].collision >= 0)
            {
                ++collisions;
            }
            NS_TEST_ASSERT_MSG_EQ(found[n], expected[n], "attempt " << n << " in all");
        }
        NS_TEST_EXPECT_MSG_EQ(found.size(), expected.size(), "number of attempts");
        NS_TEST_EXPECT_MSG_GT(collisions, 25, "attempts with a collision");
        Simulator::Destroy();
    }

    std::vector<int64_t> m_places; ///< Delays from the origin [bits].
    double m_meanGap;              ///< Mean time between frames of a station [bits].
    int64_t m_bits;                ///< Duration [bits].
};

/** The test suite of the oracle. */
class OracleTestSuite : public TestSuite
{
  public:
    OracleTestSuite()
        : TestSuite("broadcast-ethernet-oracle", Type::UNIT)
    {
        AddTestCase(new HandTestCase, TestCase::Duration::QUICK);
        AddTestCase(new GapTestCase, TestCase::Duration::QUICK);
        const std::vector<int64_t> close{0, 10};
        const std::vector<int64_t> cable{0, 3, 50, 51, 120, 200};
        const std::vector<int64_t> mixed{0, 90, 15, 140, 70, 30, 110, 64, 32, 230};
        AddTestCase(new OracleTestCase(close, 800, 1000000), TestCase::Duration::QUICK);
        AddTestCase(new OracleTestCase(cable, 3000, 1000000), TestCase::Duration::QUICK);
        AddTestCase(new OracleTestCase(cable, 10000, 1000000), TestCase::Duration::QUICK);
        AddTestCase(new OracleTestCase(mixed, 3000, 500000), TestCase::Duration::QUICK);
        AddTestCase(new OracleTestCase(mixed, 20000, 20000000), TestCase::Duration::EXTENSIVE);
    }
};

OracleTestSuite g_oracleTestSuite; ///< The test suite.

} // namespace
} // namespace tests
} // namespace ethernet
} // namespace ns3
