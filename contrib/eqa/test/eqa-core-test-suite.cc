/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "eqa-exchange.h"

#include "ns3/messaging-scripted-host.h"
#include "ns3/test.h"

#include <algorithm>
#include <array>
#include <utility>

/**
 * @file
 * @ingroup eqa
 * The protocol core on its own: the rules of paper 5, sections 2 and 3.
 */

namespace ns3
{
namespace eqa
{
namespace tests
{
namespace
{

/** Push and pull between two nodes (D-04, D-05). */
class PushPullTestCase : public TestCase
{
  public:
    PushPullTestCase()
        : TestCase("D-04, D-05: the push, the pull, and where packets go")
    {
    }

  private:
    void DoRun() override
    {
        Exchange late(2);
        late.Post(0, 1, 4000);
        NS_TEST_EXPECT_MSG_EQ(late.TakeSent(),
                              "0>1 DATA0/80 first; 0>1 DATA1/780 end",
                              "BTP_1 and BTP_2 are pushed, and no more (D-04)");
        const SendPoint& point = late.cores[0].GetSendPoints().at(0);
        NS_TEST_EXPECT_MSG_EQ(point.entries.GetN(), 1, "the rest is registered in the send queue");
        NS_TEST_EXPECT_MSG_EQ(point.entries[0].sent, 860, "BTP has left");
        late.Run();
        NS_TEST_EXPECT_MSG_EQ(late.TakeSent(), "", "nothing is pulled without a receive (D-04)");
        NS_TEST_EXPECT_MSG_EQ(late.Count(Event::BUFFERED), 2, "into the pushed buffer (D-05)");
        NS_TEST_EXPECT_MSG_EQ(late.Count(Event::DIRECT), 0, "no destination is known");
        late.Receive(1, 0, false);
        NS_TEST_EXPECT_MSG_EQ(late.TakeSent(), "1>0 ACK2 pull", "the receive pulls (D-04)");
        NS_TEST_EXPECT_MSG_EQ(late.Count(Event::DRAINED), 2, "a second copy (D-05)");
        late.Run();
        NS_TEST_EXPECT_MSG_EQ(late.TakeSent(),
                              "0>1 DATA2/1488; 0>1 DATA3/1488; 0>1 DATA4/164 ack; 1>0 ACK5",
                              "the rest, packet by packet");
        NS_TEST_EXPECT_MSG_EQ(late.Count(Event::DIRECT), 3, "pulled data has a place (D-05)");
        NS_TEST_EXPECT_MSG_EQ(late.delivered.size(), 1, "delivered");
        NS_TEST_EXPECT_MSG_EQ(late.delivered.at(0).second.bytes, 4000, "whole");
        NS_TEST_EXPECT_MSG_EQ(late.ended.size(), 1, "complete at the sender");
        NS_TEST_EXPECT_MSG_EQ(late.armed.empty(), true, "no timer is left");

        Exchange early(2);
        early.Receive(1, 0, false);
        early.Post(0, 1, 4000);
        early.Run();
        NS_TEST_EXPECT_MSG_EQ(early.TakeSent(),
                              "0>1 DATA0/80 first; 0>1 DATA1/780 end; 1>0 ACK1 pull; "
                              "0>1 DATA2/1488; 0>1 DATA3/1488; 0>1 DATA4/164 ack; 1>0 ACK5",
                              "the pull leaves after BTP_1 (D-04)");
        NS_TEST_EXPECT_MSG_EQ(early.Count(Event::DIRECT), 5, "straight to the destination (D-05)");
        NS_TEST_EXPECT_MSG_EQ(early.Count(Event::BUFFERED), 0, "nothing is buffered");
        NS_TEST_EXPECT_MSG_EQ(early.Count(Event::PULL_SENT), 1, "one pull");

        EqaConfig config;
        config.overlapAck = false;
        Exchange plain(2, config);
        plain.Receive(1, 0, false);
        plain.Post(0, 1, 1000);
        plain.Run();
        NS_TEST_EXPECT_MSG_EQ(plain.TakeSent(),
                              "0>1 DATA0/80 first; 0>1 DATA1/780 end; 1>0 ACK2 pull; "
                              "0>1 DATA2/140 ack; 1>0 ACK3",
                              "without overlapping, after the push");

        Exchange brief(2);
        for (const uint32_t bytes : {0, 80, 81, 860})
        {
            brief.Receive(1, 0, false);
            brief.Post(0, 1, bytes);
            brief.Run();
        }
        NS_TEST_EXPECT_MSG_EQ(brief.TakeSent(),
                              "0>1 DATA0/0 first end ack; 1>0 ACK1; 0>1 DATA1/80 first end ack; "
                              "1>0 ACK2; 0>1 DATA2/80 first; 0>1 DATA3/1 end ack; 1>0 ACK4; "
                              "0>1 DATA4/80 first; 0>1 DATA5/780 end ack; 1>0 ACK6",
                              "what BTP covers is not pulled");
        NS_TEST_EXPECT_MSG_EQ(brief.Count(Event::PULL_SENT), 0, "no pull");

        Exchange damaged(2);
        damaged.Receive(1, 0, false);
        damaged.Post(0, 1, 4000);
        while (!damaged.flights.empty())
        {
            Frame& frame = damaged.flights.front().frame;
            const bool middle = frame.kind == static_cast<uint8_t>(PacketKind::DATA) &&
                                static_cast<uint32_t>(frame.id) == 2;
            frame.contents ^= middle ? 1 : 0;
            damaged.Deliver();
        }
        NS_TEST_ASSERT_MSG_EQ(damaged.delivered.size(), 1, "delivered");
        NS_TEST_EXPECT_MSG_NE(damaged.delivered[0].second.contents,
                              7,
                              "a damaged part damages the message");
    }
};

/** Each packet and each acknowledgement costs a pass through the list of light DPs. */
class LightTimeTestCase : public TestCase
{
  public:
    LightTimeTestCase()
        : TestCase("Light DPs: CPU time for each, at a packet and at its acknowledgements (D-06)")
    {
    }

