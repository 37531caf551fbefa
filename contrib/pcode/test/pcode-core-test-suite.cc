/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pcode-notebook.h"
#include "pcode-unsound-cores.h"

#include "ns3/boolean.h"
#include "ns3/pcode-lane-core.h"
#include "ns3/pcode-parameters.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <functional>
#include <set>
#include <string>

/**
 * @file
 * @ingroup pcode
 * P1 and PCODE on their own: paper 3, sections 4 and 5, rule by rule.
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

constexpr Peer OWN = 0;   ///< The node under test.
constexpr Peer OTHER = 1; ///< The source of its requests.
constexpr Peer THIRD = 2; ///< Another one.

/** P1: bounded buffer, STATUS. */
class P1TestCase : public TestCase
{
  public:
    P1TestCase()
        : TestCase("P1: a full buffer requests STATUS, which frees it (B-08, B-02, B-03)")
    {
    }

  private:
    void DoRun() override
    {
        Shared shared(3);
        shared.config.sendBuffer = 2;
        Notebook n;
        PcodeCore core(shared.config, OWN);
        for (uint64_t i = 1; i <= 3; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(core.OnRequest(Multicast(i), n), Acceptance::ACCEPTED, "Taken");
        }
        NS_TEST_EXPECT_MSG_EQ(n.completed.size(), 2, "B-08: the third has to wait");
        NS_TEST_EXPECT_MSG_EQ(n.TakeSent(), " REGULAR REGULAR POLL", "B-08: STATUS is requested");
        NS_TEST_EXPECT_MSG_EQ(core.OnRequest(Ask(4, OTHER), n),
                              Acceptance::STALLED,
                              "B-02: the next call comes after it has returned");
        core.OnTimer(MakeTimer(PcodeTimer::POLL), n);
        NS_TEST_EXPECT_MSG_EQ(n.TakeSent(), " POLL", "B-03: again, since it may have been lost");
        core.OnFrame(OTHER, Answer(2), n);
        NS_TEST_EXPECT_MSG_EQ(core.GetNSent(), 2, "B-08: the third node may lack it");
        n.TakeSent();
        core.OnFrame(THIRD, Answer(1), n);
        NS_TEST_EXPECT_MSG_EQ(n.TakeSent(),
                              " REGULAR REGULAR",
                              "B-08: the second again, which it lacks, and then the third");
        NS_TEST_EXPECT_MSG_EQ(n.completed.size(), 3, "B-08: there is room");
        n.TakeEvents();
        core.OnFrame(THIRD, Nack(OWN, 3), n);
        const std::string events = n.TakeEvents();
        NS_TEST_EXPECT_MSG_EQ(events, " nack-ahead discarded", "It waits for the next message");
        core.OnFrame(OTHER, Nack(OWN, 3), n);
        NS_TEST_EXPECT_MSG_EQ(core.GetNSent(), 0, "A NACK reports what has arrived, too");
        n.TakeEvents();
        core.OnFrame(OTHER, Nack(OWN, 1), n);
        NS_TEST_EXPECT_MSG_EQ(n.TakeEvents(), " nack-forgotten", "One that was late");
        core.OnFrame(OTHER, Status(FrameKind::STATUS, 0, {1, 0}), n);
        NS_TEST_EXPECT_MSG_EQ(n.TakeEvents(), " illegal", "A vector of two nodes");
        core.OnFrame(OTHER, Regular(1, 0, 99), n);
        NS_TEST_EXPECT_MSG_EQ(n.TakeEvents(), " illegal", "No such target set");
        Frame labelled = Regular(1);
        labelled.words = {1, 2, 3};
        core.OnFrame(OTHER, labelled, n);
        NS_TEST_EXPECT_MSG_EQ(n.TakeEvents(), " illegal", "No label");
        core.OnFrame(OTHER, Status(FrameKind::POLL, 0), n);
        NS_TEST_EXPECT_MSG_EQ(n.TakeSent(), " STATUS", "B-08: a POLL is answered");

        shared.config.sendBuffer = 1;
        PcodeCore careful(shared.config, OWN);
        careful.OnRequest(Multicast(1, TargetGroups::Single(OTHER)), n);
        careful.OnFrame(OTHER, Answer(1), n);
        NS_TEST_EXPECT_MSG_EQ(careful.GetNSent(), 1, "B-08: the third may ask for it");
        careful.OnFrame(THIRD, Answer(1), n);
        NS_TEST_EXPECT_MSG_EQ(careful.GetNSent(), 0, "B-08: all have it");

        // The literal rule: only the target set is considered.
        shared.config.literalDiscard = true;
        PcodeCore literal(shared.config, OWN);
        literal.OnRequest(Multicast(1, TargetGroups::Single(OTHER)), n);
        literal.OnFrame(OTHER, Answer(1), n);
        NS_TEST_EXPECT_MSG_EQ(literal.GetNSent(), 0, "B-08: discarded");
        n.TakeEvents();
        literal.OnFrame(THIRD, Nack(OWN, 0), n);
        NS_TEST_EXPECT_MSG_EQ(n.TakeEvents(), " nack-forgotten", "and gone for the others");

        shared.config.sendBuffer = 2;
        Marks<true>(shared, n);
        Marks<false>(shared, n);
        shared.config.literalDiscard = false;

        // Refused requests, and empty target sets.
        TargetSet none;
        const auto empty = shared.groups.Register(OWN, none);
        n.TakeSent();
        NS_TEST_EXPECT_MSG_EQ(core.OnRequest(Multicast(7, empty), n), Acceptance::ACCEPTED, "");
        NS_TEST_EXPECT_MSG_EQ(n.completed.back().id, 7, "A broadcast to none returns at once");
        NS_TEST_EXPECT_MSG_EQ(n.TakeSent(), "", "and sends nothing");
        Request large = Multicast(8);
        large.bytes = shared.config.maxMessage + 1;
        NS_TEST_EXPECT_MSG_EQ(core.OnRequest(large, n), Acceptance::REFUSED, "Over the maximum");
        NS_TEST_EXPECT_MSG_EQ(core.OnRequest(Multicast(8, 1), n), Acceptance::REFUSED, "To itself");
        NS_TEST_EXPECT_MSG_EQ(core.OnRequest(Ask(8, 9), n), Acceptance::REFUSED, "No such source");
        NS_TEST_EXPECT_MSG_EQ(core.OnRequest(Ask(8, OTHER, TargetGroups::Single(THIRD)), n),
                              Acceptance::REFUSED,
                              "Not for this node");
    }

