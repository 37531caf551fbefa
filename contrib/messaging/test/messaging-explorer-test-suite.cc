/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-toy-cores.h"

#include "ns3/messaging-bench-datagram.h"
#include "ns3/messaging-explorer.h"
#include "ns3/test.h"

#include <memory>

/**
 * @file
 * @ingroup messaging
 * Tests of the exhaustive search: it passes what is sound, and finds each flaw by a shortest way.
 */

namespace ns3
{
namespace messaging
{
namespace tests
{
namespace
{

/**
 * Write a path.
 * @param result what a search has found
 * @return its sentence and its steps
 */
std::string
Print(const ExplorerResult& result)
{
    std::ostringstream os;
    os << result.verdict << " after " << result.states << " states: " << result.sentence;
    for (const auto& line : result.path)
    {
        os << "\n  " << line;
    }
    return os.str();
}

/**
 * Search through a pair of alternating bits, of which peer 0 sends to peer 1 and peer 1 to peer 0.
 * @param flaw how they are broken
 * @param options what may happen
 * @param messages how many messages peer 0 sends; peer 1 sends one
 * @return what was found
 */
ExplorerResult
Explore(Flaw flaw, ExplorerOptions options, uint32_t messages = 3)
{
    Explorer<AlternatingBit> explorer({AlternatingBit(0, 2, flaw), AlternatingBit(1, 2, flaw)},
                                      std::move(options));
    for (uint32_t i = 0; i < messages; ++i)
    {
        explorer.AddRequest(0, Request{i, 100 + i, 1, 8, i, 0});
    }
    explorer.AddRequest(1, Request{0, 200, 0, 8, 0, 0});
    return explorer.Run();
}

/** The alternating bit under everything it is meant to bear. */
class SoundCase : public TestCase
{
  public:
    SoundCase()
        : TestCase("the alternating bit bears loss and duplication in order")
    {
    }

  private:
    void DoRun() override
    {
        ExplorerOptions options;
        options.duplicates = UNLIMITED;
        const auto result = Explore(Flaw::NONE, options);
        NS_TEST_EXPECT_MSG_EQ(result.verdict, ExplorerVerdict::SOUND, Print(result));
        NS_TEST_EXPECT_MSG_GT(result.states, 1000, "it has seen something");
        NS_TEST_EXPECT_MSG_GT(result.reasons[AlternatingBit::REPEATED], 0, "timers have fired");
        NS_TEST_EXPECT_MSG_GT(result.reasons[AlternatingBit::OLD],
                              0,
                              "and repeated messages have arrived");
        const auto again = Explore(Flaw::NONE, options);
        NS_TEST_EXPECT_MSG_EQ(again.states, result.states, "a search can be repeated");
        NS_TEST_EXPECT_MSG_EQ(again.transitions, result.transitions, "a search can be repeated");
    }
};

/** A lossless network without room: Send says busy, and the timer repeats. */
class BusyCase : public TestCase
{
  public:
    BusyCase()
        : TestCase("a full lossless network answers busy")
    {
    }

  private:
    void DoRun() override
    {
        ExplorerOptions options;
        options.losses = 0;
        options.capacity = 1;
        const auto result = Explore(Flaw::NONE, options);
        NS_TEST_EXPECT_MSG_EQ(result.verdict, ExplorerVerdict::SOUND, Print(result));
    }
};

/** Flaws are found, by a shortest way. */
class FlawCase : public TestCase
{
  public:
    FlawCase()
        : TestCase("flaws are found by a shortest way")
    {
    }

