/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/data-rate.h"
#include "ns3/messaging-audit.h"
#include "ns3/messaging-host.h"
#include "ns3/messaging-timeline.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <array>
#include <functional>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup messaging-tests
 * Parts of the latency of messages whose frames are sent, lost and delivered at times that the test
 * chooses. All times are in nanoseconds.
 */

namespace ns3
{
namespace messaging
{
namespace tests
{
namespace
{

constexpr Peer SENDER = 0;      ///< Peer that sends all messages.
constexpr Peer RECEIVER = 1;    ///< Peer that receives them.
constexpr uint32_t BYTES = 100; ///< Size of each message and of each frame.
constexpr int64_t IDLE = 200;   ///< Closed form of the time of a frame.
constexpr int64_t WIRE = 30;    ///< Part of it on the sender's channel.

/** A passive group; the case decides what happens to its messages. */
class TimelineGroup : public MessageGroup
{
  public:
    uint32_t GetNPeers() const override
    {
        return 2;
    }

    Acceptance Post(Peer, const Request& request) override
    {
        m_requests.push_back(request);
        return Acceptance::ACCEPTED;
    }

    /** @param message number of a message @return its request. */
    const Request& Get(std::size_t message) const
    {
        return m_requests.at(message);
    }

    /** Deliver a message. @param message its number */
    void Deliver(std::size_t message)
    {
        const Request& request = Get(message);
        m_user->OnDeliver(request.to,
                          Delivery{request.id,
                                   request.contents,
                                   SENDER,
                                   request.bytes,
                                   request.tag,
                                   request.flags});
    }

    /** Complete a message as SENT. @param message its number */
    void Complete(std::size_t message)
    {
        m_user->OnComplete(SENDER, Get(message).id, Completion::SENT);
    }

  private:
    std::vector<Request> m_requests; ///< All messages.
};

/** Base of the cases: a timeline connected to an audited group, and a script. */
class TimelineTestCase : public TestCase
{
  public:
    /**
     * Constructor.
     * @param name name of the case
     */
    explicit TimelineTestCase(const std::string& name)
        : TestCase(name)
    {
    }

  protected:
    using Place = MessageTimeline::Place;     ///< Place of an observation.
    using Carried = MessageTimeline::Carried; ///< Part of a message.

    void DoSetup() override
    {
        m_group = CreateObject<TimelineGroup>();
        m_audit = CreateObject<DeliveryAudit>();
        m_audit->SetGroup(m_group);
        m_timeline = CreateObject<MessageTimeline>();
        m_audit->TraceConnectWithoutContext("Post",
                                            MakeCallback(&MessageTimeline::OnPost, m_timeline));
        m_audit->TraceConnectWithoutContext("Complete",
                                            MakeCallback(&MessageTimeline::OnComplete, m_timeline));
        m_audit->TraceConnectWithoutContext("Deliver",
                                            MakeCallback(&MessageTimeline::OnDeliver, m_timeline));
        m_timeline->SetLostCallback(MakeCallback(&TimelineTestCase::OnLost, this));
        Begin(false, {});
    }

    void DoTeardown() override
    {
        m_timeline->Dispose();
        m_audit->Dispose();
        m_timeline = nullptr;
        m_audit = nullptr;
        m_group = nullptr;
        Simulator::Destroy();
    }

    /**
     * Begin the account.
     * @param confirms the protocol confirms deliveries
     * @param hosts hosts of both peers, or none
     */
    void Begin(bool confirms, const std::vector<Ptr<HostModel>>& hosts)
    {
        m_timeline->Begin(m_group->GetNPeers(), confirms, hosts);
    }

    /**
     * Add a step to the script.
     * @param time its time
     * @param step the step
     */
    void At(int64_t time, std::function<void()> step)
    {
        Simulator::Schedule(NanoSeconds(time), std::move(step));
    }

    /** Post the next message, now. @param to its destination */
    void Post(Peer to = RECEIVER)
    {
        m_posted.push_back(Simulator::Now());
        m_audit->Post(SENDER, Request{.id = m_posted.size(), .to = to, .bytes = BYTES});
    }

