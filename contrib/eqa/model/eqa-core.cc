/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "eqa-core.h"

namespace ns3
{
namespace eqa
{

void
EqaCore::Encode(messaging::Encoder& encoder) const
{
    encoder.Put(m_sends.size());
    for (const auto& point : m_sends)
    {
        point.Encode(encoder);
    }
    encoder.Put(m_receives.size());
    for (const auto& point : m_receives)
    {
        point.Encode(encoder);
    }
    for (const auto* frames : {&m_ring, &m_unsent})
    {
        encoder.Put(frames->GetN());
        for (const auto& [frame, peer] : *frames)
        {
            encoder.Put(frame.id);
            encoder.Put(frame.contents);
            encoder.Put((uint64_t{frame.payload} << 32) + frame.aux);
            encoder.Put((uint64_t{peer} << 16) + (uint64_t{frame.kind} << 8) + frame.flags);
        }
    }
    for (const auto& line : m_lines)
    {
        encoder.Put(4 * line.steps.GetN() + 2 * uint64_t{line.spinning} + uint64_t{line.working});
        for (const Step& step : line.steps)
        {
            encoder.Put(step.amount);
            encoder.Put(step.argument);
            encoder.Put((uint64_t{step.point} << 8) + static_cast<uint64_t>(step.action));
        }
    }
    encoder.Put(uint64_t{m_handling});
}

bool
EqaCore::BeginHandling()
{
    if (m_ring.IsEmpty())
    {
        m_handling = false;
        return false;
    }
    // One interrupt serves all frames that arrive until the ring is empty.
    if (!m_handling && !m_config->insideNode)
    {
        Add(HANDLER, Work::INTERRUPT, 1);
    }
    m_handling = true;
    Compute(HANDLER, m_config->handleTime, Action::HANDLE);
    return true;
}

void
EqaCore::Compute(Line line, Time time, Action action, uint32_t point, uint64_t argument)
{
    const auto amount = static_cast<uint64_t>(time.GetNanoSeconds());
    if (amount > 0 || action != Action::NOTHING)
    {
        Add(line, Work::INSTRUCTIONS, amount, action, point, argument);
    }
}

void
EqaCore::OnPull(SendPoint& point, const Frame& frame, uint64_t needed)
{
    const uint64_t message = Expand(frame.aux, point.current);
    if (message == point.current && message < point.entered)
    {
        SendEntry& entry = point.GetEntry(message);
        entry.pulled = true;
        entry.granted = needed + m_config->pullPackets;
    }
}

void
EqaCore::PumpResend(Line line, uint32_t index, uint32_t consumer)
{
    SendPoint& point = m_sends[index];
    LightPoint& light = point.lights[consumer];
    while (!light.IsIdle() && light.first < point.queue.GetConsumers()[consumer].next)
    {
        ++light.first;
    }
    if (!light.resending && !light.IsIdle())
    {
        light.resending = true;
        Compute(line, m_config->transmitTime, Action::RESEND, index, consumer);
    }
}

uint32_t
EqaCore::GetLimit(const SendPoint& point, const SendEntry& entry) const
{
    if (IsSimple(point) || (entry.pulled && entry.translated))
    {
        return entry.bytes;
    }
    return std::min(entry.bytes, m_config->GetBtp());
}

uint32_t
EqaCore::GetNextPayload(const SendPoint& point, const SendEntry& entry) const
{
    uint32_t end = GetLimit(point, entry);
    if (!IsSimple(point))
    {
        for (const uint32_t border : {m_config->btp1, m_config->GetBtp()})
        {
            if (entry.sent < border)
            {
                end = std::min(end, border);
            }
        }
    }
    return std::min(end - entry.sent, m_config->maxPayload);
}

bool
EqaCore::EndsPush(const SendPoint& point, const SendEntry& entry, uint32_t end) const
{
    const bool granted = point.queue.GetHome().head + 1 == entry.granted;
    if (end < entry.bytes && IsPulledInParts(point, entry) && granted)
    {
        return true;
    }
    return !IsSimple(point) && end == std::min(entry.bytes, m_config->GetBtp());
}

bool
EqaCore::NeedsAck(const SendPoint& point, const SendEntry& entry, uint32_t end) const
{
    const bool always = IsSimple(point) || !point.IsBroadcast();
    const bool together = always || m_config->release == ReleaseRule::TOGETHER;
    const bool halfWindow = (point.queue.GetHome().head + 1) % (m_config->window / 2) == 0;
    if (together && halfWindow)
    {
        return true;
    }
    const bool pulled = entry.bytes > m_config->GetBtp();
    const bool confirmed = always || m_config->confirmAll || (together && pulled);
    return confirmed && end == entry.bytes;
}

uint8_t
EqaCore::GetFlags(const SendPoint& point, const SendEntry& entry, uint32_t payload) const
{
    const uint32_t end = entry.sent + payload;
    uint8_t flags = 0;
    if (point.IsBroadcast())
    {
        flags |= OF_BROADCAST;
    }
    if (!entry.started)
    {
        flags |= FIRST;
    }
    if (EndsPush(point, entry, end))
    {
        flags |= PUSH_END;
    }
    if (NeedsAck(point, entry, end))
    {
        flags |= ACK_ME;
    }
    return flags;
}

messaging::Frame
EqaCore::MakeData(const SendPoint& point, uint64_t number) const
{
    const StoredPacket& packet = point.queue.Get(number);
    return {.id = (uint64_t{packet.tag} << 32) | static_cast<uint32_t>(number),
            .contents = packet.contents,
            .payload = packet.payload,
            .aux = packet.bytes,
            .header = HEADER,
            .kind = static_cast<uint8_t>(PacketKind::DATA),
            .flags = packet.flags};
}

void
EqaCore::EnterReceive(uint32_t index)
{
    ReceivePoint& point = m_receives[index];
    ++point.posted;
    if (point.pullDue && point.IsExpected())
    {
        point.pullDue = false;
        point.pulled = true;
        Answer(PROCESS, index, PacketKind::ACK, PUSH_ANSWER);
    }
    if (m_config->maskTranslation)
    {
        Compute(PROCESS, GetNOwners(point) * m_config->translateTime);
    }
    Drain(index);
}

void
EqaCore::Accept(uint32_t index, const Frame& frame)
{
    ReceivePoint& point = m_receives[index];
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
    if (!point.broadcast || GetChosen(point.from, point.number) == m_self)
    {
        const bool pushed = frame.flags & PUSH_END;
        // Push-and-Acknowledge Overlapping: the pull leaves while BTP_2 is in flight.
        const bool early = !point.broadcast && m_config->overlapAck;
        if (pushed && whole)
        {
            answered = true;
        }
        else if (point.arrivingBytes > m_config->GetBtp() && (pushed || early) &&
                 (!point.pulled || point.broadcast))
        {
            // At the end of a broadcast's push, and of each part that was pulled.
            point.pulled = point.IsExpected();
            point.pullDue = !point.pulled;
            answered = point.pulled;
        }
        if (answered)
        {
            Answer(HANDLER, index, PacketKind::ACK, PUSH_ANSWER);
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
        Answer(HANDLER, index, PacketKind::ACK);
    }
}

void
EqaCore::Place(uint32_t index, const PushedPacket& packet)
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
        // One damaged packet damages the message.
        point.contents = DAMAGED;
    }
    point.placedBytes += packet.payload;
    if (point.placedBytes < packet.bytes)
    {
        return;
    }
    point.placing = false;
    point.done.Push(messaging::Delivery{point.placed++,
                                        point.contents,
                                        point.from,
                                        packet.bytes,
                                        packet.tag,
                                        0});
    const int64_t owners = GetNOwners(point);
    if (m_config->standing)
    {
        Add(PROCESS, Work::SYSTEM_CALL, owners);
    }
    Compute(PROCESS, owners * (m_config->wakeTime + GetLibraryTime()), Action::WAKE, index);
}

void
EqaCore::Drain(uint32_t index)
{
    ReceivePoint& point = m_receives[index];
    if (point.draining)
    {
        return;
    }
    if (!point.pushed.IsEmpty())
    {
        if (point.posted > point.placed)
        {
            point.draining = true;
            const uint64_t bytes = uint64_t{GetNOwners(point)} * point.pushed.Front().payload;
            Add(PROCESS, Work::COPY, bytes, Action::DRAIN, index);
        }
    }
    else if (point.dropped)
    {
        point.dropped = false;
        point.asked = true;
        Answer(PROCESS, index, PacketKind::ASK);
    }
}

void
EqaCore::OnProbe(Peer from, const Frame& frame)
{
    const uint32_t index = GetReceivePoint(from, frame.flags & OF_BROADCAST, GetNumber(frame));
    ReceivePoint& point = m_receives[index];
    const bool behind = Expand(frame.id, point.expected) > point.expected;
    if (behind && !point.dropped)
    {
        point.asked = true;
        Answer(HANDLER, index, PacketKind::ASK, PROBE_ANSWER);
    }
    else
    {
        Answer(HANDLER, index, PacketKind::ACK, PROBE_ANSWER);
    }
}

uint32_t
EqaCore::GetSendPoint(Peer to, uint32_t number)
{
    uint32_t& index = m_sendOf[std::size_t{GetChannel(to)} * m_config->points + number];
    if (index == NONE)
    {
        index = static_cast<uint32_t>(m_sends.size());
        m_sends.emplace_back(*m_config, m_self, to, m_peers, number);
    }
    return index;
}

uint32_t
EqaCore::GetReceivePoint(Peer from, bool broadcast, uint32_t number)
{
    // Each sender has two channels.
    const std::size_t channel = 2 * std::size_t{from} + std::size_t{broadcast};
    uint32_t& index = m_receiveOf[channel * m_config->points + number];
    if (index == NONE)
    {
        index = static_cast<uint32_t>(m_receives.size());
        m_receives.emplace_back(*m_config, from, broadcast, number);
    }
    return index;
}

} // namespace eqa
} // namespace ns3
