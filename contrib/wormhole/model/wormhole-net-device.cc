/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wormhole-net-device.h"

#include "ns3/boolean.h"
#include "ns3/ethernet-header.h"
#include "ns3/log.h"
#include "ns3/messaging-neighbours.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

namespace ns3
{
namespace wormhole
{

NS_LOG_COMPONENT_DEFINE("WormholeNetDevice");
NS_OBJECT_ENSURE_REGISTERED(WormholeNetDevice);

TypeId
WormholeNetDevice::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::wormhole::WormholeNetDevice")
            .SetParent<NetDevice>()
            .SetGroupName("Wormhole")
            .AddConstructor<WormholeNetDevice>()
            .AddAttribute("Address",
                          "The MAC address of this device.",
                          Mac48AddressValue(Mac48Address("ff:ff:ff:ff:ff:ff")),
                          MakeMac48AddressAccessor(&WormholeNetDevice::m_address),
                          MakeMac48AddressChecker())
            .AddAttribute(
                "Mtu",
                "Largest packet without its Ethernet header [bytes; default].",
                UintegerValue(1500),
                MakeUintegerAccessor(&WormholeNetDevice::SetMtu, &WormholeNetDevice::GetMtu),
                MakeUintegerChecker<uint16_t>(68))
            .AddAttribute(
                "TxQueue",
                "Packets that wait to be sent.",
                PointerValue(),
                MakePointerAccessor(&WormholeNetDevice::SetQueue, &WormholeNetDevice::GetQueue),
                MakePointerChecker<Queue<ns3::Packet>>())
            .AddAttribute("ReceiveErrorModel",
                          "Decides which received packets are corrupted.",
                          PointerValue(),
                          MakePointerAccessor(&WormholeNetDevice::m_errorModel),
                          MakePointerChecker<ErrorModel>())
            .AddTraceSource("MacTx",
                            "A packet has been accepted to be sent.",
                            MakeTraceSourceAccessor(&WormholeNetDevice::m_macTx),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("MacTxDrop",
                            "A packet has been dropped before it was sent.",
                            MakeTraceSourceAccessor(&WormholeNetDevice::m_macTxDrop),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("MacPromiscRx",
                            "A packet has been received, for this node or another.",
                            MakeTraceSourceAccessor(&WormholeNetDevice::m_macPromiscRx),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("MacRx",
                            "A packet for this node has been received.",
                            MakeTraceSourceAccessor(&WormholeNetDevice::m_macRx),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("MacRxDrop",
                            "A packet has been received and dropped.",
                            MakeTraceSourceAccessor(&WormholeNetDevice::m_macRxDrop),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PhyTxBegin",
                            "A packet begins to leave.",
                            MakeTraceSourceAccessor(&WormholeNetDevice::m_phyTxBegin),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PhyTxEnd",
                            "A packet has left.",
                            MakeTraceSourceAccessor(&WormholeNetDevice::m_phyTxEnd),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PhyTxDrop",
                            "A packet has been taken from the queue and not been sent.",
                            MakeTraceSourceAccessor(&WormholeNetDevice::m_phyTxDrop),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PhyRxEnd",
                            "A packet has arrived.",
                            MakeTraceSourceAccessor(&WormholeNetDevice::m_phyRxEnd),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PhyRxDrop",
                            "A packet has arrived corrupted.",
                            MakeTraceSourceAccessor(&WormholeNetDevice::m_phyRxDrop),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("Sniffer",
                            "A packet as a non-promiscuous packet sniffer sees it.",
                            MakeTraceSourceAccessor(&WormholeNetDevice::m_sniffer),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PromiscSniffer",
                            "A packet as a promiscuous packet sniffer sees it.",
                            MakeTraceSourceAccessor(&WormholeNetDevice::m_promiscSniffer),
                            "ns3::Packet::TracedCallback");
    return tid;
}

WormholeNetDevice::WormholeNetDevice() = default;

WormholeNetDevice::~WormholeNetDevice() = default;

void
WormholeNetDevice::DoDispose()
{
    m_endEvent.Cancel();
    m_channel = nullptr;
    m_node = nullptr;
    m_queue = nullptr;
    m_interface = nullptr;
    m_errorModel = nullptr;
    m_current = nullptr;
    m_receive =
        MakeNullCallback<bool, Ptr<NetDevice>, Ptr<const ns3::Packet>, uint16_t, const Address&>();
    m_promiscReceive = MakeNullCallback<bool,
                                        Ptr<NetDevice>,
                                        Ptr<const ns3::Packet>,
                                        uint16_t,
                                        const Address&,
                                        const Address&,
                                        NetDevice::PacketType>();
    NetDevice::DoDispose();
}

void
WormholeNetDevice::NotifyNewAggregate()
{
    if (!m_interface)
    {
        m_interface = GetObject<NetDeviceQueueInterface>();
        if (m_interface && m_queue)
        {
            m_interface->GetTxQueue(0)->ConnectQueueTraces(m_queue);
        }
    }
    NetDevice::NotifyNewAggregate();
}

void
WormholeNetDevice::Attach(Ptr<WormholeChannel> channel)
{
    m_channel = channel;
    m_peer = channel->Attach(this);
    channel->UpdateAddress(m_peer, m_address);
    SetLinkUp(true);
}

void
WormholeNetDevice::SetLinkUp(bool up)
{
    if (m_linkUp != up)
    {
        m_linkUp = up;
        m_linkChanges();
        if (up)
        {
            Transmit();
        }
    }
}

bool
WormholeNetDevice::SendFrom(Ptr<ns3::Packet> packet,
                            const Address& source,
                            const Address& dest,
                            uint16_t protocol)
{
    NS_LOG_FUNCTION(this << packet << source << dest << protocol);
    const Mac48Address to = Mac48Address::ConvertFrom(dest);
    if (m_linkUp && to.IsGroup() &&
        messaging::AnswerNeighbourRequest(this, packet, protocol, m_receive))
    {
        return true;
    }
    if (!m_linkUp || packet->GetSize() > m_mtu ||
        (!to.IsGroup() && m_channel->Find(to) == messaging::NO_PEER))
    {
        m_macTxDrop(packet);
        return false;
    }
    EthernetHeader header(false);
    header.SetSource(Mac48Address::ConvertFrom(source));
    header.SetDestination(to);
    header.SetLengthType(protocol);
    packet->AddHeader(header);
    m_macTx(packet);
    if (!m_queue->Enqueue(packet))
    {
        m_macTxDrop(packet);
        return false;
    }
    Transmit();
    return true;
}

bool
WormholeNetDevice::Send(Ptr<ns3::Packet> packet, const Address& dest, uint16_t protocol)
{
    return SendFrom(packet, m_address, dest, protocol);
}

void
WormholeNetDevice::Transmit()
{
    if (!m_linkUp || !m_queue || m_endEvent.IsPending())
    {
        return;
    }
    if (!m_current)
    {
        m_current = m_queue->Dequeue();
        if (!m_current)
        {
            return;
        }
    }
    const Peer to = GetNextReceiver();
    if (to == messaging::NO_PEER)
    {
        EndTransmission();
    }
    else if (m_channel->Send(m_peer, to, m_current))
    {
        ++m_copies;
        if (!m_begun)
        {
            m_begun = true;
            m_sniffer(m_current);
            m_promiscSniffer(m_current);
            m_phyTxBegin(m_current);
        }
        m_endEvent = Simulator::Schedule(m_channel->GetWireTime(m_current),
                                         &WormholeNetDevice::Transmit,
                                         this);
    }
}

Peer
WormholeNetDevice::GetNextReceiver()
{
    EthernetHeader header(false);
    m_current->PeekHeader(header);
    if (!header.GetDestination().IsGroup())
    {
        return m_begun ? messaging::NO_PEER : m_channel->Find(header.GetDestination());
    }
    m_copies += m_copies == m_peer ? 1 : 0;
    return m_copies < m_channel->GetNDevices() ? m_copies : messaging::NO_PEER;
}

void
WormholeNetDevice::EndTransmission()
{
    // Nothing has been sent if the address has changed since the packet was accepted.
    (m_begun ? m_phyTxEnd : m_phyTxDrop)(m_current);
    m_current = nullptr;
    m_begun = false;
    m_copies = 0;
    m_endEvent = Simulator::ScheduleNow(&WormholeNetDevice::Transmit, this);
}

void
WormholeNetDevice::Resume()
{
    Transmit();
}

void
WormholeNetDevice::Receive(Ptr<ns3::Packet> packet)
{
    NS_LOG_FUNCTION(this << packet);
    if (!m_node || !m_linkUp)
    {
        return;
    }
    if (m_errorModel && m_errorModel->IsCorrupt(packet))
    {
        m_phyRxDrop(packet);
        return;
    }
    m_phyRxEnd(packet);
    m_sniffer(packet);
    m_promiscSniffer(packet);
    m_macPromiscRx(packet);
    m_macRx(packet);
    EthernetHeader header(false);
    packet->RemoveHeader(header);
    const uint16_t protocol = header.GetLengthType();
    const Mac48Address to = header.GetDestination();
    const auto type = to.IsBroadcast() ? NetDevice::PACKET_BROADCAST
                      : to.IsGroup()   ? NetDevice::PACKET_MULTICAST
                                       : NetDevice::PACKET_HOST;
    if (!m_promiscReceive.IsNull())
    {
        m_promiscReceive(this,
                         packet->Copy(),
                         protocol,
                         header.GetSource(),
                         header.GetDestination(),
                         type);
    }
    if (m_receive.IsNull() || !m_receive(this, packet, protocol, header.GetSource()))
    {
        m_macRxDrop(packet);
    }
}

void
WormholeNetDevice::SetQueue(Ptr<Queue<ns3::Packet>> queue)
{
    m_queue = queue;
}

Ptr<Queue<ns3::Packet>>
WormholeNetDevice::GetQueue() const
{
    return m_queue;
}

void
WormholeNetDevice::SetReceiveErrorModel(Ptr<ErrorModel> model)
{
    m_errorModel = model;
}

Peer
WormholeNetDevice::GetPeer() const
{
    return m_peer;
}

void
WormholeNetDevice::SetIfIndex(const uint32_t index)
{
    m_ifIndex = index;
}

uint32_t
WormholeNetDevice::GetIfIndex() const
{
    return m_ifIndex;
}

Ptr<Channel>
WormholeNetDevice::GetChannel() const
{
    return m_channel;
}

void
WormholeNetDevice::SetAddress(Address address)
{
    m_address = Mac48Address::ConvertFrom(address);
    if (m_channel)
    {
        m_channel->UpdateAddress(m_peer, m_address);
    }
}

Address
WormholeNetDevice::GetAddress() const
{
    return m_address;
}

bool
WormholeNetDevice::SetMtu(const uint16_t mtu)
{
    m_mtu = mtu;
    return true;
}

uint16_t
WormholeNetDevice::GetMtu() const
{
    return m_mtu;
}

bool
WormholeNetDevice::IsLinkUp() const
{
    return m_linkUp;
}

void
WormholeNetDevice::AddLinkChangeCallback(Callback<void> callback)
{
    m_linkChanges.ConnectWithoutContext(callback);
}

bool
WormholeNetDevice::IsBroadcast() const
{
    return true;
}

Address
WormholeNetDevice::GetBroadcast() const
{
    return Mac48Address::GetBroadcast();
}

bool
WormholeNetDevice::IsMulticast() const
{
    return true;
}

Address
WormholeNetDevice::GetMulticast(Ipv4Address group) const
{
    return Mac48Address::GetMulticast(group);
}

Address
WormholeNetDevice::GetMulticast(Ipv6Address group) const
{
    return Mac48Address::GetMulticast(group);
}

bool
WormholeNetDevice::IsPointToPoint() const
{
    return false;
}

bool
WormholeNetDevice::IsBridge() const
{
    return false;
}

Ptr<Node>
WormholeNetDevice::GetNode() const
{
    return m_node;
}

void
WormholeNetDevice::SetNode(Ptr<Node> node)
{
    m_node = node;
}

bool
WormholeNetDevice::NeedsArp() const
{
    return true;
}

void
WormholeNetDevice::SetReceiveCallback(ReceiveCallback callback)
{
    m_receive = callback;
}

void
WormholeNetDevice::SetPromiscReceiveCallback(PromiscReceiveCallback callback)
{
    m_promiscReceive = callback;
}

bool
WormholeNetDevice::SupportsSendFrom() const
{
    return true;
}

} // namespace wormhole
} // namespace ns3
