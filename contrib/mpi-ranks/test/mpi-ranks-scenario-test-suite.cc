/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/messaging-scenario.h"
#include "ns3/mpi-ranks-application-scenario.h"
#include "ns3/mpi-ranks-cluster.h"
#include "ns3/mpi-ranks-collectives.h"
#include "ns3/mpi-ranks-osu-scenario.h"
#include "ns3/mpi-ranks-workload-lammps.h"
#include "ns3/mpi-ranks-workload-namd-start.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup mpi-ranks
 * Ranks over the verbs: the six configurations, the scenarios, and the generators.
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
using messaging::Table;
using messaging::Verdict;

/** The six configurations of section 8 (C-17). */
constexpr std::pair<const char*, const char*> CONFIGURATIONS[] = {{"RC", "Native"},
                                                                  {"RC", "Reliable"},
                                                                  {"UC", "Native"},
                                                                  {"UC", "Reliable"},
                                                                  {"UD", "Native"},
                                                                  {"UD", "Reliable"}};

/** Attributes by name, as text. */
using Attributes = std::vector<std::pair<std::string, std::string>>;

/** Set attributes. @param object the object, changed @param attributes names and values */
void
Set(Ptr<Object> object, const Attributes& attributes)
{
    for (const auto& [name, value] : attributes)
    {
        object->SetAttribute(name, StringValue(value));
    }
}

/** @return a result. @param object the scenario @param name name of the result */
double
Get(Ptr<const Object> object, const std::string& name)
{
    DoubleValue value;
    object->GetAttribute(name, value);
    return value.Get();
}

/** @return a column. @param object the scenario @param table its table @param column the column */
std::vector<double>
GetColumn(Ptr<const Object> object, const std::string& table, const std::string& column)
{
    PointerValue value;
    object->GetAttribute(table, value);
    for (const Table::Column& it : value.Get<Table>()->GetColumns())
    {
        if (it.name == column)
        {
            return std::get<std::vector<double>>(it.cells);
        }
    }
    return {};
}

/** All six configurations deliver the right data (C-17), also under loss. */
class ConfigurationsTestCase : public TestCase
{
  public:
    /** Constructor. @param loss loss probability of a packet */
    explicit ConfigurationsTestCase(const std::string& loss)
        : TestCase("C-17: six configurations, loss " + loss),
          m_loss(loss)
    {
    }

  private:
    static constexpr uint32_t RANKS = 6; ///< Number of ranks, two on each of three nodes.

    /** Exchange messages and check their data. @param rank the rank @return the program */
    RankTask<> Main(Rank rank)
    {
        const Peer self = rank.GetIndex();
        std::vector<uint64_t> send(RANKS);
        std::vector<uint64_t> receive(RANKS);
        for (const uint32_t bytes : {16, 5000, 30000})
        {
            std::iota(send.begin(), send.end(), 1000 * self + bytes);
            co_await Alltoall(rank, bytes, send, receive);
            for (Peer from = 0; from < RANKS; ++from)
            {
                m_wrong += receive[from] != 1000 * from + bytes + self;
            }
        }
    }

    void DoRun() override
    {
        for (const auto& [transport, reliability] : CONFIGURATIONS)
        {
            const std::string name = std::string(transport) + " " + reliability;
            const bool native = std::string(reliability) == "Native";
            if (m_loss != "0" && native && std::string(transport) != "RC")
            {
                continue;
            }
            const auto cluster = CreateObject<RankCluster>();
            Set(cluster,
                {{"Transport", transport},
                 {"Reliability", reliability},
                 {"Nodes", "3"},
                 {"RanksPerNode", "2"},
                 {"PacketLoss", m_loss},
                 {"AckTimeout", "100000"},
                 {"Timeout", "1000000"}});
            NS_TEST_EXPECT_MSG_EQ(cluster->Check(), "", name);
            const auto system = cluster->Build(RANKS);
            NS_TEST_ASSERT_MSG_EQ(system.error, "", name);
            m_wrong = 0;
            system.group->Start([this](Rank rank) { return Main(rank); });
            Simulator::Stop(Seconds(10));
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(system.group->GetNDone(), RANKS, name << ": all end");
            NS_TEST_EXPECT_MSG_EQ(m_wrong, 0, name << ": the data are right");
            NS_TEST_EXPECT_MSG_EQ(system.group->Audit().second, "", name);
            uint64_t resent = 0;
            for (Peer self = 0; self < RANKS; ++self)
            {
                resent += system.group->GetCore(self).GetCounters().Get(Event::RETRANSMITTED);
            }
            const bool repairs = m_loss != "0" && !native && std::string(transport) != "RC";
            NS_TEST_EXPECT_MSG_EQ((resent > 0), repairs, name << ": MPI repairs losses");
            system.group->Dispose();
            Simulator::Destroy();
        }
    }

