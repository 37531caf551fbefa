/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/messaging-datagram-core.h"
#include "ns3/messaging-scripted-host.h"
#include "ns3/messaging-search-explorer.h"
#include "ns3/messaging-search-fingerprint-set.h"
#include "ns3/messaging-search-symmetry.h"
#include "ns3/messaging-toy-cores.h"
#include "ns3/test.h"

#include <array>
#include <map>
#include <memory>

/**
 * @file
 * @ingroup messaging
 * Tests of the exhaustive search: it accepts sound protocols, and finds each flaw by a shortest
 * path.
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
 * Format a result.
 * @param result result of a search
 * @return its sentence and its steps
 */
std::string
Print(const ExplorerResult& result)
{
    std::ostringstream os;
    os << result.verdict << " after " << result.states << " states: " << result.sentence;
    for (const auto& step : result.steps)
    {
        os << "\n  " << step.text;
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

/** The alternating bit under all faults that it tolerates. */
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
        NS_TEST_EXPECT_MSG_GT(result.states, 1000, "states visited");
        NS_TEST_EXPECT_MSG_GT(result.reasons[AlternatingBit::REPEATED], 0, "timers expire");
        NS_TEST_EXPECT_MSG_GT(result.reasons[AlternatingBit::OLD], 0, "repeated messages arrive");
        const auto again = Explore(Flaw::NONE, options);
        NS_TEST_EXPECT_MSG_EQ(again.states,
                              result.states,
                              "a repeated search visits the same states");
        NS_TEST_EXPECT_MSG_EQ(again.transitions,
                              result.transitions,
                              "a repeated search has the same transitions");
    }
};

/** A lossless network without buffers: Send returns busy, and the timer repeats. */
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

/** A core that sends two frames for each message, and stalls if the port refuses either. */
class TwoFrames
{
  public:
    /** Send a message in two frames. @param request it @param out actions @return accepted */
    template <class Out>
    Acceptance OnRequest(const Request& request, Out& out)
    {
        for (const uint8_t part : {0, 1})
        {
            const Frame frame{.id = request.id,
                              .contents = request.contents,
                              .payload = request.bytes,
                              .aux = request.tag,
                              .header = 8,
                              .flags = part};
            if (!out.Send(request.to, frame))
            {
                return Acceptance::STALLED;
            }
        }
        out.Complete(request.id, Completion::SENT);
        return Acceptance::ACCEPTED;
    }

    /** Deliver at the first frame. @param from its sender @param frame it @param out actions */
    template <class Out>
    void OnFrame(Peer from, const Frame& frame, Out& out)
    {
        if (frame.flags == 0)
        {
            out.Deliver(Delivery{frame.id, frame.contents, from, frame.payload, frame.aux, 0});
        }
    }

    /** There is no timer. */
    template <class Out>
    void OnTimer(TimerId, Out&)
    {
    }

    /** There is no work. */
    template <class Out>
    void OnDone(WorkId, Out&)
    {
    }

    /** Nothing waits for the port. */
    template <class Out>
    void OnReady(Out&)
    {
    }

    /** There is no state. */
    void Encode(Encoder&) const
    {
    }
};

/** A core that sends each message on the next one of two paths, in one frame. */
class TwoPaths : public TwoFrames
{
  public:
    /** Send a message. @param request it @param out actions @return accepted */
    template <class Out>
    Acceptance OnRequest(const Request& request, Out& out)
    {
        out.Send(request.to,
                 Frame{.id = request.id,
                       .contents = request.contents,
                       .payload = request.bytes,
                       .aux = request.tag,
                       .header = 8,
                       .path = m_path});
        m_path ^= 1;
        out.Complete(request.id, Completion::SENT);
        return Acceptance::ACCEPTED;
    }

    /** Append the next path. @param encoder where */
    void Encode(Encoder& encoder) const
    {
        encoder.Put(m_path, "path");
    }

  private:
    uint16_t m_path{0}; ///< The next path.
};

/** The same core, which takes trimmed frames for whole ones. */
class TrimmedPaths : public TwoPaths
{
  public:
    static constexpr bool TAKES_TRIMMED = true; ///< Trimmed frames arrive.
};

/** Paths and trimmed frames as choices of the network. */
class PathsCase : public TestCase
{
  public:
    PathsCase()
        : TestCase("frames on two paths overtake each other; frames are trimmed at cores that take "
                   "such frames")
    {
    }

  private:
    void DoRun() override
    {
        ExplorerOptions options;
        options.losses = 0;
        options.ordered = true;
        options.delivered = true;
        Expect<TwoPaths>(options, ExplorerVerdict::SOUND, "one path");
        options.paths = 2;
        Expect<TwoPaths>(options, ExplorerVerdict::VIOLATED, "two paths");
        options.ordered = false;
        Expect<TwoPaths>(options, ExplorerVerdict::SOUND, "two paths, no order");
        options.trims = true;
        Expect<TwoPaths>(options, ExplorerVerdict::SOUND, "a core that takes no trimmed frames");
        Expect<TrimmedPaths>(options, ExplorerVerdict::VIOLATED, "one that delivers them");
    }

