/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef EQA_CORE_IMPL_H
#define EQA_CORE_IMPL_H

#include "eqa-core.h"

/**
 * @file
 * @ingroup eqa
 * Steps, events and the handler of a node. Included by eqa-core.h.
 */

namespace ns3
{
namespace eqa
{

template <class Out>
messaging::Acceptance
EqaCore::OnRequest(const messaging::Request& request, Out& out)
{
    using messaging::Acceptance;
    using messaging::WorkKind;
    const bool all = request.to == messaging::NO_PEER;
    if (request.flags & RECEIVE)
    {
        if (request.flags > (RECEIVE | BROADCAST_CHANNEL) || request.to >= m_peers ||
            request.to == m_self)
        {
            return Acceptance::REFUSED;
        }
        const uint32_t index = GetReceivePoint(request.to, request.flags & BROADCAST_CHANNEL);
        ReceivePoint& point = m_receives[index];
        if (point.requested - point.placed == point.receives.GetNSlots())
        {
            return Acceptance::STALLED;
        }
        point.receives.Put(point.requested++, ReceiveEntry{request.id});
        Add(PROCESS, WorkKind::SYSTEM_CALL, 1);
        if (!m_config->maskTranslation)
        {
            Add(PROCESS, WorkKind::INSTRUCTIONS, m_config->translateTime);
        }
        Add(PROCESS, WorkKind::INSTRUCTIONS, 0, Action::ENTER_RECEIVE, index);
        Run(out);
        return Acceptance::ACCEPTED;
    }
    if (request.flags != 0 || request.bytes > m_config->maxMessage || request.to == m_self ||
        (!all && request.to >= m_peers))
    {
        return Acceptance::REFUSED;
    }
    if (all && m_peers == 1)
    {
        Note(Event::RETURNED, out);
        out.Complete(request.id, messaging::Completion::SENT);
        return Acceptance::ACCEPTED;
    }
    const uint32_t index = GetSendPoint(request.to);
    SendPoint& point = m_sends[index];
    if (point.GetNEntries() == point.entries.GetNSlots())
    {
        return Acceptance::STALLED;
    }
    SendEntry entry;
    entry.id = request.id;
    entry.contents = request.contents;
    entry.bytes = request.bytes;
    entry.tag = request.tag;
    const bool rest = GetLimit(point, entry) < entry.bytes;
    const uint64_t pages = rest ? (entry.bytes - m_config->GetBtp() + PAGE - 1) / PAGE : 0;
    const uint64_t message = point.last++;
    point.entries.Put(message, entry);
    Add(PROCESS, WorkKind::SYSTEM_CALL, 1);
    if (!m_config->maskTranslation)
    {
        Add(PROCESS, WorkKind::INSTRUCTIONS, pages * m_config->translateTime);
    }
    Add(PROCESS, WorkKind::INSTRUCTIONS, 0, Action::ENTER_SEND, index, message);
    Run(out);
    return Acceptance::ACCEPTED;
}

template <class Out>
void
EqaCore::OnFrame(messaging::Peer from, const messaging::Frame& frame, Out& out)
{
    if (m_ring.size() >= m_config->receiveRing)
    {
        Note(Event::RING_OVERFLOW, out);
        return;
    }
    m_ring.push_back(Received{frame, from});
    Run(out);
}

template <class Out>
void
EqaCore::OnDone(messaging::WorkId work, Out& out)
{
    if (work > HANDLER || !m_lines[work].working)
    {
        Note(Event::ILLEGAL, out);
        return;
    }
    Steps& line = m_lines[work];
    line.working = false;
    const Step step = line.steps[line.next++];
    Perform(static_cast<Line>(work), step, out);
    Run(out);
}

template <class Out>
void
EqaCore::OnReady(Out& out)
{
    std::vector<Received> unsent;
    unsent.swap(m_unsent);
    for (const auto& [frame, to] : unsent)
    {
        Transmit(to, frame, out);
    }
    Run(out);
}

template <class Out>
void
EqaCore::Transmit(messaging::Peer to, const messaging::Frame& frame, Out& out)
{
    if (!m_unsent.empty() || !out.Send(to, frame))
    {
        m_unsent.push_back(Received{frame, to});
    }
}

template <class Out>
void
EqaCore::Run(Out& out)
{
    bool any = true;
    while (any)
    {
        any = RunLine(PROCESS, out);
        any = RunLine(HANDLER, out) || any;
    }
}

template <class Out>
bool
EqaCore::RunLine(Line which, Out& out)
{
    using messaging::WorkKind;
    bool any = false;
    while (!m_lines[which].working)
    {
        Steps& line = m_lines[which];
        if (line.next == line.steps.size())
        {
            line.steps.clear();
            line.next = 0;
            if (which == PROCESS || m_ring.empty())
            {
                m_handling = which == HANDLER ? false : m_handling;
                return any;
            }
            // One interrupt serves all frames that arrive until the ring is empty.
            if (!m_handling && m_config->interrupts)
            {
                Add(HANDLER, WorkKind::INTERRUPT, 1);
            }
            m_handling = true;
            Add(HANDLER, WorkKind::INSTRUCTIONS, m_config->handleTime, Action::HANDLE);
            any = true;
            continue;
        }
        const Step step = line.steps[line.next];
        if (m_config->hostWork && step.amount > 0)
        {
            line.working = true;
            out.Do(messaging::Work{which, step.amount, step.kind});
            return any;
        }
        ++line.next;
        Perform(which, step, out);
        any = true;
    }
    return any;
}

template <class Out>
void
EqaCore::Perform(Line line, const Step& step, Out& out)
{
    switch (step.action)
    {
    case Action::NOTHING:
        return;
    case Action::ENTER_SEND: {
        SendPoint& point = m_sends[step.point];
        SendEntry entry = point.entries.Get(step.argument);
        entry.translated = !m_config->maskTranslation || GetLimit(point, entry) == entry.bytes;
        point.entries.Put(step.argument, entry);
        point.entered = step.argument + 1;
        Pump(line, step.point, out);
        return;
    }
    case Action::ENTER_RECEIVE:
        EnterReceive(step.point, out);
        return;
    case Action::TRANSLATED: {
        SendPoint& point = m_sends[step.point];
        SendEntry entry = point.entries.Get(step.argument);
        entry.translated = true;
        point.entries.Put(step.argument, entry);
        Pump(line, step.point, out);
        return;
    }
    case Action::EMIT:
        Emit(line, step.point, static_cast<uint32_t>(step.argument), out);
        return;
    case Action::RESEND:
        Resend(line, step.point, static_cast<uint32_t>(step.argument), out);
        return;
    case Action::CONTROL:
        Answer(step.point, step.argument, out);
        return;
    case Action::PROBE: {
        const SendPoint& point = m_sends[step.point];
        messaging::Frame frame;
        frame.id = static_cast<uint32_t>(point.queue.GetHome().head);
        frame.source = m_self;
        frame.kind = static_cast<uint8_t>(PacketKind::PROBE);
        frame.flags = point.IsBroadcast() ? OF_BROADCAST : 0;
        Note(Event::PROBE_SENT, out);
        Transmit(static_cast<messaging::Peer>(step.argument), frame, out);
        return;
    }
    case Action::HANDLE: {
        const auto [frame, from] = m_ring.front();
        const auto kind = static_cast<PacketKind>(frame.kind);
        if (kind == PacketKind::DATA)
        {
            OnData(from, frame, out);
            return;
        }
        m_ring.erase(m_ring.begin());
        if (kind == PacketKind::ACK || kind == PacketKind::ASK)
        {
            OnAnswer(from, frame, out);
        }
        else if (kind == PacketKind::PROBE)
        {
            OnProbe(from, frame);
        }
        else
        {
            Note(Event::ILLEGAL, out);
        }
        return;
    }
    case Action::PLACE:
    case Action::BUFFER: {
        // The frame has kept its descriptor until its payload was copied.
        const messaging::Frame frame = m_ring.front().frame;
        m_ring.erase(m_ring.begin());
        ReceivePoint& point = m_receives[step.point];
        const PushedPacket packet{frame.contents,
                                  frame.payload,
                                  frame.aux,
                                  static_cast<uint32_t>(frame.id >> 32)};
        if (step.action == Action::BUFFER)
        {
            Note(Event::BUFFERED, out);
            point.pushed.Push(packet, packet.payload);
            Accept(step.point, frame, out);
            Drain(step.point);
        }
        else
        {
            Note(Event::DIRECT, out);
            Accept(step.point, frame, out);
            Place(step.point, packet, out);
        }
        return;
    }
    case Action::DRAIN: {
        ReceivePoint& point = m_receives[step.point];
        const PushedPacket packet = point.pushed.Front();
        point.pushed.Pop(packet.payload);
        point.draining = false;
        Note(Event::DRAINED, out);
        Place(step.point, packet, out);
        Drain(step.point);
        return;
    }
    case Action::WAKE: {
        ReceivePoint& point = m_receives[step.point];
        const messaging::Delivery delivery = point.done.front();
        point.done.erase(point.done.begin());
        const messaging::RequestId id = point.receives.Get(delivery.id).id;
        out.Deliver(delivery);
        if (id != NO_ID)
        {
            out.Complete(id, messaging::Completion::SENT);
        }
        return;
    }
    }
}

} // namespace eqa
} // namespace ns3

#include "eqa-core-receive.h"
#include "eqa-core-send.h"

#endif // EQA_CORE_IMPL_H