  private:
    void DoRun() override
    {
        auto result = Explore(Flaw::IGNORES_BIT, {});
        NS_TEST_EXPECT_MSG_EQ(result.verdict, ExplorerVerdict::VIOLATED, Print(result));
        NS_TEST_EXPECT_MSG_EQ(result.sentence, "A message was delivered twice.", Print(result));
        NS_TEST_ASSERT_MSG_EQ(result.path.size(),
                              4,
                              "posted, repeated, arrived twice\n" + Print(result));
        // Either peer may be the one that posts: both paths are equally short.
        NS_TEST_EXPECT_MSG_EQ(result.path[0].substr(6, 16), " posts request 0", Print(result));
        NS_TEST_EXPECT_MSG_NE(result.path[3].find("delivers message 0 of peer"),
                              std::string::npos,
                              Print(result));
        NS_TEST_EXPECT_MSG_EQ(result.arrows.size(), 4, "two messages, two acknowledgements");
        NS_TEST_EXPECT_MSG_EQ(result.arrows[0].sent, 0, "the message is sent as it is posted");
        NS_TEST_EXPECT_MSG_EQ(result.arrows[0].ended, 1, "and arrives in the second step");
        NS_TEST_EXPECT_MSG_EQ(result.arrows[3].arrived, false, "the last one is in flight");

        result = Explore(Flaw::NEVER_REPEATS, {});
        NS_TEST_EXPECT_MSG_EQ(result.verdict, ExplorerVerdict::STUCK, Print(result));
        NS_TEST_EXPECT_MSG_EQ(result.path.size(), 2, "posted and lost\n" + Print(result));

        ExplorerOptions lossless;
        lossless.losses = 0;
        result = Explore(Flaw::NEVER_REPEATS, lossless);
        NS_TEST_EXPECT_MSG_EQ(result.verdict, ExplorerVerdict::SOUND, Print(result));

        ExplorerOptions reordering;
        reordering.reordering = true;
        result = Explore(Flaw::NONE, reordering);
        NS_TEST_EXPECT_MSG_EQ(result.verdict,
                              ExplorerVerdict::VIOLATED,
                              "one bit does not bear reordering");
    }
};

/** Limits, and a user's own invariant. */
class LimitCase : public TestCase
{
  public:
    LimitCase()
        : TestCase("limits give a clear verdict, and a user's invariant is looked at")
    {
    }

  private:
    void DoRun() override
    {
        ExplorerOptions options;
        options.maxStates = 100;
        auto result = Explore(Flaw::NONE, options);
        NS_TEST_EXPECT_MSG_EQ(result.verdict, ExplorerVerdict::GAVE_UP, Print(result));

        options = {};
        options.losses = 1;
        options.timeouts = 2;
        result = Explore(Flaw::NONE, options);
        NS_TEST_EXPECT_MSG_EQ(result.verdict,
                              ExplorerVerdict::SOUND,
                              "where timers may fire no more is no stuck state");

        Explorer<AlternatingBit> explorer({AlternatingBit(0, 2), AlternatingBit(1, 2)}, {});
        explorer.AddRequest(0, Request{0, 1, 1, 8, 0, 0});
        const AlternatingBit idle(1, 2);
        explorer.SetInvariant([idle](const std::vector<AlternatingBit>& cores) {
            return cores[1] == idle ? "" : "Peer 1 has changed.";
        });
        result = explorer.Run();
        NS_TEST_EXPECT_MSG_EQ(result.verdict, ExplorerVerdict::VIOLATED, Print(result));
        NS_TEST_EXPECT_MSG_EQ(result.path.size(), 2, "posted and arrived\n" + Print(result));
    }
};

/** What is forgotten can be done again, unless forgetting waits for what was passed. */
class SlipCase : public TestCase
{
  public:
    SlipCase()
        : TestCase("forgetting needs order, or a timer that outlasts the slip")
    {
    }

  private:
    /**
     * Search through a pair of Forgetful cores.
     * @param retention whether they remember for a while
     * @param options what may happen
     * @return what was found
     */
    static ExplorerResult Explore(bool retention, ExplorerOptions options)
    {
        Explorer<Forgetful> explorer({Forgetful(0, retention), Forgetful(1, retention)},
                                     std::move(options));
        explorer.AddRequest(0, Request{1, 11, 1, 8, 0, 0});
        explorer.AddRequest(0, Request{2, 22, 1, 8, 0, 0});
        return explorer.Run();
    }