    /** Search. @tparam Core type of the cores @param options limits @param verdict the expected
     * verdict @param what what is searched */
    template <class Core>
    void Expect(const ExplorerOptions& options, ExplorerVerdict verdict, const std::string& what)
    {
        Explorer<Core> explorer(std::vector<Core>(2), options);
        for (const RequestId id : {0, 1})
        {
            const auto tag = static_cast<uint32_t>(id);
            explorer.AddRequest(0, Request{id, 100 + id, 1, 8, tag, 0});
        }
        const auto result = explorer.Run();
        NS_TEST_EXPECT_MSG_EQ(result.verdict, verdict, what << ": " << Print(result));
    }
};

/** Peers of a large group see the whole room of a channel. */
class RoomCase : public TestCase
{
  public:
    RoomCase()
        : TestCase("a channel of a lossless network has the same room in a large group")
    {
    }

  private:
    void DoRun() override
    {
        ExplorerOptions options;
        options.losses = 0;
        options.delivered = true;
        for (const uint32_t peers : {2, 40})
        {
            Explorer<TwoFrames> explorer(std::vector<TwoFrames>(peers), options);
            explorer.AddRequest(0, Request{0, 100, 1, 8, 0, 0});
            const auto result = explorer.Run();
            NS_TEST_EXPECT_MSG_EQ(result.verdict, ExplorerVerdict::SOUND, Print(result));
            NS_TEST_EXPECT_MSG_EQ(result.depth, 3, "the longest path: a post and two arrivals");
        }
    }
};

/** Flaws are found, with a shortest path. */
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
        // With several shortest paths, the fingerprints decide which one is shown; use plain ones
        // here.
        ExplorerOptions plain;
        plain.symmetry = false;
        auto result = Explore(Flaw::IGNORES_BIT, plain);
        NS_TEST_EXPECT_MSG_EQ(result.verdict, ExplorerVerdict::VIOLATED, Print(result));
        NS_TEST_EXPECT_MSG_EQ(result.sentence, "A message was delivered twice.", Print(result));
        NS_TEST_ASSERT_MSG_EQ(result.steps.size(),
                              4,
                              "a path of a post, a repetition and two arrivals\n" + Print(result));
        // Either peer may post first: both paths are equally short.
        NS_TEST_EXPECT_MSG_EQ(result.steps[0].text.substr(6, 16),
                              " posts request 0",
                              Print(result));
        NS_TEST_EXPECT_MSG_NE(result.steps[3].text.find("delivers message 0 of peer"),
                              std::string::npos,
                              Print(result));
        NS_TEST_EXPECT_MSG_EQ(result.arrows.size(),
                              4,
                              "frames sent, two messages and two acknowledgements");
        NS_TEST_EXPECT_MSG_EQ(result.arrows[0].sent, 0, "the message is sent at the first step");
        NS_TEST_EXPECT_MSG_LT(result.arrows[0].ended,
                              3,
                              "the message arrives before the last step");
        NS_TEST_EXPECT_MSG_EQ(result.arrows[3].arrived, false, "the last frame is in flight");

        for (const auto flaw : {Flaw::ALTERS_SIZE, Flaw::ALTERS_TAG})
        {
            result = Explore(flaw, plain);
            NS_TEST_EXPECT_MSG_EQ(result.sentence,
                                  "A message was delivered to the wrong peer, or altered.",
                                  Print(result));
        }

        result = Explore(Flaw::NEVER_REPEATS, {});
        NS_TEST_EXPECT_MSG_EQ(result.verdict, ExplorerVerdict::STUCK, Print(result));
        NS_TEST_EXPECT_MSG_EQ(result.steps.size(),
                              2,
                              "a path of a post and a loss\n" + Print(result));

        ExplorerOptions lossless;
        lossless.losses = 0;
        result = Explore(Flaw::NEVER_REPEATS, lossless);
        NS_TEST_EXPECT_MSG_EQ(result.verdict, ExplorerVerdict::SOUND, Print(result));

        ExplorerOptions reordering;
        reordering.reordering = true;
        result = Explore(Flaw::NONE, reordering);
        NS_TEST_EXPECT_MSG_EQ(result.verdict,
                              ExplorerVerdict::VIOLATED,
                              "the alternating bit fails if frames are reordered");
    }
};

/** Limits, and a user-defined invariant. */
class LimitCase : public TestCase
{
  public:
    LimitCase()
        : TestCase("limits give a clear verdict, and a user's invariant is checked")
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
                              "a state in which timers may expire no more is not stuck");

        Explorer<AlternatingBit> explorer({AlternatingBit(0, 2), AlternatingBit(1, 2)}, {});
        explorer.AddRequest(0, Request{0, 1, 1, 8, 0, 0});
        const auto idle = GetState(AlternatingBit(1, 2));
        explorer.SetInvariant([idle](const std::vector<AlternatingBit>& cores) {
            return GetState(cores[1]) == idle ? "" : "Peer 1 has changed.";
        });
        result = explorer.Run();
        NS_TEST_EXPECT_MSG_EQ(result.verdict, ExplorerVerdict::VIOLATED, Print(result));
        NS_TEST_EXPECT_MSG_EQ(result.steps.size(),
                              2,
                              "a path of a post and an arrival\n" + Print(result));
    }
};

/** Its retention outlasts the network's slip. */
struct LongRetention : Forgetful
{
    using Forgetful::Forgetful;

    /** @return whether a timer outlasts the network's slip. @param id the timer */
    static constexpr bool OutlastsSlip(TimerId id)
    {
        return (id & RETENTION) != 0;
    }
};

