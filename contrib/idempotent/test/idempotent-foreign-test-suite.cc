/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "idempotent-core-notebook.h"

#include "ns3/messaging-scripted-host.h"
#include "ns3/test.h"

#include <random>

/**
 * @file
 * @ingroup idempotent
 * Packets that no node of the group has sent: which of them are refused, and which are trusted.
 */

namespace ns3
{
namespace idempotent
{
namespace tests
{
namespace
{

using messaging::Refuses;

/** Random foreign packets. */
class ForeignPacketsTestCase : public TestCase
{
  public:
    ForeignPacketsTestCase()
        : TestCase("packets that no node can have sent change nothing")
    {
    }

  private:
    void DoRun() override
    {
        IdempotentConfig config;
        config.nodes = 9;
        config.mtu = 100;
        config.idBits = 20;
        Notebook out;
        IdempotentCore core(config, SELF);
        core.OnRequest(MakeRequest(42), out);
        const Frame own = out.sent[0].frame;
        core.OnFrame(OTHER, MakeFrame(PacketKind::MSG, 5), out);
        std::mt19937_64 random(1);
        const auto below = [&](uint64_t limit) { return random() % limit; };
        for (int i = 0; i < 5000; ++i)
        {
            const auto kind = static_cast<PacketKind>(1 + below(3));
            Frame frame = MakeFrame(kind, below(8));
            frame.contents = random();
            frame.flags = static_cast<uint8_t>(random());
            Peer from = OTHER;
            switch (i % 5)
            {
            case 0:
                from = config.nodes + static_cast<Peer>(random() >> 40);
                break;
            case 1:
                from = SELF;
                break;
            case 2:
                frame.kind = static_cast<uint8_t>(4 + below(252));
                break;
            case 3:
                frame.id |= uint64_t{1} << (config.idBits + below(64 - config.idBits));
                break;
            case 4:
                frame.payload = config.mtu - frame.header + 1 + static_cast<uint32_t>(below(1000));
                break;
            }
            NS_TEST_ASSERT_MSG_EQ(Refuses<Notebook>(core, from, frame), true, "packet " << i);
        }
        const auto beyond = MakeFrame(PacketKind::MSG, 7);
        NS_TEST_EXPECT_MSG_EQ(Refuses<Notebook>(core, config.nodes, beyond), true, "no such node");
        for (Peer from = 0; from < config.nodes; ++from)
        {
            const bool right = from == OTHER;
            const auto ack = MakeFrame(PacketKind::ACK, own.id);
            const auto conf = MakeFrame(PacketKind::CONF, 5);
            NS_TEST_EXPECT_MSG_EQ(Refuses<Notebook>(core, from, ack), !right, "ACK " << from);
            NS_TEST_EXPECT_MSG_EQ(Refuses<Notebook>(core, from, conf), !right, "CONF " << from);
        }
        constexpr uint8_t HAS_REPLY = 0x80;
        const auto reply = MakeFrame(PacketKind::ACK, own.id, HAS_REPLY);
        NS_TEST_EXPECT_MSG_EQ(Refuses<Notebook>(core, OTHER, reply), true, "awaits no reply");
        // Only the source knows its used IDs.
        core.OnFrame(OTHER, MakeFrame(PacketKind::MSG, 4711), out);
        NS_TEST_EXPECT_MSG_EQ(out.delivered.size(), 2, "any other MSG is trusted");
    }
};

/** The suite. */
class IdempotentForeignTestSuite : public TestSuite
{
  public:
    IdempotentForeignTestSuite()
        : TestSuite("idempotent-foreign", Type::UNIT)
    {
        AddTestCase(new ForeignPacketsTestCase, TestCase::Duration::QUICK);
    }
};

IdempotentForeignTestSuite g_idempotentForeignTestSuite; ///< The suite.

} // namespace
} // namespace tests
} // namespace idempotent
} // namespace ns3
