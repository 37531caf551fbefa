/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef UET_INITIATOR_H
#define UET_INITIATOR_H

#include "uet-packet.h"
#include "uet-timers.h"
#include "uet-window.h"

#include "ns3/messaging-congestion-choice.h"
#include "ns3/messaging-core.h"
#include "ns3/messaging-flow-core.h"
#include "ns3/messaging-sequence-space.h"
#include "ns3/roce-message-queue.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <utility>

/**
 * @file
 * @ingroup uet
 * Initiator of packet delivery contexts.
 */

namespace ns3
{
namespace uet
{

/** States of an initiator. */
enum class InitiatorState : uint8_t
{
    CLOSED,  ///< There is no PDC.
    OPENING, ///< The target's PDC is not known yet.
    OPEN,    ///< It is known.
    CLOSING  ///< All packets are acknowledged, and CLOSE is in flight.
};

/**
 * Print a state by name.
 * @param os the stream
 * @param state the value
 * @return the stream
 */
inline std::ostream&
operator<<(std::ostream& os, InitiatorState state)
{
    constexpr std::array NAMES{"closed", "opening", "open", "closing"};
    return os << NAMES[static_cast<uint8_t>(state)];
}

/**
 * @ingroup uet
 * Initiator of packet delivery contexts (PDC) to one target: one PDC at a time, for all messages to
 * it.
 *
 * @verbatim
                first packet leaves, with SYN          first ACK names the target's PDC
     +--------+ and the offset of its PSN  +---------+                         +------+
     | CLOSED | -------------------------> | OPENING | ----------------------> | OPEN |
     +--------+                            +---------+                         +------+
       ^   ^  ^      retries used up            |                               |    |
       |   |  +---- (messages end as FAILED) ---+                               |    |
       |   +------- the same, or NACK INV_DPDCID -------------------------------+    |
       |                                                                    idle for |
       |     ACK of CLOSE, NACK INV_DPDCID, or retries used up  +---------+ a time   |
       +------------------------------------------------------- | CLOSING | <--------+
                                                                +---------+
     A PDC number that was used is not used again for Syn_Retx_Safety_Time.
     NACK NO_RESOURCE in OPENING: all packets are sent again after a delay, which doubles.
   @endverbatim
 *
 * RUDI and UUD have no PDC: an initiator is OPEN as soon as it sends.
 *
 * A packet is lost if a NACK says so (trimmed, or ROD_OOO), its own timer expires, or, if that is
 * configured, packets far beyond it have arrived: a cleared bit of a SACK says nothing.
 *
 * ROD sends everything again from the lost packet on.
 */
class Initiator
{
  public:
    /** Timers. RETRANSMIT and the next ones are those of packets with 0, 1, ... timeouts; REUSE and
     * the next ones those of PDC numbers. */
    enum Timer : uint32_t
    {
        RETRANSMIT = 0,                         ///< Packets in flight, by number of timeouts.
        PACE = PacketTimers::MOST_TIMEOUTS + 1, ///< The next packet may leave.
        IDLE = 17,                              ///< The PDC is idle.
        REFUSED = 18,                           ///< A refused PDC is tried again.
        STARVED = 19,                           ///< A demand for credit is repeated.
        REUSE = 1 << 16,                        ///< A PDC number may be used again.
        END = 1 << 17 ///< Timers from here on are not those of initiators.
    };

    /** @param config parameters, shared by all */
    explicit Initiator(std::shared_ptr<const Config> config)
        : m_config(std::move(config)),
          m_numbers(m_config->modulus),
          m_window(m_config->pair.window, m_config->modulus),
          m_queue(m_config->pair.requests, m_config->pair.mtu, 0),
          m_control(m_config->pair.control, m_config->pair.site),
          m_paths(m_config->spraying),
          m_timers(m_config->timeout)
    {
    }

    /** @return the state. */
    InitiatorState GetState() const
    {
        return m_state;
    }

    /** @return the packets that are not acknowledged. */
    const Window& GetWindow() const
    {
        return m_window;
    }

