/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "idempotent-scripted-network.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/idempotent-scenario.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup idempotent
 * Replays of traces, and the scenario of section 4.
 */

namespace ns3
{
namespace idempotent
{
namespace tests
{
namespace
{

using messaging::TickClock;
using messaging::Ticks;
using wormhole::DropReason;

/** @return a trace of two nodes: two messages from a block of node 0, one of them to a block. */
Trace
MakeSmallTrace()
{
    TraceBuilder builder(2);
    const uint32_t first = builder.AddBlock(0, 0);
    const uint32_t second = builder.AddBlock(1, 1);
    TraceMessage message;
    message.destination = 1;
    message.bytes = 8;
    message.offset = 5;
    builder.AddMessage(first, message);
    message.offset = 7;
    message.target = second;
    builder.AddMessage(first, message);
    builder.GetBlock(first).duration = 20;
    builder.GetBlock(second).duration = 100;
    return builder.Finish();
}

/** Activation of blocks, posts and stalls of messages (E-12, E-14). */
class ReplayTestCase : public TestCase
{
  public:
    ReplayTestCase()
        : TestCase("Times of blocks and messages (E-12, E-14)")
    {
    }

  private:
    /** Outcome of a replay. */
    struct Outcome
    {
        Ticks runTime{0};                        ///< Duration.
        ReplayState state{ReplayState::RUNNING}; ///< Final state.
        std::map<uint32_t, Ticks> posted{};      ///< Post time by message.
        std::map<uint32_t, Ticks> delivered{};   ///< Delivery time by message.
        uint64_t stalls{0};                      ///< Stalled messages.
    };

    /** Records the events of a replay. */
    struct Listener
    {
        Outcome& outcome;     ///< Outcome under construction.
        Ptr<TickClock> clock; ///< Source of the time.

        /** @param message its index */
        void OnPosted(uint32_t message)
        {
            outcome.posted[message] = clock->Now();
        }

        /** @param message its index */
        void OnDelivered(uint32_t message)
        {
            outcome.delivered[message] = clock->Now();
        }
    };

    /**
     * Replay a trace.
     * @param trace the trace
     * @param sendTable entries of a send table
     * @param attributes of the replayer
     * @param script script of the network
     * @return the outcome
     */
    static Outcome Play(const Trace& trace,
                        uint32_t sendTable,
                        const std::vector<std::pair<std::string, std::string>>& attributes,
                        ScriptedNetwork::Script script = ScriptedNetwork::Script())
    {
        Outcome outcome;
        const auto clock = CreateObject<TickClock>();
        const auto network = Create<ScriptedNetwork>();
        network->Setup(clock, trace.nodes, std::move(script));
        IdempotentSettings settings;
        settings.config.messageHeader = 0;
        settings.config.sendTable = sendTable;
        const auto group = CreateObject<IdempotentPortGroup<ScriptedNetwork>>();
        group->Connect(clock, network, settings);
        const auto replayer = CreateObject<TraceReplayer>();
        for (const auto& [name, value] : attributes)
        {
            replayer->SetAttribute(name, StringValue(value));
        }
        Listener listener{outcome, clock};
        replayer->TraceConnectWithoutContext("Posted",
                                             MakeCallback(&Listener::OnPosted, &listener));
        replayer->TraceConnectWithoutContext("Delivered",
                                             MakeCallback(&Listener::OnDelivered, &listener));
        replayer->SetEnded([] { Simulator::Stop(); });
        replayer->Start(trace, group, clock);
        Simulator::Run();
        outcome.runTime = replayer->GetRunTime();
        outcome.state = replayer->GetState();
        outcome.stalls = replayer->GetNStalls();
        replayer->Dispose();
        Simulator::Destroy();
        return outcome;
    }

