/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-list-text.h"

#include "ns3/boolean.h"
#include "ns3/messaging-audit.h"
#include "ns3/messaging-core.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <algorithm>
#include <deque>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Tests of the delivery audit: sound runs pass, and every kind of violation is reported.
 */

namespace ns3
{
namespace messaging
{
namespace tests
{
namespace
{

/** A passive group; the test decides its deliveries and completions. */
class PuppetGroup : public MessageGroup
{
  public:
    /** A posted message. */
    struct Posted
    {
        Peer from;       ///< Sender.
        Request request; ///< The message.
    };

    uint32_t GetNPeers() const override
    {
        return 8;
    }

    Acceptance Post(Peer self, const Request& request) override
    {
        if (m_answer == Acceptance::ACCEPTED)
        {
            m_posted.push_back(Posted{self, request});
        }
        return m_answer;
    }

    /**
     * Make a delivery of a posted message.
     * @param index its index, in the order posted
     * @return the correct delivery
     */
    Delivery Make(std::size_t index) const
    {
        const auto& posted = m_posted[index];
        return Delivery{posted.request.id,
                        posted.request.contents,
                        posted.from,
                        posted.request.bytes,
                        posted.request.tag,
                        posted.request.flags};
    }

    /**
     * Deliver a posted message.
     * @param index its index, in the order posted
     */
    void Deliver(std::size_t index)
    {
        m_user->OnDeliver(m_posted[index].request.to, Make(index));
    }

    /**
     * Make an arbitrary delivery.
     * @param self the receiver
     * @param delivery the delivery
     */
    void Deliver(Peer self, const Delivery& delivery)
    {
        m_user->OnDeliver(self, delivery);
    }

    /**
     * Complete a posted message.
     * @param index its index, in the order posted
     * @param completion its completion
     */
    void Complete(std::size_t index, Completion completion)
    {
        Complete(m_posted[index].from, index, completion);
    }

    /**
     * Complete a posted message at any peer.
     * @param self the peer
     * @param index its index, in the order posted
     * @param completion its completion
     */
    void Complete(Peer self, std::size_t index, Completion completion)
    {
        m_user->OnComplete(self, m_posted[index].request.id, completion);
    }

    bool ConfirmsDelivery() const override
    {
        return m_confirms;
    }

    std::deque<Posted> m_posted;               ///< All accepted messages.
    Acceptance m_answer{Acceptance::ACCEPTED}; ///< Result of Post.
    bool m_confirms{false};                    ///< SENT does not end a message.
};

/** Records deliveries and completions. */
class AuditListener : public GroupUser
{
  public:
    void OnDeliver(Peer self, const Delivery& delivery) override
    {
        m_deliveries.emplace_back(self, delivery);
    }

    void OnComplete(Peer self, RequestId id, Completion) override
    {
        m_completions.emplace_back(self, id);
    }

    void OnReady(Peer) override
    {
    }

    std::vector<std::pair<Peer, Delivery>> m_deliveries;   ///< All deliveries.
    std::vector<std::pair<Peer, RequestId>> m_completions; ///< All completions.
};

/** Base of the cases: an audit of a passive group. */
class AuditTestCase : public TestCase
{
  public:
    /**
     * Constructor.
     * @param name name of the case
     */
    explicit AuditTestCase(const std::string& name)
        : TestCase(name)
    {
    }

  protected:
    void DoSetup() override
    {
        m_group = CreateObject<PuppetGroup>();
        m_audit = CreateObject<DeliveryAudit>();
        m_audit->SetGroup(m_group);
        m_audit->SetUser(&m_listener);
    }

    void DoTeardown() override
    {
        m_audit->Dispose();
        m_audit = nullptr;
        m_group = nullptr;
    }

    /**
     * Post a message.
     * @param from the sender
     * @param to the receiver
     * @param id the request
     * @return the result of Post
     */
    Acceptance Post(Peer from, Peer to, RequestId id)
    {
        return m_audit->Post(from, Request{id, id * 1000, to, static_cast<uint32_t>(id + 1), 7, 0});
    }