/**
 * A forgotten message can be delivered again, unless the receiver remembers it until overtaken
 * frames have arrived.
 */
class SlipCase : public TestCase
{
  public:
    SlipCase()
        : TestCase("forgetting needs order, or a timer that outlasts the slip")
    {
    }

  private:
    /**
     * Search a pair of cores.
     * @tparam Core Forgetful, or a core derived from it
     * @param retention whether they have a retention
     * @param options options of the search
     * @return the result
     */
    template <class Core = Forgetful>
    static ExplorerResult Explore(bool retention, const ExplorerOptions& options)
    {
        Explorer<Core> explorer({Core(0, retention), Core(1, retention)}, options);
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
                              "a timer does not help: its length is arbitrary");
        options.duplicates = 1;
        result = Explore<LongRetention>(true, options);
        NS_TEST_EXPECT_MSG_EQ(result.verdict, ExplorerVerdict::SOUND, Print(result));
    }
};

/** A core with illegally shared state between copies. */
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
     * Take a message, and modify state outside the value.
     * @param request the message
     * @param out actions
     * @return accepted
     */
    template <class Out>
    Acceptance OnRequest(const Request& request, Out& out)
    {
        m_count = ++*m_shared;
        return Forgetful::OnRequest(request, out);
    }

    /** Encode the state. @param e the encoder */
    void Encode(Encoder& e) const
    {
        Forgetful::Encode(e);
        e.Put(m_count);
    }

  private:
    std::shared_ptr<uint64_t> m_shared; ///< State shared by all copies.
    uint64_t m_count{0};                ///< Value read from the shared state.
};

/** The search detects a core that is not a value. */
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

/** An alternating bit that counts timeouts, which it does not encode. */
class Secretive : public AlternatingBit
{
  public:
    /**
     * Constructor.
     * @param self this peer
     * @param most timeouts after which it repeats nothing
     */
    Secretive(Peer self, uint64_t most)
        : AlternatingBit(self, 2),
          m_most(most)
    {
    }

    /** Handle a timer. @param id the timer @param out actions */
    template <class Out>
    void OnTimer(TimerId id, Out& out)
    {
        if (++m_count > m_most)
        {
            out.Arm(id, 1);
            return;
        }
        AlternatingBit::OnTimer(id, out);
    }

  private:
    uint64_t m_most;     ///< Timeouts after which nothing is repeated.
    uint64_t m_count{0}; ///< Number of timeouts.
};

/** The search detects that Encode leaves out state on which later actions depend, and only that. */
class EncodeCase : public TestCase
{
  public:
    EncodeCase()
        : TestCase("an incomplete canonical form is noticed")
    {
    }

  private:
    /**
     * Search a pair of peers.
     * @param most timeouts after which they repeat nothing
     * @param threads number of threads
     * @return the result
     */
    static ExplorerResult Search(uint64_t most, uint32_t threads)
    {
        ExplorerOptions options;
        options.threads = threads;
        Explorer<Secretive> explorer({Secretive(0, most), Secretive(1, most)}, options);
        explorer.AddRequest(0, Request{1, 11, 1, 8, 0, 0});
        explorer.AddRequest(0, Request{2, 12, 1, 8, 0, 0});
        return explorer.Run();
    }

    void DoRun() override
    {
        for (const uint32_t threads : {1, 3})
        {
            const auto result = Search(2, threads);
            NS_TEST_EXPECT_MSG_EQ(result.verdict, ExplorerVerdict::VIOLATED, Print(result));
            NS_TEST_EXPECT_MSG_EQ(
                result.sentence.starts_with("Encode leaves out state, so the search is not valid: "
                                            "two cores with equal encodings act differently when "
                                            "timer"),
                true,
                Print(result));
        }
        const auto unused = Search(UINT64_MAX, 1);
        NS_TEST_EXPECT_MSG_EQ(unused.verdict, ExplorerVerdict::SOUND, Print(unused));
    }
};

/** A broadcast is complete when it has arrived at each peer. */
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

/** Options that strengthen the promise of a protocol. */
class PromiseCase : public TestCase
{
  public:
    PromiseCase()
        : TestCase("delivery and order are checked where they are required")
    {
    }

  private:
    /** Search with datagrams. @param options options of the search @return the verdict */
    static ExplorerVerdict Search(const ExplorerOptions& options)
    {
        Explorer<DatagramCore> explorer({DatagramCore(8), DatagramCore(8)}, options);
        explorer.AddRequest(0, Request{1, 11, 1, 8, 0, 0});
        explorer.AddRequest(0, Request{2, 12, 1, 8, 0, 0});
        return explorer.Run().verdict;
    }

    void DoRun() override
    {
        ExplorerOptions options;
        NS_TEST_EXPECT_MSG_EQ(Search(options),
                              ExplorerVerdict::SOUND,
                              "a loss is allowed if delivery is not promised");
        options.delivered = true;
        NS_TEST_EXPECT_MSG_EQ(Search(options),
                              ExplorerVerdict::STUCK,
                              "a loss is an error if delivery is promised");
        options.losses = 0;
        options.ordered = true;
        NS_TEST_EXPECT_MSG_EQ(Search(options),
                              ExplorerVerdict::SOUND,
                              "delivery holds on a network without losses");
        options.reordering = true;
        NS_TEST_EXPECT_MSG_EQ(Search(options),
                              ExplorerVerdict::VIOLATED,
                              "a frame that overtakes is an error if order is promised");
        options.ordered = false;
        NS_TEST_EXPECT_MSG_EQ(Search(options),
                              ExplorerVerdict::SOUND,
                              "a frame that overtakes is allowed if order is not promised");
    }
};

