/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-list-text.h"

#include "ns3/messaging-core-group.h"
#include "ns3/messaging-datagram-core.h"
#include "ns3/messaging-loopback-port.h"
#include "ns3/messaging-scripted-host.h"
#include "ns3/messaging-segmenting-core.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup messaging-tests
 * The layer that sends messages of any size as segments.
 */

namespace ns3
{
namespace messaging
{
namespace tests
{
namespace
{

/** Largest message of the inner cores [bytes]. */
constexpr uint32_t LIMIT = 100;

/** Part of a message in a segment [bytes]. */
constexpr uint32_t PART = LIMIT - SEGMENT_HEADER;

/** Peer at the other end. */
constexpr Peer OTHER = 1;

/** A host whose port has room for some frames. */
struct Host : ScriptedHost
{
    /** Send a frame. @param to receiver @param frame the frame @return false if there is no room */
    bool Send(Peer to, const Frame& frame)
    {
        return room > 0 && room-- > 0 && ScriptedHost::Send(to, frame);
    }

    uint32_t room{100000}; ///< Further frames that the port accepts.
};

/** Kinds of frames of a Clerk. */
enum ClerkKind : uint8_t
{
    CARRY,       ///< Carries a message to its receiver.
    LEFT,        ///< Completes a request as SENT.
    ARRIVED,     ///< Completes it as DELIVERED.
    CUT_OFF,     ///< Completes it as UNREACHABLE.
    GIVEN_UP,    ///< Completes it as FAILED.
    REFUSE_LATER ///< Requests are refused from now on.
};

/**
 * An inner core of which the test decides every step: a request becomes a frame, and a frame of the
 * test becomes a delivery or a completion.
 * @tparam REPORTS it declares CanAccept
 */
template <bool REPORTS = true>
class Clerk
{
  public:
    /** @param confirms DELIVERED follows SENT */
    explicit Clerk(bool confirms = true)
        : m_confirms(confirms)
    {
    }

    /** Send a message. @param request the message @param out actions @return stalled if busy */
    template <class Out>
    Acceptance OnRequest(const Request& request, Out& out)
    {
        if (request.to == NOBODY || m_refuses)
        {
            return Acceptance::REFUSED;
        }
        m_busy = !out.Send(request.to,
                           Frame{.id = request.id,
                                 .contents = request.contents,
                                 .payload = request.bytes,
                                 .aux = request.tag,
                                 .flags = request.flags});
        return m_busy ? Acceptance::STALLED : Acceptance::ACCEPTED;
    }

    /** Do what a frame says. @param from its sender @param frame the frame @param out actions */
    template <class Out>
    void OnFrame(Peer from, const Frame& frame, Out& out)
    {
        switch (frame.kind)
        {
        case CARRY:
            out.Deliver(
                Delivery{frame.id, frame.contents, from, frame.payload, frame.aux, frame.flags});
            return;
        case LEFT:
            out.Complete(frame.id, Completion::SENT);
            return;
        case ARRIVED:
            out.Complete(frame.id, Completion::DELIVERED);
            return;
        case CUT_OFF:
            out.Complete(frame.id, Completion::UNREACHABLE);
            return;
        case GIVEN_UP:
            out.Complete(frame.id, Completion::FAILED);
            return;
        default:
            m_refuses = true;
        }
    }

    /** The port is free. */
    template <class Out>
    void OnTimer(TimerId, Out&)
    {
        m_busy = false;
    }

    /** The port is free. */
    template <class Out>
    void OnDone(WorkId, Out&)
    {
        m_busy = false;
    }

    /** The port is free. */
    template <class Out>
    void OnReady(Out&)
    {
        m_busy = false;
    }

    /** @return whether the port is free. */
    bool CanAccept() const
        requires REPORTS
    {
        return !m_busy;
    }

    /** @return whether DELIVERED follows SENT. */
    bool ConfirmsDelivery() const
    {
        return m_confirms;
    }

    /** Write the state. @param encoder where */
    void Encode(Encoder& encoder) const
    {
        encoder.Put((m_busy ? 2 : 0) | (m_refuses ? 1 : 0));
    }

    static constexpr Peer NOBODY = 77; ///< A peer that does not exist.

