/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef UET_MRC_REQUESTER_H
#define UET_MRC_REQUESTER_H

#include "uet-mrc-packet.h"
#include "uet-mrc-paths.h"
#include "uet-timers.h"
#include "uet-window.h"

#include "ns3/messaging-congestion-choice.h"
#include "ns3/messaging-core.h"
#include "ns3/messaging-flow-core.h"
#include "ns3/messaging-sequence-space.h"
#include "ns3/roce-message-queue.h"

#include <algorithm>
#include <bitset>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

/**
 * @file
 * @ingroup uet
 * Requester of MRC: the end of a queue pair that sends.
 */

namespace ns3
{
namespace uet
{
namespace mrc
{

/**
 * @ingroup uet
 * Requester of MRC: writes messages to a responder by packets that take all paths of a profile in
 * turn, and sends again those that are lost.
 *
 * @verbatim
              leaves, on a path                  SACK
     (new) ---------------------> in flight ------------> arrived, until all before it have
                                  |   ^                     ^
      NACK TRIMMED, or            |   | leaves again, with  |
      a later packet on its path  |   | rtx, on another     |
      has arrived, or its timer   v   | path                |
                                  lost ---------------------+

     A message ends as DELIVERED when its packets, and all before them, have arrived. When the
     retries of one packet are used up, all messages fail, and the queue pair is in its error state.
   @endverbatim
 *
 * A cleared bit of a SACK says nothing where packets take different paths. But a path keeps the
 * order of packets: one that was sent once is lost if a later one that was sent once on the same
 * path has arrived.
 */
class Requester
{
  public:
    /** Timers. Those below are of packets, see PacketTimers. */
    enum Timer : uint32_t
    {
        PACE = PacketTimers::MOST_TIMEOUTS + 1, ///< The next packet may leave.
        PROBE_PATHS,                            ///< Paths that are ASSUMED_BAD are probed.
        PROBE_REVERSE                           ///< A path of answers is probed, see Flow.
    };

    /** @param config parameters, shared by all */
    explicit Requester(std::shared_ptr<const Config> config)
        : m_config(std::move(config)),
          m_numbers(m_config->pair.modulus),
          m_window(m_config->pair.window, m_config->pair.modulus),
          m_queue(m_config->pair.requests, m_config->pair.mtu, m_config->pair.modulus),
          m_control(m_config->pair.control, m_config->pair.site),
          m_paths(m_config->profile),
          m_timers(m_config->timeout)
    {
    }

    /** @return the packets that are not acknowledged. */
    const Window& GetWindow() const
    {
        return m_window;
    }

    /** @return the paths. */
    const PathProfile& GetPaths() const
    {
        return m_paths;
    }

    /**
     * Post a message.
     * @param request the message
     * @return accepted; stalled if the queue is full; refused after a failure
     */
    messaging::Acceptance Post(const messaging::Request& request)
    {
        if (m_hasFailed)
        {
            return messaging::Acceptance::REFUSED;
        }
        if (m_queue.IsFull())
        {
            return messaging::Acceptance::STALLED;
        }
        m_queue.Post(request);
        return messaging::Acceptance::ACCEPTED;
    }

    /**
     * Receive a SACK or a NACK. One for packets that were never sent is ignored.
     * @param peer the responder
     * @param frame the answer
     * @param out actions
     */
    template <class Out>
    void OnAnswer(Peer peer, const Frame& frame, Out& out)
    {
        if (m_hasFailed)
        {
            return;
        }
        const auto path = static_cast<uint16_t>(frame.aux);
        if (GetKind(frame) == NACK)
        {
            OnNack(peer, Unwrap(GetLowNumber(frame)), path, frame.flags, out);
            return;
        }
        const uint64_t next = Unwrap(GetLowNumber(frame));
        if (next > m_window.GetNext())
        {
            return;
        }
        const auto news = static_cast<PathNews>(frame.flags);
        if (HasFlag(frame, PROBE_FLAG))
        {
            m_paths.OnProbeAnswer(peer, path, news, out);
            OnSack(next, {.now = out.Now()}, frame, out);
            return;
        }
        m_paths.OnNews(peer, path, news, out);
        messaging::AckNews ack{.now = out.Now(), .marked = news == PathNews::SKIP_ONCE};
        const uint64_t trigger = Unwrap(GetHighNumber(frame));
        if (m_window.Has(trigger) && m_window.Get(trigger).state != Window::ARRIVED)
        {
            const Window::Packet& packet = m_window.Get(trigger);
            ack.roundTrip = packet.isRepeated ? 0 : ack.now - packet.sent;
            ack.bytes = m_config->pair.GetFullFrame();
            m_window.Acknowledge(trigger);
        }
        OnSack(next, ack, frame, out);
    }

    /**
     * Handle a timer.
     * @param peer the responder
     * @param timer the timer
     * @param out actions
     */
    template <class Out>
    void OnTimer(Peer peer, uint32_t timer, Out& out)
    {
        if (timer == PACE)
        {
            m_pacer.OnTimer();
        }
        else if (timer == PROBE_PATHS)
        {
            m_isProbeArmed = false;
            m_probe = IsActive() ? 0 : m_paths.GetNPaths();
        }
        else if (timer <= PacketTimers::MOST_TIMEOUTS && !m_hasFailed)
        {
            OnExpiry(peer, timer, out);
        }
    }