  private:
    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(Compute(NO_PEER), 4 * 3 * 100, "a packet, three acknowledgements");
        NS_TEST_EXPECT_MSG_EQ(Compute(1), 0, "a DP to one peer has no list");
        NS_TEST_EXPECT_MSG_EQ(Compute(NO_PEER, 1, 3), 2 * 100, "two DPs behind the first (3.1)");
        NS_TEST_EXPECT_MSG_EQ(Compute(1, 1, 3), 0, "to one process alone");
    }

    /**
     * Send a message of one packet; only light DPs take time.
     * @param to its receiver, or NO_PEER
     * @param node the measured node; 0 is the sender
     * @param processes processes of a node that receive broadcasts
     * @return the node's CPU time [ns]
     */
    uint64_t Compute(Peer to, Peer node = 0, uint32_t processes = 1)
    {
        EqaConfig config;
        config.hostWork = config.confirmAll = true;
        config.processes = processes;
        config.transmitTime = config.handleTime = config.wakeTime = config.translateTime = Time(0);
        config.lightTime = NanoSeconds(100);
        Exchange all(4, config);
        for (const Peer leaf : {1, 2, 3})
        {
            all.Receive(leaf, 0, to == NO_PEER);
        }
        all.Post(0, to, 40);
        uint64_t time = 0;
        while (!all.flights.empty() || !all.works.empty())
        {
            if (all.works.empty())
            {
                all.Deliver();
                continue;
            }
            const auto [self, work] = all.works.front();
            all.works.erase(all.works.begin());
            const bool computes = work.kind == messaging::WorkKind::INSTRUCTIONS;
            if (self == node && computes)
            {
                time += work.amount;
            }
            all.Done(self, work.id);
        }
        NS_TEST_EXPECT_MSG_EQ(all.delivered.size(), (to == NO_PEER ? 3 : 1), "delivered");
        return time;
    }
};

/** DPs by tag, and broadcasts to a part of the nodes (section 3.1). */
class GroupsTestCase : public TestCase
{
  public:
    GroupsTestCase()
        : TestCase("Section 3.1: messages of different DPs do not wait; groups of some nodes")
    {
    }

  private:
    void DoRun() override
    {
        for (const bool broadcast : {false, true})
        {
            const Peer to = broadcast ? NO_PEER : 1;
            EqaConfig config;
            config.points = 2;
            Exchange tags(2, config);
            // The tag is the contents plus one: DP 0 and DP 1.
            tags.Post(0, to, 40, 7);
            tags.Post(0, to, 50, 8);
            tags.Receive(1, 0, broadcast, 1);
            tags.Run();
            NS_TEST_ASSERT_MSG_EQ(tags.delivered.size(), 1, "no receive for the first message");
            NS_TEST_EXPECT_MSG_EQ(tags.delivered[0].second.contents, 8, "the second is not behind");
            tags.Receive(1, 0, broadcast, 4);
            tags.Run();
            NS_TEST_ASSERT_MSG_EQ(tags.delivered.size(), 2, "an even tag: DP 0");
            NS_TEST_EXPECT_MSG_EQ(tags.delivered[1].second.contents, 7, "the first message");
            NS_TEST_EXPECT_MSG_EQ(tags.cores[0].GetSendPoints().size(), 2, "a DP for each");
            NS_TEST_EXPECT_MSG_EQ(tags.Count(Event::ILLEGAL), 0, "no packet at a wrong DP");
        }

        EqaConfig config;
        config.confirmAll = true;
        config.members = {{0, 2, 3}};
        Exchange some(4, config);
        for (const Peer member : {2, 3})
        {
            some.Receive(member, 0, true);
        }
        some.Receive(1, 0, true);
        some.Post(0, NO_PEER, 1000);
        some.Run();
        NS_TEST_EXPECT_MSG_EQ(some.delivered.size(), 2, "members only");
        for (const auto& [self, delivery] : some.delivered)
        {
            NS_TEST_EXPECT_MSG_NE(self, 1, "node 1 is no member");
        }
        NS_TEST_EXPECT_MSG_EQ(some.Count(Event::OTHER_GROUP), 3, "it drops the three packets");
        NS_TEST_EXPECT_MSG_EQ(some.Count(Event::PUSH_ACK_SENT), 1, "one pull, by the next member");
        NS_TEST_EXPECT_MSG_EQ(some.ended.size(), 1, "acknowledged by the members alone");
        NS_TEST_EXPECT_MSG_EQ(some.cores[0].GetSendPoints().at(0).lights.size(),
                              2,
                              "a light DP for each member");
        NS_TEST_EXPECT_MSG_EQ(some.Post(1, NO_PEER, 4),
                              Acceptance::REFUSED,
                              "only members broadcast");
        Frame forged = some.log.back().frame;
        forged.kind = static_cast<uint8_t>(PacketKind::ACK);
        some.Inject(1, 0, forged);
        NS_TEST_EXPECT_MSG_EQ(some.Count(Event::ILLEGAL), 1, "node 1 has nothing to acknowledge");
    }
};

/** Several processes send through one DP, whose lock they take in turn (section 3.1). */
class SharedLockTestCase : public TestCase
{
  public:
    SharedLockTestCase()
        : TestCase("Section 3.1: processes share a DP and spin for its lock")
    {
    }

  private:
    static constexpr messaging::WorkId FIRST_PROCESS = 0;  ///< Work of the first sender.
    static constexpr messaging::WorkId SECOND_PROCESS = 2; ///< Work of the second sender.