/** An alternating bit that reports SENT, a number of times, as soon as it takes a message. */
class Reporting : public AlternatingBit
{
  public:
    /**
     * Constructor.
     * @param self this peer
     * @param reports number of SENT
     * @param late whether the last SENT follows the end
     * @param confirms whether it declares that SENT is not the end
     */
    Reporting(Peer self, uint32_t reports, bool late, bool confirms)
        : AlternatingBit(self, 2),
          m_reports(reports),
          m_late(late),
          m_confirms(confirms)
    {
    }

    /** @return whether SENT does not end a message. */
    bool ConfirmsDelivery() const
    {
        return m_confirms;
    }

    /** Take a message. @param request it @param out actions @return the acceptance */
    template <class Out>
    Acceptance OnRequest(const Request& request, Out& out)
    {
        const Acceptance acceptance = AlternatingBit::OnRequest(request, out);
        for (uint32_t i = 0; acceptance == Acceptance::ACCEPTED && i < m_reports; ++i)
        {
            out.Complete(request.id, Completion::SENT);
        }
        return acceptance;
    }

    /** Take a frame. @param from its sender @param frame it @param out actions */
    template <class Out>
    void OnFrame(Peer from, const Frame& frame, Out& out)
    {
        AlternatingBit::OnFrame(from, frame, out);
        if (m_late && frame.kind == ACK)
        {
            out.Complete(frame.id, Completion::SENT);
        }
    }

  private:
    uint32_t m_reports; ///< Number of SENT.
    bool m_late;        ///< A SENT follows each ACK.
    bool m_confirms;    ///< It declares that SENT is not the end.
};

/** SENT before the end of a message. */
class StagesCase : public TestCase
{
  public:
    StagesCase()
        : TestCase("a core that confirms deliveries reports SENT once, and before the end")
    {
    }

  private:
    /**
     * Search.
     * @param reports number of SENT
     * @param late whether the last SENT follows the end
     * @param confirms whether the core declares that SENT is not the end
     * @param symmetry whether symmetric states are merged
     * @return the outcome
     */
    static ExplorerResult Search(uint32_t reports, bool late, bool confirms, bool symmetry = false)
    {
        ExplorerOptions options;
        options.symmetry = symmetry;
        std::vector<Reporting> cores;
        for (const Peer self : {0, 1})
        {
            cores.emplace_back(self, reports, late, confirms);
        }
        Explorer<Reporting> explorer(cores, options);
        explorer.AddRequest(0, Request{1, 11, 1, 8, 0, 0});
        explorer.AddRequest(1, Request{1, 12, 0, 8, 0, 0});
        return explorer.Run();
    }

    void DoRun() override
    {
        for (const bool symmetry : {false, true})
        {
            const auto sound = Search(1, false, true, symmetry);
            NS_TEST_EXPECT_MSG_EQ(sound.verdict, ExplorerVerdict::SOUND, Print(sound));
            NS_TEST_EXPECT_MSG_EQ(sound.states,
                                  Search(0, false, true, symmetry).states,
                                  "states with SENT are as many as without it");
        }
        const auto twice = Search(2, false, true);
        NS_TEST_EXPECT_MSG_EQ(twice.sentence.starts_with("A message was reported as sent twice"),
                              true,
                              Print(twice));
        const std::string again = "A request was completed that is not pending";
        const auto late = Search(0, true, true);
        NS_TEST_EXPECT_MSG_EQ(late.sentence.starts_with(again), true, Print(late));
        const auto undeclared = Search(1, false, false);
        NS_TEST_EXPECT_MSG_EQ(undeclared.sentence.starts_with(again), true, Print(undeclared));
    }
};

/** An alternating bit with an unused counter of timeouts. */
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

    /** Handle a timer. @param id the timer @param out actions */
    template <class Out>
    void OnTimer(TimerId id, Out& out)
    {
        ++m_count;
        AlternatingBit::OnTimer(id, out);
    }

    /** Declare the state. @param e the encoder */
    template <class E>
    void Encode(E& e) const
    {
        AlternatingBit::Encode(e);
        e.Put(m_count);
    }

    /** Reset the counter. */
    void Restart()
    {
        m_count = 0;
    }

  private:
    uint64_t m_count{0}; ///< Number of timeouts.
};

/** An unbounded counter is renumbered. */
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
                NS_TEST_EXPECT_MSG_EQ(result.states,
                                      plain.states,
                                      "states are as many as without a counter");
            }
        }
    }
};

/** Verdict, numbers and path do not depend on the number of threads. */
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
                NS_TEST_EXPECT_MSG_EQ(Print(together),
                                      Print(alone),
                                      "both searches print the same path");
            }
        }
    }
};

/** A core that completes its request when its first timer has fired twice in a row. */
class Impatient
{
  public:
    /** @param disturbed whether there is another timer */
    explicit Impatient(bool disturbed)
        : m_disturbed(disturbed)
    {
    }

    /** Arm the timers. @param out actions @return accepted */
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

    /** Handle a timer. @param id the timer @param out actions */
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