    /**
     * Describe a frame.
     * @param message the number of its message
     * @param frame its number in the message
     * @return the part of the message that it carries
     */
    Carried Get(std::size_t message, uint64_t frame) const
    {
        return Carried{.contents = m_group->Get(message).contents,
                       .key = frame,
                       .idle = IDLE,
                       .wire = WIRE,
                       .bytes = BYTES};
    }

    /** Send a frame, now. @param message its message @param frame its number */
    void Send(std::size_t message, uint64_t frame = 0)
    {
        m_repeated += m_timeline->OnSend(Place::WIRE, SENDER, Get(message, frame)) ? 1 : 0;
        m_timeline->Depart(SENDER, WIRE, 1);
    }

    /** A frame arrives. @param message its message @param frame its number */
    void Arrive(std::size_t message, uint64_t frame = 0)
    {
        m_timeline->AddInFlight(-1);
        m_timeline->OnArrive(Place::WIRE, RECEIVER, Get(message, frame));
    }

    /** A frame is lost. @param message its message @param frame its number */
    void Lose(std::size_t message, uint64_t frame = 0)
    {
        m_timeline->AddInFlight(-1);
        m_timeline->OnLoss(Get(message, frame));
    }

    /** Deliver a message, and keep its parts. @param message its number */
    void Deliver(std::size_t message)
    {
        m_group->Deliver(message);
        m_timeline->Keep(Simulator::Now() - m_posted[message]);
    }

    /**
     * Compare the parts of a message.
     * @param kept the number of its delivery
     * @param expected all parts, in the order of LatencyPart
     */
    void Expect(std::size_t kept, const std::array<int64_t, N_LATENCY_PARTS>& expected)
    {
        NS_TEST_ASSERT_MSG_GT(m_timeline->GetParts().size(), kept, "messages delivered");
        const LatencyParts& parts = m_timeline->GetParts()[kept];
        for (std::size_t i = 0; i < N_LATENCY_PARTS; ++i)
        {
            const auto part = static_cast<LatencyPart>(i);
            NS_TEST_EXPECT_MSG_EQ(parts[part], expected[i], "part " << part << " [ns]");
        }
    }

    /** Compare the time in which only a timer could go on. @param expected the time */
    void ExpectTimerWait(int64_t expected)
    {
        NS_TEST_EXPECT_MSG_EQ(m_timeline->GetTimerWait(), NanoSeconds(expected), "wait for timers");
    }

    Ptr<TimelineGroup> m_group;      ///< The group.
    Ptr<DeliveryAudit> m_audit;      ///< Its audit, which gives the messages their contents.
    Ptr<MessageTimeline> m_timeline; ///< The timeline.
    std::vector<Time> m_posted;      ///< Times of all posts.
    uint32_t m_repeated{0};          ///< Frames sent again.
    uint32_t m_lost{0};              ///< Messages reported as lost.
    Time m_lostAt;                   ///< Time of the last such report.

  private:
    /** Messages will never arrive. @param from their sender @param count their number */
    void OnLost(Peer from, uint32_t count)
    {
        NS_TEST_EXPECT_MSG_EQ(from, SENDER, "sender of a lost message");
        m_lost += count;
        m_lostAt = Simulator::Now();
    }
};

/** A message of one frame, which its receiver holds. */
class SingleFrameTestCase : public TimelineTestCase
{
  public:
    SingleFrameTestCase()
        : TimelineTestCase("a single frame: wait at the sender, network, hold at the receiver")
    {
    }

