/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_SEND_WINDOW_H
#define MESSAGING_SEND_WINDOW_H

#include "ns3/messaging-congestion-control.h"
#include "ns3/messaging-fifo.h"
#include "ns3/messaging-word-bits.h"

#include <algorithm>
#include <optional>

/**
 * @file
 * @ingroup messaging
 * Messages to one peer that are not acknowledged.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * Send window: the messages to one peer that lack a cumulative acknowledgement, numbered from 0,
 * each with its state. TCP calls it a scoreboard [RFC 6675].
 *
 * @verbatim
            SetSent         OnAck
     POSTED -------> FLYING -----> ARRIVED, until TakeArrived
                      |  ^          ^
     LoseOvertaken,   v  | SetSent  | OnAck
     LoseAll         LOST ----------+
   @endverbatim
 */
class SendWindow
{
  public:
    /** States of a message. */
    enum State : uint8_t
    {
        POSTED, ///< Not sent yet.
        LOST,   ///< To be sent again.
        FLYING, ///< In flight.
        ARRIVED ///< Acknowledged.
    };

    /** A message. */
    struct Message
    {
        Request request;        ///< What was posted.
        uint64_t number;        ///< Its number.
        Ticks sent{0};          ///< Time of the last transmission [ticks].
        State state{POSTED};    ///< State.
        bool isRepeated{false}; ///< Sent more than once.
    };

    /**
     * Construct.
     * @param size size of the window [messages]
     * @param header header of a frame, which counts as in flight, too [bytes]
     */
    SendWindow(uint32_t size, uint32_t header)
        : m_size(size),
          m_header(header)
    {
    }

    /** @return true if all messages are acknowledged. */
    bool IsEmpty() const
    {
        return m_messages.IsEmpty();
    }

    /** @return true if no further message can be posted. */
    bool IsFull() const
    {
        return m_messages.GetN() >= m_size;
    }

    /** @return number of the first message without a cumulative acknowledgement. */
    uint64_t GetBegin() const
    {
        return m_end - m_messages.GetN();
    }

    /** @return size of the frames in flight [bytes]. */
    uint64_t GetInFlight() const
    {
        return m_inFlight;
    }

    /** Append a message; the window is not full. @param request the message */
    void Post(const Request& request)
    {
        m_messages.Push({.request = request, .number = m_end++});
    }

    /** @return the first message that has to be sent, first or again; none if there is none. */
    std::optional<Message> GetNextToSend() const
    {
        for (uint64_t number = std::max(m_toSend, GetBegin()); number < m_end; ++number)
        {
            const Message& message = m_messages[number - GetBegin()];
            if (message.state == POSTED || message.state == LOST)
            {
                return message;
            }
        }
        return std::nullopt;
    }

    /**
     * Record a transmission.
     * @param number number of the message, of GetNextToSend
     * @param now the time [ticks]
     */
    void SetSent(uint64_t number, Ticks now)
    {
        Message& message = m_messages[number - GetBegin()];
        message.isRepeated = message.state == LOST;
        message.sent = now;
        SetState(message, FLYING);
        m_toSend = number + 1;
    }

    /**
     * Record an acknowledgement, unless it is beyond the window, as an old one seems to be when
     * numbers repeat. TakeArrived returns the messages that it completes.
     * @param next number of the first message that it does not acknowledge cumulatively
     * @param sack bitmap of the messages from there that have arrived
     * @param now the time [ticks]
     * @return size of the newly acknowledged messages, and the round trip of the last one of them
     * that was sent once [RFC 6298, section 3]
     */
    AckNews OnAck(uint64_t next, const FrameWords& sack, Ticks now)
    {
        AckNews news{.now = now};
        for (std::size_t i = 0; next <= m_end && i < m_messages.GetN(); ++i)
        {
            Message& message = m_messages[i];
            const bool has = message.number < next || GetWordBit(sack, message.number - next);
            if (!has || message.state == ARRIVED)
            {
                continue;
            }
            SetState(message, ARRIVED);
            news.bytes += message.request.bytes;
            if (!message.isRepeated)
            {
                news.roundTrip = now - message.sent;
            }
        }
        return news;
    }

    /** Remove the first message if it has arrived. @return its request, or none */
    std::optional<Request> TakeArrived()
    {
        if (IsEmpty() || m_messages.Front().state != ARRIVED)
        {
            return std::nullopt;
        }
        return m_messages.Pop().request;
    }

    /**
     * Declare messages in flight lost that a later one has overtaken.
     * @param now the time [ticks]
     * @param patience time since the transmission that a message is given [ticks]
     * @return true if a message is lost
     */
    bool LoseOvertaken(Ticks now, Ticks patience)
    {
        bool isOvertaken = false;
        bool hasLoss = false;
        for (std::size_t i = m_messages.GetN(); i-- > 0;)
        {
            Message& message = m_messages[i];
            if (isOvertaken && message.state == FLYING && now >= message.sent + patience)
            {
                SetState(message, LOST);
                hasLoss = true;
            }
            isOvertaken |= message.state == ARRIVED;
        }
        return hasLoss;
    }

    /** Declare all messages in flight lost. @return true if there are any */
    bool LoseAll()
    {
        const bool hasLoss = m_inFlight > 0;
        for (std::size_t i = 0; i < m_messages.GetN(); ++i)
        {
            if (m_messages[i].state == FLYING)
            {
                SetState(m_messages[i], LOST);
            }
        }
        return hasLoss;
    }

    /** Append the state, without times. @param encoder where */
    template <class E>
    void Encode(E& encoder) const
    {
        encoder.Put(m_end, "next to post");
        encoder.Put(m_messages.GetN(), "not acknowledged");
        for (const Message& message : m_messages)
        {
            encoder.PutContents(message.request.contents);
            encoder.Put(message.state, "state");
        }
    }

  private:
    /** Set the state of a message. @param message the message @param state its state */
    void SetState(Message& message, State state)
    {
        const uint64_t bytes = uint64_t{m_header} + message.request.bytes;
        if (message.state == FLYING)
        {
            m_inFlight -= bytes;
        }
        if (state == FLYING)
        {
            m_inFlight += bytes;
        }
        if (state == LOST)
        {
            m_toSend = std::min(m_toSend, message.number);
        }
        message.state = state;
    }

    Fifo<Message> m_messages; ///< The messages, by number.
    uint64_t m_end{0};        ///< Number of the next message to be posted.
    uint64_t m_toSend{0};     ///< No message before this number has to be sent.
    uint64_t m_inFlight{0};   ///< Size of the frames in flight [bytes].
    uint32_t m_size;          ///< Size of the window [messages].
    uint32_t m_header;        ///< Header of a frame [bytes].
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_SEND_WINDOW_H
