/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_UNSOUND_CORES_H
#define PCODE_UNSOUND_CORES_H

#include "pcode-driven-core.h"

#include "ns3/messaging-forwarded-actions.h"
#include "ns3/pcode-core.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup pcode
 * Variants of P1 that deadlock, and one that discards earlier and does not (paper 3, section 4).
 */

namespace ns3
{
namespace pcode
{
namespace tests
{

/** P1 in which a POLL is not repeated. */
class PollOnce : public PcodeCore
{
  public:
    using PcodeCore::PcodeCore;

    /** Handle a timer. @param timer the timer @param out actions */
    template <class Out>
    void OnTimer(messaging::TimerId timer, Out& out)
    {
        if (timer == MakeTimer(PcodeTimer::POLL))
        {
            m_polling = false;
        }
        else
        {
            PcodeCore::OnTimer(timer, out);
        }
    }
};

/** P1 in which a STATUS below the last message sent does not make its reader resend. */
class StatusIsNoNack : public PcodeCore
{
  public:
    using PcodeCore::PcodeCore;

    /** Handle a frame. @param from its sender @param frame the frame @param out actions */
    template <class Out>
    void OnFrame(messaging::Peer from, messaging::Frame frame, Out& out)
    {
        if (frame.kind == static_cast<uint8_t>(FrameKind::STATUS))
        {
            frame.flags = 0;
        }
        PcodeCore::OnFrame(from, frame, out);
    }
};

/**
 * P1 with LiteralDiscard and marks. Each message carries the number of immediately preceding
 * messages that are still stored. A node that has missed older ones infers that they were for
 * others, and continues.
 *
 * @tparam IsFresh whether a retransmission has a new mark instead of the original one
 */
template <bool IsFresh>
class MarkedCore : public PcodeCore
{
    /** P1. */
    using Parent = PcodeCore;

  public:
    using Parent::Parent;

    /** @param call the call @param out actions @return true if accepted */
    template <class Out>
    messaging::Acceptance OnRequest(const messaging::Request& call, Out& out)
    {
        Marking<Out> inner{{out}, *this};
        return Parent::OnRequest(call, inner);
    }

    /** Handle a frame. @param from its sender @param frame the frame @param out actions */
    template <class Out>
    void OnFrame(messaging::Peer from, const messaging::Frame& frame, Out& out)
    {
        Marking<Out> inner{{out}, *this};
        if (frame.kind == static_cast<uint8_t>(FrameKind::REGULAR))
        {
            const auto personal = static_cast<uint32_t>(frame.id);
            const uint32_t gone = personal - std::min(personal, 1U + frame.flags);
            if (m_pcv[from] < gone)
            {
                m_pcv[from] = gone;
                TakeEarly(from, inner);
            }
        }
        Parent::OnFrame(from, frame, inner);
    }

    /** Handle a timer. @param timer the timer @param out actions */
    template <class Out>
    void OnTimer(messaging::TimerId timer, Out& out)
    {
        Marking<Out> inner{{out}, *this};
        Parent::OnTimer(timer, inner);
    }

    /** Encode the canonical form of the state. @param e the encoder */
    void Encode(messaging::Encoder& e) const
    {
        Parent::Encode(e);
        for (const auto& sent : m_sent)
        {
            e.Put(IsFresh ? 0 : m_marks.at(sent.m.personal));
        }
    }

  private:
    /** Actions that mark messages. */
    template <class Out>
    struct Marking : messaging::ForwardedActions<Out>
    {
        MarkedCore& core; ///< Sends the messages.

        /** Send a frame. @param to receiver @param frame the frame @return false if busy */
        bool Send(messaging::Peer to, messaging::Frame frame)
        {
            if (frame.kind == static_cast<uint8_t>(FrameKind::REGULAR))
            {
                const auto personal = static_cast<uint32_t>(frame.id);
                const auto kept = static_cast<uint8_t>(personal - core.m_sent.front().m.personal);
                auto& mark = core.m_marks.try_emplace(personal, kept).first->second;
                if (IsFresh)
                {
                    mark = kept;
                }
                frame.flags = mark;
            }
            return this->out.Send(to, frame);
        }
    };

    std::map<uint32_t, uint8_t> m_marks; ///< Marks of sent messages, by PersonalCount.
};

/** Frame::flags of a STATUS or POLL: the program of its sender has ended. */
inline constexpr uint8_t STATUS_ENDED = 2;

/**
 * A transport layer that stops after all programs have ended. POLL and STATUS report the end of a
 * program; END_CALL returns when all nodes have reported it.
 */
class ClosingCore : public PcodeCore
{
  public:
    /** Constructor. @param config parameters @param self the node */
    ClosingCore(const PcodeConfig& config, messaging::Peer self)
        : PcodeCore(config, self),
          m_ended(config.groups->GetNNodes())
    {
    }

