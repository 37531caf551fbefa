/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/messaging-audit.h"
#include "ns3/messaging-faulty-port.h"
#include "ns3/messaging-loopback-port.h"
#include "ns3/parastation-group.h"
#include "ns3/parastation-pipeline.h"
#include "ns3/parastation-protocol.h"
#include "ns3/parastation-scenario.h"
#include "ns3/pointer.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <map>
#include <numeric>
#include <string>

/**
 * @file
 * @ingroup parastation
 * ParaStation2 and its rivals on Myrinet.
 */

namespace ns3
{
namespace parastation
{
namespace tests
{
namespace
{

using messaging::Table;
using messaging::Verdict;
using Values = std::map<std::string, std::string>; ///< Parameters by name.

/** Run the scenario. @param values its parameters @return the scenario after its run */
Ptr<Parastation2Scenario>
RunScenario(const Values& values)
{
    auto scenario = CreateObject<Parastation2Scenario>();
    for (const auto& [name, value] : values)
    {
        scenario->SetAttribute(name, StringValue(value));
    }
    scenario->Run();
    return scenario;
}

/** @param scenario a run @param name name of a result @return the result as a number */
double
Get(Ptr<Parastation2Scenario> scenario, const std::string& name)
{
    StringValue value;
    scenario->GetAttribute(name, value);
    return std::stod(value.Get());
}

/** @param scenario a run @return its outcome */
std::string
GetOutcome(Ptr<Parastation2Scenario> scenario)
{
    StringValue value;
    scenario->GetAttribute("Outcome", value);
    return value.Get();
}

/** Idle latency against its parts, and the pipeline against the latency. */
class LatencyTest : public TestCase
{
  public:
    LatencyTest()
        : TestCase("Latency of 4 bytes is the sum of figure 2's steps (A-11, A-12, A-13, A-28)")
    {
    }

  private:
    void DoRun() override
    {
        const auto run = RunScenario({{"HostJitter", "0"}});
        NS_TEST_EXPECT_MSG_EQ(run->GetVerdict(), Verdict::COMPLETED, run->GetFailure());
        // Closed form, in us: host 6.435; 36 bytes over the bus by PIO at 90 MB/s and by DMA at
        // 125 MB/s; firmware 3 on each side, and 0.99 to build the ACK, which goes first; 4 bytes
        // copied at 200 MB/s; and the network.
        const auto port = CreateObject<myrinet::MyrinetNetwork>()->GetNativePort();
        messaging::Frame frame;
        frame.payload = 4;
        frame.header = 24;
        const double network =
            static_cast<double>(port->Distance(0, 1) + port->WireTicks(frame)) / 1000;
        const double ack = 0.99;
        const double expected = 6.436 + 36 / 90.0 + 36 / 125.0 + 6 + ack + 4 / 200.0 + network;
        NS_TEST_EXPECT_MSG_EQ_TOL(Get(run, "Latency"), expected, 0.01, "closed form");
        NS_TEST_EXPECT_MSG_EQ_TOL(Get(run, "Latency"), 14.5, 0.02, "calibrated on this");
        const auto beside = RunScenario({{"HostJitter", "0"}, {"AckOrder", "beside"}});
        NS_TEST_EXPECT_MSG_EQ_TOL(Get(beside, "Latency"), expected - ack, 0.01, "ACK meanwhile");
        PointerValue pointer;
        run->GetAttribute("Pipeline", pointer);
        const auto columns = pointer.Get<Table>()->GetColumns();
        const auto& way = std::get<std::vector<double>>(columns.back().cells);
        NS_TEST_EXPECT_MSG_EQ_TOL(std::accumulate(way.begin(), way.end(), 0.0),
                                  Get(run, "Latency"),
                                  0.01,
                                  "the steps on a message's way add up to its latency");
        for (const auto& [platform, published] :
             std::map<std::string, double>{{"alpha-500", 17.5}, {"alpha-600", 18.0}})
        {
            const auto alpha = RunScenario({{"HostJitter", "0"}, {"Platform", platform}});
            NS_TEST_EXPECT_MSG_EQ_TOL(Get(alpha, "Latency"), published, 0.02, platform);
        }
    }
};

/** The table of steps, row by row, against the run. */
class PipelineTest : public TestCase
{
  public:
    PipelineTest()
        : TestCase("A row of the pipeline: counts, shares, and a way that is the latency")
    {
    }

