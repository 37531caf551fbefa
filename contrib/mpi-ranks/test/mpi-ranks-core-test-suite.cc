/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mpi-ranks-notebook.h"

#include <array>

/**
 * @file
 * @ingroup mpi-ranks
 * The rules of paper 4 for small messages, windows and acknowledgements, one by one.
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

constexpr uint32_t INDEX_BITS = 0xfffff; ///< Bits of the index in the number of an entry.

/**
 * Get the constants of a reliable configuration without matching.
 * @param transport the transport
 * @return the constants
 */
RankConfig
MakeReliable(Transport transport)
{
    RankConfig config = MakeConfig(transport, true);
    config.matching = false;
    return config;
}

/** One rule each. */
class RuleTest : public ExpectTest
{
  public:
    /**
     * Constructor.
     * @param rule the rule
     * @param run the check
     */
    RuleTest(const std::string& rule, void (RuleTest::*run)())
        : ExpectTest(rule),
          m_run(run)
    {
    }

    /** C-03, C-06. */
    void Transports()
    {
        const auto rc = GetTraits(Transport::RC);
        const auto uc = GetTraits(Transport::UC, 2048, 2);
        const auto ud = GetTraits(Transport::UD, 2048, 2);
        const auto list = [](const messaging::PortInfo& it) {
            return std::array<uint32_t, 4>{it.ordered, it.lossless, it.rdma, it.mtu};
        };
        Expect((list(rc) == std::array<uint32_t, 4>{1, 1, 1, 0}),
               true,
               "RC is ordered and lossless and has RDMA");
        Expect((list(uc) == std::array<uint32_t, 4>{0, 0, 1, 0}),
               true,
               "UC has RDMA, and no order over two paths");
        Expect((list(ud) == std::array<uint32_t, 4>{0, 0, 0, 2008}), true, "UD has datagrams only");
        Expect(GetTraits(Transport::UC).ordered, true, "one path keeps order");
        for (const auto transport : TRANSPORTS)
        {
            Play play(MakeReliable(transport));
            play.Send(0, 1, 1, 8191);
            const std::size_t segments = transport == Transport::UD ? 5 : 1;
            Expect(play.books[0].sent.size(), segments, "C-06: only UD is segmented in software");
            play.Run();
            Expect(play.books[1].delivered.at(0).bytes, 8191, "the message arrives whole");
        }
    }

    /** Native eager messages. */
    void EagerNative()
    {
        Play play(MakeConfig(Transport::RC, false));
        play.Receive(1, ANY_SOURCE, 9);
        play.Send(0, 1, 7, 8191, 5);
        Expect(play.books[0].ended, "7 SENT ", "the buffer is free at once");
        Expect(play.ListInFlight(0), "EAGER 0 ack 0", "an eager message is one frame");
        play.Run();
        Expect(play.books[1].ended, "9 DELIVERED ", "the receive ends");
        Expect(play.books[0].armed || play.books[1].armed, false, "no timer is armed");
        Expect(play.cores[0].GetNUnacknowledged(), 0, "no segment waits for an ACK");
    }

    /** C-07. */
    void Skew()
    {
        Play play(MakeReliable(Transport::UC));
        play.Send(0, 1, 1);
        play.Tick(0, 3);
        Expect(play.Count(0, Event::RETRANSMITTED), 1, "the timeout repeats the segment");
        Expect(play.ListInFlight(1), "", "nothing from a rank that is not inside MPI");
        play.Step(0);
        play.Step(0);
        Expect(play.books[1].delivered.size(), 1, "once only");
        Expect(play.ListInFlight(1), "ACK ack 1", "the duplicate is acknowledged");
        play.Run();
        Expect(play.books[0].ended, "1 SENT 1 DELIVERED ", "the message ends once");
    }