  private:
    void DoRun() override
    {
        At(0, [this] { Post(); });
        At(100, [this] { Send(0); });
        // 50 ns longer than the closed form: for a first frame, these are the network's.
        At(350, [this] { Arrive(0); });
        At(390, [this] { Deliver(0); });
        // The same size again, and 30 ns longer than before: these are queueing.
        At(1000, [this] { Post(); });
        At(1000, [this] { Send(1); });
        At(1280, [this] { Arrive(1); });
        At(1280, [this] { Deliver(1); });
        Simulator::Run();
        Expect(0, {100, 0, 0, 250, 0, 40});
        Expect(1, {0, 0, 0, 250, 30, 0});
        ExpectTimerWait(100 + 40);
        NS_TEST_EXPECT_MSG_EQ(m_repeated, 0, "repetitions");
        NS_TEST_EXPECT_MSG_EQ(m_timeline->GetNInFlight(), 0, "frames in flight at the end");
    }
};

/** A frame is lost twice. */
class RepeatedFrameTestCase : public TimelineTestCase
{
  public:
    RepeatedFrameTestCase()
        : TimelineTestCase("a repeated frame: time until the copy that arrives, wait for timers")
    {
    }

  private:
    void DoRun() override
    {
        At(0, [this] { Post(); });
        At(10, [this] { Send(0); });
        At(210, [this] { Lose(0); });
        At(1000, [this] { Send(0); });
        At(1200, [this] { Lose(0); });
        At(3000, [this] { Send(0); });
        At(3200, [this] { Arrive(0); });
        At(3200, [this] { Deliver(0); });
        Simulator::Run();
        Expect(0, {10, 2990, 0, 200, 0, 0});
        ExpectTimerWait(10 + 790 + 1800);
        NS_TEST_EXPECT_MSG_EQ(m_repeated, 2, "repetitions");
    }
};

/** A frame is sent again after its message was delivered, as when the acknowledgement was lost. */
class RepeatedAfterDeliveryTestCase : public TimelineTestCase
{
  public:
    RepeatedAfterDeliveryTestCase()
        : TimelineTestCase("a copy sent after the delivery counts as repeated, and changes no part")
    {
    }

  private:
    void DoRun() override
    {
        At(0, [this] { Post(); });
        At(0, [this] { Send(0); });
        At(200, [this] { Arrive(0); });
        At(200, [this] { Deliver(0); });
        At(1000, [this] { Send(0); });
        At(1200, [this] { Arrive(0); });
        At(1300, [this] { m_group->Complete(0); });
        At(1400, [this] { Send(0); });
        At(1600, [this] { Arrive(0); });
        // The next message has the first one's place.
        At(2000, [this] { Post(); });
        At(2000, [this] { Send(1); });
        At(2200, [this] { Arrive(1); });
        At(2200, [this] { Deliver(1); });
        Simulator::Run();
        Expect(0, {0, 0, 0, 200, 0, 0});
        Expect(1, {0, 0, 0, 200, 0, 0});
        NS_TEST_EXPECT_MSG_EQ(m_repeated, 2, "repetitions");
        NS_TEST_EXPECT_MSG_EQ(m_timeline->GetNInFlight(), 0, "frames in flight at the end");
    }
};

/** A stream repeats the bytes of a message, in a packet that has no key in common with the first.
 */
class RepeatedBytesTestCase : public TimelineTestCase
{
  public:
    RepeatedBytesTestCase()
        : TimelineTestCase("bytes of a stream that were all sent before count as repeated")
    {
    }

  private:
    void DoRun() override
    {
        m_timeline->SetStreams(0);
        At(0, [this] { Post(); });
        At(0, [this] { Send(0, 0); });
        At(200, [this] { Lose(0, 0); });
        At(1000, [this] { Send(0, 1); });
        At(1200, [this] { Arrive(0, 1); });
        At(1200, [this] { Deliver(0); });
        Simulator::Run();
        Expect(0, {0, 1000, 0, 200, 0, 0});
        NS_TEST_EXPECT_MSG_EQ(m_repeated, 1, "repetitions");
    }
};

/** A message of two frames, of which the first is repeated and arrives last. */
class TwoFramesTestCase : public TimelineTestCase
{
  public:
    TwoFramesTestCase()
        : TimelineTestCase("two frames: the parts are those of the frame that arrives last")
    {
    }

