/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_MAILBOX_H
#define PCODE_MAILBOX_H

#include "ns3/messaging-core.h"
#include "ns3/pcode-program.h"

#include <deque>
#include <vector>

/**
 * @file
 * @ingroup pcode
 * Messages that have arrived and wait for their request, for protocols without requests.
 */

namespace ns3
{
namespace pcode
{

/**
 * One processor's messages that have arrived, in order by source, and its open request(q, T). It
 * puts calls on top of a protocol that delivers as messages arrive. A plain value.
 */
class Mailbox
{
  public:
    /**
     * Constructor.
     * @param nProcessors the number of processors
     */
    explicit Mailbox(uint32_t nProcessors)
        : m_arrived(nProcessors)
    {
    }

    /** @return true if a request is open. */
    bool IsOpen() const
    {
        return m_source != messaging::NO_PEER;
    }

    /** @return messages that wait for their request. */
    std::size_t GetNWaiting() const
    {
        std::size_t waiting = 0;
        for (const auto& queue : m_arrived)
        {
            waiting += queue.size();
        }
        return waiting;
    }

    /**
     * A message has arrived, in its order among those of its source.
     * @param delivery the message
     * @param out actions
     */
    template <class Out>
    void OnArrival(const messaging::Delivery& delivery, Out& out)
    {
        m_arrived[delivery.from].push_back(delivery);
        if (m_source == delivery.from)
        {
            Serve(out);
        }
    }

    /**
     * The processor calls request(q, T).
     * @param request the call, with REQUEST_CALL set
     * @param out actions
     * @return accepted; stalled while another request is open; refused if there is no such source
     */
    template <class Out>
    messaging::Acceptance OnRequest(const messaging::Request& request, Out& out)
    {
        if (request.to >= m_arrived.size())
        {
            return messaging::Acceptance::REFUSED;
        }
        if (IsOpen())
        {
            return messaging::Acceptance::STALLED;
        }
        m_source = request.to;
        m_request = request.id;
        if (!m_arrived[m_source].empty())
        {
            Serve(out);
        }
        return messaging::Acceptance::ACCEPTED;
    }

    /**
     * Put the canonical form of the state.
     * @param e where to
     */
    void Encode(messaging::Encoder& e) const
    {
        e.Put(m_source);
        e.Put(m_request);
        for (const auto& queue : m_arrived)
        {
            e.Put(queue.size());
            for (const auto& delivery : queue)
            {
                e.Put(delivery.contents);
            }
        }
    }

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const Mailbox&) const = default;

  private:
    /**
     * Deliver the oldest message of the requested source.
     * @param out actions
     */
    template <class Out>
    void Serve(Out& out)
    {
        const messaging::Delivery delivery = m_arrived[m_source].front();
        m_arrived[m_source].pop_front();
        m_source = messaging::NO_PEER;
        out.Deliver(delivery);
        out.Complete(m_request, messaging::Completion::DELIVERED);
    }

    std::vector<std::deque<messaging::Delivery>> m_arrived; ///< By source.
    messaging::Peer m_source{messaging::NO_PEER};           ///< Source of the open request.
    messaging::RequestId m_request{0};                      ///< The open request.
};

} // namespace pcode
} // namespace ns3

#endif // PCODE_MAILBOX_H
