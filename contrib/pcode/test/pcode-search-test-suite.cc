/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pcode-driven-core.h"
#include "pcode-notebook.h"
#include "pcode-unsound-cores.h"

#include "ns3/messaging-search-explorer.h"
#include "ns3/pcode-collectives.h"
#include "ns3/pcode-core.h"
#include "ns3/test.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup pcode
 * Propositions 1 and 2 and Properties 1 and 2 (paper 3, section 2.3) by exhaustive search: three
 * nodes, any loss, any delay, and reordering where stated and duplicates.
 */

namespace ns3
{
namespace pcode
{
namespace tests
{
namespace
{

using messaging::Explorer;
using messaging::ExplorerOptions;
using messaging::ExplorerResult;
using messaging::ExplorerVerdict;
using messaging::Peer;

/** Programs of the searches. */
enum class Plan
{
    TWO_SOURCES,  ///< 0 to {1,2}, then 1 to {0,2}.
    IN_TURN,      ///< The first all-to-all driver of section 6.2.
    AT_ONCE,      ///< The second driver, which is not a correct program by Assumption 1.
    TWO_OF_ONE,   ///< 0 to {1,2}, twice.
    TWICE_TO_ONE, ///< 0 to {1}, twice; 2 is not involved.
    ONE_EACH,     ///< 0 to {1}, then 0 to {2}.
    AND_BACK,     ///< 0 to {1}, 0 to {2}, 2 to {0}, 0 to {1}.
    TWO_TO_ONE,   ///< 0 to {1}, 2 to {1}, 0 to {1}.
    PAIR,         ///< Two nodes: 0 to {1}, twice.
    RUN_AHEAD,    ///< Two nodes: 0 to {1}, three times.
    THREE_AHEAD   ///< Two nodes: each multicasts three times, then requests.
};

/** Cores of the searches. */
enum class Kind
{
    PCODE,           ///< P0, P1 and PCODE.
    LITERAL_DISCARD, ///< P1 that discards by the target set.
    FRESH_MARK,      ///< LITERAL_DISCARD with marks that are new at each transmission.
    STALE_MARK,      ///< LITERAL_DISCARD with marks of the first transmission.
    POLL_ONCE,       ///< P1 that does not repeat a POLL.
    NO_NACK,         ///< P1 that does not treat a STATUS as a NACK.
    LINGER,          ///< P1 that stops when all programs have ended.
    NO_LINGER        ///< P1 that stops with its own program.
};

/** A search. */
struct Search
{
    const char* name;                                ///< Purpose.
    Kind kind{Kind::PCODE};                          ///< Core.
    Plan plan{Plan::TWO_SOURCES};                    ///< Program.
    PcodeConfig config{};                            ///< Parameters.
    ExplorerVerdict verdict{ExplorerVerdict::SOUND}; ///< Expected verdict.
    uint64_t states{0};                              ///< Expected number of states.
    uint32_t losses{messaging::UNLIMITED};           ///< Maximum losses on a path.
    uint32_t duplicates{0};                          ///< Maximum duplicates on a path.
    uint32_t capacity{1};                            ///< Capacity between two nodes [frames].
    bool closes{false};                              ///< Daemons are notified of the program's end.
};

/**
 * Make a program.
 * @param plan its plan
 * @return the program
 */
GlobalProgram
MakeProgram(Plan plan)
{
    const bool isPair = plan == Plan::PAIR || plan == Plan::RUN_AHEAD || plan == Plan::THREE_AHEAD;
    GlobalProgram program(isPair ? 2 : 3);
    const auto send = [&program](Peer p, const TargetSet& targets) {
        program.MatchedMulticast(p, 1, targets);
    };
    switch (plan)
    {
    case Plan::TWO_SOURCES:
        send(0, {1, 2});
        send(1, {0, 2});
        break;
    case Plan::IN_TURN:
        Collectives(program).AllToAllInTurn(1);
        break;
    case Plan::AT_ONCE:
        Collectives(program).AllToAllAtOnce(1);
        break;
    case Plan::TWO_OF_ONE:
        send(0, {1, 2});
        send(0, {1, 2});
        break;
    case Plan::TWICE_TO_ONE:
    case Plan::PAIR:
        send(0, {1});
        send(0, {1});
        break;
    case Plan::RUN_AHEAD:
        for (int k = 0; k < 3; ++k)
        {
            send(0, {1});
        }
        break;
    case Plan::ONE_EACH:
        send(0, {1});
        send(0, {2});
        break;
    case Plan::AND_BACK:
        send(0, {1});
        send(0, {2});
        send(2, {0});
        send(0, {1});
        break;
    case Plan::TWO_TO_ONE:
        send(0, {1});
        send(2, {1});
        send(0, {1});
        break;
    case Plan::THREE_AHEAD:
        for (Peer p = 0; p < 2; ++p)
        {
            for (int k = 0; k < 3; ++k)
            {
                program.Multicast(p, 1, TargetSet({1 - p}));
            }
            for (int k = 0; k < 3; ++k)
            {
                program.Request(p, 1 - p, TargetSet({p}));
            }
        }
        break;
    }
    return program;
}

/**
 * Search all states.
 * @tparam Core the protocol
 * @param search the search
 * @param make makes a core from parameters and a node
 * @return the outcome
 */
template <class Core>
ExplorerResult
Explore(const Search& search, const std::function<Core(const PcodeConfig&, Peer)>& make)
{
    const GlobalProgram program = MakeProgram(search.plan);
    PcodeConfig config = search.config;
    config.groups = &program.GetGroups();
    config.literalDiscard = search.kind == Kind::LITERAL_DISCARD ||
                            search.kind == Kind::FRESH_MARK || search.kind == Kind::STALE_MARK;
    std::vector<DrivenCore<Core>> cores;
    for (Peer p = 0; p < program.GetNNodes(); ++p)
    {
        cores.emplace_back(program, p, make(config, p), search.closes);
    }
    ExplorerOptions options;
    options.losses = search.losses;
    options.duplicates = search.duplicates;
    options.capacity = search.capacity;
    options.reordering = true;
    options.maxStates = 10000000;
    Explorer<DrivenCore<Core>> explorer(cores, options);
    for (Peer p = 0; p < program.GetNNodes(); ++p)
    {
        messaging::Request start;
        start.contents = p + 1;
        start.to = p;
        explorer.AddRequest(p, start);
    }
    explorer.SetInvariant([](const std::vector<DrivenCore<Core>>& all) {
        std::string violation;
        for (const auto& core : all)
        {
            violation += core.GetViolation();
        }
        return violation;
    });
    return explorer.Run();
}

/**
 * Search all states of a core constructed from parameters and node.
 * @tparam Core the protocol
 * @param search the search
 * @return the outcome
 */
template <class Core>
ExplorerResult
Explore(const Search& search)
{
    return Explore<Core>(search, [](const auto& config, Peer p) { return Core(config, p); });
}

/**
 * Search all states.
 * @param search the search
 * @return the outcome
 */
ExplorerResult
ExploreKind(const Search& search)
{
    switch (search.kind)
    {
    case Kind::PCODE:
    case Kind::LITERAL_DISCARD:
        break;
    case Kind::FRESH_MARK:
        return Explore<MarkedCore<true>>(search);
    case Kind::STALE_MARK:
        return Explore<MarkedCore<false>>(search);
    case Kind::POLL_ONCE:
        return Explore<PollOnce>(search);
    case Kind::NO_NACK:
        return Explore<StatusIsNoNack>(search);
    case Kind::LINGER:
        return Explore<ClosingCore>(search);
    case Kind::NO_LINGER:
        return Explore<GoneCore<PcodeCore>>(search, [](const auto& config, Peer p) {
            return GoneCore<PcodeCore>(PcodeCore(config, p));
        });
    }
    return Explore<PcodeCore>(search);
}

/** Some searches. */
class SearchTestCase : public TestCase
{
  public:
    /**
     * Constructor.
     * @param name purpose of the searches
     * @param searches the searches
     */
    SearchTestCase(const std::string& name, std::vector<Search> searches)
        : TestCase(name),
          m_searches(std::move(searches))
    {
    }