    /**
     * Run a marked core: marks are new at each retransmission, or original.
     * @tparam IsFresh whether a retransmission has a new mark
     * @param shared parameters
     * @param n the record
     */
    template <bool IsFresh>
    void Marks(Shared& shared, Notebook& n)
    {
        MarkedCore<IsFresh> sender(shared.config, OWN);
        sender.OnRequest(Multicast(1, TargetGroups::Single(OTHER)), n);
        sender.OnRequest(Multicast(2, TargetGroups::Single(THIRD)), n);
        NS_TEST_EXPECT_MSG_EQ(+n.sent.back().frame.flags, 1, "B-08: the first is kept");
        sender.OnFrame(OTHER, Answer(1), n);
        NS_TEST_EXPECT_MSG_EQ(sender.GetNSent(), 1, "B-08: it is discarded");
        sender.OnFrame(THIRD, Nack(OWN, 0), n);
        const Frame again = n.sent.back().frame;
        NS_TEST_EXPECT_MSG_EQ(+again.flags, (IsFresh ? 0 : 1), "B-08: the mark");
        MarkedCore<IsFresh> receiver(shared.config, THIRD);
        receiver.OnRequest(Ask(2, OWN, TargetGroups::Single(THIRD)), n);
        n.TakeEvents();
        receiver.OnFrame(OWN, again, n);
        NS_TEST_EXPECT_MSG_EQ(n.TakeEvents(),
                              (IsFresh ? " accepted delivered" : " drop-early"),
                              "B-08: the first is skipped by a fresh mark alone");
        n.TakeSent();
    }

    /** @return a STATUS that answers a POLL. @param count messages of OWN that it acknowledges */
    static Frame Answer(uint32_t count)
    {
        return Status(FrameKind::STATUS, 0, {count, 0, 0});
    }
};

/** The GlobalCounter and gcv. */
class CountersTestCase : public TestCase
{
  public:
    CountersTestCase()
        : TestCase("GlobalCounter, gcv, the list of counters, PROGRESS (B-09, B-10)")
    {
    }

  private:
    void DoRun() override
    {
        GlobalCounters counters(3, OWN);
        NS_TEST_EXPECT_MSG_EQ(counters.Originate(), 1, "B-09: raised when sending");
        NS_TEST_EXPECT_MSG_EQ(counters.Take(OTHER, 2, true), true, "B-09: the next one");
        NS_TEST_EXPECT_MSG_EQ(counters.Get(), 2, "B-09: raised by a message");
        NS_TEST_EXPECT_MSG_EQ(counters.Take(OTHER, 1, true), true, "Two may have the same");
        NS_TEST_EXPECT_MSG_EQ(counters.Get(), 2, "B-09: a lower one changes nothing");
        NS_TEST_EXPECT_MSG_EQ(counters.Take(OTHER, 5, true), false, "B-09: a gap below it");
        NS_TEST_EXPECT_MSG_EQ(counters.Get(), 2, "B-09: not raised");
        NS_TEST_EXPECT_MSG_EQ(counters.GetGcv(OTHER), 2, "B-09: kept for later");
        NS_TEST_EXPECT_MSG_EQ(counters.Take(THIRD, 4, false), false, "B-10: a PROGRESS");
        NS_TEST_EXPECT_MSG_EQ(counters.GetLowestHeld(), 5, "B-10: which is not original");
        NS_TEST_EXPECT_MSG_EQ(counters.Take(THIRD, 3, true), true, "The next one");
        NS_TEST_EXPECT_MSG_EQ(counters.Get(), 3, "B-10: PROGRESS does not raise it");
        NS_TEST_EXPECT_MSG_EQ(counters.GetNHeld(), 2, "4 is missing");
        NS_TEST_EXPECT_MSG_EQ(counters.GetSpread(), 1, "3, 2 and 3");
        NS_TEST_EXPECT_MSG_EQ(counters.Originate(), 4, "B-09: the one that was missing");
        NS_TEST_EXPECT_MSG_EQ(counters.Get(), 5, "B-09: the list is looked through");
        NS_TEST_EXPECT_MSG_EQ(counters.GetGcv(THIRD), 4, "B-10: PROGRESS raises its sender's");
        NS_TEST_EXPECT_MSG_EQ(counters.GetNHeld(), 0, "Nothing is held");

        // On messages: a gap in GlobalCounters does not delay a delivery.
        Shared shared(3);
        shared.config.globalCounter = true;
        Notebook n;
        PcodeCore core(shared.config, OWN);
        core.OnRequest(Ask(1, OTHER), n);
        core.OnFrame(OTHER, Regular(1, 4), n);
        NS_TEST_EXPECT_MSG_EQ(n.delivered.size(), 1, "B-09: delivered though there is a gap");
        NS_TEST_EXPECT_MSG_EQ(core.GetCounters().Get(), 0, "B-09: but not counted");
        core.OnRequest(Multicast(2), n);
        NS_TEST_EXPECT_MSG_EQ(n.sent.back().frame.aux, 1, "B-09: on every message");

        FlowWindow();
    }

