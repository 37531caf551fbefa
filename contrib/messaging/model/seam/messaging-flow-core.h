/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_FLOW_CORE_H
#define MESSAGING_FLOW_CORE_H

#include "ns3/messaging-core.h"
#include "ns3/messaging-forwarded-actions.h"

#include <map>
#include <string>
#include <utility>

/**
 * @file
 * @ingroup messaging
 * A core with a flow for each peer.
 */

namespace ns3
{
namespace messaging
{

/**
 * Get a timer of a flow.
 * @param peer the peer of the flow
 * @param index index of the timer, which the flow chooses
 * @return the timer
 */
constexpr TimerId
GetFlowTimer(Peer peer, uint32_t index)
{
    return uint64_t{index} << 32 | peer;
}

/** Actions of a flow in its turn. They record whether the port accepted its frames. */
template <class Out>
struct TurnActions : ForwardedActions<Out>
{
    /** Send a frame. @param to receiver @param frame the frame @return false if busy */
    bool Send(Peer to, const Frame& frame)
    {
        const bool isSent = ForwardedActions<Out>::Send(to, frame);
        hasSent |= isSent;
        isRefused |= !isSent;
        return isSent;
    }

    bool hasSent{false};   ///< A frame was sent.
    bool isRefused{false}; ///< The port has refused a frame.
};

/**
 * Let flows send in turn what a busy port has refused, until it is busy again.
 * @param flows flows by peer, each with OnReady
 * @param turn the flow of this peer, or the next one, begins; changed
 * @param out actions
 */
template <class Flows, class Out>
void
ServeInTurn(Flows& flows, Peer& turn, Out& out)
{
    auto flow = flows.lower_bound(turn);
    for (std::size_t served = 0; served < flows.size(); ++served)
    {
        if (flow == flows.end())
        {
            flow = flows.begin();
        }
        TurnActions<Out> actions{{out}};
        flow->second.OnReady(flow->first, actions);
        turn = flow->first;
        ++flow;
        if (actions.hasSent)
        {
            turn = flow == flows.end() ? Peer{0} : flow->first;
        }
        if (actions.isRefused)
        {
            return;
        }
    }
}

/**
 * Append whose turn it is, if there are several flows.
 * @param flows flows by peer
 * @param turn the flow of this peer, or the next one, begins
 * @param encoder where
 */
template <class Flows>
void
EncodeTurn(const Flows& flows, Peer turn, Encoder& encoder)
{
    if (flows.size() > 1)
    {
        const auto next = flows.lower_bound(turn);
        encoder.PutPeer(next == flows.end() ? flows.begin()->first : next->first);
    }
}

/**
 * @ingroup messaging
 * A core that runs a flow, the state of a connection, for each peer with which it exchanges
 * messages. A flow is made by the first message or frame, as a copy of an initial one.
 *
 * The flow handles the events of a core, each with its peer: OnRequest(request, out),
 * OnFrame(peer, frame, out), OnTimer(peer, out) of the timer whose TimerId is the peer, and
 * OnReady(peer, out). A flow with several timers arms GetFlowTimer(peer, index), and handles
 * OnTimer(peer, index, out) instead. It declares Encode, ConfirmsDelivery and, if it limits the
 * size of messages, GetLargestMessage as a core does. The protocol requests no work.
 *
 * Flows that wait for a busy port take turns: each round begins with the flow after the last one
 * that has sent a frame.
 *
 * @tparam Flow the flow, a plain value
 */
template <class Flow>
class FlowCore
{
  public:
    /** Trimmed frames are taken if the flows take them. */
    static constexpr bool TAKES_TRIMMED = messaging::TakesTrimmed<Flow>();

    /**
     * Construct.
     * @param initial a flow in its initial state
     * @param peers number of peers
     */
    FlowCore(Flow initial, uint32_t peers)
        : m_initial(std::move(initial)),
          m_peers(peers)
    {
    }

    /** @return whether each message ends with the knowledge of its delivery. */
    bool ConfirmsDelivery() const
    {
        return messaging::ConfirmsDelivery(m_initial);
    }

    /** @return the largest message that a flow accepts [bytes]. */
    uint32_t GetLargestMessage() const
        requires requires(const Flow& flow) { flow.GetLargestMessage(); }
    {
        return m_initial.GetLargestMessage();
    }

    /**
     * Post a message to a peer; a broadcast is refused.
     * @param request the message
     * @param out actions
     * @return the acceptance by the flow
     */
    template <class Out>
    Acceptance OnRequest(const Request& request, Out& out)
    {
        if (request.to >= m_peers)
        {
            return Acceptance::REFUSED;
        }
        if constexpr (requires { m_initial.GetLargestMessage(); })
        {
            if (request.bytes > m_initial.GetLargestMessage())
            {
                return Acceptance::REFUSED;
            }
        }
        return GetFlow(request.to).OnRequest(request, out);
    }

    /**
     * Receive a frame.
     * @param from its sender
     * @param frame the frame
     * @param out actions
     */
    template <class Out>
    void OnFrame(Peer from, const Frame& frame, Out& out)
    {
        if (from < m_peers)
        {
            GetFlow(from).OnFrame(from, frame, out);
        }
    }

    /**
     * Handle a timer.
     * @param timer the timer of a flow
     * @param out actions
     */
    template <class Out>
    void OnTimer(TimerId timer, Out& out)
    {
        const auto peer = static_cast<Peer>(timer);
        const auto flow = m_flows.find(peer);
        if (flow == m_flows.end())
        {
            return;
        }
        const auto index = static_cast<uint32_t>(timer >> 32);
        if constexpr (requires { flow->second.OnTimer(peer, index, out); })
        {
            flow->second.OnTimer(peer, index, out);
        }
        else if (index == 0)
        {
            flow->second.OnTimer(peer, out);
        }
    }

    /** The protocol requests no work. */
    template <class Out>
    void OnDone(WorkId, Out&)
    {
    }

    /**
     * Let the flows send in turn what a busy port has refused, until it is busy again.
     * @param out actions
     */
    template <class Out>
    void OnReady(Out& out)
    {
        ServeInTurn(m_flows, m_turn, out);
    }

    /** @param frame a frame @return its label, if flows have labels. */
    static std::string DescribeFrame(const Frame& frame)
        requires requires { Flow::DescribeFrame(frame); }
    {
        return Flow::DescribeFrame(frame);
    }

    /** Append the state. @param encoder where */
    void Encode(Encoder& encoder) const
    {
        encoder.Put(m_flows.size(), "flows");
        EncodeTurn(m_flows, m_turn, encoder);
        for (const auto& [peer, flow] : m_flows)
        {
            encoder.PutPeer(peer);
            flow.Encode(encoder);
        }
    }

  private:
    /** @param peer a peer @return its flow. */
    Flow& GetFlow(Peer peer)
    {
        return m_flows.try_emplace(peer, m_initial).first->second;
    }

    std::map<Peer, Flow> m_flows; ///< Flows by peer.
    Peer m_turn{0};               ///< The flow of this peer, or the next one, begins the round.
    Flow m_initial;               ///< A flow in its initial state.
    uint32_t m_peers;             ///< Number of peers.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_FLOW_CORE_H
