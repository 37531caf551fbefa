/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BROADCAST_ETHERNET_SWITCH_LOAD_H
#define BROADCAST_ETHERNET_SWITCH_LOAD_H

#include "ns3/broadcast-ethernet-switch.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <algorithm>
#include <deque>
#include <map>
#include <numeric>
#include <string>
#include <unordered_map>
#include <vector>

/**
 * @file
 * @ingroup broadcast-ethernet
 * Stations without nodes and packets that offer load to switches.
 */

namespace ns3
{
namespace ethernet
{
namespace tests
{

/** Destinations of the frames. */
enum class LoadPattern : uint8_t
{
    INCAST,    ///< All frames to station 0, which sends none.
    BROADCAST, ///< All frames to all.
    UNIFORM    ///< Each frame to another station at random.
};

/** Load of switches. */
struct SwitchLoad
{
    LoadPattern pattern{LoadPattern::INCAST};        ///< Destinations.
    uint32_t ports{8};                               ///< Number of stations.
    uint32_t senders{0};                             ///< Number of senders; 0: all stations, except
                                                     ///< the receiver of INCAST.
    uint32_t switches{1};                            ///< Leaf switches of a tree, if more than one.
    std::string receiverRate{};                      ///< Rate of station 0, if different.
    uint32_t bytes{1518};                            ///< Length of frames.
    uint32_t frames{1000};                           ///< Frames of each sender.
    double load{1};                                  ///< Load as a share of a sender's link.
    uint32_t burst{1};                               ///< Frames per burst, below load 1.
    std::map<std::string, std::string> attributes{}; ///< Attributes of the switches.
};

/** Joint measurement of all stations of the switches. */
struct SwitchMeasurement
{
    std::unordered_map<const WireFrame*, int64_t> begins; ///< Start times of frames in flight [ns].
    std::vector<int64_t> latencies;                       ///< Latencies of delivered copies [ns].
    uint64_t lost{0};                                     ///< Randomly lost copies.
    uint64_t overflow{0};                                 ///< Copies dropped at full buffers.
    uint64_t peak{0};                                     ///< Longest queue.
    uint64_t pauses{0};                                   ///< PAUSE frames.
    bool accounted{false};                                ///< All copies arrived or were dropped.

    /** @return mean latency [us]. */
    double GetMean() const
    {
        double sum = 0;
        for (const int64_t latency : latencies)
        {
            sum += static_cast<double>(latency) / 1e3;
        }
        return sum / static_cast<double>(latencies.size());
    }
};

/** A station that sends frames. */
class SwitchStation : public MediumUser
{
  public:
    /**
     * Attach the station.
     * @param lan its switch
     * @param number its number
     * @param load load of all stations
     * @param measurement of all stations
     */
    SwitchStation(Ptr<EthernetSwitch> lan,
                  uint32_t number,
                  const SwitchLoad& load,
                  SwitchMeasurement& measurement)
        : m_lan(lan),
          m_load(load),
          m_measurement(measurement),
          m_number(number),
          m_port(lan->Attach(this, nullptr)),
          m_gaps(CreateObject<ExponentialRandomVariable>()),
          m_choice(CreateObject<UniformRandomVariable>())
    {
        constexpr int64_t FIRST_STREAM = 100000;
        m_gaps->SetStream(FIRST_STREAM + 2 * number);
        m_choice->SetStream(FIRST_STREAM + 2 * number + 1);
    }

    SwitchStation(const SwitchStation&) = delete;
    SwitchStation& operator=(const SwitchStation&) = delete;

    /** Send a frame, so that the switches learn the station's port. */
    void Announce()
    {
        m_lan->Transmit(m_port,
                        Create<WireFrame>(Mac48Address::GetBroadcast(),
                                          GetAddress(m_number),
                                          ANNOUNCEMENT_TYPE,
                                          MIN_FRAME_BYTES));
    }

    /** Begin to send. @param rate of the station's link [bit/s] */
    void Start(double rate)
    {
        const double bits = PREAMBLE_BITS + GAP_BITS + 8.0 * m_load.bytes;
        m_left = m_load.frames;
        if (m_load.load < 1)
        {
            m_interval = Seconds(bits * m_load.burst / (m_load.load * rate));
            ScheduleBurst();
            return;
        }
        m_waiting = std::exchange(m_left, 0);
        TransmitNext();
    }

  private:
    static constexpr uint16_t ANNOUNCEMENT_TYPE = 0x88b5; ///< EtherType for experiments.
    static constexpr uint16_t TRAFFIC_TYPE = 0x88b6;      ///< EtherType of the load.

    /** @param number of a station @return its address */
    static Mac48Address GetAddress(uint32_t number)
    {
        const uint8_t bytes[6] =
            {2, 0, 0, 0, static_cast<uint8_t>(number >> 8), static_cast<uint8_t>(number)};
        Mac48Address address;
        address.CopyFrom(bytes);
        return address;
    }

    /** Schedule the next burst. */
    void ScheduleBurst()
    {
        const auto mean = static_cast<double>(m_interval.GetNanoSeconds());
        Simulator::Schedule(NanoSeconds(static_cast<uint64_t>(m_gaps->GetValue(mean, 0))),
                            &SwitchStation::Burst,
                            this);
    }