  private:
    bool m_confirms;       ///< DELIVERED follows SENT.
    bool m_busy{false};    ///< The port was busy.
    bool m_refuses{false}; ///< Requests are refused.
};

/** The layer around a Clerk. */
using Layer = SegmentingCore<Clerk<>>;

/** @param clerk the inner core @return the layer around it */
Layer
MakeLayer(const Clerk<>& clerk = Clerk<>())
{
    return Layer(clerk, LIMIT);
}

/** @param bytes size of a message @return the message */
Request
MakeSized(uint32_t bytes)
{
    return Request{.id = 5, .contents = 12345, .to = OTHER, .bytes = bytes, .tag = 9, .flags = 3};
}

/**
 * Get the frames of a message.
 * @param request the message
 * @param layer the sending layer
 * @return its frames
 */
template <class L = Layer>
std::vector<Frame>
MakeFrames(const Request& request, L layer = MakeLayer())
{
    Host host;
    layer.OnRequest(request, host);
    std::vector<Frame> frames;
    for (const auto& sent : host.sent)
    {
        frames.push_back(sent.frame);
    }
    return frames;
}

/**
 * Let a layer receive a frame.
 * @param layer the layer
 * @param frame the frame
 * @param host its host
 * @param kind new kind of the frame
 */
template <class L>
void
Receive(L& layer, Frame frame, Host& host, uint8_t kind = CARRY)
{
    frame.kind = kind;
    layer.OnFrame(OTHER, frame, host);
}

/** @param request a message @param id ID of its delivery @return the delivery by peer OTHER */
Delivery
MakeDelivery(const Request& request, uint64_t id)
{
    return Delivery{id, request.contents, OTHER, request.bytes, request.tag, request.flags};
}

/** Write a delivery. @param os the stream @param delivery the delivery @return the stream */
std::ostream&
operator<<(std::ostream& os, const Delivery& delivery)
{
    return os << "message " << delivery.id << " with contents " << delivery.contents << " of "
              << delivery.bytes << " bytes from peer " << delivery.from << ", tag " << delivery.tag
              << ", flags " << +delivery.flags;
}

/** Messages within the limit pass unchanged. */
class ShortTestCase : public TestCase
{
  public:
    ShortTestCase()
        : TestCase("a message within the limit passes unchanged")
    {
    }

  private:
    void DoRun() override
    {
        for (const uint32_t bytes : {0U, 1U, LIMIT})
        {
            const Request request = MakeSized(bytes);
            auto layer = MakeLayer();
            const auto before = GetState(layer);
            Host host;
            NS_TEST_EXPECT_MSG_EQ(layer.OnRequest(request, host),
                                  Acceptance::ACCEPTED,
                                  "a message within the limit is accepted");
            NS_TEST_ASSERT_MSG_EQ(host.sent.size(),
                                  1,
                                  "frames of a message of " << bytes << " bytes");
            const Frame& frame = host.sent[0].frame;
            NS_TEST_EXPECT_MSG_EQ(frame.payload, bytes, "size of the frame");
            NS_TEST_EXPECT_MSG_EQ(frame.id, request.id, "request of the frame");
            NS_TEST_EXPECT_MSG_EQ(frame.aux, request.tag, "tag of the frame");
            Receive(layer, frame, host);
            NS_TEST_ASSERT_MSG_EQ(host.delivered.size(), 1, "deliveries of the message");
            NS_TEST_EXPECT_MSG_EQ(host.delivered[0],
                                  MakeDelivery(request, request.id),
                                  "the message is unchanged");
            Receive(layer, frame, host, LEFT);
            Receive(layer, frame, host, ARRIVED);
            NS_TEST_ASSERT_MSG_EQ(host.completed.size(), 2, "completions of the message");
            NS_TEST_EXPECT_MSG_EQ(host.completed[0].completion,
                                  Completion::SENT,
                                  "the first completion");
            NS_TEST_EXPECT_MSG_EQ(host.completed[1].completion,
                                  Completion::DELIVERED,
                                  "the second completion");
            NS_TEST_EXPECT_MSG_EQ(ListText(GetState(layer)),
                                  ListText(before),
                                  "the layer keeps nothing");
        }
    }
};

/** Sizes of segments. */
class SplitTestCase : public TestCase
{
  public:
    SplitTestCase()
        : TestCase(
              "a longer message is cut into segments, and so is one with the mark of a segment")
    {
    }