    /** A multicast waits while the counters differ too much. */
    void FlowWindow()
    {
        Shared shared(3);
        shared.config.globalCounter = shared.config.flowControl = shared.config.progressOnDemand =
            true;
        shared.config.flowWindow = 2;
        shared.config.sendBuffer = 9;
        Notebook n;
        PcodeCore core(shared.config, OWN);
        for (uint64_t i = 1; i <= 3; ++i)
        {
            core.OnRequest(Multicast(i), n);
        }
        NS_TEST_EXPECT_MSG_EQ(n.completed.size(), 3, "B-10: up to the window and one");
        NS_TEST_EXPECT_MSG_EQ(n.TakeSent(),
                              " REGULAR REGULAR REGULAR STATUS",
                              "B-10: PROGRESS when it gets too large");
        core.OnRequest(Multicast(4), n);
        NS_TEST_EXPECT_MSG_EQ(n.completed.size(), 3, "B-10: stopped");
        NS_TEST_EXPECT_MSG_EQ(n.TakeSent(), " POLL", "B-10: PROGRESS is requested");
        const messaging::FrameWords nothing{3, 0, 0};
        core.OnFrame(OTHER, Status(FrameKind::STATUS, 3, nothing), n);
        NS_TEST_EXPECT_MSG_EQ(n.completed.size(), 3, "B-10: the third is still behind");
        core.OnFrame(THIRD, Status(FrameKind::STATUS, 1, nothing), n);
        NS_TEST_EXPECT_MSG_EQ(n.completed.size(), 4, "B-10: go on");
        core.OnFrame(THIRD, Status(FrameKind::POLL, 4), n);
        NS_TEST_EXPECT_MSG_EQ(n.sent.back().frame.aux, 4, "B-10: PROGRESS on request");
        NS_TEST_EXPECT_MSG_EQ(core.GetCounters().GetGcv(THIRD), 4, "B-10: a POLL has it, too");

        shared.config.flowControl = false;
        PcodeCore unchecked(shared.config, OWN);
        n.TakeSent();
        for (uint64_t i = 1; i <= 4; ++i)
        {
            unchecked.OnRequest(Multicast(i), n);
        }
        NS_TEST_EXPECT_MSG_EQ(n.TakeSent(),
                              " REGULAR REGULAR REGULAR REGULAR",
                              "No PROGRESS without flow control");
    }
};

/** Early detection of losses, early messages, and the three NACKs. */
class GapsTestCase : public TestCase
{
  public:
    GapsTestCase()
        : TestCase("Gaps, early messages, the three kinds of NACK (B-11, B-12, B-15)")
    {
    }

