/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_CORE_H
#define PCODE_CORE_H

#include "pcode-config.h"
#include "pcode-counters.h"
#include "pcode-direct.h"
#include "pcode-frames.h"
#include "pcode-program.h"

#include "ns3/messaging-core.h"

#include <vector>

/**
 * @file
 * @ingroup pcode
 * P1 and PCODE (paper 3, sections 4 and 5).
 */

namespace ns3
{
namespace pcode
{

/**
 * One processor of P1 or, with the additions of PcodeConfig switched on, of PCODE.
 *
 * Of P1, section 4 says that messages are discarded at the sender after it has been verified that
 * their targets have handled them, and that a STATUS mechanism tells when; its pseudocode is in a
 * report that is not at hand. This is one that an exhaustive search finds to be sound:
 * @verbatim
   multicast (m, T):   while the buffer of sent messages is full
                         broadcast POLL; set the poll timer;
                       communicate (m, T);                                        Figure 4
   POLL from p:        broadcast STATUS, which has pcv;
   STATUS from q:      acked[q] = max (acked[q], STATUS.pcv[myid]);
                       discard the messages that all others have acknowledged;
                       resend those above STATUS.pcv[myid];
   poll timer:         as long as the multicast waits, as above;
   NACK from q:        acked[q] = max (acked[q], NACK.LastRcvd);
                       resend those above LastRcvd;                               Figure 3
   everything else as in P0.
   @endverbatim
 * "All others", where section 4 has "all the processors in the target set": a processor outside of
 * it counts messages too, and one that has missed a message would ask for it for ever
 * (DiscardRule). A multicast returns when its message is in the buffer.
 *
 * The layer above may tell that its program has ended (END_CALL). POLL and STATUS say so from then
 * on, and the call returns when all programs are known to have ended: until then somebody may still
 * need a message or a STATUS of this processor.
 *
 * What section 5 adds is marked in the members and in PcodeConfig.
 */
class PcodeCore
{
  public:
    /**
     * Constructor.
     * @param config parameters, which must outlive the core
     * @param self the processor
     */
    PcodeCore(const PcodeConfig& config, messaging::Peer self);

    /**
     * The layer above issues a call (see GlobalProgram).
     * @param call the call
     * @param out what is to be done
     * @return accepted, stalled while another call is open, or refused
     */
    template <class Out>
    messaging::Acceptance OnRequest(const messaging::Request& call, Out& out);

    /**
     * A frame has arrived.
     * @param from its sender
     * @param frame the frame
     * @param out what is to be done
     */
    template <class Out>
    void OnFrame(messaging::Peer from, const messaging::Frame& frame, Out& out);

    /**
     * A timer has fired.
     * @param timer which
     * @param out what is to be done
     */
    template <class Out>
    void OnTimer(messaging::TimerId timer, Out& out);

    /** This protocol asks for no work. @param out what is to be done */
    template <class Out>
    void OnDone(messaging::WorkId, Out& out)
    {
        Note(Event::ILLEGAL, out);
    }

    /** A frame that found the port busy is lost. */
    template <class Out>
    void OnReady(Out&)
    {
    }

    /** @return whether a call would be accepted. */
    bool CanAccept() const
    {
        return m_open == CallKind::SKIP && !m_ended[m_self];
    }

    /** @return whether its program has ended. */
    bool HasEnded() const
    {
        return m_ended[m_self] != 0;
    }

    /** @return whether everybody has acknowledged all messages of this processor. */
    bool IsServed() const
    {
        return m_direct.IsServed() && GetLowestAck() == m_pcv[m_self];
    }

    /**
     * Put the canonical form of the state. Contents follow from the program.
     * @param e where to
     */
    void Encode(messaging::Encoder& e) const;

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const PcodeCore&) const = default;

    /**
     * Get an entry of the personal counter vector.
     * @param q a processor
     * @return pcv[q]
     */
    uint32_t GetPcv(messaging::Peer q) const
    {
        return m_pcv[q];
    }

    /** @return the GlobalCounter and what belongs to it. */
    const GlobalCounters& GetCounters() const
    {
        return m_counters;
    }

    /** @return messages in the buffer of sent messages. */
    std::size_t GetNSent() const
    {
        return m_sent.size();
    }

    /** @return messages in the buffer of early messages. */
    std::size_t GetNEarly() const
    {
        return m_early.size();
    }

    /**
     * Get the messages of a source that wait for their requests.
     * @param q the source
     * @return their number
     */
    std::size_t GetNReady(messaging::Peer q) const
    {
        return m_ready[q].size();
    }