    void DoRun() override
    {
        ExplorerOptions options;
        auto result = Explore(false, options);
        NS_TEST_EXPECT_MSG_EQ(result.verdict, ExplorerVerdict::SOUND, Print(result));
        options.reordering = true;
        result = Explore(false, options);
        NS_TEST_EXPECT_MSG_EQ(result.verdict, ExplorerVerdict::VIOLATED, Print(result));
        result = Explore(true, options);
        NS_TEST_EXPECT_MSG_EQ(result.verdict,
                              ExplorerVerdict::VIOLATED,
                              "a timer of any length is not enough");
        options.outlastsSlip = [](TimerId id) { return (id & Forgetful::RETENTION) != 0; };
        options.duplicates = 1;
        result = Explore(true, options);
        NS_TEST_EXPECT_MSG_EQ(result.verdict, ExplorerVerdict::SOUND, Print(result));
    }
};

/** A core whose copies share what they should not. */
class Leaky : public Forgetful
{
  public:
    /**
     * Constructor.
     * @param self this peer
     */
    explicit Leaky(Peer self)
        : Forgetful(self, false),
          m_shared(std::make_shared<uint64_t>(0))
    {
    }

    /**
     * Take a message, and leave a trace outside of the value.
     * @param request the message
     * @param out what is to be done
     * @return accepted
     */
    template <class Out>
    Acceptance OnRequest(const Request& request, Out& out)
    {
        m_count = ++*m_shared;
        return Forgetful::OnRequest(request, out);
    }

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const Leaky&) const = default;

  private:
    std::shared_ptr<uint64_t> m_shared; ///< Shared by all copies.
    uint64_t m_count{0};                ///< What was read there.
};

/** A core that is no value is noticed. */
class CopyCase : public TestCase
{
  public:
    CopyCase()
        : TestCase("a core that is no plain value is noticed")
    {
    }

  private:
    void DoRun() override
    {
        Explorer<Leaky> explorer({Leaky(0), Leaky(1)}, {});
        explorer.AddRequest(0, Request{1, 11, 1, 8, 0, 0});
        const auto result = explorer.Run();
        NS_TEST_EXPECT_MSG_EQ(result.verdict, ExplorerVerdict::VIOLATED, Print(result));
        NS_TEST_EXPECT_MSG_EQ(result.sentence,
                              "A core has behaved differently when it was copied.",
                              Print(result));
    }
};

/** A message to all others has arrived when it has arrived at each. */
class BroadcastCase : public TestCase
{
  public:
    BroadcastCase()
        : TestCase("a message to all others has to reach each of them once")
    {
    }

  private:
    void DoRun() override
    {
        ExplorerOptions options;
        options.duplicates = 1;
        options.losses = 2;
        for (const bool hasty : {false, true})
        {
            const std::string sentence =
                hasty ? "A message was reported as delivered before it was." : "";
            Explorer<Announcer> explorer(
                {Announcer(0, 3, hasty), Announcer(1, 3, hasty), Announcer(2, 3, hasty)},
                options);
            explorer.AddRequest(0, Request{1, 11, NO_PEER, 8, 0, 0});
            explorer.AddRequest(0, Request{2, 12, NO_PEER, 8, 0, 0});
            const auto result = explorer.Run();
            NS_TEST_EXPECT_MSG_EQ(result.verdict,
                                  (hasty ? ExplorerVerdict::VIOLATED : ExplorerVerdict::SOUND),
                                  Print(result));
            NS_TEST_EXPECT_MSG_EQ(result.sentence, sentence, Print(result));
        }
    }
};

/** What a protocol that promises nothing can be asked for all the same. */
class PromiseCase : public TestCase
{
  public:
    PromiseCase()
        : TestCase("delivery and order are looked at where they are asked for")
    {
    }

  private:
    /** Search with datagrams. @param options what may happen @return how it ends */
    static ExplorerVerdict Search(const ExplorerOptions& options)
    {
        Explorer<DatagramCore> explorer({DatagramCore(0, 8), DatagramCore(1, 8)}, options);
        explorer.AddRequest(0, Request{1, 11, 1, 8, 0, 0});
        explorer.AddRequest(0, Request{2, 12, 1, 8, 0, 0});
        return explorer.Run().verdict;
    }

    void DoRun() override
    {
        ExplorerOptions options;
        NS_TEST_EXPECT_MSG_EQ(Search(options), ExplorerVerdict::SOUND, "nothing is promised");
        options.delivered = true;
        NS_TEST_EXPECT_MSG_EQ(Search(options), ExplorerVerdict::STUCK, "and datagrams are lost");
        options.losses = 0;
        options.ordered = true;
        NS_TEST_EXPECT_MSG_EQ(Search(options), ExplorerVerdict::SOUND, "unless none are");
        options.reordering = true;
        NS_TEST_EXPECT_MSG_EQ(Search(options), ExplorerVerdict::VIOLATED, "and may pass others");
        options.ordered = false;
        NS_TEST_EXPECT_MSG_EQ(Search(options), ExplorerVerdict::SOUND, "which is no matter");
    }
};

/** An alternating bit that counts how often its timer has fired, and makes nothing of it. */
class Counting : public AlternatingBit
{
  public:
    /**
     * Constructor.
     * @param self this peer
     */
    explicit Counting(Peer self)
        : AlternatingBit(self, 2)
    {
    }