    /**
     * Expect a first violation with a phrase.
     * @param phrase the phrase
     */
    void ExpectViolation(const std::string& phrase)
    {
        NS_TEST_EXPECT_MSG_EQ(m_audit->IsClean(), false, "the audit notices the violation");
        NS_TEST_EXPECT_MSG_NE(m_audit->GetFirstViolation().find(phrase),
                              std::string::npos,
                              "\"" << phrase
                                   << "\" is expected in: " << m_audit->GetFirstViolation());
    }

    Ptr<PuppetGroup> m_group;   ///< Audited group.
    Ptr<DeliveryAudit> m_audit; ///< Audit under test.
    AuditListener m_listener;   ///< User of the audit.
};

/** A sound run is clean, and the user sees its own ids and contents. */
class SoundAuditCase : public AuditTestCase
{
  public:
    SoundAuditCase()
        : AuditTestCase("a sound run is clean and the audit is transparent")
    {
    }

  private:
    void DoRun() override
    {
        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(1);
        constexpr uint32_t MESSAGES = 20000;
        std::vector<uint32_t> inFlight;
        for (uint32_t i = 0; i < MESSAGES; ++i)
        {
            m_group->m_answer = i % 5 == 4 ? Acceptance::STALLED : Acceptance::ACCEPTED;
            if (m_group->m_answer == Acceptance::STALLED)
            {
                NS_TEST_ASSERT_MSG_EQ(Post(i % 8, 3, i),
                                      Acceptance::STALLED,
                                      "the audit passes the group's answer on");
                m_group->m_answer = Acceptance::ACCEPTED;
            }
            NS_TEST_ASSERT_MSG_EQ(Post(i % 8, i % 3, i),
                                  Acceptance::ACCEPTED,
                                  "the audit passes the group's answer on");
            inFlight.push_back(i);
            if (inFlight.size() > 50)
            {
                const auto victim =
                    random->GetInteger(0, static_cast<uint32_t>(inFlight.size() - 1));
                const auto index = inFlight[victim];
                m_group->Deliver(index);
                m_group->Complete(index, Completion::DELIVERED);
                inFlight.erase(inFlight.begin() + victim);
            }
        }
        NS_TEST_EXPECT_MSG_EQ(m_audit->GetNInFlight(),
                              inFlight.size(),
                              "messages that have not ended");
        std::vector<uint32_t> undelivered;
        m_audit->ForUndelivered([&](Peer from, Peer to, RequestId id) {
            NS_TEST_EXPECT_MSG_EQ(from, id % 8, "sender of a message in flight");
            NS_TEST_EXPECT_MSG_EQ(to, id % 3, "destination of a message in flight");
            undelivered.push_back(static_cast<uint32_t>(id));
        });
        std::sort(undelivered.begin(), undelivered.end());
        NS_TEST_EXPECT_MSG_EQ(ListText(undelivered),
                              ListText(inFlight),
                              "messages that ForEachUndelivered visits");
        for (const auto index : inFlight)
        {
            // A protocol that promises the sender nothing may complete before or after the
            // delivery.
            m_group->Complete(index, Completion::SENT);
            m_group->Deliver(index);
        }
        NS_TEST_EXPECT_MSG_EQ(m_audit->Finish(), true, m_audit->GetFirstViolation());
        NS_TEST_EXPECT_MSG_EQ(m_audit->GetCounts().posted, MESSAGES, "stalled posts do not count");
        NS_TEST_EXPECT_MSG_EQ(m_audit->GetCounts().delivered,
                              MESSAGES,
                              "all messages are delivered");
        NS_TEST_EXPECT_MSG_EQ(m_audit->GetCounts().completed,
                              MESSAGES,
                              "all messages are completed");
        constexpr uint64_t NUMBER = (uint64_t{1} << 38) - 1;
        NS_TEST_EXPECT_MSG_EQ((m_group->m_posted.back().request.id & NUMBER),
                              MESSAGES - 1,
                              "a stalled post gives its number back");
        NS_TEST_EXPECT_MSG_EQ(m_audit->GetNInFlight(), 0, "no message is in flight at the end");
        NS_TEST_ASSERT_MSG_EQ(m_listener.m_deliveries.size(),
                              MESSAGES,
                              "all deliveries are passed to the user");
        NS_TEST_ASSERT_MSG_EQ(m_listener.m_completions.size(),
                              MESSAGES,
                              "all completions are passed to the user");
        std::vector<bool> seen(MESSAGES);
        for (const auto& [self, delivery] : m_listener.m_deliveries)
        {
            const auto id = delivery.contents / 1000;
            NS_TEST_ASSERT_MSG_EQ(delivery.contents % 1000,
                                  0,
                                  "the user's own contents are restored");
            NS_TEST_ASSERT_MSG_EQ(self, id % 3, "receiver of a delivery");
            NS_TEST_ASSERT_MSG_EQ(delivery.from, id % 8, "sender of a delivery");
            NS_TEST_ASSERT_MSG_EQ(delivery.bytes, id + 1, "size of a delivery");
            seen[id] = true;
        }
        NS_TEST_EXPECT_MSG_EQ(std::count(seen.begin(), seen.end(), true),
                              MESSAGES,
                              "each message is delivered");
    }
};

/**
 * A message is delivered twice: while in flight, after its end, and after its record was reused.
 */
class DuplicateCase : public AuditTestCase
{
  public:
    DuplicateCase()
        : AuditTestCase("a second delivery is a violation, however late")
    {
    }

