/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pcode-rival-crowd.h"

#include "ns3/boolean.h"
#include "ns3/messaging-search-explorer.h"
#include "ns3/pcode-call-core.h"
#include "ns3/pcode-collectives.h"
#include "ns3/pcode-core.h"
#include "ns3/pcode-driver.h"
#include "ns3/pcode-group.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <map>
#include <sstream>

/**
 * @file
 * @ingroup pcode
 * The rival protocols (paper 3, section 6.4.2) among several nodes: in all states of small
 * groups, and under faults.
 */

namespace ns3
{
namespace pcode
{
namespace tests
{
namespace
{

using messaging::DeliveryAudit;
using messaging::Explorer;
using messaging::ExplorerOptions;
using messaging::ExplorerResult;
using messaging::ExplorerVerdict;
using messaging::FaultPlan;
using messaging::Frame;
using messaging::LoopbackPort;
using messaging::NO_PEER;
using messaging::Peer;
using messaging::Request;
using messaging::TickClock;
using Port = messaging::FaultyPort<LoopbackPort>; ///< The port of the runs under faults.

/** Attributes of faults, by name. */
using Faults = std::vector<std::pair<std::string, std::string>>;

/**
 * Format a result.
 * @param result result of a search
 * @return the text
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
 * Renumber the token's passes from the latest one, and clear the content of tokens that their
 * receivers will treat as duplicates.
 * @param cores the nodes
 * @param frames frames in flight
 */
void
RenumberTokens(std::vector<RingCore>& cores, std::vector<messaging::FlyingFrame>& frames)
{
    uint32_t latest = 0;
    for (auto& core : cores)
    {
        latest = std::max(latest, core.GetToken().number);
    }
    const auto kept = static_cast<uint32_t>(3 * cores.size());
    const uint32_t base = latest - std::min(latest, kept);
    for (auto& [from, to, frame] : frames)
    {
        const uint32_t seen = cores[to].GetToken().number;
        if (frame.kind == static_cast<uint8_t>(RingKind::TOKEN))
        {
            const auto token = RingCore::Unpack(frame);
            if (token && token->number > seen)
            {
                frame.id -= uint64_t{base} << 32;
            }
            else
            {
                frame = RingCore::Pack({});
            }
        }
        else if (frame.kind == static_cast<uint8_t>(RingKind::HELD))
        {
            frame.id = frame.id < seen ? 0 : frame.id - base;
        }
    }
    for (auto& core : cores)
    {
        core.GetToken().number -= base;
    }
}

/**
 * All states of small groups: no message is delivered twice, altered or reported too early, and no
 * run blocks.
 */
template <class Core>
class SearchCase : public TestCase
{
  public:
    /**
     * Constructor.
     * @param nPeers number of nodes
     * @param senders sender of each broadcast
     * @param options options of the search
     * @param text description of the options
     */
    SearchCase(uint32_t nPeers,
               std::vector<Peer> senders,
               const ExplorerOptions& options,
               const std::string& text)
        : TestCase(std::string(Rival<Core>::NAME) + ", all states: " + text),
          m_senders(std::move(senders)),
          m_options(options),
          m_nPeers(nPeers)
    {
    }

  private:
    void DoRun() override
    {
        Rival<Core> rival;
        rival.config.nPeers = m_nPeers;
        rival.config.window = 2;
        if constexpr (std::is_same_v<Core, RingCore>)
        {
            rival.config.span = 2;
            rival.config.idleRotations = 1;
        }
        else if constexpr (std::is_same_v<Core, WindowCore>)
        {
            rival.config.statusEvery = 1;
        }
        std::vector<Core> cores;
        for (Peer peer = 0; peer < m_nPeers; ++peer)
        {
            cores.push_back(rival.Make(peer));
        }
        m_options.ordered = true;
        Explorer<Core> explorer(cores, m_options);
        uint64_t id = 0;
        for (const auto sender : m_senders)
        {
            ++id;
            explorer.AddRequest(sender, Request{id, 100 + id, NO_PEER, 8, 7, 0});
        }
        if constexpr (std::is_same_v<Core, RingCore>)
        {
            explorer.SetRenumbering(RenumberTokens);
        }
        const auto result = explorer.Run();
        NS_TEST_EXPECT_MSG_EQ(result.verdict, ExplorerVerdict::SOUND, Print(result));
        NS_TEST_EXPECT_MSG_GT(result.states, 1000, "it has seen something");
    }