    /**
     * Post a message.
     * @param request the message
     * @param out actions
     * @return accepted, or stalled if the queue is full
     */
    template <class Out>
    messaging::Acceptance OnRequest(const messaging::Request& request, Out& out)
    {
        if (m_queue.IsFull())
        {
            return messaging::Acceptance::STALLED;
        }
        m_queue.Post(request);
        OnReady(request.to, out);
        return messaging::Acceptance::ACCEPTED;
    }

    /**
     * Receive an answer. One of another PDC is ignored, and a trimmed one, too: no NACK follows it
     * [UET 1.0.3].
     * @param from its sender
     * @param frame the answer
     * @param out actions
     */
    template <class Out>
    void OnAnswer(Peer from, const Frame& frame, Out& out)
    {
        const Address address = Address::Unpack(frame.id);
        const bool isForeign = m_config->HasPdcs() && address.other != m_pdc;
        if (m_state == InitiatorState::CLOSED || isForeign ||
            (frame.marks & messaging::MARK_TRIMMED))
        {
            return;
        }
        const uint64_t psn = Unwrap(address.psn);
        const uint8_t kind = GetKind(frame);
        if (kind == NACK)
        {
            OnNack(from, psn, static_cast<NackCode>(frame.aux), out);
        }
        else if (kind == RESPONSE && !m_config->HasPdcs())
        {
            OnAck(from, m_window.GetBegin(), psn, frame, out);
        }
        else if (kind == ACK && m_config->HasPdcs() && psn <= m_window.GetNext())
        {
            const uint64_t trigger = Unwrap(frame.aux);
            if (trigger >= m_start)
            {
                Learn(address.own);
                OnAck(from, psn, trigger, frame, out);
            }
        }
    }

    /** Receive a grant of credit. @param credits all grants so far, as a frame carries it */
    void OnCredit(uint32_t credits)
    {
        m_control.OnCredit(credits);
        m_starvations = 0;
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
        if (timer <= PacketTimers::MOST_TIMEOUTS)
        {
            OnExpiry(peer, timer, out);
        }
        else if (timer == PACE)
        {
            m_pacer.OnTimer();
        }
        else if (timer == IDLE && m_isIdleArmed)
        {
            m_isIdleArmed = false;
            if (IsIdle() && !m_isUsed)
            {
                m_state = InitiatorState::CLOSING;
                m_close = m_window.GetNext();
            }
        }
        else if (timer == REFUSED)
        {
            m_isRefused = false;
        }
        else if (timer == STARVED)
        {
            OnStarved(peer, out);
        }
        else if (timer >= REUSE && m_waiting > 0)
        {
            --m_waiting;
        }
        OnReady(peer, out);
    }

    /**
     * Send packets as far as port, windows and rate permit.
     * @param to the peer
     * @param out actions
     */
    template <class Out>
    void OnReady(Peer to, Out& out)
    {
        while (SendNext(to, out))
        {
        }
        DemandCredit(to, out);
        if (IsIdle() && m_config->idle > 0 && !m_isIdleArmed)
        {
            m_isIdleArmed = true;
            m_isUsed = false;
            out.Arm(messaging::GetFlowTimer(to, IDLE), m_config->idle);
        }
    }

    /** Append the state, without estimates of time. @param encoder where */
    void Encode(messaging::Encoder& encoder) const
    {
        encoder.Put(static_cast<uint64_t>(m_state), "initiator");
        m_window.Encode(encoder);
        m_queue.Encode(encoder);
        m_control.Encode(encoder);
        m_paths.Encode(encoder);
        encoder.Put(m_start, "first PSN");
        encoder.Put(m_shift, "PSN of packet 0");
        encoder.Put(m_number, "first packet");
        encoder.Put(m_close, "PSN of CLOSE");
        m_timers.Encode(encoder);
        encoder.Put(m_refusals, "refusals");
        encoder.Put(m_waiting, "PDC numbers that wait");
        encoder.Put(m_nextPdc, "next PDC");
        encoder.Put(m_pdc, "PDC");
        encoder.Put(m_target, "PDC of the target");
        encoder.Put(m_path ? uint64_t{*m_path} + 1 : 0, "next path");
        m_pacer.Encode(encoder);
        encoder.Put(m_isRefused, "refused");
        encoder.Put(m_isIdleArmed, "idle timer");
        encoder.Put(m_isUsed, "used");
        if (m_config->IsGranted())
        {
            encoder.Put(m_demand, "demand");
            encoder.Put(m_starvations, "demands without a grant");
            encoder.Put(m_isStarvedArmed, "demand is repeated");
        }
    }

