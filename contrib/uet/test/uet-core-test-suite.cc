/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/messaging-scripted-host.h"
#include "ns3/test.h"
#include "ns3/uet-endpoint.h"
#include "ns3/uet-paths.h"
#include "ns3/uet-window.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup uet
 * Rules of the packet delivery sublayer (U-...) and of the choice of paths (P-...), one by one;
 * uet.rst lists them with their sources.
 */

namespace ns3
{
namespace uet
{
namespace tests
{
namespace
{

using messaging::Acceptance;
using messaging::Completion;
using messaging::GetFlowTimer;
using messaging::ScriptedHost;

/** The other end. */
constexpr Peer PEER = 1;

/** PDC number of the scripted target. */
constexpr uint16_t TARGET_PDC = 7;

/** Names of codes in scripts. */
const std::map<std::string, NackCode> CODES{{"TRIMMED", TRIMMED},
                                            {"TRIMMED_LASTHOP", TRIMMED_LASTHOP},
                                            {"NO_GTD_DEL", NO_GTD_DEL},
                                            {"NO_RESOURCE", NO_RESOURCE},
                                            {"PSN_OOR_WINDOW", PSN_OOR_WINDOW},
                                            {"ROD_OOO", ROD_OUT_OF_ORDER},
                                            {"INV_DPDCID", INVALID_DPDCID},
                                            {"CLOSING", CLOSING}};

/** Names of requests in scripts, by kind. */
constexpr std::array REQUESTS{"first", "middle", "last", "only", "CLOSE"};

/** Parameters under test: the first PSN is 100. */
Config
MakeConfig()
{
    Config config;
    config.pair.window = 8;
    config.pair.requests = 8;
    config.pair.mtu = 10;
    config.pair.dataHeader = REQUEST_HEADER + FIRST_SEMANTIC_HEADER;
    config.modulus = 1000;
    config.startDistance = 100;
    config.retries = 2;
    config.refusals = 2;
    config.contexts = 2;
    config.pdcs = 2;
    config.timeout = 10;
    config.refusalDelay = 5;
    config.idle = 1000;
    config.safety = 2000;
    return config;
}

/**
 * Print a frame.
 * @param frame the frame
 * @return kind, number, and what else it carries
 */
std::string
Print(const Frame& frame)
{
    const Address address = Address::Unpack(frame.id);
    std::ostringstream os;
    if (IsRequest(frame))
    {
        os << REQUESTS[GetKind(frame)] << ' ' << address.psn;
        if (HasFlag(frame, SYN_FLAG))
        {
            os << " SYN+" << address.other;
        }
        os << (HasFlag(frame, RETX_FLAG) ? " retx" : "") << (HasFlag(frame, AR_FLAG) ? " AR" : "");
        return os.str();
    }
    if (GetKind(frame) == NACK)
    {
        for (const auto& [name, code] : CODES)
        {
            os << (code == frame.aux ? "NACK " + name + ' ' : "");
        }
        os << address.psn;
        return os.str();
    }
    if (GetKind(frame) == CREDIT || GetKind(frame) == CREDIT_REQUEST)
    {
        os << (GetKind(frame) == CREDIT ? "credit " : "demand ") << frame.aux;
        return os.str();
    }
    if (GetKind(frame) == RESPONSE)
    {
        os << "response " << address.psn;
        return os.str();
    }
    os << "ACK " << address.psn << " of " << frame.aux;
    for (uint32_t bit = 0; bit < 64 && frame.words.size() == 3; ++bit)
    {
        if (messaging::GetWordBit(frame.words, messaging::WORD_BITS + bit))
        {
            os << " +" << frame.words[0] + bit;
        }
    }
    os << (HasFlag(frame, RESPONSE_FLAG) ? " response" : "");
    os << (HasFlag(frame, ECHO_FLAG) ? " marked" : "");
    return os.str();
}

/** An endpoint and its host, driven by words. */
class Bench
{
  public:
    /** @param config parameters */
    explicit Bench(const Config& config)
        : m_core(std::make_shared<const Config>(config), 3)
    {
    }

    /**
     * Do a step of a script.
     *
     * @verbatim
         post BYTES             post a message to the peer
         ACK NEXT TRIGGER BITS  receive an ACK; set bits of its SACK, from NEXT on
         response PSN           receive the answer to a packet of RUDI
         credit N               receive a grant of credit
         demand N               receive a demand for credit
         NACK CODE PSN          receive a NACK
         KIND PSN WORDS         receive a request; words are SYN+OFFSET, pdc=N, target=N, index=N,
                                bytes=N, clear=PSN, credit=N, retx, AR, marked, trimmed, lasthop,
     from=PEER timer INDEX            a timer of the initiator of the peer fires forget N the timer
     of a closed target fires grant                  the timer of grants fires time T the time is T
         pdc N                  further answers are for PDC N
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
            uint32_t bytes = 0;
            words >> bytes;
            const messaging::Request request{.id = m_posted,
                                             .contents = 100 + m_posted,
                                             .to = PEER,
                                             .bytes = bytes,
                                             .tag = static_cast<uint32_t>(m_posted)};
            const Acceptance acceptance = m_core.OnRequest(request, m_host);
            m_posted += acceptance == Acceptance::ACCEPTED ? 1 : 0;
            return TakeEffect() + (acceptance == Acceptance::STALLED ? "stalled" : "");
        }
        if (verb == "timer" || verb == "forget" || verb == "time" || verb == "pdc")
        {
            uint32_t number = 0;
            words >> number;
            DoNumber(verb, number);
            return TakeEffect();
        }
        if (verb == "grant")
        {
            m_core.OnTimer(GetFlowTimer(0, Endpoint::GRANT), m_host);
            return TakeEffect();
        }
        if (verb == "busy" || verb == "ready")
        {
            m_host.busy = verb == "busy";
            m_core.OnReady(m_host);
            return TakeEffect();
        }
        DoFrame(verb, words);
        return TakeEffect();
    }

    /** @return the host. */
    ScriptedHost& GetHost()
    {
        return m_host;
    }

