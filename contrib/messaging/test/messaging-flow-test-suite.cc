/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-list-text.h"

#include "ns3/messaging-flow-core.h"
#include "ns3/messaging-receive-window.h"
#include "ns3/messaging-round-trip.h"
#include "ns3/messaging-scripted-host.h"
#include "ns3/messaging-send-window.h"
#include "ns3/messaging-sequence-space.h"
#include "ns3/messaging-word-bits.h"
#include "ns3/test.h"

#include <cmath>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Tests of what protocols with windows share: numbers, round trips, windows, flows.
 */

namespace ns3
{
namespace messaging
{
namespace tests
{
namespace
{

/** The timeout is that of RFC 6298. */
class RoundTripCase : public TestCase
{
  public:
    RoundTripCase()
        : TestCase("the timeout follows round trips as RFC 6298 states")
    {
    }

  private:
    void DoRun() override
    {
        constexpr Ticks LEAST = 50;
        RoundTripEstimator estimator(LEAST);
        NS_TEST_EXPECT_MSG_EQ(estimator.GetTimeout(), LEAST, "the timeout before the first sample");
        estimator.Measure(0);
        NS_TEST_EXPECT_MSG_EQ(estimator.GetRoundTrip(), 0, "the estimate before the first sample");
        estimator.Measure(4);
        NS_TEST_EXPECT_MSG_EQ(estimator.GetTimeout(),
                              LEAST,
                              "the timeout is not below the least one");

        std::mt19937 random(1);
        for (const double scale : {100.0, 1e4, 1e7})
        {
            RoundTripEstimator adapted(1);
            double mean = 0;
            double deviation = 0;
            for (int sample = 0; sample < 1000; ++sample)
            {
                const Ticks measured = 1 + random() % static_cast<uint32_t>(scale);
                const auto exact = static_cast<double>(measured);
                // Rules 2.2 and 2.3; the deviation is updated with the former mean.
                deviation = sample ? 0.75 * deviation + 0.25 * std::abs(mean - exact) : exact / 2;
                mean = sample ? 0.875 * mean + 0.125 * exact : exact;
                adapted.Measure(measured);
                const auto timeout = static_cast<double>(adapted.GetTimeout());
                NS_TEST_EXPECT_MSG_EQ_TOL(timeout,
                                          mean + 4 * deviation,
                                          12,
                                          "timeout after sample " << sample);
            }
        }
    }
};

/** The timeout doubles. */
class BackOffCase : public TestCase
{
  public:
    BackOffCase()
        : TestCase("the timeout doubles up to a limit, until the next sample")
    {
    }

  private:
    void DoRun() override
    {
        RoundTripEstimator estimator(100);
        estimator.Measure(100);
        const Ticks single = estimator.GetTimeout();
        NS_TEST_EXPECT_MSG_EQ(single, 300, "timeout after one sample R: R + 4 R / 2");
        estimator.BackOff();
        estimator.BackOff();
        NS_TEST_EXPECT_MSG_EQ(estimator.GetTimeout(), 4 * single, "timeout after two backoffs");
        for (int i = 0; i < 100; ++i)
        {
            estimator.BackOff();
        }
        NS_TEST_EXPECT_MSG_EQ(estimator.GetTimeout(), 1024 * single, "at most ten doublings");
        estimator.Measure(100);
        NS_TEST_EXPECT_MSG_LT(estimator.GetTimeout(), single, "a sample ends the backoff");
    }
};

/** Every number is recovered within the modulus. */
class SequenceSpaceCase : public TestCase
{
  public:
    SequenceSpaceCase()
        : TestCase("numbers that repeat are recovered, for any modulus")
    {
    }

  private:
    void DoRun() override
    {
        for (const uint64_t modulus : {1, 2, 3, 4, 7, 256})
        {
            const SequenceSpace space(modulus);
            for (uint64_t least = 0; least < 20; ++least)
            {
                for (uint64_t number = least; number < least + modulus; ++number)
                {
                    NS_TEST_EXPECT_MSG_LT(space.Wrap(number),
                                          modulus,
                                          "a wrapped number is below the modulus");
                    NS_TEST_EXPECT_MSG_EQ(space.Unwrap(space.Wrap(number), least),
                                          number,
                                          "from " << least << " modulo " << modulus);
                }
                NS_TEST_EXPECT_MSG_LT(space.Unwrap(~uint64_t{0}, least),
                                      least + modulus,
                                      "damaged numbers are also in range");
            }
        }
    }
};

/** Bits in words. */
class WordBitsCase : public TestCase
{
  public:
    WordBitsCase()
        : TestCase("a bitmap in words has the bits that were set")
    {
    }

