/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "myrinet-test-network.h"

#include "ns3/messaging-list-text.h"
#include "ns3/test.h"

#include <fstream>
#include <numeric>

namespace ns3
{
namespace myrinet
{
namespace tests
{

using messaging::tests::ListText;

/**
 * On an idle network a packet takes, from Send to OnFrame, the delay of each cable, the
 * fall-through time of each switch, one character for the receive engine, and its length on the
 * last link.
 */
class IdleLatencyTestCase : public TestCase
{
  public:
    IdleLatencyTestCase()
        : TestCase("latency of an idle network by hops and sizes")
    {
    }

  private:
    void DoRun() override
    {
        struct Route
        {
            Peer to;           ///< Destination, from host 0.
            uint32_t switches; ///< Switches on the route.
        };

        for (const Route& route : {Route{1, 1}, Route{0, 1}, Route{15, 3}, Route{127, 5}})
        {
            for (const uint32_t bytes : {0U, 1U, 4U, 13U, 64U, 1000U, 4096U})
            {
                TestNetwork network({{"Topology", "clos"}, {"Nodes", "128"}, {"Cable", "10"}});
                constexpr Ticks BEGIN = 100;             // [ns]
                constexpr Instant CABLE = 49000;         // 10 m [ps].
                constexpr Instant FALL_THROUGH = 125000; // [ps]
                constexpr Instant CHARACTER = 6250;      // [ps]
                network.Send(BEGIN, 0, route.to, bytes);
                network.Run();
                // Payload and the packet type, padded to 8 bytes, and the CRC.
                const uint64_t chars = (2 + bytes + 7) / 8 * 8 + 1;
                const Instant latency = (route.switches + 1) * CABLE +
                                        route.switches * FALL_THROUGH + (1 + chars) * CHARACTER;
                NS_TEST_ASSERT_MSG_EQ(network.arrivals.size(), 1, "arrivals");
                NS_TEST_EXPECT_MSG_EQ(network.arrivals[0].when,
                                      BEGIN + (latency + PS_PER_NS - 1) / PS_PER_NS,
                                      bytes << " bytes over " << route.switches << " switches");
                NS_TEST_EXPECT_MSG_EQ(network.port->GetCounters().hops,
                                      route.switches + 1,
                                      "links passed");
                NS_TEST_EXPECT_MSG_EQ(network.port->GetCounters().stops, 0, "STOPs");
            }
        }
    }
};

/**
 * Random traffic with each failure, and with all: every packet is delivered or lost for a named
 * reason, and the network is empty at the end.
 */
class ConservationTestCase : public TestCase
{
  public:
    /**
     * Construct.
     * @param name name of the failures
     * @param settings attributes
     * @param reasons expected reasons of losses
     */
    ConservationTestCase(const std::string& name,
                         const Settings& settings,
                         const std::vector<DropReason>& reasons)
        : TestCase("conservation: " + name),
          m_settings(settings),
          m_reasons(reasons)
    {
    }

  private:
    void DoRun() override
    {
        Settings settings{{"Topology", "clos"}, {"Nodes", "32"}};
        settings.insert(m_settings.begin(), m_settings.end());
        TestNetwork network(settings);
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(100);
        for (Peer from = 0; from < 32; ++from)
        {
            for (unsigned n = 0; n < 60; ++n)
            {
                // Half of the packets go to four hosts, so that heads are blocked.
                const Peer to = random->GetInteger(0, random->GetInteger(0, 1) ? 31 : 3);
                const uint32_t bytes = n % 3 ? random->GetInteger(0, 4096) : 16;
                network.Send(random->GetInteger(0, 500000), from, to, bytes);
            }
        }
        network.Run();
        const Counters& c = network.port->GetCounters();
        NS_TEST_EXPECT_MSG_EQ(c.offered, 32 * 60, "packets sent");
        NS_TEST_EXPECT_MSG_EQ(network.IsConserved(), true, "each packet is delivered or lost");
        NS_TEST_EXPECT_MSG_EQ(network.port->GetFabric().GetNInFlight(), 0, "no packet is left");
        NS_TEST_EXPECT_MSG_EQ(network.port->FindDeadlock(), "", "no deadlock");
        NS_TEST_EXPECT_MSG_GT(c.blocks, 100, "blocked heads");
        NS_TEST_EXPECT_MSG_GT(c.stops, 100, "STOPs");
        NS_TEST_EXPECT_MSG_EQ(c.gos, c.stops, "a GO after each STOP");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(network.GetFullest(),
                                    FabricConfig().slack,
                                    "no slack buffer overflows");
        // A packet waits for its receiver only during a stall; there are enough buffers.
        NS_TEST_EXPECT_MSG_EQ((c.pending > 0), m_settings.contains("StallRate"), "pending packets");
        for (const auto reason :
             {DropReason::CRC, DropReason::BUFFER, DropReason::NRES, DropReason::OVERWRITE})
        {
            const bool expected =
                std::find(m_reasons.begin(), m_reasons.end(), reason) != m_reasons.end();
            NS_TEST_EXPECT_MSG_EQ((c.GetDrops(reason) > 0), expected, "lost for " << reason);
        }
        for (Peer host = 0; host < 32; ++host)
        {
            NS_TEST_EXPECT_MSG_EQ(network.port->GetFabric().GetFreeBuffers(host),
                                  FabricConfig().buffers,
                                  "all buffers of host " << host << " are free again");
        }
    }

