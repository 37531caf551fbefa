/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/idempotent-core.h"
#include "ns3/string.h"
#include "ns3/test.h"

#include <functional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup idempotent
 * The protocol core on its own: every state and every event, and the rules of paper 1, section 2.
 */

namespace ns3
{
namespace idempotent
{
namespace tests
{
namespace
{

using messaging::Acceptance;
using messaging::Frame;
using messaging::Peer;
using messaging::Request;
using messaging::Ticks;
using messaging::TimerId;

constexpr Peer SELF = 3;        ///< The node under test.
constexpr Peer OTHER = 7;       ///< Another node.
constexpr Ticks DISTANCE = 10;  ///< Distance of any two nodes.
constexpr uint32_t PAYLOAD = 8; ///< Payload of a message [bytes].

/** Writes down what a core wants done; an Actions. */
struct Notebook
{
    std::vector<std::pair<Peer, Frame>> sent;     ///< Frames.
    std::vector<std::pair<TimerId, Ticks>> armed; ///< Timers.
    std::vector<messaging::Delivery> delivered;   ///< Messages.
    std::vector<messaging::RequestId> completed;  ///< Ended requests.
    std::string events;                           ///< Names of events, each after a blank.
    bool busy{false};                             ///< The port is busy.

    /** @param to receiver @param frame frame @return false if busy */
    bool Send(Peer to, const Frame& frame)
    {
        if (!busy)
        {
            sent.emplace_back(to, frame);
        }
        return !busy;
    }

    /** @return distance of any two nodes. */
    Ticks Distance(Peer) const
    {
        return DISTANCE;
    }

    /** @param frame a frame @return flits of 32 bits, with a checksum flit. */
    Ticks WireTicks(const Frame& frame) const
    {
        return (frame.header + frame.payload) / 4 + 1;
    }

    /** @param timer which @param delay from now */
    void Arm(TimerId timer, Ticks delay)
    {
        armed.emplace_back(timer, delay);
    }

    /** Nothing to do. */
    void Cancel(TimerId)
    {
    }

    /** No work is asked for. */
    void Do(const messaging::Work&)
    {
    }

    /** @param delivery the message */
    void Deliver(const messaging::Delivery& delivery)
    {
        delivered.push_back(delivery);
    }

    /** @param id the request */
    void Complete(messaging::RequestId id, messaging::Completion)
    {
        completed.push_back(id);
    }