    /** A timer has fired. @param id which @param out what is to be done */
    template <class Out>
    void OnTimer(TimerId id, Out& out)
    {
        ++m_count;
        AlternatingBit::OnTimer(id, out);
    }

    /** Write the canonical state. @param e where to */
    void Encode(Encoder& e) const
    {
        AlternatingBit::Encode(e);
        e.Put(m_count);
    }

    /** Count from zero. */
    void Restart()
    {
        m_count = 0;
    }

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const Counting&) const = default;

  private:
    uint64_t m_count{0}; ///< How often.
};

/** What counts without bound is renumbered. */
class RenumberingCase : public TestCase
{
  public:
    RenumberingCase()
        : TestCase("a count without bound is renumbered away")
    {
    }

  private:
    void DoRun() override
    {
        ExplorerOptions options;
        options.maxStates = 5000;
        const auto plain = Explore(Flaw::NONE, options);
        for (const bool renumbered : {false, true})
        {
            Explorer<Counting> explorer({Counting(0), Counting(1)}, options);
            for (uint32_t i = 0; i < 3; ++i)
            {
                explorer.AddRequest(0, Request{i, 100 + i, 1, 8, i, 0});
            }
            explorer.AddRequest(1, Request{0, 200, 0, 8, 0, 0});
            if (renumbered)
            {
                explorer.SetRenumbering([](auto& cores, auto&) {
                    cores[0].Restart();
                    cores[1].Restart();
                });
            }
            const auto result = explorer.Run();
            NS_TEST_EXPECT_MSG_EQ(result.verdict,
                                  (renumbered ? ExplorerVerdict::SOUND : ExplorerVerdict::GAVE_UP),
                                  Print(result));
            if (renumbered)
            {
                NS_TEST_EXPECT_MSG_EQ(result.states, plain.states, "as if nothing were counted");
            }
        }
    }
};

/** Any number of threads gives the same verdict, the same numbers and the same path. */
class ThreadsCase : public TestCase
{
  public:
    ThreadsCase()
        : TestCase("threads do not change what a search gives")
    {
    }

  private:
    void DoRun() override
    {
        for (const auto flaw : {Flaw::NONE, Flaw::IGNORES_BIT, Flaw::NEVER_REPEATS})
        {
            ExplorerOptions options;
            options.duplicates = flaw == Flaw::NONE ? UNLIMITED : 0;
            options.capacity = 3;
            options.reordering = flaw == Flaw::IGNORES_BIT;
            const auto alone = Explore(flaw, options);
            for (const uint32_t threads : {2, 5})
            {
                options.threads = threads;
                const auto together = Explore(flaw, options);
                NS_TEST_EXPECT_MSG_EQ(together.verdict, alone.verdict, Print(together));
                NS_TEST_EXPECT_MSG_EQ(together.states, alone.states, Print(together));
                NS_TEST_EXPECT_MSG_EQ(together.transitions, alone.transitions, Print(together));
                NS_TEST_EXPECT_MSG_EQ(together.memory, alone.memory, Print(together));
                NS_TEST_EXPECT_MSG_EQ(Print(together), Print(alone), "the path");
            }
        }
    }
};

/** A core whose request is over once its first timer has fired twice without the other between. */
class Impatient
{
  public:
    /** @param disturbed whether there is another timer */
    explicit Impatient(bool disturbed)
        : m_disturbed(disturbed)
    {
    }

    /** Arm the timers. @param out what is to be done @return accepted */
    template <class Out>
    Acceptance OnRequest(const Request&, Out& out)
    {
        out.Arm(FIRST, 1);
        if (m_disturbed)
        {
            out.Arm(OTHER, 1);
        }
        return Acceptance::ACCEPTED;
    }

