/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_RECEIVE_WINDOW_H
#define MESSAGING_RECEIVE_WINDOW_H

#include "ns3/messaging-types.h"
#include "ns3/messaging-word-bits.h"

#include <algorithm>
#include <optional>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Messages from one peer that arrive out of order.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * Receive window: the messages from one peer that have arrived before an earlier one.
 *
 * Messages are numbered from 0, by Delivery::id. The window begins with the next message in order.
 */
class ReceiveWindow
{
  public:
    /** @param size size of the window [messages] */
    explicit ReceiveWindow(uint32_t size)
        : m_size(size)
    {
    }

    /** @return number of the next message in order. */
    uint64_t GetNext() const
    {
        return m_next;
    }

    /**
     * Insert a message, unless it has been inserted before or is outside the window.
     * @param message the message
     * @return true if inserted
     */
    bool Insert(const Delivery& message)
    {
        const auto at = std::ranges::lower_bound(m_early, message.id, {}, &Delivery::id);
        const bool isKnown = at != m_early.end() && at->id == message.id;
        if (isKnown || message.id < m_next || message.id - m_next >= m_size)
        {
            return false;
        }
        m_early.insert(at, message);
        return true;
    }

    /** Remove the next message in order. @return the message; none if it has not arrived */
    std::optional<Delivery> Take()
    {
        if (m_early.empty() || m_early.front().id != m_next)
        {
            return std::nullopt;
        }
        ++m_next;
        const Delivery message = m_early.front();
        m_early.erase(m_early.begin());
        return message;
    }

    /** @return the selective acknowledgement: a bit for each message from GetNext on. */
    FrameWords GetSack() const
    {
        FrameWords sack;
        for (const Delivery& message : m_early)
        {
            SetWordBit(sack, static_cast<uint32_t>(message.id - m_next));
        }
        return sack;
    }

    /** Append the state. @param encoder where */
    template <class E>
    void Encode(E& encoder) const
    {
        encoder.Put(m_next, "next in order");
        encoder.Put(m_early.size(), "early");
        for (const Delivery& message : m_early)
        {
            encoder.Put(message.id, "number");
            encoder.PutContents(message.contents);
        }
    }

  private:
    std::vector<Delivery> m_early; ///< Messages that have arrived, by number.
    uint64_t m_next{0};            ///< Number of the next message in order.
    uint32_t m_size;               ///< Size of the window [messages].
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_RECEIVE_WINDOW_H