    /** @param reason the event */
    void Note(messaging::Reason reason)
    {
        std::ostringstream name;
        name << " " << static_cast<Event>(reason);
        events += name.str();
    }
};

static_assert(messaging::Actions<Notebook>);
static_assert(messaging::ProtocolCore<IdempotentCore, Notebook>);

/**
 * Make a packet.
 * @param kind its type
 * @param id its message ID
 * @param source who sends it
 * @param flags its flags
 * @return the packet
 */
Frame
MakeFrame(PacketKind kind, uint64_t id, Peer source = OTHER, uint8_t flags = 0)
{
    Frame frame;
    frame.kind = static_cast<uint8_t>(kind);
    frame.id = id;
    frame.source = source;
    frame.payload = kind == PacketKind::MSG ? PAYLOAD : 0;
    frame.header = ACK_BYTES;
    frame.flags = flags;
    return frame;
}

/**
 * Make a request.
 * @param id its name
 * @param flags its flags
 * @return the request
 */
Request
MakeRequest(messaging::RequestId id, uint8_t flags = 0)
{
    Request request;
    request.id = id;
    request.contents = id;
    request.to = OTHER;
    request.bytes = PAYLOAD;
    request.flags = flags;
    return request;
}

/** Has a core go through something. */
using Step = std::function<void(IdempotentCore&, Notebook&)>;

/**
 * @param kind type of a packet that arrives
 * @param id its message ID
 * @param flags its flags
 * @return the step
 */
Step
Receive(PacketKind kind, uint64_t id = 0, uint8_t flags = 0)
{
    return [=](IdempotentCore& core, Notebook& out) {
        core.OnFrame(OTHER, MakeFrame(kind, id, OTHER, flags), out);
    };
}

/**
 * @param timer a timer that fires
 * @return the step
 */
Step
Fire(TimerId timer)
{
    return [=](IdempotentCore& core, Notebook& out) { core.OnTimer(timer, out); };
}

/**
 * @param id name of a request that is posted
 * @param flags its flags
 * @return the step
 */
Step
Post(messaging::RequestId id, uint8_t flags = 0)
{
    return
        [=](IdempotentCore& core, Notebook& out) { core.OnRequest(MakeRequest(id, flags), out); };
}

/** @return the step in which the port becomes free. */
Step
Ready()
{
    return [](IdempotentCore& core, Notebook& out) {
        out.busy = false;
        core.OnReady(out);
    };
}

/** @return the step in which the port turns out to be busy still. */
Step
ReadyInVain()
{
    return [](IdempotentCore& core, Notebook& out) { core.OnReady(out); };
}

/** @return the step in which the port becomes busy. */
Step
Block()
{
    return [](IdempotentCore&, Notebook& out) { out.busy = true; };
}

/**
 * Every state of a message at its sender and at its receiver, and every event in it, the impossible
 * ones included: what is sent and noted, what is delivered and completed, and how many entries the
 * tables have afterwards.
 */
class EveryStateTestCase : public TestCase
{
  public:
    EveryStateTestCase()
        : TestCase("Every state and every event (E-02, E-03, E-04, E-11, E-12)")
    {
    }