  private:
    /** Do a step with a number. @param verb what to do @param number the number */
    void DoNumber(const std::string& verb, uint32_t number)
    {
        if (verb == "timer")
        {
            m_core.OnTimer(GetFlowTimer(PEER, number), m_host);
        }
        else if (verb == "forget")
        {
            m_core.OnTimer(GetFlowTimer(PEER, Initiator::END + number), m_host);
        }
        else if (verb == "time")
        {
            m_host.now = number;
        }
        else
        {
            m_pdc = static_cast<uint16_t>(number);
        }
    }

    /** Receive a frame. @param verb its kind @param words what follows */
    void DoFrame(const std::string& verb, std::istream& words)
    {
        Address address{.own = TARGET_PDC, .other = m_pdc};
        Frame frame;
        Peer from = PEER;
        if (verb == "NACK")
        {
            std::string code;
            words >> code >> address.psn;
            frame.kind = NACK;
            frame.aux = CODES.at(code);
        }
        else if (verb == "ACK")
        {
            words >> address.psn >> frame.aux;
            frame.kind = ACK;
            ReadBits(words, frame);
        }
        else if (verb == "credit" || verb == "demand")
        {
            words >> frame.aux;
            frame.kind = verb == "credit" ? CREDIT : CREDIT_REQUEST;
        }
        else if (verb == "response")
        {
            words >> address.psn;
            frame.kind = RESPONSE;
        }
        else
        {
            const auto kind = std::ranges::find(REQUESTS, verb);
            frame.kind = static_cast<uint8_t>(kind - REQUESTS.begin());
            words >> address.psn;
            address.own = 0;
            address.other = 0;
            frame.contents = 5;
            frame.payload = 10;
            from = ReadRequest(words, address, frame);
        }
        frame.id = address.Pack();
        m_core.OnFrame(from, frame, m_host);
    }

    /** Read the bits of a SACK, and "marked". @param words the words @param frame the ACK */
    static void ReadBits(std::istream& words, Frame& frame)
    {
        std::string word;
        while (words >> word)
        {
            if (word == "marked")
            {
                frame.kind |= ECHO_FLAG;
                continue;
            }
            if (word == "trimmed")
            {
                frame.marks |= messaging::MARK_TRIMMED;
                continue;
            }
            if (word == "response")
            {
                frame.kind |= RESPONSE_FLAG;
                continue;
            }
            frame.words.push_back(0);
            messaging::SetWordBit(frame.words,
                                  messaging::WORD_BITS + static_cast<uint32_t>(std::stoul(word)));
        }
        while (!frame.words.empty() && frame.words.size() < 3)
        {
            frame.words.push_back(0);
        }
    }

    /** Read what a request carries. @param words the words @param address its address @param frame
     * the request @return its sender */
    static Peer ReadRequest(std::istream& words, Address& address, Frame& frame)
    {
        const std::map<std::string, uint8_t> flags{{"retx", RETX_FLAG}, {"AR", AR_FLAG}};
        const std::map<std::string, uint8_t> marks{{"marked", messaging::MARK_CONGESTION},
                                                   {"trimmed", messaging::MARK_TRIMMED},
                                                   {"lasthop", messaging::MARK_LAST_HOP}};
        Peer from = PEER;
        std::string word;
        while (words >> word)
        {
            const std::size_t sign = word.find_first_of("=+");
            const std::string name = word.substr(0, sign);
            const uint32_t number = sign == std::string::npos
                                        ? 0
                                        : static_cast<uint32_t>(std::stoul(word.substr(sign + 1)));
            if (name == "SYN")
            {
                frame.kind |= SYN_FLAG;
                address.other = static_cast<uint16_t>(number);
            }
            else if (name == "pdc")
            {
                address.own = static_cast<uint16_t>(number);
            }
            else if (name == "target")
            {
                address.other = static_cast<uint16_t>(number);
            }
            else if (name == "index")
            {
                frame.aux = number;
            }
            else if (name == "clear" || name == "credit")
            {
                frame.words = {number};
            }
            else if (name == "bytes")
            {
                frame.payload = number;
            }
            else if (name == "from")
            {
                from = number;
            }
            else if (flags.contains(name))
            {
                frame.kind |= flags.at(name);
            }
            else
            {
                frame.marks |= marks.at(name);
            }
        }
        return from;
    }

    /** @return what was sent, delivered and completed since the last call. */
    std::string TakeEffect()
    {
        std::string text = m_host.TakeSent(
            [](std::ostream& os, const ScriptedHost::Sent& sent) { os << Print(sent.frame); });
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

    Endpoint m_core;      ///< The endpoint.
    ScriptedHost m_host;  ///< Its host.
    uint64_t m_posted{0}; ///< Messages posted.
    uint16_t m_pdc{0};    ///< PDC of the endpoint for which answers are.
};

/** A step of a script, and its effect. */
struct Row
{
    std::string step;   ///< What happens.
    std::string effect; ///< What is sent, delivered and completed.
};

/** A script of an endpoint. */
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

/** Each event in each state of a packet in a window. */
class WindowTableCase : public TestCase
{
  public:
    WindowTableCase()
        : TestCase("U-11, U-14: each event in each state of a packet")
    {
    }

