/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-toy-cores.h"

#include "ns3/messaging-forwarded-actions.h"
#include "ns3/messaging-scripted-host.h"
#include "ns3/test.h"

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
        NS_TEST_EXPECT_MSG_EQ(host.TakeLog(), " >1:D +t1", "sent, and a timer armed");
        NS_TEST_EXPECT_MSG_EQ(host.timers.at(1), 5, "for five ticks");
        host.busy = true;
        core.OnTimer(1, host);
        NS_TEST_EXPECT_MSG_EQ(host.TakeLog(), " repeated busy>1:D +t1", "a busy port");
        NS_TEST_EXPECT_MSG_EQ(host.sent.size(), 1, "sends nothing");
        NS_TEST_EXPECT_MSG_EQ(host.armed.size(), 2, "the timer was armed twice");
        host.busy = false;
        core.OnFrame(1, Frame{.kind = AlternatingBit::ACK}, host);
        NS_TEST_EXPECT_MSG_EQ(host.TakeLog(), " -t1 done(1)", "acknowledged");
        NS_TEST_EXPECT_MSG_EQ(host.timers.empty(), true, "no timer is pending");
        core.OnFrame(1, Frame{.id = 4, .contents = 9}, host);
        core.OnFrame(1, Frame{.id = 4, .contents = 9}, host);
        NS_TEST_EXPECT_MSG_EQ(host.TakeLog(), " deliver(9) >1:A old >1:A", "delivered once");
        NS_TEST_EXPECT_MSG_EQ(host.Count(AlternatingBit::OLD), 1, "a reason is counted");
        NS_TEST_EXPECT_MSG_EQ((host.GetCompleted() == std::vector<RequestId>{1}),
                              true,
                              "one ended");
        const auto print = [](auto& os, const auto& sent) {
            os << sent.frame.id << "@" << sent.to;
        };
        NS_TEST_EXPECT_MSG_EQ(host.TakeSent(print), "1@1, 4@1, 4@1", "frames as text");
        NS_TEST_EXPECT_MSG_EQ(host.TakeSent(print), "", "once");
    }
};

/** A layer that counts deliveries and forwards all other actions. */
struct Counting : ForwardedActions<ScriptedHost>
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
        Counting out{{host}, deliveries};
        static_assert(ProtocolCore<AlternatingBit, Counting>);
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

/** A group on a network without time. */
class GroupCase : public TestCase
{
  public:
    GroupCase()
        : TestCase("a test delivers, loses and repeats the frames of a group")
    {
    }

  private:
    void DoRun() override
    {
        using Group = ScriptedGroup<AlternatingBit>;
        Group pair(2, [](Peer peer) { return AlternatingBit(peer, 2); });
        pair.Post(0, MakeRequest(1));
        NS_TEST_ASSERT_MSG_EQ(pair.flights.size(), 1, "a frame is in flight");
        pair.Inject(pair.flights[0]);
        pair.Run([](const Group::Flight& flight) { return flight.from == 1; });
        NS_TEST_EXPECT_MSG_EQ(pair.hosts[1].delivered.size(), 1, "a repeated frame delivers once");
        NS_TEST_EXPECT_MSG_EQ(pair.hosts[0].completed.size(), 0, "both acknowledgements were lost");
        NS_TEST_EXPECT_MSG_EQ(pair.log.size(), 3, "all frames are logged");
        pair.Fire(0, 1);
        pair.Run();
        NS_TEST_EXPECT_MSG_EQ(pair.hosts[0].completed.size(), 1, "the repetition was acknowledged");
        NS_TEST_EXPECT_MSG_EQ(pair.Count(AlternatingBit::OLD), 2, "and was old");

        pair.SetBusy(true);
        pair.Post(0, MakeRequest(2));
        NS_TEST_EXPECT_MSG_EQ(pair.flights.empty(), true, "a busy port sends nothing");
        pair.SetBusy(false);
        pair.Fire(0, 1);
        pair.Post(1, Request{3, 103, 0, 8, 0, 0});
        NS_TEST_EXPECT_MSG_EQ(pair.TakeFrom(1).frame.id, 3, "the first frame of peer 1");
        NS_TEST_EXPECT_MSG_EQ(pair.Take().frame.id, 2, "the first of all");

        ScriptedGroup<Announcer> three(3, [](Peer peer) { return Announcer(peer, 3); });
        three.Post(1, Request{5, 105, NO_PEER, 8, 0, 0});
        NS_TEST_ASSERT_MSG_EQ(three.flights.size(),
                              2,
                              "a broadcast is a frame for each other peer");
        NS_TEST_EXPECT_MSG_EQ(three.log[0].to, NO_PEER, "and one in the log");
        const auto second = three.TakeFrom(1, 1);
        NS_TEST_EXPECT_MSG_EQ(second.to, 2, "the second frame of peer 1");
        three.Inject(second);
        three.Run();
        NS_TEST_ASSERT_MSG_EQ(three.hosts[2].work.size(), 1, "the receiver requests work");
        three.Done(0, 1);
        three.Done(2, three.hosts[2].work[0].id);
        three.Run();
        NS_TEST_EXPECT_MSG_EQ(three.hosts[1].completed.size(), 1, "all have acknowledged");
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
        AddTestCase(new GroupCase, TestCase::Duration::QUICK);
    }
};

ScriptedHostTestSuite g_scriptedHostTestSuite; ///< Registers itself.

} // namespace
} // namespace tests
} // namespace messaging
} // namespace ns3