    std::string m_loss;  ///< Loss probability of a packet.
    uint64_t m_wrong{0}; ///< Messages with wrong data.
};

/** UC without reliability: only the audit notices lost writes. */
class LostWritesTestCase : public TestCase
{
  public:
    LostWritesTestCase()
        : TestCase("native UC: writes that were lost")
    {
    }

  private:
    static constexpr uint32_t MESSAGES = 20; ///< Number of messages, of 512 packets each.

    /** @param rank the rank @return the program */
    RankTask<> Main(Rank rank)
    {
        for (uint32_t i = 0; i < MESSAGES; ++i)
        {
            if (rank.GetIndex() == 0)
            {
                co_await rank.Send(1, 1 << 20, 0, 1000 + i);
            }
            else
            {
                const RankRequest receive = co_await rank.Irecv(0);
                const RankStatus status = co_await rank.Wait(receive);
                m_wrong += status.contents != 1000 + i;
            }
        }
    }

    void DoRun() override
    {
        for (const bool reliable : {false, true})
        {
            const auto cluster = CreateObject<RankCluster>();
            Set(cluster,
                {{"Transport", "UC"},
                 {"Reliability", reliable ? "Reliable" : "Native"},
                 {"Nodes", "2"},
                 {"RanksPerNode", "1"},
                 {"PacketLoss", "0.0005"},
                 {"Timeout", "5000000"}});
            const auto system = cluster->Build(2);
            NS_TEST_ASSERT_MSG_EQ(system.error, "", reliable);
            m_wrong = 0;
            system.group->Start([this](Rank rank) { return Main(rank); });
            Simulator::Stop(Seconds(10));
            Simulator::Run();
            const auto [verdict, reason] = system.group->Audit();
            const uint64_t unwritten = system.group->GetCore(1).GetCounters().Get(Event::UNWRITTEN);
            NS_TEST_EXPECT_MSG_EQ(system.group->GetNDone(), 2, reliable << ": both end");
            NS_TEST_EXPECT_MSG_EQ(m_wrong, unwritten, reliable << ": whose data is wrong");
            NS_TEST_EXPECT_MSG_EQ((unwritten > 0), !reliable, reliable << ": counted");
            NS_TEST_EXPECT_MSG_EQ(verdict,
                                  (reliable ? Verdict::COMPLETED : Verdict::VIOLATED),
                                  reliable << ": " << reason);
            system.group->Dispose();
            Simulator::Destroy();
        }
    }

    uint64_t m_wrong{0}; ///< Messages with wrong data.
};

/** Retransmissions that fill both send queues: each rank still handles arrivals. */
class FullQueuesTestCase : public TestCase
{
  public:
    FullQueuesTestCase()
        : TestCase("two ranks with full send queues still handle arrivals")
    {
    }

  private:
    static constexpr uint32_t WINDOW = 64; ///< Messages that fill a link for 4.5 ms.

    /** @param rank the rank @return the program */
    static RankTask<> Main(Rank rank)
    {
        for (uint32_t i = 0; i < WINDOW; ++i)
        {
            if (rank.GetIndex() == 0)
            {
                co_await rank.Isend(1, 65536);
            }
            else
            {
                co_await rank.Irecv(0);
            }
        }
        co_await rank.WaitAll();
    }

