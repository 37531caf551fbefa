/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef IDEMPOTENT_CORE_IMPL_H
#define IDEMPOTENT_CORE_IMPL_H

#include "idempotent-core.h"

/**
 * @file
 * @ingroup idempotent
 * The transitions of IdempotentCore; included by idempotent-core.h, and complete by itself.
 */

namespace ns3
{
namespace idempotent
{

inline uint64_t
IdempotentCore::TakeId()
{
    if (m_config->variant != Variant::SHORT_IDS)
    {
        return m_nextId++;
    }
    const uint64_t mask = (uint64_t{1} << m_config->idBits) - 1;
    uint64_t id = m_nextId & mask;
    while (m_sent.Find(id) != NONE)
    {
        id = (id + 1) & mask;
    }
    m_nextId = (id + 1) & mask;
    return id;
}

inline uint16_t
IdempotentCore::TakeSecondaryId() const
{
    uint16_t candidate = 0;
    const auto isTaken = [this](uint16_t number) {
        for (uint32_t i = 0; i < m_records.GetSize(); ++i)
        {
            if (m_records[i].secondary == number)
            {
                return true;
            }
        }
        return false;
    };
    while (isTaken(candidate))
    {
        ++candidate;
    }
    return candidate;
}

inline std::size_t
IdempotentCore::FindReply(const Record& record) const
{
    std::size_t at = 0;
    while (m_replies[at].source != record.source || m_replies[at].id != record.id)
    {
        ++at;
    }
    return at;
}

template <class Out>
messaging::Acceptance
IdempotentCore::OnRequest(const messaging::Request& request, Out& out)
{
    const auto& config = *m_config;
    if (request.to >= config.nodes ||
        (config.mtu > 0 && uint64_t{request.bytes} + config.messageHeader > config.mtu))
    {
        return messaging::Acceptance::REFUSED;
    }
    if (request.to == m_self)
    {
        out.Deliver(messaging::Delivery{m_nextId,
                                        request.contents,
                                        m_self,
                                        request.bytes,
                                        request.tag,
                                        request.flags});
        out.Complete(request.id, messaging::Completion::DELIVERED);
        return messaging::Acceptance::ACCEPTED;
    }
    if (config.piggybackReply && (request.flags & IS_REPLY) && AttachReply(request, out))
    {
        return messaging::Acceptance::ACCEPTED;
    }
    const bool noFreeId =
        config.variant == Variant::SHORT_IDS && (uint64_t{m_sent.GetSize()} >> config.idBits) != 0;
    if (!CanAccept() || noFreeId)
    {
        Note(Event::POST_STALLED, out);
        return messaging::Acceptance::STALLED;
    }
    SendEntry entry;
    entry.contents = request.contents;
    entry.request = request.id;
    entry.to = request.to;
    entry.bytes = request.bytes;
    entry.tag = request.tag;
    entry.flags = request.flags;
    const uint32_t at = m_sent.Insert(TakeId(), entry);
    m_peakSent = std::max<uint16_t>(m_peakSent, static_cast<uint16_t>(m_sent.GetSize()));
    TransmitMessage(at, out);
    return messaging::Acceptance::ACCEPTED;
}

template <class Out>
void
IdempotentCore::TransmitMessage(uint32_t at, Out& out)
{
    if (MustQueue() || !SendMessage(at, out))
    {
        Queue(Pending{m_sent.GetKey(at), m_sent[at].to, 0, PacketKind::MSG});
    }
}

template <class Out>
bool
IdempotentCore::SendMessage(uint32_t at, Out& out)
{
    auto& entry = m_sent[at];
    const uint64_t id = m_sent.GetKey(at);
    messaging::Frame frame;
    frame.id = id;
    frame.contents = entry.contents;
    frame.source = m_self;
    frame.payload = entry.bytes;
    frame.aux = entry.tag;
    frame.header = m_config->messageHeader;
    frame.kind = static_cast<uint8_t>(PacketKind::MSG);
    frame.flags = entry.flags;
    const bool sent = out.Send(entry.to, frame);
    if (!sent)
    {
        Note(Event::MSG_BUSY, out);
        if (m_config->sourceBusy == SourceBusy::WAIT)
        {
            return false;
        }
    }
    if (entry.attempts == 0)
    {
        messaging::Frame ack;
        ack.header = ACK_BYTES;
        entry.wait = static_cast<uint32_t>(out.WireTicks(frame) + 2 * out.Distance(entry.to) +
                                           out.WireTicks(ack));
    }
    Note(entry.attempts == 0 ? Event::MSG_FIRST : Event::MSG_REPEATED, out);
    CountAttempt(entry.attempts);
    out.Arm(MessageTimer(id), entry.wait + Backoff(entry.attempts));
    return true;
}

inline messaging::Frame
IdempotentCore::MakeAck(const Record& record) const
{
    messaging::Frame frame;
    frame.id = record.id;
    frame.source = m_self;
    frame.header = ACK_BYTES;
    frame.kind = static_cast<uint8_t>(PacketKind::ACK);
    frame.aux = record.secondary;
    if (record.hasReply)
    {
        const auto& reply = m_replies[FindReply(record)];
        frame.contents = reply.contents;
        frame.payload = reply.bytes;
        frame.aux = reply.tag;
        frame.flags = static_cast<uint8_t>(HAS_REPLY | reply.flags);
    }
    return frame;
}

template <class Out>
void
IdempotentCore::TransmitAck(uint32_t at, Out& out)
{
    if (MustQueue() || !SendAck(at, out))
    {
        Queue(Pending{m_records[at].id, m_records[at].source, 0, PacketKind::ACK});
    }
}

template <class Out>
bool
IdempotentCore::SendAck(uint32_t at, Out& out)
{
    auto& record = m_records[at];
    const messaging::Frame frame = MakeAck(record);
    const bool sent = out.Send(record.source, frame);
    if (!sent)
    {
        Note(Event::ACK_BUSY, out);
        if (m_config->sourceBusy == SourceBusy::WAIT)
        {
            return false;
        }
    }
    if (record.attempts == 0)
    {
        messaging::Frame conf;
        conf.header = ACK_BYTES;
        record.wait = static_cast<uint32_t>(out.WireTicks(frame) + 2 * out.Distance(record.source) +
                                            out.WireTicks(conf));
    }
    Note(record.attempts == 0 ? Event::ACK_FIRST : Event::ACK_REPEATED, out);
    CountAttempt(record.attempts);
    out.Arm(AckTimer(record.source, record.id), record.wait + Backoff(record.attempts));
    return true;
}

template <class Out>
bool
IdempotentCore::SendConf(messaging::Peer to, uint64_t id, uint32_t secondary, Out& out)
{
    messaging::Frame frame;
    frame.source = m_self;
    frame.kind = static_cast<uint8_t>(PacketKind::CONF);
    if (m_config->variant == Variant::SECONDARY_IDS)
    {
        frame.header = SECONDARY_CONF_BYTES;
        frame.aux = secondary;
    }
    else
    {
        frame.header = ACK_BYTES;
        frame.id = id;
    }
    if (!out.Send(to, frame))
    {
        Note(Event::CONF_BUSY, out);
        if (m_config->sourceBusy == SourceBusy::WAIT)
        {
            return false;
        }
    }
    Note(Event::CONF_SENT, out);
    return true;
}

template <class Out>
void
IdempotentCore::OnFrame(messaging::Peer, const messaging::Frame& frame, Out& out)
{
    if (frame.source >= m_config->nodes || frame.source == m_self)
    {
        Note(Event::ILLEGAL, out);
        return;
    }
    switch (static_cast<PacketKind>(frame.kind))
    {
    case PacketKind::MSG:
        OnMessage(frame, out);
        return;
    case PacketKind::ACK:
        OnAck(frame, out);
        return;
    case PacketKind::CONF:
        OnConf(frame, out);
        return;
    }
    Note(Event::ILLEGAL, out);
}

template <class Out>
void
IdempotentCore::OnMessage(const messaging::Frame& frame, Out& out)
{
    uint32_t at = FindRecord(frame.source, frame.id);
    if (at != NONE)
    {
        Note(Event::MSG_DUPLICATE, out);
        if (m_config->immediateAck && m_records[at].state == RecordState::ACKNOWLEDGING &&
            out.Send(frame.source, MakeAck(m_records[at])))
        {
            Note(Event::ACK_REPEATED, out);
        }
        return;
    }
    if (m_records.GetSize() >= m_config->receiveTable)
    {
        Note(Event::MSG_TABLE_FULL, out);
        return;
    }
    Record record;
    record.id = frame.id;
    record.source = frame.source;
    if (m_config->variant == Variant::SECONDARY_IDS)
    {
        record.secondary = TakeSecondaryId();
    }
    const bool awaits = m_config->piggybackReply && (frame.flags & AWAITS_REPLY);
    record.state = awaits ? RecordState::AWAITING : RecordState::ACKNOWLEDGING;
    at = m_records.Insert(RecordKey(record.source, record.id), record);
    m_peakRecords = std::max<uint16_t>(m_peakRecords, static_cast<uint16_t>(m_records.GetSize()));
    Note(Event::MSG_ACCEPTED, out);
    if (!awaits)
    {
        TransmitAck(at, out);
    }
    out.Deliver(messaging::Delivery{frame.id,
                                    frame.contents,
                                    frame.source,
                                    frame.payload,
                                    frame.aux,
                                    frame.flags});
}

template <class Out>
void
IdempotentCore::OnAck(const messaging::Frame& frame, Out& out)
{
    if (MustQueue() || !SendConf(frame.source, frame.id, frame.aux, out))
    {
        Queue(Pending{frame.id, frame.source, frame.aux, PacketKind::CONF});
    }
    const uint32_t at = m_sent.Find(frame.id);
    if (at == NONE)
    {
        Note(Event::ACK_FORGOTTEN, out);
        return;
    }
    const messaging::RequestId request = m_sent[at].request;
    Estimate(false);
    m_sent.Erase(at);
    Note(Event::ACK_TAKEN, out);
    out.Cancel(MessageTimer(frame.id));
    out.Complete(request, messaging::Completion::DELIVERED);
    if (frame.flags & HAS_REPLY)
    {
        out.Deliver(messaging::Delivery{frame.id,
                                        frame.contents,
                                        frame.source,
                                        frame.payload,
                                        frame.aux,
                                        static_cast<uint8_t>(frame.flags & ~HAS_REPLY)});
    }
}

template <class Out>
void
IdempotentCore::OnConf(const messaging::Frame& frame, Out& out)
{
    uint32_t at = NONE;
    if (m_config->variant == Variant::SECONDARY_IDS)
    {
        for (uint32_t i = 0; i < m_records.GetSize() && at == NONE; ++i)
        {
            at = m_records[i].secondary == frame.aux ? i : NONE;
        }
    }
    else
    {
        at = FindRecord(frame.source, frame.id);
    }
    if (at == NONE || m_records[at].state == RecordState::RETAINED)
    {
        Note(Event::CONF_FORGOTTEN, out);
        return;
    }
    if (m_records[at].state == RecordState::AWAITING)
    {
        Note(Event::ILLEGAL, out);
        return;
    }
    const Record record = m_records[at];
    Estimate(false);
    Note(Event::CONF_TAKEN, out);
    out.Cancel(AckTimer(record.source, record.id));
    if (m_config->retention > 0 && m_config->variant != Variant::NO_RETENTION)
    {
        m_records[at].state = RecordState::RETAINED;
        m_records[at].hasReply = false;
        out.Arm(RetentionTimer(record.source, record.id), m_config->retention);
    }
    else
    {
        m_records.Erase(at);
    }
    if (record.hasReply)
    {
        const std::size_t reply = FindReply(record);
        const messaging::RequestId request = m_replies[reply].request;
        m_replies[reply] = m_replies.back();
        m_replies.pop_back();
        out.Complete(request, messaging::Completion::DELIVERED);
    }
}

template <class Out>
void
IdempotentCore::OnTimer(messaging::TimerId timer, Out& out)
{
    const uint64_t key = timer & ((uint64_t{1} << TIMER_SHIFT) - 1);
    const auto kind = static_cast<uint8_t>(timer >> TIMER_SHIFT);
    if (kind == MESSAGE_TIMER)
    {
        const uint32_t at = m_sent.Find(key);
        if (at != NONE)
        {
            Estimate(true);
            TransmitMessage(at, out);
        }
        return;
    }
    const uint32_t at = m_records.Find(key);
    if (at == NONE)
    {
        return;
    }
    if (kind == ACK_TIMER && m_records[at].state == RecordState::ACKNOWLEDGING)
    {
        Estimate(true);
        TransmitAck(at, out);
    }
    else if (kind == RETENTION_TIMER && m_records[at].state == RecordState::RETAINED)
    {
        m_records.Erase(at);
        Note(Event::RECORD_EXPIRED, out);
    }
    else if (kind != ACK_TIMER)
    {
        Note(Event::ILLEGAL, out);
    }
}

template <class Out>
void
IdempotentCore::OnReady(Out& out)
{
    bool sentOne = false;
    for (; !m_outbox.IsEmpty(); m_outbox.Pop())
    {
        const Pending pending = m_outbox.Front();
        uint32_t at = NONE;
        if (pending.kind == PacketKind::MSG)
        {
            at = m_sent.Find(pending.id);
        }
        else if (pending.kind == PacketKind::ACK)
        {
            at = FindRecord(pending.peer, pending.id);
            at = at != NONE && m_records[at].state == RecordState::ACKNOWLEDGING ? at : NONE;
        }
        if (at == NONE && pending.kind != PacketKind::CONF)
        {
            continue;
        }
        if constexpr (requires { out.IsBusy(); })
        {
            // Where that can be asked, it costs less than a Send that is refused.
            if (sentOne && out.IsBusy())
            {
                return;
            }
        }
        sentOne = pending.kind == PacketKind::MSG ? SendMessage(at, out)
                  : pending.kind == PacketKind::ACK
                      ? SendAck(at, out)
                      : SendConf(pending.peer, pending.id, pending.aux, out);
        if (!sentOne)
        {
            return;
        }
    }
}

template <class Out>
bool
IdempotentCore::AttachReply(const messaging::Request& request, Out& out)
{
    uint32_t at = 0;
    while (at < m_records.GetSize() &&
           (m_records[at].state != RecordState::AWAITING || m_records[at].source != request.to))
    {
        ++at;
    }
    if (at == m_records.GetSize())
    {
        return false;
    }
    auto& record = m_records[at];
    record.state = RecordState::ACKNOWLEDGING;
    record.hasReply = true;
    m_replies.push_back(Reply{record.id,
                              request.contents,
                              request.id,
                              record.source,
                              request.bytes,
                              request.tag,
                              request.flags});
    Note(Event::REPLY_ATTACHED, out);
    TransmitAck(at, out);
    return true;
}

inline void
IdempotentCore::Encode(messaging::Encoder& e) const
{
    e.Put(m_nextId);
    std::vector<std::array<uint64_t, 5>> lines;
    for (uint32_t i = 0; i < m_sent.GetSize(); ++i)
    {
        const auto& entry = m_sent[i];
        lines.push_back({m_sent.GetKey(i),
                         (uint64_t{entry.to} << 32) | entry.tag,
                         (uint64_t{entry.bytes} << 8) | entry.flags,
                         entry.contents,
                         entry.request});
    }
    const auto putLines = [&] {
        std::sort(lines.begin(), lines.end());
        e.Put(lines.size());
        for (const auto& line : lines)
        {
            for (const uint64_t word : line)
            {
                e.Put(word);
            }
        }
        lines.clear();
    };
    putLines();
    for (uint32_t i = 0; i < m_records.GetSize(); ++i)
    {
        const auto& record = m_records[i];
        lines.push_back({record.source,
                         record.id,
                         record.secondary,
                         static_cast<uint64_t>(record.state),
                         record.hasReply});
    }
    putLines();
    for (const auto& reply : m_replies)
    {
        lines.push_back({reply.source,
                         reply.id,
                         reply.contents,
                         reply.request,
                         (uint64_t{reply.bytes} << 40) | (uint64_t{reply.tag} << 8) | reply.flags});
    }
    putLines();
    for (const auto& pending : m_outbox)
    {
        e.Put(pending.id);
        e.Put((uint64_t{pending.peer} << 32) | pending.aux);
        e.Put(static_cast<uint64_t>(pending.kind));
    }
}

} // namespace idempotent
} // namespace ns3

#endif // IDEMPOTENT_CORE_IMPL_H
