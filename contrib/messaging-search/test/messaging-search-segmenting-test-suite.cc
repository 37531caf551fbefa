/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/messaging-datagram-core.h"
#include "ns3/messaging-search-explorer.h"
#include "ns3/messaging-segmenting-core.h"
#include "ns3/messaging-toy-cores.h"
#include "ns3/test.h"

#include <sstream>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup messaging-tests
 * The layer for long messages in the exhaustive search: it keeps the guarantees of the inner core.
 */

namespace ns3
{
namespace messaging
{
namespace tests
{
namespace
{

/** Largest message of the inner cores [bytes]. */
constexpr uint32_t LIMIT = 24;

/** Part of a message in a segment [bytes]. */
constexpr uint32_t PART = LIMIT - SEGMENT_HEADER;

/** Two numbers of messages, one of which is incomplete at a time. */
struct TwoNumbers
{
    static constexpr uint32_t NUMBER_BITS = 1; ///< Bits of a number.
    static constexpr uint32_t INDEX_BITS = 2;  ///< Bits of an index.
    static constexpr uint32_t OPEN = 1;        ///< Incomplete messages.
};

/** Eight numbers of messages, four of which are incomplete at a time. */
struct EightNumbers
{
    static constexpr uint32_t NUMBER_BITS = 3; ///< Bits of a number.
    static constexpr uint32_t INDEX_BITS = 2;  ///< Bits of an index.
    static constexpr uint32_t OPEN = 4;        ///< Incomplete messages.
};

/** A message of a search. */
struct Letter
{
    Peer from;      ///< Sender.
    Peer to;        ///< Receiver, or NO_PEER.
    uint32_t bytes; ///< Size [bytes].
};

/**
 * Search the layer around some cores.
 * @tparam Format sizes of the fields of a tag
 * @param cores the cores
 * @param letters the messages
 * @param options what may happen
 * @return what was found
 */
template <class Format, class Core>
ExplorerResult
Search(const std::vector<Core>& cores,
       const std::vector<Letter>& letters,
       const ExplorerOptions& options)
{
    using Layer = SegmentingCore<Core, Format>;
    std::vector<Layer> layers;
    for (const Core& core : cores)
    {
        layers.emplace_back(core, LIMIT);
    }
    Explorer<Layer> explorer(layers, options);
    for (uint32_t i = 0; i < letters.size(); ++i)
    {
        explorer.AddRequest(letters[i].from,
                            Request{.id = i,
                                    .contents = 100 + i,
                                    .to = letters[i].to,
                                    .bytes = letters[i].bytes,
                                    .tag = i});
    }
    return explorer.Run();
}

/** A handshake whose retention outlasts the network's slip. */
struct Retaining : Forgetful
{
    /** @param self the peer */
    explicit Retaining(Peer self)
        : Forgetful(self, true)
    {
    }

    /** @param id a timer @return whether it is the retention */
    static constexpr bool OutlastsSlip(TimerId id)
    {
        return id & RETENTION;
    }
};

/** @param result result of a search @return it as text */
std::string
PrintSearch(const ExplorerResult& result)
{
    std::ostringstream os;
    os << result.verdict << " after " << result.states << " states: " << result.sentence;
    for (const auto& step : result.steps)
    {
        os << "\n  " << step.text;
    }
    return os.str();
}

/** @param peers number of peers @param flaw their flaw @return alternating bits */
std::vector<AlternatingBit>
MakeBits(uint32_t peers, Flaw flaw = Flaw::NONE)
{
    std::vector<AlternatingBit> cores;
    for (Peer peer = 0; peer < peers; ++peer)
    {
        cores.emplace_back(peer, peers, flaw);
    }
    return cores;
}

/** Over a reliable core in order. */
class ReliableCase : public TestCase
{
  public:
    ReliableCase()
        : TestCase("over the alternating bit, messages are complete, once and in order")
    {
    }

  private:
    void DoRun() override
    {
        ExplorerOptions options;
        options.duplicates = UNLIMITED;
        options.delivered = true;
        options.ordered = true;
        const std::vector<Letter> letters{{0, 1, 4 * PART},
                                          {0, 1, PART},
                                          {0, 1, LIMIT + 1},
                                          {0, 1, 0},
                                          {0, 1, 3 * PART},
                                          {1, 0, LIMIT + 1}};
        const auto result = Search<TwoNumbers>(MakeBits(2), letters, options);
        NS_TEST_EXPECT_MSG_EQ(result.verdict, ExplorerVerdict::SOUND, PrintSearch(result));
        NS_TEST_EXPECT_MSG_GT(result.reasons[AlternatingBit::OLD], 0, "duplicates arrive");
        const auto broken = Search<TwoNumbers>(MakeBits(2, Flaw::NEVER_REPEATS), letters, options);
        NS_TEST_EXPECT_MSG_EQ(broken.verdict, ExplorerVerdict::STUCK, PrintSearch(broken));
        const auto altered = Search<TwoNumbers>(MakeBits(2, Flaw::ALTERS_SIZE), letters, options);
        NS_TEST_EXPECT_MSG_EQ(altered.verdict, ExplorerVerdict::VIOLATED, PrintSearch(altered));
    }
};

/** Over a busy port. */
class BusySegmentsCase : public TestCase
{
  public:
    BusySegmentsCase()
        : TestCase("over a busy port, a message waits in the middle and continues")
    {
    }

