/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mpi-ranks-notebook.h"

#include <functional>
#include <set>

/**
 * @file
 * @ingroup mpi-ranks
 * Every state of a large message and of a sequence of frames, with every event; and tag matching
 * against a plain list.
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

/** Large messages, state by state. */
class RendezvousStatesTest : public ExpectTest
{
  public:
    RendezvousStatesTest()
        : ExpectTest("C-12, C-13: every state of a rendezvous x every frame of it")
    {
    }

  private:
    static constexpr Peer SENDER = 0;   ///< Sender of the large message.
    static constexpr Peer RECEIVER = 1; ///< Its receiver.

    /** State of one side after an event. */
    struct Outcome
    {
        std::string ended;   ///< Ended requests.
        std::string sent;    ///< Sent frames.
        uint64_t illegal{0}; ///< Noted LATE_CONTROL and LATE_WRITE.
    };

    /** State of a rendezvous. */
    struct State
    {
        std::string name;              ///< Its name.
        std::vector<FrameKind> before; ///< Frames delivered before.
    };

    /** A state, a frame in it, and the expected outcome. */
    struct Row
    {
        State state;         ///< The state.
        FrameKind kind;      ///< Kind of the frame.
        std::string ended;   ///< Requests that it ends.
        std::string sent;    ///< Frames sent in answer.
        uint64_t illegal{0}; ///< Notes that it is illegal.
    };

    /**
     * Check the rows of a table.
     * @param config the constants
     * @param to the rank that receives the frames
     * @param rows the rows
     */
    void CheckRows(const RankConfig& config, Peer to, const std::vector<Row>& rows)
    {
        for (const auto& [state, kind, ended, sent, illegal] : rows)
        {
            std::ostringstream event;
            event << state.name << ", " << kind << " arrives: ";
            const Outcome outcome = Deliver(config, state.before, to, kind);
            Expect(outcome.ended, ended, event.str() + "ended requests");
            Expect(outcome.sent, sent, event.str() + "sent frames");
            Expect(outcome.illegal, illegal, event.str() + "noted as illegal");
        }
    }

    /**
     * Deliver the first frame of a kind, of either sender.
     * @param play the ranks
     * @param kind the kind
     */
    static void DeliverFirst(Play& play, FrameKind kind)
    {
        for (Peer rank = 0; rank < 2; ++rank)
        {
            for (std::size_t i = 0; i < play.books[rank].sent.size(); ++i)
            {
                if (play.books[rank].sent[i].frame.kind == static_cast<uint8_t>(kind))
                {
                    play.Step(rank, i);
                    return;
                }
            }
        }
    }

    /**
     * Deliver a frame of the rendezvous to one of two ranks.
     * @param config the constants
     * @param before previously delivered frames of a rendezvous from 0 to 1
     * @param to the rank
     * @param kind the frame's kind
     * @return the outcome
     */
    static Outcome Deliver(const RankConfig& config,
                           const std::vector<FrameKind>& before,
                           Peer to,
                           FrameKind kind)
    {
        Play play(config);
        play.Receive(1, 0, 9);
        if (!before.empty())
        {
            play.Send(0, 1, 7, 8192);
        }
        for (const auto wanted : before)
        {
            DeliverFirst(play, wanted);
        }
        play.books[0].sent.clear();
        play.books[1].sent.clear();
        Frame frame{.id = play.cores[to].GetExpected(1 - to),
                    .contents = 0,
                    .payload = kind == FrameKind::RDMA_DATA ? 8192U : 0U,
                    .aux = 0,
                    .header = FIN_HEADER,
                    .kind = static_cast<uint8_t>(kind),
                    .flags = FIRST | LAST};
        // The first entries of both pools, in their first use.
        const std::string endedBefore = play.books[to].ended;
        const uint64_t illegal =
            play.Count(to, Event::LATE_CONTROL) + play.Count(to, Event::LATE_WRITE);
        play.Arrive(1 - to, {.to = to, .frame = frame});
        return {play.books[to].ended.substr(endedBefore.size()),
                play.ListInFlight(to),
                play.Count(to, Event::LATE_CONTROL) + play.Count(to, Event::LATE_WRITE) - illegal};
    }

