/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROCE_FLOW_H
#define ROCE_FLOW_H

#include "roce-message-queue.h"
#include "roce-packet.h"

#include "ns3/messaging-congestion-choice.h"
#include "ns3/messaging-core.h"
#include "ns3/messaging-fifo.h"
#include "ns3/messaging-flow-core.h"
#include "ns3/messaging-sequence-space.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup roce
 * One end of a queue pair.
 */

namespace ns3
{
namespace roce
{

/**
 * @ingroup roce
 * One end of a queue pair: sender and receiver of the packets to and from one peer. Loss recovery
 * is that of a Sender and a Receiver; what both protocols share is here: messages, the numbers in
 * frames, answers, timer, paths and congestion control.
 *
 * @verbatim
                       timer of the sender
                                                    progress: since = now
        nothing           a packet leaves           +-----------+
        in flight +----------------------> +--------v--+        |
     +-----------+  Arm(low)               |   quick   |--------+
     |   idle    |                         +-----------+ <--------------------------+
     +-----------+ <--- nothing in flight ---+  | low after since, and the          |
                        or a repeat waits       | sender extends: Arm(high - low)   |
                                             +--v--------+                          |
                                             | extended  | ---- progress -----------+
                                             +-----------+
     low (high, if extended) after since:  timeout; the sender repeats
   @endverbatim
 *
 * The timer is armed once, and never restarted or cancelled: when it fires after progress, it is
 * armed for the rest of the time. A timer that fires although its time has not come is harmless.
 *
 * A posted message ends as DELIVERED when its last packet is acknowledged. It is never SENT before:
 * the adapter reads a repeat from the user's buffer. When the retries are used up, all messages end
 * as FAILED, and further ones are refused, as in the error state of a queue pair; the receiver goes
 * on.
 *
 * @tparam Sender GoBackNSender or IrnSender
 * @tparam Receiver GoBackNReceiver or IrnReceiver
 */
template <class Sender, class Receiver>
class Flow
{
  public:
    /** Timers. */
    enum Timer : uint32_t
    {
        RETRANSMIT, ///< Protects packets in flight.
        PACE        ///< The next packet may leave.
    };

    /** @param config parameters, shared by all flows */
    explicit Flow(std::shared_ptr<const Config> config)
        : m_config(std::move(config)),
          m_numbers(m_config->modulus),
          m_sender(m_config->modulus),
          m_receiver(m_config->modulus),
          m_queue(m_config->requests, m_config->mtu, m_config->modulus),
          m_control(m_config->control, m_config->site)
    {
    }

    /** @return the sender. */
    const Sender& GetSender() const
    {
        return m_sender;
    }

    /** @return the receiver. */
    const Receiver& GetReceiver() const
    {
        return m_receiver;
    }

    /** @return true if the retries are used up. */
    bool HasFailed() const
    {
        return m_hasFailed;
    }

    /**
     * Post a message.
     * @param request the message
     * @param out actions
     * @return accepted; stalled if the send queue is full; refused after a failure
     */
    template <class Out>
    messaging::Acceptance OnRequest(const messaging::Request& request, Out& out)
    {
        if (m_hasFailed)
        {
            return messaging::Acceptance::REFUSED;
        }
        if (m_queue.IsFull())
        {
            return messaging::Acceptance::STALLED;
        }
        m_queue.Post(request);
        OnReady(request.to, out);
        return messaging::Acceptance::ACCEPTED;
    }

    /**
     * Receive a frame. A trimmed packet counts as lost.
     * @param from its sender
     * @param frame the frame
     * @param out actions
     */
    template <class Out>
    void OnFrame(Peer from, const Frame& frame, Out& out)
    {
        if (frame.kind == ACK || frame.kind == NAK)
        {
            OnAnswer(frame, out);
        }
        else if (frame.kind < ACK && !(frame.marks & messaging::MARK_TRIMMED))
        {
            OnPacket(from, frame, out);
        }
        OnReady(from, out);
    }

    /**
     * Handle a timer.
     * @param peer the peer
     * @param timer the timer
     * @param out actions
     */
    template <class Out>
    void OnTimer(Peer peer, uint32_t timer, Out& out)
    {
        if (timer == PACE)
        {
            m_isPaced = false;
        }
        else if (timer == RETRANSMIT && m_isArmed)
        {
            m_isArmed = false;
            OnExpiry(peer, out);
        }
        OnReady(peer, out);
    }

    /**
     * Send answers, then packets, as far as port, windows and rate permit.
     * @param to the peer
     * @param out actions
     */
    template <class Out>
    void OnReady(Peer to, Out& out)
    {
        if (SendAnswers(to, out))
        {
            SendPackets(to, out);
        }
        if (!m_isArmed && !m_hasFailed && !m_sender.IsWaiting())
        {
            m_since = out.Now();
            Arm(to, false, out);
        }
    }

