/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ethernet-fabric-bench.h"

#include "ns3/ethernet-fabric-presets.h"
#include "ns3/messaging-list-text.h"
#include "ns3/messaging-text.h"
#include "ns3/test.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <set>

/**
 * @file
 * @ingroup ethernet-fabric-tests
 * Built-in checks of the fabric: conservation, headroom, waiting times, ties, marks, trimming.
 */

namespace ns3
{
namespace fabric
{
namespace tests
{

using messaging::MARK_CONGESTION;
using messaging::MARK_LAST_HOP;
using messaging::MARK_TRIMMED;
using messaging::ToText;

namespace
{

/** @return one switch at 100 Gb/s, without latency, preambles and gaps: a byte takes 80 ps. */
FabricConfig
OneSwitch()
{
    FabricConfig config;
    config.topology = TopologyKind::SWITCH;
    config.hostRate = DataRate("100Gbps");
    config.latency = Time(0);
    config.gaps = false;
    config.buffer = 1U << 30;
    return config;
}

/** @return number of frames that have arrived with a mark. @param bench the hosts @param mark the
 * mark */
uint64_t
CountMarked(const Bench& bench, uint8_t mark)
{
    return static_cast<uint64_t>(
        std::count_if(bench.arrivals.begin(), bench.arrivals.end(), [mark](const Arrival& arrival) {
            return (arrival.frame.marks & mark) != 0;
        }));
}

/**
 * Let all hosts send frames of random lengths to random others.
 * @param bench the hosts
 * @param hosts their number
 * @param classes classes of traffic
 * @param seed seed of the traffic
 * @param frames frames of each host
 * @param gap largest gap between frames of a host [ns]
 * @param first first end of their plane
 */
void
AddRandomTraffic(Bench& bench,
                 uint32_t hosts,
                 uint32_t classes,
                 uint32_t seed,
                 uint32_t frames,
                 uint32_t gap,
                 Peer first = 0)
{
    std::mt19937 draw(seed);
    for (Peer host = 0; host < hosts; ++host)
    {
        uint64_t start = 0;
        for (uint32_t number = 0; number < frames; ++number)
        {
            start += draw() % gap;
            // Every third frame is for host 0, which overloads its port.
            const Peer other = (host + 1 + draw() % (hosts - 1)) % hosts;
            const bool hot = host != 0 && draw() % 3 == 0;
            bench.Add({.from = first + host,
                       .to = first + (hot ? 0 : other),
                       .bytes = 64 + static_cast<uint32_t>(draw() % 4096),
                       .start = start,
                       .trafficClass = static_cast<uint8_t>(draw() % classes),
                       .path = static_cast<uint16_t>(draw())});
        }
    }
}

} // namespace

/** Each frame is somewhere, whatever the fabric does with it. */
class ConservationTestCase : public TestCase
{
  public:
    ConservationTestCase()
        : TestCase("frames are conserved at each node, on random fabrics")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t FABRICS = 60;
        constexpr uint32_t FRAMES = 60;
        std::mt19937 draw(1);
        for (uint32_t number = 0; number < FABRICS; ++number)
        {
            FabricConfig config;
            config.topology = static_cast<TopologyKind>(draw() % 3);
            const uint32_t hosts = 4 + draw() % 9;
            config.parallel = 1 + draw() % 2;
            config.hostRate = DataRate(draw() % 2 ? "100Gbps" : "400Gbps");
            config.trunkRate = DataRate(draw() % 2 ? "100Gbps" : "800Gbps");
            config.delay = NanoSeconds(draw() % 3 * 300);
            config.latency = NanoSeconds(draw() % 2 * 200);
            config.gaps = draw() % 2;
            config.switching = static_cast<Switching>(draw() % 2);
            config.classes = 2 + draw() % 7;
            if (draw() % 3 == 0)
            {
                config.classes = 4;
                config.weights = "4 1 2 1";
            }
            config.sharing = static_cast<Sharing>(draw() % 2);
            config.buffer = 10000 + draw() % 30000;
            config.admission = static_cast<Admission>(draw() % 3);
            config.trimThreshold = 8000;
            config.headerQueue = 256;
            const bool takesTrimmed = draw() % 2;
            config.pfcXoff = 8000;
            config.pfcResume = 4000;
            config.pfcHeadroom = draw() % 2 ? 0 : 5000;
            config.lossless = draw() % 2 ? 0xff : 0x55;
            config.ecn = static_cast<Ecn>(draw() % 3);
            config.ecnLow = 3000;
            config.ecnHigh = 9000;
            config.ecnPoint = static_cast<EcnPoint>(draw() % 2);
            config.routing = static_cast<Routing>(draw() % 4);
            config.paths = 48;
            config.planes = 1 + draw() % 3;
            config.bitErrors = draw() % 2 * 1e-6;
            config.convergence = MicroSeconds(2);
            if (draw() % 3 == 0)
            {
                const std::string plane = config.planes > 1 ? "@0" : "";
                config.faults =
                    "1us host1" + plane + " flap 3us 1us 3; 2us host0" + plane + " rate 50Gbps";
            }
            Bench bench(config, hosts, number + 1);
            bench.takesTrimmed = takesTrimmed;
            for (uint32_t plane = 0; plane < config.planes; ++plane)
            {
                AddRandomTraffic(bench, hosts, config.classes, number, FRAMES, 300, plane * hosts);
            }
            for (const uint64_t end : {1000, 4000, 9000, 0})
            {
                bench.Run(end);
                NS_TEST_EXPECT_MSG_EQ(bench.GetEngine().CheckConservation(),
                                      "",
                                      "fabric " << number);
                NS_TEST_EXPECT_MSG_EQ(bench.arrivals.size() + bench.losses.size() +
                                          bench.GetEngine().GetNInFlight(),
                                      bench.offered,
                                      "fabric " << number << " at " << end << " ns");
            }
            NS_TEST_EXPECT_MSG_EQ(bench.offered, hosts * config.planes * FRAMES, "all are sent");
            NS_TEST_EXPECT_MSG_EQ(bench.GetEngine().GetNInFlight(), 0, "nothing is left over");
            const auto nodes =
                static_cast<NodeId>(bench.GetEngine().GetTopology().GetNodes().size());
            for (NodeId node = 0; node < nodes; ++node)
            {
                NS_TEST_EXPECT_MSG_EQ(bench.GetEngine().GetNodeCounters(node).used,
                                      0,
                                      "fabric " << number << ": the buffers are empty");
            }
        }
    }
};

/** Planes are copies of a fabric without a link between them. */
class PlaneTestCase : public TestCase
{
  public:
    PlaneTestCase()
        : TestCase("latency in each plane by closed form; planes do not share a link")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t HOSTS = 9;
        constexpr uint32_t PLANES = 4;
        constexpr uint32_t BYTES = 1000;
        constexpr uint32_t FRAMES = 100;
        FabricConfig config;
        config.hostRate = DataRate("100Gbps");
        config.planes = PLANES;
        config.paths = PLANES;
        // Three leaves of three hosts: three switches, four links, and 80 ps a byte.
        const Instant turn = (BYTES + PREAMBLE + GAP) * 80;
        const Instant alone = 4 * (500'000 + (BYTES + PREAMBLE) * 80) + 3 * 500'000;
        Bench bench(config, HOSTS);
        for (uint32_t plane = 0; plane < PLANES; ++plane)
        {
            const Peer from = plane * HOSTS;
            const Peer to = from + HOSTS - 1;
            NS_TEST_EXPECT_MSG_EQ(bench.GetEngine().GetIdleLatency(from, to, BYTES),
                                  alone,
                                  "closed form in plane " << plane);
            bench.Add({.from = from, .to = to, .bytes = BYTES, .count = FRAMES});
        }
        bench.Run();
        std::map<Peer, uint64_t> counts;
        std::map<Peer, Instant> last;
        for (const Arrival& arrival : bench.arrivals)
        {
            ++counts[arrival.to];
            last[arrival.to] = arrival.when;
            NS_TEST_EXPECT_MSG_EQ(arrival.to / HOSTS, arrival.from / HOSTS, "one plane");
        }
        for (uint32_t plane = 0; plane < PLANES; ++plane)
        {
            const Peer to = plane * HOSTS + HOSTS - 1;
            NS_TEST_EXPECT_MSG_EQ(counts[to], FRAMES, "all frames of plane " << plane);
            NS_TEST_EXPECT_MSG_EQ(last[to],
                                  (alone + (FRAMES - 1) * turn + PS_PER_NS - 1) / PS_PER_NS,
                                  "at the full rate in plane " << plane);
        }
        NS_TEST_EXPECT_MSG_EQ(bench.GetEngine().CheckConservation(), "", "frames are conserved");
    }
};

/** A simulation of one class of traffic with an event for each departure. */
class Reference
{
  public:
    /** Construct. @param topology the topology @param config the parameters */
    Reference(const FabricTopology& topology, const FabricConfig& config)
        : m_topology(topology),
          m_latency(config.latency.GetPicoSeconds()),
          m_delay(config.delay.GetPicoSeconds()),
          m_busy(topology.GetNPorts())
    {
        for (PortId port = 0; port < topology.GetNPorts(); ++port)
        {
            const DataRate rate =
                topology.IsHostLink(port) ? config.hostRate : config.GetTrunkRate();
            m_times.emplace_back(rate.GetBitRate());
        }
        m_edge = config.gaps ? PREAMBLE + GAP : 0;
        m_lead = config.gaps ? PREAMBLE : 0;
    }

