/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-socket-group.h"

#include "messaging-linux-tcp-socket.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/log.h"
#include "ns3/messaging-attributes.h"
#include "ns3/messaging-contents-tag.h"
#include "ns3/messaging-frame-header.h"
#include "ns3/simulator.h"
#include "ns3/tcp-socket-factory.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace messaging
{

NS_LOG_COMPONENT_DEFINE("MessagingSocketGroup");
NS_OBJECT_ENSURE_REGISTERED(SocketGroup);

void
SocketGroup::Release(Ptr<Socket> socket)
{
    if (socket)
    {
        socket->SetConnectCallback(MakeNullCallback<void, Ptr<Socket>>(),
                                   MakeNullCallback<void, Ptr<Socket>>());
        socket->SetCloseCallbacks(MakeNullCallback<void, Ptr<Socket>>(),
                                  MakeNullCallback<void, Ptr<Socket>>());
        socket->SetSendCallback(MakeNullCallback<void, Ptr<Socket>, uint32_t>());
        socket->SetRecvCallback(MakeNullCallback<void, Ptr<Socket>>());
        socket->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                  MakeNullCallback<void, Ptr<Socket>, const Address&>());
        socket->Close();
    }
}

TypeId
SocketGroup::GetTypeId()
{
    static TypeId tid =
        Attributes<SocketGroup>(TypeId("ns3::messaging::SocketGroup")
                                    .SetParent<CoreEvents>()
                                    .SetGroupName("Messaging")
                                    .AddConstructor<SocketGroup>())
            .AddAttribute(
                "QueueLimit",
                "Bytes queued for a peer beyond which a post is stalled; one message may exceed it "
                "[bytes; default].",
                &SocketGroup::m_queueLimit,
                1 << 20,
                1)
            .AddAttribute("ChargeCalls",
                          "Charge of system calls to the hosts of the nodes: one for each message "
                          "sent, and one for each read, with a context switch if the host is idle "
                          "[bool; default].",
                          &SocketGroup::m_chargeCalls,
                          false);
    return tid;
}

void
SocketGroup::DoDispose()
{
    for (Peer self = 0; self < GetNPeers(); ++self)
    {
        Close(self);
    }
    m_user = nullptr;
    m_taken = nullptr;
    m_maker = nullptr;
    CoreEvents::DoDispose();
}

void
SocketGroup::Close(Peer self)
{
    const Station station = std::exchange(m_stations[self], {});
    m_stations[self].address = station.address;
    Release(station.listener);
    for (const auto& [peer, outgoing] : station.outgoing)
    {
        Release(outgoing.socket);
    }
    for (const auto& incoming : station.incoming)
    {
        Release(incoming.socket);
    }
}

void
SocketGroup::Connect(const NodeContainer& nodes, const std::vector<Address>& addresses)
{
    NS_ABORT_MSG_IF(nodes.GetN() != addresses.size(), "A group needs one address for each node.");
    m_stations.resize(nodes.GetN());
    if (!m_maker)
    {
        m_maker = [](Ptr<Node> node) {
            auto socket = Socket::CreateSocket(node, TcpSocketFactory::GetTypeId());
            // Without Nagle's algorithm, small messages leave at once.
            socket->SetAttributeFailSafe("TcpNoDelay", BooleanValue(true));
            return socket;
        };
    }
    for (Peer self = 0; self < nodes.GetN(); ++self)
    {
        auto& station = m_stations[self];
        station.node = nodes.Get(self);
        station.address = addresses[self];
        if (m_chargeCalls)
        {
            station.host = station.node->GetObject<HostModel>();
        }
        station.listener = m_maker(station.node);
        NS_ABORT_MSG_IF(station.listener->Bind(station.address) != 0,
                        "Peer " << self << " cannot bind to its address.");
        station.listener->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                            MakeCallback(&SocketGroup::OnAccepted, this, self));
        NS_ABORT_MSG_IF(station.listener->Listen() != 0,
                        "Peer " << self << " cannot listen at its address.");
    }
}

Acceptance
SocketGroup::Post(Peer self, const Request& request)
{
    TracePost(self, request);
    const Acceptance acceptance = Queue(self, request);
    if (acceptance != Acceptance::ACCEPTED)
    {
        TraceDecline(self, request, acceptance);
    }
    return acceptance;
}