  private:
    void DoRun() override
    {
        /** A state, and the state after each event. */
        struct State
        {
            Window::State state; ///< The state.
            Window::State acked; ///< After an acknowledgement.
            Window::State lost;  ///< After a loss.
            bool isSendable;     ///< The packet is the next one to send.
        };

        const std::vector<State> states{{Window::FLYING, Window::ARRIVED, Window::LOST, false},
                                        {Window::LOST, Window::ARRIVED, Window::LOST, true},
                                        {Window::ARRIVED, Window::ARRIVED, Window::ARRIVED, false}};
        for (const auto& [state, acked, lost, isSendable] : states)
        {
            Window window(4, 10);
            for (uint64_t psn = 10; psn < 13; ++psn)
            {
                window.SetSent(psn, 0, 0);
            }
            if (state == Window::LOST)
            {
                window.Lose(11);
            }
            else if (state == Window::ARRIVED)
            {
                window.Acknowledge(11);
            }
            const uint64_t next = window.GetNextToSend(20, 8).value_or(0);
            NS_TEST_EXPECT_MSG_EQ(next, (isSendable ? 11 : 13), "next after state " << state);
            Window other = window;
            const bool isNew = other.Acknowledge(11);
            NS_TEST_EXPECT_MSG_EQ(isNew, (state != Window::ARRIVED), "new in state " << state);
            NS_TEST_EXPECT_MSG_EQ(other.Get(11).state, acked, "acknowledged in state " << state);
            const bool isLost = window.Lose(11);
            NS_TEST_EXPECT_MSG_EQ(isLost, (state == Window::FLYING), "lost in state " << state);
            NS_TEST_EXPECT_MSG_EQ(window.Get(11).state, lost, "lost in state " << state);
        }
    }
};

/** Paths: oblivious and bitmap. */
class OrderedPathsCase : public TestCase
{
  public:
    OrderedPathsCase()
        : TestCase("P-01, P-02: all paths in turn; a path with a penalty is skipped")
    {
    }

  private:
    void DoRun() override
    {
        ScriptedHost host;
        const PathSettings settings{.kind = PathKind::BITMAP, .paths = 8};
        for (const uint16_t paths : {8, 3, 5, 100})
        {
            ObliviousPaths oblivious({.kind = PathKind::OBLIVIOUS, .paths = paths});
            for (host.random = 0; host.random < 8; ++host.random)
            {
                std::set<uint16_t> round;
                for (uint32_t i = 0; i < paths; ++i)
                {
                    round.insert(oblivious.Choose(host));
                }
                NS_TEST_EXPECT_MSG_EQ(round.size(),
                                      paths,
                                      "each path once in round " << host.random);
                NS_TEST_EXPECT_MSG_LT(*round.rbegin(), paths, "paths of the network");
            }
        }
        host.random = 0;

        /** News of path 2, and how often it is skipped. */
        struct Penalty
        {
            std::vector<PathNews> news; ///< The news.
            uint32_t skips;             ///< Rounds without the path.
        };

        const std::vector<Penalty> penalties{{{PathNews::GOOD}, 0},
                                             {{PathNews::MARKED}, 1},
                                             {{PathNews::NACKED}, 4},
                                             {{PathNews::MARKED, PathNews::NACKED}, 5},
                                             {{PathNews::TIMED_OUT}, 15},
                                             {{PathNews::TIMED_OUT, PathNews::TIMED_OUT}, 15}};
        for (const auto& [news, skips] : penalties)
        {
            BitmapPaths bitmap(settings);
            for (const PathNews each : news)
            {
                bitmap.OnNews(2, each, 0);
            }
            uint32_t choices = 0;
            while (bitmap.Choose(host) != 2)
            {
                ++choices;
            }
            // Two paths come before it in the first round, and seven in each further one.
            NS_TEST_EXPECT_MSG_EQ(choices, 2 + 7 * skips, "penalty " << skips);
        }
    }
};

/** Paths: REPS. */
class RepsCase : public TestCase
{
  public:
    RepsCase()
        : TestCase("P-03: REPS recycles paths without a mark, oldest first, and freezes")
    {
    }

  private:
    void DoRun() override
    {
        ScriptedHost host;
        host.random = 99;
        RepsPaths reps({.kind = PathKind::REPS, .paths = 100, .freezeTime = 50});
        const auto expect = [&](uint16_t path, const std::string& what) {
            const uint16_t actual = reps.Choose(host);
            NS_TEST_EXPECT_MSG_EQ(actual, path, what);
        };
        expect(99, "a random path at first");
        reps.OnNews(5, PathNews::GOOD, 0);
        reps.OnNews(6, PathNews::MARKED, 0);
        reps.OnNews(7, PathNews::GOOD, 0);
        expect(5, "the oldest good path");
        expect(7, "not the marked one");
        expect(99, "each entry once");
        reps.OnNews(99, PathNews::TIMED_OUT, 0);
        const uint16_t frozen = reps.Choose(host);
        NS_TEST_EXPECT_MSG_EQ((frozen == 5 || frozen == 7), true, "a known path while frozen");
        host.now = 50;
        expect(99, "the end of the freeze");
        for (uint16_t path = 0; path < 10; ++path)
        {
            reps.OnNews(path, PathNews::GOOD, 60);
        }
        expect(2, "the last 8 are kept");
    }
};

/** News of a path are those of the packet that was sent on it. */
class PathNewsCase : public TestCase
{
  public:
    PathNewsCase()
        : TestCase("P-04: news are of the path on which the packet was sent")
    {
    }