  private:
    /** @param table a table @param name name of a column @return its cells */
    template <class Cell>
    static std::vector<Cell> GetColumn(Ptr<Table> table, const std::string& name)
    {
        for (const auto& column : table->GetColumns())
        {
            if (column.name == name)
            {
                return std::get<std::vector<Cell>>(column.cells);
            }
        }
        return {};
    }

    void DoRun() override
    {
        for (const std::string protocol : {"parastation2", "vmmc2", "none"})
        {
            const auto run = RunScenario(
                {{"HostJitter", "0"}, {"Protocol", protocol}, {"Size", "2000"}, {"Rounds", "10"}});
            PointerValue pointer;
            run->GetAttribute("Pipeline", pointer);
            const auto table = pointer.Get<Table>();
            const auto way = GetColumn<double>(table, "Way");
            NS_TEST_EXPECT_MSG_EQ_TOL(std::accumulate(way.begin(), way.end(), 0.0),
                                      Get(run, "Latency"),
                                      0.01,
                                      protocol << ": all steps");
            const auto names = GetColumn<std::string>(table, "Step");
            const auto whats = GetColumn<std::string>(table, "What");
            const auto counts = GetColumn<int64_t>(table, "Count");
            const auto service = GetColumn<double>(table, "Service");
            const auto share = GetColumn<double>(table, "Share");
            // A resource is busy for the number of steps times their duration, at two hosts.
            double elapsed = 0;
            for (std::size_t row = 0; row < names.size(); ++row)
            {
                const double used = static_cast<double>(counts[row]) * service[row] / 2;
                NS_TEST_EXPECT_MSG_GT(way[row], -1e-6, whats[row]);
                NS_TEST_EXPECT_MSG_EQ((used > 0), (share[row] > 0), whats[row]);
                if (used > 0)
                {
                    elapsed = elapsed > 0 ? elapsed : used / share[row];
                    NS_TEST_EXPECT_MSG_EQ_TOL(used / share[row], elapsed, 1e-6, whats[row]);
                }
                // Each message takes each step of the protocol once.
                const bool answers = protocol != "none";
                const bool fetches = protocol == "vmmc2";
                const bool has = names[row] != "L" && names[row] != "-" &&
                                 (whats[row] != "translate and start DMA" || fetches) &&
                                 (names[row] != "D" || protocol == "parastation2") &&
                                 (answers || (names[row] != "5" && names[row] != "6"));
                NS_TEST_EXPECT_MSG_EQ((counts[row] > 0), has, protocol << ": " << whats[row]);
                if (has && names[row] < "5")
                {
                    NS_TEST_EXPECT_MSG_EQ(counts[row], Get(run, "Posted"), whats[row]);
                }
            }
            NS_TEST_EXPECT_MSG_GT(elapsed, Get(run, "Latency"), "a run of several");
        }
        // Before anything has happened, nothing is divided by nothing.
        const PipelineRecorder empty;
        for (const bool ended : {false, true})
        {
            const auto table = empty.MakeTable(ended ? Seconds(1) : Time(0), true);
            for (const char* column : {"Way", "Service", "Share"})
            {
                const auto cells = GetColumn<double>(table, column);
                NS_TEST_EXPECT_MSG_EQ((cells == std::vector<double>(cells.size())), true, column);
            }
        }
    }
};

/** Every protocol on a sound network. */
class SoundTest : public TestCase
{
  public:
    SoundTest()
        : TestCase("All protocols, all patterns on a network that loses nothing")
    {
    }

  private:
    void DoRun() override
    {
        for (const char* protocol :
             {"parastation2", "am2", "vmmc2", "backblocking", "fm", "lfc", "none"})
        {
            for (const char* pattern : {"pingpong", "exchange", "stream", "alltoall"})
            {
                const auto run = RunScenario({{"Protocol", protocol},
                                              {"Pattern", pattern},
                                              {"Nodes", "4"},
                                              {"Size", "10000"},
                                              {"Rounds", "4"}});
                const std::string name = std::string(protocol) + ", " + pattern;
                NS_TEST_EXPECT_MSG_EQ(run->GetVerdict(),
                                      Verdict::COMPLETED,
                                      name << ": " << run->GetFailure());
                NS_TEST_EXPECT_MSG_EQ(GetOutcome(run), "sound", name);
                NS_TEST_EXPECT_MSG_EQ(Get(run, "Posted"), Get(run, "Delivered"), name);
                NS_TEST_EXPECT_MSG_EQ(Get(run, "TimeOuts"), 0, name);
            }
        }
    }
};

/** In an exchange with send-ahead, a side does not wait for its partner in each round. */
class MessageWindowTest : public TestCase
{
  public:
    MessageWindowTest()
        : TestCase("An exchange with a message ahead is faster, and by default none is")
    {
    }

