/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "idempotent-core-notebook.h"

#include "ns3/messaging-search-symmetry.h"
#include "ns3/test.h"

#include <array>
#include <functional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup idempotent
 * Every state and every event of the protocol core (paper 1, section 2).
 */

namespace ns3
{
namespace idempotent
{
namespace tests
{
namespace
{

/** A named event of a core. */
struct Step
{
    std::string name;                                     ///< Name.
    std::function<void(IdempotentCore&, Notebook&)> take; ///< Applies it to a core and its host.
};

/** A state, as the steps that lead to it. */
struct State
{
    std::string name;        ///< Name.
    std::vector<Step> steps; ///< Steps from a new core.
    Ticks retention{100};    ///< Retention of records after their CONF.
};

/** What a core and its host have after an event. */
struct Outcome
{
    std::size_t delivered{0}; ///< Delivered messages.
    std::size_t completed{0}; ///< Completed requests.
    uint32_t sent{0};         ///< Entries of the send table.
    uint32_t records{0};      ///< Entries of the receive table.
};

/** Row of the table of states and events. */
struct Row
{
    State state;        ///< State before the event.
    Step event;         ///< The event.
    std::string events; ///< Frames sent and events noted, by name.
    Outcome outcome;    ///< Expected outcome.
};

/**
 * @param from sender of a frame that arrives
 * @param kind its kind
 * @param id its message ID
 * @param flags its flags
 * @return the step
 */
Step
ReceiveFrame(Peer from, PacketKind kind, uint64_t id = 0, uint8_t flags = 0)
{
    const std::string name = "frame of kind " + std::to_string(static_cast<unsigned>(kind)) +
                             ", id " + std::to_string(id) + " from " + std::to_string(from);
    return {name, [=](IdempotentCore& core, Notebook& out) {
                core.OnFrame(from, MakeFrame(kind, id, flags), out);
            }};
}

/**
 * @param kind kind of a frame of the other node that arrives
 * @param id its message ID
 * @param flags its flags
 * @return the step
 */
Step
Receive(PacketKind kind, uint64_t id = 0, uint8_t flags = 0)
{
    return ReceiveFrame(OTHER, kind, id, flags);
}

/**
 * @param timer a timer that fires
 * @return the step
 */
Step
Fire(TimerId timer)
{
    return {"timer " + std::to_string(timer),
            [=](IdempotentCore& core, Notebook& out) { core.OnTimer(timer, out); }};
}

/**
 * @param id ID of a posted request
 * @param flags its flags
 * @return the step
 */
Step
Post(messaging::RequestId id, uint8_t flags = 0)
{
    return {"request " + std::to_string(id), [=](IdempotentCore& core, Notebook& out) {
                core.OnRequest(MakeRequest(id, flags), out);
            }};
}

/** @return the step in which a drain of the network begins. */
Step
BeginDrain()
{
    return {"drain", [](IdempotentCore& core, Notebook& out) { core.StopAwaitingReplies(out); }};
}

/** @return the step in which the port becomes free. */
Step
Ready()
{
    return {"free port", [](IdempotentCore& core, Notebook& out) {
                out.busy = false;
                core.OnReady(out);
            }};
}

/** @return the step in which the port is still busy when it notifies the core. */
Step
ReadyInVain()
{
    return {"busy port", [](IdempotentCore& core, Notebook& out) { core.OnReady(out); }};
}

/** @return the step in which the port becomes busy. */
Step
Block()
{
    return {"blocked port", [](IdempotentCore&, Notebook& out) { out.busy = true; }};
}

/**
 * Make the table: every state of a message at its sender and receiver with every event, including
 * impossible ones.
 * @return its rows
 */
std::vector<Row>
MakeTable()
{
    using enum PacketKind;
    const TimerId msgTimer = IdempotentCore::MessageTimer(0);
    const TimerId ackTimer = IdempotentCore::AckTimer(OTHER, 0);
    const TimerId retentionTimer = IdempotentCore::RetentionTimer(OTHER, 0);
    const State unknown{"unknown", {}};
    const State waiting{"waiting", {Post(1)}};
    const State queued{"queued", {Block(), Post(1)}};
    const State acknowledging{"acknowledging", {Receive(MSG)}};
    const State forgetful{"acknowledging without retention", {Receive(MSG)}, 0};
    const State retained{"retained", {Receive(MSG), Receive(CONF)}};
    const State awaiting{"awaiting a reply", {Receive(MSG, 0, AWAITS_REPLY)}};
    const State unanswered{"drained while awaiting a reply",
                           {Receive(MSG, 0, AWAITS_REPLY), BeginDrain()}};
    const State ackQueued{"ACK queued", {Block(), Receive(MSG)}};

    // clang-format off
    return {
        // States at the sender of message 0.
        {unknown, Post(1), "msg-first", {.sent = 1}},
        {unknown, Receive(ACK), "conf-sent ack-forgotten", {}},
        {unknown, Fire(msgTimer), "", {}},
        {unknown, Ready(), "", {}},
        {waiting, Post(2), "post-stalled", {.sent = 1}},
        {waiting, Receive(ACK), "conf-sent ack-taken", {.completed = 1}},
        {waiting, Receive(ACK, 5), "conf-sent ack-forgotten", {.sent = 1}},
        {waiting, Fire(msgTimer), "msg-repeated", {.sent = 1}},
        {waiting, Fire(IdempotentCore::MessageTimer(9)), "", {.sent = 1}},
        {waiting, Ready(), "", {.sent = 1}},
        {queued, Post(2), "post-stalled", {.sent = 1}},
        {queued, Receive(ACK), "ack-taken", {.completed = 1}},
        {queued, Ready(), "msg-first", {.sent = 1}},
        {queued, ReadyInVain(), "msg-busy", {.sent = 1}},

        // States at the receiver of message 0 of the other node.
        {unknown, Receive(MSG), "msg-accepted ack-first", {.delivered = 1, .records = 1}},
        {unknown, Receive(CONF), "conf-forgotten", {}},
        {unknown, Fire(ackTimer), "", {}},
        {unknown, Fire(retentionTimer), "", {}},
        {acknowledging, Receive(MSG), "msg-duplicate", {.records = 1}},
        {acknowledging, Receive(MSG, 5), "msg-table-full", {.records = 1}},
        {acknowledging, Receive(CONF), "conf-taken", {.records = 1}},
        {forgetful, Receive(CONF), "conf-taken", {}},
        {acknowledging, Receive(CONF, 5), "conf-forgotten", {.records = 1}},
        {acknowledging, Fire(ackTimer), "ack-repeated", {.records = 1}},
        {acknowledging, Fire(retentionTimer), "illegal", {.records = 1}},
        {retained, Receive(MSG), "msg-duplicate", {.records = 1}},
        {retained, Receive(CONF), "conf-forgotten", {.records = 1}},
        {retained, Fire(ackTimer), "", {.records = 1}},
        {retained, Fire(retentionTimer), "record-expired", {}},
        {awaiting, Receive(MSG), "msg-duplicate", {.records = 1}},
        {awaiting, Receive(CONF), "illegal", {.records = 1}},
        {awaiting, Fire(ackTimer), "", {.records = 1}},
        {awaiting, Fire(retentionTimer), "illegal", {.records = 1}},
        {awaiting, Post(4, IS_REPLY), "reply-attached ack-first", {.records = 1}},
        {acknowledging, BeginDrain(), "", {.records = 1}},
        {retained, BeginDrain(), "", {.records = 1}},
        {awaiting, BeginDrain(), "ack-first", {.records = 1}},
        {unanswered, Receive(CONF), "conf-taken", {.records = 1}},
        {unanswered, Fire(ackTimer), "ack-repeated", {.records = 1}},
        {unanswered, Post(4, IS_REPLY), "msg-first", {.sent = 1, .records = 1}},
        {ackQueued, Ready(), "ack-first", {.records = 1}},
        {ackQueued, Receive(CONF), "conf-taken", {.records = 1}},

        // Frames that no node sends.
        {unknown, ReceiveFrame(OTHER, static_cast<PacketKind>(0)), "illegal", {}},
        {unknown, ReceiveFrame(OTHER, static_cast<PacketKind>(9)), "illegal", {}},
        {unknown, ReceiveFrame(SELF, MSG), "illegal", {}},
        {unknown, ReceiveFrame(1U << NODE_BITS, ACK), "illegal", {}},
    };
    // clang-format on
}

/** The table of states and events: a core in each state takes the event, and is compared. */
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
        for (const Row& row : MakeTable())
        {
            Check(row);
        }
    }