  private:
    void DoRun() override
    {
        Config config = MakeConfig();
        config.spraying = {.kind = PathKind::BITMAP, .paths = 4};
        Endpoint core(std::make_shared<const Config>(config), 2);
        ScriptedHost host;
        core.OnRequest({.to = PEER, .bytes = 40}, host);
        NS_TEST_ASSERT_MSG_EQ(host.sent.size(), 4, "four packets");
        for (uint16_t i = 0; i < 4; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(host.sent[i].frame.path, i, "one on each path");
        }
        const Address refused{.psn = 102, .own = TARGET_PDC};
        core.OnFrame(PEER, {.id = refused.Pack(), .aux = TRIMMED, .kind = NACK}, host);
        NS_TEST_EXPECT_MSG_EQ(host.sent.back().frame.path, 0, "the first repeat");
        core.OnRequest({.id = 1, .to = PEER, .bytes = 30}, host);
        std::vector<uint16_t> paths;
        for (std::size_t i = 5; i < host.sent.size(); ++i)
        {
            paths.push_back(host.sent[i].frame.path);
        }
        const std::vector<uint16_t> expected{1, 3, 0};
        NS_TEST_EXPECT_MSG_EQ((paths == expected), true, "without the path of the trimmed packet");
    }
};

/** Answers that wait for a busy port. */
class AnswerDropCase : public TestCase
{
  public:
    AnswerDropCase()
        : TestCase("of answers that wait, 4096 are kept, and each that is dropped is counted")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t KEPT = 4096;
        constexpr uint32_t DROPPED = 3;
        Bench bench(MakeConfig());
        bench.Do("busy");
        for (uint32_t i = 0; i < KEPT; ++i)
        {
            bench.Do("only 100 target=0 trimmed");
        }
        NS_TEST_EXPECT_MSG_EQ(bench.GetHost().Count(ANSWER_DROP), 0, "room for all");
        for (uint32_t i = 0; i < DROPPED; ++i)
        {
            bench.Do("only 100 target=0 trimmed");
        }
        NS_TEST_EXPECT_MSG_EQ(bench.GetHost().Count(ANSWER_DROP), DROPPED, "the oldest");
    }
};

/** Timers of packets. */
class OwnTimersCase : public TestCase
{
  public:
    OwnTimersCase()
        : TestCase("U-14: the timeout of a packet doubles, and each packet has its own")
    {
    }

  private:
    void DoRun() override
    {
        Bench bench(MakeConfig());
        const auto expect = [&](uint32_t time, const std::string& step, const std::string& effect) {
            bench.Do("time " + std::to_string(time));
            const std::string actual = bench.Do(step);
            NS_TEST_EXPECT_MSG_EQ(actual, effect, step << " at " << time);
        };
        const auto& armed = bench.GetHost().armed;
        expect(0, "post 10", "only 100 SYN+0 AR");
        expect(4, "post 10", "only 101 SYN+1 AR");
        NS_TEST_EXPECT_MSG_EQ(armed.size(), 1, "one timer for both");
        expect(10, "timer 0", "only 100 SYN+0 retx AR");
        NS_TEST_ASSERT_MSG_EQ(armed.size(), 3, "a timer for each");
        NS_TEST_EXPECT_MSG_EQ(armed[1].second, 4, "the rest of that of the second packet");
        NS_TEST_EXPECT_MSG_EQ(armed[2].second, 20, "twice the timeout");
        expect(14, "timer 0", "only 101 SYN+1 retx AR");
        expect(30, "timer 1", "only 100 SYN+0 retx AR");
        expect(70, "timer 2", "failed 0, failed 1");
    }
};

/** Counts of repeats. */
class RepeatsCase : public TestCase
{
  public:
    RepeatsCase()
        : TestCase("U-04, U-14: repeats of packets of messages are counted, those of CLOSE are not")
    {
    }

  private:
    void DoRun() override
    {
        Bench bench(MakeConfig());
        for (const std::string step :
             {"post 10", "timer 0", "ACK 101 100", "timer 17", "timer 0", "ACK 102 101"})
        {
            bench.Do(step);
        }
        NS_TEST_EXPECT_MSG_EQ(bench.GetHost().Count(REPEAT), 1, "the packet of the message");
        NS_TEST_EXPECT_MSG_EQ(bench.GetHost().Count(TIMEOUT), 2, "that packet, and CLOSE");

        Bench target(MakeConfig());
        for (const std::string step : {"only 10 SYN+0 AR",
                                       "only 10 SYN+0 retx",
                                       "CLOSE 11 target=0 AR",
                                       "CLOSE 11 target=0 retx AR"})
        {
            target.Do(step);
        }
        NS_TEST_EXPECT_MSG_EQ(target.GetHost().Count(DUPLICATE), 1, "the packet of the message");
    }
};

/** Initiators at a port for one frame. */
class TurnsCase : public TestCase
{
  public:
    TurnsCase()
        : TestCase("U-20: initiators take turns at a busy port")
    {
    }

  private:
    /** A host whose port takes a limited number of frames. */
    struct NarrowHost : ScriptedHost
    {
        /** Send a frame. @param to receiver @param frame the frame @return false if busy */
        bool Send(Peer to, const Frame& frame)
        {
            busy = room == 0;
            room -= busy ? 0 : 1;
            return ScriptedHost::Send(to, frame);
        }

        uint32_t room{0}; ///< Frames that the port takes.
    };