    /** Send a frame. @param flow the frame */
    void Send(const Flow& flow)
    {
        m_events.emplace(flow.start * PS_PER_NS, State{flow, flow.from});
    }

    /** @return for each frame receiver, sender, length and time of arrival [ns]. */
    std::multiset<std::vector<uint64_t>> Run()
    {
        std::multiset<std::vector<uint64_t>> arrivals;
        while (!m_events.empty())
        {
            const auto [now, state] = *m_events.begin();
            m_events.erase(m_events.begin());
            Instant& busy = m_busy[state.output];
            const LinkTime& time = m_times[state.output];
            const Instant start = std::max(busy, now);
            busy = start + time.Get(state.flow.bytes + m_edge);
            const Instant tail = start + time.Get(state.flow.bytes + m_lead) + m_delay;
            const PortId input = m_topology.GetPeer(state.output);
            const NodeId node = m_topology.GetOwner(input);
            if (node == state.flow.to)
            {
                arrivals.insert({state.flow.to,
                                 state.flow.from,
                                 state.flow.bytes,
                                 (tail + PS_PER_NS - 1) / PS_PER_NS});
                continue;
            }
            // Digits of the path select among ports.
            State next = state;
            const PortRange range = m_topology.GetNodes()[node].Find(state.flow.to);
            next.output = range.first + next.flow.path % range.count;
            if (range.count > 1)
            {
                next.flow.path /= range.count;
            }
            m_events.emplace(tail + m_latency, next);
        }
        return arrivals;
    }

  private:
    /** A frame that is ready for a port. */
    struct State
    {
        Flow flow;     ///< The frame.
        PortId output; ///< The port.
    };

    const FabricTopology& m_topology;       ///< The topology.
    Instant m_latency;                      ///< Latency of a switch [ps].
    Instant m_delay;                        ///< Delay of a link [ps].
    uint32_t m_edge{0};                     ///< Preamble and gap [bytes].
    uint32_t m_lead{0};                     ///< Preamble [bytes].
    std::vector<LinkTime> m_times;          ///< Times of a byte by port.
    std::vector<Instant> m_busy;            ///< End of a link's use by port [ps].
    std::multimap<Instant, State> m_events; ///< Frames by the time at which they are ready.
};

/** Arrivals are those of a simulation with an event for each departure. */
class OracleTestCase : public TestCase
{
  public:
    OracleTestCase()
        : TestCase("arrivals are those of an independent simulation")
    {
    }

  private:
    void DoRun() override
    {
        for (const TopologyKind kind :
             {TopologyKind::SWITCH, TopologyKind::LEAF_SPINE, TopologyKind::FAT_TREE})
        {
            for (const bool gaps : {false, true})
            {
                FabricConfig config;
                config.topology = kind;
                // A byte takes 246.15 and 101.27 ps: few frames tie.
                config.hostRate = DataRate("32500Mbps");
                config.trunkRate = DataRate("79Gbps");
                config.gaps = gaps;
                config.buffer = 1U << 30;
                config.routing = Routing::SOURCE;
                config.paths = 65535;
                // All frames of a host are ready at the port at their times.
                config.sendQueue = 1000;
                constexpr uint32_t HOSTS = 9;
                Bench bench(config, HOSTS);
                Reference reference(bench.GetEngine().GetTopology(), config);
                std::mt19937 draw(7);
                for (uint32_t number = 0; number < 3000; ++number)
                {
                    const Peer from = draw() % HOSTS;
                    const Flow flow{
                        .from = from,
                        .to = static_cast<Peer>((from + 1 + draw() % (HOSTS - 1)) % HOSTS),
                        .bytes = 64 + static_cast<uint32_t>(draw() % 4000),
                        .start = number * 97,
                        .path = static_cast<uint16_t>(draw() % 65535)};
                    bench.Add(flow);
                    reference.Send(flow);
                }
                bench.Run();
                std::multiset<std::vector<uint64_t>> arrivals;
                for (const Arrival& arrival : bench.arrivals)
                {
                    arrivals.insert(
                        {arrival.to, arrival.from, arrival.frame.payload, arrival.when});
                }
                NS_TEST_EXPECT_MSG_EQ(arrivals.size(), 3000, "all arrive");
                NS_TEST_EXPECT_MSG_EQ((arrivals == reference.Run()),
                                      true,
                                      "topology " << static_cast<int>(kind) << ", gaps " << gaps);
            }
        }
    }
};

/** Mean wait at a port with random arrivals: that of M/D/1, rho / (2 (1 - rho)) services. */
class WaitTestCase : public TestCase
{
  public:
    WaitTestCase()
        : TestCase("mean wait at a port is that of an M-D-1 queue")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t SENDERS = 64;
        constexpr uint32_t BYTES = 1000;
        constexpr uint32_t FRAMES = 100000;
        constexpr double SERVICE = 80; // Of 1000 bytes at 100 Gb/s [ns].
        for (const double load : {0.5, 0.8})
        {
            FabricConfig config = OneSwitch();
            config.delay = NanoSeconds(0);
            Bench bench(config, SENDERS + 1);
            std::mt19937 draw(3);
            std::exponential_distribution<double> gap(load / SERVICE);
            double start = 0;
            std::vector<double> sent(1);
            for (uint32_t number = 0; number < FRAMES; ++number)
            {
                start += gap(draw);
                sent.push_back(std::floor(start));
                bench.Add({.from = 1 + static_cast<Peer>(draw() % SENDERS),
                           .bytes = BYTES,
                           .start = static_cast<uint64_t>(start)});
            }
            bench.Run();
            double wait = 0;
            for (const Arrival& arrival : bench.arrivals)
            {
                wait += static_cast<double>(arrival.when) - sent[arrival.frame.id] - 2 * SERVICE;
            }
            wait /= FRAMES;
            // A sender's own link has 1/64 of the load.
            const double own = load / SENDERS;
            const double expected = (load / (2 * (1 - load)) + own / (2 * (1 - own))) * SERVICE;
            NS_TEST_EXPECT_MSG_EQ_TOL(wait, expected, 0.04 * expected, "load " << load);
        }
    }
};

/** Two equal senders that tie lose the same number of frames. */
class TieTestCase : public TestCase
{
  public:
    TieTestCase()
        : TestCase("frames that tie are treated fairly, and a seed determines the order")
    {
    }