  private:
    /** @param wrapped a PSN in a frame @return the PSN, near the first one in flight. */
    uint64_t Unwrap(uint64_t wrapped) const
    {
        return m_numbers.Unwrap(wrapped, m_window.GetBegin() - m_config->modulus / 2);
    }

    /** @return PSN after the last packet that can be sent. */
    uint64_t GetEnd() const
    {
        if (m_state == InitiatorState::CLOSING)
        {
            return m_close + 1;
        }
        return m_queue.GetEnd() + m_shift;
    }

    /** @return the most packets in flight. */
    uint64_t GetLimit() const
    {
        const uint64_t byControl = m_control.GetWindow() / m_config->pair.GetFullFrame();
        return std::max<uint64_t>(byControl, 1);
    }

    /** @return true if a PDC is open and has nothing to do. */
    bool IsIdle() const
    {
        return m_state == InitiatorState::OPEN && m_config->HasPdcs() && m_window.IsEmpty() &&
               GetEnd() == m_window.GetNext();
    }

    /** Open a PDC, if there is a number for it. @param out actions @return true if it is open */
    template <class Out>
    bool Open(Out& out)
    {
        if (m_config->HasPdcs() && m_waiting >= m_config->pdcs)
        {
            return false;
        }
        const uint32_t distance = m_config->startDistance;
        m_start = m_window.GetNext() + distance + out.Random(distance);
        m_shift = m_start - m_number;
        m_window.Restart(m_start);
        m_refusals = 0;
        if (!m_config->HasPdcs())
        {
            m_state = InitiatorState::OPEN;
            return true;
        }
        out.Note(OPENING_PDC);
        m_state = InitiatorState::OPENING;
        m_pdc = m_nextPdc;
        m_nextPdc = static_cast<uint16_t>((m_nextPdc + 1) % m_config->pdcs);
        return true;
    }

    /** Close the PDC. @param peer the peer @param out actions */
    template <class Out>
    void Close(Peer peer, Out& out)
    {
        m_number = m_window.GetBegin() - m_shift;
        if (m_state == InitiatorState::CLOSING)
        {
            // CLOSE has a PSN, but is no packet of a message.
            m_number = m_close - m_shift;
        }
        m_window.Restart(m_window.GetNext());
        m_state = InitiatorState::CLOSED;
        m_isRefused = false;
        if (m_config->HasPdcs())
        {
            ++m_waiting;
            out.Arm(messaging::GetFlowTimer(peer, REUSE + m_pdc), m_config->safety);
        }
    }

    /** Give up the PDC and all messages. @param peer the peer @param out actions */
    template <class Out>
    void Fail(Peer peer, Out& out)
    {
        out.Note(ERROR);
        const bool isClosing = m_state == InitiatorState::CLOSING;
        Close(peer, out);
        if (isClosing)
        {
            return;
        }
        const uint64_t end = m_queue.GetEnd();
        m_number = end;
        while (const auto request = m_queue.TakeBefore(end))
        {
            out.Complete(request->id, messaging::Completion::FAILED);
        }
    }

    /** Keep the target's PDC, which the first ACK names. @param target its number */
    void Learn(uint16_t target)
    {
        if (m_state == InitiatorState::OPENING)
        {
            m_state = InitiatorState::OPEN;
            m_target = target;
        }
    }

    /**
     * Send a packet, if one may leave.
     * @param to the peer
     * @param out actions
     * @return true if one has left
     */
    template <class Out>
    bool SendNext(Peer to, Out& out)
    {
        if (m_pacer.IsPaced() || m_isRefused)
        {
            return false;
        }
        if (m_state == InitiatorState::CLOSED && (m_queue.GetEnd() == m_number || !Open(out)))
        {
            return false;
        }
        const auto psn = m_window.GetNextToSend(GetEnd(), GetLimit());
        if (!psn || IsStarved())
        {
            return false;
        }
        if (!m_path)
        {
            m_path = m_paths.Choose(out);
        }
        const Frame frame = MakeFrame(*psn);
        if (!out.Send(to, frame))
        {
            return false;
        }
        if (HasFlag(frame, RETX_FLAG) && GetKind(frame) != CLOSE)
        {
            out.Note(REPEAT);
        }
        m_demand = GetDemand().value_or(m_demand);
        const Ticks now = out.Now();
        m_window.SetSent(*psn, now, *m_path);
        m_path.reset();
        m_isUsed = true;
        if (m_config->mode == Mode::UUD)
        {
            m_window.Acknowledge(*psn);
            m_window.Advance();
            End(messaging::Completion::SENT, out);
            return true;
        }
        const messaging::TimerId timer = messaging::GetFlowTimer(to, PACE);
        m_pacer.OnSent(m_control, timer, frame.header + frame.payload, out);
        m_timers.Arm(to, m_window.Get(*psn).timeouts, now, out);
        return true;
    }

