/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/data-rate.h"
#include "ns3/messaging-attributes.h"
#include "ns3/messaging-network.h"
#include "ns3/messaging-row-table.h"
#include "ns3/messaging-slot-pool.h"
#include "ns3/simple-ref-count.h"

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * Example of a network with paths, queues and marks; ARCHITECTURE.md lists the steps.
 *
 *     sender --+-- queue -- rate -- delay of path 0 --+-- receiver
 *              +-- queue -- rate -- delay of path 1 --+
 *
 * Frame::path selects the path. A frame that would make a queue longer than its limit is dropped;
 * one that finds it longer than a threshold is marked, as by ECN.
 */

namespace ns3
{
namespace two_paths
{

using namespace messaging;

/** Number of paths. */
constexpr uint16_t PATHS = 2;

/** Longest frame [bytes]. */
constexpr uint32_t MTU = 4096;

/** Properties of the paths. */
struct Config
{
    std::array<Ticks, PATHS> delays{}; ///< Delay of each path [ticks].
    double rate{0};                    ///< Rate of one path of a sender [bytes a tick].
    uint32_t limit{0};                 ///< Length of a queue from which frames are dropped [bytes].
    uint32_t threshold{0};             ///< Length of a queue from which frames are marked [bytes].
};

/** Counts of a path. */
struct Counts
{
    uint64_t frames{0}; ///< Frames sent.
    uint64_t drops{0};  ///< Frames dropped.
    uint64_t marks{0};  ///< Frames marked.
};

/** The port: carries the frames of all peers. */
class TwoPathsPort : public SimpleRefCount<TwoPathsPort>, private TickUser
{
  public:
    /** Construct. @param clock counts the ticks, which are nanoseconds @param peers number of peers
     * @param info properties of the network @param config properties of the paths */
    TwoPathsPort(Ptr<TickClock> clock, uint32_t peers, const PortInfo& info, const Config& config)
        : m_info(info),
          m_config(config),
          m_clock(clock),
          m_idle(peers),
          m_number(clock->Register(this))
    {
    }

    /** @return the properties. */
    PortInfo GetInfo() const
    {
        return m_info;
    }

    /** @return the number of peers. */
    uint32_t GetNPeers() const
    {
        return static_cast<uint32_t>(m_idle.size());
    }

    /** @return delay of the slower path [ticks]. */
    Ticks Distance(Peer, Peer) const
    {
        return std::ranges::max(m_config.delays);
    }

    /** @param frame a frame @return its length on a path [ticks] */
    Ticks WireTicks(const Frame& frame) const
    {
        return static_cast<Ticks>((frame.header + frame.payload) / m_config.rate);
    }

    /** Append a frame to the queue of its path. @param self sender @param to receiver @param frame
     * the frame @return true */
    bool Send(Peer self, Peer to, const Frame& frame)
    {
        const uint16_t path = frame.path % PATHS;
        Counts& counts = m_counts[path];
        Ticks& idle = m_idle[self][path];
        const Ticks now = m_clock->Now();
        idle = std::max(idle, now);
        const double queued = static_cast<double>(idle - now) * m_config.rate;
        ++counts.frames;
        if (queued + frame.header + frame.payload > m_config.limit)
        {
            ++counts.drops;
            m_dropped(path);
            return true;
        }
        Flight flight{self, frame};
        if (queued > m_config.threshold)
        {
            ++counts.marks;
            flight.frame.marks |= MARK_CONGESTION;
        }
        idle += WireTicks(frame);
        m_clock->At(idle + m_config.delays[path], m_number, to, m_flights.Put(flight));
        return true;
    }

    /** @param dropped called with the path of a dropped frame */
    void SetDropped(std::function<void(uint16_t path)> dropped)
    {
        m_dropped = std::move(dropped);
    }

    /** @param user receives frames */
    void SetUser(PortUser* user)
    {
        m_user = user;
    }

    /** @return the counts of each path. */
    const std::array<Counts, PATHS>& GetCounts() const
    {
        return m_counts;
    }

  private:
    /** A frame in flight. */
    struct Flight
    {
        Peer from;   ///< Sender.
        Frame frame; ///< The frame.
    };

    /** A frame arrives. @param peer receiver @param slot its slot in the pool */
    void OnTick(Peer peer, uint64_t slot) override
    {
        // Taken from the pool, which may move its frames while the user sends.
        const Flight flight = m_flights.Take(slot);
        if (m_user)
        {
            m_user->OnFrame(peer, flight.from, flight.frame);
        }
    }