    /** Append the state, without estimates of time. @param encoder where */
    void Encode(messaging::Encoder& encoder) const
    {
        m_sender.Encode(encoder);
        m_receiver.Encode(encoder);
        m_queue.Encode(encoder);
        m_reassembly.Encode(encoder);
        m_control.Encode(encoder);
        for (uint64_t i = 1; i < Receiver::SLOTS; ++i)
        {
            const uint64_t number = m_receiver.GetExpected() + i;
            if (m_receiver.Keeps(number))
            {
                encoder.PutContents(GetSlot(number).contents);
            }
        }
        encoder.Put(m_answers.GetN(), "answers");
        for (const Frame& answer : m_answers)
        {
            encoder.Put(answer.id, "next");
            encoder.Put(answer.aux, "answered");
            encoder.Put(uint64_t{answer.kind} << 8 | answer.flags, "kind, flags");
        }
        encoder.Put(m_retries, "retries");
        encoder.Put(m_path, "path");
        encoder.Put(m_marks, "marks");
        encoder.Put(m_isArmed, "timer is armed");
        encoder.Put(m_isExtended, "timeout is extended");
        encoder.Put(m_isRestarted, "timer is restarted");
        encoder.Put(m_isPaced, "paced");
        encoder.Put(m_hasFailed, "failed");
    }

  private:
    /** Maximum number of answers that wait for a busy port; the oldest is dropped beyond, as one
     * that the network loses. */
    static constexpr std::size_t MOST_ANSWERS = 128;

    /** No path is chosen. */
    static constexpr uint32_t NO_PATH = 0xffffffff;

    /** Last transmission of a packet. */
    struct Transmission
    {
        Ticks sent{0};          ///< Time [ticks].
        bool isRepeated{false}; ///< It was not the first one.
    };

    /** @return the most packets in flight. */
    uint64_t GetWindow() const
    {
        const uint64_t byControl = m_control.GetWindow() / m_config->GetFullFrame();
        return std::clamp<uint64_t>(byControl, 1, m_config->window);
    }

    /** @param number a packet that is kept, or is next @return its place. */
    const Packet& GetSlot(uint64_t number) const
    {
        return m_slots[number % Receiver::SLOTS];
    }

    /** @param number a packet in flight @return its last transmission. */
    Transmission& GetTransmission(uint64_t number)
    {
        return m_transmissions[number % m_config->window];
    }

    /**
     * Recover the number of a packet.
     * @param wrapped the number in a frame
     * @param middle a number at most half of all numbers away
     * @return the number
     */
    uint64_t Unwrap(uint64_t wrapped, uint64_t middle) const
    {
        return m_numbers.Unwrap(wrapped, middle - m_config->modulus / 2);
    }

    /** Choose a path for a packet or an answer. @param out actions @return the path */
    template <class Out>
    uint16_t ChoosePath(Out& out)
    {
        if (m_config->paths <= 1)
        {
            return 0;
        }
        if (m_path == NO_PATH || m_config->spray)
        {
            m_path = out.Random(m_config->paths);
        }
        return static_cast<uint16_t>(m_path);
    }

    /**
     * Send all answers that are owed.
     * @param to their receiver
     * @param out actions
     * @return false if the port is busy
     */
    template <class Out>
    bool SendAnswers(Peer to, Out& out)
    {
        while (!m_answers.IsEmpty())
        {
            Frame frame = m_answers.Front();
            frame.path = ChoosePath(out);
            if (!out.Send(to, frame))
            {
                return false;
            }
            m_answers.Pop();
        }
        return true;
    }

    /**
     * Send the packets that may leave.
     * @param to their receiver
     * @param out actions
     */
    template <class Out>
    void SendPackets(Peer to, Out& out)
    {
        while (!m_isPaced && !m_hasFailed)
        {
            Sender after = m_sender;
            const auto number = after.TakeNext(m_queue.GetEnd(), GetWindow());
            if (number && !SendPacket(to, *number, out))
            {
                return;
            }
            const bool isRepeat = number && *number < m_sender.GetEnd();
            const bool wasIdle = m_sender.GetInFlight() == 0;
            m_sender = after;
            if (!number)
            {
                return;
            }
            OnSent(to, *number, isRepeat, out);
            if (isRepeat || wasIdle)
            {
                RestartTimer(out.Now());
            }
        }
    }

