/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pcode-unsound-cores.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/messaging-faulty-port.h"
#include "ns3/messaging-loopback-port.h"
#include "ns3/pcode-collectives.h"
#include "ns3/pcode-core.h"
#include "ns3/pcode-driver.h"
#include "ns3/pcode-group.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup pcode
 * Whole groups over a network that loses, duplicates and reorders (paper 3, sections 2 to 5).
 */

namespace ns3
{
namespace pcode
{
namespace tests
{
namespace
{

using messaging::FaultPlan;
using messaging::FaultyPort;
using messaging::Frame;
using messaging::LoopbackPort;
using messaging::Peer;
using messaging::TickClock;

/** Faults of a network. */
struct Weather
{
    double loss{0};        ///< Loss probability.
    double duplication{0}; ///< Duplication probability.
    double reordering{0};  ///< Probability of a delay of up to 5 ms.
    uint32_t every{0};     ///< Period of deterministic losses [frames]; 0 for none.
};

/**
 * A port that loses exactly every n-th frame, in front of another port.
 * @tparam P type of the inner port
 */
template <messaging::DatagramPort P>
class PeriodicLossPort : public SimpleRefCount<PeriodicLossPort<P>>
{
  public:
    /** @param port the inner port @param every the period of losses, 0 for none */
    PeriodicLossPort(Ptr<P> port, uint32_t every)
        : m_port(port),
          m_every(every)
    {
    }

    /** @return the properties of the port. */
    messaging::PortInfo GetInfo() const
    {
        return m_port->GetInfo();
    }

    /** @return the number of peers. */
    uint32_t GetNPeers() const
    {
        return m_port->GetNPeers();
    }

    /** @param self a peer @param to another peer @return their distance */
    messaging::Ticks Distance(Peer self, Peer to) const
    {
        return m_port->Distance(self, to);
    }

    /** @param frame a frame @return its length */
    messaging::Ticks WireTicks(const Frame& frame) const
    {
        return m_port->WireTicks(frame);
    }

    /** @param self sender @param to receiver @param frame the frame @return false if busy */
    bool Send(Peer self, Peer to, const Frame& frame)
    {
        return (m_every > 0 && ++m_sent % m_every == 0) || m_port->Send(self, to, frame);
    }

    /** @param user receives frames */
    void SetUser(messaging::PortUser* user)
    {
        m_port->SetUser(user);
    }

  private:
    Ptr<P> m_port;      ///< The inner port.
    uint32_t m_every;   ///< Period of losses.
    uint64_t m_sent{0}; ///< Frames sent.
};

/** Attributes and their values. */
using Settings = std::map<std::string, std::string>;

/** Counts of a run. */
struct Tally
{
    std::string violation;                 ///< First violation.
    std::array<uint64_t, EVENTS> events{}; ///< Number of each event.
    uint64_t arrived{0};                   ///< Number of arrived messages, without lost ones.
    bool finished{false};                  ///< All programs have ended.

