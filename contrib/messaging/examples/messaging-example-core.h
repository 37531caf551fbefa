/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_EXAMPLE_CORE_H
#define MESSAGING_EXAMPLE_CORE_H

#include "ns3/messaging-core.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

/**
 * @file
 * @ingroup messaging
 * The protocol of messaging-example: a core, which runs over any port, and in a search without a
 * simulator.
 */

namespace ns3
{
namespace messaging
{
namespace examples
{

/**
 * The protocol: DATA is repeated, with increasing timeouts, until its ACK arrives; it is delivered
 * once.
 */
class RepeatCore
{
  public:
    /** Packet types. */
    enum Kind : uint8_t
    {
        DATA, ///< Carries a message.
        ACK   ///< Acknowledges a message.
    };

    /** @param peers number of peers */
    explicit RepeatCore(uint32_t peers)
        : m_peers(peers)
    {
    }

    /**
     * Take a message.
     * @param request the message
     * @param out actions
     * @return refused if there is no such peer, else accepted
     */
    template <class Out>
    Acceptance OnRequest(const Request& request, Out& out)
    {
        if (request.to >= m_peers)
        {
            return Acceptance::REFUSED;
        }
        m_waiting[m_next] = {request, 0};
        OnTimer(m_next++, out);
        return Acceptance::ACCEPTED;
    }

    /**
     * Take a frame.
     * @param from its sender
     * @param frame the frame
     * @param out actions
     */
    template <class Out>
    void OnFrame(Peer from, const Frame& frame, Out& out)
    {
        if (from >= m_peers)
        {
            return;
        }
        if (frame.kind == ACK)
        {
            if (const auto waiting = m_waiting.find(frame.id); waiting != m_waiting.end())
            {
                const RequestId request = waiting->second.first.id;
                m_waiting.erase(waiting);
                out.Cancel(frame.id);
                out.Complete(request, Completion::DELIVERED);
            }
            return;
        }
        if (m_delivered.emplace(from, frame.id).second)
        {
            out.Deliver(Delivery{frame.id, frame.contents, from, frame.payload, frame.aux, 0});
        }
        out.Send(from, Frame{.id = frame.id, .header = HEADER, .kind = ACK});
    }

    /**
     * Send a message, again or for the first time. A timer may fire although it was cancelled.
     * @param number number of the message
     * @param out actions
     */
    template <class Out>
    void OnTimer(TimerId number, Out& out)
    {
        const auto waiting = m_waiting.find(number);
        if (waiting == m_waiting.end())
        {
            return;
        }
        auto& [request, attempts] = waiting->second;
        const Frame frame{.id = number,
                          .contents = request.contents,
                          .payload = request.bytes,
                          .aux = request.tag,
                          .header = HEADER,
                          .kind = DATA};
        out.Send(request.to, frame);
        const Ticks timeout = 2 * out.Distance(request.to) + 10 * out.WireTicks(frame);
        out.Arm(number, timeout << std::min(attempts++, MOST_DOUBLINGS));
    }

    /** The core requests no work. */
    template <class Out>
    void OnDone(WorkId, Out&)
    {
    }

    /** The timer repeats refused frames. */
    template <class Out>
    void OnReady(Out&)
    {
    }

    /**
     * Encode the canonical state: waiting and delivered messages. Attempts affect only the time of
     * a repetition.
     * @param e the encoder
     */
    void Encode(Encoder& e) const
    {
        e.Put(m_next);
        e.Put(m_waiting.size());
        for (const auto& [number, waiting] : m_waiting)
        {
            e.Put(number);
        }
        for (const auto& [from, number] : m_delivered)
        {
            e.Put(from);
            e.Put(number);
        }
    }

  private:
    static constexpr uint16_t HEADER = 16; ///< Header of a frame [bytes].

    static constexpr uint32_t MOST_DOUBLINGS = 16; ///< Times that a timeout is doubled.

    /** Messages without an ACK by number, and how often each was sent. */
    std::map<uint64_t, std::pair<Request, uint32_t>> m_waiting;
    std::set<std::pair<Peer, uint64_t>> m_delivered; ///< Delivered messages.
    uint64_t m_next{0};                              ///< Number of the next message.
    uint32_t m_peers;                                ///< Number of peers.
};

} // namespace examples
} // namespace messaging
} // namespace ns3

#endif // MESSAGING_EXAMPLE_CORE_H