    /** C-08. */
    void Window()
    {
        RankConfig config = MakeReliable(Transport::UC);
        config.window = 4;
        config.creditThreshold = 3;
        Play play(config);
        for (RequestId id = 0; id < 7; ++id)
        {
            play.Send(0, 1, id);
        }
        Expect(play.books[0].sent.size(), 4, "as many as the window has room for");
        Expect(play.cores[0].GetBacklog(), 3, "the others are in the backlog");
        Expect(play.Count(0, Event::OUT_OF_CREDITS), 3, "each wait for the window is counted");
        play.Send(1, 0, 9);
        play.Step(0);
        play.Send(1, 0, 10);
        play.Step(1);
        Expect(play.books[0].sent.size(), 3, "ack 0 frees nothing");
        play.Step(1);
        Expect(play.books[0].sent.size(), 4, "ack 1 frees one place of the window");
        Expect(play.books[0].sent.back().frame.contents,
               1004,
               "the oldest waiting message is sent");
        play.Run();
        play.Tick(1);
        play.Run();
        Expect(play.books[1].delivered.size(), 7, "all arrive");
        for (RequestId id = 0; id < 7; ++id)
        {
            Expect(play.books[1].delivered[id].contents, 1000 + id, "in order");
        }
        Expect(play.cores[0].GetNUnacknowledged(), 0, "all are acknowledged");
    }

    /** C-09. */
    void Retransmission()
    {
        Play play(MakeReliable(Transport::UD));
        play.Send(0, 1, 1);
        play.Pull(0);
        play.Tick(0);
        play.Send(0, 1, 2);
        play.Pull(0);
        Expect(play.cores[0].GetNUnacknowledged(), 2, "kept until acknowledged");
        play.Tick(0);
        Expect(play.ListInFlight(0), "", "a full timeout has not passed for certain");
        play.Tick(0);
        Expect(play.ListInFlight(0), "EAGER 0 ack 0", "the older segment alone");
        Expect((play.books[0].sent[0].frame.flags & RESENT) != 0,
               true,
               "a retransmission is marked");
        play.Tick(0);
        Expect(play.ListInFlight(0),
               "EAGER 0 ack 0, EAGER 1 ack 0",
               "both segments are older than the timeout");
        play.Run();
        play.Tick(1);
        play.Run();
        Expect(play.books[0].ended, "1 SENT 2 SENT 1 DELIVERED 2 DELIVERED ", "acknowledged");
        play.Tick(0);
        play.Tick(1);
        Expect(play.books[0].armed || play.books[1].armed, false, "no timer is armed");
    }

    /** C-10. */
    void Acknowledgement()
    {
        for (const auto transport : TRANSPORTS)
        {
            Play play(MakeReliable(transport));
            play.Send(0, 1, 1);
            play.Step(0);
            Expect(play.ListInFlight(1), "", "no explicit ACK at once");
            play.Send(1, 0, 2);
            Expect(play.ListInFlight(1), "EAGER 0 ack 1", "the next frame carries the ACK");
            play.Step(1);
            Expect(play.books[0].ended,
                   "1 SENT 1 DELIVERED ",
                   "the frame with the ACK ends the send");
            play.Tick(1);
            Expect(play.ListInFlight(1), "", "no ACK is owed");
            play.Tick(0);
            Expect(play.ListInFlight(0), "ACK ack 1", "an explicit ACK after half the timeout");
            Expect(play.Count(0, Event::RELIABILITY_ACK), 1, "the explicit ACK is counted");
            const auto ack = play.Pull(0);
            play.Tick(1, 2);
            const auto again = play.Pull(1);
            play.Arrive(1, again);
            Expect(play.books[0].delivered.size(), 1, "a duplicate is discarded");
            Expect(play.ListInFlight(0), "ACK ack 1", "a duplicate is acknowledged at once");
            play.Arrive(0, ack);
            play.Run();
            Expect(play.books[1].ended, "2 SENT 2 DELIVERED ", "once only");
        }
    }