  private:
    void DoRun() override
    {
        const std::set<uint32_t> set{0, 5, 31, 32, 64, 100};
        FrameWords words;
        NS_TEST_EXPECT_MSG_EQ(GetWordBit(words, 0), false, "an empty bitmap");
        for (const uint32_t bit : set)
        {
            SetWordBit(words, bit);
        }
        NS_TEST_EXPECT_MSG_EQ(words.size(), 4, "words for 101 bits");
        for (uint64_t bit = 0; bit < 200; ++bit)
        {
            const bool expected = set.contains(static_cast<uint32_t>(bit));
            NS_TEST_EXPECT_MSG_EQ(GetWordBit(words, bit), expected, "value of bit " << bit);
        }
        NS_TEST_EXPECT_MSG_EQ(GetWordBit(words, uint64_t{1} << 60),
                              false,
                              "a bit beyond all words");
    }
};

/** Messages that arrive early are kept. */
class ReceiveWindowCase : public TestCase
{
  public:
    ReceiveWindowCase()
        : TestCase("a receive window keeps early messages, and returns them once and in order")
    {
    }

  private:
    void DoRun() override
    {
        /** An arrival. */
        struct Row
        {
            uint64_t number;    ///< Number of the message that arrives.
            bool isInserted;    ///< It is new, and in the window.
            uint32_t taken;     ///< Number of messages that are then in order.
            std::string sacked; ///< A digit for each message from the next one on.
        };

        const std::vector<Row> rows{
            {2, true, 0, "001"},
            {2, false, 0, "001"},  // A duplicate of an early one.
            {4, false, 0, "001"},  // Outside the window.
            {3, true, 0, "0011"},  // The last one in the window.
            {0, true, 1, "011"},   // The window moves by one.
            {4, true, 0, "0111"},  // Now inside the window.
            {0, false, 0, "0111"}, // A duplicate of a delivered one.
            {1, true, 4, ""},
            {5, true, 1, ""},
        };
        constexpr uint32_t SIZE = 4;
        ReceiveWindow window(SIZE);
        uint64_t next = 0;
        for (const auto& [number, isInserted, taken, sacked] : rows)
        {
            const std::string title = "message " + std::to_string(number);
            const Delivery message{.id = number, .contents = number + 100};
            NS_TEST_EXPECT_MSG_EQ(window.Insert(message), isInserted, title);
            for (uint32_t i = 0; i < taken; ++i, ++next)
            {
                const auto delivery = window.Take();
                NS_TEST_ASSERT_MSG_EQ(delivery.has_value(), true, title);
                NS_TEST_EXPECT_MSG_EQ(delivery->id, next, title);
                NS_TEST_EXPECT_MSG_EQ(delivery->contents, next + 100, title);
            }
            NS_TEST_EXPECT_MSG_EQ(window.Take().has_value(), false, title);
            NS_TEST_EXPECT_MSG_EQ(window.GetNext(), next, title);
            std::string bits;
            for (uint32_t i = 0; i < sacked.size(); ++i)
            {
                bits += GetWordBit(window.GetSack(), i) ? '1' : '0';
            }
            NS_TEST_EXPECT_MSG_EQ(bits, sacked, title);
            NS_TEST_EXPECT_MSG_EQ(window.GetSack().empty(), sacked.empty(), title);
        }
    }
};

/** Messages change their states as the diagram shows. */
class SendWindowCase : public TestCase
{
  public:
    SendWindowCase()
        : TestCase("a send window knows what to send, what is in flight and what is lost")
    {
    }

  private:
    /** Send the next message. @param now the time @param number the expected message */
    void Send(Ticks now, uint64_t number)
    {
        const auto message = m_window.GetNextToSend();
        NS_TEST_ASSERT_MSG_EQ(message.has_value(),
                              true,
                              "there is a frame to send: message " << number);
        NS_TEST_EXPECT_MSG_EQ(message->number, number, "the number of the next frame to send");
        m_window.SetSent(number, now);
    }

