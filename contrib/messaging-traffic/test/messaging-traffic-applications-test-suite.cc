/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/boolean.h"
#include "ns3/messaging-audit.h"
#include "ns3/messaging-registry.h"
#include "ns3/messaging-traffic-broadcast.h"
#include "ns3/messaging-traffic-helper.h"
#include "ns3/messaging-traffic-session.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Tests of the benchmark applications: on a group whose timing is known, each measures its closed
 * form.
 */

namespace ns3
{
namespace messaging
{
namespace tests
{
namespace
{

/** Latency of a message. */
const Time LATENCY = MicroSeconds(5);

/** Transmission time of a byte at its sender. */
const Time BYTE_TIME = NanoSeconds(10);

/**
 * A group whose messages leave their sender one after the other, and arrive after a fixed latency.
 * The sender is notified of both.
 */
class TimedGroup : public MessageGroup
{
  public:
    /**
     * Construct.
     * @param peers the number of peers
     * @param window maximum unacknowledged messages of a peer
     */
    TimedGroup(uint32_t peers, uint32_t window)
        : m_senders(peers),
          m_window(window)
    {
    }

    uint32_t GetNPeers() const override
    {
        return m_senders.size();
    }

    bool ConfirmsDelivery() const override
    {
        return true;
    }

    uint32_t GetLargestMessage() const override
    {
        return LARGEST;
    }

    Acceptance Post(Peer self, const Request& request) override
    {
        if (request.to >= m_senders.size() || request.to == self || request.bytes > LARGEST)
        {
            return Acceptance::REFUSED;
        }
        Sender& sender = m_senders[self];
        if (sender.inFlight == m_window)
        {
            sender.stalled = true;
            return Acceptance::STALLED;
        }
        ++sender.inFlight;
        sender.free = std::max(sender.free, Simulator::Now()) +
                      BYTE_TIME * static_cast<int64_t>(request.bytes);
        Simulator::Schedule(sender.free - Simulator::Now(), [this, self, request] {
            m_user->OnComplete(self, request.id, Completion::SENT);
        });
        Simulator::Schedule(sender.free + LATENCY - Simulator::Now(), [this, self, request] {
            m_user->OnDeliver(
                request.to,
                Delivery{request.id, request.contents, self, request.bytes, request.tag, 0});
        });
        Simulator::Schedule(sender.free + LATENCY + LATENCY - Simulator::Now(),
                            [this, self, request] {
                                --m_senders[self].inFlight;
                                m_user->OnComplete(self, request.id, Completion::DELIVERED);
                                if (m_senders[self].stalled)
                                {
                                    m_senders[self].stalled = false;
                                    m_user->OnReady(self);
                                }
                            });
        return Acceptance::ACCEPTED;
    }

    static constexpr uint32_t LARGEST = 100000; ///< Largest message [bytes].

  private:
    /** A peer as a sender. */
    struct Sender
    {
        Time free;            ///< Time at which its last byte has left.
        uint32_t inFlight{0}; ///< Unacknowledged messages.
        bool stalled{false};  ///< A message was refused.
    };

    std::vector<Sender> m_senders; ///< All peers.
    uint32_t m_window;             ///< Maximum unacknowledged messages.
};

/** Results of a benchmark. */
struct Measured
{
    Time mean;          ///< Mean latency.
    Time min;           ///< Minimum latency.
    Time max;           ///< Maximum latency.
    Time elapsed;       ///< Measured time.
    double bandwidth;   ///< Bandwidth [bytes/s].
    double rate;        ///< Message rate [1/s].
    uint64_t messages;  ///< Counted messages.
    uint64_t latencies; ///< Measured latencies.
    bool finished;      ///< It has finished.
};

/**
 * Run a benchmark on a TimedGroup, audited.
 * @param helper the benchmark
 * @param peers the number of peers
 * @param window maximum unacknowledged messages of a peer
 * @return its results
 */
Measured
Measure(BenchmarkHelper helper, uint32_t peers, uint32_t window = 1000)
{
    const auto audit = CreateObject<DeliveryAudit>();
    audit->SetGroup(CreateObject<TimedGroup>(peers, window));
    const auto session = helper.Install(audit);
    Simulator::Run();
    const bool clean = audit->Finish();
    const auto& latencies = session->GetLatencies();
    const Measured measured{session->GetMeanLatency(),
                            latencies.empty() ? Time() : *std::ranges::min_element(latencies),
                            session->GetMaxLatency(),
                            session->GetElapsed(),
                            session->GetBandwidth(),
                            session->GetNMessages() / session->GetElapsed().GetSeconds(),
                            session->GetNMessages(),
                            latencies.size(),
                            session->IsFinished() && clean};
    Simulator::Destroy();
    return measured;
}

/**
 * Make a helper.
 * @param benchmark name of the benchmark
 * @param size size of a message [bytes]
 * @param rounds measured rounds
 * @param warmup rounds before them
 * @return the helper
 */
BenchmarkHelper
Make(const std::string& benchmark, uint32_t size, uint32_t rounds, uint32_t warmup = 0)
{
    BenchmarkHelper helper(benchmark);
    helper.SetAttribute("Size", UintegerValue(size));
    helper.SetAttribute("Rounds", UintegerValue(rounds));
    helper.SetAttribute("Warmup", UintegerValue(warmup));
    return helper;
}

/**
 * Compute the transmission time at a sender.
 * @param bytes length [bytes]
 * @return the time
 */
Time
Occupied(uint64_t bytes)
{
    return BYTE_TIME * static_cast<int64_t>(bytes);
}

} // namespace

/** Ping-pong measures half a round trip. */
class PingPongTestCase : public TestCase
{
  public:
    PingPongTestCase()
        : TestCase("Ping-pong measures the time of one message")
    {
    }