    void DoRun() override
    {
        EqaConfig config;
        config.hostWork = config.locks = true;
        config.senders = 2;
        config.transmitTime = Time(0);
        config.lightTime = NanoSeconds(100);
        config.lockTime = NanoSeconds(10);
        Exchange all(4, config);
        // The tag is the contents plus one: the first and the second process.
        all.Post(0, NO_PEER, 40, 7);
        all.Post(0, NO_PEER, 50, 8);
        Expect(all, FIRST_PROCESS, messaging::WorkKind::SYSTEM_CALL, 1);
        Expect(all, SECOND_PROCESS, messaging::WorkKind::SYSTEM_CALL, 1);
        all.Done(0, FIRST_PROCESS);
        Expect(all, FIRST_PROCESS, messaging::WorkKind::COPY, 40);
        all.Done(0, FIRST_PROCESS);
        // The first walks three light DPs and holds the lock.
        Expect(all, FIRST_PROCESS, messaging::WorkKind::INSTRUCTIONS, 300);
        for (uint32_t attempt = 1; attempt <= 3; ++attempt)
        {
            all.Done(0, SECOND_PROCESS);
            Expect(all, SECOND_PROCESS, messaging::WorkKind::INSTRUCTIONS, 10);
            NS_TEST_EXPECT_MSG_EQ(all.Count(Event::LOCK_HELD), attempt, "it spins");
        }
        all.Done(0, FIRST_PROCESS);
        NS_TEST_EXPECT_MSG_EQ(all.TakeSent(), "0>* DATA0/40 first end", "the first packet");
        NS_TEST_EXPECT_MSG_EQ(all.cores[0].GetReturnedTag(), 8, "the first call returns");
        all.Done(0, SECOND_PROCESS);
        Expect(all, SECOND_PROCESS, messaging::WorkKind::COPY, 50);
        all.Done(0, SECOND_PROCESS);
        Expect(all, SECOND_PROCESS, messaging::WorkKind::INSTRUCTIONS, 300);
        all.Done(0, SECOND_PROCESS);
        NS_TEST_EXPECT_MSG_EQ(all.TakeSent(), "0>* DATA1/50 first end", "the same DP");
        NS_TEST_EXPECT_MSG_EQ(all.cores[0].GetReturnedTag(), 9, "the second call returns");
        NS_TEST_EXPECT_MSG_EQ(all.Count(Event::LOCK_HELD), 3, "no more waits");

        // Each process sends its own message, although the first finds both in the queue.
        config.locks = false;
        Exchange both(4, config);
        both.Post(0, NO_PEER, 40, 7);
        both.Post(0, NO_PEER, 50, 8);
        both.works.clear();
        both.Done(0, FIRST_PROCESS);
        both.Done(0, SECOND_PROCESS);
        both.Done(0, FIRST_PROCESS);
        both.works.clear();
        both.Done(0, FIRST_PROCESS);
        NS_TEST_EXPECT_MSG_EQ(both.TakeSent(), "0>* DATA0/40 first end", "the first process's");
        Expect(both, SECOND_PROCESS, messaging::WorkKind::COPY, 50);
        // A call that ends before an earlier one waits for it: the DP keeps the order of calls.
        Exchange late(4, config);
        late.Post(0, NO_PEER, 40, 7);
        late.Post(0, NO_PEER, 50, 8);
        late.works.clear();
        late.Done(0, SECOND_PROCESS);
        NS_TEST_EXPECT_MSG_EQ(late.works.size(), 0, "the second waits");
        late.Done(0, FIRST_PROCESS);
        Expect(late, FIRST_PROCESS, messaging::WorkKind::COPY, 40);
    }

    /**
     * Take the oldest work requested, and compare it.
     * @param exchange the network
     * @param id the sequence
     * @param kind kind of work
     * @param amount its amount
     */
    void Expect(Exchange& exchange, messaging::WorkId id, messaging::WorkKind kind, uint64_t amount)
    {
        NS_TEST_ASSERT_MSG_EQ(exchange.works.empty(), false, "work is requested");
        const messaging::Work work = exchange.works.front().second;
        exchange.works.erase(exchange.works.begin());
        NS_TEST_EXPECT_MSG_EQ(work.id, id, "its sequence");
        NS_TEST_EXPECT_MSG_EQ(work.kind, kind, "its kind");
        NS_TEST_EXPECT_MSG_EQ(work.amount, amount, "its amount");
    }
};

/** Push-Pull Broadcast (D-06, D-09, D-10). */
class PushPullBroadcastTestCase : public TestCase
{
  public:
    PushPullBroadcastTestCase()
        : TestCase("D-06, D-09, D-10: Push-Pull Broadcast")
    {
    }

