/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "infiniband-engine.h"

#include "ns3/infiniband-verbs.h"
#include "ns3/log.h"
#include "ns3/messaging-attributes.h"
#include "ns3/messaging-forwarded-attributes.h"
#include "ns3/messaging-text.h"

#include <algorithm>
#include <iterator>

namespace ns3
{
namespace infiniband
{

NS_LOG_COMPONENT_DEFINE("InfinibandEngine");
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
constexpr uint32_t ACK_REQUEST_INTERVAL = 64;

/** RNR retry count without a limit (InfiniBand architecture, volume 1, 9.7.5.2.8). */
constexpr uint8_t NO_RNR_LIMIT = 7;

/** Maximum of ContextLines, so that each kind of work has lines of its own. */
constexpr uint32_t MAX_CONTEXT_LINES = 64;

/** Maximum number of messages that one ACK may acknowledge. */
constexpr uint32_t MAX_COALESCING = 1024;

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
    uint32_t bytes = MIN_PACKET_BYTES;
    if (IsAtomic(opcode))
    {
        return bytes + ATOMIC_ETH_BYTES;
    }
    if (transport == Transport::UD)
    {
        bytes += DETH_BYTES;
    }
    if (first && !IsSend(opcode))
    {
        bytes += RETH_BYTES;
    }
    if (last && HasImmediate(opcode))
    {
        bytes += IMMEDIATE_BYTES;
    }
    return bytes;
}

/** Maximum of waiting times of an adapter: an hour [ns]. */
constexpr Ticks LONGEST = 3'600'000'000'000;

/** Maximum of InlineLimit: the largest request of an adapter of Mellanox [bytes]. */
constexpr uint32_t MAX_INLINE = 1024;

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
            .AddAttribute("Doorbell",
                          "Delay of a write from the processor to the adapter [ns; calibrated to "
                          "the verbs' latency of RC, 3.5 to 4.5 us].",
                          &HcaConfig::doorbell,
                          Range(Ticks{0}, LONGEST_WORK))
            .AddAttribute("WqeFetch",
                          "Read over PCI Express of a request, of the start of data that is not "
                          "inline, or of a receive [ns; calibrated to the verbs' latency of RC, "
                          "3.5 to 4.5 us].",
                          &HcaConfig::wqeFetch,
                          Range(Ticks{0}, LONGEST_WORK))
            .AddAttribute("CompletionDelay",
                          "Delay from the write of a completion over PCI Express until the "
                          "processor sees it [ns; calibrated to the verbs' latency of RC, 3.5 to "
                          "4.5 us].",
                          &HcaConfig::completion,
                          Range(Ticks{0}, LONGEST_WORK))
            .AddAttribute("InlineLimit",
                          "Largest data that the processor writes with the request [bytes; "
                          "MVAPICH].",
                          &HcaConfig::inlineLimit,
                          Range(0U, MAX_INLINE))
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
            .AddAttribute("AckProcessing",
                          "Engine time of an ACK of RC, sent or received [ns; that of any packet].",
                          &HcaConfig::ackProcessing,
                          Range(Ticks{0}, LONGEST_WORK))
            .AddAttribute("SharedEngine",
                          "Requester and responder share one serial engine of the adapter "
                          "[unknown, to be swept].",
                          &HcaConfig::sharedEngine)
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
            .AddAttribute("ContextLines",
                          "Further lines of a context that each kind of RC's work reads, such as "
                          "responder entries, each after the one before it [lines; unknown, to be "
                          "swept].",
                          &HcaConfig::contextLines,
                          Range(0U, MAX_CONTEXT_LINES))
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
            .AddAttribute("RnrRetryCount",
                          "Retries of RC after an RNR NAK, before it fails; 7: without limit "
                          "[repetitions; MVAPICH].",
                          &HcaConfig::rnrRetryCount,
                          Range(0, int{NO_RNR_LIMIT}))
            .AddAttribute("RnrTimeout",
                          "Delay of the retry of RC after an RNR NAK [ns; default].",
                          &HcaConfig::rnrTimeout,
                          Range(Ticks{1000}, LONGEST))
            .AddAttribute("AckCoalescing",
                          "Messages that one ACK of RC may acknowledge while it waits for the "
                          "engine; 1: each message has its own [messages; default].",
                          &HcaConfig::ackCoalescing,
                          Range(1U, MAX_COALESCING))
            .AddAttribute("RequestDepth",
                          "Messages of a queue pair of RC that may wait for their ACKs [messages; "
                          "default].",
                          &HcaConfig::requestDepth,
                          Range(1U, 1U << 16))
            .AddAttribute("ReadDepth",
                          "RDMA reads and atomic operations of a queue pair that may be in flight "
                          "[requests; default of the driver].",
                          &HcaConfig::readDepth,
                          Range(1U, 128U))
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
            .AddTraceSource("PacketTx",
                            "A packet enters the link of its adapter, or loops back: adapter, "
                            "header, length on the wire.",
                            MakeTraceSourceAccessor(&Engine::m_packetTx),
                            "ns3::infiniband::Engine::PacketTracedCallback")
            .AddTraceSource("PacketRx",
                            "An intact packet has arrived at an adapter: adapter, header, length "
                            "on the wire.",
                            MakeTraceSourceAccessor(&Engine::m_packetRx),
                            "ns3::infiniband::Engine::PacketTracedCallback")
            .AddTraceSource("AckSent",
                            "A responder acknowledges all packets up to a PSN: queue pair, "
                            "syndrome, PSN.",
                            MakeTraceSourceAccessor(&Engine::m_ackSent),
                            "ns3::infiniband::Engine::AckTracedCallback")
            .AddTraceSource("NakSent",
                            "A responder rejects a packet: queue pair, syndrome, PSN.",
                            MakeTraceSourceAccessor(&Engine::m_nakSent),
                            "ns3::infiniband::Engine::AckTracedCallback")
            .AddTraceSource("Retry",
                            "A requester of RC sends again after a timeout, a NAK or a lost "
                            "response: queue pair, first PSN, retries without progress.",
                            MakeTraceSourceAccessor(&Engine::m_retry),
                            "ns3::infiniband::Engine::RetryTracedCallback")
            .AddTraceSource("RnrRetry",
                            "A requester of RC will send again, since the receiver had no receive: "
                            "queue pair, first PSN, RNR retries without progress, 0 without a "
                            "limit.",
                            MakeTraceSourceAccessor(&Engine::m_rnrRetry),
                            "ns3::infiniband::Engine::RetryTracedCallback")
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
    if (m_ownedClock)
    {
        m_ownedClock->Unregister(m_user);
    }
    m_clock = nullptr;
    m_ownedClock = nullptr;
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
                                             {"ContextReplacement", "ContextLines"},
                                             "where ContextCache is 0, which has no misses");
    }
    return subnet;
}