    /** C-10: a duplicate of a held frame. */
    void HeldTwice()
    {
        for (const auto transport : TRANSPORTS)
        {
            Play play(MakeReliable(transport));
            play.Send(0, 1, 1);
            play.Send(0, 1, 2);
            const auto early = play.Pull(0, 1);
            play.Arrive(0, early);
            Expect(play.ListInFlight(1), "", "a held frame is not acknowledged");
            play.Arrive(0, early);
            Expect(play.Count(1, Event::DUPLICATE), 1, "the second copy is discarded");
            Expect(play.ListInFlight(1),
                   "ACK ack 0",
                   "a duplicate is acknowledged at once, up to the gap");
            play.Step(0);
            Expect(play.books[1].delivered.size(), 2, "each message is delivered once");
        }
    }

    /** C-10: the ACK field is on all traffic. */
    void Piggyback()
    {
        RankConfig config = MakeConfig(Transport::UC, true);
        Play play(config);
        play.Receive(1, 0, 9);
        play.Send(0, 1, 1, 9000);
        uint32_t carriers = 0;
        for (Peer rank = 0; rank < 2; rank = 1 - rank)
        {
            const auto sent = play.Pull(rank);
            play.Arrive(rank, sent);
            const bool write = static_cast<FrameKind>(sent.frame.kind) == FrameKind::RDMA_DATA;
            const uint16_t expected = write ? 0 : play.cores[rank].GetExpected(1 - rank);
            Expect(GetAck(sent.frame), expected, "every frame but a write carries the ACK");
            carriers += !write;
            if (write)
            {
                rank = 1 - rank;
            }
            if (play.books[0].sent.empty() && play.books[1].sent.empty())
            {
                break;
            }
        }
        Expect(carriers, 4, "RTS, CTS, FIN and DONE carry an ACK");
    }

    /** C-10: thresholds of the sweep. */
    void Sweep()
    {
        for (const auto transport : TRANSPORTS)
        {
            RankConfig config = MakeReliable(transport);
            config.creditThreshold = 60;
            config.sweepCount = SweepCount::CALL;
            Play play(config, 4);
            const auto burst = [&play](uint32_t messages) {
                for (uint32_t i = 0; i < messages; ++i)
                {
                    play.Send(i % 3 + 1, 0, 100 + i, 3000);
                }
                for (Peer rank = 1; rank < 4; ++rank)
                {
                    while (!play.books[rank].sent.empty())
                    {
                        play.Step(rank);
                    }
                }
                play.cores[0].OnProgressEnd(play.books[0]);
            };
            burst(10);
            Expect(play.ListInFlight(0), "", "10 messages in one call: none");
            burst(11);
            Expect(play.books[0].sent.size(), 3, "11 messages in one call: all owed ACKs");
            Expect(play.Count(0, Event::RELIABILITY_ACK), 3, "the explicit ACKs are counted");
            play.Run();
            Expect(play.cores[0].WantsIdlePolls(), false, "no ACK is owed");
            burst(10);
            burst(10);
            Expect(play.cores[0].WantsIdlePolls(), false, "20 while polling: none");
            play.cores[0].OnIdlePolls(play.books[0]);
            Expect(play.ListInFlight(0), "", "20 while polling: none");
            burst(1);
            Expect(play.cores[0].WantsIdlePolls(),
                   true,
                   "21 messages while polling are above the threshold");
            play.cores[0].OnIdlePolls(play.books[0]);
            Expect(play.books[0].sent.size(), 3, "21 messages while polling: all owed ACKs");
            Expect(play.cores[0].WantsIdlePolls(), false, "once only");
        }
    }

