/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-live-scenario.h"

#include "ns3/log.h"
#include "ns3/messaging-attributes.h"
#include "ns3/messaging-faulty-port.h"
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

NS_LOG_COMPONENT_DEFINE("MessagingLiveScenario");
NS_OBJECT_ENSURE_REGISTERED(LiveScenario);

namespace
{

/** First random streams of faults, one for each peer, and of the protocol. */
constexpr int64_t LIVE_FAULT_STREAM = 1;
constexpr int64_t LIVE_PROTOCOL_STREAM = 100'000'000;

/** Interval of greetings before all peers know each other, and during the exchange of messages. */
const Time HASTE = MilliSeconds(1);
const Time LEISURE = MilliSeconds(20);

/** Time for which finished peers still answer others. */
const Time FAREWELL = MilliSeconds(60);

/** Silence after which a peer counts as failed. */
const Time PATIENCE = Seconds(10);

/** Size of the head of a packet from the application: receiver and number [bytes]. */
constexpr std::size_t REQUEST_HEAD = 8;

/** Size of the head of a packet to the application: kind, three zeroes, sender, number [bytes]. */
constexpr std::size_t ANSWER_HEAD = 12;

/** Number of waiting requests above which no more are read from the application. */
constexpr std::size_t MOST_WAITING = 64;

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
            .Forward<&S::m_faults>()
            .AddResult("Outcome",
                       "Observed outcome at this peer: exact, or which of loses, duplicates, "
                       "reorders, corrupts, miscompletes, hangs and undecided [-; result].",
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
    return sentence.empty() ? m_faults->Check(info) : sentence;
}

uint32_t
LiveScenario::GetGroup() const
{
    std::ostringstream text;
    text << m_protocolName << ' ' << m_peersText << ' ';
    m_application.empty() ? text << m_size << ' ' << m_messages : text << "application";
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
    // The epoch differs from those of earlier runs with the same parameters, and is not zero.
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    const auto elapsed = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
    const uint64_t process = SpreadBits(static_cast<uint64_t>(getpid()));
    const uint64_t epoch = SpreadBits(static_cast<uint64_t>(elapsed) ^ process) | 1;
    m_port = Create<LivePort>(m_self, GetGroup(), epoch);
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
    m_scheduler->Watch(m_socket, [this] { TakeRequests(); }, [this] { GiveAnswers(); });
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
    m_seen.resize(m_port->GetNPeers());
    m_begin = Simulator::Now();
    m_last = m_begin;
    if (m_socket >= 0)
    {
        Answer('O', m_self, m_port->GetNPeers());
    }
    m_port->Start();
    PostNext();
}

bool
LiveScenario::GiveUp()
{
    std::string reason;
    const Time now = Simulator::Now();
    for (Peer peer = 0; peer < m_port->GetNPeers(); ++peer)
    {
        const auto& remote = m_port->GetPeers()[peer];
        if (peer == m_self || remote.finished || now - remote.heard < std::min(PATIENCE, m_limit))
        {
            continue;
        }
        reason = "Peer " + std::to_string(peer) + " at " + remote.name;
        reason += remote.otherGroup ? " belongs to another group: its protocol, peers, size or "
                                      "number of messages differ."
                  : remote.heard.IsZero()
                      ? " has not answered; is it running, and does it have the same Peers?"
                      : " has fallen silent.";
    }
    if (reason.empty() && now < m_limit)
    {
        return false;
    }
    if (!reason.empty())
    {
        SetVerdict(Verdict::ERROR, reason);
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

void
LiveScenario::Beat()
{
    m_port->Greet(IsFinished());
    if (!m_group && m_port->IsOpen())
    {
        Connect();
    }
    if (GiveUp())
    {
        return;
    }
    const Time now = Simulator::Now();
    ReportProgress(m_group ? static_cast<double>(m_completed) : 0, m_messages, "messages");
    if (!IsFinished() || !m_port->HaveOthersFinished())
    {
        m_quiet = now;
    }
    UintegerValue bound;
    m_faults->GetAttribute("ReorderBound", bound);
    if (now - m_quiet > FAREWELL + NanoSeconds(2 * bound.Get()))
    {
        Simulator::Stop();
        return;
    }
    Simulator::Schedule(m_group && !IsFinished() ? LEISURE : HASTE, &LiveScenario::Beat, this);
}

bool
LiveScenario::IsFinished() const
{
    const bool all = m_application.empty() ? m_posted == m_messages : m_ended;
    return m_group && all && m_completed == m_posted && m_waiting.empty();
}

void
LiveScenario::PostNext()
{
    if (m_application.empty() && m_waiting.empty() && m_posted < m_messages &&
        m_completed == m_posted)
    {
        const auto number = static_cast<uint32_t>(m_posted);
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
        m_postTimes[request.id] = Simulator::Now();
        const auto acceptance = m_group->Post(m_self, request);
        if (acceptance != Acceptance::ACCEPTED)
        {
            --m_posted;
        }
        if (acceptance == Acceptance::STALLED)
        {
            m_waiting.push_front(request);
            m_stalled = true;
        }
        else if (acceptance == Acceptance::REFUSED && m_socket >= 0)
        {
            Answer('R', m_self, request.tag);
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
        GiveAnswers();
    }
}

void
LiveScenario::OnDeliver(Peer, const Delivery& delivery)
{
    m_last = Simulator::Now();
    const uint32_t number = delivery.tag;
    const bool own = m_application.empty();
    const auto* bytes = m_port->FindBytes(delivery.contents);
    const bool known = delivery.from < m_seen.size() && delivery.from != m_self;
    const bool sound = own ? number < m_messages && GetReceiver(delivery.from, number) == m_self &&
                                 delivery.contents == GetContents(delivery.from, number) &&
                                 delivery.bytes == m_size
                           : bytes && GetCrc32(*bytes) == static_cast<uint32_t>(delivery.contents);
    if (!known || !sound)
    {
        ++m_corrupted;
        return;
    }
    auto& seen = m_seen[delivery.from];
    const bool late = own && !seen.empty() && number < *seen.rbegin();
    if (!seen.insert(number).second)
    {
        ++m_duplicates;
        return;
    }
    ++m_delivered;
    m_misordered += late;
    if (!own)
    {
        Answer('D', delivery.from, number, *bytes);
    }
}

void
LiveScenario::OnComplete(Peer self, RequestId id, Completion completion)
{
    const auto posted = m_postTimes.find(id);
    if (self != m_self || posted == m_postTimes.end())
    {
        ++m_miscompletions;
        return;
    }
    if (!m_group->IsFinal(completion))
    {
        return;
    }
    ++m_completed;
    m_last = Simulator::Now();
    m_latency += (m_last - posted->second).GetSeconds() * 1e6;
    m_postTimes.erase(posted);
    if (m_socket >= 0)
    {
        Answer('C', m_self, static_cast<uint32_t>(id));
    }
    // The post is an event, as this call comes from within the protocol.
    Simulator::ScheduleNow(&LiveScenario::PostNext, this);
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
LiveScenario::TakeRequests()
{
    std::array<uint8_t, REQUEST_HEAD + LivePort::LARGEST_BYTES> packet;
    while (m_waiting.size() < MOST_WAITING && !m_ended)
    {
        const ssize_t size = recv(m_socket, packet.data(), packet.size(), 0);
        if (size < 0 && (errno == EAGAIN || errno == EINTR))
        {
            break;
        }
        if (size < static_cast<ssize_t>(REQUEST_HEAD))
        {
            m_ended = true;
            break;
        }
        std::array<uint32_t, 2> head{};
        std::memcpy(head.data(), packet.data(), REQUEST_HEAD);
        std::vector<uint8_t> bytes(packet.begin() + REQUEST_HEAD, packet.begin() + size);
        const uint64_t name = SpreadBits(uint64_t{m_self} << 32 | head[1]);
        const uint64_t contents = (name & 0xffffffff00000000) | GetCrc32(bytes);
        m_waiting.push_back(Request{.id = head[1],
                                    .contents = contents,
                                    .to = head[0],
                                    .bytes = static_cast<uint32_t>(bytes.size()),
                                    .tag = head[1]});
        m_port->AddBytes(contents, std::move(bytes));
    }
    PostNext();
}

void
LiveScenario::Answer(char kind, Peer peer, uint32_t number, const std::vector<uint8_t>& bytes)
{
    std::vector<uint8_t> packet(ANSWER_HEAD);
    packet[0] = static_cast<uint8_t>(kind);
    std::memcpy(packet.data() + 4, &peer, sizeof peer);
    std::memcpy(packet.data() + 8, &number, sizeof number);
    packet.insert(packet.end(), bytes.begin(), bytes.end());
    m_answers.push_back(std::move(packet));
    GiveAnswers();
}

void
LiveScenario::GiveAnswers()
{
    while (!m_answers.empty())
    {
        const auto& packet = m_answers.front();
        if (send(m_socket, packet.data(), packet.size(), MSG_NOSIGNAL) < 0 && errno == EAGAIN)
        {
            break;
        }
        m_answers.pop_front();
    }
    m_scheduler->SetInterest(m_socket,
                             !m_ended && m_waiting.size() < MOST_WAITING,
                             !m_answers.empty());
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
        Simulator::ScheduleNow(&LiveScenario::Beat, this);
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
    for (Peer from = 0; m_group && m_application.empty() && from < peers; ++from)
    {
        for (uint32_t number = 0; from != m_self && number < m_messages; ++number)
        {
            m_missing += GetReceiver(from, number) == m_self && !m_seen[from].contains(number);
        }
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
    // What is missing when a limit or another peer ends the run could still have come.
    const bool isDecided = GetVerdict() == Verdict::NOT_RUN;
    const Outcome outcome{.loses = isDecided && m_missing > 0,
                          .duplicates = m_duplicates > 0,
                          .reorders = m_misordered > 0,
                          .corrupts = m_corrupted > 0,
                          .hangs = isDecided && m_posted > m_completed,
                          .miscompletes = m_miscompletions > 0};
    m_outcome = outcome.GetWords();
    if (GetVerdict() == Verdict::UNDECIDED)
    {
        m_outcome = m_outcome == "exact" ? "undecided" : m_outcome + ", undecided";
    }
    const Promise promise = protocol->GetPromise(m_faults->Weaken(m_port->GetInfo()));
    if (GetVerdict() != Verdict::ERROR && !m_faults->CorruptsUnnoticed() && outcome.Breaks(promise))
    {
        SetVerdict(Verdict::VIOLATED,
                   "The protocol " + m_outcome + ", against its promise over this network.");
    }
}

} // namespace messaging
} // namespace ns3
