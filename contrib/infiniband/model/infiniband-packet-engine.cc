/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "infiniband-packet-engine.h"

#include "infiniband-fabric-carrier.h"
#include "infiniband-verbs.h"

#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{
namespace infiniband
{

NS_OBJECT_ENSURE_REGISTERED(PacketEngine);

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

TypeId
PacketEngine::GetTypeId()
{
    static TypeId tid = TypeId("ns3::infiniband::PacketEngine")
                            .SetParent<Engine>()
                            .SetGroupName("Infiniband")
                            .AddConstructor<PacketEngine>();
    return tid;
}

PacketEngine::PacketEngine()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

PacketEngine::~PacketEngine() = default;

void
PacketEngine::DoDispose()
{
    m_verbs = nullptr;
    m_clock = nullptr;
    m_subnet = nullptr;
    m_own.reset();
    if (m_fabric)
    {
        m_fabric->Dispose();
    }
    m_fabric = nullptr;
    m_random = nullptr;
    Engine::DoDispose();
}

void
PacketEngine::SetSubnet(Ptr<Subnet> subnet)
{
    m_subnet = subnet;
}

void
PacketEngine::SetFabric(Ptr<Fabric> fabric)
{
    m_fabric = fabric;
}

Ptr<Fabric>
PacketEngine::GetFabric() const
{
    return m_fabric;
}

CarrierUser*
PacketEngine::SetCarrier(Carrier* carrier)
{
    m_carrier = carrier;
    return this;
}

int64_t
PacketEngine::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1 + (m_fabric ? m_fabric->AssignStreams(stream + 1) : 0);
}

std::string
PacketEngine::Start(Verbs* verbs, Ptr<messaging::TickClock> clock, HostId nHosts)
{
    std::string error = Check();
    if (error.empty() && !m_carrier && !m_subnet)
    {
        m_subnet = CreateObject<Subnet>();
        m_subnet->SetAttribute("Nodes", UintegerValue(nHosts));
        error = m_subnet->Build(m_link.rate);
    }
    if (error.empty() && m_subnet && m_subnet->GetNHosts() < nHosts)
    {
        error = "The subnet has " + std::to_string(m_subnet->GetNHosts()) + " hosts, fewer than " +
                std::to_string(nHosts) + ".";
    }
    if (!error.empty())
    {
        return error;
    }
    m_verbs = verbs;
    m_clock = clock;
    m_user = clock->Register(this);
    m_hcas.resize(nHosts);
    for (Hca& hca : m_hcas)
    {
        hca.contexts.Start(m_hca, PeekPointer(m_random));
    }
    if (!m_carrier)
    {
        if (!m_fabric)
        {
            m_fabric = CreateObject<Fabric>();
        }
        m_fabric->SetLinkConfig(m_link);
        CarrierUser* user = this;
        m_own = std::make_unique<FabricCarrier>(m_fabric, m_subnet, clock, user);
        m_carrier = m_own.get();
    }
    return "";
}

Ticks
PacketEngine::Touch(Qpn qp, ContextRole role)
{
    const QueuePair& pair = m_pairs[qp];
    const uint32_t misses =
        m_hcas[pair.host].contexts.Touch(qp, pair.transport, role, m_contextTouches);
    m_contextMisses += misses;
    return misses * m_hca.contextMiss;
}

void
PacketEngine::Release(uint32_t message)
{
    if (message != NO_PLACE && --m_messages[message].uses == 0)
    {
        m_messages.Free(message);
    }
}