    /** C-10: the running count. */
    void RunningSweep()
    {
        Play play(MakeReliable(Transport::UD), 4);
        for (uint32_t i = 0; i < 10; ++i)
        {
            play.Send(i % 3 + 1, 0, i);
            play.Step(i % 3 + 1);
            play.cores[0].OnProgressEnd(play.books[0]);
        }
        Expect(play.ListInFlight(0), "", "10 messages in 10 calls: no explicit ACK");
        play.Send(1, 0, 10, 3000);
        play.Step(1);
        play.cores[0].OnProgressEnd(play.books[0]);
        Expect(play.books[0].sent.size(), 3, "a segment is the 11th frame");
        play.Run();
        play.cores[0].OnProgressEnd(play.books[0]);
        play.Run();
        play.Send(0, 1, 11);
        play.Step(0);
        play.cores[1].OnProgressEnd(play.books[1]);
        Expect(play.ListInFlight(1), "", "the count is of each rank");
        for (uint32_t i = 0; i < 9; ++i)
        {
            play.Arrive(1, {0, {.kind = static_cast<uint8_t>(FrameKind::ACK)}});
        }
        play.cores[0].OnProgressEnd(play.books[0]);
        Expect(play.ListInFlight(0), "", "none is owed for explicit ACKs");
        Play explicits(MakeReliable(Transport::UD));
        for (uint32_t i = 0; i < 30; ++i)
        {
            explicits.Arrive(1, {0, {.kind = static_cast<uint8_t>(FrameKind::ACK)}});
        }
        Expect(explicits.cores[0].WantsIdlePolls(),
               false,
               "polling sends no ACK for explicit ACKs");
        play.Send(2, 0, 12);
        play.Step(2);
        play.cores[0].OnProgressEnd(play.books[0]);
        Expect(play.ListInFlight(0),
               "ACK ack 4",
               "explicit ACKs count for the sweep: this is the 11th frame");
    }

    /** C-11. */
    void FlowControl()
    {
        for (const auto transport : TRANSPORTS)
        {
            for (const bool reliability : {false, true})
            {
                RankConfig config = MakeConfig(transport, reliability);
                config.matching = false;
                Play play(config);
                const uint32_t threshold = transport == Transport::UD ? 50 : 10;
                for (uint32_t i = 0; i < threshold; ++i)
                {
                    play.Send(0, 1, i);
                    play.Step(0);
                }
                play.cores[1].OnReady(play.books[1]);
                Expect(play.ListInFlight(1), "", "no explicit ACK at the threshold");
                play.Send(0, 1, threshold);
                play.Step(0);
                Expect(play.ListInFlight(1),
                       "CREDIT ack " + std::to_string(threshold + 1),
                       "an explicit ACK above the threshold, in every configuration");
                Expect(play.Count(1, Event::FLOW_ACK), 1, "the explicit ACK is counted");
                Expect(play.cores[0].GetNUnacknowledged(),
                       reliability ? threshold + 1 : 0,
                       "reliability keeps the segments until they are acknowledged");
                play.Run();
                Expect(play.cores[0].GetNUnacknowledged(),
                       0,
                       "the returned credits acknowledge the segments");
                play.Tick(1);
                Expect(play.ListInFlight(1), "", "no ACK is owed after it");
            }
        }
    }

    /** Credits. */
    void Credits()
    {
        RankConfig config = MakeConfig(Transport::RC, false);
        Play play(config);
        for (RequestId id = 0; id < 107; ++id)
        {
            play.Send(0, 1, id);
        }
        Expect(play.books[0].sent.size(), 80, "as many frames as the peer has buffers");
        Expect(play.cores[0].GetBacklog(), 27, "the others are in the backlog");
        play.Send(1, 0, 1);
        play.Step(1);
        Expect(play.books[0].sent.size(), 80, "no credit was returned");
        play.Send(0, 1, 107);
        Expect(play.books[0].sent.back().frame.kind,
               static_cast<uint8_t>(FrameKind::CREDIT),
               "more than 25 wait: an explicit ACK");
        play.Run();
        Expect(play.cores[1].GetNUnexpected(), 108, "all arrive");
        Expect(play.Count(1, Event::FLOW_ACK), 9, "an explicit ACK for every 11 messages");
    }

