/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pcode-notebook.h"

#include "ns3/messaging-scripted-host.h"
#include "ns3/pcode-graph-core.h"
#include "ns3/pcode-lane-core.h"
#include "ns3/pcode-ring-core.h"
#include "ns3/pcode-window-core.h"
#include "ns3/test.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <random>

/**
 * @file
 * @ingroup pcode
 * Frames that no node of the group has sent: which of them are refused, and that all others do no
 * harm.
 */

namespace ns3
{
namespace pcode
{
namespace tests
{
namespace
{

constexpr Peer FOREIGN_SELF = 1;  ///< The node under test.
constexpr Peer FOREIGN_OTHER = 0; ///< Another node.
constexpr uint32_t NODES = 3;     ///< Nodes.
constexpr uint32_t WIDTH = 4;     ///< Messages of a source that may be outstanding.

/** Random numbers. */
class Random
{
  public:
    /** @return a number. @param limit exclusive upper bound */
    uint32_t Below(uint64_t limit)
    {
        return static_cast<uint32_t>(m_engine() % limit);
    }

    /** @return any 64 bits. */
    uint64_t Word()
    {
        return m_engine();
    }

    /** @return a nonexistent node, or the node itself. */
    Peer Stranger()
    {
        return Below(2) ? FOREIGN_SELF : NODES + Below(UINT32_MAX - NODES);
    }

    /** @return mostly a small number, as in lists. */
    uint32_t Number()
    {
        return Below(4) ? Below(12) : static_cast<uint32_t>(Word());
    }

    /** @return a list of numbers. */
    std::vector<uint32_t> List()
    {
        std::vector<uint32_t> list(Below(14));
        std::generate(list.begin(), list.end(), [this] { return Number(); });
        return list;
    }

  private:
    std::mt19937_64 m_engine{1}; ///< The engine.
};

/**
 * Random foreign frames for a core.
 * @tparam Core the core
 */
template <class Core>
class ForeignFramesCase : public TestCase
{
  public:
    /** Makes a frame that has to be refused, and its sender. @return the frame */
    using Make = std::function<Frame(Random&, Peer&)>;

    /**
     * Constructor.
     * @param name name of the protocol
     * @param makers a function for each rule that refuses frames
     * @param kinds number of kinds of frames
     */
    ForeignFramesCase(const std::string& name, std::vector<Make> makers, uint8_t kinds)
        : TestCase(name + ": frames that no node can have sent change nothing, others do no harm"),
          m_makers(std::move(makers)),
          m_kinds(kinds)
    {
    }

  private:
    /** @return the core. */
    Core MakeCore()
    {
        if constexpr (std::is_same_v<Core, LaneCore>)
        {
            return Core(m_shared.config, FOREIGN_SELF, 1);
        }
        else
        {
            auto config = GetConfig(static_cast<Core*>(nullptr));
            config.nPeers = NODES;
            return Core(FOREIGN_SELF, config);
        }
    }

    /** @return parameters of the graph. */
    static GraphConfig GetConfig(GraphCore*)
    {
        GraphConfig config;
        config.window = WIDTH;
        return config;
    }

    /** @return parameters of the window. */
    static WindowConfig GetConfig(WindowCore*)
    {
        WindowConfig config;
        config.window = WIDTH;
        return config;
    }

    /** @return parameters of the ring. */
    static RingConfig GetConfig(RingCore*)
    {
        RingConfig config;
        config.span = WIDTH;
        return config;
    }

    void DoRun() override
    {
        Core core = MakeCore();
        Notebook out;
        if constexpr (std::is_same_v<Core, LaneCore>)
        {
            core.OnRequest({}, out);
        }
        core.OnRequest(Request{.id = 1, .contents = 5, .to = NO_PEER, .bytes = 8}, out);
        Random random;
        for (int i = 0; i < 4000; ++i)
        {
            Peer from = FOREIGN_OTHER;
            const std::size_t rule = i % m_makers.size();
            const Frame frame = m_makers[rule](random, from);
            NS_TEST_ASSERT_MSG_EQ(Refuses<Notebook>(core, from, frame), true, "rule " << rule);
        }
        Storm(core, random);
    }