    /** @return the demand for credit, with all packets that wait; none without RCCC. */
    std::optional<uint32_t> GetDemand() const
    {
        if (!m_config->IsGranted())
        {
            return std::nullopt;
        }
        return m_control.GetDemand(GetEnd() - m_window.GetNext() + m_window.GetNLost());
    }

    /** @return true if there is no credit for a packet; CLOSE needs none. */
    bool IsStarved() const
    {
        return m_config->IsGranted() && m_state != InitiatorState::CLOSING &&
               !m_control.HasCredit();
    }

    /** @return true if a packet could leave, but for credit. */
    bool WaitsForCredit() const
    {
        return IsStarved() && m_state != InitiatorState::CLOSED &&
               m_window.GetNextToSend(GetEnd(), GetLimit());
    }

    /**
     * Demand credit for packets that wait, if none of them has carried the demand to the target.
     * @param to the peer
     * @param out actions
     */
    template <class Out>
    void DemandCredit(Peer to, Out& out)
    {
        if (!WaitsForCredit())
        {
            return;
        }
        const uint32_t demand = GetDemand().value_or(0);
        if (demand != m_demand)
        {
            const Address address{.own = m_pdc, .other = m_target};
            const Frame request{.id = address.Pack(),
                                .aux = demand,
                                .header = CONTROL_HEADER,
                                .kind = CREDIT_REQUEST,
                                .trafficClass = ANSWER_CLASS};
            if (!out.Send(to, request))
            {
                return;
            }
            m_demand = demand;
        }
        if (!m_isStarvedArmed)
        {
            m_isStarvedArmed = true;
            out.Arm(messaging::GetFlowTimer(to, STARVED), m_config->timeout);
        }
    }

    /** Demand credit again if none has come: the demand or the grant may be lost. @param peer the
     * peer @param out actions */
    template <class Out>
    void OnStarved(Peer peer, Out& out)
    {
        if (!m_isStarvedArmed)
        {
            return;
        }
        m_isStarvedArmed = false;
        if (!WaitsForCredit())
        {
            return;
        }
        m_demand = 0;
        ++m_starvations;
        if (m_starvations > m_config->retries)
        {
            m_starvations = 0;
            Fail(peer, out);
        }
    }

    /** @param psn PSN of a packet @return the packet as a frame. */
    Frame MakeFrame(uint64_t psn) const
    {
        const bool isOpening = m_state == InitiatorState::OPENING;
        const bool isRepeat = m_window.Has(psn);
        Address address{.psn = static_cast<uint32_t>(m_numbers.Wrap(psn))};
        uint8_t flags = isRepeat ? RETX_FLAG : 0;
        if (m_config->HasPdcs())
        {
            address.own = m_pdc;
            address.other = isOpening ? static_cast<uint16_t>(psn - m_start) : m_target;
            // The next packet may have to wait for credit for longer than a timeout.
            const bool isLast =
                !m_window.HasNextAfter(psn, GetEnd(), GetLimit()) || !m_control.HasCredit(2);
            flags |= isOpening ? SYN_FLAG : 0;
            flags |= isRepeat || isLast ? AR_FLAG : 0;
        }
        Frame frame{.id = address.Pack(), .path = *m_path};
        if (m_config->IsGuaranteed())
        {
            frame.words = {static_cast<uint32_t>(m_numbers.Wrap(m_window.GetBegin()))};
        }
        if (m_state == InitiatorState::CLOSING)
        {
            frame.kind = CLOSE | flags;
            frame.header = CONTROL_HEADER;
            return frame;
        }
        const auto demand = GetDemand();
        if (demand)
        {
            frame.words.push_back(*demand);
        }
        const roce::Packet packet = m_queue.GetPacket(psn - m_shift);
        const bool isFirst = packet.index == 0;
        frame.contents = packet.contents;
        frame.payload = packet.payload;
        frame.aux = isFirst ? packet.tag : packet.index;
        frame.header = m_config->GetRequestHeader();
        frame.header += isFirst ? FIRST_SEMANTIC_HEADER : SEMANTIC_HEADER;
        frame.header += demand ? DEMAND_HEADER : 0;
        frame.kind = packet.kind | flags;
        frame.flags = packet.flags;
        return frame;
    }

