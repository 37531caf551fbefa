/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pcode-notebook.h"

#include "ns3/test.h"

#include <array>
#include <functional>
#include <vector>

/**
 * @file
 * @ingroup pcode
 * P0 on its own: paper 3, section 3, state by state.
 */

namespace ns3
{
namespace pcode
{
namespace tests
{
namespace
{

using messaging::Acceptance;

constexpr Peer P0_SELF = 0;  ///< The node under test.
constexpr Peer P0_OTHER = 1; ///< The source of its requests.
constexpr Peer P0_THIRD = 2; ///< Another one.

/** P0: every state and every event (Figures 2 to 5). */
class P0TestCase : public TestCase
{
  public:
    P0TestCase()
        : TestCase("P0: all states and all events, as Figures 2 to 5 (B-06, B-07)")
    {
    }

  private:
    /** State of P0 towards one source. */
    enum State
    {
        IDLE,         ///< No request; the slot is free.
        READY,        ///< No request; the slot holds a message.
        PENDING,      ///< A request for the source is pending.
        PENDING_OTHER ///< A request for another source is pending; the slot is free.
    };

    /** An event, and its effect in each state. */
    struct Row
    {
        const char* event;                              ///< Name of the event.
        std::function<void(PcodeCore&, Notebook&)> act; ///< The event.
        std::array<const char*, 4> expected;            ///< Events, then frames, by State.
    };

    void DoRun() override
    {
        constexpr auto self = TargetGroups::Single(P0_SELF);
        constexpr auto third = TargetGroups::Single(P0_THIRD);
        const std::vector<Row> rows{
            {"multicast",
             [](PcodeCore& c, Notebook& n) { Answer(c.OnRequest(Multicast(9), n), n); },
             {" regular-first REGULAR", " regular-first REGULAR", " stalled", " stalled"}},
            {"multicast to oneself",
             [](PcodeCore& c, Notebook& n) { Answer(c.OnRequest(Multicast(9, self), n), n); },
             {" refused", " refused", " refused", " refused"}},
            {"request",
             [](PcodeCore& c, Notebook& n) { Answer(c.OnRequest(Ask(9, P0_OTHER), n), n); },
             {" request-nack NACK", " delivered", " stalled", " stalled"}},
            {"next message",
             [](PcodeCore& c, Notebook& n) {
                 c.OnFrame(P0_OTHER, Regular(c.GetPcv(P0_OTHER) + 1), n);
             },
             {" accepted", " drop-slot", " accepted delivered", " accepted"}},
            {"next message, for others",
             [](PcodeCore& c, Notebook& n) {
                 c.OnFrame(P0_OTHER, Regular(c.GetPcv(P0_OTHER) + 1, 0, third), n);
             },
             {" passed-over", " drop-slot", " passed-over", " passed-over"}},
            {"late message",
             [](PcodeCore& c, Notebook& n) { c.OnFrame(P0_OTHER, Regular(c.GetPcv(P0_OTHER)), n); },
             {" drop-late", " drop-late", " drop-late", " drop-late"}},
            {"early message",
             [](PcodeCore& c, Notebook& n) {
                 c.OnFrame(P0_OTHER, Regular(c.GetPcv(P0_OTHER) + 2), n);
             },
             {" drop-early", " drop-slot", " drop-early", " drop-early"}},
            {"NACK for this node",
             [](PcodeCore& c, Notebook& n) { c.OnFrame(P0_OTHER, Nack(P0_SELF, 1), n); },
             {" regular-resent regular-resent REGULAR REGULAR",
              " regular-resent regular-resent REGULAR REGULAR",
              " regular-resent regular-resent REGULAR REGULAR",
              " regular-resent regular-resent REGULAR REGULAR"}},
            {"NACK for all that was sent",
             [](PcodeCore& c, Notebook& n) { c.OnFrame(P0_OTHER, Nack(P0_SELF, 3), n); },
             {" nack-ahead", " nack-ahead", " nack-ahead", " nack-ahead"}},
            {"late NACK, though all have all",
             [](PcodeCore& c, Notebook& n) {
                 c.OnFrame(P0_OTHER, Nack(P0_SELF, 3), n);
                 c.OnFrame(P0_THIRD, Nack(P0_SELF, 3), n);
                 n.TakeEvents();
                 c.OnFrame(P0_OTHER, Nack(P0_SELF, 2), n);
             },
             {" regular-resent REGULAR",
              " regular-resent REGULAR",
              " regular-resent REGULAR",
              " regular-resent REGULAR"}},
            {"NACK for another one",
             [](PcodeCore& c, Notebook& n) { c.OnFrame(P0_OTHER, Nack(P0_THIRD, 1), n); },
             {" nack-of-others", " nack-of-others", " nack-of-others", " nack-of-others"}},
            {"nack timer",
             [](PcodeCore& c, Notebook& n) { c.OnTimer(MakeTimer(PcodeTimer::REQUEST), n); },
             {"", "", " request-nack NACK", " request-nack NACK"}},
            {"own message",
             [](PcodeCore& c, Notebook& n) { c.OnFrame(P0_SELF, Regular(1), n); },
             {" illegal", " illegal", " illegal", " illegal"}},
            {"STATUS",
             [](PcodeCore& c, Notebook& n) {
                 c.OnFrame(P0_OTHER, Status(FrameKind::STATUS, 0), n);
             },
             {" illegal", " illegal", " illegal", " illegal"}},
            {"unknown timer",
             [](PcodeCore& c, Notebook& n) { c.OnTimer(7, n); },
             {" illegal", " illegal", " illegal", " illegal"}},
        };
        for (const auto& row : rows)
        {
            for (const auto state : {IDLE, READY, PENDING, PENDING_OTHER})
            {
                Shared shared(3, MakeP0());
                Notebook notebook;
                PcodeCore core = Build(state, shared, notebook);
                row.act(core, notebook);
                NS_TEST_EXPECT_MSG_EQ(notebook.TakeEvents() + notebook.TakeSent(),
                                      row.expected[state],
                                      row.event << " in state " << state);
            }
        }
        Repetition();
    }