  private:
    void DoRun() override
    {
        const Values given{{"Pattern", "exchange"}, {"Size", "512"}, {"Rounds", "20"}};
        const auto rate = [&given](const std::string& window) {
            Values values = given;
            values["MessageWindow"] = window;
            return Get(RunScenario(values), "Throughput");
        };
        const double alone = rate("1");
        NS_TEST_EXPECT_MSG_EQ(Get(RunScenario(given), "Throughput"), alone, "the default");
        NS_TEST_EXPECT_MSG_GT(rate("2"), 1.2 * alone, "one message ahead");
    }
};

/** A-26 on the network: losses of all kinds of packets, in bursts, corruption, stalls, the mix. */
class FailuresTest : public TestCase
{
  public:
    FailuresTest()
        : TestCase("A-26: ParaStation2 survives the four failures and their mix (A-02, A-10)")
    {
    }

  private:
    void DoRun() override
    {
        const std::map<std::string, Values> failures{
            {"loss of 30 %", {{"Loss", "0.3"}}},
            {"loss of 30 % of the control packets", {{"Loss", "0.3"}, {"LossOf", "control"}}},
            {"loss of 30 % of the data packets", {{"Loss", "0.3"}, {"LossOf", "data"}}},
            {"duplicates", {{"Loss", "0.1"}, {"Duplication", "0.2"}}},
            {"late packets", {{"Loss", "0.1"}, {"Reordering", "0.2"}, {"ReorderBound", "200000"}}},
            {"bursts", {{"BurstBegin", "0.01"}, {"BurstEnd", "0.1"}}},
            {"1: corruption", {{"Corruption", "0.00003"}}},
            {"2: slow hosts",
             {{"HostStallRate", "500"}, {"ReceiveRing", "4"}, {"HostBuffers", "2"}}},
            {"3: timeouts", {{"StallRate", "20"}, {"StallLength", "200ms"}, {"Timeout", "62.5ms"}}},
            {"4: overwrites",
             {{"StallRate", "300"}, {"StallLength", "300us"}, {"Overwrite", "0.5"}}},
            {"4: stalls without STOP",
             {{"StallRate", "300"}, {"StallLength", "300us"}, {"StopWhilePending", "false"}}},
            {"mix",
             {{"Loss", "0.05"},
              {"Corruption", "0.00001"},
              {"HostStallRate", "300"},
              {"ReceiveRing", "4"},
              {"StallRate", "300"},
              {"StallLength", "300us"},
              {"Overwrite", "0.5"},
              {"OverwriteDamage", "0.3"}}}};
        for (const auto& [name, failure] : failures)
        {
            Values values = failure;
            values.insert(
                {{"Pattern", "alltoall"}, {"Nodes", "4"}, {"Size", "6000"}, {"Rounds", "20"}});
            const auto run = RunScenario(values);
            NS_TEST_EXPECT_MSG_EQ(run->GetVerdict(),
                                  Verdict::COMPLETED,
                                  name << ": " << run->GetFailure());
            NS_TEST_EXPECT_MSG_EQ(GetOutcome(run), "sound", name);
            NS_TEST_EXPECT_MSG_GT(Get(run, "Retransmissions"), 0, name << " has happened");
        }
    }
};

/** Stalls of hosts that are too rare for a run. */
class RareStallsTest : public TestCase
{
  public:
    RareStallsTest()
        : TestCase("stalls of hosts whose mean interval no Time can hold do not occur")
    {
    }