  private:
    /** @return losses by sender. @param seed the seed */
    static std::map<Peer, double> Lose(uint64_t seed)
    {
        FabricConfig config = OneSwitch();
        config.buffer = 5000;
        Bench bench(config, 3, seed);
        for (const Peer sender : {1, 2})
        {
            bench.Add({.from = sender, .count = 20000});
        }
        bench.Run();
        std::map<Peer, double> losses;
        for (const LossEvent& loss : bench.losses)
        {
            ++losses[loss.from];
        }
        return losses;
    }

    void DoRun() override
    {
        const auto losses = Lose(1);
        const double total = losses.at(1) + losses.at(2);
        NS_TEST_EXPECT_MSG_EQ_TOL(total, 20000, 10, "every other frame is lost");
        NS_TEST_EXPECT_MSG_LT(std::abs(losses.at(1) - losses.at(2)),
                              5 * std::sqrt(total),
                              "the difference is below five standard deviations");
        NS_TEST_EXPECT_MSG_EQ(messaging::tests::ListText(Lose(1)),
                              messaging::tests::ListText(losses),
                              "the same seed");
        NS_TEST_EXPECT_MSG_NE(messaging::tests::ListText(Lose(2)),
                              messaging::tests::ListText(losses),
                              "another seed");
    }
};

/**
 * With exactly the headroom that the formula gives for frames of one length, nothing is lost; with
 * one byte less, one frame.
 *
 * Host 1 fills the output to host 0 with class 1, so that frames of host 2 in class 0 stay in the
 * switch. The frame that crosses XOFF arrives at t; the pause frame reaches host 2 at t + W(64) +
 * d. Frames of length M that host 2 has begun until then arrive, too: the first at t - d, and one
 * more for each W(M) in W(64) + 2 d.
 */
class HeadroomTestCase : public TestCase
{
  public:
    HeadroomTestCase()
        : TestCase("no drop with sufficient headroom, one with a byte less")
    {
    }

  private:
    /**
     * Get the exact headroom for frames of one length.
     * @param config the parameters, without preambles and gaps
     * @param bytes length of the frames [bytes]
     * @param[out] frames frames that arrive up to the last one that the headroom takes
     * @return the headroom [bytes]
     */
    static uint32_t GetExact(const FabricConfig& config, uint32_t bytes, uint32_t& frames)
    {
        const LinkTime time(config.hostRate.GetBitRate());
        const auto delay = static_cast<Instant>(config.delay.GetPicoSeconds());
        const Instant window = time.Get(LEAST_FRAME) + 2 * delay;
        const auto late = static_cast<uint32_t>(window / time.Get(bytes) + 1);
        const uint32_t crossing = config.pfcXoff / bytes + 1;
        frames = crossing + late;
        return frames * bytes - config.pfcXoff;
    }

    /**
     * Fill an input whose output is occupied.
     * @param config the parameters
     * @param bytes length of the frames [bytes]
     * @param frames number of frames
     * @param name name of the case
     * @return frames lost for want of headroom
     */
    uint64_t Lose(const FabricConfig& config,
                  uint32_t bytes,
                  uint32_t frames,
                  const std::string& name)
    {
        constexpr uint32_t OCCUPIERS = 2000;
        Bench bench(config, 3);
        bench.Add(
            {.from = 1, .bytes = config.GetLargestFrame(), .count = OCCUPIERS, .trafficClass = 1});
        bench.Add({.from = 2, .bytes = bytes, .count = frames, .start = 1000});
        bench.Run();
        const uint64_t lost = bench.GetLosses(LossReason::HEADROOM);
        NS_TEST_EXPECT_MSG_EQ(bench.arrivals.size(), OCCUPIERS + frames - lost, name);
        NS_TEST_EXPECT_MSG_EQ(bench.pauses.front().on, true, name);
        NS_TEST_EXPECT_MSG_EQ(bench.pauses.back().on, false, name << ": resumed");
        return lost;
    }

    void DoRun() override
    {
        for (const uint32_t bytes : {64U, 1000U, 1500U, 4206U, 9000U})
        {
            for (const int64_t delay : {0, 100, 500, 5000})
            {
                FabricConfig config = OneSwitch();
                config.mtu = 9000 - config.overhead;
                config.admission = Admission::PFC;
                config.delay = NanoSeconds(delay);
                config.pfcXoff = 50001;
                uint32_t frames = 0;
                const uint32_t exact = GetExact(config, bytes, frames);
                NS_TEST_EXPECT_MSG_GT_OR_EQ(config.GetLeastHeadroom(), exact, "it suffices");
                for (const uint32_t less : {0U, 1U})
                {
                    config.pfcHeadroom = exact - less;
                    const std::string name =
                        ToText(bytes, " bytes, ", delay, " ns, ", less, " less");
                    NS_TEST_EXPECT_MSG_EQ(Lose(config, bytes, 4 * frames, name), less, name);
                }
            }
        }
        CheckPreset();
    }