  private:
    void DoRun() override
    {
        Exchange all(4);
        for (const Peer leaf : {1, 2, 3})
        {
            all.Receive(leaf, 0, true);
        }
        all.Post(0, NO_PEER, 4000);
        NS_TEST_EXPECT_MSG_EQ(all.TakeSent(),
                              "0>* DATA0/80 first; 0>* DATA1/780 end",
                              "one hardware broadcast a packet (D-06), BTP bytes (D-09)");
        const SendPoint& point = all.cores[0].GetSendPoints().at(0);
        NS_TEST_EXPECT_MSG_EQ(point.queue.Get(0).references, 3, "a light DP each (D-06)");
        for (int frames = 0; frames < 6; ++frames)
        {
            all.Deliver();
        }
        NS_TEST_EXPECT_MSG_EQ(all.TakeSent(), "1>0 ACK2 pull", "one receiver acknowledges (D-09)");
        NS_TEST_EXPECT_MSG_EQ(all.Count(Event::PUSH_ACK_SENT), 1, "exactly one (D-09)");
        all.Run();
        NS_TEST_EXPECT_MSG_EQ(all.TakeSent(),
                              "0>* DATA2/1488; 0>* DATA3/1488; 0>* DATA4/164 ack; "
                              "1>0 ACK5; 2>0 ACK5; 3>0 ACK5",
                              "then the rest, by broadcast");
        NS_TEST_EXPECT_MSG_EQ(all.delivered.size(), 3, "all have it");
        NS_TEST_EXPECT_MSG_EQ(all.ended.size(), 1, "complete once at the root");
        NS_TEST_EXPECT_MSG_EQ(point.queue.GetHome().tail, 5, "nothing is kept");

        // What BTP covers is not pulled, so its last packet asks for no acknowledgement.
        for (const uint32_t bytes : {860, 861})
        {
            Exchange covered(4);
            covered.Post(0, NO_PEER, bytes);
            for (const Peer leaf : {1, 2, 3})
            {
                covered.Receive(leaf, 0, true);
            }
            covered.Run();
            NS_TEST_EXPECT_MSG_EQ((covered.TakeSent().find(" ack") != std::string::npos),
                                  (bytes == 861),
                                  bytes);
        }

        CheckParts();
        CheckRecovery();
        CheckPushLoss();
        CheckChosen();
        CheckRelease();
    }

    /** Each further packet needs a pull; after the loss of any frame, all receive the message. */
    void CheckParts()
    {
        EqaConfig config;
        config.pullPackets = 1;
        for (int lost = -1; lost < 12; ++lost)
        {
            Exchange parts(4, config);
            for (const Peer leaf : {1, 2, 3})
            {
                parts.Receive(leaf, 0, true);
            }
            int frames = 0;
            parts.lose = [&](const Exchange::Flight&) { return frames++ == lost; };
            parts.Post(0, NO_PEER, 4000);
            parts.Run();
            if (lost < 0)
            {
                NS_TEST_EXPECT_MSG_EQ(parts.TakeSent(),
                                      "0>* DATA0/80 first; 0>* DATA1/780 end; 1>0 ACK2 pull; "
                                      "0>* DATA2/1488 end; 1>0 ACK3 pull; 0>* DATA3/1488 end; "
                                      "1>0 ACK4 pull; 0>* DATA4/164 ack; "
                                      "1>0 ACK5; 2>0 ACK5; 3>0 ACK5",
                                      "one by one");
            }
            for (int timers = 0; timers < 3 && parts.ended.empty(); ++timers)
            {
                parts.Fire(0, 0);
                parts.Run();
            }
            NS_TEST_EXPECT_MSG_EQ(parts.delivered.size(), 3, "all have it, lost " << lost);
        }
        config.pullPackets = 2;
        Exchange pairs(4, config);
        for (const Peer leaf : {1, 2, 3})
        {
            pairs.Receive(leaf, 0, true);
        }
        pairs.Post(0, NO_PEER, 8000);
        pairs.Run();
        NS_TEST_EXPECT_MSG_EQ(pairs.TakeSent(),
                              "0>* DATA0/80 first; 0>* DATA1/780 end; 1>0 ACK2 pull; "
                              "0>* DATA2/1488; 0>* DATA3/1488 end; 1>0 ACK4 pull; "
                              "0>* DATA4/1488; 0>* DATA5/1488 end; 1>0 ACK6 pull; "
                              "0>* DATA6/1188 ack; 1>0 ACK7; 2>0 ACK7; 3>0 ACK7",
                              "two by two");
    }

    /** D-10: a packet of the pull phase is lost on its way to one receiver. */
    void CheckRecovery()
    {
        Exchange lossy(4);
        for (const Peer leaf : {1, 2, 3})
        {
            lossy.Receive(leaf, 0, true);
        }
        bool once = true;
        lossy.lose = [&once](const Exchange::Flight& flight) {
            return flight.to == 2 && flight.frame.id % 8 == 2 && flight.frame.kind == 1 &&
                   std::exchange(once, false);
        };
        lossy.Post(0, NO_PEER, 30000);
        lossy.Run();
        const std::string sent = lossy.TakeSent();
        NS_TEST_EXPECT_MSG_EQ(lossy.Count(Event::ASK_SENT), 1, "one asks (D-10)");
        NS_TEST_EXPECT_MSG_NE(sent.find("2>0 ASK2"),
                              std::string::npos,
                              "the receiver that lost the packet requests it");
        NS_TEST_EXPECT_MSG_EQ(lossy.Count(Event::SUSPENDED), 1, "suspended (D-10)");
        NS_TEST_EXPECT_MSG_EQ(lossy.Count(Event::RESUMED), 1, "resumed");
        const auto ask = sent.find("2>0 ASK2");
        const auto caughtUp = sent.find("2>0 ACK8", ask);
        const std::string pause = sent.substr(ask, caughtUp - ask);
        NS_TEST_EXPECT_MSG_EQ(pause.find("0>*"),
                              std::string::npos,
                              "no broadcast meanwhile (D-10)");
        NS_TEST_EXPECT_MSG_NE(pause.find("0>2 DATA2"),
                              std::string::npos,
                              "point-to-point, from the lost packet on");
        NS_TEST_EXPECT_MSG_NE(pause.find("0>2 DATA3"), std::string::npos, "go-back-N");
        NS_TEST_EXPECT_MSG_EQ(sent.find("0>1"), std::string::npos, "others get nothing again");
        NS_TEST_EXPECT_MSG_EQ(sent.find("0>3"), std::string::npos, "others get nothing again");
        NS_TEST_EXPECT_MSG_EQ(lossy.delivered.size(), 3, "all have it");
    }