    /**
     * Send a packet.
     * @param to its receiver
     * @param number its number
     * @param out actions
     * @return false if the port is busy
     */
    template <class Out>
    bool SendPacket(Peer to, uint64_t number, Out& out)
    {
        const Packet packet = m_queue.GetPacket(number);
        const uint16_t immediate = packet.IsLast() ? IMMEDIATE_HEADER : 0;
        return out.Send(to,
                        {.id = m_numbers.Wrap(number),
                         .contents = packet.contents,
                         .payload = packet.payload,
                         .aux = packet.tag,
                         .header = static_cast<uint16_t>(m_config->dataHeader + immediate),
                         .path = ChoosePath(out),
                         .kind = packet.kind,
                         .flags = packet.flags});
    }

    /**
     * Record that a packet has left.
     * @param to its receiver
     * @param number its number
     * @param isRepeat whether it was sent before
     * @param out actions
     */
    template <class Out>
    void OnSent(Peer to, uint64_t number, bool isRepeat, Out& out)
    {
        if (isRepeat)
        {
            out.Note(REPEAT);
        }
        const Ticks now = out.Now();
        m_transmissions.resize(m_config->window);
        GetTransmission(number) = {now, isRepeat};
        const uint32_t bytes = m_config->dataHeader + m_queue.GetPacket(number).payload;
        m_control.OnSend(now, bytes);
        if (const double rate = m_control.GetRate(); rate > 0)
        {
            m_nextSend = std::max(m_nextSend, static_cast<double>(now)) + bytes / rate;
            m_isPaced = true;
            const double delay = std::ceil(m_nextSend - static_cast<double>(now));
            out.Arm(messaging::GetFlowTimer(to, PACE), std::max<Ticks>(1, delay));
        }
    }

    /**
     * Receive a packet.
     * @param from its sender
     * @param frame the packet
     * @param out actions
     */
    template <class Out>
    void OnPacket(Peer from, const Frame& frame, Out& out)
    {
        const Packet packet{.contents = frame.contents,
                            .payload = frame.payload,
                            .tag = frame.aux,
                            .flags = frame.flags,
                            .kind = static_cast<Kind>(frame.kind)};
        uint64_t number = m_receiver.GetExpected();
        const uint64_t arrived = Unwrap(frame.id, number);
        const bool isKept = m_receiver.Keeps(arrived);
        const Answer answer = m_receiver.OnPacket(arrived, packet.IsLast());
        m_marks |= frame.marks & messaging::MARK_CONGESTION;
        if (answer.isPlaced)
        {
            m_slots.resize(Receiver::SLOTS);
            m_slots[answer.trigger % Receiver::SLOTS] = packet;
        }
        if (answer.isEarly && !isKept)
        {
            out.Note(EARLY);
        }
        else if (!answer.isPlaced)
        {
            out.Note(DUPLICATE);
        }
        if (answer.isSent)
        {
            Owe(answer, out);
        }
        for (; number < answer.next; ++number)
        {
            if (const auto message = m_reassembly.Add(GetSlot(number), from))
            {
                out.Deliver(*message);
            }
        }
    }

    /**
     * Owe an answer. A plain one replaces a plain one that a busy port has kept from leaving.
     * @param answer the answer
     * @param out actions
     */
    template <class Out>
    void Owe(const Answer& answer, Out& out)
    {
        Frame frame{.id = m_numbers.Wrap(answer.next),
                    .aux = static_cast<uint32_t>(m_numbers.Wrap(answer.trigger)),
                    .header = m_config->ackHeader,
                    .kind = answer.isEarly ? NAK : ACK,
                    .flags = m_marks ? ECHO_FLAG : uint8_t{0}};
        m_marks = 0;
        if (const std::size_t count = m_answers.GetN(); count > 0)
        {
            Frame& last = m_answers[count - 1];
            if (last.kind == ACK && frame.kind == ACK)
            {
                frame.flags |= last.flags;
                last = frame;
                return;
            }
            if (count >= MOST_ANSWERS)
            {
                out.Note(ANSWER_DROP);
                m_answers.Pop();
            }
        }
        m_answers.Push(frame);
    }

