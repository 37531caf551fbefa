/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "broadcast-ethernet-switch-driver.h"

#include "ns3/messaging-list-text.h"
#include "ns3/test.h"

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace ethernet
{
namespace tests
{

using messaging::tests::ListText;

namespace switchcore
{

/**
 * An idle switch: one departure for all ports of one rate, and the times given by its parts.
 */
class SwitchIdleTestCase : public TestCase
{
  public:
    SwitchIdleTestCase()
        : TestCase("an idle switch adds its latency and one serialisation")
    {
    }

  private:
    void DoRun() override
    {
        SwitchDriver driver({.latency = NanoSeconds(7000)}, {FAST, FAST, FAST, 100, 1});
        driver.FrameAt(1000000, 0, BROADCAST, 0, 64);
        driver.Run();
        const std::vector<SwitchArrival> expected{
            {1000000 + 7000 + Wire(64, 1) + DELAY, 4, 0},
            {1000000 + 7000 + Wire(64) + DELAY, 1, 0},
            {1000000 + 7000 + Wire(64) + DELAY, 2, 0},
            {1000000 + 7000 + Wire(64, 100) + DELAY, 3, 0},
        };
        NS_TEST_EXPECT_MSG_EQ(ListText(driver.arrivals),
                              ListText(expected),
                              "times of a broadcast");
        NS_TEST_EXPECT_MSG_EQ(driver.departures, 3, "one departure for each time");
        NS_TEST_EXPECT_MSG_EQ(driver.freed, 1, "frames that are freed");

        // Copies pass one after the other over a bus of 1 Gbit/s, in the order of the ports.
        SwitchDriver serial({.latency = NanoSeconds(7000), .replication = Replication::SERIAL},
                            {FAST, FAST, FAST});
        serial.FrameAt(0, 1, BROADCAST, 0, 64);
        serial.Run();
        const std::vector<SwitchArrival> one{{7000 + 512 + Wire(64) + DELAY, 0, 0},
                                             {7000 + 1024 + Wire(64) + DELAY, 2, 0}};
        NS_TEST_EXPECT_MSG_EQ(ListText(serial.arrivals),
                              ListText(one),
                              "copies one after the other");
    }
};

/** Frames that leave back to back keep the gap; rates are converted in both directions. */
class SwitchRateTestCase : public TestCase
{
  public:
    SwitchRateTestCase()
        : TestCase("ports of different rates")
    {
    }

  private:
    void DoRun() override
    {
        SwitchDriver driver({.latency = NanoSeconds(0)}, {1, 100});
        driver.FrameAt(0, 1, AddressOf(0), 9, 64);
        driver.FrameAt(1000, 0, AddressOf(1), 0, 1000);
        driver.FrameAt(2000, 0, AddressOf(1), 1, 500);
        driver.Run();
        const std::vector<SwitchArrival> expected{
            {Wire(64, 1) + DELAY, 0, 9},
            {1000 + Wire(1000, 100) + DELAY, 1, 0},
            {1000 + Wire(1000, 100) + 9600 + Wire(500, 100) + DELAY, 1, 1}};
        NS_TEST_EXPECT_MSG_EQ(ListText(driver.arrivals),
                              ListText(expected),
                              "arrivals from 1 Gbit/s to 10 Mbit/s");
    }
};

/** Learning, ageing, flooding, filtering, a full table, groups and reserved addresses. */
class SwitchAddressTestCase : public TestCase
{
  public:
    SwitchAddressTestCase()
        : TestCase("learning, ageing, flooding, filtering, groups")
    {
    }

  private:
    /**
     * Get the output ports of a frame.
     * @param driver the driver
     * @param in its input port
     * @param to its destination
     * @param at its arrival [ns]
     * @return the ports, as text
     */
    static std::string Send(SwitchDriver& driver, uint32_t in, uint64_t to, int64_t at)
    {
        driver.arrivals.clear();
        driver.FrameAt(at, in, to, 0, 64);
        driver.Run();
        std::vector<uint32_t> ports;
        ports.reserve(driver.arrivals.size());
        for (const auto& arrival : driver.arrivals)
        {
            ports.push_back(arrival.port);
        }
        std::sort(ports.begin(), ports.end());
        return ListText(ports);
    }

    void DoRun() override
    {
        constexpr int64_t SECOND = 1000000000;
        SwitchDriver driver({.ageing = Seconds(300)}, std::vector<int64_t>(5, FAST));
        NS_TEST_EXPECT_MSG_EQ(Send(driver, 0, AddressOf(1), 0),
                              "1, 2, 3, 4",
                              "an unknown address is flooded");
        NS_TEST_EXPECT_MSG_EQ(driver.core.GetCounters(0).flooded,
                              1,
                              "frames counted as flooded or filtered");
        NS_TEST_EXPECT_MSG_EQ(Send(driver, 1, AddressOf(0), SECOND),
                              "0",
                              "a learned address has one port");
        NS_TEST_EXPECT_MSG_EQ(Send(driver, 0, AddressOf(1), 2 * SECOND),
                              "1",
                              "so has the address that has answered");
        NS_TEST_EXPECT_MSG_EQ(Send(driver, 0, AddressOf(0), 3 * SECOND),
                              "",
                              "a frame to a station on its own link is filtered");
        NS_TEST_EXPECT_MSG_EQ(driver.core.GetCounters(0).filtered,
                              1,
                              "frames counted as flooded or filtered");
        NS_TEST_EXPECT_MSG_EQ(Send(driver, 2, AddressOf(1), 301 * SECOND - 1),
                              "1",
                              "just before it ages, an address is known");
        NS_TEST_EXPECT_MSG_EQ(Send(driver, 2, AddressOf(1), 301 * SECOND),
                              "0, 1, 3, 4",
                              "300 s after its last frame, an address is forgotten and flooded");
        NS_TEST_EXPECT_MSG_EQ(Send(driver, 1, AddressOf(0), 303 * SECOND - 1),
                              "0",
                              "an address with a later frame is known for longer");
        NS_TEST_EXPECT_MSG_EQ(Send(driver, 0, GROUP, 304 * SECOND),
                              "1, 2, 3, 4",
                              "a group goes to all");
        NS_TEST_EXPECT_MSG_EQ(Send(driver, 0, PAUSE_ADDRESS, 307 * SECOND),
                              "",
                              "reserved addresses are not forwarded");
    }
};

/** Exact counts of drops when several ports send to one at the same time. */
class SwitchOverflowTestCase : public TestCase
{
  public:
    SwitchOverflowTestCase()
        : TestCase("overflow of private and shared buffers")
    {
    }

  private:
    /**
     * Let ports 1 to 4 each send a burst at the same time, and count.
     * @param config parameters of the switch
     * @param bytes length of each frame
     * @return drops at port 0 by reason, and copies that arrived there
     */
    static std::string Incast(const SwitchConfig& config, uint32_t bytes)
    {
        SwitchDriver driver(config, std::vector<int64_t>(6, FAST));
        // Announces the address, so that nothing is flooded, and leaves before the burst.
        driver.FrameAt(0, 0, AddressOf(9), 0, 64);
        driver.FrameAt(0, 5, AddressOf(9), 0, 64);
        const int64_t step = Wire(bytes) + 96 * FAST;
        for (uint32_t i = 0; i < 10; ++i)
        {
            for (uint32_t port = 1; port <= 4; ++port)
            {
                driver.FrameAt(1000000 + i * step, port, AddressOf(0), i);
            }
        }
        driver.Run();
        const auto& counters = driver.core.GetCounters(0);
        const auto count = [&](SwitchDrop reason) {
            return counters.drops[static_cast<std::size_t>(reason)];
        };
        return messaging::ToText("overflow ",
                                 count(SwitchDrop::OVERFLOW),
                                 ", pool ",
                                 count(SwitchDrop::POOL),
                                 ", threshold ",
                                 count(SwitchDrop::THRESHOLD),
                                 ", arrived ",
                                 counters.framesOut - 1);
    }

    void DoRun() override
    {
        // 40 frames arrive, 4 in each frame time. The first one leaves after the second round,
        // because of the latency, then one in each frame time. Each round but the first two finds
        // one free entry.
        constexpr uint32_t BYTES = 1518;
        SwitchConfig config{.latency = NanoSeconds(10000), .buffer = 8};
        NS_TEST_EXPECT_MSG_EQ(Incast(config, BYTES),
                              "overflow 24, pool 0, threshold 0, arrived 16",
                              "private buffers: 8 that fit, and one for each of 8 rounds");
        config.sharing = BufferSharing::COMPLETE;
        NS_TEST_EXPECT_MSG_EQ(Incast(config, BYTES),
                              "overflow 0, pool 24, threshold 0, arrived 16",
                              "a pool of that size that no other port uses");
        config.sharing = BufferSharing::DYNAMIC;
        config.alpha = 1;
        NS_TEST_EXPECT_MSG_EQ(Incast(config, BYTES),
                              "overflow 0, pool 0, threshold 28, arrived 12",
                              "alpha 1: one queue has half of the pool");
        config.alpha = 3;
        NS_TEST_EXPECT_MSG_EQ(Incast(config, BYTES),
                              "overflow 0, pool 0, threshold 26, arrived 14",
                              "alpha 3: one queue has three quarters of the pool");
        config = {.latency = NanoSeconds(10000), .buffer = 8 * BYTES, .unit = BufferUnit::BYTES};
        NS_TEST_EXPECT_MSG_EQ(Incast(config, BYTES),
                              "overflow 24, pool 0, threshold 0, arrived 16",
                              "a buffer of as many bytes as 8 frames");
        config.buffer = 8 * BYTES - 1;
        NS_TEST_EXPECT_MSG_EQ(Incast(config, BYTES),
                              "overflow 25, pool 0, threshold 0, arrived 15",
                              "a byte less, a frame less");
        ShareFairly();
        FreeInTime();
        FillPool();
    }

    /** Several backlogged queues of a dynamic buffer. */
    void ShareFairly()
    {
        // Choudhury and Hahne: n backlogged queues each get alpha / (1 + n alpha) of the pool.
        for (const auto& [alpha, share] : {std::pair(1.0, 10U), std::pair(2.0, 12U)})
        {
            SwitchDriver pair({.buffer = 30, .sharing = BufferSharing::DYNAMIC, .alpha = alpha},
                              std::vector<int64_t>(4, FAST));
            pair.FrameAt(0, 0, AddressOf(9), 0, 64);
            pair.FrameAt(0, 1, AddressOf(9), 0, 64);
            for (uint32_t i = 0; i < 40; ++i)
            {
                pair.FrameAt(1000000, 2, AddressOf(0), i);
                pair.FrameAt(1000000, 3, AddressOf(1), i);
            }
            pair.Run();
            NS_TEST_EXPECT_MSG_EQ(pair.core.GetCounters(0).peak,
                                  share,
                                  "highest level of a queue at alpha " << alpha);
            NS_TEST_EXPECT_MSG_EQ(pair.core.GetCounters(1).peak,
                                  share,
                                  "highest level of a queue at alpha " << alpha);
        }
    }

    /** A frame that arrives when the last bit of another has left finds a free entry. */
    void FreeInTime()
    {
        SwitchDriver exact({.latency = NanoSeconds(0), .buffer = 1}, {FAST, FAST});
        exact.FrameAt(0, 0, BROADCAST, 0, 64);
        exact.FrameAt(Wire(64) - 1, 0, BROADCAST, 1, 64);
        exact.FrameAt(Wire(64), 0, BROADCAST, 2, 64);
        exact.Run();
        NS_TEST_EXPECT_MSG_EQ(ListText(exact.drops),
                              "1:1:overflow",
                              "a frame that arrives a nanosecond earlier is dropped");
    }

    /** A pool filled by one port leaves nothing for another. */
    void FillPool()
    {
        SwitchDriver driver({.buffer = 4, .sharing = BufferSharing::COMPLETE},
                            std::vector<int64_t>(4, FAST));
        driver.FrameAt(0, 0, AddressOf(9), 0, 64);
        driver.FrameAt(0, 1, AddressOf(9), 0, 64);
        for (uint32_t i = 0; i < 4; ++i)
        {
            driver.FrameAt(1000000, 2, AddressOf(0), i);
        }
        driver.FrameAt(1000000, 3, AddressOf(1), 4);
        driver.Run();
        NS_TEST_EXPECT_MSG_EQ(driver.drops.back(),
                              "4:1:pool",
                              "a full pool drops the frame of another port");
    }
};

/** PAUSE frames: effective after the current frame, ended early, sent and revoked. */
class SwitchPauseTestCase : public TestCase
{
  public:
    SwitchPauseTestCase()
        : TestCase("PAUSE frames are obeyed and sent")
    {
    }

  private:
    void DoRun() override
    {
        // Two frames are in the queue; the pause arrives while the first is being sent.
        const int64_t ready = 10000;
        const int64_t wire = Wire(1518);
        SwitchDriver driver({.latency = NanoSeconds(ready)}, {FAST, FAST});
        driver.FrameAt(0, 0, BROADCAST, 0);
        driver.FrameAt(1, 0, BROADCAST, 1);
        driver.At(ready + 5000, [&] { driver.core.OnPause(driver.now, 1, 100); });
        driver.Run();
        const int64_t until = ready + 5000 + 100 * 512 * FAST;
        const std::vector<SwitchArrival> paused{{ready + wire + DELAY, 1, 0},
                                                {until + wire + DELAY, 1, 1}};
        NS_TEST_EXPECT_MSG_EQ(ListText(driver.arrivals),
                              ListText(paused),
                              "a pause begins after the frame on the wire");

        driver.arrivals.clear();
        const int64_t base = 10000000;
        driver.FrameAt(base, 0, BROADCAST, 2);
        driver.At(base + 1000, [&] { driver.core.OnPause(driver.now, 1, 65535); });
        driver.At(base + 50000, [&] { driver.core.OnPause(driver.now, 1, 0); });
        driver.Run();
        const std::vector<SwitchArrival> ended{{base + 50000 + wire + DELAY, 1, 2}};
        NS_TEST_EXPECT_MSG_EQ(ListText(driver.arrivals),
                              ListText(ended),
                              "quanta of 0 end a pause");
        NS_TEST_EXPECT_MSG_EQ(driver.core.GetCounters(1).pausesReceived, 3, "counted PAUSE frames");

        driver.arrivals.clear();
        const int64_t begin = 20000000;
        driver.FrameAt(begin - ready, 0, BROADCAST, 3);
        driver.At(begin, [&] { driver.core.OnPause(driver.now, 1, 100); });
        driver.Run();
        const std::vector<SwitchArrival> begun{{begin + wire + DELAY, 1, 3}};
        NS_TEST_EXPECT_MSG_EQ(ListText(driver.arrivals),
                              ListText(begun),
                              "a frame that has begun is finished");

        // Ports 1 and 2 fill the queue of port 0, of 8 frames: both are paused above 4, and allowed
        // to go on at 2.
        SwitchDriver sender({.latency = NanoSeconds(0), .buffer = 8, .pause = true},
                            {FAST, FAST, FAST});
        sender.FrameAt(0, 0, AddressOf(9), 0, 64);
        for (uint32_t i = 0; i < 6; ++i)
        {
            sender.FrameAt(1000000 + i, 1 + i % 2, AddressOf(0), i);
        }
        sender.Run();
        NS_TEST_ASSERT_MSG_EQ(sender.pauses.size(), 4, "two pauses, and two ends");
        const int64_t control = Wire(64) + DELAY;
        NS_TEST_EXPECT_MSG_EQ(sender.pauses[0].port,
                              1,
                              "port that is paused first: that of the fifth frame");
        NS_TEST_EXPECT_MSG_EQ(sender.pauses[0].at, 1000004 + control, "time of the PAUSE frame");
        NS_TEST_EXPECT_MSG_EQ(sender.pauses[0].quanta, 65535, "quanta of the first PAUSE frame");
        NS_TEST_EXPECT_MSG_EQ(sender.pauses[1].port,
                              2,
                              "port that is paused next: that of the sixth frame");
        NS_TEST_EXPECT_MSG_EQ(sender.pauses[2].quanta, 0, "quanta of the end of a pause");
        NS_TEST_EXPECT_MSG_EQ(sender.pauses[2].again, 0, "delay until the end is repeated: never");
        const int64_t fourth = 1000000 + 4 * wire + 3 * 960 + DELAY;
        NS_TEST_EXPECT_MSG_EQ(sender.pauses[2].at,
                              fourth + control,
                              "time of the end: when two frames are left");
        NS_TEST_EXPECT_MSG_EQ(sender.pauses[3].port, 2, "the second PAUSE frame, behind the first");

        // A port that has never sent a frame also sends its PAUSE frame at once, then the frames
        // flooded to it.
        SwitchDriver silent({.latency = NanoSeconds(10000), .buffer = 8, .pause = true},
                            {FAST, FAST, FAST});
        for (uint32_t i = 0; i < 5; ++i)
        {
            silent.FrameAt(1000000, 1, AddressOf(0), i);
        }
        silent.FrameAt(1000000, 2, AddressOf(0), 5);
        silent.Run();
        NS_TEST_ASSERT_MSG_EQ(silent.pauses.size(),
                              4,
                              "PAUSE frames: begin and end for both senders");
        NS_TEST_EXPECT_MSG_EQ(silent.pauses[0].at, 1000000 + control, "time of the PAUSE frame");
        NS_TEST_EXPECT_MSG_EQ(silent.arrivals.size(), 12, "copies that arrive");
        NS_TEST_EXPECT_MSG_EQ(silent.arrivals.back().at,
                              1010000 + 6 * wire + 5 * 960 + DELAY,
                              "the last one when the last bit of six has left");

        // A PAUSE frame waits for the frame being sent, and precedes waiting frames.
        SwitchDriver busy({.latency = NanoSeconds(0), .buffer = 8, .pause = true}, {FAST, FAST});
        busy.FrameAt(0, 0, BROADCAST, 0, 64);
        busy.FrameAt(1000000, 0, AddressOf(1), 1);
        busy.FrameAt(1000000, 0, AddressOf(1), 2);
        for (uint32_t i = 0; i < 5; ++i)
        {
            busy.FrameAt(1000001, 1, AddressOf(0), 3 + i, 64);
        }
        busy.Run();
        const int64_t free = 1000000 + wire + 960;
        NS_TEST_ASSERT_MSG_EQ(busy.pauses.size(), 2, "a pause and its end");
        NS_TEST_EXPECT_MSG_EQ(busy.pauses[0].at,
                              free + control,
                              "time of the PAUSE frame, behind the frame on the wire");
        NS_TEST_EXPECT_MSG_EQ(busy.pauses[1].at,
                              free + 960 + Wire(64) + control,
                              "the second PAUSE frame, behind the first");
        const int64_t second = free + 2 * (960 + Wire(64)) + wire + DELAY;
        NS_TEST_EXPECT_MSG_EQ(
            (std::find(busy.arrivals.begin(), busy.arrivals.end(), SwitchArrival{second, 1, 2}) !=
             busy.arrivals.end()),
            true,
            "the second frame leaves after the PAUSE frame");

        // A short pause is repeated after half its time while needed.
        SwitchDriver again(
            {.latency = NanoSeconds(0), .buffer = 8, .pause = true, .pauseQuanta = 100},
            {FAST, FAST});
        again.FrameAt(0, 0, AddressOf(9), 0, 64);
        for (uint32_t i = 0; i < 5; ++i)
        {
            again.FrameAt(1000000, 1, AddressOf(0), i);
        }
        again.Run();
        const int64_t half = 50 * 512 * FAST;
        const auto repeated = static_cast<std::size_t>((3 * wire + 3 * 960 + DELAY) / half);
        NS_TEST_EXPECT_MSG_EQ(again.pauses.size(),
                              2 + repeated,
                              "PAUSE frames: begin, repetitions, and end");
        NS_TEST_EXPECT_MSG_EQ(again.pauses[1].at,
                              1000000 + half + control,
                              "time of the first repetition, at half of the pause");
    }
};

/** A table of addresses of limited size. */
class SwitchTableTestCase : public TestCase
{
  public:
    SwitchTableTestCase()
        : TestCase("frames to addresses that found the table full are flooded")
    {
    }

  private:
    /**
     * Count the output ports of a frame.
     * @param driver the driver
     * @param in its input port
     * @param to its destination
     * @param at its arrival [s]
     * @return the number of ports
     */
    static std::size_t Send(SwitchDriver& driver, uint32_t in, uint64_t to, int64_t at)
    {
        constexpr int64_t SECOND = 1000000000;
        driver.arrivals.clear();
        driver.FrameAt(at * SECOND, in, to, 0, 64);
        driver.Run();
        return driver.arrivals.size();
    }

    void DoRun() override
    {
        SwitchDriver driver({.ageing = Seconds(300), .addressTable = 2},
                            std::vector<int64_t>(4, FAST));
        constexpr std::size_t ALL = 3; // output ports
        Send(driver, 0, BROADCAST, 0);
        Send(driver, 1, BROADCAST, 1);
        Send(driver, 2, BROADCAST, 2);
        NS_TEST_EXPECT_MSG_EQ(driver.core.GetCounters(2).unlearned,
                              1,
                              "addresses that a full table has not learned");
        NS_TEST_EXPECT_MSG_EQ(Send(driver, 0, AddressOf(2), 3),
                              ALL,
                              "ports of a frame to an address that was not learned");
        NS_TEST_EXPECT_MSG_EQ(driver.core.GetCounters(0).flooded,
                              1,
                              "frames counted as flooded or filtered");
        NS_TEST_EXPECT_MSG_EQ(Send(driver, 0, AddressOf(1), 3),
                              1,
                              "ports of a frame to a learned address");
        Send(driver, 1, BROADCAST, 200);
        NS_TEST_EXPECT_MSG_EQ(driver.core.GetCounters(1).unlearned,
                              0,
                              "addresses of port 1 that were not learned");
        // The first address was seen last after 3 s.
        Send(driver, 2, BROADCAST, 303);
        NS_TEST_EXPECT_MSG_EQ(Send(driver, 1, AddressOf(2), 304),
                              1,
                              "ports of a frame to an address learned after others have aged");
        NS_TEST_EXPECT_MSG_EQ(Send(driver, 1, AddressOf(0), 304),
                              ALL,
                              "ports of a frame to an address that has aged");
    }
};

/** A link that is cut loses its queue, forgets its addresses, and resumes paused senders. */
class SwitchLinkTestCase : public TestCase
{
  public:
    SwitchLinkTestCase()
        : TestCase("a link is cut and repaired")
    {
    }

  private:
    void DoRun() override
    {
        CutWithFrames();
        CutFullQueue();
        CutPaused();
    }

    /** Frames on the wire, in the queue and for the port that is cut are lost. */
    void CutWithFrames()
    {
        SwitchDriver driver({.latency = NanoSeconds(0)}, {FAST, FAST, FAST});
        driver.FrameAt(0, 1, BROADCAST, 0, 64);
        driver.FrameAt(1000000, 0, AddressOf(1), 1);
        driver.FrameAt(1000000, 0, AddressOf(1), 2);
        driver.At(1010000, [&] { driver.core.SetLinkUp(driver.now, 1, false); });
        driver.FrameAt(1020000, 0, AddressOf(1), 3);
        driver.At(1030000, [&] { driver.core.SetLinkUp(driver.now, 1, true); });
        driver.FrameAt(1040000, 0, BROADCAST, 4);
        driver.Run();
        const std::vector<std::string> drops{"1:1:link-down", "2:1:link-down", "3:1:link-down"};
        NS_TEST_EXPECT_MSG_EQ(
            ListText(driver.drops),
            ListText(drops),
            "losses: the frame on the wire, the queued one, and the one to be queued");
        const int64_t wire = Wire(1518);
        const std::vector<SwitchArrival> arrivals{{Wire(64) + DELAY, 0, 0},
                                                  {Wire(64) + DELAY, 2, 0},
                                                  {1020000 + wire + DELAY, 2, 3},
                                                  {1040000 + wire + DELAY, 1, 4},
                                                  {1020000 + 2 * wire + 960 + DELAY, 2, 4}};
        NS_TEST_EXPECT_MSG_EQ(ListText(driver.arrivals),
                              ListText(arrivals),
                              "arrivals: the address of the port is flooded, and its queue is "
                              "empty after the repair");
        NS_TEST_EXPECT_MSG_EQ(driver.freed, 5, "frames that are freed");
    }

    /** As many frames as the ring of the queue has places first. */
    void CutFullQueue()
    {
        SwitchDriver driver({.latency = NanoSeconds(0)}, {FAST, FAST});
        for (uint32_t i = 0; i < 8; ++i)
        {
            driver.FrameAt(i, 0, BROADCAST, i);
        }
        driver.At(1000, [&] { driver.core.SetLinkUp(driver.now, 1, false); });
        driver.Run();
        NS_TEST_EXPECT_MSG_EQ(driver.arrivals.size(), 0, "arrivals of lost frames");
        NS_TEST_EXPECT_MSG_EQ(driver.core.GetCounters(1).framesOut,
                              0,
                              "lost frames that count as sent");
    }

    /** A repaired link is not paused, at either end. */
    void CutPaused()
    {
        SwitchDriver driver(
            {.latency = NanoSeconds(0), .buffer = 8, .pause = true, .pauseQuanta = 100},
            {FAST, FAST});
        driver.FrameAt(0, 0, AddressOf(9), 0, 64);
        driver.At(500000, [&] { driver.core.OnPause(driver.now, 1, 65535); });
        for (uint32_t i = 0; i < 5; ++i)
        {
            driver.FrameAt(1000000, 1, AddressOf(0), 1 + i);
        }
        driver.At(1001000, [&] { driver.core.SetLinkUp(driver.now, 1, false); });
        driver.At(1002000, [&] { driver.core.SetLinkUp(driver.now, 1, true); });
        // The queue of port 0 is still too long when port 1 sends again; no gap follows the frame
        // that the second cut loses.
        driver.At(1269980, [&] { driver.core.SetLinkUp(driver.now, 1, false); });
        driver.At(1269990, [&] { driver.core.SetLinkUp(driver.now, 1, true); });
        driver.FrameAt(1270000, 1, AddressOf(0), 6);
        driver.FrameAt(1280000, 0, AddressOf(1), 7, 64);
        driver.Run();
        const int64_t control = Wire(64) + DELAY;
        NS_TEST_ASSERT_MSG_EQ(driver.pauses.size(),
                              3,
                              "PAUSE frames: no repetition, a second pause, and its end");
        NS_TEST_EXPECT_MSG_EQ(driver.pauses[1].at, 1270000 + control, "time of the PAUSE frame");
        NS_TEST_EXPECT_MSG_EQ(driver.pauses[2].quanta, 0, "quanta of the end of the second pause");
        const SwitchArrival last{1280000 + control, 1, 7};
        NS_TEST_EXPECT_MSG_EQ(
            std::count(driver.arrivals.begin(), driver.arrivals.end(), last),
            1,
            "arrivals of the last frame, which the pause before the cut does not delay");
    }
};

/** Suite of the switch without a simulator. */
class SwitchCoreTestSuite : public TestSuite
{
  public:
    SwitchCoreTestSuite()
        : TestSuite("broadcast-ethernet-switch-core", Type::UNIT)
    {
        AddTestCase(new SwitchIdleTestCase, Duration::QUICK);
        AddTestCase(new SwitchRateTestCase, Duration::QUICK);
        AddTestCase(new SwitchAddressTestCase, Duration::QUICK);
        AddTestCase(new SwitchTableTestCase, Duration::QUICK);
        AddTestCase(new SwitchLinkTestCase, Duration::QUICK);
        AddTestCase(new SwitchOverflowTestCase, Duration::QUICK);
        AddTestCase(new SwitchPauseTestCase, Duration::QUICK);
    }
};

static SwitchCoreTestSuite g_switchCoreTestSuite; ///< Registers the suite.

} // namespace switchcore
} // namespace tests
} // namespace ethernet
} // namespace ns3