    /**
     * Bring a core into a state, apply an event, and compare.
     * @param row the row of the table
     */
    void Check(const Row& row)
    {
        IdempotentConfig config;
        config.sendTable = 1;
        config.receiveTable = 1;
        config.piggybackReply = true;
        config.retention = row.state.retention;
        IdempotentCore core(config, SELF);
        Notebook before;
        for (const Step& step : row.state.steps)
        {
            step.take(core, before);
        }
        Notebook out;
        out.busy = before.busy;
        row.event.take(core, out);
        const std::string where = row.state.name + ", " + row.event.name;
        const std::string events = row.events.empty() ? "" : " " + row.events;
        NS_TEST_EXPECT_MSG_EQ(out.log, events, where << ": events");
        NS_TEST_EXPECT_MSG_EQ(out.delivered.size(), row.outcome.delivered, where << ": deliveries");
        NS_TEST_EXPECT_MSG_EQ(out.completed.size(),
                              row.outcome.completed,
                              where << ": completions");
        NS_TEST_EXPECT_MSG_EQ(core.GetNSent(), row.outcome.sent, where << ": send table");
        NS_TEST_EXPECT_MSG_EQ(core.GetNRecords(), row.outcome.records, where << ": receive table");
    }
};

/** A search distinguishes cores by the IDs that they have left. */
class OutlineTestCase : public TestCase
{
  public:
    OutlineTestCase()
        : TestCase("The outline of a core has its next ID, up to the last thousand")
    {
    }

