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
    Ticks roundTrip{1};     ///< Idle round trip of the network, of the most distant hosts [ticks].
    Ticks hosts{0};         ///< Idle work of hosts in a measured round trip [ticks].
    double tick{1};         ///< Length of a tick [ns].
    double target{0.75};    ///< Target of the queueing delay [idle round trips].
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
              delay below target                         delay of the target or more
   no mark    proportional: + alpha acked (target - d)   fair: + fi acked
              after a window below 1 us: fast increase
   mark       none: the sender changes the path          w *= max(1 - gamma (avg - target) / avg,
                                                         1/2), once a base round trip

   The first two increases are collected; after 8 frames, or an idle round trip after the last one,
   w += collected / w. Each idle round trip w += eta.
   loss, NACK    w -= frame
   quick adaptation, at the end of a period of a base round trip and the target:
       if there was a loss, or the delay exceeds four targets, and less than an eighth of the
 largest window was acknowledged in it, w = what was acknowledged. Until as much as was in flight
 then has been acknowledged or lost, losses and marks change nothing.
   @endverbatim
 *
 * The base round trip is the idle one, or the least one measured, if that is shorter. Measured ones
 * contain the work of hosts, products and the target do not. A delay is
 * that of a frame that was sent once; a loss is a sample of an idle round trip. A delay beyond the
 * target without a mark is one of a path that the others do not have, so that the average takes a
 * quarter of the base round trip instead. What was in flight at an adaptation is taken to be the
 * window before it. The receiver's penalties are left out.
 */