void
PacketEngine::OnTick(messaging::Peer peer, uint64_t datum)
{
    ++m_events;
    const auto index = static_cast<uint32_t>(datum);
    const auto epoch = static_cast<uint16_t>(datum >> 32);
    switch (static_cast<Event>(datum >> 56))
    {
    case Event::FETCHED:
        m_messages[index].fetched = true;
        Release(index);
        WakeSend(peer);
        break;
    case Event::SEND:
        DoSend(peer);
        break;
    case Event::ANSWER:
        DoAnswer(peer);
        break;
    case Event::INJECT:
        if (m_hcas[peer].injectAt == m_clock->Now())
        {
            Inject(peer);
        }
        break;
    case Event::LOOP: {
        const TransportHeader header = m_loops[index];
        m_loops.Free(index);
        OnArrival(peer, header);
        break;
    }
    case Event::SENT: {
        const SendWr wr = m_messages[index].wr;
        const uint64_t atomic = m_messages[index].atomic;
        Release(index);
        if (epoch == m_pairs[peer].epoch)
        {
            m_verbs->CompleteSend(peer, wr, WcStatus::SUCCESS, atomic);
        }
        break;
    }
    case Event::FAILED:
        if (epoch == m_pairs[peer].epoch && m_pairs[peer].head != NO_PLACE)
        {
            const SendWr wr = m_messages[m_pairs[peer].head].wr;
            m_verbs->CompleteSend(peer, wr, static_cast<WcStatus>(index));
        }
        break;
    case Event::RECEIVED: {
        const Arrival arrival = m_arrivals[index];
        m_arrivals.Free(index);
        const SendWr wr = m_messages[arrival.message].wr;
        const Qpn from = m_messages[arrival.message].from;
        Release(arrival.message);
        m_verbs->CompleteReceive(peer, arrival.receive, wr, from, arrival.status);
        break;
    }
    case Event::TIMEOUT:
        OnTimeout(peer);
        break;
    case Event::RESUME:
        if (epoch == m_pairs[peer].epoch)
        {
            m_pairs[peer].waiting = false;
            WakeSend(peer);
        }
        break;
    }
}

bool
PacketEngine::CanSend(const QueuePair& pair) const
{
    if (pair.cursor == NO_PLACE || pair.waiting || pair.failed)
    {
        return false;
    }
    const Message& message = m_messages[pair.cursor];
    if (!message.fetched || (pair.state != QpState::RTS && !message.begun))
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
        m_work.PushBack(m_hcas[pair.host].sends.pairs, qp);
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
        m_work.PushBack(m_hcas[pair.host].answers.pairs, qp);
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
        At(hca.engineFree[Hca::SEND], Event::SEND, host);
    }
}

void
PacketEngine::StepAnswers(HostId host)
{
    Hca& hca = m_hcas[host];
    if (!hca.answers.stepping && !hca.answers.pairs.IsEmpty())
    {
        hca.answers.stepping = true;
        At(hca.engineFree[m_hca.sharedEngine ? Hca::SEND : Hca::ACKNOWLEDGE], Event::ANSWER, host);
    }
}

