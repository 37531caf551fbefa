/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/messaging-flow-core.h"
#include "ns3/messaging-scripted-host.h"
#include "ns3/test.h"
#include "ns3/uet-mrc-flow.h"
#include "ns3/uet-mrc-paths.h"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup uet
 * Rules of MRC (M-...), one by one; mrc.rst lists them with their sources.
 */

namespace ns3
{
namespace uet
{
namespace mrc
{
namespace tests
{
namespace
{

using messaging::Acceptance;
using messaging::GetFlowTimer;
using messaging::ScriptedHost;

/** The other end. */
constexpr Peer PEER = 1;

/** Names of kinds of packets in scripts. */
const std::map<std::string, uint8_t> PACKETS{{"first", roce::FIRST},
                                             {"middle", roce::MIDDLE},
                                             {"last", roce::LAST},
                                             {"only", roce::ONLY}};

/** Parameters under test. */
Config
MakeConfig()
{
    Config config;
    config.pair.modulus = 1000;
    config.pair.window = 8;
    config.pair.requests = 8;
    config.pair.mtu = 10;
    config.pair.dataHeader = roce::TRANSPORT_HEADER + WRITE_HEADER;
    config.pair.ackHeader = roce::TRANSPORT_HEADER + SACK_HEADER;
    config.pair.retries = 2;
    config.immediates = 4;
    config.timeout = 10;
    config.probeInterval = 5;
    return config;
}

/** @param paths paths of the network @param planes its planes @param backups most backups @return
 * parameters with all paths in use, except backups. */
Config
MakeWide(uint16_t paths, uint16_t planes = 1, uint16_t backups = 0)
{
    Config config = MakeConfig();
    config.profile = {.paths = paths, .planes = planes, .active = paths, .backups = backups};
    return config;
}

/** One end of a queue pair and its host, driven by words. */
class Bench
{
  public:
    /** @param config parameters */
    explicit Bench(const Config& config)
        : m_config(config),
          m_core(Flow(std::make_shared<const Config>(config)), 3)
    {
    }

    /**
     * Do a step of a script.
     *
     * @verbatim
         post BYTES             post a message to the peer
         SACK NEXT PSN WORDS    receive a SACK of a packet; words are set bits of the bitmap, from
                                NEXT on, path=N, skip and always (its field M), probe
         NACK CODE PSN path=N   receive a NACK, by the number of its code
         KIND PSN WORDS         receive a packet; words are msn=N, index=N, bytes=N, path=N, rtx,
                                AR, marked, trimmed, lasthop
         probe path=N           receive a probe
         EVprobe N              receive an EV probe by its number
         EVanswer N             receive the answer to an EV probe
         timer INDEX            a timer fires
         time T                 the time is T
         busy, ready            the port is busy; it accepts frames again
       @endverbatim
     *
     * @param step the step
     * @return what it sends, delivers and completes
     */
    std::string Do(const std::string& step)
    {
        std::istringstream words(step);
        std::string verb;
        words >> verb;
        if (verb == "post")
        {
            return Post(words);
        }
        if (verb == "timer")
        {
            uint32_t timer = 0;
            words >> timer;
            m_core.OnTimer(GetFlowTimer(PEER, timer), m_host);
        }
        else if (verb == "time")
        {
            words >> m_host.now;
        }
        else if (verb == "busy" || verb == "ready")
        {
            m_host.busy = verb == "busy";
            m_core.OnReady(m_host);
        }
        else
        {
            m_core.OnFrame(PEER, ReadFrame(verb, words), m_host);
        }
        return TakeEffect();
    }

    /** @return the host. */
    ScriptedHost& GetHost()
    {
        return m_host;
    }

  private:
    /** Post a message. @param words its size @return the effect */
    std::string Post(std::istream& words)
    {
        uint32_t bytes = 0;
        words >> bytes;
        const messaging::Request request{.id = m_posted,
                                         .contents = 100 + m_posted,
                                         .to = PEER,
                                         .bytes = bytes,
                                         .tag = static_cast<uint32_t>(m_posted)};
        const Acceptance acceptance = m_core.OnRequest(request, m_host);
        if (acceptance == Acceptance::ACCEPTED)
        {
            ++m_posted;
            return TakeEffect();
        }
        return acceptance == Acceptance::STALLED ? "stalled" : "refused";
    }