    /** D-09: the push phase, or its acknowledgement, is lost. */
    void CheckPushLoss()
    {
        Exchange lossy(3);
        lossy.Receive(1, 0, true);
        lossy.Receive(2, 0, true);
        int losses = 4;
        lossy.lose = [&losses](const Exchange::Flight&) { return losses-- > 0; };
        lossy.Post(0, NO_PEER, 2000);
        lossy.Run();
        NS_TEST_EXPECT_MSG_EQ(lossy.delivered.size(), 0, "push and acknowledgement are lost");
        lossy.TakeSent();
        lossy.Fire(0, 0);
        lossy.Run();
        NS_TEST_EXPECT_MSG_EQ(lossy.TakeSent(),
                              "0>2 PROBE2; 0>1 PROBE2; 2>0 ASK0; 1>0 ASK0; 0>2 DATA0/80 first; "
                              "0>2 DATA1/780 end ack; 0>1 DATA0/80 first; 0>1 DATA1/780 end ack; "
                              "2>0 ACK2; 1>0 ACK2 pull; 0>* DATA2/1140 ack; 1>0 ACK3; 2>0 ACK3",
                              "the silent root asks; who lost asks back (D-10)");
        NS_TEST_EXPECT_MSG_EQ(lossy.delivered.size(), 2, "all have it");
    }

    /** Choice of the acknowledging receiver. */
    void CheckChosen()
    {
        Exchange turns(4);
        std::ostringstream who;
        for (int message = 0; message < 4; ++message)
        {
            for (const Peer leaf : {0, 1, 3})
            {
                turns.Receive(leaf, 2, true);
            }
            turns.Post(2, NO_PEER, 10);
            turns.Run();
            const std::string sent = turns.TakeSent();
            who << sent[sent.find(">2") - 1];
        }
        NS_TEST_EXPECT_MSG_EQ(who.str(), "3333", "the one behind the root (D-09)");
        NS_TEST_EXPECT_MSG_EQ(turns.Count(Event::PUSH_ACK_SENT), 4, "one a message (D-09)");
    }

    /** Acknowledgements of packets, by which the buffer is freed; node 1 is the chosen one. */
    void CheckRelease()
    {
        for (const auto release : {ReleaseRule::TOGETHER, ReleaseRule::IN_TURN})
        {
            EqaConfig config;
            config.release = release;
            Exchange group(4, config);
            std::ostringstream who;
            for (int message = 1; message <= 8; ++message)
            {
                for (const Peer leaf : {1, 2, 3})
                {
                    group.Receive(leaf, 0, true);
                }
                group.Post(0, NO_PEER, 10);
                group.Run();
                const std::string sent = group.TakeSent();
                for (const std::string leaf : {"2", "3"})
                {
                    who << (sent.find(leaf + ">0 ACK") != std::string::npos ? leaf : "");
                }
                who << ".";
            }
            const bool together = release == ReleaseRule::TOGETHER;
            NS_TEST_EXPECT_MSG_EQ(who.str(),
                                  (together ? ".......23." : "....3.2..."),
                                  "each once in half a window of 16, together: " << together);
            group.Receive(2, 0, true);
            group.Receive(3, 0, true);
            group.Receive(1, 0, true);
            group.Post(0, NO_PEER, 2000);
            group.Run();
            const std::string sent = group.TakeSent();
            NS_TEST_EXPECT_MSG_EQ((sent.find("2>0 ACK11") != std::string::npos),
                                  together,
                                  "all at the end of a long message, together: " << together);
        }
    }
};

/** Simple Broadcast (D-07). */
class SimpleBroadcastTestCase : public TestCase
{
  public:
    SimpleBroadcastTestCase()
        : TestCase("D-07: Simple Broadcast")
    {
    }

  private:
    void DoRun() override
    {
        EqaConfig config;
        config.broadcast = BroadcastKind::SIMPLE;
        Exchange all(3, config);
        all.Receive(1, 0, true);
        all.Receive(2, 0, true);
        all.Post(0, NO_PEER, 4000);
        NS_TEST_EXPECT_MSG_EQ(all.TakeSent(),
                              "0>* DATA0/1488 first; 0>* DATA1/1488; 0>* DATA2/1024 ack",
                              "all packets at once");
        all.Run();
        NS_TEST_EXPECT_MSG_EQ(all.TakeSent(), "1>0 ACK3; 2>0 ACK3", "each channel acknowledges");

        all.Receive(1, 0, true);
        all.Receive(2, 0, true);
        all.Post(0, NO_PEER, 40 * 1488);
        NS_TEST_EXPECT_MSG_EQ(all.Count(Event::BROADCAST), 3 + 16, "no more than a window of 16");
        bool once = true;
        all.lose = [&once](const Exchange::Flight& flight) {
            return flight.to == 2 && flight.frame.kind == 1 && std::exchange(once, false);
        };
        all.Run();
        const std::string sent = all.TakeSent();
        NS_TEST_EXPECT_MSG_NE(sent.find("2>0 ASK3"),
                              std::string::npos,
                              "the gap in the numbers reveals the loss");
        NS_TEST_EXPECT_MSG_NE(sent.find("0>2 DATA3"), std::string::npos, "go-back-N");
        NS_TEST_EXPECT_MSG_EQ(sent.find("0>1"), std::string::npos, "for its destination alone");
        NS_TEST_EXPECT_MSG_EQ(all.delivered.size(), 4, "all have both messages");

        // The last packet is lost: no later number reveals this, but the root's silence does.
        all.Receive(1, 0, true);
        all.Receive(2, 0, true);
        once = true;
        all.Post(0, NO_PEER, 8);
        all.Run();
        all.TakeSent();
        all.Fire(0, 0);
        all.Run();
        NS_TEST_EXPECT_MSG_EQ(all.TakeSent(),
                              "0>2 DATA43/8 first ack; 2>0 ACK44",
                              "the DP sends the lost packets based on the LMS");
        NS_TEST_EXPECT_MSG_EQ(all.delivered.size(), 6, "all have it");
        NS_TEST_EXPECT_MSG_EQ(all.armed.empty(), true, "no timer is left");
    }
};

/** Late receivers and full buffers (section 3.3). */
class OverflowTestCase : public TestCase
{
  public:
    OverflowTestCase()
        : TestCase("Late receivers: pushed buffer full, asked for when there is room")
    {
    }

