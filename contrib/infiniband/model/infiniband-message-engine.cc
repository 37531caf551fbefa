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
    m_links.resize(ports.size());
    for (std::size_t port = 0; port < ports.size(); ++port)
    {
        m_links[port].quarters = ports[port].speed.GetQuarters();
    }
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

uint32_t
MessageEngine::FindRoute(HostId from, HostId to, uint8_t path)
{
    const uint32_t paths = m_subnet->GetManager().GetNPaths();
    auto& routes = m_routeOf[from];
    if (routes.empty())
    {
        routes.assign(m_hosts.size() * paths, NONE);
    }
    uint32_t& found = routes[to * paths + path % paths];
    if (found == NONE)
    {
        found = static_cast<uint32_t>(m_routes.size());
        m_routes.push_back(0);
        if (from != to)
        {
            const auto& manager = m_subnet->GetManager();
            const auto ports = manager.GetRoute(from, manager.GetLid(to, path % paths));
            m_routes.back() = static_cast<uint32_t>(ports.size());
            m_routes.insert(m_routes.end(), ports.begin(), ports.end());
        }
    }
    return found;
}

Ticks
MessageEngine::Touch(Qpn qp, ContextRole role)
{
    const Pair& pair = m_pairs[qp];
    const uint32_t misses =
        m_hosts[pair.host].contexts.Touch(qp, pair.transport, role, m_contextTouches);
    m_contextMisses += misses;
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
        break;
    case QpState::SQE:
        Flush(qp);
        break;
    default:
        break;
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
        const Ticks when = std::max(host.engine[SENDING], host.left[host.prepared % DATA_AHEAD]);
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
    if (!message.begun)
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
    train.route = FindRoute(pair.host,
                            datagram ? message.wr.to.host : m_pairs[message.to].host,
                            datagram ? message.wr.to.path : pair.path);

    // The engine prepares the message and takes its packets one by one; each leaves when its data
    // is there.
    Host& host = m_hosts[pair.host];
    const Ticks prepared =
        TakeEngine(pair.host,
                   SENDING,
                   fetch ? m_hca.sendProcessing + Touch(qp, ContextRole::SEND) : 0) +
        m_hca.packetProcessing;
    train.tail = TakeEngine(pair.host, SENDING, train.packets * m_hca.packetProcessing);
    train.head = prepared;
    if (!(message.wr.flags & INLINE) && train.payload > 0)
    {
        const uint32_t first = std::min(train.payload, m_link.mtu);
        train.head =
            std::max(host.read, prepared + (fetch ? m_hca.wqeFetch : 0)) + GetDmaTime(first);
        host.read = train.head + GetDmaTime(train.payload - first);
        train.tail = std::max(train.tail, host.read);
    }
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
MessageEngine::Launch(Train& train)
{
    Host& host = m_hosts[m_pairs[train.from].host];
    if (m_routes[train.route] == 0)
    {
        // To itself, as fast as over its link.
        const Ticks wire = m_links[m_pairs[train.from].host].GetTime(train.bytes);
        train.tail = std::max(train.head + wire, train.tail);
        host.left[host.prepared++ % DATA_AHEAD] = train.head;
        return;
    }
    Link& link = m_links[m_routes[train.route + 1]];
    const Ticks gap = m_hca.packetProcessing;
    const Ticks wire = link.GetTime(train.bytes);
    Ticks start = std::max(train.head, link.free);
    if (train.cargo >= Cargo::ACK)
    {
        // It passes by data that waits for the link, but not by the packet on it.
        start = train.head;
        for (uint32_t n = 0; n < DATA_AHEAD; ++n)
        {
            if (host.left[n] <= train.head && host.gone[n] > start)
            {
                start = host.gone[n];
            }
        }
        link.free = std::max(link.free, start) + wire + gap;
        train.tail = start + wire;
    }
    else
    {
        const Ticks lastWire = link.GetTime(train.lastBytes);
        train.tail = std::max(start + wire + (train.packets - 1) * gap, train.tail + lastWire);
        link.free = train.tail + gap;
        Ticks left = train.tail - lastWire;
        Ticks gone = link.free;
        host.prepared += train.packets;
        for (uint32_t n = 1; n <= std::min(train.packets, DATA_AHEAD); ++n)
        {
            host.left[(host.prepared - n) % DATA_AHEAD] = left;
            host.gone[(host.prepared - n) % DATA_AHEAD] = gone;
            gone = left;
            left -= std::min(left, link.GetTime(m_link.mtu + PACKET_BYTES) + gap);
        }
    }
    train.hop = 1;
    const Ticks delay = m_link.cableDelay + (m_routes[train.route] > 1 ? m_link.switchDelay : 0);
    train.head = start + delay;
    train.tail += delay;
}

void
MessageEngine::Pass(Train& train)
{
    const uint32_t links = m_routes[train.route];
    Link& before = m_links[m_routes[train.route + train.hop]];
    Link& link = m_links[m_routes[train.route + 1 + train.hop]];
    const Ticks start = std::max(train.head, link.free);
    link.free = start + link.GetTime(train.bytes);
    before.emptied = link.free;
    ++train.hop;
    const Ticks delay = m_link.cableDelay + (train.hop < links ? m_link.switchDelay : 0);
    train.head = start + delay;
    train.tail = std::max(train.tail, link.free) + delay;
}

void
MessageEngine::Advance(uint32_t index)
{
    Train& train = m_trains[index];
    const uint32_t links = m_routes[train.route];
    while (train.hop < links)
    {
        const PortId port = m_routes[train.route + train.hop];
        Link& before = m_links[port];
        if (before.first != NONE)
        {
            m_trains[before.last].next = index;
            before.last = index;
            return;
        }
        train.head = std::max(train.head, before.emptied);
        if (train.head > m_clock->Now() + m_lookahead)
        {
            before.first = before.last = index;
            At(train.head, Event::HOP, port);
            return;
        }
        Pass(train);
    }
    if (train.packets > 1 && train.first == 0)
    {
        const Link& last = m_links[m_routes[train.route + links]];
        At(train.head + last.GetTime(train.firstBytes), Event::BEGIN, index);
    }
    At(train.tail, Event::ARRIVE, index);
}

void
MessageEngine::Resume(PortId port)
{
    while (m_links[port].first != NONE)
    {
        Link& before = m_links[port];
        const uint32_t index = before.first;
        Train& train = m_trains[index];
        train.head = std::max(train.head, before.emptied);
        if (train.head > m_clock->Now() + m_lookahead)
        {
            At(train.head, Event::HOP, port);
            return;
        }
        before.first = index == before.last ? NONE : train.next;
        Pass(train);
        Advance(index);
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