    /** @param call the call @param out actions @return true if accepted */
    template <class Out>
    messaging::Acceptance OnRequest(const messaging::Request& call, Out& out)
    {
        Saying<Out> inner{{out}, *this};
        if (call.flags != END_CALL)
        {
            return PcodeCore::OnRequest(call, inner);
        }
        m_call = call;
        m_ended[m_self] = m_ending = true;
        m_statusFresh = false;
        TryEnd(inner);
        return messaging::Acceptance::ACCEPTED;
    }

    /** Handle a frame. @param from its sender @param frame the frame @param out actions */
    template <class Out>
    void OnFrame(messaging::Peer from, const messaging::Frame& frame, Out& out)
    {
        Saying<Out> inner{{out}, *this};
        if (IsStatus(frame) && (frame.flags & STATUS_ENDED) && !m_ended[from])
        {
            m_ended[from] = true;
            TryEnd(inner);
        }
        PcodeCore::OnFrame(from, frame, inner);
    }

    /** Handle a timer. @param timer the timer @param out actions */
    template <class Out>
    void OnTimer(messaging::TimerId timer, Out& out)
    {
        Saying<Out> inner{{out}, *this};
        PcodeCore::OnTimer(timer, inner);
        if (timer == MakeTimer(PcodeTimer::POLL))
        {
            TryEnd(inner);
        }
    }

    /** Encode the canonical form of the state. @param e the encoder */
    void Encode(messaging::Encoder& e) const
    {
        PcodeCore::Encode(e);
        e.Put(m_ending);
        for (const bool ended : m_ended)
        {
            e.Put(ended);
        }
    }

  private:
    /** @param frame a frame @return true if it reports whether a program has ended */
    static bool IsStatus(const messaging::Frame& frame)
    {
        const auto kind = static_cast<FrameKind>(frame.kind);
        return kind == FrameKind::POLL || kind == FrameKind::STATUS;
    }

    /** Actions that report whether the program has ended. */
    template <class Out>
    struct Saying : messaging::ForwardedActions<Out>
    {
        ClosingCore& core; ///< The node.

        /** Send a frame. @param to receiver @param frame the frame @return false if busy */
        bool Send(messaging::Peer to, messaging::Frame frame)
        {
            frame.flags |= IsStatus(frame) && core.m_ended[core.m_self] ? STATUS_ENDED : 0;
            return this->out.Send(to, frame);
        }
    };

    /** Return from END_CALL if all programs have ended, or POLL again. @param out actions */
    template <class Out>
    void TryEnd(Out& out)
    {
        if (m_ending && std::count(m_ended.begin(), m_ended.end(), false) > 0)
        {
            Poll(true, out);
        }
        else if (m_ending)
        {
            m_ending = false;
            Return(messaging::Completion::SENT, out);
        }
    }

    std::vector<bool> m_ended; ///< Programs known to have ended, by node.
    bool m_ending{false};      ///< END_CALL is open.
};

/** A transport layer that stops when its own program has ended. */
template <class Core>
class GoneCore : public PassiveCore
{
  public:
    /** Constructor. @param core the transport layer */
    explicit GoneCore(Core core)
        : m_core(std::move(core))
    {
    }

    /** @param call the call @param out actions @return true if accepted */
    template <class Out>
    messaging::Acceptance OnRequest(const messaging::Request& call, Out& out)
    {
        if (call.flags == END_CALL)
        {
            m_gone = true;
            out.Complete(call.id, messaging::Completion::SENT);
            return messaging::Acceptance::ACCEPTED;
        }
        return m_core.OnRequest(call, out);
    }

    /** Handle a frame. @param from its sender @param frame the frame @param out actions */
    template <class Out>
    void OnFrame(messaging::Peer from, const messaging::Frame& frame, Out& out)
    {
        if (!m_gone)
        {
            m_core.OnFrame(from, frame, out);
        }
    }

    /** Handle a timer. @param timer the timer @param out actions */
    template <class Out>
    void OnTimer(messaging::TimerId timer, Out& out)
    {
        if (!m_gone)
        {
            m_core.OnTimer(timer, out);
        }
    }

    /** Encode the canonical form of the state. @param e the encoder */
    void Encode(messaging::Encoder& e) const
    {
        e.Put(m_gone);
        m_core.Encode(e);
    }

  private:
    Core m_core;        ///< The transport layer.
    bool m_gone{false}; ///< Its program has ended.
};

} // namespace tests
} // namespace pcode
} // namespace ns3

#endif // PCODE_UNSOUND_CORES_H
