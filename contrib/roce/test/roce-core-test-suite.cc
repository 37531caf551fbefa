/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/messaging-flow-core.h"
#include "ns3/messaging-host-port.h"
#include "ns3/messaging-host.h"
#include "ns3/messaging-loopback-port.h"
#include "ns3/messaging-scripted-host.h"
#include "ns3/messaging-tick-clock.h"
#include "ns3/nstime.h"
#include "ns3/roce-flow.h"
#include "ns3/roce-go-back-n.h"
#include "ns3/roce-irn.h"
#include "ns3/roce-protocols.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup roce
 * Rules of RoCE (R-...), IRN (I-...) and of what both share (Q-...), one by one; roce.rst lists
 * them with their sources.
 */

namespace ns3
{
namespace roce
{
namespace tests
{
namespace
{

using messaging::Acceptance;
using messaging::Completion;
using messaging::GetFlowTimer;
using messaging::Request;
using messaging::ScriptedHost;

/** Packets of the scripts, all posted. */
constexpr uint64_t POSTED = 8;

/** A step of a script, and its effect. */
struct ScriptRow
{
    std::string step;   ///< send, ACK next, NAK next packet, or timeout.
    std::string effect; ///< Packet sent, or effect of the answer.
};

/**
 * Print the effect of an answer.
 * @param effect the effect
 * @return the newly acknowledged packets, and the other effects by name
 */
std::string
Print(const AckEffect& effect)
{
    std::string text = std::to_string(effect.acknowledged);
    text += effect.isProgress && effect.acknowledged == 0 ? " selected" : "";
    text += effect.isLoss ? " loss" : "";
    text += effect.isRetry ? " retry" : "";
    return text;
}

/**
 * Do a step of a script.
 * @param sender the sender
 * @param step the step
 * @param window largest number of packets in flight
 * @return its effect
 */
template <class Sender>
std::string
Do(Sender& sender, const std::string& step, uint64_t window)
{
    std::istringstream words(step);
    std::string verb;
    Answer answer;
    words >> verb >> answer.next >> answer.trigger;
    if (verb == "send")
    {
        const auto number = sender.TakeNext(POSTED, window);
        return number ? std::to_string(*number) : "nothing";
    }
    if (verb == "timeout")
    {
        sender.OnTimeout();
        return "";
    }
    answer.isEarly = verb == "NAK";
    return Print(sender.OnAnswer(answer));
}

/** A script of a sender. */
template <class Sender>
class ScriptCase : public TestCase
{
  public:
    /**
     * Constructor.
     * @param name the rules
     * @param window largest number of packets in flight
     * @param rows the script
     */
    ScriptCase(const std::string& name, uint64_t window, std::vector<ScriptRow> rows)
        : TestCase(name),
          m_rows(std::move(rows)),
          m_window(window)
    {
    }

  private:
    void DoRun() override
    {
        Sender sender(0);
        std::string before;
        for (const auto& [step, effect] : m_rows)
        {
            NS_TEST_EXPECT_MSG_EQ(Do(sender, step, m_window), effect, step << " after" << before);
            before += " " + step + ",";
        }
    }

    std::vector<ScriptRow> m_rows; ///< The script.
    uint64_t m_window;             ///< Largest number of packets in flight.
};

/** Every state of a sender of go-back-N, and every event. */
class GoBackNTableCase : public TestCase
{
  public:
    GoBackNTableCase()
        : TestCase("R-02, R-04: each event in each state of a sender of go-back-N")
    {
    }