    std::vector<Peer> m_senders; ///< Sender by message.
    ExplorerOptions m_options;   ///< Options of the search.
    uint32_t m_nPeers;           ///< Number of nodes.
};

/** Delivery, order and an idle end state, under random faults. */
template <class Core>
class FaultsCase : public TestCase
{
  public:
    /**
     * Constructor.
     * @param text description of the faults
     * @param faults attributes of the faults
     * @param sizes sizes of the groups
     */
    FaultsCase(const std::string& text, const Faults& faults, std::vector<uint32_t> sizes)
        : TestCase(std::string(Rival<Core>::NAME) + ", delivery and order: " + text),
          m_faults(faults),
          m_sizes(std::move(sizes))
    {
    }

  private:
    void DoRun() override
    {
        for (const auto nPeers : m_sizes)
        {
            Play(nPeers, nPeers > 8 ? 12 : 40, false);
            Play(nPeers, nPeers > 8 ? 12 : 40, true);
        }
    }

    /**
     * Run once.
     * @param nPeers number of nodes
     * @param messages messages of each node
     * @param directed whether every third message has a single receiver
     */
    void Play(uint32_t nPeers, uint32_t messages, bool directed)
    {
        const auto clock = CreateObject<TickClock>();
        const auto loopback =
            Create<LoopbackPort>(clock,
                                 nPeers,
                                 messaging::LoopbackOptions{.latency = 300000, .mtu = 1436});
        const auto faults = CreateObject<FaultPlan>();
        for (const auto& [name, value] : m_faults)
        {
            faults->SetAttribute(name, StringValue(value));
        }
        faults->AssignStreams(nPeers);
        Rival<Core> rival;
        rival.config.nPeers = nPeers;
        rival.config.mtu = 1436;
        const auto group = CreateObject<messaging::CoreGroup<Core, Port>>();
        group->Connect(clock, Create<Port>(clock, loopback, faults), [&](Peer peer) {
            return rival.Make(peer);
        });
        const auto audit = CreateObject<DeliveryAudit>();
        audit->SetAttribute("Ordered", BooleanValue(true));
        audit->SetGroup(group);
        Crowd crowd(audit, messages, directed);
        crowd.Begin();
        // A run that does not end by itself is stopped, and then the checks of its end fail.
        Simulator::Stop(Seconds(600));
        Simulator::Run();

        std::ostringstream run;
        run << nPeers << " nodes" << (directed ? ", some messages for one only" : "");
        NS_TEST_EXPECT_MSG_EQ(clock->GetNPending(), 0, run.str() << ": comes to rest");
        NS_TEST_EXPECT_MSG_EQ(audit->Finish(),
                              true,
                              run.str() << ": " << audit->GetFirstViolation());
        const uint32_t singles = directed ? messages / 3 : 0;
        NS_TEST_EXPECT_MSG_EQ(audit->GetCounts().delivered,
                              nPeers * ((messages - singles) * (nPeers - 1) + singles),
                              run.str() << ": all arrive");
        uint32_t parked = 0;
        for (Peer peer = 0; peer < nPeers; ++peer)
        {
            const Core& core = std::as_const(*group).GetCore(peer);
            NS_TEST_EXPECT_MSG_EQ(core.IsIdle(), true, run.str() << ": all is acknowledged");
            if constexpr (std::is_same_v<Core, RingCore>)
            {
                parked += core.IsParked() ? 1 : 0;
            }
        }
        if constexpr (std::is_same_v<Core, RingCore>)
        {
            NS_TEST_EXPECT_MSG_EQ(parked, 1, run.str() << ": there is one token");
            CheckTotalOrder(crowd, nPeers, run.str());
        }
        if constexpr (!std::is_same_v<Core, WindowCore>)
        {
            NS_TEST_EXPECT_MSG_EQ(crowd.GetNUncaused(), 0, run.str() << ": the order is causal");
        }
        Simulator::Destroy();
    }

    /**
     * Check that all nodes deliver messages in the same order.
     * @param crowd the nodes
     * @param nPeers their number
     * @param run name of the run
     */
    void CheckTotalOrder(const Crowd& crowd, uint32_t nPeers, const std::string& run)
    {
        std::map<uint64_t, uint64_t> contents;
        for (Peer peer = 0; peer < nPeers; ++peer)
        {
            uint64_t last = 0;
            for (const auto& delivery : crowd.GetDelivered(peer))
            {
                NS_TEST_EXPECT_MSG_GT(delivery.id, last, run << ": in the order of the numbers");
                last = delivery.id;
                const auto [place, isNew] = contents.try_emplace(delivery.id, delivery.contents);
                NS_TEST_EXPECT_MSG_EQ(place->second, delivery.contents, run << ": same numbers");
            }
        }
    }