    void DoRun() override
    {
        // A message of 8 bytes has 3 flits with its checksum and takes 13 ticks.
        const Trace trace = MakeSmallTrace();
        NS_TEST_ASSERT_MSG_EQ(trace.Validate(), "", "The trace is valid");
        Outcome outcome = Play(trace, 2, {});
        NS_TEST_EXPECT_MSG_EQ(outcome.state, ReplayState::FINISHED, "E-14: it ends");
        NS_TEST_EXPECT_MSG_EQ(outcome.posted[0], 5, "E-14: at its offset");
        NS_TEST_EXPECT_MSG_EQ(outcome.posted[1], 7, "E-14: at its offset");
        NS_TEST_EXPECT_MSG_EQ(outcome.delivered[1], 20, "Distance and length");
        NS_TEST_EXPECT_MSG_EQ(outcome.runTime, 120, "E-14: the block that it signals lasts 100");
        NS_TEST_EXPECT_MSG_EQ(outcome.stalls, 0, "No stall");
        // With one entry the second message waits for the first one's ACK: 5 + 13 + 14.
        outcome = Play(trace, 1, {});
        NS_TEST_EXPECT_MSG_EQ(outcome.posted[1], 32, "E-12: when an entry is free");
        NS_TEST_EXPECT_MSG_EQ(outcome.stalls, 1, "E-12: one stall");
        // It arrives no earlier than the CONF that was sent before it, at 32 + 14.
        NS_TEST_EXPECT_MSG_EQ(outcome.runTime, 146, "E-12: all later times move");
        outcome = Play(trace, 2, {{"ClockRatio", "1.5"}});
        NS_TEST_EXPECT_MSG_EQ(outcome.posted[0], 8, "7.5 rounded");
        NS_TEST_EXPECT_MSG_EQ(outcome.posted[1], 11, "10.5 rounded");
        NS_TEST_EXPECT_MSG_EQ(outcome.runTime, 11 + 13 + 150, "Times of processors are scaled");
        TraceBuilder silent(1);
        silent.GetBlock(silent.AddBlock(0, 0)).duration = 40;
        outcome = Play(silent.Finish(), 2, {});
        NS_TEST_EXPECT_MSG_EQ(outcome.state, ReplayState::FINISHED, "No message, and it ends");
        NS_TEST_EXPECT_MSG_EQ(outcome.runTime, 40, "with its only block");
        TraceBuilder lasting(1);
        lasting.GetBlock(lasting.AddBlock(0, 0)).duration = 40;
        lasting.AddMessage(0, {.destination = 0, .offset = 5, .kind = MessageKind::SIGNAL});
        outcome = Play(lasting.Finish(), 2, {{"ClockRatio", "1.5"}});
        NS_TEST_EXPECT_MSG_EQ(outcome.runTime, 60, "What follows its last message is scaled too");
        LookAtOtherThreads();
        const auto losing = [](const ScriptedNetwork::Packet&) {
            return ScriptedNetwork::Fate{0, 0, false};
        };
        outcome = Play(trace, 2, {{"MaxCycles", "5000"}, {"MaxIdle", "0"}}, losing);
        NS_TEST_EXPECT_MSG_EQ(outcome.state, ReplayState::LIVELOCK, "MaxCycles ends a livelock");
        NS_TEST_EXPECT_MSG_EQ(outcome.runTime, 5000, "at the stated limit");
        outcome = Play(trace, 2, {{"MaxCycles", "0"}, {"MaxIdle", "3000"}}, losing);
        NS_TEST_EXPECT_MSG_EQ(outcome.state, ReplayState::LIVELOCK, "MaxIdle ends a livelock");
    }

