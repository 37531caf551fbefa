/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mpi-ranks-notebook.h"

/**
 * @file
 * @ingroup mpi-ranks
 * The rules of paper 4 for large messages, all six configurations, and losses of native modes.
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

/** One rule each. */
class RendezvousTest : public ExpectTest
{
  public:
    /**
     * Constructor.
     * @param rule the rule
     * @param run the check
     */
    RendezvousTest(const std::string& rule, void (RendezvousTest::*run)())
        : ExpectTest(rule),
          m_run(run)
    {
    }

    /** C-12. */
    void RendezvousRc()
    {
        Play play(MakeConfig(Transport::RC, false));
        play.Send(0, 1, 7, 8192, 5);
        Expect(play.ListInFlight(0), "RTS 0 ack 0", "only the envelope leaves");
        play.Step(0);
        Expect(play.ListInFlight(1), "", "no receive, no CTS");
        play.Receive(1, 0, 9, 5);
        Expect(play.ListInFlight(1), "CTS 0 ack 1", "the receive clears it");
        play.Step(1);
        Expect(play.ListInFlight(0), "RDMA_DATA, FIN 1 ack 1", "data, FIN at once");
        Expect((play.books[0].sent[0].frame.flags & IMMEDIATE), 0, "silent");
        play.Step(0);
        Expect(play.books[1].ended, "", "the receive waits for FIN");
        const auto fin = play.Pull(0);
        play.Arrive(0, fin);
        Expect(play.books[1].ended, "9 DELIVERED ", "done at FIN");
        Expect(play.books[1].delivered.back().contents, 1007, "with the data");
        Expect(play.books[1].delivered.back().bytes, 8192, "all");
        Expect(play.books[0].ended, "", "the send waits for its completion");
        play.cores[0].OnSent(1, fin.frame, play.books[0]);
        Expect(play.books[0].ended, "7 SENT ", "and is done then");
        play.cores[0].OnSent(1, fin.frame, play.books[0]);
        Expect(play.books[0].ended, "7 SENT ", "once");
    }

    /** C-13, figure 3 (a), C-14, and C-15: RC behaves as UC. */
    void RendezvousUc()
    {
        for (const bool late : {false, true})
        {
            for (const auto transport : {Transport::RC, Transport::UC})
            {
                Play play(MakeConfig(transport, true));
                play.Receive(1, 0, 9);
                play.Send(0, 1, 7, 8192);
                play.Step(0);
                play.Step(1);
                Expect(play.ListInFlight(0), "RDMA_DATA, FIN 1 ack 1", "both at once");
                Expect((play.books[0].sent[0].frame.flags & IMMEDIATE) != 0,
                       true,
                       "the write notifies the receiver");
                Expect((play.books[0].sent[1].frame.flags & SIGNALED),
                       0,
                       "a local completion means nothing");
                play.cores[0].OnSent(1, play.books[0].sent[1].frame, play.books[0]);
                Expect(play.books[0].ended, "", "nor does it end anything");
                play.Step(0, late ? 1 : 0);
                Expect(play.books[1].ended, "", "one of the two is not enough");
                play.Step(0);
                Expect(play.books[1].ended, "9 DELIVERED ", "both are, in any order");
                Expect(play.ListInFlight(1), "DONE 1 ack 2", "the ACK returns at once");
                Expect(play.Count(1, Event::RELIABILITY_ACK), 1, "counted as such");
                Expect(play.books[0].ended, "", "C-14: a send waits for the ACK");
                play.Run();
                Expect(play.books[0].ended, "7 DELIVERED ", "and is done with it");
                Expect(play.Count(1, Event::DATA_NACK), 0, "nothing was missed");
            }
        }
    }

