/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-toy-cores.h"

#include "ns3/messaging-forwarded-actions.h"
#include "ns3/messaging-scripted-host.h"
#include "ns3/test.h"

#include <utility>

/**
 * @file
 * @ingroup messaging
 * Tests of the hosts on which tests drive cores.
 */

namespace ns3
{
namespace messaging
{
namespace tests
{
namespace
{

/** @param id number of a message @return the message, to peer 1 */
Request
MakeRequest(uint64_t id)
{
    return Request{id, 100 + id, 1, 8, 0, 0};
}

/** One core on one host. */
class HostCase : public TestCase
{
  public:
    HostCase()
        : TestCase("a host records all requests of a core, in order")
    {
    }

  private:
    void DoRun() override
    {
        ScriptedHost host;
        host.printFrame = [](const Frame& frame) { return std::string(frame.kind ? "A" : "D"); };
        host.printReason = [](Reason reason) { return reason ? "old" : "repeated"; };
        AlternatingBit core(0, 2, Flaw::NONE, 5);
        NS_TEST_EXPECT_MSG_EQ(core.OnRequest(MakeRequest(1), host),
                              Acceptance::ACCEPTED,
                              "the core accepts a first message");
        NS_TEST_EXPECT_MSG_EQ(core.OnRequest(MakeRequest(2), host),
                              Acceptance::STALLED,
                              "the core accepts no second message before the first has ended");
        NS_TEST_EXPECT_MSG_EQ(std::exchange(host.log, ""),
                              " >1:D +t1",
                              "a frame is sent and a timer is armed");
        NS_TEST_EXPECT_MSG_EQ(host.timers.at(1), 5, "duration of the timer [ticks]");
        host.busy = true;
        core.OnTimer(1, host);
        NS_TEST_EXPECT_MSG_EQ(std::exchange(host.log, ""),
                              " repeated busy>1:D +t1",
                              "the core tries to repeat the frame through a busy port");
        NS_TEST_EXPECT_MSG_EQ(host.sent.size(), 1, "a busy port sends nothing");
        NS_TEST_EXPECT_MSG_EQ(host.armed.size(), 2, "the timer was armed twice");
        host.busy = false;
        core.OnFrame(1, Frame{.kind = AlternatingBit::ACK}, host);
        NS_TEST_EXPECT_MSG_EQ(std::exchange(host.log, ""),
                              " -t1 done(1)",
                              "an acknowledgement cancels the timer and completes the message");
        NS_TEST_EXPECT_MSG_EQ(host.timers.empty(), true, "no timer is pending");
        core.OnFrame(1, Frame{.id = 4, .contents = 9}, host);
        core.OnFrame(1, Frame{.id = 4, .contents = 9}, host);
        NS_TEST_EXPECT_MSG_EQ(std::exchange(host.log, ""),
                              " deliver(9) >1:A old >1:A",
                              "a repeated frame is delivered once and acknowledged twice");
        NS_TEST_EXPECT_MSG_EQ(host.Count(AlternatingBit::OLD), 1, "counted reasons");
        NS_TEST_ASSERT_MSG_EQ(host.completed.size(), 1, "completed requests");
        NS_TEST_EXPECT_MSG_EQ(host.completed[0].id, 1, "the completed request");
        const auto print = [](auto& os, const auto& sent) {
            os << sent.frame.id << "@" << sent.to;
        };
        NS_TEST_EXPECT_MSG_EQ(host.TakeSent(print), "1@1, 4@1, 4@1", "sent frames as text");
        NS_TEST_EXPECT_MSG_EQ(host.TakeSent(print),
                              "",
                              "frames that were taken are not returned again");
    }
};

/** A layer that counts deliveries and forwards all other actions. */
struct CountingActions : ForwardedActions<ScriptedHost>
{
    uint32_t& deliveries; ///< Number of deliveries.

    /** Count a delivery. */
    void Deliver(const Delivery&)
    {
        ++deliveries;
    }
};

/** Actions of an inner core. */
class ForwardedCase : public TestCase
{
  public:
    ForwardedCase()
        : TestCase("a layer passes on what it does not hide")
    {
    }

  private:
    void DoRun() override
    {
        ScriptedHost host;
        uint32_t deliveries = 0;
        CountingActions out{{host}, deliveries};
        static_assert(ProtocolCore<AlternatingBit, CountingActions>);
        AlternatingBit core(0, 2);
        core.OnFrame(1, Frame{.id = 4}, out);
        core.OnFrame(1, Frame{.id = 4}, out);
        core.OnRequest(MakeRequest(1), out);
        core.OnFrame(1, Frame{.kind = AlternatingBit::ACK}, out);
        NS_TEST_EXPECT_MSG_EQ(deliveries, 1, "deliveries that the layer has got");
        NS_TEST_EXPECT_MSG_EQ(host.delivered.size(),
                              0,
                              "deliveries that the host has got, all hidden by the layer");
        NS_TEST_EXPECT_MSG_EQ(host.sent.size(), 3, "frames that the host has got");
        NS_TEST_EXPECT_MSG_EQ(host.Count(AlternatingBit::OLD),
                              1,
                              "counted reasons that the host has got");
        NS_TEST_EXPECT_MSG_EQ(host.armed.size(), 1, "timers armed at the host");
        NS_TEST_EXPECT_MSG_EQ(host.timers.size(),
                              0,
                              "timers pending at the host after the cancellation");
        NS_TEST_EXPECT_MSG_EQ(host.completed.size(), 1, "completions that the host has got");
    }
};

/** The suite. */
class ScriptedHostTestSuite : public TestSuite
{
  public:
    ScriptedHostTestSuite()
        : TestSuite("messaging-scripted-host", Type::UNIT)
    {
        AddTestCase(new HostCase, TestCase::Duration::QUICK);
        AddTestCase(new ForwardedCase, TestCase::Duration::QUICK);
    }
};

ScriptedHostTestSuite g_scriptedHostTestSuite; ///< Registers itself.

} // namespace
} // namespace tests
} // namespace messaging
} // namespace ns3
