/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-unicast-net-device.h"

#include "ns3/ethernet-header.h"
#include "ns3/log.h"
#include "ns3/messaging-neighbours.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <utility>

namespace ns3
{
namespace messaging
{

NS_LOG_COMPONENT_DEFINE("MessagingUnicastNetDevice");
NS_OBJECT_ENSURE_REGISTERED(UnicastNetDevice);

TypeId
UnicastNetDevice::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::messaging::UnicastNetDevice")
            .SetParent<PlainNetDevice>()
            .SetGroupName("Messaging")
            .AddConstructor<UnicastNetDevice>()
            .AddAttribute("Mtu",
                          "Largest packet without its Ethernet header [bytes; default].",
                          UintegerValue(1500),
                          MakeUintegerAccessor(&PlainNetDevice::SetMtu, &PlainNetDevice::GetMtu),
                          MakeUintegerChecker<uint16_t>(68));
    return tid;
}

void
UnicastNetDevice::DoDispose()
{
    m_channel = nullptr;
    m_current = nullptr;
    PlainNetDevice::DoDispose();
}

void
UnicastNetDevice::Attach(Ptr<UnicastChannel> channel)
{
    m_channel = channel;
    m_peer = channel->Attach(this);
    channel->UpdateAddress(m_peer, m_address);
    SetLinkUp(true);
}

void
UnicastNetDevice::SetAddress(Address address)
{
    PlainNetDevice::SetAddress(address);
    if (m_channel)
    {
        m_channel->UpdateAddress(m_peer, m_address);
    }
}

bool
UnicastNetDevice::SendFrom(Ptr<Packet> packet,
                           const Address& source,
                           const Address& dest,
                           uint16_t protocol)
{
    const Mac48Address from = Mac48Address::ConvertFrom(source);
    const Mac48Address to = Mac48Address::ConvertFrom(dest);
    if (IsLinkUp() && to.IsGroup() && AnswerNeighbourRequest(this, packet, protocol, m_receive))
    {
        return true;
    }
    if (!IsLinkUp() || packet->GetSize() > GetMtu() ||
        (!to.IsGroup() && m_channel->Find(to) == NO_PEER))
    {
        return Refuse(packet, from, to, protocol);
    }
    if (!Enqueue(packet, from, to, protocol))
    {
        return false;
    }
    Transmit();
    return true;
}

void
UnicastNetDevice::Transmit()
{
    if (!IsLinkUp() || m_sending)
    {
        return;
    }
    if (!m_current)
    {
        m_current = Dequeue();
        if (!m_current)
        {
            return;
        }
    }
    const Peer to = GetNextReceiver();
    if (to == NO_PEER)
    {
        EndTransmission();
    }
    else if (m_channel->Send(m_peer, to, m_current))
    {
        m_sending = true;
        ++m_copies;
        if (!m_begun)
        {
            m_begun = true;
            NS_LOG_LOGIC("Device " << m_address << " begins to send a packet of "
                                   << m_current->GetSize() << " bytes");
            m_sniffer(m_current);
            m_promiscSniffer(m_current);
            m_phyTxBegin(m_current);
        }
    }
}

Peer
UnicastNetDevice::GetNextReceiver()
{
    EthernetHeader header(false);
    m_current->PeekHeader(header);
    if (!header.GetDestination().IsGroup())
    {
        return m_begun ? NO_PEER : m_channel->Find(header.GetDestination());
    }
    if (m_copies == m_peer)
    {
        ++m_copies; // No copy goes to the sender itself.
    }
    return m_copies < m_channel->GetNDevices() ? m_copies : NO_PEER;
}

void
UnicastNetDevice::EndTransmission()
{
    // A separate event starts the next packet, so that trace sinks can send within this call.
    m_sending = true;
    Simulator::ScheduleNow(&UnicastNetDevice::EndSend, Ptr<UnicastNetDevice>(this));
    const Ptr<Packet> packet = std::exchange(m_current, nullptr);
    m_copies = 0;
    if (std::exchange(m_begun, false))
    {
        m_phyTxEnd(packet);
        return;
    }
    NS_LOG_INFO("Device " << m_address
                          << " drops a packet: its receiver's address has changed since it was "
                             "accepted");
    m_phyTxDrop(packet);
}

void
UnicastNetDevice::EndSend()
{
    m_sending = false;
    Transmit();
}

} // namespace messaging
} // namespace ns3