    PortInfo m_info;                              ///< Properties.
    Config m_config;                              ///< Properties of the paths.
    Ptr<TickClock> m_clock;                       ///< Counts the ticks.
    std::vector<std::array<Ticks, PATHS>> m_idle; ///< End of each sender's queues [ticks].
    std::array<Counts, PATHS> m_counts;           ///< Counts of each path.
    SlotPool<Flight> m_flights;                   ///< Frames in flight.
    PortUser* m_user{nullptr};                    ///< Receiver of frames, not owned.
    std::function<void(uint16_t)> m_dropped;      ///< Called with the path of a dropped frame.
    uint32_t m_number;                            ///< User number at the clock.
};

/** The network, found by `relnet run reliability network=two-paths`. */
class TwoPathsNetwork : public Network
{
  public:
    /** @return the object TypeId */
    static TypeId GetTypeId()
    {
        using Self = TwoPathsNetwork;
        static TypeId tid = [] {
            TypeId type = SetSummary(TypeId("ns3::two_paths::TwoPathsNetwork"),
                                     "Two paths with queues that drop and mark frames.")
                              .SetParent<Network>()
                              .AddConstructor<Self>();
            Attributes<Self>(type)
                .AddAttribute("Rate",
                              "Rate of one path of a sender [bit/s; default].",
                              &Self::m_rate,
                              DataRate("1Gbps"))
                .AddAttribute("Delay",
                              "Delay of path 0 [s; default].",
                              &Self::m_delay,
                              MicroSeconds(10),
                              NanoSeconds(1),
                              Seconds(1))
                .AddAttribute("SecondDelay",
                              "Delay of path 1 [s; default].",
                              &Self::m_secondDelay,
                              MicroSeconds(30),
                              NanoSeconds(1),
                              Seconds(1))
                .AddAttribute("Limit",
                              "Longest queue; beyond it, frames are dropped [bytes; default].",
                              &Self::m_limit,
                              1 << 16,
                              MTU)
                .AddAttribute("Threshold",
                              "Queue beyond which frames are marked [bytes; default].",
                              &Self::m_threshold,
                              1 << 14);
            return type;
        }();
        return tid;
    }

    bool HasDevices() const override
    {
        return false;
    }

    std::string Check(uint32_t) const override
    {
        return m_rate.GetBitRate() > 0 ? "" : "Rate has to be above 0.";
    }

    PortInfo GetInfo() const override
    {
        // A frame is late by the difference of the delays, and by a full queue.
        const auto difference = static_cast<Ticks>(Abs(m_delay - m_secondDelay).GetNanoSeconds());
        const double rate = TickClock::GetBytesPerTick(m_rate.GetBitRate());
        const auto queue = static_cast<Ticks>(m_limit / rate);
        return {.mtu = MTU, .paths = PATHS, .maxSlip = difference + queue, .rate = PATHS * rate};
    }

    std::vector<NamedTable> GetTables() const override
    {
        if (!m_port)
        {
            return {};
        }
        return {{"Paths",
                 RowTable(m_port->GetCounts())
                     .Add("Frames", "frames", &Counts::frames)
                     .Add("Drops", "frames", &Counts::drops)
                     .Add("Marks", "frames", &Counts::marks)
                     .Get()}};
    }

  protected:
    void DoBuild(uint32_t peers) override
    {
        const Config config{{static_cast<Ticks>(m_delay.GetNanoSeconds()),
                             static_cast<Ticks>(m_secondDelay.GetNanoSeconds())},
                            TickClock::GetBytesPerTick(m_rate.GetBitRate()),
                            m_limit,
                            m_threshold};
        auto clock = CreateObject<TickClock>();
        m_port = Create<TwoPathsPort>(clock, peers, GetInfo(), config);
        m_port->SetDropped([this](uint16_t path) {
            static const std::array<std::string, PATHS> QUEUES{"queue of path 0",
                                                               "queue of path 1"};
            Lose(QUEUES[path], 1);
        });
        SetPort(clock, MakeAnyPort(m_port));
    }

  private:
    Ptr<TwoPathsPort> m_port; ///< The port, for its counts.
    DataRate m_rate;          ///< Rate of one path.
    Time m_delay;             ///< Delay of path 0.
    Time m_secondDelay;       ///< Delay of path 1.
    uint32_t m_limit{0};      ///< Longest queue [bytes].
    uint32_t m_threshold{0};  ///< Queue from which frames are marked [bytes].
};

NS_OBJECT_ENSURE_REGISTERED(TwoPathsNetwork);

} // namespace two_paths
} // namespace ns3