    /** @param verb kind of a frame @param words what it carries @return the frame. */
    static Frame ReadFrame(const std::string& verb, std::istream& words)
    {
        Frame frame;
        uint32_t low = 0;
        uint32_t high = 0;
        if (verb == "SACK")
        {
            frame.kind = SACK;
            words >> low >> high;
        }
        else if (verb == "NACK")
        {
            uint32_t code = 0;
            words >> code >> low;
            frame.kind = NACK;
            frame.flags = static_cast<uint8_t>(code);
        }
        else if (verb == "probe")
        {
            frame.kind = PROBE;
        }
        else if (verb == "EVprobe" || verb == "EVanswer")
        {
            frame.kind = verb == "EVprobe" ? EV_PROBE : EV_ANSWER;
            words >> low;
        }
        else
        {
            frame.kind = PACKETS.at(verb);
            frame.contents = 5;
            frame.payload = 10;
            words >> low;
        }
        std::string word;
        while (words >> word)
        {
            ReadWord(word, frame, high);
        }
        frame.id = PackNumbers(low, high);
        return frame;
    }

    /** Read a word of a frame. @param word the word @param frame the frame @param high its second
     * number */
    static void ReadWord(const std::string& word, Frame& frame, uint32_t& high)
    {
        const std::map<std::string, uint8_t> flags{{"rtx", RTX_FLAG},
                                                   {"AR", AR_FLAG},
                                                   {"probe", PROBE_FLAG}};
        const std::map<std::string, PathNews> news{{"skip", PathNews::SKIP_ONCE},
                                                   {"always", PathNews::ALWAYS_SKIP}};
        const std::map<std::string, uint8_t> marks{{"marked", messaging::MARK_CONGESTION},
                                                   {"trimmed", messaging::MARK_TRIMMED},
                                                   {"lasthop", messaging::MARK_LAST_HOP}};
        const std::size_t sign = word.find('=');
        const std::string name = word.substr(0, sign);
        if (flags.contains(name))
        {
            frame.kind |= flags.at(name);
            return;
        }
        if (news.contains(name))
        {
            frame.flags = static_cast<uint8_t>(news.at(name));
            return;
        }
        if (marks.contains(name))
        {
            frame.marks |= marks.at(name);
            return;
        }
        const std::string digits = sign == std::string::npos ? word : word.substr(sign + 1);
        const auto number = static_cast<uint32_t>(std::stoul(digits));
        if (name == "msn")
        {
            high = number;
        }
        else if (name == "index")
        {
            frame.aux = number;
        }
        else if (name == "bytes")
        {
            frame.payload = number;
        }
        else if (name == "path" && IsPacket(frame))
        {
            frame.path = static_cast<uint16_t>(number);
        }
        else if (name == "path")
        {
            frame.path = static_cast<uint16_t>(number);
            frame.aux = number;
        }
        else
        {
            while (frame.words.size() < 3)
            {
                frame.words.push_back(0);
            }
            messaging::SetWordBit(frame.words, messaging::WORD_BITS + number);
        }
    }

    /** @param frame a frame @return its kind, numbers, and what else it carries. */
    std::string Print(const Frame& frame) const
    {
        std::ostringstream os;
        const bool hasPaths = m_config.profile.paths > 1;
        if (IsPacket(frame))
        {
            constexpr std::array NAMES{"first", "middle", "last", "only"};
            os << NAMES[GetKind(frame)] << ' ' << GetLowNumber(frame) << " m"
               << GetHighNumber(frame) << (HasFlag(frame, RTX_FLAG) ? " rtx" : "")
               << (HasFlag(frame, AR_FLAG) ? " AR" : "");
            os << (hasPaths ? " on " + std::to_string(frame.path) : "");
            return os.str();
        }
        if (GetKind(frame) == PROBE)
        {
            return "probe on " + std::to_string(frame.path);
        }
        if (GetKind(frame) > PROBE)
        {
            const std::string kind = GetKind(frame) == EV_PROBE ? "EVprobe " : "EVanswer ";
            return kind + std::to_string(frame.id) + " on " + std::to_string(frame.path);
        }
        if (GetKind(frame) == NACK)
        {
            os << "NACK " << GetName(static_cast<NackCode>(frame.flags)) << ' '
               << GetLowNumber(frame);
        }
        else
        {
            os << "SACK " << GetLowNumber(frame) << " of ";
            os << (HasFlag(frame, PROBE_FLAG) ? "probe" : std::to_string(GetHighNumber(frame)));
            for (uint32_t bit = 0; bit < 64 && frame.words.size() == 3; ++bit)
            {
                if (messaging::GetWordBit(frame.words, messaging::WORD_BITS + bit))
                {
                    os << " +" << frame.words[0] + bit;
                }
            }
            os << (frame.flags == static_cast<uint8_t>(PathNews::SKIP_ONCE) ? " skip" : "");
        }
        os << (hasPaths ? " for " + std::to_string(frame.aux) : "");
        return os.str();
    }

