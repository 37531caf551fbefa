/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pcode-notebook.h"

#include "ns3/test.h"

/**
 * @file
 * @ingroup pcode
 * Flow control of point-to-point messages, which paper 3 leaves open (section 5.6), rule by rule.
 */

namespace ns3
{
namespace pcode
{
namespace tests
{
namespace
{

constexpr Peer SOURCE = 0; ///< The sender.
constexpr Peer TARGET = 1; ///< The receiver.

/**
 * Set up parameters.
 * @param shared parameters, changed
 * @param slots input slots
 */
void
SetUp(Shared& shared, uint32_t slots)
{
    AddAll(shared.config);
    shared.config.sendBuffer = 9;
    shared.config.slots = slots;
    shared.config.nackPeriod = 30;
}

/**
 * Describe the frames sent since the last call: numbers of messages, with + if others wait behind
 * them; for answers the accepted number, the room, and whether they request a repetition.
 * @param n the record
 * @return the text
 */
std::string
TakeText(Notebook& n)
{
    std::ostringstream text;
    for (const auto& [to, frame] : std::exchange(n.sent, {}))
    {
        if (frame.kind == static_cast<uint8_t>(FrameKind::DIRECT))
        {
            text << " " << static_cast<uint32_t>(frame.id)
                 << (frame.flags & DIRECT_MORE ? "+" : "");
        }
        else
        {
            text << " ack " << frame.id << "/" << frame.aux
                 << (frame.flags & DIRECT_AGAIN ? " again" : "");
        }
    }
    return text.str();
}

/** The sender of point-to-point messages. */
class SourceTestCase : public TestCase
{
  public:
    SourceTestCase()
        : TestCase("A source sends what there is room for, and one message as a request (B-14)")
    {
    }

  private:
    void DoRun() override
    {
        Shared shared(3);
        SetUp(shared, 2);
        PcodeCore core(shared.config, SOURCE);
        Notebook n;
        const auto timer = MakeTimer(PcodeTimer::DIRECT, TARGET);
        uint64_t id = 0;
        const auto send = [&] { core.OnRequest(Multicast(++id, TargetGroups::Single(TARGET)), n); };
        const auto answer = [&](uint64_t accepted, uint32_t room, bool again) {
            Frame frame;
            frame.kind = static_cast<uint8_t>(FrameKind::DIRECT_ACK);
            frame.id = accepted;
            frame.aux = room;
            frame.flags = again ? DIRECT_AGAIN : 0;
            core.OnFrame(TARGET, frame, n);
        };
        send();
        send();
        send();
        NS_TEST_EXPECT_MSG_EQ(TakeText(n), " 1 2 3", "Two slots; the third is a request for room");
        send();
        NS_TEST_EXPECT_MSG_EQ(TakeText(n), "", "The fourth waits");
        NS_TEST_EXPECT_MSG_EQ(n.completed.size(), 4, "though its call has returned");
        answer(2, 2, false);
        NS_TEST_EXPECT_MSG_EQ(TakeText(n), "", "The third may be in flight");
        answer(3, 4, false);
        send();
        send();
        send();
        NS_TEST_EXPECT_MSG_EQ(TakeText(n), " 4 5", "Room for one, and a request for more");
        answer(4, 4, false);
        NS_TEST_EXPECT_MSG_EQ(TakeText(n), "", "No room");
        n.timers.clear();
        n.TakeEvents();
        answer(4, 6, true);
        NS_TEST_EXPECT_MSG_EQ(TakeText(n), " 5+ 6+", "The fifth was turned away; others wait");
        NS_TEST_EXPECT_MSG_EQ(n.TakeEvents(), " direct-resent direct-first", "Once each");
        NS_TEST_EXPECT_MSG_EQ(n.timers[timer], 30, "Time begins anew");
        n.timers.clear();
        answer(4, 5, false);
        NS_TEST_EXPECT_MSG_EQ(TakeText(n), "", "An old answer: room does not shrink");
        NS_TEST_EXPECT_MSG_EQ(n.timers.count(timer), 0, "and it is no news");
        answer(5, 6, false);
        NS_TEST_EXPECT_MSG_EQ(n.timers[timer], 30, "A message accepted is, without more room");
        TakeText(n);
        core.OnTimer(timer, n);
        NS_TEST_EXPECT_MSG_EQ(TakeText(n), " 6+", "B-14: what was sent and not answered");
        answer(6, 6, false);
        NS_TEST_EXPECT_MSG_EQ(TakeText(n), "", "The target knows of the seventh");
        core.OnTimer(timer, n);
        NS_TEST_EXPECT_MSG_EQ(TakeText(n), " 7", "The oldest, since an answer may be lost");
        answer(6, 8, true);
        NS_TEST_EXPECT_MSG_EQ(TakeText(n), " 7", "Room for it");
        answer(7, 8, false);
        NS_TEST_EXPECT_MSG_EQ(n.timers.count(timer), 0, "All is answered");

        shared.config.directFlow = false;
        PcodeCore plain(shared.config, SOURCE);
        for (uint64_t i = 1; i <= 4; ++i)
        {
            plain.OnRequest(Multicast(i, TargetGroups::Single(TARGET)), n);
        }
        NS_TEST_EXPECT_MSG_EQ(TakeText(n), " 1 2 3 4", "Without flow control");

        // A third call waits for a buffer of two messages, until one of them is answered.
        shared.config.sendBuffer = 2;
        PcodeCore full(shared.config, SOURCE);
        n.completed.clear();
        n.TakeEvents();
        for (uint64_t i = 1; i <= 3; ++i)
        {
            full.OnRequest(Multicast(i, TargetGroups::Single(TARGET)), n);
        }
        NS_TEST_EXPECT_MSG_NE(n.TakeEvents().find(" wait-buffer"), std::string::npos, "It waits");
        Frame nothing;
        nothing.kind = static_cast<uint8_t>(FrameKind::DIRECT_ACK);
        full.OnFrame(TARGET, nothing, n);
        NS_TEST_EXPECT_MSG_EQ(n.completed.size(), 2, "No news");
        Frame first = nothing;
        first.id = 1;
        full.OnFrame(TARGET, first, n);
        NS_TEST_EXPECT_MSG_EQ(n.completed.size(), 3, "One is answered");
        NS_TEST_EXPECT_MSG_EQ(n.TakeEvents().find(" wait-buffer"), std::string::npos, "Noted once");
    }
};

/** The receiver of point-to-point messages. */
class TargetTestCase : public TestCase
{
  public:
    TargetTestCase()
        : TestCase("A target sends its room, and new room to a source that waits (B-14)")
    {
    }

