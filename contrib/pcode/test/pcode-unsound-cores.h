/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_UNSOUND_CORES_H
#define PCODE_UNSOUND_CORES_H

#include "ns3/messaging-forwarded-actions.h"
#include "ns3/pcode-core.h"

#include <map>
#include <utility>

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

/** A POLL is not repeated. */
struct PollOnce : PcodeRules
{
    static constexpr bool POLL_AGAIN = false; ///< The change.
};

/** A STATUS below the last message sent does not make its reader resend. */
struct StatusIsNoNack : PcodeRules
{
    static constexpr bool RESEND_ON_STATUS = false; ///< The change.
};

/** A message is discarded when its target set has it, as section 4 says. */
struct DiscardByTargets : PcodeRules
{
    /**
     * @param groups the target sets
     * @param group target set of the message
     * @param self its sender
     * @param q another node
     * @return true if the node is in the target set
     */
    static bool HasToAcknowledge(const TargetGroups& groups,
                                 uint32_t group,
                                 messaging::Peer self,
                                 messaging::Peer q)
    {
        return groups.Contains(group, self, q);
    }
};

/**
 * P1 that discards by the target set, and marks each message with the number of messages directly
 * before it that are still kept: a node that has missed older ones knows that they were for others,
 * and goes on.
 *
 * @tparam IsFresh whether a message is marked anew when it is resent; else it is resent as it was
 */
template <bool IsFresh>
class MarkedCore : public BasicPcodeCore<DiscardByTargets>
{
    /** P1. */
    using Parent = BasicPcodeCore<DiscardByTargets>;

  public:
    using Parent::Parent;

    /** @param call the call @param out actions @return true if it is taken */
    template <class Out>
    messaging::Acceptance OnRequest(const messaging::Request& call, Out& out)
    {
        Marking<Out> inner{{out}, *this};
        return Parent::OnRequest(call, inner);
    }

    /** A frame has arrived. @param from its sender @param frame the frame @param out actions */
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

    /** A timer has fired. @param timer which @param out actions */
    template <class Out>
    void OnTimer(messaging::TimerId timer, Out& out)
    {
        Marking<Out> inner{{out}, *this};
        Parent::OnTimer(timer, inner);
    }

    /** Put the canonical form of the state. @param e where to */
    void Encode(messaging::Encoder& e) const
    {
        Parent::Encode(e);
        for (const auto& sent : m_sent)
        {
            e.Put(IsFresh ? 0 : m_marks.at(sent.m.personal));
        }
    }

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const MarkedCore&) const = default;

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
                mark = IsFresh ? kept : mark;
                frame.flags = mark;
            }
            return this->out.Send(to, frame);
        }
    };

    std::map<uint32_t, uint8_t> m_marks; ///< Marks of the messages sent, by PersonalCount.
};

/** A transport layer that is gone once its own program has ended. */
template <class Core>
class GoneCore
{
  public:
    /** Constructor. @param core the transport layer */
    explicit GoneCore(Core core)
        : m_core(std::move(core))
    {
    }

    /** @param call the call @param out actions @return true if it is taken */
    template <class Out>
    messaging::Acceptance OnRequest(const messaging::Request& call, Out& out)
    {
        if (call.flags & END_CALL)
        {
            m_gone = true;
            out.Complete(call.id, messaging::Completion::SENT);
            return messaging::Acceptance::ACCEPTED;
        }
        return m_core.OnRequest(call, out);
    }

    /** A frame has arrived. @param from its sender @param frame the frame @param out actions */
    template <class Out>
    void OnFrame(messaging::Peer from, const messaging::Frame& frame, Out& out)
    {
        if (!m_gone)
        {
            m_core.OnFrame(from, frame, out);
        }
    }

    /** A timer has fired. @param timer which @param out actions */
    template <class Out>
    void OnTimer(messaging::TimerId timer, Out& out)
    {
        if (!m_gone)
        {
            m_core.OnTimer(timer, out);
        }
    }

    /** The protocol requests no work. */
    template <class Out>
    void OnDone(messaging::WorkId, Out&)
    {
    }

    /** A frame that found the port busy is lost. */
    template <class Out>
    void OnReady(Out&)
    {
    }

    /** Put the canonical form of the state. @param e where to */
    void Encode(messaging::Encoder& e) const
    {
        e.Put(m_gone);
        m_core.Encode(e);
    }

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const GoneCore&) const = default;

  private:
    Core m_core;        ///< The transport layer.
    bool m_gone{false}; ///< Its program has ended.
};

} // namespace tests
} // namespace pcode
} // namespace ns3

#endif // PCODE_UNSOUND_CORES_H
