/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "infiniband-packet-engine.h"
#include "infiniband-verbs.h"

#include <algorithm>

/**
 * @file
 * @ingroup infiniband
 * PacketEngine: what adapters prepare and give to the fabric.
 */

namespace ns3
{
namespace infiniband
{

namespace
{

/**
 * Packets with data that an adapter prepares ahead of its link: enough that reading the next over
 * PCI Express goes on while one is sent.
 */
constexpr uint32_t DATA_AHEAD = 4;

/** A long message of RC asks for an ACK this often, so that none outlasts the timeout [packets]. */
constexpr uint32_t ASK_EVERY = 64;

/**
 * Get the length of a request packet beside its data.
 * @param transport type of the queue pair
 * @param opcode of the message
 * @param first whether it is the first of the message
 * @param last whether it is the last
 * @return the length [bytes]
 */
uint32_t
GetHeaderBytes(Transport transport, WrOpcode opcode, bool first, bool last)
{
    uint32_t bytes = MIN_PACKET_BYTES + (transport == Transport::UD ? DETH_BYTES : 0);
    switch (opcode)
    {
    case WrOpcode::SEND:
        return bytes;
    case WrOpcode::SEND_WITH_IMM:
        return bytes + (last ? IMMEDIATE_BYTES : 0);
    case WrOpcode::RDMA_WRITE_WITH_IMM:
        bytes += last ? IMMEDIATE_BYTES : 0;
        [[fallthrough]];
    case WrOpcode::RDMA_WRITE:
        return bytes + (first ? RETH_BYTES : 0);
    case WrOpcode::RDMA_READ:
        return bytes + RETH_BYTES;
    case WrOpcode::ATOMIC_COMPARE_AND_SWAP:
    case WrOpcode::ATOMIC_FETCH_AND_ADD:
        break;
    }
    return bytes + ATOMIC_ETH_BYTES;
}

} // namespace

Ticks
PacketEngine::TakeEngine(HostId host, HcaCounters::Part part, Ticks asked, Ticks time, bool counted)
{
    Hca& hca = m_hcas[host];
    Ticks& free = hca.GetEngineFree(m_hca, part);
    const Ticks begin = std::max({free, asked, m_clock->Now()});
    free = begin + time;
    hca.counters.parts[part].busy += time;
    if (counted)
    {
        hca.counters.Wait(part, asked, begin);
    }
    m_work(host, part, begin, free);
    return free;
}

bool
PacketEngine::CanSend(const QueuePair& pair) const
{
    if (pair.cursor == NO_PLACE || pair.waiting || pair.failed)
    {
        return false;
    }
    const Message& message = m_messages[pair.cursor];
    if (message.fetchedAt == NEVER || (pair.state != QpState::RTS && !message.begun))
    {
        return false;
    }
    if (pair.transport != Transport::RC || message.begun)
    {
        return true;
    }
    return pair.inFlight < m_hca.requestDepth &&
           (!IsFetching(message.wr.opcode) || pair.reads < m_hca.readDepth);
}

void
PacketEngine::WakeSend(Qpn qp)
{
    QueuePair& pair = m_pairs[qp];
    const bool responds =
        !pair.answers.IsEmpty() && m_answers[pair.answers.head].kind == PacketKind::READ_RESPONSE;
    if (!pair.sending && (responds || CanSend(pair)))
    {
        pair.sending = true;
        m_queued.PushBack(m_hcas[pair.host].sends.pairs, qp);
        StepSends(pair.host);
    }
}

void
PacketEngine::WakeAnswer(Qpn qp)
{
    QueuePair& pair = m_pairs[qp];
    if (pair.answers.IsEmpty())
    {
        return;
    }
    if (m_answers[pair.answers.head].kind == PacketKind::READ_RESPONSE)
    {
        WakeSend(qp);
    }
    else if (!pair.answering)
    {
        pair.answering = true;
        m_queued.PushBack(m_hcas[pair.host].answers.pairs, qp);
        StepAnswers(pair.host);
    }
}

void
PacketEngine::StepSends(HostId host)
{
    Hca& hca = m_hcas[host];
    if (!hca.sends.stepping && !hca.sends.pairs.IsEmpty() && hca.nData < DATA_AHEAD)
    {
        hca.sends.stepping = true;
        At(hca.engineFree[HcaCounters::SEND], Event::SEND, host);
    }
}

void
PacketEngine::StepAnswers(HostId host)
{
    Hca& hca = m_hcas[host];
    if (!hca.answers.stepping && !hca.answers.pairs.IsEmpty())
    {
        hca.answers.stepping = true;
        At(hca.GetEngineFree(m_hca, HcaCounters::ACKNOWLEDGE), Event::ANSWER, host);
    }
}

void
PacketEngine::DoSend(HostId host)
{
    Hca& hca = m_hcas[host];
    hca.sends.stepping = false;
    while (!hca.sends.pairs.IsEmpty())
    {
        const Qpn qp = m_queued[hca.sends.pairs.head];
        m_queued.PopFront(hca.sends.pairs);
        QueuePair& pair = m_pairs[qp];
        pair.sending = false;
        if (!pair.answers.IsEmpty() &&
            m_answers[pair.answers.head].kind == PacketKind::READ_RESPONSE)
        {
            PrepareResponse(qp);
        }
        else if (CanSend(pair))
        {
            PrepareRequest(qp);
        }
        else
        {
            continue;
        }
        WakeSend(qp);
        break;
    }
    StepSends(host);
}

void
PacketEngine::PrepareRequest(Qpn qp)
{
    QueuePair& pair = m_pairs[qp];
    Hca& hca = m_hcas[pair.host];
    const uint32_t place = pair.cursor;
    const bool reliable = pair.transport == Transport::RC;
    Message& message = m_messages[place];
    const bool first = pair.packet == 0;
    const bool last = pair.packet + 1 == message.GetNRequests();
    const bool fetch = first || pair.resumed;
    pair.resumed = false;
    Ticks time = m_hca.packetProcessing;
    if (fetch)
    {
        time += m_hca.sendProcessing + Touch(qp, ContextRole::SEND);
    }
    const bool begins = !message.begun;
    if (reliable && begins)
    {
        ++pair.inFlight;
        pair.reads += IsFetching(message.wr.opcode);
    }
    message.begun = true;

    OutPacket packet;
    packet.ready = TakeEngine(pair.host, HcaCounters::SEND, message.fetchedAt, time, begins);
    packet.header.to = reliable || pair.transport == Transport::UC ? pair.remote : message.wr.to.qp;
    packet.header.message = place;
    packet.header.psn = (message.firstPsn + pair.packet) & PSN_MASK;
    packet.header.flags = (first ? TransportHeader::FIRST : 0) | (last ? TransportHeader::LAST : 0);
    if (last || (pair.packet + 1) % ASK_EVERY == 0)
    {
        packet.header.flags |= TransportHeader::ASKS;
    }
    packet.bytes = GetHeaderBytes(pair.transport, message.wr.opcode, first, last);
    const uint32_t payload = GetPayload(message, pair.packet);
    if (payload > 0 && !IsFetching(message.wr.opcode))
    {
        packet.bytes += payload;
        if (!(message.wr.flags & INLINE))
        {
            const Ticks asked = packet.ready + (fetch ? m_hca.wqeFetch : 0);
            packet.ready = hca.Read(m_hca, asked, payload);
        }
    }
    ++message.uses;
    if (last)
    {
        pair.cursor = message.next;
        pair.packet = 0;
    }
    else
    {
        ++pair.packet;
    }
    if (reliable)
    {
        const uint32_t end = (message.firstPsn + (last ? message.packets : pair.packet)) & PSN_MASK;
        if (GetPsnDistance(end, pair.sentPsn) > 0)
        {
            pair.sentPsn = end;
        }
        if (pair.deadline == NEVER)
        {
            SetTimer(qp, packet.ready);
        }
    }
    else if (last)
    {
        // Its packets know it until they have left, which is when it completes.
        Unqueue(qp);
    }
    Prepared(qp, Hca::DATA, packet);
}

void
PacketEngine::PrepareResponse(Qpn qp)
{
    QueuePair& pair = m_pairs[qp];
    Hca& hca = m_hcas[pair.host];
    Answer& answer = m_answers[pair.answers.head];
    const Message& message = m_messages[answer.message];
    const uint32_t payload =
        GetPayload(message, static_cast<uint32_t>(GetPsnDistance(answer.psn, message.firstPsn)));
    const bool first = !answer.begun;
    const bool last = answer.packets == 1;
    OutPacket packet;
    const Ticks done =
        TakeEngine(pair.host, HcaCounters::SEND, answer.ready, m_hca.packetProcessing, false);
    packet.ready = hca.Read(m_hca, done + (first ? m_hca.wqeFetch : 0), payload);
    packet.bytes = MIN_PACKET_BYTES + payload + (first || last ? AETH_BYTES : 0);
    packet.header.to = pair.remote;
    packet.header.message = answer.message;
    packet.header.psn = answer.psn;
    packet.header.kind = PacketKind::READ_RESPONSE;
    ++m_messages[answer.message].uses;
    ++pair.responsesOut;
    answer.begun = true;
    answer.psn = (answer.psn + 1) & PSN_MASK;
    if (--answer.packets == 0)
    {
        Release(answer.message);
        m_answers.PopFront(pair.answers);
        WakeAnswer(qp);
    }
    Prepared(qp, Hca::DATA, packet);
}

void
PacketEngine::DoAnswer(HostId host)
{
    Hca& hca = m_hcas[host];
    hca.answers.stepping = false;
    const Qpn qp = m_queued[hca.answers.pairs.head];
    m_queued.PopFront(hca.answers.pairs);
    QueuePair& pair = m_pairs[qp];
    pair.answering = false;
    if (!pair.answers.IsEmpty() && m_answers[pair.answers.head].kind != PacketKind::READ_RESPONSE)
    {
        const Answer answer = m_answers[pair.answers.head];
        m_answers.PopFront(pair.answers);
        OutPacket packet;
        packet.ready = TakeEngine(host,
                                  HcaCounters::ACKNOWLEDGE,
                                  answer.ready,
                                  m_hca.ackProcessing + Touch(qp, ContextRole::ACK_OUT));
        packet.header.to = pair.remote;
        packet.header.message = answer.message;
        packet.header.psn = answer.psn;
        packet.header.kind = answer.kind;
        packet.header.syndrome = answer.syndrome;
        packet.bytes = MIN_PACKET_BYTES + AETH_BYTES +
                       (answer.kind == PacketKind::ATOMIC_ANSWER ? ATOMIC_ACK_ETH_BYTES : 0);
        m_acks += answer.kind == PacketKind::ACK;
        // An ACK passes by data that waits, but not by responses of its own queue pair.
        Prepared(qp, pair.responsesOut > 0 ? Hca::DATA : Hca::ANSWERS, packet);
    }
    WakeAnswer(qp);
    StepAnswers(host);
}

void
PacketEngine::Prepared(Qpn qp, Hca::Lane lane, OutPacket packet)
{
    const QueuePair& pair = m_pairs[qp];
    packet.from = qp;
    packet.to = pair.remoteHost;
    packet.path = pair.path;
    if (pair.transport == Transport::UD)
    {
        const Address& to = m_messages[packet.header.message].wr.to;
        packet.to = to.qp == NO_QP ? ALL_HOSTS : to.host;
        packet.path = to.path;
    }
    Hca& hca = m_hcas[pair.host];
    m_out.PushBack(hca.out[lane], packet);
    hca.nData += lane == Hca::DATA;
    PlanInject(pair.host);
}

void
PacketEngine::PlanInject(HostId host)
{
    Hca& hca = m_hcas[host];
    Ticks when = NEVER;
    for (const PooledList& list : hca.out)
    {
        if (!list.IsEmpty())
        {
            when = std::min(when, m_out[list.head].ready);
        }
    }
    if (when == NEVER || hca.blocked)
    {
        return;
    }
    when = std::max({when, hca.linkFree, m_clock->Now()});
    if (when < hca.injectAt)
    {
        hca.injectAt = when;
        At(when, Event::INJECT, host);
    }
}

void
PacketEngine::Inject(HostId host)
{
    Hca& hca = m_hcas[host];
    const Ticks now = m_clock->Now();
    hca.injectAt = NEVER;
    for (const Hca::Lane lane : {Hca::ANSWERS, Hca::DATA})
    {
        if (hca.out[lane].IsEmpty() || m_out[hca.out[lane].head].ready > now)
        {
            continue;
        }
        const OutPacket packet = m_out[hca.out[lane].head];
        QueuePair& pair = m_pairs[packet.from];
        const bool ends =
            pair.transport != Transport::RC && (packet.header.flags & TransportHeader::LAST);
        // The carrier may lose the packet, and with it the last that knows the message.
        if (ends)
        {
            ++m_messages[packet.header.message].uses;
        }
        if (!Carry(host, packet))
        {
            if (ends)
            {
                Release(packet.header.message);
            }
            hca.blocked = true;
            return;
        }
        m_out.PopFront(hca.out[lane]);
        const Ticks wire = m_carrier->GetWireTime(host, packet.bytes);
        hca.linkFree = now + wire + m_hca.packetProcessing;
        hca.counters.Wait(HcaCounters::LINK, packet.ready, now);
        hca.counters.parts[HcaCounters::LINK].busy += wire;
        ++m_packets;
        pair.responsesOut -= packet.header.kind == PacketKind::READ_RESPONSE;
        if (lane == Hca::DATA)
        {
            --hca.nData;
            StepSends(host);
        }
        if (ends)
        {
            At(now + m_hca.completion, Event::SENT, packet.from, packet.header.message);
        }
        break;
    }
    PlanInject(host);
}

bool
PacketEngine::Carry(HostId host, const OutPacket& packet)
{
    TransportHeader header = packet.header;
    // It takes the packet some time to arrive.
    Expect(header.to);
    m_verbs->ExpectEnd(header.to);
    if (m_packetLoss > 0 && m_random->GetValue() < m_packetLoss)
    {
        header.flags |= TransportHeader::LOST;
    }
    if (packet.to != host && !m_carrier->Send(host, packet.to, packet.path, packet.bytes, header))
    {
        return false;
    }
    if (packet.to == host || packet.to == ALL_HOSTS)
    {
        if (packet.to == ALL_HOSTS)
        {
            OnCopied(header);
        }
        const uint32_t place = m_loops.New();
        m_loops[place] = header;
        At(m_clock->Now() + m_carrier->GetWireTime(host, packet.bytes), Event::LOOP, host, place);
    }
    return true;
}

void
PacketEngine::OnRoom(HostId host)
{
    m_hcas[host].blocked = false;
    PlanInject(host);
}

} // namespace infiniband
} // namespace ns3