    void DoRun() override
    {
        const auto cluster = CreateObject<RankCluster>();
        Set(cluster,
            {{"Transport", "RC"},
             {"Reliability", "Reliable"},
             {"Nodes", "2"},
             {"RanksPerNode", "1"},
             {"Timeout", "100000"}});
        const auto system = cluster->Build(2);
        NS_TEST_ASSERT_MSG_EQ(system.error, "", "two nodes");
        system.group->Start(Main);
        Simulator::Stop(MilliSeconds(100));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_GT(system.group->GetCounts().refused, 0, "a send queue was full");
        NS_TEST_EXPECT_MSG_EQ(system.group->GetNDone(), 2, "and both programs end");
        system.group->Dispose();
        Simulator::Destroy();
    }
};

/** The micro-benchmarks run, and a blocking send waits longer for DONE (C-14). */
class OsuTestCase : public TestCase
{
  public:
    OsuTestCase()
        : TestCase("C-14: mpi-osu, and the cost of the extra ACK for a blocking send")
    {
    }

  private:
    /** @return the scenario after its run. @param attributes names and values */
    Ptr<MpiOsuScenario> Run(const Attributes& attributes)
    {
        const auto scenario = CreateObject<MpiOsuScenario>();
        Set(scenario, {{"Windows", "3"}});
        Set(scenario, attributes);
        scenario->Run();
        NS_TEST_EXPECT_MSG_EQ(scenario->GetVerdict(), Verdict::COMPLETED, scenario->GetFailure());
        return scenario;
    }

    void DoRun() override
    {
        const Attributes sizes{{"Sizes", "1 65536"}};
        const auto with = [&sizes](const char* transport, const char* reliability) {
            Attributes all = sizes;
            all.insert(all.end(), {{"Transport", transport}, {"Reliability", reliability}});
            return all;
        };
        const auto native = Run(with("UC", "Native"));
        const auto reliable = Run(with("UC", "Reliable"));
        const double before = GetColumn(native, "Points", "BlockingSend").back();
        const double after = GetColumn(reliable, "Points", "BlockingSend").back();
        NS_TEST_EXPECT_MSG_GT(after, before + 1, "the sender waits for an ACK (C-14)");
        NS_TEST_EXPECT_MSG_LT(Get(native, "Latency"), 5.0, "4.1 us is known of such hosts");
        NS_TEST_EXPECT_MSG_GT(Get(native, "Latency"), 3.5, "4.1 us is known of such hosts");

        const auto refused = CreateObject<MpiOsuScenario>();
        Set(refused, {{"Sizes", "1 x"}});
        NS_TEST_EXPECT_MSG_EQ(refused->Check(),
                              "Sizes is \"1 x\"; it must be a list of numbers from 0 to 67108864, "
                              "separated by blanks.",
                              "bad sizes");
        Set(refused, {{"Sizes", "1"}, {"Pairs", "9"}});
        NS_TEST_EXPECT_MSG_EQ(refused->Check(),
                              "Pairs is 9, but a node has room for 8 ranks.",
                              "too many pairs");
        // Two nodes share one switch, regardless of the default of Nodes.
        Set(refused, {{"Pairs", "1"}, {"FailedLinks", "1"}});
        NS_TEST_EXPECT_MSG_EQ(refused->Check(),
                              "FailedLinks is 1, but only 0 links join switches.",
                              "no link to fail");
        Set(refused, {{"Peers", "200"}});
        NS_TEST_EXPECT_MSG_EQ(refused->Check(), "", "26 nodes need two levels of switches");
    }
};

/** A computing receiver makes its sender repeat frames that have arrived (C-07). */
class SkewTestCase : public TestCase
{
  public:
    SkewTestCase()
        : TestCase("C-07: needless retries under skew")
    {
    }

  private:
    static constexpr uint32_t WINDOWS = 4; ///< Windows of messages.
    static constexpr uint32_t WINDOW = 8;  ///< Messages of a window.

    /**
     * Send windows of messages, each with an answer.
     * @param rank the rank
     * @param skew computation of the receiver before it answers [ns]
     * @return the program
     */
    static RankTask<> Main(Rank rank, Ticks skew)
    {
        const Peer other = 1 - rank.GetIndex();
        for (uint32_t i = 0; i < WINDOWS; ++i)
        {
            for (uint32_t k = 0; k < WINDOW && other == 1; ++k)
            {
                co_await rank.Isend(other, 64);
            }
            for (uint32_t k = 0; k < WINDOW && other == 0; ++k)
            {
                co_await rank.Irecv(other);
            }
            co_await rank.WaitAll();
            if (other == 1)
            {
                co_await rank.Recv(other);
            }
            else
            {
                co_await rank.Compute(skew);
                co_await rank.Send(other, 4);
            }
        }
    }