  private:
    void DoRun() override
    {
        for (const uint32_t warmup : {0U, 3U})
        {
            for (const uint32_t peers : {2U, 7U})
            {
                const auto measured = Measure(Make("ping-pong", 1000, 20, warmup), peers);
                const Time latency = Occupied(1000) + LATENCY;
                NS_TEST_EXPECT_MSG_EQ(measured.finished, true, "It comes to its end");
                NS_TEST_EXPECT_MSG_EQ(measured.mean, latency, "Mean");
                NS_TEST_EXPECT_MSG_EQ(measured.min, latency, "Smallest");
                NS_TEST_EXPECT_MSG_EQ(measured.max, latency, "Largest");
                NS_TEST_EXPECT_MSG_EQ(measured.latencies, 20 * (peers / 2), "One a round and pair");
                NS_TEST_EXPECT_MSG_EQ(measured.messages,
                                      40 * (peers / 2),
                                      "Both directions are counted");
                NS_TEST_EXPECT_MSG_EQ(measured.elapsed, latency * 40, "Rounds follow each other");
            }
        }
    }
};

/** The rate of a stream is limited by its sender or its window. */
class StreamTestCase : public TestCase
{
  public:
    StreamTestCase()
        : TestCase("A stream is as fast as its sender or its window allows")
    {
    }

  private:
    void DoRun() override
    {
        auto wide = Make("stream", 1000, 50);
        wide.SetAttribute("Window", UintegerValue(50));
        auto measured = Measure(wide, 2);
        NS_TEST_EXPECT_MSG_EQ(measured.finished, true, "It comes to its end");
        NS_TEST_EXPECT_MSG_EQ(measured.elapsed, Occupied(50000) + LATENCY, "Back to back");
        NS_TEST_EXPECT_MSG_EQ_TOL(measured.bandwidth, 50000 / 505e-6, 1e-3, "Bytes over time");

        auto single = Make("stream", 1000, 50);
        single.SetAttribute("Window", UintegerValue(1));
        measured = Measure(single, 2);
        NS_TEST_EXPECT_MSG_EQ(measured.elapsed,
                              (Occupied(1000) + LATENCY) * 50,
                              "Each message waits for the delivery of the one before");
        single.SetAttribute("Closed", StringValue("sent"));
        measured = Measure(single, 2);
        NS_TEST_EXPECT_MSG_EQ(measured.elapsed,
                              Occupied(1000) * 50 + LATENCY,
                              "Each message waits until the one before has left");
        single.SetAttribute("Closed", StringValue("completion"));
        measured = Measure(single, 2);
        NS_TEST_EXPECT_MSG_EQ(measured.elapsed,
                              (Occupied(1000) + LATENCY * 2) * 49 + Occupied(1000) + LATENCY,
                              "Each message waits for the acknowledgement of the one before");

        measured = Measure(wide, 2, 1);
        NS_TEST_EXPECT_MSG_EQ(measured.finished, true, "A protocol that stalls is waited for");
        NS_TEST_EXPECT_MSG_EQ(
            measured.elapsed,
            (Occupied(1000) + LATENCY * 2) * 49 + Occupied(1000) + LATENCY,
            "A protocol that takes one message at a time is as slow as a window of one");

        auto warm = Make("stream", 1000, 50, 10);
        warm.SetAttribute("Window", UintegerValue(60));
        measured = Measure(warm, 2);
        NS_TEST_EXPECT_MSG_EQ(measured.messages, 50, "The warm-up is not counted");
        NS_TEST_EXPECT_MSG_EQ(measured.elapsed,
                              Occupied(50000),
                              "From the last message of the warm-up");
    }
};

/** A pairwise exchange has the bandwidth of both directions. */
class ExchangeTestCase : public TestCase
{
  public:
    ExchangeTestCase()
        : TestCase("A pairwise exchange counts both directions")
    {
    }

