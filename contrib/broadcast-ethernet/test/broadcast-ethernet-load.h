/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BROADCAST_ETHERNET_LOAD_H
#define BROADCAST_ETHERNET_LOAD_H

#include "ns3/broadcast-ethernet-segment.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"

#include <deque>
#include <numeric>
#include <vector>

/**
 * @file
 * @ingroup broadcast-ethernet
 * Stations without nodes and packets that offer load to a segment.
 */

namespace ns3
{
namespace ethernet
{
namespace tests
{

/** Load of a segment. */
struct SegmentLoad
{
    uint32_t stations{24};          ///< Number of stations.
    uint32_t bytes{1518};           ///< Length of frames, from header to FCS [bytes].
    double load{0};                 ///< Share of the data rate; 0: saturated.
    uint32_t ring{16};              ///< Length of a station's queue [frames].
    Time duration{Seconds(4)};      ///< Duration of the measurement.
    Time warmUp{MilliSeconds(200)}; ///< Warm-up time before the measurement.
};

/** Joint measurement of all stations of a segment. */
struct SegmentMeasurement
{
    std::vector<double> delays;   ///< Time from arrival to end, of sent frames [us].
    std::vector<double> accesses; ///< Access time of frames, sent or given up [us].
    uint64_t sent{0};             ///< Frames sent.
    uint64_t lost{0};             ///< Frames given up.
    bool running{false};          ///< The measurement is active.
    double utilization{0};        ///< Share of the data rate used by frames.
    double occupancy{0};          ///< Utilization with preambles and gaps.
    double eventsPerFrame{0};     ///< Simulator events for each frame.
};

/** A station that offers load. */
class LoadStation : public MediumUser
{
  public:
    /**
     * Construct.
     * @param segment the segment
     * @param load load of all stations
     * @param measurement of all stations
     */
    LoadStation(Ptr<EthernetSegment> segment,
                const SegmentLoad& load,
                SegmentMeasurement& measurement)
        : m_segment(segment),
          m_measurement(measurement),
          m_ring(load.ring),
          m_number(segment->Attach(this, nullptr)),
          m_random(CreateObject<UniformRandomVariable>()),
          m_arrivals(CreateObject<ExponentialRandomVariable>())
    {
        constexpr int64_t FIRST_STREAM = 20;
        m_random->SetStream(FIRST_STREAM + 2 * m_number);
        m_arrivals->SetStream(FIRST_STREAM + 2 * m_number + 1);
        if (load.load > 0)
        {
            const auto rate = static_cast<double>(segment->GetDataRate().GetBitRate());
            m_interval = Seconds(8.0 * load.bytes * load.stations / (load.load * rate));
        }
        m_frame =
            Create<WireFrame>(Mac48Address("ff:ff:ff:ff:ff:fe"), Mac48Address(), 0, load.bytes);
        // Saturated stations start at different times, since a simultaneous start is unrealistic.
        const Time first =
            m_interval.IsZero() ? MilliSeconds(1) * m_random->GetValue() : DrawArrival();
        Simulator::Schedule(first, &LoadStation::OnArrival, this);
    }

    LoadStation(const LoadStation&) = delete;
    LoadStation& operator=(const LoadStation&) = delete;

    void OnTransmitBegin(uint32_t) override
    {
    }

    void OnCollision(uint32_t) override
    {
    }

    bool Wants(const WireFrame&) const override
    {
        return false;
    }

    void OnReceive(Ptr<const WireFrame>, bool) override
    {
    }

    void OnTransmitEnd(TxOutcome outcome) override
    {
        const Time now = Simulator::Now();
        if (m_measurement.running)
        {
            m_measurement.accesses.push_back((now - m_turn).ToDouble(Time::US));
        }
        if (m_measurement.running && outcome == TxOutcome::SENT)
        {
            ++m_measurement.sent;
            m_measurement.delays.push_back((now - m_waiting.front()).ToDouble(Time::US));
        }
        else if (m_measurement.running)
        {
            ++m_measurement.lost;
        }
        m_waiting.pop_front();
        if (m_interval.IsZero())
        {
            m_waiting.push_back(now);
        }
        if (!m_waiting.empty())
        {
            Transmit();
        }
    }

  private:
    /** @return the time until the next frame arrives. */
    Time DrawArrival()
    {
        return NanoSeconds(
            static_cast<int64_t>(m_arrivals->GetValue(m_interval.ToDouble(Time::NS), 0)));
    }

    /** Handle a frame that arrives at the station. */
    void OnArrival()
    {
        if (!m_interval.IsZero())
        {
            Simulator::Schedule(DrawArrival(), &LoadStation::OnArrival, this);
        }
        if (m_waiting.size() <= m_ring)
        {
            m_waiting.push_back(Simulator::Now());
            if (m_waiting.size() == 1)
            {
                Transmit();
            }
        }
    }

    /** Pass the next frame to the segment. */
    void Transmit()
    {
        m_turn = Simulator::Now();
        m_segment->Transmit(m_number, m_frame);
    }

    Ptr<EthernetSegment> m_segment;            ///< The segment.
    SegmentMeasurement& m_measurement;         ///< Joint measurement of all stations.
    Time m_interval;                           ///< Mean time between frames; 0: saturated.
    uint32_t m_ring;                           ///< Length of the queue [frames].
    uint32_t m_number;                         ///< Number on the segment.
    Ptr<UniformRandomVariable> m_random;       ///< Draws the start time.
    Ptr<ExponentialRandomVariable> m_arrivals; ///< Draws times between arrivals.
    Ptr<const WireFrame> m_frame;              ///< The frame, always the same.
    std::deque<Time> m_waiting;                ///< Arrival times of waiting frames, including the
                                               ///< one being sent.
    Time m_turn;                               ///< Time since which the first frame is at the head
                                               ///< of the queue.
};

/** @param load load of a segment @return the measurement */
inline SegmentMeasurement
MeasureSegment(const SegmentLoad& load)
{
    const auto segment = CreateObject<EthernetSegment>();
    segment->AssignStreams(10);
    SegmentMeasurement measurement;
    std::deque<LoadStation> stations;
    for (uint32_t n = 0; n < load.stations; ++n)
    {
        stations.emplace_back(segment, load, measurement);
    }
    uint64_t before = 0;
    Simulator::Schedule(load.warmUp, [&] {
        measurement.running = true;
        before = Simulator::GetEventCount();
    });
    Simulator::Stop(load.warmUp + load.duration);
    Simulator::Run();
    const auto rate = static_cast<double>(segment->GetDataRate().GetBitRate());
    const double bits = load.duration.GetSeconds() * rate;
    const auto frames = static_cast<double>(measurement.sent);
    measurement.utilization = 8 * load.bytes * frames / bits;
    measurement.occupancy = (8 * load.bytes + PREAMBLE_BITS + GAP_BITS) * frames / bits;
    measurement.eventsPerFrame = static_cast<double>(Simulator::GetEventCount() - before) / frames;
    Simulator::Destroy();
    return measurement;
}

/** @param values some values @return their mean */
inline double
ComputeMean(const std::vector<double>& values)
{
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

} // namespace tests
} // namespace ethernet
} // namespace ns3

#endif // BROADCAST_ETHERNET_LOAD_H