std::string
Engine::Start(Verbs* verbs, Ptr<messaging::TickClock> clock, HostId nHosts)
{
    NS_LOG_FUNCTION(this << nHosts);
    std::string error;
    const auto subnet = MakeSubnet(nHosts, error);
    if (error.empty())
    {
        m_subnet = subnet;
        m_verbs = verbs;
        m_clock = PeekPointer(clock);
        m_ownedClock = clock;
        m_user = clock->Register(this);
        m_hcas.resize(m_subnet->GetNHosts());
        for (Hca& hca : m_hcas)
        {
            hca.contexts.Start(m_hca, PeekPointer(m_random));
        }
        m_mtu = GetLinkConfig().mtu;
        m_lanes = GetLinkConfig().lanes;
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
    return TouchLine(m_pairs[qp].host, qp, kind, part, m_pairs[qp].hints);
}

Ticks
Engine::TouchContext(Qpn qp, HcaCounters::Part work)
{
    Ticks time = Touch(qp, ContextKind::CONTEXT);
    if (m_pairs[qp].transport == Transport::RC)
    {
        for (uint32_t line = 0; line < m_hca.contextLines; ++line)
        {
            time += Touch(qp, ContextKind::EXTENSION, work * MAX_CONTEXT_LINES + line);
        }
    }
    return time;
}

Ticks
Engine::TouchReceives(Qpn qp, ContextKind kind, uint32_t part)
{
    const SrqNumber srq = m_verbs->GetSrq(qp);
    if (srq == NO_SRQ)
    {
        return Touch(qp, kind, part);
    }
    // The lines of shared receive queues have the largest numbers; queue pairs count from zero.
    return TouchLine(m_pairs[qp].host, NO_QP - 1 - srq, kind, part, GetShared(srq).hints);
}

Ticks
Engine::TouchLine(HostId host,
                  Qpn owner,
                  ContextKind kind,
                  uint32_t part,
                  ContextCache::Hints& hints)
{
    Hca& hca = m_hcas[host];
    ++hca.counters.touches;
    const ContextCache::Lookup lookup = hca.contexts.Touch(owner, kind, part, hints);
    if (lookup.found)
    {
        return 0;
    }
    const Ticks now = m_clock->Now();
    const uint32_t bytes = GetLineBytes(kind);
    ++hca.counters.misses;
    hca.Occupy(m_hca, HcaCounters::READ, now, bytes);
    if (lookup.writeBack > 0)
    {
        ++hca.counters.writeBacks;
        hca.Occupy(m_hca, HcaCounters::WRITE, now, lookup.writeBack);
    }
    NS_LOG_LOGIC("Host " << host << " reads line " << static_cast<int>(kind) << " of queue pair "
                         << owner << ", which its cache has not");
    m_contextMiss(host, owner, kind, lookup.writeBack > 0);
    // The MPT entry contains the address of the MTT segment.
    const Ticks reads = IsTranslation(kind) ? 2 : 1;
    return m_hca.contextMiss * reads + Hca::GetDmaTime(m_hca, bytes);
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
    NS_LOG_INFO("Request " << message.wr.wrId << " of queue pair " << message.from
                           << " is lost for " << copies << " receivers: " << PLACES[cause]);
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
    case Event::ATOMIC: {
        const uint64_t original = m_messages[index].wr.data.contents;
        Release(index);
        if (epoch == m_pairs[peer].epoch)
        {
            --m_pairs[peer].ending;
            m_verbs->CompleteSend(peer, WcStatus::SUCCESS, original);
        }
        break;
    }
    case Event::LOOP: {
        const Loop loop = m_loops.Take(index);
        Arrive(peer, loop.header, loop.bytes);
        break;
    }
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
Engine::Expect(Qpn qp) const
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
        m_verbs->ExpectOldest(header.to);
        return;
    }
    ExpectMessage(header.message);
    if (header.flags & TransportHeader::FIRST)
    {
        contexts.Expect(hints, ContextKind::RECEIVE_QUEUE);
        m_verbs->ExpectReceive(header.to, Nearness::LINK, NO_QP);
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
    Hca& hca = m_hcas[host];
    const TransportHeader header = GetHeader(index);
    hca.emptied =
        std::max(hca.emptied, Arrive(host, header, PeekPointer(m_fabric)->Get(index).bytes));
    return hca.emptied;
}

Ticks
Engine::Arrive(HostId host, const TransportHeader& header, uint32_t bytes)
{
    Ticks done = m_clock->Now();
    if (header.flags & TransportHeader::LOST)
    {
        NS_LOG_INFO("Host " << host << ": " << header << " is lost");
        ++m_counters.lost;
        if (header.message != NO_PLACE)
        {
            m_messages[header.message].cause = PACKET_LOSS;
        }
        Release(header.message);
        return done;
    }
    NS_LOG_INFO("Host " << host << " receives " << header);
    m_packetRx(host, header, bytes);
    if (header.to != NO_QP)
    {
        done = Dispatch(host, header.to, header);
    }
    else
    {
        // A member may leave the group when it fails.
        const auto& group = m_verbs->GetMulticastGroup();
        for (auto at = group.lower_bound({host, 0}); at != group.end() && at->first == host;)
        {
            const auto member = *at;
            if (member.second != m_messages[header.message].from)
            {
                done = std::max(done, Dispatch(host, member.second, header));
            }
            at = group.upper_bound(member);
        }
    }
    Release(header.message);
    return done;
}

Ticks
Engine::Dispatch(HostId host, Qpn qp, const TransportHeader& header)
{
    const Ticks now = m_clock->Now();
    if (qp >= m_pairs.size() || m_pairs[qp].host != host || m_pairs[qp].state < QpState::RTR ||
        m_pairs[qp].state == QpState::ERR)
    {
        return now;
    }
    const QueuePair& pair = m_pairs[qp];
    if (header.kind == PacketKind::ACK)
    {
        return pair.transport == Transport::RC ? OnAck(qp, header) : now;
    }
    const Qpn from = m_messages[header.message].from;
    if (header.kind != PacketKind::REQUEST)
    {
        return from == qp ? OnResponse(qp, header) : now;
    }
    const bool connected = pair.transport != Transport::UD;
    if (m_pairs[from].transport != pair.transport || (connected && from != pair.remote))
    {
        return now;
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
}

Ticks
Engine::GetEngineTime(HostId host) const
{
    return m_hcas[host].GetEngineTime(m_hca);
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
        const Ticks wire = m_fabric->GetWireTime(from, length);
        const Ticks carried = from == to ? wire : m_fabric->GetIdleLatency(from, lid, length);
        link = sent + wire + m_hca.packetProcessing;
        taken = std::max(taken, sent + carried) + m_hca.packetProcessing +
                (first ? m_hca.receiveProcessing : 0);
        written = std::max(written, taken + (first ? m_hca.wqeFetch : 0)) + dma;
    }
    return written + m_hca.completion;
}

Ticks
Engine::TakeEngine(HostId host, HcaCounters::Part part, Ticks asked, Ticks time, bool counted)
{
    Hca& hca = m_hcas[host];
    Ticks& free = hca.GetEngineFree(m_hca, HcaCounters::GetEngine(part));
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
    if (message.fetchedAt == NEVER || (pair.state == QpState::SQD && !message.begun))
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
        const uint8_t lane = GetLane(pair);
        m_queued.PushBack(m_hcas[pair.host].lanes[lane].senders, {qp, pair.cursor});
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
        m_queued.PushBack(m_hcas[pair.host].responders, {qp, pair.answers.head});
        Step(pair.host, HcaCounters::RESPONDER);
    }
}