  private:
    void DoRun() override
    {
        Shared shared(3);
        auto& config = shared.config;
        AddAll(config);
        config.earlyBuffer = 2;
        config.requestDelay = 10;
        config.globalDelay = 7;
        config.nackPeriod = 30;
        const auto personal = MakeTimer(PcodeTimer::PERSONAL, OTHER);
        const auto global = MakeTimer(PcodeTimer::GLOBAL);
        const auto request = MakeTimer(PcodeTimer::REQUEST);
        Notebook n;
        PcodeCore core(config, OWN);
        core.OnFrame(OTHER, Regular(3, 3), n);
        NS_TEST_EXPECT_MSG_EQ(n.TakeEvents(), " kept-early", "Section 5.4");
        NS_TEST_EXPECT_MSG_EQ(n.timers.at(personal), 0, "B-11: a gap in PersonalCounts");
        NS_TEST_EXPECT_MSG_EQ(n.timers.at(global), 7, "B-11: and in GlobalCounters");
        core.OnTimer(personal, n);
        auto [to, nack] = n.sent.back();
        NS_TEST_EXPECT_MSG_EQ(to, OTHER, "B-11: to the source alone");
        NS_TEST_EXPECT_MSG_EQ(nack.id, 0, "LastRcvd");
        NS_TEST_EXPECT_MSG_EQ(nack.words[0], 2, "B-12: no request for what has arrived");
        NS_TEST_EXPECT_MSG_EQ(n.timers.at(personal), 30, "B-15: resent periodically");
        core.OnTimer(global, n);
        to = n.sent.back().to;
        nack = n.sent.back().frame;
        NS_TEST_EXPECT_MSG_EQ(to, NO_PEER, "B-11: the source is not known, so to all");
        NS_TEST_EXPECT_MSG_EQ(nack.id, 1, "First of the gap");
        NS_TEST_EXPECT_MSG_EQ(nack.aux, 2, "Last of the gap");
        NS_TEST_EXPECT_MSG_EQ(n.timers.at(global), 30, "B-15: resent periodically");
        n.TakeSent();
        core.OnRequest(Ask(1, OTHER), n);
        NS_TEST_EXPECT_MSG_EQ(n.TakeSent(), "", "B-15: no NACK at once");
        NS_TEST_EXPECT_MSG_EQ(n.timers.at(request), 10, "B-15: an initial time-out");
        core.OnTimer(request, n);
        NS_TEST_EXPECT_MSG_EQ(n.TakeSent(), " NACK>1", "B-15: then a NACK");
        NS_TEST_EXPECT_MSG_EQ(n.timers.at(request), 30, "B-15: resent periodically");
        n.TakeEvents();
        core.OnFrame(OTHER, Regular(1, 1), n);
        NS_TEST_EXPECT_MSG_EQ(n.delivered.size(), 1, "Delivered");
        NS_TEST_EXPECT_MSG_EQ(n.timers.count(request), 0, "Satisfied");
        NS_TEST_EXPECT_MSG_EQ(n.timers.count(personal), 1, "2 is missing");
        core.OnFrame(OTHER, Regular(5, 5), n);
        core.OnFrame(OTHER, Regular(6, 6), n);
        NS_TEST_EXPECT_MSG_EQ(core.GetNEarly(), 2, "The buffer is full: the last is ignored");
        core.OnFrame(OTHER, Regular(5, 5), n);
        n.TakeEvents();
        core.OnFrame(OTHER, Regular(2, 2), n);
        NS_TEST_EXPECT_MSG_EQ(n.TakeEvents(), " accepted", "Accepted; its slot is taken now");
        NS_TEST_EXPECT_MSG_EQ(n.timers.count(global) + n.timers.count(personal),
                              0,
                              "3 waits for the slot: nothing that could come is missing");
        core.OnRequest(Ask(2, OTHER), n);
        NS_TEST_EXPECT_MSG_EQ(n.TakeEvents(), " taken-early accepted delivered", "B-12");
        NS_TEST_EXPECT_MSG_EQ(core.GetPcv(OTHER), 3, "B-12: nothing was resent");
        core.OnRequest(Ask(3, OTHER), n);
        NS_TEST_EXPECT_MSG_EQ(n.timers.count(personal), 1, "Now 4 is missing");

        // Section 5.7: each kind of NACK may wait.
        config.personalDelay = 4;
        PcodeCore patient(config, OWN);
        n = Notebook();
        patient.OnFrame(OTHER, Regular(3, 3), n);
        NS_TEST_EXPECT_MSG_EQ(n.timers.at(personal), 4, "B-15: a delay of this kind of NACK");
        config.personalDelay = 0;

        // Section 5.3: the sender may have stopped; a message of another node reveals the loss.
        PcodeCore silent(config, OWN);
        n = Notebook();
        silent.OnFrame(THIRD, Regular(1, 2), n);
        NS_TEST_EXPECT_MSG_EQ(n.timers.count(global), 1, "B-11: the message with 1 is missing");
        NS_TEST_EXPECT_MSG_EQ(n.TakeEvents(), " accepted counter-held", "Section 5.1");
        silent.OnFrame(OTHER, Regular(1, 1), n);
        NS_TEST_EXPECT_MSG_EQ(n.timers.count(global), 0, "B-15: until it has come");
        NS_TEST_EXPECT_MSG_EQ(silent.GetCounters().Get(), 2, "Both are counted");

        // Two messages may have the same counter: an early one with a known counter hides no gap
        // above it.
        PcodeCore same(config, OWN);
        n = Notebook();
        same.OnFrame(THIRD, Regular(1, 1), n);
        same.OnFrame(OTHER, Regular(2, 1), n);
        NS_TEST_EXPECT_MSG_EQ(n.timers.count(global), 0, "B-11: 1 is known");
        same.OnFrame(THIRD, Regular(2, 4), n);
        NS_TEST_EXPECT_MSG_EQ(n.timers.count(global), 1, "B-11: 2 and 3 are missing");
        Storm();
    }