    /** The preset irn2018 with PFC: 1048 bytes a frame, 40 Gb/s, 2 us. */
    void CheckPreset()
    {
        FabricConfig config = GetPreset(Preset::IRN2018);
        config.admission = Admission::PFC;
        uint32_t frames = 0;
        const uint32_t bytes = config.GetLargestFrame();
        const uint32_t exact = GetExact(config, bytes, frames);
        // 80 bytes of the crossing frame beyond 220 kB, and 20 frames; a frame in the way of the
        // pause frame, and frames of other lengths, need more.
        NS_TEST_EXPECT_MSG_EQ(exact, 80 + 20 * 1048, "exact for frames of one length");
        NS_TEST_EXPECT_MSG_EQ(config.GetHeadroom(), 3 * 1048 + 64 + 20000, "that of the preset");
        frames *= 4;
        NS_TEST_EXPECT_MSG_EQ(Lose(config, bytes, frames, "preset"), 0, "the preset loses nothing");
        config.pfcHeadroom = exact;
        NS_TEST_EXPECT_MSG_EQ(Lose(config, bytes, frames, "exact"), 0, "enough");
        config.pfcHeadroom = exact - 1;
        NS_TEST_EXPECT_MSG_EQ(Lose(config, bytes, frames, "less"), 1, "one byte less, one frame");
        config.pfcHeadroom = 20000;
        NS_TEST_EXPECT_MSG_EQ(Lose(config, bytes, frames, "20 kB"), 1, "the bytes on the link");
    }
};

/** Pauses that end by themselves, and pause frames that are lost. */
class PauseTimeTestCase : public TestCase
{
  public:
    PauseTimeTestCase()
        : TestCase("a pause frame is repeated until its pause ends, and can be lost")
    {
    }

  private:
    /** A long pause is as long as without repetition, and loses nothing. */
    void CheckRepetition()
    {
        constexpr uint32_t OCCUPIERS = 2000;
        constexpr uint32_t FRAMES = 200;
        constexpr Instant PAUSE = 10'000 * PS_PER_NS;
        std::vector<Arrival> arrivals;
        for (const bool ends : {false, true})
        {
            FabricConfig config = OneSwitch();
            config.admission = Admission::PFC;
            config.pfcXoff = 50000;
            config.pfcPause = PicoSeconds(ends ? PAUSE : 0);
            Bench bench(config, 3);
            bench.Add({.from = 1,
                       .bytes = config.GetLargestFrame(),
                       .count = OCCUPIERS,
                       .trafficClass = 1});
            bench.Add({.from = 2, .count = FRAMES, .start = 1000});
            bench.Run();
            NS_TEST_EXPECT_MSG_EQ(bench.losses.size(), 0, "lossless");
            NS_TEST_EXPECT_MSG_EQ(bench.arrivals.size(), OCCUPIERS + FRAMES, "all arrive");
            if (!ends)
            {
                NS_TEST_EXPECT_MSG_EQ(bench.pauses.size() % 2, 0, "each pause is ended");
                arrivals = bench.arrivals;
                continue;
            }
            NS_TEST_EXPECT_MSG_EQ((bench.arrivals == arrivals), true, "at the same times");
            uint64_t expected = 0;
            Instant begin = NEVER;
            for (const PauseEvent& pause : bench.pauses)
            {
                begin = std::min(begin, pause.when);
                if (!pause.on)
                {
                    expected += 2 + (pause.when - begin) / (PAUSE / 2);
                    begin = NEVER;
                }
            }
            NS_TEST_EXPECT_MSG_GT(expected, 100, "the first pause is long");
            NS_TEST_EXPECT_MSG_EQ(bench.pauses.size(), expected, "repeated after each half");
        }
    }

    /** Whatever pause frames are lost, the run ends, and each frame arrives or is lost once. */
    void CheckLosses()
    {
        constexpr uint32_t SENDERS = 8;
        constexpr uint32_t FRAMES = 2000;
        FabricConfig config = OneSwitch();
        config.admission = Admission::PFC;
        config.pfcXoff = 5000;
        config.pfcResume = 2000;
        constexpr Instant PAUSE = 5000 * PS_PER_NS;
        config.pfcPause = PicoSeconds(PAUSE);
        config.bitErrors = 2e-4;
        Bench bench(config, SENDERS + 1);
        for (Peer sender = 1; sender <= SENDERS; ++sender)
        {
            bench.Add({.from = sender, .bytes = LEAST_FRAME, .count = FRAMES});
        }
        bench.Run();
        NS_TEST_EXPECT_MSG_EQ(bench.arrivals.size() + bench.losses.size(),
                              SENDERS * FRAMES,
                              "each frame arrives or is lost");
        std::map<PortId, Instant> begins;
        for (const PauseEvent& pause : bench.pauses)
        {
            const Instant begin = begins.try_emplace(pause.port, pause.when).first->second;
            const bool isTimely = !pause.on || (pause.when - begin) % (PAUSE / 2) == 0;
            NS_TEST_EXPECT_MSG_EQ(isTimely, true, "a repetition belongs to the pause of the time");
            if (!pause.on)
            {
                begins.erase(pause.port);
            }
        }
        uint64_t sent = 0;
        uint64_t received = 0;
        uint64_t lost = 0;
        for (Peer host = 1; host <= SENDERS; ++host)
        {
            received += bench.GetPort(ToText("host", host, "-leaf0")).pausesReceived;
            lost += bench.GetPort(ToText("host", host, "-leaf0")).pausesLost;
            sent += bench.GetPort(ToText("leaf0-host", host)).pausesSent;
        }
        // A share 1 - (1 - 2e-4)^512 of 9.7 %; frames that end a pause are lost, too.
        NS_TEST_EXPECT_MSG_GT(received, 100, "pauses");
        NS_TEST_EXPECT_MSG_LT(received, sent, "some are lost");
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(sent - received) / sent,
                                  0.097,
                                  0.03,
                                  "share");
        NS_TEST_EXPECT_MSG_GT(lost, sent - received, "those that end a pause, too");
    }

    /** A pause that a switch cannot repeat in time is refused. */
    void CheckLimit()
    {
        FabricConfig config = OneSwitch();
        config.admission = Admission::PFC;
        // 4206 bytes and two pause frames of 64 at 80 ps a byte, twice: 693.44 ns.
        NS_TEST_EXPECT_MSG_EQ(config.GetLargestFrame(), 4206, "length of the largest frame");
        config.pfcPause = NanoSeconds(694);
        NS_TEST_EXPECT_MSG_EQ(config.Check(2), "", "accepted");
        config.pfcPause = NanoSeconds(693);
        NS_TEST_EXPECT_MSG_EQ(config.Check(2).substr(0, 45),
                              "PfcPause has to be 0, or at least 694 ns: a s",
                              "refused");
    }

    void DoRun() override
    {
        CheckRepetition();
        CheckLosses();
        CheckLimit();
    }
};

/** A thousand senders at once lose nothing with the default headroom, in any topology. */
class IncastTestCase : public TestCase
{
  public:
    IncastTestCase()
        : TestCase("pauses propagate; an incast of lossless classes loses nothing")
    {
    }