void
Engine::Step(HostId host, HcaCounters::Engine engine)
{
    Hca& hca = m_hcas[host];
    const bool sends = engine == HcaCounters::REQUESTER;
    const uint8_t lane = sends ? FindSenders(hca) : 0;
    if (hca.stepping[engine] || lane == NO_LANE || (!sends && hca.responders.IsEmpty()))
    {
        return;
    }
    hca.stepping[engine] = true;
    if (sends)
    {
        hca.sendLane = lane;
    }
    // Prefetched, since events of other adapters have evicted it.
    const PooledList& pairs = sends ? hca.lanes[lane].senders : hca.responders;
    const Turn& turn = m_queued[pairs.head];
    Expect(turn.qp);
    m_verbs->ExpectEnd(turn.qp);
    if (!sends)
    {
        __builtin_prefetch(&m_answers[turn.place], 1);
    }
    else if (turn.place != NO_PLACE)
    {
        ExpectMessage(turn.place);
    }
    m_queued.ExpectNext(pairs);
    At(hca.GetEngineFree(m_hca, engine), sends ? Event::SEND : Event::ANSWER, host);
}

uint8_t
Engine::GetLane(const QueuePair& pair) const
{
    if (m_lanes == 1)
    {
        return 0;
    }
    const bool datagram = pair.transport == Transport::UD;
    return m_fabric->GetLane(datagram ? m_messages[pair.cursor].wr.to.serviceLevel
                                      : pair.serviceLevel);
}

