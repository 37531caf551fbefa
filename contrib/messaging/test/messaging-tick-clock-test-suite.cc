/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-list-text.h"

#include "ns3/messaging-tick-clock.h"
#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Tests of the tick clock: order, range, skipped ticks, the stepper, and a comparison with a sorted
 * map.
 */

namespace ns3
{
namespace messaging
{
namespace tests
{
namespace
{

/** Passes events to a function. */
class Listener : public TickUser
{
  public:
    void OnTick(Peer peer, uint64_t datum) override
    {
        m_called(peer, datum);
    }

    std::function<void(Peer, uint64_t)> m_called; ///< Called for each event.
};

/** A network that is busy for some ticks. */
class Stepper : public TickStepper
{
  public:
    bool Step(Ticks now) override
    {
        m_steps.push_back(now);
        if (m_onStep)
        {
            m_onStep(now);
        }
        return m_busy && --m_busy > 0;
    }

    std::vector<Ticks> m_steps;          ///< Ticks of its steps.
    std::function<void(Ticks)> m_onStep; ///< Called in each step.
    uint32_t m_busy{0};                  ///< Remaining steps.
};

/** Events on all levels, placed in all possible ways. */
class OrderCase : public TestCase
{
  public:
    OrderCase()
        : TestCase("events are served at their tick, in the order in which they were placed")
    {
    }

  private:
    void DoRun() override
    {
        auto clock = CreateObject<TickClock>();
        Listener listener;
        const auto user = clock->Register(&listener);
        std::vector<std::pair<Ticks, uint64_t>> called;
        listener.m_called = [&](Peer, uint64_t datum) {
            called.emplace_back(clock->Now(), datum);
            if (datum == 1)
            {
                clock->At(clock->Now(), user, 0, 100);
                clock->At(clock->Now() - 1, user, 0, 101);
            }
        };
        // One event on each level of the wheel, each with a second one on the same tick placed from
        // nearer.
        std::vector<std::pair<Ticks, uint64_t>> expected;
        Ticks when = 7;
        for (uint64_t i = 0; i < 9; ++i, when = when * 64 + 13)
        {
            clock->At(when, user, 0, 10 + i);
            clock->At(when - 3, user, 0, 20 + i);
            expected.emplace_back(when - 3, 20 + i);
            expected.emplace_back(when, 10 + i);
        }
        clock->At(1, user, 0, 0);
        clock->At(1, user, 0, 1);
        clock->At(1, user, 0, 2);
        expected.insert(expected.begin(), {{1, 0}, {1, 1}, {1, 2}, {1, 100}, {1, 101}});
        clock->At(NEVER, user, 0, 999);
        clock->At(NEVER / 2 + 5, user, 0, 998);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(
            ListText(called),
            ListText(expected),
            "events are called in order of time, and first in first out within a tick");
        NS_TEST_EXPECT_MSG_EQ(clock->GetNPending(),
                              2,
                              "an event beyond the end of time stays pending");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(Simulator::GetEventCount(),
                                    19 * 9,
                                    "idle ticks cost nothing, and a busy one an event a level");
        clock->Dispose();
        Simulator::Destroy();
    }
};

/** The wheel against a sorted map, with random operations, at several lengths of a tick. */
class ReferenceCase : public TestCase
{
  public:
    ReferenceCase()
        : TestCase("random operations give what a sorted map gives")
    {
    }

  private:
    /** Calls: tick, peer, datum. */
    using Record = std::vector<std::tuple<Ticks, Peer, uint64_t>>;

