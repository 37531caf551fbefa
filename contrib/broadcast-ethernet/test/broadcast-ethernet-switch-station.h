/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BROADCAST_ETHERNET_SWITCH_STATION_H
#define BROADCAST_ETHERNET_SWITCH_STATION_H

#include "ns3/broadcast-ethernet-switch.h"
#include "ns3/simulator.h"

#include <deque>
#include <iterator>
#include <list>
#include <tuple>

/**
 * @file
 * @ingroup broadcast-ethernet
 * Stations on a switch that record received frames, for tests.
 */

namespace ns3
{
namespace ethernet
{
namespace tests
{

inline constexpr int64_t LATENCY = 10000; ///< Default latency of the switch [ns].
inline constexpr int64_t DELAY = 100;     ///< Default delay of cables [ns].

/**
 * Get the time of a frame on a wire, preamble included.
 * @param bytes its length
 * @param bitTime length of a bit [ns]
 * @return the time [ns]
 */
inline int64_t
Wire(uint32_t bytes, int64_t bitTime = 10)
{
    return (64 + 8 * static_cast<int64_t>(bytes)) * bitTime;
}

/**
 * Get the address of a station.
 * @param number its number
 * @return its address
 */
inline Mac48Address
AddressOf(uint32_t number)
{
    uint8_t bytes[6] = {2, 0, 0, 0, 0, static_cast<uint8_t>(number)};
    Mac48Address address;
    address.CopyFrom(bytes);
    return address;
}

/** A station with an unbounded queue that records received frames. */
class Station : private MediumUser
{
  public:
    /**
     * Attach the station.
     * @param medium the medium
     * @param number its number
     */
    Station(Ptr<EthernetMedium> medium, uint32_t number)
        : m_medium(medium),
          m_address(AddressOf(number)),
          m_port(medium->Attach(this, nullptr))
    {
    }

    /**
     * Send a frame.
     * @param to its receiver
     * @param bytes its length
     */
    void Send(Mac48Address to, uint32_t bytes)
    {
        m_queue.emplace_back(Create<WireFrame>(to, m_address, 0x0800, bytes));
        if (m_queue.size() == 1)
        {
            m_medium->Transmit(m_port, m_queue.front());
        }
    }

    /**
     * Send frames at a time.
     * @param at the time
     * @param to their receiver
     * @param bytes their length
     * @param count number of frames
     */
    void SendAt(Time at, Mac48Address to, uint32_t bytes, uint32_t count = 1)
    {
        Simulator::Schedule(at, [this, to, bytes, count] {
            for (uint32_t i = 0; i < count; ++i)
            {
                Send(to, bytes);
            }
        });
    }

    /** @return start times of sent frames [ns]. */
    const std::vector<int64_t>& GetBegins() const
    {
        return m_begins;
    }

    /** @return arrival times of frames [ns]. */
    const std::vector<int64_t>& GetArrivals() const
    {
        return m_arrivals;
    }

    /** @return the port. */
    uint32_t GetPort() const
    {
        return m_port;
    }

  private:
    void OnTransmitBegin(uint32_t) override
    {
        m_begins.push_back(Simulator::Now().GetNanoSeconds());
    }

    void OnCollision(uint32_t) override
    {
    }

    void OnTransmitEnd(TxOutcome) override
    {
        m_queue.pop_front();
        if (!m_queue.empty())
        {
            m_medium->Transmit(m_port, m_queue.front());
        }
    }

    bool Wants(const WireFrame& frame) const override
    {
        return frame.IsGroup() || frame.GetTo() == m_address;
    }

    void OnReceive(Ptr<const WireFrame>, bool) override
    {
        m_arrivals.push_back(Simulator::Now().GetNanoSeconds());
    }

    Ptr<EthernetMedium> m_medium;             ///< Medium.
    Mac48Address m_address;                   ///< Its address.
    uint32_t m_port;                          ///< Port number at the medium.
    std::deque<Ptr<const WireFrame>> m_queue; ///< Frames to be sent.
    std::vector<int64_t> m_begins;            ///< Start times of sent frames [ns].
    std::vector<int64_t> m_arrivals;          ///< Arrival times of frames [ns].
};

/** A switch with stations. */
struct SwitchedStations
{
    /**
     * Construct.
     * @param lan the switch
     * @param count number of stations
     * @param first number of the first
     */
    SwitchedStations(Ptr<EthernetSwitch> lan, uint32_t count, uint32_t first = 0)
        : lan(lan)
    {
        for (uint32_t i = 0; i < count; ++i)
        {
            stations.emplace_back(lan, first + i);
        }
    }

    /**
     * Get a station.
     * @param i its index
     * @return the station
     */
    Station& operator[](uint32_t i)
    {
        auto station = stations.begin();
        std::advance(station, i);
        return *station;
    }

    /**
     * Add up the drops of all ports.
     * @param reason the reason
     * @return number of drops
     */
    uint64_t CountDrops(SwitchDrop reason) const
    {
        uint64_t sum = 0;
        for (uint32_t port = 0; port < lan->GetNPorts(); ++port)
        {
            sum += lan->GetCounters(port).drops[static_cast<std::size_t>(reason)];
        }
        return sum;
    }

    Ptr<EthernetSwitch> lan;     ///< The switch.
    std::list<Station> stations; ///< Its stations, at stable addresses.
};

} // namespace tests
} // namespace ethernet
} // namespace ns3

#endif // BROADCAST_ETHERNET_SWITCH_STATION_H
