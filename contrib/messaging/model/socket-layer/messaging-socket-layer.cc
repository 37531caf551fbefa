/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-socket-layer.h"

#include "messaging-socket.h"

#include "ns3/abort.h"
#include "ns3/inet-socket-address.h"
#include "ns3/log.h"
#include "ns3/object-vector.h"
#include "ns3/simulator.h"
#include "ns3/trace-source-accessor.h"

#include <algorithm>
#include <numeric>

namespace ns3
{
namespace messaging
{

NS_LOG_COMPONENT_DEFINE("MessagingSocketLayer");
NS_OBJECT_ENSURE_REGISTERED(MessageSocketLayer);

namespace
{

/** First port of those given to sockets that bind to no port [RFC 6335, section 6]. */
constexpr uint16_t FIRST_DYNAMIC_PORT = 49152;

/** Last of them. */
constexpr uint16_t LAST_DYNAMIC_PORT = 65535;

/**
 * Get the packet of an application from that of a message.
 * @param message the packet with its header; may be null
 * @param header set to the header
 * @return the packet without its header; null if the message is null
 */
Ptr<Packet>
Strip(Ptr<const Packet> message, MessageSocketHeader& header)
{
    if (!message)
    {
        return nullptr;
    }
    const auto packet = message->Copy();
    packet->RemoveHeader(header);
    return packet;
}

} // namespace

std::ostream&
operator<<(std::ostream& os, SocketDrop drop)
{
    constexpr std::array NAMES{"UNKNOWN",
                               "NO_SOCKET",
                               "SHUT_DOWN",
                               "BUFFER_FULL",
                               "REFUSED",
                               "BROKEN",
                               "UNREACHABLE",
                               "FAILED"};
    return os << NAMES[static_cast<std::size_t>(drop)];
}

TypeId
MessageSocketLayer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::messaging::MessageSocketLayer")
            .SetParent<Object>()
            .SetGroupName("Messaging")
            .AddConstructor<MessageSocketLayer>()
            .AddAttribute("SocketList",
                          "Open sockets of the node [-; result].",
                          ObjectVectorValue(),
                          MakeObjectVectorAccessor(&MessageSocketLayer::m_sockets),
                          MakeObjectVectorChecker<MessageSocket>())
            .AddTraceSource("Tx",
                            "The protocol has accepted a message; source and destination.",
                            MakeTraceSourceAccessor(&MessageSocketLayer::m_txTrace),
                            "ns3::Packet::TwoAddressTracedCallback")
            .AddTraceSource("Rx",
                            "A message has arrived; source and destination.",
                            MakeTraceSourceAccessor(&MessageSocketLayer::m_rxTrace),
                            "ns3::Packet::TwoAddressTracedCallback")
            .AddTraceSource("Drop",
                            "A message is dropped; the packet, if known, and the reason.",
                            MakeTraceSourceAccessor(&MessageSocketLayer::m_dropTrace),
                            "ns3::messaging::MessageSocketLayer::DropTracedCallback");
    return tid;
}

MessageSocketLayer::MessageSocketLayer() = default;
MessageSocketLayer::~MessageSocketLayer() = default;

void
MessageSocketLayer::DoDispose()
{
    for (auto& socket : m_sockets)
    {
        socket->Dispose();
    }
    m_sockets.clear();
    m_ports.clear();
    m_connections.clear();
    m_waiting.clear();
    m_posted.clear();
    if (m_endpoint)
    {
        m_endpoint->SetDeliverCallback(MessageEndpoint::DeliverCallback());
        m_endpoint->SetCompleteCallback(MessageEndpoint::CompleteCallback());
        m_endpoint->SetReadyCallback(MessageEndpoint::ReadyCallback());
        m_endpoint = nullptr;
    }
    m_store = nullptr;
    Object::DoDispose();
}

void
MessageSocketLayer::Connect(Ptr<MessageEndpoint> endpoint,
                            Ptr<MessagePacketStore> store,
                            const MessageAddresses& addresses,
                            const Promise& promise)
{
    NS_LOG_FUNCTION(this << endpoint->GetPeer());
    m_endpoint = endpoint;
    m_store = store;
    m_addresses = addresses;
    m_promise = promise;
    m_nextPort = FIRST_DYNAMIC_PORT;
    m_endpoint->SetDeliverCallback(MakeCallback(&MessageSocketLayer::OnDeliver, this));
    m_endpoint->SetCompleteCallback(MakeCallback(&MessageSocketLayer::OnComplete, this));
    m_endpoint->SetReadyCallback(MakeCallback(&MessageSocketLayer::OnReady, this));
}

Ptr<MessageSocket>
MessageSocketLayer::CreateSocket(Socket::SocketType type)
{
    NS_LOG_FUNCTION(this << type);
    NS_ABORT_MSG_UNLESS(m_endpoint, "The layer of sockets has no endpoint before Connect.");
    const bool sequenced = m_promise.IsReliable() && m_promise.once && m_promise.ordered;
    NS_ABORT_MSG_UNLESS(sequenced || type != Socket::NS3_SOCK_SEQPACKET,
                        "A sequenced packet socket needs a protocol that promises to deliver each "
                        "message, once and in order.");
    auto socket = CreateObject<MessageSocket>();
    socket->m_layer = this;
    socket->m_type = type;
    m_sockets.push_back(socket);
    return socket;
}

uint64_t
MessageSocketLayer::GetNDropped() const
{
    return std::accumulate(m_dropped.begin(), m_dropped.end(), uint64_t{0});
}

uint32_t
MessageSocketLayer::GetLargestPacket() const
{
    const uint32_t largest = m_endpoint->GetGroup()->GetLargestMessage();
    return largest - std::min(largest, MessageSocketHeader::SIZE);
}

uint16_t
MessageSocketLayer::Bind(Ptr<MessageSocket> socket, uint16_t port)
{
    const auto type = socket->GetSocketType();
    if (port != 0)
    {
        return m_ports.try_emplace({type, port}, socket).second ? port : 0;
    }
    for (uint32_t tries = 0; tries <= LAST_DYNAMIC_PORT - FIRST_DYNAMIC_PORT; ++tries)
    {
        const uint16_t candidate = m_nextPort;
        m_nextPort = candidate == LAST_DYNAMIC_PORT ? FIRST_DYNAMIC_PORT : candidate + 1;
        if (m_ports.try_emplace({type, candidate}, socket).second)
        {
            return candidate;
        }
    }
    return 0;
}

void
MessageSocketLayer::AddConnection(Ptr<MessageSocket> socket)
{
    m_connections[socket->GetConnection()] = socket;
}

void
MessageSocketLayer::Remove(Ptr<MessageSocket> socket)
{
    // A connection that a listening socket has made shares the port of that socket. Messages that
    // wait keep the port, so that no later socket with the same ports can overtake them.
    const auto port = m_ports.find({socket->m_type, socket->m_port});
    if (port != m_ports.end() && port->second == socket && socket->m_queue.empty())
    {
        m_ports.erase(port);
    }
    const auto connection = m_connections.find(socket->GetConnection());
    if (connection != m_connections.end() && connection->second == socket)
    {
        m_connections.erase(connection);
    }
    std::erase(m_sockets, socket);
}

MessageSocketLayer::Outgoing
MessageSocketLayer::Store(Ptr<const Packet> packet, const MessageSocketHeader& header, Peer to)
{
    Ptr<Packet> message = packet->Copy();
    message->AddHeader(header);
    const uint32_t receivers = to == NO_PEER ? m_endpoint->GetGroup()->GetNPeers() - 1 : 1;
    return {.key = m_store->Put(message, m_endpoint->GetPeer(), receivers),
            .to = to,
            .bytes = packet->GetSize(),
            .kind = header.GetKind()};
}

Acceptance
MessageSocketLayer::Post(Ptr<MessageSocket> socket, const Outgoing& message)
{
    const auto packet = m_store->Peek(message.key);
    auto acceptance = Acceptance::ACCEPTED;
    // First, since the group may deliver and complete the message before Post returns.
    m_posted[message.key] = socket;
    if (message.to == m_endpoint->GetPeer())
    {
        Simulator::ScheduleNow(&MessageSocketLayer::OnLoopback, this, message.key);
    }
    else
    {
        acceptance = m_endpoint->Post({.id = message.key,
                                       .contents = message.key,
                                       .to = message.to,
                                       .bytes = packet->GetSize()});
    }
    NS_LOG_LOGIC(message.kind << " of " << packet->GetSize() << " bytes to peer " << message.to
                              << ": " << acceptance);
    if (acceptance == Acceptance::ACCEPTED && !m_txTrace.IsEmpty())
    {
        MessageSocketHeader header;
        const auto sent = Strip(packet, header);
        m_txTrace(sent,
                  InetSocketAddress(GetAddress(), header.GetSourcePort()),
                  InetSocketAddress(m_addresses.Get(message.to), header.GetDestinationPort()));
    }
    if (acceptance != Acceptance::ACCEPTED)
    {
        m_posted.erase(message.key);
    }
    return acceptance;
}

void
MessageSocketLayer::Forget(const Outgoing& message)
{
    m_store->Discard(message.key);
}

void
MessageSocketLayer::Discard(const Outgoing& message, SocketDrop drop)
{
    MessageSocketHeader header;
    Drop(Strip(m_store->Peek(message.key), header), drop);
    Forget(message);
}

void
MessageSocketLayer::Wait(Ptr<MessageSocket> socket)
{
    if (std::ranges::find(m_waiting, socket) == m_waiting.end())
    {
        m_waiting.push_back(socket);
    }
}

void
MessageSocketLayer::Drop(Ptr<const Packet> packet, SocketDrop drop)
{
    NS_LOG_INFO("message dropped: " << drop);
    ++m_dropped[static_cast<std::size_t>(drop)];
    m_dropTrace(packet, drop);
}

void
MessageSocketLayer::OnReady()
{
    NS_LOG_FUNCTION(this << m_waiting.size());
    if (m_posting)
    {
        return;
    }
    m_posting = true;
    // Each waiting socket posts one message in turn, until the protocol accepts none of any socket.
    for (std::size_t stalled = 0; stalled < m_waiting.size();)
    {
        const auto socket = m_waiting.front();
        m_waiting.pop_front();
        stalled = socket->PostNext() ? 0 : stalled + 1;
    }
    m_posting = false;
}

void
MessageSocketLayer::OnLoopback(uint64_t key)
{
    if (m_endpoint)
    {
        const Peer self = m_endpoint->GetPeer();
        const auto packet = m_store->Receive(key, self, m_store->Peek(key)->GetSize());
        OnComplete(key, Completion::DELIVERED);
        Receive(packet, self);
    }
}

void
MessageSocketLayer::OnComplete(RequestId id, Completion completion)
{
    const auto posted = m_posted.find(id);
    if (posted == m_posted.end() || !m_endpoint->GetGroup()->IsFinal(completion))
    {
        return;
    }
    const auto socket = posted->second;
    m_posted.erase(posted);
    const auto packet = m_store->Peek(id);
    m_store->End(id, completion);
    if (completion == Completion::UNREACHABLE || completion == Completion::FAILED)
    {
        MessageSocketHeader header;
        Drop(Strip(packet, header),
             completion == Completion::FAILED ? SocketDrop::FAILED : SocketDrop::UNREACHABLE);
        socket->OnFailure();
    }
}

void
MessageSocketLayer::OnDeliver(const Delivery& delivery)
{
    const auto packet = m_store->Receive(delivery.contents, delivery.from, delivery.bytes);
    if (!packet)
    {
        Drop(nullptr, SocketDrop::UNKNOWN);
        return;
    }
    Receive(packet, delivery.from);
}

Ptr<MessageSocket>
MessageSocketLayer::Find(Socket::SocketType type, uint16_t port) const
{
    const auto socket = m_ports.find({type, port});
    return socket == m_ports.end() ? nullptr : socket->second;
}

void
MessageSocketLayer::Receive(Ptr<Packet> packet, Peer from)
{
    MessageSocketHeader header;
    packet->RemoveHeader(header);
    NS_LOG_LOGIC(header << " of " << packet->GetSize() << " bytes from peer " << from);
    const InetSocketAddress source(m_addresses.Get(from), header.GetSourcePort());
    if (!m_rxTrace.IsEmpty())
    {
        m_rxTrace(packet, source, InetSocketAddress(GetAddress(), header.GetDestinationPort()));
    }
    if (header.GetKind() != SocketMessage::DATAGRAM)
    {
        ReceiveSequenced(packet, header, from);
        return;
    }
    const auto socket = Find(Socket::NS3_SOCK_DGRAM, header.GetDestinationPort());
    if (!socket)
    {
        Drop(packet, SocketDrop::NO_SOCKET);
        return;
    }
    socket->OnPacket(packet, source);
}

void
MessageSocketLayer::ReceiveSequenced(Ptr<Packet> packet,
                                     const MessageSocketHeader& header,
                                     Peer from)
{
    const uint16_t port = header.GetDestinationPort();
    const InetSocketAddress source(m_addresses.Get(from), header.GetSourcePort());
    const auto found = m_connections.find({port, from, header.GetSourcePort()});
    const auto socket = found == m_connections.end() ? nullptr : found->second;
    switch (header.GetKind())
    {
    case SocketMessage::CONNECT: {
        // The peer opens the connection: it has no older one with these ports any more.
        if (socket)
        {
            socket->OnReset();
        }
        const auto listener = Find(Socket::NS3_SOCK_SEQPACKET, port);
        if (!listener || !listener->OnConnect(from, source))
        {
            Drop(packet, SocketDrop::NO_SOCKET);
            SendReset(header, from);
        }
        break;
    }
    case SocketMessage::DATA:
        if (!socket || !socket->IsConnected())
        {
            Drop(packet, SocketDrop::NO_SOCKET);
            SendReset(header, from);
            break;
        }
        socket->OnPacket(packet, source);
        break;
    case SocketMessage::ACCEPT:
        if (socket)
        {
            socket->OnAccept();
        }
        break;
    case SocketMessage::CLOSE:
        if (socket)
        {
            socket->OnClose();
        }
        break;
    case SocketMessage::RESET:
        if (socket)
        {
            socket->OnReset();
        }
        break;
    case SocketMessage::DATAGRAM:
        break;
    }
}

void
MessageSocketLayer::SendReset(const MessageSocketHeader& header, Peer from)
{
    // A socket of its own, which nobody else knows, holds the answer until the protocol accepts it.
    auto socket = CreateObject<MessageSocket>();
    socket->m_layer = this;
    socket->Submit(Create<Packet>(),
                   MessageSocketHeader(SocketMessage::RESET,
                                       header.GetDestinationPort(),
                                       header.GetSourcePort()),
                   from);
}

} // namespace messaging
} // namespace ns3
