/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/config.h"
#include "ns3/messaging-host-table.h"
#include "ns3/messaging-host.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Tests of the host model against closed forms, and of the bus against a burst-by-burst simulation
 * of it.
 */

namespace ns3
{
namespace messaging
{
namespace tests
{
namespace
{

/** Rate at which a byte takes 10 ns. */
const DataRate HUNDRED_MBYTES{"800Mbps"};

/** Rate at which a byte takes 20 ns. */
const DataRate FIFTY_MBYTES{"400Mbps"};

/**
 * Make a step of work.
 * @param kind its kind
 * @param amount its amount
 * @return the step
 */
Work
Step(WorkKind kind, uint64_t amount)
{
    return Work{0, amount, kind};
}

/** Records the end times of operations. */
class EndTimes
{
  public:
    /**
     * Construct.
     * @param count number of operations
     */
    explicit EndTimes(std::size_t count)
        : m_times(count, Time::Max())
    {
    }

    /**
     * Make a callback.
     * @param index operation that ends with the call
     * @return the callback
     */
    std::function<void()> Mark(std::size_t index)
    {
        return [this, index] { m_times.at(index) = Simulator::Now(); };
    }

    /**
     * Get a time.
     * @param index the operation
     * @return its end time
     */
    Time operator[](std::size_t index) const
    {
        return m_times.at(index);
    }

  private:
    std::vector<Time> m_times; ///< End times.
};

/**
 * Compute the service of a bus burst by burst, without a simulator.
 * @param arrivals request time of each transfer [ns], in order
 * @param bytes size of each [bytes]
 * @param perByte time of a byte of each [ns]
 * @param burst size of a burst [bytes]
 * @return end time of each [ns]
 */
std::vector<uint64_t>
ServeBurstByBurst(const std::vector<uint64_t>& arrivals,
                  std::vector<uint64_t> bytes,
                  const std::vector<uint64_t>& perByte,
                  uint64_t burst)
{
    std::vector<uint64_t> ends(arrivals.size());
    std::deque<std::size_t> line;
    std::size_t next = 0;
    uint64_t now = 0;
    const auto admit = [&] {
        while (next < arrivals.size() && arrivals[next] <= now)
        {
            line.push_back(next++);
        }
    };
    while (next < arrivals.size() || !line.empty())
    {
        if (line.empty())
        {
            now = std::max(now, arrivals[next]);
        }
        admit();
        const std::size_t job = line.front();
        line.pop_front();
        const uint64_t part = std::min(burst, bytes[job]);
        now += part * perByte[job];
        bytes[job] -= part;
        admit();
        if (bytes[job] > 0)
        {
            line.push_back(job);
        }
        else
        {
            ends[job] = now;
        }
    }
    return ends;
}

/** Jobs on identical servers. */
class HostServersTestCase : public TestCase
{
  public:
    HostServersTestCase()
        : TestCase("Five equal jobs on two servers")
    {
    }

  private:
    void DoRun() override
    {
        auto servers = CreateObject<HostServers>();
        servers->SetNServers(2);
        EndTimes ends(5);
        for (std::size_t i = 0; i < 5; ++i)
        {
            servers->Acquire(0, [&ends, servers, i](uint32_t server) {
                Simulator::Schedule(MicroSeconds(10), [&ends, servers, server, i] {
                    ends.Mark(i)();
                    servers->Release(server);
                });
            });
        }
        Simulator::Run();
        for (std::size_t i = 0; i < 5; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(ends[i],
                                  MicroSeconds(10 * (i / 2 + 1)),
                                  "Job " << i << " is served in its turn");
        }
        NS_TEST_EXPECT_MSG_EQ(servers->GetNJobs(), 5, "Jobs");
        NS_TEST_EXPECT_MSG_EQ(servers->GetBusyTime(), MicroSeconds(50), "Busy time");
        NS_TEST_EXPECT_MSG_EQ(servers->GetWaitTime(),
                              MicroSeconds(0 + 0 + 10 + 10 + 20),
                              "Waits of the five jobs");
        NS_TEST_EXPECT_MSG_EQ(servers->GetLongestQueue(), 3, "Three jobs wait at the begin");
        NS_TEST_EXPECT_MSG_EQ(servers->GetQueueLength(), 0, "No job waits at the end");
        Simulator::Destroy();
    }
};

/** Programmed input and output shares the bus with DMA, burst by burst. */
class HostInterleavingTestCase : public TestCase
{
  public:
    HostInterleavingTestCase()
        : TestCase("PIO and DMA interleave on the bus")
    {
    }

