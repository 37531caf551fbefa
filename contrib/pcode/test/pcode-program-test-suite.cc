/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/messaging-scripted-host.h"
#include "ns3/pcode-call-core.h"
#include "ns3/pcode-collectives.h"
#include "ns3/pcode-config.h"
#include "ns3/pcode-program.h"
#include "ns3/pcode-runner.h"
#include "ns3/test.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <string>

/**
 * @file
 * @ingroup pcode
 * Global programs: Assumption 1, refusals, collectives (paper 3, sections 2.1 and 6.2).
 */

namespace ns3
{
namespace pcode
{
namespace tests
{
namespace
{

using messaging::Peer;

/**
 * Run a program on a lossless transport layer.
 * @param program the program
 * @param room messages of one source from the first unrequested one to the last sent
 * @return true if it completes
 */
bool
RunsIn(const GlobalProgram& program, uint32_t room)
{
    const uint32_t n = program.GetNNodes();
    const uint64_t end = program.GetNCalls();
    std::vector<uint64_t> at(n, 1);
    std::vector<std::vector<std::pair<uint64_t, uint32_t>>> open(n); // Calls, and members still to
                                                                     // be requested.
    bool moved = true;
    while (moved)
    {
        moved = false;
        for (Peer p = 0; p < n; ++p)
        {
            for (; at[p] <= end; ++at[p], moved = true)
            {
                const Call call = program.GetCall(p, at[p]);
                if (call.kind == CallKind::MULTICAST)
                {
                    const uint32_t members = program.GetGroups().GetSize(call.group);
                    if (open[p].size() >= room)
                    {
                        break;
                    }
                    if (members > 0)
                    {
                        open[p].emplace_back(at[p], members);
                    }
                }
                else if (call.kind == CallKind::REQUEST)
                {
                    auto& source = open[call.source];
                    const auto found =
                        std::find_if(source.begin(), source.end(), [&](const auto& entry) {
                            return program.GetCall(call.source, entry.first).contents ==
                                   call.contents;
                        });
                    if (found == source.end())
                    {
                        break;
                    }
                    --found->second;
                    const auto matched = std::find_if(source.begin(),
                                                      source.end(),
                                                      [](const auto& e) { return e.second > 0; });
                    source.erase(source.begin(), matched);
                }
            }
        }
    }
    return std::all_of(at.begin(), at.end(), [end](uint64_t i) { return i > end; });
}

/**
 * Get the room that a transport layer needs for a program: the minimum number of messages of one
 * source that it has to accept before every target has requested the first of them. A transport
 * layer with one input slot per source and a send buffer of b messages has room for b + 1.
 * @param program the program
 * @return the number, one for a correct program; 0 if it blocks with any room
 */
uint32_t
GetRoomNeeded(const GlobalProgram& program)
{
    const uint32_t unlimited = std::numeric_limits<uint32_t>::max();
    if (!program.CheckCalls().empty() || !RunsIn(program, unlimited))
    {
        return 0;
    }
    uint32_t room = 1;
    while (!RunsIn(program, room))
    {
        ++room;
    }
    return room;
}

/** Target sets and their numbers. */
class TargetsTestCase : public TestCase
{
  public:
    TargetsTestCase()
        : TestCase("Target sets of up to hundreds of nodes have numbers (B-02)")
    {
    }

  private:
    void DoRun() override
    {
        TargetGroups groups(200);
        TargetSet odd;
        TargetSet all;
        for (Peer peer = 0; peer < 200; ++peer)
        {
            all.insert(peer);
            if (peer % 2 == 1)
            {
                odd.insert(peer);
            }
        }
        TargetSet others = all;
        others.erase(199);
        NS_TEST_EXPECT_MSG_EQ(groups.Register(199, others), TargetGroups::EVERYBODY, "All others");
        NS_TEST_EXPECT_MSG_EQ(groups.Register(0, TargetSet({7})), TargetGroups::Single(7), "One");
        const auto number = groups.Register(0, odd);
        NS_TEST_EXPECT_MSG_EQ(groups.Register(4, odd), number, "Equal sets, one number");
        NS_TEST_EXPECT_MSG_NE(groups.Register(0, others), number, "Another set, another number");
        NS_TEST_EXPECT_MSG_EQ(groups.GetSize(number), 100, "Half of the nodes are odd");
        NS_TEST_EXPECT_MSG_EQ(groups.Contains(number, 0, 151), true, "151 is");
        NS_TEST_EXPECT_MSG_EQ(groups.Contains(number, 0, 150), false, "150 is not");
        NS_TEST_EXPECT_MSG_EQ(groups.Get(number, 0), odd, "The registered set");
        NS_TEST_EXPECT_MSG_EQ(groups.GetSingle(TargetGroups::Single(7)), 7, "The one member");
        NS_TEST_EXPECT_MSG_EQ(groups.GetSingle(number), messaging::NO_PEER, "Not a single one");
        NS_TEST_EXPECT_MSG_EQ(groups.IsKnown(number + 2), false, "Never registered");
    }
};

/** Refused programs, and the error sentences. */
class RefusalTestCase : public TestCase
{
  public:
    RefusalTestCase()
        : TestCase("The first faulty or unmatched call is named (B-02)")
    {
    }