void
PacketEngine::DoSend(HostId host)
{
    Hca& hca = m_hcas[host];
    hca.sends.stepping = false;
    while (!hca.sends.pairs.IsEmpty())
    {
        const Qpn qp = m_work[hca.sends.pairs.head];
        m_work.PopFront(hca.sends.pairs);
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
    if (reliable && !message.begun)
    {
        ++pair.inFlight;
        pair.reads += IsFetching(message.wr.opcode);
    }
    message.begun = true;

    OutPacket packet;
    packet.ready = hca.TakeEngine(m_hca, Hca::SEND, m_clock->Now(), time);
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
    const Ticks done = hca.TakeEngine(m_hca,
                                      Hca::SEND,
                                      std::max(m_clock->Now(), answer.ready),
                                      m_hca.packetProcessing);
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
    const Qpn qp = m_work[hca.answers.pairs.head];
    m_work.PopFront(hca.answers.pairs);
    QueuePair& pair = m_pairs[qp];
    pair.answering = false;
    if (!pair.answers.IsEmpty() && m_answers[pair.answers.head].kind != PacketKind::READ_RESPONSE)
    {
        const Answer answer = m_answers[pair.answers.head];
        m_answers.PopFront(pair.answers);
        OutPacket packet;
        packet.ready = hca.TakeEngine(m_hca,
                                      Hca::ACKNOWLEDGE,
                                      std::max(m_clock->Now(), answer.ready),
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
        hca.linkFree = now + m_carrier->GetWireTime(host, packet.bytes) + m_hca.packetProcessing;
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

void
PacketEngine::OnLost(const TransportHeader& header)
{
    ++m_lost;
    Release(header.message);
}

void
PacketEngine::OnCopied(const TransportHeader& header)
{
    ++m_messages[header.message].uses;
}

Ticks
PacketEngine::OnArrival(HostId host, const TransportHeader& header)
{
    Hca& hca = m_hcas[host];
    Ticks done = m_clock->Now();
    const auto take = [&](Qpn qp) {
        if (qp >= m_pairs.size() || m_pairs[qp].host != host || m_pairs[qp].state < QpState::RTR ||
            m_pairs[qp].state == QpState::ERR)
        {
            return done;
        }
        const QueuePair& pair = m_pairs[qp];
        const bool datagram = pair.transport == Transport::UD;
        if (header.kind == PacketKind::ACK)
        {
            return pair.transport == Transport::RC ? OnAck(qp, header) : done;
        }
        const Qpn from = m_messages[header.message].from;
        if (header.kind != PacketKind::REQUEST)
        {
            return from == qp ? OnResponse(qp, header) : done;
        }
        if (m_pairs[from].transport != pair.transport || (!datagram && from != pair.remote))
        {
            return done;
        }
        switch (pair.transport)
        {
        case Transport::RC:
            return OnReliableRequest(qp, header);
        case Transport::UC:
            return OnUnreliable(qp, header);
        case Transport::UD:
            break;
        }
        return OnDatagram(qp, header);
    };
    if (header.flags & TransportHeader::LOST)
    {
        ++m_lost;
    }
    else if (header.to != NO_QP)
    {
        done = take(header.to);
    }
    else
    {
        const auto& group = m_verbs->GetMulticastGroup();
        if (m_nMembers != group.size())
        {
            m_nMembers = group.size();
            m_members.assign(m_hcas.size(), {});
            for (const Qpn member : group)
            {
                m_members[m_verbs->GetHost(member)].push_back(member);
            }
        }
        if (!m_members.empty())
        {
            for (const Qpn member : m_members[host])
            {
                if (member != m_messages[header.message].from)
                {
                    done = std::max(done, take(member));
                }
            }
        }
    }
    Release(header.message);
    hca.emptied = std::max(hca.emptied, done);
    return hca.emptied;
}

Ticks
PacketEngine::GetIdleLatency(HostId from, HostId to, uint32_t bytes) const
{
    const bool isInline = bytes <= m_hca.inlineLimit;
    const uint32_t packets = std::max(1U, (bytes + m_link.mtu - 1) / m_link.mtu);
    Ticks prepared = m_hca.doorbell + m_hca.wqeFetch + m_hca.sendProcessing;
    Ticks read = 0;
    Ticks link = 0;
    Ticks taken = 0;
    Ticks written = 0;
    for (uint32_t n = 0; n < packets; ++n)
    {
        const bool first = n == 0;
        const uint32_t payload = std::min(m_link.mtu, bytes - n * m_link.mtu);
        const uint32_t length = MIN_PACKET_BYTES + payload;
        const Ticks dma = Hca::GetDmaTime(m_hca, payload);
        prepared += m_hca.packetProcessing;
        read = std::max(read, prepared + (first ? m_hca.wqeFetch : 0)) + dma;
        const Ticks sent = std::max(isInline ? prepared : read, link);
        link = sent + m_carrier->GetWireTime(from, length) + m_hca.packetProcessing;
        taken = std::max(taken, sent + m_carrier->GetIdleLatency(from, to, length)) +
                m_hca.packetProcessing + (first ? m_hca.receiveProcessing : 0);
        written = std::max(written, taken + (first ? m_hca.wqeFetch : 0)) + dma;
    }
    return written + m_hca.completion;
}

} // namespace infiniband
} // namespace ns3