    /** Take an arrived message. @param id the expected request */
    void Take(RequestId id)
    {
        const auto request = m_window.TakeArrived();
        NS_TEST_ASSERT_MSG_EQ(request.has_value(), true, "there is a completion: request " << id);
        NS_TEST_EXPECT_MSG_EQ(request->id, id, "requests complete in order");
    }

    void DoRun() override
    {
        for (RequestId id = 0; id < SIZE; ++id)
        {
            NS_TEST_EXPECT_MSG_EQ(m_window.IsFull(), false, "there is room for request " << id);
            m_window.Post({.id = id, .bytes = BYTES});
        }
        NS_TEST_EXPECT_MSG_EQ(m_window.IsFull(), true, "the window is full");
        for (uint64_t number = 0; number < 3; ++number)
        {
            Send(number, number);
        }
        NS_TEST_EXPECT_MSG_EQ(m_window.GetInFlight(),
                              3 * (HEADER + BYTES),
                              "bytes in flight, headers included");

        // Message 1 has arrived, 0 has not.
        AckNews news = m_window.OnAck(0, {0b10}, 11);
        NS_TEST_EXPECT_MSG_EQ(news.bytes, BYTES, "acknowledged bytes, those of message 1");
        NS_TEST_EXPECT_MSG_EQ(news.roundTrip, 10, "round trip of message 1");
        news = m_window.OnAck(0, {0b10}, 12);
        NS_TEST_EXPECT_MSG_EQ(news.bytes, 0, "a repeated acknowledgement acknowledges nothing");
        NS_TEST_EXPECT_MSG_EQ(m_window.TakeArrived().has_value(),
                              false,
                              "message 0 has not arrived");
        NS_TEST_EXPECT_MSG_EQ(m_window.LoseOvertaken(12, 13),
                              false,
                              "message 0 was sent too recently to be lost");
        NS_TEST_EXPECT_MSG_EQ(m_window.LoseOvertaken(13, 13), true, "message 0 is lost");
        NS_TEST_EXPECT_MSG_EQ(m_window.LoseOvertaken(13, 13),
                              false,
                              "message 0 is found lost once");
        NS_TEST_EXPECT_MSG_EQ(m_window.GetInFlight(),
                              HEADER + BYTES,
                              "bytes in flight, those of message 2");

        Send(20, 0);
        Send(21, 3);
        news = m_window.OnAck(2, {}, 30);
        NS_TEST_EXPECT_MSG_EQ(news.bytes, BYTES, "acknowledged bytes, those of message 0");
        NS_TEST_EXPECT_MSG_EQ(news.roundTrip,
                              0,
                              "a repeated message gives no round trip (Karn's rule)");
        Take(0);
        Take(1);
        NS_TEST_EXPECT_MSG_EQ(m_window.GetBegin(), 2, "the window begins behind messages 0 and 1");
        NS_TEST_EXPECT_MSG_EQ(m_window.OnAck(5, {}, 31).bytes,
                              0,
                              "an acknowledgement beyond the window is ignored");

        NS_TEST_EXPECT_MSG_EQ(m_window.LoseAll(), true, "messages 2 and 3 are lost");
        NS_TEST_EXPECT_MSG_EQ(m_window.LoseAll(), false, "messages 2 and 3 are found lost once");
        Send(40, 2);
        NS_TEST_EXPECT_MSG_EQ(m_window.OnAck(4, {}, 50).bytes,
                              2 * BYTES,
                              "message 3 was late, not lost, and is acknowledged");
        Take(2);
        Take(3);
        NS_TEST_EXPECT_MSG_EQ(m_window.IsEmpty(), true, "all messages have arrived");
        NS_TEST_EXPECT_MSG_EQ(m_window.GetInFlight(), 0, "no bytes are in flight");
    }

    static constexpr uint32_t SIZE = 4;    ///< Size of the window [messages].
    static constexpr uint32_t HEADER = 10; ///< Header of a frame [bytes].
    static constexpr uint32_t BYTES = 100; ///< Size of a message [bytes].

    SendWindow m_window{SIZE, HEADER}; ///< The window.
};

/** A flow that counts its events and answers frames. */
struct CountingFlow
{
    /** @return the largest message [bytes]. */
    uint32_t GetLargestMessage() const
    {
        return 100;
    }