  private:
    void DoRun() override
    {
        Shared shared(3);
        SetUp(shared, 1);
        const auto one = TargetGroups::Single(TARGET);
        PcodeCore core(shared.config, TARGET);
        Notebook n;
        uint64_t id = 0;
        const auto ask = [&] { core.OnRequest(Ask(++id, SOURCE, one), n); };
        const auto arrive = [&](uint32_t number, bool more) {
            Frame frame = Regular(number, 0, one, FrameKind::DIRECT);
            frame.flags = more ? DIRECT_MORE : 0;
            core.OnFrame(SOURCE, frame, n);
        };
        arrive(1, false);
        NS_TEST_EXPECT_MSG_EQ(TakeText(n), " ack 1/1", "The slot is taken");
        ask();
        NS_TEST_EXPECT_MSG_EQ(TakeText(n), "", "Nobody waits for it");
        arrive(2, true);
        NS_TEST_EXPECT_MSG_EQ(TakeText(n), " ack 2/2", "Others wait");
        ask();
        NS_TEST_EXPECT_MSG_EQ(TakeText(n), " ack 2/3", "and are acknowledged");
        arrive(2, true);
        NS_TEST_EXPECT_MSG_EQ(TakeText(n), " ack 2/3", "B-14: each is answered");
        arrive(3, false);
        arrive(4, false);
        NS_TEST_EXPECT_MSG_EQ(TakeText(n), " ack 3/3 ack 3/3", "The fourth is turned away");
        ask();
        NS_TEST_EXPECT_MSG_EQ(TakeText(n),
                              " ack 3/4 again",
                              "and acknowledged again, so that it may come");
        ask();
        arrive(4, true);
        NS_TEST_EXPECT_MSG_EQ(TakeText(n),
                              " ack 4/5",
                              "One answer: it goes straight to its request");
        NS_TEST_EXPECT_MSG_EQ(n.delivered.size(), 4, "Each once");
        ask();
        NS_TEST_EXPECT_MSG_EQ(TakeText(n), "", "Nothing has changed");

        shared.config.directFlow = false;
        PcodeCore plain(shared.config, TARGET);
        plain.OnFrame(SOURCE, Regular(1, 0, one, FrameKind::DIRECT), n);
        plain.OnFrame(SOURCE, Regular(2, 0, one, FrameKind::DIRECT), n);
        n.sent.clear();
        plain.OnRequest(Ask(1, SOURCE, one), n);
        NS_TEST_EXPECT_MSG_EQ(TakeText(n), "", "Without flow control");
    }
};

/** Point-to-point messages. */
class DirectTestSuite : public TestSuite
{
  public:
    DirectTestSuite()
        : TestSuite("pcode-direct", Type::UNIT)
    {
        AddTestCase(new SourceTestCase, TestCase::Duration::QUICK);
        AddTestCase(new TargetTestCase, TestCase::Duration::QUICK);
    }
};

DirectTestSuite g_directTestSuite; ///< The suite.

} // namespace
} // namespace tests
} // namespace pcode
} // namespace ns3
