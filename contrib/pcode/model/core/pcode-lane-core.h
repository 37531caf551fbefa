/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_LANE_CORE_H
#define PCODE_LANE_CORE_H

#include "ns3/messaging-core.h"
#include "ns3/messaging-forwarded-actions.h"
#include "ns3/pcode-core.h"
#include "ns3/pcode-program.h"

#include <algorithm>
#include <vector>

/**
 * @file
 * @ingroup pcode
 * P0, P1 and PCODE for applications without a global program.
 */

namespace ns3
{
namespace pcode
{

/**
 * Node of P0, P1 or PCODE for applications that post messages at any time, without a program of
 * matching requests (section 2.1).
 *
 * @verbatim
              node 0        node 1        node 2
     lane 0   multicasts    request (0)   request (0)
     lane 1   request (1)   multicasts    request (1)
     lane 2   request (2)   request (2)   multicasts
   @endverbatim
 *
 * The node has a core for each source, called its lane. It multicasts in its own lane. In each
 * other lane it calls a request as soon as a message is ready, or after a timeout, so that the core
 * sends NACKs until the next message arrives. Messages to one node are also broadcast, and ignored
 * by the other nodes.
 *
 * The sender completes a message when a NACK or a STATUS of each receiver acknowledges it.
 *
 * Frames carry the lane in the upper bits of their flags, which the lanes ignore. The first post
 * starts the node and sends no message; its contents are a bitmap of the sources that will not
 * post, whose lanes stay idle. Lanes share only the network, so that a search can omit idle ones.
 *
 * If the port is busy, the last frame of each lane waits for it: the timers of the lanes have the
 * same period, so that the frames of one lane could find the port busy for ever.
 */
class LaneCore : public PassiveCore
{
  public:
    /**
     * Constructor.
     * @param config parameters without point-to-point messages, which must outlive the core
     * @param self the node
     * @param silence timeout of a source without a message, before NACKs [ticks]
     */
    LaneCore(const PcodeConfig& config, messaging::Peer self, messaging::Ticks silence)
        : m_lanes(config.groups->GetNNodes(), PcodeCore(config, self)),
          m_asking(m_lanes.size()),
          m_acked(m_lanes.size()),
          m_owed(m_lanes.size()),
          m_silence(silence),
          m_stagger(config.nackStagger),
          m_self(self)
    {
    }

    /** Post a message. @param request the message @param out actions @return the acceptance */
    template <class Out>
    messaging::Acceptance OnRequest(const messaging::Request& request, Out& out)
    {
        if (!m_started)
        {
            m_started = true;
            for (messaging::Peer lane = 0; lane < m_lanes.size(); ++lane)
            {
                const bool staysIdle = request.contents >> lane & 1;
                if (lane != m_self && !staysIdle)
                {
                    Wait(lane, out);
                }
            }
            return messaging::Acceptance::ACCEPTED;
        }
        const bool all = request.to == messaging::NO_PEER;
        if (!all && request.to >= m_lanes.size())
        {
            return messaging::Acceptance::REFUSED;
        }
        if (m_lanes.size() == 1)
        {
            out.Complete(request.id, messaging::Completion::DELIVERED);
            return messaging::Acceptance::ACCEPTED;
        }
        Inner<Out> inner{{out}, *this, m_self};
        messaging::Request call = request;
        call.tag = TargetGroups::EVERYBODY;
        if (!all)
        {
            call.tag = TargetGroups::Single(request.to);
        }
        call.flags = 0;
        const auto acceptance =
            m_lanes[m_self].OnCall(call, Label{request.tag, request.flags}, inner);
        if (acceptance == messaging::Acceptance::ACCEPTED)
        {
            m_posts.push_back(Post{request.id, ++m_posted, request.to});
        }
        return acceptance;
    }

    /** Handle a frame. @param from its sender @param frame the frame @param out actions */
    template <class Out>
    void OnFrame(messaging::Peer from, const messaging::Frame& frame, Out& out)
    {
        const messaging::Peer lane = frame.flags >> FLAG_BITS;
        const bool isMessage = frame.kind == static_cast<uint8_t>(FrameKind::REGULAR);
        if (lane >= m_lanes.size() || from >= m_lanes.size() || from == m_self ||
            (isMessage && lane != from))
        {
            out.Note(static_cast<messaging::Reason>(Event::ILLEGAL));
            return;
        }
        Inner<Out> inner{{out}, *this, lane};
        m_lanes[lane].OnFrame(from, frame, inner);
        if (lane == m_self)
        {
            Acknowledge(from, frame, out);
        }
        Take(lane, out);
    }

