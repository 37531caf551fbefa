/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef EQA_CORE_SEND_H
#define EQA_CORE_SEND_H

#include "eqa-core.h"

/**
 * @file
 * @ingroup eqa
 * The sender's side of a channel. Included by eqa-core.h.
 */

namespace ns3
{
namespace eqa
{

template <class Out>
void
EqaCore::Pump(Line line, uint32_t index, Out& out)
{
    using messaging::WorkKind;
    SendPoint& point = m_sends[index];
    if (point.emitting || point.current >= point.entered)
    {
        return;
    }
    // Section 3.3: suspended until those that have lost packets have caught up.
    if (point.recovering > 0 && Pauses(point))
    {
        return;
    }
    const SendEntry entry = point.entries.Get(point.current);
    if (entry.started && entry.sent >= GetLimit(point, entry))
    {
        return;
    }
    if (!point.queue.HasRoom())
    {
        Note(Event::WINDOW_FULL, out);
        return;
    }
    const uint32_t payload = GetNextPayload(point, entry);
    point.emitting = true;
    if (m_config->sendCopy)
    {
        Add(line, WorkKind::COPY, payload);
    }
    // Section 3.1: virtually, a packet is sent through every light DP.
    const uint64_t lights = point.IsBroadcast() ? point.lights.size() * m_config->lightTime : 0;
    Add(line,
        WorkKind::INSTRUCTIONS,
        m_config->transmitTime + lights,
        Action::EMIT,
        index,
        payload);
}

template <class Out>
void
EqaCore::Emit(Line line, uint32_t index, uint32_t payload, Out& out)
{
    using messaging::WorkKind;
    SendPoint& point = m_sends[index];
    point.emitting = false;
    SendEntry entry = point.entries.Get(point.current);
    const uint8_t flags = GetFlags(point, entry, payload);
    const uint64_t number = point.queue.Produce(
        StoredPacket{entry.contents, payload, entry.bytes, entry.tag, 0, flags});
    entry.started = true;
    entry.sent += payload;
    entry.last = number;
    point.entries.Put(point.current, entry);
    for (auto& light : point.lights)
    {
        if (!light.IsIdle())
        {
            // Its receiver would take this packet for the end of a gap.
            light.Push(number);
        }
    }
    Note(point.IsBroadcast() ? Event::BROADCAST : Event::UNICAST, out);
    Transmit(point.to, MakeData(point, number), out);
    if (!point.armed)
    {
        point.armed = true;
        out.Arm(index, m_config->timeout);
    }
    const bool pushed = entry.sent >= GetLimit(point, entry) && !entry.translated;
    if (pushed && entry.sent < entry.bytes)
    {
        // Address Translation Overhead Masking: while the push is on its way.
        const uint64_t pages = (entry.bytes - entry.sent + PAGE - 1) / PAGE;
        Add(PROCESS,
            WorkKind::INSTRUCTIONS,
            pages * m_config->translateTime,
            Action::TRANSLATED,
            index,
            point.current);
    }
    if (entry.sent == entry.bytes)
    {
        ++point.current;
        Note(Event::RETURNED, out);
    }
    Pump(line, index, out);
}

template <class Out>
void
EqaCore::Resend(Line line, uint32_t index, uint32_t consumer, Out& out)
{
    SendPoint& point = m_sends[index];
    LightPoint& light = point.lights[consumer];
    light.resending = false;
    const LocalStructure& local = point.queue.GetConsumers()[consumer];
    if (!light.IsIdle() && light.Front() >= local.next)
    {
        messaging::Frame frame = MakeData(point, light.Front());
        light.Pop();
        frame.flags |= light.IsIdle() ? ACK_ME : 0;
        Note(Event::RESENT, out);
        Transmit(local.to, frame, out);
    }
    PumpResend(line, index, consumer);
}

template <class Out>
void
EqaCore::OnAnswer(messaging::Peer from, const messaging::Frame& frame, Out& out)
{
    const messaging::Peer to = frame.flags & OF_BROADCAST ? messaging::NO_PEER : from;
    const uint32_t slot = to == messaging::NO_PEER ? m_peers : to;
    if (from >= m_peers || m_sendOf[slot] == NONE)
    {
        Note(Event::ILLEGAL, out);
        return;
    }
    const uint32_t index = m_sendOf[slot];
    SendPoint& point = m_sends[index];
    const uint32_t consumer = GetConsumer(point, from);
    const uint64_t needed = Expand(frame.id, point.queue.GetConsumers()[consumer].next);
    if (needed > point.queue.GetHome().head)
    {
        Note(Event::ILLEGAL, out);
        return;
    }
    if (needed < point.queue.GetConsumers()[consumer].next)
    {
        Note(Event::STALE, out);
        return;
    }
    if (needed > point.queue.GetConsumers()[consumer].next)
    {
        point.queue.Consume(consumer, needed);
        point.silence = 0;
        if (point.armed)
        {
            out.Arm(index, m_config->timeout);
        }
    }
    LightPoint& light = point.lights[consumer];
    const bool behind = needed < point.queue.GetHome().head;
    if (light.recovering && !behind)
    {
        light.recovering = false;
        if (--point.recovering == 0 && Pauses(point))
        {
            Note(Event::RESUMED, out);
        }
    }
    if (frame.flags & PULL)
    {
        const uint64_t message = Expand(frame.aux, point.current);
        if (message == point.current && message < point.entered)
        {
            SendEntry entry = point.entries.Get(message);
            entry.pulled = true;
            point.entries.Put(message, entry);
        }
    }
    if (frame.kind == static_cast<uint8_t>(PacketKind::ASK) && behind)
    {
        if (!light.recovering)
        {
            light.recovering = true;
            if (++point.recovering == 1 && Pauses(point))
            {
                Note(Event::SUSPENDED, out);
            }
        }
        GoBack(point, consumer);
        PumpResend(HANDLER, index, consumer);
    }
    CompleteMessages(index, out);
    Pump(HANDLER, index, out);
}

template <class Out>
void
EqaCore::CompleteMessages(uint32_t index, Out& out)
{
    while (m_sends[index].first < m_sends[index].current)
    {
        SendPoint& point = m_sends[index];
        const SendEntry entry = point.entries.Get(point.first);
        if (point.queue.GetHome().tail <= entry.last)
        {
            break;
        }
        ++point.first;
        // A receiver has it in its pushed buffer, if no receive was posted: not delivered yet.
        out.Complete(entry.id, messaging::Completion::SENT);
    }
    SendPoint& point = m_sends[index];
    if (point.armed && point.first == point.last)
    {
        point.armed = false;
        point.silence = 0;
        out.Cancel(index);
    }
}

template <class Out>
void
EqaCore::OnTimer(messaging::TimerId timer, Out& out)
{
    if (timer >= m_sends.size() || !m_sends[timer].armed)
    {
        Note(Event::ILLEGAL, out);
        return;
    }
    const auto index = static_cast<uint32_t>(timer);
    SendPoint& point = m_sends[index];
    Note(Event::TIMEOUT, out);
    constexpr uint8_t LONGEST = 6;
    point.silence = std::min<uint8_t>(point.silence + 1, LONGEST);
    out.Arm(timer, m_config->timeout << point.silence);

    const bool simple = IsSimple(point);
    const bool waits = point.current < point.entered;
    const messaging::Peer chosen =
        point.IsBroadcast() ? GetChosen(m_self, point.current) : point.to;
    uint32_t probes = 0;
    const auto& consumers = point.queue.GetConsumers();
    for (uint32_t i = point.queue.GetHome().first; i != NO_CONSUMER; i = consumers[i].follower)
    {
        const bool behind = consumers[i].next < point.queue.GetHome().head;
        if (simple && behind && point.lights[i].IsIdle())
        {
            // Section 3.2: "the DP sends the lost packets based on the LMS".
            GoBack(point, i);
            PumpResend(HANDLER, index, i);
        }
        else if (!simple && probes < m_config->window &&
                 (behind || (waits && consumers[i].to == chosen)))
        {
            // Not all at once: the answers of a large group would meet at the switch's port.
            ++probes;
            Add(HANDLER,
                messaging::WorkKind::INSTRUCTIONS,
                m_config->transmitTime,
                Action::PROBE,
                index,
                consumers[i].to);
        }
    }
    Run(out);
}

} // namespace eqa
} // namespace ns3

#endif // EQA_CORE_SEND_H