    Faults m_faults;               ///< Attributes of the faults.
    std::vector<uint32_t> m_sizes; ///< Sizes of the groups.
};

/** Frames on the wire. */
struct FrameCount
{
    double broadcasts{0}; ///< Broadcast frames.
    double unicasts{0};   ///< Unicast frames.
    double bytes{0};      ///< Headers and payloads [bytes].
};

/**
 * Run all-to-all broadcasts, all at once (section 6.2), on an idle network, and count the frames of
 * each one after the first ones.
 * @param nPeers number of nodes
 * @param connect makes the group from a clock, a port and a program
 * @return frames of one all-to-all broadcast of 20 bytes
 */
template <class Connect>
FrameCount
CountFrames(uint32_t nPeers, Connect&& connect)
{
    constexpr uint32_t FEW = 40;
    constexpr uint32_t MANY = FEW + 408;
    FrameCount count;
    for (const uint32_t rounds : {FEW, MANY})
    {
        GlobalProgram program(nPeers);
        Collectives(program).AllToAllAtOnce(20);
        program.SetRounds(rounds);
        const auto clock = CreateObject<TickClock>();
        const auto port = Create<LoopbackPort>(
            clock,
            nPeers,
            messaging::LoopbackOptions{.latency = 300000, .mtu = 1436, .keepLog = true});
        const Ptr<messaging::MessageGroup> group = connect(clock, port, program);
        ProgramDriver driver(group, program);
        driver.Start();
        Simulator::Stop(Seconds(600));
        Simulator::Run();
        if (!driver.IsFinished())
        {
            return FrameCount();
        }
        const double sign = (rounds == MANY ? 1.0 : -1.0) / (MANY - FEW);
        for (const auto& sent : port->GetLog())
        {
            (sent.to == NO_PEER ? count.broadcasts : count.unicasts) += sign;
            count.bytes += sign * (sent.frame.header + sent.frame.payload);
        }
        group->Dispose();
        Simulator::Destroy();
    }
    return count;
}

/** Frames of an all-to-all broadcast on an idle network, against closed forms. */
class FramesCase : public TestCase
{
  public:
    FramesCase()
        : TestCase("frames of an all-to-all broadcast on an idle network")
    {
    }

  private:
    /** @param nPeers number of nodes @return frames of a rival */
    template <class Core>
    static FrameCount Count(uint32_t nPeers)
    {
        Rival<Core> rival;
        rival.config.nPeers = nPeers;
        rival.config.mtu = 1436;
        return CountFrames(
            nPeers,
            [&](Ptr<TickClock> clock, Ptr<LoopbackPort> port, const GlobalProgram& program) {
                const auto group =
                    CreateObject<messaging::CoreGroup<CallCore<Core>, LoopbackPort>>();
                group->Connect(clock, port, [&](Peer self) {
                    return CallCore<Core>(rival.Make(self), program.GetGroups(), self);
                });
                return group;
            });
    }

    void DoRun() override
    {
        for (const uint32_t n : {2, 4, 16})
        {
            const double messages = n;
            // Each node broadcasts while it has the token. The first node with all messages of a
            // round gets the last one from its predecessor, together with the token, and has passed
            // the token when it begins the next round: a round takes one pass more than a full
            // cycle.
            CheckFrames(Count<RingCore>(n),
                        {messages, messages + 1, messages * (20 + 20) + (messages + 1) * 28},
                        "token ring",
                        n);
            // Each node acknowledges the others' messages of the last round.
            CheckFrames(Count<GraphCore>(n),
                        {messages, 0, messages * (20 + 20 + 8 * (messages - 1))},
                        "acknowledgement graph",
                        n);
            // Every fourth datagram contains a list of the messages of its source.
            CheckFrames(Count<WindowCore>(n),
                        {messages, 0, messages * (12 + 12 + 20 + messages)},
                        "packing window",
                        n);
            const auto pcode = CountFrames(
                n,
                [](Ptr<TickClock> clock, Ptr<LoopbackPort> port, const GlobalProgram& program) {
                    const auto group = CreateObject<PcodeGroup<PcodeCore, LoopbackPort>>();
                    group->Connect(clock, port, program, CreateObject<PcodeParameters>());
                    return group;
                });
            if (n > 2)
            {
                // Each node sends a STATUS when the global counter, which grows by one per round,
                // has grown by more than STATUS_WINDOW; with two nodes, each sends to one only
                // (section 5.6).
                const double statuses = messages / 17;
                CheckFrames(
                    pcode,
                    {messages + statuses, 0, messages * 36 + statuses * (16 + 4 * messages)},
                    "PCODE",
                    n);
            }
        }
    }

