/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_CONGESTION_CONTROL_H
#define MESSAGING_CONGESTION_CONTROL_H

#include "ns3/messaging-core.h"

#include <algorithm>
#include <concepts>
#include <cstdint>

/**
 * @file
 * @ingroup messaging
 * Congestion control: a plain value beside a core, so that any control combines with any protocol.
 */

namespace ns3
{
namespace messaging
{

/** News of an acknowledgement for congestion control. */
struct AckNews
{
    Ticks now{0};       ///< The time [ticks].
    Ticks roundTrip{0}; ///< Round trip of a frame that was sent once; 0 if not measured [ticks].
    uint32_t bytes{0};  ///< Newly acknowledged payload [bytes].
    bool marked{false}; ///< The acknowledged frame bore MARK_CONGESTION.
};

/**
 * Congestion control of one flow: of one core to one peer.
 *
 * The core sends while its bytes in flight are below GetWindow, and no faster than GetRate. It
 * calls OnSend with each frame of a message that has left, and OnLoss for a loss that it has found
 * by other means than a timeout. Encode appends what the behaviour of the core depends on, without
 * estimates of time.
 */
template <class C>
concept CongestionControl =
    std::copyable<C> && requires(C c, const C constant, const AckNews& news, Encoder& encoder) {
        c.OnSend(Ticks{}, uint32_t{});
        c.OnAck(news);
        c.OnLoss(Ticks{});
        c.OnTimeout(Ticks{});
        { constant.GetWindow() } -> std::same_as<uint64_t>;
        { constant.GetRate() } -> std::same_as<double>;
        constant.Encode(encoder);
    };

/**
 * @ingroup messaging
 * No congestion control: a window of constant size.
 */
class FixedWindow
{
  public:
    /** @param window the window [bytes] */
    explicit FixedWindow(uint64_t window)
        : m_window(window)
    {
    }

    /** Does nothing. */
    void OnSend(Ticks, uint32_t)
    {
    }

    /** Does nothing. */
    void OnAck(const AckNews&)
    {
    }

    /** Does nothing. */
    void OnLoss(Ticks)
    {
    }

    /** Does nothing. */
    void OnTimeout(Ticks)
    {
    }

    /** @return the window [bytes]. */
    uint64_t GetWindow() const
    {
        return m_window;
    }

    /** @return 0: no limit [bytes a tick]. */
    double GetRate() const
    {
        return 0;
    }

    /** The window never changes, so it is not part of a state. */
    void Encode(Encoder&) const
    {
    }

  private:
    uint64_t m_window; ///< The window [bytes].
};

/**
 * @ingroup messaging
 * Additive increase, multiplicative decrease: the window grows by one segment a round trip, and
 * doubles in slow start. It is halved by the first loss or mark of a round trip [RFC 5681, RFC
 * 3168], and one segment after a timeout.
 */
class AimdWindow
{
  public:
    /**
     * Construct.
     * @param segment a full frame's payload [bytes]
     * @param least the window is at least this [bytes]
     * @param most the window is at most this [bytes]
     */
    AimdWindow(uint32_t segment, uint64_t least, uint64_t most)
        : m_least(std::max<uint64_t>(least, segment)),
          m_most(std::max(most, m_least)),
          m_window(std::min(INITIAL_SEGMENTS * segment, m_most)),
          m_threshold(m_most),
          m_segment(segment)
    {
    }

    /** Does nothing: the window is clocked by acknowledgements. */
    void OnSend(Ticks, uint32_t)
    {
    }

    /** Increase the window, or halve it if the frame was marked. @param news the acknowledgement */
    void OnAck(const AckNews& news)
    {
        if (news.roundTrip > 0)
        {
            m_roundTrip = news.roundTrip;
        }
        if (news.marked)
        {
            Decrease(news.now);
            return;
        }
        if (m_window < m_threshold)
        {
            m_window += news.bytes;
        }
        else
        {
            m_credit += uint64_t{news.bytes} * m_segment;
            m_window += m_credit / m_window;
            m_credit %= m_window;
        }
        m_window = std::min(m_window, m_most);
    }

    /** Halve the window, once a round trip. @param now the time [ticks] */
    void OnLoss(Ticks now)
    {
        Decrease(now);
    }

    /** Begin again with the least window. @param now the time [ticks] */
    void OnTimeout(Ticks now)
    {
        m_threshold = std::max(m_window / 2, m_least);
        m_window = m_least;
        m_decreased = now;
    }

    /** @return the window [bytes]. */
    uint64_t GetWindow() const
    {
        return m_window;
    }

    /** @return 0: no limit [bytes a tick]. */
    double GetRate() const
    {
        return 0;
    }

    /** Append the state. @param encoder where */
    void Encode(Encoder& encoder) const
    {
        encoder.Put(m_window);
        encoder.Put(m_threshold);
        encoder.Put(m_credit);
    }

  private:
    static constexpr uint64_t INITIAL_SEGMENTS = 10; ///< Initial window [segments; RFC 6928].

    /** Halve the window, unless it was halved within a round trip. @param now the time [ticks] */
    void Decrease(Ticks now)
    {
        if (m_decreased > 0 && now < m_decreased + m_roundTrip)
        {
            return;
        }
        m_window = std::max(m_window / 2, m_least);
        m_threshold = m_window;
        m_decreased = now;
    }

    uint64_t m_least;      ///< Least window [bytes].
    uint64_t m_most;       ///< Largest window [bytes].
    uint64_t m_window;     ///< The window [bytes].
    uint64_t m_threshold;  ///< End of slow start [bytes].
    uint64_t m_credit{0};  ///< Part of the next increase [bytes squared].
    Ticks m_roundTrip{0};  ///< Last measured round trip [ticks].
    Ticks m_decreased{0};  ///< Time of the last decrease [ticks].
    uint32_t m_segment{0}; ///< A full frame's payload [bytes].
};

static_assert(CongestionControl<FixedWindow>);
static_assert(CongestionControl<AimdWindow>);

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_CONGESTION_CONTROL_H