  private:
    void DoRun() override
    {
        /** A message and the payloads of its frames. */
        struct Row
        {
            uint32_t bytes;                 ///< Size of the message.
            uint32_t tag;                   ///< Its tag.
            RequestId id;                   ///< Its request.
            std::vector<uint32_t> payloads; ///< Payloads of its frames.
        };

        constexpr uint32_t H = SEGMENT_HEADER;
        const std::vector<Row> rows{
            {LIMIT, 7, 1, {LIMIT}},
            {LIMIT + 1, 7, 1, {LIMIT, H + 9}},
            {2 * PART, 7, 1, {LIMIT, LIMIT}},
            {2 * PART + 1, 7, 1, {LIMIT, LIMIT, H + 1}},
            {3 * PART - 1, 7, 1, {LIMIT, LIMIT, LIMIT - 1}},
            {0, SEGMENT_TAG, 1, {H, H}},
            {PART, SEGMENT_TAG | 7, 1, {LIMIT, H}},
            {PART + 1, 0xffffffff, 1, {LIMIT, H + 1}},
            {1, 7, SEGMENT_REQUEST, {H + 1, H}},
            {1, 7, ~RequestId{0}, {H + 1, H}},
        };
        for (const Row& row : rows)
        {
            Request request = MakeSized(row.bytes);
            request.tag = row.tag;
            request.id = row.id;
            std::vector<uint32_t> payloads;
            auto receiver = MakeLayer();
            Host host;
            const auto frames = MakeFrames(request);
            for (const Frame& frame : frames)
            {
                payloads.push_back(frame.payload);
                NS_TEST_EXPECT_MSG_EQ(host.delivered.size(),
                                      0,
                                      "no delivery before the message is complete");
                Receive(receiver, frame, host);
            }
            NS_TEST_EXPECT_MSG_EQ(ListText(payloads),
                                  ListText(row.payloads),
                                  "payloads of the segments of " << row.bytes << " bytes");
            NS_TEST_ASSERT_MSG_EQ(host.delivered.size(),
                                  1,
                                  "deliveries of a message of " << row.bytes << " bytes");
            NS_TEST_EXPECT_MSG_EQ(host.delivered[0],
                                  MakeDelivery(request, frames.back().id),
                                  "the message of " << row.bytes << " bytes with tag " << row.tag);
            for (std::size_t i = 0; frames.size() > 1 && i < frames.size(); ++i)
            {
                const bool last = i + 1 == frames.size();
                NS_TEST_EXPECT_MSG_EQ(+frames[i].flags,
                                      (last ? +request.flags : 0),
                                      "only the last segment carries the flags of the message");
                NS_TEST_EXPECT_MSG_EQ(
                    (frames[i].contents == request.contents),
                    !last,
                    "all segments but the last carry the contents of the message");
            }
        }
    }
};

/** Arrival of segments in any order. */
class OrderTestCase : public TestCase
{
  public:
    OrderTestCase()
        : TestCase("segments arrive in any order and several times, and make one message")
    {
    }

  private:
    void DoRun() override
    {
        const Request request = MakeSized(4 * PART);
        const auto frames = MakeFrames(request);
        std::vector<std::size_t> order(frames.size());
        std::iota(order.begin(), order.end(), 0);
        do
        {
            auto layer = MakeLayer();
            const auto before = GetState(layer);
            Host host;
            for (std::size_t i = 0; i < order.size(); ++i)
            {
                NS_TEST_EXPECT_MSG_EQ(host.delivered.size(),
                                      0,
                                      "no delivery before the message is complete");
                for (std::size_t again = 0; again <= i; ++again)
                {
                    // Those that are there already are ignored.
                    Receive(layer, frames[order[again]], host);
                }
            }
            NS_TEST_ASSERT_MSG_EQ(host.delivered.size(),
                                  1,
                                  "deliveries of a message of which segments are repeated");
            NS_TEST_EXPECT_MSG_EQ(host.delivered[0],
                                  MakeDelivery(request, frames.back().id),
                                  "the message is whole");
            NS_TEST_EXPECT_MSG_EQ(ListText(GetState(layer)),
                                  ListText(before),
                                  "the layer keeps nothing of a delivered message");
        } while (std::next_permutation(order.begin(), order.end()));
    }
};

/** Damage of any segment. */
class DamageTestCase : public TestCase
{
  public:
    DamageTestCase()
        : TestCase("a segment with other contents damages the message, a made-up one is ignored")
    {
    }

  private:
    void DoRun() override
    {
        for (const uint32_t bytes : {LIMIT + 1, 3 * PART})
        {
            const Request request = MakeSized(bytes);
            const auto frames = MakeFrames(request);
            for (std::size_t damaged = 0; damaged < frames.size(); ++damaged)
            {
                for (const uint64_t change : {uint64_t{1}, uint64_t{1} << 32, ~uint64_t{0}})
                {
                    auto layer = MakeLayer();
                    Host host;
                    for (std::size_t i = 0; i < frames.size(); ++i)
                    {
                        Frame frame = frames[i];
                        frame.contents ^= i == damaged ? change : 0;
                        Receive(layer, frame, host);
                    }
                    NS_TEST_ASSERT_MSG_EQ(host.delivered.size(),
                                          1,
                                          "the message with a changed segment is delivered");
                    NS_TEST_EXPECT_MSG_NE(host.delivered[0].contents,
                                          request.contents,
                                          "segment " << damaged << " of " << bytes
                                                     << " bytes is damaged");
                }
            }
        }
        using Tag = SegmentTag<SegmentFormat>;
        const std::array<Frame, 3> forged{
            {{.payload = SEGMENT_HEADER - 1, .aux = Tag{.index = 1}.Pack()},
             {.payload = 0, .aux = Tag{.index = 1, .last = true}.Pack()},
             {.payload = LIMIT, .aux = Tag{.index = 0, .last = true}.Pack()}}};
        for (const Frame& frame : forged)
        {
            NS_TEST_EXPECT_MSG_EQ(Refuses(MakeLayer(), OTHER, frame),
                                  true,
                                  "a segment that no sender makes is ignored: " << frame.payload
                                                                                << " bytes");
        }
    }
};

/** Completions of a message. */
class CompletionTestCase : public TestCase
{
  public:
    CompletionTestCase()
        : TestCase(
              "a message ends once, when all segments have ended, with the worst of their ends")
    {
    }