  private:
    /** @param kind kind of the violation @param sentence the sentence */
    void OnViolation(AuditViolation kind, const std::string& sentence)
    {
        NS_TEST_EXPECT_MSG_EQ(static_cast<int>(kind),
                              static_cast<int>(AuditViolation::DUPLICATE),
                              sentence);
        ++m_traced;
    }

    void DoRun() override
    {
        m_audit->TraceConnectWithoutContext("Violation",
                                            MakeCallback(&DuplicateCase::OnViolation, this));
        Post(1, 2, 0);
        m_group->Deliver(0);
        m_group->Deliver(0);
        NS_TEST_EXPECT_MSG_EQ(m_audit->GetCounts().duplicates,
                              1,
                              "a duplicate while the message is in flight");
        ExpectViolation("Message 0 from peer 1 was delivered to peer 2 a second time");
        m_group->Complete(0, Completion::DELIVERED);
        m_group->Deliver(0);
        NS_TEST_EXPECT_MSG_EQ(m_audit->GetCounts().duplicates,
                              2,
                              "a duplicate after the end of the message");
        Post(1, 2, 1);
        m_group->Deliver(0);
        NS_TEST_EXPECT_MSG_EQ(m_audit->GetCounts().duplicates,
                              3,
                              "a duplicate after the record of the message was used again");
        m_group->Deliver(1);
        m_group->Complete(1, Completion::DELIVERED);
        NS_TEST_EXPECT_MSG_EQ(m_audit->GetCounts().delivered,
                              2,
                              "a message counts once as delivered");
        NS_TEST_EXPECT_MSG_EQ(m_listener.m_deliveries.size(),
                              2,
                              "duplicates are not passed to the user");
        NS_TEST_EXPECT_MSG_EQ(m_audit->Finish(), false, "a run with duplicates is not clean");
        NS_TEST_EXPECT_MSG_EQ(m_traced,
                              m_audit->GetCounts().duplicates,
                              "every violation is traced");
    }

    uint64_t m_traced{0}; ///< Violations traced.
};

/** Differences between a delivery and the posted message. */
class CorruptionAuditCase : public AuditTestCase
{
  public:
    CorruptionAuditCase()
        : AuditTestCase("any change of a message is a violation")
    {
    }