  private:
    void DoRun() override
    {
        FabricConfig config;
        config.topology = TopologyKind::FAT_TREE;
        config.admission = Admission::PFC;
        config.pfcXoff = 20000;
        config.pfcResume = 8000;
        config.classes = 8;
        constexpr uint32_t SENDERS = 120;
        Bench bench(config, SENDERS + 1);
        for (Peer sender = 1; sender <= SENDERS; ++sender)
        {
            bench.Add({.from = sender,
                       .bytes = config.GetLargestFrame(),
                       .count = 40,
                       .trafficClass = static_cast<uint8_t>(sender % 8)});
        }
        bench.Run();
        NS_TEST_EXPECT_MSG_EQ(bench.losses.size(), 0, "lossless");
        NS_TEST_EXPECT_MSG_EQ(bench.arrivals.size(), SENDERS * 40, "all arrive");
        const auto& topology = bench.GetEngine().GetTopology();
        std::set<Tier> tiers;
        std::map<std::pair<PortId, uint8_t>, bool> paused;
        for (const PauseEvent& pause : bench.pauses)
        {
            tiers.insert(topology.GetNodes()[topology.GetOwner(pause.port)].tier);
            bool& state = paused[{pause.port, pause.trafficClass}];
            NS_TEST_EXPECT_MSG_NE(state, pause.on, "pauses begin and end in turn");
            state = pause.on;
        }
        NS_TEST_EXPECT_MSG_EQ(tiers.size(), 3, "leaves, spines and cores have paused senders");
        for (const auto& [sender, state] : paused)
        {
            NS_TEST_EXPECT_MSG_EQ(state, false, "every pause ends");
        }

        // Classes without PFC never cause a pause.
        config.lossless = 0;
        config.buffer = 20000;
        Bench lossy(config, SENDERS + 1);
        for (Peer sender = 1; sender <= SENDERS; ++sender)
        {
            lossy.Add({.from = sender, .bytes = config.GetLargestFrame(), .count = 10});
        }
        lossy.Run();
        NS_TEST_EXPECT_MSG_EQ(lossy.pauses.size(), 0, "no pause");
        NS_TEST_EXPECT_MSG_GT(lossy.losses.size(), 0, "drops");
    }
};

/** Marks of a queue that grows to a known length, and is then served. */
class MarkTestCase : public TestCase
{
  public:
    MarkTestCase()
        : TestCase("the number of marked frames is that of the queue's lengths")
    {
    }

  private:
    static constexpr uint32_t BYTES = 1000;  ///< Length of a frame.
    static constexpr uint32_t FRAMES = 400;  ///< Frames of the queue.
    static constexpr uint32_t LOW = 100000;  ///< Lower threshold [bytes].
    static constexpr uint32_t HIGH = 300000; ///< Upper threshold [bytes].

    /** @return marked frames of the queue. @param config the parameters @param seed the seed */
    uint64_t Count(const FabricConfig& config, uint64_t seed)
    {
        Bench bench(config, 4, seed);
        // Class 1 occupies the output until all frames of class 0 are queued.
        for (const Peer sender : {1, 3})
        {
            bench.Add({.from = sender, .bytes = 4000, .count = 75, .trafficClass = 1});
        }
        bench.Add({.from = 2, .bytes = BYTES, .count = FRAMES, .start = 1000});
        bench.Run();
        uint64_t count = 0;
        for (const Arrival& arrival : bench.arrivals)
        {
            count += arrival.from == 2 && (arrival.frame.marks & MARK_CONGESTION);
        }
        NS_TEST_EXPECT_MSG_EQ(bench.arrivals.size(), FRAMES + 150, "all arrive");
        NS_TEST_EXPECT_MSG_EQ(CountMarked(bench, MARK_CONGESTION),
                              bench.GetPort("leaf0-host0").marks,
                              "counted at the port");
        return count;
    }

    void DoRun() override
    {
        FabricConfig config = OneSwitch();
        config.ecnLow = LOW;
        config.ecnHigh = HIGH;
        config.ecnShare = 0.2;
        NS_TEST_EXPECT_MSG_EQ(Count(config, 1), 0, "off");
        config.ecn = Ecn::STEP;
        // Frame n of the queue finds n frames; at its departure, FRAMES - n are there with it.
        NS_TEST_EXPECT_MSG_EQ(Count(config, 1), FRAMES - LOW / BYTES, "step at enqueue");
        config.ecnPoint = EcnPoint::DEQUEUE;
        NS_TEST_EXPECT_MSG_EQ(Count(config, 1), FRAMES - LOW / BYTES + 1, "step at dequeue");
        config.ecnLastHop = false;
        NS_TEST_EXPECT_MSG_EQ(Count(config, 1), 0, "ports to hosts do not mark");
        config.ecnLastHop = true;
        config.ecn = Ecn::RED;
        for (const EcnPoint point : {EcnPoint::ENQUEUE, EcnPoint::DEQUEUE})
        {
            config.ecnPoint = point;
            double expected = 0;
            double variance = 0;
            const uint32_t first = point == EcnPoint::ENQUEUE ? 0 : 1;
            for (uint32_t queue = first; queue < FRAMES + first; ++queue)
            {
                const double length = queue * BYTES;
                double share = length >= HIGH ? 1 : 0.2 * (length - LOW) / (HIGH - LOW);
                share = std::max(share, 0.0);
                expected += share;
                variance += share * (1 - share);
            }
            constexpr uint32_t RUNS = 20;
            double marked = 0;
            for (uint32_t seed = 1; seed <= RUNS; ++seed)
            {
                marked += static_cast<double>(Count(config, seed));
            }
            NS_TEST_EXPECT_MSG_EQ_TOL(marked / RUNS,
                                      expected,
                                      5 * std::sqrt(variance / RUNS),
                                      "RED at point " << static_cast<int>(point));
        }
    }
};

/** Frames beyond the threshold lose their payload, and overtake. */
class TrimTestCase : public TestCase
{
  public:
    TrimTestCase()
        : TestCase("trimmed frames overtake, without payload, and are marked")
    {
    }

  private:
    void DoRun() override
    {
        FabricConfig config = OneSwitch();
        config.admission = Admission::TRIM;
        config.trimThreshold = 10000;
        constexpr uint32_t FRAMES = 50;
        Bench bench(config, 3);
        for (const Peer sender : {1, 2})
        {
            bench.Add({.from = sender, .count = FRAMES});
        }
        bench.Run();
        NS_TEST_EXPECT_MSG_EQ(bench.losses.size(), 0, "nothing is lost");
        NS_TEST_EXPECT_MSG_EQ(bench.arrivals.size(), 2 * FRAMES, "all arrive");
        const uint64_t trims = CountMarked(bench, MARK_TRIMMED);
        NS_TEST_EXPECT_MSG_EQ(trims, bench.GetPort("leaf0-host0").trims, "counted at the port");
        NS_TEST_EXPECT_MSG_EQ(CountMarked(bench, MARK_LAST_HOP), trims, "at the last hop");
        NS_TEST_EXPECT_MSG_GT(trims, FRAMES / 2, "about every other frame beyond the threshold");
        uint64_t overtaken = 0;
        uint64_t newest = 0;
        for (const Arrival& arrival : bench.arrivals)
        {
            const bool trimmed = arrival.frame.marks & MARK_TRIMMED;
            NS_TEST_EXPECT_MSG_EQ(arrival.frame.payload, 1000, "the size that was sent");
            const uint64_t contents = trimmed ? 0 : ~arrival.frame.id;
            NS_TEST_EXPECT_MSG_EQ(arrival.frame.contents, contents, "none in a trimmed frame");
            overtaken += arrival.frame.id < newest;
            newest = std::max(newest, arrival.frame.id);
        }
        NS_TEST_EXPECT_MSG_GT(overtaken, 0, "trimmed frames overtake");
        CheckThreshold();
    }