    /** It sends no frames. */
    template <class Out>
    void OnFrame(Peer, const Frame&, Out&)
    {
    }

    /** A timer has fired. @param id which @param out what is to be done */
    template <class Out>
    void OnTimer(TimerId id, Out& out)
    {
        if (id == FIRST && m_half)
        {
            out.Cancel(OTHER);
            out.Complete(0, Completion::SENT);
            return;
        }
        m_half = id == FIRST;
        out.Arm(id, 1);
    }

    /** It requests no work. */
    template <class Out>
    void OnDone(WorkId, Out&)
    {
    }

    /** It sends no frames. */
    template <class Out>
    void OnReady(Out&)
    {
    }

    /** Write the canonical state. @param e where to */
    void Encode(Encoder& e) const
    {
        e.Put(m_half ? 1 : 0);
    }

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const Impatient&) const = default;

  private:
    static constexpr TimerId FIRST = 1; ///< Has to fire twice.
    static constexpr TimerId OTHER = 2; ///< Begins anew.

    bool m_disturbed;   ///< There is another timer.
    bool m_half{false}; ///< The first timer was the last that fired.
};

/** A cycle without an end is found if it is fair, and only then. */
class FairCase : public TestCase
{
  public:
    FairCase()
        : TestCase("a livelock is found, and a cycle that no fair network repeats is none")
    {
    }

  private:
    void DoRun() override
    {
        for (const bool disturbed : {false, true})
        {
            ExplorerOptions options;
            Explorer<Impatient> possible({Impatient(disturbed)}, options);
            possible.AddRequest(0, Request{0, 1, 0, 8, 0, 0});
            auto result = possible.Run();
            NS_TEST_EXPECT_MSG_EQ(result.verdict, ExplorerVerdict::SOUND, Print(result));
            options.fair = true;
            Explorer<Impatient> certain({Impatient(disturbed)}, options);
            certain.AddRequest(0, Request{0, 1, 0, 8, 0, 0});
            result = certain.Run();
            NS_TEST_EXPECT_MSG_EQ(result.verdict,
                                  (disturbed ? ExplorerVerdict::LIVELOCK : ExplorerVerdict::SOUND),
                                  Print(result));
            const auto repeated =
                std::count_if(result.steps.begin(), result.steps.end(), [](const auto& step) {
                    return step.repeats && step.kind == EventKind::TIMEOUT;
                });
            NS_TEST_EXPECT_MSG_EQ(repeated, (disturbed ? 2 : 0), "each timer in turn");
        }
        // Losses and time-outs without end are no livelock, since faults cease.
        ExplorerOptions options;
        options.fair = true;
        Explorer<AlternatingBit> explorer({AlternatingBit(0, 2), AlternatingBit(1, 2)}, options);
        explorer.AddRequest(0, Request{0, 1, 1, 8, 0, 0});
        explorer.AddRequest(0, Request{1, 2, 1, 8, 0, 0});
        const auto result = explorer.Run();
        NS_TEST_EXPECT_MSG_EQ(result.verdict, ExplorerVerdict::SOUND, Print(result));
    }
};

/** The suite. */
class ExplorerTestSuite : public TestSuite
{
  public:
    ExplorerTestSuite()
        : TestSuite("messaging-explorer", Type::UNIT)
    {
        AddTestCase(new SoundCase, TestCase::Duration::QUICK);
        AddTestCase(new BusyCase, TestCase::Duration::QUICK);
        AddTestCase(new FlawCase, TestCase::Duration::QUICK);
        AddTestCase(new LimitCase, TestCase::Duration::QUICK);
        AddTestCase(new SlipCase, TestCase::Duration::QUICK);
        AddTestCase(new CopyCase, TestCase::Duration::QUICK);
        AddTestCase(new BroadcastCase, TestCase::Duration::QUICK);
        AddTestCase(new PromiseCase, TestCase::Duration::QUICK);
        AddTestCase(new RenumberingCase, TestCase::Duration::QUICK);
        AddTestCase(new ThreadsCase, TestCase::Duration::QUICK);
        AddTestCase(new FairCase, TestCase::Duration::QUICK);
    }
};

ExplorerTestSuite g_explorerTestSuite; ///< Registers itself.

} // namespace
} // namespace tests
} // namespace messaging
} // namespace ns3