    /** Encode the canonical state. @param e the encoder */
    void Encode(Encoder& e) const
    {
        e.Put(m_half ? 1 : 0);
    }

  private:
    static constexpr TimerId FIRST = 1; ///< Timer that has to fire twice.
    static constexpr TimerId OTHER = 2; ///< Timer that resets the count.

    bool m_disturbed;   ///< There is another timer.
    bool m_half{false}; ///< The first timer was the last to fire.
};

/** An infinite cycle is reported only if it is fair. */
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
            NS_TEST_EXPECT_MSG_EQ(repeated,
                                  (disturbed ? 2 : 0),
                                  "each of the two timers expires on the cycle");
        }
        // Endless losses and timeouts are not a livelock, since faults cease.
        ExplorerOptions options;
        options.fair = true;
        Explorer<AlternatingBit> explorer({AlternatingBit(0, 2), AlternatingBit(1, 2)}, options);
        explorer.AddRequest(0, Request{0, 1, 1, 8, 0, 0});
        explorer.AddRequest(0, Request{1, 2, 1, 8, 0, 0});
        const auto result = explorer.Run();
        NS_TEST_EXPECT_MSG_EQ(result.verdict, ExplorerVerdict::SOUND, Print(result));
    }
};

/**
 * Search among peers of an alternating bit.
 * @param peers their number
 * @param messages sender and receiver of each message
 * @param options what may happen
 * @param lastBytes size of the last message
 * @param lastFlags flags of the last message
 * @return what was found
 */
ExplorerResult
Explore(uint32_t peers,
        const std::vector<std::pair<Peer, Peer>>& messages,
        const ExplorerOptions& options,
        uint32_t lastBytes = 8,
        uint8_t lastFlags = 0)
{
    std::vector<AlternatingBit> cores;
    for (Peer peer = 0; peer < peers; ++peer)
    {
        cores.emplace_back(peer, peers);
    }
    Explorer<AlternatingBit> explorer(cores, options);
    for (uint32_t i = 0; i < messages.size(); ++i)
    {
        const bool last = i + 1 == messages.size();
        explorer.AddRequest(messages[i].first,
                            Request{i,
                                    100 + i,
                                    messages[i].second,
                                    last ? lastBytes : 8,
                                    i,
                                    last ? lastFlags : uint8_t{0}});
    }
    return explorer.Run();
}

/** Symmetry of peers, against Burnside's lemma. */
class SymmetryCase : public TestCase
{
  public:
    SymmetryCase()
        : TestCase("states that differ by the names of peers are as many as orbits")
    {
    }

  private:
    void DoRun() override
    {
        ExplorerOptions options;
        options.symmetry = false;
        const uint64_t link = Explore(2, {{0, 1}}, options).states;
        const std::vector<std::pair<Peer, Peer>> pairs{{0, 1}, {2, 3}};
        const std::vector<std::pair<Peer, Peer>> ring{{0, 1}, {1, 2}, {2, 0}};
        NS_TEST_EXPECT_MSG_EQ(Explore(4, pairs, options).states,
                              link * link,
                              "states of two independent links");
        NS_TEST_EXPECT_MSG_EQ(Explore(3, ring, options).states,
                              link * link * link,
                              "states of three links of a ring");
        options.symmetry = true;
        NS_TEST_EXPECT_MSG_EQ(Explore(2, {{0, 1}}, options).states,
                              link,
                              "states of a link whose peers cannot be exchanged");
        // A swap of the pairs preserves a state if both links are equal, a rotation of the ring if
        // all three are.
        NS_TEST_EXPECT_MSG_EQ(Explore(4, pairs, options).states,
                              (link * link + link) / 2,
                              "orbits of two links that can be exchanged");
        NS_TEST_EXPECT_MSG_EQ(Explore(3, ring, options).states,
                              (link * link * link + 2 * link) / 3,
                              "orbits of a ring under rotation");
        for (const bool longer : {false, true})
        {
            const auto unlike = Explore(4, pairs, options, longer ? 9 : 8, longer ? 0 : 1);
            NS_TEST_EXPECT_MSG_EQ(unlike.states,
                                  link * link,
                                  "links with other bytes and flags cannot be exchanged");
        }
        const std::vector<std::pair<Peer, Peer>> uneven{{0, 1}, {0, 1}, {2, 3}};
        const auto reduced = Explore(4, uneven, options);
        options.symmetry = false;
        NS_TEST_EXPECT_MSG_EQ(reduced.states,
                              Explore(4, uneven, options).states,
                              "links with different numbers of messages cannot be exchanged");
    }
};

/** A core controlled by a random table. It treats all peers and messages alike. */
class RandomCore
{
  public:
    static constexpr bool IS_SYMMETRIC = true; ///< Names may be exchanged in a search.

    static constexpr uint32_t STATES = 3; ///< Number of states.
    static constexpr uint32_t KINDS = 2;  ///< Number of kinds of frames.

    /** Actions for an input. */
    struct Row
    {
        uint8_t next{0};       ///< Next state.
        uint8_t kind{0};       ///< Kind of the frame that is sent.
        bool sends{false};     ///< A frame is sent to the partner.
        bool takes{false};     ///< Partner and message become those of the frame.
        bool delivers{false};  ///< The message of the frame is delivered.
        bool completes{false}; ///< The core's own request is completed, if there is one.
        bool claims{false};    ///< That completion is DELIVERED.
        bool arms{false};      ///< The timer is armed.
        bool cancels{false};   ///< The timer is cancelled.
    };