    void DoRun() override
    {
        Endpoint core(std::make_shared<const Config>(MakeConfig()), 3);
        NarrowHost host;
        core.OnRequest({.id = 0, .to = 1, .bytes = 30}, host);
        core.OnRequest({.id = 1, .to = 2, .bytes = 30}, host);
        std::vector<Peer> receivers;
        for (uint32_t i = 0; i < 6; ++i)
        {
            host.room = 1;
            core.OnReady(host);
            NS_TEST_ASSERT_MSG_EQ(host.sent.size(), i + 1, "a frame each time");
            receivers.push_back(host.sent.back().to);
        }
        const std::vector<Peer> expected{1, 2, 1, 2, 1, 2};
        NS_TEST_EXPECT_MSG_EQ((receivers == expected), true, "receivers of the packets");
    }
};

/** The suite. */
class UetCoreTestSuite : public TestSuite
{
  public:
    UetCoreTestSuite()
        : TestSuite("uet-core", Type::UNIT)
    {
        AddInitiator();
        AddTarget();
        AddModes();
        Add(new WindowTableCase);
        Add(new OrderedPathsCase);
        Add(new RepsCase);
        Add(new PathNewsCase);
        Add(new AnswerDropCase);
        Add(new OwnTimersCase);
        Add(new RepeatsCase);
        Add(new TurnsCase);
    }

  private:
    /** Add a case. @param test the case */
    void Add(TestCase* test)
    {
        AddTestCase(test, TestCase::Duration::QUICK);
    }

    /** Add the scripts of initiators. */
    void AddInitiator()
    {
        Add(new ScriptCase(
            "U-01: SYN and the offset of the PSN until an ACK names the target's PDC",
            {{"post 20", "first 100 SYN+0, last 101 SYN+1 AR"},
             {"post 10", "only 102 SYN+2 AR"},
             {"ACK 101 100", ""},
             {"post 10", "only 103 AR"},
             {"ACK 104 103", "delivered 0, delivered 1, delivered 2"}}));
        Add(new ScriptCase(
            "U-03, U-04: CLOSE after an idle time has a PSN; the next PDC has another "
            "number, and a start far from the last PSN",
            {{"post 10", "only 100 SYN+0 AR"},
             {"ACK 101 100", "delivered 0"},
             {"timer 17", "CLOSE 101 AR"},
             {"post 10", ""},
             {"ACK 102 101", "only 202 SYN+0 AR"},
             {"ACK 203 202", ""}, // Of the first PDC.
             {"pdc 1", ""},
             {"ACK 203 202", "delivered 1"}}));
        Add(new ScriptCase(
            "U-04: a PDC is not closed if it was used since the idle timer was armed",
            {{"post 10", "only 100 SYN+0 AR"},
             {"ACK 101 100", "delivered 0"},
             {"post 10", "only 101 AR"},
             {"ACK 102 101", "delivered 1"},
             {"timer 17", ""},
             {"timer 17", "CLOSE 102 AR"}}));
        Add(new ScriptCase("U-04, U-05: an unknown PDC is one that has been closed, if CLOSE is in "
                           "flight",
                           {{"post 10", "only 100 SYN+0 AR"},
                            {"ACK 101 100", "delivered 0"},
                            {"timer 17", "CLOSE 101 AR"},
                            {"timer 0", "CLOSE 101 retx AR"},
                            {"NACK INV_DPDCID 101", ""},
                            {"post 10", "only 202 SYN+0 AR"}}));
        Add(new ScriptCase("U-05: an unknown PDC ends its messages, and another one follows",
                           {{"post 10", "only 100 SYN+0 AR"},
                            {"ACK 101 100", "delivered 0"},
                            {"post 10", "only 101 AR"},
                            {"NACK INV_DPDCID 100", ""}, // Not in flight.
                            {"NACK INV_DPDCID 101", "failed 1"},
                            {"post 10", "only 202 SYN+0 AR"}}));
        Add(new ScriptCase(
            "U-06: without a context, all is sent again after a delay; then it fails",
            {{"post 20", "first 100 SYN+0, last 101 SYN+1 AR"},
             {"NACK NO_RESOURCE 100", ""},
             {"NACK NO_RESOURCE 101", ""}, // One refusal, not two.
             {"timer 0", ""},
             {"timer 18", "first 100 SYN+0 retx AR, last 101 SYN+1 retx AR"},
             {"NACK NO_RESOURCE 101", ""},
             {"timer 18", "first 100 SYN+0 retx AR, last 101 SYN+1 retx AR"},
             {"NACK NO_RESOURCE 100", "failed 0"}}));
        Add(new ScriptCase("U-07: a PDC number waits for Syn_Retx_Safety_Time",
                           {{"post 10", "only 100 SYN+0 AR"},
                            {"ACK 101 100", "delivered 0"},
                            {"timer 17", "CLOSE 101 AR"},
                            {"ACK 102 101", ""},
                            {"post 10", "only 202 SYN+0 AR"},
                            {"pdc 1", ""},
                            {"ACK 203 202", "delivered 1"},
                            {"timer 17", "CLOSE 203 AR"},
                            {"ACK 204 203", ""},
                            {"post 10", ""}, // Both numbers wait.
                            {"timer 65536", "only 304 SYN+0 AR"}}));
        Add(new ScriptCase("U-11, U-19: a SACK acknowledges; a cleared bit says nothing",
                           {{"post 40",
                             "first 100 SYN+0, middle 101 SYN+1, middle 102 SYN+2, "
                             "last 103 SYN+3 AR"},
                            {"ACK 100 103 1 3", ""},
                            {"timer 0", "first 100 retx AR, middle 102 retx AR"},
                            {"ACK 104 102", "delivered 0"}}));
        Config distant = MakeConfig();
        distant.lossDistance = 2;
        Add(new ScriptCase(
            "U-19: with a distance, a packet far below one that has arrived is lost, "
            "once",
            {{"post 40",
              "first 100 SYN+0, middle 101 SYN+1, middle 102 SYN+2, "
              "last 103 SYN+3 AR"},
             {"ACK 100 101 1", ""},
             {"ACK 100 102 1 2", "first 100 retx AR"},
             {"ACK 100 103 1 2 3", ""},
             {"ACK 104 100", "delivered 0"},
             {"post 30", "first 104, middle 105, last 106 AR"},
             {"ACK 104 106 2", "first 104 retx AR"}}, // One packet, at the distance.
            distant));
        Add(new ScriptCase("U-13: a trimmed packet is sent again at once; a trimmed ACK is ignored",
                           {{"post 30", "first 100 SYN+0, middle 101 SYN+1, last 102 SYN+2 AR"},
                            {"NACK TRIMMED 101", "middle 101 SYN+1 retx AR"},
                            {"NACK TRIMMED_LASTHOP 102", "last 102 SYN+2 retx AR"},
                            {"NACK TRIMMED 99", ""},
                            {"ACK 103 102 trimmed", ""},
                            {"ACK 103 102", "delivered 0"},
                            {"NACK TRIMMED 102", ""}}));
        Add(new ScriptCase("U-10, U-11: MP_RANGE limits the packets without a cumulative ACK; the "
                           "last one requests an ACK",
                           {{"post 100",
                             "first 100 SYN+0, middle 101 SYN+1, middle 102 SYN+2, "
                             "middle 103 SYN+3, middle 104 SYN+4, middle 105 SYN+5, "
                             "middle 106 SYN+6, middle 107 SYN+7 AR"},
                            {"ACK 100 103 3", ""},
                            {"ACK 101 100", "middle 108 AR"},
                            {"NACK PSN_OOR_WINDOW 108", ""}, // Left to the timer.
                            {"ACK 109 108", "last 109 AR"}}));
        Add(new ScriptCase("an ACK for packets that were never sent is ignored",
                           {{"post 10", "only 100 SYN+0 AR"},
                            {"ACK 102 101", ""},
                            {"ACK 500 499", ""},
                            {"ACK 101 100", "delivered 0"},
                            {"ACK 101 100", ""}}));
        Add(new ScriptCase("U-20: a busy port delays packets and answers, and loses none",
                           {{"busy", ""},
                            {"post 20", ""},
                            {"only 10 SYN+0 AR from=2", "deliver 10"},
                            {"ready", "ACK 11 of 10, first 100 SYN+0, last 101 SYN+1 AR"}}));
        Config small = MakeConfig();
        small.pair.requests = 1;
        Add(new ScriptCase("a full queue stalls",
                           {{"post 10", "only 100 SYN+0 AR"},
                            {"post 10", "stalled"},
                            {"ACK 101 100", "delivered 0"},
                            {"post 10", "only 101 AR"}},
                           small));
    }