    /**
     * Record the acceptance of a call, unless it was accepted.
     * @param acceptance the acceptance
     * @param notebook the record
     */
    static void Answer(Acceptance acceptance, Notebook& notebook)
    {
        if (acceptance != Acceptance::ACCEPTED)
        {
            notebook.log += acceptance == Acceptance::STALLED ? " stalled" : " refused";
        }
    }

    /**
     * Bring a core into a state; it has sent three messages and taken two.
     * @param state the state
     * @param shared parameters
     * @param notebook its host
     * @return the core
     */
    static PcodeCore Build(State state, Shared& shared, Notebook& notebook)
    {
        PcodeCore core(shared.config, P0_SELF);
        for (uint64_t i = 0; i < 3; ++i)
        {
            core.OnRequest(Multicast(i), notebook);
        }
        core.OnFrame(P0_OTHER, Regular(1), notebook);
        core.OnRequest(Ask(4, P0_OTHER), notebook);
        core.OnFrame(P0_OTHER, Regular(2, 0, TargetGroups::Single(P0_THIRD)), notebook);
        if (state == READY)
        {
            core.OnFrame(P0_OTHER, Regular(3), notebook);
        }
        else if (state != IDLE)
        {
            core.OnRequest(Ask(5, state == PENDING ? P0_OTHER : P0_THIRD), notebook);
        }
        notebook.TakeEvents();
        notebook.TakeSent();
        return core;
    }

    /** A NACK is repeated until the message arrives; each answer is the same message. */
    void Repetition()
    {
        Shared shared(3, MakeP0());
        shared.config.nackPeriod = 77;
        Notebook notebook;
        PcodeCore asker(shared.config, P0_SELF);
        PcodeCore sender(shared.config, P0_OTHER);
        Notebook senders;
        sender.OnRequest(Multicast(1), senders);
        const Frame first = senders.sent.back().frame;
        asker.OnRequest(Ask(1, P0_OTHER), notebook);
        for (int i = 0; i < 3; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(notebook.timers.at(MakeTimer(PcodeTimer::REQUEST)),
                                  77,
                                  "B-06: re-armed");
            NS_TEST_EXPECT_MSG_EQ(notebook.sent.back().to, NO_PEER, "B-06: broadcast");
            asker.OnTimer(MakeTimer(PcodeTimer::REQUEST), notebook);
        }
        sender.OnFrame(P0_SELF, notebook.sent.back().frame, senders);
        const auto& [to, again] = senders.sent.back();
        NS_TEST_EXPECT_MSG_EQ(to, NO_PEER, "B-06: the reply is a broadcast");
        NS_TEST_EXPECT_MSG_EQ((again == first), true, "B-06: with the original counter");
        asker.OnFrame(P0_OTHER, again, notebook);
        NS_TEST_EXPECT_MSG_EQ(notebook.delivered.size(), 1, "Delivered");
        NS_TEST_EXPECT_MSG_EQ(notebook.timers.empty(), true, "B-06: the timer is inactivated");
        asker.OnFrame(P0_OTHER, again, notebook);
        NS_TEST_EXPECT_MSG_EQ(asker.IsReady(P0_OTHER), false, "B-07: an old message is dropped");
    }
};

/** P0 on its own. */
class P0TestSuite : public TestSuite
{
  public:
    P0TestSuite()
        : TestSuite("pcode-p0", Type::UNIT)
    {
        AddTestCase(new P0TestCase, TestCase::Duration::QUICK);
    }
};

P0TestSuite g_p0TestSuite; ///< The suite.

} // namespace
} // namespace tests
} // namespace pcode
} // namespace ns3