uint8_t
Engine::FindSenders(const Hca& hca) const
{
    uint8_t lane = hca.sendLane;
    for (uint8_t n = 0; n < m_lanes; ++n)
    {
        lane = GetNextLane(lane);
        if (!hca.lanes[lane].senders.IsEmpty() && hca.lanes[lane].nData < DATA_AHEAD)
        {
            return lane;
        }
    }
    return NO_LANE;
}

void
Engine::DoSend(HostId host)
{
    Hca& hca = m_hcas[host];
    hca.stepping[HcaCounters::REQUESTER] = false;
    for (uint8_t lane = hca.sendLane; lane != NO_LANE;)
    {
        PooledList& senders = hca.lanes[lane].senders;
        if (senders.IsEmpty())
        {
            lane = FindSenders(hca);
            continue;
        }
        const Qpn qp = m_queued[senders.head].qp;
        m_queued.PopFront(senders);
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
        time += m_hca.sendProcessing + TouchContext(qp, HcaCounters::SEND);
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
    if (first)
    {
        packet.header.flags |= TransportHeader::FIRST;
    }
    if (last)
    {
        packet.header.flags |= TransportHeader::LAST;
    }
    if (last || (pair.packet + 1) % ACK_REQUEST_INTERVAL == 0)
    {
        packet.header.flags |= TransportHeader::ACK_REQUEST;
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
        m_verbs->ExpectOldest(qp);
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
    Hca& hca = m_hcas[host];
    hca.stepping[HcaCounters::RESPONDER] = false;
    const Qpn qp = m_queued[hca.responders.head].qp;
    m_queued.PopFront(hca.responders);
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
                                  m_hca.ackProcessing + TouchContext(qp, HcaCounters::ACK_OUT));
        packet.header.message = answer.message;
        packet.header.psn = answer.psn;
        packet.header.kind = answer.kind;
        packet.header.syndrome = answer.syndrome;
        packet.bytes = MIN_PACKET_BYTES + AETH_BYTES;
        if (answer.kind == PacketKind::ATOMIC_RESPONSE)
        {
            packet.bytes += ATOMIC_ACK_ETH_BYTES;
        }
        else
        {
            ++m_counters.acks;
            NoteAck(qp, answer);
        }
        // An ACK overtakes waiting data, but not responses of its own queue pair.
        Prepared(qp, pair.responsesOut > 0 ? Hca::DATA : Hca::ANSWERS, packet);
    }
    WakeAnswer(qp);
    Step(host, HcaCounters::RESPONDER);
}

