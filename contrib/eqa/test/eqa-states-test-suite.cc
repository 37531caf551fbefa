/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "eqa-exchange.h"

#include "ns3/test.h"

/**
 * @file
 * @ingroup eqa
 * A receiver's states, one by one.
 */

namespace ns3
{
namespace eqa
{
namespace tests
{
namespace
{

/** Every state of a receiver with every packet, including invalid ones. */
class StatesTestCase : public TestCase
{
  public:
    StatesTestCase()
        : TestCase("Every state of a receiver x every packet")
    {
    }

  private:
    /**
     * Make a packet of the sender.
     * @param kind its kind
     * @param number its number
     * @param flags its flags
     * @param payload its payload [bytes]
     * @return the packet
     */
    static Frame MakeFrame(PacketKind kind,
                           uint64_t number,
                           uint8_t flags = 0,
                           uint32_t payload = 2)
    {
        Frame frame;
        frame.id = (uint64_t{8} << 32) + number;
        frame.contents = 7;
        frame.kind = static_cast<uint8_t>(kind);
        frame.flags = flags;
        frame.payload = payload;
        frame.aux = 9;
        return frame;
    }

    void DoRun() override
    {
        // The message has 9 bytes: 2 in BTP_1, 4 in one packet of BTP_2, 3 are pulled.
        const std::vector<std::pair<std::string, Frame>> events{
            {"next", MakeFrame(PacketKind::DATA, 0)},
            {"next+ack", MakeFrame(PacketKind::DATA, 0, ACK_ME)},
            {"gap", MakeFrame(PacketKind::DATA, 1)},
            {"gap+ack", MakeFrame(PacketKind::DATA, 1, ACK_ME)},
            {"old", MakeFrame(PacketKind::DATA, ~uint64_t{0})},
            {"old+ack", MakeFrame(PacketKind::DATA, ~uint64_t{0}, ACK_ME)},
            {"probe", MakeFrame(PacketKind::PROBE, 0)},
            {"probe behind", MakeFrame(PacketKind::PROBE, 1)},
            {"ack", MakeFrame(PacketKind::ACK, 0)},
            {"ask", MakeFrame(PacketKind::ASK, 0)},
            {"unknown", MakeFrame(static_cast<PacketKind>(9), 0)},
        };
        const std::vector<std::pair<std::string, std::function<void(Exchange&)>>> states{
            {"idle", [](Exchange&) {}},
            {"posted", [](Exchange& e) { e.Receive(1, 0, false); }},
            {"buffering",
             [](Exchange& e) { e.Inject(0, 1, MakeFrame(PacketKind::DATA, 0, FIRST)); }},
            {"pulled",
             [](Exchange& e) {
                 e.Receive(1, 0, false);
                 e.Inject(0, 1, MakeFrame(PacketKind::DATA, 0, FIRST));
                 e.Inject(0, 1, MakeFrame(PacketKind::DATA, 1, PUSH_END, 4));
             }},
            {"pull due",
             [](Exchange& e) {
                 e.Inject(0, 1, MakeFrame(PacketKind::DATA, 0, FIRST));
                 e.Inject(0, 1, MakeFrame(PacketKind::DATA, 1, PUSH_END, 4));
             }},
            {"asked", [](Exchange& e) { e.Inject(0, 1, MakeFrame(PacketKind::DATA, 3)); }},
            {"full",
             [](Exchange& e) {
                 for (uint64_t i = 0; i < 5; ++i)
                 {
                     e.Inject(0, 1, MakeFrame(PacketKind::DATA, i, i % 3 == 0 ? FIRST : 0, 4));
                 }
             }},
        };
        std::ostringstream table;
        for (const auto& [state, prepare] : states)
        {
            for (const auto& [event, frame] : events)
            {
                EqaConfig config = SmallConfig();
                Exchange exchange(2, config);
                prepare(exchange);
                exchange.TakeSent();
                exchange.counts.clear();
                Frame shifted = frame;
                const auto& points = exchange.cores[1].GetReceivePoints();
                if (!points.empty())
                {
                    shifted.id += points[0].expected;
                }
                if (frame.kind == static_cast<uint8_t>(PacketKind::DATA) &&
                    (points.empty() || !points[0].started))
                {
                    shifted.flags |= FIRST;
                }
                shifted.id = (uint64_t{8} << 32) + static_cast<uint32_t>(shifted.id);
                exchange.Inject(0, 1, shifted);
                std::string answer = exchange.TakeSent();
                std::ostringstream notes;
                for (const auto& [what, count] : exchange.counts)
                {
                    if (what != Event::ACK_SENT && what != Event::ASK_SENT &&
                        what != Event::PULL_SENT)
                    {
                        notes << what << " ";
                    }
                }
                table << state << " | " << event << " | " << notes.str() << "| " << answer << "\n";
            }
        }
        NS_TEST_EXPECT_MSG_EQ(table.str(), EXPECTED, "the table");
        EqaConfig config = SmallConfig();
        Exchange probed(2, config);
        probed.Inject(0, 1, MakeFrame(PacketKind::PROBE, 1));
        NS_TEST_EXPECT_MSG_EQ(probed.TakeSent(), "1>0 ASK0", "a probe finds the gap");
        probed.Inject(0, 1, MakeFrame(PacketKind::DATA, 1, FIRST));
        NS_TEST_EXPECT_MSG_EQ(probed.TakeSent(), "", "which is asked for once");
    }

