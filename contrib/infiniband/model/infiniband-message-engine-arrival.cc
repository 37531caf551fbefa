/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "infiniband-message-engine.h"
#include "infiniband-verbs.h"

#include <algorithm>

/**
 * @file
 * @ingroup infiniband
 * What the message engine does with what arrives.
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
    const bool response = train.cargo == Cargo::RESPONSE;
    Ticks& engine = GetReceiveEngine(host);
    engine = std::max(m_clock->Now(), engine) + m_hca.packetProcessing + m_hca.receiveProcessing +
             Touch(train.to, response ? ContextRole::ACK_IN : ContextRole::RECEIVE);
    const Ticks ready = engine + (!response && NeedsReceive(message.wr) ? m_hca.wqeFetch : 0);
    Ticks& write = m_hosts[host].write;
    write = std::max(write, ready) + GetDmaTime(std::min(train.payload, m_link.mtu));
}

Ticks
MessageEngine::TakeIn(const Train& train)
{
    const HostId host = m_pairs[train.to].host;
    Ticks& engine = GetReceiveEngine(host);
    Ticks& write = m_hosts[host].write;
    if (train.first == 0 && train.packets == 1)
    {
        Begin(train);
        return write;
    }
    // All packets but the last came before it, and went through if there was time.
    const uint32_t last = (train.payload - 1) % m_link.mtu + 1;
    const uint32_t before = train.packets - (train.first == 0 ? 2 : 1);
    engine =
        std::max(m_clock->Now(), engine + before * m_hca.packetProcessing) + m_hca.packetProcessing;
    write = std::max(engine, write + before * GetDmaTime(m_link.mtu)) + GetDmaTime(last);
    return write;
}

void
MessageEngine::Arrive(uint32_t index)
{
    const Train train = m_trains[index];
    m_trains[index].message = m_freeTrain;
    m_freeTrain = index;
    const uint32_t passed = DrawLoss(train.packets);
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
        else if (train.to >= m_pairs.size() || !IsReceiving(m_pairs[train.to].state) ||
                 m_pairs[train.to].transport != m_pairs[asker].transport)
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
    if (!last || message.broken || Admit(message) != WcStatus::SUCCESS || !message.hasReceive)
    {
        return;
    }
    ++message.uses;
    At(done + m_hca.completion, Event::DELIVER, train.message);
}

WcStatus
MessageEngine::Admit(Message& message)
{
    const WcStatus status = m_verbs->CheckAccess(message.to, message.wr);
    if (status != WcStatus::SUCCESS || !NeedsReceive(message.wr) || message.hasReceive)
    {
        return status;
    }
    if (!m_verbs->TakeReceive(message.to, message.receive))
    {
        return WcStatus::RNR_RETRY_EXC_ERR;
    }
    const uint32_t header = m_pairs[message.to].transport == Transport::UD ? GRH_BYTES : 0;
    if (message.wr.opcode != WrOpcode::RDMA_WRITE_WITH_IMM &&
        message.wr.bytes + header > message.receive.bytes)
    {
        m_verbs->CompleteReceive(message.to,
                                 message.receive,
                                 message.wr,
                                 message.from,
                                 WcStatus::LOC_LEN_ERR);
        return WcStatus::REM_INV_REQ_ERR;
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
    }
    else if (ahead < 0)
    {
        // The answer was lost.
        if (m_messages[train.message].answered)
        {
            Answer(train, Cargo::ACK);
        }
        else
        {
            Respond(train);
        }
    }
    else if (ahead > 0 || train.first > pair.packet)
    {
        if (!pair.nakSent)
        {
            pair.nakSent = true;
            Answer(train, Cargo::NAK);
        }
    }
    else if (train.first + passed > pair.packet)
    {
        const WcStatus status =
            pair.packet == 0 ? Admit(m_messages[train.message]) : WcStatus::SUCCESS;
        if (status == WcStatus::RNR_RETRY_EXC_ERR)
        {
            Answer(train, Cargo::RNR_NAK);
            return;
        }
        if (status != WcStatus::SUCCESS)
        {
            Answer(train, Cargo::ERROR_NAK, status);
            return;
        }
        m_pairs[train.to].packet = train.first + passed;
        m_pairs[train.to].nakSent = false;
        if (passed == train.packets)
        {
            FinishReliable(train);
            return;
        }
        if (passed + 1 < train.packets)
        {
            m_pairs[train.to].nakSent = true;
            Answer(train, Cargo::NAK);
        }
        Watch(train.from);
    }
}

void
MessageEngine::FinishReliable(const Train& train)
{
    Pair& pair = m_pairs[train.to];
    Message& message = m_messages[train.message];
    const bool last = !message.answered || train.first + train.packets == message.packets;
    const Ticks done = TakeIn(train);
    if (!last)
    {
        return;
    }
    ++pair.expected;
    pair.packet = 0;
    if (message.hasReceive)
    {
        ++message.uses;
        At(done + m_hca.completion, Event::DELIVER, train.message);
    }
    if (message.answered)
    {
        Answer(train, Cargo::ACK);
        return;
    }
    if (message.wr.opcode != WrOpcode::RDMA_READ)
    {
        message.atomic = m_verbs->DoAtomic(message.wr);
    }
    Respond(train);
}

void
MessageEngine::Answer(const Train& request, Cargo cargo, WcStatus status)
{
    const Pair& pair = m_pairs[request.to];
    Ticks& engine = GetReceiveEngine(pair.host);
    engine = std::max(m_clock->Now(), engine) + Touch(request.to, ContextRole::ACK_OUT) +
             m_hca.ackProcessing;
    const uint32_t index = NewTrain(request.to, request.from, cargo, request.generation);
    Train& train = m_trains[index];
    train.sequence = pair.expected;
    train.first = pair.packet;
    SetBytes(train, PACKET_BYTES, AETH_BYTES, 0);
    train.status = status;
    train.route = FindRoute(pair.host, m_pairs[request.from].host, pair.path);
    train.head = engine;
    train.tail = engine;
    Advance(index);
}

void
MessageEngine::Respond(const Train& request)
{
    const Pair& pair = m_pairs[request.to];
    const Message& message = m_messages[request.message];
    const bool read = message.wr.opcode == WrOpcode::RDMA_READ;
    Host& host = m_hosts[pair.host];
    Ticks& engine = host.send;
    engine = std::max(m_clock->Now(), engine) + Touch(request.to, ContextRole::ACK_OUT) +
             m_hca.sendProcessing;
    // The data is not at hand as it is with a request of one's own.
    Ticks begin = engine + m_hca.wqeFetch;
    for (uint32_t first = 0; first < message.packets; first += m_trainPackets)
    {
        const uint32_t index =
            NewTrain(request.to, request.from, Cargo::RESPONSE, request.generation);
        Train& train = m_trains[index];
        train.message = request.message;
        ++m_messages[request.message].uses;
        train.sequence = message.sequence;
        train.first = first;
        train.packets = std::min(message.packets - first, m_trainPackets);
        const bool last = first + train.packets == message.packets;
        train.payload =
            read ? std::min(message.wr.bytes - first * m_link.mtu, train.packets * m_link.mtu) : 0;
        SetBytes(train,
                 PACKET_BYTES,
                 (first == 0 ? AETH_BYTES : 0) + (read ? 0 : ATOMIC_ACK_ETH_BYTES),
                 last && first > 0 ? AETH_BYTES : 0);
        train.route = FindRoute(pair.host, m_pairs[request.from].host, pair.path);
        engine += train.packets * m_hca.packetProcessing;
        begin = std::max(begin + m_hca.packetProcessing, host.read);
        train.head = begin + GetDmaTime(std::min(train.payload, m_link.mtu));
        train.tail = begin + GetDmaTime(train.payload);
        host.read = train.tail;
        Advance(index);
    }
}

void
MessageEngine::ArriveAnswer(const Train& train)
{
    if (train.cargo == Cargo::RESPONSE)
    {
        Message& message = m_messages[train.message];
        const bool last = train.first + train.packets == message.packets;
        const Ticks done = TakeIn(train);
        if (last)
        {
            message.answered = true;
            Acknowledge(train.to, train.sequence + 1, done);
        }
        return;
    }
    Ticks& engine = GetReceiveEngine(m_pairs[train.to].host);
    engine = std::max(m_clock->Now(), engine) + Touch(train.to, ContextRole::ACK_IN) +
             m_hca.ackProcessing;
    const Ticks when = engine;
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