    void DoRun() override
    {
        using K = FrameKind;
        // States, each with the frames that were delivered before.
        const State none{"no message", {}};
        const State requested{"RTS sent", {K::RTS}};
        const State granted{"CTS sent", {K::RTS, K::CTS}};
        const State written{"data written", {K::RTS, K::CTS, K::RDMA_DATA}};
        const State finished{"FIN arrived", {K::RTS, K::CTS, K::FIN}};
        const State over{"complete", {K::RTS, K::CTS, K::RDMA_DATA, K::FIN}};
        // At the sender, DONE and NACK are valid after CTS.
        const std::vector<Row> sender{
            {none, K::CTS, "", "", 1},
            {none, K::DONE, "", "", 1},
            {none, K::NACK, "", "", 1},
            {none, K::FIN, "", "", 1},
            {none, K::DATA, "", "", 1},
            {requested, K::CTS, "", "RDMA_DATA, FIN 1 ack 1", 0},
            {requested, K::DONE, "", "", 1},
            {requested, K::NACK, "", "", 1},
            {granted, K::DONE, "7 DELIVERED ", "", 0},
            {granted, K::NACK, "", "RDMA_DATA", 0},
            {granted, K::CTS, "", "", 1},
        };
        const std::vector<Row> receiver{
            {none, K::RDMA_DATA, "", "", 1},
            {none, K::FIN, "", "", 1},
            {none, K::DATA, "", "", 1},
            {requested, K::RDMA_DATA, "", "", 0},
            {written, K::RDMA_DATA, "", "", 0},
            {over, K::RDMA_DATA, "", "", 1},
            {over, K::FIN, "", "", 1},
        };
        // With reliability, FIN waits for the data; over RC it completes the message.
        const std::vector<Row> reliableReceiver{
            {requested, K::FIN, "", "", 0},
            {written, K::FIN, "9 DELIVERED ", "DONE 1 ack 2", 0},
            {finished, K::RDMA_DATA, "9 DELIVERED ", "DONE 1 ack 2", 0},
            {finished, K::FIN, "", "", 1},
        };
        const std::vector<Row> nativeReceiver{{requested, K::FIN, "9 DELIVERED ", "", 0}};
        const RankConfig uc = MakeConfig(Transport::UC, true);
        const RankConfig rc = MakeConfig(Transport::RC, false);
        for (const RankConfig& config : {uc, rc})
        {
            CheckRows(config, SENDER, sender);
            CheckRows(config, RECEIVER, receiver);
        }
        CheckRows(uc, RECEIVER, reliableReceiver);
        CheckRows(rc, RECEIVER, nativeReceiver);
    }
};

/** Frames in order, after, or ahead of it. */
class SequenceStatesTest : public ExpectTest
{
  public:
    SequenceStatesTest()
        : ExpectTest("C-10: every mode x every place of a frame in the order")
    {
    }

  private:
    void DoRun() override
    {
        // Counts at the receiver for {next, old, ahead by one, the same again, beyond the window}.
        struct Row
        {
            RankConfig config;             ///< Mode.
            std::array<uint64_t, 5> taken; ///< Delivered messages after each.
            std::array<uint64_t, 5> acked; ///< Explicit ACKs after each.
            Event last;                    ///< Event counted for the last frame.
        };

        RankConfig reliable = MakeConfig(Transport::UC, true);
        RankConfig ordered = MakeConfig(Transport::UC, false);
        RankConfig paths = MakeConfig(Transport::UC, false, 2048, 2);
        for (const Row& row : {Row{reliable, {1, 1, 1, 1, 1}, {0, 1, 1, 2, 2}, Event::OVERRUN},
                               Row{ordered, {1, 1, 2, 2, 3}, {0, 0, 0, 0, 0}, Event::HOLE},
                               Row{paths, {1, 1, 1, 1, 1}, {0, 0, 0, 0, 0}, Event::OVERRUN}})
        {
            RankConfig config = row.config;
            config.matching = false;
            config.reorderWindow = 20;
            Play play(config);
            Play edge(config);
            for (RequestId id = 0; id < 40; ++id)
            {
                play.Send(0, 1, id);
                edge.Send(0, 1, id);
            }
            // The window of 20 begins at 1: 20 is its last number, and 21 is beyond.
            edge.Step(0);
            edge.Step(0, 19);
            Expect(edge.Count(1, Event::OVERRUN), 0, "the last of the window");
            const std::array<std::size_t, 5> order{0, 0, 2, 2, 21};
            for (std::size_t i = 0; i < order.size(); ++i)
            {
                const uint64_t before = play.Count(1, row.last);
                play.Arrive(0, play.books[0].sent[order[i]]);
                Expect(play.books[1].delivered.size(), row.taken[i], "taken");
                Expect(play.Count(1, Event::RELIABILITY_ACK), row.acked[i], "acknowledged");
                Expect(play.Count(1, row.last) > before,
                       i == 4 || (row.last == Event::HOLE && i == 2),
                       "noted");
            }
        }
    }
};