  private:
    void DoRun() override
    {
        GlobalProgram program(3);
        Collectives collectives(program);
        collectives.OneToAll(0, 20);
        NS_TEST_EXPECT_MSG_EQ(program.CheckCalls(), "", "A sound program");
        NS_TEST_EXPECT_MSG_EQ(program.CheckMatched(), "", "A correct program");
        Expect([](GlobalProgram& p) { p.MatchedMulticast(1, 20, TargetSet({1, 2})); },
               "Call 2 of node 1, multicast(20 bytes, {1,2}), has the sender 1 in its target "
               "set; a target set contains others only.");
        Expect([](GlobalProgram& p) { p.MatchedMulticast(2, 1025, TargetSet({1})); },
               "Call 2 of node 2, multicast(1025 bytes, {1}), exceeds the maximum message size "
               "of 1024 bytes.");
        Expect([](GlobalProgram& p) { p.Multicast(2, 1, TargetSet({7})); },
               "Call 2 of node 2, multicast(1 bytes, {7}), names a node that does not "
               "exist; nodes are 0 to 2.");
        Expect([](GlobalProgram& p) { p.Request(2, 0, TargetSet({1})); },
               "Call 2 of node 2, request(0, {1}), is made by a node outside of its "
               "target set; a request's target set contains the requester.");
        Expect([](GlobalProgram& p) { p.Request(2, 2, TargetSet({1})); },
               "Call 2 of node 2, request(2, {1}), requests a message of its own; a request "
               "names another node.");
        Expect(
            [](GlobalProgram& p) {
                p.Multicast(0, 8, TargetSet({1, 2}));
                p.Request(1, 0, TargetSet({1, 2}));
            },
            "Call 2 of node 0, multicast(8 bytes, {1,2}), is not matched by call 2 of "
            "node 2, skip (Assumption 1).");
        Expect(
            [](GlobalProgram& p) {
                p.Multicast(0, 8, TargetSet({1}));
                p.Request(1, 0, TargetSet({1, 2}));
            },
            "Call 2 of node 0, multicast(8 bytes, {1}), is not matched by call 2 of node "
            "1, request(0, {1,2}) (Assumption 1).");
        Expect([](GlobalProgram& p) { p.Request(2, 1, TargetSet({2})); },
               "Call 2 of node 2, request(1, {2}), is not matched by call 2 of node 1, "
               "skip (Assumption 1).");
        // A node outside T has to skip the call.
        Expect(
            [](GlobalProgram& p) {
                p.Multicast(0, 8, TargetSet({1}));
                p.Request(1, 0, TargetSet({1}));
                p.Multicast(2, 8, TargetSet({1}));
            },
            "Call 2 of node 0, multicast(8 bytes, {1}), is not matched by call 2 of node "
            "2, multicast(8 bytes, {1}) (Assumption 1).");
    }

    /**
     * Check the error of a program with a faulty second call.
     * @param write writes the second call
     * @param sentence the expected error
     */
    void Expect(const std::function<void(GlobalProgram&)>& write, const std::string& sentence)
    {
        GlobalProgram program(3);
        Collectives collectives(program);
        collectives.OneToAll(0, 20);
        write(program);
        const std::string fault = program.CheckCalls();
        NS_TEST_EXPECT_MSG_EQ((fault.empty() ? program.CheckMatched() : fault),
                              sentence,
                              "Another sentence");
    }
};

/** Collectives are correct programs; the second driver is not, but runs with enough room. */
class CollectivesTestCase : public TestCase
{
  public:
    CollectivesTestCase()
        : TestCase("Collectives; the two drivers of section 6.2 (B-17)")
    {
    }