    void DoRun() override
    {
        for (const auto& [skew, expected] :
             {std::pair<Ticks, bool>(0, false), std::pair<Ticks, bool>(5'000'000, true)})
        {
            const auto cluster = CreateObject<RankCluster>();
            Set(cluster,
                {{"Transport", "RC"},
                 {"Reliability", "Reliable"},
                 {"Nodes", "2"},
                 {"RanksPerNode", "1"},
                 {"Timeout", "2000000"}});
            const auto system = cluster->Build(2);
            NS_TEST_ASSERT_MSG_EQ(system.error, "", "two nodes");
            system.group->Start([skew = skew](Rank rank) { return Main(rank, skew); });
            Simulator::Stop(Seconds(10));
            Simulator::Run();
            const auto [verdict, reason] = system.group->Audit();
            NS_TEST_EXPECT_MSG_EQ(verdict, Verdict::COMPLETED, reason);
            uint64_t resent = 0;
            uint64_t duplicates = 0;
            for (Peer self = 0; self < 2; ++self)
            {
                const RankCounters counters = system.group->GetCore(self).GetCounters();
                resent += counters.Get(Event::RETRANSMITTED);
                duplicates += counters.Get(Event::DUPLICATE);
            }
            NS_TEST_EXPECT_MSG_EQ((resent > 0),
                                  expected,
                                  "nothing was lost, and yet it is sent again (C-07)");
            NS_TEST_EXPECT_MSG_EQ(duplicates, resent, "each was needless");
            system.group->Dispose();
            Simulator::Destroy();
        }
    }
};

/** The geometry of LAMMPS, against closed forms. */
class GeometryTestCase : public TestCase
{
  public:
    GeometryTestCase()
        : TestCase("LAMMPS: ghosts fill the shell of a box, transpositions move the whole mesh")
    {
    }

  private:
    /** A workload whose geometry can be read. */
    struct OpenLammps : LammpsWorkload
    {
        using LammpsWorkload::LammpsWorkload;
        using LammpsWorkload::m_atoms;
        using LammpsWorkload::m_deck;
        using LammpsWorkload::m_ghosts;
        using LammpsWorkload::m_grid;
        using LammpsWorkload::m_mesh;
        using LammpsWorkload::m_remaps;
    };

    using Blocks = std::vector<LammpsWorkload::Block>; ///< Layout of a mesh.

    /**
     * Check that each message is received once.
     * @param remap a transposition
     * @return points that change ranks, in bytes
     */
    uint64_t CheckPairs(const LammpsWorkload::Remap& remap)
    {
        uint64_t sum = 0;
        std::multiset<std::pair<Peer, Peer>> sent;
        std::multiset<std::pair<Peer, Peer>> received;
        for (Peer self = 0; self < remap.sends.size(); ++self)
        {
            for (const auto& piece : remap.sends[self])
            {
                sent.emplace(self, piece.to);
                sum += piece.bytes;
            }
            for (const Peer from : remap.receives[self])
            {
                received.emplace(from, self);
            }
        }
        NS_TEST_EXPECT_MSG_EQ(sent.size(), received.size(), "a receive for each send");
        const auto difference = std::ranges::mismatch(sent, received);
        NS_TEST_EXPECT_MSG_EQ(std::distance(sent.begin(), difference.in1),
                              std::ssize(sent),
                              "sends with their receive");
        return sum;
    }

    /** Planes of 4 ranks to columns of 2 x 2: each rank receives a piece of each plane. */
    void CheckPlan()
    {
        Blocks planes;
        Blocks columns;
        for (uint32_t i = 0; i < 4; ++i)
        {
            planes.push_back({{{0, 6}, {0, 4}, {i, i + 1}}});
            columns.push_back({{{i % 2 * 3, i % 2 * 3 + 3}, {i / 2 * 2, i / 2 * 2 + 2}, {0, 4}}});
        }
        const auto remap = LammpsWorkload::Plan(planes, columns, 16);
        NS_TEST_EXPECT_MSG_EQ(CheckPairs(remap), 4 * 3 * 6 * 16, "3 pieces of 6 points each");
        NS_TEST_EXPECT_MSG_EQ(remap.sends[2][0].to, 3, "from the next rank on");
    }