  private:
    void DoRun() override
    {
        Exchange late(3);
        late.Receive(1, 0, true);
        late.Post(0, NO_PEER, 60000);
        late.Run();
        NS_TEST_EXPECT_MSG_GT(late.Count(Event::BUFFER_OVERFLOW), 0U, "node 2 has no room");
        NS_TEST_EXPECT_MSG_EQ(late.Count(Event::ASK_SENT), 0, "and does not ask before it has");
        NS_TEST_EXPECT_MSG_EQ(late.delivered.size(), 0, "the window holds node 1 up, too");
        NS_TEST_EXPECT_MSG_NE(late.TakeSent().find("full"),
                              std::string::npos,
                              "an answer reports a full buffer");
        late.Fire(0, 0);
        late.Run();
        NS_TEST_EXPECT_MSG_NE(late.TakeSent().find("2>0 ACK9 full"),
                              std::string::npos,
                              "a probe is answered, and nothing is resent into a full buffer");
        NS_TEST_EXPECT_MSG_EQ(late.Count(Event::RESENT), 0, "nothing is resent");
        late.Receive(2, 0, true);
        NS_TEST_EXPECT_MSG_EQ(late.TakeSent(), "2>0 ASK9", "now there is room");
        late.Run();
        NS_TEST_EXPECT_MSG_EQ(late.delivered.size(), 2, "all have it");
        NS_TEST_EXPECT_MSG_EQ(FindBrokenReference(late.cores), "", "references");

        EqaConfig config;
        config.hostWork = true;
        config.handleTime = NanoSeconds(5);
        config.receiveRing = 3;
        Exchange card(2, config);
        card.Receive(1, 0, false);
        Frame frame;
        frame.kind = static_cast<uint8_t>(PacketKind::PROBE);
        for (int frames = 0; frames < 5; ++frames)
        {
            card.Inject(0, 1, frame);
        }
        NS_TEST_EXPECT_MSG_EQ(card.Count(Event::RING_OVERFLOW),
                              2,
                              "the card has three descriptors");
    }
};

/** Requests, timers, ports and steps of one or two nodes. */
class RequestTestCase : public TestCase
{
  public:
    /**
     * Constructor.
     * @param rule the rule
     * @param run its check
     */
    RequestTestCase(const std::string& rule, void (RequestTestCase::*run)())
        : TestCase(rule),
          m_run(run)
    {
    }

    /** Messages and receives that no node can have. */
    void RefuseImpossible()
    {
        Exchange two(2);
        NS_TEST_EXPECT_MSG_EQ(two.Post(0, 1, MAX_MESSAGE + 1), Acceptance::REFUSED, "too large");
        NS_TEST_EXPECT_MSG_EQ(two.Post(0, 1, MAX_MESSAGE), Acceptance::ACCEPTED, "the largest");
        NS_TEST_EXPECT_MSG_EQ(two.Post(0, 2, 1), Acceptance::REFUSED, "no such peer");
        NS_TEST_EXPECT_MSG_EQ(two.Post(0, 0, 1), Acceptance::REFUSED, "to oneself");
        NS_TEST_EXPECT_MSG_EQ(two.Receive(0, 0, true), Acceptance::REFUSED, "from oneself");
        NS_TEST_EXPECT_MSG_EQ(two.Receive(0, 5, true), Acceptance::REFUSED, "from nobody");
    }

    /** Queues of sends and receives. */
    void StallWhenFull()
    {
        constexpr uint64_t QUEUE = 64;
        Exchange two(2);
        for (uint64_t i = 0; i < QUEUE; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(two.Receive(1, 0, false), Acceptance::ACCEPTED, "receive " << i);
        }
        NS_TEST_EXPECT_MSG_EQ(two.Receive(1, 0, false), Acceptance::STALLED, "receive queue full");
        two.lose = [](const Exchange::Flight&) { return true; };
        for (uint64_t i = 0; i < QUEUE; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(two.Post(0, 1, 1), Acceptance::ACCEPTED, "message " << i);
        }
        NS_TEST_EXPECT_MSG_EQ(two.Post(0, 1, 1), Acceptance::STALLED, "send queue full");
        NS_TEST_EXPECT_MSG_EQ(two.Count(Event::UNICAST), 16, "no more than a window");
    }

    /** A broadcast of a node that is alone. */
    void ReturnAlone()
    {
        Exchange one(1);
        NS_TEST_EXPECT_MSG_EQ(one.Post(0, NO_PEER, 9), Acceptance::ACCEPTED, "a group of one");
        NS_TEST_EXPECT_MSG_EQ(one.ended.size(), 1, "returns at once");
        NS_TEST_EXPECT_MSG_EQ(one.TakeSent(), "", "and sends nothing");
    }

    /** Timeouts of a node that gets no answer. */
    void DoubleTimeouts()
    {
        Exchange silent(2);
        silent.Fire(0, 0);
        NS_TEST_EXPECT_MSG_EQ(silent.Count(Event::ILLEGAL), 1, "no channel has a timer yet");

        constexpr uint32_t DOUBLED = 6;
        Exchange deaf(2);
        deaf.lose = [](const Exchange::Flight&) { return true; };
        deaf.Post(0, 1, 1);
        for (uint32_t silence = 0; silence < DOUBLED + 3; ++silence)
        {
            NS_TEST_EXPECT_MSG_EQ(deaf.armed.begin()->second,
                                  deaf.config.timeoutTicks << std::min(silence, DOUBLED),
                                  "silence " << silence);
            deaf.Fire(0, 0);
        }
    }

