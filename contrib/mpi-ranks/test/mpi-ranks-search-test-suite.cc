/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mpi-ranks-notebook.h"

#include "ns3/messaging-search-explorer.h"
#include "ns3/mpi-ranks-protocol.h"

/**
 * @file
 * @ingroup mpi-ranks
 * Everything that two or three ranks and a bad network can do with a few messages.
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
using messaging::Explorer;
using messaging::ExplorerOptions;
using messaging::ExplorerResult;
using messaging::ExplorerVerdict;

constexpr uint32_t EAGER_BYTES = 10;     ///< Length of a small message [bytes].
constexpr uint32_t SEGMENTED_BYTES = 45; ///< Length of a message in two segments on UD [bytes].
constexpr uint32_t LARGE_BYTES = 100;    ///< Length of a large message [bytes].

/** A message. */
struct Message
{
    Peer from;      ///< Sender.
    Peer to;        ///< Receiver.
    uint32_t bytes; ///< Length [bytes].
};

/** A search. */
struct Search
{
    const char* name;                                ///< Name of the search.
    Transport transport{Transport::UC};              ///< Transport service.
    bool reliability{true};                          ///< Reliability in software.
    std::vector<Message> messages;                   ///< Messages, in the order of each sender.
    uint32_t losses{messaging::UNLIMITED};           ///< Maximum losses on a path.
    uint32_t duplicates{0};                          ///< Maximum duplicates on a path.
    bool reordering{false};                          ///< Frames may be reordered.
    uint32_t capacity{2};                            ///< Capacity between two ranks [frames].
    uint32_t credits{3};                             ///< Frames for which a rank has buffers.
    ExplorerVerdict verdict{ExplorerVerdict::SOUND}; ///< Expected verdict.
};

/** A test that runs a search. */
class SearchTest : public ExpectTest
{
  public:
    /**
     * Constructor.
     * @param search the search
     */
    explicit SearchTest(const Search& search)
        : ExpectTest(search.name),
          m_search(search)
    {
    }

  private:
    void DoRun() override
    {
        RankConfig config = MakeConfig(m_search.transport,
                                       m_search.reliability,
                                       88, // 48 bytes of a datagram
                                       m_search.reordering ? 2 : 1);
        config.matching = false;
        config.localCompletions = false;
        config.eagerLimit = 50;
        config.credits = m_search.credits;
        config.creditThreshold = 1;
        config.maxRetries = 0;
        config.periods = 1;
        config.sweepCount = SweepCount::CALL; // With threshold 0 both counts are the same.
        config.sweepMessages = 0;
        Peer ranks = 0;
        bool eagerOnly = true;
        for (const auto& message : m_search.messages)
        {
            ranks = std::max({ranks, message.from + 1, message.to + 1});
            eagerOnly = eagerOnly && message.bytes < config.eagerLimit;
        }
        std::vector<RankCore> cores;
        for (Peer rank = 0; rank < ranks; ++rank)
        {
            cores.emplace_back(&config, ranks);
        }
        ExplorerOptions options;
        options.losses = m_search.losses;
        options.duplicates = m_search.duplicates;
        options.reordering = m_search.reordering;
        options.capacity = m_search.capacity;
        // Without reliability the timer declares missing frames lost, which a search without time
        // cannot do.
        options.timeouts = m_search.reliability ? messaging::UNLIMITED : 0;
        options.delivered = m_search.reliability || m_search.losses == 0;
        options.ordered = eagerOnly;
        Explorer<RankCore> explorer(cores, options);
        explorer.SetRenumbering(MpiProtocol::CountFromExpected);
        for (std::size_t i = 0; i < m_search.messages.size(); ++i)
        {
            const Message& message = m_search.messages[i];
            explorer.AddRequest(message.from,
                                {.id = i,
                                 .contents = i + 1000,
                                 .to = message.to,
                                 .bytes = message.bytes,
                                 .tag = static_cast<uint32_t>(i)});
        }
        const ExplorerResult result = explorer.Run();
        std::string path;
        for (const auto& step : result.steps)
        {
            path += "\n" + step.text;
        }
        Expect(result.verdict, m_search.verdict, result.sentence + path);
    }

    Search m_search; ///< The search.
};

