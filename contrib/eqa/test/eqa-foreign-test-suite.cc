/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "eqa-exchange.h"

#include "ns3/messaging-scripted-host.h"
#include "ns3/test.h"

#include <random>

/**
 * @file
 * @ingroup eqa
 * Packets that no node of the group has sent: which of them are refused, and that all others do no
 * harm.
 */

namespace ns3
{
namespace eqa
{
namespace tests
{
namespace
{

using messaging::Refuses;
using messaging::ScriptedHost;

/** Random foreign packets. */
class ForeignPacketsTestCase : public TestCase
{
  public:
    ForeignPacketsTestCase()
        : TestCase("Packets that no node can have sent change nothing, others do no harm")
    {
    }

  private:
    static constexpr Peer SELF = 1;        ///< The node under test.
    static constexpr Peer OTHER = 0;       ///< Node from which it receives.
    static constexpr Peer THIRD = 2;       ///< Node to which it sends.
    static constexpr uint32_t PEERS = 3;   ///< Nodes.
    static constexpr uint32_t PAYLOAD = 4; ///< Largest payload of a packet [bytes].

    /**
     * Make a packet of data.
     * @param number its number
     * @param payload its payload [bytes]
     * @param bytes size of its message [bytes]
     * @param flags its flags
     * @return the packet
     */
    static Frame Data(uint32_t number, uint32_t payload, uint32_t bytes, uint8_t flags)
    {
        Frame frame;
        frame.kind = static_cast<uint8_t>(PacketKind::DATA);
        frame.id = number;
        frame.payload = payload;
        frame.aux = bytes;
        frame.flags = flags;
        return frame;
    }

    /** @return a number. @param limit exclusive upper bound */
    uint32_t Below(uint64_t limit)
    {
        return static_cast<uint32_t>(m_random() % limit);
    }

    void DoRun() override
    {
        EqaConfig config = SmallConfig();
        config.hostWork = false;
        config.standing = true;
        ScriptedHost out;
        EqaCore core(SELF, PEERS, &config);
        core.OnRequest(Request{.id = 1, .contents = 7, .to = THIRD, .bytes = 2}, out);
        NS_TEST_ASSERT_MSG_EQ(out.sent.size(), 1, "a packet is in flight");
        core.OnFrame(OTHER, Data(0, 2, 2, FIRST), out);
        NS_TEST_ASSERT_MSG_EQ(out.delivered.size(), 1, "a whole message has come");
        EqaCore within = core;
        within.OnFrame(OTHER, Data(1, 2, 6, FIRST), out);
        for (int i = 0; i < 4000; ++i)
        {
            Frame frame = Data(1, 1 + Below(2), 6, FIRST);
            Peer from = OTHER;
            const EqaCore* tried = &core;
            switch (i % 8)
            {
            case 0:
                from = Below(2) ? SELF : PEERS + Below(UINT32_MAX - PEERS);
                break;
            case 1:
                frame.kind = static_cast<uint8_t>(5 + Below(251));
                break;
            case 2: // No message was sent to this node or broadcast.
                frame.kind = static_cast<uint8_t>(Below(2) ? PacketKind::ACK : PacketKind::ASK);
                frame.flags = static_cast<uint8_t>(m_random());
                break;
            case 3: // One packet was sent to this node.
                from = THIRD;
                frame.kind = static_cast<uint8_t>(Below(2) ? PacketKind::ACK : PacketKind::ASK);
                frame.flags = static_cast<uint8_t>(m_random()) & ~OF_BROADCAST;
                frame.id = 2 + Below(INT32_MAX - 2);
                break;
            case 4:
                frame.payload = PAYLOAD + 1 + Below(100);
                frame.aux = frame.payload + Below(100);
                break;
            case 5:
                frame.aux = Below(frame.payload);
                break;
            case 6:
                frame.flags = 0;
                break;
            case 7:
                tried = &within;
                frame.id = 2;
                frame.flags = static_cast<uint8_t>(Below(2) ? FIRST : 0);
                frame.aux += frame.flags & FIRST ? 0 : 1 + Below(100);
                break;
            }
            NS_TEST_ASSERT_MSG_EQ(Refuses(*tried, from, frame), true, "packet " << i);
        }
        Storm(core);
    }

    /**
     * Deliver arbitrary packets of others: the state must not grow.
     * @param core the core
     */
    void Storm(EqaCore core)
    {
        constexpr std::size_t MOST_WORDS = 4096;
        const auto number = [this] { return Below(4) ? Below(12) : Below(UINT32_MAX); };
        for (int i = 0; i < 20000; ++i)
        {
            Frame frame;
            frame.kind = static_cast<uint8_t>(1 + Below(4));
            frame.id = uint64_t{number()} << 32 | number();
            frame.contents = m_random();
            frame.payload = Below(2 * PAYLOAD);
            frame.aux = number();
            frame.flags = static_cast<uint8_t>(m_random());
            ScriptedHost out;
            core.OnFrame(Below(2) * 2, frame, out);
            for (const auto& delivery : out.delivered)
            {
                NS_TEST_ASSERT_MSG_NE(delivery.from, SELF, "a message of another node");
            }
            NS_TEST_ASSERT_MSG_LT(out.completed.size(), 2, "one message was posted");
        }
        messaging::Encoder encoder;
        core.Encode(encoder);
        NS_TEST_EXPECT_MSG_LT(encoder.GetWords().size(), MOST_WORDS, "no growth without bound");
    }

    std::mt19937_64 m_random{1}; ///< Random numbers.
};

/** The suite. */
class EqaForeignTestSuite : public TestSuite
{
  public:
    EqaForeignTestSuite()
        : TestSuite("eqa-foreign", Type::UNIT)
    {
        AddTestCase(new ForeignPacketsTestCase, TestCase::Duration::QUICK);
    }
};

EqaForeignTestSuite g_eqaForeignTestSuite; ///< The suite.

} // namespace
} // namespace tests
} // namespace eqa
} // namespace ns3