  private:
    void DoRun() override
    {
        const std::vector<std::string>
            events{"send", "ACK 0", "ACK 2", "ACK 3", "NAK 0", "NAK 2", "timeout"};

        /** A state, and begin, next and end after each event; none if it is impossible there. */
        struct State
        {
            std::vector<std::string> path;    ///< Steps to it.
            std::vector<std::string> results; ///< State after each event.
        };

        const std::vector<State> states{
            {{}, {"0 1 1", "0 0 0", "", "", "0 0 0", "", "0 0 0"}},
            {{"send", "send", "send"},
             {"0 4 4", "0 3 3", "2 3 3", "3 3 3", "0 0 3", "2 2 3", "0 0 3"}},
            {{"send", "send", "send", "timeout"},
             {"0 1 3", "0 0 3", "2 2 3", "3 3 3", "0 0 3", "2 2 3", "0 0 3"}},
            {{"send", "send", "send", "timeout", "send"},
             {"0 2 3", "0 1 3", "2 2 3", "3 3 3", "0 0 3", "2 2 3", "0 0 3"}}};
        for (const auto& [path, results] : states)
        {
            for (std::size_t i = 0; i < events.size(); ++i)
            {
                if (results[i].empty())
                {
                    continue;
                }
                GoBackNSender sender(0);
                for (const auto& step : path)
                {
                    Do(sender, step, POSTED);
                }
                Do(sender, events[i], POSTED);
                std::ostringstream after;
                after << sender.GetBegin() << ' ' << sender.GetBegin() + sender.GetInFlight() << ' '
                      << sender.GetEnd();
                NS_TEST_EXPECT_MSG_EQ(after.str(),
                                      results[i],
                                      events[i] << " after " << path.size() << " steps");
            }
        }
    }
};

/** A packet at a receiver, and its answer. */
struct Arrival
{
    uint64_t number{0};   ///< Its number.
    bool isLast{false};   ///< It ends a message.
    bool completes{true}; ///< That message needs a completion.
    std::string answer;   ///< Syndrome, next, messages and completions; none if there is none.
    bool isPlaced{false}; ///< The packet is kept.
};

/**
 * Print an answer.
 * @param answer the answer
 * @return syndrome, next number, messages and completions; nothing if it is not sent
 */
std::string
Print(const Answer& answer)
{
    std::ostringstream text;
    if (answer.isSent)
    {
        text << answer.isEarly << ' ' << answer.next << ' ' << answer.messages << ' '
             << answer.completed;
    }
    return text.str();
}

/** The receiver of go-back-N. */
class GoBackNReceiverCase : public TestCase
{
  public:
    GoBackNReceiverCase()
        : TestCase("R-02, R-03: one NAK a gap, and duplicates are acknowledged again")
    {
    }

  private:
    void DoRun() override
    {
        const std::vector<Arrival> arrivals{{0, false, true, "0 1 0 0", true},
                                            {2, false, true, "1 1 0 0", false},
                                            {3, false, true, "", false},
                                            {0, false, true, "0 1 0 0", false},
                                            {2, false, true, "", false},
                                            {1, true, true, "0 2 1 1", true},
                                            {3, false, true, "1 2 1 0", false},
                                            {2, false, true, "0 3 1 0", true},
                                            {1, false, true, "0 3 1 0", false}};
        GoBackNReceiver receiver(0);
        for (const Arrival& arrival : arrivals)
        {
            const Answer answer = receiver.OnPacket(arrival.number, arrival.isLast);
            NS_TEST_EXPECT_MSG_EQ(Print(answer), arrival.answer, "packet " << arrival.number);
            NS_TEST_EXPECT_MSG_EQ(answer.isPlaced, arrival.isPlaced, "packet " << arrival.number);
        }
    }
};

/** The receiver of IRN. */
class IrnReceiverCase : public TestCase
{
  public:
    IrnReceiverCase()
        : TestCase("I-01, I-02, I-03: two bits of a packet, syndrome and completions of IRN")
    {
    }

  private:
    void DoRun() override
    {
        const std::vector<Arrival> arrivals{
            {0, true, true, "0 1 1 1", true},        // I-01: expected, last, with a completion
            {3, true, true, "1 1 1 0", true},        // I-02: later, last, with a completion
            {3, true, true, "1 1 1 0", false},       // I-02: again
            {2, true, false, "1 1 1 0", true},       // I-02: later, last, without a completion
            {5, false, true, "1 1 1 0", true},       // I-02: later, not last
            {0, true, true, "0 1 1 0", false},       // I-03: earlier
            {1, false, true, "0 4 3 1", true},       // I-01: advances over 2 and 3
            {5, false, true, "1 4 3 0", false},      // I-02: its bit has moved
            {4, true, true, "0 6 4 1", true},        // I-01: advances over 5
            {6 + 127, false, true, "1 6 4 0", true}, // the last bit
            {6 + 128, false, true, "", false}};      // beyond the bitmap
        IrnReceiver receiver(0);
        for (const Arrival& arrival : arrivals)
        {
            const Answer answer =
                receiver.OnPacket(arrival.number, arrival.isLast, arrival.completes);
            NS_TEST_EXPECT_MSG_EQ(Print(answer), arrival.answer, "packet " << arrival.number);
            NS_TEST_EXPECT_MSG_EQ(answer.isPlaced, arrival.isPlaced, "packet " << arrival.number);
            NS_TEST_EXPECT_MSG_EQ(answer.trigger, arrival.number, "each answer names its packet");
        }
    }
};

/** Bitmaps, beside lists of bools. */
class BitmapCase : public TestCase
{
  public:
    BitmapCase()
        : TestCase("I-01: a bitmap shifts and counts as a list of bits does")
    {
    }