  private:
    void DoRun() override
    {
        for (const auto& [bits, distinct] : {std::pair<uint8_t, bool>{4, true}, {16, false}})
        {
            IdempotentConfig config;
            config.nodes = 8;
            config.idBits = bits;
            messaging::Symmetry symmetry({}, config.nodes, false);
            std::array<uint64_t, 2> words{};
            for (const uint32_t posted : {0, 1})
            {
                IdempotentCore core(config, SELF);
                Notebook out;
                if (posted)
                {
                    core.OnRequest(MakeRequest(1), out);
                }
                messaging::Outline outline(symmetry);
                core.Encode(outline);
                // The ID is in the words before the first set.
                words[posted] = outline.Take().at(0).word;
            }
            NS_TEST_EXPECT_MSG_EQ((words[0] != words[1]), distinct, "of " << +bits << " bits");
        }
    }
};

/** The declaration of the state also prints it. */
class CorePrintTestCase : public TestCase
{
  public:
    CorePrintTestCase()
        : TestCase("A core prints its state with the names of its parts")
    {
    }

  private:
    void DoRun() override
    {
        IdempotentConfig config;
        config.nodes = 8;
        IdempotentCore core(config, SELF);
        Notebook out;
        core.OnRequest(MakeRequest(1), out);
        std::ostringstream text;
        text << messaging::StateOf{core};
        NS_TEST_EXPECT_MSG_EQ(text.str().starts_with("next id 1, send table {id 0, bytes "),
                              true,
                              text.str());
        NS_TEST_EXPECT_MSG_EQ(text.str().ends_with("}, receive table {}, replies {}"),
                              true,
                              text.str());
    }
};

/** Every state and every event. */
class CoreStatesTestSuite : public TestSuite
{
  public:
    CoreStatesTestSuite()
        : TestSuite("idempotent-core-states", Type::UNIT)
    {
        AddTestCase(new EveryStateTestCase, TestCase::Duration::QUICK);
        AddTestCase(new OutlineTestCase, TestCase::Duration::QUICK);
        AddTestCase(new CorePrintTestCase, TestCase::Duration::QUICK);
    }
};

CoreStatesTestSuite g_coreStatesTestSuite; ///< The suite.

} // namespace
} // namespace tests
} // namespace idempotent
} // namespace ns3
