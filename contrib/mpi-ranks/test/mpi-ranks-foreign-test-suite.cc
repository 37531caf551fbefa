/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mpi-ranks-notebook.h"

#include "ns3/messaging-scripted-host.h"

#include <random>

/**
 * @file
 * @ingroup mpi-ranks
 * Frames that no rank of the group has sent: which of them are refused, and which are trusted.
 */

namespace ns3
{
namespace ranks
{
namespace tests
{
namespace
{

using infiniband::Transport;
using messaging::Refuses;

/** Random foreign frames, over all transports, with and without reliability. */
class ForeignFramesTest : public ExpectTest
{
  public:
    ForeignFramesTest()
        : ExpectTest("frames that no rank can have sent deliver and complete nothing")
    {
    }

  private:
    void DoRun() override
    {
        for (const auto transport : {Transport::RC, Transport::UC, Transport::UD})
        {
            for (const bool reliability : {false, true})
            {
                Draw(transport, reliability);
            }
        }
    }

    /** Draw frames. @param transport the transport @param reliability of the library */
    void Draw(Transport transport, bool reliability)
    {
        RankConfig config = MakeConfig(transport, reliability);
        config.matching = false;
        std::mt19937_64 random(1);
        const auto below = [&](uint64_t limit) { return random() % limit; };
        Notebook fresh;
        RankCore core(&config, 2);
        core.OnRequest(Request{.id = 7, .to = 1, .bytes = 100}, fresh);
        for (int i = 0; i < 3000; ++i)
        {
            // EAGER to NACK with a number; RDMA_DATA, ACK and CREDIT.
            Frame frame{.contents = random(), .payload = static_cast<uint32_t>(below(100))};
            frame.aux = static_cast<uint32_t>(random());
            frame.kind = static_cast<uint8_t>(below(N_FRAME_KINDS));
            frame.flags = static_cast<uint8_t>(random());
            // One frame is in flight to the other rank, and none from it: an acknowledgement of
            // more frames, and a number beyond the window, are invalid.
            const uint64_t ack = 2 + below(60000);
            const uint64_t number = config.reorderWindow + below(30000 - config.reorderWindow);
            frame.id = MakeFrameId(static_cast<uint16_t>(number), static_cast<uint16_t>(ack));
            const bool unknown = i % 2 == 0;
            if (unknown && i % 4 == 0)
            {
                frame.kind = static_cast<uint8_t>(N_FRAME_KINDS + below(256 - N_FRAME_KINDS));
            }
            const Peer from = unknown && i % 4 != 0 ? 2 + static_cast<Peer>(random() >> 40) : 1;
            if (unknown)
            {
                Expect(Refuses(core, from, frame), true, "no such rank or kind");
                continue;
            }
            if (!config.Reorders() && frame.kind < static_cast<uint8_t>(FrameKind::RDMA_DATA))
            {
                // Frames arrive in order: a missing one was lost, and this one is accepted.
                continue;
            }
            RankCore copy = core;
            Notebook out;
            copy.OnFrame(from, frame, out);
            Expect(out.delivered.empty() && out.ended.empty(), true, Describe(frame));
        }
        Notebook out;
        Frame next{.contents = 5, .payload = 8};
        next.kind = static_cast<uint8_t>(FrameKind::EAGER);
        next.flags = FIRST | LAST;
        core.OnFrame(1, next, out);
        Expect(out.delivered.size(), std::size_t{1}, "the number expected is trusted");
    }
};

/** The suite. */
class MpiRanksForeignTestSuite : public TestSuite
{
  public:
    MpiRanksForeignTestSuite()
        : TestSuite("mpi-ranks-foreign", Type::UNIT)
    {
        AddTestCase(new ForeignFramesTest, TestCase::Duration::QUICK);
    }
};

MpiRanksForeignTestSuite g_mpiRanksForeignTestSuite; ///< The suite.

} // namespace
} // namespace tests
} // namespace ranks
} // namespace ns3