  private:
    void DoRun() override
    {
        auto host = CreateObjectWithAttributes<HostModel>("PioRate",
                                                          DataRateValue(HUNDRED_MBYTES),
                                                          "DmaRate",
                                                          DataRateValue(FIFTY_MBYTES));
        host->GetBus()->SetBurst(250);
        EndTimes ends(2);
        host->Execute(1, {Step(WorkKind::PIO, 1000)}, ends.Mark(0));
        host->Execute(2, {Step(WorkKind::DMA, 1000)}, ends.Mark(1));
        Simulator::Run();
        // P D P D P D P D, with bursts of 2.5 and of 5 us.
        NS_TEST_EXPECT_MSG_EQ(ends[0],
                              MicroSeconds(4 * 5 / 2 + 3 * 5),
                              "PIO waits for three bursts of DMA");
        NS_TEST_EXPECT_MSG_EQ(ends[1], MicroSeconds(30), "DMA waits for all of PIO");
        NS_TEST_EXPECT_MSG_EQ(host->GetCpus()->GetBusyTime(),
                              ends[0],
                              "PIO holds the CPU throughout");
        NS_TEST_EXPECT_MSG_EQ(host->GetDmaEngines()->GetBusyTime(),
                              ends[1],
                              "DMA holds its engine");
        NS_TEST_EXPECT_MSG_EQ(host->GetBus()->GetBusyTime(),
                              MicroSeconds(30),
                              "The bus never idles");
        Simulator::Destroy();

        auto whole = CreateObjectWithAttributes<HostModel>("PioRate",
                                                           DataRateValue(HUNDRED_MBYTES),
                                                           "DmaRate",
                                                           DataRateValue(FIFTY_MBYTES));
        EndTimes undivided(2);
        whole->Execute(1, {Step(WorkKind::PIO, 1000)}, undivided.Mark(0));
        whole->Execute(2, {Step(WorkKind::DMA, 1000)}, undivided.Mark(1));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(undivided[0],
                              MicroSeconds(10),
                              "Without bursts, the first is not disturbed");
        NS_TEST_EXPECT_MSG_EQ(undivided[1],
                              MicroSeconds(30),
                              "Without bursts, the second waits for it");
        Simulator::Destroy();
    }
};

/** Transfers with random arrivals, against an independent computation. */
class HostBusOracleTestCase : public TestCase
{
  public:
    HostBusOracleTestCase()
        : TestCase("Random transfers end when a burst-by-burst computation says")
    {
    }

  private:
    void DoRun() override
    {
        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(1);
        for (uint32_t run = 0; run < 50; ++run)
        {
            const std::size_t count = 20;
            const uint64_t burst = random->GetInteger(1, 200);
            std::vector<uint64_t> arrivals;
            std::vector<uint64_t> bytes;
            std::vector<uint64_t> perByte;
            auto bus = CreateObject<HostBus>();
            bus->SetBurst(burst);
            EndTimes ends(count);
            uint64_t now = 0;
            for (std::size_t i = 0; i < count; ++i)
            {
                // Arrival times are odd, while bursts last an even time: an arrival at the very end
                // of one would be a tie.
                now += 2 * random->GetInteger(1, 5000);
                arrivals.push_back(now + 1);
                bytes.push_back(random->GetInteger(1, 2000));
                perByte.push_back(random->GetInteger(0, 1) ? 10 : 20);
                Simulator::Schedule(NanoSeconds(arrivals[i]), [&, i] {
                    bus->Transfer(bytes[i],
                                  perByte[i] == 10 ? HUNDRED_MBYTES : FIFTY_MBYTES,
                                  ends.Mark(i));
                });
            }
            Simulator::Run();
            const auto expected = ServeBurstByBurst(arrivals, bytes, perByte, burst);
            uint64_t busy = 0;
            for (std::size_t i = 0; i < count; ++i)
            {
                NS_TEST_ASSERT_MSG_EQ(ends[i],
                                      NanoSeconds(expected[i]),
                                      "Transfer " << i << " of run " << run);
                busy += bytes[i] * perByte[i];
            }
            NS_TEST_ASSERT_MSG_EQ(bus->GetBusyTime(),
                                  NanoSeconds(busy),
                                  "Busy time of run " << run);
            Simulator::Destroy();
        }
    }
};

/** Context switches between processes. */
class HostContextSwitchTestCase : public TestCase
{
  public:
    HostContextSwitchTestCase()
        : TestCase("Context switches are charged when the process changes")
    {
    }