    /**
     * Run random operations.
     * @param stepsPerTick length of a tick [ns]
     * @param seed seed of the random operations
     * @return the calls
     */
    Record RunOnce(int64_t stepsPerTick, int64_t seed)
    {
        auto clock = CreateObject<TickClock>();
        clock->SetAttribute("TickLength", TimeValue(NanoSeconds(stepsPerTick)));
        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(seed);
        Listener listener;
        const auto user = clock->Register(&listener);
        std::multimap<Ticks, std::pair<Peer, uint64_t>> reference;
        Record called;
        uint64_t next = 0;
        const auto place = [&]() {
            // Spans of all sizes, including one tick and zero.
            const auto bits = random->GetInteger(0, 34);
            const auto span =
                static_cast<Ticks>(random->GetValue() * static_cast<double>(uint64_t{1} << bits));
            const auto when = clock->Now() + span;
            const auto peer = static_cast<Peer>(next % 7);
            reference.emplace(when, std::make_pair(peer, next));
            clock->At(when, user, peer, next);
            ++next;
        };
        bool agrees = true;
        listener.m_called = [&](Peer peer, uint64_t datum) {
            const auto first = reference.begin();
            agrees = agrees && first != reference.end() && first->first == clock->Now() &&
                     first->second == std::make_pair(peer, datum);
            called.emplace_back(clock->Now(), peer, datum);
            if (first != reference.end())
            {
                reference.erase(first);
            }
            for (auto n = random->GetInteger(0, 2); n > 0 && next < 20000; --n)
            {
                place();
            }
        };
        for (int i = 0; i < 200; ++i)
        {
            place();
        }
        // Also from outside, between ticks and on them.
        for (int i = 1; i < 400; ++i)
        {
            Simulator::Schedule(NanoSeconds(i * 1357), place);
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(agrees, true, "the clock serves the events that the map gives");
        NS_TEST_EXPECT_MSG_EQ(reference.empty(), true, "all events of the map are served");
        NS_TEST_EXPECT_MSG_EQ(called.size(), next, "all events of the clock are served");
        NS_TEST_EXPECT_MSG_EQ(clock->GetNPending(), 0, "no event is pending at the end");
        clock->Dispose();
        Simulator::Destroy();
        return called;
    }

    void DoRun() override
    {
        for (const int64_t stepsPerTick : {1, 10, 777})
        {
            for (int64_t seed = 1; seed <= 5; ++seed)
            {
                RunOnce(stepsPerTick, seed);
            }
        }
        NS_TEST_EXPECT_MSG_EQ((RunOnce(5, 3) == RunOnce(5, 3)),
                              true,
                              "the same seed gives the same run");
    }
};

/** The stepper: one step per busy tick, after the events, and none in idle ticks. */
class StepperCase : public TestCase
{
  public:
    StepperCase()
        : TestCase("the stepper is stepped once a busy tick, after the events that are due")
    {
    }

  private:
    void DoRun() override
    {
        auto clock = CreateObject<TickClock>();
        Listener listener;
        Stepper stepper;
        const auto user = clock->Register(&listener);
        clock->SetStepper(&stepper);
        std::vector<Ticks> late;
        listener.m_called = [&](Peer, uint64_t datum) {
            if (datum == 0)
            {
                NS_TEST_EXPECT_MSG_EQ(stepper.m_steps.empty(), true, "events come before the step");
                stepper.m_busy = 3;
                clock->WakeStepper();
            }
            else if (datum == 1)
            {
                NS_TEST_EXPECT_MSG_EQ(stepper.m_steps.back(),
                                      clock->Now(),
                                      "what the step places now comes after it");
                late.push_back(clock->Now());
            }
        };
        stepper.m_onStep = [&](Ticks now) {
            if (now == 1000)
            {
                clock->At(now, user, 0, 1);
            }
        };
        clock->At(1000, user, 0, 0);
        // This follows the tick's own event, but events that it places are still served in this
        // tick.
        Simulator::Schedule(NanoSeconds(1001), [&]() {
            Simulator::ScheduleNow([&]() { clock->At(1001, user, 0, 1); });
        });
        Simulator::Schedule(NanoSeconds(5000), [&]() {
            clock->WakeStepper();
            clock->WakeStepper();
        });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(ListText(stepper.m_steps),
                              "1000, 1001, 1002, 5000",
                              "three steps, a pause, one step");
        NS_TEST_EXPECT_MSG_EQ(ListText(late), "1000, 1001", "in the same tick");
        // Three from above, one a tick, and two for what is placed after its tick was served: tick
        // 1001 again, and tick 1002 put off.
        NS_TEST_EXPECT_MSG_EQ(Simulator::GetEventCount(), 3 + 4 + 2, "idle ticks cost nothing");
        clock->Dispose();
        Simulator::Destroy();
    }
};

/** A disposed clock serves no pending event. */
class DisposedCase : public TestCase
{
  public:
    DisposedCase()
        : TestCase("a disposed clock serves nothing that waits for it")
    {
    }

