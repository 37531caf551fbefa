/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BROADCAST_ETHERNET_SWITCH_DRIVER_H
#define BROADCAST_ETHERNET_SWITCH_DRIVER_H

#include "ns3/broadcast-ethernet-switch-core.h"

#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup broadcast-ethernet
 * Drives the core of a switch in tests, without a simulator.
 */

namespace ns3
{
namespace ethernet
{
namespace tests
{
namespace switchcore
{

inline constexpr uint64_t BROADCAST = 0xffffffffffffULL;     ///< Broadcast address.
inline constexpr uint64_t GROUP = 0x01005e000001ULL;         ///< A multicast group.
inline constexpr uint64_t PAUSE_ADDRESS = 0x0180c2000001ULL; ///< Destination of PAUSE frames.
inline constexpr int64_t FAST = 10;                          ///< Bit time at 100 Mbit/s [ns].
inline constexpr int64_t DELAY = 100;                        ///< Delay of all cables [ns].

/**
 * Get the address of the station at a port.
 * @param port the port
 * @return its address
 */
inline uint64_t
AddressOf(uint32_t port)
{
    return 0x020000000000ULL + port;
}

/** A copy that has arrived. */
struct SwitchArrival
{
    int64_t at;     ///< Time [ns].
    uint32_t port;  ///< Output port.
    uint32_t frame; ///< Number of the frame.

    /** @return whether two are the same. */
    bool operator==(const SwitchArrival&) const = default;

    /** Write an arrival. @param os a stream @param arrival the arrival @return the stream */
    friend std::ostream& operator<<(std::ostream& os, const SwitchArrival& arrival)
    {
        return os << "frame " << arrival.frame << " at port " << arrival.port << " at "
                  << arrival.at << " ns";
    }
};

/** Drives a core by a list of timed actions instead of a simulator. */
class SwitchDriver
{
  public:
    /**
     * Construct.
     * @param config parameters of the switch
     * @param bitTimes bit time of each port [ns]
     */
    SwitchDriver(const SwitchConfig& config, const std::vector<int64_t>& bitTimes)
        : core(config)
    {
        for (const int64_t bitTime : bitTimes)
        {
            core.AddPort(bitTime, DELAY);
        }
    }

    /**
     * Add an action.
     * @param at its time [ns]
     * @param what the action
     */
    void At(int64_t at, std::function<void()> what)
    {
        m_agenda.emplace(at, std::move(what));
    }

    /**
     * Add the arrival of a frame's last bit.
     * @param at its time [ns]
     * @param in port
     * @param to destination
     * @param frame number of the frame
     * @param bytes its length
     */
    void FrameAt(int64_t at, uint32_t in, uint64_t to, uint32_t frame, uint32_t bytes = 1518)
    {
        At(at, [=, this] {
            const uint32_t slot = core.Forward(now, in, {to, AddressOf(in), bytes});
            if (slot >= m_frames.size())
            {
                m_frames.resize(slot + 1);
            }
            m_frames[slot] = frame;
        });
    }

    /**
     * Run all actions, or those up to a time.
     * @param until the time
     */
    void Run(int64_t until = INT64_MAX)
    {
        while (!m_agenda.empty() && m_agenda.begin()->first <= until)
        {
            const auto next = m_agenda.begin();
            now = next->first;
            const auto what = std::move(next->second);
            m_agenda.erase(next);
            what();
            Drain();
        }
    }

    SwitchCore core;                       ///< The core.
    int64_t now{0};                        ///< Current time [ns].
    std::vector<SwitchArrival> arrivals;   ///< Arrivals, in order.
    std::vector<std::string> drops;        ///< Drops as "frame:port:reason".
    std::vector<SwitchCore::Pause> pauses; ///< PAUSE frames sent.
    uint32_t departures{0};                ///< Requested departures.
    uint32_t freed{0};                     ///< Released frames.

  private:
    /** Execute the requests of the core. */
    void Drain()
    {
        auto& output = core.GetOutput();
        for (const auto& departure : output.departures)
        {
            ++departures;
            At(departure.at, [this, number = departure.number] {
                const uint32_t frame = m_frames[core.GetSlot(number)];
                do
                {
                    const uint32_t port = core.GetPort(number);
                    if (core.Deliver(number))
                    {
                        arrivals.push_back({now, port, frame});
                    }
                } while (core.Advance(number));
            });
        }
        for (const auto& drop : output.drops)
        {
            std::ostringstream os;
            os << m_frames[drop.slot] << ":" << drop.port << ":" << drop.reason;
            drops.push_back(os.str());
        }
        for (const auto& pause : output.pauses)
        {
            pauses.push_back(pause);
            if (pause.again > 0)
            {
                At(pause.again, [this, port = pause.port] { core.Refresh(now, port); });
            }
        }
        freed += static_cast<uint32_t>(output.freed.size());
        output.Clear();
    }

    std::multimap<int64_t, std::function<void()>> m_agenda; ///< Pending actions by time.
    std::vector<uint32_t> m_frames;                         ///< Numbers of frames, by slot.
};

/**
 * Get the time of a frame on a wire, preamble included.
 * @param bytes its length
 * @param bitTime length of a bit [ns]
 * @return the time [ns]
 */
inline int64_t
Wire(uint32_t bytes, int64_t bitTime = FAST)
{
    return (64 + 8 * static_cast<int64_t>(bytes)) * bitTime;
}

} // namespace switchcore
} // namespace tests
} // namespace ethernet
} // namespace ns3

#endif // BROADCAST_ETHERNET_SWITCH_DRIVER_H