    /** Rows by state and input: a request, a timer, and each kind of frame. */
    using Table = std::array<std::array<Row, 2 + KINDS>, STATES>;

    /** @param self this peer @param table its table, not owned */
    RandomCore(Peer self, const Table& table)
        : m_table(&table),
          m_self(self)
    {
    }

    /** Take a message. @param request it @param out actions @return stalled if busy */
    template <class Out>
    Acceptance OnRequest(const Request& request, Out& out)
    {
        if (m_busy)
        {
            return Acceptance::STALLED;
        }
        m_busy = true;
        m_request = request.id;
        m_own = request.contents;
        m_contents = request.contents;
        m_partner = request.to;
        Act((*m_table)[m_state][0], m_self, nullptr, out);
        return Acceptance::ACCEPTED;
    }

    /** Take a frame. @param from its sender @param frame it @param out actions */
    template <class Out>
    void OnFrame(Peer from, const Frame& frame, Out& out)
    {
        const Row& row = (*m_table)[m_state][2 + frame.kind];
        if (row.takes)
        {
            m_partner = from;
            m_contents = frame.contents;
        }
        Act(row, from, &frame, out);
    }

    /** Handle a timer. @param out actions */
    template <class Out>
    void OnTimer(TimerId, Out& out)
    {
        Act((*m_table)[m_state][1], m_self, nullptr, out);
    }

    /** It requests no work. */
    template <class Out>
    void OnDone(WorkId, Out&)
    {
    }

    /** Its timer sends again. */
    template <class Out>
    void OnReady(Out&)
    {
    }

    /** Declare the state. @param e the encoder */
    template <class E>
    void Encode(E& e) const
    {
        e.Put(m_state);
        e.Put(m_busy ? 1 : 0);
        e.PutContents(m_own);
        e.PutContents(m_contents);
        e.PutPeer(m_partner);
    }

    /** Declare the timer. @param timer the timer @param e the encoder */
    template <class E>
    void EncodeTimer(TimerId timer, E& e) const
    {
        e.Put(timer);
    }

    /** Declare a frame. @param frame it @param e the encoder */
    template <class E>
    void EncodeFrame(Peer, Peer, const Frame& frame, E& e) const
    {
        e.Put(frame.kind);
        e.PutContents(frame.contents);
    }

  private:
    /**
     * Execute a row.
     * @param row the row
     * @param from the sender of the frame, or this peer
     * @param frame the frame, if any
     * @param out actions
     */
    template <class Out>
    void Act(const Row& row, Peer from, const Frame* frame, Out& out)
    {
        m_state = row.next;
        if (row.delivers && frame && frame->contents != 0 && from != m_self)
        {
            out.Deliver(Delivery{0, frame->contents, from, 8, frame->aux, 0});
        }
        if (row.sends && m_partner != NO_PEER)
        {
            const uint32_t tag = static_cast<uint32_t>(m_contents) - 100;
            out.Send(m_partner,
                     Frame{.contents = m_contents,
                           .payload = 8,
                           .aux = tag,
                           .header = 8,
                           .kind = row.kind});
        }
        if (row.arms)
        {
            out.Arm(0, 1);
        }
        if (row.cancels)
        {
            out.Cancel(0);
        }
        if (row.completes && m_busy)
        {
            m_busy = false;
            out.Complete(m_request, row.claims ? Completion::DELIVERED : Completion::SENT);
        }
    }

    const Table* m_table;    ///< Table.
    Peer m_self;             ///< This peer.
    Peer m_partner{NO_PEER}; ///< Partner, the receiver of its frames.
    uint32_t m_state{0};     ///< State.
    bool m_busy{false};      ///< It has a request.
    RequestId m_request{0};  ///< The request.
    uint64_t m_own{0};       ///< Its message.
    uint64_t m_contents{0};  ///< The message that it sends.
};

/** Reductions do not change the verdict of any core. */
class ReductionCase : public TestCase
{
  public:
    ReductionCase()
        : TestCase("reductions change no verdict and no shortest path of random cores")
    {
    }

  private:
    /** A portable generator of random numbers. */
    struct Dice
    {
        uint64_t state; ///< The seed.

        /** @return a number from 0. @param below exclusive upper bound */
        uint32_t Roll(uint32_t below)
        {
            state = Mix(state, 1);
            return static_cast<uint32_t>(state % below);
        }
    };

    /** @return a random table. @param dice source of randomness */
    static RandomCore::Table Draw(Dice& dice)
    {
        RandomCore::Table table;
        for (auto& inputs : table)
        {
            for (std::size_t input = 0; input < inputs.size(); ++input)
            {
                RandomCore::Row& row = inputs[input];
                row.next = static_cast<uint8_t>(dice.Roll(RandomCore::STATES));
                row.kind = static_cast<uint8_t>(dice.Roll(RandomCore::KINDS));
                row.sends = dice.Roll(3) > 0;
                row.takes = dice.Roll(2) > 0;
                row.delivers = dice.Roll(9) == 0;
                row.completes = input >= 1 && dice.Roll(3) == 0;
                row.claims = dice.Roll(3) == 0;
                row.arms = dice.Roll(3) == 0;
                row.cancels = dice.Roll(3) == 0;
            }
        }
        return table;
    }