  private:
    void DoRun() override
    {
        using Kinds = std::vector<uint8_t>;
        using Ends = std::vector<Completion>;
        constexpr auto SENT = Completion::SENT;
        constexpr auto DELIVERED = Completion::DELIVERED;

        /** Completions of the three segments in turn, and those of the message. */
        struct Row
        {
            bool confirms; ///< DELIVERED follows SENT.
            Kinds kinds;   ///< Completions of segments 0, 1, 2, 0, ....
            Ends ends;     ///< Completions of the message.
        };

        const std::vector<Row> rows{
            {false, {LEFT, LEFT}, {}},
            {false, {LEFT, LEFT, LEFT}, {SENT}},
            {false, {LEFT, GIVEN_UP, LEFT}, {Completion::FAILED}},
            {false, {CUT_OFF, GIVEN_UP, CUT_OFF}, {Completion::FAILED}},
            {true, {LEFT, LEFT, LEFT}, {SENT}},
            {true, {LEFT, LEFT, LEFT, ARRIVED, ARRIVED}, {SENT}},
            {true, {LEFT, LEFT, LEFT, ARRIVED, ARRIVED, ARRIVED}, {SENT, DELIVERED}},
            {true, {ARRIVED, ARRIVED, ARRIVED}, {DELIVERED}},
            {true, {LEFT, LEFT, ARRIVED, ARRIVED, ARRIVED}, {DELIVERED}},
            {true, {ARRIVED, CUT_OFF, ARRIVED}, {Completion::UNREACHABLE}},
            {true, {CUT_OFF, LEFT, LEFT, LEFT, GIVEN_UP, ARRIVED}, {Completion::FAILED}},
        };
        for (const Row& row : rows)
        {
            auto layer = MakeLayer(Clerk<>(row.confirms));
            const Request request = MakeSized(3 * PART);
            Host host;
            layer.OnRequest(request, host);
            NS_TEST_ASSERT_MSG_EQ(host.sent.size(), 3, "segments sent");
            for (std::size_t i = 0; i < row.kinds.size(); ++i)
            {
                Receive(layer, host.sent[i % 3].frame, host, row.kinds[i]);
            }
            Ends ends;
            for (const auto& [id, completion] : host.completed)
            {
                NS_TEST_EXPECT_MSG_EQ(id, request.id, "request of the completion");
                ends.push_back(completion);
            }
            NS_TEST_EXPECT_MSG_EQ(ListText(ends),
                                  ListText(row.ends),
                                  "completions of row " << &row - rows.data());
            NS_TEST_EXPECT_MSG_EQ(layer.ConfirmsDelivery(),
                                  row.confirms,
                                  "the layer confirms delivery as its inner core does");
        }
    }
};

/** Failures in the middle of a message. */
class SegmentFailureTestCase : public TestCase
{
  public:
    SegmentFailureTestCase()
        : TestCase("after a failure no further segment is posted, and the next message is taken")
    {
    }

