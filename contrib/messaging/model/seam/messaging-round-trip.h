/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_ROUND_TRIP_H
#define MESSAGING_ROUND_TRIP_H

#include "ns3/messaging-types.h"

#include <algorithm>

/**
 * @file
 * @ingroup messaging
 * The round trip to a peer and the timeout that follows from it.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * Estimate of the round trip to one peer, and an adaptive timeout [RFC 6298].
 *
 * A plain value of whole ticks, for a protocol core; ns-3's RttEstimator is an object that holds
 * times. Estimates depend on time, so a core leaves them out of its Encode.
 */
class RoundTripEstimator
{
  public:
    /** @param least first and least timeout, above 0 [ticks] */
    explicit RoundTripEstimator(Ticks least)
        : RoundTripEstimator(least, least)
    {
    }

    /**
     * Begin with a longer timeout than the least.
     * @param least least timeout, above 0 [ticks]
     * @param first timeout before the first sample [ticks]
     */
    RoundTripEstimator(Ticks least, Ticks first)
        : m_least(least),
          m_deviation(first)
    {
    }

    /**
     * Add a sample, which also ends the backoff [RFC 6298, section 2].
     * @param sample round trip of a frame that was sent once, by Karn's rule; 0 for no sample
     * [ticks]
     */
    void Measure(Ticks sample)
    {
        if (sample == 0)
        {
            return;
        }
        if (m_smoothed == 0)
        {
            m_smoothed = SMOOTHING * sample;
            m_deviation = DEVIATION_SMOOTHING * sample / 2;
        }
        else
        {
            const Ticks mean = GetRoundTrip();
            const Ticks error = std::max(sample, mean) - std::min(sample, mean);
            m_deviation = m_deviation - m_deviation / DEVIATION_SMOOTHING + error;
            m_smoothed = m_smoothed - mean + sample;
        }
        m_doublings = 0;
    }

    /** Double the timeout, after it has expired [RFC 6298, rule 5.5]. */
    void BackOff()
    {
        m_doublings = std::min(m_doublings + 1, MOST_DOUBLINGS);
    }

    /** @return the doublings of the timeout since the last sample. */
    uint32_t GetNDoublings() const
    {
        return m_doublings;
    }

    /** @return the smoothed round trip; 0 before the first sample [ticks]. */
    Ticks GetRoundTrip() const
    {
        return m_smoothed / SMOOTHING;
    }

    /** @return the timeout, with its backoff [ticks]. */
    Ticks GetTimeout() const
    {
        // Four deviations are one scaled deviation.
        return std::max(m_least, GetRoundTrip() + m_deviation) << m_doublings;
    }

  private:
    static constexpr Ticks SMOOTHING = 8;           ///< 1 / alpha of RFC 6298.
    static constexpr Ticks DEVIATION_SMOOTHING = 4; ///< 1 / beta of RFC 6298.
    static constexpr uint32_t MOST_DOUBLINGS = 10;  ///< Most doublings of the timeout.

    Ticks m_least;           ///< Least timeout [ticks].
    Ticks m_smoothed{0};     ///< Smoothed round trip times SMOOTHING [ticks].
    Ticks m_deviation;       ///< Mean deviation times DEVIATION_SMOOTHING [ticks].
    uint32_t m_doublings{0}; ///< Doublings of the timeout.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_ROUND_TRIP_H
