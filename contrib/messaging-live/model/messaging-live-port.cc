/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-live-port.h"

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

namespace
{

/** Bound of the slip of frames between machines, above the delay by a switch or a route change in a
 * cluster [ns]. */
constexpr Ticks SLIP = 10000000;

/** Largest number of datagrams read before timers are served. */
constexpr int MOST_AT_ONCE = 64;

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
            if (other.name == name)
            {
                return "Peers has " + name + " twice.";
            }
        }
        peers.push_back(remote);
    }
    if (peers.size() < 2 || peers.size() > MAX_PEERS)
    {
        return "Peers has " + std::to_string(peers.size()) + " addresses; 2 to " +
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
        const std::string reason = error == EADDRINUSE
                                       ? "is taken by another program"
                                       : std::string("cannot be opened: ") + std::strerror(error);
        return "The UDP port of peer " + std::to_string(m_self) + ", " + own.name + ", " + reason +
               ".";
    }
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
    const Time trip = other < m_peers.size() && !m_peers[other].trips.empty()
                          ? GetMedian(m_peers[other].trips)
                          : GetRoundTrip();
    return static_cast<Ticks>(std::max<int64_t>(trip.GetNanoSeconds() / 4, 1));
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
    const auto bytes = WriteLiveDatagram(datagram);
    const auto& address = m_peers[to].address;
    // The first call can report an error of an earlier datagram, to a peer that was not up yet.
    for (int call = 0; call < 2; ++call)
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
    if (const auto* bytes = FindBytes(frame.contents); bytes && frame.payload > 0)
    {
        datagram.bytes = *bytes;
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
    std::array<uint8_t, 65536> bytes;
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
    Remote& remote = m_peers[datagram.from];
    if (datagram.kind == LiveKind::HELLO)
    {
        remote.heard = Simulator::Now();
        LiveDatagram echo;
        echo.kind = LiveKind::ECHO;
        echo.stamp = datagram.stamp;
        echo.asked = datagram.epoch;
        Transmit(datagram.from, echo);
        return {};
    }
    if (datagram.kind == LiveKind::ECHO)
    {
        if (datagram.asked != m_epoch || (remote.epoch != 0 && remote.epoch != datagram.epoch))
        {
            return LiveReject::EPOCH;
        }
        remote.epoch = datagram.epoch;
        const auto stamp = NanoSeconds(datagram.stamp);
        if (stamp <= Simulator::Now() && remote.trips.size() < TRIPS)
        {
            remote.trips.push_back(Simulator::Now() - stamp);
        }
        return {};
    }
    if (remote.epoch == 0 || datagram.epoch != remote.epoch)
    {
        return LiveReject::EPOCH;
    }
    remote.heard = Simulator::Now();
    if (datagram.kind == LiveKind::STATE)
    {
        remote.known = datagram.known;
        remote.finished |= datagram.finished;
        return {};
    }
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
    if (!datagram.bytes.empty())
    {
        AddBytes(datagram.frame.contents, datagram.bytes);
    }
    if (m_user)
    {
        m_user->OnFrame(m_self, datagram.from, datagram.frame);
    }
}

void
LivePort::AddBytes(uint64_t contents, std::vector<uint8_t> bytes)
{
    if (m_kept.try_emplace(contents, std::move(bytes)).second)
    {
        m_order.push_back(contents);
    }
    if (m_order.size() > KEPT_BYTES)
    {
        m_kept.erase(m_order.front());
        m_order.pop_front();
    }
}

const std::vector<uint8_t>*
LivePort::FindBytes(uint64_t contents) const
{
    const auto found = m_kept.find(contents);
    return found == m_kept.end() ? nullptr : &found->second;
}

void
LivePort::Greet(bool finished)
{
    LiveDatagram hello;
    hello.kind = LiveKind::HELLO;
    hello.stamp = static_cast<uint64_t>(Simulator::Now().GetNanoSeconds());
    LiveDatagram state;
    state.kind = LiveKind::STATE;
    state.finished = finished;
    for (Peer peer = 0; peer < m_peers.size(); ++peer)
    {
        const bool known = peer == m_self || m_peers[peer].trips.size() >= TRIPS;
        state.known |= uint64_t{known} << peer;
    }
    m_peers[m_self].known = state.known;
    for (Peer peer = 0; peer < m_peers.size(); ++peer)
    {
        if (peer != m_self)
        {
            Transmit(peer, state.known >> peer & 1 ? state : hello);
        }
    }
}

bool
LivePort::IsOpen() const
{
    const std::size_t peers = m_peers.size();
    const uint64_t all = peers == 64 ? ~uint64_t{0} : (uint64_t{1} << peers) - 1;
    return std::all_of(m_peers.begin(), m_peers.end(), [all](const Remote& remote) {
        return remote.known == all;
    });
}

bool
LivePort::HaveOthersFinished() const
{
    return std::all_of(m_peers.begin(), m_peers.end(), [this](const Remote& remote) {
        return remote.finished || &remote == &m_peers[m_self];
    });
}

} // namespace messaging
} // namespace ns3