  private:
    void DoRun() override
    {
        for (const bool refused : {false, true})
        {
            auto layer = MakeLayer();
            Host host;
            host.room = 2;
            layer.OnRequest(MakeSized(5 * PART), host);
            NS_TEST_ASSERT_MSG_EQ(host.sent.size(), 2, "segments posted before the stall");
            NS_TEST_EXPECT_MSG_EQ(layer.CanAccept(),
                                  false,
                                  "the layer accepts no message while segments wait");
            host.room = 10;
            Receive(layer, host.sent[0].frame, host, refused ? REFUSE_LATER : CUT_OFF);
            layer.OnReady(host);
            NS_TEST_EXPECT_MSG_EQ(host.sent.size(), 2, "no segment is posted after the failure");
            NS_TEST_EXPECT_MSG_EQ(layer.CanAccept(), true, "the layer accepts the next message");
            NS_TEST_EXPECT_MSG_EQ(host.completed.size(),
                                  0,
                                  "the message has not ended before its segments");
            if (refused)
            {
                Receive(layer, host.sent[0].frame, host, ARRIVED);
            }
            Receive(layer, host.sent[1].frame, host, ARRIVED);
            NS_TEST_ASSERT_MSG_EQ(host.completed.size(), 1, "the message has ended");
            NS_TEST_EXPECT_MSG_EQ(host.completed[0].completion,
                                  (refused ? Completion::FAILED : Completion::UNREACHABLE),
                                  "completion of the message");
        }
        for (const uint32_t bytes : {1U, LIMIT + 1})
        {
            auto layer = MakeLayer();
            const auto before = GetState(layer);
            Host host;
            Request request = MakeSized(bytes);
            request.to = Clerk<>::NOBODY;
            NS_TEST_EXPECT_MSG_EQ(layer.OnRequest(request, host),
                                  Acceptance::REFUSED,
                                  "the inner core refuses the first segment");
            NS_TEST_EXPECT_MSG_EQ(ListText(GetState(layer)),
                                  ListText(before),
                                  "the layer keeps nothing of a refused message");
        }
    }
};

/** Stalls in the middle of a message. */
template <bool REPORTS>
class StallTestCase : public TestCase
{
  public:
    StallTestCase()
        : TestCase(std::string("a stalled message continues after any event, ") +
                   (REPORTS ? "with" : "without") + " CanAccept of the inner core")
    {
    }

  private:
    /** The layer. */
    using StalledLayer = SegmentingCore<Clerk<REPORTS>>;

    void DoRun() override
    {
        const std::array<void (*)(StalledLayer&, Host&), 3> events{
            [](StalledLayer& layer, Host& host) { layer.OnReady(host); },
            [](StalledLayer& layer, Host& host) { layer.OnTimer(3, host); },
            [](StalledLayer& layer, Host& host) { layer.OnDone(4, host); }};
        for (const auto event : events)
        {
            StalledLayer layer(Clerk<REPORTS>(), LIMIT);
            Host host;
            host.room = 0;
            const Request request = MakeSized(3 * PART);
            NS_TEST_EXPECT_MSG_EQ(layer.OnRequest(request, host),
                                  Acceptance::STALLED,
                                  "a message without room for its first segment stalls");
            event(layer, host);
            if (REPORTS)
            {
                const StalledLayer fresh(Clerk<REPORTS>(), LIMIT);
                NS_TEST_EXPECT_MSG_EQ(ListText(GetState(layer)),
                                      ListText(GetState(fresh)),
                                      "the layer keeps nothing of a stalled message");
            }
            host.room = 1;
            NS_TEST_EXPECT_MSG_EQ(layer.OnRequest(request, host),
                                  Acceptance::ACCEPTED,
                                  "the message is accepted when there is room");
            for (uint32_t sent = 1; sent < 3; ++sent)
            {
                NS_TEST_EXPECT_MSG_EQ(host.sent.size(), sent, "segments sent, one more");
                NS_TEST_EXPECT_MSG_EQ(layer.CanAccept(),
                                      false,
                                      "the layer accepts no message while segments wait");
                NS_TEST_EXPECT_MSG_EQ(layer.OnRequest(MakeSized(1), host),
                                      Acceptance::STALLED,
                                      "other messages stall while segments wait");
                event(layer, host);
                NS_TEST_EXPECT_MSG_EQ(host.sent.size(), sent, "no segment is sent without room");
                host.room = 1;
                event(layer, host);
            }
            NS_TEST_EXPECT_MSG_EQ(host.sent.size(), 3, "all segments are sent");
            NS_TEST_EXPECT_MSG_EQ(layer.CanAccept(), true, "the layer accepts the next message");
            StalledLayer receiver(Clerk<REPORTS>(), LIMIT);
            Host there;
            for (const auto& [to, frame] : host.sent)
            {
                Receive(receiver, frame, there);
            }
            NS_TEST_EXPECT_MSG_EQ(there.delivered.size(), 1, "deliveries at the receiver");
        }
    }
};

/** Numbers of messages in their channel. */
class NumbersTestCase : public TestCase
{
  public:
    NumbersTestCase()
        : TestCase("numbers come round, few messages are incomplete, and old ones are forgotten")
    {
    }

