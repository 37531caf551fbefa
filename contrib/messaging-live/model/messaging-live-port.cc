/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-live-port.h"

#include "ns3/log.h"
#include "ns3/messaging-spread-bits.h"
#include "ns3/messaging-text-file.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <arpa/inet.h>
#include <cerrno>
#include <cstring>
#include <sstream>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace ns3
{
namespace messaging
{

NS_LOG_COMPONENT_DEFINE("MessagingLivePort");

namespace
{

/** Bound of the slip of frames between machines, above the delay by a switch or a route change in a
 * cluster [ns]. */
constexpr Ticks SLIP = 10000000;

/** Round trip below which timers are not set: longer than a system takes to give a process its
 * processor, so that repetitions do not multiply where peers share one [ns]. */
constexpr int64_t SHORTEST_TRIP = 1000000;

/** Size of the buffer of received datagrams that is requested from the system [bytes]. */
constexpr int RECEIVE_BUFFER = 1 << 22;

/** Largest number of datagrams read before timers are served. */
constexpr int MOST_AT_ONCE = 64;

/** Largest size of a UDP datagram [bytes]. */
constexpr std::size_t LARGEST_DATAGRAM = 65536;

/** Calls to send a datagram: the first can report an error of an earlier one, to a peer that had
 * not begun. */
constexpr int SEND_CALLS = 2;

/**
 * Get the median of times.
 * @param times the times
 * @return their median; zero if there are none
 */
Time
GetMedian(std::vector<Time> times)
{
    std::sort(times.begin(), times.end());
    return times.empty() ? Time(0) : times[(times.size() - 1) / 2];
}

} // namespace

LivePort::LivePort(Peer self, uint32_t group, uint64_t epoch)
    : m_epoch(epoch),
      m_group(group),
      m_self(self)
{
}

LivePort::~LivePort()
{
    Close();
}

std::string
LivePort::Parse(const std::string& text, std::vector<Remote>& peers)
{
    peers.clear();
    std::istringstream in(text);
    for (std::string name; std::getline(in, name, ',');)
    {
        Remote remote;
        remote.name = name;
        remote.address.sin_family = AF_INET;
        const auto colon = name.rfind(':');
        uint16_t port = 0;
        if (colon == std::string::npos ||
            inet_pton(AF_INET, name.substr(0, colon).c_str(), &remote.address.sin_addr) != 1 ||
            !ReadNumber(std::string_view(name).substr(colon + 1), 1, 65535, port))
        {
            return "\"" + name + "\" is no address and port of a peer, as in 127.0.0.1:4000.";
        }
        remote.address.sin_port = htons(port);
        for (const auto& other : peers)
        {
            if (other.address.sin_addr.s_addr == remote.address.sin_addr.s_addr &&
                other.address.sin_port == remote.address.sin_port)
            {
                return "Peers has " + name + " twice.";
            }
        }
        peers.push_back(remote);
    }
    if (peers.size() < 2 || peers.size() > MAX_PEERS)
    {
        const std::string noun = peers.size() == 1 ? " address" : " addresses";
        return "Peers has " + std::to_string(peers.size()) + noun + "; 2 to " +
               std::to_string(MAX_PEERS) + " are allowed.";
    }
    return "";
}

std::string
LivePort::Open(std::vector<Remote> peers, LiveScheduler* scheduler)
{
    m_peers = std::move(peers);
    m_scheduler = scheduler;
    Remote& own = m_peers[m_self];
    own.epoch = m_epoch;
    m_socket = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (m_socket < 0 ||
        bind(m_socket, reinterpret_cast<sockaddr*>(&own.address), sizeof own.address) != 0)
    {
        const int error = errno;
        Close();
        std::string reason = "is taken by another program";
        if (error != EADDRINUSE)
        {
            reason = std::string("cannot be opened: ") + std::strerror(error);
        }
        return "The UDP port of peer " + std::to_string(m_self) + ", " + own.name + ", " + reason +
               ".";
    }
    setsockopt(m_socket, SOL_SOCKET, SO_RCVBUF, &RECEIVE_BUFFER, sizeof RECEIVE_BUFFER);
    m_scheduler->Watch(m_socket, [this] { OnReadable(); }, [this] { OnWritable(); });
    return "";
}

void
LivePort::Close()
{
    if (m_socket >= 0)
    {
        if (m_scheduler)
        {
            m_scheduler->Forget(m_socket);
        }
        close(m_socket);
        m_socket = -1;
    }
}

PortInfo
LivePort::GetInfo() const
{
    const bool here = std::all_of(m_peers.begin(), m_peers.end(), [](const Remote& remote) {
        return ntohl(remote.address.sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
    });
    return PortInfo{.mtu = MTU, .broadcast = true, .ordered = here, .maxSlip = here ? 0 : SLIP};
}

Ticks
LivePort::Distance(Peer self, Peer to) const
{
    const Peer other = self == m_self ? to : self;
    Time trip = GetRoundTrip();
    if (other < m_peers.size() && !m_peers[other].trips.empty())
    {
        trip = GetMedian(m_peers[other].trips);
    }
    return GetTimerTrip(trip) / 4;
}

Ticks
LivePort::GetTimerTrip(Time trip)
{
    return static_cast<Ticks>(std::max(trip.GetNanoSeconds(), SHORTEST_TRIP));
}

Time
LivePort::GetRoundTrip() const
{
    std::vector<Time> all;
    for (const auto& remote : m_peers)
    {
        all.insert(all.end(), remote.trips.begin(), remote.trips.end());
    }
    return GetMedian(std::move(all));
}

bool
LivePort::Transmit(Peer to, LiveDatagram& datagram)
{
    datagram.from = m_self;
    datagram.group = m_group;
    datagram.epoch = m_epoch;
    datagram.session = m_session;
    const auto bytes = WriteLiveDatagram(datagram);
    const auto& address = m_peers[to].address;
    for (int call = 0; call < SEND_CALLS; ++call)
    {
        if (sendto(m_socket,
                   bytes.data(),
                   bytes.size(),
                   0,
                   reinterpret_cast<const sockaddr*>(&address),
                   sizeof address) >= 0)
        {
            return true;
        }
        if (errno == EAGAIN || errno == ENOBUFS)
        {
            return false;
        }
    }
    return true;
}

bool
LivePort::Send(Peer self, Peer to, const Frame& frame)
{
    if (self != m_self || m_socket < 0)
    {
        return true;
    }
    LiveDatagram datagram;
    datagram.kind = LiveKind::FRAME;
    datagram.frame = frame;
    std::vector<uint64_t> messages;
    if (m_packed)
    {
        messages = m_packed->GetMessageContents(frame);
    }
    else if (frame.payload > 0)
    {
        messages = {frame.contents};
    }
    for (const uint64_t contents : messages)
    {
        if (const auto* bytes = m_bytes.Find(contents))
        {
            datagram.parts.push_back(LivePart{contents, *bytes});
        }
    }
    for (Peer peer = 0; peer < m_peers.size(); ++peer)
    {
        if (peer != to && (to != NO_PEER || peer == m_self))
        {
            continue;
        }
        // A copy of a frame for all others is lost if the socket refuses it.
        if (!Transmit(peer, datagram) && to != NO_PEER)
        {
            m_scheduler->SetInterest(m_socket, true, true);
            return false;
        }
        ++m_frames;
    }
    return true;
}

void
LivePort::OnWritable()
{
    m_scheduler->SetInterest(m_socket, true, false);
    if (m_user)
    {
        m_user->OnReady(m_self);
    }
}

void
LivePort::OnReadable()
{
    std::array<uint8_t, LARGEST_DATAGRAM> bytes;
    for (int taken = 0; taken < MOST_AT_ONCE && m_socket >= 0; ++taken)
    {
        sockaddr_in source{};
        socklen_t length = sizeof source;
        const ssize_t size = recvfrom(m_socket,
                                      bytes.data(),
                                      bytes.size(),
                                      0,
                                      reinterpret_cast<sockaddr*>(&source),
                                      &length);
        if (size < 0 && errno == ECONNREFUSED)
        {
            continue;
        }
        if (size < 0)
        {
            return;
        }
        LiveDatagram datagram;
        const auto all = std::span(bytes).first(static_cast<std::size_t>(size));
        auto reject = ReadLiveDatagram(all, datagram);
        if (!reject)
        {
            reject = Accept(datagram, source);
        }
        if (reject)
        {
            NS_LOG_INFO("Peer " << m_self << " rejects a datagram: " << *reject);
            ++m_rejected[static_cast<std::size_t>(*reject)];
        }
    }
}

std::optional<LiveReject>
LivePort::Accept(const LiveDatagram& datagram, const sockaddr_in& source)
{
    const auto isFrom = [&source](const Remote& remote) {
        return remote.address.sin_port == source.sin_port &&
               remote.address.sin_addr.s_addr == source.sin_addr.s_addr;
    };
    if (datagram.group != m_group)
    {
        for (auto& remote : m_peers)
        {
            remote.otherGroup |= isFrom(remote);
        }
        return LiveReject::GROUP;
    }
    if (datagram.from >= m_peers.size() || !isFrom(m_peers[datagram.from]))
    {
        return LiveReject::PEER;
    }
    if (datagram.kind == LiveKind::HELLO || datagram.kind == LiveKind::ECHO)
    {
        return AcceptGreeting(datagram);
    }
    Remote& remote = m_peers[datagram.from];
    const bool isSession = m_session != 0 && datagram.session == m_session;
    if (remote.epoch == 0 || datagram.epoch != remote.epoch || (m_open && !isSession))
    {
        return LiveReject::EPOCH;
    }
    if (datagram.kind == LiveKind::STATE)
    {
        remote.received = Simulator::Now();
        remote.session = datagram.session;
        remote.progress = isSession ? datagram.progress : LiveProgress();
        TryOpen();
        if (m_onProgress)
        {
            m_onProgress(datagram.from);
        }
        return {};
    }
    if (!isSession)
    {
        return LiveReject::EPOCH;
    }
    remote.received = Simulator::Now();
    if (m_started)
    {
        TakeFrame(datagram);
    }
    else if (m_early.size() < MOST_EARLY)
    {
        m_early.push_back(datagram);
    }
    return {};
}

bool
LivePort::IsCurrentRun(Remote& remote, uint64_t epoch)
{
    if (epoch < remote.epoch)
    {
        return false;
    }
    if (epoch > remote.epoch && remote.epoch != 0)
    {
        if (m_open)
        {
            NS_LOG_INFO("Peer " << m_self << " finds that another has restarted");
            remote.restarted = true;
            return false;
        }
        remote.epoch = 0;
        remote.session = 0;
        remote.trips.clear();
        m_session = 0;
        m_early.clear();
    }
    remote.received = Simulator::Now();
    return true;
}

std::optional<LiveReject>
LivePort::AcceptGreeting(const LiveDatagram& datagram)
{
    Remote& remote = m_peers[datagram.from];
    const bool isEcho = datagram.kind == LiveKind::ECHO;
    if ((isEcho && datagram.requester != m_epoch) || !IsCurrentRun(remote, datagram.epoch))
    {
        return LiveReject::EPOCH;
    }
    if (!isEcho)
    {
        LiveDatagram echo;
        echo.kind = LiveKind::ECHO;
        echo.stamp = datagram.stamp;
        echo.requester = datagram.epoch;
        Transmit(datagram.from, echo);
        return {};
    }
    remote.epoch = datagram.epoch;
    const auto elapsed = static_cast<uint64_t>(m_scheduler->GetElapsed());
    if (datagram.stamp <= elapsed && remote.trips.size() < TRIPS)
    {
        remote.trips.push_back(NanoSeconds(elapsed - datagram.stamp));
        m_session = GetSession();
        TryOpen();
    }
    return {};
}

uint64_t
LivePort::GetSession() const
{
    uint64_t session = 0;
    for (const auto& remote : m_peers)
    {
        const bool isSelf = &remote == &m_peers[m_self];
        if (!isSelf && (remote.epoch == 0 || remote.trips.size() < TRIPS))
        {
            return 0;
        }
        session = SpreadBits(session ^ remote.epoch);
    }
    return session;
}

void
LivePort::TryOpen()
{
    const auto hasJoined = [this](const Remote& remote) {
        return &remote == &m_peers[m_self] || remote.session == m_session;
    };
    if (!m_open && m_session != 0 && std::ranges::all_of(m_peers, hasJoined))
    {
        NS_LOG_INFO("Peer " << m_self << " is in session " << m_session);
        m_open = true;
    }
}

void
LivePort::Start()
{
    m_started = true;
    for (const auto& datagram : std::exchange(m_early, {}))
    {
        TakeFrame(datagram);
    }
}

void
LivePort::TakeFrame(const LiveDatagram& datagram)
{
    for (const auto& part : datagram.parts)
    {
        m_bytes.Keep(part.contents, part.bytes);
    }
    if (m_user)
    {
        m_user->OnFrame(m_self, datagram.from, datagram.frame);
    }
}

void
LivePort::SendState(Peer peer)
{
    LiveDatagram state;
    state.kind = LiveKind::STATE;
    state.progress = m_peers[peer].own;
    Transmit(peer, state);
}

void
LivePort::SendHellos()
{
    NS_LOG_LOGIC("Peer " << m_self << " sends HELLOs and STATEs");
    LiveDatagram hello;
    hello.kind = LiveKind::HELLO;
    for (Peer peer = 0; peer < m_peers.size(); ++peer)
    {
        if (peer == m_self)
        {
            continue;
        }
        if (m_peers[peer].trips.size() >= TRIPS)
        {
            SendState(peer);
        }
        else
        {
            hello.stamp = static_cast<uint64_t>(m_scheduler->GetElapsed());
            Transmit(peer, hello);
        }
    }
}

} // namespace messaging
} // namespace ns3