    /** Kinds of timers; a timer's name is its kind and a number. */
    enum class Timer : uint8_t
    {
        REQUEST = 1, ///< NACK for the open request.
        PERSONAL,    ///< NACK for a gap in a source's PersonalCounts; by source.
        GLOBAL,      ///< NACK for a gap in the GlobalCounters.
        POLL,        ///< POLL for the multicast that waits.
        HOLD,        ///< End of a message's HoldOff; by PersonalCount, 0 for STATUS.
        DIRECT       ///< Resends point-to-point messages; by target.
    };

    /**
     * Name a timer.
     * @param kind its kind
     * @param number its number
     * @return its name
     */
    static constexpr messaging::TimerId MakeTimer(Timer kind, uint32_t number = 0)
    {
        return static_cast<uint64_t>(kind) << 32 | number;
    }

  private:
    /** Whether a message was sent a moment ago, within holdOff. */
    enum class Moment : uint8_t
    {
        PAST,  ///< It was not; it is resent when it is asked for.
        FIRST, ///< For the first time; it is resent if a later one has come without it.
        AGAIN  ///< Again; it is not resent.
    };

    /** A message in the buffer of sent messages. */
    struct Sent
    {
        Message m;                   ///< The message.
        Moment moment{Moment::PAST}; ///< When it was sent.

        /** Equality of every field. @return True if all fields are equal. */
        bool operator==(const Sent&) const = default;
    };

    /** A message in the buffer of early messages (section 5.4). */
    struct Early
    {
        messaging::Peer source{0}; ///< Its sender.
        Message m;                 ///< The message.

        /** Equality of every field. @return True if all fields are equal. */
        bool operator==(const Early&) const = default;
    };

    /** Tell of an event. @param event the event @param out who is told */
    template <class Out>
    static void Note(Event event, Out& out)
    {
        out.Note(static_cast<messaging::Reason>(event));
    }

    /**
     * Send a frame.
     * @param to the receiver, or NO_PEER
     * @param frame the frame
     * @param event what this is
     * @param out who does it
     */
    template <class Out>
    static void Send(messaging::Peer to, const messaging::Frame& frame, Event event, Out& out)
    {
        Note(out.Send(to, frame) ? event : Event::PORT_BUSY, out);
    }

    /**
     * Look whether a target set's messages are sent point to point (section 5.6).
     * @param group its number
     * @return true if they are
     */
    bool IsDirect(uint32_t group) const
    {
        return m_config->directMessages && m_config->groups->GetSize(group) == 1;
    }

    // Calls.

    /** Issue the open multicast, if nothing keeps it. @param first it is new @param out host */
    template <class Out>
    void TryMulticast(bool first, Out& out);

    /** Figure 4, and the GlobalCounter. @param out host */
    template <class Out>
    void Communicate(Out& out);

    /** Deliver what the open request asks for, if it is there. @param out host @return if so */
    template <class Out>
    bool TryDeliver(Out& out);

    /** Hear whether a program has ended. @param from whose @param frame tells @param out host */
    template <class Out>
    void TakeEnded(messaging::Peer from, const messaging::Frame& frame, Out& out);

    /** Look whether everybody has ended, or ask again. @param out host */
    template <class Out>
    void TryEnd(Out& out);

    /** The open call returns. @param completion how @param out host */
    template <class Out>
    void Return(messaging::Completion completion, Out& out);

    // Messages.

    /** A REGULAR message. @param q its sender @param m the message @param out host */
    template <class Out>
    void OnRegular(messaging::Peer q, const Message& m, Out& out);

    /**
     * A point-to-point message.
     * @param q its sender
     * @param m the message
     * @param more whether others wait behind it
     * @param out host
     */
    template <class Out>
    void OnDirect(messaging::Peer q, const Message& m, bool more, Out& out);

    /** Accept the next message of a source. @param q the source @param m it @param out host */
    template <class Out>
    void Accept(messaging::Peer q, const Message& m, Out& out);

    /**
     * Go past the messages of a source that it does not keep any more (DiscardRule).
     * @param q the source
     * @param m a message of it, with its mark
     * @param out host
     */
    template <class Out>
    void Skip(messaging::Peer q, const Message& m, Out& out);

    /** Keep a message that cannot be accepted (5.4). @param q source @param m it @param out host */
    template <class Out>
    void KeepEarly(messaging::Peer q, const Message& m, Out& out);

    /** Accept what can be of the early messages. @param q their source @param out host */
    template <class Out>
    void TakeEarly(messaging::Peer q, Out& out);

    /**
     * Look for an early message.
     * @param q its source
     * @param personal its PersonalCount
     * @return its place, or the end
     */
    std::vector<Early>::iterator FindEarly(messaging::Peer q, uint32_t personal);

