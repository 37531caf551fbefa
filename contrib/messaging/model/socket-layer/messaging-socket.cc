/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-socket.h"

#include "ns3/inet6-socket-address.h"
#include "ns3/ipv4-packet-info-tag.h"
#include "ns3/log.h"
#include "ns3/messaging-attributes.h"
#include "ns3/simulator.h"
#include "ns3/trace-source-accessor.h"

#include <algorithm>
#include <array>
#include <utility>

namespace ns3
{
namespace messaging
{

NS_LOG_COMPONENT_DEFINE("MessagingSocket");
NS_OBJECT_ENSURE_REGISTERED(MessageSocket);

std::ostream&
operator<<(std::ostream& os, MessageSocket::State state)
{
    constexpr std::array NAMES{"IDLE", "LISTENING", "CONNECTING", "CONNECTED", "CLOSED"};
    return os << NAMES[static_cast<std::size_t>(state)];
}

TypeId
MessageSocket::GetTypeId()
{
    using S = MessageSocket;
    static TypeId tid =
        Attributes<S>(TypeId("ns3::messaging::MessageSocket")
                          .SetParent<Socket>()
                          .SetGroupName("Messaging")
                          .AddConstructor<MessageSocket>())
            .AddAttribute("SndBufSize",
                          "Size of the send buffer, for packets that the protocol has not accepted "
                          "[bytes; as TcpSocket].",
                          &S::m_sendBuffer,
                          131072)
            .AddAttribute("RcvBufSize",
                          "Size of the receive buffer; a packet for which it has no room is "
                          "dropped [bytes; as UdpSocket].",
                          &S::m_receiveBuffer,
                          131072)
            .AddTraceSource("Drop",
                            "The receive buffer has no room for a packet, which is dropped.",
                            MakeTraceSourceAccessor(&S::m_dropTrace),
                            "ns3::Packet::TracedCallback");
    return tid;
}

MessageSocket::MessageSocket()
    : m_type(NS3_SOCK_DGRAM),
      m_state(State::IDLE),
      m_errno(ERROR_NOTERROR),
      m_local(InetSocketAddress(Ipv4Address::GetAny(), 0)),
      m_remote(Ipv4Address::GetAny(), 0)
{
}

void
MessageSocket::DoDispose()
{
    m_state = State::CLOSED;
    m_released = true;
    m_queue.clear();
    m_received.clear();
    m_layer = nullptr;
    Socket::DoDispose();
}

int
MessageSocket::Fail(SocketErrno error)
{
    NS_LOG_LOGIC("error " << error);
    m_errno = error;
    return -1;
}

void
MessageSocket::SetState(State state)
{
    NS_LOG_LOGIC("port " << m_port << ": " << m_state << " to " << state);
    m_state = state;
}

Socket::SocketErrno
MessageSocket::GetErrno() const
{
    return m_errno;
}

Socket::SocketType
MessageSocket::GetSocketType() const
{
    return m_type;
}

Ptr<Node>
MessageSocket::GetNode() const
{
    return m_layer ? m_layer->GetNode() : nullptr;
}

int
MessageSocket::Bind(const Address& address)
{
    NS_LOG_FUNCTION(this << address);
    if (m_state == State::CLOSED)
    {
        return Fail(ERROR_BADF);
    }
    if (m_port != 0)
    {
        return Fail(ERROR_INVAL);
    }
    if (Inet6SocketAddress::IsMatchingType(address))
    {
        // Servers of ns-3 open a second socket for IPv6, and stop if it cannot be bound. It is
        // bound, and receives nothing.
        if (!Inet6SocketAddress::ConvertFrom(address).GetIpv6().IsAny())
        {
            return Fail(ERROR_ADDRNOTAVAIL);
        }
        m_local = address;
        return 0;
    }
    if (!InetSocketAddress::IsMatchingType(address))
    {
        return Fail(ERROR_AFNOSUPPORT);
    }
    const auto local = InetSocketAddress::ConvertFrom(address);
    if (local.GetIpv4() != Ipv4Address::GetAny() && local.GetIpv4() != m_layer->GetAddress())
    {
        return Fail(ERROR_ADDRNOTAVAIL);
    }
    const uint16_t port = m_layer->Bind(this, local.GetPort());
    if (port == 0)
    {
        return Fail(local.GetPort() == 0 ? ERROR_ADDRNOTAVAIL : ERROR_ADDRINUSE);
    }
    m_port = port;
    m_local = InetSocketAddress(local.GetIpv4(), port);
    return 0;
}

int
MessageSocket::Bind()
{
    return Bind(InetSocketAddress(Ipv4Address::GetAny(), 0));
}

int
MessageSocket::Bind6()
{
    return Fail(ERROR_AFNOSUPPORT);
}

int
MessageSocket::Close()
{
    NS_LOG_FUNCTION(this);
    if (m_released)
    {
        return Fail(ERROR_BADF);
    }
    m_released = true;
    m_shutdownSend = true;
    m_shutdownReceive = true;
    m_receivedBytes = 0;
    for (const auto& [packet, from] : std::exchange(m_received, {}))
    {
        m_layer->Drop(packet, SocketDrop::SHUT_DOWN);
    }
    if (m_state != State::CLOSED)
    {
        SendClose();
        SetState(State::CLOSED);
        m_layer->Remove(this);
    }
    return 0;
}

int
MessageSocket::ShutdownSend()
{
    NS_LOG_FUNCTION(this);
    m_shutdownSend = true;
    SendClose();
    return 0;
}

int
MessageSocket::ShutdownRecv()
{
    NS_LOG_FUNCTION(this);
    m_shutdownReceive = true;
    return 0;
}

int
MessageSocket::Connect(const Address& address)
{
    NS_LOG_FUNCTION(this << address);
    if (m_state == State::CLOSED)
    {
        return Fail(ERROR_BADF);
    }
    const bool sequenced = m_type == NS3_SOCK_SEQPACKET;
    if (sequenced && m_state != State::IDLE)
    {
        return Fail(m_state == State::LISTENING ? ERROR_OPNOTSUPP : ERROR_ISCONN);
    }
    if (!InetSocketAddress::IsMatchingType(address))
    {
        Fail(ERROR_AFNOSUPPORT);
        NotifyConnectionFailed();
        return -1;
    }
    if (m_port == 0 && Bind() == -1)
    {
        return -1;
    }
    m_remote = InetSocketAddress::ConvertFrom(address);
    if (!sequenced)
    {
        SetState(State::CONNECTED);
        NotifyConnectionSucceeded();
        return 0;
    }
    const auto peer = m_layer->GetAddresses().Find(m_remote.GetIpv4());
    if (!peer || *peer == NO_PEER)
    {
        Fail(ERROR_NOROUTETOHOST);
        NotifyConnectionFailed();
        return -1;
    }
    m_peer = *peer;
    SetState(State::CONNECTING);
    m_layer->AddConnection(this);
    if (!SubmitControl(SocketMessage::CONNECT))
    {
        Break(ERROR_NOROUTETOHOST);
        return -1;
    }
    return 0;
}

int
MessageSocket::Listen()
{
    NS_LOG_FUNCTION(this);
    if (m_type != NS3_SOCK_SEQPACKET)
    {
        return Fail(ERROR_OPNOTSUPP);
    }
    if (m_state != State::IDLE || m_port == 0)
    {
        return Fail(ERROR_INVAL);
    }
    SetState(State::LISTENING);
    return 0;
}

uint32_t
MessageSocket::GetTxAvailable() const
{
    return m_queuedBytes < m_sendBuffer ? m_sendBuffer - m_queuedBytes : 0;
}

int
MessageSocket::Send(Ptr<Packet> packet, uint32_t flags)
{
    NS_LOG_FUNCTION(this << packet << flags);
    if (m_state != State::CONNECTED)
    {
        return Fail(m_released ? ERROR_BADF : ERROR_NOTCONN);
    }
    if (m_type == NS3_SOCK_SEQPACKET)
    {
        return SendPacket(packet, m_peer, m_remote.GetPort());
    }
    return SendTo(packet, flags, m_remote);
}

int
MessageSocket::SendTo(Ptr<Packet> packet, uint32_t flags, const Address& address)
{
    NS_LOG_FUNCTION(this << packet << flags << address);
    if (m_type == NS3_SOCK_SEQPACKET)
    {
        return Send(packet, flags);
    }
    if (m_state == State::CLOSED)
    {
        return Fail(ERROR_BADF);
    }
    if (!InetSocketAddress::IsMatchingType(address))
    {
        return Fail(ERROR_AFNOSUPPORT);
    }
    const auto remote = InetSocketAddress::ConvertFrom(address);
    const auto peer = m_layer->GetAddresses().Find(remote.GetIpv4());
    if (!peer)
    {
        return Fail(ERROR_NOROUTETOHOST);
    }
    if (*peer == NO_PEER && !m_allowBroadcast)
    {
        return Fail(ERROR_OPNOTSUPP);
    }
    if (m_port == 0 && Bind() == -1)
    {
        return -1;
    }
    return SendPacket(packet, *peer, remote.GetPort());
}

int
MessageSocket::SendPacket(Ptr<Packet> packet, Peer to, uint16_t port)
{
    if (m_shutdownSend)
    {
        return Fail(ERROR_SHUTDOWN);
    }
    const uint32_t bytes = packet->GetSize();
    if (bytes > std::min(m_sendBuffer, m_layer->GetLargestPacket()))
    {
        return Fail(ERROR_MSGSIZE);
    }
    if (!m_queue.empty() && bytes > GetTxAvailable())
    {
        m_needsRoom = true;
        return Fail(ERROR_AGAIN);
    }
    const auto kind = m_type == NS3_SOCK_SEQPACKET ? SocketMessage::DATA : SocketMessage::DATAGRAM;
    if (!Submit(packet, MessageSocketHeader(kind, m_port, port), to))
    {
        return Fail(to == NO_PEER ? ERROR_OPNOTSUPP : ERROR_MSGSIZE);
    }
    return static_cast<int>(bytes);
}

bool
MessageSocket::Submit(Ptr<const Packet> packet, const MessageSocketHeader& header, Peer to)
{
    const auto message = m_layer->Store(packet, header, to);
    if (m_queue.empty())
    {
        const auto acceptance = m_layer->Post(this, message);
        if (acceptance == Acceptance::REFUSED)
        {
            m_layer->Forget(message);
            return false;
        }
        if (acceptance == Acceptance::ACCEPTED)
        {
            OnSent(message);
            return true;
        }
    }
    m_queue.push_back(message);
    m_queuedBytes += message.bytes;
    m_layer->Wait(this);
    return true;
}

bool
MessageSocket::SubmitControl(SocketMessage kind)
{
    return Submit(Create<Packet>(), MessageSocketHeader(kind, m_port, m_remote.GetPort()), m_peer);
}

bool
MessageSocket::PostNext()
{
    if (m_queue.empty())
    {
        return true;
    }
    // Taken first, since the message may fail, and break the connection, before Post returns.
    const auto message = m_queue.front();
    m_queue.pop_front();
    m_queuedBytes -= message.bytes;
    const auto acceptance = m_layer->Post(this, message);
    if (acceptance == Acceptance::STALLED)
    {
        m_queue.push_front(message);
        m_queuedBytes += message.bytes;
        m_layer->Wait(this);
        return false;
    }
    if (!m_queue.empty())
    {
        m_layer->Wait(this);
    }
    else if (m_state == State::CLOSED)
    {
        m_layer->Remove(this);
    }
    if (acceptance == Acceptance::REFUSED)
    {
        m_layer->Discard(message, SocketDrop::REFUSED);
        OnFailure();
    }
    else
    {
        OnSent(message);
    }
    if (m_needsRoom && !m_released)
    {
        m_needsRoom = false;
        NotifySend(GetTxAvailable());
    }
    return true;
}

void
MessageSocket::OnSent(const MessageSocketLayer::Outgoing& message)
{
    if (message.bytes > 0)
    {
        NotifyDataSent(message.bytes);
    }
}

void
MessageSocket::OnPacket(Ptr<Packet> packet, const InetSocketAddress& from)
{
    NS_LOG_FUNCTION(this << packet << from);
    if (m_shutdownReceive)
    {
        m_layer->Drop(packet, SocketDrop::SHUT_DOWN);
        return;
    }
    if (m_receivedBytes + packet->GetSize() > m_receiveBuffer)
    {
        m_dropTrace(packet);
        m_layer->Drop(packet, SocketDrop::BUFFER_FULL);
        return;
    }
    if (IsRecvPktInfo())
    {
        Ipv4PacketInfoTag info;
        packet->RemovePacketTag(info);
        info.SetAddress(m_layer->GetAddress());
        packet->AddPacketTag(info);
    }
    m_receivedBytes += packet->GetSize();
    m_received.emplace_back(packet, from);
    NotifyDataRecv();
}

bool
MessageSocket::OnConnect(Peer from, const InetSocketAddress& address)
{
    if (m_state != State::LISTENING || !NotifyConnectionRequest(address))
    {
        return false;
    }
    auto socket = m_layer->CreateSocket(m_type);
    socket->m_port = m_port;
    socket->m_local = InetSocketAddress(m_layer->GetAddress(), m_port);
    socket->m_remote = address;
    socket->m_peer = from;
    socket->m_sendBuffer = m_sendBuffer;
    socket->m_receiveBuffer = m_receiveBuffer;
    socket->m_shutdownSend = m_shutdownSend;
    socket->m_shutdownReceive = m_shutdownReceive;
    socket->SetRecvPktInfo(IsRecvPktInfo());
    socket->SetState(State::CONNECTED);
    m_layer->AddConnection(socket);
    socket->SubmitControl(SocketMessage::ACCEPT);
    NotifyNewConnectionCreated(socket, address);
    return true;
}

void
MessageSocket::OnAccept()
{
    if (m_state == State::CONNECTING)
    {
        SetState(State::CONNECTED);
        NotifyConnectionSucceeded();
        NotifySend(GetTxAvailable());
    }
}

void
MessageSocket::OnClose()
{
    if (m_shutdownSend)
    {
        // Both sides have ended: nothing is left to be sent or received.
        SendClose();
        SetState(State::CLOSED);
        m_layer->Remove(this);
    }
    NotifyNormalClose();
}

void
MessageSocket::OnReset()
{
    Break(ERROR_NOTCONN);
}

void
MessageSocket::OnFailure()
{
    m_errno = ERROR_NOROUTETOHOST;
    if (m_type == NS3_SOCK_SEQPACKET && m_state != State::CLOSED)
    {
        Break(ERROR_NOROUTETOHOST);
    }
}

void
MessageSocket::Break(SocketErrno error)
{
    NS_LOG_FUNCTION(this << error);
    const bool connecting = m_state == State::CONNECTING;
    m_errno = error;
    SetState(State::CLOSED);
    const auto queue = std::exchange(m_queue, {});
    m_queuedBytes = 0;
    m_layer->Remove(this);
    for (const auto& message : queue)
    {
        m_layer->Discard(message, SocketDrop::BROKEN);
    }
    if (connecting)
    {
        NotifyConnectionFailed();
    }
    else
    {
        NotifyErrorClose();
    }
}

void
MessageSocket::SendClose()
{
    const bool connected = m_state == State::CONNECTING || m_state == State::CONNECTED;
    if (m_type == NS3_SOCK_SEQPACKET && connected && !m_closeSent)
    {
        m_closeSent = true;
        SubmitControl(SocketMessage::CLOSE);
    }
}

uint32_t
MessageSocket::GetRxAvailable() const
{
    return m_receivedBytes;
}

Ptr<Packet>
MessageSocket::Recv(uint32_t maxSize, uint32_t flags)
{
    Address from;
    return RecvFrom(maxSize, flags, from);
}

Ptr<Packet>
MessageSocket::RecvFrom(uint32_t maxSize, uint32_t, Address& from)
{
    NS_LOG_FUNCTION(this << maxSize);
    if (m_received.empty())
    {
        Fail(ERROR_AGAIN);
        return nullptr;
    }
    if (m_received.front().first->GetSize() > maxSize)
    {
        Fail(ERROR_MSGSIZE);
        return nullptr;
    }
    const auto [packet, address] = m_received.front();
    m_received.pop_front();
    m_receivedBytes -= packet->GetSize();
    from = address;
    return packet;
}

int
MessageSocket::GetSockName(Address& address) const
{
    address = m_local;
    return 0;
}

int
MessageSocket::GetPeerName(Address& address) const
{
    if (m_remote.GetPort() == 0)
    {
        m_errno = ERROR_NOTCONN;
        return -1;
    }
    address = m_remote;
    return 0;
}

bool
MessageSocket::SetAllowBroadcast(bool allow)
{
    m_allowBroadcast = allow;
    return true;
}

bool
MessageSocket::GetAllowBroadcast() const
{
    return m_allowBroadcast;
}

} // namespace messaging
} // namespace ns3
