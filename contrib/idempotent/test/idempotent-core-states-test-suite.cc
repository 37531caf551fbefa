/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "idempotent-core-notebook.h"

#include "ns3/messaging-search-symmetry.h"
#include "ns3/test.h"

#include <array>
#include <functional>
#include <utility>

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

/** Applies an event to a core. */
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
        core.OnFrame(OTHER, MakeFrame(kind, id, flags), out);
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
 * @param id ID of a posted request
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

/** @return the step in which the port is still busy. */
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
 * Every state of a message at its sender and receiver, with every event, including impossible ones:
 * frames sent, events noted, messages delivered, requests completed, and the table sizes
 * afterwards.
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

        // States at the sender of message 0.
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

        // States at the receiver of message 0 of the other node.
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

        // Frames that no node sends.
        const auto receive = [](Peer from, const Frame& frame) {
            return [=](IdempotentCore& core, Notebook& out) { core.OnFrame(from, frame, out); };
        };
        Look(config,
             "any",
             forgotten,
             receive(OTHER, MakeFrame(static_cast<PacketKind>(0), 0)),
             " illegal",
             0,
             0,
             0,
             0);
        Look(config,
             "any",
             forgotten,
             receive(OTHER, MakeFrame(static_cast<PacketKind>(9), 0)),
             " illegal",
             0,
             0,
             0,
             0);
        Look(config,
             "any",
             forgotten,
             receive(SELF, MakeFrame(PacketKind::MSG, 0)),
             " illegal",
             0,
             0,
             0,
             0);
        Look(config,
             "any",
             forgotten,
             receive(1U << NODE_BITS, MakeFrame(PacketKind::ACK, 0)),
             " illegal",
             0,
             0,
             0,
             0);
    }

    /**
     * Bring a core into a state, apply an event, and compare.
     * @param config parameters of the core
     * @param state name of the state
     * @param before steps to the state
     * @param event the event
     * @param events expected events, each after a blank
     * @param delivered expected number of delivered messages
     * @param completed expected number of completed requests
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
        NS_TEST_EXPECT_MSG_EQ(now.log, events, where);
        NS_TEST_EXPECT_MSG_EQ(now.delivered.size(), delivered, where << ": deliveries");
        NS_TEST_EXPECT_MSG_EQ(now.completed.size(), completed, where << ": completions");
        NS_TEST_EXPECT_MSG_EQ(core.GetNSent(), sent, where << ": send table");
        NS_TEST_EXPECT_MSG_EQ(core.GetNRecords(), records, where << ": receive table");
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
                core.Draw(outline);
                // The ID is in the words before the first set.
                words[posted] = outline.Take().at(0).word;
            }
            NS_TEST_EXPECT_MSG_EQ((words[0] != words[1]), distinct, "of " << +bits << " bits");
        }
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
    }
};

CoreStatesTestSuite g_coreStatesTestSuite; ///< The suite.

} // namespace
} // namespace tests
} // namespace idempotent
} // namespace ns3