    // Counters.

    /**
     * A GlobalCounter has arrived (5.2, 5.5).
     * @param q who has sent it
     * @param counter its value
     * @param original whether it came with a message that was not resent
     * @param out what is to be done
     */
    template <class Out>
    void TakeCounter(messaging::Peer q, uint32_t counter, bool original, Out& out);

    /** The GlobalCounter or gcv may have changed (5.2, 5.5). @param out host */
    template <class Out>
    void AfterCounter(Out& out);

    // Loss and its detection.

    /**
     * Look for a gap in a source's PersonalCounts (section 5.3).
     * @param q the source
     * @return true if a later message has come, and the next one is missing though there is room
     */
    bool HasPersonalGap(messaging::Peer q) const;

    /**
     * Look for a gap in the GlobalCounters (section 5.3).
     * @return the last counter of the gap that begins above the own one; the own one if there is
     * none
     */
    uint32_t GetGlobalGap() const;

    /** Set or stop the timers of both kinds of gap. @param q whose message came @param out host */
    template <class Out>
    void CheckGaps(messaging::Peer q, Out& out);

    /** Ask a source for what is missing. @param q it @param event why @param out host */
    template <class Out>
    void SendNack(messaging::Peer q, Event event, Out& out);

    /** A NACK has come. @param from its sender @param frame it @param out host */
    template <class Out>
    void OnNack(messaging::Peer from, const messaging::Frame& frame, Out& out);

    /**
     * Resend messages, except those that were sent a moment ago.
     * @param wanted given a Message, whether it is wanted
     * @param isLost whether the one who asks has seen a later message of this processor
     * @param out host
     */
    template <class Wanted, class Out>
    void Resend(Wanted&& wanted, bool isLost, Out& out);

    // STATUS.

    /** Set the timer of a multicast that waits. @param ask for STATUS, too @param out host */
    template <class Out>
    void Poll(bool ask, Out& out);

    /** Broadcast a STATUS. @param event why @param out host */
    template <class Out>
    void SendStatus(Event event, Out& out);

    /** A STATUS has come. @param from its sender @param frame it @param out host */
    template <class Out>
    void OnStatus(messaging::Peer from, const messaging::Frame& frame, Out& out);

    /** A processor has accepted messages. @param q it @param count up to this @param out host */
    template <class Out>
    void TakeAck(messaging::Peer q, uint32_t count, Out& out);

    /** @return the PersonalCount that everybody else has acknowledged. */
    uint32_t GetLowestAck() const;

    /**
     * Look whether a sent message can be discarded.
     * @param m the message
     * @return true if it can
     */
    bool IsAcknowledged(const Message& m) const;

    const PcodeConfig* m_config;               ///< Shared by all processors.
    std::vector<uint32_t> m_pcv;               ///< pcv of section 3.
    std::vector<uint32_t> m_known;             ///< Highest PersonalCount seen of each source.
    std::vector<uint32_t> m_acked;             ///< Own messages that each other one has.
    std::vector<std::vector<Message>> m_ready; ///< Input slots, by source.
    std::vector<uint8_t> m_ended;              ///< Programs known to have ended, by processor.
    std::vector<uint8_t> m_gapTimer;           ///< The PERSONAL timer is set, by source.
    std::vector<Sent> m_sent;                  ///< Buffer of sent messages, in order.
    std::vector<Early> m_early;                ///< Buffer of early messages.
    GlobalCounters m_counters;                 ///< Sections 5.1 and 5.2.
    DirectMessages m_direct;                   ///< Section 5.6.
    messaging::Request m_call;                 ///< The open call.
    messaging::Peer m_self;                    ///< myid.
    uint32_t m_topGlobal{0};                   ///< Highest original GlobalCounter seen.
    uint32_t m_lastStatus{0};                  ///< GlobalCounter of the last STATUS.
    uint64_t m_lastVector{0};                  ///< pcv of the last STATUS.
    uint32_t m_waits{0};                       ///< Times that the open multicast has waited.
    CallKind m_open{CallKind::SKIP};           ///< Form of the open call; SKIP if none is.
    bool m_polling{false};                     ///< The POLL timer is set.
    bool m_globalTimer{false};                 ///< The GLOBAL timer is set.
    bool m_wide{false};                        ///< The spread of gcv exceeds FLOW_WINDOW.
    bool m_ending{false};                      ///< END_CALL is open.
    bool m_gone{false};                        ///< It has ended and does not linger.
    bool m_statusFresh{false};                 ///< A STATUS has been sent within HoldOff.
};

} // namespace pcode
} // namespace ns3

#include "pcode-core-impl.h"

#endif // PCODE_CORE_H