    /**
     * Send probes and packets as far as port, windows and rate permit.
     * @param to the responder
     * @param out actions
     */
    template <class Out>
    void OnReady(Peer to, Out& out)
    {
        if (!SendProbes(to, out))
        {
            return;
        }
        while (SendNext(to, out))
        {
        }
        if (m_paths.HasBad() && IsActive() && !m_isProbeArmed)
        {
            m_isProbeArmed = true;
            out.Arm(messaging::GetFlowTimer(to, PROBE_PATHS), m_config->probeInterval);
        }
    }

    /** Append the state, without estimates of time. @param encoder where */
    void Encode(messaging::Encoder& encoder) const
    {
        m_window.Encode(encoder);
        for (uint64_t psn = m_window.GetBegin(); psn < m_window.GetNext(); ++psn)
        {
            encoder.Put(m_window.Get(psn).path, "path");
        }
        m_queue.Encode(encoder);
        m_control.Encode(encoder);
        m_paths.Encode(encoder);
        m_timers.Encode(encoder);
        m_pacer.Encode(encoder);
        encoder.Put(m_taken, "messages that have ended");
        encoder.Put(m_path ? uint64_t{*m_path} + 1 : 0, "next path");
        encoder.Put(m_probe, "next probe");
        encoder.Put(m_isProbeArmed, "probes are due");
        encoder.Put(m_hasFailed, "failed");
    }

  private:
    /** @param wrapped a PSN in a frame @return the PSN, near the first one in flight. */
    uint64_t Unwrap(uint64_t wrapped) const
    {
        return m_numbers.Unwrap(wrapped, m_window.GetBegin() - m_config->pair.modulus / 2);
    }

    /** @return true if a packet is not acknowledged. */
    bool IsActive() const
    {
        return !m_window.IsEmpty() && !m_hasFailed;
    }

    /** @return PSN after the last packet that may be sent. */
    uint64_t GetEnd() const
    {
        return m_queue.GetEndOf(m_config->immediates);
    }

    /** @return the most packets in flight. */
    uint64_t GetLimit() const
    {
        const uint64_t byControl = m_control.GetWindow() / m_config->pair.GetFullFrame();
        return std::max<uint64_t>(byControl, 1);
    }

    /**
     * Send a packet, if one may leave.
     * @param to the responder
     * @param out actions
     * @return true if one has left
     */
    template <class Out>
    bool SendNext(Peer to, Out& out)
    {
        if (m_pacer.IsPaced() || m_hasFailed)
        {
            return false;
        }
        const auto psn = m_window.GetNextToSend(GetEnd(), GetLimit());
        if (!psn)
        {
            return false;
        }
        if (!m_path)
        {
            m_path = m_paths.Choose(to, out);
        }
        const Frame frame = MakeFrame(*psn);
        if (!out.Send(to, frame))
        {
            return false;
        }
        if (HasFlag(frame, RTX_FLAG))
        {
            out.Note(REPEAT);
        }
        const Ticks now = out.Now();
        m_window.SetSent(*psn, now, *m_path);
        m_path.reset();
        const messaging::TimerId timer = messaging::GetFlowTimer(to, PACE);
        m_pacer.OnSent(m_control, timer, frame.header + frame.payload, out);
        m_timers.Arm(to, m_window.Get(*psn).timeouts, now, out);
        return true;
    }

    /** @param psn PSN of a packet @return the packet as a frame. */
    Frame MakeFrame(uint64_t psn) const
    {
        const bool isRepeat = m_window.Has(psn);
        const bool isLast = !m_window.HasNextAfter(psn, GetEnd(), GetLimit());
        const roce::Packet packet = m_queue.GetPacket(psn);
        const uint64_t msn = m_numbers.Wrap(m_taken + packet.message);
        Frame frame{.id = PackNumbers(m_numbers.Wrap(psn), msn),
                    .contents = packet.contents,
                    .payload = packet.payload,
                    .aux = packet.index == 0 ? packet.tag : packet.index,
                    .header = m_config->pair.dataHeader,
                    .path = *m_path,
                    .kind = packet.kind,
                    .flags = packet.flags};
        frame.header += packet.IsLast() ? roce::IMMEDIATE_HEADER : 0;
        frame.kind |= isRepeat ? RTX_FLAG : 0;
        frame.kind |= isRepeat || isLast ? AR_FLAG : 0;
        frame.trafficClass = isRepeat ? m_config->repeatClass : 0;
        return frame;
    }

    /**
     * Send the probes that are due, each on a path that is ASSUMED_BAD.
     * @param to the responder
     * @param out actions
     * @return false if the port is busy
     */
    template <class Out>
    bool SendProbes(Peer to, Out& out)
    {
        for (; m_probe < m_paths.GetNPaths(); ++m_probe)
        {
            if (m_paths.GetState(m_probe) != PathState::ASSUMED_BAD)
            {
                continue;
            }
            const Frame probe{.header = roce::TRANSPORT_HEADER + PROBE_HEADER,
                              .path = m_paths.GetPath(m_probe),
                              .kind = PROBE,
                              .trafficClass = CONTROL_CLASS};
            if (!out.Send(to, probe))
            {
                return false;
            }
            out.Note(PROBED);
        }
        return true;
    }

