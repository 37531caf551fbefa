/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parastation-notebook.h"

#include "ns3/messaging-scripted-host.h"
#include "ns3/parastation-protocol.h"
#include "ns3/parastation-rivals.h"
#include "ns3/test.h"

#include <random>

/**
 * @file
 * @ingroup parastation
 * Packets that no host of the group has sent: which of them are refused, and which are trusted.
 */

namespace ns3
{
namespace parastation
{
namespace tests
{
namespace
{

using messaging::Frame;
using messaging::Peer;
using messaging::Refuses;

/**
 * Random foreign packets.
 * @tparam P the protocol
 */
template <class P>
class ForeignPacketsTest : public TestCase
{
  public:
    /**
     * @param name name of the protocol @param controls control packets with numbers not in flight
     */
    ForeignPacketsTest(const std::string& name, std::vector<Frame> controls)
        : TestCase(name + ": packets that no host can have sent change nothing"),
          m_controls(std::move(controls))
    {
    }

  private:
    void DoRun() override
    {
        Config config;
        config.packetBytes = 100;
        config.credits = 4;
        Notebook out;
        NicCore<P> sender(config, 0, 2);
        const NicCore<P> receiver(config, 1, 2);
        sender.OnRequest(MakeRequest(1, 1, 250), out);
        NS_TEST_ASSERT_MSG_EQ(out.sent.size(), 3, "three packets");
        std::mt19937_64 random(1);
        const auto below = [&](uint64_t limit) { return random() % limit; };
        for (int i = 0; i < 6000; ++i)
        {
            Frame frame = out.sent[below(3)].frame;
            PacketId id = PacketId::Unpack(frame.id);
            Peer from = 0;
            switch (i % 6)
            {
            case 0:
                from = static_cast<Peer>(1 + below(UINT32_MAX));
                break;
            case 1:
                frame.kind = static_cast<uint8_t>(5 + below(251));
                break;
            case 2:
                id.index = static_cast<uint8_t>(id.count + below(256 - id.count));
                break;
            case 3:
                id.count = static_cast<uint8_t>(id.count + 1 + below(255));
                break;
            case 4:
                id.bytes = static_cast<uint32_t>(301 + below(1 << 23));
                break;
            case 5:
                frame.payload += 1 + static_cast<uint32_t>(below(UINT32_MAX));
                break;
            }
            frame.id = id.Pack();
            NS_TEST_ASSERT_MSG_EQ(Refuses<Notebook>(receiver, from, frame), true, "packet " << i);
        }
        for (const auto& frame : m_controls)
        {
            NS_TEST_EXPECT_MSG_EQ(Refuses<Notebook>(sender, 1, frame),
                                  true,
                                  static_cast<PacketKind>(frame.kind) << " " << frame.id);
        }
        // A packet in sequence contains nothing that proves its sender.
        NicCore<P> trusting = receiver;
        trusting.OnFrame(0, MakeFrame(PacketKind::DATA, 0), out);
        NS_TEST_EXPECT_MSG_EQ(out.delivered.size(), 1, "a packet in sequence is trusted");
    }

    std::vector<Frame> m_controls; ///< Control packets.
};

/**
 * @param kind kind of control packets
 * @param first first number
 * @param last last number
 * @return the packets
 */
std::vector<Frame>
MakeControls(PacketKind kind, uint32_t first, uint32_t last)
{
    std::vector<Frame> frames;
    for (uint32_t number = first; number <= last; ++number)
    {
        Frame frame = MakeFrame(kind, 0);
        frame.id = number;
        frames.push_back(frame);
    }
    return frames;
}

/** Answers to packets that have not been sent; nonexistent channels. */
class EarlyAnswersTest : public TestCase
{
  public:
    EarlyAnswersTest()
        : TestCase("vmmc2, am2: answers to packets that are not in flight change nothing")
    {
    }

  private:
    void DoRun() override
    {
        Config config;
        config.packetBytes = 100;
        const auto answer = [](PacketKind kind, uint32_t number) {
            Frame frame = MakeFrame(kind, 0);
            frame.id = number;
            return frame;
        };
        Notebook out;
        NicCore<CumulativeAck> vmmc(config, 0, 2);
        vmmc.OnRequest(MakeRequest(1, 1, 1000), out);
        NS_TEST_ASSERT_MSG_EQ(out.sent.size(), config.window, "two of ten packets wait");
        for (uint32_t number = config.window + 1; number <= 10; ++number)
        {
            const auto ack = answer(PacketKind::ACK, number);
            NS_TEST_EXPECT_MSG_EQ(Refuses<Notebook>(vmmc, 1, ack), true, "ACK " << number);
        }
        NS_TEST_EXPECT_MSG_EQ(Refuses<Notebook>(vmmc, 1, answer(PacketKind::ACK, config.window)),
                              false,
                              "all that are in flight");

        out.sent.clear();
        NicCore<StopAndWait> am(config, 0, 2);
        am.OnRequest(MakeRequest(1, 1, 50), out);
        NS_TEST_ASSERT_MSG_EQ(out.sent.size(), 1, "one packet");
        const auto ack = answer(PacketKind::ACK, 0);
        NS_TEST_EXPECT_MSG_EQ(Refuses<Notebook>(am, 1, ack), false, "it is in flight");
        Notebook busy;
        busy.busy = true;
        NicCore<StopAndWait> blocked(config, 0, 2);
        blocked.OnRequest(MakeRequest(1, 1, 50), busy);
        NS_TEST_EXPECT_MSG_EQ(Refuses<Notebook>(blocked, 1, ack), true, "it has not left");

        const NicCore<StopAndWait> receiver(config, 1, 2);
        for (uint32_t number = 0; number <= UINT8_MAX; ++number)
        {
            Frame data = out.sent[0].frame;
            PacketId id = PacketId::Unpack(data.id);
            id.sequence = static_cast<uint8_t>(number);
            data.id = id.Pack();
            // A packet of the other sequence bit is acknowledged once more.
            NS_TEST_EXPECT_MSG_EQ(Refuses<Notebook>(receiver, 0, data),
                                  (number >= 2 * config.channels),
                                  "packet " << number);
        }
    }
};

/** The suite. */
class ParastationForeignTestSuite : public TestSuite
{
  public:
    ParastationForeignTestSuite()
        : TestSuite("parastation-foreign", Type::UNIT)
    {
        // Packets 0, 1 and 2 are in flight. AM-II has one on each of its first three channels of
        // eight, with even numbers; all others have no ACK.
        const auto add = [this](auto* test) { AddTestCase(test, TestCase::Duration::QUICK); };
        auto acks = MakeControls(PacketKind::ACK, 3, 255);
        const auto nacks = MakeControls(PacketKind::NACK, 3, 255);
        acks.insert(acks.end(), nacks.begin(), nacks.end());
        add(new ForeignPacketsTest<Protocol>("parastation2", acks));
        add(new ForeignPacketsTest<CumulativeAck>("vmmc2", MakeControls(PacketKind::ACK, 4, 255)));
        add(new ForeignPacketsTest<StopAndWait>("am2", MakeControls(PacketKind::ACK, 5, 255)));
        add(new ForeignPacketsTest<Credits>("credits", MakeControls(PacketKind::CREDIT, 4, 300)));
        add(new EarlyAnswersTest);
    }
};

ParastationForeignTestSuite g_parastationForeignTestSuite; ///< The suite.

} // namespace
} // namespace tests
} // namespace parastation
} // namespace ns3
