/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_NSCC_H
#define MESSAGING_NSCC_H

#include "ns3/messaging-congestion-control.h"

#include <algorithm>
#include <cstdint>

/**
 * @file
 * @ingroup messaging
 * NSCC, the window of Ultra Ethernet's senders.
 */

namespace ns3
{
namespace messaging
{

/** Constants of NSCC. */
struct NsccConstants
{
    uint32_t segment{1};    ///< A full frame [bytes].
    double rate{1};         ///< Rate of the link [bytes a tick].
    Ticks roundTrip{1};     ///< Idle round trip before one is measured [ticks].
    double tick{1};         ///< Length of a tick [ns].
    double target{0.75};    ///< Target of the queueing delay [base round trips].
    double most{1.5};       ///< Largest window, also the first one [bandwidth-delay products].
    double decrease{0.8};   ///< Factor of the decrease by delay (gamma).
    double leastShare{0.5}; ///< Least part of the window that a decrease leaves.
    double average{0.0125}; ///< Weight of a sample in the average delay.
};

/**
 * @ingroup messaging
 * Network signal congestion control (NSCC) of Ultra Ethernet Transport [UET 1.0.3, 3.6; htsim,
 * uec.cpp]: a window that four cases of mark and queueing delay control.
 *
 * @verbatim
                     delay below target                      delay above target
     no mark    proportional: + alpha acked (target - delay)   fair: + fi acked
     mark       none: the sender changes the path              w *= max(1 - gamma (avg - target) /
 avg, 1/2), once a round trip

     increases are collected, and w += collected / w + eta, after 8 frames or a round trip
     loss            w -= frame; quick adaptation if less than an eighth of the largest window was
     delay > 4 t     acknowledged within base round trip and target: w = what was
   @endverbatim
 *
 * The base round trip is the least one measured. A delay is that of a frame that was sent once.
 *
 * Written from summaries of the specification and of htsim, whose texts were not at hand. The fast
 * increase of an idle network is left out, as are the receiver's penalties.
 */
class Nscc
{
  public:
    /** @param constants the constants */
    explicit Nscc(const NsccConstants& constants)
        : m_constants(constants),
          m_base(constants.roundTrip)
    {
        m_window = GetLargest();
    }

    /** Does nothing: the window is clocked by acknowledgements. */
    void OnSend(Ticks, uint32_t)
    {
    }

    /** Control the window by the mark and the queueing delay. @param news the acknowledgement */
    void OnAck(const AckNews& news)
    {
        m_achieved += news.bytes;
        Measure(news.roundTrip);
        if (m_delay > QUICK_TARGETS * GetTarget())
        {
            m_isLate = true;
        }
        const double acked = TakeCounted(news.bytes);
        const bool isBelow = m_delay < GetTarget();
        if (!news.marked)
        {
            const double perByte = isBelow ? GetAlpha() * (GetTarget() - m_delay) : GetFair();
            m_collected += perByte * acked;
        }
        else if (!isBelow && m_average > GetTarget() && news.now >= m_decreased + m_base)
        {
            const double excess = (m_average - GetTarget()) / m_average;
            m_window *= std::max(1 - m_constants.decrease * excess, m_constants.leastShare);
            m_decreased = news.now;
        }
        m_counted += news.bytes;
        if (m_counted >= ADJUST_SEGMENTS * m_constants.segment || news.now >= m_adjusted + m_base)
        {
            m_window += m_collected / std::max<double>(m_window, m_constants.segment);
            m_window += m_collected > 0 ? GetStep() : 0;
            m_collected = 0;
            m_counted = 0;
            m_adjusted = news.now;
        }
        Adapt(news.now);
        Limit();
    }

    /** Reduce the window by a frame, and perhaps adapt. @param now the time [ticks] */
    void OnLoss(Ticks now)
    {
        m_window -= m_constants.segment;
        m_isLate = true;
        Adapt(now);
        Limit();
    }

    /** As a loss. @param now the time [ticks] */
    void OnTimeout(Ticks now)
    {
        OnLoss(now);
    }

    /** @return the window, at least a frame [bytes]. */
    uint64_t GetWindow() const
    {
        return static_cast<uint64_t>(m_window);
    }

    /** @return 0: no limit [bytes a tick]. */
    double GetRate() const
    {
        return 0;
    }

    /** Append the window and what changes it, without times. @param encoder where */
    void Encode(Encoder& encoder) const
    {
        encoder.Put(GetWindow(), "window");
        encoder.Put(static_cast<uint64_t>(m_achieved), "acknowledged");
        encoder.Put(static_cast<uint64_t>(m_collected), "increase");
        encoder.Put(static_cast<uint64_t>(m_counted), "since the last change");
        encoder.Put(static_cast<uint64_t>(m_ignored), "ignored");
        encoder.Put(m_isLate, "late");
    }