  private:
    /**
     * Run six works of two processes in turn.
     * @param cpus number of CPUs
     * @param processes number of processes
     * @param kernel whether the second one is the kernel
     * @return the number of context switches, and the end time
     */
    std::pair<uint64_t, Time> RunAlternately(uint32_t cpus, uint32_t processes, bool kernel)
    {
        auto host =
            CreateObjectWithAttributes<HostModel>("ContextSwitch", TimeValue(MicroSeconds(3)));
        host->GetCpus()->SetNServers(cpus);
        for (uint32_t i = 0; i < 6; ++i)
        {
            const ProcessId process = kernel && i % 2 ? KERNEL : i % processes;
            host->Execute(process, {Step(WorkKind::INSTRUCTIONS, 10000)}, [] {});
        }
        Simulator::Run();
        const Time end = Simulator::Now();
        NS_TEST_EXPECT_MSG_EQ(host->GetCpus()->GetBusyTime(),
                              MicroSeconds(60 + 3 * host->GetNContextSwitches()),
                              "CPUs are busy with work and with context switches");
        Simulator::Destroy();
        return {host->GetNContextSwitches(), end};
    }

    void DoRun() override
    {
        using Result = std::pair<uint64_t, Time>;
        const bool alternating =
            RunAlternately(1, 2, false) == Result(5, MicroSeconds(6 * 10 + 5 * 3));
        NS_TEST_EXPECT_MSG_EQ(alternating,
                              true,
                              "Two processes on one CPU switch each time but the first");
        const bool single = RunAlternately(1, 1, false) == Result(0, MicroSeconds(60));
        NS_TEST_EXPECT_MSG_EQ(single, true, "One process never switches");
        const bool kernel = RunAlternately(1, 1, true) == Result(0, MicroSeconds(60));
        NS_TEST_EXPECT_MSG_EQ(kernel, true, "The kernel's work causes no switch");
        const bool apart = RunAlternately(2, 2, false) == Result(0, MicroSeconds(30));
        NS_TEST_EXPECT_MSG_EQ(apart, true, "Two processes on two CPUs stay apart");
    }
};

/** Coalesced interrupts. */
class HostCoalescingTestCase : public TestCase
{
  public:
    HostCoalescingTestCase()
        : TestCase("Interrupts are coalesced by count and by time")
    {
    }

  private:
    void DoRun() override
    {
        auto host = CreateObjectWithAttributes<HostModel>("Interrupt",
                                                          TimeValue(MicroSeconds(5)),
                                                          "CoalescingDelay",
                                                          TimeValue(MicroSeconds(20)),
                                                          "CoalescingCount",
                                                          UintegerValue(3));
        const std::vector<Work> interrupt{Step(WorkKind::INTERRUPT, 1)};
        NS_TEST_EXPECT_MSG_EQ(host->GetIdleDuration(interrupt),
                              MicroSeconds(20 + 5),
                              "An interrupt without others waits as long as it may");
        EndTimes ends(5);
        for (uint32_t i = 0; i < 4; ++i)
        {
            Simulator::Schedule(MicroSeconds(i), [&ends, &interrupt, host, i] {
                host->Execute(KERNEL, interrupt, ends.Mark(i));
            });
        }
        Simulator::Schedule(MicroSeconds(10), [&ends, host] {
            host->Execute(KERNEL, {Step(WorkKind::INTERRUPT, 0)}, ends.Mark(4));
        });
        Simulator::Run();
        for (uint32_t i = 0; i < 3; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(ends[i],
                                  MicroSeconds(2 + 5),
                                  "The third interrupt ends the wait of the first two");
        }
        NS_TEST_EXPECT_MSG_EQ(ends[3],
                              MicroSeconds(3 + 20 + 5),
                              "The fourth waits as long as it may");
        NS_TEST_EXPECT_MSG_EQ(ends[4], MicroSeconds(10), "Work without an interrupt does not wait");
        NS_TEST_EXPECT_MSG_EQ(host->GetCpus()->GetBusyTime(),
                              MicroSeconds(10),
                              "Four interrupts are taken as two");
        Simulator::Destroy();
    }
};

/** The trace sources and the table of resources. */
class HostResourceTestCase : public TestCase
{
  public:
    HostResourceTestCase()
        : TestCase("Resources trace waits and queues, at paths of Config, and are in a table")
    {
    }