  private:
    void DoRun() override
    {
        // The second frame follows the first one; it completes the message.
        At(0, [this] { Post(); });
        At(0, [this] { Send(0, 0); });
        At(WIRE, [this] { Send(0, 1); });
        At(IDLE, [this] { Arrive(0, 0); });
        At(WIRE + IDLE, [this] { Arrive(0, 1); });
        At(WIRE + IDLE, [this] { Deliver(0); });
        // The first frame is lost, so that the second one is held.
        At(1000, [this] { Post(); });
        At(1000, [this] { Send(1, 0); });
        At(1000 + WIRE, [this] { Send(1, 1); });
        At(1000 + IDLE, [this] { Lose(1, 0); });
        At(1000 + WIRE + IDLE, [this] { Arrive(1, 1); });
        At(2000, [this] { Send(1, 0); });
        At(2000 + IDLE, [this] { Arrive(1, 0); });
        At(2000 + IDLE, [this] { Deliver(1); });
        // A message that waits for an earlier one.
        At(3000, [this] { Post(); });
        At(3000, [this] { Send(2, 0); });
        At(3000 + IDLE, [this] { Arrive(2, 0); });
        At(5000, [this] { Deliver(2); });
        Simulator::Run();
        Expect(0, {0, 0, 0, WIRE + IDLE, 0, 0});
        Expect(1, {0, 1000, 0, IDLE, 0, 0});
        Expect(2, {0, 0, 0, IDLE, 0, 1800});
    }
};

/** A message waits for its sender's channel, and for its protocol. */
class SenderTestCase : public TimelineTestCase
{
  public:
    SenderTestCase()
        : TimelineTestCase("a wait at the sender: for other frames, or for the protocol")
    {
    }

  private:
    void DoRun() override
    {
        // The application has had the message since 0, and the protocol takes it at 500.
        At(0, [this] {
            m_timeline->OnQueue(SENDER);
            m_posted.push_back(Simulator::Now());
        });
        At(300, [this] { m_timeline->Depart(SENDER, 60, 1); });
        At(400, [this] { m_timeline->AddInFlight(-1); });
        At(500,
           [this] { m_audit->Post(SENDER, Request{.id = 1, .to = RECEIVER, .bytes = BYTES}); });
        At(600, [this] { Send(0); });
        At(800, [this] { Arrive(0); });
        At(800, [this] { Deliver(0); });
        Simulator::Run();
        Expect(0, {540, 0, 0, 200, 60, 0});
        ExpectTimerWait(300 + 200);
    }
};

/** Hosts that take time for a frame. */
class WorkTestCase : public TimelineTestCase
{
  public:
    WorkTestCase()
        : TimelineTestCase("work of the hosts of sender and receiver; no wait for timers meanwhile")
    {
    }

  private:
    void DoRun() override
    {
        std::vector<Ptr<HostModel>> hosts;
        for (uint32_t i = 0; i < m_group->GetNPeers(); ++i)
        {
            hosts.push_back(
                CreateObjectWithAttributes<HostModel>("PioRate", DataRateValue(DataRate("8Gbps"))));
        }
        Begin(false, hosts);
        // A byte takes the hosts 1 ns.
        const auto work = [&hosts](Peer peer, uint64_t steps) {
            hosts[peer]->Execute(1, {Work{0, steps, WorkKind::PIO}}, [] {});
        };
        At(0, [this] { Post(); });
        At(0, [this] { m_timeline->OnSend(Place::CORE, SENDER, Get(0, 0)); });
        At(0, [&work] { work(SENDER, 70); });
        At(100, [this] { Send(0); });
        At(300, [this] { Arrive(0); });
        At(300, [&work] { work(RECEIVER, 50); });
        At(350, [this] { m_timeline->OnArrive(Place::CORE, RECEIVER, Get(0, 0)); });
        At(350, [this] { Deliver(0); });
        // The next message is held by its receiver, whose host has worked before but rests now.
        At(1000, [this] { Post(); });
        At(1000, [this] { m_timeline->OnSend(Place::CORE, SENDER, Get(1, 1)); });
        At(1000, [this] { Send(1, 1); });
        At(1200, [this] { Arrive(1, 1); });
        At(1200, [this] { m_timeline->OnArrive(Place::CORE, RECEIVER, Get(1, 1)); });
        At(1230, [this] { Deliver(1); });
        Simulator::Run();
        // The frame was ready from 0 to 100, and the host worked for 70 of them.
        Expect(0, {0, 0, 70 + 50, 200, 30, 0});
        Expect(1, {0, 0, 0, 200, 0, 30});
        ExpectTimerWait(30 + 30);
    }
};

/** A message that has no frames. */
class OwnMessageTestCase : public TimelineTestCase
{
  public:
    OwnMessageTestCase()
        : TimelineTestCase("a message without frames: work of its host, and wait at the sender")
    {
    }