  private:
    /** Compare a bitmap. @tparam Bitmap the bitmap */
    template <class Bitmap>
    void Compare()
    {
        constexpr uint32_t BITS = Bitmap::BITS;
        for (const uint32_t shift :
             {0U, 1U, 63U, 64U, 65U, 127U, 128U, 200U, BITS - 1, BITS, BITS + 72})
        {
            Bitmap bitmap;
            std::vector<bool> bits(BITS);
            for (uint32_t bit = 0; bit < BITS; bit += bit % 7 + 1)
            {
                bitmap.Set(bit);
                bits[bit] = true;
            }
            bitmap.Shift(shift);
            bits.erase(bits.begin(), bits.begin() + std::min(shift, BITS));
            bits.resize(BITS);
            uint32_t below = 0;
            for (uint32_t bit = 0; bit < BITS; ++bit)
            {
                NS_TEST_EXPECT_MSG_EQ(bitmap.Get(bit), bits[bit], bit << " after " << shift);
                NS_TEST_EXPECT_MSG_EQ(bitmap.CountBelow(bit), below, bit << " after " << shift);
                below += bits[bit] ? 1 : 0;
            }
        }
        Bitmap ones;
        for (uint32_t bit = 0; bit < BITS; ++bit)
        {
            NS_TEST_EXPECT_MSG_EQ(ones.CountLeading(), bit, "ones before the first zero");
            ones.Set(bit);
        }
        NS_TEST_EXPECT_MSG_EQ(ones.CountLeading(), BITS, "all ones");
    }

    void DoRun() override
    {
        Compare<PacketBitmap>();
        Compare<LongPacketBitmap>();
    }
};

/** Messages as packets, and back. */
class SegmentsCase : public TestCase
{
  public:
    SegmentsCase()
        : TestCase("Q-01: messages of any size are packets, and become messages again")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t MTU = 100;

        /** A message. */
        struct Size
        {
            uint32_t bytes;   ///< Its size [bytes].
            uint32_t packets; ///< Its packets.
        };

        const std::vector<Size> sizes{{0, 1},
                                      {1, 1},
                                      {100, 1},
                                      {101, 2},
                                      {4'294'967'295U, 42949673}};
        MessageQueue queue(8, MTU, 10);
        uint64_t first = 10;
        for (const auto& [bytes, packets] : sizes)
        {
            queue.Post({.id = bytes, .contents = bytes + 7ULL, .bytes = bytes, .tag = 5});
            NS_TEST_EXPECT_MSG_EQ(queue.GetEnd() - first, packets, bytes << " bytes");
            const Packet last = queue.GetPacket(queue.GetEnd() - 1);
            NS_TEST_EXPECT_MSG_EQ(last.IsLast(), true, bytes << " bytes");
            NS_TEST_EXPECT_MSG_EQ(last.tag, 5, "the last packet has the tag");
            NS_TEST_EXPECT_MSG_EQ(last.payload, bytes - (packets - 1) * MTU, bytes << " bytes");
            first = queue.GetEnd();
        }
        Reassembly reassembly;
        std::vector<messaging::Delivery> messages;
        for (uint64_t number = 10; number < 15; ++number)
        {
            if (const auto message = reassembly.Add(queue.GetPacket(number), 3))
            {
                messages.push_back(*message);
            }
        }
        NS_TEST_ASSERT_MSG_EQ(messages.size(), 4, "all but the largest");
        for (std::size_t i = 0; i < messages.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(messages[i].bytes, sizes[i].bytes, "size");
            NS_TEST_EXPECT_MSG_EQ(messages[i].contents, sizes[i].bytes + 7ULL, "contents");
            NS_TEST_EXPECT_MSG_EQ(messages[i].id, i, "number");
        }
        reassembly.Add({.contents = 1, .payload = 1, .kind = FIRST}, 3);
        const auto damaged = reassembly.Add({.contents = 2, .payload = 1, .kind = LAST}, 3);
        NS_TEST_EXPECT_MSG_EQ(damaged.value().contents, ~uint64_t{1}, "packets of two messages");
        NS_TEST_EXPECT_MSG_EQ(queue.TakeBefore(10).has_value(), false, "not acknowledged");
        NS_TEST_EXPECT_MSG_EQ(queue.TakeBefore(11).value().id, 0, "acknowledged");
    }
};

/** A flow and its host. */
template <class Flow>
struct Bench
{
    static constexpr Peer PEER = 1; ///< The other end.