void
Engine::NoteAck(Qpn qp, const Answer& answer)
{
    NS_LOG_INFO("Queue pair " << qp << " answers with " << answer.syndrome << " of PSN "
                              << answer.psn);
    if (answer.syndrome == Syndrome::ACK)
    {
        m_ackSent(qp, answer.syndrome, answer.psn);
    }
    else
    {
        m_nakSent(qp, answer.syndrome, answer.psn);
    }
}

void
Engine::Prepared(Qpn qp, Hca::OutList list, OutPacket packet)
{
    const QueuePair& pair = m_pairs[qp];
    packet.from = qp;
    packet.to = pair.remoteHost;
    packet.path = pair.path;
    packet.serviceLevel = pair.serviceLevel;
    packet.header.to = pair.remote;
    if (pair.transport == Transport::UD)
    {
        const Address& to = m_messages[packet.header.message].wr.to;
        packet.to = to.qp == NO_QP ? ALL_HOSTS : to.host;
        packet.path = to.path;
        packet.header.to = to.qp;
        packet.serviceLevel = to.serviceLevel;
    }
    Hca::VirtualLane& lane =
        m_hcas[pair.host].lanes[PeekPointer(m_fabric)->GetLane(packet.serviceLevel)];
    m_out.PushBack(lane.out[list], packet);
    if (list == Hca::DATA)
    {
        ++lane.nData;
    }
    PlanInject(pair.host);
}

void
Engine::PlanInject(HostId host)
{
    Hca& hca = m_hcas[host];
    Ticks when = NEVER;
    for (uint8_t n = 0; n < m_lanes; ++n)
    {
        const Hca::VirtualLane& lane = hca.lanes[n];
        for (const PooledList& list : lane.out)
        {
            if (!list.IsEmpty() && !lane.blocked)
            {
                when = std::min(when, m_out[list.head].ready);
            }
        }
    }
    if (when == NEVER)
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
    hca.injectAt = NEVER;
    for (const Hca::OutList list : {Hca::ANSWERS, Hca::DATA})
    {
        uint8_t lane = hca.linkLane;
        for (uint8_t n = 0; n < m_lanes; ++n)
        {
            lane = GetNextLane(lane);
            const PooledList& out = hca.lanes[lane].out[list];
            if (!out.IsEmpty() && !hca.lanes[lane].blocked &&
                m_out[out.head].ready <= m_clock->Now() && InjectFrom(host, lane, list))
            {
                PlanInject(host);
                return;
            }
        }
    }
    PlanInject(host);
}

bool
Engine::InjectFrom(HostId host, uint8_t number, Hca::OutList list)
{
    Hca& hca = m_hcas[host];
    Hca::VirtualLane& lane = hca.lanes[number];
    const Ticks now = m_clock->Now();
    const OutPacket packet = m_out[lane.out[list].head];
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
        NS_LOG_LOGIC("Host " << host << ": virtual lane " << int{number}
                             << " of the link has no room");
        lane.blocked = true;
        return false;
    }
    m_out.PopFront(lane.out[list]);
    hca.linkLane = number;
    const Ticks wire = PeekPointer(m_fabric)->GetWireTime(host, packet.bytes);
    hca.linkFree = now + wire + m_hca.packetProcessing;
    hca.counters.Wait(HcaCounters::LINK, packet.ready, now);
    hca.counters.parts[HcaCounters::LINK].busy += wire;
    ++m_counters.packets;
    if (packet.header.kind == PacketKind::READ_RESPONSE)
    {
        --pair.responsesOut;
    }
    if (list == Hca::DATA)
    {
        --lane.nData;
        Step(host, HcaCounters::REQUESTER);
    }
    if (ends)
    {
        PlanSent(packet.from, packet.header.message, now + m_hca.completion);
        Release(packet.header.message);
    }
    return true;
}