    /** Many NACKs for one message. */
    void Storm()
    {
        Shared shared(3);
        AddAll(shared.config);
        shared.config.sendBuffer = 8;
        shared.config.holdOff = 20;
        Notebook n;
        PcodeCore core(shared.config, OWN);
        core.OnRequest(Multicast(1), n);
        core.OnRequest(Multicast(2), n);
        n.TakeSent();
        core.OnFrame(OTHER, Nack(OWN, 0), n);
        NS_TEST_EXPECT_MSG_EQ(n.TakeSent(), "", "Sent a moment ago: it may be in flight");
        core.OnFrame(OTHER, Nack(OWN, 0, 1), n);
        NS_TEST_EXPECT_MSG_EQ(n.TakeSent(), " REGULAR", "A later one has come: it is lost");
        core.OnFrame(THIRD, Nack(OWN, 0, 1), n);
        NS_TEST_EXPECT_MSG_EQ(n.TakeSent(), "", "Once for all who have lost it");
        core.OnTimer(MakeTimer(PcodeTimer::HOLD, 1), n);
        core.OnFrame(THIRD, Nack(OWN, 0), n);
        NS_TEST_EXPECT_MSG_EQ(n.TakeSent(), " REGULAR", "Some time later: again; 2 is too young");
        core.OnFrame(THIRD, Status(FrameKind::POLL, 0), n);
        core.OnFrame(OTHER, Status(FrameKind::POLL, 0), n);
        NS_TEST_EXPECT_MSG_EQ(n.TakeSent(), " STATUS", "One STATUS answers all who ask");
        n.TakeEvents();
        Frame lost = Nack(0, 1);
        lost.kind = static_cast<uint8_t>(FrameKind::GLOBAL_NACK);
        lost.aux = 1;
        core.OnTimer(MakeTimer(PcodeTimer::HOLD, 1), n);
        core.OnFrame(THIRD, lost, n);
        NS_TEST_EXPECT_MSG_EQ(n.TakeEvents(), " regular-resent", "B-11: its own by GlobalCounter");
        core.OnFrame(OTHER, Nack(OWN, 2), n);
        NS_TEST_EXPECT_MSG_EQ(n.timers.count(MakeTimer(PcodeTimer::HOLD, 1)), 1, "THIRD lacks it");
        core.OnFrame(THIRD, Nack(OWN, 2), n);
        NS_TEST_EXPECT_MSG_EQ(core.GetNSent(), 0, "All have both");
        for (const uint32_t personal : {1, 2})
        {
            NS_TEST_EXPECT_MSG_EQ(n.timers.count(MakeTimer(PcodeTimer::HOLD, personal)),
                                  0,
                                  "and their hold-off ends with them");
        }
    }
};

/** Periodic STATUS and point-to-point messages. */
class StatusDirectTestCase : public TestCase
{
  public:
    StatusDirectTestCase()
        : TestCase("Periodic STATUS; point-to-point messages (B-13, B-14)")
    {
    }

  private:
    void DoRun() override
    {
        Shared shared(3);
        auto& config = shared.config;
        config.globalCounter = config.periodicStatus = true;
        config.statusWindow = 2;
        config.slots = 9;
        Notebook n;
        PcodeCore core(config, OWN);
        core.OnFrame(OTHER, Regular(1, 1), n);
        core.OnFrame(OTHER, Regular(2, 2), n);
        NS_TEST_EXPECT_MSG_EQ(n.TakeSent(), "", "B-13: grown by 2");
        core.OnFrame(OTHER, Regular(3, 3), n);
        const Frame status = n.sent.back().frame;
        NS_TEST_EXPECT_MSG_EQ(n.TakeSent(), " STATUS", "B-13: grown by more than 2");
        NS_TEST_EXPECT_MSG_EQ(status.aux, 3, "B-13: PROGRESS is in it");
        const std::vector<uint32_t> pcv{0, 3, 0};
        NS_TEST_ASSERT_MSG_EQ(status.words.size(), pcv.size(), "B-13: a counter for each node");
        for (std::size_t i = 0; i < pcv.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(status.words[i], pcv[i], "B-13: pcv of node " << i);
        }
        NS_TEST_EXPECT_MSG_EQ(status.header, PcodeConfig::HEADER + 12, "Three counters");
        NS_TEST_EXPECT_MSG_EQ(+status.flags, 0, "not requested");
        for (uint32_t i = 4; i <= 6; ++i)
        {
            core.OnFrame(OTHER, Regular(i, i), n);
        }
        NS_TEST_EXPECT_MSG_EQ(n.TakeSent(), " STATUS", "B-13: and again");

        config = MakeP1();
        config.groups = &shared.groups;
        AddAll(config);
        config.nackPeriod = 30;
        PcodeCore sender(config, OWN);
        n = Notebook();
        sender.OnRequest(Multicast(1, TargetGroups::Single(OTHER)), n);
        const Frame direct = n.sent.back().frame;
        const auto timer = MakeTimer(PcodeTimer::DIRECT, OTHER);
        NS_TEST_EXPECT_MSG_EQ(n.TakeSent(), " DIRECT>1", "B-14: to its target alone");
        NS_TEST_EXPECT_MSG_EQ(sender.GetCounters().Get(), 0, "Others do not count it");
        sender.OnRequest(Multicast(2, TargetGroups::Single(OTHER)), n);
        NS_TEST_EXPECT_MSG_EQ(n.completed.size(), 1, "One is not answered: wait");
        sender.OnTimer(timer, n);
        NS_TEST_EXPECT_MSG_EQ(n.TakeSent(), " DIRECT>1", "B-14: its own recovery");
        PcodeCore receiver(config, OTHER);
        Notebook r;
        receiver.OnFrame(OWN, direct, r);
        receiver.OnFrame(OWN, direct, r);
        NS_TEST_EXPECT_MSG_EQ(r.TakeSent(), " DIRECT_ACK>0 DIRECT_ACK>0", "B-14: each answered");
        receiver.OnRequest(Ask(1, OWN, TargetGroups::Single(OTHER)), r);
        NS_TEST_EXPECT_MSG_EQ(r.delivered.size(), 1, "B-14: and delivered once");
        receiver.OnFrame(OWN, direct, r);
        receiver.OnRequest(Ask(2, OWN, TargetGroups::Single(OTHER)), r);
        NS_TEST_EXPECT_MSG_EQ(r.delivered.size(), 1, "B-14: a duplicate is not delivered");
        Frame answer = direct;
        answer.kind = static_cast<uint8_t>(FrameKind::DIRECT_ACK);
        answer.id = 1;
        sender.OnFrame(OTHER, answer, n);
        NS_TEST_EXPECT_MSG_EQ(n.completed.size(), 2, "Answered: the next one goes");
        config.directMessages = false;
        PcodeCore broadcaster(config, OWN);
        n = Notebook();
        broadcaster.OnRequest(Multicast(1, TargetGroups::Single(OTHER)), n);
        NS_TEST_EXPECT_MSG_EQ(n.TakeSent(), " REGULAR", "Without section 5.6");
        Attributes();
    }