  private:
    void DoRun() override
    {
        for (uint32_t i = 0; i < 100; ++i)
        {
            Post(1, 2, i);
        }
        for (unsigned bit = 0; bit < 64; ++bit)
        {
            auto delivery = m_group->Make(17);
            delivery.contents ^= uint64_t{1} << bit;
            m_group->Deliver(2, delivery);
        }
        NS_TEST_EXPECT_MSG_EQ(m_audit->GetCounts().corrupted,
                              64,
                              "every bit of the contents matters");
        ExpectViolation("contents that no peer has posted");
        auto delivery = m_group->Make(17);
        delivery.bytes += 1;
        m_group->Deliver(2, delivery);
        delivery = m_group->Make(17);
        delivery.tag += 1;
        m_group->Deliver(2, delivery);
        delivery = m_group->Make(17);
        delivery.from += 1;
        m_group->Deliver(2, delivery);
        delivery = m_group->Make(17);
        delivery.flags ^= 1;
        m_group->Deliver(2, delivery);
        m_group->Deliver(3, m_group->Make(17));
        NS_TEST_EXPECT_MSG_EQ(m_audit->GetCounts().corrupted,
                              69,
                              "changes of size, tag, sender, flags and receiver are detected, too");
        NS_TEST_EXPECT_MSG_EQ(m_audit->GetCounts().delivered,
                              0,
                              "none of them counts as delivered");
    }
};

/** Conservation at the end, and false claims of completion. */
class ConservationCase : public AuditTestCase
{
  public:
    ConservationCase()
        : AuditTestCase("missing, abandoned, uncompleted and falsely completed messages")
    {
    }

  private:
    void DoRun() override
    {
        Post(0, 1, 0); // Given up, never delivered.
        Post(0, 1, 1); // Given up, but delivered.
        Post(0, 1, 2); // Delivered, not completed.
        Post(0, 1, 3); // Neither delivered nor completed.
        m_group->Complete(0, Completion::UNREACHABLE);
        m_group->Complete(1, Completion::FAILED);
        m_group->Deliver(1);
        m_group->Deliver(2);
        NS_TEST_EXPECT_MSG_EQ(m_audit->Finish(false),
                              true,
                              "Finish(false) accepts messages that are in flight");
        NS_TEST_EXPECT_MSG_EQ(m_audit->GetCounts().abandoned,
                              1,
                              "messages given up in a run that was cut off");
        NS_TEST_EXPECT_MSG_EQ(m_audit->Finish(),
                              false,
                              "Finish() reports messages that are in flight");
        NS_TEST_EXPECT_MSG_EQ(m_audit->GetCounts().abandoned,
                              1,
                              "messages given up and not delivered");
        NS_TEST_EXPECT_MSG_EQ(m_audit->GetCounts().uncompleted,
                              1,
                              "messages delivered and not completed");
        NS_TEST_EXPECT_MSG_EQ(m_audit->GetCounts().missing, 1, "messages sent and never delivered");
        m_group->Complete(1, 3, Completion::SENT);
        NS_TEST_EXPECT_MSG_EQ(m_audit->GetCounts().falsehoods,
                              1,
                              "a completion at another peer is false");
        m_group->Complete(3, Completion::DELIVERED);
        NS_TEST_EXPECT_MSG_EQ(m_audit->GetCounts().falsehoods,
                              2,
                              "DELIVERED is false for a message that was not delivered");
        m_group->Complete(3, Completion::SENT);
        m_group->Complete(1, Completion::DELIVERED);
        NS_TEST_EXPECT_MSG_EQ(m_audit->GetCounts().falsehoods,
                              4,
                              "completions after the final one are false");
    }
};

/** SENT, and then the end, of a protocol that confirms deliveries. */
class StagesAuditCase : public AuditTestCase
{
  public:
    StagesAuditCase()
        : AuditTestCase("at most one SENT comes before the one end of a confirmed message")
    {
    }

  private:
    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(m_audit->IsFinal(Completion::SENT),
                              true,
                              "SENT is final if the protocol does not confirm");
        m_group->m_confirms = true;
        NS_TEST_EXPECT_MSG_EQ(m_audit->IsFinal(Completion::SENT),
                              false,
                              "SENT is not final if the protocol confirms");
        NS_TEST_EXPECT_MSG_EQ(m_audit->IsFinal(Completion::FAILED),
                              true,
                              "FAILED is final if the protocol confirms");
        for (const Completion end :
             {Completion::DELIVERED, Completion::UNREACHABLE, Completion::FAILED})
        {
            const auto index = m_group->m_posted.size();
            // Undelivered messages stay in the audit's records.
            const auto before = m_audit->GetNInFlight();
            Post(0, 1, index);
            m_group->Complete(index, Completion::SENT);
            NS_TEST_EXPECT_MSG_EQ(m_audit->GetNInFlight(),
                                  before + 1,
                                  "a message that was only SENT is in flight");
            if (end == Completion::DELIVERED)
            {
                m_group->Deliver(index);
            }
            m_group->Complete(index, end);
        }
        NS_TEST_EXPECT_MSG_EQ(m_listener.m_completions.size(),
                              6,
                              "SENT and the final completion are passed to the user");
        NS_TEST_EXPECT_MSG_EQ(m_audit->GetCounts().completed,
                              3,
                              "each of the three messages counts once as completed");
        NS_TEST_EXPECT_MSG_EQ(m_audit->Finish(), true, m_audit->GetFirstViolation());