    /** C-13, figure 3 (b). */
    void LostWrite()
    {
        Play play(MakeConfig(Transport::UC, true));
        play.Receive(1, 0, 9);
        play.Send(0, 1, 7, 8192);
        play.Step(0);
        play.Step(1);
        const auto lost = play.Pull(0);
        play.Step(0);
        play.Tick(1, 2);
        play.Run();
        Expect(play.Count(1, Event::DATA_NACK), 0, "within the timeout: none");
        play.Tick(1);
        Expect(play.ListInFlight(1), "NACK 1 ack 2", "a NACK after it");
        play.Step(1);
        Expect(play.ListInFlight(0), "RDMA_DATA", "brings the data, and no second FIN");
        play.Pull(0);
        play.Tick(1, 3);
        play.Step(1);
        Expect(play.ListInFlight(0), "ACK ack 2", "a NACK that is on its way is enough");
        play.Run();
        play.Tick(1);
        play.Run();
        Expect(play.Count(1, Event::DATA_NACK), 2, "again if they are lost again");
        Expect(play.books[1].ended, "9 DELIVERED ", "until they come");
        Expect(play.books[0].ended, "7 DELIVERED ", "and are acknowledged");
        play.Arrive(0, lost);
        Expect(play.Count(1, Event::LATE_WRITE), 1, "then no write is let in");
        Expect(play.books[1].delivered.size(), 1, "once");
    }

    /**
     * Send large messages whose data are lost, and wait until just before the timeout.
     * @param play the ranks
     * @param messages number of messages
     */
    static void LoseWrites(Play& play, unsigned messages)
    {
        for (unsigned n = 0; n < messages; ++n)
        {
            play.Receive(1, 0, 20 + n);
            play.Send(0, 1, n, 8192);
            play.Step(0);
            play.Step(1);
            play.Pull(0);
            play.Step(0);
        }
        play.Tick(1, 2);
        play.Run();
    }

    /**
     * C-13: a message has at most one NACK and one repeated write at a time, regardless of others.
     */
    void OneRepair()
    {
        Play play(MakeConfig(Transport::UC, true));
        LoseWrites(play, 1);
        play.Tick(1);
        Expect(play.ListInFlight(1), "NACK 1 ack 2", "the data are late");
        play.Pull(1);
        play.Tick(1, 3);
        Expect(play.ListInFlight(1),
               "NACK 1 ack 2",
               "an unacknowledged NACK is repeated, none follows");
        Expect(play.Count(1, Event::DATA_NACK), 1, "unacknowledged");

        Play stuck(MakeConfig(Transport::UC, true));
        LoseWrites(stuck, 1);
        stuck.books[1].busy = true;
        stuck.Tick(1, 9);
        stuck.books[1].busy = false;
        stuck.cores[1].OnReady(stuck.books[1]);
        Expect(stuck.ListInFlight(1), "NACK 1 ack 2", "a NACK that waits for the port is enough");

        // A frame of another kind with the same number, and the NACK of another message.
        Play other(MakeConfig(Transport::UC, true));
        LoseWrites(other, 2);
        other.Send(1, 0, 9, 8, 0);
        other.Pull(1);
        other.Tick(1);
        Expect(other.Count(1, Event::DATA_NACK), 2, "each message has its own NACK");

        Play sender(MakeConfig(Transport::UC, true));
        LoseWrites(sender, 2);
        sender.Tick(1);
        Expect(sender.ListInFlight(1), "NACK 2 ack 4, NACK 3 ack 4", "both are late");
        sender.books[0].busy = true;
        auto again = sender.books[1].sent[0];
        sender.Step(1);
        sender.Step(1);
        Expect(sender.Count(0, Event::DATA_RESENT), 2, "each message is written again");
        again.frame.id += 2;
        sender.Arrive(1, again);
        Expect(sender.Count(0, Event::DATA_RESENT), 2, "once, as long as that waits for the port");
        sender.books[0].busy = false;
        sender.cores[0].OnReady(sender.books[0]);
        Expect(sender.ListInFlight(0).substr(0, 20), "RDMA_DATA, RDMA_DATA", "and no third");
        sender.Run();
        Expect(sender.books[1].ended, "20 DELIVERED 21 DELIVERED ", "both arrive");
    }