  private:
    void DoRun() override
    {
        std::vector<Ptr<HostModel>> hosts;
        for (uint32_t i = 0; i < m_group->GetNPeers(); ++i)
        {
            hosts.push_back(
                CreateObjectWithAttributes<HostModel>("PioRate", DataRateValue(DataRate("8Gbps"))));
        }
        Begin(false, hosts);
        At(0, [this] { Post(SENDER); });
        // A byte takes the host 1 ns.
        At(10, [&hosts] { hosts[SENDER]->Execute(1, {Work{0, 60, WorkKind::PIO}}, [] {}); });
        At(100, [this] { Deliver(0); });
        Simulator::Run();
        Expect(0, {40, 0, 60, 0, 0, 0});
    }
};

/** The parts of many messages add up to their latencies. */
class SumTestCase : public TimelineTestCase
{
  public:
    SumTestCase()
        : TimelineTestCase("the parts add up to the latency, and none is negative")
    {
    }

  private:
    void DoRun() override
    {
        constexpr std::size_t MESSAGES = 50;
        for (std::size_t i = 0; i < MESSAGES; ++i)
        {
            const auto begin = static_cast<int64_t>(i * 37);
            const auto wait = static_cast<int64_t>(i * i % 91);
            const auto way = static_cast<int64_t>(IDLE + i * 53 % 41);
            const bool lost = i % 3 == 1;
            const int64_t again = lost ? 500 : 0;
            At(begin, [this] { Post(); });
            At(begin + wait, [this, i] { Send(i); });
            if (lost)
            {
                At(begin + wait + way, [this, i] { Lose(i); });
                At(begin + wait + again, [this, i] { Send(i); });
            }
            At(begin + wait + again + way, [this, i] { Arrive(i); });
            At(begin + wait + again + way + 7, [this, i] {
                Deliver(i);
                const LatencyParts& parts = m_timeline->GetParts().back();
                NS_TEST_EXPECT_MSG_EQ(parts.GetSum(),
                                      (Simulator::Now() - m_posted[i]).GetNanoSeconds(),
                                      "sum of the parts of message " << i);
                for (const int64_t step : parts.steps)
                {
                    NS_TEST_EXPECT_MSG_GT_OR_EQ(step, 0, "a part of message " << i);
                }
                NS_TEST_EXPECT_MSG_EQ(parts[LatencyPart::RECEIVER], 7, "hold of message " << i);
            });
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(m_timeline->GetParts().size(), MESSAGES, "messages");
    }
};

/** Messages that are lost for ever. */
class LostMessageTestCase : public TimelineTestCase
{
  public:
    /**
     * Constructor.
     * @param confirms the protocol confirms deliveries
     */
    explicit LostMessageTestCase(bool confirms)
        : TimelineTestCase(confirms
                               ? "a protocol that confirms deliveries loses no message for ever"
                               : "lost messages are reported when no copy is in flight"),
          m_confirms(confirms)
    {
    }