    /** Parameters as attributes; every event has a name. */
    void Attributes()
    {
        const auto parameters = CreateObject<PcodeParameters>();
        NS_TEST_EXPECT_MSG_EQ(parameters->Check(), "", "The defaults go together");
        PcodeConfig without;
        without.globalCounter = without.flowControl = false;
        without.globalGapNack = without.periodicStatus = false;
        NS_TEST_EXPECT_MSG_EQ(without.Check(), "", "None needs the GlobalCounter");
        for (bool PcodeConfig::* needs :
             {&PcodeConfig::flowControl, &PcodeConfig::globalGapNack, &PcodeConfig::periodicStatus})
        {
            PcodeConfig config = without;
            config.*needs = true;
            NS_TEST_EXPECT_MSG_NE(config.Check(), "", "Needs it");
            config.globalCounter = true;
            NS_TEST_EXPECT_MSG_EQ(config.Check(), "", "Has it");
        }
        for (const bool flow : {false, true})
        {
            for (const bool status : {false, true})
            {
                for (const uint32_t window : {1, 2})
                {
                    PcodeConfig config = without;
                    config.globalCounter = true;
                    config.flowControl = flow;
                    config.periodicStatus = status;
                    config.flowWindow = window;
                    config.statusWindow = 2;
                    NS_TEST_EXPECT_MSG_EQ(
                        config.Check().empty(),
                        (window == 2 || !flow || !status),
                        "FLOW_WINDOW below STATUS_WINDOW, where both have effect");
                }
            }
        }
        parameters->SetAttribute("FlowWindow", UintegerValue(1));
        NS_TEST_EXPECT_MSG_EQ(parameters->Check().empty(), false, "Smaller than StatusWindow");
        parameters->SetAttribute("FlowWindow", UintegerValue(0));
        parameters->SetAttribute("GlobalCounter", BooleanValue(false));
        NS_TEST_EXPECT_MSG_EQ(parameters->Check().empty(), false, "Needed by others");
        std::set<std::string> names;
        for (std::size_t i = 0; i <= EVENTS; ++i)
        {
            std::ostringstream name;
            name << static_cast<Event>(i);
            names.insert(name.str());
        }
        NS_TEST_EXPECT_MSG_EQ(names.size(), EVENTS + 1, "Each event has a name");
        NS_TEST_EXPECT_MSG_EQ(names.count("unknown event"), 1, "No such event");
    }
};

/** FLOW_WINDOW, as in section 5.2, can block the nodes for which all others wait. */
class FlowDeadlockTestCase : public TestCase
{
  public:
    FlowDeadlockTestCase()
        : TestCase("FLOW_WINDOW taken literally deadlocks a correct program; FlowPatience (B-10)")
    {
    }