    /** Frames of peers that do not exist: only peers 0 and 1 do. */
    void DropForeign()
    {
        Exchange foreign(2);
        Frame frame;
        frame.kind = static_cast<uint8_t>(PacketKind::DATA);
        foreign.Inject(2, 1, frame);
        foreign.Inject(1, 1, frame);
        NS_TEST_EXPECT_MSG_EQ(foreign.Count(Event::ILLEGAL), 2, "from nobody, and from oneself");
    }

    /** A port that takes no frame. */
    void WaitForPort()
    {
        Exchange jam(2);
        jam.busy = true;
        jam.Post(0, 1, 100);
        NS_TEST_EXPECT_MSG_EQ(jam.TakeSent(), "", "the port is busy");
        jam.busy = false;
        jam.Ready(0);
        NS_TEST_EXPECT_MSG_EQ(jam.TakeSent(),
                              "0>1 DATA0/80 first; 0>1 DATA1/20 end ack",
                              "frames wait, in order");
    }

    /** Steps of work that take time. */
    void WorkInSteps()
    {
        Exchange worker(2, MakeWorking());
        worker.Post(0, 1, 100);
        NS_TEST_EXPECT_MSG_EQ(worker.works.size(), 1, "one step at a time");
        NS_TEST_EXPECT_MSG_EQ(worker.works.back().second.kind,
                              messaging::WorkKind::SYSTEM_CALL,
                              "first the system call");
        worker.Done(0, 0);
        NS_TEST_EXPECT_MSG_EQ(worker.works.back().second.kind,
                              messaging::WorkKind::COPY,
                              "then the copy of BTP_1");
        NS_TEST_EXPECT_MSG_EQ(worker.works.back().second.amount, 80, "80 bytes");
        worker.Done(0, 0);
        NS_TEST_EXPECT_MSG_EQ(worker.TakeSent(), "", "the card does not have it yet");
        worker.Done(0, 0);
        NS_TEST_EXPECT_MSG_EQ(worker.TakeSent(), "0>1 DATA0/80 first", "now it has");
        worker.Done(0, 1);
        NS_TEST_EXPECT_MSG_EQ(worker.Count(Event::ILLEGAL), 1, "the handler had no work");
    }

    /** Finished steps are not part of the state: one of three receives has ended, before or after
     * the others were posted. */
    void ForgetSteps()
    {
        EqaConfig config = MakeWorking();
        config.translateTime = Time(0);
        Exchange before(2, config);
        before.Receive(1, 0, false);
        before.Done(1, 0);
        before.Receive(1, 0, false);
        before.Receive(1, 0, false);
        Exchange after(2, config);
        for (int i = 0; i < 3; ++i)
        {
            after.Receive(1, 0, false);
        }
        after.Done(1, 0);
        const bool equal =
            messaging::GetState(before.cores[1]) == messaging::GetState(after.cores[1]);
        NS_TEST_EXPECT_MSG_EQ(equal, true, "equal states");
    }

  private:
    /** @return parameters of a node whose work takes time. */
    static EqaConfig MakeWorking()
    {
        EqaConfig config;
        config.hostWork = true;
        config.transmitTime = NanoSeconds(3);
        return config;
    }

    void DoRun() override
    {
        (this->*m_run)();
    }

    void (RequestTestCase::*m_run)(); ///< The check.
};

/** Copies in memory and translations, with each technique on and off (section 2). */
class TechniquesTestCase : public TestCase
{
  public:
    /**
     * Constructor.
     * @param rule the rule
     * @param run its check
     */
    TechniquesTestCase(const std::string& rule, void (TechniquesTestCase::*run)())
        : TestCase(rule),
          m_run(run)
    {
    }

    /** Order and sum of the costs of a message of 2000 bytes. */
    struct Costs
    {
        std::string sender; ///< Work of the sender's process before its first frame.
        uint64_t copied{0}; ///< Bytes copied by the receiver's CPUs.
    };

    /**
     * Send a message with costs.
     * @param config parameters
     * @return the costs
     */
    static Costs Send(EqaConfig config)
    {
        config.hostWork = true;
        config.translateTime = NanoSeconds(9);
        config.transmitTime = NanoSeconds(1);
        Exchange two(2, config);
        Costs costs;
        const auto work = [&two, &costs](Peer peer) {
            while (true)
            {
                bool any = false;
                for (std::size_t i = 0; i < two.works.size(); ++i)
                {
                    const auto [self, step] = two.works[i];
                    if (self != peer)
                    {
                        continue;
                    }
                    two.works.erase(two.works.begin() + static_cast<int64_t>(i));
                    if (peer == 0 && two.log.empty())
                    {
                        costs.sender += step.amount == 9 ? "t" : "";
                    }
                    if (peer == 1 && step.kind == messaging::WorkKind::COPY)
                    {
                        costs.copied += step.amount;
                    }
                    two.Done(self, step.id);
                    any = true;
                    break;
                }
                if (!any)
                {
                    return;
                }
            }
        };
        two.Receive(1, 0, false);
        work(1);
        two.Post(0, 1, 2000);
        for (int round = 0; round < 20; ++round)
        {
            work(0);
            two.Run();
            work(1);
            two.Run();
        }
        costs.sender += two.delivered.size() == 1 ? "" : " lost";
        return costs;
    }

    /** Work done until the end of the exchange. */
    struct Done
    {
        uint64_t translation{0}; ///< The sender's time [ns].
        uint32_t calls{0};       ///< The receiver's system calls.
    };