/** Tag matching against a plain list. */
class MatchingTest : public ExpectTest
{
  public:
    MatchingTest()
        : ExpectTest("Tag matching finds what a search through a list finds")
    {
    }

  private:
    void DoRun() override
    {
        uint64_t seed = 1;
        const auto draw = [&seed](uint32_t n) {
            seed = seed * 6364136223846793005 + 1442695040888963407;
            return static_cast<uint32_t>(seed >> 33) % n;
        };
        for (const bool wildEntries : {false, true})
        {
            MatchQueue queue;
            std::vector<Envelope> list;
            for (uint64_t i = 0; i < 20000; ++i)
            {
                const bool wildSource = draw(5) == 0;
                const bool wildTag = draw(5) == 0;
                const Peer source = draw(200);
                const uint32_t tag = draw(3);
                if (draw(2) == 0)
                {
                    Envelope entry{.delivery = {.id = i, .from = source, .tag = tag}};
                    entry.delivery.from = wildEntries && wildSource ? ANY_SOURCE : source;
                    entry.delivery.tag = wildEntries && wildTag ? ANY_TAG : tag;
                    queue.Add(entry);
                    list.push_back(entry);
                    continue;
                }
                const Peer wanted = !wildEntries && wildSource ? ANY_SOURCE : source;
                const uint32_t wantedTag = !wildEntries && wildTag ? ANY_TAG : tag;
                auto found = list.begin();
                for (; found != list.end(); ++found)
                {
                    const auto& entry = found->delivery;
                    if ((entry.from == wanted || entry.from == ANY_SOURCE ||
                         wanted == ANY_SOURCE) &&
                        (entry.tag == wantedTag || entry.tag == ANY_TAG || wantedTag == ANY_TAG))
                    {
                        break;
                    }
                }
                Envelope taken;
                const bool any = queue.Take(wanted, wantedTag, taken);
                Expect(any, found != list.end(), "found");
                if (found != list.end())
                {
                    Expect(taken.delivery.id, found->delivery.id, "the oldest");
                    list.erase(found);
                }
                Expect(queue.GetSize(), list.size(), "size");
            }
        }
    }
};

/** Order of MPI. */
class OrderTest : public ExpectTest
{
  public:
    OrderTest()
        : ExpectTest("Messages of one source do not overtake each other, large or small")
    {
    }

  private:
    void DoRun() override
    {
        Play play(MakeConfig(Transport::UC, true), 3);
        play.Send(0, 2, 1, 9000, 4);
        play.Send(0, 2, 2, 10, 4);
        play.Send(1, 2, 3, 10, 4);
        play.Run();
        Expect(play.cores[2].GetNUnexpected(), 3, "all unexpected");
        play.Receive(2, 0, 10, ANY_TAG);
        play.Receive(2, ANY_SOURCE, 11, 4);
        play.Receive(2, ANY_SOURCE, 12, 5);
        play.Receive(2, ANY_SOURCE, 13, 4);
        play.Run();
        Expect(play.books[2].ended, "11 DELIVERED 13 DELIVERED 10 DELIVERED ", "oldest first");
        Expect(play.books[2].delivered[0].contents, 1002, "the second goes to the second");
        Expect(play.books[2].delivered[2].contents, 1001, "the large one goes to the first");
        play.cores[2].OnMessage({.id = 0, .contents = 77, .from = 1, .bytes = 4, .tag = 5},
                                play.books[2]);
        Expect(play.books[2].delivered.back().contents, 77, "shared memory is matched alike");
    }
};

/** Encodings by which a search compares states. */
class WordsTest : public ExpectTest
{
  public:
    WordsTest()
        : ExpectTest("States that will behave differently have different words")
    {
    }

  private:
    using Histories = std::vector<std::function<void(Play&)>>; ///< Events of rank 0 of three.

    /**
     * Count the states reached by histories, by their encodings.
     * @param config the constants
     * @param histories the histories
     * @return the number
     */
    static std::size_t CountStates(const RankConfig& config, const Histories& histories)
    {
        std::set<std::vector<uint64_t>> states;
        for (const auto& history : histories)
        {
            Play play(config, 3);
            history(play);
            states.insert(messaging::GetState(play.cores[0]));
        }
        return states.size();
    }