    /** Handle a timer. @param timer the timer @param out actions */
    template <class Out>
    void OnTimer(messaging::TimerId timer, Out& out)
    {
        const auto lane = static_cast<messaging::Peer>(timer >> TIMER_BITS);
        if (timer != MakeSilenceTimer(lane))
        {
            Inner<Out> inner{{out}, *this, lane};
            m_lanes[lane].OnTimer(timer & ((uint64_t{1} << TIMER_BITS) - 1), inner);
            Take(lane, out);
        }
        else if (!m_asking[lane])
        {
            Ask(lane, out);
        }
    }

    /** Send the frames that found the port busy, lane by lane in turn. @param out actions */
    template <class Out>
    void OnReady(Out& out)
    {
        for (std::size_t i = 0; i < m_owed.size(); ++i)
        {
            auto& owed = m_owed[m_nextOwed];
            if (owed.waits && !out.Send(owed.to, owed.frame))
            {
                return;
            }
            owed.waits = false;
            m_nextOwed = (m_nextOwed + 1) % m_owed.size();
        }
    }

    /** @return the size of the largest message [bytes]. */
    uint32_t GetLargestMessage() const
    {
        return m_lanes[m_self].GetLargestMessage();
    }

    /** @return true if a message can be posted. */
    bool CanAccept() const
    {
        return m_lanes[m_self].CanAccept();
    }

    /** Encode the canonical form of the state. @param e the encoder */
    void Encode(messaging::Encoder& e) const
    {
        e.Put(uint64_t{m_nextOwed} << 32 | uint64_t{m_posts.size()} << 1 | uint64_t{m_started});
        for (const auto& post : m_posts)
        {
            e.Put(uint64_t{post.to} << 32 | post.personal);
        }
        for (std::size_t lane = 0; lane < m_lanes.size(); ++lane)
        {
            e.Put(uint64_t{m_acked[lane]} << 1 | m_asking[lane]);
            if (const auto& owed = m_owed[lane]; owed.waits)
            {
                e.Put(uint64_t{owed.to} << 32 | owed.frame.kind);
                e.Put(owed.frame.id);
            }
            m_lanes[lane].Encode(e);
        }
    }

    /** @return the number of the node's buffers, each of the largest size [messages]. */
    std::size_t GetNBuffered() const
    {
        return m_mostSent + m_lanes.size();
    }

  private:
    static constexpr uint32_t FLAG_BITS = 2;   ///< Bits of the flags used by the cores.
    static constexpr uint32_t TIMER_BITS = 40; ///< Bits of timer identifiers used by the cores.

    /** A post without all acknowledgements. */
    struct Post
    {
        messaging::RequestId id{0}; ///< The request.
        uint32_t personal{0};       ///< PersonalCount.
        messaging::Peer to{0};      ///< Its receiver, or NO_PEER.
    };

    /** A frame that found the port busy. */
    struct Owed
    {
        messaging::Peer to{messaging::NO_PEER}; ///< Its receiver.
        messaging::Frame frame;                 ///< The frame.
        bool waits{false};                      ///< It waits for the port.
    };

    /** Actions of a lane. */
    template <class Out>
    struct Inner : messaging::ForwardedActions<Out>
    {
        LaneCore& core;       ///< The node.
        messaging::Peer lane; ///< The lane.

        /** Send a frame. @param to receiver @param frame the frame @return false if busy */
        bool Send(messaging::Peer to, messaging::Frame frame)
        {
            frame.flags |= static_cast<uint8_t>(lane << FLAG_BITS);
            core.m_mostSent = std::max(core.m_mostSent, core.m_lanes[core.m_self].GetNSent());
            const bool isSent = this->out.Send(to, frame);
            core.m_owed[lane] = Owed{to, frame, !isSent};
            return isSent;
        }

        /** Arm a timer. @param timer the timer @param delay its delay [ticks] */
        void Arm(messaging::TimerId timer, messaging::Ticks delay)
        {
            this->out.Arm(uint64_t{lane} << TIMER_BITS | timer, delay);
        }

