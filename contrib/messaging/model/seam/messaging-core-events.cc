/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-core-events.h"

#include "ns3/messaging-text.h"
#include "ns3/trace-source-accessor.h"

namespace ns3
{
namespace messaging
{

NS_LOG_COMPONENT_DEFINE("MessagingCores");

NS_OBJECT_ENSURE_REGISTERED(CoreEvents);

namespace
{

/** @param to a destination @return its name in a log line */
std::string
NameDestination(Peer to)
{
    return to == NO_PEER ? "all others" : ToText("peer ", to);
}

} // namespace

CoreEvents::CoreEvents()
    : m_log(&g_log)
{
}

TypeId
CoreEvents::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::messaging::CoreEvents")
            .SetParent<MessageGroup>()
            .SetGroupName("Messaging")
            .AddTraceSource("Post",
                            "A message is posted: peer, request.",
                            MakeTraceSourceAccessor(&CoreEvents::m_postTrace),
                            "ns3::messaging::CoreEvents::PostTracedCallback")
            .AddTraceSource("Decline",
                            "A core does not accept a message: peer, request, stalled or refused.",
                            MakeTraceSourceAccessor(&CoreEvents::m_declineTrace),
                            "ns3::messaging::CoreEvents::DeclineTracedCallback")
            .AddTraceSource("Send",
                            "The port has taken a frame: sender, destination, frame.",
                            MakeTraceSourceAccessor(&CoreEvents::m_sendTrace),
                            "ns3::messaging::CoreEvents::FrameTracedCallback")
            .AddTraceSource("Arrive",
                            "A core gets a frame: receiver, sender, frame.",
                            MakeTraceSourceAccessor(&CoreEvents::m_arriveTrace),
                            "ns3::messaging::CoreEvents::FrameTracedCallback")
            .AddTraceSource("TimerSet",
                            "A core sets a timer: peer, timer, delay in ticks.",
                            MakeTraceSourceAccessor(&CoreEvents::m_timerSetTrace),
                            "ns3::messaging::CoreEvents::TimerSetTracedCallback")
            .AddTraceSource("TimerCancel",
                            "A core cancels a timer: peer, timer.",
                            MakeTraceSourceAccessor(&CoreEvents::m_timerCancelTrace),
                            "ns3::messaging::CoreEvents::TimerTracedCallback")
            .AddTraceSource("TimerFire",
                            "A core gets a timer, which may be one that it has cancelled: peer, "
                            "timer.",
                            MakeTraceSourceAccessor(&CoreEvents::m_timerFireTrace),
                            "ns3::messaging::CoreEvents::TimerTracedCallback")
            .AddTraceSource("WorkBegin",
                            "A core requests work of its host: peer, work.",
                            MakeTraceSourceAccessor(&CoreEvents::m_workBeginTrace),
                            "ns3::messaging::CoreEvents::WorkBeginTracedCallback")
            .AddTraceSource("WorkEnd",
                            "The work has ended: peer, number of the work.",
                            MakeTraceSourceAccessor(&CoreEvents::m_workEndTrace),
                            "ns3::messaging::CoreEvents::WorkEndTracedCallback")
            .AddTraceSource("Deliver",
                            "A core delivers a message: receiver, message.",
                            MakeTraceSourceAccessor(&CoreEvents::m_deliverTrace),
                            "ns3::messaging::CoreEvents::DeliverTracedCallback")
            .AddTraceSource("Complete",
                            "A posted message reaches a stage: sender, request, stage.",
                            MakeTraceSourceAccessor(&CoreEvents::m_completeTrace),
                            "ns3::messaging::CoreEvents::CompleteTracedCallback")
            .AddTraceSource("Note",
                            "An event of the protocol: peer, name of the event.",
                            MakeTraceSourceAccessor(&CoreEvents::m_noteTrace),
                            "ns3::messaging::CoreEvents::NoteTracedCallback")
            .AddTraceSource("Path",
                            "A path to a peer changes its state: peer, other end, path, state.",
                            MakeTraceSourceAccessor(&CoreEvents::m_pathTrace),
                            "ns3::messaging::CoreEvents::PathTracedCallback");
    return tid;
}

void
CoreEvents::SetLog(const LogComponent& log)
{
    m_log = &log;
    ReadLogLevel();
}

void
CoreEvents::ReadLogLevel() const
{
    m_logs = !m_log->IsNoneEnabled();
}

std::string
CoreEvents::DescribeReason(Reason reason) const
{
    return ToText("event ", +reason);
}

void
CoreEvents::EmitPost(Peer self, const Request& request) const
{
    [[maybe_unused]] const LogComponent& g_log = *m_log;
    NS_LOG_INFO("Peer " << self << " posts message " << request.id << " of " << request.bytes
                        << " bytes to " << NameDestination(request.to));
    m_postTrace(self, request);
}

void
CoreEvents::EmitDecline(Peer self, const Request& request, Acceptance acceptance) const
{
    [[maybe_unused]] const LogComponent& g_log = *m_log;
    NS_LOG_INFO("Message " << request.id << " of peer " << self << " is " << acceptance);
    m_declineTrace(self, request, acceptance);
}

void
CoreEvents::EmitSend(Peer self, Peer to, const Frame& frame) const
{
    [[maybe_unused]] const LogComponent& g_log = *m_log;
    NS_LOG_LOGIC("Peer " << self << " sends " << DescribeFrame(frame) << " of "
                         << frame.header + frame.payload << " bytes to " << NameDestination(to));
    m_sendTrace(self, to, frame);
}

void
CoreEvents::EmitArrive(Peer self, Peer from, const Frame& frame) const
{
    [[maybe_unused]] const LogComponent& g_log = *m_log;
    NS_LOG_LOGIC("Peer " << self << " gets " << DescribeFrame(frame) << " from peer " << from);
    m_arriveTrace(self, from, frame);
}

void
CoreEvents::EmitTimerSet(Peer self, TimerId timer, Ticks delay) const
{
    [[maybe_unused]] const LogComponent& g_log = *m_log;
    NS_LOG_LOGIC("Peer " << self << " sets timer " << timer << " to fire in " << delay << " ticks");
    m_timerSetTrace(self, timer, delay);
}

void
CoreEvents::EmitTimerCancel(Peer self, TimerId timer) const
{
    [[maybe_unused]] const LogComponent& g_log = *m_log;
    NS_LOG_LOGIC("Peer " << self << " cancels timer " << timer);
    m_timerCancelTrace(self, timer);
}

void
CoreEvents::EmitTimerFire(Peer self, TimerId timer) const
{
    [[maybe_unused]] const LogComponent& g_log = *m_log;
    NS_LOG_LOGIC("Timer " << timer << " of peer " << self << " fires");
    m_timerFireTrace(self, timer);
}

void
CoreEvents::EmitWorkBegin(Peer self, const Work& work) const
{
    [[maybe_unused]] const LogComponent& g_log = *m_log;
    NS_LOG_LOGIC("Peer " << self << " begins work " << work.id << ": " << work.kind << ", amount "
                         << work.amount);
    m_workBeginTrace(self, work);
}

void
CoreEvents::EmitWorkEnd(Peer self, WorkId id) const
{
    [[maybe_unused]] const LogComponent& g_log = *m_log;
    NS_LOG_LOGIC("Work " << id << " of peer " << self << " ends");
    m_workEndTrace(self, id);
}

void
CoreEvents::EmitDeliver(Peer self, const Delivery& delivery) const
{
    [[maybe_unused]] const LogComponent& g_log = *m_log;
    NS_LOG_INFO("Peer " << self << " delivers message " << delivery.id << " of " << delivery.bytes
                        << " bytes from peer " << delivery.from);
    m_deliverTrace(self, delivery);
}

void
CoreEvents::EmitComplete(Peer self, RequestId id, Completion completion) const
{
    [[maybe_unused]] const LogComponent& g_log = *m_log;
    NS_LOG_INFO("Message " << id << " of peer " << self << " is " << completion);
    m_completeTrace(self, id, completion);
}

void
CoreEvents::EmitNote(Peer self, Reason reason) const
{
    [[maybe_unused]] const LogComponent& g_log = *m_log;
    NS_LOG_LOGIC("Peer " << self << " notes " << DescribeReason(reason));
    if (!m_noteTrace.IsEmpty()) [[unlikely]]
    {
        m_noteTrace(self, DescribeReason(reason));
    }
}

void
CoreEvents::TellPath(Peer self, Peer to, uint16_t path, const char* state) const
{
    [[maybe_unused]] const LogComponent& g_log = *m_log;
    NS_LOG_LOGIC("Path " << path << " of peer " << self << " to peer " << to << " is " << state);
    if (!m_pathTrace.IsEmpty()) [[unlikely]]
    {
        m_pathTrace(self, to, path, state);
    }
}

} // namespace messaging
} // namespace ns3