    /** A stall delays the posting thread, but not the node's other threads. */
    void LookAtOtherThreads()
    {
        TraceBuilder builder(2);
        TraceMessage message;
        message.destination = 1;
        message.bytes = 8;
        const uint32_t busy = builder.AddBlock(0, 0);
        builder.AddMessage(busy, message);
        message.offset = 1;
        builder.AddMessage(busy, message);
        builder.GetBlock(busy).duration = 1;
        // Another thread of node 0, which only signals a block of the node at 10.
        const uint32_t other = builder.AddBlock(0, 1);
        const uint32_t next = builder.AddBlock(0, 1);
        message.destination = 0;
        message.offset = 10;
        message.target = next;
        message.kind = MessageKind::SIGNAL;
        builder.AddMessage(other, message);
        builder.GetBlock(other).duration = 10;
        builder.GetBlock(next).duration = 500;
        const Trace trace = builder.Finish();
        NS_TEST_ASSERT_MSG_EQ(trace.Validate(), "", "The trace is valid");
        // The first message's ACK arrives at 13 + 14 = 27, so the stall lasts from 1 to 27.
        NS_TEST_EXPECT_MSG_EQ(Play(trace, 1, {}).runTime, 510, "The other thread goes on");
    }
};

/** Runs of the scenario with given parameters. */
class ScenarioTestCase : public TestCase
{
  public:
    /** @param name of the test case */
    explicit ScenarioTestCase(const std::string& name)
        : TestCase(name)
    {
    }

  protected:
    /** Names and values of parameters. */
    using Parameters = std::vector<std::pair<std::string, std::string>>;

    /**
     * Make a scenario of 16 nodes.
     * @param parameters parameters that differ from the defaults
     * @return the scenario
     */
    static Ptr<IdempotentScenario> Make(const Parameters& parameters)
    {
        const auto scenario = CreateObject<IdempotentScenario>();
        scenario->SetAttribute("Nodes", UintegerValue(16));
        for (const auto& [name, value] : parameters)
        {
            scenario->SetAttribute(name, StringValue(value));
        }
        return scenario;
    }

    /** @param scenario a scenario @param name name of a result @return its value */
    static uint64_t Get(Ptr<const IdempotentScenario> scenario, const std::string& name)
    {
        UintegerValue value;
        scenario->GetAttribute(name, value);
        return value.Get();
    }

    /** @param scenario a scenario @param reason a reason @return drops for it */
    static int64_t CountDrops(Ptr<const IdempotentScenario> scenario, DropReason reason)
    {
        PointerValue table;
        scenario->GetAttribute("Drops", table);
        const auto& columns = table.Get<messaging::Table>()->GetColumns();
        return std::get<std::vector<int64_t>>(columns[1].cells)[static_cast<std::size_t>(reason)];
    }

    /** @param scenario a scenario @param name name of a result @return its value */
    static double GetReal(Ptr<const IdempotentScenario> scenario, const std::string& name)
    {
        DoubleValue value;
        scenario->GetAttribute(name, value);
        return value.Get();
    }
};

/** A replay that is disposed of while its clock goes on. */
class DisposedReplayTestCase : public TestCase
{
  public:
    DisposedReplayTestCase()
        : TestCase("a replay that is disposed of in a run posts nothing any more")
    {
    }

  private:
    void DoRun() override
    {
        const Trace trace = MakeSmallTrace();
        // Messages are posted at 5 and 7 ticks.
        for (const auto& [at, posts] : {std::pair{1, 0}, std::pair{6, 1}})
        {
            const auto clock = CreateObject<TickClock>();
            const auto network = Create<ScriptedNetwork>();
            network->Setup(clock, trace.nodes, ScriptedNetwork::Script());
            IdempotentSettings settings;
            settings.config.sendTable = 2;
            const auto group = CreateObject<IdempotentPortGroup<ScriptedNetwork>>();
            group->Connect(clock, network, settings);
            auto replayer = CreateObject<TraceReplayer>();
            int posted = 0;
            replayer->TraceConnectWithoutContext(
                "Posted",
                Callback<void, uint32_t>([&posted](uint32_t) { ++posted; }));
            replayer->Start(trace, group, clock);
            Simulator::Stop(NanoSeconds(at));
            Simulator::Run();
            replayer->Dispose();
            replayer = nullptr;
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(posted, posts, "messages before " << at << " ns, and no other");
            group->Dispose();
            Simulator::Destroy();
        }
    }
};

/**
 * Every benchmark on every topology and router completes, with a clean audit and an idle end state.
 */
class MatrixTestCase : public ScenarioTestCase
{
  public:
    MatrixTestCase()
        : ScenarioTestCase("Benchmarks, topologies and routers (E-12, E-30, E-40)")
    {
    }