  private:
    void DoRun() override
    {
        const auto node = CreateObject<Node>();
        const auto host =
            CreateObjectWithAttributes<HostModel>("DmaRate", DataRateValue(HUNDRED_MBYTES));
        node->AggregateObject(host);
        std::vector<Time> waits;
        std::vector<uint32_t> queues;
        const std::string path = "/NodeList/*/$ns3::messaging::HostModel/DmaEngines/";
        Config::ConnectWithoutContext(path + "Wait", Callback<void, Time>([&waits](Time wait) {
                                          waits.push_back(wait);
                                      }));
        Config::ConnectWithoutContext(
            path + "QueueLength",
            Callback<void, uint32_t, uint32_t>(
                [&queues](uint32_t, uint32_t now) { queues.push_back(now); }));
        EndTimes ends(2);
        host->Execute(1, {Step(WorkKind::DMA, 1000)}, ends.Mark(0));
        host->Execute(1, {Step(WorkKind::DMA, 1000)}, ends.Mark(1));
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(waits.size(), 2, "Two transfers");
        NS_TEST_EXPECT_MSG_EQ(waits[0], Time(), "The first does not wait");
        NS_TEST_EXPECT_MSG_EQ(waits[1], MicroSeconds(10), "The second waits for the first");
        NS_TEST_ASSERT_MSG_EQ(queues.size(), 2, "The queue grows and shrinks");
        NS_TEST_EXPECT_MSG_EQ(queues[0], 1, "One waits");
        NS_TEST_EXPECT_MSG_EQ(queues[1], 0, "None waits");
        const auto table = MakeHostTable({host});
        NS_TEST_EXPECT_MSG_EQ(table->GetNRows(), 2, "DMA engines and bus have had jobs");
        Simulator::Destroy();
    }
};

/** Every kind of work has the costs of its attributes, and the tables are consistent. */
class HostCostsTestCase : public TestCase
{
  public:
    HostCostsTestCase()
        : TestCase("Every kind of work costs what its attributes say")
    {
    }

  private:
    void DoRun() override
    {
        auto host = CreateObjectWithAttributes<HostModel>("SystemCall",
                                                          TimeValue(MicroSeconds(2)),
                                                          "Interrupt",
                                                          TimeValue(MicroSeconds(7)),
                                                          "DmaSetup",
                                                          TimeValue(MicroSeconds(3)),
                                                          "CopyRate",
                                                          DataRateValue(HUNDRED_MBYTES));
        host->SetAttribute("PioRate", DataRateValue(FIFTY_MBYTES));
        host->SetAttribute("DmaRate", DataRateValue(HUNDRED_MBYTES));
        const std::vector<Work> steps{Step(WorkKind::INSTRUCTIONS, 1500),
                                      Step(WorkKind::SYSTEM_CALL, 2),
                                      Step(WorkKind::COPY, 500),
                                      Step(WorkKind::PIO, 100),
                                      Step(WorkKind::DMA, 1000),
                                      Step(WorkKind::INTERRUPT, 1)};
        // 1.5 + 2 * 2 + 5 + 2 us on the CPU, 3 + 10 us of DMA, 7 us for the interrupt.
        EndTimes ends(1);
        host->Execute(1, steps, ends.Mark(0));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(ends[0],
                              NanoSeconds(12500 + 13000 + 7000),
                              "Steps follow each other");
        NS_TEST_EXPECT_MSG_EQ(host->GetTime(WorkKind::INSTRUCTIONS),
                              NanoSeconds(1500),
                              "Instructions");
        NS_TEST_EXPECT_MSG_EQ(host->GetTime(WorkKind::SYSTEM_CALL),
                              MicroSeconds(4),
                              "System calls");
        NS_TEST_EXPECT_MSG_EQ(host->GetTime(WorkKind::COPY), MicroSeconds(5), "Copy");
        NS_TEST_EXPECT_MSG_EQ(host->GetTime(WorkKind::PIO), MicroSeconds(2), "PIO");
        NS_TEST_EXPECT_MSG_EQ(host->GetTime(WorkKind::DMA), MicroSeconds(13), "DMA");
        NS_TEST_EXPECT_MSG_EQ(host->GetTime(WorkKind::INTERRUPT), MicroSeconds(7), "Interrupt");
        NS_TEST_EXPECT_MSG_EQ_TOL(host->GetCpuShare(),
                                  19.5 / 32.5,
                                  1e-12,
                                  "A CPU is idle during DMA only");
        NS_TEST_EXPECT_MSG_EQ(host->IsFree(steps), false, "This work is not free");

        const std::vector<std::pair<Time, Time>> busy{
            {host->GetCpus()->GetBusyTime(), NanoSeconds(19500)},
            {host->GetMemory()->GetBusyTime(), MicroSeconds(5)},
            {host->GetBus()->GetBusyTime(), MicroSeconds(12)},
            {host->GetDmaEngines()->GetBusyTime(), MicroSeconds(13)}};
        for (const auto& [measured, expected] : busy)
        {
            NS_TEST_EXPECT_MSG_EQ(measured, expected, "Busy time");
        }
        Simulator::Destroy();

        auto free = CreateObject<HostModel>();
        NS_TEST_EXPECT_MSG_EQ(free->IsFree(std::vector<Work>(steps.begin() + 1, steps.end())),
                              true,
                              "As built, only instructions cost anything");
        EndTimes immediate(1);
        free->Execute(1, {}, immediate.Mark(0));
        NS_TEST_EXPECT_MSG_EQ(immediate[0], Time::Max(), "Execute returns before it calls back");
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(immediate[0], Time(), "No work ends at once");
        Simulator::Destroy();
    }
};

/** Copies by several CPUs share the memory. */
class HostMemoryTestCase : public TestCase
{
  public:
    HostMemoryTestCase()
        : TestCase("Copies by two CPUs share the memory")
    {
    }

