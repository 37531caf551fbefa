/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "infiniband-message-engine.h"
#include "infiniband-verbs.h"

#include <algorithm>

/**
 * @file
 * @ingroup infiniband
 * MessageEngine: what it does with what arrives.
 */

namespace ns3
{
namespace infiniband
{

namespace
{

/**
 * @param state of a queue pair
 * @return whether it receives
 */
bool
IsReceiving(QpState state)
{
    return state >= QpState::RTR && state != QpState::ERR;
}

/**
 * @param wr a request
 * @return whether it fills a receive
 */
bool
NeedsReceive(const SendWr& wr)
{
    return wr.opcode <= WrOpcode::SEND_WITH_IMM || wr.opcode == WrOpcode::RDMA_WRITE_WITH_IMM;
}

/**
 * @param wr a request
 * @param first whether its first packet arrives
 * @param last whether its last packet arrives
 * @return whether its receive is fetched now
 */
bool
FetchesReceive(const SendWr& wr, bool first, bool last)
{
    return NeedsReceive(wr) && (wr.opcode == WrOpcode::RDMA_WRITE_WITH_IMM ? last : first);
}

} // namespace

uint32_t
MessageEngine::DrawLoss(uint32_t packets)
{
    uint32_t passed = packets;
    if (m_packetLoss > 0)
    {
        passed = 0;
        while (passed < packets && m_random->GetValue() >= m_packetLoss)
        {
            ++passed;
        }
        m_lost += passed < packets;
    }
    return passed;
}

void
MessageEngine::Begin(const Train& train)
{
    const Message& message = m_messages[train.message];
    const HostId host = m_pairs[train.to].host;
    Ticks time = m_hca.packetProcessing;
    Ticks fetch = 0;
    if (train.cargo == Cargo::RESPONSE)
    {
        time += Touch(train.to, ContextRole::ACK_IN);
    }
    else
    {
        time += m_hca.receiveProcessing + Touch(train.to, ContextRole::RECEIVE);
        fetch = FetchesReceive(message.wr, true, message.packets == 1) ? m_hca.wqeFetch : 0;
    }
    const Ticks ready = AwaitEngine(host, HcaCounters::RECEIVE, time, m_clock->Now()) + fetch;
    Transfer(m_hosts[host], HcaCounters::WRITE, ready, std::min(train.payload, m_link.mtu));
}

Ticks
MessageEngine::TakeIn(const Train& train)
{
    const HostId host = m_pairs[train.to].host;
    if (train.first == 0 && train.packets == 1)
    {
        Begin(train);
        return m_hosts[host].write;
    }
    // All packets but the last came before it, and went through if there was time.
    const uint32_t last = (train.payload - 1) % m_link.mtu + 1;
    const uint32_t before = train.packets - (train.first == 0 ? 2 : 1);
    const Ticks passed = before * m_hca.packetProcessing;
    GetEngine(host, HcaCounters::RECEIVE) += passed;
    m_hosts[host].counters.parts[HcaCounters::RECEIVE].busy += passed;
    Ticks ready = AwaitEngine(host, HcaCounters::RECEIVE, m_hca.packetProcessing, m_clock->Now());
    const Message& message = m_messages[train.message];
    if (train.cargo == Cargo::DATA &&
        FetchesReceive(message.wr, false, train.first + train.packets == message.packets))
    {
        ready += m_hca.wqeFetch;
    }
    const Ticks written = before * GetDmaTime(m_link.mtu);
    m_hosts[host].write += written;
    m_hosts[host].counters.parts[HcaCounters::WRITE].busy += written;
    return Transfer(m_hosts[host], HcaCounters::WRITE, ready, last);
}

bool
MessageEngine::IsForUs(const Train& train) const
{
    if (train.to >= m_pairs.size())
    {
        return false;
    }
    const Pair& pair = m_pairs[train.to];
    const Pair& sender = m_pairs[train.from];
    const bool addressed = sender.transport == Transport::UD
                               ? pair.host == m_messages[train.message].wr.to.host
                               : pair.remote == train.from;
    return IsReceiving(pair.state) && pair.transport == sender.transport && addressed;
}

void
MessageEngine::Arrive(uint32_t index)
{
    const Train train = m_trains[index];
    m_trains[index].next = m_freeTrain;
    m_freeTrain = index;
    const uint32_t passed = train.lost ? 0 : DrawLoss(train.packets);
    m_lost += train.lost;
    const bool request = train.cargo == Cargo::DATA;
    const Qpn asker = request ? train.from : train.to;
    // What comes from before a reset, or after the end of a receiver, is lost too.
    if (m_pairs[asker].generation == train.generation)
    {
        if (!request)
        {
            if (passed == train.packets)
            {
                ArriveAnswer(train);
            }
            else
            {
                Watch(asker);
            }
        }
        else if (!IsForUs(train))
        {
            Watch(asker);
        }
        else if (m_pairs[asker].transport == Transport::RC)
        {
            ArriveReliable(train, passed);
        }
        else
        {
            ArriveUnreliable(train, passed);
        }
    }
    Release(train.message);
}

void
MessageEngine::ArriveUnreliable(const Train& train, uint32_t passed)
{
    Message& message = m_messages[train.message];
    message.broken |= passed < train.packets;
    if (passed == 0)
    {
        return;
    }
    const bool last = train.first + train.packets == message.packets;
    const Ticks done = TakeIn(train);
    if (!last || message.broken)
    {
        return;
    }
    const WcStatus status = Admit(message);
    if (status == WcStatus::LOC_LEN_ERR)
    {
        // Too short a receive stays for the next message.
        m_kept.emplace(train.to, message.receive);
    }
    else if (status == WcStatus::LOC_PROT_ERR)
    {
        const Message failed = message;
        m_verbs->CompleteReceive(train.to, failed.receive, failed.wr, failed.from, status);
    }
    else if (status == WcStatus::SUCCESS)
    {
        PutInPlace(train, done);
    }
}

void
MessageEngine::PutInPlace(const Train& train, Ticks done)
{
    Message& message = m_messages[train.message];
    if (message.hasReceive)
    {
        ++message.uses;
        At(done + m_hca.completion, Event::DELIVER, train.message);
    }
    if (message.wr.opcode == WrOpcode::RDMA_WRITE ||
        message.wr.opcode == WrOpcode::RDMA_WRITE_WITH_IMM)
    {
        m_verbs->NoteWrite(train.to, message.wr);
    }
}

WcStatus
MessageEngine::Admit(Message& message)
{
    const WcStatus status = m_verbs->CheckAccess(message.to, message.wr);
    if (status != WcStatus::SUCCESS || !NeedsReceive(message.wr) || message.hasReceive)
    {
        return status;
    }
    if (const auto kept = m_kept.empty() ? m_kept.end() : m_kept.find(message.to);
        kept != m_kept.end())
    {
        message.receive = kept->second;
        m_kept.erase(kept);
    }
    else if (!m_verbs->TakeReceive(message.to, message.receive))
    {
        return WcStatus::RNR_RETRY_EXC_ERR;
    }
    if (m_verbs->CheckReceive(message.to, message.receive) != WcStatus::SUCCESS)
    {
        return WcStatus::LOC_PROT_ERR;
    }
    const uint32_t header = m_pairs[message.to].transport == Transport::UD ? GRH_BYTES : 0;
    if (message.wr.opcode != WrOpcode::RDMA_WRITE_WITH_IMM &&
        message.wr.bytes + header > message.receive.bytes)
    {
        return WcStatus::LOC_LEN_ERR;
    }
    message.hasReceive = true;
    return WcStatus::SUCCESS;
}

void
MessageEngine::ArriveReliable(const Train& train, uint32_t passed)
{
    Pair& pair = m_pairs[train.to];
    const auto ahead = static_cast<int32_t>(train.sequence - pair.expected);
    if (passed == 0)
    {
        Watch(train.from);
        return;
    }
    if (ahead < 0)
    {
        // Its answer was lost.
        const Message& message = m_messages[train.message];
        TakeEngine(pair.host, HcaCounters::RECEIVE, train.packets * m_hca.packetProcessing);
        if (IsRead(message.wr) && !message.answered)
        {
            Respond(train);
        }
        else
        {
            Answer(train, Cargo::ACK, pair.expected);
        }
        return;
    }
    if (ahead > 0 || train.first > pair.packet)
    {
        TakeEngine(pair.host, HcaCounters::RECEIVE, train.packets * m_hca.packetProcessing);
        if (!pair.nakSent)
        {
            pair.nakSent = true;
            Answer(train, Cargo::NAK, pair.expected);
        }
        return;
    }
    if (train.first + passed > pair.packet)
    {
        Accept(train, passed);
    }
}

void
MessageEngine::Accept(const Train& train, uint32_t passed)
{
    const Ticks done = TakeIn(train);
    const WcStatus status =
        m_pairs[train.to].packet == 0 ? Admit(m_messages[train.message]) : WcStatus::SUCCESS;
    if (status != WcStatus::SUCCESS)
    {
        Refuse(train, status);
        return;
    }
    Pair& pair = m_pairs[train.to];
    Message& message = m_messages[train.message];
    pair.packet = train.first + passed;
    pair.nakSent = passed + 1 < train.packets;
    if (passed < train.packets)
    {
        if (pair.nakSent)
        {
            Answer(train, Cargo::NAK, pair.expected);
        }
        Watch(train.from);
        return;
    }
    if (!IsRead(message.wr) && pair.packet < message.packets)
    {
        return;
    }
    ++pair.expected;
    pair.packet = 0;
    PutInPlace(train, done);
    if (!IsRead(message.wr))
    {
        Answer(train, Cargo::ACK, pair.expected);
        return;
    }
    if (message.wr.opcode != WrOpcode::RDMA_READ)
    {
        message.atomic = m_verbs->DoAtomic(message.wr);
    }
    Respond(train);
}

void
MessageEngine::Refuse(const Train& train, WcStatus status)
{
    switch (status)
    {
    case WcStatus::RNR_RETRY_EXC_ERR:
        m_pairs[train.to].nakSent = true;
        Answer(train, Cargo::RNR_NAK, train.sequence);
        break;
    case WcStatus::LOC_LEN_ERR:
    case WcStatus::LOC_PROT_ERR: {
        const Message message = m_messages[train.message];
        Answer(train,
               Cargo::ERROR_NAK,
               train.sequence,
               status == WcStatus::LOC_LEN_ERR ? WcStatus::REM_INV_REQ_ERR : WcStatus::REM_OP_ERR);
        m_verbs->CompleteReceive(train.to, message.receive, message.wr, message.from, status);
        break;
    }
    default:
        Answer(train, Cargo::ERROR_NAK, train.sequence, status);
        m_verbs->ModifyQp(train.to, QpAttr{QpState::ERR});
        break;
    }
}

void
MessageEngine::Answer(const Train& request, Cargo cargo, uint32_t sequence, WcStatus status)
{
    Pair& pair = m_pairs[request.to];
    if (pair.owed != NONE && cargo == Cargo::ACK && m_trains[pair.owed].cargo == Cargo::ACK &&
        (m_trains[pair.owed].sequence == sequence || pair.merged < m_hca.ackCoalescing))
    {
        pair.merged += m_trains[pair.owed].sequence != sequence;
        m_trains[pair.owed].sequence = sequence;
        return;
    }
    const uint32_t index = NewTrain(request.to, request.from, cargo, request.generation);
    Train& train = m_trains[index];
    SetBytes(train, PACKET_BYTES, AETH_BYTES, 0);
    train.sequence = sequence;
    train.first = pair.packet;
    train.status = status;
    train.route = pair.route;
    train.head = GetEngine(pair.host, HcaCounters::RECEIVE);
    pair.owed = index;
    pair.merged = 1;
    Host& host = m_hosts[pair.host];
    host.contexts.Expect(request.to, pair.transport, ContextRole::ACK_OUT);
    const bool waits = host.firstAnswer != NONE;
    (waits ? m_trains[host.lastAnswer].next : host.firstAnswer) = index;
    host.lastAnswer = index;
    if (!waits)
    {
        PlanAnswer(pair.host);
    }
}

void
MessageEngine::PlanAnswer(HostId host)
{
    At(std::max(m_clock->Now(), GetEngine(host, HcaCounters::ACKNOWLEDGE)), Event::ANSWER, host);
}

void
MessageEngine::SendAnswer(HostId index)
{
    Host& host = m_hosts[index];
    const uint32_t answer = host.firstAnswer;
    Train& train = m_trains[answer];
    Pair& pair = m_pairs[train.from];
    if (pair.owed == answer)
    {
        pair.owed = NONE;
    }
    train.head = AwaitEngine(index,
                             HcaCounters::ACKNOWLEDGE,
                             m_hca.ackProcessing + Touch(train.from, ContextRole::ACK_OUT),
                             train.head);
    train.tail = train.head;
    host.firstAnswer = answer == host.lastAnswer ? NONE : train.next;
    if (host.firstAnswer != NONE)
    {
        PlanAnswer(index);
    }
    ExpectPair(train.to);
    Launch(train);
    Advance(answer);
}

void
MessageEngine::Respond(const Train& request)
{
    const Pair& pair = m_pairs[request.to];
    const bool read = m_messages[request.message].wr.opcode == WrOpcode::RDMA_READ;
    const uint32_t bytes = read ? m_messages[request.message].wr.bytes : 0;
    const uint32_t packets = m_messages[request.message].packets;
    Host& host = m_hosts[pair.host];
    // An atomic operation reads, changes and writes memory over PCI Express; the data of a read is
    // not at hand either.
    const Ticks begin =
        read ? m_clock->Now()
             : TakeEngine(pair.host,
                          HcaCounters::ACKNOWLEDGE,
                          m_hca.ackProcessing + Touch(request.to, ContextRole::ACK_OUT));
    for (uint32_t first = 0; first < packets; first += m_trainPackets)
    {
        const uint32_t index =
            NewTrain(request.to, request.from, Cargo::RESPONSE, request.generation);
        Train& train = m_trains[index];
        train.message = request.message;
        ++m_messages[request.message].uses;
        train.sequence = request.sequence;
        train.first = first;
        train.packets = std::min(packets - first, m_trainPackets);
        train.payload = read ? std::min(bytes - first * m_link.mtu, train.packets * m_link.mtu) : 0;
        const bool last = first + train.packets == packets;
        SetBytes(train,
                 PACKET_BYTES,
                 (first == 0 ? AETH_BYTES : 0) + (read ? 0 : ATOMIC_ACK_ETH_BYTES),
                 last && first > 0 ? AETH_BYTES : 0);
        train.route = pair.route;
        Ticks ready = begin + m_hca.wqeFetch;
        if (read)
        {
            ready = TakeEngine(pair.host, HcaCounters::SEND, m_hca.packetProcessing);
            train.tail = TakeEngine(pair.host,
                                    HcaCounters::SEND,
                                    (train.packets - 1) * m_hca.packetProcessing);
            ready += first == 0 ? m_hca.wqeFetch : 0;
        }
        const uint32_t payload = std::min(train.payload, m_link.mtu);
        train.head = Transfer(host, HcaCounters::READ, ready, payload);
        if (train.payload > payload)
        {
            Transfer(host, HcaCounters::READ, train.head, train.payload - payload);
        }
        train.tail = std::max(train.tail, host.read);
        Launch(train);
        Advance(index);
    }
}

void
MessageEngine::ArriveAnswer(const Train& train)
{
    if (train.cargo == Cargo::RESPONSE)
    {
        Message& message = m_messages[train.message];
        const Ticks done = TakeIn(train);
        if (train.first + train.packets == message.packets)
        {
            message.answered = true;
            Acknowledge(train.to, train.sequence + 1, done);
        }
        return;
    }
    const Ticks when = AwaitEngine(m_pairs[train.to].host,
                                   HcaCounters::ACKNOWLEDGE,
                                   m_hca.ackProcessing + Touch(train.to, ContextRole::ACK_IN),
                                   m_clock->Now());
    Acknowledge(train.to, train.sequence, when);
    // The program may have been told, and may have reset the queue pair.
    Pair& pair = m_pairs[train.to];
    if (train.cargo == Cargo::ACK || pair.generation != train.generation || pair.oldest == NONE)
    {
        return;
    }
    if (train.cargo == Cargo::ERROR_NAK && pair.acked == train.sequence)
    {
        Fail(train.to, train.status, when);
        return;
    }
    GoBack(train.to, train.sequence, train.first);
    if (train.cargo != Cargo::RNR_NAK)
    {
        Wake(train.to);
    }
    else if (m_hca.rnrRetryCount < 7 && pair.rnrRetries++ == m_hca.rnrRetryCount)
    {
        Fail(train.to, WcStatus::RNR_RETRY_EXC_ERR, when);
    }
    else
    {
        pair.waiting = true;
        At(when + m_hca.rnrTimeout, Event::RESTART, train.to, uint64_t{pair.generation} << 32);
    }
}

} // namespace infiniband
} // namespace ns3