    /** @param config parameters */
    explicit Bench(const Config& config)
        : flow(std::make_shared<const Config>(config))
    {
    }

    /** @param count number of messages to post, of one packet each */
    void Post(uint32_t count)
    {
        for (uint32_t i = 0; i < count; ++i)
        {
            flow.OnRequest({.id = i, .contents = 100 + i, .to = PEER, .bytes = 1}, host);
        }
    }

    /** Receive an answer. @param kind ACK or NAK @param next next number @param trigger number of
     * the packet @param flags flags */
    void Answer(Kind kind, uint64_t next, uint32_t trigger, uint8_t flags = 0)
    {
        flow.OnFrame(PEER, {.id = next, .aux = trigger, .kind = kind, .flags = flags}, host);
    }

    /** Let the timer of the sender fire. */
    void Fire()
    {
        host.timers.erase(GetFlowTimer(PEER, Flow::RETRANSMIT));
        flow.OnTimer(PEER, Flow::RETRANSMIT, host);
    }

    /** @return the numbers of the packets and answers that were sent since the last call. */
    std::string TakeSent()
    {
        return host.TakeSent([](std::ostream& os, const ScriptedHost::Sent& sent) {
            constexpr std::array NAMES{"first ", "middle ", "last ", "", "ACK ", "NAK "};
            os << NAMES[sent.frame.kind] << sent.frame.id;
            os << ((sent.frame.flags & ECHO_FLAG) ? " marked" : "");
        });
    }

    Flow flow;         ///< The flow.
    ScriptedHost host; ///< Its host.
};

/** @return parameters of the flows under test. */
Config
MakeConfig()
{
    return {.modulus = 16,
            .window = 4,
            .requests = 8,
            .mtu = 10,
            .quickPackets = QUICK_PACKETS,
            .dataHeader = TRANSPORT_HEADER,
            .ackHeader = TRANSPORT_HEADER + ACK_HEADER,
            .lowTimeout = 100,
            .highTimeout = 300};
}

/** Retries, and the error. */
class RetriesCase : public TestCase
{
  public:
    RetriesCase()
        : TestCase(
              "R-05, R-06: the timer protects the last packet; after 7 retries, the queue pair "
              "fails")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t RETRIES = 7;
        Config config = MakeConfig();
        config.retries = RETRIES;
        config.highTimeout = config.lowTimeout;
        Bench<Flow<GoBackNSender, GoBackNReceiver>> bench(config);
        bench.Post(2);
        NS_TEST_EXPECT_MSG_EQ(bench.TakeSent(), "0, 1", "both packets leave");
        for (uint32_t retry = 0; retry < RETRIES; ++retry)
        {
            bench.Fire();
            NS_TEST_EXPECT_MSG_EQ(bench.TakeSent(), "0, 1", "retry " << retry);
        }
        bench.host.now = 50;
        bench.Answer(ACK, 1, 0);
        NS_TEST_EXPECT_MSG_EQ(bench.host.completed.size(), 1, "progress");
        bench.Fire(); // The rest of the time since the progress.
        NS_TEST_EXPECT_MSG_EQ(bench.TakeSent(), "", "no timeout yet");
        for (uint32_t retry = 0; retry < RETRIES; ++retry)
        {
            bench.Fire();
            NS_TEST_EXPECT_MSG_EQ(bench.TakeSent(),
                                  "1",
                                  "retry " << retry << " of the last packet");
        }
        NS_TEST_EXPECT_MSG_EQ(bench.flow.HasFailed(), false, "7 retries");
        bench.Fire();
        NS_TEST_EXPECT_MSG_EQ(bench.flow.HasFailed(), true, "one too many");
        NS_TEST_ASSERT_MSG_EQ(bench.host.completed.size(), 2, "an error completion");
        NS_TEST_EXPECT_MSG_EQ(bench.host.completed[1].completion, Completion::FAILED, "error");
        const Request more{.id = 9, .to = 1};
        NS_TEST_EXPECT_MSG_EQ(bench.flow.OnRequest(more, bench.host),
                              Acceptance::REFUSED,
                              "error state");
        bench.flow.OnFrame(1, {.id = 0, .kind = ONLY}, bench.host);
        NS_TEST_EXPECT_MSG_EQ(bench.host.delivered.size(), 1, "the receiver goes on");
        NS_TEST_EXPECT_MSG_EQ(bench.TakeSent(), "ACK 1", "and answers");
    }
};

/** NAKs without progress are retries. */
class NakRetriesCase : public TestCase
{
  public:
    NakRetriesCase()
        : TestCase("R-04, R-06: a NAK repeats all from the gap on, and is a retry")
    {
    }