  private:
    void DoRun() override
    {
        using Tag = SegmentTag<SegmentFormat>;
        auto layer = MakeLayer();
        Host host;
        Request request = MakeSized(LIMIT + 1);
        for (uint32_t i = 0; i < SegmentFormat::OPEN; ++i)
        {
            request.id = i;
            NS_TEST_ASSERT_MSG_EQ(layer.OnRequest(request, host),
                                  Acceptance::ACCEPTED,
                                  "message " << i << " is accepted");
        }
        NS_TEST_EXPECT_MSG_EQ(layer.OnRequest(request, host),
                              Acceptance::STALLED,
                              "a message stalls while the most messages allowed are incomplete");
        Request other = request;
        other.to = OTHER + 1;
        NS_TEST_EXPECT_MSG_EQ(layer.OnRequest(other, host),
                              Acceptance::ACCEPTED,
                              "another channel has numbers of its own");
        NS_TEST_EXPECT_MSG_EQ(Tag::Unpack(host.sent.back().frame.aux).number,
                              0,
                              "the first number of another channel");
        other.to = NO_PEER;
        NS_TEST_EXPECT_MSG_EQ(layer.OnRequest(other, host),
                              Acceptance::ACCEPTED,
                              "a broadcast has numbers of its own");
        for (const std::size_t segment : {2, 3})
        {
            Receive(layer, host.sent[segment].frame, host, ARRIVED);
        }
        NS_TEST_EXPECT_MSG_EQ(layer.OnRequest(request, host),
                              Acceptance::STALLED,
                              "the end of younger messages makes no room");
        for (const std::size_t segment : {0, 1})
        {
            Receive(layer, host.sent[segment].frame, host, ARRIVED);
        }
        for (uint32_t i = 0; i < 2 * Tag::NUMBERS; ++i)
        {
            NS_TEST_ASSERT_MSG_EQ(layer.OnRequest(request, host),
                                  Acceptance::ACCEPTED,
                                  "message " << i << " is accepted");
            const auto tag = Tag::Unpack(host.sent.back().frame.aux);
            NS_TEST_EXPECT_MSG_EQ(tag.number,
                                  (SegmentFormat::OPEN + i) % Tag::NUMBERS,
                                  "numbers are used in turn");
            NS_TEST_EXPECT_MSG_EQ(tag.last && tag.index == 1, true, "the last segment");
            for (std::size_t segment = 4; segment < host.sent.size(); ++segment)
            {
                const Frame frame = host.sent[segment].frame;
                if (host.sent[segment].to == OTHER)
                {
                    Receive(layer, frame, host, ARRIVED);
                }
            }
            host.sent.resize(4);
        }
        TestForgetting();
    }

    /** An incomplete message is forgotten when a number of its channel is too far from its own. */
    void TestForgetting()
    {
        using Tag = SegmentTag<SegmentFormat>;
        const auto make = [](uint32_t number, uint32_t index, bool broadcast) {
            return Frame{.contents = 1000 + number,
                         .payload = LIMIT,
                         .aux = Tag{number, index, false, broadcast}.Pack()};
        };

        /** Number and channel of a message that arrives after the first of number 3. */
        struct Row
        {
            uint32_t number; ///< Its number.
            bool broadcast;  ///< It is a broadcast.
            bool forgets;    ///< The first one is forgotten.
        };

        constexpr uint32_t OPEN = SegmentFormat::OPEN;
        const std::array<Row, 6> rows{{{3 + OPEN - 1, false, false},
                                       {3 + OPEN, false, true},
                                       {3 + OPEN, true, false},
                                       {Tag::NUMBERS + 3 - OPEN, false, true},
                                       {Tag::NUMBERS + 4 - OPEN, false, false},
                                       {4, false, false}}};
        for (const Row& row : rows)
        {
            auto layer = MakeLayer();
            Host host;
            Receive(layer, make(3, 0, false), host);
            Receive(layer, make(row.number, 0, row.broadcast), host);
            Frame last = make(3, 1, false);
            const Request request{.contents = 1003, .bytes = 2 * PART, .tag = 4};
            last.contents = GetLastContents(request);
            last.aux = Tag{3, 1, true, false}.Pack();
            Receive(layer, last, host);
            NS_TEST_EXPECT_MSG_EQ(host.delivered.size(),
                                  (row.forgets ? 0 : 1),
                                  "deliveries of number " << row.number);
        }
        // Any number of messages that never become complete need bounded memory.
        auto layer = MakeLayer();
        Host host;
        std::size_t most = 0;
        for (uint32_t i = 0; i < 4 * Tag::NUMBERS; ++i)
        {
            Receive(layer, make(i * 7 % Tag::NUMBERS, 0, false), host);
            most = std::max(most, GetState(layer).size());
        }
        NS_TEST_EXPECT_MSG_LT(most, 10 * 2 * OPEN, "words of state of the receiver at most");
    }
};

/** Broadcasts in segments. */
class BroadcastTestCase : public TestCase
{
  public:
    BroadcastTestCase()
        : TestCase("a broadcast is sent in segments, which do not mix with those to one peer")
    {
    }