    void DoRun() override
    {
        CheckPlan();
        const std::pair<DataSetName, std::string> sets[]{{DataSetName::CHAIN, "chain"},
                                                         {DataSetName::EAM, "eam"},
                                                         {DataSetName::RHODO, "rhodo"}};
        for (const auto& [set, name] : sets)
        {
            const auto random = CreateObject<UniformRandomVariable>();
            const OpenLammps lammps(set, WorkloadConfig{}, random);
            const LammpsDeck& deck = lammps.m_deck;
            for (const uint32_t side : lammps.m_grid)
            {
                NS_TEST_EXPECT_MSG_EQ(side, 8, name + ": 8 x 8 x 8 ranks");
            }
            const double replicas = std::pow(deck.replicas, 3);
            NS_TEST_EXPECT_MSG_EQ_TOL(lammps.m_atoms, 62.5 * replicas, 1e-6, "all atoms");
            double inner = 1;
            double outer = 1;
            uint32_t ghosts = 0;
            for (unsigned d = 0; d < 3; ++d)
            {
                const double side = deck.box[d] * deck.replicas / 8;
                inner *= side;
                outer *= side + 2 * deck.cutoff;
                ghosts += 2 * lammps.m_ghosts[d];
            }
            const double shell = lammps.m_atoms * (outer / inner - 1);
            NS_TEST_EXPECT_MSG_EQ_TOL(ghosts, shell, 3, name + ": ghosts fill the shell");
        }
        const OpenLammps rhodo(DataSetName::RHODO,
                               WorkloadConfig{},
                               CreateObject<UniformRandomVariable>());
        const std::array<uint32_t, 3> mesh{72, 96, 90};
        for (std::size_t d = 0; d < mesh.size(); ++d)
        {
            NS_TEST_EXPECT_MSG_EQ(rhodo.m_mesh[d], mesh[d], "three times 24 x 32 x 30");
        }
        NS_TEST_EXPECT_MSG_EQ(rhodo.GetPlanes(0, 3, false), 2, "half a stencil below");
        NS_TEST_EXPECT_MSG_EQ(rhodo.GetPlanes(0, 3, true), 3, "and above the next box's first");
        const auto& remaps = rhodo.m_remaps;
        const std::array<std::size_t, 2> partners{15, 31};
        for (unsigned i = 0; i < 2; ++i)
        {
            for (const auto& sends : remaps[1 + i].sends)
            {
                NS_TEST_EXPECT_MSG_EQ(sends.size(), partners[i], "a row of 16, a column of 32");
            }
        }
        // From pencils along y to pencils along z, a rank keeps its x, and its part of y and z.
        const uint64_t all = 72 * 96 * 90;
        const uint64_t kept = 72 * 3 * 90;
        NS_TEST_EXPECT_MSG_EQ(CheckPairs(remaps[2]), (all - kept) * 16, "the rest moves");
        for (const auto& remap : remaps)
        {
            NS_TEST_EXPECT_MSG_LT(CheckPairs(remap), all * 16, "no more than the mesh");
        }
    }
};

/** Messages of LAMMPS on 2 x 2 x 4 ranks of two nodes, counted by hand. */
class LammpsTestCase : public TestCase
{
  public:
    LammpsTestCase()
        : TestCase("LAMMPS: messages of a cycle of neighbour lists; rings and transposes owe ACKs")
    {
    }

  private:
    /**
     * Run a data set.
     * @param set its name
     * @param steps time steps
     * @param transport the transport
     * @return the scenario
     */
    Ptr<MpiApplicationScenario> Run(const char* set, const char* steps, const char* transport)
    {
        const auto scenario = CreateObject<MpiApplicationScenario>();
        Set(scenario,
            {{"DataSet", set}, {"Nodes", "2"}, {"RunSteps", steps}, {"Transport", transport}});
        NS_TEST_EXPECT_MSG_EQ(scenario->Check(), "", set);
        scenario->Run();
        NS_TEST_EXPECT_MSG_EQ(scenario->GetVerdict(),
                              Verdict::COMPLETED,
                              set << ": " << scenario->GetFailure());
        return scenario;
    }