  private:
    void DoRun() override
    {
        Config config = MakeConfig();
        config.retries = 1;
        Bench<Flow<GoBackNSender, GoBackNReceiver>> bench(config);
        bench.Post(4);
        NS_TEST_EXPECT_MSG_EQ(bench.TakeSent(), "0, 1, 2, 3", "a window");
        bench.Answer(NAK, 1, 2);
        NS_TEST_EXPECT_MSG_EQ(bench.TakeSent(), "1, 2, 3", "from the gap");
        bench.Answer(NAK, 1, 2);
        NS_TEST_EXPECT_MSG_EQ(bench.TakeSent(), "1, 2, 3", "the first retry");
        bench.Answer(NAK, 1, 2);
        NS_TEST_EXPECT_MSG_EQ(bench.flow.HasFailed(), true, "the second retry");
        NS_TEST_EXPECT_MSG_EQ(bench.host.Count(REPEAT), 6, "packets repeated");
        NS_TEST_EXPECT_MSG_EQ(bench.host.Count(LOSS), 3, "NAKs");
    }
};

/** Counts of packets that arrive again. */
class DuplicatesCase : public TestCase
{
  public:
    DuplicatesCase()
        : TestCase("I-02, I-03: a packet that has arrived before is a duplicate, after a gap, too")
    {
    }

  private:
    void DoRun() override
    {
        Bench<Flow<IrnSender, IrnReceiver>> bench(MakeConfig());
        for (const uint64_t number : {0, 2, 2, 3, 2, 0, 1, 3})
        {
            bench.flow.OnFrame(bench.PEER, {.id = number, .kind = ONLY}, bench.host);
        }
        NS_TEST_EXPECT_MSG_EQ(bench.host.delivered.size(), 4, "messages");
        NS_TEST_EXPECT_MSG_EQ(bench.host.Count(EARLY), 2, "packets 2 and 3");
        NS_TEST_EXPECT_MSG_EQ(bench.host.Count(DUPLICATE), 4, "packet 2 twice, and 0 and 3");
    }
};

/** The two timeouts of IRN. */
class TwoTimeoutsCase : public TestCase
{
  public:
    TwoTimeoutsCase()
        : TestCase("I-12: the short timeout is extended while more than 3 packets are in flight")
    {
    }

  private:
    void DoRun() override
    {
        for (const uint32_t packets : {3, 4})
        {
            Bench<Flow<IrnSender, IrnReceiver>> bench(MakeConfig());
            bench.Post(packets);
            bench.TakeSent();
            bench.host.now = 100;
            bench.Fire();
            const bool isExtended = packets > QUICK_PACKETS;
            NS_TEST_EXPECT_MSG_EQ(bench.host.Count(EXTENSION), (isExtended ? 1 : 0), packets);
            NS_TEST_EXPECT_MSG_EQ(bench.TakeSent(), (isExtended ? "" : "0"), packets);
            if (isExtended)
            {
                NS_TEST_EXPECT_MSG_EQ(bench.host.armed.back().second, 200, "the rest of RTO_high");
                bench.host.now = 300;
                bench.Fire();
                NS_TEST_EXPECT_MSG_EQ(bench.TakeSent(), "0", "RTO_high");
            }
        }
        IrnSender sender(0);
        sender.TakeNext(1, 1);
        NS_TEST_EXPECT_MSG_EQ(sender.ExtendsTimeout(QUICK_PACKETS, 4), false, "rate factor 4");
        NS_TEST_EXPECT_MSG_EQ(sender.ExtendsTimeout(QUICK_PACKETS, 4.1), true, "a slow sender");
    }
};

/** Marks of congestion. */
class MarksCase : public TestCase
{
  public:
    MarksCase()
        : TestCase("Q-02: the next answer returns the mark of a packet, and the window halves")
    {
    }

