/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_CORE_EVENTS_H
#define MESSAGING_CORE_EVENTS_H

#include "ns3/messaging-core.h"
#include "ns3/messaging-group.h"
#include "ns3/messaging-text.h"
#include "ns3/messaging-work.h"
#include "ns3/traced-callback.h"

#include <string>

/**
 * @file
 * @ingroup messaging
 * Trace sources and log lines of a group, whatever its protocol.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * Base of groups that run protocol cores or sockets: traces and logs the events of each peer,
 * whatever its protocol.
 *
 * Messages are logged at level info; frames, timers, work and events of the protocol at level
 * logic. The log component of a group that a protocol has made is that of the protocol's class
 * (GetLog), such as `RoceIrnProtocol`; that of any other is `MessagingCores`, unless SetLog chooses
 * one. A log that is switched on during a run begins with the next message that is posted.
 */
class CoreEvents : public MessageGroup
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    CoreEvents();

    void SetLog(const LogComponent& log) override;

    /**
     * Name an event of the protocol.
     * @param reason the event
     * @return its name; its number unless overridden
     */
    virtual std::string DescribeReason(Reason reason) const;

    /**
     * Signature of the Post trace source.
     * @param self the peer that posts
     * @param request the message
     */
    typedef void (*PostTracedCallback)(Peer self, const Request& request);

    /**
     * Signature of the Decline trace source.
     * @param self the peer that posted
     * @param request the message
     * @param acceptance stalled or refused
     */
    typedef void (*DeclineTracedCallback)(Peer self, const Request& request, Acceptance acceptance);

    /**
     * Signature of the trace sources Send and Arrive.
     * @param self the peer whose core sends or receives
     * @param other the destination, NO_PEER for all, or the peer that sent
     * @param frame the frame
     */
    typedef void (*FrameTracedCallback)(Peer self, Peer other, const Frame& frame);

    /**
     * Signature of the TimerSet trace source.
     * @param self the peer
     * @param timer the core's number of the timer
     * @param delay time until it fires [ticks]
     */
    typedef void (*TimerSetTracedCallback)(Peer self, TimerId timer, Ticks delay);

    /**
     * Signature of the trace sources TimerCancel and TimerFire.
     * @param self the peer
     * @param timer the core's number of the timer
     */
    typedef void (*TimerTracedCallback)(Peer self, TimerId timer);

    /**
     * Signature of the WorkBegin trace source.
     * @param self the peer
     * @param work the work
     */
    typedef void (*WorkBeginTracedCallback)(Peer self, const Work& work);

    /**
     * Signature of the WorkEnd trace source.
     * @param self the peer
     * @param id the core's number of the work
     */
    typedef void (*WorkEndTracedCallback)(Peer self, WorkId id);

    /**
     * Signature of the Deliver trace source.
     * @param self the peer at which the message arrives
     * @param delivery the message
     */
    typedef void (*DeliverTracedCallback)(Peer self, const Delivery& delivery);

    /**
     * Signature of the Complete trace source.
     * @param self the peer that posted the message
     * @param id the request
     * @param completion the stage that it has reached
     */
    typedef void (*CompleteTracedCallback)(Peer self, RequestId id, Completion completion);

    /**
     * Signature of the Note trace source.
     * @param self the peer
     * @param event name of the event
     */
    typedef void (*NoteTracedCallback)(Peer self, const std::string& event);

    /**
     * Signature of the Path trace source.
     * @param self the peer
     * @param to the peer to which the path leads
     * @param path value of the path, Frame::path
     * @param state name of its new state
     */
    typedef void (*PathTracedCallback)(Peer self, Peer to, uint16_t path, const std::string& state);

  protected:
    /** @param self the peer @param request the message */
    void TracePost(Peer self, const Request& request) const
    {
        ReadLogLevel();
        if (IsFollowed(m_postTrace)) [[unlikely]]
        {
            EmitPost(self, request);
        }
    }

    /** @param self the peer @param request the message @param acceptance stalled or refused */
    void TraceDecline(Peer self, const Request& request, Acceptance acceptance) const
    {
        if (IsFollowed(m_declineTrace)) [[unlikely]]
        {
            EmitDecline(self, request, acceptance);
        }
    }

    /** @param self the sender @param to the destination @param frame the frame */
    void TraceSend(Peer self, Peer to, const Frame& frame) const
    {
        if (IsFollowed(m_sendTrace)) [[unlikely]]
        {
            EmitSend(self, to, frame);
        }
    }

    /** @param self the receiver @param from the sender @param frame the frame */
    void TraceArrive(Peer self, Peer from, const Frame& frame) const
    {
        if (IsFollowed(m_arriveTrace)) [[unlikely]]
        {
            EmitArrive(self, from, frame);
        }
    }

    /** @param self the peer @param timer the timer @param delay time until it fires [ticks] */
    void TraceTimerSet(Peer self, TimerId timer, Ticks delay) const
    {
        if (IsFollowed(m_timerSetTrace)) [[unlikely]]
        {
            EmitTimerSet(self, timer, delay);
        }
    }

    /** @param self the peer @param timer the timer */
    void TraceTimerCancel(Peer self, TimerId timer) const
    {
        if (IsFollowed(m_timerCancelTrace)) [[unlikely]]
        {
            EmitTimerCancel(self, timer);
        }
    }

    /** @param self the peer @param timer the timer */
    void TraceTimerFire(Peer self, TimerId timer) const
    {
        if (IsFollowed(m_timerFireTrace)) [[unlikely]]
        {
            EmitTimerFire(self, timer);
        }
    }

    /** @param self the peer @param work the work */
    void TraceWorkBegin(Peer self, const Work& work) const
    {
        if (IsFollowed(m_workBeginTrace)) [[unlikely]]
        {
            EmitWorkBegin(self, work);
        }
    }

    /** @param self the peer @param id the core's number of the work */
    void TraceWorkEnd(Peer self, WorkId id) const
    {
        if (IsFollowed(m_workEndTrace)) [[unlikely]]
        {
            EmitWorkEnd(self, id);
        }
    }

    /** @param self the receiver @param delivery the message */
    void TraceDeliver(Peer self, const Delivery& delivery) const
    {
        if (IsFollowed(m_deliverTrace)) [[unlikely]]
        {
            EmitDeliver(self, delivery);
        }
    }

    /** @param self the sender @param id the request @param completion the stage */
    void TraceComplete(Peer self, RequestId id, Completion completion) const
    {
        if (IsFollowed(m_completeTrace)) [[unlikely]]
        {
            EmitComplete(self, id, completion);
        }
    }

    /** @param self the peer @param reason the event */
    void TraceNote(Peer self, Reason reason) const
    {
        if (IsFollowed(m_noteTrace)) [[unlikely]]
        {
            EmitNote(self, reason);
        }
    }

    /** @param self the peer @param to the other end @param path the path @param state its state */
    void TracePath(Peer self, Peer to, uint16_t path, const char* state) const
    {
        if (IsFollowed(m_pathTrace)) [[unlikely]]
        {
            TellPath(self, to, path, state);
        }
    }

  private:
    /**
     * Check whether an event is traced or logged, without a call where it is not.
     * @tparam Args parameters of the trace source
     * @param trace the event's trace source
     * @return true if it is connected, or the log is on
     */
    template <class... Args>
    bool IsFollowed(const TracedCallback<Args...>& trace) const
    {
        return m_logs || !trace.IsEmpty();
    }

    /** Read whether the log is on, once for each message. */
    void ReadLogLevel() const;

    /** @param self the peer @param request the message */
    void EmitPost(Peer self, const Request& request) const;

    /** @param self the peer @param request the message @param acceptance stalled or refused */
    void EmitDecline(Peer self, const Request& request, Acceptance acceptance) const;

    /** @param self the sender @param to the destination @param frame the frame */
    void EmitSend(Peer self, Peer to, const Frame& frame) const;

    /** @param self the receiver @param from the sender @param frame the frame */
    void EmitArrive(Peer self, Peer from, const Frame& frame) const;

    /** @param self the peer @param timer the timer @param delay time until it fires [ticks] */
    void EmitTimerSet(Peer self, TimerId timer, Ticks delay) const;

    /** @param self the peer @param timer the timer */
    void EmitTimerCancel(Peer self, TimerId timer) const;

    /** @param self the peer @param timer the timer */
    void EmitTimerFire(Peer self, TimerId timer) const;

    /** @param self the peer @param work the work */
    void EmitWorkBegin(Peer self, const Work& work) const;

    /** @param self the peer @param id the core's number of the work */
    void EmitWorkEnd(Peer self, WorkId id) const;

    /** @param self the receiver @param delivery the message */
    void EmitDeliver(Peer self, const Delivery& delivery) const;

    /** @param self the sender @param id the request @param completion the stage */
    void EmitComplete(Peer self, RequestId id, Completion completion) const;

    /** @param self the peer @param reason the event */
    void EmitNote(Peer self, Reason reason) const;

    /** @param self the peer @param to the other end @param path the path @param state its state */
    void TellPath(Peer self, Peer to, uint16_t path, const char* state) const;

    TracedCallback<Peer, const Request&> m_postTrace;                ///< A message is posted.
    TracedCallback<Peer, const Request&, Acceptance> m_declineTrace; ///< It is not accepted.
    TracedCallback<Peer, Peer, const Frame&> m_sendTrace;            ///< A frame is sent.
    TracedCallback<Peer, Peer, const Frame&> m_arriveTrace;          ///< A frame arrives.
    TracedCallback<Peer, TimerId, Ticks> m_timerSetTrace;            ///< A timer is set.
    TracedCallback<Peer, TimerId> m_timerCancelTrace;                ///< A timer is cancelled.
    TracedCallback<Peer, TimerId> m_timerFireTrace;                  ///< A timer fires.
    TracedCallback<Peer, const Work&> m_workBeginTrace;              ///< Work is requested.
    TracedCallback<Peer, WorkId> m_workEndTrace;                     ///< Work has ended.
    TracedCallback<Peer, const Delivery&> m_deliverTrace;            ///< A message is delivered.
    TracedCallback<Peer, RequestId, Completion> m_completeTrace;     ///< A message reaches a stage.
    TracedCallback<Peer, const std::string&> m_noteTrace;            ///< An event of the protocol.
    /** A path changes its state. */
    TracedCallback<Peer, Peer, uint16_t, const std::string&> m_pathTrace;
    const LogComponent* m_log;  ///< Log component of all events.
    mutable bool m_logs{false}; ///< Whether the log is on, as of the last message.
};

/**
 * @ingroup messaging
 * Base of groups whose events have printable names.
 *
 * @tparam Event the protocol's printable events, each a Reason
 * @tparam Base the group's other base, a CoreEvents
 */
template <class Event, class Base = CoreEvents>
class NamedEvents : public Base
{
  public:
    std::string DescribeReason(Reason reason) const override
    {
        return ToText(static_cast<Event>(reason));
    }
};

/**
 * @ingroup messaging
 * Base of groups whose frames are labelled by their kind and the number in their id.
 *
 * @tparam Kind the protocol's printable kinds
 * @tparam MASK bits of the number in Frame::id
 * @tparam Base the group's other base, a CoreEvents
 */
template <class Kind, uint64_t MASK = ~uint64_t{0}, class Base = CoreEvents>
class LabelledGroup : public Base
{
  public:
    std::string DescribeFrame(const Frame& frame) const override
    {
        return ToText(static_cast<Kind>(frame.kind), ' ', frame.id & MASK);
    }
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_CORE_EVENTS_H