    /** @return what was sent, delivered and completed since the last call. */
    std::string TakeEffect()
    {
        std::string text = m_host.TakeSent(
            [&](std::ostream& os, const ScriptedHost::Sent& sent) { os << Print(sent.frame); });
        const auto add = [&](const std::string& word, uint64_t number) {
            text += (text.empty() ? "" : ", ") + word + ' ' + std::to_string(number);
        };
        for (const auto& message : std::exchange(m_host.delivered, {}))
        {
            add("deliver", message.bytes);
        }
        for (const auto& [id, completion] : std::exchange(m_host.completed, {}))
        {
            std::ostringstream os;
            os << completion;
            add(os.str(), id);
        }
        return text;
    }

    Config m_config;                  ///< Parameters.
    messaging::FlowCore<Flow> m_core; ///< The core.
    ScriptedHost m_host;              ///< Its host.
    uint64_t m_posted{0};             ///< Messages posted.
};

/** A step of a script, and its effect. */
struct Row
{
    std::string step;   ///< What happens.
    std::string effect; ///< What is sent, delivered and completed.
};

/** A script of one end of a queue pair. */
class ScriptCase : public TestCase
{
  public:
    /**
     * Constructor.
     * @param name the rules
     * @param rows the script
     * @param config parameters
     */
    ScriptCase(const std::string& name, std::vector<Row> rows, const Config& config = MakeConfig())
        : TestCase(name),
          m_rows(std::move(rows)),
          m_config(config)
    {
    }

  private:
    void DoRun() override
    {
        Bench bench(m_config);
        std::string before;
        for (const auto& [step, effect] : m_rows)
        {
            const std::string actual = bench.Do(step);
            NS_TEST_EXPECT_MSG_EQ(actual, effect, step << " after" << before);
            before += " " + step + ";";
        }
    }

    std::vector<Row> m_rows; ///< The script.
    Config m_config;         ///< Parameters.
};

/** A host that records the states of paths. */
struct PathHost : ScriptedHost
{
    /** Record a state. @param to the peer @param path the path @param state its name */
    void TracePath(Peer to, uint16_t path, const char* state)
    {
        traced += std::to_string(to) + ':' + std::to_string(path) + ' ' + state + '\n';
    }

    std::string traced; ///< All changes, a line each.
};

/** Each event in each state of a path. */
class PathTableCase : public TestCase
{
  public:
    PathTableCase()
        : TestCase("M-11, M-12: each event in each state of a path, and its trace")
    {
    }

  private:
    /** Change of a path by an event. @param paths the profile @param event the event @param host
     * actions */
    static void Do(PathProfile& paths, const std::string& event, PathHost& host)
    {
        if (event == "trimmed")
        {
            paths.OnTrimmed(PEER, PATH, host);
        }
        else if (event == "timeout")
        {
            paths.OnTimeout(PEER, PATH, host);
        }
        else if (event == "turn")
        {
            for (uint32_t i = 0; i < paths.GetNActive(); ++i)
            {
                paths.Choose(PEER, host);
            }
        }
        else if (event.starts_with("probe"))
        {
            paths.OnProbeAnswer(PEER, PATH, GetNews(event), host);
        }
        else
        {
            paths.OnNews(PEER, PATH, GetNews(event), host);
        }
    }

    /** @param event text that ends in a field M @return the field. */
    static PathNews GetNews(const std::string& event)
    {
        if (event.ends_with("always"))
        {
            return PathNews::ALWAYS_SKIP;
        }
        return event.ends_with("skip") ? PathNews::SKIP_ONCE : PathNews::NONE;
    }