    /** @param event an event @return its number */
    uint64_t operator[](Event event) const
    {
        return events[static_cast<std::size_t>(event)];
    }
};

/**
 * Run a program.
 * @tparam Core the protocol
 * @param program the program
 * @param settings attributes of PcodeParameters
 * @param weather the faults
 * @param stream first random stream
 * @param isP0 whether the protocol is P0
 * @return the counts
 */
template <class Core>
Tally
RunProgram(const GlobalProgram& program,
           const Settings& settings,
           const Weather& weather,
           int64_t stream,
           bool isP0 = false)
{
    using Port = PeriodicLossPort<FaultyPort<LoopbackPort>>;
    const auto clock = CreateObject<TickClock>();
    clock->SetAttribute("TickLength", TimeValue(MicroSeconds(1)));
    const auto network = Create<LoopbackPort>(clock,
                                              program.GetNNodes(),
                                              messaging::LoopbackOptions{.latency = 300});
    const auto faults = CreateObject<FaultPlan>();
    faults->SetAttribute("Loss", DoubleValue(weather.loss));
    faults->SetAttribute("Duplication", DoubleValue(weather.duplication));
    faults->SetAttribute("Reordering", DoubleValue(weather.reordering));
    faults->SetAttribute("ReorderBound", UintegerValue(5000));
    faults->AssignStreams(stream);
    Tally tally;
    const auto isMessage = [](const Frame& frame) {
        const auto kind = static_cast<FrameKind>(frame.kind);
        return kind == FrameKind::REGULAR || kind == FrameKind::DIRECT;
    };
    faults->TraceConnectWithoutContext(
        "Fault",
        Callback<void, Peer, Peer, const Frame&, const std::string&, bool>(
            [&](Peer, Peer, const Frame& frame, const std::string& effect, bool lost) {
                if (isMessage(frame))
                {
                    tally.arrived -= lost;
                    tally.arrived += effect == "repeated";
                }
            }));
    const auto parameters = CreateObject<PcodeParameters>();
    for (const auto& [name, value] : settings)
    {
        parameters->SetAttribute(name, StringValue(value));
    }
    const auto group = CreateObject<PcodeGroup<Core, Port>>();
    group->Connect(
        clock,
        Create<Port>(Create<FaultyPort<LoopbackPort>>(clock, network, faults), weather.every),
        program,
        isP0 ? parameters->AsP0() : parameters);
    ProgramDriver driver(group, program);
    driver.Start();
    Simulator::Stop(Seconds(1000));
    Simulator::Run();
    tally.finished = driver.IsFinished();
    tally.violation = driver.GetViolation();
    for (std::size_t i = 0; i < EVENTS; ++i)
    {
        tally.events[i] = group->GetEventCount(static_cast<Event>(i));
    }
    tally.arrived +=
        (tally[Event::REGULAR_FIRST] + tally[Event::REGULAR_RESENT]) * (program.GetNNodes() - 1) +
        tally[Event::DIRECT_FIRST] + tally[Event::DIRECT_RESENT];
    group->Dispose();
    Simulator::Destroy();
    return tally;
}

/**
 * Generate a random correct program.
 * @param nNodes the number of nodes
 * @param calls the number of calls of each
 * @param stream random stream
 * @return the program
 */
GlobalProgram
MakeRandomProgram(uint32_t nNodes, uint32_t calls, int64_t stream)
{
    const auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(stream);
    GlobalProgram program(nNodes);
    for (uint32_t i = 0; i < calls; ++i)
    {
        const auto p = random->GetInteger(0, nNodes - 1);
        TargetSet targets;
        for (Peer q = 0; q < nNodes; ++q)
        {
            if (q != p && random->GetInteger(0, 1) == 1)
            {
                targets.insert(q);
            }
        }
        program.MatchedMulticast(p, random->GetInteger(0, 1024), targets);
    }
    return program;
}

/**
 * Count the requests of a program.
 * @param program the program
 * @return their number
 */
uint64_t
CountRequests(const GlobalProgram& program)
{
    uint64_t requests = 0;
    for (Peer p = 0; p < program.GetNNodes(); ++p)
    {
        for (uint64_t i = 1; i <= program.GetNCalls(); ++i)
        {
            requests += program.GetCall(p, i).kind == CallKind::REQUEST;
        }
    }
    return requests;
}

/** Protocols, and their disabled parts. */
const std::vector<std::pair<std::string, Settings>> PROTOCOLS{
    {"P0", {}},
    {"P1",
     {{"GlobalCounter", "false"},
      {"FlowControl", "false"},
      {"ProgressOnDemand", "false"},
      {"PersonalGapNack", "false"},
      {"GlobalGapNack", "false"},
      {"EarlyMessages", "false"},
      {"PeriodicStatus", "false"},
      {"DirectMessages", "false"},
      {"DirectFlow", "false"},
      {"DirectNacks", "false"},
      {"RequestDelay", "0ns"},
      {"SendBuffer", "2"},
      {"HoldOff", "0ns"}}},
    {"PCODE", {}},
    {"PCODE, small windows",
     {{"SendBuffer", "2"}, {"EarlyBuffer", "2"}, {"StatusWindow", "1"}, {"FlowWindow", "2"}}},
    {"PCODE without FlowControl", {{"FlowControl", "false"}}},
    {"PCODE without ProgressOnDemand", {{"ProgressOnDemand", "false"}}},
    {"PCODE without PersonalGapNack", {{"PersonalGapNack", "false"}}},
    {"PCODE without GlobalGapNack", {{"GlobalGapNack", "false"}}},
    {"PCODE without EarlyMessages", {{"EarlyMessages", "false"}}},
    {"PCODE without PeriodicStatus", {{"PeriodicStatus", "false"}}},
    {"PCODE without DirectMessages", {{"DirectMessages", "false"}}},
    {"PCODE without DirectFlow", {{"DirectFlow", "false"}}},
    {"PCODE without DirectNacks", {{"DirectNacks", "false"}}},
};

/** Exactly one delivery per request, FIFO, under all faults. */
class WeatherTestCase : public TestCase
{
  public:
    /**
     * Constructor.
     * @param nNodes the number of nodes
     * @param calls calls of a random program
     */
    WeatherTestCase(uint32_t nNodes, uint32_t calls)
        : TestCase("All protocols under all kinds of faults, " + std::to_string(nNodes) +
                   " nodes (B-03, B-04, B-05, B-17)"),
          m_nNodes(nNodes),
          m_calls(calls)
    {
    }