    void DoRun() override
    {
        const auto eam = Run("eam", "7", "UC");
        // x neighbours are on the other node, and so is one of four partners of a reduction.
        const double forward = 6 * 2;
        const double reverse = 7 * 2;
        const double densities = 7 * 4;
        const double rebuild = 2 + 4;
        const double checks = 3;
        const double cycle = forward + reverse + densities + rebuild + checks;
        NS_TEST_EXPECT_MSG_EQ_TOL(Get(Run("eam", "14", "UC"), "Messages") - Get(eam, "Messages"),
                                  cycle,
                                  1e-6,
                                  "messages between nodes in seven time steps");
        NS_TEST_EXPECT_MSG_EQ_TOL(Get(eam, "MessageRate") * Get(eam, "Time"),
                                  cycle,
                                  1,
                                  "without those before the loop, but for a barrier's");
        NS_TEST_EXPECT_MSG_EQ_TOL(Get(eam, "Peers"), 1, 1e-9, "x neighbour, of both sides");
        NS_TEST_EXPECT_MSG_EQ_TOL(Get(eam, "StepCompute"),
                                  13500 * (3246 + 2091.0 / 7),
                                  1,
                                  "times of an atom");
        NS_TEST_EXPECT_MSG_LT(Get(eam, "FlowAcks"), 1, "exchanges go both ways");
        NS_TEST_EXPECT_MSG_GT(Get(Run("rhodo", "9", "UC"), "FlowAcks"), 1, "transposes do not");
        Run("chain", "4", "UD");
    }
};

/** Applications run, are calibrated, and agree with the published tables. */
class ApplicationTestCase : public TestCase
{
  public:
    /** Constructor. @param set the data set @param attributes more attributes @param peers peers */
    ApplicationTestCase(const std::string& set, const Attributes& attributes, double peers)
        : TestCase("mpi-application: " + set),
          m_set(set),
          m_attributes(attributes),
          m_peers(peers)
    {
    }

  private:
    void DoRun() override
    {
        const auto scenario = CreateObject<MpiApplicationScenario>();
        Set(scenario, {{"DataSet", m_set}});
        Set(scenario, m_attributes);
        NS_TEST_EXPECT_MSG_EQ(scenario->Check(), "", "the parameters go together");
        scenario->Run();
        NS_TEST_ASSERT_MSG_EQ(scenario->GetVerdict(), Verdict::COMPLETED, scenario->GetFailure());
        NS_TEST_EXPECT_MSG_EQ_TOL(Get(scenario, "Peers"), m_peers, 1e-9, "peers");
        NS_TEST_EXPECT_MSG_EQ_TOL(Get(scenario, "Deviation"), 0, 2, "calibrated");
        const auto shares = GetColumn(scenario, "Histogram", "Share");
        NS_TEST_EXPECT_MSG_EQ_TOL(std::accumulate(shares.begin(), shares.end(), 0.0),
                                  1,
                                  1e-9,
                                  "the histogram has all messages");
    }

    std::string m_set;       ///< Data set.
    Attributes m_attributes; ///< Attributes.
    double m_peers;          ///< Peers of each rank.
};

/** RateScale multiplies the rate that the calibration aims at; Computing is the ranks' share. */
class CalibrationTestCase : public TestCase
{
  public:
    CalibrationTestCase()
        : TestCase("mpi-application: RateScale and Computing")
    {
    }

  private:
    /** Run NAMD. @param attributes more attributes @return the scenario */
    Ptr<MpiApplicationScenario> Run(const Attributes& attributes)
    {
        const auto scenario = CreateObject<MpiApplicationScenario>();
        Set(scenario,
            {{"DataSet", "jac2000"},
             {"Nodes", "4"},
             {"RanksPerNode", "2"},
             {"Duration", "0.02"},
             {"StartUp", "false"}});
        Set(scenario, attributes);
        scenario->Run();
        NS_TEST_EXPECT_MSG_EQ(scenario->GetVerdict(), Verdict::COMPLETED, scenario->GetFailure());
        return scenario;
    }

