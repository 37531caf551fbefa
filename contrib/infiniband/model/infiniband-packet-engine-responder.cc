/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "infiniband-packet-engine.h"
#include "infiniband-verbs.h"

#include <algorithm>

/**
 * @file
 * @ingroup infiniband
 * PacketEngine: the side of a queue pair that receives (InfiniBand architecture, volume 1, 9.7.4
 * and 9.8).
 */

namespace ns3
{
namespace infiniband
{

void
PacketEngine::OnState(Qpn qp, QpState state)
{
    if (qp >= m_pairs.size())
    {
        m_pairs.resize(m_verbs->GetNQps());
    }
    QueuePair& pair = m_pairs[qp];
    pair.state = state;
    switch (state)
    {
    case QpState::RESET: {
        pair.hasReceive = false;
        Clear(qp);
        QueuePair fresh;
        fresh.epoch = pair.epoch;
        fresh.timerPlaced = pair.timerPlaced;
        fresh.sending = pair.sending;
        fresh.answering = pair.answering;
        fresh.responsesOut = pair.responsesOut;
        pair = fresh;
        break;
    }
    case QpState::INIT:
        pair.host = m_verbs->GetHost(qp);
        pair.transport = m_verbs->GetTransport(qp);
        break;
    case QpState::RTR:
        pair.path = m_verbs->GetPath(qp);
        if (pair.transport != Transport::UD)
        {
            pair.remote = m_verbs->GetRemote(qp);
            pair.remoteHost = m_verbs->GetHost(pair.remote);
            pair.expected = m_verbs->GetRqPsn(qp) & PSN_MASK;
        }
        pair.begun = false;
        break;
    case QpState::RTS:
        if (!pair.begun)
        {
            pair.begun = true;
            pair.postPsn = pair.ackPsn = pair.sentPsn = m_verbs->GetSqPsn(qp) & PSN_MASK;
        }
        WakeSend(qp);
        break;
    case QpState::SQD:
        break;
    case QpState::SQE:
    case QpState::ERR:
        Clear(qp);
        break;
    }
}

void
PacketEngine::Clear(Qpn qp)
{
    QueuePair& pair = m_pairs[qp];
    ++pair.epoch;
    while (pair.head != NO_PLACE)
    {
        Unqueue(qp);
    }
    pair.cursor = NO_PLACE;
    pair.packet = 0;
    pair.deadline = NEVER;
    pair.inFlight = 0;
    pair.reads = 0;
    pair.retries = 0;
    pair.rnrRetries = 0;
    pair.resumed = false;
    pair.waiting = false;
    pair.failed = false;
    if (pair.state == QpState::SQE)
    {
        return;
    }
    while (!pair.answers.IsEmpty())
    {
        Release(m_answers[pair.answers.head].message);
        m_answers.PopFront(pair.answers);
    }
    pair.inMessage = false;
    if (pair.hasReceive)
    {
        pair.hasReceive = false;
        m_verbs->CompleteReceive(qp, pair.receive, {}, NO_QP, WcStatus::WR_FLUSH_ERR);
    }
}

uint32_t
PacketEngine::GetPayload(const Message& message, uint32_t index) const
{
    return std::min(m_link.mtu, message.wr.bytes - index * m_link.mtu);
}

void
PacketEngine::Owe(Qpn qp, const Answer& answer)
{
    m_answers.PushBack(m_pairs[qp].answers, answer);
    WakeAnswer(qp);
}

void
PacketEngine::OweAck(Qpn qp, Syndrome syndrome, uint32_t psn, Ticks ready)
{
    const PooledList& answers = m_pairs[qp].answers;
    if (!answers.IsEmpty() && syndrome == Syndrome::ACK)
    {
        Answer& last = m_answers[answers.tail];
        if (last.kind == PacketKind::ACK && last.syndrome == Syndrome::ACK &&
            (last.psn == psn || last.messages < m_hca.ackCoalescing))
        {
            last.messages += last.psn != psn;
            last.psn = psn;
            return;
        }
    }
    Answer answer;
    answer.ready = ready;
    answer.psn = psn;
    answer.syndrome = syndrome;
    Owe(qp, answer);
}

void
PacketEngine::FailResponder(Qpn qp, Syndrome syndrome, Ticks ready)
{
    const uint32_t psn = m_pairs[qp].expected;
    m_verbs->ModifyQp(qp, {QpState::ERR, NO_QP, 0});
    OweAck(qp, syndrome, psn, ready);
}

Ticks
PacketEngine::TakePacket(Qpn qp, bool first)
{
    Ticks time = m_hca.packetProcessing;
    if (first)
    {
        time += m_hca.receiveProcessing + Touch(qp, ContextRole::RECEIVE);
    }
    return TakeEngine(m_pairs[qp].host, HcaCounters::RECEIVE, m_clock->Now(), time);
}

Ticks
PacketEngine::Place(Qpn qp, const TransportHeader& header, Ticks from)
{
    QueuePair& pair = m_pairs[qp];
    const Message& message = m_messages[header.message];
    const WrOpcode opcode = message.wr.opcode;
    const bool last = header.flags & TransportHeader::LAST;
    const bool fetches = opcode == WrOpcode::RDMA_WRITE_WITH_IMM
                             ? last
                             : TakesReceive(opcode) && (header.flags & TransportHeader::FIRST);
    const auto index = static_cast<uint32_t>(GetPsnDistance(header.psn, message.firstPsn));
    const Ticks written = m_hcas[pair.host].Write(m_hca,
                                                  from + (fetches ? m_hca.wqeFetch : 0),
                                                  GetPayload(message, index));
    if (last && opcode >= WrOpcode::RDMA_WRITE)
    {
        m_verbs->NoteWrite(qp, message.wr);
    }
    if (last && TakesReceive(opcode))
    {
        const uint32_t place = m_arrivals.New();
        m_arrivals[place] = {pair.receive, header.message, WcStatus::SUCCESS};
        ++m_messages[header.message].uses;
        pair.hasReceive = false;
        At(written + m_hca.completion, Event::RECEIVED, qp, place);
    }
    return written;
}

Ticks
PacketEngine::OnUnexpected(Qpn qp, const TransportHeader& header, int32_t distance)
{
    QueuePair& pair = m_pairs[qp];
    const Ticks done = TakePacket(qp, false);
    if (distance > 0)
    {
        if (!pair.nakSent)
        {
            pair.nakSent = true;
            OweAck(qp, Syndrome::NAK_SEQUENCE, pair.expected, done);
        }
        return done;
    }
    Message& message = m_messages[header.message];
    if (IsFetching(message.wr.opcode))
    {
        Answer answer;
        answer.ready = done;
        answer.message = header.message;
        answer.psn = header.psn;
        answer.kind = message.executed ? PacketKind::ATOMIC_ANSWER : PacketKind::READ_RESPONSE;
        answer.packets = message.packets;
        ++message.uses;
        Owe(qp, answer);
    }
    else if (header.flags & TransportHeader::ASKS)
    {
        OweAck(qp, Syndrome::ACK, (pair.expected - 1) & PSN_MASK, done);
    }
    return done;
}

Ticks
PacketEngine::OnReliableRequest(Qpn qp, const TransportHeader& header)
{
    QueuePair& pair = m_pairs[qp];
    const int32_t distance = GetPsnDistance(header.psn, pair.expected);
    if (distance != 0)
    {
        return OnUnexpected(qp, header, distance);
    }
    const SendWr& wr = m_messages[header.message].wr;
    const bool first = header.flags & TransportHeader::FIRST;
    const bool last = header.flags & TransportHeader::LAST;
    const Ticks done = TakePacket(qp, first);
    pair.nakSent = false;
    if (first)
    {
        const WcStatus status = m_verbs->CheckAccess(qp, wr);
        if (status != WcStatus::SUCCESS)
        {
            FailResponder(qp,
                          status == WcStatus::REM_ACCESS_ERR ? Syndrome::NAK_ACCESS
                                                             : Syndrome::NAK_INVALID,
                          done);
            return done;
        }
    }
    const bool takes =
        wr.opcode == WrOpcode::RDMA_WRITE_WITH_IMM ? last : TakesReceive(wr.opcode) && first;
    if (takes && !pair.hasReceive)
    {
        if (!m_verbs->TakeReceive(qp, pair.receive))
        {
            pair.nakSent = true;
            OweAck(qp, Syndrome::RNR_NAK, pair.expected, done);
            return done;
        }
        pair.hasReceive = true;
        if (m_verbs->CheckReceive(qp, pair.receive) != WcStatus::SUCCESS)
        {
            const uint32_t psn = pair.expected;
            FailReceive(qp, header.message, WcStatus::LOC_PROT_ERR);
            OweAck(qp, Syndrome::NAK_OPERATION, psn, done);
            return done;
        }
    }
    if (first)
    {
        pair.arrived = 0;
    }
    pair.inMessage = !last;
    pair.arrived += IsFetching(wr.opcode)
                        ? 0
                        : GetPayload(m_messages[header.message], pair.arrived / m_link.mtu);
    if (wr.opcode <= WrOpcode::SEND_WITH_IMM && pair.arrived > pair.receive.bytes)
    {
        const uint32_t psn = pair.expected;
        FailReceive(qp, header.message, WcStatus::LOC_LEN_ERR);
        OweAck(qp, Syndrome::NAK_INVALID, psn, done);
        return done;
    }
    if (!IsFetching(wr.opcode))
    {
        pair.expected = (pair.expected + 1) & PSN_MASK;
        const Ticks written = Place(qp, header, done);
        if (header.flags & TransportHeader::ASKS)
        {
            OweAck(qp, Syndrome::ACK, header.psn, done);
        }
        return written;
    }
    Message& message = m_messages[header.message];
    pair.expected = (pair.expected + message.packets) & PSN_MASK;
    Answer answer;
    answer.ready = done;
    answer.message = header.message;
    answer.psn = header.psn;
    answer.packets = message.packets;
    answer.kind = PacketKind::READ_RESPONSE;
    if (wr.opcode != WrOpcode::RDMA_READ)
    {
        message.kept = m_verbs->DoAtomic(wr);
        message.executed = true;
        answer.kind = PacketKind::ATOMIC_ANSWER;
        // Memory is read, changed and written over PCI Express.
        answer.ready += m_hca.wqeFetch;
    }
    ++message.uses;
    Owe(qp, answer);
    return done;
}

void
PacketEngine::FailReceive(Qpn qp, uint32_t message, WcStatus status)
{
    QueuePair& pair = m_pairs[qp];
    const RecvWr receive = pair.receive;
    const SendWr wr = m_messages[message].wr;
    pair.hasReceive = false;
    m_verbs->CompleteReceive(qp, receive, wr, m_messages[message].from, status);
}

void
PacketEngine::DropIncoming(Qpn qp)
{
    ++m_dropped;
    m_pairs[qp].inMessage = false;
}

Ticks
PacketEngine::OnUnreliable(Qpn qp, const TransportHeader& header)
{
    QueuePair& pair = m_pairs[qp];
    const Message& message = m_messages[header.message];
    const bool first = header.flags & TransportHeader::FIRST;
    const bool last = header.flags & TransportHeader::LAST;
    const Ticks done = TakePacket(qp, first);
    if (first)
    {
        if (pair.inMessage)
        {
            DropIncoming(qp);
        }
        pair.inMessage = m_verbs->CheckAccess(qp, message.wr) == WcStatus::SUCCESS;
        pair.arrived = 0;
    }
    else if (header.psn != pair.expected)
    {
        pair.inMessage = false;
    }
    pair.expected = (header.psn + 1) & PSN_MASK;
    const bool sent = message.wr.opcode <= WrOpcode::SEND_WITH_IMM;
    if (pair.inMessage && TakesReceive(message.wr.opcode) && (sent ? first : last) &&
        !pair.hasReceive)
    {
        pair.hasReceive = m_verbs->TakeReceive(qp, pair.receive);
        pair.inMessage = pair.hasReceive;
        if (pair.hasReceive && m_verbs->CheckReceive(qp, pair.receive) != WcStatus::SUCCESS)
        {
            ++m_dropped;
            FailReceive(qp, header.message, WcStatus::LOC_PROT_ERR);
            return done;
        }
    }
    if (pair.inMessage)
    {
        pair.arrived += GetPayload(message, pair.arrived / m_link.mtu);
        pair.inMessage = !sent || pair.arrived <= pair.receive.bytes;
    }
    if (!pair.inMessage)
    {
        m_dropped += last;
        return done;
    }
    pair.inMessage = !last;
    return Place(qp, header, done);
}

Ticks
PacketEngine::OnDatagram(Qpn qp, const TransportHeader& header)
{
    QueuePair& pair = m_pairs[qp];
    const Ticks done = TakePacket(qp, true);
    if (!pair.hasReceive)
    {
        pair.hasReceive = m_verbs->TakeReceive(qp, pair.receive);
        if (pair.hasReceive && m_verbs->CheckReceive(qp, pair.receive) != WcStatus::SUCCESS)
        {
            ++m_dropped;
            FailReceive(qp, header.message, WcStatus::LOC_PROT_ERR);
            return done;
        }
    }
    // Too short a receive stays for the next datagram.
    if (!pair.hasReceive || pair.receive.bytes < m_messages[header.message].wr.bytes + GRH_BYTES)
    {
        ++m_dropped;
        return done;
    }
    return Place(qp, header, done);
}

} // namespace infiniband
} // namespace ns3
