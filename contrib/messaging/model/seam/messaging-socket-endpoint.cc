/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-socket-endpoint.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/log.h"
#include "ns3/messaging-attributes.h"
#include "ns3/messaging-frame-header.h"
#include "ns3/tcp-socket-factory.h"

#include <algorithm>

namespace ns3
{
namespace messaging
{

NS_LOG_COMPONENT_DEFINE("MessagingSocketEndpoint");
NS_OBJECT_ENSURE_REGISTERED(SocketEndpoint);

TypeId
SocketEndpoint::GetTypeId()
{
    static TypeId tid = [] {
        TypeId type = TypeId("ns3::messaging::SocketEndpoint")
                          .SetParent<Object>()
                          .SetGroupName("Messaging")
                          .AddConstructor<SocketEndpoint>();
        Attributes<SocketEndpoint>(type).AddAttribute(
            "QueueLimit",
            "Bytes queued for a peer beyond which a post is stalled; one message may exceed it "
            "[bytes; default].",
            &SocketEndpoint::m_queueLimit,
            1 << 20,
            1);
        return type;
    }();
    return tid;
}

SocketEndpoint::SocketEndpoint() = default;

SocketEndpoint::~SocketEndpoint() = default;

void
SocketEndpoint::DoDispose()
{
    const auto release = [](Ptr<Socket> socket) {
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
    };
    release(m_listener);
    for (auto& [peer, outgoing] : m_outgoing)
    {
        release(outgoing.socket);
    }
    for (auto& incoming : m_incoming)
    {
        release(incoming.socket);
    }
    m_listener = nullptr;
    m_outgoing.clear();
    m_incoming.clear();
    m_node = nullptr;
    m_user = nullptr;
    Object::DoDispose();
}

void
SocketEndpoint::Open(Ptr<Node> node,
                     Peer self,
                     const std::vector<Address>& addresses,
                     GroupUser* user)
{
    m_node = node;
    m_self = self;
    m_addresses = &addresses;
    m_user = user;
    m_listener = Socket::CreateSocket(m_node, TcpSocketFactory::GetTypeId());
    NS_ABORT_MSG_IF(m_listener->Bind(addresses[self]) != 0,
                    "Peer " << self << " cannot bind to its address.");
    m_listener->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                  MakeCallback(&SocketEndpoint::OnAccepted, this));
    NS_ABORT_MSG_IF(m_listener->Listen() != 0, "Peer " << self << " cannot listen at its address.");
}

Acceptance
SocketEndpoint::Post(const Request& request)
{
    if (request.to >= m_addresses->size())
    {
        return Acceptance::REFUSED;
    }
    auto& outgoing = m_outgoing[request.to];
    const uint64_t unsent = outgoing.queued - outgoing.written;
    if (unsent > 0 && unsent + request.bytes > m_queueLimit)
    {
        m_stalled = true;
        return Acceptance::STALLED;
    }
    auto message = MakePacket(Frame{m_nextId++,
                                    request.contents,
                                    m_self,
                                    request.bytes,
                                    request.tag,
                                    FrameHeader::SIZE,
                                    0,
                                    request.flags});
    outgoing.queued += message->GetSize();
    outgoing.marks.push_back(Mark{request.id, outgoing.queued});
    outgoing.unsent.push_back(message);
    if (!outgoing.socket)
    {
        Connect(request.to);
    }
    else if (outgoing.connected)
    {
        Write(outgoing);
    }
    return Acceptance::ACCEPTED;
}

void
SocketEndpoint::Connect(Peer to)
{
    NS_LOG_INFO("peer " << m_self << " connects to peer " << to);
    auto socket = Socket::CreateSocket(m_node, TcpSocketFactory::GetTypeId());
    // Without Nagle's algorithm, small messages leave at once.
    socket->SetAttributeFailSafe("TcpNoDelay", BooleanValue(true));
    socket->SetConnectCallback(MakeCallback(&SocketEndpoint::OnConnected, this, to),
                               MakeCallback(&SocketEndpoint::OnFailed, this, to));
    socket->SetCloseCallbacks(MakeCallback(&SocketEndpoint::OnFailed, this, to),
                              MakeCallback(&SocketEndpoint::OnFailed, this, to));
    socket->SetSendCallback(MakeCallback(&SocketEndpoint::OnRoom, this, to));
    socket->Bind();
    m_outgoing[to].socket = socket;
    if (socket->Connect(m_addresses->at(to)) != 0)
    {
        OnFailed(to, socket);
    }
}

void
SocketEndpoint::OnConnected(Peer to, Ptr<Socket> socket)
{
    auto& outgoing = m_outgoing[to];
    outgoing.connected = true;
    outgoing.room = socket->GetTxAvailable();
    Write(outgoing);
}

void
SocketEndpoint::OnFailed(Peer to, Ptr<Socket> socket)
{
    auto& outgoing = m_outgoing[to];
    if (outgoing.socket != socket)
    {
        return;
    }
    NS_LOG_INFO("peer " << m_self << " has lost peer " << to);
    const auto completion = outgoing.connected ? Completion::FAILED : Completion::UNREACHABLE;
    const auto marks = std::move(outgoing.marks);
    outgoing = Outgoing{};
    for (const auto& mark : marks)
    {
        m_user->OnComplete(m_self, mark.id, completion);
    }
    if (m_stalled)
    {
        m_stalled = false;
        m_user->OnReady(m_self);
    }
}

void
SocketEndpoint::OnRoom(Peer to, Ptr<Socket> socket, uint32_t)
{
    auto& outgoing = m_outgoing[to];
    if (outgoing.socket != socket || !outgoing.connected)
    {
        return;
    }
    const uint64_t acknowledged = outgoing.written - (outgoing.room - socket->GetTxAvailable());
    Write(outgoing);
    std::vector<RequestId> ended;
    while (!outgoing.marks.empty() && outgoing.marks.front().end <= acknowledged)
    {
        ended.push_back(outgoing.marks.front().id);
        outgoing.marks.pop_front();
    }
    for (const auto id : ended)
    {
        m_user->OnComplete(m_self, id, Completion::DELIVERED);
    }
    if (m_stalled)
    {
        m_stalled = false;
        m_user->OnReady(m_self);
    }
}

void
SocketEndpoint::Write(Outgoing& outgoing)
{
    while (!outgoing.unsent.empty())
    {
        const uint32_t room = outgoing.socket->GetTxAvailable();
        auto& next = outgoing.unsent.front();
        const uint32_t size = next->GetSize();
        const uint32_t part = std::min(room, size);
        if (part == 0 || outgoing.socket->Send(next->CreateFragment(0, part)) < 0)
        {
            return;
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
}

void
SocketEndpoint::OnAccepted(Ptr<Socket> socket, const Address&)
{
    m_incoming.push_back(Incoming{socket, {}});
    socket->SetRecvCallback(MakeCallback(&SocketEndpoint::OnReceive, this, m_incoming.size() - 1));
}

void
SocketEndpoint::OnReceive(std::size_t index, Ptr<Socket> socket)
{
    auto& incoming = m_incoming[index];
    while (auto packet = socket->Recv())
    {
        if (packet->GetSize() == 0)
        {
            break;
        }
        const auto before = incoming.bytes.size();
        incoming.bytes.resize(before + packet->GetSize());
        packet->CopyData(incoming.bytes.data() + before, packet->GetSize());
    }
    Split(incoming);
}

void
SocketEndpoint::Split(Incoming& incoming)
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
        m_user->OnDeliver(m_self,
                          Delivery{frame.id,
                                   frame.contents,
                                   frame.source,
                                   frame.payload,
                                   frame.aux,
                                   frame.flags});
    }
}

} // namespace messaging
} // namespace ns3