  private:
    void DoRun() override
    {
        for (const uint32_t n : {1, 2, 3, 16, 70})
        {
            GlobalProgram program(n);
            Collectives all(program);
            all.AllToAllInTurn(20);
            all.OneToAll(n / 2, 20);
            all.Gather(0, 8);
            all.Scatter(n - 1, 8);
            all.Combine(0, 8);
            all.Barrier();
            Collectives some(program, n > 3 ? TargetSet{1, 3} : TargetSet{0});
            some.Barrier();
            some.AllToAllInTurn(4);
            program.SetRounds(3);
            NS_TEST_EXPECT_MSG_EQ(program.CheckCalls(), "", n << " nodes");
            NS_TEST_EXPECT_MSG_EQ(program.CheckMatched(), "", n << " nodes");
            NS_TEST_EXPECT_MSG_EQ(GetRoomNeeded(program), 1, "One slot is enough");
        }
        GlobalProgram first(4);
        Collectives(first).AllToAllInTurn(20);
        NS_TEST_EXPECT_MSG_EQ(first.GetNCalls(), 4, "Driver 1: each in turn");
        GlobalProgram second(4);
        Collectives(second).AllToAllAtOnce(20);
        second.SetRounds(1000);
        NS_TEST_EXPECT_MSG_EQ(second.GetNCalls(), 4000, "Driver 2: a multicast and N-1 requests");
        for (Peer p = 0; p < 4; ++p)
        {
            NS_TEST_EXPECT_MSG_EQ(second.GetCall(p, 4 * 999 + 1).kind,
                                  CallKind::MULTICAST,
                                  "B-17: multicast first");
            NS_TEST_EXPECT_MSG_EQ(second.GetCall(p, 4 * 999 + 2).source,
                                  (p + 1) % 4,
                                  "B-17: then requests");
        }
        NS_TEST_EXPECT_MSG_EQ(second.CheckCalls(), "", "No faulty call");
        NS_TEST_EXPECT_MSG_EQ(second.CheckMatched(),
                              "Call 1 of node 0, multicast(20 bytes, {1,2,3}), is not matched "
                              "by call 1 of node 1, multicast(20 bytes, {0,2,3}) (Assumption "
                              "1).",
                              "Two multicasts at once");
        NS_TEST_EXPECT_MSG_EQ(GetRoomNeeded(second), 1, "But it can be run with one slot");
        GlobalProgram three(3);
        for (Peer p = 0; p < 3; ++p)
        {
            const TargetSet others({(p + 1) % 3, (p + 2) % 3});
            for (int k = 0; k < 3; ++k)
            {
                three.Multicast(p, 1, others);
            }
        }
        for (int k = 0; k < 3; ++k)
        {
            for (Peer p = 0; p < 3; ++p)
            {
                three.Request(p, (p + 1) % 3, TargetSet({p, (p + 2) % 3}));
                three.Request(p, (p + 2) % 3, TargetSet({p, (p + 1) % 3}));
            }
        }
        NS_TEST_EXPECT_MSG_EQ(GetRoomNeeded(three), 3, "Three multicasts in a row need room");
        GlobalProgram circle(2);
        circle.Request(0, 1, TargetSet({0}));
        circle.Multicast(0, 1, TargetSet({1}));
        circle.Request(1, 0, TargetSet({1}));
        circle.Multicast(1, 1, TargetSet({0}));
        NS_TEST_EXPECT_MSG_EQ(GetRoomNeeded(circle), 0, "Both wait for each other");
    }
};

/** A broadcast layer that delivers all received messages. */
struct DeliveringCore : PassiveCore
{
    /** Refuse a broadcast. @return refused */
    messaging::Acceptance OnRequest(const messaging::Request&, auto&)
    {
        return messaging::Acceptance::REFUSED;
    }

    /** @param from sender @param frame the message @param out actions */
    void OnFrame(Peer from, const messaging::Frame& frame, auto& out)
    {
        out.Deliver(messaging::Delivery{.contents = frame.contents, .from = from});
    }

    /** @return false: no request is accepted */
    bool CanAccept() const
    {
        return false;
    }
};

/** Shared parts of drivers and rivals: the runner's check, calls. */
class ToolsTestCase : public TestCase
{
  public:
    ToolsTestCase()
        : TestCase("Calls across the seam, the check of deliveries (B-02, B-04)")
    {
    }