    /** Add the scripts of targets. */
    void AddTarget()
    {
        Add(new ScriptCase("U-01, U-02: SYN opens one PDC, from any of its packets",
                           {{"last 101 SYN+1 index=1 AR", "ACK 100 of 101 +1"},
                            {"first 100 SYN+0", "ACK 102 of 100, deliver 20"},
                            {"first 100 SYN+0 retx", "ACK 102 of 100"},
                            {"only 102 target=0 AR", "ACK 103 of 102, deliver 10"}}));
        Add(new ScriptCase("U-05, U-08: a packet of no PDC; trimming is checked before",
                           {{"only 100 target=0", "NACK INV_DPDCID 100"},
                            {"only 100 target=0 trimmed", "NACK TRIMMED 100"},
                            {"only 100 SYN+0 trimmed lasthop", "NACK TRIMMED_LASTHOP 100"},
                            {"only 101 SYN+1 AR", "ACK 100 of 101 +1, deliver 10"},
                            {"only 102 target=5", "NACK INV_DPDCID 102"}}));
        Add(new ScriptCase("U-06: a context for each PDC, until it is closed",
                           {{"only 10 SYN+0 AR", "ACK 11 of 10, deliver 10"},
                            {"only 20 SYN+0 from=2 AR", "ACK 21 of 20, deliver 10"},
                            {"only 30 SYN+0 from=0 AR", "NACK NO_RESOURCE 30"},
                            {"only 10 SYN+0 retx AR", "ACK 11 of 10"},
                            {"CLOSE 11 target=0 AR", "ACK 12 of 11"},
                            {"only 30 SYN+0 from=0 retx AR", "ACK 31 of 30, deliver 10"}}));
        Add(new ScriptCase(
            "U-06: a PDC that its initiator has given up leaves its context to the next one",
            {{"only 10 SYN+0 from=2 AR", "ACK 11 of 10, deliver 10"},
             {"first 10 SYN+0 AR", "ACK 11 of 10"},
             {"only 111 SYN+1 pdc=1 AR", "ACK 110 of 111 +1, deliver 10"},
             {"last 11 SYN+1 index=1 retx", ""}, // Late ones of the first PDC.
             {"last 11 target=1 index=1 retx", "NACK INV_DPDCID 11"},
             {"only 110 SYN+0 pdc=1 AR", "ACK 112 of 110, deliver 10"}}));
        Add(new ScriptCase(
            "U-04, U-07: a closed PDC answers repeats, and no late SYN opens it again",
            {{"only 10 SYN+0 AR", "ACK 11 of 10, deliver 10"},
             {"CLOSE 11 target=0 AR", "ACK 12 of 11"},
             {"CLOSE 11 target=0 retx AR", "ACK 12 of 11"},
             {"only 10 SYN+0 AR", ""},
             {"only 12 target=0 AR", "NACK CLOSING 12"},
             {"only 50 SYN+0 AR", "ACK 51 of 50, deliver 10"}, // The next PDC.
             {"forget 0", ""},
             {"only 51 target=1 AR", "ACK 52 of 51, deliver 10"},
             {"CLOSE 52 target=1 AR", "ACK 53 of 52"},
             {"forget 1", ""},
             {"CLOSE 52 target=1 retx AR", "NACK INV_DPDCID 52"}}));
        Add(new ScriptCase("U-21: a SYN of an earlier PDC is known by its start, however late",
                           {{"only 10 SYN+0 AR", "ACK 11 of 10, deliver 10"},
                            {"CLOSE 11 target=0 AR", "ACK 12 of 11"},
                            {"forget 0", ""},
                            {"only 10 SYN+0 AR", ""},
                            {"only 11 SYN+1 pdc=1 retx", ""},
                            {"only 112 SYN+0 pdc=1 AR", "ACK 113 of 112, deliver 10"},
                            {"only 11 SYN+0 AR", ""}}));
        Add(new ScriptCase(
            "U-08, U-09: a duplicate is answered if it is a repeat, and dropped if the "
            "network has delayed it; it is checked before the window",
            {{"only 10 SYN+0 AR", "ACK 11 of 10, deliver 10"},
             {"only 10 SYN+0 AR", ""},
             {"only 10 SYN+0 retx", "ACK 11 of 10"},
             {"only 13 target=0 AR", "ACK 11 of 13 +2, deliver 10"},
             {"only 13 target=0 AR", ""},
             {"only 13 target=0 retx", "ACK 11 of 13 +2"},
             {"only 996 target=0 retx", "ACK 11 of 996 +2"}}));
        Add(new ScriptCase("U-10: a packet beyond MP_RANGE",
                           {{"only 10 SYN+0 AR", "ACK 11 of 10, deliver 10"},
                            {"only 18 target=0 AR", "ACK 11 of 18 +7, deliver 10"},
                            {"only 19 target=0 AR", "NACK PSN_OOR_WINDOW 19"}}));
        Add(new ScriptCase("U-12: ACKs after 16 KiB, on request, at a mark, and below a request",
                           {{"only 10 SYN+0 bytes=8192", "deliver 8192"},
                            {"only 11 SYN+1 bytes=8191", "deliver 8191"},
                            {"only 12 SYN+2 bytes=1", "ACK 13 of 12, deliver 1"}, // 1 KiB each.
                            {"only 13 SYN+3 bytes=1", "deliver 1"},
                            {"only 14 SYN+4 bytes=1 marked", "ACK 15 of 14 marked, deliver 1"},
                            {"only 15 SYN+5 bytes=1", "deliver 1"},
                            {"only 19 SYN+9 bytes=1 AR", "ACK 16 of 19 +3, deliver 1"},
                            {"only 17 SYN+7 bytes=1", "ACK 16 of 17 +1 +3, deliver 1"},
                            {"only 20 SYN+10 bytes=1", "deliver 1"},
                            {"only 16 SYN+6 bytes=1", "ACK 18 of 16 +1 +2, deliver 1"}}));
        Config wide = MakeConfig();
        wide.pair.window = 128;
        Add(new ScriptCase("U-11: 64 bits of a SACK, around the packet that is answered",
                           {{"only 10 SYN+0 AR", "ACK 11 of 10, deliver 10"},
                            {"only 12 target=0 AR", "ACK 11 of 12 +1, deliver 10"},
                            {"only 74 target=0 AR", "ACK 11 of 74 +1 +63, deliver 10"},
                            {"only 75 target=0 AR", "ACK 11 of 75 +64, deliver 10"}},
                           wide));
        Add(new ScriptCase("U-16: messages complete in any order, with their last missing packet",
                           {{"first 10 SYN+0", ""},
                            {"only 12 SYN+2 bytes=7", "deliver 7"},
                            {"last 11 SYN+1 index=1 bytes=5", "deliver 15"},
                            {"last 15 SYN+5 index=2 bytes=1", ""},
                            {"middle 14 SYN+4 index=1", ""},
                            {"first 13 SYN+3", "deliver 21"}}));
        Add(new ScriptCase("the target keeps no more messages than its window has packets",
                           {{"middle 10 SYN+0 index=40", ""},
                            {"middle 11 SYN+1 index=80", ""},
                            {"only 12 SYN+2 AR", "ACK 13 of 12, deliver 10"}}));
    }