        Post(0, 1, 3); // Sent twice.
        m_group->Complete(3, Completion::SENT);
        m_group->Complete(3, Completion::SENT);
        NS_TEST_EXPECT_MSG_EQ(m_audit->GetCounts().falsehoods, 1, "a second SENT is false");
        ExpectViolation("was reported as sent twice");
        m_group->Deliver(3);
        m_group->Complete(3, Completion::DELIVERED);
        m_group->Complete(3, Completion::SENT);
        NS_TEST_EXPECT_MSG_EQ(m_audit->GetCounts().falsehoods,
                              2,
                              "SENT after the final completion is false");
        NS_TEST_EXPECT_MSG_EQ(m_listener.m_completions.size(),
                              8,
                              "false completions are not passed to the user");

        Post(0, 1, 4); // Sent and delivered, but not ended.
        m_group->Complete(4, Completion::SENT);
        m_group->Deliver(4);
        Post(0, 1, 5); // Sent only.
        m_group->Complete(5, Completion::SENT);
        m_audit->Finish();
        NS_TEST_EXPECT_MSG_EQ(m_audit->GetCounts().uncompleted,
                              1,
                              "a message with SENT alone is not completed");
        NS_TEST_EXPECT_MSG_EQ(m_audit->GetCounts().stuck,
                              1,
                              "a message with SENT alone that is not delivered is stuck");
    }
};

/** Order between two peers, if promised. */
class OrderAuditCase : public AuditTestCase
{
  public:
    OrderAuditCase()
        : AuditTestCase("order between two peers is watched where it is promised")
    {
    }

  private:
    void DoRun() override
    {
        m_audit->SetAttribute("Ordered", BooleanValue(true));
        Post(0, 1, 0);
        Post(0, 1, 1);
        Post(0, 2, 2);
        Post(3, 1, 3);
        m_group->Deliver(3);
        m_group->Deliver(2);
        m_group->Deliver(0);
        m_group->Deliver(1);
        NS_TEST_EXPECT_MSG_EQ(m_audit->IsClean(),
                              true,
                              "overtaking between different pairs is allowed");
        Post(0, 1, 4);
        Post(0, 1, 5);
        m_group->Deliver(5);
        m_group->Deliver(4);
        NS_TEST_EXPECT_MSG_EQ(
            m_audit->GetCounts().misordered,
            1,
            "message 4 of the pair arrives after message 5, which was posted later");
        ExpectViolation("after a message that was posted later");
        NS_TEST_EXPECT_MSG_EQ(m_listener.m_deliveries.size(),
                              6,
                              "a message out of order is passed to the user");
    }
};

/** Order between two peers, with more pairs than the audit has room for at first. */
class ManyPairsAuditCase : public AuditTestCase
{
  public:
    ManyPairsAuditCase()
        : AuditTestCase("order is watched for each of many pairs, a peer with itself included")
    {
    }

  private:
    void DoRun() override
    {
        m_audit->SetAttribute("Ordered", BooleanValue(true));
        const uint32_t peers = 20; // The audit asks for their number at broadcasts only.
        const uint32_t pairs = peers * peers;
        for (uint32_t i = 0; i < 2 * pairs; ++i)
        {
            Post(i % peers, i / peers % peers, i);
        }
        for (uint32_t pair = pairs; pair-- > 0;)
        {
            m_group->Deliver(pair % 2 == 0 ? pairs + pair : pair);
        }
        NS_TEST_EXPECT_MSG_EQ(m_audit->IsClean(),
                              true,
                              "the first message of each pair is in order");
        for (uint32_t pair = 0; pair < pairs; ++pair)
        {
            m_group->Deliver(pair % 2 == 0 ? pair : pairs + pair);
        }
        NS_TEST_EXPECT_MSG_EQ(m_audit->GetCounts().misordered,
                              pairs / 2,
                              "every other pair gets its second message first");
    }
};

/** The audit follows a broadcast to each receiver. */
class BroadcastAuditCase : public AuditTestCase
{
  public:
    BroadcastAuditCase()
        : AuditTestCase("a message to all others has to reach each of them once")
    {
    }