    /**
     * Handle the expiry of a timer: packets with its number of timeouts are lost, if their time has
     * come.
     * @param peer the peer
     * @param timeouts number of timeouts
     * @param out actions
     */
    template <class Out>
    void OnExpiry(Peer peer, uint32_t timeouts, Out& out)
    {
        const Ticks now = out.Now();
        const auto most = m_timers.OnExpiry(peer, timeouts, m_window, out, [&](uint64_t psn) {
            m_paths.OnNews(m_window.Get(psn).path, PathNews::TIMED_OUT, now);
            Lose(psn);
        });
        if (!most)
        {
            return;
        }
        out.Note(TIMEOUT);
        m_control.OnTimeout(now);
        if (*most > m_config->retries)
        {
            Fail(peer, out);
        }
    }

    /** Declare a packet lost; in ROD, all later ones, too. @param psn its PSN @return true if it
     * was in flight */
    bool Lose(uint64_t psn)
    {
        return m_config->mode == Mode::ROD ? m_window.LoseFrom(psn) : m_window.Lose(psn);
    }

    /**
     * Receive an ACK, or the answer to a packet of RUDI.
     * @param peer the peer
     * @param next PSN before which all packets have arrived
     * @param trigger PSN of the packet that is answered
     * @param frame the answer
     * @param out actions
     */
    template <class Out>
    void OnAck(Peer peer, uint64_t next, uint64_t trigger, const Frame& frame, Out& out)
    {
        messaging::AckNews news{.now = out.Now(), .marked = HasFlag(frame, ECHO_FLAG)};
        if (m_window.Has(trigger) && m_window.Get(trigger).state != Window::ARRIVED)
        {
            const Window::Packet& packet = m_window.Get(trigger);
            news.roundTrip = packet.isRepeated ? 0 : news.now - packet.sent;
            m_paths.OnNews(packet.path, news.marked ? PathNews::MARKED : PathNews::GOOD, news.now);
        }
        const uint32_t count = Acknowledge(next, trigger, frame);
        m_window.Advance();
        news.bytes = count * m_config->pair.GetFullFrame();
        m_control.OnAck(news);
        if (news.marked)
        {
            out.Note(MARKED);
        }
        if (m_config->lossDistance > 0 && m_window.LoseOvertaken(m_config->lossDistance))
        {
            out.Note(LOSS);
            m_control.OnLoss(news.now);
        }
        if (m_state != InitiatorState::CLOSING)
        {
            End(messaging::Completion::DELIVERED, out);
        }
        else if (m_window.GetBegin() > m_close)
        {
            Close(peer, out);
        }
    }

    /**
     * Record what an ACK says. A guaranteed response is what a packet waits for, so that others do
     * not acknowledge it.
     * @param next PSN before which all packets have arrived
     * @param trigger PSN of the packet that is answered
     * @param frame the ACK
     * @return packets that are newly acknowledged
     */
    uint32_t Acknowledge(uint64_t next, uint64_t trigger, const Frame& frame)
    {
        if (m_config->IsGuaranteed() && m_state != InitiatorState::CLOSING)
        {
            return HasFlag(frame, RESPONSE_FLAG) && m_window.Acknowledge(trigger) ? 1 : 0;
        }
        uint32_t count = m_window.AcknowledgeBefore(next);
        count += m_window.Acknowledge(trigger) ? 1 : 0;
        return count + m_window.AcknowledgeSack(next, frame.words);
    }