    /** Add the scripts of other modes. */
    void AddModes()
    {
        Config rod = MakeConfig();
        rod.mode = Mode::ROD;
        Add(new ScriptCase("U-15: ROD: one NACK a gap, all later packets are dropped",
                           {{"only 10 SYN+0 AR", "ACK 11 of 10, deliver 10"},
                            {"only 12 target=0 AR", "NACK ROD_OOO 11"},
                            {"only 13 target=0 AR", ""},
                            {"only 11 target=0 retx AR", "ACK 12 of 11, deliver 10"},
                            {"only 13 target=0 AR", "NACK ROD_OOO 12"},
                            {"only 12 target=0 retx AR", "ACK 13 of 12, deliver 10"},
                            {"only 12 target=0 retx AR", "ACK 13 of 12"}},
                           rod));
        Config guaranteed = MakeConfig();
        guaranteed.responses = 2;
        Add(new ScriptCase("U-22: a guaranteed response is stored until CLEAR_PSN passes it",
                           {{"only 10 SYN+0 clear=10", "ACK 11 of 10 response, deliver 10"},
                            {"only 11 SYN+1 clear=10", "ACK 12 of 11 response, deliver 10"},
                            {"only 12 target=0 clear=10", "NACK NO_GTD_DEL 12"},
                            {"only 10 target=0 clear=10 retx", "ACK 12 of 10 response"},
                            {"only 12 target=0 clear=11 retx", "ACK 13 of 12 response, deliver 10"},
                            {"only 11 target=0 clear=11 retx", "ACK 13 of 11 response"},
                            {"CLOSE 13 target=0 clear=13", ""},
                            {"CLOSE 13 target=0 clear=13 retx", "ACK 14 of 13"}},
                           guaranteed));
        Add(new ScriptCase("U-22: an initiator waits for each guaranteed response",
                           {{"post 20", "first 100 SYN+0, last 101 SYN+1 AR"},
                            {"ACK 102 101 response", ""}, // The response to 100 is lost.
                            {"timer 0", "first 100 retx AR"},
                            {"ACK 102 100", ""},
                            {"ACK 102 100 response", "delivered 0"},
                            {"timer 17", "CLOSE 102 AR"},
                            {"ACK 103 102", ""},
                            {"post 10", "only 203 SYN+0 AR"}},
                           guaranteed));
        Add(new ScriptCase("U-13, U-15: ROD refuses one trimmed packet a gap, or the next in order",
                           {{"only 11 SYN+1 trimmed", ""},
                            {"only 10 SYN+0 trimmed", "NACK TRIMMED 10"},
                            {"only 10 SYN+0 retx AR", "ACK 11 of 10, deliver 10"},
                            {"only 12 target=0 trimmed", "NACK ROD_OOO 11"},
                            {"only 13 target=0 trimmed", ""},
                            {"only 11 target=0 retx trimmed lasthop", "NACK TRIMMED_LASTHOP 11"},
                            {"only 10 SYN+0 retx trimmed", ""}},
                           rod));
        Add(new ScriptCase(
            "U-15: ROD sends everything again from the lost packet on",
            {{"post 40",
              "first 100 SYN+0, middle 101 SYN+1, middle 102 SYN+2, "
              "last 103 SYN+3 AR"},
             {"ACK 101 100", ""},
             {"NACK ROD_OOO 101", "middle 101 retx AR, middle 102 retx AR, last 103 retx AR"},
             {"timer 0", "middle 101 retx AR, middle 102 retx AR, last 103 retx AR"},
             {"ACK 104 103", "delivered 0"}},
            rod));
        Config rudi = MakeConfig();
        rudi.mode = Mode::RUDI;
        Add(new ScriptCase("U-17: RUDI answers each packet, and keeps no state of it",
                           {{"only 10", "response 10, deliver 10"},
                            {"only 10", "response 10, deliver 10"},
                            {"only 11 trimmed", "NACK TRIMMED 11"},
                            {"post 10", "only 100"},
                            {"post 10", "only 101"},
                            {"response 101", ""},
                            {"timer 0", "only 100 retx"},
                            {"response 100", "delivered 0, delivered 1"},
                            {"timer 17", ""}},
                           rudi));
        // Two full frames of 66 bytes before the first grant, and four in each; units are of 256
        // bytes.
        Config credited = MakeConfig();
        credited.pair.control.kind = messaging::CongestionKind::RCCC;
        credited.pair.site = {.segment = 66, .rate = 132, .roundTrip = 1};
        Add(new ScriptCase(
            "C-01: packets leave as far as they were granted; the demand is in them, "
            "and repeated if no grant comes",
            {{"post 60", "first 100 SYN+0, middle 101 SYN+1 AR"},
             {"credit 1", "middle 102 SYN+2, middle 103 SYN+3 AR"},
             {"timer 19", "demand 2"},
             {"credit 1", ""},
             {"timer 19", "demand 2"},
             {"credit 2", "middle 104 SYN+4, last 105 SYN+5 AR"},
             {"timer 19", ""},
             {"NACK TRIMMED 101", "middle 101 SYN+1 retx AR"},
             {"NACK TRIMMED 102", "middle 102 SYN+2 retx AR"},
             {"NACK TRIMMED 103", ""},
             {"NACK TRIMMED 104", ""},
             {"NACK TRIMMED 105", ""},
             {"NACK TRIMMED 100", "demand 4"},
             {"credit 4",
              "first 100 SYN+0 retx AR, middle 103 SYN+3 retx AR, "
              "middle 104 SYN+4 retx AR, last 105 SYN+5 retx AR"},
             {"ACK 106 105", "delivered 0"},
             {"timer 17", "CLOSE 106 AR"}},
            credited));
        Add(new ScriptCase("C-02, C-03: a target grants credit to each initiator in turn",
                           {{"only 10 SYN+0 credit=1", "deliver 10"},
                            {"only 10 SYN+0 credit=3 from=2", "deliver 10"},
                            {"grant", "credit 2"},
                            {"grant", "credit 2"},
                            {"grant", "credit 3"},
                            {"grant", "credit 4"},
                            {"grant", ""},
                            {"demand 2", "credit 2"},
                            {"only 11 SYN+1 credit=4 trimmed", "NACK TRIMMED 11"},
                            {"grant", "credit 3"}},
                           credited));
        Add(new ScriptCase(
            "C-04: the demand of an initiator that is silent for three timeouts ends",
            {{"only 10 SYN+0 credit=9", "deliver 10"},
             {"grant", "credit 2"},
             {"time 30", ""},
             {"grant", "credit 3"},
             {"time 31", ""},
             {"grant", ""},
             {"demand 5", "credit 3"},
             {"grant", "credit 4"},
             {"grant", "credit 5"},
             {"grant", "credit 6"},
             {"grant", ""}},
            credited));
        Config uud = MakeConfig();
        uud.mode = Mode::UUD;
        Add(new ScriptCase("U-18: UUD sends once, and answers nothing",
                           {{"post 10", "only 100, sent 0"},
                            {"post 10", "only 101, sent 1"},
                            {"only 10", "deliver 10"},
                            {"only 11 trimmed", ""},
                            {"timer 0", ""}},
                           uud));
    }
};

UetCoreTestSuite g_uetCoreTestSuite; ///< The suite.

} // namespace
} // namespace tests
} // namespace uet
} // namespace ns3