  private:
    void DoRun() override
    {
        for (const uint32_t patience : {0U, 3U})
        {
            // Program: 1 multicast(2 -> {1}); then multicast(0 -> {1}) three times. Node 0
            // skips call 1 and runs ahead; its second message finds the slot of 1 taken.
            Shared shared(3);
            auto& config = shared.config;
            config.globalCounter = config.flowControl = config.progressOnDemand = true;
            config.flowWindow = 1;
            config.sendBuffer = 9;
            config.flowPatience = patience;
            const auto one = TargetGroups::Single(OTHER);
            std::vector<PcodeCore> cores;
            std::vector<Notebook> notes(3);
            for (Peer p = 0; p < 3; ++p)
            {
                cores.emplace_back(config, p);
            }
            const auto exchange = [&](int rounds) {
                for (int k = 0; k < rounds * 3; ++k)
                {
                    for (const auto& [to, frame] : std::exchange(notes[k % 3].sent, {}))
                    {
                        for (Peer p = 0; p < 3; ++p)
                        {
                            if (p != Peer(k % 3) && (to == NO_PEER || to == p))
                            {
                                cores[p].OnFrame(k % 3, frame, notes[p]);
                            }
                        }
                    }
                }
            };
            for (uint64_t i = 2; i <= 4; ++i)
            {
                cores[0].OnRequest(Multicast(i, one), notes[0]);
                exchange(4);
            }
            cores[1].OnRequest(Ask(1, 2, one), notes[1]);
            cores[2].OnRequest(Multicast(1, one), notes[2]);
            for (int k = 0; k < 20; ++k)
            {
                exchange(4);
                for (Peer p = 0; p < 3; ++p)
                {
                    for (const auto& [timer, delay] : std::exchange(notes[p].timers, {}))
                    {
                        cores[p].OnTimer(timer, notes[p]);
                    }
                }
            }
            // Without patience, node 2 and the node that waits for it block each other.
            const std::size_t delivered = patience == 0 ? 0 : 1;
            NS_TEST_EXPECT_MSG_EQ(notes[1].delivered.size(),
                                  delivered,
                                  "B-10: messages of node 2, with a patience of " << patience);
        }
    }
};

/** Repetitions with dither. */
class DitherTestCase : public TestCase
{
  public:
    DitherTestCase()
        : TestCase(
              "Half of the repetitions are sent twice, by a fixed sequence of each node (B-03)")
    {
    }

  private:
    static constexpr int REPETITIONS = 64; ///< Repetitions of each kind.

    /** Applies an event to a core. */
    using Step = std::function<void(PcodeCore&, Notebook&)>;

    void DoRun() override
    {
        const auto everybody = TargetGroups::EVERYBODY;
        const auto to = TargetGroups::Single(OTHER);
        const auto mine = TargetGroups::Single(OWN);
        const auto fire = [](TimerId timer) {
            return [timer](PcodeCore& core, Notebook& n) { core.OnTimer(timer, n); };
        };
        const auto receive = [](const Frame& frame) {
            return [frame](PcodeCore& core, Notebook& n) { core.OnFrame(OTHER, frame, n); };
        };
        const auto call = [](const Request& request) {
            return [request](PcodeCore& core, Notebook& n) { core.OnRequest(request, n); };
        };
        const auto nothing = [](PcodeCore&, Notebook&) {};
        const auto direct = Regular(1, 0, mine, FrameKind::DIRECT);
        Repeat("NACK", nothing, call(Ask(1, OTHER)), fire(MakeTimer(PcodeTimer::REQUEST)));
        Repeat("POLL", call(Multicast(1)), call(Multicast(2)), fire(MakeTimer(PcodeTimer::POLL)));
        Repeat("message", call(Multicast(1)), receive(Nack(OWN, 0)), receive(Nack(OWN, 0)));
        Repeat("STATUS",
               nothing,
               receive(Status(FrameKind::POLL, 0)),
               receive(Status(FrameKind::POLL, 0)));
        Repeat("answer of a point-to-point message", nothing, receive(direct), receive(direct));
        Repeat("point-to-point message",
               nothing,
               call(Multicast(1, to)),
               fire(MakeTimer(PcodeTimer::DIRECT, OTHER)));

        std::set<std::string> patterns;
        for (const Peer self : {OWN, OTHER, THIRD})
        {
            const Peer source = (self + 1) % 3;
            patterns.insert(Count(self,
                                  true,
                                  nothing,
                                  call(Ask(1, source, everybody)),
                                  fire(MakeTimer(PcodeTimer::REQUEST))));
        }
        NS_TEST_EXPECT_MSG_EQ(patterns.size(), 3, "each node has a sequence of its own");
    }

    /**
     * Check a kind of repetition.
     * @param what name of the kind
     * @param before preceding step
     * @param first step of the first transmission
     * @param again step of a repetition
     */
    void Repeat(const std::string& what, const Step& before, const Step& first, const Step& again)
    {
        const auto with = Count(OWN, true, before, first, again);
        const auto twice = std::count(with.begin(), with.end(), '2');
        NS_TEST_EXPECT_MSG_EQ(with.front(), '1', what << ": once at first");
        NS_TEST_EXPECT_MSG_EQ(twice + std::count(with.begin(), with.end(), '1'),
                              REPETITIONS + 1,
                              what << ": once or twice: " << with);
        NS_TEST_EXPECT_MSG_GT(twice, REPETITIONS / 3, what << ": half of them twice: " << with);
        NS_TEST_EXPECT_MSG_LT(twice, 2 * REPETITIONS / 3, what << ": half of them once: " << with);
        NS_TEST_EXPECT_MSG_EQ(Count(OWN, false, before, first, again),
                              std::string(REPETITIONS + 1, '1'),
                              what << ": as published");
    }

