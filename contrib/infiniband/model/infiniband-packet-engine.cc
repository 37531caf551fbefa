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
    if (error.empty() && m_subnet)
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
            m_fabric->SetAttribute("SweepDelay", TimeValue(m_sweepDelay));
        }
        m_fabric->SetLinkConfig(m_link);
        CarrierUser* user = this;
        m_own = std::make_unique<FabricCarrier>(m_fabric, m_subnet, clock, user);
        m_carrier = m_own.get();
        PlanFailures(*m_subnet);
    }
    return "";
}

void
PacketEngine::SetLinkUp(PortId port, bool up)
{
    m_fabric->SetLinkUp(port, up);
}

void
PacketEngine::PlanLink(PortId port, bool up, Ticks when)
{
    m_fabric->PlanLink(port, up, when);
}

Ticks
PacketEngine::Touch(Qpn qp, ContextRole role)
{
    const QueuePair& pair = m_pairs[qp];
    Hca& hca = m_hcas[pair.host];
    const uint32_t misses = hca.contexts.Touch(qp, pair.transport, role, hca.counters.touches);
    if (misses > 0)
    {
        hca.counters.misses += misses;
        m_contextMiss(pair.host, qp, role, misses);
    }
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
        m_messages[index].fetchedAt = m_clock->Now();
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

void
PacketEngine::Expect(Qpn qp)
{
    if (qp < m_pairs.size())
    {
        const auto* begin = reinterpret_cast<const char*>(&m_pairs[qp]);
        __builtin_prefetch(begin, 1);
        __builtin_prefetch(begin + alignof(QueuePair), 1);
    }
}

void
PacketEngine::OnTickAhead(messaging::Peer peer, uint64_t datum)
{
    switch (static_cast<Event>(datum >> 56))
    {
    case Event::FETCHED:
    case Event::SENT:
        m_messages.Expect(static_cast<uint32_t>(datum));
        Expect(peer);
        break;
    case Event::RECEIVED:
        m_verbs->ExpectReceive(peer);
        break;
    case Event::TIMEOUT:
        Expect(peer);
        break;
    case Event::SEND:
        if (const PooledList& sends = m_hcas[peer].sends.pairs; !sends.IsEmpty())
        {
            Expect(m_queued[sends.head]);
        }
        break;
    case Event::ANSWER:
        if (const PooledList& answers = m_hcas[peer].answers.pairs; !answers.IsEmpty())
        {
            Expect(m_queued[answers.head]);
        }
        break;
    default:
        break;
    }
}

void
PacketEngine::OnLastLink(HostId host, const TransportHeader& header)
{
    if (header.to >= m_pairs.size())
    {
        return;
    }
    const Transport transport = m_pairs[header.to].transport;
    const ContextCache& contexts = m_hcas[host].contexts;
    if (header.kind != PacketKind::REQUEST)
    {
        contexts.Expect(header.to, transport, ContextRole::ACK_IN);
        return;
    }
    m_messages.Expect(header.message);
    if (header.flags & TransportHeader::FIRST)
    {
        contexts.Expect(header.to, transport, ContextRole::RECEIVE);
        m_verbs->ExpectReceive(header.to);
    }
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
        if (m_groupChanges != m_verbs->GetNMulticastChanges())
        {
            m_groupChanges = m_verbs->GetNMulticastChanges();
            m_members.assign(m_hcas.size(), {});
            for (const Qpn member : m_verbs->GetMulticastGroup())
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
