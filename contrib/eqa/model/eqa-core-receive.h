/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef EQA_CORE_RECEIVE_H
#define EQA_CORE_RECEIVE_H

#include "eqa-core.h"

/**
 * @file
 * @ingroup eqa
 * The receiver's side of a channel. Included by eqa-core.h.
 */

namespace ns3
{
namespace eqa
{

template <class Out>
void
EqaCore::OnData(messaging::Peer from, const messaging::Frame& frame, Out& out)
{
    using messaging::WorkKind;
    const uint32_t index = GetReceivePoint(from, frame.flags & OF_BROADCAST);
    ReceivePoint& point = m_receives[index];
    const auto answer = [&](PacketKind kind) {
        Add(HANDLER,
            WorkKind::INSTRUCTIONS,
            m_config->transmitTime,
            Action::CONTROL,
            index,
            static_cast<uint64_t>(kind));
    };
    const uint64_t number = Expand(frame.id, point.expected);
    if (number != point.expected)
    {
        m_ring.erase(m_ring.begin());
        Note(number < point.expected ? Event::DUPLICATE : Event::GAP, out);
        if (number > point.expected && !point.asked && !point.dropped)
        {
            point.asked = true;
            answer(PacketKind::ASK);
        }
        else if (frame.flags & ACK_ME)
        {
            answer(PacketKind::ACK);
        }
        return;
    }
    if (IsExpected(point) && point.pushed.IsEmpty())
    {
        const uint64_t copies = m_config->zeroBuffer ? 1 : 2;
        Add(HANDLER, WorkKind::COPY, copies * frame.payload, Action::PLACE, index);
    }
    else if (point.pushed.Fits(frame.payload))
    {
        Add(HANDLER, WorkKind::COPY, frame.payload, Action::BUFFER, index);
    }
    else
    {
        m_ring.erase(m_ring.begin());
        Note(Event::BUFFER_OVERFLOW, out);
        point.dropped = true;
        if (frame.flags & ACK_ME)
        {
            answer(PacketKind::ACK);
        }
    }
}

template <class Out>
void
EqaCore::Accept(uint32_t index, const messaging::Frame& frame, Out&)
{
    ReceivePoint& point = m_receives[index];
    const auto answer = [&](uint64_t more) {
        Add(HANDLER,
            messaging::WorkKind::INSTRUCTIONS,
            m_config->transmitTime,
            Action::CONTROL,
            index,
            static_cast<uint64_t>(PacketKind::ACK) | more);
    };
    ++point.expected;
    point.asked = false;
    point.dropped = false;
    if (!point.started)
    {
        point.started = true;
        point.arrivingBytes = frame.aux;
        point.arrivedBytes = 0;
    }
    point.arrivedBytes += frame.payload;
    const bool whole = point.arrivedBytes >= point.arrivingBytes;
    bool answered = false;
    if (IsChosen(point))
    {
        const bool pushed = frame.flags & PUSH_END;
        // Push-and-Acknowledge Overlapping: the pull leaves while BTP_2 is on its way.
        const bool early = !point.broadcast && m_config->overlapAck;
        if (pushed && whole)
        {
            answer(PUSH_ANSWER);
            answered = true;
        }
        else if (point.arrivingBytes > m_config->GetBtp() && !point.pulled && (pushed || early))
        {
            point.pulled = IsExpected(point);
            point.pullDue = !point.pulled;
            if (point.pulled)
            {
                answer(PUSH_ANSWER);
                answered = true;
            }
        }
    }
    if (whole)
    {
        point.started = false;
        point.pulled = false;
        ++point.arriving;
    }
    if (((frame.flags & ACK_ME) || IsTurn(point)) && !answered)
    {
        answer(0);
    }
}

template <class Out>
void
EqaCore::Place(uint32_t index, const PushedPacket& packet, Out&)
{
    ReceivePoint& point = m_receives[index];
    if (!point.placing)
    {
        point.placing = true;
        point.placedBytes = 0;
        point.contents = packet.contents;
    }
    if (packet.contents != point.contents)
    {
        // A damaged part damages the message.
        point.contents = packet.contents;
    }
    point.placedBytes += packet.payload;
    if (point.placedBytes < packet.bytes)
    {
        return;
    }
    point.placing = false;
    point.done.push_back(messaging::Delivery{point.placed++,
                                             point.contents,
                                             point.from,
                                             packet.bytes,
                                             packet.tag,
                                             0});
    Add(PROCESS, messaging::WorkKind::INSTRUCTIONS, m_config->wakeTime, Action::WAKE, index);
}

template <class Out>
void
EqaCore::EnterReceive(uint32_t index, Out&)
{
    ReceivePoint& point = m_receives[index];
    ++point.posted;
    if (point.pullDue && IsExpected(point))
    {
        point.pullDue = false;
        point.pulled = true;
        Add(PROCESS,
            messaging::WorkKind::INSTRUCTIONS,
            m_config->transmitTime,
            Action::CONTROL,
            index,
            static_cast<uint64_t>(PacketKind::ACK) | PUSH_ANSWER);
    }
    if (m_config->maskTranslation)
    {
        Add(PROCESS, messaging::WorkKind::INSTRUCTIONS, m_config->translateTime);
    }
    Drain(index);
}

template <class Out>
void
EqaCore::Answer(uint32_t index, uint64_t argument, Out& out)
{
    ReceivePoint& point = m_receives[index];
    const auto kind = static_cast<PacketKind>(argument & ~(PUSH_ANSWER | PROBE_ANSWER));
    messaging::Frame frame;
    frame.id = static_cast<uint32_t>(point.expected);
    frame.source = m_self;
    frame.aux = static_cast<uint32_t>(point.arriving);
    frame.kind = static_cast<uint8_t>(kind);
    frame.flags = point.broadcast ? OF_BROADCAST : 0;
    const bool pull = kind == PacketKind::ACK && point.pulled && argument > PUSH_ANSWER;
    frame.flags |= pull ? PULL : 0;
    frame.flags |= point.dropped ? NO_ROOM : 0;
    Note(kind == PacketKind::ASK ? Event::ASK_SENT : Event::ACK_SENT, out);
    if (point.broadcast && (argument & PUSH_ANSWER))
    {
        Note(Event::PUSH_ACK_SENT, out);
    }
    if (pull)
    {
        Note(Event::PULL_SENT, out);
    }
    Transmit(point.from, frame, out);
}

} // namespace eqa
} // namespace ns3

#endif // EQA_CORE_RECEIVE_H