  private:
    void DoRun() override
    {
        const auto measured = Measure(Make("exchange", 4000, 25, 2), 4);
        const Time round = Occupied(4000) + LATENCY;
        NS_TEST_EXPECT_MSG_EQ(measured.finished, true, "It comes to its end");
        NS_TEST_EXPECT_MSG_EQ(measured.mean, round, "Time of a round");
        NS_TEST_EXPECT_MSG_EQ(measured.messages, 4 * 25, "Messages");
        NS_TEST_EXPECT_MSG_EQ_TOL(measured.bandwidth,
                                  4 * 4000 / round.GetSeconds(),
                                  1,
                                  "Two pairs, two directions");

        // All messages are sent at once; with three peers, a message is in flight while two are
        // being sent.
        auto ahead = Make("exchange", 4000, 25);
        ahead.SetAttribute("Window", UintegerValue(25));
        const auto whole = Measure(ahead, 2);
        NS_TEST_EXPECT_MSG_EQ(whole.finished, true, "It comes to its end");
        NS_TEST_EXPECT_MSG_EQ(whole.messages, 2 * 25, "Messages, each once");
        NS_TEST_EXPECT_MSG_EQ(whole.elapsed, Occupied(25 * 4000) + LATENCY, "Back to back");
        ahead.SetAttribute("Window", UintegerValue(100));
        NS_TEST_EXPECT_MSG_EQ(Measure(ahead, 2).messages, 2 * 25, "Not more than all rounds");
    }
};

/** The message rate adds up over all senders. */
class MessageRateTestCase : public TestCase
{
  public:
    MessageRateTestCase()
        : TestCase("The message rate adds up over all senders")
    {
    }

  private:
    void DoRun() override
    {
        auto helper = Make("stream", 8, 1000);
        helper.SetAttribute("Window", UintegerValue(1000));
        const auto measured = Measure(helper, 6);
        const Time elapsed = Occupied(8000) + LATENCY;
        NS_TEST_EXPECT_MSG_EQ(measured.finished, true, "It comes to its end");
        NS_TEST_EXPECT_MSG_EQ_TOL(measured.rate, 3000 / elapsed.GetSeconds(), 1, "Three senders");
    }
};

/** An all-to-all round is as long as its senders' messages. */
class AllToAllTestCase : public TestCase
{
  public:
    AllToAllTestCase()
        : TestCase("An all-to-all round takes a sender's messages and a latency")
    {
    }

  private:
    void DoRun() override
    {
        const auto measured = Measure(Make("all-to-all", 500, 10, 1), 8);
        const Time round = Occupied(7 * 500) + LATENCY;
        NS_TEST_EXPECT_MSG_EQ(measured.finished, true, "It comes to its end");
        NS_TEST_EXPECT_MSG_EQ(measured.messages, 10 * 8 * 7, "Every peer to every other");
        NS_TEST_EXPECT_MSG_EQ(measured.min, round, "Shortest round");
        NS_TEST_EXPECT_MSG_EQ(measured.max, round, "Longest round");
        const auto narrow = Measure(Make("all-to-all", 500, 10), 8, 1);
        NS_TEST_EXPECT_MSG_EQ(narrow.finished, true, "A protocol that stalls is waited for");
    }
};

/** A broadcast reaches all peers. */
class BroadcastTestCase : public TestCase
{
  public:
    BroadcastTestCase()
        : TestCase("A broadcast takes as long as its copies")
    {
    }

  private:
    void DoRun() override
    {
        const auto linear = Measure(Make("broadcast", 1000, 5, 1), 8);
        NS_TEST_EXPECT_MSG_EQ(linear.finished, true, "It comes to its end");
        NS_TEST_EXPECT_MSG_EQ(linear.latencies, 5, "One a round");
        NS_TEST_EXPECT_MSG_EQ(linear.mean,
                              Occupied(7000) + LATENCY,
                              "Peer 0 sends to one after the other");
        NS_TEST_EXPECT_MSG_EQ(linear.messages, 5 * 7, "Answers are not counted");
    }
};

/** Each peer receives a broadcast from its parent in the tree, once. */
class BinomialTreeTestCase : public TestCase
{
  public:
    BinomialTreeTestCase()
        : TestCase("A binomial broadcast has the edges of a binomial tree")
    {
    }