    /** C-13: FIN is reliable. */
    void LostFin()
    {
        for (const auto transport : {Transport::RC, Transport::UC})
        {
            Play play(MakeConfig(transport, true));
            play.Receive(1, 0, 9);
            play.Send(0, 1, 7, 8192);
            play.Step(0);
            play.Step(1);
            play.Step(0);
            play.Pull(0);
            play.Tick(0, 3);
            Expect(play.ListInFlight(0), "FIN 1 ack 1", "sent again");
            Expect((play.books[0].sent[0].frame.flags & SIGNALED), 0, "silently");
            play.Run();
            Expect(play.books[1].ended, "9 DELIVERED ", "and done");
        }
    }

    /** Without RDMA. */
    void RendezvousUd()
    {
        for (const bool reliability : {false, true})
        {
            Play play(MakeConfig(Transport::UD, reliability));
            play.Receive(1, 0, 9);
            play.Send(0, 1, 7, 1'000'000);
            play.Step(0);
            play.Step(1);
            Expect(play.books[0].sent.size(), 400, "as the window allows");
            Expect(play.books[0].sent[0].frame.payload, 1988, "MTU less header");
            Expect(play.books[0].ended, "", "the rest is still to be copied");
            play.Run();
            Expect(play.books[0].ended, "7 SENT ", "all is copied");
            Expect(play.books[1].ended, "9 DELIVERED ", "no FIN is needed");
            Expect(play.books[1].delivered[0].bytes, 1'000'000, "all of it");
        }
    }

    /** C-15, C-17. */
    void SixConfigurations()
    {
        std::array<std::string, 6> wires;
        std::array<std::string, 6> ends;
        for (unsigned i = 0; i < 6; ++i)
        {
            RankConfig config = MakeConfig(TRANSPORTS[i / 2], i % 2 == 1);
            Play play(config, 3);
            for (uint32_t k = 0; k < 200; ++k)
            {
                const Peer from = k % 3;
                const Peer to = (from + 1 + k % 2) % 3;
                const Peer source = k % 5 == 0 ? ANY_SOURCE : from;
                const uint32_t tag = k % 7 == 0 ? ANY_TAG : k;
                play.Receive(to, source, 1000 + k, tag);
                play.Send(from, to, k, k * k * 3 % 20000, k);
                wires[i] += play.ListInFlight(from) + ";";
                play.Run();
                play.cores[to].OnProgressEnd(play.books[to]);
            }
            for (Peer rank = 0; rank < 3; ++rank)
            {
                for (const auto& each : play.books[rank].delivered)
                {
                    ends[i] += std::to_string(each.contents) + " ";
                }
                play.Tick(rank, 4);
                play.Run();
                Expect(play.cores[rank].GetNUnacknowledged(), 0, "no rest");
                Expect(play.cores[rank].GetBacklog(), 0, "no rest");
            }
            Expect(ends[i], ends[0], "C-17: all six deliver the same");
        }
        Expect(wires[0], wires[2], "C-15: RC and UC send the same frames natively");
        Expect(wires[1], wires[3], "C-15: and with reliability");
        Expect(wires[0] == wires[4], false, "UD does not");
    }