    /**
     * Receive an answer. One for packets that were never sent is ignored.
     * @param frame the answer
     * @param out actions
     */
    template <class Out>
    void OnAnswer(const Frame& frame, Out& out)
    {
        const uint64_t begin = m_sender.GetBegin();
        const Answer answer{.next = Unwrap(frame.id, begin),
                            .trigger = Unwrap(frame.aux, begin),
                            .isEarly = frame.kind == NAK};
        if (answer.next > m_sender.GetEnd() || m_hasFailed)
        {
            return;
        }
        messaging::AckNews news{.now = out.Now(), .marked = (frame.flags & ECHO_FLAG) != 0};
        if (answer.trigger >= begin && answer.trigger < m_sender.GetEnd())
        {
            const Transmission& transmission = GetTransmission(answer.trigger);
            news.roundTrip = transmission.isRepeated ? 0 : news.now - transmission.sent;
        }
        const AckEffect effect = m_sender.OnAnswer(answer);
        news.bytes = static_cast<uint32_t>(effect.acknowledged) * m_config->GetFullFrame();
        m_control.OnAck(news);
        if (news.marked)
        {
            out.Note(MARKED);
        }
        if (effect.isLoss)
        {
            out.Note(LOSS);
            m_control.OnLoss(news.now);
        }
        if (effect.isProgress)
        {
            RestartTimer(news.now);
            m_retries = 0;
        }
        while (const auto request = m_queue.TakeBefore(m_sender.GetBegin()))
        {
            out.Complete(request->id, messaging::Completion::DELIVERED);
        }
        if (effect.isRetry)
        {
            Retry(out);
        }
    }

    /** Count a repetition without progress; fail if there are too many. @param out actions */
    template <class Out>
    void Retry(Out& out)
    {
        if (m_config->retries == UNLIMITED || ++m_retries <= m_config->retries)
        {
            return;
        }
        out.Note(ERROR);
        m_hasFailed = true;
        while (const auto request = m_queue.TakeBefore(m_queue.GetEnd()))
        {
            out.Complete(request->id, messaging::Completion::FAILED);
        }
    }

    /** Record progress. @param now the time [ticks] */
    void RestartTimer(Ticks now)
    {
        if (now != m_since)
        {
            m_since = now;
            m_isRestarted = m_isArmed;
        }
    }

    /**
     * Arm the timer.
     * @param peer the peer
     * @param isExtended for the long timeout
     * @param out actions
     */
    template <class Out>
    void Arm(Peer peer, bool isExtended, Out& out)
    {
        const Ticks now = out.Now();
        const Ticks timeout = isExtended ? m_config->highTimeout : m_config->lowTimeout;
        const Ticks end = std::max(m_since + timeout, now + 1);
        m_isArmed = true;
        m_isExtended = isExtended;
        m_isRestarted = false;
        out.Arm(messaging::GetFlowTimer(peer, RETRANSMIT), end - now);
    }

    /** Handle the expiry of the timer. @param peer the peer @param out actions */
    template <class Out>
    void OnExpiry(Peer peer, Out& out)
    {
        if (m_hasFailed || m_sender.IsWaiting())
        {
            return;
        }
        if (m_isRestarted)
        {
            Arm(peer, false, out);
            return;
        }
        const double rate = m_control.GetRate();
        const double rateFactor = rate > 0 ? m_config->rate / rate : 1;
        if (!m_isExtended && m_sender.ExtendsTimeout(m_config->quickPackets, rateFactor))
        {
            out.Note(EXTENSION);
            Arm(peer, true, out);
            return;
        }
        out.Note(TIMEOUT);
        m_sender.OnTimeout();
        m_control.OnTimeout(out.Now());
        Retry(out);
    }

    std::shared_ptr<const Config> m_config;    ///< Parameters.
    messaging::SequenceSpace m_numbers;        ///< Numbers in frames.
    Sender m_sender;                           ///< Loss recovery of own packets.
    Receiver m_receiver;                       ///< Packets that have arrived.
    MessageQueue m_queue;                      ///< Messages without an acknowledgement.
    Reassembly m_reassembly;                   ///< Message that arrives.
    messaging::CongestionChoice m_control;     ///< Congestion control.
    messaging::Fifo<Frame> m_answers;          ///< Answers that are owed.
    std::vector<Packet> m_slots;               ///< Packets that have arrived, by number.
    std::vector<Transmission> m_transmissions; ///< Transmissions of packets in flight, by number.
    Ticks m_since{0};                          ///< Time from which the timeout counts [ticks].
    double m_nextSend{0};                      ///< Time at which a paced packet may leave [ticks].
    uint32_t m_retries{0};                     ///< Repetitions since the last progress.
    uint32_t m_path{NO_PATH};                  ///< Path of the flow.
    uint8_t m_marks{0};                        ///< Marks that the next answer returns.
    bool m_isArmed{false};                     ///< The timer is armed.
    bool m_isExtended{false};                  ///< The timer is armed for the long timeout.
    bool m_isRestarted{false};                 ///< Progress since the timer was armed.
    bool m_isPaced{false};                     ///< Waits for the timer PACE.
    bool m_hasFailed{false};                   ///< The retries are used up.
};

} // namespace roce
} // namespace ns3

#endif // ROCE_FLOW_H
