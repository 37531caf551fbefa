/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_SWIFT_H
#define MESSAGING_SWIFT_H

#include "ns3/messaging-congestion-control.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

/**
 * @file
 * @ingroup messaging
 * Swift, a window that keeps the round trip at a target.
 */

namespace ns3
{
namespace messaging
{

/** Constants of Swift. */
struct SwiftConstants
{
    uint32_t segment{1};      ///< A full frame [bytes].
    double most{1};           ///< Largest window, also the first one [frames].
    double least{0};          ///< Least window [frames].
    double base{1};           ///< Target of a large window [ticks].
    double range{0};          ///< Part of the target that depends on the window, at most [ticks].
    double rangeLeast{0.1};   ///< Window with all of that part [frames].
    double rangeMost{100};    ///< Window without that part [frames].
    double additive{1};       ///< Additive increase [frames a round trip].
    double decrease{0.8};     ///< Factor of the decrease by delay.
    double mostDecrease{0.5}; ///< Largest decrease by one step, as a part of the window.
};

/**
 * @ingroup messaging
 * Swift [Kumar et al., SIGCOMM 2020]: additive increase while the round trip is below a target,
 * multiplicative decrease, at most once a round trip, while it is above.
 *
 * @verbatim
      target  = base + clamp(a / sqrt(w) - a / sqrt(rangeMost), 0, range)
      delay < target      w += additive acked / w            (w < 1: additive acked)
      otherwise           w *= max(1 - decrease (delay - target) / delay, 1 - mostDecrease)
      loss                w *= 1 - mostDecrease
      timeout             the same; w = least from the fifth one in a row on
   @endverbatim
 *
 * A window below one frame is a rate: one frame for each round trip / w.
 *
 * Written from general knowledge of the paper, whose text was not at hand: one round trip stands
 * for the delays of fabric and host, which the paper separates, and the target has no part for each
 * hop.
 */
class Swift
{
  public:
    /** @param constants the constants */
    explicit Swift(const SwiftConstants& constants)
        : m_constants(constants),
          m_window(constants.most),
          m_scale(constants.range /
                  (1 / std::sqrt(constants.rangeLeast) - 1 / std::sqrt(constants.rangeMost)))
    {
    }

    /** Does nothing: the window is clocked by acknowledgements. */
    void OnSend(Ticks, uint32_t)
    {
    }

    /** Compare the round trip with the target. @param news the acknowledgement */
    void OnAck(const AckNews& news)
    {
        m_timeouts = news.bytes > 0 ? 0 : m_timeouts;
        if (news.roundTrip == 0)
        {
            return;
        }
        m_roundTrip = news.roundTrip;
        const auto delay = static_cast<double>(news.roundTrip);
        const double target = GetTarget();
        if (delay < target)
        {
            const double frames = static_cast<double>(news.bytes) / m_constants.segment;
            m_window += m_constants.additive * frames / std::max(m_window, 1.0);
            Limit();
        }
        else
        {
            const double part = m_constants.decrease * (delay - target) / delay;
            Decrease(news.now, std::min(part, m_constants.mostDecrease));
        }
    }

    /** Decrease the window. @param now the time [ticks] */
    void OnLoss(Ticks now)
    {
        Decrease(now, m_constants.mostDecrease);
    }

    /** Decrease the window, or begin again. @param now the time [ticks] */
    void OnTimeout(Ticks now)
    {
        m_timeouts = std::min(m_timeouts + 1, TIMEOUTS);
        if (m_timeouts == TIMEOUTS)
        {
            m_window = m_constants.least;
            m_decreased = now;
            return;
        }
        Decrease(now, m_constants.mostDecrease);
    }

    /** @return the window, at least a frame [bytes]. */
    uint64_t GetWindow() const
    {
        return static_cast<uint64_t>(std::max(m_window, 1.0) * m_constants.segment);
    }

    /** @return the rate of a window below a frame; 0 for no limit [bytes a tick]. */
    double GetRate() const
    {
        if (m_window >= 1 || m_roundTrip == 0)
        {
            return 0;
        }
        return m_window * m_constants.segment / static_cast<double>(m_roundTrip);
    }

    /** @return the target of the round trip [ticks]. */
    double GetTarget() const
    {
        const double part =
            m_scale / std::sqrt(m_window) - m_scale / std::sqrt(m_constants.rangeMost);
        return m_constants.base + std::clamp(part, 0.0, m_constants.range);
    }

    /** Append the window and the timeouts in a row. @param encoder where */
    void Encode(Encoder& encoder) const
    {
        encoder.Put(GetWindow(), "window");
        encoder.Put(static_cast<uint64_t>(m_window * FINE), "window of Swift");
        encoder.Put(m_timeouts, "timeouts in a row");
    }

  private:
    /** Timeouts in a row after which the window is the least. */
    static constexpr uint32_t TIMEOUTS = 5;

    /** Parts of a frame in a printed window. */
    static constexpr double FINE = 1024;

    /** Decrease the window, at most once a round trip. @param now the time [ticks] @param part part
     * of the window by which it decreases */
    void Decrease(Ticks now, double part)
    {
        if (m_decreased > 0 && now < m_decreased + m_roundTrip)
        {
            return;
        }
        m_window *= 1 - part;
        m_decreased = now;
        Limit();
    }

    /** Keep the window in its bounds. */
    void Limit()
    {
        m_window = std::clamp(m_window, m_constants.least, m_constants.most);
    }

    SwiftConstants m_constants; ///< The constants.
    double m_window;            ///< The window [frames].
    double m_scale;         ///< Factor a of the target's part that depends on the window [ticks].
    Ticks m_roundTrip{0};   ///< Last measured round trip [ticks].
    Ticks m_decreased{0};   ///< Time of the last decrease [ticks].
    uint32_t m_timeouts{0}; ///< Timeouts in a row.
};

static_assert(CongestionControl<Swift>);

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_SWIFT_H