  private:
    void DoRun() override
    {
        std::vector<std::pair<std::string, GlobalProgram>> programs;
        programs.emplace_back("random", MakeRandomProgram(m_nNodes, m_calls, 77));
        programs.emplace_back("collectives", GlobalProgram(m_nNodes));
        Collectives collectives(programs.back().second);
        collectives.AllToAllInTurn(20);
        collectives.Gather(0, 8);
        collectives.Scatter(1, 8);
        collectives.Combine(2, 8);
        collectives.Barrier();
        programs.emplace_back("at once", GlobalProgram(m_nNodes));
        Collectives(programs.back().second).AllToAllAtOnce(20);
        programs.back().second.SetRounds(5);
        const std::vector<Weather> weathers{{0, 0, 0},
                                            {0.1, 0, 0},
                                            {0.3, 0, 0},
                                            {0, 0.2, 0.2},
                                            {0.2, 0.2, 0.2}};
        for (const auto& [what, program] : programs)
        {
            const auto requests = CountRequests(program);
            for (const auto& [name, settings] : PROTOCOLS)
            {
                for (std::size_t w = 0; w < weathers.size(); ++w)
                {
                    const auto text = name + ", " + what + ", weather " + std::to_string(w) + ": ";
                    const bool ordered = weathers[w].reordering == 0;
                    const auto tally =
                        RunProgram<PcodeCore>(program, settings, weathers[w], 5, name == "P0");
                    Check(tally, requests, ordered, text);
                }
            }
        }
    }

    /**
     * Check a run.
     * @param t the counts
     * @param requests number of requests of the program
     * @param ordered whether the network keeps order
     * @param text name of the run
     */
    void Check(const Tally& t, uint64_t requests, bool ordered, const std::string& text)
    {
        NS_TEST_EXPECT_MSG_EQ(t.violation, "", text << "no violation");
        NS_TEST_EXPECT_MSG_EQ(t.finished, true, text << "Proposition 1");
        NS_TEST_EXPECT_MSG_EQ(t[Event::DELIVERED], requests, text << "Proposition 2, Property 1");
        NS_TEST_EXPECT_MSG_EQ(t[Event::ILLEGAL], 0, text << "nothing illegal");
        // A NACK overtaken by a STATUS may request messages that its sender has received meanwhile.
        NS_TEST_EXPECT_MSG_EQ((ordered && t[Event::NACK_FORGOTTEN] > 0),
                              false,
                              text << "nothing is discarded too early");
        const auto ended = t[Event::ACCEPTED] + t[Event::PASSED_OVER] - t[Event::TAKEN_EARLY] +
                           t[Event::KEPT_EARLY] + t[Event::DROP_LATE] + t[Event::DROP_EARLY] +
                           t[Event::DROP_SLOT] + t[Event::DROP_EARLY_FULL];
        NS_TEST_EXPECT_MSG_EQ(ended, t.arrived, text << "conservation of messages");
    }

    uint32_t m_nNodes; ///< Nodes.
    uint32_t m_calls;  ///< Calls of the random program.
};

/** Losses of exactly every n-th frame. */
class LockstepTestCase : public TestCase
{
  public:
    LockstepTestCase()
        : TestCase("Losses of exactly every n-th frame stop a group whose periods are all alike")
    {
    }