  private:
    void DoRun() override
    {
        // Children of the peers of eight, those with the most peers below them first.
        const std::vector<std::vector<Peer>> expected{{4, 2, 1}, {}, {3}, {}, {6, 5}, {}, {7}, {}};
        for (Peer self = 0; self < expected.size(); ++self)
        {
            const auto children = BinomialBroadcastApplication::GetChildren(self, 8);
            NS_TEST_EXPECT_MSG_EQ(ToText(children), ToText(expected[self]), "children of " << self);
        }
        for (uint32_t peers = 1; peers < 40; ++peers)
        {
            std::multiset<Peer> reached{0};
            for (Peer self = 0; self < peers; ++self)
            {
                const auto children = BinomialBroadcastApplication::GetChildren(self, peers);
                reached.insert(children.begin(), children.end());
            }
            const std::set<Peer> distinct(reached.begin(), reached.end());
            NS_TEST_EXPECT_MSG_EQ(reached.size(), peers, "messages among " << peers);
            NS_TEST_EXPECT_MSG_EQ(distinct.size(), peers, "peers reached among " << peers);
        }
    }

    /** @return the peers, separated by blanks. @param peers the peers */
    static std::string ToText(const std::vector<Peer>& peers)
    {
        std::string text;
        for (const Peer peer : peers)
        {
            text += std::to_string(peer) + " ";
        }
        return text;
    }
};

/** A binomial broadcast on a network without contention. */
class BinomialBroadcastTestCase : public TestCase
{
  public:
    BinomialBroadcastTestCase()
        : TestCase("A binomial broadcast takes a message for each level of its tree")
    {
    }

  private:
    void DoRun() override
    {
        for (const bool answers : {false, true})
        {
            auto helper = Make("binomial-broadcast", 1000, 5, 1);
            helper.SetAttribute("Answers", BooleanValue(answers));
            const auto measured = Measure(helper, 8);
            NS_TEST_EXPECT_MSG_EQ(measured.finished, true, "It comes to its end");
            NS_TEST_EXPECT_MSG_EQ(measured.latencies, 5, "One a round");
            NS_TEST_EXPECT_MSG_EQ(measured.mean,
                                  (Occupied(1000) + LATENCY) * 3,
                                  "Three levels of eight peers");
            NS_TEST_EXPECT_MSG_EQ(measured.messages, 5 * 7, "One to each peer, without answers");
        }
        const auto odd = Measure(Make("binomial-broadcast", 1000, 5), 6);
        NS_TEST_EXPECT_MSG_EQ(odd.messages, 5 * 5, "One to each peer");
        // Peer 0 sends to 4 and 2 before 1; 2 sends to 3 and 4 to 5 meanwhile.
        NS_TEST_EXPECT_MSG_EQ(odd.mean,
                              Occupied(3000) + LATENCY * 2,
                              "Peer 3, by way of 2, is the last of six");
    }
};

/** Peers of a bisection are half of the group apart. */
class BisectionTestCase : public TestCase
{
  public:
    BisectionTestCase()
        : TestCase("A bisection exchanges messages between the halves of the group")
    {
    }

  private:
    void DoRun() override
    {
        const auto group = CreateObject<TimedGroup>(7, 100);
        const auto audit = CreateObject<DeliveryAudit>();
        audit->SetGroup(group);
        auto helper = Make("bisection", 1000, 4);
        const auto session = helper.Install(audit);
        std::map<std::pair<Peer, Peer>, uint32_t> messages;
        const auto count = [&messages](Peer self, const Request& request) {
            ++messages[{self, request.to}];
        };
        audit->TraceConnectWithoutContext("Post", Callback<void, Peer, const Request&>(count));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(session->IsFinished(), true, "It comes to its end");
        NS_TEST_EXPECT_MSG_EQ(messages.size(), 6, "Three pairs, two directions; peer 6 is alone");
        for (const auto& [pair, number] : messages)
        {
            const auto [from, to] = pair;
            NS_TEST_EXPECT_MSG_EQ(to, (from < 3 ? from + 3 : from - 3), "Partner of " << from);
            NS_TEST_EXPECT_MSG_EQ(number, 4, "Messages of " << from);
        }
        NS_TEST_EXPECT_MSG_EQ(session->GetMeanLatency(), Occupied(1000) + LATENCY, "A round");
        Simulator::Destroy();
    }
};

/** Blocked applications report the reason. */
class RefusalTestCase : public TestCase
{
  public:
    RefusalTestCase()
        : TestCase("A message that the protocol refuses ends the benchmark with a reason")
    {
    }