  private:
    void DoRun() override
    {
        Config config = MakeConfig();
        config.control.kind = messaging::CongestionKind::WINDOW;
        config.site = {.segment = config.GetFullFrame(), .window = 4 * config.GetFullFrame()};
        Bench<Flow<GoBackNSender, GoBackNReceiver>> bench(config);
        bench.flow.OnFrame(1,
                           {.id = 0, .kind = ONLY, .marks = messaging::MARK_CONGESTION},
                           bench.host);
        NS_TEST_EXPECT_MSG_EQ(bench.TakeSent(), "ACK 1 marked", "the mark");
        bench.flow.OnFrame(1, {.id = 2, .kind = ONLY}, bench.host);
        bench.flow.OnFrame(1,
                           {.id = 3, .kind = ONLY, .marks = messaging::MARK_CONGESTION},
                           bench.host);
        NS_TEST_EXPECT_MSG_EQ(bench.TakeSent(), "NAK 1", "no answer returns this mark");
        bench.flow.OnFrame(1, {.id = 1, .kind = ONLY}, bench.host);
        NS_TEST_EXPECT_MSG_EQ(bench.TakeSent(), "ACK 2 marked", "the next one does");
        bench.flow.OnFrame(1,
                           {.id = 2, .kind = ONLY, .marks = messaging::MARK_TRIMMED},
                           bench.host);
        NS_TEST_EXPECT_MSG_EQ(bench.TakeSent(), "", "a trimmed packet is lost");
        bench.Post(8);
        NS_TEST_EXPECT_MSG_EQ(bench.TakeSent(), "0, 1, 2, 3", "a window");
        bench.host.now = 10;
        bench.Answer(ACK, 1, 0, ECHO_FLAG);
        NS_TEST_EXPECT_MSG_EQ(bench.TakeSent(), "", "half of the window is in flight");
        bench.Answer(ACK, 3, 2);
        NS_TEST_EXPECT_MSG_EQ(bench.TakeSent(), "4, 5", "the window grows by one frame for two");
        NS_TEST_EXPECT_MSG_EQ(bench.host.Count(MARKED), 1, "the mark was counted");
    }
};

/** A busy port. */
class BusyPortCase : public TestCase
{
  public:
    BusyPortCase()
        : TestCase("Q-03: a busy port delays packets, answers and repeats, and loses none")
    {
    }

  private:
    void DoRun() override
    {
        Bench<Flow<IrnSender, IrnReceiver>> bench(MakeConfig());
        bench.host.busy = true;
        bench.Post(2);
        for (const uint64_t number : {0, 1, 3, 2})
        {
            bench.flow.OnFrame(1, {.id = number, .kind = ONLY}, bench.host);
        }
        NS_TEST_EXPECT_MSG_EQ(bench.host.sent.size(), 0, "busy");
        bench.host.busy = false;
        bench.flow.OnReady(1, bench.host);
        NS_TEST_EXPECT_MSG_EQ(bench.TakeSent(),
                              "ACK 2, NAK 2, ACK 4, 0, 1",
                              "plain answers are merged, and precede packets");
        bench.host.busy = true;
        bench.Fire();
        NS_TEST_EXPECT_MSG_EQ(bench.host.timers.size(), 0, "nothing to protect");
        bench.host.busy = false;
        bench.flow.OnReady(1, bench.host);
        NS_TEST_EXPECT_MSG_EQ(bench.TakeSent(), "0", "the repeat");
        NS_TEST_EXPECT_MSG_EQ(bench.host.timers.size(), 1, "is protected");

        Bench<Flow<IrnSender, IrnReceiver>> other(MakeConfig());
        other.Post(2);
        other.host.busy = true;
        other.Fire();
        NS_TEST_EXPECT_MSG_EQ(other.host.timers.size(), 0, "the repeat waits");
        other.Answer(ACK, 1, 0);
        NS_TEST_EXPECT_MSG_EQ(other.host.timers.size(), 1, "an answer has cancelled the repeat");
    }
};

/** Answers that wait for a busy port. */
class AnswerDropCase : public TestCase
{
  public:
    AnswerDropCase()
        : TestCase("Q-03: of answers that wait, 128 are kept, and each that is dropped is counted")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t KEPT = 128;
        constexpr uint32_t DROPPED = 3;
        Bench<Flow<IrnSender, IrnReceiver>> bench(MakeConfig());
        bench.host.busy = true;
        for (uint32_t i = 0; i < KEPT; ++i)
        {
            bench.flow.OnFrame(1, {.id = 2, .kind = ONLY}, bench.host);
        }
        NS_TEST_EXPECT_MSG_EQ(bench.host.Count(ANSWER_DROP), 0, "room for all");
        for (uint32_t i = 0; i < DROPPED; ++i)
        {
            bench.flow.OnFrame(1, {.id = 2, .kind = ONLY}, bench.host);
        }
        NS_TEST_EXPECT_MSG_EQ(bench.host.Count(ANSWER_DROP), DROPPED, "the oldest");
        bench.host.busy = false;
        bench.flow.OnReady(1, bench.host);
        NS_TEST_EXPECT_MSG_EQ(bench.host.sent.size(), KEPT, "what is left");
    }
};

/** Frames that no peer has sent. */
class ForeignCase : public TestCase
{
  public:
    ForeignCase()
        : TestCase("Answers for packets that were never sent, and unknown kinds, change nothing")
    {
    }