    void DoRun() override
    {
        using enum PathState;
        const std::vector<std::string> events{"none",
                                              "skip",
                                              "always",
                                              "trimmed",
                                              "timeout",
                                              "turn",
                                              "probe: none",
                                              "probe: skip",
                                              "probe: always"};

        /** The event that leads to a state, and the state after each event. */
        struct Line
        {
            std::string before;           ///< The event; DENIED is set by a parameter.
            PathState state;              ///< The state.
            std::vector<PathState> after; ///< States after the events above.
        };

        const std::vector<Line> lines{
            {"none", GOOD, {GOOD, SKIP, ASSUMED_BAD, SKIP, ASSUMED_BAD, GOOD, GOOD, GOOD, GOOD}},
            {"skip", SKIP, {SKIP, SKIP, ASSUMED_BAD, SKIP, ASSUMED_BAD, GOOD, SKIP, SKIP, SKIP}},
            {"timeout",
             ASSUMED_BAD,
             {ASSUMED_BAD,
              ASSUMED_BAD,
              ASSUMED_BAD,
              ASSUMED_BAD,
              ASSUMED_BAD,
              ASSUMED_BAD,
              GOOD,
              SKIP,
              ASSUMED_BAD}},
            {"none",
             DENIED,
             {DENIED, DENIED, DENIED, DENIED, DENIED, DENIED, DENIED, DENIED, DENIED}}};
        for (const auto& [before, state, after] : lines)
        {
            for (std::size_t i = 0; i < events.size(); ++i)
            {
                PathHost host;
                ProfileSettings settings{.paths = 4, .planes = 2, .active = 4};
                settings.deniedPlanes = state == DENIED ? 1 : 0;
                PathProfile paths(settings);
                Do(paths, before, host);
                host.traced.clear();
                Do(paths, events[i], host);
                NS_TEST_EXPECT_MSG_EQ(paths.GetState(PATH), after[i], state << ", " << events[i]);
                std::ostringstream line;
                line << PEER << ':' << PATH << ' ' << after[i] << '\n';
                const std::string change = after[i] == state ? "" : line.str();
                NS_TEST_EXPECT_MSG_EQ(host.traced, change, "trace of " << events[i]);
            }
        }
    }

    static constexpr uint16_t PATH = 0; ///< The path.
};

/** Backups and planes. */
class ProfileCase : public TestCase
{
  public:
    ProfileCase()
        : TestCase("M-10: a profile is spread over the planes; a backup of the same plane follows")
    {
    }

  private:
    void DoRun() override
    {
        ScriptedHost host;
        // Planes 0 and 1 have the path values 0 to 7 and 8 to 15.
        PathProfile paths({.paths = 16, .planes = 2, .active = 4, .backups = 2});
        NS_TEST_EXPECT_MSG_EQ(paths.GetNActive(), 4, "paths in use");
        NS_TEST_EXPECT_MSG_EQ(paths.GetNPaths(), 6, "with backups");
        Expect(paths, {0, 8, 1, 9, 0}, "evenly over the planes", host);
        paths.OnTimeout(PEER, 8, host);
        Expect(paths, {10, 1, 9, 0, 10}, "the backup of plane 1", host);
        paths.OnTimeout(PEER, 9, host);
        Expect(paths, {1, 0, 10, 1}, "no further backup of plane 1", host);
        paths.OnProbeAnswer(PEER, 8, PathNews::NONE, host);
        paths.OnTimeout(PEER, 10, host);
        Expect(paths, {0, 8, 1}, "a path that was bad is a backup", host);
        for (const uint16_t path : {0, 1, 2, 8})
        {
            paths.OnTimeout(PEER, path, host);
        }
        const uint16_t any = paths.Choose(PEER, host);
        const bool isDifferent = paths.Choose(PEER, host) != any;
        NS_TEST_EXPECT_MSG_EQ(isDifferent, true, "bad paths in turn, if there is no other");
        PathProfile many({.paths = 512, .planes = 8, .active = 256, .backups = 64});
        std::map<uint32_t, uint32_t> ofPlane;
        for (uint32_t i = 0; i < many.GetNActive(); ++i)
        {
            ++ofPlane[many.Choose(PEER, host) / 64];
        }
        for (uint32_t plane = 0; plane < 8; ++plane)
        {
            NS_TEST_EXPECT_MSG_EQ(ofPlane[plane], 32, "paths of plane " << plane);
        }
        host.random = 3;
        PathProfile late({.paths = 8, .active = 8});
        NS_TEST_EXPECT_MSG_EQ(late.Choose(PEER, host), 3, "the first path is random");
    }

    /** Check the next paths. @param paths the profile @param expected the paths @param what what is
     * expected @param host actions */
    void Expect(PathProfile& paths,
                const std::vector<uint16_t>& expected,
                const std::string& what,
                ScriptedHost& host)
    {
        for (const uint16_t path : expected)
        {
            const uint16_t actual = paths.Choose(PEER, host);
            NS_TEST_EXPECT_MSG_EQ(actual, path, what);
        }
    }
};

/** Planes of answers. */
class DeniedPlanesCase : public TestCase
{
  public:
    DeniedPlanesCase()
        : TestCase("M-12: neither packets nor answers take a plane that is denied")
    {
    }