    /**
     * Deliver arbitrary frames of others: no message may be delivered twice, and the state must not
     * grow.
     * @param core the core
     * @param random random numbers
     */
    void Storm(Core core, Random& random)
    {
        constexpr std::size_t MOST_WORDS = 4096;
        constexpr uint64_t NUMBER = (uint64_t{1} << 48) - 1;
        std::map<Peer, uint64_t> last;
        for (int i = 0; i < 20000; ++i)
        {
            Frame frame;
            frame.kind = static_cast<uint8_t>(1 + random.Below(m_kinds));
            frame.id = uint64_t{random.Number()} << 32 | random.Number();
            if (random.Below(4))
            {
                frame.id = MakeMessageId(random.Below(NODES), random.Number(), random.Number());
            }
            frame.contents = random.Word();
            frame.words.assign(random.List());
            frame.aux = random.Number();
            frame.payload = random.Below(2000);
            frame.flags = static_cast<uint8_t>(random.Word());
            Notebook out;
            core.OnFrame(random.Below(2) * 2, frame, out);
            for (const auto& delivery : out.delivered)
            {
                auto& before = last[delivery.from];
                const uint64_t number = delivery.id & NUMBER;
                NS_TEST_ASSERT_MSG_GT(number, before, "in order, and once");
                before = number;
            }
            NS_TEST_ASSERT_MSG_LT(out.completed.size(), 2, "one message was posted");
            if (random.Below(8) == 0 && !out.armed.empty())
            {
                core.OnTimer(out.armed.begin()->first, out);
            }
        }
        messaging::Encoder encoder;
        core.Encode(encoder);
        NS_TEST_EXPECT_MSG_LT(encoder.GetWords().size(), MOST_WORDS, "no growth without bound");
    }

    Shared m_shared{NODES};     ///< Parameters of P1.
    std::vector<Make> m_makers; ///< Functions that make frames to be refused.
    uint8_t m_kinds;            ///< Number of kinds of frames.
};

/** @return a frame. @param kind its kind @param number its number @param words its words */
template <class Kind>
Frame
MakeFrame(Kind kind, uint32_t number, const std::vector<uint32_t>& words = {})
{
    Frame frame;
    frame.kind = static_cast<uint8_t>(kind);
    frame.id = MakeMessageId(FOREIGN_OTHER, NO_PEER, number);
    frame.contents = 7;
    frame.payload = 8;
    frame.words.assign(words);
    return frame;
}

/** The words of a message of the graph that acknowledges one of node 2 and requests another. */
const std::vector<uint32_t> GRAPH_WORDS{1, 2, 1, 2, 2};

/** The words of a token with the highest number 1, which it requests. */
const std::vector<uint32_t> TOKEN_WORDS{0, FOREIGN_OTHER, 1, 0, 1};

/** The words of a datagram of the window with one message. */
const std::vector<uint32_t> WINDOW_WORDS{1, 7, 0, NO_PEER, 8, 0, 0};

/**
 * @return a list with a changed word. @param list the list @param at index of the word @param word
 * the word
 */
std::vector<uint32_t>
Change(std::vector<uint32_t> list, std::size_t at, uint32_t word)
{
    list[at] = word;
    return list;
}

/** @return a prefix. @param list a list @param words length of the prefix */
std::vector<uint32_t>
Cut(std::vector<uint32_t> list, std::size_t words)
{
    list.resize(words);
    return list;
}

/** The suite. */
class PcodeForeignTestSuite : public TestSuite
{
  public:
    PcodeForeignTestSuite()
        : TestSuite("pcode-foreign", Type::UNIT)
    {
        AddLanes();
        AddRing();
        AddGraph();
        AddWindow();
    }

