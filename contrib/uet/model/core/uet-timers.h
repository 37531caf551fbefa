/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef UET_TIMERS_H
#define UET_TIMERS_H

#include "uet-window.h"

#include "ns3/messaging-congestion-choice.h"
#include "ns3/messaging-encoder.h"
#include "ns3/messaging-flow-core.h"
#include "ns3/messaging-types.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>

/**
 * @file
 * @ingroup uet
 * Timers of the packets of a window, and the pace at which they leave.
 */

namespace ns3
{
namespace uet
{

/**
 * @ingroup uet
 * A timer for each packet of a window, by few timers of the host: packets with the same number of
 * timeouts expire in the order of transmission, so there is one timer for each number. It is armed
 * once, never restarted or cancelled.
 *
 * The timers of the flow are those from 0 to MOST_TIMEOUTS.
 */
class PacketTimers
{
  public:
    /** Most timeouts of a packet. */
    static constexpr uint32_t MOST_TIMEOUTS = 15;

    /** @param timeout timeout of a first transmission, doubled each time [ticks] */
    explicit PacketTimers(messaging::Ticks timeout)
        : m_timeout(timeout)
    {
    }

    /**
     * Protect a packet that has left by the timer of its number of timeouts.
     * @param peer the peer
     * @param timeouts timeouts of the packet so far
     * @param sent time of its transmission [ticks]
     * @param out actions
     */
    template <class Out>
    void Arm(messaging::Peer peer, uint32_t timeouts, messaging::Ticks sent, Out& out)
    {
        if (IsArmed(timeouts))
        {
            return;
        }
        const messaging::Ticks now = out.Now();
        const messaging::Ticks end = std::max(sent + (m_timeout << timeouts), now + 1);
        m_armed |= 1U << timeouts;
        m_ends[timeouts] = end;
        out.Arm(messaging::GetFlowTimer(peer, timeouts), end - now);
    }

    /**
     * Handle the expiry of a timer: packets with its number of timeouts are lost, if their time has
     * come.
     * @param peer the peer
     * @param timeouts number of timeouts
     * @param window the packets
     * @param out actions
     * @param lose given the PSN of a packet in flight, declares it lost
     * @return the most timeouts of such a packet; none if there is none
     */
    template <class Out, class Lose>
    std::optional<uint32_t> OnExpiry(messaging::Peer peer,
                                     uint32_t timeouts,
                                     Window& window,
                                     Out& out,
                                     Lose&& lose)
    {
        if (!IsArmed(timeouts))
        {
            return std::nullopt;
        }
        m_armed &= ~(1U << timeouts);
        const messaging::Ticks limit = std::max(out.Now(), m_ends[timeouts]);
        std::optional<messaging::Ticks> firstSent;
        std::optional<uint32_t> most;
        for (uint64_t psn = window.GetBegin(); psn < window.GetNext(); ++psn)
        {
            const Window::Packet packet = window.Get(psn);
            if (packet.state != Window::FLYING || packet.timeouts != timeouts)
            {
                continue;
            }
            if (packet.sent + (m_timeout << timeouts) > limit)
            {
                firstSent = std::min(packet.sent, firstSent.value_or(packet.sent));
                continue;
            }
            lose(psn);
            most = std::max(most.value_or(0), window.CountTimeout(psn));
        }
        if (firstSent)
        {
            Arm(peer, timeouts, *firstSent, out);
        }
        return most;
    }

    /** Append the state. @param encoder where */
    void Encode(messaging::Encoder& encoder) const
    {
        encoder.Put(m_armed, "armed timers");
        for (const messaging::Ticks end : m_ends)
        {
            encoder.Put(end);
        }
    }

  private:
    /** @param timeouts number of timeouts @return true if its timer is armed. */
    bool IsArmed(uint32_t timeouts) const
    {
        return (m_armed >> timeouts & 1) != 0;
    }

    std::array<messaging::Ticks, MOST_TIMEOUTS + 1> m_ends{}; ///< Expiry of each timer [ticks].
    messaging::Ticks m_timeout;                               ///< First timeout [ticks].
    uint32_t m_armed{0};                                      ///< Armed timers, a bit each.
};

/**
 * @ingroup uet
 * Delays packets by the rate of congestion control, if it has one.
 */
class Pacer
{
  public:
    /** @return true while the next packet must not leave. */
    bool IsPaced() const
    {
        return m_isPaced;
    }

    /** The timer fires. */
    void OnTimer()
    {
        m_isPaced = false;
    }

    /**
     * A packet has left: delay the next one.
     * @param control congestion control, which is notified
     * @param timer timer after which the next packet may leave
     * @param bytes size of the packet [bytes]
     * @param out actions
     */
    template <class Out>
    void OnSent(messaging::CongestionChoice& control,
                messaging::TimerId timer,
                uint32_t bytes,
                Out& out)
    {
        const messaging::Ticks now = out.Now();
        control.OnSend(now, bytes);
        if (const double rate = control.GetRate(); rate > 0)
        {
            m_nextSend = std::max(m_nextSend, static_cast<double>(now)) + bytes / rate;
            m_isPaced = true;
            const double delay = std::ceil(m_nextSend - static_cast<double>(now));
            out.Arm(timer, static_cast<messaging::Ticks>(std::max(1.0, delay)));
        }
    }

    /** Append the state. @param encoder where */
    void Encode(messaging::Encoder& encoder) const
    {
        encoder.Put(m_isPaced, "paced");
    }

  private:
    double m_nextSend{0};  ///< Time at which a packet may leave [ticks].
    bool m_isPaced{false}; ///< Waits for the timer.
};

} // namespace uet
} // namespace ns3

#endif // UET_TIMERS_H