  private:
    void DoRun() override
    {
        IdempotentConfig config;
        config.sendTable = 1;
        config.receiveTable = 1;
        config.sourceBusy = SourceBusy::WAIT;
        config.piggybackReply = true;
        config.retention = 100;
        IdempotentConfig forgetful = config;
        forgetful.retention = 0;

        const TimerId msgTimer = IdempotentCore::MessageTimer(0);
        const TimerId ackTimer = IdempotentCore::AckTimer(OTHER, 0);
        const TimerId retentionTimer = IdempotentCore::RetentionTimer(OTHER, 0);
        const std::vector<Step> forgotten{};
        const std::vector<Step> waiting{Post(1)};
        const std::vector<Step> queued{Block(), Post(1)};
        const std::vector<Step> acknowledging{Receive(PacketKind::MSG)};
        const std::vector<Step> retained{Receive(PacketKind::MSG), Receive(PacketKind::CONF)};
        const std::vector<Step> awaiting{Receive(PacketKind::MSG, 0, AWAITS_REPLY)};
        const std::vector<Step> ackQueued{Block(), Receive(PacketKind::MSG)};

        // At the sender of message 0.
        Look(config, "forgotten", forgotten, Post(1), " msg-first", 0, 0, 1, 0);
        Look(config,
             "forgotten",
             forgotten,
             Receive(PacketKind::ACK),
             " conf-sent ack-forgotten",
             0,
             0,
             0,
             0);
        Look(config, "forgotten", forgotten, Fire(msgTimer), "", 0, 0, 0, 0);
        Look(config, "forgotten", forgotten, Ready(), "", 0, 0, 0, 0);
        Look(config, "waiting", waiting, Post(2), " post-stalled", 0, 0, 1, 0);
        Look(config,
             "waiting",
             waiting,
             Receive(PacketKind::ACK),
             " conf-sent ack-taken",
             0,
             1,
             0,
             0);
        Look(config,
             "waiting",
             waiting,
             Receive(PacketKind::ACK, 5),
             " conf-sent ack-forgotten",
             0,
             0,
             1,
             0);
        Look(config, "waiting", waiting, Fire(msgTimer), " msg-repeated", 0, 0, 1, 0);
        Look(config, "waiting", waiting, Fire(IdempotentCore::MessageTimer(9)), "", 0, 0, 1, 0);
        Look(config, "waiting", waiting, Ready(), "", 0, 0, 1, 0);
        Look(config, "queued", queued, Post(2), " post-stalled", 0, 0, 1, 0);
        Look(config, "queued", queued, Receive(PacketKind::ACK), " ack-taken", 0, 1, 0, 0);
        Look(config, "queued", queued, Ready(), " msg-first", 0, 0, 1, 0);
        Look(config, "queued", queued, ReadyInVain(), " msg-busy", 0, 0, 1, 0);

        // At the receiver of message 0 of the other node.
        Look(config,
             "absent",
             forgotten,
             Receive(PacketKind::MSG),
             " msg-accepted ack-first",
             1,
             0,
             0,
             1);
        Look(config, "absent", forgotten, Receive(PacketKind::CONF), " conf-forgotten", 0, 0, 0, 0);
        Look(config, "absent", forgotten, Fire(ackTimer), "", 0, 0, 0, 0);
        Look(config, "absent", forgotten, Fire(retentionTimer), "", 0, 0, 0, 0);
        Look(config,
             "acknowledging",
             acknowledging,
             Receive(PacketKind::MSG),
             " msg-duplicate",
             0,
             0,
             0,
             1);
        Look(config,
             "acknowledging",
             acknowledging,
             Receive(PacketKind::MSG, 5),
             " msg-table-full",
             0,
             0,
             0,
             1);
        Look(config,
             "acknowledging",
             acknowledging,
             Receive(PacketKind::CONF),
             " conf-taken",
             0,
             0,
             0,
             1);
        Look(forgetful,
             "acknowledging",
             acknowledging,
             Receive(PacketKind::CONF),
             " conf-taken",
             0,
             0,
             0,
             0);
        Look(config,
             "acknowledging",
             acknowledging,
             Receive(PacketKind::CONF, 5),
             " conf-forgotten",
             0,
             0,
             0,
             1);
        Look(config, "acknowledging", acknowledging, Fire(ackTimer), " ack-repeated", 0, 0, 0, 1);
        Look(config, "acknowledging", acknowledging, Fire(retentionTimer), " illegal", 0, 0, 0, 1);
        Look(config, "retained", retained, Receive(PacketKind::MSG), " msg-duplicate", 0, 0, 0, 1);
        Look(config,
             "retained",
             retained,
             Receive(PacketKind::CONF),
             " conf-forgotten",
             0,
             0,
             0,
             1);
        Look(config, "retained", retained, Fire(ackTimer), "", 0, 0, 0, 1);
        Look(config, "retained", retained, Fire(retentionTimer), " record-expired", 0, 0, 0, 0);
        Look(config, "awaiting", awaiting, Receive(PacketKind::MSG), " msg-duplicate", 0, 0, 0, 1);
        Look(config, "awaiting", awaiting, Receive(PacketKind::CONF), " illegal", 0, 0, 0, 1);
        Look(config, "awaiting", awaiting, Fire(ackTimer), "", 0, 0, 0, 1);
        Look(config, "awaiting", awaiting, Fire(retentionTimer), " illegal", 0, 0, 0, 1);
        Look(config,
             "awaiting",
             awaiting,
             Post(4, IS_REPLY),
             " reply-attached ack-first",
             0,
             0,
             0,
             1);
        Look(config, "ACK queued", ackQueued, Ready(), " ack-first", 0, 0, 0, 1);
        Look(config, "ACK queued", ackQueued, Receive(PacketKind::CONF), " conf-taken", 0, 0, 0, 1);

        // What no node sends.
        const auto receive = [](const Frame& frame) {
            return [=](IdempotentCore& core, Notebook& out) { core.OnFrame(OTHER, frame, out); };
        };
        Look(config,
             "any",
             forgotten,
             receive(MakeFrame(static_cast<PacketKind>(0), 0)),
             " illegal",
             0,
             0,
             0,
             0);
        Look(config,
             "any",
             forgotten,
             receive(MakeFrame(static_cast<PacketKind>(9), 0)),
             " illegal",
             0,
             0,
             0,
             0);
        Look(config,
             "any",
             forgotten,
             receive(MakeFrame(PacketKind::MSG, 0, SELF)),
             " illegal",
             0,
             0,
             0,
             0);
        Look(config,
             "any",
             forgotten,
             receive(MakeFrame(PacketKind::ACK, 0, 1U << NODE_BITS)),
             " illegal",
             0,
             0,
             0,
             0);
    }