  private:
    void DoRun() override
    {
        const Values given{{"Pattern", "pingpong"}, {"Rounds", "3"}};
        const double alone = Get(RunScenario(given), "Latency");
        for (const char* rate : {"1e-10", "1e-12", "1e-300", "1e-310"})
        {
            Values values = given;
            values["HostStallRate"] = rate;
            const auto run = RunScenario(values);
            NS_TEST_EXPECT_MSG_EQ(run->GetVerdict(), Verdict::COMPLETED, rate);
            NS_TEST_EXPECT_MSG_EQ(Get(run, "Latency"), alone, rate);
        }
    }
};

/**
 * Cost of one loss on a network with unlimited bandwidth: the paper's rules repeat more packets
 * than necessary.
 */
class SingleLossTest : public TestCase
{
  public:
    SingleLossTest()
        : TestCase("A-20, A-23, A-24: how much is sent again after a single loss")
    {
    }

  private:
    /**
     * Send a message of one window, and lose the first packet of a kind.
     * @param lost the kind
     * @param config configuration of the readings
     * @return the number of packets sent again
     */
    uint64_t CountRepeats(PacketKind lost, const Config& config)
    {
        auto clock = CreateObject<messaging::TickClock>();
        auto network =
            Create<messaging::LoopbackPort>(clock,
                                            2,
                                            messaging::LoopbackOptions{.latency = LATENCY});
        auto faults = CreateObject<messaging::FaultPlan>();
        faults->Script(messaging::ScriptedFault::LOSE, static_cast<uint8_t>(lost), 1);
        using Port = messaging::FaultyPort<messaging::LoopbackPort>;
        auto group = CreateObject<NicGroup<Core, Port>>();
        group->Connect(clock, Create<Port>(clock, network, faults), config);
        auto audit = CreateObject<messaging::DeliveryAudit>();
        audit->SetGroup(group);
        audit->Post(0, {.id = 1, .contents = 7, .to = 1, .bytes = WINDOW * config.packetBytes});
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(audit->Finish(), true, audit->GetFirstViolation());
        NS_TEST_EXPECT_MSG_EQ(audit->GetCounts().delivered, 1, "it arrives");
        const uint64_t repeats = group->GetEventCount(Event::RETRANSMITTED);
        Simulator::Destroy();
        return repeats;
    }

    void DoRun() override
    {
        Config config;
        // Each of the seven packets after the lost one causes a NACK. NACKs are not compared with
        // earlier ones, so each causes a retransmission of the whole window.
        NS_TEST_EXPECT_MSG_EQ(CountRepeats(PacketKind::DATA, config),
                              (WINDOW - 1) * WINDOW,
                              "A-24: a NACK has no sequence check");
        // By the prose, each of the seven ACKs after the lost one causes a retransmission of its
        // packet, whose ACK is again too high, until the unacknowledged packet has timed out and
        // its repetition is acknowledged.
        const uint64_t rounds = (config.timeout + 2 * LATENCY - 1) / (2 * LATENCY);
        NS_TEST_EXPECT_MSG_EQ(CountRepeats(PacketKind::ACK, config),
                              (WINDOW - 1) * rounds + WINDOW,
                              "A-23, prose");
        config.highAck = HighAck::TABLE;
        NS_TEST_EXPECT_MSG_EQ(CountRepeats(PacketKind::ACK, config),
                              WINDOW,
                              "A-23, table 1: the timeout sends the window again");
    }

    static constexpr uint32_t WINDOW = 8;     ///< Maximum number of unacknowledged packets.
    static constexpr uint64_t LATENCY = 7000; ///< Latency of the network [ticks].
};

/** Protocols that trust Myrinet fail as described in section 2, and the verdict reports how. */
class TrustingTest : public TestCase
{
  public:
    TrustingTest()
        : TestCase("A-02, A-05: protocols that trust the network lose, and hang")
    {
    }

