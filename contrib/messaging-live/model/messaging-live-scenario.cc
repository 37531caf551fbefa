/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-live-scenario.h"

#include "ns3/log.h"
#include "ns3/messaging-attributes.h"
#include "ns3/messaging-faulty-port.h"
#include "ns3/messaging-log-component.h"
#include "ns3/messaging-named-counts.h"
#include "ns3/messaging-spread-bits.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <sstream>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace ns3
{
namespace messaging
{

[[maybe_unused]] static const LogComponent& g_log =
    GetLogComponent("MessagingLiveScenario", __FILE__);

NS_OBJECT_ENSURE_REGISTERED(LiveScenario);

namespace
{

/** First random streams of faults, one for each peer, and of the protocol. */
constexpr int64_t LIVE_FAULT_STREAM = 1;
constexpr int64_t LIVE_PROTOCOL_STREAM = 100'000'000;

/** Interval of HELLOs and STATEs until all peers have joined, and during the exchange of messages.
 */
const Time JOIN_INTERVAL = MilliSeconds(1);
const Time STATE_INTERVAL = MilliSeconds(20);

/** Time for which finished peers still answer others. */
const Time LINGER_TIME = MilliSeconds(60);

/** Size of the head of a packet from or to the application: kind, three zeroes, peer [bytes]. */
constexpr std::size_t PACKET_HEAD = 8;

/** Offset of the peer in a packet from or to the application [bytes]. */
constexpr std::size_t PACKET_PEER = 4;

/** Packets read from the application before timers are served. */
constexpr int MOST_PACKETS = 64;

/** Share of the window after which the sender is informed at once of what is taken. */
constexpr uint64_t TAKEN_AT_ONCE = LIVE_WINDOW / 4;

/** Number of copies of the last STATE of a peer that ends with an error. */
constexpr int FINAL_COPIES = 3;

/**
 * Append a number in the byte order of the machine.
 * @param bytes appended to
 * @param number the number
 */
template <class T>
void
Append(std::vector<uint8_t>& bytes, const T& number)
{
    const auto* first = reinterpret_cast<const uint8_t*>(&number);
    bytes.insert(bytes.end(), first, first + sizeof number);
}

} // namespace

TypeId
LiveScenario::GetTypeId()
{
    using S = LiveScenario;
    static TypeId tid =
        Attributes<S>(messaging::SetSummary(TypeId("ns3::messaging::LiveScenario"),
                                            "One peer of a protocol over UDP, in real time; the "
                                            "other peers are other processes.")
                          .SetParent<Scenario>()
                          .SetGroupName("MessagingLive")
                          .AddConstructor<LiveScenario>())
            .AddAttribute("Protocol",
                          "Protocol, by name [name; default].",
                          &S::m_protocolName,
                          "idempotent")
            .AddAttribute("Peer",
                          "Index of this process in Peers, from 0 [peer; user].",
                          &S::m_self,
                          0,
                          0,
                          LivePort::MAX_PEERS - 1)
            .AddAttribute("Peers",
                          "Address and UDP port of each peer, separated by commas [text; user].",
                          &S::m_peersText,
                          "127.0.0.1:4000,127.0.0.1:4001")
            .AddAttribute("Size",
                          "Size of a message [bytes; default].",
                          &S::m_size,
                          256,
                          0,
                          1U << 26)
            .AddAttribute("Messages",
                          "Messages that each peer sends to the others in turn, one at a time "
                          "[messages; default].",
                          &S::m_messages,
                          100,
                          1,
                          1U << 24)
            .AddAttribute("Application",
                          "Unix socket on which a program sends and receives messages instead of "
                          "these; empty for none [file; default].",
                          &S::m_application,
                          "")
            .AddAttribute("TimeLimit",
                          "Time after which the run ends [s; default].",
                          &S::m_limit,
                          Seconds(60),
                          MilliSeconds(1))
            .AddAttribute("JoinLimit",
                          "Time for all peers to join [s; default].",
                          &S::m_joinLimit,
                          Seconds(30),
                          MilliSeconds(1))
            .AddAttribute("SilenceLimit",
                          "Silence after which a peer counts as failed [s; default].",
                          &S::m_silenceLimit,
                          Seconds(10),
                          MilliSeconds(1))
            .Forward<&S::m_faults>()
            .AddResult(
                "Outcome",
                "Observed outcome at this peer: exact, or which of loses, duplicates, "
                "reorders, corrupts, miscompletes, gives up, hangs and undecided [-; result].",
                &S::m_outcome)
            .AddResult("RoundTrip",
                       "Median of the measured round trips before the start [us; result].",
                       &S::m_roundTrip)
            .AddResult("Time",
                       "Time from the start to the last delivery or completion [us; result].",
                       &S::m_time)
            .AddResult("Latency",
                       "Mean time from the post of a message to its completion [us; result].",
                       &S::m_latency)
            .AddResult("Posted", "Messages accepted [messages; result].", &S::m_posted)
            .AddResult("Completed", "Messages that have ended [messages; result].", &S::m_completed)
            .AddResult("Delivered",
                       "Messages delivered to this peer [messages; result].",
                       &S::m_delivered)
            .AddResult("Missing",
                       "Messages for this peer that were not delivered [messages; result].",
                       &S::m_missing)
            .AddResult("Duplicates", "Second deliveries [messages; result].", &S::m_duplicates)
            .AddResult("Misordered",
                       "Deliveries after a later message of the same peer [messages; result].",
                       &S::m_misordered)
            .AddResult("Corrupted",
                       "Deliveries that differ from the posted message [messages; result].",
                       &S::m_corrupted)
            .AddResult("Miscompletions",
                       "Completions that are repeated, or of no message of this peer [completions; "
                       "result].",
                       &S::m_miscompletions)
            .AddResult("Dropped",
                       "Messages of an unreliable protocol for which the program had no room "
                       "[messages; result].",
                       &S::m_dropped)
            .AddResult("Frames", "Frames sent [frames; result].", &S::m_frames)
            .AddResult("Foreign",
                       "Foreign datagrams, which are dropped [datagrams; result].",
                       &S::m_foreign);
    return tid;
}

std::vector<Scenario::Part>
LiveScenario::GetParts() const
{
    return {{"protocol", "Protocol", Protocol::GetTypeId()}};
}

std::string
LiveScenario::Check() const
{
    std::vector<LivePort::Remote> peers;
    if (const auto wrong = LivePort::Parse(m_peersText, peers); !wrong.empty())
    {
        return wrong;
    }
    if (m_self >= peers.size())
    {
        return "Peer is " + std::to_string(m_self) + ", but Peers has " +
               std::to_string(peers.size()) + " addresses, counted from 0.";
    }
    if (m_application.size() >= sizeof(sockaddr_un::sun_path))
    {
        return "The path of the socket Application is too long.";
    }
    const auto protocol = GetPart<Protocol>("protocol");
    if (!protocol)
    {
        return "There is no protocol " + m_protocolName + ".";
    }
    if (protocol->UsesSockets())
    {
        return "The protocol " + m_protocolName +
               " is one of ns-3's IP stack; live runs protocols over frames.";
    }
    const PortInfo info{.mtu = LivePort::MTU, .broadcast = true, .ordered = true};
    const auto sentence = protocol->Check(info, static_cast<uint32_t>(peers.size()));
    return sentence.empty() ? m_faults->Check(info, static_cast<uint32_t>(peers.size())) : sentence;
}

uint32_t
LiveScenario::GetGroup() const
{
    std::ostringstream text;
    text << m_protocolName << ' ' << m_peersText << ' ';
    if (m_application.empty())
    {
        text << m_size << ' ' << m_messages;
    }
    else
    {
        text << "application";
    }
    const std::string whole = text.str();
    return GetCrc32(std::span(reinterpret_cast<const uint8_t*>(whole.data()), whole.size()));
}

Peer
LiveScenario::GetReceiver(Peer from, uint32_t number) const
{
    const uint32_t peers = m_port->GetNPeers();
    return (from + 1 + number % (peers - 1)) % peers;
}

uint64_t
LiveScenario::GetContents(Peer from, uint32_t number) const
{
    return SpreadBits(uint64_t{from} << 32 | number);
}

std::string
LiveScenario::Open()
{
    std::vector<LivePort::Remote> peers;
    LivePort::Parse(m_peersText, peers);
    // The epoch is later than those of earlier runs, and not zero.
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    const auto epoch = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
    m_port = Create<LivePort>(m_self, GetGroup(), static_cast<uint64_t>(epoch));
    m_scheduler = LiveScheduler::Install();
    if (const auto wrong = m_port->Open(std::move(peers), m_scheduler); !wrong.empty())
    {
        return wrong;
    }
    if (m_application.empty())
    {
        return "";
    }
    m_socket = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    m_application.copy(address.sun_path, sizeof address.sun_path - 1);
    if (connect(m_socket, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
    {
        return "The socket " + m_application +
               " of the application cannot be opened: " + std::strerror(errno) + ".";
    }
    m_scheduler->Watch(m_socket, [this] { ReadRequests(); }, [this] { WriteAnswers(); });
    // No request is read before the group is open.
    m_scheduler->SetInterest(m_socket, false, false);
    return "";
}

void
LiveScenario::Connect()
{
    m_clock = CreateObject<TickClock>();
    m_faults->AssignStreams(LIVE_FAULT_STREAM + m_self);
    const auto faulty = Create<FaultyPort<LivePort>>(m_clock, m_port, m_faults);
    const auto protocol = GetPart<Protocol>("protocol");
    m_group = protocol->Connect(Site{.clock = m_clock, .port = faulty});
    m_group->AssignStreams(LIVE_PROTOCOL_STREAM);
    m_group->SetUser(this);
    m_promise = protocol->GetPromise(m_faults->Weaken(m_port->GetInfo()));
    m_port->SetPacked(dynamic_cast<const PackedFrames*>(PeekPointer(protocol)));
    m_port->SetProgressCallback([this](Peer peer) { OnProgress(peer); });
    m_links.resize(m_port->GetNPeers());
    m_begin = GetRealTime();
    m_last = m_begin;
    if (m_socket >= 0)
    {
        std::vector<uint8_t> bytes;
        Append(bytes, m_port->GetNPeers());
        Append(bytes, static_cast<uint32_t>(LIVE_WINDOW));
        Append(bytes, uint32_t{IsReliable()});
        Answer(PacketKind::OPEN, m_self, bytes);
    }
    m_port->Start();
    PostNext();
}

Time
LiveScenario::GetRealTime() const
{
    return NanoSeconds(m_scheduler->GetElapsed());
}

bool
LiveScenario::IsReliable() const
{
    return m_promise.IsReliable();
}

bool
LiveScenario::EndIfFailed()
{
    const Time now = Simulator::Now();
    const bool isLate = !m_group && now >= std::min(m_joinLimit, m_limit);
    std::string reason;
    for (Peer peer = 0; peer < m_port->GetNPeers(); ++peer)
    {
        const std::string& name = m_port->GetPeers()[peer].name;
        if (const std::string failure = DescribeFailure(peer, isLate); !failure.empty())
        {
            reason = "Peer " + std::to_string(peer) + " at " + name + failure;
        }
        else if (isLate && peer != m_self && reason.empty())
        {
            reason = "Peer " + std::to_string(peer) + " at " + name +
                     " has not joined: it does not reach all peers, or is in an earlier session.";
        }
    }
    if (reason.empty() && now < m_limit)
    {
        return false;
    }
    if (!reason.empty())
    {
        Fail(reason);
    }
    else
    {
        std::ostringstream sentence;
        sentence << "The run reached TimeLimit, " << m_limit.GetSeconds() << " s, with "
                 << m_completed << " of " << m_posted << " messages posted completed.";
        SetVerdict(Verdict::UNDECIDED, sentence.str());
    }
    Simulator::Stop();
    return true;
}

std::string
LiveScenario::DescribeFailure(Peer peer, bool isLate) const
{
    if (peer == m_self)
    {
        return "";
    }
    const auto& remote = m_port->GetPeers()[peer];
    if (remote.restarted && !(remote.progress.finished && IsFinished()))
    {
        return " has restarted, which ends the session.";
    }
    if (remote.progress.failed)
    {
        return " has ended with an error.";
    }
    const Time silence = Simulator::Now() - remote.received;
    if (m_group && !remote.progress.finished && silence >= m_silenceLimit)
    {
        return " has fallen silent.";
    }
    if (isLate && remote.otherGroup)
    {
        return " belongs to another group: its protocol, peers, size or number of messages differ.";
    }
    if (isLate && remote.received.IsZero())
    {
        return " has not answered; is it running, and does it have the same Peers?";
    }
    return "";
}

void
LiveScenario::Fail(const std::string& reason)
{
    SetVerdict(Verdict::ERROR, reason);
    for (Peer peer = 0; peer < m_port->GetNPeers(); ++peer)
    {
        m_port->GetProgress(peer).failed = true;
        for (int copy = 0; peer != m_self && copy < FINAL_COPIES; ++copy)
        {
            m_port->SendState(peer);
        }
    }
}

void
LiveScenario::Poll()
{
    for (Peer peer = 0; peer < m_links.size(); ++peer)
    {
        UpdateProgress(peer);
    }
    m_port->SendHellos();
    ReportDepartures();
    if (!m_group && m_port->IsOpen())
    {
        Connect();
    }
    if (EndIfFailed())
    {
        return;
    }
    const Time now = Simulator::Now();
    ReportProgress(m_group ? static_cast<double>(m_completed) : 0, m_messages, "messages");
    const auto& peers = m_port->GetPeers();
    const bool othersFinished = std::ranges::all_of(peers, [&](const LivePort::Remote& remote) {
        return remote.progress.finished || &remote == &peers[m_self];
    });
    if (!IsFinished() || !othersFinished)
    {
        m_quiet = now;
    }
    UintegerValue bound;
    m_faults->GetAttribute("ReorderBound", bound);
    if (now - m_quiet > LINGER_TIME + NanoSeconds(2 * bound.Get()))
    {
        Simulator::Stop();
        return;
    }
    Simulator::Schedule(m_group && !IsFinished() ? STATE_INTERVAL : JOIN_INTERVAL,
                        &LiveScenario::Poll,
                        this);
}

bool
LiveScenario::IsFinished() const
{
    if (!m_group || m_completed != m_posted || !m_waiting.empty())
    {
        return false;
    }
    if (!m_application.empty())
    {
        return m_ended && HasAllOfFinished();
    }
    // A completion need not mean a delivery: a protocol that promises deliveries may still repair.
    for (Peer from = 0; m_promise.complete && from < m_links.size(); ++from)
    {
        if (from != m_self && m_links[from].distinct < CountExpected(from))
        {
            return false;
        }
    }
    return m_posted + m_refused == m_messages;
}

bool
LiveScenario::HasAllOfFinished() const
{
    for (Peer peer = 0; IsReliable() && peer < m_links.size(); ++peer)
    {
        const auto& progress = m_port->GetPeers()[peer].progress;
        if (progress.finished && !progress.gaveUp && m_links[peer].distinct < progress.posted)
        {
            return false;
        }
    }
    return true;
}

uint64_t
LiveScenario::CountExpected(Peer from) const
{
    const uint64_t others = m_port->GetNPeers() - 1;
    const uint64_t first = (m_self + others - from) % (others + 1);
    return m_messages > first ? (m_messages - first - 1) / others + 1 : 0;
}

void
LiveScenario::UpdateProgress(Peer peer)
{
    const Link& link = m_links[peer];
    LiveProgress& own = m_port->GetProgress(peer);
    own.posted = link.posted;
    own.delivered = link.delivered.GetNext();
    own.taken = std::min(link.taken, own.delivered);
    own.finished = IsFinished();
}

void
LiveScenario::OnProgress(Peer peer)
{
    if (m_socket < 0)
    {
        return;
    }
    AnswerProgress(peer);
    const auto& progress = m_port->GetPeers()[peer].progress;
    if (progress.damaged)
    {
        GiveUpMessage(peer,
                      "A message of this peer has arrived damaged at peer " + std::to_string(peer) +
                          ".");
    }
    if (progress.gaveUp && !m_links[peer].warned)
    {
        m_links[peer].warned = true;
        AnswerText(PacketKind::BROKEN,
                   peer,
                   "Peer " + std::to_string(peer) + " has given up messages to this peer.");
    }
}

void
LiveScenario::ReportDepartures()
{
    const Time now = Simulator::Now();
    for (Peer peer = 0; m_socket >= 0 && peer < m_links.size(); ++peer)
    {
        Link& link = m_links[peer];
        const auto& remote = m_port->GetPeers()[peer];
        if (!remote.progress.finished || link.gone)
        {
            continue;
        }
        if (link.finished.IsZero())
        {
            link.finished = now;
        }
        bool complete = now - link.finished > LINGER_TIME;
        if (IsReliable())
        {
            complete = link.delivered.GetNext() >= remote.progress.posted;
        }
        const bool gone = now - remote.received > m_silenceLimit;
        if ((complete || gone) && !link.left)
        {
            link.left = true;
            Answer(PacketKind::LEFT, peer, {});
        }
        if (gone)
        {
            link.gone = true;
            Answer(PacketKind::GONE, peer, {});
        }
    }
}

void
LiveScenario::PostNext()
{
    if (m_application.empty() && m_waiting.empty() && m_posted + m_refused < m_messages &&
        m_completed == m_posted)
    {
        const auto number = static_cast<uint32_t>(m_posted + m_refused);
        m_waiting.push_back(Request{.id = number,
                                    .contents = GetContents(m_self, number),
                                    .to = GetReceiver(m_self, number),
                                    .bytes = m_size,
                                    .tag = number});
    }
    m_stalled = false;
    while (!m_waiting.empty() && !m_stalled)
    {
        const Request request = m_waiting.front();
        m_waiting.pop_front();
        ++m_posted;
        uint64_t number = request.id;
        if (m_socket >= 0)
        {
            number = LiveName::Unpack(request.contents).number;
        }
        m_open[request.id] = Posted{.when = GetRealTime(), .to = request.to, .number = number};
        const auto acceptance = m_group->Post(m_self, request);
        if (acceptance != Acceptance::ACCEPTED)
        {
            --m_posted;
            m_open.erase(request.id);
        }
        if (acceptance == Acceptance::STALLED)
        {
            m_waiting.push_front(request);
            m_stalled = true;
        }
        else if (acceptance == Acceptance::REFUSED && m_socket >= 0)
        {
            m_links[request.to].ended.Add(number);
            GiveUpMessage(request.to, m_group->DescribeRefusal(m_self, request));
        }
        else if (acceptance == Acceptance::REFUSED && m_port->GetProgress(request.to).gaveUp)
        {
            ++m_refused;
            Simulator::ScheduleNow(&LiveScenario::PostNext, this);
        }
        else if (acceptance == Acceptance::REFUSED)
        {
            SetVerdict(Verdict::ERROR, m_group->DescribeRefusal(m_self, request));
            Simulator::Stop();
            return;
        }
    }
    if (m_socket >= 0)
    {
        WriteAnswers();
    }
}

void
LiveScenario::OnDeliver(Peer, const Delivery& delivery)
{
    m_last = GetRealTime();
    if (m_socket < 0)
    {
        CheckDelivery(delivery);
    }
    else
    {
        DeliverBytes(delivery);
    }
}

void
LiveScenario::CheckDelivery(const Delivery& delivery)
{
    const uint32_t number = delivery.tag;
    const bool known = delivery.from < m_links.size() && delivery.from != m_self;
    if (!known || number >= m_messages || GetReceiver(delivery.from, number) != m_self ||
        delivery.contents != GetContents(delivery.from, number) || delivery.bytes != m_size)
    {
        ++m_corrupted;
        return;
    }
    Link& link = m_links[delivery.from];
    if (!link.delivered.Add(number / (m_port->GetNPeers() - 1)))
    {
        ++m_duplicates;
        return;
    }
    ++link.distinct;
    ++m_delivered;
    if (number < link.newest)
    {
        ++m_misordered;
    }
    link.newest = std::max<uint64_t>(link.newest, number);
}

void
LiveScenario::DeliverBytes(const Delivery& delivery)
{
    const auto name = LiveName::Unpack(delivery.contents);
    const auto* bytes = m_port->GetBytes().Find(delivery.contents);
    const bool known = delivery.from < m_links.size() && delivery.from != m_self;
    if (!known || name.from != delivery.from || name.to != m_self)
    {
        ++m_corrupted;
        if (known)
        {
            OnDamage(delivery.from, " has arrived damaged.");
        }
        return;
    }
    Link& link = m_links[name.from];
    if (!link.delivered.Add(name.number))
    {
        ++m_duplicates;
        return;
    }
    ++link.distinct;
    if (!bytes || bytes->size() != delivery.bytes)
    {
        ++m_corrupted;
        OnDamage(name.from, " has arrived without its bytes.");
        return;
    }
    if (name.number < link.newest)
    {
        ++m_misordered;
    }
    link.newest = std::max(link.newest, name.number);
    if (!IsReliable() && link.arrived - link.taken >= LIVE_WINDOW)
    {
        ++m_dropped;
    }
    else
    {
        ++link.arrived;
        ++m_delivered;
        Answer(PacketKind::DELIVERY, name.from, *bytes);
    }
    m_port->GetBytes().Drop(delivery.contents);
}

void
LiveScenario::OnDamage(Peer from, const std::string& sentence)
{
    if (IsReliable() && !m_links[from].warned)
    {
        m_links[from].warned = true;
        AnswerText(PacketKind::BROKEN,
                   from,
                   "A message of peer " + std::to_string(from) + sentence);
        m_port->GetProgress(from).damaged = true;
        m_port->SendState(from);
    }
}

void
LiveScenario::OnComplete(Peer self, RequestId id, Completion completion)
{
    const auto posted = m_open.find(id);
    if (self != m_self || posted == m_open.end())
    {
        ++m_miscompletions;
        return;
    }
    if (!m_group->IsFinal(completion))
    {
        if (posted->second.sent)
        {
            ++m_miscompletions;
        }
        posted->second.sent = true;
        return;
    }
    const Posted message = posted->second;
    m_open.erase(posted);
    ++m_completed;
    m_last = GetRealTime();
    // A stop of the process that the scheduler has left out can begin in the middle of an event.
    m_latency += std::max((m_last - message.when).GetSeconds(), 0.0) * 1e6;
    if (completion == Completion::FAILED || completion == Completion::UNREACHABLE)
    {
        ++m_failed;
        GiveUpMessage(message.to,
                      "The protocol has given up a message to peer " + std::to_string(message.to) +
                          ".");
    }
    if (m_socket >= 0)
    {
        m_links[message.to].ended.Add(message.number);
        AnswerProgress(message.to);
    }
    // The post is an event, as this call comes from within the protocol.
    Simulator::ScheduleNow(&LiveScenario::PostNext, this);
}

void
LiveScenario::GiveUpMessage(Peer to, const std::string& sentence)
{
    LiveProgress& own = m_port->GetProgress(to);
    if (own.gaveUp)
    {
        return;
    }
    own.gaveUp = true;
    m_port->SendState(to);
    if (m_socket >= 0)
    {
        AnswerText(PacketKind::FAILURE, to, sentence);
    }
}

void
LiveScenario::OnReady(Peer self)
{
    if (self == m_self && m_stalled)
    {
        Simulator::ScheduleNow(&LiveScenario::PostNext, this);
    }
}

void
LiveScenario::ReadRequests()
{
    std::array<uint8_t, PACKET_HEAD + LivePort::LARGEST_BYTES> packet;
    for (int taken = 0; taken < MOST_PACKETS && !m_ended; ++taken)
    {
        const ssize_t size = recv(m_socket, packet.data(), packet.size(), 0);
        if (size < 0 && (errno == EAGAIN || errno == EINTR))
        {
            break;
        }
        if (size < static_cast<ssize_t>(PACKET_HEAD))
        {
            m_ended = true;
            break;
        }
        Peer peer = 0;
        std::memcpy(&peer, packet.data() + PACKET_PEER, sizeof peer);
        std::vector<uint8_t> bytes(packet.begin() + PACKET_HEAD, packet.begin() + size);
        if (peer >= m_links.size() || peer == m_self)
        {
            continue;
        }
        if (static_cast<PacketKind>(packet[0]) == PacketKind::MESSAGE)
        {
            TakeMessage(peer, std::move(bytes));
        }
        else if (uint32_t count = 0; bytes.size() == sizeof count)
        {
            std::memcpy(&count, bytes.data(), sizeof count);
            m_links[peer].taken += count;
            const uint64_t before = m_port->GetProgress(peer).taken;
            UpdateProgress(peer);
            if (m_port->GetProgress(peer).taken >= before + TAKEN_AT_ONCE)
            {
                m_port->SendState(peer);
            }
        }
    }
    PostNext();
}

void
LiveScenario::TakeMessage(Peer to, std::vector<uint8_t> bytes)
{
    const LiveName name{.from = m_self, .to = to, .number = m_links[to].posted++};
    const uint64_t contents = name.Pack();
    m_waiting.push_back(Request{.id = m_nextId++,
                                .contents = contents,
                                .to = to,
                                .bytes = static_cast<uint32_t>(bytes.size())});
    m_port->GetBytes().Keep(contents, std::move(bytes));
}

void
LiveScenario::Answer(PacketKind kind, Peer peer, const std::vector<uint8_t>& bytes)
{
    std::vector<uint8_t> packet(PACKET_HEAD);
    packet[0] = static_cast<uint8_t>(kind);
    std::memcpy(packet.data() + PACKET_PEER, &peer, sizeof peer);
    packet.insert(packet.end(), bytes.begin(), bytes.end());
    m_answers.push_back(std::move(packet));
    WriteAnswers();
}

void
LiveScenario::AnswerText(PacketKind kind, Peer peer, const std::string& sentence)
{
    Answer(kind, peer, {sentence.begin(), sentence.end()});
}

std::vector<uint8_t>
LiveScenario::GetProgressBytes(Peer peer) const
{
    const auto& progress = m_port->GetPeers()[peer].progress;
    std::vector<uint8_t> bytes;
    Append(bytes, m_links[peer].ended.GetNext());
    Append(bytes, progress.delivered);
    Append(bytes, progress.taken);
    return bytes;
}

void
LiveScenario::AnswerProgress(Peer peer)
{
    Link& link = m_links[peer];
    if (!link.reporting && link.reported != GetProgressBytes(peer))
    {
        link.reporting = true;
        Answer(PacketKind::PROGRESS, peer, {});
    }
}

void
LiveScenario::WriteAnswers()
{
    while (!m_answers.empty())
    {
        auto packet = m_answers.front();
        Peer peer = 0;
        std::memcpy(&peer, packet.data() + PACKET_PEER, sizeof peer);
        const bool isProgress = static_cast<PacketKind>(packet[0]) == PacketKind::PROGRESS;
        if (isProgress)
        {
            const auto bytes = GetProgressBytes(peer);
            packet.insert(packet.end(), bytes.begin(), bytes.end());
        }
        if (send(m_socket, packet.data(), packet.size(), MSG_NOSIGNAL) < 0 && errno == EAGAIN)
        {
            break;
        }
        if (isProgress)
        {
            m_links[peer].reporting = false;
            m_links[peer].reported = GetProgressBytes(peer);
        }
        m_answers.pop_front();
    }
    m_scheduler->SetInterest(m_socket, !m_ended, !m_answers.empty());
}

void
LiveScenario::DoRun()
{
    NS_LOG_FUNCTION(this);
    if (const auto wrong = Open(); !wrong.empty())
    {
        SetVerdict(Verdict::ERROR, wrong);
    }
    else
    {
        Simulator::ScheduleNow(&LiveScenario::Poll, this);
        Simulator::Run();
        Measure();
    }
    m_port->Close();
    if (m_socket >= 0)
    {
        close(m_socket);
        m_socket = -1;
    }
    if (m_group)
    {
        m_group->SetUser(nullptr);
        m_group->Dispose();
    }
}

void
LiveScenario::Measure()
{
    const uint32_t peers = m_port->GetNPeers();
    bool loses = false;
    for (Peer from = 0; m_group && from < peers; ++from)
    {
        const auto& progress = m_port->GetPeers()[from].progress;
        uint64_t expected = progress.finished ? progress.posted : 0;
        if (m_application.empty())
        {
            expected = from == m_self ? 0 : CountExpected(from);
        }
        const uint64_t missing = expected - std::min(expected, m_links[from].distinct);
        m_missing += missing;
        // What its sender has given up is reported there, and not lost.
        loses |= missing > 0 && !progress.gaveUp;
    }
    const auto foreign = NameCounts<LiveReject>(0, LIVE_REJECTS, [this](LiveReject reject) {
        m_foreign += m_port->GetNRejected(reject);
        return m_port->GetNRejected(reject);
    });
    m_tables.emplace_back("Foreign", MakeCountTable(foreign));
    m_frames = m_port->GetNFrames();
    m_roundTrip = m_port->GetRoundTrip().GetSeconds() * 1e6;
    if (!m_group)
    {
        return;
    }
    m_time = (m_last - m_begin).GetSeconds() * 1e6;
    m_latency /= std::max<double>(static_cast<double>(m_completed), 1);
    m_tables.emplace_back("Faults", MakeCountTable(m_faults->GetCounts()));
    const auto protocol = GetPart<Protocol>("protocol");
    if (const auto counts = protocol->GetCounts(); !counts.empty())
    {
        m_tables.emplace_back("ProtocolEvents", MakeCountTable(counts));
    }
    if (GetVerdict() == Verdict::NOT_RUN && m_failed > 0)
    {
        SetVerdict(Verdict::FAILED, "The protocol has given up messages.");
    }
    // What is missing when a limit or another peer ends the run could still have come.
    const bool isDecided = GetVerdict() == Verdict::NOT_RUN || GetVerdict() == Verdict::FAILED;
    const Outcome outcome{.loses = isDecided && loses,
                          .duplicates = m_duplicates > 0,
                          .reorders = m_misordered > 0,
                          .corrupts = m_corrupted > 0,
                          .hangs = isDecided && m_posted > m_completed,
                          .givesUp = m_failed > 0,
                          .miscompletes = m_miscompletions > 0};
    m_outcome = outcome.GetWords();
    if (GetVerdict() == Verdict::UNDECIDED)
    {
        m_outcome = m_outcome == "exact" ? "undecided" : m_outcome + ", undecided";
    }
    if (GetVerdict() != Verdict::ERROR && !m_faults->CorruptsUnnoticed() &&
        outcome.Breaks(m_promise))
    {
        SetVerdict(Verdict::VIOLATED,
                   "The protocol " + m_outcome + ", against its promise over this network.");
    }
}

} // namespace messaging
} // namespace ns3