  private:
    void DoRun() override
    {
        ExplorerOptions options;
        options.losses = 0;
        options.capacity = 1;
        options.delivered = true;
        options.ordered = true;
        const std::vector<Letter> letters{{0, 1, 3 * PART}, {0, 1, 1}, {1, 0, 2 * PART}};
        const std::vector<DatagramCore> cores(2, DatagramCore(LIMIT));
        const auto result = Search<TwoNumbers>(cores, letters, options);
        NS_TEST_EXPECT_MSG_EQ(result.verdict, ExplorerVerdict::SOUND, PrintSearch(result));
        const auto bits = Search<TwoNumbers>(MakeBits(2), letters, options);
        NS_TEST_EXPECT_MSG_EQ(bits.verdict, ExplorerVerdict::SOUND, PrintSearch(bits));
    }
};

/** Over a core that keeps no order. */
class UnorderedCase : public TestCase
{
  public:
    UnorderedCase()
        : TestCase("over a core that reorders, messages are complete and once, not in order")
    {
    }

  private:
    void DoRun() override
    {
        ExplorerOptions options;
        options.losses = 0;
        options.reordering = true;
        options.capacity = 4;
        options.delivered = true;
        const std::vector<Letter> letters{{0, 1, 3 * PART}, {0, 1, 2 * PART + 1}, {0, 1, LIMIT}};
        const std::vector<DatagramCore> cores(2, DatagramCore(LIMIT));
        const auto result = Search<EightNumbers>(cores, letters, options);
        NS_TEST_EXPECT_MSG_EQ(result.verdict, ExplorerVerdict::SOUND, PrintSearch(result));
        options.ordered = true;
        const auto ordered = Search<EightNumbers>(cores, letters, options);
        NS_TEST_EXPECT_MSG_EQ(ordered.verdict, ExplorerVerdict::VIOLATED, PrintSearch(ordered));

        ExplorerOptions lossy;
        lossy.losses = 1;
        lossy.reordering = true;
        lossy.delivered = true;
        const std::vector<Retaining> retaining{Retaining(0), Retaining(1)};
        const auto kept = Search<TwoNumbers>(retaining, {{0, 1, LIMIT + 1}}, lossy);
        NS_TEST_EXPECT_MSG_EQ(kept.verdict, ExplorerVerdict::SOUND, PrintSearch(kept));
    }
};

/** Over a core without guarantees. */
class LossyCase : public TestCase
{
  public:
    LossyCase()
        : TestCase("over a lossy core, parts of different messages are joined only if numbers come "
                   "round between them")
    {
    }

  private:
    void DoRun() override
    {
        ExplorerOptions options;
        options.duplicates = 1;
        const std::vector<DatagramCore> cores(2, DatagramCore(LIMIT));
        const std::vector<Letter> letters(3, Letter{0, 1, LIMIT + 1});
        const auto result = Search<EightNumbers>(cores, letters, options);
        NS_TEST_EXPECT_MSG_EQ(result.verdict, ExplorerVerdict::SOUND, PrintSearch(result));
        const auto joined = Search<TwoNumbers>(cores, letters, options);
        NS_TEST_EXPECT_MSG_EQ(joined.verdict, ExplorerVerdict::VIOLATED, PrintSearch(joined));
    }
};

/** Broadcasts and symmetry. */
class SegmentSymmetryCase : public TestCase
{
  public:
    SegmentSymmetryCase()
        : TestCase("symmetry merges states with messages in segments, and keeps the verdict")
    {
    }

  private:
    void DoRun() override
    {
        ExplorerOptions plain;
        plain.symmetry = false;
        plain.delivered = true;
        ExplorerOptions merged = plain;
        merged.symmetry = true;
        for (const Flaw flaw : {Flaw::NONE, Flaw::ALTERS_TAG, Flaw::IGNORES_BIT})
        {
            const std::vector<Letter> letters{{0, 2, LIMIT + 1}, {1, 2, LIMIT + 1}};
            const auto all = Search<TwoNumbers>(MakeBits(3, flaw), letters, plain);
            const auto few = Search<TwoNumbers>(MakeBits(3, flaw), letters, merged);
            NS_TEST_EXPECT_MSG_EQ(few.verdict,
                                  all.verdict,
                                  PrintSearch(few) << "\n"
                                                   << PrintSearch(all));
            NS_TEST_EXPECT_MSG_EQ(few.depth,
                                  all.depth,
                                  "the search with symmetry has the same depth");
            if (flaw == Flaw::NONE)
            {
                NS_TEST_EXPECT_MSG_EQ(all.verdict, ExplorerVerdict::SOUND, PrintSearch(all));
                NS_TEST_EXPECT_MSG_LT(few.states,
                                      all.states * 2 / 3,
                                      "symmetry leaves less than two thirds of the states");
            }
        }
        plain.losses = 0;
        plain.capacity = 1;
        const std::vector<DatagramCore> cores(3, DatagramCore(LIMIT));
        const std::vector<Letter> broadcasts{{0, NO_PEER, 3 * PART}, {1, NO_PEER, PART}};
        const auto result = Search<TwoNumbers>(cores, broadcasts, plain);
        NS_TEST_EXPECT_MSG_EQ(result.verdict, ExplorerVerdict::SOUND, PrintSearch(result));
    }
};

/** Suite of the layer in the search. */
class SearchSegmentingTestSuite : public TestSuite
{
  public:
    SearchSegmentingTestSuite()
        : TestSuite("messaging-search-segmenting", Type::UNIT)
    {
        AddTestCase(new ReliableCase, Duration::QUICK);
        AddTestCase(new BusySegmentsCase, Duration::QUICK);
        AddTestCase(new UnorderedCase, Duration::QUICK);
        AddTestCase(new LossyCase, Duration::QUICK);
        AddTestCase(new SegmentSymmetryCase, Duration::QUICK);
    }
};

/** Registers the suite. */
SearchSegmentingTestSuite g_searchSegmentingTestSuite;

} // namespace
} // namespace tests
} // namespace messaging
} // namespace ns3