    /**
     * Bring a core into a state, let an event happen, and compare.
     * @param config of the core
     * @param state name of the state
     * @param before how it is reached
     * @param event what happens
     * @param events expected, each after a blank
     * @param delivered messages expected to be delivered
     * @param completed requests expected to end
     * @param sent expected entries of the send table
     * @param records expected entries of the receive table
     */
    void Look(const IdempotentConfig& config,
              const std::string& state,
              const std::vector<Step>& before,
              const Step& event,
              const std::string& events,
              std::size_t delivered,
              std::size_t completed,
              uint32_t sent,
              uint32_t records)
    {
        IdempotentCore core(config, SELF);
        Notebook out;
        for (const auto& step : before)
        {
            step(core, out);
        }
        Notebook now;
        now.busy = out.busy;
        event(core, now);
        const std::string where = "in state " + state + ", expecting" + events;
        NS_TEST_EXPECT_MSG_EQ(now.events, events, where);
        NS_TEST_EXPECT_MSG_EQ(now.delivered.size(), delivered, where << ": deliveries");
        NS_TEST_EXPECT_MSG_EQ(now.completed.size(), completed, where << ": completions");
        NS_TEST_EXPECT_MSG_EQ(core.GetNSent(), sent, where << ": send table");
        NS_TEST_EXPECT_MSG_EQ(core.GetNRecords(), records, where << ": receive table");
    }
};

/** The three packets and what they carry (E-01, E-04, E-06). */
class PacketsTestCase : public TestCase
{
  public:
    PacketsTestCase()
        : TestCase("MSG, ACK, CONF and their fields (E-01, E-04, E-06)")
    {
    }