    Settings m_settings;               ///< Attributes.
    std::vector<DropReason> m_reasons; ///< Expected reasons of losses.
};

/** The tables of links and of counters after one packet over an otherwise idle switch. */
class TablesTestCase : public TestCase
{
  public:
    /** @param name name of the case */
    explicit TablesTestCase(
        const std::string& name = "tables of links and counters after one packet")
        : TestCase(name)
    {
    }

  protected:
    /**
     * @param table a table with a column of names
     * @param column name of a column
     * @param row name of a row
     * @return its cell
     */
    static double Get(Ptr<messaging::Table> table,
                      const std::string& column,
                      const std::string& row)
    {
        const auto& names = std::get<std::vector<std::string>>(table->GetColumns().front().cells);
        const auto at = std::find(names.begin(), names.end(), row) - names.begin();
        for (const auto& each : table->GetColumns())
        {
            if (each.name == column)
            {
                return std::visit(
                    [at](const auto& cells) {
                        if constexpr (requires { double(cells.at(at)); })
                        {
                            return static_cast<double>(cells.at(at));
                        }
                        return -1.0;
                    },
                    each.cells);
            }
        }
        return -1;
    }

  private:
    void DoRun() override
    {
        TestNetwork network(Settings{{"Nodes", "3"}});
        network.Send(0, 0, 1, 100);
        network.Run();
        // 100 bytes and the packet type fill 104, with the CRC 105; a route byte on the first link.
        const auto links = network.port->MakeLinkTable();
        const double elapsed = static_cast<double>(network.clock->Now());
        for (const auto& [link, chars] : {std::pair<std::string, double>{"h0->s0", 106},
                                          {"s0->h1", 105},
                                          {"s0->h0", 0},
                                          {"h2->s0", 0}})
        {
            NS_TEST_EXPECT_MSG_EQ(Get(links, "packets", link), (chars > 0), link);
            NS_TEST_EXPECT_MSG_EQ(Get(links, "characters", link), chars, link);
            NS_TEST_EXPECT_MSG_EQ_TOL(Get(links, "utilization", link),
                                      6.25 * chars / elapsed,
                                      1e-12,
                                      link);
            for (const char* column : {"stops", "errors", "lost", "blocked"})
            {
                NS_TEST_EXPECT_MSG_EQ(Get(links, column, link), 0, column << " of " << link);
            }
        }
        const auto counters = network.port->MakeCounterTable();
        double sum = 0;
        for (const auto& [row, count] :
             {std::pair<std::string, double>{"offered", 1}, {"delivered", 1}, {"hops", 2}})
        {
            NS_TEST_EXPECT_MSG_EQ(Get(counters, "count", row), count, row);
            sum += count;
        }
        const auto& all = std::get<std::vector<int64_t>>(counters->GetColumns().back().cells);
        NS_TEST_EXPECT_MSG_EQ(std::accumulate(all.begin(), all.end(), int64_t{0}),
                              sum,
                              "all other counters are 0");
    }
};

/** The table of links after two packets for one host. */
class BlockedTableTestCase : public TablesTestCase
{
  public:
    BlockedTableTestCase()
        : TablesTestCase("the table of links has the waiting time of a blocked packet")
    {
    }