    /** Post a message. @param request the message @param out actions @return accepted */
    template <class Out>
    Acceptance OnRequest(const Request& request, Out& out)
    {
        out.Send(request.to, Frame{.id = ++requests});
        out.Arm(request.to, 1);
        return Acceptance::ACCEPTED;
    }

    /** Receive a frame. @param from its sender @param out actions */
    template <class Out>
    void OnFrame(Peer from, const Frame&, Out& out)
    {
        out.Deliver({.id = ++frames, .from = from});
    }

    /** Handle the timer. @param peer the peer @param out actions */
    template <class Out>
    void OnTimer(Peer peer, Out& out)
    {
        out.Send(peer, Frame{.kind = 1});
    }

    /** Send again. @param peer the peer @param out actions */
    template <class Out>
    void OnReady(Peer peer, Out& out)
    {
        out.Send(peer, Frame{.kind = 2});
    }

    /** Append the state. @param encoder where */
    void Encode(Encoder& encoder) const
    {
        encoder.Put(requests);
        encoder.Put(frames);
    }

    uint64_t requests{0}; ///< Messages posted.
    uint64_t frames{0};   ///< Frames received.
};

/** Each peer has its flow. */
class FlowCoreCase : public TestCase
{
  public:
    FlowCoreCase()
        : TestCase("a core of flows passes each event to the flow of its peer")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t PEERS = 4;
        FlowCore<CountingFlow> core(CountingFlow{}, PEERS);
        ScriptedHost host;
        host.printFrame = [](const Frame& frame) {
            const std::vector<std::string> kinds{"message", "again", "late"};
            return kinds[frame.kind] + " " + std::to_string(frame.id);
        };
        const auto expect = [&](const std::string& log) {
            NS_TEST_EXPECT_MSG_EQ(std::exchange(host.log, ""), log, "actions of the flows");
        };
        const auto post = [&](Peer to, uint32_t bytes) {
            return core.OnRequest({.to = to, .bytes = bytes}, host);
        };
        NS_TEST_EXPECT_MSG_EQ(core.GetLargestMessage(),
                              100,
                              "the largest message is that of the flow");
        NS_TEST_EXPECT_MSG_EQ(core.ConfirmsDelivery(),
                              false,
                              "a flow does not confirm delivery by default");
        NS_TEST_EXPECT_MSG_EQ(post(PEERS, 1),
                              Acceptance::REFUSED,
                              "a message to a peer that does not exist is refused");
        NS_TEST_EXPECT_MSG_EQ(post(NO_PEER, 1), Acceptance::REFUSED, "a broadcast is refused");
        NS_TEST_EXPECT_MSG_EQ(post(1, 101),
                              Acceptance::REFUSED,
                              "a message that is too large is refused");
        const auto initial = GetState(core);
        core.OnFrame(PEERS, Frame{}, host);
        core.OnTimer(2, host);
        core.OnReady(host);
        expect("");
        NS_TEST_EXPECT_MSG_EQ(ListText(GetState(core)),
                              ListText(initial),
                              "no flow exists before a message");
        NS_TEST_EXPECT_MSG_EQ(post(1, 100), Acceptance::ACCEPTED, "the first message to peer 1");
        NS_TEST_EXPECT_MSG_EQ(post(1, 100), Acceptance::ACCEPTED, "the second message to peer 1");
        NS_TEST_EXPECT_MSG_EQ(post(3, 100), Acceptance::ACCEPTED, "the first message to peer 3");
        expect(" >1:message 1 +t1 >1:message 2 +t1 >3:message 1 +t3");
        core.OnFrame(0, Frame{}, host);
        core.OnFrame(3, Frame{}, host);
        expect(" deliver(0) deliver(0)");
        NS_TEST_EXPECT_MSG_EQ(host.delivered[1].from, 3, "sender of the second delivery");
        core.OnTimer(3, host);
        expect(" >3:again 0");
        core.OnReady(host);
        expect(" >0:late 0 >1:late 0 >3:late 0");
        NS_TEST_EXPECT_MSG_EQ(ListText(GetState(core)),
                              "3, 0, 0, 0, 1, 1, 2, 0, 3, 1, 1",
                              "state of three flows: whose turn it is, and each with its peer, "
                              "messages and frames");
    }
};

/** A flow that sends as many frames as its message has bytes, as fast as the port permits. */
struct GreedyFlow
{
    /** Post a message. @param request the message @return accepted */
    template <class Out>
    Acceptance OnRequest(const Request& request, Out&)
    {
        pending += request.bytes;
        return Acceptance::ACCEPTED;
    }