        /** Cancel a timer. @param timer the timer */
        void Cancel(messaging::TimerId timer)
        {
            this->out.Cancel(uint64_t{lane} << TIMER_BITS | timer);
        }

        /** Handle the return of a call. */
        void Complete(messaging::RequestId, messaging::Completion)
        {
            if (lane != core.m_self)
            {
                core.m_asking[lane] = 0;
                core.Wait(lane, this->out);
            }
        }
    };

    /** @return the timer of a silent lane. @param lane the lane */
    static constexpr messaging::TimerId MakeSilenceTimer(messaging::Peer lane)
    {
        return uint64_t{lane} << TIMER_BITS | ((uint64_t{1} << TIMER_BITS) - 1);
    }

    /**
     * Complete the posts that a frame acknowledges.
     * @param from its sender
     * @param frame a frame of the own lane
     * @param out actions
     */
    template <class Out>
    void Acknowledge(messaging::Peer from, const messaging::Frame& frame, Out& out)
    {
        uint64_t count = 0;
        if (frame.kind == static_cast<uint8_t>(FrameKind::NACK) && frame.aux == m_self)
        {
            count = frame.id;
        }
        else if (frame.kind == static_cast<uint8_t>(FrameKind::STATUS))
        {
            if (frame.words.size() == m_lanes.size())
            {
                count = frame.words[m_self];
            }
        }
        if (count <= m_acked[from] || count > m_posted)
        {
            return;
        }
        m_acked[from] = static_cast<uint32_t>(count);
        uint32_t lowest = m_posted;
        for (messaging::Peer q = 0; q < m_acked.size(); ++q)
        {
            if (q != m_self)
            {
                lowest = std::min(lowest, m_acked[q]);
            }
        }
        // The application may post from within a completion.
        std::vector<messaging::RequestId> complete;
        std::erase_if(m_posts, [&](const Post& post) {
            uint32_t acked = lowest;
            if (post.to != messaging::NO_PEER)
            {
                acked = m_acked[post.to];
            }
            const bool acknowledged = post.personal <= acked;
            if (acknowledged)
            {
                complete.push_back(post.id);
            }
            return acknowledged;
        });
        for (const auto id : complete)
        {
            out.Complete(id, messaging::Completion::DELIVERED);
        }
    }

    /** Start the timeout of another node's lane. @param lane the lane @param out actions */
    template <class Out>
    void Wait(messaging::Peer lane, Out& out)
    {
        // A port loses all but the first of several simultaneous NACKs.
        out.Arm(MakeSilenceTimer(lane), m_silence + lane * m_stagger);
    }

    /** Call a request. @param lane the lane, of another node @param out actions */
    template <class Out>
    void Ask(messaging::Peer lane, Out& out)
    {
        m_asking[lane] = 1;
        Inner<Out> inner{{out}, *this, lane};
        m_lanes[lane].OnRequest(messaging::Request{.to = lane, .flags = REQUEST_CALL}, inner);
    }

    /** Request the messages of a lane that are ready. @param lane the lane @param out actions */
    template <class Out>
    void Take(messaging::Peer lane, Out& out)
    {
        while (lane != m_self && !m_asking[lane] && m_lanes[lane].IsReady(lane))
        {
            Ask(lane, out);
        }
    }

    std::vector<PcodeCore> m_lanes; ///< Lanes, by source.
    std::vector<uint8_t> m_asking;  ///< A request is open, by source.
    std::vector<uint32_t> m_acked;  ///< Own messages acknowledged, by node.
    std::vector<Post> m_posts;      ///< Unacknowledged posts, in order.
    std::vector<Owed> m_owed;       ///< Frame that waits for the port, by lane.
    messaging::Ticks m_silence;     ///< Timeout without a message, before NACKs [ticks].
    messaging::Ticks m_stagger;     ///< Difference between timeouts of lanes [ticks].
    messaging::Peer m_self;         ///< The node.
    uint32_t m_posted{0};           ///< Number of posted messages.
    std::size_t m_mostSent{0};      ///< Maximum fill of the buffer of sent messages.
    std::size_t m_nextOwed{0};      ///< Lane whose frame is sent first when the port is ready.
    bool m_started{false};          ///< The first post has been made.
};

} // namespace pcode
} // namespace ns3

#endif // PCODE_LANE_CORE_H