  private:
    void DoRun() override
    {
        // Planes 0, 1 and 2 have the path values 0 and 1, 2 and 3, 4 and 5.
        Config config = MakeWide(6, 3);
        config.profile.deniedPlanes = 0b011;
        messaging::FlowCore<Flow> core(Flow(std::make_shared<const Config>(config)), 3);
        ScriptedHost host;
        core.OnRequest({.to = PEER, .bytes = 40}, host);
        for (uint32_t psn = 0; psn < 4; ++psn)
        {
            core.OnFrame(PEER,
                         {.id = PackNumbers(psn, psn),
                          .payload = 10,
                          .path = 4,
                          .kind = roce::ONLY | AR_FLAG},
                         host);
        }
        NS_TEST_ASSERT_MSG_EQ(host.sent.size(), 8, "four packets and four answers");
        for (const auto& [to, frame] : host.sent)
        {
            NS_TEST_EXPECT_MSG_GT_OR_EQ(frame.path, 4, Flow::DescribeFrame(frame));
        }
    }
};

/** Answers that wait for a busy port. */
class AnswerDropCase : public TestCase
{
  public:
    AnswerDropCase()
        : TestCase("of answers that wait, 512 are kept, and each that is dropped is counted")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t KEPT = 512;
        constexpr uint32_t DROPPED = 3;
        Bench bench(MakeConfig());
        bench.Do("busy");
        for (uint32_t i = 0; i < KEPT; ++i)
        {
            bench.Do("only 0 msn=0 trimmed");
        }
        NS_TEST_EXPECT_MSG_EQ(bench.GetHost().Count(ANSWER_DROP), 0, "room for all");
        for (uint32_t i = 0; i < DROPPED; ++i)
        {
            bench.Do("only 0 msn=0 trimmed");
        }
        NS_TEST_EXPECT_MSG_EQ(bench.GetHost().Count(ANSWER_DROP), DROPPED, "the oldest");
    }
};

/** Timers of packets. */
class OwnTimersCase : public TestCase
{
  public:
    OwnTimersCase()
        : TestCase("M-14: each packet has a timer, which doubles; then the queue pair fails")
    {
    }

  private:
    void DoRun() override
    {
        Bench bench(MakeConfig());
        const auto expect = [&](uint32_t time, const std::string& step, const std::string& effect) {
            bench.GetHost().now = time;
            const std::string actual = bench.Do(step);
            NS_TEST_EXPECT_MSG_EQ(actual, effect, step << " at " << time);
        };
        expect(0, "post 10", "only 0 m0 AR");
        expect(4, "post 10", "only 1 m1 AR");
        expect(10, "timer 0", "only 0 m0 rtx AR");
        expect(14, "timer 0", "only 1 m1 rtx AR");
        expect(30, "timer 1", "only 0 m0 rtx AR");
        expect(70, "timer 2", "failed 0, failed 1");
        expect(71, "post 10", "refused");
        expect(72, "SACK 2 1", "");
        expect(73, "only 0 msn=0 AR", "SACK 1 of 0, deliver 10");
    }
};

/** The suite. */
class MrcCoreTestSuite : public TestSuite
{
  public:
    MrcCoreTestSuite()
        : TestSuite("uet-mrc-core", Type::UNIT)
    {
        AddRequester();
        AddResponder();
        AddPaths();
        Add(new PathTableCase);
        Add(new ProfileCase);
        Add(new AnswerDropCase);
        Add(new OwnTimersCase);
        Add(new DeniedPlanesCase);
    }

  private:
    /** Add a case. @param test the case */
    void Add(TestCase* test)
    {
        AddTestCase(test, TestCase::Duration::QUICK);
    }

