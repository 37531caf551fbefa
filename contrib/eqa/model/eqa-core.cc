/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "eqa-core.h"

#include <algorithm>

namespace ns3
{
namespace eqa
{

using messaging::Frame;
using messaging::NO_PEER;
using messaging::Peer;
using messaging::WorkKind;

EqaCore::EqaCore(Peer self, uint32_t peers, const EqaConfig* config)
    : m_config(config),
      m_sendOf(peers + std::size_t{1}, NONE),
      m_receiveOf(2 * std::size_t{peers}, NONE),
      m_self(self),
      m_peers(peers)
{
}

uint32_t
EqaCore::GetSendPoint(Peer to)
{
    uint32_t& index = m_sendOf[to == NO_PEER ? m_peers : to];
    if (index == NONE)
    {
        index = static_cast<uint32_t>(m_sends.size());
        m_sends.emplace_back(*m_config, m_self, to, m_peers);
    }
    return index;
}

uint32_t
EqaCore::GetReceivePoint(Peer from, bool broadcast)
{
    uint32_t& index = m_receiveOf[2 * std::size_t{from} + (broadcast ? 1 : 0)];
    if (index == NONE)
    {
        index = static_cast<uint32_t>(m_receives.size());
        m_receives.emplace_back(*m_config, from, broadcast);
    }
    return index;
}

void
EqaCore::Add(Line line,
             WorkKind kind,
             uint64_t amount,
             Action action,
             uint32_t point,
             uint64_t argument)
{
    m_lines[line].steps.push_back(Step{amount, kind, action, point, argument});
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
        const bool split = m_config->splitShort || entry.bytes > m_config->GetBtp();
        for (const uint32_t border : {split ? m_config->btp1 : 0, m_config->GetBtp()})
        {
            end = entry.sent < border ? std::min(end, border) : end;
        }
    }
    return std::min(end - entry.sent, m_config->maxPayload);
}

uint8_t
EqaCore::GetFlags(const SendPoint& point, const SendEntry& entry, uint32_t payload) const
{
    const uint32_t end = entry.sent + payload;
    const uint32_t btp = m_config->GetBtp();
    const bool simple = IsSimple(point);
    const bool last = end == entry.bytes;
    const bool together =
        simple || !point.IsBroadcast() || m_config->release == ReleaseRule::TOGETHER;
    const bool confirm =
        simple || !point.IsBroadcast() || m_config->confirmAll || (together && entry.bytes > btp);
    const bool half = together && (point.queue.GetHome().head + 1) % (m_config->window / 2) == 0;
    uint8_t flags = point.IsBroadcast() ? OF_BROADCAST : 0;
    flags |= entry.started ? 0 : FIRST;
    flags |= !simple && end == std::min(entry.bytes, btp) ? PUSH_END : 0;
    flags |= (last && confirm) || half ? ACK_ME : 0;
    return flags;
}

Frame
EqaCore::MakeData(const SendPoint& point, uint64_t number) const
{
    const StoredPacket packet = point.queue.Get(number);
    Frame frame;
    frame.id = (uint64_t{packet.tag} << 32) | static_cast<uint32_t>(number);
    frame.contents = packet.contents;
    frame.source = m_self;
    frame.payload = packet.payload;
    frame.aux = packet.bytes;
    frame.kind = static_cast<uint8_t>(PacketKind::DATA);
    frame.flags = static_cast<uint8_t>(packet.flags);
    return frame;
}

void
EqaCore::GoBack(SendPoint& point, uint32_t consumer)
{
    LightPoint& light = point.lights[consumer];
    light.Clear();
    const uint64_t head = point.queue.GetHome().head;
    for (uint64_t number = point.queue.GetConsumers()[consumer].next; number < head; ++number)
    {
        light.Push(number);
    }
}

void
EqaCore::PumpResend(Line line, uint32_t index, uint32_t consumer)
{
    SendPoint& point = m_sends[index];
    LightPoint& light = point.lights[consumer];
    while (!light.IsIdle() && light.Front() < point.queue.GetConsumers()[consumer].next)
    {
        light.Pop();
    }
    if (light.resending || light.IsIdle())
    {
        return;
    }
    light.resending = true;
    Add(line, WorkKind::INSTRUCTIONS, m_config->transmitTime, Action::RESEND, index, consumer);
}

Peer
EqaCore::GetChosen(Peer root, uint64_t message) const
{
    const uint64_t turn = m_config->chosen + (m_config->rotate ? message : 0);
    return static_cast<Peer>((root + 1 + turn % (m_peers - 1)) % m_peers);
}

bool
EqaCore::IsChosen(const ReceivePoint& point) const
{
    return !point.broadcast || GetChosen(point.from, point.arriving) == m_self;
}

bool
EqaCore::IsTurn(const ReceivePoint& point) const
{
    return point.broadcast && m_config->broadcast == BroadcastKind::PUSH_PULL &&
           m_config->release == ReleaseRule::IN_TURN &&
           (point.expected + m_self) % (m_config->window / 2) == 0;
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
            Add(PROCESS, WorkKind::COPY, point.pushed.Front().payload, Action::DRAIN, index);
        }
    }
    else if (point.dropped)
    {
        point.dropped = false;
        point.asked = true;
        Add(PROCESS,
            WorkKind::INSTRUCTIONS,
            m_config->transmitTime,
            Action::CONTROL,
            index,
            static_cast<uint64_t>(PacketKind::ASK));
    }
}

void
EqaCore::OnProbe(Peer from, const Frame& frame)
{
    const uint32_t index = GetReceivePoint(from, frame.flags & OF_BROADCAST);
    ReceivePoint& point = m_receives[index];
    const bool behind = Expand(frame.id, point.expected) > point.expected;
    const bool asks = behind && !point.dropped;
    point.asked = point.asked || asks;
    Add(HANDLER,
        WorkKind::INSTRUCTIONS,
        m_config->transmitTime,
        Action::CONTROL,
        index,
        static_cast<uint64_t>(asks ? PacketKind::ASK : PacketKind::ACK) | PROBE_ANSWER);
}

PointMemory
EqaCore::GetMemory() const
{
    PointMemory memory;
    for (const auto& point : m_sends)
    {
        ++memory.sends;
        memory.lights += point.IsBroadcast() ? static_cast<uint32_t>(point.lights.size()) : 0;
        memory.sendBytes += point.GetBytes();
        memory.lightBytes += point.GetLightBytes();
        memory.structureBytes += point.GetStructureBytes();
    }
    for (const auto& point : m_receives)
    {
        ++memory.receives;
        memory.receiveBytes += point.GetBytes();
    }
    return memory;
}

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
        encoder.Put(frames->size());
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
        encoder.Put(2 * (line.steps.size() - line.next) + (line.working ? 1 : 0));
        for (std::size_t i = line.next; i < line.steps.size(); ++i)
        {
            const Step& step = line.steps[i];
            encoder.Put(step.amount);
            encoder.Put(step.argument);
            encoder.Put((uint64_t{step.point} << 8) + static_cast<uint64_t>(step.action));
        }
    }
    encoder.Put(m_handling ? 1 : 0);
}

} // namespace eqa
} // namespace ns3