    /**
     * Count the frames of each repetition.
     * @param self the node
     * @param dither whether dither is enabled
     * @param before preceding step
     * @param first step of the first transmission
     * @param again step of a repetition
     * @return a digit for each repetition
     */
    static std::string Count(Peer self,
                             bool dither,
                             const Step& before,
                             const Step& first,
                             const Step& again)
    {
        Shared shared(3);
        shared.config.dither = dither;
        shared.config.directMessages = true;
        PcodeCore core(shared.config, self);
        Notebook n;
        before(core, n);
        std::string counts;
        for (int i = 0; i <= REPETITIONS; ++i)
        {
            n.sent.clear();
            (i == 0 ? first : again)(core, n);
            counts += static_cast<char>('0' + n.sent.size());
        }
        return counts;
    }
};

/** States with different future behaviour have different canonical forms. */
class EncodeTestCase : public TestCase
{
  public:
    EncodeTestCase()
        : TestCase("The canonical form of a state has all that decides its future (B-04)")
    {
    }

  private:
    void DoRun() override
    {
        Notebook n;
        {
            // The last known message determines the range of a NACK.
            Shared shared(3);
            shared.config.earlyMessages = true;
            shared.config.earlyBuffer = 0;
            PcodeCore one(shared.config, OWN);
            const PcodeCore other = one;
            one.OnFrame(OTHER, Regular(3), n);
            Differ(one, other, "the last message known");
        }
        {
            // A message is retransmitted with its GlobalCounter.
            Shared shared(3);
            shared.config.globalCounter = true;
            shared.config.slots = 2;
            PcodeCore one(shared.config, OWN);
            PcodeCore other = one;
            one.OnRequest(Multicast(1), n);
            one.OnFrame(OTHER, Regular(1, 2), n);
            one.OnFrame(OTHER, Regular(2, 3), n);
            other.OnFrame(OTHER, Regular(1, 1), n);
            other.OnRequest(Multicast(1), n);
            other.OnFrame(OTHER, Regular(2, 3), n);
            NS_TEST_EXPECT_MSG_EQ((messaging::GetState(one.GetCounters()) ==
                                   messaging::GetState(other.GetCounters())),
                                  true,
                                  "same counters");
            Differ(one, other, "the GlobalCounter of a sent message");
        }
        {
            // A STATUS may be sent twice if it repeats the last one.
            Shared shared(3);
            shared.config.dither = true;
            PcodeCore one(shared.config, OWN);
            const PcodeCore other = one;
            one.OnFrame(OTHER, Status(FrameKind::POLL, 0), n);
            Differ(one, other, "the last STATUS");
        }
        {
            // A post without a program completes when all have acknowledged it.
            Shared shared(3, MakeP0());
            LaneCore one(shared.config, OWN, 1);
            one.OnRequest({}, n);
            one.OnRequest(Request{.id = 1, .to = NO_PEER, .bytes = 8}, n);
            const LaneCore other = one;
            one.OnFrame(OTHER, Nack(OWN, 1), n);
            Differ(one, other, "who has acknowledged a post");
            // A lane for each of three nodes, and none for a fourth.
            auto frame = Nack(OWN, 1);
            for (const uint8_t lane : {2, 3})
            {
                frame.flags = lane << 2;
                n.TakeEvents();
                one.OnFrame(OTHER, frame, n);
                NS_TEST_EXPECT_MSG_EQ((n.TakeEvents() == " illegal"), (lane == 3), +lane);
            }
        }
    }

    /**
     * Compare two states.
     * @param one a state
     * @param other a state with different future behaviour
     * @param why description of the difference
     */
    template <class Core>
    void Differ(const Core& one, const Core& other, const std::string& why)
    {
        NS_TEST_EXPECT_MSG_EQ((messaging::GetState(one) == messaging::GetState(other)), false, why);
    }
};

/** P1 and PCODE on their own. */
class CoreTestSuite : public TestSuite
{
  public:
    CoreTestSuite()
        : TestSuite("pcode-core", Type::UNIT)
    {
        AddTestCase(new P1TestCase, TestCase::Duration::QUICK);
        AddTestCase(new CountersTestCase, TestCase::Duration::QUICK);
        AddTestCase(new GapsTestCase, TestCase::Duration::QUICK);
        AddTestCase(new StatusDirectTestCase, TestCase::Duration::QUICK);
        AddTestCase(new FlowDeadlockTestCase, TestCase::Duration::QUICK);
        AddTestCase(new DitherTestCase, TestCase::Duration::QUICK);
        AddTestCase(new EncodeTestCase, TestCase::Duration::QUICK);
    }
};

CoreTestSuite g_coreTestSuite; ///< The suite.

} // namespace
} // namespace tests
} // namespace pcode
} // namespace ns3