    /**
     * Check that all states have different encodings.
     * @param config the constants
     * @param histories the histories that reach them
     * @param description of the difference
     */
    void CheckDistinct(const RankConfig& config,
                       const Histories& histories,
                       const std::string& what)
    {
        Expect(CountStates(config, histories), histories.size(), what);
    }

    /**
     * @param kind kind of the frame
     * @param contents contents of its header
     * @param aux its tag or number
     * @return a history: the first frame of rank 1
     */
    static std::function<void(Play&)> Arrival(FrameKind kind, uint64_t contents, uint32_t aux = 0)
    {
        return [=](Play& play) {
            Frame frame{.contents = contents, .payload = 8, .aux = aux};
            frame.kind = static_cast<uint8_t>(kind);
            frame.flags = FIRST | LAST;
            play.Arrive(1, {.to = 0, .frame = frame});
        };
    }

    /**
     * @param first a history
     * @param second its continuation
     * @return both
     */
    static std::function<void(Play&)> Join(std::function<void(Play&)> first,
                                           std::function<void(Play&)> second)
    {
        return [=](Play& play) {
            first(play);
            second(play);
        };
    }

    /** Arrived messages, waiting receives, and messages held up by a busy port. */
    void Messages()
    {
        using K = FrameKind;
        const RankConfig native = MakeConfig(Transport::RC, false);
        const uint64_t large = 9000;
        CheckDistinct(native,
                      {Arrival(K::EAGER, 1),
                       Arrival(K::EAGER, 2),
                       Arrival(K::EAGER, 1, 1),
                       Arrival(K::RTS, large),
                       Arrival(K::RTS, large + 1),
                       Arrival(K::RTS, large | uint64_t{1} << 32)},
                      "a message without a receive");
        const auto receive = [](Peer source, RequestId id, uint32_t tag) {
            return [=](Play& play) { play.Receive(0, source, id, tag); };
        };
        CheckDistinct(native,
                      {receive(1, 9, 0),
                       receive(2, 9, 0),
                       receive(ANY_SOURCE, 9, 0),
                       receive(1, 8, 0),
                       receive(1, 9, 1),
                       receive(1, 9, ANY_TAG),
                       Join(receive(1, 9, 0), receive(1, 8, 0)),
                       Join(receive(1, 8, 0), receive(1, 9, 0))},
                      "a receive without a message");
        RankConfig plain = native;
        plain.matching = false;
        const auto send = [](Peer to, RequestId id, uint32_t bytes, uint32_t tag) {
            return [=](Play& play) {
                play.books[0].busy = true;
                play.Send(0, to, id, bytes, tag);
            };
        };
        CheckDistinct(plain,
                      {send(1, 1, 8, 0),
                       send(2, 1, 8, 0),
                       send(1, 2, 8, 0),
                       send(1, 1, 9, 0),
                       send(1, 1, 8, 1),
                       send(1, 1, 9000, 0),
                       send(1, 2, 9000, 0),
                       Join(send(1, 1, 8, 0), send(1, 2, 8, 0)),
                       Join(send(1, 2, 8, 0), send(1, 1, 8, 0))},
                      "a message that waits for the port");
        // A CTS contains the index for the data; an early frame waits for others.
        const auto ask = [](Play& play) { play.Send(0, 1, 1, 9000); };
        CheckDistinct(
            native,
            {ask, Join(ask, Arrival(K::CTS, 0)), Join(ask, Arrival(K::CTS, uint64_t{1} << 32))},
            "a large message");
        const auto early = [](std::size_t which) {
            return [=](Play& play) {
                for (RequestId id = 1; id <= 3; ++id)
                {
                    play.Send(1, 0, id);
                }
                play.Step(1, which);
            };
        };
        CheckDistinct(MakeConfig(Transport::UC, true), {early(1), early(2)}, "a frame held");
    }

    /** Frames since the last sweep, as far as they are distinguished. */
    void Sweeps()
    {
        RankConfig config = MakeConfig(Transport::RC, false);
        config.sweepMessages = 2;
        config.sweepPolled = 3;
        const auto receive = [](uint32_t frames) {
            return [=](Play& play) {
                Frame frame{.kind = static_cast<uint8_t>(FrameKind::CREDIT)};
                for (uint32_t n = 0; n < frames; ++n)
                {
                    play.Arrive(1, {.to = 0, .frame = frame});
                }
            };
        };
        CheckDistinct(config,
                      {receive(1), receive(2), receive(3), receive(4)},
                      "up to more than sweepPolled");
        Expect(CountStates(config, {receive(4), receive(5)}), 1, "more frames make no difference");
    }