    /** Sequence numbers of 16 bits. */
    void Wrap()
    {
        Play play(MakeReliable(Transport::UC));
        for (RequestId id = 0; id < 70000; ++id)
        {
            play.Send(0, 1, id);
            if (id % 9 == 0)
            {
                play.Run();
            }
        }
        play.Run();
        play.Tick(1);
        play.Run();
        Expect(play.books[1].delivered.size(), 70000, "all messages arrive");
        Expect(play.books[1].delivered.back().contents, 70999, "in order");
        Expect(play.cores[0].GetNUnacknowledged(), 0, "acknowledged");
    }

    /** C-amb-6: buffers of 2048, 4096 and 8192 bytes, and MVAPICH's counter of entries. */
    void Memory()
    {
        struct Message
        {
            Transport transport;
            uint32_t bytes;
            uint64_t memory;
            int32_t longest;
            int32_t rest;
        };

        // 1980 bytes and their header fill a datagram of 2008. Lengths of 2021 to 4068 take a
        // buffer of 4096. A message of several datagrams adds none to the count and subtracts
        // several.
        for (const auto& it : {Message{Transport::UC, 2020, 2048, 1, 0},
                               Message{Transport::UC, 2021, 4096, 1, 0},
                               Message{Transport::UC, 4068, 4096, 1, 0},
                               Message{Transport::UC, 4069, 8192, 1, 0},
                               Message{Transport::UC, 8191, 8192, 1, 0},
                               Message{Transport::UD, 1980, 2048, 1, 0},
                               Message{Transport::UD, 1981, 2048, 0, -2},
                               Message{Transport::UD, 4000, 4096, 0, -3}})
        {
            Play play(MakeReliable(it.transport), 3);
            play.Send(0, 1, 1, it.bytes);
            play.Run();
            play.Tick(1);
            play.Run();
            const auto counters = play.cores[0].GetCounters();
            Expect(counters.queueBytesMax, it.memory, "memory of its buffer");
            Expect(counters.queueEntriesMax, it.longest, "entries of the message");
            Expect(counters.queueBytes, 0, "no memory is in use at the end");
            Expect(counters.queueEntries, it.rest, "MVAPICH's counter at the end");
        }
        Play play(MakeReliable(Transport::UC), 3);
        play.Send(0, 1, 1, 4000);
        play.Send(0, 2, 2, 10);
        Expect(play.cores[0].GetCounters().queueBytesMax, 4096 + 2048, "the sum over all peers");
        Expect(play.cores[0].GetCounters().queueEntriesMax, 2, "the sum over all peers");
    }

    /**
     * C-11: a message of one frame or an explicit ACK returns the owed credits; over UD a message
     * of several datagrams acknowledges the frames, but does not reset the count [MVAPICH].
     */
    void OwedCredits()
    {
        struct Answer
        {
            Transport transport;
            uint32_t bytes;
            uint64_t acks;
        };

        for (const auto& it : {Answer{Transport::UC, 8000, 0},
                               Answer{Transport::UC, 10, 0},
                               Answer{Transport::UD, 10, 0},
                               Answer{Transport::UD, 1980, 0},
                               Answer{Transport::UD, 1981, 1}})
        {
            RankConfig config = MakeConfig(it.transport, false);
            config.matching = false;
            Play play(config);
            const uint32_t half = config.creditThreshold / 2;
            for (uint32_t i = 0; i <= config.creditThreshold; ++i)
            {
                play.Send(0, 1, i, 10);
                play.Run();
                if (i == half)
                {
                    Expect(play.cores[1].GetCounters().Get(Event::FLOW_ACK),
                           0,
                           "no explicit ACK below the threshold");
                    play.Send(1, 0, 100, it.bytes);
                    play.Run();
                    Expect(play.cores[0].GetAcknowledged(1),
                           half + 1,
                           "the answer acknowledges all frames");
                }
            }
            Expect(play.cores[1].GetCounters().Get(Event::FLOW_ACK),
                   it.acks,
                   "explicit ACKs after the answer");
        }
    }