  private:
    void DoRun() override
    {
        for (const char* benchmark : {"add", "reverse", "quicksort", "nbody"})
        {
            for (const char* topology : {"grid2d", "grid3d", "fattree"})
            {
                for (const char* router : {"lossy", "buffered", "hybrid"})
                {
                    Look({{"Benchmark", benchmark}, {"Topology", topology}, {"Router", router}});
                }
            }
        }
        Look({{"Router", "lossy"}, {"Loss", "0.2"}});
        Look({{"Router", "hybrid"}, {"Loss", "0.2"}});
        Look({{"PiggybackReply", "true"}, {"Loss", "0.2"}});
        Look({{"SourceBusy", "drop"}});
        Look({{"SendTable", "1"}, {"ReceiveTable", "1"}});
        Look({{"InjectionPorts", "3"}, {"EjectionPorts", "3"}});
        Look({{"Protocol", "idempotent"}, {"Router", "buffered"}});
        for (const char* backoff :
             {"constant", "linear", "exponential", "table", "congestion", "destination", "network"})
        {
            Look({{"Backoff", backoff}, {"Loss", "0.1"}});
        }
    }

    /** Run and check the invariants. @param parameters parameters of the run */
    void Look(const Parameters& parameters)
    {
        std::string text;
        for (const auto& [name, value] : parameters)
        {
            text += name + "=" + value + " ";
        }
        const auto scenario = Make(parameters);
        scenario->Run();
        NS_TEST_ASSERT_MSG_EQ(scenario->GetVerdictName(),
                              "completed",
                              text << scenario->GetFailure());
        NS_TEST_EXPECT_MSG_EQ(Get(scenario, "Delivered"), Get(scenario, "Messages"), text);
        NS_TEST_EXPECT_MSG_GT(Get(scenario, "Cycles"), 0, text);
        PointerValue table;
        scenario->GetAttribute("Events", table);
        const auto& columns = table.Get<messaging::Table>()->GetColumns();
        const auto& counts = std::get<std::vector<int64_t>>(columns[1].cells);
        const auto count = [&](Event event) { return counts[static_cast<std::size_t>(event)]; };
        if (count(Event::MSG_FIRST) == 0)
        {
            NS_TEST_EXPECT_MSG_EQ(GetReal(scenario, "PacketsPerMessage"), 1, text);
            return;
        }
        NS_TEST_EXPECT_MSG_EQ(count(Event::MSG_ACCEPTED), count(Event::CONF_TAKEN), text);
        NS_TEST_EXPECT_MSG_EQ(count(Event::MSG_ACCEPTED), count(Event::ACK_TAKEN), text);
        NS_TEST_EXPECT_MSG_EQ(count(Event::ILLEGAL), 0, text);
        if (count(Event::REPLY_ATTACHED) == 0)
        {
            NS_TEST_EXPECT_MSG_GT_OR_EQ(GetReal(scenario, "PacketsPerMessage"),
                                        3,
                                        "E-40: " << text);
        }
        UintegerValue send;
        scenario->GetAttribute("SendTable", send);
        NS_TEST_EXPECT_MSG_GT_OR_EQ(send.Get(), Get(scenario, "PeakSendTable"), "E-12: " << text);
        if (send.Get() == 16)
        {
            // 16 entries of 54 + 16 bits, and twice as many of 20 + 54.
            NS_TEST_EXPECT_MSG_EQ(GetReal(scenario, "TableBytesPerNode"), 436, "E-30: " << text);
            NS_TEST_EXPECT_MSG_GT_OR_EQ(32, Get(scenario, "PeakReceiveTable"), "E-30: " << text);
        }
    }
};

/** The time of one message on an idle network follows from the geometry. */
class IdleTestCase : public TestCase
{
  public:
    IdleTestCase()
        : TestCase("One MSG, ACK and CONF on an idle network (E-01, E-22)")
    {
    }

  private:
    void DoRun() override
    {
        // The opposite corner of each shape.
        Look("grid2d", 14);
        Look("grid3d", 9);
        Look("fattree", 6);
    }