    /** Progress of a large message at its receiver. */
    void Landings()
    {
        using K = FrameKind;
        const RankConfig paths = MakeConfig(Transport::UC, false, 2048, 2);
        const auto cleared = Join([](Play& play) { play.Receive(0, 1, 9); }, Arrival(K::RTS, 9000));
        const auto finished = Join(cleared, [](Play& play) {
            Frame frame{.id = 1, .kind = static_cast<uint8_t>(K::FIN)};
            play.Arrive(1, {.to = 0, .frame = frame});
        });
        Histories histories{cleared,
                            Join(cleared, Arrival(K::RDMA_DATA, 1)),
                            Join(cleared, Arrival(K::RDMA_DATA, 2))};
        // It waits for its data until the timeout, and no longer.
        for (uint32_t age = 0; age <= paths.periods; ++age)
        {
            histories.push_back(Join(finished, [age](Play& play) { play.Tick(0, age); }));
        }
        CheckDistinct(paths, histories, "what has arrived, and since when");
        Expect(CountStates(paths, {cleared, Join(cleared, Arrival(K::EAGER, 1))}),
               2,
               "a frame more");
    }

    /** Ages that cause a retransmission, and the number of retransmissions. */
    void Ages()
    {
        RankConfig config = MakeConfig(Transport::UC, true);
        config.maxRetries = 9;
        const auto wait = [](uint32_t periods, bool busy) {
            return [=](Play& play) {
                play.Send(0, 1, 1);
                play.books[0].busy = busy;
                play.Tick(0, periods);
            };
        };
        Histories histories;
        for (uint32_t age = 0; age <= config.periods + 1; ++age)
        {
            histories.push_back(wait(age, true));
        }
        CheckDistinct(config, histories, "not old, up to old");
        Expect(
            CountStates(config, {wait(config.periods + 1, true), wait(config.periods + 2, true)}),
            1,
            "old is old");
        CheckDistinct(config,
                      {wait(0, false), wait(config.periods + 1, false)},
                      "sent once, and once again");
    }

    /**
     * Messages of a call, and since the last sweep: each number up to the one that ends a count.
     */
    void Counts()
    {
        RankConfig config = MakeConfig(Transport::UC, true);
        config.creditThreshold = 60;
        config.sweepMessages = 3;
        config.sweepPolled = 5;
        const auto receive = [](uint32_t before, uint32_t after) {
            return [=](Play& play) {
                for (uint32_t n = 0; n < before + after; ++n)
                {
                    play.Send(1, 0, n);
                    play.Step(1);
                    if (n + 1 == before)
                    {
                        play.cores[0].OnProgressEnd(play.books[0]);
                    }
                }
            };
        };
        // Of six messages, the last ones in an unfinished call: four of them will cause a sweep.
        config.sweepCount = SweepCount::CALL;
        CheckDistinct(config,
                      {receive(6, 0), receive(5, 1), receive(4, 2), receive(3, 3), receive(2, 4)},
                      "of a call");
        CheckDistinct(config, {receive(0, 3), receive(3, 0)}, "in a call, and behind it");
        // Of nine, as many after a sweep caused by four messages.
        config.sweepCount = SweepCount::RUNNING;
        CheckDistinct(config,
                      {receive(8, 1), receive(7, 2), receive(6, 3), receive(5, 4)},
                      "of all");
    }

    void DoRun() override
    {
        Messages();
        Sweeps();
        Landings();
        Ages();
        Counts();
    }
};

/** The suite. */
class StatesTestSuite : public TestSuite
{
  public:
    StatesTestSuite()
        : TestSuite("mpi-ranks-states", Type::UNIT)
    {
        AddTestCase(new RendezvousStatesTest, TestCase::Duration::QUICK);
        AddTestCase(new SequenceStatesTest, TestCase::Duration::QUICK);
        AddTestCase(new MatchingTest, TestCase::Duration::QUICK);
        AddTestCase(new OrderTest, TestCase::Duration::QUICK);
        AddTestCase(new WordsTest, TestCase::Duration::QUICK);
    }
};

/** Registers the suite. */
const StatesTestSuite g_statesTestSuite;

} // namespace
} // namespace tests
} // namespace ranks
} // namespace ns3
