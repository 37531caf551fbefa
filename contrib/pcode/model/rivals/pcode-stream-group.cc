/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pcode-stream-group.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/inet-socket-address.h"
#include "ns3/log.h"
#include "ns3/messaging-attributes.h"
#include "ns3/messaging-socket-group.h"
#include "ns3/simulator.h"
#include "ns3/tcp-congestion-ops.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/tcp-recovery-ops.h"
#include "ns3/tcp-socket-base.h"
#include "ns3/tcp-socket-factory.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace ns3
{
namespace pcode
{

NS_LOG_COMPONENT_DEFINE("PcodeStreamGroup");
NS_OBJECT_ENSURE_REGISTERED(StreamGroup);

using messaging::Acceptance;
using messaging::Completion;
using messaging::CoreEvents;
using messaging::Delivery;
using messaging::NO_PEER;
using messaging::Peer;
using messaging::Request;

namespace
{

constexpr uint32_t SEGMENT_SIZE = 1460;     ///< MSS [bytes; Ethernet, 1500 less 40].
constexpr uint32_t INITIAL_WINDOW = 1;      ///< Congestion window [segments; Jacobson 1988].
constexpr uint32_t SOCKET_BUFFER = 61440;   ///< Each socket buffer [bytes; IRIX 5, 60 Kbytes].
constexpr uint32_t DELAYED_ACKS = 2;        ///< Segments per acknowledgement [RFC 1122].
const Time GRANULARITY = MilliSeconds(500); ///< Step of timeouts [BSD's slow timer].

const Time DELAYED_ACK_TIME = MilliSeconds(200); ///< Maximum delay of an ACK [BSD's fast timer].
const Time MIN_RTO = Seconds(1); ///< Minimum timeout [BSD, two ticks of the slow timer].

} // namespace

TypeId
StreamGroup::GetTypeId()
{
    using G = StreamGroup;
    static TypeId tid =
        messaging::Attributes<G>(TypeId("ns3::pcode::StreamGroup")
                                     .SetParent<CoreEvents>()
                                     .SetGroupName("Pcode")
                                     .AddConstructor<G>())
            .AddAttribute(
                "SendOrder",
                "Order in which TCP's multicast sends to its targets: the sender's successor "
                "first, or ascending [-; section 6.3, a series of sends].",
                &G::m_order,
                SendOrder::ASCENDING,
                {{SendOrder::NEXT_FIRST, "next-first"}, {SendOrder::ASCENDING, "ascending"}})
            .AddAttribute("Nagle",
                          "TCP's small segments wait while others are not acknowledged [bool; "
                          "default of BSD's sockets].",
                          &G::m_nagle,
                          true);
    return tid;
}

void
StreamGroup::DoDispose()
{
    for (Endpoint& endpoint : m_endpoints)
    {
        messaging::SocketGroup::Release(endpoint.listener);
        for (Stream& stream : endpoint.streams)
        {
            messaging::SocketGroup::Release(stream.socket);
        }
    }
    CoreEvents::DoDispose();
}

Ptr<Socket>
StreamGroup::MakeSocket(Ptr<Node> node) const
{
    auto socket = Socket::CreateSocket(node, TcpSocketFactory::GetTypeId());
    socket->SetAttribute("SegmentSize", UintegerValue(SEGMENT_SIZE));
    socket->SetAttribute("InitialCwnd", UintegerValue(INITIAL_WINDOW));
    socket->SetAttribute("SndBufSize", UintegerValue(SOCKET_BUFFER));
    socket->SetAttribute("RcvBufSize", UintegerValue(SOCKET_BUFFER));
    socket->SetAttribute("DelAckCount", UintegerValue(DELAYED_ACKS));
    socket->SetAttribute("DelAckTimeout", TimeValue(DELAYED_ACK_TIME));
    socket->SetAttribute("TcpNoDelay", BooleanValue(!m_nagle));
    socket->SetAttribute("MinRto", TimeValue(MIN_RTO));
    socket->SetAttribute("ClockGranularity", TimeValue(GRANULARITY));
    // TCP features newer than 1995.
    for (const std::string name : {"Sack", "Timestamp", "WindowScaling", "LimitedTransmit"})
    {
        socket->SetAttribute(name, BooleanValue(false));
    }
    return socket;
}

void
StreamGroup::Connect(const NetDeviceContainer& devices,
                     const std::vector<Address>& addresses,
                     const std::vector<Ptr<Workstation>>& stations,
                     const TargetGroups& groups)
{
    const uint32_t peers = devices.GetN();
    NS_ABORT_MSG_IF(addresses.size() != peers || stations.size() != peers,
                    "A group needs an address and a workstation for each device.");
    m_addresses = addresses;
    m_stations = stations;
    m_groups = &groups;
    m_endpoints.resize(peers);
    for (Peer self = 0; self < peers; ++self)
    {
        Endpoint& endpoint = m_endpoints[self];
        endpoint.streams.resize(peers);
        m_devices.push_back(DynamicCast<messaging::HostNetDevice>(devices.Get(self)));
        const Ptr<Node> node = devices.Get(self)->GetNode();
        const auto tcp = node->GetObject<TcpL4Protocol>();
        tcp->SetAttribute("SocketType", TypeIdValue(TcpNewReno::GetTypeId()));
        tcp->SetAttribute("RecoveryType", TypeIdValue(TcpClassicRecovery::GetTypeId()));
        endpoint.listener = MakeSocket(node);
        NS_ABORT_MSG_IF(endpoint.listener->Bind(addresses[self]) != 0 ||
                            endpoint.listener->Listen() != 0,
                        "Peer " << self << " cannot listen at its address.");
        endpoint.listener->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                             MakeCallback(&StreamGroup::OnAccepted, this, self));
        for (Peer other = 0; other < self; ++other)
        {
            auto socket = MakeSocket(node);
            const auto local = InetSocketAddress::ConvertFrom(addresses[self]);
            NS_ABORT_MSG_IF(socket->Bind(InetSocketAddress(local.GetIpv4(), 0)) != 0,
                            "Peer " << self << " cannot bind to its address.");
            socket->SetConnectCallback(MakeCallback(&StreamGroup::Adopt, this, self, other),
                                       MakeNullCallback<void, Ptr<Socket>>());
            endpoint.streams[other].socket = socket;
            // Connect in the simulation, in the context of the node.
            Simulator::ScheduleWithContext(
                node->GetId(),
                Time(0),
                [socket, address = addresses[other]] { socket->Connect(address); });
        }
    }
}

void
StreamGroup::Adopt(Peer self, Peer other, Ptr<Socket> socket)
{
    Stream& stream = m_endpoints[self].streams[other];
    NS_LOG_INFO("Peer " << self << " is connected to peer " << other);
    stream.socket = socket;
    stream.connected = true;
    if (m_nagle)
    {
        // After a timeout, Nagle's algorithm in ns-3 blocks the retransmission forever. So it is
        // off from a timeout to the next message.
        socket->TraceConnectWithoutContext(
            "RTO",
            Callback<void, Time, Time>([socket = PeekPointer(socket)](Time before, Time now) {
                if (now >= 2 * before)
                {
                    NS_LOG_INFO("A timeout of TCP grows to " << now.As(Time::MS));
                    socket->SetAttribute("TcpNoDelay", BooleanValue(true));
                }
            }));
    }
    // Without limited transmit and SACK, ns-3 asserts that nothing is sent between a duplicate
    // acknowledgement and the recovery, although new data of the application may be sent if the
    // window has room. So limited transmit is off while a segment is handled, the only time at
    // which it has an effect, and on otherwise, which avoids the assertion.
    socket->SetAttribute("LimitedTransmit", BooleanValue(true));
    socket->TraceConnectWithoutContext(
        "Rx",
        Callback<void, Ptr<const Packet>, const TcpHeader&, Ptr<const TcpSocketBase>>(
            [socket = PeekPointer(
                 socket)](Ptr<const Packet>, const TcpHeader&, Ptr<const TcpSocketBase>) {
                socket->SetAttribute("LimitedTransmit", BooleanValue(false));
                Simulator::ScheduleNow([kept = Ptr<Socket>(socket)] {
                    kept->SetAttribute("LimitedTransmit", BooleanValue(true));
                });
            }));
    socket->SetRecvCallback(
        Callback<void, Ptr<Socket>>([this, self, other](Ptr<Socket>) { OnEvent(self, other); }));
    socket->SetSendCallback(Callback<void, Ptr<Socket>, uint32_t>(
        [this, self, other](Ptr<Socket>, uint32_t) { OnEvent(self, other); }));
    OnEvent(self, other);
}

void
StreamGroup::OnAccepted(Peer self, Ptr<Socket> socket, const Address& from)
{
    const auto address = InetSocketAddress::ConvertFrom(from).GetIpv4();
    for (Peer other = self + 1; other < m_addresses.size(); ++other)
    {
        if (InetSocketAddress::ConvertFrom(m_addresses[other]).GetIpv4() == address)
        {
            Adopt(self, other, socket);
            return;
        }
    }
}

Acceptance
StreamGroup::Post(Peer self, const Request& request)
{
    Endpoint& endpoint = m_endpoints[self];
    if (endpoint.open)
    {
        TraceDecline(self, request, Acceptance::STALLED);
        return Acceptance::STALLED;
    }
    if (request.flags == REQUEST_CALL)
    {
        if (request.to >= GetNPeers() || request.to == self)
        {
            TraceDecline(self, request, Acceptance::REFUSED);
            return Acceptance::REFUSED;
        }
        TracePost(self, request);
        endpoint.open = true;
        endpoint.request = request;
        Read(self);
        return Acceptance::ACCEPTED;
    }
    if (!m_groups->IsKnown(request.tag) || request.bytes > SOCKET_BUFFER - HEADER)
    {
        TraceDecline(self, request, Acceptance::REFUSED);
        return Acceptance::REFUSED;
    }
    TracePost(self, request);
    endpoint.open = true;
    endpoint.request = request;
    const TargetSet targets = m_groups->Get(request.tag, self);
    endpoint.targets.assign(targets.begin(), targets.end());
    endpoint.next = 0;
    if (m_order == SendOrder::NEXT_FIRST)
    {
        std::ranges::rotate(endpoint.targets, std::ranges::upper_bound(endpoint.targets, self));
    }
    SendNext(self);
    return Acceptance::ACCEPTED;
}

void
StreamGroup::SendNext(Peer self)
{
    Endpoint& endpoint = m_endpoints[self];
    if (endpoint.next == endpoint.targets.size())
    {
        Return(self, Completion::SENT);
        return;
    }
    const Stream& stream = endpoint.streams[endpoint.targets[endpoint.next]];
    const uint32_t size = HEADER + endpoint.request.bytes;
    if (!stream.connected || stream.socket->GetTxAvailable() < size)
    {
        NS_LOG_LOGIC("Peer " << self << " waits for room in its socket to peer "
                             << endpoint.targets[endpoint.next]);
        endpoint.blocked = true;
    }
    else
    {
        Write(self);
    }
}

void
StreamGroup::Write(Peer self)
{
    const uint32_t size = HEADER + m_endpoints[self].request.bytes;
    const auto begin = [this, self, size](Workstation::Done returned) {
        const Endpoint& sender = m_endpoints[self];
        std::array<uint8_t, HEADER> header{};
        std::memcpy(header.data(), &sender.request.bytes, sizeof(uint32_t));
        std::memcpy(header.data() + sizeof(uint32_t), &sender.request.contents, sizeof(uint64_t));
        auto packet = Create<Packet>(header.data(), HEADER);
        packet->AddAtEnd(Create<Packet>(sender.request.bytes));
        const Stream& to = sender.streams[sender.targets[sender.next]];
        NS_LOG_INFO("Peer " << self << " writes " << size << " bytes for peer "
                            << sender.targets[sender.next]);
        if (m_nagle)
        {
            to.socket->SetAttribute("TcpNoDelay", BooleanValue(false));
        }
        const int taken = to.socket->Send(packet);
        NS_ABORT_MSG_IF(taken != static_cast<int>(size), "A socket with room took no message.");
        m_devices[self]->AfterSending(std::move(returned));
    };
    auto work = m_stations[self]->MakeMessageWork(size);
    m_stations[self]->Call(Process::APPLICATION, std::move(work), begin, [this, self] {
        ++m_endpoints[self].next;
        SendNext(self);
    });
}

void
StreamGroup::Read(Peer self)
{
    Endpoint& endpoint = m_endpoints[self];
    const Peer source = endpoint.request.to;
    Stream& stream = endpoint.streams[source];
    uint32_t size = 0;
    uint64_t contents = 0;
    if (stream.bytes.size() >= HEADER)
    {
        std::memcpy(&size, stream.bytes.data(), sizeof(size));
        std::memcpy(&contents, stream.bytes.data() + sizeof(size), sizeof(contents));
        if (stream.bytes.size() >= HEADER + std::size_t{size})
        {
            stream.bytes.erase(stream.bytes.begin(),
                               stream.bytes.begin() + static_cast<std::ptrdiff_t>(HEADER + size));
            NS_LOG_INFO("Peer " << self << " has read a message of " << size << " bytes from peer "
                                << source);
            const Delivery delivery{endpoint.request.id,
                                    contents,
                                    source,
                                    size,
                                    endpoint.request.tag,
                                    0};
            TraceDeliver(self, delivery);
            if (m_user)
            {
                m_user->OnDeliver(self, delivery);
            }
            Return(self, Completion::DELIVERED);
            return;
        }
    }
    uint32_t available = 0;
    if (stream.connected)
    {
        available = stream.socket->GetRxAvailable();
    }
    if (available == 0)
    {
        endpoint.blocked = true;
        return;
    }
    const auto read = [this, self, source, available] {
        Stream& from = m_endpoints[self].streams[source];
        const auto packet = from.socket->Recv(available, 0);
        const std::size_t before = from.bytes.size();
        from.bytes.resize(before + packet->GetSize());
        packet->CopyData(from.bytes.data() + before, packet->GetSize());
        Read(self);
    };
    auto work = m_stations[self]->MakeMessageWork(available);
    m_stations[self]->Continue(Process::APPLICATION, std::move(work), read);
}

void
StreamGroup::OnEvent(Peer self, Peer other)
{
    Endpoint& endpoint = m_endpoints[self];
    if (!endpoint.blocked)
    {
        return;
    }
    const bool reads = endpoint.request.flags == REQUEST_CALL;
    Peer awaited = endpoint.request.to;
    if (!reads)
    {
        awaited = endpoint.targets[endpoint.next];
    }
    if (other != awaited)
    {
        return;
    }
    endpoint.blocked = false;
    if (reads)
    {
        Read(self);
    }
    else
    {
        SendNext(self);
    }
}

void
StreamGroup::Return(Peer self, Completion completion)
{
    Endpoint& endpoint = m_endpoints[self];
    endpoint.open = false;
    TraceComplete(self, endpoint.request.id, completion);
    if (m_user)
    {
        m_user->OnComplete(self, endpoint.request.id, completion);
    }
}

} // namespace pcode
} // namespace ns3
