/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "idempotent-replayer.h"

#include "ns3/abort.h"
#include "ns3/idempotent-config.h"
#include "ns3/log.h"
#include "ns3/messaging-attributes.h"
#include "ns3/trace-source-accessor.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ns3
{
namespace idempotent
{

NS_LOG_COMPONENT_DEFINE("IdempotentTraceReplayer");
NS_OBJECT_ENSURE_REGISTERED(TraceReplayer);

using messaging::Acceptance;
using messaging::Completion;
using messaging::Peer;
using messaging::Ticks;

namespace
{

/** Deliveries between two reports of progress. */
constexpr uint64_t PROGRESS_INTERVAL = 4096;

/** Datum of the event that checks the limits; above any message number of a block. */
constexpr uint64_t WATCH = ~uint64_t{0};

/** Ticks between two checks of the limits. */
constexpr Ticks WATCH_INTERVAL = 1000;

/**
 * Get the options of a message.
 * @param kind purpose of the message
 * @return flags of its request
 */
uint8_t
FlagsOf(MessageKind kind)
{
    if (IsReply(kind))
    {
        return IS_REPLY;
    }
    if (kind == MessageKind::LOAD || kind == MessageKind::STORE)
    {
        return AWAITS_REPLY;
    }
    return 0;
}

} // namespace

std::ostream&
operator<<(std::ostream& os, ReplayState state)
{
    constexpr std::array NAMES{"running", "finished", "livelock", "refused"};
    return os << NAMES[static_cast<std::size_t>(state)];
}

TypeId
TraceReplayer::GetTypeId()
{
    static TypeId tid = [] {
        using R = TraceReplayer;
        TypeId type = TypeId("ns3::idempotent::TraceReplayer")
                          .SetParent<Object>()
                          .SetGroupName("Idempotent")
                          .AddConstructor<R>();
        messaging::Attributes<R>(type)
            .AddAttribute("MaxCycles",
                          "Maximum duration of a run, after which it counts as livelocked; 0 for "
                          "no limit [cycles; default].",
                          &R::m_maxCycles,
                          2000000)
            .AddAttribute("MaxIdle",
                          "Maximum time without a delivery while messages are in flight, after "
                          "which the run counts as livelocked; 0 for no limit [cycles; default].",
                          &R::m_maxIdle,
                          500000)
            .AddAttribute("ClockRatio",
                          "Clock rate of the network relative to that of the processors; 1.6 in "
                          "Table 2b [ratio; section 4.5].",
                          &R::m_clockRatio,
                          1,
                          0.01,
                          100);
        const auto source = [&type](const char* name, const char* help, auto member) {
            type.AddTraceSource(name,
                                help,
                                MakeTraceSourceAccessor(member),
                                "ns3::idempotent::TraceReplayer::IndexTracedCallback");
        };
        source("Activated", "A block has been activated.", &R::m_activatedTrace);
        source("Posted", "The group has accepted a message.", &R::m_postedTrace);
        source("Delivered", "A message has been delivered.", &R::m_deliveredTrace);
        source("Completed", "A message has ended at its sender.", &R::m_completedTrace);
        return type;
    }();
    return tid;
}

void
TraceReplayer::DoDispose()
{
    if (m_group)
    {
        m_group->SetUser(nullptr);
    }
    if (m_clock)
    {
        m_clock->Unregister(m_user);
    }
    m_group = nullptr;
    m_clock = nullptr;
    m_progress = nullptr;
    m_ended = nullptr;
    Object::DoDispose();
}

void
TraceReplayer::Start(const Trace& trace,
                     Ptr<messaging::MessageGroup> group,
                     Ptr<messaging::TickClock> clock)
{
    NS_ABORT_MSG_IF(m_trace, "A replayer replays one trace.");
    NS_ABORT_MSG_IF(group->GetNPeers() < trace.nodes,
                    "The trace has " << trace.nodes << " nodes and the group " << group->GetNPeers()
                                     << " peers.");
    NS_LOG_INFO("Replays " << trace.blocks.size() << " blocks on " << trace.nodes << " nodes, with "
                           << trace.GetNetworkMessages() << " messages over the network");
    m_trace = &trace;
    m_group = group;
    m_clock = clock;
    m_user = clock->Register(this);
    group->SetUser(this);
    m_messages = trace.GetNetworkMessages();
    m_blocksLeft = trace.blocks.size();
    m_nodes.resize(trace.nodes);
    for (const TraceBlock& block : trace.blocks)
    {
        m_signals.push_back(block.signals);
    }
    for (uint32_t block = 0; block < trace.blocks.size(); ++block)
    {
        if (trace.blocks[block].signals == 0)
        {
            Activate(block);
        }
    }
    // A trace without messages may end here, without a tick or delivery afterwards.
    CheckEnd();
    if (m_state == ReplayState::RUNNING && (m_maxCycles > 0 || m_maxIdle > 0))
    {
        clock->At(clock->Now() + WATCH_INTERVAL, m_user, 0, WATCH);
    }
}

std::size_t
TraceReplayer::GetMemory() const
{
    return m_signals.capacity() * sizeof(uint32_t) + m_nodes.capacity() * sizeof(NodeState) +
           m_stalled.capacity() * sizeof(Stalled);
}

Ticks
TraceReplayer::Scale(uint32_t cycles) const
{
    if (m_clockRatio == 1)
    {
        return cycles;
    }
    return static_cast<Ticks>(std::llround(cycles * m_clockRatio));
}

void
TraceReplayer::Activate(uint32_t block)
{
    NS_LOG_LOGIC("Node " << m_trace->blocks[block].node << " begins block " << block);
    m_activatedTrace(block);
    const uint32_t first = m_trace->blocks[block].first;
    if (first == m_trace->blocks[block].end)
    {
        --m_blocksLeft;
        m_runTime = std::max(m_runTime, m_clock->Now() + Scale(m_trace->blocks[block].duration));
        return;
    }
    Place(block, first, Scale(m_trace->messages[first].offset));
}

void
TraceReplayer::Place(uint32_t block, uint32_t message, Ticks delay)
{
    m_clock->At(m_clock->Now() + delay,
                m_user,
                m_trace->blocks[block].node,
                (uint64_t{message} << 32) | block);
}

void
TraceReplayer::Signal(uint32_t block)
{
    if (block != NO_INDEX && --m_signals[block] == 0)
    {
        Activate(block);
    }
}

void
TraceReplayer::OnTick(Peer peer, uint64_t datum)
{
    if (m_state != ReplayState::RUNNING)
    {
        return;
    }
    if (datum == WATCH)
    {
        Watch();
        return;
    }
    const auto block = static_cast<uint32_t>(datum);
    auto message = static_cast<uint32_t>(datum >> 32);
    const bool isLocal = m_trace->messages[message].destination == peer;
    if ((!isLocal && m_nodes[peer].first != NO_INDEX) || !PostFrom(block, message))
    {
        ++m_stalls;
        Enqueue(peer, block, message);
    }
    CheckEnd();
}

bool
TraceReplayer::PostFrom(uint32_t block, uint32_t& message)
{
    const TraceBlock& sender = m_trace->blocks[block];
    while (true)
    {
        const TraceMessage& own = m_trace->messages[message];
        if (own.destination == sender.node)
        {
            m_runTime = std::max(m_runTime, m_clock->Now());
            Signal(own.target);
        }
        else
        {
            messaging::Request request;
            request.id = message;
            request.contents = message;
            request.to = own.destination;
            request.bytes = own.bytes;
            request.tag = message;
            request.flags = FlagsOf(own.kind);
            const Acceptance acceptance = m_group->Post(sender.node, request);
            if (acceptance == Acceptance::STALLED)
            {
                NS_LOG_LOGIC("Node " << sender.node << " stalls before message " << message
                                     << " to " << own.destination);
                return false;
            }
            if (acceptance == Acceptance::REFUSED)
            {
                m_refused = message;
                End(ReplayState::REFUSED);
                return true;
            }
            NS_LOG_LOGIC("Node " << sender.node << " posts message " << message << " of "
                                 << own.bytes << " bytes to " << own.destination);
            m_postedTrace(message);
            if (m_posted++ == m_delivered)
            {
                m_lastDelivery = m_clock->Now();
            }
        }
        if (++message == sender.end)
        {
            --m_blocksLeft;
            const Ticks rest = Scale(sender.duration) - Scale(own.offset);
            m_runTime = std::max(m_runTime, m_clock->Now() + rest);
            return true;
        }
        const Ticks delay = Scale(m_trace->messages[message].offset) - Scale(own.offset);
        if (delay > 0)
        {
            Place(block, message, delay);
            return true;
        }
    }
}

void
TraceReplayer::Enqueue(uint32_t node, uint32_t block, uint32_t message)
{
    uint32_t at = m_free;
    if (at == NO_INDEX)
    {
        at = static_cast<uint32_t>(m_stalled.size());
        m_stalled.emplace_back();
    }
    else
    {
        m_free = m_stalled[at].next;
    }
    m_stalled[at] = Stalled{message, block, NO_INDEX};
    auto& list = m_nodes[node];
    if (list.first == NO_INDEX)
    {
        list.first = at;
    }
    else
    {
        m_stalled[list.last].next = at;
    }
    list.last = at;
}

void
TraceReplayer::OnReady(Peer self)
{
    if (m_state != ReplayState::RUNNING)
    {
        return;
    }
    auto& list = m_nodes[self];
    while (list.first != NO_INDEX)
    {
        const uint32_t at = list.first;
        const uint32_t block = m_stalled[at].block;
        uint32_t message = m_stalled[at].message;
        if (!PostFrom(block, message))
        {
            m_stalled[at].message = message;
            break;
        }
        list.first = m_stalled[at].next;
        m_stalled[at].next = m_free;
        m_free = at;
    }
    CheckEnd();
}

void
TraceReplayer::OnDeliver(Peer, const messaging::Delivery& delivery)
{
    if (m_state != ReplayState::RUNNING)
    {
        return;
    }
    ++m_delivered;
    m_lastDelivery = m_clock->Now();
    m_runTime = std::max(m_runTime, m_lastDelivery);
    NS_LOG_LOGIC("Message " << delivery.tag << " has arrived: " << m_delivered << " of "
                            << m_messages);
    m_deliveredTrace(delivery.tag);
    Signal(m_trace->messages[delivery.tag].target);
    if (m_progress && m_delivered % PROGRESS_INTERVAL == 0)
    {
        m_progress(m_delivered);
    }
    CheckEnd();
}

void
TraceReplayer::OnComplete(Peer, messaging::RequestId id, Completion completion)
{
    if (!m_group->IsFinal(completion))
    {
        return;
    }
    m_completedTrace(static_cast<uint32_t>(id));
    if (completion == Completion::UNREACHABLE || completion == Completion::FAILED)
    {
        m_refused = static_cast<uint32_t>(id);
        End(ReplayState::REFUSED);
    }
}

void
TraceReplayer::CheckEnd()
{
    if (m_blocksLeft == 0 && m_delivered == m_messages)
    {
        End(ReplayState::FINISHED);
    }
}

void
TraceReplayer::End(ReplayState state)
{
    if (m_state != ReplayState::RUNNING)
    {
        return;
    }
    NS_LOG_INFO("The replay ends in cycle " << m_clock->Now() << ": " << state << ", "
                                            << m_delivered << " of " << m_messages
                                            << " messages delivered");
    m_state = state;
    if (m_ended)
    {
        m_ended();
    }
}

void
TraceReplayer::Watch()
{
    const Ticks now = m_clock->Now();
    const bool late = m_maxCycles > 0 && now >= m_maxCycles;
    const bool idle = m_maxIdle > 0 && m_posted > m_delivered && now - m_lastDelivery >= m_maxIdle;
    if (late || idle)
    {
        m_runTime = std::max(m_runTime, now);
        End(ReplayState::LIVELOCK);
        return;
    }
    // As the only event on the clock, the watch would keep a stuck run alive.
    if (m_clock->GetNPending() > 1 || m_posted > m_delivered)
    {
        m_clock->At(now + WATCH_INTERVAL, m_user, 0, WATCH);
    }
}

} // namespace idempotent
} // namespace ns3
