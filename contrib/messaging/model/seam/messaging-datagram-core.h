/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_DATAGRAM_CORE_H
#define MESSAGING_DATAGRAM_CORE_H

#include "ns3/messaging-core.h"

/**
 * @file
 * @ingroup messaging
 * Datagrams without a protocol, as the baseline of all protocols.
 */

namespace ns3
{
namespace messaging
{

/**
 * Protocol without guarantees: a message is one frame, and completes when it is sent.
 *
 * Losses, reordering and duplicates of the port are visible to the user.
 */
class DatagramCore
{
  public:
    /** The protocol arms no timers. */
    static constexpr bool IGNORES_STALE_TIMERS = true;

    DatagramCore() = default;

    /**
     * Construct.
     * @param largest largest message that the port accepts [bytes]
     */
    explicit DatagramCore(uint32_t largest)
        : m_largest(largest)
    {
    }

    /**
     * Post a message.
     * @param request the message
     * @param out its host
     * @return stalled if the port is busy, refused if the message is larger than a frame
     */
    template <Actions Out>
    Acceptance OnRequest(const Request& request, Out& out)
    {
        if (request.bytes > m_largest)
        {
            return Acceptance::REFUSED;
        }
        Frame frame;
        frame.id = m_sent;
        frame.contents = request.contents;
        frame.payload = request.bytes;
        frame.aux = request.tag;
        frame.flags = request.flags;
        if (!out.Send(request.to, frame))
        {
            m_blocked = true;
            return Acceptance::STALLED;
        }
        ++m_sent;
        out.Complete(request.id, Completion::SENT);
        return Acceptance::ACCEPTED;
    }

    /**
     * Deliver a message.
     * @param from its sender
     * @param frame the message
     * @param out its host
     */
    template <Actions Out>
    void OnFrame(Peer from, const Frame& frame, Out& out)
    {
        out.Deliver(
            Delivery{frame.id, frame.contents, from, frame.payload, frame.aux, frame.flags});
    }

    /** Does nothing. @param timer ignored @param out ignored */
    template <Actions Out>
    void OnTimer([[maybe_unused]] TimerId timer, [[maybe_unused]] Out& out)
    {
    }

    /** Does nothing. @param work ignored @param out ignored */
    template <Actions Out>
    void OnDone([[maybe_unused]] WorkId work, [[maybe_unused]] Out& out)
    {
    }

    /** Resume sending: the port accepts frames again. @param out ignored */
    template <Actions Out>
    void OnReady([[maybe_unused]] Out& out)
    {
        m_blocked = false;
    }

    /** @return the size of the largest message [bytes]. */
    uint32_t GetLargestMessage() const
    {
        return m_largest;
    }

    /** @return whether a message can be posted. */
    bool CanAccept() const
    {
        return !m_blocked;
    }

    /**
     * Append the state.
     * @param encoder where
     */
    void Encode(Encoder& encoder) const
    {
        encoder.Put(m_sent);
        encoder.Put(m_blocked);
    }

  private:
    uint64_t m_sent{0};    ///< Messages sent.
    uint32_t m_largest{0}; ///< Largest message [bytes].
    bool m_blocked{false}; ///< The port is busy.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_DATAGRAM_CORE_H