/** The suite. */
class SearchTestSuite : public TestSuite
{
  public:
    SearchTestSuite()
        : TestSuite("mpi-ranks-search", Type::UNIT)
    {
        const auto add = [this](const Search& search, TestCase::Duration duration) {
            AddTestCase(new SearchTest(search), duration);
        };
        const auto QUICK = TestCase::Duration::QUICK;
        const auto EXTENSIVE = TestCase::Duration::EXTENSIVE;
        const Message there{0, 1, EAGER_BYTES};
        const Message back{1, 0, EAGER_BYTES};
        const Message bulk{0, 1, LARGE_BYTES};
        const Message bulkBack{1, 0, LARGE_BYTES};
        const Message segmented{0, 1, SEGMENTED_BYTES};
        const std::vector<Message> ring{{0, 1, EAGER_BYTES},
                                        {1, 2, EAGER_BYTES},
                                        {2, 0, EAGER_BYTES}};
        add({.name = "C-09: any loss", .messages = {there, there}}, QUICK);
        add({.name = "C-09: the same both ways", .messages = {there, there, back}}, EXTENSIVE);
        add({.name = "C-10: any loss, reordering, a duplicate",
             .messages = {there, there},
             .duplicates = 1,
             .reordering = true},
            QUICK);
        add({.name = "C-10: the same both ways",
             .messages = {there, there, back},
             .duplicates = 1,
             .reordering = true,
             .capacity = 1},
            QUICK);
        add({.name = "C-08: window of two, any loss",
             .messages = {there, there, there, there},
             .credits = 2},
            QUICK);
        add({.name = "Three ranks, any loss", .messages = ring, .capacity = 1}, EXTENSIVE);
        add({.name = "UD: segments, any loss, reordering, a duplicate",
             .transport = Transport::UD,
             .messages = {segmented, there},
             .duplicates = 1,
             .reordering = true,
             .capacity = 1},
            QUICK);
        add({.name = "UD: the same, two frames in flight",
             .transport = Transport::UD,
             .messages = {segmented, there},
             .duplicates = 1,
             .reordering = true},
            EXTENSIVE);
        add({.name = "UD: rendezvous, any loss",
             .transport = Transport::UD,
             .messages = {bulk},
             .capacity = 1},
            QUICK);
        add({.name = "C-13: any loss", .messages = {bulk}, .capacity = 1}, QUICK);
        add({.name = "C-13: any loss, a duplicate",
             .messages = {bulk},
             .duplicates = 1,
             .capacity = 1},
            QUICK);
        add({.name = "C-13: reordering, no loss",
             .messages = {bulk},
             .losses = 0,
             .reordering = true},
            EXTENSIVE);
        add({.name = "C-13: reordering, two losses, a duplicate",
             .messages = {bulk},
             .losses = 2,
             .duplicates = 1,
             .reordering = true},
            EXTENSIVE);
        add({.name = "C-13: with a small message, any loss",
             .messages = {bulk, there},
             .capacity = 1},
            QUICK);
        add({.name = "C-13: both ways, any loss", .messages = {bulk, bulkBack}, .capacity = 1},
            EXTENSIVE);
        add({.name = "C-15: RC reliable, as UC",
             .transport = Transport::RC,
             .messages = {bulk, there},
             .losses = 0},
            EXTENSIVE);
        add({.name = "C-15: RC reliable, as UC, one message",
             .transport = Transport::RC,
             .messages = {bulk},
             .losses = 0},
            QUICK);
        add({.name = "C-12: RC native",
             .transport = Transport::RC,
             .reliability = false,
             .messages = {bulk, there, bulkBack, there, there},
             .losses = 0,
             .credits = 2},
            QUICK);
        add({.name = "UC native, several paths, no loss",
             .reliability = false,
             .messages = {bulk, there, there, bulkBack},
             .losses = 0,
             .reordering = true},
            QUICK);
        add({.name = "UD native, several paths, no loss",
             .transport = Transport::UD,
             .reliability = false,
             .messages = {segmented, bulk, there},
             .losses = 0,
             .reordering = true,
             .credits = 4},
            QUICK);
        add({.name = "UC native, any loss: holes, and nothing twice",
             .reliability = false,
             .messages = {there, there, there},
             .credits = 4},
            QUICK);
        add({.name = "UC native, any loss: FIN without data is believed",
             .reliability = false,
             .messages = {bulk},
             .verdict = ExplorerVerdict::VIOLATED},
            QUICK);
        add({.name = "UD native, any loss: large messages may lack segments",
             .transport = Transport::UD,
             .reliability = false,
             .messages = {bulk},
             .verdict = ExplorerVerdict::VIOLATED},
            QUICK);
    }
};

/** Registers the suite. */
const SearchTestSuite g_searchTestSuite;

} // namespace
} // namespace tests
} // namespace ranks
} // namespace ns3
