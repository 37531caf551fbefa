/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-socket-factory.h"

#include "messaging-socket-layer.h"
#include "messaging-socket.h"

#include "ns3/abort.h"

namespace ns3
{
namespace messaging
{

NS_OBJECT_ENSURE_REGISTERED(MessageSocketFactory);
NS_OBJECT_ENSURE_REGISTERED(MessageSeqPacketSocketFactory);
NS_OBJECT_ENSURE_REGISTERED(MessageUdpSocketFactory);

namespace
{

/**
 * Create a socket on the node of a factory.
 * @param factory the factory
 * @param type type of the socket
 * @return the socket
 */
Ptr<Socket>
MakeSocket(const Object& factory, Socket::SocketType type)
{
    const auto layer = factory.GetObject<MessageSocketLayer>();
    NS_ABORT_MSG_UNLESS(layer,
                        "A " << factory.GetInstanceTypeId().GetName()
                             << " needs a node with sockets over a protocol; see "
                                "MessageSocketHelper.");
    return layer->CreateSocket(type);
}

} // namespace

TypeId
MessageSocketFactory::GetTypeId()
{
    static TypeId tid = TypeId("ns3::messaging::MessageSocketFactory")
                            .SetParent<SocketFactory>()
                            .SetGroupName("Messaging")
                            .AddConstructor<MessageSocketFactory>();
    return tid;
}

Ptr<Socket>
MessageSocketFactory::CreateSocket()
{
    return MakeSocket(*this, Socket::NS3_SOCK_DGRAM);
}

TypeId
MessageSeqPacketSocketFactory::GetTypeId()
{
    static TypeId tid = TypeId("ns3::messaging::MessageSeqPacketSocketFactory")
                            .SetParent<SocketFactory>()
                            .SetGroupName("Messaging")
                            .AddConstructor<MessageSeqPacketSocketFactory>();
    return tid;
}

Ptr<Socket>
MessageSeqPacketSocketFactory::CreateSocket()
{
    return MakeSocket(*this, Socket::NS3_SOCK_SEQPACKET);
}

TypeId
MessageUdpSocketFactory::GetTypeId()
{
    static TypeId tid = TypeId("ns3::messaging::MessageUdpSocketFactory")
                            .SetParent<UdpSocketFactory>()
                            .SetGroupName("Messaging")
                            .AddConstructor<MessageUdpSocketFactory>();
    return tid;
}

Ptr<Socket>
MessageUdpSocketFactory::CreateSocket()
{
    return MakeSocket(*this, Socket::NS3_SOCK_DGRAM);
}

} // namespace messaging
} // namespace ns3