  private:
    void DoRun() override
    {
        IdempotentConfig config;
        IdempotentCore sender(config, SELF);
        IdempotentCore receiver(config, OTHER);
        Notebook out;
        sender.OnRequest(MakeRequest(42), out);
        NS_TEST_ASSERT_MSG_EQ(out.sent.size(), 1, "E-01: one MSG");
        const Frame msg = out.sent[0].second;
        NS_TEST_EXPECT_MSG_EQ(msg.kind, static_cast<uint8_t>(PacketKind::MSG), "E-01: a MSG");
        receiver.OnFrame(SELF, msg, out);
        NS_TEST_ASSERT_MSG_EQ(out.sent.size(), 2, "E-01: one ACK");
        const Frame ack = out.sent[1].second;
        NS_TEST_EXPECT_MSG_EQ(ack.kind, static_cast<uint8_t>(PacketKind::ACK), "E-01: an ACK");
        NS_TEST_EXPECT_MSG_EQ(ack.source, OTHER, "E-04: the ACK carries its source");
        NS_TEST_EXPECT_MSG_EQ(ack.id, msg.id, "E-06: the ACK carries the message ID");
        NS_TEST_EXPECT_MSG_EQ(ack.header + ack.payload, 12, "E-08: an ACK has 96 bits");
        NS_TEST_EXPECT_MSG_EQ(out.WireTicks(ack), 4, "E-22: an ACK has four flits");
        for (const char* which : {"first", "second"})
        {
            sender.OnFrame(OTHER, ack, out);
            const auto& [to, conf] = out.sent.back();
            NS_TEST_EXPECT_MSG_EQ(conf.kind,
                                  static_cast<uint8_t>(PacketKind::CONF),
                                  "E-04: the " << which << " ACK is answered by a CONF");
            NS_TEST_EXPECT_MSG_EQ(to, OTHER, "E-04: to the ACK's source");
            NS_TEST_EXPECT_MSG_EQ(conf.id, msg.id, "E-06: the CONF carries the message ID");
            NS_TEST_EXPECT_MSG_EQ(conf.source, SELF, "E-06: and its source");
            NS_TEST_EXPECT_MSG_EQ(out.WireTicks(conf), 4, "E-22: a CONF has four flits");
        }
        NS_TEST_EXPECT_MSG_EQ(out.completed.size(), 1, "E-02: the sender forgets the message once");
        // The receiver's key is source and ID together.
        receiver.OnFrame(5, MakeFrame(PacketKind::MSG, msg.id, 5), out);
        NS_TEST_EXPECT_MSG_EQ(out.delivered.size(), 2, "E-06: same ID, other source");
        receiver.OnFrame(5, MakeFrame(PacketKind::CONF, msg.id, 5), out);
        NS_TEST_EXPECT_MSG_EQ(receiver.GetNRecords(), 1, "E-06: one of the two is forgotten");
        receiver.OnFrame(SELF, msg, out);
        NS_TEST_EXPECT_MSG_EQ(out.delivered.size(), 2, "E-03: the other one is remembered");
        // IDs that differ in the bits that a timer does not carry.
        const uint64_t far = msg.id + (uint64_t{1} << 50);
        receiver.OnFrame(SELF, MakeFrame(PacketKind::MSG, far, SELF), out);
        NS_TEST_EXPECT_MSG_EQ(out.delivered.size(), 3, "E-06: all 54 bits of an ID count");
    }
};

/** When packets are repeated (E-02, E-03, E-23, E-24). */
class RetransmissionTestCase : public TestCase
{
  public:
    RetransmissionTestCase()
        : TestCase("Times of retransmission (E-02, E-03, E-23, E-24)")
    {
    }

  private:
    void DoRun() override
    {
        for (const uint32_t first : {0U, 1U})
        {
            IdempotentConfig config;
            config.backoff = CreateObject<QuadraticBackoff>()->MakeTable();
            config.firstAttempt = first;
            IdempotentCore sender(config, SELF);
            IdempotentCore receiver(config, OTHER);
            Notebook out;
            sender.OnRequest(MakeRequest(1), out);
            receiver.OnFrame(SELF, out.sent[0].second, out);
            // size + 2 distance + ACK_SIZE; a message of 20 bytes has 6 flits.
            const Ticks msgWait = 6 + 2 * DISTANCE + 4;
            const Ticks ackWait = 4 + 2 * DISTANCE + 4;
            for (Ticks n = first; n < first + 5; ++n)
            {
                const auto [msgTimer, msgDelay] = out.armed[out.armed.size() - 2];
                const auto [ackTimer, ackDelay] = out.armed[out.armed.size() - 1];
                NS_TEST_EXPECT_MSG_EQ(msgDelay, msgWait + 3 * n * n, "E-23: MSG, n = " << n);
                NS_TEST_EXPECT_MSG_EQ(ackDelay, ackWait + 3 * n * n, "E-23: ACK, n = " << n);
                sender.OnTimer(msgTimer, out);
                receiver.OnTimer(ackTimer, out);
            }
            NS_TEST_EXPECT_MSG_EQ(out.sent.size(), 12, "E-02, E-03: each packet six times");
        }
        Expect(CreateObject<ConstantBackoff>(), {3, 3, 3, 3, 3}, "C");
        Expect(CreateObject<LinearBackoff>(), {0, 3, 6, 9, 12}, "C n");
        Expect(CreateObject<QuadraticBackoff>(), {0, 3, 12, 27, 48}, "C n^2");
        Expect(CreateObject<ExponentialBackoff>(), {3, 6, 12, 24, 48}, "C 2^n");
        const auto table = CreateObject<TableBackoff>();
        table->SetAttribute("Values", StringValue("5, 4 1"));
        Expect(table, {5, 4, 1, 1, 1}, "a table");
        for (const char* wrong : {"", "1 x", "-3", "1.5"})
        {
            table->SetAttribute("Values", StringValue(wrong));
            NS_TEST_EXPECT_MSG_EQ(table->Check().empty(), false, "No table: " << wrong);
        }
        const auto quadratic = CreateObject<QuadraticBackoff>()->MakeTable();
        NS_TEST_EXPECT_MSG_GT(quadratic.Get(1000, 0), quadratic.Get(999, 0), "Past the table");
        const auto exponential = CreateObject<ExponentialBackoff>()->MakeTable();
        NS_TEST_EXPECT_MSG_EQ(exponential.Get(60000, 0),
                              BackoffPolicy::LONGEST,
                              "E-24: it saturates");
        const auto congestion = CreateObject<CongestionBackoff>()->MakeTable();
        NS_TEST_EXPECT_MSG_EQ(congestion.Get(2, 0), 6, "A calm node waits C n");
        NS_TEST_EXPECT_MSG_EQ(congestion.Get(2, 65535), 95, "A congested one nearly 16 C n");
    }