  private:
    void DoRun() override
    {
        Post(2, NO_PEER, 1);
        NS_TEST_EXPECT_MSG_EQ(m_audit->GetCounts().posted,
                              7,
                              "a message to all others is posted once for each");
        const Delivery delivery = m_group->Make(0);
        for (Peer peer = 0; peer < 7; ++peer)
        {
            if (peer != 2)
            {
                m_group->Deliver(peer, delivery);
            }
        }
        NS_TEST_EXPECT_MSG_EQ(m_audit->GetCounts().delivered,
                              6,
                              "deliveries to six of seven receivers");
        NS_TEST_EXPECT_MSG_EQ(m_audit->IsClean(), true, m_audit->GetFirstViolation());
        m_group->Deliver(3, delivery);
        ExpectViolation("delivered to peer 3 a second time");
        m_group->Deliver(2, delivery);
        NS_TEST_EXPECT_MSG_EQ(m_audit->GetCounts().corrupted,
                              1,
                              "a delivery to its own sender is a corruption");
        m_group->Complete(0, Completion::DELIVERED);
        NS_TEST_EXPECT_MSG_EQ(m_audit->GetCounts().falsehoods,
                              1,
                              "DELIVERED is false while one receiver has not got the message");
        m_audit->Finish();
        NS_TEST_EXPECT_MSG_EQ(m_audit->GetCounts().missing,
                              1,
                              "one receiver has not got the message");
        m_group->Deliver(7, delivery);
        m_audit->Finish();
        NS_TEST_EXPECT_MSG_EQ(m_audit->GetCounts().missing,
                              0,
                              "no receiver is without the message");
        NS_TEST_EXPECT_MSG_EQ(m_audit->GetNInFlight(), 0, "no message is in flight");
        NS_TEST_EXPECT_MSG_EQ(m_listener.m_deliveries.size(),
                              7,
                              "each delivery is passed to the user");

        Post(0, NO_PEER, 2);
        m_group->Complete(1, Completion::SENT);
        m_group->Deliver(1, m_group->Make(1));
        m_audit->Finish();
        NS_TEST_EXPECT_MSG_EQ(m_audit->GetCounts().abandoned,
                              6,
                              "six messages that failed need not arrive");
        m_audit->SetAttribute("Reliable", BooleanValue(true));
        Post(0, 1, 3);
        m_group->Complete(2, Completion::SENT);
        m_audit->Finish(false);
        NS_TEST_EXPECT_MSG_EQ(m_audit->GetCounts().missing,
                              0,
                              "a message that is in flight is not missing yet");
        m_audit->Finish();
        NS_TEST_EXPECT_MSG_EQ(m_audit->GetCounts().missing,
                              1,
                              "a message that was SENT has to arrive");
    }
};

/** The suite. */
class AuditTestSuite : public TestSuite
{
  public:
    AuditTestSuite()
        : TestSuite("messaging-audit", Type::UNIT)
    {
        AddTestCase(new SoundAuditCase, TestCase::Duration::QUICK);
        AddTestCase(new DuplicateCase, TestCase::Duration::QUICK);
        AddTestCase(new CorruptionAuditCase, TestCase::Duration::QUICK);
        AddTestCase(new StagesAuditCase, TestCase::Duration::QUICK);
        AddTestCase(new ConservationCase, TestCase::Duration::QUICK);
        AddTestCase(new OrderAuditCase, TestCase::Duration::QUICK);
        AddTestCase(new ManyPairsAuditCase, TestCase::Duration::QUICK);
        AddTestCase(new BroadcastAuditCase, TestCase::Duration::QUICK);
    }
};

AuditTestSuite g_auditTestSuite; ///< Registers itself.

} // namespace
} // namespace tests
} // namespace messaging
} // namespace ns3