  private:
    void DoRun() override
    {
        const Values stream{{"Pattern", "stream"}, {"Size", "4096"}, {"Rounds", "300"}};
        const auto with = [&stream](Values more) {
            more.insert(stream.begin(), stream.end());
            return RunScenario(more);
        };
        for (const char* protocol : {"backblocking", "fm", "lfc", "none"})
        {
            const auto run = with({{"Protocol", protocol}, {"LossOf", "data"}, {"Loss", "0.01"}});
            NS_TEST_EXPECT_MSG_EQ(run->GetVerdict(), Verdict::VIOLATED, protocol);
            NS_TEST_EXPECT_MSG_NE(GetOutcome(run).find("lost"), std::string::npos, protocol);
            NS_TEST_EXPECT_MSG_GT(Get(run, "Lost"), 0, protocol);
        }
        for (const char* protocol : {"fm", "lfc"})
        {
            const auto hung =
                with({{"Protocol", protocol}, {"LossOf", "control"}, {"Loss", "0.5"}});
            NS_TEST_EXPECT_MSG_EQ(GetOutcome(hung), "hung", "lost credits stop the sender");
            NS_TEST_EXPECT_MSG_EQ(hung->GetVerdict(), Verdict::DEADLOCK, hung->GetFailure());
            NS_TEST_EXPECT_MSG_GT(Get(hung, "Stuck"), 0, "with messages left");
        }
        const auto twice = with({{"Protocol", "backblocking"}, {"Duplication", "0.01"}});
        NS_TEST_EXPECT_MSG_NE(GetOutcome(twice).find("duplicated"), std::string::npos, "twice");
        const auto overrun = with({{"Protocol", "none"},
                                   {"HostStallRate", "300"},
                                   {"ReceiveRing", "4"},
                                   {"HostBuffers", "4"}});
        NS_TEST_EXPECT_MSG_GT(Get(overrun, "BufferDrops"), 0, "A-06: no buffer");
        NS_TEST_EXPECT_MSG_EQ(GetOutcome(overrun), "lost", "and nothing that prevents it");
        const auto limit = with({{"Loss", "1"}});
        NS_TEST_EXPECT_MSG_EQ(limit->GetVerdict(), Verdict::UNDECIDED, "nothing ever arrives");
        NS_TEST_EXPECT_MSG_EQ(GetOutcome(limit), "unfinished", "and the run ends all the same");
    }
};

/** Back-blocking on routes that can deadlock, with the network's timeout and without. */
class DeadlockTest : public TestCase
{
  public:
    DeadlockTest()
        : TestCase("A-04: a timeout ends a deadlock and loses packets, which ParaStation2 repairs")
    {
    }

  private:
    static constexpr uint32_t SEEDS = 4; ///< Seeds of the hosts' jitter.

    /**
     * Run the protocols on a ring whose links can wait for one another.
     * @param protocol the protocol
     * @param timeout the network's timeout
     * @param seed the seed
     * @return the scenario after its run
     */
    static Ptr<Parastation2Scenario> RunRing(const std::string& protocol,
                                             const std::string& timeout,
                                             uint32_t seed)
    {
        RngSeedManager::SetRun(seed);
        const auto run = RunScenario({{"Protocol", protocol},
                                      {"Topology", "ring"},
                                      {"Routes", "shortest"},
                                      {"Nodes", "6"},
                                      {"Pattern", "alltoall"},
                                      {"Size", "16000"},
                                      {"Rounds", "10"},
                                      {"Timeout", timeout}});
        RngSeedManager::SetRun(1);
        return run;
    }

    void DoRun() override
    {
        for (const std::string protocol : {"backblocking", "parastation2"})
        {
            uint32_t deadlocks = 0;
            for (uint32_t seed = 1; seed <= SEEDS; ++seed)
            {
                const auto stuck = RunRing(protocol, "0s", seed);
                NS_TEST_EXPECT_MSG_EQ(Get(stuck, "NresDrops"), 0, "no timeout, no loss");
                const auto freed = RunRing(protocol, "62.5ms", seed);
                if (GetOutcome(stuck) == "sound")
                {
                    // The jitter has kept the links from waiting for one another.
                    NS_TEST_EXPECT_MSG_EQ(GetOutcome(freed), "sound", "seed " << seed);
                    continue;
                }
                ++deadlocks;
                NS_TEST_EXPECT_MSG_EQ(GetOutcome(stuck), "deadlocked", stuck->GetFailure());
                NS_TEST_EXPECT_MSG_EQ(stuck->GetVerdict(), Verdict::DEADLOCK, protocol);
                NS_TEST_EXPECT_MSG_EQ(stuck->GetFailure().find("Links wait for one another"),
                                      0,
                                      stuck->GetFailure());
                NS_TEST_EXPECT_MSG_GT(Get(freed, "NresDrops"), 0, "A-04: the timeout discards");
                NS_TEST_EXPECT_MSG_EQ(GetOutcome(freed),
                                      (protocol == "parastation2" ? "sound" : "lost"),
                                      freed->GetFailure());
            }
            NS_TEST_EXPECT_MSG_GT_OR_EQ(deadlocks, SEEDS - 1, protocol << " on most seeds");
        }
        RngSeedManager::SetRun(1);
    }
};

/** Invalid input is refused in one sentence. */
class CheckTest : public TestCase
{
  public:
    CheckTest()
        : TestCase("Parameters that do not go together (A-08, A-15)")
    {
    }