    /** Add a burst to the waiting frames. */
    void Burst()
    {
        const uint32_t count = std::min(m_left, m_load.burst);
        m_left -= count;
        m_waiting += count;
        TransmitNext();
        if (m_left > 0)
        {
            ScheduleBurst();
        }
    }

    /** Send the next waiting frame, if none is being sent. */
    void TransmitNext()
    {
        if (m_current || m_waiting == 0)
        {
            return;
        }
        --m_waiting;
        Mac48Address to =
            m_load.pattern == LoadPattern::INCAST ? GetAddress(0) : Mac48Address::GetBroadcast();
        if (m_load.pattern == LoadPattern::UNIFORM)
        {
            const uint32_t other = m_choice->GetInteger(0, m_load.ports - 2);
            to = GetAddress(other + (other >= m_number));
        }
        m_current = Create<WireFrame>(to, GetAddress(m_number), TRAFFIC_TYPE, m_load.bytes);
        m_lan->Transmit(m_port, m_current);
    }

    void OnTransmitBegin(uint32_t) override
    {
        if (m_current)
        {
            m_measurement.begins[PeekPointer(m_current)] = Simulator::Now().GetNanoSeconds();
        }
    }

    void OnCollision(uint32_t) override
    {
    }

    void OnTransmitEnd(TxOutcome) override
    {
        m_current = nullptr;
        TransmitNext();
    }

    bool Wants(const WireFrame& frame) const override
    {
        return frame.IsGroup() || frame.GetTo() == GetAddress(m_number);
    }

    void OnReceive(Ptr<const WireFrame> frame, bool) override
    {
        if (frame->GetType() == TRAFFIC_TYPE)
        {
            m_measurement.latencies.push_back(Simulator::Now().GetNanoSeconds() -
                                              m_measurement.begins[PeekPointer(frame)]);
        }
    }

    Ptr<EthernetSwitch> m_lan;             ///< Its switch.
    const SwitchLoad& m_load;              ///< Load of all stations.
    SwitchMeasurement& m_measurement;      ///< Joint measurement of all stations.
    uint32_t m_number;                     ///< Its number.
    uint32_t m_port;                       ///< Its port at the switch.
    Ptr<ExponentialRandomVariable> m_gaps; ///< Draws times between bursts.
    Ptr<UniformRandomVariable> m_choice;   ///< Draws receivers.
    Ptr<const WireFrame> m_current;        ///< Frame being sent.
    Time m_interval;                       ///< Mean time between bursts.
    uint32_t m_waiting{0};                 ///< Waiting frames.
    uint32_t m_left{0};                    ///< Frames still to be generated.
};

/** @param load load of switches @return the measurement */
inline SwitchMeasurement
MeasureSwitches(const SwitchLoad& load)
{
    int64_t stream = 10;
    const auto make = [&] {
        const auto made = CreateObject<EthernetSwitch>();
        for (const auto& [name, value] : load.attributes)
        {
            made->SetAttribute(name, StringValue(value));
        }
        stream += made->AssignStreams(stream);
        return made;
    };
    std::vector<Ptr<EthernetSwitch>> leaves;
    while (leaves.size() < load.switches)
    {
        leaves.push_back(make());
    }
    if (load.switches > 1)
    {
        const auto root = make();
        for (const auto& leaf : leaves)
        {
            root->Connect(leaf);
        }
    }
    DataRateValue rate;
    leaves[0]->GetAttribute("DataRate", rate);
    if (!load.receiverRate.empty())
    {
        leaves[0]->SetAttribute("DataRate", StringValue(load.receiverRate));
    }
    SwitchMeasurement measurement;
    std::deque<SwitchStation> stations;
    for (uint32_t n = 0; n < load.ports; ++n)
    {
        stations.emplace_back(leaves[n % leaves.size()], n, load, measurement);
        leaves[0]->SetAttribute("DataRate", rate);
        // Queues are empty before the next announcement.
        Simulator::Schedule(MilliSeconds(n), &SwitchStation::Announce, &stations.back());
    }
    const uint32_t first = load.pattern == LoadPattern::INCAST ? 1 : 0;
    const uint32_t senders = load.senders == 0 ? load.ports - first : load.senders;
    for (uint32_t n = 0; n < senders; ++n)
    {
        Simulator::Schedule(MilliSeconds(load.ports + 10), [&stations, n, first, &rate] {
            stations[first + n].Start(static_cast<double>(rate.Get().GetBitRate()));
        });
    }
    Simulator::Run();
    uint64_t offered = 0;
    uint64_t ended = 0;
    for (const EthernetSwitch* member : leaves[0]->GetLan())
    {
        for (uint32_t port = 0; port < member->GetNPorts(); ++port)
        {
            const SwitchPortCounters& counters = member->GetCounters(port);
            offered += counters.offered;
            ended += counters.framesOut +
                     std::accumulate(counters.drops.begin(), counters.drops.end(), uint64_t{0});
            measurement.overflow += counters.drops[static_cast<std::size_t>(SwitchDrop::OVERFLOW)];
            measurement.lost += counters.drops[static_cast<std::size_t>(SwitchDrop::LOSS)];
            measurement.peak = std::max(measurement.peak, counters.peak);
            measurement.pauses += counters.pausesSent;
        }
    }
    measurement.accounted = offered == ended;
    Simulator::Destroy();
    return measurement;
}

} // namespace tests
} // namespace ethernet
} // namespace ns3

#endif // BROADCAST_ETHERNET_SWITCH_LOAD_H