    /** @param scenario the scenario, after its run @return its number of time steps */
    double GetSteps(Ptr<const MpiApplicationScenario> scenario)
    {
        UintegerValue steps;
        scenario->GetAttribute("Steps", steps);
        return static_cast<double>(steps.Get());
    }

    void DoRun() override
    {
        const auto whole = Run({});
        const auto half = Run({{"RateScale", "0.5"}});
        // Calibrated within 2 %, from the first run to the last.
        NS_TEST_EXPECT_MSG_EQ_TOL(Get(half, "MessageRate") / Get(whole, "MessageRate"),
                                  0.5,
                                  0.05,
                                  "message rate of half the published one");
        // Whole steps.
        NS_TEST_EXPECT_MSG_EQ_TOL(GetSteps(half),
                                  GetSteps(whole) / 2,
                                  0.5,
                                  "half the steps in the same time");
        // The ranks have more or less work than the mean.
        for (const auto& scenario : {whole, half})
        {
            const double computed = GetSteps(scenario) * Get(scenario, "StepCompute") / 1e9;
            NS_TEST_EXPECT_MSG_EQ_TOL(Get(scenario, "Computing"),
                                      computed / Get(scenario, "Time"),
                                      0.03,
                                      "share of the time in which ranks compute");
        }
        NS_TEST_EXPECT_MSG_GT(Get(half, "Computing"),
                              Get(whole, "Computing"),
                              "fewer messages leave more time for computation");

        const auto lammps = CreateObject<MpiApplicationScenario>();
        Set(lammps, {{"DataSet", "eam"}, {"RateScale", "0.5"}});
        NS_TEST_EXPECT_MSG_NE(lammps->Check().find("RateScale"),
                              std::string::npos,
                              "LAMMPS is not calibrated");
    }
};

/** NAMD's start-up has the messages of its sources, which only explicit ACKs answer. */
class StartUpTestCase : public TestCase
{
  public:
    StartUpTestCase()
        : TestCase("mpi-application: start-up of NAMD")
    {
    }

  private:
    /** Nodes of the run. */
    static constexpr uint32_t NODES = 2;

    /** Ranks of a node. */
    static constexpr uint32_t PER_NODE = 8;

    /**
     * Run er-gre.
     * @param startUp true with its start-up
     * @param reliability reliability in software
     * @return the scenario
     */
    Ptr<MpiApplicationScenario> Run(bool startUp, const char* reliability)
    {
        const auto scenario = CreateObject<MpiApplicationScenario>();
        Set(scenario,
            {{"DataSet", "er-gre"},
             {"Nodes", std::to_string(NODES)},
             {"RanksPerNode", std::to_string(PER_NODE)},
             {"Duration", "0.01"},
             {"Compute", "1000000"},
             {"Transport", "UC"},
             {"Reliability", reliability},
             {"StartUp", startUp ? "true" : "false"}});
        scenario->Run();
        NS_TEST_EXPECT_MSG_EQ(scenario->GetVerdict(), Verdict::COMPLETED, scenario->GetFailure());
        return scenario;
    }