    /** Native modes repair no loss. */
    void Holes()
    {
        Play play(MakeConfig(Transport::UC, false));
        for (RequestId id = 0; id < 3; ++id)
        {
            play.Send(0, 1, id);
            play.Receive(1, 0, 10 + id);
        }
        play.Pull(0, 1);
        play.Run();
        Expect(play.books[1].delivered.size(), 2, "a hole is a hole");
        Expect(play.books[1].delivered[1].contents, 1002, "the rest goes on");
        Expect(play.Count(1, Event::HOLE), 1, "it is counted");

        Play ud(MakeConfig(Transport::UD, false));
        ud.Receive(1, 0, 10);
        ud.Send(0, 1, 1, 8000);
        ud.Send(0, 1, 2);
        ud.Pull(0, 2);
        ud.Run();
        Expect(ud.books[1].delivered.at(0).contents, 1002, "no half messages");
        Expect(ud.Count(1, Event::BROKEN), 1, "they are counted");

        Play write(MakeConfig(Transport::UC, false));
        write.Receive(1, 0, 10);
        write.Send(0, 1, 1, 8192);
        write.Step(0);
        write.Step(1);
        write.Pull(0);
        write.Run();
        Expect(write.books[1].ended, "10 DELIVERED ", "FIN believes in the write");
        Expect(write.books[1].delivered[0].contents, 0, "which has not come");
        Expect(write.Count(1, Event::UNWRITTEN), 1, "which is counted");
    }

    /** Native modes over several paths. */
    void Paths()
    {
        Play play(MakeConfig(Transport::UD, false, 2048, 2));
        for (RequestId id = 0; id < 4; ++id)
        {
            play.Send(0, 1, id);
            play.Receive(1, 0, 10 + id);
        }
        play.Step(0, 2);
        play.Step(0, 1);
        Expect(play.books[1].delivered.size(), 0, "too early: held back");
        play.Step(0);
        Expect(play.books[1].delivered.size(), 3, "until the gap is closed");
        Expect(play.books[1].delivered[2].contents, 1002, "in order");
        play.Pull(0);
        play.Send(0, 1, 4);
        play.Run();
        play.Tick(1, 2);
        Expect(play.books[1].delivered.size(), 3, "the gap may still close");
        play.Tick(1);
        Expect(play.books[1].delivered.size(), 4, "after a timeout it is a hole");
        Expect(play.books[1].armed, false, "and nothing is waited for");

        Play uc(MakeConfig(Transport::UC, false, 2048, 2));
        uc.Receive(1, 0, 9);
        uc.Send(0, 1, 7, 8192);
        uc.Step(0);
        uc.Step(1);
        uc.Step(0, 1);
        Expect(uc.books[1].ended, "", "FIN has passed the write");
        uc.Step(0);
        Expect(uc.books[1].ended, "9 DELIVERED ", "nothing was lost");
        Expect(uc.books[1].delivered[0].contents, 1007, "nothing is wrong");
    }

  private:
    void DoRun() override
    {
        (this->*m_run)();
    }

    void (RendezvousTest::*m_run)(); ///< Check of the rule.
};

/** The suite. */
class RendezvousTestSuite : public TestSuite
{
  public:
    RendezvousTestSuite()
        : TestSuite("mpi-ranks-rendezvous", Type::UNIT)
    {
        const auto add = [this](const std::string& rule, void (RendezvousTest::*run)()) {
            AddTestCase(new RendezvousTest(rule, run), TestCase::Duration::QUICK);
        };
        add("C-12: RTS, CTS, RDMA write, FIN over RC", &RendezvousTest::RendezvousRc);
        add("C-13 to C-15: figure 3 (a), FIN before and after the data",
            &RendezvousTest::RendezvousUc);
        add("C-13: figure 3 (b), the data are lost", &RendezvousTest::LostWrite);
        add("C-13: one NACK and one repeated write at a time", &RendezvousTest::OneRepair);
        add("C-13: FIN is lost", &RendezvousTest::LostFin);
        add("Rendezvous without RDMA", &RendezvousTest::RendezvousUd);
        add("C-15, C-17: six configurations, one code path", &RendezvousTest::SixConfigurations);
        add("Native: losses are holes", &RendezvousTest::Holes);
        add("Native: several paths keep MPI's order", &RendezvousTest::Paths);
    }
};

/** Registers the suite. */
const RendezvousTestSuite g_rendezvousTestSuite;

} // namespace
} // namespace tests
} // namespace ranks
} // namespace ns3
