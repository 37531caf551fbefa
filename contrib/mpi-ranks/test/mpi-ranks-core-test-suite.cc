/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mpi-ranks-notebook.h"

#include "ns3/test.h"

/**
 * @file
 * @ingroup mpi-ranks
 * The rules of paper 4, section 6, one by one.
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

/** C-12, figure 2: the rendezvous over RC. */
class RendezvousRcTest : public TestCase
{
  public:
    RendezvousRcTest()
        : TestCase("C-12: RTS, CTS, RDMA write, FIN over RC")
    {
    }

  private:
    void DoRun() override
    {
        Play play(RankConfig::Make(Transport::RC, false));
        play.Send(0, 1, 7, 8192, 5);
        NS_TEST_ASSERT_MSG_EQ(play.Under(0), "RTS 0 ack 0", "only the envelope leaves");
        play.Step(0);
        NS_TEST_ASSERT_MSG_EQ(play.Under(1), "", "no receive, no CTS");
        play.Receive(1, 0, 9, 5);
        NS_TEST_ASSERT_MSG_EQ(play.Under(1), "CTS 0 ack 1", "the receive clears it");
        play.Step(1);
        NS_TEST_ASSERT_MSG_EQ(play.Under(0), "RDMA_DATA, FIN 1 ack 1", "data, and FIN at once");
        NS_TEST_ASSERT_MSG_EQ((play.books[0].sent[0].frame.flags & IMMEDIATE), 0, "C-12: silent");
        play.Step(0);
        NS_TEST_ASSERT_MSG_EQ(play.books[1].ended, "", "the receive waits for FIN");
        const auto fin = play.Pull(0);
        play.Arrive(0, fin);
        NS_TEST_ASSERT_MSG_EQ(play.books[1].ended, "9 DELIVERED ", "the receive is done at FIN");
        NS_TEST_ASSERT_MSG_EQ(play.books[1].delivered.back().contents, 1007, "with the data");
        NS_TEST_ASSERT_MSG_EQ(play.books[0].ended, "", "the send waits for its completion");
        play.cores[0].OnSent(fin.frame, play.books[0]);
        NS_TEST_ASSERT_MSG_EQ(play.books[0].ended, "7 SENT ", "and is done then");
        play.cores[0].OnSent(fin.frame, play.books[0]);
        NS_TEST_ASSERT_MSG_EQ(play.books[0].ended, "7 SENT ", "once");
    }
};

/** Below 8 KB, native: nothing but the message. */
class EagerNativeTest : public TestCase
{
  public:
    EagerNativeTest()
        : TestCase("Eager without reliability: one frame, no timer, no ACK")
    {
    }

  private:
    void DoRun() override
    {
        Play play(RankConfig::Make(Transport::RC, false));
        play.Receive(1, ANY_SOURCE, 9);
        play.Send(0, 1, 7, 8191, 5);
        NS_TEST_ASSERT_MSG_EQ(play.books[0].ended, "7 SENT ", "the buffer is free at once");
        NS_TEST_ASSERT_MSG_EQ(play.Under(0), "EAGER 0 ack 0", "one frame");
        play.Run();
        NS_TEST_ASSERT_MSG_EQ(play.books[1].ended, "9 DELIVERED ", "it has arrived");
        NS_TEST_ASSERT_MSG_EQ(play.books[0].armed || play.books[1].armed, false, "no timer");
        NS_TEST_ASSERT_MSG_EQ(play.cores[0].GetNUnacknowledged(), 0, "no queue");
    }
};

/** The suite. */
class CoreTestSuite : public TestSuite
{
  public:
    CoreTestSuite()
        : TestSuite("mpi-ranks-core", Type::UNIT)
    {
        AddTestCase(new EagerNativeTest, Duration::QUICK);
        AddTestCase(new RendezvousRcTest, Duration::QUICK);
    }
};

/** Registers the suite. */
const CoreTestSuite g_coreTestSuite;

} // namespace
} // namespace tests
} // namespace ranks
} // namespace ns3