  private:
    void DoRun() override
    {
        using IrnFlow = Flow<IrnSender, IrnReceiver>;
        ScriptedHost out;
        messaging::FlowCore core(IrnFlow(std::make_shared<const Config>(MakeConfig())), 2);
        core.OnRequest({.id = 0, .to = 1}, out);
        core.OnRequest({.id = 1, .to = 1}, out);
        for (const Frame& frame : {Frame{.id = 3, .aux = 0, .kind = ACK},
                                   Frame{.id = 7, .aux = 1, .kind = NAK},
                                   Frame{.id = 0, .kind = NAK + 1},
                                   Frame{.id = 0, .kind = 255}})
        {
            NS_TEST_EXPECT_MSG_EQ(messaging::Refuses(core, 1, frame), true, +frame.kind);
        }
    }
};

/** Frames on several paths. */
class PathsCase : public TestCase
{
  public:
    PathsCase()
        : TestCase("Q-04: a flow has one path, or one for each packet if it sprays")
    {
    }

  private:
    void DoRun() override
    {
        for (const bool sprays : {false, true})
        {
            Config config = MakeConfig();
            config.paths = 8;
            config.spray = sprays;
            Bench<Flow<IrnSender, IrnReceiver>> bench(config);
            for (uint32_t random = 3; random < 6; ++random)
            {
                bench.host.random = random;
                bench.Post(1);
            }
            for (uint16_t i = 0; i < 3; ++i)
            {
                NS_TEST_EXPECT_MSG_EQ(bench.host.sent[i].frame.path, (sprays ? 3 + i : 3), i);
            }
        }
    }
};

/** Windows and timeouts behind hosts whose work takes longer than the network. */
class HostsCase : public TestCase
{
  public:
    HostsCase()
        : TestCase("The default window fills the network, and timeouts wait for hosts")
    {
    }

