/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_DCQCN_H
#define MESSAGING_DCQCN_H

#include "ns3/messaging-congestion-control.h"

#include <algorithm>
#include <cstdint>
#include <limits>

/**
 * @file
 * @ingroup messaging
 * DCQCN, a rate that follows marks of congestion.
 */

namespace ns3
{
namespace messaging
{

/** Constants of DCQCN in ticks and bytes a tick. */
struct DcqcnConstants
{
    double line{1};            ///< Rate of the link [bytes a tick].
    double least{0};           ///< Least rate [bytes a tick].
    double additive{0};        ///< Additive increase of the target [bytes a tick].
    double hyper{0};           ///< Hyper increase of the target [bytes a tick].
    double gain{0};            ///< Gain g of the estimate of congestion.
    Ticks alphaInterval{1};    ///< Time without a mark after which the estimate falls [ticks].
    Ticks cutInterval{1};      ///< Least time between two cuts [ticks].
    Ticks increaseInterval{1}; ///< Time between two increases [ticks].
    uint64_t bytes{1};         ///< Bytes sent between two increases [bytes].
    uint32_t rounds{1};        ///< Increases of fast recovery.
};

/**
 * @ingroup messaging
 * DCQCN [Zhu et al., SIGCOMM 2015], the algorithm of its reaction point.
 *
 * @verbatim
      mark, cutInterval after the last cut:
          target = rate;  rate *= 1 - alpha / 2;  alpha = (1 - g) alpha + g

      each alphaInterval without a cut:   alpha = (1 - g) alpha
      each increaseInterval, each `bytes` sent since the cut:  one increase

      increases so far, by time t and by bytes b
         max(t, b) < rounds     fast recovery        rate = (rate + target) / 2
         min(t, b) <= rounds    additive increase    target += additive, then the same
         otherwise              hyper increase       target += hyper, then the same
   @endverbatim
 *
 * The receiver's rule, one notification (CNP) for each interval, is the sender's cutInterval here:
 * each acknowledgement of a marked frame may return its mark. The state changes as of the times of
 * its timers, but only when a frame is sent or acknowledged.
 *
 * Nothing but marks lowers the rate: neither losses nor timeouts do.
 */
class Dcqcn
{
  public:
    /** @param constants the constants */
    explicit Dcqcn(const DcqcnConstants& constants)
        : m_constants(constants),
          m_rate(constants.line),
          m_target(constants.line)
    {
    }

    /** Count what is sent towards the next increase. @param now the time [ticks] @param bytes size
     * of the frame [bytes] */
    void OnSend(Ticks now, uint32_t bytes)
    {
        if (!m_isCut)
        {
            return;
        }
        CatchUp(now);
        m_sent += bytes;
        while (m_isCut && m_sent >= m_constants.bytes)
        {
            m_sent -= m_constants.bytes;
            ++m_byBytes;
            Increase();
        }
    }

    /** Cut the rate if the frame was marked. @param news the acknowledgement */
    void OnAck(const AckNews& news)
    {
        CatchUp(news.now);
        const bool isEarly = m_hasCut && news.now < m_lastCut + m_constants.cutInterval;
        if (!news.marked || isEarly)
        {
            return;
        }
        m_target = m_rate;
        m_rate = std::max(m_rate * (1 - m_alpha / 2), m_constants.least);
        m_alpha = (1 - m_constants.gain) * m_alpha + m_constants.gain;
        m_byTime = 0;
        m_byBytes = 0;
        m_sent = 0;
        m_lastCut = news.now;
        m_nextAlpha = news.now + m_constants.alphaInterval;
        m_nextIncrease = news.now + m_constants.increaseInterval;
        m_hasCut = true;
        m_isCut = true;
    }

    /** Does nothing: DCQCN leaves losses to the protocol. */
    void OnLoss(Ticks)
    {
    }

    /** Does nothing: DCQCN leaves losses to the protocol. */
    void OnTimeout(Ticks)
    {
    }

    /** @return no limit: DCQCN has no window [bytes]. */
    uint64_t GetWindow() const
    {
        return std::numeric_limits<uint64_t>::max();
    }

    /** @return the rate; 0 at the rate of the link, at which nothing has to be paced [bytes a
     * tick]. */
    double GetRate() const
    {
        return m_isCut ? m_rate : 0;
    }

    /** @return the estimate of congestion, from 0 to 1. */
    double GetAlpha() const
    {
        return m_alpha;
    }

    /** Append whether frames are paced; the rate itself only sets times. @param encoder where */
    void Encode(Encoder& encoder) const
    {
        encoder.Put(m_isCut, "rate is cut");
    }

  private:
    /** Estimates below this are 0. */
    static constexpr double NEGLIGIBLE = 1e-9;

    /** Parts of the rate of the link below which a difference to it is negligible. */
    static constexpr double CLOSE = 1e-3;

    /** Let the timers expire that are due. @param now the time [ticks] */
    void CatchUp(Ticks now)
    {
        while (m_isCut && m_nextIncrease <= now)
        {
            m_nextIncrease += m_constants.increaseInterval;
            ++m_byTime;
            Increase();
        }
        while (m_hasCut && m_alpha > 0 && m_nextAlpha <= now)
        {
            m_nextAlpha += m_constants.alphaInterval;
            m_alpha *= 1 - m_constants.gain;
            if (m_alpha < NEGLIGIBLE)
            {
                m_alpha = 0;
            }
        }
    }

    /** Increase the rate once. */
    void Increase()
    {
        const uint32_t rounds = m_constants.rounds;
        if (std::min(m_byTime, m_byBytes) > rounds)
        {
            m_target += m_constants.hyper;
        }
        else if (std::max(m_byTime, m_byBytes) >= rounds)
        {
            m_target += m_constants.additive;
        }
        m_target = std::min(m_target, m_constants.line);
        m_rate = (m_rate + m_target) / 2;
        if (m_rate >= m_constants.line * (1 - CLOSE))
        {
            m_rate = m_constants.line;
            m_isCut = false;
        }
    }

    DcqcnConstants m_constants; ///< The constants.
    double m_rate;              ///< Current rate [bytes a tick].
    double m_target;            ///< Target of the recovery [bytes a tick].
    double m_alpha{1};          ///< Estimate of congestion.
    uint64_t m_sent{0};         ///< Bytes since the last increase by bytes [bytes].
    Ticks m_lastCut{0};         ///< Time of the last cut [ticks].
    Ticks m_nextAlpha{0};       ///< Time at which the estimate falls [ticks].
    Ticks m_nextIncrease{0};    ///< Time of the next increase by time [ticks].
    uint32_t m_byTime{0};       ///< Increases by time since the cut.
    uint32_t m_byBytes{0};      ///< Increases by bytes since the cut.
    bool m_hasCut{false};       ///< The rate has been cut before.
    bool m_isCut{false};        ///< The rate is below that of the link.
};

static_assert(CongestionControl<Dcqcn>);

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_DCQCN_H