  private:
    void DoRun() override
    {
        for (const auto& search : m_searches)
        {
            const auto result = ExploreKind(search);
            std::string path;
            for (const auto& step : result.steps)
            {
                path += "\n    " + step.text;
            }
            NS_TEST_EXPECT_MSG_EQ(result.verdict,
                                  search.verdict,
                                  search.name << ": " << result.sentence << path);
            NS_TEST_EXPECT_MSG_EQ(result.states, search.states, search.name << ": other states");
        }
    }

    std::vector<Search> m_searches; ///< The searches.
};

/** @return P1 whose NACKs go only to the source, since others would ignore them. */
PcodeConfig
P1()
{
    PcodeConfig config = MakeP1();
    config.directNacks = true;
    return config;
}

/**
 * Get the parameters of PCODE with all parts except point-to-point messages, and minimum windows.
 * @param sendBuffer size of the buffer of sent messages
 * @return the parameters
 */
PcodeConfig
Everything(uint32_t sendBuffer = 2)
{
    PcodeConfig config = MakeP1();
    AddAll(config);
    config.directMessages = false;
    config.flowWindow = 1;
    config.statusWindow = 1;
    config.sendBuffer = sendBuffer;
    config.earlyBuffer = 1;
    config.requestDelay = 1;
    return config;
}

/**
 * Change a configuration.
 * @param config the configuration
 * @param change the change
 * @return the changed one
 */
template <class Change>
PcodeConfig
With(PcodeConfig config, Change change)
{
    change(config);
    return config;
}

/** Exhaustive searches. */
class SearchTestSuite : public TestSuite
{
  public:
    SearchTestSuite()
        : TestSuite("pcode-search", Type::UNIT)
    {
        const auto stuck = ExplorerVerdict::STUCK;
        const auto buffered = With(P1(), [](auto& c) { c.sendBuffer = 3; });
        const auto direct = With(P1(), [](auto& c) { c.directMessages = true; });
        const auto ahead = [&direct](uint32_t slots) {
            return With(direct, [slots](auto& c) {
                c.directFlow = true;
                c.sendBuffer = 3;
                c.slots = slots;
            });
        };
        AddTestCase(
            new SearchTestCase(
                "P0, P1 and PCODE keep Propositions 1 and 2 (B-04, B-05)",
                {
                    {"P0", Kind::PCODE, Plan::TWO_SOURCES, MakeP0(), {}, 8814},
                    {"P1", Kind::PCODE, Plan::TWO_SOURCES, P1(), {}, 2743},
                    {"PCODE", Kind::PCODE, Plan::TWO_SOURCES, Everything(), {}, 15700},
                    {"Point to point", Kind::PCODE, Plan::TWO_TO_ONE, direct, {}, 17034, ~0U, 1, 2},
                    {"Running ahead", Kind::PCODE, Plan::RUN_AHEAD, ahead(1), {}, 42272, ~0U, 1, 2},
                }),
            Duration::QUICK);
        AddTestCase(
            new SearchTestCase(
                "Point-to-point messages with flow control (B-04, B-05, B-14)",
                {
                    {"Two sources", Kind::PCODE, Plan::TWO_TO_ONE, ahead(1), {}, 268919, ~0U, 1, 2},
                    {"Two slots", Kind::PCODE, Plan::RUN_AHEAD, ahead(2), {}, 46901, ~0U, 1, 2},
                }),
            Duration::EXTENSIVE);
        AddTestCase(
            new SearchTestCase(
                "Daemons that end with their programs, and too little room, leave P1 stuck (B-08, "
                "B-17)",
                {
                    {"No linger", Kind::NO_LINGER, Plan::PAIR, P1(), stuck, 332, ~0U, 0, 1, true},
                    {"Linger", Kind::LINGER, Plan::PAIR, P1(), {}, 844, ~0U, 0, 1, true},
                    {"Three ahead, room for two",
                     Kind::PCODE,
                     Plan::THREE_AHEAD,
                     P1(),
                     stuck,
                     6004,
                     0},
                }),
            Duration::QUICK);
        AddTestCase(new SearchTestCase(
                        "Larger programs (B-04, B-05, B-17)",
                        {
                            {"P0", Kind::PCODE, Plan::IN_TURN, MakeP0(), {}, 47661},
                            {"P1", Kind::PCODE, Plan::IN_TURN, P1(), {}, 14049},
                            {"P1", Kind::PCODE, Plan::TWICE_TO_ONE, P1(), {}, 57194},
                            {"P1", Kind::PCODE, Plan::ONE_EACH, P1(), {}, 75079},
                            {"P1, driver 2", Kind::PCODE, Plan::AT_ONCE, P1(), {}, 118969},
                            {"PCODE", Kind::PCODE, Plan::TWO_SOURCES, Everything(), {}, 15700},
                            {"PCODE", Kind::PCODE, Plan::TWO_OF_ONE, Everything(), {}, 52284},
                            {"PCODE", Kind::PCODE, Plan::IN_TURN, Everything(), {}, 261798},
                        }),
                    Duration::EXTENSIVE);
        AddTestCase(
            new SearchTestCase(
                "Discarding when the target set has a message deadlocks (B-08)",
                {
                    {"Literal discard", Kind::LITERAL_DISCARD, Plan::ONE_EACH, P1(), stuck, 87669},
                    {"Mark of the last sending",
                     Kind::FRESH_MARK,
                     Plan::AND_BACK,
                     buffered,
                     {},
                     38380},
                    {"Mark of the first sending",
                     Kind::STALE_MARK,
                     Plan::AND_BACK,
                     buffered,
                     stuck,
                     41021},
                    {"POLL once", Kind::POLL_ONCE, Plan::TWICE_TO_ONE, P1(), stuck, 44044},
                    {"STATUS is no NACK", Kind::NO_NACK, Plan::TWICE_TO_ONE, P1(), stuck, 35942},
                }),
            Duration::EXTENSIVE);
    }

  private:
    using Duration = TestCase::Duration; ///< Short name.
};

SearchTestSuite g_searchTestSuite; ///< The suite.

} // namespace
} // namespace tests
} // namespace pcode
} // namespace ns3
