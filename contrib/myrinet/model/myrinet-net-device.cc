/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "myrinet-net-device.h"

#include "ns3/boolean.h"
#include "ns3/ethernet-header.h"
#include "ns3/log.h"
#include "ns3/messaging-neighbours.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

namespace ns3
{
namespace myrinet
{

NS_LOG_COMPONENT_DEFINE("MyrinetNetDevice");
NS_OBJECT_ENSURE_REGISTERED(MyrinetNetDevice);

TypeId
MyrinetNetDevice::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::myrinet::MyrinetNetDevice")
            .SetParent<NetDevice>()
            .SetGroupName("Myrinet")
            .AddConstructor<MyrinetNetDevice>()
            .AddAttribute("Address",
                          "The MAC address of this device.",
                          Mac48AddressValue(Mac48Address("ff:ff:ff:ff:ff:ff")),
                          MakeMac48AddressAccessor(&MyrinetNetDevice::m_address),
                          MakeMac48AddressChecker())
            .AddAttribute(
                "Mtu",
                "Largest packet without its Ethernet header [bytes; default].",
                UintegerValue(1500),
                MakeUintegerAccessor(&MyrinetNetDevice::SetMtu, &MyrinetNetDevice::GetMtu),
                MakeUintegerChecker<uint16_t>(68))
            .AddAttribute(
                "TxQueue",
                "Packets that wait to be sent.",
                PointerValue(),
                MakePointerAccessor(&MyrinetNetDevice::SetQueue, &MyrinetNetDevice::GetQueue),
                MakePointerChecker<Queue<ns3::Packet>>())
            .AddAttribute("Lanai",
                          "Processor and host DMA engine of the network interface; null for no "
                          "costs.",
                          PointerValue(),
                          MakePointerAccessor(&MyrinetNetDevice::m_lanai),
                          MakePointerChecker<MyrinetLanai>())
            .AddAttribute("ReceiveErrorModel",
                          "Decides which received packets are corrupted.",
                          PointerValue(),
                          MakePointerAccessor(&MyrinetNetDevice::m_errorModel),
                          MakePointerChecker<ErrorModel>())
            .AddTraceSource("MacTx",
                            "A packet has been accepted to be sent.",
                            MakeTraceSourceAccessor(&MyrinetNetDevice::m_macTx),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("MacTxDrop",
                            "A packet has been dropped before it was sent.",
                            MakeTraceSourceAccessor(&MyrinetNetDevice::m_macTxDrop),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("MacPromiscRx",
                            "A packet has been received, for this node or another.",
                            MakeTraceSourceAccessor(&MyrinetNetDevice::m_macPromiscRx),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("MacRx",
                            "A packet for this node has been received.",
                            MakeTraceSourceAccessor(&MyrinetNetDevice::m_macRx),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("MacRxDrop",
                            "A packet has been received and dropped.",
                            MakeTraceSourceAccessor(&MyrinetNetDevice::m_macRxDrop),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PhyTxBegin",
                            "A packet begins to leave.",
                            MakeTraceSourceAccessor(&MyrinetNetDevice::m_phyTxBegin),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PhyTxEnd",
                            "A packet has left.",
                            MakeTraceSourceAccessor(&MyrinetNetDevice::m_phyTxEnd),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PhyTxDrop",
                            "A packet has been taken from the queue and not been sent.",
                            MakeTraceSourceAccessor(&MyrinetNetDevice::m_phyTxDrop),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PhyRxEnd",
                            "A packet has arrived.",
                            MakeTraceSourceAccessor(&MyrinetNetDevice::m_phyRxEnd),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PhyRxDrop",
                            "A packet has arrived corrupted.",
                            MakeTraceSourceAccessor(&MyrinetNetDevice::m_phyRxDrop),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("Sniffer",
                            "A packet as a non-promiscuous packet sniffer sees it.",
                            MakeTraceSourceAccessor(&MyrinetNetDevice::m_sniffer),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PromiscSniffer",
                            "A packet as a promiscuous packet sniffer sees it.",
                            MakeTraceSourceAccessor(&MyrinetNetDevice::m_promiscSniffer),
                            "ns3::Packet::TracedCallback");
    return tid;
}

MyrinetNetDevice::MyrinetNetDevice() = default;

MyrinetNetDevice::~MyrinetNetDevice() = default;

void
MyrinetNetDevice::DoDispose()
{
    m_channel = nullptr;
    m_node = nullptr;
    m_queue = nullptr;
    m_interface = nullptr;
    m_lanai = nullptr;
    m_fetched.clear();
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
MyrinetNetDevice::NotifyNewAggregate()
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
MyrinetNetDevice::Attach(Ptr<MyrinetChannel> channel)
{
    m_channel = channel;
    m_peer = channel->Attach(this);
    channel->UpdateAddress(m_peer, m_address);
    SetLinkUp(true);
}

void
MyrinetNetDevice::SetLinkUp(bool up)
{
    if (m_linkUp != up)
    {
        m_linkUp = up;
        m_linkChanges();
        if (up)
        {
            Fetch();
            Transmit();
        }
    }
}

bool
MyrinetNetDevice::SendFrom(Ptr<ns3::Packet> packet,
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
    Fetch();
    Transmit();
    return true;
}

void
MyrinetNetDevice::Fetch()
{
    if (!m_lanai)
    {
        return;
    }
    const uint32_t ring = m_channel->GetSendBuffers();
    while (m_fetching + m_fetched.size() + (m_current ? 1 : 0) < ring)
    {
        const Ptr<ns3::Packet> packet = m_queue->Dequeue();
        if (!packet)
        {
            return;
        }
        ++m_fetching;
        m_lanai->FromHost(packet->GetSize(), [device = Ptr<MyrinetNetDevice>(this), packet] {
            --device->m_fetching;
            device->m_fetched.push_back(packet);
            device->Transmit();
        });
    }
}

bool
MyrinetNetDevice::Send(Ptr<ns3::Packet> packet, const Address& dest, uint16_t protocol)
{
    return SendFrom(packet, m_address, dest, protocol);
}

void
MyrinetNetDevice::Transmit()
{
    if (!m_linkUp || !m_queue || m_sending)
    {
        return;
    }
    if (!m_current)
    {
        if (!m_lanai)
        {
            m_current = m_queue->Dequeue();
        }
        else if (!m_fetched.empty())
        {
            m_current = m_fetched.front();
            m_fetched.pop_front();
        }
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
        m_sending = true;
    }
}

Peer
MyrinetNetDevice::GetNextReceiver()
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
MyrinetNetDevice::EndTransmission()
{
    // Nothing has been sent if the address has changed since the packet was accepted.
    (m_begun ? m_phyTxEnd : m_phyTxDrop)(m_current);
    m_current = nullptr;
    m_begun = false;
    m_copies = 0;
    Fetch();
    Simulator::ScheduleNow(&MyrinetNetDevice::Transmit, this);
}

void
MyrinetNetDevice::Resume()
{
    m_sending = false;
    Transmit();
}

void
MyrinetNetDevice::Arrive(Ptr<ns3::Packet> packet)
{
    if (!m_lanai)
    {
        m_channel->Release(m_peer);
        Receive(packet);
        return;
    }
    m_lanai->ToHost(packet->GetSize(), [device = Ptr<MyrinetNetDevice>(this), packet] {
        if (device->m_channel)
        {
            device->m_channel->Release(device->m_peer);
            device->Receive(packet);
        }
    });
}

void
MyrinetNetDevice::Reject(Ptr<const ns3::Packet> packet)
{
    m_phyRxDrop(packet);
}

void
MyrinetNetDevice::Receive(Ptr<ns3::Packet> packet)
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
MyrinetNetDevice::SetQueue(Ptr<Queue<ns3::Packet>> queue)
{
    m_queue = queue;
}

Ptr<Queue<ns3::Packet>>
MyrinetNetDevice::GetQueue() const
{
    return m_queue;
}

void
MyrinetNetDevice::SetReceiveErrorModel(Ptr<ErrorModel> model)
{
    m_errorModel = model;
}

Peer
MyrinetNetDevice::GetPeer() const
{
    return m_peer;
}

void
MyrinetNetDevice::SetIfIndex(const uint32_t index)
{
    m_ifIndex = index;
}

uint32_t
MyrinetNetDevice::GetIfIndex() const
{
    return m_ifIndex;
}

Ptr<Channel>
MyrinetNetDevice::GetChannel() const
{
    return m_channel;
}

void
MyrinetNetDevice::SetAddress(Address address)
{
    m_address = Mac48Address::ConvertFrom(address);
    if (m_channel)
    {
        m_channel->UpdateAddress(m_peer, m_address);
    }
}

Address
MyrinetNetDevice::GetAddress() const
{
    return m_address;
}

bool
MyrinetNetDevice::SetMtu(const uint16_t mtu)
{
    m_mtu = mtu;
    return true;
}

uint16_t
MyrinetNetDevice::GetMtu() const
{
    return m_mtu;
}

bool
MyrinetNetDevice::IsLinkUp() const
{
    return m_linkUp;
}

void
MyrinetNetDevice::AddLinkChangeCallback(Callback<void> callback)
{
    m_linkChanges.ConnectWithoutContext(callback);
}

bool
MyrinetNetDevice::IsBroadcast() const
{
    return true;
}

Address
MyrinetNetDevice::GetBroadcast() const
{
    return Mac48Address::GetBroadcast();
}

bool
MyrinetNetDevice::IsMulticast() const
{
    return true;
}

Address
MyrinetNetDevice::GetMulticast(Ipv4Address group) const
{
    return Mac48Address::GetMulticast(group);
}

Address
MyrinetNetDevice::GetMulticast(Ipv6Address group) const
{
    return Mac48Address::GetMulticast(group);
}

bool
MyrinetNetDevice::IsPointToPoint() const
{
    return false;
}

bool
MyrinetNetDevice::IsBridge() const
{
    return false;
}

Ptr<Node>
MyrinetNetDevice::GetNode() const
{
    return m_node;
}

void
MyrinetNetDevice::SetNode(Ptr<Node> node)
{
    m_node = node;
}

bool
MyrinetNetDevice::NeedsArp() const
{
    return true;
}

void
MyrinetNetDevice::SetReceiveCallback(ReceiveCallback callback)
{
    m_receive = callback;
}

void
MyrinetNetDevice::SetPromiscReceiveCallback(PromiscReceiveCallback callback)
{
    m_promiscReceive = callback;
}

bool
MyrinetNetDevice::SupportsSendFrom() const
{
    return true;
}

} // namespace myrinet
} // namespace ns3