  private:
    void DoRun() override
    {
        const auto clock = CreateObject<messaging::TickClock>();
        const auto port = messaging::MakeAnyPort(Create<messaging::LoopbackPort>(clock, 2));
        const auto model = CreateObject<messaging::HostModel>();
        model->SetAttribute("Interrupt", TimeValue(MicroSeconds(5)));
        const auto hosted =
            Create<messaging::HostPort>(clock,
                                        port,
                                        std::vector<Ptr<messaging::HostModel>>(2, model),
                                        messaging::FrameCosts{.interrupts = 1});
        const Config bare = QueuePairs::Resolve({}, *port, NanoSeconds(1));
        const Config config = QueuePairs::Resolve({}, *hosted, NanoSeconds(1));
        NS_TEST_EXPECT_MSG_EQ(config.window, bare.window, "window");
        NS_TEST_EXPECT_MSG_EQ(config.site.roundTrip, bare.site.roundTrip, "round trip");
        NS_TEST_EXPECT_MSG_EQ(config.site.hosts, 10'000, "an interrupt at either end");
        NS_TEST_EXPECT_MSG_GT(QueuePairs::GetPatience(config, *hosted),
                              QueuePairs::GetPatience(bare, *port) + config.site.hosts,
                              "timeout");
        clock->Dispose();
        Simulator::Destroy();
    }
};

/** The suite. */
class RoceCoreTestSuite : public TestSuite
{
  public:
    RoceCoreTestSuite()
        : TestSuite("roce-core", Type::UNIT)
    {
        using GoBackN = ScriptCase<GoBackNSender>;
        using Irn = ScriptCase<IrnSender>;
        const auto add = [this](TestCase* test) { AddTestCase(test, TestCase::Duration::QUICK); };
        add(new GoBackNTableCase);
        add(new GoBackN("R-01, R-04: a window, a NAK, and late answers of go-back-N",
                        4,
                        {{"send", "0"},
                         {"send", "1"},
                         {"send", "2"},
                         {"send", "3"},
                         {"send", "nothing"},
                         {"ACK 1", "1"},
                         {"send", "4"},
                         {"NAK 2 3", "1 loss"},
                         {"send", "2"},
                         {"NAK 2 3", "0 loss retry"},
                         {"send", "2"},
                         {"ACK 5", "3"},
                         {"ACK 3", "0"},
                         {"send", "5"},
                         {"send", "6"},
                         {"send", "7"},
                         {"send", "nothing"},
                         {"ACK 8", "3"},
                         {"NAK 8 9", "0"}}));
        add(new GoBackNReceiverCase);
        add(new IrnReceiverCase);
        add(new BitmapCase);
        // Packets 1 and 3 are lost. A new packet (7) leaves before the second hole is found.
        add(new Irn("I-04, I-05, I-06, I-07, I-09, I-10: two holes of IRN, each repeated once",
                    POSTED,
                    {{"send", "0"},
                     {"send", "1"},
                     {"send", "2"},
                     {"send", "3"},
                     {"send", "4"},
                     {"send", "5"},
                     {"ACK 1 0", "1"},
                     {"NAK 1 2", "0 selected loss"},
                     {"send", "1"},
                     {"send", "6"},
                     {"NAK 1 4", "0 selected"},
                     {"send", "7"},
                     {"send", "3"},
                     {"NAK 1 5", "0 selected"},
                     {"send", "nothing"},
                     {"ACK 3 1", "2"},
                     {"send", "nothing"},
                     {"ACK 6 3", "3"},
                     {"ACK 7 6", "1"},
                     {"ACK 8 7", "1"}}));
        add(new Irn("I-06: a packet is not repeated if it is selected before it leaves again",
                    POSTED,
                    {{"send", "0"},
                     {"send", "1"},
                     {"send", "2"},
                     {"send", "3"},
                     {"send", "4"},
                     {"NAK 0 4", "0 selected loss"},
                     {"send", "0"}, // Finds hole 1.
                     {"NAK 0 1", "0 selected"},
                     {"send", "5"}, // Finds hole 2.
                     {"send", "2"},
                     {"send", "3"},
                     {"send", "6"}}));
        add(new Irn("I-08: a partial acknowledgement exposes a hole that was not repeated",
                    POSTED,
                    {{"send", "0"},
                     {"send", "1"},
                     {"send", "2"},
                     {"send", "3"},
                     {"NAK 0 1", "0 selected loss"},
                     {"send", "0"},
                     {"ACK 2 0", "2"}, // Partial, below 3, which had been sent.
                     {"send", "2"},
                     {"send", "4"},
                     {"ACK 4 2", "2"},
                     {"send", "5"}}));
        // Packets 0, 2 and 3 are lost. The bit of packet 1 must not count as that of packet 3.
        add(new Irn("I-04, I-10: bits of the bitmap move with the first packet",
                    POSTED,
                    {{"send", "0"},
                     {"send", "1"},
                     {"send", "2"},
                     {"send", "3"},
                     {"send", "4"},
                     {"NAK 0 1", "0 selected loss"},
                     {"send", "0"},
                     {"ACK 2 0", "2"},
                     {"send", "2"},
                     {"NAK 2 4", "0 selected"},
                     {"send", "5"},
                     {"send", "3"}}));
        add(new Irn("I-11: the cap counts selected packets; repeats go beyond it",
                    3,
                    {{"send", "0"},
                     {"send", "1"},
                     {"send", "2"},
                     {"send", "nothing"},
                     {"NAK 0 1", "0 selected loss"},
                     {"send", "0"},
                     {"send", "nothing"},
                     {"ACK 2 0", "2"},
                     {"send", "2"},
                     {"send", "3"},
                     {"send", "4"},
                     {"send", "nothing"}}));
        add(new Irn("I-09, I-12: a timeout repeats the first packet, then the holes after it",
                    POSTED,
                    {{"send", "0"},
                     {"send", "1"},
                     {"send", "2"},
                     {"NAK 0 2", "0 selected loss"},
                     {"send", "0"},
                     {"send", "1"},
                     {"timeout", ""},
                     {"send", "0"},
                     {"send", "1"},
                     {"send", "3"}}));
        add(new SegmentsCase);
        add(new RetriesCase);
        add(new NakRetriesCase);
        add(new DuplicatesCase);
        add(new TwoTimeoutsCase);
        add(new MarksCase);
        add(new BusyPortCase);
        add(new AnswerDropCase);
        add(new ForeignCase);
        add(new PathsCase);
        add(new HostsCase);
    }
};

RoceCoreTestSuite g_roceCoreTestSuite; ///< The suite.

} // namespace
} // namespace tests
} // namespace roce
} // namespace ns3
