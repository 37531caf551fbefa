/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BROADCAST_ETHERNET_TEST_STATIONS_H
#define BROADCAST_ETHERNET_TEST_STATIONS_H

#include "ns3/broadcast-ethernet-segment.h"
#include "ns3/double.h"
#include "ns3/simulator.h"

#include <compare>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup broadcast-ethernet
 * Stations for tests of media.
 */

namespace ns3
{
namespace ethernet
{
namespace tests
{

/** Length of cable with a delay of a nanosecond, at 0.77 c [m]. */
constexpr double NANOSECOND_CABLE = 0.231;

/** An attempt in bit times, as reported by segment and oracle; -1 for none. */
struct BitAttempt
{
    uint32_t station{0};   ///< Sender.
    uint32_t number{0};    ///< Number of the attempt.
    int64_t begin{0};      ///< First bit.
    int64_t collision{-1}; ///< Time of the detected collision.
    int64_t end{0};        ///< Last bit.

    /** Compare. @return whether all is equal */
    auto operator<=>(const BitAttempt&) const = default;

    /** Write an attempt. @param os a stream @param attempt the attempt @return the stream */
    friend std::ostream& operator<<(std::ostream& os, const BitAttempt& attempt)
    {
        return os << "attempt " << attempt.number << " of station " << attempt.station << " from "
                  << attempt.begin << " to " << attempt.end << ", collision " << attempt.collision;
    }
};

/** A station that sends frames at given arrival times, and counts received frames. */
class TestStation : public MediumUser
{
  public:
    /**
     * Construct.
     * @param medium the medium
     */
    explicit TestStation(Ptr<EthernetMedium> medium)
        : m_medium(medium),
          m_number(medium->Attach(this, nullptr))
    {
    }

    TestStation(const TestStation&) = delete;
    TestStation& operator=(const TestStation&) = delete;

    /**
     * Send a frame.
     * @param when its arrival time at the station
     * @param bytes its length
     */
    void SendAt(Time when, uint32_t bytes)
    {
        const Ptr<WireFrame> frame =
            Create<WireFrame>(Mac48Address::GetBroadcast(), Mac48Address(), 0, bytes);
        Simulator::Schedule(when, [this, frame] {
            m_queue.emplace_back(frame);
            if (m_queue.size() == 1)
            {
                m_medium->Transmit(m_number, frame);
            }
        });
    }

    void OnTransmitBegin(uint32_t attempt) override
    {
        begins.emplace_back(attempt, Simulator::Now());
    }

    void OnCollision(uint32_t /* attempt */) override
    {
        ++collisions;
    }

    void OnTransmitEnd(TxOutcome outcome) override
    {
        outcomes.push_back(outcome);
        m_queue.pop_front();
        if (!m_queue.empty())
        {
            m_medium->Transmit(m_number, m_queue.front());
        }
    }

    bool Wants(const WireFrame& /* frame */) const override
    {
        return true;
    }

    void OnReceive(Ptr<const WireFrame> /* frame */, bool bad) override
    {
        received.push_back(Simulator::Now());
        damaged += bad;
    }

    /** @return the number of frames left. */
    std::size_t GetNWaiting() const
    {
        return m_queue.size();
    }

    std::vector<std::pair<uint32_t, Time>> begins; ///< Begun attempts: number, time.
    std::vector<TxOutcome> outcomes;               ///< Outcomes of frames.
    std::vector<Time> received;                    ///< Arrival times of frames.
    uint32_t collisions{0};                        ///< Attempts that have collided.
    uint32_t damaged{0};                           ///< Frames that arrived damaged.

  private:
    Ptr<EthernetMedium> m_medium;             ///< The medium.
    uint32_t m_number;                        ///< Number on it.
    std::deque<Ptr<const WireFrame>> m_queue; ///< Queue of frames; the medium is sending the first.
};

/** A segment of 10 Mbit/s with stations at given positions. */
struct TestSegment
{
    /**
     * Construct.
     * @param delays delay of each station from the origin of the cable
     * @param stream random stream
     */
    explicit TestSegment(const std::vector<Time>& delays, int64_t stream = 1)
    {
        segment->SetAttribute("Delay", TimeValue(Time(0)));
        segment->AssignStreams(stream);
        segment->TraceConnectWithoutContext(
            "Attempt",
            Callback<void, const EthernetSegment::Attempt&>(
                [this](const EthernetSegment::Attempt& attempt) { attempts.push_back(attempt); }));
        for (const Time& delay : delays)
        {
            stations.push_back(std::make_unique<TestStation>(segment));
            segment->SetPosition(static_cast<uint32_t>(stations.size() - 1),
                                 delay.ToDouble(Time::NS) * NANOSECOND_CABLE);
        }
    }

    TestSegment(const TestSegment&) = delete;
    TestSegment& operator=(const TestSegment&) = delete;

    /** @return all attempts in bit times, in order. */
    std::vector<BitAttempt> GetBitAttempts() const
    {
        const auto bits = [](const Time& time) {
            return time.IsStrictlyNegative() ? -1 : time.GetNanoSeconds() / 100;
        };
        std::vector<BitAttempt> found;
        found.reserve(attempts.size());
        for (const auto& attempt : attempts)
        {
            found.push_back(BitAttempt{attempt.station,
                                       attempt.number,
                                       bits(attempt.begin),
                                       bits(attempt.collision),
                                       bits(attempt.end)});
        }
        return found;
    }

    Ptr<EthernetSegment> segment = CreateObject<EthernetSegment>(); ///< The segment.
    std::vector<std::unique_ptr<TestStation>> stations;             ///< Its stations.
    std::vector<EthernetSegment::Attempt> attempts;                 ///< Finished attempts.
};

} // namespace tests
} // namespace ethernet
} // namespace ns3

#endif // BROADCAST_ETHERNET_TEST_STATIONS_H
