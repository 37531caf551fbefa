/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "infiniband-message-engine.h"

#include "infiniband-verbs.h"

#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{
namespace infiniband
{

NS_OBJECT_ENSURE_REGISTERED(MessageEngine);

TypeId
MessageEngine::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::infiniband::MessageEngine")
            .SetParent<Engine>()
            .SetGroupName("Infiniband")
            .AddConstructor<MessageEngine>()
            .AddAttribute("TrainPackets",
                          "Most packets that pass an engine or a link at once [packets; default].",
                          UintegerValue(1),
                          MakeUintegerAccessor(&MessageEngine::m_trainPackets),
                          MakeUintegerChecker<uint32_t>(1, 1U << 20))
            .AddAttribute("Lookahead",
                          "How far ahead of its time a link may be reserved [ns; default].",
                          UintegerValue(1000),
                          MakeUintegerAccessor(&MessageEngine::m_lookahead),
                          MakeUintegerChecker<Ticks>(0, 3'600'000'000'000));
    return tid;
}

MessageEngine::MessageEngine()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

MessageEngine::~MessageEngine() = default;

void
MessageEngine::DoDispose()
{
    m_verbs = nullptr;
    m_clock = nullptr;
    m_random = nullptr;
    m_subnet = nullptr;
    Engine::DoDispose();
}

int64_t
MessageEngine::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

Ticks
MessageEngine::GetIdleLatency(HostId from, HostId to, uint32_t bytes) const
{
    const auto& manager = m_subnet->GetManager();
    const auto route = manager.GetRoute(from, manager.GetLid(to));
    const bool fetched = bytes > m_hca.inlineLimit;
    Ticks sender = m_hca.doorbell + m_hca.wqeFetch + m_hca.sendProcessing;
    Ticks read = sender + m_hca.wqeFetch;
    Ticks receiver = 0;
    Ticks write = 0;
    std::vector<Ticks> free(route.size());
    for (uint32_t first = true, left = bytes; first || left > 0; first = false)
    {
        const uint32_t payload = std::min(left, m_link.mtu);
        left -= payload;
        sender += m_hca.packetProcessing;
        read = std::max(read, sender + (first ? m_hca.wqeFetch : 0)) + GetDmaTime(payload);
        Ticks head = fetched ? read : sender;
        Ticks tail = head;
        for (std::size_t hop = 0; hop < route.size(); ++hop)
        {
            const Ticks wire = m_links[route[hop]].GetTime(PACKET_BYTES + payload);
            head = std::max(head, free[hop]);
            tail = std::max(tail, head + wire);
            free[hop] = head + wire + (hop == 0 ? m_hca.packetProcessing : 0);
            const Ticks delay =
                m_link.cableDelay + (hop + 1 < route.size() ? m_link.switchDelay : 0);
            head += delay;
            tail += delay;
        }
        receiver = std::max(receiver, tail) + m_hca.packetProcessing +
                   (first ? m_hca.receiveProcessing : 0);
        write = std::max(write, receiver + (first ? m_hca.wqeFetch : 0)) + GetDmaTime(payload);
    }
    return write + m_hca.completion;
}

std::string
MessageEngine::Start(Verbs* verbs, Ptr<messaging::TickClock> clock, HostId nHosts)
{
    std::string error = Check();
    if (error.empty() && !m_subnet)
    {
        m_subnet = CreateObject<Subnet>();
        m_subnet->SetAttribute("Nodes", UintegerValue(nHosts));
        error = m_subnet->Build(m_link.rate);
    }
    if (error.empty())
    {
        error = CheckFailures(*m_subnet);
    }
    if (!error.empty())
    {
        return error;
    }
    m_verbs = verbs;
    m_clock = clock;
    m_user = clock->Register(this);
    m_hosts.assign(nHosts, Host());
    for (Host& host : m_hosts)
    {
        host.contexts.Start(m_hca, PeekPointer(m_random));
    }
    m_routeOf.resize(nHosts);
    const auto& ports = m_subnet->GetTopology().GetPorts();
    m_links.resize(ports.size() + 1);
    m_links.back().up = false;
    for (std::size_t port = 0; port < ports.size(); ++port)
    {
        m_links[port].quarters = ports[port].speed.GetQuarters();
        m_links[port].up = m_subnet->GetManager().IsUp(static_cast<PortId>(port));
    }
    PlanFailures(*m_subnet);
    return "";
}

