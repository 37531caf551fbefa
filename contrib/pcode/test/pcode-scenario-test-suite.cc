/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/double.h"
#include "ns3/pcode-config.h"
#include "ns3/pcode-repair-clock.h"
#include "ns3/pcode-scenario.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup pcode
 * Tests of the scenario: every system on workstations that cost time, on a segment with collisions.
 */

namespace ns3
{
namespace pcode
{
namespace tests
{
namespace
{

/** A scenario after its run. */
struct Ran
{
    /**
     * Run the scenario.
     * @param parameters names and values
     */
    explicit Ran(const std::vector<std::pair<std::string, std::string>>& parameters)
        : scenario(CreateObject<PcodeScenario>())
    {
        for (const auto& [name, value] : parameters)
        {
            scenario->SetAttribute(name, StringValue(value));
        }
        scenario->Run();
    }

    /**
     * Get a result.
     * @param name its name
     * @return its value
     */
    uint64_t Count(const std::string& name) const
    {
        UintegerValue value;
        scenario->GetAttribute(name, value);
        return value.Get();
    }

    /** @return the time per call [ms]. */
    double Time() const
    {
        return Get("TimePerCall");
    }

    /** @param name name of a result @return the result */
    double Get(const std::string& name) const
    {
        DoubleValue value;
        scenario->GetAttribute(name, value);
        return value.Get();
    }