    /**
     * Compare a policy with expected values.
     * @param policy the policy
     * @param values backoff after 0, 1, ... attempts
     * @param name of the policy
     */
    void Expect(Ptr<BackoffPolicy> policy, const std::vector<Ticks>& values, const char* name)
    {
        const BackoffTable table = policy->MakeTable();
        for (uint32_t n = 0; n < values.size(); ++n)
        {
            NS_TEST_EXPECT_MSG_EQ(table.Get(n, 0), values[n], "E-24: " << name << ", n = " << n);
        }
    }
};

/** Tables of limited size, options and estimates (E-12). */
class TablesTestCase : public TestCase
{
  public:
    TablesTestCase()
        : TestCase("Full tables, options, estimate of congestion (E-12)")
    {
    }

  private:
    void DoRun() override
    {
        IdempotentConfig config;
        config.sendTable = 3;
        config.receiveTable = 2;
        config.immediateAck = true;
        config.mtu = 64;
        config.backoff = CreateObject<CongestionBackoff>()->MakeTable();
        IdempotentCore core(config, SELF);
        Notebook out;
        for (uint64_t i = 0; i < 3; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(core.OnRequest(MakeRequest(i), out),
                                  Acceptance::ACCEPTED,
                                  "E-12");
        }
        NS_TEST_EXPECT_MSG_EQ(core.CanAccept(), false, "E-12: the send table is full");
        NS_TEST_EXPECT_MSG_EQ(core.OnRequest(MakeRequest(3), out), Acceptance::STALLED, "E-12");
        core.OnFrame(OTHER, MakeFrame(PacketKind::ACK, 1), out);
        NS_TEST_EXPECT_MSG_EQ(core.OnRequest(MakeRequest(3), out), Acceptance::ACCEPTED, "E-12");
        for (uint64_t i = 0; i < 3; ++i)
        {
            core.OnFrame(OTHER, MakeFrame(PacketKind::MSG, 100 + i), out);
        }
        NS_TEST_EXPECT_MSG_EQ(out.delivered.size(), 2, "E-12: the third new message is dropped");
        const auto sent = out.sent.size();
        const auto armed = out.armed.size();
        core.OnFrame(OTHER, MakeFrame(PacketKind::MSG, 100), out);
        NS_TEST_EXPECT_MSG_EQ(out.sent.size(), sent + 1, "ImmediateAck answers a duplicate");
        NS_TEST_EXPECT_MSG_EQ(out.armed.size(), armed, "and leaves the ACK's timer alone");
        core.OnTimer(IdempotentCore::AckTimer(OTHER, 101), out);
        NS_TEST_EXPECT_MSG_EQ(out.sent.size(), sent + 2, "A full table goes on acknowledging");
        NS_TEST_EXPECT_MSG_GT(core.GetCongestion(), 0, "A time-out is a sign of congestion");
        Request large = MakeRequest(9);
        large.bytes = 53;
        NS_TEST_EXPECT_MSG_EQ(core.OnRequest(large, out),
                              Acceptance::REFUSED,
                              "Longer than the MTU");
        large = MakeRequest(9);
        large.to = config.nodes;
        NS_TEST_EXPECT_MSG_EQ(core.OnRequest(large, out), Acceptance::REFUSED, "No such node");
        large.to = SELF;
        NS_TEST_EXPECT_MSG_EQ(core.OnRequest(large, out), Acceptance::ACCEPTED, "To itself");
        NS_TEST_EXPECT_MSG_EQ(out.delivered.size(), 3, "is delivered at once");
    }
};

/** A core is a value: copies are equal and go on alike; IDs run out and are renewed. */
class ValueTestCase : public TestCase
{
  public:
    ValueTestCase()
        : TestCase("Copies, canonical form, exhausted IDs (E-08)")
    {
    }