    /** It receives nothing. */
    template <class Out>
    void OnFrame(Peer, const Frame&, Out&)
    {
    }

    /** It has no timer. */
    template <class Out>
    void OnTimer(Peer, Out&)
    {
    }

    /** Send frames until the port is busy. @param peer the peer @param out actions */
    template <class Out>
    void OnReady(Peer peer, Out& out)
    {
        while (pending > 0 && out.Send(peer, Frame{}))
        {
            --pending;
        }
    }

    /** Append the state. @param encoder where */
    void Encode(Encoder& encoder) const
    {
        encoder.Put(pending);
    }

    uint32_t pending{0}; ///< Frames to be sent.
};

/** A host whose port takes a number of frames, and is busy then. */
struct SmallPortHost : ScriptedHost
{
    /** Send a frame. @param to receiver @param frame the frame @return false if busy */
    bool Send(Peer to, const Frame& frame)
    {
        busy = room == 0;
        room -= busy ? 0 : 1;
        return ScriptedHost::Send(to, frame);
    }

    uint32_t room{0}; ///< Frames that the port takes.
};

/** Flows take turns at a busy port. */
class TurnCase : public TestCase
{
  public:
    TurnCase()
        : TestCase("flows that wait for a busy port take turns, whatever their peers' numbers")
    {
    }

  private:
    /**
     * Let the port take frames, and check which flows send them.
     * @param rounds number of times at which it becomes ready
     * @param room frames that it takes each time
     * @param expected the receivers of the frames
     * @param title what the rounds show
     */
    void ExpectServed(uint32_t rounds,
                      uint32_t room,
                      const std::string& expected,
                      const std::string& title)
    {
        SmallPortHost host;
        for (uint32_t round = 0; round < rounds; ++round)
        {
            host.room = room;
            m_core.OnReady(host);
        }
        std::string receivers;
        for (const auto& sent : host.sent)
        {
            receivers += std::to_string(sent.to);
        }
        NS_TEST_EXPECT_MSG_EQ(receivers, expected, title);
    }

    void DoRun() override
    {
        SmallPortHost host;
        const auto post = [&](Peer to, uint32_t frames) {
            m_core.OnRequest({.to = to, .bytes = frames}, host);
        };
        post(1, 2);
        post(3, 100);
        post(6, 100);
        ExpectServed(4, 1, "1361", "one frame each");
        ExpectServed(4, 1, "3636", "peer 1 has nothing left, the others alternate");
        post(2, 1);
        ExpectServed(4, 1, "2363", "a new flow takes its place");
        ExpectServed(3, 2, "663366", "a port with room for two");
        ExpectServed(2, 0, "", "a port that refuses the first frame");
        ExpectServed(2, 1, "36", "a refusal costs no turn");
    }

    FlowCore<GreedyFlow> m_core{GreedyFlow{}, 8}; ///< Flows to eight peers.
};

/** The suite. */
class FlowTestSuite : public TestSuite
{
  public:
    FlowTestSuite()
        : TestSuite("messaging-flow", Type::UNIT)
    {
        AddTestCase(new RoundTripCase, TestCase::Duration::QUICK);
        AddTestCase(new BackOffCase, TestCase::Duration::QUICK);
        AddTestCase(new SequenceSpaceCase, TestCase::Duration::QUICK);
        AddTestCase(new WordBitsCase, TestCase::Duration::QUICK);
        AddTestCase(new ReceiveWindowCase, TestCase::Duration::QUICK);
        AddTestCase(new SendWindowCase, TestCase::Duration::QUICK);
        AddTestCase(new FlowCoreCase, TestCase::Duration::QUICK);
        AddTestCase(new TurnCase, TestCase::Duration::QUICK);
    }
};

FlowTestSuite g_flowTestSuite; ///< The suite.

} // namespace
} // namespace tests
} // namespace messaging
} // namespace ns3