void
Engine::PlanSent(Qpn qp, uint32_t message, Ticks when)
{
    QueuePair& pair = m_pairs[qp];
    const SendWr& wr = m_messages[message].wr;
    if (wr.flags & SIGNALED)
    {
        m_hcas[pair.host].Occupy(m_hca, HcaCounters::WRITE, m_clock->Now(), CQE_BYTES);
    }
    else if (pair.ending == 0 && m_verbs->EndUnnoticed(qp))
    {
        return;
    }
    ++pair.ending;
    if (IsAtomic(wr.opcode))
    {
        ++m_messages[message].uses;
        At(when, Event::ATOMIC, qp, message);
        return;
    }
    At(when, Event::SENT, qp);
}

bool
Engine::Carry(HostId host, const OutPacket& packet)
{
    if (packet.to == host)
    {
        LoopBack(host, packet);
        return true;
    }
    TransportHeader header = packet.header;
    Fabric& fabric = *PeekPointer(m_fabric);
    // The packet takes some time to arrive: prefetch now.
    Expect(header.to);
    m_verbs->ExpectEnd(header.to);
    if (m_packetLoss > 0 && m_random->GetValue() < m_packetLoss)
    {
        header.flags |= TransportHeader::LOST;
    }
    if (!fabric.HasRoom(host, fabric.GetLane(packet.serviceLevel)))
    {
        return false;
    }
    if (packet.to == ALL_HOSTS && HasMulticastMember(host, packet.from))
    {
        ++m_messages[header.message].uses;
        LoopBack(host, packet);
    }
    NS_LOG_INFO("Host " << host << " sends " << header << ", " << packet.bytes << " bytes");
    m_packetTx(host, header, packet.bytes);
    const PacketIndex index = fabric.New();
    Packet& sent = fabric.Get(index);
    const auto& manager = PeekPointer(m_subnet)->GetManager();
    sent.user = std::bit_cast<std::array<uint64_t, 2>>(header);
    sent.destination = packet.to == ALL_HOSTS
                           ? MULTICAST_LID
                           : manager.GetLid(packet.to, packet.path % manager.GetNPaths());
    sent.bytes = static_cast<uint16_t>(packet.bytes);
    sent.serviceLevel = packet.serviceLevel;
    fabric.Inject(host, index);
    return true;
}

void
Engine::LoopBack(HostId host, const OutPacket& packet)
{
    NS_LOG_INFO("Host " << host << " loops back " << packet.header << ", " << packet.bytes
                        << " bytes");
    m_packetTx(host, packet.header, packet.bytes);
    const Ticks wire = PeekPointer(m_fabric)->GetWireTime(host, packet.bytes);
    const auto place = static_cast<uint32_t>(m_loops.Put({packet.header, packet.bytes}));
    At(m_clock->Now() + wire, Event::LOOP, host, place);
}

bool
Engine::HasMulticastMember(HostId host, Qpn except) const
{
    const auto& group = m_verbs->GetMulticastGroup();
    auto at = group.lower_bound({host, 0});
    if (at != group.end() && at->second == except)
    {
        ++at;
    }
    return at != group.end() && at->first == host;
}

void
Engine::OnReady(HostId host, uint8_t lane)
{
    m_hcas[host].lanes[lane].blocked = false;
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
        message.owed = pair.transport == Transport::UD ? CountReceivers(qp, wr.to) : 1;
    }
    pair.postPsn = (pair.postPsn + message.packets) & PSN_MASK;
    if (pair.head == NO_PLACE)
    {
        pair.head = place;
    }
    else
    {
        m_messages[pair.tail].next = place;
    }
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
Engine::CountReceivers(Qpn sender, const Address& to) const
{
    if (to.qp != NO_QP)
    {
        return 1;
    }
    const auto& group = m_verbs->GetMulticastGroup();
    const auto members = static_cast<uint32_t>(group.size());
    return group.contains({m_pairs[sender].host, sender}) ? members - 1 : members;
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
        NS_LOG_INFO("Queue pair " << qp << " fails: " << int{pair.retries}
                                  << " retries have brought no ACK of PSN " << psn);
        Fail(qp, WcStatus::RETRY_EXC_ERR, m_clock->Now());
        return;
    }
    ++pair.retries;
    NS_LOG_INFO("Queue pair " << qp << " sends again from PSN " << psn << ", retry "
                              << int{pair.retries});
    m_retry(qp, psn, pair.retries);
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
    if (!complete && !m_messages[pair.head].requestedAgain)
    {
        // The responder answers in order, so an ACK after the responses reveals their loss.
        m_messages[pair.head].requestedAgain = true;
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
    NS_LOG_INFO("Queue pair " << qp << " has waited " << m_hca.ackTimeout
                              << " ns for an ACK: timeout");
    Retry(qp, pair.ackPsn);
}