  private:
    void DoRun() override
    {
        auto helper = Make("stream", TimedGroup::LARGEST + 1, 5);
        const auto session = helper.Install(CreateObject<TimedGroup>(2, 5));
        bool finished = false;
        session->TraceConnectWithoutContext("Finished",
                                            Callback<void>([&finished] { finished = true; }));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(finished, true, "The end is traced");
        NS_TEST_EXPECT_MSG_EQ(session->IsFinished(), false, "It is no success");
        NS_TEST_EXPECT_MSG_EQ(
            session->GetFailure(),
            "The protocol refuses a message of 100001 bytes from peer 0 to peer 1; its largest "
            "message has 100000 bytes.",
            "The reason");
        Simulator::Destroy();
    }
};

/** Parameters with which no run can begin. */
class ParametersTestCase : public TestCase
{
  public:
    ParametersTestCase()
        : TestCase("Times before the start, a stop before it, and too many rounds are refused")
    {
    }

  private:
    /** A setting, and whether a run can begin with it. */
    struct Row
    {
        const char* start;   ///< StartTime.
        const char* stop;    ///< StopTime.
        const char* rounds;  ///< Rounds.
        const char* warmup;  ///< Warmup.
        const char* refusal; ///< Begin of the sentence; empty if it is accepted.
    };

    void DoRun() override
    {
        const std::vector<Row> rows{
            {"0s", "0s", "100", "0", ""},
            {"1us", "2us", "1", "1", ""},
            {"0s", "0s", "4294967295", "0", ""},
            {"-1s", "0s", "1", "0", "StartTime is "},
            {"0s", "-1s", "1", "0", "StopTime is "},
            {"2us", "1us", "1", "0", "StopTime is "},
            {"2us", "2us", "1", "0", "StopTime is "},
            {"0s", "0s", "4294967295", "1", "Rounds and Warmup "},
            {"0s", "0s", "1", "4294967295", "Rounds and Warmup "},
        };
        for (const std::string pattern : {"stream", "broadcast", "uniform"})
        {
            for (const Row& row : rows)
            {
                const auto application = DynamicCast<BenchmarkApplication>(
                    CreateByName(BenchmarkApplication::GetTypeId(), pattern));
                application->SetAttribute("StartTime", StringValue(row.start));
                application->SetAttribute("StopTime", StringValue(row.stop));
                application->SetAttribute("Rounds", StringValue(row.rounds));
                application->SetAttribute("Warmup", StringValue(row.warmup));
                const std::string refusal = application->Check(2);
                NS_TEST_EXPECT_MSG_EQ(refusal.substr(0, std::string(row.refusal).size()),
                                      row.refusal,
                                      pattern << " from " << row.start << " to " << row.stop);
                NS_TEST_EXPECT_MSG_EQ(refusal.empty(),
                                      std::string(row.refusal).empty(),
                                      pattern << " of " << row.rounds << " and " << row.warmup
                                              << " rounds");
            }
        }
    }
};

/** All tests of the benchmark applications. */
class ApplicationsTestSuite : public TestSuite
{
  public:
    ApplicationsTestSuite()
        : TestSuite("messaging-applications", Type::UNIT)
    {
        AddTestCase(new PingPongTestCase, TestCase::Duration::QUICK);
        AddTestCase(new StreamTestCase, TestCase::Duration::QUICK);
        AddTestCase(new ExchangeTestCase, TestCase::Duration::QUICK);
        AddTestCase(new MessageRateTestCase, TestCase::Duration::QUICK);
        AddTestCase(new AllToAllTestCase, TestCase::Duration::QUICK);
        AddTestCase(new BroadcastTestCase, TestCase::Duration::QUICK);
        AddTestCase(new BinomialTreeTestCase, TestCase::Duration::QUICK);
        AddTestCase(new BinomialBroadcastTestCase, TestCase::Duration::QUICK);
        AddTestCase(new BisectionTestCase, TestCase::Duration::QUICK);
        AddTestCase(new RefusalTestCase, TestCase::Duration::QUICK);
        AddTestCase(new ParametersTestCase, TestCase::Duration::QUICK);
    }
};

/** The suite, which registers itself. */
static ApplicationsTestSuite g_applicationsTestSuite;

} // namespace tests
} // namespace messaging
} // namespace ns3