  private:
    void DoRun() override
    {
        const std::map<std::string, Values> wrong{
            {"PacketSize is 4097", {{"PacketSize", "4097"}}},
            {"Window is 129", {{"Window", "129"}}},
            {"do not fit into an SRAM", {{"ReceiveRing", "100"}}},
            {"Size is 300000", {{"Size", "300000"}}},
            {"ReceiveRing is 2", {{"Protocol", "lfc"}, {"Nodes", "4"}, {"ReceiveRing", "2"}}},
            {"HostBuffers is 2", {{"Protocol", "fm"}, {"Nodes", "4"}, {"HostBuffers", "2"}}},
            {"the layers need the HAL", {{"Protocol", "am2"}, {"Layer", "mpi"}}},
            {"Layer hal serves one", {{"Processes", "2"}}},
            {"LossFrom is 99", {{"LossFrom", "99"}}},
            {"LowSequence is nack", {{"LowSequence", "nack"}, {"NackNumber", "rejected"}}}};
        for (const auto& [part, values] : wrong)
        {
            auto scenario = CreateObject<Parastation2Scenario>();
            for (const auto& [name, value] : values)
            {
                scenario->SetAttribute(name, StringValue(value));
            }
            const std::string sentence = scenario->Check();
            NS_TEST_EXPECT_MSG_NE(sentence.find(part), std::string::npos, sentence);
        }
        NS_TEST_EXPECT_MSG_EQ(CreateObject<Parastation2Scenario>()->Check(), "", "the default");
    }
};

/** The same parameters give the same run; an outage ends in recovery. */
class RepeatTest : public TestCase
{
  public:
    RepeatTest()
        : TestCase("Runs repeat; an outage is recovered from within a timeout or two")
    {
    }

  private:
    void DoRun() override
    {
        const Values values{{"Pattern", "stream"},
                            {"Size", "4096"},
                            {"Rounds", "400"},
                            {"Loss", "0.1"},
                            {"OutageLength", "3ms"}};
        const auto one = RunScenario(values);
        const auto two = RunScenario(values);
        NS_TEST_EXPECT_MSG_EQ(GetOutcome(one), "sound", one->GetFailure());
        for (const char* name : {"Elapsed", "Retransmissions", "Injected", "Recovery"})
        {
            NS_TEST_EXPECT_MSG_EQ(Get(one, name), Get(two, name), name);
        }
        NS_TEST_EXPECT_MSG_GT(Get(one, "Recovery"), 0, "nothing arrives in an outage");
        NS_TEST_EXPECT_MSG_LT(Get(one, "Recovery"), 2500, "and then soon");
    }
};

/** The suite. */
class ParastationScenarioTestSuite : public TestSuite
{
  public:
    ParastationScenarioTestSuite()
        : TestSuite("parastation-scenario", Type::SYSTEM)
    {
        AddTestCase(new LatencyTest, Duration::QUICK);
        AddTestCase(new PipelineTest, Duration::QUICK);
        AddTestCase(new SoundTest, Duration::QUICK);
        AddTestCase(new MessageWindowTest, Duration::QUICK);
        AddTestCase(new FailuresTest, Duration::QUICK);
        AddTestCase(new RareStallsTest, Duration::QUICK);
        AddTestCase(new SingleLossTest, Duration::QUICK);
        AddTestCase(new TrustingTest, Duration::QUICK);
        AddTestCase(new DeadlockTest, Duration::QUICK);
        AddTestCase(new CheckTest, Duration::QUICK);
        AddTestCase(new RepeatTest, Duration::QUICK);
    }
};

ParastationScenarioTestSuite g_parastationScenarioTestSuite; ///< The suite.

} // namespace
} // namespace tests
} // namespace parastation
} // namespace ns3