    /** Add the scripts of requesters. */
    void AddRequester()
    {
        Add(new ScriptCase(
            "M-01, M-02: consecutive PSNs and MSNs; MPR limits the packets without a "
            "cumulative SACK",
            {{"post 20", "first 0 m0, last 1 m0 AR"},
             {"post 70",
              "first 2 m1, middle 3 m1, middle 4 m1, middle 5 m1, middle 6 m1, "
              "middle 7 m1 AR"},
             {"SACK 1 0", "last 8 m1 AR"},
             {"SACK 9 8", "delivered 0, delivered 1"}}));
        Add(new ScriptCase("M-09: at most max_wimm_inflight messages",
                           {{"post 10", "only 0 m0 AR"},
                            {"post 10", "only 1 m1 AR"},
                            {"post 10", "only 2 m2 AR"},
                            {"post 10", "only 3 m3 AR"},
                            {"post 10", ""},
                            {"SACK 2 1", "only 4 m4 AR, delivered 0, delivered 1"}}));
        Add(new ScriptCase(
            "M-07: a trimmed packet is sent again at once, with rtx; other NACKs are left to the "
            "timer",
            {{"post 30", "first 0 m0, middle 1 m0, last 2 m0 AR"},
             {"NACK 1 1", "middle 1 m0 rtx AR"},
             {"NACK 11 2", ""},
             {"NACK 25 2", ""},
             {"NACK 2 2", "last 2 m0 rtx AR"},
             {"NACK 1 9", ""},
             {"SACK 3 2 trimmed", ""},
             {"SACK 3 2", "delivered 0"},
             {"NACK 1 2", ""}}));
        Add(new ScriptCase(
            "M-13: on one path, a hole is lost as soon as a later packet has arrived, and sent "
            "again once; then its timer protects it",
            {{"post 40", "first 0 m0, middle 1 m0, middle 2 m0, last 3 m0 AR"},
             {"SACK 1 2 1", "middle 1 m0 rtx AR"},
             {"SACK 1 3 1 2", ""},
             {"time 10", ""},
             {"timer 0", "middle 1 m0 rtx AR"},
             {"SACK 4 1", "delivered 0"}}));
        Add(new ScriptCase("a SACK of packets that were never sent, and a late one, are ignored",
                           {{"post 10", "only 0 m0 AR"},
                            {"SACK 2 1", ""},
                            {"SACK 500 499", ""},
                            {"SACK 1 0", "delivered 0"},
                            {"SACK 0 0", ""},
                            {"SACK 1 0", ""}}));
        Add(new ScriptCase("M-16: a busy port delays answers, probes and packets, and loses none",
                           {{"busy", ""},
                            {"post 20", ""},
                            {"only 0 msn=0 AR", "deliver 10"},
                            {"ready", "SACK 1 of 0, first 0 m0, last 1 m0 AR"}}));
        Config small = MakeConfig();
        small.pair.requests = 1;
        Add(new ScriptCase("a full queue stalls",
                           {{"post 10", "only 0 m0 AR"},
                            {"post 10", "stalled"},
                            {"SACK 1 0", "delivered 0"},
                            {"post 10", "only 1 m1 AR"}},
                           small));
        Config wrapping = MakeConfig();
        wrapping.pair.modulus = 5;
        wrapping.pair.window = 2;
        Add(new ScriptCase("M-02: PSNs and MSNs wrap",
                           {{"post 40", "first 0 m0, middle 1 m0 AR"},
                            {"SACK 2 1", "middle 2 m0, last 3 m0 AR"},
                            {"SACK 4 3", "delivered 0"},
                            {"post 20", "first 4 m1, last 0 m1 AR"},
                            {"SACK 1 0", "delivered 1"},
                            {"post 10", "only 1 m2 AR"},
                            {"SACK 1 0", ""},
                            {"SACK 2 1", "delivered 2"}},
                           wrapping));
    }