    /**
     * Send a message of 6 words from the first node of 64 to the last.
     * @param topology the shape
     * @param distance of the two nodes
     */
    void Look(const std::string& topology, Ticks distance)
    {
        m_clock = CreateObject<TickClock>();
        m_times.clear();
        const auto network = CreateObject<wormhole::WormholeNetwork>();
        network->SetAttribute("Topology", StringValue(topology));
        network->SetAttribute("Nodes", UintegerValue(64));
        network->SetClock(m_clock);
        const auto group = CreateObject<IdempotentPortGroup<wormhole::WormholePort>>();
        group->TraceConnectWithoutContext("Event", MakeCallback(&IdleTestCase::OnEvent, this));
        group->Connect(m_clock, network->GetNativePort());
        messaging::Request request;
        request.to = 63;
        request.bytes = 12;
        group->Post(0, request);
        Simulator::Run();
        const Ticks delivered = distance + 7;
        const Ticks acknowledged = delivered + distance + 4;
        const Ticks confirmed = acknowledged + distance + 4;
        NS_TEST_EXPECT_MSG_EQ(m_times[Event::MSG_ACCEPTED], delivered, topology);
        NS_TEST_EXPECT_MSG_EQ(m_times[Event::ACK_TAKEN], acknowledged, topology);
        NS_TEST_EXPECT_MSG_EQ(m_times[Event::CONF_TAKEN], confirmed, topology);
        NS_TEST_EXPECT_MSG_EQ(network->GetNativePort()->GetCounters().hops, 3 * distance, topology);
        Simulator::Destroy();
    }

    /** Record the time of an event. @param event the event */
    void OnEvent(messaging::Peer, Event event)
    {
        m_times[event] = m_clock->Now();
    }

    Ptr<TickClock> m_clock;         ///< Source of the time.
    std::map<Event, Ticks> m_times; ///< Time of the last occurrence by event.
};

/** The same seed gives the same run; invalid parameters are refused in one sentence. */
class ParametersTestCase : public ScenarioTestCase
{
  public:
    ParametersTestCase()
        : ScenarioTestCase("Determinism, clock ratio, bad combinations, verdicts (E-38)")
    {
    }

  private:
    void DoRun() override
    {
        const Parameters lossy{{"Loss", "0.1"}, {"ServiceOrder", "random"}};
        const auto one = Make(lossy);
        const auto two = Make(lossy);
        one->Run();
        two->Run();
        for (const char* name : {"Cycles", "Hops", "Packets", "Injected"})
        {
            NS_TEST_EXPECT_MSG_EQ(Get(one, name), Get(two, name), "The same seed: " << name);
        }
        one->Run();
        NS_TEST_EXPECT_MSG_EQ(Get(one, "Cycles"), Get(two, "Cycles"), "The same object again");

        const auto fast = Make({{"ClockRatio", "1.6"}, {"FlitBits", "40"}});
        fast->Run();
        NS_TEST_EXPECT_MSG_EQ_TOL(GetReal(fast, "SlowCycles"),
                                  static_cast<double>(Get(fast, "Cycles")) / 1.6,
                                  1e-9,
                                  "E-38: cycles of the slower clock");

        const auto plain = Make({});
        const auto foreign = Make({{"Constants", "CountTime=9"}});
        const auto longer = Make({{"Constants", " CountTime=9  StoreWords=12"}});
        plain->Run();
        foreign->Run();
        longer->Run();
        NS_TEST_EXPECT_MSG_EQ(Get(foreign, "Cycles"), Get(plain, "Cycles"), "Not of reverse");
        NS_TEST_EXPECT_MSG_GT(Get(longer, "Cycles"), Get(plain, "Cycles"), "Longer stores");

        const auto alone = Make({{"Nodes", "1"}});
        alone->Run();
        NS_TEST_EXPECT_MSG_EQ(alone->GetVerdictName(), "completed", "One node sends no message");

        Refuse({{"Nodes", "15"}, {"Benchmark", "nbody"}}, "square");
        Refuse({{"Shape", "3x3"}}, "16");
        Refuse({{"Shape", "4xy"}}, "4xy");
        Refuse({{"Backoff", "table"}, {"BackoffTable", "1 two"}}, "1 two");
        Refuse({{"Retention", "soon"}}, "auto");
        for (const char* wrong :
             {"Stores=3", "StoreWords", "StoreWords=x", "=3", "StoreWords=-1", "StoreWords=65536"})
        {
            Refuse({{"Constants", wrong}}, wrong);
        }
        Refuse({{"Router", "buffered"}, {"Protocol", "idempotent"}, {"EjectionPorts", "0"}},
               "auto");
        Refuse({{"Benchmark", "file"}}, "TraceFile");
        Refuse({{"Benchmark", "file"}, {"TraceFile", "no-such-file.txt"}}, "no-such-file.txt");

        const auto hopeless = Make({{"Loss", "1"}, {"MaxCycles", "20000"}});
        hopeless->Run();
        NS_TEST_EXPECT_MSG_EQ(hopeless->GetVerdictName(), "livelock", "A network that loses all");
        NS_TEST_EXPECT_MSG_EQ(Get(hopeless, "Cycles"), 20000, "ends at the stated limit");
        NS_TEST_EXPECT_MSG_GT(Get(hopeless, "Packets"), 0, "with statistics");
        const auto unprotected =
            Make({{"Loss", "1"}, {"Protocol", "none"}, {"MaxCycles", "20000"}});
        unprotected->Run();
        NS_TEST_EXPECT_MSG_EQ(unprotected->GetVerdictName(), "deadlock", "Nobody tries again");
    }