Acceptance
SocketGroup::Queue(Peer self, const Request& request)
{
    if (request.to >= m_stations.size())
    {
        return Acceptance::REFUSED;
    }
    auto& station = m_stations[self];
    auto& outgoing = station.outgoing[request.to];
    const uint64_t unsent = outgoing.queued - outgoing.written;
    if (unsent > 0 && unsent + request.bytes > m_queueLimit)
    {
        station.stalled = true;
        return Acceptance::STALLED;
    }
    auto message = MakePacket(Frame{.id = uint64_t{self} << PEER_SHIFT | station.nextId++,
                                    .contents = request.contents,
                                    .payload = request.bytes,
                                    .aux = request.tag,
                                    .header = FrameHeader::SIZE,
                                    .flags = request.flags});
    message->AddByteTag(ContentsTag(request.contents));
    message->AddByteTag(ContentsTag(request.contents));
    outgoing.queued += message->GetSize();
    outgoing.marks.push_back(Mark{request.id, outgoing.queued});
    outgoing.unsent.push_back(message);
    Charge(self, {Work{0, 1, WorkKind::SYSTEM_CALL}}, [this, self, to = request.to] {
        Begin(self, to);
    });
    return Acceptance::ACCEPTED;
}

void
SocketGroup::Charge(Peer self, const std::vector<Work>& steps, std::function<void()> done)
{
    const auto& station = m_stations[self];
    if (!station.host || station.host->IsFree(steps))
    {
        done();
        return;
    }
    // The end of the work may be in the context of another node, or of none.
    station.host->Execute(KERNEL,
                          steps,
                          [group = Ptr<SocketGroup>(this), node = station.node, done] {
                              Simulator::ScheduleWithContext(node->GetId(), Time(0), done);
                          });
}

void
SocketGroup::Begin(Peer self, Peer to)
{
    auto& outgoing = m_stations[self].outgoing[to];
    if (!outgoing.socket && !outgoing.unsent.empty())
    {
        OpenConnection(self, to);
    }
    else if (outgoing.connected)
    {
        Write(self, to);
    }
}

void
SocketGroup::OpenConnection(Peer self, Peer to)
{
    NS_LOG_INFO("Peer " << self << " connects to peer " << to);
    auto socket = m_maker(m_stations[self].node);
    socket->SetConnectCallback(MakeCallback(&SocketGroup::OnConnected, this, self, to),
                               MakeCallback(&SocketGroup::OnFailed, this, self, to));
    socket->SetCloseCallbacks(MakeCallback(&SocketGroup::OnFailed, this, self, to),
                              MakeCallback(&SocketGroup::OnFailed, this, self, to));
    socket->SetSendCallback(MakeCallback(&SocketGroup::OnRoom, this, self, to));
    socket->Bind();
    m_stations[self].outgoing[to].socket = socket;
    if (socket->Connect(m_stations[to].address) != 0)
    {
        OnFailed(self, to, socket);
    }
}

void
SocketGroup::OnConnected(Peer self, Peer to, Ptr<Socket> socket)
{
    auto& outgoing = m_stations[self].outgoing[to];
    outgoing.connected = true;
    outgoing.room = socket->GetTxAvailable();
    Write(self, to);
}

void
SocketGroup::OnFailed(Peer self, Peer to, Ptr<Socket> socket)
{
    auto& outgoing = m_stations[self].outgoing[to];
    if (outgoing.socket != socket)
    {
        return;
    }
    NS_LOG_INFO("Peer " << self << " has lost peer " << to);
    const auto completion = outgoing.connected ? Completion::FAILED : Completion::UNREACHABLE;
    const auto marks = std::move(outgoing.marks);
    outgoing = Outgoing{};
    Complete(self, marks, completion);
}

void
SocketGroup::OnRoom(Peer self, Peer to, Ptr<Socket> socket, uint32_t)
{
    auto& outgoing = m_stations[self].outgoing[to];
    if (outgoing.socket != socket || !outgoing.connected)
    {
        return;
    }
    const uint64_t acknowledged = outgoing.written - (outgoing.room - socket->GetTxAvailable());
    Write(self, to);
    if (to == self)
    {
        return; // Its own application reports when it has read the message.
    }
    std::deque<Mark> ended;
    while (!outgoing.marks.empty() && outgoing.marks.front().end <= acknowledged)
    {
        ended.push_back(outgoing.marks.front());
        outgoing.marks.pop_front();
        --outgoing.taken;
    }
    Complete(self, ended, Completion::DELIVERED);
}

void
SocketGroup::Complete(Peer self, const std::deque<Mark>& ended, Completion completion)
{
    for (const auto& mark : ended)
    {
        TraceComplete(self, mark.id, completion);
        if (m_user)
        {
            m_user->OnComplete(self, mark.id, completion);
        }
    }
    if (std::exchange(m_stations[self].stalled, false) && m_user)
    {
        m_user->OnReady(self);
    }
}