Ticks
Engine::OnAck(Qpn qp, const TransportHeader& header)
{
    QueuePair& pair = m_pairs[qp];
    const Ticks done = TakeEngine(pair.host,
                                  HcaCounters::ACK_IN,
                                  m_clock->Now(),
                                  m_hca.ackProcessing + TouchContext(qp, HcaCounters::ACK_IN));
    const bool positive = header.syndrome == Syndrome::ACK;
    const uint32_t acked = (header.psn + (positive ? 1 : 0)) & PSN_MASK;
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
            RetryRnr(qp, acked, done);
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

void
Engine::RetryRnr(Qpn qp, uint32_t psn, Ticks when)
{
    QueuePair& pair = m_pairs[qp];
    if (m_hca.rnrRetryCount != NO_RNR_LIMIT)
    {
        if (pair.rnrRetries == m_hca.rnrRetryCount)
        {
            NS_LOG_INFO("Queue pair " << qp << " fails: the receiver has had no receive for PSN "
                                      << psn << " in " << int{pair.rnrRetries} << " RNR retries");
            Fail(qp, WcStatus::RNR_RETRY_EXC_ERR, when);
            return;
        }
        ++pair.rnrRetries;
    }
    NS_LOG_INFO("Queue pair " << qp << " waits " << m_hca.rnrTimeout
                              << " ns, since the receiver has no receive for PSN " << psn);
    m_rnrRetry(qp, psn, pair.rnrRetries);
    pair.waiting = true;
    pair.resumed = true;
    pair.deadline = NEVER;
    SetCursor(qp, psn);
    At(when + m_hca.rnrTimeout, Event::RESUME, qp);
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
        time += TouchContext(qp, HcaCounters::ACK_IN);
    }
    Ticks done = TakeEngine(pair.host, HcaCounters::ACK_IN, m_clock->Now(), time);
    if (!message.queued || pair.failed || index < message.answered ||
        !Acknowledge(qp, message.firstPsn, done))
    {
        return done;
    }
    if (index > message.answered)
    {
        if (!message.requestedAgain)
        {
            message.requestedAgain = true;
            Retry(qp, message.firstPsn);
        }
        return done;
    }
    ++message.answered;
    message.requestedAgain = false;
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
            pair.serviceLevel = attr.serviceLevel % N_SERVICE_LEVELS;
        }
        pair.begun = false;
        break;
    case QpState::RTS:
        if (!pair.begun)
        {
            pair.begun = true;
            pair.postPsn = pair.ackPsn = pair.sentPsn = attr.sqPsn & PSN_MASK;
        }
        WakeSend(qp);
        break;
    case QpState::SQD:
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
    pair.rnrRetries = 0;
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
Engine::QueueAnswer(Qpn qp, const Answer& answer)
{
    m_answers.PushBack(m_pairs[qp].answers, answer);
    WakeAnswer(qp);
}

void
Engine::QueueResponse(Qpn qp, const TransportHeader& header, Ticks ready)
{
    Message& message = m_messages[header.message];
    Answer answer;
    answer.ready = ready;
    answer.message = header.message;
    answer.psn = header.psn;
    answer.kind =
        IsAtomic(message.wr.opcode) ? PacketKind::ATOMIC_RESPONSE : PacketKind::READ_RESPONSE;
    answer.packets = message.packets;
    ++message.uses;
    QueueAnswer(qp, answer);
}

void
Engine::QueueAck(Qpn qp, Syndrome syndrome, uint32_t psn, Ticks ready)
{
    const PooledList& answers = m_pairs[qp].answers;
    if (!answers.IsEmpty() && syndrome == Syndrome::ACK)
    {
        Answer& last = m_answers[answers.tail];
        const bool isAck = last.kind == PacketKind::ACK && last.syndrome == Syndrome::ACK;
        if (isAck && last.psn == psn)
        {
            return;
        }
        if (isAck && last.messages < m_hca.ackCoalescing)
        {
            ++last.messages;
            last.psn = psn;
            return;
        }
    }
    Answer answer;
    answer.ready = ready;
    answer.psn = psn;
    answer.syndrome = syndrome;
    QueueAnswer(qp, answer);
}

