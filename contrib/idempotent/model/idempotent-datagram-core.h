/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef IDEMPOTENT_DATAGRAM_CORE_H
#define IDEMPOTENT_DATAGRAM_CORE_H

#include "ns3/messaging-core.h"

#include <cstddef>
#include <vector>

/**
 * @file
 * @ingroup idempotent
 * No protocol at all, for the perfect network that the paper compares with.
 */

namespace ns3
{
namespace idempotent
{

/**
 * One node of the perfect network of section 4.5: a message is one packet without header or
 * answer, sent in order as soon as the port is free, and delivered when it arrives.
 */
class DatagramCore
{
  public:
    /** No timers are used. */
    static constexpr bool BEARS_STALE_TIMERS = true;

    /**
     * The processor has a message to send.
     * @param request the message
     * @param out what is to be done
     * @return accepted
     */
    template <class Out>
    messaging::Acceptance OnRequest(const messaging::Request& request, Out& out)
    {
        m_waiting.push_back(request);
        if (m_waiting.size() - m_first == 1)
        {
            OnReady(out);
        }
        return messaging::Acceptance::ACCEPTED;
    }

    /**
     * A packet has arrived.
     * @param from the node it comes from
     * @param frame the packet
     * @param out what is to be done
     */
    template <class Out>
    void OnFrame(messaging::Peer from, const messaging::Frame& frame, Out& out)
    {
        out.Deliver(messaging::Delivery{frame.id,
                                        frame.contents,
                                        from,
                                        frame.payload,
                                        frame.aux,
                                        frame.flags});
    }

    /**
     * The port may have room: send what waits.
     * @param out what is to be done
     */
    template <class Out>
    void OnReady(Out& out)
    {
        while (m_first < m_waiting.size())
        {
            const messaging::Request request = m_waiting[m_first];
            messaging::Frame frame;
            frame.id = request.id;
            frame.contents = request.contents;
            frame.payload = request.bytes;
            frame.aux = request.tag;
            frame.flags = request.flags;
            if (!out.Send(request.to, frame))
            {
                return;
            }
            ++m_first;
            out.Complete(request.id, messaging::Completion::SENT);
        }
        m_waiting.clear();
        m_first = 0;
    }

    /** No timer is ever set. */
    template <class Out>
    void OnTimer(messaging::TimerId, Out&)
    {
    }

    /** No work is ever asked for. */
    template <class Out>
    void OnDone(messaging::WorkId, Out&)
    {
    }

    /**
     * Put the canonical form of the state.
     * @param e where to
     */
    void Encode(messaging::Encoder& e) const
    {
        for (std::size_t i = m_first; i < m_waiting.size(); ++i)
        {
            e.Put(m_waiting[i].id);
        }
    }

    /** Equality of what waits. @return True if equal. */
    bool operator==(const DatagramCore&) const = default;

  private:
    std::vector<messaging::Request> m_waiting; ///< Messages; those before m_first have been sent.
    std::size_t m_first{0};                    ///< First message that waits for the port.
};

} // namespace idempotent
} // namespace ns3

#endif // IDEMPOTENT_DATAGRAM_CORE_H