void
SocketGroup::Write(Peer self, Peer to)
{
    auto& outgoing = m_stations[self].outgoing[to];
    const bool any = !outgoing.unsent.empty();
    while (!outgoing.unsent.empty())
    {
        const uint32_t room = outgoing.socket->GetTxAvailable();
        auto& next = outgoing.unsent.front();
        const uint32_t size = next->GetSize();
        const uint32_t part = std::min(room, size);
        if (part == 0 || outgoing.socket->Send(next->CreateFragment(0, part)) < 0)
        {
            break;
        }
        outgoing.written += part;
        if (part < size)
        {
            next = next->CreateFragment(part, size - part);
        }
        else
        {
            outgoing.unsent.pop_front();
        }
    }
    const bool all = any && outgoing.unsent.empty();
    // The user may post, and so write, before OnComplete returns.
    while (outgoing.taken < outgoing.marks.size() &&
           outgoing.marks[outgoing.taken].end <= outgoing.written)
    {
        const RequestId id = outgoing.marks[outgoing.taken++].id;
        TraceComplete(self, id, Completion::SENT);
        if (m_user)
        {
            m_user->OnComplete(self, id, Completion::SENT);
        }
    }
    if (all && m_taken)
    {
        m_taken(self, to);
    }
}

void
SocketGroup::OnAccepted(Peer self, Ptr<Socket> socket, const Address&)
{
    auto& incoming = m_stations[self].incoming;
    incoming.push_back(Incoming{.socket = socket});
    socket->SetRecvCallback(MakeCallback(&SocketGroup::OnReceive, this, self, incoming.size() - 1));
}

void
SocketGroup::OnReceive(Peer self, std::size_t index, Ptr<Socket>)
{
    const auto& station = m_stations[self];
    auto& incoming = m_stations[self].incoming[index];
    if (!station.host)
    {
        Read(self, index);
    }
    else if (!std::exchange(incoming.reading, true))
    {
        Charge(self, station.host->GetReadWork(), [this, self, index] { Read(self, index); });
    }
}

void
SocketGroup::Read(Peer self, std::size_t index)
{
    if (index >= m_stations[self].incoming.size())
    {
        return; // The peer has closed its sockets.
    }
    auto& incoming = m_stations[self].incoming[index];
    incoming.reading = false;
    while (auto packet = incoming.socket->Recv())
    {
        if (packet->GetSize() == 0)
        {
            break;
        }
        const auto before = incoming.bytes.size();
        incoming.bytes.resize(before + packet->GetSize());
        packet->CopyData(incoming.bytes.data() + before, packet->GetSize());
    }
    const auto socket = DynamicCast<LinuxTcpSocket>(incoming.socket);
    Split(self, incoming);
    if (socket && incoming.bytes.empty())
    {
        socket->AcknowledgeRead();
    }
}

void
SocketGroup::Split(Peer self, Incoming& incoming)
{
    std::size_t begin = 0;
    std::vector<Frame> whole;
    while (incoming.bytes.size() - begin >= FrameHeader::SIZE)
    {
        const auto rest = static_cast<uint32_t>(incoming.bytes.size() - begin);
        FrameHeader header;
        Create<Packet>(incoming.bytes.data() + begin, FrameHeader::SIZE)->PeekHeader(header);
        NS_ABORT_MSG_UNLESS(header.IsIntact(), "A stream between sockets was damaged.");
        const uint64_t size = uint64_t{FrameHeader::SIZE} + header.GetFrame().payload;
        if (size > rest)
        {
            break;
        }
        const auto read =
            ReadPacket(Create<Packet>(incoming.bytes.data() + begin, static_cast<uint32_t>(size)));
        whole.push_back(read->frame);
        begin += size;
    }
    incoming.bytes.erase(incoming.bytes.begin(),
                         incoming.bytes.begin() + static_cast<int64_t>(begin));
    for (const auto& frame : whole)
    {
        const auto from = static_cast<Peer>(frame.id >> PEER_SHIFT);
        const Delivery delivery{.id = frame.id,
                                .contents = frame.contents,
                                .from = from,
                                .bytes = frame.payload,
                                .tag = frame.aux,
                                .flags = frame.flags};
        TraceDeliver(self, delivery);
        if (m_user)
        {
            m_user->OnDeliver(self, delivery);
        }
        if (from == self)
        {
            EndOwn(self);
        }
    }
}

void
SocketGroup::EndOwn(Peer self)
{
    auto& outgoing = m_stations[self].outgoing[self];
    if (outgoing.marks.empty())
    {
        return; // The connection has failed meanwhile.
    }
    const Mark mark = outgoing.marks.front();
    outgoing.marks.pop_front();
    --outgoing.taken;
    Complete(self, {mark}, Completion::DELIVERED);
}

} // namespace messaging
} // namespace ns3