void
Engine::FailResponder(Qpn qp, Syndrome syndrome, Ticks ready)
{
    const uint32_t psn = m_pairs[qp].expected;
    m_verbs->ModifyQp(qp, {QpState::ERR, NO_QP, 0});
    QueueAck(qp, syndrome, psn, ready);
}

Engine::SharedQueue&
Engine::GetShared(SrqNumber srq)
{
    if (srq >= m_shared.size())
    {
        m_shared.resize(srq + std::size_t{1});
    }
    return m_shared[srq];
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
    const SrqNumber srq = m_verbs->GetSrq(qp);
    uint32_t& place = srq == NO_SRQ ? pair.place : GetShared(srq).place;
    ++place;
    if (place >= m_verbs->GetMaxReceives(qp))
    {
        place = 0;
    }
    pair.place = place;
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
        time += m_hca.receiveProcessing + TouchContext(qp, HcaCounters::RECEIVE);
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
        from += TouchReceives(qp, ContextKind::RECEIVE_QUEUE) + m_hca.wqeFetch;
        hca.Occupy(m_hca, HcaCounters::READ, m_clock->Now(), WQE_BYTES);
        if (bytes > 0 && opcode != WrOpcode::RDMA_WRITE_WITH_IMM)
        {
            const uint64_t offset = uint64_t{pair.place} * pair.receive.bytes;
            from += TouchReceives(qp,
                                  ContextKind::BUFFER,
                                  static_cast<uint32_t>(offset / TRANSLATED_BYTES));
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
        m_verbs->ExpectReceive(qp, Nearness::MEMORY, message.from);
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
            QueueAck(qp, Syndrome::NAK_SEQUENCE, pair.expected, done);
        }
        return done;
    }
    if (IsFetching(m_messages[header.message].wr.opcode))
    {
        QueueResponse(qp, header, done);
    }
    else if (header.flags & TransportHeader::ACK_REQUEST)
    {
        QueueAck(qp, Syndrome::ACK, (pair.expected - 1) & PSN_MASK, done);
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
            QueueAck(qp, Syndrome::NAK_OPERATION, psn, done);
            return done;
        }
        if (!pair.hasReceive)
        {
            pair.nakSent = true;
            ++m_counters.notReady;
            QueueAck(qp, Syndrome::RNR_NAK, psn, done);
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
        QueueAck(qp, Syndrome::NAK_INVALID, psn, done);
        return done;
    }
    if (!IsFetching(wr.opcode))
    {
        pair.expected = (pair.expected + 1) & PSN_MASK;
        const Ticks written = Place(qp, header, done);
        if (header.flags & TransportHeader::ACK_REQUEST)
        {
            QueueAck(qp, Syndrome::ACK, header.psn, done);
        }
        return written;
    }
    Message& message = m_messages[header.message];
    pair.expected = (pair.expected + message.packets) & PSN_MASK;
    Ticks ready = done;
    if (IsAtomic(wr.opcode))
    {
        // Memory is read, changed and written over PCI Express. A repeated request gets the value
        // that is kept here, and the operation is not executed again.
        Hca& hca = m_hcas[pair.host];
        message.wr.data.contents = m_verbs->DoAtomic(message.wr);
        hca.Occupy(m_hca, HcaCounters::READ, m_clock->Now(), SendWr::ATOMIC_BYTES);
        hca.Occupy(m_hca, HcaCounters::WRITE, m_clock->Now(), SendWr::ATOMIC_BYTES);
        ready += m_hca.wqeFetch;
    }
    QueueResponse(qp, header, ready);
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
        if (pair.inMessage)
        {
            ++m_counters.dropped;
        }
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
            ++m_counters.notReady;
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
        if (last)
        {
            ++m_counters.dropped;
        }
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
        if (!m_pairs[qp].hasReceive)
        {
            ++m_counters.notReady;
        }
        // Other receivers of a datagram to a group may lose it elsewhere.
        m_messages[header.message].Settle();
        Lose(m_messages[header.message], RECEIVE, 1);
        return done;
    }
    return Place(qp, header, done);
}

} // namespace infiniband
} // namespace ns3