    /**
     * Receive a NACK. One of a packet that is not in flight is ignored; what a code says that is
     * not listed here is left to the timer.
     * @param peer the peer
     * @param psn the packet; the one expected by ROD
     * @param code the code
     * @param out actions
     */
    template <class Out>
    void OnNack(Peer peer, uint64_t psn, NackCode code, Out& out)
    {
        if (!m_window.Has(psn) || m_window.Get(psn).state != Window::FLYING)
        {
            return;
        }
        switch (code)
        {
        case TRIMMED:
        case TRIMMED_LASTHOP:
            m_paths.OnNews(m_window.Get(psn).path, PathNews::NACKED, out.Now());
            [[fallthrough]];
        case ROD_OUT_OF_ORDER:
            Lose(psn);
            out.Note(LOSS);
            m_control.OnLoss(out.Now());
            break;
        case NO_RESOURCE:
            OnRefused(peer, out);
            break;
        case INVALID_DPDCID:
            OnUnknown(peer, out);
            break;
        default:
            break;
        }
    }

    /** The target has no context for the PDC: try again later. @param peer the peer @param out
     * actions */
    template <class Out>
    void OnRefused(Peer peer, Out& out)
    {
        if (m_state != InitiatorState::OPENING)
        {
            return;
        }
        m_window.LoseFrom(m_window.GetBegin());
        ++m_refusals;
        if (m_refusals > m_config->refusals)
        {
            Fail(peer, out);
            return;
        }
        m_isRefused = true;
        out.Arm(messaging::GetFlowTimer(peer, REFUSED), m_config->refusalDelay << (m_refusals - 1));
    }

    /** The target does not know the PDC: if it has been closed, an ACK of CLOSE was lost. @param
     * peer the peer @param out actions */
    template <class Out>
    void OnUnknown(Peer peer, Out& out)
    {
        if (m_state == InitiatorState::CLOSING)
        {
            Close(peer, out);
        }
        else if (m_state == InitiatorState::OPEN)
        {
            Fail(peer, out);
        }
    }

    /** End the messages whose packets have all arrived. @param completion how @param out actions */
    template <class Out>
    void End(messaging::Completion completion, Out& out)
    {
        while (const auto request = m_queue.TakeBefore(m_window.GetBegin() - m_shift))
        {
            out.Complete(request->id, completion);
        }
    }

    std::shared_ptr<const Config> m_config;         ///< Parameters.
    messaging::SequenceSpace m_numbers;             ///< PSNs in frames.
    Window m_window;                                ///< Packets that are not acknowledged.
    roce::MessageQueue m_queue;                     ///< Messages that are not acknowledged.
    messaging::CongestionChoice m_control;          ///< Congestion control.
    PathChoice m_paths;                             ///< Choice of paths.
    PacketTimers m_timers;                          ///< Timers of the packets.
    Pacer m_pacer;                                  ///< Pace of the packets.
    std::optional<uint16_t> m_path;                 ///< Path of the next packet.
    uint64_t m_start{0};                            ///< First PSN of the PDC.
    uint64_t m_shift{0};                            ///< Difference of PSNs and numbers of packets.
    uint64_t m_number{0};                           ///< Number of the first packet of the next PDC.
    uint64_t m_close{0};                            ///< PSN of CLOSE.
    uint32_t m_refusals{0};                         ///< NO_RESOURCE for this PDC.
    uint32_t m_waiting{0};                          ///< PDC numbers that must not be used yet.
    uint32_t m_demand{0};                           ///< Last demand for credit.
    uint32_t m_starvations{0};                      ///< Demands in a row without a grant.
    uint16_t m_nextPdc{0};                          ///< Next PDC number.
    uint16_t m_pdc{0};                              ///< PDC number.
    uint16_t m_target{0};                           ///< PDC number of the target.
    InitiatorState m_state{InitiatorState::CLOSED}; ///< State.
    bool m_isRefused{false};                        ///< Waits for the timer REFUSED.
    bool m_isIdleArmed{false};                      ///< The timer IDLE is armed.
    bool m_isUsed{false};                           ///< A packet was sent since it was armed.
    bool m_isStarvedArmed{false};                   ///< The timer STARVED is armed.
};

} // namespace uet
} // namespace ns3

#endif // UET_INITIATOR_H