  private:
    void DoRun() override
    {
        Begin(m_confirms, {});
        At(0, [this] { Post(); });
        At(0, [this] { Send(0); });
        At(0, [this] { m_group->Complete(0); });
        // A second copy is still in flight when the first one is lost.
        At(50, [this] { Send(0); });
        At(200, [this] { Lose(0); });
        At(210, [this] {
            NS_TEST_EXPECT_MSG_EQ(m_lost, 0, "messages reported while a copy is in flight");
        });
        At(250, [this] { Lose(0); });
        // A message that arrives is not lost.
        At(1000, [this] { Post(); });
        At(1000, [this] { Send(1); });
        At(1000, [this] { m_group->Complete(1); });
        At(1200, [this] { Arrive(1); });
        At(1200, [this] { Deliver(1); });
        Simulator::Run();
        const uint32_t lost = m_confirms ? 0 : 1;
        const Time reported = m_confirms ? Time(0) : NanoSeconds(250);
        NS_TEST_EXPECT_MSG_EQ(m_lost, lost, "messages reported as lost");
        NS_TEST_EXPECT_MSG_EQ(m_lostAt, reported, "time of the report");
        // Nobody waits for a lost message any longer.
        ExpectTimerWait(m_confirms ? 750 : 0);
    }

    bool m_confirms; ///< The protocol confirms deliveries.
};

/** The host of a receiver copies a message whose last frame has arrived. */
class CopiedMessageTestCase : public TimelineTestCase
{
  public:
    CopiedMessageTestCase()
        : TimelineTestCase("a message is not lost while its receiver's host works")
    {
    }

  private:
    void DoRun() override
    {
        // Longer than the period of 10 us in which the timeline looks at a host that may work.
        constexpr int64_t COPY = 25'000;
        std::vector<Ptr<HostModel>> hosts;
        for (uint32_t i = 0; i < m_group->GetNPeers(); ++i)
        {
            hosts.push_back(
                CreateObjectWithAttributes<HostModel>("PioRate", DataRateValue(DataRate("8Gbps"))));
        }
        Begin(false, hosts);
        At(0, [this] { Post(); });
        At(0, [this] { m_timeline->OnSend(Place::CORE, SENDER, Get(0, 0)); });
        At(0, [this] { Send(0); });
        At(0, [this] { m_group->Complete(0); });
        At(IDLE, [this] { Arrive(0); });
        // A byte takes the host 1 ns.
        At(IDLE, [&hosts] { hosts[RECEIVER]->Execute(1, {Work{0, COPY, WorkKind::PIO}}, [] {}); });
        At(IDLE, [this] { m_timeline->OnArrive(Place::CORE, RECEIVER, Get(0, 0)); });
        At(IDLE + COPY, [this] {
            NS_TEST_EXPECT_MSG_EQ(m_lost, 0, "messages reported while the host copies");
            Deliver(0);
        });
        Simulator::Run();
        Expect(0, {0, 0, COPY, IDLE, 0, 0});
        NS_TEST_EXPECT_MSG_EQ(m_lost, 0, "messages reported as lost");
    }
};

/** The test suite. */
class TimelineTestSuite : public TestSuite
{
  public:
    TimelineTestSuite()
        : TestSuite("messaging-timeline", Type::UNIT)
    {
        AddTestCase(new SingleFrameTestCase, TestCase::Duration::QUICK);
        AddTestCase(new RepeatedFrameTestCase, TestCase::Duration::QUICK);
        AddTestCase(new RepeatedAfterDeliveryTestCase, TestCase::Duration::QUICK);
        AddTestCase(new RepeatedBytesTestCase, TestCase::Duration::QUICK);
        AddTestCase(new TwoFramesTestCase, TestCase::Duration::QUICK);
        AddTestCase(new SenderTestCase, TestCase::Duration::QUICK);
        AddTestCase(new WorkTestCase, TestCase::Duration::QUICK);
        AddTestCase(new OwnMessageTestCase, TestCase::Duration::QUICK);
        AddTestCase(new SumTestCase, TestCase::Duration::QUICK);
        AddTestCase(new LostMessageTestCase(false), TestCase::Duration::QUICK);
        AddTestCase(new LostMessageTestCase(true), TestCase::Duration::QUICK);
        AddTestCase(new CopiedMessageTestCase, TestCase::Duration::QUICK);
    }
};

static TimelineTestSuite g_timelineTestSuite; ///< The test suite.

} // namespace
} // namespace tests
} // namespace messaging
} // namespace ns3