class Nscc
{
  public:
    /** @param constants the constants */
    explicit Nscc(const NsccConstants& constants)
        : m_constants(constants),
          m_base(constants.roundTrip + constants.hosts)
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
        m_counted += news.bytes;
        m_passed += news.bytes;
        const double delay = Measure(news);
        if (Adapt(news.now, news.marked, delay > QUICK_TARGETS * GetTarget()))
        {
            return;
        }
        if (!news.marked && delay < GetTarget())
        {
            IncreaseBelow(news.bytes, delay);
        }
        else if (!news.marked)
        {
            m_collected += GetFair() * news.bytes;
        }
        else if (delay >= GetTarget())
        {
            Decrease(news.now);
        }
        Limit();
        const bool hasTurned = news.now > m_stepped + m_constants.roundTrip;
        if (m_counted > ADJUST_SEGMENTS * m_constants.segment || hasTurned)
        {
            m_window += m_collected / m_window;
            if (hasTurned)
            {
                m_window += GetStep();
                m_stepped = news.now;
            }
            m_collected = 0;
            m_counted = 0;
        }
        Limit();
    }

    /** Reduce the window by a frame, or adapt it quickly. @param now the time [ticks] */
    void OnLoss(Ticks now)
    {
        m_passed += m_constants.segment;
        AddSample(static_cast<double>(m_constants.roundTrip));
        m_hasLost = true;
        if (!Adapt(now, true, true))
        {
            m_window -= m_constants.segment;
            Limit();
        }
    }

    /** Reduce the window by a frame. */
    void OnTimeout(Ticks)
    {
        m_window -= m_constants.segment;
        Limit();
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
        encoder.Put(static_cast<uint64_t>(m_passed), "since an adaptation");
        encoder.Put(static_cast<uint64_t>(m_ignored), "ignored");
        encoder.Put(static_cast<uint64_t>(m_undelayed), "without delay");
        encoder.Put(m_isFast, "fast");
        encoder.Put(m_hasLost, "loss");
    }

  private:
    static constexpr double ADJUST_SEGMENTS = 8;   ///< Frames after which increases are applied.
    static constexpr double QUICK_TARGETS = 4;     ///< Targets beyond which a delay is too long.
    static constexpr double QUICK_SHARE = 1.0 / 8; ///< Part of the window that is too little.
    static constexpr double ALPHA = 4;             ///< Factor of the proportional increase.
    static constexpr double FAIR_SEGMENTS = 5;     ///< Frames of the fair increase.
    static constexpr double STEP_SEGMENTS = 0.15;  ///< Frames of the increase of a round trip.
    static constexpr double FAST_SHARE = 0.25;     ///< Factor of the fast increase.
    static constexpr double FAST_DELAY = 1000;     ///< Delay below which it begins [ns].
    static constexpr double CALM_SHARE = 0.25; ///< Sample of a long delay without a mark [base].
    static constexpr double REFERENCE_RATE = 12.5;  ///< 100 Gb/s, of the constants [bytes a ns].
    static constexpr double REFERENCE_TIME = 12000; ///< 12 us, of the constants [ns].

    /** @return the bandwidth-delay product of the network [bytes]. */
    double GetProduct() const
    {
        return m_constants.rate * static_cast<double>(m_constants.roundTrip);
    }

    /** @return the base round trip, at most the idle one of the network [ticks]. */
    double GetNetworkBase() const
    {
        return static_cast<double>(std::min(m_base, m_constants.roundTrip));
    }

    /** @return the largest window [bytes]. */
    double GetLargest() const
    {
        const double product = m_constants.rate * GetNetworkBase();
        return std::max<double>(m_constants.most * product, m_constants.segment);
    }

    /** @return the target of the queueing delay [ticks]. */
    double GetTarget() const
    {
        return m_constants.target * static_cast<double>(m_constants.roundTrip);
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

    /** @return increase of a round trip [bytes]. */
    double GetStep() const
    {
        return STEP_SEGMENTS * m_constants.segment * GetScale();
    }

    /** Measure the queueing delay. @param news the acknowledgement @return the delay, the average
     * if none was measured [ticks] */
    double Measure(const AckNews& news)
    {
        if (news.roundTrip == 0)
        {
            return m_average;
        }
        m_base = std::min(m_base, news.roundTrip);
        const auto delay = static_cast<double>(news.roundTrip - m_base);
        const bool isAlone = !news.marked && delay > GetTarget();
        AddSample(isAlone ? CALM_SHARE * GetNetworkBase() : delay);
        return delay;
    }

    /** Add a sample to the average delay. @param delay the sample [ticks] */
    void AddSample(double delay)
    {
        m_average += m_constants.average * (delay - m_average);
    }

    /** Increase the window while the delay is below the target. @param bytes acknowledged bytes
     * @param delay the delay [ticks] */
    void IncreaseBelow(uint32_t bytes, double delay)
    {
        if (delay * m_constants.tick < FAST_DELAY)
        {
            m_undelayed += bytes;
            m_isFast = m_isFast || m_undelayed > m_window;
        }
        else
        {
            m_undelayed = 0;
            m_isFast = false;
        }
        if (m_isFast)
        {
            m_window += FAST_SHARE * GetScale() * bytes;
        }
        else
        {
            m_collected += GetAlpha() * (GetTarget() - delay) * bytes;
        }
    }

    /** Decrease the window by the average delay, once a base round trip. @param now the time
     * [ticks] */
    void Decrease(Ticks now)
    {
        m_isFast = false;
        m_undelayed = 0;
        if (m_average > GetTarget() && now > m_decreased + m_base)
        {
            const double excess = (m_average - GetTarget()) / m_average;
            m_window *= std::max(1 - m_constants.decrease * excess, m_constants.leastShare);
            m_decreased = now;
        }
    }

    /**
     * Adapt quickly at the end of a period, if too little was acknowledged.
     * @param now the time [ticks]
     * @param signals there is a loss or a mark
     * @param isLate there is a loss or a long delay
     * @return true if the window was adapted, or the signal is one of the time before that
     */
    bool Adapt(Ticks now, bool signals, bool isLate)
    {
        bool isDone = m_passed < m_ignored && signals;
        if (!isDone && now > m_periodEnd)
        {
            const bool isTooLittle = m_achieved < GetLargest() * QUICK_SHARE;
            if (m_periodEnd > 0 && (m_hasLost || isLate) && isTooLittle)
            {
                m_ignored = m_window;
                m_passed = 0;
                m_window = m_achieved;
                m_hasLost = false;
                isDone = true;
                Limit();
            }
            m_achieved = 0;
            m_periodEnd = now + m_base + static_cast<Ticks>(GetTarget());
        }
        if (isDone)
        {
            m_collected = 0;
            m_counted = 0;
        }
        return isDone;
    }

    /** Keep the window within its bounds. */
    void Limit()
    {
        m_window = std::clamp<double>(m_window, m_constants.segment, GetLargest());
    }

    NsccConstants m_constants; ///< The constants.
    double m_window{0};        ///< The window [bytes].
    double m_average{0};       ///< Average queueing delay [ticks].
    double m_collected{0};     ///< Increases that are not applied yet [bytes squared].
    double m_counted{0};       ///< Bytes since they were applied [bytes].
    double m_achieved{0};      ///< Bytes acknowledged in this period [bytes].
    double m_passed{0};        ///< Bytes acknowledged or lost since an adaptation [bytes].
    double m_ignored{0};       ///< Bytes in flight at that adaptation [bytes].
    double m_undelayed{0};     ///< Bytes acknowledged in turn with hardly any delay [bytes].
    Ticks m_base;              ///< Base round trip [ticks].
    Ticks m_stepped{0};        ///< Time of the last increase of a round trip [ticks].
    Ticks m_decreased{0};      ///< Time of the last decrease [ticks].
    Ticks m_periodEnd{0};      ///< End of the period; 0 before the first one [ticks].
    bool m_isFast{false};      ///< The increase is a fast one.
    bool m_hasLost{false};     ///< A loss since the last adaptation.
};

static_assert(CongestionControl<Nscc>);

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_NSCC_H