    Ptr<PcodeScenario> scenario; ///< The scenario.
};

/**
 * B-03, B-17: every system completes every collective operation, and both all-to-all drivers, in
 * spite of losses; a run without progress is aborted.
 */
class ScenarioCase : public TestCase
{
  public:
    ScenarioCase()
        : TestCase("all systems run all collectives under loss (B-03, B-17)")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string system : {"pcode", "p0", "p1", "tcp", "ring", "lansis", "horus"})
        {
            for (const std::string collective :
                 {"alltoall", "onetoall", "gather", "scatter", "combine", "barrier"})
            {
                for (const std::string driver : {"1", "2"})
                {
                    const Ran ran({{"System", system},
                                   {"Collective", collective},
                                   {"Driver", driver},
                                   {"Nodes", "4"},
                                   {"Size", "200"},
                                   {"Rounds", "3"},
                                   {"Loss", "0.05"}});
                    NS_TEST_EXPECT_MSG_EQ(ran.scenario->GetVerdictName(),
                                          "completed",
                                          system << " runs " << collective << ": "
                                                 << ran.scenario->GetFailure());
                    if (collective != "alltoall")
                    {
                        break;
                    }
                }
            }
        }
        // A receive buffer for two datagrams loses simultaneous ones, and PCODE recovers them.
        const Ran tight(
            {{"Nodes", "8"}, {"Size", "20"}, {"Rounds", "20"}, {"ReceiveBuffer", "130"}});
        NS_TEST_EXPECT_MSG_EQ(tight.scenario->GetVerdictName(), "completed", "tight buffers");
        NS_TEST_EXPECT_MSG_GT(tight.Count("Overflows"), 0, "tight buffers overflow");
        NS_TEST_EXPECT_MSG_GT(tight.Count("Resends"), 0, "what overflowed is sent again");
        // Every call includes the cost of the daemon.
        const Ran daemon({{"Nodes", "2"}, {"Size", "20"}, {"Rounds", "50"}});
        const Ran linked({{"Nodes", "2"}, {"Size", "20"}, {"Rounds", "50"}, {"Ipc", "linked"}});
        NS_TEST_EXPECT_MSG_GT(daemon.Time(), linked.Time() + 0.278 / 2, "a daemon costs time");
        const Ran rpc({{"Nodes", "2"}, {"Size", "20"}, {"Rounds", "50"}, {"Ipc", "rpc"}});
        NS_TEST_EXPECT_MSG_GT(rpc.Time(), daemon.Time() + (0.610 - 0.278) / 2, "an RPC costs more");
        // Each lost message is repaired, the later the longer its first NACK waits (section 6.5).
        const auto repair = [](const std::string& delay) {
            return Ran(
                {{"Nodes", "4"}, {"Rounds", "100"}, {"Loss", "0.02"}, {"RequestDelay", delay}});
        };
        const Ran soon = repair("10ms");
        const Ran late = repair("100ms");
        NS_TEST_EXPECT_MSG_GT(soon.Count("Repairs"), 10, "messages are lost");
        NS_TEST_EXPECT_MSG_GT(late.Get("RepairTime"), soon.Get("RepairTime"), "and repaired later");
        NS_TEST_EXPECT_MSG_EQ(daemon.Count("Repairs"), 0, "none without losses");
        for (const std::string system : {"pcode", "tcp"})
        {
            const Ran stuck({{"System", system}, {"Nodes", "2"}, {"Rounds", "1"}, {"Loss", "1"}});
            NS_TEST_EXPECT_MSG_NE(stuck.scenario->GetVerdictName(), "completed", "all is lost");
            NS_TEST_EXPECT_MSG_NE(stuck.scenario->GetFailure(), "", "and the reason is stated");
        }
    }
};

/** Times from the loss of a message to its delivery. */
class RepairClockCase : public TestCase
{
  public:
    RepairClockCase()
        : TestCase("Section 6.5: the time of a repair begins with the first loss")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint64_t FIRST = 11;
        constexpr uint64_t SECOND = 12;
        RepairClock clock;
        messaging::Frame frame{.contents = FIRST, .kind = static_cast<uint8_t>(FrameKind::REGULAR)};
        messaging::Frame nack{.contents = SECOND, .kind = static_cast<uint8_t>(FrameKind::NACK)};
        const auto at = [](uint32_t milliseconds, auto action) {
            Simulator::Schedule(MilliSeconds(milliseconds), action);
        };
        at(1, [&] { clock.OnLoss(0, frame); });
        at(1, [&] { clock.OnLoss(0, nack); });
        at(2, [&] { clock.OnArrive(1, frame); });
        at(3, [&] { clock.OnLoss(1, frame); });
        at(4, [&] { clock.OnLoss(0, frame); });
        at(5, [&] { clock.OnArrive(0, frame); });
        at(6, [&] { clock.OnDeliver(0, FIRST); });
        at(7, [&] { clock.OnDeliver(1, FIRST); });
        at(8, [&] { clock.OnDeliver(0, SECOND); });
        at(9, [&] { clock.OnDeliver(0, FIRST); });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(clock.GetN(), 1, "node 0 has lost a message; node 1 a repetition");
        NS_TEST_EXPECT_MSG_EQ(clock.GetMean(), MilliSeconds(5), "from the first loss");
        NS_TEST_EXPECT_MSG_EQ(RepairClock().GetMean(), Time(), "no repairs");
        Simulator::Destroy();
    }
};

/** A call takes longer with a slow machine, and with load on all. */
class MachineParametersCase : public TestCase
{
  public:
    MachineParametersCase()
        : TestCase("a slow machine and load lengthen a call (sections 6.4 and 6.4.2)")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string system : {"pcode", "tcp"})
        {
            std::vector<std::pair<std::string, std::string>> given{{"System", system},
                                                                   {"Nodes", "3"},
                                                                   {"Size", "20"},
                                                                   {"Rounds", "20"}};
            const Ran usual(given);
            given.emplace_back("SlowFactor", "2");
            const Ran slow(given);
            given.back() = {"Load", "0.3"};
            const Ran busy(given);
            NS_TEST_EXPECT_MSG_GT(slow.Time(), usual.Time() * 1.2, system << ": a slow machine");
            NS_TEST_EXPECT_MSG_GT(busy.Time(), usual.Time() * 1.1, system << ": load");
            // The gaps between its bursts are longer than a Time.
            for (const char* load : {"1e-12", "1e-15", "1e-300", "1e-310"})
            {
                given.back() = {"Load", load};
                const Ran idle(given);
                NS_TEST_EXPECT_MSG_EQ(idle.scenario->GetVerdictName(), "completed", load);
                NS_TEST_EXPECT_MSG_LT(idle.Time(), busy.Time(), system << ": load " << load);
            }
        }
    }
};

/** The suite. */
class PcodeScenarioTestSuite : public TestSuite
{
  public:
    PcodeScenarioTestSuite()
        : TestSuite("pcode-scenario", Type::UNIT)
    {
        AddTestCase(new ScenarioCase, TestCase::Duration::QUICK);
        AddTestCase(new RepairClockCase, TestCase::Duration::QUICK);
        AddTestCase(new MachineParametersCase, TestCase::Duration::QUICK);
    }
};

PcodeScenarioTestSuite g_pcodeScenarioTestSuite; ///< Registers itself.

} // namespace
} // namespace tests
} // namespace pcode
} // namespace ns3