  private:
    void DoRun() override
    {
        GlobalProgram program(3);
        Collectives(program).OneToAll(2, 20);
        Collectives(program).Scatter(2, 5);
        ProgramRunner runner(program, 1);
        const auto request = runner.GetRequest();
        NS_TEST_EXPECT_MSG_EQ(request.to, 2, "request(2, T)");
        NS_TEST_EXPECT_MSG_EQ(+request.flags, +REQUEST_CALL, "request(2, T)");
        const auto multicast = ProgramRunner(program, 2).GetRequest();
        NS_TEST_EXPECT_MSG_EQ(multicast.to, messaging::NO_PEER, "multicast(m, T)");
        NS_TEST_EXPECT_MSG_EQ(multicast.bytes, 20, "multicast(m, T)");
        messaging::Delivery delivery;
        delivery.contents = multicast.contents;
        delivery.from = 2;
        delivery.bytes = 20;
        Breaches(runner, delivery);

        // A layer whose frames are deliveries, and the calls above it.
        CallCore calls(DeliveringCore(), program.GetGroups(), 1);
        messaging::ScriptedHost out;
        const auto arrive = [&](Peer from) {
            calls.OnFrame(from, messaging::Frame{.contents = 7}, out);
        };
        arrive(2);
        arrive(2);
        NS_TEST_EXPECT_MSG_EQ(out.delivered.size(), 0, "not requested");
        calls.OnRequest(request, out);
        NS_TEST_EXPECT_MSG_EQ(out.delivered.size(), 1, "One for one request");
        messaging::Request other = request;
        other.to = 0;
        calls.OnRequest(other, out);
        NS_TEST_EXPECT_MSG_EQ(calls.CanAccept(), false, "Nothing of node 0 yet");
        arrive(2);
        NS_TEST_EXPECT_MSG_EQ(out.delivered.size(), 1, "Another source");
        arrive(0);
        NS_TEST_EXPECT_MSG_EQ(out.completed.size(), 2, "Both requests have returned");
        TargetGroups groups(3);
        messaging::Request nobody{.id = 9};
        nobody.tag = groups.Register(1, {});
        CallCore alone(DeliveringCore(), groups, 1);
        NS_TEST_EXPECT_MSG_EQ(alone.OnRequest(nobody, out), messaging::Acceptance::ACCEPTED, "-");
        NS_TEST_EXPECT_MSG_EQ(out.completed.size(), 3, "A multicast to nobody has returned");

        PcodeConfig config;
        config.groups = &groups;
        messaging::Request call{.to = 2, .flags = REQUEST_CALL};
        NS_TEST_EXPECT_MSG_EQ(IsSound(call, config, 1), true, "A request to the last node");
        call.to = 3;
        NS_TEST_EXPECT_MSG_EQ(IsSound(call, config, 1), false, "There is none after it");
    }

    /**
     * Check the breach of a runner.
     * @param runner the runner
     * @param breach its name
     * @param when description of the event
     */
    void Breach(const ProgramRunner& runner, const std::string& breach, const std::string& when)
    {
        NS_TEST_EXPECT_MSG_NE(runner.GetViolation().find(": " + breach + "."),
                              std::string::npos,
                              when << ": " << runner.GetViolation());
    }

    /**
     * Check every breach.
     * @param fresh a runner whose first call is a request
     * @param delivery the requested message
     */
    void Breaches(const ProgramRunner& fresh, const messaging::Delivery& delivery)
    {
        ProgramRunner runner = fresh;
        runner.OnDeliver(delivery);
        Breach(runner, "a message was delivered while no request was open", "Before the call");
        runner = fresh;
        runner.OnReturn(1);
        Breach(runner, "a call returned that was not open", "Before the call");
        runner = fresh;
        runner.OnIssue();
        runner.OnReturn(1);
        Breach(runner, "a request returned without a message", "Without a message");
        runner = fresh;
        runner.OnIssue();
        runner.OnDeliver(delivery);
        NS_TEST_EXPECT_MSG_EQ(runner.GetViolation(), "", "As it should be");
        ProgramRunner twice = runner;
        twice.OnDeliver(delivery);
        Breach(twice, "a request was given a second message", "A second message");
        runner.OnReturn(1);
        NS_TEST_EXPECT_MSG_EQ(runner.GetIndex(), 3, "The second call is a skip");
        runner.OnIssue();
        runner.OnDeliver(delivery);
        Breach(runner, "a request was given another message than its own", "That of call 1");
        NS_TEST_EXPECT_MSG_EQ(runner.GetViolation(),
                              "Node 1, which is at its call 3, request(2, {1}): a request was "
                              "given another message than its own.",
                              "In one sentence");
    }
};

/** Global programs. */
class ProgramTestSuite : public TestSuite
{
  public:
    ProgramTestSuite()
        : TestSuite("pcode-program", Type::UNIT)
    {
        AddTestCase(new TargetsTestCase, TestCase::Duration::QUICK);
        AddTestCase(new RefusalTestCase, TestCase::Duration::QUICK);
        AddTestCase(new CollectivesTestCase, TestCase::Duration::QUICK);
        AddTestCase(new ToolsTestCase, TestCase::Duration::QUICK);
    }
};

ProgramTestSuite g_programTestSuite; ///< The suite.

} // namespace
} // namespace tests
} // namespace pcode
} // namespace ns3