  private:
    void DoRun() override
    {
        Request all = MakeSized(2 * PART);
        all.to = NO_PEER;
        Request one = MakeSized(2 * PART);
        one.contents = 777;
        const auto toAll = MakeFrames(all);
        const auto toOne = MakeFrames(one);
        auto layer = MakeLayer();
        Host host;
        for (const std::size_t i : {0, 1})
        {
            Receive(layer, toAll[i], host);
            Receive(layer, toOne[i], host);
        }
        NS_TEST_ASSERT_MSG_EQ(host.delivered.size(), 2, "deliveries of both messages");
        NS_TEST_EXPECT_MSG_EQ(host.delivered[0].contents,
                              all.contents,
                              "contents of the broadcast");
        NS_TEST_EXPECT_MSG_EQ(host.delivered[1].contents,
                              one.contents,
                              "contents of the message to one peer");
        host.room = 10;
        layer.OnRequest(all, host);
        NS_TEST_ASSERT_MSG_EQ(host.sent.size(), 2, "segments of the broadcast");
        NS_TEST_EXPECT_MSG_EQ(host.sent[1].to, NO_PEER, "the segments go to all others");
    }
};

/** The largest message. */
class LargestTestCase : public TestCase
{
  public:
    LargestTestCase()
        : TestCase("a message of more segments than there are indices is refused, with its limit")
    {
    }

  private:
    /** Indices for four segments. */
    struct Few
    {
        static constexpr uint32_t NUMBER_BITS = 2; ///< Bits of a number.
        static constexpr uint32_t INDEX_BITS = 2;  ///< Bits of an index.
        static constexpr uint32_t OPEN = 2;        ///< Incomplete messages.
    };

    void DoRun() override
    {
        using Small = SegmentingCore<Clerk<>, Few>;
        const Small small(Clerk<>(), LIMIT);
        NS_TEST_EXPECT_MSG_EQ(small.GetLargestMessage(),
                              4 * PART,
                              "the largest message of four segments");
        NS_TEST_EXPECT_MSG_EQ(MakeFrames(MakeSized(4 * PART), small).size(),
                              4,
                              "segments of the largest message");
        NS_TEST_EXPECT_MSG_EQ(MakeFrames(MakeSized(4 * PART + 1), small).size(),
                              0,
                              "a larger message is refused");
        constexpr uint32_t LARGEST = 1 << 26;
        NS_TEST_EXPECT_MSG_GT(MakeLayer().GetLargestMessage(),
                              LARGEST - 1,
                              "the largest message, 64 MiB");
        const Layer thin(Clerk<>(), SEGMENT_HEADER);
        NS_TEST_EXPECT_MSG_EQ(thin.GetLargestMessage(),
                              SEGMENT_HEADER,
                              "the largest message if frames have no room for segments");
        Host host;
        Layer again = thin;
        NS_TEST_EXPECT_MSG_EQ(
            again.OnRequest(MakeSized(SEGMENT_HEADER + 1), host),
            Acceptance::REFUSED,
            "a message that needs segments is refused if frames have no room for them");
        const Layer boundless(Clerk<>(), ~uint32_t{0});
        NS_TEST_EXPECT_MSG_EQ(boundless.GetLargestMessage(),
                              ~uint32_t{0},
                              "the largest message if the inner core has no limit");

        const auto clock = CreateObject<TickClock>();
        const auto port = Create<LoopbackPort>(clock, 2, LoopbackOptions{.mtu = LIMIT});
        const auto group = CreateObject<CoreGroup<Small, LoopbackPort>>();
        group->Connect(clock, port, [&small](Peer) { return small; });
        NS_TEST_EXPECT_MSG_EQ(group->DescribeRefusal(0, MakeSized(1000)),
                              "The protocol refuses a message of 1000 bytes from peer 0 to peer 1; "
                              "its largest message has 368 bytes.",
                              "a refusal names the limit");
        Request all = MakeSized(1);
        all.to = NO_PEER;
        NS_TEST_EXPECT_MSG_EQ(group->DescribeRefusal(1, all),
                              "The protocol refuses messages from peer 1 to all others.",
                              "a refusal names another reason");
        group->Dispose();
        Simulator::Destroy();
    }
};

/** A user that posts each message from within the completion of the one before. */
class ChainUser : public GroupUser
{
  public:
    /** @param group the group @param sizes sizes of the messages [bytes] */
    ChainUser(Ptr<MessageGroup> group, std::vector<uint32_t> sizes)
        : m_group(group),
          m_sizes(std::move(sizes))
    {
        m_group->SetUser(this);
    }

    /** Post the next messages, as far as they are accepted. */
    void Post()
    {
        while (m_next < m_sizes.size())
        {
            const uint32_t number = m_next++;
            const Request request{.id = number,
                                  .contents = 1000 + number,
                                  .to = 1,
                                  .bytes = m_sizes[number],
                                  .tag = number};
            if (m_group->Post(0, request) == Acceptance::STALLED)
            {
                --m_next;
                return;
            }
        }
    }