  private:
    void DoRun() override
    {
        auto clock = CreateObject<TickClock>();
        Listener listener;
        const auto user = clock->Register(&listener);
        uint64_t called = 0;
        listener.m_called = [&](Peer, uint64_t) { ++called; };
        clock->At(100, user, 0, 0);
        clock->At(50, user, 0, 1);
        Simulator::Schedule(NanoSeconds(70), [&clock] { clock->Dispose(); });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(
            called,
            1,
            "the clock serves what was due before its disposal, and nothing after it");
        Simulator::Destroy();
    }
};

/** Users that end in a run, and clocks that end before their users. */
class EndedUserCase : public TestCase
{
  public:
    EndedUserCase()
        : TestCase("a user and its clock may end in any order")
    {
    }

  private:
    void DoRun() override
    {
        auto clock = CreateObject<TickClock>();
        uint64_t called = 0;
        const auto count = [&called](Peer, uint64_t) { ++called; };
        Listener staying;
        staying.m_called = count;
        auto ending = std::make_unique<Listener>();
        ending->m_called = count;
        // A copy is no user of the clock, so that its end changes nothing.
        const uint32_t first = clock->Register(ending.get());
        const uint32_t second = clock->Register(ending.get());
        {
            const Listener copy(*ending);
        }
        for (const uint32_t user : {first, second, clock->Register(&staying)})
        {
            clock->At(50, user, 0, 0);
            clock->At(100, user, 0, 0);
        }
        Simulator::Schedule(NanoSeconds(70), [&ending] { ending = nullptr; });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(called, 4, "three calls at 50 ns, and one at 100 ns");

        // A user that was removed, or whose clock has ended, may have another clock, and end after
        // it. Register aborts otherwise.
        clock->Unregister(2);
        clock = CreateObject<TickClock>();
        clock->Register(&staying);
        clock = CreateObject<TickClock>();
        clock->Register(&staying);
        clock = nullptr;
        Simulator::Destroy();
    }
};

/** One simulator event serves a tick, regardless of the number of events in it. */
class EconomyCase : public TestCase
{
  public:
    EconomyCase()
        : TestCase("one simulator event a busy tick")
    {
    }

  private:
    void DoRun() override
    {
        auto clock = CreateObject<TickClock>();
        Listener listener;
        const auto user = clock->Register(&listener);
        uint64_t called = 0;
        listener.m_called = [&](Peer, uint64_t) { ++called; };
        for (uint32_t i = 0; i < 100000; ++i)
        {
            clock->At(100 * (1 + i % 50), user, i, 0);
        }
        const auto before = Simulator::GetEventCount();
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(called, 100000, "all events are served");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(
            Simulator::GetEventCount() - before,
            50 + 4,
            "simulator events, one for each busy tick and those of cascades");
        clock->Dispose();
        Simulator::Destroy();
    }
};

/** A clock ahead of the simulator serves the same events in the same order. */
class AheadCase : public TestCase
{
  public:
    AheadCase()
        : TestCase("a clock that runs ahead serves the same in fewer simulator events")
    {
    }

  private:
    /** Served events: tick, datum; a step has no datum. */
    using Record = std::vector<std::pair<Ticks, uint64_t>>;

    static constexpr uint64_t STEP = 1'000'000;  ///< Represents a step.
    static constexpr uint64_t PLACED = STEP + 1; ///< Datum of events placed from outside.

    /** Outcome of a run. */
    struct Outcome
    {
        Record served;      ///< Served events.
        uint64_t events{0}; ///< Simulator events.
        Ticks mostAhead{0}; ///< Maximum lead of the clock over the simulator.
        Ticks outside{0};   ///< Time of the clock, as read by another event of the simulator.
        Ticks called{0};    ///< Time at which the event placed by that one was served.
    };