    /**
     * Check that a combination is refused.
     * @param parameters the combination
     * @param word required part of the sentence
     */
    void Refuse(const Parameters& parameters, const std::string& word)
    {
        const auto scenario = Make(parameters);
        const std::string sentence = scenario->Check();
        NS_TEST_EXPECT_MSG_NE(sentence.find(word),
                              std::string::npos,
                              "\"" << word << "\" is not in \"" << sentence << "\"");
        scenario->Run();
        NS_TEST_EXPECT_MSG_EQ(scenario->GetVerdictName(), "error", "It does not run");
    }
};

/**
 * Each backoff of section 4.3 under a heavy load: constant sends most (E-25: it often livelocks),
 * exponential delays most (E-25), and a faster growing backoff sends less (E-24).
 */
class BackoffTestCase : public ScenarioTestCase
{
  public:
    BackoffTestCase()
        : ScenarioTestCase("E-24, E-25: constant backoff sends most, exponential delays most")
    {
    }

  private:
    void DoRun() override
    {
        std::vector<double> transmissions;
        std::vector<uint64_t> cycles;
        for (const char* backoff : {"constant", "linear", "quadratic", "exponential"})
        {
            const auto run = Make({{"Benchmark", "reverse"},
                                   {"Topology", "grid2d"},
                                   {"Nodes", "64"},
                                   {"Backoff", backoff},
                                   {"C", "3"},
                                   {"MaxCycles", "1000000"}});
            run->Run();
            NS_TEST_EXPECT_MSG_EQ(run->GetVerdictName(), "completed", backoff);
            transmissions.push_back(GetReal(run, "TransmissionsPerMessage"));
            cycles.push_back(Get(run, "Cycles"));
        }
        for (std::size_t n = 1; n < transmissions.size(); ++n)
        {
            NS_TEST_EXPECT_MSG_LT(transmissions[n], transmissions[n - 1], "E-24: faster growth");
        }
        NS_TEST_EXPECT_MSG_GT(transmissions[0], 1.5 * transmissions[2], "E-25: constant");
        NS_TEST_EXPECT_MSG_GT(cycles[3], 2 * cycles[2], "E-25: exponential");

        // If nothing arrives, the sends within a time follow from the waits alone.
        const auto once = Make({{"Benchmark", "reverse"},
                                {"Backoff", "constant"},
                                {"Loss", "1"},
                                {"MaxCycles", "20000"}});
        const auto late = Make({{"Benchmark", "reverse"},
                                {"Backoff", "exponential"},
                                {"Loss", "1"},
                                {"MaxCycles", "20000"}});
        once->Run();
        late->Run();
        NS_TEST_EXPECT_MSG_EQ(once->GetVerdictName(), "livelock", "E-25: nothing arrives");
        NS_TEST_EXPECT_MSG_GT(Get(once, "Packets"), 10 * Get(late, "Packets"), "E-24: C and C 2^n");
    }
};

/**
 * With tables of one entry, an ACK and a MSG with the same time-out keep their lag, and the CONF of
 * this ACK meets the MSG at an ejection port each time.
 */
class PhaseLockTestCase : public ScenarioTestCase
{
  public:
    PhaseLockTestCase()
        : ScenarioTestCase("Phase lock with tables of one entry, and what ends it")
    {
    }