    /**
     * Record what a SACK says, besides the packet that it answers.
     * @param next PSN before which all packets have arrived
     * @param news news for congestion control, with the bytes of that packet
     * @param frame the SACK
     * @param out actions
     */
    template <class Out>
    void OnSack(uint64_t next, messaging::AckNews news, const Frame& frame, Out& out)
    {
        uint32_t count = m_window.AcknowledgeBefore(next);
        count += m_window.AcknowledgeSack(next, frame.words);
        m_window.Advance();
        news.bytes += count * m_config->pair.GetFullFrame();
        m_control.OnAck(news);
        if (news.marked)
        {
            out.Note(MARKED);
        }
        const bool hasGap = frame.words.size() == Window::SACK_WORDS;
        if (hasGap && LoseOvertaken())
        {
            out.Note(LOSS);
            m_control.OnLoss(news.now);
        }
        while (const auto request = m_queue.TakeBefore(m_window.GetBegin()))
        {
            ++m_taken;
            out.Complete(request->id, messaging::Completion::DELIVERED);
        }
    }

    /** Declare packets lost that a later one on the same path has overtaken, both sent once.
     * @return true if there are any */
    bool LoseOvertaken()
    {
        std::bitset<ProfileSettings::MOST_PATHS> arrived;
        bool isLoss = false;
        for (uint64_t psn = m_window.GetNext(); psn-- > m_window.GetBegin();)
        {
            const Window::Packet& packet = m_window.Get(psn);
            const uint32_t path = m_paths.GetIndex(packet.path);
            if (packet.isRepeated)
            {
                continue;
            }
            if (packet.state == Window::ARRIVED)
            {
                arrived.set(path);
            }
            else if (arrived.test(path))
            {
                isLoss |= m_window.Lose(psn);
            }
        }
        return isLoss;
    }

    /**
     * Receive a NACK. One of a packet that is not in flight is ignored; any other code than those
     * of trimmed packets is left to the timer. A trim at the last hop says nothing of the path, as
     * all paths end there.
     * @param peer the responder
     * @param psn the packet
     * @param path its path
     * @param code the code
     * @param out actions
     */
    template <class Out>
    void OnNack(Peer peer, uint64_t psn, uint16_t path, uint8_t code, Out& out)
    {
        const bool isTrimmed = code == TRIMMED || code == TRIMMED_LASTHOP;
        if (!isTrimmed || !m_window.Lose(psn))
        {
            return;
        }
        if (code == TRIMMED)
        {
            m_paths.OnTrimmed(peer, path, out);
        }
        out.Note(LOSS);
        m_control.OnLoss(out.Now());
    }

    /** Handle the expiry of a timer of packets. @param peer the responder @param timeouts number of
     * timeouts of the packets @param out actions */
    template <class Out>
    void OnExpiry(Peer peer, uint32_t timeouts, Out& out)
    {
        const auto most = m_timers.OnExpiry(peer, timeouts, m_window, out, [&](uint64_t psn) {
            m_paths.OnTimeout(peer, m_window.Get(psn).path, out);
            m_window.Lose(psn);
        });
        if (!most)
        {
            return;
        }
        out.Note(TIMEOUT);
        m_control.OnTimeout(out.Now());
        if (*most > m_config->pair.retries)
        {
            Fail(out);
        }
    }

    /** End all messages: the queue pair is in its error state. @param out actions */
    template <class Out>
    void Fail(Out& out)
    {
        out.Note(ERROR);
        m_hasFailed = true;
        m_window.Restart(m_window.GetNext());
        while (const auto request = m_queue.TakeBefore(m_queue.GetEnd()))
        {
            out.Complete(request->id, messaging::Completion::FAILED);
        }
    }

    std::shared_ptr<const Config> m_config; ///< Parameters.
    messaging::SequenceSpace m_numbers;     ///< PSNs and MSNs in frames.
    Window m_window;                        ///< Packets that are not acknowledged.
    roce::MessageQueue m_queue;             ///< Messages that are not acknowledged.
    messaging::CongestionChoice m_control;  ///< Congestion control.
    PathProfile m_paths;                    ///< Paths.
    PacketTimers m_timers;                  ///< Timers of the packets.
    Pacer m_pacer;                          ///< Pace of the packets.
    std::optional<uint16_t> m_path;         ///< Path of the next packet.
    uint64_t m_taken{0};                    ///< Messages that have ended: MSN of the oldest one.
    uint32_t m_probe{m_paths.GetNPaths()};  ///< Next place to probe; the end if none is due.
    bool m_isProbeArmed{false};             ///< The timer PROBE_PATHS is armed.
    bool m_hasFailed{false};                ///< The retries are used up.
};

} // namespace mrc
} // namespace uet
} // namespace ns3

#endif // UET_MRC_REQUESTER_H