    /** Limits of parameters, and a frame from a nonexistent rank. */
    void Limits()
    {
        RankConfig config = MakeReliable(Transport::UC);
        Expect(config.Check(), "", "the default is valid");
        config.timeout = config.periods;
        Expect(config.Check(), "", "a timeout of a tick for each period is valid");
        --config.timeout;
        Expect(config.Check().empty(), false, "a shorter timeout is refused");
        config = MakeConfig(Transport::RC, false);
        config.creditThreshold = config.credits - 1;
        Expect(config.Check(), "", "a threshold one below the credits is valid");
        config.creditThreshold = config.credits;
        Expect(config.Check().empty(), false, "a threshold that is never reached is refused");
        const auto allows = [this](bool allowed, auto set) {
            RankConfig limits = MakeConfig(Transport::RC, true);
            set(limits);
            Expect(limits.Check().empty(), allowed, limits.Check());
        };
        for (const bool fits : {true, false})
        {
            // Half of the 16-bit numbers are ahead; an address, a key and both requests.
            const uint32_t most = fits ? 32767 : 32768;
            allows(fits, [most](RankConfig& c) { c.credits = most; });
            allows(fits, [most](RankConfig& c) { c.window = most; });
            allows(fits, [most](RankConfig& c) { c.reorderWindow = most; });
            allows(fits, [fits](RankConfig& c) { c.traits.mtu = fits ? 37 : 36; });
            allows(fits, [fits](RankConfig& c) { c.creditThreshold = c.credits - fits; });
            allows(fits, [fits](RankConfig& c) {
                c.window = 20;
                c.creditThreshold = c.window - fits;
            });
        }
        // Without reliability, an ACK for each multiple of the threshold plus one; with it, one for
        // each segment. A write that may arrive before its FIN also uses a receive.
        for (const auto transport : {Transport::UC, Transport::UD, Transport::RC})
        {
            for (const bool software : {false, true})
            {
                RankConfig c = MakeConfig(transport, software);
                c.credits = 12;
                c.window = 9;
                c.creditThreshold = 3;
                const uint32_t writes = software && transport != Transport::UD ? 9 : 0;
                Expect(c.GetReceives(),
                       software ? 9 + 9 + writes : 12 + 4,
                       "number of receives for a peer");
            }
        }
        // C-amb-6: the smallest buffer of 2, 4 or 8 KiB for the first segment of a message; for
        // data of a large one, a segment's part of the largest buffer.
        messaging::Frame segment;
        segment.header = 48;
        segment.kind = static_cast<uint8_t>(FrameKind::EAGER);
        segment.payload = 1000;
        const RankConfig charge = MakeConfig(Transport::RC, true);
        Expect(charge.GetCharge(segment, 5000), 0U, "later segments are charged nothing");
        segment.flags = FIRST;
        for (const uint32_t room : {2048, 4096, 8192})
        {
            Expect(charge.GetCharge(segment, room - 1048),
                   room,
                   "the smallest buffer in which the message fits");
            Expect(charge.GetCharge(segment, room - 1047),
                   std::min(2 * room, 8192U),
                   "the next larger buffer");
        }
        segment.kind = static_cast<uint8_t>(FrameKind::DATA);
        for (const auto& [mtu, parts] :
             {std::pair{8192U, 1U}, {4096U, 2U}, {4095U, 3U}, {2048U, 4U}})
        {
            RankConfig large = charge;
            large.traits.mtu = mtu;
            Expect(large.GetCharge(segment, 0),
                   8192 / parts,
                   "a segment's part of the largest buffer");
        }
        Play play(MakeConfig(Transport::RC, false));
        play.cores[0].OnFrame(2, messaging::Frame{}, play.books[0]);
        Expect(play.books[0].delivered.empty(),
               true,
               "a frame of a nonexistent rank delivers nothing");
        const auto before = messaging::GetState(play.cores[0]);
        messaging::Frame unknown;
        unknown.kind = N_FRAME_KINDS;
        unknown.aux = 1;
        play.cores[0].OnFrame(1, unknown, play.books[0]);
        Expect((messaging::GetState(play.cores[0]) == before), true, "a kind that is not there");
    }