    void DoRun() override
    {
        const std::vector<std::vector<std::pair<Peer, Peer>>> scripts{{{0, 1}},
                                                                      {{0, 1}, {0, 1}},
                                                                      {{0, 1}, {1, 0}},
                                                                      {{1, 0}, {2, 0}},
                                                                      {{0, 1}, {0, 1}, {2, 1}},
                                                                      {{0, 1}, {2, 3}}};
        std::map<ExplorerVerdict, uint32_t> seen;
        uint64_t whole = 0;
        uint32_t early = 0;
        uint64_t left = 0;
        for (uint32_t round = 0; round < 250; ++round)
        {
            Dice dice{round + 1};
            const auto table = Draw(dice);
            const auto& script = scripts[round % scripts.size()];
            ExplorerOptions options;
            options.maxStates = 2000;
            options.capacity = 1 + dice.Roll(2);
            options.losses = std::array{0U, 1U, UNLIMITED, UNLIMITED}[dice.Roll(4)];
            options.duplicates = dice.Roll(4) == 0 ? 1 : 0;
            options.timeouts = dice.Roll(3) == 0 ? 2 : UNLIMITED;
            options.reordering = dice.Roll(2) == 0;
            options.delivered = dice.Roll(4) == 0;
            options.ordered = dice.Roll(3) == 0;
            const auto search = [&](bool symmetry) {
                options.symmetry = symmetry;
                Peer last = 0;
                for (const auto& [from, to] : script)
                {
                    last = std::max({last, from, to});
                }
                std::vector<RandomCore> cores;
                for (Peer peer = 0; peer <= last; ++peer)
                {
                    cores.emplace_back(peer, table);
                }
                Explorer<RandomCore> explorer(cores, options);
                for (uint32_t i = 0; i < script.size(); ++i)
                {
                    explorer.AddRequest(script[i].first,
                                        Request{i, 100 + i, script[i].second, 8, i, 0});
                }
                return explorer.Run();
            };
            const auto plain = search(false);
            if (plain.states > options.maxStates)
            {
                continue;
            }
            ++seen[plain.verdict];
            // An aborted search reports only states that remain stuck as stuck.
            options.maxStates = std::max<uint64_t>(plain.states / 2, 1);
            const auto half = search(false);
            early += half.verdict == ExplorerVerdict::STUCK;
            NS_TEST_EXPECT_MSG_EQ((half.verdict == ExplorerVerdict::GAVE_UP ||
                                   half.verdict == plain.verdict ||
                                   plain.verdict == ExplorerVerdict::VIOLATED),
                                  true,
                                  "half of core " << round << "\n"
                                                  << Print(half));
            options.maxStates = 2000;
            whole += plain.states;
            const auto reduced = search(true);
            const std::string what =
                "core " + std::to_string(round) + "\n" + Print(plain) + "\n" + Print(reduced);
            NS_TEST_EXPECT_MSG_EQ(reduced.verdict, plain.verdict, what);
            NS_TEST_EXPECT_MSG_EQ(reduced.steps.size(), plain.steps.size(), what);
            NS_TEST_EXPECT_MSG_LT(reduced.states, plain.states + 1, what);
            left += reduced.states;
        }
        for (const auto verdict :
             {ExplorerVerdict::SOUND, ExplorerVerdict::VIOLATED, ExplorerVerdict::STUCK})
        {
            NS_TEST_EXPECT_MSG_GT(seen[verdict], 10, "random cores with the verdict " << verdict);
        }
        NS_TEST_EXPECT_MSG_GT(early, 10, "searches that find the verdict in half of the states");
        NS_TEST_EXPECT_MSG_LT(left,
                              whole * 9 / 10,
                              "states left by symmetry are less than nine tenths");
    }
};

#if defined(__SANITIZE_THREAD__)
/** ThreadSanitizer's own memory counts as resident, so a bound of memory does not work. */
constexpr bool WATCHES_THREADS = true;
#elif defined(__has_feature)
/** ThreadSanitizer's own memory counts as resident, so a bound of memory does not work. */
constexpr bool WATCHES_THREADS = __has_feature(thread_sanitizer);
#else
/** ThreadSanitizer's own memory counts as resident, so a bound of memory does not work. */
constexpr bool WATCHES_THREADS = false;
#endif

/** A bit array gives the same result as a set of states, and reports possible omissions. */
class BitsCase : public TestCase
{
  public:
    BitsCase()
        : TestCase("a bit array leads to the same verdict, and its paths can be repeated")
    {
    }