    /** A frame is trimmed if the queue would exceed the threshold with it, by a byte. */
    void CheckThreshold()
    {
        constexpr uint32_t BYTES = 1000;
        constexpr uint32_t FRAMES = 50;
        for (const uint32_t threshold : {10 * BYTES, 10 * BYTES - 1})
        {
            FabricConfig config = OneSwitch();
            config.admission = Admission::TRIM;
            config.trimThreshold = threshold;
            config.headerQueue = 1U << 30;
            Bench bench(config, 4);
            // The highest class occupies the output until all frames of class 0 are queued.
            for (const Peer sender : {1, 3})
            {
                bench.Add({.from = sender, .bytes = 4000, .count = 75, .trafficClass = 1});
            }
            bench.Add({.from = 2, .bytes = BYTES, .count = FRAMES, .start = 1000});
            bench.Run();
            NS_TEST_EXPECT_MSG_EQ(CountMarked(bench, MARK_TRIMMED),
                                  FRAMES - threshold / BYTES,
                                  "threshold " << threshold);
        }
    }
};

/** A frame no longer than a trimmed one loses nothing where others are trimmed. */
class ShortFrameTestCase : public TestCase
{
  public:
    ShortFrameTestCase()
        : TestCase("a frame no longer than TrimSize takes the queue of headers whole, unmarked")
    {
    }

  private:
    void DoRun() override
    {
        struct Row
        {
            uint32_t bytes;    ///< Length of the frames [bytes].
            bool takesTrimmed; ///< Hosts take trimmed frames.
            uint32_t headers;  ///< HeaderQueue [bytes].
            uint64_t trims;    ///< Expected: trimmed frames that arrive.
            uint64_t arrivals; ///< Expected: frames that arrive.
            LossReason reason; ///< Expected: reason of the others.
        };

        constexpr uint32_t FRAMES = 20;
        constexpr uint32_t FILLERS = 150;
        constexpr uint32_t LARGE = 1U << 30;
        // The threshold is below a frame, so that all of class 0 are trimmed or moved.
        for (const Row& row : {Row{65, true, LARGE, FRAMES, FRAMES, LossReason::TRIMMED},
                               Row{65, false, LARGE, 0, 0, LossReason::TRIMMED},
                               Row{64, true, LARGE, 0, FRAMES, LossReason::TRIMMED},
                               Row{64, false, LARGE, 0, FRAMES, LossReason::TRIMMED},
                               Row{64, false, 0, 0, 0, LossReason::FULL_HEADER_QUEUE}})
        {
            FabricConfig config = OneSwitch();
            config.admission = Admission::TRIM;
            config.trimThreshold = 10;
            config.headerQueue = row.headers;
            Bench bench(config, 4);
            bench.takesTrimmed = row.takesTrimmed;
            bench.Add({.from = 1, .bytes = 4000, .count = FILLERS, .trafficClass = 1});
            bench.Add({.from = 2, .bytes = row.bytes, .count = FRAMES, .start = 1000});
            bench.Run();
            const std::string name =
                ToText(row.bytes, " bytes, taken ", row.takesTrimmed, ", ", row.headers);
            NS_TEST_EXPECT_MSG_EQ(CountMarked(bench, MARK_TRIMMED), row.trims, name);
            NS_TEST_EXPECT_MSG_EQ(bench.arrivals.size(), FILLERS + row.arrivals, name);
            NS_TEST_EXPECT_MSG_EQ(bench.GetLosses(row.reason), FRAMES - row.arrivals, name);
            const bool isCut = row.bytes > config.trimSize;
            const uint64_t cut = isCut ? FRAMES : 0;
            NS_TEST_EXPECT_MSG_EQ(bench.GetPort("leaf0-host0").trims, cut, name);
            for (const Arrival& arrival : bench.arrivals)
            {
                const bool isWhole = arrival.from == 1 || !isCut;
                const uint64_t contents = isWhole ? ~arrival.frame.id : 0;
                NS_TEST_EXPECT_MSG_EQ(arrival.frame.contents, contents, name);
            }
            NS_TEST_EXPECT_MSG_EQ(bench.GetEngine().CheckConservation(), "", name);
        }
    }
};

/** A frame of a higher class waits only for the frame on the link. */
class ClassTestCase : public TestCase
{
  public:
    ClassTestCase()
        : TestCase("a higher class precedes all frames that have not begun to leave")
    {
    }

  private:
    void DoRun() override
    {
        FabricConfig config = OneSwitch();
        config.classes = 8;
        config.delay = Time(0);
        Bench bench(config, 4);
        // Two hosts fill the queue of host 0; a byte takes 80 ps, a frame of theirs 320 ns.
        bench.Add({.from = 1, .bytes = 4000, .count = 100});
        bench.Add({.from = 2, .bytes = 4000, .count = 100});
        // Frame of 1000 bytes, at the switch after 80 ns, that is at 10080 ns: the frame on the
        // link ends at 320 (n + 1), n = 31, 10240 ns.
        bench.Add({.from = 3, .bytes = 1000, .start = 10000, .trafficClass = 5});
        bench.Run();
        const auto found = std::find_if(bench.arrivals.begin(),
                                        bench.arrivals.end(),
                                        [](const Arrival& arrival) { return arrival.from == 3; });
        NS_TEST_EXPECT_MSG_EQ(found->when, 10240 + 80, "after one frame");
        // The others take all the time that is left.
        NS_TEST_EXPECT_MSG_EQ(bench.arrivals.back().when, 320 + 200 * 320 + 80, "no time is lost");
        NS_TEST_EXPECT_MSG_EQ(bench.arrivals.size(), 201, "all arrive");
    }
};

/** Classes share a link by their weights, while all of them have frames. */
class WeightTestCase : public TestCase
{
  public:
    WeightTestCase()
        : TestCase("classes share a link by their weights")
    {
    }

  private:
    void DoRun() override
    {
        FabricConfig config = OneSwitch();
        config.classes = 3;
        config.weights = "1 2 5";
        NS_TEST_EXPECT_MSG_EQ(config.Check(4), "", "the weights are valid");
        Bench bench(config, 4);
        for (const Peer sender : {1, 2, 3})
        {
            // Classes differ in the length of their frames, too.
            bench.Add({.from = sender,
                       .bytes = 800 * sender,
                       .count = 12000 / sender,
                       .trafficClass = static_cast<uint8_t>(sender - 1)});
        }
        bench.Run();
        NS_TEST_EXPECT_MSG_EQ(bench.losses.size(), 0, "nothing is lost");
        // A third of the time of all frames: each class still has some.
        const uint64_t end = bench.arrivals.back().when / 3;
        std::array<double, 3> bytes{};
        double all = 0;
        for (const Arrival& arrival : bench.arrivals)
        {
            if (arrival.when < end)
            {
                bytes[arrival.frame.trafficClass] += arrival.frame.payload;
                all += arrival.frame.payload;
            }
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(bytes[0] / all, 1.0 / 8, 0.01, "weight 1");
        NS_TEST_EXPECT_MSG_EQ_TOL(bytes[1] / all, 2.0 / 8, 0.01, "weight 2");
        NS_TEST_EXPECT_MSG_EQ_TOL(bytes[2] / all, 5.0 / 8, 0.01, "weight 5");
        for (const std::string wrong : {"1", "1 2 0", "1 2 x", "1 2 3 4"})
        {
            config.weights = wrong;
            NS_TEST_EXPECT_MSG_EQ(config.Check(4).empty(), false, wrong);
        }
    }
};

/** A link goes down, its frames are lost, and routes avoid it after the time of convergence. */
class FaultTestCase : public TestCase
{
  public:
    FaultTestCase()
        : TestCase("frames are lost on a link that is down, until routes avoid it")
    {
    }