    /**
     * Run to the end, with translations done only if no other step is possible.
     * @param two two nodes, with instructions for translations only
     * @return the work done
     */
    static Done Play(Exchange& two)
    {
        Done done;
        const auto translates = [](const auto& each) {
            return each.first == 0 && each.second.kind == messaging::WorkKind::INSTRUCTIONS &&
                   each.second.amount > 0;
        };
        while (!two.flights.empty() || !two.works.empty())
        {
            auto next = std::find_if_not(two.works.begin(), two.works.end(), translates);
            if (next == two.works.end() && !two.flights.empty())
            {
                two.Deliver();
                continue;
            }
            if (next == two.works.end())
            {
                next = two.works.begin();
            }
            const auto [self, work] = *next;
            if (translates(*next))
            {
                done.translation += work.amount;
            }
            done.calls += self == 1 && work.kind == messaging::WorkKind::SYSTEM_CALL;
            two.works.erase(next);
            two.Done(self, work.id);
        }
        return done;
    }

    /** The part that is not pushed is translated page by page, also while the pull is waiting. */
    void Translate()
    {
        EqaConfig config;
        config.hostWork = true;
        config.transmitTime = config.handleTime = config.wakeTime = config.lightTime = Time(0);
        config.translateTime = NanoSeconds(1000);
        for (const bool masks : {true, false})
        {
            config.maskTranslation = masks;
            for (const auto& [rest, pages] :
                 {std::pair{0U, 0U}, {1U, 1U}, {4096U, 1U}, {4097U, 2U}})
            {
                Exchange two(2, config);
                two.Receive(1, 0, false);
                two.Post(0, 1, config.GetBtp() + rest);
                const auto done = Play(two);
                NS_TEST_EXPECT_MSG_EQ(done.translation, 1000 * pages, rest << " behind the push");
                NS_TEST_EXPECT_MSG_EQ(two.delivered.size(), 1, "and then it goes on");
            }
        }
    }

    /** A receive costs a system call, even if posted in advance. */
    void Standing()
    {
        for (const bool standing : {false, true})
        {
            EqaConfig config;
            config.hostWork = true;
            config.standing = standing;
            config.transmitTime = config.handleTime = config.wakeTime = config.lightTime = Time(0);
            Exchange two(2, config);
            for (uint64_t message = 0; message < 3; ++message)
            {
                NS_TEST_EXPECT_MSG_EQ(two.Receive(1, 0, false),
                                      (standing ? Acceptance::REFUSED : Acceptance::ACCEPTED),
                                      "none is posted where one stands");
                two.Post(0, 1, 10);
            }
            NS_TEST_EXPECT_MSG_EQ(Play(two).calls, 3, "standing " << standing);
            NS_TEST_EXPECT_MSG_EQ(two.delivered.size(), 3, "all");
        }
    }

    /** Copies and translations with and without the techniques. */
    void Hide()
    {
        EqaConfig config;
        NS_TEST_EXPECT_MSG_EQ(Send(config).copied, 2000, "Cross-Space Zero Buffer: one copy");
        NS_TEST_EXPECT_MSG_EQ(Send(config).sender, "", "the translation is not before the push");
        config.zeroBuffer = false;
        NS_TEST_EXPECT_MSG_EQ(Send(config).copied, 4000, "a buffer of the kernel: two copies");
        config.maskTranslation = false;
        NS_TEST_EXPECT_MSG_EQ(Send(config).sender, "t", "the translation delays the push");
    }

  private:
    void DoRun() override
    {
        (this->*m_run)();
    }

    void (TechniquesTestCase::*m_run)(); ///< The check.
};

/** The core on its own. */
class EqaCoreTestSuite : public TestSuite
{
  public:
    EqaCoreTestSuite()
        : TestSuite("eqa-core", Type::UNIT)
    {
        AddTestCase(new PushPullTestCase, TestCase::Duration::QUICK);
        AddTestCase(new LightTimeTestCase, TestCase::Duration::QUICK);
        AddTestCase(new GroupsTestCase, TestCase::Duration::QUICK);
        AddTestCase(new SharedLockTestCase, TestCase::Duration::QUICK);
        AddTestCase(new PushPullBroadcastTestCase, TestCase::Duration::QUICK);
        AddTestCase(new SimpleBroadcastTestCase, TestCase::Duration::QUICK);
        AddTestCase(new OverflowTestCase, TestCase::Duration::QUICK);
        using R = RequestTestCase;
        const auto request = [this](const std::string& rule, void (R::*run)()) {
            AddTestCase(new R(rule, run), TestCase::Duration::QUICK);
        };
        request("Impossible messages and receives are refused", &R::RefuseImpossible);
        request("Full queues stall messages and receives", &R::StallWhenFull);
        request("A broadcast in a group of one returns at once", &R::ReturnAlone);
        request("The timeout doubles with each silence, up to 64 times", &R::DoubleTimeouts);
        request("Frames of unknown senders are dropped", &R::DropForeign);
        request("Frames wait for a busy port, in order", &R::WaitForPort);
        request("Work is done step by step", &R::WorkInSteps);
        request("Finished steps are not part of the state", &R::ForgetSteps);
        using T = TechniquesTestCase;
        const auto technique = [this](const std::string& rule, void (T::*run)()) {
            AddTestCase(new T(rule, run), TestCase::Duration::QUICK);
        };
        technique("Section 2: zero buffer, and masked translations", &T::Hide);
        technique("Section 2: pages are translated while the pull waits", &T::Translate);
        technique("A receive costs a system call, even if posted in advance", &T::Standing);
    }
};

EqaCoreTestSuite g_eqaCoreTestSuite; ///< The suite.

} // namespace
} // namespace tests
} // namespace eqa
} // namespace ns3