  private:
    void DoRun() override
    {
        TestNetwork network(Settings{{"Nodes", "3"}, {"Arbitration", "first-come"}});
        network.Send(0, 0, 2, 100);
        network.Send(0, 1, 2, 100);
        network.Run();
        const auto links = network.port->MakeLinkTable();
        // The second waits for the 105 characters of the first and a GAP, of 6.25 ns each.
        NS_TEST_EXPECT_MSG_EQ_TOL(Get(links, "blocked", "h1->s0"),
                                  106 * 6.25e-3,
                                  1e-9,
                                  "the second waits [us]");
        NS_TEST_EXPECT_MSG_EQ(Get(links, "blocked", "h0->s0"), 0, "the first does not wait");
    }
};

/**
 * Round robin serves the next channel in order, first come first served the longest waiting one.
 */
class ArbitrationTestCase : public TestCase
{
  public:
    ArbitrationTestCase()
        : TestCase("an output is assigned to inputs in turn, or to the one that waits longest")
    {
    }

  private:
    void DoRun() override
    {
        // Channel numbers follow the order of the links; those to the switch are 1, 2 and 4.
        const std::string name = CreateTempDirFilename("graph.txt");
        std::ofstream(name) << "host a\nhost b\nhost c\nhost d\nswitch s 4\n"
                               "link s a\nlink b s\nlink c s\nlink d s\n";
        for (const auto& [arbitration, order] :
             {std::pair<std::string, std::string>{"round-robin", "cabcabcab"},
              {"first-come", "cbacbacba"}})
        {
            TestNetwork network({{"Nodes", "4"},
                                 {"Topology", "graph"},
                                 {"TopologyFile", name},
                                 {"Arbitration", arbitration}});
            for (int n = 0; n < 3; ++n)
            {
                network.Send(0, 2, 3, 1000);
                network.Send(100, 1, 3, 1000);
                network.Send(200, 0, 3, 1000);
            }
            network.Run();
            std::string arrived;
            for (const auto& arrival : network.arrivals)
            {
                arrived += "abc"[arrival.from];
            }
            NS_TEST_EXPECT_MSG_EQ(arrived, order, arbitration);
        }
    }
};

/** A host that has polled a busy send engine is notified when it is free. */
class BusyTestCase : public TestCase
{
  public:
    BusyTestCase()
        : TestCase("a full send queue refuses frames, and calls OnReady once it has room")
    {
    }

  private:
    /** Counts the notifications. */
    struct User : messaging::PortUser
    {
        void OnFrame(Peer, Peer, const Frame&) override
        {
        }

        void OnReady(Peer) override
        {
            ++ready;
        }

        uint32_t ready{0}; ///< Number of them.
    };

    void DoRun() override
    {
        for (const bool tries : {false, true})
        {
            TestNetwork network({{"Nodes", "2"}, {"SendQueue", "2"}});
            User user;
            network.port->SetUser(&user);
            Frame frame;
            frame.payload = 100;
            NS_TEST_EXPECT_MSG_EQ(network.port->Send(0, 1, frame), true, "the first is taken");
            NS_TEST_EXPECT_MSG_EQ(network.port->Send(0, 1, frame), true, "the second is taken");
            if (tries)
            {
                NS_TEST_EXPECT_MSG_EQ(network.port->Send(0, 1, frame), false, "the queue is full");
            }
            NS_TEST_EXPECT_MSG_EQ(network.port->GetCounters().refused, tries, "refused frames");
            network.Run();
            NS_TEST_EXPECT_MSG_EQ(user.ready, tries, "OnReady only after a refusal");
            network.port->SetUser(nullptr);
        }
    }
};

/** Random streams, including the first one, determine a run. */
class StreamsTestCase : public TestCase
{
  public:
    StreamsTestCase()
        : TestCase("the same random stream loses the same packets, another stream loses others")
    {
    }

  private:
    /** @param stream the first stream @return lost packets of a run */
    std::string Run(int64_t stream)
    {
        TestNetwork network({{"Nodes", "2"}, {"Corruption", "1e-3"}});
        NS_TEST_EXPECT_MSG_EQ(network.myrinet->AssignStreams(stream), 4, "streams used");
        for (int n = 0; n < 200; ++n)
        {
            network.Send(0, 0, 1, 1000);
        }
        network.Run();
        NS_TEST_EXPECT_MSG_EQ(network.myrinet->AssignStreams(stream), 4, "as many after the run");
        std::vector<std::size_t> lost;
        for (const auto& loss : network.losses)
        {
            lost.push_back(loss.packet.frame.id);
        }
        return ListText(lost);
    }