  private:
    void DoRun() override
    {
        // A lost packet occupies its ports all the same.
        Look({}, false);
        Look({{"Loss", "0.05"}}, false);
        Look({{"Dither", "0.5"}}, true);
        Look({{"Dither", "0.5"}, {"Loss", "0.05"}}, true);
        Look({{"Backoff", "congestion"}}, true);
    }

    /**
     * Run quicksort on a small fat tree.
     * @param parameters parameters that differ
     * @param ends whether it is expected to complete
     */
    void Look(const Parameters& parameters, bool ends)
    {
        Parameters all{{"Benchmark", "quicksort"},
                       {"Topology", "fattree"},
                       {"SendTable", "1"},
                       {"ReceiveTable", "1"},
                       {"MaxIdle", "100000"}};
        all.insert(all.end(), parameters.begin(), parameters.end());
        const auto run = Make(all);
        run->Run();
        const std::string name = parameters.empty() ? "as published" : parameters.back().first;
        NS_TEST_EXPECT_MSG_EQ(run->GetVerdictName(),
                              (ends ? "completed" : "livelock"),
                              name << ": " << run->GetFailure());
        NS_TEST_EXPECT_MSG_EQ((Get(run, "Delivered") == Get(run, "Messages")), ends, name);
    }
};

/** Links and routers that fail while a benchmark runs. */
class FailureTestCase : public ScenarioTestCase
{
  public:
    FailureTestCase()
        : ScenarioTestCase("Failures are survived, counted by reason, or end as unreachable")
    {
    }