    /** A lost peer. */
    void GiveUp()
    {
        RankConfig config = MakeReliable(Transport::UC);
        config.maxRetries = 3;
        Play play(config, 3);
        play.Send(0, 1, 1);
        play.Send(0, 1, 2, 9000);
        play.Send(0, 2, 3);
        play.Step(0, 2);
        play.Tick(2);
        play.Step(2);
        play.Tick(0, 11);
        Expect(play.books[0].ended,
               "1 SENT 3 SENT 3 DELIVERED ",
               "no failure within three retries");
        play.Tick(0);
        Expect(play.books[0].ended,
               "1 SENT 3 SENT 3 DELIVERED 1 FAILED 2 FAILED ",
               "a failure after three retries");
        Expect(play.Send(0, 1, 4), Acceptance::REFUSED, "sends to the lost peer are refused");
        Expect(play.Send(0, 2, 5), Acceptance::ACCEPTED, "sends to others are accepted");
        play.Send(0, 2, 6, 9000);
        const auto& start = play.books[0].sent.back().frame;
        Expect(static_cast<FrameKind>(start.kind),
               FrameKind::RTS,
               "a large message begins with an RTS");
        Expect(GetHighWord(start.contents) & INDEX_BITS,
               0,
               "it takes the entry of the failed message");

        // A sender lost before its data: only the matched receive fails.
        config.matching = true;
        Play gone(config, 3);
        gone.Receive(1, 0, 9);
        gone.Receive(1, 2, 8);
        gone.Send(0, 1, 1, 100000);
        gone.Step(0);
        gone.Tick(1, 20);
        Expect(gone.books[1].ended, "9 FAILED ", "the matched receive fails");
        gone.Send(2, 1, 2);
        gone.Step(2);
        Expect(gone.books[1].ended,
               "9 FAILED 8 DELIVERED ",
               "the receive from another sender ends");
    }

    /** Memory of a lost peer is reused: messages of other peers take no more memory. */
    void GiveBack()
    {
        RankConfig config = MakeReliable(Transport::UC);
        config.maxRetries = 1;
        config.window = 6;
        config.creditThreshold = 3;
        Play play(config, 3);
        const auto fill = [&play](Peer peer) {
            // Six messages in flight and two waiting, two of them large; eight early frames.
            for (RequestId id = 0; id < 8; ++id)
            {
                play.Send(0, peer, id, id < 2 ? 9000 : 8);
            }
            for (uint16_t id = 2; id < 10; ++id)
            {
                play.Arrive(peer, {.to = 0, .frame = {.id = id, .payload = 8}});
            }
        };
        for (const Peer peer : {1, 2})
        {
            play.Arrive(peer, {.to = 0, .frame = {.kind = static_cast<uint8_t>(FrameKind::ACK)}});
        }
        fill(1);
        const uint64_t memory = play.cores[0].GetMemory();
        play.Tick(0, 20);
        Expect(play.Count(0, Event::PEER_LOST), 1, "the peer is lost");
        Expect(play.cores[0].GetNUnacknowledged(), 0, "no segment waits for an ACK");
        Expect(play.cores[0].GetBacklog(), 0, "the backlog is empty");
        fill(2);
        Expect(play.cores[0].GetMemory(), memory, "no further memory is taken");
    }

