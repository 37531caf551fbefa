/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-plain-net-device.h"

#include "ns3/ethernet-header.h"
#include "ns3/log.h"
#include "ns3/pointer.h"

namespace ns3
{
namespace messaging
{

NS_LOG_COMPONENT_DEFINE("MessagingPlainNetDevice");
NS_OBJECT_ENSURE_REGISTERED(PlainNetDevice);

TypeId
PlainNetDevice::GetTypeId()
{
    using D = PlainNetDevice;
    static TypeId tid = [] {
        TypeId type = TypeId("ns3::messaging::PlainNetDevice")
                          .SetParent<NetDevice>()
                          .SetGroupName("Messaging")
                          .AddAttribute("TxQueue",
                                        "Transmit queue [-; default].",
                                        PointerValue(),
                                        MakePointerAccessor(&D::SetQueue, &D::GetQueue),
                                        MakePointerChecker<Queue<Packet>>())
                          .AddAttribute("ReceiveErrorModel",
                                        "Error model of received packets [-; default].",
                                        PointerValue(),
                                        MakePointerAccessor(&D::SetReceiveErrorModel,
                                                            &D::GetReceiveErrorModel),
                                        MakePointerChecker<ErrorModel>());
        const auto addTrace = [&type](const char* name, const char* help, auto source) {
            type.AddTraceSource(name,
                                help,
                                MakeTraceSourceAccessor(source),
                                "ns3::Packet::TracedCallback");
        };
        addTrace("MacTx", "A packet has been accepted for sending.", &D::m_macTx);
        addTrace("MacTxDrop",
                 "A packet has been refused: link down, too long, no such receiver, or transmit "
                 "queue full.",
                 &D::m_macTxDrop);
        addTrace("MacPromiscRx",
                 "A packet has been received, for this node or another.",
                 &D::m_macPromiscRx);
        addTrace("MacRx", "A packet for this node has been received.", &D::m_macRx);
        addTrace("MacRxDrop",
                 "A received packet has been dropped: no room, or no protocol accepts it.",
                 &D::m_macRxDrop);
        addTrace("PhyTxBegin", "The transmission of a packet begins.", &D::m_phyTxBegin);
        addTrace("PhyTxEnd", "The transmission of a packet has ended.", &D::m_phyTxEnd);
        addTrace("PhyTxDrop", "A packet from the queue has not been sent.", &D::m_phyTxDrop);
        addTrace("PhyRxEnd", "A packet has arrived intact.", &D::m_phyRxEnd);
        addTrace("PhyRxDrop", "A packet has arrived damaged.", &D::m_phyRxDrop);
        addTrace("RxLoss",
                 "A packet for this node has been lost on arrival: damaged, or link down.",
                 &D::m_rxLoss);
        addTrace("Sniffer", "A packet as a non-promiscuous packet sniffer sees it.", &D::m_sniffer);
        addTrace("PromiscSniffer",
                 "A packet as a promiscuous packet sniffer sees it.",
                 &D::m_promiscSniffer);
        return type;
    }();
    return tid;
}

void
PlainNetDevice::DoDispose()
{
    m_linkUp = false;
    m_node = nullptr;
    m_queue = nullptr;
    m_interface = nullptr;
    m_errorModel = nullptr;
    m_receive.Nullify();
    m_promiscReceive.Nullify();
    NetDevice::DoDispose();
}

void
PlainNetDevice::NotifyNewAggregate()
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

namespace
{

/**
 * Add an Ethernet header to a packet.
 * @param packet the packet
 * @param source source address
 * @param dest destination address
 * @param protocol EtherType
 */
void
AddEthernetHeader(Ptr<Packet> packet, Mac48Address source, Mac48Address dest, uint16_t protocol)
{
    EthernetHeader header(false);
    header.SetSource(source);
    header.SetDestination(dest);
    header.SetLengthType(protocol);
    packet->AddHeader(header);
}

} // namespace

bool
PlainNetDevice::Refuse(Ptr<Packet> packet,
                       Mac48Address source,
                       Mac48Address dest,
                       uint16_t protocol)
{
    NS_LOG_INFO("Device " << m_address << " refuses a packet of " << packet->GetSize()
                          << " bytes to " << dest << (m_linkUp ? "" : ": its link is down"));
    AddEthernetHeader(packet, source, dest, protocol);
    m_macTxDrop(packet);
    return false;
}

bool
PlainNetDevice::Enqueue(Ptr<Packet> packet,
                        Mac48Address source,
                        Mac48Address dest,
                        uint16_t protocol)
{
    AddEthernetHeader(packet, source, dest, protocol);
    NS_LOG_LOGIC("Queues a packet of " << packet->GetSize() << " bytes to " << dest);
    m_macTx(packet);
    if (!m_queue->Enqueue(packet))
    {
        NS_LOG_INFO("Device " << m_address << " drops a packet to " << dest
                              << ": its transmit queue is full");
        m_macTxDrop(packet);
        return false;
    }
    NS_LOG_LOGIC("Device " << m_address << " queues a packet of " << packet->GetSize()
                           << " bytes to " << dest);
    return true;
}

NetDevice::PacketType
PlainNetDevice::Classify(Mac48Address to) const
{
    if (to.IsBroadcast())
    {
        return PACKET_BROADCAST;
    }
    if (to.IsGroup())
    {
        return PACKET_MULTICAST;
    }
    return to == m_address ? PACKET_HOST : PACKET_OTHERHOST;
}

void
PlainNetDevice::Receive(Ptr<Packet> packet)
{
    if (!GetNode())
    {
        return;
    }
    if (!IsLinkUp())
    {
        NS_LOG_INFO("Device " << m_address << " loses an arriving packet: its link is down");
        m_rxLoss(packet);
        return;
    }
    if (m_errorModel && m_errorModel->IsCorrupt(packet))
    {
        NS_LOG_INFO("Device " << m_address << " loses an arriving packet: it is damaged");
        m_phyRxDrop(packet);
        m_rxLoss(packet);
        return;
    }
    m_phyRxEnd(packet);
    m_promiscSniffer(packet);
    m_macPromiscRx(packet);
    EthernetHeader header(false);
    packet->PeekHeader(header);
    const uint16_t protocol = header.GetLengthType();
    const Mac48Address from = header.GetSource();
    const Mac48Address to = header.GetDestination();
    const PacketType type = Classify(to);
    const bool mine = type != PACKET_OTHERHOST;
    NS_LOG_LOGIC("Device " << m_address << " receives a packet of " << packet->GetSize()
                           << " bytes from " << from << " to " << to);
    if (!mine)
    {
        // The address has changed while the packet was in flight.
        m_rxLoss(packet);
    }
    else
    {
        m_sniffer(packet);
        m_macRx(packet);
    }
    packet->RemoveHeader(header);
    if (!m_promiscReceive.IsNull())
    {
        m_promiscReceive(this, packet->Copy(), protocol, from, to, type);
    }
    if (mine && (m_receive.IsNull() || !m_receive(this, packet, protocol, from)))
    {
        m_macRxDrop(packet);
    }
}

void
PlainNetDevice::SetLinkUp(bool up)
{
    if (m_linkUp != up)
    {
        NS_LOG_INFO("The link of device " << m_address << " goes " << (up ? "up" : "down"));
        m_linkUp = up;
        m_linkChanges();
        if (up)
        {
            Transmit();
        }
    }
}

} // namespace messaging
} // namespace ns3