void
MessageEngine::At(Ticks when, Event event, uint32_t index, uint64_t datum)
{
    m_clock->At(when, m_user, index, static_cast<uint64_t>(event) << 48 | datum);
}

void
MessageEngine::OnTick(messaging::Peer peer, uint64_t datum)
{
    ++m_events;
    const auto generation = static_cast<uint16_t>(datum >> 32);
    switch (static_cast<Event>(datum >> 48))
    {
    case Event::FETCHED:
        m_pairs[peer].sending = false;
        Wake(peer);
        break;
    case Event::STEP:
        m_hosts[peer].stepping = false;
        TakeTurn(peer);
        Step(peer);
        break;
    case Event::ANSWER:
        SendAnswer(peer);
        break;
    case Event::HOP:
        Resume(peer);
        break;
    case Event::BEGIN:
        Begin(m_trains[peer]);
        break;
    case Event::ARRIVE:
        Arrive(peer);
        break;
    case Event::DELIVER:
        Deliver(peer);
        break;
    case Event::COMPLETE:
        if (m_pairs[peer].generation == generation)
        {
            --m_pairs[peer].completing;
            Complete(peer, static_cast<uint32_t>(datum));
        }
        break;
    case Event::RESTART:
        if (m_pairs[peer].generation == generation)
        {
            m_pairs[peer].waiting = false;
            Wake(peer);
        }
        break;
    case Event::TIMEOUT:
        LookAtTimeout(peer);
        break;
    case Event::LINK:
        SetLinkUp(peer, datum & 1);
        break;
    case Event::SWEEP:
        Sweep();
        break;
    }
}

void
MessageEngine::OnTickAhead(messaging::Peer peer, uint64_t datum)
{
    switch (static_cast<Event>(datum >> 48))
    {
    case Event::FETCHED:
    case Event::COMPLETE:
        Expect(peer);
        break;
    case Event::STEP:
        if (const Qpn qp = m_hosts[peer].first; qp != NONE)
        {
            Expect(qp);
        }
        break;
    case Event::ANSWER:
        if (const uint32_t answer = m_hosts[peer].firstAnswer; answer != NONE)
        {
            Expect(m_trains[answer].from);
        }
        break;
    case Event::ARRIVE:
        ExpectPair(m_trains[peer].to);
        break;
    case Event::DELIVER:
        m_verbs->ExpectReceive(m_messages[peer].to);
        break;
    default:
        break;
    }
}

uint32_t
MessageEngine::NewMessage()
{
    if (m_freeMessage == NONE)
    {
        m_messages.emplace_back();
        return static_cast<uint32_t>(m_messages.size() - 1);
    }
    const uint32_t index = m_freeMessage;
    m_freeMessage = m_messages[index].next;
    return index;
}

void
MessageEngine::Release(uint32_t message)
{
    if (message != NONE && --m_messages[message].uses == 0)
    {
        m_messages[message].next = m_freeMessage;
        m_freeMessage = message;
    }
}

uint32_t
MessageEngine::NewTrain(Qpn from, Qpn to, Cargo cargo, uint16_t generation)
{
    uint32_t index = m_freeTrain;
    if (index == NONE)
    {
        index = static_cast<uint32_t>(m_trains.size());
        m_trains.emplace_back();
    }
    else
    {
        m_freeTrain = m_trains[index].next;
    }
    Train& train = m_trains[index];
    train = Train();
    train.message = NONE;
    train.from = from;
    train.to = to;
    train.cargo = cargo;
    train.generation = generation;
    train.packets = 1;
    train.bytes = train.firstBytes = train.lastBytes = PACKET_BYTES;
    return index;
}