  private:
    static constexpr double ADJUST_SEGMENTS = 8;    ///< Frames after which increases are applied.
    static constexpr double QUICK_TARGETS = 4;      ///< Targets beyond which a delay is too long.
    static constexpr double QUICK_SHARE = 1.0 / 8;  ///< Part of the window that is too little.
    static constexpr double ALPHA = 4;              ///< Factor of the proportional increase.
    static constexpr double FAIR_SEGMENTS = 5;      ///< Frames of the fair increase.
    static constexpr double STEP_SEGMENTS = 0.15;   ///< Frames of each increase.
    static constexpr double REFERENCE_RATE = 12.5;  ///< 100 Gb/s, of the constants [bytes a ns].
    static constexpr double REFERENCE_TIME = 12000; ///< 12 us, of the constants [ns].

    /** @return the bandwidth-delay product [bytes]. */
    double GetProduct() const
    {
        return m_constants.rate * static_cast<double>(m_base);
    }

    /** @return the largest window [bytes]. */
    double GetLargest() const
    {
        return std::max<double>(m_constants.most * GetProduct(), m_constants.segment);
    }

    /** @return the target of the queueing delay [ticks]. */
    double GetTarget() const
    {
        return m_constants.target * static_cast<double>(m_base);
    }

    /** @return the network's bandwidth-delay product, as a part of that of the constants. */
    double GetScale() const
    {
        return GetProduct() / (REFERENCE_RATE * REFERENCE_TIME);
    }

    /** @return factor of the proportional increase [bytes a tick]. */
    double GetAlpha() const
    {
        const double delayScale = GetTarget() * m_constants.tick / REFERENCE_TIME;
        return ALPHA * GetScale() * delayScale * m_constants.segment / GetTarget();
    }

    /** @return factor of the fair increase [bytes]. */
    double GetFair() const
    {
        return FAIR_SEGMENTS * m_constants.segment * GetScale();
    }

    /** @return constant part of an increase [bytes]. */
    double GetStep() const
    {
        return STEP_SEGMENTS * m_constants.segment * GetScale();
    }

    /** Measure the queueing delay. @param roundTrip a round trip; 0 if none was measured [ticks] */
    void Measure(Ticks roundTrip)
    {
        if (roundTrip == 0)
        {
            return;
        }
        m_base = m_hasMeasured ? std::min(m_base, roundTrip) : roundTrip;
        m_hasMeasured = true;
        m_delay = static_cast<double>(roundTrip - m_base);
        m_average += m_constants.average * (m_delay - m_average);
    }

    /** @param bytes acknowledged bytes @return those that were not in flight at the last quick
     * adaptation [bytes]. */
    double TakeCounted(double bytes)
    {
        const double ignored = std::min(bytes, m_ignored);
        m_ignored -= ignored;
        return bytes - ignored;
    }

    /** Adapt quickly at the end of a period, if too little was acknowledged. @param now the time
     * [ticks] */
    void Adapt(Ticks now)
    {
        const double period = static_cast<double>(m_base) + GetTarget();
        if (static_cast<double>(now - m_periodBegin) < period)
        {
            return;
        }
        if (m_isLate && m_achieved < GetLargest() * QUICK_SHARE)
        {
            m_ignored = m_window;
            m_window = m_achieved;
            m_collected = 0;
        }
        m_periodBegin = now;
        m_achieved = 0;
        m_isLate = false;
    }

    /** Keep the window within its bounds. */
    void Limit()
    {
        m_window = std::clamp<double>(m_window, m_constants.segment, GetLargest());
    }

    NsccConstants m_constants; ///< The constants.
    double m_window{0};        ///< The window [bytes].
    double m_delay{0};         ///< Last queueing delay [ticks].
    double m_average{0};       ///< Average queueing delay [ticks].
    double m_collected{0};     ///< Increases that are not applied yet [bytes squared].
    double m_counted{0};       ///< Bytes since they were applied [bytes].
    double m_achieved{0};      ///< Bytes acknowledged in this period [bytes].
    double m_ignored{0};       ///< Bytes whose acknowledgement does not count [bytes].
    Ticks m_base;              ///< Base round trip [ticks].
    Ticks m_adjusted{0};       ///< Time at which increases were applied [ticks].
    Ticks m_decreased{0};      ///< Time of the last decrease [ticks].
    Ticks m_periodBegin{0};    ///< Begin of the period [ticks].
    bool m_hasMeasured{false}; ///< A round trip was measured.
    bool m_isLate{false};      ///< A loss or a long delay in this period.
};

static_assert(CongestionControl<Nscc>);

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_NSCC_H