  private:
    void DoRun() override
    {
        IdempotentConfig config;
        config.idBits = 2;
        IdempotentCore core(config, SELF);
        Notebook out;
        for (uint64_t i = 0; i < 4; ++i)
        {
            core.OnRequest(MakeRequest(i), out);
        }
        IdempotentCore copy = core;
        NS_TEST_EXPECT_MSG_EQ((copy == core), true, "A copy is equal");
        NS_TEST_EXPECT_MSG_EQ(core.NeedsDrain(), true, "E-08: all IDs are used");
        NS_TEST_EXPECT_MSG_EQ(core.OnRequest(MakeRequest(4), out), Acceptance::STALLED, "E-08");
        for (const uint64_t id : {0, 2, 1, 3})
        {
            core.OnFrame(OTHER, MakeFrame(PacketKind::ACK, id), out);
        }
        NS_TEST_EXPECT_MSG_EQ((copy == core), false, "The copy is its own");
        NS_TEST_EXPECT_MSG_EQ(core.IsIdle(), true, "E-08: drained");
        NS_TEST_EXPECT_MSG_EQ(core.OnRequest(MakeRequest(4), out), Acceptance::STALLED, "E-08");
        core.Renew();
        NS_TEST_EXPECT_MSG_EQ(core.OnRequest(MakeRequest(4), out), Acceptance::ACCEPTED, "E-08");
        // The same entries in another order are the same state.
        for (const uint64_t id : {1, 3})
        {
            copy.OnFrame(OTHER, MakeFrame(PacketKind::ACK, id), out);
        }
        IdempotentCore other(config, SELF);
        for (uint64_t i = 0; i < 4; ++i)
        {
            other.OnRequest(MakeRequest(i), out);
        }
        for (const uint64_t id : {3, 1})
        {
            other.OnFrame(OTHER, MakeFrame(PacketKind::ACK, id), out);
        }
        messaging::Encoder a;
        messaging::Encoder b;
        copy.Encode(a);
        other.Encode(b);
        NS_TEST_EXPECT_MSG_EQ((a.GetWords() == b.GetWords()), true, "The canonical form");
    }
};

/** The core on its own. */
class CoreTestSuite : public TestSuite
{
  public:
    CoreTestSuite()
        : TestSuite("idempotent-core", Type::UNIT)
    {
        AddTestCase(new EveryStateTestCase, TestCase::Duration::QUICK);
        AddTestCase(new PacketsTestCase, TestCase::Duration::QUICK);
        AddTestCase(new RetransmissionTestCase, TestCase::Duration::QUICK);
        AddTestCase(new TablesTestCase, TestCase::Duration::QUICK);
        AddTestCase(new ValueTestCase, TestCase::Duration::QUICK);
    }
};

CoreTestSuite g_coreTestSuite; ///< The suite.

} // namespace
} // namespace tests
} // namespace idempotent
} // namespace ns3