  private:
    /** Add P1. */
    void AddLanes()
    {
        using Case = ForeignFramesCase<LaneCore>;
        const auto regular = [](Random& random) {
            Frame frame = Regular(1);
            frame.flags = 0;
            frame.payload = random.Below(100);
            return frame;
        };
        AddTestCase(new Case("p1",
                             {[=](Random& random, Peer& from) {
                                  from = random.Stranger();
                                  Frame frame =
                                      random.Below(2) ? regular(random) : Nack(FOREIGN_SELF, 1);
                                  frame.flags = FOREIGN_SELF << 2;
                                  return frame;
                              },
                              [=](Random& random, Peer&) {
                                  Frame frame = regular(random);
                                  frame.flags =
                                      static_cast<uint8_t>(4 * (NODES + random.Below(60)));
                                  return frame;
                              },
                              [=](Random& random, Peer&) {
                                  Frame frame = regular(random);
                                  frame.flags = static_cast<uint8_t>(4 * (1 + random.Below(2)));
                                  return frame;
                              },
                              [=](Random& random, Peer&) {
                                  Frame frame = regular(random);
                                  frame.kind = static_cast<uint8_t>(8 + random.Below(248));
                                  return frame;
                              },
                              [=](Random& random, Peer&) {
                                  Frame frame = regular(random);
                                  frame.id |= uint64_t{100 + random.Below(1 << 30)} << 32;
                                  return frame;
                              },
                              [=](Random& random, Peer&) {
                                  Frame frame = regular(random);
                                  std::vector<uint32_t> words(1 + random.Below(8));
                                  words.resize(words.size() == LABEL_WORDS ? 1 : words.size());
                                  frame.words.assign(words);
                                  return frame;
                              },
                              [=](Random& random, Peer&) {
                                  std::vector<uint32_t> list(random.Below(8));
                                  list.resize(list.size() == NODES ? NODES + 1 : list.size());
                                  const auto flags =
                                      static_cast<uint8_t>(FOREIGN_SELF << 2 | random.Below(4));
                                  return Status(FrameKind::STATUS,
                                                random.Number(),
                                                messaging::FrameWords(list),
                                                flags);
                              }},
                             static_cast<uint8_t>(FrameKind::DIRECT_ACK)),
                    TestCase::Duration::QUICK);
    }

    /** Add the ring. */
    void AddRing()
    {
        using Case = ForeignFramesCase<RingCore>;
        const auto any = [](Random& random) {
            const auto kind = static_cast<RingKind>(1 + random.Below(4));
            return MakeFrame(kind, 1, random.List());
        };
        const auto ahead = [](Random& random) {
            return WIDTH + 1 + random.Below(UINT32_MAX - WIDTH);
        };
        AddTestCase(
            new Case(
                "ring",
                {[=](Random& random, Peer& from) {
                     from = random.Stranger();
                     return any(random);
                 },
                 [=](Random& random, Peer&) {
                     const Peer source = NODES + random.Below(UINT16_MAX - NODES);
                     Frame frame = MakeFrame(RingKind::MESSAGE, 1);
                     frame.id = MakeMessageId(source, NO_PEER, 1);
                     return frame;
                 },
                 [=](Random& random, Peer&) {
                     Frame frame = any(random);
                     frame.kind = static_cast<uint8_t>(5 + random.Below(251));
                     return frame;
                 },
                 [=](Random& random, Peer&) { return MakeFrame(RingKind::MESSAGE, ahead(random)); },
                 [=](Random& random, Peer&) {
                     return MakeFrame(RingKind::TOKEN, ahead(random), random.List());
                 },
                 [=](Random& random, Peer&) {
                     return MakeFrame(RingKind::TOKEN, 1, Cut(TOKEN_WORDS, random.Below(4)));
                 },
                 [=](Random& random, Peer&) {
                     // An aru above the highest number, a lowering node that does not
                     // exist, a request of a number above the highest.
                     const std::array<std::pair<std::size_t, uint32_t>, 3> changes{
                         {{0, 2 + random.Below(1000)},
                          {1, 65 + random.Below(1000)},
                          {4, 2 + random.Below(1000)}}};
                     const auto& [at, word] = changes[random.Below(changes.size())];
                     return MakeFrame(RingKind::TOKEN, 1, Change(TOKEN_WORDS, at, word));
                 }},
                4),
            TestCase::Duration::QUICK);
    }