  private:
    void DoRun() override
    {
        for (const uint32_t nodes : {2, 3, 4, 6})
        {
            GlobalProgram program(nodes);
            Collectives collectives(program);
            collectives.AllToAllInTurn(20);
            collectives.AllToAllAtOnce(20);
            collectives.Gather(0, 8);
            collectives.Scatter(1, 8);
            collectives.Barrier();
            program.SetRounds(5);
            for (std::size_t p = 0; p < 3; ++p)
            {
                const auto& [name, settings] = PROTOCOLS[p];
                for (const uint32_t every : {2, 3, 4, 5, 6, 7})
                {
                    Settings literal = settings;
                    literal["Dither"] = "false";
                    const Weather weather{.every = every};
                    const auto text = name + ", " + std::to_string(nodes) + " nodes, every " +
                                      std::to_string(every);
                    const bool isP0 = name == "P0";
                    const auto with = RunProgram<PcodeCore>(program, settings, weather, 5, isP0);
                    NS_TEST_EXPECT_MSG_EQ(with.violation, "", text);
                    NS_TEST_EXPECT_MSG_EQ(with.finished, true, text << ": Dither cures it");
                    if (every == 2 && (name == "PCODE" ? nodes == 4 : nodes == 2))
                    {
                        const auto plain =
                            RunProgram<PcodeCore>(program, literal, weather, 5, isP0);
                        NS_TEST_EXPECT_MSG_EQ(plain.finished, false, text << ": without it");
                    }
                }
            }
        }
    }
};

/** Early messages avoid retransmissions (B-12); a shorter delay wastes NACKs (B-33). */
class WorthTestCase : public TestCase
{
  public:
    WorthTestCase()
        : TestCase("Early messages save resends; short delays waste NACKs (B-12, B-33)")
    {
    }

  private:
    void DoRun() override
    {
        GlobalProgram program(6);
        Collectives(program).AllToAllAtOnce(20);
        program.SetRounds(60);
        const auto with = RunProgram<PcodeCore>(program, {}, {0.1, 0, 0}, 3);
        const auto without =
            RunProgram<PcodeCore>(program, {{"EarlyMessages", "false"}}, {0.1, 0, 0}, 3);
        NS_TEST_EXPECT_MSG_LT(with[Event::REGULAR_RESENT],
                              without[Event::REGULAR_RESENT],
                              "B-12: resends");
        const auto patient = RunProgram<PcodeCore>(program, {}, {0, 0, 0}, 3);
        const auto hasty = RunProgram<PcodeCore>(program, {{"RequestDelay", "10us"}}, {0, 0, 0}, 3);
        NS_TEST_EXPECT_MSG_EQ(patient[Event::REQUEST_NACK], 0, "B-33: nothing is lost");
        NS_TEST_EXPECT_MSG_GT(hasty[Event::REQUEST_NACK], 0, "B-33: all in vain");
    }
};

/**
 * Discarding once the target set has a message, as in section 4, leaves other nodes without it.
 */
class DiscardTestCase : public TestCase
{
  public:
    DiscardTestCase()
        : TestCase("Discarding when the target set has a message deadlocks a group (B-08)")
    {
    }

  private:
    void DoRun() override
    {
        GlobalProgram program(3);
        Collectives(program).Scatter(0, 20);
        program.SetRounds(30);
        for (const int64_t stream : {1, 100})
        {
            const auto all = Run<PcodeCore>(program, stream, "false");
            NS_TEST_EXPECT_MSG_EQ(all.finished, true, "B-08: all nodes have to have it");
            const auto literal = Run<PcodeCore>(program, stream, "true");
            NS_TEST_EXPECT_MSG_EQ(literal.finished, false, "B-08: the literal rule");
            NS_TEST_EXPECT_MSG_GT(literal[Event::NACK_FORGOTTEN], 1000, "B-08: for ever");
            const auto marked = Run<MarkedCore<true>>(program, stream, "true");
            NS_TEST_EXPECT_MSG_EQ(marked.finished, true, "B-08: messages tell what is kept");
        }
    }

    /**
     * Run a program under losses.
     * @tparam Core the protocol
     * @param program the program
     * @param stream first random stream
     * @param literal value of LiteralDiscard
     * @return the counts
     */
    template <class Core>
    static Tally Run(const GlobalProgram& program, int64_t stream, const std::string& literal)
    {
        Settings settings = PROTOCOLS[1].second;
        settings["LiteralDiscard"] = literal;
        return RunProgram<Core>(program, settings, {0.2, 0, 0}, stream);
    }
};

/** Groups in bad weather. */
class FaultsTestSuite : public TestSuite
{
  public:
    FaultsTestSuite()
        : TestSuite("pcode-faults", Type::UNIT)
    {
        AddTestCase(new WeatherTestCase(4, 20), TestCase::Duration::QUICK);
        AddTestCase(new LockstepTestCase, TestCase::Duration::QUICK);
        AddTestCase(new WorthTestCase, TestCase::Duration::QUICK);
        AddTestCase(new DiscardTestCase, TestCase::Duration::QUICK);
        AddTestCase(new WeatherTestCase(16, 200), TestCase::Duration::EXTENSIVE);
    }
};

FaultsTestSuite g_faultsTestSuite; ///< The suite.

} // namespace
} // namespace tests
} // namespace pcode
} // namespace ns3