  private:
    void DoRun() override
    {
        auto host =
            CreateObjectWithAttributes<HostModel>("CopyRate", DataRateValue(HUNDRED_MBYTES));
        host->GetCpus()->SetNServers(2);
        host->GetMemory()->SetBurst(100);
        EndTimes ends(2);
        host->Execute(1, {Step(WorkKind::COPY, 1000)}, ends.Mark(0));
        host->Execute(2, {Step(WorkKind::COPY, 1000)}, ends.Mark(1));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(ends[0],
                              MicroSeconds(19),
                              "Half the bandwidth each, up to the last burst");
        NS_TEST_EXPECT_MSG_EQ(ends[1], MicroSeconds(20), "Half the bandwidth each");
        NS_TEST_EXPECT_MSG_EQ(host->GetCpus()->GetBusyTime(),
                              MicroSeconds(39),
                              "Both CPUs wait for it");
        Simulator::Destroy();
    }
};

/** Transfers of more bits than 32 bits count. */
class HostLargeTransferTestCase : public TestCase
{
  public:
    HostLargeTransferTestCase()
        : TestCase("Copies, PIO and DMA of 512 MiB and more take their time")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint64_t MEBIBYTE = uint64_t{1} << 20;
        const DataRate rate("8Gbps");
        for (const uint64_t bytes :
             {511 * MEBIBYTE, 512 * MEBIBYTE, 4096 * MEBIBYTE, 5000 * MEBIBYTE})
        {
            const Time expected = NanoSeconds(bytes); // A byte takes a nanosecond.
            for (const WorkKind kind : {WorkKind::COPY, WorkKind::PIO, WorkKind::DMA})
            {
                auto host = CreateObject<HostModel>();
                for (const char* name : {"CopyRate", "PioRate", "DmaRate"})
                {
                    host->SetAttribute(name, DataRateValue(rate));
                }
                NS_TEST_EXPECT_MSG_EQ(host->GetIdleDuration({Step(kind, bytes)}),
                                      expected,
                                      kind << " of " << bytes << " bytes on an idle host");
                EndTimes ends(1);
                host->Execute(1, {Step(kind, bytes)}, ends.Mark(0));
                Simulator::Run();
                NS_TEST_EXPECT_MSG_EQ(ends[0], expected, kind << " of " << bytes << " bytes");
                Simulator::Destroy();
            }
        }
    }
};

/** All tests of the host model. */
class HostTestSuite : public TestSuite
{
  public:
    HostTestSuite()
        : TestSuite("messaging-host", Type::UNIT)
    {
        AddTestCase(new HostServersTestCase, TestCase::Duration::QUICK);
        AddTestCase(new HostInterleavingTestCase, TestCase::Duration::QUICK);
        AddTestCase(new HostBusOracleTestCase, TestCase::Duration::QUICK);
        AddTestCase(new HostContextSwitchTestCase, TestCase::Duration::QUICK);
        AddTestCase(new HostCoalescingTestCase, TestCase::Duration::QUICK);
        AddTestCase(new HostResourceTestCase, TestCase::Duration::QUICK);
        AddTestCase(new HostCostsTestCase, TestCase::Duration::QUICK);
        AddTestCase(new HostMemoryTestCase, TestCase::Duration::QUICK);
        AddTestCase(new HostLargeTransferTestCase, TestCase::Duration::QUICK);
    }
};

HostTestSuite g_hostTestSuite; ///< Registers itself.

} // namespace
} // namespace tests
} // namespace messaging
} // namespace ns3