    /** Add the graph. */
    void AddGraph()
    {
        using Case = ForeignFramesCase<GraphCore>;
        const auto stranger = [](Random& random) {
            return NODES + random.Below(UINT16_MAX - NODES);
        };
        const auto message = [](const std::vector<uint32_t>& words) {
            return MakeFrame(GraphKind::MESSAGE, 1, words);
        };
        AddTestCase(new Case("graph",
                             {[=](Random& random, Peer& from) {
                                  from = random.Stranger();
                                  return random.Below(2)
                                             ? message(GRAPH_WORDS)
                                             : MakeFrame(GraphKind::STATUS, 0, {1, 0, 1});
                              },
                              [=](Random& random, Peer&) {
                                  Frame frame = message(GRAPH_WORDS);
                                  frame.kind = static_cast<uint8_t>(3 + random.Below(253));
                                  return frame;
                              },
                              [=](Random& random, Peer&) {
                                  const Peer source =
                                      random.Below(2) ? FOREIGN_SELF
                                                      : NODES + random.Below(UINT16_MAX - NODES);
                                  Frame frame = message(GRAPH_WORDS);
                                  frame.id =
                                      MakeMessageId(source, NO_PEER, 1 + random.Below(WIDTH));
                                  return frame;
                              },
                              [=](Random& random, Peer&) {
                                  return message(Cut(GRAPH_WORDS, 2 * random.Below(3)));
                              },
                              [=](Random& random, Peer&) {
                                  return message(Change(GRAPH_WORDS, 0, 3 + random.Below(1 << 30)));
                              },
                              [=](Random& random, Peer&) {
                                  const std::size_t at = random.Below(2) ? 1 : 3;
                                  return message(Change(GRAPH_WORDS, at, stranger(random)));
                              },
                              [=](Random& random, Peer&) {
                                  Frame frame = message(GRAPH_WORDS);
                                  frame.id += WIDTH + random.Below(UINT32_MAX - WIDTH - 1);
                                  return frame;
                              },
                              [=](Random& random, Peer&) {
                                  std::vector<uint32_t> list{1, 0, 1, stranger(random), 1};
                                  list.resize(random.Below(2) ? random.Below(NODES) : list.size());
                                  Frame frame = MakeFrame(GraphKind::STATUS, 0, list);
                                  frame.flags = static_cast<uint8_t>(random.Word());
                                  return frame;
                              }},
                             2),
                    TestCase::Duration::QUICK);
    }

    /** Add the window. */
    void AddWindow()
    {
        using Case = ForeignFramesCase<WindowCore>;
        const auto datagram = [](const std::vector<uint32_t>& words) {
            return MakeFrame(WindowKind::DATAGRAM, 1, words);
        };
        AddTestCase(
            new Case("window",
                     {[=](Random& random, Peer& from) {
                          from = random.Stranger();
                          const std::array frames{datagram(WINDOW_WORDS),
                                                  MakeFrame(WindowKind::NACK, 0, {1}),
                                                  MakeFrame(WindowKind::STATUS, 0, {1, 0, 1})};
                          return frames[random.Below(frames.size())];
                      },
                      [=](Random& random, Peer&) {
                          Frame frame = datagram(WINDOW_WORDS);
                          frame.kind = static_cast<uint8_t>(4 + random.Below(252));
                          return frame;
                      },
                      [=](Random& random, Peer&) {
                          return datagram(Cut(WINDOW_WORDS, random.Below(7)));
                      },
                      [=](Random& random, Peer&) {
                          return datagram(Change(WINDOW_WORDS, 0, 2 + random.Below(1 << 30)));
                      },
                      [=](Random& random, Peer&) {
                          return datagram(Cut(WINDOW_WORDS, random.Below(2) ? 8 : 11));
                      },
                      [=](Random& random, Peer&) {
                          Frame frame = datagram(WINDOW_WORDS);
                          frame.id += WIDTH + random.Below(UINT32_MAX - WIDTH - 1);
                          return frame;
                      },
                      [=](Random& random, Peer&) {
                          std::vector<uint32_t> list = random.List();
                          list.resize(list.size() == NODES ? NODES + 1 : list.size());
                          Frame frame = MakeFrame(WindowKind::STATUS, 0, list);
                          frame.flags = static_cast<uint8_t>(random.Word());
                          return frame;
                      },
                      [=](Random& random, Peer&) {
                          const std::vector<uint32_t> numbers(WIDTH + 1 + random.Below(8), 1);
                          return MakeFrame(WindowKind::NACK, 0, numbers);
                      }},
                     3),
            TestCase::Duration::QUICK);
    }
};

PcodeForeignTestSuite g_pcodeForeignTestSuite; ///< The suite.

} // namespace
} // namespace tests
} // namespace pcode
} // namespace ns3