    void DoRun() override
    {
        const std::string first = Run(0);
        NS_TEST_EXPECT_MSG_EQ(Run(0), first, "the same stream, the same losses");
        NS_TEST_EXPECT_MSG_NE(Run(50), first, "another stream, other losses");
    }
};

/** Limits of a fabric's parameters. */
class ParametersTestCase : public TestCase
{
  public:
    ParametersTestCase()
        : TestCase("thresholds, timeout, rate and fall-through time at their limits and beyond")
    {
    }

  private:
    /**
     * @param fits whether the configuration is valid with cables of 3 m
     * @param change change of the default configuration
     */
    template <class Change>
    void Check(bool fits, Change&& change)
    {
        FabricConfig config;
        change(config);
        const std::string error = Fabric::Check(config, 3);
        NS_TEST_EXPECT_MSG_EQ(error.empty(), fits, error);
    }

    void DoRun() override
    {
        // A cable of 3 m delays a character of 6.25 ns by 14.7 ns: until the last character sent
        // before STOP has arrived, there come 29.4 / 6.25 plus one, 5.
        Check(true, [](auto& c) { c.slack = c.stop + 5; });
        Check(false, [](auto& c) { c.slack = c.stop + 4; });
        Check(true, [](auto& c) { c.go = c.stop - 2; });
        Check(false, [](auto& c) { c.go = c.stop - 1; });
        Check(true, [](auto& c) { c.timeout = MicroSeconds(62500); });
        Check(false, [](auto& c) { c.timeout = MicroSeconds(62499); });
        for (const int64_t fallThrough : {0, 1})
        {
            // A character of 1 ns.
            Check(fallThrough == 1, [fallThrough](auto& c) {
                c.linkRate = DataRate("8Gb/s");
                c.slack = 1000;
                c.fallThrough = NanoSeconds(fallThrough);
            });
        }
        for (const auto& [rate, fits] :
             {std::pair{"0Gb/s", false}, {"1000Gb/s", true}, {"1001Gb/s", false}})
        {
            Check(fits, [&rate = rate](auto& c) {
                c.linkRate = DataRate(rate);
                c.slack = 100000;
            });
        }
    }
};

/** The test suite of the fabric. */
class FabricTestSuite : public TestSuite
{
  public:
    FabricTestSuite()
        : TestSuite("myrinet-fabric", Type::UNIT)
    {
        AddTestCase(new IdleLatencyTestCase, TestCase::Duration::QUICK);
        for (TestCase* test : std::initializer_list<TestCase*>{new TablesTestCase,
                                                               new BlockedTableTestCase,
                                                               new ArbitrationTestCase,
                                                               new BusyTestCase,
                                                               new StreamsTestCase,
                                                               new ParametersTestCase})
        {
            AddTestCase(test, TestCase::Duration::QUICK);
        }
        const Settings none;
        const Settings corruption{{"Corruption", "1e-5"}};
        const Settings timeout{{"Timeout", "62.5ms"}, {"StallRate", "50"}, {"StallLength", "80ms"}};
        const Settings overwrite{{"Overwrite", "0.5"}, {"StallRate", "2000"}};
        const Settings stalls{{"StopWhilePending", "false"}, {"StallRate", "2000"}};
        Settings all{{"OverwriteDamage", "0.3"}, {"CrcMiss", "0.1"}};
        all.insert(corruption.begin(), corruption.end());
        all.insert(timeout.begin(), timeout.end());
        all.insert(overwrite.begin(), overwrite.end());
        const auto add = [this](const std::string& name,
                                const Settings& settings,
                                const std::vector<DropReason>& reasons) {
            AddTestCase(new ConservationTestCase(name, settings, reasons),
                        TestCase::Duration::QUICK);
        };
        add("nothing fails", none, {});
        add("links corrupt", corruption, {DropReason::CRC});
        add("NRES timeout", timeout, {DropReason::NRES});
        add("pending packets overwritten", overwrite, {DropReason::OVERWRITE});
        add("stalled receivers send no STOP", stalls, {DropReason::CRC, DropReason::OVERWRITE});
        add("everything", all, {DropReason::CRC, DropReason::NRES, DropReason::OVERWRITE});
    }
};

static FabricTestSuite g_fabricTestSuite; ///< The test suite.

} // namespace tests
} // namespace myrinet
} // namespace ns3