    /** A port that is busy. */
    void Busy()
    {
        for (const bool reliability : {false, true})
        {
            RankConfig config = MakeConfig(Transport::UC, reliability);
            config.matching = false;
            config.maxBacklog = 3;
            Play play(config);
            play.books[0].busy = true;
            for (RequestId id = 0; id < 3; ++id)
            {
                Expect(play.Send(0, 1, id),
                       Acceptance::ACCEPTED,
                       "accepted below the limit of the backlog");
            }
            Expect(play.Send(0, 1, 3), Acceptance::STALLED, "stalled at the limit of the backlog");
            play.books[0].busy = false;
            play.cores[0].OnReady(play.books[0]);
            Expect(play.cores[0].CanAccept(), true, "accepted again once the backlog is sent");
            play.books[1].busy = true;
            for (RequestId id = 4; id < 20; ++id)
            {
                play.Send(0, 1, id);
                play.Run();
            }
            Expect(play.ListInFlight(1), "", "no explicit ACK through a busy port");
            play.books[1].busy = false;
            play.cores[1].OnReady(play.books[1]);
            Expect(play.ListInFlight(1),
                   "CREDIT ack 19",
                   "the explicit ACK is sent when the port is ready");
        }
    }

    /** Contradictions. */
    void Input()
    {
        RankConfig config;
        Expect(config.Check(), "", "the defaults are valid");
        const auto wrong = [this](auto set) {
            RankConfig config = MakeConfig(Transport::UD, true);
            set(config);
            Expect(config.Check().empty(), false, "a contradiction gives an error message");
        };
        wrong([](RankConfig& c) { c.traits.mtu = 36; });
        wrong([](RankConfig& c) { c.credits = 0; });
        wrong([](RankConfig& c) { c.window = 40000; });
        wrong([](RankConfig& c) { c.creditThreshold = 400; });
        wrong([](RankConfig& c) { c.window = 50; });
        wrong([](RankConfig& c) { c.periods = 0; });
        Play play(config);
        Expect(play.Send(0, 2, 1), Acceptance::REFUSED, "a nonexistent rank is refused");
        Expect(play.Receive(0, 2, 1), Acceptance::REFUSED, "a nonexistent rank is refused");
        Expect(play.Send(0, 1, 1, 8, ANY_TAG),
               Acceptance::REFUSED,
               "ANY_TAG is refused for a message");
    }

  private:
    void DoRun() override
    {
        (this->*m_run)();
    }

    void (RuleTest::*m_run)(); ///< Check of the rule.
};

/** The suite. */
class CoreTestSuite : public TestSuite
{
  public:
    CoreTestSuite()
        : TestSuite("mpi-ranks-core", Type::UNIT)
    {
        const auto add = [this](const std::string& rule, void (RuleTest::*run)()) {
            AddTestCase(new RuleTest(rule, run), TestCase::Duration::QUICK);
        };
        add("C-03, C-06: properties of the transports", &RuleTest::Transports);
        add("Eager, native: one frame, no timer, no ACK", &RuleTest::EagerNative);
        add("C-07: skew and needless retries", &RuleTest::Skew);
        add("C-08: sliding window", &RuleTest::Window);
        add("C-09: time stamps and retransmission", &RuleTest::Retransmission);
        add("C-10: acknowledgements and duplicates", &RuleTest::Acknowledgement);
        add("C-10: duplicates of held frames", &RuleTest::HeldTwice);
        add("C-10: ACKs are piggybacked on all traffic", &RuleTest::Piggyback);
        add("C-10: thresholds of the ACK sweep", &RuleTest::Sweep);
        add("C-10: the sweep's count runs on from call to call", &RuleTest::RunningSweep);
        add("C-11: flow-control ACKs in all configurations", &RuleTest::FlowControl);
        add("C-11: credits and backlog", &RuleTest::Credits);
        add("Sequence numbers wrap", &RuleTest::Wrap);
        add("C-amb-6: memory and length of the queue", &RuleTest::Memory);
        add("C-11: what ends the count of owed credits", &RuleTest::OwedCredits);
        add("Limits of parameters and ranks", &RuleTest::Limits);
        add("A lost peer is given up", &RuleTest::GiveUp);
        add("The places of a lost peer", &RuleTest::GiveBack);
        add("A busy port", &RuleTest::Busy);
        add("Constants that contradict each other", &RuleTest::Input);
    }
};

/** Registers the suite. */
const CoreTestSuite g_coreTestSuite;

} // namespace
} // namespace tests
} // namespace ranks
} // namespace ns3