    /** Add the scripts of responders. */
    void AddResponder()
    {
        Add(new ScriptCase("M-03, M-09: packets are placed as they come; messages complete in the "
                           "order of their numbers",
                           {{"last 1 msn=0 index=1 bytes=5", ""},
                            {"only 2 msn=1 bytes=7 AR", "SACK 0 of 2 +1 +2"},
                            {"first 0 msn=0", "SACK 3 of 0, deliver 15, deliver 7"},
                            {"last 5 msn=2 index=2 bytes=1 AR", "SACK 3 of 5 +2"},
                            {"middle 4 msn=2 index=1", "SACK 3 of 4 +1 +2"},
                            {"first 3 msn=2", "SACK 6 of 3, deliver 21"}}));
        Add(new ScriptCase("M-04: a packet that arrives again is answered again",
                           {{"only 0 msn=0 AR", "SACK 1 of 0, deliver 10"},
                            {"only 0 msn=0 rtx AR", "SACK 1 of 0"},
                            {"only 0 msn=0", "SACK 1 of 0"},
                            {"only 3 msn=3 AR", "SACK 1 of 3 +2"},
                            {"only 3 msn=3", "SACK 1 of 3 +2"}}));
        Add(new ScriptCase("M-06: a packet beyond MPR, or of a message beyond those in flight",
                           {{"only 0 msn=0 AR", "SACK 1 of 0, deliver 10"},
                            {"middle 8 msn=1 index=7 AR", "SACK 1 of 8 +7"},
                            {"only 9 msn=2", "NACK PSN_OOR_WINDOW 9"},
                            {"only 5 msn=5", "NACK UNEXP_EVENT 5"},
                            {"only 5 msn=0", "NACK UNEXP_EVENT 5"},
                            {"only 5 msn=4 AR", "SACK 1 of 5 +4 +7"}}));
        Add(new ScriptCase("M-05: SACKs after 16 KiB, on request, at a mark, and below a request",
                           {{"first 0 msn=0 bytes=8192", ""},
                            {"middle 1 msn=0 index=1 bytes=8191", ""},
                            {"middle 2 msn=0 index=2 bytes=1", "SACK 3 of 2"}, // 1 KiB each.
                            {"middle 3 msn=0 index=3 bytes=1", ""},
                            {"middle 4 msn=0 index=4 bytes=1 marked", "SACK 5 of 4 skip"},
                            {"middle 8 msn=0 index=8 AR", "SACK 5 of 8 +3"},
                            {"middle 6 msn=0 index=6", "SACK 5 of 6 +1 +3"},
                            {"middle 9 msn=0 index=9", ""},
                            {"middle 5 msn=0 index=5", "SACK 7 of 5 +1 +2"}}));
        Config wide = MakeConfig();
        wide.pair.window = 128;
        Add(new ScriptCase("M-05: 64 bits of a SACK, around the packet that is answered",
                           {{"first 0 msn=0 AR", "SACK 1 of 0"},
                            {"middle 2 msn=0 index=2 AR", "SACK 1 of 2 +1"},
                            {"middle 64 msn=0 index=64 AR", "SACK 1 of 64 +1 +63"},
                            {"middle 65 msn=0 index=65 AR", "SACK 1 of 65 +64"},
                            {"probe", "SACK 1 of probe +1 +63"}},
                           wide));
        wide.pair.window = MOST_RANGE;
        wide.pair.modulus = 1 << 24;
        Add(new ScriptCase("M-02, M-05: a window of 1024 packets",
                           {{"first 0 msn=0 AR", "SACK 1 of 0"},
                            {"middle 1000 msn=0 index=1000 AR", "SACK 1 of 1000 +999"},
                            {"middle 1024 msn=0 index=1024 AR", "SACK 1 of 1024 +999 +1023"},
                            {"middle 1025 msn=0 index=1025", "NACK PSN_OOR_WINDOW 1025"},
                            {"middle 1 msn=0 index=1 AR", "SACK 2 of 1"}},
                           wide));
        Add(new ScriptCase("M-07: a trimmed packet has a NACK, a trimmed answer has none",
                           {{"first 0 msn=0 trimmed", "NACK TRIMMED 0"},
                            {"first 0 msn=0 rtx trimmed", "NACK TRIMMED 0"},
                            {"first 0 msn=0 rtx trimmed lasthop", "NACK TRIMMED_LASTHOP 0"},
                            {"SACK 1 0 trimmed", ""},
                            {"first 0 msn=0 rtx AR", "SACK 1 of 0"}}));
    }