    /**
     * Compare.
     * @param actual the counts
     * @param expected the expected counts
     * @param protocol the protocol
     * @param nPeers number of nodes
     */
    void CheckFrames(const FrameCount& actual,
                     const FrameCount& expected,
                     const std::string& protocol,
                     uint32_t nPeers)
    {
        const std::string what = protocol + " of " + std::to_string(nPeers) + ": ";
        const double tolerance = 1e-6;
        NS_TEST_EXPECT_MSG_EQ_TOL(actual.broadcasts,
                                  expected.broadcasts,
                                  tolerance,
                                  what << "broadcasts");
        NS_TEST_EXPECT_MSG_EQ_TOL(actual.unicasts,
                                  expected.unicasts,
                                  tolerance,
                                  what << "unicasts");
        NS_TEST_EXPECT_MSG_EQ_TOL(actual.bytes, expected.bytes, tolerance, what << "bytes");
    }
};

/** The suite. */
class RivalTestSuite : public TestSuite
{
  public:
    RivalTestSuite()
        : TestSuite("pcode-rival", Type::UNIT)
    {
        AddCases<RingCore>();
        AddCases<GraphCore>();
        AddCases<WindowCore>();
        AddSearches();
        AddTestCase(new FramesCase, TestCase::Duration::QUICK);
    }

  private:
    /**
     * Add the searches. Timers cause most of the states, so a search with free timers has few
     * messages, and vice versa.
     */
    void AddSearches()
    {
        ExplorerOptions free;
        free.capacity = 1;
        free.maxStates = 2000000;
        ExplorerOptions two = free;
        two.losses = 1;
        two.timeouts = 2;
        ExplorerOptions four = free;
        four.losses = 2;
        four.timeouts = 4;
        ExplorerOptions three = free;
        three.timeouts = 3;
        ExplorerOptions reordering;
        reordering.capacity = 2;
        reordering.reordering = true;
        reordering.losses = 1;
        reordering.duplicates = 1;
        reordering.timeouts = 1;
        reordering.maxStates = 2000000;
        ExplorerOptions safety = reordering;
        safety.timeouts = 0;
        ExplorerOptions one = two;
        one.timeouts = 1;
        const auto quick = TestCase::Duration::QUICK;
        const auto extensive = TestCase::Duration::EXTENSIVE;
        const std::vector<Peer> both{0, 0, 1};
        const std::string reorders = "two nodes, a loss, a copy, a time-out, reordering";
        AddTestCase(new SearchCase<RingCore>(3, {0}, four, "three nodes, two losses"), quick);
        AddTestCase(new SearchCase<RingCore>(3, {0}, free, "three nodes, any loss"), extensive);
        AddTestCase(new SearchCase<RingCore>(2, {0, 1}, reordering, reorders), quick);
        AddTestCase(new SearchCase<RingCore>(2, both, reordering, reorders), extensive);
        AddTestCase(new SearchCase<RingCore>(3, {0, 1}, three, "three time-outs"), extensive);
        AddTestCase(new SearchCase<GraphCore>(3, {0}, two, "three nodes, a loss"), quick);
        AddTestCase(new SearchCase<GraphCore>(2, both, reordering, reorders), quick);
        AddTestCase(new SearchCase<GraphCore>(3, {0, 1}, one, "two of three post"), extensive);
        AddTestCase(new SearchCase<WindowCore>(3, {0}, two, "three nodes, a loss"), quick);
        AddTestCase(new SearchCase<WindowCore>(3, {0}, three, "any loss"), extensive);
        AddTestCase(new SearchCase<WindowCore>(2, both, reordering, reorders), quick);
        AddTestCase(new SearchCase<WindowCore>(3, {0, 1}, safety, "no time-out"), extensive);
    }

    /** Add the cases of a protocol. */
    template <class Core>
    void AddCases()
    {
        const Faults none;
        const Faults much{{"Loss", "0.2"}};
        const Faults all{{"Loss", "0.1"},
                         {"Duplication", "0.1"},
                         {"Reordering", "0.3"},
                         {"ReorderBound", "2000000"}};
        const Faults bursts{{"BurstBegin", "0.02"}, {"BurstEnd", "0.2"}};
        const auto add = [this](TestCase* testCase, bool quick) {
            AddTestCase(testCase,
                        quick ? TestCase::Duration::QUICK : TestCase::Duration::EXTENSIVE);
        };
        add(new FaultsCase<Core>("none", none, {2, 3, 16}), true);
        add(new FaultsCase<Core>("losses of 20 %", much, {2, 3, 5}), true);
        add(new FaultsCase<Core>("losses, copies and reordering", all, {2, 3, 5}), true);
        add(new FaultsCase<Core>("bursts of losses", bursts, {2, 3, 5}), true);
        add(new FaultsCase<Core>("losses of 20 % among many", much, {9, 16}), false);
        add(new FaultsCase<Core>("all faults among many", all, {9, 16}), false);
    }
};

RivalTestSuite g_rivalTestSuite; ///< Registers itself.

} // namespace
} // namespace tests
} // namespace pcode
} // namespace ns3