  private:
    void DoRun() override
    {
        FabricConfig config;
        config.hostsPerLeaf = 2;
        config.spines = 2;
        config.paths = 64;
        config.convergence = MicroSeconds(30);
        config.faults = "100us leaf0-spine0 down; 300us leaf0-spine0 up";
        constexpr uint32_t FRAMES = 4000;
        Bench bench(config, 4);
        for (uint32_t number = 0; number < FRAMES; ++number)
        {
            bench.Add({.from = 0,
                       .to = 2,
                       .start = number * uint64_t{100},
                       .path = static_cast<uint16_t>(number % 64)});
        }
        bench.Run();
        NS_TEST_EXPECT_MSG_EQ(bench.GetEngine().CheckConservation(), "", "conserved");
        const double lost = static_cast<double>(bench.GetLosses(LossReason::LINK_DOWN));
        // Of 300 frames sent in 30 us, those whose path leads over the link.
        NS_TEST_EXPECT_MSG_GT(lost, 60, "black hole");
        NS_TEST_EXPECT_MSG_LT(lost, 240, "half of the paths");
        for (const LossEvent& loss : bench.losses)
        {
            NS_TEST_EXPECT_MSG_GT_OR_EQ(loss.when, 99'000'000, "not before the fault");
            NS_TEST_EXPECT_MSG_LT(loss.when, 131'000'000, "not after the routes have changed");
        }
        const uint64_t used = bench.GetPort("leaf0-spine0").frames;
        NS_TEST_EXPECT_MSG_GT(used, 600, "used again after its repair");

        // At a quarter of the rate, frames of 1000 bytes take 80 ns, not 20.
        FabricConfig slow = OneSwitch();
        slow.hostRate = DataRate("400Gbps");
        slow.delay = Time(0);
        slow.faults = "0us host0 rate 100Gbps";
        Bench degraded(slow, 2);
        degraded.Add({.from = 1, .count = 1000, .start = 1000});
        degraded.Run();
        NS_TEST_EXPECT_MSG_EQ(degraded.arrivals.back().when - degraded.arrivals.front().when,
                              999 * 80,
                              "the rate is that of the slower link");
    }
};

/** Routes avoid each link after a time of convergence of its own. */
class ConvergenceTestCase : public TestCase
{
  public:
    ConvergenceTestCase()
        : TestCase("routes follow each change of a link after Convergence, if it lasts so long")
    {
    }

  private:
    /** Time within which frames are lost on a link, and which others have none. */
    struct Window
    {
        std::string link; ///< The link.
        uint64_t begin;   ///< Begin [us].
        uint64_t end;     ///< End [us].
        uint64_t gap{0};  ///< Longest time without a loss in between [us].
    };

    /**
     * Send over all paths, and compare where and when frames are lost.
     * @param faults the faults
     * @param windows expected: the times of losses
     */
    void Check(const std::string& faults, const std::vector<Window>& windows)
    {
        constexpr uint64_t PS_PER_US = 1'000'000;
        constexpr uint32_t FRAMES = 4000;
        FabricConfig config;
        config.hostsPerLeaf = 2;
        config.spines = 4;
        config.paths = 64;
        config.convergence = MicroSeconds(100);
        config.faults = faults;
        Bench bench(config, 4);
        for (uint32_t number = 0; number < FRAMES; ++number)
        {
            bench.Add({.from = 0,
                       .to = 2,
                       .start = number * uint64_t{100},
                       .path = static_cast<uint16_t>(number % 64)});
        }
        bench.Run();
        for (const Window& window : windows)
        {
            const PortId port = bench.GetEngine().GetTopology().FindLink(window.link);
            Instant first = NEVER;
            Instant last = 0;
            Instant gap = 0;
            for (const LossEvent& loss : bench.losses)
            {
                if (loss.port == port)
                {
                    gap = first == NEVER ? 0 : std::max(gap, loss.when - last);
                    first = std::min(first, loss.when);
                    last = std::max(last, loss.when);
                }
            }
            // Each of the links has a share of 64 frames, which are sent in 6.4 us.
            const std::string name = ToText(faults, ": ", window.link);
            NS_TEST_EXPECT_MSG_EQ_TOL(first / PS_PER_US, window.begin, 7, name << ", first loss");
            NS_TEST_EXPECT_MSG_EQ_TOL(last / PS_PER_US, window.end, 7, name << ", last loss");
            NS_TEST_EXPECT_MSG_LT(gap / PS_PER_US, window.gap + 7, name << ", longest gap");
        }
    }

    void DoRun() override
    {
        Check("50us leaf0-spine0 down", {{"leaf0-spine0", 50, 150}});
        Check("50us leaf0-spine0 down; 100us leaf0-spine1 down",
              {{"leaf0-spine0", 50, 150}, {"leaf0-spine1", 100, 200}});
        // The link is up again before switches avoid it, and goes down once more.
        Check("50us leaf0-spine0 down; 100us leaf0-spine0 up; 130us leaf0-spine0 down",
              {{"leaf0-spine0", 50, 230, 30}});
        // Its second fault is not known before its time, either.
        Check("50us leaf0-spine0 down; 120us leaf0-spine0 up; 190us leaf0-spine0 down; "
              "100us leaf0-spine1 down",
              {{"leaf0-spine0", 50, 290, 70}, {"leaf0-spine1", 100, 200}});
    }
};

/** Bit errors: the share of lost frames is that of independent bits. */
class BitErrorTestCase : public TestCase
{
  public:
    BitErrorTestCase()
        : TestCase("the share of damaged frames is that of independent bit errors")
    {
    }

  private:
    static constexpr double RATE = 1e-5; ///< Bit error rate.

    void DoRun() override
    {
        CheckAllLinks();
        CheckOneLink();
    }

    /** All links have errors. */
    void CheckAllLinks()
    {
        constexpr double FRAMES = 40000;
        FabricConfig config = OneSwitch();
        config.bitErrors = RATE;
        Bench bench(config, 2);
        bench.Add({.from = 1, .bytes = 1000, .count = static_cast<uint32_t>(FRAMES)});
        bench.Run();
        // Two links.
        const double share = 1 - std::pow(1 - RATE, 2 * 8000);
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(bench.losses.size()),
                                  FRAMES * share,
                                  5 * std::sqrt(FRAMES * share * (1 - share)),
                                  "binomial");
        NS_TEST_EXPECT_MSG_EQ(bench.losses.size(), bench.GetLosses(LossReason::DAMAGE), "reason");
    }