    /**
     * Run events that place events and wake a stepper.
     * @param ahead maximum lead of the clock [ticks]
     * @return the outcome
     */
    Outcome RunOnce(Ticks ahead)
    {
        auto clock = CreateObject<TickClock>();
        clock->SetAhead(ahead);
        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(7);
        Listener listener;
        Stepper stepper;
        const auto user = clock->Register(&listener);
        clock->SetStepper(&stepper);
        Outcome outcome;
        uint64_t next = 0;
        listener.m_called = [&](Peer, uint64_t datum) {
            const auto behind = static_cast<Ticks>(Simulator::Now().GetTimeStep());
            outcome.mostAhead = std::max(outcome.mostAhead, clock->Now() - behind);
            if (datum >= STEP)
            {
                outcome.called = datum == PLACED ? clock->Now() : outcome.called;
                return;
            }
            outcome.served.emplace_back(clock->Now(), datum);
            if (datum % 100 == 0)
            {
                stepper.m_busy = 3;
                clock->WakeStepper();
            }
            for (auto n = random->GetInteger(1, 2); n > 0 && next < 5000; --n)
            {
                clock->At(clock->Now() + random->GetInteger(0, 3000), user, 0, next++);
            }
        };
        stepper.m_onStep = [&](Ticks now) { outcome.served.emplace_back(now, STEP); };
        for (int i = 0; i < 50; ++i)
        {
            clock->At(random->GetInteger(0, 3000), user, 0, next++);
        }
        const auto before = Simulator::GetEventCount();
        Simulator::Run();
        outcome.events = Simulator::GetEventCount() - before;
        // Another event of the simulator, between two of the clock.
        const Ticks now = clock->Now();
        clock->At(now + 10, user, 0, STEP);
        clock->At(now + 60, user, 0, STEP);
        Simulator::Schedule(NanoSeconds(30 + now - Simulator::Now().GetTimeStep()), [&] {
            outcome.outside = clock->Now() - now;
            clock->At(clock->Now(), user, 0, PLACED);
        });
        Simulator::Run();
        outcome.called -= now;
        clock->Dispose();
        Simulator::Destroy();
        return outcome;
    }

    void DoRun() override
    {
        const Outcome exact = RunOnce(0);
        const Outcome ahead = RunOnce(500);
        NS_TEST_EXPECT_MSG_GT(exact.served.size(), 2000, "events to compare");
        NS_TEST_EXPECT_MSG_EQ((exact.served == ahead.served),
                              true,
                              "both clocks serve the same events at the same ticks");
        NS_TEST_EXPECT_MSG_EQ(exact.mostAhead, 0, "by default the simulator is not behind");
        NS_TEST_EXPECT_MSG_EQ(ahead.mostAhead,
                              500,
                              "the clock runs as far ahead as allowed, and no further");
        NS_TEST_EXPECT_MSG_LT(ahead.events * 10,
                              exact.events,
                              "simulator events fall to less than a tenth");
        NS_TEST_EXPECT_MSG_EQ(
            exact.outside,
            30,
            "time of a clock that does not run ahead, in an event of the simulator");
        NS_TEST_EXPECT_MSG_EQ(
            exact.called,
            30,
            "time of an event placed for the present, on a clock that does not run ahead");
        NS_TEST_EXPECT_MSG_EQ(ahead.outside,
                              60,
                              "time of a clock that runs ahead, in an event of the simulator");
        NS_TEST_EXPECT_MSG_EQ(
            ahead.called,
            60,
            "time of an event placed for the present, on a clock that runs ahead");
    }
};

/** The suite. */
class TickClockTestSuite : public TestSuite
{
  public:
    TickClockTestSuite()
        : TestSuite("messaging-tick-clock", Type::UNIT)
    {
        AddTestCase(new OrderCase, TestCase::Duration::QUICK);
        AddTestCase(new ReferenceCase, TestCase::Duration::QUICK);
        AddTestCase(new StepperCase, TestCase::Duration::QUICK);
        AddTestCase(new DisposedCase, TestCase::Duration::QUICK);
        AddTestCase(new EndedUserCase, TestCase::Duration::QUICK);
        AddTestCase(new EconomyCase, TestCase::Duration::QUICK);
        AddTestCase(new AheadCase, TestCase::Duration::QUICK);
    }
};

TickClockTestSuite g_tickClockTestSuite; ///< Registers itself.

} // namespace
} // namespace tests
} // namespace messaging
} // namespace ns3
