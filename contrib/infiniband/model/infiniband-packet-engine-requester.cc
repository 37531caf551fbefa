/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "infiniband-packet-engine.h"
#include "infiniband-verbs.h"

#include <algorithm>

/**
 * @file
 * @ingroup infiniband
 * PacketEngine: the side of a queue pair that sends (InfiniBand architecture, volume 1, 9.7.5).
 */

namespace ns3
{
namespace infiniband
{

namespace
{

/** This many retries for want of a receive are as many as it takes. */
constexpr uint8_t RETRY_FOR_EVER = 7;

} // namespace

void
PacketEngine::Post(Qpn qp, const SendWr& wr)
{
    const uint32_t place = m_messages.New();
    QueuePair& pair = m_pairs[qp];
    Message& message = m_messages[place];
    message.wr = wr;
    message.from = qp;
    message.firstPsn = pair.postPsn;
    message.packets = std::max(1U, (wr.bytes + m_link.mtu - 1) / m_link.mtu);
    message.queued = true;
    message.uses = 2; // Of its send queue, and of the event.
    pair.postPsn = (pair.postPsn + message.packets) & PSN_MASK;
    (pair.head == NO_PLACE ? pair.head : m_messages[pair.tail].next) = place;
    pair.tail = place;
    if (pair.cursor == NO_PLACE)
    {
        pair.cursor = place;
        pair.packet = 0;
    }
    At(m_clock->Now() + m_hca.doorbell + m_hca.wqeFetch, Event::FETCHED, qp, place);
    m_hcas[pair.host].contexts.Expect(qp, pair.transport, ContextRole::SEND);
}

void
PacketEngine::Unqueue(Qpn qp)
{
    QueuePair& pair = m_pairs[qp];
    const uint32_t place = pair.head;
    Message& message = m_messages[place];
    pair.head = message.next;
    if (pair.head == NO_PLACE)
    {
        pair.tail = NO_PLACE;
    }
    message.queued = false;
    Release(place);
}

void
PacketEngine::SetCursor(Qpn qp, uint32_t psn)
{
    QueuePair& pair = m_pairs[qp];
    pair.cursor = pair.head;
    pair.packet = 0;
    while (pair.cursor != NO_PLACE)
    {
        const Message& message = m_messages[pair.cursor];
        const int32_t offset = GetPsnDistance(psn, message.firstPsn);
        if (offset < static_cast<int32_t>(message.packets))
        {
            // A read is asked for as a whole; what has arrived of it is not taken again.
            pair.packet = IsFetching(message.wr.opcode) ? 0 : std::max(offset, 0);
            return;
        }
        pair.cursor = message.next;
    }
}

void
PacketEngine::Retry(Qpn qp, uint32_t psn)
{
    QueuePair& pair = m_pairs[qp];
    ++m_retries;
    if (pair.retries == m_hca.retryCount)
    {
        Fail(qp, WcStatus::RETRY_EXC_ERR, m_clock->Now());
        return;
    }
    ++pair.retries;
    pair.resumed = true;
    pair.deadline = NEVER;
    SetCursor(qp, psn);
    WakeSend(qp);
}

void
PacketEngine::Fail(Qpn qp, WcStatus status, Ticks when)
{
    QueuePair& pair = m_pairs[qp];
    pair.failed = true;
    pair.deadline = NEVER;
    pair.ended = std::max(pair.ended, when + m_hca.completion);
    At(pair.ended, Event::FAILED, qp, static_cast<uint32_t>(status));
}

bool
PacketEngine::Acknowledge(Qpn qp, uint32_t psn, Ticks when)
{
    QueuePair& pair = m_pairs[qp];
    if (GetPsnDistance(psn, pair.ackPsn) <= 0)
    {
        return true;
    }
    const uint32_t cursorPsn =
        pair.cursor == NO_PLACE ? pair.postPsn : m_messages[pair.cursor].firstPsn + pair.packet;
    bool complete = true;
    while (pair.head != NO_PLACE)
    {
        Message& message = m_messages[pair.head];
        if (!message.begun || GetPsnDistance(psn, message.firstPsn + message.packets) < 0)
        {
            break;
        }
        if (IsFetching(message.wr.opcode))
        {
            if (message.answered < message.packets)
            {
                complete = false;
                psn = (message.firstPsn + message.answered) & PSN_MASK;
                break;
            }
            --pair.reads;
        }
        --pair.inFlight;
        ++message.uses;
        pair.ended = std::max(pair.ended, when + m_hca.completion);
        At(pair.ended, Event::SENT, qp, pair.head);
        Unqueue(qp);
    }
    if (GetPsnDistance(psn, pair.ackPsn) > 0)
    {
        pair.retries = 0;
        pair.rnrRetries = 0;
        pair.ackPsn = psn;
        pair.deadline = NEVER;
        if (pair.inFlight > 0)
        {
            SetTimer(qp, when);
        }
    }
    if (GetPsnDistance(psn, cursorPsn) > 0)
    {
        SetCursor(qp, psn);
    }
    if (!complete && !m_messages[pair.head].askedAgain)
    {
        // The responder answers in order, so what came after the responses says that they are lost.
        m_messages[pair.head].askedAgain = true;
        Retry(qp, m_messages[pair.head].firstPsn);
    }
    WakeSend(qp);
    return complete;
}

void
PacketEngine::SetTimer(Qpn qp, Ticks from)
{
    QueuePair& pair = m_pairs[qp];
    pair.deadline = from + m_hca.ackTimeout;
    if (!pair.timerPlaced)
    {
        pair.timerPlaced = true;
        At(pair.deadline, Event::TIMEOUT, qp);
    }
}

void
PacketEngine::OnTimeout(Qpn qp)
{
    QueuePair& pair = m_pairs[qp];
    pair.timerPlaced = false;
    if (pair.deadline == NEVER)
    {
        return;
    }
    if (m_clock->Now() < pair.deadline)
    {
        pair.timerPlaced = true;
        At(pair.deadline, Event::TIMEOUT, qp);
        return;
    }
    Retry(qp, pair.ackPsn);
}

Ticks
PacketEngine::OnAck(Qpn qp, const TransportHeader& header)
{
    QueuePair& pair = m_pairs[qp];
    const Ticks done = TakeEngine(pair.host,
                                  HcaCounters::ACKNOWLEDGE,
                                  m_clock->Now(),
                                  m_hca.ackProcessing + Touch(qp, ContextRole::ACK_IN));
    const bool positive = header.syndrome == Syndrome::ACK;
    const uint32_t acked = (header.psn + positive) & PSN_MASK;
    if (pair.failed || GetPsnDistance(acked, pair.ackPsn) < 0 ||
        GetPsnDistance(acked, pair.sentPsn) > 0)
    {
        return done;
    }
    if (!Acknowledge(qp, acked, done) || positive || acked == pair.sentPsn)
    {
        return done;
    }
    switch (header.syndrome)
    {
    case Syndrome::ACK:
        break;
    case Syndrome::RNR_NAK:
        if (pair.waiting)
        {
            break;
        }
        if (m_hca.rnrRetryCount != RETRY_FOR_EVER && pair.rnrRetries == m_hca.rnrRetryCount)
        {
            Fail(qp, WcStatus::RNR_RETRY_EXC_ERR, done);
            break;
        }
        pair.rnrRetries += m_hca.rnrRetryCount != RETRY_FOR_EVER;
        pair.waiting = true;
        pair.resumed = true;
        pair.deadline = NEVER;
        SetCursor(qp, acked);
        At(done + m_hca.rnrTimeout, Event::RESUME, qp);
        break;
    case Syndrome::NAK_SEQUENCE:
        if (!pair.waiting)
        {
            Retry(qp, acked);
        }
        break;
    case Syndrome::NAK_INVALID:
        Fail(qp, WcStatus::REM_INV_REQ_ERR, done);
        break;
    case Syndrome::NAK_ACCESS:
        Fail(qp, WcStatus::REM_ACCESS_ERR, done);
        break;
    case Syndrome::NAK_OPERATION:
        Fail(qp, WcStatus::REM_OP_ERR, done);
        break;
    }
    return done;
}

Ticks
PacketEngine::OnResponse(Qpn qp, const TransportHeader& header)
{
    QueuePair& pair = m_pairs[qp];
    Hca& hca = m_hcas[pair.host];
    Message& message = m_messages[header.message];
    const auto index = static_cast<uint32_t>(GetPsnDistance(header.psn, message.firstPsn));
    Ticks time = m_hca.packetProcessing;
    if (index == 0)
    {
        time += Touch(qp, ContextRole::ACK_IN);
    }
    Ticks done = TakeEngine(pair.host, HcaCounters::RECEIVE, m_clock->Now(), time);
    if (!message.queued || pair.failed || index < message.answered ||
        !Acknowledge(qp, message.firstPsn, done))
    {
        return done;
    }
    if (index > message.answered)
    {
        if (!message.askedAgain)
        {
            message.askedAgain = true;
            Retry(qp, message.firstPsn);
        }
        return done;
    }
    ++message.answered;
    message.askedAgain = false;
    message.atomic = message.kept;
    if (header.kind == PacketKind::READ_RESPONSE)
    {
        done = hca.Write(m_hca, done, GetPayload(message, index));
    }
    Acknowledge(qp, (message.firstPsn + message.answered) & PSN_MASK, done);
    return done;
}

} // namespace infiniband
} // namespace ns3