    /**
     * State, packet, outcome, and answer. Before the first packet no number is old: the one before
     * 0 is far ahead.
     */
    static const std::string EXPECTED;
};

const std::string StatesTestCase::EXPECTED = "idle | next | buffered | \n"
                                             "idle | next+ack | buffered | 1>0 ACK1\n"
                                             "idle | gap | gap | 1>0 ASK0\n"
                                             "idle | gap+ack | gap | 1>0 ASK0\n"
                                             "idle | old | gap | 1>0 ASK0\n"
                                             "idle | old+ack | gap | 1>0 ASK0\n"
                                             "idle | probe | | 1>0 ACK0\n"
                                             "idle | probe behind | | 1>0 ASK0\n"
                                             "idle | ack | illegal | \n"
                                             "idle | ask | illegal | \n"
                                             "idle | unknown | illegal | \n"
                                             "posted | next | direct | 1>0 ACK1 pull\n"
                                             "posted | next+ack | direct | 1>0 ACK1 pull\n"
                                             "posted | gap | gap | 1>0 ASK0\n"
                                             "posted | gap+ack | gap | 1>0 ASK0\n"
                                             "posted | old | gap | 1>0 ASK0\n"
                                             "posted | old+ack | gap | 1>0 ASK0\n"
                                             "posted | probe | | 1>0 ACK0\n"
                                             "posted | probe behind | | 1>0 ASK0\n"
                                             "posted | ack | illegal | \n"
                                             "posted | ask | illegal | \n"
                                             "posted | unknown | illegal | \n"
                                             "buffering | next | buffered | \n"
                                             "buffering | next+ack | buffered | 1>0 ACK2\n"
                                             "buffering | gap | gap | 1>0 ASK1\n"
                                             "buffering | gap+ack | gap | 1>0 ASK1\n"
                                             "buffering | old | duplicate | \n"
                                             "buffering | old+ack | duplicate | 1>0 ACK1\n"
                                             "buffering | probe | | 1>0 ACK1\n"
                                             "buffering | probe behind | | 1>0 ASK1\n"
                                             "buffering | ack | illegal | \n"
                                             "buffering | ask | illegal | \n"
                                             "buffering | unknown | illegal | \n"
                                             "pulled | next | direct | \n"
                                             "pulled | next+ack | direct | 1>0 ACK3\n"
                                             "pulled | gap | gap | 1>0 ASK2\n"
                                             "pulled | gap+ack | gap | 1>0 ASK2\n"
                                             "pulled | old | duplicate | \n"
                                             "pulled | old+ack | duplicate | 1>0 ACK2\n"
                                             "pulled | probe | | 1>0 ACK2 pull\n"
                                             "pulled | probe behind | | 1>0 ASK2\n"
                                             "pulled | ack | illegal | \n"
                                             "pulled | ask | illegal | \n"
                                             "pulled | unknown | illegal | \n"
                                             "pull due | next | buffered | \n"
                                             "pull due | next+ack | buffered | 1>0 ACK3\n"
                                             "pull due | gap | gap | 1>0 ASK2\n"
                                             "pull due | gap+ack | gap | 1>0 ASK2\n"
                                             "pull due | old | duplicate | \n"
                                             "pull due | old+ack | duplicate | 1>0 ACK2\n"
                                             "pull due | probe | | 1>0 ACK2\n"
                                             "pull due | probe behind | | 1>0 ASK2\n"
                                             "pull due | ack | illegal | \n"
                                             "pull due | ask | illegal | \n"
                                             "pull due | unknown | illegal | \n"
                                             "asked | next | buffered | \n"
                                             "asked | next+ack | buffered | 1>0 ACK1\n"
                                             "asked | gap | gap | \n"
                                             "asked | gap+ack | gap | 1>0 ACK0\n"
                                             "asked | old | gap | \n"
                                             "asked | old+ack | gap | 1>0 ACK0\n"
                                             "asked | probe | | 1>0 ACK0\n"
                                             "asked | probe behind | | 1>0 ASK0\n"
                                             "asked | ack | illegal | \n"
                                             "asked | ask | illegal | \n"
                                             "asked | unknown | illegal | \n"
                                             "full | next | buffer-overflow | \n"
                                             "full | next+ack | buffer-overflow | 1>0 ACK4 full\n"
                                             "full | gap | gap | \n"
                                             "full | gap+ack | gap | 1>0 ACK4 full\n"
                                             "full | old | duplicate | \n"
                                             "full | old+ack | duplicate | 1>0 ACK4 full\n"
                                             "full | probe | | 1>0 ACK4 full\n"
                                             "full | probe behind | | 1>0 ACK4 full\n"
                                             "full | ack | illegal | \n"
                                             "full | ask | illegal | \n"
                                             "full | unknown | illegal | \n";

/** The receiver's states. */
class EqaStatesTestSuite : public TestSuite
{
  public:
    EqaStatesTestSuite()
        : TestSuite("eqa-states", Type::UNIT)
    {
        AddTestCase(new StatesTestCase, TestCase::Duration::QUICK);
    }
};

EqaStatesTestSuite g_eqaStatesTestSuite; ///< The suite.

} // namespace
} // namespace tests
} // namespace eqa
} // namespace ns3
