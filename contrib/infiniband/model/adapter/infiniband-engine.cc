/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "infiniband-engine.h"

#include "ns3/infiniband-verbs.h"
#include "ns3/messaging-attributes.h"
#include "ns3/messaging-forwarded-attributes.h"
#include "ns3/messaging-text.h"

#include <algorithm>
#include <iterator>

namespace ns3
{
namespace infiniband
{

NS_OBJECT_ENSURE_REGISTERED(Engine);

using messaging::Range;

namespace
{

/**
 * Prepared packets with data ahead of the link: enough to overlap the read of the next one over PCI
 * Express with the transmission of the current one.
 */
constexpr uint32_t DATA_AHEAD = 4;

/**
 * Interval of ACK requests in a long message of RC, so that the timeout does not expire during the
 * message [packets].
 */
constexpr uint32_t ASK_EVERY = 64;

/**
 * Get the header length of a request packet.
 * @param transport type of the queue pair
 * @param opcode operation of the message
 * @param first whether it is the first of the message
 * @param last whether it is the last
 * @return the length [bytes]
 */
uint32_t
GetHeaderBytes(Transport transport, WrOpcode opcode, bool first, bool last)
{
    return MIN_PACKET_BYTES + (transport == Transport::UD ? DETH_BYTES : 0) +
           (first && !IsSend(opcode) ? RETH_BYTES : 0) +
           (last && HasImmediate(opcode) ? IMMEDIATE_BYTES : 0);
}

/** Maximum of waiting times of an adapter: an hour [ns]. */
constexpr Ticks LONGEST = 3'600'000'000'000;

/** Maximum of processing times of an adapter: a tenth of a second [ns]. */
constexpr Ticks LONGEST_WORK = 100'000'000;

} // namespace

TypeId
Engine::GetTypeId()
{
    static TypeId tid =
        messaging::Attributes<Engine>(TypeId("ns3::infiniband::Engine")
                                          .SetParent<Object>()
                                          .SetGroupName("Infiniband")
                                          .AddConstructor<Engine>())
            .In(&Engine::m_hca)
            .AddAttribute("SendProcessing",
                          "Engine time of an outgoing message [ns; calibrated to RC's message "
                          "rate, 0.8 to 1.5 million a second].",
                          &HcaConfig::sendProcessing,
                          Range(Ticks{0}, LONGEST_WORK))
            .AddAttribute("ReceiveProcessing",
                          "Engine time of an incoming message [ns; calibrated to RC's message "
                          "rate, 0.8 to 1.5 million a second].",
                          &HcaConfig::receiveProcessing,
                          Range(Ticks{0}, LONGEST_WORK))
            .AddAttribute("PacketProcessing",
                          "Engine time of each packet, sent or received, and the least gap of "
                          "packets [ns; calibrated to the bandwidth at SDR, 930 to 970 MB/s].",
                          &HcaConfig::packetProcessing,
                          Range(Ticks{0}, LONGEST_WORK))
            .AddAttribute("DmaRate",
                          "Usable bandwidth of PCI Express x8 in each direction [MB/s; 1400 to "
                          "1600].",
                          &HcaConfig::dmaRate,
                          Range(1U, 1'000'000U))
            .AddAttribute("ContextMiss",
                          "Read over PCI Express of a context, or half the read of a translation, "
                          "that the adapter's cache misses [ns; as the read of a request, since "
                          "memory of the host is as near as the adapter's own was: HotI 2005].",
                          &HcaConfig::contextMiss,
                          Range(Ticks{0}, LONGEST_WORK))
            .AddAttribute("ContextCache",
                          "Capacity of the adapter's cache of contexts and translations; 0: no "
                          "misses [lines; unknown, to be swept].",
                          &HcaConfig::contextEntries,
                          Range(0U, 1U << 20))
            .AddAttribute("ContextReplacement",
                          "Replacement policy of a full cache: least recently used, or random "
                          "[name; unknown, to be swept].",
                          &HcaConfig::replacement,
                          {{Replacement::LRU, "LRU"}, {Replacement::RANDOM, "Random"}})
            .AddAttribute("RetryCount",
                          "Retries of RC after a timeout, before it fails [repetitions; MVAPICH].",
                          &HcaConfig::retryCount,
                          Range(0, 7))
            .AddAttribute("AckTimeout",
                          "Timeout of RC before a retry [ns; 4.096 us 2^14].",
                          &HcaConfig::ackTimeout,
                          Range(Ticks{1000}, LONGEST))
            .AddAttribute("PacketLoss",
                          "Loss probability of a packet between two hosts [probability; "
                          "default, section 3: minimal].",
                          &Engine::m_packetLoss,
                          0.0,
                          0.0,
                          1.0)
            .AddTraceSource("Work",
                            "Work of an engine of an adapter: adapter, engine, begin, end.",
                            MakeTraceSourceAccessor(&Engine::m_work),
                            "ns3::infiniband::Engine::WorkTracedCallback")
            .AddTraceSource(
                "ContextMiss",
                "A cache miss of a context or a translation: adapter, queue pair, kind, whether an "
                "evicted context was written back.",
                MakeTraceSourceAccessor(&Engine::m_contextMiss),
                "ns3::infiniband::Engine::ContextMissTracedCallback")
            .AddTraceSource("Loss",
                            "A message that needs a receive has not reached receivers: request, "
                            "place, number of receivers.",
                            MakeTraceSourceAccessor(&Engine::m_loss),
                            "ns3::infiniband::Engine::LossTracedCallback")
            .Forward<&Engine::m_fabric>()
            .Forward<&Engine::m_subnet>();
    return tid;
}

Engine::Engine()
    : m_subnet(CreateObject<Subnet>()),
      m_fabric(CreateObject<Fabric>()),
      m_random(CreateObject<UniformRandomVariable>())
{
}

void
Engine::DoDispose()
{
    m_verbs = nullptr;
    m_clock = nullptr;
    m_subnet = nullptr;
    m_fabric->Dispose();
    m_fabric = nullptr;
    m_random = nullptr;
    Object::DoDispose();
}

int64_t
Engine::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1 + m_fabric->AssignStreams(stream + 1);
}

Ptr<Subnet>
Engine::MakeSubnet(HostId nHosts, std::string& error) const
{
    const auto subnet = CreateObject<Subnet>();
    messaging::CopyAttributes(m_subnet, subnet);
    error = m_fabric->Build(*subnet, nHosts);
    if (error.empty() && m_hca.contextEntries == 0)
    {
        error = messaging::FindIdleAttribute(*this,
                                             {"ContextReplacement"},
                                             "where ContextCache is 0, which has no misses");
    }
    return subnet;
}

std::string
Engine::Start(Verbs* verbs, Ptr<messaging::TickClock> clock, HostId nHosts)
{
    std::string error;
    const auto subnet = MakeSubnet(nHosts, error);
    if (error.empty())
    {
        m_subnet = subnet;
        m_verbs = verbs;
        m_clock = PeekPointer(clock);
        m_user = clock->Register(this);
        m_hcas.resize(m_subnet->GetNHosts());
        for (Hca& hca : m_hcas)
        {
            hca.contexts.Start(m_hca, PeekPointer(m_random));
        }
        m_mtu = GetLinkConfig().mtu;
        m_fabric->Start(m_subnet, clock, this);
    }
    return error;
}

uint64_t
Engine::GetNContextMisses() const
{
    uint64_t misses = 0;
    for (const Hca& hca : m_hcas)
    {
        misses += hca.counters.misses;
    }
    return misses;
}

Ticks
Engine::Touch(Qpn qp, ContextKind kind, uint32_t part)
{
    QueuePair& pair = m_pairs[qp];
    const HostId host = pair.host;
    Hca& hca = m_hcas[host];
    ++hca.counters.touches;
    const ContextCache::Look look = hca.contexts.Touch(qp, kind, part, pair.hints);
    if (look.found)
    {
        return 0;
    }
    const Ticks now = m_clock->Now();
    const bool context = kind == ContextKind::CONTEXT;
    const uint32_t bytes = context ? CONTEXT_BYTES : TRANSLATION_BYTES;
    ++hca.counters.misses;
    hca.Occupy(m_hca, HcaCounters::READ, now, bytes);
    if (look.writesBack)
    {
        ++hca.counters.writeBacks;
        hca.Occupy(m_hca, HcaCounters::WRITE, now, CONTEXT_BYTES);
    }
    m_contextMiss(host, qp, kind, look.writesBack);
    // The MPT entry contains the address of the MTT segment.
    return m_hca.contextMiss * (context ? 1 : 2) + Hca::GetDmaTime(m_hca, bytes);
}

void
Engine::Release(uint32_t message)
{
    if (message != NO_PLACE && --m_messages[message].uses == 0)
    {
        if (const Message& last = m_messages[message]; last.owed > 0)
        {
            Lose(last, last.cause, last.owed);
        }
        m_messages.Free(message);
    }
}

void
Engine::Lose(const Message& message, uint8_t cause, uint32_t copies)
{
    static const std::vector<std::string> PLACES = [] {
        std::vector<std::string> places{"queue pair of an adapter",
                                        "receive queue of an adapter",
                                        "packet loss"};
        for (std::size_t reason = 0; reason < N_DROP_REASONS; ++reason)
        {
            places.push_back("fabric: " + messaging::ToText(static_cast<DropReason>(reason)));
        }
        return places;
    }();
    m_loss(message.wr, PLACES[cause], copies);
}

void
Engine::OnTick(messaging::Peer peer, uint64_t datum)
{
    ++m_counters.events;
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
    case Event::SENT:
        if (epoch == m_pairs[peer].epoch)
        {
            --m_pairs[peer].ending;
            m_verbs->CompleteSend(peer, WcStatus::SUCCESS);
        }
        break;
    case Event::FAILED:
        if (epoch == m_pairs[peer].epoch && m_pairs[peer].head != NO_PLACE)
        {
            m_verbs->CompleteSend(peer, static_cast<WcStatus>(index));
        }
        break;
    case Event::RECEIVED: {
        const Arrival arrival = m_arrivals.Take(index);
        const Message& message = m_messages[arrival.message];
        Release(arrival.message);
        m_verbs->CompleteReceive(peer,
                                 arrival.receive,
                                 message.wr,
                                 message.from,
                                 WcStatus::SUCCESS);
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
Engine::Expect(Qpn qp)
{
    if (qp < m_pairs.size())
    {
        const auto* begin = reinterpret_cast<const char*>(&m_pairs[qp]);
        __builtin_prefetch(begin, 1);
        __builtin_prefetch(begin + alignof(QueuePair), 1);
    }
}

void
Engine::OnLastLink(HostId host, PacketIndex index)
{
    const TransportHeader header = GetHeader(index);
    if (header.to >= m_pairs.size())
    {
        return;
    }
    const ContextCache& contexts = m_hcas[host].contexts;
    const ContextCache::Hints& hints = m_pairs[header.to].hints;
    contexts.Expect(hints, ContextKind::CONTEXT);
    if (header.kind != PacketKind::REQUEST)
    {
        return;
    }
    ExpectMessage(header.message);
    if (header.flags & TransportHeader::FIRST)
    {
        contexts.Expect(hints, ContextKind::RECEIVE_QUEUE);
        m_verbs->ExpectReceive(header.to);
    }
}

void
Engine::OnDrop(PacketIndex index, DropReason reason)
{
    ++m_counters.lost;
    const uint32_t message = GetHeader(index).message;
    if (message != NO_PLACE)
    {
        m_messages[message].cause = static_cast<uint8_t>(FABRIC + static_cast<uint8_t>(reason));
    }
    Release(message);
}

void
Engine::OnCopy(PacketIndex index)
{
    ++m_messages[GetHeader(index).message].uses;
}

Ticks
Engine::OnPacket(HostId host, PacketIndex index)
{
    const TransportHeader header = GetHeader(index);
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
        ++m_counters.lost;
        if (header.message != NO_PLACE)
        {
            m_messages[header.message].cause = PACKET_LOSS;
        }
    }
    else if (header.to != NO_QP)
    {
        done = take(header.to);
    }
    else
    {
        const auto& group = m_verbs->GetMulticastGroup();
        for (auto at = group.lower_bound({host, 0}); at != group.end() && at->first == host; ++at)
        {
            done = std::max(done, take(at->second));
        }
    }
    Release(header.message);
    hca.emptied = std::max(hca.emptied, done);
    return hca.emptied;
}

Ticks
Engine::GetIdleLatency(HostId from, HostId to, uint32_t bytes) const
{
    const bool isInline = bytes <= m_hca.inlineLimit;
    const Lid lid = m_subnet->GetManager().GetLid(to);
    const uint32_t packets = std::max(1U, (bytes + m_mtu - 1) / m_mtu);
    Ticks prepared = m_hca.doorbell + m_hca.wqeFetch + m_hca.sendProcessing;
    Ticks read = 0;
    Ticks link = 0;
    Ticks taken = 0;
    Ticks written = 0;
    for (uint32_t n = 0; n < packets; ++n)
    {
        const bool first = n == 0;
        const uint32_t payload = std::min(m_mtu, bytes - n * m_mtu);
        const uint32_t length = MIN_PACKET_BYTES + payload;
        const Ticks dma = Hca::GetDmaTime(m_hca, payload);
        prepared += m_hca.packetProcessing;
        read = std::max(read, prepared + (first ? m_hca.wqeFetch : 0)) + dma;
        const Ticks sent = std::max(isInline ? prepared : read, link);
        link = sent + m_fabric->GetWireTime(from, length) + m_hca.packetProcessing;
        taken = std::max(taken, sent + m_fabric->GetIdleLatency(from, lid, length)) +
                m_hca.packetProcessing + (first ? m_hca.receiveProcessing : 0);
        written = std::max(written, taken + (first ? m_hca.wqeFetch : 0)) + dma;
    }
    return written + m_hca.completion;
}

Ticks
Engine::TakeEngine(HostId host, HcaCounters::Part part, Ticks asked, Ticks time, bool counted)
{
    Hca& hca = m_hcas[host];
    Ticks& free = hca.engineFree[HcaCounters::GetEngine(part)];
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
Engine::Responds(const QueuePair& pair) const
{
    return !pair.answers.IsEmpty() &&
           m_answers[pair.answers.head].kind == PacketKind::READ_RESPONSE;
}

bool
Engine::CanSend(const QueuePair& pair) const
{
    if (pair.cursor == NO_PLACE || pair.waiting || pair.failed)
    {
        return false;
    }
    const Message& message = m_messages[pair.cursor];
    if (message.fetchedAt == NEVER)
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
Engine::WakeSend(Qpn qp)
{
    QueuePair& pair = m_pairs[qp];
    if (!pair.sending && (Responds(pair) || CanSend(pair)))
    {
        pair.sending = true;
        m_queued.PushBack(m_hcas[pair.host].work[HcaCounters::REQUESTER].pairs, {qp, pair.cursor});
        Step(pair.host, HcaCounters::REQUESTER);
    }
}

void
Engine::WakeAnswer(Qpn qp)
{
    QueuePair& pair = m_pairs[qp];
    if (Responds(pair))
    {
        WakeSend(qp);
    }
    else if (!pair.answers.IsEmpty() && !pair.answering)
    {
        pair.answering = true;
        m_queued.PushBack(m_hcas[pair.host].work[HcaCounters::RESPONDER].pairs,
                          {qp, pair.answers.head});
        Step(pair.host, HcaCounters::RESPONDER);
    }
}

void
Engine::Step(HostId host, HcaCounters::Engine engine)
{
    Hca& hca = m_hcas[host];
    Hca::Work& work = hca.work[engine];
    const bool sends = engine == HcaCounters::REQUESTER;
    if (work.stepping || work.pairs.IsEmpty() || (sends && hca.nData >= DATA_AHEAD))
    {
        return;
    }
    work.stepping = true;
    // Prefetched, since events of other adapters have evicted it.
    const Turn& turn = m_queued[work.pairs.head];
    Expect(turn.qp);
    if (!sends)
    {
        __builtin_prefetch(&m_answers[turn.place], 1);
    }
    else if (turn.place != NO_PLACE)
    {
        ExpectMessage(turn.place);
    }
    m_queued.ExpectNext(work.pairs);
    At(hca.engineFree[engine], sends ? Event::SEND : Event::ANSWER, host);
}

void
Engine::DoSend(HostId host)
{
    Hca::Work& work = m_hcas[host].work[HcaCounters::REQUESTER];
    work.stepping = false;
    while (!work.pairs.IsEmpty())
    {
        const Qpn qp = m_queued[work.pairs.head].qp;
        m_queued.PopFront(work.pairs);
        QueuePair& pair = m_pairs[qp];
        pair.sending = false;
        if (Responds(pair))
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
    Step(host, HcaCounters::REQUESTER);
}

void
Engine::PrepareRequest(Qpn qp)
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
        time += m_hca.sendProcessing + Touch(qp, ContextKind::CONTEXT);
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
    packet.header.message = place;
    packet.header.psn = (message.firstPsn + pair.packet) & PSN_MASK;
    packet.header.flags = (first ? TransportHeader::FIRST : 0) | (last ? TransportHeader::LAST : 0);
    if (last || (pair.packet + 1) % ASK_EVERY == 0)
    {
        packet.header.flags |= TransportHeader::ASKS;
    }
    packet.bytes = GetHeaderBytes(pair.transport, message.wr.opcode, first, last);
    if (pair.transport == Transport::UD && message.wr.to.qp == NO_QP)
    {
        // A packet to a group has a global route header (chapter 10.5).
        packet.bytes += GRH_BYTES;
    }
    const uint32_t payload = GetPayload(message, pair.packet);
    if (payload > 0 && !IsFetching(message.wr.opcode))
    {
        packet.bytes += payload;
        if (!(message.wr.flags & INLINE))
        {
            const Ticks asked = packet.ready + (fetch ? m_hca.wqeFetch : 0);
            packet.ready = hca.Transfer(m_hca, HcaCounters::READ, asked, payload);
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
        // Its packets refer to it until they have left, when it completes.
        Unqueue(qp);
    }
    Prepared(qp, Hca::DATA, packet);
}

void
Engine::PrepareResponse(Qpn qp)
{
    QueuePair& pair = m_pairs[qp];
    Hca& hca = m_hcas[pair.host];
    Answer& answer = m_answers[pair.answers.head];
    const Message& message = m_messages[answer.message];
    const uint32_t payload =
        GetPayload(message, static_cast<uint32_t>(GetPsnDistance(answer.psn, message.firstPsn)));
    const bool first = answer.packets == message.packets;
    const bool last = answer.packets == 1;
    OutPacket packet;
    const Ticks done =
        TakeEngine(pair.host, HcaCounters::ACK_OUT, answer.ready, m_hca.packetProcessing, false);
    packet.ready =
        hca.Transfer(m_hca, HcaCounters::READ, done + (first ? m_hca.wqeFetch : 0), payload);
    packet.bytes = MIN_PACKET_BYTES + payload + (first || last ? AETH_BYTES : 0);
    packet.header.message = answer.message;
    packet.header.psn = answer.psn;
    packet.header.kind = PacketKind::READ_RESPONSE;
    ++m_messages[answer.message].uses;
    ++pair.responsesOut;
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
Engine::DoAnswer(HostId host)
{
    Hca::Work& work = m_hcas[host].work[HcaCounters::RESPONDER];
    work.stepping = false;
    const Qpn qp = m_queued[work.pairs.head].qp;
    m_queued.PopFront(work.pairs);
    QueuePair& pair = m_pairs[qp];
    pair.answering = false;
    if (!pair.answers.IsEmpty() && !Responds(pair))
    {
        const Answer answer = m_answers[pair.answers.head];
        m_answers.PopFront(pair.answers);
        OutPacket packet;
        packet.ready = TakeEngine(host,
                                  HcaCounters::ACK_OUT,
                                  answer.ready,
                                  m_hca.ackProcessing + Touch(qp, ContextKind::CONTEXT));
        packet.header.message = answer.message;
        packet.header.psn = answer.psn;
        packet.header.kind = PacketKind::ACK;
        packet.header.syndrome = answer.syndrome;
        packet.bytes = MIN_PACKET_BYTES + AETH_BYTES;
        ++m_counters.acks;
        // An ACK overtakes waiting data, but not responses of its own queue pair.
        Prepared(qp, pair.responsesOut > 0 ? Hca::DATA : Hca::ANSWERS, packet);
    }
    WakeAnswer(qp);
    Step(host, HcaCounters::RESPONDER);
}

void
Engine::Prepared(Qpn qp, Hca::Lane lane, OutPacket packet)
{
    const QueuePair& pair = m_pairs[qp];
    packet.from = qp;
    packet.to = pair.remoteHost;
    packet.path = pair.path;
    packet.header.to = pair.remote;
    if (pair.transport == Transport::UD)
    {
        const Address& to = m_messages[packet.header.message].wr.to;
        packet.to = to.qp == NO_QP ? ALL_HOSTS : to.host;
        packet.path = to.path;
        packet.header.to = to.qp;
    }
    Hca& hca = m_hcas[pair.host];
    m_out.PushBack(hca.out[lane], packet);
    hca.nData += lane == Hca::DATA;
    PlanInject(pair.host);
}

void
Engine::PlanInject(HostId host)
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
Engine::Inject(HostId host)
{
    Hca& hca = m_hcas[host];
    const Ticks now = m_clock->Now();
    const Fabric& fabric = *PeekPointer(m_fabric);
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
        // The fabric may lose the packet, which may hold the last reference to the message.
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
        const Ticks wire = fabric.GetWireTime(host, packet.bytes);
        hca.linkFree = now + wire + m_hca.packetProcessing;
        hca.counters.Wait(HcaCounters::LINK, packet.ready, now);
        hca.counters.parts[HcaCounters::LINK].busy += wire;
        ++m_counters.packets;
        pair.responsesOut -= packet.header.kind == PacketKind::READ_RESPONSE;
        if (lane == Hca::DATA)
        {
            --hca.nData;
            Step(host, HcaCounters::REQUESTER);
        }
        if (ends)
        {
            PlanSent(packet.from, packet.header.message, now + m_hca.completion);
            Release(packet.header.message);
        }
        break;
    }
    PlanInject(host);
}

void
Engine::PlanSent(Qpn qp, uint32_t message, Ticks when)
{
    QueuePair& pair = m_pairs[qp];
    if (m_messages[message].wr.flags & SIGNALED)
    {
        m_hcas[pair.host].Occupy(m_hca, HcaCounters::WRITE, m_clock->Now(), CQE_BYTES);
    }
    else if (pair.ending == 0 && m_verbs->EndUnnoticed(qp))
    {
        return;
    }
    ++pair.ending;
    At(when, Event::SENT, qp);
}

bool
Engine::Carry(HostId host, const OutPacket& packet)
{
    TransportHeader header = packet.header;
    Fabric& fabric = *PeekPointer(m_fabric);
    // The packet takes some time to arrive: prefetch now.
    Expect(header.to);
    m_verbs->ExpectEnd(header.to);
    if (m_packetLoss > 0 && m_random->GetValue() < m_packetLoss)
    {
        header.flags |= TransportHeader::LOST;
    }
    if (!fabric.HasRoom(host))
    {
        return false;
    }
    const PacketIndex index = fabric.New();
    Packet& sent = fabric.Get(index);
    const auto& manager = PeekPointer(m_subnet)->GetManager();
    sent.user = std::bit_cast<std::array<uint64_t, 2>>(header);
    sent.destination = packet.to == ALL_HOSTS
                           ? MULTICAST_LID
                           : manager.GetLid(packet.to, packet.path % manager.GetNPaths());
    sent.bytes = static_cast<uint16_t>(packet.bytes);
    fabric.Inject(host, index);
    return true;
}

void
Engine::OnReady(HostId host)
{
    m_hcas[host].blocked = false;
    PlanInject(host);
}

void
Engine::Post(Qpn qp, const SendWr& wr)
{
    const uint32_t place = m_messages.Put();
    QueuePair& pair = m_pairs[qp];
    Message& message = m_messages[place];
    message.wr = wr;
    message.from = qp;
    message.firstPsn = pair.postPsn;
    message.packets = std::max(1U, (wr.bytes + m_mtu - 1) / m_mtu);
    message.queued = true;
    message.uses = 2; // References of its send queue and of the event.
    if (!IsFetching(wr.opcode))
    {
        message.owed = pair.transport == Transport::UD ? CountReceivers(pair.host, wr.to) : 1;
    }
    pair.postPsn = (pair.postPsn + message.packets) & PSN_MASK;
    (pair.head == NO_PLACE ? pair.head : m_messages[pair.tail].next) = place;
    pair.tail = place;
    if (pair.cursor == NO_PLACE)
    {
        pair.cursor = place;
        pair.packet = 0;
    }
    // The doorbell names the queue pair, its context the queue, and the queue's translation the
    // memory.
    const Ticks now = m_clock->Now();
    const Ticks found = Touch(qp, ContextKind::CONTEXT) + Touch(qp, ContextKind::SEND_QUEUE);
    const bool isInline = wr.flags & INLINE;
    m_hcas[pair.host].Occupy(m_hca, HcaCounters::READ, now, WQE_BYTES + (isInline ? wr.bytes : 0));
    At(now + m_hca.doorbell + found + m_hca.wqeFetch, Event::FETCHED, qp, place);
}

uint32_t
Engine::CountReceivers(HostId host, const Address& to) const
{
    if (to.qp != NO_QP)
    {
        return 1;
    }
    const auto& group = m_verbs->GetMulticastGroup();
    const auto begin = group.lower_bound({host, 0});
    const auto end = group.lower_bound({host + 1, 0});
    return static_cast<uint32_t>(group.size()) - static_cast<uint32_t>(std::distance(begin, end));
}

void
Engine::Unqueue(Qpn qp)
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
Engine::SetCursor(Qpn qp, uint32_t psn)
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
            // A read is requested as a whole; responses that have already arrived are ignored.
            pair.packet = IsFetching(message.wr.opcode) ? 0 : std::max(offset, 0);
            return;
        }
        pair.cursor = message.next;
    }
}

void
Engine::Retry(Qpn qp, uint32_t psn)
{
    QueuePair& pair = m_pairs[qp];
    ++m_counters.retries;
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
Engine::Fail(Qpn qp, WcStatus status, Ticks when)
{
    QueuePair& pair = m_pairs[qp];
    pair.failed = true;
    pair.deadline = NEVER;
    pair.ended = std::max(pair.ended, when + m_hca.completion);
    At(pair.ended, Event::FAILED, qp, static_cast<uint32_t>(status));
}

bool
Engine::Acknowledge(Qpn qp, uint32_t psn, Ticks when)
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
        pair.ended = std::max(pair.ended, when + m_hca.completion);
        PlanSent(qp, pair.head, pair.ended);
        Unqueue(qp);
    }
    if (GetPsnDistance(psn, pair.ackPsn) > 0)
    {
        pair.retries = 0;
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
        // The responder answers in order, so an ACK after the responses reveals their loss.
        m_messages[pair.head].askedAgain = true;
        Retry(qp, m_messages[pair.head].firstPsn);
    }
    WakeSend(qp);
    return complete;
}

void
Engine::SetTimer(Qpn qp, Ticks from)
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
Engine::OnTimeout(Qpn qp)
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
Engine::OnAck(Qpn qp, const TransportHeader& header)
{
    QueuePair& pair = m_pairs[qp];
    const Ticks done = TakeEngine(pair.host,
                                  HcaCounters::ACK_IN,
                                  m_clock->Now(),
                                  m_hca.ackProcessing + Touch(qp, ContextKind::CONTEXT));
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
        if (!pair.waiting)
        {
            pair.waiting = true;
            pair.resumed = true;
            pair.deadline = NEVER;
            SetCursor(qp, acked);
            At(done + m_hca.rnrTimeout, Event::RESUME, qp);
        }
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
Engine::OnResponse(Qpn qp, const TransportHeader& header)
{
    QueuePair& pair = m_pairs[qp];
    Hca& hca = m_hcas[pair.host];
    Message& message = m_messages[header.message];
    const auto index = static_cast<uint32_t>(GetPsnDistance(header.psn, message.firstPsn));
    Ticks time = m_hca.packetProcessing;
    if (index == 0)
    {
        time += Touch(qp, ContextKind::CONTEXT);
    }
    Ticks done = TakeEngine(pair.host, HcaCounters::ACK_IN, m_clock->Now(), time);
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
    done = hca.Transfer(m_hca, HcaCounters::WRITE, done, GetPayload(message, index));
    Acknowledge(qp, (message.firstPsn + message.answered) & PSN_MASK, done);
    return done;
}

void
Engine::OnState(Qpn qp, const QpAttr& attr)
{
    if (qp >= m_pairs.size())
    {
        m_pairs.resize(m_verbs->GetNQps());
    }
    QueuePair& pair = m_pairs[qp];
    pair.state = attr.state;
    switch (attr.state)
    {
    case QpState::RESET: {
        pair.hasReceive = false;
        Clear(qp);
        QueuePair fresh;
        fresh.epoch = pair.epoch;
        fresh.hints = pair.hints;
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
        if (pair.transport != Transport::UD)
        {
            pair.path = attr.path;
            pair.remote = attr.remote;
            pair.remoteHost = m_verbs->GetHost(attr.remote);
            pair.expected = attr.rqPsn & PSN_MASK;
        }
        pair.begun = false;
        break;
    case QpState::RTS:
        if (!pair.begun)
        {
            pair.begun = true;
            pair.postPsn = pair.ackPsn = pair.sentPsn = attr.sqPsn & PSN_MASK;
        }
        break;
    case QpState::SQE:
    case QpState::ERR:
        Clear(qp);
        break;
    }
}

void
Engine::Clear(Qpn qp)
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
    pair.ending = 0;
    pair.reads = 0;
    pair.retries = 0;
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
Engine::GetPayload(const Message& message, uint32_t index) const
{
    return std::min(m_mtu, message.wr.bytes - index * m_mtu);
}

void
Engine::Owe(Qpn qp, const Answer& answer)
{
    m_answers.PushBack(m_pairs[qp].answers, answer);
    WakeAnswer(qp);
}

void
Engine::OweResponse(Qpn qp, const TransportHeader& header, Ticks ready)
{
    Message& message = m_messages[header.message];
    Answer answer;
    answer.ready = ready;
    answer.message = header.message;
    answer.psn = header.psn;
    answer.kind = PacketKind::READ_RESPONSE;
    answer.packets = message.packets;
    ++message.uses;
    Owe(qp, answer);
}

void
Engine::OweAck(Qpn qp, Syndrome syndrome, uint32_t psn, Ticks ready)
{
    const PooledList& answers = m_pairs[qp].answers;
    if (!answers.IsEmpty() && syndrome == Syndrome::ACK)
    {
        const Answer& last = m_answers[answers.tail];
        if (last.kind == PacketKind::ACK && last.syndrome == Syndrome::ACK && last.psn == psn)
        {
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
Engine::FailResponder(Qpn qp, Syndrome syndrome, Ticks ready)
{
    const uint32_t psn = m_pairs[qp].expected;
    m_verbs->ModifyQp(qp, {QpState::ERR, NO_QP, 0});
    OweAck(qp, syndrome, psn, ready);
}

bool
Engine::TakeReceive(Qpn qp, uint32_t message)
{
    QueuePair& pair = m_pairs[qp];
    if (pair.hasReceive || !m_verbs->TakeReceive(qp, pair.receive))
    {
        return true;
    }
    pair.hasReceive = true;
    pair.place = pair.place + 1 < m_verbs->GetMaxReceives(qp) ? pair.place + 1 : 0;
    if (m_verbs->CheckReceive(qp, pair.receive))
    {
        return true;
    }
    FailReceive(qp, message, WcStatus::LOC_PROT_ERR);
    return false;
}

Ticks
Engine::TakePacket(Qpn qp, bool first)
{
    Ticks time = m_hca.packetProcessing;
    if (first)
    {
        time += m_hca.receiveProcessing + Touch(qp, ContextKind::CONTEXT);
    }
    return TakeEngine(m_pairs[qp].host, HcaCounters::RECEIVE, m_clock->Now(), time);
}

Ticks
Engine::Place(Qpn qp, const TransportHeader& header, Ticks from)
{
    QueuePair& pair = m_pairs[qp];
    const Message& message = m_messages[header.message];
    const WrOpcode opcode = message.wr.opcode;
    const bool last = header.flags & TransportHeader::LAST;
    const auto index = static_cast<uint32_t>(GetPsnDistance(header.psn, message.firstPsn));
    Hca& hca = m_hcas[pair.host];
    uint32_t bytes = GetPayload(message, index);
    bytes += pair.transport == Transport::UD ? GRH_BYTES : 0;
    if (TakesReceiveWith(opcode, header.flags))
    {
        from += Touch(qp, ContextKind::RECEIVE_QUEUE) + m_hca.wqeFetch;
        hca.Occupy(m_hca, HcaCounters::READ, m_clock->Now(), WQE_BYTES);
        if (bytes > 0 && opcode != WrOpcode::RDMA_WRITE_WITH_IMM)
        {
            const uint64_t offset = uint64_t{pair.place} * pair.receive.bytes;
            from +=
                Touch(qp, ContextKind::BUFFER, static_cast<uint32_t>(offset / TRANSLATED_BYTES));
        }
    }
    const Ticks written = hca.Transfer(m_hca, HcaCounters::WRITE, from, bytes);
    if (last && opcode >= WrOpcode::RDMA_WRITE)
    {
        m_verbs->NoteWrite(qp, message.wr);
        if (!TakesReceive(opcode))
        {
            m_messages[header.message].Settle();
        }
    }
    if (last && TakesReceive(opcode))
    {
        const uint32_t place = m_arrivals.Put();
        m_arrivals[place] = {pair.receive, header.message};
        ++m_messages[header.message].uses;
        m_messages[header.message].Settle();
        pair.hasReceive = false;
        hca.Occupy(m_hca, HcaCounters::WRITE, m_clock->Now(), CQE_BYTES);
        At(written + m_hca.completion, Event::RECEIVED, qp, place);
    }
    return written;
}

Ticks
Engine::OnUnexpected(Qpn qp, const TransportHeader& header, int32_t distance)
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
    if (IsFetching(m_messages[header.message].wr.opcode))
    {
        OweResponse(qp, header, done);
    }
    else if (header.flags & TransportHeader::ASKS)
    {
        OweAck(qp, Syndrome::ACK, (pair.expected - 1) & PSN_MASK, done);
    }
    return done;
}

Ticks
Engine::OnReliableRequest(Qpn qp, const TransportHeader& header)
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
    const uint32_t psn = pair.expected;
    if (TakesReceiveWith(wr.opcode, header.flags))
    {
        if (!TakeReceive(qp, header.message))
        {
            OweAck(qp, Syndrome::NAK_OPERATION, psn, done);
            return done;
        }
        if (!pair.hasReceive)
        {
            pair.nakSent = true;
            OweAck(qp, Syndrome::RNR_NAK, psn, done);
            return done;
        }
    }
    if (first)
    {
        pair.arrived = 0;
    }
    pair.inMessage = !last;
    pair.arrived +=
        IsFetching(wr.opcode) ? 0 : GetPayload(m_messages[header.message], pair.arrived / m_mtu);
    if (IsSend(wr.opcode) && pair.arrived > pair.receive.bytes)
    {
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
    pair.expected = (pair.expected + m_messages[header.message].packets) & PSN_MASK;
    OweResponse(qp, header, done);
    return done;
}

void
Engine::FailReceive(Qpn qp, uint32_t message, WcStatus status)
{
    QueuePair& pair = m_pairs[qp];
    const RecvWr receive = pair.receive;
    const SendWr wr = m_messages[message].wr;
    pair.hasReceive = false;
    m_verbs->CompleteReceive(qp, receive, wr, m_messages[message].from, status);
}

Ticks
Engine::OnUnreliable(Qpn qp, const TransportHeader& header)
{
    QueuePair& pair = m_pairs[qp];
    const Message& message = m_messages[header.message];
    const bool first = header.flags & TransportHeader::FIRST;
    const bool last = header.flags & TransportHeader::LAST;
    const Ticks done = TakePacket(qp, first);
    if (first)
    {
        m_counters.dropped += pair.inMessage;
        pair.inMessage = m_verbs->CheckAccess(qp, message.wr) == WcStatus::SUCCESS;
        pair.arrived = 0;
    }
    else if (header.psn != pair.expected)
    {
        pair.inMessage = false;
    }
    pair.expected = (header.psn + 1) & PSN_MASK;
    if (pair.inMessage && TakesReceiveWith(message.wr.opcode, header.flags))
    {
        if (!TakeReceive(qp, header.message))
        {
            ++m_counters.dropped;
            return done;
        }
        pair.inMessage = pair.hasReceive;
        if (!pair.hasReceive)
        {
            m_messages[header.message].cause = RECEIVE;
        }
    }
    if (pair.inMessage)
    {
        pair.arrived += GetPayload(message, pair.arrived / m_mtu);
        pair.inMessage = !IsSend(message.wr.opcode) || pair.arrived <= pair.receive.bytes;
    }
    if (!pair.inMessage)
    {
        m_counters.dropped += last;
        return done;
    }
    pair.inMessage = !last;
    return Place(qp, header, done);
}

Ticks
Engine::OnDatagram(Qpn qp, const TransportHeader& header)
{
    const Ticks done = TakePacket(qp, true);
    // A too short receive stays for the next datagram.
    if (!TakeReceive(qp, header.message) || !m_pairs[qp].hasReceive ||
        m_pairs[qp].receive.bytes < m_messages[header.message].wr.bytes + GRH_BYTES)
    {
        ++m_counters.dropped;
        // Other receivers of a datagram to a group may lose it elsewhere.
        m_messages[header.message].Settle();
        Lose(m_messages[header.message], RECEIVE, 1);
        return done;
    }
    return Place(qp, header, done);
}

} // namespace infiniband
} // namespace ns3