    /** One link has errors for a while: 1000 frames of 80 ns pass before, 1000 meanwhile. */
    void CheckOneLink()
    {
        FabricConfig config = OneSwitch();
        config.faults = "80us host1 errors 1e-5; 160us host1 errors 0";
        Bench bench(config, 2);
        bench.Add({.from = 1, .bytes = 1000, .count = 3000});
        bench.Run();
        const double share = 1 - std::pow(1 - RATE, 8000);
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(bench.losses.size()),
                                  1000 * share,
                                  5 * std::sqrt(1000 * share * (1 - share)),
                                  "one link, for 80 us");
        for (const auto& loss : bench.losses)
        {
            NS_TEST_EXPECT_MSG_GT_OR_EQ(loss.when, 80'000'000, "not before");
            NS_TEST_EXPECT_MSG_LT_OR_EQ(loss.when, 161'000'000, "not after");
        }
    }
};

/** Paths spread, the same path keeps order, and delays of any length work. */
class PathTestCase : public TestCase
{
  public:
    PathTestCase()
        : TestCase("paths spread over all spines; one path keeps the order; long and short delays")
    {
    }

  private:
    /** @return frames over each spine. @param config the parameters @param vary whether frames
     * differ in path */
    std::vector<uint64_t> Spread(const FabricConfig& config, bool vary)
    {
        constexpr uint32_t FRAMES = 4000;
        Bench bench(config, 2);
        for (uint32_t number = 0; number < FRAMES; ++number)
        {
            bench.Add({.from = 0,
                       .to = 1,
                       .bytes = vary ? 1000 : 64 + number % 9 * 500,
                       .start = number * uint64_t{90},
                       .path = static_cast<uint16_t>(vary ? number : 5)});
        }
        bench.Run();
        NS_TEST_EXPECT_MSG_EQ(bench.arrivals.size(), FRAMES, "all arrive");
        if (!vary && config.routing == Routing::ECMP)
        {
            for (uint32_t number = 0; number < FRAMES; ++number)
            {
                NS_TEST_EXPECT_MSG_EQ(bench.arrivals[number].frame.id, number + 1, "in order");
            }
        }
        std::vector<uint64_t> frames;
        for (const std::string spine : {"leaf0-spine0", "leaf0-spine1", "leaf0-spine2"})
        {
            frames.push_back(bench.GetPort(spine).frames);
        }
        return frames;
    }

    void DoRun() override
    {
        FabricConfig config;
        config.hostsPerLeaf = 1;
        config.spines = 3;
        config.paths = 4096;
        for (const Routing routing :
             {Routing::ECMP, Routing::SPRAY, Routing::LEAST_QUEUE, Routing::SOURCE})
        {
            config.routing = routing;
            const auto frames = Spread(config, true);
            for (const uint64_t count : frames)
            {
                NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(count),
                                          4000.0 / 3,
                                          200,
                                          "routing " << static_cast<int>(routing));
            }
        }
        config.routing = Routing::ECMP;
        const auto one = Spread(config, false);
        NS_TEST_EXPECT_MSG_EQ(*std::max_element(one.begin(), one.end()), 4000, "one spine");
        for (const Time& delay : {NanoSeconds(0), NanoSeconds(1), MilliSeconds(100)})
        {
            config.delay = delay;
            Bench bench(config, 2);
            bench.Add({.from = 0, .to = 1, .bytes = 980});
            bench.Run();
            // Four links of 20.16 - .24 ns without the gap, three switches of 500 ns.
            NS_TEST_EXPECT_MSG_EQ(bench.arrivals.front().when,
                                  static_cast<uint64_t>(4 * delay.GetNanoSeconds() + 1500 + 80),
                                  "delay " << delay);
        }
    }
};

/** The same seed gives the same run, however often the clock interferes. */
class DeterminismTestCase : public TestCase
{
  public:
    DeterminismTestCase()
        : TestCase("a seed determines the run")
    {
    }

  private:
    /** @return all arrivals. @param seed the seed @param step time after which the run is
     * interrupted [ns]; 0 for never */
    static std::vector<Arrival> Run(uint64_t seed, uint64_t step)
    {
        FabricConfig config;
        config.topology = TopologyKind::FAT_TREE;
        config.buffer = 20000;
        config.ecn = Ecn::RED;
        config.ecnLow = 1000;
        config.ecnHigh = 15000;
        config.routing = Routing::SPRAY;
        Bench bench(config, 16, seed);
        AddRandomTraffic(bench, 16, 2, 5, 200, 400);
        for (uint64_t end = step; step > 0 && end < 20000; end += step)
        {
            bench.Run(end);
            bench.GetPort("leaf0-spine0");
        }
        bench.Run();
        return bench.arrivals;
    }

    void DoRun() override
    {
        const auto arrivals = Run(1, 0);
        NS_TEST_EXPECT_MSG_EQ((Run(1, 0) == arrivals), true, "the same seed");
        NS_TEST_EXPECT_MSG_EQ((Run(2, 0) == arrivals), false, "another seed");
        NS_TEST_EXPECT_MSG_EQ((Run(1, 77) == arrivals), true, "with looks inside");
    }
};

/** Memory of a large fabric. */
class MemoryTestCase : public TestCase
{
  public:
    MemoryTestCase()
        : TestCase("memory for each port")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t HOSTS = 8192;
        FabricConfig config;
        config.topology = TopologyKind::FAT_TREE;
        const FabricEngine engine(config, HOSTS);
        const auto ports = engine.GetTopology().GetNPorts();
        NS_TEST_EXPECT_MSG_LT(engine.GetMemory() / ports, 200, "bytes for each port");
    }
};

/** The test suite of links and switches. */
class EngineTestSuite : public TestSuite
{
  public:
    EngineTestSuite()
        : TestSuite("ethernet-fabric-engine", Type::UNIT)
    {
        AddTestCase(new PlaneTestCase, TestCase::Duration::QUICK);
        AddTestCase(new ConservationTestCase, TestCase::Duration::QUICK);
        AddTestCase(new OracleTestCase, TestCase::Duration::QUICK);
        AddTestCase(new WaitTestCase, TestCase::Duration::QUICK);
        AddTestCase(new TieTestCase, TestCase::Duration::QUICK);
        AddTestCase(new HeadroomTestCase, TestCase::Duration::QUICK);
        AddTestCase(new PauseTimeTestCase, TestCase::Duration::QUICK);
        AddTestCase(new IncastTestCase, TestCase::Duration::QUICK);
        AddTestCase(new MarkTestCase, TestCase::Duration::QUICK);
        AddTestCase(new TrimTestCase, TestCase::Duration::QUICK);
        AddTestCase(new ShortFrameTestCase, TestCase::Duration::QUICK);
        AddTestCase(new ClassTestCase, TestCase::Duration::QUICK);
        AddTestCase(new WeightTestCase, TestCase::Duration::QUICK);
        AddTestCase(new FaultTestCase, TestCase::Duration::QUICK);
        AddTestCase(new ConvergenceTestCase, TestCase::Duration::QUICK);
        AddTestCase(new BitErrorTestCase, TestCase::Duration::QUICK);
        AddTestCase(new PathTestCase, TestCase::Duration::QUICK);
        AddTestCase(new DeterminismTestCase, TestCase::Duration::QUICK);
        AddTestCase(new MemoryTestCase, TestCase::Duration::QUICK);
    }
};

static EngineTestSuite g_engineTestSuite; ///< The test suite.

} // namespace tests
} // namespace fabric
} // namespace ns3
