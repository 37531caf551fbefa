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
        NS_TEST_EXPECT_MSG_EQ(core.OnRequest(MakeRequest(1), host), Acceptance::ACCEPTED, "taken");
        NS_TEST_EXPECT_MSG_EQ(core.OnRequest(MakeRequest(2), host), Acceptance::STALLED, "not yet");
        NS_TEST_EXPECT_MSG_EQ(std::exchange(host.log, ""), " >1:D +t1", "sent, and a timer armed");
        NS_TEST_EXPECT_MSG_EQ(host.timers.at(1), 5, "for five ticks");
        host.busy = true;
        core.OnTimer(1, host);
        NS_TEST_EXPECT_MSG_EQ(std::exchange(host.log, ""), " repeated busy>1:D +t1", "a busy port");
        NS_TEST_EXPECT_MSG_EQ(host.sent.size(), 1, "sends nothing");
        NS_TEST_EXPECT_MSG_EQ(host.armed.size(), 2, "the timer was armed twice");
        host.busy = false;
        core.OnFrame(1, Frame{.kind = AlternatingBit::ACK}, host);
        NS_TEST_EXPECT_MSG_EQ(std::exchange(host.log, ""), " -t1 done(1)", "acknowledged");
        NS_TEST_EXPECT_MSG_EQ(host.timers.empty(), true, "no timer is pending");
        core.OnFrame(1, Frame{.id = 4, .contents = 9}, host);
        core.OnFrame(1, Frame{.id = 4, .contents = 9}, host);
        NS_TEST_EXPECT_MSG_EQ(std::exchange(host.log, ""),
                              " deliver(9) >1:A old >1:A",
                              "delivered once");
        NS_TEST_EXPECT_MSG_EQ(host.Count(AlternatingBit::OLD), 1, "a reason is counted");
        NS_TEST_ASSERT_MSG_EQ(host.completed.size(), 1, "one ended");
        NS_TEST_EXPECT_MSG_EQ(host.completed[0].id, 1, "the first");
        const auto print = [](auto& os, const auto& sent) {
            os << sent.frame.id << "@" << sent.to;
        };
        NS_TEST_EXPECT_MSG_EQ(host.TakeSent(print), "1@1, 4@1, 4@1", "frames as text");
        NS_TEST_EXPECT_MSG_EQ(host.TakeSent(print), "", "once");
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
        NS_TEST_EXPECT_MSG_EQ(deliveries, 1, "the layer has the delivery");
        NS_TEST_EXPECT_MSG_EQ(host.delivered.size(), 0, "the host has not");
        NS_TEST_EXPECT_MSG_EQ(host.sent.size(), 3, "the host has the frames");
        NS_TEST_EXPECT_MSG_EQ(host.Count(AlternatingBit::OLD), 1, "and the reason");
        NS_TEST_EXPECT_MSG_EQ(host.armed.size(), 1, "and the timer");
        NS_TEST_EXPECT_MSG_EQ(host.timers.size(), 0, "which was cancelled");
        NS_TEST_EXPECT_MSG_EQ(host.completed.size(), 1, "and the completion");
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