Ticks
MessageEngine::Touch(Qpn qp, ContextRole role)
{
    const Pair& pair = m_pairs[qp];
    Host& host = m_hosts[pair.host];
    const uint32_t misses = host.contexts.Touch(qp, pair.transport, role, host.counters.touches);
    if (misses > 0)
    {
        host.counters.misses += misses;
        m_contextMiss(pair.host, qp, role, misses);
    }
    return misses * m_hca.contextMiss;
}

void
MessageEngine::OnState(Qpn qp, QpState state)
{
    if (qp >= m_pairs.size())
    {
        m_pairs.resize(std::max<std::size_t>(qp + 1, m_verbs->GetNQps()));
    }
    Pair& pair = m_pairs[qp];
    pair.state = state;
    switch (state)
    {
    case QpState::RESET:
    case QpState::ERR:
        Flush(qp);
        pair.expected = 0;
        pair.packet = 0;
        pair.nakSent = false;
        if (const auto kept = m_kept.find(qp); kept != m_kept.end())
        {
            const RecvWr receive = kept->second;
            m_kept.erase(kept);
            m_verbs->CompleteReceive(qp, receive, {}, NO_QP, WcStatus::WR_FLUSH_ERR);
        }
        break;
    case QpState::RTS:
        Wake(qp);
        break;
    case QpState::RTR:
        pair.host = m_verbs->GetHost(qp);
        pair.transport = m_verbs->GetTransport(qp);
        pair.remote = m_verbs->GetRemote(qp);
        pair.path = m_verbs->GetPath(qp);
        if (pair.transport != Transport::UD)
        {
            pair.route = FindRoute(pair.host, m_verbs->GetHost(pair.remote), pair.path);
        }
        break;
    case QpState::SQE:
        Flush(qp);
        break;
    default:
        break;
    }
}

void
MessageEngine::Expect(Qpn qp)
{
    if (qp < m_pairs.size())
    {
        const auto* lines = reinterpret_cast<const char*>(&m_pairs[qp]);
        __builtin_prefetch(lines, 1);
        __builtin_prefetch(lines + alignof(Pair), 1);
    }
}

void
MessageEngine::ExpectPair(Qpn qp)
{
    MessageEngine::Expect(qp);
    m_verbs->ExpectEnd(qp);
}

void
MessageEngine::ExpectArrival(const Train& train) const
{
    if (train.to < m_pairs.size())
    {
        const Pair& pair = m_pairs[train.to];
        const bool data = train.cargo == Cargo::DATA;
        m_hosts[pair.host].contexts.Expect(train.to,
                                           pair.transport,
                                           data ? ContextRole::RECEIVE : ContextRole::ACK_IN);
        if (data)
        {
            m_verbs->ExpectReceive(train.to);
        }
    }
}

void
MessageEngine::Flush(Qpn qp)
{
    Pair& pair = m_pairs[qp];
    ++pair.generation;
    while (pair.first != NONE)
    {
        const uint32_t next = m_messages[pair.first].next;
        Release(pair.first);
        pair.first = next;
    }
    pair.last = NONE;
    pair.oldest = NONE;
    pair.unsent = NONE;
    pair.posted = 0;
    pair.acked = 0;
    pair.told = 0;
    pair.outstanding = 0;
    pair.completing = 0;
    pair.reads = 0;
    pair.retries = 0;
    pair.rnrRetries = 0;
    pair.waiting = false;
}

void
MessageEngine::Deliver(uint32_t index)
{
    const Message message = m_messages[index];
    Release(index);
    m_verbs->CompleteReceive(message.to,
                             message.receive,
                             message.wr,
                             message.from,
                             WcStatus::SUCCESS);
}

} // namespace infiniband
} // namespace ns3