  private:
    void DoRun() override
    {
        ExplorerOptions options;
        options.symmetry = false;
        options.stuck = false;
        const auto plain = Explore(Flaw::NONE, options);
        options.bits = true;
        options.memory = uint64_t{64} << 20;
        auto result = Explore(Flaw::NONE, options);
        NS_TEST_EXPECT_MSG_EQ(result.verdict, ExplorerVerdict::SOUND, Print(result));
        NS_TEST_EXPECT_MSG_EQ(result.states,
                              plain.states,
                              "states of a bit array with room for all");
        NS_TEST_EXPECT_MSG_EQ(result.transitions,
                              plain.transitions,
                              "transitions of a bit array with room for all");
        NS_TEST_EXPECT_MSG_LT(result.omission, 1e-6, "probability that a state is omitted");
        for (const bool reduces : {false, true})
        {
            options.symmetry = reduces;
            result = Explore(Flaw::IGNORES_BIT, options);
            NS_TEST_EXPECT_MSG_EQ(result.verdict, ExplorerVerdict::VIOLATED, Print(result));
            NS_TEST_EXPECT_MSG_EQ(result.sentence,
                                  "A message was delivered twice.",
                                  "the same violation is found");
            NS_TEST_EXPECT_MSG_EQ(result.steps.size(), 4, Print(result));
        }
        // An array of 64 bits soon fills up, and the result reports this.
        BitArray tiny(8);
        for (uint64_t print = 1; print <= 1000; ++print)
        {
            tiny.Insert(Mix(print, print));
        }
        NS_TEST_EXPECT_MSG_EQ(tiny.GetFilling(), 1.0, "all bits of the small array are marked");
        NS_TEST_EXPECT_MSG_EQ(tiny.Insert(Mix(2000, 1)), false, "a full array knows every state");
        // In 2^23 bits, marks hardly collide.
        BitArray large(1 << 20);
        for (uint64_t print = 1; print <= 100; ++print)
        {
            large.Insert(Mix(print, print));
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(large.GetFilling() * (1 << 23),
                                  300,
                                  3,
                                  "three bits are marked for each of 100 states");
    }
};

/** A bound of memory ends a search. */
class MemoryCase : public TestCase
{
  public:
    MemoryCase()
        : TestCase("a search gives up before it needs more memory than allowed")
    {
    }

  private:
    void DoRun() override
    {
        ExplorerOptions options;
        options.duplicates = UNLIMITED;
        options.capacity = 4;
        options.symmetry = false;
        options.memory = uint64_t{4} << 20;
        const uint64_t before = GetResidentMemory();
        NS_TEST_ASSERT_MSG_GT(before, 0, "the resident memory of the process is known");
        const auto result = Explore(Flaw::NONE, options, 12);
        NS_TEST_EXPECT_MSG_EQ(result.verdict, ExplorerVerdict::GAVE_UP, Print(result));
        NS_TEST_EXPECT_MSG_EQ(result.sentence,
                              "The search needs more memory than was allowed.",
                              Print(result));
    }
};

/** Tags in the outline of a core. */
class OutlineTagCase : public TestCase
{
  public:
    OutlineTagCase()
        : TestCase("an outline has a tag unless it is that of the message")
    {
    }

  private:
    void DoRun() override
    {
        Symmetry symmetry({{0, Request{1, 101, 1, 8, 5, 0}}}, 2, true);
        const auto draw = [&symmetry](uint64_t contents, uint32_t tag) {
            Outline outline(symmetry);
            outline.PutTag(contents, tag);
            outline.BeginSet();
            return outline.Take().at(0).word;
        };
        NS_TEST_EXPECT_MSG_NE(draw(101, 6),
                              draw(101, 5),
                              "an outline differs if a tag is not the message's own");
        NS_TEST_EXPECT_MSG_NE(draw(101, 6),
                              draw(101, 7),
                              "an outline distinguishes tags that are not the message's own");
        NS_TEST_EXPECT_MSG_EQ(draw(102, 5),
                              draw(103, 5),
                              "an outline does not distinguish unknown messages by their contents");
        NS_TEST_EXPECT_MSG_NE(draw(102, 5),
                              draw(102, 6),
                              "an outline distinguishes unknown messages by their tags");
    }
};

/** The suite. */
class ExplorerTestSuite : public TestSuite
{
  public:
    ExplorerTestSuite()
        : TestSuite("messaging-explorer", Type::UNIT)
    {
        if (!WATCHES_THREADS)
        {
            // Other cases leave free memory, which a search would use without requesting more.
            AddTestCase(new MemoryCase, TestCase::Duration::QUICK);
            AddTestCase(new BitsCase, TestCase::Duration::QUICK);
        }
        AddTestCase(new SoundCase, TestCase::Duration::QUICK);
        AddTestCase(new BusyCase, TestCase::Duration::QUICK);
        AddTestCase(new PathsCase, TestCase::Duration::QUICK);
        AddTestCase(new RoomCase, TestCase::Duration::QUICK);
        AddTestCase(new FlawCase, TestCase::Duration::QUICK);
        AddTestCase(new LimitCase, TestCase::Duration::QUICK);
        AddTestCase(new SlipCase, TestCase::Duration::QUICK);
        AddTestCase(new CopyCase, TestCase::Duration::QUICK);
        AddTestCase(new EncodeCase, TestCase::Duration::QUICK);
        AddTestCase(new BroadcastCase, TestCase::Duration::QUICK);
        AddTestCase(new PromiseCase, TestCase::Duration::QUICK);
        AddTestCase(new StagesCase, TestCase::Duration::QUICK);
        AddTestCase(new RenumberingCase, TestCase::Duration::QUICK);
        AddTestCase(new ThreadsCase, TestCase::Duration::QUICK);
        AddTestCase(new FairCase, TestCase::Duration::QUICK);
        AddTestCase(new SymmetryCase, TestCase::Duration::QUICK);
        AddTestCase(new ReductionCase, TestCase::Duration::QUICK);
        AddTestCase(new OutlineTagCase, TestCase::Duration::QUICK);
    }
};

ExplorerTestSuite g_explorerTestSuite; ///< Registers itself.

} // namespace
} // namespace tests
} // namespace messaging
} // namespace ns3
