/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "infiniband-message-engine.h"
#include "infiniband-verbs.h"

#include <algorithm>

/**
 * @file
 * @ingroup infiniband
 * MessageEngine: from a work request to its trains, and to its end.
 */

namespace ns3
{
namespace infiniband
{

void
MessageEngine::Post(Qpn qp, const SendWr& wr)
{
    Pair& pair = m_pairs[qp];
    const uint32_t index = NewMessage();
    Message& message = m_messages[index];
    message.wr = wr;
    message.atomic = 0;
    message.from = qp;
    message.to = pair.transport == Transport::UD ? wr.to.qp : pair.remote;
    message.next = NONE;
    message.sequence = pair.posted++;
    message.packets = std::max(1U, (wr.bytes + m_link.mtu - 1) / m_link.mtu);
    message.sent = 0;
    message.uses = 1;
    message.generation = pair.generation;
    message.status = WcStatus::SUCCESS;
    message.begun = false;
    message.answered = !IsRead(wr);
    message.hasReceive = false;
    message.broken = false;
    message.resumed = false;
    pair.ready = std::max(pair.ready, m_clock->Now() + m_hca.doorbell + m_hca.wqeFetch);
    message.ready = pair.ready;
    if (pair.first == NONE)
    {
        pair.first = index;
    }
    else
    {
        m_messages[pair.last].next = index;
    }
    pair.last = index;
    pair.oldest = pair.oldest == NONE ? index : pair.oldest;
    pair.unsent = pair.unsent == NONE ? index : pair.unsent;
    m_hosts[pair.host].contexts.Expect(qp, pair.transport, ContextRole::SEND);
    Wake(qp);
}

void
MessageEngine::Wake(Qpn qp)
{
    Pair& pair = m_pairs[qp];
    if (pair.sending || pair.waiting || pair.unsent == NONE)
    {
        return;
    }
    const Message& message = m_messages[pair.unsent];
    if (!message.begun &&
        (pair.state != QpState::RTS || (pair.transport == Transport::RC &&
                                        (pair.outstanding >= m_hca.requestDepth ||
                                         (IsRead(message.wr) && pair.reads >= m_hca.readDepth)))))
    {
        return;
    }
    pair.sending = true;
    if (message.ready > m_clock->Now())
    {
        At(message.ready, Event::FETCHED, qp);
        return;
    }
    Host& host = m_hosts[pair.host];
    pair.behind = NONE;
    (host.first == NONE ? host.first : m_pairs[host.last].behind) = qp;
    host.last = qp;
    Step(pair.host);
}

void
MessageEngine::Step(HostId index)
{
    Host& host = m_hosts[index];
    while (host.first != NONE && !host.stepping)
    {
        host.stepping = true;
        const Ticks when =
            std::max(host.engine[HcaCounters::SEND], host.left[host.prepared % DATA_AHEAD]);
        if (when > m_clock->Now())
        {
            At(when, Event::STEP, index);
            return;
        }
        TakeTurn(index);
        host.stepping = false;
    }
}

void
MessageEngine::TakeTurn(HostId index)
{
    Host& host = m_hosts[index];
    const Qpn qp = host.first;
    if (qp == NONE)
    {
        return;
    }
    host.first = m_pairs[qp].behind;
    m_pairs[qp].sending = false;
    if (m_pairs[qp].unsent != NONE && !m_pairs[qp].waiting)
    {
        Send(qp);
    }
    Wake(qp);
}

void
MessageEngine::Cut(Message& message, Train& train) const
{
    const SendWr& wr = message.wr;
    train.sequence = message.sequence;
    train.first = message.sent;
    const bool datagram = m_pairs[message.from].transport == Transport::UD;
    const bool immediate =
        wr.opcode == WrOpcode::SEND_WITH_IMM || wr.opcode == WrOpcode::RDMA_WRITE_WITH_IMM;
    uint32_t firstExtra = wr.opcode >= WrOpcode::RDMA_WRITE && train.first == 0 ? RETH_BYTES : 0;
    if (IsRead(wr))
    {
        message.sent = message.packets;
        firstExtra = wr.opcode == WrOpcode::RDMA_READ ? RETH_BYTES : ATOMIC_ETH_BYTES;
    }
    else
    {
        train.packets = std::min(message.packets - message.sent, m_trainPackets);
        message.sent += train.packets;
        train.payload = std::min(wr.bytes - train.first * m_link.mtu, train.packets * m_link.mtu);
    }
    const uint32_t lastExtra = immediate && message.sent == message.packets ? IMMEDIATE_BYTES : 0;
    SetBytes(train, PACKET_BYTES + (datagram ? DETH_BYTES : 0), firstExtra, lastExtra);
}

void
MessageEngine::SetBytes(Train& train,
                        uint32_t headers,
                        uint32_t firstExtra,
                        uint32_t lastExtra) const
{
    const uint32_t lastPayload = train.payload - (train.packets - 1) * m_link.mtu;
    train.bytes = train.packets * headers + train.payload + firstExtra + lastExtra;
    train.lastBytes = headers + lastPayload + lastExtra;
    train.firstBytes = headers + m_link.mtu + firstExtra;
    if (train.packets == 1)
    {
        train.firstBytes = train.lastBytes = train.bytes;
    }
}

void
MessageEngine::Send(Qpn qp)
{
    Pair& pair = m_pairs[qp];
    const uint32_t index = pair.unsent;
    Message& message = m_messages[index];
    const bool reliable = pair.transport == Transport::RC;
    const bool begins = !message.begun;
    if (begins)
    {
        message.begun = true;
        pair.reads += IsRead(message.wr);
        if (pair.outstanding++ == 0)
        {
            pair.progress = m_clock->Now();
        }
    }
    const bool datagram = pair.transport == Transport::UD;
    const uint32_t trainIndex = NewTrain(qp, message.to, Cargo::DATA, message.generation);
    Train& train = m_trains[trainIndex];
    train.message = index;
    const bool fetch = message.sent == 0 || message.resumed;
    message.resumed = false;
    Cut(message, train);
    if (!datagram)
    {
        train.route = pair.route;
    }
    else
    {
        // The multicast group is nowhere; see the documentation.
        const Address& to = message.wr.to;
        train.route = FindRoute(pair.host, to.qp == NO_QP ? pair.host : to.host, to.path);
    }

    // The engine prepares the message and takes its packets one by one; each leaves when its data
    // is there.
    Host& host = m_hosts[pair.host];
    const Ticks processing = fetch ? m_hca.sendProcessing + Touch(qp, ContextRole::SEND) : 0;
    const Ticks prepared =
        (begins ? AwaitEngine(pair.host, HcaCounters::SEND, processing, message.ready)
                : TakeEngine(pair.host, HcaCounters::SEND, processing)) +
        m_hca.packetProcessing;
    train.tail = TakeEngine(pair.host, HcaCounters::SEND, train.packets * m_hca.packetProcessing);
    train.head = prepared;
    if (!(message.wr.flags & INLINE) && train.payload > 0)
    {
        const uint32_t first = std::min(train.payload, m_link.mtu);
        train.head =
            Transfer(host, HcaCounters::READ, prepared + (fetch ? m_hca.wqeFetch : 0), first);
        if (train.payload > first)
        {
            Transfer(host, HcaCounters::READ, train.head, train.payload - first);
        }
        train.tail = std::max(train.tail, host.read);
    }
    ExpectPair(message.to);
    ++message.uses;
    const bool ends = message.sent == message.packets;
    if (ends)
    {
        pair.unsent = message.next;
    }
    Launch(train);
    const Ticks left = host.left[(host.prepared - 1) % DATA_AHEAD];
    Advance(trainIndex);
    if (ends && !reliable)
    {
        Acknowledge(qp, message.sequence + 1, left);
    }
}

void
MessageEngine::Acknowledge(Qpn qp, uint32_t sequence, Ticks when)
{
    Pair& pair = m_pairs[qp];
    const uint32_t before = pair.acked;
    bool signalled = false;
    if (static_cast<int32_t>(sequence - pair.told) > 0)
    {
        pair.told = sequence;
    }
    while (pair.acked != pair.told && pair.oldest != NONE && m_messages[pair.oldest].answered)
    {
        const Message& message = m_messages[pair.oldest];
        signalled |= message.wr.flags & SIGNALED;
        --pair.outstanding;
        pair.reads -= IsRead(message.wr);
        if (pair.unsent == pair.oldest)
        {
            pair.unsent = message.next;
        }
        pair.oldest = message.next;
        ++pair.acked;
    }
    if (pair.acked == before)
    {
        return;
    }
    pair.progress = m_clock->Now();
    pair.retries = 0;
    pair.rnrRetries = 0;
    if (signalled)
    {
        ++pair.completing;
        At(when + m_hca.completion,
           Event::COMPLETE,
           qp,
           uint64_t{pair.generation} << 32 | pair.acked);
    }
    else if (pair.completing == 0)
    {
        Complete(qp, pair.acked);
    }
    Wake(qp);
}

void
MessageEngine::Complete(Qpn qp, uint32_t sequence)
{
    const uint16_t generation = m_pairs[qp].generation;
    // Programs may post and reset while they are told, so nothing is kept over a call.
    while (m_pairs[qp].generation == generation && m_pairs[qp].first != m_pairs[qp].oldest)
    {
        Pair& pair = m_pairs[qp];
        const uint32_t index = pair.first;
        const Message& message = m_messages[index];
        const auto beyond = static_cast<int32_t>(message.sequence - sequence);
        if (beyond >= 0 && (message.wr.flags & SIGNALED || message.status != WcStatus::SUCCESS))
        {
            return;
        }
        pair.first = message.next;
        const SendWr wr = message.wr;
        const WcStatus status = message.status;
        const uint64_t atomic = message.atomic;
        Release(index);
        m_verbs->CompleteSend(qp, wr, status, atomic);
    }
}

void
MessageEngine::GoBack(Qpn qp, uint32_t sequence, uint32_t packet)
{
    Pair& pair = m_pairs[qp];
    uint32_t index = pair.oldest;
    while (index != NONE && m_messages[index].sequence != sequence)
    {
        index = m_messages[index].next;
    }
    if (index == NONE)
    {
        return;
    }
    pair.unsent = index;
    m_messages[index].sent = packet;
    m_messages[index].resumed = true;
    ++m_resent;
    for (index = m_messages[index].next; index != NONE && m_messages[index].begun;
         index = m_messages[index].next)
    {
        m_messages[index].sent = 0;
        ++m_resent;
    }
}

void
MessageEngine::Fail(Qpn qp, WcStatus status, Ticks when)
{
    Pair& pair = m_pairs[qp];
    Message& message = m_messages[pair.oldest];
    message.status = status;
    pair.oldest = message.next;
    ++pair.acked;
    pair.told = pair.acked;
    pair.unsent = NONE;
    pair.waiting = true;
    ++pair.completing;
    At(when + m_hca.completion, Event::COMPLETE, qp, uint64_t{pair.generation} << 32 | pair.acked);
}

void
MessageEngine::Watch(Qpn qp)
{
    Pair& pair = m_pairs[qp];
    if (!pair.timing)
    {
        pair.timing = true;
        At(pair.progress + m_hca.ackTimeout, Event::TIMEOUT, qp);
    }
}

void
MessageEngine::LookAtTimeout(Qpn qp)
{
    Pair& pair = m_pairs[qp];
    pair.timing = false;
    if (pair.oldest == NONE || !m_messages[pair.oldest].begun)
    {
        return;
    }
    const Ticks now = m_clock->Now();
    if (now >= pair.progress + m_hca.ackTimeout && !pair.waiting)
    {
        if (pair.retries++ == m_hca.retryCount)
        {
            Fail(qp, WcStatus::RETRY_EXC_ERR, now);
            return;
        }
        pair.progress = now;
        GoBack(qp, pair.acked, 0);
        Wake(qp);
    }
    Watch(qp);
}

} // namespace infiniband
} // namespace ns3