    /** Add the scripts of paths. */
    void AddPaths()
    {
        Add(new ScriptCase(
            "M-08: a SACK and a NACK name the path of the packet that they answer",
            {{"only 0 msn=0 AR path=2", "SACK 1 of 0 for 2, deliver 10"},
             {"only 1 msn=1 trimmed path=3", "NACK TRIMMED 1 for 3"},
             {"only 1 msn=1 rtx AR path=1 marked", "SACK 2 of 1 skip for 1, deliver 10"},
             {"probe path=3 marked", "SACK 2 of probe skip for 3"}},
            MakeWide(4)));
        Add(new ScriptCase(
            "M-11: a path with a mark, or on which a packet was trimmed, is skipped once",
            {{"post 40", "first 0 m0 on 0, middle 1 m0 on 1, middle 2 m0 on 2, last 3 m0 AR on 3"},
             {"SACK 1 0 path=0 skip", ""},
             {"NACK 1 2 path=2", "middle 2 m0 rtx AR on 1"},
             {"post 30", "first 4 m1 on 3, middle 5 m1 on 0, last 6 m1 AR on 1"},
             {"SACK 7 6 path=1", "delivered 0, delivered 1"},
             {"post 10", "only 7 m2 AR on 2"}},
            MakeWide(4)));
        Add(new ScriptCase(
            "M-11: a packet that was trimmed at the last hop says nothing of its path",
            {{"post 20", "first 0 m0 on 0, last 1 m0 AR on 1"},
             {"NACK 2 0 path=0", "first 0 m0 rtx AR on 2"},
             {"SACK 2 0 path=2", "delivered 0"},
             {"post 20", "first 2 m1 on 3, last 3 m1 AR on 0"}},
            MakeWide(4)));
        Add(new ScriptCase("M-12, M-15: a path whose packet times out is probed until a probe "
                           "returns, while packets are in flight",
                           {{"post 20", "first 0 m0 on 0, last 1 m0 AR on 1"},
                            {"SACK 0 1 1 path=1", ""},
                            {"time 10", ""},
                            {"timer 0", "first 0 m0 rtx AR on 2"},
                            {"timer 17", "probe on 0"},
                            {"timer 17", "probe on 0"},
                            {"SACK 0 0 probe path=0 always", ""},
                            {"timer 17", "probe on 0"},
                            {"SACK 0 0 probe path=0 skip", ""},
                            {"timer 17", ""},
                            {"SACK 2 0 path=2 always", "delivered 0"},
                            {"timer 17", ""},
                            {"post 10", "only 2 m1 AR on 3"},
                            {"timer 17", "probe on 2"}},
                           MakeWide(4)));
        Add(new ScriptCase("M-13: a hole on another path says nothing",
                           {{"post 30", "first 0 m0 on 0, middle 1 m0 on 1, last 2 m0 AR on 0"},
                            {"SACK 0 1 1 path=1", ""},
                            {"SACK 0 2 1 2 path=0", "first 0 m0 rtx AR on 1"},
                            {"SACK 3 0", "delivered 0"}},
                           MakeWide(2)));
        AddReversePaths();
        Config busy = MakeWide(2);
        Add(new ScriptCase("M-16: a probe waits for a busy port",
                           {{"post 10", "only 0 m0 AR on 0"},
                            {"time 10", ""},
                            {"timer 0", "only 0 m0 rtx AR on 1"},
                            {"busy", ""},
                            {"timer 17", ""},
                            {"ready", "probe on 0"}},
                           busy));
    }

    /** Add the scripts of paths of answers. */
    void AddReversePaths()
    {
        Add(new ScriptCase("M-04: answers take one path of each plane in turn, and others after a "
                           "packet has arrived again",
                           {{"EVprobe 7", "EVanswer 7 on 0"},
                            {"EVprobe 7", "EVanswer 7 on 2"},
                            {"only 0 msn=0 AR path=1", "SACK 1 of 0 for 1, deliver 10"},
                            {"only 0 msn=0 rtx AR path=2", "SACK 1 of 0 for 2"},
                            {"EVprobe 7", "EVanswer 7 on 1"},
                            {"EVprobe 7", "EVanswer 7 on 3"}},
                           MakeWide(4, 2)));
        Config probing = MakeWide(4, 2);
        probing.reverseInterval = 5;
        Add(new ScriptCase("M-17: an end that only receives probes a random path, by an EV probe; "
                           "its answer makes it the path of answers in its plane",
                           {{"only 0 msn=0 AR path=1", "SACK 1 of 0 for 1, deliver 10"},
                            {"timer 18", "EVprobe 0 on 0"},
                            {"timer 18", ""},
                            {"EVprobe 7", "EVanswer 7 on 2"},
                            {"EVanswer 1", ""},
                            {"EVprobe 7", "EVanswer 7 on 1"},
                            {"EVprobe 7", "EVanswer 7 on 2"},
                            {"EVanswer 9", ""},
                            {"EVprobe 7", "EVanswer 7 on 1"}},
                           probing));
        Add(new ScriptCase("M-17: one that sends, too, learns paths of answers from SACKs",
                           {{"post 20", "first 0 m0 on 0, last 1 m0 AR on 2"},
                            {"only 0 msn=0 path=1", "deliver 10"},
                            {"timer 18", ""},
                            {"SACK 1 0 path=3 skip", ""},
                            {"EVprobe 7", "EVanswer 7 on 0"},
                            {"SACK 2 1 path=3", "delivered 0"},
                            {"EVprobe 7", "EVanswer 7 on 3"}},
                           probing));
    }
};

MrcCoreTestSuite g_mrcCoreTestSuite; ///< The suite.

} // namespace
} // namespace tests
} // namespace mrc
} // namespace uet
} // namespace ns3