  private:
    void DoRun() override
    {
        // A mesh of 4x4 while reverse runs; the protocol waits until the repair.
        const Parameters reverse{{"Benchmark", "reverse"}};
        const auto whole = Run(reverse, {}, "completed");
        NS_TEST_EXPECT_MSG_EQ(Get(whole, "Failed") + CountDrops(whole, DropReason::CUT) +
                                  CountDrops(whole, DropReason::NO_ROUTE) + Get(whole, "Misroutes"),
                              0,
                              "Nothing fails by default");
        const auto repaired =
            Run(reverse, {{"Failures", "100 down 5; 100 down 9-10; 4000 up 5; 4000 up 9-10"}});
        NS_TEST_EXPECT_MSG_EQ(Get(repaired, "Failed"), 3, "A router and two directions");
        NS_TEST_EXPECT_MSG_GT(CountDrops(repaired, DropReason::CUT),
                              0,
                              "Some packets were on them");
        NS_TEST_EXPECT_MSG_GT(CountDrops(repaired, DropReason::NO_ROUTE), 0, "Some came to them");
        NS_TEST_EXPECT_MSG_GT(Get(repaired, "Cycles"), 4000, "Node 5 has messages");

        // Nodes of one row have no productive route around a failure in the row.
        const Parameters broken{{"Failures", "20 down 5-6"}, {"MaxIdle", "20000"}};
        const auto stuck = Run(reverse, broken, "unreachable");
        const std::string reason = stuck->GetFailure();
        NS_TEST_EXPECT_MSG_NE(
            reason.find(" has no route in both directions around the failures; only "),
            std::string::npos,
            reason);
        NS_TEST_EXPECT_MSG_GT(Get(stuck, "Delivered"), 0, "The others arrive");
        auto around = broken;
        around.emplace_back("MisrouteLimit", "2");
        NS_TEST_EXPECT_MSG_GT(Get(Run(reverse, around), "Misroutes"), 0, "Two hops lead around");
        // The last message has arrived, but its ACK cannot.
        Run({{"Benchmark", "add"}}, {{"Failures", "228 down 0"}}, "unreachable");

        // A buffered network drops packets that need a failed link, so it needs the protocol.
        Run(reverse, {{"Router", "buffered"}, {"Failures", "20 down 5; 4000 up 5"}});
        const Parameters bare{{"Router", "buffered"},
                              {"Protocol", "none"},
                              {"Failures", "20 down 5; 4000 up 5"}};
        Run(reverse, bare, "deadlock");

        // Random failures end with the last delivery; later ones have no effect.
        const Parameters random{{"LinkFailureRate", "2e-5"},
                                {"RouterFailureRate", "2e-5"},
                                {"RepairTime", "300"},
                                {"Failures", "100000000 down 3"}};
        const auto once = Run(reverse, random);
        const auto again = Run(reverse, random);
        NS_TEST_EXPECT_MSG_GT(Get(once, "Failed"), 0, "Something fails");
        for (const char* name : {"Failed", "Cycles", "Hops"})
        {
            NS_TEST_EXPECT_MSG_EQ(Get(once, name), Get(again, name), "The same seed: " << name);
        }
        for (const DropReason reason : {DropReason::CUT, DropReason::NO_ROUTE})
        {
            NS_TEST_EXPECT_MSG_EQ(CountDrops(once, reason), CountDrops(again, reason), reason);
        }
        Run(reverse, {{"Corruption", "0.01"}, {"Router", "hybrid"}, {"Loss", "0.05"}});

        for (const auto& [plan, sentence] : std::map<std::string, std::string>{
                 {"9 down 16", "Failures names router 16; the network has routers 0 to 15."},
                 {"9 down 0-5",
                  "Failures names the link 0-5; a link has to join two neighbouring routers."}})
        {
            NS_TEST_EXPECT_MSG_EQ(Make({{"Failures", plan}})->Check(), sentence, "Refused");
        }
    }

    /**
     * Run a benchmark.
     * @param benchmark the benchmark and its parameters
     * @param further parameters
     * @param verdict expected verdict
     * @return the scenario
     */
    Ptr<IdempotentScenario> Run(const Parameters& benchmark,
                                const Parameters& further,
                                const std::string& verdict = "completed")
    {
        Parameters all = benchmark;
        all.insert(all.end(), further.begin(), further.end());
        const auto scenario = Make(all);
        scenario->Run();
        const std::string name = further.empty() ? "" : further.back().second;
        NS_TEST_EXPECT_MSG_EQ(scenario->GetVerdictName(),
                              verdict,
                              name << ": " << scenario->GetFailure());
        return scenario;
    }
};

/** Replays and the scenario. */
class ReplayTestSuite : public TestSuite
{
  public:
    ReplayTestSuite()
        : TestSuite("idempotent-replay", Type::UNIT)
    {
        AddTestCase(new ReplayTestCase, TestCase::Duration::QUICK);
        AddTestCase(new DisposedReplayTestCase, TestCase::Duration::QUICK);
        AddTestCase(new MatrixTestCase, TestCase::Duration::QUICK);
        AddTestCase(new IdleTestCase, TestCase::Duration::QUICK);
        AddTestCase(new ParametersTestCase, TestCase::Duration::QUICK);
        AddTestCase(new BackoffTestCase, TestCase::Duration::QUICK);
        AddTestCase(new PhaseLockTestCase, TestCase::Duration::QUICK);
        AddTestCase(new FailureTestCase, TestCase::Duration::QUICK);
    }
};

ReplayTestSuite g_replayTestSuite; ///< The suite.

} // namespace
} // namespace tests
} // namespace idempotent
} // namespace ns3