    void OnDeliver(Peer, const Delivery& delivery) override
    {
        delivered.push_back(delivery.bytes);
    }

    void OnComplete(Peer, RequestId, Completion) override
    {
        ++completed;
        Post();
    }

    void OnReady(Peer) override
    {
        Post();
    }

    std::vector<uint32_t> delivered; ///< Sizes of delivered messages [bytes].
    uint32_t completed{0};           ///< Number of completions.

  private:
    Ptr<MessageGroup> m_group;     ///< The group.
    std::vector<uint32_t> m_sizes; ///< Sizes of the messages [bytes].
    uint32_t m_next{0};            ///< Number of the next message.
};

/** Sizes over a port. */
class GroupTestCase : public TestCase
{
  public:
    GroupTestCase()
        : TestCase("messages of any size over a port, posted from within completions")
    {
    }

  private:
    void DoRun() override
    {
        using Core = SegmentingCore<DatagramCore>;
        const auto clock = CreateObject<TickClock>();
        const auto port = Create<LoopbackPort>(clock, 2, LoopbackOptions{.mtu = LIMIT});
        const auto group = CreateObject<CoreGroup<Core, LoopbackPort>>();
        group->Connect(clock, port, [](Peer) { return Core(DatagramCore(LIMIT), LIMIT); });
        const std::vector<uint32_t> sizes{0, 1, LIMIT, LIMIT + 1, 20000, 1 << 20, 1, 0, 5000, 300};
        ChainUser user(group, sizes);
        user.Post();
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(ListText(user.delivered),
                              ListText(sizes),
                              "all messages are delivered in order");
        NS_TEST_EXPECT_MSG_EQ(user.completed, sizes.size(), "all messages are completed");
        group->Dispose();
        Simulator::Destroy();
    }
};

/** A set of indices. */
class RangesTestCase : public TestCase
{
  public:
    RangesTestCase()
        : TestCase("a set of indices joins neighbouring ranges")
    {
    }

  private:
    void DoRun() override
    {
        std::vector<uint32_t> order(7);
        std::iota(order.begin(), order.end(), 0);
        do
        {
            IndexRanges set;
            std::vector<bool> has(order.size() + 1);
            for (const uint32_t index : order)
            {
                NS_TEST_EXPECT_MSG_EQ(set.Add(index), true, "Add of a new index");
                NS_TEST_EXPECT_MSG_EQ(set.Add(index), false, "Add of a known index");
                has[index] = true;
                std::vector<IndexRanges::Range> wanted;
                for (uint32_t i = 0; i < has.size(); ++i)
                {
                    if (has[i] && (i == 0 || !has[i - 1]))
                    {
                        wanted.push_back({i, i});
                    }
                    if (has[i])
                    {
                        wanted.back().end = i + 1;
                    }
                }
                NS_TEST_EXPECT_MSG_EQ((set.Get() == wanted),
                                      true,
                                      "the ranges join neighbouring indices");
            }
            NS_TEST_EXPECT_MSG_EQ(set.IsWhole(7), true, "indices 0 to 6 are all of seven segments");
            NS_TEST_EXPECT_MSG_EQ(set.IsWhole(6),
                                  false,
                                  "indices 0 to 6 are too many for six segments");
            NS_TEST_EXPECT_MSG_EQ(set.IsWhole(8),
                                  false,
                                  "indices 0 to 6 are too few for eight segments");
        } while (std::next_permutation(order.begin(), order.end()));
    }
};

/** Suite of the layer. */
class SegmentingTestSuite : public TestSuite
{
  public:
    SegmentingTestSuite()
        : TestSuite("messaging-segmenting", Type::UNIT)
    {
        AddTestCase(new ShortTestCase, Duration::QUICK);
        AddTestCase(new SplitTestCase, Duration::QUICK);
        AddTestCase(new OrderTestCase, Duration::QUICK);
        AddTestCase(new DamageTestCase, Duration::QUICK);
        AddTestCase(new CompletionTestCase, Duration::QUICK);
        AddTestCase(new SegmentFailureTestCase, Duration::QUICK);
        AddTestCase(new StallTestCase<true>, Duration::QUICK);
        AddTestCase(new StallTestCase<false>, Duration::QUICK);
        AddTestCase(new NumbersTestCase, Duration::QUICK);
        AddTestCase(new BroadcastTestCase, Duration::QUICK);
        AddTestCase(new LargestTestCase, Duration::QUICK);
        AddTestCase(new GroupTestCase, Duration::QUICK);
        AddTestCase(new RangesTestCase, Duration::QUICK);
    }
};

/** Registers the suite. */
SegmentingTestSuite g_segmentingTestSuite;

} // namespace
} // namespace tests
} // namespace messaging
} // namespace ns3