    void DoRun() override
    {
        const NamdDeck& deck = GetNamdDeck(DataSetName::ER_GRE);
        const NamdPlan plan(deck, NODES * PER_NODE);
        const NamdStart start(deck, &plan);
        NS_TEST_EXPECT_MSG_EQ(start.GetMoleculeBytes(), 1'697'352, "records of the molecule");
        const auto countBuffers = [](uint64_t bytes) {
            return (bytes + NamdStart::BUFFER - 1) / NamdStart::BUFFER;
        };
        const uint64_t buffers = countBuffers(start.GetMoleculeBytes()) +
                                 countBuffers(NamdStart::SETTINGS) +
                                 countBuffers(NamdStart::FORCE_FIELD);
        NS_TEST_EXPECT_MSG_EQ(buffers, 430, "buffers of the three streams");
        // All ranks of the second node have their parents, in either tree, on the first. Eight
        // phases end with two waves in both directions and two broadcasts, one begins a run.
        const uint64_t down = NamdStart::GROUPS + buffers + 8 * 4 + 1;
        const uint64_t maps = 1;
        uint64_t messages = PER_NODE * (down + 8 * 2 + maps);
        for (const NamdPatch& patch : plan.patches)
        {
            messages += patch.home >= PER_NODE;
        }
        for (const NamdProxy& proxy : plan.proxies)
        {
            messages += proxy.rank / PER_NODE != plan.patches[proxy.patch].home / PER_NODE;
        }
        const auto native = Run(true, "Native");
        const double ranks = NODES * PER_NODE;
        // The last three broadcasts are on their way when rank 0 begins its time steps.
        NS_TEST_EXPECT_MSG_EQ_TOL(Get(native, "StartMessages") * ranks,
                                  static_cast<double>(messages),
                                  3 * PER_NODE + 1,
                                  "messages between nodes");
        const auto loop = Run(false, "Native");
        NS_TEST_EXPECT_MSG_EQ(Get(loop, "StartMessages"), 0, "no start-up");
        NS_TEST_EXPECT_MSG_EQ_TOL((Get(native, "Messages") - Get(loop, "Messages")) * ranks,
                                  static_cast<double>(messages),
                                  1e-6,
                                  "the time steps have the same messages");
        // 11 frames cause an ACK: of the groups, and of the streams with the two broadcasts before
        // them and the first wave after them. Proxies of several patches of a rank may cause more.
        const uint64_t acks = PER_NODE * (NamdStart::GROUPS / 11 + (buffers + 3) / 11);
        NS_TEST_EXPECT_MSG_EQ_TOL(Get(native, "StartFlowAcks") * ranks,
                                  static_cast<double>(acks),
                                  PER_NODE / 2,
                                  "flow-control ACKs");
        const auto reliable = Run(true, "Reliable");
        NS_TEST_EXPECT_MSG_GT(Get(reliable, "StartReliabilityAcks"), 1, "sweeps of proxies' homes");
        NS_TEST_EXPECT_MSG_GT(Get(reliable, "QueueLength"), 40, "a stream waits for its credits");
    }
};

/** An impossible calibration is an error, as are invalid parameters. */
class RefusalTestCase : public TestCase
{
  public:
    RefusalTestCase()
        : TestCase("a failed calibration and contradicting parameters are reported")
    {
    }

  private:
    void DoRun() override
    {
        const auto scenario = CreateObject<MpiApplicationScenario>();
        Set(scenario, {{"Nodes", "2"}, {"PollTime", "1000000"}, {"Duration", "0.001"}});
        scenario->Run();
        NS_TEST_EXPECT_MSG_EQ(scenario->GetVerdict(), Verdict::ERROR, "no such rate");
        NS_TEST_EXPECT_MSG_EQ(scenario->GetFailure().rfind("Calibration has failed: ", 0),
                              0,
                              scenario->GetFailure());
        Set(scenario, {{"Nodes", "1"}});
        NS_TEST_EXPECT_MSG_EQ(scenario->Check().rfind("Nodes is 1; ", 0), 0, "one node");
    }
};

/** Ranks over the verbs. */
class RanksScenarioTestSuite : public TestSuite
{
  public:
    RanksScenarioTestSuite()
        : TestSuite("mpi-ranks-scenario", Type::UNIT)
    {
        const auto add = [this](TestCase* test, Duration duration = Duration::QUICK) {
            AddTestCase(test, duration);
        };
        add(new LostWritesTestCase);
        add(new ConfigurationsTestCase("0"));
        add(new ConfigurationsTestCase("0.02"));
        add(new FullQueuesTestCase);
        add(new OsuTestCase);
        add(new SkewTestCase);
        add(new GeometryTestCase);
        add(new LammpsTestCase);
        add(new CalibrationTestCase);
        add(new StartUpTestCase);
        add(new RefusalTestCase);
        const Attributes small{{"Nodes", "4"}, {"RanksPerNode", "2"}, {"Duration", "0.02"}};
        add(new ApplicationTestCase("jac2000", small, 6));
        add(new ApplicationTestCase("eam", {{"RunSteps", "7"}}, 8), Duration::EXTENSIVE);
    }

  private:
    /** Short name. */
    using Duration = TestCase::Duration;
};

/** Registers the suite. */
RanksScenarioTestSuite g_ranksScenarioTestSuite;

} // namespace
} // namespace tests
} // namespace ranks
} // namespace ns3
